"""Data deletion: every number moves the right way, no false premise passes, and what is said at other orders is a bound."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import binom, chi2, norm

from auditor.base.domain import Status
from auditor.base.records import Dataset
from auditor.case import Case
from auditor.maths.certificates import derive
from auditor.maths.certificates.renyi import (
    advantage,
    at_order,
    best_conversion,
    best_membership,
    gaussian_advantage,
    gaussian_epsilon,
    linear,
)
from auditor.maths.statistics import accepted_variance, detectable_deviation
from auditor.parts.data_deletion.judging.bounds import Setting, bounds
from auditor.parts.data_deletion.judging.goals import carried
from auditor.parts.data_deletion.judging.noise import judged as accept
from auditor.parts.data_deletion.judging.noise import refused, refuses
from auditor.parts.data_deletion.learning.making import make
from auditor.parts.data_deletion.observing import measured
from auditor.parts.data_deletion.settings import Declared
from deletion_cases import judged, replay_of, write

SETTINGS = st.builds(
    lambda l2, sigma2, order, learn, unlearn, rows, updates: Setting(
        Declared("5.1", 1.0, 0.25, 1 / (2 * (l2 + 0.25)), None, True, True, False, 1 / (2 * (l2 + 0.25))),
        l2,
        sigma2,
        order,
        learn,
        unlearn,
        rows,
        1,
        5,
        updates,
    ),
    l2=st.floats(1e-3, 1),
    sigma2=st.floats(1e-4, 10),
    order=st.floats(1.01, 100),
    learn=st.integers(0, 1000),
    unlearn=st.integers(0, 1000),
    rows=st.integers(2, 100_000),
    updates=st.integers(0, 20),
)


@given(setting=SETTINGS, tradeoff=st.booleans())
def test_more_steps_noise_and_records_never_say_less(setting: Setting, tradeoff: bool) -> None:
    # Steps of earlier batches are steps with the record: only after the first there are none.
    first = replace(setting, updates=0)
    found = bounds(first, tradeoff=tradeoff).epsilon_dd
    assert found is not None
    for better in (
        replace(first, unlearn_steps=first.unlearn_steps + 50),
        replace(first, sigma2=2 * first.sigma2),
        replace(first, rows=2 * first.rows),
        replace(first, order=(1 + first.order) / 2),
    ):
        other = bounds(better, tradeoff=tradeoff).epsilon_dd
        assert other is not None
        assert other <= found * (1 + 1e-12)


@given(setting=SETTINGS)
def test_the_trade_off_takes_the_theorem_s_place_only_where_it_says_more(setting: Setting) -> None:
    published, either = bounds(setting, tradeoff=False), bounds(setting, tradeoff=True)
    assert published.source == "5.1"
    assert either.epsilon_dd is not None
    assert published.epsilon_dd is not None
    assert either.epsilon_dd <= published.epsilon_dd
    assert (either.source == "gaussian") is (either.epsilon_dd < published.epsilon_dd)


@given(order=st.floats(1.01, 100), epsilon=st.floats(0, 100), other=st.floats(1.01, 1000))
def test_a_linear_bound_at_another_order_is_rounded_up_and_the_rule_s_own_is_no_larger(
    order: float, epsilon: float, other: float
) -> None:
    assert at_order(order, epsilon, other) >= epsilon * other / order * (1 - 1e-15)
    assert at_order(order, epsilon, order) == epsilon
    given_ = {"lipschitz": 1.0, "l2": 0.1, "smoothness": 0.25, "sigma2": 1.0, "n": 100, "steps": 10}
    here, there = (derive("noisy-gd-convex", {"q": each, **given_}).outputs["epsilon_dd"] for each in (order, other))
    assert there <= at_order(order, here, other) * (1 + 1e-13)


@given(order=st.floats(1.01, 100), epsilon=st.floats(1e-12, 100), delta=st.floats(1e-12, 0.5))
def test_the_best_order_is_one_of_those_looked_at(order: float, epsilon: float, delta: float) -> None:
    epsilons = linear(order, epsilon)
    membership, conversion = best_membership(epsilons), best_conversion(epsilons, delta)
    assert (order, epsilon) in epsilons
    assert membership.bound <= advantage(order, epsilon)
    assert (membership.order, membership.epsilon) in epsilons
    assert membership.bound == derive("advantage", {"q": membership.order, "epsilon": membership.epsilon}).outputs["bound"]
    rule = derive("conversion", {"q": conversion.order, "epsilon": conversion.epsilon, "delta": delta})
    assert (conversion.tight, conversion.mironov) == (rule.outputs["tight"], rule.outputs["mironov"])
    assert conversion.tight <= conversion.mironov


@given(st.lists(st.tuples(st.floats(0.01, 1), st.floats(0.01, 1)), min_size=2, max_size=6), st.floats(1.01, 50))
def test_no_two_laws_are_told_apart_better_than_their_divergence_allows(weights: list[tuple[float, float]], order: float) -> None:
    """The total variation of P and R is at most √(R_q(P‖R)/2), with R itself in the place of the world without the record."""
    totals = [math.fsum(column) for column in zip(*weights, strict=True)]
    laws = [(one / totals[0], other / totals[1]) for one, other in weights]
    terms = [order * math.log(one) + (1 - order) * math.log(other) for one, other in laws]
    largest = max(terms)
    divergence = (largest + math.log(math.fsum(math.exp(each - largest) for each in terms))) / (order - 1)
    apart = math.fsum(abs(one - other) for one, other in laws) / 2
    assert apart <= advantage(order, max(0.0, divergence) + 1e-12, of_reference=True)


@given(mu=st.floats(1e-9, 3), order=st.floats(1.01, 50), delta=st.floats(1e-9, 0.5))
def test_no_bound_on_a_gaussian_pair_lies_below_what_tells_it_apart(mu: float, order: float, delta: float) -> None:
    apart = math.erf(mu / math.sqrt(8))
    epsilons = linear(order, gaussian_epsilon(order, mu))
    assert gaussian_advantage(mu) >= apart
    assert gaussian_epsilon(order, mu) >= order * mu * mu / 2 * (1 - 1e-15)
    # An adversary who tells two models apart that are both this close to a third has at most twice the distance to it.
    assert best_membership(epsilons).bound >= apart
    # Told from the very law of the bound there is the distance itself.
    assert best_membership(epsilons, of_reference=True).bound >= apart
    assert advantage(order, gaussian_epsilon(order, mu), of_reference=True) >= apart
    found = best_conversion(epsilons, delta).tight
    # delta(epsilon) of two Gaussians (Balle and Wang 2018, Theorem 8).
    left = 0.5 * math.erfc(-(mu / 2 - found / mu) / math.sqrt(2)) - math.exp(found) * 0.5 * math.erfc(
        (mu / 2 + found / mu) / math.sqrt(2)
    )
    assert left <= delta * (1 + 1e-9)


@given(limit=st.floats(0, 100), at=st.floats(1.01, 100), order=st.floats(1.01, 100))
def test_a_limit_is_carried_to_no_larger_one(limit: float, at: float, order: float) -> None:
    found = carried(limit, at, order)
    assert found <= limit
    assert found <= limit * order / at * (1 + 1e-15) or order >= at


@given(count=st.integers(1, 10**6 - 1), declared=st.floats(1e-6, 1e6), significance=st.floats(1e-8, 0.2))
def test_the_variance_test_has_its_level_and_its_power(count: int, declared: float, significance: float) -> None:
    accepted = accepted_variance(declared, count, significance=significance)
    assert accepted.low < declared < accepted.high or count < 50
    outside = chi2.cdf(accepted.low / declared * count, count) + chi2.sf(accepted.high / declared * count, count)
    assert outside == pytest.approx(significance, rel=0.01)
    deviation = detectable_deviation(count, significance=significance, power=0.99)
    for factor in (1 + deviation, 1 - deviation):
        if factor > 0:
            missed = chi2.cdf(accepted.high / declared * count / factor, count) - chi2.cdf(
                accepted.low / declared * count / factor, count
            )
            assert missed <= 0.01 + 1e-6


@given(count=st.integers(10**6, 10**12), significance=st.floats(1e-8, 0.2))
def test_of_many_numbers_the_ends_are_those_of_their_expansion(count: int, significance: float) -> None:
    score = float(norm.isf(significance / 2))
    accepted = accepted_variance(1.0, count, significance=significance)
    for end, z in ((accepted.low, -score), (accepted.high, score)):
        # Cornish and Fisher's expansion of the quantile of a chi-squared number.
        expanded = z * math.sqrt(2 / count) + 2 / 3 * (z * z - 1) / count + (z**3 - 7 * z) / (9 * math.sqrt(2 * count) * count)
        assert end - 1 == pytest.approx(expanded, rel=1e-5)


def test_the_variance_test_in_closed_form() -> None:
    # Two squares have an exponential sum: the quantile at p of their mean is -ln(1 - p).
    accepted = accepted_variance(3.0, 2, significance=0.1)
    assert accepted.low == pytest.approx(3 * 0.05129329438755058, rel=1e-11)
    assert accepted.high == pytest.approx(3 * 2.995732273553991, rel=1e-11)
    assert detectable_deviation(2, significance=0.1, power=0.99) == pytest.approx(2.995732273553991 / 0.01005033585350145 - 1)
    for wrong in ((0.0, 1, 0.1), (1.0, 0, 0.1), (1.0, 1, 1.0)):
        with pytest.raises(ValueError, match=r"must|needs"):
            accepted_variance(wrong[0], wrong[1], significance=wrong[2])
    with pytest.raises(ValueError, match="power"):
        detectable_deviation(1, significance=0.1, power=1.0)


@settings(max_examples=20)
@given(seed=st.integers(0, 2**32), factor=st.sampled_from([0.5, 0.8, 1.25, 2.0]))
def test_honest_noise_is_accepted_and_wrong_noise_found(seed: int, factor: float) -> None:
    rng = np.random.default_rng(seed)
    drawn = rng.standard_normal(10_000) * math.sqrt(0.3)

    def told(noise: np.ndarray[Any, Any]) -> list[dict[str, Any]]:
        return [{"noise_count": len(part), "noise_variance": float(part @ part) / len(part)} for part in np.split(noise, [8_000])]

    honest, wrong = measured(told(drawn), 0.3), measured(told(drawn * math.sqrt(factor)), 0.3)
    assert honest is not None
    assert wrong is not None
    assert accept(0.3, honest).detects < 0.2
    assert not refuses(accept(0.3, honest))
    assert not refused(honest, accept(0.3, honest))
    assert refuses(accept(0.3, wrong)) or refused(wrong, accept(0.3, wrong))


@pytest.fixture(scope="module")
def case(tmp_path_factory: pytest.TempPathFactory) -> Case:
    rest = "[claims]\ndata_deletion = {q = 2, epsilon = 1e6}\n"
    return write(tmp_path_factory.mktemp("case"), rest=rest, said=[0, 0, 0])


@settings(max_examples=40, deadline=None)
@given(
    steps=st.lists(st.integers(0, 400), min_size=4, max_size=4),
    variances=st.lists(st.floats(0, 0.1), min_size=4, max_size=4),
)
def test_no_replay_passes_that_took_other_steps_or_other_noise(case: Case, steps: list[int], variances: list[float]) -> None:
    replay = replay_of(case)
    told = tuple(
        {**facts, "steps": count, "noise_variance": variance}
        for facts, count, variance in zip(replay.told, steps, variances, strict=True)
    )
    found = judged(case, replace(replay, told=told))
    honest = steps == [200, 60, 60, 60]
    for check in found.checks:
        assert check.status is Status.FAIL or honest
        assert check.value is None or honest
    # What is claimed promises nothing: met, and open all the same.
    assert all((check.status, check.value is None) == (Status.INCONCLUSIVE, False) for check in judged(case, replay).checks)


@settings(max_examples=25, deadline=None)
@given(said=st.lists(st.one_of(st.none(), st.integers(0, 6)), min_size=1, max_size=5), more=st.integers(0, 4))
def test_who_saw_more_is_never_promised_more(tmp_path_factory: pytest.TempPathFactory, said: list[int | None], more: int) -> None:
    rest = "[claims]\ndata_deletion = {q = 2, epsilon = 0.3}\n"
    values: list[float] = []
    for numbers in (said, [None if each is None else each + more for each in said], [0] * len(said)):
        case = write(tmp_path_factory.mktemp("case"), rest=rest, said=numbers)
        check = judged(case).checks[1]
        assert check.value is not None
        assert check.value == max(each["epsilon"] for each in check.details["per_request"])
        seen = [each["seen"] for each in check.details["per_request"]]
        assert seen == sorted(seen)
        assert all(each["seen"] >= (each["stated"] or 0) for each in check.details["per_request"])
        values.append(check.value)
    assert values[2] <= values[0] <= values[1]


def test_the_noise_test_refuses_as_many_honest_runs_as_it_says() -> None:
    # The variance that the procedure itself tells, under as many seeds: a binomial count of refusals.
    rng = np.random.default_rng(5)
    data = Dataset(rng.normal(size=(20, 3)) / 4, np.arange(20) % 2, np.array([f"r{index}" for index in range(20)]))
    procedure = make(features=3, classes=[0, 1], loss="logistic", l2=0.1, sigma2=0.02, learn_steps=10, unlearn_steps=5)
    accepted = accepted_variance(0.02, 30, significance=0.1)
    told = [procedure.facts(procedure.learn(data, seed))["noise_variance"] for seed in range(600)]
    refused = sum(not accepted.low <= variance <= accepted.high for variance in told)
    assert binom.ppf(1e-5, 600, 0.1) <= refused <= binom.ppf(1 - 1e-5, 600, 0.1)
