"""Judges of the checks on whole programs: pure, one file a check."""
