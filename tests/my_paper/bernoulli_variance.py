"""The variance of a reward that is 0 or 1.

Statement.   A reward that is 1 with probability p and 0 otherwise has the variance p(1 − p), which is at most ¼.
Source.      Made up for the tests; section 1.
Domain.      0 < p < 1.
Derivation.  E[r²] − E[r]² over the two values of the reward.
Caveat.      The bound is met at p = ½, so the strict inequality of the print is wrong.
"""

from sympy import Rational

from grpo_symbolic.notation import p
from grpo_symbolic.proof import Always, Derivation, Domain, Equal, Result, wrong

claim = Result(__file__).claim
domain = Domain(0 < p, p < 1)

d = Derivation("my-variance", domain)
second = d.start(1**2 * p + 0**2 * (1 - p), "the second moment")
variance = d.rewrite(second - p**2, p * (1 - p), "minus the square of the mean")

claim(
    "my-variance",
    Equal(second - p**2, variance),
    domain,
    by=d,
    locator="Sec 1, (1)",
    title="Variance of a reward that is 0 or 1",
    printed=r"\mathrm{Var}(r)=p(1-p)",
)

claim(
    "my-variance-bound",
    Always(variance <= Rational(1, 4)),
    domain,
    locator="Sec 1, (2)",
    title="The variance is at most a quarter",
    kind="inequality",
    printed=r"\mathrm{Var}(r)<\tfrac14",
    judged=wrong("Met with equality at p = ½.", Always(variance < Rational(1, 4))),
    depends_on=["my-variance"],
)
