"""Every symbol of the project, once: its name, LaTeX form, default domain and meaning.

All scalar symbols are real; that a probability lies in (0, 1) or that β is positive is said by the domain of each
claim, never assumed silently. Families such as ``pi[o]`` stand for one number per answer (or per member of a group).
"""

from __future__ import annotations

import re
from dataclasses import dataclass

import sympy as sp
from sympy.printing.pretty.pretty_symbology import pretty_symbol

from grpo_symbolic.errors import ClaimError
from grpo_symbolic.prints import GREEK
from grpo_symbolic.typeset.letters import Seen, seen


@dataclass(frozen=True)
class Entry:
    """One row of the notation table."""

    symbol: sp.Symbol | sp.IndexedBase
    latex: str
    domain: str
    meaning: str


NOTATION: dict[str, Entry] = {}


_NAME = re.compile(r"[A-Za-z][A-Za-z0-9]*(_[A-Za-z0-9]+)*_?", re.ASCII)  # two dashes would be printed as a power
# What stands in a print for something else: words between formulas, operations and constants.
_TAKEN = frozenset(
    re.findall(
        r"\w+",
        "all always and any are as at both by every exactly for from has if in infinity is it mod no not of on only or "
        "otherwise real some than the then there to true false where whole with abs arccos arcsin arctan arg binomial "
        "cos cosh cot coth csc deg derivative det dim e exp floor gcd hom inf integral ker kroneckerdelta lg lim "
        "liminf limsup ln log max min nan oo piecewise pr product sec sign sin sinh sqrt sum sup tan tanh var zoo",
    )
)
_LATIN = frozenset("ΑΒΕΖΗΙΚΜΝΟΡΤΥΧο")  # Greek letters that look like these
# The LaTeX of a letter: a sign that may have an accent, its indices, and what it is of. The sign is one, since words
# are functions (sin x) or belong to the sentence (never); what is above is no power, nor like one.
_SIGN = rf"(?:[A-Za-z]|\\(?:{'|'.join(GREEK.split())})(?![A-Za-z]))"
_ACCENT = (
    r"\\(?:tilde|widetilde|bar|overline|hat|widehat|dot|ddot|vec|check|breve|mathcal|mathbf|mathsf|mathfrak|mathscr|"
    r"boldsymbol)(?![A-Za-z])\s*"
)
_MARK = rf"\\(?:{'|'.join(GREEK.split())}|ell|star|circ|ast|infty|varnothing|pm|mp)(?![A-Za-z])"
_WORDS = r"\\(?:mathrm|text)\{[A-Za-z0-9 .,:;'+*/()=<>-]+\}"
_BELOW = rf"_(?:[A-Za-z0-9+*-]|{_MARK}|\{{(?:[A-Za-z0-9,<>=+* -]|{_WORDS}|{_MARK})+\}})"
_ABOVE = r"\^(?:[+*-]|\\star|\{(?:[+*-]|\\star|\\(?:mathrm|text)\{[A-Za-z]{2,}\})\})"
_PATH = r"\((?:[0-9, ]|\\mid|\\varnothing)*\)"
_LETTER = re.compile(
    rf"(?:{_ACCENT})?(?:{_SIGN}|(?<=[a-z])\{{{_SIGN}\}})(?:'+|{_BELOW}|{_ABOVE})*(?:{_PATH})?"
    rf"|\|{_SIGN}\||\\tfrac(?:1|\{{{_SIGN}\}})\{{(?:{_SIGN}|\|{_SIGN}\|)\}}",
    re.ASCII,
)


def _check_letter(name: str, latex: str) -> None:
    """Refuse what would be printed as a word, an operation, a number or a formula, in the place of a letter."""
    if not _NAME.fullmatch(name) or name.rstrip("_").lower() in _TAKEN:
        raise ClaimError(
            f"{name!r} is no name of a letter: letters and digits, single dashes below between them, and no word or "
            "function that a print has"
        )
    if shown := _LATIN & set(pretty_symbol(name.rstrip("_"))):
        raise ClaimError(f"{name!r} is no name of a letter: {min(shown)} looks like a Latin one")
    if not _LETTER.fullmatch(latex) or latex == "e":
        raise ClaimError(
            f"{latex!r} is no LaTeX of one letter, as the symbol {name} is to be printed: a letter of the Latin or "
            "Greek alphabet, an accent, indices below, and above a sign or a word of two letters or more"
        )


def _declare(name: str, symbol: sp.Symbol | sp.IndexedBase, latex: str, domain: str, meaning: str) -> None:
    _check_letter(name, latex)
    if latex == r"\pi" and isinstance(symbol, sp.Symbol):
        raise ClaimError(f"{latex!r} is a constant, and no LaTeX of the symbol {name}")
    if NOTATION.setdefault(name, Entry(symbol, latex, domain, meaning)) != Entry(symbol, latex, domain, meaning):
        raise ClaimError(
            f"the symbol {name!r} is declared twice, once as: {NOTATION[name].meaning}; once as: {meaning}"
        )


def declare(name: str, entry: Entry) -> None:
    """Put a row of another process's table into this one's; raises :class:`ClaimError` where it says something else, or
    of another symbol.
    """
    if str(entry.symbol) != name:
        raise ClaimError(f"the notation has a row {name!r} for the symbol {entry.symbol}")
    _declare(name, entry.symbol, entry.latex, entry.domain, entry.meaning)


def scalar(name: str, latex: str, domain: str, meaning: str, integer: bool = False) -> sp.Symbol:
    """Declare a real (or integer) symbol; a paper of your own declares its symbols with this."""
    symbol = sp.Symbol(name, integer=True) if integer else sp.Symbol(name, real=True)
    _declare(name, symbol, latex, domain, meaning)
    return symbol


def family(name: str, latex: str, domain: str, meaning: str) -> sp.IndexedBase:
    """Declare a family of real numbers, one for each value of an index."""
    base = sp.IndexedBase(name, real=True)
    _declare(name, base, latex, domain, meaning)
    return base


class Tokens:
    """One number for each node of a token tree, named by its path: ``policy_1[2, 1]`` is π_1(1 | 2), the probability
    of token 1 after the token 2; ``baseline[2]`` is V(2), a number of the state that follows token 2, and
    ``baseline[()]`` that of the prompt alone. A symbol joins the notation when it is first named.
    """

    def __init__(self, name: str, latex: str, domain: str, meaning: str, conditional: bool = False) -> None:
        self.name, self.latex, self.domain, self.meaning = name, latex, domain, meaning
        self.conditional = conditional  # it belongs to the last token, given those before

    def __getitem__(self, path: int | tuple[int, ...]) -> sp.Symbol:
        tokens = path if isinstance(path, tuple) else (path,)
        written = [str(token) for token in tokens]
        if self.conditional and len(written) > 1:
            argument = rf"{written[-1]}\mid {','.join(written[:-1])}"
        else:
            argument = ",".join(written) or r"\varnothing"
        name = "_".join([self.name, *written])
        return scalar(name, f"{self.latex}({argument})", self.domain, f"{self.meaning}; here {argument}")


# Two answers a and b to one question.
x = scalar("x", "x", "(0, 1)", "policy probability π_θ(a|q) of the answer a; the answer b has 1 − x")
y = scalar("y", "y", "(0, 1)", "old-policy probability π_old(a|q) of the answer a")
p = scalar("p", "p", "(0, 1)", "reference-policy probability π_ref(a|q) of the answer a")
q = scalar("q", "q", "(0, 1)", "a second value of the reference probability, where two are compared")
z = scalar("z", "z", "(0, 1)", "a second value of the policy probability, where two are compared")
gamma = scalar("gamma", r"\gamma", "[-1, 1]", "confidence margin γ_{a,b} = P(a≻b|q) − P(b≻a|q)")
b = scalar("b", r"\tfrac{\beta}{\gamma}", "(0, ∞)", "effective regularisation β/γ for groups of two")
r_a = scalar("r_a", "r_a", "ℝ", "expected reward of the answer a")
r_b = scalar("r_b", "r_b", "ℝ", "expected reward of the answer b")
v_a = scalar("v_a", "v_a", "[0, ∞)", "variance of the reward of the answer a")
v_b = scalar("v_b", "v_b", "[0, ∞)", "variance of the reward of the answer b")

# Hyperparameters.
beta = scalar("beta", r"\beta", "(0, ∞)", "regularisation constant of the reference-policy divergence penalty")
beta_1 = scalar("beta_1", r"\beta_1", "(0, ∞)", "a second value of the regularisation constant")
epsilon = scalar("epsilon", r"\epsilon", "(0, 1)", "clipping range of the probability ratio")
G = scalar("G", "G", "{2, 3, …}", "group size: outputs sampled for each question", integer=True)
n = scalar("n", "n", "{2, 3, …}", "number of answers (size of the support of π_ref)", integer=True)
step_size = scalar("eta", r"\eta", "(0, ∞)", "step size of a policy-gradient step")

# Verifiable rewards.
success = scalar("success", "p", "(0, 1)", "success probability of the policy that samples the groups")
success_ref = scalar("success_ref", r"p_{\mathrm{ref}}", "(0, 1)", "success probability of the reference policy")
guard = scalar("guard", r"\varepsilon", "(0, 1]", "smoothing factor added to the variance of the rewards")
n_hit = scalar("n_hit", "n_+", "{1, 2, …}", "number of correct answers (reward 1)", integer=True)
n_miss = scalar("n_miss", "n_-", "{1, 2, …}", "number of wrong answers (reward 0)", integer=True)

# Indices.
o = scalar("o", "o", "{1, …, n}", "an answer", integer=True)
o_ = scalar("o_", "o'", "{1, …, n}", "another answer", integer=True)
i = scalar("i", "i", "{1, …, G}", "a member of the group", integer=True)
j = scalar("j", "j", "{1, …, G}", "another member of the group", integer=True)
k = scalar("k", "k", "{0, …, G}", "a count of members of the group", integer=True)

# Members of sequences and partial sums, in the step from one number to the next.
members = [
    scalar(f"S{number}", f"S_{{{number}}}", "ℝ", f"member of a sequence, or a sum or product up to it: letter {number}")
    for number in range(6)
]
S0, S1, S2 = members[:3]

# One number per answer or per member of the group.
pi = family("pi", r"\pi", "simplex", "policy π_θ(o|q)")
old = family("pi_old", r"\pi_{\mathrm{old}}", "simplex", "old policy π_old(o|q), which samples the group")
ref = family("pi_ref", r"\pi_{\mathrm{ref}}", "simplex", "reference policy π_ref(o|q)")
other = family("rho", r"\tilde\pi", "simplex", "a second policy, where two are compared")
r = family("r", "r", "ℝ^G or ℝ^n", "rewards, of the members of a group or of the answers")
P = family("P", r"\mathcal P", "ℝ^n", "expected group-relative preference P_G(o|π_old, q) of each answer")
duel = family(
    "duel", "d", "ℝ^{n²}", "any numbers of ordered pairs of answers in one list, whose differences are preferences"
)
spread = family("spread", r"v", "[0, ∞)^n", "variance of the reward of each answer")
deviations = family("sigma_r", r"\sigma_r", "[0, ∞)^n", "standard deviation of the reward of each answer")
win = family("win", "w_{>}", "[0, 1]^n", "probability that an output is rewarded more than one drawn from a policy")
loss = family("loss", "w_{<}", "[0, 1]^n", "probability that an output is rewarded less than one drawn from a policy")
short = family(
    "delta", r"\delta", "(0, ∞)^n", "how far the reward of each answer lies below a threshold above all of them"
)
unsampled = family("pi_rest", r"\pi'", "[0, 1]^k", "policy π_θ(o|q) of each answer that the old policy never samples")
hit_rest = family("hit_rest", r"\pi'^{+}", "[0, 1]^k", "policy π_θ(o|q) of each correct answer that is given up")
miss_rest = family("miss_rest", r"\pi'^{-}", "[0, 1]^k", "policy π_θ(o|q) of each wrong answer that is given up")
mu = family("mu", r"\mu", "simplex", "probability of each context q")

# Verifiable rewards: the same policies, the correct and the wrong answers numbered separately.
hit = family("hit", r"\pi^{+}", "simplex of total P(r = 1)", "policy π_θ(o|q) of each correct answer")
exact = family("p_exact", "p", "[0, 1]^ℕ", "success probability after each exact step")
inexact = family("p_inexact", r"\tilde p", "[0, 1]^ℕ", "success probability after each inexact step")
distance = family("distance", "D", "[0, 1]^ℕ", "distance of the inexact policy from the exact one after each step")
error = family("error", r"\delta", "[0, ∞)^ℕ", "by how much this distance may grow in each step")
miss = family("miss", r"\pi^{-}", "simplex of total P(r = 0)", "policy π_θ(o|q) of each wrong answer")
hit_old = family("hit_old", r"\pi_{\mathrm{old}}^{+}", "simplex of total p", "old policy of each correct answer")
miss_old = family("miss_old", r"\pi_{\mathrm{old}}^{-}", "simplex of total 1 − p", "old policy of each wrong answer")
hit_ref = family(
    "hit_ref", r"\pi_{\mathrm{ref}}^{+}", "simplex of total p_ref", "reference policy of each correct answer"
)
miss_ref = family(
    "miss_ref", r"\pi_{\mathrm{ref}}^{-}", "simplex of total 1 − p_ref", "reference policy of each wrong answer"
)

# Sequences of tokens: explicit trees, and one state with n next tokens whose continuations are summed up.
policy_1 = Tokens("pi1", r"\pi_1", "(0, 1)", "probability that the policy M_1 gives to a token in a state", True)
policy_0 = Tokens("pi0", r"\pi_0", "(0, 1)", "probability that the policy M_0 gives to a token in a state", True)
policy_ref = Tokens("piref", r"\pi_{\mathrm{ref}}", "(0, 1)", "probability of a token under the reference policy", True)
direction = Tokens(
    "dz", r"\dot z", "ℝ", "rate at which the logit of a token in a state changes along a parameter", True
)
text_reward = Tokens("R", "R", "ℝ", "reward of a whole text")
item_score = Tokens("tau_text", r"\tau", "[0, 1]", "score on a rubric item, which comes first, of a text")
baseline = Tokens("V", "V", "ℝ", "baseline of a state, a function of the tokens so far")
token_weight = Tokens("A", "A", "ℝ", "weight (reward or advantage) of a token in a state", True)
logit_rate = family("zdot", r"\dot z", "ℝ^n", "rate at which the logit of each next token changes along a parameter")
onward = family("W", "W", "ℝ^n", "expected value of what follows each next token")
onward_rate = family("Wdot", r"\dot W", "ℝ^n", "derivative of the expected value of what follows each next token")
onward_2 = family("W_2", "W'", "ℝ^n", "expected value of a second number of the text after each next token")
onward_3 = family("W_3", "W''", "ℝ^n", "expected value of a third number of the text after each next token")
onward_4 = family("W_4", "W'''", "ℝ^n", "expected value of a fourth number of the text after each next token")
onward_5 = family("W_5", "W''''", "ℝ^n", "expected value of a fifth number of the text after each next token")
onward_6 = family("W_6", "W'''''", "ℝ^n", "expected value of a sixth number of the text after each next token")
onward_rate_2 = family("Wdot_2", r"\dot W'", "ℝ^n", "derivative of the second of these expected values")
whole_reward = scalar("R", "R", "ℝ", "reward of the whole text, whatever its number of tokens")
whole_other = scalar("whole_other", "F", "ℝ", "any other number of the whole text")
per_length = scalar("per_length", r"\tfrac1{|o|}", "(0, 1]", "one over the number of tokens of a text")
tau_1 = scalar("tau_1", r"\tau_1", "[0, 1]", "score of a text on the first of two rubric items")
tau_2 = scalar("tau_2", r"\tau_2", "[0, 1]", "score of a text on the second of two rubric items")
S = scalar("S", "S", "{1, 2, …}", "number of sampled texts", integer=True)
n_questions = scalar("n_questions", "Q", "{1, 2, …}", "number of questions, each with a group of texts", integer=True)
discount = scalar("discount", r"\gamma", "[0, 1]", "discount factor of later rewards")
credit = scalar("credit", r"\lambda", "[0, 1]", "crediting parameter λ of the generalized advantage estimator")
level = scalar("B", "B", "ℝ", "baseline of one state")

# Token losses of trainers: one log-probability for each token t of each text i of a batch, ``ell[i, t]``.
ell = family("ell", r"\ell", "(−∞, 0]", "log-probability of a token of a text under the current policy")
ell_detached = family(
    "ell_detached", r"\bar\ell", "(−∞, 0]", "the same log-probability where no gradient goes through it"
)
ell_old = family("ell_old", r"\ell^{\mathrm{old}}", "(−∞, 0]", "log-probability of a token under the old policy")
ell_ref = family("ell_ref", r"\ell^{\mathrm{ref}}", "(−∞, 0]", "log-probability of a token under the reference policy")
ell_sampler = family(
    "ell_sampler", r"\ell^{\mathrm{smp}}", "(−∞, 0]", "log-probability of a token under the engine that sampled it"
)

# Rubrics (GRAPE): one number per rubric item, or per text of one category.
n_items = scalar("n_items", r"\rho", "{1, 2, …}", "number of rubric items of a category", integer=True)
n_texts = scalar("n_texts", r"|\xi|", "{1, 2, …}", "number of sampled texts of a category", integer=True)
omega = family("omega", r"\omega", "simplex", "weight of each rubric item")
tau = family("tau", r"\tau", "[0, 1]^ρ", "score of a text on each rubric item")
tau_ = family("tau_", r"\tau'", "[0, 1]^ρ", "score of a second text on each rubric item")
phi = family("phi", r"\varphi", "(0, ∞)", "confidence in the score of each text, or of each rubric item of one text")
phi_bar = family("phi_bar", r"\bar\varphi", "(0, ∞)^ρ", "mean confidence in the scores of each rubric item")
sigma = family("sigma", r"\sigma", "(0, ∞)^ρ", "standard deviation of the score of each rubric item")

# A random variable, a model of it, and samples.
world = family("p_world", "p", "simplex", "true distribution p(x) of the values that a random variable can take")
model = family("q_model", "q", "simplex", "a model q(x) of the true distribution, or the law that is sampled instead")
datum = family("x_value", "x", "ℝ^n", "values that a random variable can take, or observations of it")
N = scalar("N", "N", "{1, 2, …}", "number of observations", integer=True)
mu_pp = scalar("mu_pp", r"\mu_{pp}", "ℝ", "mean height of the pro players at the event")
mu_np = scalar("mu_np", r"\mu_{np}", "ℝ", "mean height of everyone else at the event")

# What trainers add: texts of many tokens, logits that move, two-sided clips, the engine that samples.
T = scalar("T", "T", "{1, 2, …}", "number of tokens of a text", integer=True)
logit = family("logit", "z", "ℝ^n", "logit of each answer")
length = family("length", r"\ell", "(0, ∞)^n", "number of tokens of each text")
due = scalar("due", "D", "[0, ∞)", "divergence from the reference that the later tokens are expected to have")
clip_low = scalar("clip_low", r"\epsilon_{\mathrm{low}}", "(0, 1)", "how far below 1 a ratio may fall unclipped")
clip_high = scalar("clip_high", r"\epsilon_{\mathrm{high}}", "(0, ∞)", "how far above 1 a ratio may rise unclipped")
cap = scalar("cap", "C", "[1, ∞)", "greatest weight that a truncated importance ratio may have")
engine = family("engine", r"\mu", "simplex", "policy of the engine that sampled the answers")

# Auxiliary quantities.
lam = scalar("lambda", r"\lambda", "ℝ", "multiplier of Σπ = 1")
slack = scalar("gamma_o", r"\gamma_o", "[0, ∞)", "multiplier of π(o) ≥ 0")
ratio = scalar("rho_i", r"\rho_i", "(0, ∞)", "probability ratio π_θ(o_i|q)/π_old(o_i|q)")
A = scalar("A", "A", "ℝ", "advantage of one output")
scale = scalar("c", "c", "(0, ∞)", "scale factor of the rewards")
shift = scalar("d", "d", "ℝ", "shift of the rewards")
support_mass = scalar("m", "m", "(0, 1]", "reference mass π_ref(S) of the support S of a policy")
w_win = scalar("w_win", r"w_{>}", "[0, 1]", "probability P(o≻o'|q) that o is rewarded more than o'")
w_lose = scalar("w_lose", r"w_{<}", "[0, 1]", "probability P(o'≻o|q) that o is rewarded less than o'")
w_tie = scalar("w_tie", r"w_{=}", "[0, 1]", "probability that o and o' are rewarded alike")
false_alarm = scalar("false_alarm", "w", "[0, 1]", "probability that a verifier accepts a wrong answer")
kappa = scalar(
    "kappa",
    r"\kappa",
    "[0, 1/2]",
    "elasticity −vΔ_v/Δ with which the advantage gap falls with the variance of the reward",
)
t_ref = scalar("t_ref", r"t_{\mathrm{ref}}", "ℝ", "log-odds of the success of the reference policy")
t_start = scalar("t_start", "t_0", "ℝ", "log-odds of the success from which a run starts")
t_low = scalar("t_low", "t_-", "ℝ", "lower end of an interval of log-odds")
t_high = scalar("t_high", "t_+", "ℝ", "upper end of an interval of log-odds")
t = scalar("t", "t", "ℝ", "an auxiliary variable")
u = scalar("u", "u", "(0, ∞)", "a probability ratio π_ref/π")
v = scalar("v", "v", "(0, ∞)", "an auxiliary variable")
s = scalar("s", "s", "ℝ", "an auxiliary variable")
alpha = scalar("alpha", r"\alpha", "ℝ", "an auxiliary variable")
zeta = scalar("zeta", r"\zeta", "ℝ", "an auxiliary variable")
nu = scalar("nu", r"\nu", "ℝ", "an auxiliary variable")
chi = scalar("chi", r"\chi", "ℝ", "an auxiliary variable")
psi = scalar("psi", r"\psi", "ℝ", "an auxiliary variable")

_LETTERS = [name for name, value in globals().items() if isinstance(value, sp.Symbol | sp.IndexedBase | Tokens)]
__all__ = ["declare", "family", "scalar", *_LETTERS]


def known(symbol: sp.Symbol | sp.IndexedBase) -> bool:
    """Whether a symbol or family belongs to the notation."""
    name = str(symbol)
    return name in NOTATION and str(NOTATION[name].symbol) == name


def printed(letter: sp.Expr) -> Seen:
    """What is seen of a letter, a family or a constant."""
    name = str(letter)
    return seen(NOTATION[name].latex if name in NOTATION else sp.latex(getattr(letter, "label", letter)))


def symbol_names() -> dict[sp.Symbol, str]:
    """LaTeX names for SymPy's printer, of symbols and of the labels of families."""
    return {getattr(entry.symbol, "label", entry.symbol): entry.latex for entry in NOTATION.values()}


def table() -> list[str]:
    """The letters that a result file can import, a line each: the name to import (of a family with […]), what is
    printed, the usual range and the meaning.

    >>> next(line for line in table() if line.startswith("beta "))
    'beta          β         (0, ∞)   regularisation constant of the reference-policy divergence penalty'
    """
    from grpo_symbolic.typeset.plain import plain

    rows = []
    for name, value in globals().items():
        if isinstance(value, sp.Symbol | sp.IndexedBase):
            entry = NOTATION[str(value)]
            called = f"{name}[…]" if isinstance(value, sp.IndexedBase) else name
            rows.append(f"{called:<13} {plain(entry.latex):<9} {entry.domain:<8} {entry.meaning}")
    return rows


if __name__ == "__main__":
    print("\n".join(table()))
