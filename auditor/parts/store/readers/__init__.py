"""Readers of what companies keep: each takes one form apart to its last byte and loads nothing of it."""
