"""Search and account for what is kept in a limited process, one for an audit: see `auditor.base.limited`.

What a file holds is searched, taken for tables, and asked for people's numbers; each is a question of its own. A file that one of
them cannot read within its limits leaves its place open, with the reason, and is not accounted for.
"""

from __future__ import annotations

import csv
import hashlib
import lzma
import sqlite3
import struct
import zipfile
import zlib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, TypeAlias

import numpy as np
import numpy.typing as npt

from auditor.base.domain import InputFile, Message, Problem
from auditor.base.errors import InputError
from auditor.base.limited import NotReadError, Reader, Room
from auditor.base.plain_files import opened
from auditor.base.records import Floats
from auditor.base.row_blocks import row_blocks, row_digest
from auditor.case.files import BINARY_LIMIT
from auditor.parts.release.observing import databases
from auditor.parts.release.observing.file_formats import MAX_BYTES
from auditor.parts.store.judging.accounting import Kept, Spare
from auditor.parts.store.judging.data_erased import UNTRIED, Searched
from auditor.parts.store.observing import found_rows, vector_stores, widths
from auditor.parts.store.observing.id_forms import shape
from auditor.parts.store.observing.people import People
from auditor.parts.store.observing.record_forms import Wanted
from auditor.parts.store.observing.search import Search
from auditor.parts.store.observing.sqlite_tables import of_database
from auditor.parts.store.observing.store_keys import NamedIn, Numbers
from auditor.parts.store.observing.store_tables import Rows, tables
from auditor.parts.store.readers import VECTOR_STORES, read_files
from auditor.parts.store.readers.contents import Contents

SERVED_BY: Final = f"{__name__}:serve"
"""What answers in the process that reads."""
LOADED_FIRST: Final = ("ahocorasick_rs", "numpy.ma", "pydantic.dataclasses", "scipy.special")
"""What nearly every question makes a process load that has not: see `auditor.sandbox.fork_reading`."""
_ROOM: Final = Room(memory=2 << 30, memory_times=64, seconds=300, seconds_each_mebibyte=60)
"""A table of short words takes some 40 times its bytes once it is taken apart, and a second a MiB."""
_MEMORY_EACH: Final = 1 << 15
"""Bytes more for each deleted record: its forms in the search."""
_RECORDS_A_SECOND: Final = 100
"""Deleted records for which a second is added: each is compared with every table of a file."""
BROKEN: Final = (
    OSError, ValueError, KeyError, TypeError, IndexError, OverflowError, EOFError, RuntimeError, struct.error, zlib.error,
    lzma.LZMAError, zipfile.BadZipFile,
)  # fmt: skip
"""What taking apart a broken, encrypted or too deeply nested table or archive raises."""
_Marks: TypeAlias = npt.NDArray[np.bool_]
Answer: TypeAlias = Callable[[Mapping[str, Any], bytes], Any]


@dataclass(frozen=True, slots=True, eq=False)
class Sought:
    """What is looked for in what is kept, and who may be kept."""

    wanted: Wanted
    numbers: Numbers
    people: People | None
    """None where the case has no store."""
    id_column: str

    def reader(self) -> Reader:
        """A process that reads what is kept."""
        records = len(self.wanted.deleted.ids)
        memory, seconds = _ROOM.memory + _MEMORY_EACH * records, _ROOM.seconds + records // _RECORDS_A_SECOND
        return Reader(SERVED_BY, self, Room(memory, _ROOM.memory_times, seconds, _ROOM.seconds_each_mebibyte))


@dataclass(slots=True)
class LimitedSearch:
    """A search whose files are read in a limited process; see `Search` for what its functions do."""

    search: Search
    """What all places together have shown."""
    reader: Reader
    numbers: bool = False
    """Whether there are people's numbers to look for."""
    accounts: dict[str, Kept] = field(default_factory=dict)
    """What of each file of the store is accounted for, by its path in the case."""

    def file(
        self, path: Path, listed: InputFile, place: Message, *, name: str | None = None, named: frozenset[str] = frozenset()
    ) -> bool:
        """Search one file of a store; say whether it could be read.

        Args:
            path: The file.
            listed: What the case lists of it.
            place: How it is named in what is said.
            name: Its path below the store; the file's name where left out.
            named: Deleted records that it names in a way of its own.

        Raises:
            InputError: If it is not what was listed any more.
        """
        name = path.name if name is None else name
        if listed.bytes > MAX_BYTES:
            self.search.leave_out(place, Message("data.erased.unreadable.too-large", {"bytes": MAX_BYTES}))
        else:
            question = {**_asked("file", path, listed), "name": name, "named": sorted(named)}
            if self._ask(question, place, listed=listed):
                return True
        self._by_name(place, named | self.search.wanted.deleted.in_text(name, short_ids=False))
        return False

    def group(self, files: Sequence[tuple[Path, InputFile, Message]], names: Sequence[str]) -> bool:
        """Search files of a store that belong together, and account for them; say whether they could be read as such.

        Args:
            files: Each file, what the case lists of it, and how it is named.
            names: Their paths below the store, in the same order.

        Raises:
            InputError: If one is not what was listed any more.
        """
        size = sum(listed.bytes for _, listed, _ in files)
        if size > MAX_BYTES:
            return False
        asked = [{**_asked("group", path, listed), "name": name} for (path, listed, _), name in zip(files, names, strict=True)]
        controls = self.search.controls and not self.search.recognised
        try:
            found = self.reader.ask({"do": "group", "files": asked, "controls": controls}, size=size)
        except NotReadError:
            return False
        for (_, listed, _), changed_or_not in zip(files, found["changed"], strict=True):
            if changed_or_not:
                raise InputError([changed(listed.path)])
        if found["told"] is None:
            return False
        add(self.search, files[0][2], found["told"])
        left = int(found["kept"]["unexplained"])
        for number, (_, listed, place) in enumerate(files):
            own = min(left, listed.bytes)
            left -= own
            said = {**found["kept"], "bytes": listed.bytes, "unexplained": own} if not number else {}
            kept = Kept(kind="store", place=place, **{"bytes": listed.bytes, "unexplained": own, **said})
            self.accounts[listed.path] = kept.model_copy(update={"declared": min(kept.declared, listed.bytes)})
        return True

    def content(self, content: bytes, place: Message) -> None:
        """Search plain bytes."""
        self._ask({"do": "content"}, place, content)

    def held(self, content: bytes, place: Message, *, name: str) -> None:
        """Search a file that is held already."""
        if not self._ask({"do": "held", "name": name}, place, content):
            self._by_name(place, self.search.wanted.deleted.in_text(name, short_ids=False))

    def _by_name(self, place: Message, named: set[str] | frozenset[str]) -> None:
        """Count the records that a file names which could not be read."""
        self.search.found |= named
        if named:
            how = Message("data.erased.how.bytes")
            self.search.searched.append(Searched(place=place, records_searched=None, found=len(named), how=how))

    def code(self, content: bytes, place: Message) -> None:
        """Search a file of code."""
        self._ask({"do": "code"}, place, content)

    def named_in(self, path: Path, listed: InputFile, place: Message) -> NamedIn | None:
        """Look for people's numbers in one file of a store; None where none is in it, or it cannot be read, which is noted.

        Raises:
            InputError: If it is not what was listed any more.
        """
        # Without numbers, or with a size at which no table is read, there is nothing to ask.
        if not self.numbers or listed.bytes > BINARY_LIMIT:
            return None
        try:
            found = _same(self.reader.ask(_asked("numbers", path, listed), size=listed.bytes), listed)
        except NotReadError as error:
            self.search.leave_out(place, why_unread(error))
            return None
        if found is None:
            return None
        return NamedIn(frozenset(map(str, found["records"])), tuple((str(own), str(other)) for own, other in found["columns"]))

    def account(self, path: Path, listed: InputFile, place: Message, *, read: bool) -> None:
        """Account for one file of a store: for nothing of it where it cannot be read.

        Args:
            path: The file.
            listed: What the case lists of it.
            place: How it is named in what is said.
            read: Whether it could be searched: one that could not is not tried again.

        Raises:
            InputError: If it is not what was listed any more.
        """
        kept = Kept(kind="store", place=place, bytes=listed.bytes, unexplained=listed.bytes)
        if read and listed.bytes <= BINARY_LIMIT:
            with suppress(NotReadError):
                found = _same(self.reader.ask(_asked("kept", path, listed), size=listed.bytes), listed)
                kept = Kept(kind="store", place=place, **found)
        self.accounts[listed.path] = kept

    def _ask(self, question: Mapping[str, Any], place: Message, content: bytes = b"", *, listed: InputFile | None = None) -> bool:
        """Add what is in a place to the search; say whether it could be read."""
        controls = self.search.controls and not self.search.recognised
        size = None if listed is None else listed.bytes
        try:
            found = self.reader.ask({**question, "controls": controls}, content, size=size)
        except NotReadError as error:
            self.search.leave_out(place, why_unread(error))
            return False
        add(self.search, place, found if listed is None else _same(found, listed))
        return True


def _asked(do: str, path: Path, listed: InputFile) -> dict[str, str]:
    return {"do": do, "path": str(path), "sha256": listed.sha256}


def _same(found: Any, listed: InputFile) -> Any:
    """An answer about a file that is what was listed.

    Raises:
        InputError: If it is not: what the audit would say of it holds for no file that it names.
    """
    if found == _CHANGED:
        raise InputError([changed(listed.path)])
    return found


def changed(name: str) -> Problem:
    """Say that a file is not what it was when the case was read."""
    return Problem(name, "", "a file that stays as it is while it is audited", "another than when the case was read")


def why_unread(error: NotReadError) -> Message:
    """Say why a file was not read."""
    match error.why:
        case "memory":
            return Message("data.erased.unreadable.memory", {"bytes": error.limit})
        case "time":
            return Message("data.erased.unreadable.time", {"seconds": error.limit})
        case "ended":
            return Message("data.erased.unreadable.ended")
        case "untried":
            return Message(UNTRIED)


class ChangedError(Exception):
    """A file that is not the one that was listed."""


@dataclass(slots=True)
class LastRead:
    """The file that was read last: what is asked about one file is asked one after another, and it is opened once."""

    asked: tuple[str, str] | None = None
    content: bytes = b""

    def of(self, path: str, digest: str) -> bytes:
        """What a file holds, if it is what was listed.

        Raises:
            ChangedError: If it is not.
        """
        if self.asked != (path, digest):
            self.asked, self.content = None, b""
            try:
                with opened(Path(path)) as stream:
                    content = stream.read()
            except OSError as error:
                raise ChangedError from error
            if hashlib.sha256(content).hexdigest() != digest:
                raise ChangedError
            self.asked, self.content = (path, digest), content
        return self.content


def serve(sought: Sought) -> Answer:
    """Give the function that answers what `LimitedSearch` asks; it runs in the limited process."""
    last = LastRead()

    def answered(question: Mapping[str, Any], content: bytes) -> Any:
        match question["do"]:
            case "numbers":
                named = sought.numbers.named_in(Path(question["path"]), content)
                return None if named is None else {"records": sorted(named.records), "columns": named.columns}
            case "kept":
                if sought.people is None:
                    raise LookupError("no store")
                return of_file(Path(question["path"]), content, sought.people, _HERE).model_dump(exclude={"kind", "place"})
            case "group":
                return _of_group(sought, last, question)
            case _:
                search = Search(sought.wanted, sought.id_column, controls=question["controls"], people=sought.people)
                look(search, question, content)
                return told(search)

    def answer(question: Mapping[str, Any], content: bytes) -> Any:
        try:
            return answered(question, last.of(question["path"], question["sha256"]) if "path" in question else content)
        except ChangedError:
            return _CHANGED

    return answer


def _of_group(sought: Sought, last: LastRead, question: Mapping[str, Any]) -> dict[str, Any]:
    """Search files that belong together, and account for them."""
    files: dict[str, bytes] = {}
    for each in question["files"]:
        try:
            files[str(each["name"])] = last.of(each["path"], each["sha256"])
        except ChangedError:
            return {"changed": [other is each for other in question["files"]], "told": None}
    answer: dict[str, Any] = {"changed": [False] * len(files), "told": None}
    found = read_files(files, VECTOR_STORES)
    if sought.people is None or len(found) != 1 or not isinstance(found[0], Contents):
        return answer
    search = Search(sought.wanted, sought.id_column, controls=question["controls"], people=sought.people)
    search.group(files, found[0], _HERE)
    size = sum(map(len, files.values()))
    try:
        kept = account_rows(vector_stores.rows(found[0], sought.people), size, sought.people, _HERE)
    except BROKEN:
        kept = Kept(kind="store", place=_HERE, bytes=size, unexplained=size)
    return {**answer, "told": told(search), "kept": kept.model_dump(exclude={"kind", "place", "bytes"})}


_CHANGED: Final = "changed"
"""The answer where a file is not the one that was listed."""


_HERE: Final = Message("data.erased.place.state")
"""Stands for the place that is asked about, which the process is not told."""


def look(search: Search, question: Mapping[str, Any], content: bytes) -> None:
    """Search what a question is about."""
    match question["do"]:
        case "file":
            named = frozenset(question["named"])
            search.file(Path(question["path"]), _HERE, content=content, name=question["name"], named=named)
        case "content":
            search.content(content, _HERE)
        case "held":
            search.held(content, _HERE, name=question["name"])
        case "code":
            search.code(content, _HERE)


def told(search: Search) -> dict[str, Any]:
    """What a search of one place came to, as JSON."""
    return {
        "found": sorted(search.found),
        "recognised": sorted(search.recognised),
        "searched": [[each.records_searched, each.found, written(each.how)] for each in search.searched],
        "not_searched": [written(each.why) for each in search.not_searched],
        "open": [written(each.parameters["why"]) for each in search.open_places],
        "doubtful": [None if each is None else sorted(each) for each in search.doubtful],
    }


def add(search: Search, place: Message, found: Mapping[str, Any]) -> None:
    """Add what `told` says of a place to a search."""
    search.found.update(map(str, found["found"]))
    search.recognised.update(map(str, found["recognised"]))
    for records, count, how in found["searched"]:
        search.searched.append(Searched(place=place, records_searched=records, found=count, how=read_message(how)))
    for why in found["not_searched"]:
        search.not_offered(place, read_message(why))
    for why, doubtful in zip(found["open"], found["doubtful"], strict=True):
        search.leave_open(place, read_message(why), None if doubtful is None else frozenset(map(str, doubtful)))


def written(message: Message) -> list[Any]:
    """Give a message as JSON."""
    return [message.code, dict(message.parameters)]


def read_message(told: Any) -> Message:
    """Read a message that `written` gave."""
    code, parameters = told
    return Message(str(code), parameters)


# How much of a data store is accounted for: rows of people who may be kept, in columns that are known.
# Known are the columns of the training data, and those that the controller declares as `[data] store_columns`. A row counts
# where it names a person who may be kept: one whose record is retained, or one whom the training data do not know. Without a
# column of ids it counts where its values are those of a retained record. Everything else in a file is unexplained: other
# columns, rows of deleted records, labels that the training data do not have, cells longer than a number is, whatever lies
# between and behind the rows, and every file that is no table.
def of_file(path: Path, content: bytes, people: People, place: Message) -> Kept:
    """Account for one file of a store.

    Args:
        path: The file, for its name.
        content: What it holds.
        people: Who may be kept.
        place: How it is named.
    """
    size, found = len(content), rows_of(path, content, people)
    if found is None:
        return Kept(kind="store", place=place, bytes=size, unexplained=size)
    return account_rows(found, size, people, place)


def rows_of(path: Path, content: bytes, people: People) -> list[Rows] | None:
    """Give the tables of a file; None where it has none, or cannot be taken apart: a damaged file is no crash of the audit."""
    store = vector_stores.contents(path.name, content)
    try:
        if store is not None:
            return vector_stores.rows(store, people)
        return of_database(content, people) if content.startswith(databases.MAGIC) else tables(path, content, people)
    except (*BROKEN, sqlite3.Error, csv.Error):
        return None


def account_rows(found: list[Rows], size: int, people: People, place: Message) -> Kept:
    """Count what of these rows is nobody's who may be kept, and all that belongs to no row."""
    strangers = changed = 0
    own, spare = own_bytes(found), [each for rows in found for each in rows.spare]
    unexplained = sum(each.unexplained for each in found)
    for rows in found:
        wrong, new, other, of_widths = _of_people(rows, people)
        unexplained += int(rows.sizes[wrong].sum())
        if of_widths:
            spare.append(Spare(name="spelling of cells", bits=of_widths))
        if bits := found_rows.choice([record for record, _ in _own(rows)], people):
            spare.append(Spare(name="order of rows", bits=bits))
        strangers, changed = strangers + int(np.count_nonzero(new & ~wrong)), changed + int(np.count_nonzero(other & ~wrong))
    declared = min(size, sum(each.declared for each in found))
    return Kept(
        kind="store",
        place=place,
        bytes=size,
        unexplained=min(size, unexplained),
        declared=declared,
        strangers=strangers,
        changed=changed,
        found_rows=len(own),
        found_bytes=min(size, unexplained, sum(own.values())),
        spare=tuple(spare),
    )


def own_bytes(found: Iterable[Rows]) -> dict[str, int]:
    """Give of each deleted record the bytes of its own rows, one of each table at most, that hold nothing else."""
    sizes: Counter[str] = Counter()
    for rows in found:
        for record, size in _own(rows):
            sizes[record] += size
    return dict(sizes)


def _own(rows: Rows) -> Iterator[tuple[str, int]]:
    yield from zip(rows.whose_own, rows.sizes[np.flatnonzero(rows.found)].tolist(), strict=True)


def _of_people(rows: Rows, people: People) -> tuple[_Marks, _Marks, _Marks, int]:
    """Which rows are nobody's who may be kept, which are strangers', and which are retained people's with other values.

    The last is how many bits could be said by which values are rounded to float32.
    """
    count = len(rows.sizes)
    wrong = rows.bad.copy() if len(rows.bad) else np.zeros(count, dtype=bool)
    new, other = np.zeros(count, dtype=bool), np.zeros(count, dtype=bool)
    if rows.labels is not None and people.labels is not None:
        wrong |= np.array([each not in people.labels for each in rows.labels], dtype=bool)
    if rows.ids is None:
        retained, bits = _are_retained(rows, people)
        return wrong | ~retained, new, other, bits
    wrong |= np.array([not each.strip() or each in people.gone or len(each) > people.longest for each in rows.ids], dtype=bool)
    if people.shapes is not None:
        wrong |= np.array([shape(each) not in people.shapes for each in rows.ids], dtype=bool)
    places = np.array([people.places.get(each, -1) for each in rows.ids], dtype=np.int64)
    new = places < 0
    values, bits = rows.some if rows.features is None else rows.features, 0
    if values is not None:
        other, bits = widths.compared(values, places, people, some=rows.features is None)
    return wrong, new, other, bits


def _are_retained(rows: Rows, people: People) -> tuple[_Marks, int]:
    """Which rows have the values of a retained record, in float64 or rounded to float32, and the bits of which of both."""
    if rows.features is None:
        return np.zeros(len(rows.sizes), dtype=bool), 0
    whole, half = set[bytes](), set[bytes]()
    for own, narrow in _forms(people.train.features, people.retained):
        whole.add(own)
        if narrow != own:
            half.add(narrow)
    given = list(_digests(rows.features))
    bits = widths.of_width([each in half for each in given if (each in half) is not (each in whole)])
    known = np.array([each in whole or each in half for each in given], dtype=bool)
    return known & ~_once_too_often(given, people), bits


def _digests(rows: Floats) -> Iterator[bytes]:
    """What stands for each row; zeros of either sign are the same."""
    for block in row_blocks(rows):
        yield from map(row_digest, rows[block] + 0.0)


def _forms(rows: Floats, which: _Marks) -> Iterator[tuple[bytes, bytes]]:
    """Digests of each of these rows, in float64 and rounded to float32."""
    for block in row_blocks(rows):
        held = rows[block][which[block]]
        with np.errstate(over="ignore"):
            narrow = held.astype(np.float32).astype(np.float64)
        yield from zip(_digests(held), _digests(narrow), strict=True)


def _once_too_often(given: list[bytes], people: People) -> _Marks:
    """Which rows have values that a deleted record has too, and are more than people who stay have these: one may be its own."""
    shared = {each for forms in _forms(people.train.features, ~people.retained) for each in forms}
    found = np.zeros(len(given), dtype=bool)
    if shared.isdisjoint(given):
        return found
    left: Counter[bytes] = Counter()
    for forms in _forms(people.train.features, people.retained):
        left.update(shared.intersection(forms))
    for at, each in enumerate(given):
        if each in shared:
            left[each] -= 1
            found[at] = left[each] < 0
    return found
