"""Model files in a library's own format, as files that nobody vouches for: parsed here, never loaded.

A file is held against the one that a rerun saves. Where their bytes are the same, or the same once written in the one canonical
way, nothing is left that the rerun does not determine. Everything else here says where two files differ.

lightgbm_text, json_files, ubjson, skops_files   one format each
differences                                      a walk over two parsed files
asking                                           where files of the audited party are read: in a process with limits
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import PurePath
from typing import Any, Final

from auditor.base.model_formats import skops_files, text_formats
from auditor.base.model_formats.differences import Comparison, Locate, Place, compared
from auditor.base.model_formats.faults import NotThisFormatError
from auditor.base.own_formats import WHOLE_ESTIMATOR, OwnFormat

__all__ = [
    "ENDINGS",
    "WHOLE_ESTIMATOR",
    "Comparison",
    "NotThisFormatError",
    "OwnFormat",
    "Place",
    "canonical",
    "format_of",
    "held_against",
    "types",
]

ENDINGS: Final = (".txt", ".json", ".ubj", ".skops", ".onnx")
MOST_BYTES: Final = 256 * 1024 * 1024
"""Of a file in a library's own format: parsing takes a multiple of it."""


@dataclass(frozen=True, slots=True)
class _Format:
    """How a format is read and written."""

    parse: Callable[[bytes], Any]
    writes: Callable[[bytes, bytes], bool]
    """Whether the first of two other files is one of those that hold what the second holds and nothing else."""
    locate: Locate
    """Tree and field of a place in a parsed file, and whether it is the model's own."""


def _itself(_shipped: bytes, _saved: bytes) -> bool:
    return False


_FORMATS: Final[Mapping[OwnFormat, _Format]] = {
    "lightgbm": _Format(text_formats.parse_text, _itself, text_formats.locate),
    "lightgbm-dump": _Format(text_formats.parse, text_formats.is_a_form, text_formats.locate_dump),
    "xgboost-json": _Format(text_formats.parse, _itself, text_formats.locate_xgboost),
    "xgboost-ubj": _Format(text_formats.parse_ubjson, _itself, text_formats.locate_xgboost),
    "skops": _Format(skops_files.parse, skops_files.is_form_of, skops_files.locate),
}


def format_of(name: str, content: bytes) -> OwnFormat:
    """Say which format a file has, by its ending and what it holds, and read all of it.

    Raises:
        NotThisFormatError: If it is too large, or no file of the formats that go with its ending.
    """
    if len(content) > MOST_BYTES:
        raise NotThisFormatError(f"at most {MOST_BYTES} bytes", f"{len(content)} bytes")
    match PurePath(name).suffix.lower():
        case ".txt":
            text_formats.parse_text(content)
            return "lightgbm"
        case ".json":
            return text_formats.kind_of(text_formats.parse(content))
        case ".ubj":
            if text_formats.kind_of(text_formats.parse_ubjson(content)) == "xgboost-json":
                return "xgboost-ubj"
            raise NotThisFormatError("a model as XGBoost's save_model writes it", "another document in UBJSON")
        case ".skops":
            skops_files.parse(content)
            return "skops"
        case _:
            return "onnx"


def canonical(content: bytes) -> bytes:
    """Write a skops file in the one canonical way: what it holds does not change.

    Raises:
        NotThisFormatError: If it is another file.
    """
    return skops_files.canonical(content)


def types(content: bytes) -> frozenset[str]:
    """Name the types of a skops file that are not of scikit-learn, NumPy, SciPy or Python's own containers.

    Raises:
        NotThisFormatError: If it is another file.
    """
    return skops_files.foreign_types(content)


def held_against(shipped: bytes, saved: bytes, kind: OwnFormat) -> Comparison | None:
    """Hold a file against the one that a rerun saved.

    Returns:
        None where the rerun's is no file of that format, or nothing here reads the format and the bytes differ.
    """
    if shipped == saved:
        return Comparison(equal=True)
    if kind not in _FORMATS or len(saved) > MOST_BYTES:
        return None
    how = _FORMATS[kind]
    try:
        own, other = how.parse(shipped), how.parse(saved)
        if how.writes(shipped, saved):
            return Comparison(equal=True)
        if kind == "lightgbm" and text_formats.without_threads(shipped) == text_formats.without_threads(saved):
            return Comparison(equal=True)
        return compared(own, skops_files.unseeded(other, own) if kind == "skops" else other, how.locate)
    except (NotThisFormatError, RecursionError):  # what a rerun saves is written by the controller's code
        return None
