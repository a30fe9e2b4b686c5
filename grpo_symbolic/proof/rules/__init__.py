"""Rules, one family a file: conclusions that no engine understands, and theorems of Coq that lead to them.

:mod:`~grpo_symbolic.proof.rules.rule` says what a rule is. Most are made of ``schema`` (theorems as data), which
``matching`` and ``patterns`` compare with a sentence; the others build their premises with ``sides``, ``members`` and
``supposed``. For all of them ``walking`` goes through sentences, ``defined`` and ``values`` ask what has a value and
what is put in for letters, and ``citing`` reads the claims that are cited. ``docs/reference/rules.md`` lists all rules.
"""
