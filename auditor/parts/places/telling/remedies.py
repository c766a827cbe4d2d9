"""What to do about places that hold deleted people, or that could not be cleared."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import PurePosixPath
from typing import Final

from auditor.pages import wording, words
from auditor.pages.remedies.advice import Advice, Owner, Remedies, Subject, Tell, Urgency, executed, named
from auditor.pages.words.lists import and_more
from auditor.pages.words.texts import text
from auditor.parts.places.judging import places_erased
from auditor.parts.places.judging.found_at import FoundOf
from auditor.parts.places.judging.places_erased import OfPlace, PlaceSeen
from auditor.parts.places.judging.unexplained import Spot, Why
from auditor.parts.places.telling.sentences import said_spot, spots_of
from auditor.parts.store.judging.accounting import SPARE_EACH

_UNEXPLAINED: Final = frozenset({"places.erased.unexplained", "places.erased.unexplained-in"})
_STEPS: Final[Mapping[str, str]] = {
    "data.erased.open.unknown-form": "remedy-places-file",
    "places.erased.empty": "remedy-places-empty",
    "places.erased.planted-here": "remedy-places-planted",
    "places.erased.named": "remedy-places-named",
    "places.erased.alike": "remedy-places-alike",
    "places.erased.quoted": "remedy-places-quoted",
    "places.erased.quoted-untested": "remedy-places-quoted",
    "places.erased.text-shared": "remedy-places-quoted",
    "places.erased.without-terms": "remedy-places-terms",
    "places.erased.answers-unsaid": "remedy-places-genuine",
    "places.erased.pointing": "remedy-places-pointing",
    "places.erased.copied": "remedy-places-copied",
    "places.erased.others": "remedy-places-others",
    "places.erased.not-recognised": "remedy-places-ids",
    "places.erased.short": "remedy-places-ids",
    "places.embedding.uneven": "remedy-places-uneven",
    "places.embedding.rough": "remedy-places-rough",
    "places.embedding.unknown": "remedy-places-embed",
}
"""The step for each kind of thing that is left, by its code."""
_OF_FORMS: Final[Mapping[str, str]] = {
    "database": "remedy-places-vacuum",
    "Chroma": "remedy-places-chroma",
    "Lance": "remedy-places-lance",
    "index": "remedy-places-index",
    "Parquet": "remedy-places-parquet",
}
_OF_SPOTS: Final[Mapping[Why, str]] = {
    "file": "remedy-places-file",
    "name": "remedy-places-rename",
    "words": "remedy-places-words",
    "piece": "remedy-places-pieces",
    "number": "remedy-places-numbers",
    "wording": "remedy-places-wording",
    "packed": "remedy-places-packed",
    "shapes": "remedy-places-shapes",
    "encoding": "remedy-places-encoding",
    "header": "remedy-places-header",
    "time": "remedy-places-times",
    "vectors": "remedy-places-vectors",
    "rows": "remedy-places-json",
}
_RECORDS: Final = "remedy-places-records"
_OF_ENDINGS: Final[Mapping[str, str]] = {
    **dict.fromkeys((".xlsx", ".xls", ".ods", ".docx", ".doc", ".odt", ".pptx", ".pdf"), "remedy-places-document"),
    **dict.fromkeys((".html", ".htm", ".xhtml", ".xml"), "remedy-places-markup"),
    **dict.fromkeys((".npz", ".npy"), "remedy-places-arrays"),
    **dict.fromkeys((".pkl", ".pickle", ".pt", ".pth", ".safetensors"), "remedy-places-pickled"),
    **dict.fromkeys((".yaml", ".yml", ".toml", ".ini", ".vcf", ".ics", ".md"), _RECORDS),
    **dict.fromkeys((".duckdb", ".ddb"), "remedy-places-duckdb"),
    **dict.fromkeys((".sql", ".dump"), "remedy-places-dump"),
}
"""The step for what lies in a file of some kind, by its name's ending: nobody can take numbers out of a spreadsheet's parts."""
_TABLE: Final = "remedy-places-table"
_DATABASES: Final = (".db", ".db3")
"""Endings of SQLite's files, and of others."""
_OF_WHOLE_FILES: Final[Mapping[str, str]] = {
    **dict.fromkeys((".csv", ".tsv", ".jsonl", ".parquet", ".sqlite", ".sqlite3", *_DATABASES), _TABLE),
    **dict.fromkeys((".gz", ".bz2", ".xz", ".zst", ".zip", ".tar", ".tgz"), "remedy-places-unpack"),
}
"""The step for a file that was not read as rows or texts; what is left in one that was has a step of its own."""
_ENDINGS: Final = {**_OF_ENDINGS, **_OF_WHOLE_FILES}
_OF_KINDS: Final = frozenset({*_ENDINGS.values(), "remedy-places-encoding"})
_OF_FILES: Final = frozenset({"remedy-places-header", "remedy-places-vectors", "remedy-places-json"})
"""Steps for lines of a file that are alike: the file is named, and no line."""


def erased(about: Subject) -> Iterator[Advice]:
    """Erase what was found, place by place; then settle what is open."""
    seen, left = about.check.observed_as(places_erased.Observed), about.check.derived_as(places_erased.Derived)
    if seen is None or left is None:
        return
    if "places.erased.nothing-deleted" in about.given:
        yield Advice(text("remedy-places-nobody-found"), text("remedy-places-nobody"), Owner.REQUESTS)
    judged = {each.name: each for each in left.places}
    for each in seen.places:
        if each.found:
            quoted = judged[each.name].perhaps_quoted if each.name in judged else 0
            yield Advice(*_of_found(each, quoted), Owner.DATA, requests=_found_in(each, seen), tell=Tell.FOUND)
    yield from unrecorded(about)
    by_name = {each.name: each for each in seen.places}
    for place in left.places:
        if not place.open:
            continue
        own = by_name[place.name]
        why = "; ".join(wording.shown(words.sentence(each)) for each in place.open)
        values = bool(seen.looked_for.values) or about.told.evidence.case.table is not None
        steps = _of_kinds(dict.fromkeys(_steps(place, own, values=values)), place, own)
        if seen.embedding is not None:
            steps = {_EMBEDDED if each == _ARRAYS else each: None for each in steps}
        # What the log does not record is settled first: then less is left to an order.
        if own.unrecorded and set(steps) == {"remedy-places-room"}:
            continue
        yield Advice(
            text("remedy-places-open-found", place=wording.shown(place.name), why=why),
            _joined([_told(each, own, seen.looked_for.without_terms) for each in steps]),
            Owner.DATA,
            requests=executed(about.told),
            tell=Tell.OPEN,
            urgency=Urgency.DECIDE,
        )


def _found_in(place: PlaceSeen, seen: places_erased.Observed) -> tuple[str, ...]:
    """The requests whose records were found in a place, and those of which no place says where: they may be."""
    own = {each.request_id for each in place.found_at}
    located = {each.request_id for one in seen.places for each in one.found_at}
    return tuple(each for each in seen.request_ids if not own or each in own or each not in located)


def _of_found(place: PlaceSeen, quoted: int) -> tuple[str, str]:
    """What was found in a place, and what to do about it.

    Args:
        place: In which somebody was found.
        quoted: Of how many others it may quote texts.
    """
    name = wording.shown(place.name)
    action = "remedy-places-erase" if place.in_rows else "remedy-places-compact"
    action = "remedy-places-delete" if place.found_rows == place.found else action
    found = text("remedy-places-found", count=place.found, place=name)
    if place.found_at:
        found = text("remedy-places-found-at", found=found, spots=_at(place.found_at))
    steps = [text(action, place=name, count=place.found)]
    if not place.in_rows:
        steps += [text(_OF_FORMS[form], place=name) for form in place.forms]
    if quoted:
        spots = _at(place.quoted_at) if place.quoted_at else "none"
        found = text("remedy-places-quoted-found", found=found, count=quoted, spots=spots)
        steps.append(text(_QUOTED, place=name, spots=_lines(place)))
    return found, _joined(steps)


def _told(step: str, seen: PlaceSeen, without_terms: int) -> str:
    """Say a step for a place; of how many deleted records the log has no `terms`."""
    place, spots = wording.shown(seen.name), _spots(step, seen)
    if step == "remedy-places-row-numbers":
        return text(step, place=place, database="yes" if _is_database(seen) else "no")
    if step != "remedy-places-columns":
        return text(step, place=place, spots=spots, records=without_terms)
    most = seen.most_unexplained
    columns = () if most is None else tuple(each for each in most.columns if not _is_label(each))
    return text(
        step,
        spots=spots,
        table=wording.shown(most.table) if most is not None and most.table else "none",
        columns=wording.listed([wording.shown(each) for each in columns]) if columns else "none",
        count=len(columns),
    )


def _is_database(seen: PlaceSeen) -> bool:
    """Whether its rows are those of an SQLite database."""
    return any(each.name == "change counter" for each in seen.spare_in)


def _at(requests: Sequence[FoundOf]) -> str:
    """Where the first records were found."""
    said = spots_of(each.told() for each in requests[:_FIRST])
    return wording.shown("; ".join(said))


_FIRST: Final = 3
"""Requests whose spots a step names; the annex has more, and the evidence all."""


def unrecorded(about: Subject) -> Iterator[Advice]:
    """Record erasures that were carried out, by what the places lack."""
    seen, left = about.check.observed_as(places_erased.Observed), about.check.derived_as(places_erased.Derived)
    is_open = left is not None and any(each.open for each in left.places)
    where = () if seen is None else [each for each in seen.places if each.unrecorded]
    if requests := tuple(dict.fromkeys(request for each in where for request in each.unrecorded)):
        counted = {wording.shown(each.name): len(each.unrecorded) for each in where}
        dated = {each.request_id for each in about.told.requests if each.data_erased_at is not None}
        yield Advice(
            " ".join(text("remedy-places-unrecorded-found", place=name, requests=count) for name, count in counted.items()),
            _joined(
                [
                    text(message, names=named(those), count=len(those))
                    for message, those in (
                        ("remedy-places-unrecorded", [each for each in requests if each not in dated]),
                        ("remedy-places-unrecorded-dated", [each for each in requests if each in dated]),
                    )
                    if those
                ]
            ),
            Owner.REQUESTS,
            requests=requests,
            tell=Tell.DONE,
            urgency=Urgency.DECIDE if is_open else Urgency.CONFIRM,
        )


def _of_kinds(steps: dict[str, None], place: OfPlace, seen: PlaceSeen) -> dict[str, None]:
    """Leave out steps for files of any form where another says more, and that for tables of what may be no database."""
    if any(each.code == "data.erased.open.unknown-form" for each in place.open) and not any(map(_is_table, seen.left)):
        steps.pop(_TABLE, None)
    if {_OF_FORMS["database"], _OF_FORMS["Parquet"]} & steps.keys() and "remedy-places-columns" not in steps:
        # What its pages hold beyond its rows is no column that the table lacks.
        steps.pop(_TABLE, None)
    if _OF_FORMS["index"] in steps:
        # It is built again: of what its codes stand for, no table has the rows.
        steps.pop(_ANY_FILE, None)
    # What kind of file it is, and what in it is left, says more than that its form is not known.
    known = steps.keys() & _OF_KINDS or any(each.line for each in seen.left)
    if known and not any(_of_spot(each) == _ANY_FILE for each in seen.left):
        steps.pop(_ANY_FILE, None)
    return steps


def _steps(place: OfPlace, seen: PlaceSeen, *, values: bool) -> Iterator[str]:
    """Name the step for each kind of thing that is left in a place."""
    for each in place.open:
        if each.code in {"places.erased.room", "places.erased.room-in"}:
            yield from _of_room(seen)
        elif each.code == "places.erased.text-untold":
            # It is said of what nothing explains, which has a step.
            continue
        elif each.code not in _UNEXPLAINED:
            yield _STEPS.get(each.code, _OPEN)
        elif not values:
            yield "remedy-places-values"
        else:
            # What a function that moves unevenly leaves is no other thing, nor is a column that explains nothing.
            told = any(other.code in _TOLD for other in place.open)
            yield from _of_unexplained(seen) or ([] if told else ["remedy-places-columns"])


_TOLD: Final = frozenset({"places.embedding.uneven", "places.erased.pointing", "places.erased.copied"})


def _of_room(seen: PlaceSeen) -> Iterator[str]:
    """Name the steps for bits: archives and words that have many, and the order of rows where it may have the rest."""
    named = [spot for spot in seen.left if spot.bits]
    yield from (step for spot in named if (step := _of_spot(spot)) is not None)
    if seen.spare_bits - sum(spot.bits for spot in named) > SPARE_EACH or not named:
        yield from [_OF_ROOM[each.what] for each in places_erased.rooms_of(seen)] or ["remedy-places-room"]


_OF_ROOM: Final[Mapping[places_erased.Room, str]] = {
    "row-numbers": "remedy-places-row-numbers",
    "spelling": "remedy-places-spelling",
    "order": "remedy-places-room",
    "encoding": _OF_FORMS["Parquet"],
}


def _of_unexplained(seen: PlaceSeen) -> list[str]:
    """Name the steps for bytes of some kind: stores to write again, columns that the table lacks, and kinds of lines."""
    forms = [_OF_FORMS[form] for form in seen.forms]
    if (most := seen.most_unexplained) is not None and (most.columns or most.text_index):
        # Evidence of earlier scans names the columns of an index's own tables.
        of_index = bool(most.text_index) or not _OF_INDEX.isdisjoint(most.columns)
        lacking = ["remedy-places-fulltext"] if of_index else []
        if _OF_INDEX.isdisjoint(most.columns) and most.columns:
            labels = [_UNLABELLED] if any(map(_is_label, most.columns)) else []
            lacking = [*labels, *([] if all(map(_is_label, most.columns)) else ["remedy-places-columns"]), *lacking]
        if _UNLABELLED in lacking:
            # The text of an index is in each line: without it, all of them are other lines.
            return [*forms, *lacking]
        # Whatever columns the table gets, what deleted people alone have is explained by none.
        own = [step for spot in seen.left if spot.why in _SAY_MORE and (step := _of_spot(spot)) is not None]
        return [*forms, *own, *(lacking if any(spot.why not in _SAY_MORE for spot in seen.left) or not own else [])]
    return [*forms, *(step for spot in seen.left if (step := _of_spot(spot)) is not None)]


def _is_label(column: str) -> bool:
    """Whether a column is called as pandas calls an index without a name."""
    return _LABEL.fullmatch(column) is not None


_LABEL: Final = re.compile(r"__index_level_\d{1,2}__|Unnamed: 0|index|level_\d", re.ASCII)
_UNLABELLED: Final = "remedy-places-unlabelled"


def _of_spot(spot: Spot) -> str | None:
    """The step for one spot: by the kind of file that it lies in, or else by what it is."""
    ending = PurePosixPath(_document(spot.file)).suffix.lower()
    kind = _OF_ENDINGS.get(ending) if spot.why not in {"name", "words"} else None
    if ending == ".md" and spot.why not in {"file", "line", "number", "shapes"}:
        # Of texts that are no records more is known.
        kind = None
    if kind is None and spot.why == "file":
        kind = _OF_WHOLE_FILES.get(ending)
    return kind or _OF_SPOTS.get(spot.why)


def _is_table(spot: Spot) -> bool:
    """Whether its step is one for tables, and its file's name is not one of other databases too."""
    return _of_spot(spot) == _TABLE and not _document(spot.file).lower().endswith(_DATABASES)


def _document(path: str) -> str:
    """The document that a file is a part of, or the file itself."""
    parts = PurePosixPath(path).parts
    ends = [at for at, each in enumerate(parts) if PurePosixPath(each).suffix.lower() in _ENDINGS]
    return str(PurePosixPath(*parts[: ends[0] + 1])) if ends else path


def _spots(step: str, seen: PlaceSeen) -> str:
    """Name what a step is for: spots of its kind, or all where it is for none; of whole files each once."""
    if step == _QUOTED:
        return _lines(seen)
    if step == _OPEN:
        return _unread(seen)
    of_kind = _ARRAYS if step == _EMBEDDED else step
    those = [each for each in seen.left if _of_spot(each) == of_kind]
    if step in _WHOLE_FILES:
        most = seen.most_unexplained
        files = [_document(each.file) for each in those]
        files = files or [PurePosixPath(each).name for each in ([] if most is None else [most.file]) if each is not None]
        named = [wording.shown(each) for each in dict.fromkeys(files)]
        return wording.listed(named) if named else "none"
    those = those or [each for each in seen.left if each.why != "words"] or list(seen.left)
    named = [text("remedy-places-spot", file=wording.shown(each.file), line=each.line, bits=each.bits) for each in those]
    if more := sum(each.more for each in those):
        named.append(text("remedy-places-more", more=more))
    return wording.listed(named) if named else "none"


def _lines(seen: PlaceSeen) -> str:
    """Where texts may be quoted, and whose is no matter: the first few."""
    spots = dict.fromkeys(said_spot(spot.told()) for each in seen.quoted_at for spot in each.spots)
    named = [wording.shown(each) for each in spots]
    return and_more(named[:_FIRST], len(named[_FIRST:])) if named else "none"


def _unread(seen: PlaceSeen) -> str:
    """Files that were not read, the first few."""
    names = list(dict.fromkeys(wording.shown(words.sentence(each.place)) for each in seen.unread))
    return and_more(names[:_FIRST], len(names[_FIRST:])) if names else "none"


_OPEN: Final = "remedy-places-open"
_QUOTED: Final = "remedy-places-quoted"
_ARRAYS: Final = "remedy-places-arrays"
_EMBEDDED: Final = "remedy-places-arrays-embedded"
"""The same where vectors are computed: without their ids, for an array of these has none."""
_ANY_FILE: Final = "remedy-places-file"
_SAY_MORE: Final = frozenset({"words", "vectors", "header", "rows"})
"""Kinds of spots of which more is known than that the table lacks their columns."""
_WHOLE_FILES: Final = frozenset({_ANY_FILE, "remedy-places-fulltext", *_OF_KINDS, *_OF_FILES})
_OF_INDEX: Final = frozenset({"block", "segid", "term", "pgno"})
"""Columns of the tables in which SQLite keeps a full-text index."""


def _joined(steps: Sequence[str]) -> str:
    """Put steps together: first what to do in each, as one sentence, then what to know about it."""
    parts = [each.partition(". ") for each in steps]
    heads = [head.removesuffix(".") for head, _, _ in parts]
    first = "; ".join([*heads[:1], *(f"{each[:1].lower()}{each[1:]}" for each in heads[1:])])
    return " ".join([f"{first}.", *(rest for _, _, rest in parts if rest)])


REMEDIES: Final[Remedies] = {places_erased.CARD.id: erased}
BESIDES: Final[Remedies] = {places_erased.CARD.id: unrecorded}
