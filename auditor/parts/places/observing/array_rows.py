"""Tell where deleted people's vectors lie in files of numbers: in which row of a NumPy array, or at which byte of any other."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from contextlib import suppress
from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from auditor.parts.release.observing import file_formats
from auditor.parts.store.observing.people import People

_TYPES: Final = ("<f4", "<f8", "<f2")
_LEAST: Final = 4
"""Values of a vector: fewer may be in any file by chance."""


class Lies(NamedTuple):
    """Where a vector lies."""

    record: str
    row: int = 0
    """From one on; 0 in a file of no known form."""
    byte: int = 0
    """From one on: where it begins; 0 in an array."""


def of_file(name: str, content: bytes, people: People, records: Collection[str]) -> Iterator[Lies]:
    """Give the rows, or the first bytes, of these records' vectors as they are in the table, in any width of a number.

    Args:
        name: The file's name, for its ending.
        content: The file.
        people: Everybody, with vectors.
        records: Who is looked for.
    """
    places = {str(own): at for at, own in enumerate(people.train.ids.tolist()) if own in records}
    if name.lower().endswith((".npy", ".npz")):
        with suppress(file_formats.UnreadableError):
            for array in file_formats.numpy_arrays(content, zipped=name.lower().endswith(".npz")).arrays:
                everybody = people.of_width(array.shape[1]) if array.ndim == 2 and array.dtype.kind == "f" else None
                if everybody is not None:
                    yield from _in_array(array, everybody, places)
        return
    for width in {people.train.features.shape[1], *(() if people.embedded is None else people.embedded.shape[1:])}:
        everybody = people.of_width(width) if width >= _LEAST else None
        if everybody is None:
            continue
        for own, at in places.items():
            found = (content.find(_as(everybody[at], each)) for each in _TYPES)
            if (first := next((each for each in found if each >= 0), None)) is not None:
                yield Lies(own, byte=first + 1)


def _in_array(array: npt.NDArray[Any], everybody: npt.NDArray[Any], places: dict[str, int]) -> Iterator[Lies]:
    for own, at in places.items():
        with np.errstate(over="ignore", invalid="ignore"):
            same = (array == everybody[at].astype(array.dtype)).all(axis=1)
        yield from (Lies(own, row=int(row) + 1) for row in np.flatnonzero(same))


def _as(vector: npt.NDArray[Any], kind: str) -> bytes:
    with np.errstate(over="ignore", invalid="ignore"):
        return vector.astype(kind).tobytes()
