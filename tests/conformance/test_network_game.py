"""The SWAP game of networks, many models at a time: the control cancels to the bit, and it is the game of one at a time."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from auditor import case as cases
from auditor.audit.devices import on_cpu
from auditor.audit.renamed_columns import Disguise
from auditor.case import Case
from auditor.parts.swap.observing import rerunning as module
from auditor.parts.swap.observing.drawing import Game
from auditor.parts.swap.observing.model_outputs import Played
from auditor.parts.swap.observing.rerunning import Rerunning
from auditor.sandbox import Learn, Predict, Step, Together, Unlearn, available
from auditor.sandbox.jobs import run
from network_cases import own_network, write_case
from swap_games import KINDS, adversaries, small_game


def silent(*_: Any) -> None:
    """No progress."""


def planned(case: Case, game: Game) -> Rerunning:
    return Rerunning(case, game, Disguise(case, seed=0), level=available(), where=on_cpu())


def played(case: Case, game: Game) -> Played:
    rerunning = planned(case, game)
    return rerunning.read(run(rerunning.jobs, workers=2, on_step=silent))


def single(steps: Any) -> list[Step]:
    return [each for step in steps for each in (step.steps if isinstance(step, Together) else (step,))]


@pytest.mark.slow
def test_many_at_a_time_play_the_game_of_one_at_a_time_and_retraining_cancels(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    case = cases.read(write_case(tmp_path, keys='unlearn = "fine-tune"\ndtype = "float64"\nbatch = 16'))
    game = small_game(case.train, seed=4, pairs=2, models=3, alpha=0.1, reference_pairs=2)
    found = {"all": played(case, game)}
    # Two or three models at a time, and one: blocks of another length are another way to round.
    for name, share in (("few", 2.6), ("one", 1.0)):
        monkeypatch.setattr(module, "TOGETHER_BYTES", int(share * case.train.features.nbytes))
        found[name] = played(case, game)
    for each in found.values():
        assert np.array_equal(each.retrained[:, 0], each.retrained[:, 1])
        score = adversaries(case.train, game, each, seed=5).score(each.retrained)
        assert score.identical
        assert not score.advantages.any()
        assert not np.array_equal(each.retrained[:, 0], each.fresh)
        assert not np.array_equal(each.unlearned, each.learned)
        for kind in (each for each in (*KINDS, "references") if getattr(found["one"], each) is not None):
            np.testing.assert_allclose(getattr(each, kind), getattr(found["one"], kind), rtol=1e-5, atol=1e-12)


def test_each_side_and_each_control_is_one_process_and_no_two_share_one(tmp_path: Path) -> None:
    case = cases.read(write_case(tmp_path))
    game = small_game(case.train, seed=1, pairs=7, models=2)
    jobs = planned(case, game).jobs
    assert len(jobs) == 5
    for job in jobs:
        steps = single(job.steps)
        trained = [step.rows.tobytes() for step in steps if isinstance(step, Learn)]
        unlearned = any(isinstance(step, Unlearn) for step in steps)
        for pair in game.pairs:
            sides = [pair.trained(side).tobytes() in trained for side in range(2)]
            control = pair.retained.tobytes() in trained
            assert sum(sides) + control <= 1
            assert not (control and unlearned)
    learns = [[step for step in job.steps if isinstance(step, Together) and isinstance(step.steps[0], Learn)] for job in jobs]
    assert [len(each[0].steps) for each in learns] == [6, 14, 14, 14, 14]
    # The two control jobs ask for the models with common seeds in the same words; the fresh ones of the second come after.
    first, second = (
        [step for step in job.steps if isinstance(step, Together) and isinstance(step.steps[0], Learn | Predict)]
        for job in jobs[3:]
    )
    assert (len(first), len(second)) == (2, 4)
    for one, two in zip(first[0].steps, second[0].steps, strict=True):
        assert isinstance(one, Learn)
        assert isinstance(two, Learn)
        assert one.seed == two.seed
        assert np.array_equal(one.rows, two.rows)


def test_no_more_models_at_a_time_than_their_records_fit_into_memory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    case = cases.read(write_case(tmp_path))
    monkeypatch.setattr(module, "TOGETHER_BYTES", 4 * case.train.features.nbytes)
    jobs = planned(case, small_game(case.train, seed=1, pairs=7, models=2)).jobs
    assert len(jobs) == 5
    assert {len(step.steps) for job in jobs for step in job.steps if isinstance(step, Together)} == {4, 2}


def test_a_network_of_the_controllers_own_gets_a_process_for_each_model_and_one_model_at_a_time(
    tmp_path: Path,
) -> None:
    case = cases.read(own_network(tmp_path, "return logits"))
    game = small_game(case.train, seed=1, pairs=13, models=2)
    jobs = planned(case, game).jobs
    assert not any(isinstance(step, Together) for job in jobs for step in job.steps)
    sides = {pair.trained(side).tobytes() for pair in game.pairs for side in range(2)}
    learned = {job.name: [step.rows.tobytes() for step in job.steps if isinstance(step, Learn)] for job in jobs}
    testing = [job for job in jobs if sides.intersection(learned[job.name])]
    assert len(testing) == 2 * 13 * 2 * 2  # each of two models on each side, of the procedure and of the baseline
    for job in testing:
        assert len(learned[job.name]) == 1
        assert any(isinstance(step, Unlearn) for step in job.steps)
