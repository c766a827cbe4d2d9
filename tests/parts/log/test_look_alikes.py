"""Ids that are written differently and look the same: what folds, what is one edit away, and what honest ids never trip over."""

from __future__ import annotations

import json
import random
import time
import uuid
from datetime import datetime, timedelta
from hashlib import sha256

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from auditor.base.deletion_log import deletions
from auditor.base.deletion_log import look_alikes as look_alikes_module
from auditor.base.deletion_log.look_alikes import (
    LEAST_LENGTH,
    NATURAL_LEAST,
    NATURAL_SHARE,
    Form,
    Likeness,
    differ_by_one,
    forms,
    look_alikes,
)
from auditor.base.deletion_log.requests import Request
from auditor.base.domain import ClaimStatus, Provenance, Status
from auditor.base.errors import InputError
from auditor.case.logs import read_log
from auditor.pages.words import basis
from auditor.parts.log.judging import log_consistency
from auditor.verdict.checks.finding import Nothing
from auditor.verdict.guarantees import derive, standing
from auditor.verdict.theorems import Theorem
from judging import declared, log_facts

START = datetime.fromisoformat("2026-01-10T09:00:00+01:00")
DAY = timedelta(days=1)
KNOWN = ("Ann-Smith", "patient-0001", "patient-0002", "b0b", "user1")


def request(row: int, *records: str, **other) -> Request:
    return Request(row, f"R{row}", records, START, **other)


def only_by_chance(found) -> bool:
    """Whether ids look like known ones only as many of these look like one another."""
    return all(likeness is Likeness.CHANCE for others in found.values() for likeness, _ in others.values())


def codes(*requests: Request, known=KNOWN) -> list[tuple[int, str]]:
    return [(found.row, found.code) for found in deletions.findings(requests, known)]


def judged(*requests: Request, known=KNOWN):
    problems = deletions.findings(requests, known)
    return log_consistency.judge(declared(log=log_facts(requests=len(requests), problems=problems)), Nothing(), {})


@pytest.mark.parametrize(
    ("written", "which"),
    [
        ("Ann-Smith ", Form.PLAIN),
        ("Ann\u200d-Smith", Form.PLAIN),
        ("Ann-Sm\u00adith", Form.PLAIN),
        ("patient-\uff10\uff10\uff10\uff11", Form.PLAIN),
        ("patient-\u0660\u0660\u0660\u0661", Form.PLAIN),
        ("\uff41nn-smith", Form.CASE),
        ("ann-smith", Form.CASE),
        ("PATIENT-0001", Form.CASE),
        ("\u0410nn-Smith", Form.LOOK),
        ("p\u0430tient-0001", Form.LOOK),
        ("Ann\u2010Smith", Form.LOOK),
        ("bOb", Form.LOOK),
        ("userI", Form.LOOK),
        ("USER|", Form.LOOK),
        ("patient-OOOl", Form.LOOK),
    ],
)
def test_a_no_match_that_only_looks_different_fails(written, which):
    assert {form for of in look_alikes([written], KNOWN).values() for _, form in of.values()} == {which}
    row = request(1, written, status="no_match")
    assert codes(row) == [(1, "LOOKS_LIKE_KNOWN")]
    found = judged(row)
    assert (found.status, found.value) == (Status.FAIL, 1.0)
    assert found.facts[0].how is Provenance.REFUTED


def test_an_unknown_id_that_looks_like_a_known_one_says_both():
    assert codes(request(1, "ann-smith")) == [(1, "NOT_LOCATED"), (1, "LOOKS_LIKE_KNOWN")]


def test_no_message_names_an_id_or_repeats_the_reason():
    rows = [
        request(1, "ann-smith", status="no_match"),
        request(2, "patientx-0002", status="no_match", near_match="Ann's cousin"),
    ]
    for finding in deletions.findings(rows, KNOWN):
        said = finding.message.lower()
        assert finding.message.startswith(f"request R{finding.row} (row {finding.row}): ")
        assert not any(word in said for word in ("ann", "smith", "patient", "cousin"))


@pytest.mark.parametrize("written", ["Ann-Smits", "AnnSmith", "Ann-Smithe", "Ann-Smiht", "patiemt-0001", "p\u0430tienn-0002"])
def test_one_edit_that_touches_no_digit_leaves_the_log_open_until_it_is_explained(written):
    row = request(1, written, status="no_match")
    assert codes(row) == [(1, "MAY_BE_KNOWN")]
    found = judged(row)
    assert (found.status, found.value) == (Status.INCONCLUSIVE, 0.0)
    assert found.facts[0].how is Provenance.UNKNOWN
    assert "Row 1 of the log" in basis(found.reasons)
    explained = judged(request(1, written, status="no_match", near_match="another person of that name"))
    assert explained.status is Status.PASS
    assert explained.derived.explained[0].code == "NEAR_MATCH_EXPLAINED"
    # The controller's word: what rests on it is supported at best.
    assert explained.facts[0].how is Provenance.ATTESTED


def test_a_sentence_names_five_rows_and_counts_the_others():
    rows = [request(row, "Ann-Smits", status="no_match") for row in range(1, 8)]
    assert "Rows 1, 2, 3, 4, 5 and 2 more of the log" in basis(judged(*rows).reasons)
    assert "Rows 1, 2, 3, 4, 5 of the log" in basis(judged(*rows[:5]).reasons)


IDS = st.text(st.characters(exclude_categories=["Cc", "Cs", "Zl", "Zp"]), min_size=1, max_size=12).filter(str.strip)


@given(st.lists(IDS, min_size=1, max_size=5))
def test_every_id_has_its_form_and_what_does_not_show_changes_none(identifiers):
    for which in Form:
        folded = forms(identifiers, which)
        assert len(folded) == len(identifiers)
        assert folded == [forms([each], which)[0] for each in identifiers]
    assert forms([f" {each}\u2060 " for each in identifiers], Form.PLAIN) == forms(identifiers, Form.PLAIN)


@given(IDS, IDS)
def test_looking_alike_is_mutual(first, second):
    there, back = look_alikes([first], [second]).get(first, {}), look_alikes([second], [first]).get(second, {})
    assert there.get(second) == back.get(first)


def test_a_reason_explains_a_fold_but_no_exact_match():
    assert codes(request(1, "ann-smith", status="no_match", near_match="her aunt")) == [(1, "NEAR_MATCH_EXPLAINED")]
    assert codes(request(1, "Ann-Smith", status="no_match", near_match="her aunt")) == [(1, "NO_MATCH_BUT_KNOWN")]


@pytest.mark.parametrize("written", ["patient-0003", "patient-00010", "user2", "b1b", "patient-1001", "patient-0001-0003"])
def test_another_number_or_two_edits_are_another_person(written):
    assert codes(request(1, written, status="no_match")) == []


OF_SIX = [("abcde", "abcdx", False), ("abcdef", "abcdex", True), ("abcdef", "abcde", True)]


@pytest.mark.parametrize(("written", "known", "found"), OF_SIX)
def test_one_edit_counts_from_six_characters_on(written, known, found):
    assert LEAST_LENGTH == 6
    assert bool(look_alikes([written], [known])) is found


@pytest.mark.parametrize(
    ("first", "second", "near"),
    [
        ("abcdef", "abcdef", False),
        ("abcdef", "abcxef", True),
        ("abcdef", "abdcef", True),
        ("ab1def", "abd1ef", False),
        ("abc1ef", "abc2ef", False),
        ("abc1ef", "abcef", False),
        ("abcef", "abcdef", True),
        ("abc1ef", "abcxef", False),
        ("a-b-c-", "a-b-c", True),
        ("abcdef", "badcfe", False),
    ],
)
def test_edits(first, second, near):
    assert differ_by_one(first, second) is near
    assert differ_by_one(second, first) is near


def test_a_look_alike_of_a_record_that_was_gone_by_then_is_no_finding():
    gone = Request(1, "R1", ("Ann-Smith",), START, START + DAY)
    later = Request(2, "R2", ("ann-smith",), START + 2 * DAY, status="no_match")
    before = Request(2, "R2", ("ann-smith",), START, status="no_match")
    assert codes(gone, later) == []
    assert codes(gone, before) == [(2, "LOOKS_LIKE_KNOWN")]


def test_a_record_that_remains_under_a_look_alike_of_a_deleted_id_leaves_the_log_open():
    """The person's second row is kept under an id that differs in an invisible character."""
    known = (*KNOWN, "Ann-Smith\u200b")
    row = request(1, "Ann-Smith", executed_at=START + DAY)
    assert codes(row, known=known) == [(1, "LOOKS_LIKE_RETAINED")]
    assert judged(row, known=known).status is Status.INCONCLUSIVE
    both = request(1, "Ann-Smith", "Ann-Smith\u200b", executed_at=START + DAY)
    assert codes(both, known=known) == []
    explained = request(1, "Ann-Smith", executed_at=START + DAY, near_match="two people")
    assert codes(explained, known=known) == [(1, "NEAR_MATCH_EXPLAINED")]


def planted(count: int, of: int) -> list[str]:
    """Known ids of which `count` come in pairs that differ in case."""
    return [
        *(f"id-{number:06d}" for number in range(of - count)),
        *(f"{'z' if n % 2 else 'Z'}{n // 2:05d}" for n in range(count)),
    ]


def test_ids_that_are_told_apart_by_case_do_not_fold_and_a_planted_pair_does_not_stop_the_folding():
    assert NATURAL_SHARE == 0.05
    assert look_alikes(["ID-000001"], planted(0, 1000))["ID-000001"]["id-000001"] == (Likeness.SAME, Form.CASE)
    # A liar adds two records whose ids collide: what folded to a failure is at least open.
    assert look_alikes(["ID-000001"], planted(2, 1000))["ID-000001"]["id-000001"] == (Likeness.DOUBTFUL, Form.CASE)
    assert look_alikes(["ID-000001"], planted(50, 1000))["ID-000001"]["id-000001"][0] is Likeness.DOUBTFUL
    assert only_by_chance(look_alikes(["ID-000001"], planted(52, 1000)))
    # In a small case one pair is a large share.
    assert NATURAL_LEAST == 20
    assert look_alikes(["ID-000001"], planted(20, 40))["ID-000001"]["id-000001"] == (Likeness.DOUBTFUL, Form.CASE)
    assert only_by_chance(look_alikes(["ID-000001"], planted(22, 40)))
    assert codes(request(1, "ID-000001", status="no_match"), known=planted(2, 1000)) == [(1, "MAY_BE_KNOWN")]


@pytest.mark.parametrize("kind", ["uuid", "numeric", "e-mail hash", "sequence"])
def test_honest_ids_have_no_findings(kind):
    rng = random.Random(kind)
    made = {
        "uuid": lambda number: str(uuid.UUID(int=rng.getrandbits(128))),
        "numeric": lambda number: f"{rng.randrange(10**8):08d}",
        "e-mail hash": lambda number: sha256(f"person{number}@example.org".encode()).hexdigest(),
        "sequence": lambda number: f"patient-{number:06d}",
    }[kind]
    ids = list(dict.fromkeys(made(number) for number in range(10_000)))
    known, unknown = ids[::2], ids[1::2]
    assert only_by_chance(look_alikes(unknown, known))
    executed = [Request(row, f"R{row}", (each,), START, START + DAY) for row, each in enumerate(known[:1000], start=1)]
    denied = [request(row, each, status="no_match") for row, each in enumerate(unknown[:1000], start=1001)]
    assert {code for _, code in codes(*executed, *denied, known=known)} <= {deletions.ALIKE_BY_CHANCE}


@pytest.mark.parametrize("shape", ["patient-{:08d}", "member{:08d}"])
def test_many_requests_are_looked_up_and_not_compared(shape):
    """Each of them shares most of its id with every record: comparing pairs would take hours."""
    known = [shape.format(number) for number in range(40_000)]
    unknown = [shape.replace("m", "n", 1).replace("p", "q", 1).format(number) for number in range(10_000)]
    begin = time.monotonic()
    assert len(look_alikes(unknown, known)) == 10_000
    assert time.monotonic() - begin < 60


def test_what_is_written_down_of_ascii_is_what_the_tables_say():
    looks = {point: text for point, text in look_alikes_module._tables()[0].items() if point < 128 and chr(point) != text}
    assert looks == look_alikes_module._ASCII_LOOKS


def test_ids_in_ascii_need_no_tables(monkeypatch):
    monkeypatch.setattr(look_alikes_module, "_tables", None)
    assert look_alikes(["userI", "patiennt-0001"], KNOWN).keys() == {"userI", "patiennt-0001"}


def test_forms_come_in_order_and_one_for_each():
    assert forms(["A \u200b b", "", "\uff21"], Form.CASE) == ["a b", "", "a"]


@pytest.mark.parametrize("suffix", [".jsonl", ".csv", ".parquet"])
def test_every_format_has_the_reason(suffix, tmp_path):
    path = tmp_path / f"log{suffix}"
    row = {"request_id": "R1", "record_ids": "x", "received_at": START.isoformat(), "near_match": "a namesake"}
    if suffix == ".jsonl":
        path.write_text(json.dumps(row | {"record_ids": ["x"]}))
    elif suffix == ".csv":
        path.write_text(",".join(row) + "\n" + ",".join(row.values()) + "\n")
    else:
        pd.DataFrame([row]).to_parquet(path)
    (read,), unread = read_log(path)
    assert (read.near_match, unread) == ("a namesake", ())


def test_a_reason_without_words_is_refused(tmp_path):
    path = tmp_path / "log.jsonl"
    path.write_text('{"request_id": "R1", "record_ids": ["x"], "received_at": "2026-01-10T09:00:00+01:00", "near_match": " - "}')
    with pytest.raises(InputError, match="near_match: expected a reason in words"):
        read_log(path)


def test_a_guarantee_that_rests_on_an_explained_look_alike_is_supported_at_best():
    explained = judged(request(1, "ann-smith", status="no_match", near_match="her aunt"))
    known = {each.name: each for each in explained.facts}
    assert standing(derive(Theorem("t", "t", ("log-consistent",)), known)) is ClaimStatus.SUPPORTED
