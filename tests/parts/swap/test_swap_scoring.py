"""Scores of the attacks on outputs made by hand: advantages, areas, sides that are named, couples."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from scipy.stats import rankdata

from auditor.attacks import Outputs, Shadow
from auditor.attacks.whole_set import WholeSet
from auditor.base.records import Dataset, Floats, Positions
from auditor.parts.swap.observing import scoring
from auditor.parts.swap.observing.drawing import Game
from auditor.parts.swap.observing.model_outputs import Sight
from auditor.parts.swap.observing.scoring import Adversaries, Named, areas
from swap_games import Memory, adversaries, codes, play, records, small_game

SCALE = 0.01


@dataclass(frozen=True)
class Reading:
    """An attack that reads the first column: above one half, it was trained on."""

    name: str = "reading"
    title: str = "reading"
    source: str = "here"
    sign: float = 1.0

    def fit(self, shadow: Shadow, *, rng: np.random.Generator) -> None:
        assert len(shadow.labels) > 0

    def score(self, state: None, outputs: Outputs, labels: Positions) -> Floats:
        assert state is None
        assert len(labels) == len(outputs.probabilities)
        return self.sign * (outputs.probabilities[:, 0] - 0.5)


class Summing(WholeSet):
    """Log-likelihood ratios that stand in the first column."""

    def log_likelihood_ratios(self, state: Any, outputs: Outputs, labels: Positions) -> Floats:
        return outputs.probabilities[:, 0] - 0.5


def game_of(weights: Floats | None = None, *, pairs: int = 2, models: int = 1) -> tuple[Dataset, Game]:
    data = records(60, seed=2, weights=weights)
    return data, small_game(data, seed=3, pairs=pairs, models=models, alpha=0.2)


def outputs_of(game: Game, first: npt.ArrayLike, *, models: int = 1) -> Floats:
    """Probabilities (K, 2, models, 2f + z, 2) from first columns (K, 2, models, 2f) or anything that broadcasts to it."""
    half = game.forgotten
    shape = (len(game.pairs), 2, models, 2 * half + len(game.population))
    column = np.full(shape, 0.5)
    column[..., : 2 * half] = first
    return np.stack([column, 1 - column], axis=-1)


def hand(data: Dataset, game: Game, attacks: Mapping[str, Any]) -> Adversaries:
    played = play(game, Memory(data, remembers=1.0))
    return Adversaries(attacks, game, Sight(game, played, codes(data)), seed=11)


def test_advantages_and_areas_that_were_worked_out_by_hand() -> None:
    data, game = game_of()
    assert game.forgotten == 5
    first = np.empty((2, 2, 1, 10))
    # Pair 0: in s, 4 of 5 forgotten and 1 of 5 unseen are accepted; in s', 3 of 5 forgotten and 2 of 5 unseen.
    first[0, 0, 0] = [0.9, 0.8, 0.7, 0.6, 0.1, 0.9, 0.1, 0.2, 0.3, 0.4]
    first[0, 1, 0] = [0.6, 0.7, 0.1, 0.1, 0.1, 0.9, 0.9, 0.9, 0.2, 0.2]
    # Pair 1: nothing is accepted.
    first[1] = 0.2
    found = hand(data, game, {"a": Reading(), "b": Reading(sign=-1.0)}).score(outputs_of(game, first))
    np.testing.assert_allclose(found.advantages, [[(0.6 + 0.2) / 2, 0.0], [-(0.6 + 0.2) / 2, 0.0]], rtol=0, atol=1e-15)
    # s: forgotten 0.9 ties one unseen and beats four; .8, .7, .6 beat four; .1 ties one. s': each .9 beats all five of the
    # unseen; each .2 beats three .1.
    in_s = (4.5 + 4 + 4 + 4 + 0.5) / 25
    swapped = (5 + 5 + 5 + 3 + 3) / 25
    area = ((in_s + swapped) / 2 + 0.5) / 2
    np.testing.assert_allclose(found.areas, [area, 1 - area], rtol=0, atol=1e-15)
    assert not found.identical


def test_a_score_of_exactly_0_accepts_nobody() -> None:
    data, game = game_of()
    first = np.full((2, 2, 1, 10), 0.5)
    first[:, 0, 0, :5] = 0.5 + 1e-9
    found = hand(data, game, {"a": Reading()}).score(outputs_of(game, first))
    np.testing.assert_allclose(found.advantages, [[0.5, 0.5]])


def test_records_weigh_by_their_sensitivity() -> None:
    weights = np.random.default_rng(1).integers(0, 4, 60).astype(np.float64)
    data, game = game_of(weights, pairs=3)
    accepted = np.random.default_rng(2).random((3, 2, 1, 10)) < 0.5
    found = hand(data, game, {"a": Reading()}).score(outputs_of(game, np.where(accepted, 0.8, 0.2)))
    for number, pair in enumerate(game.pairs):
        by_hand = 0.0
        for side in range(2):
            yes = dict(zip([*pair.first.tolist(), *pair.second.tolist()], accepted[number, side, 0].tolist(), strict=True))
            forget, unseen = (records_.tolist() for records_ in pair.sides()[side])
            shares = [sum(weights[i] * yes[i] for i in ids) / sum(weights[i] for i in ids) for ids in (forget, unseen)]
            by_hand += (shares[0] - shares[1]) / 2
        assert found.advantages[0, number] == pytest.approx(by_hand, abs=1e-14)


def test_several_models_of_a_side_are_averaged() -> None:
    data, game = game_of(pairs=1, models=2)
    first = np.full((1, 2, 2, 10), 0.2)
    first[0, 0, 0, :5] = 0.9  # one of the two models of s gives all away
    found = hand(data, game, {"a": Reading()}).score(outputs_of(game, first, models=2))
    np.testing.assert_allclose(found.advantages, [[0.25]])
    np.testing.assert_allclose(found.areas, [(1 + 3 * 0.5) / 4])


def test_no_number_of_models_carries_a_mean_out_of_its_range() -> None:
    """Nine times two eighteenths sum to more than 1 in floating point."""
    assert sum([1 / 18] * 18) > 1
    data, game = game_of(pairs=1, models=9)
    sides = np.array([[0.9] * 5 + [0.2] * 5, [0.2] * 5 + [0.9] * 5])
    found = hand(data, game, {"a": Reading(), "b": Reading(sign=-1.0)}).score(outputs_of(game, sides[:, None], models=9))
    assert found.advantages.tolist() == [[1.0], [-1.0]]
    every = hand(data, game, {"a": Reading()}).score(outputs_of(game, 0.9, models=9))
    assert every.accepted.tolist() == [[1.0]]


def test_equal_models_on_both_sides_cancel_to_the_last_bit() -> None:
    weights = np.random.default_rng(1).random(120)
    data = records(120, seed=2, weights=weights)
    game = small_game(data, seed=3, pairs=4, models=3)
    played = play(game, Memory(data, remembers=2.0))
    found = adversaries(data, game, played, seed=1).score(np.stack([played.learned[:, 0]] * 2, axis=1))
    assert found.identical
    assert not found.advantages.any()
    np.testing.assert_allclose(found.areas, 0.5, rtol=0, atol=1e-15)


def test_one_bit_in_one_model_is_seen() -> None:
    data, game = game_of()
    equal = outputs_of(game, 0.4)
    other = equal.copy()
    other[1, 1, 0, -1, 0] = np.nextafter(other[1, 1, 0, -1, 0], 1)
    attacking = hand(data, game, {"a": Reading()})
    assert attacking.score(equal).identical
    assert not attacking.score(other).identical


def test_progress_is_told_pair_by_pair() -> None:
    data, game = game_of()
    calls: list[int] = []
    hand(data, game, {"a": Reading()}).score(outputs_of(game, 0.4), on_pair=lambda: calls.append(1))
    assert len(calls) == 2


@pytest.fixture
def summing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(scoring, "WHOLE_SET", Summing())


@pytest.mark.usefixtures("summing")
def test_the_larger_mean_names_the_side() -> None:
    data, game = game_of()
    first = np.full((2, 2, 1, 10), 0.5)
    first[:, 0, 0, 0] += SCALE  # s: a forgotten record stands out, which is right
    first[0, 1, 0, 0] += SCALE  # s' of pair 0: an unseen record stands out, which is wrong
    first[1, 1, 0, 7] += SCALE  # s' of pair 1: a forgotten one
    assert hand(data, game, {}).name_sides(outputs_of(game, first), kind="procedure") == Named(3, 4, 0)


@pytest.mark.usefixtures("summing")
def test_weights_decide_which_mean_is_larger() -> None:
    data, game = game_of(np.ones(60), pairs=1)
    heavy = np.ones(60)
    heavy[game.pairs[0].second[0]] = 100.0
    first = np.full((1, 2, 1, 10), 0.5)
    first[0, :, 0, 5] += 2 * SCALE  # one record of `second`, which is forgotten in s'
    first[0, 0, 0, :5] += SCALE  # and in s all that is forgotten, a little
    assert hand(data, game, {}).name_sides(outputs_of(game, first), kind="procedure") == Named(2, 2, 0)
    weighed = hand(data, replace(game, weights=heavy), {})
    assert weighed.name_sides(outputs_of(game, first), kind="procedure") == Named(1, 2, 0)


@pytest.mark.usefixtures("summing")
def test_a_fair_coin_breaks_ties() -> None:
    data, game = game_of(pairs=400)
    attacking = hand(data, game, {})
    named = attacking.name_sides(outputs_of(game, 0.5), kind="procedure")
    assert (named.models, named.ties) == (800, 800)
    assert 330 < named.right < 470
    assert attacking.name_sides(outputs_of(game, 0.5), kind="procedure") == named
    assert attacking.name_sides(outputs_of(game, 0.5), kind="fresh").right != named.right


@pytest.mark.usefixtures("summing")
def test_couples_of_the_very_first_model_are_guessed() -> None:
    data, game = game_of()
    first = np.full((2, 2, 1, 10), 0.9)  # every other model would make every couple a tie
    first[0, 0, 0] = [0.6, 0.6, 0.6, 0.4, 0.4, 0.5, 0.5, 0.5, 0.5, 0.5]
    found = hand(data, game, {}).guess_members(outputs_of(game, first))
    assert (found.guesses, found.right) == (5, 3)
    first[0, 0, 0, 4] = 0.5
    found = hand(data, game, {}).guess_members(outputs_of(game, first))
    assert (found.guesses, found.right) == (4, 3)


@pytest.mark.usefixtures("summing")
def test_couples_are_drawn_at_random() -> None:
    """Forgotten and unseen records stand in ascending order of the table: coupling them so would leave no fair coin."""
    data, game = game_of()
    first = np.full((2, 2, 1, 10), 0.5)
    first[0, 0, 0] = np.tile(np.linspace(0.2, 0.8, 5), 2)  # ties, if the i-th were coupled with the i-th
    guesses = set()
    for seed in range(6):
        played = play(game, Memory(data, remembers=1.0))
        attacking = Adversaries({}, game, Sight(game, played, codes(data)), seed=seed)
        guesses.add(attacking.guess_members(outputs_of(game, first)).guesses)
    assert max(guesses) > 0
    assert len(guesses) > 1


def test_areas_are_those_of_midranks_to_the_last_bit() -> None:
    rng = np.random.default_rng(3)
    scores = np.round(rng.normal(size=(6, 37)), 1)
    scores[0] = 0.0
    scores[1, ::5] = np.inf
    ranks = rankdata(scores, axis=1)[:, :15].sum(axis=1)
    assert np.array_equal(areas(scores[:, :15], scores[:, 15:]), (ranks - 15 * 16 / 2) / (15 * 22))
