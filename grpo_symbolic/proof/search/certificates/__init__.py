"""The search for certificates that assertions of real arithmetic contradict each other.

``facts``       the facts of a branch as the search looks at them: inequalities, equations, bounds of variables
``programs``    linear programs over products of facts, with their solution made rational
``sums``        which products are tried
``strategy``    what is tried in which order: cases, equations, changes of variables, sums
``deep``        what is tried where that fails
``guide``       Z3, asked which facts matter and which lemmas are true
``guided``      the deep search with it
``finding``     all in turn
"""

from grpo_symbolic.proof.search.certificates.finding import find

__all__ = ["find"]
