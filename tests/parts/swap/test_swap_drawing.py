"""What the SWAP test draws: sizes, disjoint sets, classes in every training set, seeds, complementary halves."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import binom

from auditor.base.records import Dataset, joined
from auditor.parts.swap.judging.game import LEAST_FORGOTTEN, sizes
from auditor.parts.swap.observing.drawing import MOST_POPULATION, UnplayableError, draw
from swap_games import records, small_game


@pytest.mark.parametrize(
    ("count", "alpha", "expected"),
    [(100, 0.1, (82, 9)), (898, 0.1, (734, 82)), (12, 5 / 7, (2, 5)), (50, 0.5, (16, 17)), (1197, 1 / 7, (897, 150))],
)
def test_sizes_give_the_share_that_is_asked_for(count: int, alpha: float, expected: tuple[int, int]) -> None:
    retained, forgotten = sizes(count, alpha)
    assert (retained, forgotten) == expected
    assert retained + 2 * forgotten == count
    for other in (forgotten - 1, forgotten + 1):
        kept = count - 2 * other
        assert abs(forgotten / (retained + forgotten) - alpha) <= abs(other / (kept + other) - alpha) + 1e-12


@pytest.mark.parametrize(("count", "classes"), [(120, 2), (121, 3), (423, 5)])
def test_halves_and_pairs_are_splits(count: int, classes: int) -> None:
    data = records(count, seed=1, classes=classes)
    game = small_game(data, seed=5, pairs=12, models=2)
    reserve = joined(game.reserve).tolist()
    assert sorted([*game.target.tolist(), *game.shadow.tolist(), *reserve]) == list(range(count))
    assert len(game.target) == count // 2
    assert np.array_equal(game.population, game.shadow[:MOST_POPULATION])
    for pair in game.pairs:
        assert len(pair.first) == len(pair.second) == game.forgotten
        whole = np.concatenate([pair.retained, pair.first, pair.second])
        assert np.array_equal(np.sort(whole), game.target)
        assert len(pair.batches[0]) == len(pair.batches[1]) == 1  # of a procedure of ours
        for side, kept in enumerate(pair.sides()):
            assert np.array_equal(np.sort(joined(pair.batches[side])), kept[0])
            decoys = joined(pair.decoys[side])
            assert np.isin(decoys, pair.retained).all()
            assert len(np.unique(decoys)) == len(decoys) == pair.forgotten
        assert pair.sides() == ((pair.first, pair.second), (pair.second, pair.first))
        for side, (forget, unseen) in enumerate(pair.sides()):
            trained = pair.trained(side)
            assert np.array_equal(trained, np.setdiff1d(game.target, unseen))
            assert np.isin(forget, trained).all()
        for positions in (pair.retained, pair.trained(0), pair.trained(1)):
            assert np.all(np.diff(positions) > 0)
            assert len(np.unique(data.labels[positions])) == classes
        seeds = np.concatenate([pair.learn_seeds, pair.unlearn_seeds, pair.control_seeds])
        assert seeds.shape == (6, 2)
        assert len(np.unique(seeds)) == 12
        assert seeds.min() >= 0
        assert seeds.max() < 2**31
    assert len({pair.first.tobytes() for pair in game.pairs}) == 12
    every = np.concatenate([pair.learn_seeds.ravel() for pair in game.pairs])
    assert len(np.unique(every)) == 12 * 2 * 2


def test_reference_models_come_in_complementary_halves_of_both_halves() -> None:
    data = records(121, seed=2, classes=3)
    game = small_game(data, seed=6, pairs=1, reference_pairs=9)
    assert game.references.shape == (18, 121)
    assert np.array_equal(game.references[::2], ~game.references[1::2])
    assert len(np.unique(game.reference_seeds)) == 36
    reserve = joined(game.reserve)
    for number, members in enumerate(game.references):
        kept, trained = game.reference_kept(number), game.reference_trained(number)
        assert not np.isin(reserve, kept).any()
        assert np.array_equal(np.setdiff1d(trained, kept), np.sort(reserve))
        assert len(np.unique(data.labels[kept])) == 3
        assert len(np.unique(data.labels[members])) == 3
        for half in (game.target, game.shadow):
            assert abs(int(members[half].sum()) - len(half) / 2) <= 1
    assert len({members.tobytes() for members in game.references}) == 18


def test_forgotten_and_unseen_records_are_drawn_alike() -> None:
    data = records(60, seed=3)
    game = small_game(data, seed=7, pairs=2000)
    drawn = np.zeros((2, 60), dtype=int)
    for pair in game.pairs:
        drawn[0, pair.first] += 1
        drawn[1, pair.second] += 1
    share = game.forgotten / len(game.target)
    low, high = binom.ppf([1e-6, 1 - 1e-6], 2000, share)
    # No class is so rare that R must keep some of it.
    assert np.bincount(data.labels[game.target]).min() > 2 * game.forgotten
    assert np.all((drawn[:, game.target] >= low) & (drawn[:, game.target] <= high))
    assert np.all(drawn[:, game.shadow] == 0)


def test_the_first_pairs_of_a_longer_game_are_those_of_a_shorter_one() -> None:
    data = records(120, seed=4)
    short, long = small_game(data, seed=8, pairs=3), small_game(data, seed=8, pairs=11, reference_pairs=5)
    for one, two in zip(short.pairs, long.pairs[:3], strict=True):
        for name in ("retained", "first", "second", "learn_seeds", "unlearn_seeds", "control_seeds"):
            assert np.array_equal(getattr(one, name), getattr(two, name))
    assert np.array_equal(short.target, long.target)
    assert np.array_equal(short.shadow, long.shadow)
    assert np.array_equal(short.references, long.references[: len(short.references)])


def test_other_seeds_draw_other_games() -> None:
    data = records(120, seed=4)
    one, two = small_game(data, seed=8, pairs=1), small_game(data, seed=9, pairs=1)
    assert not np.array_equal(one.target, two.target)
    assert not np.array_equal(one.reference_seeds, two.reference_seeds)


def test_too_few_records_to_forget_are_named() -> None:
    with pytest.raises(UnplayableError, match="few-to-forget"):
        draw(records(80, seed=0), pairs=2, models=1, alpha=0.1, reference_pairs=2, seed=0)
    assert draw(records(100, seed=0), pairs=2, models=1, alpha=0.1, reference_pairs=2, seed=0).forgotten == LEAST_FORGOTTEN


def test_a_class_of_one_record_cannot_be_in_every_training_set() -> None:
    data = records(120, seed=0)
    labels = data.labels.copy()
    labels[17] = 2
    with pytest.raises(UnplayableError, match="no-split"):
        small_game(Dataset(data.features, labels, data.ids), seed=1)


def test_weights_that_leave_one_side_nothing_cannot_be_played() -> None:
    weights = np.zeros(120)
    weights[5] = 1.0
    with pytest.raises(UnplayableError, match="no-split"):
        small_game(records(120, seed=0, weights=weights), seed=1)


def test_every_side_of_every_pair_has_some_weight() -> None:
    weights = np.zeros(120)
    weights[::6] = 1.0
    game = small_game(records(120, seed=0, weights=weights), seed=1, pairs=30)
    assert np.array_equal(game.weights, weights)
    assert all(weights[side].any() for pair in game.pairs for side in (pair.first, pair.second))
