"""What `epsilon.consistency` alone reads of a game: guesses as they were made, and how long the rows are that a descent reads."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from auditor import case as cases
from auditor.case import Case
from auditor.parts.data_deletion.settings import NoisyGd
from auditor.parts.swap.judging.epsilon_consistency.observed import Guessed as Observed
from auditor.parts.swap.observing.outcome import observe
from auditor.parts.swap.observing.scoring import Attacked, Guessed, Named, Results, Scored
from swap_games import random_tree, write_case

SCORED = Scored(np.array([[0.25, -0.5]]), np.full((1, 2), 0.5), np.full(1, 0.5), identical=False)
FOUND = Results(
    attacks=("loss",),
    procedure=Attacked(SCORED, Named(3, 4, 1), Guessed(10, 7)),
    do_nothing=Attacked(SCORED, Named(4, 4, 0), Guessed(11, 11)),
    fresh=Attacked(SCORED, Named(2, 4, 0), Guessed(9, 4)),
    control=SCORED,
    undecided=np.full(1, 0.3),
    confusion=None,
)
DESCENT: dict[str, Any] = {"loss": "logistic", "l2": 0.05, "sigma2": 0.01, "learn_steps": 60, "unlearn_steps": 20}


@pytest.fixture(scope="module")
def case(tmp_path_factory: pytest.TempPathFactory) -> Case:
    return cases.read(write_case(tmp_path_factory.mktemp("case"), random_tree("retrain")))


def descending(case: Case, scale: float, **procedure: Any) -> Case:
    own = NoisyGd.model_validate({**DESCENT, **procedure})
    train = replace(case.train, features=scale * case.train.features)
    return replace(case, train=train, settings=case.settings.model_copy(update={"procedure": own}))


def longest_row(case: Case) -> float | None:
    return observe(case, FOUND, None).longest_row


def test_guesses_are_put_down_as_they_were_made(case: Case) -> None:
    seen = observe(case, FOUND, 0.5)
    assert seen.residual_bound == 0.5
    assert seen.procedure == Observed(guesses=10, right=7)
    assert seen.learned is None
    learned = replace(FOUND, learned=FOUND.do_nothing)
    assert observe(case, learned, 0.5).learned == Observed(guesses=11, right=11)
    assert seen.retrained == Observed(guesses=9, right=4)


def test_rows_are_measured_as_a_descent_on_a_known_loss_reads_them(case: Case) -> None:
    assert longest_row(case) is None
    longest = float(np.linalg.norm(case.train.features, axis=1).max())
    assert longest_row(descending(case, 1.0)) == pytest.approx(longest)
    assert longest_row(descending(case, 3.0)) == pytest.approx(3 * longest)
    assert longest_row(descending(case, 3.0, row_norms="scale")) == pytest.approx(1.0)
    assert longest_row(descending(case, 1e200)) is None
    assert longest_row(descending(case, 3.0, loss=None, model="mlp", rate=0.1)) is None
