"""A setting in words and in formulas: what a run optimises, its loss, and the gradient where all policies are one."""

from __future__ import annotations

from grpo_symbolic import setting as st

__all__ = ["assumed", "formulas", "gradient", "left_out", "number", "sentence"]

_SMALL = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


def number(value: st.Number) -> str:
    """A number as it is written by hand.

    >>> number(0.04), number(1e-4), number(3.0)
    ('0.04', '10⁻⁴', '3')
    """
    text = f"{float(value):.6g}"
    mantissa, _, exponent = f"{float(value):e}".partition("e")
    if abs(float(value)) >= 1e-3 or value == 0:
        return text
    power = f"10{str(int(exponent)).translate(_SMALL)}"
    lead = f"{float(mantissa):g}"
    return power if lead == "1" else f"{lead}·{power}"


_BASELINE_WORDS = {
    st.Baseline.GROUP_MEAN: "less the mean of its group of {size}",
    st.Baseline.LEAVE_ONE_OUT: "less the mean of the other {others} texts of its group",
    st.Baseline.LENGTH_WEIGHTED: "less the length-weighted mean of its group of {size}",
    st.Baseline.GREEDY: "less the reward of the greedy text",
    st.Baseline.BATCH_MEAN: "less the mean of the batch",
    st.Baseline.NONE: "without a baseline",
}
_OF = {
    st.Population.GROUP: "the group's",
    st.Population.OTHERS: "the other texts'",
    st.Population.BATCH: "the batch's",
}


def sentence(of: st.Setting) -> str:
    """One plain sentence on what a run with this setting optimises."""
    parts = [f"This run raises the probability of each text by {_advantage_words(of)}", _ratio_words(of)]
    parts.append(_OVER_WORDS[of.aggregation.over].format(length=of.aggregation.length))
    parts.append(_penalty_words(of.penalty))
    if of.dynamic_sampling:
        parts.append("and groups of equal rewards are dropped and replaced")
    return ", ".join(parts) + "."


def _advantage_words(of: st.Setting) -> str:
    how = of.advantages
    if how.pass_at_k is not None:
        text = f"what it adds to the best reward of {how.pass_at_k} of its group of {of.group_size}"
    elif how.rewards is st.Rewards.EACH_FIRST:
        text = f"its rewards, each centred and divided over the group of {of.group_size} and then summed"
    else:
        text = "its reward " + _BASELINE_WORDS[how.baseline].format(size=of.group_size, others=of.group_size - 1)
    if how.scale is not None and how.rewards is not st.Rewards.EACH_FIRST:
        kind = "sample deviation" if how.scale.sample else "deviation"
        text += f", divided by {_OF[how.scale.of]} {kind}{_guard_words(how.scale)}"
    if how.whitening is not None:
        verb = "whitened" if how.whitening.scale else "centred"
        text += f", {verb} over the {how.whitening.over.value} of the batch"
    return text


def _guard_words(scale: st.Scale) -> str:
    if not scale.eps:
        return ""
    if scale.guard is st.Guard.OUTSIDE:
        return f" + {number(scale.eps)}"
    how = "added to" if scale.guard is st.Guard.INSIDE else "as the least of"
    return f", with {number(scale.eps)} {how} the variance"


_RATIO_WORDS = {
    st.Ratio.TOKEN: "the ratio of each token",
    st.Ratio.TEXT: "the ratio of each text",
    st.Ratio.ROOT: "the |o|-th root of each text's ratio",
    st.Ratio.ROOT_TOKEN: "the |o|-th root of each text's ratio with the gradient of the token",
    st.Ratio.GEOMETRIC: "the geometric mean of the tokens' ratios",
}


def _ratio_words(of: st.Setting) -> str:
    if of.ratio is st.Ratio.LOG:
        return "weighing the log-probability of each token"
    text = f"weighed by {_RATIO_WORDS[of.ratio]}"
    if of.denominator is st.Denominator.CURRENT:
        return text + ", which is 1"
    clip = of.clip
    if isinstance(clip, st.RatioClip):
        text += f" clipped to [{_low(clip)}, {_high(clip)}]"
        if clip.dual is not None:
            text += f" and, for A < 0, to at most {number(clip.dual)}"
        if clip.delta is not None:
            text += f" and to at most {number(clip.delta)}"
    elif isinstance(clip, st.LogClip):
        text += f", clipped to [e^−{number(clip.low)}, e^{number(clip.high)}]"
    elif isinstance(clip, st.CappedWeight):
        text += f" as a detached weight of at most {_or_infinite(clip.cap)}"
    elif isinstance(clip, st.SoftGate):
        text += " through a soft gate"
    if of.sampler_weight is not None:
        text += ", corrected for the engine that sampled"
    return text


def _low(clip: st.RatioClip) -> str:
    low, _ = clip.bounds
    return "0" if low is None or low <= 0 else number(low)


def _high(clip: st.RatioClip) -> str:
    return _or_infinite(clip.bounds[1])


def _or_infinite(bound: st.Number | None) -> str:
    return "∞" if bound is None else number(bound)


_OVER_WORDS = {
    st.Over.TEXT_MEAN: "averaged over the tokens of each text and then over texts",
    st.Over.PROMPT_TOKENS: "averaged over the tokens of each prompt and then over prompts",
    st.Over.BATCH_TOKENS: "averaged over all tokens of the batch",
    st.Over.CONSTANT: "summed over tokens and divided by the constant {length} and the number of texts",
    st.Over.TEXT_SUM: "summed over tokens and averaged over texts",
    st.Over.SUM: "summed over all tokens",
}


def _penalty_words(penalty: st.Penalty | None) -> str:
    if penalty is None:
        return "with no divergence from a reference (β = 0)"
    strength = f"β = {number(penalty.beta)} times {penalty.estimator.value}"
    if penalty.place is st.Place.REWARD:
        return f"with {strength} charged to the reward before it is normalised"
    if penalty.place is st.Place.ADVANTAGE:
        return f"with {strength} charged to the advantage after it is normalised"
    weight = {
        st.PenaltyWeight.RATIO: " times the ratio",
        st.PenaltyWeight.SCORE: " times π/sg(π)",
        st.PenaltyWeight.SAMPLER: " times π/π_sampler",
        st.PenaltyWeight.SAMPLER_DETACHED: " times sg(π/π_sampler)",
    }.get(penalty.weight, "")
    through = ", with the gradient of k2" if penalty.gradient is not st.Gradient.OWN else ""
    return f"with {strength}{weight} in the loss{through}"


def assumed(of: st.Setting, tokens: int = 1) -> tuple[str, ...]:
    """What the theory of one prompt, whose texts have ``tokens`` tokens, leaves out of a setting: a phrase each."""
    length = "one token" if tokens == 1 else f"{tokens} tokens"
    phrases = [f"texts of {length}, where {_AS_MEAN[of.aggregation.over]} is the mean over texts"]
    return (*phrases, *_sampled(of), *left_out(of))


def _sampled(of: st.Setting) -> list[str]:
    if of.ratio is st.Ratio.LOG or of.denominator is st.Denominator.CURRENT or of.updates == 1:
        return ["samples of the policy itself"]
    return [f"samples of the policy itself, though the run takes {of.updates} steps on a batch of them"]


def left_out(of: st.Setting) -> tuple[str, ...]:
    """What a setting has that every prediction leaves out, a phrase each."""
    phrases = []
    if of.sampler_weight is not None or of.denominator is st.Denominator.SAMPLER:
        phrases.append("an engine that samples from π_old itself, so that its weight is 1")
    if of.advantages.baseline in (st.Baseline.GREEDY, st.Baseline.BATCH_MEAN, st.Baseline.NONE):
        phrases.append("any baseline that does not know the text's own reward counted as the mean of the other texts")
    if of.advantages.baseline is st.Baseline.LENGTH_WEIGHTED:
        phrases.append("texts of one length, where the length-weighted mean is the mean")
    penalty = of.penalty
    if penalty is not None:
        if penalty.bounds != (None, None) or penalty.log_bounds != (None, None) or penalty.gradient_cap is not None:
            phrases.append(f"{penalty.estimator.value} where it is not cut off")
        if penalty.gradient is not st.Gradient.OWN:
            phrases.append("the penalty by its gradient, which is that of k2, and not by its value")
    return tuple(phrases)


_AS_MEAN = {
    st.Over.TEXT_MEAN: "1/|o|",
    st.Over.PROMPT_TOKENS: "the token mean of a prompt",
    st.Over.BATCH_TOKENS: "the token mean of the batch",
    st.Over.CONSTANT: "the constant length, up to a factor,",
    st.Over.TEXT_SUM: "the token sum",
    st.Over.SUM: "the sum, up to a factor,",
}


def formulas(of: st.Setting) -> list[str]:
    """The loss, and below it what its letters stand for, in Unicode."""
    own = None if of.penalty is None else of.penalty.aggregation
    charge = ""
    if of.penalty is not None and of.penalty.place is st.Place.LOSS:
        charge = f"{number(of.penalty.beta)}·{_estimate(of, of.penalty)}"
    term = _term(of)
    if own is not None and charge:
        head = f"L = −{_sum(of.aggregation)} {term} + {_sum(own)} {charge}"
    elif charge:
        head = f"L = −{_sum(of.aggregation)} ( {term} − {charge} )"
    else:
        head = f"L = −{_sum(of.aggregation)} {term}"
    return [head, *(f"    {line}" for line in _letters(of))]


def _sum(how: st.Aggregation) -> str:
    return {
        st.Over.TEXT_MEAN: "1/B Σᵢ 1/|oᵢ| Σₜ",
        st.Over.PROMPT_TOKENS: "1/P Σ_q 1/|q| Σ_{i∈q} Σₜ",
        st.Over.BATCH_TOKENS: "1/Σᵢ|oᵢ| Σᵢ Σₜ",
        st.Over.CONSTANT: f"1/({how.length}·B) Σᵢ Σₜ",
        st.Over.TEXT_SUM: "1/B Σᵢ Σₜ",
        st.Over.SUM: "Σᵢ Σₜ",
    }[how.over]


def _by_token(of: st.Setting) -> bool:
    penalty = of.penalty
    return penalty is not None and penalty.place is st.Place.ADVANTAGE and penalty.credit is not st.Credit.TEXT


def _a(of: st.Setting) -> str:
    return "Aᵢₜ" if _by_token(of) else "Aᵢ"


def _rho(of: st.Setting) -> str:
    return "ρᵢₜ" if of.ratio in (st.Ratio.TOKEN, st.Ratio.ROOT_TOKEN) else "ρᵢ"


def _term(of: st.Setting) -> str:
    rho, a, clip = _rho(of), _a(of), of.clip
    weight = "" if of.sampler_weight is None else f"{_weight_letter(of.sampler_weight)} "
    if of.ratio is st.Ratio.LOG:
        return f"{weight}{a} log π(oᵢₜ)"
    if isinstance(clip, st.RatioClip):
        first = rho if clip.delta is None else f"min({rho}, {number(clip.delta)})"
        least = f"min( {first} {a}, clip({rho}, {_low(clip)}, {_high(clip)}) {a} )"
        return weight + (least if clip.dual is None else f"[ {least}, at least {number(clip.dual)} {a} where {a} < 0 ]")
    if isinstance(clip, st.CappedWeight):
        low = "0" if clip.floor is None else number(clip.floor)
        return f"{weight}sg(clip({rho}, {low}, {_or_infinite(clip.cap)})) {a} log π(oᵢₜ)"
    if isinstance(clip, st.SoftGate):
        return f"{weight}4/τ σ(τ({rho} − 1)) {a}"
    return f"{weight}{rho} {a}"


_K = {
    st.Estimator.K1: "dᵢₜ",
    st.Estimator.ABS: "|dᵢₜ|",
    st.Estimator.K2: "dᵢₜ²/2",
    st.Estimator.K3: "(e^(−dᵢₜ) + dᵢₜ − 1)",
}


def _estimate(of: st.Setting, penalty: st.Penalty) -> str:
    weight = {
        st.PenaltyWeight.NONE: "",
        st.PenaltyWeight.RATIO: f"{_rho(of)} ",
        st.PenaltyWeight.SCORE: "(π/sg(π)) ",
        st.PenaltyWeight.SAMPLER: "(π/π_sampler) ",
        st.PenaltyWeight.SAMPLER_DETACHED: "sg(π/π_sampler) ",
    }[penalty.weight]
    return weight + _K[penalty.estimator]


def _letters(of: st.Setting) -> list[str]:
    lines = [f"{_a(of)} = {_advantage_formula(of)}"]
    if of.advantages.reward_weights:
        weights = ", ".join(number(w) for w in of.advantages.reward_weights)
        lines.append(
            f"rᵢ = Σₖ wₖ rᵢₖ, w = ({weights})" if of.advantages.rewards is st.Rewards.SUM_FIRST else f"w = ({weights})"
        )
    below = {st.Denominator.OLD: "π_old", st.Denominator.SAMPLER: "π_sampler", st.Denominator.CURRENT: "sg(π)"}[
        of.denominator
    ]
    ratios = {
        st.Ratio.TOKEN: f"ρᵢₜ = π(oᵢₜ)/{below}(oᵢₜ)",
        st.Ratio.TEXT: f"ρᵢ = π(oᵢ)/{below}(oᵢ)",
        st.Ratio.ROOT: f"ρᵢ = (π(oᵢ)/{below}(oᵢ))^(1/|oᵢ|)",
        st.Ratio.ROOT_TOKEN: f"ρᵢₜ = sg((π(oᵢ)/{below}(oᵢ))^(1/|oᵢ|)) · π(oᵢₜ)/sg(π(oᵢₜ))",
        st.Ratio.GEOMETRIC: f"ρᵢ = (Πₜ clipped π(oᵢₜ)/{below}(oᵢₜ))^(1/|oᵢ|)",
    }
    if of.ratio is not st.Ratio.LOG:
        lines.append(
            ratios[of.ratio] + ("" if of.log_bound is None else f", |log ρ| cut off at {number(of.log_bound)}")
        )
    if isinstance(of.clip, st.SoftGate):
        lines.append(
            f"τ = {number(of.clip.tau_pos)} for A > 0, else {number(of.clip.tau_neg)}; σ the logistic function"
        )
    if of.sampler_weight is not None:
        lines.append(_weight_formula(of.sampler_weight))
    if of.penalty is not None:
        lines.append(_distance_formula(of.penalty))
    if of.aggregation.over in (st.Over.TEXT_MEAN, st.Over.TEXT_SUM, st.Over.CONSTANT):
        lines.append("B the number of texts" + ("" if of.aggregation.empty_count else " that have a token"))
    return lines


def _distance_formula(penalty: st.Penalty) -> str:
    text = "dᵢₜ = log π(oᵢₜ) − log π_ref(oᵢₜ)" + ("" if penalty.place is st.Place.LOSS else ", at π_old")
    lower, upper = penalty.log_bounds
    if (lower, upper) != (None, None):
        text += f", cut off to {_interval(None if upper is None else -upper, None if lower is None else -lower)}"
    if penalty.bounds != (None, None):
        text += f"; {penalty.estimator.value} cut off to {_interval(*penalty.bounds)}"
    return text


def _interval(lower: st.Number | None, upper: st.Number | None) -> str:
    return f"[{'−∞' if lower is None else number(lower)}, {_or_infinite(upper)}]"


def _weight_letter(weight: st.SamplerWeight) -> str:
    return "wᵢₜ" if weight.level is st.WeightLevel.TOKEN else "wᵢ"


def _weight_formula(weight: st.SamplerWeight) -> str:
    what = "(oᵢₜ)" if weight.level is st.WeightLevel.TOKEN else "(oᵢ)"
    bounds = f"[{number(weight.lower or 0)}, {_or_infinite(weight.upper)}]"
    outside = "cut off outside" if weight.mode is st.WeightMode.TRUNCATE else "0 outside"
    if weight.by_text_mean:
        outside = "0 for texts whose geometric mean lies outside"
    return f"{_weight_letter(weight)} = sg(π_old{what}/π_sampler{what}), {outside} {bounds}"


def _advantage_formula(of: st.Setting) -> str:
    how, penalty = of.advantages, of.penalty
    charge = number(penalty.beta) + "·Σₜ " + _K[penalty.estimator] if penalty is not None else ""
    reward = f"(rᵢ − {charge})" if penalty is not None and penalty.place is st.Place.REWARD else "rᵢ"
    if how.pass_at_k is not None:
        made = f"mean over S of max r(S ∪ i) − max r(S), |S| = {how.pass_at_k - 1}"
    elif how.rewards is st.Rewards.EACH_FIRST:
        made = f"Σₖ wₖ (rᵢₖ − mean_group rₖ){_divided(how.scale)}"
    else:
        baseline = {
            st.Baseline.GROUP_MEAN: " − mean_group r",
            st.Baseline.LEAVE_ONE_OUT: " − mean_others r",
            st.Baseline.LENGTH_WEIGHTED: " − Σ|oⱼ|rⱼ/Σ|oⱼ|",
            st.Baseline.GREEDY: " − r(greedy)",
            st.Baseline.BATCH_MEAN: " − mean_batch r",
            st.Baseline.NONE: "",
        }[how.baseline]
        made = f"{reward}{baseline}"
        if how.scale is not None:
            made = f"({made}){_divided(how.scale)}"
    if penalty is not None and penalty.place is st.Place.ADVANTAGE:
        over = {st.Credit.TEXT: "Σₛ", st.Credit.TO_GO: "Σ_{s≥t}", st.Credit.TOKEN: ""}[penalty.credit]
        what = _K[penalty.estimator] if penalty.credit is st.Credit.TOKEN else _K[penalty.estimator].replace("ₜ", "ₛ")
        made += f" − {number(penalty.beta)}·{over}{what}"
    return made if how.whitening is None else _white_formula(how.whitening, made)


def _white_formula(how: st.Whitening, made: str) -> str:
    where = f"over {'tokens' if how.over is st.Elements.TOKENS else 'texts'} of the batch"
    if not how.scale:
        return f"[ {made} ], centred {where}"
    kind = "sample std" if how.sample else "std"
    return f"[ {made} ], centred {where} and divided by {_with_guard(kind, how.eps, how.guard)}"


def _divided(scale: st.Scale | None) -> str:
    if scale is None:
        return ""
    kind = f"{'sample ' if scale.sample else ''}std_{scale.of.value} r"
    divisor = _with_guard(kind, scale.eps, scale.guard)
    return f" / ({divisor})" if scale.eps and scale.guard is st.Guard.OUTSIDE else f" / {divisor}"


def _with_guard(kind: str, eps: st.Number, guard: st.Guard) -> str:
    if not eps:
        return kind
    return {
        st.Guard.OUTSIDE: f"{kind} + {number(eps)}",
        st.Guard.INSIDE: f"√({kind}² + {number(eps)})",
        st.Guard.FLOOR: f"√max({kind}², {number(eps)})",
    }[guard]


def gradient(of: st.Setting) -> str:
    """The gradient of the loss where all policies but the reference are one, token by token, in Unicode."""
    a, weight = _a(of), ""
    if of.ratio is st.Ratio.TEXT:
        weight = "|oᵢ| "
    if isinstance(of.clip, st.CappedWeight):
        capped = 1.0 if of.clip.cap is None else min(1.0, float(of.clip.cap))
        capped = max(capped, float(of.clip.floor or 0))
        weight = "" if capped == 1 else f"{number(capped)} "
    if isinstance(of.clip, st.RatioClip) and of.clip.delta is not None and of.clip.delta < 1:
        a = f"min({a}, 0)"  # the cap holds the ratio of right texts at delta already at ratio 1
    penalty = "" if of.penalty is None or of.penalty.place is not st.Place.LOSS else _penalty_gradient(of, of.penalty)
    own = None if of.penalty is None else of.penalty.aggregation
    end = "∇log π(oᵢₜ)"
    if not penalty:
        return f"∇L = −{_sum(of.aggregation)} {weight}{a} {end}"
    if own is not None:
        return f"∇L = −{_sum(of.aggregation)} {weight}{a} {end} + {_sum(own)} {penalty} {end}"
    return f"∇L = −{_sum(of.aggregation)} ( {weight}{a} − {penalty} ) {end}"


_SLOPE = {st.Estimator.K1: "1", st.Estimator.ABS: "sign dᵢₜ", st.Estimator.K2: "dᵢₜ", st.Estimator.K3: "(1 − e^(−dᵢₜ))"}
_WITH_SCORE = {
    st.Estimator.K1: "(1 + dᵢₜ)",
    st.Estimator.ABS: "(sign dᵢₜ + |dᵢₜ|)",
    st.Estimator.K2: "(dᵢₜ + dᵢₜ²/2)",
    st.Estimator.K3: "dᵢₜ",
}


def _penalty_gradient(of: st.Setting, penalty: st.Penalty) -> str:
    beta = number(penalty.beta)
    if penalty.gradient is not st.Gradient.OWN:
        return f"{beta}·dᵢₜ"
    if penalty.weight in (st.PenaltyWeight.NONE, st.PenaltyWeight.SAMPLER_DETACHED):
        return f"{beta}·{_SLOPE[penalty.estimator]}"
    if penalty.weight is st.PenaltyWeight.RATIO and of.ratio in (st.Ratio.ROOT, st.Ratio.TEXT):
        share = "1/|oᵢ| " if of.ratio is st.Ratio.ROOT else ""
        return f"{beta}·[{_SLOPE[penalty.estimator]} + {share}Σₛ {_K[penalty.estimator].replace('ₜ', 'ₛ')}]"
    return f"{beta}·{_WITH_SCORE[penalty.estimator]}"
