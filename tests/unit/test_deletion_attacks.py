"""Adversaries of deletion inference on answers written by hand."""

from __future__ import annotations

import numpy as np
import pytest

from auditor.attacks.deletion import Seen, ShadowModels, adversaries
from auditor.attacks.deletion.answers import MOVE, RISE, Yeom
from auditor.attacks.deletion.reduction import Reduction
from auditor.attacks.deletion.seen import difference
from auditor.base.records import Floats

RNG = np.random.default_rng(0)


def seen(before: Floats, after: Floats, labels: list[int] | list[float], *, population: int = 4) -> Seen:
    """Answers on the first records; the population has the last ones, all answered alike."""
    given = np.array(labels)
    pairs = len(given)
    beside = np.full((pairs, population, *before.shape[1:]), 0.7)
    return Seen(
        before=before,
        after=after,
        labels=given,
        records=np.arange(pairs),
        population_before=beside,
        population_after=beside,
        population_labels=np.zeros((pairs, population), dtype=given.dtype),
        population_records=np.tile(np.arange(4, 4 + population), (pairs, 1)),
    )


def shadows(classes: int = 2, records: int = 24, pairs: int = 3) -> ShadowModels:
    """Models that give members 0.9 and others 0.6 of their class, and each a little more or less."""
    rng = np.random.default_rng(3)
    labels = np.arange(records) % classes
    first = rng.permuted(np.tile(np.arange(records) % 2 == 0, (pairs, 1)), axis=1)
    trained_on = np.stack([first, ~first], axis=1).reshape(2 * pairs, records)
    true = np.where(trained_on, 0.9, 0.6) + 0.02 * rng.standard_normal(trained_on.shape)
    answers = np.repeat(((1 - true) / (classes - 1))[..., None], classes, axis=-1)
    answers[:, np.arange(records), labels] = true
    return ShadowModels(answers, trained_on, labels)


def test_the_rise_in_loss_is_that_of_algorithm_3_2() -> None:
    probabilities = seen(np.array([[0.8, 0.2], [0.5, 0.5]]), np.array([[0.4, 0.6], [0.5, 0.5]]), [0, 1])
    assert RISE.score(None, probabilities).tolist() == pytest.approx([np.log(2), 0.0], abs=1e-15)
    values = seen(np.array([1.0, 4.0]), np.array([2.0, 3.0]), [0.0, 3.0])
    assert RISE.score(None, values).tolist() == [3.0, -1.0]


def test_the_move_is_that_of_algorithm_3_4() -> None:
    probabilities = seen(np.array([[0.8, 0.2], [0.5, 0.5]]), np.array([[0.5, 0.5], [0.5, 0.5]]), [0, 0])
    assert MOVE.score(None, probabilities).tolist() == pytest.approx([0.3, 0.0], abs=1e-15)
    values = seen(np.array([1.0, 4.0]), np.array([2.5, 1.0]), [0.0, 0.0])
    assert MOVE.score(None, values).tolist() == [1.5, 3.0]


def test_a_model_s_last_digits_break_no_tie() -> None:
    one = np.array([1.0, 1e9, 1e-9])
    assert difference(one, one * (1 + 2.0**-50)).tolist() == [0.0, 0.0, 0.0]
    assert np.all(difference(one, one * (1 - 2.0**-40)) > 0)


def test_a_loss_at_the_mean_training_loss_belongs_to_a_member() -> None:
    shadow = ShadowModels(np.array([[1.0, 5.0], [2.0, 1.0]]), np.array([[True, False], [False, True]]), np.zeros(2))
    attack = Reduction("yeom-label", "", "", Yeom(), by="label")
    assert attack.fit(shadow, rng=RNG) == 1.0
    given = seen(np.zeros(3), np.array([1.0, 1.1, 0.5]), [0.0, 0.0, 0.0])
    assert attack.score(1.0, given).tolist() == [0.0, 1.0, 0.0]


def test_algorithm_3_5_takes_the_record_that_is_no_member_for_the_deleted_one() -> None:
    """With b0 = 1 and b1 = 0 the second record was deleted; the paper prints the first case twice."""
    attack = Reduction("yeom-label", "", "", Yeom(), by="label")
    first, second = attack.score(1.0, seen(np.zeros(2), np.array([0.5, 3.0]), [0.0, 0.0]))
    assert second > first


def test_by_confidence_the_loss_of_yeom_orders_as_the_rise_does() -> None:
    given = seen(RNG.normal(size=6), RNG.normal(size=6), [0.0, 1.0, 2.0, 3.0, 4.0, 5.0])
    attack = Reduction("yeom-confidence", "", "", Yeom(), by="confidence")
    assert np.argsort(attack.score(1.0, given)).tolist() == np.argsort(RISE.score(None, given)).tolist()


@pytest.mark.parametrize("knowing", ["example", "instance"])
def test_every_adversary_tells_a_record_that_looks_unseen_from_one_that_does_not(knowing: str) -> None:
    before = np.array([[0.9, 0.1], [0.1, 0.9]])
    after = np.array([[0.6, 0.4], [0.1, 0.9]])
    given, shadow = seen(before, after, [0, 1]), shadows()
    for adversary in adversaries(knowing, classes=True):
        deleted, kept = adversary.score(adversary.fit(shadow, rng=RNG), given)
        assert deleted > kept, adversary.name


@pytest.mark.parametrize("knowing", ["example", "instance"])
@pytest.mark.parametrize("classes", [True, False])
def test_no_adversary_tells_records_apart_whose_answers_did_not_change(knowing: str, classes: bool) -> None:
    answers = np.array([[0.7, 0.3]] * 2) if classes else np.array([0.7, 0.7])
    shadow = shadows() if classes else ShadowModels(RNG.normal(size=(4, 24)), shadows(pairs=2).trained_on, np.zeros(24))
    given = seen(answers, answers, [0, 0] if classes else [0.0, 0.0])
    for adversary in adversaries(knowing, classes=classes):
        deleted, kept = adversary.score(adversary.fit(shadow, rng=RNG), given)
        assert adversary.name.startswith("lira") or deleted == kept, adversary.name


def test_the_named_algorithm_comes_first_and_names_occur_once() -> None:
    for classes in (True, False):
        assert adversaries("example", classes=classes)[0] is RISE
        assert adversaries("instance", classes=classes)[0] is MOVE
    names = [each.name for knowing in ("example", "instance") for each in adversaries(knowing, classes=True)]
    assert len(names) == len(set(names)) + 1  # the move plays in both


def test_instance_adversaries_never_look_at_labels() -> None:
    before, after = np.array([[0.9, 0.1], [0.2, 0.8]]), np.array([[0.6, 0.4], [0.3, 0.7]])
    shadow = shadows()
    other = ShadowModels(shadow.answers, shadow.trained_on, 1 - shadow.labels)
    for adversary in adversaries("instance", classes=True):
        one = adversary.score(adversary.fit(shadow, rng=RNG), seen(before, after, [0, 1]))
        two = adversary.score(adversary.fit(other, rng=RNG), seen(before, after, [1, 0]))
        assert one.tolist() == two.tolist()
