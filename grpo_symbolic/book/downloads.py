"""What a book has from the registries of npm and Python, pinned in ``pins.json`` and cached in a folder, from which a
second build takes it. A download with another digest than the pinned one is refused.
"""

from __future__ import annotations

import hashlib
import json
import shutil
import subprocess
import sys
import tarfile
from collections.abc import Iterable, Mapping
from pathlib import Path

from grpo_symbolic.errors import BadInput

PINS: dict[str, dict[str, str]] = json.loads(Path(__file__).with_name("pins.json").read_text("utf-8"))
PLATFORM, PYTHON = "pyemscripten_2026_0_wasm32", "3.14"  # of the pinned Pyodide


def fetched(name: str, pin: Mapping[str, str], cache: Path) -> Path:
    """The file that a ``pin`` names of a package, from the folder ``cache`` or from its registry.

    Raises :class:`BadInput` where the registry has it not, or with another digest.
    """
    cache.mkdir(parents=True, exist_ok=True)
    file = cache / pin["file"]
    if not file.is_file():
        try:
            (_from_npm if pin["from"] == "npm" else _from_index)(name, pin, cache)
        except (OSError, subprocess.CalledProcessError) as problem:
            raise BadInput(f"{pin['file']} could not be had from {pin['from']}: {problem}") from None
    digest = hashlib.sha256(file.read_bytes()).hexdigest()
    if digest != pin["sha256"]:
        raise BadInput(f"{file} has the digest {digest}, and {pin['sha256']} is pinned: remove it, and build again")
    return file


def unpack(archive: Path, target: Path, wanted: Iterable[str]) -> None:
    """Write what is ``wanted`` of a package from npm into a folder: files by their names, and whole folders by names
    that end in a slash.

    Raises :class:`BadInput` where the package has not all of it.
    """
    with tarfile.open(archive) as files:
        there = {m.name.removeprefix("package/"): m for m in files if m.isfile() and ".." not in Path(m.name).parts}
        for one in wanted:
            names = [name for name in there if name == one or (one.endswith("/") and name.startswith(one))]
            if not names:
                raise BadInput(f"{archive} has no {one}")
            for name in names:
                (target / name).parent.mkdir(parents=True, exist_ok=True)
                source = files.extractfile(there[name])
                assert source is not None  # it is a file
                (target / name).write_bytes(source.read())


def _from_npm(name: str, pin: Mapping[str, str], cache: Path) -> None:
    npm = shutil.which("npm")
    if npm is None:
        raise BadInput(f"{pin['file']} comes from npm, and there is no npm here")
    wanted = [f"{name}@{pin['version']}", "--silent", "--pack-destination", str(cache)]
    subprocess.run([npm, "pack", *wanted], check=True, stdout=subprocess.DEVNULL)


def _from_index(name: str, pin: Mapping[str, str], cache: Path) -> None:
    wanted = ["--no-deps", "--only-binary=:all:", "--platform", PLATFORM, "--python-version", PYTHON]
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "--quiet", "download"]
    subprocess.run([*pip, *wanted, "--dest", cache, f"{name}=={pin['version']}"], check=True)
