"""The command line ``grpo-symbolic``: verify, list, show, errata, sweep, predict, theory, trainer and export.

Exit status 0 when every claim has the verdict that its file expects; 1 when one has not, engines contradict each other,
a mutant survives or a sweep refutes a claim; 2 for bad input; 130 after Ctrl-C; 70 for an error of the program itself.
"""

from __future__ import annotations

import json
import os
import sys
import time
from concurrent.futures import Executor
from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.console import Console
from typer.core import TyperGroup

from grpo_symbolic import catalogue as sources
from grpo_symbolic import session as sessions
from grpo_symbolic._version import __version__
from grpo_symbolic.errors import BadInput, check_name
from grpo_symbolic.files import write_atomically
from grpo_symbolic.index import Listing
from grpo_symbolic.ledger import check_verdict
from grpo_symbolic.proof.evidence import PrintVerdict, Verdict
from grpo_symbolic.report.advice import as_document
from grpo_symbolic.report.examples import epilog
from grpo_symbolic.report.layout import line
from grpo_symbolic.report.meter import Meter
from grpo_symbolic.report.page import View, show_claim, show_errata, show_listing
from grpo_symbolic.report.terminal import show_list, show_run
from grpo_symbolic.session import Run, Session
from grpo_symbolic.verification.cluster import cluster

if TYPE_CHECKING:
    from grpo_symbolic.trainers.options import Reading


class _Guarded(TyperGroup):
    """Bad input becomes one sentence on standard error and exit status 2, for every command alike; every help ends with
    an example.
    """

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        found = super().get_command(ctx, cmd_name)
        if found is not None:
            found.epilog = epilog(cmd_name)
        return found

    def invoke(self, ctx: Any) -> Any:
        try:
            return super().invoke(ctx)
        except BadInput as error:
            _complain(str(error))
        except BrokenPipeError:
            raise  # the reader of our output has gone: Typer ends quietly
        except OSError as error:
            _complain(f"cannot use {error.filename or 'a file'}: {error.strerror or error}")
        raise typer.Exit(2)


app = typer.Typer(
    cls=_Guarded,
    help="Derive, verify and look up the formulas that post-training runs on.",
    no_args_is_help=True,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
)


def _ids(incomplete: str) -> list[str]:
    """The ids of built-in claims that a shell may complete."""
    return [id for id in sources.index().listings if id.startswith(incomplete)]


def _papers(incomplete: str) -> list[str]:
    return [paper for paper in sources.PAPERS if paper.startswith(incomplete)]


def _verdicts(incomplete: str) -> list[str]:
    return [word for word in [*Verdict, *PrintVerdict] if word.startswith(incomplete)]


ClaimId = Annotated[
    str, typer.Argument(metavar="ID", help="The id of a claim.", show_default=False, autocompletion=_ids)
]
Paths = Annotated[
    list[Path] | None,
    typer.Argument(help="Folders or files of result files; the built-in papers when left out.", show_default=False),
]
Latex = Annotated[bool, typer.Option("--latex", help="Formulas as LaTeX.")]
Whole = Annotated[bool, typer.Option("--all", help="Every part of long statements.")]
Trainer = Annotated[
    str | None,
    typer.Option("--trainer", metavar="NAME[==VERSION]", help="Trainer whose options say it: trl, verl, openrlhf …"),
]
Config = Annotated[
    Path | None, typer.Option("--config", metavar="FILE", help="The trainer's own options, in YAML or JSON.")
]
Options = Annotated[
    list[str] | None, typer.Option("--set", metavar="NAME=VALUE", help="One option, over those of the file.")
]
Paper = Annotated[
    str | None, typer.Option("--paper", help="Only this paper, by the name of its folder.", autocompletion=_papers)
]


def _version(asked: bool) -> None:
    if asked:
        print(f"grpo-symbolic {__version__}")
        raise typer.Exit


@app.callback()
def _common(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version and stop.")
    ] = False,
) -> None:
    """Derive, verify and look up the formulas that post-training runs on."""


def main() -> None:
    """Entry point of the script: no traceback ever reaches the user."""
    os.environ.setdefault("SYMPY_CACHE_SIZE", "50000")  # its own 1000 are too few for hundreds of claims
    try:
        app()
    except Exception as error:
        _complain(f"internal error, please report it: {type(error).__name__}: {error}")
        sys.exit(70)


@app.command()
def verify(
    paths: Paths = None,
    ids: Annotated[
        list[str] | None,
        typer.Option("--id", help="Only this claim, and what it depends on; can be repeated.", autocompletion=_ids),
    ] = None,
    jobs: Annotated[int, typer.Option("--jobs", min=1, help="Worker processes.")] = sessions.default_jobs(),
    json_file: Annotated[
        str | None,
        typer.Option("--json", metavar="FILE", help="Write the ledger to FILE, or to standard output for -."),
    ] = None,
    mutate: Annotated[
        bool, typer.Option("--mutate", help="Change every claim mechanically too, and refute the changes.")
    ] = False,
    fresh: Annotated[bool, typer.Option("--fresh", help="Use nothing that an earlier run has found.")] = False,
    dask: Annotated[
        str | None, typer.Option("--dask", metavar="ADDRESS", help="Check on the Dask cluster with this scheduler.")
    ] = None,
) -> None:
    """Check every claim and print the table of verdicts."""
    begun = time.monotonic()
    target = _writable(json_file)
    with nullcontext() if dask is None else cluster(dask) as executor:
        run = _verified(Session(paths or []), ids or [], jobs, mutate, fresh, executor)
    out = Console(stderr=True) if json_file == "-" else Console()
    show_run(out, run.ledger, mutants=mutate, reused=run.reused, seconds=time.monotonic() - begun)
    if json_file is not None:
        _write(target, run.ledger.to_json())
    for sentence in run.broken:
        _complain(sentence)
    raise typer.Exit(2 if run.broken else 1 if run.ledger.failures() else 0)


@app.command()
def new(
    folder: Annotated[Path, typer.Argument(help="The folder to write; the paper is called like it.")],
) -> None:
    """Write a folder to start a paper of one's own in: a first claim, a test, a book page and a CI file that pass."""
    from grpo_symbolic import kit

    written = kit.new(folder)
    paper = next(f for f in written if f.name == "__init__.py").parent
    out = Console()
    for file in written:
        line(out, str(file))
    line(out)
    line(out, f"Next: grpo-symbolic verify {paper}, then {folder / 'README.md'}")


@app.command("list")
def list_claims(
    paths: Paths = None,
    paper: Paper = None,
    verdict: Annotated[
        str | None,
        typer.Option(
            "--verdict", help="Only claims with this verdict, or this verdict on the print.", autocompletion=_verdicts
        ),
    ] = None,
) -> None:
    """List the claims, with their verdicts where they are known."""
    check_verdict(verdict)
    session = Session(paths or [])
    listed = _of_paper(session, paper)
    known = session.known()
    show_list(Console(), listed, known, known.with_verdict(verdict), verdict, session.hidden)


@app.command()
def show(
    claim_id: ClaimId,
    paths: Paths = None,
    check: Annotated[bool, typer.Option("--verify", help="Let the checkers run on it first.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print the claim's entry of the ledger instead.")] = False,
    derivation: Annotated[bool, typer.Option("--derivation", help="The steps that lead to it.")] = False,
    evidence: Annotated[bool, typer.Option("--evidence", help="What each checker found.")] = False,
    latex: Latex = False,
    whole: Whole = False,
) -> None:
    """Show one claim: how it fares, what it says and where, what refutes the print, and what proves it."""
    session, view = Session(paths or []), View(latex, whole, derivation, evidence)
    session.check_ids([claim_id])
    if check:
        _verified(session, [claim_id], sessions.default_jobs())
    listing, entry = session.index.listings.get(claim_id), session.entry(claim_id)
    if listing is None and entry is None:  # its file does not show it: it takes a run to say anything
        entry = _verified(session, [claim_id], sessions.default_jobs()).ledger.entry(claim_id)
    if entry is not None:
        paper = session.index.papers[entry.paper][0]
        users = [c.id for c in session.index.listings.values() if claim_id in c.depends_on]
        _write(None, as_document(entry)) if as_json else show_claim(Console(), entry, paper, view, users)
    elif listing is not None:
        _write(None, {**listing.to_json(), "verdict": None}) if as_json else show_listing(
            Console(), listing, session.index, view
        )


@app.command("errata")
def list_errata(paths: Paths = None, paper: Paper = None, latex: Latex = False, whole: Whole = False) -> None:
    """List the prints that do not simply hold, with what holds instead and what refutes them."""
    session = Session(paths or [])
    show_errata(Console(), _of_paper(session, paper), session.known(), View(latex, whole))


@app.command()
def sweep(
    claim_id: ClaimId,
    paths: Paths = None,
    backend: Annotated[str, typer.Option("--backend", help="numpy, torch or jax.")] = "numpy",
    device: Annotated[str | None, typer.Option("--device", help="cpu, cuda, cuda:1 …; cpu when left out.")] = None,
    samples: Annotated[float, typer.Option("--samples", help="Instances for each obligation, such as 1e9.")] = 1e6,
    seed: Annotated[int, typer.Option("--seed", help="The same seed gives the same instances.")] = 0,
    dtype: Annotated[str, typer.Option("--dtype", help="float64 or float32.")] = "float64",
    chunk: Annotated[int | None, typer.Option("--chunk", help="Instances evaluated at once.")] = None,
    resume: Annotated[
        Path | None,
        typer.Option("--resume", metavar="FILE", help="Where an interrupted sweep keeps how far it is; in the store."),
    ] = None,
    json_file: Annotated[
        str | None,
        typer.Option("--json", metavar="FILE", help="Write what was found to FILE, or to standard output for -."),
    ] = None,
) -> None:
    """Evaluate a claim at very many instances of its domain, and let ball arithmetic judge the worst ones."""
    target = _writable(json_file)
    session = Session(paths or [])
    session.check_ids([claim_id])
    from grpo_symbolic.numeric.sweeps.sweep import sweep as run
    from grpo_symbolic.report.sweep import PHASES, show_sweep
    from grpo_symbolic.verification import swept

    chosen = session.claim(claim_id)
    name = f"{chosen.id}-{backend}-{device or 'cpu'}-{dtype}-{samples:.0f}-{seed}.json".replace(":", "_")
    state = resume or session.store.folder / "sweeps" / name
    with Meter(Console(stderr=True), PHASES) as meter:
        try:
            found = run(
                chosen,
                samples,
                backend,
                device,
                seed,
                dtype,
                chunk=chunk,
                state=state,
                progress=meter,
            )
        except KeyboardInterrupt:
            found = None
    if found is None:
        _complain(f"stopped: how far the sweep is stands in {state}; the same command goes on from there")
        raise typer.Exit(130)
    for part in found.parts:
        swept.keep(session.store, part.obligation, part.evidence(found.engine, seed))
    session.update([chosen.id])
    show_sweep(Console(stderr=True) if json_file == "-" else Console(), found)
    if json_file is not None:
        _write(target, found.to_json())
    raise typer.Exit(1 if found.refuted else 0)


@app.command()
def predict(
    pass_rates: Annotated[Path, typer.Argument(help="CSV, Parquet or JSON lines, one prompt a row.", metavar="FILE")],
    trainer: Trainer = None,
    config: Config = None,
    options: Options = None,
    beta: Annotated[
        float | None, typer.Option("--beta", help="The strength β ≥ 0 of the penalty; needed without a trainer.")
    ] = None,
    group_size: Annotated[
        str | None, typer.Option("--group-size", help="Outputs per group: 2 to 64, or oo (large groups, if left out).")
    ] = None,
    guard: Annotated[
        float | None, typer.Option("--guard", help="The guard ε ≥ 0 of the division by the deviation; 0 if left out.")
    ] = None,
    outside: Annotated[bool, typer.Option("--guard-outside", help="Add ε to the deviation, not the variance.")] = False,
    unscaled: Annotated[bool, typer.Option("--unscaled", help="Do not divide by the deviation.")] = False,
    sample_deviation: Annotated[
        bool, typer.Option("--sample-deviation", help="The deviation that divides by G − 1.")
    ] = False,
    penalty: Annotated[
        str | None, typer.Option("--penalty", help="k3 (GRPO's own, the default), reverse-kl or forward-kl.")
    ] = None,
    tokens: Annotated[int, typer.Option("--tokens", help="Tokens of a text, all of which must be right.")] = 1,
    steps: Annotated[int | None, typer.Option("--steps", help="Also say where the success is by then.")] = None,
    learning_rate: Annotated[
        float | None, typer.Option("--learning-rate", help="That of the steps: plain gradient ascent on the logits.")
    ] = None,
    attempts: Annotated[
        int | None, typer.Option("--attempts", metavar="N", help="The rates are k of N: predict for 95 % intervals.")
    ] = None,
    best_responses: Annotated[
        bool, typer.Option("--best-responses", help="Exact best responses at every iteration, not the softmax flow.")
    ] = False,
    column: Annotated[
        str | None, typer.Option("--column", help="The column of pass rates; 'pass_rate' when left out.")
    ] = None,
    form: Annotated[
        str | None, typer.Option("--format", help="csv, parquet or jsonl, where the ending does not tell.")
    ] = None,
    out_file: Annotated[
        Path | None, typer.Option("--out", metavar="FILE", help="Write the rows with their predictions to FILE.")
    ] = None,
    on_bad: Annotated[str, typer.Option("--on-bad", help="skip or refuse rows without a legal pass rate.")] = "skip",
    bad_file: Annotated[Path | None, typer.Option("--bad", metavar="FILE", help="Name all bad rows in FILE.")] = None,
    plot: Annotated[Path | None, typer.Option("--plot", metavar="FILE", help="Draw histograms and limits.")] = None,
) -> None:
    """Predict where training takes each prompt's success from its measured pass rate, and how long that takes."""
    from grpo_symbolic.numeric.prediction.predict import predict as run
    from grpo_symbolic.report.prediction import check_plot, plot_prediction, show_prediction
    from grpo_symbolic.report.trainer import show_reading
    from grpo_symbolic.trainers.words import assumed

    skip: Any = on_bad
    if plot is not None:
        check_plot(plot)
    reading = _reading(trainer, config, options)
    named: dict[str, Any] = {
        "guard_inside": (False, outside),
        "scaled": (False, unscaled),
        "sample_deviation": (True, sample_deviation),
        "best_responses": (True, best_responses),
    }
    found = run(
        pass_rates,
        beta,
        group_size,
        guard,
        penalty,
        setting=None if reading is None else reading.setting,
        column=column,
        form=form,
        out=out_file,
        on_bad=skip,
        bad_to=bad_file,
        tokens=tokens,
        steps=steps,
        learning_rate=learning_rate,
        attempts=attempts,
        **{name: value for name, (value, given) in named.items() if given},
    )
    said: tuple[str, ...] = ()
    if reading is not None:
        show_reading(Console(), reading)
        said = assumed(reading.setting, tokens)
    show_prediction(Console(), found, out_file, said)
    if plot is not None:
        plot_prediction(found, plot)


@app.command()
def theory(
    trainer: Trainer = None,
    config: Config = None,
    options: Options = None,
    group_size: Annotated[
        str | None, typer.Option("--group-size", help="Outputs per group, from 2, or oo (large groups, if left out).")
    ] = None,
    normaliser: Annotated[
        str | None,
        typer.Option(
            "--normaliser", help="std (if left out), std+eps, sqrt(var+eps), sample-std, none, leave-one-out, batch …"
        ),
    ] = None,
    guard: Annotated[str | None, typer.Option("--guard", help="The guard ε > 0 of a normaliser with eps.")] = None,
    deviation: Annotated[str | None, typer.Option("--deviation", help="The deviation of the batch.")] = None,
    divergence: Annotated[
        str | None,
        typer.Option("--divergence", help="k1, k2, k3 (if left out), reverse-kl (KL(π‖π_ref)), forward-kl or none."),
    ] = None,
    placed: Annotated[
        str | None, typer.Option("--placed", help="Where the estimator stands: loss, reward or raw-reward.")
    ] = None,
    weighted: Annotated[
        str | None, typer.Option("--weighted", help="The ratio in front of the estimator: none, ratio, held or score.")
    ] = None,
    ratio: Annotated[
        str | None, typer.Option("--ratio", help="How the policy is weighed: token, sequence or log.")
    ] = None,
    clip: Annotated[str | None, typer.Option("--clip", help="The clipping range of the ratio, in (0, 1).")] = None,
    beta: Annotated[str | None, typer.Option("--beta", help="The strength β ≥ 0 of the divergence; 0 is none.")] = None,
    pass_rate: Annotated[
        str | None, typer.Option("--pass-rate", help="The reference's success, in (0, 1): gives the numbers.")
    ] = None,
    check: Annotated[bool, typer.Option("--verify", help="Let the checkers run on the claims first.")] = False,
    everything: Annotated[bool, typer.Option("--all", help="Every claim that bears on a question.")] = False,
    space: Annotated[bool, typer.Option("--table", help="The table of the space instead of one point.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print data instead.")] = False,
) -> None:
    """Say what is known at a point of the space of objectives: equations, closed forms, answers with their claims."""
    from grpo_symbolic.report.theory import show_space, show_theory
    from grpo_symbolic.report.trainer import show_reading
    from grpo_symbolic.theory.interface import theory as at
    from grpo_symbolic.theory.points import table
    from grpo_symbolic.theory.record import record, record_of

    if space:
        rows = table()
        _write(None, [record_of(row) for row in rows]) if as_json else show_space(Console(), rows)
        return
    reading = _reading(trainer, config, options)
    found = at(
        None if reading is None else reading.setting,
        divergence=divergence,
        group_size=group_size,
        ratio=ratio,
        beta=beta,
        normaliser=normaliser,
        guard=guard,
        deviation=deviation,
        placed=placed,
        weighted=weighted,
        clip=clip,
        p_ref=pass_rate,
    )
    with Meter(Console(stderr=True)) if check else nullcontext() as meter:
        answers = found.answers if meter is None else found.verified(progress=meter)
    if as_json:
        _write(None, record(found, answers))
    else:
        if reading is not None:
            show_reading(Console(), reading)
        show_theory(Console(), found, answers, everything)


@app.command()
def trainer(
    name: Annotated[
        str, typer.Argument(metavar="TRAINER[==VERSION]", help="trl, verl, openrlhf or nemo-rl.", show_default=False)
    ],
    config: Config = None,
    options: Options = None,
    to: Annotated[
        str | None, typer.Option("--to", metavar="FORMAT", help="Write the loss instead, for torch, jax or numpy.")
    ] = None,
) -> None:
    """Say what a trainer optimises with these options: a sentence, warnings, the loss, and where a run goes."""
    from grpo_symbolic.report.trainer import show_trainer

    found = _read(name, config, options)
    if to is None:
        show_trainer(Console(), found)
    else:
        from grpo_symbolic.export import export

        sys.stdout.write(export(found.setting, to))


@app.command()
def kernel(
    paths: Paths = None,
    ids: Annotated[list[str] | None, typer.Option("--id", help="Only this claim; can be repeated.")] = None,
    everything: Annotated[bool, typer.Option("--all", help="Every claim, not only those known to pass.")] = False,
    jobs: Annotated[int, typer.Option("--jobs", min=1, help="Worker processes.")] = sessions.default_jobs(),
    fresh: Annotated[bool, typer.Option("--fresh", help="Use nothing that an earlier run has found.")] = False,
    mutate: Annotated[bool, typer.Option("--mutate", help="Coq must refuse changed claims as well.")] = False,
) -> None:
    """Let Coq's kernel check the claims that have a proof for it; its proofs go into the ledger."""
    Session(paths or []).check_ids(ids or [])
    from grpo_symbolic.report.kernel import show_controls, show_kernel
    from grpo_symbolic.verification.kernel import expected, run

    session = Session(paths or [])
    known = expected()
    chosen = ids or [i for i in session.select() if everything or i in known]
    claims = session.enough_for(chosen).claims
    with Meter(Console(stderr=True)) as meter:
        results = run([claims[i] for i in chosen], session.store, jobs, fresh, meter, session.paths)
        session.update(chosen, jobs, meter)
    lost = show_kernel(Console(), results, known)
    wrong = False
    if mutate:
        from grpo_symbolic.verification.kernel_controls import controls

        passed = [claims[r.id] for r in results if r.accepted]
        with Meter(Console(stderr=True)) as meter:
            wrong = show_controls(Console(), controls(passed, jobs, paths=session.paths, progress=meter))
    raise typer.Exit(1 if lost or wrong else 0)


@app.command("export")
def export_claim(
    thing: Annotated[
        str,
        typer.Argument(metavar="ID", help="The id of a claim, or grpo, grpo-pairs, pairs, large-groups, success-map."),
    ],
    paths: Paths = None,
    to: Annotated[str, typer.Option("--to", metavar="FORMAT", help="latex, json, numpy, c, smtlib …")] = "latex",
    at: Annotated[
        list[str] | None, typer.Option("--at", metavar="NAME=NUMBER", help="Such as n=3: sums of that length.")
    ] = None,
    out_file: Annotated[Path | None, typer.Option("--out", metavar="FILE", help="Write to FILE.")] = None,
) -> None:
    """Write the expressions of a claim, an objective or a stationary policy for another tool."""
    from grpo_symbolic.export import export, whole_numbers

    target = _writable(str(out_file)) if out_file is not None else None
    text = export(thing, to, at=whole_numbers(at or []), session=Session(paths or []))
    if target is None:
        sys.stdout.write(text)
    else:
        _put(target, text)


def _read(name: str, config: Path | None, options: list[str] | None) -> Reading:
    from grpo_symbolic.trainers.config import from_file, from_texts, merged, read

    given = from_texts(options or [])
    return read(name, merged(from_file(config) if config else {}, given), strict=given)


def _reading(trainer: str | None, config: Path | None, options: list[str] | None) -> Reading | None:
    """What a trainer's options say, where one is named."""
    if trainer is not None:
        return _read(trainer, config, options)
    if config is not None or options:
        raise BadInput("--config and --set are options of a trainer: name it with --trainer, such as --trainer trl")
    return None


def _verified(
    session: Session,
    ids: list[str],
    jobs: int,
    mutate: bool = False,
    fresh: bool = False,
    executor: Executor | None = None,
) -> Run:
    with Meter(Console(stderr=True)) as meter:
        try:
            return session.verify(ids, jobs=jobs, mutate=mutate, fresh=fresh, progress=meter, executor=executor)
        except KeyboardInterrupt:
            pass
    _complain(
        f"stopped: {meter.kept} finished checks are kept in {session.store.folder}; the next run goes on from there"
    )
    raise typer.Exit(130)


def _of_paper(session: Session, paper: str | None) -> list[Listing]:
    """The claims under the paths as their files show them, of one paper or all."""
    if paper is not None:
        check_name(paper, sorted({c.paper for c in session.listings}), "paper")
    return [c for c in session.listings if paper in (None, c.paper)]


def _writable(json_file: str | None) -> Path | None:
    """Where the ledger goes (``None``: standard output); refused before hours of work and not after."""
    if json_file in (None, "-"):
        return None
    target = Path(str(json_file))
    if target.is_dir():
        raise BadInput(f"{target} is a folder: expected the name of a file, or - for standard output")
    return target


def _write(target: Path | None, document: Any) -> None:
    text = json.dumps(document, indent=1, ensure_ascii=False) + "\n"
    if target is None:
        sys.stdout.write(text)
    else:
        _put(target, text)


def _put(target: Path, text: str) -> None:
    try:
        write_atomically(target, text)
    except OSError as problem:
        raise BadInput(f"{target} cannot be written: {problem.strerror}") from None


def _complain(sentence: str) -> None:
    print("grpo-symbolic:", " ".join(sentence.split()), file=sys.stderr)
