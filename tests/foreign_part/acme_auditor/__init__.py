"""A part of a third party: how long requests wait."""
