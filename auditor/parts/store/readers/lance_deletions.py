"""Read which rows a deletion file of Lance marks: an Arrow file with a column of numbers, or a Roaring bitmap.

Nothing here accounts for such a file: numbers in any order, and a form that has room in many places.
"""

from __future__ import annotations

import struct
from typing import Final

import numpy as np
import numpy.typing as npt

from auditor.parts.store.readers.contents import UnknownFormError
from auditor.parts.store.readers.fields import Fields

_ARROW: Final = b"ARROW1\0\0"
_NO_RUNS, _RUNS = 12346, 12347
_OF_BITS: Final = 4096
"""Numbers from which on a container is a map of bits."""


def marked(content: bytes, *, arrow: bool, rows: int) -> npt.NDArray[np.bool_]:
    """Say which rows are marked; shape (rows,).

    Raises:
        UnknownFormError: If the file is damaged, or marks rows that are not there.
    """
    numbers = _of_arrow(content) if arrow else _of_bitmap(content)
    if len(numbers) and int(numbers.max()) >= rows:
        raise UnknownFormError
    found = np.zeros(rows, dtype=bool)
    found[numbers] = True
    return found


def _of_arrow(content: bytes) -> npt.NDArray[np.int64]:
    if not content.startswith(_ARROW):
        raise UnknownFormError
    import pyarrow as pa  # noqa: PLC0415 - a quarter of a second, for these files alone

    try:
        with pa.ipc.open_file(pa.BufferReader(content)) as file:
            columns = [file.get_batch(at).column(0) for at in range(file.num_record_batches)]
            for each in columns:
                each.validate(full=True)
            if file.schema.names != ["row_id"] or file.schema.types != [pa.uint32()] or any(each.null_count for each in columns):
                raise UnknownFormError
            return np.concatenate([np.asarray(each) for each in columns] or [np.zeros(0)]).astype(np.int64)
    except (pa.ArrowException, OSError, ValueError, struct.error) as error:
        raise UnknownFormError from error


def _of_bitmap(content: bytes) -> npt.NDArray[np.int64]:
    fields = Fields(content)
    cookie = fields.whole("I")
    if cookie & 0xFFFF == _RUNS:
        count = (cookie >> 16) + 1
        in_runs = np.unpackbits(fields.array("u1", -(-count // 8)), bitorder="little")[:count].astype(bool)
        with_offsets = count >= 4
    elif cookie == _NO_RUNS:
        count = fields.whole("I")
        in_runs, with_offsets = np.zeros(min(count, 1 << 16), dtype=bool), True
    else:
        raise UnknownFormError
    heads = fields.array("<u2", count, 2).astype(np.int64)
    if with_offsets:
        fields.array("<u4", count)
    found = []
    for (high, less), runs in zip(heads.tolist(), in_runs.tolist(), strict=True):
        if runs:
            spans = fields.array("<u2", fields.whole("H"), 2).astype(np.int64)
            if int((spans[:, 1] + 1).sum()) > 1 << 16:
                raise UnknownFormError
            low = np.concatenate(
                [np.arange(begin, begin + more + 1) for begin, more in spans.tolist()] or [np.zeros(0, np.int64)]
            )
        elif less + 1 <= _OF_BITS:
            low = fields.array("<u2", less + 1).astype(np.int64)
        else:
            low = np.flatnonzero(np.unpackbits(fields.array("u1", 1 << 13), bitorder="little"))
        found.append((high << 16) + low)
    if fields.left:
        raise UnknownFormError
    return np.concatenate(found or [np.zeros(0, np.int64)]).astype(np.int64)
