"""Names of deleted people are met in other orders, with something between, and behind a title; lists of others accuse nobody."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from auditor.base.domain import Verdict
from auditor.parts.places.observing.normal_forms import normal
from auditor.parts.places.observing.other_spellings import Spellings
from tests.parts.places.test_places import COLUMNS, GONE, KEPT, LOG, audited, case, seen, write

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
}
NOBODY = (
    "Anna Brown, Rose Miller", "Rose and Brown", "Rose, Anna Brown", "Ms Brown", "Mr Rose", "Rose Anna Brown",
    "a rose, a brown one", "Achterhuis. Zsófia", "Zsófia\n\nAchterhuis", "Achterhuis\n\nZsófia",
    "Achterhuis \n\n Zsófia", "Ms\n\nAchterhuis",
    "Zsófia\n\nA.\n\nAchterhuis", "Z\n\nAchterhuis", "Dr. Page", "Jörg P. Krämer-Voss wrote", "R. Brown", "rbrown",
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
