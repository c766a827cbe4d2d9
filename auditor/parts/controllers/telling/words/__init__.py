"""Sentences on whole programs."""
