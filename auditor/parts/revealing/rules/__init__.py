"""Closed forms on what a deletion reveals, which `calc` and judges share."""
