"""Say what nobody checked: other places, backups among them, and what was made from the model."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from auditor.base.deletion_log.requests import StorageState
from auditor.document.conclusions import Descent
from auditor.pages import wording
from auditor.pages.letters import (
    overleaf,
    punctuality,
    statements,
)
from auditor.pages.letters.known import Known
from auditor.pages.letters.own_words import first_capital
from auditor.pages.letters.parts import Extract, MadePart
from auditor.pages.letters.rows import MOST
from auditor.pages.words.lineage import sentences
from auditor.pages.words.texts import text
from auditor.settings.documents import OutsidePlace
from auditor.verdict import examination


def places(known: Known) -> Iterator[str]:
    """Places that no check looks into, as declared."""
    if not punctuality.is_erased(known.request):
        return
    for each in known.letter.case.outside[:MOST]:
        given = {"name": wording.short(each.name, 60), "what": wording.short(each.what, 120)}
        given["by"] = wording.short(each.declared_by, 60)
        if each.until is None:
            yield text("letter-outside-plain", **given)
        else:
            given["erased"] = wording.day(known.request.erased_on)
            yield text(f"letter-outside-{gone(known.letter, each)}", until=wording.day(each.until), **given, **known.whose)
    for one in known.request.made[:MOST]:
        given = {"name": wording.short(one.name, 60), "by": wording.short(one.declared_by, 60)}
        yield text("letter-made", said=sentences(one.descent, one.day, one.made_on, one.plan), **given)


def unchecked(known: Known) -> Iterator[str]:
    """What nobody checked: places and things by the names under which they are declared, and the rest."""
    declared = [wording.short(each.name, 40) for each in known.letter.case.outside]
    if declared:
        yield text("letter-unchecked-declared", names=first_capital(wording.listed(dict.fromkeys(declared), MOST)))
    yield text(known.of_places(f"letter-unchecked{'-rest' if declared else ''}"))
    if known.letter.case.builds_on_files:
        yield text("letter-unchecked-base")
    open_ = [each for each in known.request.made if each.descent.open]
    for name, things in (
        ("before", [each for each in open_ if _is_from_before(known, each)]),
        ("unclear", [each for each in open_ if not _is_from_before(known, each)]),
    ):
        if things:
            names = wording.listed([wording.short(each.name, 40) for each in things], MOST)
            yield text(f"letter-unchecked-made-{name}", names=names)
    if tuple(places(known)):
        yield text("letter-unchecked-said")
    if statements.further(known):
        yield text("letter-unchecked-further")
    if tuple(overleaf.unsettled(known)):
        yield text("letter-unsettled-overleaf")


def _is_from_before(known: Known, made: MadePart) -> bool:
    """Whether a thing was made from the model before it was replaced for this request, by the days that are declared."""
    if made.descent is not Descent.PLANNED or made.made_on is None:
        return made.descent is Descent.EARLIER
    # What is to be retired stays open for whatever reason it has; what is to be made again is as old as it is.
    updated = known.request.model_erased_on or known.request.erased_on
    again = made.plan is not None and not made.plan.retired
    return again or (updated is not None and made.made_on < updated)


def gone(letter: Extract, place: OutsidePlace) -> Literal["open", "before", "short", "found", "marked", "unknown", "until"]:
    """Say what the day by which nothing is left in a place comes to for this request."""
    request = letter.request
    marked = request.storage_state is StorageState.LOGICAL
    state = examination.gone(place.until, request.erased_on, found=request.search == "found", marked=marked)
    # What nobody knows to be overwritten may be in copies that were made since.
    if state == "until" and request.storage_state is StorageState.UNKNOWN:
        return "unknown"
    return "short" if state == "until" and examination.is_short(place, request.erased_on) else state
