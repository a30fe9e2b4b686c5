"""ms-swift's ``swift rlhf --rlhf_type grpo`` as settings, versions 4.0 to 4.6, read off ``rlhf_args.py``,
``args_mixin.py``, ``rl_core/advantage.py`` and ``grpo_trainer.py``.

ms-swift inherits the configuration of TRL and computes advantages and loss itself. What changed between versions: 4.1
the loss ``real``, 4.2 ``fipo``; 4.4 a teacher's term in the advantages; before 4.6 ``dapo`` and ``cispo`` are divided
by the gradient accumulation although their tokens are counted over all of it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction

from grpo_symbolic import setting as st
from grpo_symbolic.errors import BadInput
from grpo_symbolic.scalars import Json
from grpo_symbolic.trainers import trl
from grpo_symbolic.trainers.options import BOTH, Aside, LeftOut, Option, Options, Part, Trainer
from grpo_symbolic.trainers.releases import Version, releases_of

__all__ = ["TRAINER"]

_EPS = Fraction(1, 10**4)
_GDPO_EPS = Fraction(1, 10**8)
_LOSSES = ("grpo", "bnpo", "dr_grpo", "dapo", "cispo", "sapo", "real", "fipo")
_MODES = ("token_truncate", "token_mask", "sequence_truncate", "sequence_mask")
_GATES = ("tau_pos", "tau_neg")
_IS = "rollout_importance_sampling_"

TABLE = (
    Option("rlhf_type", "word", words=("dpo", "orpo", "simpo", "kto", "cpo", "rm", "ppo", "grpo", "gkd")),
    Option("num_generations", "whole"),
    Option("beta", "number", optional=True),
    Option("loss_type", "word", optional=True, words=_LOSSES),
    Option("advantage_estimator", "word", words=("grpo", "rloo", "reinforce_plus_plus")),
    Option("scale_rewards", "word", optional=True, words=("group", "batch", "none", "gdpo")),
    Option("kl_in_reward", "flag", optional=True),
    Option("reward_weights", "numbers", optional=True),
    Option("importance_sampling_level", "word", words=("token", "sequence", "sequence_token")),
    Option("epsilon", "number"),
    Option("epsilon_high", "number", optional=True),
    Option("delta", "number", optional=True),
    Option("tau_pos", "number"),
    Option("tau_neg", "number"),
    Option("max_completion_length", "whole"),
    Option("num_iterations", "whole"),
    Option("steps_per_generation", "whole", optional=True),
    Option("generation_batch_size", "whole", optional=True),
    Option("gradient_accumulation_steps", "whole", optional=True),
    Option("per_device_train_batch_size", "whole"),
    Option("use_vllm", "flag"),
    Option(_IS + "mode", "word", optional=True, words=_MODES),
    Option(_IS + "threshold", "number"),
    Option("dynamic_sample", "flag"),
    Option("off_policy_sequence_mask_delta", "number", optional=True),
    Option("top_entropy_quantile", "number"),
    Option("overlong_filter", "flag"),
    Option("sync_ref_model", "flag"),
    Option("temperature", "number"),
    Option("top_p", "number"),
    Option("top_k", "whole"),
    Option("min_p", "number"),
    Option("repetition_penalty", "number"),
)

LEFT_OUT = (
    LeftOut("top_entropy_quantile", "only the {value} of tokens with most entropy have a policy term", BOTH, (1,)),
    LeftOut("off_policy_sequence_mask_delta", "texts with A < 0 that have drifted beyond {value} are dropped", BOTH),
    LeftOut("teacher_model teacher_model_server", "a teacher's log-probabilities are added to the advantages", BOTH),
    LeftOut("teacher_kl_coef", "how much the teacher counts", BOTH, under="teacher_model"),
    LeftOut("advantage_reweight", "a teacher weighs the advantages of tokens ({value})", BOTH),
    LeftOut("rlsd_*", "how the teacher weighs", BOTH, under="advantage_reweight"),
    LeftOut("sdar_loss_coef", "{value} times a loss of distillation is added", BOTH),
    LeftOut("sdar_gate_beta", "how it is distilled", BOTH, under="sdar_loss_coef"),
    LeftOut("chord_sft_dataset", "a loss on given texts is added", BOTH),
    LeftOut("chord_*", "how much that loss counts", BOTH, under="chord_sft_dataset"),
    LeftOut("loss_scale", "tokens are weighed or left out by rounds ({value})", BOTH, (None, "last_round", "default")),
    LeftOut("neftune_noise_alpha", "noise in the embeddings", BOTH),
    LeftOut(
        "overlong_filter", "truncated texts are masked out after their rewards have made the baseline", (Part.END,)
    ),
    LeftOut("sync_ref_model", "the reference policy follows π", (Part.END,)),
    LeftOut("ref_model_sync_steps ref_model_mixup_alpha", "how it follows", (Part.END,), under="sync_ref_model"),
    LeftOut("multi_turn_scheduler", "texts of several turns, of which others wrote a part", (Part.END,)),
    LeftOut("async_generate", "samples come from the policy before the last step", (Part.END, Part.PACE)),
    LeftOut.temperature("temperature"),
    LeftOut.cut("top_p", 1),
    LeftOut.cut("top_k", 0, -1),
    LeftOut.cut("min_p", None, 0),
    LeftOut.cut("repetition_penalty", 1),
    LeftOut("structured_outputs_regex", "the sampler draws only what matches it, and π does not know it", (Part.END,)),
    LeftOut("router_aux_loss_coef", "a loss of the router, where the model has experts", ()),
    LeftOut("use_liger_kernel", "Liger's own code of the loss, with which none was compared", ()),
    LeftOut.optimiser(
        "learning_rate vit_lr aligner_lr lorap_lr_ratio lr_* warmup_* optim optim_* optimizer adam_* weight_decay "
        "max_grad_norm max_steps num_train_epochs max_epochs use_galore lisa_activated_layers",
        0,
    ),
)
ASIDES = (
    Aside(
        "of other methods than GRPO",
        "label_smoothing rpo_alpha ld_alpha discopop_tau loss_weights cpo_alpha simpo_gamma *desirable_weight "
        "center_rewards_coefficient sft_alpha lmbda seq_kd gkd_logits_topk num_ppo_epochs whiten_rewards kl_coef "
        "cliprange* vf_coef gamma lam num_mini_batches local_rollout_forward_batch_size num_sample_generations "
        "response_length missing_eos_penalty enable_dft_loss enable_channel_loss is_binary_loss_scale mrl_dims",
    ),
    Aside("only losses that are refused have it", "real_tau fipo_*"),
    Aside("how many batches are drawn to fill one", "max_resample_times"),
    Aside("of a teacher, which teacher_model or teacher_model_server names", "teacher_* offload_teacher_model"),
    Aside(
        "what rewards a text: pass rates are measured with it",
        "reward_* cosine_* repetition_* soft_* use_gym_env gym_env",
    ),
    Aside(
        "how a text is asked for and made",
        "max_turns completion_length_limit_scope stop_words max_new_tokens max_length truncation_strategy template* "
        "system agent_template response_prefix *thinking add_non_thinking_prefix disable_ignore_empty_think "
        "use_chat_template norm_bbox max_pixels padding_side stream logprobs top_logprobs num_beams generation_* "
        "predict_with_generate sortish_sampler decision_*",
    ),
    Aside(
        "which prompts come, and in which order",
        "val_dataset* cached_* split_dataset_ratio stopping_strategy interleave_prob shuffle_buffer_size download_mode "
        "load_from_cache_file lazy_tokenize packing* strict *auto_column_mapping custom_* train_dataloader_shuffle "
        "external_plugins load_data_args",
    ),
    Aside(
        "which parameters there are and move: the theory is about probabilities",
        "model model_* ref_* adapters adapter_* adalora_* boft_* fourier_* galore_* hqq_* init_* lisa_* llamapro_* "
        "reft_* vera_* tuner_* train_type freeze_* trainable_parameters* target_* modules_to_save quant_* "
        "rope_scaling task_type num_labels problem_type new_special_tokens local_repo_path use_hf use_swift_lora "
        "experts_impl attn_impl",
    ),
    Aside(
        "the engine that samples",
        "enable_flattened_weight_sync sleep_level move_model_batches offload_* max_model_len",
    ),
    Aside(
        "how the trainer logs and saves",
        "swanlab_* add_version create_checkpoint_symlink callbacks resume_only_model safe_serialization max_shard_size "
        "use_flash_ckpt early_stop_interval",
    ),
    Aside(
        "memory, speed and precision",
        "*_gradient_checkpointing padding_free sequence_parallel_size use_logits_to_keep device_map max_memory "
        "deepspeed_* zero_hpz_partition_size acc_strategy check_model enable_npu_model_patch",
    ),
    Aside("where and how it runs", "load_args ignore_args_error"),
    *trl.ASIDES,
)
_REFUSED = {
    "real": "it compares the texts of a group by their log ratios, and is no sum of terms of tokens",
    "fipo": "it weighs a token by the log ratios of those that follow",
}
_SHAPED = ("soft_overlong", "cosine", "repetition")


def _setting_of(options: Options) -> st.Setting:
    options.assume("rlhf_type", "grpo", "ms-swift's own default is dpo")
    kind = options.word("rlhf_type")
    if kind != "grpo":
        raise BadInput(f"rlhf_type {kind} is another method: only grpo is described here")
    loss = options.maybe_word("loss_type") or "grpo"
    if loss in _REFUSED:
        raise BadInput(f"loss_type {loss} is not modelled: {_REFUSED[loss]}")
    scale = options.maybe_word("scale_rewards") or _SCALES[options.word("advantage_estimator")]
    penalty = _penalty(options, scale)
    accumulated = _accumulated(options)
    setting = st.Setting(
        advantages=_advantages(options, scale),
        group_size=options.whole("num_generations"),
        penalty=penalty,
        ratio=_ratio(options, loss),
        clip=trl.clip(options, loss, _GATES),
        aggregation=trl.aggregation(options, loss),
        sampler_weight=_sampler_weight(options, penalty),
        dynamic_sampling=options.flag("dynamic_sample"),
        updates=-(-trl.per_generation(options, accumulated) * options.whole("num_iterations") // accumulated),
    )
    _ignore(options, loss, scale, penalty)
    _note(options, loss)
    return setting


def _options(trainer: Trainer, version: Version, given: Mapping[str, Json], strict: Iterable[str]) -> Options:
    """A loss may be a list of one, and weights may be one number."""
    if not {"megatron rlhf", "micro_batch_size", "global_batch_size"}.isdisjoint(given):
        raise BadInput("these are options of `megatron rlhf`, another trainer of ms-swift: it is not described here")
    chosen = dict(given)
    loss = given.get("loss_type")
    if isinstance(loss, Sequence) and not isinstance(loss, str) and len(loss) == 1:
        chosen["loss_type"] = loss[0]
    weights = given.get("reward_weights")
    if isinstance(weights, int | float):
        chosen["reward_weights"] = [weights]
    return Options(trainer, version, chosen, strict)


_SCALES = {"grpo": "group", "rloo": "none", "reinforce_plus_plus": "batch"}  # where scale_rewards is left out


def _advantages(options: Options, scale: str) -> st.Advantages:
    estimator, weights = options.word("advantage_estimator"), options.numbers("reward_weights")
    of_group = st.Scale(sample=True, eps=_EPS)
    if estimator == "reinforce_plus_plus":
        # The deviation is that of the advantages, whose mean over the batch is 0.
        white = st.Whitening(st.Elements.TEXTS, sample=True, eps=_EPS, guard=st.Guard.OUTSIDE)
        return st.Advantages(
            scale=of_group if scale == "group" else None,
            whitening=white if scale == "batch" else None,
            reward_weights=weights,
        )
    if scale == "gdpo":
        return st.Advantages(
            scale=st.Scale(sample=True, eps=_GDPO_EPS),
            whitening=st.Whitening(st.Elements.TEXTS, sample=True, eps=_GDPO_EPS, guard=st.Guard.OUTSIDE),
            rewards=st.Rewards.EACH_FIRST,
            reward_weights=weights,
        )
    of = {"group": of_group, "batch": st.Scale(st.Population.BATCH, sample=True, eps=_EPS), "none": None}
    baseline = st.Baseline.LEAVE_ONE_OUT if estimator == "rloo" else st.Baseline.GROUP_MEAN
    return st.Advantages(baseline=baseline, scale=of[scale], reward_weights=weights)


def _in_reward(options: Options, scale: str) -> bool:
    if scale == "gdpo":
        return False
    if options.is_given("kl_in_reward"):
        return options.flag("kl_in_reward")
    return options.word("advantage_estimator") != "grpo"


def _penalty(options: Options, scale: str) -> st.Penalty | None:
    beta = options.maybe_number("beta")
    if beta is None:
        beta = 0.04  # ms-swift's own
    if beta == 0:
        return None
    if _in_reward(options, scale):
        return st.Penalty(beta, st.Estimator.K1, place=st.Place.REWARD)
    return st.Penalty(beta, bounds=(-10, 10), log_bounds=(-20, 20))


def _ratio(options: Options, loss: str) -> st.Ratio:
    level = options.word("importance_sampling_level")
    if level == "sequence_token":  # a capped weight has no gradient, and the same value
        return st.Ratio.ROOT if loss == "cispo" else st.Ratio.ROOT_TOKEN
    return st.Ratio.ROOT if level == "sequence" else st.Ratio.TOKEN


def _sampler_weight(options: Options, penalty: st.Penalty | None) -> st.SamplerWeight | None:
    mode = options.maybe_word(_IS + "mode")
    if mode is None or not options.flag("use_vllm"):
        return None
    if penalty is not None and penalty.place is st.Place.LOSS:
        raise BadInput(
            f"{_IS}mode weighs the divergence in the loss too: that is not modelled; expected beta=0 or kl_in_reward"
        )
    if mode == "sequence_truncate":
        raise BadInput(f"{_IS}mode sequence_truncate bounds the geometric mean of a text's weights: not modelled")
    return st.SamplerWeight(
        mode=st.WeightMode.TRUNCATE if mode == "token_truncate" else st.WeightMode.MASK,
        upper=options.number(_IS + "threshold"),
        by_text_mean=mode == "sequence_mask",
    )


def _accumulated(options: Options) -> int:
    return max(options.maybe_whole("gradient_accumulation_steps") or 1, 1)


def _ignore(options: Options, loss: str, scale: str, penalty: st.Penalty | None) -> None:
    trl.record_shared(options, loss, _GATES)
    rewards = options.raw("reward_funcs")
    if rewards in _SHAPED:
        options.leave_out("reward_funcs", f"{rewards} rewards texts by their length or by repetition", Part.END)
    if penalty is None:
        options.ignored("beta is 0, so there is no divergence", "kl_in_reward", "sync_ref_model")
    elif scale == "gdpo":
        options.ignored("gdpo takes rewards that know no divergence", "kl_in_reward")
    if not options.flag("use_vllm"):
        options.ignored("use_vllm is off", _IS + "mode", _IS + "threshold")
    elif options.maybe_word(_IS + "mode") is None:
        options.ignored(f"{_IS}mode is not set", _IS + "threshold")
    if loss != "dr_grpo":
        options.ignored(f"{loss} divides by no constant length", "max_completion_length")


def _note(options: Options, loss: str) -> None:
    if loss == "cispo" and options.maybe_number("epsilon_high") is None:
        cap = options.number("epsilon")
        options.note(f"epsilon_high is not set, so cispo caps every weight at epsilon = {cap}.", "tr-cispo")
    accumulated = _accumulated(options)
    steps = trl.per_generation(options, accumulated)
    twice = options.version < (4, 6)
    part = 1 if twice else accumulated
    if loss in ("dapo", "cispo") and part != steps:
        why = "and the sum is divided by the accumulation as well" if twice else "and not of one optimiser step"
        options.note(
            f"The tokens that {loss} counts are those of all {steps} steps_per_generation, {why}: "
            f"the loss is {part}/{steps} of the one shown."
        )
    options.note_cut()


TRAINER = Trainer(
    releases_of("ms-swift", "ms-swift"),
    TABLE,
    ASIDES,
    LEFT_OUT,
    _setting_of,
    trl.NAMES,
    trl.OF_RUN,
    classes=("swift.*GRPOConfig", "swift.*RLHFArguments"),
    mark="rlhf_type",
    options_of=_options,
)
