"""Penalties and advantages of one's own: a formula, a SymPy expression, a function or an object, made into what the
objectives of this package take.

A penalty is whatever has ``expected`` as :class:`grpo_symbolic.objectives.Divergence` has it, an advantage whatever has
``of_group``, from a group's rewards to its advantages.

>>> from grpo_symbolic.notation import x, y, p
>>> two = (x, 1 - x), (p, 1 - p), (y, 1 - y)
>>> as_penalty("sum((pi - pi_ref)^2)").expected(*two, Answers(2), o).expand()
2*p**2 - 4*p*x + 2*x**2
>>> [str(a) for a in as_advantage("clip((r - mean)/std, -1, 1)").of_group([1, 0, 0])]
['1', '-sqrt(2)/2', '-sqrt(2)/2']
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache, partial
from typing import Any

import sympy as sp
from sympy.core.function import AppliedUndef

from grpo_symbolic.errors import BadInput
from grpo_symbolic.formulas import ARITHMETIC, Function, read_formula
from grpo_symbolic.notation import alpha, epsilon, n, nu, o, o_, old, other, p, pi, ref, x, y, z
from grpo_symbolic.objectives.advantage import Advantage, group_of
from grpo_symbolic.objectives.divergence import ESTIMATORS, Divergence, Penalised
from grpo_symbolic.objectives.space import Answers, Policy
from grpo_symbolic.scalars import Scalar
from grpo_symbolic.shown import Shown, differing

__all__ = [
    "NAMED",
    "FormulaAdvantage",
    "FormulaPenalty",
    "RuledAdvantage",
    "as_advantage",
    "as_penalty",
    "exact",
    "levels",
]

_OPEN = (alpha, nu, epsilon)  # what may stay without a value
_FAMILIES = (pi, ref, old, other)
_TWO = (x, p, y, z)


@dataclass(frozen=True)
class FormulaPenalty(Shown):
    """A penalty as an ``expression``.

    In the families ``pi[o]``, ``ref[o]``, ``old[o]`` of the notation, and ``other[o]`` for a policy that is not
    differentiated: an estimator at the output ``o``, of which the mean over the samples of π_old is taken; where all
    stand in sums over answers, ``Sum(…, (o_, 1, n))``, the penalty itself. In ``x``, ``p`` and ``y``, the success of
    policy, reference and old policy: the penalty of two answers. Raises :class:`BadInput` for any other expression.
    """

    name: str
    expression: sp.Expr

    def __post_init__(self) -> None:
        e = self.expression
        bases = {i.base for i in e.atoms(sp.Indexed)}
        strange = (bases - set(_FAMILIES)) | (e.free_symbols - _labels() - {*_TWO, *_OPEN, o, n} - e.atoms(sp.Indexed))
        if strange := strange | e.atoms(AppliedUndef):
            raise BadInput(
                f"the penalty {self.name} has {', '.join(sorted(map(str, strange)))}: expected pi[o], ref[o], old[o], "
                "or x, p and y of two answers"
            )
        if not (bases & {pi} or x in e.free_symbols):
            raise BadInput(f"the penalty {self.name} does not depend on the policy: expected pi or x in it")
        if bases and e.free_symbols & set(_TWO):
            raise BadInput(f"the penalty {self.name} has probabilities of each answer and of two answers: choose one")

    @property
    def meaning(self) -> str:
        """What the expression is taken for, in words."""
        if self.expression.free_symbols & set(_TWO):
            return "the penalty of two answers itself"
        if o in self.expression.free_symbols:
            return "an estimator at one output: its mean over the samples of π_old (for a sum over answers: sum(…))"
        return "a function of the whole policies"

    def expected(
        self,
        policy: Policy,
        reference: Policy,
        old: Policy,
        answers: Answers,
        index: sp.Symbol,
        detached: Policy | None = None,
    ) -> sp.Expr:
        """The penalty; as :meth:`grpo_symbolic.objectives.Divergence.expected`.

        Raises :class:`BadInput` where one that is written for two answers is asked for more.
        """
        e, policies = self.expression, (policy, reference, old, policy if detached is None else detached)
        if e.free_symbols & set(_TWO):
            if answers.symbolic or answers.count != 2:
                raise BadInput(f"the penalty {self.name} is written for two answers: for more write sums over them")
            return e.xreplace(dict(zip(_TWO, (given[0] for given in policies), strict=True)))
        families = dict(zip(_FAMILIES, policies, strict=True))
        if o in e.free_symbols:
            further = sp.Symbol(f"{index.name}_", integer=True)
            return answers.total(lambda a: old[a] * _placed(e, families, answers, {o: a}, further), index)
        return _placed(e, families, answers, {}, index)


def _labels() -> set[sp.Basic]:
    return {family.label for family in _FAMILIES} | set(_FAMILIES)


def _placed(
    e: sp.Expr,
    families: Mapping[sp.IndexedBase, Policy],
    answers: Answers,
    at: Mapping[sp.Symbol, Scalar],
    index: sp.Symbol,
) -> sp.Expr:
    """An expression in families with other policies in their places, the answers being those of ``at``."""
    if isinstance(e, sp.Indexed):
        return families[e.base][at.get(e.indices[0], e.indices[0])]
    if isinstance(e, sp.Sum):
        body, ((bound, *_),) = e.function, e.limits
        further = sp.Symbol(f"{index.name}_", integer=True)
        return answers.total(lambda a: _placed(body, families, answers, {**at, bound: a}, further), index)
    if not e.has(sp.Indexed):
        return e
    return e.func(*(_placed(part, families, answers, at, index) for part in e.args))


def _sum(f: sp.Expr) -> sp.Expr:
    return sp.Sum(f.xreplace({o: o_}), (o_, 1, n))


def _order(power: sp.Expr) -> sp.Expr:
    if power in (0, 1):
        raise BadInput(f"of the order {power} there is a limit only: for 1 reverse-kl, KL(π‖π_ref), for 0 forward-kl")
    return _sum(pi[o] ** power * ref[o] ** (1 - power))


def _detached(f: sp.Expr) -> sp.Expr:
    """The same with the policy held fixed: ``sg``."""
    return f.xreplace({x: z, **{e: other[e.indices[0]] for e in f.atoms(sp.Indexed) if e.base == pi}})


_MIDDLE = (pi[o] + ref[o]) / 2
NAMED: Mapping[str, sp.Expr] = {
    "chi2": _sum((pi[o] - ref[o]) ** 2 / ref[o]),
    "chi2_reverse": _sum((pi[o] - ref[o]) ** 2 / pi[o]),
    "tv": _sum(sp.Abs(pi[o] - ref[o])) / 2,
    "hellinger": _sum((sp.sqrt(pi[o]) - sp.sqrt(ref[o])) ** 2) / 2,
    "jensen_shannon": _sum(pi[o] * sp.log(pi[o] / _MIDDLE) + ref[o] * sp.log(ref[o] / _MIDDLE)) / 2,
}
"""Divergences of π from π_ref beside the two KL: chi2 is Pearson's Σ (π − π_ref)²/π_ref, chi2_reverse Neyman's
with the parts exchanged, tv the total variation, hellinger the squared distance. Csiszár (1967); Lin (1991)."""

_PENALTY_LETTERS: Mapping[str, sp.Expr] = {
    **dict.fromkeys(("pi", "π"), pi[o]),
    **dict.fromkeys(("pi_ref", "π_ref", "ref"), ref[o]),
    **dict.fromkeys(("pi_old", "π_old", "old"), old[o]),
    **{str(letter): letter for letter in (x, p, y, *_OPEN)},
    **{str(name): estimator(pi[o], ref[o]) for name, estimator in ESTIMATORS.items()},
    **NAMED,
}
_PENALTY_FUNCTIONS: Mapping[str, Function] = {
    **ARITHMETIC,
    "sum": Function(_sum),
    "mean": Function(lambda f: _sum(old[o] * f)),
    "sg": Function(_detached),
    "renyi": Function(lambda a: sp.log(_order(a)) / (a - 1)),
    "alpha_divergence": Function(lambda a: (_order(a) - 1) / (a * (a - 1))),
}


def as_penalty(thing: Any) -> Penalised:
    """A penalty of one's own from a ``thing``: a formula as text, an expression (in the letters of
    :class:`FormulaPenalty`), a function of π(o) and π_ref(o), which is an estimator, or of policy, reference, answers
    and index, as :func:`grpo_symbolic.objectives.kl` is; or an object with ``expected``.

    Raises :class:`BadInput` for anything else, and for a function that fails on symbols.
    """
    if isinstance(thing, str):
        return FormulaPenalty(thing.strip(), read_formula(thing, _PENALTY_LETTERS, _PENALTY_FUNCTIONS))
    if isinstance(thing, sp.Expr):
        return FormulaPenalty(str(thing), thing)
    if not isinstance(thing, type):
        if hasattr(thing, "expected"):
            _check_hashable(thing, "penalty")
            return thing if hasattr(thing, "name") else _Named(type(thing).__name__, thing)
        if callable(thing):
            return _of_function(thing)
    raise BadInput(
        f"a penalty is a name, a formula, a SymPy expression, a function or an object with 'expected', got {thing!r}"
    )


def _of_function(function: Callable[..., Any]) -> Penalised:
    name = _name_of_function(function)
    count = len(inspect.signature(function).parameters)
    if count == 2:
        _on_symbols(partial(function, pi[o], ref[o]), name)
        return Divergence(name, function)
    if count == 4:
        return FormulaPenalty(name, _on_symbols(partial(function, pi, ref, Answers(n), o_), name))
    raise BadInput(
        f"the penalty {name} is a function of {count}: expected two, π(o) and π_ref(o), or four, policy, reference, "
        "answers and index"
    )


def _name_of_function(function: Callable[..., Any]) -> str:
    name = str(getattr(function, "__name__", type(function).__name__))
    return "of your own" if name == "<lambda>" else name


def _on_symbols(call: Callable[[], Any], name: str) -> sp.Expr:
    try:
        value = call()
    except BadInput:
        raise
    except Exception as problem:
        raise BadInput(
            f"the penalty {name} fails on symbols ({type(problem).__name__}: {problem}): write it with SymPy's "
            "functions"
        ) from None
    try:
        return sp.sympify(value, strict=True)
    except sp.SympifyError:
        raise BadInput(f"the penalty {name} gives {value!r}: expected an expression or a number") from None


def _check_hashable(thing: Any, what: str) -> None:
    try:
        hash(thing)
    except TypeError:
        raise BadInput(f"{thing!r} cannot be compared: make the {what} a frozen dataclass") from None


@dataclass(frozen=True)
class _Named:
    """An object with ``expected`` that has no name of its own."""

    name: str
    thing: Any

    def expected(self, *given: Any) -> sp.Expr:
        return self.thing.expected(*given)


LETTERS: Mapping[str, sp.Symbol] = {
    name: sp.Symbol(name, real=True)
    for name in ("r", "mean", "std", "sample_std", "var", "median", "mad", "least", "most", "rank", "G")
}
"""What a formula of an advantage speaks of: the reward of the member, and of its group the mean, the deviation that
divides by G or by G − 1, the variance, the median, the median of the distances from it, the least and the greatest
reward, the member's rank from 1 (ties share their mean), and the size."""
_IN_LARGE_GROUPS = ("r", "mean", "std", "sample_std", "var")
_quantile = sp.Function("quantile", real=True)
_ADVANTAGE_LETTERS: Mapping[str, sp.Expr] = {**LETTERS, **{str(letter): letter for letter in _OPEN}}
_ADVANTAGE_FUNCTIONS: Mapping[str, Function] = {**ARITHMETIC, "quantile": Function(_quantile)}


@dataclass(frozen=True)
class FormulaAdvantage(Advantage):
    """The advantage of each member as an ``expression`` in :data:`LETTERS`, with ``quantile(q)`` for the quantile of
    the group's rewards, linear between them. 0/0 is 0. Raises :class:`BadInput` for other letters.
    """

    name: str = "of your own"
    expression: sp.Expr = sp.S.Zero

    __repr__ = differing

    def __post_init__(self) -> None:
        named = {s: LETTERS[s.name] for s in self.expression.free_symbols if s.name in LETTERS}
        object.__setattr__(self, "expression", self.expression.xreplace(named))
        strange = self.expression.free_symbols - {*LETTERS.values(), *_OPEN}
        strange |= {f for f in self.expression.atoms(AppliedUndef) if not _is_quantile(f)}
        if strange:
            raise BadInput(
                f"the advantage {self.name} has {', '.join(sorted(map(str, strange)))}: expected {', '.join(LETTERS)} "
                "and quantile(q), 0 ≤ q ≤ 1"
            )
        if LETTERS["r"] not in self.expression.free_symbols and LETTERS["rank"] not in self.expression.free_symbols:
            raise BadInput(f"the advantage {self.name} does not depend on the reward: expected r or rank in it")

    def of_group(self, rewards: Sequence[Scalar]) -> list[sp.Expr]:
        """The advantages of a group with these rewards, which are numbers.

        Raises :class:`BadInput` where something that is not 0 is divided by 0.
        """
        values = group_of(rewards)
        if len(values) < 2 or not all(v.is_number and v.is_real for v in values):
            raise BadInput(f"the advantage {self.name} is that of two rewards or more, which are numbers, not {values}")
        group = _of_the_group(values)
        place: dict[sp.Expr, sp.Expr] = {}
        for v in dict.fromkeys(values):
            below, equal = sum(1 for w in values if w < v), values.count(v)
            own = {"r": v, "rank": below + sp.Rational(equal + 1, 2)}
            known = {LETTERS[k]: w for k, w in {**group, **own}.items()}
            try:
                place[v] = _value(self.expression, known, sorted(values))
            except ZeroDivisionError:
                raise BadInput(
                    f"the advantage {self.name} divides what is not 0 by 0 for the reward {v} in a group of "
                    f"{len(values)} with the mean {group['mean']}: add a guard to the divisor"
                ) from None
        return [place[v] for v in values]

    def of_population(self, reward: Scalar, mean: Scalar, variance: Scalar) -> sp.Expr:
        """The advantage in the limit of large groups. Raises :class:`BadInput` where the formula has a letter of which
        only groups are known.
        """
        strange = {s.name for s in self.expression.free_symbols & set(LETTERS.values())} - set(_IN_LARGE_GROUPS)
        if strange or self.expression.has(_quantile):
            letters = ", ".join(sorted(strange)) or "quantile"
            raise BadInput(
                f"{letters} of large groups is not known here: expected a formula in {', '.join(_IN_LARGE_GROUPS)}, or "
                "a whole group size"
            )
        deviation = sp.sqrt(variance)
        known = (reward, mean, deviation, deviation, variance)
        return self.expression.xreplace(
            {LETTERS[k]: sp.sympify(v) for k, v in zip(_IN_LARGE_GROUPS, known, strict=True)}
        )


def _is_quantile(f: AppliedUndef) -> bool:
    return f.func == _quantile and f.args[0].is_Rational and 0 <= f.args[0] <= 1


def _of_the_group(values: list[sp.Expr]) -> dict[str, sp.Expr]:
    size = len(values)
    mean = sp.Add(*values) / size
    squares = sp.Add(*((v - mean) ** 2 for v in values))
    ordered = sorted(values)
    median = _between(ordered, sp.S.Half)
    return {
        "mean": mean,
        "var": squares / size,
        "std": sp.sqrt(squares / size),
        "sample_std": sp.sqrt(squares / (size - 1)),
        "median": median,
        "mad": _between(sorted(abs(v - median) for v in values), sp.S.Half),
        "least": ordered[0],
        "most": ordered[-1],
        "G": sp.Integer(size),
    }


def _between(ordered: list[sp.Expr], share: sp.Rational) -> sp.Expr:
    place = share * (len(ordered) - 1)
    low = int(sp.floor(place))
    high = min(low + 1, len(ordered) - 1)
    return ordered[low] + (place - low) * (ordered[high] - ordered[low])


def _value(e: sp.Expr, known: Mapping[sp.Symbol, sp.Expr], ordered: list[sp.Expr]) -> sp.Expr:
    """An expression at a member of a group; 0/0 is 0, and any other division by 0 raises :class:`ZeroDivisionError`."""
    if e in known:
        return known[e]
    if isinstance(e, AppliedUndef):
        return _between(ordered, e.args[0])
    if not e.args:
        return e
    if not (e.is_Mul or e.is_Pow):
        return e.func(*(_value(part, known, ordered) for part in e.args))
    above: list[sp.Expr] = []
    below: list[sp.Expr] = []
    for factor in sp.Mul.make_args(e):
        base, power = factor.as_base_exp()
        turned = base is not sp.E and power.is_number and power.is_negative
        value = _value(base, known, ordered) ** (-power if turned else _value(power, known, ordered))
        (below if turned else above).append(value)
    top = sp.Mul(*above)
    if any(sp.simplify(v).is_zero for v in below):
        if not sp.simplify(top).is_zero:
            raise ZeroDivisionError
        return sp.S.Zero
    return top / sp.Mul(*below)


@dataclass(frozen=True)
class RuledAdvantage(Advantage):
    """An advantage by a ``rule`` from the rewards of a group to its advantages. It is given exact numbers of SymPy, and
    floats where it cannot compute with them; a float that comes back is read as the decimal that it prints as.
    """

    name: str = "of your own"
    rule: Callable[[Sequence[Any]], Sequence[Any]] = list

    __repr__ = differing

    def of_group(self, rewards: Sequence[Scalar]) -> list[sp.Expr]:
        """The advantages of a group. Raises :class:`BadInput` where the rule fails, or gives not one real number for
        each reward.
        """
        values = group_of(rewards)
        try:
            advantages = list(self.rule(values))
        except Exception:
            try:
                advantages = list(self.rule([float(v) for v in values]))
            except Exception as problem:
                raise BadInput(f"the advantage {self.name} fails on {values}: {problem}") from None
        if len(advantages) != len(values):
            raise BadInput(f"the advantage {self.name} gives {len(advantages)} numbers for {len(values)} rewards")
        return [self._real(v, values) for v in advantages]

    def _real(self, value: Any, values: list[sp.Expr]) -> sp.Expr:
        try:
            number = exact(value)
        except (ValueError, ZeroDivisionError):
            number = sp.nan
        if number.free_symbols or (number.is_extended_real and number.is_finite):
            return number
        raise BadInput(f"the advantage {self.name} gives {value} in the group {values}: expected real numbers")

    def of_population(self, reward: Scalar, mean: Scalar, variance: Scalar) -> sp.Expr:
        """Raises :class:`BadInput`: of large groups a rule for groups says nothing."""
        raise BadInput(f"of large groups the advantage {self.name}, a rule for groups, says nothing: give a group size")


def as_advantage(thing: Any) -> Advantage:
    """An advantage of one's own from a ``thing``: a formula as text or an expression (in the letters of
    :class:`FormulaAdvantage`), a function from a group's rewards to its advantages, or an object with ``of_group``.

    Raises :class:`BadInput` for anything else.
    """
    if isinstance(thing, Advantage):
        return thing
    if isinstance(thing, str):
        return FormulaAdvantage(
            name=thing.strip(), expression=read_formula(thing, _ADVANTAGE_LETTERS, _ADVANTAGE_FUNCTIONS)
        )
    if isinstance(thing, sp.Expr):
        return FormulaAdvantage(name=str(thing), expression=thing)
    if not isinstance(thing, type):
        if hasattr(thing, "of_group"):
            _check_hashable(thing, "advantage")
            return RuledAdvantage(name=type(thing).__name__, rule=thing.of_group)
        if callable(thing):
            return RuledAdvantage(name=_name_of_function(thing), rule=thing)
    raise BadInput(
        f"an advantage is a formula, a SymPy expression, a function of a group's rewards or an object with "
        f"'of_group', got {thing!r}"
    )


@lru_cache(maxsize=64)
def levels(of: Advantage, size: int) -> tuple[tuple[sp.Expr, ...], tuple[sp.Expr, ...]]:
    """The advantages of a correct member in groups of ``size`` with 1, …, G correct ones, and of a wrong one in those
    with 0, …, G − 1; rewards are 1 and 0.

    Raises :class:`BadInput` where members with equal rewards get different advantages, or where the place counts.
    """
    right, wrong = [], []
    for correct in range(size + 1):
        rewards = [sp.S.One] * correct + [sp.S.Zero] * (size - correct)
        advantages, mirrored = list(of.of_group(rewards)), list(of.of_group(rewards[::-1])[::-1])
        of_right, of_wrong = advantages[:correct], advantages[correct:]
        if len(set(of_right)) > 1 or len(set(of_wrong)) > 1 or advantages != mirrored:
            raise BadInput(
                f"the advantages of {name_of(of)} in the group {rewards} are {advantages}: expected equal ones for "
                "equal rewards, wherever they stand"
            )
        right += of_right[:1]
        wrong += of_wrong[:1]
    return tuple(right), tuple(wrong)


def exact(value: Any) -> sp.Expr:
    """A number or expression as SymPy has it; a float is read as the decimal that it prints as.

    Raises :class:`ValueError` or :class:`ZeroDivisionError` for what is no number.

    >>> exact(0.04)
    1/25
    """
    return value if isinstance(value, sp.Expr) and not value.is_Float else sp.Rational(Fraction(str(value)))


def name_of(of: Advantage) -> str:
    """What an advantage with a rule of its own is called."""
    return getattr(of, "name", type(of).__name__)
