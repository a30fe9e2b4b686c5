"""What each number of a prediction assumes, in words, and what becomes of it where prompts share parameters."""

from __future__ import annotations

from grpo_symbolic import setting as st
from grpo_symbolic.numeric.prediction.calibration import Calibration
from grpo_symbolic.numeric.prediction.training import Settings

BOUND = (
    "where prompts share parameters the end is a bound and no forecast: the mean objective, ∫Δ dx − β KL from the pass "
    "rate on, cannot exceed that of the end, whatever the optimiser, but a prompt may end elsewhere and even at 0"
)
NO_BOUND = "where prompts share parameters the end is neither a forecast nor a bound of one prompt"
NO_TIME = "shared parameters and other optimisers have another clock, which the first steps of a log tell"


def assumes(training: Settings) -> tuple[str, ...]:
    """What every number assumes."""
    if training.best_responses:
        return ("independent prompts", "at every iteration the policy that maximises its objective exactly")
    phrases = [
        "independent prompts" if training.batch is None else "all rows as one batch, large enough to have no noise"
    ]
    if training.deciding == 1:
        phrases.append("a softmax of one right and one wrong answer")
    else:
        phrases.append(f"right and wrong choices at {training.deciding} tokens, alike at the start, none repaired")
    right, wrong = training.lengths
    if right != wrong:
        phrases.append(f"right texts of {right:g} tokens, wrong ones of {wrong:g}, all alike")
        if training.over in (st.Over.BATCH_TOKENS, st.Over.PROMPT_TOKENS):
            phrases.append("a batch of prompts that are alike, whose mean length divides")
    if training.dynamic_sampling:
        phrases.append("groups that are dropped replaced by groups of the same success")
    return (*phrases, "exact expectations")


def end_assumes(training: Settings) -> tuple[str, ...]:
    """What the success at the end assumes beside that."""
    if training.best_responses:
        return ()
    return ("on-policy samples",) if training.updates == 1 else ("steps so short that the ratio stays 1",)


def after_assumes(training: Settings, clock: Calibration | None = None) -> tuple[str, ...]:
    """What the success after some steps assumes beside that."""
    if clock is not None:
        phrases = [f"the clock of the first {clock.first} rows of the log"]
    else:
        phrases = ["plain gradient ascent on the logits"]
    if training.updates > 1:
        phrases.append(f"{training.updates} updates on samples of the policy before them, with its clip")
    elif training.unfollowed:
        phrases.append(f"on-policy samples, though there are several updates on a batch with {training.unfollowed}")
    else:
        phrases.append("on-policy samples")
    return tuple(phrases) if training.stepwise else (*phrases, "short steps")


def bounded(training: Settings, multiple: int) -> bool:
    """Whether the mean objective of prompts that share parameters is at most that of the end.

    One decision on-policy moves up a function of its own success, so shared parameters move up the mean of these; each
    is greatest at its rest point if there is one only.
    """
    flow = not training.best_responses and not training.stepwise
    return flow and training.deciding == 1 and training.flow.weighing.even and multiple == 0


__all__ = ["BOUND", "NO_BOUND", "NO_TIME", "after_assumes", "assumes", "bounded", "end_assumes"]
