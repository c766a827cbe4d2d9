"""The check of places."""
