"""Figures on the SWAP test, and attacks that refute a claimed ε."""
