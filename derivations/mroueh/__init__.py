"""Mroueh (2025), "Reinforcement Learning with Verifiable Rewards: GRPO's Effective Loss, Dynamics, and Success
Amplification", one result a file, in the order of the paper."""

TITLE = "Reinforcement Learning with Verifiable Rewards: GRPO's Effective Loss, Dynamics, and Success Amplification"
AUTHORS = "Youssef Mroueh"
YEAR = 2025
ARXIV = "2503.06639"

RESULTS = (
    "critic_baseline",
    "verifiable_advantage",
    "smoothed_advantage",
    "clipped_outputs",
    "contrastive_loss",
    "thm1_policy",
    "thm2_recursion",
    "countable_answers",
    "prop1_map",
    "thm3_amplification",
    "thm3_proof",
    "lem3_lem4",
    "thm4_local_convergence",
    "dynamics",
    "cycle_range",
    "upper_fold",
    "every_start",
    "gap_turns",
    "thm5_total_variation",
    "thm5_parametric",
    "thm5_constant_errors",
)
