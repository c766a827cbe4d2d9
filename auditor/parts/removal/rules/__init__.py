"""Closed forms on certified removal, which `calc` and judges share."""
