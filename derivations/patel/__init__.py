"""Patel (2025), "Understanding Reinforcement Learning for Model Training, and future directions with GRAPE"."""

TITLE = "Understanding Reinforcement Learning for Model Training, and future directions with GRAPE"
AUTHORS = "Rohit Patel"
YEAR = 2025
ARXIV = "2509.04501"
# In the order of the paper, the appendix before what rests on it; trees.py holds the token trees and no claims.
RESULTS = (
    "trees",
    "likelihood_appendix",
    "entropy",
    "kl_divergence",
    "importance_sampling",
    "likelihood",
    "preference_data",
    "reinforce",
    "value_advantage",
    "reward_model",
    "ratio_loss",
    "model_collapse",
    "trust_region",
    "ppo_clip",
    "clip_improvement",
    "kl_in_reward",
    "group_advantage",
    "drawn_samples",
    "dpo_equivalence",
    "dpo",
    "dpo_graphs",
    "grape_reward",
    "eq17_sequence_clip",
    "lemma81_variance",
    "batch_confidences",
    "confidence_weighting",
    "algorithms_table",
)
