"""Liu et al. (2025), "Understanding R1-Zero-Like Training: A Critical Perspective": Dr. GRPO, Sections 3.1, 3.2, App.
A.

The prints were read in a Markdown transcription of the paper's LaTeX (with its Appendix C, so not the first version).
"""

TITLE = "Understanding R1-Zero-Like Training: A Critical Perspective"
AUTHORS = "Zichen Liu, Changyu Chen, Wenjun Li, Penghui Qi, Tianyu Pang, Chao Du, Wee Sun Lee and Min Lin"
YEAR = 2025
ARXIV = "2503.20783"
# The appendix first, on which the sections rest.
RESULTS = ("policy_gradient", "group_mean", "length_bias", "difficulty_bias")
