"""Judges of the checks on the model about to be released: pure, one file a check."""
