"""Domains and statements on them, sentences and their print, obligations, and the answers of checkers.

``domain``        where something holds: constraints, families, whole numbers, a point that shows it is not empty
``statement``     the kinds of statements that every claim may use, and how each compiles to obligations
``obligation``    the five forms of what a checker is asked
``lemmas``        the stated lemmas, of which instances may be assumed
``hypotheses``    what of a domain a sentence supposes
``sentence``      a statement as words and formulas, plain and in LaTeX
``evidence``      findings of checkers, grades and verdicts
``arithmetic``    balls and multi-precision numbers; ``evaluate`` puts terms into them, ``points`` finds exact points
"""
