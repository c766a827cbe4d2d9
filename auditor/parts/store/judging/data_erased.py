"""`data.erased`: deleted records still found in the data store, the model file, the procedure's state or its saved output."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Final

from pydantic import Field

from auditor.base.domain import Fact, Message, Provenance, Status
from auditor.document.evidence import Evidence
from auditor.maths.statistics import larger_share_p
from auditor.parts.release.judging.release_exact.observed import CleanRoom
from auditor.parts.release.judging.release_exact.observed import Observed as Exact
from auditor.parts.store.judging import accounting
from auditor.parts.store.judging.accounting import OF_RUN, STORE_CLEAN, Account, ControllerKept, Kept, Unexplained, accounted
from auditor.settings.attestations import PREPROCESSING
from auditor.verdict.checks.card import Card, Role
from auditor.verdict.checks.context import Context
from auditor.verdict.checks.definition import Definition
from auditor.verdict.checks.differences import Difference
from auditor.verdict.checks.finding import Earlier, Finding, Values, inconclusive
from auditor.verdict.checks.levels import Level, spent
from auditor.verdict.checks.stated import Count
from auditor.verdict.guarantees import fact


# What the training data show of preprocessing: a fact of their own, which no word of the controller's outweighs.
def fitted_columns(context: Context) -> tuple[Message, ...]:
    """What was fitted on deleted records, a reason for each kind; empty where nothing shows."""
    return tuple(
        Message(f"preprocessing.{each.kind}", {"columns": list(each.columns), "count": each.count})
        for each in context.case.preprocessing or ()
    )


def facts(context: Context) -> tuple[Fact, ...]:
    """State that preprocessing is not clean, where columns show it. That they show nothing says nothing."""
    found = fitted_columns(context)
    return (
        (fact(PREPROCESSING, Provenance.REFUTED, Message("fact.preprocessing-clean.fitted", {"found": found})),) if found else ()
    )


COPIES: Final = "copies-are-others"
"""The word of a controller that what looks like a copy of a deleted record is somebody else's."""
USUAL: Final = 0.05
"""Share of retained records with a near copy, from which on such copies single out nobody."""
LEVEL: Final = 0.01
"""Where copies are usual: the level of the test of whether deleted records have more of them."""
MOST_NAMED: Final = 3
"""Open places that the result names; it counts the others."""
_EXACT: Final = "release.exact"
_WORST: Final = (Status.PASS, Status.INCONCLUSIVE, Status.FAIL)

CARD = Card(
    id="data.erased",
    place=30,
    since="0.2.0",
    roles=frozenset({Role.SEARCHES, Role.CONTRADICTS}),
    title="Deleted records in what is kept",
    question="Are the deleted records gone from the places that were searched?",
    unit="deleted records found",
    finds=("store-erased",),
    may_find=("training-data-destroyed",),
    failure="Deleted records were found in the data store, the model file, the procedure's state or its saved output.",
    remedy="Erase the records that were found at the places listed in the results, then audit again.",
    of_controllers=True,
    needs=(_EXACT,),
)


class Searched(Values):
    """A place that was searched."""

    place: Message
    records_searched: Count | None
    """Records, lines or cells that it came apart into; None where it was searched as plain bytes."""
    found: Count
    """Deleted records that were found there."""
    how: Message


class NotSearched(Values):
    """A place that is not there, or that could not be searched."""

    place: Message
    why: Message


class Copies(Values):
    """Copies of deleted records, equal or nearly so, among the retained training records."""

    deleted: Count
    found: Count
    """Deleted records that have one."""
    request_ids: tuple[str, ...]
    """The requests that named these."""
    subjects: tuple[str | None, ...] = ()
    """Whose they are, in the same order; empty where no ticket of the log has two people."""
    retained_looked_at: Count
    retained_with_a_copy: Count
    """Of these, the retained records that have such a neighbour themselves."""


class Observed(Values):
    """What a search of everything that the case shows of what is kept came to."""

    deleted: Count
    """Records that were looked for: those that the log deletes, and those that it says were never there."""
    by_identifier_only: Count
    """Of these, the records whose values single out nobody."""
    found: Count
    """Of these, the records that were found anywhere."""
    request_ids: tuple[str, ...]
    """Requests whose records were found."""
    subjects: tuple[str | None, ...] = ()
    """Whose they are, in the same order; empty where no ticket of the log has two people."""
    searched: tuple[Searched, ...]
    not_searched: tuple[NotSearched, ...]
    open_in_store: tuple[Message, ...]
    """Places of the data store that may hold what the search could not see, each with why."""
    open_elsewhere: tuple[Message, ...]
    """The same of model file, state and saved output."""
    recognised_in_store: bool
    """Whether any record, deleted or kept, was recognised in the data store: the search can see what lies there."""
    copies: Copies | None = None
    """None where nothing was deleted, or too little is left to say what is near."""
    kept: tuple[Kept, ...] = ()
    """Every place that was searched or could not be, with its size."""
    controller: ControllerKept | None = Field(default=None, exclude_if=lambda value: value is None)
    """What a whole controller keeps; None where none was audited."""


class Derived(Values):
    """What the search leaves open."""

    open_places: int
    copies: int | None
    """Deleted records with a near copy that counts among the retained ones; None where that was not observed."""
    kept_bytes: int = 0
    """The size of every place together."""
    unexplained: tuple[Unexplained, ...] = ()
    """What keeps the check from pass."""
    by_word: tuple[Unexplained, ...] = ()
    """What the controller's word covers."""
    beyond: tuple[Difference, ...] = ()
    """Of foreign code whose parameters depend on the deleted records: every other item that does as well."""


def judge(context: Context, observed: Observed, earlier: Earlier) -> Finding:
    """Count what was found of deleted records, and of people deleted from a whole controller; none may be left."""
    whole = None if observed.controller is None else accounting.judged(observed.controller)
    if not context.learns:
        return whole or inconclusive(Message("data.erased.controller.not-played"))
    found = _of_records(context, observed, earlier)
    if whole is None:
        if context.controller is None or found.status is Status.FAIL:
            return found
        return replace(found, status=Status.INCONCLUSIVE, reasons=(*found.reasons, Message("data.erased.controller.not-played")))
    return replace(
        found,
        status=max(found.status, whole.status, key=_WORST.index),
        value=(found.value or 0.0) + (whole.value or 0.0),
        reasons=(*found.reasons, *whole.reasons),
        facts=found.facts if whole.status is Status.PASS else (),
    )


def _of_records(context: Context, observed: Observed, earlier: Earlier) -> Finding:
    """Count the deleted records that were found; none may be left, no place may be open, and no content unexplained."""
    left_open, account = _open(context, observed), accounted(context, observed.kept, _last_room(context, earlier))
    something_to_find = context.log.batches > 0
    if observed.found:
        status = Status.FAIL
    elif left_open or not something_to_find or not observed.searched or account.unexplained or _remain(context, observed):
        status = Status.INCONCLUSIVE
    else:
        status = Status.PASS
    return Finding(
        status=status,
        value=float(observed.found) if something_to_find or observed.found else None,
        threshold=0.0,
        reasons=_reasons(context, observed, left_open, account),
        derived=Derived(
            open_places=len(left_open),
            copies=None if observed.copies is None else _counted(observed.copies),
            kept_bytes=sum(each.bytes for each in observed.kept),
            unexplained=account.unexplained,
            by_word=account.by_word,
            beyond=account.beyond,
        ),
        facts=_facts(context, account, status),
    )


def _last_room(context: Context, earlier: Earlier) -> CleanRoom | None:
    """The last release alongside clean rooms and runs with other records; None where `release.exact` observed none."""
    found = earlier.get(_EXACT)
    if found is None or not isinstance(found.observed, Exact):
        return None
    return next((each for each in found.observed.batches if each.batch == context.log.batches), None)


def _remain(context: Context, observed: Observed) -> bool:
    """Whether what the retained records hold may be a deleted one's: as a copy, or as columns fitted on it."""
    copied = observed.copies is not None and _counted(observed.copies) > 0 and not context.attests(COPIES)
    return copied or bool(fitted_columns(context))


def _counted(copies: Copies) -> int:
    """The deleted records whose copies count: all, unless copies are usual and deleted records have no more than others."""
    if not copies.found or copies.retained_with_a_copy < USUAL * copies.retained_looked_at:
        return copies.found
    p = larger_share_p(copies.found, copies.deleted, copies.retained_with_a_copy, copies.retained_looked_at)
    return copies.found if p < LEVEL else 0


def _open(context: Context, observed: Observed) -> tuple[Message, ...]:
    """Every open place. A store in which not even a kept record is recognised is one: its form may hide any record.

    What the controller says of all that could not be read in its store closes the places there.
    """
    if context.attests(STORE_CLEAN):
        return observed.open_elsewhere
    unseen: tuple[Message, ...] = ()
    if context.case.store is not None and not observed.recognised_in_store:
        named = {"place": Message("data.erased.place.data-store"), "why": Message("data.erased.open.not-recognised")}
        unseen = (Message("data.erased.open.place", named),)
    return (*observed.open_in_store, *unseen, *observed.open_elsewhere)


def _reasons(context: Context, observed: Observed, left_open: tuple[Message, ...], account: Account) -> tuple[Message, ...]:
    # Ids of which nothing is held, as the log says, are looked for as well, and are no deleted records.
    deleted = min(observed.deleted, context.case.training_records - context.case.records_left)
    reasons = [
        Message("data.erased.looked-for", {"records": deleted, "places": len(observed.searched)}),
        Message("data.erased.limits"),
    ]
    if not context.log.batches:
        reasons.insert(0, Message("data.erased.nothing-deleted"))
    if left_open:
        named = {"places": left_open[:MOST_NAMED], "more": len(left_open[MOST_NAMED:])}
        reasons.insert(1, Message("data.erased.open", named))
    if context.case.store is None:
        reasons.insert(1, Message("data.erased.no-store"))
    if observed.copies is not None and observed.copies.found:
        reasons.append(_copied(context, observed.copies))
    if fitted := fitted_columns(context):
        reasons.append(Message("data.erased.preprocessing", {"found": fitted}))
    reasons += _of_account(observed, account)
    if observed.by_identifier_only:
        reasons.append(Message("data.erased.by-identifier-only", {"records": observed.by_identifier_only}))
    if observed.deleted > deleted:
        reasons.append(Message("data.erased.looked-for-ids", {"ids": observed.deleted - deleted}))
    return tuple(reasons)


def _copied(context: Context, copies: Copies) -> Message:
    """What is said of copies: that they are usual here, that they are others', or that they may be the same people's."""
    given = {"records": copies.found, "of": copies.deleted}
    if not _counted(copies):
        share = copies.retained_with_a_copy / copies.retained_looked_at
        return Message("data.erased.copies-usual", {**given, "share": share})
    return Message("data.erased.copies-attested" if context.attests(COPIES) else "data.erased.copies", given)


def _of_account(observed: Observed, account: Account) -> Iterator[Message]:
    """What is said of everything that is kept: its size, what nothing accounts for, and what rests on a word alone."""
    if observed.kept:
        size = sum(each.bytes for each in observed.kept)
        open_ = sum(each.bytes for each in (*account.unexplained, *account.by_word))
        yield Message("data.erased.kept", {"bytes": size, "places": len(observed.kept), "unexplained": open_})
    rows = {name: sum(getattr(each, name) for each in observed.kept) for name in ("strangers", "changed", "declared")}
    if any(rows.values()):
        yield Message("data.erased.people", rows)
    if account.unexplained:
        words = sorted({each.word for each in account.unexplained if each.word is not None})
        yield Message("data.erased.unexplained", {**_listed(account.unexplained), "words": words})
    for word in sorted({each.word or "" for each in account.by_word}):
        items = tuple(each for each in account.by_word if each.word == word)
        yield Message("data.erased.by-word", {**_listed(items), "word": word})
    if account.beyond:
        names = [{"kind": each.kind, "name": each.name, "bytes": each.bytes} for each in account.beyond[:MOST_NAMED]]
        yield Message("data.erased.beyond", {"items": names, "more": len(account.beyond) - len(names)})


def _listed(items: tuple[Unexplained, ...]) -> dict[str, object]:
    named = [{"place": each.place, "bytes": each.bytes} for each in items[:MOST_NAMED]]
    return {"items": named, "more": len(items) - len(named), "bytes": sum(each.bytes for each in items)}


def _facts(context: Context, account: Account, status: Status) -> tuple[Fact, ...]:
    if context.case.store is None or status is Status.INCONCLUSIVE:
        return ()
    if status is Status.FAIL:
        return (fact("store-erased", Provenance.REFUTED, Message("fact.store-erased.found")),)
    if any(each.word == STORE_CLEAN for each in account.by_word):
        return (fact("store-erased", Provenance.ATTESTED, Message("fact.store-erased.by-word")),)
    return (fact("store-erased", Provenance.MEASURED, Message("fact.store-erased.none-found")),)


def contradictions(evidence: Evidence, seen: Observed, _others: Mapping[str, Values]) -> Iterator[str]:
    """Compare what was observed with the case, the log and itself."""
    gone = evidence.case.training_records - evidence.case.records_left
    if seen.deleted < gone:
        yield f"{seen.deleted} records were looked for, and {gone} were deleted"
    places = [place.found for place in seen.searched]
    if not max(places, default=0) <= seen.found <= min(sum(places), seen.deleted):
        yield f"{seen.found} records were found, of {seen.deleted}, and the places that were searched count {places}"
    if seen.subjects and len(seen.subjects) != len(seen.request_ids):
        yield f"{len(seen.request_ids)} requests were found, of {len(seen.subjects)} people"
    if bool(seen.request_ids) != bool(seen.found) or seen.by_identifier_only > seen.deleted:
        yield f"{seen.found} records were found, of {len(seen.request_ids)} requests"
    foreign = sorted(set(seen.request_ids) - {each.request_id for each in evidence.requests})
    if foreign:
        yield f"{', '.join(foreign[:3])} is no request of the log"
    yield from _kept(evidence, seen.kept)


def _kept(evidence: Evidence, kept: Sequence[Kept]) -> Iterator[str]:
    """Every file that the case lists as kept has its size among what has to be accounted for."""
    listed = {each.path: each.bytes for each in evidence.case.inputs}
    sizes = {each.place.parameters.get("path"): each.bytes for each in kept if each.kind not in OF_RUN}
    store, model = evidence.case.store, evidence.case.model
    wanted = {path for path in listed if path == model or (store is not None and (path == store or path.startswith(f"{store}/")))}
    if missing := sorted(wanted - sizes.keys()):
        yield f"{', '.join(missing[:3])} is kept, and nothing says what of it is accounted for"
    if other := sorted(str(path) for path, size in sizes.items() if listed.get(str(path)) != size):
        yield f"{', '.join(other[:3])} has another size than the case lists"
    if evidence.procedure.entry is not None and not any(each.kind == "code" for each in kept):
        yield "the procedure is code of the case, which is not among what is kept"


def levels(_context: Context, observed: Observed, _finding: Finding) -> tuple[Level, ...]:
    """Declare Fisher's exact test of near copies, where these are usual; where they are not, each is a finding of its own."""
    copies = observed.copies
    tested = copies is not None and copies.found and copies.retained_with_a_copy >= USUAL * copies.retained_looked_at
    return (spent("near-copies", LEVEL),) if tested else ()


CHECK = Definition(
    CARD,
    Observed,
    judge,
    replays=True,
    wanted=lambda _context: True,
    declared_facts=facts,
    contradictions=contradictions,
    derived=(Derived,),
    levels=levels,
)
