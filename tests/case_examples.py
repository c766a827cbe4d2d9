"""A small sound case in a folder, and ways to spoil it."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import numpy as np
from safetensors.numpy import save

from auditor.base.domain import Problem

SOUND = """\
[case]
name = "example"

[data]
train = "train.npz"
task = "classification"

[model]
path = "model.safetensors"

[procedure]
use = "certified-removal"
l2 = 1e-3
sigma = 1.0
seed = 20261121

[deletions]
log = "deletions.jsonl"
"""


def npz(**arrays: Any) -> bytes:
    stream = io.BytesIO()
    np.savez(stream, **arrays)
    return stream.getvalue()


def records(n: int = 12, d: int = 3, *, start: int = 0, **other: Any) -> bytes:
    arrays = {
        "features": np.arange(n * d, dtype=np.float64).reshape(n, d) / (n * d),
        "labels": np.arange(n) % 2,
        "ids": np.array([f"r{start + at}" for at in range(n)]),
    }
    return npz(**{**arrays, **other})


def row(request_id: str = "REQ-1", record_ids: Any = ("r1",), **other: Any) -> dict[str, Any]:
    record_ids = list(record_ids) if isinstance(record_ids, tuple) else record_ids
    return {"request_id": request_id, "record_ids": record_ids, "received_at": "2026-01-10T09:00:00+01:00", **other}


def jsonl(*rows: dict[str, Any]) -> bytes:
    return b"".join(json.dumps(fields).encode() + b"\n" for fields in rows)


def write_case(folder: Path, toml: str = SOUND, **files: bytes) -> Path:
    """Write the sound case with `toml` in its place; `files` by name, with `__` for the dot."""
    content = {
        "audit.toml": toml.encode(),
        "train.npz": records(),
        "model.safetensors": save({"parameters": np.zeros(3)}),
        "deletions.jsonl": jsonl(row(executed_at="2026-01-20T09:00:00+01:00")),
        **{name.replace("__", "."): data for name, data in files.items()},
    }
    for name, data in content.items():
        (folder / name).write_bytes(data)
    return folder


def places(problems: tuple[Problem, ...]) -> set[tuple[str, str]]:
    return {(problem.file, problem.where) for problem in problems}
