"""What trainers run: whole texts, no penalty, aggregations, normalisers, clips, samplers. One result a file."""

TITLE = "What trainers run"
AUTHORS = "grpo_symbolic"
YEAR = 2026
# Whole texts; no penalty; what the loss says; ratios, clips and samplers; deviations, pass@k and kept groups.
RESULTS = (
    "whole_texts",
    "flow_without_kl",
    "equal_answers",
    "loss_and_length",
    "text_ratios",
    "two_sided_clips",
    "sampler_mismatch",
    "guarded_sample_deviation",
    "default_points",
    "difficulty_weights",
    "kept_groups",
)
