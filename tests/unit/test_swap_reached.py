"""What `epsilon.consistency` reads of a game: sizes, what was reached, and how long the rows are that a descent reads."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from auditor import case as cases
from auditor.case import Case
from auditor.observing.swap.reached import observe
from auditor.observing.swap.scoring import Attacked, Guessed, Named, Scored
from auditor.settings.noisy_gd import NoisyGd
from swap_games import random_tree, records, small_game, write_case

GAME = small_game(records(120, seed=1), seed=1, pairs=2, alpha=0.1)
FOUND = Attacked(
    Scored(np.array([[0.25, -0.5]]), np.full((1, 2), 0.5), np.full(1, 0.5), identical=False), Named(3, 4, 1), Guessed(10, 7)
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
    return observe(case, GAME, unlearned=FOUND, learned=FOUND, null=FOUND, residual_bound=None).longest_row


def test_counts_and_advantages_are_put_down_as_they_are(case: Case) -> None:
    seen = observe(case, GAME, unlearned=FOUND, learned=FOUND, null=FOUND, residual_bound=0.5)
    assert (seen.pairs, seen.records, seen.forgotten, seen.residual_bound) == (2, 60, 5, 0.5)
    reached = seen.unlearned
    assert (reached.advantages, reached.identical) == (((0.25, -0.5),), False)
    assert (reached.named, reached.models, reached.guessed, reached.guesses) == (3, 4, 7, 10)


def test_rows_are_measured_as_a_descent_on_a_known_loss_reads_them(case: Case) -> None:
    assert longest_row(case) is None
    longest = float(np.linalg.norm(case.train.features, axis=1).max())
    assert longest_row(descending(case, 1.0)) == pytest.approx(longest)
    assert longest_row(descending(case, 3.0)) == pytest.approx(3 * longest)
    assert longest_row(descending(case, 3.0, row_norms="scale")) == pytest.approx(1.0)
    assert longest_row(descending(case, 1e200)) is None
    assert longest_row(descending(case, 3.0, loss=None, model="mlp", rate=0.1)) is None
