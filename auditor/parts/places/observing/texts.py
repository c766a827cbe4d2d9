"""Give the text of a file: what it says as it stands, encoded or packed, and what the cells of a database say."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from auditor.parts.release.observing import databases, file_formats
from auditor.parts.release.observing.file_formats import UnreadableError
from auditor.parts.store.observing.unpacking import Unpacking

_SHORTEST: Final = 4
"""Characters of a piece of text between bytes that are none."""
_NO_TEXT: Final = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ufffd]+")


def texts(path: Path, content: bytes) -> Iterator[str]:
    """Give the texts of a file.

    Args:
        path: Its path, for what its ending says.
        content: What it holds.
    """
    yield path.name
    whole = _whole(content)
    if whole is not None:
        yield whole
    for number, layer in enumerate(Unpacking(content).layers()):
        if number or whole is None:
            pieces = _NO_TEXT.split(layer.content.decode("utf-8", "replace"))
            yield "\n".join(each for each in pieces if len(each) >= _SHORTEST)
    if words := _cells(content):
        yield words


def _whole(content: bytes) -> str | None:
    if content.startswith((databases.MAGIC, b"PAR1")):
        return None
    try:
        return file_formats.text_of(content)
    except UnreadableError:
        return None


def _cells(content: bytes) -> str:
    """What the cells of a database or of a Parquet file say, where its pages do not show it."""
    try:
        if content.startswith(databases.MAGIC):
            return "\n".join(file_formats.sqlite(content, "id").words)
        if content.startswith(b"PAR1"):
            return "\n".join(file_formats.parquet(content, "id").words)
    except UnreadableError:
        # What cannot be read is said where the file is searched.
        return ""
    return ""
