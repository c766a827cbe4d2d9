"""Which unknown ids are known ones in another notation: encoded, joined with others, behind a prefix, padded, two digits swapped.

An answer that nothing is held may be about an id that nobody could have found. There are two kinds of notation:

- *an id of its own* is in the other one: URL-encoded, between `, ; | : / =` or blanks, with other separators, behind a prefix.
  Ids of people hardly come about like that, and it weighs as much as looking alike;
- *a number* is the same, or nearly: leading zeros, the bare number, two digits swapped. Other people may well have such an id.
  So each known id is left out in turn and looked for among the others: only where that finds a neighbour in at most one of a
  thousand cases, and in the whole log at most in one case of twenty, does it leave anything open; else it is counted.

As in `look_alikes` everything is looked up, and no two ids are compared without a reason.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from enum import StrEnum
from typing import Final, TypeAlias
from urllib.parse import unquote_plus

MOST_BY_CHANCE: Final = 0.001
"""Of the known ids: where more of them have a neighbour among the others, having one says nothing."""
MOST_IN_LOG: Final = 0.05
"""Neighbours that all ids of a log together may have by chance: what an honest log is left open by."""

_JOINTS: Final = re.compile(r"[,;|:/=\s]+")
_NO_WORD: Final = re.compile(r"[\W_]+")
_INSIDE: Final = re.compile(r"(?<=\d)[\W_]+(?=\d)")
_LEADING: Final = re.compile(r"(?<!\d)0+(?=\d)")
_TRAILING: Final = re.compile(r"(?<=\d)[.,]0+$")
_NUMBER: Final = re.compile(r"\d+")
_TIMES: Final = 3
"""How often an id is decoded at most."""
_LEAST_TAIL: Final = 6
"""Characters of what stands behind a prefix, where it has no digit: less is a name that many have."""


class Rewriting(StrEnum):
    """In which notation two ids are the same."""

    ENCODED = "encoded"
    JOINED = "joined"
    SEPARATORS = "separators"
    PREFIX = "prefix"
    PADDED = "padded"
    NUMBER = "number"
    SWAPPED = "swapped"


OF_NUMBERS: Final = frozenset({Rewriting.PADDED, Rewriting.NUMBER, Rewriting.SWAPPED})
"""Those by which two ids have the same number, or nearly."""
Hits: TypeAlias = list[tuple[int, int]]
"""Places of two ids that are the same."""
_Parts: TypeAlias = Callable[[str], Iterable[str]]


def decoded(identifier: str) -> str:
    """Decode what was encoded for an address, up to three times."""
    for _ in range(_TIMES):
        if "%" not in identifier:
            break
        identifier = unquote_plus(identifier)
    return identifier


def hits(which: Rewriting, asked: Sequence[str], known: Sequence[str]) -> Hits:
    """Find pairs that are the same in a notation, and not written the same.

    Args:
        which: The notation.
        asked: Ids; folded as `look_alikes` folds them. Encoded ones are decoded here.
        known: Others, folded likewise.

    Returns:
        Places in `asked` and in `known`.
    """
    if which is Rewriting.ENCODED:
        encoded = any("%" in each for each in (*asked, *known))
        return _equal(asked, known, decoded) if encoded else []
    asked, known = [decoded(each) for each in asked], [decoded(each) for each in known]
    if which is Rewriting.SWAPPED:
        places = _places(known)
        return [(at, other) for at, each in enumerate(asked) for swapped in _swaps(each) for other in places.get(swapped, ())]
    if which in _PARTS:
        return _within(asked, known, _PARTS[which])
    found = _equal(asked, known, _FORMS[which])
    if which is Rewriting.SEPARATORS:
        return [(at, other) for at, other in found if _same_joints(asked[at], known[other])]
    if which is Rewriting.NUMBER:
        return [(at, other) for at, other in found if asked[at].isdecimal() != known[other].isdecimal()]
    return found


def alike_among(which: Rewriting, known: Sequence[str]) -> int:
    """How many of some ids have another of them as neighbour in a notation: what leaving each of them out finds."""
    if which is Rewriting.NUMBER:  # left out, an id may come back as its number or with any prefix
        shared = Counter(number for each in known if (number := _number(decoded(each))))
        return sum(count for count in shared.values() if count > 1)
    return len({place for pair in hits(which, known, known) if pair[0] != pair[1] for place in pair})


def by_chance(which: Rewriting, among: int, known: int, asked: int) -> bool:
    """Whether that two ids have the same number says nothing.

    Args:
        which: The notation.
        among: How many of the known ids have another of them as neighbour.
        known: How many there are.
        asked: How many ids were compared with them.
    """
    share = among / max(known, 1)
    return which in OF_NUMBERS and (share > MOST_BY_CHANCE or share * asked > MOST_IN_LOG)


def _places(texts: Iterable[str]) -> Mapping[str, list[int]]:
    found: dict[str, list[int]] = defaultdict(list)
    for place, text in enumerate(texts):
        if text:
            found[text].append(place)
    return found


def _equal(asked: Sequence[str], known: Sequence[str], form: Callable[[str], str]) -> Hits:
    """Pairs that are equal in a form and not as they are written."""
    places = _places(map(form, asked))
    of_known = ((other, form(each)) for other, each in enumerate(known))
    return [(at, other) for other, own in of_known if own in places for at in places[own] if asked[at] != known[other]]


def _within(asked: Sequence[str], known: Sequence[str], parts: _Parts) -> Hits:
    """Pairs of which one is a part of the other."""
    found: dict[tuple[int, int], None] = {}
    of_known, of_asked = _places(known), _places(asked)
    for at, each in enumerate(asked):
        found |= {(at, other): None for part in parts(each) for other in of_known.get(part, ())}
    for other, each in enumerate(known):
        found |= {(at, other): None for part in parts(each) for at in of_asked.get(part, ())}
    return list(found)


def _pieces(text: str) -> Iterable[str]:
    if not _JOINTS.search(text):
        return ()
    pieces = [piece for piece in _JOINTS.split(text) if piece]
    return dict.fromkeys(piece for piece in pieces if piece != text)


def _tails(text: str) -> Iterable[str]:
    """What stands behind a separator, where it says more than a number and than a short name."""
    for match in _NO_WORD.finditer(text):
        tail = text[match.end() :]
        telling = len(tail) >= _LEAST_TAIL or any(each.isdecimal() for each in tail)
        if match.start() and telling and any(each.isalpha() for each in tail):
            yield tail


def _same_joints(one: str, other: str) -> bool:
    """Whether separators between digits leave the same numbers: 12-3 and 1-23 are two people's, 2026-17 and 202617 one's."""
    first, second = _INSIDE.search(one), _INSIDE.search(other)
    return first is None or second is None or _NUMBER.findall(one) == _NUMBER.findall(other)


def _unpadded(text: str) -> str:
    return _LEADING.sub("", _TRAILING.sub("", text))


def _number(text: str) -> str:
    """The only number of an id; empty where it has none or several."""
    numbers = _NUMBER.findall(text)
    return (numbers[0].lstrip("0") or "0") if len(numbers) == 1 else ""


def _swaps(text: str) -> Iterable[str]:
    """The same with two neighbouring digits swapped."""
    for at in range(len(text) - 1):
        first, second = text[at], text[at + 1]
        if first != second and first.isdecimal() and second.isdecimal():
            yield text[:at] + second + first + text[at + 2 :]


def _bare(text: str) -> str:
    return _NO_WORD.sub("", text)


_PARTS: Final[Mapping[Rewriting, _Parts]] = {Rewriting.JOINED: _pieces, Rewriting.PREFIX: _tails}
_FORMS: Final[Mapping[Rewriting, Callable[[str], str]]] = {
    Rewriting.SEPARATORS: _bare,
    Rewriting.PADDED: _unpadded,
    Rewriting.NUMBER: _number,
}
