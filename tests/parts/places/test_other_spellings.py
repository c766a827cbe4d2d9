"""Ids, names and numbers in other spellings are found; what only resembles them accuses nobody."""

from __future__ import annotations

import json
import unicodedata
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from auditor.api import check
from auditor.base.domain import Verdict
from auditor.parts.places.observing.normal_forms import normal, readings
from auditor.parts.places.observing.other_spellings import Spellings, number_of
from tests.parts.places.test_places import ATTESTED, CASE, KEPT, LOG, TABLE, write

SURE = ("+49 151 1234567", "elif.thalberg@example.org", "C-0003", "DE89 3704 0044 0532 0130 00", "GB29 NWBK 6016 1331 9268 19")
NAMES = ("Jörg Krämer-Voss", "1990-05-12", "Elif Thalberg")
SOUGHT = Spellings.of(SURE, NAMES)

FOUND = {
    "0049-151-123-4567": SURE[0],
    "call 0151/1234567 after ten": SURE[0],
    "+49 (0)151 123 45 67": SURE[0],
    "GET /s?mail=elif.thalberg%40EXAMPLE.org": SURE[1],
    "elif.thalberg%2540example.org": SURE[1],
    "<elif.thalberg&#64;example.org>": SURE[1],
    "elif.thal=\nberg=40example.org": SURE[1],
    r'{"mail": "elif.thalberg\u0040example.org"}': SURE[1],
    "id=c%2D0003": SURE[2],
    "DE89370400440532013000": SURE[3],
    "gb29nwbk60161331926819 came": SURE[4],
}
NAMED = {
    unicodedata.normalize("NFD", "JÖRG KRÄMER-VOSS"): NAMES[0],
    "Jörg\u00a0Krämer-\r\nVoss": NAMES[0],
    "Joerg Kraemer-Voss": NAMES[0],
    "J%C3%B6rg%20Kr%C3%A4mer-Voss": NAMES[0],
    "elif\u2003THAL\u00adBERG": NAMES[2],
    "Elif Thal-\nberg": NAMES[2],
    "born 12.5.1990": NAMES[1],
}
NOBODY = (
    "c 0003", "X-C-0003", "C-00031", "49915112345670", "Elif and Thalberg", "elif.thalberger@example.org", "1990",
    "0151 123456", "151-1234-5678", "Elif\n\nThalberg",
)  # fmt: skip


@pytest.mark.attempt("text in other spellings")
@pytest.mark.parametrize("text", FOUND)
def test_what_gives_a_record_away_is_found_in_any_spelling(text: str) -> None:
    assert SOUGHT.met_in(text).found == {FOUND[text]}


@pytest.mark.attempt("text in other spellings")
@pytest.mark.parametrize("text", NAMED)
def test_a_name_or_a_date_is_met_and_accuses_nobody(text: str) -> None:
    met = SOUGHT.met_in(text)
    assert (met.found, met.named) == (set(), {NAMED[text]})


@pytest.mark.parametrize("text", NOBODY)
def test_what_only_resembles_it_is_nobody(text: str) -> None:
    met = SOUGHT.met_in(text)
    assert not met.found | met.named


def test_among_many_numbers_one_that_fits_without_its_country_is_met_and_not_found() -> None:
    short = Spellings.of(["+49 30 1234567", *(f"+49 40 {at}" for at in range(2_000_000, 2_000_010))], ())
    assert short.met_in("301234567").found
    assert short.met_in("\n".join(f"2{at:08}" for at in range(20_000_000, 22_000_000, 7)) + "\n301234567").named


@pytest.mark.attempt("text in other spellings")
@pytest.mark.parametrize("text", ["+49 151 1234567", "0049-151-123-4567", "+491511234567", "0151/1234567"])
def test_a_number_that_somebody_who_stays_has_too_is_met_and_accuses_nobody(text: str) -> None:
    number = number_of(SURE[0])
    assert number is not None
    met = Spellings.of(SURE[:1], (), taken=frozenset({number})).met_in(text)
    assert (met.found - {SURE[0]}, met.named | met.found) == (set(), {SURE[0]})
    assert text == SURE[0] or met.named


@pytest.mark.attempt("text in other spellings")
@pytest.mark.parametrize(
    "text",
    [
        "ask Jonas Möller", unicodedata.normalize("NFD", "JONAS MÖLLER"), "Möller, Jonas", r"Jonas M\u00f6ller",
        "Jonas%20M%C3%B6ller", "Jonas M&ouml;ller", "Jonas Möl-\nler", "Jonas Moeller",
    ],
)  # fmt: skip
def test_a_name_with_two_letters_is_met_with_an_umlaut(text: str) -> None:
    name, mail = "Jonas Moeller", "moeller@mail.example"
    met = Spellings.of([mail], [name], in_two_letters=[name, mail]).met_in(text)
    assert (met.found, met.named) == (set(), {name})


def test_one_who_stays_and_is_called_much_the_same_is_not_met_with_an_umlaut() -> None:
    name, others = "Chloe Moeller", frozenset({"chloe j. moller", "ann brown"})
    of_both = frozenset({*others, "chloe j. moeller"})
    spelt = Spellings.of((), [name], in_two_letters=[name], others=others, others_in_two_letters=of_both)
    met = [spelt.met_in(text).named for text in ("Chloe J. Möller", "Chloe Möller", "Möller, Chloe")]
    assert met == [set(), {name}, {name}]


def test_an_accent_behind_a_letter_makes_no_umlaut() -> None:
    assert Spellings.of((), ["Chloé Göktürk"], in_two_letters=["Chloé Göktürk"]).in_two_letters is None


def test_letters_without_their_marks_are_no_two_letters() -> None:
    spelt = Spellings.of((), ["Michael Novak"], in_two_letters=["Michael Novak"])
    met = [spelt.met_in(text) for text in ("Michal Novak", "Michäl Krüger", "Michael Müller and Jan Novák")]
    assert not any(each.found | each.named for each in met)


LETTERED = ("65 170839 J 003", "B MW 1234", "X12-34567")


@pytest.mark.attempt("text in other spellings")
@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("insured as 65170839J003 since May", LETTERED[0]),
        ("65170839j003", LETTERED[0]),
        ("no. 65-170839-J-003", LETTERED[0]),
        ("651 708 39 J003", LETTERED[0]),
        ("parks BMW1234", LETTERED[1]),
        ("X1234567", LETTERED[2]),
        ("x 12 34567", LETTERED[2]),
    ],
)
def test_a_number_with_letters_is_met_whatever_parts_it(text: str, written: str) -> None:
    met = Spellings.of(LETTERED[2:], LETTERED[:2], lettered=LETTERED).met_in(text)
    assert (met.found, met.named) == (set(), {written})


@pytest.mark.parametrize(
    "text", ["65170839J0031", "A65170839J003", "BMW12345", "65170839", "a-bmw1234", "X1234567_2", "B  MW 1235"]
)
def test_a_longer_number_with_letters_is_another(text: str) -> None:
    met = Spellings.of(LETTERED[2:], LETTERED[:2], lettered=LETTERED).met_in(text)
    assert not met.found | met.named


def test_a_long_text_of_numbers_takes_no_longer_for_each_of_them() -> None:
    met = Spellings.of((), LETTERED[:1], lettered=LETTERED[:1]).met_in("65 1708 " * 100_000 + "65170839J003")
    assert met.named == {LETTERED[0]}


def test_an_address_a_name_and_a_day_are_no_numbers_with_letters() -> None:
    assert not Spellings.of((), (), lettered=["anna1990@mail.example", "Anna Brown", "1990-05-12", "A 12", "flat 3"]).lettered


NUMBERS = ("id", "phone", "note")
NUMBERED = [
    (f"C-{at:04d}", f"+49 30 {3977500 + 91 * at}", "a friendly customer" if at % 2 else "pays late") for at in range(1, 61)
]


@pytest.mark.attempt("text in other spellings")
@pytest.mark.parametrize("named", [True, False])
@pytest.mark.parametrize("written", ["+49 30 3977773", "+49303977773", "0049303977773", "+49 (0)30 3977773"])
def test_a_number_in_the_row_of_somebody_who_stays_is_met_in_any_spelling(tmp_path: Path, written: str, *, named: bool) -> None:
    gone = NUMBERED[2]
    assert number_of(gone[1]) == number_of(written)
    for column in (1, 2):
        others = [row if row[0] != "C-0010" else (*row[:column], written, *row[column + 1 :]) for row in NUMBERED if row != gone]
        write(tmp_path / "people.csv", [gone, *others], NUMBERS)
        (tmp_path / "here").mkdir(exist_ok=True)
        write(tmp_path / "here" / "now.csv", others, NUMBERS)
        row = {**LOG[0], "terms": [gone[1]] if named else []}
        (tmp_path / "deletions.jsonl").write_text(json.dumps(row) + "\n", encoding="utf-8")
        (tmp_path / "audit.toml").write_text(CASE.format(here='"here"') + TABLE, encoding="utf-8")
        assert check(tmp_path).verdict is Verdict.INCONCLUSIVE
        words = ATTESTED.format(words='"copies-are-others"')
        (tmp_path / "audit.toml").write_text(CASE.format(here='"here"') + TABLE + words, encoding="utf-8")
        assert check(tmp_path).verdict is Verdict.PASS


def test_a_number_that_many_have_who_stay_opens_nothing_unless_the_log_names_it(tmp_path: Path) -> None:
    gone = (*NUMBERED[2][:2], "office 0800 1234567")
    others = [(*row[:2], "office +49 (0)8001234567" if at % 2 else "pays late") for at, row in enumerate(NUMBERED) if at != 2]
    write(tmp_path / "people.csv", [gone, *others], NUMBERS)
    (tmp_path / "here").mkdir()
    write(tmp_path / "here" / "now.csv", others, NUMBERS)
    (tmp_path / "deletions.jsonl").write_text(json.dumps({**LOG[0], "terms": []}) + "\n", encoding="utf-8")
    (tmp_path / "audit.toml").write_text(CASE.format(here='"here"') + TABLE, encoding="utf-8")
    assert check(tmp_path).verdict is Verdict.PASS


@given(st.text(max_size=60))
def test_every_text_is_read_and_as_it_stands_first(text: str) -> None:
    read = list(readings(text))
    assert read[0] == normal(text)
    assert len(read) <= 24


@pytest.mark.attempt("text in other spellings")
@pytest.mark.parametrize("text", ["GET /?m=p17%40MAIL.example", "p17&#64;mail.example", "p17=40mail.exa=\nmple"])
def test_a_place_with_an_encoded_address_fails(tmp_path: Path, text: str) -> None:
    def audited() -> Any:
        return check(tmp_path)

    (tmp_path / "deletions.jsonl").write_text("".join(json.dumps(row) + "\n" for row in LOG), encoding="utf-8")
    (tmp_path / "here").mkdir()
    write(tmp_path / "here" / "now.csv", KEPT)
    words = ATTESTED.format(words='"store-holds-no-copies"')
    (tmp_path / "audit.toml").write_text(CASE.format(here='"here"') + words, encoding="utf-8")
    (tmp_path / "here" / "access.log").write_text("GET /?m=p18%40mail.example\n", encoding="utf-8")
    assert audited().verdict is Verdict.PASS
    (tmp_path / "here" / "access.log").write_text(text, encoding="utf-8")
    assert audited().verdict is Verdict.FAIL
