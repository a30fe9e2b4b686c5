"""OUT to other tools: claims, objectives, stationary policies and recursions in the formats of others, and back in.

>>> import grpo_symbolic as gs
>>> gs.export("pairs", to="sympy").splitlines()[-2].startswith("statement = sp.Rational(1, 2) + ")
True

Every export begins with a header: id, verdict (what stored evidence says, never more), domain, version, a hash of the
statement, and what the format loses. A format that cannot hold a thing refuses with :class:`BadInput` in one sentence.
What can come back in: a JSON tree (:func:`read`), and the arithmetic core of MathML.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from difflib import get_close_matches
from importlib import import_module
from typing import TYPE_CHECKING, Any

from grpo_symbolic._version import __version__
from grpo_symbolic.called import call_like
from grpo_symbolic.errors import BadInput
from grpo_symbolic.files import json_text
from grpo_symbolic.libraries import LIBRARIES
from grpo_symbolic.reading import Part, Reading, setting_of
from grpo_symbolic.setting import Advantages, Penalty, Setting

if TYPE_CHECKING:
    from grpo_symbolic.export.item import Item
    from grpo_symbolic.export.tree import Read
    from grpo_symbolic.proof.statements.domain import Domain
    from grpo_symbolic.session import Session

FORMATS: dict[str, str] = {  # name: what it is
    "latex": "LaTeX, the statement and its domain",
    "mathml": "Content MathML 3",
    "sympy": "SymPy source that rebuilds the very expression",
    "json": "a versioned JSON tree, which grpo_symbolic.export.read gives back unchanged",
    **{
        library.name: f"{library.title} functions{', differentiable' if library.differentiable else ''}"
        for library in LIBRARIES.values()
    },
    "c": "C99 functions",
    "javascript": "JavaScript functions, a module",
    "julia": "Julia functions",
    "rust": "Rust functions",
    "smtlib": "SMT-LIB 2, the negation on the domain, for Z3 and cvc5",
    "coq": "Coq 8.16 with the interval library",
}
NAMES = ("grpo", "grpo-pairs", "pairs", "large-groups", "success-map")  # what is known by name and is no claim
__all__ = ["FORMATS", "NAMES", "callables", "export", "read", "whole_numbers"]


def export(
    thing: Any,
    to: str,
    *,
    at: Mapping[str, int] | None = None,
    domain: Domain | None = None,
    name: str = "expression",
    session: Session | None = None,
    anyway: bool = False,
) -> str:
    """The text of a thing in a format.

    ``thing`` is the id of a claim, a claim, an objective (:class:`grpo_symbolic.objectives.Objective`), an
    ``Advantage`` or ``Divergence`` of the same module, what :func:`grpo_symbolic.theory` returns, a
    ``SuccessRecursion``, one of :data:`NAMES`, or a SymPy expression or relation, then with its ``domain`` and a
    ``name``. Of a :class:`grpo_symbolic.setting.Setting` the loss is written for "numpy", "torch" or "jax", of its
    ``advantages`` and its ``penalty`` their own functions; "json" holds the setting itself. What
    :func:`grpo_symbolic.trainers.read` found in a trainer's options is written like its setting, in JSON with what
    became of each option; one that is not modelled and changes the loss is refused unless ``anyway``. ``to`` is one of
    :data:`FORMATS`. ``at`` puts whole numbers in for integer symbols, such as ``{"n": 3}``, which turns sums of
    symbolic length into finite ones.
    ``session`` is where verdicts are looked up: the store of this folder when left out.

    Raises :class:`BadInput` for an unknown id or format, and where the format cannot hold the thing.
    """
    if to not in FORMATS:
        near = get_close_matches(str(to), FORMATS, n=2) or list(FORMATS)
        raise BadInput(f"there is no format {to!r}; expected one of {', '.join(near)}")
    if isinstance(thing, Reading):
        return _of_reading(thing, to, anyway)
    if isinstance(thing, Setting | Advantages | Penalty):
        return _part_of_setting(thing, to)
    return _written(_item(thing, domain, name, session).at(at or {}), to, session)


def _of_reading(of: Reading, to: str, anyway: bool) -> str:
    if to == "json":
        from grpo_symbolic.trainers.form import record

        return json_text(record(of))
    text = _part_of_setting(setting_of(of, anyway, Part.LOSS), to)
    return "".join(f"# not modelled: {use}\n" for use in of.left_out(Part.LOSS, Part.END)) + text


def _part_of_setting(thing: Setting | Advantages | Penalty, to: str) -> str:
    from grpo_symbolic.trainers.source import advantages_source, penalty_source, source
    from grpo_symbolic.trainers.words import sentence

    if to == "json" and isinstance(thing, Setting):
        from grpo_symbolic.trainers.form import to_json

        return json_text(to_json(thing))
    if to not in LIBRARIES:
        what = "the loss of a setting" if isinstance(thing, Setting) else "this part of a setting"
        raise BadInput(f"{to} cannot hold {what}, a function of tensors: expected {', '.join(LIBRARIES)}")
    head = f"# grpo-symbolic {__version__}: "
    if isinstance(thing, Setting):
        return f"{head}the loss of a setting.\n# {sentence(thing)}\n{source(thing, to)}"
    if isinstance(thing, Advantages):
        return f"{head}the advantages of a setting.\n{advantages_source(thing, to)}"
    return f"{head}the divergence of a setting.\n{penalty_source(thing, to)}"


def callables(
    thing: Any,
    library: str = "numpy",
    *,
    at: Mapping[str, int] | None = None,
    domain: Domain | None = None,
    dtype: str = "float64",
    device: str | None = None,
    jit: bool | None = None,
) -> dict[str, Any]:
    """The functions of a thing, by the names of its parts, on arrays of a ``library``, 'numpy', 'torch' or
    'jax'; ``at`` and ``domain`` as in :func:`export`, ``dtype``, ``device`` and ``jit`` as in
    :func:`grpo_symbolic.numeric.compile`.

    >>> policy = callables("pairs")["value"]
    >>> policy.arguments, float(policy(0.25, 1.0))
    ((p, b), 0.5)
    """
    from grpo_symbolic.export import arrays

    return arrays.callables(_item(thing, domain, "expression", None).at(at or {}), library, dtype, device, jit)


def read(text: str) -> Read:
    """The statement, domain, parts and header of a ``text`` that is a JSON tree; see
    :func:`grpo_symbolic.export.tree.read`.
    """
    from grpo_symbolic.export import tree

    return tree.read(text)


def whole_numbers(given: Sequence[str]) -> dict[str, int]:
    """The values that ``given`` texts ``NAME=NUMBER`` say; raises :class:`BadInput` for any other text.

    >>> whole_numbers(["n=3", "G=2"])
    {'n': 3, 'G': 2}
    """
    values = {}
    for text in given:
        name, _, number = text.partition("=")
        if not name.isidentifier() or not (number.isdecimal() and number.isascii() and len(number) < 5):
            raise BadInput(f"expected a symbol and a whole number, such as n=3, got {text!r}")
        values[name] = int(number)
    return values


def __dir__() -> list[str]:
    return list(__all__)


def _item(thing: Any, domain: Domain | None, name: str, session: Session | None) -> Item:
    if isinstance(thing, str) and thing not in NAMES:
        if session is None:
            from grpo_symbolic.session import Session

            session = Session()
        _check(thing, session)
        thing = session.claim(thing)
    from grpo_symbolic.export.item import item

    return item(thing, domain, name)


def _check(id: str, session: Session) -> None:
    """Refuse what is neither a claim nor a name, before anything is imported for it."""
    near = get_close_matches(id, NAMES, n=2)
    if near and id not in session.index.listings:
        raise BadInput(f"there is nothing called {id!r} to export; did you mean {', '.join(near)}?")
    session.check_ids([id])


def _written(of: Item, to: str, session: Session | None) -> str:
    from grpo_symbolic.export.header import entry_of, header

    def load(module: str) -> Any:
        return import_module(f"{__name__}.{module}")

    if to in LIBRARIES:
        straightline, arrays = load("straightline"), load("arrays")
        differentiable = LIBRARIES[to].differentiable
        made, left_out = straightline.functions(of, arrays.RESERVED, differentiable=differentiable, logaddexp=True)
        return arrays.write(made, header(of, session, loses=straightline.LOSES, left_out=left_out), to)
    if to in ("c", "javascript", "julia", "rust"):
        straightline, language = load("straightline"), load("languages").LANGUAGES[to]
        made, left_out = straightline.functions(of, language.reserved)
        return language.write(made, header(of, session, loses=straightline.LOSES, left_out=left_out))
    if to == "smtlib":
        smtlib = load("smtlib")
        queries, left_out, exact = smtlib.scripts(of)
        loses = "" if exact else smtlib.ABSTRACTS
        return smtlib.write(header(of, session, loses=loses, left_out=left_out), queries)
    if to == "json":
        return load("tree").write(of, header(of, session, loses=of.omissions(domains=False)).to_json())
    if to == "coq":
        coq = load("coq")
        entry = entry_of(of, session)
        if entry is not None and entry.theorem:
            return coq.imported(header(of, session), entry.theorem)
        stated, left_out = coq.propositions(of)
        return coq.write(of, header(of, session, left_out=left_out), stated)
    writer = load({"sympy": "sympy_source"}.get(to, to))
    loses = "; ".join(filter(None, [getattr(writer, "LOSES", ""), of.omissions(examples=to != "mathml")]))
    return writer.write(of, header(of, session, loses=loses))


call_like(__name__, __name__, "export")
