"""Runs whose prompts share parameters: a small autoregressive network, and TRL's own trainer on a small transformer."""

from __future__ import annotations

import json
import tempfile
from typing import Any

import numpy as np
import torch
from stand_ins import Texts
from test_trl import real_loss
from trl import GRPOConfig, GRPOTrainer

from grpo_symbolic.setting import Setting
from grpo_symbolic.trainers import from_texts

PROMPTS, LETTERS, LENGTH, GROUPS = 8, 4, 2, 8
Played = tuple[Any, list[str], Any]  # pass rates at the start, a row of the log for each step, success at the end


class Network(torch.nn.Module):
    """The next letter from the prompt, the position and the letter before, through one hidden layer."""

    def __init__(self, width: int) -> None:
        super().__init__()
        self.hidden = torch.nn.Linear(PROMPTS + LENGTH + LETTERS + 1, width)
        self.letters = torch.nn.Linear(width, LETTERS)
        with torch.no_grad():  # so that prompts differ at the start
            self.hidden.weight.normal_()
            self.letters.weight.normal_(std=width**-0.5)

    def forward(self, prompts: torch.Tensor, position: int, before: torch.Tensor) -> torch.Tensor:
        """The log-probabilities of the letters."""
        place = torch.full_like(prompts, position)
        ones = torch.nn.functional.one_hot
        seen = torch.cat([ones(prompts, PROMPTS), ones(place, LENGTH), ones(before, LETTERS + 1)], -1)
        return torch.log_softmax(self.letters(torch.tanh(self.hidden(seen.double()))), -1)


def _of(network: Network, prompts: torch.Tensor, texts: torch.Tensor) -> torch.Tensor:
    """The log-probability of each letter of the texts."""
    before = torch.cat([torch.full_like(texts[:, :1], LETTERS), texts[:, :-1]], 1)
    each = [network(prompts, k, before[:, k]).gather(1, texts[:, k : k + 1]) for k in range(LENGTH)]
    return torch.cat(each, 1)


def network_run(setting: Setting, options: str, width: int, steps: int, rate: float, seed: int = 0) -> Played:
    """Plain gradient ascent for the parameters of a network with this many hidden units, on TRL's own loss."""
    torch.manual_seed(seed)
    network, size = Network(width), setting.group_size
    target = torch.randint(LETTERS, (PROMPTS, LENGTH))
    loss = real_loss(from_texts(options.split()) | {"num_generations": size})
    prompts = torch.arange(PROMPTS).repeat_interleave(GROUPS * size)
    group, mask = torch.arange(len(prompts)) // size, torch.ones(len(prompts), LENGTH)
    first = {name: value.clone() for name, value in network.state_dict().items()}
    reference = Network(width)
    reference.load_state_dict(first)
    every = torch.arange(PROMPTS)

    def success() -> Any:
        with torch.no_grad():
            return _of(network, every, target).sum(1).exp().numpy()

    start, log = success(), []
    for step in range(steps):
        if step % setting.updates == 0:
            with torch.no_grad():
                texts = torch.empty(len(prompts), 0, dtype=torch.long)
                for position in range(LENGTH):
                    before = texts[:, -1] if position else torch.full_like(prompts, LETTERS)
                    letters = network(prompts, position, before).exp().multinomial(1)
                    texts = torch.cat([texts, letters], 1)
                old, ref = _of(network, prompts, texts), _of(reference, prompts, texts)
                rewards = (texts == target[prompts]).all(1).double()
        log.append(json.dumps({"step": step + 1, "reward": float(rewards.mean())}) + "\n")
        logp = _of(network, prompts, texts)
        _, slopes = loss(Texts(logp.detach(), old, ref, old, mask, rewards, group, rewards))
        grads = torch.autograd.grad(logp, list(network.parameters()), slopes)
        with torch.no_grad():
            for parameter, slope in zip(network.parameters(), grads, strict=True):
                parameter -= rate * PROMPTS * slope
    return start, log, success()


def trainer_run(options: str, steps: int, seed: int = 0) -> Played:
    """TRL's ``GRPOTrainer`` with AdamW on a transformer of one layer: one letter of 16 is answered, two are right."""
    from datasets import Dataset
    from tokenizers import Tokenizer
    from tokenizers.models import WordLevel
    from tokenizers.pre_tokenizers import WhitespaceSplit
    from transformers import GPT2Config, GPT2LMHeadModel, PreTrainedTokenizerFast, PrinterCallback

    torch.manual_seed(seed)
    names = ["<pad>", "<eos>", *(f"p{k}" for k in range(PROMPTS)), *(f"a{k}" for k in range(16))]
    words = Tokenizer(WordLevel({name: k for k, name in enumerate(names)}, unk_token="<pad>"))
    words.pre_tokenizer = WhitespaceSplit()
    tokenizer = PreTrainedTokenizerFast(tokenizer_object=words, pad_token="<pad>", eos_token="<eos>")
    shape = GPT2Config(vocab_size=len(names), n_positions=8, n_embd=32, n_layer=1, n_head=2, initializer_range=0.2)
    shape.resid_pdrop = shape.embd_pdrop = shape.attn_pdrop = 0.0
    shape.bos_token_id = shape.eos_token_id = 1
    shape.pad_token_id = 0
    model = GPT2LMHeadModel(shape).float()
    right = {f"p{k}": {f"a{2 * k}", f"a{2 * k + 1}"} for k in range(PROMPTS)}
    every = tokenizer([*right], return_tensors="pt").input_ids

    def success() -> Any:
        with torch.no_grad():
            chances = model.eval()(every).logits[:, -1].softmax(-1)
        model.train()
        answers = [tokenizer.convert_tokens_to_ids(sorted(each)) for each in right.values()]
        return np.array([float(row[ids].sum()) for row, ids in zip(chances, answers, strict=True)])

    def reward(prompts: list[str], completions: list[str], **_: Any) -> list[float]:
        return [float(text.strip() in right[prompt]) for prompt, text in zip(prompts, completions, strict=True)]

    start = success()
    given = {"max_completion_length": 1, "num_generations": 8} | from_texts(options.split())
    with tempfile.TemporaryDirectory() as folder:
        model.save_pretrained(folder)  # where the trainer finds its reference
        model.config._name_or_path = folder
        config = GRPOConfig(
            output_dir=folder,
            max_steps=steps,
            logging_steps=1,
            per_device_train_batch_size=PROMPTS * int(given["num_generations"]),
            use_cpu=True,
            bf16=False,
            report_to="none",
            save_strategy="no",
            disable_tqdm=True,
            seed=seed,
            **given,
        )
        data = Dataset.from_dict({"prompt": [*right]})
        trainer = GRPOTrainer(model, reward, config, train_dataset=data, processing_class=tokenizer)
        trainer.remove_callback(PrinterCallback)
        trainer.train()
    kept = ("step", "reward", "learning_rate")
    rows = [row for row in trainer.state.log_history if "reward" in row]
    return start, [json.dumps({name: row[name] for name in kept}) + "\n" for row in rows], success()
