"""Certificates that assertions of real arithmetic contradict each other: what they are, and the exact replay that
believes nothing of whoever wrote them.

``certificate``  the kinds of certificates, and their text
``polynomials``  polynomials with whole coefficients, every operation counted
``branch``       assertions read as sets of signs of polynomials: what is assumed in one case
``replay``       the rules of inference, one function each

A query is a tuple of formulas over real variables: sums, products, natural powers, cases, comparisons and connectives.
"""

from grpo_symbolic.check.certificate import Certificate, parse
from grpo_symbolic.check.polynomials import Refused
from grpo_symbolic.check.replay import refutes

__all__ = ["Certificate", "Refused", "parse", "refutes"]
