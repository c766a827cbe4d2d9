"""What follows from a short backlog."""

from __future__ import annotations

from auditor.verdict.theorems import Theorem

THEOREMS = (Theorem("acme-timely", "Acme 2026, Theorem 1", ("acme-backlog-short", "log-consistent")),)
