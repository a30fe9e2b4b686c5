"""Vojnovic & Yun (2025), "What is the Alignment Objective of GRPO?", one result a file, in the order of the paper."""

TITLE = "What is the Alignment Objective of GRPO?"
AUTHORS = "Milan Vojnovic and Se-Young Yun"
YEAR = 2025
ARXIV = "2502.18548"

RESULTS = (
    "setting",
    "clipping",
    "rlhf_nlhf",
    "eq6_reward_preference",
    "groups_of_two",
    "large_group_limit",
    "eq8_10_penalty_gradients",
    "eq11_stationarity",
    "eq12_13_special_groups",
    "eq16_pair_objective",
    "eq14_binary_pairs",
    "eq14_consequences",
    "eq18_19_derivation",
    "eq15_large_groups",
    "stationary_maximum",
    "direct_kl_pairs",
    "direct_kl_large_groups",
    "direct_kl_best_response",
    "shift_only",
)
