"""What a reader gives of a place: rows that are there, deleted rows that still lie there, and bytes that neither explains.

A reader takes files apart by the description of their form. It never hands them to the library that wrote them, unpickles
nothing, and accounts for every byte: what belongs to no row, and follows from none, is unexplained.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Protocol, TypeAlias

import numpy as np
import numpy.typing as npt

from auditor.base.domain import Message

_Octets: TypeAlias = bytes


class Lies(StrEnum):
    """Where a row lies, and so who could still come across it."""

    LIVE = "live"
    """A query can answer with it."""
    MARKED = "marked"
    """Marked as deleted, and whole: no query answers with it, and anyone who opens the file has it."""
    REMNANT = "remnant"
    """On a free page, in a journal or log, in spare room, or in an old version."""
    LEARNED = "learned"
    """No row, but learned from rows, which nothing here computes again: centroids, ranges, a codebook."""


@dataclass(frozen=True, slots=True, eq=False)
class Rows:
    """Rows of one table, collection or index that lie alike."""

    where: str
    """The file below the place, and the table, collection or index in it."""
    lies: Lies
    count: int
    ids: tuple[str | None, ...] | None = None
    """The id of each row as the controller gave it, whole numbers as text; None where the form keeps none."""
    vectors: npt.NDArray[np.float32] | None = None
    """Shape (count, d): as stored, or decoded from codes; a row of NaN where one has none."""
    codes: npt.NDArray[np.uint8] | None = None
    """Shape (count, bytes of a code): of rows that are stored under a lossy code, what is stored."""
    fields: tuple[Mapping[str, str], ...] | None = None
    """Further named values of each row, as text: documents and metadata."""
    group: npt.NDArray[np.int64] | None = None
    """Shape (count,): in which part of the file each row is, where the rows themselves or the threads of a library decide that.
    The order within a part is the writer's. None where rows are in one part."""


@dataclass(frozen=True, slots=True, eq=False)
class Contents:
    """All that one file, or several that belong together, hold."""

    form: str
    """What it is, with its version where it says one: "hnswlib index", "SQLite database"."""
    rows: tuple[Rows, ...]
    bytes: int
    """Size of the files together."""
    unexplained: int = 0
    """Bytes that neither a row nor the structure of the form accounts for."""
    unread: tuple[Message, ...] = ()
    """Parts that could not be read, each with why: they keep the place from being examined as a whole."""
    encode: Encoder | None = None
    """How the files' own codebook codes vectors, where they are stored under one."""
    encode_elsewhere: Encoder | None = None
    """How the same library does on other machines, where it makes a difference."""
    loose: _Octets = b""
    """Bytes of no row that are searched as those of any file: what was packed, pieces that lay apart, what lies between rows."""
    files: tuple[str, ...] = ()
    """Their paths below the place."""
    settings: tuple[int, ...] = ()
    """Numbers that somebody set, and nothing else in the files determines; without those that are as usual."""
    uncounted: int = 0
    """Bits that a graph's links could carry, and the order of its rows where threads decide it: random numbers, threads and what
    was there before determine these, and nothing in the files does."""


@dataclass(frozen=True, slots=True)
class Unread:
    """Files that no reader could take apart: they keep the place from being examined as a whole."""

    files: tuple[str, ...]
    """Their paths below the place."""
    bytes: int
    why: Message


class Encoder(Protocol):
    """Codes vectors as an index would."""

    def __call__(self, vectors: npt.NDArray[np.float32], /) -> npt.NDArray[np.uint8]:
        """Take vectors of shape (n, d) to codes of shape (n, bytes of a code)."""


@dataclass(slots=True)
class UnknownFormError(Exception):
    """Files that look like a form, in a version or with parts that its reader does not know."""

    why: Message = field(default_factory=lambda: Message("data.erased.open.unknown-form"))


class Reader(Protocol):
    """Reads one form."""

    form: str

    def claims(self, heads: Mapping[str, bytes]) -> tuple[tuple[str, ...], ...]:
        """Say which files are of this form, and which belong together.

        Args:
            heads: The first 4,096 bytes of every file of a place, by its path below the place.

        Returns:
            Groups of paths, each read at once; a file is in one group at most.
        """

    def read(self, files: Mapping[str, bytes]) -> Contents:
        """Take one group apart.

        Args:
            files: Whole files by their paths below the place.

        Raises:
            UnknownFormError: If a version or a part of it is not known, or it is damaged.
        """
