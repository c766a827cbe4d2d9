"""Give the text of a file: what it says as it stands, encoded or packed, and what the cells of a database say."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from auditor.parts.places.observing.text_between_bytes import BETWEEN, SHORTEST, pieces
from auditor.parts.release.observing import databases, file_formats
from auditor.parts.release.observing.file_formats import UnreadableError
from auditor.parts.store.observing.unpacking import Unpacking


class Text(NamedTuple):
    """A text of a file."""

    text: str
    there: bool
    """Whether it is there as it stands: what is packed, or between the rows of a database, may be what was deleted."""


def texts(path: Path, content: bytes, *, shortest: int = SHORTEST) -> Iterator[Text]:
    """Give the texts of a file.

    Args:
        path: Its path, for what its ending says.
        content: What it holds.
        shortest: Characters in normal form of the shortest thing that is looked for in them.
    """
    yield Text(path.name, there=True)
    whole = _whole(content)
    if whole is not None:
        yield Text(whole, there=True)
    for number, layer in enumerate(Unpacking(content).layers()):
        if number or whole is None:
            yield Text(BETWEEN.join(pieces(layer.content, shortest=shortest)), there=False)
    if words := cells_of(content):
        yield Text(words, there=True)


def _whole(content: bytes) -> str | None:
    if content.startswith((databases.MAGIC, b"PAR1")):
        return None
    try:
        return file_formats.text_of(content)
    except UnreadableError:
        return None


def cells_of(content: bytes) -> str:
    """Give what the cells of a database or of a Parquet file say, rows that are there alone; nothing of other files."""
    try:
        if content.startswith(databases.MAGIC):
            return "\n\n".join(file_formats.sqlite(content, "id").words)
        if content.startswith(b"PAR1"):
            return "\n\n".join(file_formats.parquet(content, "id").words)
    except UnreadableError:
        # What cannot be read is said where the file is searched.
        return ""
    return ""
