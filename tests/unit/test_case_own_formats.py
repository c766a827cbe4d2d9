"""`[model]` with a file in a library's own format: which procedures take it, and which keys go with it."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from auditor import case as cases
from auditor.base.errors import InputError
from small_cases import problem, write_log

BOOSTER = b"tree\nTree=0\nend of trees\n"
ESTIMATOR = 'use = "estimator"\nentry = "model.py:build"'
OWN = 'entry = "model.py:build"'
FOREST = 'use = "sklearn"\nestimator = "sklearn.ensemble.RandomForestClassifier"'


def read(folder: Path, procedure: str, model: str) -> cases.Case:
    features, labels = problem()
    ids = np.array([f"rec-{index:04d}" for index in range(60)])
    np.savez(folder / "train.npz", features=features, labels=labels, ids=ids)
    write_log(folder, [["rec-0001"]])
    (folder / "model.py").write_text("def build(seed): ...\n")
    (folder / "trees.txt").write_bytes(BOOSTER)
    np.savez(folder / "model.npz", parameters=np.ones(3))
    (folder / "audit.toml").write_text(
        '[case]\nname = "small"\n[data]\ntrain = "train.npz"\ntask = "classification"\n'
        f'[model]\n{model}\n[procedure]\n{procedure}\nseed = 5\n[deletions]\nlog = "deletions.jsonl"\n'
    )
    return cases.read(folder)


@pytest.mark.parametrize("procedure", [ESTIMATOR, OWN])
def test_an_estimator_and_a_class_of_ones_own_take_such_a_file(tmp_path: Path, procedure: str) -> None:
    found = read(tmp_path, procedure, 'path = "trees.txt"')
    assert found.own_file is not None
    assert (found.own_file.kind, found.own_file.content) == ("lightgbm", BOOSTER)
    assert (found.model_file, found.shipped) == (None, None)


@pytest.mark.parametrize(
    ("procedure", "model", "where", "said"),
    [
        (FOREST, 'path = "trees.txt"', "model.path", 'use = "estimator"'),
        (FOREST, 'path = "model.npz"\npart = "trees"', "model.part", "own format"),
        (ESTIMATOR, 'path = "trees.txt"\ngrid = "2^-20"', "model.grid", "held to its bytes"),
        (OWN, 'path = "trees.txt"\npart = "trees"', "model.part", 'use = "estimator"'),
        (ESTIMATOR, 'path = "model.npz"\npart = "trees"', "model.part", "own format"),
    ],
)
def test_keys_that_do_not_go_together_are_one_problem(tmp_path: Path, procedure: str, model: str, where: str, said: str) -> None:
    with pytest.raises(InputError) as refused:
        read(tmp_path, procedure, model)
    (found,) = refused.value.problems
    assert found.where == where
    assert said in found.expected


def test_a_pickled_file_is_refused_for_what_it_is_and_its_step_for_nothing_else(tmp_path: Path) -> None:
    (tmp_path / "model.joblib").write_bytes(b"x")
    with pytest.raises(InputError) as refused:
        read(tmp_path, ESTIMATOR, 'path = "model.joblib"\npart = "trees"')
    (found,) = refused.value.problems
    assert found.file == "model.joblib"
    assert "skops.io.dump" in found.expected
