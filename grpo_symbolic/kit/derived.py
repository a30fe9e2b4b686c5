"""A file of claims on the stationary policies of a point, to go on from: the equation, derived step by step from the
objective, and what each closed form has to satisfy.
"""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import sympy as sp

from grpo_symbolic.errors import BadInput
from grpo_symbolic.notation import NOTATION, beta, p, x
from grpo_symbolic.objectives.own import FormulaAdvantage, FormulaPenalty
from grpo_symbolic.theory import derive
from grpo_symbolic.theory.interface import Theory
from grpo_symbolic.theory.point import DIVERGENCES

_FILE = '''"""What training settles on with {title}.

Statement.   Two answers with rewards 1 and 0, {size}: the policy that succeeds with probability x is stationary if
             {equation} = 0.
Source.      Derived from the objective by grpo_symbolic, nothing of it printed.
Domain.      0 < p < 1, 0 < x < 1, beta > 0.
Derivation.  objective → its slope, π_old held fixed → π_old = π → one form{solved}.
Caveat.      Nothing is said of a maximum, nor of policies with x = 0 or 1.
"""

from sympy import {functions}

from grpo_symbolic.notation import {letters}
from grpo_symbolic.proof import Always, Derivation, Domain, Equal, Result
from grpo_symbolic.theory.interface import theory

claim = Result(__file__).claim
domain = Domain({domain})
parameters = Domain({parameters})

point = theory({parts})
d = Derivation("{name}-equation", domain.also(0 < y, y < 1))
J = d.start(point.objective)
dJ = d.differentiate(J, x, "the old policy is held fixed")
F = d.restrict(dJ, {{y: x, z: x}}, "now the old policy is the policy")
slope = {gradient}

claim(
    "{name}-equation",
    Equal(F, slope),
    domain,
    by=d,
    locator="derived",
    title="The slope that a stationary policy makes zero",
)
{forms}'''
_FORM = """
root{number} = {policy}
where{number} = parameters{where}

claim(
    "{name}-root{number}",
    Equal(slope.subs(x, root{number}), 0),
    where{number},
    depends_on=("{name}-equation",),
    locator="derived",
    title="The closed form is a root",
)
claim(
    "{name}-inside{number}",
    Always((0 < root{number}) & (root{number} < 1)),
    where{number},
    locator="derived",
    title="The closed form is a probability",
)
"""


def claims_on(of: Theory, name: str) -> str:
    """A result file whose claims are called ``name-…``, which ``grpo-symbolic verify`` checks.

    Raises :class:`BadInput` for a point that a file cannot name by formulas, and for a penalty with bars, whose slope
    jumps: its two sides are two domains.
    """
    point = of.point
    if not re.fullmatch(r"[a-z][a-z0-9]*(-[a-z0-9]+)*", name):
        raise BadInput(f"{name!r} is no name for claims: expected small letters, digits and single dashes")
    general = replace(point, beta=point.beta if point.beta == 0 else beta)
    slope = derive.gradient(general)
    if slope.has(sp.sign, sp.Abs, sp.Piecewise):
        raise BadInput("the slope of this penalty jumps: claims need a domain for each side, which no file here writes")
    forms = derive.closed_forms(general) or ()
    blocks = [
        _FORM.format(
            name=name,
            number=k if len(forms) > 1 else "",
            policy=_source(form.policy),
            where="" if form.where == sp.true else f".also({_conditions(form.where)})",
        )
        for k, form in enumerate(forms, start=1)
    ]
    body = _source(slope) + "".join(blocks)
    used = sorted({"x", "y", "z", "p", "beta"} | {str(s) for s in slope.free_symbols})
    functions = [f for f in ("S", "exp", "log", "sqrt") if re.search(rf"\b{f}\(", body)]
    bounds = [_bound(s) for s in sorted(slope.free_symbols - {x, p, beta}, key=str)]
    parameters = ", ".join(["0 < p", "p < 1", "beta > 0", *bounds])
    return _FILE.format(
        title=re.split(", (?:any )?β", str(point))[0],
        size="large groups" if point.group_size == sp.oo else f"groups of {point.group_size}",
        equation=str(slope) if len(str(slope)) < 90 else "its slope, below,",
        solved=" → its roots" if forms else "",
        functions=", ".join(functions) or "S",
        letters=", ".join(used),
        domain=f"{parameters}, 0 < x, x < 1",
        parameters=parameters,
        parts=", ".join(_parts(of)),
        name=name,
        gradient=_source(slope),
        forms="".join(blocks),
    )


def name_of_claims(file: Path) -> str:
    """What claims in a file are called: after it. Raises :class:`BadInput` for one that is no Python module."""
    if file.suffix != ".py" or not re.fullmatch(r"[a-z][a-z0-9_]*", file.stem):
        raise BadInput(f"{file} is no name for a file of claims: expected small letters and _ before .py")
    return re.sub("_+", "-", file.stem.strip("_"))


def _source(e: sp.Basic) -> str:
    return str(sp.sstr(e, sympy_integers=True))


def _conditions(where: sp.Basic) -> str:
    return ", ".join(_source(c) for c in (where.args if isinstance(where, sp.And) else (where,)))


def _bound(symbol: sp.Symbol) -> str:
    if not NOTATION[str(symbol)].domain.startswith("(0"):
        raise BadInput(f"claims need to know which values {symbol} has: write a number for it")
    return f"{symbol} > 0"


def _parts(of: Theory) -> list[str]:
    """The arguments of ``theory`` that make the point."""
    point, parts = of.point, []
    if isinstance(point.divergence, FormulaPenalty):
        parts.append(f"divergence={point.divergence.name!r}")
    elif point.penalty in DIVERGENCES:
        parts.append(f"divergence={str(point.penalty)!r}")
    else:
        raise BadInput("a file of claims names the penalty by a formula: give one as text")
    if isinstance(point.advantage, FormulaAdvantage):
        parts.append(f"advantage={point.advantage.name!r}")
    elif point.normaliser == "std":
        parts.append("normaliser='std'")
    else:
        raise BadInput("a file of claims names the advantage by a formula: give one as text")
    return [*parts, "group_size='oo'" if point.group_size == sp.oo else f"group_size={point.group_size}"]
