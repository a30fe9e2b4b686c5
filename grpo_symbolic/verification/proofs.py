"""The proofs that are kept beside a result file: ``eq14.proofs`` beside ``eq14.py``.

Plain text, one thing a line, sorted, so that an edit shows the proofs of that edit and two people's edits merge: a line
``o KEY METHOD USES ALSO [POINT]`` for an obligation, and a line ``q DIGEST TEXT`` for a query, whose text is a
certificate or a recipe. Nothing in such a file is believed: it is replayed (:mod:`grpo_symbolic.proof.proving`).

Where the folder of a result file cannot be written, as that of an installed package, what is found is kept in the
store, and read from both.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from grpo_symbolic import headlines
from grpo_symbolic.errors import BadInput
from grpo_symbolic.files import place_of, writable, write_atomically
from grpo_symbolic.proof.proving import ASKED, Proof

HEAD = "# proofs, version 1: written by grpo-symbolic verify, replayed and not believed"
MOST = 32 << 20  # bytes of one file; that of the largest result file has a hundredth of it
_LINE = re.compile(r"(?:o [0-9a-f]{24} [a-z0-9-]+ \S+ \S+(?: \S.*)?|q [0-9a-f]{20} \S.*)")

_VERSION = re.compile(r"[0-9a-z.+-]+")


def key_of(key: str) -> str:
    """How a proofs file names an obligation: the beginning of its digest."""
    return key[:24]


@dataclass
class StoredProofs:
    """The stored proofs of one result file: those of its obligations by key, and those of queries by digest."""

    proofs: dict[str, Proof] = field(default_factory=dict)
    texts: dict[str, str] = field(default_factory=dict)

    def add(self, key: str, proof: Proof, texts: Mapping[str, str]) -> None:
        """Keep a proof, with those of the queries that it uses, of which the shorter one stays."""
        self.proofs[key_of(key)] = proof
        for name in proof.uses:
            self.texts[name] = min(filter(None, (self.texts.get(name), texts[name])), key=_cost)

    def only(self, keys: Iterable[str]) -> StoredProofs:
        """What concerns these obligations."""
        wanted = set(map(key_of, keys))
        proofs = {key: proof for key, proof in self.proofs.items() if key in wanted}
        used = {name for proof in proofs.values() for name in proof.uses}
        return StoredProofs(proofs, {name: text for name, text in self.texts.items() if name in used})

    def updated(self, other: StoredProofs) -> StoredProofs:
        """With what another one has, which counts where both have something."""
        return StoredProofs({**self.proofs, **other.proofs}, {**self.texts, **other.texts})

    @property
    def text(self) -> str:
        """The lines of the file; empty where nothing is kept."""
        lines = [f"q {name} {text}" for name, text in self.texts.items()]
        for key, p in self.proofs.items():
            also = ",".join(name.replace(" ", "_") for name in p.also)
            lines.append(" ".join(["o", key, p.method, ",".join(p.uses) or "-", also or "-", p.point]).rstrip())
        return "\n".join([HEAD, *sorted(lines), ""]) if lines else ""

    @classmethod
    def read(cls, text: str, place: str) -> StoredProofs:
        """What the lines of a file say. Raises :class:`BadInput` for a file of another format, and for a line that is
        cut off.
        """
        head, *lines = text.split("\n")
        if head != HEAD or lines[-1:] != [""]:
            raise BadInput(f"{place} is no file of proofs, or not the whole of one: run verify to write it again")
        proofs = cls()
        for number, line in enumerate(lines[:-1], start=2):
            if not _LINE.fullmatch(line):
                raise BadInput(f"{place}, line {number}, is no line of proofs: {line[:60]!r}; run verify to mend it")
            if line.startswith("q "):
                _, name, body = line.split(" ", 2)
                proofs.texts[name] = body
                continue
            _, key, method, uses, also, *point = line.split(" ", 5)
            opinions = tuple(name.replace("_", " ") for name in _listed(also))
            for engine, _, version in (name.partition(" ") for name in opinions):
                if engine not in ASKED or not _VERSION.fullmatch(version):
                    raise BadInput(f"{place}, line {number}, speaks of an engine that nobody asks: {engine} {version}")
            proofs.proofs[key] = Proof(method, _listed(uses), "".join(point), opinions)
        return proofs


def _listed(words: str) -> tuple[str, ...]:
    return () if words == "-" else tuple(words.split(","))


def _cost(text: str) -> tuple[bool, int]:
    """Certificates before recipes, short ones first."""
    return (text.startswith("!"), len(text))


@dataclass
class Library:
    """The proofs of result files (``paper/name.py``).

    Args:
        folders: the folders of the papers, by name.
        beside: a folder for proofs that cannot be written beside their result file.
    """

    folders: Mapping[str, Path]
    beside: Path
    damaged: dict[str, str] = field(default_factory=dict)  # the places whose files cannot be used, and why
    stale: list[str] = field(default_factory=list)  # what is printed beside a result file and is not what it says
    _known: dict[str, StoredProofs] = field(default_factory=dict)

    def of(self, place: str) -> StoredProofs:
        """The stored proofs of a result file; none, and a reason in ``damaged``, where its file cannot be used."""
        if place not in self._known:
            self._known[place] = self._read(self._file(place), place).updated(self._read(self._other(place), place))
        return self._known[place]

    def claims(self, place: str) -> str:
        """What is kept of the claims of a result file beside it, as text; nothing where there is no such file."""
        file = self._file(place).with_suffix(headlines.SUFFIX)
        try:
            return file.read_text("utf-8") if file.stat().st_size <= MOST else ""
        except (OSError, UnicodeDecodeError):
            return ""

    def digest(self, place: str) -> str:
        """The digest of the text of a result file."""
        return headlines.digest(place, self._file(place).with_suffix(".py").read_bytes())

    def record(self, place: str, text: str, compare: bool = False) -> None:
        """Keep the claims of a result file beside it; only ``compare`` them with what is kept there."""
        file = self._file(place).with_suffix(headlines.SUFFIX)
        if self.claims(place) != text:
            stale = f"{place_of(file)} is not what {file.stem}.py says: run grpo-symbolic verify, and commit it"
            self._put(file, text, stale if compare else "")

    def record_code(self, folder: Path, digest: str, compare: bool = False) -> None:
        """Note in the folder of the built-in papers which code has read them, or compare it with what is noted."""
        if headlines.noted_code(folder) != digest:
            stale = f"{headlines.CODE} is of other code than this: run grpo-symbolic verify, and commit it"
            self._put(folder / headlines.CODE, f"{digest}\n", stale if compare else "")

    def _put(self, file: Path, text: str, stale: str) -> None:
        """Write a file that is not as it should be, or note why it is ``stale``."""
        if stale:
            self.stale.append(stale)
        elif writable(file.parent):
            try:
                write_atomically(file, text)
            except OSError as problem:
                self.stale.append(f"{file.name} cannot be written: {problem.strerror}")

    def keep(self, place: str, new_proofs: StoredProofs, keys: Iterable[str] | None = None) -> None:
        """Add what a run has found of a result file; with ``keys``, only what concerns these obligations stays."""
        file = self._file(place)
        target = file if writable(file.parent) else self._other(place)
        now = self._read(target, place)  # not from memory: another run may have added to it
        new = now.updated(new_proofs)
        if keys is not None:
            new = new.only(keys)
        if new.text != now.text:
            write_atomically(target, new.text)
            self._known.pop(place, None)

    def _file(self, place: str) -> Path:
        paper, name = place.split("/")
        return (self.folders[paper] / name).with_suffix(".proofs")

    def _other(self, place: str) -> Path:
        return (self.beside / place).with_suffix(".proofs")

    def _read(self, file: Path, place: str) -> StoredProofs:
        try:
            if file.stat().st_size > MOST:
                raise BadInput(f"{file.name} has more than {MOST >> 20} MB, which no file of proofs has")
            return StoredProofs.read(file.read_text("utf-8"), f"{place.split('/')[0]}/{file.name}")
        except FileNotFoundError:
            return StoredProofs()
        except (BadInput, UnicodeDecodeError) as reason:
            self.damaged[place] = str(reason) if isinstance(reason, BadInput) else f"{file.name} is no text"
            return StoredProofs()
