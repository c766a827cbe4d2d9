"""A text is searched in one pass, and what is met there is what a plain search meets that looks everywhere for everything."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from auditor.parts.places.observing import other_spellings
from auditor.parts.places.observing.normal_forms import normal, transliterated
from auditor.parts.places.observing.other_spellings import Spellings

NAMES = (
    "Jonas Hahn",
    "Jonas Hahn Maier",
    "Jonas",
    "Anna-Rose Brown",
    "Rose Brown",
    "A Brown",
    "elif.thalberg@example.org",
    "C-0003",
)
SOUGHT = Spellings.of(NAMES[6:], NAMES[:6], lettered=("AB 12-34 CD", "12345 X", "X1234567"), others=frozenset({"rose miller"}))
_WORDS = "jonas hahn maier anna rose brown a b elif thalberg example org c 0003 ab 12 34 cd 12345 x miller ms ²"
WORDS = st.sampled_from(_WORDS.split())
SIGNS = st.sampled_from(["", " ", "  ", "\n", "\n\n", "-", "_", ".", "@", ", ", ",", " - ", "....", "\t"])
TEXTS = st.lists(st.tuples(WORDS, SIGNS), max_size=12).map(lambda pieces: "".join(word + sign for word, sign in pieces))
NUMBERS = st.lists(st.sampled_from(["0", "12", "123456789", "0049", "7" * 17, " ", "/", "-", "\n", "   ", "    ", "a", "("])).map(
    "".join
)


def by_words(text: str) -> Iterator[str]:
    """Forms of several words at every place."""
    tokens = [(each[0], *each.span()) for each in other_spellings.WORDS.finditer(text)]
    for form in (form for those in SOUGHT.forms.values() for form in those):
        for at in range(len(tokens) - len(form.words) + 1):
            here = tokens[at : at + len(form.words)]
            (_, start, _), (_, _, end) = here[0], here[-1]
            gaps = [text[one[2] : other[1]] for one, other in pairwise(here)]
            if (
                tuple(each[0] for each in here) == form.words
                and all(other_spellings._parts(gap, tight=tight) for gap, tight in zip(gaps, form.tight, strict=True))
                and text[max(0, start - 1) : start] not in {"-", "_"}
                and text[end : end + 1] not in {"-", "_"}
            ):
                yield form.written


def by_letters_and_digits(text: str) -> Iterator[str]:
    """Numbers with letters from every place to every other."""
    parts = [each.span() for each in re.finditer(r"[^\W\d_]+|\d+", text)]
    for first, (start, _) in enumerate(parts):
        for last in range(first, len(parts)):
            run = parts[first : last + 1]
            end = run[-1][1]
            near = all(other[0] - one[1] <= 1 for one, other in pairwise(run))
            around = text[max(0, start - 1) : start], text[end : end + 1]
            if near and not any(each.isalnum() or each in {"-", "_"} for each in around):
                yield from SOUGHT.lettered.get("".join(text[slice(*each)] for each in run), ())


def numbers_in(text: str) -> Iterator[str]:
    """Digits from every place to every other."""
    pieces = list(re.finditer(r"\d+", text))
    for first in range(len(pieces)):
        for last in range(first, len(pieces)):
            run = pieces[first : last + 1]
            if all(re.fullmatch(r"[ \t().\-/+]{1,3}", text[one.end() : other.start()]) for one, other in pairwise(run)):
                number = "".join(each[0] for each in run).lstrip("0")
                if 9 <= len(number) <= 18:
                    yield number


@given(TEXTS)
def test_words_that_follow_one_another_are_met_as_a_plain_search_meets_them(text: str) -> None:
    met = set(SOUGHT.by_words(text))
    assert set(by_words(text)) <= met
    assert met - set(by_words(text)) <= set(NAMES)


@given(TEXTS)
def test_numbers_with_letters_are_met_as_a_plain_search_meets_them(text: str) -> None:
    assert set(SOUGHT._by_letters_and_digits(text)) == set(by_letters_and_digits(text))


@given(NUMBERS)
def test_digits_are_put_together_as_a_plain_search_does(text: str) -> None:
    assert sorted(other_spellings._numbers_in(text)) == sorted(numbers_in(text))


@given(st.text())
def test_no_mark_of_a_letter_is_left_in_normal_form(text: str) -> None:
    assert not any(map(unicodedata.combining, normal(text)))
    assert normal(unicodedata.normalize("NFD", text)) == normal(unicodedata.normalize("NFC", text))


@given(st.text(st.sampled_from("aäöüÄÖÜ\u0308uoß")))
def test_umlauts_are_two_letters_wherever_they_are(text: str) -> None:
    table = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "Ä": "ae", "Ö": "oe", "Ü": "ue"})
    assert transliterated(text) == unicodedata.normalize("NFC", text).translate(table)
