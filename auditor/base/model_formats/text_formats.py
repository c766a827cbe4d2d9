"""Model files that are text or UBJSON: what LightGBM and XGBoost write, parsed as files that nobody vouches for."""

from __future__ import annotations

import json
import re
import struct
from collections.abc import Iterable
from typing import Any, Final, Literal

import numpy as np

from auditor.base.model_formats.differences import Path, Place, name_of
from auditor.base.model_formats.faults import NotThisFormatError

# Models as JSON: what LightGBM's `dump_model` gives, and what XGBoost's `save_model` writes.
# Universal Binary JSON as XGBoost writes it: numbers big-endian, keys with a length, arrays of one type packed.
EXPECTED_UBJSON: Final = "a model in UBJSON, as XGBoost's save_model writes it"
_NUMBERS: Final = {b"i": ">i1", b"U": ">u1", b"I": ">i2", b"l": ">i4", b"L": ">i8", b"d": ">f4", b"D": ">f8"}
_WORDS: Final = {b"Z": None, b"T": True, b"F": False}
_DEEPEST: Final = 64


def parse_ubjson(content: bytes) -> dict[str, Any]:
    """Read one object that fills the file.

    Raises:
        NotThisFormatError: If there is none, or anything after it.
    """
    reader = _Reader(content)
    try:
        found = reader.value(reader.take(1), 0)
    except (struct.error, UnicodeDecodeError, ValueError, IndexError) as error:
        if isinstance(error, NotThisFormatError):
            raise
        raise NotThisFormatError(EXPECTED_UBJSON, "bytes that cannot be read as one") from error
    if not isinstance(found, dict):
        raise NotThisFormatError(EXPECTED_UBJSON, "no object")
    if reader.at != len(content):
        raise NotThisFormatError(EXPECTED_UBJSON, f"{len(content) - reader.at} bytes after it")
    return found


class _Reader:
    """A place in a file."""

    def __init__(self, content: bytes) -> None:
        self._content, self.at = content, 0

    def take(self, size: int) -> bytes:
        """The next bytes."""
        if size < 0 or self.at + size > len(self._content):
            raise NotThisFormatError(EXPECTED_UBJSON, "a file that ends too early")
        self.at += size
        return self._content[self.at - size : self.at]

    def value(self, marker: bytes, depth: int) -> Any:
        """The value that a marker announces."""
        if depth > _DEEPEST:
            raise NotThisFormatError(EXPECTED_UBJSON, f"values more than {_DEEPEST} deep")
        if marker in _NUMBERS:
            return self._many(marker, 1)[0]
        if marker in _WORDS:
            return _WORDS[marker]
        match marker:
            case b"S":
                return self._text()
            case b"[":
                return self._array(depth)
            case b"{":
                return self._object(depth)
            case _:
                raise NotThisFormatError(EXPECTED_UBJSON, "a marker that it does not write")

    def _many(self, marker: bytes, count: int) -> list[Any]:
        kind = np.dtype(_NUMBERS[marker])
        found: list[Any] = np.frombuffer(self.take(count * kind.itemsize), dtype=kind).tolist()
        return found

    def _size(self) -> int:
        marker = self.take(1)
        if marker not in _NUMBERS or marker in {b"d", b"D"}:
            raise NotThisFormatError(EXPECTED_UBJSON, "a length that is no whole number")
        return int(self._many(marker, 1)[0])

    def _text(self) -> str:
        return self.take(self._size()).decode("utf-8")

    def _array(self, depth: int) -> list[Any]:
        marker = self.take(1)
        if marker == b"$":
            kind = self.take(1)
            if kind not in _NUMBERS or self.take(1) != b"#":
                raise NotThisFormatError(EXPECTED_UBJSON, "a packed array of something else than numbers")
            return self._many(kind, self._size())
        if marker == b"#":
            return [self.value(self.take(1), depth + 1) for _ in range(self._size())]
        found = []
        while marker != b"]":
            found.append(self.value(marker, depth + 1))
            marker = self.take(1)
        return found

    def _object(self, depth: int) -> dict[str, Any]:
        found: dict[str, Any] = {}
        while self._content[self.at : self.at + 1] != b"}":
            name = self._text()
            if name in found:
                raise NotThisFormatError("UBJSON in which every name stands once", "a name that repeats")
            found[name] = self.value(self.take(1), depth + 1)
        self.take(1)
        return found


EXPECTED: Final = "a model as JSON, from XGBoost's save_model or LightGBM's dump_model"
_OF_DUMP: Final = frozenset(
    {"num_class", "num_tree_per_iteration", "max_feature_idx", "objective", "average_output", "tree_info"}
)
_BESIDES: Final = frozenset({"attributes", "feature_names", "feature_types"})
"""What XGBoost's learner holds that predicts nothing."""
_SPELLINGS: Final[tuple[dict[str, Any], ...]] = (
    {},
    {"separators": (",", ":")},
    {"indent": 2},
    {"indent": 4},
    {"sort_keys": True},
    {"indent": 2, "sort_keys": True},
)
"""How a dump may be written. Which of them it is tells a few bits, whatever its size."""


def parse(content: bytes) -> dict[str, Any]:
    """Read a JSON object in which every name stands once.

    Raises:
        NotThisFormatError: If it is another file.
    """
    try:
        found = json.loads(content.decode("utf-8"), object_pairs_hook=_once)
    except NotThisFormatError:
        raise
    except (ValueError, RecursionError) as error:
        raise NotThisFormatError(EXPECTED, "something that is not JSON, or too deep") from error
    if not isinstance(found, dict):
        raise NotThisFormatError(EXPECTED, "JSON of another kind")
    return found


def kind_of(document: dict[str, Any]) -> Literal["lightgbm-dump", "xgboost-json"]:
    """Whose model a document is.

    Raises:
        NotThisFormatError: If it is nobody's that is known here.
    """
    if isinstance(document.get("tree_info"), list):
        return "lightgbm-dump"
    if isinstance(document.get("learner"), dict):
        return "xgboost-json"
    raise NotThisFormatError(EXPECTED, "JSON with neither `tree_info` nor `learner`")


def is_a_form(shipped: bytes, saved: bytes) -> bool:
    """Whether a file is one of the ways in which Python's json writes the document of another, or that and a line break.

    Nothing is written out: of deep nesting an indented form is as many times as long as it is deep.
    """
    document = parse(saved)
    return any(_is_written(shipped, json.JSONEncoder(**each).iterencode(document)) for each in _SPELLINGS)


def _is_written(content: bytes, pieces: Iterable[str]) -> bool:
    """Whether content is some pieces one after another, with a line break at the end or without; read to the first difference."""
    at = 0
    for piece in pieces:
        if not content.startswith(piece.encode(), at):
            return False
        at += len(piece)  # JSON as it is written here is ASCII
    return content[at : at + 2] in {b"", b"\n"}


def locate_dump(path: Path) -> Place:
    """See `auditor.base.model_formats`; of a dump."""
    tree = path[1] if path[0] == "tree_info" and len(path) > 1 and isinstance(path[1], int) else None
    return Place(tree, _field(path), of_model=path[0] in _OF_DUMP)


def locate_xgboost(path: Path) -> Place:
    """See `auditor.base.model_formats`; of XGBoost."""
    tree = None
    if "trees" in path:
        at = path.index("trees") + 1
        found = path[at] if at < len(path) else None
        tree = found if isinstance(found, int) else None
    of_model = path[0] == "learner" and (len(path) == 1 or path[1] not in _BESIDES)
    return Place(tree, _field(path), of_model=of_model)


def _field(path: Path) -> str | None:
    return name_of(next((each for each in reversed(path) if isinstance(each, str)), None))


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise NotThisFormatError("JSON in which every name stands once", "a name that repeats")
    return found


# LightGBM's text format, as `Booster.save_model` writes it: blocks of `name=value`, then what describes the training.
EXPECTED_TEXT: Final = "a model in LightGBM's text format, as Booster.save_model writes it"
_OF_MODEL: Final = frozenset({"num_class", "num_tree_per_iteration", "max_feature_idx", "objective", "average_output", "trees"})
_TAIL: Final = "end of trees"
_MOST_THREADS: Final = 5
"""Digits. How many threads a machine has says nothing of the model: 17 bits that may differ."""
_THREADS: Final = re.compile(rb"(?<=\n)\[num_threads: -?[0-9]{1,%d}\]\n" % _MOST_THREADS)


def parse_text(content: bytes) -> dict[str, Any]:
    """Take a file apart into its header, its trees, and the lines of what follows.

    Raises:
        NotThisFormatError: If it is no such file.
    """
    try:
        lines = content.decode("utf-8").split("\n")
    except UnicodeDecodeError as error:
        raise NotThisFormatError(EXPECTED_TEXT, "bytes that are not UTF-8") from error
    if lines[0] != "tree" or _TAIL not in lines:
        raise NotThisFormatError(EXPECTED_TEXT, "another text" if lines[0] != "tree" else f"no line `{_TAIL}`")
    ends = lines.index(_TAIL)
    header: dict[str, Any] = {"other": []}
    trees: list[dict[str, Any]] = []
    for line in lines[1:ends]:
        name, sign, value = line.partition("=")
        if sign and name == "Tree":
            trees.append({"other": []})
        block = trees[-1] if trees else header
        if sign and name not in block:
            block[name] = _value(value)
        elif line:
            block["other"].append(line)
    if not trees:
        raise NotThisFormatError(EXPECTED_TEXT, "no tree")
    return {**header, "trees": trees, "tail": lines[ends:]}


def without_threads(content: bytes) -> bytes:
    """The file without the number of threads that trained it; as it is where it states none, or several."""
    found = _THREADS.findall(content)
    return _THREADS.sub(b"", content) if len(found) == 1 else content


def locate(path: Path) -> Place:
    """See `auditor.base.model_formats`."""
    if path[0] == "trees":
        tree = path[1] if len(path) > 1 and isinstance(path[1], int) else None
        return Place(tree, name_of(path[2]) if len(path) > 2 else None, of_model=True)
    return Place(None, name_of(path[0]), of_model=path[0] in _OF_MODEL)


def _value(text: str) -> Any:
    """Numbers as numbers, so that how far two are apart can be said; anything else as it stands."""
    try:
        return [float(each) for each in text.split(" ")]
    except ValueError:
        return text
