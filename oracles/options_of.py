"""The options of every release that is known, read off the trainers' own packages: what `releases/*.tsv` holds.

    python oracles/options_of.py FOLDER

FOLDER holds one folder a release, such as `trl-1.16.0` or `ms-swift-4.6.0` (an unpacked wheel) or `nemo-rl-0.7.0` and
`slime-0.3.1` (a checkout), and `transformers-5.23.0`. Nothing of theirs is run: Python is parsed, YAML is loaded. A row
is a name, the first and the last release that has it with that default, and the default as JSON, or nothing where it is
no literal.
"""

from __future__ import annotations

import ast
import json
import re
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import yaml

HERE = Path(__file__).resolve().parent.parent / "grpo_symbolic" / "trainers" / "releases"
NOTHING = object()
Found = dict[str, Any]


def main(folder: Path) -> None:
    """Write the tables of all trainers that the folder has."""
    for trainer, options in READERS.items():
        releases = sorted(folder.glob(f"{trainer}-*"), key=version)
        if releases:
            table = {r.name.removeprefix(f"{trainer}-"): options(r) for r in releases}
            (HERE / f"{trainer}.tsv").write_text("".join(rows(table)), encoding="utf-8")


def version(release: Path) -> tuple[int, ...]:
    """The numbers of a folder such as trl-1.16.0."""
    return tuple(int(n) for n in release.name.rpartition("-")[2].split("."))


def rows(table: dict[str, Found]) -> Iterator[str]:
    """The releases, and below them the lines of all options by name."""
    releases = list(table)
    yield "\t".join(["releases", *releases]) + "\n"
    for name in sorted({name for found in table.values() for name in found}):
        runs: list[list[str]] = []
        for release in releases:
            if name not in table[release]:
                continue
            default = table[release][name]
            text = "" if default is NOTHING else json.dumps(default, ensure_ascii=False)
            before = releases[releases.index(release) - 1] if releases.index(release) else None
            if runs and runs[-1][1] == before and runs[-1][2] == text:
                runs[-1][1] = release
            else:
                runs.append([release, release, text])
        for first, last, text in runs:
            yield f"{name}\t{first}\t{'' if last == releases[-1] else last}\t{text}\n"


def parsed(path: Path) -> ast.Module:
    """The syntax tree of a file."""
    return ast.parse(path.read_text(encoding="utf-8"))


def literal(node: ast.expr | None) -> Any:
    """The value of a literal, or NOTHING."""
    try:
        return NOTHING if node is None else ast.literal_eval(node)
    except ValueError:
        return NOTHING


def fields(path: Path, *names: str) -> Found:
    """The annotated fields of classes and their defaults, `field(default=…)` included."""
    found: Found = {}
    for node in ast.walk(parsed(path)):
        if isinstance(node, ast.ClassDef) and (not names or node.name in names):
            for line in node.body:
                if isinstance(line, ast.AnnAssign) and isinstance(line.target, ast.Name):
                    value = line.value
                    if isinstance(value, ast.Call):
                        value = next((k.value for k in value.keywords if k.arg == "default"), None)
                    if not line.target.id.startswith("_"):
                        found[line.target.id] = literal(value)
    return found


def flat(options: Any, before: str = "") -> Found:
    """Nested options under dotted names; interpolations and placeholders have no default."""
    found: Found = {}
    for name, value in (options or {}).items():
        if isinstance(value, dict) and value:
            found |= flat(value, f"{before}{name}.")
        else:
            said = isinstance(value, str) and ("${" in value or value == "???")
            found[f"{before}{name}"] = NOTHING if said else value
    return found


def trl(release: Path) -> Found:
    """GRPOConfig, what it inherits, and the arguments of TRL's scripts."""
    arguments = next(release.parent.glob("transformers-*")) / "transformers" / "training_args.py"
    scripts = [
        release / "trl/scripts/utils.py",
        release / "trl/scripts/grpo.py",
        release / "trl/trainer/model_config.py",
    ]
    found: Found = {}
    for path in scripts:
        if path.exists():
            found |= dict.fromkeys(fields(path), NOTHING)
    found |= dict.fromkeys(fields(arguments, "TrainingArguments"), NOTHING)
    for name in ("base_config.py", "grpo_config.py"):
        if (release / "trl/trainer" / name).exists():
            found |= fields(release / "trl/trainer" / name)
    return found


def verl(release: Path) -> Found:
    """The configuration that Hydra composes by default, which verl's packages hold composed."""
    text = (release / "verl/trainer/config/_generated_ppo_trainer.yaml").read_text(encoding="utf-8")
    return {name: value for name, value in flat(yaml.safe_load(text)).items() if not name.endswith("_target_")}


def openrlhf(release: Path) -> Found:
    """The arguments of train_ppo_ray."""
    found: Found = {}
    for node in ast.walk(parsed(next(release.rglob("cli/train_ppo_ray.py")))):
        if isinstance(node, ast.Call) and getattr(node.func, "attr", "") == "add_argument":
            keywords = {k.arg: k.value for k in node.keywords}
            absent = False if literal(keywords.get("action")) == "store_true" else None
            for name in names(node.args[0]):
                found[name.removeprefix("--")] = literal(keywords["default"]) if "default" in keywords else absent
    return found


def names(node: ast.expr) -> list[str]:
    """The name of an argument; of one that is made in the loop over the actor and the critic, both."""
    if isinstance(node, ast.JoinedStr):
        said = [part.value if isinstance(part, ast.Constant) else "{}" for part in node.values]
        return ["".join(said).format(model) for model in ("actor", "critic")]
    return [literal(node)]


def nemo_rl(release: Path) -> Found:
    """The default file of GRPO, and the keys that its types allow beside."""
    found: Found = {}
    algorithms = release / "nemo_rl/algorithms"
    losses = next(
        path for path in (algorithms / "loss/loss_functions.py", algorithms / "loss_functions.py") if path.exists()
    )
    typed = [
        (algorithms / "grpo.py", "GRPOConfig", "grpo."),
        (algorithms / "grpo.py", "AdvEstimatorConfig", "grpo.adv_estimator."),
        (algorithms / "grpo.py", "AsyncGRPOConfig", "grpo.async_grpo."),
        (algorithms / "grpo.py", "RewardScalingConfig", "grpo.reward_scaling."),
        (algorithms / "reward_functions.py", "RewardShapingConfig", "grpo.reward_shaping."),
        (losses, "ClippedPGLossConfig", "loss_fn."),
    ]
    for path, name, section in typed:
        found |= {section + own: NOTHING for own in fields(path, name)}
    default = yaml.safe_load((release / "examples/configs/grpo_math_1B.yaml").read_text(encoding="utf-8"))
    sections = {name for _, _, section in typed for name in (section.rstrip("."),)}
    return {name: value for name, value in (found | flat(default)).items() if name not in sections}


def ms_swift(release: Path) -> Found:
    """The arguments of `swift rlhf`: the fields of RLHFArguments and of all that it inherits, the nearest first; of
    what comes from transformers, which is of many versions, the names alone.
    """
    foreign = next(release.parent.glob("transformers-*")) / "transformers"
    own = [release / "swift" / name for name in ("trainers/arguments.py", "rlhf_trainers/args_mixin.py")]
    paths = [(path, "Hf") for path in foreign.glob("training_args*.py")]
    paths += [(path, "") for path in (*own, *(release / "swift/arguments").rglob("*.py"))]
    nodes = ((path, before, node) for path, before in paths for node in ast.walk(parsed(path)))
    classes = {before + n.name: (path, before, n) for path, before, n in nodes if isinstance(n, ast.ClassDef)}

    @cache
    def built(name: str) -> type:
        _, before, node = classes[name]
        bases = (before + base.id for base in node.bases if isinstance(base, ast.Name))
        return type(name, tuple(built(base) for base in bases if base in classes), {})

    found: Found = {}
    for base in reversed(built("RLHFArguments").__mro__[:-1]):
        path, before, node = classes[base.__name__]
        said = fields(path, node.name)
        found |= dict.fromkeys(said, NOTHING) if before else said
    return found


def unsloth(release: Path) -> Found:
    """GRPOConfig as unsloth rewrites it: the fields of the TRL beside it, other defaults, and fields of its own."""
    path = release / "unsloth/models/rl.py"
    found = trl(max(release.parent.glob("trl-*"), key=version))
    tables = [
        {literal(k): literal(v) for k, v in zip(node.value.keys, node.value.values, strict=True) if k is not None}
        for node in ast.walk(parsed(path))
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Dict)
        if isinstance(node.targets[0], ast.Name) and node.targets[0].id == "replacements"
    ]
    for table in tables:  # the first is for all trainers, another for GRPO
        if "num_generations" in table or "vllm_importance_sampling_correction" in table:
            found |= {name: value for name, value in table.items() if name in found}
    own = re.findall(
        r"^ +(\w+) ?: Optional\[\w+\] = field\(\s*default = (\S+),", path.read_text(encoding="utf-8"), re.M
    )
    of_sft = ("context_parallel_rotate_method",)
    return found | {name: literal(ast.parse(text, mode="eval").body) for name, text in own if name not in of_sft}


def prime_rl(release: Path) -> Found:
    """The options of `rl`: the fields of RLConfig, section below section; what a list holds has no names of its own."""
    trees = {path.stem: parsed(path) for path in (release / "packages").rglob("prime_rl/configs/*.py")}
    said: dict[tuple[str, str], ast.ClassDef | ast.expr | tuple[str, str]] = {}  # what a name is in a module
    for module, tree in trees.items():
        for node in tree.body:
            if isinstance(node, ast.ClassDef):
                said[module, node.name] = node
            elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name) and node.value is not None:
                said[module, node.target.id] = node.value
            elif isinstance(node, ast.ImportFrom):
                for name in node.names:
                    said[module, name.asname or name.name] = ((node.module or "").rpartition(".")[2], name.name)

    def sections(annotation: ast.expr, module: str) -> Iterator[tuple[str, str]]:
        """The classes that an annotation names, with their modules; imports and aliases looked up."""
        if isinstance(annotation, ast.Subscript) and getattr(annotation.value, "id", "") in ("list", "dict"):
            return
        if isinstance(annotation, ast.Name):
            named = (module, annotation.id)
            while isinstance(found := said.get(named), tuple):
                named = found
            if isinstance(found, ast.ClassDef):
                yield named
            elif found is not None:
                yield from sections(found, named[0])
        for child in ast.iter_child_nodes(annotation):
            if isinstance(child, ast.expr):
                yield from sections(child, module)

    def options(named: tuple[str, str], before: str, above: tuple[tuple[str, str], ...]) -> Found:
        found: Found = {}
        node = said[named]
        if not isinstance(node, ast.ClassDef) or named in above:
            return found
        for base in node.bases:
            for section in sections(base, named[0]):
                found |= options(section, before, above)
        for line in node.body:
            if not isinstance(line, ast.AnnAssign) or not isinstance(line.target, ast.Name):
                continue
            if "ClassVar" in ast.unparse(line.annotation):
                continue
            here, inner = f"{before}{line.target.id}", list(sections(line.annotation, named[0]))
            for section in inner:
                found = options(section, f"{here}.", (*above, named)) | found
            value = line.value
            if isinstance(value, ast.Call) and getattr(value.func, "id", "") == "Field":
                value = value.args[0] if value.args else None
            if not inner:
                found[here] = NOTHING if literal(value) is ... else literal(value)
        return found

    return options(("rl", "RLConfig"), "", ())


def slime(release: Path) -> Found:
    """The arguments that slime adds to Megatron's, by the names under which they are kept."""
    found: Found = {}
    for node in ast.walk(parsed(release / "slime/utils/arguments.py")):
        if not isinstance(node, ast.Call):
            continue
        added = getattr(node.func, "attr", "") == "add_argument"
        reset = getattr(node.func, "id", "") == "reset_arg"
        if added or reset:
            keywords = {k.arg: k.value for k in node.keywords}
            action = literal(keywords.get("action"))
            absent = {"store_true": False, "store_false": True}.get(action if isinstance(action, str) else "")
            spelt = [str(literal(word)) for word in node.args[int(reset) :] if isinstance(word, ast.Constant)]
            kept = [literal(keywords["dest"])] if "dest" in keywords else [w[2:].replace("-", "_") for w in spelt[:1]]
            found |= dict.fromkeys(kept, literal(keywords["default"]) if "default" in keywords else absent)
    return found


READERS = {
    "trl": trl,
    "verl": verl,
    "openrlhf": openrlhf,
    "nemo-rl": nemo_rl,
    "ms-swift": ms_swift,
    "slime": slime,
    "unsloth": unsloth,
    "prime-rl": prime_rl,
}

if __name__ == "__main__":
    main(Path(sys.argv[1]))
