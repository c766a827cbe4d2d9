"""How many of the deleted records one person has."""

from __future__ import annotations

from auditor.audit.replay import Replay
from auditor.case import Case
from auditor.parts.data_deletion.judging.adaptive import Share


def largest_share(case: Case, replay: Replay) -> Share:
    """Of a subject, or of a request that names none: the most deleted records, and the most batches that they left with."""
    batch_of = {record: number for number, batch in enumerate(replay.batches) for record in batch.record_ids}
    owned: dict[tuple[bool, str], set[str]] = {}
    subjects = True
    for request in case.requests:
        if request.executed_at is not None:
            person = (True, request.subject) if request.subject is not None else (False, request.request_id)
            deleted = [record for record in request.record_ids if record in batch_of]
            owned.setdefault(person, set()).update(deleted)
            subjects = subjects and (person[0] or not deleted)
    records = max([1, *map(len, owned.values())])
    batches = max([1, *(len({batch_of[each] for each in records_of}) for records_of in owned.values())])
    return Share(records=records, batches=batches, subjects=subjects)
