"""`auditor log replay`: what a restored backup brings back is listed, and nothing that might be is left out."""

from __future__ import annotations

import json
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

import pytest

from auditor.base.deletion_log import restores
from auditor.cli import run
from auditor.pages.main import search_scope
from auditor.pages.words.rendered_evidence import tell
from auditor.settings.documents import OutsidePlace
from cases import sample

RESTORED = "2026-03-01"


def row(number: int, **more: Any) -> dict[str, Any]:
    return {"request_id": f"R-{number}", "record_ids": [f"p-{number}"], "received_at": "2026-01-02T08:00:00Z", **more}


ROWS = (
    row(1, executed_at="2026-02-01T08:00:00Z"),
    row(2, executed_at="2026-03-05T08:00:00Z"),
    row(3, executed_at="2026-02-28T12:00:00Z"),
    row(4, executed_at="2026-02-01T08:00:00Z", data_erased_at="2026-02-01T08:00:00Z", model_erased_at="2026-03-02T08:00:00Z"),
    row(5),
    row(6, status="denied", reason="we must keep it", answered_at="2026-02-01T08:00:00Z"),
    row(7, status="no_match", answered_at="2026-02-01T08:00:00Z"),
    row(8, executed_at="2026-03-01T00:30:00+01:00"),
)


def written(folder: Path, *rows: dict[str, Any]) -> Path:
    path = folder / "log.jsonl"
    path.write_text("".join(json.dumps(each) + "\n" for each in rows), encoding="utf-8")
    return path


@pytest.mark.parametrize(
    ("restored", "ids"),
    [
        # The first of March began at 10:00 UTC on 28 February, on Line Islands' clocks.
        (RESTORED, ["R-2", "R-3", "R-4", "R-8"]),
        ("2026-03-01T00:00:00+00:00", ["R-2", "R-4"]),
        ("2026-03-01T00:30:00+01:00", ["R-2", "R-4", "R-8"]),
        ("2025-12-01", ["R-1", "R-2", "R-3", "R-4", "R-8"]),
        ("2026-04-01", []),
    ],
)
def test_what_was_erased_since_the_backup_is_listed(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], restored: str, ids: list[str]
) -> None:
    log = written(tmp_path, *ROWS)
    before = log.read_bytes()
    assert run(["log", "replay", str(log), "--restored-from", restored, "--json"]) == 0
    found = json.loads(capfd.readouterr().out)
    assert [each["request_id"] for each in found["again"]] == ids
    assert found["not_carried_out_yet"] == ["R-5"]
    assert log.read_bytes() == before
    assert run(["log", "replay", str(log), "--restored-from", restored]) == 0
    out, err = capfd.readouterr()
    assert out.splitlines()[-1] == f"To carry out again: {len(ids)} of 8 requests."
    assert "Not carried out yet, and still to be: 1 request(s)." in err


def test_what_contradicts_itself_or_lacks_a_time_is_repeated(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    log = written(
        tmp_path,
        row(1, status="executed"),
        row(2, status="denied", reason="no", executed_at="2026-03-05T08:00:00Z"),
        row(3),
        row(3),
    )
    assert run(["log", "replay", str(log), "--restored-from", RESTORED]) == 0
    out, err = capfd.readouterr()
    assert [line.split(": ")[1] for line in out.splitlines()[:-1]] == ["R-1", "R-2"]
    assert "this list may lack some" in " ".join(err.split())
    assert run(["log", "replay", str(log), "--restored-from", RESTORED, "--quiet"]) == 0
    assert "this list may lack some" in " ".join(capfd.readouterr().err.split())


@pytest.mark.parametrize("said", ["yesterday", "2026-02-30", "2026-03-01T00:00:00", "", "2999-01-01"])
def test_a_day_that_is_none_or_is_to_come_is_bad_usage(tmp_path: Path, capfd: pytest.CaptureFixture[str], said: str) -> None:
    assert run(["log", "replay", str(written(tmp_path, *ROWS)), "--restored-from", said]) == 2
    assert "--restored-from: expected" in " ".join(capfd.readouterr().err.split())


def test_a_day_is_its_first_moment_anywhere() -> None:
    assert restores.made_at(RESTORED) == datetime(2026, 2, 28, 10, tzinfo=UTC)


@pytest.mark.parametrize(
    ("until", "said"),
    [
        ((), "Nobody said"),
        ((None,), "Nobody said"),
        ((date(2099, 1, 1), None), "Nobody said"),
        ((date(2099, 1, 1), date(2098, 1, 1)), "is gone by 1 January 2099"),
        ((date(2020, 1, 1),), "before the last erasure on"),
    ],
)
def test_the_report_says_by_when_the_last_backup_is_gone(until: tuple[date | None, ...], said: str) -> None:
    places = tuple(
        OutsidePlace(name=f"Backups, part {number}", what="nightly", until=day, declared_by="X")
        for number, day in enumerate(until)
    )
    evidence = sample("digits-newton").model_copy(update={"outside": places})
    assert said in search_scope.backups_gone(tell(evidence))
