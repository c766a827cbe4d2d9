"""An unlearning compliance auditor."""

__version__ = "0.2.0"
