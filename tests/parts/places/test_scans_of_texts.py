"""A scan with quotations from end to end: what screen, report, letters and evidence say of whom, and that the evidence verifies.

Of four deleted people one is quoted, one has a text that is told from another's by two words, one has a text whose beginning
alone lies there, in words that others have too, and of one nothing is left.
"""

from __future__ import annotations

import json
import random
import re
from pathlib import Path
from typing import Final

import pytest

from auditor.cli import run
from auditor.document.evidence_files import parse
from auditor.pages.letters import extract
from auditor.recheck import recheck
from letter_cases import said
from tests.parts.places.test_places import write
from tests.parts.places.test_quotations import written

QUOTED, ALIKE, CUT, GONE = "R-1", "R-2", "R-3", "R-4"
IDS: Final = [f"C-{at:04}" for at in range(1, 81)]
_TEXTS: Final = {each: written(random.Random(at), 30) for at, each in enumerate(IDS)}
NEIGHBOUR: Final = _TEXTS["C-0050"]
TEXTS: Final = {
    **_TEXTS,
    "C-0002": f"{NEIGHBOUR} bluebell",
    # Ten words of somebody who stays, one of their own, and more of their own that is gone.
    "C-0003": f"{' '.join(_TEXTS['C-0060'].split()[:10])} larkspur {_TEXTS['C-0003']}",
}
DELETED: Final = dict(zip((QUOTED, ALIKE, CUT, GONE), IDS, strict=False))
KEPT: Final = [each for each in IDS if each not in DELETED.values()]
LINES: Final = {
    QUOTED: " ".join(TEXTS["C-0001"].split()[5:14]),
    ALIKE: " ".join(TEXTS["C-0002"].split()[12:]),
    CUT: " ".join(TEXTS["C-0003"].split()[2:11]),
}


@pytest.fixture
def scanned(tmp_path: Path, unprinted: None, capsys: pytest.CaptureFixture[str]) -> tuple[Path, str]:
    write(tmp_path / "people.csv", [(each, TEXTS[each]) for each in IDS], ("id", "note"))
    rows = [
        {"request_id": name, "record_ids": [record], "received_at": "2026-10-01T09:00:00+00:00",
         "executed_at": "2026-10-05T09:00:00+00:00"}
        for name, record in DELETED.items()
    ]  # fmt: skip
    (tmp_path / "deletions.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    place = tmp_path / "chunks"
    place.mkdir()
    write(place / "now.csv", [(each, TEXTS[each]) for each in KEPT], ("id", "note"))
    (place / "old.jsonl").write_text("".join(json.dumps({"chunk": each}) + "\n" for each in LINES.values()), encoding="utf-8")
    told = ["--log", str(tmp_path / "deletions.jsonl"), "--data", str(tmp_path / "people.csv"), "--out", str(tmp_path / "out")]
    assert run(["scan", str(place), *told]) == 3
    return tmp_path / "out", " ".join(capsys.readouterr().out.split())


@pytest.mark.attempt("texts of deleted people")
def test_each_reader_is_told_of_whom_texts_may_be_left(scanned: tuple[Path, str]) -> None:
    out, screen = scanned
    (path,) = out.rglob("evidence.json")
    evidence = parse(path.read_bytes(), path.name)
    (check,) = [each for each in evidence.checks if each.id == "places.erased"]
    (seen,) = (check.observed or {})["places"]
    assert seen["quoted_ids"] == [QUOTED]
    assert seen["untold_ids"] == [ALIKE, CUT]
    spot = f"{QUOTED} in old.jsonl, line 1"
    told = "texts of 2 requests cannot be distinguished from those of people who stay"
    assert spot in screen
    assert told in screen
    (page,) = out.rglob("report.html")
    report = " ".join(re.sub(r"<[^>]+>", " ", page.read_text(encoding="utf-8")).split())
    assert "texts of these people may be quoted" in report
    assert spot in report
    assert told in report
    for words in LINES.values():
        assert words not in path.read_text(encoding="utf-8") + report + screen
    assert recheck(path).agrees
    letters = {name: said(extract(evidence, name, draft=True)) for name in DELETED}
    assert "texts that we keep and that may quote it" in letters[QUOTED]
    for name in (ALIKE, CUT):
        assert "texts that it could not tell from other people" in letters[name]
        assert "may quote it" not in letters[name]
    for name in (QUOTED, ALIKE, CUT):
        assert "found no copy" not in letters[name]
    assert "found no copy" in letters[GONE]
    assert "could not tell from" not in letters[GONE]


def test_a_letter_about_a_text_that_is_like_others_is_verified(
    scanned: tuple[Path, str], capsys: pytest.CaptureFixture[str]
) -> None:
    out, _ = scanned
    (path,) = out.rglob("evidence.json")
    letter = out.parent / "letter.pdf"
    assert run(["certificate", str(path), "--request", ALIKE, "--draft", "-o", str(letter)]) == 0
    assert run(["verify", str(letter), "--quiet"]) == 0
    evidence = json.loads(path.read_text(encoding="utf-8"))
    (check,) = [each for each in evidence["checks"] if each["id"] == "places.erased"]
    check["observed"]["places"][0]["untold_ids"] = [CUT]
    path.write_text(json.dumps(evidence), encoding="utf-8")
    assert not recheck(path).agrees
    capsys.readouterr()
