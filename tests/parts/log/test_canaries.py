"""Planted records of a log: what may be one, and that they are in no count of people."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import small_cases
from auditor import case as cases
from auditor.base.errors import InputError
from auditor.case.logs import apart, read_log
from auditor.cli import run

AT = "2026-01-05T09:00:00+00:00"


def row(name: str, record: str, **more: Any) -> dict[str, Any]:
    return {"request_id": name, "record_ids": [record], "received_at": AT, **more}


def log(path: Path, *rows: dict[str, Any]) -> Path:
    path.write_text("".join(json.dumps(each) + "\n" for each in rows), encoding="utf-8")
    return path


def problems(path: Path) -> str:
    with pytest.raises(InputError) as raised:
        read_log(path)
    return str(raised.value)


def test_a_column_of_json_and_of_text_says_it(tmp_path: Path) -> None:
    rows = [row("R-1", "a"), row("R-2", "b", canary=False), row("K-1", "k", canary=True)]
    people, planted = apart(read_log(log(tmp_path / "log.jsonl", *rows))[0])
    assert [each.request_id for each in people] == ["R-1", "R-2"]
    assert [each.request_id for each in planted] == ["K-1"]
    table = tmp_path / "log.csv"
    table.write_text(f"request_id,record_ids,received_at,canary\nR-1,a,{AT},\nR-2,b,{AT},False\nK-1,k,{AT},TRUE\n")
    assert [each.canary for each in read_log(table)[0]] == [False, False, True]


@pytest.mark.parametrize(
    ("rows", "said"),
    [
        ([row("R-1", "a"), row("K-1", "k", canary="maybe")], "row 2, canary: expected true or false"),
        ([row("R-1", "a"), row("K-1", "k", canary=1)], "row 2, canary: expected true or false"),
        ([row("R-1", "a"), row("K-1", "k", canary=True, subject="S-1")], "row 2, subject: expected nobody"),
        ([row("R-1", "a"), row("K-1", "a", canary=True)], "row 2, canary: expected a planted record that no other row names"),
        ([row("K-1", "k", canary=True), row("K-2", "l", canary=True)], "expected at least one request that is no canary"),
    ],
)
@pytest.mark.attempt("planted records")
def test_what_is_no_planted_record_is_refused(tmp_path: Path, rows: list[dict[str, Any]], said: str) -> None:
    assert said in problems(log(tmp_path / "log.jsonl", *rows))


@pytest.mark.attempt("planted records")
def test_a_record_of_the_training_data_is_no_planted_one(tmp_path: Path) -> None:
    """A person who is called a canary would be in no count, and nobody would ask whether they are erased."""
    small_cases.write(tmp_path, *small_cases.problem())
    file = tmp_path / "deletions.jsonl"
    there = file.read_text(encoding="utf-8")
    file.write_text(there + json.dumps(row("K-1", "rec-0009", canary=True, executed_at=AT)) + "\n", encoding="utf-8")
    with pytest.raises(InputError, match="which is there"):
        cases.read(tmp_path)
    file.write_text(there + json.dumps(row("K-1", "planted-1", canary=True, executed_at=AT)) + "\n", encoding="utf-8")
    read = cases.read(tmp_path)
    assert "K-1" not in {each.request_id for each in read.requests}
    assert [each.request_id for each in read.canaries] == ["K-1"]
    assert "planted-1" not in read.known_ids


def test_the_log_s_own_commands_count_them_apart(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = log(tmp_path / "log.jsonl", row("R-1", "a", executed_at=AT), row("K-1", "k", canary=True, executed_at=AT))
    assert run(["log", "check", str(path), "--json"]) == 0
    said = json.loads(capsys.readouterr().out)
    assert (said["requests"], said["records"], said["canaries"]) == (1, 1, 1)
    assert run(["log", "check", str(path)]) == 0
    assert "One row is a planted record" in capsys.readouterr().err
    assert run(["log", "replay", str(path), "--restored-from", "2026-01-01", "--json"]) == 0
    assert [each["request_id"] for each in json.loads(capsys.readouterr().out)["again"]] == ["R-1"]


@pytest.mark.attempt("planted records")
def test_a_planted_row_is_part_of_the_hash_chain(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path, more = tmp_path / "log.jsonl", tmp_path / "more.jsonl"
    for each in (row("R-1", "a"), row("K-1", "k", canary=True), row("R-2", "b")):
        log(more, each)
        if each["request_id"] == "K-1":
            assert run(["log", "append", str(tmp_path / "alone.jsonl"), str(more)]) == 2
        assert run(["log", "append", str(path), str(more)]) == 0
    capsys.readouterr()
    assert run(["log", "check", str(path), "--json"]) == 0
    head = json.loads(capsys.readouterr().out)["chain_head"]
    assert head == json.loads(path.read_text().splitlines()[-1])["entry_hash"]
    path.write_text(path.read_text().replace('["k"]', '["other"]'))
    assert run(["log", "check", str(path), "--json"]) == 1
    found = json.loads(capsys.readouterr().out)
    assert found["chain_head"] is None
    assert [each["code"] for each in found["problems"]] == ["CHAIN_CHANGED"]


def test_an_import_takes_them_over_without_a_person(tmp_path: Path) -> None:
    tickets = tmp_path / "tickets.csv"
    tickets.write_text(
        f"request_id,received_at,email,customer_id,canary\nR-1,{AT},a@x.example,C-1,\nK-1,{AT},k@x.example,K-9,true\n"
    )
    out = tmp_path / "log.jsonl"
    told = ["--person", "email=customer_id", "--key", str(tmp_path / "key")]
    assert run(["log", "import", str(tickets), *told, "-o", str(out)]) == 0
    people, planted = apart(read_log(out)[0])
    assert people[0].subject is not None
    assert (planted[0].record_ids, planted[0].subject) == (("K-9",), None)
