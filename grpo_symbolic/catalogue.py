"""Finding result files and loading their claims: the built-in papers, and folders of a user's own."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

from grpo_symbolic import derivations
from grpo_symbolic.errors import BadInput, ClaimError, Slips, sentences_of
from grpo_symbolic.files import place_of
from grpo_symbolic.index import FileListing, Index, named_results, read, result_files
from grpo_symbolic.sandbox import claims_of
from grpo_symbolic.slips import lines_of, slips_of

if TYPE_CHECKING:
    from grpo_symbolic.proof.claims import Claim
    from grpo_symbolic.proof.registration import Catalogue

__all__ = [
    "PAPERS",
    "builtin_folders",
    "files_of",
    "find",
    "folders_of",
    "ids",
    "index",
    "load",
    "root",
    "selected",
    "with_dependencies",
]

PAPERS = ("vojnovic_yun", "mroueh", "patel", "liu", "bridges", "beyond", "trainers")  # reading order


def builtin_folders() -> list[Path]:
    """The folders of the built-in papers that are present, in reading order."""
    roots = [Path(p).resolve() for p in derivations.__path__]
    return [root / paper for paper in PAPERS for root in roots if (root / paper / "__init__.py").is_file()]


def root() -> Path:
    """The folder of the built-in papers."""
    return next(Path(p).resolve() for p in derivations.__path__ if (Path(p) / PAPERS[0] / "__init__.py").is_file())


def folders_of(paths: Iterable[Path]) -> list[Path]:
    """The folders that the paths name (a file stands for its folder).

    Raises :class:`BadInput` for a path that is not there, or holds no result files.
    """
    folders = []
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
            folders += inner
        else:
            folders.append(folder)
    return list(dict.fromkeys(folders))


def index(paths: Iterable[Path] = (), cached: Mapping[str, FileListing] | None = None) -> Index:
    """The index of the built-in papers and of the folders that the paths name.

    Raises :class:`BadInput` for two folders of one name.
    """
    named: dict[str, Path] = {}
    for folder in [*builtin_folders(), *folders_of(paths)]:
        if named.setdefault(folder.name, folder) != folder:
            raise BadInput(f"a paper called {folder.name!r} is already there; rename the folder {folder}")
    return Index.of(named.values(), cached)


def files_of(paths: Iterable[Path] = ()) -> list[Path]:
    """The result files that the paths name, in reading order; those of the built-in papers when there are none.

    Raises :class:`ClaimError` where ``RESULTS`` of a folder and its files differ.
    """
    files: list[Path] = []
    for path in [Path(p).resolve() for p in paths] or builtin_folders():
        folders = [path] if path.is_file() else folders_of([path])
        files += [path] if path.is_file() else [file for folder in folders for file in _ordered(folder)]
    return list(dict.fromkeys(files))


OnLoaded = Callable[[Sequence["Claim"]], None]


def load(
    paths: Iterable[Path] = (), listed: Index | None = None, on_loaded: OnLoaded = lambda claims: None
) -> Catalogue:
    """The claims of these files and folders (of the built-in papers when there are none) and all that they depend on.

    Only the files that it takes are run: those named, those with a claim that is depended on, and what they import.
    ``listed`` is the index of the paths, where it has been read; ``on_loaded`` hears of the claims of each file when it
    has run. Raises :class:`Slips` with all that is wrong, before any other file is run, where the text of a file shows
    a dependency that is nowhere registered or an id that is taken.
    """
    chosen = [Path(p).resolve() for p in paths]
    return _loaded(files_of(chosen), listed or index(chosen), chosen, on_loaded=on_loaded)


def with_dependencies(ids: Iterable[str], paths: Iterable[Path] = (), listed: Index | None = None) -> Catalogue:
    """The claims with these ids and all that they depend on, in reading order; only their files are run.

    The ids are those of the built-in papers, or of the folders that the paths name. ``listed`` is the index of the
    paths, where it has been read. Raises :class:`BadInput` for an unknown id.
    """
    chosen, wanted = [Path(p).resolve() for p in paths], list(ids)
    listed = listed or index(chosen)
    for id in wanted:
        listed.check(id)
    return _loaded(_files(listed, wanted, chosen), listed, chosen, wanted)


def find(id: str) -> Claim:
    """One claim of the built-in papers; only its own file is run. Raises :class:`BadInput` for an unknown id."""
    listed = index()
    listed.check(id)
    for file in _files(listed, [id], []):
        for claim in _claims_of(file, {}):
            if claim.id == id:
                return claim
    raise BadInput(f"there is no claim {id!r}{listed.meant(id)}")


def _loaded(
    files: list[Path],
    listed: Index,
    paths: list[Path],
    wanted: Sequence[str] | None = None,
    on_loaded: OnLoaded = lambda claims: None,
) -> Catalogue:
    """The claims of the files, or only the wanted ones, and what they depend on."""
    from grpo_symbolic.notation import known, printed
    from grpo_symbolic.proof.registration import Catalogue

    _check_ids(listed, files)
    run: dict[Path, list[Claim]] = {}
    imported: dict[str, str] = {}
    broken: list[str] = []
    for file in files:
        try:
            run[file] = _claims_of(file, imported)
            on_loaded(run[file])
        except BadInput as refusal:
            broken += sentences_of(refusal)
    if broken and not run:
        raise Slips(broken)
    needed = {c.id for mine in run.values() for c in mine} if wanted is None else set(wanted)
    pending = set(needed)
    while pending:
        for file in _files(listed, pending, paths):
            if file not in run:
                run[file] = _claims_of(file, imported)
        there = {c.id: c for mine in run.values() for c in mine}
        pending = {d for id in pending if id in there for d in there[id].depends_on} - needed
        needed |= pending
    catalogue = Catalogue(imported=imported, broken=broken)
    slips: list[str] = []
    for file in sorted(run, key=_place(paths)):
        if file in files or any(c.id in needed for c in run[file]):
            title, _ = listed.papers[file.parent.name]
            catalogue.papers[file.parent.name] = {"title": title, "folder": str(file.parent)}
        for new in run[file]:
            if new.id in needed:
                try:
                    catalogue.add(new, known, printed)
                except ClaimError as refusal:
                    slips += [f"{place_of(file)}: {s}" for s in sentences_of(refusal)]
    if slips:
        raise Slips(slips)
    for id in wanted or ():
        if id not in catalogue.claims:
            raise BadInput(f"there is no claim {id!r}{listed.meant(id)}")
    catalogue.check_dependencies()
    return catalogue


def _check_ids(listed: Index, files: list[Path]) -> None:
    """Raise :class:`Slips` for what the text alone shows to be wrong in these files: an id that is registered in
    another file too, a dependency that is registered nowhere; and then for what else is wrong in the same files.
    """
    own = {place_of(file): file for file in files}
    slips: dict[Path, list[str]] = {}
    first: dict[str, str] = {}
    for place, file_listing in listed.files.items():
        for c in file_listing.claims:
            other = first.setdefault(c.id, place)
            if other != place and {place, other} & set(own):
                slip = f"the claim id {c.id!r} is registered twice: in {other} and in {place}"
                slips.setdefault(own.get(place) or own[other], []).append(slip)
            for needed in c.depends_on if place in own else ():
                if needed not in listed.listings and not listed.unread:
                    where = f"which is not registered{listed.meant(needed)}"
                    line = "".join(f" (line {n})" for n in lines_of(own[place]).get(c.id, [])[-1:])
                    slip = f"the claim {c.id!r} depends on {needed!r}, {where} ({place}){line}"
                    slips.setdefault(own[place], []).append(slip)
    for file, sentences in slips.items():
        try:
            _claims_of(file, {})
        except BadInput as refusal:
            sentences += sentences_of(refusal)
    if slips:
        raise Slips(s for sentences in slips.values() for s in sentences)


def _files(listed: Index, ids: Iterable[str], paths: list[Path]) -> list[Path]:
    """The files that register these ids, and for ids that no text shows those that show not all that they register."""
    folders = {f.name: f for f in [*builtin_folders(), *folders_of(paths)]}
    places, hidden = [], False
    for id in ids:
        if id in listed.listings:
            places.append(listed.listings[id].place)
        else:
            hidden = True
    split = (place.split("/") for place in [*places, *(listed.unread if hidden else [])])
    return sorted({folders[paper] / name for paper, name in split}, key=_place(paths))


def _place(paths: list[Path]) -> Callable[[Path], tuple[int, int]]:
    """Reading order."""
    folders = list(dict.fromkeys([*builtin_folders(), *folders_of(paths)]))
    order = {file: (n, k) for n, folder in enumerate(folders) for k, file in enumerate(result_files(folder))}
    return lambda file: order.get(file, (len(folders), 0))


def _claims_of(file: Path, imported: dict[str, str]) -> list[Claim]:
    """The claims that a file registers; this runs it, and what it imports: a file of one's own in a sandbox
    (:mod:`grpo_symbolic.sandbox`), of which the digests of what it imported are noted.

    Raises :class:`ClaimError` for a claim of its text that it does not register.
    """
    if file.parent in builtin_folders():
        claims = _run(file)
    else:
        loaded = claims_of(file, _module(file), partial(_run, file))
        imported.update(loaded.imported)
        claims = list(loaded.claims)
    registered = {c.id for c in claims}
    for listing in read(file.parent.name, file.name, file.read_bytes()).claims:
        if listing.id not in registered:
            raise ClaimError(
                f"the claim {listing.id!r} is not registered by its file: bind claim = Result(__file__).claim first "
                f"({place_of(file)})"
            )
    return claims


def _run(file: Path) -> list[Claim]:
    """What a result file registers, imported as a module of :mod:`grpo_symbolic.derivations`."""
    from grpo_symbolic.proof.registration import registered

    folder, root = file.parent, str(file.parent.parent)
    if not folder.name.isidentifier():
        raise BadInput(f"the folder name {folder.name!r} must be a Python identifier, such as my_paper")
    if root not in derivations.__path__:
        derivations.__path__.append(root)
    module = _module(file)
    _guarded(partial(import_module, module.rpartition(".")[0]), folder / "__init__.py")
    return registered(_guarded(partial(import_module, module), file))


def _module(file: Path) -> str:
    return f"{derivations.__name__}.{file.parent.name}.{file.stem}"


def _ordered(folder: Path) -> list[Path]:
    files, named = result_files(folder), named_results(folder)
    if named is not None and named != [f.stem for f in files]:
        stems = {f.stem for f in files}
        differences = [f"names {name}, of which there is no file" for name in sorted(set(named) - stems)]
        differences += [f"does not name {name}.py" for name in sorted(stems - set(named))]
        differences += [f"names {name} twice" for name in sorted(set(named)) if named.count(name) > 1]
        raise ClaimError(f"RESULTS in {folder / '__init__.py'} {' and '.join(differences)}")
    return files


def ids() -> frozenset[str]:
    """The ids of the built-in claims, as the index has them; no result file is run."""
    return frozenset(index().listings)


def selected(catalogue: Catalogue, paths: Iterable[Path]) -> list[str]:
    """The ids of the claims in the given folders and files; all of them when none is given."""
    chosen = [Path(p).resolve() for p in paths]
    if not chosen:
        return list(catalogue.claims)
    folders = {f.name for path in chosen if path.is_dir() for f in folders_of([path])}
    files = {(p.parent.name, p.name) for p in chosen if p.is_file()}
    return [c.id for c in catalogue.claims.values() if c.paper in folders or (c.paper, c.source) in files]


def _guarded(action: Callable[[], Any], file: Path) -> Any:
    """The action's result; whatever a result file raises becomes a :class:`BadInput` that names the file."""
    try:
        return action()
    except (Exception, SystemExit) as error:
        raise Slips(slips_of(error, file)) from error


def __dir__() -> list[str]:
    return list(__all__)
