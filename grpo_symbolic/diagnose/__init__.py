"""The log of a run beside what its options imply: what they explain, what they do not, and what nobody knows.

>>> from grpo_symbolic import trainers
>>> from grpo_symbolic.diagnose import diagnose
>>> options = trainers.read("trl==1.16.0", {"num_generations": 8, "loss_type": "grpo"})
>>> rows = [{"step": k, "loss": -2 * k / 100, "reward": k / 100} for k in range(1, 31)]
>>> diagnose(rows, options, binary=True).odd[0].faults[0]
<Fault.BASELINE: 'no baseline: rewards are not centred'>

Names of columns are those of TRL, unsloth, ms-swift, verl, OpenRLHF, NeMo-RL and slime (:mod:`.names`); each
expectation is a function with the claims that it rests on (:mod:`.expectations`).
"""

from __future__ import annotations

from grpo_symbolic.called import call_like
from grpo_symbolic.diagnose.diagnosis import Diagnosis, Unasked, diagnose
from grpo_symbolic.diagnose.findings import Band, Fault, Finding, Kind, Surety
from grpo_symbolic.diagnose.names import Quantity
from grpo_symbolic.diagnose.page import page
from grpo_symbolic.diagnose.record import Record, read_log, record_of
from grpo_symbolic.diagnose.run import Run
from grpo_symbolic.diagnose.watching import Watch, watch

__all__ = [
    "Band",
    "Diagnosis",
    "Fault",
    "Finding",
    "Kind",
    "Quantity",
    "Record",
    "Run",
    "Surety",
    "Unasked",
    "Watch",
    "diagnose",
    "page",
    "read_log",
    "record_of",
    "watch",
]


def __dir__() -> list[str]:
    return list(__all__)


call_like(__name__, f"{__name__}.diagnosis", "diagnose")
