"""Exports become deletion logs: what is mapped, what is understood, what is refused, and what is never written."""

from __future__ import annotations

import hashlib
import hmac
import json
import sys
import unicodedata
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from auditor.base.deletion_log import deletions, log_chain
from auditor.base.errors import InputError
from auditor.case.files import Source
from auditor.case.log_values import READ, STATES
from auditor.case.logs import deletion_log
from auditor.parts.log import importing
from auditor.parts.log.importing.people import PersonColumns, normal, pseudonym, read_people
from auditor.parts.log.importing.times import TIMES, Clock

KEY = bytes(range(32))
BERLIN = ZoneInfo("Europe/Berlin")
MAP = {"ticket": "request_id", "opened": "received_at", "closed": "executed_at", "state": "status"}
PERSON = PersonColumns("email", "customer_id")


def tickets(*rows: str) -> Source:
    return Source("tickets.csv", "\n".join(["ticket,email,customer_id,opened,closed,state,topic", *rows]).encode())


def taken(source: Source, export: str = "csv", **changes: Any) -> importing.Imported:
    usual: dict[str, Any] = {"key": lambda: KEY, "clock": Clock(BERLIN)}
    if export == "csv":
        usual |= {"columns": MAP, "person": PERSON}
    usual |= changes
    if isinstance(usual.get("columns"), dict):
        usual["columns"] = tuple(usual["columns"].items())
    return importing.import_log(source, importing.Options(export, **usual))


def test_one_column_of_the_export_may_be_several_of_the_log() -> None:
    columns = (*MAP.items(), ("closed", "answered_at"))
    found = taken(tickets("T-1,a@b,C-7,2026-03-01 09:30,2026-03-04 10:00,done,erasure"), columns=columns)
    (row,) = plainly(found)
    assert row["answered_at"] == row["executed_at"]
    assert json.loads(found.provenance())["map"]["closed"] == ["executed_at", "answered_at"]


def plainly(found: importing.Imported) -> list[dict[str, Any]]:
    assert found.problems == ()
    return [{name: value for name, value in row.items() if name not in log_chain.COLUMNS} for row in found.rows]


def test_a_ticket_becomes_a_row_with_a_pseudonym_and_a_chain():
    found = taken(tickets("T-1, Ann@Example.com ,C-7;C-8,2026-03-01 09:30,2026-03-05,Closed,erasure"))
    identity = hmac.new(KEY, b"auditor deletion log, person\0ann@example.com", hashlib.sha256).hexdigest()
    assert plainly(found) == [
        {
            "request_id": "T-1",
            "record_ids": ["C-7", "C-8"],
            "received_at": "2026-03-01T09:30:00+01:00",
            "executed_at": "2026-03-05T23:59:59+01:00",
            "status": "executed",
            "subject": f"hmac-sha256:{identity}",
        }
    ]
    assert found.columns.pairs == tuple(MAP.items())
    assert found.columns.unread == ("topic",)
    log = Source("log.jsonl", b"\n".join(json.dumps(row).encode() for row in found.rows))
    requests, _ = deletion_log(log)
    assert deletions.chain_head(requests) == found.head == found.rows[-1]["entry_hash"]
    assert b"example.com" not in log.data


@pytest.mark.parametrize(
    ("word", "state"),
    [
        ("closed", "executed"),
        ("Done", "executed"),
        ("completed", "executed"),
        ("pending", "open"),
        ("In Progress", "in_progress"),
        ("on-hold", "in_progress"),
        ("no_match", "no_match"),
        ("In Bearbeitung", "in_progress"),
        ("Zur\u00fcckgezogen", "revoked"),
        ("cl\u00f4tur\u00e9", "executed"),
        *((state, state) for state in STATES if state != "denied"),
    ],
)
def test_states_are_read_in_other_systems_words(word, state):
    (row,) = plainly(taken(tickets(f"T-1,a@b,C-7,2026-03-01 09:30,,{word},erasure")))
    assert row["status"] == state


@pytest.mark.parametrize("word", ["rejected", "REFUSED", "denied", "abgelehnt", "Refus\u00e9", "afgewezen"])
def test_a_refusal_is_asked_why(word):
    """Without a reason and the exception of the law it would fail `log.deadlines`."""
    (problem,) = taken(tickets(f"T-1,a@b,C-7,2026-03-01 09:30,,{word},erasure")).problems
    assert problem.found == "denied requests without: row 2"
    assert "--map COLUMN=reason and --map COLUMN=exception" in problem.expected
    source = Source(
        "tickets.csv",
        "ticket,email,customer_id,opened,state,why,law\n"
        f"T-1,a@b,C-7,2026-03-01 09:30,{word},claims are open,GDPR 17(3)(e)\n".encode(),
    )
    columns = {"ticket": "request_id", "opened": "received_at", "state": "status", "why": "reason", "law": "exception"}
    (row,) = plainly(taken(source, columns=columns))
    assert (row["status"], row["reason"], row["exception"]) == ("denied", "claims are open", "GDPR 17(3)(e)")
    bare = Source(source.name, source.data.replace(b"GDPR 17(3)(e)", b"n/a"))
    (problem,) = taken(bare, columns=columns).problems
    assert problem.found == "denied requests without: row 2"


@pytest.mark.parametrize(
    ("word", "law"), [("CCPA", "ccpa"), ("cpra", "ccpa"), ("GDPR", "eu"), ("UK-GDPR", "uk"), ("uk gdpr", "uk"), ("EU", "eu")]
)
def test_a_law_is_read_however_it_is_written(word: str, law: str) -> None:
    source = tickets(f"T-1,a@b,C-7,2026-03-01 09:30,2026-03-04 10:00,done,{word}")
    (row,) = plainly(taken(source, columns=(*MAP.items(), ("topic", "regime"))))
    assert row["regime"] == law


def test_an_unknown_state_is_refused_until_it_is_explained():
    source = tickets("T-1,a@b,C-7,2026-03-01 09:30,,parked,erasure")
    (problem,) = taken(source).problems
    assert (problem.where, problem.found) == ("row 2, column state", '"parked"')
    (row,) = plainly(taken(source, states={"Parked": "open"}))
    assert row["status"] == "open"


def test_every_column_that_holds_a_time_is_read_as_one():
    assert set(TIMES) == {name for name in READ if name.endswith("_at")}


@pytest.mark.parametrize(
    ("column", "text", "read"),
    [
        ("received_at", "2026-03-01T09:30:00Z", "2026-03-01T09:30:00+00:00"),
        ("received_at", "2026-03-01T09:30:00.5+01:00", "2026-03-01T09:30:00.500000+01:00"),
        ("received_at", "2026-07-01 09:30", "2026-07-01T09:30:00+02:00"),
        ("received_at", "01.07.2026 09:30:15", "2026-07-01T09:30:15+02:00"),
        ("received_at", "01.07.2026", "2026-07-01T00:00:00+02:00"),
        ("executed_at", "01.07.2026", "2026-07-01T23:59:59+02:00"),
        ("answered_at", "2026-07-01", "2026-07-01T23:59:59+02:00"),
        ("received_at", "2026-10-25 02:30", "2026-10-25T02:30:00+02:00"),
        ("executed_at", "2026-10-25 02:30", "2026-10-25T02:30:00+01:00"),
    ],
)
def test_times_are_read_with_the_reading_that_is_stricter_with_the_controller(column, text, read):
    assert Clock(BERLIN).read(column, text) == read


@pytest.mark.parametrize(
    ("text", "clock"),
    [
        ("2026-03-29 02:30", Clock(BERLIN)),  # the hour that the clocks leave out
        ("2026-03-01 09:30", Clock()),
        ("03/04/2026", Clock(BERLIN)),
        ("31.02.2026", Clock(BERLIN)),
        ("2026-03-01 25:00", Clock(BERLIN)),
        ("yesterday", Clock(BERLIN)),
        ("1772355600", Clock(BERLIN)),
        ("", Clock(BERLIN)),
    ],
)
def test_a_time_that_nobody_can_be_sure_of_is_refused(text, clock):
    with pytest.raises(ValueError, match=r"time|--") as raised:
        clock.read("received_at", text)
    assert len(raised.value.args) == 2


def test_dates_with_slashes_need_their_order():
    assert Clock(BERLIN, "dmy").read("received_at", "03/04/2026").startswith("2026-04-03")
    assert Clock(BERLIN, "mdy").read("received_at", "03/04/2026").startswith("2026-03-04")


def people(*rows: str) -> importing.Identities:
    return read_people(Source("people.csv", "\n".join(["email,customer_id", *rows]).encode()), PERSON)


SPELLINGS = {
    "wide": "\uff41nn@example.com",
    "wide at": "ann\uff20example.com",
    "styled": "\U0001d51enn@example.com",
    "capitals": "ANN@EXAMPLE.COM",
    "a blank that does not break": "\u00a0ann@example.com\u3000",
}


@pytest.mark.parametrize("spelling", SPELLINGS.values(), ids=SPELLINGS)
def test_spellings_that_compatibility_folds_are_one_person(spelling):
    """NFKC (Unicode Standard Annex 15) and case: one pseudonym, and the records of that person."""
    by_hand = hmac.new(KEY, b"auditor deletion log, person\0ann@example.com", hashlib.sha256).hexdigest()
    assert pseudonym(spelling, KEY) == pseudonym("ann@example.com", KEY) == f"hmac-sha256:{by_hand}"
    known = people("ann@example.com,C-7", f"{spelling},C-8")
    assert known.records_of(spelling) == known.records_of("ann@example.com") == ("C-7", "C-8")
    rows = plainly(
        taken(
            tickets(
                "T-1,ann@example.com,C-7,2026-03-01 09:30,,open,erasure",
                f"T-2,{spelling},C-8,2026-03-01 09:30,,open,erasure",
            )
        )
    )
    assert len({row["subject"] for row in rows}) == 1


@pytest.mark.parametrize(
    ("one", "other"),
    [("ren\u00e9@example.com", "rene\u0301@example.com"), ("\uff76\uff9e\uff73@example.com", "\u30ac\u30a6@example.com")],
    ids=["an accent in two ways", "half of the width"],
)
def test_a_letter_that_is_written_in_two_ways_is_one(one, other):
    assert one.casefold() != other
    composed = other if other.startswith("\u30ac") else one
    by_hand = hmac.new(KEY, b"auditor deletion log, person\0" + composed.encode(), hashlib.sha256).hexdigest()
    assert pseudonym(one, KEY) == pseudonym(other, KEY) == f"hmac-sha256:{by_hand}"


def test_who_only_looks_alike_is_somebody_else():
    """Compatible characters count for nothing; a Cyrillic letter that looks like a Latin one is another letter."""
    assert pseudonym("\u0430nn@example.com", KEY) != pseudonym("ann@example.com", KEY)
    assert pseudonym("ann@example.com", bytes(32)) != pseudonym("ann@example.com", KEY)


def test_a_ticket_of_two_people_becomes_two_rows():
    known = people("ann@example.com,C-7", "ANN@example.com,C-8", "bo@example.com,C-9")
    source = tickets("T-1,ann@example.com; bo@example.com,,2026-03-01 09:30,,open,erasure")
    rows = plainly(taken(source, identities=known))
    assert [(row["request_id"], row["record_ids"], row["subject"]) for row in rows] == [
        ("T-1", ["C-7", "C-8"], pseudonym("ann@example.com", KEY)),
        ("T-1", ["C-9"], pseudonym("bo@example.com", KEY)),
    ]


def test_without_a_table_two_people_in_one_ticket_are_refused():
    (problem,) = taken(tickets("T-1,a@b;c@d,C-7,2026-03-01 09:30,,open,erasure")).problems
    assert "--people" in problem.expected


def test_somebody_whom_the_table_does_not_know_is_no_match_only_if_told():
    source = tickets("T-1,di@example.com,,2026-03-01 09:30,,open,erasure")
    known = people("ann@example.com,C-7")
    found = taken(source, identities=known)
    assert found.rows == ()
    assert "as it was before the erasures" in found.problems[0].expected
    (row,) = plainly(taken(source, identities=known, unknown_as_no_match=True))
    assert (row["status"], row["record_ids"]) == ("no_match", [row["subject"]])


def test_a_problem_says_nothing_of_the_person():
    found = taken(tickets("T-1,di@example.com,,2026-03-01 09:30,,open,erasure"), identities=people("ann@example.com,C-7"))
    assert "example.com" not in "".join(map(str, found.problems))


def test_every_problem_of_every_row_is_named_and_the_others_are_taken():
    found = taken(
        tickets(
            "T-1,a@b,C-7,2026-03-01 09:30,,open,erasure",
            "T-2,a@b,,tomorrow,,parked,erasure",
            "T-3,a@b,C-8",
            "T-4,a@b,C-9,2026-03-01 09:30,,open,erasure",
        )
    )
    assert [row["request_id"] for row in found.rows] == ["T-1", "T-4"]
    assert [each.where for each in found.problems] == [
        "row 3, column opened",
        "row 3, column state",
        "row 3, column customer_id",
        "row 4",
    ]


@pytest.mark.parametrize(
    ("columns", "person", "where"),
    [
        ({"tiket": "request_id"}, PERSON, "--map"),
        ({**MAP, "topic": "basiss"}, PERSON, "--map"),
        ({"ticket": "request_id"}, PERSON, "received_at"),
        (MAP, None, "record_ids"),
        (MAP, PersonColumns("mail", "customer_id"), "--person"),
    ],
)
def test_a_column_that_is_not_there_is_one_problem_for_the_file(columns, person, where):
    with pytest.raises(InputError) as raised:
        taken(tickets("T-1,a@b,C-7,2026-03-01 09:30,,open,erasure"), columns=columns, person=person)
    assert where in [problem.where for problem in raised.value.problems]


def test_columns_that_are_called_as_in_the_log_need_no_map():
    source = Source("log.csv", b"Request ID,Record-IDs,received_at\nR-1,a;b,2026-03-01T09:30:00Z\n")
    (row,) = plainly(taken(source, columns={}, person=None))
    assert (row["request_id"], row["record_ids"]) == ("R-1", ["a", "b"])


def opendsr(**changes: Any) -> dict[str, Any]:
    return {
        "regulation": "gdpr",
        "subject_request_id": "a755",
        "subject_request_type": "erasure",
        "submitted_time": "2026-03-02T15:00:00Z",
        "received_time": "2026-03-02T15:00:01Z",
        "request_status": "completed",
        "subject_identities": [
            {"identity_type": "email", "identity_value": "jo@example.com", "identity_format": "raw"},
            {"identity_type": "controller_customer_id", "identity_value": "C-1", "identity_format": "raw"},
        ],
        **changes,
    }


def test_opendsr_is_read_without_a_map():
    found = taken(Source("export.json", json.dumps([opendsr(), opendsr(subject_request_type="access")]).encode()), "opendsr")
    (row,) = plainly(found)
    assert row == {
        "request_id": "a755",
        "record_ids": ["C-1"],
        "received_at": "2026-03-02T15:00:00+00:00",
        "status": "executed",
        "regime": "eu",
        "subject": pseudonym("jo@example.com", KEY),
    }
    assert found.left_out == {"access": 1}


def of_identities(*identities: tuple[str, str, str], **changes: Any) -> Source:
    members = [dict(zip(("identity_type", "identity_value", "identity_format"), each, strict=True)) for each in identities]
    return Source("export.json", json.dumps([opendsr(subject_identities=members, **changes)]).encode())


ANN = ("email", "Ann@Example.com", "raw")


@pytest.mark.parametrize("called", ["email", "identity.email"])
def test_people_of_opendsr_are_found_in_a_table_by_an_identity(called):
    columns = PersonColumns(called, "customer_id")
    table = Source("people.csv", b"email,customer_id\nann@example.com,C-7\nann@example.com,C-8\nbo@example.com,C-9\n")
    known = read_people(table, columns, "identity.")
    found = taken(of_identities(ANN), "opendsr", person=columns, identities=known)
    (row,) = plainly(found)
    assert (row["record_ids"], row["subject"]) == (["C-7", "C-8"], pseudonym("ann@example.com", KEY))
    assert found.columns.person == ("identity.email", "customer_id")


def test_two_identities_of_one_request_are_one_person():
    known = people("ann@example.com,C-7", "ann@home.example,C-8", "ann@home.example,C-7")
    both = of_identities(ANN, ("email", "ann@home.example", "raw"))
    (row,) = plainly(taken(both, "opendsr", person=PERSON, identities=known))
    assert (row["record_ids"], row["subject"]) == (["C-7", "C-8"], pseudonym("ann@example.com", KEY))


def test_records_are_those_of_the_identity_that_was_told():
    """The format's usual identity holds another system's ids here, and is named among the columns that are not taken."""
    source = of_identities(ANN, ("controller_customer_id", "CRM-1", "raw"), ("shop_id", "C-7", "raw"))
    found = taken(source, "opendsr", person=PersonColumns("email", "shop_id"))
    (row,) = plainly(found)
    assert row["record_ids"] == ["C-7"]
    assert "identity.controller_customer_id" in found.columns.unread
    with pytest.raises(InputError, match=r"--person: expected .*identity\.shop_id.*found.*till_id"):
        taken(source, "opendsr", person=PersonColumns("email", "till_id"))


@pytest.mark.attempt("tickets that vanish")
def test_a_digest_of_somebody_known_is_not_taken_for_a_stranger():
    known = people("ann@example.com,C-7")
    digest = ("email", hashlib.sha256(b"ann@example.com").hexdigest(), "sha256")
    for identities in ((digest,), (digest, ("email", "strange@example.com", "raw"))):
        source = of_identities(*identities, request_status="pending")
        found = taken(source, "opendsr", person=PERSON, identities=known, unknown_as_no_match=True)
        assert found.rows == ()
        assert found.problems[0].where == "row 1, column identity.email"
        assert (found.problems[0].found, "a digest" in found.problems[0].expected) == ('"sha256"', True)
    record = of_identities(("controller_customer_id", digest[1], "sha256"), request_status="pending")
    columns = {"controller_customer_id": "record_ids"}
    ids = frozenset({"C-7"})
    found = taken(record, "opendsr", columns=columns, known_records=ids, known_in="people.csv", unknown_as_no_match=True)
    assert (found.rows, len(found.problems)) == ((), 1)


def test_the_data_rights_protocol_is_read_line_by_line():
    said = {
        "request_id": "c789",
        "received_at": "2026-03-02T15:00:00Z",
        "exercise": "deletion",
        "regime": "ccpa",
        "email": "jo@example.com",
        "record_ids": ["C-1", "C-2"],
    }
    lines = [
        {**said, "status": "fulfilled"},
        {**said, "request_id": "c790", "status": "denied", "reason": "no_match"},
        {**said, "request_id": "c791", "status": "denied", "reason": "suspected_fraud"},
        {**said, "request_id": "c792", "exercise": "sale:opt-out", "status": "open"},
        {name: value for name, value in said.items() if name != "exercise"} | {"request_id": "c793", "status": "open"},
        {**said, "request_id": "c794", "status": "expired"},
        {
            **said,
            "request_id": "c795",
            "status": "denied",
            "reason": "claim_not_covered",
            "exception": "Cal. Civ. Code 1798.105(d)(1)",
        },
    ]
    found = taken(Source("export.jsonl", "\n".join(map(json.dumps, lines)).encode()), "drp")
    assert [(row["request_id"], row["status"], row["regime"]) for row in found.rows] == [
        ("c789", "executed", "ccpa"),
        ("c790", "no_match", "ccpa"),
        ("c795", "denied", "ccpa"),
    ]
    assert (found.left_out, found.unsaid) == ({"sale:opt-out": 1}, 0)
    assert [(problem.where, problem.found) for problem in found.problems] == [
        ("column exercise", "nothing in 1 row(s)"),
        ("row 6, column status", '"expired"'),
        ("columns reason, exception", "denied requests without: row 3"),
    ]
    assert (found.total, found.not_understood) == (7, 3)


def test_it_is_said_of_how_many_rows_the_law_is_taken_where_others_name_one():
    header = "request_id,received_at,record_ids,regime,status\n"
    rows = ["SUP-1,2026-02-03T09:00:00Z,C-1,ccpa,open\n", "SUP-2,2026-02-04T09:00:00Z,C-2,,open\n"]
    said = "regime is empty in 1 row(s), which are taken as eu; other rows name a law."
    for count, there in ((2, True), (1, False)):
        source = Source("export.csv", "".join((header, *rows[:count])).encode())
        found = taken(source, columns={}, person=None)
        assert not found.problems
        assert (said in "\n".join(importing.described(found))) is there


def test_a_protocol_that_never_says_what_was_asked_for_is_of_erasures():
    """Status objects of the Data Rights Protocol lack it: then every row counts, and how many is said."""
    said = {"request_id": "c789", "received_at": "2026-03-02T15:00:00Z", "email": "jo@example.com", "record_ids": ["C-1"]}
    found = taken(Source("export.jsonl", json.dumps({**said, "status": "fulfilled"}).encode()), "drp")
    assert (len(plainly(found)), found.unsaid) == (1, 1)


def test_transcend_leaves_tests_and_other_requests_out():
    header = "Request ID,Created At,Email,Core Identifier,Request Type,Status,Is Test Request"
    rows = [
        "r-1,2026-03-02T15:00:00.000Z,jo@example.com,C-1,ERASURE,COMPLETED,false",
        "r-2,2026-03-02T15:00:00.000Z,jo@example.com,C-1,ACCESS,COMPLETED,false",
        "r-3,2026-03-02T15:00:00.000Z,jo@example.com,C-1,ERASURE,REQUEST_MADE,true",
    ]
    found = taken(Source("export.csv", "\n".join([header, *rows]).encode()), "transcend")
    (row,) = plainly(found)
    assert (row["request_id"], row["record_ids"], row["status"]) == ("r-1", ["C-1"], "executed")
    assert found.left_out == {"ACCESS": 1, "Is Test Request": 1}


def test_a_log_of_our_own_is_chained_as_it_is():
    rows = [
        {"request_id": "R-1", "record_ids": ["a,b"], "received_at": "2026-03-01T09:30:00Z", "extension": {"reason": "many"}},
        {"request_id": "R-2", "record_ids": ["c"], "received_at": "2026-03-01T09:30:00Z", "entry_hash": "old", "colour": 7},
    ]
    found = taken(Source("log.jsonl", "\n".join(map(json.dumps, rows)).encode()), "jsonl")
    assert plainly(found) == [rows[0], {name: value for name, value in rows[1].items() if name != "entry_hash"}]


def test_a_row_that_cannot_be_chained_is_a_problem():
    row = {"request_id": "R-1", "record_ids": ["a"], "received_at": "2026-03-01T09:30:00Z", "extra": 2**60}
    (problem,) = taken(Source("log.jsonl", json.dumps(row).encode()), "jsonl").problems
    assert problem.where == "row 1"
    assert "RFC 8785" in problem.expected


def test_a_short_row_of_the_table_of_people_is_a_problem():
    with pytest.raises(InputError, match="row 3: expected 2 columns, found 1"):
        people("ann@example.com,C-7", "bo@example.com")


@pytest.mark.parametrize("content", [b"", b"[]", b"\xff", b'"text"', b"7"])
@pytest.mark.parametrize("export", ["opendsr", "drp"])
def test_a_file_without_requests_is_one_problem(content, export):
    with pytest.raises(InputError) as raised:
        taken(Source("export.json", content), export)
    assert raised.value.problems


def test_nested_and_hostile_json_is_no_crash():
    deep: Any = "x"
    for _ in range(50):
        deep = {"a": deep}
    hostile = opendsr(extensions=deep, subject_request_id="\x1b[31m")
    found = taken(Source("export.json", json.dumps([hostile, 7, None]).encode()), "opendsr")
    assert found.rows == ()
    assert "\x1b" not in "".join(map(str, found.problems))


@pytest.mark.parametrize(
    "alike", [("ẞ", "ß", "SS", "ss"), ("ǰ", "J̌", "ǰ"), ("ΐ", "ΐ", "ΐ"), ("ﬁ", "FI"), ("ẖ", "H̱"), ("ᾼ", "ᾳ", "αι"), ("Ａ", "a")]
)
def test_spellings_of_one_person_have_one_pseudonym(alike):
    assert len({pseudonym(f"{each}@example.org", bytes(32)) for each in alike}) == 1


def test_the_spelling_of_an_identity_is_spelled_no_other_way():
    """Of every character: a spelling that was taken from an export is the same once more, and composed."""
    characters = [chr(number) for number in range(sys.maxunicode + 1) if not 0xD800 <= number < 0xE000]
    for each in characters:
        found = normal(each)
        assert normal(found) == found
        assert unicodedata.is_normalized("NFKC", found)


HALF = "\ud800"
OPENDSR = {
    "subject_request_id": "a-1",
    "submitted_time": "2026-01-10T09:00:00Z",
    "request_status": "completed",
    "subject_request_type": "erasure",
    "subject_identities": [{"identity_type": "controller_customer_id", "identity_value": "C-7"}],
}


def spoiled(value: Any) -> list[Any]:
    """The same with half of a character in the place of each name and each text."""
    if isinstance(value, dict):
        names = [{(HALF if other == name else other): each for other, each in value.items()} for name in value]
        return names + [{**value, name: other} for name, each in value.items() for other in spoiled(each)]
    if isinstance(value, list):
        return [[*value[:at], other, *value[at + 1 :]] for at, each in enumerate(value) for other in spoiled(each)]
    return [HALF]


@pytest.mark.parametrize("lines", [True, False])
@pytest.mark.parametrize("row", spoiled(OPENDSR), ids=ascii)
def test_half_a_character_anywhere_in_json_is_one_message_of_its_row(row: Any, lines: bool) -> None:
    rows = [OPENDSR, row, {**OPENDSR, "subject_request_id": "a-3"}]
    data = "\n".join(map(json.dumps, rows)) if lines else json.dumps({"requests": rows})
    found = taken(Source("o.json", data.encode()), "opendsr")
    assert list(map(str, found.problems)) == ["o.json: row 2: expected text, found half of a surrogate pair"]
    with pytest.raises(InputError, match=r"^o\.json: row 1: expected text, found half of a surrogate pair$"):
        taken(Source("o.json", json.dumps([row]).encode()), "opendsr")


@pytest.mark.parametrize(
    "row", spoiled({"request_id": "R", "record_ids": ["r"], "received_at": "2026-01-10T09:00:00Z"}), ids=ascii
)
def test_half_a_character_in_a_log_of_our_own_is_one_message(row: dict[str, Any]) -> None:
    own = {"request_id": "R0", "record_ids": ["r"], "received_at": "2026-01-10T09:00:00Z"}
    found = taken(Source("o.jsonl", "\n".join(map(json.dumps, (own, row))).encode()), "jsonl")
    assert len(found.problems) == 1
    assert str(found.problems[0]).startswith("o.jsonl: row 2")
    assert str(found.problems[0]).encode()


def test_an_export_in_utf_16_with_half_a_character_is_one_message() -> None:
    text = "ticket,customer_id,opened\nT-1,C-7,2026-01-10T09:00:00Z\n".encode("utf-16")
    with pytest.raises(InputError) as caught:
        taken(Source("tickets.csv", text.replace(b"7\0", b"\0\xd8")), columns={"ticket": "request_id"})
    assert len(caught.value.problems) == 1


def test_an_export_without_a_single_row_that_can_be_read_says_so_of_each() -> None:
    with pytest.raises(InputError) as caught:
        taken(Source("o.json", b"{nothing\nof JSON\n"), "opendsr")
    assert [(each.where, each.found) for each in caught.value.problems] == [("row 1", "no JSON"), ("row 2", "no JSON")]


def cell(value: Any) -> str:
    """A cell of CSV that holds JSON, as a spreadsheet quotes it."""
    return '"' + json.dumps(value).replace('"', '""') + '"'


TABLES_OF_TICKETS = {
    "extension": {"notified_at": "2026-03-20T09:00:00+01:00", "reason": "many requests", "until": "2026-05-29"},
    "pauses": [{"paused_at": "2026-03-03T09:00:00+01:00", "resumed_at": "2026-03-05T09:00:00+01:00", "awaits": "identity"}],
    "recipients": [{"name": "Example Hosting BV", "notified_at": "2026-03-20T09:00:00+01:00"}],
    "kept": [{"what": "invoices", "why": "tax law", "exception": "b", "until": "2030-12-31"}],
    "undertaking": {"what": "We will train the model again.", "by": "2026-06-30"},
}
CALLED = {"extension": "extension", "pauses": "clock_pauses", "recipients": "recipients_notified"}
CALLED |= {"kept": "kept", "undertaking": "undertaking"}


def table_tickets(**cells: str) -> Source:
    head = ",".join(["ticket,email,customer_id,opened,closed,state", *cells])
    row = ",".join(["T-1,a@b,C-7,2026-03-01 09:30,2026-04-04 10:00,done", *cells.values()])
    return Source("tickets.csv", f"{head}\n{row}\n".encode())


def test_cells_that_hold_tables_are_read_from_an_export():
    source = table_tickets(**{name: cell(value) for name, value in TABLES_OF_TICKETS.items()})
    found = taken(source, columns=MAP | CALLED)
    (row,) = plainly(found)
    assert {name: row[CALLED[name]] for name in CALLED} == TABLES_OF_TICKETS
    (request,), _ = deletion_log(Source("log.jsonl", json.dumps(found.rows[0]).encode()))
    assert request.extension is not None
    assert request.undertaking is not None
    assert [each.what for each in request.kept or ()] == ["invoices"]


@pytest.mark.parametrize(("word", "read"), [("TRUE", True), ("false", False), ("[]", [])])
def test_whether_recipients_were_told_may_be_one_word(word: str, read: Any):
    found = taken(table_tickets(recipients=word), columns=MAP | {"recipients": "recipients_notified"})
    assert plainly(found)[0]["recipients_notified"] == read


@pytest.mark.parametrize("name", CALLED)
@pytest.mark.parametrize("broken", ['"{""what"": "', "soon", '"{""what"": 1, ""what"": 2}"', "7"])
def test_a_broken_table_is_refused_with_its_row_its_column_and_an_example(name: str, broken: str):
    found = taken(table_tickets(**{name: broken}), columns=MAP | {name: CALLED[name]})
    assert found.rows == ()
    (problem,) = found.problems
    target = CALLED[name]
    assert problem.where == (f"row 2, {target}" if name == target else f"row 2, column {name}, {target}")
    assert "such as" in problem.expected
    example = problem.expected.split("such as ", 1)[1]
    again = taken(table_tickets(**{name: cell(json.loads(example))}), columns=MAP | {name: CALLED[name]})
    assert again.problems == ()


def test_a_broken_value_within_a_table_is_named_as_the_log_calls_it():
    found = taken(table_tickets(pauses=cell([{"paused_at": "yesterday"}])), columns=MAP | {"pauses": "clock_pauses"})
    (problem,) = found.problems
    assert problem.where == "row 2, column pauses, clock_pauses.0.paused_at"
    assert problem.expected.startswith("a time as RFC 3339")
