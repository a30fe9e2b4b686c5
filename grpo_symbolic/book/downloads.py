"""What a book has from the registries of npm and Python, pinned in ``pins.json`` and kept in a folder, from which a
second build takes it. A download with another digest than the pinned one is refused.
"""

from __future__ import annotations

import hashlib
import json
import shutil
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

from grpo_symbolic.errors import BadInput

PINS: dict[str, dict[str, str]] = json.loads(Path(__file__).with_name("pins.json").read_text("utf-8"))
PLATFORM, PYTHON = "pyemscripten_2026_0_wasm32", "3.14"  # of the pinned Pyodide


def fetched(name: str, pin: Mapping[str, str], kept: Path) -> Path:
    """The file that a ``pin`` names of a package, from the folder ``kept`` or from its registry.

    Raises :class:`BadInput` where the registry has it not, or with another digest.
    """
    kept.mkdir(parents=True, exist_ok=True)
    file = kept / pin["file"]
    if not file.is_file():
        try:
            (_from_npm if pin["from"] == "npm" else _from_index)(name, pin, kept)
        except (OSError, subprocess.CalledProcessError) as problem:
            raise BadInput(f"{pin['file']} could not be had from {pin['from']}: {problem}") from None
    found = hashlib.sha256(file.read_bytes()).hexdigest()
    if found != pin["sha256"]:
        raise BadInput(f"{file} has the digest {found}, and {pin['sha256']} is pinned: remove it, and build again")
    return file


def _from_npm(name: str, pin: Mapping[str, str], kept: Path) -> None:
    npm = shutil.which("npm")
    if npm is None:
        raise BadInput(f"{pin['file']} comes from npm, and there is no npm here")
    wanted = [f"{name}@{pin['version']}", "--silent", "--pack-destination", str(kept)]
    subprocess.run([npm, "pack", *wanted], check=True, stdout=subprocess.DEVNULL)


def _from_index(name: str, pin: Mapping[str, str], kept: Path) -> None:
    wanted = ["--no-deps", "--only-binary=:all:", "--platform", PLATFORM, "--python-version", PYTHON]
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "--quiet", "download"]
    subprocess.run([*pip, *wanted, "--dest", kept, f"{name}=={pin['version']}"], check=True)
