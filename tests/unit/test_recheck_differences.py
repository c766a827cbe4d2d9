"""Leaves that are plainly equal are passed over, and nothing else is."""

from __future__ import annotations

import pytest

from auditor.recheck.outcome import differences

SAME = [(1, 1.0), (0.0, -0.0), (1.0, 1.0 + 1e-12), ("a", "a"), (None, None), (True, True), ([], []), ({}, {})]
OTHER = [
    (1, True),
    (0, False),
    (1.0, True),
    (1, "1"),
    (None, 0),
    (None, False),
    ("", None),
    (1, 2),
    (1.0, 1.1),
    ([], {}),
    ([1], 1),
]


@pytest.mark.parametrize(
    "within", [lambda each: each, lambda each: [0, each], lambda each: {"a": each}, lambda each: {"a": [[each]]}]
)
def test_a_leaf_differs_wherever_it_is(within):
    for one, other in SAME:
        assert not list(differences(within(one), within(other)))
    for one, other in OTHER:
        assert len(list(differences(within(one), within(other)))) == 1
        assert len(list(differences(within(other), within(one)))) == 1


def test_what_is_missing_is_not_nothing():
    assert [path for path, *_ in differences({"a": None, "b": 1}, {"b": 1})] == ["a"]
