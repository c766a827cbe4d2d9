"""The released parameters as a model file of the contract: the array `parameters` and nothing else."""

from __future__ import annotations

import io
from collections.abc import Iterator
from typing import Any

import numpy as np
from safetensors.numpy import save

from auditor.base.domain import Floats


def forms(parameters: Floats, saved: bytes | None) -> Iterator[tuple[str, bytes]]:
    """Every form that `load` may take them in, the likeliest first: a procedure that can go on from one can go on from them.

    Args:
        parameters: Shape (d,).
        saved: The file that the procedure itself writes, of which only the format is examined; None where it writes none.
    """
    with np.errstate(over="ignore"):
        narrow = parameters.astype(np.float32)
    # What came back was widened: it may have been narrow in the procedure's own hands.
    arrays: list[np.ndarray[Any, Any]] = [parameters]
    if np.array_equal(narrow, parameters):
        arrays.append(narrow)
    formats = ["npz", "safetensors"] if saved is None or saved.startswith(b"PK") else ["safetensors", "npz"]
    for suffix in formats:
        for array in arrays:
            yield f"{suffix}, {array.dtype}", _npz(array) if suffix == "npz" else save({"parameters": array})


def _npz(array: np.ndarray[Any, Any]) -> bytes:
    buffer = io.BytesIO()
    np.savez(buffer, parameters=array)
    return buffer.getvalue()
