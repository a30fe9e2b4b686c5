"""Runs that were made after the expectations had been written, of other sizes, options, trainers and strengths of a
fault than those of :mod:`small_runs`.
"""

from __future__ import annotations

from dataclasses import replace

from small_runs import Run

_TRL, _VERL = Run(), Run(trainer="verl", loss="dapo")
_NEMO, _OPEN = Run(trainer="nemo-rl", loss="dapo"), Run(trainer="openrlhf", loss="dapo")
_SLIME, _ONE = Run(trainer="slime"), Run(loss="dapo", prompts=1, steps=100, rate=1.0)


def healthy() -> dict[str, Run]:
    """Runs of further settings without a fault, by a name."""
    found = {
        "groups of 4": replace(_TRL, group=4, prompts=32),
        "groups of 3": replace(_TRL, group=3, prompts=20, loss="dapo"),
        "groups of 32": replace(_TRL, group=32, prompts=4, loss="dapo"),
        "one prompt a step": replace(_TRL, prompts=1, group=16, steps=120, rate=2.0),
        "two prompts a step, token mean, penalty": replace(_TRL, prompts=2, loss="dapo", beta=0.1, rate=2.0),
        "weak penalty": replace(_TRL, beta=0.001),
        "penalty of 1": replace(_TRL, beta=1.0, rate=1.0),
        "Dr. GRPO with penalty": replace(_TRL, loss="dr_grpo", scale="none", rate=8.0, beta=0.05),
        "batch deviation with penalty": replace(_TRL, scale="batch", loss="dapo", beta=0.02),
        "long texts, token mean": replace(_TRL, longest=24, loss="dapo", beta=0.02),
        "short texts": replace(_TRL, longest=2, beta=0.1),
        "very hard prompts": replace(_TRL, start=0.02, rate=12.0, group=16),
        "very easy prompts": replace(_TRL, start=0.97, loss="dapo"),
        "prompts far apart": replace(_TRL, apart=3.0, loss="dapo"),
        "all prompts alike": replace(_TRL, apart=0.0, group=4),
        "large steps": replace(_TRL, rate=20.0, steps=30),
        "many steps": replace(_TRL, steps=200, rate=2.0, beta=0.01),
        "eight updates": replace(_TRL, updates=8, rate=6.0),
        "three updates, penalty": replace(_TRL, updates=3, beta=0.05, loss="dapo"),
        "GSPO, one update": replace(_TRL, by_text=True, low=3e-4, high=4e-4),
        "engine, token mean": replace(_TRL, engine=True, loss="dapo", noise=0.01),
        "engine, noise of bf16": replace(_TRL, engine=True, beta=0.1, noise=0.015),
        "Adam, token mean": replace(_TRL, adam=True, rate=0.1, loss="dapo"),
        "verl, groups of 16": replace(_VERL, group=16, prompts=8),
        "verl, text mean": replace(_VERL, loss="grpo", group=4),
        "verl, strong penalty": replace(_VERL, beta=0.3, rate=2.0),
        "verl, k1": replace(_VERL, beta=0.02, estimator="k1"),
        "verl, clip-higher, three epochs": replace(_VERL, high=0.28, updates=3, rate=6.0),
        "verl, filtered, groups of 4": replace(_VERL, filtered=True, group=4, prompts=32),
        "verl, engine": replace(_VERL, engine=True, group=6, prompts=24),
        "OpenRLHF, no penalty": replace(_OPEN, group=4, prompts=24),
        "OpenRLHF, two epochs": replace(_OPEN, updates=2, beta=0.02),
        "NeMo-RL, no penalty": replace(_NEMO, group=16, prompts=8),
        "NeMo-RL, text mean": replace(_NEMO, loss="grpo", beta=0.1),
        "NeMo-RL, two mini-batches": replace(_NEMO, updates=2, rate=8.0),
        "NeMo-RL, easy prompts": replace(_NEMO, start=0.85, beta=0.01),
        "slime": _SLIME,
        "slime, token mean, penalty": replace(_SLIME, loss="dapo", beta=0.05, group=4, prompts=24),
        "slime, engine, k1": replace(_SLIME, engine=True, beta=0.01, estimator="k1"),
        "slime, not divided": replace(_SLIME, scale="none", rate=8.0, beta=0.1),
        "one prompt, token mean, penalty": replace(_ONE, beta=0.2),
        "one prompt, Dr. GRPO, penalty": replace(_ONE, loss="dr_grpo", scale="none", beta=0.05, rate=4.0),
        "one prompt, batch deviation": replace(_ONE, scale="batch", beta=0.1, group=16),
        "two prompts, two updates, penalty": replace(_ONE, prompts=2, updates=2, beta=0.1),
        "one prompt, verl, penalty": replace(_VERL, prompts=1, steps=100, rate=1.0, beta=0.1),
        "one prompt, NeMo-RL, penalty": replace(_NEMO, prompts=1, steps=100, rate=1.0, beta=0.1),
    }
    return {name: replace(run, seed=300 + k) for k, (name, run) in enumerate(found.items())}


def faulty() -> dict[str, Run]:
    """Runs with a fault each, by a name; their options are told as if there were none."""
    found = {
        "wrong sign, groups of 16": replace(_TRL, fault="sign", group=16, start=0.5, loss="dapo", steps=80),
        "wrong sign, OpenRLHF": replace(_OPEN, fault="sign", start=0.7, rate=8.0),
        "wrong sign, NeMo-RL": replace(_NEMO, fault="sign", start=0.5, rate=6.0, beta=0.01),
        "no centring, token mean": replace(_TRL, fault="no baseline", loss="dapo"),
        "no centring, Dr. GRPO": replace(_TRL, fault="no baseline", loss="dr_grpo", scale="none", rate=8.0),
        "no centring, OpenRLHF": replace(_OPEN, fault="no baseline", group=4),
        "no centring, NeMo-RL": replace(_NEMO, fault="no baseline"),
        "no centring, hard prompts": replace(_TRL, fault="no baseline", start=0.08, group=4, prompts=32),
        "mask, short texts": replace(_TRL, fault="mask", engine=True, longest=3),
        "mask, long texts, verl": replace(_VERL, fault="mask", engine=True, longest=16, group=4),
        "reference moves, penalty": replace(_TRL, fault="reference moves", beta=0.1, rate=8.0, steps=100),
        "reference moves, token mean": replace(_TRL, fault="reference moves", beta=0.05, rate=10.0, loss="dapo"),
        "temperature, groups of 4": replace(_TRL, fault="temperature", engine=True, group=4, beta=0.02),
        "temperature, verl, text mean": replace(_VERL, fault="temperature", engine=True, loss="grpo"),
        "rounded weights, verl": replace(_VERL, fault="sampler", engine=True),
        "groups of 2, told 4": replace(_TRL, fault="group smaller", group=4),
        "groups of 8, told 16": replace(_TRL, fault="group smaller", group=16, prompts=8, loss="dapo"),
        "groups of 8, told 4, verl": replace(_VERL, fault="group larger", group=4, prompts=32),
        "groups of 2, told 4, verl": replace(_VERL, fault="group smaller", group=4, prompts=24),
        "stale, text mean": replace(_TRL, fault="stale", engine=True, rate=12.0),
        "stale, verl": replace(_VERL, fault="stale", engine=True, rate=12.0),
        "ratio clipped twice, text mean": replace(_NEMO, fault="double clip", updates=4, rate=12.0, loss="grpo"),
        "ten times β, OpenRLHF's like, text mean": replace(_TRL, fault="beta", beta=0.01, group=4),
        "ten times β, NeMo-RL": replace(_NEMO, fault="beta", beta=0.04),
        "ten times β, token mean, one prompt": replace(
            _TRL, fault="beta", beta=0.04, loss="dapo", prompts=1, steps=100, rate=1.0
        ),
        "ten times β, token mean, easy prompts": replace(
            _TRL, fault="beta", beta=0.02, loss="dapo", prompts=2, start=0.8, steps=80, rate=1.0
        ),
        "sign of the KL, Dr. GRPO": replace(
            _TRL, fault="kl sign", beta=0.1, loss="dr_grpo", scale="none", prompts=1, steps=100
        ),
        "sign of the KL, groups of 16": replace(_TRL, fault="kl sign", beta=0.02, group=16),
        "deviation of the batch, groups of 4": replace(_TRL, fault="batch deviation", group=4, start=0.2),
        "deviation of the batch, verl, groups of 16": replace(_VERL, fault="batch deviation", group=16, prompts=8),
        "no division, text mean": replace(_VERL, fault="unscaled", loss="grpo", group=4),
        "no division, groups of 16": replace(_VERL, fault="unscaled", group=16, prompts=8),
        "clip range, token mean": replace(_TRL, fault="clip range", loss="dapo"),
        "clip range, verl": replace(_VERL, fault="clip range", group=4),
        "clip range, OpenRLHF": replace(_OPEN, fault="clip range"),
        "hidden entropy bonus, groups of 4": replace(_TRL, fault="entropy", group=4, beta=0.02),
        "hidden entropy bonus, one prompt, token mean": replace(
            _TRL, fault="entropy", loss="dapo", prompts=1, steps=100, rate=1.0
        ),
        "duplicates, groups of 4": replace(_VERL, fault="duplicates", group=4, prompts=24),
        "duplicates, groups of 16": replace(_VERL, fault="duplicates", group=16, prompts=8),
        "learning rate 0, verl": replace(_VERL, fault="rate zero", beta=0.1),
        "standstill, verl": replace(_VERL, fault="standstill", beta=0.1),
        "standstill, NeMo-RL": replace(_NEMO, fault="standstill", beta=0.1),
        "scaled reward, token mean": replace(_TRL, fault="reward scaled", loss="dapo", group=4),
        "token mean, told 1/|o|, penalty": replace(_TRL, fault="aggregation", beta=0.02, group=16, longest=12),
        "token mean, told 1/|o|, verl": replace(_VERL, fault="aggregation", loss="grpo"),
        "three updates, told one, OpenRLHF": replace(_OPEN, fault="updates", rate=12.0),
        "three updates, told one, text mean": replace(_TRL, fault="updates", rate=8.0, group=4),
        "three updates, told one, verl": replace(_VERL, fault="updates", rate=12.0),
        "another reference, verl": replace(_VERL, fault="reference start", beta=0.02),
        "another reference, NeMo-RL": replace(_NEMO, fault="reference start", beta=0.02),
        "another reference, OpenRLHF": replace(_OPEN, fault="reference start", beta=0.02),
        "k1, told k3, verl": replace(_VERL, fault="k1", beta=0.04),
        "k1, told k3, token mean": replace(_TRL, fault="k1", beta=0.1, loss="dapo"),
        "hidden KL, groups of 4": replace(_TRL, fault="hidden kl", group=4, prompts=32),
        "hidden KL, token mean, one prompt": replace(
            _TRL, fault="hidden kl", loss="dapo", prompts=1, steps=100, rate=2.0
        ),
        "groups that are not filtered, groups of 4": replace(_VERL, fault="no filter", filtered=True, group=4),
        "a detached loss, token mean": replace(_TRL, fault="detached", loss="dapo"),
        "a detached loss, verl": replace(_VERL, fault="detached"),
        "longer texts, verl": replace(_VERL, fault="longer", longest=4),
        "three times β": replace(_TRL, fault="beta", strength=3, beta=0.05, group=4, longest=3),
        "no β, token mean, one prompt": replace(_ONE, fault="beta", strength=0, beta=0.1),
        "a tenth of β, token mean, one prompt": replace(_ONE, fault="beta", strength=0.1, beta=0.1),
        "three times β, Dr. GRPO, one prompt": replace(
            _ONE, fault="beta", strength=3, beta=0.1, loss="dr_grpo", scale="none", rate=4.0
        ),
        "twice β, slime": replace(_SLIME, fault="beta", strength=2, beta=0.05),
        "half of β, slime, token mean": replace(_SLIME, fault="beta", strength=0.5, beta=0.05, loss="dapo"),
        "sign of the KL, slime, token mean": replace(_SLIME, fault="kl sign", beta=0.05, loss="dapo"),
        "sign of the KL, NeMo-RL": replace(_NEMO, fault="kl sign", beta=0.05),
        "half of β, NeMo-RL": replace(_NEMO, fault="beta", strength=0.5, beta=0.1),
        "sign of the KL, token mean, one prompt": replace(_ONE, fault="kl sign", beta=0.1),
        "weak hidden entropy bonus, slime": replace(_SLIME, fault="entropy", strength=0.005, loss="dapo"),
        "weak hidden entropy bonus": replace(_TRL, fault="entropy", strength=0.01),
        "hidden entropy bonus, verl": replace(_VERL, fault="entropy"),
        "weak hidden KL": replace(_TRL, fault="hidden kl", strength=0.05),
        "hidden KL, NeMo-RL": replace(_NEMO, fault="hidden kl"),
        "temperature 1.3": replace(_TRL, fault="temperature", strength=1.3, engine=True),
        "temperature 0.7": replace(_TRL, fault="temperature", strength=0.7, engine=True, loss="dapo"),
        "temperature, slime": replace(_SLIME, fault="temperature", engine=True),
        "stale by two steps": replace(_TRL, fault="stale", strength=2, engine=True, rate=12.0),
        "stale by eight steps, verl": replace(_VERL, fault="stale", strength=8, engine=True, rate=8.0),
        "stale, slime": replace(_SLIME, fault="stale", engine=True, rate=12.0),
        "half of the reward": replace(_TRL, fault="reward scaled", strength=0.5),
        "reference that moves every four steps": replace(
            _TRL, fault="reference moves", strength=4, beta=0.05, rate=8.0, steps=80
        ),
        "reference that moves, slime": replace(_SLIME, fault="reference moves", beta=0.02, rate=8.0),
        "reference near the start": replace(_TRL, fault="reference start", strength=0.1, beta=0.02),
        "two updates, told one": replace(_TRL, fault="updates", strength=2, rate=12.0),
        "three updates, told one, slime": replace(_SLIME, fault="updates", rate=12.0),
        "no centring, slime": replace(_SLIME, fault="no baseline"),
        "token mean, told 1/|o|, slime": replace(_SLIME, fault="aggregation"),
        "text mean, told a token mean, verl": replace(_VERL, fault="aggregation text"),
        "text mean, told a token mean, NeMo-RL": replace(_NEMO, fault="aggregation text"),
        "clip range, slime": replace(_SLIME, fault="clip range"),
        "learning rate 0, slime": replace(_SLIME, fault="rate zero", beta=0.05),
        "longer texts, slime": replace(_SLIME, fault="longer"),
        "k1, told k3, slime": replace(_SLIME, fault="k1", beta=0.05),
        "a detached loss, slime": replace(_SLIME, fault="detached"),
    }
    return {name: replace(run, seed=400 + k) for k, (name, run) in enumerate(found.items())}


def silent() -> dict[str, tuple[Run, str]]:
    """Runs with a fault that is not named, and why."""
    found = {
        "four updates, told two": (
            replace(_TRL, fault="updates", strength=4, updates=2, rate=12.0),
            "a share of clipped tokens below a half is what two updates allow",
        ),
        "KL over padding, token mean": (
            replace(
                _TRL, fault="kl padded", beta=0.01, rate=12.0, longest=20, loss="dapo", prompts=32, steps=120, seed=1
            ),
            "the divergence that the pass rate takes is less than what padding leaves of it",
        ),
        "wrong sign, small steps, slime": (
            replace(_SLIME, fault="sign", start=0.5, loss="dapo"),
            "the reward falls by less than chance may make of it",
        ),
        "mask, slime": (
            replace(_SLIME, fault="mask", engine=True),
            "slime logs the mean difference alone, so that a sampler that is not the policy is named first",
        ),
    }
    return {name: (replace(run, seed=500 + k), why) for k, (name, (run, why)) in enumerate(found.items())}
