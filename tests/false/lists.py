"""How many there are of something: of the members of a sequence, of the rewards of answers, of random numbers."""

from __future__ import annotations

from grpo_symbolic.paper import *

from . import false, true

# -- a sequence without end is no family of n numbers ------------------------------------------------------------------
false(
    "the lim sup of n rewards",
    "r(k) is none for k > n",
    lambda: (Domain(reals(r, n), x), LimSup(r[k], k, x, ((r[k], x),))),
)
false(
    "probabilities that tend to 5",
    "n probabilities do not tend, and none is above 1",
    lambda: (Domain(simplex(pi, n)), LimSup(pi[k], k, Integer(5), ((pi[k], Integer(5)),))),
)
false(
    "a series of n probabilities",
    "π(k) is none for k > n",
    lambda: (Domain(simplex(pi, n), x > 0), BelowSeries(pi[k], k, x, (pi[k] >= 0,))),
)
true("the lim sup of a sequence", lambda: (Domain(x), LimSup(error[k], k, x, ((error[k], x),))))


# -- a reward for each answer ------------------------------------------------------------------------------------------
def same_policy(size):
    """The surrogate of centred rewards vanishes at the policy that samples."""
    return Domain(simplex(pi, n), reals(r, size), n >= 2, G >= 2), CentredSurrogate(
        pi, o, n, G, Integer(0), new=pi, rewards=r
    )


false("centred rewards, one for two or more answers", "r(2) is none", lambda: same_policy(1))
true("centred rewards of all answers", lambda: same_policy(n))


# -- a whole number of them --------------------------------------------------------------------------------------------
def product(size):
    """The mean of the product of some independent numbers of one mean."""
    number = Random(r, i, 1, size, mean=y, independent=True)
    return Domain(size > 0, y > 0), ForRandom(Eq(MeanOf(Product(r[i], (i, 1, size))), y**size), (number,))


false("a product of x random numbers", "there are no 5/2 numbers", lambda: product(x))
true("a product of n random numbers", lambda: product(n))
false(
    "x separate programs",
    "there are no 5/2 programs",
    lambda: (Domain(x > 0), SolvedSeparately(1 + y**2 - y**2 + x, o, x)),
)
true("n separate programs", lambda: (Domain(n > 0, x > 0), SolvedSeparately(1 + x, o, n)))
