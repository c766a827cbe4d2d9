"""Adversaries of deletion inference on models that know nothing: they guess, whatever they look at, and the interval covers."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from auditor.attacks.deletion import Knowing, adversaries
from auditor.base.records import Floats
from auditor.maths.statistics import clopper_pearson
from auditor.parts.revealing.judging.inference.judging import OWN
from auditor.parts.revealing.judging.inference.observed import Observed, Tally
from auditor.parts.revealing.observing.deleting.drawing import Answers, Drawn
from auditor.parts.revealing.observing.deleting.inference import Played, Table, tallies
from deletion_tables import answers, by_turns, null, table, unchanged

GAMES = 600


def counted(given: Table, knowing: Knowing, *, seed: int = 3) -> list[Tally]:
    return list(tallies(given, knowing, seed=seed))


@pytest.mark.parametrize("knowing", ["example", "instance"])
def test_nobody_wins_more_than_half_against_models_that_know_nothing(knowing: Knowing) -> None:
    found = counted(table(null, games=GAMES, seed=1), knowing)
    names = {each.name for each in adversaries(knowing, classes=True)}
    assert {each.attack for each in found if each.variant == "two"} == names
    assert {each.view for each in found} == {"scores", "rounded", "labels"}
    assert {each.variant for each in found} == {"two", "one", "hidden", "chosen", "several-2"}
    for each in found:
        interval = clopper_pearson(each.right, each.games, confidence=1 - 1e-5)
        assert interval.low <= 0.5 <= interval.high, each


@pytest.mark.parametrize("knowing", ["example", "instance"])
def test_nobody_wins_more_than_half_with_deletions_of_ones_own_against_models_that_know_nothing(knowing: Knowing) -> None:
    for answering in (null, unchanged):
        found = counted(table(answering, games=200, seed=11, own=3), knowing)
        own = [each for each in found if each.variant in OWN]
        assert {each.attack for each in own if each.variant == "own-after"} == {
            each.name for each in adversaries(knowing, classes=True)
        }
        assert len(own) == 2 * len(adversaries(knowing, classes=True))
        for each in own:
            interval = clopper_pearson(each.right, each.games, confidence=1 - 1e-5)
            assert interval.low <= 0.5 <= interval.high, each


Shift = Callable[[int, int], tuple[float, float]]


def _noise_that_runs_out(turn: int, since: int) -> tuple[float, float]:
    """Noise for the first request alone."""
    return (3.0 if turn == 0 else 0.01), (1.0 if since >= 0 else 0.0)


def _postponed(_turn: int, since: int) -> tuple[float, float]:
    """The next request brings what one asked for."""
    return 0.3, (1.0 if since >= 1 else 0.0)


def _noise_again_each_time(_turn: int, since: int) -> tuple[float, float]:
    """Each release hides the record by noise of its own, and ten of them together hide it less."""
    return 1.0, (1.0 if since >= 0 else 0.0)


@pytest.mark.parametrize(
    ("shift", "own", "variant"),
    [
        (_noise_that_runs_out, 2, "own-before"),
        (_postponed, 2, "own-after"),
        (_noise_again_each_time, 9, "own-after"),
    ],
)
def test_what_one_deletion_hides_and_several_show_is_found(shift: Shift, own: int, variant: str) -> None:
    """By a procedure that keeps within 65 of 100 in the standard game, or shows nothing there."""
    given = table(lambda game, rng: by_turns(game, rng, shift), games=200, seed=12, own=own)
    found = {(each.attack, each.variant): each.right / each.games for each in counted(given, "instance") if each.view == "scores"}
    assert found["move", "two"] < 0.65
    assert found["move", variant] > found["move", "two"] + 0.1


def test_the_interval_covers_as_often_as_it_says() -> None:
    """Over many audits of models that know nothing, the named algorithm's 90 % interval misses one half in about one in ten."""
    whole, missed, size = table(null, games=2400, seed=7, size=24), 0, 40
    for start in range(0, 2400, size):
        part = slice(start, start + size)
        games = Played(Drawn(whole.games.drawn.games[part], whole.games.drawn.kinds), whole.games.answers[part])
        rise = next(tallies(replace(whole, games=games), "example", seed=start))
        interval = clopper_pearson(rise.right, rise.games, confidence=0.9)
        missed += not interval.low <= 0.5 <= interval.high
    assert missed <= 14  # six are expected at most; more than 14 of 60 would happen once in a thousand times


@pytest.mark.parametrize("knowing", ["example", "instance"])
def test_a_procedure_that_does_nothing_leaves_ties_and_half_of_them_won(knowing: Knowing) -> None:
    found = counted(table(unchanged, games=GAMES, seed=2), knowing)
    named = adversaries(knowing, classes=True)[0].name
    for each in found:
        if each.attack == named and each.variant != "one":
            assert (each.wins, each.ties) == (0, GAMES)
        interval = clopper_pearson(each.right, each.games, confidence=1 - 1e-5)
        assert interval.low <= 0.5 <= interval.high, each


@pytest.mark.parametrize("knowing", ["example", "instance"])
def test_a_record_that_moves_more_is_found(knowing: Knowing) -> None:
    given = table(lambda game, rng: answers(game, rng, moved=0.05, deleted=1.0), games=100, seed=4)
    named = adversaries(knowing, classes=True)[0].name
    found = {(each.attack, each.variant, each.view): each.right / each.games for each in counted(given, knowing)}
    if knowing == "instance":
        assert found[named, "two", "scores"] > 0.9
        assert found[named, "one", "scores"] > 0.8


def test_counts_are_the_same_for_the_same_seed() -> None:
    given = table(null, games=30, seed=5)
    assert counted(given, "example") == counted(given, "example")
    assert [each.ties_won for each in counted(given, "example", seed=8)] != [each.ties_won for each in counted(given, "example")]


@settings(max_examples=25, deadline=None)
@given(seed=st.integers(0, 10**6), games=st.integers(1, 12))
def test_every_count_is_one_that_the_check_takes(seed: int, games: int) -> None:
    found = counted(table(null, games=games, seed=seed, size=40), "instance")
    assert Observed(games=games, trained=36, shadow_models=6, tallies=tuple(found)).tallies == tuple(found)
    assert all(each.right <= each.games for each in found)
    assert np.isfinite([each.right for each in found]).all()


def test_answers_beyond_what_can_be_squared_lose_no_game() -> None:
    """What has no number would count as lost, and a procedure could lose half of its adversary's games for it."""
    given = table(null, games=40, seed=6)
    labels = np.linspace(-1.0, 1.0, len(given.labels))
    rng = np.random.default_rng(0)

    def wild(played: Played) -> Played:
        def one(shape: tuple[int, ...]) -> Floats:
            return rng.choice([-1e308, 0.0, 1e308], shape)

        found = [
            Answers(one(each.before.shape[:1]), tuple(one(after.shape[:1]) for after in each.after)) for each in played.answers
        ]
        return replace(played, answers=found)

    shadow = replace(given.shadow, answers=rng.choice([0.0, 1e140], given.shadow.trained_on.shape), labels=labels)
    regression = Table(labels, wild(given.games), wild(given.shadow_games), shadow)
    for knowing in ("example", "instance"):
        for each in counted(regression, knowing):
            if each.variant == "two":
                interval = clopper_pearson(each.right, each.games, confidence=1 - 1e-5)
                assert interval.low <= 0.5 <= interval.high, each
