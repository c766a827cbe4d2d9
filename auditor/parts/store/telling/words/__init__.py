"""Sentences on what is kept."""
