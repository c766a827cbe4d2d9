"""Read the logs that SQLite keeps next to a database: what a database was before, and what it is with them.

A write-ahead log (`-wal`) holds pages that are newer than those of the file, each as often as it was written; a rollback journal
(`-journal`) holds pages as they were. Both stay behind where a program ends early, or keeps them to write them again: see
<https://sqlite.org/fileformat2.html>, sections 3 and 4.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

import numpy as np

from auditor.parts.store.readers.contents import UnknownFormError

_WAL_HEADER: Final = 32
_FRAME: Final = 24
_WAL_MARKS: Final = {0x377F0682: "<u4", 0x377F0683: ">u4"}
_WAL_VERSION: Final = 3_007_000
_JOURNAL_MARK: Final = bytes((0xD9, 0xD5, 0x05, 0xF9, 0x20, 0xA1, 0x63, 0xD7))
_JOURNAL_HEADER: Final = 28
_SECTOR: Final = 512
_MOST_STATES: Final = 64
"""Former states of a database that are read."""


@dataclass(frozen=True, slots=True)
class States:
    """What a database is, and what it was."""

    now: bytes
    former: tuple[bytes, ...]
    """Each state that its files still hold, without the present one."""
    beyond: int
    """Bytes of the files that are neither a page of the present state nor what leads to one."""
    all_read: bool
    """Whether every former state is among them."""


def page_size(content: bytes) -> int:
    """Give the size of a database's pages.

    Raises:
        UnknownFormError: If its header has none.
    """
    size = int.from_bytes(content[16:18], "big")
    size = 1 << 16 if size == 1 else size
    if size < _SECTOR or size & (size - 1):
        raise UnknownFormError
    return size


def states(content: bytes, log: bytes, journal: bytes) -> States:
    """Read a database with its logs, which may be empty.

    Raises:
        UnknownFormError: If they do not belong together.
    """
    size = page_size(content)
    batches, stale, beyond = _of_log(log, size)
    now, former = content, [content] if batches else []
    for batch in batches:
        now = _with(now, dict(batch.pages), size, batch.count)
        former.append(now)
    former = former[:-1] if batches else former
    if stale:
        former.append(_with(now, dict(stale), size, None))
    pages, count, more = _of_journal(journal, size)
    if pages:
        former.append(_with(content, dict(pages), size, count))
    beyond += more
    places = {now[at : at + size] for at in range(0, len(now), size)}
    held = [page for batch in batches for _, page in batch.pages] + [page for _, page in (*stale, *pages)]
    held += [content[at : at + size] for at in range(0, len(content), size)] if batches else []
    beyond += sum(len(page) - page.count(0) for page in held if page not in places)
    different = list(dict.fromkeys(each for each in former if each != now))
    return States(now, tuple(different[-_MOST_STATES:]), beyond, len(different) <= _MOST_STATES)


@dataclass(frozen=True, slots=True)
class _Batch:
    """What was written at once."""

    pages: tuple[tuple[int, bytes], ...]
    count: int
    """Pages of the database afterwards."""


def _of_log(log: bytes, size: int) -> tuple[list[_Batch], list[tuple[int, bytes]], int]:
    """Read a write-ahead log: what was written at once, pages that are there no more, and the bytes of neither."""
    if not log:
        return [], [], 0
    mark, version, pages, _, first, second, *sums = struct.unpack_from(">8I", log.ljust(_WAL_HEADER, b"\0"))
    order = _WAL_MARKS.get(mark)
    if order is None or version != _WAL_VERSION or pages != size or len(log) < _WAL_HEADER:
        raise UnknownFormError
    # A sum that does not hold ends a log, and is room for something.
    running = _summed(log[:24], (0, 0), order)
    beyond = 8 * (tuple(sums) != running)
    batches, open_pages, stale = list[_Batch](), list[tuple[int, bytes]](), list[tuple[int, bytes]]()
    ended = bool(beyond)
    for head, number, count, salts, held, page in _frames(log, size):
        if not ended:
            running = _summed(page, _summed(head[:8], running, order), order)
            ended = salts != (first, second) or held != running
        if ended:
            # Where an earlier log went on, its frames have salts and sums of their own, which nothing here explains.
            stale.append((number, page))
            beyond += _FRAME
            continue
        open_pages.append((number, page))
        if count:
            batches.append(_Batch(tuple(open_pages), count))
            open_pages = []
    left = (len(log) - _WAL_HEADER) % (_FRAME + size)
    return batches, [*open_pages, *stale], beyond + _FRAME * len(open_pages) + left


def _frames(log: bytes, size: int) -> Iterator[tuple[bytes, int, int, tuple[int, int], tuple[int, int], bytes]]:
    for at in range(_WAL_HEADER, len(log) - _FRAME - size + 1, _FRAME + size):
        number, count, first, second, one, other = struct.unpack_from(">6I", log, at)
        yield log[at : at + _FRAME], number, count, (first, second), (one, other), log[at + _FRAME : at + _FRAME + size]


def _summed(content: bytes, before: tuple[int, int], order: str) -> tuple[int, int]:
    """Carry on the sums of a log by some of its bytes."""
    one, other = before
    for first, second in np.frombuffer(content, order).reshape(-1, 2).tolist():
        one = (one + first + other) & 0xFFFFFFFF
        other = (other + second + one) & 0xFFFFFFFF
    return one, other


def _of_journal(journal: bytes, size: int) -> tuple[list[tuple[int, bytes]], int | None, int]:
    """Read a rollback journal: pages as they were, how many there were, and the bytes of neither."""
    if not journal:
        return [], None, 0
    mark, _, _, count, sector, pages = struct.unpack_from(">8s5I", journal.ljust(_JOURNAL_HEADER, b"\0"))
    if mark == _JOURNAL_MARK:
        if pages != size or sector < _SECTOR or sector & (sector - 1):
            raise UnknownFormError
    elif not any(journal[:_JOURNAL_HEADER]):
        # Given up by writing zeros over its head; what follows is still there.
        count, sector = None, _SECTOR
    else:
        raise UnknownFormError
    found = []
    beyond = _JOURNAL_HEADER - journal.count(0, 0, _JOURNAL_HEADER)
    beyond += sector - _JOURNAL_HEADER - journal.count(0, _JOURNAL_HEADER, min(sector, len(journal)))
    at = min(sector, len(journal))
    while at + 8 + size <= len(journal):
        number = int.from_bytes(journal[at : at + 4], "big")
        if not number:
            break
        found.append((number, journal[at + 4 : at + 4 + size]))
        at += 8 + size
        beyond += 4
    return found, count, max(0, beyond) + len(journal) - at - journal.count(0, at)


def _with(content: bytes, pages: dict[int, bytes], size: int, count: int | None) -> bytes:
    """A database with these pages in place of its own, and so many in all; those that are not there hold nothing."""
    if any(not number >= 1 for number in pages):
        raise UnknownFormError
    own = len(content) // size
    # The first page says how many there were, where a journal does not.
    stated = int.from_bytes(pages.get(1, content)[28:32], "big")
    total = max(own, stated, *pages) if count is None else count
    # No more than what is held, or a page number would ask for any amount of memory.
    if total > 2 * (own + len(pages)):
        raise UnknownFormError
    parts = [pages.get(at + 1, content[at * size : (at + 1) * size]) for at in range(total)]
    return b"".join(each.ljust(size, b"\0") for each in parts)
