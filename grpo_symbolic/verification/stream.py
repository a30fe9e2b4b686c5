"""Verdicts as they come: a claim is judged when its last evidence is there and all that it depends on is judged."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence

from grpo_symbolic.verification.records import Checkable


class Stream:
    """Hears of obligations that are decided, by key, and calls ``judge`` with each claim whose turn has come, after
    those that it depends on. Where ``judge`` returns false, the claim and what rests on it wait for the end of the run.
    """

    def __init__(self, claims: Sequence[Checkable], judge: Callable[[Checkable], bool]) -> None:
        self._judge = judge
        self._of_key: dict[str, list[Checkable]] = defaultdict(list)
        self._users: dict[str, list[Checkable]] = defaultdict(list)
        self._open: dict[str, int] = {}
        for c in claims:
            keys = {o.key() for _, o in c.obligations()}
            needed = set(c.depends_on)
            self._open[c.id] = len(keys) + len(needed)
            for key in keys:
                self._of_key[key].append(c)
            for claim_id in needed:
                self._users[claim_id].append(c)
        for c in [c for c in claims if not self._open[c.id]]:
            self._turn(c)

    def decided(self, key: str) -> None:
        """An obligation has its evidence."""
        self._advance(self._of_key.pop(key, []))

    def _advance(self, claims: Sequence[Checkable]) -> None:
        for c in claims:
            self._open[c.id] -= 1
            if not self._open[c.id]:
                self._turn(c)

    def _turn(self, claim: Checkable) -> None:
        if self._judge(claim):
            self._advance(self._users[claim.id])
