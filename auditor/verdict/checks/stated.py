"""What observations of any check are compared with: the batches, records, parameters and requests that the document states.

Each yields a sentence for what no run of the case can have observed.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from auditor.document.evidence import Evidence


def batches(evidence: Evidence, batches: int) -> Iterator[str]:
    """Compare a number of batches with the log's."""
    if batches != evidence.deletion_log.batches:
        yield f"batches are {batches}, the log has {evidence.deletion_log.batches}"


def removed(evidence: Evidence, removed: int) -> Iterator[str]:
    """Compare a number of removed records with what the case lost."""
    gone = evidence.case.training_records - evidence.case.records_left
    if removed != gone:
        yield f"{removed} records were removed, by the log {gone}"


def parameters(evidence: Evidence, parameters: int | None) -> Iterator[str]:
    """Compare a number of parameters with the model's."""
    if None not in {parameters, evidence.case.parameters} and parameters != evidence.case.parameters:
        yield f"the rerun has {parameters} parameters, the model has {evidence.case.parameters}"


def executed(evidence: Evidence, request_ids: Iterable[str]) -> Iterator[str]:
    """Find requests that the log does not record as executed."""
    known = {each.request_id for each in evidence.requests if each.status == "executed"}
    foreign = sorted(set(request_ids) - known)
    if foreign:
        yield f"{', '.join(foreign[:3])} is no request that was executed"


def named(evidence: Evidence, of_one_person: int) -> Iterator[str]:
    """Compare the most records of one person with what one executed request names."""
    named = max((each.records for each in evidence.requests if each.status == "executed"), default=0)
    if of_one_person < named:
        yield f"records of one person are {of_one_person} at most, one executed request alone names {named}"
