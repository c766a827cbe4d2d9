"""Readers of what companies keep: each takes one form apart to its last byte and loads nothing of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

from auditor.base.domain import Message
from auditor.base.plain_files import opened
from auditor.parts.release.observing.file_formats import MAX_BYTES
from auditor.parts.store.readers.chroma_folder import ChromaFolder
from auditor.parts.store.readers.contents import Contents, Reader, UnknownFormError, Unread
from auditor.parts.store.readers.database_file import DatabaseFile
from auditor.parts.store.readers.faiss_file import FaissFile
from auditor.parts.store.readers.hnswlib_file import HnswlibFile
from auditor.parts.store.readers.lance_folder import LanceFolder
from auditor.parts.store.readers.postgres_folder import PostgresFolder

VECTOR_STORES: Final[tuple[Reader, ...]] = (ChromaFolder(), LanceFolder(), FaissFile(), PostgresFolder(), HnswlibFile())
"""Those that know a form by a mark before those that know it by sizes that fit."""
READERS: Final[tuple[Reader, ...]] = (*VECTOR_STORES, DatabaseFile())
HEAD: Final = 4096
"""Bytes of a file by which readers know it."""


def read_place(place: Path) -> list[Contents | Unread]:
    """Read a folder, with all that lies below it, or one file; for the limited process.

    Files that no reader claims are `Unread`. Links are not followed.

    Raises:
        OSError: If a file cannot be read.
    """
    paths = (
        {each.relative_to(place).as_posix(): each for each in sorted(place.rglob("*"))} if place.is_dir() else {place.name: place}
    )
    files: dict[str, bytes] = {}
    closed: list[Contents | Unread] = []
    for name, path in paths.items():
        if path.is_symlink() or not path.is_dir():
            if path.is_symlink() or not path.is_file():
                closed.append(Unread((name,), 0, Message("data.erased.unreadable.no-file")))
            elif (size := path.stat().st_size) > MAX_BYTES:
                closed.append(Unread((name,), size, Message("data.erased.unreadable.too-large", {"bytes": MAX_BYTES})))
            else:
                with opened(path) as stream:
                    files[name] = stream.read()
    return [*read_files(files), *closed]


def read_files(files: Mapping[str, bytes], readers: Sequence[Reader] = READERS) -> list[Contents | Unread]:
    """Read files by their paths below a place: each once, in the group that a reader claims it for."""
    found: list[Contents | Unread] = []
    left = dict(files)
    for reader in readers:
        for group in reader.claims({path: content[:HEAD] for path, content in left.items()}):
            own = {path: left.pop(path) for path in group}
            try:
                found.append(reader.read(own))
            except UnknownFormError as error:
                found.append(Unread(group, sum(map(len, own.values())), error.why))
    found += [Unread((path,), len(content), Message("data.erased.open.unknown-form")) for path, content in left.items()]
    return found


def groups(heads: Mapping[str, bytes], readers: Sequence[Reader] = READERS) -> tuple[tuple[str, ...], ...]:
    """Say which files of a place readers would take together, by the first 4,096 bytes of each."""
    left = dict(heads)
    found: list[tuple[str, ...]] = []
    for reader in readers:
        for group in reader.claims(left):
            found.append(group)
            for path in group:
                del left[path]
    return tuple(found)
