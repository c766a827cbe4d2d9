"""Sentences on the model about to be released."""
