"""Read the data folder of a stopped PostgreSQL server, with pgvector: rows that are there, and rows that still lie there.

Deleted rows stay in their pages until `VACUUM`, and their bytes until the page is written again; values lie in TOAST tables,
indexes, statistics and the write-ahead log too. Rows of tables are read and accounted for. Everything else is searched, unpacked
where it was packed, and nothing of it is accounted for, so that no such folder is examined as a whole.
"""

from __future__ import annotations

import re
import struct
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import PurePosixPath
from typing import Final

import numpy as np

from auditor.base.domain import Message
from auditor.parts.store.readers.contents import Contents, Lies, Rows, UnknownFormError
from auditor.parts.store.readers.postgres_log import SEGMENT, read_log
from auditor.parts.store.readers.postgres_pages import HEADER, PAGE, Commits, Page, Tuple, carved, pages, read_page
from auditor.parts.store.readers.postgres_tables import FILE, Database, Relation, TableRows, Toast, put_together
from auditor.parts.store.readers.postgres_values import Room, packed_in, unpacked, vectors_in, words_in

_CONTROL: Final = "global/pg_control"
_VERSION: Final = "PG_VERSION"
_MAP: Final = "pg_filenode.map"
_VERSIONS: Final = {b"13": 1300, b"14": 1300, b"15": 1300, b"16": 1300, b"17": 1700}
"""Versions that are read, and the version of their control file."""
_STOPPED: Final = 1
_FLOATS: Final = struct.pack("<d", 1234567.0)
_CHECKED: Final = range(256, 384, 4)
"""Where the control file's sum may be."""
_DATABASE: Final = re.compile(r"(?:base|pg_tblspc/\d+/PG_[^/]+)/(\d{1,10})/([^/]+)", re.ASCII)
_ROOM: Final = 64 << 20
_TIMES: Final = 16
_TRIES: Final = 1 << 16
"""Packed values that are looked for in one piece."""
_BORDER: Final = bytes(8)
_MOST_WORDS: Final = 1 << 20
_SINGLE: Final = frozenset({_VERSION, _CONTROL, "postmaster.pid", "backup_label"})
_BESIDES: Final = frozenset({_VERSION, _MAP, "pg_control"})
_NUMBERED: Final = re.compile(r"(?:t\d{1,10}_)?\d{1,10}(?:_(?:fsm|vm|init))?(?:\.\d{1,6})?", re.ASCII)
_OTHERS: Final = (b"PAR1", b"PK", b"SQLite", b"\x1f\x8b", b"BZh", b"\xfd7zXZ", b"\x28\xb5\x2f\xfd", b"\x93NUMPY")
"""How files begin that others read."""


class PostgresFolder:
    """Reads one data folder."""

    form = "PostgreSQL data folder"

    def claims(self, heads: Mapping[str, bytes]) -> tuple[tuple[str, ...], ...]:
        """Claim each folder with a version and a control file, and what a server writes below it.

        Whatever else lies there is left to who knows it: nothing is hidden in such a folder.
        """
        roots = sorted(each.removesuffix(_CONTROL) for each in heads if each == _CONTROL or each.endswith(f"/{_CONTROL}"))
        found, taken = [], set[str]()
        for root in roots:
            below = {each: each.removeprefix(root) for each in heads if each.startswith(root) and each not in taken}
            own = [each for each, path in below.items() if _is_of_server(path, heads[each])]
            if f"{root}{_VERSION}" in own:
                taken.update(own)
                found.append((f"{root}{_VERSION}", *(each for each in own if each != f"{root}{_VERSION}")))
        return tuple(found)

    def read(self, files: Mapping[str, bytes]) -> Contents:
        """Take a folder apart.

        Raises:
            UnknownFormError: If it is of another version, or its control file is damaged.
        """
        first = next(iter(files))
        root = first.removesuffix(_VERSION)
        folder = _Folder({path.removeprefix(root): content for path, content in files.items()})
        try:
            return folder.read(self.form, tuple(files))
        except (ValueError, IndexError, KeyError, OverflowError, struct.error) as error:
            raise UnknownFormError from error


def _is_of_server(path: str, head: bytes) -> bool:
    """Whether a file has a name and a beginning that a server gives it."""
    if path in _SINGLE:
        return True
    folder, _, name = path.rpartition("/")
    if folder == "pg_xact":
        return _is_hex(name) and not head.startswith(_OTHERS)
    if folder.startswith("pg_wal"):
        return SEGMENT.fullmatch(name) is not None and (not any(head) or head[1:2] == b"\xd1")
    if folder != "global" and _DATABASE.fullmatch(path) is None:
        return False
    if name in {_VERSION, _MAP}:
        return len(head) < PAGE // 8
    return _NUMBERED.fullmatch(name) is not None and (not any(head) or int.from_bytes(head[18:20], "little") == PAGE | 4)


def _crc(content: bytes) -> int:
    """Sum bytes as CRC-32C."""
    total = 0xFFFFFFFF
    for byte in content:
        total ^= byte
        for _ in range(8):
            total = total >> 1 ^ (0x82F63B78 if total & 1 else 0)
    return total ^ 0xFFFFFFFF


@dataclass(slots=True)
class _Folder:
    files: Mapping[str, bytes]
    """By their paths below it."""
    rows: list[Rows] = field(default_factory=list)
    loose: list[bytes] = field(default_factory=list)
    """Bytes of no row."""
    values: list[list[bytes]] = field(default_factory=list)
    """Values of each database that no row has."""
    everywhere: set[bytes] = field(default_factory=set)
    """Those that every database holds: initdb's."""
    widths: set[int] = field(default_factory=set)
    explained: int = 0
    """Bytes of rows that are there, and of what holds them."""
    left: dict[str, int] = field(default_factory=lambda: dict.fromkeys(("catalogs", "indexes", "dead", "log", "other"), 0))
    """Bytes that are not accounted for, by what they are."""
    room: Room = field(default_factory=lambda: Room(_ROOM))
    unknown: set[str] = field(default_factory=set)
    missing: int = 0
    broken: bool = False
    seeds: dict[tuple[int, str], set[bytes]] = field(default_factory=dict)
    """Rows of each catalog, by its number and name, in the database with the fewest relations."""

    def read(self, form: str, paths: tuple[str, ...]) -> Contents:
        size = sum(map(len, self.files.values()))
        self.room.left += _TIMES * size
        stopped = self._control()
        segments = {int(each, 16): self.files[f"pg_xact/{each}"] for each in self._below("pg_xact") if _is_hex(each)}
        log = Commits(segments)
        folders: dict[str, dict[str, bytes]] = {}
        rest = dict(self.files)
        for path, content in self.files.items():
            if match := _DATABASE.fullmatch(path):
                folders.setdefault(match[1], {})[match[2]] = content
                del rest[path]
        databases = [
            self._database(int(number), own, log) for number, own in sorted(folders.items(), key=lambda each: int(each[0]))
        ]
        self._take_seeds([each for each in databases if each is not None])
        for number, own in folders.items():
            database = next((each for each in databases if each is not None and each.number == int(number)), None)
            if database is None:
                self.broken = True
                for content in own.values():
                    self._leave("other", content)
            else:
                self._tables(database, own)
        self.everywhere = set.intersection(*map(set, self.values)) if len(self.values) > 1 else set()
        for values in self.values:
            self._unpack(values)
        self._log(rest, [each for each in databases if each is not None])
        for path, content in rest.items():
            self._leave("catalogs" if path.startswith("global/") else "other", content, loose=not path.startswith("global/"))
        self._global()
        return self._contents(form, paths, size, stopped=stopped)

    def _below(self, folder: str) -> list[str]:
        return [each.removeprefix(f"{folder}/") for each in self.files if each.startswith(f"{folder}/")]

    def _control(self) -> bool:
        """Say whether the server was stopped as it should be.

        Raises:
            UnknownFormError: If it is of another version, or the control file is damaged.
        """
        content, version = self.files[_CONTROL], self.files[_VERSION].strip()
        if version not in _VERSIONS or len(content) < _CHECKED.stop + 4:
            raise UnknownFormError
        _, form, _, state = struct.unpack_from("<QIII", content)
        at = content.find(_FLOATS, 0, _CHECKED.stop)
        sums = any(_crc(content[:end]) == int.from_bytes(content[end : end + 4], "little") for end in _CHECKED)
        if form != _VERSIONS[version] or at < 0 or int.from_bytes(content[at + 8 : at + 12], "little") != PAGE or not sums:
            raise UnknownFormError
        return state == _STOPPED and "postmaster.pid" not in self.files and "backup_label" not in self.files

    def _database(self, number: int, own: Mapping[str, bytes], log: Commits) -> Database | None:
        try:
            return Database.read(number, put_together(own), log, own.get(_MAP, b""))
        except (UnknownFormError, struct.error, IndexError, KeyError):
            return None

    def _take_seeds(self, databases: Iterable[Database]) -> None:
        """Take the rows of catalogs of the first database that nobody has changed much, to tell others' own rows from them."""
        databases = list(databases)
        if len(databases) < 2:
            return
        first = min(databases, key=lambda each: (len(each.relations), each.number))
        for file, relation in first.relations.items():
            self.seeds[relation.number, relation.name] = (
                {each.said for each in _tuples(first.files.get(file, b""))} if relation.has_rows else set()
            )

    def _is_catalog(self, relation: Relation) -> bool:
        return (relation.number, relation.name) in self.seeds if self.seeds else relation.initial

    def _tables(self, database: Database, own: Mapping[str, bytes]) -> None:
        """Read what somebody made in a database, and look through the rest."""
        where = f"base/{database.number}"
        toast = Toast(self.room)
        toast_of = {each.number: file for file, each in database.relations.items() if each.kind == "t"}
        for file, relation in database.relations.items():
            if relation.kind == "t":
                for each in _all_tuples(database.files.get(file, b""), 3):
                    toast.add(file, each)
        for file, content in database.files.items():
            known = database.relations.get(file)
            if known is None:
                # A file that no catalog names: of a table that is gone, or of nobody knows what.
                for each in _all_tuples(content, 3):
                    toast.add(file, each)
                self._leave("other", content)
            elif self._is_catalog(known):
                self._catalog(database, known, content)
            elif known.kind in {"r", "m"}:
                self._table(TableRows(known, database.kinds, toast, toast_of, self.room), content, database.log, where)
            elif known.kind == "t":
                self._account_pages(content, database.log)
            else:
                self._leave("indexes" if known.kind == "i" else "other", content)
        self.values.append([*toast.left()])
        self._forks(own)
        self.unknown |= database.kinds.unknown

    def _forks(self, own: Mapping[str, bytes]) -> None:
        """Leave maps of free space and of what is visible, and whatever else lies in the folder of a database."""
        for name, content in own.items():
            match = FILE.fullmatch(name)
            if match is None or match[2] is not None:
                self._leave("other", content, loose=name not in _BESIDES and match is None)

    def _table(self, table: TableRows, content: bytes, log: Commits, where: str) -> None:
        for page in pages(content):
            read = read_page(page)
            if read is None:
                self._leave("dead", page)
                continue
            self._explain(read, table.page(read, log))
        self._given(table, f"{where}: {table.relation.name}")

    def _given(self, table: TableRows, where: str) -> None:
        self.missing += table.missing
        self.loose += table.loose
        for each in table.rows(where):
            self.rows.append(each)
            if each.vectors is not None:
                self.widths.add(int(each.vectors.shape[1]))

    def _account_pages(self, content: bytes, log: Commits) -> None:
        """Account for the pages of a TOAST table, whose pieces were read."""
        for page in pages(content):
            read = read_page(page)
            if read is None:
                self._leave("dead", page)
                continue
            live = sum(len(each.content) for each in read.tuples if each.live(log))
            self._explain(read, live)

    def _explain(self, page: Page, rows: int) -> None:
        """Account for what a page is made of, and for so many bytes of its rows."""
        explained = min(PAGE, HEADER + 4 * page.lines + rows + page.between.count(0))
        self.explained += explained
        self.left["dead"] += PAGE - explained
        self.loose.append(page.between.strip(b"\0"))

    def _catalog(self, database: Database, relation: Relation, content: bytes) -> None:
        """Look through a catalog, for what others do not have."""
        self.left["catalogs"] += len(content)
        if not relation.has_rows:
            return
        seeds = self.seeds.get((relation.number, relation.name), set())
        for page in pages(content):
            read = read_page(page)
            if read is None:
                self.loose.append(page.strip(b"\0"))
                continue
            self.loose += [each.said for each in read.tuples if each.said not in seeds]
            self.loose.append(read.between.strip(b"\0"))
        if relation.name == "pg_largeobject" and relation.columns:
            self._large_objects(database, relation, content)

    def _large_objects(self, database: Database, relation: Relation, content: bytes) -> None:
        """Put large objects together, which lie in pieces."""
        pieces: dict[str, dict[int, str]] = {}
        table = TableRows(relation, database.kinds, Toast(self.room), {}, self.room)
        for each in _tuples(content):
            table.row(each, Lies.LIVE, exact=True)
        for row in table.read.get(Lies.LIVE, []):
            number, place, data = row.get("loid"), row.get("pageno"), row.get("data")
            if isinstance(number, str) and isinstance(place, str) and isinstance(data, str):
                pieces.setdefault(number, {})[int(place)] = data
        for own in pieces.values():
            self.loose.append(b"".join(own[at].encode("latin-1", "replace") for at in sorted(own)))

    def _log(self, rest: dict[str, bytes], databases: Iterable[Database]) -> None:
        """Read the write-ahead log: what it wrote of tables that are known, and everything else as it lies there."""
        segments = {path: content for path, content in rest.items() if SEGMENT.fullmatch(PurePosixPath(path).name)}
        written = read_log(segments, self.room)
        for path, content in segments.items():
            del rest[path]
            self.left["log"] += len(content) - content.count(0)
            self.explained += content.count(0)
        self.loose += written.records
        self.broken |= written.shut
        relations = {
            file: (each, relation)
            for each in databases
            for file, relation in each.relations.items()
            if not self._is_catalog(relation)
        }
        toast, tables = Toast(self.room), dict[int, TableRows]()
        toast_of = {relation.number: file for file, (_, relation) in relations.items() if relation.kind == "t"}
        rows = list(written.rows)
        self.loose += written.unpacked
        for file, image in written.images:
            if (page := read_page(image)) is not None:
                rows += [(file, each) for each in page.tuples]
                rows += [
                    (file, each) for each in carved(page.between, len(relations[file][1].columns) if file in relations else 3)
                ]
        for file, each in rows:
            if file not in relations or relations[file][1].kind == "t":
                toast.add(file, each)
        for file, each in rows:
            if file in relations and relations[file][1].kind in {"r", "m"}:
                database, relation = relations[file]
                if file not in tables:
                    tables[file] = TableRows(relation, database.kinds, toast, toast_of, self.room)
                tables[file].row(each, Lies.REMNANT, exact=False)
        for table in tables.values():
            # What the log does not have of a value lies elsewhere, or nowhere.
            table.missing = 0
            self._given(table, f"pg_wal: {table.relation.name}")
        self._unpack(toast.left())

    def _unpack(self, values: Iterable[bytes]) -> None:
        """Take values that no row has, as they are and unpacked."""
        for each in dict.fromkeys(each for each in values if each not in self.everywhere):
            self.loose.append(each)
            with suppress(UnknownFormError):
                self.loose.append(unpacked(each, self.room))

    def _global(self) -> None:
        """Look through the catalogs that all databases share."""
        for path, content in self.files.items():
            if path.startswith("global/") and FILE.fullmatch(path.removeprefix("global/")):
                for page in pages(content):
                    if (read := read_page(page)) is not None:
                        self.loose += [each.said for each in read.tuples]
                        self.loose.append(read.between.strip(b"\0"))

    def _leave(self, kind: str, content: bytes, *, loose: bool = True) -> None:
        """Leave bytes unaccounted for."""
        zeros = content.count(0)
        self.left[kind] += len(content) - zeros
        self.explained += zeros
        if loose and zeros < len(content):
            self.loose.append(content.strip(b"\0"))

    def _contents(self, form: str, paths: tuple[str, ...], size: int, *, stopped: bool) -> Contents:
        loose = [each for each in dict.fromkeys(self.loose) if each]
        for each in tuple(loose):
            loose += packed_in(each, self.room, _TRIES)
        words: dict[str, None] = {}
        for each in loose:
            for word in words_in(each):
                if len(words) < _MOST_WORDS:
                    words[word] = None
                else:
                    self.room.over = True
        if words:
            fields = tuple({"value": each} for each in words)
            self.rows.append(Rows("values of no row", Lies.REMNANT, len(fields), fields=fields))
        for width in sorted(self.widths):
            found = [some for each in loose if len(some := vectors_in(each, width, self.room))]
            if found:
                vectors = np.unique(np.concatenate(found), axis=0)
                self.rows.append(Rows("vectors of no row", Lies.REMNANT, len(vectors), vectors=vectors))
        unread = [Message("data.erased.open.postgresql", {**self.left})]
        unread += [Message("data.erased.open.postgresql-running")] if not stopped else []
        unread += [Message("data.erased.open.coding", {"name": each}) for each in sorted(self.unknown)[:1]]
        if self.room.over or self.broken or self.missing:
            unread.append(Message("data.erased.open.shut"))
        return Contents(
            form=form,
            rows=tuple(self.rows),
            bytes=size,
            unexplained=max(0, size - self.explained),
            unread=tuple(unread),
            loose=_BORDER.join(loose),
            files=paths,
        )


def _is_hex(name: str) -> bool:
    return re.fullmatch(r"[0-9A-F]{4,16}", name, re.ASCII) is not None


def _tuples(content: bytes) -> list[Tuple]:
    return [each for page in pages(content) if (read := read_page(page)) for each in read.tuples if each.whole]


def _all_tuples(content: bytes, most: int) -> list[Tuple]:
    """Give the rows of a file, and what may be rows between them, after these."""
    read = [each for page in pages(content) if (each := read_page(page))]
    return [each for page in read for each in page.tuples] + [each for page in read for each in carved(page.between, most)]
