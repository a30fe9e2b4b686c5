"""Where two papers describe the same thing: claims that connect them."""

TITLE = "Bridges between the papers"
AUTHORS = "The grpo_symbolic developers"
YEAR = 2026

RESULTS = ("mroueh_vojnovic_yun",)
