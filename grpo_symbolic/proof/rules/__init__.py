"""Rules, one family a file: conclusions that no engine understands, and theorems of Coq that lead to them.

:mod:`~grpo_symbolic.proof.rules.rule` says what a rule is, of what ``walking``, ``sides``, ``defined``, ``citing`` and
``values`` do; ``docs/reference/rules.md`` lists all of them.
"""
