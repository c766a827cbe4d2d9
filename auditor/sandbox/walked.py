"""What a walk found, as it comes out of a process that runs foreign code: bounded, printable, and without a seed."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final

from auditor.sandbox.wire import printable, refuse, written

_WHAT: Final = "a walk"
BYTES: Final = 64 * 1024 * 1024
"""The longest walk that is read."""
KINDS: Final = ("scalar", "array", "text", "object")
_MOST: Final = 50_001
_NAME: Final = 120
_DIGEST: Final = re.compile(r"[0-9a-f]{32}")
_LARGEST: Final = 2**53


@dataclass(frozen=True, slots=True)
class Item:
    """One item that a walk met."""

    name: str
    kind: str
    """scalar, array, text or object."""
    bytes: int
    digest: str


@dataclass(frozen=True, slots=True)
class Walked:
    """All items of one walk."""

    items: Mapping[str, Item]
    """By address: those of two walks that have the same address are the same item."""
    cut: bool
    """Whether the walk ended before it had met everything."""


def cleaned(content: bytes, *, hide: Callable[[str], str], where: str) -> bytes:
    """A walk as it may be kept: canonical JSON, names cut short, with control characters and seeds taken out.

    Args:
        content: What the child wrote.
        hide: Blots out seeds.
        where: The step, for the message.

    Raises:
        ProcedureError: If it is no walk.
    """
    listed = written(content, where=where, expected=_WHAT)
    if not isinstance(listed, dict) or set(listed) != {"items", "cut"} or not isinstance(listed["cut"], bool):
        refuse(where, _WHAT, "other keys")
    if not isinstance(listed["items"], list) or len(listed["items"]) > _MOST:
        refuse(where, _WHAT, "too many items, or none at all")
    items = [_cleaned(each, hide, where) for each in listed["items"]]
    return json.dumps({"items": items, "cut": listed["cut"]}).encode()


def read(content: bytes) -> Walked:
    """The items of a cleaned walk."""
    listed, items, met = json.loads(content), dict[str, Item](), Counter[str]()
    for name, key, kind, size, digest in listed["items"]:
        # Members of a set may be alike.
        met[key] += 1
        items[f"{key} {met[key]}"] = Item(name, kind, size, digest)
    return Walked(items, listed["cut"])


def _cleaned(item: object, hide: Callable[[str], str], where: str) -> list[str | int]:
    match item:
        case [str(name), str(key), str(kind), int(size), str(digest)]:
            told = not isinstance(size, bool) and 0 <= size <= _LARGEST and kind in KINDS
            if told and _DIGEST.fullmatch(key) and _DIGEST.fullmatch(digest):
                return [printable(hide(name), _NAME), key, kind, size, digest]
        case _:
            pass
    return refuse(where, _WHAT, "something else")
