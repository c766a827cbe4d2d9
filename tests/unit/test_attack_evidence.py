"""What the attacks read from one output, against exact arithmetic."""

from __future__ import annotations

import mpmath
import numpy as np
import pytest
from mpmath import log, mpf

from attack_examples import one_game
from auditor.attacks import Outputs, attacks
from auditor.attacks.probabilities import LEAST_PROBABILITY, clipped_logits, losses, of_other_classes, of_true_class
from auditor.attacks.threshold_attacks import negative_entropy, negative_modified_entropy

ROWS = [[0.7, 0.2, 0.1], [0.05, 0.05, 0.9], [0.25, 0.5, 0.25]]
LABELS = np.array([0, 1, 2])


def exact(formula: str) -> list[float]:
    values = []
    with mpmath.workdps(40):
        for row, label in zip(ROWS, LABELS, strict=True):
            p = [mpf(repr(value)) for value in row]
            y = p[label]
            others = [p[i] for i in range(3) if i != label]
            match formula:
                case "entropy":
                    value = -sum(each * log(each) for each in p)
                case "modified entropy":
                    value = -(1 - y) * log(y) - sum(each * log(1 - each) for each in others)
                case "loss":
                    value = -log(y)
                case _:
                    value = log(y) - log(1 - y)
            values.append(float(value))
    return values


@pytest.mark.parametrize(
    ("formula", "found"),
    [
        ("entropy", lambda p, y: -negative_entropy(p, y)),
        ("modified entropy", lambda p, y: -negative_modified_entropy(p, y)),
        ("loss", losses),
        ("logit", clipped_logits),
    ],
)
def test_formulas_agree_with_exact_arithmetic(formula: str, found: object) -> None:
    probabilities = np.array(ROWS)
    assert found(probabilities, LABELS) == pytest.approx(exact(formula), rel=1e-12)
    stacked = found(np.stack([probabilities, probabilities[:, ::-1]]), LABELS)
    assert stacked.shape == (2, 3)
    assert stacked[0] == pytest.approx(exact(formula), rel=1e-12)


def test_modified_entropy_tells_a_sure_mistake_from_a_sure_success() -> None:
    """Entropy is 0 for both; modified entropy is 0 for the success alone (Song and Mittal 2021)."""
    probabilities = np.array([[1.0, 0.0], [0.0, 1.0]])
    labels = np.array([0, 0])
    assert negative_entropy(probabilities, labels).tolist() == [0, 0]
    success, mistake = negative_modified_entropy(probabilities, labels)
    assert success == 0
    assert mistake == pytest.approx(2 * np.log(LEAST_PROBABILITY), rel=1e-12)


def test_small_probabilities_of_other_classes_are_kept() -> None:
    probabilities = np.array([[1.0, 3e-10, 1e-10]])
    label = np.array([0])
    assert of_true_class(probabilities, label) == [1.0]
    assert of_other_classes(probabilities, label) == pytest.approx([4e-10], rel=1e-12)
    assert clipped_logits(probabilities, label) == pytest.approx([-np.log(4e-10)], rel=1e-12)


def test_the_clip_never_reverses_an_order_and_bounds_logits() -> None:
    tiny = np.array([0.0, 1e-300, LEAST_PROBABILITY / 2, LEAST_PROBABILITY, 1e-9])
    logits = clipped_logits(np.stack([tiny, 1 - tiny], axis=-1), np.zeros(5, dtype=np.int64))
    assert logits[0] == logits[1] <= logits[2] <= logits[3] < logits[4]
    assert logits[:4] == pytest.approx(np.full(4, np.log(LEAST_PROBABILITY)), rel=1e-11)
    clipped = losses(np.stack([tiny, 1 - tiny], axis=-1), np.zeros(5, dtype=np.int64))
    assert clipped[0] == clipped[1] == clipped[2] == clipped[3] > clipped[4]


def test_correctness_takes_the_lowest_code_of_equals() -> None:
    _, outputs, _, _ = one_game(0)
    seen = Outputs(
        np.array([[0.4, 0.4, 0.2], [0.4, 0.4, 0.2], [0.2, 0.4, 0.4], [0.1, 0.2, 0.7]]),
        outputs.references,
        outputs.population_probabilities,
        outputs.population_labels,
        outputs.population_references,
    )
    attack = attacks()["correctness"]
    state = attack.fit(one_game(0)[0], rng=np.random.default_rng(0))
    assert attack.score(state, seen, np.array([0, 1, 2, 2])).tolist() == [1, -1, -1, 1]


def test_only_loss_has_one_threshold_for_all_classes() -> None:
    shadow, *_ = one_game(1, records=200)
    for name in ("confidence", "entropy", "modified-entropy", "loss"):
        state = attacks()[name].fit(shadow, rng=np.random.default_rng(0))
        assert (len(set(state.of_class)) == 1) == (name == "loss")
