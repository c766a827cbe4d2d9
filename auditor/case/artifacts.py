"""The model file about to be released, never unpickled here: one vector, tensors by name, or a library's own format."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from math import prod
from pathlib import Path
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from auditor.base import tensors as named
from auditor.base.domain import Message, Problem
from auditor.base.errors import InputError
from auditor.base.model_formats import ENDINGS, NotThisFormatError, OwnFormat, asking
from auditor.base.records import Floats
from auditor.case.containers import KINDS, NAME, Suffix, beyond, beyond_tensors
from auditor.case.files import Source, read_source
from auditor.case.npz import read_arrays
from auditor.document.context import About
from auditor.settings.values import SHOWN_PER_FILE, Cells, show, text_fault

# What the folder of a model says of it: a few words out of files that MLflow and Hugging Face write, taken as the party's
# own.
# Nothing of it is believed, and nothing decides by it. JSON is parsed within limits; of YAML only lines that are a plain key
# and a plain value are read, so that no tag, anchor or nesting is ever followed.
FILES: Final = ("MLmodel", "README.md", "adapter_config.json", "config.json")
"""Files that are read, by their names at the top of a folder."""
MOST_BYTES: Final = 1 << 20
LONGEST: Final = 200

_IN_JSON: Final[dict[str, About]] = {
    "_name_or_path": "base-model",
    "base_model_name_or_path": "base-model",
    "model_type": "kind",
    "peft_type": "adapter",
    "architectures": "architecture",
    "transformers_version": "transformers",
}
_IN_YAML: Final[dict[str, About]] = {
    "base_model": "base-model",
    "library_name": "framework",
    "license": "licence",
    "pipeline_tag": "task",
    "run_id": "run",
    "model_uuid": "model",
    "mlflow_version": "mlflow",
    "utc_time_created": "created",
}
_LINE: Final = re.compile(r"([A-Za-z_][A-Za-z0-9_]*): +(\S.*)")
_FLAVOUR: Final = re.compile(r"  ([A-Za-z_][A-Za-z0-9_]*):\s*")
_SPECIAL: Final = frozenset("&*!|>{}[],#%@`")
"""What begins a value of YAML that is no plain one."""


def said(files: Mapping[str, bytes]) -> dict[About, str]:
    """What the files of one folder say, by what it is about.

    Args:
        files: By name at the top of the folder; those of other names are not read.
    """
    found: dict[About, str] = {}
    for name in FILES:
        content = files.get(name)
        if content is None or len(content) > MOST_BYTES:
            continue
        try:
            text = content.decode("utf-8-sig")
        except UnicodeDecodeError:
            continue
        for key, value in _of_json(text) if name.endswith(".json") else _of_lines(text, front=name == "README.md"):
            if 0 < len(value) <= LONGEST and not text_fault(value):
                found.setdefault(key, value)
    return dict(sorted(found.items()))


def _of_json(text: str) -> Iterator[tuple[About, str]]:
    try:
        values: Any = json.loads(text)
    except (ValueError, RecursionError):
        return
    for key, about in _IN_JSON.items() if isinstance(values, dict) else ():
        value = values.get(key)
        if isinstance(value, list) and len(value) == 1:
            (value,) = value
        if isinstance(value, str):
            yield about, value


def _of_lines(text: str, *, front: bool) -> Iterator[tuple[About, str]]:
    lines = text.splitlines()
    if front:
        # Front matter lies between two lines of dashes; without it a README says nothing that could be read.
        ends = [at for at, line in enumerate(lines) if line.rstrip() == "---"][:2]
        lines = lines[1 : ends[1]] if len(ends) == 2 and ends[0] == 0 else []
    flavours: list[str] = []
    within = ""
    for line in lines:
        if not line.startswith(" "):
            within = line.partition(":")[0]
        if within == "flavors" and (flavour := _FLAVOUR.fullmatch(line)) is not None:
            flavours.append(flavour[1])
        match = _LINE.fullmatch(line.rstrip())
        if match is not None and match[1] in _IN_YAML and match[2][0] not in _SPECIAL:
            yield _IN_YAML[match[1]], match[2].strip("'\"")
    own = [each for each in flavours if each != "python_function"]
    if own:
        yield "framework", ", ".join(own)


PICKLED: Final = (".pkl", ".pickle", ".joblib")
"""Endings of files that are refused, whatever learns."""
OF_TORCH: Final = (".pt", ".pth", ".bin", ".ckpt")
"""Endings of files that `torch.save` writes."""
_OR_NONE: Final = "; or leave [model] out, and the audit covers the procedure alone"
_PICKLED: Final = (
    'write its parameters where you trust the file: numpy.savez("model.npz", parameters=…), or a pipeline by skops.io.dump'
    f"{_OR_NONE}"
)
_OF_TORCH: Final = (
    f"write them where you trust the file: torch.nn.utils.parameters_to_vector(model.parameters()), as `parameters`{_OR_NONE}"
)
_TRUSTED: Final = (
    "types of scikit-learn, NumPy, SciPy and Python's containers alone, for others are made by running code; save a booster "
    "in its own format, and name its step in [model] part"
)
_UNPICKLED: Final = {
    **dict.fromkeys(PICKLED, _PICKLED),
    **dict.fromkeys(OF_TORCH, _OF_TORCH),
}
"""What to do instead, by the ending of a file that is never read."""
_OF_ARRAYS: Final = "only a file of one array can be written again like this; files in a library's own format need no such step"


@dataclass(frozen=True, slots=True, eq=False)
class ModelFile:
    """A model file as it was read, once."""

    content: bytes = field(repr=False)
    values: npt.NDArray[Any] = field(repr=False)
    """Shape (p,), finite, in the type that the file gives its elements, in the order of the procedure's `parameters()`."""
    beyond: tuple[Message, ...]
    """What the file holds that its array does not determine; empty where its container is canonical."""
    tensors: Mapping[str, named.Tensor] | None = field(default=None, repr=False)
    """By name, where the file holds a `state_dict`: which of `values` they are is not known until a module says it."""
    pickled: bool = False
    """Whether the file is one of PyTorch's, which only the sandbox loads: nothing is known of it until then."""

    @property
    def unsettled(self) -> bool:
        """Whether a module has to say first what the file's tensors are."""
        return self.pickled or self.tensors is not None

    @property
    def parameters(self) -> Floats:
        """Shape (p,), float64; no value is changed by it."""
        return np.ascontiguousarray(self.values, dtype=np.float64)


@dataclass(frozen=True, slots=True, eq=False)
class OwnFile:
    """A model file in a library's own format, as it was read, once: parsed to see that it is one, and never loaded here."""

    content: bytes = field(repr=False)
    kind: OwnFormat


def read_model(path: Path) -> Floats:
    """The parameters in a .safetensors file (tensor `parameters`) or an .npz file (array `parameters`).

    Returns:
        Shape (p,), float64, finite, in the order of the procedure's `parameters()`.

    Raises:
        InputError: If the file is of another kind, cannot be read, or holds anything but that one vector: what the
            audit does not examine must not be released with it.
    """
    return model(read_source(path)).parameters


def model(source: Source, *, of_network: bool = False) -> ModelFile:
    """A model file that was read already; see `read_model`.

    Args:
        source: The file.
        of_network: Whether it may hold the `state_dict` of a network, as safetensors or as `torch.save` writes it.

    Raises:
        InputError: As `read_model`.
    """
    if of_network and Path(source.name).suffix.lower() in OF_TORCH:
        return ModelFile(source.data, np.zeros(0), (Message("model.container.pickled"),), pickled=True)
    suffix = suffix_of(source.name)
    if of_network and suffix == ".safetensors" and NAME not in tensors_in(source):
        return state_dict(source)
    values = _from_safetensors(source) if suffix == ".safetensors" else read_arrays(source, (NAME,))[NAME]
    require_parameters(source.name, values)
    return ModelFile(source.data, values, beyond(source.data, values, suffix))


def state_dict(source: Source) -> ModelFile:
    """A .safetensors file with the tensors of a `state_dict`.

    Raises:
        InputError: If it is no such file, holds none or too many, or has an element that is no finite number.
    """
    found = _tensors(source)
    arrays = [array for each in found.values() if (array := each.array) is not None and array.dtype.kind == "f"]
    # In the order of the file, until a module says which order is that of `parameters()`.
    values = np.concatenate([array.astype(np.float64) for array in arrays]) if arrays else np.zeros(0)
    return ModelFile(source.data, values, beyond_tensors(source.data, found), tensors=found)


def _tensors(source: Source) -> dict[str, named.Tensor]:
    raw = tensors_in(source)
    problems = []
    if not 0 < len(raw) <= named.MOST_TENSORS:
        problems.append(Problem(source.name, "", f"1 to {named.MOST_TENSORS} tensors", f"{len(raw)}"))
    found: dict[str, named.Tensor] = {}
    for name, tensor in raw.items() if not problems else ():
        kind, shape, data = str(tensor["dtype"]), tuple(int(size) for size in tensor["shape"]), bytes(tensor["data"])
        where = f"tensor {show(name)}"
        if kind not in named.KINDS:
            problems.append(Problem(source.name, where, f"elements of type {', '.join(named.KINDS)}", show(kind)))
        elif prod(shape) * named.width(kind) != len(data):
            problems.append(Problem(source.name, where, f"{prod(shape)} elements", f"{len(data)} bytes"))
        else:
            found[name] = named.Tensor(kind, shape, data)
            array = found[name].array
            if array is not None and array.dtype.kind == "f" and not np.all(np.isfinite(array)):
                problems.append(Problem(source.name, where, "finite numbers", "NaN or an infinity"))
    if problems:
        raise InputError(problems[:SHOWN_PER_FILE])
    return found


def released(source: Source, *, of_network: bool = False) -> ModelFile | OwnFile:
    """A model file of either kind: its parameters, or a library's own format; see `model` for the arguments.

    Raises:
        InputError: As `read_model`; or if the file is not what its ending says, or holds types that only code can make.
    """
    if Path(source.name).suffix.lower() not in ENDINGS:
        return model(source, of_network=of_network)
    try:
        kind, foreign = asking.described(source.name, source.data)
    except NotThisFormatError as error:
        raise InputError([Problem(source.name, "", error.expected, error.found)]) from error
    if foreign:
        listed = ", ".join(foreign[:SHOWN_PER_FILE])
        raise InputError([Problem(source.name, "", f"{_TRUSTED}{_OR_NONE}", listed)])
    return OwnFile(source.data, kind)


def model_in(content: bytes) -> ModelFile:
    """The model file that a procedure's `save` wrote, by what its first bytes say it is.

    Raises:
        InputError: As `read_model`.
    """
    return model(Source("model.npz" if content.startswith(b"PK") else "model.safetensors", content))


def suffix_of(file: str) -> Suffix:
    """The format that a file's ending names.

    Raises:
        InputError: If it names another, one that is unpickled among them.
    """
    match Path(file).suffix.lower():
        case ".safetensors":
            return ".safetensors"
        case ".npz":
            return ".npz"
        case suffix if suffix in _UNPICKLED:
            found = f"{show(suffix)}, a format that is unpickled: reading it would run what it says"
            raise InputError([Problem(file, "", f"a model in .safetensors or .npz; {_UNPICKLED[suffix]}", found)])
        case suffix:
            way = f"; {_OF_ARRAYS}" if suffix in ENDINGS else ""
            raise InputError([Problem(file, "", f"a model in .safetensors or .npz{way}", show(suffix))])


def require_parameters(file: str, values: npt.NDArray[Any]) -> None:
    """See that an array can be the parameters of a model.

    Raises:
        InputError: If it is no vector of finite floats of at most 64 bits.
    """
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


def tensors_in(source: Source) -> dict[str, Any]:
    """Every tensor of a .safetensors file by name, as its library describes it.

    Raises:
        InputError: If it is no such file.
    """
    from safetensors import SafetensorError, deserialize  # noqa: PLC0415 - a compiled library that most commands do without

    try:
        return dict(deserialize(source.data))  # type: ignore[no-untyped-call]
    except (SafetensorError, ValueError, OverflowError, MemoryError) as error:
        raise InputError([Problem(source.name, "", "a .safetensors file", show(str(error)))]) from error


def array_of(file: str, tensor: Any) -> npt.NDArray[Any]:
    """The array of a tensor as `tensors_in` describes it.

    Raises:
        InputError: If its elements are no floats of at most 64 bits.
    """
    kind = KINDS.get(str(tensor["dtype"]))
    if kind is None:
        raise InputError([Problem(file, NAME, f"elements of type {', '.join(KINDS)}", show(str(tensor["dtype"])))])
    shape = tuple(int(size) for size in tensor["shape"])
    data = bytes(tensor["data"])
    if prod(shape) * np.dtype(kind).itemsize != len(data):
        raise InputError([Problem(file, NAME, f"{prod(shape)} elements", f"{len(data)} bytes")])
    return np.frombuffer(data, dtype=kind).reshape(shape)


def _from_safetensors(source: Source) -> npt.NDArray[Any]:
    tensors = tensors_in(source)
    names = sorted(tensors)
    if names != [NAME]:
        found = ", ".join(show(name) for name in names[:5]) or "no tensor"
        raise InputError([Problem(source.name, NAME, f"the tensor `{NAME}` and no other", found)])
    return array_of(source.name, tensors[NAME])
