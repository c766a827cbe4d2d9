"""Checks of the contract that this version does not run, each with the reason."""

from __future__ import annotations

from auditor.observing.findings import Findings, skipped

_NOT_YET = "This version has no {what}."
_REASONS = {
    "inference.example": _NOT_YET.format(what="deletion inference attack"),
    "inference.instance": _NOT_YET.format(what="deletion inference attack"),
    "reconstruction.label": _NOT_YET.format(what="reconstruction attack"),
    "reconstruction.instance": _NOT_YET.format(what="reconstruction attack"),
    "reconstruction.sentence": "Does not apply: the model does not learn from text.",
    "state.history_independent": _NOT_YET.format(what="test of history independence"),
}


def judge() -> Findings:
    """List what was not run."""
    return Findings(tuple(skipped(check_id, reason) for check_id, reason in _REASONS.items()))
