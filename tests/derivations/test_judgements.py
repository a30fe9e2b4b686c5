"""One assertion, one judgement: claims whose readings of a print are the same up to letters are judged alike."""

from __future__ import annotations

from collections import defaultdict
from itertools import chain
from pathlib import Path
from typing import Any

import pytest
import sympy as sp

from grpo_symbolic.prints import ORDER
from grpo_symbolic.proof import Always, Every, On, Result, wrong
from grpo_symbolic.proof.statements.domain import Domain, reals
from grpo_symbolic.proof.statements.obligation import Holds, Obligation
from grpo_symbolic.proof.statements.statement import Statement
from grpo_symbolic.session import Session
from grpo_symbolic.terms.language import Entry, Node, Variable, field_names
from grpo_symbolic.verification.records import Record
from grpo_symbolic.verification.store import Store
from grpo_symbolic.verification.words import unread_in

# Prints that say different things and fail for one reason; what each says is why it is judged as it is.
UNLIKE = {
    frozenset({"mr-abs-converges", "mr-concl-mild"}): "one speaks of 'mild assumptions', the other names none",
    frozenset(
        {"mr-fig5-transition", "mr-fig2-p1", "mr-pf3-f0"}
    ): "that 1 is a fixed point, or a limit of a plot 'to 1'",
    frozenset({"mr-fig3-mild", "mr-rem2-uniform"}): "what a condition implies, and what has to be done to have it",
}


def shape(obligation: Obligation) -> str:
    """An obligation without the names of its letters, which are numbered as they come."""
    numbers: dict[tuple[str, str], int] = {}

    def number(kind: str, name: str) -> int:
        return numbers.setdefault((kind, name), len(numbers))

    def shown(value: Any) -> str:
        match value:
            case Variable(name=name, sort=sort):
                return f"{sort}{number('letter', name)}"
            case Entry(family=family, index=index):
                return f"entry{number('family', family)}[{shown(index)}]"
            case Node():
                return (
                    f"{type(value).__name__}({', '.join(shown(getattr(value, n)) for n in field_names(type(value)))})"
                )
            case tuple():
                return f"[{', '.join(map(shown, value))}]"
        return repr(value)

    said = [type(obligation).__name__, *map(shown, obligation.read)]
    families = [f"{number('family', name)}: {f.positive}" for name, f in obligation.domain.family_terms.items()]
    return "; ".join([*said, *sorted(map(shown, obligation.domain.formulas)), *sorted(families)])


def readings() -> dict[tuple[str, ...], list[Record]]:
    """The claims whose print is read as a statement of its own, by what it says without the names of its letters."""
    session = Session((), Store(Path("nowhere")))
    found: dict[tuple[str, ...], list[Record]] = defaultdict(list)
    records = list(chain.from_iterable(session.records(session.files).values()))
    assert {r.id for r in records} == set(session.index.listings), "run grpo-symbolic verify first"
    for record in records:
        if said := tuple(sorted(shape(o) for about, o in record.to_show if about == "printed")):
            found[said].append(record)
    return found


def test_what_is_read_alike_is_judged_alike() -> None:
    found = readings()
    assert len(found) > 142
    unlike = [alike for alike in found.values() if len({r.entry.print_expected for r in alike}) > 1]
    told = {frozenset(r.id for r in alike): sorted({str(r.entry.print_expected) for r in alike}) for alike in unlike}
    strange = {ids: words for ids, words in told.items() if not any(ids <= known for known in UNLIKE)}
    assert not strange, "judge them alike, or say in UNLIKE what different things they say"
    assert all(any(ids <= known for ids in told) for known in UNLIKE), "a reason for what is no longer judged unlike"


@pytest.mark.parametrize("other", ["u*(1 - u) <= s", "s*(1 - s) < u", "s*(1 - s) <= s"])
def test_shapes_differ_in_more_than_letters_only(other: str) -> None:
    s, u = sp.symbols("s u", real=True)
    r = sp.IndexedBase("r", real=True)
    first = Holds(Domain(s > 0, u > 0, reals(r, 2)), s * (1 - s) <= u)
    made = {"u*(1 - u) <= s": u * (1 - u) <= s, "s*(1 - s) < u": s * (1 - s) < u, "s*(1 - s) <= s": s * (1 - s) <= s}
    second = Holds(Domain(s > 0, u > 0, reals(r, 2)), made[other])
    assert (shape(first) == shape(second)) == (other == "u*(1 - u) <= s")


X = sp.Symbol("x", real=True)
FAR = On(Domain(X > 6), Always(X > 5))


@pytest.mark.parametrize(
    ("statement", "because", "printed", "read"),
    [
        (Always(X + 2 > 1), (), "x+2>1", True),
        (Every(Always(X > 0), On(Domain(X), Always(X**2 + 1 > X))), (), "x^2+1>x", True),
        (Every(Always(X > 0), FAR), (), "x>5", False),
        (Always(X + 2 > 1), (FAR,), "x>5", False),
        (Always(X + 2 > 1), (Always(X + 3 > 1),), "x+3>1", True),
    ],
)
def test_a_print_is_read_where_the_claim_says_it(
    statement: Statement, because: tuple[Statement, ...], printed: str, read: bool
) -> None:
    """What is said on a part of the domain only is not what a print says, were it sign by sign the same."""
    of = Result(__file__).claim(
        "p", statement, Domain(X > 0), because=because, locator="-", title="a print", printed=printed
    )
    assert list(unread_in(of, sp.latex)) == ([] if read else [ORDER])


def test_what_a_print_is_read_as_accounts_for_it_alone() -> None:
    """A print that is the claim, sign by sign, and is read as another sentence, is not read."""
    reading = wrong("a slip of sign", Always(X + 2 < 1))
    of = Result(__file__).claim(
        "p", Always(X + 2 > 1), Domain(X > 0), locator="-", title="a print", printed="x+2>1", judged=reading
    )
    assert list(unread_in(of, sp.latex)) == [ORDER]
