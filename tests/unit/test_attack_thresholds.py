"""Thresholds: midway, best on shadow data, closed where nothing is to be gained."""

from __future__ import annotations

import math

import numpy as np
import pytest

from attack_examples import one_game
from auditor.attacks import Outputs, References, Shadow
from auditor.attacks.probabilities import of_true_class
from auditor.attacks.thresholds import LEAST_RECORDS, ThresholdAttack, Thresholds, best_threshold, for_turns, per_class

M, N = True, False


@pytest.mark.parametrize(
    ("evidence", "members", "threshold"),
    [
        ([0.875, 0.75, 0.5, 0.25], [M, M, N, N], 0.625),
        ([0.25, 0.875, 0.5, 0.75], [N, M, N, M], 0.625),
        ([4.0, 3.0, 2.0, 1.0], [M, N, M, N], 3.5),  # 3.5 and 1.5 gain one half each: the higher one
        ([4.0, 3.0, 2.0, 1.0], [N, M, M, N], 1.5),
        ([3.0, 3.0, 3.0, 1.0], [M, M, N, N], 2.0),
        ([-5.0, -7.0], [M, N], -6.0),
        ([2.0, 1.0], [N, M], math.inf),
        ([1.0, 1.0, 1.0], [M, N, M], math.inf),
        ([2.0, 2.0, 1.0, 1.0], [M, N, M, N], math.inf),
        ([2.0, 1.0], [M, M], math.inf),
        ([2.0, 1.0], [N, N], math.inf),
        ([1.0], [M], math.inf),
    ],
)
def test_the_best_threshold_lies_midway(evidence: list[float], members: list[bool], threshold: float) -> None:
    assert best_threshold(np.array(evidence), np.array(members)) == threshold


def test_values_that_differ_by_rounding_alone_are_not_parted() -> None:
    value = 0.1 + 0.2
    assert best_threshold(np.array([value, 0.3]), np.array([M, N])) == math.inf
    assert best_threshold(np.array([1e6 * value, 3e5]), np.array([M, N])) == math.inf
    assert best_threshold(np.array([value, 0.3, 0.1]), np.array([M, N, N])) == pytest.approx(0.2, rel=1e-12)


def test_a_class_with_few_records_takes_the_threshold_of_all() -> None:
    many, few = LEAST_RECORDS, LEAST_RECORDS - 1
    labels = np.array([0] * many + [1] * few)
    members = np.tile(np.arange(many + few) % 2 == 0, (2, 1))
    members[1] = ~members[1]
    evidence = np.where(members, 3.0, 1.0) + np.where(labels == 1, 10.0, 0.0)
    fitted = per_class(evidence, members, labels, 3)
    # Over all, 2 parts the ten of class 0, with all of class 1 above; 12 would part the nine of class 1 alone.
    assert fitted.of_class.tolist() == [2.0, 2.0, 2.0]
    with_one_more = per_class(np.c_[evidence, [[13.0], [11.0]]], np.c_[members, [[M], [N]]], np.append(labels, 1), 3)
    assert with_one_more.of_class[:2].tolist() == [2.0, 12.0]


def test_a_class_without_a_threshold_accepts_nobody() -> None:
    margins = Thresholds(np.array([0.25, math.inf])).margins(np.array([0.5, 1e9, 0.25, -4.0]), np.array([0, 1, 0, 1]))
    assert margins.tolist() == [0.25, -1.0, 0.0, -1.0]


def test_a_threshold_attack_by_hand() -> None:
    """Members have 0.9 or 0.8, the others 0.6: the threshold is 0.7 in either class."""
    labels = np.array([0, 1] * LEAST_RECORDS)
    trained_on = np.tile(np.arange(len(labels)) % 4 < 2, (4, 1))
    trained_on[1::2] = ~trained_on[1::2]
    true = np.where(trained_on, np.where(labels == 0, 0.9, 0.8), 0.6)
    probabilities = np.stack([np.where(labels == 0, true, 1 - true), np.where(labels == 0, 1 - true, true)], axis=-1)
    shadow = Shadow(labels, References(probabilities, trained_on))
    attack = ThresholdAttack("toy", "toy", "nobody", "0.2.0", of_true_class)
    state = attack.fit(shadow, rng=np.random.default_rng(0))
    assert state.of_class == pytest.approx([0.75, 0.7], rel=1e-12)
    _, outputs, _, _ = one_game(0, classes=2)
    seen = Outputs(
        np.array([[0.76, 0.24], [0.74, 0.26], [0.29, 0.71], [0.31, 0.69]]),
        outputs.references,
        outputs.population_probabilities,
        outputs.population_labels,
        outputs.population_references,
    )
    assert attack.score(state, seen, np.array([0, 0, 1, 1])) == pytest.approx([0.01, -0.01, 0.01, -0.01], abs=1e-12)
    overall = ThresholdAttack("toy", "toy", "nobody", "0.2.0", of_true_class, by_class=False)
    assert overall.fit(shadow, rng=np.random.default_rng(0)).of_class == pytest.approx([0.7, 0.7], rel=1e-12)


def test_a_threshold_over_turns_sees_every_turn_once() -> None:
    shadow, *_ = one_game(1)
    seen: list[Outputs] = []

    def evidence(outputs: Outputs, labels: np.ndarray) -> np.ndarray:
        seen.append(outputs)
        return of_true_class(outputs.probabilities, labels)

    fitted = for_turns(shadow, evidence)
    assert len(seen) == len(shadow.references)
    expected = best_threshold(
        of_true_class(shadow.references.probabilities, shadow.labels).ravel(), shadow.references.trained_on.ravel()
    )
    assert fitted.of_class.tolist() == [expected] * 3
