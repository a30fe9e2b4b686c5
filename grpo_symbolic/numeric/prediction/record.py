"""A prediction as plain data, for ``grpo-symbolic predict --json``: each number with what it assumes."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from grpo_symbolic.numeric.prediction.calibration import Calibration
from grpo_symbolic.numeric.prediction.predict import Prediction
from grpo_symbolic.numeric.prediction.runs import Kind, Off, kind_of, off
from grpo_symbolic.numeric.prediction.training import Settings
from grpo_symbolic.numeric.prediction.words import (
    BOUND,
    NO_BOUND,
    NO_TIME,
    after_assumes,
    assumes,
    bounded,
    end_assumes,
)


def record(of: Prediction, assumed: Sequence[str] = ()) -> dict[str, Any]:
    """The counts, each number with what it ``assumes`` and how far runs were off, the clock, and the rows that are bad;
    ``assumed``: what else all numbers assume. A number that there is not is ``None``.
    """
    training = of.settings
    every = [*assumes(training), *assumed]
    known = None if training.best_responses else off(kind_of(training))
    after = training.steps is not None
    bound = bounded(training, of.flags["multiple"])
    return {
        "training": _training(training),
        "rows": {"read": of.rows, "predicted": of.predicted, "bad": of.bad_rows, "settled": of.settled, **of.flags},
        "before": _number(of.mean_before),
        "end": {
            "value": _number(of.mean_after),
            "assumes": [*every, *end_assumes(training)],
            "runs_were_off": _off(known),
        },
        "after": {
            "value": _number(of.mean_reached) if after else None,
            "steps": training.steps,
            "learning_rate": training.learning_rate,
            "assumes": [*every, *after_assumes(training, of.calibration)],
            "runs_were_off": _off(known),
        },
        "time": {
            "value": of.slowest if of.sure else None,
            "rows": of.sure,
            "assumes": [*every, *after_assumes(training)],
        },
        "clock": None if of.calibration is None else _clock(of.calibration),
        "shared_parameters": {
            "bound": bound,
            "says": [BOUND if bound else NO_BOUND, NO_TIME],
            "runs_were_off": [_off(off(kind)) for kind in (Kind.SHARED, Kind.TRAINER)],
        },
        "histogram": {"measured": of.before.tolist(), "predicted": of.after.tolist()},
        "bad": [{"line": line, "reason": reason} for line, reason in of.bad],
    }


def _training(of: Settings) -> dict[str, Any]:
    right, wrong = of.lengths
    return {
        "beta": of.beta,
        "group_size": "oo" if math.isinf(of.size) else of.size,
        "divided_by": of.deviation,
        "penalty": None if of.beta == 0 else str(of.penalty),
        "decisions": of.deciding,
        "right_length": right,
        "wrong_length": wrong,
        "aggregation": of.over.value,
        "updates": of.updates,
        "dynamic_sampling": of.dynamic_sampling,
        "best_responses": of.best_responses,
    }


def _clock(of: Calibration) -> dict[str, Any]:
    return {
        "rate": of.rate,
        "fitted_on": of.first,
        "standard_error_of_log": of.error,
        "residual": of.residual,
        "rows_after": len(of.steps),
        "off_after": _number(of.off),
    }


def _off(known: Off | None) -> dict[str, Any] | None:
    if known is None:
        return None
    return {"kind": known.kind.value, "runs": known.runs, "median": known.median, "worst": known.worst}


def _number(value: float) -> float | None:
    return None if math.isnan(value) else value


__all__ = ["record"]
