"""What people write finds an answer and its claims; the page of questions is the table of them."""

from __future__ import annotations

import pytest
from checkout import ROOT
from command_line import cli

from grpo_symbolic import catalogue
from grpo_symbolic.setting import PAPER_GRPO
from grpo_symbolic.trainers import read
from grpo_symbolic.trainers.questions import QUESTIONS, asked

PAGE = ROOT / "docs" / "how-to" / "questions.md"

WRITTEN = {
    "loss is 0": "tr-zero-loss",
    "why is my loss zero?": "tr-zero-loss",
    "dead groups": "tr-kept-share",
    "frac_reward_zero_std": "tr-kept-share",
    "clip ratio 0.4": "by-clip-inner-loop",
    "clip ratio": "by-clip-inner-loop",
    "clip fraction is 0": "tr-clip-first-step",
    "two fifths of GSPO tokens are clipped": "tr-gspo-long-texts",
    "kl spikes": "by-div-values",
    "entropy collapse": "tr-entropy-rate",
    "reward hacks length": "tr-step-length-bias",
    "off-policy steps": "tr-sampler-weights",
    "reward plateaus": "tr-flow-ends",
    "rloo vs grpo": "by-norm-coefficients",
}


@pytest.mark.parametrize(("text", "claim"), WRITTEN.items())
def test_what_people_write_finds_claims(text: str, claim: str) -> None:
    assert claim in [c for question in asked(text) for c in question.claims]
    for command in (["show", text], ["search", *text.split()]):
        result = cli(*command, terminal_width=200)
        assert result.exit_code == 0
        assert claim in result.output


@pytest.mark.parametrize("text", ["zebra", "0", "learning to knit"])
def test_what_nobody_knows_is_said_in_one_sentence(text: str) -> None:
    assert asked(text) == []
    result = cli("search", text)
    assert result.exit_code != 0


def test_every_question_has_claims_that_exist_and_finds_itself() -> None:
    known = catalogue.index().expected
    assert len(QUESTIONS) == 25
    for question in QUESTIONS:
        assert set(question.claims) <= known.keys()
        assert question in asked(question.ask)
        for phrase in question.words.split(","):
            assert question in asked(phrase), phrase


def test_a_number_is_that_of_the_readers_own_options() -> None:
    (dead,) = asked("dead groups")
    share = 0.9**4 + 0.1**4
    assert f"{100 * share:.2g}%" in dead.number(read("trl", {"num_generations": 4}).setting)
    result = cli("search", "dead groups", "--trainer", "trl", "--set", "num_generations=4")
    assert "groups of 4" in result.output


def test_the_page_has_every_question_with_its_number_and_claims() -> None:
    rows = []
    for q in QUESTIONS:
        claims = ", ".join(f"`{c}`" for c in q.claims)
        cells = [cell.replace("|", "\\|") for cell in (q.ask, q.answer, q.number(PAPER_GRPO) or "–", claims)]
        rows.append(f"| {' | '.join(cells)} |")
    assert [line for line in PAGE.read_text(encoding="utf-8").splitlines() if line.startswith("| ")][1:] == rows
