"""Figures on certified removal."""
