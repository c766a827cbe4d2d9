"""What one person's letter may say: a list of allowed facts, taken from the evidence for one request of one person.

The letter is made from an `Extract` alone, never from the evidence, and the same `Extract` is what it carries as `letter.json`.
Nothing enters that could name or single out another request, and no number that another person's request moves. Free texts of
checks, premises and the log's other rows stay out, and so do the verdict, counts, batches, row numbers and places: a verdict may
be what it is for somebody else's sake, a text of a check may list other requests, and a place may be called after one.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Final, Literal

from pydantic import ValidationError

from auditor.base.deletion_log import deletions, receipts
from auditor.base.deletion_log.deadlines import (
    LATE,
    PENDING,
    Confirmed,
    Timing,
    by_law_alone,
    confirm_by,
    confirmed,
    dated,
    denies_erasure,
    due,
    erased_on,
    in_doubt,
    rule,
    says_nothing,
    timing,
)
from auditor.base.deletion_log.requests import Awaited, ClockPause, Regime, RequestOutcome
from auditor.base.domain import Check, ClaimStatus, Problem, Status
from auditor.base.errors import InputError, ReportError
from auditor.base.kept_for_last import kept_for_last
from auditor.document.evidence import Evidence, digest
from auditor.pages import words
from auditor.pages.letters.parts import (
    SCHEMA,
    AuditPart,
    CasePart,
    DoubtKind,
    DoubtPart,
    Extract,
    Forgot,
    MadePart,
    ModelPart,
    Outcome,
    ReceiptPart,
    RequestPart,
    Search,
    SenderPart,
    WordPart,
)
from auditor.pages.letters.promise import Own, PromisePart, best
from auditor.pages.words import informative_findings, premises
from auditor.pages.words.lineage import settled_on
from auditor.pages.words.verdict import resting_on
from auditor.settings.attestations import BACKUPS, CODE_CLEAN, COPIES, HONEST, NOTHING_HELD, PREPROCESSING, REFUSALS, UNREAD
from auditor.verdict import examination, lineage
from auditor.verdict.checks import definitions, derived_in, judging_unlearning, observed_in, readings, the, with_role
from auditor.verdict.checks.card import Card, Role
from auditor.verdict.checks.context import Context, context_of
from auditor.verdict.checks.finding import Values
from auditor.verdict.examination import ModelFile
from auditor.verdict.reliance import HOLDING, refuse_contradiction, unmet
from auditor.verdict.request_status import Chain, Data, Model, chain

__all__ = [
    "OWN_FINDINGS",
    "SCHEMA",
    "Extract",
    "addressees",
    "canonical_digest",
    "extract",
    "promises",
    "require_sender",
    "row_of",
]

OWN_FINDINGS: Final = (
    deletions.NOT_LOCATED,
    deletions.NO_MATCH_BUT_KNOWN,
    deletions.LOOKS_LIKE_KNOWN,
    deletions.MAY_BE_KNOWN,
    deletions.LOOKS_LIKE_RETAINED,
    deletions.EXECUTED_BEFORE_RECEIVED,
    deletions.EXECUTED_IN_FUTURE,
    deletions.RECEIVED_IN_FUTURE,
    deletions.EXECUTED_WITHOUT_TIME,
    deletions.STATUS_CONTRADICTED,
    deletions.DUE_BEFORE_RECEIVED,
)
"""Findings in the log that are about one row alone. The others are about two requests, and no letter reports them."""
_OF_OTHERS: Final = frozenset({"copies-are-others", "store-holds-no-copies", NOTHING_HELD, REFUSALS})
"""Premises that checks ask about where other people's records, requests or answers give cause for it."""
_BEARS_ON: Final[Mapping[str, Collection[Outcome]]] = {NOTHING_HELD: {"no-match"}, REFUSALS: {"denied", "revoked"}}
"""Statuses of requests whose letters an attestation bears on, where these are not the ones that were carried out."""
_CLEARED: Final = frozenset({"shown", "supported", "attacks"})
"""What a letter says of a model that forgot."""
_OF_PROGRAM: Final = frozenset({CODE_CLEAN, HONEST})
"""Words about what a program holds and leaves behind, and not about the places where data are kept."""
_TELLING: Final = frozenset({Role.NAMES_DELETED, Role.REBUILDS, Role.ATTACKS_SETS})
"""Roles of checks whose attacks find something of erased data where no policy sets a limit to it."""
_LEFT_ALONE: Final = frozenset({"noticed-left-alone", "noticed-shows-as-much"})
_MOST_KINDS: Final = 40
"""People that a letter promises the same differ in nothing but their records: so many kinds of them are worked out."""
_OUTCOMES: Final[Mapping[str, Outcome]] = {
    "executed": "executed",
    "open": "open",
    "denied": "denied",
    "revoked": "revoked",
    "not-located": "not-located",
    "no-match": "no-match",
}

_DOUBTS: Final[Mapping[str, DoubtKind]] = {
    "code": "code",
    "input": "code",
    "model": "model",
    **dict.fromkeys(("state", "saved", "parameters", "object", "more-objects", "not-walked"), "program"),
}
"""Kinds of places by the end of their code; whatever is not named here is a place where data are stored."""
_OPEN_AS: Final[Mapping[str, DoubtKind]] = {"answers": "answers", "terms": "terms", "store": "store"}
"""As what a place is open that was read in full."""
_SEEN: Final[Mapping[ModelFile, Literal["part", "open"]]] = {ModelFile.PART: "part", ModelFile.OPEN: "open"}


@dataclass(frozen=True, slots=True)
class _Known:
    """What is worked out once for all letters of a log."""

    context: Context | None
    by_subject: Mapping[str, Sequence[RequestOutcome]]
    """The requests that were carried out, by the person who made them, where the log says who that is."""
    natural: Mapping[str, informative_findings.Met]
    """What became of the natural threshold of each check that decides nothing."""
    left_alone: bool
    """Whether attacks found as much as in a model from which nothing was erased."""

    def rows(self, outcome: RequestOutcome) -> Sequence[RequestOutcome]:
        """All requests of this person, as far as the log says which those are."""
        return [outcome] if outcome.subject is None else self.by_subject.get(outcome.subject, ())


def require_sender(evidence: Evidence) -> None:
    """Refuse evidence that lacks something that a letter about any of its requests needs.

    Raises:
        InputError: With all that it lacks.
    """
    if lacking := _lacking(evidence, evidence.requests):
        raise InputError(lacking)


def addressees(evidence: Evidence) -> tuple[tuple[tuple[str, str | None], ...], tuple[str, ...]]:
    """Give (request id, subject) of every letter that can be written, and the ids whose letters cannot be told apart."""
    rows: dict[tuple[str, str | None], int] = {}
    subjects: dict[str, set[str | None]] = {}
    for outcome in evidence.requests:
        key = (outcome.request_id, outcome.subject)
        rows[key] = rows.get(key, 0) + 1
        subjects.setdefault(outcome.request_id, set()).add(outcome.subject)
    unclear = {name for (name, subject), count in rows.items() if count > 1 or (subject is None and len(subjects[name]) > 1)}
    return tuple(key for key in rows if key[0] not in unclear), tuple(name for name in subjects if name in unclear)


def mark(request_id: str, subject: str | None = None) -> str:
    """Digest a request, and the person's pseudonym where the request is several people's, for the name of the letter's file."""
    whole = request_id if subject is None else f"{request_id}\0{subject}"
    return digest(whole.encode("utf-8", "surrogatepass"))[:12]


def extract(
    evidence: Evidence,
    request_id: str,
    subject: str | None = None,
    *,
    draft: bool = False,
    evidence_sha256: str | None = None,
) -> Extract:
    """What may be said to the person who made one request.

    Args:
        evidence: The whole evidence.
        request_id: Their request, exactly as the log names it.
        subject: The person's pseudonym in the log, where the request is several people's.
        draft: Whether what is missing is left blank.
        evidence_sha256: The digest of the evidence's canonical bytes, where it is known already.

    Raises:
        InputError: If the evidence is that of a first stage, holds no such request or person, more than one, or lacks what a
            letter needs; with every problem at once.
        ReportError: If the verdict contradicts the checks, the evidence has no canonical form, or it gives a reason that this
            version has no words for.
    """
    refuse_contradiction(evidence)
    if evidence.audit.stage is not None:
        raise InputError(
            [Problem("evidence", "audit.stage", "the evidence of a whole audit: auditor check without --first", "a first stage")]
        )
    asked = [each for each in evidence.requests if each.request_id == request_id] or evidence.requests
    lacking = () if draft else _lacking(evidence, asked)
    outcome = _the_one(evidence.requests, request_id, subject, lacking)
    if lacking:
        raise InputError(lacking)
    checks, stands = {check.id: check for check in evidence.checks}, chain(evidence, outcome)
    return Extract(
        evidence_sha256=evidence_sha256 if evidence_sha256 is not None else canonical_digest(evidence),
        draft=draft,
        audit=AuditPart(
            id=evidence.audit.id,
            finished_at=evidence.audit.finished_at,
            auditor_version=evidence.audit.auditor_version,
            quick=evidence.audit.quick,
            relation=evidence.case.run_by.relation if evidence.case.run_by else None,
        ),
        sender=_sender(evidence),
        case=CasePart(
            name=evidence.case.name,
            release=evidence.case.release,
            purpose=evidence.case.purpose,
            in_use_since=evidence.case.in_use_since,
            in_use_too_early=lineage.in_use_too_early(evidence.case, outcome),
            model_examined=examination.model_file(evidence).settled,
            model_seen=_SEEN.get(examination.model_file(evidence)),
            answers_alone=not evidence.reruns,
            places_alone=evidence.places_alone,
            without_values=examination.without_values(evidence),
            outside=evidence.outside,
            builds_on_files=bool(evidence.case.base),
        ),
        request=_request(evidence, outcome, stands),
        model=_model(evidence, outcome, checks, stands, _known(evidence)),
    )


def row_of(evidence: Evidence, request_id: str, subject: str | None = None) -> RequestOutcome:
    """The request that a letter of this id and person is about, as `extract` finds it.

    Raises:
        InputError: If there is none, or more than one.
    """
    return _the_one(evidence.requests, request_id, subject, ())


@kept_for_last
def promises(evidence: Evidence) -> tuple[PromisePart, ...]:
    """List what letters promise the people of the log, once for each number of records, those with the fewest records first.

    Nothing of it depends on who they are: a person's letter is worked out from how many records and requests they have.
    """
    checks, known = {check.id: check for check in evidence.checks}, _known(evidence)
    kinds: dict[tuple[int, int, bool, tuple[str, ...]], RequestOutcome] = {}
    # Once for each person: who has many requests would be counted for each of them.
    sizes = {whose: (sum(each.records for each in rows), len(rows)) for whose, rows in known.by_subject.items()}
    for outcome in evidence.requests:
        if outcome.status == "executed":
            size = (outcome.records, 1) if outcome.subject is None else sizes[outcome.subject]
            kinds.setdefault((*size, outcome.subject is None, tuple(outcome.guarantees)), outcome)
    ordered = sorted(kinds)
    found: dict[tuple[int, float], PromisePart] = {}
    for kind in (*ordered[:_MOST_KINDS], *ordered[_MOST_KINDS:][-1:]):
        outcome = kinds[kind]
        model = _model(evidence, outcome, checks, chain(evidence, outcome), known)
        if model.forgot in {"shown", "supported"} and model.promise is not None:
            found.setdefault((model.promise.records, model.promise.share), model.promise)
    return tuple(found.values())


def canonical_digest(evidence: Evidence) -> str:
    """SHA-256 of the canonical bytes of the whole evidence.

    Raises:
        ReportError: If it holds something that has no canonical form.
    """
    try:
        return digest(evidence.to_bytes())
    except ValueError as error:
        raise ReportError(f"the evidence has no canonical form: {error}") from error


def _sender(evidence: Evidence) -> SenderPart:
    case = evidence.case
    return SenderPart(controller=case.controller, contact=case.contact, dpo=case.dpo, authority=case.authority)


_WHAT: Final = {
    "controller": "the name of the controller, who sends the letter",
    "contact": "where the person can write to the controller",
    "authority": "name and address of the supervisory authority",
}


def _lacking(evidence: Evidence, about: Iterable[RequestOutcome]) -> list[Problem]:
    """What letters about some requests need and the evidence does not have."""
    keys = _sender(evidence).missing(each.regime for each in about)
    return [Problem("evidence", f"case.{key}", f"{_WHAT[key]} (or --draft)", "nothing") for key in keys]


def _the_one(
    requests: Sequence[RequestOutcome], request_id: str, subject: str | None, lacking: Iterable[Problem]
) -> RequestOutcome:
    """The only request of an id, and of a person where it is several people's.

    Raises:
        InputError: If there is none, or more than one. No other person's pseudonym is named.
    """
    named = [outcome for outcome in requests if outcome.request_id == request_id]
    found = named if subject is None else [outcome for outcome in named if outcome.subject == subject]
    if len(found) == 1:
        return found[0]
    expected = f"one request {request_id[:80]}"
    if not named:
        said = "no such request"
    elif not found:
        said = f"none of the subject {subject[:80] if subject else subject}"
    elif (
        subject is None
        and len({outcome.subject for outcome in found}) == len(found)
        and None not in {each.subject for each in found}
    ):
        expected = f"which person of request {request_id[:80]} the letter is for: --subject S, as the log names them"
        said = f"{len(found)} subjects"
    else:
        said = f"{len(found)} rows with that id are alike; whose letter it is cannot be known"
    raise InputError([*lacking, Problem("evidence", "requests", expected, said)])


def _request(evidence: Evidence, outcome: RequestOutcome, stands: Chain) -> RequestPart:
    status = _OUTCOMES.get(outcome.status, "unknown")
    executed, in_part = status == "executed", status == "open" and outcome.data_erased_at is not None
    # Whether anybody else was informed must not make this one late.
    days = evidence.policy.settings.get("deadline_days")
    days = days if isinstance(days, int) and not isinstance(days, bool) else None
    closing, holidays = evidence.audit.started_at.date(), frozenset(evidence.deletion_log.holidays)
    own = dated(outcome, deadline_days=days, closing=closing, informs=False, holidays=holidays)
    deadline = due(outcome, days, holidays)
    late = own.overdue or timing(own) in LATE
    by_law = by_law_alone(outcome, holidays)
    unconfirmed = confirmed(outcome, holidays) is Confirmed.LATE
    # Without an answer it may be late as well, which the reply owns up to.
    may_be_late = late or (outcome.answered_at is None and closing > own.due_on and outcome.status != "revoked")
    return RequestPart(
        request_id=outcome.request_id,
        subject=outcome.subject,
        others_differ=_others_differ(evidence, outcome, stands),
        regime=outcome.regime,
        status=status,
        received_on=outcome.received_on,
        due_on=own.due_on,
        extended=deadline.extended,
        late=late,
        in_doubt=in_doubt(own, deadline, closing=closing, informs=False),
        latest=deadline.latest if deadline.latest > own.due_on else None,
        law_on=by_law if by_law != own.due_on and not deadline.extended else None,
        moved_from=deadline.moved_from,
        confirm_by=confirm_by(outcome, holidays) if unconfirmed else None,
        confirmed_on=outcome.confirmed_at.date() if unconfirmed and outcome.confirmed_at else None,
        erased_on=erased_on(own) if executed else _day(outcome.data_erased_at) if status == "open" else None,
        model_erased_on=_day(outcome.model_erased_at) if status in {"executed", "open"} else None,
        answered_on=None if outcome.answered_at is None else outcome.answered_at.date(),
        extension=outcome.extension,
        paused_days=own.paused_days,
        begins_on=deadline.begins,
        waiting=timing(own) is Timing.PAUSED,
        pauses=tuple(each for each in outcome.clock_pauses if each.awaits in _waits(outcome)),
        asked=_asked(outcome),
        late_reason=outcome.late_reason if may_be_late and not says_nothing(outcome.late_reason) else None,
        reason=outcome.reason,
        exception=outcome.exception,
        ground=outcome.ground,
        recipients=outcome.recipients_notified,
        storage_state=outcome.storage_state,
        records=outcome.records if executed else None,
        search=_search(evidence, outcome, stands.data),
        doubts=_doubts(evidence, outcome, stands.data),
        unrecorded=_is_unrecorded(evidence, outcome),
        by_word=_by_word(evidence, program=False),
        program_by_word=_by_word(evidence, program=True),
        may_be_others=_may_be_others(evidence, outcome, stands.data),
        findings=_findings(evidence, outcome),
        also_asked=None if says_nothing(outcome.also_asked) else outcome.also_asked,
        undertaking=outcome.undertaking,
        kept=outcome.kept or (),
        made=tuple(_made(evidence, outcome)) if executed else (),
        receipts=tuple(_receipts(evidence, outcome)) if executed or in_part else (),
        word=_word(evidence, status),
    )


def _day(moment: datetime | None) -> date | None:
    return None if moment is None else moment.date()


def _waits(outcome: RequestOutcome) -> frozenset[Awaited | None]:
    """What a wait for which moves the deadline, or may: in the EU it is one thing alone, which needs no telling apart."""
    law = rule(outcome.regime, outcome.received_on)
    return law.stops if outcome.regime is Regime.EU else law.stops | law.may_stop


def _others_differ(evidence: Evidence, outcome: RequestOutcome, stands: Chain) -> bool:
    """Whether another request of the same person's ended otherwise, by the log or by what the audit found."""
    if outcome.subject is None:
        return False
    same = [each for each in evidence.requests if each.subject == outcome.subject and each is not outcome]
    return any(each.status != outcome.status or (chain(evidence, each).data is Data.FOUND) for each in same) or (
        bool(same) and stands.data is Data.FOUND
    )


def _asked(outcome: RequestOutcome) -> tuple[ClockPause, ...]:
    waits = sorted(outcome.clock_pauses, key=lambda each: each.paused_at)
    return tuple(each for each in waits if outcome.status in PENDING and each.resumed_at is None)


def _word(evidence: Evidence, status: Outcome) -> WordPart | None:
    """What is attested that bears on a request, by its status alone: the list is the same for all who were answered alike."""
    refuted = evidence.reliance.contradicted
    named = [each for each in evidence.policy.attested if each.name not in refuted]
    bearing = [each for each in named if status in _BEARS_ON.get(each.name, {"executed"})]
    if not bearing:
        return None
    names, before = tuple(each.name for each in bearing), evidence.audit.attested_before
    return WordPart(names=names, by=bearing[0].by, at=bearing[0].at, before=before)


def _made(evidence: Evidence, outcome: RequestOutcome) -> Iterator[MadePart]:
    """What was made from the model, judged by this request alone: another one must not move what its letter says."""
    today = evidence.audit.started_at.date()
    for each in lineage.stated_to(evidence, outcome):
        yield MadePart(
            name=each.name,
            kind=each.kind,
            day=settled_on(each),
            descent=each.descent,
            declared_by=each.declared_by,
            made_on=each.made_by(today) if each.descent.open else None,
            plan=each.planned(today) if each.descent.open else None,
        )


def _receipts(evidence: Evidence, outcome: RequestOutcome) -> Iterator[ReceiptPart]:
    """Receipts that cover this request: who gave them and when, and no word of what they say."""
    for each in receipts.covering(evidence.receipts, outcome):
        if each.sha256 is not None:
            named = outcome.request_id in each.requests
            yield ReceiptPart(processor=each.processor, at=each.at, sha256=each.sha256, named=named)


def _findings(evidence: Evidence, outcome: RequestOutcome) -> tuple[str, ...]:
    """Codes of the findings whose message begins with this request and its row, as `deletions.findings` writes them.

    Where an id has several rows the findings of one could be another person's: none is given but what its own dates show.
    """
    request_id = outcome.request_id
    if sum(each.request_id == request_id for each in evidence.requests) > 1:
        given = {"data": outcome.data_erased_at, "model": outcome.model_erased_at}
        contradicted = outcome.status == "open" and denies_erasure(outcome.status, **given)
        return (deletions.STATUS_CONTRADICTED,) if contradicted else ()
    problems = evidence.deletion_log.problems
    own = {item.code for item in problems if item.message.startswith(f"request {request_id} (row {item.row}): ")}
    return tuple(code for code in OWN_FINDINGS if code in own)


def _by_word(evidence: Evidence, *, program: bool) -> bool:
    """Whether a search rests on the controller's word about what could not be searched: not by what others asked for.

    Args:
        evidence: The whole evidence.
        program: Whether of the program, and of what it leaves behind; else of the places where data are kept.
    """
    check = examination.search_of(evidence)
    try:
        left = None if check is None else derived_in(check, evidence.version)
    except ValueError:
        return True
    covered: Sequence[readings.LeftOver] = left.by_word if isinstance(left, readings.LeavesOpen) else ()
    if own := [each for each in covered if (each.word in _OF_PROGRAM) is program]:
        # What was found is read and named: another person's row is nothing that could not be read.
        return any(map(readings.is_unseen, own))
    return not program and any(each.name == UNREAD and each.standing == "said" for each in evidence.premises)


def _may_be_others(evidence: Evidence, outcome: RequestOutcome, data: Data | None) -> Literal["own", "some"] | None:
    """Whether a search that found nothing met something that is other people's by the controller's word alone."""
    check = examination.search_of(evidence)
    is_said = COPIES not in evidence.reliance.contradicted and any(each.name == COPIES for each in evidence.policy.attested)
    if data is not Data.NOT_FOUND or check is None or not is_said:
        return None
    met = _observed(check, evidence.version)
    if not isinstance(met, readings.MayBeOthers):
        return None
    if outcome.request_id in met.perhaps_ids:
        return "own"
    return "some" if met.perhaps_of_any(table=evidence.case.table is not None) else None


def _search(evidence: Evidence, outcome: RequestOutcome, data: Data | None) -> Search:
    """What the search found of this request; whatever is not clearly said is open."""
    match data:
        case Data.FOUND:
            return "found" if _is_told_apart(evidence, outcome) else "open"
        case Data.NOT_FOUND:
            return "not-found"
        case Data.OPEN:
            return "open"
        case _:
            return "not-examined"


def _doubts(evidence: Evidence, outcome: RequestOutcome, data: Data | None) -> tuple[DoubtPart, ...]:
    """Say where something of an open request may be left that a search did not find, by kinds and without any name."""
    check = examination.search_of(evidence)
    seen = None if check is None else _observed(check, evidence.version)
    if data is not Data.OPEN or check is None or not isinstance(seen, readings.Search) or not (seen.searched and seen.deleted):
        return ()
    try:
        left = derived_in(check, evidence.version)
    except ValueError as error:
        raise ReportError("the evidence states an observation that cannot be read") from error
    if not isinstance(left, readings.LeavesOpen):
        return (DoubtPart(kind="other"),)
    kinds: dict[DoubtKind, int] = {}
    for each in left.unexplained:
        kind = _DOUBTS.get(each.place.code.rpartition(".")[2], "store")
        kinds[kind] = kinds.get(kind, 0) + each.bytes
    own = outcome.request_id
    if left.open_places:
        kinds |= dict.fromkeys(_open_as(left, own), 0)
    if left.copied is not None and own in left.copied.request_ids:
        kinds["copies"] = 0
    if not kinds and PREPROCESSING in evidence.reliance.contradicted:
        return ()  # that the data was prepared with erased data was found, and is no doubt
    return tuple(DoubtPart(kind=kind, bytes=size if kind == "code" and size else None) for kind, size in kinds.items()) or (
        DoubtPart(kind="other"),
    )


def _open_as(left: readings.LeavesOpen, own: str) -> Iterator[DoubtKind]:
    """As what places are open to a request, by kinds."""
    if not isinstance(left, readings.LeavesOpenAs) or not left.open_as:
        yield "places"
        return
    for each in left.open_as:
        if each == "untold":
            if own in left.untold_ids:
                yield "untold"
        elif each != "quoted":
            yield _OPEN_AS.get(each, "places")
        elif not left.quoted_ids or own in left.quoted_ids:
            # What may quote others is no doubt about this person.
            yield "quoted"


def _is_unrecorded(evidence: Evidence, outcome: RequestOutcome) -> bool:
    """Whether the search missed the data of this request, and of no other of its id, where the log records no erasure."""
    if outcome.status not in PENDING or sum(each.request_id == outcome.request_id for each in evidence.requests) > 1:
        return False
    check = examination.search_of(evidence)
    seen = None if check is None else _observed(check, evidence.version)
    return isinstance(seen, readings.Misses) and outcome.request_id in seen.missing


def _is_told_apart(evidence: Evidence, outcome: RequestOutcome) -> bool:
    """Whether what the search names by this request's id is this person's, and not another's of the same ticket."""
    if sum(each.request_id == outcome.request_id for each in evidence.requests) == 1:
        return True
    searching = the(examination.searching(evidence), evidence.version)
    seen = _observed(next((each for each in evidence.checks if each.id == searching), None), evidence.version)
    return isinstance(seen, readings.Search) and bool(seen.subjects)


def _model(evidence: Evidence, outcome: RequestOutcome, checks: Mapping[str, Check], stands: Chain, known: _Known) -> ModelPart:
    if outcome.status != "executed" or evidence.places_alone:
        # Nothing was to be forgotten, or no model was examined: the audit's word on one is about other people's data.
        return ModelPart(forgot="not-examined", promise=None, failed=(), open=(), not_run=())
    required = set(evidence.policy.required)
    cards = {name: each.card for name, each in definitions(evidence.version).items()}
    about = [
        checks[name]
        for name, card in cards.items()
        if name in checks and card.letter is not None and Role.USEFULNESS not in card.roles
    ]
    failed = tuple(check.id for check in about if check.status in {Status.FAIL, Status.ERROR})
    undecided = tuple(
        check.id for check in about if check.id in required and check.status in {Status.INCONCLUSIVE, Status.SKIPPED}
    )
    promise = _promise(evidence, outcome, checks, known)
    # What two models show of a deletion does not say whether the released one forgot.
    forgetting = [check for check in about if Role.SHOWS_DELETIONS not in cards[check.id].roles]
    broken = any(check.id in failed for check in forgetting)
    still_open = [check.id for check in forgetting if check.id in undecided]
    forgot = _forgot(evidence, forgetting, stands, still_open, promise) if not broken else "failed"
    if forgot in _CLEARED and lineage.in_use_too_early(evidence.case, outcome):
        # Which version is in use is not known, and what is promised of this one is no promise of that.
        forgot, promise = "open", None
    return ModelPart(
        forgot=forgot,
        promise=None if broken else promise,
        failed=failed,
        open=undecided,
        picked=_picked(evidence, outcome, checks),
        broke_off=tuple(name for name in failed if checks[name].status is Status.ERROR),
        noticed=tuple(check.id for check in about if check.id not in failed and _is_noticed(check, cards, known.natural)),
        unsettled=tuple(check.id for check in about if check.id not in required and check.status is Status.INCONCLUSIVE),
        left_alone=known.left_alone,
        untrue=evidence.reliance.contradicted,
        not_run=tuple(each.id for each in about if _is_left_out(each, required) or _is_of_a_part(evidence, each)),
    )


def _is_noticed(check: Check, cards: Mapping[str, Card], natural: Mapping[str, informative_findings.Met]) -> bool:
    """Whether an attack won for certain where no policy sets a limit: what it found is there all the same."""
    return bool(cards[check.id].roles & _TELLING) and natural.get(check.id) is informative_findings.Met.NOT_MET


def _is_left_out(check: Check, required: Collection[str]) -> bool:
    return not _has_run(check) and (check.id in required or not _does_not_apply(check))


def _is_of_a_part(evidence: Evidence, check: Check) -> bool:
    """Whether a check passed of one step of the model: of the model that is in use it says nothing."""
    compares = check.id == the(Role.COMPARES_FILE, evidence.version)
    return compares and examination.model_file(evidence) is ModelFile.PART


def _picked(evidence: Evidence, outcome: RequestOutcome, checks: Mapping[str, Check]) -> bool | None:
    """Whether this request's records were picked out by the attack on the log's releases; None where nobody tried.

    Raises:
        ReportError: If what was observed of the attack cannot be read.
    """
    attacking = the(Role.ATTACKS_LOG, evidence.version)
    seen = _observed(checks.get(attacking), evidence.version)
    if not isinstance(seen, readings.AttackOnLog) or seen.log is None:
        return None
    own = outcome.request_id, outcome.subject
    return None if seen.log.not_tried.holds(*own) else seen.log.picked.holds(*own)


def _observed(check: Check | None, version: str) -> Values | None:
    """What was observed for a check; None where it is not listed, or nothing was.

    Raises:
        ReportError: If what was observed cannot be read.
    """
    try:
        return None if check is None else observed_in(check, version)
    except ValueError as error:
        raise ReportError("the evidence states an observation that cannot be read") from error


def _forgot(
    evidence: Evidence, about: Sequence[Check], stands: Chain, undecided: Sequence[str], promise: PromisePart | None
) -> Forgot:
    """How far the audit confirms that the model forgot: no further than its verdict on checks of the model goes."""
    if stands.model is Model.REFUTED:
        return "failed"
    ran = {check.id for check in about if check.status in {Status.PASS, Status.INCONCLUSIVE}}
    if not judging_unlearning(ran, evidence.version):
        return "not-examined"
    relied = evidence.reliance
    held_back = (
        evidence.environment.capped or relied.cap.holds or relied.unexamined or relied.contradicted or unmet(relied.claims)
    )
    if undecided or held_back:
        return "open"
    if promise is not None:
        return "shown" if promise.status is ClaimStatus.SHOWN else "supported"
    passed = {check.id for check in about if check.status is Status.PASS}
    return "attacks" if passed & set(with_role(Role.CLEARS, evidence.version)) else "open"


def _promise(evidence: Evidence, outcome: RequestOutcome, checks: Mapping[str, Check], known: _Known) -> PromisePart | None:
    """The promise for this person: over all of their requests where the log says which those are."""
    context = known.context
    if context is None:
        return None
    rows = known.rows(outcome)
    # Which words carry the pass may depend on what others asked for: a letter counts all of them.
    said = [each.name for each in evidence.policy.attested]
    # Whether these are asked about depends on what others had erased, and on what others were answered.
    unsaid = [name for name in premises.unsaid(evidence) if name not in {*_OF_OTHERS, BACKUPS}]
    if any(each.name == BACKUPS for each in evidence.premises):
        # A day that lies before the erasure of somebody else's data is none before this person's.
        is_said = examination.are_backups_dated(evidence.outside, examination.last_erasure(rows))
        (said if is_said else unsaid).append(BACKUPS)
    return best(
        context,
        evidence.guarantees,
        checks,
        Own(
            records=max(1, sum(each.records for each in rows)),
            requests=len(rows),
            whole=outcome.subject is not None and context.attests("subjects-complete"),
        ),
        covering=outcome.guarantees,
        kept=[each.name for each in evidence.reliance.claims if each.standing in HOLDING],
        statements={each.id: resting_on(evidence, each, carrying=said) for each in evidence.guarantees if each.status in HOLDING},
        unsaid=tuple(unsaid),
    )


def _known(evidence: Evidence) -> _Known:
    """Work out what all letters need.

    Raises:
        ReportError: If what was observed for a check cannot be read.
    """
    by_subject: dict[str, list[RequestOutcome]] = {}
    for each in evidence.requests:
        if each.subject is not None and each.status == "executed":
            by_subject.setdefault(each.subject, []).append(each)
    try:
        natural = informative_findings.informative(evidence)
        left_alone = any(each.message in _LEFT_ALONE for each in informative_findings.noticed(evidence))
    except ValueError as error:
        raise ReportError("the evidence states an observation that cannot be read") from error
    return _Known(_context(evidence), by_subject, natural, left_alone)


def _context(evidence: Evidence) -> Context | None:
    """What was declared; None where a table is stated that this version cannot have read: nothing is promised then."""
    sections = ("audit", "case", "procedure", "policy", "sizes", "environment", "deletion_log", "requests")
    try:
        return context_of(**{name: getattr(evidence, name) for name in sections})
    except (ValidationError, KeyError):
        return None


def _has_run(check: Check) -> bool:
    """Whether the check came to a result or tried to."""
    return check.status is not Status.SKIPPED or check.value is not None


def _does_not_apply(check: Check) -> bool:
    try:
        return words.does_not_apply(check.reasons)
    except words.UNSAYABLE as error:
        raise ReportError(f"this version has no words for why {check.id} did not run") from error
