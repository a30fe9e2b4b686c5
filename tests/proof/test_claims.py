"""Claims, derivations, mutants and the runner: registration, judgement, negative controls, resumption."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import MISSING, dataclass, fields
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules
from typing import Any

import pytest
import sympy as sp

import grpo_symbolic as gs
from grpo_symbolic.errors import BadInput, ClaimError, DomainError, StepError
from grpo_symbolic.ledger import Entry, Totals
from grpo_symbolic.proof import checkers, proving, rules
from grpo_symbolic.proof.checkers import run_checker
from grpo_symbolic.proof.claims import (
    Claim,
    imprecise,
    judge,
    misprint,
    needs_hypothesis,
    redundant_hypothesis,
    wrong,
)
from grpo_symbolic.proof.derivation import Derivation, Step
from grpo_symbolic.proof.registration import Catalogue, Result
from grpo_symbolic.proof.rules.derivatives import Curved, Monotone
from grpo_symbolic.proof.rules.maxima import LocalMaximum
from grpo_symbolic.proof.rules.roots import UniqueRoot
from grpo_symbolic.proof.rules.sums import AtLeast, TermByTerm
from grpo_symbolic.proof.rules.variances import ForRandom
from grpo_symbolic.proof.search.algebra import Algebra
from grpo_symbolic.proof.search.sampling import Sampling
from grpo_symbolic.proof.statements.domain import Domain, simplex
from grpo_symbolic.proof.statements.evidence import Finding, Grade, Kind, Outcome, PrintVerdict, Verdict
from grpo_symbolic.proof.statements.lemmas import log_below_tangent
from grpo_symbolic.proof.statements.obligation import Holds, Identity, Obligation
from grpo_symbolic.proof.statements.statement import Always, Equal, Every, Exists, On, Roots, Statement, Tends, When
from grpo_symbolic.sandbox import claims_of
from grpo_symbolic.verification import runner
from grpo_symbolic.verification.mutation import Mutant, expressions, mutants
from grpo_symbolic.verification.runner import Verification
from grpo_symbolic.verification.store import Store

x, y, p, b = sp.symbols("x y p b", real=True)
n, o, k = sp.symbols("n o k", integer=True)
pi = sp.IndexedBase("pi", real=True)
UNIT = Domain(0 < x, x < 1)
PLANE = Domain(0 < p, p < 1, b > 0)
ROOT = (1 - b + sp.sqrt((1 - b) ** 2 + 4 * b * p)) / 2


def make(statement: Statement, domain: Domain = UNIT, id: str = "c", **fields: Any) -> Claim:
    fields = {"printed": "printed", **fields}
    return Claim(id, "paper", "Sec 1", "title", Kind.identity, statement, domain, **fields)


def verify(*claims: Claim, **options: Any) -> dict[str, Entry]:
    catalogue = Catalogue()
    for c in claims:
        catalogue.add(c)
    catalogue.check_dependencies()
    mutate = options.pop("mutate", False)
    found = Verification(catalogue, jobs=options.pop("jobs", 1), **options).verify(mutate=mutate)
    return dict(found.entries)


TRUE: list[tuple[Statement, Domain]] = [
    (Equal((1 - x**2) / (1 - x), 1 + x), UNIT),
    (Always(x * (1 - x) <= sp.Rational(1, 4)), UNIT),
    (Tends((1 - x) / x, x, 0, sp.oo), UNIT),
    (Monotone(x / (1 + x), x), UNIT),
    (Curved(sp.sqrt(x), x, -1), UNIT),
    (UniqueRoot(x**2 - (1 - b) * x - b * p, x, ROOT), PLANE),
    (Roots(x**2 - p, x, 1), PLANE),
    (LocalMaximum(p * sp.log(x) + (1 - p) * sp.log(1 - x), x, p), Domain(0 < p, p < 1)),
    (Exists(x > sp.Rational(1, 2), {x: sp.Rational(2, 3)}), UNIT),
    (When(x > sp.Rational(1, 2), Always(x**2 > sp.Rational(1, 4))), UNIT),
    (On(Domain(y > 1), Always(1 / y < 1)), UNIT),
    (Every(Always(x > 0), Always(x < 1)), UNIT),
    (Equal(sp.Sum(pi[k], (k, 1, n)), 1), Domain(simplex(pi, n), n >= 2)),
]


@pytest.mark.parametrize(
    ("statement", "domain"), TRUE, ids=lambda v: type(v).__name__ if isinstance(v, Statement) else ""
)
def test_true_statements_of_every_kind_are_proved_and_their_mutants_are_not(
    statement: Statement, domain: Domain
) -> None:
    found = verify(make(statement, domain), mutate=True)["c"]
    assert found.verdict == "proved"
    assert found.print_verdict == "as-read"
    assert found.crosscheck in ("agree", "incomparable")
    assert found.mutants.made > 0
    assert found.mutants.refuted > 0
    assert found.mutants.survived == 0


FALSE: list[tuple[Statement, Domain]] = [
    (Equal((1 - x**2) / (1 - x), 1 - x), UNIT),
    (Always(x * (1 - x) < sp.Rational(1, 4)), UNIT),
    (Tends((1 - x) / x, x, 0, 1), UNIT),
    (Monotone(x * (1 - x), x), UNIT),
    (Curved(sp.sqrt(x), x, 1), UNIT),
    (UniqueRoot(x**2 - (1 - b) * x - b * p, x, p), PLANE),
    (Roots(x**2 - p, x, 2), PLANE),
    (LocalMaximum(p * x**2, x, 0), PLANE),
    (Exists(x > sp.Rational(1, 2), {x: sp.Rational(1, 3)}), UNIT),
    (Every(Always(x > 0), Always(x > sp.Rational(1, 2))), UNIT),
]


@pytest.mark.parametrize(
    ("statement", "domain"), FALSE, ids=lambda v: type(v).__name__ if isinstance(v, Statement) else ""
)
def test_false_statements_of_every_kind_are_refuted(statement: Statement, domain: Domain) -> None:
    assert verify(make(statement, domain))["c"].verdict == "refuted"


def test_a_case_that_never_occurs_is_refused() -> None:
    with pytest.raises(DomainError, match="empty"):
        list(When(x > 2, Always(x < 0)).obligations(UNIT))


# -- registration -------------------------------------------------------------------------------------------------


def test_registration_refuses() -> None:
    catalogue = Catalogue()
    catalogue.add(make(Always(x > 0)))
    with pytest.raises(ClaimError, match="registered twice"):
        catalogue.add(make(Always(x > 0)))
    with pytest.raises(ClaimError, match="not in the notation"):
        catalogue.add(make(Always(x > 0), id="d"), known=lambda s: False)
    with pytest.raises(ClaimError, match="no domain"):
        catalogue.add(make(Always(x + y > 0), id="e"))
    with pytest.raises(ClaimError, match=r"the claim 'g': .* already false as it is written"):
        catalogue.add(make(Always(sp.Ne(x, x)), id="g"))
    catalogue.add(make(Always(x > 0), id="f", depends_on=("nowhere",)))
    with pytest.raises(ClaimError, match="not registered"):
        catalogue.check_dependencies()


def test_circles_of_dependencies_are_refused() -> None:
    catalogue = Catalogue()
    for id, needs in (("a", "b"), ("b", "c"), ("c", "a")):
        catalogue.add(make(Always(x > 0), id=id, depends_on=(needs,)))
    with pytest.raises(ClaimError, match="circle"):
        catalogue.check_dependencies()


def test_a_verdict_is_expected_once_however_many_paths_lead_to_a_claim() -> None:
    catalogue = Catalogue()
    for k in range(60):
        needs = tuple(f"{side}{k - 1}" for side in "ab" if k)
        for side in "ab":
            catalogue.add(make(Always(x > 0), id=f"{side}{k}", depends_on=needs, lemmas=() if k else ("in words",)))
    assert catalogue.expected("a59") is Verdict.argued


# -- judgement ----------------------------------------------------------------------------------------------------


def test_a_print_is_called_wrong_only_when_it_is_refuted() -> None:
    right, false = Always(x < 1), Always(x < sp.Rational(1, 2))
    for word in (wrong, imprecise, needs_hypothesis, misprint):
        assert verify(make(right, judged=word("r", false)))["c"].print_verdict == word("r", false).verdict.value
        assert verify(make(right, judged=word("r", Always(x > 0))))["c"].print_verdict == "unknown"


def test_a_refuted_claim_says_nothing_good_of_its_print() -> None:
    assert verify(make(Always(x < sp.Rational(1, 2))))["c"].print_verdict == "unknown"


@pytest.mark.parametrize("verdict", [Verdict.supported, Verdict.unknown, Verdict.refuted])
def test_judge_needs_proof(verdict: Verdict) -> None:
    for on_print in (None, wrong("r", Always(x > 2)), misprint("r")):
        claim = make(Always(x > 0), judged=on_print)
        borne_out = dict.fromkeys(("has_reading", "printed_refuted", "wider_confirmed", "accounted"), True)
        assert judge(claim.judgement, verdict, **borne_out) is PrintVerdict.unknown


HALF = sp.Rational(1, 2)


@pytest.mark.parametrize(
    ("printed", "wider", "expected"),
    [
        (Domain(0 < x, x < HALF), {x: sp.Rational(3, 4)}, "redundant-hypothesis"),
        (Domain(0 < x, x < HALF), {x: sp.Rational(1, 4)}, "unknown"),  # the point is in the printed domain
        (Domain(0 < x, x < HALF), {x: sp.Integer(2)}, "unknown"),  # and here outside the claim's
        (Domain(0 < x, x < 2), {x: sp.Rational(3, 4)}, "unknown"),  # the printed domain is the larger one
        (Domain(0 < x, x < HALF), {}, "unknown"),
        (Domain(0 < x, x < HALF), {y: sp.Integer(1)}, "unknown"),
        (
            Domain(0 < x, x**2 < HALF),
            {x: sp.sqrt(2) / 2},
            "unknown",
        ),  # on the edge: balls cannot say that it is outside
        (Domain(0 < x, x < HALF, simplex(pi, 2)), {x: sp.Rational(3, 4)}, "redundant-hypothesis"),
    ],
    ids=str,
)
def test_a_hypothesis_is_redundant_only_with_a_point_beyond_it(printed: Domain, wider: dict, expected: str) -> None:
    on_print = redundant_hypothesis("r", printed, wider)
    assert verify(make(Always(x < 1), judged=on_print))["c"].print_verdict == expected


def _all_kinds() -> list[type[Statement]]:
    for module in iter_modules(rules.__path__, f"{rules.__name__}."):
        import_module(module.name)
    found: list[type[Statement]] = [Statement]
    for kind in found:
        found += [k for k in kind.__subclasses__() if k not in found]
    return found


@pytest.mark.parametrize("kind", [k for k in _all_kinds() if k.carried is not None], ids=lambda k: k.__name__)
def test_a_kind_that_holds_formulas_says_which_of_them_it_supposes(kind: type[Statement]) -> None:
    held = [f.name for f in fields(kind) if re.search(r"Basic|Boolean|\bAny\b", str(f.type)) and f.name != "hint"]
    assert not held or kind.supposes is not Statement.supposes, f"{kind.__name__} does not say what it supposes"
    for name in {"given", "start", "recurrence", "supposed"}.intersection(held):
        values = {f.name: (x > 0) if f.name == "formula" else () for f in fields(kind) if f.name in held}
        bare = {f.name: x for f in fields(kind) if f.default is MISSING and f.name not in held}
        statement = kind(**{**bare, **values, name: (x < y,)})
        assert (x < y) in (statement.supposes or ()), f"{kind.__name__}.{name}"


def test_a_kind_that_says_nothing_of_what_it_supposes_is_no_evidence_for_more() -> None:
    @dataclass(frozen=True)
    class Silent(Equal):
        given: tuple[Any, ...] = ()

    on_print = redundant_hypothesis("r", Domain(0 < x, x < HALF), {x: sp.Rational(3, 4)})
    assert make(Silent(x, x), judged=on_print).is_wider
    assert not make(Silent(x, x, given=(y > 0,)), judged=on_print).is_wider


def test_a_point_names_a_family_by_itself_or_by_its_label() -> None:
    numbers = [sp.Rational(1, 3), sp.Rational(2, 3)]
    domain, printed = (Domain(0 < x, x < end, simplex(pi, 2)) for end in (1, HALF))
    for family in (pi, pi.label):
        on_print = redundant_hypothesis("r", printed, {x: sp.Rational(3, 4), family: numbers})
        assert make(Always(x < 1), domain, judged=on_print).is_wider
    for point in ({pi[1]: numbers[0]}, {"x": sp.S.Half}, {x: "1/2"}, [x]):
        with pytest.raises(DomainError, match="a point"):
            redundant_hypothesis("r", UNIT, point)


def test_a_claim_on_a_narrower_family_is_not_wider() -> None:
    domain = Domain(0 < x, x < 1, simplex(pi, 2))
    on_print = redundant_hypothesis("r", Domain(0 < x, x < HALF), {x: sp.Rational(3, 4)})
    assert verify(make(Always(x < 1), domain, judged=on_print))["c"].print_verdict == "unknown"


def test_dependencies_cap_the_verdict() -> None:
    unprovable = Always(sp.Gt(sp.exp(x), 1, evaluate=False))  # true, with no box, and no lemma given
    half_line = Domain(x > 0)
    found = verify(make(unprovable, half_line, id="weak"), make(Always(x > 0), id="strong", depends_on=("weak",)))
    assert found["weak"].verdict == "supported"
    assert found["strong"].verdict == "supported"
    found = verify(make(Always(x > 2), id="false"), make(Always(x > 0), id="true", depends_on=("false",)))
    assert (found["false"].verdict, found["true"].verdict) == ("refuted", "unknown")


def test_words_and_what_rests_on_them_are_argued_and_not_proved() -> None:
    found = verify(
        make(Always(x > 0), id="plain"),
        make(Always(x > 0), id="worded", lemmas=("a continuous function takes every value between two of its values",)),
        make(Always(x > 0), id="above", depends_on=("worded", "plain")),
        make(Always(x > 0), id="higher", depends_on=("above",)),
        make(Always(x > 0), id="definition", expect=Verdict.definition),
        make(Always(x > 0), id="on-definition", depends_on=("definition",)),
        make(Always(x > 0), id="worded-definition", lemmas=("said so",), expect=Verdict.definition),
        make(Always(x > 0), id="on-words", depends_on=("worded-definition",)),
        make(Always(x > 2), id="false", lemmas=("and words",)),
    )
    assert {i: c.verdict for i, c in found.items()} == {
        "plain": "proved",
        "worded": "argued",
        "above": "argued",
        "higher": "argued",
        "definition": "definition",
        "on-definition": "proved",
        "worded-definition": "argued",
        "on-words": "argued",
        "false": "refuted",
    }
    assert {i for i, c in found.items() if c.expected != c.verdict} == {"false", "worded-definition", "on-words"}
    counted = Totals.of(list(found.values()))
    assert counted.decided == round(3 / 8, 4)  # two proved and one refuted, of eight that are no definitions
    assert counted.print_verdicts_argued == {"as-read": 5}


def test_a_claim_that_states_what_it_expects_expects_just_that() -> None:
    found = verify(make(Always(x > 0), lemmas=("words",), expect=Verdict.proved))["c"]
    assert (found.verdict, found.expected) == ("argued", "proved")


@pytest.mark.parametrize(
    ("printed", "unread"),
    [
        ("P = NP", ("N", "P", "=")),
        (r"x > 0\text{ is false}", ("is", "false")),
        (r"x \ge 0", ("≤",)),
        ("x > 7", ("7",)),
        (r"x_{\mathrm{old}} > 0", ("old",)),
        (r"\lim_{x\to0} x > 0", ("→",)),
        (r"\text{wisdom}", ("wisdom",)),
        ("0 > x", ("the order of its signs",)),
        (r"\neg(x > 0)", ("¬",)),
    ],
)
def test_a_print_of_more_than_was_checked_is_as_a_person_reads_it(printed: str, unread: tuple[str, ...]) -> None:
    found = verify(make(Always(x > 0), printed=printed))["c"]
    assert (found.verdict, found.print_verdict, found.print_unread) == ("proved", "as-read", unread)


def test_a_result_of_ones_own_has_no_print_to_judge() -> None:
    own = verify(make(Always(x > 0), printed=None, says="x>0", lemmas=["It is said so."]))["c"]
    assert (own.origin, own.printed, own.says, own.print_verdict) == ("own", None, "x>0", None)
    of_paper = verify(make(Always(x > 0), printed="x>0"))["c"]
    assert (of_paper.origin, of_paper.print_verdict) == ("print", "holds")
    assert not of_paper.print_unread
    counted = Totals.of([own, of_paper])
    assert (counted.claims, counted.printed, counted.print_verdicts) == (2, 1, {"holds": 1})


def test_a_claim_needs_a_statement_and_a_domain() -> None:
    with pytest.raises(ClaimError, match="given a Always and a Family"):
        Result(__file__).claim("c", Always(x > 0), simplex(pi, n), locator="1", title="t")  # type: ignore[arg-type]
    with pytest.raises(ClaimError, match="given a StrictGreaterThan and a Domain"):
        Result(__file__).claim("c", x > 0, UNIT, locator="1", title="t")  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("parts", "told"),
    [
        (
            lambda: Always(sp.log(x) < x, log_below_tangent(x)),  # type: ignore[arg-type]
            r"a tuple, \(log_below_tangent\(u\),\)",
        ),
        (
            lambda: Every(Always(x > 0), x < 1),  # type: ignore[arg-type]
            r"such as Always\(…\) or Equal\(…\), and x < 1 is none",
        ),
        (lambda: On(UNIT, x < 1), "and x < 1 is none"),  # type: ignore[arg-type]
        (lambda: [*AtLeast(x, 0).by(TermByTerm((x,))).obligations(UNIT)], r"and x is none: a factor stands inside"),
        (
            lambda: ForRandom(Always(x < 1), ()),  # type: ignore[arg-type]
            r"a relation such as Eq\(MeanOf\(…\), 0\) .* and no Always",
        ),
    ],
)
def test_a_statement_that_is_put_together_wrongly_is_refused(parts: Callable[[], object], told: str) -> None:
    with pytest.raises(ClaimError, match=told):
        parts()


def test_an_id_is_an_address_and_braces_match() -> None:
    claim, place = Result(__file__).claim, {"locator": "1", "title": "t"}
    for odd in ("a claim", "c/d", "", "c-"):
        with pytest.raises(ClaimError, match="is no word of letters, digits and hyphens"):
            claim(odd, Always(x > 0), UNIT, **place)
    for latex in (r"\frac{1}{", "}x{"):
        with pytest.raises(ClaimError, match=r"the braces of printed=… of the claim 'c' do not match"):
            claim("c", Always(x > 0), UNIT, **place, printed=latex)
    assert claim("c", Always(x > 0), UNIT, **place, printed=r"\{x\}\\{y}").printed == r"\{x\}\\{y}"


QUOTED = {
    "title": lambda word: {"title": word},
    "says": lambda word: {"says": rf"\text{{{word}}}"},
    "lemmas": lambda word: {"lemmas": ("a lemma", word)},
    "short": lambda word: {"short": (word,)},
    "because": lambda word: {"because": Always(x < 1, label=word)},
    "statement": lambda word: {"statement": Equal(x, x, label=word)},
    "a case": lambda word: {"statement": Every(Always(x > 0), When(x > HALF, Always(x > 0, label=word)))},
    "a reading": lambda word: {"printed": "-", "judged": wrong("r", Always(x > 2, label=word))},
}


@pytest.mark.parametrize("where", QUOTED)
def test_typed_words_have_no_quotation_marks_and_no_signs_that_nobody_sees(where: str) -> None:
    def made(word: str) -> Claim:
        given = {"locator": "1", "title": "t", "statement": Always(x > 0), **QUOTED[where](word)}
        return Result(__file__).claim("c", given.pop("statement"), UNIT, **given)

    for mark in ("“", "”", "„", '"', "«"):
        with pytest.raises(ClaimError, match=r"they are printed in quotation marks, and have none"):
            made(f"a{mark}: y; and x = 1")
    for blank in "\u3164\u2800\u034f\ufe0f\n":
        with pytest.raises(ClaimError, match="a sign nobody sees"):
            made(f"1{blank}proved")
    assert made("the parent's part")


def test_the_words_of_a_paper_may_have_quotation_marks() -> None:
    printed = r"\text{the “old” policy, the ``new'' one}"
    assert Result(__file__).claim("c", Always(x > 0), UNIT, locator="1", title="t", printed=printed).printed == printed


def test_what_goes_wrong_when_claims_are_put_together_is_told(tmp_path: Path) -> None:
    file = tmp_path / "paper" / "one.py"
    with pytest.raises(BadInput, match=r"paper/one\.py is refused: AttributeError: 'int' object has no"):
        claims_of(file, "paper.one", lambda: [7])  # type: ignore[list-item]


def test_a_judgement_needs_a_print() -> None:
    place = {"locator": "Sec 1", "title": "t"}
    with pytest.raises(ClaimError, match="judges a print and has none"):
        Result(__file__).claim("c", Always(x > 0), UNIT, **place, judged=wrong("r", Always(x > HALF)))
    with pytest.raises(ClaimError, match="the print of the claim 'c' is empty"):
        Result(__file__).claim("c", Always(x > 0), UNIT, **place, printed=" ")
    with pytest.raises(ClaimError, match=r"the kind of the claim 'c' is 'boundd', which is none of identity, closed"):
        Result(__file__).claim("c", Always(x > 0), UNIT, **place, kind="boundd")
    with pytest.raises(ClaimError, match=r"what the claim 'c' expects is 'true', which is none of proved, argued"):
        Result(__file__).claim("c", Always(x > 0), UNIT, **place, expect="true")
    for judged in (wrong("r", x > HALF), wrong("r", Always(x > HALF), x > 0), "wrong"):  # type: ignore[arg-type]
        with pytest.raises(ClaimError, match=r"'c' is judged by judged=wrong\(remark, statement\)"):
            Result(__file__).claim(
                "c",
                Always(x > 0),
                UNIT,
                **place,
                printed="p",
                judged=judged,  # type: ignore[arg-type]
            )


def test_what_is_expected_never_becomes_the_verdict() -> None:
    for expected in Verdict:
        assert verify(make(Always(x > HALF), expect=expected))["c"].verdict == "refuted"


# -- derivations --------------------------------------------------------------------------------------------------


def test_a_wrong_step_is_refused_when_it_is_made() -> None:
    d = Derivation("d", UNIT)
    start = d.start(x**2 + x)
    with pytest.raises(StepError, match="fails at"):
        d.rewrite(start, x * (x + 2))
    with pytest.raises(StepError, match="polynomial"):
        d.clear_denominators(1 / (1 + x), x, x)
    with pytest.raises(StepError, match="no root"):
        d.solve(x**2 + 1, x)


def test_a_factor_that_vanishes_is_not_cleared() -> None:
    d = Derivation("d", Domain(x > -1, x < 1))
    quadratic = d.clear_denominators(d.start(x + 1), x, x)
    assert quadratic == x**2 + x
    assert verify(make(Always(x < 1), Domain(x > -1, x < 1), by=(d,)))["c"].verdict == "refuted"


def test_the_steps_are_part_of_the_proof() -> None:
    d = Derivation("d", UNIT)
    d.rewrite(d.start((x + 1) ** 2), x**2 + 2 * x + 1, note="a square")
    d.start(sp.exp(x))
    d.steps.append(Step("rewrite", 1 + x, "its tangent", sp.exp(x)))
    assert verify(make(Always(x > 0), by=(d,)))["c"].verdict == "refuted"


@pytest.mark.parametrize(
    ("step", "why"),
    [
        (Step("rewrite", 4 * x**4, "its derivative, perhaps", 4 * x**4), "no step before 'rewrite'"),
        (Step("differentiate", 3 * x**2, "", x**3), "is none that there is"),
        (Step("differentiate", 6 * x, "", x**3, ((x, 2),)), "is no letter"),
        (
            Step("restrict", sp.Integer(1), "", x**3, ((x, sp.Integer(1)), (x, sp.Integer(2)))),
            "a letter has two values",
        ),
        (Step("rewrite", x**3), "is none that there is"),
        (Step("conclude", x**3, "", x**3), "is none that there is"),
    ],
    ids=str,
)
def test_a_step_is_one_of_a_kind_of_what_an_earlier_one_arrived_at(step: Step, why: str) -> None:
    d = Derivation("d", UNIT)
    d.start(x**3)
    d.steps.append(step)
    with pytest.raises(ClaimError, match=why):
        verify(make(Always(x > 0), by=(d,)))


def test_a_condition_leads_to_one_that_holds_exactly_where_it_does() -> None:
    there = Domain(x > 0, x < 2)
    d = Derivation("d", there)
    squared = d.equivalent(d.start(x - 1), sp.Eq((x - 1) ** 2, 0))
    d.rewrite(squared.lhs, x**2 - 2 * x + 1)
    assert [step.name for step in d.steps] == ["start", "equivalent", "rewrite"]
    assert verify(make(Always(x + 1 > 0), there, by=(d,)))["c"].verdict == "proved"
    with pytest.raises(StepError, match="equivalent fails at"):
        d.equivalent(x - 3, x > -1)
    d.equivalent(x**2 - 4 * x + 3, sp.Eq(x, 1))
    d.equivalent(2 * x**2 - 5 * x + 3, sp.Eq(x, 1))  # 3/2 is another one
    assert verify(make(Always(x + 1 > 0), there, by=(d,)))["c"].verdict == "refuted"


# -- negative controls --------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class RubberStamp:
    """Says yes to everything, at the highest grade it can claim."""

    name: str = "stamp"
    engine: str = "SymPy"
    grade: Grade = Grade.decision

    def applies(self, obligation: Obligation) -> bool:
        return True

    def check(self, obligation: Obligation) -> Finding:
        return Finding(Outcome.holds)


def test_a_rubber_stamp_is_caught_by_the_mutants(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(checkers, "STEADY", (RubberStamp(), *checkers.STEADY))
    found = verify(make(Always(x * (1 - x) <= sp.Rational(1, 4))), mutate=True)["c"]
    assert found.mutants.survived > 0


def test_a_proof_of_a_mutant_without_meaning_is_no_refutation(monkeypatch: pytest.MonkeyPatch) -> None:
    mutant = Mutant("c", "without x > 0", (Identity(Domain(x), x * (1 / x - 1) + x, sp.S.One),))
    assert mutant.run() == "refuted"
    monkeypatch.setattr(checkers, "STEADY", (RubberStamp(), *checkers.STEADY))
    assert mutant.run() == "survived"


def test_a_mutant_that_is_only_sampled_survives_unless_the_claim_is_open() -> None:
    sampled = Holds(Domain(0 < x, x < 1), sp.exp(x) > 1 + x + x**2 / 2)  # true, and zero at an end: no engine proves it
    assert Mutant("c", "twice as much", (sampled,)).run() == "survived"
    assert Mutant("c", "twice as much", (sampled,), open=True).run() == "unknown"
    false = Holds(Domain(0 < x, x < 1), sp.exp(x) < 1 + x)
    assert Mutant("c", "a sign", (false,), open=True).run() == "refuted"
    assert Mutant("c", "by a rule", (sampled,), follows=lambda: [false]).run() == "refuted"


def test_a_mutant_that_fails_in_a_corner_only_is_refuted_there() -> None:
    corner = mutants(gs.claim("mr-thm3-condition-mild"))[1]  # false for small ε and p_ref near 1
    assert all(Sampling().check(o).outcome is Outcome.holds for o in corner.obligations)
    assert corner.run() == "refuted"


@pytest.mark.parametrize("name", ["mr-intro-whitening", "vy-s3-dkl-aggregation"])
def test_no_mutant_is_proved_where_a_quotient_by_a_sum_has_no_meaning(name: str) -> None:
    relaxed = (m for m in mutants(gs.claim(name)) if m.change.startswith("without"))
    identities = [o for m in relaxed for o in m.obligations if isinstance(o, Identity)]
    sampled = [(o, run_checker(Sampling(), o)) for o in identities]
    undefined = [o for o, evidence in sampled if evidence.finds_undefined]
    assert undefined
    assert all(run_checker(Algebra(), o).outcome is Outcome.unknown for o in undefined)


def test_a_rubber_stamp_on_a_false_claim_diverges(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(proving, "PROVERS", (RubberStamp(), *proving.PROVERS))
    found = verify(make(Always(x < HALF)), mode=runner.Mode.search)["c"]
    assert (found.verdict, found.crosscheck) == ("unknown", "diverge")


def test_mutants_change_the_statement_and_are_few() -> None:
    claim = make(Always(sp.And(x * (1 - x) <= HALF, x > 0, x**2 + 3 * x - 5 < 0)))
    made = mutants(claim, most=5)
    original = {o.key() for o in claim.whole.obligations(claim.domain)}
    assert len(made) == 5
    assert all(o.key() not in original for m in made for o in m.obligations)
    assert len({m.change for m in made}) == 5


def test_an_equivalent_mutant_is_not_called_refuted() -> None:
    claim = make(Always(x < 5))
    statuses = {m.change: m.run() for m in mutants(claim)}
    assert "refuted" in statuses.values()
    assert statuses["one more"] == "equivalent" if "one more" in statuses else "equivalent" in statuses.values()


# -- runs ---------------------------------------------------------------------------------------------------------


def test_a_forged_fate_of_a_mutant_is_ignored(tmp_path: Path) -> None:
    store, claim = Store(tmp_path), make(Always(x < 1))
    first = verify(claim, store=store, mutate=True)["c"].mutants
    for file in (tmp_path / "mutants").rglob("*.json"):
        file.write_text(file.read_text().replace("refuted", "survived"))
    assert verify(claim, store=store, mutate=True)["c"].mutants == first


def test_an_obligation_that_is_killed_is_unknown_and_the_run_goes_on(monkeypatch: pytest.MonkeyPatch) -> None:
    def die(self: Any) -> Any:
        import os

        if self.obligation.label == "deadly":
            os.kill(os.getpid(), 9)
        return runner.search(self.obligation)

    monkeypatch.setattr(runner._Check, "run", die)
    found = verify(make(Always(x > 0, label="deadly"), id="a"), make(Always(x < 1), id="b"))
    assert (found["a"].verdict, found["b"].verdict) == ("unknown", "proved")


def test_a_derivative_is_changed_in_what_it_is_of_and_not_in_what_it_is_along() -> None:
    changed = dict(expressions(sp.Derivative(b * x**2, x)))
    assert changed["twice as much"] == 2 * sp.Derivative(b * x**2, x)
    assert any(e == sp.Derivative(2 * b * x**2, x) for e in changed.values())


# -- verdicts as they come --------------------------------------------------------------------------------------------


def test_verdicts_are_told_once_and_each_after_those_that_it_rests_on() -> None:
    claims = [
        make(Always(x > 0)),
        make(Always(x < 1), id="c-above", depends_on=("c-wrong", "c")),
        make(Always(x < sp.Rational(1, 2)), id="c-wrong"),
    ]
    told: list[tuple[str, str]] = []
    found = verify(*claims, on_verdict=lambda claim_id, verdict, expected: told.append((claim_id, str(verdict))))
    assert sorted(told) == sorted((claim_id, str(entry.verdict)) for claim_id, entry in found.items())
    ids = [claim_id for claim_id, _ in told]
    assert ids.index("c-above") > max(ids.index("c"), ids.index("c-wrong"))
    assert dict(told)["c-wrong"] == "refuted"
