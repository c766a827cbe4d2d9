"""Judges of the checks on what is kept: pure, one file a check."""
