"""What the papers leave open: every group size, normaliser and divergence. Results of this project, one a file."""

TITLE = "One theory: every group size, normaliser and divergence"
AUTHORS = "grpo_symbolic"
YEAR = 2026
# The equations in common, without claims; any group size; maximum or not; many answers; where learning goes; noise;
# normalisers; divergences; clipping.
RESULTS = (
    "any_group",
    "group_size_gap",
    "stationary_any_group",
    "rare_success",
    "maximum_or_saddle",
    "local_maximum",
    "global_maximum",
    "global_many_answers",
    "boundary_policies",
    "many_answers_invariants",
    "many_answers_existence",
    "many_answers_uniqueness",
    "alignment_objective",
    "many_answers_levels",
    "many_answers_large_groups",
    "many_answers_counterexample",
    "many_answers_flows",
    "flows",
    "best_response",
    "best_response_everywhere",
    "best_response_cycles",
    "recursion_shape",
    "order_of_prompts",
    "noisy_verifiers",
    "noisy_many_answers",
    "normalisers",
    "normaliser_guards",
    "normaliser_direct_kl",
    "divergence_estimators",
    "divergence_curvature",
    "divergence_in_reward",
    "divergence_sequences",
    "several_epochs",
    "clipping_stationary",
)
