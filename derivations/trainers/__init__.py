"""What trainers run: whole texts, no penalty, their aggregations, normalisers, clips and samplers. One result a file."""

TITLE = "What trainers run"
AUTHORS = "grpo_symbolic"
YEAR = 2026
# Whole texts; no penalty; what the loss says; lengths; ratios and clips; groups.
RESULTS = ("whole_texts",)
