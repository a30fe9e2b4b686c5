"""Which claims cover which points: the table of coverage against the claims, their files and their domains."""

from __future__ import annotations

import itertools
import random
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import sympy as sp
from points import FIFTH, PENALTIES, SIZES, at

import grpo_symbolic as gs
from grpo_symbolic.catalogue import index, with_dependencies
from grpo_symbolic.errors import BadInput
from grpo_symbolic.ledger import Entry, Ledger
from grpo_symbolic.notation import G, b, gamma, guard, p, success_ref
from grpo_symbolic.objectives import Advantage, Divergence, k3
from grpo_symbolic.proof.statements.evidence import Origin, Verdict
from grpo_symbolic.session import Session
from grpo_symbolic.theory import cards, coverage
from grpo_symbolic.theory.coverage import COVERAGE, QUESTIONS
from grpo_symbolic.theory.interface import Theory
from grpo_symbolic.theory.point import GUARDED, NORMALISERS
from grpo_symbolic.verification.store import Store

pytestmark = pytest.mark.xdist_group("all claims")  # they are read once for all tests that need most of them


@cache
def _claims() -> dict[str, Any]:
    """The claims of the table: each of their files is run once."""
    return with_dependencies({i for row in COVERAGE for i in row.claims}).claims


def claim_of(id: str) -> Any:
    return _claims()[id]


def test_every_claim_of_the_table_exists_and_is_expected_to_hold() -> None:
    named = {i for row in COVERAGE for i in row.claims}
    assert len(named) > 100
    recorded = {i for i in named if i.endswith("-open")}
    expected = index().expected
    assert {expected[i] for i in named - recorded} <= {"proved", "argued"}
    assert {expected[i] for i in recorded} == {"supported"}


def test_what_is_not_verified_is_told_by_the_index() -> None:
    named = {i for row in COVERAGE for i in row.claims}
    told, known = cards.cards(named, Ledger(())), index()
    for i in named:
        listing = known.listings[i]
        assert (told[i].title, told[i].paper, told[i].verdict) == (listing.title, listing.paper, known.expected[i])
        assert not told[i].verified


def test_rows_name_questions_normalisers_and_penalties_that_exist() -> None:
    for row in COVERAGE:
        assert row.question in QUESTIONS
        assert set(row.normalisers) <= set(NORMALISERS)
        assert set(row.penalties) <= set(PENALTIES)
    assert {row.question for row in COVERAGE} == set(QUESTIONS)


def values_of(found: Theory, start: Any) -> dict[sp.Symbol, Any]:
    """The parameters of a point as the domains of claims name them."""
    values = {**coverage.numbers_of(found.point, start), success_ref: start}
    if not found.point.raw and not found.gap.free_symbols:
        values |= {gamma: found.gap, b: found.point.beta / found.gap}
    return values


def contradicted(claim: Any, values: dict[sp.Symbol, Any]) -> bool:
    """Whether a condition of the claim's domain is false at a point."""
    said = tuple(sorted(((s, v) for s, v in values.items() if s in claim.domain.symbols), key=str))
    return _contradicted(claim.domain, said)


@cache
def _contradicted(domain: Any, values: tuple[tuple[sp.Symbol, Any], ...]) -> bool:
    return any(sp.sympify(c).subs(dict(values)) == sp.false for c in domain.constraints)


@pytest.mark.slow("no region is wider than the claim that covers it")
def test_regions_lie_in_the_domains_of_their_claims() -> None:
    rng, seen = random.Random(1), set()
    for normaliser, penalty, size in itertools.product(NORMALISERS, PENALTIES, SIZES):
        start = sp.Rational(rng.choice(("1/1000", "1/20", "1/10", "2/5", "9/10")))
        found = at(normaliser, penalty, size, beta=rng.choice(("1/25", "1/2", "3/2", "6")), p_ref=start)
        values = values_of(found, start)
        for row in COVERAGE:
            if row.covers(found.point) and row.condition(values) == sp.true:
                seen.add(row)
                for claim in row.claims:
                    assert not contradicted(claim_of(claim), values), (claim, str(found.point), start)
    assert len(seen) > 0.95 * len(COVERAGE)


THIN = sp.Rational(1, 2000)  # how far from an end of a region it is looked whether it is left


def test_conditions_on_the_pass_rate_are_those_of_the_claims() -> None:
    compared = 0
    for row in (row for row in COVERAGE if sp.sympify(row.where).free_symbols == {p}):
        for i in row.claims:
            bounds = {c for c in claim_of(i).domain.constraints if c.free_symbols == {p}} - {0 < p, p > 0, p < 1}
            ends = sp.Tuple(row.where, *bounds).atoms(sp.Rational) if bounds else set()
            beside = {end + step for end in ends for step in (0, THIN, -THIN)}
            for start in {*beside, *(sp.Rational(k, 50) for k in range(1, 50) if bounds)}:
                if not 0 < start < 1:
                    continue
                assert (row.condition({p: start}) == sp.true) != contradicted(claim_of(i), {p: start}), (i, start)
            compared += bool(bounds)
    assert compared >= 3


def test_a_claim_about_a_guard_covers_guarded_normalisers_only() -> None:
    papers = {i: listing.paper for i, listing in index().listings.items()}
    for row in COVERAGE:
        for i in row.claims:
            named = i.startswith(("by-guard-", "by-norm-dkl-existence", "by-norm-dkl-t"))
            if named or (papers[i] == "mroueh" and guard in claim_of(i).domain.symbols):
                assert set(row.normalisers) <= set(GUARDED), i


def test_the_check_of_regions_notices_a_claim_that_is_out_of_place() -> None:
    triples = at(size=3, beta=1)
    assert contradicted(claim_of("by-br-kl0-global"), values_of(triples, FIFTH))
    assert contradicted(claim_of("vy-eq14"), values_of(triples, FIFTH))  # its margin is at most 1, here it is √2
    assert contradicted(claim_of("by-global-threshold"), values_of(triples, sp.Rational(1, 100)))
    assert not contradicted(claim_of("by-stationary-unique"), values_of(triples, FIFTH))


def test_a_guard_takes_the_claims_without_one_away() -> None:
    plain, guarded = at(size=8).answers, at("std+eps", size=8).answers
    for question in ("existence", "uniqueness", "bounds", "limits"):
        assert {s.card.id for s in plain[question].claims}.isdisjoint(s.card.id for s in guarded[question].claims)
    assert guarded["stability"].claims == ()
    assert guarded["stability"].open


def test_how_the_policy_enters_decides_which_claims_apply() -> None:
    whole, clipped, logs = (at(size=2), at(size=2, clip="1/5"), at(size=2, ratio="log"))
    assert [len(t.answers["existence"].claims) for t in (whole, clipped, logs)] == [1, 1, 1]
    ids = [{s.card.id for s in t.answers["maximum"].claims} for t in (whole, clipped, logs)]
    assert "by-global-threshold" in ids[0] - ids[1]
    assert "vy-s13-stationary-definition" in ids[0] & ids[1]
    assert ids[2] == set()


def test_a_condition_is_decided_by_numbers_and_shown_without_them() -> None:
    free = {s.card.id: s.where for s in at(size=8).answers["maximum"].claims}
    assert free["by-global-threshold"] == (2000 * p >= 149)
    assert free["by-max-plane"] == sp.true
    common, rare = (
        {s.card.id: s.where for s in at(size=8, p_ref=q).answers["maximum"].claims} for q in ("1/5", "1/100")
    )
    assert common["by-global-threshold"] == sp.true
    assert "by-global-threshold" not in rare


def test_what_has_no_name_is_covered_by_nothing() -> None:
    own = gs.theory(advantage=Advantage(sample_deviation=True, leave_one_out=True), group_size=4)
    assert own.point.normaliser is None
    assert all(answer.open and not answer.claims for answer in own.answers.values())
    clamped = gs.theory(divergence=Divergence("clamped", k3, clamp=5), group_size=2)
    assert clamped.point.penalty is None
    assert not any(answer.claims for answer in clamped.answers.values())


def test_verdicts_come_from_the_ledger() -> None:
    entry = Entry("vy-eq14", "vojnovic_yun", Origin.own, "", "T", None, "", "", "identity", Verdict.unknown, None)
    answer = gs.theory(group_size=2, ledger=Ledger((entry,))).answers["closed form"]
    assert (answer.claims[0].card.id, answer.claims[0].card.verdict) == ("vy-eq14", "unknown")
    assert answer.claims[0].card.verified
    assert answer.open  # what is not proved settles nothing
    assert not at(size=2, ledger=Ledger(())).answers["closed form"].open


def test_checkers_run_on_demand(tmp_path: Path) -> None:
    store = Session(store=Store(tmp_path))
    checked = at(size=2).verified(["closed form"], store)
    assert set(checked) == {"closed form"}
    assert {c.card.verdict for answer in checked.values() for c in answer.claims} <= {"proved", "argued"}
    assert all(c.card.verified and c.card.grade for answer in checked.values() for c in answer.claims)
    with pytest.raises(BadInput, match="there is no question 'taste'"):
        at(size=2).verified(["taste"], store)
    clamped = gs.theory(divergence=Divergence("clamped", k3, clamp=5), group_size=2)
    assert not any(answer.claims for answer in clamped.verified(session=store).values())


def test_group_size_of_a_condition_is_a_number() -> None:
    usual = {s.card.id: s.where for s in at("std+eps", size=64, guard="1e-4").answers["bounds"].claims}
    assert usual["by-guard-usual"] == sp.true
    assert "by-guard-usual" not in {s.card.id for s in at("std+eps", size=65, guard="1e-4").answers["bounds"].claims}
    free = {s.card.id: s.where for s in gs.theory(normaliser="std+eps", group_size=8).answers["bounds"].claims}
    assert free["by-guard-usual"].free_symbols == {guard}
    assert G not in free["by-guard-usual"].free_symbols
