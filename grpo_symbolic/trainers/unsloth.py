"""unsloth's ``GRPOConfig`` as settings, version 2026.10, read off ``rl.py`` and unsloth_zoo's ``grpo_compute_loss``.

unsloth rewrites TRL's trainer, of which 1.15 is the newest that it takes: advantages and options are TRL's, defaults
are others, some choices make others (an explicit ``dapo``, ``dr_grpo``, ``cispo``), and the divergence is cut off as
verl does. What its environment variables (``UNSLOTH_GRPO_…``) change is no option, and not read.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

from grpo_symbolic import setting as st
from grpo_symbolic.scalars import Json
from grpo_symbolic.trainers import trl
from grpo_symbolic.trainers.options import Aside, LeftOut, Options, Part, Trainer
from grpo_symbolic.trainers.releases import Version, releases_of

__all__ = ["TRAINER"]

_NULL = ("loss_type", "beta", "mask_truncated_completions")  # what unsloth decides where it is left out or null
TABLE = tuple(replace(option, optional=True) if option.name in _NULL else option for option in trl.TABLE)
LEFT_OUT = (
    LeftOut("vllm_sampling_params", "handed to the sampler: {value}", (Part.END,)),
    *trl.LEFT_OUT,
)
ASIDES = (
    Aside("memory, speed and precision", "unsloth_* context_parallel_*"),
    *trl.ASIDES,
)


def _options(trainer: Trainer, version: Version, given: Mapping[str, Json], strict: Iterable[str]) -> Options:
    given = trl.with_words(given)
    assumed, notes = _assumed(given)
    if given.get("loss_type") == "dr_grpo" and given.get("scale_rewards") == "group":
        given["scale_rewards"] = "none"
    chosen = {name: value for name, value in given.items() if value is not None or name not in assumed}
    options = Options(trainer, version, chosen, strict, assumed)
    for note in notes:
        options.note(note)
    return options


def _setting_of(options: Options) -> st.Setting:
    setting = trl.setting_of(options)
    if options.flag("use_adaptive_entropy"):
        why = "unsloth adapts no entropy bonus, and then has none"
        options.ignored(why, "use_adaptive_entropy", "entropy_coef")
    if setting.penalty is None:
        return setting
    return replace(setting, penalty=replace(setting.penalty, bounds=(-10, 10), log_bounds=(-20, 20)))


def _assumed(given: Mapping[str, Json]) -> tuple[dict[str, Json], list[str]]:
    """What unsloth puts where an option is left out or null, beside the loss that was chosen, and notes on it."""
    notes = list[str]()
    asked = given.get("loss_type")
    loss = "dapo" if asked is None else asked
    values: dict[str, Json] = {"loss_type": "dapo", "beta": 0.0 if loss in ("dapo", "dr_grpo") else 0.001}
    if given.get("beta") is None and values["beta"]:
        notes.append(f"beta is not set, and with loss_type={loss} unsloth's is 0.001.")
    own: dict[Json, dict[str, Json]] = {
        "dapo": {"epsilon_high": 0.28, "mask_truncated_completions": True},
        "cispo": {"epsilon_high": 5.0},
    }
    for name, value in own.get(asked, {}).items():
        if given.get(name) is None:
            values[name] = value
            notes.append(f"{name} is not set, and with loss_type={loss} unsloth's is {str(value).lower()}.")
    if loss == "dr_grpo":
        divided = "scale_rewards" in given and given["scale_rewards"] is None
        values["scale_rewards"] = "group" if divided else "none"
        if not divided and given.get("scale_rewards", "group") == "group":
            notes.append("With loss_type=dr_grpo unsloth's scale_rewards is none; null keeps the deviation.")
    return values, notes


TRAINER = Trainer(
    releases_of("unsloth", "unsloth"),
    TABLE,
    ASIDES,
    LEFT_OUT,
    _setting_of,
    trl.NAMES,
    trl.OF_RUN,
    classes=("*.UnslothGRPOConfig",),
    options_of=_options,
)
