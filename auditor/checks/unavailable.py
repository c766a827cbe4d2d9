"""Checks of the contract that this version does not run, each with the reason."""

from __future__ import annotations

from auditor.case import Case
from auditor.case.learning import Foreign
from auditor.checks.findings import Findings, skipped

_NOT_YET = "This version has no {what}."
_REASONS = {
    "inference.example": _NOT_YET.format(what="deletion inference attack"),
    "inference.instance": _NOT_YET.format(what="deletion inference attack"),
    "reconstruction.label": _NOT_YET.format(what="reconstruction attack"),
    "reconstruction.instance": _NOT_YET.format(what="reconstruction attack"),
    "reconstruction.sentence": "Does not apply: the model does not learn from text.",
    "state.stateless": _NOT_YET.format(what="test of what is carried between updates"),
    "state.history_independent": _NOT_YET.format(what="test of history independence"),
}


def judge(case: Case) -> Findings:
    """List what was not run."""
    procedure = case.settings.procedure
    deletion = (
        _NOT_YET.format(what="certificate of data deletion for a controller's own code")
        if isinstance(procedure, Foreign)
        else f'Does not apply: [procedure] use = "{procedure.use}" is not noisy gradient descent.'
    )
    reasons = {**_REASONS, "deletion.renyi": deletion, "deletion.adaptive": deletion}
    return Findings(tuple(skipped(check_id, reason) for check_id, reason in reasons.items()))
