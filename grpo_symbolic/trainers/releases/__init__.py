"""What is true of which release of a trainer, as data: `*.tsv`, read off the packages by `oracles/options_of.py`.

A table's first line names the releases that were read, the oldest first; each line below has an option, the first
release with a default, the last one (nothing: it is still there), and that default as JSON (nothing: no literal).

>>> from grpo_symbolic.trainers.releases import releases_of
>>> trl = releases_of("trl", "TRL")
>>> trl.newest
(1, 16, 0)
>>> trl.why_absent("entropy_coef", trl.nearest((1, 7)))
'it came with 1.8.0'
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from typing import TypeAlias

from grpo_symbolic.scalars import Json

__all__ = ["Releases", "Version", "dotted", "releases_of"]

Version: TypeAlias = tuple[int, ...]


def dotted(version: Version) -> str:
    """The text of a version, such as 1.16.0."""
    return ".".join(map(str, version))


@dataclass(frozen=True)
class Releases:
    """The releases of a trainer, called ``title``, that were ``read``, and for each option the spans (first and last
    place among them, and the default as text) in which it is there.
    """

    title: str
    read: tuple[Version, ...]
    spans: dict[str, tuple[tuple[int, int, str], ...]]

    @property
    def newest(self) -> Version:
        """The newest release that was read."""
        return self.read[-1]

    @property
    def names(self) -> list[str]:
        """The options of all releases."""
        return list(self.spans)

    def nearest(self, version: Version) -> int:
        """The place of the release that stands for a version: itself, a later one of its minor, or the last before."""
        later = [k for k, read in enumerate(self.read) if read >= version and read[:2] == version[:2]]
        return later[0] if later else max((k for k, read in enumerate(self.read) if read <= version), default=0)

    def has(self, name: str, release: int) -> bool:
        """Whether the release at a place has the option."""
        return any(first <= release <= last for first, last, _ in self.spans.get(name, ()))

    def default(self, name: str, release: int) -> Json:
        """The default of an option there, or where the release lacks it, in the next that has it, else in the last that
        had it; ``None`` too where it is no literal.
        """
        spans = self.spans.get(name, ())
        texts = [text for _, last, text in spans if release <= last] or [text for *_, text in spans[-1:]]
        value: Json = json.loads(texts[0]) if texts and texts[0] else None
        return value

    def why_absent(self, name: str, release: int) -> str:
        """When an option that the release lacks came or left; nothing where it is there, or in none of them."""
        spans = self.spans.get(name, ())
        if not spans or self.has(name, release):
            return ""
        later = [first for first, *_ in spans if first > release]
        if later:
            return f"it came with {dotted(self.read[min(later)])}"
        return f"it was last there in {dotted(self.read[max(last for _, last, _ in spans)])}"


@lru_cache
def releases_of(trainer: str, title: str) -> Releases:
    """The releases of a trainer that has a table here."""
    head, *lines = (files(__name__) / f"{trainer}.tsv").read_text(encoding="utf-8").splitlines()
    names = head.split("\t")[1:]
    place = {name: k for k, name in enumerate(names)} | {"": len(names) - 1}
    spans: dict[str, tuple[tuple[int, int, str], ...]] = {}
    for line in lines:
        name, first, last, text = line.split("\t")
        spans[name] = (*spans.get(name, ()), (place[first], place[last], text))
    return Releases(title, tuple(tuple(map(int, name.split("."))) for name in names), spans)
