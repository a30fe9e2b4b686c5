"""What people launch: files that build on others, shell scripts, Python files, and configuration objects."""

from __future__ import annotations

from argparse import Namespace
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from command_line import cli

from grpo_symbolic import setting as st
from grpo_symbolic.errors import BadInput
from grpo_symbolic.trainers import from_file, from_texts, of, read
from grpo_symbolic.trainers.launch import options_of_line

NEMO = "loss_fn: {reference_policy_kl_penalty: 0.01, token_level_loss: true}\ngrpo: {num_generations_per_prompt: 16}\n"


def written(folder: Path, files: dict[str, str]) -> Path:
    """The files, in their folders; the path of the last."""
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return path


def test_a_recipe_of_nemo_rl_is_read_over_its_defaults(tmp_path: Path) -> None:
    middle = "defaults: ../base.yaml\ngrpo: {num_generations_per_prompt: 8}\n"
    gspo = (
        "defaults: [middle.yaml]\nloss_fn: {reference_policy_kl_penalty: 0, token_level_loss: false, "
        "sequence_level_importance_ratios: true}\ngrpo: {num_prompts_per_step: 4}\n"
        "policy: {train_global_batch_size: '${mul:${grpo.num_prompts_per_step}, ${grpo.num_generations_per_prompt}}'}\n"
    )
    path = written(tmp_path, {"base.yaml": NEMO, "r/middle.yaml": middle, "r/gspo.yaml": gspo})
    found = read("nemo-rl", from_file(path)).setting
    assert (found.ratio, found.group_size, found.penalty, found.updates) == (st.Ratio.ROOT, 8, None, 1)


@pytest.mark.parametrize(("self", "size"), [("[_self_, base]", 4), ("[base, _self_]", 8), ("[base]", 8)])
def test_a_files_own_options_go_where_self_stands(tmp_path: Path, self: str, size: int) -> None:
    own = "actor_rollout_ref: {rollout: {n: 8}}\n"
    base = "actor_rollout_ref: {rollout: {n: 4}}\n"
    path = written(tmp_path, {"base.yaml": base, "run.yaml": f"defaults: {self}\n{own}"})
    assert read("verl", from_file(path)).setting.group_size == size


def test_groups_packages_and_search_paths_of_hydra(tmp_path: Path) -> None:
    run = (
        "hydra: {searchpath: ['file://more']}\n"
        "defaults:\n- ppo_trainer\n- override actor@actor_rollout_ref.actor: tight\n- optional reward: null\n- _self_\n"
    )
    actor = "clip_ratio_low: 0.0003\nclip_ratio_high: ${.clip_ratio_low}\n".replace("${.clip_ratio_low}", "0.0004")
    path = written(tmp_path, {"more/actor/tight.yaml": actor, "run.yaml": run})
    assert read("verl", from_file(path)).setting.clip == st.RatioClip(0.0003, 0.0004, dual=3.0)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("defaults: [nowhere]\n", "builds on 'nowhere', which is not beside it"),
        ("defaults: run.yaml\n", "is among its own defaults"),
        ("defaults: 3\n", "the defaults of .* are 3"),
        ("defaults: [3]\n", "have 3: expected a name"),
        ("grpo: {num_generations_per_prompt: '${nowhere.at.all}'}\n", "which only a run would tell"),
    ],
)
def test_defaults_that_cannot_be_followed_are_refused(tmp_path: Path, text: str, told: str) -> None:
    path = written(tmp_path, {"run.yaml": text})
    with pytest.raises(BadInput, match=told):
        read("nemo-rl", from_file(path))


SCRIPT = """#!/bin/bash
set -x
# n_resp_per_prompt=2
n_resp_per_prompt=8
train_bsz=$((32 * 4))
HIGH=${HIGH:-0.28}
ALGORITHM=(
    algorithm.adv_estimator=grpo
    algorithm.norm_adv_by_std_in_grpo=False
)
python3 -m verl.trainer.main_ppo --config-path=config --config-name=ppo_trainer \\
    "${ALGORITHM[@]}" \\
    actor_rollout_ref.rollout.n=${n_resp_per_prompt} data.train_batch_size=$train_bsz \\
    actor_rollout_ref.actor.ppo_mini_batch_size=$(($train_bsz / 2)) \\
    ++actor_rollout_ref.actor.clip_ratio_high=$HIGH \\
    trainer.logger='["console","wandb"]' +trainer.val_before_train=False $@ 2>&1 | tee log.txt
"""


def test_a_shell_script_of_verl(tmp_path: Path) -> None:
    found = read("verl", from_file(written(tmp_path, {"run.sh": SCRIPT})))
    assert found.setting.group_size == 8
    assert found.setting.updates == 2
    assert found.setting.clip == st.RatioClip(0.2, 0.28, dual=3.0)
    assert found.setting.advantages.scale is None
    assert {use.name: use.value for use in found.options}["trainer.logger"] == ["console", "wandb"]
    assert "tee" not in str(found.options)


def test_lines_of_accelerate_and_of_openrlhf(tmp_path: Path) -> None:
    config = "num_generations: 4\nbeta: 0.1\n"
    line = "accelerate launch --config_file d.yaml src/grpo.py --config run.yaml --beta 0.04 --use_vllm\n"
    path = written(tmp_path, {"run.yaml": config, "scripts/go.sh": line})
    found = read("trl==1.9.0", from_file(path)).setting
    assert (found.group_size, found.beta) == (4, 0.04)
    assert found.sampler_weight is not None
    launch = options_of_line(
        "python3 -m openrlhf.cli.train_ppo_ray --actor.eps_clip_low_high 0.2 0.27 --rollout.n_samples_per_prompt 8 "
        "--algo.kl.use_loss --algo.advantage.estimator dr_grpo"
    )
    found = read("openrlhf", launch.options).setting
    assert found.clip == st.RatioClip(0.2, 0.27)
    assert found.penalty is not None
    assert found.penalty.place is st.Place.LOSS


@pytest.mark.parametrize(
    ("name", "text", "told"),
    [
        ("run.sh", "echo hello\n", "launches no trainer"),
        ("run.sh", "python -m verl.trainer.main_ppo actor_rollout_ref.rollout.n=$1\n", "only a run would tell"),
        ("run.sh", "python grpo.py --config gone.yaml\n", "takes its options from gone.yaml, which is not there"),
        ("run.py", "x = 1\n", "builds no GRPOConfig"),
        ("run.py", "x = (\n", "is no Python"),
        ("run.py", "GRPOConfig(**more)\n", "from a mapping"),
        ("run.toml", "x = \n", "is no TOML"),
    ],
)
def test_what_only_a_run_would_tell_is_refused_in_one_sentence(tmp_path: Path, name: str, text: str, told: str) -> None:
    path = written(tmp_path, {name: text})
    with pytest.raises(BadInput, match=told):
        read("verl", from_file(path))
    result = cli("trainer", "verl", "--config", str(path))
    assert result.exit_code != 0


def test_a_python_file_is_parsed_and_not_run(tmp_path: Path) -> None:
    text = "raise SystemExit\nSIZE = 4\nargs = trl.GRPOConfig(num_generations=SIZE, beta=0.04, output_dir=f'{SIZE}')\n"
    found = read("trl==1.9.0", from_file(written(tmp_path, {"train.py": text}))).setting
    assert (found.group_size, found.penalty) == (4, st.Penalty(0.04))


def test_plus_signs_before_names_are_hydras_own() -> None:
    assert from_texts(["++a.b=1", "+c=2", "--d=3"]) == {"a.b": 1, "c": 2, "d": 3}


# Configuration objects.


@dataclass
class GRPOConfig:
    """As TRL's writes its second name over what is left out."""

    num_generations: int = 4
    beta: float = 0.04
    generation_batch_size: int = 32
    steps_per_generation: int = 4
    gradient_accumulation_steps: int = 4
    _n_gpu: int = 1


OBJECTS: list[tuple[Any, str, int]] = [
    (GRPOConfig(), "TRL", 4),
    ({"actor_rollout_ref": {"rollout": {"n": 16}}}, "verl", 16),
    (Namespace(**{"rollout.n_samples_per_prompt": 2}), "OpenRLHF", 2),
    ({"loss_fn": {}, "grpo": {"num_generations_per_prompt": 32}}, "NeMo-RL", 32),
]


@pytest.mark.parametrize(("config", "trainer", "size"), OBJECTS, ids=[row[1] for row in OBJECTS])
def test_a_trainers_own_configuration_object_is_read(config: Any, trainer: str, size: int) -> None:
    found = of(config)
    assert (found.trainer, found.setting.group_size) == (trainer, size)


@pytest.mark.parametrize("config", [3, "grpo", {"beta": 0.04}])
def test_an_object_of_no_trainer_is_refused(config: Any) -> None:
    with pytest.raises(BadInput, match=r"is no configuration of a trainer|does not say whose it is"):
        of(config)
    assert of({"beta": 0.04}, "trl").setting.beta == 0.04
