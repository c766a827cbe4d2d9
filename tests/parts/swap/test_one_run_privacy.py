"""Bounds on the privacy of one record from one run: numbers of 50 digits, coverage, and every mechanism on three coins."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from scipy.optimize import linprog
from scipy.stats import binom, norm

from auditor.base.domain import Status
from auditor.maths.certificates import derive
from auditor.maths.tradeoff.promises import Approximate, Gaussian, SubsampledGaussian
from auditor.parts.networks.settings import Torch
from auditor.parts.swap.judging import quality
from auditor.parts.swap.judging.epsilon_consistency import CHECK, Derived, Observed
from auditor.parts.swap.judging.epsilon_consistency.rows import Row
from auditor.parts.swap.judging.one_run import OneRun
from auditor.parts.swap.rules.one_run_privacy import guesses_p, privacy_lower, refutes
from auditor.settings.tables import Claims, SwapTable
from auditor.verdict.checks.finding import Finding
from auditor.verdict.checks.levels import share
from judging import case_facts, declared

Floats = npt.NDArray[np.float64]

VECTORS = [
    (100, 70, 100, 0.05, 0.0, 0.47167186163048, 0.45723279599745, 0.28282164091374),
    (100, 70, 100, 0.05, 1e-5, None, 0.45715464418084, 0.28282164091374),
    (40, 39, 164, 0.001, 1e-7, None, 1.3323152960051, 0.4811904592957),
    (200, 170, 1000, 2e-4, 1e-8, None, 1.062879716356, 0.32889976279893),
    (10, 10, 40, 0.01, 0.0, 0.53632602540904, 0.53632602540904, 0.22999779378504),
]
"""Guesses, right, canaries, α, δ; the roots of both inequalities and of that in μ, by bisection with 50 digits."""


@pytest.mark.parametrize(("guesses", "right", "canaries", "alpha", "delta", "tail", "tradeoff", "mu"), VECTORS)
def test_bounds_have_ten_digits_and_lie_below_the_truth(
    guesses: int, right: int, canaries: int, alpha: float, delta: float, tail: float | None, tradeoff: float, mu: float
) -> None:
    given = {"guesses": guesses, "correct": right, "alpha": alpha}
    by_tail = derive("one-run-dp", given).outputs
    by_tradeoff = derive("one-run-fdp", {**given, "canaries": canaries, "delta": delta}).outputs
    for found, truth in (
        (by_tail["epsilon_lower"], by_tail["epsilon_lower"] if tail is None else tail),
        (by_tradeoff["epsilon_lower"], tradeoff),
        (by_tradeoff["mu_lower"], mu),
    ):
        assert found == pytest.approx(truth, rel=3e-10)
        assert found <= truth


def test_seventy_of_a_hundred_show_what_both_papers_would_have_shown() -> None:
    """ε of 0.47 by the binomial tail, and of 1.06 at δ = 1e-5 of a Gaussian mechanism, at α = .05."""
    given = {"guesses": 100, "correct": 70, "alpha": 0.05}
    assert derive("one-run-dp", given).outputs["epsilon_lower"] == pytest.approx(0.4717, abs=1e-4)
    given |= {"canaries": 100, "delta": 1e-5}
    assert derive("one-run-fdp", given).outputs["gaussian_epsilon_lower"] == pytest.approx(1.0607, abs=1e-4)
    exact = derive("one-run-fdp", {**given, "delta": 0.0}).outputs
    assert exact["gaussian_epsilon_lower"] is None
    assert "no Gaussian mechanism" in str(exact["reason"])


def test_a_training_on_samples_is_held_against_its_own_trade_off_function() -> None:
    given = {"guesses": 100, "canaries": 400, "alpha": 0.05, "delta": 1e-5}
    training = {"noise_multiplier": 1.0, "sample_rate": 0.02, "steps": 1000}
    found = [derive("one-run-fdp", {**given, **training, "correct": right}).outputs["training_refuted"] for right in (60, 98)]
    assert found == ["no", "yes"]
    # Without sampling it is the Gaussian with a shift of √steps/noise.
    whole = SubsampledGaussian(noise_multiplier=50.0, sample_rate=1.0, steps=100)
    for right in range(55, 75):
        of_gaussian = refutes(Gaussian(mu=0.2), 100, right, canaries=400, alpha=0.05)
        assert refutes(whole, 100, right, canaries=400, alpha=0.05) <= of_gaussian
    half = derive("one-run-fdp", {**given, "correct": 70, "steps": 10})
    assert half.outputs["epsilon_lower"] is None


@pytest.mark.parametrize("bad", [{"guesses": 0}, {"canaries": 50}, {"alpha": 0.0}, {"delta": 1.5}, {"correct": 101}])
def test_counts_that_do_not_fit_give_no_bound(bad: dict[str, float]) -> None:
    given = {"guesses": 100, "correct": 70, "canaries": 100, "alpha": 0.05, "delta": 1e-5, **bad}
    assert derive("one-run-fdp", given).outputs["epsilon_lower"] is None
    if bad.keys().isdisjoint(("canaries", "delta")):
        counts = {key: given[key] for key in ("guesses", "correct", "alpha")}
        assert derive("one-run-dp", counts).outputs["epsilon_lower"] is None


def wrong(law: Floats, refuted: Callable[[int], bool]) -> float:
    """The chance that a true statement is refuted, from the law of the number of right guesses."""
    return float(law[np.array([refuted(right) for right in range(len(law))])].sum())


def revealing(coins: int, guesses: int, epsilon: float, delta: float) -> Floats:
    """The law of right guesses where each coin is answered at random by ε, and shown with probability δ: shown ones first."""
    law, share_right = np.zeros(guesses + 1), 1 / (1 + math.exp(-epsilon))
    for shown in range(coins + 1):
        first = min(shown, guesses)
        law[first:] += binom.pmf(shown, coins, delta) * binom.pmf(np.arange(guesses - first + 1), guesses - first, share_right)
    return law


@pytest.mark.parametrize(("coins", "guesses"), [(12, 12), (40, 10), (100, 100)])
@pytest.mark.parametrize(("epsilon", "delta"), [(0.0, 0.0), (0.5, 0.0), (1.0, 1e-3), (2.0, 0.01), (3.0, 0.05)])
def test_randomised_response_is_refuted_no_more_often_than_stated(coins: int, guesses: int, epsilon: float, delta: float) -> None:
    """It leaks exactly (ε, δ): a coin is told with the best odds that this allows (Kairouz, Oh and Viswanath 2015)."""
    law = revealing(coins, guesses, epsilon, delta)
    promise = Approximate(epsilon=epsilon, delta=delta)
    for alpha in (0.05, 0.3):
        assert wrong(law, partial(refutes, promise, guesses, canaries=coins, alpha=alpha)) <= alpha
        if not delta:
            bounds = [privacy_lower(guesses, right, alpha=alpha) for right in range(guesses + 1)]
            assert law[np.array(bounds) > epsilon].sum() <= alpha


def test_at_delta_0_the_error_that_the_tail_allows_is_used() -> None:
    law = revealing(50, 50, 1.0, 0.0)
    alpha = float(law[45:].sum()) * (1 + 1e-8)
    assert privacy_lower(50, 45, alpha=alpha) > 1.0 > privacy_lower(50, 44, alpha=alpha)


def test_the_term_in_delta_of_public_programs_is_exceeded_by_a_private_mechanism() -> None:
    """Three coins, three guesses: all answers with one number of right guesses are equally likely."""
    epsilon, delta = 1.0, 0.05
    growth = math.exp(epsilon)
    none = (1 - 3 * delta * (1 + growth + growth**2 / 3)) / (1 + 3 * growth + 3 * growth**2 + growth**3)
    one = 3 * (growth * none + delta)
    law = np.array([none, one, growth * one, growth**2 * one / 3])
    assert law.sum() == pytest.approx(1)
    each = law / np.array([1, 3, 3, 1])
    # With one coin flipped, a right guess at it is wrong: so many answers have each number of right ones and are right at it.
    excess = sum(many * max(0.0, each[right] - growth * each[right - 1]) for right, many in ((1, 1), (2, 2), (3, 1)))
    assert excess == pytest.approx(delta)
    assert all(each[right] <= growth * each[right + 1] for right in range(3))
    tail = 1 - (1 / (1 + growth)) ** 3
    assert 1 - law[0] > tail + 2 * 3 * delta * (1 - tail) + 0.01
    assert not refutes(Approximate(epsilon=epsilon, delta=delta), 3, 1, canaries=3, alpha=1 - law[0] - 1e-9)


@pytest.mark.parametrize("mu", [0.2, 0.5, 1.0, 2.0])
def test_gaussian_noise_on_every_coin_is_refuted_no_more_often_than_stated(mu: float) -> None:
    guesses, alpha = 100, 0.2
    law = binom.pmf(np.arange(guesses + 1), guesses, norm.cdf(mu / 2))
    assert wrong(law, partial(refutes, Gaussian(mu=mu), guesses, canaries=guesses, alpha=alpha)) <= alpha
    # Abstaining from all but the surest: the eighths with the highest and the lowest scores.
    rng, runs, coins, each = np.random.default_rng(5), 4000, 160, 20
    members = rng.integers(0, 2, (runs, coins))
    order = np.argsort(rng.normal(size=(runs, coins)) + mu * members, axis=1)
    called = np.take_along_axis(members, order, axis=1)
    right = called[:, -each:].sum(axis=1) + (1 - called[:, :each]).sum(axis=1)
    promise = Gaussian(mu=mu)
    refuted = np.array([refutes(promise, 2 * each, count, canaries=coins, alpha=alpha) for count in range(2 * each + 1)])
    assert refuted[right].mean() <= binom.ppf(1 - 1e-4, runs, alpha) / runs


def most_right(least: int, guesses: int, epsilon: float, delta: float) -> float:
    """The largest chance of so many right of guesses at three coins, over all (ε, δ)-private mechanisms: a linear programme."""
    worlds = list(itertools.product((0, 1), repeat=3))
    answers = [
        dict(zip(at, called, strict=True))
        for at in itertools.combinations(range(3), guesses)
        for called in itertools.product((0, 1), repeat=guesses)
    ]
    size, edges = len(worlds) * len(answers), [(a, b) for a in worlds for b in worlds if sum(map(int.__ne__, a, b)) == 1]
    # Variables: the chance of each answer in each world, and for each edge and answer what exceeds e^ε times the other's.
    aim, above, limits = np.zeros(size + len(edges) * len(answers)), [], []
    for world, answer in itertools.product(range(8), range(len(answers))):
        right = sum(worlds[world][at] == called for at, called in answers[answer].items())
        aim[world * len(answers) + answer] = -(right >= least) / 8
    for number, (one, other) in enumerate(edges):
        total = np.zeros_like(aim)
        for answer in range(len(answers)):
            excess = size + number * len(answers) + answer
            line = np.zeros_like(aim)
            line[worlds.index(one) * len(answers) + answer] = 1
            line[worlds.index(other) * len(answers) + answer] = -math.exp(epsilon)
            line[excess], total[excess] = -1, 1
            above.append(line)
            limits.append(0.0)
        above.append(total)
        limits.append(delta)
    sums = np.zeros((8, len(aim)))
    for world in range(8):
        sums[world, world * len(answers) : (world + 1) * len(answers)] = 1
    found = linprog(aim, A_ub=np.array(above), b_ub=limits, A_eq=sums, b_eq=np.ones(8))
    return -float(found.fun)


@pytest.mark.parametrize("guesses", [1, 2, 3])
@pytest.mark.parametrize(("epsilon", "delta"), [(0.5, 0.0), (1.0, 0.05), (0.2, 0.2)])
def test_no_mechanism_on_three_coins_is_right_more_often_than_the_bounds_say(guesses: int, epsilon: float, delta: float) -> None:
    for least in range(1, guesses + 1):
        reached = most_right(least, guesses, epsilon, delta)
        assert delta or guesses_p(guesses, least, epsilon=epsilon) >= reached - 1e-9
        promise = Approximate(epsilon=epsilon, delta=delta)
        assert not refutes(promise, guesses, least, canaries=3, alpha=min(0.999, reached * (1 - 1e-9)))


def largest_share(guesses: int, least: int, canaries: int, epsilon: float, delta: float) -> float:
    """The largest P[N ≥ c] that the inequalities of the recursion leave, as a linear programme over the law of N."""
    above, limits = [], []
    count = np.arange(guesses + 1)
    for start in range(1, guesses + 1):
        own = np.where(count >= start, count, 0) / canaries
        other = np.where(count >= start - 1, guesses - count, 0) / canaries
        above += [own - math.exp(epsilon) * other, own - math.exp(-epsilon) * other]
        limits += [delta, 1 - math.exp(-epsilon) * (1 - delta)]
    found = linprog(-1.0 * (count >= least), A_ub=np.array(above), b_ub=limits, A_eq=np.ones((1, guesses + 1)), b_eq=[1.0])
    return -float(found.fun)


@pytest.mark.parametrize(("guesses", "least", "canaries"), [(5, 5, 5), (8, 6, 8), (12, 11, 30), (20, 15, 20)])
@pytest.mark.parametrize(("epsilon", "delta"), [(0.3, 0.0), (1.0, 1e-3), (1.5, 0.02)])
def test_the_recursion_finds_the_worst_law_that_the_inequalities_leave(
    guesses: int, least: int, canaries: int, epsilon: float, delta: float
) -> None:
    most, promise = largest_share(guesses, least, canaries, epsilon, delta), Approximate(epsilon=epsilon, delta=delta)
    if most < 0.99:
        assert refutes(promise, guesses, least, canaries=canaries, alpha=most * (1 + 1e-6))
    assert not refutes(promise, guesses, least, canaries=canaries, alpha=most * (1 - 1e-6))


def rows(found: Finding) -> tuple[Row, ...]:
    assert isinstance(found.derived, Derived)
    return found.derived.comparisons


def judged(right_before: int, *, epsilon: float, delta: float = 1e-9, **more: Any) -> Finding:
    """A run with 800 canaries, of which half were learned, and 200 guesses."""
    seen = OneRun(canaries=800, forgotten=400, right=100, right_before=right_before, right_retrained=100)
    claims = Claims.model_validate({"dp": {"epsilon": epsilon, "delta": delta}})
    swap, case = SwapTable(mode="one-run"), case_facts(training_records=4000)
    context = declared(claims=claims, swap=swap, case=case, **more)
    earlier = {
        quality.CARD.id: Finding(Status.SKIPPED, observed=quality.Observed(one_run=seen)),
        "swap.strong": Finding(Status.SKIPPED),
    }
    return CHECK.judge(context, Observed(swap=None, games=None, simulated=None), earlier)


def test_a_claim_of_differential_privacy_is_answered_by_one_run() -> None:
    (row,) = rows(judged(195, epsilon=0.5))
    assert (row.claim, row.epsilon, row.delta, row.compared) == ("dp", 0.5, 1e-9, True)
    assert [each.method for each in row.lower] == ["one-run-fdp"]
    (exact,) = rows(judged(195, epsilon=0.5, delta=0.0))
    assert [each.method for each in exact.lower] == ["one-run-dp", "one-run-fdp"]
    level = share("promises") * binom.pmf(400, 800, 0.5)
    for each in row.lower:
        assert each.confidence == pytest.approx(1 - level, abs=1e-12)
        assert each.suspected is not None
        assert each.suspected > each.epsilon > 0.5
    assert row.refuted
    assert judged(195, epsilon=0.5).status is Status.FAIL


def test_a_claim_that_one_run_does_not_refute_says_which_it_could_have() -> None:
    found = judged(110, epsilon=2.0)
    (row,) = rows(found)
    assert found.status is Status.PASS
    assert row.refutable > 2.0
    assert 2.0 < row.noticed < 4.0
    # With a δ as large as the level nothing could be refuted, and that is no pass.
    loose = judged(200, epsilon=0.5, delta=1e-4)
    assert loose.status is not Status.PASS
    (row,) = rows(loose)
    assert row.refutable == 0.0
    assert not row.tested


def test_between_both_levels_a_claim_is_left_open() -> None:
    low, refuted = 100, 200
    while refuted - low > 1:
        middle = (low + refuted) // 2
        low, refuted = (low, middle) if judged(middle, epsilon=0.5).status is Status.FAIL else (middle, refuted)
    found = judged(refuted - 1, epsilon=0.5)
    assert found.status is Status.INCONCLUSIVE
    assert "epsilon.consistency.left-open" in {each.code for each in found.reasons}


def test_the_level_is_kept_over_all_numbers_of_learned_canaries() -> None:
    """The number of records decides the sampling rate of private training: whatever is done with it, the level holds."""
    chances = [binom.pmf(number, 800, 0.5) for number in range(801)]
    levels = share("promises") * np.array(chances)
    assert levels.sum() <= share("promises") * (1 + 1e-9)


def test_private_training_is_held_against_the_noise_that_it_declares() -> None:
    private = {"noise_multiplier": 2.0, "max_grad_norm": 1.0, "delta": 1e-9}
    network = {"model": "mlp", "params": {"hidden": [8]}, "epochs": 4, "batch": 64, "rate": 0.5, "dp": private}
    procedure = Torch.model_validate({**network, "seed": "265730418829614037752918430066192847351"})
    found = judged(198, epsilon=50.0, procedure=procedure)
    noise, claim = rows(found)
    assert (noise.source, noise.rule, claim.source) == ("certificate", "dp-sgd", "claim")
    assert noise.refuted
    assert ("dp-per-subject", "refuted") in {(each.name, each.how.value) for each in found.facts}
    assert not claim.refuted
