"""Noisy gradient descent in the SWAP test: the trade-off of all that a game forgets, and what attacks say against it."""

from __future__ import annotations

from typing import Any

import pytest

from auditor.base.domain import Check, Provenance, Status
from auditor.maths.certificates import derive
from auditor.maths.certificates.renyi import gaussian_epsilon
from auditor.parts.data_deletion.settings import NoisyGd
from auditor.parts.swap.judging.epsilon_consistency import CHECK
from auditor.verdict.checks.finding import Finding
from judging import case_facts, declared, judged_check
from swap_observed import FORGOTTEN, RECORDS, TRAINED, Models, game, models

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


def judged(procedure: Models, *, longest_row: float | None = 1.0, **settings: Any) -> tuple[Check, dict[str, Any], Finding]:
    own = NoisyGd.model_validate({**OWN, **settings})
    context = declared(case=case_facts(training_records=RECORDS), procedure=own)
    check, found = judged_check(CHECK, context, *game(procedure, longest_row=longest_row))
    (row,) = check.details["comparisons"]
    return check, row, found


def test_the_trade_off_is_of_all_that_the_game_forgets() -> None:
    check, row, found = judged(models(0.0))
    constants = {"lipschitz": 1, "l2": 0.05, "smoothness": 0.25, "sigma2": 0.01, "rate": 1 / 0.6}
    given = constants | {"n": TRAINED, "size": FORGOTTEN, "steps": 20, "learn_steps": 60}
    mu = derive("noisy-gd-gaussian", given).outputs["mu"]
    assert (row["source"], row["rule"], row["order"]) == ("certificate", "noisy-gd-gaussian", 3.0)
    assert row["epsilon"] == gaussian_epsilon(3.0, mu)
    assert row["gap"] == -row["epsilon"]
    assert check.status is Status.PASS
    assert found.facts == ()


def test_an_adversary_beyond_it_refutes_it() -> None:
    check, row, found = judged(models(0.0, right=36), unlearn_steps=200)
    named = {each["method"]: each["epsilon"] for each in row["lower"]}
    assert named["swap"] == 0.0
    assert named["whole-set"] > row["epsilon"]
    assert row["refutable"] > named["whole-set"]
    assert check.status is Status.FAIL
    assert [(each.name, each.how) for each in found.facts] == [("deletion-unrefuted", Provenance.REFUTED)]
    advantage = next(each.inputs["advantage"] for each in found.certificates if each.outputs.get("epsilon_lower", 0) > 0)
    assert named["whole-set"] == derive("gaussian-lower", {"q": 3.0, "advantage": advantage}).outputs["epsilon_lower"]


def test_an_advantage_that_it_allows_refutes_nothing() -> None:
    """Without a step after the deletion the record's noise is all there is, and the trade-off says so."""
    check, row, _ = judged(models(0.2, right=30), unlearn_steps=0)
    assert max(each["epsilon"] for each in row["lower"]) > 0
    assert row["gap"] < 0
    assert check.status is Status.SKIPPED
    assert "Not tested: what is certified" in check.basis


@pytest.mark.parametrize(
    ("procedure", "words"),
    [
        ({"longest_row": 1 + 1e-8}, "rows of the training data are longer than 1"),
        ({"longest_row": None}, "rows of the training data are longer than 1"),
        ({"loss": "softmax", "clip": 0.5}, "a convex loss whose gradients are followed as they are"),
        ({"loss_cap": 3.0, "rate": 0.5}, "a convex loss whose gradients are followed as they are"),
        ({"rate": 9.0}, "this condition does not hold"),
    ],
)
def test_where_its_premises_fail_nothing_is_compared(procedure: dict[str, Any], words: str) -> None:
    check, row, found = judged(models(0.5, right=40), **procedure)
    assert not row["compared"]
    assert words in row["why"]
    assert check.status is Status.SKIPPED
    assert words in check.basis
    assert not [each for each in found.certificates if each.kind == "gaussian-lower"]
