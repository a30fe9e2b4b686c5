"""Z3 as a guide: it says which facts of a branch contradict each other, and whether a lemma is worth a search. Nobody
believes it: what it says costs time where it is wrong, and proves nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache, lru_cache
from typing import Any

from flint import fmpz_mpoly

from grpo_symbolic.proof.check.branch import NEGATIVE, POSITIVE, ZERO, Assertion, Branch, Fact, Junction, Literal
from grpo_symbolic.proof.search.certificates.facts import occurring

WORK = 2_000_000  # of Z3, for one question; most take a hundredth of it
GIVEN_UP = 10.0  # seconds of one question: of some work, such as that with algebraic numbers, Z3 counts little
_RELATIONS = {
    NEGATIVE: "(< {} 0)",
    ZERO: "(= {} 0)",
    POSITIVE: "(> {} 0)",
    NEGATIVE | ZERO: "(<= {} 0)",
    POSITIVE | ZERO: "(>= {} 0)",
    NEGATIVE | POSITIVE: "(not (= {} 0))",
}


def contradictory(branch: Branch, more: Iterable[tuple[fmpz_mpoly, int]] = (), work: int = WORK) -> bool:
    """Whether Z3 finds that the branch has no point where ``more`` polynomials have one of these signs."""
    return _unsat(branch, [*_assertions(branch), *(_signed(p, signs) for p, signs in more)], work)


def narrowed(branch: Branch, work: int = WORK) -> Branch | None:
    """The branch with as few disjunctions and facts as Z3 needs for a contradiction; ``None`` where it finds none.

    The bounds of single variables stay: they cost little, and say which coefficients count.
    """
    if not contradictory(branch, work=work):
        return None
    narrow = branch.copy()
    for disjunction in branch.disjunctions:
        before = narrow.disjunctions
        narrow.disjunctions = tuple(d for d in before if d is not disjunction)
        if not contradictory(narrow, work=work):
            narrow.disjunctions = before
    for count, content in _widest_first(narrow.facts):  # what has few letters stays
        fact = narrow.facts[content]
        if count == 1 and fact.unit.total_degree() == 1:
            continue
        del narrow.facts[content]
        if not contradictory(narrow, work=work):
            narrow.facts[content] = fact
    narrow.facts = {content: fact for content, fact in branch.facts.items() if content in narrow.facts}
    return narrow


def consistent(branch: Branch) -> Branch:
    """The facts of a branch without the longest ones, such as the negation of what is claimed, until no contradiction
    is found: whatever follows from them says something.
    """
    rest = branch.copy()
    rest.disjunctions = ()
    for count, content in _widest_first({text: fact for text, fact in rest.facts.items() if fact.signs != ZERO}):
        if count < 2 or not contradictory(rest, work=WORK // 10):
            break
        del rest.facts[content]
    return rest


def _widest_first(facts: Mapping[str, Fact]) -> list[tuple[int, str]]:
    """How many letters each fact has, and its content: first those with the most letters, the longest of them first."""
    order = ((len(occurring(fact.unit)), len(content), content) for content, fact in facts.items())
    return [(count, content) for count, _, content in sorted(order, reverse=True)]


def _assertions(branch: Branch) -> list[str]:
    texts = [_signed(fact.unit, fact.signs) for fact in branch.facts.values()]
    texts += [_signed(relation, ZERO) for relation in branch.squares.values()]
    return texts + [_assertion(branch, d) for d in branch.disjunctions]


def _assertion(branch: Branch, assertion: Assertion) -> str:
    match assertion:
        case Literal(polynomial, signs):
            for transform in branch.transforms:
                polynomial = transform(polynomial)
            return _signed(polynomial, signs)
        case Junction(some, parts):
            texts = " ".join(_assertion(branch, part) for part in parts)
            return f"({'or' if some else 'and'} {texts})" if parts else str(not some).lower()
    raise AssertionError


def _signed(polynomial: fmpz_mpoly, signs: int) -> str:
    if signs in (0, NEGATIVE | ZERO | POSITIVE):
        return "true" if signs else "false"
    return _RELATIONS[signs].format(_polynomial(polynomial))


def _polynomial(polynomial: fmpz_mpoly) -> str:
    names = polynomial.context().names()
    terms = []
    for monomial, coefficient in polynomial.terms():
        number = f"{coefficient}.0" if coefficient >= 0 else f"(- {-coefficient}.0)"
        terms.append(f"(* {number} 1.0{''.join(f' {names[k]}' * int(e) for k, e in enumerate(monomial))})")
    return f"(+ 0.0 {' '.join(terms)})"


def _unsat(branch: Branch, assertions: list[str], work: int) -> bool:
    declared = "".join(f"(declare-fun {name} () Real)" for name in branch.ring.names)
    return _answer(declared + "".join(f"(assert {text})" for text in sorted(assertions)), work)


@lru_cache(maxsize=1 << 12)
def _answer(script: str, work: int) -> bool:
    import z3

    solver = z3.SolverFor("QF_NRA", ctx=_context())
    solver.set("rlimit", work)
    solver.set("timeout", int(1000 * GIVEN_UP))
    solver.from_string(script)
    return bool(solver.check() == z3.unsat)


@cache
def _context() -> Any:
    import z3

    return z3.Context()  # one for all questions: to make it takes longer than most of them
