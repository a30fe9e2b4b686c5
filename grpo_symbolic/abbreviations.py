r"""Formulas that have a name are printed by it: ``h(p)``, and beneath the sentence what h(p) is.

Declared once each, with their arguments. An instance is recognised by its tree alone, at whatever arguments, and the
definition with these put in *is* the formula that it stands for: the short sentence says what the long one says.

>>> from grpo_symbolic.latex import PaperPrinter
>>> from grpo_symbolic.notation import p
>>> printer = Abbreviating(PaperPrinter())
>>> print(printer(1 - DEVIATION.formula.subs(success, p) ** 3))
1 - \sigma_{\varepsilon}{\left(p \right)}^{3}
>>> print(*printer.definitions)
\sigma_{\varepsilon}{\left(p \right)} = \sqrt{\varepsilon + p \left(1 - p\right)}
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from copy import copy
from dataclasses import dataclass
from functools import cache, lru_cache
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
    printed,
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
from grpo_symbolic.proof.statements.arithmetic import MPMATH, Undefined, Unsupported
from grpo_symbolic.proof.statements.domain import Domain
from grpo_symbolic.proof.statements.evaluate import evaluate
from grpo_symbolic.proof.statements.sentence import there
from grpo_symbolic.typeset.letters import seen

_Printer = Callable[[Any], str]
_Bound = Mapping[sp.Symbol, sp.Expr]  # arguments and what stands for them


class _Name(sp.Function):
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
    them; its other letters are what they are. One that is ``short`` serves where a sentence is too long without it.
    ``among`` are the arguments at which a formula may be this one, where its tree alone does not tell.
    """

    name: str
    arguments: tuple[sp.Symbol | sp.IndexedBase, ...]
    formula: sp.Expr
    short: bool = False
    among: Callable[[sp.Basic], Iterator[_Bound]] | None = None

    def stands(self, bound: _Bound, formula: sp.Expr) -> bool:
        """Whether the formula is this one at these arguments, none of which a sum in it would bind."""
        inner = {v for s in self.formula.atoms(sp.Sum) for v in s.variables}
        free = set().union(*(value.free_symbols for value in bound.values()))
        if not set(self.arguments) <= set(bound) or inner & free:
            return False
        here = _put_in(self.formula, tuple(bound.items()))
        return bool(here == formula or (inner and here.as_dummy() == formula.as_dummy()))

    @property
    def beside(self) -> frozenset[sp.Basic]:
        """The letters that the definition has beside its arguments."""
        return frozenset(self.formula.free_symbols - {*self.arguments})

    def at(self, *values: sp.Basic) -> sp.Expr:
        """The name with arguments."""
        return _Name(sp.Symbol(self.name), *values)


def _of(name: str, written: str = r"{\left(@ \right)}") -> str:
    """The template of a name, from its LaTeX and that of its arguments, which stand where there is an @."""
    parts = (name + written).replace("{", "{{").replace("}", "}}").split("@")
    return "".join(f"{{{at}}}{part}" if at + 1 else part for at, part in enumerate(parts, start=-1))


def _two(y: sp.Symbol, first: sp.Expr, second: sp.Expr) -> sp.Expr:
    """The penalty KL₀ of two answers of which the first has the probability y under the old policy."""
    return y * (first - sp.log(first) - 1) + (1 - y) * (second - sp.log(second) - 1)


_large = [reward - r_a * y - r_b * (1 - y) for reward in (r_a, r_b)]
_spread = y * _large[0] ** 2 + (1 - y) * _large[1] ** 2
_root = sp.sqrt(4 * b * p + (1 - b) ** 2) / 2 + sp.S.Half - b / 2
_tilt = sp.exp(1 / (beta * sp.sqrt(y - y**2)))


def _clip(ratio: sp.Expr, low: sp.Symbol, high: sp.Symbol) -> sp.Expr:
    """A ratio between 1 − low and 1 + high."""
    return sp.Piecewise((1 - low, low < 1 - ratio), (1 + high, high < ratio - 1), (ratio, True))


DEVIATION = Abbreviation(_of(r"\sigma_{\varepsilon}"), (success,), sp.sqrt(guard + success * (1 - success)))
MAP = Abbreviation(
    _of("h"),
    (success,),
    1 / (1 + (1 - success_ref) * sp.exp(-1 / (beta * sp.sqrt(guard + success * (1 - success)))) / success_ref),
)
AT_HALF = Abbreviation(
    _of("h_{@}", r"{\left(\tfrac{1}{2} \right)}"), (guard,), MAP.formula.subs(success, sp.S.Half), short=True
)
# The map without smoothing; what β has to exceed for a fixed point to attract, its maximum and where that is; the
# reference of which p is a fixed point; what the weights of a policy sum to.
_size = success * (1 - success)
_decay = sp.exp(-1 / (beta * sp.sqrt(_size + guard)))


def _mapped(formula: sp.Basic) -> Iterator[_Bound]:
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


# Where the numbers are chosen: the same with the reference, the guard and β that it has.
CHOSEN = Abbreviation(
    _of("h_{@,@,@}"),
    (success_ref, guard, beta, success),
    MAP.formula,
    short=True,
    among=_mapped,
)
# The slope of the map at a fixed point, of which it does not say for which β it is one.
AT_FIXED_POINT = Abbreviation(
    _of("h_{*}'"),
    (success,),
    _size
    * (2 * success - 1)
    * (sp.log(success / (1 - success)) - sp.log(success_ref / (1 - success_ref)))
    / (2 * (_size + guard)),
    short=True,
)
SMOOTHED = [
    Abbreviation(_of("h_{0}"), (success,), MAP.formula.subs(guard, 0), short=True),
    Abbreviation(
        _of(r"\mathcal B"),
        (success,),
        _size * sp.Abs(2 * success - 1) / (2 * (_size + guard) ** sp.Rational(3, 2)),
        short=True,
    ),
    Abbreviation(_of(r"R_{\varepsilon}"), (success,), success * _decay / (1 - success + success * _decay), short=True),
    Abbreviation(_of(r"\mathcal B_{\max}"), (guard,), 1 / ((1 + 4 * guard) * sp.sqrt(27 * guard)), short=True),
    Abbreviation(
        _of("R_{0}"), (success,), (success * _decay / (1 - success + success * _decay)).subs(guard, 0), short=True
    ),
    Abbreviation(
        _of("Z"),
        (success,),
        success_ref * sp.exp((1 - success) / (beta * sp.sqrt(_size + guard)))
        + (1 - success_ref) * sp.exp(-success / (beta * sp.sqrt(_size + guard))),
        short=True,
    ),
    Abbreviation(_of(r"x^{\circ}"), (guard,), sp.S.Half + sp.sqrt((1 + 4 * guard) / (1 + 12 * guard)) / 2, short=True),
    Abbreviation(
        _of(r"\ell_{\varepsilon}"),
        (x,),
        sp.log(x / (1 - x)) - 1 / (beta * sp.sqrt(guard + x * (1 - x))),
        short=True,
    ),
]
GRADIENT = Abbreviation(
    _of("m_{G}"),
    (x,),
    sp.Sum(x**k * sp.sqrt(k * (G - k)) * (1 - x) ** (G - k) * sp.binomial(G, k) / G, (k, 0, G)),
)
STEEPNESS = Abbreviation(_of("m_{G}'"), (x,), GRADIENT.formula.diff(x))
GAP = Abbreviation(
    _of(r"\Delta_{G}"),
    (x,),
    sp.Sum(
        x**k * (1 - x) ** (G - k - 2) * (G - 1) * sp.binomial(G - 2, k) / sp.sqrt((k + 1) * (G - k - 1)), (k, 0, G - 2)
    ),
)
# With a guard in what the advantages are divided by: inside the root of the variance, or beside the deviation.
_members, _draws = k * (G - k), x**k * (1 - x) ** (G - k) * sp.binomial(G, k)
_others = x**k * (1 - x) ** (G - k - 1) * (G - k - 1) * sp.binomial(G - 1, k) / G
_pairs = x**k * (1 - x) ** (G - k - 2) * (G - 1) * sp.binomial(G - 2, k) / G
_spread_of_pair = (k + 1) * (G - k - 1) / G**2
GUARDED = [
    Abbreviation(_of(f"{name}_{{{divisor}}}"), (x,), sp.Sum(summand, (k, 0, last)), short=True)
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
_gap_of_pair = x**k * (1 - x) ** (G - k - 2) * sp.binomial(G - 2, k)
SAMPLE = [
    *(
        Abbreviation(_of(rf"\Delta_{{{divisor}}}"), (x,), sp.Sum(summand, (k, 0, G - 2)), short=True)
        for divisor, summand in (
            (r"\hat\sigma", _gap_of_pair * (1 - 1 / G) / sp.sqrt(_sample_of_pair)),
            (r"\hat\sigma", _gap_of_pair * (G - 1) / sp.sqrt(G * (k + 1) * (G - k - 1) / (G - 1))),
            (r"\hat\sigma+\varepsilon", _gap_of_pair * (1 - 1 / G) / (guard + sp.sqrt(_sample_of_pair))),
            (
                r"\hat\sigma+\varepsilon",
                _gap_of_pair * (G - 1) / (G * guard + sp.sqrt(G * (k + 1) * (G - k - 1) / (G - 1))),
            ),
            (r"\sigma+\varepsilon", _gap_of_pair * (G - 1) / (G * guard + sp.sqrt((k + 1) * (G - k - 1)))),
        )
    ),
    Abbreviation(
        _of(r"c_{\hat\sigma+\varepsilon}"),
        (x,),
        sp.Sum(
            _gap_of_pair * (G - 1) * (k - (G - 2) * x) / (G * guard + sp.sqrt(G * (k + 1) * (G - k - 1) / (G - 1))),
            (k, 0, G - 2),
        ),
        short=True,
    ),
    Abbreviation(
        _of(r"m_{\hat\sigma+\varepsilon}"),
        (x,),
        (1 - 1 / G) * sp.Sum(_members * _draws / (G * (G - 1) * (guard + sp.sqrt(_sample_of))), (k, 0, G)),
        short=True,
    ),
]
RATE = Abbreviation(
    _of(r"\dot\pi"), (o,), (logit_rate[o] - sp.Sum(pi[o_] * logit_rate[o_], (o_, 1, n))) * pi[o]
)  # of a probability, along the parameter along which the logits change
SCORE = Abbreviation(
    _of(r"\nabla\log\pi"), (o,), logit_rate[o] - sp.Sum(pi[o_] * logit_rate[o_], (o_, 1, n)), short=True
)
# Of groups of two: the clipped objective of success x where the groups have success y, without a penalty.
CLIPPED = [
    Abbreviation(
        _of(name, r"\left(@ \mid @\right)"),
        (x, y),
        y
        * (1 - y)
        * (sp.Min(x / y, _clip(x / y, *clips)) + sp.Min(-((1 - x) / (1 - y)), -_clip((1 - x) / (1 - y), *clips))),
        short=True,
    )
    for name, clips in (
        (r"\mathcal J_{\epsilon}", (epsilon, epsilon)),
        (r"\mathcal J_{\mathrm{clip}}", (clip_low, clip_high)),
    )
]


# What a clipped ratio counts for, times its advantage.
def _clipped(formula: sp.Basic) -> Iterator[_Bound]:
    """A ratio that is clipped, and what it is multiplied by: the last of the cases, and the factors beside them."""
    for side in formula.args if isinstance(formula, sp.Min) else ():
        factors = sp.Mul.make_args(side)
        for cases in factors:
            if isinstance(cases, sp.Piecewise):
                yield {x: cases.args[-1].expr, advantage: sp.Mul(*(f for f in factors if f != cases))}


def _bounded(formula: sp.Basic) -> Iterator[_Bound]:
    """What a clipped ratio counts for, and the bound that it has for negative advantages: beside the advantage."""
    if isinstance(formula, sp.Piecewise) and len(formula.args) == 2:
        (most, _), (clipped, _) = formula.args
        for of_ratio in _clipped(clipped):
            for bound in most.args if isinstance(most, sp.Max) else ():
                yield {**of_ratio, cap: sp.Mul(*(f for f in sp.Mul.make_args(bound) if f != of_ratio[advantage]))}


_shares = sp.Sum(phi_bar[j] * omega[j] * tau[n_items * (k - 1) + j], (j, 1, n_items))
RUBRIC = [
    Abbreviation(_of("R"), (k,), n_items * _shares / sp.Sum(phi_bar[j], (j, 1, n_items)), short=True),
    Abbreviation(_of("a"), (k,), _shares / sp.Sum(omega[j] * phi_bar[j], (j, 1, n_items)), short=True),
]  # of text k of a group: the reward (15), and the average of its scores
SURROGATE = [
    Abbreviation(
        _of(name, r"\left(@, @\right)"),
        (x, advantage),
        sp.Min(
            x * advantage,
            sp.Piecewise((1 - low, x < 1 - low), (1 + high, x > 1 + high), (x, True)) * advantage,
        ),
        short=True,
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
    short=True,
    among=lambda formula: iter([{x: x, y: y}] if isinstance(formula, sp.Add) else ()),
)
DUAL = Abbreviation(
    _of(r"L_{\mathrm{dual}}", r"\left(@, @, @\right)"),
    (x, advantage, cap),
    sp.Piecewise((sp.Max(SURROGATE[1].formula, advantage * cap), advantage < 0), (SURROGATE[1].formula, True)),
    short=True,
    among=_bounded,
)  # of dual-clip PPO
# What the policies (14) and (15) are judged by: the objective of success x where the groups have success y, by γ for
# groups of two and the reference p, and for large groups.
FROZEN = [
    Abbreviation(  # what z gains over the stationary policy x, by β
        _of("g_{p}", r"\left(@ \mid @\right)"),
        (z, x),
        (x - p) / (x * (1 - x)) * (z - x)
        - p * (x / z - 1)
        - (1 - p) * ((1 - x) / (1 - z) - 1)
        + x * sp.log(x / z)
        + (1 - x) * sp.log((1 - x) / (1 - z)),
        short=True,
    ),
    Abbreviation(
        _of(r"\mathcal J_{(14)}", r"\left(@ \mid @\right)"),
        (x, y),
        x * (1 - y) - y * (1 - x) - b * _two(y, p / x, (1 - p) / (1 - x)),
        short=True,
    ),
    Abbreviation(
        _of(r"\mathcal J_{(15)}", r"\left(@ \mid @\right)"),
        (x, y),
        x * _large[0] / sp.sqrt(_spread)
        + (1 - x) * _large[1] / sp.sqrt(_spread)
        - beta * _two(y, p / x, (1 - p) / (1 - x)),
        short=True,
    ),
]
# Direct KL, large groups: h of the paper, where it is least, and the reference for which that least value is 0.
_least = sp.Rational(1, 2) + sp.sqrt(1 - 1 / (beta**2 + 1)) / 2
_odds = (beta + sp.sqrt(beta**2 + 1)) ** 2
BEST = [
    Abbreviation(
        _of(r"h_{\mathrm{VY}}"),
        (x,),
        sp.log(p / (1 - p)) + 1 / (beta * sp.sqrt(x * (1 - x))) - sp.log(x / (1 - x)),
        short=True,
    ),
    Abbreviation(_of("p^{*}"), (beta,), _odds / (_odds + sp.exp(2 * sp.sqrt(beta**2 + 1) / beta)), short=True),
    Abbreviation(_of("x^{*}"), (beta,), _least, short=True),
]


def _scaled(formula: sp.Basic) -> Iterator[_Bound]:
    """Reference and scale of (14), whatever scales the rewards: of the terms of a sum, and of those below its root."""
    terms = formula.args if isinstance(formula, sp.Add) else ()
    for scale in (-beta / (2 * term) for term in terms if term.has(beta) and not term.atoms(sp.Add)):
        for term in terms:
            for inner in term.atoms(sp.Add):
                yield from ({p: part * scale / (4 * beta), gamma: scale} for part in inner.args)


CLOSED = [
    Abbreviation(_of("x_{(14)}"), (p,), _root.expand(), short=True),
    Abbreviation(_of("x_{(14)}"), (p,), _root, short=True),
    Abbreviation(_of("x_{(14)}"), (p,), _root.subs((1 - b) ** 2, (b - 1) ** 2), short=True),
    Abbreviation(
        _of("x_{(14)}"),
        (p,),
        sp.sqrt(beta**2 / gamma**2 + 4 * beta * p / gamma + 1 - 2 * beta / gamma) / 2 + sp.S.Half - beta / (2 * gamma),
        short=True,
    ),
    Abbreviation(
        _of("x_{(14)}", r"\left(@;\, @\right)"),
        (p, gamma),
        sp.sqrt(beta**2 / gamma**2 + 4 * beta * p / gamma + 1 - 2 * beta / gamma) / 2 + sp.S.Half - beta / (2 * gamma),
        short=True,
        among=_scaled,
    ),
    Abbreviation(
        _of("x_{(15)}"),
        (p,),
        (2 * beta**2 * p + sp.sqrt(4 * beta**2 * p * (1 - p) + 1) + 1) / (2 * beta**2 + 2),
        short=True,
    ),
    Abbreviation(
        _of("x_{(15)}"),
        (p,),
        (2 * beta**2 * p + sp.sqrt(4 * beta**2 * p - 4 * beta**2 * p**2 + 1) + 1) / (2 * beta**2 + 2),
        short=True,
    ),
    Abbreviation(
        _of(r"\pi_{(9)}", r"{\left(@, @ \right)}"),
        (y, gamma),
        sp.sqrt(4 * beta * y / gamma + (beta - gamma) ** 2 / gamma**2) / 2 - (beta - gamma) / (2 * gamma),
        short=True,
    ),
    Abbreviation(_of("B"), (y,), -p * _tilt / (p - p * _tilt - 1), short=True),
    Abbreviation(_of("A_{a}"), (y,), _large[0] / sp.sqrt(_spread), short=True),
    Abbreviation(_of("A_{b}"), (y,), _large[1] / sp.sqrt(_spread), short=True),
    Abbreviation(
        _of(r"\mathrm{KL}_{0}", r"\left(@ \mid @, @\right)"), (x, y, p), _two(y, p / x, (1 - p) / (1 - x)), short=True
    ),
    Abbreviation(
        _of(r"\mathrm{KL}_{0}'", r"\left(@, @\right)"),
        (x, p),
        x * (1 / x - p / x**2) + (1 - x) * ((1 - p) / (1 - x) ** 2 - 1 / (1 - x)),
        short=True,
    ),
    Abbreviation(
        _of(r"\mathrm{KL}", r"\left(@ \,\|\, @\right)"),
        (x, p),
        x * sp.log(x / p) + (1 - x) * sp.log((1 - x) / (1 - p)),
        short=True,
    ),
    Abbreviation(
        _of(r"\mathrm{KL}", r"\left(@ \,\|\, @\right)"),
        (pi, ref),
        sp.Sum(sp.log(pi[o] / ref[o]) * pi[o], (o, 1, n)),
    ),
    Abbreviation(
        _of(r"\mathrm{KL}_{0}", r"\left(@ \| @; @\right)"),
        (pi, ref, old),
        sp.Sum(old[o] * (ref[o] / pi[o] - sp.log(ref[o] / pi[o]) - 1), (o, 1, n)),
    ),
    Abbreviation(  # the same where all are policies
        _of(r"\mathrm{KL}_{0}", r"\left(@ \| @; @\right)"),
        (pi, ref, old),
        sp.Sum(old[o] * ref[o] / pi[o], (o, 1, n)) - sp.Sum(old[o] * sp.log(ref[o] / pi[o]), (o, 1, n)) - 1,
        short=True,
    ),
    *(
        Abbreviation(
            _of(rf"\mathbb E_{{{NOTATION[str(law)].latex}}}", r"\left[@\right]"),
            (r,),
            sp.Sum(law[o] * r[o], (o, 1, n)),
            short=True,
        )
        for law in (pi, old, ref, other)
    ),
    *(
        Abbreviation(
            _of(rf"\mathrm{{Var}}_{{{NOTATION[str(law)].latex}}}", r"\left[@\right]"),
            (r,),
            sp.Sum(law[o] * (r[o] - sp.Sum(law[o_] * r[o_], (o_, 1, n))) ** 2, (o, 1, n)),
            short=True,
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
            short=True,
        )
        for law in (pi, old)
    ),
    *(
        Abbreviation(
            _of(rf"k_{{{name}}}", r"\left(@ \| @; @\right)"),
            (pi, ref, old),
            sp.Sum(old[o] * estimate, (o, 1, n)),
            short=True,
        )
        for name, estimate in ((1, sp.log(pi[o] / ref[o])), (2, sp.log(pi[o] / ref[o]) ** 2 / 2))
    ),
    Abbreviation(
        _of(r"\mathcal D", r"{\left(@, @ \right)}"),
        (o, o_),
        duel[n * (o - 1) + o_] - duel[n * (o_ - 1) + o],
        short=True,
    ),
    Abbreviation(  # of an answer against one that a policy draws
        _of(r"\mathcal D", r"{\left(@, @ \right)}"),
        (o, pi),
        sp.Sum((duel[n * (o - 1) + o_] - duel[n * (o_ - 1) + o]) * pi[o_], (o_, 1, n)),
        short=True,
    ),
    Abbreviation(  # of a part of the answers, which is no divergence of policies
        _of("k_{3}", r"\left(@ \| @; @\right)"),
        (hit, hit_ref, hit_old),
        sp.Sum(hit_old[o] * (hit_ref[o] / hit[o] - sp.log(hit_ref[o] / hit[o]) - 1), (o, 1, n_hit)),
        short=True,
    ),
    Abbreviation(_of(r"\bar ", "@"), (r,), sp.Sum(r[o], (o, 1, G)) / G, short=True),
    Abbreviation(
        _of(r"\mathcal P", r"{\left(@ \succ @\right)}"),
        (o, o_),
        sp.S.Half + duel[n * (o - 1) + o_] / 2 - duel[n * (o_ - 1) + o] / 2,
        short=True,
    ),
    Abbreviation(_of(r"\operatorname{logit}"), (x,), sp.log(x / (1 - x)), short=True),
    Abbreviation(_of("k_{3}"), (x,), x - sp.log(x) - 1, short=True),  # of one ratio π_ref/π
    Abbreviation(_of(r"Z_{\beta}"), (r,), sp.Sum(ref[o] * sp.exp(r[o] / beta), (o, 1, n)), short=True),
    Abbreviation(_of("H"), (pi,), -sp.Sum(pi[o] * sp.log(pi[o]), (o, 1, n)), short=True),
    Abbreviation(_of("H"), (pi,), sp.Sum(-pi[o] * sp.log(pi[o]), (o, 1, n)), short=True),
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
    *SAMPLE,
    RATE,
    SCORE,
    *SMOOTHED,
    DEVIATION,
    *CLIPPED,
    DUAL,
    TWO_TOKENS,
    *RUBRIC,
    *SURROGATE,
    *FROZEN,
    *BEST,
    *CLOSED,
)  # the largest first


class Abbreviating:
    """A printer that names what has a name; ``definitions`` are those of the names that it has used, in LaTeX. Where a
    letter of the sentence, of ``taken``, is printed as a name, or as one is at its arguments, this is not used:
    h (1 − p) is no h(1 − p), and the mean of P no letter P̄. With the
    ``short`` names, which are for long sentences, numbers are printed as decimals where these are shorter.
    """

    def __init__(self, printer: _Printer, short: bool = False, taken: Iterable[Any] = ()) -> None:
        decimal: Callable[[], _Printer] | None = getattr(printer, "decimal", None)
        self._printer = decimal() if short and decimal is not None else printer
        self._looks = {(seen(of) if isinstance(of, str) else printed(of)).family for of in taken}
        self._among = [a for a in ABBREVIATIONS if (short or not a.short) and self._is_free(a, a.arguments)]
        self._of_kind: dict[type, list[Abbreviation]] = {}
        self._used: dict[Abbreviation, set[tuple[sp.Basic, ...]]] = {}  # and at which arguments
        self._domain: Domain | None = None

    def on(self, domain: Domain) -> Abbreviating:
        """The same where a sentence is meant on a domain: of sums over a part of a family, and of what is no policy
        there, no name is used.
        """
        here = copy(self)  # the definitions are those of the whole sentence
        here._printer, here._domain = there(self._printer, domain), domain
        return here

    def _is_free(self, abbreviation: Abbreviation, values: Sequence[sp.Basic]) -> bool:
        """Whether no letter of the sentence is seen as a name is before its arguments, those in accents and indices
        being part of it.
        """
        name = self._printer(abbreviation.at(*values)).partition(r"\left")[0].removesuffix("{")
        return not self._looks or seen(name) not in self._looks

    def _means(self, abbreviation: Abbreviation, values: Sequence[sp.Basic]) -> bool:
        """Whether the sums of a formula run over whole families, and those that are policies as a rule are some; a
        divergence is one of probabilities.
        """
        if self._domain is None:
            return True
        bound = dict(zip(abbreviation.arguments, values, strict=True))
        if "KL" in abbreviation.name and not all(map(self._may_be_a_probability, values)):
            return False
        for total in abbreviation.formula.atoms(sp.Sum):
            ((index, _, high),) = total.limits
            for base in {e.base for e in total.function.atoms(sp.Indexed) if e.indices == (index,)}:
                family = self._domain.bases.get(bound.get(base, base).label)
                policy = NOTATION[str(base)].domain == "simplex"
                if family is None or family.size != high or (policy and not (family.positive and family.total == 1)):
                    return False
        return True

    def _may_be_a_probability(self, value: sp.Basic) -> bool:
        """Whether a number lies between 0 and 1 at some points of the domain. An entry need not, nor what is made of
        the index of a sum; of a real letter that a statement binds nothing is asked.
        """
        if self._domain is None or not isinstance(value, sp.Expr):
            return True
        bound = value.free_symbols - self._domain.symbols
        if bound:
            return not value.has(sp.Indexed) and not any(letter.is_integer for letter in bound)
        for point in self._domain.points(5, special=False):
            with suppress(Undefined, Unsupported):
                if not 0 <= evaluate(value, point, MPMATH) <= 1:
                    return False
        return True

    def __call__(self, formula: Any) -> str:
        return self._printer(self.folded(formula) if isinstance(formula, sp.Basic) else formula)

    @property
    def definitions(self) -> tuple[str, ...]:
        return tuple(map(self._definition, self._used))

    def _definition(self, name: Abbreviation) -> str:
        """What a name stands for: at other letters than it is declared with where it is used at these and no others."""
        first, *others = self._used[name]
        bound = {*name.formula.atoms(sp.Symbol, sp.IndexedBase)} - {*name.arguments}
        letters = all(isinstance(value, sp.Symbol | sp.IndexedBase) for value in first)
        if others or not letters or len({*first}) < len(first) or bound & {*first}:
            first = name.arguments
        formula = _put_in(name.formula, tuple(zip(name.arguments, first, strict=True)))
        return f"{self._printer(name.at(*first))} = {self._printer(formula)}"

    def _candidates(self, formula: sp.Basic) -> list[Abbreviation]:
        """What a formula may be by its outermost operation."""
        kind = formula.func
        if kind not in self._of_kind:
            self._of_kind[kind] = [a for a in self._among if a.among is not None or a.formula.func is kind]
        return self._of_kind[kind]

    def folded(self, formula: sp.Basic, within: frozenset[sp.Basic] = frozenset()) -> sp.Basic:
        """The formula, with names where they stand for a part of it; sums and limits around it bind letters
        ``within``, which no definition has beside its arguments.
        """
        for abbreviation in self._candidates(formula):
            for values, power, rest in _instances(abbreviation, formula):
                if abbreviation.beside & within:
                    continue
                if not self._means(abbreviation, values) or not self._is_free(abbreviation, values):
                    continue
                self._used.setdefault(abbreviation, set()).add(tuple(values))
                named = abbreviation.at(*(self.folded(value, within) for value in values)) ** power
                if not rest:
                    return named
                beside = self.folded(formula.func(*rest, evaluate=False) if len(rest) > 1 else rest[0], within)
                together = beside.args if beside.func is formula.func else (beside,)
                return formula.func(*together, named, evaluate=False)
        if not formula.args or isinstance(formula, sp.Indexed | sp.IndexedBase | _Name):
            return formula
        used = {name: {*at} for name, at in self._used.items()}
        if isinstance(formula, sp.Sum | sp.Product):
            within |= {*formula.variables}
        if isinstance(formula, sp.Limit):
            within |= {formula.args[1]}
        folded = tuple(self.folded(part, within) for part in formula.args)
        if isinstance(formula, sp.core.relational.Relational) and formula.lhs != formula.rhs and len({*folded}) == 1:
            self._used.clear()
            self._used.update(used)
            return formula  # of two forms that have one name it is said that they are equal
        return formula if folded == formula.args else _again(formula, folded)


def _again(formula: sp.Basic, parts: tuple[sp.Basic, ...]) -> sp.Basic:
    """The same operation on other parts, in which nothing is evaluated."""
    unevaluated = sp.Add | sp.Mul | sp.Pow | sp.core.relational.Relational | sp.logic.boolalg.BooleanFunction
    return formula.func(*parts, evaluate=False) if isinstance(formula, unevaluated) else formula.func(*parts)


def _instances(
    abbreviation: Abbreviation, formula: sp.Basic
) -> Iterator[tuple[tuple[sp.Expr, ...], sp.Expr, tuple[sp.Expr, ...]]]:
    """Arguments at which a formula is a power of what is abbreviated, the power, and factors that stand beside it."""
    pattern, wild = abbreviation.formula, frozenset(abbreviation.arguments)
    if not isinstance(formula, sp.Expr):
        return
    if abbreviation.among is not None:
        for bound in abbreviation.among(formula):
            if abbreviation.stands(bound, formula):
                yield tuple(bound[a] for a in abbreviation.arguments), sp.S.One, ()
        return
    power, base, rest = sp.S.One, formula, ()
    if isinstance(pattern, sp.Pow) and isinstance(formula, sp.Pow):
        power = formula.exp / pattern.exp
        # Defined alike: of a root its roots only, and of one over something no more than a division by it.
        alike = pattern.exp.is_integer == formula.exp.is_integer and (pattern.exp > 0 or power.is_positive)
        if not power.is_Integer or not alike:
            return
        base = formula.base**pattern.exp
    elif _more(pattern, formula):
        for bound, others in _within(pattern.args, formula.args, wild, {}):
            base, rest = formula.func(*(f for f in formula.args if f not in others)), tuple(others)
            if abbreviation.stands(bound, base):
                yield tuple(bound[a] for a in abbreviation.arguments), sp.S.One, rest
        return
    for bound in _matches(pattern, base, wild, {}):
        if abbreviation.stands(bound, base):
            yield tuple(bound[a] for a in abbreviation.arguments), power, rest


def _more(pattern: sp.Expr, formula: sp.Expr) -> bool:
    """Whether a product or a sum may have what is abbreviated among its factors or terms, and others."""
    same = pattern.func is formula.func and isinstance(formula, sp.Mul | sp.Add)
    return same and len(formula.args) > len(pattern.args)


@lru_cache(maxsize=1 << 14)
def _put_in(pattern: sp.Basic, bound: tuple[tuple[sp.Basic, sp.Basic], ...]) -> sp.Basic:
    """A pattern with its arguments put in: of extrema SymPy looks for common factors, and the same are asked for in
    each form of a sentence.
    """
    return pattern.xreplace(dict(bound))


@cache
def _letters(pattern: sp.Basic) -> frozenset[sp.Basic]:
    """The letters of a part of what is declared here, which are asked for at each formula that is printed."""
    return frozenset(pattern.atoms(sp.Symbol, sp.IndexedBase))


def _matches(pattern: sp.Basic, formula: sp.Basic, wild: frozenset[sp.Symbol], bound: _Bound) -> Iterator[_Bound]:
    """What the arguments of a pattern may stand for, so that it is the formula."""
    if (letters := _letters(pattern) & wild) <= bound.keys():
        if (_put_in(pattern, tuple(bound.items())) if letters else pattern) == formula:
            yield bound
    elif pattern in wild:
        yield {**bound, pattern: formula}
    elif pattern.func is formula.func and len(pattern.args) == len(formula.args):
        if isinstance(pattern, sp.Sum):
            formula = _renamed(formula, pattern)
        if isinstance(pattern, sp.Add | sp.Mul):
            yield from (match for match, others in _within(pattern.args, formula.args, wild, bound) if not others)
        else:
            yield from _pairwise(pattern.args, formula.args, wild, bound)


def _renamed(formula: sp.Sum, pattern: sp.Sum) -> sp.Sum:
    """A sum with the index of another one, where no letter in it is called so."""
    ((mine, *_),), ((theirs, *_),) = formula.limits, pattern.limits
    return formula if formula.has(theirs) else formula.xreplace({mine: theirs})


def _pairwise(
    patterns: Sequence[sp.Basic], formulas: Sequence[sp.Basic], wild: frozenset[sp.Symbol], bound: _Bound
) -> Iterator[_Bound]:
    if not patterns:
        yield bound
        return
    for match in _matches(patterns[0], formulas[0], wild, bound):
        yield from _pairwise(patterns[1:], formulas[1:], wild, match)


def _within(
    patterns: Sequence[sp.Basic], formulas: Sequence[sp.Basic], wild: frozenset[sp.Symbol], bound: _Bound
) -> Iterator[tuple[_Bound, tuple[sp.Basic, ...]]]:
    """The same for parts in any order, and which of the formulas are left over."""
    if not patterns:
        yield bound, tuple(formulas)
        return
    first, *others = sorted(patterns, key=lambda part: bool(_letters(part) & wild))  # what is fixed comes first
    for at, formula in enumerate(formulas):
        for match in _matches(first, formula, wild, bound):
            yield from _within(others, (*formulas[:at], *formulas[at + 1 :]), wild, match)
