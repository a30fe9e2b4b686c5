"""prime-rl's ``rl`` configuration as settings, versions 0.6 to 0.8, read off ``trainer/rl/loss.py``, the algorithms of
the orchestrator and ``prime_rl.configs``. Names are dotted, such as ``trainer.loss.kl_tau``.

Its losses mask tokens by how far their probability lies from the sampler's, and charge the square of that log ratio:
neither is in a setting. A run is read where both are off (masks of at least 1, ``kl_tau`` = 0), and refused otherwise.
What changed between versions: 0.7 ``orchestrator.algo`` for ``orchestrator.advantage`` and ``training_mode``.
"""

from __future__ import annotations

from collections.abc import Mapping

from grpo_symbolic import setting as st
from grpo_symbolic.errors import BadInput
from grpo_symbolic.trainers.options import Aside, LeftOut, Option, Options, Part, Trainer
from grpo_symbolic.trainers.releases import releases_of

__all__ = ["TRAINER"]

NAMES = {"group_size": "orchestrator.group_size"}  # the trainer's names for words of a setting
_LOSS, _ALGO, _ADVANTAGE = "trainer.loss.", "orchestrator.algo.", "orchestrator.advantage."
_ALGORITHMS = {  # why those that are not described are none here
    "max_rl": "it divides by the mean of the group",
    "rae": "its baseline is a moving average over the run",
    "echo": "it adds a loss on tokens that others wrote",
    "opd": "a teacher is its reward",
    "opsd": "the policy with a demonstration is its reward",
    "sft": "it learns from the texts of another model",
}

TABLE = (
    Option(_LOSS + "type", "word", words=("default", "ipo", "custom")),
    Option(_LOSS + "dppo_mask_low", "number"),
    Option(_LOSS + "dppo_mask_high", "number"),
    Option(_LOSS + "ipo_threshold", "number"),
    Option(_LOSS + "adv_tau", "number"),
    Option(_LOSS + "kl_tau", "number"),
    Option(_ALGO + "type", "word", words=("grpo", *_ALGORITHMS)),
    Option(_ADVANTAGE + "type", "word", words=("default", "custom")),
    Option(_ADVANTAGE + "length_weighted_baseline", "flag"),
    Option("orchestrator.training_mode", "word", words=("rl", "opd", "sft")),
    Option("orchestrator.group_size", "whole"),
    Option("orchestrator.max_off_policy_steps", "whole"),
    Option("orchestrator.train.sampling.temperature", "number"),
)
LEFT_OUT = (
    LeftOut("orchestrator.*.length_penalty.*", "long texts lose reward", (Part.END,)),
    LeftOut("orchestrator.max_off_policy_steps", "samples are up to {value} policies old", (Part.END, Part.PACE), (0,)),
    LeftOut("orchestrator.*_batch_filters", "which texts are trained on", (Part.END,)),
    LeftOut.temperature("orchestrator.train.sampling.temperature"),
    LeftOut("orchestrator.train.sampling.extra_body", "handed to the sampler: {value}", (Part.END,)),
    LeftOut("trainer.enable_router_replay", "experts are chosen as the sampler chose them", ()),
    LeftOut.optimiser("*optim.* trainer.scheduler.* max_steps *.max_steps"),
)
ASIDES = (
    Aside("only algorithms that are refused have it", _ALGO + "* orchestrator.teacher* *.import_path *.kwargs"),
    Aside("how the trainer evaluates", "orchestrator.eval* bench *.bench*"),
    Aside(
        "what is logged, and where",
        "*log.* *wandb* *monitor* *heartbeat* *metrics* *trace_path *memory_profiler_path *enable_token_export",
    ),
    Aside("what is saved and resumed", "*ckpt* *output_dir"),
    Aside(
        "which prompts come, and how long they may be",
        "orchestrator.train.* orchestrator.batch_size orchestrator.token_batch_size *seq_len trainer.data.* "
        "orchestrator.oversampling_factor orchestrator.pool_size orchestrator.env* orchestrator.tasks_per_minute "
        "orchestrator.max_inflight_* orchestrator.num_train_workers",
    ),
    Aside(
        "which parameters there are and move: the theory is about probabilities",
        "model.* trainer.model.* orchestrator.model.* orchestrator.student.* *tokenizer* orchestrator.renderer*",
    ),
    Aside("the engine that samples", "inference*"),
    Aside(
        "where and how it runs",
        "deployment* slurm* *rollout_transport* *weight_broadcast* *env_vars clean_output_dir dry_run "
        "trainer.dist_timeout_seconds trainer.gc* trainer.matmul_precision trainer.max_concurrent_runs",
    ),
)


def _setting_of(options: Options) -> st.Setting:
    _check_algorithm(options)
    _check_loss(options)
    dropped = _drops_equal_groups(options)
    if dropped:
        options.note(
            "Groups without signal are dropped from a batch that is full: the mean is over what is kept.",
            "tr-kept-share",
        )
    weight = options.number(_LOSS + "adv_tau")
    by_length = options.flag(_ADVANTAGE + "length_weighted_baseline")
    names = (_LOSS + "dppo_mask_low", _LOSS + "dppo_mask_high")
    if options.word(_LOSS + "type") == "ipo":
        options.ignored("the loss is ipo", *names)
    else:
        options.ignored("the loss is default", _LOSS + "ipo_threshold")
    return st.Setting(
        advantages=st.Advantages(
            baseline=st.Baseline.LENGTH_WEIGHTED if by_length else st.Baseline.GROUP_MEAN,
            scale=None,
            reward_weights=() if weight == 1 else (weight,),
        ),
        group_size=options.group_size("orchestrator.group_size"),
        penalty=None,
        denominator=st.Denominator.SAMPLER,
        clip=st.NoClip(),
        aggregation=st.Aggregation(st.Over.BATCH_TOKENS),
        dynamic_sampling=dropped,
    )


def _drops_equal_groups(options: Options) -> bool:
    """Whether a filter of zero advantages is on, as it is by default."""
    given = [options.raw(f"orchestrator.{when}_batch_filters") for when in ("pre", "post")]
    listed = [entry for filters in given if isinstance(filters, list) for entry in filters]
    on = [e for e in listed if isinstance(e, Mapping) and e.get("type") == "zero_advantage" and e.get("enforce", True)]
    return bool(on) or given[1] is None


def _check_algorithm(options: Options) -> None:
    for where in ("orchestrator.train.source", "orchestrator.train.env"):
        entries = options.raw(where)
        for entry in entries if isinstance(entries, list) else []:
            own = {"algo", "advantage", "group_size"} & entry.keys() if isinstance(entry, Mapping) else set[str]()
            if own:
                raise BadInput(f"an entry of {where} has its own {min(own)}: one for all is described here")
    kind = options.word(_ALGO + "type")
    if kind != "grpo":
        raise BadInput(f"{_ALGO}type {kind} is not modelled: {_ALGORITHMS[kind]}")
    mode = options.word("orchestrator.training_mode")
    if mode != "rl":
        raise BadInput(f"orchestrator.training_mode {mode} is not modelled: {_ALGORITHMS[mode]}")
    if options.word(_ADVANTAGE + "type") == "custom":
        raise BadInput(f"{_ADVANTAGE}type custom puts a function of its own in the place of the advantages")


def _check_loss(options: Options) -> None:
    kind = options.word(_LOSS + "type")
    if kind == "custom":
        raise BadInput(f"{_LOSS}type custom puts a function of its own in the place of the loss: that is not modelled")
    masks = ("ipo_threshold",) if kind == "ipo" else ("dppo_mask_low", "dppo_mask_high")
    bind = [name for name in masks if options.number(_LOSS + name) < 1]  # probabilities differ by less than 1
    if bind:
        values = ", ".join(f"{name} = {options.number(_LOSS + name):g}" for name in bind)
        raise BadInput(
            f"{_LOSS}* masks tokens by how their probability differs from the sampler's ({values}): not modelled"
        )
    if options.number(_LOSS + "kl_tau") != 0:
        raise BadInput(f"{_LOSS}kl_tau charges the square of the log ratio to the sampler: not modelled; expected 0")


TRAINER = Trainer(
    releases_of("prime-rl", "prime-rl"), TABLE, ASIDES, LEFT_OUT, _setting_of, NAMES, nested=True, mark="orchestrator"
)
