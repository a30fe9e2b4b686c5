"""Roots counted at sampled parameters."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import sympy as sp

from grpo_symbolic.proof.search.sampling import listed
from grpo_symbolic.proof.statements.evidence import Finding, Grade, Outcome
from grpo_symbolic.proof.statements.obligation import Obligation, RootCount
from grpo_symbolic.terms.language import Term


@dataclass(frozen=True)
class RootSamples:
    """Counts roots at sampled parameters by exact isolation: an independent look at what Sturm says for all of them."""

    name: str = "root-isolation"
    engine: str = "SymPy"
    grade: Grade = Grade.sampled
    samples: int = 12

    def applies(self, obligation: Obligation) -> bool:
        return isinstance(obligation, RootCount)

    def check(self, obligation: Obligation) -> Finding:
        assert isinstance(obligation, RootCount)
        o = obligation
        domain = o.domain.without_symbol(o.variable)
        written: list[Any] = [domain.write(part) if isinstance(part, Term) else part for part in o.read]
        polynomial, variable, *ends, _ = written
        if not polynomial.is_polynomial(variable):
            return Finding.unknown(f"no polynomial in {variable}")
        checked = 0
        for point in domain.points(self.samples, seed=7):
            p = sp.Poly(sp.expand(polynomial.xreplace(point)), variable)
            finite = [e.xreplace(point) for e in ends if isinstance(e, sp.Basic)]
            if not (p.domain.is_QQ or p.domain.is_ZZ) or not all(e.is_Rational for e in finite):
                continue
            inside = [e.xreplace(point) if isinstance(e, sp.Basic) else None for e in ends]
            count = p.sqf_part().count_roots(*inside) - sum(1 for e in finite if p.eval(e) == 0)
            checked += 1
            if count != o.count:
                artefact = f"{count} roots at {listed(point)}"
                return Finding(Outcome.refuted, grade=Grade.sampled, artefact=artefact, seed=7)
        if not checked:
            return Finding.unknown("no rational parameters to sample")
        return Finding(
            Outcome.holds, artefact=f"{checked} rational parameter points", seed=7, domain="sampled parameters"
        )
