"""The model file about to be released: one vector of parameters, never unpickled."""

from __future__ import annotations

from math import prod
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from auditor.case.files import Source, read_source
from auditor.case.npz import read_arrays
from auditor.domain import Floats, Problem
from auditor.errors import InputError
from auditor.settings.problems import SHOWN_PER_FILE, Cells, show

NAME = "parameters"

_KINDS = {"F64": "<f8", "F32": "<f4", "F16": "<f2"}
_UNPICKLED = {".pkl", ".pickle", ".joblib", ".pt", ".pth", ".bin", ".ckpt"}


def read_model(path: Path) -> Floats:
    """The parameters in a .safetensors file (tensor `parameters`) or an .npz file (array `parameters`).

    Returns:
        Shape (p,), float64, finite, in the order of the procedure's `parameters()`.

    Raises:
        InputError: If the file is of another kind, cannot be read, or holds anything but that one vector: what the
            audit does not look at must not be released with it.
    """
    return model(read_source(path))


def model(source: Source) -> Floats:
    """The parameters in a file that was read already; see `read_model`."""
    file = source.name
    match Path(file).suffix.lower():
        case ".safetensors":
            values = _from_safetensors(source)
        case ".npz":
            values = read_arrays(source, (NAME,))[NAME]
        case suffix if suffix in _UNPICKLED:
            found = f"{show(suffix)}, a format that is unpickled: reading it would run what it says"
            raise InputError([Problem(file, "", "a model in .safetensors or .npz", found)])
        case suffix:
            raise InputError([Problem(file, "", "a model in .safetensors or .npz", show(suffix))])
    if values.ndim != 1 or not values.size:
        raise InputError([Problem(file, NAME, "shape (p,) with p at least 1", f"shape {values.shape}")])
    if values.dtype.kind != "f" or values.dtype.itemsize > 8:
        raise InputError([Problem(file, NAME, "floats of at most 64 bits", f"elements of type {values.dtype}")])
    faulty = np.flatnonzero(~np.isfinite(values))
    if faulty.size:
        cells = Cells(file)
        places = (f"{NAME}, element {at + 1}" for at in faulty[:SHOWN_PER_FILE].tolist())
        cells.add_many(places, int(faulty.size), "a finite number", "NaN or an infinity")
        raise InputError(cells.problems())
    return np.ascontiguousarray(values, dtype=np.float64)


def _from_safetensors(source: Source) -> npt.NDArray[Any]:
    from safetensors import SafetensorError, deserialize  # noqa: PLC0415 - a compiled library that most commands do without

    file = source.name
    try:
        tensors: dict[str, Any] = dict(deserialize(source.data))  # type: ignore[no-untyped-call]
    except (SafetensorError, ValueError, OverflowError, MemoryError) as error:
        raise InputError([Problem(file, "", "a .safetensors file", show(str(error)))]) from error
    names = sorted(tensors)
    if names != [NAME]:
        found = ", ".join(show(name) for name in names[:5]) or "no tensor"
        raise InputError([Problem(file, NAME, f"the tensor `{NAME}` and no other", found)])
    tensor = tensors[NAME]
    kind = _KINDS.get(str(tensor["dtype"]))
    if kind is None:
        raise InputError([Problem(file, NAME, f"elements of type {', '.join(_KINDS)}", show(str(tensor["dtype"])))])
    shape = tuple(int(size) for size in tensor["shape"])
    data = bytes(tensor["data"])
    if prod(shape) * np.dtype(kind).itemsize != len(data):
        raise InputError([Problem(file, NAME, f"{prod(shape)} elements", f"{len(data)} bytes")])
    return np.frombuffer(data, dtype=kind).reshape(shape)
