"""Sentences on what a deletion reveals."""
