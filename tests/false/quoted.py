"""Typed words that are read as what was proved: they leave their quotation marks, or have blanks that look like none of
theirs.
"""

from __future__ import annotations

from grpo_symbolic.paper import *

from . import claimed, false, true

LEAVING = "a”: y; and “x = 1 for all x” holds, “b"
LINE = Domain(x)

for name, write in (
    ("a label of an equation", lambda: (LINE, Equal(x, x, label=LEAVING))),
    (
        "the label of a part that stands over the rest",
        lambda: claimed(LINE, Every(Equal(x, x, label=LEAVING), Always(x**2 + 1 > x)), short=(LEAVING,)),
    ),
    ("a step", lambda: claimed(LINE, Always(x**2 + 1 > x), because=Always(x**2 + 3 > x, label='x = 1", so'))),
    ("a title", lambda: claimed(LINE, Always(x**2 + 1 > x), title="a square” and “x = 1")),
    (
        "a line in words",
        lambda: claimed(LINE, Always(x**2 + 1 > x), says=r"\text{x = 1}” \text{and }“ x = 2", lemmas=("a fact",)),
    ),
    ("a lemma", lambda: claimed(LINE, Always(x**2 + 1 > x), lemmas=("a fact'', and ``x = 1",))),
):
    false(f"{name} that leaves its quotation marks", "it says x = 1, and so at x = 2", write)

for name, blank in (
    ("a Hangul filler", "\u3164"),
    ("a Braille blank", "\u2800"),
    ("a joiner", "\u034f"),
    ("a selector", "\ufe0f"),
):
    false(
        f"{name} in a place in a paper",
        "what stands behind it looks like the next column of a table",
        lambda blank=blank: claimed(LINE, Always(x**2 + 1 > x), locator=f"1{blank * 3}proved"),
    )

true("an equation with a label in words", lambda: (LINE, Equal(x, x, label="the parent's value, x = x")))
