"""Say why a request was refused: its ground, the exception or rule relied on, and the reason."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from auditor.base.deletion_log.deadlines import says_nothing
from auditor.base.deletion_log.requests import Regime
from auditor.pages.letters import (
    identity,
    model_version,
    punctuality,
    stored_data,
)
from auditor.pages.letters.known import Known
from auditor.pages.letters.own_words import theirs
from auditor.pages.letters.parts import RequestPart
from auditor.pages.letters.rows import NONE, Row
from auditor.pages.words.texts import text
from auditor.settings.attestations import NOTHING_HELD

_EXCEPTION: Final = re.compile(r"17\s*\(3\)\s*\(?([a-e])\b", re.IGNORECASE)
"""Article 17(3) of the GDPR and the UK GDPR: a letter says in words what each of its points is about."""


def refusal(known: Known) -> Iterator[Row]:
    """The decision, and everything that it rests on."""
    request, contradicted = known.request, punctuality.is_contradicted(known.request)
    # Next to a date of an erasure nobody knows that nothing was erased.
    decided = "letter-denied-logged" if contradicted else "letter-denied"
    unverified = (text("letter-denied-unverified"),) if identity.is_unverified(request) else ()
    yield Row(text("letter-row-decision"), text("letter-word-refused"), *NONE, (text(decided, **known.whose), *unverified))
    if request.ground is not None:
        yield Row(text("letter-row-ground"), "", *NONE, (theirs(request.ground),))
    owed = text("letter-reason-owed"), text("letter-no-reason")
    exception = text("letter-no-exception") if says_nothing(request.exception) else _exception(known)
    rests = "unverified" if identity.rests_on_a_rule(request) else "exception"
    yield Row(text(f"letter-row-{rests}"), "", *NONE, (exception,))
    yield Row(
        text("letter-row-reason"),
        "",
        *NONE,
        owed if says_nothing(request.reason) else (theirs(request.reason),),
    )
    yield from stored_data.kept(known)
    if not (contradicted or known.letter.case.places_alone):
        yield Row(text("letter-row-model"), "", *NONE, (text("letter-denied-model", **known.whose), model_version.used(known)))


def _exception(known: Known) -> str:
    return exception_in_words(known.request.regime, known.request.exception, theirs(known.request.exception))


def attests_nothing_held(request: RequestPart) -> bool:
    """Say whether the controller attests that nothing is held, under any name, of people who were told so."""
    return request.status == "no-match" and request.word is not None and NOTHING_HELD in request.word.names


def further(request: RequestPart) -> str:
    """Name the message that asks for further details where nothing was found."""
    return "letter-further-checked" if attests_nothing_held(request) else "letter-further"


def exception_in_words(regime: Regime, said: str | None, shown: str) -> str:
    """Say of an exception that names a point of Article 17(3) what that is about."""
    point = _EXCEPTION.search(said or "") if regime is not Regime.CCPA else None
    return shown if point is None else text(f"letter-exception-{point[1].lower()}", said=shown)
