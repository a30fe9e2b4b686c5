"""No option of any release falls through: used, without effect here, or not modelled; and what follows from that."""

from __future__ import annotations

import json
from fnmatch import fnmatchcase
from typing import Any

import pytest
from command_line import cli

import grpo_symbolic as gs
from grpo_symbolic import setting as st
from grpo_symbolic.errors import BadInput
from grpo_symbolic.reading import Fate, Part
from grpo_symbolic.trainers import from_json, read
from grpo_symbolic.trainers.config import TRAINERS, trainer_of
from grpo_symbolic.trainers.options import Options
from grpo_symbolic.trainers.releases import dotted

ACTS_BY_DEFAULT = {  # what a trainer leaves on, though no setting has it; or defaults of a section that is left out
    "ms-swift": ("temperature",),
    "prime-rl": ("orchestrator.max_off_policy_steps", "*.length_penalty.*"),
}
READABLE: dict[str, dict[str, Any]] = {  # what a trainer needs to be read at all
    "prime-rl": {"trainer.loss.dppo_mask_low": 1, "trainer.loss.dppo_mask_high": 1, "trainer.loss.kl_tau": 0}
}
RELEASES = [(name, version) for name in TRAINERS for version in trainer_of(name).releases.read]


@pytest.mark.parametrize(("name", "version"), RELEASES, ids=str)
def test_no_option_of_a_release_falls_through(name: str, version: tuple[int, ...]) -> None:
    trainer = trainer_of(name)
    place = trainer.releases.nearest(version)
    names = [n for n in trainer.releases.names if trainer.releases.has(n, place)]
    table = {option.name: option for option in trainer.table}
    given = {n: trainer.default(table[n], version) if n in table else trainer.releases.default(n, place) for n in names}
    found = Options(trainer, version, given).uses()
    assert [use.name for use in found] == names
    assert not [use.name for use in found if "no such option" in use.why]
    assert not [use.name for use in found if use.fate is not Fate.USED and not use.why]
    left = [use.name for use in found if use.fate is Fate.LEFT_OUT and set(use.changes) - {Part.PACE}]
    known = ACTS_BY_DEFAULT.get(name, ())
    assert not [n for n in left if not any(fnmatchcase(n, pattern) for pattern in known)], (
        "the trainer's own defaults add nothing else to the loss"
    )


@pytest.mark.parametrize("name", sorted(TRAINERS.keys() - {"unsloth"}))  # whose options are TRL's
def test_a_default_is_stated_only_where_a_release_has_none(name: str) -> None:
    releases = trainer_of(name).releases
    for option in trainer_of(name).table:
        texts = [text for *_, text in releases.spans.get(option.name, ())]
        assert "null" not in texts or option.default is None, option.name
        assert "" in texts or not texts or option.default is None, option.name
        assert option.optional or trainer_of(name).default(option, releases.newest) is not None, option.name


def test_a_default_is_that_of_the_release_or_of_the_nearest_that_has_the_option() -> None:
    releases = trainer_of("trl").releases
    cap = "vllm_importance_sampling_cap"
    found = {v: releases.default(cap, releases.nearest(v)) for v in ((1, 5), (1, 6), (1, 16))}
    assert found == {(1, 5): 3.0, (1, 6): None, (1, 16): None}
    assert not releases.has("entropy_coef", releases.nearest((1, 0)))
    assert releases.default("entropy_coef", releases.nearest((1, 0))) == 0.0


def test_what_is_not_in_a_release_is_said_with_the_release_that_has_it() -> None:
    with pytest.raises(BadInput, match=r"it came with 1\.8\.0"):
        read("trl==1.7.1", {"entropy_coef": 0.1})
    with pytest.raises(BadInput, match=r"it was last there in 0\.11\.1"):
        read("openrlhf==0.11.2", {"algo.advantage.is_correction_enable": True})


LEFT_OUT = [
    ("trl", {"sync_ref_model": True, "beta": 0.04}, Part.END),
    ("trl", {"entropy_coef": 0.01}, Part.LOSS),
    ("trl", {"temperature": 0.7}, Part.END),
    ("trl", {"generation_kwargs": {"top_p": 0.9}}, Part.END),
    ("trl", {"reward_funcs": ["accuracy", "format"]}, Part.END),
    ("verl", {"trainer.v1.trainer_mode": "separate_async"}, Part.END),
    ("verl", {"reward.reward_kwargs.overlong_buffer_cfg.enable": True}, Part.END),
    ("openrlhf", {"train.async_enable": True}, Part.END),
    ("openrlhf", {"reward.overlong_buffer_len": 512}, Part.END),
    ("nemo-rl", {"grpo.reward_shaping.enabled": True}, Part.END),
    ("nemo-rl", {"grpo.async_grpo.enabled": True}, Part.END),
    ("nemo-rl", {"loss_fn.positive_example_nll_weight": 0.1}, Part.LOSS),
]


@pytest.mark.parametrize(("trainer", "options", "part"), LEFT_OUT, ids=str)
def test_what_changes_the_answer_is_refused_unless_told_to_go_on(
    trainer: str, options: dict[str, Any], part: Part
) -> None:
    given = {"algorithm.adv_estimator": "grpo"} if trainer == "verl" else {}
    found = read(trainer, given | options)
    assert found.left_out(part)
    if part is Part.LOSS:
        with pytest.raises(BadInput, match="not modelled, though it may change the loss"):
            gs.export(found, "torch")
        assert "# not modelled: " in gs.export(found, "torch", anyway=True)
    plain = read("trl", {"beta": 0.04, "loss_type": "grpo", **(options if trainer == "trl" else {})})
    if trainer == "trl" and Part.END in plain.left_out(part)[0].changes:
        with pytest.raises(BadInput, match="may change where the run goes"):
            gs.numeric.predict([0.5], setting=plain)
        with pytest.raises(BadInput, match="may change where the run goes"):
            gs.theory(plain)
        assert len(gs.numeric.predict([0.5], setting=plain, anyway=True).predicted) == 1
        assert any(use.name in text for use in plain.left_out(part) for text in gs.theory(plain, anyway=True).assumed)


def test_the_page_of_a_run_names_every_option() -> None:
    given = {"beta": "0.04", "delta": "4", "loss_type": "sapo", "seed": "7", "entropy_coef": "0.01"}
    sets = [part for name, value in given.items() for part in ("--set", f"{name}={value}")]
    page = cli("trainer", "trl", *sets, terminal_width=400).output
    told = page[page.rindex("options\n") :]
    assert all(name in told for name in given)
    for fate in Fate:
        assert fate.value in told


def test_a_record_has_what_became_of_each_option_and_is_read_back() -> None:
    found = read("trl", {"beta": 0.04, "entropy_coef": 0.01, "seed": 7})
    data = json.loads(gs.export(found, "json"))
    assert {o["name"]: o["use"] for o in data["options"]} == {
        "beta": "used",
        "entropy_coef": "not modelled",
        "seed": "without effect here",
    }
    assert from_json(data) == found.setting


@pytest.mark.parametrize("weight", [0.5, 5])
def test_the_weight_of_one_reward_counts_as_in_the_run(weight: float) -> None:
    """Without a deviation the gap is weight · what it is: as β/weight, and weight times as fast."""
    weighed = read("trl", {"scale_rewards": "none", "reward_weights": [weight], "beta": 0.5}).setting
    plain = read("trl", {"scale_rewards": "none", "beta": 0.5 / weight}).setting
    rates, more = [0.1, 0.3, 0.9], {"steps": 10, "learning_rate": 0.1}
    found = gs.numeric.predict(rates, setting=weighed, **more)
    assert found.predicted == pytest.approx(gs.numeric.predict(rates, setting=plain).predicted)
    faster = gs.numeric.predict(rates, setting=plain, steps=10, learning_rate=0.1 * weight)
    assert found.after == pytest.approx(faster.after)
    assert float(gs.theory(weighed).point.beta) == pytest.approx(0.5 / weight)


def test_several_weights_are_refused_where_a_pass_rate_is_meant() -> None:
    several = read("trl", {"reward_weights": [1.0, 0.5]})
    for use in (lambda: gs.numeric.predict([0.5], setting=several), lambda: gs.theory(several)):
        with pytest.raises(BadInput, match="a pass rate is of one reward"):
            use()


def test_a_deviation_takes_the_weight_out_of_all_but_its_guard() -> None:
    of, pace = st.of_one_reward(read("trl", {"reward_weights": [2.0]}).setting)
    assert (of.advantages.scale, pace) == (st.Scale(sample=True, eps=5e-5), 1)


# Releases.


@pytest.mark.parametrize("trainer", TRAINERS)
def test_newer_and_early_versions_are_read_as_a_known_one_with_one_sentence(trainer: str) -> None:
    newest = trainer_of(trainer).releases.newest
    major, minor, *_ = newest
    for text, why in (
        (f"{major}.{minor + 1}.0.dev0", "newer"),
        (f"{major + 98}.0", "newer"),
        (f"{dotted(newest)}.dev0", "preview"),
    ):
        found = read(f"{trainer}=={text}", READABLE.get(trainer, {}))
        assert found.version == dotted(newest)
        assert found.setting == read(trainer, READABLE.get(trainer, {})).setting
        assert [n.text for n in found.notes if "as which it is read here" in n.text and why in n.text]


def test_verl_averages_gspo_by_text_before_0_9_1() -> None:
    given = {"actor_rollout_ref.actor.policy_loss.loss_mode": "gspo", "algorithm.adv_estimator": "grpo"}
    assert read("verl==0.9.0", given).setting.aggregation.over is st.Over.TEXT_MEAN
    assert read("verl==0.9.1", given).setting.aggregation.over is st.Over.BATCH_TOKENS


def test_verl_without_its_new_trainer_filters_no_group() -> None:
    given = {"algorithm.filter_groups.enable": True, "algorithm.adv_estimator": "grpo"}
    assert read("verl", given).setting.dynamic_sampling
    found = read("verl", given | {"trainer.use_v1": False})
    assert not found.setting.dynamic_sampling
    assert [u.fate for u in found.options if u.name == "algorithm.filter_groups.enable"] == [Fate.IDLE]
    with pytest.raises(BadInput, match=r"needs algorithm.filter_groups.metric"):
        read("verl==0.9.0", given)


@pytest.mark.parametrize(
    ("kind", "weight"),
    [
        ("tis", st.SamplerWeight(upper=5.0, lower=0.5)),
        ("icepop", st.SamplerWeight(mode=st.WeightMode.MASK, upper=5.0, lower=0.5)),
        ("seq-mask-tis", st.SamplerWeight(mode=st.WeightMode.MASK, upper=5.0, lower=0.5, by_text_mean=True)),
    ],
)
def test_openrlhf_before_0_11_2_has_a_type_of_correction(kind: str, weight: st.SamplerWeight) -> None:
    given = {"algo.advantage.is_correction_enable": True, "algo.advantage.is_correction_type": kind}
    assert read("openrlhf==0.11.1", given).setting.sampler_weight == weight


def test_nemo_rl_0_6_passes_over_a_type_without_a_bound() -> None:
    given = {"loss_fn.truncated_importance_sampling_type": "tis"}
    assert read("nemo-rl==0.6.0", given).setting.sampler_weight is None
    with pytest.raises(BadInput, match="needs use_importance_sampling_correction"):
        read("nemo-rl==0.7.0", given)


BATCHES = [
    ("trl", {"generation_batch_size": 8, "per_device_train_batch_size": 0}),
    ("unsloth", {"generation_batch_size": 8, "per_device_train_batch_size": 0}),
    ("ms-swift", {"generation_batch_size": 8, "per_device_train_batch_size": 0}),
    ("openrlhf", {"train.batch_size": 0}),
    ("nemo-rl", {"policy.train_global_batch_size": 0}),
    ("verl", {"actor_rollout_ref.actor.ppo_mini_batch_size": 0}),
]


@pytest.mark.parametrize(("trainer", "options"), BATCHES, ids=str)
def test_a_batch_has_at_least_one_text(trainer: str, options: dict[str, Any]) -> None:
    with pytest.raises(BadInput, match="is 0: expected a whole number of at least 1"):
        read(trainer, options)


def test_the_bounds_of_a_reward_are_two() -> None:
    with pytest.raises(BadInput, match=r"reward\.clip_range has 1 numbers: expected two"):
        read("openrlhf", {"reward.clip_range": [1.0], "algo.advantage.estimator": "rloo"})


SAMPLERS = [
    ("trl", {"top_k": -1, "min_p": 0}, {"top_k": 20, "min_p": 0.1}),
    ("unsloth", {"top_k": -1, "min_p": 0}, {"top_k": 20, "min_p": 0.1}),
    ("ms-swift", {"top_k": 0}, {"top_k": 20}),
    ("nemo-rl==0.6.0", {"policy.generation.top_k": -1}, {"policy.generation.top_k": 20}),
]


@pytest.mark.parametrize(("trainer", "off", "on"), SAMPLERS, ids=str)
def test_the_note_on_the_sampler_agrees_with_what_became_of_its_options(
    trainer: str, off: dict[str, Any], on: dict[str, Any]
) -> None:
    def noted(given: dict[str, Any]) -> list[str]:
        return [note.text for note in read(trainer, given).notes if "not drawn from π itself" in note.text]

    assert not noted(off)
    assert {use.fate for use in read(trainer, off).options if use.name in off} == {Fate.IDLE}
    assert noted(on) == [f"{', '.join(on)}: the texts are not drawn from π itself, and the ratio does not know it."]
