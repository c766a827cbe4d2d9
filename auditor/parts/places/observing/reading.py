"""Answers in the limited process what one file of a place holds of deleted people, and how much of it nothing explains."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path, PurePosixPath
from typing import Any, Final

from auditor.base.deletion_log.look_alikes import Likeness, look_alikes
from auditor.base.domain import Message
from auditor.base.limited import Reader, Room
from auditor.case.places import Listed
from auditor.parts.places.observing.sought import Sought
from auditor.parts.release.observing import databases
from auditor.parts.store.judging.accounting import Kept
from auditor.parts.store.observing import vector_stores
from auditor.parts.store.observing.id_forms import shape
from auditor.parts.store.observing.limited_reading import (
    BROKEN,
    Answer,
    ChangedError,
    LastRead,
    account_rows,
    look,
    of_file,
    told,
    written,
)
from auditor.parts.store.observing.people import People
from auditor.parts.store.observing.related_rows import plain
from auditor.parts.store.observing.search import Search
from auditor.parts.store.observing.store_keys import columns_in
from auditor.parts.store.readers import VECTOR_STORES, read_files
from auditor.parts.store.readers.contents import Contents, Lies, Unread

_SERVED_BY: Final = f"{__name__}:serve"
_ROOM: Final = Room(memory=2 << 30, memory_times=64, seconds=300, seconds_each_mebibyte=60)
CHANGED: Final = "changed"
"""The answer where a file is not the one that was listed."""
_HERE: Final = Message("data.erased.place.state")
"""Stands for the place that is asked about, which the process is not told."""
_IDS: Final = "id"
"""What the ids of a vector store's rows count as."""
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


def asked(do: str, files: Sequence[Listed], *, ids: str | None, level: str) -> dict[str, Any]:
    """Put a question about files that belong together."""
    listed = [{"path": str(each.path), "sha256": each.input.sha256, "below": each.below} for each in files]
    return {"do": do, "files": listed, "ids": ids, "level": level}


def serve(sought: Sought) -> Answer:
    """Give the function that answers; it runs in the limited process."""
    last = LastRead()

    def answer(question: Mapping[str, Any], _content: bytes) -> Any:
        if question["do"] == "names":
            return _in_names(sought, question["names"])
        try:
            files = {str(each["below"]): last.of(each["path"], each["sha256"]) for each in question["files"]}
        except ChangedError:
            return CHANGED
        path = Path(question["files"][0]["path"])
        content = next(iter(files.values()))
        together = read_files(files, VECTOR_STORES)
        store = next((each for each in together if isinstance(each, Contents) and len(together) == 1), None)
        columns = _Columns.of(sought, _columns_of(store) if store else columns_in(path, content), question["ids"])
        people = replace(sought.people, columns={**sought.people.columns, **dict.fromkeys(columns.names, "id")})
        if question["do"] == "account":
            return _accounted(files, path, store, people)
        answer = _looked(sought, question, files, store, columns, people)
        # Why files that belong together could not be taken apart, where more is known than that they could not.
        answer["open"] += [written(each.why) for each in together if isinstance(each, Unread) and each.why.parameters]
        return answer

    return answer


def _columns_of(store: Contents) -> Iterator[tuple[str, str, list[str]]]:
    """The ids of a vector store's rows, and what else it keeps of each, as columns."""
    for each in store.rows:
        yield f"{each.where}.{_IDS}", "", [own for own in each.ids or () if own is not None]
        for name in dict.fromkeys(name for row in each.fields or () for name in row):
            yield f"{each.where}.{name}", "", [row[name] for row in each.fields or () if name in row]


def _accounted(files: Mapping[str, bytes], path: Path, store: Contents | None, people: People) -> dict[str, Any]:
    """How much of files that belong together is explained."""
    size = sum(map(len, files.values()))
    if len(files) == 1:
        kept = of_file(path, next(iter(files.values())), people, _HERE)
    elif store is None:
        # Files of one form that could not be taken apart: what one of them holds by itself is no account of the others.
        kept = Kept(kind="store", place=_HERE, bytes=size, unexplained=size)
    else:
        try:
            kept = account_rows(vector_stores.rows(store, people), size, people, _HERE)
        except BROKEN:
            kept = Kept(kind="store", place=_HERE, bytes=size, unexplained=size)
    return kept.model_dump(exclude={"kind", "place"}, mode="json")


@dataclass(slots=True)
class _Columns:
    """The columns of ids of one file."""

    names: tuple[str, ...] = ()
    cells: set[str] = field(default_factory=set)

    @classmethod
    def of(cls, sought: Sought, columns: Iterable[tuple[str, str, list[str]]], declared: str | None) -> _Columns:
        """Know them by their name, or by values that are written as the log's ids are."""
        found = cls()
        chosen: dict[str, set[str]] = {}
        tables: dict[str, list[str]] = {}
        for name, _, cells in columns:
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


def _looked(
    sought: Sought,
    question: Mapping[str, Any],
    files: Mapping[str, bytes],
    store: Contents | None,
    columns: _Columns,
    people: People,
) -> dict[str, Any]:
    """What files that belong together hold: by ids in their columns, by what is in text and bytes, by look-alikes."""
    here = sought.gone & columns.cells
    content = b"\n".join(files.values())
    path = Path(question["files"][0]["path"])
    searches = [
        Search(wanted, _no_column(columns), controls=controls, people=people)
        for wanted, controls in ((sought.wanted, True), (sought.names, False))
    ]
    for each in searches:
        if store is not None and len(files) > 1:
            each.group(files, store, _HERE)
        else:
            asking = {"do": "file", "path": str(path), "name": question["files"][0]["below"], "named": []}
            look(each, asking, content)
    search, names = searches
    found = sought.records(search.found) | here
    by_number = sought.numbers.named_in(path, content)
    found |= set() if by_number is None else set(by_number.records)
    same, alike = _alike(sought, columns.cells, found)
    others = {each for each in columns.cells - sought.gone if each in sought.others or shape(each) in sought.shapes}
    said = told(search)
    if question["level"] == "answers" and not _is_of_answers(content):
        said["not_searched"].append(written(Message("places.erased.no-answers")))
    live = _live(sought, question["files"][0]["below"], content, store, columns, people)
    short_left = sought.short & sought.gone if not columns.cells else frozenset()
    return {
        "found": sorted(found | same),
        "in_rows": sorted((found if live is None else live & found) | same),
        "named": sorted(sought.records(names.found) - found),
        "alike": sorted(alike - found),
        "recognised": bool(search.recognised or found or len(others) >= _FEW),
        "short": len(short_left),
        "rows": max((each.records_searched or 0 for each in search.searched), default=0),
        "how": said["searched"][-1][2] if said["searched"] else None,
        "not_searched": said["not_searched"],
        "open": said["open"],
    }


def _live(
    sought: Sought, name: str, content: bytes, store: Contents | None, columns: _Columns, people: People
) -> set[str] | None:
    """Records in rows that are there, if they are found at all; None for all of them.

    Databases, their logs and vector stores keep deleted rows, and nothing else does.
    """
    if store is not None:
        rows = tuple(each for each in store.rows if each.lies is Lies.LIVE)
        search = Search(sought.wanted, _no_column(columns), controls=False, people=people)
        search.group({}, replace(store, rows=rows), _HERE)
        own = {each for held in rows for each in held.ids or () if each is not None}
        return sought.records(search.found | (own & columns.cells))
    if content.startswith(databases.MAGIC) or name.endswith(_LOGS):
        return {*(sought.gone & columns.cells), *_in_text(sought, content)}
    return None


_LOGS: Final = ("-wal", "-journal")


def _in_names(sought: Sought, names: Sequence[str]) -> dict[str, list[str]]:
    """Whom the names of files and folders of a place name: exactly, by a number of theirs, or by what looks like their id."""
    text = "\n".join(names)
    pieces = {piece for name in names for part in PurePosixPath(name).parts for piece in _beginnings(part)}
    by_number = sought.numbers.named_in(Path("names.txt"), text.encode("utf-8", "surrogateescape"))
    found = sought.records(sought.wanted.deleted.in_text(text, short_ids=False)) | (sought.gone & pieces - sought.short)
    found |= set() if by_number is None else set(by_number.records)
    same, alike = _alike(sought, pieces, found)
    return {"found": sorted(found | same), "alike": sorted(alike - found)}


def _beginnings(name: str) -> Iterator[str]:
    """A name, and what is left of it without each of its endings."""
    yield name
    while "." in name:
        name = name.rpartition(".")[0]
        yield name


def _no_column(columns: _Columns) -> str:
    """The column in which short words are ids: what is too short to be one elsewhere was masked before."""
    return columns.names[0] if columns.names else "id"


def _in_text(sought: Sought, content: bytes) -> set[str]:
    """Give the records that a file of plain text names: it has no row that is not there."""
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
