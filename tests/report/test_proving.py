"""``gs.prove``: what holds, what was tried, and what would help."""

from __future__ import annotations

import pytest
import sympy as sp

import grpo_symbolic as gs
from grpo_symbolic.errors import BadInput
from grpo_symbolic.notation import beta, gamma, p, x, y
from grpo_symbolic.objectives import binary, grpo
from grpo_symbolic.proof import Derivation, Domain, Outcome
from grpo_symbolic.proof.statements.lemmas import log_below_tangent
from grpo_symbolic.proof.statements.obligation import Holds, Identity

DOMAIN = Domain(0 < p, p < 1, beta > 0, 0 < gamma, gamma <= 1, 0 < x, x < 1)


def _of_squared_ratios(domain: Domain) -> Derivation:
    d = Derivation("squares", domain.also(0 < y, y < 1))
    objective = grpo(beta, group_size=2, divergence="(pi/pi_ref - 1)^2/2")
    slope = d.differentiate(d.start(objective.with_margin(binary(x), binary(y), binary(p), gamma)), x)
    d.solve(d.clear_denominators(d.restrict(slope, {y: x}), p**2 * (1 - p) ** 2 / gamma, x), x)
    return d


def test_a_root_has_no_removable_point() -> None:
    """The quadratic is linear at p = ½, where the usual formula divides 0 by 0."""
    d = _of_squared_ratios(DOMAIN.also(beta * (1 - p) > gamma * p**2))
    root = d.steps[-1].result
    assert root.subs({p: sp.S.Half, beta: 1, gamma: sp.S.Half}).is_finite
    located = [t for t in gs.prove(d) if "it lies inside" in t.obligation.label or "it is a root" in t.obligation.label]
    assert [t.outcome for t in located] == [Outcome.holds] * 2


def test_where_a_root_has_no_value_is_said() -> None:
    found = gs.prove([o for o in _of_squared_ratios(DOMAIN).obligations if "it is a root" in o.label])
    assert not found.holds
    assert any("sampling" in text for text in found[0].tried)
    assert "it has no value at" in str(found)
    assert "exclude that by the domain" in str(found)


def test_what_was_tried_is_not_advised_again() -> None:
    formula = sp.log(x) <= x / 2
    plain = gs.prove(Holds(DOMAIN, formula, label="half"))
    (given,) = gs.prove(Holds(DOMAIN, formula, (log_below_tangent(p),), label="half"))
    assert "lemma instances" in str(plain)
    assert any("do not suffice" in text for text in given.help)
    assert gs.prove(Holds(DOMAIN, sp.log(x) <= x, (log_below_tangent(x),), label="tangent")).holds


def test_a_counter_example_is_shown() -> None:
    found = gs.prove(Identity(DOMAIN, sp.exp(x) ** 2, sp.exp(x) + 1, label="false"))
    assert found[0].outcome is Outcome.refuted
    assert "witness" in str(found)


def test_what_is_no_obligation_is_refused() -> None:
    with pytest.raises(BadInput, match="prove takes a derivation or obligations"):
        gs.prove(3)  # type: ignore[arg-type]
