"""Signs that nobody sees, and those that end a quotation."""

from __future__ import annotations

import pytest

from grpo_symbolic.signs import quoted, quoting, seen, unseen

# Default_Ignorable_Code_Point of Unicode, by its DerivedCoreProperties.txt, but for what is not assigned
IGNORABLE = [
    (0xAD, 0xAD),
    (0x34F, 0x34F),
    (0x61C, 0x61C),
    (0x115F, 0x1160),
    (0x17B4, 0x17B5),
    (0x180B, 0x180F),
    (0x200B, 0x200F),
    (0x202A, 0x202E),
    (0x2060, 0x206F),
    (0x3164, 0x3164),
    (0xFE00, 0xFE0F),
    (0xFEFF, 0xFEFF),
    (0xFFA0, 0xFFA0),
    (0xFFF0, 0xFFF8),
    (0x1BCA0, 0x1BCA3),
    (0x1D173, 0x1D17A),
    (0xE0000, 0xE0FFF),
]


@pytest.mark.parametrize("ends", IGNORABLE, ids=lambda ends: f"{ends[0]:X}")
def test_no_sign_that_is_ignored_in_print_counts_as_seen(ends: tuple[int, int]) -> None:
    first, last = ends
    assert all(unseen(f"a{chr(code)}b") == chr(code) for code in range(first, last + 1))


def test_blanks_and_controls_are_not_seen_and_words_and_formulas_are() -> None:
    assert all(unseen(f"1{sign}proved") == sign for sign in "\u2800\u3164\u00a0\u2003\t\n\x1b\x07")
    assert not unseen("π̃_{k+1} ≥ ½ · e^{−βx} für „alle“ 𝟙 x → ∞, 中文 عربى")
    assert seen("a\x1b[2J\tb\u3164", "?", beside="\t") == "a?[2J\tb?"


@pytest.mark.parametrize("mark", ["“", "”", "„", "‟", '"', "″", "«", "»", "＂", "〝", "''", "‘‘", "’’", "``", ",,"])
def test_a_mark_that_ends_a_quotation_is_found(mark: str) -> None:
    assert quoting(f"a{mark}: b") == mark
    assert not quoting("Jensen's inequality, at π' and o′, for 1 ‘n’")


def test_a_quotation_ends_where_it_ends() -> None:
    assert quoted("a”: y; and “x = 1") == "“a’: y; and ‘x = 1”"
    assert quoted("the ``old'' policy, f''") == "“the ‘old’ policy, f''”"
