"""verl's configuration (Hydra) as settings, version 0.9, read off ``core_algos.py``, ``losses.py`` and the defaults.

Names are the dotted ones of the command line, such as ``actor_rollout_ref.actor.clip_ratio``.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction
from typing import TypeAlias

from grpo_symbolic import setting as st
from grpo_symbolic.errors import BadInput
from grpo_symbolic.scalars import Json
from grpo_symbolic.trainers.options import BOTH, Aside, LeftOut, OfRun, Option, Options, Part, Trainer
from grpo_symbolic.trainers.releases import Version, releases_of

__all__ = ["ESTIMATORS", "TRAINER"]

# The trainer's names for words of a setting.
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
ESTIMATORS = {  # by their names here and in slime
    **{name: st.Estimator.K1 for name in ("kl", "k1")},
    "abs": st.Estimator.ABS,
    **{name: st.Estimator.K2 for name in ("mse", "k2")},
    **{name: st.Estimator.K3 for name in ("low_var_kl", "k3")},
}
_KL_PLUS = (*ESTIMATORS, "kl+", "k1+", "abs+", "low_var_kl+", "k3+")
_MODES = ("token-mean", "token-sum", "seq-mean-token-sum", "seq-mean-token-mean", "seq-mean-token-sum-norm")

TABLE = (
    Option(_ALGO + "adv_estimator", "word", words=_ESTIMATORS),
    Option(_ALGO + "norm_adv_by_std_in_grpo", "flag"),
    Option(_ALGO + "gamma", "number"),
    Option(_ALGO + "use_kl_in_reward", "flag"),
    Option(_ALGO + "kl_penalty", "word", words=_KL_PLUS),
    Option(_ALGO + "kl_ctrl.type", "word", words=("fixed", "adaptive")),
    Option(_ALGO + "kl_ctrl.kl_coef", "number"),
    Option(_ALGO + "filter_groups.enable", "flag"),
    Option(_ALGO + "use_pf_ppo", "flag"),
    Option(_ALGO + "gdpo_reward_weights", "numbers", optional=True),
    Option(_CORRECTION + "rollout_is", "word", optional=True, words=("token", "sequence")),
    Option(_CORRECTION + "rollout_is_threshold", "word"),
    Option(_CORRECTION + "rollout_is_batch_normalize", "flag"),
    Option(_CORRECTION + "rollout_rs", "word", optional=True),
    Option(_CORRECTION + "bypass_mode", "flag"),
    Option(_CORRECTION + "loss_type", "word", words=("ppo_clip", "reinforce")),
    Option(_ACTOR + "clip_ratio", "number"),
    Option(_ACTOR + "clip_ratio_low", "number", optional=True),
    Option(_ACTOR + "clip_ratio_high", "number", optional=True),
    Option(_ACTOR + "clip_ratio_c", "number"),
    Option(_ACTOR + "tau_pos", "number"),
    Option(_ACTOR + "tau_neg", "number"),
    Option(_ACTOR + "loss_agg_mode", "word", words=_MODES),
    Option(_ACTOR + "loss_scale_factor", "whole", optional=True),
    Option(_ACTOR + "policy_loss.loss_mode", "word", words=_LOSSES),
    Option(_ACTOR + "use_kl_loss", "flag"),
    Option(_ACTOR + "kl_loss_coef", "number"),
    Option(_ACTOR + "kl_loss_type", "word", words=_KL_PLUS),
    Option(_ACTOR + "entropy_coeff", "number"),
    Option(_ACTOR + "ppo_epochs", "whole"),
    Option(_ACTOR + "ppo_mini_batch_size", "whole"),
    Option("trainer.use_v1", "flag"),
    Option("data.train_batch_size", "whole"),
    Option("data.max_response_length", "whole"),
    Option(_ROLLOUT + "n", "whole"),
    Option(_ROLLOUT + "temperature", "number"),
    Option(_ROLLOUT + "top_p", "number"),
    Option(_ROLLOUT + "top_k", "number"),
)


def _at(section: str, names: str) -> str:
    """The names in a section."""
    return " ".join(section + name for name in names.split())


LEFT_OUT = (
    LeftOut(_ACTOR + "entropy_coeff", "an entropy bonus of {value} times the entropy of the tokens", BOTH),
    LeftOut(_ALGO + "kl_ctrl.type", "β adapts to a target divergence", BOTH, ("fixed",), _ALGO + "use_kl_in_reward"),
    LeftOut(_ALGO + "use_pf_ppo", "texts are resampled by their rewards", BOTH),
    LeftOut(_ALGO + "pf_ppo.*", "how texts are resampled", BOTH, under=_ALGO + "use_pf_ppo"),
    LeftOut.temperature(_ROLLOUT + "temperature"),
    LeftOut.cut(_ROLLOUT + "top_p", 1),
    LeftOut.cut(_ROLLOUT + "top_k", -1),
    LeftOut(_ROLLOUT + "do_sample", "the likeliest text is taken, not a sample of π", (Part.END,), (True,)),
    LeftOut(_ROLLOUT + "over_sample_rate", "texts that take longest are dropped", (Part.END,)),
    LeftOut("*overlong*.enable", "texts that are too long lose reward", (Part.END,)),
    LeftOut("*overlong_buffer*", "how much reward a long text loses", (Part.END,)),
    LeftOut("*reward_manager reward.reward_manager.name", "a reward manager of its own", (Part.END,), (None, "naive")),
    LeftOut("trainer.v1.trainer_mode", "samples come from older policies ({value})", (Part.END, Part.PACE), ("sync",)),
    LeftOut("async_training.*", "samples come from older policies", (Part.END, Part.PACE), (None, False)),
    LeftOut("trainer.v1.sampler.custom_sampler.*", "which texts are trained on", (Part.END,)),
    LeftOut("distillation.enabled", "a loss of distillation is added", BOTH),
    LeftOut("distillation.*", "how it is distilled", BOTH, (None, False, 0), "distillation.enabled"),
    LeftOut("*.mtp.enable*", "a loss of heads that predict several tokens", BOTH),
    LeftOut("*.router_replay.mode", "experts are chosen as the sampler chose them", (), (None, "disabled")),
    LeftOut("*.qat.enable", "the policy is trained as if it were quantised", ()),
    LeftOut("*.qat", "the policy is trained as if it were quantised", ()),
    LeftOut.optimiser(
        _ACTOR + "optim.* " + _ACTOR + "grad_clip " + "trainer.total_epochs trainer.total_training_steps"
    ),
)
ASIDES = (
    Aside("only estimators with a value model have it", _ALGO + "lam critic.*"),
    Aside("adaptive β alone has it", _ALGO + "kl_ctrl.horizon " + _ALGO + "kl_ctrl.target_kl"),
    Aside("how many batches are drawn to fill one", _ALGO + "filter_groups.max_*"),
    Aside("by which reward groups count as equal", _ALGO + "filter_groups.metric"),
    Aside("names of the rewards", _ALGO + "gdpo_reward_keys"),
    Aside("rollout_rs has it, which is refused", _CORRECTION + "rollout_rs_threshold"),
    Aside(
        "losses that are refused have it",
        _at(_ACTOR + "policy_loss.", "clip_cov_* dro_beta kl_cov_ratio ppo_kl_coef"),
    ),
    Aside(
        "memory, speed and precision",
        _at(
            _ACTOR,
            "calculate_* entropy_* ppo_infer_* ppo_max_token_len_per_gpu ppo_micro_batch_size* rollout_n strategy "
            "ulysses_sequence_parallel_size use_dynamic_bsz use_fused_kernels use_prefix_grouper use_remove_padding "
            "use_torch_compile pad_to_length fsdp_config.* megatron.* engine.* veomni.* torchtitan.* mindspeed.* "
            "automodel.* mtp.* qat.* router_replay.*",
        )
        + " actor_rollout_ref.nccl_timeout actor_rollout_ref.hybrid_engine actor_rollout_ref.layered_summon",
    ),
    Aside("which random numbers are drawn, and in which order", _ACTOR + "shuffle " + _ACTOR + "data_loader_seed"),
    Aside(
        "which parameters there are and move: the theory is about probabilities",
        "actor_rollout_ref.model.* " + _ACTOR + "freeze_vision_tower model_engine",
    ),
    Aside("what is saved and how fast it runs", _ACTOR + "checkpoint.* " + _ACTOR + "profiler.* trainer.*"),
    Aside("the engine that samples, and how texts are made", "actor_rollout_ref.rollout.*"),
    Aside("how the reference is computed", "actor_rollout_ref.ref.*"),
    Aside("which prompts come, and how long they may be", "data.*"),
    Aside(
        "what rewards a text: pass rates are measured with it",
        "custom_reward_function.* reward.* reward_model.* sandbox_fusion.*",
    ),
    Aside(
        "where and how it runs",
        "global_profiler.* ray_init.* ray_kwargs.* transfer_queue.* skip.* hydra.* defaults distillation *._target_ "
        "prometheus.* checkpoint_engine.* rollout.n_gpus_per_node rollout.nnodes",
    ),
)


def _options(trainer: Trainer, version: Version, given: Mapping[str, Json], strict: Iterable[str]) -> Options:
    """A threshold may be a number or two numbers in a word."""
    name = _CORRECTION + "rollout_is_threshold"
    value = given.get(name)
    return Options(trainer, version, {**given, name: str(value)} if isinstance(value, int | float) else given, strict)


def _setting_of(options: Options) -> st.Setting:
    options.assume(_ALGO + "adv_estimator", "grpo", "verl's own default, gae, trains a value model (PPO)")
    estimator = options.word(_ALGO + "adv_estimator")
    size = options.group_size(_ROLLOUT + "n")
    loss = options.word(_ACTOR + "policy_loss.loss_mode")
    bypass = options.flag(_CORRECTION + "bypass_mode") or loss == "bypass_mode"
    filtered = options.flag(_ALGO + "filter_groups.enable")
    if filtered and not options.flag("trainer.use_v1"):
        options.ignored("the trainer of use_v1=False filters no groups", _ALGO + "filter_groups.enable")
    if filtered and options.version < (0, 9, 1) and not options.raw(_ALGO + "filter_groups.metric"):
        raise BadInput("filter_groups.enable needs algorithm.filter_groups.metric in verl 0.9.0, such as acc")
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
        dynamic_sampling=filtered and options.flag("trainer.use_v1"),
        updates=max(options.whole("data.train_batch_size") // options.count(_ACTOR + "ppo_mini_batch_size"), 1)
        * options.whole(_ACTOR + "ppo_epochs"),
    )
    _ignore(options, loss, estimator)
    options.note_cut()
    return setting


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
    reason = why.get(estimator, "it has a baseline a token")
    raise BadInput(f"algorithm.adv_estimator {estimator} is not modelled: {reason}")


_Cut: TypeAlias = tuple[st.Number | None, st.Number | None]


def _penalty(options: Options, estimator: str) -> st.Penalty | None:
    in_loss = options.flag(_ACTOR + "use_kl_loss") and options.number(_ACTOR + "kl_loss_coef") != 0
    in_reward = options.flag(_ALGO + "use_kl_in_reward") and options.number(_ALGO + "kl_ctrl.kl_coef") != 0
    if in_loss and in_reward:
        raise BadInput("use_kl_loss and use_kl_in_reward are both on: one divergence at a time is modelled")
    if not in_loss and not in_reward:
        return None
    kind = options.word(_ACTOR + "kl_loss_type" if in_loss else _ALGO + "kl_penalty")
    chosen = ESTIMATORS[kind.removesuffix("+")]
    cut: _Cut = (-10, 10) if chosen is st.Estimator.K3 else (None, None)
    inner: _Cut = (-20, 20) if chosen is st.Estimator.K3 else (None, None)
    if in_loss:
        through = st.Gradient.K2 if kind.endswith("+") else st.Gradient.OWN
        by_text = _by_text(options, options.word(_ACTOR + "policy_loss.loss_mode"))
        return st.Penalty(
            options.number(_ACTOR + "kl_loss_coef"),
            chosen,
            gradient=through,
            bounds=cut,
            log_bounds=inner,
            aggregation=_stated(options) if by_text else None,
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
    """Before 0.9.1 gspo, and always sapo, averages over texts that have tokens, geo_mean over all texts, whatever
    ``loss_agg_mode`` is.
    """
    if _by_text(options, loss):
        return st.Aggregation(st.Over.TEXT_MEAN, empty_count=loss == "geo_mean")
    return _stated(options)


def _by_text(options: Options, loss: str) -> bool:
    return loss in ("sapo", "geo_mean") or (loss == "gspo" and options.version < (0, 9, 1))


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


def _ignore(options: Options, loss: str, estimator: str) -> None:
    if not options.flag(_ACTOR + "use_kl_loss"):
        options.ignored("use_kl_loss is off", _ACTOR + "kl_loss_coef", _ACTOR + "kl_loss_type")
    elif options.number(_ACTOR + "kl_loss_coef") == 0:
        why = "kl_loss_coef is 0, so there is no divergence in the loss"
        options.ignored(why, _ACTOR + "use_kl_loss", _ACTOR + "kl_loss_type")
    if not options.flag(_ALGO + "use_kl_in_reward"):
        options.ignored("use_kl_in_reward is off", _ALGO + "kl_penalty", _ALGO + "kl_ctrl.kl_coef")
    elif options.number(_ALGO + "kl_ctrl.kl_coef") == 0:
        why = "kl_ctrl.kl_coef is 0, so there is no divergence in the reward"
        options.ignored(why, _ALGO + "use_kl_in_reward", _ALGO + "kl_penalty")
    if _by_text(options, loss):
        why = f"{loss} is averaged over texts; only a divergence in the loss heeds it"
        options.ignored(why, _ACTOR + "loss_agg_mode")
    if options.is_given(_ACTOR + "clip_ratio") and None not in (
        options.maybe_number(_ACTOR + "clip_ratio_low"),
        options.maybe_number(_ACTOR + "clip_ratio_high"),
    ):
        options.ignored("clip_ratio_low and clip_ratio_high are set, to 0.2 by default", _ACTOR + "clip_ratio")
    if loss not in ("vanilla", "bypass_mode"):
        options.ignored(f"{loss} has no dual clip", _ACTOR + "clip_ratio_c")
    if loss != "sapo":
        options.ignored(f"the loss is {loss}", _ACTOR + "tau_pos", _ACTOR + "tau_neg")
    if not estimator.startswith(("grpo", "gdpo")):
        options.ignored(f"{estimator} is not divided by a deviation", _ALGO + "norm_adv_by_std_in_grpo")


TRAINER = Trainer(
    releases_of("verl", "verl"),
    TABLE,
    ASIDES,
    LEFT_OUT,
    _setting_of,
    NAMES,
    OfRun("data.train_batch_size", "data.max_response_length", _ACTOR + "optim.lr"),
    nested=True,
    mark="actor_rollout_ref",
    options_of=_options,
)
