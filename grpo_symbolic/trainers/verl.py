"""verl's configuration (Hydra) as settings, version 0.9, read off ``core_algos.py``, ``losses.py`` and the defaults.

Names are the dotted ones of the command line, such as ``actor_rollout_ref.actor.clip_ratio``.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import TypeAlias

from grpo_symbolic import setting as st
from grpo_symbolic.errors import BadInput
from grpo_symbolic.scalars import Json
from grpo_symbolic.trainers.options import Note, Option, Options, Reading, Version, bent_sampler

__all__ = ["FIRST", "NAMES", "NEWEST", "TABLE", "read"]

FIRST: Version = (0, 9)
NEWEST: Version = (0, 9, 1)
# Words of a setting, as the trainer says them.
NAMES = {
    "group_size": "actor_rollout_ref.rollout.n",
    "eps_low": "clip_ratio_low",
    "eps_high": "clip_ratio_high",
    "the dual clip": "clip_ratio_c",
}
_EPS = Fraction(1, 10**6)
_WHITE = Fraction(1, 10**8)
_ALGO, _ACTOR, _ROLLOUT = "algorithm.", "actor_rollout_ref.actor.", "actor_rollout_ref.rollout."
_CORRECTION = _ALGO + "rollout_correction."
_ESTIMATORS = (
    "gae",
    "grpo",
    "grpo_vectorized",
    "grpo_passk",
    "gdpo",
    "gpg",
    "opo",
    "optimal_token_baseline",
    "reinforce_plus_plus",
    "reinforce_plus_plus_baseline",
    "remax",
    "rloo",
    "rloo_vectorized",
    "tir_optimal_token_baseline",
)
_LOSSES = (
    "vanilla",
    "gspo",
    "sapo",
    "gpg",
    "geo_mean",
    "cispo",
    "clip_cov",
    "kl_cov",
    "dppo_tv",
    "dppo_kl",
    "dro",
    "bypass_mode",
)
_KL = ("kl", "k1", "abs", "mse", "k2", "low_var_kl", "k3")
_KL_PLUS = (*_KL, "kl+", "k1+", "abs+", "low_var_kl+", "k3+")
_MODES = ("token-mean", "token-sum", "seq-mean-token-sum", "seq-mean-token-mean", "seq-mean-token-sum-norm")

TABLE = (
    Option(_ALGO + "adv_estimator", "word", "gae", words=_ESTIMATORS),
    Option(_ALGO + "norm_adv_by_std_in_grpo", "flag", True),
    Option(_ALGO + "gamma", "number", 1.0),
    Option(_ALGO + "use_kl_in_reward", "flag", False),
    Option(_ALGO + "kl_penalty", "word", "kl", words=_KL_PLUS),
    Option(_ALGO + "kl_ctrl.type", "word", "fixed", words=("fixed", "adaptive")),
    Option(_ALGO + "kl_ctrl.kl_coef", "number", 0.001),
    Option(_ALGO + "filter_groups.enable", "flag", False),
    Option(_ALGO + "use_pf_ppo", "flag", False),
    Option(_ALGO + "gdpo_reward_weights", "numbers", None, optional=True),
    Option(_CORRECTION + "rollout_is", "word", None, optional=True, words=("token", "sequence")),
    Option(_CORRECTION + "rollout_is_threshold", "word", "2.0"),
    Option(_CORRECTION + "rollout_is_batch_normalize", "flag", False),
    Option(_CORRECTION + "rollout_rs", "word", None, optional=True),
    Option(_CORRECTION + "bypass_mode", "flag", False),
    Option(_CORRECTION + "loss_type", "word", "ppo_clip", words=("ppo_clip", "reinforce")),
    Option(_ACTOR + "clip_ratio", "number", 0.2),
    Option(_ACTOR + "clip_ratio_low", "number", 0.2, optional=True),
    Option(_ACTOR + "clip_ratio_high", "number", 0.2, optional=True),
    Option(_ACTOR + "clip_ratio_c", "number", 3.0),
    Option(_ACTOR + "tau_pos", "number", 1.0),
    Option(_ACTOR + "tau_neg", "number", 1.05),
    Option(_ACTOR + "loss_agg_mode", "word", "token-mean", words=_MODES),
    Option(_ACTOR + "loss_scale_factor", "whole", None, optional=True),
    Option(_ACTOR + "policy_loss.loss_mode", "word", "vanilla", words=_LOSSES),
    Option(_ACTOR + "use_kl_loss", "flag", False),
    Option(_ACTOR + "kl_loss_coef", "number", 0.001),
    Option(_ACTOR + "kl_loss_type", "word", "low_var_kl", words=_KL_PLUS),
    Option(_ACTOR + "entropy_coeff", "number", 0),
    Option(_ACTOR + "ppo_epochs", "whole", 1),
    Option(_ACTOR + "ppo_mini_batch_size", "whole", 256),
    Option("data.train_batch_size", "whole", 1024),
    Option("data.max_response_length", "whole", 512),
    Option(_ROLLOUT + "n", "whole", 1),
    Option(_ROLLOUT + "top_p", "number", 1),
    Option(_ROLLOUT + "top_k", "number", -1),
)
_ALGO_OTHERS = """
lam kl_ctrl.horizon kl_ctrl.target_kl filter_groups.metric filter_groups.max_num_gen_batches
filter_groups.max_inflight_gen_batches pf_ppo.reweight_method pf_ppo.weight_pow gdpo_reward_keys
rollout_correction.rollout_rs_threshold
"""
_ACTOR_OTHERS = """
calculate_entropy calculate_sum_pi_squared data_loader_seed entropy_checkpointing entropy_from_logits_with_chunking
freeze_vision_tower grad_clip policy_loss.clip_cov_lb policy_loss.clip_cov_ratio policy_loss.clip_cov_ub
policy_loss.dro_beta policy_loss.kl_cov_ratio policy_loss.ppo_kl_coef ppo_infer_max_token_len_per_gpu
ppo_infer_micro_batch_size_per_gpu ppo_max_token_len_per_gpu ppo_micro_batch_size ppo_micro_batch_size_per_gpu
rollout_n shuffle strategy ulysses_sequence_parallel_size use_dynamic_bsz use_fused_kernels use_prefix_grouper
use_remove_padding use_torch_compile
"""
_OTHERS = [*(_ALGO + n for n in _ALGO_OTHERS.split()), *(_ACTOR + n for n in _ACTOR_OTHERS.split())]
_SECTIONS = """
actor_rollout_ref algorithm critic custom_reward_function data defaults distillation global_profiler hydra ray_init
ray_kwargs reward reward_model sandbox_fusion trainer transfer_queue
"""
_ASSUMED_SIZE = 8


def read(version: Version, given: Mapping[str, Json], strict: tuple[str, ...] = ()) -> Reading:
    """The setting of a verl run with these options, by their dotted names.

    verl's own ``adv_estimator``, gae, trains a value model; where none is given, grpo is assumed and said, and so is
    ``rollout.n``. Raises :class:`BadInput` for options that this version does not have, values of the wrong type and
    combinations that exclude one another or are not described.
    """
    options = Options("verl", version, TABLE, _OTHERS, _with_words(_bearing(given)), strict)
    notes = options.notes()
    estimator = options.word(_ALGO + "adv_estimator")
    if not options.is_given(_ALGO + "adv_estimator"):
        estimator = "grpo"
        notes.append(Note("Assumed algorithm.adv_estimator=grpo: verl's own default, gae, trains a value model (PPO)."))
    size = options.whole(_ROLLOUT + "n")
    if not options.is_given(_ROLLOUT + "n"):
        size = _ASSUMED_SIZE
        notes.append(Note(f"Assumed {_ROLLOUT}n={size}: with verl's own default, 1, there is no group."))
    loss = options.word(_ACTOR + "policy_loss.loss_mode")
    bypass = options.flag(_CORRECTION + "bypass_mode") or loss == "bypass_mode"
    ratio, clip = _policy(options, loss, bypass)
    setting = st.Setting(
        advantages=_advantages(options, estimator, size),
        group_size=size,
        penalty=_penalty(options, estimator),
        ratio=ratio,
        denominator=st.Denominator.SAMPLER if bypass else st.Denominator.OLD,
        log_bound=None if ratio in (st.Ratio.LOG, st.Ratio.GEOMETRIC, st.Ratio.ROOT_TOKEN) else 20,
        clip=clip,
        aggregation=_aggregation(options, loss),
        sampler_weight=None if bypass else _sampler_weight(options, loss),
        dynamic_sampling=options.flag(_ALGO + "filter_groups.enable"),
        updates=max(options.whole("data.train_batch_size") // options.whole(_ACTOR + "ppo_mini_batch_size"), 1)
        * options.whole(_ACTOR + "ppo_epochs"),
    )
    notes += _ignored(options, loss, estimator)
    notes += bent_sampler(
        [n for n, off in ((_ROLLOUT + "top_p", 1), (_ROLLOUT + "top_k", -1)) if options.number(n) != off]
    )
    return Reading("verl", ".".join(map(str, version)), setting, tuple(notes), tuple(_outside(options)))


def _bearing(given: Mapping[str, Json]) -> dict[str, Json]:
    """What is outside the sections that say what is optimised is passed over."""
    known = {option.name for option in TABLE}
    inside = (_ALGO, _ACTOR)
    apart = ("optim.", "checkpoint.", "profiler.", "fsdp_config.", "megatron.", "engine.", "router_replay.", "qat.")
    kept = {}
    for name, value in given.items():
        section = next((s for s in inside if name.startswith(s)), None)
        hidden = name.endswith("_target_") or (section is not None and name.removeprefix(section).startswith(apart))
        mistaken = section is None and name.split(".")[0] not in _SECTIONS.split()
        if name in known or mistaken or (section is not None and not hidden):
            kept[name] = value
    return kept


def _with_words(given: Mapping[str, Json]) -> dict[str, Json]:
    """A threshold may be a number or two numbers in a word."""
    name = _CORRECTION + "rollout_is_threshold"
    value = given.get(name)
    return {**given, name: str(value)} if isinstance(value, int | float) else dict(given)


def _advantages(options: Options, estimator: str, size: int) -> st.Advantages:
    scale = st.Scale(sample=True, eps=_EPS) if options.flag(_ALGO + "norm_adv_by_std_in_grpo") else None
    white = st.Whitening(sample=True, eps=_WHITE)
    if estimator in ("grpo", "grpo_vectorized"):
        return st.Advantages(scale=scale)
    if estimator == "grpo_passk":
        return st.Advantages(baseline=st.Baseline.NONE, scale=scale, pass_at_k=size)
    if estimator == "gdpo":
        weights = options.numbers(_ALGO + "gdpo_reward_weights")
        return st.Advantages(scale=scale, whitening=white, rewards=st.Rewards.EACH_FIRST, reward_weights=weights)
    if estimator == "reinforce_plus_plus_baseline":
        return st.Advantages(scale=None, whitening=white)
    if estimator == "reinforce_plus_plus":
        if options.number(_ALGO + "gamma") != 1:
            raise BadInput(f"algorithm.gamma is {options.number(_ALGO + 'gamma')}: only 1 is modelled")
        return st.Advantages(baseline=st.Baseline.NONE, scale=None, whitening=white)
    plain = {
        "rloo": st.Baseline.LEAVE_ONE_OUT,
        "rloo_vectorized": st.Baseline.LEAVE_ONE_OUT,
        "opo": st.Baseline.LENGTH_WEIGHTED,
        "remax": st.Baseline.GREEDY,
    }
    if estimator in plain:
        return st.Advantages(baseline=plain[estimator], scale=None)
    why = {"gae": "it trains a value model", "gpg": "it multiplies by the share of rewards that are not 0"}
    told = why.get(estimator, "it has a baseline a token")
    raise BadInput(f"algorithm.adv_estimator {estimator} is not modelled: {told}")


_Cut: TypeAlias = tuple[st.Number | None, st.Number | None]
_ESTIMATOR = {
    "kl": st.Estimator.K1,
    "k1": st.Estimator.K1,
    "abs": st.Estimator.ABS,
    "mse": st.Estimator.K2,
    "k2": st.Estimator.K2,
    "low_var_kl": st.Estimator.K3,
    "k3": st.Estimator.K3,
}


def _penalty(options: Options, estimator: str) -> st.Penalty | None:
    in_loss = options.flag(_ACTOR + "use_kl_loss") and options.number(_ACTOR + "kl_loss_coef") != 0
    in_reward = options.flag(_ALGO + "use_kl_in_reward") and options.number(_ALGO + "kl_ctrl.kl_coef") != 0
    if in_loss and in_reward:
        raise BadInput("use_kl_loss and use_kl_in_reward are both on: one divergence at a time is modelled")
    if not in_loss and not in_reward:
        return None
    kind = options.word(_ACTOR + "kl_loss_type" if in_loss else _ALGO + "kl_penalty")
    chosen = _ESTIMATOR[kind.removesuffix("+")]
    cut: _Cut = (-10, 10) if chosen is st.Estimator.K3 else (None, None)
    inner: _Cut = (-20, 20) if chosen is st.Estimator.K3 else (None, None)
    if in_loss:
        through = st.Gradient.K2 if kind.endswith("+") else st.Gradient.OWN
        apart = options.word(_ACTOR + "policy_loss.loss_mode") in ("sapo", "geo_mean")
        return st.Penalty(
            options.number(_ACTOR + "kl_loss_coef"),
            chosen,
            gradient=through,
            bounds=cut,
            log_bounds=inner,
            aggregation=_stated(options) if apart else None,
        )
    beta = options.number(_ALGO + "kl_ctrl.kl_coef")
    if estimator in ("reinforce_plus_plus", "remax"):
        return st.Penalty(beta, chosen, place=st.Place.ADVANTAGE, credit=st.Credit.TO_GO, bounds=cut, log_bounds=inner)
    if estimator == "gdpo":
        raise BadInput("gdpo takes rewards that know no divergence: use_kl_in_reward has no place beside it")
    return st.Penalty(beta, chosen, place=st.Place.REWARD, bounds=cut, log_bounds=inner)


def _bounds(options: Options) -> tuple[int | float, int | float]:
    both = options.number(_ACTOR + "clip_ratio")
    low, high = options.maybe_number(_ACTOR + "clip_ratio_low"), options.maybe_number(_ACTOR + "clip_ratio_high")
    return (both if low is None else low), (both if high is None else high)


def _policy(options: Options, loss: str, bypass: bool) -> tuple[st.Ratio, st.Clip]:
    low, high = _bounds(options)
    if bypass:
        if loss not in ("vanilla", "bypass_mode"):
            raise BadInput(f"bypass_mode has losses of its own: policy_loss.loss_mode {loss} has no place beside it")
        if options.word(_CORRECTION + "loss_type") == "ppo_clip":
            return st.Ratio.TOKEN, st.RatioClip(low, high, dual=options.number(_ACTOR + "clip_ratio_c"))
        if options.maybe_word(_CORRECTION + "rollout_is") != "token":
            raise BadInput("bypass_mode with reinforce is modelled for rollout_is=token only")
        lower, upper = _threshold(options)
        if lower is not None:
            raise BadInput("a rollout_is_threshold with two bounds masks the weight of π itself: that is not modelled")
        return st.Ratio.TOKEN, st.CappedWeight(cap=upper)
    if loss == "vanilla":
        return st.Ratio.TOKEN, st.RatioClip(low, high, dual=options.number(_ACTOR + "clip_ratio_c"))
    if loss == "gspo":
        return st.Ratio.ROOT_TOKEN, st.RatioClip(low, high)
    if loss == "sapo":
        return st.Ratio.TOKEN, st.SoftGate(options.number(_ACTOR + "tau_pos"), options.number(_ACTOR + "tau_neg"))
    if loss == "cispo":
        return st.Ratio.TOKEN, st.CappedWeight(cap=1 + high, floor=max(1 - low, 0))
    if loss == "geo_mean":
        return st.Ratio.GEOMETRIC, st.LogClip(low, high)
    if loss == "gpg":
        return st.Ratio.LOG, st.NoClip()
    raise BadInput(f"policy_loss.loss_mode {loss} is not modelled: {_UNMODELLED[loss]}")


_UNMODELLED = {
    "clip_cov": "it takes the gradient of tokens away at random, by the covariance of log-probability and advantage",
    "kl_cov": "it charges the tokens of the greatest covariance of log-probability and advantage for moving",
    "dppo_tv": "it masks tokens by the difference of their probabilities and not by a ratio",
    "dppo_kl": "it masks tokens by a divergence of their probabilities and not by a ratio",
    "dro": "it charges the square of the log ratio to the old policy",
}


def _threshold(options: Options) -> tuple[float | None, float]:
    text = options.word(_CORRECTION + "rollout_is_threshold")
    try:
        numbers = [float(part) for part in text.split("_")]
    except ValueError:
        numbers = []
    if len(numbers) not in (1, 2):
        raise BadInput(f"rollout_is_threshold is {text!r}: expected a number, or two such as 0.5_5.0")
    return (numbers[0], numbers[1]) if len(numbers) == 2 else (None, numbers[0])


def _sampler_weight(options: Options, loss: str) -> st.SamplerWeight | None:
    if options.maybe_word(_CORRECTION + "rollout_rs") is not None:
        raise BadInput("rollout_correction.rollout_rs rejects texts by a divergence: that is not modelled")
    level = options.maybe_word(_CORRECTION + "rollout_is")
    if level is None:
        return None
    if options.flag(_CORRECTION + "rollout_is_batch_normalize"):
        raise BadInput("rollout_is_batch_normalize divides the weights by their mean: that is not modelled")
    if loss == "geo_mean":
        raise BadInput("geo_mean takes the geometric mean of the sampler's weights: that is not modelled")
    lower, upper = _threshold(options)
    return st.SamplerWeight(
        st.WeightLevel.TOKEN if level == "token" else st.WeightLevel.TEXT,
        st.WeightMode.TRUNCATE if lower is None else st.WeightMode.MASK,
        upper=upper,
        lower=lower,
    )


def _aggregation(options: Options, loss: str) -> st.Aggregation:
    """sapo averages over texts that have tokens, geo_mean over all texts, whatever ``loss_agg_mode`` says."""
    if loss in ("sapo", "geo_mean"):
        return st.Aggregation(st.Over.TEXT_MEAN, empty_count=loss == "geo_mean")
    return _stated(options)


def _stated(options: Options) -> st.Aggregation:
    mode = options.word(_ACTOR + "loss_agg_mode")
    if mode == "seq-mean-token-sum-norm":
        length = options.maybe_whole(_ACTOR + "loss_scale_factor") or options.whole("data.max_response_length")
        return st.Aggregation(st.Over.CONSTANT, length=length, empty_count=False)
    over = {
        "token-mean": st.Over.BATCH_TOKENS,
        "token-sum": st.Over.SUM,
        "seq-mean-token-sum": st.Over.TEXT_SUM,
        "seq-mean-token-mean": st.Over.TEXT_MEAN,
    }
    return st.Aggregation(over[mode], empty_count=False)


def _ignored(options: Options, loss: str, estimator: str) -> list[Note]:
    notes = []
    if not options.flag(_ACTOR + "use_kl_loss"):
        notes += options.ignored("use_kl_loss is off", _ACTOR + "kl_loss_coef", _ACTOR + "kl_loss_type")
    elif options.number(_ACTOR + "kl_loss_coef") == 0:
        why = "kl_loss_coef is 0, so there is no divergence in the loss"
        notes += options.ignored(why, _ACTOR + "use_kl_loss", _ACTOR + "kl_loss_type")
    if not options.flag(_ALGO + "use_kl_in_reward"):
        notes += options.ignored("use_kl_in_reward is off", _ALGO + "kl_penalty", _ALGO + "kl_ctrl.kl_coef")
    elif options.number(_ALGO + "kl_ctrl.kl_coef") == 0:
        why = "kl_ctrl.kl_coef is 0, so there is no divergence in the reward"
        notes += options.ignored(why, _ALGO + "use_kl_in_reward", _ALGO + "kl_penalty")
    if loss in ("sapo", "geo_mean"):
        why = f"{loss} is averaged over texts; only a divergence in the loss heeds it"
        notes += options.ignored(why, _ACTOR + "loss_agg_mode")
    if options.is_given(_ACTOR + "clip_ratio") and None not in (
        options.maybe_number(_ACTOR + "clip_ratio_low"),
        options.maybe_number(_ACTOR + "clip_ratio_high"),
    ):
        notes += options.ignored("clip_ratio_low and clip_ratio_high are set, to 0.2 by default", _ACTOR + "clip_ratio")
    if loss not in ("vanilla", "bypass_mode"):
        notes += options.ignored(f"{loss} has no dual clip", _ACTOR + "clip_ratio_c")
    if loss != "sapo":
        notes += options.ignored(f"the loss is {loss}", _ACTOR + "tau_pos", _ACTOR + "tau_neg")
    if not estimator.startswith(("grpo", "gdpo")):
        notes += options.ignored(f"{estimator} is not divided by a deviation", _ALGO + "norm_adv_by_std_in_grpo")
    return notes


def _outside(options: Options) -> list[str]:
    found = []
    if options.number(_ACTOR + "entropy_coeff") != 0:
        found.append(f"an entropy bonus of {options.number(_ACTOR + 'entropy_coeff')} times the entropy of the tokens")
    if options.word(_ALGO + "kl_ctrl.type") == "adaptive" and options.flag(_ALGO + "use_kl_in_reward"):
        found.append("β adapts to a target divergence (kl_ctrl.type=adaptive)")
    if options.flag(_ALGO + "use_pf_ppo"):
        found.append("texts are resampled by their rewards (use_pf_ppo)")
    return found
