"""Closed forms on the SWAP test, and attacks that refute a claimed ε, which `calc` and judges share."""
