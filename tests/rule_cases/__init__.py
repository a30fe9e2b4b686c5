"""Controls of every rule, a file for each kind: sentences that rules prove, and false ones beside them."""

from __future__ import annotations

from rule_cases.advantages import ADVANTAGES
from rule_cases.case import Case, False_
from rule_cases.counts import COUNTS
from rule_cases.crossings import CROSSINGS, EVERYWHERE, RATES
from rule_cases.cycles import CYCLES
from rule_cases.flows import FLOWS
from rule_cases.implicit import IMPLICIT
from rule_cases.others import OTHERS
from rule_cases.policies import POLICIES
from rule_cases.programs import PROGRAMS
from rule_cases.sums import CASES as SUMS_AND_RANDOM
from rule_cases.supports import SUPPORTS

__all__ = ["CASES", "SUPPORTS", "Case", "False_"]

CASES = (
    *OTHERS,
    *ADVANTAGES,
    *FLOWS,
    *CROSSINGS,
    *RATES,
    *EVERYWHERE,
    *IMPLICIT,
    *POLICIES,
    *PROGRAMS,
    *COUNTS,
    *CYCLES,
    *SUPPORTS,
    *SUMS_AND_RANDOM,
)
