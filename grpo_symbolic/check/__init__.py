"""stub"""

from __future__ import annotations

from grpo_symbolic.terms.language import Formula


class Refused(Exception):
    pass


class Certificate:
    text = ""


def parse(text: str) -> Certificate:
    raise Refused


def refutes(query: tuple[Formula, ...], certificate: Certificate) -> bool:
    return False
