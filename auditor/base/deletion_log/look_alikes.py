"""Which ids are written differently and look the same: folding, and the one edit that a slip of the pen makes.

Two ids that only look alike can hide that a person's record is still there: a row that says "no match" about one of them says
nothing about the other. Forms, in the order in which they are compared:

- plain: compatibility forms (NFKC), digits of other scripts, invisible characters and blanks at either end count for nothing;
- case: upper and lower case neither;
- look: nor what two characters of different scripts or kinds look like (Unicode Technical Standard 39, through the package
  `confusable-homoglyphs`): a Cyrillic "а" is an "a", an "I" or a "1" is an "l".

Known ids in another notation, such as encoded or joined ones, are those of `auditor.base.deletion_log.rewritten`.

Everything is linear in the ids: forms are looked up, and of near ids only those with the same digits are compared.
"""

from __future__ import annotations

import json
import re
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from enum import StrEnum
from functools import cache
from importlib.resources import files
from typing import Final, TypeAlias

from auditor.base.deletion_log.rewritten import WEIGHED, Ids, Known, Rewriting, alike_among, by_chance, hits

LEAST_LENGTH: Final = 6
"""Characters of ids of which one edit counts: among shorter ones, one edit leads from many an id to another."""
NATURAL_SHARE: Final = 0.05
"""Of the known ids: where more of them fold to another's form, the difference is one that these ids are told apart by."""
NATURAL_LEAST: Final = 20
"""Known ids that do so at least: a few that were put there must not take a form away from a small case."""

_IGNORABLE: Final = re.compile(
    "[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff"
    "\uffa0\ufff0-\ufff8\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff]"
)
"""Unicode's Default_Ignorable_Code_Point: what a font shows nothing for."""
_ASCII_LOOKS: Final = str.maketrans({"0": "O", "1": "l", "I": "l", "|": "l", "m": "rn", '"': "''", "`": "'"})
"""What the tables say of ASCII: most ids have nothing else, and then the tables need not be read."""
_OTHER_DIGIT: Final = re.compile(r"[^\W\D0-9]")
_BLANKS: Final = re.compile(r"[^\S\n]+")
_EDGES: Final = re.compile(r"(?m:^[^\S\n]+|[^\S\n]+$)")
_NO_DIGITS: Final = re.compile(r"[^0-9\n]+")


class Form(StrEnum):
    """In which form two ids that are written differently are the same."""

    PLAIN = "plain"
    CASE = "case"
    LOOK = "look"


class Likeness(StrEnum):
    """How alike an id and a known one are."""

    SAME = "same"
    """The same in a form in which the known ids all differ."""
    DOUBTFUL = "doubtful"
    """The same in a form in which a few of the known ids are the same too: they may be what makes it so."""
    NEAR = "near"
    """One letter, sign or swap of two neighbours away, no digit touched."""
    CHANCE = "chance"
    """The same in a notation in which many of the known ids are the same: that says nothing, and is counted."""


def forms(identifiers: Sequence[str], which: Form) -> list[str]:
    """The ids in a form, in their order; none of them holds a line break."""
    # All at once, a line each: a million of them take a second.
    text = _plain("\n".join(identifiers))
    if which is Form.CASE:
        text = text.casefold()
    if which is Form.LOOK:
        # Signs that look alike are replaced first: "I" looks like "l" and, in lower case, no longer does.
        looks = _ASCII_LOOKS if text.isascii() else _tables()[0]
        text = unicodedata.normalize("NFKC", text.translate(looks)).casefold()
    return text.split("\n")


def _plain(text: str) -> str:
    """Lines without what is not seen: NFKC, ASCII digits, no default-ignorable characters, trimmed, single blanks."""
    if not text.isascii():
        text = _IGNORABLE.sub("", unicodedata.normalize("NFKC", text))
        text = unicodedata.normalize("NFKC", _OTHER_DIGIT.sub(lambda found: str(unicodedata.decimal(found[0])), text))
    # Of blanks most ids have none, and a pattern that is tried at every character takes its time.
    return text if text.isascii() and " " not in text else _BLANKS.sub(" ", _EDGES.sub("", text))


def differ_by_one(first: str, second: str) -> bool:
    """Whether one edit leads from one form to the other: a letter or sign exchanged, added or dropped, or two neighbours swapped.

    No edit touches a digit: ids that count up differ in one digit each, and tell their people apart by it.
    """
    if first == second or abs(len(first) - len(second)) > 1 or _digits(first) != _digits(second):
        return False
    if len(first) > len(second):
        first, second = second, first
    start = next((at for at, (a, b) in enumerate(zip(first, second, strict=False)) if a != b), len(first))
    if len(first) < len(second):
        return first[start:] == second[start + 1 :] and not _is_digit(second[start])
    if first[start + 1 :] == second[start + 1 :]:
        return not (_is_digit(first[start]) or _is_digit(second[start]))
    swapped = first[start : start + 2] == second[start : start + 2][::-1] and first[start + 2 :] == second[start + 2 :]
    return swapped and not any(_is_digit(each) for each in first[start : start + 2])


How: TypeAlias = Form | Rewriting | None
"""In which form or notation; None for one edit."""
_Found: TypeAlias = dict[str, dict[str, tuple[Likeness, How]]]


def look_alikes(identifiers: Iterable[str], known: Collection[str]) -> Mapping[str, Mapping[str, tuple[Likeness, How]]]:
    """Find the known ids that others look like.

    Args:
        identifiers: Ids; those that are known themselves are left out.
        known: Distinct ids, those of the training records.

    Returns:
        For each id that looks like a known one, those that it looks like, how much, and in which form or notation; None where
        they are near.
    """
    listed = list(known)
    known_set = known if isinstance(known, set | frozenset) else frozenset(listed)
    asked = list(dict.fromkeys(each for each in identifiers if each not in known_set))
    found: _Found = defaultdict(dict)
    if not asked or not listed:
        return found
    for which in Form:
        folded = forms(listed, which)
        hits = _hits(asked, listed, folded, which)
        likeness = _likeness(folded, listed, which) if hits else None
        if likeness is not None:
            for each, other in hits:
                found[each].setdefault(other, (likeness, which))
    _add_near(found, asked, listed)
    _add_rewritten(found, asked, listed)
    return found


def _add_rewritten(found: _Found, asked: Sequence[str], known: Sequence[str]) -> None:
    """Add the known ids that are the same in another notation."""
    sought = Ids.of(asked, _near_forms)
    there = Known.of(known, _near_forms)
    for which in Rewriting:
        pairs = [
            (asked[at], known[other])
            for at, other in hits(which, sought, there, _near_forms)
            if known[other] not in found.get(asked[at], ())
        ]
        if not pairs:
            continue
        among = alike_among(which, there.texts, _near_forms)
        if which in WEIGHED:
            likeness = Likeness.CHANCE if by_chance(which, among, len(known), len(asked)) else Likeness.DOUBTFUL
        elif among > max(NATURAL_LEAST, NATURAL_SHARE * len(known)):
            likeness = Likeness.CHANCE
        else:
            likeness = Likeness.DOUBTFUL if among else Likeness.SAME
        for each, other in pairs:
            found[each].setdefault(other, (likeness, which))


def look_alike_pairs(some: Iterable[str], known: Collection[str]) -> Mapping[str, Mapping[str, Form]]:
    """For each of some known ids the other known ids that are the same in a form; without those that have none.

    A form in which many of the known ids are the same as another (`NATURAL_SHARE`) tells nothing and is left out.
    """
    chosen, listed = list(dict.fromkeys(some)), list(known)
    found: dict[str, dict[str, Form]] = defaultdict(dict)
    for which in Form if chosen else ():
        folded = forms(listed, which)
        if len(set(folded)) == len(folded):  # as in most cases: no two of them are the same, and none need be looked up
            continue
        hits = [(each, other) for each, other in _hits(chosen, listed, folded, which) if each != other]
        if hits and _likeness(folded, listed, which) is not None:
            for each, other in hits:
                found[each].setdefault(other, which)
    return found


def _hits(some: Sequence[str], known: Sequence[str], folded: Sequence[str], which: Form) -> list[tuple[str, str]]:
    """Each of some ids with each known one of its form."""
    wanted: dict[str, list[str]] = defaultdict(list)
    for each, own in zip(some, forms(some, which), strict=True):
        wanted[own].append(each)
    pairs = ((wanted[own], other) for own, other in zip(folded, known, strict=True) if own in wanted)
    return [(each, other) for those, other in pairs for each in those]


def _likeness(folded: Sequence[str], known: Sequence[str], which: Form) -> Likeness | None:
    """What it means that an id is a known one's in a form; None where it means nothing.

    Nobody tells people apart by what does not show: the plain form always counts.
    """
    shared = sum(count for count in Counter(folded).values() if count > 1)
    if which is Form.PLAIN:
        return Likeness.SAME
    if shared > max(NATURAL_LEAST, NATURAL_SHARE * len(known)):
        return None
    return Likeness.DOUBTFUL if shared else Likeness.SAME


def _add_near(found: _Found, asked: Sequence[str], known: Sequence[str]) -> None:
    """Add the known ids that are one edit away.

    An edit that touches no digit leaves the digits as they are: only ids with the same digits are compared, and among those only
    the ones that are the same once one character is dropped from either.
    """
    nears = _near_forms(known)
    digits = _NO_DIGITS.sub("", "\n".join(nears)).split("\n")
    of_known = set(digits)
    whole: dict[str, list[str]] = defaultdict(list)
    dropped: dict[str, list[str]] = defaultdict(list)
    for each, own in zip(asked, _near_forms(asked), strict=True):
        if _digits(own) in of_known:
            whole[own].append(each)
    for own in whole:
        for variant in _dropping_one(own):
            dropped[variant].append(own)
    of_asked = {_digits(own) for own in whole}
    for other, near, those in zip(known, nears, digits, strict=True):
        if those in of_asked:
            for own in {own for variant in _dropping_one(near) for own in dropped.get(variant, ())}:
                if max(len(own), len(near)) >= LEAST_LENGTH and differ_by_one(own, near):
                    for each in whole[own]:
                        found[each].setdefault(other, (Likeness.NEAR, None))


def _dropping_one(near: str) -> set[str]:
    """The form itself, and with one character that is no digit left out."""
    return {near, *(near[:at] + near[at + 1 :] for at, character in enumerate(near) if not _is_digit(character))}


def _near_forms(identifiers: Sequence[str]) -> list[str]:
    """The forms in which edits are counted: digits stay digits, everything else is what it looks like, in lower case."""
    seen = _plain("\n".join(identifiers))
    return (seen if seen.isascii() else seen.translate(_tables()[1])).casefold().split("\n")


def _digits(text: str) -> str:
    return _NO_DIGITS.sub("", text)


def _is_digit(character: str) -> bool:
    return "0" <= character <= "9"


@cache
def _tables() -> tuple[dict[int, str], dict[int, str]]:
    """What every character looks like, and the same of characters outside ASCII alone."""
    # Read from the package itself: its own loader takes other tables where an environment variable says so.
    pairs: Mapping[str, list[Mapping[str, str]]] = json.loads(
        (files("confusable_homoglyphs") / "confusables.json").read_text(encoding="utf-8")
    )
    parent: dict[str, str] = {}

    def root(text: str) -> str:
        while parent.setdefault(text, text) != text:
            text = parent[text]
        return text

    for character, others in pairs.items():
        for other in others:
            parent[root(_bare(other["c"]))] = root(_bare(character))
    classes: dict[str, list[str]] = defaultdict(list)
    for text in sorted(parent):
        classes[root(text)].append(text)
    looks: dict[int, str] = {}
    for members in classes.values():
        chosen = _clearest(members)
        looks.update((ord(text), chosen) for text in members if len(text) == 1)
    return looks, {point: text for point, text in looks.items() if point > 127}


def _bare(text: str) -> str:
    """Without the marks of writing direction that the tables put around some characters."""
    return _IGNORABLE.sub("", text)


def _clearest(members: Iterable[str]) -> str:
    """What the others are written as: ASCII first, spelt out ("rn" for "m"), in lower-case letters."""
    return min(members, key=lambda text: (not text.isascii(), -len(text), not text.isalpha(), not text.islower(), text))
