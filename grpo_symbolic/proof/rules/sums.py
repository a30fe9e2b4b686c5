"""Sums of any number of terms, judged term by term."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import sympy as sp

from grpo_symbolic.errors import ClaimError
from grpo_symbolic.proof.rules.matching import Schematic
from grpo_symbolic.proof.rules.rule import Conclusion, Using
from grpo_symbolic.proof.rules.schema import (
    E,
    G,
    K,
    Needs,
    OfAll,
    Schema,
    a,
    b,
    c,
    d,
    e,
    f,
    g,
    h,
    i,
    j,
    k,
    m,
    n,
    o,
    p,
    phi,
    q,
    r,
    t,
    w,
)
from grpo_symbolic.proof.statements.statement import EACH_OTHER, EACH_POINT, Always, Equal, Phrase, listed
from grpo_symbolic.scalars import Scalar

EQUALITY = "where both sides are equal"


@dataclass(frozen=True)
class AtLeast(Conclusion):
    """``left`` ≥ ``right``, with equality exactly where each condition in ``equality`` holds for every index.

    Without conditions nothing is claimed of equality. ``given`` is what is supposed of every index.
    """

    left: Scalar
    right: Scalar
    equality: tuple[sp.Basic, ...] = ()
    label: str = "at least"
    given: tuple[sp.Basic, ...] = ()
    claimed = ("left",)
    carried = EACH_POINT

    @property
    def _inequality(self) -> sp.Basic:
        return sp.Ge(sp.sympify(self.left), self.right, evaluate=False)

    @property
    def expression(self) -> sp.Basic:
        """Raises :class:`BadInput` where something is supposed of every index: SymPy has no object for it."""
        return super().expression if self.given else self._inequality

    @property
    def unsaid(self) -> tuple[str, ...]:
        return (EQUALITY,) if self.equality else ()

    @property
    def pointwise(self) -> sp.Basic | None:
        return None if self.given else self._inequality

    @property
    def supposes(self) -> tuple[sp.Basic, ...] | None:
        return self.given

    def phrase(self) -> Phrase:
        begun = ("if always", *listed(self.given), ", then") if self.given else ()
        if not self.equality:
            return (*begun, self._inequality)
        return (*begun, self._inequality, "with equality exactly if", *listed(self.equality), "always")


# Of a gap between two numbers: sums over a list, over its pairs, and over another list.
_MEMBERS, _BESIDE, _OTHERS = sp.Sum(f(i), (i, 1, n)), sp.Sum(g(i), (i, 1, n)), sp.Sum(h(e), (e, 1, m))
_PAIRS = sp.Sum(w(i, j), (j, 1, n), (i, 1, n))


def _by_terms(proof: str, *sums: sp.Sum, equality: bool = False) -> Schema:
    """The gap is made of these sums; with ``equality``, of one, and it is none where it has no other term than 0."""
    supposed = {} if _PAIRS in sums else {i: G(i), e: K(e)} if _OTHERS in sums else {i: G(i)}
    of = sums[0].variables[::-1]
    premises = [Needs(Equal(a - b, sp.Add(*sums)), label="the gap")]
    for term in (total.function for total in sums):
        where = tuple(supposed[index] for index in term.args if index in supposed)
        premises.append(Needs(Always(term >= 0), where, by="using", label="no term is negative"))
        if equality:
            zero = sp.Equivalent(sp.Eq(term, 0, evaluate=False), E(*of), evaluate=False)
            premises.append(Needs(OfAll(E(*of), of)))
            premises.append(Needs(Always(zero), where, by="using", label="when a term is zero"))
    return Schema(
        "Sentences.terms_decide_a_sum",
        AtLeast(a, b, (E(*of),) if equality else (), given=tuple(supposed.values())),
        tuple(premises),
        given={"terms": sums},
        proof=proof,
    )


_ONE = "1 (fun _ => n) (fun _ i => f (S i))"
_EACH_PAIR = "n (fun _ => n) (fun i j => w (S i) (S j))"
_TWO = "2 (fun j => match j with O => n | _ => {} end) (fun j i => match j with O => {} | _ => {} end)"
_ORDERED = "intros; eapply (ordered _ _ _ (@{{theorem}} {0})); numbered"
_DECIDED = (
    "intros; refine (decided _ _ _ (@{{theorem}} {0} {1} a b ltac:(numbered) ltac:(numbered) ltac:(numbered)) _ _); "
    "same_members"
)


@dataclass(frozen=True, eq=False)
class TermByTerm(Schematic["AtLeast"]):
    """One side exceeds the other by a sum of terms that are not negative, or by two such sums, each over all numbers
    from 1 on, or over all pairs of them. Where the gap is one sum: each term vanishes exactly in the case of equality.

    ``terms`` are the sums; ``using`` is for the terms.
    """

    terms: tuple[sp.Expr, ...] = ()
    using: Using = ()
    schemas = (
        _by_terms(_ORDERED.format(_ONE), _MEMBERS),
        _by_terms(_DECIDED.format(_ONE, "(fun _ i => E (S i))"), _MEMBERS, equality=True),
        _by_terms(_ORDERED.format(_EACH_PAIR), _PAIRS),
        _by_terms(_DECIDED.format(_EACH_PAIR, "(fun i j => E (S i) (S j))"), _PAIRS, equality=True),
        _by_terms(_ORDERED.format(_TWO.format("n", "f (S i)", "g (S i)")), _MEMBERS, _BESIDE),
        _by_terms(_ORDERED.format(_TWO.format("m", "f (S i)", "h (S i)")), _MEMBERS, _OTHERS),
        _by_terms(_ORDERED.format(_TWO.format("m", "total n (w (S i))", "h (S i)")), _OTHERS, _PAIRS),
    )

    def proposed(self, conclusion: AtLeast) -> Mapping[str, Any]:
        """Nothing. Raises :class:`ClaimError` for what is no sum, with what to write instead."""
        for other in self.terms or ("nothing",):
            if not isinstance(other, sp.Sum):
                instead = "a factor stands inside, Sum(w[i] / T, (i, 1, T))"
                raise ClaimError(f"the rule of terms needs sums, and {other} is none: {instead}")
        return {}


@dataclass(frozen=True, eq=False)
class OneTermLess(Schematic["AtLeast"]):
    """One side exceeds the other by a sum of terms that are not negative, less one of these terms.

    ``total`` is the sum (``sympy.Sum`` over one index, from 1 on), ``number`` that of the term. What the conclusion
    supposes of every index is supposed of each term.
    """

    total: sp.Expr
    number: Scalar
    using: Using = ()
    schemas = (
        Schema(
            "Limits.sum_exceeds_one_of_its_terms",
            AtLeast(a, b, given=(G(i),)),
            (
                Needs(Equal(a - b, _MEMBERS - f(o)), label="the gap"),
                Needs(Always(f(i) >= 0), (G(i),), by="using", label="no term is negative"),
                Needs(Always((o >= 1) & (o <= n)), label="the term is one of them"),
            ),
            given={"total": _MEMBERS, "number": o},
            proof="intros; apply (@{theorem} n (o - 1) (fun i => f (S i))); numbered",
        ),
    )


_MOST = 5  # sums in one equation
_FACTORS = (c, k, p, q, r)


class _Combined(NamedTuple):
    """Sums over one list, each with a factor, that add up to the difference of two sides."""

    factors: tuple[sp.Expr, ...]
    terms: tuple[sp.Expr, ...]
    index: sp.Symbol
    size: Scalar

    @property
    def whole(self) -> sp.Expr:
        """Their sum."""
        totals = (sp.Sum(term, (self.index, 1, self.size)) for term in self.terms)
        return sp.Add(*(factor * total for factor, total in zip(self.factors, totals, strict=True)))

    @property
    def of_one(self) -> sp.Expr:
        """What one member adds."""
        return sp.Add(*(factor * term for factor, term in zip(self.factors, self.terms, strict=True)))


def _combined(difference: sp.Expr) -> _Combined:
    """The parts of a difference. Raises :class:`ClaimError` for anything but a combination of sums over one list."""
    factors, terms, limits = [], [], set()
    for part in sp.Add.make_args(difference):
        sums = [factor for factor in sp.Mul.make_args(part) if isinstance(factor, sp.Sum)]
        if len(sums) != 1 or len(sums[0].limits) != 1:
            raise ClaimError(f"{part} is no sum over one index, with a factor")
        limits.add(sums[0].limits[0])
        factors.append(sp.Mul(*(factor for factor in sp.Mul.make_args(part) if factor is not sums[0])))
        terms.append(sums[0].function)
    if len(limits) != 1 or len(terms) > _MOST:
        raise ClaimError(f"the sums do not have one range, or are more than {_MOST}")
    index, low, size = limits.pop()
    if low != 1:
        raise ClaimError(f"the sums over {index} are to run from 1 on, and begin at {low}")
    return _Combined(tuple(factors), tuple(terms), index, size)


def _by_number(texts: Sequence[str]) -> str:
    """A function of a number in Coq, by its values."""
    *first, last = texts
    cases = (f"{place} => {text}" for place, text in enumerate(first))
    return f"match j with {' | '.join((*cases, f'_ => {last}'))} end"


def _equal_terms(number: int) -> Schema:
    """So many sums."""
    letters = _Combined(_FACTORS[:number], tuple(of(i) for of in (f, g, h, d, w)[:number]), i, n)
    factors = _by_number([str(factor) for factor in letters.factors])
    terms = _by_number([f"{term.func} (S i)" for term in letters.terms])
    return Schema(
        "Sentences.sums_of_equal_terms_agree",
        Equal(a, b),
        (
            Needs(Equal(a - b, letters.whole), label="the sums"),
            Needs(Always(sp.Eq(letters.of_one, 0, evaluate=False)), by="using", label="term by term"),
        ),
        given=letters._asdict(),
        proof=f"intros; apply (@{{theorem}} n {number} (fun j => {factors}) (fun j i => {terms})); numbered",
    )


@dataclass(frozen=True, eq=False)
class EqualTerms(Schematic["Equal"]):
    """Sums over one range, each with a factor, add up on both sides to the same if their terms do.

    ``using`` is for the terms.
    """

    using: Using = ()
    schemas = tuple(map(_equal_terms, range(1, _MOST + 1)))

    def proposed(self, conclusion: Equal) -> Mapping[str, Any]:
        return _combined(sp.sympify(conclusion.left) - conclusion.right)._asdict()


class Divergence(NamedTuple):
    """Families of positive numbers, ``p`` and ``q``, by the number ``index`` of an entry from ``low`` to ``high``."""

    p: sp.Expr
    q: sp.Expr
    index: sp.Symbol
    low: Scalar
    high: Scalar

    def total(self, term: sp.Expr) -> sp.Sum:
        """The sum of a term over all entries."""
        return sp.Sum(term, (self.index, self.low, self.high))


def _gibbs(proof: str, *kinds: tuple[sp.Expr, sp.Expr], equality: bool) -> Schema:
    """For answers of these kinds: the entries of the two families, by the number of one."""
    indices = [p.args[0] for p, _ in kinds]
    limits = [(index, 1, size) for index, size in zip(indices, (n, m), strict=False)]
    same = tuple(sp.Eq(p, q, evaluate=False) for p, q in kinds)
    whole = sp.Add(*(sp.Sum(p * sp.log(p / q), at) for (p, q), at in zip(kinds, limits, strict=True)))
    mass = [sp.Add(*(sp.Sum(pair[side], at) for pair, at in zip(kinds, limits, strict=True))) for side in (0, 1)]
    return Schema(
        "Sentences.gibbs_for_equal_sums",
        AtLeast(a, b, same if equality else ()),
        (
            *(Needs(OfAll(c, (index,))) for c, index in zip(same, indices, strict=True) if equality),
            Needs(Equal(a - b, k * whole), label="the gap"),
            Needs(Equal(*mass), label="one sum"),
            Needs(Always(k > 0), by="using", label="the factor"),
            *(Needs(Always((p > 0) & (q > 0)), by="using", label="positive") for p, q in kinds),
        ),
        given={"of": tuple((*pair, *at) for pair, at in zip(kinds, limits, strict=True)), "scale": k},
        proof=proof,
    )


_OF_TWO = "2 (fun j => match j with O => n | _ => m end)"
_FIRST = "1 (fun _ => n) (fun _ i => f (S i)) (fun _ i => g (S i))"
_KINDS = (
    f"{_OF_TWO} (fun j i => match j with O => f (S i) | _ => h (S i) end) "
    "(fun j i => match j with O => g (S i) | _ => d (S i) end)"
)


@dataclass(frozen=True, eq=False)
class Gibbs(Schematic["AtLeast"]):
    """One side exceeds the other by a positive multiple of a divergence Σ p log(p/q) of positive numbers that have one
    sum: so it is larger, unless p = q throughout.

    ``of`` are the families p and q, one after the other where the answers come in two kinds; ``scale`` is the factor.
    """

    of: tuple[Divergence, ...]
    scale: Scalar = sp.S.One
    using: Using = ()
    schemas = tuple(
        _gibbs(
            f"intros; {'refine (decided _ _ _ ' if equality else 'apply (proj1 '}(@{{theorem}} {lists} k a b "
            f"{' '.join(4 * ['ltac:(numbered)'])}){' _ _); same_members' if equality else ')'}",
            *kinds,
            equality=equality,
        )
        for lists, kinds in ((_FIRST, ((f(i), g(i)),)), (_KINDS, ((f(i), g(i)), (h(e), d(e)))))
        for equality in (True, False)
    )


@dataclass(frozen=True)
class EqualFromSomeOn(Conclusion):
    """``left`` = ``right`` for every ``variable`` from some value on, all else fixed: so the left side tends to the
    right one as it tends to ∞. The domain constrains the other symbols only.
    """

    left: Scalar
    right: Scalar
    variable: sp.Symbol
    label: str = "from some value on"
    claimed = ("right",)
    ranges = True
    carried = EACH_OTHER

    def phrase(self) -> Phrase:
        agree = sp.Eq(sp.sympify(self.left), self.right, evaluate=False)
        return (agree, "for every", self.variable, "from some value on")


def _settling(number: int) -> Schema:
    """So many sums, of terms that move with ``t``."""
    letters = _Combined(_FACTORS[:number], tuple(of(i, t) for of in (f, h, d, w)[:number]), i, n)
    one = " + ".join(f"{factor} * {term.func} (S i) t" for factor, term in zip(*letters[:2], strict=True))
    return Schema(
        "Limits.sums_of_terms_that_settle_agree_from_some_number_on",
        EqualFromSomeOn(g(t), b, t),
        (
            Needs(Always(n >= 1), label="there is a term"),
            Needs(Equal(g(t) - b, letters.whole), (phi(i) <= t,), label="the sums"),
            Needs(Always(sp.Eq(letters.of_one, 0, evaluate=False)), (phi(i) <= t,), by="using", label="term by term"),
        ),
        given={**letters._asdict(), "bound": phi(i)},
        proof=f"intros; destruct (@{{theorem}} n (fun i t => {one}) (fun _ => 0) (fun i => phi (S i))) as [E' S']; "
        "[numbered | exists (Rmax E' (phi 1%nat)); settled_sum n S' H2]",
    )


@dataclass(frozen=True, eq=False)
class TermsSettle(Schematic["EqualFromSomeOn"]):
    """Sums whose terms agree on both sides from some value of a variable on agree themselves from some value on.

    ``bound`` is that value for a term, by its index; ``using`` is for the terms.
    """

    bound: Scalar
    using: Using = ()
    schemas = tuple(map(_settling, range(1, _MOST)))

    def proposed(self, conclusion: EqualFromSomeOn) -> Mapping[str, Any]:
        return _combined(sp.sympify(conclusion.left) - conclusion.right)._asdict()
