"""Forms that stay accurate at the ends of a domain: every rule is an identity of trees; none knows a formula by name.

Bottom-up, each sum, logarithm and root is offered to the rules. What they remove is cancellation: the difference of
two nearly equal numbers whose rounding errors do not cancel with them. ``1 − exp(−t)``, ``log(1 + t)``,
``u − log u − 1`` near 1, ``Σ π log(π/ρ)`` near ρ, ``a − √(a² + c)``, ``1 − β/γ`` near β = γ, ``1 − n/d``, ``p − p²``.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import sympy as sp

from grpo_symbolic.numeric.compiler.functions import AsIs, Expm1, Group, Log1p, Log1pmx, LogAddExp, Share, SquareRoot

_BIG = 400  # operations: expanding a sum larger than this costs more than it saves
_FAR = sp.Integer(10) ** 100  # a ratio, whose logarithm is large: the difference of two logarithms loses nothing
_OTHER = {sp.Max: sp.Min, sp.Min: sp.Max}
_PASSES = 4  # what a rule makes is offered to the rules again


def stabilise(expression: sp.Basic) -> Any:
    """The same function as ``expression`` in a form that floating point computes accurately; equal to it wherever it is
    defined.

    >>> t = sp.Symbol("t", real=True)
    >>> stabilise(1 - sp.exp(-t)), stabilise(sp.log(1 - t))
    (-Expm1(-t), Log1p(-t))
    """
    for _ in range(_PASSES):
        better = _pass(expression)
        if better == expression:
            break
        expression = better
    return expression


def _pass(expression: sp.Basic) -> Any:
    known: dict[Any, Any] = {}

    def visit(e: sp.Basic) -> Any:
        if not e.args or isinstance(e, AsIs):
            return e
        if e not in known:
            known[e] = _visit(e)
        return known[e]

    def _visit(e: sp.Basic) -> Any:
        if isinstance(e, sp.Add):
            for rule in _BEFORE:  # these read the terms as they were written
                better = rule(e)
                if better is not None:
                    return better
        args = [visit(a) for a in e.args]
        rebuilt = e if all(a is b for a, b in zip(args, e.args, strict=True)) else e.func(*args)
        for rule in _AFTER.get(rebuilt.func, ()):
            better = rule(rebuilt)
            if better is not None:
                return better
        return rebuilt

    return visit(expression)


def into_extremum(e: sp.Add) -> Any:
    """``a − max(u, v) = min(a − u, a − v)``: each difference then has its own accurate form."""
    extrema = [(t, f) for t in e.args for f in sp.Mul.make_args(t) if isinstance(f, sp.Max | sp.Min)]
    if len(extrema) != 1 or sp.count_ops(e) > _BIG:
        return None
    term, extremum = extrema[0]
    k = term / extremum
    if not k.is_number:
        return None
    rest = e - term
    return (extremum.func if k > 0 else _OTHER[extremum.func])(*(rest + k * a for a in extremum.args))


def divergence(e: sp.Add) -> Any:
    """``R − Σ w·log u = (R − Σ w·(u − 1)) − Σ w·(log u − (u − 1))``, where the first bracket gets simpler than R.

    The estimator k3, the penalties KL_0 and direct KL, and the Kullback-Leibler divergences are all of this form with
    an empty bracket: sums of terms of one sign.
    """
    pairs, rest = [], []
    for term in e.args:
        logs = [f for f in sp.Mul.make_args(term) if isinstance(f, sp.log) and not f.args[0].is_number]
        if len(logs) == 1:
            pairs.append((-term / logs[0], logs[0].args[0]))
        else:
            rest.append(term)
    if not pairs or sp.count_ops(e) > _BIG:
        return None
    pairs = [_shorter(w, u) for w, u in pairs]
    remainder = sp.Add(*rest)
    bracket = sp.expand(remainder - sp.Add(*(w * u - w for w, u in pairs)))
    if not (bracket == 0 and (rest or len(pairs) > 1)) and len(sp.Add.make_args(bracket)) >= len(rest):
        return None
    return sp.Add(bracket, *(-w * Log1pmx(_excess(u), u) for w, u in pairs))


def _shorter(weight: sp.Basic, ratio: sp.Basic) -> tuple[Any, Any]:
    """``w·log u = −w·log(1/u)``: of the two, the one whose ``w·u`` is shorter."""
    turned = -weight / ratio
    return (-weight, 1 / ratio) if sp.count_ops(turned) < sp.count_ops(weight * ratio) else (weight, ratio)


def _excess(ratio: sp.Basic) -> Any:
    """``n/d − 1 = (n − d)/d``."""
    n, d = _fraction(ratio)
    return sp.expand(n - d) / d


def _fraction(e: sp.Basic) -> tuple[Any, Any]:
    """Numerator and denominator as written: ``exp(−t)`` stays above, where it cannot overflow."""
    above, below = [], []
    for f in sp.Mul.make_args(e):
        if isinstance(f, sp.Pow) and f.exp.is_Rational and f.exp < 0:
            below.append(1 / f)
        elif f.is_Rational:
            above.append(sp.Integer(f.p))
            below.append(sp.Integer(f.q))
        else:
            above.append(f)
    return sp.Mul(*above), sp.Mul(*below)


def ratio_gap(e: sp.Add) -> Any:
    """``c − n/d = (c·d − n)/d`` where the terms have opposite signs and the new numerator is no longer: 1 − β/γ.

    ``1 − 1/(1 + t)`` becomes ``t/(1 + t)``, which is right for a t that overflows as well.
    """
    number, rest = e.as_coeff_Add()
    n, d = _fraction(rest)
    if number == 0 or (number < 0) == n.could_extract_minus_sign():
        return None
    if d.is_number or sp.count_ops(d) > _BIG:
        return None
    if not isinstance(d, sp.Add):
        return (number * d + n) / d
    top = min(number * d + n, sp.expand(number * d + n), key=lambda t: len(sp.Add.make_args(t)))
    if len(sp.Add.make_args(top)) >= len(d.args):
        return None
    one, t = d.as_coeff_Add()
    if one == 1 and top == number * t and not isinstance(t, sp.Add):
        return number * Share(t)
    return top / d


def common_factor(e: sp.Add) -> Any:
    """``p − p² = p·(1 − p)``: out of the two terms of a sum in which a symbol can make them cancel."""
    for symbol in sorted(e.free_symbols, key=str):
        group = [t for t in e.args if t.has(symbol) and t.is_polynomial(symbol)]
        if len(group) != 2 or group[0].could_extract_minus_sign() == group[1].could_extract_minus_sign():
            continue
        factored = sp.factor_terms(sp.Add(*group))
        if isinstance(factored, sp.Mul) and any(isinstance(f, sp.Add) and f.has(symbol) for f in factored.args):
            return sp.Add(factored, *(t for t in e.args if t not in group))
    return None


def perfect_square(e: sp.Add) -> Any:
    """``u² ± 2uv + v² = (u ± v)²`` for monomials u and v."""
    roots = [(t, root) for t in e.args if (root := _monomial_root(t)) is not None]
    for i, (one, u) in enumerate(roots):
        for other, v in roots[i + 1 :]:
            for cross, square in ((2 * u * v, u + v), (-2 * u * v, u - v)):
                if cross in e.args:
                    return sp.Add(square**2, *(t for t in e.args if t not in (one, other, cross)))
    return None


def _monomial_root(term: sp.Basic) -> Any:
    factors = []
    for f in sp.Mul.make_args(term):
        base, exponent = f.as_base_exp()
        if f.is_Rational and f > 0 and sp.sqrt(f).is_Rational:
            factors.append(sp.sqrt(f))
        elif base.is_Symbol and exponent.is_Integer and exponent % 2 == 0:
            factors.append(base ** (exponent / 2))
        else:
            return None
    return sp.Mul(*factors)


def small_difference(e: sp.Add) -> Any:
    """``w·exp(s) − w = w·expm1(s)``, ``w·cosh(s) − w = 2w·sinh(s/2)²``, ``w·uⁿ − w = w·expm1(n·log u)`` for u > 0."""
    for term in e.args:
        for factor in sp.Mul.make_args(term):
            weight = term / factor
            if -weight not in e.args:
                continue
            better = _minus_one(factor)
            if better is not None:
                return sp.Add(weight * better, *(t for t in e.args if t not in (term, -weight)))
    return None


def _minus_one(f: sp.Basic) -> Any:
    """``f − 1`` without the subtraction."""
    if isinstance(f, sp.exp):
        return Expm1(f.args[0])
    if isinstance(f, sp.cosh):
        return 2 * sp.sinh(f.args[0] / 2) ** 2
    if not isinstance(f, sp.Pow) or (f.exp.is_Rational and f.exp.q == 2) or f.exp.is_negative:
        return None
    one, small = f.base.as_coeff_Add()
    if one != 1:
        return None
    if f.exp.is_Integer and f.exp <= 4:
        return sp.factor(sp.expand((1 + small) ** f.exp - 1))
    return sp.Piecewise((Expm1(f.exp * Log1p(small)), small > -1), (AsIs(f - 1), True))


def conjugate(e: sp.Add) -> Any:
    """``a + k√c = (k²c − a²)/(k√c − a)`` where a and k have opposite signs.

    No ``|a|`` for what has a known sign there: derivatives must be right where a is 0.
    """
    if sp.count_ops(e) > _BIG:
        return None
    roots = [(t, *result) for t in e.args if (result := _root(t)) is not None and result[0].is_number]
    if len(roots) == 2 and len(e.args) == 2:
        (_, k1, c1), (_, k2, c2) = roots
        if k1 * k2 > 0:
            return None
        below = k1 * sp.sqrt(c1) - k2 * sp.sqrt(c2)
        return sp.Piecewise((_short(k1**2 * c1 - k2**2 * c2) / below, sp.Ne(below, 0)), (0, True))
    for term, k, c in roots:
        a = e - term
        top = _short(k**2 * c - a**2)
        if sp.count_ops(top) > sp.count_ops(c) + sp.count_ops(a):
            continue
        sign = 1 if k > 0 else -1
        whole = a if a.is_number else Group(a)
        root = abs(k) * _square_root(c, top / k**2, a / k)
        return sp.Piecewise((sign * top / (root - sign * whole), sign * whole < 0), (sign * root + whole, True))
    return None


def _root(term: sp.Basic) -> tuple[Any, Any] | None:
    """``k, c`` of a term ``k·√c``."""
    roots = [f for f in sp.Mul.make_args(term) if isinstance(f, sp.Pow) and f.exp == sp.S.Half and not f.is_number]
    return (term / roots[0], roots[0].base) if len(roots) == 1 else None


def _square_root(c: sp.Basic, rest: sp.Basic, a: sp.Basic) -> Any:
    """``√c`` without overflow of a square in c; where c is written out, ``c = a² + rest`` may be its shorter form."""
    if isinstance(c, sp.Add):
        for term in c.args:
            if isinstance(term, sp.Pow) and term.exp == 2 and isinstance(term.base, sp.Add):
                return SquareRoot(term.base, c - term)
    if sp.count_ops(rest) + sp.count_ops(a) + 2 < sp.count_ops(c):
        return SquareRoot(a, rest)
    return sp.sqrt(c)


def _short(e: sp.Basic) -> Any:
    """Expanded and factored, whichever is shorter."""
    n, d = sp.fraction(sp.together(sp.expand(e)))
    factored = sp.factor(sp.expand(n)) / sp.factor(d)
    return min((factored, sp.expand(e)), key=sp.count_ops)


def log_of_sum(e: sp.log) -> Any:
    """``log(1 + eˢ) = logaddexp(0, s)``; ``log(1 + t) = log1p(t)``; ``log(w·eˢ) = s + log w``, also where eˢ leaves the
    range of floats; ``log(n/d) = log1p((n − d)/d)`` near 1.
    """
    argument = e.args[0]
    if argument.is_number:
        return None
    if isinstance(argument, sp.Add):
        exps = [t for t in argument.args if isinstance(t, sp.exp)]
        if len(argument.args) == 2 and len(exps) == 2:
            return LogAddExp(exps[0].args[0], exps[1].args[0])
        one, rest = argument.as_coeff_Add()
        if one == 1:
            return LogAddExp(sp.S.Zero, rest.args[0]) if isinstance(rest, sp.exp) else Log1p(rest)
        return None
    exps = [f for f in sp.Mul.make_args(argument) if isinstance(f, sp.exp)]
    if exps:
        return sp.Add(*(f.args[0] for f in exps), sp.log(argument / sp.Mul(*exps)))
    n, d = _fraction(argument)
    if d.is_number or sp.count_ops(argument) > _BIG:
        return None
    if n == 1:
        return -sp.log(d)
    return _log_ratio(n, d)


def log_difference(e: sp.Add) -> Any:
    """``k·log a − k·log b = k·log1p((a − b)/b)`` where a is near b, for sums of logarithms too."""
    terms: dict[Any, list[tuple[Any, Any]]] = {}
    for term in e.args:
        logs = [f for f in sp.Mul.make_args(term) if isinstance(f, sp.log) and not f.is_number]
        if len(logs) == 1:
            k = term / logs[0]
            key = -k if k.could_extract_minus_sign() else k
            terms.setdefault(key, []).append((term, logs[0]))
    for k, group in terms.items():
        above = [log.args[0] for term, log in group if term == k * log]
        below = [log.args[0] for term, log in group if term != k * log]
        if above and below:
            n, d = _fraction(sp.Mul(*above) / sp.Mul(*below))
            better = _log_ratio(n, d, sp.Add(*(_log(a) for a in above), *(-_log(a) for a in below)))
            if better is not None:
                taken = {term for term, _ in group}
                return sp.Add(k * better, *(t for t in e.args if t not in taken))
    return None


def _log(argument: sp.Basic) -> Any:
    """The logarithm as it stands, out of reach of the rules."""
    return Log1p(argument - 1) if argument.as_coeff_Add()[0] == 1 else AsIs(sp.log(argument))


def _log_ratio(n: sp.Basic, d: sp.Basic, otherwise: sp.Basic = None) -> Any:
    """``log(n/d) = log1p((n − d)/d) = −log1p((d − n)/n)``: the first for the larger ratios, the second for the smaller
    ones, and ``otherwise`` where a product of several factors may have left the range of floats.
    """
    gap = sp.expand(n - d)
    if sp.count_ops(gap) > sp.count_ops(n) + sp.count_ops(d) + 1:
        return None
    up, down = gap / d, -gap / n
    large = up > -sp.S.Half
    value = sp.Piecewise((1, large), (-1, True)) * Log1p(sp.Piecewise((up, large), (down, True)))
    if otherwise is None:
        return value
    return sp.Piecewise((value, sp.And(up < _FAR, down < _FAR)), (otherwise, True))


_BEFORE: tuple[Callable[[Any], Any], ...] = (into_extremum, divergence, log_difference)
_AFTER: dict[Any, tuple[Callable[[Any], Any], ...]] = {
    sp.Add: (small_difference, perfect_square, ratio_gap, conjugate, common_factor),
    sp.log: (log_of_sum,),
}
