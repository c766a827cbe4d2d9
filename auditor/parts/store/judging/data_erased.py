"""`data.erased`: deleted records still found in the data store, the model file, the procedure's state or its saved output."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Final

from pydantic import Field

from auditor.base.domain import Fact, Message, Provenance, Status
from auditor.document.evidence import Evidence
from auditor.parts.release.judging.release_exact.observed import CleanRoom
from auditor.parts.release.judging.release_exact.observed import Observed as Exact
from auditor.parts.store.cards import DATA_ERASED
from auditor.parts.store.judging import accounting, near_copies, related
from auditor.parts.store.judging.accounting import (
    CODE_CLEAN,
    OF_RUN,
    STORE_CLEAN,
    Account,
    Concerned,
    ControllerKept,
    Kept,
    Kind,
    Unexplained,
    accounted,
    equal_in_room,
)
from auditor.parts.store.judging.derived_rows import TEST as DERIVED
from auditor.parts.store.judging.derived_rows import DerivedRows, Step, ViewOfRows
from auditor.parts.store.judging.near_copies import Copies, Counted
from auditor.parts.store.judging.related import InHoldout, NamedInStore, Related
from auditor.settings.attestations import COPIES, DERIVATIONS, PEOPLE, PREPROCESSING
from auditor.verdict.checks.context import Context
from auditor.verdict.checks.definition import Definition, always_first
from auditor.verdict.checks.differences import Difference
from auditor.verdict.checks.finding import Earlier, Finding, Values, inconclusive
from auditor.verdict.checks.levels import Level, spent
from auditor.verdict.checks.stated import Count
from auditor.verdict.guarantees import fact

CARD: Final = DATA_ERASED


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


UNTRIED: Final = "data.erased.unreadable.untried"
"""Why a file was not read: too many before it had ended the process that reads them. No word of the controller's covers it."""
MOST_NAMED: Final = 3
"""Open places that the result names; it counts the others."""
_EXACT: Final = "release.exact"
_WORST: Final = (Status.PASS, Status.INCONCLUSIVE, Status.FAIL)


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
    open_to: tuple[Concerned | None, ...] = Field(default=(), exclude_if=lambda value: not any(value))
    """The requests that each open place concerns, first those of the store; None, as where nothing is listed, for any."""
    copies: Copies | None = None
    """None where nothing was deleted, or too little is left to say what is near."""
    related: Related | None = Field(default=None, exclude_if=lambda value: value is None)
    """Deleted records that share a rare value with retained ones; None where that was not observed."""
    named: tuple[NamedInStore, ...] = Field(default=(), exclude_if=lambda value: not value)
    """Files of the store that name deleted people by their numbers: the records are among those that were found there."""
    derived_rows: DerivedRows | None = Field(default=None, exclude_if=lambda value: value is None)
    """How close deleted rows are to retained ones; None where nothing was deleted, or too few rows are left to measure it."""
    in_holdout: InHoldout | None = Field(default=None, exclude_if=lambda value: value is None)
    """What the holdout holds of the training data; None where it was not searched."""
    kept: tuple[Kept, ...] = ()
    """Every place that was searched or could not be, with its size."""
    controller: ControllerKept | None = Field(default=None, exclude_if=lambda value: value is None)
    """What a whole controller keeps; None where none was audited."""

    @property
    def rows_of_strangers(self) -> int:
        """Count the store's rows of people whom the training data do not know."""
        return sum(each.strangers for each in self.kept)

    @property
    def rows_changed(self) -> int:
        """Count its rows of retained people with other values than in training."""
        return sum(each.changed for each in self.kept)

    @property
    def perhaps_ids(self) -> Sequence[str]:
        """Requests of whose records retained ones look like copies, share a rare value, or look derived."""
        alike = Counted.of(self.copies).of_requests
        related_to = () if self.related is None or self.related.by_person else related.counted(self.related)
        derived = () if self.derived_rows is None else self.derived_rows.counting
        named = (() if alike is None else (alike,), (each.column for each in related_to), (view for view, _ in derived))
        return tuple(dict.fromkeys(name for those in named for each in those for name in each.request_ids))

    def perhaps_of_any(self, *, table: bool) -> bool:  # noqa: ARG002 - rows of strangers are counted apart
        """Whether rows look derived from deleted ones of which none is named."""
        return self.derived_rows is not None and any(not view.request_ids for view, _ in self.derived_rows.counting)


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
    open_to: Concerned | None = Field(default=None, exclude_if=lambda value: value is None)
    """The requests that open places concern; None where there are none, or where one may concern any."""
    copied: Concerned | None = Field(default=None, exclude_if=lambda value: value is None)
    """The requests whose copies count, whose records belong with retained ones, or of whose records others look derived."""
    derived: Count = Field(default=0, exclude_if=lambda value: not value)
    """Deleted records of which retained ones look derived, in the view that shows most of them."""
    any_request: bool = Field(default=True, exclude_if=bool)
    """Whether what is left open may concern any request, and not those alone that are named here."""


_IN_STORE: Final = "data.erased.place.store"


def judge(context: Context, observed: Observed, earlier: Earlier) -> Finding:
    """Count what was found of deleted records, and of people deleted from a whole controller; none may be left."""
    whole = None if observed.controller is None else accounting.judged(observed.controller)
    if not context.learns:
        return whole or inconclusive(Message("data.erased.controller.not-played"))
    found = _of_records(context, observed, earlier, alone=context.controller is None and whole is None)
    if whole is None:
        if context.controller is None or found.status is Status.FAIL:
            return found
        return replace(found, status=Status.INCONCLUSIVE, reasons=(*found.reasons, Message("data.erased.controller.not-played")))
    return replace(
        found,
        status=max(found.status, whole.status, key=_WORST.index),
        value=(found.value or 0.0) + (whole.value or 0.0),
        reasons=(*found.reasons, *whole.reasons),
        facts=found.facts if whole.status is Status.PASS else whole.facts,
    )


def _of_records(context: Context, observed: Observed, earlier: Earlier, *, alone: bool) -> Finding:
    """Count the deleted records that were found; none may be left, no place may be open, and no content unexplained."""
    room = _last_room(context, earlier)
    elsewhere = _open_elsewhere(observed, room)
    left_open, account = _open(context, observed, elsewhere), accounted(context, observed.kept, room, _found_in(observed))
    counted = Counted() if context.attests(COPIES) else Counted.of(observed.copies)
    belonging = _belonging(context, observed.related)
    derived = () if context.attests(COPIES) or observed.derived_rows is None else observed.derived_rows.counting
    open_to, something_to_find = _open_to(context, observed, left_open, elsewhere), context.log.batches > 0
    # Where not all deleted rows were measured, others may be those of which rows were derived.
    named = observed.derived_rows is None or _names_all(context, observed.derived_rows, derived)
    # Content that nothing accounts for, and columns that were fitted on deleted records, may concern any of them.
    unknown = bool(account.unexplained or fitted_columns(context)) or not (something_to_find and observed.searched)
    if observed.found:
        status = Status.FAIL
    elif left_open or counted.copies or belonging is not None or derived or unknown:
        status = Status.INCONCLUSIVE
    else:
        status = Status.PASS
    by_name = alone and named and status is Status.INCONCLUSIVE and not unknown and (open_to is not None or not left_open)
    return Finding(
        status=status,
        value=float(observed.found) if something_to_find or observed.found else None,
        threshold=0.0,
        reasons=_reasons(context, observed, left_open, account),
        derived=Derived(
            open_places=len(left_open),
            copies=None if observed.copies is None else Counted.of(observed.copies).copies,
            kept_bytes=sum(each.bytes for each in observed.kept),
            unexplained=account.unexplained,
            by_word=account.by_word,
            beyond=account.beyond,
            open_to=open_to,
            copied=_joined(counted.of_requests, belonging, *(view for view, _ in derived)),
            derived=max((step.found for _, step in derived), default=0),
            any_request=not by_name,
        ),
        facts=_facts(context, account, status),
    )


def _found_in(observed: Observed) -> dict[str, int]:
    """How many deleted records were found in each file of the store, by its path."""
    found: dict[str, int] = {}
    for each in observed.searched:
        if each.place.code == _IN_STORE:
            path = str(each.place.parameters.get("path"))
            found[path] = min(each.found, found.get(path, each.found))
    return found


def _names_all(context: Context, seen: DerivedRows, counting: tuple[tuple[ViewOfRows, Step], ...]) -> bool:
    """Whether the requests that views name are all whose records rows may have been derived from."""
    whole = seen.deleted + seen.apart >= context.case.training_records - context.case.records_left
    return not counting or (whole and all(view.request_ids for view, _ in counting))


def _last_room(context: Context, earlier: Earlier) -> CleanRoom | None:
    """The last release alongside clean rooms and runs with other records; None where `release.exact` observed none."""
    found = earlier.get(_EXACT)
    if found is None or not isinstance(found.observed, Exact):
        return None
    return next((each for each in found.observed.batches if each.batch == context.log.batches), None)


def _belonging(context: Context, seen: Related | None) -> Concerned | None:
    """The requests of people of whom further records are kept, by what these share; None where nothing shows any."""
    if seen is None:
        return None
    parted = Concerned(request_ids=seen.parted, subjects=seen.parted_subjects) if seen.parted else None
    found = () if seen.by_person or context.attests(COPIES) else tuple(each.column for each in related.counted(seen))
    shared = [Concerned(request_ids=each.request_ids, subjects=each.subjects) for each in found]
    return _joined(parted, *shared)


def _joined(*parts: Concerned | None) -> Concerned | None:
    """The requests of several, each once; None where there are none."""
    named = [each for each in parts if each is not None]
    if not named:
        return None
    rows = dict.fromkeys(row for each in named for row in zip(each.request_ids, each.subjects or each.request_ids, strict=True))
    subjects = tuple(subject for _, subject in rows) if any(each.subjects for each in named) else ()
    return Concerned(request_ids=tuple(request for request, _ in rows), subjects=subjects)


def levels(_context: Context, observed: Observed, _finding: Finding) -> tuple[Level, ...]:
    """Declare what the tests of copies, of related and of derived rows spend."""
    derived = (spent(DERIVED),) if observed.derived_rows is not None and observed.derived_rows.able else ()
    return (*near_copies.levels(observed.copies), *related.levels(observed.related), *derived)


def _open_elsewhere(observed: Observed, room: CleanRoom | None) -> tuple[int, ...]:
    """Where among the open places beyond the store those are that nothing closes.

    Numbers in other units that may be a deleted record's by chance are nobody's where a training that never held that record
    gave the very same: a state, a saved file, or a model file that is the saved one in its library's own format.
    """
    return tuple(
        at
        for at, place in enumerate(observed.open_elsewhere)
        if not (room is not None and _by_chance(place, observed.kept, room))
    )


def _by_chance(open_place: Message, kept: Sequence[Kept], room: CleanRoom) -> bool:
    place, why = (_said(open_place.parameters.get(each)) for each in ("place", "why"))
    if why[0] != BY_CHANCE:
        return False
    if place[0] in OF_MODEL:
        path = str(place[1].get("path"))
        as_saved = any(
            each.kind == "model file" and not each.unexplained and each.place.parameters.get("path") == path for each in kept
        )
        return as_saved and path.lower().endswith(OWN_FORMATS) and equal_in_room(room, "saved file")
    return place[0] in HANDED_OUT and equal_in_room(room, HANDED_OUT[place[0]])


BY_CHANCE: Final = "data.erased.open.other-units"
HANDED_OUT: Final[Mapping[str, Kind]] = {"data.erased.place.state": "state", "data.erased.place.saved": "saved file"}
OF_MODEL: Final = frozenset({"data.erased.place.model"})
OWN_FORMATS: Final = (".txt", ".json", ".ubj", ".skops")
"""Endings of model files that are accounted for as what the rerun saves, or not at all."""


def _said(message: object) -> tuple[str, Mapping[str, object]]:
    """Code and parameters of a message within another one, as it was noted or as it was read again."""
    if isinstance(message, Message):
        return message.code, message.parameters
    found = message if isinstance(message, Mapping) else {}
    parameters = found.get("parameters")
    return str(found.get("code")), parameters if isinstance(parameters, Mapping) else {}


def _open(context: Context, observed: Observed, elsewhere: tuple[int, ...]) -> tuple[Message, ...]:
    """Every open place. A store in which not even a kept record is recognised is one: its form may hide any record.

    What the controller says of all that could not be read in its store closes the places there.
    """
    if context.attests(STORE_CLEAN):
        return (*filter(_is_untried, observed.open_in_store), *(observed.open_elsewhere[at] for at in elsewhere))
    unseen: tuple[Message, ...] = ()
    if context.case.store is not None and not observed.recognised_in_store:
        named = {"place": Message("data.erased.place.data-store"), "why": Message("data.erased.open.not-recognised")}
        unseen = (Message("data.erased.open.place", named),)
    return (*observed.open_in_store, *unseen, *(observed.open_elsewhere[at] for at in elsewhere))


def _is_untried(place: Message) -> bool:
    return _said(place.parameters.get("why"))[0] == UNTRIED


def _open_to(
    context: Context, observed: Observed, left_open: tuple[Message, ...], elsewhere: tuple[int, ...]
) -> Concerned | None:
    """The requests that open places concern; None where there are none, or where one may concern any."""
    stored, listed = len(observed.open_in_store), observed.open_to
    if not left_open or len(listed) != stored + len(observed.open_elsewhere) or len(left_open) > len(listed):
        return None
    in_store = () if context.attests(STORE_CLEAN) else listed[:stored]
    places = [each for each in (*in_store, *(listed[stored + at] for at in elsewhere)) if each is not None]
    return None if len(places) < len(left_open) else _joined(*places)


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
    if observed.named:
        reasons.insert(1, _named(observed.named))
    reasons += _of_rows(context, observed)
    if fitted := fitted_columns(context):
        reasons.append(Message("data.erased.preprocessing", {"found": fitted}))
    reasons += _of_account(observed, account)
    if observed.by_identifier_only:
        reasons.append(Message("data.erased.by-identifier-only", {"records": observed.by_identifier_only}))
    if observed.deleted > deleted:
        reasons.append(Message("data.erased.looked-for-ids", {"ids": observed.deleted - deleted}))
    return tuple(reasons)


def _of_rows(context: Context, observed: Observed) -> Iterator[Message]:
    """What is said of rows that are like deleted ones, or belong with them."""
    copies, held = observed.copies, observed.in_holdout
    if copies is not None:
        yield from near_copies.sentences(copies, word=context.attests(COPIES))
    if held is not None and held.found:
        yield Message("data.erased.in-holdout", {"records": held.found, "retained": held.retained})
    yield from related.sentences(observed.related, word=context.attests(COPIES))
    if observed.derived_rows is not None:
        yield from _derived(context, observed.derived_rows)


def _named(files: tuple[NamedInStore, ...]) -> Message:
    """Where the store names deleted people by their numbers."""
    shown = [{"place": each.place, "column": each.column or "", "links": each.links} for each in files[:MOST_NAMED]]
    return Message("data.erased.named", {"where": shown, "more": len(files) - len(shown)})


def _derived(context: Context, seen: DerivedRows) -> Iterator[Message]:
    """What is said of rows that are declared to be made from others, and of those that look it."""
    if seen.declared:
        yield Message("data.erased.derived-declared", {"rows": seen.declared})
    code = "data.erased.derived-attested" if context.attests(COPIES) else "data.erased.derived"
    for view, step in seen.counting:
        yield Message(code, {"records": step.found, "of": seen.deleted, "view": view.view})


def _of_account(observed: Observed, account: Account) -> Iterator[Message]:
    """What is said of everything that is kept: its size, what nothing accounts for, and what rests on a word alone."""
    if observed.kept:
        size = sum(each.bytes for each in observed.kept)
        open_ = sum(each.bytes for each in (*account.unexplained, *account.by_word))
        yield Message("data.erased.kept", {"bytes": size, "places": len(observed.kept), "unexplained": open_})
    rows = {name: sum(getattr(each, name) for each in observed.kept) for name in ("strangers", "changed", "declared")}
    if any(rows.values()):
        yield Message("data.erased.people", rows)
    if code := tuple(each for each in account.unexplained if each.word == CODE_CLEAN):
        constants = sum(each.bytes if each.constants is None else each.constants for each in observed.kept if each.kind == "code")
        yield Message("data.erased.unread", {**_listed(code), "constants": constants})
    if other := tuple(each for each in account.unexplained if each.word != CODE_CLEAN):
        words = sorted({each.word for each in other if each.word is not None})
        yield Message("data.erased.unexplained", {**_listed(other), "words": words})
    open_ones = [each.place for each in account.unexplained]
    if roomy := tuple(each for each in accounting.with_room(observed.kept) if each.place in open_ones):
        yield _spare(roomy)
    for word in sorted({each.word or "" for each in account.by_word}):
        items = tuple(each for each in account.by_word if each.word == word)
        yield Message("data.erased.by-word", {**_listed(items), "word": word})
    if account.beyond:
        names = [{"kind": each.kind, "name": each.name, "bytes": each.bytes} for each in account.beyond[:MOST_NAMED]]
        yield Message("data.erased.beyond", {"items": names, "more": len(account.beyond) - len(names)})


def _spare(roomy: tuple[Kept, ...]) -> Message:
    """Which numbers of databases could carry too much, the roomiest first."""
    named = [
        {
            "place": each.place,
            "bits": each.spare_bits,
            "names": [most.name for most in sorted(each.spare, key=lambda most: -most.bits)[:MOST_NAMED]],
        }
        for each in roomy[:MOST_NAMED]
    ]
    limits = {"each": accounting.SPARE_EACH, "in_all": accounting.SPARE_IN_ALL}
    return Message("data.erased.spare", {"items": named, "more": len(roomy) - len(named), **limits})


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


def declarations(_context: Context, observed: Observed) -> tuple[str, ...]:
    """Name what the case declares of its rows that kept something from counting: whose they are, and what they were made from."""
    of_people = observed.related is not None and observed.related.by_person and bool(related.counted(observed.related))
    rows = observed.derived_rows
    derived = rows is not None and rows.declared > rows.apart
    return (*((PEOPLE,) if of_people else ()), *((DERIVATIONS,) if derived else ()))


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
    if seen.related is not None:
        yield from _of_related(evidence, seen.related)
    if seen.derived_rows is not None:
        yield from _of_derived(evidence, seen.derived_rows)
    if seen.in_holdout is not None and seen.in_holdout.found > seen.deleted:
        yield f"{seen.in_holdout.found} deleted records are in the holdout, of {seen.deleted}"
    if seen.named and not (seen.found and evidence.case.store is not None):
        yield "the store names deleted people, and no record of theirs was found in it"
    yield from _kept(evidence, seen.kept)


def _of_related(evidence: Evidence, seen: Related) -> Iterator[str]:
    """Related records are those of the case, and requests those of its log."""
    case = evidence.case
    if (seen.deleted, seen.retained) != (case.training_records - case.records_left, case.records_left):
        yield f"{seen.deleted} deleted and {seen.retained} retained records were compared, the case has others"
    named = {each for column in seen.columns for each in column.request_ids} | set(seen.parted)
    if foreign := sorted(named - {each.request_id for each in evidence.requests}):
        yield f"{', '.join(foreign[:3])} is no request of the log"


def _of_derived(evidence: Evidence, seen: DerivedRows) -> Iterator[str]:
    """Rows that were measured are those of the case, and requests those of its log."""
    case, drawn = evidence.case, max((max(each.retained_looked_at, each.neighbours_looked_at) for each in seen.views), default=0)
    gone = case.training_records - case.records_left
    if seen.deleted + seen.apart > gone or drawn + seen.declared - seen.apart > case.records_left or seen.apart > seen.declared:
        yield f"{seen.deleted} deleted and {drawn} retained rows were measured, and {seen.declared} left out; the case has others"
    named = {each for view in seen.views for each in view.request_ids}
    if foreign := sorted(named - {each.request_id for each in evidence.requests}):
        yield f"{', '.join(foreign[:3])} is no request of the log"


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


CHECK = Definition(
    CARD,
    Observed,
    judge,
    replays=True,
    first=always_first,
    wanted=lambda _context: True,
    declared_facts=facts,
    declarations=declarations,
    contradictions=contradictions,
    derived=(Derived,),
    levels=levels,
)
