"""Read a binary file field by field, never beyond its end: a count is believed only where its bytes are there."""

from __future__ import annotations

import struct
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from auditor.parts.store.readers.contents import UnknownFormError


@dataclass(slots=True)
class Fields:
    """A file, and how far it has been read."""

    content: bytes
    at: int = 0

    @property
    def left(self) -> int:
        """Bytes that have not been read."""
        return len(self.content) - self.at

    def take(self, layout: str) -> tuple[Any, ...]:
        """Read numbers laid out as `struct` names them, in little-endian order without padding.

        Raises:
            UnknownFormError: If the file ends before.
        """
        layout = f"<{layout}"
        size = struct.calcsize(layout)
        if size > self.left:
            raise UnknownFormError
        found = struct.unpack_from(layout, self.content, self.at)
        self.at += size
        return found

    def whole(self, layout: str) -> int:
        """Read one whole number.

        Raises:
            UnknownFormError: If the file ends before.
        """
        return int(self.take(layout)[0])

    def array(self, kind: str, *shape: int) -> npt.NDArray[Any]:
        """Read an array without copying it.

        Raises:
            UnknownFormError: If the file ends before, or a length is negative.
        """
        item, count = np.dtype(kind), 1
        for each in shape:
            count *= each
        if min(shape) < 0 or count * item.itemsize > self.left:
            raise UnknownFormError
        found = np.frombuffer(self.content, item, count, self.at).reshape(shape)
        self.at += count * item.itemsize
        return found


def no_numbers(vectors: npt.NDArray[np.float32]) -> int:
    """Count the bytes of values, shape (n, d), that say more than a number does: NaN of any kind, infinities."""
    return 4 * int(np.count_nonzero(~np.isfinite(vectors)))


def filled(content: npt.NDArray[Any]) -> int:
    """Count the bytes of an array that are not zero."""
    return int(np.count_nonzero(np.ascontiguousarray(content).view(np.uint8)))
