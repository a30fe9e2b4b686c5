"""Finding result files and loading their claims: the built-in papers, and folders of a user's own."""

from __future__ import annotations

import gc
import importlib
import importlib.util
import re
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from difflib import get_close_matches
from functools import cache, partial
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any

from grpo_symbolic import derivations
from grpo_symbolic.errors import BadInput, ClaimError

if TYPE_CHECKING:
    from grpo_symbolic.proof.claims import Catalogue, Claim

PAPERS = ("vojnovic_yun", "mroueh", "patel", "bridges", "beyond")  # reading order
_PACKAGE = derivations.__name__
_REGISTRATION = re.compile(r'claim\(\s*"([^"]+)"')


def builtin_folders() -> list[Path]:
    """The folders of the built-in papers that are present, in reading order."""
    roots = [Path(p).resolve() for p in derivations.__path__]
    return [root / paper for paper in PAPERS for root in roots if (root / paper / "__init__.py").is_file()]


def folders_of(paths: Iterable[Path]) -> list[Path]:
    """The folders that the paths name (a file stands for its folder).

    Raises :class:`BadInput` for a path that is not there, or holds no result files.
    """
    found = []
    for path in paths:
        if not path.exists():
            raise BadInput(f"there is no file or folder {path}")
        if path.is_file() and path.suffix != ".py":
            raise BadInput(f"{path} is not a result file: expected a file that ends in .py, or a folder of them")
        folder = (path if path.is_dir() else path.parent).resolve()
        if path.is_dir() and not list(folder.glob("*.py")):
            inner = sorted(f.parent for f in folder.glob("*/__init__.py"))
            if not inner:
                raise BadInput(f"{path} holds no result files (*.py)")
            found += inner
        else:
            found.append(folder)
    return list(dict.fromkeys(found))


def load(paths: Iterable[Path] = ()) -> Catalogue:
    """All claims of the built-in papers, and of the given folders and files, which may depend on the papers.

    Folders of one's own that name no id of the papers are loaded alone.
    """
    chosen = [Path(p).resolve() for p in paths]
    folders = folders_of(chosen) if chosen else builtin_folders()
    builtin = builtin_folders()
    if chosen and not set(folders) & set(builtin):
        alone = _registered(folders, builtin)
        if not _speaks_of_the_papers(alone, builtin):
            alone.check_dependencies()
            return alone
    catalogue = _registered(dict.fromkeys([*builtin, *folders]), builtin)
    catalogue.check_dependencies()
    return catalogue


def _registered(folders: Iterable[Path], builtin: list[Path]) -> Catalogue:
    from grpo_symbolic.notation import known
    from grpo_symbolic.proof.claims import Catalogue

    catalogue = Catalogue()
    with _uncollected():
        for folder in folders:
            package = _package(folder, folder in builtin)
            catalogue.papers[folder.name] = _paper(package, folder)
            for module in _results(package, folder):
                for new in getattr(module, "__claims__", []):
                    catalogue.add(new, known)
    return catalogue


@contextmanager
def _uncollected() -> Iterator[None]:
    """Without the garbage collector: claims are made to stay, and it would walk all of them time and again."""
    collected = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collected:
            gc.enable()


def _speaks_of_the_papers(own: Catalogue, builtin: list[Path]) -> bool:
    """Whether an id of these claims, or one that they depend on, may be one of the papers'."""
    needed = {d for c in own.claims.values() for d in c.depends_on} - set(own.claims)
    text = "".join(f.read_text(encoding="utf-8") for folder in builtin for f in folder.glob("*.py"))
    return bool(needed) or any(f'"{id}"' in text for id in own.claims)


def find(id: str) -> Claim:
    """One claim of the built-in papers, by importing only the file that registers it where its text shows the id.

    Raises :class:`BadInput` for an unknown id.
    """
    file = _files_by_id().get(id)
    if file is not None:
        for found in getattr(_result(file), "__claims__", []):
            if found.id == id:
                return found
    claims = load().claims  # registered in a loop, perhaps
    if id not in claims:
        near = get_close_matches(id, claims, n=3)
        raise BadInput(f"there is no claim {id!r}{'; did you mean ' + ', '.join(near) + '?' if near else ''}")
    return claims[id]


def ids() -> frozenset[str]:
    """The ids that the built-in result files register in so many words; nothing is imported."""
    return frozenset(_files_by_id())


def with_dependencies(ids: Iterable[str]) -> Catalogue:
    """The built-in claims with these ids and all that they depend on, in reading order; imports only their files.

    Raises :class:`BadInput` for an unknown id.
    """
    from grpo_symbolic.notation import known
    from grpo_symbolic.proof.claims import Catalogue

    needed: dict[str, Claim] = {}
    waiting = list(ids)
    while waiting:
        id = waiting.pop()
        if id not in needed:
            needed[id] = find(id)
            waiting += needed[id].depends_on
    catalogue = Catalogue()
    for folder in builtin_folders():
        sources = {c.source for c in needed.values() if c.paper == folder.name}
        if sources:
            package = _package(folder, builtin=True)
            catalogue.papers[folder.name] = _paper(package, folder)
            for stem in (s for s in _order(package, folder) if f"{s}.py" in sources):
                for new in _result(folder / f"{stem}.py").__claims__:
                    if new.id in needed:
                        catalogue.add(new, known)
    catalogue.check_dependencies()
    return catalogue


@cache
def _files_by_id() -> dict[str, Path]:
    """Where the text of the built-in result files registers which id."""
    files = (file for folder in builtin_folders() for file in sorted(folder.glob("*.py")))
    return {id: file for file in files for id in _REGISTRATION.findall(file.read_text(encoding="utf-8"))}


def _result(file: Path) -> ModuleType:
    """The module of a built-in result file."""
    return _guarded(partial(importlib.import_module, f"{_PACKAGE}.{file.parent.name}.{file.stem}"), file)


def selected(catalogue: Catalogue, paths: Iterable[Path]) -> list[str]:
    """The ids of the claims in the given folders and files; all of them when none is given."""
    chosen = [Path(p).resolve() for p in paths]
    if not chosen:
        return list(catalogue.claims)
    folders = {f.name for path in chosen if path.is_dir() for f in folders_of([path])}
    files = {(p.parent.name, p.name) for p in chosen if p.is_file()}
    return [c.id for c in catalogue.claims.values() if c.paper in folders or (c.paper, c.source) in files]


def _package(folder: Path, builtin: bool) -> ModuleType:
    name = f"{_PACKAGE}.{folder.name}"
    if builtin:
        return importlib.import_module(name)
    loaded = sys.modules.get(name)
    if loaded is not None and Path(str(next(iter(loaded.__path__)))).resolve() != folder:
        raise BadInput(f"a paper called {folder.name!r} is already loaded; rename the folder {folder}")
    if not folder.name.isidentifier():
        raise BadInput(f"the folder name {folder.name!r} must be a Python identifier, such as my_paper")
    start = folder / "__init__.py"
    if not start.is_file():
        package = ModuleType(name)
        package.__path__ = [str(folder)]
        sys.modules[name] = package
        return package
    spec = importlib.util.spec_from_file_location(name, start, submodule_search_locations=[str(folder)])
    assert spec is not None
    assert spec.loader is not None
    package = importlib.util.module_from_spec(spec)
    sys.modules[name] = package
    _guarded(partial(spec.loader.exec_module, package), start)
    return package


def _paper(package: ModuleType, folder: Path) -> dict[str, Any]:
    return {"title": getattr(package, "TITLE", folder.name), "folder": str(folder)}


def _order(package: ModuleType, folder: Path) -> list[str]:
    present = sorted(f.stem for f in folder.glob("*.py") if f.stem != "__init__")
    order = list(getattr(package, "RESULTS", present))
    if sorted(order) != present:
        odd = ", ".join(sorted(set(order) ^ set(present)))
        raise ClaimError(f"RESULTS in {folder / '__init__.py'} and the files of the folder differ in: {odd}")
    return order


def _results(package: ModuleType, folder: Path) -> list[ModuleType]:
    return [
        _guarded(partial(importlib.import_module, f"{package.__name__}.{stem}"), folder / f"{stem}.py")
        for stem in _order(package, folder)
    ]


def _guarded(action: Callable[[], Any], file: Path) -> Any:
    """The action's result; whatever a result file raises becomes a :class:`BadInput` that names the file."""
    try:
        return action()
    except BadInput as error:
        raise ClaimError(f"{file.parent.name}/{file.name}: {error}") from error
    except (Exception, SystemExit) as error:
        raise BadInput(f"{file.parent.name}/{file.name} does not import: {type(error).__name__}: {error}") from error
