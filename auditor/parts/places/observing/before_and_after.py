"""Make the baseline of places before people are erased, and compare what is there afterwards with it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any, Final, NamedTuple

from auditor.base.deletion_log.deletions import people
from auditor.base.deletion_log.requests import Request
from auditor.base.limited import NotReadError, Reader
from auditor.case import Case
from auditor.case.baseline import KINDS, Baseline, Kind, Opened, Seal, asked_for
from auditor.case.files import BINARY_LIMIT
from auditor.case.places import Listed, Place
from auditor.parts.places.judging.before_and_after import FormCounts, FormsOfPerson, WithBaseline
from auditor.parts.places.observing.forms import CHANGED, Held, Person, asked, reader
from auditor.parts.places.observing.sought import closed
from auditor.parts.places.observing.together import together
from auditor.parts.store.observing.id_forms import shape

_IN_ROWS: Final = ("rows", "values", "shared")
"""Kinds of forms that rows of others may have as well."""


def make(case: Case, seal: Seal, made: datetime, expires: datetime) -> Baseline:
    """Digest what of the log's people lies in the places of a case.

    Args:
        case: Places alone.
        seal: The key.
        made: Now.
        expires: When the baseline is of no use any more.
    """
    requests = asked_for(case.log_rows)
    held = _held(case, requests, seal)
    forms: dict[tuple[int, str], dict[Kind, set[str]]] = {}
    unread = 0
    with reader(held) as process:
        for place in case.places:
            where = seal.of_place(place)
            for answer in _answers(process, "theirs", place):
                unread += answer is None
                for at, kinds in ({} if answer is None else answer["people"]).items():
                    own = forms.setdefault((int(at), where), {})
                    for kind in KINDS:
                        own.setdefault(kind, set()).update(map(str, kinds.get(kind, ())))
    wanted = frozenset(tag for kinds in forms.values() for kind in _IN_ROWS for tag in kinds[kind])
    of_others: set[str] = set()
    with reader(replace(held, wanted=wanted)) as process:
        for place in case.places:
            for answer in _answers(process, "others", place):
                of_others |= set() if answer is None else set(answer["tags"])
    of_others |= _of_several(forms, requests)
    tags = [seal.of_request(each) for each in requests]
    return Baseline(
        made_at=made,
        expires_at=expires,
        requests=tuple(tags),
        planted=frozenset(tag for tag, each in zip(tags, requests, strict=True) if each.canary),
        places={seal.of_place(each): seal.of_files(each) for each in case.places},
        forms={
            (tags[at], where): {kind: frozenset(those - of_others) for kind, those in kinds.items() if those - of_others}
            for (at, where), kinds in forms.items()
        },
        unread=unread,
    )


def _of_several(forms: Mapping[tuple[int, str], Mapping[Kind, set[str]]], requests: Sequence[Request]) -> set[str]:
    """Give the digests of rows and values that two people of the log have: of one of them they say nothing."""
    owners: defaultdict[str, set[int]] = defaultdict(set)
    for (at, _), kinds in forms.items():
        for kind in _IN_ROWS:
            for tag in kinds[kind]:
                owners[tag].add(at)
    shared = (tag for tag, those in owners.items() if len(those) > 1)
    return {tag for tag in shared if not set.intersection(*(set(requests[at].record_ids) for at in owners[tag]))}


BASELINES: Final = make


class Since(NamedTuple):
    """What came of a comparison."""

    compared: WithBaseline
    still: Mapping[str, tuple[Request, ...]]
    """By the name of a place, the rows of the log of which something sure is still there."""


def compare(case: Case, found: Opened) -> Since:
    """Say which forms of a baseline are still in the places of a case.

    Args:
        case: The same places and log, after the deletion.
        found: The baseline.
    """
    seal, baseline = found.seal, found.baseline
    requests = [each for each in asked_for(case.log_rows) if closed(each)]
    known = [each for each in requests if seal.of_request(each) in baseline.requests]
    held = _held(case, known, seal)
    wanted = frozenset(tag for forms in baseline.forms.values() for kind in _IN_ROWS for tag in forms.get(kind, ()))
    owners = _owners(baseline, [seal.of_request(each) for each in known])
    seen = []
    still: dict[str, tuple[Request, ...]] = {}
    planted: dict[str, set[int]] = {"before": set(), "after": set()}
    by_id_alone, unread = 0, 0
    subjects = people(known, case.log_rows)
    with reader(replace(held, wanted=wanted)) as process:
        for place in case.places:
            there: defaultdict[int, defaultdict[Kind, set[str]]] = defaultdict(lambda: defaultdict(set))
            for answer in _answers(process, "met", place):
                if answer is None:
                    unread += 1
                    continue
                by_id_alone += bool(answer["by_id_alone"])
                _sort_in(answer, owners, there)
            now = {at: _counts(forms) for at, forms in there.items()}
            still[place.declared.name] = tuple(known[at] for at, counts in now.items() if counts.sure)
            for at, request in enumerate(known):
                before = baseline.forms.get((seal.of_request(request), seal.of_place(place)), {})
                if request.canary:
                    planted["before"] |= {at} if any(before.values()) else set()
                    planted["after"] |= {at} if now.get(at, FormCounts()).sure else set()
                elif any(before.values()) or now.get(at, FormCounts()).all:
                    seen.append(
                        FormsOfPerson(
                            request_id=request.request_id,
                            subject=subjects[at] if subjects else None,
                            place=place.declared.name,
                            before=_counts(before),
                            after=now.get(at, FormCounts()),
                        )
                    )
    had = {(each.request_id, each.subject) for each in seen if each.before.all}
    own = [(at, each) for at, each in enumerate(known) if not each.canary]
    seen_now = WithBaseline(
        made_at=baseline.made_at.isoformat(),
        expires_at=baseline.expires_at.isoformat(),
        requests=len(own),
        people=tuple(seen),
        absent=tuple(each.request_id for at, each in own if (each.request_id, subjects[at] if subjects else None) not in had),
        added=tuple(each.request_id for each in requests if each not in known and not each.canary),
        same_files=tuple(
            each.declared.name for each in case.places if baseline.places.get(seal.of_place(each)) == seal.of_files(each)
        ),
        planted=sum(each.canary for each in known),
        planted_before=len(planted["before"]),
        planted_after=len(planted["after"]),
        by_id_alone=by_id_alone,
        unread_before=baseline.unread,
        unread=unread,
    )
    return Since(seen_now, still)


def _held(case: Case, requests: Sequence[Request], seal: Seal) -> Held:
    named = frozenset(record for each in requests for record in each.record_ids)
    planted = frozenset(record for each in case.canaries for record in each.record_ids)
    table = case.settings.people
    return Held(
        seal=seal,
        people=tuple(map(Person.of, requests)),
        others=case.known_ids - named - planted,
        shapes=frozenset(map(shape, named)),
        id_column=None if table is None else table.id,
    )


def _answers(process: Reader, do: str, place: Place) -> Iterator[Any]:
    """Put a question about every file of a place; None for files that cannot be read, or changed meanwhile."""
    for files in together(place):
        yield _answer(process, do, place, files)
    yield from (None for _ in place.unlisted)


def _answer(process: Reader, do: str, place: Place, files: Sequence[Listed]) -> Any:
    size = sum(each.input.bytes for each in files)
    if size > BINARY_LIMIT:
        return None
    try:
        answer = process.ask(asked(do, files, ids=place.declared.ids), size=size)
    except NotReadError:
        return None
    return None if answer == CHANGED else answer


def _owners(baseline: Baseline, requests: Sequence[str]) -> Mapping[str, tuple[tuple[int, Kind], ...]]:
    """Whose each digest of rows and values is, by places in the list of requests."""
    found: defaultdict[str, dict[tuple[int, Kind], None]] = defaultdict(dict)
    at_of = {tag: at for at, tag in enumerate(requests)}
    for (who, _), forms in baseline.forms.items():
        if who in at_of:
            for kind in _IN_ROWS:
                for tag in forms.get(kind, ()):
                    found[tag][at_of[who], kind] = None
    return {tag: tuple(those) for tag, those in found.items()}


def _sort_in(
    answer: Mapping[str, Any],
    owners: Mapping[str, tuple[tuple[int, Kind], ...]],
    there: defaultdict[int, defaultdict[Kind, set[str]]],
) -> None:
    """Add what lies in a file to what lies in its place, person by person."""
    for tag in map(str, answer["tags"]):
        for at, kind in owners.get(tag, ()):
            there[at][kind].add(tag)
    for row in answer["together"]:
        # Two values of one person in one row are the person's, though others may have each of them.
        for at, tags in _by_person(map(str, row), owners).items():
            if len(tags) > 1:
                there[at]["values"] |= tags
                there[at]["shared"] -= tags
    for at, kind, tag in answer["named"]:
        there[int(at)][kind].add(str(tag))


def _by_person(tags: Iterable[str], owners: Mapping[str, tuple[tuple[int, Kind], ...]]) -> Mapping[int, set[str]]:
    found: defaultdict[int, set[str]] = defaultdict(set)
    for tag in tags:
        for at, _ in owners.get(tag, ()):
            found[at].add(tag)
    return found


def _counts(forms: Mapping[Kind, Iterable[str]]) -> FormCounts:
    return FormCounts(**{kind: len(set(forms.get(kind, ()))) for kind in KINDS})
