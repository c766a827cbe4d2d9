"""Judges of the checks on the deletion log: pure, one file a check."""
