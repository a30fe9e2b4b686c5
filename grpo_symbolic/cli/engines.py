"""Commands that ask more of a claim than verify does: sweep and kernel."""

from __future__ import annotations

from typing import Annotated

import typer
from rich.console import Console

from grpo_symbolic import session as sessions
from grpo_symbolic.cli.common import ClaimId, Paths, app, asked_for, writable, write
from grpo_symbolic.cli.pages.meter import Meter
from grpo_symbolic.libraries import LIBRARIES
from grpo_symbolic.session import Session


@app.command()
def sweep(
    claim_id: ClaimId,
    paths: Paths = None,
    backend: Annotated[str, typer.Option("--backend", help=", ".join(LIBRARIES))] = "numpy",
    device: Annotated[str | None, typer.Option("--device", help="cpu, cuda, cuda:1 …; cpu when left out.")] = None,
    samples: Annotated[float, typer.Option("--samples", help="Instances for each obligation, such as 1e9.")] = 1e6,
    seed: Annotated[int, typer.Option("--seed", help="The same seed gives the same instances.")] = 0,
    dtype: Annotated[str, typer.Option("--dtype", help="float64 or float32.")] = "float64",
    chunk: Annotated[int, typer.Option("--chunk", help="Instances evaluated at once.")] = 1 << 18,
    json_file: Annotated[
        str | None,
        typer.Option("--json", metavar="FILE", help="Write what was found to FILE, or to standard output for -."),
    ] = None,
) -> None:
    """Evaluate a claim at very many instances of its domain, and let ball arithmetic judge the worst ones."""
    target = writable(json_file)
    session = Session(paths or [])
    claim_id = session.index.spelled(claim_id)
    session.check_ids([claim_id])
    from grpo_symbolic.cli.pages.sweep import PHASES, show_sweep
    from grpo_symbolic.numeric.sweeps import sweep as run

    chosen = session.claim(claim_id)
    with Meter(Console(stderr=True), PHASES) as meter:
        swept = run(chosen, samples, backend, device, seed, dtype, chunk=chunk, progress=meter)
    show_sweep(Console(stderr=True) if json_file == "-" else Console(), swept)
    if json_file is not None:
        write(target, swept.to_json())
    raise typer.Exit(1 if swept.refuted else 0)


@app.command()
def kernel(
    paths: Paths = None,
    ids: Annotated[list[str] | None, typer.Option("--id", help="Only this claim; can be repeated.")] = None,
    part: Annotated[
        str | None, typer.Option("--part", metavar="K/N", help="Only the K-th of N parts of the claims.")
    ] = None,
    everything: Annotated[bool, typer.Option("--all", help="Every claim, not only those known to pass.")] = False,
    jobs: Annotated[int, typer.Option("--jobs", min=1, help="Worker processes.")] = sessions.default_jobs(),
    fresh: Annotated[bool, typer.Option("--fresh", help="Use nothing that an earlier run has found.")] = False,
    mutate: Annotated[bool, typer.Option("--mutate", help="Coq must refuse changed claims as well.")] = False,
) -> None:
    """Let Coq's kernel check the claims that have a proof for it; its proofs go into the ledger."""
    session = Session(paths or [])
    session.check_ids(ids or [])
    asked = asked_for(session, ids, part)
    from grpo_symbolic.cli.pages.kernel import show_controls, show_kernel, show_theorems
    from grpo_symbolic.verification import theorems
    from grpo_symbolic.verification.kernel import expected, run

    known = expected()
    beside = theorems.development().scripts
    among = session.select() if asked is None else asked
    chosen = [i for i in among if ids or everything or i in known or i in beside]
    claims = session.enough_for(chosen).claims
    with Meter(Console(stderr=True)) as meter:
        obliged = [claims[i] for i in chosen if ids or everything or i in known]
        results = run(obliged, session.store, jobs, fresh, meter, session.paths, session.library)
        derived = theorems.run([claims[i] for i in chosen], session.store, jobs, fresh, meter, session.library)
        session.update(chosen, jobs, meter)
    whole = {i for i in chosen if not (claims[i].rules or claims[i].lemmas)}
    lost = show_kernel(Console(), results, known, whole) + show_theorems(Console(), derived)
    wrong = False
    if mutate:
        from grpo_symbolic.verification.kernel_controls import controls

        passed = [claims[r.id] for r in results if r.accepted]
        with Meter(Console(stderr=True)) as meter:
            controlled = controls(passed, jobs, paths=session.paths, progress=meter, library=session.library)
            wrong = show_controls(Console(), controlled)
    raise typer.Exit(1 if lost or wrong else 0)
