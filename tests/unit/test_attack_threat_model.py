"""What an adversary sees: complementary pairs, and turns in which nothing tells a model's own half."""

from __future__ import annotations

import numpy as np
import pytest

from attack_examples import halves, shadow_of, world
from auditor.attacks import References, Shadow
from auditor.attacks.threat_model import MOST_POPULATION


def numbered(models: int, records: int, trained_on: np.ndarray) -> References:
    """Each output names its model and record."""
    names = 1000.0 * np.arange(models)[:, None] + np.arange(records)
    return References(np.stack([names, -names], axis=-1), trained_on)


def test_models_that_are_no_complementary_pairs_are_refused() -> None:
    both = np.ones((2, 3), dtype=bool)
    with pytest.raises(ValueError, match="complementary halves"):
        References(np.zeros((2, 3, 2)), both)
    with pytest.raises(ValueError, match="complementary halves"):
        References(np.zeros((1, 3, 2)), both[:1])
    with pytest.raises(ValueError, match=r"found \(2, 4, 2\) and \(2, 3\)"):
        References(np.zeros((2, 4, 2)), both)
    with pytest.raises(ValueError, match="probabilities"):
        References(np.zeros((2, 3)), both)


def test_values_are_parted_by_who_saw_the_record() -> None:
    trained_on = np.array([[True, False], [False, True], [False, False], [True, True]])
    references = numbered(4, 2, trained_on)
    inside, outside = references.parted(references.probabilities[..., 0])
    assert inside.tolist() == [[0, 1001], [3000, 3001]]
    assert outside.tolist() == [[1000, 1], [2000, 2001]]
    assert len(references) == 4


def test_each_turn_leaves_out_the_model_and_its_complement() -> None:
    trained_on = halves(np.random.default_rng(0), 6, 7)
    labels = np.arange(7) % 2
    turns = list(Shadow(labels, numbered(6, 7, trained_on)).turns())
    assert len(turns) == 6
    for model, turn in enumerate(turns):
        others = [each for each in range(6) if each // 2 != model // 2]
        assert np.array_equal(turn.members, trained_on[model])
        assert np.array_equal(turn.labels, labels)
        assert np.array_equal(turn.outputs.probabilities[:, 0], 1000.0 * model + np.arange(7))
        assert np.array_equal(turn.outputs.references.probabilities[:, 0, 0], 1000.0 * np.array(others))
        assert np.array_equal(turn.outputs.references.trained_on, trained_on[others])
        population = np.flatnonzero(~trained_on[model])
        assert np.array_equal(turn.outputs.population_probabilities[:, 0], 1000.0 * model + population)
        assert np.array_equal(turn.outputs.population_labels, labels[population])
        expected = 1000.0 * np.array(others)[:, None] + population
        assert np.array_equal(turn.outputs.population_references.probabilities[..., 0], expected)
        assert np.array_equal(turn.outputs.population_references.trained_on, trained_on[others][:, population])


def test_the_population_is_bounded_and_comes_in_order() -> None:
    rng = np.random.default_rng(1)
    shadow = shadow_of(world(rng, records=3 * MOST_POPULATION), rng, pairs=2)
    for model, turn in enumerate(shadow.turns()):
        unseen = np.flatnonzero(~shadow.references.trained_on[model])[:MOST_POPULATION]
        assert len(unseen) == MOST_POPULATION
        assert np.array_equal(turn.outputs.population_probabilities, shadow.references.probabilities[model, unseen])


def test_one_pair_has_no_turn() -> None:
    rng = np.random.default_rng(2)
    with pytest.raises(ValueError, match="at least 2 complementary pairs of shadow models are needed, found 1"):
        shadow_of(world(rng), rng, pairs=1).turns()
