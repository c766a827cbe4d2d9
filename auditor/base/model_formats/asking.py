"""Reads model files in a library's own format in a limited process: see `auditor.base.limited`.

Parsing one makes some ten times its bytes of an honest file, and forty times of one whose every byte is a small number.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import asdict
from typing import Any, Final

from auditor.base import model_formats
from auditor.base.limited import NotReadError, Reader, Room
from auditor.base.model_formats import MOST_BYTES, Comparison, NotThisFormatError, OwnFormat, Place

_SERVED_BY: Final = f"{__name__}:serve"
ROOM: Final = Room(memory=1 << 30, memory_times=16, seconds=120, seconds_each_mebibyte=30)


def described(name: str, content: bytes) -> tuple[OwnFormat, tuple[str, ...]]:
    """Say which format a file has, and which foreign types it holds; see `model_formats.format_of` and `types`.

    Raises:
        NotThisFormatError: As they do; or if it takes more memory or time than a file of its size.
        SandboxError: If the process cannot be started.
    """
    if len(content) > MOST_BYTES:
        raise NotThisFormatError(f"at most {MOST_BYTES} bytes", f"{len(content)} bytes")
    try:
        with Reader(_SERVED_BY, None, ROOM) as reader:
            found = reader.ask({"do": "describe", "name": name}, content)
    except NotReadError as error:
        raise NotThisFormatError("a model file that can be read", error.found) from error
    if "expected" in found:
        raise NotThisFormatError(str(found["expected"]), str(found["found"]))
    return found["kind"], tuple(map(str, found["foreign"]))


def held_against(shipped: bytes, saved: bytes, kind: OwnFormat) -> Comparison | None:
    """Hold a file against the one that a rerun saved; see `model_formats.held_against`.

    Returns:
        None as it does; or where both together take more memory or time than files of their size.

    Raises:
        SandboxError: If the process cannot be started.
    """
    if shipped == saved or len(saved) > MOST_BYTES:
        return model_formats.held_against(shipped, saved, kind)
    try:
        with Reader(_SERVED_BY, None, ROOM) as reader:
            found = reader.ask({"do": "compare", "kind": kind, "first": len(shipped)}, shipped + saved)
    except NotReadError:
        return None
    if found is None:
        return None
    first = found.pop("first")
    return Comparison(**found, first=None if first is None else Place(**first))


def serve(_held: None) -> Callable[[Mapping[str, Any], bytes], Any]:
    """Give the function that answers what is asked here; it runs in the limited process."""
    return _answer


def _answer(question: Mapping[str, Any], content: bytes) -> Any:
    if question["do"] == "compare":
        first = question["first"]
        found = model_formats.held_against(content[:first], content[first:], question["kind"])
        return None if found is None else asdict(found)
    try:
        kind = model_formats.format_of(question["name"], content)
        return {"kind": kind, "foreign": sorted(model_formats.types(content)) if kind == "skops" else []}
    except NotThisFormatError as error:
        return {"expected": error.expected, "found": error.found}
