"""The container of a model file: the bytes that one array determines, and what a file holds in addition.

A model file is read back as one array, but a file has many more places: metadata, comments, gaps, padding, dates, the order and
spelling of a header. A container is canonical if and only if writing its array again gives the very bytes of the file, in one of
a few fixed forms. The reasons that are named alongside it only say where the others lie; they decide nothing.
"""

from __future__ import annotations

import io
import json
import struct
import zipfile
import zlib
from collections.abc import Collection, Iterator, Mapping
from typing import Any, Final, Literal, TypeAlias

import numpy as np
import numpy.typing as npt

from auditor.base.domain import Message
from auditor.base.tensors import Tensor
from auditor.base.tensors import canonical as written

NAME: Final = "parameters"
"""The one array of a model file."""
KINDS: Final = {"F64": "<f8", "F32": "<f4", "F16": "<f2"}
"""Types of elements, as safetensors calls them and as NumPy does."""
Suffix: TypeAlias = Literal[".safetensors", ".npz"]

_FORMATS: Final[tuple[dict[str, str], ...]] = ({}, {"format": "pt"})
"""The metadata that a safetensors file may have: none, or what loaders of PyTorch's models insist on."""
_MEMBER: Final = f"{NAME}.npy".encode()
_EPOCH: Final = 0x21
"""1 January 1980, the first day that a zip archive can name."""
_FRONT, _ENTRY, _END = struct.Struct("<4s5H3I2H"), struct.Struct("<4s6H3I5H2I"), struct.Struct("<4s4H2IH")
_UNIX: Final = 3 << 8
_MODE: Final = 0o600 << 16


def canonical(values: npt.NDArray[Any], suffix: Suffix, *, metadata: bool = False) -> bytes:
    """Write an array as the canonical file of its format.

    Args:
        values: Shape (p,), floats of 16, 32 or 64 bits.
        suffix: The format.
        metadata: Whether a safetensors file states `format = "pt"`, its only metadata.
    """
    array = np.ascontiguousarray(values, dtype=values.dtype.newbyteorder("<"))
    if suffix == ".npz":
        return _npz(array)
    return _safetensors(array, _FORMATS[1] if metadata else _FORMATS[0])


def beyond(content: bytes, values: npt.NDArray[Any], suffix: Suffix) -> tuple[Message, ...]:
    """What a file holds that its array does not determine; empty if and only if its container is canonical.

    Args:
        content: The file.
        values: The array that was read from it, in the type that the file gives its elements.
        suffix: The format that it was read as.
    """
    array = np.ascontiguousarray(values, dtype=values.dtype.newbyteorder("<"))
    if content in _forms(array, suffix):
        return ()
    named = tuple(_in_safetensors(content) if suffix == ".safetensors" else _in_npz(content, array))
    return named or (Message("model.container.other"),)


def beyond_tensors(content: bytes, found: Mapping[str, Tensor]) -> tuple[Message, ...]:
    """What a safetensors file holds that its tensors do not determine; empty if and only if its container is canonical.

    Args:
        content: The file.
        found: Its tensors by name.
    """
    if any(content == written(found, metadata=each) for each in (False, True)):
        return ()
    return tuple(_in_safetensors(content, {*found})) or (Message("model.container.other"),)


def states_format(content: bytes) -> bool:
    """Whether a safetensors file names the format that loaders of PyTorch's models insist on."""
    pairs = _header(content)
    return any(key == "__metadata__" and ("format", "pt") in _pairs(value) for key, value in pairs or ())


def _forms(array: npt.NDArray[Any], suffix: Suffix) -> tuple[bytes, ...]:
    """Every form that counts as canonical. Which of two it is tells one bit, whatever the number of parameters."""
    if suffix == ".safetensors":
        return tuple(_safetensors(array, each) for each in _FORMATS)
    written = io.BytesIO()
    np.savez(written, parameters=array)  # its extra field repeats the sizes and is the same for every array of that shape
    return _npz(array), written.getvalue()


def _safetensors(array: npt.NDArray[Any], metadata: dict[str, str]) -> bytes:
    kind = next(name for name, found in KINDS.items() if found == array.dtype.str)
    tensor = {"dtype": kind, "shape": list(array.shape), "data_offsets": [0, array.nbytes]}
    header = ({"__metadata__": metadata} if metadata else {}) | {NAME: tensor}
    text = json.dumps(header, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 8)
    return len(text).to_bytes(8, "little") + text + array.tobytes()


def _npz(array: npt.NDArray[Any]) -> bytes:
    """One stored member without date, extra field or comment, and the directory behind it."""
    data = _npy(array)
    shared = (0, 0, 0, _EPOCH, zlib.crc32(data), len(data), len(data), len(_MEMBER), 0)
    front = _FRONT.pack(b"PK\3\4", 20, *shared) + _MEMBER
    entry = _ENTRY.pack(b"PK\1\2", _UNIX | 20, 20, *shared, 0, 0, 0, _MODE, 0) + _MEMBER
    end = _END.pack(b"PK\5\6", 0, 0, 1, 1, len(entry), len(front) + len(data), 0)
    return front + data + entry + end


def _npy(array: npt.NDArray[Any]) -> bytes:
    written = io.BytesIO()
    np.lib.format.write_array(written, array, version=(1, 0), allow_pickle=False)
    return written.getvalue()


def _in_safetensors(content: bytes, names: Collection[str] = (NAME,)) -> Iterator[Message]:
    pairs = _header(content)
    if pairs is None:
        return
    keys = [key for key, _ in pairs]
    if len(set(keys)) < len(keys):
        yield Message("model.container.repeated")
    metadata = [_pairs(value) for key, value in pairs if key == "__metadata__"]
    if any(each != [("format", "pt")] for each in metadata):
        size = sum(len(f"{key}{value}".encode("utf-8", "replace")) for each in metadata for key, value in each)
        yield Message("model.container.metadata", {"bytes": size})
    others = set(keys) - {*names, "__metadata__"}
    if others:
        yield Message("model.container.members", {"members": len(others)})
    length = int.from_bytes(content[:8], "little")
    text = content[8 : 8 + length]
    bare = text.rstrip(b" ")
    if bare != _compact(pairs) and len(names) == 1:
        yield Message("model.container.header")
    elif len(text) != len(bare) + -len(bare) % 8:
        yield Message("model.container.padding")


def _compact(pairs: list[tuple[str, Any]]) -> bytes:
    """The header as it is written canonically, if it holds nothing but what it must."""
    shown: dict[str, Any] = {}
    for key, value in sorted(pairs, key=lambda each: each[0]):
        given = dict(_pairs(value))
        shown[key] = given if key == "__metadata__" else {name: given.get(name) for name in ("dtype", "shape", "data_offsets")}
    return json.dumps(shown, separators=(",", ":")).encode()


def _header(content: bytes) -> list[tuple[str, Any]] | None:
    """Keys and values of a safetensors header, repeated ones included; None where it is not one."""
    try:
        found = json.loads(content[8 : 8 + int.from_bytes(content[:8], "little")], object_pairs_hook=list)
    except (ValueError, RecursionError):
        return None
    return _pairs(found)


def _pairs(value: Any) -> list[tuple[str, Any]]:
    return [each for each in value if isinstance(each, tuple)] if isinstance(value, list) else []


def _in_npz(content: bytes, array: npt.NDArray[Any]) -> Iterator[Message]:
    try:
        archive = zipfile.ZipFile(io.BytesIO(content))
        members = archive.infolist()
        held = [_local(content, member) for member in members]
        stored = archive.read(members[0]) if members else b""
    except (zipfile.BadZipFile, ValueError, OSError, struct.error, NotImplementedError, EOFError, zlib.error, RuntimeError):
        return
    if comment := len(archive.comment) + sum(len(member.comment) for member in members):
        yield Message("model.container.comment", {"bytes": comment})
    extra = sum(len(member.extra) for member in members)
    local = sum(extra for extra, _ in held)
    # NumPy's own extra field repeats the two sizes; any other is recognised by its length or its content.
    if extra or any(found and found != _sizes(member) for (_, found), member in zip(held, members, strict=True)):
        yield Message("model.container.extra", {"bytes": extra + local})
    if len(members) > 1:
        yield Message("model.container.members", {"members": len(members) - 1})
    if any(member.compress_type != zipfile.ZIP_STORED for member in members):
        yield Message("model.container.compressed")
    if any(member.date_time != (1980, 1, 1, 0, 0, 0) for member in members):
        yield Message("model.container.date")
    size = sum(_FRONT.size + _ENTRY.size + 2 * len(m.filename.encode()) + len(m.extra) + len(m.comment) for m in members)
    size += local + sum(member.compress_size for member in members) + _END.size + len(archive.comment)
    if len(content) > size:
        yield Message("model.container.gap", {"bytes": len(content) - size})
    if stored != _npy(array):
        yield Message("model.container.npy")


def _local(content: bytes, member: zipfile.ZipInfo) -> tuple[int, bytes]:
    """Length and content of the extra field in front of a member's data."""
    *_, name, extra = _FRONT.unpack_from(content, member.header_offset)
    start = member.header_offset + _FRONT.size + name
    return extra, content[start : start + extra]


def _sizes(member: zipfile.ZipInfo) -> bytes:
    return struct.pack("<HHQQ", 1, 16, member.file_size, member.compress_size)
