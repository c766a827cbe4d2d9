"""What each theorem promises, by its mechanism's parameters: every number on the side on which the promise is worth less."""

from __future__ import annotations

import math
import random
from collections.abc import Iterator
from fractions import Fraction

import mpmath
import pytest

from auditor.base.promises import Approximate, Concentrated, Gaussian, Promise, Pure, Several
from auditor.maths.certificates.gaussian import mu as allowed
from auditor.maths.certificates.renyi import gaussian_epsilon
from auditor.maths.tradeoff.reading import advantage, delta_at, right_guesses
from auditor.parts.controllers.judging import privacy_continual
from auditor.parts.controllers.rules import square_root_counter, tree_counter
from auditor.parts.data_deletion.judging import consequences
from auditor.parts.data_deletion.judging.derived import Cost, Derived, Sizes
from auditor.parts.data_deletion.judging.derived import Gaussian as Alongside
from auditor.parts.removal.guarantees import certified_removal
from auditor.parts.removal.theorems import NEWTON, NOISE, above_extractor
from auditor.verdict.guarantees import Fact, Message, Pledge, Provenance, Spent, pledge_to_one
from auditor.verdict.theorems import Theorem

POINTS = 160


@pytest.fixture(autouse=True)
def _digits() -> Iterator[None]:
    with mpmath.workdps(60):
        yield


def sizes(rng: random.Random, low: float, high: float) -> float:
    return float(10 ** rng.uniform(math.log10(low), math.log10(high)))


def counted(rule: str, sigma: float, horizon: int) -> Promise:
    stated = privacy_continual.Promise(epsilon=1.0, delta=1e-6)
    derived = privacy_continual.Derived(
        delta=1e-6, sources=(), sigma=sigma, horizon=horizon, rule=rule, broken=(), for_a_person=stated
    )
    return privacy_continual.promised(derived, stated)


def squared_sensitivity(rule: str, horizon: int) -> mpmath.mpf:
    if rule == tree_counter.KIND:
        return mpmath.mpf(math.ceil(math.log2(horizon + 1)))
    return mpmath.fsum((mpmath.binomial(2 * k, k) / mpmath.mpf(4) ** k) ** 2 for k in range(horizon))


@pytest.mark.parametrize("rule", [tree_counter.KIND, square_root_counter.KIND])
def test_a_counter_is_never_promised_less_than_its_shift(rule: str) -> None:
    rng = random.Random(1)
    for _ in range(POINTS):
        horizon, sigma = rng.randint(1, 400), sizes(rng, 1e-3, 1e5)
        found = counted(rule, sigma, horizon)
        assert isinstance(found, Gaussian)
        exact = mpmath.sqrt(squared_sensitivity(rule, horizon)) / mpmath.mpf(sigma)
        assert exact <= mpmath.mpf(found.mu) <= exact * (1 + mpmath.mpf(1e-10)), (horizon, sigma)


@pytest.mark.parametrize(("rule", "make"), [(tree_counter.KIND, tree_counter), (square_root_counter.KIND, square_root_counter)])
def test_noise_that_is_made_for_numbers_keeps_them(rule: str, make: object) -> None:
    rng = random.Random(2)
    for _ in range(POINTS):
        epsilon, delta, horizon = sizes(rng, 0.01, 20), sizes(rng, 1e-12, 0.1), rng.randint(1, 400)
        noise = tree_counter.node_noise if make is tree_counter else square_root_counter.noise
        found = counted(rule, noise(epsilon, delta, horizon), horizon)
        assert delta_at(found, epsilon) <= delta * (1 + 1e-9)
        assert right_guesses(found) <= right_guesses(Approximate(epsilon=epsilon, delta=delta))


def deletion(theorem: str | None, order: float, epsilon: float, mu: float | None) -> Derived:
    gaussian = None if mu is None else Alongside(mu=mu, epsilon=None, advantage=0.0)
    cost = Cost(
        gradients_learning=None, gradients_unlearning=None, saved_share=None, seconds_retraining=0.0, seconds_unlearning=None
    )
    return Derived.model_validate(
        {
            "theorem": theorem,
            "order": order,
            "epsilon_dd": epsilon,
            "epsilon_dp": None,
            "reason": None,
            "mend": None,
            "settings": Sizes(rows=100, parameters=None, largest_batch=1),
            "premises": (),
            "gaussian": gaussian,
            "cost": cost,
            "sources": (),
        }
    )


def test_data_deletion_is_never_promised_less_than_its_divergence_and_its_shift() -> None:
    rng = random.Random(3)
    for _ in range(POINTS):
        order, records, mu = 1 + sizes(rng, 1e-2, 1e3), rng.randint(1, 50), sizes(rng, 1e-6, 3)
        epsilon = sizes(rng, 1e-9, 10)
        found = consequences.promised(deletion("5.1", order, epsilon, mu), epsilon, records=records, seen=0)
        assert isinstance(found, Several)
        shift, divergence = found.promises
        assert isinstance(shift, Gaussian)
        assert isinstance(divergence, Concentrated)
        assert Fraction(shift.mu) >= Fraction(mu) * records
        assert Fraction(divergence.rho) * Fraction(order) >= Fraction(epsilon)
        assert not divergence.two_sided
        told = consequences.told_apart(deletion("5.1", order, epsilon, mu), epsilon, records=records, seen=0)
        assert told is not None
        assert advantage(found) <= told * (1 + 1e-9)


def test_the_trade_off_alone_is_promised_where_it_is_the_theorem() -> None:
    rng = random.Random(4)
    for _ in range(POINTS):
        order, mu = 1 + sizes(rng, 1e-2, 1e3), sizes(rng, 1e-6, 1)
        epsilon = gaussian_epsilon(order, mu)
        assert consequences.promised(deletion("gaussian", order, epsilon, mu), epsilon, records=1, seen=0) == Gaussian(mu=mu)


@pytest.mark.parametrize(("theorem", "seen"), [("5.1", 1), ("gaussian", 3), ("5.2", 0), ("twins", 0), (None, 0)])
def test_worlds_that_are_near_a_third_law_alone_get_no_promise_of_one_another(theorem: str | None, seen: int) -> None:
    assert consequences.promised(deletion(theorem, 2.0, 0.1, 0.1), 0.1, records=1, seen=seen) is None


def removed(rule: Theorem, spent: Spent, extractor: Pledge | None = None) -> Promise | None:
    facts = {name: Fact(name, Provenance.COMPUTED, Message("fact.not-examined")) for name in rule.needs}
    return certified_removal(facts, epsilon=1.0, delta=1e-4, extractor=extractor, spent=spent).terms.promise


def test_a_removal_carries_what_is_certified_of_it_however_many_records_it_covers() -> None:
    by_loss, by_noise = Pledge(0.6, 1e-4, Gaussian(mu=0.2)), Pledge(0.4, 1e-4, Gaussian(mu=0.1))
    spent = Spent(by_loss=by_loss, by_noise=by_noise)
    assert removed(NEWTON, spent) == Gaussian(mu=0.2)
    assert removed(NOISE, spent) == Gaussian(mu=0.1)
    assert removed(NEWTON, Spent()) is None


def test_above_an_extractor_the_criterion_counts_and_not_what_one_log_left() -> None:
    """The bounds of the log are those above the extractor that was drawn; Theorem 5 needs the removal's above every one."""
    extractor = Pledge(0.15, 1e-6)
    spent = Spent(by_loss=Pledge(0.6, 1e-4, Gaussian(mu=0.1)), by_noise=Pledge(0.4, 1e-4, Gaussian(mu=0.1)))
    for rule, mu in ((NEWTON, allowed(1.0, 1e-4)), (NOISE, 0.1)):
        found = removed(above_extractor(rule), spent, extractor)
        assert found is not None
        assert found.kind == "composition"
        assert found.parts == (Gaussian(mu=mu), Approximate(epsilon=0.15, delta=1e-6))
        assert right_guesses(Gaussian(mu=mu)) < right_guesses(found)


def test_one_outcome_is_promised_by_its_noise() -> None:
    stated = privacy_continual.Promise(epsilon=0.7, delta=1e-6)
    for rule, found in (("batch-count", Pure(epsilon=0.7)), ("batch-model", Gaussian(mu=allowed(0.7, 1e-6)))):
        derived = privacy_continual.Derived(
            delta=1e-6, sources=(), sigma=0.0, horizon=1, rule=rule, broken=(), for_a_person=stated
        )
        assert privacy_continual.promised(derived, stated) == found


def test_k_records_of_one_person_have_the_promise_of_the_group() -> None:
    rng = random.Random(5)
    for _ in range(POINTS):
        mu, records = sizes(rng, 1e-6, 0.5), rng.randint(1, 20)
        pledge = pledge_to_one(0.1, 1e-12, records=records, promise=Gaussian(mu=mu))
        assert pledge is not None
        assert isinstance(pledge.promise, Gaussian)
        assert Fraction(pledge.promise.mu) >= Fraction(mu) * records
