"""Certified removal: residuals, their budget, noise at release, extractors."""
