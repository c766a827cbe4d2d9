"""What an audit adds to the one before it: new requests, those that stand as they did, and what has expired meanwhile."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import date
from enum import StrEnum

from auditor.base.deletion_log.requests import StorageState
from auditor.document.context import Superseded
from auditor.document.evidence import Evidence
from auditor.document.retention import kept_until
from auditor.recheck.comparison.checks import said
from auditor.recheck.comparison.rows import Amended, Key, amended, compares_marks, key_of, requests_only_in
from auditor.verdict.request_status import chains


class Lapse(StrEnum):
    """What has expired."""

    DEADLINE = "deadline"
    """A request that was open is still open, and its deadline has passed."""
    OUTSIDE = "outside"
    """A declared place should hold none of the erased records any more."""
    LINEAGE = "lineage"
    """Something made from the model was settled by its dates and is not any more: records were deleted since."""
    ATTESTATION = "attestation"
    """A statement was made before the earlier audit, about another release than the one that it is used for now."""
    RECORDS = "records"
    """The day up to which the records of the earlier audit are kept."""


@dataclass(frozen=True, slots=True)
class Expired:
    """One thing that has expired since the earlier audit."""

    what: Lapse
    name: str
    """Of the request, the place, the thing or the statement; empty for records."""
    day: date
    """On which it expired, or was attested; of a thing the day of this audit."""


@dataclass(frozen=True, slots=True)
class Since:
    """What is new, what stands, and what has expired."""

    earlier: date
    """The day on which the earlier audit ended."""
    release: str | None
    """The release that it was about."""
    new: tuple[str, ...]
    """Requests that its log did not have; several rows with one id are named as often."""
    missing: tuple[str, ...]
    """Requests that its log had and this one has not."""
    stand: tuple[str, ...]
    """Requests that were examined again and hold as they did, of which the log says what it said."""
    changed: tuple[str, ...]
    """Requests that hold otherwise, better or worse, or of which the log says something else."""
    otherwise: tuple[str, ...]
    """Those of them that hold otherwise."""
    rows: tuple[Amended, ...]
    """Those of which the log says something else."""
    whole: bool
    """Whether every column of their rows could be compared: not where one of the audits does not say how, and inputs changed."""
    expired: tuple[Expired, ...]


def since(old: Evidence, new: Evidence) -> Since:
    """Compare an audit with the one before it, request by request and day by day.

    Args:
        old: The earlier audit of the case.
        new: This one.
    """
    before, after = Counter(map(key_of, old.requests)), Counter(map(key_of, new.requests))
    was, now = _standings(old), _standings(new)
    # Rows that cannot be told apart stand for nothing.
    both = [key for key in after if before[key] == after[key] == 1]
    rows = amended(old, new)
    moved = {key for key in both if was[key] != now[key]}
    changed = moved | {each.key for each in rows}
    return Since(
        earlier=old.audit.finished_at.date(),
        release=old.case.release,
        new=requests_only_in(new, old),
        missing=requests_only_in(old, new),
        stand=_named(key for key in both if key not in changed),
        changed=_named(key for key in both if key in changed),
        otherwise=_named(key for key in both if key in moved),
        rows=rows,
        whole=compares_marks(old, new) or old.case.digest == new.case.digest or not both,
        expired=tuple(_expired(old, new)),
    )


def _named(keys: Iterable[Key]) -> tuple[str, ...]:
    return tuple(name for name, _ in keys)


def _standings(evidence: Evidence) -> dict[Key, tuple[str, StorageState | None]]:
    """What holds of each request; also that its data were not overwritten by the log, or that nobody knows."""
    incomplete = {StorageState.LOGICAL, StorageState.UNKNOWN}
    return {
        key_of(request): (said(chain), request.storage_state if request.storage_state in incomplete else None)
        for request, chain in zip(evidence.requests, chains(evidence), strict=True)
    }


def _expired(old: Evidence, new: Evidence) -> Iterator[Expired]:
    then, today = old.audit.finished_at.date(), new.audit.finished_at.date()
    open_before = {key_of(each) for each in old.requests if each.status == "open"}
    for request in new.requests:
        if request.status == "open" and key_of(request) in open_before and then <= request.due_on < today:
            yield Expired(Lapse.DEADLINE, request.request_id, request.due_on)
    for place in new.outside:
        if place.until is not None and then <= place.until < today:
            yield Expired(Lapse.OUTSIDE, place.name, place.until)
    settled = {each.name for each in old.lineage if not each.descent.open}
    yield from (Expired(Lapse.LINEAGE, each.name, today) for each in new.lineage if each.descent.open and each.name in settled)
    if superseded(old, new) is not None:
        yield from (Expired(Lapse.ATTESTATION, each.name, each.at) for each in new.policy.attested)
    kept = kept_until(old.case.keep_until, old.audit.finished_at)
    if kept < today:
        yield Expired(Lapse.RECORDS, "", kept)


def superseded(old: Evidence, new: Evidence) -> Superseded | None:
    """Name the audit of another release for which everything was attested; None where it was so for this one, or nothing is.

    What the earlier audit knew of this goes on until it is attested again.
    """
    if not new.policy.attested:
        return None
    at, then = new.policy.attested[0].at, old.audit.finished_at.date()
    # On the day of that audit it may have been attested for it, or after it.
    before_then = at < then or (at == then and any(each.at == at for each in old.policy.attested))
    if old.case.release != new.case.release and before_then:
        return Superseded(release=old.case.release, audited=then)
    known = old.audit.attested_before
    goes_on = known is not None and any(each.at == at for each in old.policy.attested) and known.release != new.case.release
    return known if goes_on else None


def with_superseded(old: Evidence | None, new: Evidence) -> Evidence:
    """Write into an audit what the one before it says of its attestations."""
    found = None if old is None else superseded(old, new)
    return new if found is None else new.model_copy(update={"audit": new.audit.model_copy(update={"attested_before": found})})
