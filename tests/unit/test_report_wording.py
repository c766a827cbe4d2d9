"""Values in words: numbers keep their value to four digits, and no string keeps a character that could mislead."""

from __future__ import annotations

import math
import unicodedata
from datetime import UTC, date, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from auditor.base.domain import ClaimStatus, Provenance, Status, Verdict
from auditor.pages import reference, wording
from auditor.pages.words.rendered_evidence import ToldCheck
from auditor.verdict.checks import definitions


@pytest.mark.parametrize(
    ("value", "words"),
    [
        (None, "–"),
        (0, "0"),
        (20, "20"),
        (187020, "187,020"),
        (-3, "−3"),
        (True, "yes"),
        (0.313902458312, "0.3139"),
        (0.5, "0.5"),
        (1.0, "1"),
        (1e-4, "0.0001"),
        (9.99e-5, "9.99 × 10⁻⁵"),
        (1e-5, "10⁻⁵"),
        (-2.5e-9, "−2.5 × 10⁻⁹"),
        (38.23456, "38.23"),
        (1234.56, "1,235"),
        (12345678.9, "1.235 × 10⁷"),
        (math.inf, "∞"),
        (math.nan, "not a number"),
    ],
)
def test_numbers_read_as_in_print(value, words):
    assert wording.number(value) == words


@given(st.floats(-1e300, 1e300))
def test_a_printed_number_is_within_four_digits_of_its_value(value):
    text = wording.number(value).replace(",", "").replace("−", "-")
    back = str.maketrans("⁻⁰¹²³⁴⁵⁶⁷⁸⁹", "-0123456789")
    if " × 10" in text:
        mantissa, _, power = text.partition(" × 10")
        text = f"{mantissa}e{power.translate(back)}"
    elif text.startswith("10") and text[2:] and text[2] in "⁻⁰¹²³⁴⁵⁶⁷⁸⁹":
        text = f"1e{text[2:].translate(back)}"
    assert float(text) == pytest.approx(value, rel=5.01e-4, abs=0)


@given(st.text())
def test_clean_text_can_be_shown_anywhere(text):
    cleaned = wording.clean(text)
    assert wording.clean(cleaned) == cleaned
    assert not {unicodedata.category(c) for c in cleaned} & {"Cc", "Cf", "Cs", "Co", "Cn"}


def test_bidi_control_and_escape_characters_are_stripped():
    assert wording.clean("a\u202eb\u2066c\u200fd\x00e\x1b[31mf\ng\ufeff\u2028h") == "abcde[31mf g h"


def test_ordinary_words_of_other_scripts_stay():
    assert wording.clean("Ålesund – Łódź, Αθήνα, Киев, 東京") == "Ålesund – Łódź, Αθήνα, Киев, 東京"


def test_marks_piled_on_one_letter_are_cut():
    assert wording.clean("a" + "\u0301" * 50 + "b") == "a" + "\u0301" * 4 + "b"


@given(st.integers(121, 20000))
def test_endless_words_are_folded_and_their_length_is_named(length):
    folded = wording.shown("x" * length)
    assert len(folded) < 120
    assert f"({length} characters)" in folded


def test_a_digest_is_shown_in_full():
    assert wording.shown("0" * 64) == "0" * 64


def test_endless_texts_are_cut_and_say_so():
    folded = wording.shown("word " * 4000)
    assert len(folded) <= wording.LONGEST_TEXT
    assert "in full in the evidence" in folded


@given(st.text(max_size=200), st.integers(2, 60))
def test_short_never_exceeds_its_length(text, length):
    assert len(wording.short(text, length)) <= length


def test_dates_are_written_out():
    assert wording.day(date(2026, 2, 28)) == "28 February 2026"
    assert wording.short_day(date(2026, 10, 3)) == "3 Oct 2026"
    assert wording.moment(datetime(2026, 1, 1, 1, 30, tzinfo=timezone(timedelta(hours=2)))) == "31 December 2025, 23:30 UTC"
    assert wording.moment(datetime(2026, 1, 1, tzinfo=UTC)) == "1 January 2026, 00:00 UTC"
    assert wording.day(None) == wording.moment(None) == "–"


@pytest.mark.parametrize("enum", [Status, ClaimStatus, Provenance])
def test_every_status_has_a_shape_and_a_word_of_its_own(enum):
    assert len({wording.mark(member) for member in enum}) == len(enum)
    assert len({wording.word(member) for member in enum}) == len(enum)


def test_the_words_are_the_agreed_ones():
    assert {wording.word(v) for v in Verdict} == {"pass", "fail", "inconclusive"}
    assert wording.word(ClaimStatus.NOT_SHOWN) == "not shown"


def _check(identity, status, value=None, threshold=None):
    return ToldCheck(identity, "title", status, value, None, threshold, "basis")


def test_a_skipped_check_with_a_value_is_informative():
    assert wording.check_word(_check("cost.speedup", Status.SKIPPED, 3.0)) == "informative"
    assert wording.check_word(_check("cost.speedup", Status.SKIPPED)) == "skipped"


def test_thresholds_carry_their_direction():
    assert wording.threshold(_check("cost.speedup", Status.PASS, 3.0, 2.0)) == "at least 2"
    assert wording.threshold(_check("removal.budget", Status.PASS, 0.5, 1.0)) == "at most 1"
    assert wording.threshold(_check("removal.budget", Status.PASS)) == "–"
    assert wording.threshold(_check("swap.strong", Status.PASS, 0.51, 0.5)) == "interval holds 0.5"
    assert wording.threshold(_check("swap.quality", Status.PASS, 0.99, 0.95)) == "at least 0.95"


@pytest.mark.parametrize(
    ("value", "words"),
    [(0.0021, "+0.002"), (-0.1134, "−0.113"), (0.0, "0.000"), (-0.0001, "0.000"), (None, "–"), (1.0, "+1.000")],
)
def test_advantages_carry_their_sign(value, words):
    assert wording.advantage(value) == words


def test_shares_read_as_percentages():
    assert [wording.percent(share) for share in (0.95, 0.983, 0.29, 1.0)] == [
        "95\u00a0%",
        "98.3\u00a0%",
        "29\u00a0%",
        "100\u00a0%",
    ]


def test_standing_text_never_overstates():
    spoken = " ".join(
        [
            *(f"{a} {b}" for a, b in map(reference.meaning, reference.TERMS)),
            *(
                f"{each.card.title} {each.card.question} {each.card.failure} {each.card.remedy}"
                for each in definitions().values()
            ),
        ]
    ).lower()
    for banned in ("compliant", "anonymous", "proves", "guaranteed"):
        assert banned not in spoken


def test_text_of_wide_letters_is_cut_to_the_room_that_it_has() -> None:
    assert wording.fitting("x" * 20, 20) == "x" * 20
    assert wording.fitting("x" * 21, 20) == "x" * 19 + "…"
    assert wording.fitting("W" * 20, 20) == "W" * 9 + "…"
    assert wording.fitting("督" * 10, 20) == "督" * 10
    assert wording.fitting("", 20) == ""
