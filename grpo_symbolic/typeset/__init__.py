"""LaTeX as it is shown: broken into lines, split into words and formulas, and as a line of plain text."""
