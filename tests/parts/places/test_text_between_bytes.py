"""Pieces of text are left out only where nothing that is looked for could be in them."""

from __future__ import annotations

from unittest.mock import patch

import pytest
from hypothesis import given
from hypothesis import strategies as st

from auditor.parts.places.observing import text_between_bytes
from auditor.parts.places.observing.normal_forms import normal, readings
from auditor.parts.places.observing.other_spellings import Spellings
from auditor.parts.places.observing.text_between_bytes import BETWEEN, GROWS, NO_TEXT, SHORTEST, pieces

SURE = ("kim-0042-ä", "a1b2c3d4e5", "+49 170 1234567", "DE89370400440532013000", "\ufdfa9")
NAMES = ("Anna Maier", "Bo Li")
SPELT = Spellings.of(SURE, NAMES)
PARTS = (
    *(each.encode() for each in (*SURE, *NAMES)),
    b"Anna", b"Maier", b"Anna=", b"Anna\xc2\xad", b"Anna=20", b"Anna%3D", b"Anna&shy", b"Anna&#173; ", b"Anna\\u003d",
    b"=", b"\n", b"Bo", b"Li", b"a1b2%63%333d4e5", b"a1b2c3", b"d4e5", b"\\uFDFA9", b"&#xFDFA;9", b"=EF=B7=BA9", b"%EF%B7%BA9",
    b"\xef\xb7\xba9", b"\xff", b"\x00", b"\x01\x02", b"\xc3", b"\xe2\x82", b"\xed\xa0\x80", b"\xf0\x80\x80\x80",
    b"\xf0\x9f\x98\x80", b"x", b"xyz",
)  # fmt: skip


def all_of_them(content: bytes) -> str:
    return BETWEEN.join(each for each in NO_TEXT.split(content.decode("utf-8", "replace")) if len(each) >= SHORTEST)


@given(st.lists(st.sampled_from(PARTS) | st.binary(max_size=6), max_size=12).map(b"".join), st.sampled_from([1, 7, 1 << 18]))
def test_what_is_met_in_chosen_pieces_is_what_is_met_in_all(content: bytes, block: int) -> None:
    with patch.object(text_between_bytes, "_BLOCK", block):
        chosen = BETWEEN.join(pieces(content, shortest=SPELT.shortest))
        whole = BETWEEN.join(pieces(content))
    assert whole == all_of_them(content)
    met, expected = SPELT.met_in(chosen), SPELT.met_in(whole)
    assert (met.found, met.named) == (expected.found, expected.named)


@given(st.lists(st.sampled_from(PARTS) | st.binary(max_size=6), max_size=12).map(b"".join), st.integers(5, 40))
def test_no_piece_is_left_out_of_which_a_reading_is_long_enough(content: bytes, shortest: int) -> None:
    chosen = BETWEEN.join(pieces(content, shortest=shortest))
    for piece in pieces(content):
        if max(map(len, readings(piece))) >= shortest:
            assert piece in chosen


@pytest.mark.parametrize("content", [b"\0Anna=\0\0Maier\0", b"\x01Anna\xc2\xad\x02\x03Maier", b"\0Anna=3D\0Maier\0"])
def test_a_name_that_is_joined_across_other_bytes_is_still_met(content: bytes) -> None:
    spelt = Spellings.of((), ["Anna Maier"])
    assert spelt.shortest == len("annamaier")
    expected = spelt.met_in(all_of_them(content)).named
    assert spelt.met_in(BETWEEN.join(pieces(content, shortest=spelt.shortest))).named == expected


def test_no_character_grows_more_than_is_reckoned_with() -> None:
    for each in map(chr, range(0x110000)):
        if not "\ud800" <= each < "\ue000":
            assert len(normal(each)) <= GROWS[min(len(each.encode()), 3) - 1]


@given(st.lists(st.sampled_from(["Anna", "\u00ad", "\n", "\n\n", "=", "-", "%41", "ü", "e\u0301", "\u0301", " "]), max_size=30))
def test_paragraphs_by_themselves_read_as_the_whole_text_does(parts: list[str]) -> None:
    text = "".join(parts)
    before = list(readings(text))
    with patch("auditor.parts.places.observing.normal_forms._LONG", 0):
        assert list(readings(text)) == before
