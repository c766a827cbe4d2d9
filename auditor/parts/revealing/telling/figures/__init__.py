"""Figures on what a deletion reveals."""
