"""The game of a requester in the sandbox: what is played, what is released, and what is no move."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from auditor.base.errors import ProcedureError
from auditor.base.records import Dataset
from auditor.sandbox import Guess, Limits, Play, ProcedureSpec, Worker
from levels import forking

EXAMPLES = Path(__file__).with_name("requester_examples.py")
FEATURES = np.array([[1.0, 0.0], [2.0, 0.0], [-4.0, 0.0], [8.0, 0.0], [-16.0, 0.0], [32.0, 0.0]])
TRAIN = Dataset(FEATURES, np.array([0, 1, 0, 1, 0, 1]), np.array([f"r{i}" for i in range(6)]))


def answer(requester, step, *, procedure="Sums", train=TRAIN, limits=None, **settings):
    name = requester if requester.islower() else f"{EXAMPLES}:{requester}"
    spec = ProcedureSpec(None, f"{EXAMPLES}:{procedure}", settings, requester=name)
    with Worker(spec, {"train": train}, limits=limits, level=forking()) as worker:
        return worker.run(step)


def played(requester, *, worlds=(0, 1), rounds=2, seen=1, longest=None, **where):
    games = range(len(worlds))
    step = Play(tuple(worlds), tuple(100 + each for each in games), tuple(7 + each for each in games), rounds, seen, longest)
    return answer(requester, step, **where)


def failure(requester, **where):
    with pytest.raises(ProcedureError) as caught:
        played(requester, **where)
    assert "secret" not in str(caught.value)
    return str(caught.value)


def test_the_target_is_deleted_in_both_worlds() -> None:
    """Sums of the five others, whatever the target was: nothing that asks for nothing else can tell the worlds apart."""
    found = played("Plain", worlds=(0, 1, 1))
    assert found.array.tolist() == [[22.0, 0.0]] * 3
    assert found.facts == {"largest_request": 0.0, "replaces": False, "guesses": False}


def test_models_are_shown_in_their_order_and_no_more_than_allowed() -> None:
    """The last replacement writes how many models were shown and how many requests were sent."""
    shown = {seen: played("Sees", worlds=(0,), rounds=4, seen=seen).array[0] for seen in (0, 1, 4)}
    # Record 1, which held 2, is replaced: 22 - 2 + the number shown; the second feature holds the number sent.
    assert {seen: found.tolist() for seen, found in shown.items()} == {0: [20.0, 2.0], 1: [21.0, 2.0], 4: [23.0, 2.0]}


def test_a_requester_chooses_which_models_it_sees() -> None:
    """The model of round 1 alone: none is there yet at the first request."""
    assert played("SeesLast", worlds=(0,), rounds=2, seen=1).array[0].tolist() == [20.0, 0.0]
    assert played("SeesLast", worlds=(0,), rounds=3, seen=1).array[0].tolist() == [21.0, 1.0]


def test_requests_come_from_the_generator_of_their_game() -> None:
    first, again = (played("Drawing", worlds=(0,) * 8).array for _ in range(2))
    assert (first == again).all()
    assert len({each[0] for each in first.tolist()}) > 2


def test_no_game_is_remembered_in_the_next_nor_in_a_guess() -> None:
    found = played("Remembers", worlds=(0,) * 4)
    assert len({tuple(each) for each in found.array.tolist()}) == 1
    assert found.facts["guesses"] is True
    said = answer("Remembers", Guess(np.array([[1.0, 0.0], [-1.0, 0.0]])))
    assert said.array.tolist() == [1.0, 0.0]


def test_the_papers_requesters_play() -> None:
    """Equation 8 with sums tells the worlds apart without a doubt, though every model is retrained exactly."""
    line = Dataset(np.array([[-1.0], [-2.0], [2.0]]), np.array([0, 0, 1]), np.array(["a", "b", "c"]))
    found = played("group-by-sign", train=line, worlds=(0, 1, 0))
    assert found.array.tolist() == [[2.0], [-2.0], [2.0]]


@pytest.mark.parametrize(
    ("requester", "words"),
    [
        ("Raises", "the requester's request raised ValueError"),
        ("Ends", "ended without an answer"),
        ("DeletesTarget", "leaves the target to the last round"),
        ("Twice", "names each record once"),
        ("Absent", "records that are there"),
        ("Text", "positions as a list of integers"),
        ("Fractions", "positions as a list of integers"),
        ("Pair", "positions, features and labels"),
        ("Wide", "expected features of shape (1, 2)"),
        ("Infinite", "finite features"),
        ("UnknownLabel", "labels that the training data have"),
        ("NoTarget", "the position of one of 6 records"),
        ("NoNeighbours", "a requester with a method neighbours"),
        ("OneNeighbour", "position, features and label"),
        ("SeesMore", "at most 1 rounds"),
        ("NoSuchClass", "it raised AttributeError"),
    ],
)
def test_what_is_no_move_is_named(requester: str, words: str) -> None:
    assert words in failure(requester)


def test_a_requester_that_hangs_is_ended() -> None:
    assert "took longer than" in failure("Hangs", worlds=(0,), limits=Limits(timeout_s=0.5))


def test_a_procedure_that_cannot_play_is_named() -> None:
    assert "a method parameters" in failure("Plain", procedure="NoParameters")
    assert "models of one size" in failure("Plain", procedure="Growing")


def test_records_beyond_the_constants_of_the_loss_are_refused() -> None:
    short = Dataset(FEATURES / 32, TRAIN.labels, TRAIN.ids)
    assert "norm of at most 1 from the requester's request" in failure("Long", train=short, longest=1.0)
    assert played("Plain", train=short, longest=1.0).array.shape == (2, 2)


@pytest.mark.parametrize(("requester", "words"), [("GuessesTwo", "0 or 1"), ("GuessesRaising", "guess raised KeyError")])
def test_a_guess_that_is_none_is_named(requester: str, words: str) -> None:
    with pytest.raises(ProcedureError, match=words):
        answer(requester, Guess(np.zeros((2, 2))))


@pytest.mark.parametrize(
    "wrong",
    [
        {"worlds": (), "seeds": (), "draws": ()},
        {"worlds": (0, 1), "seeds": (1,), "draws": (1, 2)},
        {"worlds": (2,), "seeds": (1,), "draws": (1,)},
        {"worlds": (0,), "seeds": (1,), "draws": (1,), "rounds": 0, "seen": 0},
        {"worlds": (0,), "seeds": (1,), "draws": (1,), "rounds": 1, "seen": 2},
    ],
)
def test_games_that_are_none_never_reach_the_child(wrong) -> None:
    with pytest.raises(ValueError, match="play: expected"):
        Play(**{"rounds": 2, "seen": 1, **wrong})
