"""An unlearning compliance auditor."""

__version__ = "0.1.0"
