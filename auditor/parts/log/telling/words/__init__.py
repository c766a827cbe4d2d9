"""Sentences on the deletion log."""
