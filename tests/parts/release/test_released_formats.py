"""Whole audits of model files in a library's own format: the rerun's file passes, a part for itself, and no file that hides."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from auditor import case as cases
from auditor.audit.replay import specification
from auditor.base.domain import Status, Strength, Verdict
from auditor.sandbox import Learn, Save, Worker
from cases import Audited, audited, check_of
from levels import forking
from rechecks import findings
from small_cases import problem, write_log

MODELS = Path(__file__).with_name("booster_models.py")
GONE = [["rec-0001"], ["rec-0002", "rec-0003"]]
PLACEHOLDER = {
    ".txt": b"tree\nTree=0\nend of trees\n",
    ".json": b'{"learner": {}}',
    ".ubj": b"{i\x07learner{}}",
    ".onnx": b"graph",
}
CHECKS = ("model.reproduced", "release.exact", "data.erased", "log.consistency")


WORDS = ("code-clean", "log-complete", "preprocessing-clean")


def write(folder: Path, kind: str, ending: str = ".txt", *, part: str | None = None, claims: str = "") -> None:
    features, labels = problem()
    ids = np.array([f"rec-{index:04d}" for index in range(60)])
    left = np.setdiff1d(np.arange(60), [1, 2, 3])
    np.savez(folder / "train.npz", features=features, labels=(labels > 0).astype(int), ids=ids)
    np.savez(folder / "store.npz", features=features[left], labels=(labels[left] > 0).astype(int), ids=ids[left])
    write_log(folder, GONE)
    (folder / "model.py").write_bytes(MODELS.read_bytes())
    placeholder = PLACEHOLDER.get(ending)
    if placeholder is None:
        placeholder = pytest.importorskip("skops.io").dumps({})
    (folder / f"model{ending}").write_bytes(placeholder)
    named = "" if part is None else f'part = "{part}"\n'
    (folder / "audit.toml").write_text(
        '[case]\nname = "small"\n[data]\ntrain = "train.npz"\nstore = "store.npz"\ntask = "classification"\n'
        f'[model]\npath = "model{ending}"\n{named}[procedure]\nuse = "estimator"\nentry = "model.py:build"\n'
        f'params = {{ kind = "{kind}" }}\nseed = 5\n[deletions]\nlog = "deletions.jsonl"\n'
        f'[claims]\nattested = {json.dumps(WORDS)}\nattested_by = "A. N. Other"\nattested_at = 2026-01-31\n{claims}'
        f"[policy]\nrequired = {json.dumps(CHECKS)}\n",
        encoding="utf-8",
    )


def given(folder: Path) -> bytes:
    """What the procedure saves, trained on what is left with the seed of the last batch."""
    case = cases.read(folder)
    rows = np.setdiff1d(np.arange(60), [1, 2, 3])
    with Worker(specification(case), {"train": case.train}, level=forking()) as worker:
        worker.run(Learn("model", rows, 5 + len(GONE)))
        content = worker.run(Save("model")).content
    assert content is not None
    return content


def audited_with(folder: Path, kind: str, ending: str = ".txt", change: Any = lambda content: content, **further: Any) -> Audited:
    write(folder, kind, ending, **further)
    (folder / f"model{ending}").write_bytes(change(given(folder)))
    found = audited(folder, only=CHECKS)
    assert not findings(found.to_bytes())
    return found


@pytest.mark.parametrize(
    ("kind", "ending"),
    [("xgboost", ".ubj"), *(pytest.param(*each, marks=pytest.mark.slow) for each in [("lightgbm", ".txt"), ("skops", ".skops")])],
)
def test_a_file_that_predicts_by_itself_passes_for_the_whole_model(tmp_path: Path, kind: str, ending: str) -> None:
    found = audited_with(tmp_path, kind, ending)
    check = check_of(found, "model.reproduced")
    assert (check.status, check.details["covers"], check.details["loaded"]["moved"]) == (Status.PASS, "all", 0.0), check.basis
    assert (found.verdict, found.examined.model, found.strength) == (Verdict.PASS, True, Strength.C)


@pytest.mark.slow
def test_an_estimator_of_ours_is_released_as_skops(tmp_path: Path) -> None:
    pytest.importorskip("skops.io")
    write(tmp_path, "any", ".skops")
    text = (tmp_path / "audit.toml").read_text()
    own = 'use = "estimator"\nentry = "model.py:build"\nparams = { kind = "any" }'
    forest = 'use = "sklearn"\nestimator = "sklearn.ensemble.RandomForestClassifier"\nparams = { n_estimators = 3 }'
    assert own in text
    (tmp_path / "audit.toml").write_text(text.replace(own, forest))
    (tmp_path / "model.skops").write_bytes(given(tmp_path))
    found = audited(tmp_path, only=CHECKS)
    check = check_of(found, "model.reproduced")
    assert (check.status, check.details["covers"], check.details["loaded"]["moved"]) == (Status.PASS, "all", 0.0), check.basis
    assert (found.verdict, found.strength) == (Verdict.PASS, Strength.C)
    assert not findings(found.to_bytes())


def test_a_step_of_a_pipeline_passes_for_itself_and_the_pass_says_so(tmp_path: Path) -> None:
    found = audited_with(tmp_path, "pipeline", part="trees")
    check = check_of(found, "model.reproduced")
    assert (check.status, check.details["covers"]) == (Status.PASS, "part")
    assert (found.verdict, found.examined.model, found.strength) == (Verdict.PASS, False, Strength.D)
    assert "Pass for the procedure only" in found.sentence


@pytest.mark.slow
def test_a_step_that_is_not_declared_as_one_passes_for_nothing(tmp_path: Path) -> None:
    def the_step(_content: bytes) -> bytes:
        write(tmp_path, "pipeline", part="trees")
        step = given(tmp_path)
        write(tmp_path, "pipeline")
        return step

    found = audited_with(tmp_path, "pipeline", change=the_step)
    check = check_of(found, "model.reproduced")
    assert check.status is Status.INCONCLUSIVE
    assert "[model] part" in check.basis
    assert found.verdict is Verdict.INCONCLUSIVE


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["remembering", "dump"])
def test_a_file_that_is_not_what_predicts_does_not_pass(tmp_path: Path, kind: str) -> None:
    dumped = kind == "dump"
    if dumped:
        PLACEHOLDER[".json"] = b'{"tree_info": []}'
    found = audited_with(tmp_path, "lightgbm" if dumped else kind, ".json" if dumped else ".txt")
    check = check_of(found, "model.reproduced")
    assert (check.status, found.verdict) == (Status.INCONCLUSIVE, Verdict.INCONCLUSIVE)
    assert ("Nothing here loads this file" if dumped else "predicts otherwise") in check.basis


@pytest.mark.slow
def test_what_a_booster_is_made_to_carry_of_a_deleted_record_shows_in_a_clean_room(tmp_path: Path) -> None:
    write(tmp_path, "counting")
    content = given(tmp_path)
    case = cases.read(tmp_path)
    with Worker(specification(case), {"train": case.train}, level=forking()) as worker:
        worker.run(Learn("model", np.arange(60), 7))
        (tmp_path / "model.txt").write_bytes(worker.run(Save("model")).content or b"")
    assert (tmp_path / "model.txt").read_bytes() != content
    found = audited(tmp_path, only=CHECKS)
    assert check_of(found, "model.reproduced").status is Status.FAIL
    assert found.verdict is Verdict.FAIL


@pytest.mark.slow
@pytest.mark.parametrize(
    ("change", "status", "said"),
    [
        (
            lambda each: each.replace(b"end of parameters", b"[note: person-07]\nend of parameters"),
            Status.INCONCLUSIVE,
            "describe",
        ),
        (lambda each: each.replace(b"\nleaf_value=-0.", b"\nleaf_value=-0.9", 1), Status.FAIL, "in tree"),
    ],
)
def test_a_file_that_hides_something_does_not_pass(tmp_path: Path, change: Any, status: Status, said: str) -> None:
    found = audited_with(tmp_path, "lightgbm", change=change)
    check = check_of(found, "model.reproduced")
    assert check.status is status
    assert said in check.basis
    erased = check_of(found, "data.erased")
    assert erased.status is Status.INCONCLUSIVE, "nothing accounts for the file any more"


@pytest.mark.slow
def test_a_graph_is_never_reproduced_by_probes_alone(tmp_path: Path) -> None:
    found = audited_with(tmp_path, "lightgbm", ".onnx", change=lambda _content: b"graph")
    check = check_of(found, "model.reproduced")
    assert check.status is Status.INCONCLUSIVE
    assert "refused it" in check.basis or "How to fix it" in check.basis
