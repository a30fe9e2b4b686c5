"""Claims, and how their prints are judged.

A claim is a statement with a domain, an id, its place in a paper, how the paper prints it, and how the print fares. A
result of one's own has a place too, that of what it is about, and no print.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

import sympy as sp

from grpo_symbolic.errors import BadInput, ClaimError, DomainError, ReadingError
from grpo_symbolic.proof.derivation import Derivation
from grpo_symbolic.proof.rules.citing import cites
from grpo_symbolic.proof.rules.citing import parts as made
from grpo_symbolic.proof.rules.supposed import equal_somewhere
from grpo_symbolic.proof.statements.arithmetic import Undefined, Unsupported, precision
from grpo_symbolic.proof.statements.domain import Domain, ExactPoint, Point, exact_point
from grpo_symbolic.proof.statements.evaluate import Values, holds_at, values_of
from grpo_symbolic.proof.statements.evidence import Kind, Origin, PrintVerdict, Verdict
from grpo_symbolic.proof.statements.obligation import Holds, Obligation
from grpo_symbolic.proof.statements.points import ball_field, satisfied
from grpo_symbolic.proof.statements.sentence import label_of, sentence_text
from grpo_symbolic.proof.statements.statement import Every, On, Statement, When, conclusions, flat
from grpo_symbolic.shown import Shown
from grpo_symbolic.signs import quoting, unseen
from grpo_symbolic.terms.language import Entry, Formula, Number, Variable, substitute


@dataclass(frozen=True)
class Print:
    """How a paper's own sentence fares, when it does not simply hold.

    ``verdict`` is the referee's judgement; it is granted only when the evidence supports it (:func:`judge`): the
    printed ``statement`` on its ``domain`` must be refuted for ``wrong``, ``misprint``, ``needs-hypothesis`` and
    ``imprecise``. A ``redundant-hypothesis`` has the printed domain as ``domain``, which must be strictly smaller
    than the one on which the claim is proved; ``wider`` is a point of the difference. A misprint that no formula can
    express (a wrong letter, a missing parenthesis) has no statement, and ``remark`` says what it is.
    """

    verdict: PrintVerdict
    remark: str
    statement: Statement | None = None
    domain: Domain | None = None
    wider: ExactPoint = ()

    def __post_init__(self) -> None:
        """Raises :class:`ClaimError` for a judgement without what it is judged by, or with more than that."""
        redundant = self.verdict is PrintVerdict.redundant_hypothesis
        needed = self.domain is not None if redundant else self.statement is not None
        unread = self.verdict is PrintVerdict.misprint and self.domain is None
        foreign = self.statement is not None if redundant else bool(self.wider)
        if self.verdict not in _JUDGED or foreign or not (needed or unread):
            raise ClaimError(f"a print is not judged to be {self.verdict} by what is given")


_FINE = 1 << 10  # bits, for the sides of an equation that all but meet at an end of a range
LONGEST_LOCATOR = 60  # characters: a place in a paper, one column of a table
# How a print may fare by what refutes a reading of it, or by where else the claim is proved
_JUDGED = (
    PrintVerdict.wrong,
    PrintVerdict.misprint,
    PrintVerdict.imprecise,
    PrintVerdict.needs_hypothesis,
    PrintVerdict.redundant_hypothesis,
)


def wrong(remark: str, statement: Statement, domain: Domain | None = None) -> Print:
    """The printed sentence is false."""
    return Print(PrintVerdict.wrong, remark, statement, domain)


def imprecise(remark: str, statement: Statement, domain: Domain | None = None) -> Print:
    """One precise reading of the sentence is true (the claim), another (``statement``) is not."""
    return Print(PrintVerdict.imprecise, remark, statement, domain)


def needs_hypothesis(remark: str, statement: Statement, domain: Domain | None = None) -> Print:
    """The sentence fails as printed, and is true once a tacit assumption is written down."""
    return Print(PrintVerdict.needs_hypothesis, remark, statement, domain)


def misprint(remark: str, statement: Statement | None = None, domain: Domain | None = None) -> Print:
    """A slip of notation; ``statement`` is what the characters say, where they say anything."""
    return Print(PrintVerdict.misprint, remark, statement, domain)


def redundant_hypothesis(remark: str, printed_domain: Domain, wider: Point) -> Print:
    """The claim holds on more than the paper asks; ``wider`` is a point of its domain outside the printed one."""
    return Print(PrintVerdict.redundant_hypothesis, remark, domain=printed_domain, wider=exact_point(wider))


@dataclass(frozen=True)
class Claim(Shown):
    """One checkable sentence, of a ``paper`` or one's own: ``statement`` on ``domain``, shown ``because`` of other
    statements there.

    ``id``: for good; ``locator``: its place; ``title``, ``kind``: what it is called and is; ``printed``: the print in
    LaTeX, ``None`` for an own result; ``judged``: how the print differs; ``by``: derivations; ``depends_on``: ids of
    the claims that it rests on; ``lemmas``: steps in words; ``expect``: the verdict that its file expects; ``remark``,
    ``short`` and ``says``: for readers; ``source``: its file. See :meth:`Result.claim`.
    """

    id: str
    paper: str
    locator: str
    title: str
    kind: Kind
    statement: Statement
    domain: Domain
    printed: str | None
    judged: Print | None = None
    by: tuple[Derivation, ...] = ()
    depends_on: tuple[str, ...] = ()
    lemmas: tuple[str, ...] = ()
    expect: Verdict | None = None
    remark: str = ""
    says: str = ""
    source: str = ""
    because: tuple[Statement, ...] = ()
    short: tuple[str, ...] = ()

    def __repr__(self) -> str:
        return f"<Claim {self.id}: {self.title}>"

    def __post_init__(self) -> None:
        """Raises :class:`ClaimError` for what no claim is: see :meth:`Result.claim`."""
        if not re.fullmatch(r"[A-Za-z0-9]+([-_][A-Za-z0-9]+)*", self.id):
            raise ClaimError(
                f"the id {self.id!r} is no word of letters, digits and hyphens, such as my-eq3: it is an address as "
                f"well ({self.source})"
            )
        labels = [x for part in made([self.whole, self.judged]) if isinstance(x := getattr(part, "label", ""), str)]
        judged = self.judged.remark if isinstance(self.judged, Print) else ""
        typed = (self.title, *self.lemmas, *self.short, *labels)
        words = (*typed, self.locator, self.printed or "", self.says, self.remark, judged)
        if sign := unseen("".join(words)):
            raise ClaimError(f"the words of the claim {self.id!r} have {sign!r}, a sign nobody sees ({self.source})")
        if mark := quoting(" ".join(typed)) or quoting(self.says, latex=True):
            raise ClaimError(
                f"the words of the claim {self.id!r} have {mark!r}: they are printed in quotation marks, and have none "
                f"themselves ({self.source})"
            )
        if len(self.locator) > LONGEST_LOCATOR or "  " in self.locator + self.title:
            raise ClaimError(
                f"the locator of the claim {self.id!r} is a place in a paper, of at most {LONGEST_LOCATOR} characters, "
                f"and neither it nor the title has gaps, which look like the columns of a table ({self.source})"
            )
        for name, text in (("printed", self.printed), ("says", self.says)):
            if text is not None and not _braces_match(text):
                raise ClaimError(f"the braces of {name}=… of the claim {self.id!r} do not match ({self.source})")
        if self.printed is not None and not self.printed.strip():
            raise ClaimError(
                f"the print of the claim {self.id!r} is empty: a result of one's own leaves it out ({self.source})"
            )
        if self.printed is None and self.judged is not None:
            raise ClaimError(f"the claim {self.id!r} judges a print and has none: printed=… is missing ({self.source})")
        if self.judged is not None and not (
            isinstance(self.judged, Print)
            and isinstance(self.judged.statement, Statement | None)
            and isinstance(self.judged.domain, Domain | None)
        ):
            raise ClaimError(
                f"the print of the claim {self.id!r} is judged by judged=wrong(remark, statement), or another "
                f"judgement: what is printed as a statement such as Always(…) or Equal(…), then its Domain(…) if it "
                f"differs ({self.source})"
            )
        for cited in cites([self.whole, self.judged]):
            if cited.id not in self.depends_on:
                raise ClaimError(
                    f"the claim {self.id!r} cites {cited.id!r}, which depends_on does not name ({self.source})"
                )

    @property
    def origin(self) -> Origin:
        return Origin.own if self.printed is None else Origin.print

    @cached_property
    def whole(self) -> Statement:
        """What is checked: why, and then the sentence."""
        return Every(*self.because, self.statement) if self.because else self.statement

    @cached_property
    def leading(self) -> Statement:
        """What stands over it: the parts of its sentence that ``short`` names, or all of it."""
        if not self.short:
            return self.statement
        return Every(*(On(at, p) for p, at in flat(self.statement, self.domain) if label_of(p) in self.short))

    @property
    def beside(self) -> int:
        """How many parts the sentence has beside what stands over it."""
        return sum(label_of(p) not in self.short for p, _ in flat(self.statement, self.domain)) if self.short else 0

    @property
    def holds(self) -> sp.Basic:
        """The statement that holds at every point of the domain, as a SymPy object.

        Raises :class:`BadInput` where no such object says all that the sentence does.
        """
        if self.statement.unsaid:
            lacking = "; ".join(self.statement.unsaid)
            raise BadInput(f"SymPy has no object that says all of {self.id!r} (it lacks {lacking}): read its sentence")
        return self.statement.expression

    @property
    def sentence(self) -> str:
        """The sentence in plain text, with its quantifiers, printed from the statement."""
        return sentence_text(self.statement, self.domain)

    @property
    def rules(self) -> tuple[str, ...]:
        """The rules that lead from the obligations to the sentence: theorems of ``coq/theories``, file and name."""
        return self.whole.rules_on(self.domain)

    def says_as(self, other: Claim) -> bool:
        """Whether both say the same, all that leads there included: the file of one may have been read twice."""
        return self is other or (self._said, *self._obligation_keys) == (other._said, *other._obligation_keys)

    @property
    def _said(self) -> list[tuple[Statement, str]]:
        """What is cited of it: each conclusion, those of its steps too, and where it holds."""
        return [(part, where.key()) for part, where in conclusions(self.whole, self.domain)]

    @property
    def _obligation_keys(self) -> Iterator[str]:
        return (about + o.key() for about, o in self.obligations())

    @property
    def judgement(self) -> PrintVerdict | None:
        """How the print fares by the file that registers the claim: a judgement, which evidence must bear out."""
        if self.origin is Origin.own:
            return None
        return PrintVerdict.holds if self.judged is None else self.judged.verdict

    @property
    def is_definition(self) -> bool:
        return self.expect is Verdict.definition

    def obligations(self) -> list[tuple[str, Obligation]]:
        """What must be shown, each marked as about the statement that holds or about the print that differs."""
        return self._obligations

    @cached_property
    def _obligations(self) -> list[tuple[str, Obligation]]:
        steps = [("holds", o) for derivation in self.by for o in derivation.obligations]
        return [*steps, *((about, o) for about, s, domain in self.sentences for o in s.obligations(domain))]

    @property
    def sentences(self) -> list[tuple[str, Statement, Domain]]:
        """The whole statement with its domain, and how the print is read where it differs, each marked likewise."""
        sentences = [("holds", self.whole, self.domain)]
        if self.judged is not None and self.judged.statement is not None:
            sentences.append(("printed", self.judged.statement, self.judged.domain or self.domain))
        return sentences

    @property
    def place(self) -> str:
        """Its file, as ``paper/name.py``."""
        return f"{self.paper}/{self.source}"

    @cached_property
    def _ranges(self) -> tuple[Domain, ...]:
        """Where the parts of the sentence say something: the domain of each, with its case."""
        every = [self.domain, *(where for _, where in conclusions(self.statement, self.domain))]
        return tuple({where.key(): where for where in every}.values())

    def _supposes(self, printed: Domain, point: Point) -> bool:
        """Whether a part of the sentence supposes what is not seen to hold at a point, of every index: of the point it
        says nothing then. What speaks of nothing that a domain or the point does is supposed alike at each of them; and
        an equation, such as that of a fixed point, has to hold somewhere for the values at which the print says
        nothing.
        """
        for part, where in conclusions(self.statement, self.domain):
            if part.supposes is None:
                return True
            reading = where.reading()
            values = values_of(point, reading)
            told = {*values, *(name for d in (*self._ranges, printed) for name in (*d.variables, *d.family_terms))}
            read = {f: reading.formula(f) for f in part.supposes}
            asked = [f for f, known in read.items() if not told.isdisjoint(known.variables | known.families)]
            failing = [f for f in asked if not satisfied(_of_every_index(read[f], values), values)]
            if failing and not (len(failing) == 1 and _met(failing[0], asked, where, printed, point)):
                return True
        return False

    @cached_property
    def widening(self) -> tuple[Obligation, ...]:
        """What shows that the domain of a print with a redundant hypothesis lies in that of the claim, and of each part
        that has its own; a case of the sentence is one of the print.
        """
        if self.judged is None or self.judged.domain is None or not self.judged.wider:
            return ()
        printed = self.judged.domain
        new = {
            f: c
            for where in (self.domain, *domains_of(self.statement))
            for c, f in zip(where.constraints, where.formulas, strict=True)
            if f not in printed.formulas
        }
        return tuple(Holds(printed, c, label="the print's domain lies in the claim's") for c in new.values())

    @cached_property
    def is_wider(self) -> bool:
        """Whether the given point of a print with a redundant hypothesis lies where each part of the claim says
        something, and not in the printed domain, which has no other families; and what holds for all values that the
        claim admits holds for those of the print.
        """
        if self.judged is None or self.judged.domain is None or not self.judged.wider:
            return False
        if not all(part.carries_over for part, _ in conclusions(self.statement, self.domain)):
            return False
        point, printed = dict(self.judged.wider), self.judged.domain
        families = [f for where in self._ranges for f in where.families]
        if not all(any(f.covers(g) for g in printed.families) for f in families):
            return False
        try:
            admitted = all(f.admits(point) for f in families)
            inside = admitted and all(where.contains(point) for where in self._ranges)
            return inside and printed.excludes(point) and not self._supposes(printed, point)
        except (ReadingError, Undefined, Unsupported):
            return False

    def implied(self) -> Iterator[tuple[str, Obligation]]:
        """What follows from the sentence and from the print that differs, marked alike: refuted, it refutes them."""
        for about, statement, domain in self.sentences:
            for conclusion, where in conclusions(statement, domain):
                yield from ((about, o) for o in conclusion.implied(where))


def _braces_match(text: str) -> bool:
    """Whether every brace of a LaTeX text is closed, and none that was not opened."""
    depth = 0
    for brace in re.findall(r"\\.|([{}])", text, re.S):
        depth += {"{": 1, "}": -1}.get(brace, 0)
        if depth < 0:
            return False
    return depth == 0


def _of_every_index(formula: Formula, point: Values) -> list[Formula]:
    """A formula for every number of the families of a point that a letter indexes of which the point says nothing."""
    found = [formula]
    entries = [part for part in formula.parts if isinstance(part, Entry) and part.family in point]
    for index in dict.fromkeys(e.index for e in entries if isinstance(e.index, Variable) and e.index not in point):
        most = max(len(point[e.family]) for e in entries if e.index is index)
        numbers = [Number(Fraction(k)) for k in range(1, most + 1)]
        found = [substitute(each, {index: number}) for each in found for number in numbers]
    return found


def _met(equation: sp.Basic, supposed: Sequence[sp.Basic], where: Domain, printed: Domain, point: Point) -> bool:
    """Whether what is supposed is an equation that is seen to hold somewhere in a domain, with the rest of it, where
    the letters of what a point excludes of a printed domain are as at the point.
    """
    values = values_of(point, printed.reading())
    excluded = [f for f in printed.formulas if holds_at(f, values, ball_field()) is False]
    kept = {v.name for f in excluded for v in f.variables}
    if not isinstance(equation, sp.Equality) or any(f.families for f in excluded):
        return False
    fixed = [sp.Eq(s, value) for s, value in point.items() if s in where.symbols and s.name in kept]
    beside = [f for f in supposed if f is not equation]
    try:
        with precision(_FINE):
            equal_somewhere(equation.lhs, equation.rhs, where.also(*fixed), "what is supposed", beside)
    except (ClaimError, DomainError):
        return False
    return True


def domains_of(statement: Statement) -> list[Domain]:
    """The domains that the parts of a statement bring."""
    match statement:
        case On(domain, inner):
            return [domain, *domains_of(inner)]
        case When(_, inner):
            return domains_of(inner)
        case Every(statements):
            return [d for s in statements for d in domains_of(s)]
    return []


def judge(
    judgement: PrintVerdict | None,
    holds: Verdict,
    *,
    has_reading: bool,
    printed_refuted: bool,
    wider_confirmed: bool,
    accounted: bool,
) -> PrintVerdict | None:
    """How the print fares, as far as the evidence goes: a ``judgement`` of a file that the evidence does not support is
    ``unknown``, and there is none where nothing is printed. ``has_reading`` is whether the print is read as a statement
    of its own; ``accounted`` whether the claim has all that the print has; else that the one is the other
    is a person's reading.
    """
    if judgement is None:
        return None
    if holds not in (Verdict.proved, Verdict.argued, Verdict.definition):
        return PrintVerdict.unknown
    match judgement:
        case PrintVerdict.holds if not has_reading:
            return PrintVerdict.holds if accounted else PrintVerdict.as_read
        case PrintVerdict.redundant_hypothesis:
            borne_out = wider_confirmed
        case PrintVerdict.misprint if not has_reading:
            borne_out = True
        case _:
            borne_out = has_reading and printed_refuted
    return judgement if borne_out else PrintVerdict.unknown
