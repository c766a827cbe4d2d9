"""`use = "estimator"` on a table of mixed columns, in the sandbox and in whole audits: what an estimator hides shows."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from auditor import case as cases
from auditor.audit.auditing import Options, audit
from auditor.audit.replay import specification
from auditor.base.errors import InputError, ProcedureError
from auditor.sandbox import Learn, Parameters, Predict, PredictRows, Save, State, Unlearn, Walk, Worker, available
from levels import forking

MODELS = Path(__file__).parents[1] / "unit" / "wrapped_models.py"
AUDIT = """
[case]
name = "wrapped"

[data]
train = "train.csv"
task = "classification"

[procedure]
use = "estimator"
entry = "model.py:build"
params = {{ {params} }}
seed = "278189252447704765151761555871619860438"

[deletions]
log = "deletions.jsonl"

[claims]
retraining = true
attested = ["code-clean", "log-complete", "requests-fixed", "preprocessing-clean"]
attested_by = "A. N. Other"
attested_at = 2026-01-31

[policy]
required = ["log.consistency", "release.exact"]
"""


def write(folder: Path, params: str = 'kind = "Share"') -> cases.Case:
    """A case of 40 people, three of whom are deleted in two batches."""
    rng = np.random.default_rng(3)
    lines = ["id,label,age,work,since,note"]
    for at in range(40):
        work = rng.choice(["private", "public", ""])
        lines.append(
            f"person-{at:02d},{at % 3 % 2},{rng.integers(18, 80)},{work},2020-01-{at % 28 + 1:02d},note {rng.integers(9**9)}"
        )
    (folder / "train.csv").write_text("\n".join(lines) + "\n")
    rows = [
        {"request_id": f"R{at}", "record_ids": [f"person-{at:02d}"], "batch": f"b{at // 2}"}
        | {"received_at": f"2026-01-0{at + 1}T10:00:00Z", "executed_at": f"2026-01-1{at // 2}T10:00:00Z"}
        for at in range(3)
    ]
    (folder / "deletions.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    (folder / "model.py").write_bytes(MODELS.read_bytes())
    (folder / "audit.toml").write_text(AUDIT.format(params=params))
    return cases.read(folder)


def test_a_log_names_people_and_their_records_are_deleted(tmp_path):
    write(tmp_path)
    lines = (tmp_path / "train.csv").read_text().splitlines()
    whose = [f"{line},{'customer' if not at else f'C-{(at - 1) // 4}'}" for at, line in enumerate(lines)]
    (tmp_path / "train.csv").write_text("\n".join(whose) + "\n")
    text = (tmp_path / "audit.toml").read_text()
    (tmp_path / "audit.toml").write_text(text.replace("[data]", '[data]\nperson = "customer"'))
    log = (tmp_path / "deletions.jsonl").read_text().splitlines()[1:]
    (tmp_path / "deletions.jsonl").write_text("\n".join([log[0], log[1].replace("person-02", "C-3")]) + "\n")
    case = cases.read(tmp_path)
    assert [each.record_ids for each in case.requests] == [
        ("person-01", "person-00", "person-02", "person-03"),
        ("person-12", "person-13", "person-14", "person-15"),
    ]
    assert [column.name for column in case.train.table or ()] == ["age", "work", "since", "note"]


def test_a_requester_that_plays_with_numbers_is_refused(tmp_path):
    write(tmp_path)
    with (tmp_path / "audit.toml").open("a") as file:
        file.write('\n[requester]\nuse = "group-by-sign"\n')
    with pytest.raises(InputError) as caught:
        cases.read(tmp_path)
    assert "requester" in {problem.where for problem in caught.value.problems}


def test_a_dataframe_reaches_the_estimator_behind_the_wall(tmp_path):
    case = write(tmp_path)
    rows = np.arange(40)
    forget = np.array([0, 1], dtype=np.int64)
    with Worker(specification(case), {"train": case.train}, level=available()) as running:
        running.run(Learn("before", rows, 2**70))
        running.run(Unlearn("before", "after", rows, forget, 5))
        probabilities = running.run(Predict("after", "train", 2, rows[:7])).array
        asked = running.run(PredictRows("after", case.train.features[:7], 2)).array
        state, saved = (running.run(step("after")).content for step in (State, Save))
        assert not running.run(Parameters("after")).supported
        assert running.run(Walk("after")).content
    np.testing.assert_array_equal(probabilities, asked)
    assert probabilities is not None
    np.testing.assert_allclose(probabilities[0, 1], case.train.labels[2:].mean())
    assert state == saved


@pytest.mark.parametrize(
    ("params", "words"),
    [
        ('kind = "Answers", answer = "nan"', "expected finite numbers"),
        ('kind = "Answers", answer = "subclass"', "expected predictions of shape (40, 2), found (40, 7)"),
        ('kind = "Answers", answer = "objects"', "expected numbers"),
        ('kind = "number"', "expected an estimator with a method fit, found int"),
    ],
)
def test_what_is_no_answer_ends_the_run_with_a_sentence(tmp_path, params, words):
    case = write(tmp_path, params)

    def asked() -> None:
        with Worker(specification(case), {"train": case.train}, level=forking()) as running:
            running.run(Learn("model", np.arange(40), 1))
            running.run(Predict("model", "train", 2))

    with pytest.raises(ProcedureError, match="step") as caught:
        asked()
    assert words in str(caught.value)


@pytest.mark.slow
@pytest.mark.parametrize(("params", "status"), [('kind = "Share"', "pass"), ('kind = "Keeper"', "inconclusive")])
def test_rows_that_a_module_keeps_leave_the_audit_open(tmp_path, params, status):
    evidence = audit(write(tmp_path, params), Options(workers=2)).evidence
    exact = next(check for check in evidence.checks if check.id == "release.exact")
    assert exact.status == status
    assert evidence.verdict == status
