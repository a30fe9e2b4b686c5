"""Sums over two numbers: over pairs that mirror each other, in the other order, and as sums over one list."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import sympy as sp

from grpo_symbolic.errors import ClaimError
from grpo_symbolic.proof.rules.matching import Schematic
from grpo_symbolic.proof.rules.schema import Needs, Schema, a, b, c, e, f, i, j, k, m, n, o, w
from grpo_symbolic.proof.statements.statement import Equal
from grpo_symbolic.scalars import Scalar

_PAIRS = sp.Sum(w(i, j), (j, 1, n), (i, 1, n))
_OF_TWO_LISTS = sp.Sum(w(e, i), (i, 1, n), (e, 1, m))
_LISTED = sp.Sum(f(j), (j, 1, o))


@dataclass(frozen=True, eq=False)
class Antisymmetric(Schematic["Equal"]):
    """Both sides differ by a sum over all pairs of numbers, of which any two that mirror each other add up to zero: so
    they are equal.

    ``total`` is that sum (``sympy.Sum`` over two indices with one range, from 1 on).
    """

    total: sp.Expr
    schemas = (
        Schema(
            "Pairs.sum_over_pairs_of_an_antisymmetric_matrix",
            Equal(a, b),
            (
                Needs(Equal(a - b, _PAIRS), label="a sum over pairs"),
                Needs(Equal(w(i, j) + w(j, i), 0), label="a pair and its mirror image"),
            ),
            given={"total": _PAIRS},
            proof="intros; apply (@{theorem} n (fun i j => w (S i) (S j))); numbered",
        ),
    )


@dataclass(frozen=True, eq=False)
class Exchanged(Schematic["Equal"]):
    """A sum of sums may be taken in the other order: the left side, with a factor, runs over two indices, neither of
    which bounds the other.
    """

    schemas = (
        Schema(
            "Steps.sums_may_be_exchanged",
            Equal(a, b),
            (
                Needs(Equal(a, c * _OF_TWO_LISTS), label="a sum of sums"),
                Needs(Equal(c * sp.Sum(w(e, i), (e, 1, m), (i, 1, n)), b), label="in the other order"),
            ),
            given={"total": _OF_TWO_LISTS, "factor": c},
            proof="intros; subst; apply (@{theorem} m n (fun e i => w (S e) (S i)) c); reflexivity",
        ),
    )

    def proposed(self, conclusion: Equal) -> Mapping[str, Any]:
        factor, total = with_factor(conclusion.left)
        return {"total": total, "factor": factor}


@dataclass(frozen=True, eq=False)
class OneList(Schematic["Equal"]):
    """A sum over groups, and over the members of each, is the sum over all members in one list, in which member g of
    group q has the number (q − 1)G + g.

    Both sides of the equation are a sum with a factor: the left one over groups of one size, the right one over the
    list.
    """

    schemas = (
        Schema(
            "Steps.groups_in_one_list",
            Equal(a, b),
            (
                Needs(Equal(a, c * _OF_TWO_LISTS), label="a sum over groups"),
                Needs(Equal(b, k * _LISTED), label="a sum over a list"),
                Needs(Equal(o, m * n), label="how many there are"),
                Needs(Equal(c * w(e, i), k * f((e - 1) * n + i)), label="one member"),
            ),
            given={"total": _OF_TWO_LISTS, "factor": c, "listed": _LISTED, "beside": k},
            proof="intros; in_one_list m n; apply (@{theorem} m n); intros y z ? ?; "
            "rewrite (H4 (S z) ltac:(lia) (S y) ltac:(lia)); do 2 f_equal; nia",
        ),
    )

    def proposed(self, conclusion: Equal) -> Mapping[str, Any]:
        (factor, total), (beside, listed) = map(with_factor, (conclusion.left, conclusion.right))
        return {"total": total, "factor": factor, "listed": listed, "beside": beside}


def with_factor(side: Scalar) -> tuple[sp.Expr, sp.Expr]:
    """A sum and its factor. Raises :class:`ClaimError` for anything else."""
    parts = sp.Mul.make_args(sp.sympify(side))
    sums = [part for part in parts if isinstance(part, sp.Sum)]
    if len(sums) != 1:
        raise ClaimError(f"{side} is no sum with a factor")
    return sp.Mul(*(part for part in parts if part not in sums)), sums[0]
