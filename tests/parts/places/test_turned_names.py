"""Names of deleted people are met in other orders, with something between, and behind a title; lists of others accuse nobody."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from auditor.base.domain import Verdict
from auditor.parts.places.observing.normal_forms import normal
from auditor.parts.places.observing.other_spellings import Spellings
from tests.parts.places.test_places import COLUMNS, GONE, KEPT, LOG, PEOPLE, audited, case, seen, write

__all__ = ["case"]
NAMES = ("Zsófia Achterhuis", "Rose Brown", "Jörg Krämer-Voss")
OTHERS = frozenset(map(normal, ("Anna Brown", "Rose Miller", "Clara Page", "Rose Anna Brown", "Jörg P. Krämer-Voss")))
SOUGHT = Spellings.of((), NAMES, others=OTHERS)
MET = {
    "Shares the invoice with Achterhuis, Zsófia since spring.": NAMES[0],
    "ACHTERHUIS,ZSOFIA": NAMES[0],
    "achterhuis  zsófia": NAMES[0],
    "Zsofia A. Achterhuis called": NAMES[0],
    "Zsófia Maria Achterhuis": NAMES[0],
    "we wrote to Ms Achterhuis": NAMES[0],
    "Frau Dr. Achterhuis": NAMES[0],
    "Krämer-Voss, Jörg": NAMES[2],
    "Kraemer-Voss, Joerg": NAMES[2],
    "said Brown, Rose today": NAMES[1],
    "user achterhuiszsofia": NAMES[0],
    "rosebrown@example.org": NAMES[1],
    "zachterhuis": NAMES[0],
    "Z. Achterhuis paid": NAMES[0],
    "z.achterhuis@example.org": NAMES[0],
    "see also Achterhuis, Z.": NAMES[0],
    "Achterhuis Z., tomorrow": NAMES[0],
    "(Achterhuis, Z)": NAMES[0],
}
NOBODY = (
    "Anna Brown, Rose Miller", "Rose and Brown", "Rose, Anna Brown", "Ms Brown", "Mr Rose", "Rose Anna Brown",
    "a rose, a brown one", "Achterhuis. Zsófia", "Zsófia\n\nAchterhuis", "Achterhuis\n\nZsófia",
    "Achterhuis \n\n Zsófia", "Ms\n\nAchterhuis",
    "Zsófia\n\nA.\n\nAchterhuis", "Z\n\nAchterhuis", "Dr. Page", "Jörg P. Krämer-Voss wrote", "R. Brown", "rbrown",
    "Achterhuis, z other word", "Brown, R.", "Achterhuis, Y.",
)  # fmt: skip


@pytest.mark.attempt("text in other spellings")
@pytest.mark.parametrize("text", MET)
def test_a_name_is_met_in_any_order_with_a_name_between_and_behind_a_title(text: str) -> None:
    met = SOUGHT.met_in(text)
    assert (met.named, met.found) == ({MET[text]}, set())


@pytest.mark.parametrize("text", NOBODY)
def test_lists_of_others_and_words_apart_are_nobody_s_name(text: str) -> None:
    assert not SOUGHT.met_in(text).named


def test_behind_a_title_nothing_is_looked_for_where_nobody_is_known() -> None:
    assert not Spellings.of((), NAMES).met_in("Ms Achterhuis").named


@pytest.mark.attempt("deleted people in places")
@pytest.mark.parametrize("note", ["With Achterhuis, Zsófia since May", "Told Ms Achterhuis", "Zsofia A. Achterhuis pays", None])
def test_a_note_of_somebody_who_stays_that_names_a_deleted_person_leaves_a_place_open(case: Path, note: str | None) -> None:
    """The table is what is kept, notes included, so that it has the deleted person's row no more."""
    log = [{**each, "terms": ["Zsófia Achterhuis"] if each["record_ids"] == [GONE[0]] else each["terms"]} for each in LOG]
    (case / "deletions.jsonl").write_text("".join(json.dumps(row) + "\n" for row in log), encoding="utf-8")
    rows = [(*row, f"Pays on day {at} by card" if at or note is None else note) for at, row in enumerate(KEPT)]
    for name in ("people.csv", "here/now.csv"):
        write(case / name, rows, (*COLUMNS, "note"))
    found = audited(case)
    assert (found.verdict, seen(found)["named"]) == ((Verdict.INCONCLUSIVE, 1) if note else (Verdict.PASS, 0))


@pytest.mark.attempt("deleted people in places")
@pytest.mark.parametrize(
    "contact", [("Zsófia", "Achterhuis"), ("Achterhuis", "Zsófia"), ("House of the Achterhuis family; Zsófia left", "-")]
)
def test_a_contact_in_two_columns_of_the_table_is_somebody_s_name(case: Path, contact: tuple[str, str]) -> None:
    log = [{**each, "terms": ["Zsófia Achterhuis"] if each["record_ids"] == [GONE[0]] else each["terms"]} for each in LOG]
    (case / "deletions.jsonl").write_text("".join(json.dumps(row) + "\n" for row in log), encoding="utf-8")
    rows = [(*row, *(("Mario", f"Person{at}x") if at else contact)) for at, row in enumerate(KEPT)]
    for name in ("people.csv", "here/now.csv"):
        write(case / name, rows, (*COLUMNS, "contact_first", "contact_last"))
    found = audited(case)
    assert (found.verdict, seen(found)["named"]) == (Verdict.INCONCLUSIVE, 1)
    assert audited(case, words='"copies-are-others"').verdict is Verdict.PASS


def test_words_of_two_people_who_stay_are_nobody_s_name(case: Path) -> None:
    log = [{**each, "terms": ["Zsófia Achterhuis"] if each["record_ids"] == [GONE[0]] else each["terms"]} for each in LOG]
    (case / "deletions.jsonl").write_text("".join(json.dumps(row) + "\n" for row in log), encoding="utf-8")
    rows = [(*row, ("Zsófia", "Mario")[at % 2], ("Tom", "Achterhuis", "Lee")[at % 3]) for at, row in enumerate(KEPT)]
    rows = [row for row in rows if row[-2:] != ("Zsófia", "Achterhuis")]
    for name in ("people.csv", "here/now.csv"):
        write(case / name, rows, (*COLUMNS, "contact_first", "contact_last"))
    assert audited(case).verdict is Verdict.PASS


def test_a_name_beside_another_column_is_nobody_s_first_and_last_name(case: Path) -> None:
    """“Krause” and “pro” next to one another are two cells of people who stay, not “pro David Krause” turned round."""
    people = [(row[0], f"{('Ann', 'Zoe', 'Ida')[at % 3]} {('Krause', 'Dietz', 'Lang', 'Voss')[at % 4]}{at // 12 * 'x'}",
               ("pro", "free")[at % 2]) for at, row in enumerate(PEOPLE)]  # fmt: skip
    people = [(each[0], "David Krause", "pro") if each[0] == GONE[0] else each for each in people]
    kept = {row[0] for row in KEPT}
    write(case / "people.csv", people, ("id", "name", "plan"))
    write(case / "here" / "now.csv", [row for row in people if row[0] in kept], ("id", "name", "plan"))
    assert audited(case).verdict is Verdict.PASS
    (case / "here" / "README.txt").write_text("pro, David Krause\n")
    assert audited(case).verdict is Verdict.FAIL


BY_COLUMNS = Spellings.of(
    (), ("Jonas Hasselbach",), others=frozenset({"hasselbach", "greta"}), initials=frozenset({("g", "hasselbach")})
)


@pytest.mark.parametrize("text", ["see Hasselbach, J.", "J. Hasselbach", "jhasselbach", "Hasselbach J."])
def test_an_initial_tells_namesakes_apart(text: str) -> None:
    assert BY_COLUMNS.met_in(text).named == {"Jonas Hasselbach"}


@pytest.mark.parametrize("text", ["see Hasselbach, G.", "G. Hasselbach", "Greta J. Hasselbach", "Ms Hasselbach", "ghasselbach"])
def test_an_initial_of_somebody_who_stays_is_theirs(text: str) -> None:
    assert not BY_COLUMNS.met_in(text).named


@pytest.mark.attempt("deleted people in places")
@pytest.mark.parametrize(("note", "verdict"), [("see Hasselbach, J.", Verdict.INCONCLUSIVE), ("Hasselbach, G.", Verdict.PASS)])
def test_a_surname_with_an_initial_leaves_a_place_open_where_nobody_who_stays_has_it(
    case: Path, note: str, verdict: Verdict
) -> None:
    names = {GONE[0]: ("Jonas", "Hasselbach"), KEPT[4][0]: ("Greta", "Hasselbach")}
    called = [names.get(row[0], (f"Ann{'abcdefghij'[at % 10]}", f"Ort{'klmnopqrst'[at // 10]}")) for at, row in enumerate(PEOPLE)]
    rows = [(*row, *name, note if row[0] == KEPT[7][0] else "") for row, name in zip(PEOPLE, called, strict=True)]
    columns = (*COLUMNS, "first", "last", "note")
    write(case / "people.csv", rows, columns)
    write(case / "here" / "now.csv", [row for row in rows if row[0] not in GONE], columns)
    log = [{**row, "terms": [*row["terms"], *(["Jonas Hasselbach"] if row["record_ids"] == [GONE[0]] else [])]} for row in LOG]
    (case / "deletions.jsonl").write_text("".join(json.dumps(row) + "\n" for row in log), encoding="utf-8")
    assert audited(case).verdict is verdict


@pytest.mark.parametrize("shared", [True, False])
def test_a_telephone_of_one_household_is_met_and_never_found(case: Path, shared: bool) -> None:
    """Where somebody who stays has it too, their own row accuses nobody; of the deleted person alone it does."""
    phones = {row[0]: f"+49 30 {1234567 + 1013 * at}" for at, row in enumerate(PEOPLE)}
    if shared:
        phones[KEPT[3][0]] = phones[GONE[0]]
    write(case / "people.csv", [(*row, phones[row[0]]) for row in PEOPLE], (*COLUMNS, "phone"))
    phones[KEPT[3][0]] = phones[GONE[0]]
    write(case / "here" / "now.csv", [(*row, phones[row[0]]) for row in KEPT], (*COLUMNS, "phone"))
    found = audited(case)
    assert found.verdict is (Verdict.INCONCLUSIVE if shared else Verdict.FAIL)
    assert (seen(found)["found"], seen(found)["named"]) == ((0, 1) if shared else (1, 0))
