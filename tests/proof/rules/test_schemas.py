"""Schemas: that Coq has accepted them as they are, how the matcher refuses, and what the goals say."""

from __future__ import annotations

import re
import shutil
from dataclasses import replace
from importlib import import_module
from pkgutil import iter_modules

import pytest
import sympy as sp
from checkout import ROOT
from rules_page import all_rules
from sympy import symbols

from grpo_symbolic.errors import BadInput, ClaimError
from grpo_symbolic.notation import x, y, z
from grpo_symbolic.proof import Ahead, AtStates, Domain, Here, TextMean, Texts, positives, reals, rules, simplex
from grpo_symbolic.proof.coq import acceptance
from grpo_symbolic.proof.coq.development import Development
from grpo_symbolic.proof.coq.goals import goal
from grpo_symbolic.proof.rules.convexity import FallsToTheMiddle, SolutionOfLimit, SolutionTends
from grpo_symbolic.proof.rules.cycles import EndsInCycle, SentAround
from grpo_symbolic.proof.rules.derivatives import Monotone
from grpo_symbolic.proof.rules.everywhere import InEveryEntry, NothingLeft
from grpo_symbolic.proof.rules.flows import FirstRest, FlowRises, FlowRisesToRest, SignOfVelocity
from grpo_symbolic.proof.rules.instances import TwoValues
from grpo_symbolic.proof.rules.iterations import (
    Contraction,
    ConvergesToFixedPoint,
    InvariantInterval,
    Iteration,
    MonotoneMap,
    StaysIn,
)
from grpo_symbolic.proof.rules.matching import Schematic
from grpo_symbolic.proof.rules.maxima import LocalMaximum, OnlyMaximum, SecondOrder
from grpo_symbolic.proof.rules.orders import SameMinimisers, ValuesKept
from grpo_symbolic.proof.rules.patterns import settled
from grpo_symbolic.proof.rules.programs import Kind, LinearConstraints, MaximaHaveMultipliers
from grpo_symbolic.proof.rules.roots import IntermediateValue, TakesValue
from grpo_symbolic.proof.rules.rule import Rule
from grpo_symbolic.proof.rules.schema import Needs, accepted, p, q
from grpo_symbolic.proof.rules.simplex import ConcaveInPolicy, Separable, Summand
from grpo_symbolic.proof.rules.squeeze import Squeezed
from grpo_symbolic.proof.rules.turning import Converges, FallsThenRises
from grpo_symbolic.proof.rules.walking import letters_of_fields
from grpo_symbolic.proof.statements.sentence import text
from grpo_symbolic.proof.statements.statement import Always, Statement, Tends

t, u, start = symbols("t u start", real=True)
HERE = Development()


def test_coq_has_accepted_every_schema_as_it_is() -> None:
    assert acceptance.FILE.read_text(encoding="utf-8") == acceptance.table(HERE), "make coq asks Coq again"


def test_every_schema_is_of_a_theorem_that_there_is() -> None:
    found = [schema for _, schema in acceptance.all_schemas()]
    assert len(found) > 10
    for schema in found:
        file, _, name = schema.theorem.partition(".")
        assert HERE.theorems[name] == file


def test_the_page_of_what_is_believed_counts_as_data_what_is() -> None:
    page = (ROOT / "docs" / "explanation" / "checking.md").read_text(encoding="utf-8")
    (row,) = re.findall(r"^\| rules that are \[data\].*$", page, re.M)
    kinds = {file.name: [] for file in iter_modules(rules.__path__)}
    for name, found in kinds.items():
        inside = vars(import_module(f"{rules.__name__}.{name}")).values()
        found += [
            k for k in inside if isinstance(k, type) and issubclass(k, Rule) and k.__module__.endswith(f".{name}")
        ]
    data = [name for name, found in kinds.items() if found and all(issubclass(k, Schematic) for k in found)]
    assert re.findall(r"`proof/rules/(\w+)`", row) == [name for name in data if name != "matching"]


def test_the_page_on_schemas_counts_them() -> None:
    page = (ROOT / "docs" / "explanation" / "schemas.md").read_text(encoding="utf-8")
    said = re.search(r"Of (\d+) rules (\d+) are schemas, (\d+) of them with their variants", page)
    rules, variants = all_rules(), list(acceptance.all_schemas())
    assert said
    assert [int(n) for n in said.groups()] == [len(rules), sum(issubclass(r, Schematic) for r in rules), len(variants)]


def test_what_coq_has_not_accepted_concludes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    (schema,) = InvariantInterval.schemas
    changed = replace(schema, premises=schema.premises[:-1])
    assert schema.digest in accepted()
    assert changed.digest not in accepted()
    monkeypatch.setattr(InvariantInterval, "schemas", (changed,))
    with pytest.raises(ClaimError, match=r"Coq has not accepted the schema of Rules\.invariant_set_of_iteration"):
        list(StaysIn(Iteration(t / 2, t, start), 0, 1).obligations(Domain(0 <= start, start <= 1)))


@pytest.mark.parametrize(
    ("statement", "reason"),
    [
        (StaysIn(Iteration(t / 2, t, start), 0, t), "the upper t moves with t"),
        (ConvergesToFixedPoint(Iteration(t / 2, t, start), 0, 1).by(Contraction(t)), "the constant t moves with t"),
        (FlowRisesToRest(1 - t, t, 0, sp.oo).by(FirstRest()), "the upper is to be a number, and not oo"),
        (StaysIn(Iteration(t / 2, t, start), 0, 1).by(MonotoneMap()), "concludes RisesToLeastFixedPoint"),
        (FlowRises(1 - t, t, 0, 1).by(SignOfVelocity()), "concludes FlowTends, not FlowRises"),
        (Converges(Iteration(t**2, t, start), 0, 1).by(FallsThenRises(0, start)), "the sentence speaks of it"),
        (FlowRises(sp.sign(t) + 2, t, 0, 1), "not known to be continuous"),
    ],
)
def test_what_does_not_fit_is_refused_in_a_sentence(statement, reason) -> None:
    with pytest.raises(ClaimError, match=reason):
        list(statement.obligations(Domain(0 <= start, start <= 1)))


def test_comparisons_with_infinity_and_of_two_numbers_are_not_asked() -> None:
    a, b = symbols("a b", real=True)
    assert settled(sp.And(sp.Lt(-sp.oo, a, evaluate=False), a < b, evaluate=False), "") == (a < b)
    assert settled(sp.Lt(0, sp.Rational(1, 2), evaluate=False), "") == sp.true
    assert settled(sp.Lt(sp.sqrt(2), 2, evaluate=False), "") != sp.true  # of what is no rational number, engines judge
    for false in (sp.Lt(1, 0, evaluate=False), sp.Lt(sp.oo, a, evaluate=False)):
        with pytest.raises(ClaimError, match="is false"):
            settled(false, "the ends")


def test_a_logarithm_is_a_number_where_it_has_a_value() -> None:
    """Of what SymPy does not know to be finite a comparison with ∞ is none either."""
    assert settled(sp.Lt(sp.log(start), sp.oo, evaluate=False), "") == sp.true


def test_nothing_is_asked_on_an_interval_that_is_empty_as_it_is_written() -> None:
    """A solution that tends to an end of its interval has no limit before it to look at."""
    tends = SolutionTends(u - t, u, 0, 1, t, 0, 0).by(SolutionOfLimit(u, -t, 1))
    asked = [o.label for o in tends.obligations(Domain())]
    assert any("the limit after it" in label for label in asked)
    assert not any("the limit before it" in label for label in asked)


def test_what_is_said_of_whole_numbers_is_shown_for_real_ones() -> None:
    """This cubic falls from 0 to 1, with a slope that is positive at every whole number."""
    n = sp.Symbol("n", integer=True)
    slope, sign = Monotone(n - 6 * n**2 + 4 * n**3, n).obligations(Domain(n >= 0))
    for obligation in (slope, sign):
        assert [s.is_integer for s in obligation.domain.symbols] == [None]
    half = sp.Rational(1, 2)
    (real,) = sign.domain.symbols
    assert sign.formula.subs(real, half) == sp.false
    assert sign.formula.subs(real, 1) == sp.true


def test_of_numbers_beside_other_parts_nothing_is_asked() -> None:
    number = sp.Lt(0, sp.Rational(1, 2), evaluate=False)
    assert settled(sp.And(number, start < u, evaluate=False), "") == (start < u)
    with pytest.raises(ClaimError, match="is false"):
        settled(sp.And(sp.Lt(1, sp.Rational(1, 2), evaluate=False), start < u, evaluate=False), "")


def test_the_domain_of_a_rule_has_a_variable_of_its_own() -> None:
    """Its letter may be one of the sentence's domain, and one of the points."""
    values = Always(t**2 < u**2).by(TwoValues(t**2, t, Domain(t > start, start > 0), (t, u)))
    asked = {o.label: o for o in values.obligations(Domain(0 < start, start < t, t < u))}
    assert asked["for all: u lies in the range"].formula == sp.And(u > start, start > 0)
    assert asked["for all: the order of the points"].domain.symbols == {t, u, start}
    (sign,) = [o for label, o in asked.items() if label.endswith("its sign")]
    assert sign.domain.symbols == {t, start}
    assert "forall (H3 : (J p))" in goal(TwoValues.schemas[0])


def test_what_stands_where_the_variable_of_a_rule_is_bound_does_not_move_with_it() -> None:
    fall = Monotone((t - 1) ** 2, t, -1).by(FallsToTheMiddle(t, Domain(0 < t, t < 2)))
    with pytest.raises(ClaimError, match="the middle t moves with t"):
        list(fall.obligations(Domain(0 < t, t < 1)))


def test_the_domain_of_a_rule_may_not_have_families_that_move_with_its_variable() -> None:
    law = simplex(sp.IndexedBase("pi", real=True), sp.Symbol("n", integer=True), t)
    with pytest.raises(ClaimError, match="the family pi varies with t"):
        list(Always(start < u).by(TwoValues(t, t, Domain(law, t > 0), (start, u))).obligations(Domain(law, start < u)))


def test_what_a_rule_shows_on_its_domain_is_about_one_variable() -> None:
    (schema,) = FallsToTheMiddle.schemas
    loose = replace(schema, premises=(*schema.premises, Needs(Always(p < q), on=True)))
    with pytest.raises(AssertionError, match="the rule's domain constrains x"):
        goal(loose)


def test_a_composed_term_is_what_the_sentence_says() -> None:
    rule = TwoValues(t**2, t, Domain(t > 0), (start, u))
    with pytest.raises(ClaimError, match=r"the formula is u, and not u\*\*2"):
        list(Always(start**2 < u).by(rule).obligations(Domain(0 < start, start < u)))


def test_a_variant_that_does_not_fit_for_another_reason_is_the_one_of_which_is_told() -> None:
    statement = TakesValue(t, t, 0, sp.oo, 1).by(IntermediateValue(rising=True))
    with pytest.raises(ClaimError, match=r"^value taken: the upper is to be a number, and not oo$"):
        list(statement.obligations(Domain()))


def test_what_is_said_of_the_domain_is_asked_of_the_whole_domain() -> None:
    highest = OnlyMaximum(-(t**2), t, start)
    (inside,) = [o for o in highest.obligations(Domain(0 < t, t < 1, start > -5)) if "lies in the domain" in o.label]
    assert inside.formula == sp.And(0 < start, start < 1)
    with pytest.raises(ClaimError, match="not known to be an interval"):
        list(highest.obligations(Domain(t**2 > 1, start > -5)))


def test_a_sequence_is_a_function_of_whole_numbers() -> None:
    """At a half its sign is another one: there nothing is asked, and real letters are no letters for whole numbers."""
    n = sp.Symbol("n", integer=True)
    asked = list(Tends((-1) ** (2 * n) / n, n, sp.oo, 0, "-").by(Squeezed(0 / n, 2 / n, 1)).obligations(Domain()))
    (above,) = [o for o in asked if o.label.endswith("from above")]
    assert [s.is_integer for s in above.domain.symbols] == [True]
    assert "forall tau : nat, (u <= (INR tau))" in goal(Squeezed.schemas[0])
    assert "(fun tau : nat => (f tau)) eventually (Rbar_locally v)" in goal(Squeezed.schemas[0])
    along = list(Tends(1 / t, t, sp.oo, 0, "-").by(Squeezed(0 / t, 2 / t, 1)).obligations(Domain()))
    assert [s.is_integer for s in along[0].domain.symbols] == [None]
    with pytest.raises(ClaimError, match="n must be a symbol for real numbers"):
        list(Tends(1 / n, n, -sp.oo, 0).by(Squeezed(0 / n, -2 / n, -1)).obligations(Domain()))


def test_of_lists_that_are_written_out_each_member_is_asked_by_itself() -> None:
    boxes = ((0, 1), (start, u), (5, 6))
    cycle = EndsInCycle(Iteration(t / 2, t, start), boxes, ((7, 8),)).by(SentAround((1, u, 2)))
    asked = [o.label.removeprefix("cycle: ") for o in cycle.obligations(Domain(1 < start, start < u, u < 5))]
    assert [label for label in asked if label.startswith("from interval")] == [
        "from interval 1 before it into the cycle",
        "from interval 1 into the next",
        "from interval 2 into the next",
        "from interval 3 into the first",
    ]
    assert asked.count("no two of the intervals of the cycle meet") == 3
    assert asked.count("the start lies in the first") == 1
    (schema,) = SentAround.schemas
    assert "forall iota : nat, (1 <= iota <= n)%nat -> forall kappa : nat, (1 <= kappa <= n)%nat" in goal(schema)


@pytest.mark.parametrize(
    ("cycle", "constants", "reason"),
    [
        (((0, 1),), (u, u), "the number of the cycle is 1, the number of the constants is 2"),
        ((), (), "there is an interval: 0 >= 1 is false"),
        (((0, 1, 2),), (u,), r"a member of the cycle is \(0, 1, 2\), where 2 are asked for"),
        ((0, 1), (u, u), r"a member of the cycle is \(0,\), where 2 are asked for"),
        (t, (u,), "the cycle is t, and no list"),
        (((0, t),), (u,), "the cycle t moves with t"),
        (((0, sp.oo),), (u,), "the cycle is to be a number, and not oo"),
        (((0, sp.nan),), (u,), "the cycle is to be a number, and not nan"),
        (((0, 1),), (sp.nan,), "the constants is to be a number, and not nan"),
    ],
)
def test_a_list_that_does_not_fit_is_refused_in_a_sentence(cycle, constants, reason) -> None:
    statement = EndsInCycle(Iteration(t / 2, t, start), cycle).by(SentAround(constants))
    with pytest.raises(ClaimError, match=reason):
        list(statement.obligations(Domain(0 <= start, start <= 1, u > 0)))


def test_what_is_supposed_of_all_members_holds_at_an_example() -> None:
    """Equations are not looked for where there is one, which says how many entries there are; other formulas are."""
    n, o = sp.symbols("n o", integer=True)
    a, b = (sp.IndexedBase(name, real=True) for name in "ab")
    on = Domain(simplex(a, n), simplex(b, n), n >= 2)
    total, term = sp.Sum(a[o] - b[o], (o, 1, n)), sp.Abs(a[o] - b[o])

    def labels(*given: sp.Basic, **example: object) -> list[str]:
        said = InEveryEntry(given, sp.Eq(a[o], b[o]), o, n).by(NothingLeft(total, term, **example))
        return [o.label for o in said.obligations(on)]

    same = {n: 2, a: [sp.Rational(1, 2)] * 2, b: [sp.Rational(1, 2)] * 2}
    somewhere = "in every entry: what is supposed holds somewhere"
    assert somewhere in labels(sp.Eq(a[o], b[o]), example=same)
    assert somewhere not in labels(a[o] >= b[o])
    with pytest.raises(ClaimError, match="at no point that was found"):
        labels(sp.Eq(a[o], 2 * b[o]))
    with pytest.raises(ClaimError, match="at no point that was found"):
        labels(sp.Eq(a[o], b[o]), a[o] > 1, example=same)
    with pytest.raises(ClaimError, match="the example does not say how many entries there are"):
        labels(sp.Eq(a[o], b[o]), example={n: 0, a: [], b: []})


def test_equal_entries_are_not_told_as_equal_families() -> None:
    """Of which there may be more than those of which it was shown."""
    a, b = (sp.IndexedBase(name, real=True) for name in "ab")
    o = sp.Symbol("o", integer=True)
    said = text(InEveryEntry((a[o] >= b[o],), sp.Eq(a[o], b[o]), o, 1).phrase())
    assert said == "if a[o] ≥ b[o] for 1 ≤ o and o ≤ 1, then a[o] = b[o]"


def test_at_every_state_it_is_said_which_numbers_are_of_the_text() -> None:
    reward, law = sp.Symbol("R", real=True), sp.IndexedBase("pi")
    worth = TextMean(reward, law)
    token, other, n = sp.symbols("a b n", integer=True)
    same, of_text = (
        text(AtStates(Here(worth), Ahead(worth), Texts(token, other, n, ends=ends)).phrase())
        for ends in ((), (reward,))
    )
    assert "π of each state, R of the text: " in of_text
    assert "of the text" not in same.replace(" of texts of ", "")


def test_what_is_said_inside_and_not_of_the_variable_is_said_where_it_has_a_value() -> None:
    highest, _ = SecondOrder.schemas
    assert "forall (H4 : (exists x' : R, I x') -> (d p) = 0)" in goal(highest)


def test_what_a_maximum_holds_fixed_is_put_in_and_its_values_are_those_that_are_admitted_there() -> None:
    hill = LocalMaximum((t - start) ** 2 * (u - 5), t, start, ((u, start),))
    asked = {o.label.partition(": ")[2]: o for o in hill.obligations(Domain(t**2 < u + 2, u < 3, start))}
    assert asked["the values lie in the domain"].formula == (start < 3)
    assert asked["the point lies in the domain"].formula == (start**2 < start + 2)
    (curved,) = [o for label, o in asked.items() if label == "second order"]
    assert not curved.formula.has(u)


def test_a_dropped_premise_keeps_its_place() -> None:
    (schema,) = InvariantInterval.schemas
    assert "(H2 : True)" in goal(schema, 1)
    assert goal(schema, 1).count("forall (H") == goal(schema).count("forall (H") == 3


@pytest.mark.skipif(
    shutil.which("coqc") is None or not HERE.is_compiled("Rules.invariant_set_of_iteration"),
    reason="coq/ is not compiled: make -C coq, which needs Coq 8.16 (coq/README.md)",
)
def test_coq_refuses_a_schema_that_lacks_a_premise_or_has_an_idle_one(monkeypatch: pytest.MonkeyPatch) -> None:
    (schema,) = InvariantInterval.schemas
    monkeypatch.setattr(acceptance, "write_atomically", lambda *_: pytest.fail("nothing is to be written"))
    for premises, reason in (
        (schema.premises[1:], "It is Invariant_0"),
        ((*schema.premises, Needs(Always(schema.premises[0].statement.formula))), "which follows without premise"),
    ):
        changed = replace(schema, premises=premises)
        monkeypatch.setattr(acceptance, "all_schemas", lambda c=changed: iter([("Invariant_0", c)]))
        with pytest.raises(BadInput, match=reason):
            acceptance.accept(HERE)


# -- functions of a whole family ---------------------------------------------------------------------------------------

n, m, o, k = sp.symbols("n m o k", integer=True)
law, other = (sp.IndexedBase(name, real=True) for name in "PQ")
SQUARES = -sp.Sum(law[o] ** 2, (o, 1, n))


def concave(of: sp.Expr, *terms: sp.Expr, families: tuple[sp.IndexedBase, ...] = (law,)) -> Statement:
    """By the functions of one entry each, of families of which the sizes are n and m."""
    lists = zip(terms, families, (n, m), strict=False)
    return ConcaveInPolicy(of, families).by(Separable(tuple(Summand(e, t, base, o, size) for e, base, size in lists)))


def kept(values: tuple[sp.Expr, ...], maps: tuple[sp.Expr, ...], entries: object = (law[o], other[o])) -> Statement:
    """Two functions of families, an entry of each, and what these are sent to."""
    return SameMinimisers(values, entries, maps).by(ValuesKept())


def test_a_function_of_a_family_is_one_of_a_function_in_coq() -> None:
    asked = goal(Separable.schemas[1])
    assert "(F : (nat -> R) -> (nat -> R) -> R)" in asked
    assert "forall pi rho : nat -> R, D' pi rho -> (F pi rho) = (" in asked
    assert "(V (fun e : nat => (h e pi))) = (F pi)" in goal(ValuesKept.schemas[0])
    some, whole = (goal(schema) for schema in LinearConstraints.schemas[:2])
    for text_of in (some, whole):
        assert "(All : forall pi : nat -> R, " in text_of
    assert "(forall i : nat, (1 <= i <= n)%nat -> 0 < (pi i)) -> D' pi)" in some
    assert "(True) -> D' pi)" in whole


def test_a_family_is_put_in_as_a_whole() -> None:
    """Numbers for all of its entries, at once."""
    both = Domain(reals(law, n), positives(other, n), n >= 1)
    values = (sp.Sum(law[k] ** 2, (k, 1, n)), sp.Sum(sp.log(other[k]) ** 2, (k, 1, n)))
    asked = list(kept(values, (sp.log(other[o]), sp.exp(law[o]))).obligations(both))[:5]
    labels = [x.label.partition(": ")[2] for x in asked]
    assert labels == [
        "Q has a value",
        "Q[o] stands for what is positive",
        "the value by Q",
        "P has a value",
        "the value by P",
    ]
    assert asked[2].left == sp.Sum(sp.log(sp.exp(law[k])) ** 2, (k, 1, n))
    assert asked[2].right == values[0]


@pytest.mark.parametrize("size", [1, n])
def test_of_families_of_any_size_the_same_is_asked(size) -> None:
    """Also of one that has no entry, or one."""
    said = ConcaveInPolicy(-sp.Sum(law[o] ** 2, (o, 1, size)), (law,))
    rule = Separable((Summand(-(t**2), t, law, o, size),))
    domain = Domain(positives(law, size), *((n >= 0,) if size == n else ()))
    assert "a sum over the entries" in " ".join(x.label for x in said.by(rule).obligations(domain))


POSITIVE = Domain(positives(law, n), n >= 1)
TWO = Domain(positives(law, n), positives(other, m), n >= 1, m >= 1)


@pytest.mark.parametrize(
    ("statement", "domain", "reason"),
    [
        (concave(SQUARES, -(t**2)), Domain(reals(law, n), n >= 1), "does not say that P are n positive numbers"),
        (concave(SQUARES, -(t**2)), Domain(positives(law, m), n >= 1, m >= n), "not say that P are n positive numbers"),
        (concave(SQUARES, -(t**2)), POSITIVE.also(law[1] < 5), "P is to vary freely, and P.1. < 5 speaks of it"),
        (concave(SQUARES, -(t**2) * law[1]), POSITIVE, r"P is to vary freely, and -t\*\*2\*P.1. speaks of it"),
        (concave(SQUARES, -(t**2) * u), Domain(simplex(law, n, u), n >= 1, u > 0), "speaks of it, or of its sum"),
        (  # what the domain ties to the sum moves with it
            concave(SQUARES, -(t**2) * start),
            Domain(simplex(law, n, u), n >= 1, u > 0, sp.Eq(start, 2 * u)),
            "speaks of it, or of its sum",
        ),
        (
            concave(SQUARES, -(t**2) * sp.Sum(other[k], (k, 1, n))),
            Domain(simplex(law, n, u), simplex(other, n, u), n >= 1, u > 0),
            "speaks of it, or of its sum",
        ),
        (concave(SQUARES, -(t**2)), POSITIVE.also(o >= 1), "o is the summands, and the sentence"),
        (concave(SQUARES, -(t**2)), POSITIVE.also(t > 0), "t is the summands, and the sentence speaks of it"),
        (concave(SQUARES, -(t**2), -(t**2), families=(law, law)), POSITIVE, "one family, P, stands for both"),
        (concave(SQUARES, -(t**2), families=(law, other)), TWO, "the families are 2, and not 1"),
        (  # the function of one entry speaks of the other family
            concave(SQUARES, -(t**2) * other[1], -(t**2), families=(law, other)),
            TWO,
            "Q is to vary freely",
        ),
        (
            kept((law[1], other[1]), (other[o], law[o]), (law[1], other[1])),
            Domain(reals(law, n), reals(other, n), n >= 1),
            "is to be an entry of a family by a letter, and is P.1.",
        ),
        (
            kept((law[1], other[1] + law[2]), (other[o], law[o])),
            Domain(reals(law, 2), reals(other, 2)),
            "P is to vary freely",
        ),
        (  # a sum that is a letter may move
            kept((law[1], other[1]), (other[o], law[o])),
            Domain(simplex(law, 2, u), simplex(other, 2, u), u > 0),
            "does not say that P are some numbers",
        ),
        (
            MaximaHaveMultipliers(SQUARES, (Kind(Summand(-(t**2), t, law, o, n), -2 * t, False),)),
            POSITIVE,
            "does not say that P are n any real numbers",
        ),
        (
            MaximaHaveMultipliers(SQUARES, (Kind(Summand(-(t**2), t, law, o, n), -2 * t),)),
            Domain(simplex(law, n), n >= 1),
            "does not say that P are n positive numbers",
        ),
    ],
)
def test_what_does_not_vary_freely_is_refused(statement, domain, reason) -> None:
    with pytest.raises(ClaimError, match=reason):
        list(statement.obligations(domain))


def test_one_entry_in_the_place_of_all_is_the_same_for_all() -> None:
    """Every entry of P is that of Q with one number, which is not the first one wherever the domain is."""
    said = kept((law[1], other[1]), (other[k], law[o]))
    asked = {
        x.label.partition(": ")[2]: x for x in said.obligations(Domain(reals(law, 2), reals(other, 2), 1 <= k, k <= 2))
    }
    assert (asked["the value by P"].left, asked["the value by P"].right) == (other[k], other[1])


def test_of_each_family_that_varies_it_is_said_so() -> None:
    """Else nobody looks at what varies with it."""
    for schema in (*Separable.schemas, *ValuesKept.schemas, *LinearConstraints.schemas):
        with pytest.raises(AssertionError, match="a premise says of each family"):
            goal(replace(schema, premises=schema.premises[1:]))


@pytest.mark.parametrize("schema", [Separable.schemas[1], LinearConstraints.schemas[2]])
def test_a_sentence_about_a_list_in_the_place_of_families_is_about_all_of_them_in_their_order(schema) -> None:
    name = "kinds" if hasattr(schema.conclusion, "kinds") else "families"
    for parts in (getattr(schema.conclusion, name)[:1], getattr(schema.conclusion, name)[::-1]):
        with pytest.raises(AssertionError, match="about all the families"):
            goal(replace(schema, conclusion=replace(schema.conclusion, **{name: parts})))


def test_every_letter_that_is_held_fixed_is_one_of_the_fields() -> None:
    held = LocalMaximum(-z * (x - y) ** 2, x, y, frozen=((y, x), (z, x)))
    assert {*letters_of_fields(held)} == {x, y, z}
