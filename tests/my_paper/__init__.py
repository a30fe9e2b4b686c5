"""A paper of one's own: a folder with one result file, as a user would write it (``grpo-symbolic verify my_paper``)."""

TITLE = "Rewards of a coin"
