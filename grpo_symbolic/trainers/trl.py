"""TRL's ``GRPOConfig`` as settings, versions 1.0 to 1.16, read off ``grpo_config.py`` and ``grpo_trainer.py``.

What changed between versions: 1.6 two bounds of the vLLM weights and rewards that are missing; 1.8 an entropy bonus;
1.10 ``use_bias_correction_kl`` on by default, ``luspo`` masked before it is averaged, and ``dapo`` counted over one
optimiser step when ``steps_per_generation`` differs from the accumulation.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from grpo_symbolic import setting as st
from grpo_symbolic.errors import BadInput
from grpo_symbolic.scalars import Json
from grpo_symbolic.trainers.options import Note, Option, Options, Reading, Version, bent_sampler

__all__ = ["FIRST", "NAMES", "NEWEST", "TABLE", "read"]

FIRST: Version = (1, 0)
NEWEST: Version = (1, 16, 0)
NAMES = {
    "group_size": "num_generations",
    "eps_low": "epsilon",
    "eps_high": "epsilon_high",
}  # words of a setting, as the trainer says them
_EPS = Fraction(1, 10**4)
_LOSSES = ("grpo", "dapo", "bnpo", "dr_grpo", "cispo", "sapo", "luspo", "vespo")
_MODES = ("token_truncate", "token_mask", "sequence_truncate", "sequence_mask")

TABLE = (
    Option("num_generations", "whole", 8),
    Option("beta", "number", 0.0),
    Option("loss_type", "word", "dapo", words=_LOSSES),
    Option("scale_rewards", "word", "group", words=("group", "batch", "none")),
    Option(
        "multi_objective_aggregation",
        "word",
        "sum_then_normalize",
        words=("sum_then_normalize", "normalize_then_sum"),
    ),
    Option("reward_weights", "numbers", None, optional=True),
    Option("importance_sampling_level", "word", "token", words=("token", "sequence")),
    Option("epsilon", "number", 0.2),
    Option("epsilon_high", "number", None, optional=True),
    Option("delta", "number", None, optional=True),
    Option("sapo_temperature_pos", "number", 1.0),
    Option("sapo_temperature_neg", "number", 1.05),
    Option("use_bias_correction_kl", "flag", False, defaults=(((1, 10), True),)),
    Option("max_completion_length", "whole", 256, optional=True, defaults=(((1, 10), 512),)),
    Option("num_iterations", "whole", 1),
    Option("steps_per_generation", "whole", None, optional=True),
    Option("generation_batch_size", "whole", None, optional=True),
    Option("gradient_accumulation_steps", "whole", 1),
    Option("per_device_train_batch_size", "whole", 8),
    Option("use_vllm", "flag", False),
    Option("vllm_importance_sampling_correction", "flag", True),
    Option("vllm_importance_sampling_mode", "word", "sequence_mask", words=_MODES),
    Option("vllm_importance_sampling_clip_max", "number", 3.0, optional=True, since=(1, 6)),
    Option("vllm_importance_sampling_clip_min", "number", None, optional=True, since=(1, 6)),
    Option("vllm_importance_sampling_cap", "number", 3.0, optional=True, defaults=(((1, 6), None),)),
    Option("off_policy_mask_threshold", "number", None, optional=True),
    Option("top_entropy_quantile", "number", 1.0),
    Option("entropy_coef", "number", 0.0, since=(1, 8)),
    Option("use_adaptive_entropy", "flag", False, since=(1, 8)),
    Option("mask_truncated_completions", "flag", False),
    Option("sync_ref_model", "flag", False),
    Option("temperature", "number", 1.0),
    Option("top_p", "number", 1.0),
    Option("top_k", "whole", 0, optional=True),
    Option("min_p", "number", None, optional=True),
    Option("repetition_penalty", "number", 1.0),
)

# Of GRPOConfig, transformers' TrainingArguments and the scripts: names that do not bear on the objective.
_OTHERS = """
accelerator_config activation_checkpointing activation_checkpointing_kwargs adam_beta1 adam_beta2 adam_epsilon
attn_implementation auto_find_batch_size average_tokens_across_devices batch_eval_metrics bf16 bf16_full_eval
bnb_4bit_quant_storage bnb_4bit_quant_type cache_implementation cast_lm_head_to_fp32 chat_template_kwargs
data_seed dataloader_drop_last dataloader_in_order dataloader_multiprocessing_context dataloader_num_workers
dataloader_persistent_workers dataloader_pin_memory dataloader_prefetch_factor dataset_config dataset_name
dataset_streaming dataset_test_split dataset_train_split datasets ddp_backend ddp_broadcast_buffers
ddp_bucket_cap_mb ddp_find_unused_parameters ddp_static_graph ddp_timeout debug deepspeed disable_dropout
disable_tqdm do_eval do_predict do_train ds3_gather_for_generation dtype enable_jit_checkpoint
entropy_coef_delta entropy_coef_max entropy_coef_min entropy_target env eval_accumulation_steps eval_delay
eval_do_concat_batches eval_on_start eval_steps eval_strategy eval_use_gather_object evaluation_strategy fp16
fp16_full_eval fsdp fsdp_config full_determinism generation_kwargs gradient_checkpointing
gradient_checkpointing_kwargs greater_is_better group_by_length half_precision_backend hub_always_push
hub_model_id hub_private_repo hub_revision hub_strategy hub_token ignore_bias_buffers ignore_data_skip
include_for_metrics include_num_input_tokens_seen include_tokens_per_second jit_mode_eval label_names
label_smoothing_factor learning_rate length_column_name liger_kernel_config load_best_model_at_end
load_in_4bit load_in_8bit local_rank log_completions log_completions_hub_repo log_level log_level_replica
log_multimodal log_on_each_node log_unique_prompts logging_dir logging_first_step logging_nan_inf_filter
logging_steps logging_strategy lora_alpha lora_dropout lora_modules_to_save lora_r lora_target_modules
lora_target_parameters lora_task_type lr_scheduler_kwargs lr_scheduler_type max_grad_norm max_prompt_length
max_steps max_tool_calling_iterations metric_for_best_model model_init_kwargs model_name_or_path
model_revision neftune_noise_alpha no_cuda num_completions_to_print num_generations_eval num_train_epochs
optim optim_args optim_target_modules output_dir overwrite_output_dir pad_to_multiple_of parallelism_config
past_index per_device_eval_batch_size prediction_loss_only project push_to_hub ray_scope ref_model_mixup_alpha
ref_model_sync_steps remove_unused_columns report_to restore_callback_states_from_checkpoint
resume_from_checkpoint reward_funcs reward_model_name_or_path router_aux_loss_coef run_name save_on_each_node
save_only_model save_safetensors save_steps save_strategy save_total_limit seed shuffle_dataset
skip_memory_metrics streaming test_split_size tf32 torch_compile torch_compile_backend torch_compile_mode
torch_dtype torch_empty_cache_steps torchdynamo tp_size trackio_bucket_id trackio_space_id
trackio_static_space_id train_sampling_strategy transformers_continuous_batching_config trust_remote_code
use_bnb_nested_quant use_cache use_cpu use_dora use_ipex use_liger_kernel use_liger_loss use_mps_device
use_peft use_rslora use_transformers_continuous_batching use_transformers_paged vespo_k_neg vespo_k_pos
vespo_lambda_neg vespo_lambda_pos vllm_enable_sleep_mode vllm_gpu_memory_utilization vllm_group_port
vllm_max_model_length vllm_mode vllm_model_impl vllm_server_base_url vllm_server_host vllm_server_port
vllm_server_timeout vllm_structured_outputs_regex vllm_tensor_parallel_size wandb_entity wandb_project
wandb_run_group warmup_ratio warmup_steps weight_decay
"""

_ELSEWHERE = {  # what people call a loss_type, and how TRL spells it
    "gspo": "GSPO is importance_sampling_level=sequence with loss_type=grpo",
    "rloo": "RLOO is another trainer of TRL, RLOOTrainer",
    "gdpo": "GDPO is multi_objective_aggregation=normalize_then_sum",
    "drgrpo": "Dr. GRPO is loss_type=dr_grpo with scale_rewards=none",
    "gmpo": "TRL has no geometric mean of ratios",
}


def read(version: Version, given: Mapping[str, Json], strict: tuple[str, ...] = ()) -> Reading:
    """The setting of a ``GRPOConfig`` with these options, by TRL's own names.

    Raises :class:`BadInput` for options that this version does not have, values of the wrong type and combinations that
    exclude one another.
    """
    asked = given.get("loss_type")
    if isinstance(asked, str) and asked.lower() in _ELSEWHERE:
        raise BadInput(f"TRL has no loss_type {asked!r}: {_ELSEWHERE[asked.lower()]}")
    options = Options("TRL", version, TABLE, _OTHERS.split(), _with_words(given), strict)
    loss = options.word("loss_type")
    if loss == "vespo":
        raise BadInput("loss_type vespo is not modelled: its weight is no clip, cap or gate of the ratio")
    setting = st.Setting(
        advantages=_advantages(options),
        group_size=options.whole("num_generations"),
        penalty=_penalty(options),
        ratio=st.Ratio.ROOT if options.word("importance_sampling_level") == "sequence" else st.Ratio.TOKEN,
        clip=_clip(options, loss),
        aggregation=_aggregation(options, loss),
        sampler_weight=_sampler_weight(options),
        updates=_updates(options),
    )
    _check_luspo(options, loss, setting)
    notes = [*options.notes(), *_ignored(options, loss), *_traps(options, loss)]
    return Reading("TRL", ".".join(map(str, version)), setting, tuple(notes), tuple(_outside(options)))


def _with_words(given: Mapping[str, Json]) -> dict[str, Json]:
    """``scale_rewards`` may be true or false too."""
    scale = given.get("scale_rewards")
    if isinstance(scale, bool):
        return {**given, "scale_rewards": "group" if scale else "none"}
    return dict(given)


def _advantages(options: Options) -> st.Advantages:
    weights = options.numbers("reward_weights")
    scale = st.Scale(sample=True, eps=_EPS)
    if options.word("multi_objective_aggregation") == "normalize_then_sum":
        whitening = st.Whitening(st.Elements.TEXTS, sample=True, eps=_EPS, guard=st.Guard.OUTSIDE)
        return st.Advantages(scale=scale, whitening=whitening, rewards=st.Rewards.EACH_FIRST, reward_weights=weights)
    of = {"group": scale, "batch": st.Scale(st.Population.BATCH, sample=True, eps=_EPS), "none": None}
    return st.Advantages(scale=of[options.word("scale_rewards")], reward_weights=weights)


def _penalty(options: Options) -> st.Penalty | None:
    beta = options.number("beta")
    if beta == 0:
        return None
    weighted = options.flag("use_bias_correction_kl")
    return st.Penalty(beta, weight=st.PenaltyWeight.RATIO if weighted else st.PenaltyWeight.NONE)


def _clip(options: Options, loss: str) -> st.Clip:
    low, high = options.number("epsilon"), options.maybe_number("epsilon_high")
    if loss == "cispo":
        return st.CappedWeight(low if high is None else high)
    if loss == "sapo":
        return st.SoftGate(options.number("sapo_temperature_pos"), options.number("sapo_temperature_neg"))
    return st.RatioClip(low, low if high is None else high, delta=options.maybe_number("delta"))


def _aggregation(options: Options, loss: str) -> st.Aggregation:
    if loss in ("grpo", "sapo"):
        return st.Aggregation(st.Over.TEXT_MEAN)
    if loss == "luspo":
        return st.Aggregation(st.Over.TEXT_SUM)
    if loss == "dr_grpo":
        length = options.maybe_whole("max_completion_length")
        if length is None:
            raise BadInput("loss_type dr_grpo divides by max_completion_length, which is null: give a whole number")
        return st.Aggregation(st.Over.CONSTANT, length=length)
    return st.Aggregation(st.Over.BATCH_TOKENS, micro_batch=loss == "bnpo")


def _sampler_weight(options: Options) -> st.SamplerWeight | None:
    if not (options.flag("use_vllm") and options.flag("vllm_importance_sampling_correction")):
        return None
    level, _, mode = options.word("vllm_importance_sampling_mode").partition("_")
    upper, lower = options.maybe_number("vllm_importance_sampling_cap"), None
    if options.version >= (1, 6):
        upper = upper if upper is not None else options.maybe_number("vllm_importance_sampling_clip_max")
        lower = options.maybe_number("vllm_importance_sampling_clip_min")
    if lower is not None and lower == upper:
        raise BadInput(f"vllm_importance_sampling_clip_min and _max are both {lower}: the lower must be less")
    if mode == "truncate" and lower is None and upper is None:
        raise BadInput("a *_truncate mode of vllm_importance_sampling_mode needs clip_min or clip_max")
    return st.SamplerWeight(
        st.WeightLevel.TOKEN if level == "token" else st.WeightLevel.TEXT,
        st.WeightMode.TRUNCATE if mode == "truncate" else st.WeightMode.MASK,
        upper=upper,
        lower=lower,
    )


def _updates(options: Options) -> int:
    """Optimiser steps on one generation batch, as for one process."""
    accumulated = options.whole("gradient_accumulation_steps")
    per_generation = options.maybe_whole("steps_per_generation")
    batch = options.maybe_whole("generation_batch_size")
    if per_generation is not None and batch is not None:
        raise BadInput("steps_per_generation and generation_batch_size say the same thing: give one of the two")
    if batch is not None:
        per_generation = max(batch // options.whole("per_device_train_batch_size"), 1)
    if per_generation is None:
        per_generation = accumulated
    for value, name in ((accumulated, "gradient_accumulation_steps"), (per_generation, "steps_per_generation")):
        if value < 1:
            raise BadInput(f"{name} is {value}: expected a whole number of at least 1")
    return -(-per_generation * options.whole("num_iterations") // accumulated)


def _check_luspo(options: Options, loss: str, setting: st.Setting) -> None:
    weighed = setting.sampler_weight is not None and setting.sampler_weight.level is st.WeightLevel.TOKEN
    by_token = setting.ratio is st.Ratio.TOKEN or setting.penalty is not None or weighed
    if loss == "luspo" and options.version < (1, 10) and by_token:
        raise BadInput(
            f"{options.trainer} averages luspo over padding too where a term differs between tokens: expected "
            "importance_sampling_level=sequence and beta=0, or TRL 1.10"
        )


def _ignored(options: Options, loss: str) -> list[Note]:
    notes = []
    if options.number("beta") == 0:
        notes += options.ignored("beta is 0, so there is no divergence", "use_bias_correction_kl", "sync_ref_model")
    vllm = [name for name in (o.name for o in TABLE) if name.startswith("vllm_importance")]
    if not options.flag("use_vllm"):
        notes += options.ignored("use_vllm is off", *vllm)
    elif not options.flag("vllm_importance_sampling_correction"):
        notes += options.ignored("vllm_importance_sampling_correction is off", *vllm[1:])
    if loss == "cispo":
        notes += options.ignored("cispo caps the weight from above, at epsilon_high", "delta")
        if options.maybe_number("epsilon_high") is not None:
            notes += options.ignored("cispo caps the weight from above, at epsilon_high", "epsilon")
    if loss == "sapo":
        notes += options.ignored("sapo has a gate in place of the clip", "epsilon", "epsilon_high", "delta")
    else:
        notes += options.ignored(f"the loss is {loss}", "sapo_temperature_pos", "sapo_temperature_neg")
    if options.word("multi_objective_aggregation") == "normalize_then_sum":
        notes += options.ignored("each reward is divided by its own deviation", "scale_rewards")
    return notes


def _traps(options: Options, loss: str) -> list[Note]:
    notes = []
    if "loss_type" in options.given and loss == "dapo":
        missing = "no group is dropped" + ("" if "epsilon_high" in options.given else " and both clip bounds are alike")
        notes.append(
            Note(f"loss_type dapo is the token mean of DAPO and nothing else of it: {missing}, unless you add it.")
        )
    if loss == "cispo" and options.maybe_number("epsilon_high") is None:
        cap = options.number("epsilon")
        effect = "; at ratio 1 that only scales the learning rate" if cap < 1 else ""
        told = f"epsilon_high is not set, so cispo caps every weight at epsilon = {cap}{effect}."
        notes.append(Note(told, ("tr-cispo",)))
    if options.word("importance_sampling_level") == "sequence" and loss in ("bnpo", "dr_grpo", "dapo", "cispo"):
        notes.append(
            Note(
                f"With importance_sampling_level sequence, {loss} counts the ratio of a text once for each of its "
                "tokens; GSPO as published is loss_type=grpo."
            )
        )
    steps, accumulated = options.maybe_whole("steps_per_generation"), options.whole("gradient_accumulation_steps")
    if options.version < (1, 10) and loss in ("dapo", "cispo") and steps not in (None, accumulated):
        notes.append(
            Note(
                f"Before TRL 1.10 the tokens counted are those of all {steps} steps_per_generation and not of one "
                f"optimiser step: the loss is {accumulated}/{steps} of the one shown."
            )
        )
    bends = {"top_p": 1.0, "top_k": 0, "min_p": None, "repetition_penalty": 1.0}
    cut = [name for name, off in bends.items() if options.maybe_number(name) not in (off, None)]
    return notes + bent_sampler(cut)


def _outside(options: Options) -> list[str]:
    found = []
    if options.flag("use_adaptive_entropy"):
        found.append("an entropy bonus whose coefficient adapts")
    elif options.number("entropy_coef") != 0:
        found.append(f"an entropy bonus of {options.number('entropy_coef')} times the mean entropy of a token")
    if options.number("top_entropy_quantile") < 1:
        share = options.number("top_entropy_quantile")
        found.append(f"only the {share} of tokens with most entropy have a policy term")
    if options.maybe_number("off_policy_mask_threshold") is not None:
        found.append("texts with A < 0 that have drifted beyond off_policy_mask_threshold are dropped")
    if options.flag("mask_truncated_completions"):
        found.append("truncated texts are masked out after their rewards have made the baseline")
    if options.flag("sync_ref_model") and options.number("beta") != 0:
        found.append("the reference policy follows π (sync_ref_model)")
    return found
