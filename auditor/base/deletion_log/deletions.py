"""The deletion log: which requests were carried out and when, what contradicts itself, and which are late.

What is in the log is the controller's word. A row that contradicts itself, the training data or another row is a
finding with its row number, and nothing is dropped without one. Wherever two readings are possible, the one that is
stricter with the controller is taken.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, tzinfo
from typing import Final

from auditor.base.deletion_log import log_times
from auditor.base.deletion_log.deadlines import answers_recorded, dated, denies_erasure, records_answer
from auditor.base.deletion_log.look_alikes import Form, How, Likeness, look_alike_pairs, look_alikes
from auditor.base.deletion_log.requests import Batch, Link, LogFinding, Request, RequestOutcome
from auditor.base.deletion_log.rewritten import Rewriting

NOT_LOCATED = "NOT_LOCATED"
NO_MATCH_BUT_KNOWN = "NO_MATCH_BUT_KNOWN"
DELETED_TWICE = "DELETED_TWICE"
DUPLICATE_RECORD = "DUPLICATE_RECORD"
DUPLICATE_REQUEST = "DUPLICATE_REQUEST"
EXECUTED_BEFORE_RECEIVED = "EXECUTED_BEFORE_RECEIVED"
EXECUTED_IN_FUTURE = "EXECUTED_IN_FUTURE"
EXECUTED_WITHOUT_TIME = "EXECUTED_WITHOUT_TIME"
STATUS_CONTRADICTED = "STATUS_CONTRADICTED"
BATCHES_OVERLAP = "BATCHES_OVERLAP"
LOOKS_LIKE_KNOWN = "LOOKS_LIKE_KNOWN"
MAY_BE_KNOWN = "MAY_BE_KNOWN"
LOOKS_LIKE_RETAINED = "LOOKS_LIKE_RETAINED"
NEAR_MATCH_EXPLAINED = "NEAR_MATCH_EXPLAINED"
ALIKE_BY_CHANCE = "ALIKE_BY_CHANCE"
RECEIVED_IN_FUTURE = "RECEIVED_IN_FUTURE"
DUE_BEFORE_RECEIVED = "DUE_BEFORE_RECEIVED"
AMENDED = "AMENDED"
CHAIN_CHANGED = "CHAIN_CHANGED"
CHAIN_TORN = "CHAIN_TORN"
CHAIN_MISSING = "CHAIN_MISSING"

OPEN: Final = frozenset({MAY_BE_KNOWN, LOOKS_LIKE_RETAINED})
"""Findings that are no contradiction, and that leave open whose records were meant."""
LOOK_ALIKES: Final = OPEN | {LOOKS_LIKE_KNOWN}
"""Findings that near_match can answer."""
EXPLAINED: Final = frozenset({NEAR_MATCH_EXPLAINED})
"""Findings that the log answers by its own word: listed, and no problem."""
COUNTED: Final = frozenset({ALIKE_BY_CHANCE})
"""Findings that say nothing one by one: counted, and no problem."""
NOTED: Final = frozenset({AMENDED})
"""What a later row replaced: listed, so that the earlier word stays visible, and no problem."""
HARMLESS: Final = COUNTED | NOTED
"""Findings that are no problem, and that need nobody's word."""

_NOT_EXECUTED = {"open", "in_progress", "denied", "revoked"}
_SHOWN = 5
_OF_CHAIN: Final = {
    Link.CHANGED: (CHAIN_CHANGED, "its entry_hash is not the hash of what the row holds"),
    Link.TORN: (CHAIN_TORN, "its prev_hash is not the entry_hash of the row before it"),
    Link.MISSING: (CHAIN_MISSING, "it has no entry_hash, and other rows have one"),
}
_IN_FORM: Final[Mapping[How, str]] = {
    Form.PLAIN: "characters that do not show",
    Form.CASE: "upper and lower case",
    Form.LOOK: "characters that look alike",
    Rewriting.ENCODED: "an encoding",
    Rewriting.DIGESTED: "a digest without a key",
    Rewriting.JOINED: "what it is joined with",
    Rewriting.SEPARATORS: "signs between its parts",
    Rewriting.PREFIX: "what is put before it",
    Rewriting.WITHIN: "what stands around it",
    Rewriting.ORDER: "the order of its words",
    Rewriting.LETTERS: "marks on letters",
    Rewriting.TAGGED: "a tag in an address",
    Rewriting.PADDED: "zeros around a number",
    Rewriting.NUMBER: "all but its number",
    Rewriting.SWAPPED: "two digits that are swapped",
}
_OF_UNKNOWN: Final = {
    Likeness.SAME: (LOOKS_LIKE_KNOWN, "is written the same but for "),
    Likeness.DOUBTFUL: (MAY_BE_KNOWN, "may be the same: they differ by "),
    Likeness.NEAR: (MAY_BE_KNOWN, "differs by one letter or sign"),
    Likeness.CHANCE: (ALIKE_BY_CHANCE, "differs as many do that are there: by "),
}


def replayable(requests: Sequence[Request], known_ids: Collection[str]) -> tuple[Batch, ...]:
    """The batches to replay, in the order in which they were carried out.

    Requests with the same `batch` value belong together, any other is a batch by itself. A batch counts as carried out at
    the latest `executed_at` in it; ties go by row. What counts is that there is an `executed_at`, whatever the status
    says: a contradiction is a finding, and replaying the deletion is the strict side. Open requests are not replayed;
    records that are unknown or already deleted are left out, requests that name no known record as well, and
    batches that have no record left.

    Args:
        requests: The log, in its order.
        known_ids: Ids of the training records.
    """
    known = frozenset(known_ids)
    batches: list[Batch] = []
    deleted: set[str] = set()
    for group in _batches(requests):
        located = [request for request in group if any(record in known for record in request.record_ids)]
        named = dict.fromkeys(record for request in located for record in request.record_ids)
        records = tuple(record for record in named if record in known and record not in deleted)
        if records:
            deleted.update(records)
            name = group[0].request_id if group[0].batch is None else group[0].batch
            ids, rows = tuple(each.request_id for each in located), tuple(each.row for each in located)
            batches.append(Batch(name, ids, records, _finished(group), rows))
    return tuple(batches)


def chain_head(requests: Sequence[Request]) -> str | None:
    """The last hash of a log whose whole chain holds; None where it does not, or where there is none."""
    rows = [(each.row, each.link, each.entry_hash) for each in requests]
    rows += [(each.row, each.link, each.entry_hash) for request in requests for each in request.amendments]
    holds = bool(rows) and all(link is Link.INTACT for _, link, _ in rows)
    return max(rows, key=lambda row: row[0])[2] if holds else None


def most_seen(requests: Sequence[Request], known_ids: Collection[str]) -> int | None:
    """The most released models that one request had seen; None where no row says any and nothing was carried out.

    A request that was carried out and does not say counts for every model that was published before it: the first one, and one
    after each batch before its own.

    Args:
        requests: The log, in its order.
        known_ids: Ids of the training records.
    """
    told = {request.row: request.seen_releases for request in requests}
    published = {row: number for number, batch in enumerate(replayable(requests, known_ids), start=1) for row in batch.rows}
    unsaid = [number for row, number in published.items() if told[row] is None]
    return max((*unsaid, *(seen for seen in told.values() if seen is not None)), default=None)


def _batches(requests: Iterable[Request]) -> list[list[Request]]:
    groups: dict[tuple[str | None, int], list[Request]] = {}
    for request in requests:
        if request.executed_at is not None:
            key = (request.batch, 0) if request.batch is not None else (None, request.row)
            groups.setdefault(key, []).append(request)
    return sorted(groups.values(), key=lambda group: (_finished(group), group[0].row))


def _finished(group: list[Request]) -> datetime:
    return max(request.executed_at for request in group if request.executed_at is not None)


def findings(
    requests: Sequence[Request], known_ids: Collection[str], *, today: date | None = None, canaries: Sequence[Request] = ()
) -> tuple[LogFinding, ...]:
    """What can be read in the log but contradicts itself, by row.

    NOT_LOCATED: a record is not in the training data, and the row does not say `no_match`. NO_MATCH_BUT_KNOWN: it says so, yet
    the record was in the training data, and no other request had deleted it before this one came in. DELETED_TWICE: another
    executed request names the record too. DUPLICATE_RECORD, DUPLICATE_REQUEST: an id twice in a row, a request id on two rows
    that do not name two people: one ticket may have several. EXECUTED_BEFORE_RECEIVED. EXECUTED_IN_FUTURE: after `today` in UTC.
    RECEIVED_IN_FUTURE likewise. EXECUTED_WITHOUT_TIME: status executed, no `executed_at`. STATUS_CONTRADICTED: an erasure
    alongside a status that denies it; data may be erased of a request that is still open.
    DUE_BEFORE_RECEIVED: `due_on` lies before the receipt. Of further dates see `auditor.base.deletion_log.log_times`.
    AMENDED: a later row replaces what it said.
    CHAIN_CHANGED, CHAIN_TORN, CHAIN_MISSING: the hash chain does not hold at this row (`auditor.base.deletion_log.log_chain`).
    BATCHES_OVERLAP: rows of one batch were carried out before and after another batch, so that no order of the two is what the
    log says. Different times within one batch alone are no contradiction: a batch takes its time.

    Of ids that are written differently and look the same (`auditor.base.deletion_log.look_alikes`): LOOKS_LIKE_KNOWN, an id that
    the training data do not hold looks like one that they hold. MAY_BE_KNOWN: it is one edit away from it, or looks like it only
    in a form in which some of the training records' own ids are the same, or has the same number in another notation
    (`auditor.base.deletion_log.rewritten`). ALIKE_BY_CHANCE: it does so in a notation in which many of their ids are alike.
    LOOKS_LIKE_RETAINED: the id of a deleted record looks like that of one that remains. NEAR_MATCH_EXPLAINED: the same, and the
    row says in `near_match` why they are two. No message names a record that the row does not name, nor repeats what `near_match`
    says.

    Args:
        requests: The log, in its order.
        known_ids: Ids of the training records.
        today: The day of the audit; None to look at no future.
        canaries: Rows of planted records: nothing of them is compared but their place in the chain.
    """
    known = frozenset(known_ids)
    deletions = _deletions(requests)
    alike = _alike(requests, known, deletions)
    found: list[LogFinding] = []
    for request, same in zip(requests, repeated(requests), strict=True):
        said = [*_about_records(request, known, deletions), *_about_look_alikes(request, alike), *_about_times(request, today)]
        if same is not None:
            said.append((DUPLICATE_REQUEST, f"the same request id is in row {requests[same].row}"))
        if request.link in _OF_CHAIN:
            said.append(_OF_CHAIN[request.link])
        said.extend(_about_amendments(request))
        found.extend(LogFinding(request.row, code, f"{_named(request)}: {text}") for code, text in said)
    found.extend(_overlaps(requests))
    broken = ((each, *_OF_CHAIN[each.link]) for each in canaries if each.link in _OF_CHAIN)
    found.extend(LogFinding(each.row, code, f"{_named(each)}: {text}") for each, code, text in broken)
    return tuple(sorted(found, key=lambda finding: finding.row))


def repeated(requests: Iterable[Request | RequestOutcome]) -> Iterator[int | None]:
    """Give for each request the place of the first before it that has its id, unless the two name two people; or None."""
    first: dict[str, int] = {}
    first_of: dict[tuple[str, str | None], int] = {}
    for place, each in enumerate(requests):
        named, unnamed = (each.request_id, each.subject), (each.request_id, None)
        if each.subject is None:
            yield first.get(each.request_id)
        else:
            yield min((first_of[key] for key in (named, unnamed) if key in first_of), default=None)
        first.setdefault(each.request_id, place)
        first_of.setdefault(named, place)


def people(named: Sequence[Request], requests: Sequence[Request]) -> tuple[str | None, ...]:
    """Say whose some requests are; nothing where every request id of the log is on one row, which says it."""
    if len({request.request_id for request in requests}) == len(requests):
        return ()
    return tuple(request.subject for request in named)


def _named(request: Request) -> str:
    return f"request {request.request_id} (row {request.row})"


def _listed(records: Sequence[str]) -> str:
    more = f" and {len(records) - _SHOWN} more" if len(records) > _SHOWN else ""
    return ("record " if len(records) == 1 else "records ") + ", ".join(records[:_SHOWN]) + more


def _deletions(requests: Iterable[Request]) -> dict[str, list[Request]]:
    deletions: dict[str, list[Request]] = {}
    for request in requests:
        if request.executed_at is not None:
            for record in dict.fromkeys(request.record_ids):
                deletions.setdefault(record, []).append(request)
    return deletions


def _about_records(request: Request, known: frozenset[str], deletions: dict[str, list[Request]]) -> list[tuple[str, str]]:
    records = list(dict.fromkeys(request.record_ids))
    located = [record for record in records if record in known]
    said: list[tuple[str, str]] = []
    if len(records) < len(request.record_ids):
        twice = [record for record, count in Counter(request.record_ids).items() if count > 1]
        said.append((DUPLICATE_RECORD, f"{_listed(twice)} named more than once"))
    if request.status == "no_match":
        if there := [record for record in located if not _gone_before(record, request, deletions)]:
            said.append((NO_MATCH_BUT_KNOWN, f"status no_match, but {_listed(there)} in the training data"))
    elif len(located) < len(records):
        missing = [record for record in records if record not in known]
        said.append((NOT_LOCATED, f"{_listed(missing)} not in the training data"))
    return said + _about_earlier_deletions(request, located, deletions)


def _about_earlier_deletions(
    request: Request, located: Sequence[str], deletions: dict[str, list[Request]]
) -> list[tuple[str, str]]:
    """Of the rows that delete the same record all but the first in the log say so, and name that first one."""
    if request.executed_at is None:
        return []
    again = [record for record in located if deletions[record][0].row != request.row]
    return [(DELETED_TWICE, f"{_listed(again)} deleted by {_named(deletions[again[0]][0])} too")] if again else []


def _gone_before(record: str, request: Request, deletions: Mapping[str, list[Request]]) -> bool:
    return request.executed_at is None and any(
        other.executed_at is not None and other.executed_at <= request.received_at for other in deletions.get(record, ())
    )


@dataclass(frozen=True, slots=True)
class _Alike:
    """What the ids of a log look like."""

    known: frozenset[str]
    deletions: Mapping[str, list[Request]]
    unknown: Mapping[str, Mapping[str, tuple[Likeness, How]]]
    """Ids that the training data do not hold, with the ones that they look like."""
    retained: Mapping[str, frozenset[Form]]
    """Deleted records' ids, with the forms in which they are those of records that remain."""


def _alike(requests: Sequence[Request], known: frozenset[str], deletions: Mapping[str, list[Request]]) -> _Alike:
    deleted = [record for record in deletions if record in known]
    pairs = look_alike_pairs(deleted, known)
    return _Alike(
        known,
        deletions,
        look_alikes((record for request in requests for record in request.record_ids), known),
        {each: frozenset(which for other, which in others.items() if other not in deletions) for each, others in pairs.items()},
    )


def _about_look_alikes(request: Request, alike: _Alike) -> list[tuple[str, str]]:
    """What the row's ids look like, one finding for each kind."""
    said = [*_about_unknown(request, alike), *_about_retained(request, alike)]
    if request.near_match is None:
        return said
    return [
        (code, text) if code in COUNTED else (NEAR_MATCH_EXPLAINED, f"{text}; near_match says why they are not the same")
        for code, text in said
    ]


def _about_unknown(request: Request, alike: _Alike) -> Iterator[tuple[str, str]]:
    """Ids that the training data do not hold, each by the closest of those that it looks like."""
    named = [record for record in dict.fromkeys(request.record_ids) if record in alike.unknown]
    if not named:
        return
    alike_by: dict[Likeness, list[str]] = {each: [] for each in Likeness}
    in_forms: dict[Likeness, set[How]] = {each: set() for each in Likeness}
    for record in named:
        found = [found for other, found in alike.unknown[record].items() if not _gone_before(other, request, alike.deletions)]
        if found:
            closest = min((likeness for likeness, _ in found), key=list(Likeness).index)
            alike_by[closest].append(record)
            in_forms[closest].update(which for likeness, which in found if likeness is closest and which is not None)
    for likeness, (code, words) in _OF_UNKNOWN.items():
        if records := alike_by[likeness]:
            yield code, f"{_some(records)} not in the training data, and one that is there {words}{_forms(in_forms[likeness])}"


def _about_retained(request: Request, alike: _Alike) -> Iterator[tuple[str, str]]:
    """Ids of deleted records that records that remain have in another spelling."""
    found = {record: alike.retained.get(record) for record in request.record_ids} if request.executed_at is not None else {}
    in_forms = {record: which for record, which in found.items() if which}
    if in_forms:
        words = _forms({which for those in in_forms.values() for which in those})
        yield (
            LOOKS_LIKE_RETAINED,
            f"{_some(in_forms)} deleted, and one of a record that remains is written the same but for {words}",
        )


def _forms(those: Collection[How]) -> str:
    return ", ".join(words for which, words in _IN_FORM.items() if which in those)


def _some(records: Collection[str]) -> str:
    """Ids are personal data, and two that look alike reveal another person: the row is named, they are not."""
    return "one of its ids is" if len(records) == 1 else f"{len(records)} of its ids are"


def _about_times(request: Request, today: date | None) -> list[tuple[str, str]]:
    said: list[tuple[str, str]] = []
    received, executed = request.received_at, request.executed_at
    if executed is None:
        if request.status == "executed":
            said.append((EXECUTED_WITHOUT_TIME, "status executed without executed_at; treated as open"))
    else:
        if executed < received:
            said.append((EXECUTED_BEFORE_RECEIVED, f"executed at {executed.isoformat()}, received at {received.isoformat()}"))
        if today is not None and executed.astimezone(UTC).date() > today:
            said.append((EXECUTED_IN_FUTURE, f"executed at {executed.isoformat()}, which lies after {today.isoformat()}"))
        if request.status in _NOT_EXECUTED:
            said.append((STATUS_CONTRADICTED, f"status {request.status}, but executed at {executed.isoformat()}"))
    status, data, model = request.status or "open", request.data_erased_at, request.model_erased_at
    if executed is None and status != "executed" and denies_erasure(status, data=data, model=model):
        erased = "model_erased_at" if data is None else "data_erased_at"
        said.append((STATUS_CONTRADICTED, f"status {status}, but something was erased: it has {erased}"))
    if today is not None and received.astimezone(UTC).date() > today:
        said.append((RECEIVED_IN_FUTURE, f"received at {received.isoformat()}, which lies after {today.isoformat()}"))
    said += log_times.contradictions(request, today)
    if request.due_on is not None and request.due_on < received.date():
        said.append((DUE_BEFORE_RECEIVED, f"due on {request.due_on.isoformat()}, received on {received.date().isoformat()}"))
    return said


def _about_amendments(request: Request) -> Iterator[tuple[str, str]]:
    """What later rows replaced, with the dates before and after, and where the chain breaks at one of them."""
    for each in request.amendments:
        if each.link in _OF_CHAIN:
            code, text = _OF_CHAIN[each.link]
            yield code, f"of row {each.row}, which amends it: {text}"
        if each.replaced:
            named = ", ".join(
                name if before is None and after is None else f"{name} ({before or 'nothing'}, now {after})"
                for name, before, after in each.replaced
            )
            yield AMENDED, f"row {each.row} replaces {named}"


def _overlaps(requests: Sequence[Request]) -> list[LogFinding]:
    """Batches that began before an earlier one was finished: no order of the two is what the log says."""
    found: list[LogFinding] = []
    before: list[Request] | None = None
    for group in _batches(requests):
        began = min(request.executed_at for request in group if request.executed_at is not None)
        if before is not None and began < _finished(before):
            first = group[0]
            other = before[0].request_id if before[0].batch is None else before[0].batch
            text = f"its batch began at {began.isoformat()}, before batch {other} was finished; the order is unclear"
            found.append(LogFinding(first.row, BATCHES_OVERLAP, f"{_named(first)}: {text}"))
        before = group
    return found


def outcomes(
    requests: Sequence[Request],
    known_ids: Collection[str],
    *,
    deadline_days: int | None,
    today: date,
    zone: tzinfo | None = None,
    holidays: Collection[date] = (),
) -> tuple[RequestOutcome, ...]:
    """What became of each request, in the order of the log, with no guarantees named yet.

    Dates are those of `zone`, or else of the offset of `received_at`; `auditor.base.deletion_log.deadlines` holds the rules.
    Denied and revoked requests ask for no deletion any more, so they do not run late on one; neither do those with status
    no_match, unless a record that they name is in the training data, which leaves them open. A request whose records were never
    found is not excused: its deadline runs as if it were open.

    Args:
        requests: The log, in its order.
        known_ids: Ids of the training records.
        deadline_days: Calendar days instead of the first period of the law.
        today: The day of the audit.
        zone: The calendar that counts; None for that of each receipt.
        holidays: Public holidays that the case declares.
    """
    known = frozenset(known_ids)
    deletions = _deletions(requests)
    finished = {request.row: at for group in _batches(requests) for at in (_finished(group),) for request in group}
    found = [_outcome(request, known, deletions, zone, finished.get(request.row)) for request in requests]
    recorded = answers_recorded(found)
    return tuple(
        dated(each, deadline_days=deadline_days, closing=today, informs=records_answer(each, recorded), holidays=holidays)
        for each in found
    )


def _outcome(
    request: Request,
    known: frozenset[str],
    deletions: dict[str, list[Request]],
    zone: tzinfo | None,
    finished: datetime | None,
) -> RequestOutcome:
    """A request as logged, its times in the calendar that counts; when it is due, and whether it is late, is left open.

    Of a batch that is carried out together nobody is gone before its last row: `finished` is when that was.
    """
    calendar = zone or request.received_at.tzinfo

    def there(moment: datetime | None) -> datetime | None:
        return None if moment is None else moment.astimezone(calendar)

    received_on = request.received_at.astimezone(calendar).date()
    located = [record for record in dict.fromkeys(request.record_ids) if record in known]
    status = _status(request, located, deletions)
    extension = request.extension
    return RequestOutcome(
        request_id=request.request_id,
        status=status,
        received_on=received_on,
        due_on=received_on,
        deleted_at=there(finished) if status == "executed" else None,
        days=None,
        overdue=False,
        records=len(located),
        guarantees=(),
        regime=request.regime,
        subject=request.subject,
        due_in_log=request.due_on,
        data_erased_at=there(request.data_erased_at),
        model_erased_at=there(request.model_erased_at),
        answered_at=there(request.answered_at),
        confirmed_at=there(request.confirmed_at),
        extension=extension and replace(extension, notified_at=there(extension.notified_at)),
        clock_pauses=tuple(
            replace(pause, paused_at=pause.paused_at.astimezone(calendar), resumed_at=there(pause.resumed_at))
            for pause in request.clock_pauses
        ),
        reason=request.reason,
        exception=request.exception,
        ground=request.ground,
        recipients_notified=request.recipients_notified,
        storage_state=request.storage_state,
        erasure_ground=request.erasure_ground,
        kept=request.kept,
        identity_check=request.identity_check,
        identity_checked_at=there(request.identity_checked_at),
        undertaking=request.undertaking,
        signatory=request.signatory,
        late_reason=request.late_reason,
        also_asked=request.also_asked,
    )


def _status(request: Request, located: list[str], deletions: dict[str, list[Request]]) -> str:
    if request.executed_at is not None and located:
        return "executed"
    if request.status in {"denied", "revoked"} and request.executed_at is None:
        return request.status
    if request.status == "no_match":
        return "no-match" if all(_gone_before(record, request, deletions) for record in located) else "open"
    return "open" if located else "not-located"
