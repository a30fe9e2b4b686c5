"""Stationary policies of many problems at once, on an array library, with gradients."""
