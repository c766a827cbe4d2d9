"""Closed forms on data deletion, which `calc` and judges share."""
