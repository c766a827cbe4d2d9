"""Who `--person` means, and which files hold that person: by ids in any of the usual encodings, also inside archives."""

from __future__ import annotations

import bz2
import gzip
import html
import io
import lzma
import mmap
import os
import re
import zipfile
import zlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Final

from auditor.base import plain_files
from auditor.base.deletion_log.requests import Request
from auditor.base.errors import UsageError

_MOST: Final = 1024**3
"""Bytes of a file, or of what it unpacks to, that are searched."""
_PACKED: Final[Mapping[bytes, Callable[[IO[bytes]], io.BufferedIOBase]]] = {
    b"\x1f\x8b": lambda file: gzip.GzipFile(fileobj=file),
    b"BZh": bz2.BZ2File,
    b"\xfd7zXZ": lzma.LZMAFile,
}
_SHUT: Final = (b"%PDF", b"\x28\xb5\x2f\xfd", b"\x04\x22\x4d\x18", b"7z\xbc\xaf", b"Rar!")
"""How files begin whose content is packed in a way that is not undone here."""
_MARK: Final = re.compile(rb"<[^>]*>")
_BROKEN: Final = (
    OSError,
    EOFError,
    ValueError,
    RuntimeError,
    NotImplementedError,
    zipfile.BadZipFile,
    lzma.LZMAError,
    zlib.error,
)


@dataclass(frozen=True, slots=True)
class Person:
    """One person, as log and table name them."""

    records: frozenset[str]
    """Ids of their records."""
    names: frozenset[str]
    """Values of the column of people, and what the log calls them."""
    requests: frozenset[str]
    """Ids of their requests."""
    _pattern: re.Pattern[bytes] = field(repr=False)

    def has_row(self, record: str, person: str | None) -> bool:
        """Whether a row of a table is theirs."""
        return record in self.records or (person is not None and person in self.names)

    def in_bytes(self, content: bytes | mmap.mmap) -> bool:
        """Whether some bytes name them."""
        return self._pattern.search(content) is not None

    def in_text(self, text: str) -> bool:
        """Whether a text names them."""
        return self.in_bytes(text.encode("utf-8", "surrogatepass"))


def find(asked: str, requests: Sequence[Request], rows: Iterable[tuple[str, str | None]]) -> Person:
    """Find everything that names one person.

    Args:
        asked: A pseudonym, a record's id, a value of the column of people or the id of a request, as log and table have them.
        requests: The log.
        rows: Ids of the rows of tables, each with whose it says to be.

    Raises:
        UsageError: If nobody is called that, or a request of that id is several people's.
    """
    listed = list(rows)
    theirs = [each for each in requests if asked == each.subject or asked in each.record_ids]
    if not theirs:
        theirs = [each for each in requests if asked == each.request_id]
        if len({each.subject for each in theirs}) > 1:
            raise UsageError("--person: a request of that id is several people's; name the person as the log does (subject)")
    named = {asked, *(name for each in theirs for name in each.record_ids)} - {each.request_id for each in theirs}
    # Whose a row says to be names all of that person's rows.
    people = {person for record, person in listed if person and (record in named or person in named)}
    records = {record for record, person in listed if record in named or person in people}
    if not theirs and not records:
        raise UsageError("--person: expected a subject, a record or a request, as the log or a table has them, found nobody")
    subjects = {each.subject for each in theirs if each.subject is not None}
    names = {*people, *subjects, *(named - records)}
    ids = {each.request_id for each in theirs}
    return Person(frozenset(records | named), frozenset(names), frozenset(ids), _pattern(records | named | names | ids))


def _pattern(tokens: Iterable[str]) -> re.Pattern[bytes]:
    """Find tokens in UTF-8, as words of their own, and in UTF-16 and UTF-32, as NumPy and spreadsheets keep text."""
    plain, wide = [], []
    for each in sorted({token for token in tokens if token}, key=len, reverse=True):
        plain.append(re.escape(each.encode("utf-8", "surrogatepass")))
        wide += [re.escape(each.encode(f"{code}-le", "surrogatepass")) for code in ("utf-16", "utf-32")]
    return re.compile(b"(?<![0-9A-Za-z])(?:" + b"|".join(plain) + b")(?![0-9A-Za-z])|" + b"|".join(wide))


def holds(path: Path, person: Person) -> bool | None:
    """Whether a plain file names a person; None where it cannot be searched."""
    try:
        with plain_files.opened(path) as file:
            size = os.fstat(file.fileno()).st_size
            if size > _MOST:
                return None
            return bool(size) and _within(file, path.suffix.lower(), person)
    except _BROKEN:
        return None


def _within(file: IO[bytes], ending: str, person: Person) -> bool | None:
    start = file.read(8)
    file.seek(0)
    if start.startswith(_SHUT):
        return None
    if start.startswith(b"PK\x03\x04"):
        with zipfile.ZipFile(file) as archive:
            members = archive.infolist()
            if sum(each.file_size for each in members) > _MOST:
                return None
            return any(person.in_text(each.filename) or _in_member(archive.read(each), each.filename, person) for each in members)
    for magic, opened in _PACKED.items():
        if start.startswith(magic):
            content = opened(file).read(_MOST + 1)
            return None if len(content) > _MOST else person.in_bytes(content)
    if ending == ".parquet" or start.startswith(b"PAR1"):
        return _in_parquet(file, person)
    with mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as mapped:
        return person.in_bytes(mapped)


def _in_member(content: bytes, name: str, person: Person) -> bool:
    """Whether a file in an archive names them; a word processor may cut a name in pieces, with marks in between."""
    if person.in_bytes(content):
        return True
    return name.lower().endswith(".xml") and person.in_text(html.unescape(_MARK.sub(b"", content).decode("utf-8", "replace")))


def _in_parquet(file: IO[bytes], person: Person) -> bool | None:
    import pyarrow as pa  # noqa: PLC0415 - half a second, for Parquet alone
    import pyarrow.parquet as pq  # noqa: PLC0415

    try:
        columns: Mapping[str, list[object]] = pq.read_table(io.BytesIO(file.read())).to_pydict()
    except pa.ArrowException:
        return None
    return any(person.in_text(str(value)) for values in columns.values() for value in values)
