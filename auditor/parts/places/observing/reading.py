"""Answers in the limited process what one file of a place holds of deleted people, and how much of it nothing explains."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Final

from auditor.base.deletion_log.look_alikes import Likeness, look_alikes
from auditor.base.domain import Message
from auditor.base.limited import Reader, Room
from auditor.parts.places.observing.other_spellings import Met
from auditor.parts.places.observing.sought import Sought
from auditor.parts.places.observing.texts import texts
from auditor.parts.store.observing import vector_stores
from auditor.parts.store.observing.id_forms import shape
from auditor.parts.store.observing.limited_reading import Answer, ChangedError, LastRead, look, of_file, of_store, told, written
from auditor.parts.store.observing.related_rows import plain
from auditor.parts.store.observing.search import Search
from auditor.parts.store.observing.store_keys import columns_in
from auditor.parts.store.readers import VECTOR_STORES, read_files
from auditor.parts.store.readers.contents import Contents, Lies

_SERVED_BY: Final = f"{__name__}:serve"
_ROOM: Final = Room(memory=2 << 30, memory_times=64, seconds=300, seconds_each_mebibyte=60)
CHANGED: Final = "changed"
"""The answer where a file is not the one that was listed."""
_HERE: Final = Message("data.erased.place.state")
"""Stands for the place that is asked about, which the process is not told."""
_FEW: Final = 2
"""Ids of others, written as those of the log are, by which a search is seen to see."""
_USUAL: Final = frozenset({
    "id", "ids", "uid", "recordid", "recordids", "personid", "customerid", "customer", "userid", "user", "clientid", "patientid",
    "memberid", "accountid", "subject", "subjectid", "docid", "documentid", "kundennummer", "kundenid", "kundennr",
})  # fmt: skip
"""What columns of ids are usually called, in letters and digits."""


def reader(sought: Sought) -> Reader:
    """A process that reads places."""
    return Reader(_SERVED_BY, sought, _ROOM)


def asked(do: str, path: Path, sha256: str, *, below: str, ids: str | None, level: str) -> dict[str, Any]:
    """Put a question about a file."""
    return {"do": do, "path": str(path), "sha256": sha256, "below": below, "ids": ids, "level": level}


def asked_together(files: Sequence[tuple[str, Path, str]]) -> dict[str, Any]:
    """Put a question about files that belong together: each with its path below the place and its digest."""
    return {"do": "group", "files": [{"name": name, "path": str(path), "sha256": sha256} for name, path, sha256 in files]}


def serve(sought: Sought) -> Answer:
    """Give the function that answers; it runs in the limited process."""
    last = LastRead()

    def answer(question: Mapping[str, Any], _content: bytes) -> Any:
        try:
            if question["do"] == "group":
                return _together(sought, {each["name"]: last.of(each["path"], each["sha256"]) for each in question["files"]})
            content = last.of(question["path"], question["sha256"])
        except ChangedError:
            return CHANGED
        path = Path(question["path"])
        columns = _Columns.of(sought, path, content, question["ids"])
        if question["do"] == "account":
            people = replace(sought.people, columns={**sought.people.columns, **dict.fromkeys(columns.names, "id")})
            return of_file(path, content, people, _HERE).model_dump(exclude={"kind", "place"}, mode="json")
        return _looked(sought, question, content, columns)

    return answer


@dataclass(slots=True)
class _Columns:
    """The columns of ids of one file."""

    names: tuple[str, ...] = ()
    cells: set[str] = field(default_factory=set)

    @classmethod
    def of(cls, sought: Sought, path: Path, content: bytes, declared: str | None) -> _Columns:
        """Know them by their name, or by values that are written as the log's ids are."""
        found = cls()
        chosen: dict[str, set[str]] = {}
        tables: dict[str, list[str]] = {}
        for name, _, cells in columns_in(path, content):
            table, _, last = name.rpartition(".")
            held = {each.strip() for each in cells} - {""}
            if held and _names_people(sought, last, held, declared):
                tables.setdefault(table, []).append(last)
                chosen.setdefault(last, set()).update(held)
        # One column of ids a table: what another one holds is not explained by it.
        firsts = list(dict.fromkeys(_best(names, declared) for names in tables.values()))
        taken = [
            name for at, name in enumerate(firsts) if not any({name, *firsts[:at]} <= set(those) for those in tables.values())
        ]
        found.names = tuple(taken or firsts[:1])
        found.cells = set().union(*chosen.values())
        return found

    @classmethod
    def of_store(cls, sought: Sought, store: Contents) -> _Columns:
        """Take the ids of a vector store's rows, unless they are positions or written as none of the log's."""
        own = {each for rows in store.rows for each in rows.ids or () if each is not None}
        alike = {each for each in own if shape(each) in sought.shapes}
        named = len(alike) * 2 >= len(own) and not vector_stores.are_positions(sorted(own))
        return cls((), own if named else vector_stores.ids(store, sought.people))


def _best(names: Sequence[str], declared: str | None) -> str:
    return declared if declared is not None and declared in names else names[0]


def _names_people(sought: Sought, name: str, held: set[str], declared: str | None) -> bool:
    if declared is not None or sought.id_column is not None:
        if name in {declared, sought.id_column}:
            return True
        if declared is not None:
            return False
    alike = [each for each in held if shape(each) in sought.shapes]
    if plain(name) in _USUAL:
        return bool(alike)
    # A column of numbers may count anything.
    return len(alike) * 2 >= len(held) and not all(each.isdecimal() for each in alike)


def _looked(sought: Sought, question: Mapping[str, Any], content: bytes, columns: _Columns) -> dict[str, Any]:
    """What a file holds: by ids in their columns, by what stands in text and bytes, by look-alikes."""
    here = sought.gone & columns.cells
    search = Search(sought.wanted, _no_column(columns), controls=True, people=sought.people)
    asking = {"do": "file", "path": question["path"], "name": question["below"], "named": []}
    look(search, asking, content)
    names = Search(sought.names, _no_column(columns), controls=False)
    look(names, asking, content)
    said_there = list(texts(Path(question["path"]), content))
    spelt = sought.spelt.met_in_all(said_there)
    by_number = sought.numbers.named_in(Path(question["path"]), content)
    numbered = set() if by_number is None else set(by_number.records)
    live = here | sought.records(spelt.there) | _in_text(sought, content)
    said = _said(sought, search, names, columns, here | numbered | sought.records(spelt.found), spelt=spelt, live=live)
    said["quoted"] = sought.texts.quotations_in(said_there).told()
    if question["level"] == "answers" and not _is_of_answers(content):
        said["not_searched"].append(written(Message("places.erased.no-answers")))
    return said


def _together(sought: Sought, files: Mapping[str, bytes]) -> dict[str, Any] | None:
    """What files hold that belong together, and how much of them nothing explains; None where no reader takes them as such."""
    read = read_files(files, VECTOR_STORES)
    if len(read) != 1 or not isinstance(read[0], Contents):
        return None
    (store,) = read
    columns = _Columns.of_store(sought, store)
    search = Search(sought.wanted, _no_column(columns), controls=True, people=sought.people)
    search.group(files, store, _HERE)
    names = Search(sought.names, _no_column(columns), controls=False)
    names.group(files, store, _HERE)
    said_there = [each for name, content in files.items() for each in texts(Path(name), content)]
    spelt = sought.spelt.met_in_all(said_there)
    live = {own for rows in store.rows if rows.lies is Lies.LIVE for own in rows.ids or () if own is not None} & columns.cells
    named = sought.records(sought.wanted.deleted.in_text("\n".join(files), short_ids=False))
    here = sought.gone & columns.cells | named | sought.records(spelt.found)
    said = _said(sought, search, names, columns, here, spelt=spelt, live=(sought.gone & live) | sought.records(spelt.there))
    said["quoted"] = sought.texts.quotations_in(said_there).told()
    kept = of_store(store, sum(map(len, files.values())), sought.people, _HERE)
    return {"looked": said, "kept": kept.model_dump(exclude={"kind", "place"}, mode="json")}


def _said(
    sought: Sought,
    search: Search,
    names: Search,
    columns: _Columns,
    here: set[str] | frozenset[str],
    *,
    spelt: Met,
    live: set[str] | frozenset[str],
) -> dict[str, Any]:
    """What a search of a file, or of several, came to, as JSON.

    Args:
        sought: What was looked for.
        search: Records as they were looked for.
        names: Names.
        columns: The columns of ids.
        spelt: What was met in another spelling.
        here: Records that these hold, or that numbers of people give away.
        live: Records that are in rows which are there, if they were found at all.
    """
    found = sought.records(search.found) | here
    same, alike = _alike(sought, columns.cells, found)
    others = {each for each in columns.cells - sought.gone if each in sought.others or shape(each) in sought.shapes}
    said = told(search)
    short_left = sought.short & sought.gone if not columns.cells else frozenset()
    return {
        "found": sorted(found | same),
        "in_rows": sorted((live & found) | same),
        "named": sorted(sought.records(names.found | spelt.named) - found),
        "alike": sorted(alike - found),
        "recognised": bool(search.recognised or found or len(others) >= _FEW),
        "short": len(short_left),
        "rows": max((each.records_searched or 0 for each in search.searched), default=0),
        "how": said["searched"][-1][2] if said["searched"] else None,
        "not_searched": said["not_searched"],
        "open": said["open"],
    }


def _no_column(columns: _Columns) -> str:
    """The column in which short words are ids: what is too short to be one elsewhere was masked before."""
    return columns.names[0] if columns.names else "id"


def _in_text(sought: Sought, content: bytes) -> set[str]:
    """Records that stand in a file of plain text: it has no row that is not there."""
    if b"\0" in content:
        return set()
    try:
        text = content.decode()
    except UnicodeDecodeError:
        return set()
    return sought.records(sought.wanted.deleted.in_text(text, short_ids=False))


def _alike(sought: Sought, cells: set[str], found: set[str]) -> tuple[set[str], set[str]]:
    """Deleted records whose id is there in another spelling, and those whose id may be."""
    known = cells - sought.others - sought.gone
    asked_of = [each for each in sought.gone if each not in found and each not in sought.told_apart]
    same, alike = set[str](), set[str]()
    for record, others in look_alikes(asked_of, known).items():
        likeness = {each for each, _ in others.values()}
        if Likeness.SAME in likeness and record not in sought.short:
            same.add(record)
        elif likeness - {Likeness.CHANCE}:
            alike.add(record)
    return same, alike


def _is_of_answers(content: bytes) -> bool:
    """Whether every line that is not blank is a JSON object."""
    try:
        return all(isinstance(json.loads(line), dict) for line in content.decode().splitlines() if line.strip())
    except (ValueError, RecursionError):
        return False
