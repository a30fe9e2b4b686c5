"""Vojnovic & Yun (2025), "What is the Alignment Objective of GRPO?", one result a file, in the order of the paper."""

TITLE = "What is the Alignment Objective of GRPO?"
AUTHORS = "Milan Vojnovic and Se-Young Yun"
YEAR = 2025

RESULTS = (
    "eq14_binary_pairs",
)
