"""Rows longer than 1: scaled alike in learning and predicting, or refused by name, and the bounds that need them come back."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from auditor.base.domain import Status
from auditor.base.errors import InputError
from auditor.base.records import Dataset
from auditor.case import read
from auditor.learning.residuals import bounded, row_norms
from auditor.parts.removal.learning.certified_removal import CertifiedRemoval
from auditor.parts.removal.rules.residual import ROWS
from auditor.recheck import recheck
from cases import audited, check_of, replace, sample
from small_cases import problem, write


def long_problem(n: int = 80, d: int = 4) -> tuple[np.ndarray, np.ndarray]:
    features, labels = problem(n, d, seed=7)
    features[::3] *= 5.0
    return features, labels


def test_a_row_is_scaled_by_itself_and_only_if_it_is_longer() -> None:
    rng = np.random.default_rng(0)
    for _ in range(200):
        features = rng.normal(size=(30, 6)) * 10.0 ** rng.uniform(-3, 3, size=(30, 1))
        found, before = bounded(features), row_norms(features)
        assert row_norms(found).max() <= 1 + 1e-15
        assert np.array_equal(found[before <= 1], features[before <= 1])
        np.testing.assert_allclose(found * np.maximum(before, 1)[:, None], features, rtol=1e-14)
        # No record changes another.
        alone = np.concatenate([bounded(row[None]) for row in features])
        np.testing.assert_allclose(found, alone, rtol=1e-15)


def test_numbers_whose_squares_overflow_are_scaled_all_the_same() -> None:
    np.testing.assert_allclose(bounded(np.array([[3e200, 4e200], [0.3, 0.4]])), [[0.6, 0.8], [0.3, 0.4]], rtol=1e-15)


def test_a_table_without_longer_rows_is_not_copied() -> None:
    features = np.full((3, 4), 0.5)
    assert bounded(features) is features


def test_learning_removing_and_predicting_see_the_same_rows() -> None:
    features, labels = long_problem()
    ids = np.array([f"rec-{index}" for index in range(len(features))])
    scaling = CertifiedRemoval(l2=1e-2, sigma=1.0, tolerance=1e-9, row_norms="scale")
    plain = CertifiedRemoval(l2=1e-2, sigma=1.0, tolerance=1e-9)
    forget = np.array([0, 4])
    found, expected = [], []
    for procedure, rows, results in ((scaling, features, found), (plain, bounded(features), expected)):
        data = Dataset(rows, labels, ids)
        model = procedure.unlearn(procedure.learn(data, 3), data, forget, 4)
        results += [
            procedure.parameters(model),
            procedure.predict(model, rows),
            procedure.parameters(procedure.refit(model, data, 5)),
        ]
    for one, other in zip(found, expected, strict=True):
        np.testing.assert_array_equal(one, other)


def test_a_scaled_case_has_every_bound_and_says_what_it_did(tmp_path: Path) -> None:
    features, labels = long_problem()
    only = ("removal.residual", "removal.budget")
    bare = check_of(audited(write(tmp_path, features, labels, required=only), only=only), "removal.budget")
    assert bare.details["series"][-1]["beta"]["worst-case"] is None
    replace(tmp_path, 'use = "certified-removal"', 'use = "certified-removal"\nrow_norms = "scale"')
    evidence = audited(tmp_path, only=only)
    series = check_of(evidence, "removal.budget").details["series"]
    betas = [series[-1]["beta"][name] for name in ROWS]
    assert None not in betas
    assert betas[-1] <= betas[0]
    residual = check_of(evidence, "removal.residual")
    assert residual.status is Status.PASS
    assert residual.details["rows_scaled"] == np.count_nonzero(np.linalg.norm(features, axis=1) > 1) > 5
    assert "longer than 1 and scaled" in residual.basis
    path = tmp_path / "evidence.json"
    path.write_bytes(evidence.to_bytes())
    assert [str(finding) for document in recheck(path).documents for finding in document.findings] == []


def test_a_refusing_case_names_every_longer_row(tmp_path: Path) -> None:
    features, labels = long_problem()
    write(tmp_path, features, labels, procedure='row_norms = "refuse"')
    with pytest.raises(InputError) as caught:
        read(tmp_path)
    longer = np.flatnonzero(np.linalg.norm(features, axis=1) > 1 + 1e-9)
    problems = caught.value.problems
    assert [problem.where for problem in problems[:20]] == [f"features, record {row + 1}" for row in longer[:20]]
    assert len(longer) > 20
    assert problems[20].found == f"and {len(longer) - 20} more"
    write(tmp_path, bounded(features), labels, procedure='row_norms = "refuse"')
    assert len(read(tmp_path).train) == 80


def test_an_unknown_word_is_refused(tmp_path: Path) -> None:
    features, labels = problem()
    write(tmp_path, features, labels, procedure='row_norms = "scaled"')
    with pytest.raises(InputError, match="row_norms"):
        read(tmp_path)


@pytest.mark.slow
def test_the_sample_of_made_records_scales_some_and_passes() -> None:
    evidence = sample("made-newton")
    residual, budget = check_of(evidence, "removal.residual"), check_of(evidence, "removal.budget")
    assert residual.details["rows_scaled"] == 5_730
    assert 0 < budget.value < 0.05
    assert [entry["records"] for entry in budget.details["hardest"]] == [1, 2]
    for entry in budget.details["hardest"]:
        assert entry["hardest"]["measured"] > 5 * entry["log"]["measured"]
