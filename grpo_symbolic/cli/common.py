"""What all commands share: the application, options and arguments, where results are written, and complaints."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.console import Console
from typer.core import TyperGroup

from grpo_symbolic import catalogue as sources
from grpo_symbolic.cli.pages.examples import epilog
from grpo_symbolic.cli.pages.meter import Meter
from grpo_symbolic.errors import BadInput, sentences_of
from grpo_symbolic.files import json_text, write_atomically
from grpo_symbolic.proof.statements.evidence import PrintVerdict, Verdict
from grpo_symbolic.session import Run, Session

if TYPE_CHECKING:
    from grpo_symbolic.trainers.options import Reading


class _Guarded(TyperGroup):
    """Bad input becomes one sentence on standard error and exit status 2, for every command alike; every help ends with
    an example.
    """

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        command = super().get_command(ctx, cmd_name)
        if command is not None:
            command.epilog = epilog(cmd_name)
        return command

    def parse_args(self, ctx: Any, args: list[str]) -> Any:
        given = list(args)  # parsing takes them away
        try:
            return super().parse_args(ctx, args)
        except typer.TyperException as error:
            if not given:
                raise  # which shows the help
            complain(_misused(error, ctx))
        raise typer.Exit(2)

    def invoke(self, ctx: Any) -> Any:
        try:
            return super().invoke(ctx)
        except BadInput as error:
            for sentence in sentences_of(error):
                complain(sentence)
        except typer.TyperException as error:
            complain(_misused(error, ctx))
        except BrokenPipeError:
            raise  # the reader of our output has gone: Typer ends quietly
        except OSError as error:
            complain(f"cannot use {error.filename or 'a file'}: {error.strerror or error}")
        raise typer.Exit(2)


def _misused(error: Any, ctx: Any) -> str:
    """What is wrong with options or arguments, and where to read which there are."""
    words = error.format_message().rstrip(".").partition(", unable to parse")[0].replace("Input should", "it should")
    place = (getattr(error, "ctx", None) or ctx).command_path
    return f"{words[:1].lower()}{words[1:]}; see {place} --help"


app = typer.Typer(
    cls=_Guarded,
    help="Derive, verify and look up the formulas that post-training runs on.",
    no_args_is_help=True,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
)


def ids_that_begin(incomplete: str) -> list[str]:
    """The ids of built-in claims that a shell may complete."""
    return [id for id in sources.index().listings if id.startswith(incomplete)]


def _papers(incomplete: str) -> list[str]:
    return [paper for paper in sources.PAPERS if paper.startswith(incomplete)]


def verdicts_that_begin(incomplete: str) -> list[str]:
    return [word for word in [*Verdict, *PrintVerdict] if word.startswith(incomplete)]


ClaimId = Annotated[
    str, typer.Argument(metavar="ID", help="The id of a claim.", show_default=False, autocompletion=ids_that_begin)
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
    Path | None, typer.Option("--config", metavar="FILE", help="What is launched: YAML, TOML, JSON, a script.")
]
Options = Annotated[
    list[str] | None, typer.Option("--set", metavar="NAME=VALUE", help="One option, over those of the file.")
]
Anyway = Annotated[
    bool, typer.Option("--anyway", help="Go on though an option is not modelled that changes the answer.")
]
Print = Annotated[
    str | None,
    typer.Option(
        "--print",
        metavar="VERDICT",
        help="Only claims with this verdict on their print.",
        autocompletion=verdicts_that_begin,
    ),
]
Paper = Annotated[
    str | None, typer.Option("--paper", help="Only this paper, by the name of its folder.", autocompletion=_papers)
]


def verified(session: Session, ids: list[str], **options: Any) -> Run:
    """Verify claims as :meth:`Session.verify` does with these ``options``, and show how far it is; one that is stopped
    by Ctrl-C ends with status 130.
    """
    with Meter(Console(stderr=True)) as meter:
        try:
            return session.verify(ids, progress=meter, on_verdict=meter.judged, **options)
        except KeyboardInterrupt:
            pass
    complain("stopped: what was found by then is kept beside the result files; the next run goes on from there")
    raise typer.Exit(130)


def asked_for(session: Session, ids: list[str] | None, part: str | None) -> list[str] | None:
    """The claims that ``--id`` names or ``--part`` takes; none where neither is given. Raises :class:`BadInput` for
    both at once, and for a part that there is not.
    """
    if part is not None and ids:
        raise BadInput("--part chooses claims and --id names them: give one of them")
    return session.part(part) if part is not None else ids or None


def read_options(name: str, config: Path | None, options: list[str] | None) -> Reading:
    """What the options of a trainer say: those of a file, and over them those that are given one by one."""
    from grpo_symbolic.trainers.config import from_file, from_texts, merged, read

    given = from_texts(options or [])
    return read(name, merged(from_file(config) if config else {}, given), strict=given)


def reading_of(trainer: str | None, config: Path | None, options: list[str] | None) -> Reading | None:
    """What a trainer's options say, where one is named."""
    if trainer is not None:
        return read_options(trainer, config, options)
    if config is not None or options:
        raise BadInput("--config and --set are options of a trainer: name it with --trainer, such as --trainer trl")
    return None


def writable(file: str | Path | None) -> Path | None:
    """Where results go (``None``: standard output); refused before hours of work and not after."""
    if file is None or str(file) == "-":
        return None
    target = Path(file)
    if target.is_dir():
        raise BadInput(f"{target} is a folder: expected the name of a file, or - for standard output")
    return target


def write(target: Path | None, document: Any) -> None:
    """Put a document as JSON where results go."""
    text = json_text(document)
    if target is None:
        sys.stdout.write(text)
    else:
        put(target, text)


def put(target: Path, text: str) -> None:
    """Write a file at once or not at all; raises :class:`BadInput` where it cannot be written."""
    try:
        write_atomically(target, text)
    except OSError as problem:
        raise BadInput(f"{target} cannot be written: {problem.strerror}") from None


def complain(sentence: str) -> None:
    """One line on standard error."""
    print("grpo-symbolic:", " ".join(sentence.split()), file=sys.stderr)
