"""What a walk found, as it comes out of a process that runs foreign code: bounded, printable, and without a seed."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Final

from auditor.sandbox.wire import printable, refuse, written

_WHAT: Final = "a walk"
BYTES: Final = 64 * 1024 * 1024
"""The longest walk that is read."""
KINDS: Final = ("scalar", "array", "text", "object")
_LISTS: Final = ("items", "beyond")
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
    beyond: Mapping[str, Item] = field(default_factory=dict)
    """The same of what lies elsewhere in the process."""


def cleaned(content: bytes, *, hide: Callable[[str], str], where: str, accompanied: bool) -> bytes:
    """A walk as it may be kept: canonical JSON, names cut short, with control characters and seeds taken out.

    Args:
        content: What the child wrote.
        hide: Blots out seeds.
        where: The step, for the message.
        accompanied: Whether the procedure has further processes, which no walk comes to.

    Raises:
        ProcedureError: If it is no walk.
    """
    listed = written(content, where=where, expected=_WHAT)
    if not isinstance(listed, dict) or set(listed) != {*_LISTS, "cut"} or not isinstance(listed["cut"], bool):
        refuse(where, _WHAT, "other keys")
    if any(not isinstance(listed[name], list) or len(listed[name]) > _MOST for name in _LISTS):
        refuse(where, _WHAT, "too many items, or none at all")
    items = {name: [_cleaned(each, hide, where) for each in listed[name]] for name in _LISTS}
    return json.dumps({**items, "cut": listed["cut"] or accompanied}).encode()


def read(content: bytes) -> Walked:
    """The items of a cleaned walk."""
    listed = json.loads(content)
    # Members of a cache come in the order in which they were asked for, which says nothing: they are told apart by what they are.
    items = _by_address((each, each[1]) for each in listed["items"])
    return Walked(items, listed["cut"], _by_address((each, f"{each[1]} {each[4]}") for each in listed.get("beyond", ())))


def _by_address(listed: Iterable[tuple[tuple[str, str, str, int, str], str]]) -> dict[str, Item]:
    items, met = dict[str, Item](), Counter[str]()
    for (name, _, kind, size, digest), address in listed:
        # Members of a set may be alike.
        met[address] += 1
        items[f"{address} {met[address]}"] = Item(name, kind, size, digest)
    return items


def _cleaned(item: object, hide: Callable[[str], str], where: str) -> list[str | int]:
    match item:
        case [str(name), str(key), str(kind), int(size), str(digest)]:
            told = not isinstance(size, bool) and 0 <= size <= _LARGEST and kind in KINDS
            if told and _DIGEST.fullmatch(key) and _DIGEST.fullmatch(digest):
                return [printable(hide(name), _NAME), key, kind, size, digest]
        case _:
            pass
    return refuse(where, _WHAT, "something else")
