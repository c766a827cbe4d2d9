"""A table of Adult's size and shape, LightGBM in a pipeline, 40 requests in 10 batches: `auditor validate` and `auditor check`.

Adult itself where the environment variable ADULT names a folder that holds `adult.data`; otherwise rows made like it. The audit
reaches clean-room equality after every batch.
"""

from __future__ import annotations

import csv
import json
import os
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

import numpy as np

from benchmarks.measuring import Figure, bytes_of, commands, watched

PASSED = ("log.consistency", "data.erased", "release.exact", "utility.accuracy")
COLUMNS = [
    *("age", "workclass", "fnlwgt", "education", "education-num", "marital-status", "occupation", "relationship", "race", "sex"),
    *("capital-gain", "capital-loss", "hours-per-week", "native-country", "income"),
]
WORDS = {"workclass": 9, "education": 16, "marital-status": 7, "occupation": 15, "relationship": 6, "race": 5, "sex": 2}
CASE = """\
[case]
name = "mixed-table"

[data]
train = "train.csv"
store = "store.csv"
holdout = "holdout.csv"
task = "classification"
label = "income"

[procedure]
use = "estimator"
entry = "model.py:build"
seed = "278189252447704765151761555871619860438"

[deletions]
log = "deletions.jsonl"

[claims]
retraining = true
attested = ["code-clean", "copies-are-others"]
attested_by = "A. N. Other"
attested_at = 2026-01-31

[policy]
required = {required}
max_accuracy_drop = 0.02

[sandbox]
timeout_s = 300.0
"""
MODEL = """\
from lightgbm import LGBMClassifier
from sklearn.compose import ColumnTransformer, make_column_selector
from sklearn.pipeline import Pipeline
from sklearn.preprocessing import OrdinalEncoder


def build(seed):
    codes = OrdinalEncoder(handle_unknown="use_encoded_value", unknown_value=-1, encoded_missing_value=-2)
    columns = ColumnTransformer([("codes", codes, make_column_selector(dtype_exclude="number"))], remainder="passthrough")
    trees = LGBMClassifier(random_state=seed, deterministic=True, force_col_wise=True, verbosity=-1)
    return Pipeline([("columns", columns), ("trees", trees)])
"""


@dataclass(frozen=True, slots=True)
class Sizes:
    """Of the table and the log, and how often it is validated."""

    rows: int
    unseen: int
    requests: int
    batches: int
    repeats: int


USUAL = Sizes(rows=32_561, unseen=2_000, requests=40, batches=10, repeats=2)
TINY = Sizes(rows=120, unseen=40, requests=2, batches=1, repeats=1)


def rows(sizes: Sizes) -> tuple[list[list[str]], list[list[str]]]:
    """Adult's rows and some of its test rows, or as many made ones: cells as text, in the order of `COLUMNS`."""
    folder = os.environ.get("ADULT")
    if folder is None:
        return made(np.random.default_rng(0), sizes.rows), made(np.random.default_rng(1), sizes.unseen)
    return _adult(Path(folder) / "adult.data"), _adult(Path(folder) / "adult.test")[: sizes.unseen]


def _adult(path: Path) -> list[list[str]]:
    with path.open(encoding="utf-8", newline="") as file:
        read = [["" if cell == "?" else cell.rstrip(".") for cell in row] for row in csv.reader(file, skipinitialspace=True)]
    return [row for row in read if len(row) == len(COLUMNS) and row[0] != "age"]


def made(rng: np.random.Generator, count: int) -> list[list[str]]:
    """Rows of Adult's shape, some of whose cells are missing."""
    words = {name: [f"{name} {at}" for at in range(many)] for name, many in WORDS.items()}
    countries = [f"country {at}" for at in range(41)]
    found = []
    for _ in range(count):
        age, schooling, hours = int(rng.integers(17, 91)), int(rng.integers(1, 17)), int(np.clip(rng.normal(40, 12), 1, 99))
        gain = int(rng.choice([0, rng.integers(100, 99_999)], p=[0.92, 0.08]))
        loss = int(rng.choice([0, rng.integers(100, 4_500)], p=[0.95, 0.05]))
        told = {name: rng.choice(each) if rng.random() > 0.02 else "" for name, each in words.items()}
        score = 0.3 * (schooling - 10) + 0.03 * (hours - 40) + 0.02 * (age - 40) + gain / 20_000 + rng.logistic() - 1.5
        found.append(
            [
                *(str(age), told["workclass"], str(int(rng.integers(12_000, 1_500_000))), told["education"], str(schooling)),
                *(told["marital-status"], told["occupation"], told["relationship"], told["race"], told["sex"]),
                *(str(gain), str(loss), str(hours), str(rng.choice(countries)), ">50K" if score > 0 else "<=50K"),
            ]
        )
    return found


def write_case(folder: Path, sizes: Sizes) -> Path:
    """Write a case of a table and rows that it does not hold."""
    table, others = rows(sizes)
    numbered = [[f"person-{at:05d}", *row] for at, row in enumerate(table)]
    unseen = [[f"other-{at:05d}", *row] for at, row in enumerate(others)]
    rng = np.random.default_rng(1)
    gone = [numbered[at][0] for at in rng.choice(len(numbered), size=sizes.requests, replace=False)]
    for name, part in (
        ("train.csv", numbered),
        ("holdout.csv", unseen),
        ("store.csv", [row for row in numbered if row[0] not in set(gone)]),
    ):
        with (folder / name).open("w", encoding="utf-8", newline="") as file:
            csv.writer(file).writerows([["id", *COLUMNS], *part])
    start = datetime(2026, 1, 1, 8, tzinfo=UTC)
    with (folder / "deletions.jsonl").open("w", encoding="utf-8") as log:
        for at, record in enumerate(gone):
            week = start + timedelta(weeks=at * sizes.batches // sizes.requests)
            times = {"received_at": week.isoformat(), "executed_at": (week + timedelta(days=6)).isoformat()}
            row = {
                "request_id": f"REQ-{at:03d}",
                "record_ids": [record],
                "batch": f"week-{at * sizes.batches // sizes.requests}",
                **times,
            }
            log.write(json.dumps(row) + "\n")
    (folder / "audit.toml").write_text(CASE.replace("{required}", json.dumps(PASSED)), encoding="utf-8")
    (folder / "model.py").write_text(MODEL, encoding="utf-8")
    return folder


def measure(sizes: Sizes) -> Iterator[Figure]:
    """Time both commands.

    Raises:
        AssertionError: If a check that the case requires does not pass, of the whole table.
    """
    with tempfile.TemporaryDirectory() as name:
        folder = write_case(Path(name), sizes)
        yield commands("validate", str(folder), repeats=sizes.repeats).figure("validate")
        cost = watched("check", str(folder), "--out", str(folder / "audit"), codes=(0, 1, 3))
        yield Figure("check", (cost.seconds,), "s", (cost.processor,))
        yield bytes_of("memory", [cost.peak])
        evidence = json.loads((folder / "audit" / "evidence.json").read_bytes())
    found = {check["id"]: check["status"] for check in evidence["checks"] if check["id"] in PASSED}
    if sizes == USUAL and set(found.values()) != {"pass"}:
        raise AssertionError(f"not every required check passes: {found}")
