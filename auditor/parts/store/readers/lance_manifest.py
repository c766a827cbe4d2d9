"""Read what a table of Lance says of its versions: manifests, and the transactions that made them.

A transaction keeps what its operation was called with: of a deletion, that is the condition, with the ids that it names.
"""

from __future__ import annotations

import re
import struct
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final

from auditor.parts.store.observing.spare_bits import bits_of
from auditor.parts.store.readers.contents import UnknownFormError
from auditor.parts.store.readers.lance_file import MARK, VERSIONS
from auditor.parts.store.readers.lance_kinds import Field, not_known, text_of
from auditor.parts.store.readers.protobuf import Taken

_FOOTER: Final = struct.Struct("<QHH4s")
_DATA_NAME: Final = re.compile(r"[01]{24}[0-9a-f]{6}4[0-9a-f]{3}[89ab][0-9a-f]{15}\.lance", re.ASCII)
_UUID: Final = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}", re.ASCII)
_RELEASE: Final = re.compile(r"\d{1,2}\.\d{1,2}\.\d{1,2}", re.ASCII)
_BETA: Final = re.compile(r"(beta|rc)\.\d{1,2}", re.ASCII)
_TIMES: Final = range(1_640_995_200, 4_102_444_800)
_SECOND: Final = 10**9
_DELETED: Final = 1
"""The flag of a table with deletion files."""


@dataclass(slots=True)
class Said:
    """What is said in passing: bytes that nothing explains, bits of numbers, and names that were drawn."""

    unexplained: int = 0
    bits: int = 0
    drawn: set[object] = field(default_factory=set)
    """Names and times that only a program's random numbers and clock determine; names of data files are not among them."""
    transactions: list[bytes] = field(default_factory=list)
    """Those that manifests hold a copy of."""
    mentioned: list[Fragment] = field(default_factory=list)
    """Fragments that a transaction names."""
    listed: list[tuple[Field, ...]] = field(default_factory=list)
    """Columns that a transaction lists."""

    def text(self, content: bytes) -> None:
        """Take in text that may say anything."""
        self.unexplained += len(content)

    def number(self, value: int, expected: int = 0) -> None:
        """Take in a number that is usually this one."""
        self.bits += bits_of(value - expected) if value != expected else 0


@dataclass(frozen=True, slots=True)
class Deletions:
    """Which deletion file a fragment has."""

    arrow: bool
    version: int
    """The version that the rows were read from to be deleted."""
    number: int
    count: int

    def name(self, fragment: int) -> str:
        """Its name."""
        return f"{fragment}-{self.version}-{self.number}.{'arrow' if self.arrow else 'bin'}"


@dataclass(frozen=True, slots=True)
class File:
    """Which data file a fragment has, and which of its columns are which of the table's."""

    path: str
    columns: tuple[tuple[int, int], ...]
    """Number of the field, and place of the column in the file."""
    size: int


@dataclass(frozen=True, slots=True)
class Fragment:
    """Rows that were written together."""

    number: int
    files: tuple[File, ...]
    deletions: Deletions | None
    rows: int

    @classmethod
    def read(cls, content: bytes, said: Said) -> Fragment:
        """Read one.

        Raises:
            UnknownFormError: If it has what is not known.
        """
        taken = Taken(content)
        number = taken.whole(1)
        files = tuple(_file(each, said) for each in taken.many(2))
        deletions = _deletions(taken.content(3)) if taken.given(3) else None
        rows = taken.whole(4)
        if any(taken.given(each) for each in range(5, 11)):
            raise not_known("stable row ids")
        taken.done()
        return cls(number, files, deletions, rows)


def is_usual(name: str) -> bool:
    """Whether a data file has a name as they are drawn."""
    return _DATA_NAME.fullmatch(name) is not None


def _file(content: bytes, said: Said) -> File:
    taken = Taken(content)
    path, fields, places = text_of(taken.content(1)), taken.packed(2), taken.packed(3)
    version = taken.whole(4), taken.whole(5)
    size = taken.whole(6)
    if taken.given(7):
        raise not_known("base paths")
    taken.done()
    if not is_usual(path):
        said.text(path.encode())
    if version not in VERSIONS:
        raise not_known("version {}.{}".format(*version))
    if len(fields) != len(places):
        raise UnknownFormError
    return File(path, tuple(zip(fields, places, strict=True)), size)


def _deletions(content: bytes) -> Deletions:
    taken = Taken(content)
    found = Deletions(taken.whole(1) == 0, taken.whole(2), taken.whole(3), taken.whole(4))
    if taken.given(7):
        raise not_known("base paths")
    taken.done()
    return found


@dataclass(frozen=True, slots=True)
class Manifest:
    """One version of a table."""

    version: int
    fields: tuple[Field, ...]
    fragments: tuple[Fragment, ...]
    transaction: str
    """The name of the transaction's file."""
    said: Said

    @classmethod
    def read(cls, content: bytes) -> Manifest:
        """Take a manifest apart.

        Raises:
            UnknownFormError: If it is of another version, or damaged.
        """
        end = len(content) - _FOOTER.size
        if end < 0:
            raise UnknownFormError
        begin, major, minor, mark = _FOOTER.unpack_from(content, end)
        if (major, minor, mark) != (0, 2, MARK):
            raise UnknownFormError
        parts = dict(_parts(content[:end]))
        if begin not in parts or begin != max(parts):
            raise UnknownFormError
        said = Said()
        taken = Taken(parts.pop(begin))
        fields = tuple(map(Field.read, taken.many(1)))
        fragments = tuple(Fragment.read(each, said) for each in taken.many(2))
        version = taken.whole(3)
        indexes, transaction = _place(taken, 6), _place(taken, 21)
        of_indexes = parts.pop(indexes, b"") if indexes is not None else b""
        _rest(taken, said, fragments)
        name = text_of(taken.content(12))
        for each in (5, 16, 19):
            for entry in taken.many(each):
                said.text(entry)
        taken.done()
        said.number(version)
        said.text(of_indexes)
        if transaction is not None:
            said.transactions.append(parts.pop(transaction, b""))
        if parts:
            raise UnknownFormError
        said.unexplained += sum(each.unexplained for each in fields)
        return cls(version, fields, fragments, name, said)


def _parts(content: bytes) -> Iterator[tuple[int, bytes]]:
    """Give the messages of a manifest, each behind its length, with the place of it."""
    at = 0
    while at < len(content):
        size = int.from_bytes(content[at : at + 4], "little")
        if at + 4 + size > len(content):
            raise UnknownFormError
        yield at, content[at + 4 : at + 4 + size]
        at += 4 + size


def _place(taken: Taken, number: int) -> int | None:
    return taken.whole(number) if taken.given(number) else None


def _rest(taken: Taken, said: Said, fragments: tuple[Fragment, ...]) -> None:
    """Take in what a manifest says of when and by what it was written."""
    when = Taken(taken.content(7))
    seconds, more = when.whole(1), when.whole(2)
    when.done()
    said.drawn.add((seconds, more))
    said.unexplained += 8 * (seconds not in _TIMES) + 4 * (more >= _SECOND)
    flags = taken.whole(9), taken.whole(10)
    said.unexplained += 8 * (flags != (deleted := _DELETED * any(each.deletions for each in fragments), deleted))
    said.number(taken.whole(11) if taken.given(11) else 0, max((each.number for each in fragments), default=0))
    writer = Taken(taken.content(13))
    name, release = text_of(writer.content(1)), text_of(writer.content(2))
    beta, build = text_of(writer.content(3)), writer.content(4)
    writer.done()
    usual = name == "lance" and _RELEASE.fullmatch(release) and (not beta or _BETA.fullmatch(beta)) and not build
    said.unexplained += 0 if usual else len(name) + len(release) + len(beta) + len(build)
    form = Taken(taken.content(15))
    if text_of(form.content(1)) != "lance":
        raise UnknownFormError
    if (held := text_of(form.content(2))) not in {f"{major}.{minor}" for major, minor in VERSIONS}:
        raise not_known(f"version {held}")
    form.done()


# Transactions: of each operation, what it says.
def transact(content: bytes, said: Said, before: int) -> str:
    """Read a transaction that made the version after this one; gives its name.

    Raises:
        UnknownFormError: If it is not one.
    """
    taken = Taken(content)
    read, name, tag = taken.whole(1), text_of(taken.content(2)), taken.content(3)
    said.number(read, before)
    said.text(tag)
    for entry in taken.many(4):
        said.text(entry)
    if _UUID.fullmatch(name):
        said.drawn.add(name)
    else:
        said.text(name.encode())
    number, operation = taken.only()
    _OPERATIONS.get(number, _other)(operation, said)
    return f"{read}-{name}.txn"


def _other(content: bytes, said: Said) -> None:
    said.text(content)


def _fragments(contents: list[bytes], said: Said) -> None:
    """Take in fragments that may be there no more: what is said of their size is known of those that are."""
    for each in contents:
        found = Fragment.read(each, said)
        said.mentioned.append(found)


def _appended(content: bytes, said: Said) -> None:
    taken = Taken(content)
    _fragments(taken.many(1), said)
    taken.done()


def _deleted(content: bytes, said: Said) -> None:
    taken = Taken(content)
    _fragments(taken.many(1), said)
    for number in taken.packed(2):
        said.number(number)
    said.text(taken.content(3))
    taken.done()


def _overwritten(content: bytes, said: Said) -> None:
    taken = Taken(content)
    _fragments(taken.many(1), said)
    said.listed.append(tuple(map(Field.read, taken.many(2))))
    for number in (3, 4):
        for entry in taken.many(number):
            said.text(entry)
    taken.done()


def _rewritten(content: bytes, said: Said) -> None:
    taken = Taken(content)
    for each in taken.many(3):
        group = Taken(each)
        for number in (1, 2):
            _fragments(group.many(number), said)
        group.done()
    for each in taken.many(4):
        said.text(each)
    taken.done()


def _reserved(content: bytes, said: Said) -> None:
    taken = Taken(content)
    said.number(taken.whole(1), 1)
    taken.done()


_OPERATIONS: Final[Mapping[int, Callable[[bytes, Said], None]]] = {
    100: _appended,
    101: _deleted,
    102: _overwritten,
    104: _rewritten,
    107: _reserved,
}
