"""The interclass confusion test: what it draws, and scores worked out by hand."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from auditor import case as cases
from auditor.audit.devices import on_cpu
from auditor.audit.renamed_columns import Disguise
from auditor.base.records import Dataset
from auditor.case import Case
from auditor.parts.swap.observing.confusion import TRIALS, Confusing
from auditor.parts.swap.observing.drawing import Game
from auditor.sandbox import Answer, Learn, Level, Predict, Unlearn
from auditor.sandbox.jobs import Job
from network_cases import write_case as network_case
from swap_games import random_tree, records, small_game, write_case


def planned(folder: Path, *, classes: int = 3, seed: int = 4) -> tuple[Case, Game, Confusing]:
    data = records(120, seed=1, classes=classes)
    case = cases.read(write_case(folder, random_tree("none")))
    case = Case(**{name: getattr(case, name) for name in case.__dataclass_fields__} | {"train": data})
    game = small_game(data, seed=2, pairs=1)
    return case, game, Confusing(case, game, Disguise(case, seed=0), seed=seed, level=Level.PROCESS, where=on_cpu())


def answered(job: Job, classes: int, *, unlearned: float, retrained: float) -> tuple[Answer, ...]:
    """Answers of models that put these shares of the copies into the class that they were swapped to."""
    table, shares, answers = job.tables["train"], [unlearned, retrained], []
    for step in job.steps:
        array = None
        if isinstance(step, Predict):
            assert step.rows is not None
            array = np.full((len(step.rows), classes), 0.1)
            memorised = table.labels[step.rows]
            kept = round(shares.pop(0) * len(memorised))
            said = np.where(np.arange(len(memorised)) < kept, memorised, (memorised + 1) % classes)
            array[np.arange(len(memorised)), said] = 0.8
        answers.append(Answer(step, 0.0, array, None, {}, True))
    return tuple(answers)


def test_half_of_two_classes_swap_their_labels(tmp_path: Path) -> None:
    case, game, confusing = planned(tmp_path)
    assert len(confusing.jobs) == TRIALS
    for job in confusing.jobs:
        table = job.tables["train"].subset(np.arange(len(job.tables["train"])))
        learn, unlearn, _, retrain, _ = job.steps
        assert isinstance(learn, Learn)
        assert isinstance(unlearn, Unlearn)
        assert isinstance(retrain, Learn)
        copies = unlearn.rows[unlearn.forget]
        assert np.array_equal(learn.rows, unlearn.rows)
        assert set(table.ids.tolist()) == set(case.train.ids[game.target].tolist())
        assert np.array_equal(np.setdiff1d(learn.rows, copies), retrain.rows)
        clean = [case.train.ids.tolist().index(each) for each in table.ids[retrain.rows]]
        originals = np.setdiff1d(game.target, clean)
        assert np.array_equal(table.labels[retrain.rows], case.train.labels[clean])
        assert len(originals) == len(copies)
        by_features = {row.tobytes(): label for row, label in zip(case.train.features, case.train.labels, strict=True)}
        was = np.array([by_features[table.features[copy].tobytes()] for copy in copies])
        now = table.labels[copies]
        one, other = np.unique(was).tolist()
        assert np.array_equal(now, np.where(was == one, other, one))
        for code in (one, other):
            assert int((was == code).sum()) == int((case.train.labels[game.target] == code).sum()) // 2
        for step in (learn, retrain):
            assert len(np.unique(table.ids[step.rows])) == len(step.rows)
        assert sorted(table.ids[copies]) == sorted(case.train.ids[originals])
        assert len({learn.seed, unlearn.seed, retrain.seed}) == 3


def test_scores_that_were_worked_out_by_hand(tmp_path: Path) -> None:
    _, _, confusing = planned(tmp_path)
    answers = [answered(job, 3, unlearned=share, retrained=0.0) for job, share in zip(confusing.jobs, (1, 1, 0), strict=True)]
    found = confusing.read(answers)
    assert found is not None
    assert found.trials == TRIALS
    assert found.unlearned == pytest.approx(1 / 3, abs=1e-15)
    assert found.retrained == 1.0


def test_classes_too_small_to_confuse_are_left_alone(tmp_path: Path) -> None:
    data = records(120, seed=1)
    case, _, _ = planned(tmp_path)
    game = small_game(data, seed=2, pairs=1)
    lonely = np.where(np.isin(np.arange(120), game.target[:3]), 1, 0)
    case = Case(
        **{name: getattr(case, name) for name in case.__dataclass_fields__} | {"train": Dataset(data.features, lonely, data.ids)}
    )
    confusing = Confusing(case, game, Disguise(case, seed=0), seed=1, level=Level.PROCESS, where=on_cpu())
    assert confusing.jobs == ()
    assert confusing.read([]) is None


def test_networks_of_ours_play_every_trial_in_one_process(tmp_path: Path) -> None:
    case = cases.read(network_case(tmp_path))
    confusing = Confusing(
        case, small_game(case.train, seed=2, pairs=1), Disguise(case, seed=0), seed=1, level=Level.PROCESS, where=on_cpu()
    )
    (job,) = confusing.jobs
    answers = [
        answer
        for number, share in enumerate((1, 1, 0))
        for answer in answered(replace(job, steps=job.steps[5 * number : 5 * number + 5]), 10, unlearned=share, retrained=0.0)
    ]
    found = confusing.read([tuple(answers)])
    assert found is not None
    assert (found.unlearned, found.retrained, found.trials) == (pytest.approx(1 / 3, abs=1e-15), 1.0, TRIALS)
