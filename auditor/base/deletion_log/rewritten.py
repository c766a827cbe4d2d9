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
from itertools import islice
from typing import Final, TypeAlias
from urllib.parse import unquote_plus

MOST_BY_CHANCE: Final = 0.001
"""Of the known ids: where more of them have a neighbour among the others, having one says nothing."""
MOST_IN_LOG: Final = 0.05
"""Neighbours that all ids of a log together may have by chance: what an honest log is left open by."""

_JOINTS: Final = re.compile(r"[,;|:/=\s]+")
_JOINT: Final = re.compile(r"[,;|:/=]|[^\S\n]")
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
_ASCII: Final = bytes(range(128))
_DROPPED: Final[Mapping[Rewriting, bytes]] = {
    Rewriting.SEPARATORS: bytes(each for each in _ASCII if not chr(each).isalnum() and each != ord("\n")),
    Rewriting.PADDED: b"0.,",
    Rewriting.NUMBER: bytes(each for each in range(256) if each not in b"0123456789\n"),
}
"""What counts for nothing when candidates are looked for."""
Hits: TypeAlias = list[tuple[int, int]]
"""Places of two ids that are the same."""


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
        asked: Ids, decoded (`all_decoded`) unless what is encoded is looked for; folded as `look_alikes` folds them.
        known: Others, likewise.

    Returns:
        Places in `asked` and in `known`.
    """
    match which:
        case Rewriting.SWAPPED:
            return _looked_up(_wanted(asked, _swaps), known)
        case Rewriting.JOINED:
            of_known = _wanted(known, _pieces) if _JOINT.search("\n".join(known)) else {}
            return _both_ways(_looked_up(_wanted(asked, _pieces), known), _looked_up(of_known, asked))
        case Rewriting.PREFIX:
            return _both_ways(_looked_up(_wanted(asked, _tails), known), _behind_prefixes(known, asked))
        case _:
            return _equal(which, asked, known)


def all_decoded(identifiers: Sequence[str]) -> Sequence[str]:
    """Decode what is encoded among some ids; the same ids where nothing is."""
    return [decoded(each) for each in identifiers] if any("%" in each for each in identifiers) else identifiers


def alike_among(which: Rewriting, known: Sequence[str]) -> int:
    """How many of some ids have another of them as neighbour in a notation: what leaving each of them out finds.

    Of swapped digits no more are counted than it takes to see that they say nothing.
    """
    if which is Rewriting.SWAPPED:
        there, enough = frozenset(known), int(MOST_BY_CHANCE * len(known)) + 1
        having = (each for each in known if any(swapped in there for swapped in _swaps(each)))
        return sum(1 for _ in islice(having, enough))
    if which is Rewriting.PADDED:
        padded = Counter(map(_unpadded, known))
        return sum(count for count in padded.values() if count > 1)
    if which is Rewriting.NUMBER:  # left out, an id may come back as its number or with any prefix
        shared = Counter(
            number for number, each in zip(_keys(which, known), known, strict=True) if number and len(_NUMBER.findall(each)) == 1
        )
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


def _wanted(texts: Sequence[str], parts: Callable[[str], Iterable[str]]) -> Mapping[str, list[int]]:
    """Parts of some texts, with the places of those that have them."""
    found: dict[str, list[int]] = defaultdict(list)
    for place, text in enumerate(texts):
        for part in parts(text):
            found[part].append(place)
    return found


def _looked_up(wanted: Mapping[str, list[int]], texts: Sequence[str]) -> Hits:
    """Places of what wants a text, and of the text."""
    return [(at, place) for place, text in enumerate(texts) if text in wanted for at in wanted[text]] if wanted else []


def _both_ways(there: Hits, back: Hits) -> Hits:
    """Pairs of asked and known ids, of which `back` has the known one first."""
    return list(dict.fromkeys((*there, *((at, other) for other, at in back))))


def _behind_prefixes(texts: Sequence[str], sought: Sequence[str]) -> Hits:
    """Places of texts that end in one of those that are sought, and of that: by their lengths, of which there are few."""
    places = _wanted(list(sought), lambda each: (each,))
    found = []
    for length in {len(each) for each in places if each}:
        for at, text in enumerate(texts):
            tail = text[-length:]
            if tail in places and tail != text and tail in _tails(text):
                found += [(at, place) for place in places[tail]]
    return found


def _equal(which: Rewriting, asked: Sequence[str], known: Sequence[str]) -> Hits:
    """Pairs that are equal in a form and not as they are written."""
    wanted = _wanted(_keys(which, asked), lambda key: (key,) if key else ())
    pairs = _looked_up(wanted, _keys(which, known))
    return [(at, other) for at, other in pairs if asked[at] != known[other] and _same(which, asked[at], known[other])]


def _keys(which: Rewriting, texts: Sequence[str]) -> Sequence[str]:
    """What texts that are equal in a form have in common, all at once: bytes are dropped faster than patterns are looked for."""
    if which is Rewriting.ENCODED:
        return all_decoded(texts)
    text = "\n".join(texts)
    if which is Rewriting.SEPARATORS and not text.isascii():
        return [_NO_WORD.sub("", each) for each in texts]
    found = text.encode().translate(None, _DROPPED[which]).decode().split("\n")
    return [each.lstrip("0") or each[-1:] for each in found] if which is Rewriting.NUMBER else found


def _same(which: Rewriting, one: str, other: str) -> bool:
    """Whether two texts with the same key are the same in the form."""
    match which:
        case Rewriting.SEPARATORS:
            return _NO_WORD.sub("", one) == _NO_WORD.sub("", other) and _same_joints(one, other)
        case Rewriting.PADDED:
            return _unpadded(one) == _unpadded(other)
        case Rewriting.NUMBER:
            return one.isdecimal() != other.isdecimal() and len(_NUMBER.findall(f"{one}-{other}")) == 2
        case _:
            return True


def _unpadded(text: str) -> str:
    return _LEADING.sub("", _TRAILING.sub("", text))


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


def _swaps(text: str) -> Iterable[str]:
    """The same with two neighbouring digits swapped."""
    for at in range(len(text) - 1):
        first, second = text[at], text[at + 1]
        if first != second and first.isdecimal() and second.isdecimal():
            yield text[:at] + second + first + text[at + 2 :]
