"""WHETHER it is true: statements, claims, derivations, and the checkers that judge them.

Fields mean the same in all statements and rules. ``label``: the part of the sentence, by name; ``given``: the claims
that some premise must cite; ``using``: instances of stated lemmas, or the rule, for what is an inequality.
``variable``: the symbol that varies, all else fixed; ``body``, ``velocity``: functions of it; ``direction``: 1 upwards
or −1 downwards; ``strict``: without equality; ``rising``: that a function rises; ``side``: from which end; ``lower``
and ``upper``: the ends of its range; ``lipschitz``: the premise of a contraction; ``rate``, ``scale``: positive
factors; ``sequence``: an ``Iteration``, with its ``start`` and ``recurrence``; ``tending`` and ``supposed``: what its
premises say; ``families``: the domain's own. ``policy``: a family of the domain, positive, with sum 1, of ``answers``
entries, of which ``index`` numbers one (``answer``: one that is named); ``size``: the group size; ``rewards``,
``within``: means and variances by answer; ``wins``, ``losses``: probabilities by answer. ``cycle``, ``entering``:
intervals, each with its ends, that a map sends one into the next, with ``constants`` of it on those of the cycle.
``base``: a family's own symbol; ``name``, ``called``: what a reader calls it. Of prints: ``remark``: why; ``statement``
on ``domain`` (``printed_domain``): the printed reading.

Of GRPO only the rules on groups, advantages, clips and programs know anything, and the words that these have in Coq. A
result file needs the names below; they are imported on first use, so that reading a ledger costs no engine.
"""

from __future__ import annotations

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
