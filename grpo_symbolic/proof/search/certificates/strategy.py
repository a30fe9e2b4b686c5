"""What is tried, and in which order. All limits are of work: branches looked at, and linear programs solved."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from contextlib import suppress
from functools import partial
from typing import TypeAlias

from flint import fmpz_mpoly

from grpo_symbolic.proof.check.branch import (
    NEGATIVE,
    POSITIVE,
    ZERO,
    Assertion,
    Branch,
    Junction,
    Literal,
    Open,
    Reading,
    unit_of,
)
from grpo_symbolic.proof.check.certificate import (
    Between,
    Certificate,
    Closed,
    Cut,
    Decide,
    Reduce,
    Solve,
    Split,
)
from grpo_symbolic.proof.check.polynomials import MOST_WORK, Refused, Sparse, Work, is_constant
from grpo_symbolic.proof.check.replay import (
    between,
    condition_name,
    cut,
    reduced,
    solved,
    split,
    start,
    strict_sign,
)
from grpo_symbolic.proof.search.certificates import sums
from grpo_symbolic.proof.search.certificates.facts import (
    Plan,
    bounds,
    different,
    equations,
    inequalities,
    occurring,
    plans,
)
from grpo_symbolic.proof.search.certificates.programs import available
from grpo_symbolic.terms.language import Formula, Not

STEPS = 250_000  # of effort 1: coefficients in linear programs, and BRANCH for each branch
BRANCH = 1_000
PROPAGATED = 50  # for each disjunction that is looked at
DEEPEST = 40  # certificates inside each other
WORK = 200 * MOST_WORK  # of polynomials, in one search


Step: TypeAlias = Callable[[Certificate], Certificate]  # what leads from the certificate of what follows


class Spent(Exception):
    """The work that was allowed is done."""


class Search:
    """One way through a query: ``late``, equations with roots are solved before the roots are squared."""

    def __init__(self, steps: int, late: bool) -> None:
        self.steps, self.late, self.work = steps, late, Work(WORK)

    def spend(self, steps: int = BRANCH) -> None:
        """Count work before it is done; raises :class:`Spent` where there is none left."""
        self.steps -= steps
        if self.steps < 0:
            raise Spent

    def decided(
        self, query: tuple[Formula, ...], decided: dict[Formula, bool], hints: tuple[Formula, ...]
    ) -> Certificate | None:
        """The conditions of values by cases first, as far as what was decided does not contradict the rest."""
        try:
            branch = start(query, decided, self.work)
            condition = open_condition(query, decided, self.work)
            if condition is not None:
                self.spend()
                certificate = Closed() if branch.closed else self.products(branch, 1, 200) if decided else None
                if certificate is not None:
                    return certificate
        except Refused as refused:
            raise Spent from refused
        if condition is not None:
            yes = self.decided((*query, condition), {**decided, condition: True}, hints)
            if yes is None:
                return None
            no = self.decided((*query, Not(condition)), {**decided, condition: False}, hints)
            return None if no is None else Decide(condition_name(condition), yes, no)
        reading = Reading(query, decided, self.work)
        variables = frozenset().union(*(formula.variables for formula in query))
        steps: list[Step] = []
        cases: list[fmpz_mpoly] = []
        try:
            for hint in (h for h in hints if h.variables <= variables):
                with suppress(Open):
                    branch = self.hinted(branch, reading.assertion(hint), steps, cases)
            inner = self.by_signs(branch, cases)
            return None if inner is None else wrapped(steps, inner)
        except Refused as refused:  # it grew beyond what a replay may do
            raise Spent from refused

    def hinted(self, branch: Branch, hint: Assertion, steps: list[Step], cases: list[fmpz_mpoly]) -> Branch:
        """The branch with what a hint states, as far as it can be shown; the steps to it are added, and to ``cases``
        what has several signs by it.
        """
        match hint:
            case Literal(polynomial, signs):
                ways = ((polynomial, POSITIVE), (-polynomial, NEGATIVE))
                for way in [p for p, sign in ways if not signs & (NEGATIVE + POSITIVE - sign)]:
                    lemma = self.lemma(branch, way, not signs & ZERO, self.with_half)
                    if lemma is not None:
                        step, branch = lemma
                        steps.append(step)
            case Junction(True, parts):
                cases += [part.polynomial for part in parts if isinstance(part, Literal)]
            case Junction(False, parts):
                for part in parts:
                    branch = self.hinted(branch, part, steps, cases)
        return branch

    def with_half(self, contrary: Branch) -> Certificate | None:
        """The contrary of a hint refuted, with half of the work that is left."""
        left = self.steps
        self.steps = left // 2
        try:
            return self.closed(contrary, 0)
        except Spent:
            return None
        finally:
            self.steps += left - left // 2

    def by_signs(self, branch: Branch, cases: list[fmpz_mpoly]) -> Certificate | None:
        """A certificate in each case of the signs of these polynomials."""
        if branch.closed:
            return Closed()
        if not cases:
            return self.closed(branch, 0)
        first, *rest = cases
        if is_constant(first) or strict_sign(branch, first):
            return self.by_signs(branch, rest)
        parts: list[Certificate] = []
        for part in cut(branch, first):
            certificate = self.by_signs(part, [case for case in rest if unit_of(case)[0] != unit_of(first)[0]])
            if certificate is None:
                return None
            parts.append(certificate)
        return Cut(branch.ring.sparse(first), *parts)

    def lemma(
        self, branch: Branch, polynomial: fmpz_mpoly, strict: bool, show: Callable[[Branch], Certificate | None]
    ) -> tuple[Step, Branch] | None:
        """The branch with ``polynomial > 0`` (or ≥ 0) among its facts, if the contrary can be refuted."""
        if strict:
            contrary, other = cut(branch, -polynomial)
        else:
            other, contrary = cut(branch, polynomial)
        shown = Closed() if contrary.closed else show(contrary)
        if shown is None:
            return None
        if strict:
            return partial(Cut, branch.ring.sparse(-polynomial), shown), other
        return partial(_below, branch.ring.sparse(polynomial), shown), other

    # -- one branch ---------------------------------------------------------------------------------------------------

    def closed(self, branch: Branch, depth: int) -> Certificate | None:
        """Equations are solved, then the rest is tried."""
        self.spend()
        steps, branch = self.eliminated(branch)
        inner = Closed() if branch.closed else self.inside(branch, depth)
        return None if inner is None else wrapped(steps, inner)

    def eliminated(self, branch: Branch) -> tuple[list[Step], Branch]:
        """Equations with a number as the coefficient of a letter solved, and squares of roots replaced."""
        steps: list[Step] = []
        while not branch.closed and len(steps) < 25:
            choice = self.equation(branch)
            if choice is None:
                break
            rule, name, variable = choice
            steps.append(partial(rule, name, variable))
            branch = (solved if rule is Solve else reduced)(branch, name, variable)
        return steps, branch

    def equation(self, branch: Branch) -> tuple[type[Solve] | type[Reduce], str, str] | None:
        """The cheapest equation to use next: solved for a letter, or as the square of a root; and the letter."""
        best: tuple[tuple[object, ...], tuple[type[Solve] | type[Reduce], str, str]] | None = None
        names = branch.ring.names
        for name, polynomial in equations(branch):
            degrees = polynomial.degrees()
            variables = occurring(polynomial)
            waits = not self.late and any(degrees[v] >= 2 and names[v].startswith("root") for v in variables)
            for v in variables:
                rule: type[Solve] | type[Reduce] = Solve if degrees[v] == 1 else Reduce
                if degrees[v] > 2 or (rule is Solve and (waits or len(polynomial) > 40)):
                    continue
                if rule is Reduce and not names[v].startswith("root"):
                    continue
                _, *between_, leading = branch.ring.coefficients(polynomial, v)
                if not is_constant(leading) or any(c != 0 for c in between_):
                    continue
                size = len(polynomial)
                kind = 2 if rule is Reduce else int(not names[v].startswith(("quotient", "abstract")))
                cost = (rule is Reduce or size > 7, kind, size, name, v)
                if best is None or cost < best[0]:
                    best = cost, (rule, name, names[v])
        return best and best[1]

    def inside(self, branch: Branch, depth: int) -> Certificate | None:
        """No equation is left that is easily solved."""
        if depth > DEEPEST:
            return None
        branch, forced = self.propagated(branch)
        if forced is not None:
            disjunction, branches = forced
            parts = self.all(branches, depth)
            return None if parts is None else Split(disjunction.name, tuple(parts))
        for attempt in (
            lambda: self.products(branch, 1, 400),
            lambda: self.cleared(branch, depth),
            lambda: self.planned(branch, 0, 2),
            lambda: self.products(branch, 2, 600),
            lambda: self.planned(branch, 1, 2) if depth == 0 and len(branch.disjunctions) >= 2 else None,
            lambda: self.cases(branch, depth),
        ):
            if (certificate := attempt()) is not None:
                return certificate
        return self.leaf(branch, depth)

    def leaf(self, branch: Branch, depth: int) -> Certificate | None:
        """No disjunction is left that helps."""
        for degree in (1, 2, 3):
            certificate = self.planned(branch, degree, 4 if degree < 3 else 2)
            if certificate is None and degree < 3:
                certificate = self.products(branch, degree + 1, 1500, squares=True)
            if certificate is None and degree == 1:
                certificate = self.free(branch, depth)
            if certificate is not None:
                return certificate
        return self.products(branch, 4, 2500, squares=True)

    # -- ways to close a branch ---------------------------------------------------------------------------------------

    def products(self, branch: Branch, degree: int, most: int, squares: bool = False) -> Certificate | None:
        available()
        return sums.products(branch, degree, most, self.spend, squares)

    def planned(self, branch: Branch, degree: int, most: int) -> Certificate | None:
        """Variables put on (0, ∞), and a look at the signs of coefficients."""
        for plan in plans(branch, most):
            certificate = self.followed(branch, plan, degree)
            if certificate is not None:
                return certificate
        return None

    def followed(self, branch: Branch, plan: Plan, degree: int) -> Certificate | None:
        steps: list[Step] = []
        try:
            for v, near, far in plan:
                name = branch.ring.names[v]
                branch = between(branch, name, near, far)
                steps.append(partial(Between, name, near, far))
                if branch.closed:
                    return wrapped(steps, Closed())
        except Refused:
            return None
        available()
        certificate = sums.signs(branch, degree, self.spend)
        return None if certificate is None else wrapped(steps, certificate)

    def cleared(self, branch: Branch, depth: int) -> Certificate | None:
        """An equation solved for a letter whose coefficient has a sign, which may have to be shown."""
        for name, polynomial in equations(branch):
            if len(polynomial) > 80:
                continue
            degrees = polynomial.degrees()
            variables = sorted(occurring(polynomial), key=lambda v: not branch.ring.names[v].startswith("quotient"))
            for v in variables:
                variable = branch.ring.names[v]
                if degrees[v] != 1 or (depth > 6 and not variable.startswith("quotient")):
                    continue
                _, slope = branch.ring.coefficients(polynomial, v)
                if is_constant(slope) or len(slope) > 60:
                    continue
                shown = self.with_sign(branch, slope)
                if shown is None:
                    continue
                step, other = shown
                inner = Closed() if other.closed else self.closed(solved(other, name, variable), depth + 1)
                return None if inner is None else step(Solve(name, variable, inner))
        return None

    def with_sign(self, branch: Branch, polynomial: fmpz_mpoly) -> tuple[Step, Branch] | None:
        """The branch with the sign of a polynomial among its facts."""
        if strict_sign(branch, polynomial):
            return (lambda inner: inner), branch
        return self.lemma(branch, polynomial, True, self.quick) or self.lemma(branch, -polynomial, True, self.quick)

    def quick(self, branch: Branch) -> Certificate | None:
        """The cheap ways only."""
        self.spend()
        steps, branch = self.eliminated(branch)
        if branch.closed:
            return wrapped(steps, Closed())
        certificate = (
            self.products(branch, 1, 300)
            or self.planned(branch, 0, 2)
            or self.products(branch, 2, 400)
            or self.planned(branch, 1, 1)
        )
        return None if certificate is None else wrapped(steps, certificate)

    # -- cases --------------------------------------------------------------------------------------------------------

    def propagated(self, branch: Branch) -> tuple[Branch, tuple[Junction, list[Branch]] | None]:
        """The branch without the disjunctions of which a part is a fact, and one of which at most one part is left."""
        needed = []
        for disjunction in branch.disjunctions:
            self.spend(PROPAGATED)
            branches = split(branch, disjunction)
            if any(_same(part, branch) for part in branches):
                continue
            if sum(not part.closed for part in branches) <= 1:
                return branch, (disjunction, branches)
            needed.append(disjunction)
        other = branch.copy()
        other.disjunctions = tuple(needed)
        return other, None

    def cases(self, branch: Branch, depth: int) -> Certificate | None:
        """A disjunction, or what is not zero and may have either sign: that which leaves the fewest branches open."""
        if depth > 12:
            return None
        best = None
        for disjunction in branch.disjunctions:
            branches = split(branch, disjunction)
            count = sum(not b.closed for b in branches)
            if best is None or count < best[0]:
                best = count, disjunction, branches
            if count <= 1:
                break
        if best is not None and (best[0] < 2 or not different(branch)):
            _, disjunction, branches = best
            parts = self.all(branches, depth)
            return None if parts is None else Split(disjunction.name, tuple(parts))
        for polynomial in different(branch)[:1]:
            return self.cut(branch, polynomial, depth)
        return None

    def all(self, branches: Iterable[Branch], depth: int) -> list[Certificate] | None:
        """A certificate for each branch."""
        parts: list[Certificate] = []
        for branch in branches:
            part = Closed() if branch.closed else self.closed(branch, depth + 1)
            if part is None:
                return None
            parts.append(part)
        return parts

    def cut(self, branch: Branch, polynomial: fmpz_mpoly, depth: int) -> Certificate | None:
        """By the sign of a polynomial."""
        parts = self.all(cut(branch, polynomial), depth)
        return None if parts is None else Cut(branch.ring.sparse(polynomial), *parts)

    def free(self, branch: Branch, depth: int) -> Certificate | None:
        """By the sign of a letter that no fact bounds."""
        if depth > 3:
            return None
        lower, upper = bounds(branch)
        met = sorted({v for i in inequalities(branch) for v in occurring(i.polynomial)})
        for v in [v for v in met if v not in lower and v not in upper][:1]:
            return self.cut(branch, branch.ring.variables[v], depth)
        return None


def open_condition(query: tuple[Formula, ...], decided: dict[Formula, bool], work: Work) -> Formula | None:
    """The first condition that has to be decided before all of the query can be read."""
    reading = Reading(query, decided, work)
    for formula in query:
        try:
            reading.assertion(formula)
        except Open as unread:
            return open_condition((unread.condition,), decided, work) or unread.condition
    return None


def _same(part: Branch, branch: Branch) -> bool:
    """Whether a part of a disjunction adds nothing to the branch."""
    if part.closed or len(part.disjunctions) >= len(branch.disjunctions) or len(part.facts) != len(branch.facts):
        return False
    return all(branch.facts.get(name) is fact for name, fact in part.facts.items())


def _below(polynomial: Sparse, shown: Certificate, then: Certificate) -> Certificate:
    return Cut(polynomial, then, shown)


def wrapped(steps: list[Step], inner: Certificate) -> Certificate:
    """A certificate with the steps that lead to it."""
    for step in reversed(steps):
        inner = step(inner)
    return inner
