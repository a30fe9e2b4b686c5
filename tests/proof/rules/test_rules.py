"""Every rule: what it proves, what it refuses, and its theorem.

Each row of ``CASES`` is a sentence that its rule proves, with variants that are false: one for each premise of a rule
that is no schema, and for what is said of how a schema's sentence is written; without each of the others Coq rejects
the schema. With the premise the rule leaves the variant open, refutes it, or refuses it in a sentence; all its other
premises hold, so without that one it would prove what is false.
"""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from rule_cases import CASES, SUPPORTS, Case, False_
from rules_page import PAGE, all_rules, page, theorems
from sympy import Derivative, Eq, IndexedBase, Rational, Sum, symbols

from grpo_symbolic.errors import BadInput, ClaimError
from grpo_symbolic.proof import (
    Always,
    AtLeast,
    Catalogue,
    Claim,
    Domain,
    Equal,
    Exists,
    Follows,
    ForEveryNumber,
    Iteration,
    MeanOfLargeGroups,
    Monotone,
    OneRoot,
    Result,
    StaysIn,
    StrictlyMonotone,
    TakesValue,
    TooRare,
    at,
    digest,
    reals,
)
from grpo_symbolic.proof.checkers import STEADY, TIMED, run_checker
from grpo_symbolic.proof.rules.matching import Schematic
from grpo_symbolic.proof.rules.rule import Rule
from grpo_symbolic.proof.statements.evidence import Outcome
from grpo_symbolic.proof.statements.hypotheses import names
from grpo_symbolic.proof.statements.obligation import Obligation
from grpo_symbolic.proof.statements.sentence import formulas, sentence_text
from grpo_symbolic.proof.statements.statement import Statement

x, y, a, b = symbols("x y a b", real=True)
i, n, o, size = symbols("i n o k", integer=True)
P, ref = IndexedBase("P"), IndexedBase("ref")
half = Rational(1, 2)
mean_reward = Sum(ref[o] * P[o], (o, 1, n))


def _outcome(obligation: Obligation) -> Outcome:
    """What the first checker that knows says."""
    for checker in (*STEADY, *TIMED):
        if checker.applies(obligation):
            found = run_checker(checker, obligation, 0.5)
            if found.grade.is_proof and found.outcome is not Outcome.unknown:
                return found.outcome
    return Outcome.unknown


CONTROLS = [(case, control) for case in CASES for control in case.controls]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_a_rule_proves_what_is_true(case: Case) -> None:
    for obligation in case.statement.obligations(case.domain):
        assert _outcome(obligation) is Outcome.holds, obligation.label


@pytest.mark.parametrize(("case", "control"), CONTROLS, ids=lambda c: c.name if isinstance(c, Case) else c.breaks)
def test_without_a_premise_something_false_would_follow(case: Case, control: False_) -> None:
    try:
        obligations = list(control.statement.obligations(control.domain))
    except BadInput as refused:
        refusal = str(refused)
        assert control.breaks in refusal
        return
    failing = [o.label for o in obligations if _outcome(o) is not Outcome.holds]
    assert any(control.breaks in label for label in failing), failing
    assert all(any(part in label for part in (control.breaks, *control.also)) for label in failing), failing


def test_every_premise_has_a_control() -> None:
    """A premise of one case is controlled there, or in another case of the same rule; one that another rule leads to is
    controlled where that rule is, and Coq drops those of schemas.
    """
    controlled: dict[type[Rule], list[str]] = {}
    asked: dict[type[Rule], set[str]] = {}
    for case in CASES:
        rule = _rule(case.statement)
        controlled.setdefault(type(rule), []).extend(c.breaks for c in case.controls)
        bare = (p for p in rule.premises(case.statement.conclusion, case.domain) if not p.statement.rules_on(p.domain))
        asked.setdefault(type(rule), set()).update(getattr(p.statement, "label", "") for p in bare)
    assert set(asked) == set(all_rules()) - {Follows}
    for found, labels in asked.items():
        if issubclass(found, Schematic):
            continue
        missing = [label for label in labels if not any(breaks in label for breaks in controlled[found])]
        assert not missing, (found.__name__, missing)


def _rule(statement: Any) -> Rule:
    return statement.rule if statement.rule is not None else statement.usual


def _named(name: str, statement: Statement, domain: Domain, **given: Any) -> Claim:
    return Result(__file__).claim(name, statement, domain, locator="", title="", **given)


def test_a_cited_claim_says_a_premise() -> None:
    """Citing replaces the obligations by one: that the premise speaks only of what the claim covers."""
    rises = _named("rises", Monotone(x**2, x), Domain(x > 0))
    statement = OneRoot(x**2, x, 1, 3, a).by(StrictlyMonotone(given=(rises,)))
    domain = Domain(1 < a, a < 9)
    labels = [o.label for o in statement.obligations(domain)]
    assert "what rises supposes" in labels
    assert not any("its sign" in label for label in labels)
    assert all(_outcome(o) is Outcome.holds for o in statement.obligations(domain))
    outside = OneRoot(x**2, x, -1, 3, a).by(StrictlyMonotone(given=(rises,)))
    failing = [o.label for o in outside.obligations(Domain(1 < a, a < 9)) if _outcome(o) is not Outcome.holds]
    assert "what rises supposes" in failing


@pytest.mark.parametrize(
    ("given", "reason"),
    [
        (Monotone(x**3, x), "none of its premises"),
        (Monotone(x**2, x, -1), "none of its premises"),
        (Monotone(x**2, x, strict=False), "none of its premises"),
        (Monotone(y**2, y), "none of its premises"),
        (Always(x**2 > 0), "none of its premises"),
    ],
)
def test_a_claim_that_says_something_else_is_refused(given: Statement, reason: str) -> None:
    cited = _named("cited", given, Domain(x > 0, y > 0))
    with pytest.raises(ClaimError, match=reason):
        list(OneRoot(x**2, x, 1, 3, a).by(StrictlyMonotone(given=(cited,))).obligations(Domain(1 < a, a < 9)))


def test_what_follows_is_asked_at_the_values() -> None:
    above = _named("above", Always(x**2 + 1 > x), Domain(x))
    good = Always(a**4 + 1 > a**2).by(Follows((at(above, {x: a**2}),)))
    assert all(_outcome(o) is Outcome.holds for o in good.obligations(Domain(a)))
    bad = Always(a**4 > a**2).by(Follows((at(above, {x: a**2}),)))
    assert any(_outcome(o) is not Outcome.holds for o in bad.obligations(Domain(a)))
    positive = _named("positive", Always(x > 0), Domain(x > 0))  # cited where it says nothing
    outside = Always(a > 0).by(Follows((at(positive, {x: a}),)))
    failing = [o.label for o in outside.obligations(Domain(a)) if _outcome(o) is not Outcome.holds]
    assert failing == ["what positive supposes"]


@pytest.mark.parametrize("values", [{x: a**2}, {b: x}])
def test_a_bound_letter_takes_no_value(values: dict[Any, Any]) -> None:
    cited = _named("cited", Monotone(b * x, x), Domain(x > 0, b > 0))
    with pytest.raises(ClaimError, match="binds x"):
        list(OneRoot(x, x, 0, 1, a).by(StrictlyMonotone(given=(at(cited, values),))).obligations(Domain(0 < a, a < 1)))


def test_an_example_is_no_premise() -> None:
    """What holds at one point of a domain is not said on its parts."""
    example = _named("example", Exists(x > 1, {x: 2}), Domain(x > 0))
    with pytest.raises(ClaimError, match="no equation and no inequality"):
        list(Always(x > 1).by(Follows((example,))).obligations(Domain(0 < x, x < 1)))


def test_a_cited_claim_is_named_and_is_the_one_that_is_registered() -> None:
    rises = _named("rises", Monotone(x**2, x), Domain(x > 0))
    rule = StrictlyMonotone(given=(rises,))
    with pytest.raises(ClaimError, match="depends_on"):
        _named("c", OneRoot(x**2, x, 1, 3, a), Domain(1 < a, a < 9), by=rule)
    catalogue = Catalogue()
    catalogue.add(_named("rises", Monotone(x**3, x, strict=False), Domain(x > 0)))
    catalogue.add(_named("c", OneRoot(x**2, x, 1, 3, a), Domain(1 < a, a < 9), by=rule, depends_on=["rises"]))
    with pytest.raises(ClaimError, match="says something else"):
        catalogue.check_dependencies()


def test_a_claim_that_owes_the_same_need_not_say_the_same() -> None:
    """That a square rises comes from the sign of its slope: both are owed where one is said."""
    positive = Domain(x > 0)
    rises = _named("c", Monotone(x**2, x), positive)
    parts = _named("c", Equal(Derivative(x**2, x), 2 * x) & Always(2 * x > 0), positive)
    owed = [[o.key() for _, o in c.obligations()] for c in (rises, parts)]
    assert owed[0] == owed[1]
    assert not rises.says_as(parts)
    assert rises.says_as(_named("c", Monotone(x**2, x), positive))


def test_a_start_at_both_ends_stays_there() -> None:
    owed = list(StaysIn(Iteration(x, x, half), half, half).obligations(Domain(a > 0)))
    assert [_outcome(o) for o in owed] == [Outcome.holds] * 2  # that ½ ≤ ½ is not asked


def test_what_a_rule_is_not_given_is_asked_for_in_a_sentence() -> None:
    rare = next(case for case in SUPPORTS if isinstance(_rule(case.statement), TooRare))
    none = replace(rare.statement, rule=replace(_rule(rare.statement), at_most=()))
    with pytest.raises(ClaimError, match="a probability is to be given for each kind of answers that is used"):
        list(none.obligations(rare.domain))
    with pytest.raises(ClaimError, match="what the variance of a reward is has to be said"):
        MeanOfLargeGroups(ref, P, None, o, n, size, mean_reward)


def test_a_conclusion_without_a_rule_is_refused() -> None:
    with pytest.raises(ClaimError, match="needs a rule"):
        list(AtLeast(x, 0).obligations(Domain(x > 0)))
    with pytest.raises(ClaimError, match="concludes OneRoot"):
        list(TakesValue(x, x, 0, 1, a).by(StrictlyMonotone()).obligations(Domain(0 < a, a < 1)))


def test_the_checkers_know_nothing_of_what_is_asked() -> None:
    """So stored evidence outlives a change of what is only asked (``digest.ASKING``)."""
    package = Path(digest.__file__).parent
    seen, todo = set(), [package / "checkers.py", package / "coq" / "checker.py"]
    while todo:
        file = todo.pop()
        if file in seen or not file.exists():
            continue
        seen.add(file)
        for module in re.findall(r"^from grpo_symbolic\.proof\.([\w.]+) import", file.read_text(), re.M):
            path = package / module.replace(".", "/")
            todo += [path.with_suffix(".py"), path / "__init__.py"]
    assert len(seen) > 20
    assert not [f for f in seen if f.relative_to(package).parts[0] in digest.ASKING]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_a_sentence_prints_with_its_quantifiers(case: Case) -> None:
    printed = sentence_text(case.statement, case.domain)
    assert printed.endswith(".")
    spoken = names(e for together in formulas(case.statement, Domain()) for e in together)
    quantified = (": " in printed and printed.startswith("For all")) or printed.startswith("over ")
    assert quantified or not spoken & set(map(str, case.domain.symbols))


def test_every_rule_is_a_theorem_that_is_listed_and_shown() -> None:
    listed = re.findall(r"^## (\w+)\.v|^\| `(\w+)` \|", (PAGE.parents[2] / "coq" / "THEOREMS.md").read_text(), re.M)
    known_there, file = set(), ""
    for heading, name in listed:
        file = heading or file
        known_there.add(f"{file}.{name}")
    for rule in all_rules():
        for name in rule.theorems:
            assert name in theorems(), name
            assert name in known_there, name
    for case in CASES:
        used = case.statement.rules_on(case.domain)
        assert used[0] in _rule(case.statement).theorems
    assert PAGE.read_text() == page(), "python tests/rules_page.py writes it again"


def test_what_is_known_of_the_first_number_is_told_with_and_without_a_recurrence() -> None:
    begun, step = Eq(P[1], 0), P[i + 1] >= P[i]
    for recurrence, told in (((), "if P[1] = 0, then"), ((step,), "if always P[i + 1] ≥ P[i], P[1] = 0, then")):
        said = ForEveryNumber(P[i] >= 0, i, 1, (reals(P, i),), recurrence, (begun,))
        assert told in sentence_text(said, Domain())
