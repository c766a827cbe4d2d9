"""The hash chain of a deletion log: what it shows, and what it cannot show."""

from __future__ import annotations

import hashlib
import json
from typing import Any

import pytest
import rfc8785

from auditor.base.deletion_log import deletions, log_chain
from auditor.base.deletion_log.requests import Link
from auditor.base.domain import Status
from auditor.case.logs import read_log
from auditor.pages.words import basis
from auditor.parts.log.judging import log_consistency
from auditor.verdict.checks.finding import Nothing
from judging import declared, log_facts

IDS = {"a", "b", "c"}


def rows() -> list[dict[str, Any]]:
    plain = [
        {"request_id": f"R-{record}", "record_ids": [record], "received_at": f"2026-01-0{day}T09:00:00+01:00", "note": "grüße"}
        for day, record in enumerate("abc", start=1)
    ]
    before: str | None = None
    linked = []
    for row in plain:
        linked.append(log_chain.chained(row, before))
        before = linked[-1]["entry_hash"]
    return linked


def read(folder, content: list[dict[str, Any]]):
    path = folder / "log.jsonl"
    path.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in content), encoding="utf-8")
    requests, not_read = read_log(path)
    assert not set(not_read) & set(log_chain.COLUMNS)
    return requests


def codes(requests) -> list[tuple[int, str]]:
    return [(each.row, each.code) for each in deletions.findings(requests, IDS)]


def test_a_hash_is_sha_256_over_the_canonical_row_without_itself():
    row = {"request_id": "R-1", "record_ids": ["7"], "note": None, "prev_hash": "ab", "entry_hash": "cd"}
    kept = {"request_id": "R-1", "record_ids": ["7"], "prev_hash": "ab"}
    assert log_chain.entry_hash(row) == hashlib.sha256(rfc8785.dumps(kept)).hexdigest()
    assert log_chain.entry_hash({"prev_hash": "ab", "record_ids": ["7"], "request_id": "R-1"}) == log_chain.entry_hash(row)
    assert log_chain.entry_hash({"a": 1}) == "015abd7f5cc57a2dd94b7590f04ad8084273905ee33ec5cebeae62276a97f862"


def test_a_whole_chain_has_a_head_and_no_finding(tmp_path):
    content = rows()
    requests = read(tmp_path, content)
    assert [each.link for each in requests] == [Link.INTACT] * 3
    assert codes(requests) == []
    assert deletions.chain_head(requests) == content[-1]["entry_hash"]


def test_the_order_of_keys_and_missing_values_count_for_nothing(tmp_path):
    content = [dict(reversed({**row, "batch": None}.items())) for row in rows()]
    assert codes(read(tmp_path, content)) == []


def changed(content):
    content[1]["received_at"] = "2026-01-05T09:00:00+01:00"
    return content, [(2, "CHAIN_CHANGED")]


def dropped(content):
    return [content[0], content[2]], [(2, "CHAIN_TORN")]


def first_dropped(content):
    return content[1:], [(1, "CHAIN_TORN")]


def exchanged(content):
    return [content[1], content[0], content[2]], [(1, "CHAIN_TORN"), (2, "CHAIN_TORN"), (3, "CHAIN_TORN")]


def inserted(content):
    content.insert(1, {"request_id": "R-x", "record_ids": ["b"], "received_at": "2026-01-02T08:00:00+01:00"})
    return content, [(2, "CHAIN_MISSING"), (3, "CHAIN_TORN")]


def rewritten_without_the_rest(content):
    content[1] = log_chain.chained({**content[1], "note": "another"}, content[0]["entry_hash"])
    return content, [(3, "CHAIN_TORN")]


def without_canonical_form(content):
    content[2]["seen_releases"], content[2]["extra"] = 1, 2**60
    return content, [(3, "CHAIN_CHANGED")]


def no_text(content):
    content[2]["entry_hash"] = 7
    return content, [(3, "CHAIN_MISSING")]


@pytest.mark.parametrize(
    "tamper", [changed, dropped, first_dropped, exchanged, inserted, rewritten_without_the_rest, without_canonical_form, no_text]
)
def test_what_was_done_to_a_log_shows_in_its_chain(tmp_path, tamper):
    content, expected = tamper(rows())
    requests = read(tmp_path, content)
    assert codes(requests) == expected
    assert deletions.chain_head(requests) is None


def test_a_last_row_that_is_gone_shows_in_the_head_alone(tmp_path):
    content = rows()
    requests = read(tmp_path, content[:2])
    assert codes(requests) == []
    assert deletions.chain_head(requests) == content[1]["entry_hash"] != content[2]["entry_hash"]


def test_a_log_without_hashes_has_no_chain(tmp_path):
    requests = read(tmp_path, [{name: value for name, value in row.items() if name not in log_chain.COLUMNS} for row in rows()])
    assert {each.link for each in requests} == {None}
    assert deletions.chain_head(requests) is None


def test_a_csv_is_hashed_as_text(tmp_path):
    first = {"request_id": "R-1", "record_ids": "a;b", "received_at": "2026-01-01T09:00:00Z"}
    second = {"request_id": "R-2", "record_ids": "c", "received_at": "2026-01-02T09:00:00Z", "seen_releases": "1"}
    linked = [log_chain.chained(first, None)]
    linked.append(log_chain.chained(second, linked[0]["entry_hash"]))
    names = ["request_id", "record_ids", "received_at", "seen_releases", "prev_hash", "entry_hash"]
    lines = [",".join(names), *(",".join(row.get(name, "") for name in names) for row in linked)]
    path = tmp_path / "log.csv"
    path.write_text("\n".join(lines))
    assert codes(read_log(path)[0]) == []
    path.write_text("\n".join(lines).replace("a;b", "a"))
    assert codes(read_log(path)[0]) == [(2, "CHAIN_CHANGED")]


def test_the_check_says_that_the_chain_holds_and_what_that_is_worth():
    head = "0" * 64
    finding = log_consistency.judge(declared(log=log_facts(chain_head=head)), Nothing(), {})
    assert finding.status is Status.PASS
    assert f"only to someone who kept its head elsewhere: {head}." in basis(finding.reasons)
