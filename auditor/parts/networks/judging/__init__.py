"""Judges of the checks on neural networks: pure, one file a check."""
