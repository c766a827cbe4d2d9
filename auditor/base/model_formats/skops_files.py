"""The files of skops: a zip archive with `schema.json`, which says how objects hang together, and arrays in the .npy format.

skops numbers objects by their addresses and dates members by the clock, so that two files of one model never have the same bytes,
and both are room for a record. The canonical file counts objects and arrays from 0, has no dates, no bytes that its arrays do not
determine, and 0 where scikit-learn notes an address. Nothing is loaded here: the schema is JSON, and arrays are read by their
headers.
"""

from __future__ import annotations

import io
import json
import re
import struct
import zipfile
import zlib
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from auditor.base import npy
from auditor.base.model_formats.differences import Path, Place, name_of
from auditor.base.model_formats.faults import NotThisFormatError
from auditor.base.noted_addresses import NOTED_ADDRESSES

EXPECTED: Final = "a model as skops.io.dump writes it"
_SCHEMA: Final = "schema.json"
_OF_FILE: Final = frozenset({"protocol", "_skops_version"})
_TRUSTED: Final = frozenset({"sklearn", "numpy", "scipy"})
_CONTAINERS: Final = frozenset(
    {"dict", "list", "tuple", "set", "frozenset", "str", "bytes", "bytearray", "slice", "int", "float", "bool", "complex", "type"}
    | {"NoneType", "builtin_function_or_method", "function", "method", "OrderedDict", "defaultdict", "Bunch"}
)
"""Types of Python's own that hold values and run no code."""
_OF_PYTHON: Final = frozenset({"builtins", "collections"})
_MOST_BYTES: Final = 1024 * 1024 * 1024
"""Of all members together, unpacked."""
_SEED: Final = "random_state"
_DATE: Final = (1980, 1, 1, 0, 0, 0)
_UNREADABLE: Final = (zipfile.BadZipFile, ValueError, OSError, EOFError, struct.error, zlib.error, RuntimeError, KeyError)
_WORD: Final = re.compile(r"[A-Za-z_][A-Za-z0-9_.]{0,99}")


def parse(content: bytes) -> dict[str, Any]:
    """Read the schema, with the content of each array in its place and without numbers of objects.

    Raises:
        NotThisFormatError: If it is no such file, or a member belongs to nothing.
    """
    return _Reading(content).whole()[0]


def canonical(content: bytes) -> bytes:
    """Write what a file holds in the one canonical way.

    Raises:
        NotThisFormatError: As `parse`.
    """
    reading = _Reading(content)
    reading.whole()
    return reading.written()


def is_form_of(shipped: bytes, saved: bytes) -> bool:
    """Whether a file is the canonical way to write what another holds; lists of texts may be of either kind of array.

    A seed that the rerun was given where the file has none is no difference: see `unseeded`.

    Raises:
        NotThisFormatError: As `parse`.
    """
    rerun = _Reading(saved)
    held, _ = rerun.whole()
    if shipped == rerun.written():
        return True
    own = _Reading(shipped)
    bare, _ = own.whole()
    return bare == unseeded(held, bare) and shipped == own.written()


def unseeded(held: Any, shipped: Any) -> Any:
    """What a rerun's file holds, with no `random_state` wherever the shipped file has none.

    A rerun seeds what its code leaves to chance, so that it can be repeated. What was fitted is compared all the same, and None
    in the shipped file holds nothing of anybody.
    """
    if isinstance(held, dict) and isinstance(shipped, dict):
        return {
            key: _plain_value("null")
            if key == _SEED and shipped.get(key) == _plain_value("null") and _is_number(value)
            else unseeded(value, shipped.get(key))
            for key, value in held.items()
        }
    if isinstance(held, list) and isinstance(shipped, list) and len(held) == len(shipped):
        return [unseeded(one, other) for one, other in zip(held, shipped, strict=True)]
    return held


def foreign_types(content: bytes) -> frozenset[str]:
    """Name every type that is not of scikit-learn, NumPy, SciPy or Python's own containers.

    Raises:
        NotThisFormatError: As `parse`.
    """
    reading = _Reading(content)
    reading.whole()
    return frozenset(_shown(module, kind) for module, kind in reading.types if not _is_trusted(module, kind))


def locate(path: Path) -> Place:
    """See `auditor.base.model_formats`: of a fitted object everything is the model."""
    names = [each for each in path if isinstance(each, str) and each not in {"content", "__class__", "__module__", "__loader__"}]
    return Place(None, name_of(names[-1]) if names else None, of_model=path[0] not in _OF_FILE)


def _is_trusted(module: str, kind: str) -> bool:
    if module in _OF_PYTHON:
        return kind in _CONTAINERS
    return module.partition(".")[0] in _TRUSTED


def _shown(module: str, kind: str) -> str:
    name = f"{module}.{kind}"
    return name if _WORD.fullmatch(name) else "one whose name is no name of Python's"


class _Reading:
    """One archive, read once."""

    def __init__(self, content: bytes) -> None:
        self.members: list[tuple[str, bytes]] = []
        """Arrays by their canonical names, in the order in which the schema names them."""
        self.types: set[tuple[str, str]] = set()
        self.numbered: dict[str, Any] = {}
        self._names: dict[str, str] = {}
        self._held: dict[str, bytes] = {}
        self._objects = 0
        self._same: dict[Any, Any] = {}
        try:
            self._archive = zipfile.ZipFile(io.BytesIO(content))
            listed = self._archive.infolist()
        except (zipfile.BadZipFile, ValueError, OSError, struct.error, NotImplementedError, EOFError) as error:
            raise NotThisFormatError(EXPECTED, "no archive") from error
        names = [each.filename for each in listed]
        if len(set(names)) < len(names) or _SCHEMA not in names:
            raise NotThisFormatError(EXPECTED, "a member twice, or no schema.json")
        if sum(each.file_size for each in listed) > _MOST_BYTES:
            raise NotThisFormatError(f"members of at most {_MOST_BYTES} bytes together", "more")
        self._listed = frozenset(names)

    def whole(self) -> tuple[dict[str, Any], dict[str, Any]]:
        """The schema twice: to be compared, and to be written."""
        try:
            schema = json.loads(self._member(_SCHEMA).decode("utf-8"), object_pairs_hook=_once)
            bare, self.numbered = self._node(schema)
        except NotThisFormatError:
            raise
        except (ValueError, RecursionError) as error:
            raise NotThisFormatError(EXPECTED, "a schema that is not JSON, or too deep") from error
        if not isinstance(bare, dict):
            raise NotThisFormatError(EXPECTED, "a schema that is no object")
        if unused := len(self._listed) - len(self._names) - 1:
            raise NotThisFormatError("an archive in which the schema names every member", f"{unused} that it does not name")
        return bare, self.numbered

    def written(self) -> bytes:
        """The file in the one canonical way, once it was read as a whole."""
        written = io.BytesIO()
        with zipfile.ZipFile(written, "w", compression=zipfile.ZIP_STORED) as archive:
            for name, data in [*self.members, (_SCHEMA, json.dumps(self.numbered, separators=(",", ":")).encode())]:
                member = zipfile.ZipInfo(name, date_time=_DATE)
                member.create_system, member.external_attr = 3, 0o600 << 16
                archive.writestr(member, data)
        return written.getvalue()

    def _node(self, node: Any) -> tuple[Any, Any]:
        """A part of the schema without numbers of objects, and with canonical ones."""
        if isinstance(node, list):
            pairs = [self._node(each) for each in node]
            return [bare for bare, _ in pairs], [numbered for _, numbered in pairs]
        if not isinstance(node, dict):
            return node, node
        self._note(node)
        node = _without_addresses(node)
        own = self._objects
        bare: dict[str, Any] = {}
        numbered: dict[str, Any] = {}
        self._objects += 1
        for key, value in node.items():
            if key == "__id__":
                # Every object gets its own: nothing is taken from another place than where it stands.
                numbered[key] = own + 1
            elif key == "file" and "__loader__" in node:
                name, data = self._array(value)
                bare[key], numbered[key] = _narrow(data), name
            else:
                bare[key], numbered[key] = self._node(value)
        bare = _as_texts(bare)
        given = node.get("__id__")
        if given is not None and self._same.setdefault(str(given), bare) != bare:
            # skops takes the first of two objects of one number: the second would be read by nobody.
            raise NotThisFormatError(EXPECTED, "two different objects of one number")
        return bare, numbered

    def _note(self, node: dict[str, Any]) -> None:
        if "__loader__" not in node:
            return
        self.types.add((str(node.get("__module__")), str(node.get("__class__"))))
        held = node.get("content")
        if isinstance(held, dict) and "module_path" in held:
            self.types.add((str(held["module_path"]), str(held.get("function"))))

    def _array(self, name: Any) -> tuple[str, bytes]:
        """A member by the name that the schema gives it: its canonical name and content."""
        if not isinstance(name, str) or name not in self._listed or name == _SCHEMA:
            raise NotThisFormatError(EXPECTED, "a schema that names a member which is not there")
        if name in self._held:
            # One object however often the schema names it: a few bytes each would otherwise cost the whole array again.
            return self._names[name], self._held[name]
        data = self._member(name)
        try:
            data = _plain(data)
        except (npy.NotNpyError, ValueError) as error:
            raise NotThisFormatError("arrays in the .npy format", "a member of another kind") from error
        self._names[name], self._held[name] = f"{len(self._names)}.npy", data
        self.members.append((self._names[name], data))
        return self._names[name], data

    def _member(self, name: str) -> bytes:
        try:
            return self._archive.read(name)
        except _UNREADABLE as error:
            raise NotThisFormatError(EXPECTED, "a member that cannot be unpacked") from error


def _plain(data: bytes) -> bytes:
    """An array written again: of fields, such as a tree's nodes, without the bytes between them that nothing determines."""
    array = npy.read_array(data, fields=True)
    if array.dtype.names is not None:
        filled = np.zeros(array.shape, dtype=array.dtype)
        for name in array.dtype.names:
            filled[name] = array[name]
        array = filled
    return _written(array)


def _narrow(data: bytes) -> bytes:
    """An array as it is compared: texts in as many characters as the longest has, as labels are the same however wide."""
    if b"'descr': '<U" not in data[:128]:
        return data
    array = npy.read_array(data)
    return _written(np.array(array.tolist())) if array.ndim == 1 and len(array) else data


def _without_addresses(node: dict[str, Any]) -> dict[str, Any]:
    """The node of an object with 0 in the place of each address that it notes; anything else it holds is left as it is."""
    noting, held = NOTED_ADDRESSES.get(str(node.get("__module__")), {}), node.get("content")
    attributes = held.get("content") if isinstance(held, dict) else None
    if not noting or not isinstance(attributes, dict):
        return node
    zeros = {name: {**attributes[name], "content": "0"} for name in noting if _is_numbered(attributes.get(name))}
    return {**node, "content": {**node["content"], "content": {**attributes, **zeros}}}


def _is_numbered(node: Any) -> bool:
    """Whether it is the node of a whole number, which may have a number of its own."""
    return isinstance(node, dict) and _is_number({key: value for key, value in node.items() if key != "__id__"})


def _as_texts(bare: dict[str, Any]) -> dict[str, Any]:
    """A list of texts that is an array of objects, as pandas gives labels, in the form of an array of texts."""
    held = bare.get("content")
    if bare.get("__loader__") != "NdArrayNode" or bare.get("type") != "json" or not isinstance(held, list) or not held:
        return bare
    spelled = [each["content"] for each in held if _is_value(each)]
    texts = [json.loads(each) for each in spelled]
    # Each in the one way in which it is written: an escape in the place of a letter would be one of many.
    plain = all(isinstance(each, str) for each in texts) and spelled == [*map(json.dumps, texts)]
    if len(texts) < len(held) or not plain or not _is_flat(bare.get("shape"), len(held)):
        return bare
    rest = {key: value for key, value in bare.items() if key not in {"content", "shape"}}
    return {**rest, "type": "numpy", "file": _written(np.array(texts))}


def _is_value(node: Any) -> bool:
    return isinstance(node, dict) and isinstance(node.get("content"), str) and node == _plain_value(node["content"])


def _plain_value(content: str) -> dict[str, Any]:
    """The node of a plain value, exactly as skops writes it: a further key would be room for a record."""
    return {"__class__": "str", "__module__": "builtins", "__loader__": "JsonNode", "content": content, "is_json": True}


def _is_number(node: Any) -> bool:
    """Whether it is the node of a whole number."""
    return _is_value(node) and node["content"].isascii() and node["content"].isdigit() and node == _plain_value(node["content"])


def _is_flat(shape: Any, count: int) -> bool:
    """Whether an array is one list of so many."""
    held = shape.get("content") if isinstance(shape, dict) else None
    if not isinstance(shape, dict) or shape.keys() != {"__class__", "__module__", "__loader__", "content"}:
        return False
    if (shape["__class__"], shape["__module__"], shape["__loader__"]) != ("tuple", "builtins", "TupleNode"):
        return False
    return isinstance(held, list) and len(held) == 1 and _is_value(held[0]) and held[0]["content"] == str(count)


def _written(array: npt.NDArray[Any]) -> bytes:
    stream = io.BytesIO()
    np.save(stream, array, allow_pickle=False)
    return stream.getvalue()


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise NotThisFormatError("a schema in which every name stands once", "a name that repeats")
    return found
