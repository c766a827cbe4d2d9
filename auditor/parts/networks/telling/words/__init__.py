"""Sentences on neural networks."""
