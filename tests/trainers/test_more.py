"""ms-swift, slime, unsloth and prime-rl: what their options are as settings, and what of them is refused."""

from __future__ import annotations

from argparse import Namespace
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from grpo_symbolic import setting as st
from grpo_symbolic.errors import BadInput
from grpo_symbolic.reading import Fate
from grpo_symbolic.trainers import from_file, of, read
from grpo_symbolic.trainers.launch import options_of_line, options_of_script

OFF: dict[str, Any] = {"trainer.loss.dppo_mask_low": 1, "trainer.loss.dppo_mask_high": 1, "trainer.loss.kl_tau": 0}
PLUS: dict[str, Any] = {"advantage_estimator": "reinforce_plus_plus", "normalize_advantages": True}

DEFAULTS = [
    (
        "ms-swift",
        {"rlhf_type": "grpo"},
        st.Setting(
            st.Advantages(scale=st.Scale(sample=True, eps=Fraction(1, 10**4))),
            8,
            st.Penalty(0.04, bounds=(-10, 10), log_bounds=(-20, 20)),
            clip=st.RatioClip(0.2, 0.2),
        ),
    ),
    (
        "slime",
        {"n_samples_per_prompt": 8},
        st.Setting(
            st.Advantages(scale=st.Scale(sample=True, eps=Fraction(1, 10**6))), 8, None, clip=st.RatioClip(0.2, 0.2)
        ),
    ),
    (
        "unsloth",
        {},
        st.Setting(
            st.Advantages(scale=st.Scale(sample=True, eps=Fraction(1, 10**4))),
            8,
            None,
            clip=st.RatioClip(0.2, 0.2),
            aggregation=st.Aggregation(st.Over.BATCH_TOKENS),
        ),
    ),
    (
        "prime-rl",
        {"orchestrator.group_size": 8} | OFF,
        st.Setting(
            st.Advantages(scale=None),
            8,
            None,
            denominator=st.Denominator.SAMPLER,
            clip=st.NoClip(),
            aggregation=st.Aggregation(st.Over.BATCH_TOKENS),
            dynamic_sampling=True,
        ),
    ),
]


@pytest.mark.parametrize(("trainer", "given", "setting"), DEFAULTS, ids=[row[0] for row in DEFAULTS])
def test_the_defaults_of_a_trainer_as_a_setting(trainer: str, given: dict[str, Any], setting: st.Setting) -> None:
    assert read(trainer, given).setting == setting


REFUSED = [
    ("ms-swift", {"rlhf_type": "dpo"}, "is another method"),
    ("ms-swift", {"loss_type": "real"}, "compares the texts of a group"),
    ("ms-swift", {"loss_type": "fipo"}, "that follow"),
    ("ms-swift", {"micro_batch_size": 2}, "options of `megatron rlhf`"),
    ("ms-swift", {"steps_per_generation": 0}, "at least 1"),
    (
        "ms-swift",
        {"use_vllm": True, "beta": 0, "rollout_importance_sampling_mode": "sequence_truncate"},
        "bounds the geometric mean",
    ),
    ("slime==0.1.0", {"use_unbiased_kl": True}, r"it came with 0\.2\.1"),
    ("slime", {"advantage_estimator": "ppo"}, "trains a value model"),
    ("slime==0.2.1", {"advantage_estimator": "on_policy_distillation"}, "has a teacher for its reward"),
    ("slime==0.3.0", {"advantage_estimator": "cispo"}, r"it came with 0\.3\.1"),
    ("slime", {"advantage_estimator": "reinforce_plus_plus"}, "needs normalize_advantages"),
    ("slime", PLUS | {"gamma": 0.9}, "only 1 is modelled"),
    ("slime", PLUS | {"kl_coef": 0.1, "use_rollout_logprobs": True}, "the divergence of the sampler"),
    ("slime", {"kl_coef": 0.1, "kl_loss_coef": 0.1}, "one of the two"),
    ("slime", {"loss_type": "sft_loss"}, "no loss of the policy"),
    ("slime", {"custom_loss_function_path": "mine.loss"}, "in the place of the loss"),
    ("slime", {"compute_advantages_and_returns": False}, "without advantages"),
    ("slime", {"use_tis": True, "custom_tis_function_path": "mine.weights"}, "a rule of its own"),
    ("slime", {"use_tis": True, "use_rollout_logprobs": True}, "exclude one another"),
    ("slime", {"get_mismatch_metrics": True}, "needs custom_tis_function_path"),
    (
        "slime",
        {"advantage_estimator": "gspo", "use_kl_loss": True, "kl_loss_coef": 0.1, "use_unbiased_kl": True},
        "that of the text",
    ),
    ("unsloth", {"loss_type": "vespo"}, "vespo is not modelled"),
    ("unsloth==2026.9.14", {}, "the first version that is"),
    ("prime-rl", {}, "dppo_mask_low = 0.2, dppo_mask_high = 0.2"),
    ("prime-rl", {"trainer.loss.type": "ipo"}, "ipo_threshold = 0.1"),
    ("prime-rl", OFF | {"trainer.loss.kl_tau": 0.001}, "the square of the log ratio"),
    ("prime-rl", OFF | {"trainer.loss.type": "custom"}, "in the place of the loss"),
    ("prime-rl", OFF | {"orchestrator.algo.type": "max_rl"}, "by the mean of the group"),
    ("prime-rl==0.6.0", OFF | {"orchestrator.training_mode": "opd"}, "a teacher is its reward"),
    ("prime-rl==0.6.0", OFF | {"orchestrator.advantage.type": "custom"}, "in the place of the advantages"),
    ("prime-rl", OFF | {"orchestrator.train.source": [{"name": "a", "algo": {"type": "opd"}}]}, "has its own algo"),
]


@pytest.mark.parametrize(("trainer", "given", "told"), REFUSED, ids=str)
def test_what_no_setting_has_is_refused_in_one_sentence(trainer: str, given: dict[str, Any], told: str) -> None:
    with pytest.raises(BadInput, match=told):
        read(trainer, given)


IDLE = [
    ("ms-swift", {"loss_type": "sapo", "epsilon": 0.1}, "epsilon"),
    ("ms-swift", {"loss_type": "cispo", "epsilon_high": 5.0, "epsilon": 0.1, "delta": 3.0}, "delta"),
    ("ms-swift", {"tau_pos": 2.0}, "tau_pos"),
    ("ms-swift", {"beta": 0, "kl_in_reward": True}, "kl_in_reward"),
    ("ms-swift", {"scale_rewards": "gdpo", "kl_in_reward": True}, "kl_in_reward"),
    ("ms-swift", {"rollout_importance_sampling_mode": "token_mask"}, "rollout_importance_sampling_mode"),
    (
        "ms-swift",
        {"use_vllm": True, "rollout_importance_sampling_threshold": 3},
        "rollout_importance_sampling_threshold",
    ),
    ("slime", {"eps_clip_c": 3.0}, "eps_clip_c"),
    ("slime", {"kl_coef": 0.1}, "kl_coef"),
    ("slime", {"kl_loss_coef": 0.1}, "kl_loss_coef"),
    ("slime", {"use_kl_loss": True}, "use_kl_loss"),
    ("slime", {"gamma": 0.9}, "gamma"),
    ("slime", {"tis_clip": 3.0}, "tis_clip"),
    ("slime", PLUS | {"rewards_normalization": False, "grpo_std_normalization": False}, "rewards_normalization"),
    ("unsloth", {"use_adaptive_entropy": True, "entropy_coef": 0.01}, "entropy_coef"),
    ("prime-rl", OFF | {"trainer.loss.ipo_threshold": 0.5}, "trainer.loss.ipo_threshold"),
]


@pytest.mark.parametrize(("trainer", "given", "name"), IDLE, ids=str)
def test_what_has_no_effect_is_said_so(trainer: str, given: dict[str, Any], name: str) -> None:
    fates = {use.name: use.fate for use in read(trainer, given).options}
    assert fates[name] is Fate.IDLE


LEFT = [
    ("ms-swift", {"reward_funcs": ["accuracy", "format"]}, "reward_funcs"),
    ("ms-swift", {"reward_funcs": "soft_overlong"}, "reward_funcs"),
    ("ms-swift", {"teacher_model": "t"}, "teacher_model"),
    ("slime", {"dynamic_sampling_filter_path": "mine.filter"}, "dynamic_sampling_filter_path"),
    ("slime", {"train_async.py": True}, "train_async.py"),
    ("slime", {"use_opsm": True}, "use_opsm"),
    ("unsloth", {"loss_type": "dapo"}, "mask_truncated_completions"),
    ("prime-rl", OFF, "orchestrator.max_off_policy_steps"),
]


@pytest.mark.parametrize(("trainer", "given", "name"), LEFT, ids=str)
def test_what_is_not_modelled_is_said_so(trainer: str, given: dict[str, Any], name: str) -> None:
    assert {use.name: use.fate for use in read(trainer, given).options}[name] is Fate.LEFT_OUT


# ms-swift.


def test_estimators_of_ms_swift_have_defaults_of_their_own() -> None:
    rloo = read("ms-swift", {"advantage_estimator": "rloo"}).setting
    assert (rloo.advantages.baseline, rloo.advantages.scale) == (st.Baseline.LEAVE_ONE_OUT, None)
    assert rloo.penalty == st.Penalty(0.04, st.Estimator.K1, place=st.Place.REWARD)
    white = read("ms-swift", {"advantage_estimator": "reinforce_plus_plus"}).setting.advantages.whitening
    assert white is not None
    assert (white.over, white.guard) == (st.Elements.TEXTS, st.Guard.OUTSIDE)


@pytest.mark.parametrize(
    ("version", "told"),
    [
        ("4.5.3", "divided by the accumulation as well: the loss is 1/32 of the one shown"),
        ("4.6.0", "not of one optimiser step: the loss is 8/32 of the one shown"),
    ],
)
def test_ms_swift_divided_a_token_mean_twice_before_4_6(version: str, told: str) -> None:
    given = {"loss_type": "dapo", "steps_per_generation": 32, "gradient_accumulation_steps": 8}
    found = read(f"ms-swift=={version}", given)
    assert found.setting.updates == 4
    assert any(told in note.text for note in found.notes)


def test_a_generation_batch_of_ms_swift_fills_steps() -> None:
    given = {"generation_batch_size": 64, "per_device_train_batch_size": 8, "gradient_accumulation_steps": 4}
    assert read("ms-swift", given).setting.updates == 2


def test_one_loss_in_a_list_and_one_weight_are_what_they_hold() -> None:
    found = read("ms-swift", {"loss_type": ["bnpo"], "reward_weights": 2}).setting
    assert found.aggregation == st.Aggregation(st.Over.BATCH_TOKENS, micro_batch=True)
    assert found.advantages.reward_weights == (2,)


def test_gspo_of_tokens_is_capped_as_gspo_of_texts() -> None:
    given = {"importance_sampling_level": "sequence_token"}
    assert read("ms-swift", given).setting.ratio is st.Ratio.ROOT_TOKEN
    found = read("ms-swift", given | {"loss_type": "cispo"})
    assert found.setting.ratio is st.Ratio.ROOT
    assert any("caps every weight at epsilon" in note.text for note in found.notes)


# slime.


def test_flags_of_slime_that_switch_off_go_by_both_names() -> None:
    for given in ({"disable_grpo_std_normalization": True}, {"grpo_std_normalization": False}):
        assert read("slime", given, strict=given).setting.advantages.scale is None
    assert read("slime", {"disable_rewards_normalization": True}).setting.advantages.baseline is st.Baseline.NONE


def test_slimes_estimators_charge_the_divergence_to_tokens() -> None:
    charged = read("slime", PLUS | {"kl_coef": 0.1, "kl_loss_type": "low_var_kl"}).setting.penalty
    assert charged is not None
    assert (charged.credit, charged.bounds) == (st.Credit.TO_GO, (-10, 10))
    of_token = read("slime", PLUS | {"advantage_estimator": "reinforce_plus_plus_baseline", "kl_coef": 0.1}).setting
    assert of_token.penalty is not None
    assert of_token.penalty.credit is st.Credit.TOKEN


@pytest.mark.parametrize(
    ("given", "updates"),
    [({}, 1), ({"num_steps_per_rollout": 4}, 4), ({"rollout_batch_size": 32, "global_batch_size": 64}, 4)],
    ids=str,
)
def test_updates_of_slime(given: dict[str, int], updates: int) -> None:
    assert read("slime", {"n_samples_per_prompt": 8} | given).setting.updates == updates


def test_icepop_of_slime_masks_where_tis_truncates() -> None:
    given = {"use_tis": True, "tis_clip": 5.0, "tis_clip_low": 0.5}
    assert read("slime", given).setting.sampler_weight == st.SamplerWeight(upper=5.0, lower=0.5)
    icepop = given | {"custom_tis_function_path": "slime.backends.megatron_utils.loss.icepop_function"}
    masked = st.SamplerWeight(mode=st.WeightMode.MASK, upper=5.0, lower=0.5)
    assert read("slime", icepop).setting.sampler_weight == masked


# unsloth.


def test_what_unsloth_makes_of_a_loss_goes_by_what_was_said() -> None:
    assert read("unsloth", {"loss_type": "dapo"}).setting.clip == st.RatioClip(0.2, 0.28)
    assert read("unsloth", {"loss_type": "cispo"}).setting.clip == st.CappedWeight(5.0)
    assert read("unsloth", {"loss_type": "grpo"}).setting.beta == 0.001
    for scale, kept in ((None, True), (True, False), ("group", False)):
        found = read("unsloth", {"loss_type": "dr_grpo", "scale_rewards": scale}).setting
        assert (found.advantages.scale is not None) == kept


# Objects and launch lines.


@dataclass
class UnslothGRPOConfig:
    """As unsloth's writes its defaults over what is left out."""

    num_generations: int = 4
    loss_type: str = "dapo"
    beta: float = 0.0
    epsilon_high: float | None = None
    mask_truncated_completions: bool = False
    generation_batch_size: int = 8
    steps_per_generation: int = 2
    gradient_accumulation_steps: int = 2


@dataclass
class RLHFArguments:
    """ms-swift's arguments."""

    rlhf_type: str = "grpo"
    num_generations: int = 4
    loss_type: str = "grpo"


RLHFArguments.__module__ = "swift.arguments.rlhf_args"


@pytest.mark.parametrize(
    ("config", "trainer"),
    [
        (UnslothGRPOConfig(), "unsloth"),
        (RLHFArguments(), "ms-swift"),
        (Namespace(n_samples_per_prompt=4, eps_clip=0.2), "slime"),
        (
            {"orchestrator": {"group_size": 4}, "trainer": {"loss": {"type": "ipo", "ipo_threshold": 1, "kl_tau": 0}}},
            "prime-rl",
        ),
    ],
    ids=["unsloth", "ms-swift", "slime", "prime-rl"],
)
def test_their_configuration_objects_are_read(config: Any, trainer: str) -> None:
    found = of(config)
    assert (found.trainer, found.setting.group_size) == (trainer, 4)
    if trainer == "unsloth":
        assert found.setting.clip == st.RatioClip(0.2, 0.2), "its own default sets no clip"


def test_a_script_of_ms_swift_is_read_behind_variables_and_a_hash_in_a_name(tmp_path: Path) -> None:
    script = tmp_path / "run.sh"
    script.write_text(
        "# don't stop at this\n"
        "SYSTEM='answer after ####\n#### 42'  # it's the format\n"
        "CUDA_VISIBLE_DEVICES=0,1 \\\nNPROC_PER_NODE=2 \\\nswift rlhf \\\n    --rlhf_type grpo \\\n"
        '    --dataset AI-MO/NuminaMath-TIR#10000 \\\n    # --beta 0.5 \\\n    --system "$SYSTEM" \\\n'
        "    --num_generations 16 --beta 0.0 \\\n",
        encoding="utf-8",
    )
    found = read("ms-swift", from_file(script))
    assert (found.setting.group_size, found.setting.penalty) == (16, None)
    assert {use.name: use.value for use in found.options}["dataset"] == "AI-MO/NuminaMath-TIR#10000"


def test_a_script_of_slime_is_read_with_what_it_sources(tmp_path: Path) -> None:
    (tmp_path / "models").mkdir()
    (tmp_path / "models" / "small.sh").write_text("MODEL_ARGS=(\n   --num-layers 2\n)\n", encoding="utf-8")
    script = tmp_path / "run.sh"
    script.write_text(
        'source "${SCRIPT_DIR}/../models/small.sh"\n'
        "GRPO_ARGS=(\n   --n-samples-per-prompt 16\n   # --use-kl-loss\n   --eps-clip-high 0.28  # clip-higher\n)\n"
        'ray job submit --address="x" -- python3 train_async.py --colocate \\\n'
        "   ${MODEL_ARGS[@]} ${GRPO_ARGS[@]} ${UNSET_ARGS[@]}\n",
        encoding="utf-8",
    )
    found = options_of_script(script).options
    assert found == {
        "colocate": True,
        "num_layers": 2,
        "n_samples_per_prompt": 16,
        "eps_clip_high": 0.28,
        "train_async.py": True,
    }
    script.write_text("source ./gone.sh\npython train.py ${MODEL_ARGS[@]}\n", encoding="utf-8")
    with pytest.raises(BadInput, match="which is given nowhere"):
        options_of_script(script)


def test_names_of_a_line_are_kept_with_underscores() -> None:
    assert options_of_line("python train.py --eps-clip 0.1 --use-kl-loss").options == {
        "eps_clip": 0.1,
        "use_kl_loss": True,
    }
