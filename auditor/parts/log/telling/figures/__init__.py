"""Figures on the deletion log."""
