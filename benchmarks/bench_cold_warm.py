"""``grpo-symbolic verify`` as a whole process, in seconds: with an empty store, after an edit, and unchanged.

*cold*: nothing is known. *recheck*: the evidence is there, the finished ledger is not, as after an edit of a comment;
the claims are registered and every piece of evidence is looked up. *warm*: nothing has changed. *one file*: one result
file checked afresh, and how much longer that takes than its own checking. *edit*: a remark is added to a file whose
checks are known, and it is judged again. *loading*: all claims are registered.

The cold run is also given in units of eight claims looked at by hand (``by_hand.py``), before and after it.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from statistics import median

from machine import save

from grpo_symbolic.ledger import Ledger, Totals

WARM_ROUNDS = 5
HERE = Path(__file__).parent
ONE_FILE = HERE.parent / "derivations" / "vojnovic_yun" / "eq14_binary_pairs.py"
LOADING = """
import time
begun = time.perf_counter()
from grpo_symbolic import catalogue
catalogue.load()
print(time.perf_counter() - begun)
"""


def verify(store: Path, *options: str) -> tuple[float, Totals]:
    """Wall-clock seconds of one run, and its ledger's totals."""
    ledger = store.parent / "ledger.json"
    command = [sys.executable, "-m", "grpo_symbolic", "verify", "--json", str(ledger), *options]
    begun = time.perf_counter()
    subprocess.run(command, env=os.environ | {"GRPO_SYMBOLIC_STORE": str(store)}, stdout=subprocess.DEVNULL)
    taken = time.perf_counter() - begun
    return taken, Ledger.read(ledger).totals


def printed(*arguments: str) -> float:
    """The number that a program prints, in a fresh process."""
    return float(subprocess.run([sys.executable, *arguments], capture_output=True, check=True, text=True).stdout)


def one_file(store: Path) -> tuple[float, float]:
    """Seconds of one result file, and how many of them are not its own checking, which one process does."""
    taken, _ = verify(store, str(ONE_FILE), "--fresh", "--jobs", "1")
    entries = Ledger.read(store.parent / "ledger.json").claims
    checks = [(e.obligation.partition(": ")[2], e.checker, e.seconds) for c in entries for e in c.evidence]
    return taken, taken - sum(seconds for *_, seconds in set(checks))  # claims share obligations


def edited(folder: Path) -> float:
    """Seconds until a file of one's own is judged again after an edit of it; its checks are known."""
    paper = folder / "edited_paper"
    paper.mkdir()
    file = paper / ONE_FILE.name
    text = ONE_FILE.read_text(encoding="utf-8").replace('claim(\n    "vy-', 'claim(\n    "edited-')
    file.write_text(text, encoding="utf-8")
    store = folder / "edits"
    verify(store, str(file))
    file.write_text(text + "# a remark\n", encoding="utf-8")
    return verify(store, str(file))[0]


def main() -> None:
    """One cold run (it is long), one recheck, several warm runs."""
    with tempfile.TemporaryDirectory() as folder:
        store = Path(folder) / "store"
        before = printed(str(HERE / "by_hand.py"))
        cold, totals = verify(store)
        by_hand = (before + printed(str(HERE / "by_hand.py"))) / 2
        shutil.rmtree(store / "ledgers", ignore_errors=True)
        recheck, _ = verify(store)
        warm = [verify(store)[0] for _ in range(WARM_ROUNDS)]
        alone, beyond = one_file(store)
        edit = edited(Path(folder))
        loading = printed("-c", LOADING)
    save(
        "cold_warm",
        {
            "claims": totals.claims,
            "verdicts": dict(totals.verdicts),
            "jobs": min(2, os.cpu_count() or 1),
            "cold_s": round(cold, 2),
            "by_hand_s": round(by_hand, 2),
            "cold_in_by_hand": round(cold / by_hand, 1),
            "one_file_s": round(alone, 2),
            "one_file_beyond_checking_s": round(beyond, 2),
            "edit_s": round(edit, 2),
            "loading_s": round(loading, 2),
            "recheck_s": round(recheck, 2),
            "warm_s": round(median(warm), 3),
            "warm_all_s": [round(w, 3) for w in warm],
        },
    )


if __name__ == "__main__":
    main()
