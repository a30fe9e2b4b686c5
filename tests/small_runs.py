"""Small real runs: a tabular autoregressive policy under the losses of TRL, verl, OpenRLHF and NeMo-RL, which logs what
they log; and faults that can be planted in it.

A text is right if its first token is its prompt's; then tokens follow until the last token, EOS. All of the trainer is
here, written from what the trainers' own code does, and nothing of it is taken from what is tested.
"""

from __future__ import annotations

import copy
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import torch

torch.set_num_threads(1)
EOS, VOCABULARY = 4, 5
Rows = list[dict[str, float]]


@dataclass(frozen=True)
class Run:
    """How a run is made: ``trainer`` whose names it logs, and the options; ``start``: the mean pass rate at the start,
    ``apart``: how far those of the prompts differ, in log-odds; ``engine``: whether another engine samples, and says
    its log-probabilities, ``noise`` off; ``fault``: what is planted, in the ``strength`` that is usual or another.
    """

    trainer: str = "trl"
    steps: int = 60
    prompts: int = 16
    group: int = 8
    beta: float = 0.0
    estimator: str = "k3"
    loss: str = "grpo"
    scale: str = "group"
    updates: int = 1
    low: float = 0.2
    high: float = 0.2
    by_text: bool = False
    rate: float = 4.0
    adam: bool = False
    longest: int = 6
    start: float = 0.35
    apart: float = 0.7
    engine: bool = False
    noise: float = 0.003
    filtered: bool = False
    seed: int = 0
    fault: str = ""
    strength: float | None = None

    def strong(self, usual: float) -> float:
        """How strong the fault is, in its own units."""
        return usual if self.strength is None else self.strength

    def options(self) -> dict[str, Any]:
        """The options of the trainer, as they are told."""
        return _OPTIONS[self.trainer](self)


def _trl(run: Run) -> dict[str, Any]:
    level = {"importance_sampling_level": "sequence"} if run.by_text else {}
    engine = {"use_vllm": True, "vllm_importance_sampling_mode": "token_truncate"} if run.engine else {}
    return {
        "num_generations": run.group,
        "per_device_train_batch_size": run.group * run.prompts,
        "beta": run.beta,
        "loss_type": run.loss,
        "scale_rewards": run.scale,
        "num_iterations": run.updates,
        "epsilon": run.low,
        "epsilon_high": run.high,
        "max_completion_length": run.longest,
        "use_bias_correction_kl": False,
        **level,
        **engine,
    }


_VERL_LOSS = {"grpo": "seq-mean-token-mean", "dapo": "token-mean"}


def _verl(run: Run) -> dict[str, Any]:
    actor, kl = "actor_rollout_ref.actor.", {"k1": "k1", "k3": "low_var_kl"}
    return {
        "algorithm.adv_estimator": "grpo",
        "algorithm.norm_adv_by_std_in_grpo": run.scale == "group",
        "algorithm.filter_groups.enable": run.filtered,
        actor + "use_kl_loss": run.beta > 0,
        actor + "kl_loss_coef": run.beta,
        actor + "kl_loss_type": kl[run.estimator],
        actor + "loss_agg_mode": _VERL_LOSS[run.loss],
        actor + "clip_ratio_low": run.low,
        actor + "clip_ratio_high": run.high,
        actor + "ppo_epochs": run.updates,
        actor + "ppo_mini_batch_size": run.prompts,
        "data.train_batch_size": run.prompts,
        "data.max_response_length": run.longest,
        "actor_rollout_ref.rollout.n": run.group,
    }


def _openrlhf(run: Run) -> dict[str, Any]:
    return {
        "algo.advantage.estimator": "group_norm",
        "algo.kl.init_coef": run.beta,
        "algo.kl.use_loss": True,
        "algo.kl.estimator": run.estimator,
        "actor.eps_clip": run.low,
        "rollout.n_samples_per_prompt": run.group,
        "rollout.batch_size": run.prompts,
        "train.batch_size": run.prompts * run.group,
        "train.max_epochs": run.updates,
    }


def _nemo(run: Run) -> dict[str, Any]:
    return {
        "grpo.num_generations_per_prompt": run.group,
        "grpo.num_prompts_per_step": run.prompts,
        "grpo.use_leave_one_out_baseline": False,
        "loss_fn.reference_policy_kl_penalty": run.beta,
        "loss_fn.token_level_loss": run.loss == "dapo",
        "loss_fn.ratio_clip_min": run.low,
        "loss_fn.ratio_clip_max": run.high,
        "policy.train_global_batch_size": run.prompts * run.group // run.updates,
    }


def _slime(run: Run) -> dict[str, Any]:
    return {
        "n_samples_per_prompt": run.group,
        "rollout_batch_size": run.prompts,
        "global_batch_size": run.prompts * run.group,
        "rollout_max_response_len": run.longest,
        "grpo_std_normalization": run.scale == "group",
        "calculate_per_token_loss": run.loss == "dapo",
        "use_kl_loss": run.beta > 0,
        "kl_loss_coef": run.beta,
        "kl_loss_type": run.estimator,
        "eps_clip": run.low,
        "eps_clip_high": run.high,
    }


_OPTIONS: dict[str, Callable[[Run], dict[str, Any]]] = {
    "trl": _trl,
    "verl": _verl,
    "openrlhf": _openrlhf,
    "nemo-rl": _nemo,
    "slime": _slime,
}


class Policy:
    """Logits by prompt, place and the token before; shape (prompts, places, tokens before, tokens)."""

    def __init__(self, run: Run, count: int, places: int, random: torch.Generator) -> None:
        self.logits = 0.5 * torch.randn((count, places, VOCABULARY, VOCABULARY), generator=random)
        rates = torch.sigmoid(
            torch.logit(torch.tensor(run.start)) + run.apart * torch.randn((count, 1), generator=random)
        )
        others = (1 - rates) / (VOCABULARY - 1)
        self.logits[:, 0, :, :] = torch.log(others)[:, :, None].expand(-1, VOCABULARY, VOCABULARY)
        self.logits[:, 0, :, 0] = torch.log(rates)
        self.logits.requires_grad_(True)

    def log_probs(self, prompts: torch.Tensor, texts: torch.Tensor, temperature: float = 1.0) -> torch.Tensor:
        """Of every token after those before it, shape (texts, places, tokens)."""
        before = torch.cat([torch.zeros_like(texts[:, :1]), texts[:, :-1]], 1)
        places = torch.arange(texts.shape[1])[None, :].expand_as(texts)
        return torch.log_softmax(self.logits[prompts[:, None], places, before] / temperature, -1)


def _sampled(policy: Policy, prompts: torch.Tensor, longest: int, temperature: float, random: torch.Generator) -> Any:
    """Texts with EOS behind the end, and the mask of what was drawn, EOS included."""
    laws = torch.softmax(policy.logits.detach() / temperature, -1)
    count = len(prompts)
    texts = torch.full((count, policy.logits.shape[1]), EOS)
    mask = torch.zeros_like(texts, dtype=torch.float32)
    alive, last = torch.ones(count, dtype=torch.bool), torch.zeros(count, dtype=torch.long)
    for place in range(longest):
        drawn = torch.multinomial(laws[prompts, place, last], 1, generator=random)[:, 0]
        last = torch.where(alive, drawn, torch.full_like(drawn, EOS))
        texts[:, place] = last
        mask[:, place] = alive.float()
        alive = alive & (last != EOS)
    return texts, mask


def train(run: Run) -> Rows:
    """The rows that the run logs, one a step."""
    random = torch.Generator().manual_seed(run.seed)
    longest = run.longest + (2 if run.fault == "longer" else 0)
    count, places = 2 * run.prompts, longest + 1
    policy = Policy(run, count, places, random)
    reference = copy.deepcopy(policy)
    if run.fault == "reference start":
        reference.logits = (
            reference.logits + run.strong(0.3) * torch.randn(reference.logits.shape, generator=random)
        ).detach()
    optimiser: torch.optim.Optimizer = torch.optim.SGD([policy.logits], lr=run.rate)
    if run.adam:
        optimiser = torch.optim.Adam([policy.logits], lr=run.rate)
    made = _Made(run, policy, reference, optimiser, random, longest, count)
    return [made.step(number) for number in range(1, run.steps + 1)]


class _Made:
    """One run as it is made."""

    def __init__(
        self, run: Run, policy: Policy, reference: Policy, optimiser: Any, random: Any, longest: int, count: int
    ):
        self.run, self.policy, self.reference, self.optimiser = run, policy, reference, optimiser
        self.random, self.longest, self.count = random, longest, count
        self.past: list[torch.Tensor] = []

    def step(self, number: int) -> dict[str, float]:
        run = self.run
        self.past.append(self.policy.logits.detach().clone())
        if run.fault == "reference moves" and number % int(run.strong(8)) == 0:
            self.reference.logits = self.policy.logits.detach().clone()
        prompts, texts, mask, sampler, rewards = self._batch()
        group = self._group()
        own = rewards * run.strong(5) if run.fault == "reward scaled" else rewards
        advantages, dead = self._advantages(own.view(-1, group))
        if run.fault == "mask":
            mask = torch.cat([torch.zeros_like(mask[:, :1]), mask[:, :-1]], 1)
        index = texts[:, :, None]
        with torch.no_grad():
            at_start = self.policy.log_probs(prompts, texts)
            old = at_start.gather(2, index)[:, :, 0]
            ref = self.reference.log_probs(prompts, texts).gather(2, index)[:, :, 0]
        engine = (
            torch.exp(old - sampler).clamp(max=3.0) if run.engine and run.trainer == "trl" else torch.ones_like(old)
        )
        seen: list[dict[str, float]] = []
        for _ in range(int(run.strong(3)) if run.fault == "updates" else run.updates):
            seen.append(self._update(prompts, texts, mask, old, ref, advantages, engine))
        means = {name: sum(s[name] for s in seen) / len(seen) for name in seen[0]}
        means["ratio low"], means["ratio high"] = min(s["ratio low"] for s in seen), max(s["ratio high"] for s in seen)
        lengths = mask.sum(1)
        whole = mask.bool()
        gap = (old - sampler).abs()[whole]
        probs = (old.exp() - sampler.exp()).abs()[whole]
        spread = advantages[:, None].expand_as(mask)[whole]
        facts = {
            **means,
            "step": number,
            "part": float(rewards.mean()),
            "reward": float(own.mean()),
            "std": float(own.std()),
            "least": float(own.min()),
            "most": float(own.max()),
            "dead": dead,
            "length": float(lengths.mean()),
            "shortest": float(lengths.min()),
            "longest": float(lengths.max()),
            "gap": float(gap.mean()),
            "gap high": float(gap.max()),
            "probs": float(probs.mean()),
            "probs high": float(probs.max()),
            "probs std": float(probs.std()),
            "weight": float(engine[whole].mean()),
            "weight low": float(engine[whole].min()),
            "weight high": float(engine[whole].max()),
            "advantage": float(spread.mean()),
            "advantage low": float(spread.min()),
            "advantage high": float(spread.max()),
            "rate": 0.0 if run.fault == "rate zero" else run.rate,
            "texts": float(len(rewards)),
        }
        return _LOGGED[run.trainer](run, facts)

    def _group(self) -> int:
        return {"group smaller": self.run.group // 2, "group larger": self.run.group * 2}.get(
            self.run.fault, self.run.group
        )

    def _batch(self) -> tuple[torch.Tensor, ...]:
        """Prompts, texts, mask, the sampler's log-probabilities, and rewards; groups with equal rewards replaced."""
        run, group = self.run, self._group()
        wanted = run.prompts * run.group // group
        kept: list[tuple[torch.Tensor, ...]] = []
        for _ in range(40):
            found = self._drawn(wanted, group)
            if not run.filtered or run.fault == "no filter":
                return found
            rewards = found[4].view(-1, group)
            alive = (rewards.amax(1) > rewards.amin(1)).repeat_interleave(group)
            kept.append(tuple(part[alive] for part in found))
            if sum(len(part[0]) for part in kept) >= wanted * group:
                break
        return tuple(torch.cat(parts)[: wanted * group] for parts in zip(*kept, strict=True))

    def _drawn(self, wanted: int, group: int) -> tuple[torch.Tensor, ...]:
        run = self.run
        chosen = torch.randint(self.count, (wanted,), generator=self.random)
        engine = copy.copy(self.policy)
        if run.fault == "stale":
            engine.logits = self.past[max(len(self.past) - 1 - int(run.strong(4)), 0)]
        if run.fault == "sampler":
            engine.logits = torch.round(self.policy.logits.detach() * run.strong(1.5)) / run.strong(1.5)
        temperature = run.strong(1.6) if run.fault == "temperature" else 1.0
        distinct = group // 2 if run.fault == "duplicates" else group
        prompts = chosen.repeat_interleave(distinct)
        texts, mask = _sampled(engine, prompts, self.longest, temperature, self.random)
        with torch.no_grad():
            law = engine.log_probs(prompts, texts, temperature)
            drawn = law.gather(2, texts[:, :, None])[:, :, 0]
            drawn = (drawn + run.noise * torch.randn(drawn.shape, generator=self.random)) * mask
        rewards = (texts[:, 0] == 0).float()
        found = (prompts, texts, mask, drawn, rewards)
        return tuple(part.repeat_interleave(group // distinct, 0) for part in found)

    def _advantages(self, rewards: torch.Tensor) -> tuple[torch.Tensor, float]:
        """The advantages, and the share of groups with equal rewards as TRL logs it."""
        run, fault = self.run, self.run.fault
        deviation = rewards.std(1, keepdim=True)
        if run.scale == "batch" or fault == "batch deviation":
            deviation = rewards.std().expand_as(deviation)
        centred = rewards - rewards.mean(1, keepdim=True)
        if fault == "no baseline":
            centred = rewards
        eps = {"trl": 1e-4, "openrlhf": 1e-9}.get(run.trainer, 1e-6)
        found = centred if run.scale == "none" or fault == "unscaled" else centred / (deviation + eps)
        if run.trainer == "nemo-rl" and run.scale == "group":
            found = torch.where(deviation > 0, centred / (deviation + eps), centred)
        dead = float(torch.isclose(deviation, torch.zeros_like(deviation)).float().mean())
        return (-found if fault == "sign" else found).flatten(), dead

    def _update(self, prompts: Any, texts: Any, mask: Any, old: Any, ref: Any, advantages: Any, engine: Any) -> Any:
        run, fault = self.run, self.run.fault
        law = self.policy.log_probs(prompts, texts)
        own = law.gather(2, texts[:, :, None])[:, :, 0]
        entropy = -(law.exp() * law).sum(-1)
        log_ratio = own - old
        if run.by_text:
            log_ratio = ((log_ratio * mask).sum(1) / mask.sum(1).clamp(min=1))[:, None].expand_as(mask)
        ratio = log_ratio.exp()
        low, high = (-run.low, -run.high) if fault == "clip range" else (run.low, run.high)
        if fault == "double clip":
            ratio = ratio.clamp(1 - low, 1 + high)
        each = advantages[:, None]
        terms = -torch.min(ratio * each, ratio.clamp(1 - low, 1 + high) * each) * engine
        off = own - ref
        kl = off if fault == "k1" or run.estimator == "k1" else torch.exp(-off) + off - 1
        total = self._averaged(terms, mask) if fault != "detached" else self._averaged(terms.detach(), mask)
        policy_part = float(total.detach())
        beta = {"beta": run.strong(10) * run.beta, "kl sign": -run.beta, "hidden kl": run.strong(0.2)}.get(
            fault, run.beta
        )
        charge = self._averaged(kl, mask)
        if fault == "kl padded":
            charge = (kl * mask).mean()
        if beta:
            total = total + beta * charge
        if fault == "entropy":
            total = total - run.strong(0.05) * (entropy * mask).sum() / mask.sum()
        self.optimiser.zero_grad()
        if total.requires_grad:
            total.backward()
        norm = float(self.policy.logits.grad.norm()) if self.policy.logits.grad is not None else 0.0
        if fault not in ("standstill", "rate zero"):
            self.optimiser.step()
        out = ((ratio < 1 - low) & (each < 0)) | ((ratio > 1 + high) & (each > 0))
        inside = ratio.detach()[mask.bool()]
        as_logged = (kl * mask).sum() / mask.sum() if run.trainer == "trl" else charge
        return {
            "loss": float(total.detach()),
            "policy loss": policy_part,
            "kl": float((kl.detach() * mask).mean() if fault == "kl padded" else as_logged.detach()),
            "entropy": float((entropy.detach() * mask).sum() / mask.sum()),
            "clip": float((out.float() * mask).sum() / mask.sum()),
            "old kl": float((-log_ratio.detach() * mask).sum() / mask.sum()),
            "norm": norm,
            "ratio low": float(inside.min()),
            "ratio high": float(inside.max()),
        }

    def _averaged(self, terms: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
        loss = {"aggregation": "dapo", "aggregation text": "grpo"}.get(self.run.fault, self.run.loss)
        if loss == "dapo":
            return (terms * mask).sum() / mask.sum()
        if loss == "dr_grpo":
            return (terms * mask).sum() / (len(mask) * self.run.longest)
        return ((terms * mask).sum(1) / mask.sum(1).clamp(min=1)).mean()


def _log_trl(run: Run, of: dict[str, float]) -> dict[str, float]:
    row = {
        "step": of["step"],
        "loss": of["loss"],
        "grad_norm": of["norm"],
        "learning_rate": of["rate"],
        "reward": of["reward"],
        "reward_std": of["std"],
        "rewards/correct/mean": of["part"],
        "frac_reward_zero_std": of["dead"],
        "entropy": of["entropy"],
        "clip_ratio/region_mean": of["clip"],
        "completions/mean_length": of["length"],
        "completions/min_length": of["shortest"],
        "completions/max_length": of["longest"],
        "step_time": 0.1,
    }
    if run.beta:
        row["kl"] = of["kl"]
    if run.engine:
        row |= {
            "sampling/sampling_logp_difference/mean": of["gap"],
            "sampling/sampling_logp_difference/max": of["gap high"],
            "sampling/importance_sampling_ratio/mean": of["weight"],
            "sampling/importance_sampling_ratio/min": of["weight low"],
            "sampling/importance_sampling_ratio/max": of["weight high"],
        }
    return row


def _log_verl(run: Run, of: dict[str, float]) -> dict[str, float]:
    row = {
        "training/global_step": of["step"],
        "actor/loss": of["loss"],
        "actor/pg_loss": of["policy loss"],
        "actor/grad_norm": of["norm"],
        "actor/lr": of["rate"],
        "actor/pg_clipfrac": of["clip"],
        "actor/ppo_kl": of["old kl"],
        "actor/entropy": of["entropy"],
        "critic/score/mean": of["reward"],
        "critic/score/max": of["most"],
        "critic/score/min": of["least"],
        "critic/advantages/mean": of["advantage"],
        "critic/advantages/max": of["advantage high"],
        "critic/advantages/min": of["advantage low"],
        "response_length/mean": of["length"],
        "response_length/max": of["longest"],
        "response_length/min": of["shortest"],
        "timing_s/gen": 0.1,
    }
    if run.beta:
        row |= {"actor/kl_loss": of["kl"], "actor/kl_coef": run.beta * (10 if run.fault == "beta" else 1)}
    if run.engine:
        row |= {"training/rollout_probs_diff_mean": of["probs"], "training/rollout_probs_diff_max": of["probs high"]}
        row["training/rollout_probs_diff_std"] = of["probs std"]
    return row


def _log_openrlhf(run: Run, of: dict[str, float]) -> dict[str, float]:
    row = {
        "train/global_step": of["step"],
        "train/policy_loss": of["policy loss"],
        "train/ppo_clip_ratio": of["clip"],
        "train/ppo_kl": of["old kl"],
        "train/actor_grad_norm": of["norm"],
        "train/actor_lr": of["rate"],
        "train/rollout/reward_mean": of["reward"],
        "train/rollout/reward_std": of["std"],
        "train/rollout/response_length_mean": of["length"],
        "train/rollout/num_samples": of["texts"],
    }
    return row | ({"train/kl": of["kl"]} if run.beta else {})


def _log_nemo(run: Run, of: dict[str, float]) -> dict[str, float]:
    row = {
        "step": of["step"],
        "train/loss": of["loss"],
        "train/reward": of["reward"],
        "train/grad_norm": of["norm"],
        "train/lr": of["rate"],
        "train/probs_ratio_min": of["ratio low"],
        "train/probs_ratio_max": of["ratio high"],
        "train/baseline_reward/pct_mixed": 100 * (1 - of["dead"]),
        "train/advantages/mean": of["advantage"],
        "train/advantages/min": of["advantage low"],
        "train/advantages/max": of["advantage high"],
        "train/mean_gen_tokens_per_sample": of["length"],
    }
    return row | ({"train/kl_penalty": of["kl"]} if run.beta else {})


def _log_slime(run: Run, of: dict[str, float]) -> dict[str, float]:
    row = {
        "rollout/step": of["step"] - 1,
        "train/step": of["step"] - 1,
        "train/loss": of["loss"],
        "train/pg_loss": of["policy loss"],
        "train/entropy_loss": of["entropy"],
        "train/pg_clipfrac": of["clip"],
        "train/ppo_kl": of["old kl"],
        "train/grad_norm": of["norm"],
        "train/lr-pg_0": of["rate"],
        "train/global_batch_size": of["texts"],
        "rollout/raw_reward": of["reward"],
        "rollout/response_len/mean": of["length"],
        "rollout/response_len/min": of["shortest"],
        "rollout/response_len/max": of["longest"],
    }
    if run.engine:
        row["train/train_rollout_logprob_abs_diff"] = of["gap"]
    return row | ({"train/kl_loss": of["kl"]} if run.beta else {})


_LOGGED: dict[str, Callable[[Run, dict[str, float]], dict[str, float]]] = {
    "trl": _log_trl,
    "verl": _log_verl,
    "openrlhf": _log_openrlhf,
    "nemo-rl": _log_nemo,
    "slime": _log_slime,
}


def healthy() -> dict[str, Run]:
    """Runs of different settings without a fault, by a name."""
    trl, verl = Run(), Run(trainer="verl")
    found = {
        "defaults": replace(trl, loss="dapo"),
        "paper": replace(trl, beta=0.04),
        "strong penalty": replace(trl, beta=0.5, rate=2.0),
        "dapo with penalty": replace(trl, loss="dapo", beta=0.1),
        "Dr. GRPO": replace(trl, loss="dr_grpo", scale="none", rate=8.0),
        "batch deviation": replace(trl, scale="batch"),
        "pairs": replace(trl, group=2, prompts=48),
        "groups of 16": replace(trl, group=16, prompts=8, apart=1.5),
        "hard prompts": replace(trl, start=0.06, rate=8.0),
        "easy prompts": replace(trl, start=0.9),
        "two updates": replace(trl, updates=2),
        "four updates, clip-higher": replace(trl, updates=4, loss="dapo", high=0.28, rate=6.0),
        "GSPO": replace(trl, by_text=True, low=3e-3, high=4e-3, updates=2),
        "engine": replace(trl, engine=True, beta=0.02),
        "Adam": replace(trl, adam=True, rate=0.05, beta=0.04),
        "verl": replace(verl, loss="dapo"),
        "verl with penalty": replace(verl, loss="grpo", beta=0.1, engine=True),
        "verl, not divided": replace(verl, loss="dapo", scale="none", rate=8.0),
        "verl, filtered": replace(verl, loss="dapo", filtered=True),
        "verl, two epochs": replace(verl, loss="dapo", updates=2),
        "OpenRLHF": replace(trl, trainer="openrlhf", loss="dapo", beta=0.05),
        "NeMo-RL": replace(trl, trainer="nemo-rl", loss="dapo", beta=0.05),
        "long texts": replace(trl, longest=14, beta=0.04),
        "no learning": replace(trl, rate=1e-4, beta=0.04),
    }
    return {name: replace(run, seed=k) for k, (name, run) in enumerate(found.items())}


def faulty() -> dict[str, Run]:
    """Runs with a fault each, by a name; their options are told as if there were none."""
    trl, verl, nemo = Run(), Run(trainer="verl", loss="dapo"), Run(trainer="nemo-rl", loss="dapo")
    found = {
        "wrong sign of the advantage": replace(trl, fault="sign", beta=0.02, start=0.6, rate=8.0),
        "wrong sign of the advantage, verl": replace(verl, fault="sign", start=0.6, rate=8.0, steps=120),
        "no centring": replace(trl, fault="no baseline", scale="none"),
        "no centring, divided": replace(trl, fault="no baseline"),
        "no centring, verl": replace(verl, fault="no baseline"),
        "mask shifted by one": replace(trl, fault="mask", engine=True, beta=0.04),
        "mask shifted by one, verl": replace(verl, fault="mask", engine=True),
        "reference that moves": replace(trl, fault="reference moves", beta=0.01, rate=12.0, steps=120),
        "temperature in one place only": replace(trl, fault="temperature", engine=True, loss="dapo"),
        "temperature in one place only, verl": replace(verl, fault="temperature", engine=True),
        "sampler with rounded weights": replace(trl, fault="sampler", engine=True),
        "groups of 4, told 8": replace(trl, fault="group smaller"),
        "groups of 16, told 8": replace(trl, fault="group larger", start=0.08, apart=0.2, rate=1.0, steps=100),
        "groups of 16, told 8, verl": replace(verl, fault="group larger"),
        "stale by four steps": replace(trl, fault="stale", engine=True, loss="dapo", rate=16.0),
        "KL over padding": replace(
            trl, fault="kl padded", beta=0.005, rate=16.0, longest=14, start=0.2, apart=0.2, prompts=32, steps=160
        ),
        "ratio clipped twice": replace(nemo, fault="double clip", updates=3, rate=12.0),
        "ten times β": replace(trl, fault="beta", beta=0.04),
        "ten times β, verl": replace(verl, fault="beta", beta=0.04),
        "sign of the KL": replace(trl, fault="kl sign", beta=0.04),
        "deviation of the batch": replace(trl, fault="batch deviation", start=0.1, apart=0.2, rate=1.0, steps=100),
        "deviation of the batch, verl": replace(verl, fault="batch deviation"),
        "no division": replace(verl, fault="unscaled"),
        "clip range on the wrong side": replace(trl, fault="clip range"),
        "hidden entropy bonus": replace(trl, fault="entropy"),
        "duplicates in the group": replace(verl, fault="duplicates"),
        "learning rate 0": replace(trl, fault="rate zero", beta=0.04),
        "an optimiser that does not step": replace(trl, fault="standstill", beta=0.04),
        "scaled reward": replace(trl, fault="reward scaled"),
        "token mean, told 1/|o|": replace(trl, fault="aggregation"),
        "three updates, told one": replace(trl, fault="updates", rate=12.0, loss="dapo"),
        "three updates, told one, NeMo-RL": replace(nemo, fault="updates", rate=12.0),
        "another reference": replace(trl, fault="reference start", beta=0.04),
        "k1, told k3": replace(trl, fault="k1", beta=0.04),
        "hidden KL": replace(trl, fault="hidden kl"),
        "groups that are not filtered": replace(verl, fault="no filter", filtered=True, rate=16.0, adam=False),
        "a detached loss": replace(trl, fault="detached"),
        "longer texts": replace(trl, fault="longer"),
        "text mean, told a token mean": replace(verl, fault="aggregation text"),
        "hidden entropy bonus, verl": replace(verl, fault="entropy"),
        "three small updates, told one": replace(verl, fault="updates", rate=1.0),
    }
    return {name: replace(run, seed=100 + k) for k, (name, run) in enumerate(found.items())}


def silent() -> dict[str, tuple[Run, str]]:
    """Runs with a fault that their logs do not show, and why they do not."""
    trl = Run()
    kl = "the loss at ratio 1 may be any covariance of advantage and length, which is more than β times the KL"
    found = {
        "ten times β, token mean": (replace(trl, fault="beta", beta=0.04, loss="dapo"), kl),
        "sign of the KL, token mean": (replace(trl, fault="kl sign", beta=0.1, loss="dapo"), kl),
        "hidden KL, token mean": (replace(trl, fault="hidden kl", loss="dapo"), kl),
        "hidden entropy bonus, token mean": (replace(trl, fault="entropy", loss="dapo"), kl.replace("KL", "entropy")),
        "mask shifted by one, no engine": (
            replace(trl, fault="mask", beta=0.04),
            "at ratio 1 every mask gives 0, and there are no log-probabilities of a sampler to compare with",
        ),
        "temperature in one place only, no engine": (
            replace(trl, fault="temperature", beta=0.04),
            "the trainer takes its own log-probabilities for those of the samples",
        ),
        "stale by four steps, no engine": (
            replace(trl, fault="stale", rate=16.0),
            "the trainer takes its own log-probabilities for those of the samples",
        ),
        "duplicates in the group, TRL": (
            replace(trl, fault="duplicates"),
            "fewer distinct texts have more groups without signal, and so have prompts that differ more",
        ),
        "no division, TRL": (replace(trl, fault="unscaled"), "TRL logs no advantages"),
        "an optimiser that does not step, no KL": (
            replace(trl, fault="standstill"),
            "a reward that rests within chance is no proof that nothing moves",
        ),
    }
    return {name: (replace(run, seed=200 + k), why) for k, (name, (run, why)) in enumerate(found.items())}
