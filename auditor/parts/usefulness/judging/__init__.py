"""Judges of the checks on what unlearning costs in accuracy and time, and audits of answers alone: pure, one file a check."""
