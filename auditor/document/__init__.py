"""The evidence document: its models, its canonical form, and which version knows what."""
