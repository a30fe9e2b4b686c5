"""Identities, by a normal form that decides.

The difference of the two sides is brought to a quotient of polynomials in *generators*: symbols, entries of families,
sums over an index in linear normal form, square roots of irreducible factors, logarithms of irreducible factors, and
exponentials of terms. Splitting a root, a logarithm, an absolute value or a sign needs the sign of its argument on
the domain, which Z3 must prove. Powers of a root are reduced by ``s² = q``. If nothing is left, the identity is
proved, provided that Z3 shows both sides to be defined on the whole domain; otherwise this checker says nothing
(sampling looks for a counter-example).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import sympy as sp

from grpo_symbolic.errors import ReadingError
from grpo_symbolic.proof.decision import proves
from grpo_symbolic.proof.domain import Domain
from grpo_symbolic.proof.evidence import Finding, Grade, Outcome
from grpo_symbolic.proof.forms import undefined_on
from grpo_symbolic.proof.obligation import Identity, Obligation
from grpo_symbolic.proof.sums import normalise_sums
from grpo_symbolic.proof.terms.derivatives import expanded


class NormalForm:
    """The normal form of expressions on one domain."""

    def __init__(self, domain: Domain) -> None:
        self.domain = domain
        self._signs: dict[sp.Expr, int | None] = {}

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

    def __call__(self, e: sp.Expr) -> sp.Expr:
        """An expression equal to ``e`` on the domain, zero if the two sides of an identity cancel by the rules of
        this module.
        """
        return self._reduced(self._elementary(normalise_sums(e, self.domain, self._summand)))

    def vanishes(self, e: sp.Expr) -> bool:
        """Whether ``e`` is zero on the domain, logarithms being compared by their arguments if nothing else is left."""
        return self.is_zero(self(e))

    def is_zero(self, rest: sp.Expr) -> bool:
        """Whether a normal form is zero."""
        return rest == 0 or self._is_log_of_one(rest)

    def _summand(self, body: sp.Expr) -> sp.Expr:
        body = self._elementary(body)
        return sp.expand(body if body.has(sp.log, sp.exp, sp.Sum) else sp.cancel(body))

    def _is_log_of_one(self, rest: sp.Expr) -> bool:
        """``Σ k_i log f_i = 0`` for whole ``k_i``, up to a common factor, if ``Π f_i^{k_i} = 1``."""
        logs = sorted(rest.atoms(sp.log), key=str)
        if not logs or rest.has(sp.Sum):
            return False
        names = [sp.Dummy() for _ in logs]
        polynomial = sp.Poly(rest.xreplace(dict(zip(logs, names, strict=True))), *names)
        if not polynomial.is_homogeneous or polynomial.total_degree() != 1:
            return False
        weights = [polynomial.coeff_monomial(name) for name in names]
        shares = [sp.cancel(w / weights[0]) for w in weights]
        if not all(share.is_Integer for share in shares):
            return False
        product = sp.Mul(*(log.args[0] ** share for log, share in zip(logs, shares, strict=True)))
        return self(product - 1) == 0

    def _elementary(self, e: sp.Expr) -> sp.Expr:
        """Bottom-up: split roots, logarithms, exponentials, absolute values and signs into generators."""
        if e.is_Atom or isinstance(e, sp.Indexed | sp.Sum | sp.Product):
            return e  # what the domain says of a symbol is not about an index of the same name
        if isinstance(e, sp.functions.elementary.hyperbolic.HyperbolicFunction):
            return self._elementary(e.rewrite(sp.exp))
        e = e.func(*(self._elementary(a) for a in e.args))
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
        above, under = sp.fraction(sp.cancel(sp.together(e)))
        (constant, factors), (below, denominators) = sp.factor_list(above), sp.factor_list(under)
        overall, parts = constant / below, [*factors, *((f, -k) for f, k in denominators)]
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
        found = self._factors(e)
        if found is None:
            return sp.log(e)
        constant, factors = found
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
        found = self._factors(e, under_root=True)
        if found is None:
            content, primitive = sp.expand(e).as_content_primitive()
            return sp.sqrt(content) * sp.sqrt(primitive)
        constant, factors = found
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
        return e.func(*best)

    def _piecewise(self, e: sp.Piecewise) -> sp.Expr:
        for value, condition in e.args:
            if condition == sp.true or proves(condition, self.domain):
                return value
            if not proves(sp.Not(condition), self.domain):
                break
        return e

    def _reduced(self, e: sp.Expr) -> sp.Expr:
        """Replace every non-rational part by a generator, cancel, and reduce powers of roots."""
        generators: dict[sp.Expr, sp.Dummy] = {}
        roots: list[tuple[sp.Dummy, sp.Expr]] = []

        def generator(node: sp.Expr) -> sp.Expr:
            if node not in generators:
                generators[node] = sp.Dummy()
                if isinstance(node, sp.Pow) and node.exp == sp.S.Half:  # of no other power is the square known
                    roots.append((generators[node], rationalise(node.base)))
            return generators[node]

        def rationalise(node: sp.Expr) -> sp.Expr:
            if isinstance(node, sp.Add | sp.Mul):
                return node.func(*(rationalise(a) for a in node.args))
            if isinstance(node, sp.Pow) and node.exp.is_Integer:
                return rationalise(node.base) ** node.exp
            if isinstance(node, sp.Pow) and node.exp.is_Rational and node.exp.q == 2:
                return generator(sp.sqrt(node.base)) ** node.exp.p
            return node if node.is_Symbol or node.is_Rational else generator(node)

        numerator = sp.expand(sp.numer(sp.together(rationalise(e))))
        for root, square in reversed(roots):
            if numerator.has(root):
                numerator = _reduce_powers(numerator, root, square)
        return numerator.xreplace({d: node for node, d in generators.items()})


@lru_cache(maxsize=64)
def _form_on(domain: Domain) -> NormalForm:
    return NormalForm(domain)


def _reduce_powers(numerator: sp.Expr, root: sp.Dummy, square: sp.Expr) -> sp.Expr:
    """``numerator`` modulo ``root² = square``, cleared of the denominators of ``square``."""
    result = sp.S.Zero
    for (power,), coefficient in sp.Poly(numerator, root).terms():
        result += coefficient * square ** (power // 2) * root ** (power % 2)
    return sp.expand(sp.numer(sp.together(result)))


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
        undefined = undefined_on(obligation.domain, (left, right))
        if undefined:
            return Finding.unknown(f"not shown to be defined on the whole domain\n{undefined}")
        normal_form = _form_on(obligation.domain)
        rest = normal_form(difference)
        if normal_form.is_zero(rest):
            return Finding(Outcome.holds, artefact="the difference of the two sides has normal form 0")
        return Finding.unknown(f"normal form of the difference: {rest}")
