"""Commands about objectives, whole or a trainer's, and about runs: predict, theory, derive, trainer and diagnose."""

from __future__ import annotations

import sys
from contextlib import nullcontext
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console

from grpo_symbolic.cli.common import (
    Anyway,
    Config,
    Options,
    Trainer,
    app,
    put,
    read_options,
    reading_of,
    writable,
    write,
)
from grpo_symbolic.cli.pages.meter import Meter
from grpo_symbolic.errors import BadInput
from grpo_symbolic.trainers.config import TRAINERS


@app.command()
def predict(
    pass_rates: Annotated[Path, typer.Argument(help="CSV, Parquet or JSON lines, one prompt a row.", metavar="FILE")],
    trainer: Trainer = None,
    config: Config = None,
    options: Options = None,
    anyway: Anyway = False,
    beta: Annotated[
        float | None, typer.Option("--beta", help="The strength β ≥ 0 of the penalty; needed without a trainer.")
    ] = None,
    group_size: Annotated[
        str | None, typer.Option("--group-size", help="Outputs per group: 2 to 4096, or oo; 64 if left out.")
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
    decisions: Annotated[
        int | None, typer.Option("--decisions", help="How many of them decide, where not all do.")
    ] = None,
    right_length: Annotated[
        float | None, typer.Option("--right-length", help="Tokens of a right text, if not --tokens.")
    ] = None,
    wrong_length: Annotated[
        float | None, typer.Option("--wrong-length", help="Tokens of a wrong text, if not --tokens.")
    ] = None,
    dynamic_sampling: Annotated[
        bool, typer.Option("--dynamic-sampling", help="Groups of equal rewards are dropped and replaced.")
    ] = False,
    steps: Annotated[int | None, typer.Option("--steps", help="Also say where the success is by then.")] = None,
    learning_rate: Annotated[
        float | None, typer.Option("--learning-rate", help="That of the steps: plain gradient ascent on the logits.")
    ] = None,
    log: Annotated[
        Path | None, typer.Option("--log", help="Steps and rewards of the run (CSV, JSON lines, trainer_state.json).")
    ] = None,
    calibrate: Annotated[
        int | None, typer.Option("--calibrate", metavar="K", help="Fit the clock on the first K rows of the log.")
    ] = None,
    log_column: Annotated[str | None, typer.Option("--log-column", help="The column of success in the log.")] = None,
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
    as_json: Annotated[bool, typer.Option("--json", help="Print data instead.")] = False,
) -> None:
    """Predict where training takes each prompt's success from its measured pass rate, and how long that takes."""
    from grpo_symbolic.cli.pages.prediction import check_plot, plot_prediction, show_prediction
    from grpo_symbolic.cli.pages.trainer import show_reading
    from grpo_symbolic.numeric.prediction.predict import predict as run
    from grpo_symbolic.numeric.prediction.record import record
    from grpo_symbolic.setting import PUBLISHED_SIZE
    from grpo_symbolic.trainers.words import left_out

    skip: Any = on_bad
    if plot is not None:
        check_plot(plot)
    reading = reading_of(trainer, config, options)
    named: dict[str, Any] = {  # what a flag stands for where it is given: else the options of a trainer decide
        "guard_inside": (False, outside),
        "scaled": (False, unscaled),
        "sample_deviation": (True, sample_deviation),
        "best_responses": (True, best_responses),
        "dynamic_sampling": (True, dynamic_sampling),
    }
    prediction = run(
        pass_rates,
        beta,
        group_size,
        guard,
        penalty,
        setting=reading,
        anyway=anyway,
        column=column,
        form=form,
        out=out_file,
        on_bad=skip,
        bad_to=bad_file,
        log=log,
        calibrate_on=calibrate,
        log_column=log_column,
        tokens=tokens,
        decisions=decisions,
        right_length=right_length,
        wrong_length=wrong_length,
        steps=steps,
        learning_rate=learning_rate,
        attempts=attempts,
        **{name: value for name, (value, given) in named.items() if given},
    )
    phrases = PUBLISHED_SIZE if group_size is None else ()
    if reading is not None:
        phrases = left_out(reading.setting)
    if as_json:
        write(None, record(prediction, phrases))
    else:
        if reading is not None:
            show_reading(Console(), reading)
        show_prediction(Console(), prediction, out_file, phrases)
    if plot is not None:
        plot_prediction(prediction, plot)


@app.command()
def theory(
    trainer: Trainer = None,
    config: Config = None,
    options: Options = None,
    anyway: Anyway = False,
    group_size: Annotated[
        str | None, typer.Option("--group-size", help="Outputs per group, from 2, or oo; 64 if left out.")
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
        typer.Option(
            "--divergence", help="An estimator (k3 if left out), reverse-kl (KL(π‖π_ref)), forward-kl or none."
        ),
    ] = None,
    place: Annotated[
        str | None, typer.Option("--place", help="Where the estimator stands: loss, reward or raw-reward.")
    ] = None,
    weighted: Annotated[
        str | None,
        typer.Option("--weighted", help="The ratio in front of the estimator: none, ratio, detached or score."),
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
    from grpo_symbolic.cli.pages.theory import show_space, show_theory
    from grpo_symbolic.cli.pages.trainer import show_reading
    from grpo_symbolic.theory.interface import theory as at
    from grpo_symbolic.theory.points import table
    from grpo_symbolic.theory.record import record, record_of

    if space:
        rows = table()
        write(None, [record_of(row) for row in rows]) if as_json else show_space(Console(), rows)
        return
    reading = reading_of(trainer, config, options)
    known = at(
        reading,
        anyway=anyway,
        divergence=divergence,
        group_size=group_size,
        ratio=ratio,
        beta=beta,
        normaliser=normaliser,
        guard=guard,
        deviation=deviation,
        place=place,
        weighted=weighted,
        clip=clip,
        p_ref=pass_rate,
    )
    with Meter(Console(stderr=True)) if check else nullcontext() as meter:
        answers = known.answers if meter is None else known.verified(progress=meter)
    if as_json:
        write(None, record(known, answers))
    else:
        if reading is not None:
            show_reading(Console(), reading)
        show_theory(Console(), known, answers, everything)


@app.command()
def derive(
    penalty: Annotated[
        str | None,
        typer.Option(
            "--penalty", help="A formula in pi, pi_ref, pi_old, sum(…) and mean(…), or a name: k3 (if left out), chi2 …"
        ),
    ] = None,
    advantage: Annotated[
        str | None,
        typer.Option(
            "--advantage", help="A formula in r, mean, std, median, rank …; (r - mean)/std, GRPO's own, if left out."
        ),
    ] = None,
    group_size: Annotated[
        str, typer.Option("--group-size", "-G", help="Outputs per group: 2 to 64 for an advantage of your own, or oo.")
    ] = "2",
    beta: Annotated[
        str | None, typer.Option("--beta", help="The strength β > 0 of the penalty: gives the numbers,")
    ] = None,
    pass_rate: Annotated[
        str | None, typer.Option("--pass-rate", help="with the reference's success, in (0, 1).")
    ] = None,
    latex: Annotated[bool, typer.Option("--latex", help="Print LaTeX to paste instead.")] = False,
    figure: Annotated[
        Path | None, typer.Option("--figure", metavar="FILE", help="Draw the gradient and the stationary policies.")
    ] = None,
    claims_file: Annotated[
        Path | None, typer.Option("--claims", metavar="FILE", help="Write claims to go on from: FILE.py for verify.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print data instead.")] = False,
) -> None:
    """Derive what training settles on with a penalty or an advantage of your own: equation, closed form, numbers."""
    from grpo_symbolic.cli.pages.derive import drawn, show_derived
    from grpo_symbolic.cli.pages.prediction import check_plot
    from grpo_symbolic.kit.derived import claims_on, name_of_claims
    from grpo_symbolic.theory.interface import theory as at
    from grpo_symbolic.theory.record import record

    if latex and as_json:
        raise BadInput("--latex and --json print one thing each: give one of them")
    if figure is not None:
        if beta is None or pass_rate is None:
            raise BadInput("--figure draws numbers: give --beta and --pass-rate")
        check_plot(figure, "--figure")
    known = at(advantage=advantage, divergence=penalty, group_size=group_size, beta=beta, p_ref=pass_rate)
    text = None if claims_file is None else claims_on(known, name_of_claims(claims_file))
    if as_json:
        write(None, record(known, {}))
    elif latex:
        sys.stdout.write(known.latex())
    else:
        show_derived(Console(), known)
    if claims_file is not None and text is not None:
        put(claims_file, text)
    if figure is not None:
        drawn(known, figure)


@app.command()
def trainer(
    name: Annotated[
        str,
        typer.Argument(
            metavar="TRAINER[==VERSION]",
            help=f"One of {', '.join(TRAINERS)}.",
            show_default=False,
        ),
    ],
    config: Config = None,
    options: Options = None,
    anyway: Anyway = False,
    to: Annotated[
        str | None,
        typer.Option(
            "--to", metavar="FORMAT", help="Write the loss for torch, jax or numpy instead, or a record as json."
        ),
    ] = None,
) -> None:
    """Say what a trainer optimises with these options: a sentence, warnings, the loss, and where a run goes."""
    from grpo_symbolic.cli.pages.trainer import show_trainer

    reading = read_options(name, config, options)
    if to is None:
        show_trainer(Console(), reading)
    else:
        from grpo_symbolic.export import export

        sys.stdout.write(export(reading, to, anyway=anyway))


@app.command()
def diagnose(
    logs: Annotated[
        list[Path],
        typer.Argument(
            metavar="LOG…",
            help="What was logged: trainer_state.json, CSV, JSON lines, event files, or a folder of them.",
            show_default=False,
        ),
    ],
    trainer: Trainer = None,
    config: Config = None,
    options: Options = None,
    binary: Annotated[
        bool | None,
        typer.Option("--binary/--any-rewards", help="Rewards are 0 or 1, or are not; if left out, as logged."),
    ] = None,
    page_file: Annotated[
        Path | None, typer.Option("--page", metavar="FILE", help="Write a page with a picture of each series (HTML).")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print data instead.")] = False,
) -> None:
    """Hold the logs of a run against what its options imply; exit with 1 where something is not what they imply."""
    from grpo_symbolic.cli.pages.diagnosis import show_diagnosis
    from grpo_symbolic.cli.pages.trainer import show_reading
    from grpo_symbolic.diagnose import diagnose as run
    from grpo_symbolic.diagnose import page, read_log
    from grpo_symbolic.trainers.config import named

    target = writable(page_file)
    log = read_log(logs, None if trainer is None else named(trainer).name)
    given = config is not None or bool(options)
    reading = read_options(trainer or log.trainer, config, options) if given else None
    if reading is not None and reading.options and all(use.unknown for use in reading.options):
        text = ", ".join(use.name for use in reading.options[:5])
        raise BadInput(f"the log is of {log.trainer}, and none of the options is one of {reading.trainer}'s: {text}")
    diagnosis = run(log, reading, trainer=trainer, binary=binary)
    if target is not None:
        put(target, page(diagnosis))
    if as_json:
        write(None, diagnosis.to_json())
    else:
        show_reading(Console(), diagnosis.run.reading)
        show_diagnosis(Console(), diagnosis)
    raise typer.Exit(1 if diagnosis.odd else 0)
