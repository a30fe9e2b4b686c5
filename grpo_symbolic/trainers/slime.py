"""slime's arguments as settings, versions 0.1 to 0.3, read off ``ppo_utils.py``, Megatron's ``loss.py`` and
``ray/rollout.py``. Names are those under which the arguments are stored, such as ``eps_clip_high``.

What changed between versions: 0.2 ``calculate_per_token_loss``, ``use_rollout_logprobs`` and the name k1; 0.2.1
``use_unbiased_kl``; 0.3.1 ``cispo``. Not modelled: with ``calculate_per_token_loss`` a text that is masked out counts
as one token.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction

from grpo_symbolic import setting as st
from grpo_symbolic.errors import BadInput
from grpo_symbolic.scalars import Json
from grpo_symbolic.trainers.options import BOTH, Aside, LeftOut, OfRun, Option, Options, Part, Trainer
from grpo_symbolic.trainers.releases import Version, releases_of
from grpo_symbolic.trainers.verl import ESTIMATORS

__all__ = ["TRAINER"]

# The trainer's names for words of a setting.
NAMES = {
    "group_size": "n_samples_per_prompt",
    "eps_low": "eps_clip",
    "eps_high": "eps_clip_high",
}
_GROUPED = ("grpo", "gspo", "cispo")
_WHITENED = ("reinforce_plus_plus", "reinforce_plus_plus_baseline")
_ESTIMATORS = (*_GROUPED, *_WHITENED, "ppo", "on_policy_distillation")
_NONZERO = "slime.rollout.filter_hub.dynamic_sampling_filters.check_reward_nonzero_std"
_ICEPOP = "slime.backends.megatron_utils.loss.icepop_function"
_OWN = {  # functions of the user's own in the place of slime's
    "custom_loss_function_path": "the loss",
    "custom_advantage_function_path": "the advantages",
    "custom_pg_loss_reducer_function_path": "the sum over the tokens",
    "custom_reward_post_process_path": "the baseline and the deviation",
    "custom_convert_samples_to_train_data_path": "what a batch consists of",
}

TABLE = (
    Option("advantage_estimator", "word", words=_ESTIMATORS),
    Option("loss_type", "word", words=("policy_loss", "sft_loss", "custom_loss")),
    Option("n_samples_per_prompt", "whole"),
    Option("rollout_batch_size", "whole", optional=True),
    Option("global_batch_size", "whole", optional=True),
    Option("num_steps_per_rollout", "whole", optional=True),
    Option("rewards_normalization", "flag"),
    Option("grpo_std_normalization", "flag"),
    Option("normalize_advantages", "flag"),
    Option("compute_advantages_and_returns", "flag"),
    Option("gamma", "number"),
    Option("eps_clip", "number"),
    Option("eps_clip_high", "number", optional=True),
    Option("eps_clip_c", "number", optional=True),
    Option("kl_coef", "number"),
    Option("use_kl_loss", "flag"),
    Option("kl_loss_coef", "number"),
    Option("kl_loss_type", "word", words=("kl", "k1", "k2", "k3", "low_var_kl")),
    Option("use_unbiased_kl", "flag"),
    Option("calculate_per_token_loss", "flag"),
    Option("use_rollout_logprobs", "flag"),
    Option("get_mismatch_metrics", "flag"),
    Option("use_tis", "flag"),
    Option("tis_clip", "number"),
    Option("tis_clip_low", "number"),
    Option("custom_tis_function_path", "word", optional=True),
    Option("dynamic_sampling_filter_path", "word", optional=True),
    Option("entropy_coef", "number"),
    Option("use_opsm", "flag"),
    Option("rollout_temperature", "number"),
    Option("rollout_top_p", "number"),
    Option("rollout_top_k", "whole"),
    *(Option(name, "word", optional=True) for name in _OWN),
)
_OLDER = "samples come from older policies"
LEFT_OUT = (
    LeftOut("entropy_coef", "an entropy bonus of {value} times the mean entropy of a token", BOTH),
    LeftOut("use_opsm", "texts with A < 0 that have drifted too far are dropped", BOTH),
    LeftOut("opsm_delta", "how far a text may drift", BOTH, under="use_opsm"),
    LeftOut("use_opd", "a teacher's log-probabilities are added to the advantages", BOTH),
    LeftOut("opd_kl_coef", "how much the teacher counts", BOTH, under="use_opd"),
    LeftOut("enable_mtp_training", "a loss of heads that predict several tokens", BOTH),
    LeftOut("mtp_loss_scaling_factor", "how much those heads count", BOTH, under="enable_mtp_training"),
    LeftOut("moe_aux_loss_coeff moe_z_loss_coeff", "a loss of the router, where the model has experts", ()),
    LeftOut("ref_update_interval", "the reference policy follows π", (Part.END,)),
    LeftOut.temperature("rollout_temperature"),
    LeftOut.cut("rollout_top_p", 1),
    LeftOut.cut("rollout_top_k", -1),
    LeftOut("partial_rollout train_async.py fully_async", _OLDER, (Part.END, Part.PACE)),
    LeftOut("update_weights_interval", _OLDER + " (every {value} batches)", (Part.END, Part.PACE), (1,)),
    LeftOut("keep_old_actor", "π_old is an older policy than the one that sampled", (Part.END, Part.PACE)),
    LeftOut(
        "mask_offpolicy_in_partial_rollout",
        "tokens of older policies are masked out",
        (Part.END,),
        under="partial_rollout",
    ),
    LeftOut(
        "rollout_sample_filter_path over_sampling_filter_path buffer_filter_path min_batch_collection_ratio",
        "which texts are trained on: {value}",
        (Part.END,),
        (None, 1),
    ),
    LeftOut("rollout_data_postprocess_path", "a batch is changed before it is trained on: {value}", BOTH),
    LeftOut("custom_megatron_*_hook_path rollout_sample_hook_path", "a function of one's own: {value}", ()),
    LeftOut("use_routing_replay use_rollout_routing_replay", "experts are chosen as the sampler chose them", ()),
    LeftOut("custom_config_path", "options of a file go over these: {value}", ()),
    LeftOut.optimiser(
        "lr lr_* min_lr use_precision_aware_optimizer optimizer optimizer_* adam_* weight_decay clip_grad "
        "num_rollout num_epoch train_iters reset_optimizer_states use_stateless_adam",
        False,
    ),
)
ASIDES = (
    Aside("only estimators with a value model have it", "critic_* lambd value_clip num_critic_only_steps"),
    Aside("of distillation, which use_opd turns on", "opd_type opd_teacher_*"),
    Aside("which heads there are, beside the loss", "mtp_num_layers"),
    Aside("how many texts are drawn to fill a batch", "over_sampling_batch_size over_sampling_filter_input_size"),
    Aside("how the trainer evaluates", "eval_* n_samples_per_eval_prompt skip_eval_before_train"),
    Aside(
        "what is logged, and where",
        "wandb_* use_wandb tb_* use_tensorboard tensorboard_* log_* dump_details memory_* record_memory_history "
        "profile_* use_pytorch_profiler custom_rollout_log_function_path custom_eval_rollout_log_function_path "
        "timing_*",
    ),
    Aside(
        "what is saved and resumed",
        "save save_* load load_* async_save no_save_* no_load_* ref_load ref_ckpt_step ckpt_* start_rollout_id "
        "auto_detect_ckpt_format dist_ckpt_* finetune exit_on_missing_checkpoint",
    ),
    Aside("which random numbers are drawn", "seed rollout_seed"),
    Aside(
        "which prompts come, and how long they may be",
        "prompt_data input_key label_key metadata_key tool_key multimodal_keys apply_chat_template* rollout_shuffle "
        "rollout_global_dataset data_source_path rollout_max_* balance_* rollout_all_samples_process_path",
    ),
    Aside(
        "what rewards a text: pass rates are measured with it",
        "rm_* reward_key custom_rm_path group_rm",
    ),
    Aside(
        "the engine that samples, and how texts are made",
        "rollout_* disable_rollout_trim_samples sglang_* router_* slime_router_* use_slime_router "
        "custom_generate_function_path prefill_num_servers update_weight_* check_weight_update_equal "
        "use_fault_tolerance fetch_trajectory_retry_times custom_update_weight_post_write_path "
        "custom_delta_pre_push_path agent_*",
    ),
    Aside("which tokens of a dialogue are of the policy", "loss_mask_type"),
    Aside(
        "which parameters there are and move: the theory is about probabilities",
        "hf_checkpoint model_name freeze_params_name_list only_train_params_name_list custom_model_provider_path "
        "megatron_to_hf_mode padded_vocab_size use_hf_config_for_megatron spec num_layers hidden_size "
        "ffn_hidden_size num_attention_heads num_query_groups group_query_attention kv_channels qk_layernorm "
        "normalization norm_epsilon swiglu disable_bias_linear add_qkv_bias untie_embeddings_and_output_weights "
        "vocab_size use_rotary_* rotary_* position_embedding_type make_vocab_size_divisible_by attention_dropout "
        "hidden_dropout moe_* multi_latent_attention q_lora_rank kv_lora_rank qk_* v_head_dim no_rope_* "
        "no_position_embedding num_experts max_position_embeddings apply_layernorm_1p post_* qwen_gdn_backend "
        "seq_length init_method_std share_* original_max_position_embeddings mscale* use_gated_attention",
    ),
    Aside(
        "memory, speed and precision",
        "*_parallel *_parallel_size *_parallel_* recompute_* micro_batch_size use_dynamic_* max_tokens_per_gpu "
        "allgather_cp log_probs_* accumulate_* attention_* bf16 fp16 fp8* fp32_* offload* colocate num_gpus_per_node "
        "actor_* data_pad_size_multiplier distributed_* qkv_format train_backend train_env_vars "
        "train_memory_margin_bytes true_on_policy_mode deterministic_mode enable_weights_backuper release_train "
        "overlap_* grad_reduce_in_bf16 no_* use_distributed_* calculate_* decoder_* transformer_impl "
        "gradient_checkpointing update_weights_bucket_* bias_* cross_entropy_* fused_* manual_gc* "
        "te_precision_config_file",
    ),
    Aside(
        "where and how it runs",
        "debug_* ci_* http_proxy use_http2 use_distributed_post custom_megatron_init_path megatron_config_path "
        "use_rollout_entropy",
    ),
)


def _options(trainer: Trainer, version: Version, given: Mapping[str, Json], strict: Iterable[str]) -> Options:
    """A flag may have its name on the command line, where ``--disable-x`` turns ``x`` off."""

    def argument(name: str) -> str:
        bare = name.removeprefix("disable_")
        return bare if bare in trainer.releases.names else name

    values = {argument(name): value if argument(name) == name else not value for name, value in given.items()}
    return Options(trainer, version, values, map(argument, strict))


def _setting_of(options: Options) -> st.Setting:
    estimator = options.word("advantage_estimator")
    _check(options, estimator)
    size = options.group_size("n_samples_per_prompt")
    setting = st.Setting(
        advantages=_advantages(options, estimator),
        group_size=size,
        penalty=_penalty(options, estimator),
        ratio=st.Ratio.ROOT if estimator == "gspo" else st.Ratio.TOKEN,
        denominator=st.Denominator.SAMPLER if options.flag("use_rollout_logprobs") else st.Denominator.OLD,
        clip=_clip(options, estimator),
        aggregation=st.Aggregation(
            st.Over.BATCH_TOKENS if options.flag("calculate_per_token_loss") else st.Over.TEXT_MEAN
        ),
        sampler_weight=_sampler_weight(options),
        dynamic_sampling=options.maybe_word("dynamic_sampling_filter_path") == _NONZERO,
        updates=_updates(options, size),
    )
    _ignore(options, estimator)
    if estimator == "cispo" and options.number("eps_clip") < 1:
        options.note(f"cispo keeps the lower bound 1 − eps_clip = {1 - options.number('eps_clip'):g} of its weights.")
    options.note_cut()
    return setting


def _check(options: Options, estimator: str) -> None:
    kind = options.word("loss_type")
    if kind != "policy_loss":
        raise BadInput(f"loss_type {kind} is not modelled: it is no loss of the policy on its own samples")
    for name, what in _OWN.items():
        if options.maybe_word(name) is not None:
            raise BadInput(f"{name} puts a function of its own in the place of {what}: that is not modelled")
    if not options.flag("compute_advantages_and_returns"):
        raise BadInput("disable_compute_advantages_and_returns leaves the policy's loss without advantages")
    if estimator == "ppo":
        raise BadInput("advantage_estimator ppo trains a value model: that is not modelled")
    if estimator == "on_policy_distillation":
        raise BadInput("advantage_estimator on_policy_distillation has a teacher for its reward: that is not modelled")
    if estimator == "cispo" and options.version < (0, 3, 1):
        raise BadInput(f"{options.trainer} has no advantage_estimator cispo: it came with 0.3.1")
    if estimator in _WHITENED and not options.flag("normalize_advantages"):
        raise BadInput(f"advantage_estimator {estimator} needs normalize_advantages: slime stops without it")
    if options.number("kl_coef") != 0 and options.number("kl_loss_coef") != 0:
        raise BadInput("kl_coef and kl_loss_coef are both set: slime takes one of the two")


def _advantages(options: Options, estimator: str) -> st.Advantages:
    white = st.Whitening(sample=True, eps=Fraction(1, 10**8)) if options.flag("normalize_advantages") else None
    if estimator == "reinforce_plus_plus":
        if options.number("gamma") != 1:
            raise BadInput(f"gamma is {options.number('gamma')}: only 1 is modelled")
        return st.Advantages(baseline=st.Baseline.NONE, scale=None, whitening=white)
    if not options.flag("rewards_normalization"):
        return st.Advantages(baseline=st.Baseline.NONE, scale=None, whitening=white)
    divided = estimator in _GROUPED and options.flag("grpo_std_normalization")
    return st.Advantages(scale=st.Scale(sample=True, eps=Fraction(1, 10**6)) if divided else None, whitening=white)


def _penalty(options: Options, estimator: str) -> st.Penalty | None:
    kind = options.word("kl_loss_type")
    chosen, bounds = ESTIMATORS[kind], (-10, 10) if kind == "low_var_kl" else (None, None)
    in_loss, charged = options.number("kl_loss_coef"), options.number("kl_coef")
    if options.flag("use_kl_loss") and in_loss != 0:
        weighted = options.flag("use_unbiased_kl")
        if weighted and estimator == "gspo":
            raise BadInput("use_unbiased_kl weighs by the ratio of the token, and gspo has that of the text")
        weight = st.PenaltyWeight.RATIO if weighted else st.PenaltyWeight.NONE
        return st.Penalty(in_loss, chosen, weight=weight, bounds=bounds)
    if charged == 0 or estimator in _GROUPED:
        return None
    if options.flag("use_rollout_logprobs"):
        raise BadInput("kl_coef with use_rollout_logprobs charges the divergence of the sampler: that is not modelled")
    credit = st.Credit.TO_GO if estimator == "reinforce_plus_plus" else st.Credit.TOKEN
    return st.Penalty(charged, chosen, place=st.Place.ADVANTAGE, credit=credit, bounds=bounds)


def _clip(options: Options, estimator: str) -> st.Clip:
    low, high = options.number("eps_clip"), options.maybe_number("eps_clip_high")
    high = low if high is None else high
    return st.CappedWeight(1 + high, max(1 - low, 0)) if estimator == "cispo" else st.RatioClip(low, high)


def _weighs(options: Options) -> bool:
    """Whether the importance weight of the sampler is computed."""
    return options.flag("use_tis") or options.flag("get_mismatch_metrics")


def _sampler_weight(options: Options) -> st.SamplerWeight | None:
    path = options.maybe_word("custom_tis_function_path")
    if not _weighs(options):
        return None
    if options.flag("use_rollout_logprobs"):
        raise BadInput("use_rollout_logprobs and use_tis exclude one another: slime stops")
    if path is None and not options.flag("use_tis"):
        raise BadInput("get_mismatch_metrics needs custom_tis_function_path: slime stops without it")
    if path not in (None, _ICEPOP):
        raise BadInput(f"custom_tis_function_path {path} weighs or rejects texts by a rule of its own: not modelled")
    lower, upper = options.number("tis_clip_low"), options.number("tis_clip")
    mode = st.WeightMode.TRUNCATE if path is None else st.WeightMode.MASK
    return st.SamplerWeight(mode=mode, upper=upper, lower=lower or None)


def _updates(options: Options, size: int) -> int:
    steps = options.maybe_whole("num_steps_per_rollout")
    if steps is not None:
        return max(steps, 1)
    prompts, batch = options.maybe_whole("rollout_batch_size"), options.maybe_whole("global_batch_size")
    return max(prompts * size // batch, 1) if prompts is not None and batch else 1


def _ignore(options: Options, estimator: str) -> None:
    options.ignored("slime hands it to no loss, so there is no dual clip", "eps_clip_c")
    if not options.flag("use_kl_loss"):
        options.ignored("use_kl_loss is off", "kl_loss_coef", "use_unbiased_kl")
    elif options.number("kl_loss_coef") == 0:
        options.ignored("kl_loss_coef is 0, so there is no divergence in the loss", "use_kl_loss", "use_unbiased_kl")
    if estimator in _GROUPED:
        options.ignored(f"{estimator} does not charge it to the advantage", "kl_coef")
    else:
        options.ignored(f"{estimator} is not divided by the deviation of a group", "grpo_std_normalization")
    if estimator == "reinforce_plus_plus":
        options.ignored("reinforce_plus_plus has no baseline of the group", "rewards_normalization")
    else:
        options.ignored(f"{estimator} does not discount", "gamma")
    if not _weighs(options):
        options.ignored("use_tis is off", "tis_clip", "tis_clip_low", "custom_tis_function_path")
    path = options.maybe_word("dynamic_sampling_filter_path")
    if path not in (None, _NONZERO):
        options.leave_out("dynamic_sampling_filter_path", f"which groups are trained on: {path}", *BOTH)


TRAINER = Trainer(
    releases_of("slime", "slime"),
    TABLE,
    ASIDES,
    LEFT_OUT,
    _setting_of,
    NAMES,
    OfRun("rollout_batch_size", "rollout_max_response_len", "lr"),
    mark="n_samples_per_prompt",
    options_of=_options,
)
