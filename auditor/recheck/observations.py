"""Holds what is taken as observed against the log, the case and itself: numbers that no run of this case can have seen."""

from __future__ import annotations

from collections.abc import Mapping

from auditor.document.evidence import Evidence
from auditor.recheck.outcome import Part, part
from auditor.verdict.checks import definitions
from auditor.verdict.checks.finding import Values


def recheck_observations(evidence: Evidence, observed: Mapping[str, Values]) -> Part:
    """Compare every observation with what was declared, and with the others that saw the same.

    Args:
        evidence: The document.
        observed: What it says was observed, by check id.
    """
    known = definitions(evidence.version)
    return part(
        "observations",
        [
            (f"observed {check_id}", known[check_id].contradictions(evidence, seen, observed))
            for check_id, seen in observed.items()
        ],
    )
