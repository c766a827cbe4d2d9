"""Counterexamples are made as short as they go, and say so only where that was tried."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from auditor.base.histories import DELETE, History, Operation, equivalent, without_deleted
from auditor.parts.controllers.observing.histories.drawing import Pair, shrunk

COMMUTING = frozenset({"set"})
OPERATIONS = st.builds(Operation, st.sampled_from("abc"), st.sampled_from(["set", "sweep", DELETE]), st.sampled_from([None, "x"]))


def deletions(pair: Pair) -> bool:
    """A controller that counts deletions."""
    counts = [sum(each.operation == DELETE for each in side) for side in (pair.left, pair.right)]
    return counts[0] != counts[1]


def without_one(history: History) -> list[History]:
    return [(*history[:index], *history[index + 1 :]) for index in range(len(history))]


@given(st.lists(OPERATIONS, max_size=12).map(tuple))
def test_what_is_shortened_stays_a_counterexample_and_ends_where_nothing_can_be_left_out(history: History) -> None:
    pair = Pair(1, history, without_deleted(history))
    if not deletions(pair):
        return
    short, minimal = shrunk(pair, COMMUTING, deletions)
    assert minimal
    assert deletions(short)
    assert equivalent(short.left, short.right, COMMUTING)
    shorter = [Pair(1, left, short.right) for left in without_one(short.left)]
    shorter += [Pair(1, short.left, right) for right in without_one(short.right)]
    assert not any(equivalent(each.left, each.right, COMMUTING) and deletions(each) for each in shorter)
    assert len(short.left) + len(short.right) == 1


def test_where_the_patience_ends_it_is_not_called_shortest() -> None:
    history = (*(Operation(name, "set", "x") for name in "abcdefgh"), *(Operation(name, DELETE) for name in "abcdefgh"))
    pair = Pair(1, history, ())
    short, minimal = shrunk(pair, COMMUTING, deletions, patience=20)
    assert not minimal
    assert deletions(short)
