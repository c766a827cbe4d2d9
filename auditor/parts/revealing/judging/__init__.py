"""Judges of the checks on what a deletion reveals: pure, one file a check."""
