"""TRL's ``GRPOConfig`` as settings, versions 1.0 to 1.16, read off ``grpo_config.py`` and ``grpo_trainer.py``.

What changed between versions: 1.6 two bounds of the vLLM weights and rewards that are missing; 1.8 an entropy bonus;
1.10 ``use_bias_correction_kl`` on by default, ``luspo`` masked before it is averaged, and ``dapo`` counted over one
optimiser step when ``steps_per_generation`` differs from the accumulation.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction

from grpo_symbolic import setting as st
from grpo_symbolic.errors import BadInput
from grpo_symbolic.scalars import Json
from grpo_symbolic.trainers.options import BOTH, Aside, LeftOut, OfRun, Option, Options, Part, Trainer
from grpo_symbolic.trainers.releases import Version, releases_of

__all__ = [
    "ASIDES",
    "LEFT_OUT",
    "NAMES",
    "TABLE",
    "TRAINER",
    "aggregation",
    "clip",
    "per_generation",
    "record_shared",
    "setting_of",
    "with_words",
]


# The trainer's names for words of a setting.
NAMES = {
    "group_size": "num_generations",
    "eps_low": "epsilon",
    "eps_high": "epsilon_high",
}
OF_RUN = OfRun(longest="max_completion_length", rate="learning_rate")  # a step is counted in texts
_EPS = Fraction(1, 10**4)
_LOSSES = ("grpo", "dapo", "bnpo", "dr_grpo", "cispo", "sapo", "luspo", "vespo")
_GATES = ("sapo_temperature_pos", "sapo_temperature_neg")
_MODES = ("token_truncate", "token_mask", "sequence_truncate", "sequence_mask")

TABLE = (
    Option("num_generations", "whole"),
    Option("beta", "number"),
    Option("loss_type", "word", words=_LOSSES),
    Option("scale_rewards", "word", words=("group", "batch", "none")),
    Option("multi_objective_aggregation", "word", words=("sum_then_normalize", "normalize_then_sum")),
    Option("reward_weights", "numbers", optional=True),
    Option("importance_sampling_level", "word", words=("token", "sequence")),
    Option("epsilon", "number"),
    Option("epsilon_high", "number", optional=True),
    Option("delta", "number", optional=True),
    Option("sapo_temperature_pos", "number"),
    Option("sapo_temperature_neg", "number"),
    Option("use_bias_correction_kl", "flag"),
    Option("max_completion_length", "whole", optional=True),
    Option("num_iterations", "whole"),
    Option("steps_per_generation", "whole", optional=True),
    Option("generation_batch_size", "whole", optional=True),
    Option("gradient_accumulation_steps", "whole", default=1),
    Option("per_device_train_batch_size", "whole", default=8),
    Option("use_vllm", "flag"),
    Option("vllm_importance_sampling_correction", "flag"),
    Option("vllm_importance_sampling_mode", "word", words=_MODES),
    Option("vllm_importance_sampling_clip_max", "number", optional=True),
    Option("vllm_importance_sampling_clip_min", "number", optional=True),
    Option("vllm_importance_sampling_cap", "number", optional=True),
    Option("off_policy_mask_threshold", "number", optional=True),
    Option("top_entropy_quantile", "number"),
    Option("entropy_coef", "number"),
    Option("use_adaptive_entropy", "flag"),
    Option("mask_truncated_completions", "flag"),
    Option("sync_ref_model", "flag"),
    Option("temperature", "number"),
    Option("top_p", "number"),
    Option("top_k", "whole", optional=True),
    Option("min_p", "number", optional=True),
    Option("repetition_penalty", "number"),
)

LEFT_OUT = (
    LeftOut("entropy_coef", "an entropy bonus of {value} times the mean entropy of a token", BOTH),
    LeftOut("use_adaptive_entropy", "an entropy bonus whose coefficient adapts", BOTH),
    LeftOut("entropy_coef_* entropy_target", "how that coefficient adapts", BOTH, under="use_adaptive_entropy"),
    LeftOut("top_entropy_quantile", "only the {value} of tokens with most entropy have a policy term", BOTH, (1,)),
    LeftOut("off_policy_mask_threshold", "texts with A < 0 that have drifted beyond {value} are dropped", BOTH),
    LeftOut(
        "mask_truncated_completions",
        "truncated texts are masked out after their rewards have made the baseline",
        (Part.END,),
    ),
    LeftOut("sync_ref_model", "the reference policy follows π", (Part.END,)),
    LeftOut("ref_model_*", "how the reference follows π", (Part.END,), under="sync_ref_model"),
    LeftOut.temperature("temperature"),
    LeftOut.cut("top_p", 1, None),
    LeftOut.cut("top_k", 0, -1, None),
    LeftOut.cut("min_p", None, 0),
    LeftOut.cut("repetition_penalty", 1),
    LeftOut("generation_kwargs", "handed to the sampler: {value}", (Part.END,)),
    LeftOut(
        "vllm_structured_outputs_regex", "the sampler draws only what matches it, and π does not know it", (Part.END,)
    ),
    LeftOut("router_aux_loss_coef", "a loss of the router, where the model has experts", ()),
    LeftOut("neftune_noise_alpha", "noise in the embeddings", BOTH),
    LeftOut("use_liger_kernel use_liger_loss", "Liger's own code of the loss, with which none was compared", ()),
    LeftOut.optimiser(
        "learning_rate lr_scheduler_* warmup_* optim optim_* adam_* weight_decay max_grad_norm max_steps "
        "num_train_epochs"
    ),
)
ASIDES = (
    Aside(
        "how the trainer evaluates",
        "*eval* do_predict prediction_loss_only metric_for_best_model greater_is_better load_best_model_at_end "
        "include_for_metrics",
    ),
    Aside(
        "what is logged, and where",
        "log_* logging_* report_to run_name disable_tqdm trackio_* wandb_* project hub_* push_to_hub include_* "
        "label_names num_completions_to_print skip_memory_metrics past_index",
    ),
    Aside(
        "what is saved and resumed",
        "save_* output_dir overwrite_output_dir resume_from_checkpoint restore_callback_states_from_checkpoint "
        "enable_jit_checkpoint ignore_data_skip",
    ),
    Aside("which random numbers are drawn", "seed data_seed full_determinism"),
    Aside(
        "which prompts come, and in which order",
        "dataset* dataloader_* data_dir data_files path name split fraction columns streaming shuffle_dataset "
        "test_split_size group_by_length length_column_name train_sampling_strategy remove_unused_columns "
        "max_prompt_length ignore_bias_buffers env",
    ),
    Aside("what rewards a text: pass rates are measured with it", "reward_funcs reward_model_name_or_path"),
    Aside(
        "how a text is asked for and made",
        "chat_template_kwargs max_tool_calling_iterations cache_implementation use_cache",
    ),
    Aside(
        "which parameters there are and move: the theory is about probabilities",
        "model_* use_peft lora_* use_rslora use_dora trust_remote_code cast_lm_head_to_fp32 attn_implementation "
        "disable_dropout load_in_* bnb_* use_bnb_nested_quant",
    ),
    Aside(
        "the engine that samples", "vllm_* use_transformers_* transformers_continuous_batching_config ds3_* *_mode_eval"
    ),
    Aside(
        "memory, speed and precision",
        "accelerator_config activation_* auto_find_batch_size average_tokens_across_devices bf16* fp16* tf32 "
        "dtype torch_dtype ddp_* debug deepspeed fsdp* gradient_checkpointing* half_precision_backend jit_mode_eval "
        "liger_kernel_config local_rank no_cuda pad_to_multiple_of parallelism_config ray_scope torch* tp_size use_cpu "
        "use_ipex use_mps_device do_train",
    ),
    Aside("of losses that predict labels", "label_smoothing_factor"),
    Aside("only vespo has it, which is refused", "vespo_*"),
)

_ELSEWHERE = {  # what people call a loss_type, and how TRL spells it
    "gspo": "GSPO is importance_sampling_level=sequence with loss_type=grpo",
    "rloo": "RLOO is another trainer of TRL, RLOOTrainer",
    "gdpo": "GDPO is multi_objective_aggregation=normalize_then_sum",
    "drgrpo": "Dr. GRPO is loss_type=dr_grpo with scale_rewards=none",
    "gmpo": "TRL has no geometric mean of ratios",
}


def _options(trainer: Trainer, version: Version, given: Mapping[str, Json], strict: Iterable[str]) -> Options:
    asked = given.get("loss_type")
    if isinstance(asked, str) and asked.lower() in _ELSEWHERE:
        raise BadInput(f"TRL has no loss_type {asked!r}: {_ELSEWHERE[asked.lower()]}")
    return Options(trainer, version, with_words(given), strict)


def setting_of(options: Options) -> st.Setting:
    """The setting of these options of a ``GRPOConfig``; what has no effect and what may surprise is recorded.

    Raises :class:`BadInput` for combinations that exclude one another or are not described.
    """
    loss = options.word("loss_type")
    if loss == "vespo":
        raise BadInput("loss_type vespo is not modelled: its weight is no clip, cap or gate of the ratio")
    setting = st.Setting(
        advantages=_advantages(options),
        group_size=options.whole("num_generations"),
        penalty=_penalty(options),
        ratio=st.Ratio.ROOT if options.word("importance_sampling_level") == "sequence" else st.Ratio.TOKEN,
        clip=clip(options, loss),
        aggregation=aggregation(options, loss),
        sampler_weight=_sampler_weight(options),
        updates=_updates(options),
    )
    _check_luspo(options, loss, setting)
    record_shared(options, loss)
    _ignore(options)
    _note(options, loss)
    return setting


def with_words(given: Mapping[str, Json]) -> dict[str, Json]:
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


def clip(options: Options, loss: str, gates: tuple[str, str] = _GATES) -> st.Clip:
    """The clip of a loss; ``gates`` are the options with the temperatures of sapo."""
    low, high = options.number("epsilon"), options.maybe_number("epsilon_high")
    if loss == "cispo":
        return st.CappedWeight(low if high is None else high)
    if loss == "sapo":
        return st.SoftGate(*map(options.number, gates))
    return st.RatioClip(low, low if high is None else high, delta=options.maybe_number("delta"))


def aggregation(options: Options, loss: str) -> st.Aggregation:
    """Over what a loss is averaged."""
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
    accumulated = options.count("gradient_accumulation_steps")
    both = ("steps_per_generation", "generation_batch_size")
    if all(options.maybe_whole(name) is not None for name in both):
        raise BadInput("steps_per_generation and generation_batch_size say the same thing: give one of the two")
    return -(-per_generation(options, accumulated) * options.whole("num_iterations") // accumulated)


def per_generation(options: Options, accumulated: int) -> int:
    """Micro-batches that one generation fills, as for one process; those of one optimiser step by default."""
    if options.maybe_whole("steps_per_generation") is not None:
        return options.count("steps_per_generation")
    batch = options.maybe_whole("generation_batch_size")
    if batch is not None:
        return max(batch // options.count("per_device_train_batch_size"), 1)
    return accumulated


def _check_luspo(options: Options, loss: str, setting: st.Setting) -> None:
    weighed = setting.sampler_weight is not None and setting.sampler_weight.level is st.WeightLevel.TOKEN
    by_token = setting.ratio is st.Ratio.TOKEN or setting.penalty is not None or weighed
    if loss == "luspo" and options.version < (1, 10) and by_token:
        raise BadInput(
            f"{options.trainer} averages luspo over padding too where a term differs between tokens: expected "
            "importance_sampling_level=sequence and beta=0, or TRL 1.10"
        )


def record_shared(options: Options, loss: str, gates: tuple[str, str] = _GATES) -> None:
    """Record what has no effect beside a loss, and that several rewards are not modelled."""
    rewards = options.raw("reward_funcs")
    if isinstance(rewards, Sequence) and not isinstance(rewards, str) and len(rewards) > 1:
        options.leave_out("reward_funcs", f"{len(rewards)} rewards are added, and a pass rate is of one", Part.END)
    if loss == "cispo":
        options.ignored("cispo caps the weight from above, at epsilon_high", "delta")
        if options.maybe_number("epsilon_high") is not None:
            options.ignored("cispo caps the weight from above, at epsilon_high", "epsilon")
    if loss == "sapo":
        options.ignored("sapo has a gate in place of the clip", "epsilon", "epsilon_high", "delta")
    else:
        options.ignored(f"the loss is {loss}", *gates)


def _ignore(options: Options) -> None:
    if options.number("beta") == 0:
        options.ignored("beta is 0, so there is no divergence", "use_bias_correction_kl", "sync_ref_model")
    vllm = [option.name for option in TABLE if option.name.startswith("vllm_importance")]
    if not options.flag("use_vllm"):
        options.ignored("use_vllm is off", *vllm)
    elif not options.flag("vllm_importance_sampling_correction"):
        options.ignored("vllm_importance_sampling_correction is off", *vllm[1:])
    if options.word("multi_objective_aggregation") == "normalize_then_sum":
        options.ignored("each reward is divided by its own deviation", "scale_rewards")


def _note(options: Options, loss: str) -> None:
    if options.is_given("loss_type") and loss == "dapo":
        bounds = "" if options.maybe_number("epsilon_high") is not None else " and both clip bounds are alike"
        options.note(
            "loss_type dapo is the token mean of DAPO and nothing else of it: no group is dropped"
            f"{bounds}, unless you add it."
        )
    if loss == "cispo" and options.maybe_number("epsilon_high") is None:
        cap = options.number("epsilon")
        effect = "; at ratio 1 that only scales the learning rate" if cap < 1 else ""
        options.note(f"epsilon_high is not set, so cispo caps every weight at epsilon = {cap}{effect}.", "tr-cispo")
    if options.word("importance_sampling_level") == "sequence" and loss in ("bnpo", "dr_grpo", "dapo", "cispo"):
        options.note(
            f"With importance_sampling_level sequence, {loss} counts the ratio of a text once for each of its "
            "tokens; GSPO as published is loss_type=grpo."
        )
    steps, accumulated = options.maybe_whole("steps_per_generation"), options.whole("gradient_accumulation_steps")
    if options.version < (1, 10) and loss in ("dapo", "cispo") and steps not in (None, accumulated):
        options.note(
            f"Before TRL 1.10 the tokens counted are those of all {steps} steps_per_generation and not of one "
            f"optimiser step: the loss is {accumulated}/{steps} of the one shown."
        )
    options.note_cut()


TRAINER = Trainer(
    releases_of("trl", "TRL"),
    TABLE,
    ASIDES,
    LEFT_OUT,
    setting_of,
    NAMES,
    OF_RUN,
    classes=("*.GRPOConfig",),
    options_of=_options,
)
