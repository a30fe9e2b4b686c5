"""What several test files need once a session: the wheel of this checkout, and the folder it is installed into."""

from __future__ import annotations

import subprocess
import sys
from contextlib import suppress
from importlib import import_module
from pathlib import Path

import pytest
from checkout import ROOT

pytest_plugins = ["pytester"]

# A run forks its workers, each of which would import these for itself, at every run of every test.
for engine in ("z3", "scipy.optimize"):
    with suppress(ImportError):
        import_module(engine)


@pytest.fixture(scope="session")
def distributions(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the source distribution of this checkout, and the wheel that is built from it; no network."""
    folder = tmp_path_factory.mktemp("distributions")
    build = [sys.executable, "-m", "build", "--no-isolation", "--outdir", str(folder), str(ROOT)]
    subprocess.run(build, check=True, capture_output=True)
    return folder


@pytest.fixture(scope="session")
def wheel(distributions: Path) -> Path:
    (built,) = distributions.glob("*.whl")
    return built


@pytest.fixture(scope="session")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder into which the wheel is installed; its dependencies are those of this environment."""
    folder = tmp_path_factory.mktemp("installed")
    options = ["--quiet", "--no-deps", "--no-index", "--disable-pip-version-check", "--target", str(folder)]
    subprocess.run([sys.executable, "-m", "pip", "install", *options, str(wheel)], check=True, capture_output=True)
    return folder
