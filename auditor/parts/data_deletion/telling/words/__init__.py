"""Sentences on data deletion."""
