"""Formulas that have a name: each once, with its LaTeX, its arguments and what it stands for.

Where a sentence has one, :mod:`.folding` prints the name, and beneath the sentence what it is.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import sympy as sp

from grpo_symbolic.notation import (
    NOTATION,
    G,
    b,
    beta,
    cap,
    clip_high,
    clip_low,
    duel,
    epsilon,
    gamma,
    guard,
    hit,
    hit_old,
    hit_ref,
    j,
    k,
    logit_rate,
    n,
    n_hit,
    n_items,
    o,
    o_,
    old,
    omega,
    other,
    p,
    phi_bar,
    pi,
    r,
    r_a,
    r_b,
    ref,
    success,
    success_ref,
    tau,
    v,
    x,
    y,
    z,
)
from grpo_symbolic.notation import u as advantage

Bound = Mapping[sp.Symbol, sp.Expr]  # arguments and what stands for them


class Name(sp.Function):
    """What stands for a formula: its LaTeX, in which {0}, {1}, … are the arguments, and these. A gradient is in
    parentheses under a power, which would be that of its body.
    """

    is_real = True

    def _latex(self, printer: Any, exp: str | None = None) -> str:
        written, *values = self.args
        value = str(written).format(*map(printer._print, values))
        if exp is None:
            return value
        return rf"\left({value}\right)^{{{exp}}}" if value.startswith(r"\nabla") else f"{value}^{{{exp}}}"


@dataclass(frozen=True)
class Abbreviation:
    """A ``formula`` of some ``arguments``, letters or families, and the LaTeX of its ``name`` with {0}, {1}, … for
    them; its other letters are what they are. One that is not for ``everywhere`` serves where a sentence is too long
    without it. ``among`` are the arguments at which a formula may be this one, where its tree alone does not tell.
    """

    name: str
    arguments: tuple[sp.Symbol | sp.IndexedBase, ...]
    formula: sp.Expr
    everywhere: bool = False
    among: Callable[[sp.Basic], Iterator[Bound]] | None = None

    @property
    def beside(self) -> frozenset[sp.Basic]:
        """The letters that the definition has beside its arguments."""
        return frozenset(self.formula.free_symbols - {*self.arguments})

    def at(self, *values: sp.Basic) -> sp.Expr:
        """The name with arguments."""
        return Name(sp.Symbol(self.name), *values)


def _of(name: str, written: str = r"{\left(@ \right)}") -> str:
    """The template of a name, from its LaTeX and that of its arguments, which stand where there is an @."""
    parts = (name + written).replace("{", "{{").replace("}", "}}").split("@")
    return "".join(f"{{{at}}}{part}" if at + 1 else part for at, part in enumerate(parts, start=-1))


def _penalty(y: sp.Symbol, first: sp.Expr, second: sp.Expr) -> sp.Expr:
    """The penalty KL₀ of two answers of which the first has the probability y under the old policy."""
    return y * (first - sp.log(first) - 1) + (1 - y) * (second - sp.log(second) - 1)


def _clip(ratio: sp.Expr, low: sp.Symbol, high: sp.Symbol) -> sp.Expr:
    """A ratio between 1 − low and 1 + high."""
    return sp.Piecewise((1 - low, low < 1 - ratio), (1 + high, high < ratio - 1), (ratio, True))


_variance = success * (1 - success)
DEVIATION = Abbreviation(_of(r"\sigma_{\varepsilon}"), (success,), sp.sqrt(guard + _variance), everywhere=True)
_against = sp.exp(-1 / (beta * DEVIATION.formula))  # by which the map multiplies the odds against success
MAP = Abbreviation(_of("h"), (success,), 1 / (1 + (1 - success_ref) * _against / success_ref), everywhere=True)
AT_HALF = Abbreviation(_of("h_{@}", r"{\left(\tfrac{1}{2} \right)}"), (guard,), MAP.formula.subs(success, sp.S.Half))


def _mapped(formula: sp.Basic) -> Iterator[Bound]:
    """The reference, the guard, β and the success of a map of the form of :data:`MAP`, where the reference is a number:
    of the odds against it in the denominator, and of the exponent. A success that is a number is the reference, for a
    guard of one over a whole number.
    """
    odds, exponents = [], []
    for term in formula.base.args if isinstance(formula, sp.Pow) and formula.exp == -1 else ():
        if term.has(sp.exp):
            odds = [f for f in sp.Mul.make_args(term) if not isinstance(f, sp.exp)]
            exponents = [f.exp for f in sp.Mul.make_args(term) if isinstance(f, sp.exp)]
    against = sp.Mul(*odds)
    if len(exponents) != 1 or not against.is_Rational or against <= 0:
        return
    given, exponent = 1 / (1 + against), exponents[0]
    roots = [f for f in sp.Mul.make_args(exponent) if isinstance(f, sp.Pow) and f.exp == -sp.S.Half and f.base.is_Add]
    for root in roots:
        for product in root.base.args:
            for chance in product.args if isinstance(product, sp.Mul) else ():
                yield {success_ref: given, guard: root.base - product, beta: -1 / (exponent / root), success: chance}
    number = sp.Mul(*(f for f in sp.Mul.make_args(exponent) if f.is_number))
    within = 1 / number**2 - given * (1 - given)
    if not roots and within.is_Rational and within.p == 1 and exponent != number:
        yield {success_ref: given, guard: within, beta: number / exponent, success: given}


# The same map where the numbers are chosen: with the reference, the guard and β that it has.
CHOSEN = Abbreviation(_of("h_{@,@,@}"), (success_ref, guard, beta, success), MAP.formula, among=_mapped)
# The slope of the map at a fixed point, of which it does not say for which β it is one.
AT_FIXED_POINT = Abbreviation(
    _of("h_{*}'"),
    (success,),
    _variance
    * (2 * success - 1)
    * (sp.log(success / (1 - success)) - sp.log(success_ref / (1 - success_ref)))
    / (2 * (_variance + guard)),
)
# The reference of which a success is a fixed point, whose odds are those of the success times that factor.
_reference = success * _against / (1 - success + success * _against)
OF_MAP = [
    Abbreviation(_of("h_{0}"), (success,), MAP.formula.subs(guard, 0)),  # without smoothing
    Abbreviation(  # what β has to exceed for a fixed point to attract
        _of(r"\mathcal B"),
        (success,),
        _variance * sp.Abs(2 * success - 1) / (2 * (_variance + guard) ** sp.Rational(3, 2)),
    ),
    Abbreviation(_of(r"R_{\varepsilon}"), (success,), _reference),
    Abbreviation(_of(r"\mathcal B_{\max}"), (guard,), 1 / ((1 + 4 * guard) * sp.sqrt(27 * guard))),
    Abbreviation(_of("R_{0}"), (success,), _reference.subs(guard, 0)),
    Abbreviation(  # what the weights of a policy sum to
        _of("Z"),
        (success,),
        success_ref * sp.exp((1 - success) / (beta * DEVIATION.formula))
        + (1 - success_ref) * sp.exp(-success / (beta * DEVIATION.formula)),
    ),
    Abbreviation(  # where \mathcal B is largest
        _of(r"x^{\circ}"), (guard,), sp.S.Half + sp.sqrt((1 + 4 * guard) / (1 + 12 * guard)) / 2
    ),
    Abbreviation(  # the logarithm of the odds of that reference
        _of(r"\ell_{\varepsilon}"), (x,), sp.log(x / (1 - x)) - 1 / (beta * DEVIATION.formula.subs(success, x))
    ),
]
GRADIENT = Abbreviation(
    _of("m_{G}"),
    (x,),
    sp.Sum(x**k * sp.sqrt(k * (G - k)) * (1 - x) ** (G - k) * sp.binomial(G, k) / G, (k, 0, G)),
    everywhere=True,
)
STEEPNESS = Abbreviation(_of("m_{G}'"), (x,), GRADIENT.formula.diff(x), everywhere=True)
GAP = Abbreviation(
    _of(r"\Delta_{G}"),
    (x,),
    sp.Sum(
        x**k * (1 - x) ** (G - k - 2) * (G - 1) * sp.binomial(G - 2, k) / sp.sqrt((k + 1) * (G - k - 1)), (k, 0, G - 2)
    ),
    everywhere=True,
)
# With a guard in what the advantages are divided by: inside the root of the variance, or beside the deviation.
_members, _draws = k * (G - k), x**k * (1 - x) ** (G - k) * sp.binomial(G, k)
_others = x**k * (1 - x) ** (G - k - 1) * (G - k - 1) * sp.binomial(G - 1, k) / G
_pairs = x**k * (1 - x) ** (G - k - 2) * (G - 1) * sp.binomial(G - 2, k) / G
_spread_of_pair = (k + 1) * (G - k - 1) / G**2
GUARDED = [
    Abbreviation(_of(f"{name}_{{{divisor}}}"), (x,), sp.Sum(summand, (k, 0, last)))
    for divisor, by_members, by_correct, by_pair in (
        (
            r"\varepsilon",
            sp.sqrt(guard + _members / G**2),
            sp.sqrt(guard + _spread_of_pair),
            sp.sqrt(guard + _spread_of_pair),
        ),
        (
            r"\sigma+\varepsilon",
            guard + sp.sqrt(_members / G**2),
            guard + sp.sqrt((k + 1) / G) * sp.sqrt((G - k - 1) / G),
            guard + sp.sqrt(_spread_of_pair),
        ),
    )
    for name, summand, last in (
        ("m", k * (G - k) * _draws / (G**2 * by_members), G),
        ("a", _others / by_correct, G - 1),
        (r"\Delta", _pairs / by_pair, G - 2),
    )
]
# The same of the deviation of a sample, whose square is that of the group, times G/(G − 1).
_sample_of = k * (G - k) / (G * (G - 1))
_sample_of_pair = (k + 1) * (G - k - 1) / (G * (G - 1))
_root_of_pair = sp.sqrt(G * (k + 1) * (G - k - 1) / (G - 1))  # G times the root of that
_gap_of_pair = x**k * (1 - x) ** (G - k - 2) * sp.binomial(G - 2, k)
OF_SAMPLE = [
    *(
        Abbreviation(_of(rf"\Delta_{{{divisor}}}"), (x,), sp.Sum(summand, (k, 0, G - 2)))
        for divisor, summand in (
            (r"\hat\sigma", _gap_of_pair * (1 - 1 / G) / sp.sqrt(_sample_of_pair)),
            (r"\hat\sigma", _gap_of_pair * (G - 1) / _root_of_pair),
            (r"\hat\sigma+\varepsilon", _gap_of_pair * (1 - 1 / G) / (guard + sp.sqrt(_sample_of_pair))),
            (r"\hat\sigma+\varepsilon", _gap_of_pair * (G - 1) / (G * guard + _root_of_pair)),
            (r"\sigma+\varepsilon", _gap_of_pair * (G - 1) / (G * guard + sp.sqrt((k + 1) * (G - k - 1)))),
        )
    ),
    Abbreviation(
        _of(r"c_{\hat\sigma+\varepsilon}"),
        (x,),
        sp.Sum(_gap_of_pair * (G - 1) * (k - (G - 2) * x) / (G * guard + _root_of_pair), (k, 0, G - 2)),
    ),
    Abbreviation(
        _of(r"m_{\hat\sigma+\varepsilon}"),
        (x,),
        (1 - 1 / G) * sp.Sum(_members * _draws / (G * (G - 1) * (guard + sp.sqrt(_sample_of))), (k, 0, G)),
    ),
]
SCORE = Abbreviation(_of(r"\nabla\log\pi"), (o,), logit_rate[o] - sp.Sum(pi[o_] * logit_rate[o_], (o_, 1, n)))
# Of a probability, along the parameter along which the logits change.
RATE = Abbreviation(_of(r"\dot\pi"), (o,), SCORE.formula * pi[o], everywhere=True)
# Of groups of two: the clipped objective of success x where the groups have success y, without a penalty.
CLIPPED = [
    Abbreviation(
        _of(name, r"\left(@ \mid @\right)"),
        (x, y),
        y
        * (1 - y)
        * (sp.Min(x / y, _clip(x / y, *clips)) + sp.Min(-((1 - x) / (1 - y)), -_clip((1 - x) / (1 - y), *clips))),
    )
    for name, clips in (
        (r"\mathcal J_{\epsilon}", (epsilon, epsilon)),
        (r"\mathcal J_{\mathrm{clip}}", (clip_low, clip_high)),
    )
]


def _clipped(formula: sp.Basic) -> Iterator[Bound]:
    """A ratio that is clipped, and what it is multiplied by: the last of the cases, and the factors beside them."""
    for side in formula.args if isinstance(formula, sp.Min) else ():
        factors = sp.Mul.make_args(side)
        for cases in factors:
            if isinstance(cases, sp.Piecewise):
                yield {x: cases.args[-1].expr, advantage: sp.Mul(*(f for f in factors if f != cases))}


def _bounded(formula: sp.Basic) -> Iterator[Bound]:
    """What a clipped ratio counts for, and the bound that it has for negative advantages: beside the advantage."""
    if isinstance(formula, sp.Piecewise) and len(formula.args) == 2:
        (most, _), (clipped, _) = formula.args
        for of_ratio in _clipped(clipped):
            for bound in most.args if isinstance(most, sp.Max) else ():
                yield {**of_ratio, cap: sp.Mul(*(f for f in sp.Mul.make_args(bound) if f != of_ratio[advantage]))}


_shares = sp.Sum(phi_bar[j] * omega[j] * tau[n_items * (k - 1) + j], (j, 1, n_items))
# Of text k of a group: the reward (15), and the average of its scores.
RUBRIC = [
    Abbreviation(_of("R"), (k,), n_items * _shares / sp.Sum(phi_bar[j], (j, 1, n_items))),
    Abbreviation(_of("a"), (k,), _shares / sp.Sum(omega[j] * phi_bar[j], (j, 1, n_items))),
]
# What a clipped ratio counts for, times its advantage.
SURROGATE = [
    Abbreviation(
        _of(name, r"\left(@, @\right)"),
        (x, advantage),
        sp.Min(x * advantage, sp.Piecewise((1 - low, x < 1 - low), (1 + high, x > 1 + high), (x, True)) * advantage),
        among=_clipped,
    )
    for name, low, high in ((r"L_{\epsilon}", epsilon, epsilon), (r"L_{\mathrm{clip}}", clip_low, clip_high))
]
# One state, two tokens with the probabilities x and y of the first one: its advantage is u, that of the other one −v.
_token, _other = (
    SURROGATE[0].formula.subs({x: ratio, advantage: gain}, simultaneous=True)
    for ratio, gain in ((x / y, advantage), ((1 - x) / (1 - y), -v))
)
TWO_TOKENS = Abbreviation(
    _of(r"\mathcal L_{2}", r"\left(@ \mid @\right)"),
    (x, y),
    y * _token + (1 - y) * _other,
    among=lambda formula: iter([{x: x, y: y}] if isinstance(formula, sp.Add) else ()),
)
DUAL = Abbreviation(  # of dual-clip PPO
    _of(r"L_{\mathrm{dual}}", r"\left(@, @, @\right)"),
    (x, advantage, cap),
    sp.Piecewise((sp.Max(SURROGATE[1].formula, advantage * cap), advantage < 0), (SURROGATE[1].formula, True)),
    among=_bounded,
)
_gains = [reward - r_a * y - r_b * (1 - y) for reward in (r_a, r_b)]  # of the two rewards over their mean
_spread = sp.sqrt(y * _gains[0] ** 2 + (1 - y) * _gains[1] ** 2)
# What the policies (14) and (15) are judged by: the objective of success x where the groups have success y, by γ for
# groups of two and the reference p, and for large groups.
JUDGING = [
    Abbreviation(  # what z gains over the stationary policy x, by β
        _of("g_{p}", r"\left(@ \mid @\right)"),
        (z, x),
        (x - p) / (x * (1 - x)) * (z - x)
        - p * (x / z - 1)
        - (1 - p) * ((1 - x) / (1 - z) - 1)
        + x * sp.log(x / z)
        + (1 - x) * sp.log((1 - x) / (1 - z)),
    ),
    Abbreviation(
        _of(r"\mathcal J_{(14)}", r"\left(@ \mid @\right)"),
        (x, y),
        x * (1 - y) - y * (1 - x) - b * _penalty(y, p / x, (1 - p) / (1 - x)),
    ),
    Abbreviation(
        _of(r"\mathcal J_{(15)}", r"\left(@ \mid @\right)"),
        (x, y),
        x * _gains[0] / _spread + (1 - x) * _gains[1] / _spread - beta * _penalty(y, p / x, (1 - p) / (1 - x)),
    ),
]
# Direct KL, large groups: h of the paper, where it is least, and the reference for which that least value is 0.
_least = sp.Rational(1, 2) + sp.sqrt(1 - 1 / (beta**2 + 1)) / 2
_odds = (beta + sp.sqrt(beta**2 + 1)) ** 2
DIRECT = [
    Abbreviation(
        _of(r"h_{\mathrm{VY}}"), (x,), sp.log(p / (1 - p)) + 1 / (beta * sp.sqrt(x * (1 - x))) - sp.log(x / (1 - x))
    ),
    Abbreviation(_of("p^{*}"), (beta,), _odds / (_odds + sp.exp(2 * sp.sqrt(beta**2 + 1) / beta))),
    Abbreviation(_of("x^{*}"), (beta,), _least),
]


def _scaled(formula: sp.Basic) -> Iterator[Bound]:
    """Reference and scale of (14), whatever scales the rewards: of the terms of a sum, and of those below its root."""
    terms = formula.args if isinstance(formula, sp.Add) else ()
    for scale in (-beta / (2 * term) for term in terms if term.has(beta) and not term.atoms(sp.Add)):
        for term in terms:
            for inner in term.atoms(sp.Add):
                yield from ({p: part * scale / (4 * beta), gamma: scale} for part in inner.args)


_stationary = sp.sqrt(4 * b * p + (1 - b) ** 2) / 2 + sp.S.Half - b / 2
_ratio = beta / gamma
_by_gamma = sp.sqrt(_ratio**2 + 4 * _ratio * p + 1 - 2 * _ratio) / 2 + sp.S.Half - _ratio / 2
_tilt = sp.exp(1 / (beta * sp.sqrt(y - y**2)))
# Stationary policies in closed form, as SymPy may have them; the best response B; and the advantages of two answers.
STATIONARY = [
    Abbreviation(_of("x_{(14)}"), (p,), _stationary.expand()),
    Abbreviation(_of("x_{(14)}"), (p,), _stationary),
    Abbreviation(_of("x_{(14)}"), (p,), _stationary.subs((1 - b) ** 2, (b - 1) ** 2)),
    Abbreviation(_of("x_{(14)}"), (p,), _by_gamma),
    Abbreviation(_of("x_{(14)}", r"\left(@;\, @\right)"), (p, gamma), _by_gamma, among=_scaled),
    Abbreviation(
        _of("x_{(15)}"), (p,), (2 * beta**2 * p + sp.sqrt(4 * beta**2 * p * (1 - p) + 1) + 1) / (2 * beta**2 + 2)
    ),
    Abbreviation(
        _of("x_{(15)}"),
        (p,),
        (2 * beta**2 * p + sp.sqrt(4 * beta**2 * p - 4 * beta**2 * p**2 + 1) + 1) / (2 * beta**2 + 2),
    ),
    Abbreviation(
        _of(r"\pi_{(9)}", r"{\left(@, @ \right)}"),
        (y, gamma),
        sp.sqrt(4 * beta * y / gamma + (beta - gamma) ** 2 / gamma**2) / 2 - (beta - gamma) / (2 * gamma),
    ),
    Abbreviation(_of("B"), (y,), -p * _tilt / (p - p * _tilt - 1)),
    Abbreviation(_of("A_{a}"), (y,), _gains[0] / _spread),
    Abbreviation(_of("A_{b}"), (y,), _gains[1] / _spread),
]
DIVERGENCES = [
    Abbreviation(
        _of(r"\mathrm{KL}_{0}", r"\left(@ \mid @, @\right)"), (x, y, p), _penalty(y, p / x, (1 - p) / (1 - x))
    ),
    Abbreviation(
        _of(r"\mathrm{KL}_{0}'", r"\left(@, @\right)"),
        (x, p),
        x * (1 / x - p / x**2) + (1 - x) * ((1 - p) / (1 - x) ** 2 - 1 / (1 - x)),
    ),
    Abbreviation(
        _of(r"\mathrm{KL}", r"\left(@ \,\|\, @\right)"), (x, p), x * sp.log(x / p) + (1 - x) * sp.log((1 - x) / (1 - p))
    ),
    Abbreviation(
        _of(r"\mathrm{KL}", r"\left(@ \,\|\, @\right)"),
        (pi, ref),
        sp.Sum(sp.log(pi[o] / ref[o]) * pi[o], (o, 1, n)),
        everywhere=True,
    ),
    Abbreviation(
        _of(r"\mathrm{KL}_{0}", r"\left(@ \| @; @\right)"),
        (pi, ref, old),
        sp.Sum(old[o] * (ref[o] / pi[o] - sp.log(ref[o] / pi[o]) - 1), (o, 1, n)),
        everywhere=True,
    ),
    Abbreviation(  # the same where all are policies
        _of(r"\mathrm{KL}_{0}", r"\left(@ \| @; @\right)"),
        (pi, ref, old),
        sp.Sum(old[o] * ref[o] / pi[o], (o, 1, n)) - sp.Sum(old[o] * sp.log(ref[o] / pi[o]), (o, 1, n)) - 1,
    ),
]
MOMENTS = [
    *(
        Abbreviation(
            _of(rf"\mathbb E_{{{NOTATION[str(law)].latex}}}", r"\left[@\right]"), (r,), sp.Sum(law[o] * r[o], (o, 1, n))
        )
        for law in (pi, old, ref, other)
    ),
    *(
        Abbreviation(
            _of(rf"\mathrm{{Var}}_{{{NOTATION[str(law)].latex}}}", r"\left[@\right]"),
            (r,),
            sp.Sum(law[o] * (r[o] - sp.Sum(law[o_] * r[o_], (o_, 1, n))) ** 2, (o, 1, n)),
        )
        for law in (pi, old)
    ),
    *(
        Abbreviation(
            _of(rf"\mathrm{{Cov}}_{{{NOTATION[str(law)].latex}}}", r"\left[@, @\right]"),
            (r, logit_rate),
            sp.Sum(
                law[o]
                * (r[o] - sp.Sum(law[o_] * r[o_], (o_, 1, n)))
                * (logit_rate[o] - sp.Sum(law[o_] * logit_rate[o_], (o_, 1, n))),
                (o, 1, n),
            ),
        )
        for law in (pi, old)
    ),
]
ESTIMATORS = [
    *(
        Abbreviation(
            _of(rf"k_{{{name}}}", r"\left(@ \| @; @\right)"), (pi, ref, old), sp.Sum(old[o] * estimate, (o, 1, n))
        )
        for name, estimate in ((1, sp.log(pi[o] / ref[o])), (2, sp.log(pi[o] / ref[o]) ** 2 / 2))
    ),
    Abbreviation(  # of a part of the answers, which is no divergence of policies
        _of("k_{3}", r"\left(@ \| @; @\right)"),
        (hit, hit_ref, hit_old),
        sp.Sum(hit_old[o] * (hit_ref[o] / hit[o] - sp.log(hit_ref[o] / hit[o]) - 1), (o, 1, n_hit)),
    ),
    Abbreviation(_of("k_{3}"), (x,), x - sp.log(x) - 1),  # of one ratio π_ref/π
]
_won, _lost = duel[n * (o - 1) + o_], duel[n * (o_ - 1) + o]
DUELS = [
    Abbreviation(_of(r"\mathcal D", r"{\left(@, @ \right)}"), (o, o_), _won - _lost),
    Abbreviation(  # of an answer against one that a policy draws
        _of(r"\mathcal D", r"{\left(@, @ \right)}"), (o, pi), sp.Sum((_won - _lost) * pi[o_], (o_, 1, n))
    ),
    Abbreviation(_of(r"\mathcal P", r"{\left(@ \succ @\right)}"), (o, o_), sp.S.Half + _won / 2 - _lost / 2),
]
OTHERS = [
    Abbreviation(_of(r"\bar ", "@"), (r,), sp.Sum(r[o], (o, 1, G)) / G),
    Abbreviation(_of(r"\operatorname{logit}"), (x,), sp.log(x / (1 - x))),
    Abbreviation(_of(r"Z_{\beta}"), (r,), sp.Sum(ref[o] * sp.exp(r[o] / beta), (o, 1, n))),
    Abbreviation(_of("H"), (pi,), -sp.Sum(pi[o] * sp.log(pi[o]), (o, 1, n))),
    Abbreviation(_of("H"), (pi,), sp.Sum(-pi[o] * sp.log(pi[o]), (o, 1, n))),
]
ABBREVIATIONS = (
    AT_HALF,
    MAP,
    CHOSEN,
    AT_FIXED_POINT,
    STEEPNESS,
    GRADIENT,
    GAP,
    *GUARDED,
    *OF_SAMPLE,
    RATE,
    SCORE,
    *OF_MAP,
    DEVIATION,
    *CLIPPED,
    DUAL,
    TWO_TOKENS,
    *RUBRIC,
    *SURROGATE,
    *JUDGING,
    *DIRECT,
    *STATIONARY,
    *DIVERGENCES,
    *MOMENTS,
    *ESTIMATORS,
    *DUELS,
    *OTHERS,
)  # the largest first
