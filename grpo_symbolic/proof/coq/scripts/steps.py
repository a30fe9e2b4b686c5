"""A certificate as tactics: the same steps as :mod:`grpo_symbolic.proof.check.replay`, each with the lemma that it is.

A branch of the replay is a context of Coq in which ``False`` is to be shown. Every fact of the branch is a hypothesis
``0 < P``, ``0 <= P``, ``P = 0`` or ``P <> 0``, and is only shown where a later step speaks of it. After a step that
rewrites a variable, a fact is the old one times something positive, by an identity that ``field`` checks; at the end
stands a sum of products that ``lra`` sees to be positive and negative. Nothing is searched for.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from itertools import count

from flint import fmpz_mpoly

from grpo_symbolic.proof.check.branch import (
    ANY,
    NEGATIVE,
    OF_NUMBER,
    POSITIVE,
    ZERO,
    Assertion,
    Junction,
    Literal,
    turned,
    unit_of,
)
from grpo_symbolic.proof.check.certificate import Between, Certificate, Closed, Cut, Product, Reduce, Solve, Split, Sum
from grpo_symbolic.proof.check.polynomials import Ring, is_constant, named, sign
from grpo_symbolic.proof.coq.syntax import Unsupported

_NOT_ZERO = NEGATIVE | POSITIVE
_RELATIONS = {POSITIVE: "0 < {}", POSITIVE | ZERO: "0 <= {}", ZERO: "{} = 0", _NOT_ZERO: "{} <> 0"}
_SCALED = {POSITIVE: "scaled_lt", POSITIVE | ZERO: "scaled_le", ZERO: "scaled_eq", _NOT_ZERO: "scaled_ne"}


@dataclass(frozen=True, eq=False)
class Known:
    """A proposition with the name of its hypothesis, the tactic that shows it, and what this tactic uses.

    Of a fact, ``unit`` is its polynomial, ``signs`` are those that it may have (``check/branch.py``),
    and ``text`` is the polynomial that it states to be positive, and so on.
    """

    name: str
    proposition: str
    proof: str
    uses: tuple[Known, ...] = ()
    unit: fmpz_mpoly | None = None
    signs: int = 0
    text: str = ""


@dataclass
class Script:
    """The lines of a proof in writing; ``shown`` are the hypotheses that stand there, in the scope at hand."""

    fresh: Callable[[], int] = field(default_factory=lambda: count(1).__next__)
    lines: list[str] = field(default_factory=list)
    shown: set[str] = field(default_factory=set)

    def show(self, known: Known) -> str:
        """Assert a proposition, after all that its proof uses; the name of the hypothesis."""
        if known.name not in self.shown:
            self.shown.add(known.name)
            for used in known.uses:
                self.show(used)
            self.lines.append(f"assert ({known.name} : {known.proposition}). {{ {known.proof}. }}")
        return known.name

    def inner(self) -> Script:
        """A scope of its own, whose lines are added to these by :meth:`put`."""
        return Script(self.fresh, [], set(self.shown))

    def put(self, inner: Script, *first: str) -> None:
        """Add the lines of a scope, after those that come ``first`` in it."""
        self.lines += ["{", *first, *inner.lines, "}"]


class Case:
    """A branch, with a hypothesis for each of its facts: ``names`` are those of Coq for the variables of the ring."""

    def __init__(self, ring: Ring, names: Mapping[int, str], script: Script) -> None:
        self.ring, self.script, self.first, self.names = ring, script, dict(names), dict(names)
        self.facts: dict[str, Known] = {}
        self.junctions: tuple[tuple[Junction, Known], ...] = ()
        self.squares: dict[int, tuple[fmpz_mpoly, Known]] = {}
        self.changes: tuple[Callable[[Case, Known], Known | None], ...] = ()
        self.absurd: Known | None = None

    def copy(self, script: Script) -> Case:
        other = Case(self.ring, self.names, script)
        other.__dict__.update(self.__dict__)
        other.script, other.facts, other.names = script, dict(self.facts), dict(self.names)
        return other

    def name(self, letter: str = "F") -> str:
        return f"{letter}'{self.script.fresh()}"

    # -- in Coq's syntax ----------------------------------------------------------------------------------------------

    def text(self, polynomial: fmpz_mpoly, names: Mapping[int, str] | None = None) -> str:
        """A polynomial, in parentheses, in the variables of now."""
        names, parts = names or self.names, []
        for monomial, coefficient in zip(polynomial.monoms(), polynomial.coeffs(), strict=True):
            powers = [names[k] if e == 1 else f"{names[k]} ^ {e}" for k, e in enumerate(map(int, monomial)) if e]
            factor = (
                [] if coefficient == 1 and powers else [f"({coefficient})" if coefficient < 0 else f"{coefficient}"]
            )
            parts.append(" * ".join([*factor, *powers]))
        return f"({' + '.join(parts) or '0'})"

    def relation(self, polynomial: fmpz_mpoly, signs: int, names: Mapping[int, str] | None = None) -> str:
        """That a polynomial has one of some signs."""
        if signs in (0, ANY):
            return "True" if signs else "False"
        if signs not in _RELATIONS:
            polynomial, signs = -polynomial, turned(signs)
        return _RELATIONS[signs].format(self.text(polynomial, names))

    def proposition_of(self, assertion: Assertion) -> str:
        """An assertion of the query, in the variables that this has."""
        if isinstance(assertion, Literal):
            return self.relation(assertion.polynomial, assertion.signs, self.first)
        joined = (" \\/ " if assertion.any else " /\\ ").join(
            f"({self.proposition_of(part)})" for part in assertion.sorted
        )
        return joined or ("False" if assertion.any else "True")

    # -- what is assumed ----------------------------------------------------------------------------------------------

    def add(self, assertion: Assertion, known: Known) -> None:
        """Assume an assertion of the query, which ``known`` has as a hypothesis."""
        match assertion:
            case Literal(polynomial, signs):
                fact = self.fact(polynomial, signs, f"clear - {known.name}; lra", (known,), self.first)
                if fact is not None and fact.proposition == known.proposition:
                    fact = replace(fact, name=known.name, proof=known.proof, uses=known.uses)
                for change in self.changes:
                    fact = None if fact is None else change(self, fact)
                self.keep(None if fact is None else self.reduced(fact))
            case Junction(True, parts) if len(parts) > 1:
                self.junctions = (*self.junctions, (assertion, known))
            case Junction(True, ()):
                self.absurd = known
            case Junction():
                for part in assertion.sorted:
                    self.add(part, Known(self.name("S"), self.proposition_of(part), f"apply {known.name}", (known,)))

    def fact(
        self,
        polynomial: fmpz_mpoly,
        signs: int,
        proof: str,
        uses: tuple[Known, ...],
        names: Mapping[int, str] | None = None,
    ) -> Known | None:
        """A fact up to a factor; nothing of a constant, which is ``absurd`` where it has none of the signs."""
        if is_constant(polynomial):
            if not signs & OF_NUMBER[sign(polynomial)]:
                self.absurd = Known(self.name(), self.relation(polynomial, signs, names), proof, uses)
            return None
        unit, way = unit_of(polynomial)
        signs = signs if way > 0 else turned(signs)
        text = self.text(unit if signs in _RELATIONS else -unit, names)
        return Known(self.name(), self.relation(unit, signs, names), proof, uses, unit, signs, text)

    def keep(self, fact: Known | None) -> None:
        if fact is None or fact.unit is None:
            return
        unit, content = fact.unit, str(fact.unit)
        known = self.facts.get(content)
        left = ANY if known is None else known.signs & fact.signs
        if known is not None and left == known.signs:
            fact = known
        elif known is not None and left != fact.signs:
            text, both = self.text(unit if left in _RELATIONS else -unit), f"clear - {known.name} {fact.name}; lra"
            fact = Known(self.name(), self.relation(unit, left), both, (known, fact), unit, left, text)
        self.facts[content] = fact
        if not fact.signs:
            self.absurd = fact

    def called(self, name: str) -> tuple[fmpz_mpoly, int, Known]:
        """The fact of this name: its polynomial, negated where the name has a minus, its signs, and itself."""
        for content, known in self.facts.items():
            if named(content) == name.removeprefix("-") and known.unit is not None:
                turn = name.startswith("-")
                return (-known.unit, turned(known.signs), known) if turn else (known.unit, known.signs, known)
        raise Unsupported(f"a certificate that speaks of a fact {name!r}, which is not there")

    def scaled(
        self,
        fact: Known,
        image: fmpz_mpoly,
        c: str,
        d: str,
        proof: str,
        uses: tuple[Known, ...],
        names: Mapping[int, str] | None = None,
    ) -> Known | None:
        """``image``, where ``fact · c = image · d``, for ``c`` and ``d`` that are positive."""
        assert fact.unit is not None
        way = 1 if fact.signs in _RELATIONS else -1
        signs = fact.signs if way > 0 else turned(fact.signs)
        if is_constant(image):
            unit, factor = self.ring.one, way * int(image.leading_coefficient()) if image != 0 else 0
            if image == 0 and signs != ZERO and not signs & ZERO:
                unit, factor = self.ring.zero, 1
            elif image == 0 or signs & (POSITIVE if factor > 0 else NEGATIVE):
                return None
        else:
            unit, turn = unit_of(image)
            factor = way * int(image.content()) * turn
        if factor < 0 and signs not in (ZERO, _NOT_ZERO):
            unit, factor = -unit, -factor
        text = self.text(unit, names)
        proposition = _RELATIONS[signs].format(text)
        lemma = f"apply ({_SCALED[signs]} {fact.text} ({c}) ({d} * ({factor})) {text})"
        tactic = f"{lemma}; [exact {fact.name} | solve [apart] | solve [apart] | {proof}]"
        if is_constant(image):
            self.absurd = Known(self.name(), proposition, tactic, (fact, *uses))
            return None
        return Known(self.name(), proposition, tactic, (fact, *uses), unit_of(unit)[0], _oriented(unit, signs), text)

    # -- steps --------------------------------------------------------------------------------------------------------

    def close(self, certificate: Certificate) -> None:
        """Write the proof of ``False`` that a certificate is."""
        script = self.script
        if self.absurd is not None:
            name = script.show(self.absurd)
            script.lines.append(f"first [exact {name} | clear - {name}; lra].")
            return
        match certificate:
            case Split(name, parts):
                junction, known = next(pair for pair in self.junctions if pair[0].name == name)
                here = [self.name("S") for _ in junction.parts]
                *firsts, last = here
                pattern = f"{''.join(f'[{label}|' for label in firsts)}{last}{']' * len(firsts)}"
                script.lines.append(f"destruct {script.show(known)} as {pattern}.")
                for label, part, then in zip(here, junction.sorted, parts, strict=True):
                    other = self.copy(script.inner())
                    other.script.shown.add(label)
                    other.junctions = tuple(j for j in self.junctions if j[0] is not junction)
                    other.add(part, Known(label, other.proposition_of(part), ""))
                    other.close(then)
                    script.put(other.script)
            case Cut(sparse, above, below):
                polynomial, label = self.ring.polynomial(sparse), self.name("C")
                script.lines.append(f"destruct (Rlt_le_dec {self.text(polynomial)} 0) as [{label}|{label}].")
                for signs, then in ((NEGATIVE, below), (ZERO | POSITIVE, above)):
                    other = self.copy(script.inner())
                    other.script.shown.add(label)
                    given = Known(label, "", "")
                    fact = other.fact(polynomial, signs, f"clear - {label}; lra", (given,))
                    other.keep(fact if fact is None else other.reduced(fact))
                    other.close(then)
                    script.put(other.script)
            case Solve(equation, variable, then):
                self.solve(equation, variable)
                self.close(then)
            case Reduce(equation, variable, then):
                self.reduce(equation, variable)
                self.close(then)
            case Between(variable, near, far, then):
                self.between(variable, near, far)
                self.close(then)
            case Sum():
                self.contradict(certificate)
            case Closed():
                raise Unsupported("a certificate that ends before its branch is closed")
            case _:
                raise Unsupported("a certificate with values by cases")

    def change(self, v: int, replaced: Callable[[fmpz_mpoly], tuple[fmpz_mpoly, str, str]], equation: Known) -> None:
        """Rewrite everything that holds a variable: ``replaced`` gives the image and the factors ``c`` and ``d``."""
        names = self.names

        def apply(case: Case, fact: Known) -> Known | None:
            assert fact.unit is not None
            if fact.unit.degrees()[v] <= 0:
                return fact
            image, c, d = replaced(fact.unit)
            return case.scaled(fact, image, c, d, f"rewrite {equation.name}; field; apart", (equation,), names)

        facts, self.facts = self.facts, {}
        squares, self.squares = self.squares, {}
        self.changes = (*self.changes, apply)
        for root, (_, known) in squares.items():
            changed = apply(self, known)
            if changed is not None and not self.takes(root, changed):
                self.keep(self.reduced(changed))
        for fact in facts.values():
            changed = apply(self, fact)
            self.keep(None if changed is None else self.reduced(changed))

    def solve(self, name: str, variable: str) -> None:
        ring, v = self.ring, self.ring.index(variable)
        equation, _, known = self.called(name)
        rest, slope = ring.coefficients(equation, v)
        way, uses = sign(slope), list[Known]()
        if not is_constant(slope):
            unit, turn = unit_of(slope)
            held = self.facts[str(unit)]
            way, uses = turn if held.signs == POSITIVE else -turn, [held]
        above, below = -way * rest, way * slope
        positive = Known(self.name("B"), f"0 < {self.text(below)}", "lra", tuple(uses))
        under, value = self.text(below), f"{self.text(above)} / {self.text(below)}"
        sides = f"[exact {positive.name} | clear - {known.name}; lra]"
        solves = f"apply (solved {self.names[v]} {self.text(above)} {under}); {sides}"
        place = Known(self.name("V"), f"{self.names[v]} = {value}", solves, (positive, known))

        def replaced(p: fmpz_mpoly) -> tuple[fmpz_mpoly, str, str]:
            return ring.replaced(p, v, above, below), f"{under} ^ {p.degrees()[v]}", "1"

        self.change(v, replaced, place)

    def reduce(self, name: str, variable: str) -> None:
        v = self.ring.index(variable)
        _, _, known = self.called(name)
        self.squares = dict(self.squares)
        if not self.takes(v, known):
            raise Unsupported(f"the equation {name!r} does not give the square of {variable}")
        facts, self.facts = self.facts, {}
        for fact in facts.values():
            if fact is not known:
                self.keep(self.reduced(fact))

    def takes(self, root: int, known: Known) -> bool:
        assert known.unit is not None
        coefficients = self.ring.coefficients(known.unit, root)
        if len(coefficients) != 3 or coefficients[1] != 0 or not is_constant(coefficients[2]):
            return False
        relation = known.unit if sign(coefficients[2]) > 0 else -known.unit
        self.squares[root] = (relation, known)
        return True

    def reduced(self, fact: Known) -> Known | None:
        """A fact modulo the squares."""
        assert fact.unit is not None
        image, scale, multiples, used = self.remainder(fact.unit)
        if not used:
            return fact
        way = 1 if fact.signs in _RELATIONS else -1
        whole = self.text(fact.unit * way * scale)
        sum_of = " + ".join([self.text(image * way), *(f"{self.text(m * way)} * {t}" for m, t in multiples)])
        equations = ", ".join(known.name for known in used)
        proof = f"transitivity {whole}; [ring | transitivity ({sum_of}); [ring | rewrite {equations}; ring]]"
        return self.scaled(fact, image, f"{scale}", "1", proof, used)

    def remainder(
        self, polynomial: fmpz_mpoly
    ) -> tuple[fmpz_mpoly, int, list[tuple[fmpz_mpoly, str]], tuple[Known, ...]]:
        """The remainder modulo the squares, the number times which the polynomial is equal to it, the multiples of the
        relations in between, and the facts that say these.
        """
        scale, multiples, used = 1, list[tuple[fmpz_mpoly, str]](), list[Known]()
        for variable, (relation, known) in self.squares.items():
            rest, factor = self.ring.remainder(polynomial, variable, relation)
            if rest != polynomial * factor:
                assert known.unit is not None
                multiples = [(m * factor, t) for m, t in multiples]
                multiples.append(((polynomial * factor - rest) / known.unit, self.text(known.unit)))
                used.append(known)
            polynomial, scale = rest, scale * factor
        return polynomial, scale, multiples, tuple(used)

    def between(self, variable: str, near: str, far: str | None) -> None:
        ring, v = self.ring, self.ring.index(variable)
        t, old, new = ring.variables[v], self.names[v], f"t'{self.script.fresh()}"
        polynomial, signs, bound = self.called(near)
        rest, slope = ring.coefficients(polynomial, v)
        a, strict, uses = int(slope.leading_coefficient()), signs == POSITIVE, [bound]
        end = rest * (-1 if a > 0 else 1)
        below, start = ring.context.constant(abs(a)), f"({self.text(end)} / {abs(a)})"
        kind = "lt" if strict else "le"
        if far is None:
            above = end + (1 if a > 0 else -1) * t
            way, sense = ("beyond", "+") if a > 0 else ("before", "-")
            lemma, value, under = (
                f"{way}_{kind} {start} {old} {abs(a)}",
                f"{start} {sense} {new} / {abs(a)}",
                f"{abs(a)}",
            )
        else:
            other, _, limit = self.called(far)
            other_rest, other_slope = ring.coefficients(other, v)
            b = int(other_slope.leading_coefficient())
            other_end, uses = other_rest * (-1 if b > 0 else 1), [bound, limit]
            above = abs(b) * end + abs(a) * ring.times(other_end, t)
            below = abs(a * b) * (1 + t)
            stop = f"({self.text(other_end)} / {abs(b)})"
            lemma = f"between_{kind} {start} {stop} {old}"
            value = f"({start} + {stop} * {new}) / (1 + {new})"
            under = f"({abs(a * b)} * (1 + {new}))"
        place, of = self.name("V"), self.name("T")
        for known in uses:
            self.script.show(known)
        given = " ".join(known.name for known in uses)
        bounds = f"ltac:(clear - {given}; first [lra | left; lra | right; lra])"
        sides = bounds if far is not None else f"{bounds} ltac:(lra)"
        self.script.lines.append(f"destruct ({lemma} {sides}) as [{new} [{of} {place}]].")
        self.script.shown |= {place, of}
        equation = Known(place, f"{old} = {value}", "")
        positive = Known(of, "", "", unit=t, signs=POSITIVE if strict else POSITIVE | ZERO, text=f"({new})")

        def replaced(p: fmpz_mpoly) -> tuple[fmpz_mpoly, str, str]:
            put = ring.replaced(p, v, above, below)
            shared = put.term_content().degrees()[v] if strict and put != 0 else 0
            image = put / t**shared if shared > 0 else put
            return image, f"{under} ^ {p.degrees()[v]}", f"{new} ^ {shared}" if shared > 0 else "1"

        self.names = {**self.names, v: new}
        self.change(v, replaced, equation)
        self.keep(positive)

    # -- the end ------------------------------------------------------------------------------------------------------

    def contradict(self, certificate: Sum) -> None:
        """The products, the multiples of equations and minus their sum are shown one by one; ``lra`` adds them up."""
        ring, script, total = self.ring, self.script, self.ring.zero
        labels = []
        for product in certificate.products:
            value, label = self.product(product)
            total += value
            labels.append(label)
        for multiple in certificate.multiples:
            factor, (polynomial, _, known) = ring.polynomial(multiple.multiplier), self.called(multiple.equation)
            total += ring.times(factor, polynomial)
            labels.append(self._vanishing(factor, known))
        rest, _, multiples, used = self.remainder(total)
        labels += [self._vanishing(m, k) for (m, _), k in zip(multiples, used, strict=True)]
        if rest != 0:
            labels.append(self._signed(self.text(-rest), self.monomials(-rest)))
        script.lines.append(f"clear - {' '.join(dict.fromkeys(labels))}; lra.")

    def _vanishing(self, factor: fmpz_mpoly, equation: Known) -> str:
        assert equation.unit is not None
        if is_constant(factor):
            return self.script.show(equation)
        proposition = f"{self.text(factor)} * {self.text(equation.unit)} = 0"
        label = self.name("M")
        self.script.lines.append(
            f"assert ({label} : {proposition}). {{ rewrite {self.script.show(equation)}. apply Rmult_0_r. }}"
        )
        return label

    def _signed(self, text: str, strict: bool) -> str:
        label = self.name("M")
        relation, tactic = ("<", "strict") if strict else ("<=", "weak")
        self.script.lines.append(f"assert ({label} : 0 {relation} {text}). {{ {tactic}. }}")
        return label

    def product(self, product: Product) -> tuple[fmpz_mpoly, str]:
        """The value of a product, and the name of the hypothesis that it has its sign."""
        value = self.ring.polynomial(product.multiplier)
        strict = self.monomials(value)
        factors = [] if value == 1 else [self.text(value)]
        for name in product.facts:
            polynomial, signs, known = self.called(name)
            strict &= signs == POSITIVE
            self.script.show(known)
            value = self.ring.times(value, polynomial)
            factors.append(self.text(polynomial))
        for square in map(self.ring.polynomial, product.squares):
            strict = False
            value = self.ring.times(value, self.ring.times(square, square))
            factors.append(f"{self.text(square)} ^ 2")
        return value, self._signed(" * ".join(factors) or "1", strict)

    def monomials(self, polynomial: fmpz_mpoly) -> bool:
        """Whether some monomial is positive, once it is shown that the variables in it are not negative."""
        signs = []
        for k, name in enumerate(self.ring.names):
            known = self.facts.get(name)
            signs.append(known.signs if known is not None else ANY)
            if known is not None and polynomial.degrees()[k] > 0:
                self.script.show(known)
        return any(all(not e or signs[k] == POSITIVE for k, e in enumerate(m)) for m in polynomial.monoms())


def _oriented(unit: fmpz_mpoly, signs: int) -> int:
    """The signs of the unit of a polynomial that has these."""
    return signs if unit_of(unit)[1] > 0 else turned(signs)
