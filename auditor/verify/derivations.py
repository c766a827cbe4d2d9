"""One evidence document: everything in it that follows from something else in it."""

from __future__ import annotations

from auditor.evidence import digest
from auditor.verify.arithmetic import recheck_certificates
from auditor.verify.form import recheck_form
from auditor.verify.logs import recheck_log
from auditor.verify.outcome import Kind, Rechecked
from auditor.verify.reading import Document
from auditor.verify.statuses import recheck_statuses
from auditor.verify.theorems import recheck_guarantees
from auditor.verify.verdicts import recheck_verdict


def recheck_evidence(document: Document, name: str) -> Rechecked:
    """Derive again whatever an evidence document says that follows from its own inputs.

    Args:
        document: The evidence.
        name: What the result calls the file.
    """
    evidence = document.evidence
    return Rechecked(
        name=name,
        kind=Kind.EVIDENCE,
        sha256=digest(document.content),
        parts=(
            recheck_form(document),
            recheck_certificates(evidence),
            recheck_statuses(evidence),
            recheck_log(evidence),
            recheck_guarantees(evidence),
            recheck_verdict(evidence),
        ),
        stated=_stated(document),
    )


def _stated(document: Document) -> tuple[str, ...]:
    """What has to be taken as it stands."""
    said = ["what was measured on data and models: the inputs of certificates, pair advantages, counts and times"]
    ids = {check.id: check for check in document.evidence.checks}
    consistency = ids.get("epsilon.consistency")
    rows = consistency.details.get("comparisons") if consistency is not None else None
    if isinstance(rows, list) and any(isinstance(row, dict) and row.get("source") == "certificate" for row in rows):
        said.append("the certified ε of the SWAP test's own removals: the bound that it comes from is not in the evidence")
    if "deletion.renyi" in ids and ids["deletion.renyi"].details:
        said.append(
            "the largest norm of a row, steps and noise as the rerun counted them, what rows of the log say of models seen, and "
            "how many records one person has"
        )
    if "swap.quality" in ids and ids["swap.quality"].value is not None:
        said.append("advantages of the retrained controls and AUCs, which decide nothing")
    if document.unknown:
        said.append(f"keys of a later minor version: {', '.join(document.unknown[:5])}")
    return tuple(said)
