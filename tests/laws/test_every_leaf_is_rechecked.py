"""Whatever an evidence document says is found when it is changed, or was declared or observed, which `verify` takes as stated.

Every leaf that follows from others, by the list of `auditor.document.leaves`, is changed, all of them in one document, and each
has to be named.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import pytest
import rfc8785

from auditor.base.errors import InputError
from auditor.document import leaves as listed
from auditor.document.leaves import RestsOn
from auditor.recheck.derivations import derive_again
from auditor.recheck.files import read_evidence
from rechecks import LATEST, findings

SAID = "it is "
"""Begins what a finding says of a place."""
GOLDEN = sorted(LATEST.glob("*.json"))
QUICK = (
    *("breast-cancer-dp", "breast-cancer-noisy-gd-short", "diabetes-tree", "digits-newton", "digits-own-procedure"),
    *("group-deletion", "late-and-extended", "median-adaptive"),
)
"""One document of each kind of procedure and of each family of checks; to change the others as well is slow."""
CHANGED = [pytest.param(path, id=path.stem, marks=() if path.stem in QUICK else pytest.mark.slow) for path in GOLDEN]
APART = 12


@dataclass(frozen=True, slots=True)
class Leaf:
    """A value at the end of a way through the document."""

    way: tuple[str | int, ...]
    kind: str
    """The way without positions in lists; checks by name."""
    rests_on: RestsOn | None
    """Whether it follows from others, was declared or was observed, by the package's list."""

    @property
    def names_a_check(self) -> bool:
        """Whether it says what the rest of a check, its observations included, is about."""
        return re.fullmatch(r"/checks/[^/]*/id", self.kind) is not None


def leaves(document: Any) -> Iterator[Leaf]:
    """Each leaf of a document."""
    return (Leaf(*each) for each in listed.leaves(document))


def other(value: Any) -> Any:
    """Another value of the same type, or the nearest to it."""
    match value:
        case bool():
            return not value
        case int() | float():
            return 2 * value + 1 if value >= 0 else value - 1
        case str():
            return _CHOICES.get(value, f"{value} and more")
        case None:
            return 1
        case _:
            return ["something"] if isinstance(value, list) else {"something": 1}


_CHOICES = {
    **dict.fromkeys(("pass", "skipped", "inconclusive", "error"), "fail"),
    "fail": "pass",
    **dict.fromkeys(("shown", "not-shown", "refuted"), "supported"),
    "supported": "shown",
    **dict.fromkeys(("attested", "measured", "unknown"), "computed"),
    "computed": "attested",
}
"""Another member of what an enumeration of the schema allows."""


def changed(document: Any, chosen: list[Leaf]) -> bytes:
    """The document with other values at these leaves, canonical."""
    copy = json.loads(json.dumps(document))
    for leaf in chosen:
        inside = copy
        for step in leaf.way[:-1]:
            inside = inside[step]
        inside[leaf.way[-1]] = other(inside[leaf.way[-1]])
    return rfc8785.dumps(copy)


def readable(document: Any, chosen: list[Leaf]) -> list[Leaf]:
    """Those of the leaves whose other value the schema does not refuse outright, so that a recheck has to find it."""
    try:
        read_evidence(changed(document, chosen), "evidence.json")
    except InputError as error:
        places = tuple(
            "".join(f"{step}." for step in problem.where.split(".") if step not in _TAGS) for problem in error.problems
        )
        left = [leaf for leaf in chosen if not any(place.startswith(_dotted(leaf)) or place == _tagged(leaf) for place in places)]
        if len(left) == len(chosen):
            # What is refused is no leaf alone, but several that lie together.
            left = [leaf for leaf in chosen if not any(_dotted(leaf).startswith(place) for place in places)]
        return readable(document, left) if len(left) < len(chosen) else []
    return chosen


_TAGS: Final = frozenset(
    ("gaussian", "approximate", "pure", "laplace", "concentrated", "renyi", "subsampled-gaussian", "composition", "several")
)
"""Members of the union of promises: where a problem lies inside one, its place names the member as well."""


def _tagged(leaf: Leaf) -> str:
    """The union whose member the leaf names, where a problem with the name is said to be; empty for any other leaf."""
    return "".join(f"{step}." for step in leaf.way[:-1]) if leaf.way[-1] == "kind" else ""


def _dotted(leaf: Leaf) -> str:
    return "".join(f"{step}." for step in leaf.way)


def named(document: Any, leaf: Leaf) -> str:
    """How a finding names the leaf, as far as a member of a list stands in it."""
    first, *rest = leaf.way
    path = "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in rest)
    if first in {"checks", "certificates", "guarantees", "requests"}:
        member = document[first][rest[0]]
        name = next(member[key] for key in ("request_id", "id", "kind") if key in member)
        return f"{first}[{rest[0]}] {name}: {path.removeprefix(f'[{rest[0]}].')}"
    return f"{first}{path}"


def identities(leaf: Leaf) -> bool:
    """Whether it is what a list of the document names its members by."""
    return re.fullmatch(r"/(checks/[^/]*|guarantees/\*)/id|/certificates/\*/kind", leaf.kind) is not None


@pytest.mark.parametrize("path", CHANGED)
def test_every_changed_leaf_that_follows_from_others_is_named(path: Path) -> None:
    document = json.loads(path.read_bytes())
    derived = [leaf for leaf in leaves(document) if leaf.rests_on is RestsOn.DERIVED and not identities(leaf)]
    told = readable(document, derived)
    assert len(told) > len(derived) / 2
    found = findings(changed(document, told))
    places = {each.split(f": {SAID}")[0] for each in found}
    # An empty object grew a member, and that is what differs.
    places |= {place.removesuffix(".something") for place in places}
    missed = [leaf.kind for leaf in told if named(document, leaf) not in places]
    assert not missed


@pytest.mark.parametrize("path", CHANGED)
def test_every_name_of_a_member_is_found(path: Path) -> None:
    document = json.loads(path.read_bytes())
    names = [leaf for leaf in leaves(document) if identities(leaf)]
    found = findings(changed(document, [leaf for leaf in names if not leaf.names_a_check]))
    assert any(each.startswith("guarantees: ") for each in found), found
    assert any(each.startswith("certificates: ") for each in found) == bool(document["certificates"]), found
    # A few checks in each document, and in all documents together every check more than once.
    for leaf in [leaf for leaf in names if leaf.names_a_check][GOLDEN.index(path) % APART :: APART]:
        assert any(each.startswith("checks: ") for each in findings(changed(document, [leaf]))), leaf


def test_every_kind_of_leaf_follows_from_others_or_is_taken_as_stated() -> None:
    kinds = {leaf.kind: leaf.rests_on for path in GOLDEN for leaf in leaves(json.loads(path.read_bytes()))}
    counted = Counter(kinds.values())
    table = ", ".join(f"{rests.value} {counted[rests]}" for rests in RestsOn)
    print(f"{len(kinds)} kinds of leaves: {table}")
    assert counted[RestsOn.DERIVED] > counted[RestsOn.OBSERVED] > counted[RestsOn.DECLARED], table
    assert not counted[None]


@pytest.mark.parametrize("path", GOLDEN, ids=lambda path: path.stem)
def test_every_golden_document_comes_out_of_its_own_context_and_observations(path: Path) -> None:
    content = path.read_bytes()
    assert derive_again(read_evidence(content, path.name).evidence).to_bytes() == content
