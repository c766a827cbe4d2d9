"""What to do about deleted records that were found, and about bytes that nothing explains."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import Any, Final

from auditor.base.domain import Status
from auditor.pages import wording, words
from auditor.pages.remedies import parameters
from auditor.pages.remedies.advice import Advice, Owner, Remedies, Subject, Tell, Urgency, executed
from auditor.pages.words.texts import text
from auditor.parts.store.judging import accounting, data_erased, related
from auditor.parts.store.judging.accounting import Unexplained
from auditor.settings.attestations import HONEST
from auditor.settings.controller import controllers
from auditor.verdict.checks import judging_unlearning
from auditor.verdict.checks.card import Role


def erased(about: Subject) -> Iterator[Advice]:
    """Erase what was found, place by place; then what is open, unexplained, or a copy of a deleted record."""
    yield from _found(about)
    yield from _of_program(about)
    yield from _open(about)
    yield from _unread(about)
    yield from _spare(about)
    yield from _unexplained(about)
    yield from _copies(about)
    yield from _related(about)
    yield from _derived(about)
    if "data.erased.preprocessing" in about.given:
        found = about.given["data.erased.preprocessing"].get("found")
        listing = wording.listed(found) if isinstance(found, list) else ""
        yield Advice(
            found=text("remedy-erased-fitted-found", where=listing),
            action=text("remedy-erased-fitted"),
            owner=Owner.DATA,
            requests=executed(about.told),
            tell=Tell.MODEL,
        )
    if "data.erased.nothing-deleted" in about.given:
        yield Advice(found=text("remedy-nothing-deleted-found"), action=text("remedy-nothing-deleted"), owner=Owner.AUDIT)


def _found(about: Subject) -> Iterator[Advice]:
    seen = about.check.observed_as(data_erased.Observed)
    if seen is None:
        return
    for each in seen.searched:
        if not each.found:
            continue
        place = wording.shown(words.sentence(each.place))
        stored = place.startswith("store ")
        yield Advice(
            found=text("remedy-erased-found", count=each.found, place=place),
            action=text("remedy-erased-store", place=place, format=_format(place))
            if stored
            else text("remedy-erased-place", place=place),
            owner=Owner.DATA if stored else Owner.MODEL,
            requests=seen.request_ids,
            tell=Tell.FOUND,
        )


def _of_program(about: Subject) -> Iterator[Advice]:
    """What a whole controller has to do: by its own setting where it has one, in the places that were read where it has none."""
    controller = about.told.evidence.controller
    if controller is None:
        return
    found = wording.shown(about.check.basis)
    if "data.erased.controller.not-recognised" in about.given:
        yield Advice(found, text("remedy-erased-not-recognised"), Owner.MODEL)
    if (given := about.given.get("data.erased.controller.found")) is None:
        return
    entry = None if controller.use is None else controllers().get(controller.use)
    key = None if entry is None else entry.wipes
    if key is not None and controller.params.get(key) is False:
        action = text("remedy-erased-program-set", key=key)
    else:
        places = [name for each in parameters.entries(given.get("where")) for name in parameters.ids(each.get("named"))]
        action = text("remedy-erased-program", places=wording.listed(map(wording.shown, dict.fromkeys(places))))
    yield Advice(found, action, Owner.MODEL)


def _open(about: Subject) -> Iterator[Advice]:
    given = about.given.get("data.erased.open")
    if given is None:
        return
    places = parameters.ids(given.get("places"))
    derived = about.check.derived_as(data_erased.Derived)
    concerned = None if derived is None else derived.open_to
    yield Advice(
        found=text("remedy-erased-open-found", places=_with_more("; ".join(map(wording.shown, places)), given.get("more"))),
        action=text("remedy-erased-open"),
        owner=Owner.DATA,
        requests=executed(about.told) if concerned is None else concerned.request_ids,
        tell=Tell.OPEN,
        urgency=Urgency.DECIDE,
    )


def _sized(given: Mapping[str, Any]) -> str:
    """List places with their sizes, and how many more there are."""
    items = parameters.entries(given.get("items"))
    places = [f"{wording.shown(parameters.words(each.get('place')))} ({_size(each.get('bytes'))})" for each in items]
    return _with_more("; ".join(places), given.get("more"))


def _unread(about: Subject) -> Iterator[Advice]:
    given = about.given.get("data.erased.unread")
    if given is None:
        return
    yield Advice(
        found=text("remedy-erased-unread-found", items=_sized(given)),
        action=text("remedy-erased-unread"),
        owner=Owner.CONTROLLER,
        requests=executed(about.told),
        tell=Tell.OPEN,
        urgency=Urgency.DECIDE,
    )


def _unexplained(about: Subject) -> Iterator[Advice]:
    """Explain what is kept, but for what is still to run, and for a model file that is to be replaced anyway.

    A place where nothing is left but records that the search named asks for their erasure, which `_found` says.
    """
    derived = about.check.derived_as(data_erased.Derived)
    unexplained = () if derived is None else derived.unexplained
    left = tuple(each for each in unexplained if each.word != accounting.CODE_CLEAN and not each.is_found)
    waiting = tuple(each for each in left if about.told.audit.stage is not None and each.place.code in _OF_RUN)
    replaced = tuple(each for each in left if each.place.code in data_erased.OF_MODEL and _is_another(about))
    trained = tuple(each for each in left if each.place.code == _PARAMETERS and each not in waiting)
    others = tuple(each for each in left if each not in (*waiting, *replaced, *trained))
    asking = partial(Advice, requests=executed(about.told), tell=Tell.OPEN, urgency=Urgency.DECIDE)
    if waiting:
        yield asking(text("remedy-not-yet-found"), text("remedy-not-yet"), Owner.AUDIT)
    if trained:
        yield asking(
            found=text("remedy-erased-unexplained-found", items=_all_sized(trained)),
            action=text("remedy-erased-parameters"),
            owner=Owner.MODEL,
        )
    for items in (replaced, others):
        if not items:
            continue
        names = sorted({each.word for each in items if each.word is not None} - _contradicted(about))
        first, *more = [wording.shown(words.sentence(each.place)) for each in items]
        yield asking(
            found=text("remedy-erased-unexplained-found", items=_all_sized(items)),
            action=_explaining(names, _with_more(first, len(more))),
            owner=Owner.CONTROLLER,
            settled_by=Role.COMPARES_FILE if items is replaced else None,
        )


_OF_RUN: Final = frozenset(
    f"data.erased.place.{each}" for each in ("state", "saved", "parameters", "object", "more-objects", "not-walked")
)
"""What a rerun shows: runs that never held the deleted records, or held others, may still explain it."""


_PARAMETERS: Final = "data.erased.place.parameters"


def _contradicted(about: Subject) -> set[str]:
    """Statements that nobody is asked to make: what was found contradicts them."""
    failed = {check.id for check in about.told.checks if check.status is Status.FAIL}
    judging = judging_unlearning(about.told.policy.required, about.told.audit.auditor_version)
    honest = {HONEST} if failed & set(judging) else set()
    return honest | ({accounting.STORE_CLEAN} if about.fails else set())


def _is_another(about: Subject) -> bool:
    """Whether the model file is not the one that the procedure makes."""
    return any(Role.COMPARES_FILE in each.card.roles and each.status is Status.FAIL for each in about.told.checks)


def _all_sized(items: Sequence[Unexplained]) -> str:
    named = [f"{wording.shown(words.sentence(each.place))} ({_size(each.bytes)})" for each in items[: data_erased.MOST_NAMED]]
    return _with_more("; ".join(named), len(items) - len(named))


def _spare(about: Subject) -> Iterator[Advice]:
    given = about.given.get("data.erased.spare")
    if given is None:
        return
    places = [wording.shown(parameters.words(each.get("place"))) for each in parameters.entries(given.get("items"))]
    yield Advice(
        found=text("remedy-erased-spare-found", places=_with_more("; ".join(places), given.get("more"))),
        action=text("remedy-erased-spare"),
        owner=Owner.DATA,
        requests=executed(about.told),
        tell=Tell.OPEN,
        urgency=Urgency.DECIDE,
    )


def _explaining(names: Sequence[str], place: str) -> str:
    """What makes content explain itself, before anybody's word has to; of a store it can be written again."""
    if accounting.STORE_CLEAN in names or place.startswith("store "):
        said = wording.listed(names) if names else "none"
        return text("remedy-erased-unexplained-store", place=place, names=said, format=_format(place))
    if names:
        return text("remedy-erased-unexplained-words", place=place, names=wording.listed(names))
    return text("remedy-erased-unexplained", place=place)


def _format(place: str) -> str:
    """The format of a store by its name, where a file of that format keeps more than its rows."""
    name = place.partition(" and ")[0].casefold()
    return next((kind for ends, kind in _FORMATS.items() if name.endswith(ends)), "other")


_FORMATS: Final = {(".db", ".sqlite", ".sqlite3"): "sqlite", (".parquet",): "parquet"}


def _copies(about: Subject) -> Iterator[Advice]:
    seen = about.check.observed_as(data_erased.Observed)
    if seen is None or seen.copies is None:
        return
    for code in ("data.erased.copies", "data.erased.copies-few", "data.erased.copies-singled"):
        given = about.given.get(code)
        if given is None:
            continue
        singled = code == "data.erased.copies-singled"
        yield Advice(
            found=text("remedy-erased-singled-found" if singled else "remedy-erased-copies-found", count=_count(given)),
            action=text("remedy-erased-copies"),
            owner=Owner.CONTROLLER,
            requests=(seen.copies.singled_out_of or seen.copies).request_ids if singled else seen.copies.request_ids,
            tell=Tell.OPEN,
            urgency=Urgency.DECIDE,
        )


def _related(about: Subject) -> Iterator[Advice]:
    seen = about.check.observed_as(data_erased.Observed)
    if seen is None or seen.related is None:
        return
    if "data.erased.parted" in about.given:
        yield Advice(
            found=text("remedy-erased-parted-found", count=len(seen.related.parted)),
            action=text("remedy-erased-parted"),
            owner=Owner.REQUESTS,
            requests=seen.related.parted,
            tell=Tell.OPEN,
            urgency=Urgency.DECIDE,
        )
    if about.given.keys().isdisjoint({"data.erased.related-more", "data.erased.related-alone"}):
        return
    for each in related.counted(seen.related):
        yield Advice(
            found=text("remedy-erased-related-found", count=each.column.found, column=wording.shown(each.column.column)),
            action=text("remedy-erased-related"),
            owner=Owner.CONTROLLER,
            requests=each.column.request_ids,
            tell=Tell.OPEN,
            urgency=Urgency.DECIDE,
        )


def _derived(about: Subject) -> Iterator[Advice]:
    seen, left = about.check.observed_as(data_erased.Observed), about.check.derived_as(data_erased.Derived)
    if seen is None or seen.derived_rows is None or left is None or not left.derived:
        return
    named = dict.fromkeys(each for view, _ in seen.derived_rows.counting for each in view.request_ids)
    yield Advice(
        found=text("remedy-erased-derived-found", count=left.derived),
        action=text("remedy-erased-derived"),
        owner=Owner.CONTROLLER,
        requests=tuple(named),
        tell=Tell.OPEN,
        urgency=Urgency.DECIDE,
    )


def _count(given: Mapping[str, object]) -> int:
    return parameters.count(given.get("records")) or 0


def _with_more(said: str, more: Any) -> str:
    return f"{said} and {wording.number(more)} more" if isinstance(more, int) and more > 0 else said


def _size(count: Any) -> str:
    return wording.plural(count, "byte") if isinstance(count, int) else "–"


REMEDIES: Final[Remedies] = {
    "data.erased": erased,
}
