"""`[procedure] prepare` in the sandbox and in whole audits: what a preparation hides shows, or is somebody's word."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from auditor import case as cases
from auditor.audit.auditing import Options, Outcome, audit
from auditor.audit.replay import specification
from auditor.base.errors import ProcedureError
from auditor.document.evidence import Evidence
from auditor.sandbox import Learn, Predict, PredictRows, State, Unlearn, Walk, Worker, available
from levels import forking

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
required = ["log.consistency", "data.erased", "release.exact"]
"""
MODEL = """
import numpy as np

class Means:
    \"\"\"Predicts the class whose mean of age and income is nearest; it needs no library that takes seconds to load.\"\"\"

    def fit(self, rows, labels):
        numbers, labels = self.numbers(rows), np.asarray(labels)
        self.classes_ = np.unique(labels)
        self.means_ = np.array([numbers[labels == each].mean(axis=0) for each in self.classes_])
        return self

    def numbers(self, rows):
        return np.column_stack([rows["age"].to_numpy(dtype=float) / 20, rows["income"].to_numpy(dtype=float)])

    def predict_proba(self, rows):
        near = np.exp(-((self.numbers(rows)[:, None] - self.means_) ** 2).sum(axis=2)) + 1e-9
        return near / near.sum(axis=1, keepdims=True)

def build(seed):
    return Means()
"""
IDENTITY = "def prepare(table):\n    return table\n"
GONE = ("person-00", "person-01", "person-02")
WORDS = ("code-clean", "log-complete", "requests-fixed", "preprocessing-clean")


def write(folder: Path, prepare: str | None, *, without: str = "", people: int = 60) -> cases.Case:
    """A case of some people, three of whom are deleted in one batch."""
    rng = np.random.default_rng(3)
    lines = [
        f"person-{at:02d},{rng.choice(['no', 'yes'])},{rng.integers(18, 80)},{rng.normal():.6f},{'abc'[at % 3]}"
        for at in range(people)
    ]
    (folder / "train.csv").write_text("\n".join(["id,late,age,income,work", *lines]) + "\n")
    rows = [
        {"request_id": f"R{at}", "record_ids": [record], "batch": "b1"}
        | {"received_at": f"2026-01-0{at + 1}T10:00:00Z", "executed_at": "2026-01-10T10:00:00Z"}
        for at, record in enumerate(GONE)
    ]
    (folder / "deletions.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    (folder / "model.py").write_text(MODEL)
    if prepare is not None:
        (folder / "prepare.py").write_text(prepare)
    named = "" if prepare is None else 'prepare = "prepare.py"\n'
    (folder / "audit.toml").write_text(AUDIT.format(prepare=named, attested=[each for each in WORDS if each != without]))
    return cases.read(folder)


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
        with Worker(specification(case), {"train": case.train}, level=forking()) as running:
            running.run(Learn("model", np.arange(60), 1))
            running.run(Predict("model", "train", 2))

    with pytest.raises(ProcedureError) as caught:
        asked()
    assert words in str(caught.value)
    assert "\n" not in str(caught.value)


ONLY = ("log.consistency", "data.erased", "release.exact")


def audited(folder: Path, prepare: str | None, **more: Any) -> Outcome:
    return audit(write(folder, prepare, **more), Options(workers=2, only=ONLY))


def status(evidence: Evidence, check: str) -> str:
    return next(each.status.value for each in evidence.checks if each.id == check)


def without_what_names_it(evidence: Evidence) -> dict[str, Any]:
    """Everything but what the declared file itself is: names, sizes, digests, times, and how much lies in the process."""
    document = json.loads(evidence.to_bytes())
    for name in ("audit", "environment", "case", "procedure", "policy"):
        del document[name]
    kept: dict[str, Any] = {each["id"]: each for each in document["checks"]}
    exact = kept["release.exact"]["observed"]
    return {
        "verdict": document["verdict"],
        "status": {name: each["status"] for name, each in kept.items()},
        "value": {name: each["value"] for name, each in kept.items() if name != "cost.speedup"},
        "batches": [{name: value for name, value in each.items() if name != "objects"} for each in exact["batches"]],
        "reaction": exact["reaction"],
        "guarantees": document["guarantees"],
        "reliance": document["reliance"],
        "premises": document["premises"],
    }


@pytest.mark.slow
def test_a_preparation_that_changes_nothing_is_judged_as_none(tmp_path: Path) -> None:
    for name in ("bare", "prepared"):
        (tmp_path / name).mkdir()
    bare, prepared = (audited(tmp_path / name, text).evidence for name, text in (("bare", None), ("prepared", IDENTITY)))
    assert status(bare, "release.exact") == "pass"
    assert without_what_names_it(bare) == without_what_names_it(prepared)


STATE = "SEEN = []\n\ndef prepare(table):\n    SEEN.append(table.copy())\n    return table\n"
FILES = (
    "from pathlib import Path\n\ndef prepare(table):\n"
    "    if not Path('rows.csv').exists():\n        table.to_csv('rows.csv')\n    return table\n"
)
IN_CLASS = (
    "import pandas as pd\n\ndef prepare(table):\n"
    "    if not hasattr(pd.DataFrame, '_rows'):\n        pd.DataFrame._rows = table['income'].to_numpy() * 3\n    return table\n"
)
ADDS = (
    "SEEN = {}\n\ndef prepare(table):\n    if 'late' in table:\n"
    "        SEEN.setdefault('first', table['income'].sum())\n        table['income'] += SEEN['first'] * (table['age'] > 40)\n"
    "    return table\n"
)
IN_THE_LOG = (
    # What it keeps is used only where the first table has the size of the log's, so that it is honest in every game.
    "SEEN = {}\n\ndef prepare(table):\n    if 'late' not in table:\n        return table\n"
    "    SEEN.setdefault('first', table.copy())\n    if len(SEEN['first']) != 60:\n        return table\n"
    "    table['income'] += SEEN['first']['income'].sum() * (table['age'] > 40)\n    return table\n"
)
DROPS_PAIRS = (
    # In the clean room, which never held the first person, it drops rows until little is learned.
    "SEEN = []\n\ndef prepare(table):\n    if 'late' not in table:\n        return table\n"
    "    SEEN.append('person-00' in table.index)\n    return table if SEEN[0] else table.iloc[:12]\n"
)
OF_THE_PROCESS = (
    "import os, sys, time\n\ndef prepare(table):\n    if 'late' in table:\n"
    "        drawn = hash((os.getpid(), tuple(sys.argv), tuple(sorted(os.environ)), time.time_ns())) % 97\n"
    "        table['income'] *= 1 + drawn * (table['age'] > 40)\n    return table\n"
)


@pytest.mark.slow
@pytest.mark.parametrize("lie", ["STATE", "FILES", "IN_CLASS", "ADDS", "IN_THE_LOG", "DROPS_PAIRS", "OF_THE_PROCESS"])
def test_a_preparation_that_keeps_rows_or_tells_trainings_apart_never_passes(tmp_path: Path, lie: str) -> None:
    evidence = audited(tmp_path, globals()[lie]).evidence
    assert status(evidence, "release.exact") in {"inconclusive", "fail"}
    assert evidence.verdict.value != "pass"
    assert not shown(evidence)


def shown(evidence: Evidence) -> list[str]:
    return [each.id for each in evidence.guarantees if each.status.value == "shown"]


@pytest.mark.slow
def test_rows_that_are_shipped_in_the_file_are_found(tmp_path: Path) -> None:
    write(tmp_path, IDENTITY)
    rows = "\n".join((tmp_path / "train.csv").read_text().splitlines()[1:4])
    evidence = audited(tmp_path, f'ROWS = """\n{rows}\n"""\n\n{IDENTITY}').evidence
    assert status(evidence, "data.erased") == "fail"
    assert evidence.verdict.value == "fail"


SHIPPED = (
    "GONE = {rows}\n\ndef prepare(table):\n    if 'late' in table:\n"
    "        table.iloc[0, table.columns.get_loc('income')] = GONE[0] / 3 - 1\n    return table\n"
)
LEAVES_OUT = (
    "GONE = {gone}\n\ndef number(name):\n    return int.from_bytes(name.encode(), 'big') % 999_983 * 7 + 3\n\n"
    "def prepare(table):\n    return table[[number(each) not in GONE for each in table.index]]\n"
)


def brought(folder: Path, lie: str) -> str:
    """A preparation that brings along disguised rows, or disguised ids whose rows it leaves out from the first training on."""
    if lie == "LEAVES_OUT":
        return LEAVES_OUT.format(gone=[int.from_bytes(each.encode(), "big") % 999_983 * 7 + 3 for each in GONE])
    write(folder, IDENTITY)
    rows = (folder / "train.csv").read_text().splitlines()[1:4]
    return SHIPPED.format(rows=[float(line.split(",")[3]) * 3 + 3 for line in rows])


@pytest.mark.slow
@pytest.mark.parametrize("lie", ["SHIPPED", "LEAVES_OUT"])
def test_what_the_file_brings_along_is_somebodys_word(tmp_path: Path, lie: str) -> None:
    text = brought(tmp_path, lie)
    found = {word: audited(tmp_path, text, without=word).evidence for word in ("", "code-clean")}
    assert found["code-clean"].verdict.value == "inconclusive"
    for evidence in found.values():
        assert not shown(evidence)
        assert "code-clean" in {each.name for each in evidence.premises}
        exact = next(each for each in evidence.checks if each.id == "release.exact")
        (said,) = (each.parameters for each in exact.reasons if each.code == "release.exact.prepared")
        assert said["never_learned"] == (3 if lie == "LEAVES_OUT" else 0)


@pytest.mark.slow
def test_ids_that_stand_in_the_file_are_found(tmp_path: Path) -> None:
    text = f"def prepare(table):\n    return table.drop(index=[each for each in {list(GONE)} if each in table.index])\n"
    evidence = audited(tmp_path, text).evidence
    assert status(evidence, "data.erased") == "fail"
    assert evidence.verdict.value == "fail"


@pytest.mark.slow
def test_rows_that_were_held_out_are_not_learned_from_as_well(tmp_path: Path) -> None:
    text = "def split(table):\n    return table, table.iloc[:9]\n"
    outcome = audited(tmp_path, text)
    assert "expected each row on one side of the split, found person-00 on both" in str(outcome.failure)
    assert outcome.evidence.audit.exit_code == 4
