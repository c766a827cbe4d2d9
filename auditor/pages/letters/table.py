"""Lay out the table of a letter, by what became of the request."""

from __future__ import annotations

from collections.abc import Iterator

from auditor.base.deletion_log.deadlines import says_nothing
from auditor.pages.letters import (
    forgetting,
    model_version,
    places,
    punctuality,
    recipients,
    refusals,
    stored_data,
    undertakings,
    waits,
)
from auditor.pages.letters.known import Known
from auditor.pages.letters.own_words import theirs
from auditor.pages.letters.rows import NONE, Row
from auditor.pages.words.texts import text


def rows(known: Known) -> Iterator[Row]:
    """The table, by what became of the request."""
    match known.request.status:
        case "executed":
            with_model = (model_version.version(known), forgetting.forgot(known))
            of_model = (model_version.no_model(known),) if known.letter.case.places_alone else with_model
            yield from (stored_data.stored(known), *stored_data.kept(known), *of_model, recipients.recipients(known))
        case "denied":
            yield from refusals.refusal(known)
        case "open" if punctuality.is_contradicted(known.request):
            yield from stored_data.kept(known)
        case "open":
            yield from (stored_data.still_open(known), *stored_data.kept(known), *model_version.still_open(known))
            if punctuality.is_erased_while_open(known.request):
                yield recipients.recipients(known)
        case status:
            yield _not_erased(known, status)
    yield from waits.still_asked(known)
    if following := tuple(undertakings.following(known)):
        yield Row(text("letter-row-next"), "", *NONE, following)
    if punctuality.is_erased(known.request):
        yield Row(text("letter-row-unchecked"), "", *NONE, tuple(places.unchecked(known)))


def _not_erased(known: Known, status: str) -> Row:
    """What was looked for, or what became of it, where nothing was erased, refused or is still to be done."""
    names: tuple[str, ...] = (f"letter-{status}",)
    noted = {"no-match": "letter-searched-as-logged", "revoked": "letter-withdrawn-as-logged"}.get(status)
    if status == "no-match" and known.request.search == "found":
        names = ("letter-no-match-found",)
    elif status == "no-match":
        unsaid = ("letter-searched-unsaid",) if says_nothing(known.request.reason) else ()
        word = "word" if refusals.attests_nothing_held(known.request) else "unsaid"
        names = (*names, *unsaid, f"letter-no-match-{word}", refusals.further(known.request))
    elif status == "revoked" and punctuality.is_contradicted(known.request):
        names = ("letter-revoked-logged",)
    elif status == "not-located":
        names = (*names, refusals.further(known.request))
    return _found_row(known, *names, noted=noted)


def _found_row(known: Known, *names: str, noted: str | None = None) -> Row:
    """What was looked for, and what the log notes of that, after the first of some messages."""
    first, *others = (text(name, **known.whose) for name in names)
    reason = known.request.reason
    if noted is not None and not says_nothing(reason):
        others.insert(0, text(noted, said=theirs((reason or "").rstrip(" ."))))
    label = "letter-row-withdrawn" if known.request.status == "revoked" else "letter-row-found"
    return Row(text(label), "", *NONE, (first, *others))
