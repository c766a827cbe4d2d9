"""Figures on data deletion."""
