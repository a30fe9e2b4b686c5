"""What a measurement needs to say about where it was made, and where it is written."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

from grpo_symbolic.ledger import Environment

RESULTS = Path(__file__).parent / "results"


def describe() -> dict[str, Any]:
    """Cores, how busy they are (the load average of the last minute) and versions; no names of hosts or folders."""
    return {"cores": os.cpu_count(), "load": round(os.getloadavg()[0], 1), **Environment.here().versions}


def save(name: str, measured: dict[str, Any]) -> None:
    """Write ``results/NAME.json`` and print what was measured."""
    RESULTS.mkdir(exist_ok=True)
    document = {"machine": describe(), **measured}
    (RESULTS / f"{name}.json").write_text(json.dumps(document, indent=1) + "\n", encoding="utf-8")
    print(f"{name}:", ", ".join(f"{k} = {v}" for k, v in measured.items() if not isinstance(v, list)))
