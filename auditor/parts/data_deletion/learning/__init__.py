"""Procedures for data deletion."""
