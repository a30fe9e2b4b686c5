"""LaTeX as it is shown: broken into lines, taken apart into words and formulas, and as a line of plain text."""
