"""Searches for proofs: nobody believes them. What one finds is replayed by :mod:`grpo_symbolic.check`.

``certificates``  for assertions of real arithmetic that contradict each other
"""
