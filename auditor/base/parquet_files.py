"""Tries in a limited process whether a Parquet file takes more than others of its size: see `auditor.base.limited`.

A thousand bytes of it can say one word a billion times, and what it says of its own size need not be so. Where the process has
read it and made Python's values of it, the auditor can do the same and take as much.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, Final

from auditor.base.domain import Problem
from auditor.base.errors import InputError
from auditor.base.limited import NotReadError, Reader, Room

ROOM: Final = Room(memory=4 << 30, memory_times=64, seconds=120, seconds_each_mebibyte=30)
"""A table of few different words takes hundreds of times its bytes in memory: as much as a PDF may take is let pass."""

_FEWER: Final = 4
"""A log has fewer rows than a table: a quarter of that is enough for it."""


def require_modest(name: str, content: bytes, *, as_rows: bool) -> None:
    """Refuse a file that takes more memory or time than others of its size; whether it can be read at all is not said.

    Args:
        name: What a Problem calls the file.
        content: Its bytes.
        as_rows: Whether rows are made of it, each with its values; otherwise values of columns of text.

    Raises:
        InputError: If it does.
        SandboxError: If the process cannot be started.
    """
    try:
        room = replace(ROOM, memory=ROOM.memory // _FEWER) if as_rows else ROOM
        with Reader(f"{__name__}:serve", None, room) as reader:
            reader.ask({"as_rows": as_rows}, content)
    except NotReadError as error:
        raise InputError([Problem(name, "", "a Parquet file that can be read", error.found)]) from error


def serve(_held: None) -> Callable[[Mapping[str, Any], bytes], None]:
    """Give the function that reads a file; it runs in the limited process."""
    import pyarrow.parquet  # noqa: F401, PLC0415  (before there are limits: it takes more than many a file)

    return _read


def _read(question: Mapping[str, Any], content: bytes) -> None:
    import pyarrow as pa  # noqa: PLC0415  (slow to import, and needed in that process alone)
    import pyarrow.parquet as pq  # noqa: PLC0415

    try:
        table = pq.ParquetFile(pa.BufferReader(content), pre_buffer=False).read(use_threads=False)
        if question["as_rows"]:
            table.to_pylist()
            return
        held = []
        for column in table.columns:
            dense = column.cast(column.type.value_type) if pa.types.is_dictionary(column.type) else column
            numbers = pa.types.is_integer(dense.type) or pa.types.is_floating(dense.type)
            held.append(dense if numbers else dense.to_pylist())
    except MemoryError:  # Arrow's own among them
        raise
    except (pa.ArrowException, OSError, ValueError, TypeError, KeyError, NotImplementedError, OverflowError):
        return  # what is wrong with it is said by who reads it next
