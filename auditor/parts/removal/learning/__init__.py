"""Procedures for certified removal."""
