"""NumPy, PyTorch and JAX: self-contained source text, and the same functions as callables.

The functions broadcast over arrays of any shape; on PyTorch and JAX they are differentiable. Truth values come as
Boolean arrays.
"""

from __future__ import annotations

from typing import Any

from grpo_symbolic.errors import BadInput
from grpo_symbolic.export.header import Header
from grpo_symbolic.export.item import Item
from grpo_symbolic.export.straightline import Function, Language, complete, functions, lowered, one_line
from grpo_symbolic.libraries import LIBRARIES, Library
from grpo_symbolic.numeric.compiler.printers import INFIX, array_functions

RESERVED = frozenset(["math", "like", *(name for library in LIBRARIES.values() for name in library.names)])


def _language(library: Library) -> Language:
    xp, like = library.namespace, ", like" if library.typed else ""
    return Language(
        complete(
            {
                **array_functions(xp),
                **INFIX,
                **{op: f"_{op}({{}}, {{}}{like})" for op in ("maximum", "minimum", "logaddexp")},
                "where": f"_where({{}}, {{}}, {{}}{like})",
            }
        ),
        "    {name} = {value}",
        real="an array of floats",
        truth="an array of truth values",
        nan=f"{xp}.nan",
        infinity=f"{xp}.inf",
        true="True",
        false="False",
    )


def write(made: list[Function], header: Header, library: str) -> str:
    """The source of the functions for one of :data:`LIBRARIES`."""
    known = LIBRARIES[library]
    language = _language(known)
    blocks = [header.comment("#") + known.formulas]
    for f in made:
        lines, result, kind = language.lines(f)
        given = ", ".join(f.names)
        text = one_line(f.meaning).replace("\\", "/").replace('"', "'")
        body = [f"def {f.name}({given}):", f'    """{text}: {kind}."""']
        if f.names:
            body.append(f"    {given}{',' if len(f.names) == 1 else ''} = _arrays({given})")
            body += ["    like = " + f.names[0]] if known.typed else []
        else:
            result = f"_arrays({result})[0]"
        blocks.append("\n".join([*body, *lines, f"    return {result}"]))
    return "\n\n".join(blocks) + "\n"


def callables(
    item: Item, library: str = "numpy", dtype: str = "float64", device: str | None = None, jit: bool | None = None
) -> dict[str, Any]:
    """The functions themselves, by the names of the parts: :func:`grpo_symbolic.numeric.compile` of each, with its
    ``dtype``, ``device`` and ``jit``.

    Each takes one array for each of its ``arguments``, in the order of the notation. Raises :class:`BadInput` for a
    library that is unknown or not installed, and where no part can be computed.
    """
    if library not in LIBRARIES:
        raise BadInput(f"there is no array library {library!r}; expected one of {', '.join(LIBRARIES)}")
    from grpo_symbolic.numeric.compiler.compiled import compile

    made, _ = functions(item)
    return {
        f.part.name: compile(lowered(f.part.expression), f.arguments, library, dtype, device, jit=jit) for f in made
    }
