"""Closed forms on whole programs, which `calc` and judges share."""
