"""Which unknown ids are known ones in another notation: encoded, joined with others, behind a prefix, padded, two digits swapped.

An answer that nothing is held may be about an id that nobody could have found. There are two kinds of notation:

- *an id of its own* is in the other one: encoded or digested (`auditor.base.deletion_log.codings`), between signs, with other
  separators, behind a prefix. Ids of people hardly come about like that, and it weighs as much as looking alike;
- *something that others may have too* is the same, or nearly: leading zeros, the bare number, two digits swapped, the id within
  a longer one, words in another order, letters without their marks, an address without its tag. So each known id is left out in
  turn and looked for among the others: only where that finds a neighbour in at most one of a thousand cases, and in the whole log
  at most in one case of twenty, does it leave anything open; else it is counted.

As in `look_alikes` everything is looked up, and no two ids are compared without a reason.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import islice
from typing import Final, TypeAlias

from auditor.base.deletion_log import codings, notations

MOST_BY_CHANCE: Final = 0.001
"""Of the known ids: where more of them have a neighbour among the others, having one says nothing."""
MOST_IN_LOG: Final = 0.05
"""Neighbours that all ids of a log together may have by chance: what an honest log is left open by."""


class Rewriting(StrEnum):
    """In which notation two ids are the same."""

    ENCODED = "encoded"
    DIGESTED = "digested"
    JOINED = "joined"
    SEPARATORS = "separators"
    PREFIX = "prefix"
    WITHIN = "within"
    ORDER = "order"
    LETTERS = "letters"
    TAGGED = "tagged"
    PADDED = "padded"
    NUMBER = "number"
    SWAPPED = "swapped"


WEIGHED: Final = frozenset(Rewriting) - {
    Rewriting.ENCODED,
    Rewriting.DIGESTED,
    Rewriting.JOINED,
    Rewriting.SEPARATORS,
    Rewriting.PREFIX,
}
"""Those in which other people may have the same: weighed by leaving known ids out."""
_ASCII: Final = bytes(range(128))
_DROPPED: Final[Mapping[Rewriting, bytes]] = {
    Rewriting.SEPARATORS: bytes(each for each in _ASCII if not chr(each).isalnum() and each != ord("\n")),
    Rewriting.PADDED: b"0.,",
    Rewriting.NUMBER: bytes(each for each in range(256) if each not in b"0123456789\n"),
}
"""What counts for nothing when candidates are looked for."""
Hits: TypeAlias = list[tuple[int, int]]
"""Places of two ids that are the same."""
Fold: TypeAlias = Callable[[Sequence[str]], list[str]]
"""Folds ids, as `look_alikes` does."""


@dataclass(frozen=True, slots=True)
class Ids:
    """Ids that are looked for, or looked up, in every reading."""

    written: Sequence[str]
    readings: Sequence[Sequence[str]]
    """Of each, itself first."""
    texts: Sequence[str]
    """All readings, folded."""
    owners: Sequence[int]
    """Whose they are: places in `written`."""

    @classmethod
    def of(cls, written: Sequence[str], fold: Fold) -> Ids:
        """Read every id in every way: for those that are looked for, of which there are few."""
        bare = fold(written)
        readings = [
            tuple(dict.fromkeys((*codings.readings(each), *codings.readings(plain))))
            for each, plain in zip(written, bare, strict=True)
        ]
        owners = [place for place, those in enumerate(readings) for _ in those]
        return cls(written, readings, fold([each for those in readings for each in those]), owners)


@dataclass(frozen=True, slots=True)
class Known:
    """Ids that are known."""

    written: Sequence[str]
    texts: Sequence[str]
    """Folded, and decoded where it shows that they are encoded as for an address."""

    @classmethod
    def of(cls, written: Sequence[str], fold: Fold) -> Known:
        """Decode what shows at a glance: there may be millions of them."""
        whole = "\n".join(written)
        signs = [each for each in ("%", "&", "xn--") if each in whole]
        decoded = (
            [codings.readings(each)[-1] if any(sign in each for sign in signs) else each for each in written]
            if signs
            else written
        )
        return cls(written, fold(decoded))


def hits(which: Rewriting, asked: Ids, known: Known, fold: Fold) -> Hits:
    """Find pairs that are the same in a notation, and not written the same.

    Args:
        which: The notation.
        asked: Ids that are looked for.
        known: Ids that they are looked for among.
        fold: How ids are folded.

    Returns:
        Places in `asked.written` and in `known.written`.
    """
    if which is Rewriting.DIGESTED:
        return codings.digested(asked.readings, known.written)
    if which is Rewriting.ENCODED:
        return [*_decoded(asked, known, fold), *_encoded(asked, known)]
    found = [(asked.owners[at], other) for at, other in _in_texts(which, asked.texts, known.texts)]
    if which is Rewriting.NUMBER:
        wanted = _wanted(asked.written, codings.numerals)
        bare = [each.lstrip("0") if each.isdecimal() else "" for each in known.texts] if wanted else []
        found += _looked_up({each.lstrip("0"): places for each, places in wanted.items()}, bare)
    return list(dict.fromkeys(found))


def alike_among(which: Rewriting, known: Sequence[str], fold: Fold) -> int:
    """How many of some ids have another of them as neighbour in a notation: what leaving each of them out finds.

    Of swapped digits and of ids within others no more are counted than it takes to see that they say nothing.

    Args:
        which: The notation.
        known: The ids, folded.
        fold: How ids are folded.
    """
    there, enough = frozenset(known), int(MOST_BY_CHANCE * len(known)) + 1
    match which:
        case Rewriting.DIGESTED:  # no id is another's digest by chance
            count = 0
        case Rewriting.ENCODED:
            count = sum(any(text in there for text in fold(_further(each))) for each in known)
        case Rewriting.SWAPPED:
            count = _at_most(enough, (each for each in known if any(swapped in there for swapped in notations.swaps(each))))
        case Rewriting.WITHIN:
            lengths = {len(each) for each in known}
            count = _at_most(enough, (each for each in known if any(part in there for part in notations.parts(each, lengths))))
        case Rewriting.NUMBER:  # left out, an id may come back as its number or with any prefix
            numbers = zip(_keys(which, known), known, strict=True)
            count = _shared(number for number, each in numbers if number and len(notations.NUMBER.findall(each)) == 1)
        case Rewriting.PADDED:
            count = _shared(map(notations.unpadded, known))
        case _:
            count = len({place for pair in _in_texts(which, known, known) if pair[0] != pair[1] for place in pair})
    return count


def by_chance(which: Rewriting, among: int, known: int, asked: int) -> bool:
    """Whether that two ids are the same in a notation says nothing, as others may have the same too.

    Args:
        which: The notation.
        among: How many of the known ids have another of them as neighbour.
        known: How many there are.
        asked: How many ids were compared with them.
    """
    share = among / max(known, 1)
    return which in WEIGHED and (share > MOST_BY_CHANCE or share * asked > MOST_IN_LOG)


def _shared(keys: Iterable[str]) -> int:
    return sum(count for count in Counter(keys).values() if count > 1)


def _at_most(count: int, those: Iterable[str]) -> int:
    return sum(1 for _ in islice(those, count))


def _further(identifier: str) -> tuple[str, ...]:
    """What an id is in other encodings, itself left out."""
    return tuple(each for each in (*codings.readings(identifier)[1:], *codings.turned(identifier)) if each != identifier)


def _decoded(asked: Ids, known: Known, fold: Fold) -> Hits:
    """Ids of which a reading is a known one, or is what a known one says that is encoded."""
    wanted: dict[str, list[int]] = defaultdict(list)
    for at, each in enumerate(asked.written):
        for text in dict.fromkeys(fold([*asked.readings[at], *codings.turned(each)])):
            wanted[text].append(at)
    pairs = _looked_up(wanted, known.texts)
    alike = {place: fold([known.written[place]])[0] for _, place in pairs}
    return [(at, place) for at, place in pairs if fold([asked.written[at]])[0] != alike[place]]


def _encoded(asked: Ids, known: Known) -> Hits:
    """Ids of which a known one is an encoding or a digest."""
    wanted = _wanted(asked.written, codings.encodings)
    return [*_looked_up(wanted, known.written), *_looked_up(wanted, [each.lower() for each in known.written])] if wanted else []


def _in_texts(which: Rewriting, asked: Sequence[str], known: Sequence[str]) -> Hits:
    """Pairs of folded texts that are the same in a notation."""
    match which:
        case Rewriting.SWAPPED:
            return _looked_up(_wanted(asked, notations.swaps), known)
        case Rewriting.JOINED:
            of_known = _wanted(known, notations.pieces) if notations.JOINTS.search("".join(known)) else {}
            return _both_ways(_looked_up(_wanted(asked, notations.pieces), known), _looked_up(of_known, asked))
        case Rewriting.PREFIX:
            return _both_ways(_looked_up(_wanted(asked, notations.tails), known), _behind_prefixes(known, asked))
        case Rewriting.WITHIN:
            lengths = {len(each) for each in known}
            parts = _wanted(asked, lambda each: notations.parts(each, lengths))
            return _both_ways(_looked_up(parts, known), _in_front(known, asked))
        case Rewriting.ORDER | Rewriting.LETTERS | Rewriting.TAGGED:
            return _by_keys(which, asked, known)
        case _:
            return _equal(which, asked, known)


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
    places = _wanted(sought, lambda each: (each,))
    found = []
    for length in {len(each) for each in places if each}:
        for at, text in enumerate(texts):
            tail = text[-length:]
            if tail in places and tail != text and tail in notations.tails(text):
                found += [(at, place) for place in places[tail]]
    return found


def _in_front(texts: Sequence[str], sought: Sequence[str]) -> Hits:
    """Places of texts that begin with one of those that are sought and go on after a sign, and of that."""
    places = _wanted(sought, lambda each: (each,) if notations.telling(each) and notations.numbered(each) else ())
    found = []
    for length in {len(each) for each in places}:
        for at, text in enumerate(texts):
            if text[:length] in places and len(text) > length and not text[length].isalnum():
                found += [(at, place) for place in places[text[:length]]]
    return found


def _equal(which: Rewriting, asked: Sequence[str], known: Sequence[str]) -> Hits:
    """Pairs that are equal in a form and not as they are written."""
    wanted = _wanted(_keys(which, asked), lambda key: (key,) if key else ())
    pairs = _looked_up(wanted, _keys(which, known))
    found = [(at, other) for at, other in pairs if asked[at] != known[other] and _same(which, asked[at], known[other])]
    if which is not Rewriting.NUMBER or all(asked[at].isdecimal() or known[other].isdecimal() for at, other in found):
        return found
    # An id with the words of known ones is one of their kind, and has a number of its own.
    kinds = {notations.words(each) for each in known}
    return [(at, other) for at, other in found if known[other].isdecimal() or notations.words(asked[at]) not in kinds]


def _keys(which: Rewriting, texts: Sequence[str]) -> Sequence[str]:
    """What texts that are equal in a form have in common, all at once: bytes are dropped faster than patterns are looked for."""
    text = "\n".join(texts)
    if which is Rewriting.SEPARATORS and not text.isascii():
        return [notations.NO_WORD.sub("", each) for each in texts]
    found = text.encode().translate(None, _DROPPED[which]).decode().split("\n")
    return [each.lstrip("0") or each[-1:] for each in found] if which is Rewriting.NUMBER else found


def _same(which: Rewriting, one: str, other: str) -> bool:
    """Whether two texts with the same key are the same in the form."""
    match which:
        case Rewriting.SEPARATORS:
            return notations.NO_WORD.sub("", one) == notations.NO_WORD.sub("", other) and notations.same_joints(one, other)
        case Rewriting.PADDED:
            return notations.unpadded(one) == notations.unpadded(other)
        case Rewriting.NUMBER:
            single = len(notations.NUMBER.findall(f"{one}-{other}")) == 2
            return single and (one.isdecimal() != other.isdecimal() or (notations.of_a_person(one) and not other.isdecimal()))
        case _:
            return True


def _by_keys(which: Rewriting, asked: Sequence[str], known: Sequence[str]) -> Hits:
    """Pairs that have a key in common and are not written the same."""
    keys, candidates = {
        Rewriting.ORDER: (notations.order, _with_words_of),
        Rewriting.LETTERS: (notations.letters, _with_marks_or_all),
        Rewriting.TAGGED: (notations.untagged, _with_tags_or_all),
    }[which]
    places = candidates(asked, known)
    wanted = _wanted(asked, keys) if places else {}
    return list(
        dict.fromkeys(
            (at, place)
            for place in places
            for key in keys(known[place])
            for at in wanted.get(key, ())
            if asked[at] != known[place]
        )
    )


def _with_words_of(asked: Sequence[str], known: Sequence[str]) -> Sequence[int]:
    """Places of known ids that may have the words of one that is asked for: they begin with one of them, and are as long."""
    words = {word for each in asked if len(those := notations.WORD.findall(each)) > 1 for word in those}
    begins, short = {each[:3] for each in words}, tuple(each for each in words if len(each) < 3)
    spans = {len(each) + more for each in asked for more in range(-2, 3)}
    return [
        place
        for place, text in enumerate(known if words else ())
        if len(text) in spans and (text[:3] in begins or (short and text.startswith(short)))
    ]


def _with_marks_or_all(asked: Sequence[str], known: Sequence[str]) -> Sequence[int]:
    """Places of known ids with letters outside ASCII; of all where one that is asked for has such letters."""
    if not all(map(str.isascii, asked)):
        return range(len(known))
    return [] if "".join(known).isascii() else [place for place, each in enumerate(known) if not each.isascii()]


def _with_tags_or_all(asked: Sequence[str], known: Sequence[str]) -> Sequence[int]:
    """Places of known addresses with a tag; of all where one that is asked for has one."""
    if any(notations.untagged(each) != (each,) for each in asked if "@" in each):
        return range(len(known))
    some = any("@" in each for each in asked)
    return [place for place, each in enumerate(known if some else ()) if "@" in each and notations.untagged(each) != (each,)]
