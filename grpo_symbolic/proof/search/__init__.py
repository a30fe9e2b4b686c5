"""What looks for proofs, and gives second opinions.

What a search finds is shown again by :mod:`grpo_symbolic.proof.check`; where only an engine has found it, that engine
is believed, and the proof says so.

``certificates``  the search for certificates that assertions of real arithmetic contradict each other
``engines``       Z3 and cvc5, asked about assertions; ``solvers`` has them as checkers of obligations
``recipes``       who answers a query, and how an engine finds a contradiction again
``algebra``       identities by SymPy, with ``sums`` and ``numerators``
``limits``        limits by SymPy's Gruntz algorithm, and by balls at sampled parameters
``sampling``      points in multi-precision arithmetic, and exact witnesses; ``root_samples`` counts roots at points
"""
