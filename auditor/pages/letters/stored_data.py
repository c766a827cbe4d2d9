"""Say what became of the stored data, and what of it the controller keeps."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Final

from auditor.base.deletion_log.requests import KeptData
from auditor.pages import wording
from auditor.pages.letters import (
    dates,
    punctuality,
)
from auditor.pages.letters.known import Known
from auditor.pages.letters.own_words import theirs
from auditor.pages.letters.parts import RequestPart
from auditor.pages.letters.rows import BAD, GOOD, NONE, OPEN, PART, Row
from auditor.pages.words.texts import text

MOST_KEPT: Final = 3


def stored(known: Known) -> Row:
    """When the stored data were erased by the log, and what a search found of them."""
    request = known.request
    if request.erased_on is None:
        dated = text("letter-undated")
    else:
        sure = known.letter.confirmed and not known.is_marked
        name = "letter-open-marked" if known.is_marked else "letter-erased" if sure else "letter-dated"
        dated = text(name, on=wording.day(request.erased_on), **({} if name != "letter-open-marked" else known.whose))
    word, found, tone = {
        "not-found": (
            "letter-word-gone" if known.is_clear else known.of_places("letter-word-no-copy"),
            "letter-searched-file" if known.is_clear else known.of_places("letter-searched-store"),
            PART if request.by_word or request.program_by_word or request.may_be_others is not None else GOOD,
        ),
        "found": ("letter-word-found", "letter-found", BAD),
        "open": ("letter-word-undecided", "letter-search-open", OPEN),
        "not-examined": ("letter-word-unchecked", "letter-search-none", NONE),
    }[request.search]
    logical = (text("letter-logical", **known.whose),) if known.is_marked and request.erased_on is None else ()
    if request.may_be_others == "own":
        word, found = "letter-word-said", known.of_places("letter-searched-said")
    if known.is_marked and request.search == "not-found":
        # What is only marked may be what a search passes over: that it found nothing is no all-clear.
        word, tone = "letter-word-undecided", OPEN
    if known.is_overwriting_unknown:
        logical, tone = (text("letter-overwritten-unknown", **known.whose),), PART if tone is GOOD else tone
    doubt = "letter-search-quoted" if may_be_quoted(request) else "letter-search-doubt"
    searched = doubted(doubt, known.request, **known.whose) or text(found, **known.whose)
    prepared: tuple[str, ...] = ()
    if known.is_prepared:
        prepared = (text("letter-prepared", **known.whose),)
        if request.search == "open" and not request.doubts:
            searched = text("letter-searched-no-copy", **known.whose)
        if tone is not BAD:
            word, tone = "letter-word-prepared", BAD
    said = (dated, *dates.lateness(known, request.erased_on), *logical, searched, *prepared, *_unseen(known))
    return Row(text("letter-row-stored"), text(word), *tone, said)


def doubted(name: str, request: RequestPart, **given: str) -> str:
    """Say that a search found nothing, and where something may be left all the same; empty where it left nothing open."""
    if not request.doubts:
        return ""
    kinds = [
        text(f"letter-doubt-{each.kind}", **({} if each.kind != "code" else {"size": _size(each.bytes or 0)}))
        for each in request.doubts
    ]
    return f"{text(name, **given)} {wording.listed(kinds)}."


def may_be_quoted(request: RequestPart) -> bool:
    """Whether words were found that may be this person's, or anyone's: then no page says flatly that nothing was found."""
    return any(each.kind in {"quoted", "untold"} for each in request.doubts)


def _size(count: int) -> str:
    """A number of bytes in kilobytes, rounded up."""
    return f"{math.ceil(count / 100) / 10:g} kB"


def still_open(known: Known) -> Row:
    """That the stored data of a request that is open are still there, or the day on which the log has them erased."""
    label, erased = text("letter-row-stored"), known.request.erased_on
    if known.is_missing:
        return Row(label, text("letter-word-undecided"), *OPEN, (text("letter-open-missing", **known.whose),))
    if erased is None or not punctuality.is_erased_while_open(known.request):
        return Row(label, text("letter-word-not-yet"), *NONE, (text("letter-not-erased", **known.whose),))
    dated = text(f"letter-open-{'marked' if known.is_marked else 'erased'}", on=wording.day(erased), **known.whose)
    unknown = (text("letter-overwritten-unknown", **known.whose),) if known.is_overwriting_unknown else ()
    noticed = (text("letter-open-noticed"),) if known.request.unrecorded else ()
    # What is kept was not erased: a row below says what it is.
    part = (text("letter-short-kept"),) if known.request.kept else ()
    # Where a model is still to be updated a row says so.
    explained = known.request.undertaking is not None or (
        known.request.model_erased_on is None and not known.letter.case.places_alone
    )
    why = () if explained else (text("letter-open-unexplained"),)
    said = (dated, *dates.lateness(known, erased), *part, *unknown, text("letter-open-unsearched"), *noticed, *why)
    return Row(label, text("letter-word-by-log"), *NONE, said)


def _unseen(known: Known) -> Iterator[str]:
    """What a search that found nothing could not see."""
    if known.request.search != "not-found":
        return
    if known.request.may_be_others == "some":
        yield text("letter-searched-said-of-some")
    if known.request.program_by_word:
        yield text("letter-searched-program")
    yield text("letter-searched-in-part" if known.request.by_word else "letter-searched-plain")
    if known.letter.case.without_values is not None:
        yield text("letter-searched-by-id", whose=known.letter.case.without_values)
    if not (known.is_clear or known.letter.case.places_alone):
        yield text("letter-searched-copies")


def kept(known: Known) -> Iterator[Row]:
    """What the controller keeps of the person's, by its log."""
    kept = known.request.kept
    if not kept:
        return
    said = [each for one in kept[:MOST_KEPT] for each in _kept_one(known, one)]
    more = [text("letter-kept-more", count=len(kept) - MOST_KEPT)] if len(kept) > MOST_KEPT else []
    yield Row(text("letter-row-kept"), text("letter-word-by-log"), *NONE, (*said, *more, text("letter-kept-unchecked")))


def _kept_one(known: Known, kept: KeptData) -> Iterator[str]:
    """One thing that is kept, until when, and the point of the law that the log names for it."""
    name = "letter-kept" if kept.until is None else f"letter-kept-until{'-past' if known.has_passed(kept.until) else ''}"
    yield text(
        name,
        what=theirs(wording.short(kept.what, 90).rstrip(" .")),
        why=theirs(wording.short(kept.why, 90).rstrip(" .")),
        **({} if kept.until is None else {"on": wording.day(kept.until)}),
    )
    if kept.exception is not None and known.law and not known.has_passed(kept.until):
        yield text(f"reply-exception-{kept.exception.value}", law=known.law)
