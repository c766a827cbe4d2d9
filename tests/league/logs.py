"""Writes deletion logs: which requests name which records, in which batches, and when."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, TypeAlias

import numpy as np

Batches: TypeAlias = tuple[tuple[tuple[int, ...], ...], ...]
"""Batches of requests of positions in the training table."""
Row: TypeAlias = dict[str, Any]
"""One line of the log."""
_START = datetime(2026, 3, 2, 9, 0, tzinfo=UTC)


def alone(*places: int) -> Batches:
    """One batch for each record."""
    return tuple(((place,),) for place in places)


def together(*places: int) -> Batches:
    """One batch of requests for one record each."""
    return (tuple((place,) for place in places),)


def drawn(records: int, shape: Sequence[Sequence[int]], seed: int) -> Batches:
    """Draw the records: `shape` says, per batch, how many each of its requests names."""
    count = sum(size for batch in shape for size in batch)
    places = iter(np.random.default_rng([seed, 7]).choice(records, count, replace=False).tolist())
    return tuple(tuple(tuple(next(places) for _ in range(size)) for size in batch) for batch in shape)


def written(ids: np.ndarray[Any, Any], batches: Batches) -> tuple[Row, ...]:
    """The rows of a log in which everything was done within a week."""
    rows: list[Row] = []
    for number, batch in enumerate(batches):
        at = _START + timedelta(days=9 * number)
        for request in batch:
            rows.append(row(len(rows), [str(ids[place]) for place in request], at, batch=f"run-{number}"))
    return tuple(rows)


def row(number: int, ids: Sequence[str], at: datetime = _START, *, days: int = 5, **more: Any) -> Row:
    """One request."""
    return {
        "request_id": f"Q{number:04d}",
        "record_ids": list(ids),
        "subject": f"person-{number}",
        "received_at": at.isoformat(),
        "executed_at": (at + timedelta(days=days)).isoformat(),
        "seen_releases": 0,
        **more,
    }


def imported(export: str, *options: str, people: str = "") -> tuple[Row, ...]:
    """Turn an export of tickets into a log, as `auditor log import` does.

    Args:
        export: The CSV text of the export.
        options: Options of the command.
        people: The CSV text of a table that links people and records; where it is not empty, `--people` names it.
    """
    with TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "tickets.csv").write_text(export, encoding="utf-8")
        (folder / "people.csv").write_text(people, encoding="utf-8")
        linked = ["--people", "people.csv"] if people else []
        command = [sys.executable, "-m", "auditor", "log", "import", "tickets.csv", "-o", "log.jsonl", "--key", "pseudonym.key"]
        done = subprocess.run([*command, *linked, *options], cwd=folder, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stdout + done.stderr
        return tuple(json.loads(line) for line in (folder / "log.jsonl").read_text(encoding="utf-8").splitlines())
