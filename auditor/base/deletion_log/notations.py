"""What texts of ids consist of: words, numbers, what signs enclose, behind a prefix or within."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from itertools import filterfalse, islice
from typing import Final

JOINTS: Final = re.compile(r"[^\w\-.@+'’~*%\u0300-\u036f]+|(?<![^\W_])['’*~]+|['’*~]+(?![^\W_])")
"""What ids are joined by: any sign but those that ids have inside, and quotes with no letter or digit before or after them."""
NO_WORD: Final = re.compile(r"[\W_]+")
WORD: Final = re.compile(r"[^\W_]+")
_RUN: Final = re.compile(r"\d+|[^\W\d_]+")
_INSIDE: Final = re.compile(r"(?<=\d)[\W_]+(?=\d)")
_LEADING: Final = re.compile(r"(?<!\d)0+(?=\d)")
_TRAILING: Final = re.compile(r"(?<=\d)[.,]0+$")
NUMBER: Final = re.compile(r"\d+")
_LETTERS: Final = re.compile(r"[^\W\d_]+")
_AFTER: Final = re.compile(r"[\W_]+\d+(?![^\W_])")
_BEFORE: Final = re.compile(r"(?<![^\W_])\d+[\W_]+$")
_TAG: Final = re.compile(r"\+[^@+]*(?=@)")
_LEAST_TAIL: Final = 6
"""Characters of what stands behind a prefix, or within an id, where it has no digit: less is a name that many have."""
_MOST_WORDS: Final = 12
"""Words of an id of which spans are looked up."""
_LEAST_DIGITS: Final = 3
"""Digits of an id that counts where it is found within letters."""
_OF_PEOPLE: Final = frozenset(
    re.findall(
        r"\w+",
        "account benutzer client cliente clienti compte customer customers id ident konto kunde kunden kundennummer klant member "
        "mitglied no nr num number numero nummer patient patients person persona personne pid uid user utente utilisateur",
    )
)
"""Words that say no more of a number than that it is a person's."""
_DATE: Final = re.compile(r"(?<!\d)(?:(?:19|20)\d\d([-./ ])[0-3]?\d\1[0-3]?\d|[0-3]?\d([-./ ])[0-3]?\d\2(?:19|20)\d\d)(?!\d)")
"""A date in numbers, by year, month and day in whatever order."""
_SPELT: Final = str.maketrans(
    {"ä": "ae", "ö": "oe", "ü": "ue", "ß": "ss", "æ": "ae", "ø": "oe", "å": "aa", "ı": "i", "ł": "l", "đ": "d"}
)


def of_a_person(text: str) -> bool:
    """Tell whether a text has a number, and no word that says more than that it is a person's."""
    return set(words(text)) <= _OF_PEOPLE


def words(text: str) -> tuple[str, ...]:
    """Give the words of letters in a text."""
    return tuple(_LETTERS.findall(text))


def unpadded(text: str) -> str:
    """Leave out the zeros around numbers."""
    return _LEADING.sub("", _TRAILING.sub("", text))


def order(text: str) -> tuple[str, ...]:
    """Give the words in the order of the alphabet with numbers in their own; of each date its parts in any order."""
    words = WORD.findall(text)
    named = [each for each in words if not each.isdecimal()]
    found = [" ".join((*sorted(named), "|", *(each for each in words if each.isdecimal())))] if len(named) > 1 else []
    for match in islice(_DATE.finditer(text), _MOST_WORDS):
        parts = sorted(each.lstrip("0") for each in NUMBER.findall(match[0]))
        others = WORD.findall(f"{text[: match.start()]} {text[match.end() :]}")
        found.append(" ".join(("date", *parts, "|", *others)))
    return tuple(found)


def letters(text: str) -> tuple[str, ...]:
    """Give a text without marks, and with letters spelt out."""
    if text.isascii():
        return (text,)
    return tuple({bare(text), bare(text.translate(_SPELT))})


def bare(text: str) -> str:
    """Leave out the marks on letters."""
    return "".join(filterfalse(unicodedata.combining, unicodedata.normalize("NFKD", text)))


def untagged(text: str) -> tuple[str, ...]:
    """Give an address without its tag, and by one name of its provider."""
    if "@" not in text:
        return ()
    return (_TAG.sub("", text).replace("@googlemail.com", "@gmail.com"),)


def pieces(text: str) -> Iterable[str]:
    """Split a text at the signs that join ids; nothing where there are none."""
    if not JOINTS.search(text):
        return ()
    return dict.fromkeys(piece for piece in JOINTS.split(text) if piece and piece != text)


def tails(text: str) -> Iterable[str]:
    """Give what stands behind a separator, where it says more than a number and than a short name."""
    for match in NO_WORD.finditer(text):
        tail = text[match.end() :]
        if match.start() and telling(tail):
            yield tail


def telling(part: str) -> bool:
    """Tell whether a part says more than a number and than a short name."""
    return any(map(str.isalpha, part)) and (len(part) >= _LEAST_TAIL or any(map(str.isdecimal, part)))


def parts(text: str, lengths: Iterable[int]) -> Iterable[str]:
    """Give parts of a text of some lengths: from word to word, and behind letters where a part has a number too."""
    runs = list(_RUN.finditer(text))[: 2 * _MOST_WORDS]
    edges = {match.start() for match in runs}
    for end in {match.end() for match in runs}:
        for length in lengths:
            start = end - length
            part = text[max(start, 0) : end]
            if start < 0 or len(part) == len(text) or not telling(part):
                continue
            # With a further number it is an id of its own, as that of the third of a household.
            further = _AFTER.match(text, end) or _BEFORE.search(text[:start])
            if not further and (start in edges or (numbered(part) and text[start].isalpha())):
                yield part


def numbered(part: str) -> bool:
    """Tell whether a part has a number that is long enough to tell ids apart."""
    return sum(map(str.isdecimal, part)) >= _LEAST_DIGITS


def same_joints(one: str, other: str) -> bool:
    """Tell whether separators between digits leave the same numbers: 12-3 and 1-23 are two people's, 2026-17 and 202617 one's."""
    first, second = _INSIDE.search(one), _INSIDE.search(other)
    return first is None or second is None or NUMBER.findall(one) == NUMBER.findall(other)


def swaps(text: str) -> Iterable[str]:
    """Give the same with two neighbouring digits swapped."""
    for at in range(len(text) - 1):
        first, second = text[at], text[at + 1]
        if first != second and first.isdecimal() and second.isdecimal():
            yield text[:at] + second + first + text[at + 2 :]
