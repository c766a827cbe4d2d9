"""What to do about places that hold deleted people, or that could not be cleared."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from auditor.pages import wording, words
from auditor.pages.remedies.advice import Advice, Owner, Remedies, Subject, Tell, Urgency, executed
from auditor.pages.words.texts import text
from auditor.parts.places.judging import places_erased

_UNEXPLAINED: Final = frozenset({"places.erased.unexplained", "places.erased.unexplained-in"})
_BLIND: Final = _UNEXPLAINED | {"places.erased.not-recognised"}


def erased(about: Subject) -> Iterator[Advice]:
    """Erase what was found, place by place; then settle what is open."""
    seen, left = about.check.observed_as(places_erased.Observed), about.check.derived_as(places_erased.Derived)
    if seen is None or left is None:
        return
    if not seen.deleted:
        yield Advice(text("remedy-places-nobody-found"), text("remedy-places-nobody"), Owner.REQUESTS)
    for each in seen.places:
        if each.found:
            action = "remedy-places-erase" if each.in_rows else "remedy-places-compact"
            name = wording.shown(each.name)
            found = text("remedy-places-found", count=each.found, place=name)
            yield Advice(found, text(action, place=name), Owner.DATA, requests=seen.request_ids, tell=Tell.FOUND)
    for place in left.places:
        if not place.open:
            continue
        codes = {each.code for each in place.open}
        action = "remedy-places-open"
        if codes <= _UNEXPLAINED:
            action = "remedy-places-columns" if seen.looked_for.values else "remedy-places-values"
        elif codes <= _BLIND and not seen.looked_for.values:
            action = "remedy-places-values"
        why = "; ".join(wording.shown(words.sentence(each)) for each in place.open)
        yield Advice(
            text("remedy-places-open-found", place=wording.shown(place.name), why=why),
            text(action),
            Owner.DATA,
            requests=executed(about.told),
            tell=Tell.OPEN,
            urgency=Urgency.DECIDE,
        )


REMEDIES: Final[Remedies] = {places_erased.CARD.id: erased}
