"""Writes docs/reference/benchmarks.md from the raw results beside it: ``python benchmarks/page.py``.

A test compares the two.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

RESULTS = Path(__file__).parent / "results"
PAGE = Path(__file__).parent.parent / "docs" / "reference" / "benchmarks.md"

# What is compared with what, where the raw result stands, and what the project wants of it.
FIGURES: tuple[tuple[str, str, str, str], ...] = (
    ("import", "ratio", "`import grpo_symbolic`, in units of `import sympy`", "about as cheap"),
    ("cold_warm", "cold_s", "`verify` of all claims, empty store, seconds", "–"),
    (
        "cold_warm",
        "cold_in_by_hand",
        "the same, in units of eight claims looked at by hand in SymPy and mpmath",
        "≤ 15",
    ),
    ("cold_warm", "one_file_beyond_checking_s", "`verify` of one result file, seconds beyond its own checking", "≤ 2"),
    ("cold_warm", "edit_s", "`verify` of one file after an edit, its checks known, seconds", "about 2"),
    ("cold_warm", "loading_s", "all claims registered, seconds", "≤ 5"),
    ("cold_warm", "warm_s", "`verify` of all claims, finished ledger, seconds", "under 3"),
    (
        "evaluation",
        "map_h.times_lambdify",
        "the map h at 10⁷ points, times faster than SymPy's NumPy `lambdify`",
        "≥ 4",
    ),
    (
        "evaluation",
        "map_h.of_better_by_hand",
        "h: time in units of the better of JAX jit and torch.compile by hand",
        "≤ 1.15",
    ),
    ("evaluation", "pair_14.times_lambdify", "the closed form (14) at 10⁷ points, times faster than `lambdify`", "≥ 4"),
    ("evaluation", "pair_14.of_better_by_hand", "(14): time in units of the better by hand", "≤ 1.15"),
    (
        "evaluation",
        "with_gmpy2.certified.of_flint_by_hand",
        "balls at 50 digits, in units of a flint loop by hand",
        "≤ 1.2",
    ),
    ("evaluation", "without_gmpy2.certified.times_mpmath", "balls at 50 digits, times faster than mpmath", "≥ 7"),
    ("evaluation", "with_gmpy2.certified.times_mpmath", "the same where mpmath has gmpy2", "≥ 7"),
    ("evaluation", "without_gmpy2.certified_set.median", "the expressions of `docs/how-to/numeric.md`, median", "≥ 7"),
    ("evaluation", "with_gmpy2.certified_set.median", "the same where mpmath has gmpy2", "≥ 7"),
    (
        "sweep",
        "numpy_ratio_to_lambdify",
        "a sweep on NumPy, in units of the speed of a `lambdify` loop that draws uniform numbers and counts",
        "–",
    ),
    ("sweep", "jax_ratio_to_lambdify", "the same on JAX", "–"),
    ("sweep", "sweep_numpy_per_second", "a sweep on NumPy, instances a second", "–"),
    (
        "policies",
        "least_ratio",
        "10⁵ stationary policies, n = 2…64, times faster than SciPy's root finders (least)",
        "≥ 500",
    ),
    (
        "recursion",
        "even_numpy_ratio_package",
        "success limits, p_ref uniform, NumPy, times faster than a loop over h",
        "–",
    ),
    ("recursion", "rare_numpy_ratio_package", "success limits, rare successes, NumPy", "–"),
    ("recursion", "rare_jax_ratio_package", "success limits, rare successes, JAX", "–"),
    ("recursion", "rare_torch_ratio_package", "success limits, rare successes, PyTorch", "–"),
    (
        "predict",
        "of_64_csv_seconds_a_million",
        "`predict`, a million rows of CSV read and written, rates k/64, seconds",
        "–",
    ),
    ("predict", "different_csv_seconds_a_million", "the same, every rate different", "–"),
    ("predict", "different_csv_peak_gib", "`predict`, peak memory in GiB", "under 1"),
    (
        "gpu",
        "expressions.one_kernel.times_numpy",
        "on the GPU, h at 10⁷ points as one kernel, times NumPy on its machine's processors",
        "–",
    ),
    ("gpu", "expressions.one_kernel.share_of_copy", "the same, bytes a second over those of a copy", "–"),
    (
        "gpu",
        "losses.trl.times_torch_on_the_cpu",
        "TRL's loss and gradient of two million tokens, times PyTorch on the processors",
        "–",
    ),
    ("gpu", "policies.64.times_numpy", "10⁵ stationary policies of 64 answers, times NumPy", "–"),
    ("gpu", "recursion.times_numpy", "10⁷ success limits, times NumPy", "–"),
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
    for name, path, what, wanted in FIGURES:
        value = value_at(results.get(name, {}), path)
        if value is not None:
            lines.append(
                f"| {what} | {value:,.3g} | {wanted} |" if value < 1000 else f"| {what} | {value:,.0f} | {wanted} |"
            )
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
