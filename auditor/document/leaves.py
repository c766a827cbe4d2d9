"""The list of every leaf of evidence: whether it is derived, declared or observed.

`leaves.json` holds JSON pointers by what they rest on. `*` stands for any member of a list or key of a table, `**` for anything
below; a check is named by its id, and those of third parties by `*`. A leaf is a value, or an object or list that is empty.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cache
from pathlib import Path
from typing import Any, Final, TypeAlias

FILE: Final = Path(__file__).with_suffix(".json")
ANY: Final = "*"
BELOW: Final = "**"
CHECKS: Final = "checks"


class RestsOn(StrEnum):
    """What a leaf rests on."""

    DERIVED = "derived"
    """Follows from others: `verify` derives it again."""
    DECLARED = "declared"
    """Stated by the controller, or by the audit of itself: taken on trust, unless another declaration rules it out."""
    OBSERVED = "observed"
    """Seen by the run alone: taken on trust, unless the case or another observation rules it out."""


@cache
def table() -> Mapping[str, RestsOn]:
    """Read the list: pointers with what they rest on.

    Raises:
        ValueError: If a pointer is listed twice.
    """
    listed: dict[str, list[str]] = json.loads(FILE.read_text(encoding="utf-8"))
    found = {pointer: RestsOn(kind) for kind, pointers in listed.items() for pointer in pointers}
    if len(found) < sum(map(len, listed.values())):
        raise ValueError(f"{FILE.name} lists a pointer twice")
    return found


@dataclass(slots=True)
class _Node:
    """A place in the document, with what is listed of it and of the places in it."""

    rests_on: RestsOn | None = None
    inside: dict[str, _Node] = field(default_factory=dict)
    below: RestsOn | None = None
    """Of anything in it that is not listed by name."""


@cache
def _root() -> _Node:
    root = _Node()
    for pointer, rests_on in table().items():
        node = root
        *way, last = pointer.split("/")[1:]
        for step in way:
            node = node.inside.setdefault(step, _Node())
        if last == BELOW:
            node.below = rests_on
        else:
            node.inside.setdefault(last, _Node()).rests_on = rests_on
    # Every check has what any check has, but for what its own models say.
    checks = root.inside[CHECKS].inside
    for name, node in checks.items():
        if name != ANY:
            node.inside = {**checks[ANY].inside, **node.inside}
    return root


Leaf: TypeAlias = tuple[tuple[str | int, ...], str, RestsOn | None]
"""The way to a leaf, the pointer without positions that names its kind, and what it rests on; None where it is not listed."""


def leaves(document: Mapping[str, Any]) -> Iterator[Leaf]:
    """Give each leaf of a document, as JSON values."""
    return _leaves(document, _root(), (), "", None)


def _leaves(value: Any, node: _Node | None, way: tuple[str | int, ...], kind: str, below: RestsOn | None) -> Iterator[Leaf]:
    below = below if node is None else node.below or below
    if isinstance(value, dict) and value:
        for key, inner in value.items():
            name = ANY if node is not None and key not in node.inside and ANY in node.inside else key
            yield from _leaves(inner, _inside(node, key), (*way, key), f"{kind}/{name}", below)
    elif isinstance(value, list) and value:
        named = way == (CHECKS,)
        for index, inner in enumerate(value):
            name = str(inner.get("id")) if named and isinstance(inner, dict) else ANY
            yield from _leaves(inner, _inside(node, name), (*way, index), f"{kind}/{name}", below)
    else:
        yield way, kind, (node.rests_on if node is not None else None) or below


def _inside(node: _Node | None, name: str) -> _Node | None:
    return None if node is None else node.inside.get(name) or node.inside.get(ANY)


@dataclass(frozen=True, slots=True)
class Counts:
    """How many leaves of a document rest on what, by the section that they are in."""

    by_section: Mapping[tuple[RestsOn | None, str], int]
    """None of what rests on nothing that is listed: no document that this version reads has it."""

    def of(self, rests_on: RestsOn | None) -> int:
        """Count the leaves that rest on one thing."""
        return sum(count for (kind, _), count in self.by_section.items() if kind is rests_on)

    def sections(self, rests_on: RestsOn | None) -> tuple[str, ...]:
        """Name the sections that have such leaves, sorted."""
        return tuple(sorted(section for kind, section in self.by_section if kind is rests_on))

    @property
    def total(self) -> int:
        """All of them."""
        return sum(self.by_section.values())


def counted(document: Mapping[str, Any]) -> Counts:
    """Count the leaves of a document, as JSON values, by what they rest on and by section."""
    found: dict[tuple[RestsOn | None, str], int] = {}
    root = _root()
    for section, value in document.items():
        tally: dict[RestsOn | None, int] = {}
        _count(value, _inside(root, section), None, tally, by_id=section == CHECKS)
        found |= {(kind, section): count for kind, count in tally.items()}
    return Counts(found)


def _count(
    value: Any, node: _Node | None, below: RestsOn | None, tally: dict[RestsOn | None, int], *, by_id: bool = False
) -> None:
    """Add up what `leaves` gives, without the ways: a log has a million of them."""
    if node is not None:
        below = node.below or below
    if value and isinstance(value, dict):
        inside = {} if node is None else node.inside
        usual = inside.get(ANY)
        for key, inner in value.items():
            _count(inner, inside.get(key, usual), below, tally)
    elif value and isinstance(value, list):
        usual = _inside(node, ANY)
        inside_it = [each for each in value if isinstance(each, dict | list)]
        for each in inside_it:
            _count(each, _inside(node, str(each.get("id"))) if by_id and isinstance(each, dict) else usual, below, tally)
        # Nearly all of a document are numbers in lists: those of one list are of one kind.
        if plain := len(value) - len(inside_it):
            _add(plain, usual, below if usual is None else usual.below or below, tally)
    else:
        _add(1, node, below, tally)


def _add(count: int, node: _Node | None, below: RestsOn | None, tally: dict[RestsOn | None, int]) -> None:
    kind = (None if node is None else node.rests_on) or below
    tally[kind] = tally.get(kind, 0) + count
