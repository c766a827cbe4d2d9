"""Laws of the attacks: no threshold beats the best, Newton's method arrives, where there is nothing to find nothing is found."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.special import expit
from scipy.stats import binomtest

from attack_examples import World, halves, outputs_of, shadow_of, world
from auditor.attacks import WHOLE_SET, Attack, Outputs, References, Shadow, attacks
from auditor.attacks.shadow_classifier import RIDGE, TOLERANCE, minimise
from auditor.attacks.thresholds import best_threshold

MODELS = 300


def gain(evidence: npt.NDArray[np.float64], members: npt.NDArray[np.bool_], threshold: float) -> float:
    accepted = evidence > threshold
    return float(accepted[members].mean() - accepted[~members].mean())


@given(st.lists(st.tuples(st.integers(-8, 8), st.booleans()), min_size=2, max_size=30))
def test_no_threshold_beats_the_best(values: list[tuple[int, bool]]) -> None:
    evidence = np.array([value / 8 for value, _ in values])
    members = np.array([member for _, member in values])
    threshold = best_threshold(evidence, members)
    if members.all() or not members.any():
        assert threshold == math.inf
        return
    every = [gain(evidence, members, at / 16) for at in range(-18, 19)]
    assert gain(evidence, members, threshold) == pytest.approx(max(every), abs=1e-12)
    assert (threshold == math.inf) == (max(every) <= 1e-12)
    assert threshold not in evidence


@given(st.integers(0, 2**32 - 1), st.integers(2, 60), st.integers(1, 6), st.floats(0, 1))
@settings(max_examples=80)
def test_newtons_method_arrives(seed: int, rows: int, width: int, tail: float) -> None:
    """From columns with outliers, dependent columns and rows that part perfectly too."""
    rng = np.random.default_rng(seed)
    columns = rng.normal(size=(rows, width)) * np.exp(3 * tail * rng.normal(size=(rows, 1)))
    columns[:, -1] = columns[:, 0]
    members = rng.random(rows) < expit(5 * tail * columns[:, 0])
    weights = minimise(columns, members)
    signs = np.where(members, 1.0, -1.0)
    gradient = RIDGE * weights - columns.T @ (signs * expit(-signs * (columns @ weights))) / rows
    # Twice, since the sum is formed in another order here.
    assert np.linalg.norm(gradient) <= 2 * TOLERANCE
    assert weights[0] == pytest.approx(weights[-1], abs=1e-6)


def null_games(seed: int) -> tuple[Shadow, npt.NDArray[np.int64], Iterator[Outputs]]:
    """Shadow data that know nothing of membership, and models under attack on one set of 28 fresh records."""
    rng = np.random.default_rng(seed)
    known, fresh = world(rng, records=100, lift=0.0), world(rng, records=28, lift=0.0)
    shadow = shadow_of(known, rng, pairs=6)
    trained_on = halves(rng, len(shadow.references), 28)
    references = References(fresh.outputs(trained_on, rng), trained_on)

    def one(of: World) -> npt.NDArray[np.float64]:
        return of.outputs(np.zeros((1, len(of.labels)), dtype=bool), rng)[0]

    return shadow, fresh.labels, (outputs_of(one(fresh), references, shadow, one(known)[:40]) for _ in range(MODELS))


@pytest.mark.parametrize("seed", [1, 2, 3])
@pytest.mark.parametrize("attack", attacks().values(), ids=lambda attack: attack.name)
def test_where_there_is_nothing_to_find_nothing_is_found(attack: Attack[Any], seed: int) -> None:
    """Forget and test set change places from model to model, with fresh seeds; the mean of pairs is noise around 0."""
    shadow, labels, games = null_games(seed)
    state = attack.fit(shadow, rng=np.random.default_rng(seed))
    forget = np.arange(28) < 14
    advantages = []
    for swapped, outputs in enumerate(games):
        accepted = attack.score(state, outputs, labels) > 0
        role = forget if swapped % 2 == 0 else ~forget
        advantages.append(accepted[role].mean() - accepted[~role].mean())
    pairs = np.array(advantages).reshape(-1, 2).mean(axis=1)
    error = pairs.std(ddof=1) / math.sqrt(len(pairs))
    assert error < 0.03
    assert abs(pairs.mean()) <= 4 * error + 1e-12


def test_where_there_is_nothing_to_find_the_whole_set_adversary_guesses() -> None:
    right = 0
    for seed in (1, 2, 3):
        shadow, labels, games = null_games(seed)
        state = WHOLE_SET.fit(shadow, rng=np.random.default_rng(seed))
        for swapped, outputs in enumerate(games):
            ratios = WHOLE_SET.log_likelihood_ratios(state, outputs, labels)
            names_first = ratios[:14].sum() > ratios[14:].sum()
            right += int(names_first == (swapped % 2 == 0))
    assert binomtest(right, 3 * MODELS).pvalue > 1e-4


def test_the_whole_set_adversary_finds_what_single_records_hide() -> None:
    """A slight lift: per record the advantage is small, over 28 records the side is named nearly always."""
    rng = np.random.default_rng(5)
    known, fresh = world(rng, records=200, lift=1.5), world(rng, records=60, lift=1.5)
    shadow = shadow_of(known, rng, pairs=40)
    trained_on = halves(rng, len(shadow.references), 60)
    references = References(fresh.outputs(trained_on, rng), trained_on)
    state = WHOLE_SET.fit(shadow, rng=rng)
    right, advantages = 0, []
    for _ in range(100):
        members = np.zeros((1, 60), dtype=bool)
        members[0, rng.choice(60, size=30, replace=False)] = True
        population = known.outputs(np.zeros((1, 200), dtype=bool), rng)[0, :40]
        outputs = outputs_of(fresh.outputs(members, rng)[0], references, shadow, population)
        ratios = WHOLE_SET.log_likelihood_ratios(state, outputs, fresh.labels)
        advantages.append((ratios[members[0]] > 0).mean() - (ratios[~members[0]] > 0).mean())
        right += ratios[members[0]].sum() > ratios[~members[0]].sum()
    assert 0.2 < np.mean(advantages) < 0.6
    assert right >= 97
