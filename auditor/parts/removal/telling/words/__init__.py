"""Sentences on certified removal."""
