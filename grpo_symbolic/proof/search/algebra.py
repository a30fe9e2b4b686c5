"""Identities, by a normal form that decides.

The difference of the two sides is brought to a quotient of polynomials in *generators*: symbols, entries of families,
sums over an index in linear normal form, square roots of irreducible factors, logarithms of irreducible factors, and
exponentials of terms. Splitting a root, a logarithm, an absolute value or a sign needs the sign of its argument on
the domain, which Z3 must prove. Powers of a root are reduced by ``s² = q``. If nothing is left, the identity is
proved, provided that Z3 shows both sides to be defined on the whole domain; otherwise this checker says nothing
(sampling looks for a counter-example).
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Any, NamedTuple

import sympy as sp

from grpo_symbolic.errors import ReadingError
from grpo_symbolic.proof.check.answers import remembered
from grpo_symbolic.proof.check.decision import proves
from grpo_symbolic.proof.check.forms import undefined_on
from grpo_symbolic.proof.search.numerators import Quotients
from grpo_symbolic.proof.search.sums import normalise_sums
from grpo_symbolic.proof.statements.domain import Domain
from grpo_symbolic.proof.statements.evidence import Finding, Grade, Outcome
from grpo_symbolic.proof.statements.obligation import Identity, Obligation
from grpo_symbolic.terms.derivatives import expanded


class Form(NamedTuple):
    """A normal form: the numerator of a quotient of polynomials, and the generators that its letters stand for."""

    numerator: Any
    nodes: tuple[sp.Expr, ...]


class NormalForm:
    """The normal form of expressions on one domain."""

    def __init__(self, domain: Domain) -> None:
        self.domain = domain
        self._signs: dict[sp.Expr, int | None] = {}
        self._known: dict[sp.Expr, sp.Expr] = {}

    def sign(self, e: sp.Expr) -> int | None:
        """+1, −1 or 0 when the sign of ``e`` is the same on the whole domain and can be proved, else ``None``."""
        if e.is_positive or e.is_negative or e.is_zero:
            return 1 if e.is_positive else -1 if e.is_negative else 0
        if e not in self._signs:
            tests = ((1, e > 0), (-1, e < 0), (0, sp.Eq(e, 0)))
            self._signs[e] = next(
                (s for s, f in tests if f == sp.true or (f != sp.false and proves(f, self.domain))), None
            )
        return self._signs[e]

    def _weak_sign(self, e: sp.Expr) -> int | None:
        return next((s for s, f in ((1, e >= 0), (-1, e <= 0)) if proves(f, self.domain)), None)

    def __call__(self, e: sp.Expr) -> Form:
        """What is left of ``e`` on the domain: nothing, if the two sides of an identity cancel by the rules of this
        module.
        """
        rest = _form(self._elementary(normalise_sums(e, self.domain, self._summand)))
        if rest.numerator and _may_combine(rest.nodes):
            rest = _form(rest.numerator.as_expr(*rest.nodes))  # as which SymPy combines them
        return rest

    def vanishes(self, e: sp.Expr) -> bool:
        """Whether ``e`` is zero on the domain, logarithms being compared by their arguments if nothing else is left."""
        return self.is_zero(self(e))

    def is_zero(self, rest: Form) -> bool:
        """Whether a normal form is zero."""
        return not rest.numerator or self._is_log_of_one(rest)

    def _summand(self, body: sp.Expr) -> sp.Expr:
        body = self._elementary(body)
        return sp.expand(body if body.has(sp.log, sp.exp, sp.Sum) else sp.cancel(body))

    def _is_log_of_one(self, rest: Form) -> bool:
        """``Σ k_i log f_i = 0`` for whole ``k_i``, up to a common factor, if ``Π f_i^{k_i} = 1``."""
        logs = {place for place, node in enumerate(rest.nodes) if isinstance(node, sp.log)}
        sums = {place for place, node in enumerate(rest.nodes) if node.has(sp.Sum)}
        weights: dict[int, dict[tuple[int, ...], Any]] = {}
        for monomial, coefficient in rest.numerator.items():
            inside = [place for place, power in enumerate(monomial) if power]
            here = [place for place in inside if place in logs]
            if len(here) != 1 or monomial[here[0]] != 1 or not sums.isdisjoint(inside):
                return False
            others = (*monomial[: here[0]], 0, *monomial[here[0] + 1 :])
            weights.setdefault(here[0], {})[others] = coefficient
        least = min(weights.values(), key=lambda weight: abs(next(iter(weight.values()))))
        product = sp.S.One
        for place, weight in weights.items():
            monomial, first = next(iter(weight.items()))
            share = first / least.get(monomial, first * 2)
            if share.denominator != 1 or weight != {m: share * c for m, c in least.items()}:
                return False
            product *= rest.nodes[place].args[0] ** int(share.numerator)
        return not self(product - 1).numerator

    def _elementary(self, e: sp.Expr) -> sp.Expr:
        """Bottom-up: split roots, logarithms, exponentials, absolute values and signs into generators."""
        if e.is_Atom or isinstance(e, sp.Indexed | sp.Sum | sp.Product):
            return e  # what the domain says of a symbol is not about an index of the same name
        form = self._known.get(e)
        if form is None:
            form = self._known[e] = self._split(e)
        return form

    def _split(self, e: sp.Expr) -> sp.Expr:
        if isinstance(e, sp.functions.elementary.hyperbolic.HyperbolicFunction):
            return self._elementary(e.rewrite(sp.exp))
        parts = tuple(map(self._elementary, e.args))
        if parts != e.args:  # SymPy takes long to make some anew, such as a maximum
            e = e.func(*parts)
        if isinstance(e, sp.log):
            return self._log(e.args[0])
        if isinstance(e, sp.exp):
            return self._exp(e.args[0])
        if isinstance(e, sp.Abs | sp.sign):
            s = self.sign(e.args[0])
            if s is not None:
                return s * e.args[0] if isinstance(e, sp.Abs) else sp.Integer(s)
        if isinstance(e, sp.Max | sp.Min):
            return self._extremum(e)
        if isinstance(e, sp.Piecewise):
            return self._piecewise(e)
        if isinstance(e, sp.Pow) and e.exp.is_Rational and e.exp.q == 2:
            return self._root(e.base) ** e.exp.p
        return e

    def _factors(self, e: sp.Expr, under_root: bool = False) -> tuple[sp.Expr, list[tuple[sp.Expr, int]]] | None:
        """A positive constant and signed-positive factors with exponents, if every factor has a provable sign and the
        product is positive.

        Under a root a factor of even exponent may also vanish.
        """
        overall, parts = _factored(e)
        positive = []
        for f, k in parts:
            s = self.sign(f) or (self._weak_sign(f) if under_root and k > 0 and k % 2 == 0 else None)
            if s is None:
                return None
            overall *= sp.Integer(s) ** k
            positive.append((s * f, k))
        return (overall, positive) if overall.is_positive else None

    def _log(self, e: sp.Expr) -> sp.Expr:
        if isinstance(e, sp.exp):
            return e.args[0]
        factored = self._factors(e)
        if factored is None:
            return sp.log(e)
        constant, factors = factored
        primes = sp.factorrat(constant) if constant.is_Rational and constant != 1 else {}
        numbers = (
            sum((k * sp.log(q) for q, k in primes.items()), sp.S.Zero) if constant.is_Rational else sp.log(constant)
        )
        return numbers + sum(
            (k * (f.args[0] if isinstance(f, sp.exp) else sp.log(sp.expand(f))) for f, k in factors), sp.S.Zero
        )

    def _exp(self, e: sp.Expr) -> sp.Expr:
        product = sp.S.One
        for term in sp.Add.make_args(sp.expand(e)):
            coefficient, rest = term.as_coeff_Mul()
            if isinstance(rest, sp.log):
                product *= rest.args[0] ** coefficient
            else:
                # one generator per term: exp(c·t/d) is the c-th power of exp(t/d)
                product *= (
                    sp.Pow(sp.exp(rest / coefficient.q), coefficient.p, evaluate=False)
                    if coefficient.is_Rational
                    else sp.exp(term)
                )
        return product

    def _root(self, e: sp.Expr) -> sp.Expr:
        factored = self._factors(e, under_root=True)
        if factored is None:
            content, primitive = sp.expand(e).as_content_primitive()
            return sp.sqrt(content) * sp.sqrt(primitive)
        constant, factors = factored
        result = sp.sqrt(constant)
        for f, k in factors:
            result *= f ** (k // 2) * (sp.sqrt(sp.expand(f)) if k % 2 else 1)
        return result

    def _extremum(self, e: sp.Expr) -> sp.Expr:
        best = list(e.args)
        for a in list(best):
            if any(
                c is not a and c in best and proves(c >= a if isinstance(e, sp.Max) else c <= a, self.domain)
                for c in best
            ):
                best.remove(a)
        return e if len(best) == len(e.args) else e.func(*best)

    def _piecewise(self, e: sp.Piecewise) -> sp.Expr:
        for value, condition in e.args:
            if condition == sp.true or proves(condition, self.domain):
                return value
            if not proves(sp.Not(condition), self.domain):
                break
        return e


def _form(e: sp.Expr) -> Form:
    quotients = Quotients(e)
    return Form(quotients.numerator(e), tuple(quotients.nodes))


def _may_combine(nodes: tuple[sp.Expr, ...]) -> bool:
    """Whether SymPy may write a product of generators as something else: exponentials and powers of one base, roots of
    numbers, absolute values.
    """
    bases: list[sp.Expr] = []
    for node in nodes:
        if isinstance(node, sp.exp):
            bases.append(sp.exp(node.args[0].as_coeff_Mul()[1]))
        elif isinstance(node, sp.Pow) and node.exp == sp.S.Half:
            bases.append(sp.S.One if node.base.is_number else node)
        elif not isinstance(node, sp.Symbol | sp.Indexed | sp.log | sp.Max | sp.Min | sp.Sum | sp.Product):
            return True
    return len(set(bases)) < len(bases)


def _factored(e: sp.Expr) -> tuple[sp.Expr, list[tuple[sp.Expr, int]]]:
    """A constant and irreducible factors with their exponents."""
    if e.has(sp.Function, sp.Sum, sp.Product) or any(not p.exp.is_Integer for p in e.atoms(sp.Pow)):
        # one generator may then be a power of another
        above, under = sp.fraction(sp.cancel(sp.together(e)))
        (constant, factors), (below, denominators) = sp.factor_list(above), sp.factor_list(under)
        return constant / below, [*factors, *((f, -k) for f, k in denominators)]
    quotients = Quotients(e)
    top, others = quotients.quotient(e)
    if not top or not quotients.nodes:
        return e if not quotients.nodes else sp.S.Zero, []
    number, exponents = sp.QQ(1), Counter[Any]()
    for polynomial, power in ((top, 1), *others.items()):
        constant, factors = polynomial.factor_list()
        number *= constant**power
        exponents.update({factor: k * power for factor, k in factors})
    parts = [(factor.as_expr(*quotients.nodes), k) for factor, k in exponents.items() if k]
    return sp.Rational(int(number.numerator), int(number.denominator)), parts


@dataclass(frozen=True)
class Algebra:
    """Proves identities; never refutes."""

    name: str = "algebra"
    engine: str = "SymPy"
    grade: Grade = Grade.symbolic

    def applies(self, obligation: Obligation) -> bool:
        return isinstance(obligation, Identity)

    def check(self, obligation: Obligation) -> Finding:
        assert isinstance(obligation, Identity)
        left, right = obligation.sides
        write = obligation.domain.write
        try:
            difference = write(expanded(left)) - write(expanded(right))
        except ReadingError as reason:
            return Finding.unknown(str(reason))
        if undefined := undefined_on(obligation.domain, (left, right)):
            return undefined
        domain = obligation.domain
        normal_form = remembered(("algebra", domain.key()), lambda: NormalForm(domain))
        rest = normal_form(difference)
        if normal_form.is_zero(rest):
            return Finding(Outcome.holds, artefact="the difference of the two sides has normal form 0")
        return Finding.unknown(f"the difference of the two sides has a normal form of {len(rest.numerator)} terms")
