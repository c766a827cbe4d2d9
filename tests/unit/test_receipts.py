"""Processors' receipts and things made from the model in audit.toml: what a case refuses, and what evidence and letters hold."""

from __future__ import annotations

import hashlib
import json
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from auditor.audit.describing import case_facts
from auditor.base.deletion_log.requests import Recipient
from auditor.base.errors import InputError
from auditor.case import Case, read
from auditor.document.evidence import Evidence, case_digest
from auditor.pages import attachments, wording
from auditor.pages.main import crosswalk, search_scope
from auditor.pages.words.rendered_evidence import tell
from auditor.recheck.declarations import recheck_context
from auditor.recheck.derivations import derive_again
from auditor.settings.documents import OutsidePlace
from auditor.settings.receipts import Receipt
from auditor.settings.values import show
from auditor.verdict import conclusion
from case_examples import SOUND, jsonl, row, write_case
from letter_cases import letter_of, said, sample
from sample_cases import golden

CONTENT = b"We erased it. Example Hosting\n"
RECEIPT = """
[[receipts]]
processor = "Example Hosting"
what = "erased the copies of Anna and Ben"
requests = ["REQ-1"]
at = 2026-01-21
file = "receipt.txt"
"""
MADE = """
[[lineage]]
name = "student"
kind = "distilled"
made_at = 2026-01-05
path = "student.bin"
declared_by = "Kim Example"
"""


def problems(folder: Path, toml: str, **files: bytes) -> dict[str, str]:
    with pytest.raises(InputError) as found:
        case(folder, toml, **files)
    return {each.where or each.file: f"{each.expected} / {each.found}" for each in found.value.problems}


def case(folder: Path, toml: str, **files: bytes) -> Case:
    return read(write_case(folder, SOUND + toml, **{"receipt__txt": CONTENT, "student__bin": b"weights", **files}))


def test_file_and_digest_stand_among_the_inputs(tmp_path: Path) -> None:
    found = case(tmp_path, RECEIPT + MADE)
    sha256 = hashlib.sha256(CONTENT).hexdigest()
    assert found.receipts == (
        Receipt(
            processor="Example Hosting", what="erased the copies of Anna and Ben", requests=("REQ-1",), at=date(2026, 1, 21),
            file="receipt.txt", sha256=sha256,
        ),
    )  # fmt: skip
    assert found.lineage[0].sha256 == hashlib.sha256(b"weights").hexdigest()
    assert {each.path: each.sha256 for each in case_facts(found).inputs}["receipt.txt"] == sha256


def test_a_folder_has_the_digest_of_its_files(tmp_path: Path) -> None:
    (tmp_path / "student").mkdir()
    for name in ("b.bin", "a.bin"):
        (tmp_path / "student" / name).write_bytes(name.encode())
    found = case(tmp_path, MADE.replace("student.bin", "student"))
    files = [each for each in found.inputs if each.path.startswith("student/")]
    assert [each.path for each in files] == ["student/a.bin", "student/b.bin"]
    assert found.lineage[0].sha256 == case_digest(files)


@pytest.mark.parametrize(
    ("change", "where", "says"),
    [
        (('at = 2026-01-21', 'at = 2026-01-09'), "receipts.0.at", '2026-01-10, when "REQ-1" was received'),
        (('at = 2026-01-21', 'at = 2999-01-09'), "receipts.0.at", "a day that has come"),
        (('"REQ-1"', '"REQ-1", "REQ-7"'), "receipts.0.requests.1", '"REQ-7"'),
        (('["REQ-1"]', '"every"'), "receipts.0.requests", "every"),
        (('["REQ-1"]', "[]"), "receipts.0.requests", "an empty array"),
        (('["REQ-1"]', '["REQ-1", "REQ-1"]'), "receipts.0.requests", "more than once"),
        (('["REQ-1"]\nat = 2026-01-21', '"all"\nat = 2026-01-09'), "receipts.0.at", "no day before every request"),
        (('"receipt.txt"', '"gone.txt"'), "receipts.0.file", "which does not exist"),
        (('"receipt.txt"', '"../receipt.txt"'), "receipts.0.file", "inside the case folder"),
        (('"receipt.txt"', '"audit.toml"'), "receipts.0.file", "a file of its own"),
        (('"receipt.txt"', '"./deletions.jsonl"'), "receipts.0.file", "a file of its own"),
        (('"receipt.txt"\n', f'"receipt.txt"\nsha256 = "{"0" * 64}"\n'), "receipts.0.sha256", "the digest of receipt.txt"),
        (('"receipt.txt"\n', '"receipt.txt"\nsha256 = "ABC"\n'), "receipts.0.sha256", "64 hexadecimal digits"),
        (('processor = "Example Hosting"\n', ""), "receipts.0.processor", "required"),
    ],
)  # fmt: skip
def test_a_receipt_that_cannot_be_is_refused_by_row_and_key(
    tmp_path: Path, change: tuple[str, str], where: str, says: str
) -> None:
    assert says in problems(tmp_path, RECEIPT.replace(*change))[where]


UUID = "a7551968-d5d6-44b2-9831-815ac9017798"
STATUS = {
    "controller_id": "example",
    "expected_completion_time": "2026-01-21T15:00:01Z",
    "subject_request_id": "REQ-1",
    "request_status": "completed",
}


@pytest.mark.parametrize(("own", "other"), [("REQ-1", "REQ-1"), (UUID, UUID), (UUID, UUID.upper()), (UUID.upper(), UUID)])
def test_a_completed_status_of_opendsr_is_a_receipt(tmp_path: Path, own: str, other: str) -> None:
    status = json.dumps({**STATUS, "subject_request_id": other}).encode()
    found = case(tmp_path, RECEIPT.replace("REQ-1", own), receipt__txt=status, deletions__jsonl=jsonl(row(own)))
    assert found.receipts[0].requests == (own,)


@pytest.mark.parametrize("other", [UUID, "a", "REQ-11", "req-1", "REQ-1 ", "", None, 1, ["REQ-1"], {"REQ-1": "REQ-1"}])
def test_a_status_of_another_request_is_no_receipt(tmp_path: Path, other: object) -> None:
    found = problems(tmp_path, RECEIPT, receipt__txt=json.dumps({**STATUS, "subject_request_id": other}).encode())
    assert list(found) == ["subject_request_id"]
    assert found["subject_request_id"].startswith('"REQ-1", the request in receipts.0.requests: ')
    assert found["subject_request_id"].endswith(f" / {show(other)}")


@pytest.mark.parametrize("state", ["pending", "in_progress", "cancelled", "Completed", None, ["completed"]])
def test_no_other_status_confirms_an_erasure(tmp_path: Path, state: object) -> None:
    found = problems(tmp_path, RECEIPT, receipt__txt=json.dumps({**STATUS, "request_status": state}).encode())
    assert list(found) == ["request_status"]
    assert found["request_status"].startswith('"completed": any other status confirms no erasure / ')


def test_a_status_of_opendsr_is_of_one_request(tmp_path: Path) -> None:
    found = problems(tmp_path, RECEIPT.replace('["REQ-1"]', '"all"'), receipt__txt=json.dumps(STATUS).encode())
    assert found == {"receipts.0.requests": 'the id of one request: receipt.txt is a status of OpenDSR, which is of one / "all"'}


@pytest.mark.parametrize(
    "content",
    [
        b'{"request_status": "pending"}',
        b"[" * 5000,
        json.dumps([{**STATUS, "request_status": "pending"}]).encode(),
        json.dumps({**STATUS, "request_status": "pending", "note": "x" * 70_000}).encode(),
    ],
)
def test_what_is_no_status_of_opendsr_is_read_no_further(tmp_path: Path, content: bytes) -> None:
    assert len(case(tmp_path, RECEIPT, receipt__txt=content).receipts) == 1


def test_an_empty_file_is_no_receipt(tmp_path: Path) -> None:
    assert problems(tmp_path, RECEIPT, receipt__txt=b" \n") == {"receipt.txt": "what the processor wrote / an empty file"}


@pytest.mark.parametrize(
    ("change", "where", "says"),
    [
        (("student.bin", "train.npz"), "lineage.0.path", "a file or folder of its own"),
        (("student.bin", "."), "lineage.0.path", "a file or folder of its own"),
        (("student.bin", "gone.bin"), "lineage.0.path", "which does not exist"),
        (('"student.bin"', f'"student.bin"\nsha256 = "{"0" * 64}"'), "lineage.0.sha256", "the digest of student.bin"),
        (('"distilled"', '"destilled"'), "lineage.0.kind", "distilled?"),
        (("made_at = 2026-01-05", "made_at = 2999-01-05"), "lineage.0.made_at", "a day that has come"),
        (("path", 'made_from = "student"\npath'), "lineage.0.made_from", "a circle"),
        (('name = "student"', 'name = "model"'), "lineage.0.name", "another name"),
    ],
)
def test_a_thing_that_cannot_be_is_refused_by_row_and_key(tmp_path: Path, change: tuple[str, str], where: str, says: str) -> None:
    assert says in problems(tmp_path, MADE.replace(*change))[where]


def test_two_names_for_one_file_are_refused_and_so_is_a_link_out_of_the_case(tmp_path: Path) -> None:
    twice = MADE + MADE.replace('"student"', '"other"')
    assert "a file or folder of its own" in problems(tmp_path, twice)["lineage.1.path"]
    (tmp_path / "name").symlink_to("train.npz")
    assert "train.npz is something else" in problems(tmp_path, MADE.replace("student.bin", "name"))["lineage.0.path"]
    assert "something else" in problems(tmp_path, RECEIPT.replace("receipt.txt", "name"))["receipts.0.file"]
    inside = tmp_path / "folder"
    inside.mkdir()
    (inside / "link").symlink_to("/etc/hostname")
    assert "folder/link" in problems(tmp_path, MADE.replace("student.bin", "folder"))


def test_every_problem_is_named_at_once(tmp_path: Path) -> None:
    spoiled = RECEIPT.replace("2026-01-21", "2026-01-09").replace("receipt.txt", "gone.txt") + MADE.replace("student.bin", "gone")
    assert {"receipts.0.at", "receipts.0.file", "lineage.0.path"} <= problems(tmp_path, spoiled).keys()
    wrong = RECEIPT.replace('processor = "Example Hosting"', "processor = 3") + MADE.replace("distilled", "x")
    assert {"receipts.0.processor", "lineage.0.kind"} <= problems(tmp_path, wrong).keys()


@pytest.mark.parametrize("written", ["receipts = 3\n", "lineage = [1]\n"])
def test_they_are_arrays_of_tables(tmp_path: Path, written: str) -> None:
    with pytest.raises(InputError, match="tables, one for each"):
        read(write_case(tmp_path, written + SOUND))


def test_two_people_of_one_ticket_are_both_to_have_asked_before(tmp_path: Path) -> None:
    rows = jsonl(
        row(subject="a", executed_at="2026-01-20T09:00:00+01:00"),
        row(subject="b", record_ids=("r2",), received_at="2026-02-10T09:00:00+01:00", executed_at="2026-02-20T09:00:00+01:00"),
    )
    assert "2026-02-10" in problems(tmp_path, RECEIPT, deletions__jsonl=rows)["receipts.0.at"]


# In the evidence, on pages and in letters.


def given(requests: Any = None, **changes: Any) -> Receipt:
    first = sample().requests[0]
    said_of_it = {
        "processor": "Example Hosting",
        "what": "erased the copies of Anna and Ben",
        "at": date(2026, 2, 1),
        "file": "receipt.txt",
        "requests": (first.request_id,) if requests is None else requests,
        "sha256": "ab" * 32,
    }
    return Receipt(**{**said_of_it, **changes})


def with_receipts(*receipts: Receipt, evidence: Evidence | None = None) -> Evidence:
    evidence = sample() if evidence is None else evidence
    return evidence.model_copy(update={"receipts": receipts})


def test_a_receipt_decides_nothing_and_is_shown_on_trust() -> None:
    plain, found = golden("digits-newton"), derive_again(with_receipts(given(), evidence=golden("digits-newton")))
    assert (found.verdict, found.strength, found.premises) == (plain.verdict, plain.strength, plain.premises)
    assert conclusion.of(found) == conclusion.of(plain)
    told = tell(found)
    (line,) = search_scope.receipts(told)
    assert line.startswith("Receipt on file, on trust: Example Hosting, 1 February 2026, for one request")
    assert "“erased the copies of Anna and Ben”" in line
    assert line.endswith("Nobody checked it.")
    (duty,) = (each for each in crosswalk.duties(told) if each.source == "GDPR 28")
    assert duty.shows == "One receipt, on trust"
    assert (duty.part, duty.anchor) == ("outside", "receipts")
    table = attachments.of(found)["requests.csv"].decode().splitlines()
    assert [("Example Hosting, 2026-02-01, SHA-256 abab" in line) for line in table[1:3]] == [True, False]


def test_a_letter_names_who_gave_it_and_when_and_no_word_of_what_it_says() -> None:
    found = letter_of(with_receipts(given()))
    assert f"Example Hosting gave us a receipt for erasing data, dated {wording.day(date(2026, 2, 1))}" in said(found)
    assert b"Anna" not in found.to_bytes()
    assert b"receipt.txt" not in found.to_bytes()


def test_a_letter_has_no_receipt_of_another_request_nor_one_older_than_its_own() -> None:
    other, mine = sample().requests[1].request_id, sample().requests[0]
    assert letter_of(with_receipts(given((other,)))).request.receipts == ()
    assert letter_of(with_receipts(given("all", at=date(2025, 1, 1)))).request.receipts == ()
    assert len(letter_of(with_receipts(given("all"))).request.receipts) == 1
    # Whom else it covers does not show.
    assert letter_of(with_receipts(given((mine.request_id, other)))).request == letter_of(with_receipts(given())).request
    assert letter_of(with_receipts(given()), status="denied", deleted_at=None, days=None, guarantees=()).request.receipts == ()


def test_evidence_that_states_a_receipt_otherwise_does_not_agree() -> None:
    plain = golden("digits-newton")
    (file,) = (each for each in plain.case.inputs if each.path == "deletions.jsonl")
    sound = given(file=file.path, sha256=file.sha256)
    assert findings(plain, sound) == []
    for forged, says in (
        (replace_in(sound, sha256="0" * 64), "the digest of the file"),
        (replace_in(sound, sha256=None), "the digest of the file"),
        (replace_in(sound, file="other.txt"), "one of the inputs"),
        (replace_in(sound, requests=("REQ-OF-NOBODY",)), "requests of the log"),
        (replace_in(sound, at=date(2020, 1, 1)), "no day before"),
        (replace_in(sound, at=date(2020, 1, 1), requests="all"), "every request"),
        (replace_in(sound, at=date(2999, 1, 1)), "no day after the audit"),
    ):
        assert any(says in each for each in findings(plain, forged)), says


def replace_in(receipt: Receipt, **changes: Any) -> Receipt:
    return receipt.model_copy(update=changes)


def findings(evidence: Evidence, receipt: Receipt) -> list[str]:
    found = recheck_context(with_receipts(receipt, evidence=evidence)).findings
    return [str(each) for each in found if "receipts" in str(each)]


def test_a_thing_whose_file_is_no_input_does_not_agree() -> None:
    kept = golden("late-and-extended")
    assert not recheck_context(kept).findings
    made = kept.lineage[1]
    assert made.path is not None
    for change in ({"sha256": "0" * 64}, {"path": "elsewhere.csv"}, {"path": None, "made_at": date(2999, 1, 1)}):
        forged = (kept.lineage[0], made.model_copy(update=change), kept.lineage[2])
        assert any("lineage" in str(each) for each in recheck_context(kept.model_copy(update={"lineage": forged})).findings)
    fewer = tuple(each for each in kept.case.inputs if each.path != made.path)
    lacking = kept.model_copy(update={"case": kept.case.model_copy(update={"inputs": fewer})})
    assert any("lineage" in str(each) for each in recheck_context(lacking).findings)


def test_where_nothing_learns_nothing_is_made_from_a_model() -> None:
    program, kept = golden("tree-counter"), golden("late-and-extended")
    forged = program.model_copy(update={"lineage": tuple(replace_made(each) for each in kept.lineage)})
    assert any("nothing learns" in str(each) for each in recheck_context(forged).findings)


def replace_made(made: Any) -> Any:
    return made.model_copy(update={"path": None})


def test_recipients_whom_the_log_denies_and_the_case_names_are_marked() -> None:
    evidence = golden("digits-newton")
    place = OutsidePlace(name="recipients", what="a partner had samples", declared_by="Sam Example")

    def row_of_recipients(
        recipients: tuple[Recipient, ...] | None, outside: tuple[OutsidePlace, ...], of: Evidence = evidence
    ) -> str:
        rows = tuple(replace(each, recipients_notified=recipients if each.deleted_at else None) for each in of.requests)
        told = tell(of.model_copy(update={"requests": rows, "outside": outside}))
        return " ".join(each.said for each in search_scope.places(told))

    assert "that nobody received the data, but [[outside]] or a receipt names somebody" in row_of_recipients((), (place,))
    receipts = with_receipts(given(), evidence=evidence).receipts
    by_receipt = evidence.model_copy(update={"receipts": receipts})
    assert "Of 1 more it says that nobody" in row_of_recipients((), (), by_receipt)
    for recipients, outside in (((), ()), ((Recipient("Partner Ltd"),), (place,)), (None, (place,))):
        assert "nobody received" not in row_of_recipients(recipients, outside)
