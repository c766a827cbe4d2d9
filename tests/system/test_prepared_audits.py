"""`[procedure] prepare` in the sandbox and in whole audits: what a preparation hides shows, or is somebody's word."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from auditor import case as cases
from auditor.audit.auditing import Options, audit
from auditor.audit.replay import specification
from auditor.base.errors import ProcedureError
from auditor.document.evidence import Evidence
from auditor.sandbox import Learn, Level, Predict, PredictRows, State, Unlearn, Walk, Worker, available

AUDIT = """
[case]
name = "prepared"

[data]
train = "train.csv"
label = "late"
task = "classification"

[procedure]
use = "estimator"
entry = "model.py:build"
{prepare}seed = "278189252447704765151761555871619860438"

[deletions]
log = "deletions.jsonl"

[claims]
retraining = true
attested = {attested}
attested_by = "A. N. Other"
attested_at = 2026-01-31

[policy]
required = ["log.consistency", "release.exact"]
"""
MODEL = """
from sklearn.compose import make_column_transformer
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder
from sklearn.tree import DecisionTreeClassifier

def build(seed):
    codes = make_column_transformer((OneHotEncoder(handle_unknown="ignore"), ["work"]), remainder="passthrough")
    return make_pipeline(codes, DecisionTreeClassifier(max_depth=4, random_state=seed))
"""
IDENTITY = "def prepare(table):\n    return table\n"
GONE = ("person-00", "person-01", "person-02")
WORDS = ("code-clean", "log-complete", "requests-fixed", "preprocessing-clean")


def write(folder: Path, prepare: str | None, *, without: str = "", people: int = 60) -> cases.Case:
    """A case of some people, three of whom are deleted in two batches."""
    rng = np.random.default_rng(3)
    lines = [
        f"person-{at:02d},{rng.choice(['no', 'yes'])},{rng.integers(18, 80)},{rng.normal():.6f},{'abc'[at % 3]}"
        for at in range(people)
    ]
    (folder / "train.csv").write_text("\n".join(["id,late,age,income,work", *lines]) + "\n")
    rows = [
        {"request_id": f"R{at}", "record_ids": [record], "batch": f"b{at // 2}"}
        | {"received_at": f"2026-01-0{at + 1}T10:00:00Z", "executed_at": f"2026-01-1{at // 2}T10:00:00Z"}
        for at, record in enumerate(GONE)
    ]
    (folder / "deletions.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    (folder / "model.py").write_text(MODEL)
    if prepare is not None:
        (folder / "prepare.py").write_text(prepare)
    named = "" if prepare is None else 'prepare = "prepare.py"\n'
    (folder / "audit.toml").write_text(AUDIT.format(prepare=named, attested=[each for each in WORDS if each != without]))
    return cases.read(folder)


def audited(folder: Path, prepare: str | None, **more: Any) -> Evidence:
    return audit(write(folder, prepare, **more), Options(workers=2)).evidence


def status(evidence: Evidence, check: str) -> str:
    return next(each.status.value for each in evidence.checks if each.id == check)


def test_rows_are_prepared_behind_the_wall(tmp_path: Path) -> None:
    case = write(
        tmp_path,
        "CLASSES = {'no': 1, 'yes': 0}\n"
        "def prepare(table):\n"
        "    table['per'] = table['income'] / table['age']\n"
        "    return table[table['age'] > 20] if 'late' in table else table\n"
        "def split(table, seed):\n"
        "    held = table.sample(frac=0.2, random_state=seed)\n"
        "    return table.drop(held.index), held\n",
    )
    rows, forget = np.arange(60), np.array([0, 1], dtype=np.int64)
    with Worker(specification(case), {"train": case.train}, level=available()) as running:
        facts = running.run(Learn("before", rows, 2**70)).facts
        running.run(Unlearn("before", "after", rows, forget, 5))
        running.run(Learn("again", rows[2:], 5))
        probabilities = running.run(Predict("after", "train", 2, rows[:7])).array
        asked = running.run(PredictRows("after", case.train.features[:7], 2)).array
        states = [running.run(State(each)).content for each in ("after", "again")]
        assert running.run(Walk("after")).content
    np.testing.assert_array_equal(probabilities, asked)
    assert states[0] == states[1]
    assert facts["rows_held"] > 0
    assert facts["rows_dropped"] + facts["rows_held"] < 60


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (
            "def prepare(table):\n    return table[table['age'] > 30]\n",
            "prepare.py: expected prepare to keep every row that is asked",
        ),
        ("def prepare(table):\n    return table.reset_index(drop=True)\n", "keep the index, without reset_index"),
        ("def prepare(table):\n    return table['nowhere']\n", "prepare.py: prepare raised KeyError in line 2"),
        ("from nowhere import prepare\n", "the procedure's start failed"),
        ("import pandas\nfrom pandas import *\n", "prepare.py: expected prepare, split, fit or CLASSES, found none of them"),
    ],
)
def test_a_mistake_ends_the_run_with_a_sentence(tmp_path: Path, text: str, words: str) -> None:
    case = write(tmp_path, text)

    def asked() -> None:
        with Worker(specification(case), {"train": case.train}, level=Level.PROCESS) as running:
            running.run(Learn("model", np.arange(60), 1))
            running.run(Predict("model", "train", 2))

    with pytest.raises(ProcedureError) as caught:
        asked()
    assert words in str(caught.value)
    assert "\n" not in str(caught.value)
