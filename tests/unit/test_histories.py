"""Logical equivalence of histories, held against a search through every exchange of neighbours."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from auditor.base.histories import (
    DELETE,
    SILENCE,
    History,
    Move,
    Operation,
    Output,
    equivalent,
    normal_form,
    resolved,
    runs_of,
    without_deleted,
)

COMMUTING = frozenset({"set", "add"})
OPERATIONS = st.builds(
    Operation, st.sampled_from("ab"), st.sampled_from(["set", "add", "sweep", DELETE]), st.sampled_from([None, "1"])
)
HISTORIES = st.lists(OPERATIONS, max_size=5).map(tuple)


def reachable(history: History) -> set[History]:
    """Everything that exchanges of commuting neighbours of different channels lead to."""
    found, waiting = {history}, [history]
    while waiting:
        each = waiting.pop()
        for index in range(len(each) - 1):
            one, two = each[index : index + 2]
            if one.channel != two.channel and {one.operation, two.operation} <= COMMUTING:
                other = (*each[:index], two, one, *each[index + 2 :])
                if other not in found:
                    found.add(other)
                    waiting.append(other)
    return found


@given(HISTORIES, HISTORIES)
def test_equivalent_histories_are_those_that_exchanges_lead_to(left: History, right: History) -> None:
    assert equivalent(left, right, COMMUTING) is (without_deleted(right) in reachable(without_deleted(left)))


@given(HISTORIES)
def test_every_exchange_and_the_normal_form_itself_are_equivalent(history: History) -> None:
    assert equivalent(history, normal_form(history, COMMUTING), COMMUTING)
    assert all(equivalent(history, each, COMMUTING) for each in reachable(without_deleted(history)))


@given(HISTORIES, st.sampled_from("ab"))
def test_a_deletion_is_as_if_the_channel_had_never_spoken(history: History, channel: str) -> None:
    deleted = (*history, Operation(channel, DELETE))
    assert equivalent(deleted, tuple(each for each in history if each.channel != channel), COMMUTING)


@given(HISTORIES, HISTORIES, HISTORIES)
def test_what_is_equivalent_stays_so_whatever_follows(left: History, right: History, rest: History) -> None:
    if equivalent(left, right, COMMUTING):
        assert equivalent(left + rest, right + rest, COMMUTING)


def test_what_is_said_after_a_deletion_stays() -> None:
    history = (Operation("a", "set", "1"), Operation("a", DELETE), Operation("a", "set", "2"))
    assert without_deleted(history) == (Operation("a", "set", "2"),)


def test_the_order_within_a_channel_counts() -> None:
    one, two = Operation("a", "set", "1"), Operation("a", "set", "2")
    assert not equivalent((one, two), (two, one), COMMUTING)


def test_an_operation_that_does_not_commute_keeps_its_place() -> None:
    first, sweep, last = Operation("b", "set", "1"), Operation("a", "sweep"), Operation("a", "set", "1")
    assert runs_of((first, sweep, last), COMMUTING) == ((first,), (sweep,), (last,))
    assert not equivalent((first, sweep), (sweep, first), COMMUTING)


def test_outputs_are_put_where_they_are_named() -> None:
    script = (Move("a", "set", Output(0)), Move(Output(1), "add", Output(0)))
    assert resolved(script, ["r", None, "x"]) == (Operation("a", "set", "r"), Operation(SILENCE, "add", "r"))
    with pytest.raises(IndexError):
        resolved(script, ["r"])
