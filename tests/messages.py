"""Random and mutated messages for the door: each is read to declarations or refused in one sentence, and runs nothing.

``python tests/messages.py 100000`` tries as many, or as many as it is told.
"""

from __future__ import annotations

import json
import random
import sys
from collections import Counter
from collections.abc import Iterator
from typing import Any

from grpo_symbolic.door import kinds, nodes
from grpo_symbolic.door.message import read, written
from grpo_symbolic.errors import BadInput
from grpo_symbolic.proof import Claim

NAMES = [*kinds.KINDS, *nodes.NODES, *kinds.WORDS, *nodes.ASSUMED, *nodes.SINGLE]
NAMES += [
    "str",
    "int",
    "Fraction",
    "None",
    "True",
    "tuple",
    "list",
    "dict",
    "Domain",
    "number",
    "symbol",
    "family",
    "the",
]
HOSTILE = ["exec", "os.system", "__reduce__", "eval", "builtins.exec", "Statement", "__import__('os')", "λ", "\x00", ""]
HOSTILE += ["1e9", "9" * 5000, "-", "1/0", "{0.__class__}", "x" * 200_000]


def mutated(message: str, chance: random.Random) -> str:
    """A message with a few of its rows or characters changed."""
    if chance.random() < 0.2:
        at = chance.randrange(len(message))
        return message[:at] + chance.choice(["", '"', "[", "]", "0", "-", "e9", "NaN", "[[[["]) + message[at + 1 :]
    rows: list[list[Any]] = json.loads(message)
    for _ in range(chance.randint(1, 3)):
        row = chance.choice(rows) if rows else []
        match chance.randrange(6):
            case 0 if row:
                row[0] = chance.choice([*NAMES, *HOSTILE])
            case 1 if len(row) > 1:
                row[chance.randrange(1, len(row))] = value(len(rows), chance)
            case 2:
                row.insert(chance.randint(0, len(row)), value(len(rows), chance))
            case 3 if row:
                row.pop(chance.randrange(len(row)))
            case 4 if rows:
                rows.pop(chance.randrange(len(rows)))
            case 5:
                rows.insert(chance.randint(0, len(rows)), chosen(len(rows), chance))
    return json.dumps(rows)


def value(rows: int, chance: random.Random) -> Any:
    """What may stand in a row, or not."""
    odd = [True, None, 0.5, [], {}, -1, 10**30, chance.choice(HOSTILE)]
    return chance.choice([chance.randrange(max(rows, 1)), chance.randrange(max(rows, 1)), chance.choice(odd)])


def chosen(rows: int, chance: random.Random) -> list[Any]:
    """A row at random."""
    return [chance.choice([*NAMES, *HOSTILE]), *(value(rows, chance) for _ in range(chance.randrange(4)))]


def messages(claims: list[Claim], number: int, seed: int = 1) -> Iterator[str]:
    """Mutants of these claims' messages, and, one in four, rows at random."""
    chance, whole = random.Random(seed), [written(claim) for claim in claims]
    for _ in range(number):
        if chance.random() < 0.25:
            yield json.dumps([chosen(row, chance) for row in range(chance.randint(0, 8))])
        else:
            yield mutated(chance.choice(whole), chance)


def outcome(message: str) -> str:
    """``read``, or ``refused``; anything else is raised."""
    try:
        read(message)
    except BadInput:
        return "refused"
    return "read"


def main(number: int) -> None:
    from grpo_symbolic import catalogue

    ids = ("vy-eq14", "vy-s21-PG-bound", "mr-assump1-telescopes", "pt-entropy-deterministic", "vy-s21-lln-std")
    claims = [catalogue.find(id) for id in ids]
    for kind in kinds.KINDS.values():
        kinds.types_of(kind)  # annotations are texts too, of the package's own
    events: Counter[str] = Counter()
    sys.addaudithook(lambda event, _: events.update([event] if event in RUNNING else []))
    found = Counter(map(outcome, messages(claims, number)))
    assert not events, f"a message ran something: {dict(events)}"
    print(f"{number} messages: {found['read']} read, {found['refused']} refused, none ran anything")


RUNNING = ("exec", "compile", "import", "open", "os.system", "subprocess.Popen", "pickle.find_class", "marshal.loads")

if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 100_000)
