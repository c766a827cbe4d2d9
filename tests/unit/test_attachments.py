"""The tables that go with a report: whole, and harmless in a spreadsheet whatever they say."""

from __future__ import annotations

import csv
import dataclasses
import io
import json

import pytest

import report_examples as examples
from auditor.base.domain import Check, Status
from auditor.document.evidence import Evidence
from auditor.pages import attachments
from auditor.verdict.checks.finding import Values
from sample_cases import golden


def made(evidence) -> dict[str, bytes]:
    return attachments.of(Evidence.model_validate_json(evidence.evidence.to_bytes()))


def rows(content: bytes) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(content.decode("utf-8-sig"))))


def with_series(name: str, count: int):
    """The passing example, one of whose checks derived `count` rows under a name."""
    passing = examples.passing()
    held = passing.evidence.check("removal.budget")
    (first, *_), rest = held.derived["series"], {key: value for key, value in held.derived.items() if key != "series"}
    series = [first | {"batch": f"b{at}", "beta": {"local": at / 8, "online": None}} for at in range(count)]
    check = dataclasses.replace(held, derived=rest | {name: series})
    return dataclasses.replace(passing, evidence=passing.evidence.model_copy(update={"checks": (check,)}))


def test_every_request_is_a_row_with_all_that_is_known_of_it() -> None:
    evidence = examples.changed(examples.failing(), requests=examples.requests(700, overdue=2, still_open=1))
    told = rows(made(evidence)["requests.csv"])
    assert [row["request_id"] for row in told] == [each.request_id for each in evidence.requests]
    assert [row["overdue"] for row in told[-3:]] == ["false", "true", "true"]
    assert told[0]["guarantees"] == "certified-removal"
    assert told[0]["received_on"] == "2026-09-01"
    assert told[-3]["deleted_at"] == ""


def test_what_was_not_found_or_is_supported_by_somebodys_word_says_so_in_the_table_too() -> None:
    """As the page does: see test_standing_in_words."""
    for name, data, model in (
        ("digits-newton", ("not-found", "false"), ("supported", "true")),
        ("digits-newton-noised", ("not-found", "false"), ("shown", "true")),
        ("digits-retrain", ("not-found", "true"), ("not-examined", "")),
        ("digits-cheater", ("found", ""), ("refuted", "")),
    ):
        told = [row for row in rows(attachments.of(golden(name))["requests.csv"]) if row["status"] == "executed"]
        assert {(row["found_data"], row["found_data_on_trust"]) for row in told} == {data}
        assert {(row["found_model"], row["found_model_on_trust"]) for row in told} == {model}


def test_every_certificate_is_there_with_all_of_its_inputs() -> None:
    evidence = examples.passing()
    held = json.loads(made(evidence)["certificates.json"])
    assert [each["kind"] for each in held] == [each.kind for each in evidence.certificates]
    assert [set(each["inputs"]) for each in held] == [set(each.inputs) for each in evidence.certificates]


def test_rows_that_fit_in_print_are_no_file_and_longer_ones_are() -> None:
    assert "removal.budget.series.csv" not in made(with_series("series", attachments.MOST_ROWS))
    told = rows(made(with_series("series", attachments.MOST_ROWS + 1))["removal.budget.series.csv"])
    assert len(told) == 21
    assert (told[4]["batch"], told[4]["beta.local"], told[4]["beta.online"]) == ("b4", "0.5", "")
    assert list(told[0])[:3] == ["batch", "beta.local", "beta.online"], "as the document has them"
    assert told[8]["beta.local"] == "1"


class At(Values):
    alpha: float
    beta: float


class Drawn(Values):
    curve: tuple[At, ...]


def test_equal_rows_of_two_checks_are_one_file(monkeypatch: pytest.MonkeyPatch) -> None:
    evidence = examples.passing()
    curve = [{"alpha": at / 30, "beta": 1 - at / 30} for at in range(30)]
    first = Check("made.first", Status.PASS, 0.5, None, 0.5, observed=None, derived={"curve": curve}, reasons=())
    both = evidence.evidence.model_copy(update={"checks": (first, dataclasses.replace(first, id="made.second"))})
    monkeypatch.setattr(attachments, "derived_in", lambda check, _version: Drawn.model_validate(check.derived))
    names = [name for name in made(dataclasses.replace(evidence, evidence=both)) if name.endswith("curve.csv")]
    assert names == ["made.first.curve.csv"]


def test_what_no_judge_derives_is_no_file() -> None:
    assert not [name for name in made(with_series("made_up", 30)) if "made_up" in name]


def test_a_key_from_elsewhere_names_no_file_in_another_folder() -> None:
    assert not [name for name in made(with_series("../../series", 30)) if "series" in name]


def test_a_cell_that_a_spreadsheet_would_calculate_is_text_and_what_cannot_be_seen_is_spelled_out() -> None:
    evidence = examples.failing()
    first = evidence.requests[0]
    for written, shown in (
        ("=HYPERLINK(1)", "'=HYPERLINK(1)"),
        ("+1", "'+1"),
        ("-1", "'-1"),
        ("@x", "'@x"),
        ("\u202eabc", "\\u202eabc"),
        ('a,"b"\nc', 'a,"b"\\u000ac'),
        ("Zoë", "Zoë"),
    ):
        changed = examples.changed(evidence, requests=(dataclasses.replace(first, request_id=written),))
        (row,) = rows(made(changed)["requests.csv"])
        assert row["request_id"] == shown
