"""Expressions to functions: straight-line programs in accurate forms, for arrays and balls."""
