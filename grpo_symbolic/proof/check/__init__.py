"""What shows that an obligation holds, believing nothing of whoever looked for a proof; python-flint computes.

``certificate``  that assertions of real arithmetic contradict each other: the kinds of certificates, and their text
``polynomials``  polynomials with whole coefficients, every operation counted
``branch``       assertions read as sets of signs of polynomials: what is assumed in one case
``replay``       the rules of inference, one function each

``translation``  terms as polynomials with cases over real variables; ``smt`` writes them for whoever reads SMT-LIB
``queries``      what has to be contradictory for a statement to hold, and to have a value, on its domain
``answers``      which queries are shown to be so in the proof at work
``decision``     what is decided by such queries

``normal``, ``forms``  identities, by a normal form
``asymptotics``        limits, by expansions
``roots``              numbers of roots, by Sturm chains
``ball``               inequalities, by boxes that cover a domain

A query is a tuple of formulas over real variables: sums, products, natural powers, cases, comparisons and connectives.
"""

from grpo_symbolic.proof.check.certificate import Certificate, parse
from grpo_symbolic.proof.check.polynomials import Refused
from grpo_symbolic.proof.check.replay import refutes

__all__ = ["Certificate", "Refused", "parse", "refutes"]
