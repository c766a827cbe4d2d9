"""What deletion games draw: sets, records in question, batches, seeds."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

from auditor.base.records import Dataset
from auditor.parts.revealing.observing.deleting.drawing import UnplayableError, draw
from swap_games import records


def drawn(data: Dataset, games: int = 30, **more: object):
    return draw(data, name="test", games=games, seed=1, classes=True, **more)


def test_every_game_has_a_set_of_its_own_and_records_in_question_of_it() -> None:
    found = drawn(records(100, seed=2))
    assert found.kinds == ("one", "several-2", "several-5", "several-10", "several-20")
    for game in found.games:
        assert len(game.trained) == 90
        assert sorted([*game.trained, *game.outside]) == list(range(100))
        assert [len(each) for each in game.deleted] == [1, 2, 5, 10, 20]
        assert len({int(each[0]) for each in game.deleted}) == len({*game.kept.tolist()}) == 1
        for number, (gone, kept) in enumerate(zip(game.deleted, game.kept, strict=True)):
            assert len({*gone.tolist(), int(kept)}) == len(gone) + 1
            assert {*gone.tolist(), int(kept)} <= {*game.trained.tolist()}
            assert game.trained[game.requests(number)[0].forget].tolist() == sorted(gone)
        assert len({game.learn_seed, *game.unlearn_seeds}) == 6
    assert len({game.trained.tobytes() for game in found.games}) == 30


def test_deletions_of_ones_own_are_of_the_records_that_lie_nearest_whichever_of_the_two_goes() -> None:
    data = records(100, seed=2)
    found = drawn(data, own=3, fully=10)
    assert found.kinds[:3] == ("one", "own-before", "own-after")
    rows = (data.features - data.features.mean(axis=0)) / data.features.std(axis=0)
    for number, game in enumerate(found.games):
        assert len(game.deleted) == (7 if number < 10 else 3), "they are tried in every game"
        pair = [int(game.deleted[0][0]), int(game.kept[0])]
        own = sorted(game.deleted[1][1:].tolist())
        others = np.setdiff1d(game.trained, pair)
        apart = np.min([np.linalg.norm(rows[others] - rows[one], axis=1) for one in pair], axis=0)
        assert own == sorted(others[np.argsort(apart)[:3]].tolist())
        first, last = game.requests(1), game.requests(2)
        assert first[-1].gone.tolist() == last[0].gone.tolist() == pair[:1]
        for requests in (first, last):
            assert [len(each.gone) for each in requests] == [1] * 4
            assert sorted(int(each.gone[0]) for each in requests) == sorted([*own, pair[0]])
            for one, after in pairwise(requests):
                assert after.trained.tolist() == sorted({*one.trained.tolist()} - {int(one.gone[0])})
                assert one.trained[one.forget].tolist() == one.gone.tolist()
            assert len({each.seed for each in requests}) == 4


def test_without_deletions_of_ones_own_games_are_as_they_were() -> None:
    data = records(100, seed=2)
    for one, other in zip(drawn(data).games, drawn(data, own=0).games, strict=True):
        assert (one.trained.tolist(), one.unlearn_seeds, one.chains) == (other.trained.tolist(), other.unlearn_seeds, {})


def test_the_first_games_of_a_longer_series_are_those_of_a_short_one() -> None:
    data = records(60, seed=2)
    for one, other in zip(drawn(data, 5).games, drawn(data, 9).games, strict=False):
        assert one.trained.tolist() == other.trained.tolist()
        assert (one.learn_seed, one.unlearn_seeds) == (other.learn_seed, other.unlearn_seeds)


def test_a_record_of_every_class_is_left_without_any_record_in_question() -> None:
    data = records(60, seed=2, classes=5)
    for game in drawn(data, several=(2, 5)).games:
        touched = np.concatenate([*game.deleted, game.kept])
        assert len(np.unique(data.labels[np.setdiff1d(game.trained, touched)])) == 5


def test_deleted_and_kept_records_are_drawn_alike() -> None:
    """A class of few records must not tell which of two was deleted: each of them is as often deleted as kept."""
    data = records(40, seed=2)
    labels = np.zeros(40, dtype=np.int64)
    labels[:3] = 1
    rare = Dataset(data.features, labels, data.ids)
    games = drawn(rare, 3000, several=(2,)).games
    deleted = sum(int(labels[game.deleted[0][0]]) for game in games)
    kept = sum(int(labels[game.kept[0]]) for game in games)
    assert abs(deleted - kept) < 4 * np.sqrt(deleted + kept)


def test_chosen_records_are_among_the_hardest_and_a_coin_deletes_one() -> None:
    data = records(100, seed=2)
    hardest = np.arange(100)[::-1]
    found = drawn(data, 400, several=(), hardest=hardest)
    assert found.kinds == ("one", "chosen")
    pairs = [(int(game.deleted[1][0]), int(game.kept[1])) for game in found.games]
    assert min(min(pair) for pair in pairs) >= 80
    assert 140 < sum(one > other for one, other in pairs) < 260


def test_games_may_try_the_first_deletion_alone() -> None:
    games = drawn(records(100, seed=2), 10, fully=4).games
    assert [len(game.deleted) for game in games] == [5] * 4 + [1] * 6


def test_too_few_records_or_too_few_of_a_class_are_refused() -> None:
    with pytest.raises(UnplayableError) as few:
        drawn(records(19, seed=2))
    assert few.value.cause == "few-records"
    data = records(40, seed=2)
    with pytest.raises(UnplayableError) as single:
        drawn(Dataset(data.features, np.arange(40), data.ids))
    assert single.value.cause == "no-split"
