"""The success recursion in bulk: its fixed points, and what it reaches."""
