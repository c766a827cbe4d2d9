"""Exports that would have access requests logged as erasures: what asks for erasure, what does not, what is asked back."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from auditor.base.errors import InputError
from auditor.case.files import Source
from auditor.cli import run
from auditor.parts.log import importing
from auditor.parts.log.importing import kinds
from auditor.parts.log.importing.kinds import Kind, asked
from auditor.parts.log.importing.people import PersonColumns, read_people
from auditor.parts.log.importing.times import Clock

MAP = {"ticket": "request_id", "records": "record_ids", "opened": "received_at", "closed": "executed_at", "state": "status"}
BERLIN = ZoneInfo("Europe/Berlin")


def export(*rows: str, names: str = "", mark: str = ",") -> Source:
    header = mark.join(["ticket", "records", "opened", "closed", "state", *filter(None, [names])])
    return Source("tickets.csv", "\n".join([header, *rows]).encode())


def of_kinds(*kinds: str, name: str = "Type") -> Source:
    """A closed ticket for each of some cells."""
    cells = [f'T-{number},C-{number},2026-03-01 09:30,2026-03-05 10:00,closed,"{kind}"' for number, kind in enumerate(kinds, 1)]
    return export(*cells, names=name)


def taken(source: Source, **changes: Any) -> importing.Imported:
    usual: dict[str, Any] = {"columns": MAP, "clock": Clock(BERLIN), "key": lambda: bytes(32)}
    usual |= changes
    usual["columns"] = tuple(usual["columns"].items())
    return importing.import_log(source, importing.Options("csv", **usual))


def ids(found: importing.Imported) -> list[str]:
    return [row["request_id"] for row in found.rows]


ERASURES = [
    *("erasure", "ERASURE", "Erase", "deletion", "Delete my data", "Data deletion request", "Right to be forgotten", "RTBF"),
    *("Right to erasure (Art. 17 GDPR)", "Art. 17", "art.17", "Article 17(1)(a)", "CCPA 1798.105", "Remove my data"),
    *("Löschung", "LOESCHUNG", "Löschantrag", "Datenlöschung gem. Art. 17 Abs. 1 lit. b DSGVO", "Recht auf Vergessenwerden"),
    *("Effacement", "Droit à l'effacement", "Demande de suppression", "Droit à l’oubli"),
    *("Supresión", "Derecho al olvido", "Cancelación de datos", "borrado"),
    *("Cancellazione", "diritto all'oblio", "richiesta di cancellazione dei dati personali"),
    *("Verwijdering", "Recht op vergetelheid", "gegevenswissing", "verwijderverzoek"),
    *("DSAR - deletion", "Lo\u0308schung", "\uff25rasure"),
]
OTHERS = [
    *("access", "Subject access request", "DSAR", "Right to know", "Art. 15", "Copy of my data", "information request"),
    *("Auskunft", "AUSKUNFTSERSUCHEN", "Auskunft nach Art. 15 DSGVO", "Akteneinsicht", "Selbstauskunft"),
    *("Droit d'accès", "acceso", "Diritto di accesso", "Inzage", "Recht op inzage"),
    *("rectification", "Berichtigung", "Art. 16", "portability", "Datenübertragbarkeit", "Art. 20", "restriction", "Art. 18"),
    *("objection", "Widerspruch", "opt-out", "Do not sell", "sale:opt-out", "Art. 21", "Bezwaar"),
]
UNKNOWN = [
    *("", "Other", "Sonstiges", "DSR", "GDPR request", "17", "K-17", "D", "n/a", "suppression", "remove", "Wissen"),
    *("no erasure", "Do not delete my data", "keine Löschung", "Erasure rejected", "Deletion confirmation", "Löschbestätigung"),
    *("Löschsperre", "Art. 17(3)", "Art. 17 Abs. 3", "Art. 6", "Art. 18 LGPD", "Delete cookies", "complaint about deletion"),
]
MIXED = [
    "access + erasure",
    "Access and deletion",
    "Auskunft und Löschung",
    "Art. 15, 17",
    "Art. 15-17",
    "DSAR + erasure",
    "object to erasure",
]


@pytest.mark.parametrize("value", ERASURES)
def test_what_asks_for_erasure_is_known_in_six_languages(value: str) -> None:
    assert asked(value) == {Kind.ERASURE}


@pytest.mark.parametrize("value", OTHERS)
def test_what_asks_for_something_else_is_no_erasure(value: str) -> None:
    assert asked(value)
    assert Kind.ERASURE not in asked(value)


@pytest.mark.parametrize("value", UNKNOWN)
def test_a_value_with_one_word_that_is_not_known_is_not_known(value: str) -> None:
    assert asked(value) == frozenset()


@pytest.mark.parametrize("value", MIXED)
def test_what_asks_for_two_things_is_neither(value: str) -> None:
    assert Kind.ERASURE in asked(value)
    assert len(asked(value)) > 1


@pytest.mark.parametrize("name", ["Type", "Anliegen", "Betreff", "Thema", "column 7", "Labels"])
@pytest.mark.parametrize("other", ["access", "DSAR", "Auskunft", "Art. 15", "Droit d'accès", "Inzage"])
def test_an_access_request_is_never_imported_as_an_erasure(name: str, other: str) -> None:
    """Whatever its column is called: the values tell."""
    found = taken(of_kinds("Erasure", other, "Erasure", name=name))
    assert ids(found) == ["T-1", "T-3"]
    assert found.left_out == {other: 1}
    assert found.problems == ()
    (alone,) = taken(of_kinds(other, name=name)).left_out.items()
    assert alone == (other, 1)


def test_two_spellings_of_one_kind_are_counted_together() -> None:
    assert taken(of_kinds("erasure", "Access", "ACCESS")).left_out == {"Access": 2}


@pytest.mark.parametrize("value", [each for each in UNKNOWN if each] + MIXED)
def test_a_value_that_is_not_known_is_asked_back_and_never_imported(value: str) -> None:
    found = taken(of_kinds("Löschung", value, "Auskunft", value))
    assert ids(found) == ["T-1"]
    (problem,) = found.problems
    assert problem.where == "column Type"
    assert f"{json.dumps(value, ensure_ascii=False)} (2)" in problem.found
    assert '"Löschung" (1, erasure)' in problem.found
    assert '--erasures "Type=VALUE"' in problem.expected
    assert (found.total, found.not_understood, found.left_out) == (4, 2, {"Auskunft": 1})


def test_an_empty_cell_says_nothing() -> None:
    found = taken(of_kinds("Löschung", "", "Auskunft"))
    assert ids(found) == ["T-1"]
    assert [(each.where, each.found) for each in found.problems] == [("column Type", "nothing in 1 row(s)")]


def test_codes_are_asked_back_where_the_name_of_their_column_tells_what_they_are() -> None:
    found = taken(of_kinds("15", "17", "17"))
    assert found.rows == ()
    assert found.problems[0].found == '"17" (2), "15" (1)'
    told = taken(of_kinds("15", "17", "17"), erasures={"Type": frozenset({"17"})})
    assert (ids(told), told.left_out, told.problems) == (["T-2", "T-3"], {"15": 1}, ())


def test_what_was_told_comes_on_top_of_known_erasures() -> None:
    """Every other value that was not named is something else; case counts for nothing, and no known erasure is left out."""
    found = taken(of_kinds("Erasure", "access + erasure", "Other", ""), erasures={"Type": frozenset({"ACCESS + erasure"})})
    assert ids(found) == ["T-1", "T-2"]
    assert found.left_out == {"Other": 1, "Type empty": 1}
    many = ("Löschung", "right to be forgotten", "Löschantrag wegen Umzugs", "Auskunft", "erasure")
    found = taken(of_kinds(*many), erasures={"Type": frozenset({"Löschantrag wegen Umzugs"})})
    assert (ids(found), found.left_out) == (["T-1", "T-2", "T-3", "T-5"], {"Auskunft": 1})
    assert ids(taken(of_kinds("Erasure", ""), erasures={"Type": frozenset({"", "erasure"})})) == ["T-1", "T-2"]
    assert ids(taken(of_kinds("15", "x", ""), erasures={"Type": frozenset({"*"})})) == ["T-1", "T-2", "T-3"]


def test_a_value_that_was_told_and_that_no_row_has_is_a_slip() -> None:
    (problem,) = taken(of_kinds("Löschen!", "Auskunft"), erasures={"Type": frozenset({"Lösche"})}).problems
    assert problem.where == "column Type"
    assert '"losche" in no row; there are "Löschen!" (1), "Auskunft" (1)' in problem.found


def test_a_column_for_each_right_is_read_as_one() -> None:
    """A cross under "Access" and none under "Erasure"."""
    rows = [f"T-{n},C-{n},2026-03-01 09:30,2026-03-05 10:00,closed,{flags}" for n, flags in enumerate(("x,", ",x"), 1)]
    found = taken(export(*rows, names="Erasure,Access"))
    assert found.rows == ()
    assert {each.where for each in found.problems} >= {"column Erasure"}
    assert ids(taken(export(*rows, names="Erasure,Access"), erasures={"Erasure": frozenset({"x"})})) == ["T-1"]


def test_free_text_that_speaks_of_access_is_asked_about_and_not_repeated() -> None:
    texts = [f"Ann Smith number {n} wants us to delete everything about her" for n in range(20)] + [
        "Ann Smith wants access to it"
    ]
    found = taken(of_kinds(*texts, name="Summary"))
    (problem,) = found.problems
    assert problem.where == "column Summary"
    assert "1 row(s) that name access" in problem.found
    assert "Smith" not in str(problem)
    assert '--erasures "Summary=*"' in problem.expected
    assert len(taken(of_kinds(*texts, name="Summary"), erasures={"Summary": frozenset({"*"})}).rows) == 21


def test_two_columns_that_say_different_things_are_asked_about() -> None:
    rows = [
        "T-1,C-1,2026-03-01 09:30,2026-03-05 10:00,closed,Erasure,Auskunft",
        "T-2,C-2,2026-03-01 09:30,,open,Erasure,Löschung",
    ]
    found = taken(export(*rows, names="Type,Thema"))
    assert ids(found) == ["T-2"]
    assert [each.where for each in found.problems] == ["column Type, Thema"]


@pytest.mark.parametrize("target", ["basis", "note"])
def test_a_column_that_the_log_keeps_as_a_note_is_looked_at_as_well(target: str) -> None:
    found = taken(of_kinds("erasure", "access", name="topic"), columns={**MAP, "topic": target})
    assert ids(found) == ["T-1"]


def test_reasons_that_name_the_law_say_nothing_of_what_was_asked_for() -> None:
    source = export(
        "T-1,C-1,2026-03-01 09:30,,rejected,claims,Art. 17(3)(e)", "T-2,C-2,2026-03-01 09:30,,open,,", names="why,law"
    )
    assert ids(taken(source, columns={**MAP, "why": "reason", "law": "exception"})) == ["T-1", "T-2"]


# What became of tickets.


@pytest.mark.parametrize(("word", "state"), [("withdrawn", "revoked"), ("zurückgezogen", "revoked"), ("no data", "no_match")])
def test_a_ticket_that_was_turned_down_was_answered_when_it_was_closed(word: str, state: str) -> None:
    found = taken(export(f"T-1,C-1,2026-03-01 09:30,2026-03-05 10:00,{word}"))
    (row,) = found.rows
    assert (row["status"], row["answered_at"], "executed_at" in row) == (state, "2026-03-05T10:00:00+01:00", False)
    assert found.answered == {state: 1}


def test_one_ticket_that_was_turned_down_says_nothing_of_when_others_were_answered() -> None:
    """The log has no date for them, and `log.deadlines` does not count them as never answered for it."""
    rows = ["T-1,C-1,2026-03-01 09:30,2026-03-05 10:00,withdrawn", "T-2,C-2,2026-03-01 09:30,2026-03-06 10:00,closed"]
    found = taken(export(*rows))
    assert [row.get("answered_at", "")[:10] for row in found.rows] == ["2026-03-05", ""]
    assert found.rows[1]["executed_at"].startswith("2026-03-06")


@pytest.mark.parametrize(
    ("name", "word"), [("erased on", "rejected"), ("gelöscht am", "withdrawn"), ("executed_at", "rejected"), ("closed", "open")]
)
def test_a_request_that_was_turned_down_and_carried_out_contradicts_itself_at_once(name: str, word: str) -> None:
    source = Source(
        "t.csv",
        f"ticket,records,opened,{name},state,why,law\nT-1,C-1,2026-03-01 09:30,2026-03-05 10:00,{word},a,b\n".encode(),
    )
    columns = {each: to for each, to in MAP.items() if to != "executed_at"}
    columns |= {name: "executed_at", "why": "reason", "law": "exception"}
    found = taken(source, columns=columns)
    assert found.rows == ()
    assert [each.where for each in found.problems] == [f"row 2, column {name}"]


@pytest.mark.parametrize(
    ("state", "other"), [("closed", "Rejected"), ("closed", "withdrawn"), ("", "abgelehnt"), ("done", "no data")]
)
def test_a_column_that_turns_a_request_down_is_not_passed_over(state: str, other: str) -> None:
    """The state is "closed", and how it was closed stands elsewhere."""
    source = export(f"T-1,C-1,2026-03-01 09:30,2026-03-05 10:00,{state},{other}", names="Resolution")
    found = taken(source)
    assert found.rows == ()
    (problem,) = found.problems
    assert problem.where == "column Resolution"
    assert "--map Resolution=status" in problem.expected
    assert len(taken(source, columns={**MAP, "Resolution": "note"}).rows) == 1


# How tables are written.


@pytest.mark.parametrize("mark", [",", ";", "\t", "|"])
@pytest.mark.parametrize("start", ["", "\ufeff"])
def test_separators_and_marks_of_order_are_recognised(mark: str, start: str) -> None:
    lines = [
        mark.join(["ticket", "records", "opened", "closed", "state"]),
        mark.join(["T-1", "C-1", "01.03.2026", "05.03.2026", "closed"]),
    ]
    found = taken(Source("t.csv", (start + "\r\n".join(lines)).encode()))
    assert (ids(found), found.mark, found.problems) == (["T-1"], mark, ())


def test_excel_in_two_bytes_a_character_and_its_first_line_are_read() -> None:
    text = "sep=;\r\nticket;records;opened;state\r\nT-1;C-1;01.03.2026;parked\r\n"
    columns = {name: to for name, to in MAP.items() if name != "closed"}
    found = taken(Source("t.csv", b"\xff\xfe" + text.encode("utf-16-le")), columns=columns)
    assert found.problems[0].where == "row 3, column state"


def test_bytes_that_are_no_unicode_say_how_to_save_the_file() -> None:
    with pytest.raises(importing.InputError, match="CSV UTF-8"):
        taken(Source("t.csv", "ticket;records\nT-1;Müller".encode("cp1252")))


def test_of_two_marks_in_a_header_the_one_counts_that_rows_agree_on() -> None:
    source = Source(
        "t.csv", b"ticket;records;opened, local;state\nT-1;C-1;2026-03-01 09:30;open\nT-2;C-1, C-2;2026-03-01 09:30;open\n"
    )
    found = taken(
        source, columns={"ticket": "request_id", "records": "record_ids", "opened, local": "received_at", "state": "status"}
    )
    assert [row["record_ids"] for row in found.rows] == [["C-1"], ["C-1", "C-2"]]


def test_whole_numbers_with_a_decimal_comma_are_one_id_and_not_two() -> None:
    rows = ["T-1;10003,0;2026-03-01 09:30;;open", "T-2;10004,0;2026-03-01 09:30;;open"]
    found = taken(export(*rows, mark=";"))
    assert [row["record_ids"] for row in found.rows] == [["10003"], ["10004"]]
    assert found.decimals == ("records",)
    assert "records: whole numbers with a decimal comma; 12,0 is read as 12." in importing.described(found)
    two = taken(export("T-1;12,15;2026-03-01 09:30;;open", mark=";"))
    assert two.rows[0]["record_ids"] == ["12", "15"]


def test_a_table_of_people_may_have_semicolons_too() -> None:
    people = PersonColumns("email", "customer")
    known = read_people(Source("people.csv", "\ufeffemail;customer\nann@example.com;C-7,C-8\n".encode()), people)
    assert known.records_of("Ann@example.com") == ("C-7", "C-8")


def test_an_hour_that_there_was_twice_is_said_with_its_row() -> None:
    rows = [
        "T-1,C-1,2026-10-25 02:30,25.10.2026 02:45:10,closed",
        "T-2,C-2,2026-10-25 03:30,2026-10-25T02:30:00+02:00,closed",
        "T-3,C-3,2026-10-25,26.10.2026,closed",
    ]
    found = taken(export(*rows))
    assert [(each.row, each.column, each.read) for each in found.twice] == [
        (2, "opened", "2026-10-25T02:30:00+02:00"),
        (2, "closed", "2026-10-25T02:45:10+01:00"),
    ]
    said = [line for line in importing.described(found) if "twice" in line]
    assert said[0].startswith("Row 2, column opened: the clocks showed 2026-10-25 02:30 twice; read as 2026-10-25T02:30:00+02:00")


# Of whom nothing is held.


def people(*rows: str) -> importing.Identities:
    return read_people(Source("people.csv", "\n".join(["email,customer", *rows]).encode()), PersonColumns("email", "customer"))


def test_records_that_are_not_known_are_no_match_only_if_told() -> None:
    source = export("T-1,C-1,2026-03-01 09:30,2026-03-05 10:00,closed", "T-2,Q-9,2026-03-01 09:30,,open")
    known = {"known_records": frozenset({"C-1", "C-2"}), "known_in": "people.csv"}
    refused = taken(source, **known)
    assert [(each.where, each.expected) for each in refused.problems] == [
        (
            "row 3, column records",
            "ids that people.csv holds, as it was before the erasures; or --unknown no-match, if nothing was ever held of them",
        )
    ]
    found = taken(source, **known, unknown_as_no_match=True)
    assert [(row["status"], row["record_ids"], "executed_at" in row) for row in found.rows] == [
        ("executed", ["C-1"], True),
        ("no_match", ["Q-9"], False),
    ]
    assert found.unmatched == {"open": 1}


@pytest.mark.parametrize(
    ("state", "taken_over"),
    [("closed", False), ("open", False), ("denied", True), ("no match", True), ("withdrawn", True)],
)
def test_a_ticket_that_was_carried_out_never_becomes_one_of_somebody_of_whom_nothing_is_held(
    state: str, taken_over: bool
) -> None:
    # A table from after the erasures knows none of the people who were erased.
    source = export(f"T-1,Q-9,2026-03-01 09:30,2026-03-05 10:00,{state}")
    found = taken(source, known_records=frozenset({"C-1"}), known_in="now.csv", unknown_as_no_match=True)
    assert [row["status"] for row in found.rows] == ["no_match"] * taken_over
    said = [each.expected for each in found.problems]
    assert all("as it was before the erasures: the ticket says that it was carried out" in each for each in said)
    assert len(said) == (not taken_over)


def test_a_person_whose_ticket_was_carried_out_is_not_somebody_of_whom_nothing_is_held() -> None:
    source = Source(
        "tickets.csv",
        b"key,mail,created,resolved,status\nT-1,di@example.com,2026-03-01T09:30:00Z,2026-03-05T10:00:00Z,closed\n",
    )
    columns = {"key": "request_id", "created": "received_at", "resolved": "executed_at", "status": "status"}
    options = importing.Options(
        "csv",
        tuple(columns.items()),
        person=PersonColumns("mail", "customer"),
        identities=people("ann@example.com,C-7"),
        unknown_as_no_match=True,
        key=lambda: b"k" * 32,
    )
    found = importing.import_log(source, options)
    assert found.rows == ()
    assert "--unknown no-match cannot answer" in found.problems[0].expected


def test_a_ticket_with_known_and_unknown_records_is_no_match_in_no_case() -> None:
    source = export("T-1,C-1;Q-9,2026-03-01 09:30,2026-03-05 10:00,closed")
    found = taken(source, known_records=frozenset({"C-1"}), known_in="people.csv", unknown_as_no_match=True)
    assert (found.rows, found.problems[0].found) == ((), "1 of 2 that it does not hold")


@pytest.mark.parametrize("written", ["c-1", "\u0421-1"])
@pytest.mark.parametrize("state", ["denied", "no data"])
def test_a_record_that_is_known_in_another_spelling_is_no_match_in_no_case(written: str, state: str) -> None:
    source = export(f"T-1,{written},2026-03-01 09:30,2026-03-05 10:00,{state}")
    found = taken(source, known_records=frozenset({"C-1"}), known_in="people.csv", unknown_as_no_match=True)
    assert found.rows == ()
    assert "--map COLUMN=near_match" in found.problems[0].expected


def test_a_person_whose_address_has_a_slip_is_no_match_in_no_case() -> None:
    """The log holds a pseudonym alone, by which nobody could find the slip later."""
    source = Source("t.csv", b"ticket,email,opened,state\nT-1,ann@exmaple.com,2026-03-01 09:30,open\n")
    columns = {"ticket": "request_id", "opened": "received_at", "state": "status"}
    person = PersonColumns("email", "customer")
    found = taken(source, columns=columns, person=person, identities=people("ann@example.com,C-7"), unknown_as_no_match=True)
    assert found.rows == ()
    assert found.problems[0].where == "row 2, column email"
    assert "ann" not in str(found.problems[0]).replace("another", "")
    told = taken(
        Source("t.csv", b"ticket,email,opened,state,why\nT-1,ann@exmaple.com,2026-03-01 09:30,open,a namesake\n"),
        columns={**columns, "why": "near_match"},
        person=person,
        identities=people("ann@example.com,C-7"),
        unknown_as_no_match=True,
    )
    assert told.rows[0]["status"] == "no_match"


# The command.


def test_what_is_left_out_is_counted_on_the_terminal_and_beside_the_log(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    path, log = tmp_path / "tickets.csv", tmp_path / "log.jsonl"
    path.write_bytes(of_kinds("erasure", "access", "access", "Berichtigung").data)
    words = ["--map", ",".join(f"{name}={to}" for name, to in MAP.items()), "--timezone", "Europe/Berlin", "-o", str(log)]
    assert run(["log", "import", str(path), *words]) == 0
    said = capfd.readouterr().err
    assert "2 rows left out, as nothing says that they ask for erasure (--erasures names what does): access." in said
    assert "1 row left out, as nothing says that it asks for erasure (--erasures names what does): Berichtigung." in said
    assert "In all 3 of 4 rows left out." in said
    told = json.loads((tmp_path / "log.import.json").read_text(encoding="utf-8"))
    assert (told["left_out"], told["requests"], told["export"]["rows"]) == ({"access": 2, "Berichtigung": 1}, 1, 4)
    assert told["head"] == json.loads(log.read_text(encoding="utf-8"))["entry_hash"]
    assert told["kind_of_request_in"] == ["Type"]


def test_what_else_a_ticket_asks_for_is_kept_and_counted(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    path, log = tmp_path / "tickets.csv", tmp_path / "log.jsonl"
    path.write_bytes(of_kinds("erasure", "access and erasure", "access").data)
    words = ["--map", ",".join(f"{name}={to}" for name, to in MAP.items()), "--timezone", "Europe/Berlin", "-o", str(log)]
    assert run(["log", "import", str(path), *words]) == 2, "one of both is asked back"
    assert run(["log", "import", str(path), *words, "--erasures", "Type=access and erasure"]) == 0
    said = capfd.readouterr().err
    assert "1 request(s) also ask for access: the log keeps that in also_asked" in said
    rows = [json.loads(line) for line in log.read_text(encoding="utf-8").splitlines()]
    assert [each.get("also_asked") for each in rows] == [None, "access"]
    assert json.loads((tmp_path / "log.import.json").read_text(encoding="utf-8"))["also_asked"] == {"access": 1}


def test_where_each_right_has_a_column_the_other_crosses_are_kept_too() -> None:
    found = kinds.Asked(("Erasure",), {"Erasure": frozenset({"x"})}, ())
    assert found.also({"Erasure": "x", "Access": "X", "Portability": "no", "Note": "yes"}) == ("access",)
    by_kind = kinds.Asked(("Type",), {"Type": frozenset({"both"})}, ())
    assert by_kind.also({"Type": "both", "Consent": "yes"}) == ()
    rows = [{"Type": "access"}, {"Type": "Auskunft und Löschung"}, {"Type": "erasure"}]
    all_of_them = kinds.of_columns(rows, ["Type"], {"Type": frozenset({"*"})}, None)
    assert [all_of_them.also(each) for each in rows] == [("access",), ("access",), ()]


def test_what_cannot_be_told_is_said_at_once_and_nothing_is_written(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    path, log = tmp_path / "tickets.csv", tmp_path / "log.jsonl"
    path.write_bytes(
        export(
            "T-1,C-1,2026-03-01 09:30,,closed,Other,",
            "T-2,C-2,yesterday,,open,erasure,",
            "T-3,C-3,2026-03-01 09:30,,rejected,erasure,",
            names="Type,empty",
        ).data
    )
    words = ["--map", ",".join(f"{name}={to}" for name, to in MAP.items()), "--timezone", "Europe/Berlin", "-o", str(log)]
    assert run(["log", "import", str(path), *words]) == 2
    said = capfd.readouterr().err
    for each in ("column Type: expected", "row 3, column opened: expected", "columns reason, exception: expected"):
        assert each in said
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize("column", ["E-Mail", "email"])
def test_export_and_table_have_to_call_the_person_alike_and_either_message_says_so(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], column: str
) -> None:
    export, people = tmp_path / "tickets.csv", tmp_path / "people.csv"
    export.write_text("request_id,E-Mail,received_at\nT-1,a@b.example,2026-01-02T10:00:00Z\n", encoding="utf-8")
    people.write_text("id,email\nC-1,a@b.example\n", encoding="utf-8")
    words = ["--person", f"{column}=id", "--people", str(people), "-o", str(tmp_path / "log.jsonl")]
    assert run(["log", "import", str(export), *words]) == 2
    said = capfd.readouterr().err
    assert "did you mean" in said
    assert "export and table have to call the column A of --person A=B alike" in said


def test_only_other_requests_make_no_log(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "tickets.csv"
    path.write_bytes(of_kinds("access", "Auskunft").data)
    words = ["--map", ",".join(f"{name}={to}" for name, to in MAP.items()), "--timezone", "Europe/Berlin"]
    assert run(["log", "import", str(path), *words, "-o", str(tmp_path / "log.jsonl")]) == 2
    assert "none of 2 row(s) is an erasure request; nothing was written" in capfd.readouterr().err


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--erasures", "Type"], "--erasures: expected COLUMN=VALUE, found Type"),
        (["--erasures", "Tpye=x"], "(did you mean Type?)"),
        (["--erasures", "Type=*", "--erasures", "Type=a"], "found both"),
        (["--unknown", "no-match"], "expected --people TABLE as well"),
    ],
)
def test_options_that_do_not_fit_are_refused(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], words: list[str], said: str
) -> None:
    path = tmp_path / "tickets.csv"
    path.write_bytes(of_kinds("erasure").data)
    usual = ["--map", ",".join(f"{name}={to}" for name, to in MAP.items()), "-o", str(tmp_path / "log.jsonl")]
    assert run(["log", "import", str(path), *usual, *words]) == 2
    assert said in capfd.readouterr().err


def test_record_ids_are_held_against_a_table_by_their_own_column(tmp_path: Path) -> None:
    (tmp_path / "tickets.csv").write_bytes(export("T-1,C-1,2026-03-01 09:30,,open", "T-2,Q-9,2026-03-01 09:30,,open").data)
    (tmp_path / "people.csv").write_text("records;name\nC-1;x\nC-2;y\n")
    words = ["--map", ",".join(f"{name}={to}" for name, to in MAP.items()), "--timezone", "Europe/Berlin"]
    words += ["--people", str(tmp_path / "people.csv"), "-o", str(tmp_path / "log.jsonl")]
    assert run(["log", "import", str(tmp_path / "tickets.csv"), *words]) == 2
    assert run(["log", "import", str(tmp_path / "tickets.csv"), *words, "--unknown", "no-match"]) == 0
    rows = [json.loads(line) for line in (tmp_path / "log.jsonl").read_text().splitlines()]
    assert [row["status"] for row in rows] == ["open", "no_match"]


@pytest.mark.attempt("tickets that vanish")
@pytest.mark.parametrize("both", ["Löschung & Auskunft", "Access and erasure", "Recht auf Vergessen und Kopie"])
def test_what_asks_for_erasure_as_well_is_asked_back_where_other_values_were_named(both: str) -> None:
    found = taken(of_kinds("Wunsch", both), erasures={"Type": frozenset({"Wunsch"})})
    assert any(both in each.found for each in found.problems)
    assert not found.left_out
    named = taken(of_kinds("Wunsch", both), erasures={"Type": frozenset({"Wunsch", both})})
    assert ids(named) == ["T-1", "T-2"]
    assert not named.problems


def opendsr(**more: Any) -> dict[str, Any]:
    return {
        "subject_request_id": "D-1",
        "subject_request_type": "erasure",
        "submitted_time": "2026-03-01T10:00:00Z",
        "request_status": "pending",
        "subject_identities": [{"identity_type": "controller_customer_id", "identity_value": "C-1"}],
        **more,
    }


def of_json(text: str, form: str = "opendsr") -> importing.Imported:
    name = "log.jsonl" if form == "jsonl" else "export.json"
    return importing.import_log(Source(name, text.encode()), importing.Options(form, key=lambda: bytes(32)))


OTHER = json.dumps([{"identity_type": "controller_customer_id", "identity_value": "C-2"}])


@pytest.mark.attempt("tickets that vanish")
def test_a_record_that_an_export_names_under_a_name_that_is_there_twice_does_not_vanish() -> None:
    twice = json.dumps(opendsr())[:-1] + f', "subject_identities": {OTHER}}}'
    with pytest.raises(InputError, match="twice"):
        of_json(f"[{twice}]")
    assert any("twice" in each.found for each in of_json(f"{twice}\n{json.dumps(opendsr())}").problems)
    nested = opendsr(more={"subject_identities": json.loads(OTHER)})
    assert any("twice" in each.found for each in of_json(json.dumps([nested, opendsr()])).problems)
    own = '{"request_id": "1", "record_ids": ["C-1"], "received_at": "2026-03-01T10:00:00Z", "record_ids": ["C-2"]}'
    good = own.replace(', "record_ids": ["C-2"]', "")
    assert any("twice" in each.found for each in of_json(f"{own}\n{good}", "jsonl").problems)


@pytest.mark.attempt("tickets that vanish")
def test_requests_alongside_the_listed_ones_are_asked_back() -> None:
    with pytest.raises(InputError, match="all requests under requests"):
        of_json(json.dumps({"requests": [opendsr()], "page2": [opendsr(subject_request_id="D-2")]}))


def test_several_values_of_one_identity_are_several_records() -> None:
    both = [{"identity_type": "controller_customer_id", "identity_value": ["C-1", "C-2"]}]
    (row,) = of_json(json.dumps([opendsr(subject_identities=both)])).rows
    assert row["record_ids"] == ["C-1", "C-2"]


@pytest.mark.attempt("tickets that vanish")
def test_records_in_two_columns_are_asked_back_where_they_differ() -> None:
    columns = {**MAP, "also": "record_ids"}
    found = taken(export("T-1,C-1,2026-03-01 09:30,2026-03-05 10:00,closed,C-2", names="also"), columns=columns)
    assert any("record ids in one column" in each.expected for each in found.problems)
    same = taken(export("T-1,C-1,2026-03-01 09:30,2026-03-05 10:00,closed,C-1", names="also"), columns=columns)
    assert not same.problems


@pytest.mark.attempt("tickets that vanish")
def test_a_number_with_a_decimal_comma_is_asked_back_where_there_is_a_record_0() -> None:
    source = export("T-1;12,0;2026-03-01 09:30;2026-03-05 10:00;closed", mark=";")
    found = taken(source, known_records=frozenset({"0", "7", "12"}))
    assert any("there is a record 0" in each.expected for each in found.problems)
    assert taken(source, known_records=frozenset({"7", "12"})).rows[0]["record_ids"] == ["12"]


@pytest.mark.parametrize(
    "said", ["bitte auch eine Kopie meiner Daten", "Bitte um Auskunft", "please also send me a copy of my data"]
)
def test_an_erasure_whose_words_ask_for_access_too_comes_in_and_is_counted(said: str) -> None:
    rows = [f"T-{n},C-{n},2026-03-01 09:30,2026-03-05 10:00,closed,Löschung,{words}" for n, words in enumerate(["done", said], 1)]
    found = taken(export(*rows, names="Anfrageart,Bemerkung"))
    assert ids(found) == ["T-1", "T-2"]
    assert found.speaking == {"Bemerkung": 1}
    (line,) = [each for each in importing.described(found) if "Bemerkung" in each and "1 request" in each]
    assert "also_asked" in line
    assert said not in line


def test_an_erasure_that_is_told_to_be_one_and_speaks_of_access_elsewhere_is_counted() -> None:
    row = "T-1,C-1,2026-03-01 09:30,2026-03-05 10:00,closed,K-17,right of access please"
    found = taken(export(row, names="Type,Note"), erasures={"Type": frozenset({"K-17"})})
    assert found.speaking == {"Note": 1}


def test_what_is_logged_as_asked_for_as_well_is_not_counted_a_second_time() -> None:
    row = "T-1,C-1,2026-03-01 09:30,2026-03-05 10:00,closed,Access and erasure,a copy please"
    found = taken(export(row, names="Type,Note"), erasures={"Type": frozenset({"Access and erasure"})})
    assert found.also_asked == {"access": 1}
    assert found.speaking == {}


@pytest.mark.parametrize("said", ["", "done", "account closed", "deleted in CRM and shop"])
def test_words_of_an_erasure_alone_are_not_counted(said: str) -> None:
    row = f"T-1,C-1,2026-03-01 09:30,2026-03-05 10:00,closed,Erasure,{said}"
    assert taken(export(row, names="Type,Note")).speaking == {}
