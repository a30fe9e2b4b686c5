"""``TheoryCallback`` on TRL's own ``GRPOTrainer``: a tiny model with AdamW, beside its options and others.

A text is right if its first word is one of two.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("trl")

import torch
from datasets import Dataset
from tokenizers import Tokenizer, models, pre_tokenizers
from transformers import GPT2Config, GPT2LMHeadModel, PreTrainedTokenizerFast
from trl import GRPOConfig, GRPOTrainer

from grpo_symbolic import trainers
from grpo_symbolic.diagnose import Diagnosis, Fault, diagnose
from grpo_symbolic.diagnose.callback import TheoryCallback

WORDS = ["<pad>", "<eos>", "<unk>", *"abcdefghijkl"]
OPTIONS = {"beta": 0.04, "loss_type": "grpo", "num_generations": 8, "max_completion_length": 6}


def reward(completions: list[str], **_: Any) -> list[float]:
    return [float(text.strip()[:1] in ("a", "b")) for text in completions]


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory) -> tuple[Diagnosis, Path]:
    """The diagnosis of a run of forty steps, and its folder."""
    folder = tmp_path_factory.mktemp("run")
    words = Tokenizer(models.WordLevel({word: k for k, word in enumerate(WORDS)}, unk_token="<unk>"))
    words.pre_tokenizer = pre_tokenizers.Whitespace()
    names = {"pad_token": "<pad>", "eos_token": "<eos>", "unk_token": "<unk>"}
    tokenizer = PreTrainedTokenizerFast(tokenizer_object=words, **names)
    torch.manual_seed(0)
    still = {"resid_pdrop": 0.0, "embd_pdrop": 0.0, "attn_pdrop": 0.0}
    ends = {"eos_token_id": 1, "pad_token_id": 0, "bos_token_id": 1}
    shape = GPT2Config(vocab_size=len(WORDS), n_positions=32, n_embd=32, n_layer=1, n_head=2, **still, **ends)
    GPT2LMHeadModel(shape).save_pretrained(folder / "model")
    tokenizer.save_pretrained(folder / "model")
    arguments = GRPOConfig(
        output_dir=str(folder),
        max_steps=40,
        per_device_train_batch_size=32,
        learning_rate=3e-3,
        logging_steps=1,
        report_to=[],
        use_cpu=True,
        bf16=False,
        save_strategy="no",
        **OPTIONS,
    )
    callback = TheoryCallback()
    trainer = GRPOTrainer(
        model=GPT2LMHeadModel.from_pretrained(folder / "model"),
        reward_funcs=reward,
        args=arguments,
        train_dataset=Dataset.from_dict({"prompt": ["c d", "e f", "g h", "i j"] * 40}),
        processing_class=tokenizer,
    )
    callback.attach(trainer)
    trainer.train()
    (folder / "trainer_state.json").write_text(json.dumps({"log_history": trainer.state.log_history}))
    assert callback.watching is not None
    return callback.watching.diagnosis(), folder


def test_a_run_of_trl_is_as_its_options_imply(finished: tuple[Diagnosis, Path]) -> None:
    found, folder = finished
    assert [finding.says for finding in found.odd] == []
    assert found.run.log.unknown == ()
    assert (found.run.binary, found.run.texts) == (True, 32)
    assert len(found.findings) >= 8
    assert "<svg" in (folder / "theory.html").read_text(encoding="utf-8")


def test_what_it_logs_is_in_the_history_with_three_numbers(finished: tuple[Diagnosis, Path]) -> None:
    history = json.loads((finished[1] / "trainer_state.json").read_text())["log_history"]
    assert {"theory/odd", "theory/loss_outside", "theory/least_dead"} <= history[0].keys()


@pytest.mark.parametrize(
    ("options", "fault"),
    [({"beta": 0.004}, Fault.BETA), ({"num_generations": 16}, Fault.GROUP_SIZE), ({"loss_type": "sapo"}, None)],
)
def test_the_same_log_beside_other_options_is_odd(
    finished: tuple[Diagnosis, Path], options: dict[str, Any], fault: Fault | None
) -> None:
    told = trainers.read("trl", {**OPTIONS, "per_device_train_batch_size": 32, **options})
    found = diagnose(finished[1] / "trainer_state.json", told)
    assert found.faults[:1] == (() if fault is None else (fault,))
