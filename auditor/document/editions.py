"""Which entries of a catalogue a version knows: each says since when it is there, and of several editions the newest counts.

A document is judged for ever as its own version judged: by the checks, theorems, attacks and conclusions that existed then,
each in the edition of that time. A check that is added says so under `since`, and earlier documents are not asked for it. Where
a later version judges differently, the older edition lies whole in a folder of `auditor.document.older` under the same id, with
its own `since`, and imports nothing that judges today.
"""

from __future__ import annotations

import importlib
import re
from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache
from types import ModuleType
from typing import Final, Protocol, TypeVar

from auditor.base.listing import modules_below

FIRST: Final = "0.2.0"
"""The first version that wrote evidence of this schema."""
_OLDER: Final = "auditor.document.older"
_FORM: Final = re.compile(r"(0|[1-9][0-9]{0,5})\.(0|[1-9][0-9]{0,5})\.(0|[1-9][0-9]{0,5})")


class Entry(Protocol):
    """Anything that says since which version it is there."""

    @property
    def since(self) -> str:
        """A version such as 0.2.0."""


E = TypeVar("E", bound=Entry)


@lru_cache(maxsize=64)
def parsed(version: str) -> tuple[int, int, int]:
    """Read a version.

    Raises:
        ValueError: If it is not three whole numbers, such as 0.2.0.
    """
    found = _FORM.fullmatch(version)
    if found is None:
        raise ValueError(f"a version such as {FIRST} is needed, found {version[:40]!r}")
    major, minor, patch = (int(part) for part in found.groups())
    return major, minor, patch


def known(since: str, version: str) -> bool:
    """Whether a version knows what is there since another one.

    Raises:
        ValueError: If either is no version.
    """
    return parsed(since) <= parsed(version)


def in_force(entries: Iterable[E], version: str, *, key: Callable[[E], str]) -> dict[str, E]:
    """Take the edition of each entry that a version knows, the newest of several, in the order in which the keys come first.

    Args:
        entries: Every edition of every entry.
        version: The version whose documents are judged.
        key: What editions of one entry have in common, such as its id.

    Raises:
        ValueError: If two editions of one entry are there since one version, or something is no version.
    """
    found: dict[str, E] = {}
    dated: set[tuple[str, str]] = set()
    for each in entries:
        name = key(each)
        if (name, each.since) in dated:
            raise ValueError(f"{name!r} is there twice since {each.since}")
        dated.add((name, each.since))
        if known(each.since, version) and (name not in found or known(found[name].since, each.since)):
            found[name] = each
    return found


def older_modules() -> Iterator[ModuleType]:
    """Import every module of what earlier versions judged otherwise, folder by folder."""
    yield from modules_below(importlib.import_module(_OLDER))
