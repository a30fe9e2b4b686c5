"""NeMo-RL's configuration as settings, versions 0.5 to 0.7, read off ``loss_functions.py``, ``advantage_estimator.py``
and ``examples/configs/grpo_math_1B.yaml``. Names are dotted, such as ``loss_fn.ratio_clip_min``.

What changed between versions: 0.6 estimators of the advantage by name, and importance weights that mask; 0.7 the
divergence in the loss carries the gradient of the sampling probability, and CISPO.
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

from grpo_symbolic import setting as st
from grpo_symbolic.errors import BadInput
from grpo_symbolic.trainers.options import BOTH, Aside, LeftOut, OfRun, Option, Options, Part, Trainer
from grpo_symbolic.trainers.releases import releases_of

__all__ = ["TRAINER"]

# The trainer's names for words of a setting.
NAMES = {
    "group_size": "grpo.num_generations_per_prompt",
    "eps_low": "loss_fn.ratio_clip_min",
    "eps_high": "loss_fn.ratio_clip_max",
    "the dual clip": "loss_fn.ratio_clip_c",
}
_ESTIMATORS = ("grpo", "gdpo", "reinforce_plus_plus", "raw_reward", "gae", "opd")
_KINDS = ("tis", "icepop", "seq-mask-tis")

TABLE = (
    Option("grpo.num_generations_per_prompt", "whole"),
    Option("grpo.num_prompts_per_step", "whole"),
    Option("grpo.normalize_rewards", "flag"),
    Option("grpo.use_leave_one_out_baseline", "flag"),
    Option("grpo.use_dynamic_sampling", "flag"),
    Option("grpo.overlong_filtering", "flag"),
    Option("grpo.advantage_clip_low", "number", optional=True),
    Option("grpo.advantage_clip_high", "number", optional=True),
    Option("grpo.adv_estimator.name", "word", words=_ESTIMATORS),
    Option("grpo.adv_estimator.normalize_rewards", "flag", optional=True),
    Option("grpo.adv_estimator.use_leave_one_out_baseline", "flag", optional=True),
    Option("grpo.adv_estimator.minus_baseline", "flag"),
    Option("grpo.adv_estimator.normalize_advantages", "flag", default=False),
    Option("grpo.reward_scaling.enabled", "flag"),
    Option("grpo.reward_shaping.enabled", "flag"),
    Option("loss_fn.reference_policy_kl_penalty", "number"),
    Option("loss_fn.reference_policy_kl_type", "word", words=("k1", "k2", "k3")),
    Option("loss_fn.kl_input_clamp_value", "number", optional=True),
    Option("loss_fn.kl_output_clamp_value", "number", optional=True),
    Option("loss_fn.use_kl_in_reward", "flag"),
    Option("loss_fn.use_on_policy_kl_approximation", "flag"),
    Option("loss_fn.ratio_clip_min", "number"),
    Option("loss_fn.ratio_clip_max", "number"),
    Option("loss_fn.ratio_clip_c", "number", optional=True),
    Option("loss_fn.disable_ppo_ratio", "flag", default=False),
    Option("loss_fn.force_on_policy_ratio", "flag"),
    Option("loss_fn.use_cispo", "flag"),
    Option("loss_fn.token_level_loss", "flag"),
    Option("loss_fn.sequence_level_importance_ratios", "flag"),
    Option("loss_fn.use_importance_sampling_correction", "flag"),
    Option("loss_fn.truncated_importance_sampling_type", "word", optional=True, words=_KINDS),
    Option("loss_fn.truncated_importance_sampling_ratio", "number", optional=True),
    Option("loss_fn.truncated_importance_sampling_ratio_min", "number", optional=True),
    Option("loss_fn.positive_example_nll_weight", "number"),
    Option("policy.train_global_batch_size", "whole"),
    Option("policy.generation.temperature", "number"),
    Option("policy.generation.top_p", "number"),
    Option("policy.generation.top_k", "number", optional=True),
)
LEFT_OUT = (
    LeftOut("loss_fn.positive_example_nll_weight", "the likelihood of texts with a positive reward", BOTH),
    LeftOut("grpo.advantage_clip_*", "advantages are cut off at {value}", BOTH, (None,)),
    LeftOut(
        "grpo.invalid_tool_call_advantage grpo.malformed_thinking_advantage",
        "some tokens have the advantage {value}",
        BOTH,
        (None,),
    ),
    LeftOut(
        "grpo.seq_logprob_error_threshold", "texts on which policy and sampler differ by {value} are masked out", BOTH
    ),
    LeftOut(
        "grpo.overlong_filtering",
        "truncated texts are masked out after their rewards have made the baseline",
        (Part.END,),
    ),
    LeftOut("grpo.reward_scaling.enabled", "rewards are scaled before they become advantages", (Part.END,)),
    LeftOut("grpo.reward_scaling.*", "how rewards are scaled", (Part.END,), (None,), "grpo.reward_scaling.enabled"),
    LeftOut("grpo.reward_shaping.enabled", "rewards are shaped before they become advantages", (Part.END,)),
    LeftOut("grpo.reward_shaping.*", "how rewards are shaped", (Part.END,), (None,), "grpo.reward_shaping.enabled"),
    LeftOut("reward_penalties.token_ids", "which tokens are penalised", (), (None,)),
    LeftOut("reward_penalties.*", "some texts lose their reward", (Part.END,)),
    LeftOut("grpo.async_grpo.enabled", "samples come from older policies", (Part.END, Part.PACE)),
    LeftOut("grpo.async_grpo.*", "how old samples may be", (Part.END, Part.PACE), under="grpo.async_grpo.enabled"),
    LeftOut.temperature("policy.generation.temperature"),
    LeftOut.cut("policy.generation.top_p", 1),
    LeftOut.cut("policy.generation.top_k", None, -1),
    LeftOut("policy.draft.enabled", "a loss of a draft model is added", BOTH),
    LeftOut(
        "policy.draft.loss_weight", "how much the draft model's loss counts", BOTH, (None,), "policy.draft.enabled"
    ),
    LeftOut("policy.megatron_cfg.mtp_num_layers", "a loss of heads that predict several tokens", BOTH),
    LeftOut("on_policy_distillation*", "a loss of distillation", BOTH),
    LeftOut("*.moe_router_bias_update_rate", "routers are balanced beside the loss", ()),
    LeftOut.optimiser(
        "policy.optimizer.* policy.scheduler* policy.megatron_cfg.optimizer.* policy.megatron_cfg.scheduler.* "
        "policy.max_grad_norm grpo.max_num_*"
    ),
)
ASIDES = (
    Aside("how the trainer evaluates", "grpo.num_val_generations_per_prompt grpo.*val_* grpo.stop_at_*"),
    Aside("how many batches are drawn to fill one", "grpo.batch_multiplier grpo.dynamic_sampling_*"),
    Aside("how texts are made", "grpo.max_rollout_turns"),
    Aside("which random numbers are drawn", "grpo.seed"),
    Aside("memory and speed", "grpo.calculate_* grpo.skip_reference_policy_logprobs_calculation"),
    Aside("the policy's parameters, engine, memory and speed: the theory is about probabilities", "policy.*"),
    Aside(
        "what is saved and logged, and where it runs",
        "checkpointing.* logger.* cluster.* data_plane.* defaults teacher*",
    ),
    Aside(
        "which prompts come, and what rewards a text: pass rates are measured with it", "data.* env env.* reward_model*"
    ),
    Aside("only PPO has it, which trains a value model", "value.* ppo.*"),
)


def _setting_of(options: Options) -> st.Setting:
    estimator = options.word("grpo.adv_estimator.name")
    per_token = options.flag("loss_fn.token_level_loss")
    by_text = options.flag("loss_fn.sequence_level_importance_ratios")
    if by_text and per_token:
        raise BadInput("sequence_level_importance_ratios needs token_level_loss=false")
    size = options.whole("grpo.num_generations_per_prompt")
    samples = options.whole("grpo.num_prompts_per_step") * size
    ratio, denominator, clip = _policy(options, by_text, per_token)
    setting = st.Setting(
        advantages=_advantages(options, estimator),
        group_size=size,
        penalty=_penalty(options, estimator),
        ratio=ratio,
        denominator=denominator,
        clip=clip,
        aggregation=st.Aggregation(st.Over.BATCH_TOKENS if per_token else st.Over.TEXT_MEAN, empty_count=False),
        sampler_weight=_sampler_weight(options, by_text),
        dynamic_sampling=options.flag("grpo.use_dynamic_sampling"),
        updates=max(samples // options.count("policy.train_global_batch_size"), 1),
    )
    _ignore(options, setting, estimator)
    if options.version < (0, 7):
        options.note_cut()
    return setting


def _either(options: Options, name: str) -> bool:
    """An option of the estimator, or, where that is not set, of the section above it."""
    inner = f"grpo.adv_estimator.{name}"
    return options.flag(inner if options.is_given(inner) else f"grpo.{name}")


def _advantages(options: Options, estimator: str) -> st.Advantages:
    left_out = _either(options, "use_leave_one_out_baseline")
    scale = None
    if _either(options, "normalize_rewards"):
        population = st.Population.OTHERS if left_out else st.Population.GROUP
        scale = st.Scale(population, sample=True, eps=Fraction(1, 10**6), skip_zero=True)
    white = st.Whitening(eps=Fraction(1, 10**8), guard=st.Guard.FLOOR)
    if estimator == "grpo":
        return st.Advantages(baseline=st.Baseline.LEAVE_ONE_OUT if left_out else st.Baseline.GROUP_MEAN, scale=scale)
    if estimator == "gdpo":
        if left_out:
            raise BadInput("gdpo with use_leave_one_out_baseline is not modelled: expected false")
        whitening = st.Whitening(st.Elements.TEXTS, sample=True)
        return st.Advantages(scale=scale, whitening=whitening, rewards=st.Rewards.EACH_FIRST)
    if estimator == "reinforce_plus_plus":
        minus = options.flag("grpo.adv_estimator.minus_baseline")
        return st.Advantages(
            baseline=st.Baseline.GROUP_MEAN if minus else st.Baseline.NONE, scale=None, whitening=white
        )
    if estimator == "raw_reward":
        whitened = white if options.flag("grpo.adv_estimator.normalize_advantages") else None
        return st.Advantages(baseline=st.Baseline.NONE, scale=None, whitening=whitened)
    raise BadInput(f"grpo.adv_estimator.name {estimator} is not modelled: it needs a value model or a teacher")


def _penalty(options: Options, estimator: str) -> st.Penalty | None:
    beta = options.number("loss_fn.reference_policy_kl_penalty")
    kind = st.Estimator(options.word("loss_fn.reference_policy_kl_type"))
    if beta == 0:
        return None
    if options.flag("loss_fn.use_kl_in_reward"):
        if estimator != "reinforce_plus_plus":
            return None
        charged = st.Penalty(beta, kind, place=st.Place.ADVANTAGE, credit=st.Credit.TOKEN)
        return replace(charged, bounds=(-10, 10), log_bounds=(-20, 20))
    inner = options.maybe_number("loss_fn.kl_input_clamp_value")
    outer = options.maybe_number("loss_fn.kl_output_clamp_value")
    approximated = options.flag("loss_fn.use_on_policy_kl_approximation")
    if options.version >= (0, 7):
        weight = st.PenaltyWeight.SAMPLER if approximated else st.PenaltyWeight.SCORE
    else:
        weight = st.PenaltyWeight.SAMPLER_DETACHED if approximated else st.PenaltyWeight.NONE
    return st.Penalty(
        beta,
        kind,
        weight=weight,
        bounds=(None, None) if outer is None else (-outer, outer),
        log_bounds=(None, None) if inner is None else (-inner, inner),
    )


def _policy(options: Options, by_text: bool, per_token: bool) -> tuple[st.Ratio, st.Denominator, st.Clip]:
    low, high = options.number("loss_fn.ratio_clip_min"), options.number("loss_fn.ratio_clip_max")
    dual = options.maybe_number("loss_fn.ratio_clip_c")
    bare, forced = options.flag("loss_fn.disable_ppo_ratio"), options.flag("loss_fn.force_on_policy_ratio")
    if options.flag("loss_fn.use_cispo"):
        if bare or forced or by_text or dual is not None or not per_token:
            raise BadInput(
                "use_cispo needs the token ratio and token_level_loss, and excludes disable_ppo_ratio, "
                "force_on_policy_ratio and ratio_clip_c"
            )
        return st.Ratio.TOKEN, st.Denominator.OLD, st.CappedWeight(cap=1 + high, floor=max(1 - low, 0))
    if (bare or forced) and dual is not None:
        raise BadInput("ratio_clip_c has no ratio to act on with disable_ppo_ratio or force_on_policy_ratio")
    if forced:
        return st.Ratio.TOKEN, st.Denominator.CURRENT, st.NoClip()
    if bare:
        return st.Ratio.LOG, st.Denominator.OLD, st.NoClip()
    return (st.Ratio.ROOT if by_text else st.Ratio.TOKEN), st.Denominator.OLD, st.RatioClip(low, high, dual=dual)


def _sampler_weight(options: Options, by_text: bool) -> st.SamplerWeight | None:
    upper = options.maybe_number("loss_fn.truncated_importance_sampling_ratio")
    lower = options.maybe_number("loss_fn.truncated_importance_sampling_ratio_min")
    kind = options.maybe_word("loss_fn.truncated_importance_sampling_type")
    strict = options.version >= (0, 7)  # before, a type without a bound or a correction is passed over; 0.5 truncates
    if upper is None and not strict:
        kind = None
    if not options.flag("loss_fn.use_importance_sampling_correction"):
        if kind is not None and strict:
            raise BadInput("truncated_importance_sampling_type needs use_importance_sampling_correction=true")
        return None
    level = st.WeightLevel.TEXT if by_text else st.WeightLevel.TOKEN
    if kind is None:
        return st.SamplerWeight(level)
    if upper is None or upper <= 0:
        raise BadInput(f"truncated_importance_sampling_type {kind} needs a truncated_importance_sampling_ratio above 0")
    if kind == "tis":
        return st.SamplerWeight(level, upper=upper, lower=lower)
    if lower is None:
        raise BadInput(f"truncated_importance_sampling_type {kind} needs truncated_importance_sampling_ratio_min")
    if kind == "icepop":
        return st.SamplerWeight(level, st.WeightMode.MASK, upper=upper, lower=lower)
    if by_text:
        raise BadInput("seq-mask-tis keeps weights of tokens: it excludes sequence_level_importance_ratios")
    return st.SamplerWeight(level, st.WeightMode.MASK, upper=upper, lower=lower, by_text_mean=True)


def _ignore(options: Options, setting: st.Setting, estimator: str) -> None:
    if options.flag("loss_fn.use_kl_in_reward") and estimator != "reinforce_plus_plus":
        options.note(
            f"use_kl_in_reward takes the divergence out of the loss, and the estimator {estimator} does not put it "
            "into the reward: there is none."
        )
    if setting.penalty is None:
        names = ("reference_policy_kl_type", "kl_input_clamp_value", "kl_output_clamp_value")
        options.ignored("there is no divergence", *(f"loss_fn.{name}" for name in names))
    if isinstance(setting.clip, st.NoClip):
        options.ignored("there is no ratio to clip", "loss_fn.ratio_clip_min", "loss_fn.ratio_clip_max")
    if setting.sampler_weight is None:
        options.ignored(
            "use_importance_sampling_correction is off",
            "loss_fn.truncated_importance_sampling_ratio",
            "loss_fn.truncated_importance_sampling_ratio_min",
            "loss_fn.truncated_importance_sampling_type",
        )


TRAINER = Trainer(
    releases_of("nemo-rl", "NeMo-RL"),
    TABLE,
    ASIDES,
    LEFT_OUT,
    _setting_of,
    NAMES,
    OfRun("grpo.num_prompts_per_step", "policy.max_total_sequence_length"),
    nested=True,
    mark="loss_fn",
)
