"""The checks as a table of comma-separated values."""

from __future__ import annotations

from auditor.pages.taking_part import ExportFormat
from auditor.pages.words.rendered_evidence import Told


def write(told: Told) -> bytes:
    """One line a check."""
    return "".join(f"{check.id},{check.status.value}\n" for check in told.checks).encode()


FORMATS = (ExportFormat(name="acme-csv", file="report.acme.csv", write=write),)
