"""Signs in the words that a file types: those that nobody sees, and those that end a quotation."""

from __future__ import annotations

import re

# What Python calls printable and no font prints: ignorable code points of Unicode, and blanks of other scripts.
_BLANK = re.compile(
    "[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2065\u2800\u3164\ufe00-\ufe0f\uffa0\ufff0-\ufff8\U00013441\U00013442"
    "\U00016fe4\U0001bca0-\U0001bca3\U0001d159\U0001d173-\U0001d17a\U000e0000-\U000e0fff]"
)
# Double marks of all scripts, and what is printed like them; two single ones are another one.
_MARKS = (
    '"\u00ab\u00bb\u02ba\u02dd\u02ee\u02f5\u02f6\u05f2\u05f4\u1cd3\u201c-\u201f\u2033\u2036\u275d\u275e\u2760'
    "\u276e\u276f\u2e42\u3003\u300a-\u300f\u301d-\u301f\uff02\uff62\uff63\U0001f676-\U0001f678"
)
_DOUBLE = re.compile('["\u00ab\u00bb\u201c-\u201f\u275d\u275e\u301d-\u301f\uff02]')
_OPENING = "\u00ab\u201c\u201e\u275d\u301d"
_SINGLE = "'`\u00b4\u02b9\u02bb-\u02bd\u02c8\u02ca\u02cb\u2018-\u201b\u2032\u2035\u2039\u203a\u275b\u275c\uff07"
_QUOTING = re.compile(f"[{_MARKS}]|[{_SINGLE}]{{2}}|,,|<<|>>")


def unseen(text: str) -> str:
    """The first sign of a text that nobody sees; nothing where each is seen.

    >>> unseen("a b"), unseen("a\\u3164b"), unseen("a\\tb")
    ('', '\\u3164', '\\t')
    """
    return next((sign for sign in text if not sign.isprintable() or _BLANK.match(sign)), "")


def seen(text: str, instead: str, beside: str = "") -> str:
    """A text with another sign in place of each that nobody sees, but for those ``beside`` that a terminal needs."""
    return "".join(instead if sign not in beside and unseen(sign) else sign for sign in text)


def quoting(text: str, latex: bool = False) -> str:
    """The first sign of a text that is printed as a quotation mark, or two single ones; nothing where there is none. In
    ``latex`` two single ones are primes.

    >>> quoting("Jensen's"), quoting("the “old” policy"), quoting("f''"), quoting("f''", latex=True)
    ('', '“', "''", '')
    """
    found = _QUOTING.search(text.replace("''", "") if latex else text)
    return found.group() if found else ""


def quoted(text: str) -> str:
    """A text in quotation marks; those within, of a paper's own words, are single ones, so that it ends where it ends.

    >>> quoted("x”: “y"), quoted("``old'' and f''")
    ('“x’: ‘y”', "“‘old’ and f''”")
    """
    single = re.sub("``(.*?)''", r"‘\1’", text)
    return "“" + _DOUBLE.sub(lambda mark: "‘" if mark.group() in _OPENING else "’", single) + "”"
