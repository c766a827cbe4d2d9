"""`epsilon.consistency` refutes what holds, or leaves it open, no oftener than its errors allow, with all families at work."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from scipy.stats import binom

from auditor.base.domain import Status
from auditor.parts.data_deletion.settings import NoisyGd
from auditor.parts.swap.judging import quality, strong
from auditor.parts.swap.judging.epsilon_consistency import CHECK, Observed, attacks, families
from auditor.parts.swap.judging.epsilon_consistency.attacks import tests as counted_tests
from auditor.parts.swap.judging.epsilon_consistency.families import Errors
from auditor.parts.swap.judging.epsilon_consistency.observed import Events, Games, Guessed, Simulated, SwapGame
from auditor.parts.swap.judging.estimates import PairAcceptances, PairAdvantages
from auditor.settings.controller import RequesterTable
from auditor.settings.tables import Claims, SwapTable
from auditor.verdict.checks.context import Context
from auditor.verdict.checks.differences import Counted
from auditor.verdict.checks.finding import Finding
from auditor.verdict.checks.levels import share
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
        requester=RequesterTable(use="group-by-sign"),
    )


@pytest.fixture
def large_errors(monkeypatch: pytest.MonkeyPatch) -> None:
    """Errors so large that a few runs show whether they are kept: of refuting half of that of leaving open."""
    monkeypatch.setattr(families, "share", lambda test: ALPHA if test == families.OPENS else ALPHA / 2)


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


def wrong(context: Context, runs: int, seed: int) -> tuple[int, int]:
    """How many of so many runs refute what holds, and how many leave it open."""
    rng = np.random.default_rng(seed)
    found = [CHECK.judge(context, *null_run(rng)).status for _ in range(runs)]
    return found.count(Status.FAIL), found.count(Status.INCONCLUSIVE)


def within(found: tuple[int, int], runs: int) -> bool:
    """Whether both counts are within the errors; what is refuted would have been left open as well."""
    refuted, left_open = found
    return refuted <= ALPHA / 2 * runs and refuted + left_open <= ALPHA * runs


@pytest.mark.usefixtures("large_errors")
def test_all_families_together_do_to_what_holds_no_more_than_the_errors_allow() -> None:
    context = claiming()
    assert families.families(context) == ("swap", "requester", "chains")
    rows = {row.test for row in CHECK.judge(context, *null_run(np.random.default_rng(1))).derived.comparisons if row.compared}
    assert rows == {None, "swap", "requester", "chains"}
    assert within(wrong(context, RUNS // 2, 20261), RUNS // 2)


@pytest.mark.slow
@pytest.mark.usefixtures("large_errors")
def test_the_same_over_many_runs_and_with_private_training_claimed_as_well() -> None:
    context = claiming(dp={"epsilon": 0.0, "delta": 1e-12})
    assert counted_tests(context) == 3
    assert within(wrong(context, 16 * RUNS, 20262), 16 * RUNS)


@pytest.mark.slow
def test_by_the_errors_of_the_ledger_thousands_of_runs_refute_next_to_nothing() -> None:
    refuted, left_open = wrong(claiming(), 2000, 20263)
    assert refuted <= binom.ppf(1 - 1e-4, 2000, share("promises"))
    assert refuted + left_open <= binom.ppf(1 - 1e-4, 2000, share("promises-open"))


def test_one_family_has_the_whole_error() -> None:
    context = replace(claiming(), requester=None, procedure=declared().procedure)
    assert families.families(context) == ("swap",)
    assert families.errors(context) == Errors(share("promises"), share("promises-open"))
    assert families.errors(claiming()) == Errors(share("promises") / 3, share("promises-open") / 3)
    assert (share("promises"), share("promises-open")) == (5e-4, 5e-3)
    # Whoever shares is known before a run: nothing that was seen enters.
    assert families.families(replace(claiming(), case=case_facts(task="regression"))) == ("requester", "chains")


def test_models_before_and_after_unlearning_share_the_error_of_the_swap_test() -> None:
    """Means of a hundred pairs are one test more of each; those of fewer refute nothing."""
    many = SwapTable(pairs=100)
    for claims, few_pairs, many_pairs in (
        ({"dp": {"epsilon": 1.0, "delta": 1e-9}}, 1, 2),
        ({"certified_removal": {"epsilon": 1.0, "delta": 1e-9}}, 2, 3),
    ):
        context = declared(claims=Claims.model_validate(claims))
        assert counted_tests(context) == few_pairs
        assert counted_tests(replace(context, swap=many)) == many_pairs
    both = claiming(dp={"epsilon": 1.0, "delta": 1e-9})
    assert counted_tests(both) == 3
    assert counted_tests(replace(both, swap=many)) == 5
    for context in (both, replace(both, swap=many)):
        spent = attacks.spent(context)
        assert 2 * spent.single.refutes + 2 * spent.whole_set.refutes + spent.joint.refutes <= share("promises") / 3 + 1e-15
        assert 2 * spent.single.opens + 2 * spent.whole_set.opens + spent.joint.opens == pytest.approx(share("promises-open") / 3)


def test_no_declared_confidence_makes_refuting_easier_or_harder() -> None:
    for confidence in (0.5, 0.95, 0.999999):
        table = RequesterTable(use="group-by-sign", confidence=confidence)
        context = replace(claiming(), swap=SwapTable(confidence=confidence), requester=table)
        assert families.errors(context) == families.errors(claiming())
