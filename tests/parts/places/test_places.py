"""Places without a model: what fools a search, what leaves it open, and what passes."""

from __future__ import annotations

import base64
import csv
import gzip
import hashlib
import json
import os
import re
import sqlite3
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from auditor.api import Audit, check
from auditor.base.deletion_log import log_chain
from auditor.base.domain import Status, Verdict
from auditor.base.errors import InputError
from auditor.case.scaffold.places_alone import toml
from auditor.cli import run
from auditor.document.evidence import Evidence
from auditor.pages.letters import extract
from auditor.pages.letters import page as letter_page
from auditor.pages.main import decision, place_levels
from auditor.pages.remedies import remedies
from auditor.pages.replies import page as reply_page
from auditor.pages.replies import reply
from auditor.pages.words import conclusion
from auditor.pages.words import verdict as verdicts
from auditor.pages.words.catalogue import ENGLISH, sources
from auditor.pages.words.rendered_evidence import tell
from auditor.pages.words.texts import text
from auditor.parts.places.judging.found_at import FoundOf, FoundSpot
from auditor.parts.places.judging.places_erased import LookedFor, Observed, PlaceSeen, judge
from auditor.parts.store.observing.id_forms import shape
from auditor.settings.attestations import ATTESTABLE
from auditor.settings.places import PlacesAlone
from auditor.verdict.conclusion import Area, Kind
from auditor.verdict.conclusion import of as concluded
from judging import declared

COLUMNS = ("id", "email", "age", "income")
PEOPLE = [(f"C-{at:04d}", f"p{at}@mail.example", str(20 + at % 50), f"{1000.5 + at * 7.13:.2f}") for at in range(1, 61)]
GONE = ("C-0003", "C-0017", "C-0042")
KEPT = [row for row in PEOPLE if row[0] not in GONE]
LOG = [
    {
        "request_id": f"R-{at}",
        "record_ids": [record],
        "received_at": "2026-10-01T09:00:00+00:00",
        "executed_at": "2026-10-05T09:00:00+00:00",
        "terms": [f"p{int(record[2:])}@mail.example"],
    }
    for at, record in enumerate(GONE)
]
CASE = """\
[case]
name = "places"
controller = "Example"
contact = "privacy@places.example"
authority = "An authority"

[places]
here = {here}

[deletions]
log = "deletions.jsonl"

[policy]
required = ["places.erased"]
"""
ATTESTED = """
[claims]
attested = [{words}]
attested_by = "Kim Example"
attested_at = 2026-02-01
"""
TABLE = '\n[data]\ntable = "people.csv"\n'


def write(path: Path, rows: Any, names: tuple[str, ...] = COLUMNS) -> None:
    with path.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows([names, *rows])


def database(path: Path, rows: Any, *, wipes: bool = False) -> sqlite3.Connection:
    connection = sqlite3.connect(path)
    connection.execute(f"PRAGMA secure_delete = {'ON' if wipes else 'OFF'}")
    connection.execute("CREATE TABLE people (id TEXT, email TEXT, age INTEGER, income REAL)")
    connection.executemany("INSERT INTO people VALUES (?, ?, ?, ?)", rows)
    connection.commit()
    return connection


@pytest.fixture
def case(tmp_path: Path) -> Path:
    write(tmp_path / "people.csv", PEOPLE)
    (tmp_path / "deletions.jsonl").write_text("".join(json.dumps(row) + "\n" for row in LOG), encoding="utf-8")
    (tmp_path / "here").mkdir()
    write(tmp_path / "here" / "now.csv", KEPT)
    return tmp_path


def audited(
    case: Path, *, here: str = '"here"', table: bool = True, words: str = "", more: str = "", out: Path | None = None
) -> Audit:
    said = ATTESTED.format(words=words) if words else ""
    written = CASE.format(here=here) + (TABLE if table else "") + said + more
    (case / "audit.toml").write_text(written, encoding="utf-8")
    return check(case, out=out)


def seen(audit: Audit) -> dict[str, Any]:
    found = audit.evidence.check("places.erased").observed
    assert found is not None
    (place,) = found["places"]
    return dict(place)


def test_a_place_whose_every_byte_is_somebody_elses_passes_and_is_never_unmodified(case: Path) -> None:
    found = audited(case)
    assert found.verdict is Verdict.PASS
    conclusion = concluded(found.evidence)
    assert conclusion.kind is Kind.QUALIFIED
    assert Area.UNSAID_MODEL in {each.area for each in conclusion.not_examined}
    assert found.evidence.strength is None
    assert found.evidence.examined.store
    assert "places-only" in found.sentence


def test_who_says_that_no_model_was_trained_is_on_trust_and_no_more(case: Path) -> None:
    conclusion = concluded(audited(case, words='"no-model-trained"').evidence)
    assert conclusion.kind is Kind.QUALIFIED
    assert conclusion.no_model_by == "Kim Example"
    assert Area.UNSAID_MODEL not in {each.area for each in conclusion.not_examined}


def test_no_log_dates_the_update_of_a_model_that_nobody_trained(case: Path) -> None:
    rows = [json.loads(each) for each in (case / "deletions.jsonl").read_text(encoding="utf-8").splitlines()]
    rows[0]["model_erased_at"] = rows[0]["executed_at"]
    (case / "deletions.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    with pytest.raises(InputError, match="a log in which no model was updated: row 1"):
        audited(case, words='"no-model-trained"')
    assert audited(case).verdict is Verdict.PASS


def _beside(rows: Any) -> Callable[[Path], object]:
    return lambda here: write(here / "now.csv", [*KEPT, *rows])


def _deleted_in_place(here: Path) -> None:
    (here / "now.csv").unlink()
    connection = database(here / "now.sqlite", PEOPLE)
    connection.execute("DELETE FROM people WHERE id IN (?, ?, ?)", GONE)
    connection.commit()
    connection.close()


def _in_the_log_of_writes(here: Path) -> None:
    connection = database(here / "now.sqlite", KEPT, wipes=True)
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("INSERT INTO people VALUES (?, ?, ?, ?)", PEOPLE[2])
    connection.commit()
    connection.execute("DELETE FROM people WHERE id = ?", GONE[:1])
    connection.commit()
    for name in ("now.sqlite", "now.sqlite-wal"):
        (here / f"copy-{name}").write_bytes((here / name).read_bytes())
    connection.close()


HIDDEN: dict[str, Callable[[Path], object]] = {
    "as it is": _beside([PEOPLE[2]]),
    "another case": _beside([("c-0003", "x", "1", "2")]),
    "base64": _beside([(base64.b64encode(b"C-0003").decode(), "x", "1", "2")]),
    "a digest": _beside([(hashlib.sha256(b"C-0003").hexdigest(), "x", "1", "2")]),
    "letters that look alike": _beside([("С-0003", "x", "1", "2")]),
    "another id": _beside([("C-9999", *PEOPLE[2][1:])]),
    "packed": lambda here: (here / "old.csv.gz").write_bytes(gzip.compress((here.parent / "people.csv").read_bytes())),
    "utf-16": lambda here: (here / "old.csv").write_text((here.parent / "people.csv").read_text(), encoding="utf-16"),
    "a text": lambda here: (here / "note.txt").write_text("p17@mail.example called about C-0001", encoding="utf-8"),
    "the name of a file": lambda here: (here / "C-0042.txt").write_text("", encoding="utf-8"),
    "deleted rows": _deleted_in_place,
    "a log of writes": _in_the_log_of_writes,
}


@pytest.mark.attempt("deleted people in places")
@pytest.mark.parametrize("hide", HIDDEN.values(), ids=HIDDEN)
def test_a_deleted_person_is_found(case: Path, hide: Callable[[Path], object]) -> None:
    hide(case / "here")
    found = audited(case)
    assert found.verdict is Verdict.FAIL
    assert found.evidence.check("places.erased").status is Status.FAIL


def test_what_lies_in_deleted_rows_alone_is_told_apart(case: Path) -> None:
    _deleted_in_place(case / "here")
    place = seen(audited(case))
    assert (place["found"], place["in_rows"]) == (3, 0)


def test_what_a_live_row_says_in_its_words_lies_in_no_deleted_row(case: Path) -> None:
    """An address with a tag of its own, in a column of another table."""
    connection = database(case / "here" / "now.db", KEPT)
    connection.execute("CREATE TABLE orders (id TEXT, contact TEXT)")
    connection.execute("INSERT INTO orders VALUES (?, ?)", (KEPT[0][0], f"x {LOG[0]['terms'][0].replace('@', '+bills@')}"))
    connection.execute("INSERT INTO orders VALUES (?, ?)", (KEPT[1][0], f"x {LOG[1]['terms'][0]} y"))
    connection.commit()
    connection.close()
    place = seen(audited(case))
    assert place["found"] == place["in_rows"] > 0


def _link(here: Path) -> None:
    (here / "link.csv").symlink_to(here.parent / "people.csv")


def _unreadable(here: Path) -> Iterator[None]:
    write(here / "shut.csv", KEPT)
    (here / "shut.csv").chmod(0)
    yield


OPEN: dict[str, Callable[[Path], object]] = {
    "a link that leads out": _link,
    "a pipe": lambda here: os.mkfifo(here / "pipe"),
    "an unknown form": lambda here: (here / "index.bin").write_bytes(bytes(range(256)) * 8),
    "a column that nobody knows": lambda here: write(
        here / "more.csv", [(row[0], "likes tea") for row in KEPT], ("id", "remark")
    ),
    "an id with a number's other notation": _beside([("C-3", *KEPT[0][1:])]),
    "an archive that is shut": lambda here: (here / "old.7z").write_bytes(b"7z\xbc\xaf" + b"x" * 50),
}


@pytest.mark.attempt("deleted people in places")
@pytest.mark.parametrize("leave", OPEN.values(), ids=OPEN)
def test_what_cannot_be_read_or_explained_is_never_a_pass(case: Path, leave: Callable[[Path], object]) -> None:
    leave(case / "here")
    assert audited(case).verdict is Verdict.INCONCLUSIVE


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_a_file_that_may_not_be_read_leaves_the_place_open(case: Path) -> None:
    write(case / "here" / "shut.csv", KEPT)
    (case / "here" / "shut.csv").chmod(0)
    assert audited(case).verdict is Verdict.INCONCLUSIVE


def test_a_misspelt_column_of_ids_gets_the_one_that_was_meant(case: Path, capsys: pytest.CaptureFixture[str]) -> None:
    told = [str(case / "here"), "--data", str(case / "people.csv"), "--log", str(case / "deletions.jsonl"), "--id", "emial"]
    assert run(["scan", *told]) == 2
    assert "(did you mean email?)" in capsys.readouterr().err


def test_an_empty_place_is_open_and_a_place_within_another_is_searched_as_both(case: Path) -> None:
    (case / "empty").mkdir()
    found = audited(case, here='"here"\nempty = "empty"')
    assert found.verdict is Verdict.INCONCLUSIVE
    step = next(each for each in remedies(tell(found.evidence)) if "places.erased" in each.checks)
    assert step.action.startswith("Name the place that holds the data, or mount it: nothing lies in empty.")
    (case / "here" / "inner").mkdir()
    write(case / "here" / "inner" / "old.csv", PEOPLE)
    found = audited(case, here='"here"\ninner = "here/inner"')
    assert [each["found"] for each in (found.evidence.check("places.erased").observed or {})["places"]] == [3, 3]


@pytest.mark.attempt("deleted people in places")
def test_rows_that_are_not_the_table_s_leave_a_place_open_until_somebody_says_whose_they_are(case: Path) -> None:
    """A deleted person may be kept under an id of nobody's, or with some values in the place of somebody's."""
    _, *values = next(row for row in PEOPLE if row[0] in GONE)
    for rows in ([*KEPT, ("P-9901", *values[:-1], 1.5)], [(*KEPT[0][:-1], 1.5), *KEPT[1:]]):
        write(case / "here" / "people.csv", rows)
        assert audited(case).verdict is not Verdict.PASS


@pytest.mark.attempt("deleted people in places")
@pytest.mark.parametrize("place", ["C-0999", KEPT[0][0]], ids=["an id of nobody's", "the id of somebody who stays"])
def test_whoever_is_in_the_table_no_more_is_not_explained_under_another_id(case: Path, place: str) -> None:
    write(case / "people.csv", KEPT)
    gone = next(row for row in PEOPLE if row[0] in GONE)
    rows = {row[0]: row for row in [*KEPT, (place, *gone[1:])]}.values()
    write(case / "here" / "now.csv", [(row[0], *row[2:]) for row in rows], ("id", "age", "income"))
    assert audited(case).verdict is Verdict.INCONCLUSIVE
    write(case / "here" / "now.csv", [(row[0], *row[2:]) for row in KEPT], ("id", "age", "income"))
    assert audited(case).verdict is Verdict.PASS


@pytest.mark.attempt("deleted people in places")
def test_who_is_in_the_table_twice_and_was_deleted_once_is_no_pass_without_a_word(case: Path) -> None:
    again = ("C-0999", *next(row for row in PEOPLE if row[0] in GONE)[1:])
    log = [{key: value for key, value in row.items() if key != "terms"} for row in LOG]
    (case / "deletions.jsonl").write_text("".join(json.dumps(row) + "\n" for row in log), encoding="utf-8")
    write(case / "people.csv", [*PEOPLE, again])
    write(case / "here" / "now.csv", [*KEPT, again])
    found = audited(case)
    why = {each["code"]: each["parameters"].get("records") for each in seen(found)["open"]}
    assert (found.verdict, why) == (Verdict.INCONCLUSIVE, {"places.erased.pointing": 1})
    assert audited(case, words='"copies-are-others"').verdict is Verdict.PASS
    # The table that explains places has them still.
    write(case / "here" / "now.csv", KEPT)
    assert audited(case).verdict is Verdict.INCONCLUSIVE
    assert audited(case, words='"copies-are-others"').verdict is Verdict.PASS


@pytest.mark.attempt("deleted people in places")
def test_what_an_amendment_takes_out_of_the_terms_is_still_looked_for(case: Path) -> None:
    rows: list[dict[str, Any]] = []
    amends = {"request_id": LOG[0]["request_id"], "amended_at": "2026-10-06T09:00:00+00:00", "terms": ["nobody@mail.example"]}
    for each in (*LOG, amends):
        first = {"amends": rows[0]["entry_hash"]} if each is amends else {}
        rows.append(log_chain.chained({**first, **each}, rows[-1]["entry_hash"] if rows else None))
    (case / "deletions.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    (case / "here" / "note.txt").write_text("p3@mail.example called.\n", encoding="utf-8")
    words = '"store-holds-no-copies"'
    found = audited(case, table=False, words=words)
    assert (found.verdict, seen(found)["named"]) == (Verdict.INCONCLUSIVE, 1)
    assert audited(case, table=False, words=f'{words}, "copies-are-others"').verdict is Verdict.PASS


@pytest.mark.attempt("deleted people in places")
@pytest.mark.parametrize("name", ["{id}", "{id}.d", "{upper}"])
def test_a_folder_that_is_named_after_a_deleted_person_is_no_pass_even_if_it_is_empty(case: Path, name: str) -> None:
    identifier = GONE[0]
    (case / "here" / name.format(id=identifier, upper=identifier.replace("-", "_"))).mkdir()
    assert audited(case).verdict is not Verdict.PASS


def test_without_values_bytes_stay_unexplained_until_somebody_answers_for_them(case: Path) -> None:
    assert audited(case, table=False).verdict is Verdict.INCONCLUSIVE
    found = audited(case, table=False, words='"store-holds-no-copies"')
    assert found.verdict is Verdict.PASS
    assert "store-holds-no-copies" in {each.name for each in found.evidence.premises if each.standing == "said"}


def test_ids_alone_are_explained_without_a_table(case: Path) -> None:
    write(case / "here" / "now.csv", [(row[0],) for row in KEPT], ("id",))
    assert audited(case, table=False).verdict is Verdict.PASS
    write(case / "here" / "now.csv", [(row[0],) for row in KEPT[:1]], ("id",))
    assert audited(case, table=False).verdict is Verdict.INCONCLUSIVE  # one id of others shows nothing of how ids are written
    write(case / "here" / "now.csv", [*((row[0],) for row in KEPT), ("hidden words",)], ("id",))
    assert audited(case, table=False).verdict is Verdict.INCONCLUSIVE


def test_short_ids_are_compared_in_columns_of_ids_alone(case: Path) -> None:
    log = [{**row, "record_ids": [str(at)], "terms": []} for at, row in enumerate(LOG, start=1)]
    (case / "deletions.jsonl").write_text("".join(json.dumps(row) + "\n" for row in log), encoding="utf-8")
    write(case / "here" / "now.csv", [(str(at),) for at in range(4, 60)], ("id",))
    assert audited(case, table=False).verdict is Verdict.PASS
    (case / "here" / "note.txt").write_text("on 1 May we sold 3 of 2 kinds\n", encoding="utf-8")
    found = audited(case, table=False)
    assert found.verdict is Verdict.INCONCLUSIVE
    assert "places.erased.short" in {each["code"] for each in seen(found)["open"]}
    (case / "here" / "note.txt").unlink()
    write(case / "here" / "now.csv", [(str(at),) for at in range(3, 60)], ("id",))
    assert audited(case, table=False).verdict is Verdict.FAIL


def test_a_log_without_deletions_has_nobody_to_find(case: Path) -> None:
    log = [{key: value for key, value in row.items() if key != "executed_at"} for row in LOG]
    (case / "deletions.jsonl").write_text("".join(json.dumps(row) + "\n" for row in log), encoding="utf-8")
    found = audited(case)
    assert found.verdict is Verdict.INCONCLUSIVE
    assert found.evidence.check("places.erased").value is None


def test_a_name_that_others_may_have_accuses_nobody(case: Path) -> None:
    log = [{**row, "terms": ["Anna Schmidt"]} for row in LOG]
    (case / "deletions.jsonl").write_text("".join(json.dumps(row) + "\n" for row in log), encoding="utf-8")
    (case / "here" / "note.txt").write_text("ANNA SCHMIDT came by.\n", encoding="utf-8")
    words = '"store-holds-no-copies"'
    assert audited(case, words=words).verdict is Verdict.INCONCLUSIVE
    assert audited(case, words=f'{words}, "copies-are-others"').verdict is Verdict.PASS


def test_what_a_word_alone_clears_is_called_so_in_the_letter_the_reply_and_on_page_one(case: Path) -> None:
    """A name of one person is in a place: the scan, page one and that person's letter say the same of it."""
    own, other = LOG[0]["request_id"], LOG[1]["request_id"]
    log = [{key: value for key, value in row.items() if key != "terms"} for row in LOG]
    log[0] = {**log[0], "terms": ["Anna Schmidt"]}
    (case / "deletions.jsonl").write_text("".join(json.dumps(row) + "\n" for row in log), encoding="utf-8")
    (case / "here" / "note.txt").write_text("ANNA SCHMIDT came by.\n", encoding="utf-8")
    found = audited(case, words='"store-holds-no-copies", "copies-are-others"')
    assert found.verdict is Verdict.PASS
    (place,) = place_levels.rows(tell(found.evidence))
    assert [cell.marked for cell in place.cells] == ["○ not examined", "◐ not found, on trust", "◐ not found, on trust"]
    assert "a name or value of one deleted record, which on trust is other people’s (copies-are-others)" in place.said
    named, unnamed = (letter_page.page(extract(found.evidence, each, draft=True)) for each in (own, other))
    assert "found something that may be part of" in named.head
    assert named.head.endswith("No model was checked")
    stored = named.rows[0]
    assert (stored.mark, stored.word) == ("◐", "no copy, on our word")
    assert "That it is other people's is what we say (overleaf); nobody checked it." in stored.sentences[1]
    assert "found none there" not in " ".join(stored.sentences)
    assert text("letter-statement-copies-are-others") in named.further
    assert "was not found again" in unnamed.head
    assert "may be" not in " ".join(unnamed.rows[0].sentences), "whose name was met is told apart"
    drafted = " ".join(each.text for each in reply_page.paragraphs(reply(found.evidence, own)))
    assert "found something that may be part of it. That it is other people's is what we say; nobody checked it." in drafted


def test_a_place_in_which_nothing_was_met_is_on_nobodys_word(case: Path) -> None:
    found = audited(case, words='"store-holds-no-copies", "copies-are-others"')
    (place,) = place_levels.rows(tell(found.evidence))
    assert [cell.marked for cell in place.cells] == ["○ not examined", "● not found", "● not found"]
    assert letter_page.page(extract(found.evidence, LOG[0]["request_id"], draft=True)).rows[0].mark == "●"


def test_recorded_answers_are_on_trust(case: Path) -> None:
    answers = [{"query": "who?", "answer": [row[0] for row in KEPT[:5]]}]
    recorded = case / "answers.jsonl"
    recorded.write_text(json.dumps(answers[0]) + "\n", encoding="utf-8")
    here = '"here"\nanswers = { path = "answers.jsonl", level = "answers" }'
    assert audited(case, here=here).verdict is Verdict.INCONCLUSIVE
    found = audited(case, here=here, words='"answers-genuine"')
    assert found.verdict is Verdict.PASS
    recorded.write_text("no object\n", encoding="utf-8")
    assert audited(case, here=here, words='"answers-genuine"').verdict is Verdict.INCONCLUSIVE
    recorded.write_text(json.dumps({"query": "who?", "answer": GONE[:1]}) + "\n", encoding="utf-8")
    assert audited(case, here=here, words='"answers-genuine"').verdict is Verdict.FAIL


def _place(**values: Any) -> PlaceSeen:
    given = {"name": "here", "level": "disk", "files": 1, "bytes": 100, "unexplained": 0, "rows": 1, "found": 0, "in_rows": 0}
    return PlaceSeen.model_validate({**given, "recognised": True, **values})


def _seen(place: PlaceSeen) -> Observed:
    looked_for = LookedFor(ids=1, short_ids=0, terms=0, without_terms=1, values=1)
    return Observed(deleted=1, looked_for=looked_for, found=0, request_ids=(), places=(place,))


def test_what_nobody_can_tell_whose_it_is_is_on_our_word_in_every_letter() -> None:
    spot = FoundOf(request_id="R-1", spots=(FoundSpot(file="a.txt", line=1),))
    found = _seen(_place(named=1, named_at=(spot,)))
    assert (list(found.perhaps_ids), found.perhaps_of_any(table=True)) == (["R-1"], False)
    for name in ("alike", "named", "strangers"):
        assert _seen(_place(**{name: 1})).perhaps_of_any(table=True)
    assert not _seen(_place(strangers=2)).perhaps_of_any(table=False)


@pytest.mark.parametrize(
    ("values", "status"),
    [
        ({}, Status.PASS),
        ({"found": 1, "in_rows": 1}, Status.FAIL),
        ({"unexplained": 1}, Status.INCONCLUSIVE),
        ({"spare_bits": 65}, Status.INCONCLUSIVE),
        ({"spare_bits": 64}, Status.PASS),
        ({"recognised": False}, Status.INCONCLUSIVE),
        ({"named": 1}, Status.INCONCLUSIVE),
        ({"alike": 1}, Status.INCONCLUSIVE),
        ({"open": [{"code": "data.erased.open.shut", "parameters": {}}]}, Status.INCONCLUSIVE),
    ],
)
def test_a_judge_passes_what_is_seen_whole_and_nothing_else(values: dict[str, Any], status: Status) -> None:
    context = declared(procedure=PlacesAlone(seed=0))
    looked_for = LookedFor(ids=1, short_ids=0, terms=0, without_terms=1, values=1)
    found = int(values.get("found", 0))
    observed = Observed(deleted=1, looked_for=looked_for, found=found, request_ids=("R",) * found, places=(_place(**values),))
    assert judge(context, observed, {}).status is status


@pytest.mark.parametrize(
    ("one", "other", "alike"),
    [("C-1", "C-9999", True), ("C-1", "D1", False), ("user_1", "user_22", True), ("ab12", "12ab", True), ("12", "ab", False)],
)
def test_ids_that_count_up_have_one_shape(one: str, other: str, *, alike: bool) -> None:
    assert (shape(one) == shape(other)) is alike


def _json(captured: Any) -> dict[str, Any]:
    return dict(json.loads(captured.readouterr().out))


@pytest.mark.usefixtures("unprinted")
def test_a_scan_says_place_by_place_and_writes_a_case_to_go_on_with(case: Path, capsys: pytest.CaptureFixture[str]) -> None:
    tickets = case / "tickets.csv"
    write(
        tickets,
        [(f"T-{at}", record, "erasure", "2026-10-01", "2026-10-05") for at, record in enumerate(GONE)]
        + [("T-9", "C-0001", "access", "2026-10-01", "2026-10-05")],
        ("ticket", "customer_id", "request type", "opened", "closed"),
    )
    out = case / "out"
    told = [str(case / "here"), "--log", str(tickets), "--data", str(case / "people.csv"), "--timezone", "Europe/Berlin"]
    assert run(["scan", *told, "--out", str(out), "--json", "--quiet"]) == 0
    found = _json(capsys)
    assert (found["verdict"], found["scope"]) == ("pass", "places only")
    assert [(each["name"], each["disk"], each["answers"]) for each in found["places"]] == [("here", "clear", "not-examined")]
    assert {path.name for path in out.iterdir()} == {"audit.toml", "deletions.jsonl", "audit"}
    assert run(["check", str(out), "--quiet"]) == 0
    assert run(["verify", str(out / "audit"), "--quiet"]) == 0
    evidence = Evidence.model_validate_json((out / "audit" / "evidence.json").read_bytes())
    for page in (verdicts.sentence_of(evidence), conclusion.basis(evidence), decision.by_default(tell(evidence))):
        assert "less than the default" not in page, "a scan asks whether people are gone"
        assert "eadlines" in page
    late = evidence.reliance.model_copy(update={"left_out": ("log.consistency", "log.deadlines")})
    assert "less than the default" in conclusion.basis(evidence.model_copy(update={"reliance": late}))
    assert run(["scan", *told, "--out", str(out)]) == 2
    write(case / "here" / "old.csv", PEOPLE)
    assert run(["scan", *told]) == 1
    assert "3 deleted records were found" in capsys.readouterr().out


@pytest.mark.usefixtures("unprinted")
@pytest.mark.parametrize("column", ["Customer number", "Reporter"])
def test_a_scan_finds_the_column_that_names_people_as_init_does(
    column: str, case: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    tickets = case / "tickets.csv"
    named = {each[0]: each[1] for each in PEOPLE}
    whom = {"Customer number": GONE, "Reporter": [named[each] for each in GONE]}[column]
    rows = [(f"T-{at}", who, "2026-10-01", "2026-10-05") for at, who in enumerate(whom)]
    write(tickets, rows, ("ticket", column, "opened", "closed"))
    told = [str(case / "here"), "--log", str(tickets), "--data", str(case / "people.csv"), "--timezone", "Europe/Berlin"]
    assert run(["scan", *told]) == 0
    said = capsys.readouterr().err
    assert f"{column} \u2192 record_ids" in said or f"{column} \u2192 subject, as a keyed pseudonym; id \u2192 record_ids" in said
    assert "Searching one place for 3 deleted records among 60 known records.\n" in said
    write(tickets, [(each[0], f"C-9{at}", *each[2:]) for at, each in enumerate(rows)], ("t", "n", "opened", "closed"))
    assert run(["scan", *told, "--map", "t=request_id"]) == 2
    assert "column n: expected record ids that people.csv has in its column id" in capsys.readouterr().err


def test_a_scan_without_a_folder_says_what_to_do_and_what_was_not_kept(case: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write(case / "here" / "notes.csv", [(*row, f"called by {row[1][::-1]}") for row in KEPT], (*COLUMNS, "note"))
    told = [str(case / "here"), "--log", str(case / "deletions.jsonl")]
    assert run(["scan", *told, "--data", str(case / "people.csv")]) == 3
    said = capsys.readouterr()
    assert "of them in notes.csv; the table has no column note" in said.out
    assert "1. Have the table explain notes.csv, line 2" in said.out
    assert "--data TABLE" not in said.out
    assert "With --out DIR" in said.err
    assert run(["scan", *told]) == 3
    assert "1. Give a table with the values of the people" in capsys.readouterr().out


def test_names_of_columns_that_may_be_data_are_not_repeated(case: Path) -> None:
    (case / "here" / "now.csv").write_text("".join(",".join(row) + "\n" for row in KEPT), encoding="utf-8")
    assert seen(audited(case)).get("most_unexplained") is None


def test_the_column_that_is_named_hides_no_other_column_of_ids(case: Path) -> None:
    rows = [(str(at), record, amount) for at, (record, _, _, amount) in enumerate(PEOPLE, start=900)]
    write(case / "here" / "now.csv", rows, ("id", "customer", "income"))
    told = [str(case / "here"), "--log", str(case / "deletions.jsonl")]
    for more in (["--data", str(case / "people.csv"), "--id", "id"], ["--id", "person"], ["--id", "customer"]):
        assert run(["scan", *told, *more, "--quiet"]) == 1


@pytest.mark.usefixtures("unprinted")
def test_a_case_is_called_as_it_is_told_or_after_its_folder(case: Path, capsys: pytest.CaptureFixture[str]) -> None:
    told = [str(case / "here"), "--log", str(case / "deletions.jsonl"), "--data", str(case / "people.csv"), "--quiet"]
    for more, name in (
        (["--out", str(case / "my places")], "my places"),
        (["--out", str(case / "x"), "--name", "Shop"], "Shop"),
        ([], "here"),
    ):
        assert run(["scan", *told, *more]) == 0
        assert f"the places-only case “{name}”" in capsys.readouterr().out


def test_a_file_that_is_not_read_says_why_once(case: Path) -> None:
    (case / "here" / "now.csv").write_bytes(b"a\0b")
    derived = audited(case).evidence.check("places.erased").derived
    assert derived is not None
    assert str(derived["places"][0]["open"]).count("no-text") == 1


def test_what_is_wrong_with_a_scan_is_said_at_once(case: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["scan", str(case / "none"), str(case), "--log", str(case / "deletions.jsonl")]) == 2
    said = capsys.readouterr().err
    assert "none: expected a file or folder that is there" in said
    assert "expected a place without the deletion log in it" in said
    assert "2 problems" in said


@pytest.mark.parametrize(
    ("more", "said"),
    [
        ('\n[procedure]\nuse = "sklearn"\n', "procedure: expected no such table"),
        ("\n[swap]\npairs = 2\n", "swap: expected no such table"),
        ('\n[places.other]\npath = "nowhere"\n', "places.other: expected a file or folder that is there"),
        ('\n[places.other]\npath = "here"\nlevel = "tape"\n', "places.other.level"),
    ],
)
def test_a_case_of_places_names_what_does_not_fit(case: Path, more: str, said: str, capsys: pytest.CaptureFixture[str]) -> None:
    written = CASE.format(here='"here"') + TABLE
    (case / "audit.toml").write_text(written + more, encoding="utf-8")
    assert run(["validate", str(case)]) == 2
    assert said in capsys.readouterr().err


@pytest.mark.attempt("a deleted person in the head of a packed file")
def test_a_packed_file_whose_time_is_a_deleted_persons_number_is_open(tmp_path: Path) -> None:
    people = [(f"K{10_000 + 379 * at}", *row[1:]) for at, row in enumerate(PEOPLE)]
    gone = people[7]
    kept = [row for row in people if row is not gone]
    write(tmp_path / "people.csv", people)
    (tmp_path / "deletions.jsonl").write_text(
        json.dumps({**LOG[0], "record_ids": [gone[0]], "terms": []}) + "\n", encoding="utf-8"
    )
    (tmp_path / "here").mkdir()
    write(tmp_path / "now.csv", kept)
    for time, verdict in ((0, Verdict.PASS), (int(gone[0][1:]), Verdict.INCONCLUSIVE)):
        (tmp_path / "here" / "now.csv.gz").write_bytes(gzip.compress((tmp_path / "now.csv").read_bytes(), mtime=time))
        assert audited(tmp_path).verdict is verdict


def test_the_case_of_a_scan_names_every_statement_that_a_step_asks_for() -> None:
    steps = [source for message, source in sources(ENGLISH).items() if message.startswith("remedy-places")]
    asked = {name for step in steps for name in re.findall(r"attest ([a-z]+-[a-z-]+)", step)}
    here = Path("here")
    options = {"log": "l.csv", "places": {"a": here}, "ids": None, "table": here, "table_id": "id"}
    written = toml("x", answers={"b": here}, embed="embed.py:embed", **options)
    listed = set(re.findall(r'"([a-z-]+)"', written.partition("attested = ")[2].partition("\n")[0]))
    assert asked == {"copies-are-others", "store-holds-no-copies", "embedding-genuine", "answers-genuine"}
    assert asked <= listed <= set(ATTESTABLE)
    plain = toml("x", answers={}, **options)
    assert "genuine" not in plain
