"""Python for the reader's browser: Pyodide and python-flint, pinned and had from the registries when the book is built
(:mod:`grpo_symbolic.book.downloads`); SymPy, mpmath and this package as they stand where it is built.

    python -m grpo_symbolic.book.live.runtime FOLDER LEDGER [CACHE]

writes all that the live pages load into a folder, and what was downloaded into another, from which a second build takes
it.
"""

from __future__ import annotations

import hashlib
import json
import shutil
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Iterator, Mapping
from importlib.metadata import distribution
from pathlib import Path

from grpo_symbolic import catalogue
from grpo_symbolic.book.downloads import PINS, fetched, unpack
from grpo_symbolic.book.live import drawing
from grpo_symbolic.errors import BadInput
from grpo_symbolic.ledger import Ledger
from grpo_symbolic.setting import PenaltyName
from grpo_symbolic.theory.point import COMPLETE, DIVERGENCES, GUARDED, NORMALISERS, PLACES, WEIGHTS
from grpo_symbolic.trainers.config import TRAINERS

HERE = Path(__file__).parent
PYODIDE = ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "python_stdlib.zip", "pyodide-lock.json")
PURE = ("sympy", "mpmath", "lazy-loader", "pyyaml")
_LEFT_OUT = {"tests", "test", "benchmarks", "__pycache__"}


def build(target: Path, ledger: Path, cache: Path) -> None:
    """Write the files of the live pages into ``target``, unless they are there already for these very sources.

    Raises :class:`BadInput` where a registry does not have a pinned file, there is no Node.js or npm, or no ledger.
    """
    stamp = _stamp(ledger)
    if (target / "stamp").is_file() and (target / "stamp").read_text() == stamp:
        return
    archive, wheel = (fetched(name, PINS[name], cache) for name in ("pyodide", "python-flint"))
    shutil.rmtree(target, ignore_errors=True)
    target.mkdir(parents=True)
    unpack(archive, target, PYODIDE)
    _site(target, wheel)
    for file in (HERE / "static").iterdir():
        shutil.copyfile(file, target / file.name)
    (target / "curves.mjs").write_text(drawing.module(), "utf-8")
    (target / "choices.mjs").write_text(choices(), "utf-8")
    (target / "verdicts.json").write_text(_verdicts(ledger), "utf-8")
    (target / "stamp").write_text(stamp)


def choices() -> str:
    """An ECMAScript module with what the page Explore can choose from, which normalisers have a guard, and which
    divergences have no place and no weight.
    """
    # KL(π‖π_ref) and KL(π_ref‖π) come first, no divergence last
    divergences = sorted(DIVERGENCES, key=lambda name: (name is PenaltyName.NONE, name not in COMPLETE))
    words = {"normaliser": NORMALISERS, "divergence": divergences, "place": PLACES, "weighted": WEIGHTS}
    chosen = {"group_size": map(str, drawing.SIZES), **words, "trainer": TRAINERS}
    named = {"CHOICES": {k: list(v) for k, v in chosen.items()}, "GUARDED": GUARDED, "COMPLETE": list(COMPLETE)}
    return "".join(f"export const {name} = {json.dumps(of)};\n" for name, of in named.items())


def _site(target: Path, wheel: Path) -> None:
    """The packages as two archives, with the byte code of what is imported at once: ``pure.zip``, from which Python
    imports as it is, and ``site.zip``, which has to be unpacked.
    """
    pure, own = list(_pure()), [*_flint(wheel), *_own()]
    with tempfile.TemporaryDirectory() as folder:
        plain, compiled = Path(folder, "plain.zip"), Path(folder, "compiled.zip")
        _pack(plain, dict([*pure, *own]))
        try:
            subprocess.run([_node(), HERE / "prepare.mjs", target.resolve(), plain, compiled], check=True)
        except subprocess.CalledProcessError:
            raise BadInput("Python for the browser does not run the package: see what Node.js says above") from None
        with zipfile.ZipFile(compiled) as made:
            code = {name: made.read(name) for name in made.namelist()}
    sources = dict(pure)
    for name, body in code.items():
        folder, _, file = name.partition("/__pycache__/")
        source = f"{folder}/{file.partition('.')[0]}.py"
        if sources.pop(source, None) is not None:  # in an archive Python looks for byte code in the place of its source
            sources[f"{source}c"] = body
    _pack(target / "pure.zip", sources)
    _pack(target / "site.zip", {**dict(own), **{n: c for n, c in code.items() if n.startswith("grpo_symbolic")}})


def _pack(file: Path, entries: Mapping[str, bytes]) -> None:
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, body in entries.items():
            archive.writestr(zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0)), body, zipfile.ZIP_DEFLATED)


def _pure() -> Iterator[tuple[str, bytes]]:
    """The packages in Python alone, as they are installed here."""
    for name in PURE:
        for file in distribution(name).files or ():
            wanted = file.suffix == ".py" or file.name == "METADATA"
            if wanted and not _LEFT_OUT & set(file.parts) and ".." not in file.parts:
                yield file.as_posix(), Path(str(file.locate())).read_bytes()


def _flint(wheel: Path) -> Iterator[tuple[str, bytes]]:
    with zipfile.ZipFile(wheel) as files:
        for name in files.namelist():
            if not _LEFT_OUT & set(Path(name).parts) and not name.endswith((".pyx", ".pxd", ".pyi")):
                yield name, files.read(name)


def _own() -> Iterator[tuple[str, bytes]]:
    """This package, with its result files, their proofs and their index, as in its wheel."""
    root = HERE.parents[1]
    for file in sorted(root.rglob("*")):
        place = file.relative_to(root.parent)
        if file.is_file() and "__pycache__" not in place.parts and file.name != "index.json":
            yield place.as_posix(), file.read_bytes()
    for folder in catalogue.builtin_folders():
        for file in sorted(f for kind in ("py", "proofs", "v") for f in folder.glob(f"*.{kind}")):
            yield f"grpo_symbolic/derivations/{folder.name}/{file.name}", file.read_bytes()
    yield "grpo_symbolic/derivations/index.json", json.dumps(catalogue.index().to_json(), ensure_ascii=False).encode()
    yield "grpo_symbolic-0.dist-info/METADATA", (distribution("grpo-symbolic").read_text("METADATA") or "").encode()


def _node() -> str:
    """Where Node.js is on this machine."""
    node = shutil.which("node")
    if node is None:
        raise BadInput("Python for the browser is prepared by Node.js, and there is no node here")
    return node


def _verdicts(ledger: Path) -> str:
    claims = Ledger.read(ledger).claims
    return json.dumps({c.id: [c.title, c.verdict, c.weakest.name] for c in claims}, ensure_ascii=False)


def _stamp(ledger: Path) -> str:
    """Changes with whatever is put together."""
    digest = hashlib.sha256(ledger.read_bytes() if ledger.is_file() else b"")
    folders = [HERE.parents[1], *catalogue.builtin_folders()]
    for file in sorted(f for folder in folders for f in folder.rglob("*") if f.is_file()):
        if "__pycache__" not in file.parts:
            digest.update(file.read_bytes())
    return digest.hexdigest() + "".join(f" {distribution(name).version}" for name in PURE)


def main(arguments: list[str]) -> int:
    """Build; where that fails, one sentence, and the book has no live part."""
    target, ledger, store = map(Path, [*arguments, "book/_build/live-kept"][:3])
    try:
        build(target, ledger, store)
    except BadInput as reason:
        shutil.rmtree(target, ignore_errors=True)
        print(f"the book is built without its live part: {reason}", file=sys.stderr)
    return 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
