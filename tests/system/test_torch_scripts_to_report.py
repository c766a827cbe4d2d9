"""The whole way of a user of PyTorch: script, table, tickets, a case, an audit, a page; and the model that the script gives."""

from __future__ import annotations

import csv
import json
import os
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

import torch_examples
from auditor.base import extras
from auditor.cli import run

WAYS: dict[str, tuple[Callable[[Path], Path], str]] = {
    "a CNN with BatchNorm, augmentation and a schedule": (torch_examples.write_digits, "digits.csv"),
    "a transformer that is fine-tuned from weights of its own": (torch_examples.write_messages, "messages.csv"),
}


def released(folder: Path, table: str) -> None:
    """Run the user's own script on the rows that remain, in a folder of its own, and make its tensors the file to release."""
    with (folder / "tickets.csv").open(encoding="utf-8") as file:
        gone = {row["E-Mail"] for row in csv.DictReader(file)}
    own = folder / "own"
    own.mkdir()
    with (folder / table).open(encoding="utf-8") as file:
        header, *rows = list(csv.reader(file))
    place = header.index("email")
    with (own / table).open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows([header, *(row for row in rows if row[place] not in gone)])
    (own / "train.py").write_bytes((folder / "train.py").read_bytes())
    subprocess.run([sys.executable, "train.py"], cwd=own, check=True, env={**os.environ, "OMP_NUM_THREADS": "1"})
    assert run(["canonical", str(own / "model.pt"), "-o", str(folder / "model.safetensors")]) == 0


@pytest.mark.slow
@pytest.mark.parametrize("kind", WAYS)
def test_the_replayed_model_is_the_one_that_the_script_gives(
    kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    write, table = WAYS[kind]
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    found_missing = extras.missing  # no PDF, which takes seconds
    monkeypatch.setattr(extras, "missing", lambda extra: ("weasyprint",) if extra == "report" else found_missing(extra))
    write(tmp_path)
    released(tmp_path, table)
    began = time.monotonic()
    words = ["--from", "train.py", "--data", table, "--log", "tickets.csv", "--timezone", "Europe/Berlin"]
    assert run(["init", "made", *words, "--model", "model.safetensors"]) == 0
    assert run(["check", "made", "--only", "log.consistency,log.deadlines,data.erased,model.reproduced,release.exact"]) == 3
    minutes = (time.monotonic() - began) / 60
    found = {each["id"]: each for each in json.loads(Path("made/audit/evidence.json").read_text(encoding="utf-8"))["checks"]}
    assert found["release.exact"]["status"] == "pass"
    # The very bytes that the user's own run gave, through the sandbox, the replay of nine requests and a file.
    assert found["model.reproduced"]["status"] == "pass", found["model.reproduced"]
    assert found["model.reproduced"]["value"] == 0.0
    assert Path("made/audit/report.html").stat().st_size > 10_000
    with capsys.disabled():
        print(f"\n{kind}: from script to page in {minutes:.1f} min")
