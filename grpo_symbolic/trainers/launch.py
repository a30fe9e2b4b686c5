"""Options from what launches a run: shell scripts and lines, and Python files that build a configuration.

Nothing is run. Of a shell script its assignments, quotes, ``${x:-y}`` and ``$((…))`` are followed; what the environment
or an argument would give stays as it is written. Of a Python file the arguments of ``…GRPOConfig(…)`` are taken.

>>> options_of_line("python3 -m verl.trainer.main_ppo algorithm.gamma=1 ++trainer.logger='[console]'").options
{'algorithm.gamma': 1, 'trainer.logger': ['console']}
>>> options_of_line("accelerate launch --num_processes 8 grpo.py --config run.yaml --beta 0.04 --use_vllm").config
'run.yaml'
"""

from __future__ import annotations

import ast
import operator
import re
import shlex
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from grpo_symbolic.errors import BadInput
from grpo_symbolic.scalars import Json

__all__ = ["Launch", "options_of_line", "options_of_python", "options_of_script", "unresolved"]

_PROGRAM = re.compile(
    r"main_ppo|main_dapo|train_ppo_ray|run_\w*grpo|\btrl\s+grpo\b|\bgrpo\w*\.py|accelerate launch"
    r"|\b(?:swift|megatron)\s+rlhf\b|swift/cli/rlhf\.py|python3?\s+(?:-u\s+)?\S*train(?:_async)?\.py"
)
_ASSIGNED = re.compile(r"(?:export\s+|declare\s+|local\s+)?([A-Za-z_]\w*)=(\(.*\)|[^\s].*|)")
_ARRAY = re.compile(r"\$\{(\w+)\[@\]\}")
_SOURCED = re.compile(r"(?:source|\.)\s+[\"']?(?:\$\{?\w+\}?/)?([\w./-]+\.sh)[\"']?")
_PROGRAMS = {  # those that change what is run, which count as options
    "train_async.py": r"train_async\.py\b",  # slime's: it samples the next batch while it trains on this one
    "megatron rlhf": r"\bmegatron\s+rlhf\b",  # ms-swift's other trainer
}
_OPERATORS: dict[type[ast.operator], Callable[[int, int], int]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.FloorDiv: operator.floordiv,
    ast.Div: operator.floordiv,  # as shells divide
    ast.Mod: operator.mod,
}


@dataclass(frozen=True)
class Launch:
    """The ``options`` of a line, and the file that it names beside them (``config``), if any."""

    options: dict[str, Json] = field(default_factory=dict)
    config: str | None = None


def options_of_script(path: Path) -> Launch:
    """The options of the last line of a shell script that launches a run; what it sources beside it is read too.

    Raises :class:`BadInput` where no line does, and where one takes options from an array of a file that is not there.
    """
    known: dict[str, str] = {}
    launch: Launch | None = None
    complete = True
    for line in _lines(path.read_text(encoding="utf-8")):
        asked = _SOURCED.fullmatch(line)
        if asked:
            there = _beside(path, asked[1])
            complete = complete and there is not None
            for inner in _lines(there.read_text(encoding="utf-8")) if there is not None else ():
                _assign(inner, known)
        elif not _assign(line, known) and _launches(line):
            unset = dict.fromkeys(_ARRAY.findall(line), "") if complete else {}
            launch = options_of_line(line, unset | known)
    if launch is None:
        raise BadInput(f"{path} launches no trainer that is known here")
    return launch


def _assign(line: str, known: dict[str, str]) -> bool:
    """Whether the line gives a variable its value, which is then known."""
    assigned = _ASSIGNED.fullmatch(line)
    if assigned is None or _launches(line.partition("=")[2]):
        return False
    known[assigned[1]] = _value(assigned[2], known)
    return True


def _beside(script: Path, name: str) -> Path | None:
    """The file that a script sources, from its own folder or one above, by as much of its path as is there."""
    parts = [part for part in Path(name).parts if part not in ("/", ".", "..")]
    tails = [Path(*parts[k:]) for k in range(len(parts))]
    folders = script.resolve().parents
    return next((folder / tail for tail in tails for folder in folders if (folder / tail).is_file()), None)


def _launches(line: str) -> bool:
    return bool(_PROGRAM.search(line))


def _lines(text: str) -> Iterator[str]:
    """The commands of a script: comments gone; continued lines, arrays in parentheses and open quotes in one."""
    joined = re.sub(r"\\\s*(\n|$)", " ", _uncommented(text))
    waiting = ""
    for line in joined.splitlines():
        waiting = f"{waiting} {line.strip()}".strip()
        if waiting and _closed(waiting):
            yield waiting
            waiting = ""
    if waiting:
        yield waiting


def _uncommented(text: str) -> str:
    """The text without what stands behind a # that begins a word outside quotes, line by line."""
    bare, quote, escaped, comment = [], "", False, False
    for before, letter in zip(f"\n{text}", text, strict=False):
        comment = letter != "\n" and (comment or (letter == "#" and not quote and not escaped and before.isspace()))
        if comment:
            continue
        bare.append(letter)
        if escaped or letter == "\\":
            escaped = not escaped and quote != "'"
        elif letter in ("'", '"') and quote in ("", letter):
            quote = "" if quote else letter
    return "".join(bare)


def _closed(line: str) -> bool:
    try:
        shlex.split(line)
    except ValueError:
        return False
    return not re.match(r"\w+\+?=\(", line) or line.endswith(")")


def _value(text: str, known: Mapping[str, str]) -> str:
    if text.startswith("(") and text.endswith(")"):
        return _expanded(text[1:-1], known)
    expanded = _expanded(text, known)
    try:
        parts = shlex.split(expanded)
    except ValueError:
        return expanded
    return parts[0] if len(parts) == 1 else " ".join(parts)


def _expanded(text: str, known: Mapping[str, str]) -> str:
    """The text with the variables that are known, and arithmetic of them, put in."""
    text = re.sub(r"\"?\$\{(\w+)\[@\]\}\"?", lambda m: known.get(m[1], m[0]), text)
    text = re.sub(r"\$\{(\w+):?-([^{}]*)\}", lambda m: known.get(m[1], m[2].strip("\"'")), text)
    text = re.sub(r"\$\{(\w+)\}|\$(\w+)", lambda m: known.get(m[1] or m[2], m[0]), text)
    return re.sub(r"\$\(\((.*?)\)\)", lambda m: _arithmetic(m[1], known, m[0]), text)


def _arithmetic(text: str, known: Mapping[str, str], written: str) -> str:
    def of(node: ast.expr) -> int:
        if isinstance(node, ast.Constant) and isinstance(node.value, int):
            return node.value
        if isinstance(node, ast.Name):
            return int(known[node.id])
        if isinstance(node, ast.BinOp):
            return _OPERATORS[type(node.op)](of(node.left), of(node.right))
        raise KeyError

    try:
        return str(of(ast.parse(text.strip(), mode="eval").body))
    except (KeyError, SyntaxError, ValueError, ZeroDivisionError):
        return written


def options_of_line(line: str, known: Mapping[str, str] | None = None) -> Launch:
    """The options of one line: ``a.b=c`` as Hydra reads them (with ``+``, ``++``, ``~``), ``--name value``,
    ``--name=value`` and ``--flag``, with _ for - in names; ``known``: variables of the shell. That slime's
    ``train_async.py`` or ``megatron rlhf`` is what starts is an option as well.

    Raises :class:`BadInput` where quotes do not close, and for options in an array that is not known.
    """
    try:
        words = shlex.split(_expanded(_uncommented(line), known or {}))
    except ValueError as problem:
        raise BadInput(f"the line cannot be read: {problem}") from None
    for word in words:
        if _ARRAY.fullmatch(word):
            raise BadInput(f"the line takes options from {word}, which is given nowhere beside it")
    launch = _parsed(_after_start(words))
    launch.options.update({name: True for name, pattern in _PROGRAMS.items() if re.search(pattern, " ".join(words))})
    return launch


def _after_start(words: list[str]) -> list[str]:
    """What stands behind the program that trains: what stands before it is for whoever launches it."""
    for k, word in enumerate(words):
        if (word, *words[k + 1 : k + 2]) in (("trl", "grpo"), ("swift", "rlhf"), ("megatron", "rlhf")):
            return words[k + 2 :]
        if re.search(r"(main_ppo|main_dapo|train_ppo_ray)(\.py)?$", word) or re.search(r"(grpo|train)\w*\.py$", word):
            return words[k + 1 :]
    return next((words[k + 1 :] for k, word in enumerate(words) if word.endswith(".py")), words)


def _parsed(words: list[str]) -> Launch:
    options: dict[str, Json] = {}
    paths: dict[str, str] = {}
    k = 0
    while k < len(words):
        word = words[k]
        k += 1
        if word in ("&", "&&", "|", "2>&1", ";") or word.startswith((">", "2>")):
            break
        if word.startswith("--"):
            name, equals, text = word[2:].partition("=")
            values = [text] if equals else []
            while not equals and k < len(words) and not _starts_option(words[k]):
                values.append(words[k])
                k += 1
            if name in ("config", "config-path", "config_path", "config-name", "config_name"):
                paths[name.replace("_", "-")] = values[0] if values else ""
            else:
                several = [_yaml(value) for value in values]
                options[name.replace("-", "_")] = several if len(several) > 1 else (several or [True])[0]
        elif "=" in word and not word.startswith("$"):
            name, _, text = word.partition("=")
            if name.startswith("~"):
                options.pop(name[1:], None)
            else:
                options[name.strip().lstrip("+")] = _yaml(text)
    return Launch(options, _config(paths))


def _starts_option(word: str) -> bool:
    return word.startswith(("--", ">", "2>", "|", "&")) or bool(re.match(r"\+{0,2}[A-Za-z_][\w.]*=", word))


def _config(paths: Mapping[str, str]) -> str | None:
    if "config" in paths:
        return paths["config"]
    if "config-name" in paths and "config-path" in paths:  # a name alone is one of the trainer's own package
        return f"{paths['config-path']}/{paths['config-name'].removesuffix('.yaml')}.yaml"
    return None


def _yaml(text: str) -> Json:
    import yaml

    try:
        value: Json = yaml.safe_load(text)
    except yaml.YAMLError:
        return text
    return value


def options_of_python(path: Path) -> dict[str, Json]:
    """The keyword arguments of the ``GRPOConfig(…)``, or of a class whose name ends so, that a Python file builds;
    names that the file gives a literal are put in, and what is computed stays as it is written, behind a $.

    Raises :class:`BadInput` where the file is no Python or builds none.
    """
    try:
        tree = ast.parse(path.read_text(encoding="utf-8"))
    except (SyntaxError, ValueError, UnicodeDecodeError) as problem:
        raise BadInput(f"{path} is no Python: {problem}") from None
    names: dict[str, Json] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Assign) and len(node.targets) == 1 and isinstance(node.targets[0], ast.Name):
            names[node.targets[0].id] = _literal(node.value, {})
    calls = [n for n in ast.walk(tree) if isinstance(n, ast.Call) and _called(n.func).endswith("GRPOConfig")]
    if not calls:
        raise BadInput(f"{path} builds no GRPOConfig(…)")
    if any(keyword.arg is None for keyword in calls[-1].keywords):
        raise BadInput(f"{path} builds its GRPOConfig from a mapping, which only running it would tell")
    return {str(k.arg): _literal(k.value, names) for k in calls[-1].keywords}


def _called(node: ast.expr) -> str:
    return node.id if isinstance(node, ast.Name) else node.attr if isinstance(node, ast.Attribute) else ""


def _literal(node: ast.expr, names: Mapping[str, Json]) -> Json:
    if isinstance(node, ast.Name) and node.id in names:
        return names[node.id]
    try:
        value: Json = ast.literal_eval(node)
    except (ValueError, TypeError):
        return f"$({ast.unparse(node)})"
    return list(value) if isinstance(value, tuple) else value


def unresolved(options: Mapping[str, Json], names: Iterable[str]) -> list[str]:
    """Those of the names whose value only the shell, or a run of the file, would tell."""
    return [name for name in names if isinstance(options.get(name), str) and "$" in str(options[name])]
