"""Writes docs/reference/benchmarks.md from the raw results beside it: ``python benchmarks/page.py``.

A test compares the two.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, NamedTuple

RESULTS = Path(__file__).parent / "results"
PAGE = Path(__file__).parent.parent / "docs" / "reference" / "benchmarks.md"


class Figure(NamedTuple):
    """A number of the page: the file of ``results/`` and the dotted path at which it stands there, what is compared
    with what, and what the project wants of it.
    """

    file: str
    path: str
    what: str
    wanted: str = "–"


FIGURES = (
    Figure("import", "ratio", "`import grpo_symbolic`, in units of `import sympy`", wanted="about as cheap"),
    Figure("cold_warm", "cold_s", "`verify` of all claims, empty store, seconds"),
    Figure(
        "cold_warm",
        "cold_in_by_hand",
        "the same, in units of eight claims looked at by hand in SymPy and mpmath",
        wanted="≤ 15",
    ),
    Figure(
        "cold_warm",
        "one_file_beyond_checking_s",
        "`verify` of one result file, seconds beyond its own checking",
        wanted="≤ 2",
    ),
    Figure("cold_warm", "edit_s", "`verify` of one file after an edit, its checks known, seconds", wanted="about 2"),
    Figure("cold_warm", "loading_s", "all claims registered, seconds", wanted="≤ 5"),
    Figure("cold_warm", "warm_s", "`verify` of all claims, finished ledger, seconds", wanted="under 3"),
    Figure(
        "evaluation",
        "map_h.times_lambdify",
        "the map h at 10⁷ points, times faster than SymPy's NumPy `lambdify`",
        wanted="≥ 4",
    ),
    Figure(
        "evaluation",
        "map_h.of_better_by_hand",
        "h: time in units of the better of JAX jit and torch.compile by hand",
        wanted="≤ 1.15",
    ),
    Figure(
        "evaluation",
        "pair_14.times_lambdify",
        "the closed form (14) at 10⁷ points, times faster than `lambdify`",
        wanted="≥ 4",
    ),
    Figure("evaluation", "pair_14.of_better_by_hand", "(14): time in units of the better by hand", wanted="≤ 1.15"),
    Figure(
        "evaluation",
        "with_gmpy2.certified.of_flint_by_hand",
        "balls at 50 digits, in units of a flint loop by hand",
        wanted="≤ 1.2",
    ),
    Figure(
        "evaluation",
        "without_gmpy2.certified.times_mpmath",
        "balls at 50 digits, times faster than mpmath",
        wanted="≥ 7",
    ),
    Figure("evaluation", "with_gmpy2.certified.times_mpmath", "the same where mpmath has gmpy2", wanted="≥ 7"),
    Figure(
        "evaluation",
        "without_gmpy2.certified_set.median",
        "the expressions of `docs/how-to/numeric.md`, median",
        wanted="≥ 7",
    ),
    Figure("evaluation", "with_gmpy2.certified_set.median", "the same where mpmath has gmpy2", wanted="≥ 7"),
    Figure(
        "sweep",
        "numpy_ratio_to_lambdify",
        "a sweep on NumPy, in units of the speed of a `lambdify` loop that draws uniform numbers and counts",
    ),
    Figure("sweep", "jax_ratio_to_lambdify", "the same on JAX"),
    Figure("sweep", "sweep_numpy_per_second", "a sweep on NumPy, instances a second"),
    Figure(
        "policies",
        "least_ratio",
        "10⁵ stationary policies, n = 2…64, times faster than SciPy's root finders (least)",
        wanted="≥ 500",
    ),
    Figure(
        "recursion", "even_numpy_ratio_package", "success limits, p_ref uniform, NumPy, times faster than a loop over h"
    ),
    Figure("recursion", "rare_numpy_ratio_package", "success limits, rare successes, NumPy"),
    Figure("recursion", "rare_jax_ratio_package", "success limits, rare successes, JAX"),
    Figure("recursion", "rare_torch_ratio_package", "success limits, rare successes, PyTorch"),
    Figure(
        "predict",
        "of_64_csv_seconds_a_million",
        "`predict`, a million rows of CSV read and written, rates k/64, seconds",
    ),
    Figure("predict", "different_csv_seconds_a_million", "the same, every rate different"),
    Figure("predict", "different_csv_peak_gib", "`predict`, peak memory in GiB", wanted="under 1"),
    Figure(
        "gpu",
        "expressions.one_kernel.times_numpy",
        "on the GPU, h at 10⁷ points as one kernel, times NumPy on its machine's processors",
    ),
    Figure("gpu", "expressions.one_kernel.share_of_copy", "the same, bytes a second over those of a copy"),
    Figure(
        "gpu",
        "losses.trl.times_torch_on_the_cpu",
        "TRL's loss and gradient of two million tokens, times PyTorch on the processors",
    ),
    Figure("gpu", "policies.64.times_numpy", "10⁵ stationary policies of 64 answers, times NumPy"),
    Figure("gpu", "recursion.times_numpy", "10⁷ success limits, times NumPy"),
)


def value_at(document: dict[str, Any], path: str) -> Any:
    """The value at a dotted path; None where nobody has measured it."""
    for key in path.split("."):
        document = document.get(key, {}) if isinstance(document, dict) else {}
    return document if isinstance(document, int | float) else None


def reliability(runs: dict[str, list[dict[str, Any]]], sources: str) -> list[str]:
    """Whether cold runs of these sources gave the same ledger whatever the machine did meanwhile."""
    made = [r for of in runs.values() for r in of]
    if not made:
        return []
    ledgers = len({r["ledger"] for r in made})
    lines = [
        "",
        f"Cold runs of `verify --frozen` (`python benchmarks/reliability.py`): {len(made)} runs of the sources "
        f"`{sources}`, {ledgers} {'ledger' if ledgers == 1 else 'different ledgers'} but for times.",
        "",
        "| the machine | runs | exit status 0 | seconds, least to most |",
        "| --- | ---: | ---: | ---: |",
    ]
    words = {
        "quiet": "quiet",
        "busy": "five runs at once",
        "slow": "a quarter of one processor",
        "source": "quiet, every result file read anew",
    }
    for condition, of in runs.items():
        if of:
            seconds = [r["seconds"] for r in of]
            fine = sum(r["status"] == 0 for r in of)
            lines.append(f"| {words[condition]} | {len(of)} | {fine} | {min(seconds):.0f} to {max(seconds):.0f} |")
    return lines


def page() -> str:
    """The page: one line a figure, then the machines. What nobody measured is left out."""
    results = {f.stem: json.loads(f.read_text(encoding="utf-8")) for f in sorted(RESULTS.glob("*.json"))}
    lines = [
        "# What was measured",
        "",
        "Generated from `benchmarks/results/` by `python benchmarks/page.py`; `make bench` measures anew. Ratios "
        "are taken",
        "within one run, so that they hold better than seconds; the load says how busy the machine was meanwhile.",
        "",
        "| figure | measured | wanted |",
        "| --- | ---: | --- |",
    ]
    for figure in FIGURES:
        value = value_at(results.get(figure.file, {}), figure.path)
        if value is not None:
            shown = f"{value:,.3g}" if value < 1000 else f"{value:,.0f}"
            lines.append(f"| {figure.what} | {shown} | {figure.wanted} |")
    cold = results.get("reliability", {})
    lines += reliability(cold.get("runs", {}), cold.get("sources", ""))
    lines += ["", "| results | cores | load | system | Python |", "| --- | ---: | ---: | --- | --- |"]
    for name, document in results.items():
        machine, device = document["machine"], document.get("engine", {}).get("device_name")
        system = f"{machine['system']}, {device}" if device else machine["system"]
        lines.append(f"| `{name}.json` | {machine['cores']} | {machine['load']} | {system} | {machine['python']} |")
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
