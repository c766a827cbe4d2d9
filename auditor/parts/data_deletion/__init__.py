"""Data deletion: noisy gradient descent, Rényi divergence, adaptive requests, statelessness."""
