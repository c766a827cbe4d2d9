"""Say what was examined of the model file, the data store and the places beyond it: every page asks here, and works nothing out.

Pure, over the evidence alone.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from datetime import date, timedelta
from enum import StrEnum
from typing import Final, Literal, TypeAlias

from auditor.base.deletion_log.deadlines import erased_on
from auditor.base.deletion_log.receipts import covering
from auditor.base.deletion_log.requests import RequestOutcome
from auditor.base.domain import Check, Status
from auditor.document.evidence import Evidence
from auditor.settings.attestations import CODE_CLEAN, LINEAGE, PREPROCESSING, UNREAD
from auditor.settings.documents import OutsidePlace
from auditor.settings.receipts import Receipt
from auditor.verdict.checks import derived_in, the
from auditor.verdict.checks.card import Role
from auditor.verdict.checks.readings import ByPlace, LeavesOpen

BACKUPS: Final = "backups"
RECIPIENTS: Final = "recipients"
EMBEDDINGS: Final = "embeddings"
MADE: Final = "derived models"
KINDS: Final = (BACKUPS, "caches", "feature stores", EMBEDDINGS, RECIPIENTS, MADE)
"""Places beyond the data store that every report names, declared or not."""
STORED: Final = frozenset({"copies-are-others", UNREAD})
"""Statements that a search may rest on."""


class ModelFile(StrEnum):
    """What was examined of the model file about to be released, and what came of it."""

    SAME = "same"
    """It holds all that predicts, and is the model that the declared procedure produces."""
    PART = "part"
    """The same of the one step that it holds; no other step was given."""
    OTHER = "other"
    """It is not that model."""
    OPEN = "open"
    """It was given, and whether it is that model is not settled."""
    NONE = "none"
    """No file was given: the audit covers the procedure alone, or a program in which nothing learns."""
    ANSWERS = "answers"
    """Answers were given in its place, as the controller wrote them down."""

    @property
    def settled(self) -> bool:
        """Whether it was compared with what the procedure produces, and a decision came of it, for the whole model."""
        return self in {ModelFile.SAME, ModelFile.OTHER}


Whose: TypeAlias = Literal["all", "some"]
"""Of whom something holds."""


class Searched(StrEnum):
    """What was searched of everything that is kept, and what came of it."""

    CLEAN = "clean"
    TRUSTED = "trusted"
    """Nothing was found, if what somebody says of the rest is true."""
    FOUND = "found"
    OPEN = "open"
    """Nothing certain was found, and not all of it could be read or explained."""
    ELSEWHERE = "elsewhere"
    """The store was read and explained whole, and nothing was found in it; what else is kept is not settled."""
    UNSEARCHED = "unsearched"
    """It was given, and nothing was searched, or the search broke off."""
    NONE = "none"
    """No data store was given."""


class Recipients(StrEnum):
    """What is said of those who received the records."""

    LOGGED = "logged"
    """The log says of a deletion whether recipients were told, or that there were none."""
    DECLARED = "declared"
    """They are declared among the places beyond the store."""
    SILENT = "not"


def recipients(evidence: Evidence) -> Recipients:
    """Say what is said of recipients: the controller's word at best, as no check asks them."""
    if any(each.recipients_notified is not None for each in evidence.requests if each.deleted_at is not None):
        return Recipients.LOGGED
    return Recipients.DECLARED if declared(evidence.outside, RECIPIENTS) else Recipients.SILENT


def denied_recipients(evidence: Evidence) -> tuple[RequestOutcome, ...]:
    """Give the deletions of which the log says that nobody received the data, though the case or a receipt names somebody."""
    named = declared(evidence.outside, RECIPIENTS)
    nobody = [each for each in evidence.requests if each.deleted_at is not None and each.recipients_notified == ()]
    return tuple(each for each in nobody if named or covering(evidence.receipts, each))


def told_recipients(evidence: Evidence) -> tuple[int, int]:
    """Count the deletions of which the log says that all recipients were told, or that there were none, and all deletions.

    Where the case or a receipt names somebody, the log's word that there were none is no such answer.
    """
    done, denied = [each for each in evidence.requests if each.deleted_at is not None], denied_recipients(evidence)
    told = (each.recipients_notified for each in done if each not in denied)
    return sum(each is not None and all(one.notified for one in each) for each in told), len(done)


def covered_by(evidence: Evidence, receipt: Receipt) -> tuple[RequestOutcome, ...]:
    """Give the requests that a receipt covers: of one for all, those that were received by its day."""
    return tuple(each for each in evidence.requests if receipt.covers(each.request_id, each.received_on))


def model_file(evidence: Evidence) -> ModelFile:
    """Say what was examined of the model file."""
    if evidence.case.model is None:
        return ModelFile.NONE if evidence.reruns else ModelFile.ANSWERS
    match status_of(evidence, Role.COMPARES_FILE):
        case Status.PASS:
            return ModelFile.SAME if evidence.case.model_alone else ModelFile.PART
        case Status.FAIL:
            return ModelFile.OTHER
        case _:
            return ModelFile.OPEN


def carries(evidence: Evidence) -> bool:
    """Whether the audit found that the data or the code of the procedure hold something of deleted records.

    A rerun that equals a retrained model shows no forgetting then: both were given it.
    """
    return not {PREPROCESSING, CODE_CLEAN}.isdisjoint(evidence.reliance.contradicted)


def retrained(evidence: Evidence) -> bool:
    """Whether the rerun equals a model that was trained without the deleted records, and was given nothing else of them."""
    return status_of(evidence, Role.EXACT) is Status.PASS and not carries(evidence)


def beside_the_release(evidence: Evidence) -> Literal["given", "other"] | None:
    """Why a rerun that equals a retrained model says nothing of the release; None where it does.

    What is released was `given` something of the deleted records, or is an `other` model.
    """
    return "given" if carries(evidence) else "other" if model_file(evidence) is ModelFile.OTHER else None


def searched(evidence: Evidence) -> Searched:
    """Say what was searched of what is kept: of the data store where something learns, of places, of a program's state."""
    check = search_of(evidence)
    if check is not None and check.status is Status.FAIL and check.value:
        return Searched.FOUND
    if evidence.learns and evidence.case.store is None:
        return Searched.NONE
    if check is None or check.status in {Status.SKIPPED, Status.ERROR}:
        return Searched.UNSEARCHED
    if check.status is not Status.PASS:
        by_word = any(each.name == UNREAD for each in evidence.premises)
        return Searched.ELSEWHERE if evidence.examined.store and not by_word else Searched.OPEN
    return Searched.TRUSTED if on_trust(evidence) else Searched.CLEAN


def procedure_only(evidence: Evidence) -> bool:
    """Whether a result is about the procedure alone: no whole model was compared with it."""
    return evidence.learns and evidence.reruns and not model_file(evidence).settled


def on_trust(evidence: Evidence) -> bool:
    """Whether a search that found nothing rests on somebody's word; so does one of which nobody can read what it left open."""
    if by_word(evidence):
        return True
    left = _left_open(evidence)
    return left is not None and bool(left.unexplained or left.open_places)


def by_word(evidence: Evidence) -> bool:
    """Whether something that a search left is cleared by nothing but somebody's word, whatever was found elsewhere."""
    if search_of(evidence) is None:
        return False
    if any(each.name in STORED and each.standing in {"said", "unsaid"} for each in evidence.premises):
        return True
    try:
        left = _left_open(evidence)
    except ValueError:
        return True
    return left is not None and bool(left.by_word)


def _left_open(evidence: Evidence) -> LeavesOpen | None:
    """What a search left open, or to somebody's word.

    Raises:
        ValueError: If nobody can read it.
    """
    check = search_of(evidence)
    left = None if check is None else derived_in(check, evidence.version)
    return left if isinstance(left, LeavesOpen) else None


def open_places(evidence: Evidence) -> tuple[str, ...]:
    """Name the places of a case of places alone in which nothing was found, and which could not be cleared."""
    found = _by_place(evidence)
    return () if found is None else tuple(each.name for each in found.places if "open" in {each.answers, each.disk})


def without_values(evidence: Evidence) -> Whose | None:
    """Of whom places were searched for ids and what the log names alone, for nobody gave their values; None for nobody."""
    found = _by_place(evidence)
    if found is None or not found.without_values:
        return None
    return "all" if found.without_values >= evidence.case.training_records - evidence.case.records_left else "some"


def _by_place(evidence: Evidence) -> ByPlace | None:
    check = search_of(evidence) if evidence.places_alone else None
    try:
        derived = None if check is None else derived_in(check, evidence.version)
    except ValueError:
        return None
    return derived if isinstance(derived, ByPlace) else None


def undeclared(evidence: Evidence) -> tuple[str, ...]:
    """Name the kinds of places about which nothing is declared."""
    said = {EMBEDDINGS if each.kind == EMBEDDINGS else MADE for each in evidence.lineage}
    if any(each.name == LINEAGE for each in evidence.policy.attested):
        said.add(MADE)
    return tuple(kind for kind in KINDS if kind not in said and not declared(evidence.outside, kind))


def declared(outside: Iterable[OutsidePlace], kind: str) -> bool:
    """Whether a place of a kind is declared."""
    return bool(of_kind(outside, kind))


def of_kind(outside: Iterable[OutsidePlace], kind: str) -> tuple[OutsidePlace, ...]:
    """The declared places of a kind."""
    return tuple(each for each in outside if is_kind(each.name, kind))


def is_kind(name: str, kind: str) -> bool:
    """Whether a place with this name is one of a kind."""
    return kind.rstrip("s") in name.casefold()


def last_erasure(requests: Iterable[RequestOutcome]) -> date | None:
    """The last day on which data were erased, as logged; None where none were."""
    return max((day for each in requests if (day := erased_on(each)) is not None), default=None)


def are_backups_dated(outside: Iterable[OutsidePlace], erased: date | None) -> bool:
    """Whether backups are declared, each with a day, and none with one before an erasure.

    A backup that was made until the erasure holds what was erased: a day before it says nothing of that one.

    Args:
        outside: Places beyond the store, as declared.
        erased: The day of the erasure; None where nothing was erased.
    """
    places = of_kind(outside, BACKUPS)
    named = any(each.name.strip().casefold() == BACKUPS for each in places)
    return named and all(each.until is not None and (erased is None or each.until >= erased) for each in places)


def gone(
    until: date | None, erased: date | None, *, found: bool, marked: bool
) -> Literal["open", "before", "found", "marked", "until"]:
    """Say what the day by which nothing is left in a place comes to for one request: letter, reply and report ask here.

    A copy that was made until the erasure holds what was erased, and one that is made of what is still there holds it as well.

    Args:
        until: The day, as declared.
        erased: The day of the erasure; None where nothing was erased.
        found: Whether the audit found the data again.
        marked: Whether the log itself calls the data marked as erased, and still there.
    """
    if until is None:
        return "open"
    if found:
        return "found"
    if marked:
        return "marked"
    return "before" if erased is not None and until < erased else "until"


def is_short(place: OutsidePlace, erased: date | None) -> bool:
    """Whether the day by which nothing is left in a place is too early for one erasure, by what is said of the place itself.

    One day is declared for everybody, and goes on standing there: copies that are overwritten after 60 days hold what was erased
    in the week before it.
    """
    if place.until is None or erased is None:
        return False
    spans = [int(number) * _DAYS[unit.casefold()] for number, unit in _KEPT_FOR.findall(place.what)]
    # Days are compared, not added to a date that may lie at the edge of the calendar.
    return bool(spans) and timedelta(days=max(spans)) > place.until - erased


_DAYS: Final = {"day": 1, "week": 7, "month": 28, "year": 365}
"""At least: what is too early by these is so by the calendar."""
_KEPT_FOR: Final = re.compile(
    r"\b(?:kept|keep|keeps|retain\w*|overwrit\w*|delet\w*|expir\w*|rotat\w*|gone|lasts?|for|after|within)\W+(?:\w+\W+){0,2}?"
    r"(\d{1,4})[ -](day|week|month|year)s?\b",
    re.IGNORECASE,
)
"""How long copies last, as declarations say it: overwritten after 60 days, kept for 8 weeks."""


def alone(evidence: Evidence) -> str:
    """Name what a case in which nothing learns is of: `program` or `places`."""
    return "places" if evidence.places_alone else "program"


def searching(evidence: Evidence) -> Role:
    """Name the role of the check that searches what is kept."""
    return Role.SEARCHES_PLACES if evidence.places_alone else Role.SEARCHES


def without_deadlines(evidence: Evidence) -> bool:
    """Whether a search of places asks for less than the default in this alone: deadlines are checked and do not decide."""
    relied = evidence.reliance
    apart = relied.left_out == (the(Role.CHECKS_DEADLINES, evidence.version),)
    return evidence.places_alone and apart and not relied.weakenings


def search_of(evidence: Evidence) -> Check | None:
    """The check that searches what is kept: of the places, where the case has nothing else."""
    return check_of(evidence, searching(evidence))


def check_of(evidence: Evidence, role: Role) -> Check | None:
    """The check that has a role, which one check has; None where the evidence does not list it."""
    return next((each for each in evidence.checks if each.id == the(role, evidence.version)), None)


def status_of(evidence: Evidence, role: Role) -> Status | None:
    """The status of that check."""
    check = check_of(evidence, role)
    return None if check is None else check.status
