"""Running the checkers: every obligation once, in worker processes, cached, with negative controls, into a ledger.

Nothing here decides anything: verdicts come from :mod:`grpo_symbolic.proof.statements.evidence`.
"""
