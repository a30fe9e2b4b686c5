"""OpenRLHF's options as settings, version 0.11, read off ``loss.py``, ``models/utils.py``, ``ppo_actor.py`` and
``experience_maker.py``. Names are those of the command line without the dashes, such as ``actor.eps_clip``.
"""

from __future__ import annotations

from fractions import Fraction

from grpo_symbolic import setting as st
from grpo_symbolic.errors import BadInput
from grpo_symbolic.trainers.options import BOTH, Aside, LeftOut, OfRun, Option, Options, Part, Trainer
from grpo_symbolic.trainers.releases import releases_of

__all__ = ["TRAINER"]

# The trainer's names for words of a setting.
NAMES = {
    "group_size": "rollout.n_samples_per_prompt",
    "eps_low": "the lower actor.eps_clip",
    "eps_high": "the upper actor.eps_clip",
    "the dual clip": "actor.dual_clip",
}
_ESTIMATORS = ("gae", "reinforce", "rloo", "reinforce_baseline", "group_norm", "dr_grpo", "flash_reinforce")
_ADV = "algo.advantage."

TABLE = (
    Option(_ADV + "estimator", "word", words=_ESTIMATORS),
    Option(_ADV + "gamma", "number"),
    Option(_ADV + "no_std_norm", "flag"),
    Option(_ADV + "is_correction_enable", "flag"),
    Option(_ADV + "is_correction_type", "word", words=("tis", "icepop", "seq-mask-tis")),
    Option(_ADV + "is_correction_level", "word", words=("off", "token", "seq")),
    Option(_ADV + "is_correction_mode", "word", words=("mask", "clip")),
    Option(_ADV + "is_correction_gating", "word", words=("ratio", "binary_kl", "tv")),
    Option(_ADV + "is_correction_threshold", "numbers"),
    Option("algo.kl.init_coef", "number"),
    Option("algo.kl.estimator", "word", words=("k1", "k2", "k3")),
    Option("algo.kl.use_loss", "flag"),
    Option("algo.kl.unbiased_gradient", "flag"),
    Option("algo.kl.target", "number", optional=True),
    Option("algo.dynamic_filtering_enable", "flag"),
    Option("actor.eps_clip", "number"),
    Option("actor.eps_clip_low_high", "numbers", optional=True),
    Option("actor.dual_clip", "number", optional=True),
    Option("actor.policy_loss_type", "word", words=("ppo", "gspo")),
    Option("actor.loss_agg_mode", "word", words=("token-mean", "seq-mean-token-mean")),
    Option("actor.entropy_coef", "number", optional=True),
    Option("reward.clip_range", "numbers", optional=True),
    Option("rollout.n_samples_per_prompt", "whole"),
    Option("rollout.batch_size", "whole"),
    Option("rollout.temperature", "number"),
    Option("rollout.top_p", "number"),
    Option("train.batch_size", "whole"),
    Option("train.max_epochs", "whole"),
)
LEFT_OUT = (
    LeftOut("actor.entropy_coef", "an entropy bonus of {value} times the mean entropy of a token", BOTH),
    LeftOut("actor.aux_loss_coef", "a loss of the router, where the model has experts", BOTH),
    LeftOut("algo.kl.target", "β adapts to a target divergence", BOTH),
    LeftOut("algo.kl.horizon", "how fast β adapts", BOTH, under="algo.kl.target"),
    LeftOut(
        "algo.dynamic_filtering_range",
        "groups outside {value} are dropped",
        BOTH,
        ([0, 1],),
        "algo.dynamic_filtering_enable",
    ),
    LeftOut("reward.normalize_enable", "rewards are normalised over all that came before", (Part.END,)),
    LeftOut(
        "reward.overlong_buffer_len reward.stop_properly_penalty_coef",
        "texts that are too long lose reward",
        (Part.END,),
    ),
    LeftOut(
        "reward.overlong_penalty_factor", "how much a long text loses", (Part.END,), under="reward.overlong_buffer_len"
    ),
    LeftOut.temperature("rollout.temperature"),
    LeftOut.cut("rollout.top_p", 1),
    LeftOut(
        "train.async_enable train.partial_rollout_enable", "samples come from older policies", (Part.END, Part.PACE)
    ),
    LeftOut("train.async_queue_size", "how old samples may be", (Part.END, Part.PACE), under="train.async_enable"),
    LeftOut.optimiser(
        "actor.optim actor.adam.* actor.muon.* actor.lr_* actor.min_lr_ratio actor.max_norm train.num_episodes"
    ),
)
ASIDES = (
    Aside("only estimators with a value model have it", "algo.advantage.lambd critic.*"),
    Aside("memory, speed and precision", "actor.gradient_checkpointing_* actor.num_* ref.* ds.* local_rank"),
    Aside(
        "which parameters there are and move: the theory is about probabilities",
        "actor.freeze_* actor.model_name_or_path",
    ),
    Aside("what rewards a text: pass rates are measured with it", "reward.*"),
    Aside("the engine that samples, and how texts are made", "vllm.* rollout.* train.agent_func_path"),
    Aside("which prompts come, and how long they may be", "data.*"),
    Aside("how the trainer evaluates, logs and saves", "eval.* logger.* ckpt.*"),
    Aside("a copy that follows the policy and is not trained", "train.enable_ema train.ema_beta"),
    Aside("where and how it runs", "train.* use_ms"),
)


def _setting_of(options: Options) -> st.Setting:
    options.assume(_ADV + "estimator", "group_norm", "OpenRLHF's own default, gae, trains a value model (PPO)")
    estimator = options.word(_ADV + "estimator")
    size = options.group_size("rollout.n_samples_per_prompt")
    gspo = options.word("actor.policy_loss_type") == "gspo"
    older = options.version < (0, 11, 2)  # one flag and one type, where 0.11.2 has a level, a mode and a gating
    corrected = (
        options.flag(_ADV + "is_correction_enable") if older else options.word(_ADV + "is_correction_level") != "off"
    )
    per_text = gspo or options.word("actor.loss_agg_mode") == "seq-mean-token-mean"
    setting = st.Setting(
        advantages=_advantages(options, estimator),
        group_size=size,
        penalty=_penalty(options, per_text),
        ratio=st.Ratio.ROOT if gspo else st.Ratio.TOKEN,
        denominator=st.Denominator.SAMPLER if gspo and corrected else st.Denominator.OLD,
        log_bound=None if gspo else 20,
        clip=_clip(options),
        aggregation=st.Aggregation(st.Over.TEXT_MEAN if per_text else st.Over.BATCH_TOKENS, empty_count=False),
        sampler_weight=_sampler_weight(options) if corrected and not gspo else None,
        dynamic_sampling=options.flag("algo.dynamic_filtering_enable"),
        updates=max(options.whole("rollout.batch_size") * size // options.count("train.batch_size"), 1)
        * options.whole("train.max_epochs"),
    )
    _ignore(options, setting, estimator, gspo, corrected)
    if setting.penalty is not None and setting.penalty.aggregation is not None:
        options.note("The divergence is averaged over all tokens of the batch, although the policy's term is by text.")
    options.note_cut()
    return setting


def _advantages(options: Options, estimator: str) -> st.Advantages:
    white = st.Whitening(scale=not options.flag(_ADV + "no_std_norm"), eps=Fraction(1, 10**8), guard=st.Guard.FLOOR)
    made = {
        "group_norm": st.Advantages(scale=st.Scale(sample=True, eps=Fraction(1, 10**9))),
        "rloo": st.Advantages(baseline=st.Baseline.LEAVE_ONE_OUT, scale=None),
        "dr_grpo": st.Advantages(scale=None),
        "reinforce_baseline": st.Advantages(scale=None, whitening=white),
        "reinforce": st.Advantages(baseline=st.Baseline.NONE, scale=None, whitening=white),
        "flash_reinforce": st.Advantages(baseline=st.Baseline.BATCH_MEAN, scale=None),
    }
    if estimator not in made:
        raise BadInput(f"{_ADV}estimator {estimator} trains a value model: that is not modelled")
    if estimator == "reinforce" and options.number(_ADV + "gamma") != 1:
        raise BadInput(f"{_ADV}gamma is {options.number(_ADV + 'gamma')}: only 1 is modelled")
    return made[estimator]


def _penalty(options: Options, per_text: bool) -> st.Penalty | None:
    beta = options.number("algo.kl.init_coef")
    if beta <= 0:
        return None
    estimator = st.Estimator(options.word("algo.kl.estimator"))
    inner = (None, 10) if estimator is st.Estimator.K3 else (None, None)
    if not options.flag("algo.kl.use_loss"):
        return st.Penalty(
            beta, estimator, place=st.Place.ADVANTAGE, credit=st.Credit.TO_GO, bounds=(-10, 10), log_bounds=inner
        )
    unbiased = options.flag("algo.kl.unbiased_gradient")
    return st.Penalty(
        beta,
        estimator,
        gradient=st.Gradient.WEIGHTED_K2 if unbiased else st.Gradient.OWN,
        gradient_cap=10 if unbiased else None,
        bounds=(-10, 10),
        log_bounds=inner,
        aggregation=st.Aggregation(st.Over.BATCH_TOKENS, empty_count=False) if per_text else None,
    )


def _clip(options: Options) -> st.RatioClip:
    both = options.numbers("actor.eps_clip_low_high")
    if both and len(both) != 2:
        raise BadInput(f"actor.eps_clip_low_high has {len(both)} numbers: expected two, the lower and the upper")
    low, high = both or (options.number("actor.eps_clip"),) * 2
    return st.RatioClip(low, high, dual=options.maybe_number("actor.dual_clip"))


def _older_weight(options: Options) -> st.SamplerWeight:
    bounds = options.numbers(_ADV + "is_correction_threshold")
    if len(bounds) != 2:
        raise BadInput(f"is_correction_threshold has {len(bounds)} numbers: expected LOW HIGH")
    kind = options.word(_ADV + "is_correction_type")
    mode = st.WeightMode.TRUNCATE if kind == "tis" else st.WeightMode.MASK
    return st.SamplerWeight(mode=mode, upper=bounds[1], lower=bounds[0], by_text_mean=kind == "seq-mask-tis")


def _sampler_weight(options: Options) -> st.SamplerWeight:
    if options.version < (0, 11, 2):
        return _older_weight(options)
    if options.word(_ADV + "is_correction_gating") != "ratio":
        raise BadInput("is_correction_gating by binary_kl or tv is not modelled: expected ratio")
    bounds = options.numbers(_ADV + "is_correction_threshold")
    if len(bounds) not in (1, 2):
        raise BadInput(f"is_correction_threshold has {len(bounds)} numbers: expected HIGH, or LOW HIGH")
    low, high = bounds if len(bounds) == 2 else (0.0, bounds[0])
    by_text = options.word(_ADV + "is_correction_level") == "seq"
    clipped = options.word(_ADV + "is_correction_mode") == "clip"
    if clipped and by_text:
        raise BadInput("is_correction_mode=clip needs is_correction_level=token")
    mode = st.WeightMode.TRUNCATE if clipped else st.WeightMode.MASK
    return st.SamplerWeight(mode=mode, upper=high, lower=low, by_text_mean=by_text)


def _ignore(options: Options, setting: st.Setting, estimator: str, gspo: bool, corrected: bool) -> None:
    if options.is_given("actor.eps_clip_low_high"):
        options.ignored("eps_clip_low_high is set", "actor.eps_clip")
    if setting.penalty is None:
        options.ignored("algo.kl.init_coef is 0", "algo.kl.estimator", "algo.kl.use_loss", "algo.kl.target")
    if not options.flag("algo.kl.use_loss"):
        options.ignored("the divergence is in the reward", "algo.kl.unbiased_gradient")
    if not corrected or gspo:
        why = "gspo puts π_sampler below its ratio" if corrected else "is_correction_level is off"
        names = ("is_correction_mode", "is_correction_gating", "is_correction_threshold", "is_correction_type")
        options.ignored(why, *(_ADV + name for name in names))
    if gspo and options.word("actor.loss_agg_mode") == "token-mean":
        options.ignored("gspo is averaged over texts", "actor.loss_agg_mode")
    if estimator not in ("reinforce", "reinforce_baseline"):
        options.ignored(f"{estimator} is not whitened over the batch", _ADV + "no_std_norm")
    bounds = options.numbers("reward.clip_range")
    if bounds and len(bounds) != 2:
        raise BadInput(f"reward.clip_range has {len(bounds)} numbers: expected two, the lower and the upper")
    if bounds and (setting.advantages.scale is None or setting.group_size > 101):
        why = f"what the baseline leaves of a reward is cut off at {bounds[0]} and {bounds[1]}"
        options.leave_out("reward.clip_range", why, Part.LOSS, Part.END)


TRAINER = Trainer(
    releases_of("openrlhf", "OpenRLHF"),
    TABLE,
    ASIDES,
    LEFT_OUT,
    _setting_of,
    NAMES,
    OfRun("rollout.batch_size", "rollout.max_new_tokens"),
    nested=True,
    mark="rollout",
)
