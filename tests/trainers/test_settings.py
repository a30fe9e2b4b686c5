"""Trainers' options as settings, their pages, and what is refused; the trainers themselves are asked by oracles/."""

from __future__ import annotations

import json
import math
import re
import subprocess
import sys
import time
from dataclasses import replace
from fractions import Fraction
from itertools import chain
from pathlib import Path
from typing import Any

import pytest
import torch
from command_line import cli
from settings import PENALTIES, SETTINGS

from grpo_symbolic import catalogue, export
from grpo_symbolic import setting as st
from grpo_symbolic.errors import BadInput
from grpo_symbolic.proof.statements.evidence import Verdict
from grpo_symbolic.trainers import loss, read
from grpo_symbolic.trainers.config import from_file, merged
from grpo_symbolic.trainers.facts import FACTS, Kind, facts
from grpo_symbolic.trainers.options import Fate, Part, Reading
from grpo_symbolic.trainers.words import formulas, gradient, sentence


def of(trainer: str, **options: Any) -> st.Setting:
    return read(trainer, options).setting


def idle(reading: Reading) -> dict[str, str]:
    """The options without effect, and why."""
    return {use.name: use.why for use in reading.options if use.fate is Fate.IDLE}


def dotted(section: str, **options: Any) -> dict[str, Any]:
    return {section + name.replace("__", "."): value for name, value in options.items()}


# TRL: what changed between versions, and what its options mean.


def test_trl_weighs_k3_by_the_ratio_since_1_10() -> None:
    assert of("trl==1.9.2", beta=0.04).penalty == st.Penalty(0.04)
    assert of("trl==1.10.0", beta=0.04).penalty == st.Penalty(0.04, weight=st.PenaltyWeight.RATIO)


def test_trl_by_default() -> None:
    setting = of("trl==1.16.0")
    assert setting.penalty is None
    assert setting.advantages.scale == st.Scale(sample=True, eps=Fraction(1, 10000))
    assert setting.aggregation.over is st.Over.BATCH_TOKENS
    assert setting.clip == st.RatioClip(0.2, 0.2)
    assert setting.group_size == 8
    assert setting.sampler_weight is None


@pytest.mark.parametrize(
    ("loss_type", "over"),
    [
        ("grpo", st.Over.TEXT_MEAN),
        ("sapo", st.Over.TEXT_MEAN),
        ("dapo", st.Over.BATCH_TOKENS),
        ("bnpo", st.Over.BATCH_TOKENS),
        ("cispo", st.Over.BATCH_TOKENS),
        ("dr_grpo", st.Over.CONSTANT),
        ("luspo", st.Over.TEXT_SUM),
    ],
)
def test_trl_aggregations(loss_type: str, over: st.Over) -> None:
    assert of("trl", loss_type=loss_type).aggregation.over is over


def test_dr_grpo_divides_by_the_longest_completion_of_the_version() -> None:
    assert of("trl==1.9.0", loss_type="dr_grpo").aggregation.length == 256
    assert of("trl==1.16.0", loss_type="dr_grpo").aggregation.length == 512
    with pytest.raises(BadInput, match="max_completion_length, which is null"):
        of("trl", loss_type="dr_grpo", max_completion_length=None)


def test_cispo_without_epsilon_high_is_capped_at_epsilon_and_says_so() -> None:
    found = read("trl", {"loss_type": "cispo"})
    assert found.setting.clip == st.CappedWeight(0.2)
    assert any("caps every weight at epsilon = 0.2" in note.text for note in found.notes)
    assert not any("epsilon" in note.text for note in read("trl", {"loss_type": "cispo", "epsilon_high": 5.0}).notes)


def test_gspo_in_trl_is_the_sequence_level() -> None:
    assert of("trl", importance_sampling_level="sequence").ratio is st.Ratio.ROOT
    with pytest.raises(BadInput, match="GSPO is importance_sampling_level=sequence"):
        of("trl", loss_type="gspo")


@pytest.mark.parametrize(
    ("given", "updates"),
    [
        ({}, 1),
        ({"gradient_accumulation_steps": 4}, 1),
        ({"num_iterations": 2}, 2),
        ({"gradient_accumulation_steps": 2, "steps_per_generation": 8}, 4),
        ({"generation_batch_size": 64, "per_device_train_batch_size": 8, "gradient_accumulation_steps": 2}, 4),
    ],
)
def test_trl_counts_its_updates(given: dict[str, Any], updates: int) -> None:
    assert read("trl", given).setting.updates == updates


def test_vllm_weights_of_trl() -> None:
    found = of("trl", use_vllm=True).sampler_weight
    assert found == st.SamplerWeight(st.WeightLevel.TEXT, st.WeightMode.MASK, upper=3.0)
    assert of("trl", use_vllm=True, vllm_importance_sampling_correction=False).sampler_weight is None
    assert of("trl==1.5.0", use_vllm=True, vllm_importance_sampling_cap=2.0).sampler_weight == st.SamplerWeight(
        st.WeightLevel.TEXT, st.WeightMode.MASK, upper=2.0
    )


def test_luspo_before_1_10_averages_over_padding() -> None:
    assert of("trl==1.9.0", loss_type="luspo", importance_sampling_level="sequence").ratio is st.Ratio.ROOT
    with pytest.raises(BadInput, match="averages luspo over padding"):
        of("trl==1.9.0", loss_type="luspo")
    assert of("trl==1.10.0", loss_type="luspo").ratio is st.Ratio.TOKEN


def test_options_without_effect_are_named() -> None:
    told = idle(read("trl", {"use_bias_correction_kl": True, "delta": 4.0, "loss_type": "sapo"}))
    assert told["use_bias_correction_kl"] == "beta is 0, so there is no divergence"
    assert told["delta"] == "sapo has a gate in place of the clip"


def test_terms_outside_the_setting_are_named() -> None:
    found = read("trl", {"entropy_coef": 0.01, "top_entropy_quantile": 0.2, "mask_truncated_completions": True})
    assert len(found.outside) == 3


def test_training_arguments_have_no_effect_on_the_objective() -> None:
    given = {"bf16": True, "output_dir": "out", "model_name_or_path": "m", "wandb_project": "p"}
    found = read("trl", given | {"learning_rate": 1e-6})
    assert found.setting == read("trl", {}).setting
    assert idle(found).keys() == given.keys()
    assert [(use.name, use.changes) for use in found.left_out()] == [("learning_rate", (Part.PACE,))]


# The other trainers.


def test_verl_by_default() -> None:
    found = read("verl==0.9.1", {})
    assert found.setting.clip == st.RatioClip(0.2, 0.2, dual=3.0)
    assert found.setting.log_bound == 20
    assert found.setting.updates == 4
    assert [n.text.split(":")[0] for n in found.notes] == [
        "Assumed algorithm.adv_estimator=grpo",
        "Assumed actor_rollout_ref.rollout.n=8",
    ]
    with pytest.raises(BadInput, match="gae is not modelled: it trains a value model"):
        read("verl", {"algorithm.adv_estimator": "gae"})


def test_verl_reads_nested_names_and_passes_over_the_rest() -> None:
    nested = {
        "algorithm": {"adv_estimator": "rloo", "kl_ctrl": {"kl_coef": 0.1}, "use_kl_in_reward": True},
        "actor_rollout_ref": {"actor": {"optim": {"lr": 1e-6}, "ppo_epochs": 2}, "rollout": {"n": 4, "name": "vllm"}},
        "trainer": {"nnodes": 2},
    }
    setting = read("verl", nested).setting
    assert setting.advantages == st.Advantages(baseline=st.Baseline.LEAVE_ONE_OUT, scale=None)
    assert setting.penalty == st.Penalty(0.1, st.Estimator.K1, place=st.Place.REWARD)
    assert (setting.group_size, setting.updates) == (4, 8)


def test_clip_ratio_of_verl_has_no_effect_beside_its_two_bounds() -> None:
    found = read("verl", dotted("actor_rollout_ref.actor.", clip_ratio=0.1))
    assert found.setting.clip == st.RatioClip(0.2, 0.2, dual=3.0)
    assert "are set" in idle(found)["actor_rollout_ref.actor.clip_ratio"]
    freed = dotted("actor_rollout_ref.actor.", clip_ratio=0.1, clip_ratio_low=None, clip_ratio_high=None)
    assert read("verl", freed).setting.clip == st.RatioClip(0.1, 0.1, dual=3.0)


def test_verl_losses() -> None:
    mode = "actor_rollout_ref.actor.policy_loss.loss_mode"
    assert read("verl", {mode: "gspo"}).setting.ratio is st.Ratio.ROOT_TOKEN
    assert read("verl", {mode: "geo_mean"}).setting.clip == st.LogClip(0.2, 0.2)
    assert read("verl", {mode: "cispo"}).setting.clip == st.CappedWeight(1.2, 0.8)
    assert read("verl", {mode: "gpg"}).setting.ratio is st.Ratio.LOG
    sapo = {mode: "sapo", "actor_rollout_ref.actor.use_kl_loss": True}
    penalty = read("verl", sapo).setting.penalty
    assert penalty is not None
    assert penalty.aggregation == st.Aggregation(st.Over.BATCH_TOKENS, empty_count=False)
    with pytest.raises(BadInput, match="loss_mode kl_cov is not modelled: it charges"):
        read("verl", {mode: "kl_cov"})


def test_openrlhf_by_default_charges_k1_to_the_tokens_before() -> None:
    penalty = of("openrlhf").penalty
    assert penalty is not None
    assert (penalty.estimator, penalty.place, penalty.credit) == (st.Estimator.K1, st.Place.ADVANTAGE, st.Credit.TO_GO)


def test_openrlhf_averages_its_divergence_over_tokens_even_for_gspo() -> None:
    options = {"actor.policy_loss_type": "gspo", "algo.kl.use_loss": True, "algo.kl.unbiased_gradient": True}
    found = read("openrlhf", options)
    penalty = found.setting.penalty
    assert penalty is not None
    assert found.setting.aggregation.over is st.Over.TEXT_MEAN
    assert penalty.aggregation is not None
    assert penalty.aggregation.over is st.Over.BATCH_TOKENS
    assert (penalty.gradient, penalty.gradient_cap) == (st.Gradient.WEIGHTED_K2, 10)
    assert any("averaged over all tokens" in note.text for note in found.notes)


def test_nemo_rl_by_version() -> None:
    def weight(trainer: str, **options: Any) -> st.PenaltyWeight:
        penalty = read(trainer, dotted("loss_fn.", **options)).setting.penalty
        assert penalty is not None
        return penalty.weight

    assert weight("nemo-rl==0.6.0") is st.PenaltyWeight.NONE
    assert weight("nemo-rl==0.7.0") is st.PenaltyWeight.SCORE
    assert weight("nemo-rl==0.6.0", use_on_policy_kl_approximation=True) is st.PenaltyWeight.SAMPLER_DETACHED
    assert weight("nemo-rl==0.7.0", use_on_policy_kl_approximation=True) is st.PenaltyWeight.SAMPLER
    scale = of("nemo-rl").advantages.scale
    assert scale is not None
    assert scale.of is st.Population.OTHERS
    forced = read("nemo-rl", dotted("loss_fn.", force_on_policy_ratio=True)).setting
    assert (forced.denominator, forced.clip) == (st.Denominator.CURRENT, st.NoClip())


def test_a_divergence_that_nemo_rl_drops_is_said() -> None:
    found = read("nemo-rl", dotted("loss_fn.", use_kl_in_reward=True))
    assert found.setting.penalty is None
    assert any("there is none" in note.text for note in found.notes)


@pytest.mark.parametrize(("delta", "silent"), [(None, True), (1.1, True), (1.3, True), (0.9, False)])
def test_a_loss_of_zero_is_warned_of_unless_delta_caps_right_texts_at_ratio_one(
    delta: float | None, silent: bool
) -> None:
    setting = of("trl", loss_type="grpo", beta=0, delta=delta)
    warned = [note for note in facts(setting, Kind.WARNING, ["tr-zero-loss"]) if "tr-zero-loss" in note.claims]
    assert bool(warned) is silent
    zero = loss(setting)(
        *(torch.zeros(8, 1, dtype=torch.float64) for _ in range(3)),
        torch.ones(8, 1),
        torch.tensor([1.0] * 3 + [0.0] * 5, dtype=torch.float64),
        torch.zeros(8, dtype=torch.long),
    )
    assert (abs(float(zero)) < 1e-12) is silent


# What is refused, in one sentence each.

REFUSED = [
    ("trl", {"betta": 1}, "has no option 'betta'; did you mean beta?"),
    ("trl", {"beta": "high"}, "beta is 'high': expected a number"),
    ("trl", {"beta": -1}, "beta is -1: expected a finite number above 0"),
    ("trl", {"beta": float("nan")}, "beta is nan: expected a number"),
    ("trl", {"num_generations": 1}, "num_generations is 1: .* at least 2"),
    ("trl", {"num_generations": 2.5}, "num_generations is 2.5: expected a whole number"),
    ("trl", {"use_vllm": "yes"}, "use_vllm is 'yes': expected true or false"),
    ("trl", {"loss_type": "dapoo"}, "loss_type is 'dapoo', .* did you mean dapo?"),
    ("trl", {"loss_type": "vespo"}, "vespo is not modelled: its weight is no clip"),
    ("trl", {"epsilon": 0.2, "epsilon_high": -0.5}, "the bounds are reversed"),
    ("trl", {"reward_weights": "1,2"}, "reward_weights is '1,2': expected a list of numbers or null"),
    ("trl", {"steps_per_generation": 2, "generation_batch_size": 8}, "say the same thing"),
    (
        "trl",
        {"use_vllm": True, "vllm_importance_sampling_clip_max": 1, "vllm_importance_sampling_clip_min": 2},
        "bounds are reversed",
    ),
    ("trl==1.5.0", {"vllm_importance_sampling_clip_max": 2}, "it came with 1.6"),
    ("trl==0.15", {}, "trl 0.15 is not described here: the first version that is, is 1.0"),
    ("trl==new", {}, "'new' is no version of trl"),
    ("trll", {}, "there is no trainer 'trll'; .* did you mean trl?"),
    ("verl", {"algorithm.adv_estimator": "grop"}, "did you mean grpo?"),
    ("verl", {"algorithm.adv_estimater": "grpo"}, "did you mean algorithm.adv_estimator?"),
    ("verl", {"algoritm.adv_estimator": "grpo"}, "did you mean algorithm.adv_estimator?"),
    (
        "verl",
        {"actor_rollout_ref.actor.use_kl_loss": True, "algorithm.use_kl_in_reward": True},
        "one divergence at a time",
    ),
    ("trl", {"epsilon": -0.5, "epsilon_high": -0.7}, "1 − epsilon = 1.5 lies above 1 \\+ epsilon_high = 0.3"),
    ("verl", {"algorithm": 3}, "algorithm is 3: expected a section"),
    ("verl", {"actor_rollout_ref": {"actor": {"policy_loss": "gspo"}}}, "expected a section"),
    ("verl", {"actor_rollout_ref.rollout.n": 1}, "actor_rollout_ref.rollout.n is 1: .* at least 2"),
    ("verl", {"actor_rollout_ref.actor.policy_loss.loss_mode": "clip_cov"}, "takes the gradient of tokens away"),
    ("verl", {"actor_rollout_ref.actor.policy_loss.loss_mode": "dppo_tv"}, "masks tokens by the difference"),
    ("verl", {"actor_rollout_ref.actor.policy_loss.loss_mode": "dro"}, "the square of the log ratio"),
    ("verl", {"algorithm.adv_estimator": "optimal_token_baseline"}, "it has a baseline a token"),
    ("openrlhf", {"rollout.n_samples_per_prompt": 1}, "rollout.n_samples_per_prompt is 1: .* at least 2"),
    ("nemo-rl", {"grpo.num_generations_per_prompt": 1}, "grpo.num_generations_per_prompt is 1: .* at least 2"),
    ("nemo-rl", {"loss_fn.ratio_clip_min": 2, "loss_fn.ratio_clip_max": -3}, "the bounds are reversed"),
    ("openrlhf", {"actor.eps_clip_low_high": [0.1]}, "has 1 numbers: expected two"),
    ("openrlhf", {"actor.dual_clip": 0.5}, "actor.dual_clip is 0.5: expected a finite number above 1"),
    ("nemo-rl", {"loss_fn.sequence_level_importance_ratios": True}, "needs token_level_loss=false"),
    ("nemo-rl==0.6.0", {"loss_fn.use_cispo": True}, "it came with 0.7"),
]


@pytest.mark.parametrize(
    ("option", "value", "told"),
    [
        ("orchestrator.group_size", "x", "orchestrator.group_size is 'x': expected a whole number"),
        ("orchestrator.group_sise", 8, "did you mean orchestrator.group_size?"),
        ("orchestrator.group_size", 0, "orchestrator.group_size is 0: expected a whole number of at least 1"),
    ],
)
def test_a_name_of_the_trainers_own_is_left_as_it_is(option: str, value: object, told: str) -> None:
    """prime-rl's name for the size of a group ends in that of a setting, which must not be put into it again."""
    off = dotted("trainer.loss.", dppo_mask_low=1, dppo_mask_high=1, kl_tau=0)
    with pytest.raises(BadInput) as refusal:
        read("prime-rl", {**off, option: value})
    assert told in str(refusal.value)
    assert "orchestrator.orchestrator" not in str(refusal.value)


@pytest.mark.parametrize(
    ("trainer", "options", "ignored"),
    [
        ("trl", {"use_bias_correction_kl": True}, "use_bias_correction_kl"),
        (
            "verl",
            dotted("actor_rollout_ref.actor.", use_kl_loss=True, kl_loss_coef=0, kl_loss_type="k3"),
            "kl_loss_type",
        ),
        ("verl", dotted("algorithm.", use_kl_in_reward=True, kl_ctrl__kl_coef=0, kl_penalty="k3"), "kl_penalty"),
        ("openrlhf", dotted("algo.kl.", init_coef=0, estimator="k3"), "algo.kl.estimator"),
        ("nemo-rl", dotted("loss_fn.reference_policy_", kl_penalty=0, kl_type="k3"), "kl_type"),
    ],
)
def test_an_estimator_without_beta_is_said_to_have_no_effect(
    trainer: str, options: dict[str, Any], ignored: str
) -> None:
    found = read(trainer, options)
    assert found.setting.penalty is None
    assert any(name.endswith(ignored) for name in idle(found))


@pytest.mark.parametrize(("trainer", "options", "told"), REFUSED, ids=lambda value: str(value)[:40])
def test_bad_options_are_refused_in_one_sentence(trainer: str, options: dict[str, Any], told: str) -> None:
    with pytest.raises(BadInput, match=told) as refusal:
        read(trainer, options)
    assert "\n" not in str(refusal.value)


def test_names_of_scripts_that_resemble_others_are_passed_over(tmp_path: Path) -> None:
    file = tmp_path / "recipe.yaml"
    file.write_text(
        "hub_model_revision: main\nsystem_prompt: think\nreward_weights: [1.0, 1.0]\noverwrite_output_dir: true\n"
        "gradient_checkpointing_kwargs:\n  use_reentrant: false\nlr_scheduler_type: cosine_with_min_lr\n"
        "max_prompt_length: 512\nuse_vllm: true\nvllm_device: auto\nwarmup_ratio: 0.1\n"
    )
    found = read("trl==1.16.0", from_file(file))
    assert [use.name for use in found.left_out() if "no such option" in use.why] == ["system_prompt"]
    actor = "actor_rollout_ref.actor."
    assert "no such option" in read("verl", {actor + "my_own_bonus": 1}).left_out()[0].why


def test_an_unknown_name_is_said_not_to_be_known_in_a_file_and_refused_where_it_is_typed() -> None:
    found = read("trl", {"my_own_flag_of_a_script": 1})
    assert [str(use) for use in found.left_out()] == [
        "my_own_flag_of_a_script=1: TRL 1.16.0 has no such option, and what it changes is not known"
    ]
    with pytest.raises(BadInput, match="none that is spelled nearly so"):
        read("trl", {"my_own_flag_of_a_script": 1}, strict=["my_own_flag_of_a_script"])


@pytest.mark.parametrize(
    ("make", "told"),
    [
        (lambda: st.Penalty(beta=0), "k3 has no effect with beta = 0"),
        (lambda: st.Penalty(beta=-1), "beta is -1"),
        (
            lambda: st.Penalty(place=st.Place.REWARD, weight=st.PenaltyWeight.RATIO),
            "in the reward the penalty has no gradient",
        ),
        (lambda: st.Penalty(gradient=st.Gradient.K2, weight=st.PenaltyWeight.RATIO), "choose one of the two"),
        (lambda: st.Penalty(credit=st.Credit.TO_GO), "belongs to a penalty in the advantage"),
        (lambda: st.Penalty(bounds=(1, -1)), "the bounds are reversed"),
        (lambda: st.Penalty(place=st.Place.REWARD, aggregation=st.Aggregation()), "no aggregation of its own"),
        (lambda: st.RatioClip(dual=1), "the dual clip is 1"),
        (lambda: st.RatioClip(dual=3, delta=3), "choose one of the two"),
        (lambda: st.RatioClip(-0.1, 0.2), "eps_low is -0.1"),
        (lambda: st.CappedWeight(1, 2), "the floor = 2 lies above the cap = 1"),
        (lambda: st.Aggregation(st.Over.CONSTANT), "needs a constant length"),
        (lambda: st.Aggregation(length=3), "has no constant length"),
        (lambda: st.Setting(group_size=1), "at least 2 texts a prompt"),
        (lambda: st.Setting(ratio=st.Ratio.LOG), "has no ratio: RatioClip has nothing to act on"),
        (lambda: st.Setting(ratio=st.Ratio.GEOMETRIC), "not RatioClip"),
        (lambda: st.Setting(clip=st.LogClip()), "belongs to the geometric mean"),
        (
            lambda: st.Setting(denominator=st.Denominator.SAMPLER, sampler_weight=st.SamplerWeight()),
            "would be counted twice",
        ),
        (
            lambda: st.Setting(ratio=st.Ratio.LOG, clip=st.NoClip(), penalty=st.Penalty(weight=st.PenaltyWeight.RATIO)),
            "cannot be weighted by the ratio",
        ),
        (lambda: st.Advantages(pass_at_k=2), "group mean cannot be added"),
        (
            lambda: st.Setting(advantages=st.Advantages(st.Baseline.NONE, None, pass_at_k=9), group_size=8),
            "pass@9 needs groups of that size",
        ),
        (
            lambda: st.Setting(
                advantages=st.Advantages(st.Baseline.LEAVE_ONE_OUT, st.Scale(st.Population.OTHERS, sample=True)),
                group_size=2,
            ),
            "needs at least 3 texts",
        ),
        (
            lambda: st.Advantages(st.Baseline.NONE, rewards=st.Rewards.EACH_FIRST),
            "by the mean and deviation of the group",
        ),
        (lambda: st.SamplerWeight(upper=1, lower=2), "reversed"),
        (lambda: st.SamplerWeight(by_text_mean=True), "only masks"),
    ],
)
def test_impossible_settings_are_refused(make: Any, told: str) -> None:
    with pytest.raises(BadInput, match=re.escape(told)):
        make()


# Files and the command.


def test_a_yaml_file_of_trl(tmp_path: Path) -> None:
    file = tmp_path / "grpo.yaml"
    file.write_text(
        "model_name_or_path: some/model\nlearning_rate: 1e-6\nbeta: 1e-3\nloss_type: grpo\nuse_vllm: true\n"
        "num_generations: 16\nreward_funcs:\n- accuracy\n"
    )
    found = read("trl==1.16.0", from_file(file)).setting
    assert (found.beta, found.group_size) == (1e-3, 16)


def test_the_set_option_goes_over_a_nested_file(tmp_path: Path) -> None:
    file = tmp_path / "verl.json"
    file.write_text(json.dumps({"algorithm": {"adv_estimator": "grpo"}, "actor_rollout_ref": {"rollout": {"n": 4}}}))
    options = merged(from_file(file), {"algorithm.adv_estimator": "rloo"})
    assert read("verl", options).setting.advantages.baseline is st.Baseline.LEAVE_ONE_OUT


@pytest.mark.parametrize(
    ("name", "text", "told"),
    [
        ("a.json", "{", "is no JSON: .* in line 1"),
        ("a.yaml", "a: [1", "is no YAML: .* in line"),
        ("a.yaml", "- 1", "holds no options"),
        ("a.yaml", "!!python/object/apply:os.getcwd []", "is no YAML"),
    ],
)
def test_bad_files_are_refused(tmp_path: Path, name: str, text: str, told: str) -> None:
    file = tmp_path / name
    file.write_text(text)
    with pytest.raises(BadInput, match=told):
        from_file(file)


def test_a_missing_file_is_refused() -> None:
    with pytest.raises(BadInput, match=r"there is no file nowhere\.yaml"):
        from_file(Path("nowhere.yaml"))


def run(*arguments: str) -> Any:
    return cli("trainer", *arguments)


def test_the_page_has_its_parts_in_order() -> None:
    page = run("trl==1.9.0", "--set", "beta=0.04", "--set", "loss_type=grpo").stdout
    parts = ["TRL 1.9.0", "This run raises", "warnings", "loss, to be minimised", "gradient where", "open"]
    assert [page.index(part) for part in parts] == sorted(page.index(part) for part in parts)
    assert "∇L = −1/B Σᵢ 1/|oᵢ| Σₜ ( Aᵢ − 0.04·(1 − e^(−dᵢₜ)) ) ∇log π(oᵢₜ)" in page
    assert "[by-div-loss-gradients, by-div-values]" in page


@pytest.mark.parametrize("name", ["trl", "verl", "openrlhf", "nemo-rl"])
def test_a_claim_that_is_not_proved_is_cited_with_its_verdict(name: str) -> None:
    told, verdicts = run(name).stdout, catalogue.index().expected
    cited = {id: verdict for id, verdict in verdicts.items() if re.search(rf"[\[ ]{id}[,\] ]", told)}
    assert cited
    marked = {id for id in cited if re.search(rf"{id} \({cited[id]}\)", told)}
    assert marked == {id for id, verdict in cited.items() if verdict not in (Verdict.proved, Verdict.definition)}


def test_a_page_writes_the_loss_instead() -> None:
    text = run("trl", "--set", "beta=0.04", "--to", "torch").stdout
    assert text == export(of("trl", beta=0.04), to="torch")
    names: dict[str, Any] = {}
    exec(text, names)
    assert callable(names["loss"])


def test_bad_input_exits_with_two() -> None:
    found = run("trl", "--set", "betta=1")
    assert found.exit_code == 2
    assert "did you mean beta?" in found.stderr
    assert run("trl", "--set", "beta").exit_code == 2
    assert run("trl", "--to", "coq").exit_code == 2


def test_the_page_imports_neither_torch_nor_sympy() -> None:
    code = (
        "import sys;"
        "from grpo_symbolic.cli import app; app(['trainer', 'trl==1.16.0'], standalone_mode=False);"
        "heavy = {'torch', 'sympy', 'jax', 'numpy', 'z3'} & set(sys.modules);"
        "print(heavy or 'light', file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stderr.strip() == "light"


# What pages say.


def test_every_claim_that_a_fact_cites_exists() -> None:
    known = catalogue.ids()
    assert {claim for fact in chain(*FACTS.values()) for claim in fact.claims} <= set(known)


def test_a_fact_without_a_registered_claim_is_not_called_known() -> None:
    setting = of("trl==1.9.0", beta=0.04, loss_type="grpo")
    assert facts(setting, Kind.KNOWN, known=()) == []
    assert all(note.claims == () for note in facts(setting, Kind.WARNING, known=()))


def test_every_fact_applies_somewhere_and_none_everywhere_but_one() -> None:
    runs = [
        *SETTINGS.values(),
        of("trl==1.9.0", beta=0.04, loss_type="bnpo", num_iterations=2),
        of("trl", loss_type="cispo"),
        of("trl", beta=0.04, scale_rewards="none"),
        of("verl", **{"algorithm.filter_groups.enable": True, "actor_rollout_ref.actor.use_kl_loss": True}),
        of("verl", **{"algorithm.adv_estimator": "rloo"}),
        of("trl", delta=0.5),
    ]
    counts = [sum(fact.applies(run) for run in runs) for fact in chain(*FACTS.values())]
    assert min(counts) > 0
    assert counts.count(len(runs)) == 1


def called_zero(setting: st.Setting) -> bool:
    return any(note.claims for note in facts(setting, Kind.WARNING, ["tr-zero-loss"]))


def value_at_ratio_one(setting: st.Setting) -> float:
    """Of texts of different lengths and any rewards, less the penalty in the loss; the engine is another policy."""
    bare = replace(setting, penalty=None) if setting.penalty and setting.penalty.place is st.Place.LOSS else setting
    generator = torch.Generator().manual_seed(0)
    logp, ref, sampler = (-torch.rand(6, 3, generator=generator, dtype=torch.float64) for _ in range(3))
    mask = torch.tensor([[1, 0, 0], [1, 1, 1], [1, 1, 0], [1, 1, 1], [1, 0, 0], [1, 1, 0]], dtype=torch.float64)
    rewards = torch.tensor([1, 0, 0.25, 1, 1, 0], dtype=torch.float64)
    if setting.advantages.reward_weights:
        rewards = torch.stack([rewards, rewards.flip(0)], dim=1)
    group = torch.tensor([0, 0, 0, 1, 1, 1])
    return float(loss(bare)(logp, None, ref, mask, rewards, group, sampler, rewards / 3))


@pytest.mark.parametrize("name", [name for name, setting in SETTINGS.items() if called_zero(setting)])
def test_a_loss_that_is_called_zero_is_zero(name: str) -> None:
    assert abs(value_at_ratio_one(SETTINGS[name])) < 1e-15


@pytest.mark.parametrize(
    "name",
    [
        "advantage: leave-one-out deviation",
        "advantage: opo",
        "advantage: remax",
        "advantage: pass@2",
        "penalty: k1 to go",
        "ratio: reinforce",
        "ratio: cispo",
        "ratio: sapo",
        "ratio: over the sampler",
        "ratio: truncated weights",
        "aggregation: dapo",
        "aggregation: per prompt",
        "aggregation: dr grpo",
    ],
)
def test_a_loss_that_is_not_zero_is_not_called_so(name: str) -> None:
    assert abs(value_at_ratio_one(SETTINGS[name])) > 1e-3
    assert not called_zero(SETTINGS[name])


@pytest.mark.parametrize("name", SETTINGS)
def test_every_setting_has_words_and_formulas(name: str) -> None:
    setting = SETTINGS[name]
    said = [sentence(setting), gradient(setting), *formulas(setting)]
    assert all("None" not in text and "<" not in text.replace("< 0", "") for text in said)
    assert sentence(setting).count(". ") == 0


def test_settings_that_differ_have_pages_that_differ() -> None:
    pages = {(sentence(s), gradient(s), *formulas(s)) for s in SETTINGS.values()}
    assert len(pages) == len(set(SETTINGS.values()))


IN_LOSS = {n: s for n, s in PENALTIES.items() if s.penalty is not None and s.penalty.place is st.Place.LOSS}
UNCUT = [name for name in IN_LOSS if "clamped" not in name]


@pytest.mark.parametrize("name", UNCUT)
def test_the_gradient_that_is_shown_is_that_of_the_loss(name: str) -> None:
    """One token, equal rewards: what is left is the penalty's gradient, at several distances from the reference."""
    setting = PENALTIES[name]
    shown = re.search(r"0\.5·(.*?) (?:\) )?∇log", gradient(setting))
    assert shown is not None
    python = shown[1].replace("dᵢₜ", "d").replace("e^(−d)", "exp(-d)").replace("−", "-").replace("d²", "d**2")
    python = re.sub(r"\|d\|", "abs(d)", python).replace("sign d", "copysign(1, d)")
    for d in (-1.5, -0.3, 0.4, 1.1):
        logp = torch.full((3, 1), -2.0, dtype=torch.float64, requires_grad=True)
        held = logp.detach()
        equal = torch.zeros(3, dtype=torch.float64)
        loss(setting)(logp, held, held - d, held * 0 + 1, equal, equal.long(), held).backward()
        expected = 0.5 / 3 * eval(python, {"exp": math.exp, "copysign": math.copysign}, {"d": d})
        assert logp.grad is not None
        assert logp.grad[0, 0].item() == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("k1", st.PenaltyGradient.NOWHERE),
        ("k2", st.PenaltyGradient.REVERSE),
        ("k3", st.PenaltyGradient.FORWARD),
        ("k3 straight through", st.PenaltyGradient.REVERSE),
        ("k3 times ratio", st.PenaltyGradient.REVERSE),
        ("k1 times ratio", st.PenaltyGradient.REVERSE),
        ("k3 with score", st.PenaltyGradient.REVERSE),
        ("k3 times detached sampler ratio", st.PenaltyGradient.FORWARD),
        ("k1 in the reward", st.PenaltyGradient.REVERSE),
        ("k3 in the advantage", st.PenaltyGradient.OTHER),
    ],
)
def test_the_divergence_that_is_named_has_the_expected_gradient(name: str, expected: st.PenaltyGradient) -> None:
    """Summed over the tokens of a softmax policy with their probabilities, the gradient of the penalty is that of the
    divergence that the page names.
    """
    setting = PENALTIES[name]
    assert st.penalty_gradient(setting) is expected
    if setting.penalty is None or setting.penalty.place is not st.Place.LOSS:
        return
    logits = torch.tensor([0.3, -0.2, 0.9], dtype=torch.float64, requires_grad=True)
    ref = torch.tensor([0.5, 0.3, 0.2], dtype=torch.float64)
    policy = logits.softmax(0)
    held = policy.detach()
    token = policy.log()[:, None].clone()
    token.retain_grad()
    equal = torch.zeros(3, dtype=torch.float64)
    law = held.log()[:, None]
    loss(setting)(token, law, ref.log()[:, None], law * 0 + 1, equal, equal.long(), law).backward()
    assert token.grad is not None
    slopes = token.grad[:, 0] * 3 / 0.5
    jacobian = torch.autograd.functional.jacobian(lambda z: z.log_softmax(0), logits.detach())
    found = (held[:, None] * slopes[:, None] * jacobian).sum(0)
    again = logits.detach().clone().requires_grad_()
    moved = again.softmax(0)
    divergence = {
        st.PenaltyGradient.NOWHERE: (moved * 0).sum(),
        st.PenaltyGradient.FORWARD: (ref * (ref / moved).log()).sum(),
        st.PenaltyGradient.REVERSE: (moved * (moved / ref).log()).sum(),
    }[expected]
    divergence.backward()
    assert again.grad is not None
    torch.testing.assert_close(found, again.grad, rtol=1e-12, atol=1e-14)


def test_an_export_says_what_it_is_and_refuses_what_cannot_hold_it() -> None:
    text = export(st.PAPER_GRPO, to="jax")
    assert text.splitlines()[1] == f"# {sentence(st.PAPER_GRPO)}"
    with pytest.raises(BadInput, match="coq cannot hold the loss"):
        export(st.PAPER_GRPO, to="coq")


def test_reading_a_config_is_quick() -> None:
    start = time.process_time()
    for _ in range(100):
        read("trl==1.16.0", {"beta": 0.04})
    assert time.process_time() - start < 2
