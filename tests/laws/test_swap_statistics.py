"""The SWAP test's statistics where the truth is known: intervals cover, tests keep their level, what is there is found."""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt
import pytest
from scipy.stats import binom

from auditor.maths.statistics import advantage_lower, advantages, named_sides_lower, quality, sign_flip_p

Floats = npt.NDArray[np.float64]
RUNS = 1000


def at_least(share: float) -> int:
    """The count that a share of exactly `share` falls below in one of 10,000 repetitions of RUNS."""
    return int(binom.ppf(1e-4, RUNS, share))


def at_most(share: float) -> int:
    """The count that a share of exactly `share` exceeds in one of 10,000 repetitions of RUNS."""
    return int(binom.ppf(1 - 1e-4, RUNS, share))


def correlated(rng: np.random.Generator, attacks: int, size: int, means: Floats, spread: float) -> Floats:
    """Attacks that share much of their noise, as attacks on the same models do."""
    common = rng.normal(size=(1, size))
    own = rng.normal(size=(attacks, size))
    return np.clip(means[:, None] + spread * (0.8 * common + 0.6 * own), -1, 1)


def counted(rng: np.random.Generator, attacks: int, size: int, means: Floats) -> Floats:
    """Advantages of records one by one, |F| = |T| = 14: each side of each split is a mean of 14 decisions."""
    total = np.zeros((attacks, size))
    for _ in range(2):
        hits = rng.binomial(14, 0.5 + means[:, None] / 2, (attacks, size))
        alarms = rng.binomial(14, 0.5 - means[:, None] / 2, (attacks, size))
        total += (hits - alarms) / 14
    return total / 2


@pytest.mark.parametrize("size", [5, 8, 20])
@pytest.mark.parametrize("attacks", [1, 5, 9])
@pytest.mark.parametrize("shape", ["none", "some", "counted"])
def test_intervals_of_advantages_and_quality_cover(size: int, attacks: int, shape: str) -> None:
    rng = np.random.default_rng([size, attacks, len(shape)])
    means = np.zeros(attacks) if shape == "none" else np.linspace(-0.3, 0.2, attacks)
    truth = 1 - np.abs(means).max()
    together = within = above = 0
    for _ in range(RUNS):
        pairs = counted(rng, attacks, size, means) if shape == "counted" else correlated(rng, attacks, size, means, 0.06)
        found = advantages(pairs, confidence=0.95, decisions=size * 28, identical=False)
        together += all(each.interval.low <= mean <= each.interval.high for each, mean in zip(found, means, strict=True))
        interval = quality(found).interval
        within += interval.low <= truth <= interval.high
        above += advantage_lower(pairs, alpha=0.05) > 1 - truth
    assert together >= at_least(0.95)
    assert within >= at_least(0.95)
    assert within >= together
    assert above <= at_most(0.05)


def test_rare_advantages_are_covered_by_the_floor() -> None:
    """Where nearly every pair shows exactly 0, Student's interval alone would have no width in most runs."""
    rng = np.random.default_rng(11)
    size, forgotten, rate = 5, 14, 0.004
    covered = bare = 0
    for _ in range(RUNS):
        hits = rng.binomial(2 * forgotten, rate, (1, size)) / (2 * forgotten)
        (found,) = advantages(hits, confidence=0.95, decisions=size * 2 * forgotten, identical=False)
        covered += found.interval.low <= rate <= found.interval.high
        bare += found.deviation == 0
    assert covered >= at_least(0.95)
    assert bare > RUNS / 2


def normal_null(rng: np.random.Generator, attacks: int, size: int) -> Floats:
    return correlated(rng, attacks, size, np.zeros(attacks), 0.06)


def skewed_null(rng: np.random.Generator, attacks: int, size: int) -> Floats:
    """Sizes skewed and different from pair to pair, signs fair: what the test has to bear, and Student's interval has not."""
    sizes = np.minimum(rng.pareto(1.2, (attacks, size)) * 0.02 * np.arange(1, size + 1), 1)
    return sizes * rng.choice([-1.0, 1.0], (1, size))


def counted_null(rng: np.random.Generator, attacks: int, size: int) -> Floats:
    return counted(rng, attacks, size, np.zeros(attacks))


@pytest.mark.parametrize("null", [normal_null, skewed_null, counted_null])
@pytest.mark.parametrize(("size", "attacks"), [(6, 1), (8, 5), (9, 9), (20, 9)])
def test_sign_flips_keep_their_level(null: object, size: int, attacks: int) -> None:
    assert callable(null)
    rng = np.random.default_rng([size, attacks, len(getattr(null, "__name__", ""))])
    values = [sign_flip_p(null(rng, attacks, size), rng=rng, flips=400) for _ in range(RUNS)]
    assert sum(value <= 0.05 for value in values) <= at_most(0.05)
    assert sum(value <= 0.01 for value in values) <= at_most(0.01)
    assert min(values) > 0


def test_sign_flips_use_their_level_where_they_can() -> None:
    rng = np.random.default_rng(5)
    values = [sign_flip_p(normal_null(rng, 5, 10), rng=rng) for _ in range(RUNS)]
    assert sum(value <= 0.05 for value in values) >= at_least(0.045)


def test_an_obvious_effect_is_found_at_six_pairs() -> None:
    rng = np.random.default_rng(6)
    for _ in range(RUNS):
        pairs = correlated(rng, 5, 6, np.array([0.0, 0.0, 0.3, -0.01, 0.1]), 0.01)
        assert sign_flip_p(pairs, rng=rng) <= 0.05


def poisson_binomial(chances: Floats) -> Floats:
    """P[S = k], shape (n + 1,), for a sum of independent coins with their own chances, by convolution."""
    law = np.ones(1)
    for chance in chances:
        law = np.convolve(law, [1 - chance, chance])
    return law


def test_named_sides_are_limited_however_unequal_the_splits() -> None:
    """Exactly, by convolution: P[limit > the ceiling that the drawn splits obey] <= alpha, for the worst chances tried."""
    rng = np.random.default_rng(8)
    largest = 0.0
    for trial in range(400):
        models = 2 * int(rng.integers(1, 31))
        kind = trial % 4
        if kind == 0:
            chances = rng.random(models)
        elif kind == 1:
            chances = rng.choice([0.0, 1.0, 0.5, 0.95], models)
        elif kind == 2:
            chances = np.full(models, 0.5 + rng.random() / 2)
        else:
            chances = np.where(np.arange(models) % 2, 0.5 + rng.random() / 2, rng.random(models))
        truth = max(0.0, 2 * chances.mean() - 1)
        law = poisson_binomial(chances)
        for alpha in (0.01, 0.05, 0.25):
            limits = np.array([named_sides_lower(right, models, alpha=alpha) for right in range(models + 1)])
            missed = law[limits > truth + 1e-12].sum()
            assert missed <= alpha + 1e-12
            largest = max(largest, missed / alpha)
    assert largest > 0.8


def test_the_limit_of_named_sides_is_attained_by_equal_chances() -> None:
    law = poisson_binomial(np.full(40, 0.75))
    limits = np.array([named_sides_lower(right, 40, alpha=0.05) for right in range(41)])
    assert 0.02 < law[limits > 0.5].sum() <= 0.05
    assert not math.isclose(limits[40], 1.0)
