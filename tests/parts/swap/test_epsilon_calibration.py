"""`epsilon.consistency` refutes what holds no oftener than its error allows, with all of its families at work."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from auditor.base.domain import Status
from auditor.parts.data_deletion.settings import NoisyGd
from auditor.parts.swap.judging import quality, strong
from auditor.parts.swap.judging.epsilon_consistency import CHECK, Observed, families
from auditor.parts.swap.judging.epsilon_consistency.attacks import tests as counted_tests
from auditor.parts.swap.judging.epsilon_consistency.observed import Events, Games, Guessed, Simulated, SwapGame
from auditor.parts.swap.judging.estimates import PairAcceptances, PairAdvantages
from auditor.settings.controller import RequesterTable
from auditor.settings.tables import Claims, SwapTable
from auditor.verdict.checks.context import Context
from auditor.verdict.checks.differences import Counted
from auditor.verdict.checks.finding import Finding
from judging import case_facts, declared
from swap_observed import FORGOTTEN, PAIRS, RECORDS, as_earlier

ALPHA = 0.2
RUNS = 100
GAMES = 4000
"""Counts so large that exact intervals err nearly as often as they may."""


def claiming(**more: Any) -> Context:
    """Everything that holds in the null: nothing is left of anything, and every family may say otherwise."""
    claims = {
        "certified_removal": {"epsilon": 0.0, "delta": 1e-9},
        "data_deletion": {"q": 2.0, "epsilon": 0.0, "adaptive": 1},
        **more,
    }
    return declared(
        case=case_facts(training_records=RECORDS),
        claims=Claims.model_validate(claims),
        procedure=NoisyGd.model_validate(
            {"loss": "logistic", "l2": 0.05, "sigma2": 0.01, "order": 2.0, "learn_steps": 100, "unlearn_steps": 10}
        ),
        requester=RequesterTable(use="group-by-sign", confidence=1 - ALPHA),
        swap=SwapTable(confidence=1 - ALPHA),
    )


def event(rng: np.random.Generator) -> Counted:
    """One event that both worlds give the same chance."""
    chance = rng.uniform(0.2, 0.8)
    hits, others = (int(each) for each in rng.binomial(GAMES, chance, size=2))
    return Counted(hits=hits, trials=GAMES, other_hits=others, other_trials=GAMES)


def pairs(rng: np.random.Generator) -> dict[str, tuple[float, ...]]:
    """Advantages of one attack that guesses: two shares of F against two of T."""
    shares = rng.binomial(2 * FORGOTTEN, 0.5, size=(2, PAIRS)) / (2 * FORGOTTEN)
    return {"loss": tuple((shares[0] - shares[1]).tolist())}


def null_run(rng: np.random.Generator) -> tuple[Observed, dict[str, Finding]]:
    """What a run sees where models after unlearning hold nothing of anybody, and those before it nothing either."""
    half = {"loss": (0.5,) * PAIRS}
    kinds = {kind: pairs(rng) for kind in ("procedure", "do_nothing", "learned", "retrained", "control")}
    found = quality.Observed(
        pair_advantages=PairAdvantages(**kinds),
        pair_acceptances=PairAcceptances(procedure=half, retrained=half),
        undecided={"loss": 0.0},
        forgotten=(FORGOTTEN,) * PAIRS,
        batches=1,
        areas={"loss": 0.5},
        reference_models=6,
    )
    named = [int(each) for each in rng.binomial(2 * PAIRS, 0.5, size=3)]
    sides = strong.Observed(
        models=2 * PAIRS, named=named[0], named_do_nothing=named[1], named_learned=named[1], named_retrained=named[2]
    )
    right = [int(each) for each in rng.binomial(400, 0.5, size=3)]
    game = SwapGame(
        **{
            kind: Guessed(guesses=400, right=each)
            for kind, each in zip(("procedure", "learned", "retrained"), right, strict=True)
        },
        residual_bound=None,
        longest_row=1.0,
    )
    events = Events(**{name: event(rng) for name in Events.model_fields})
    games = Games(counted=event(rng), fitted=GAMES, own_guess=False, largest_request=1, replaces=True, rows_of_log=RECORDS - 5)
    observed = Observed(swap=game, games=games, simulated=Simulated(count=GAMES, events=events))
    return observed, as_earlier(found, sides)


def wrong(context: Context, runs: int, seed: int) -> int:
    """How many of so many runs refute what holds."""
    rng = np.random.default_rng(seed)
    return sum(CHECK.judge(context, *null_run(rng)).status is Status.FAIL for _ in range(runs))


def test_all_families_together_refute_what_holds_no_oftener_than_the_error_allows() -> None:
    context = claiming()
    assert families.families(context) == ("swap", "requester", "chains")
    rows = {row.test for row in CHECK.judge(context, *null_run(np.random.default_rng(1))).derived.comparisons if row.compared}
    assert rows == {None, "swap", "requester", "chains"}
    assert wrong(context, RUNS // 2, 20261) <= ALPHA * RUNS // 2


@pytest.mark.slow
def test_the_same_over_many_runs_and_with_private_training_claimed_as_well() -> None:
    context = claiming(dp={"epsilon": 0.0, "delta": 1e-12})
    assert counted_tests(context) == 5
    assert wrong(context, 16 * RUNS, 20262) <= ALPHA * 16 * RUNS


def test_one_family_has_the_whole_error() -> None:
    context = replace(claiming(), requester=None, procedure=declared().procedure)
    assert families.families(context) == ("swap",)
    assert families.error(context, 0.95) == pytest.approx(0.05)
    assert families.error(claiming(), 0.95) == pytest.approx(0.05 / 3)
    # Whoever shares is known before a run: nothing that was seen enters.
    assert families.families(replace(claiming(), case=case_facts(task="regression"))) == ("requester", "chains")


def test_models_before_and_after_unlearning_share_the_error_of_the_swap_test() -> None:
    assert counted_tests(declared(claims=Claims.model_validate({"dp": {"epsilon": 1.0, "delta": 1e-9}}))) == 2
    assert counted_tests(declared(claims=Claims.model_validate({"certified_removal": {"epsilon": 1.0, "delta": 1e-9}}))) == 3
    assert counted_tests(claiming(dp={"epsilon": 1.0, "delta": 1e-9})) == 5


def test_more_confidence_than_the_default_does_not_make_refuting_harder() -> None:
    assert families.error(claiming(), 0.999999) == families.error(claiming(), 0.95)
    assert families.error(claiming(), 0.9) == pytest.approx(2 * families.error(claiming(), 0.95))
