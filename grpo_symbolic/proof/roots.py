"""Counting real roots with Sturm sequences, parameters included.

The number of distinct roots of a polynomial in an open interval is the difference of the sign variations of its Sturm
chain at the two ends (which must not be roots). With parameters the signs are undetermined, so the checker walks
through every sign pattern that Z3 finds feasible on the domain and requires the same count in each. Chains of
polynomials with parameters use pseudo-remainders whose multipliers are squares, so that signs survive.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import sympy as sp

from grpo_symbolic.proof.arithmetic import Unsupported
from grpo_symbolic.proof.decision import as_formula, defined, proves, z3_answer
from grpo_symbolic.proof.domain import Domain
from grpo_symbolic.proof.evidence import Finding, Grade, Outcome
from grpo_symbolic.proof.obligation import Obligation, RootCount
from grpo_symbolic.proof.queries import queries
from grpo_symbolic.proof.terms.language import Compare, Term

_RELATION = {1: sp.Gt, -1: sp.Lt, 0: sp.Eq}


def sturm_chain(polynomial: sp.Expr, variable: sp.Symbol) -> list[sp.Poly]:
    """The chain ``P, P', −rem, …``, each remainder taken after multiplying by an even power of the leading
    coefficient.
    """
    first = sp.Poly(sp.expand(polynomial), variable)
    chain = [first, first.diff(variable)]
    while chain[-1].degree() > 0:
        divisor, dividend = chain[-1], chain[-2]
        power = dividend.degree() - divisor.degree() + 1
        power += power % 2
        remainder = (dividend * divisor.LC() ** power).rem(divisor)
        remainder = sp.Poly(-sp.expand(remainder.as_expr()), variable)
        if remainder.is_zero:
            break
        chain.append(remainder)
    return chain


def _at(polynomial: sp.Poly, end: sp.Expr) -> sp.Expr:
    """The value, or its sign at an infinite end."""
    if end not in (sp.oo, -sp.oo):
        return sp.factor(sp.together(polynomial.as_expr().subs(polynomial.gen, end)))
    sign = sp.S.One if end == sp.oo else sp.Integer(-1) ** polynomial.degree()
    return sp.factor(sign * polynomial.LC())


def _patterns(terms: list[sp.Expr], domain: Domain, chosen: tuple[int, ...] = ()) -> Iterator[tuple[int, ...]]:
    """Every sign pattern of the terms that is feasible on the domain; an undecided branch counts as feasible."""
    if len(chosen) == len(terms):
        yield chosen
        return
    term = terms[len(chosen)]
    if term.is_number:
        yield from _patterns(terms, domain, (*chosen, int(sp.sign(term))))
        return
    for sign in (1, -1, 0):
        known = [_RELATION[s](t, 0) for t, s in zip(terms, (*chosen, sign), strict=False) if not t.is_number]
        if _feasible(sp.And(*known), domain):
            yield from _patterns(terms, domain, (*chosen, sign))


def _feasible(condition: Any, domain: Domain) -> bool:
    if condition == sp.false:
        return False
    asked = queries(as_formula(sp.Not(condition), domain), domain)
    defined = all(z3_answer(script)[0] == "unsat" for script in asked.definedness)
    return not defined or z3_answer(asked.main)[0] != "unsat"


def _variations(signs: tuple[int, ...]) -> int:
    nonzero = [s for s in signs if s]
    return sum(a != b for a, b in itertools.pairwise(nonzero))


@dataclass(frozen=True)
class Sturm:
    """Counts roots of polynomials for all parameters of the domain."""

    name: str = "sturm"
    engine: str = "Z3"
    grade: Grade = Grade.decision

    def applies(self, obligation: Obligation) -> bool:
        return isinstance(obligation, RootCount) and sp.sympify(obligation.polynomial).is_polynomial(
            obligation.variable
        )

    def check(self, obligation: Obligation) -> Finding:
        assert isinstance(obligation, RootCount)
        o = obligation
        domain = o.domain.apart_from(o.variable)
        polynomial, _, low, high, _ = o.read
        ends = tuple(e for e in (low, high) if isinstance(e, Term))
        assert isinstance(polynomial, Term)
        undefined = defined((polynomial, *ends), domain)
        if undefined:
            return Finding.unknown(f"not shown to be defined for all parameters\n{undefined}")
        ordered = proves(Compare("<", *ends), domain) if len(ends) == 2 else (low, high) != ("∞", "−∞") and low != high
        if not ordered or low == "∞" or high == "−∞":
            return Finding.unknown("the lower end of the interval is not shown to lie below the upper one")
        chain = sturm_chain(o.polynomial, o.variable)
        size = len(chain)
        try:
            terms = [_at(f, o.lower) for f in chain] + [_at(f, o.upper) for f in chain]
            leading = [f.LC() for f in chain[1:]]  # a vanishing leading coefficient would change the chain
            if any(not c.is_number and _feasible(sp.Eq(c, 0), domain) for c in leading[:-1]):
                return Finding.unknown("a leading coefficient of the Sturm chain may vanish on the domain")
            counts = set()
            for signs in _patterns(terms, domain):
                if signs[0] == 0 or signs[size] == 0:
                    return Finding.unknown("an end of the interval may be a root")
                counts.add(_variations(signs[:size]) - _variations(signs[size:]))
        except Unsupported as reason:
            return Finding.unknown(str(reason))
        shown = "; ".join(str(f.as_expr()) for f in chain)
        if counts == {o.count}:
            return Finding(Outcome.holds, artefact=f"Sturm chain {shown}; every feasible sign pattern gives {o.count}")
        if counts and o.count not in counts:
            return Finding(Outcome.refuted, artefact=f"Sturm chain {shown}; the feasible counts are {sorted(counts)}")
        return Finding.unknown(f"feasible counts {sorted(counts)} include patterns that Z3 could not exclude")


@dataclass(frozen=True)
class RootSamples:
    """Counts roots at sampled parameters by exact isolation: an independent look at what Sturm says for all of them."""

    name: str = "root-isolation"
    engine: str = "SymPy"
    grade: Grade = Grade.sampled
    samples: int = 12

    def applies(self, obligation: Obligation) -> bool:
        return isinstance(obligation, RootCount) and sp.sympify(obligation.polynomial).is_polynomial(
            obligation.variable
        )

    def check(self, obligation: Obligation) -> Finding:
        assert isinstance(obligation, RootCount)
        o = obligation
        domain = o.domain.apart_from(o.variable)
        checked = 0
        for point in domain.points(self.samples, seed=7):
            p = sp.Poly(sp.expand(o.polynomial.xreplace(point)), o.variable)
            low, high = o.lower.xreplace(point), o.upper.xreplace(point)
            rational = (p.domain.is_QQ or p.domain.is_ZZ) and all(
                e.is_Rational or e in (sp.oo, -sp.oo) for e in (low, high)
            )
            if not rational:
                continue
            inside = [e if e.is_Rational else None for e in (low, high)]
            count = p.sqf_part().count_roots(*inside)
            count -= sum(1 for e in inside if e is not None and p.eval(e) == 0)
            checked += 1
            if count != o.count:
                shown = ", ".join(f"{k} = {v}" for k, v in point.items())
                return Finding(Outcome.refuted, grade=Grade.sampled, artefact=f"{count} roots at {shown}", seed=7)
        if not checked:
            return Finding.unknown("no rational parameters to sample")
        return Finding(
            Outcome.holds, artefact=f"{checked} rational parameter points", seed=7, domain="sampled parameters"
        )
