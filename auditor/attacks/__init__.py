"""Adversaries. Each sees shadow data and what a release shows, and nothing of the records under test; none is here yet."""
