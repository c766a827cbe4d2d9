"""Noisy gradient descent in the SWAP test: the trade-off of all that a game forgets, and what attacks say against it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from auditor import case as cases
from auditor.case import Case
from auditor.certificates import derive
from auditor.certificates.orders import gaussian_epsilon
from auditor.domain import Check, How, Status
from auditor.observing.findings import Findings
from auditor.observing.swap.consistency import judge
from auditor.observing.swap.scoring import Attacked, Guessed, Named, Scored
from auditor.settings.noisy_gd import NoisyGd
from swap_games import random_tree, records, small_game, write_case

PAIRS = 20
GAME = small_game(records(120, seed=1), seed=1, pairs=PAIRS, alpha=0.1)
WOBBLE = 0.05 * np.tile([-1.0, 1.0], PAIRS // 2)
ALPHA = 0.05 / 3
OWN: dict[str, Any] = {
    "use": "noisy-gd",
    "loss": "logistic",
    "l2": 0.05,
    "sigma2": 0.01,
    "order": 3.0,
    "learn_steps": 60,
    "unlearn_steps": 20,
    "row_norms": "scale",
}


def models(mean: float, *, right: int = 20) -> Attacked:
    advantages = np.array([[mean]]) + WOBBLE
    scored = Scored(advantages, np.full((1, PAIRS), 0.5), np.full(1, 0.5), identical=False)
    return Attacked(scored, Named(right, 40, 0), Guessed(10, 5))


def case_of(folder: Path, **procedure: Any) -> Case:
    case = cases.read(write_case(folder, random_tree("retrain")))
    case = replace(case, train=replace(case.train, features=3 * case.train.features))
    own = NoisyGd.model_validate({**OWN, **procedure})
    return replace(case, settings=case.settings.model_copy(update={"procedure": own}))


def judged(case: Case, unlearned: Attacked) -> tuple[Check, dict[str, Any], Findings]:
    innocent = models(0.0)
    found = judge(case, GAME, unlearned=unlearned, learned=innocent, null=innocent, residual_bound=None, quick=False)
    (check,) = found.checks
    (row,) = check.details["comparisons"]
    return check, row, found


def test_the_trade_off_is_of_all_that_the_game_forgets(tmp_path: Path) -> None:
    check, row, found = judged(case_of(tmp_path), models(0.0))
    constants = {"lipschitz": 1, "l2": 0.05, "smoothness": 0.25, "sigma2": 0.01, "rate": 1 / 0.6}
    trained = len(GAME.target) - GAME.forgotten
    given = constants | {"n": trained, "size": GAME.forgotten, "steps": 20, "learn_steps": 60}
    mu = derive("noisy-gd-gaussian", given).outputs["mu"]
    assert (row["source"], row["rule"], row["order"]) == ("certificate", "noisy-gd-gaussian", 3.0)
    assert row["epsilon"] == gaussian_epsilon(3.0, mu)
    assert row["gap"] == -row["epsilon"]
    assert check.status is Status.PASS
    assert found.facts == ()


def test_an_adversary_beyond_it_refutes_it(tmp_path: Path) -> None:
    check, row, found = judged(case_of(tmp_path, unlearn_steps=200), models(0.0, right=36))
    named = {each["method"]: each["epsilon"] for each in row["lower"]}
    assert named["swap"] == 0.0
    assert named["whole-set"] > row["epsilon"]
    assert row["refutable"] > named["whole-set"]
    assert check.status is Status.FAIL
    assert [(each.name, each.how) for each in found.facts] == [("deletion-unrefuted", How.REFUTED)]
    advantage = next(each.inputs["advantage"] for each in found.certificates if each.outputs.get("epsilon_lower", 0) > 0)
    assert named["whole-set"] == derive("gaussian-lower", {"q": 3.0, "advantage": advantage}).outputs["epsilon_lower"]


def test_an_advantage_that_it_allows_refutes_nothing(tmp_path: Path) -> None:
    """Without a step after the deletion the record's noise is all there is, and the trade-off says so."""
    check, row, _ = judged(case_of(tmp_path, unlearn_steps=0), models(0.2, right=30))
    assert max(each["epsilon"] for each in row["lower"]) > 0
    assert row["gap"] < 0
    assert check.status is Status.PASS


@pytest.mark.parametrize(
    ("procedure", "words"),
    [
        ({"row_norms": "report"}, "rows of the training data are longer than 1"),
        ({"loss": "softmax", "clip": 0.5}, "a convex loss whose gradients are followed as they are"),
        ({"loss_cap": 3.0, "rate": 0.5}, "a convex loss whose gradients are followed as they are"),
        ({"rate": 9.0}, "this condition does not hold"),
    ],
)
def test_where_its_premises_fail_nothing_is_compared(tmp_path: Path, procedure: dict[str, Any], words: str) -> None:
    check, row, found = judged(case_of(tmp_path, **procedure), models(0.5, right=40))
    assert not row["compared"]
    assert words in row["why"]
    assert check.status is Status.SKIPPED
    assert words in check.basis
    assert not [each for each in found.certificates if each.kind == "gaussian-lower"]
