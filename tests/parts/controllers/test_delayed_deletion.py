"""The sample of Theorem 4.5: Claims 4.6 and 4.7 by its own code, under seeds that fix every number that it gives."""

from __future__ import annotations

import json
import runpy
from typing import Any

import pytest

from auditor.base.histories import DELETE
from auditor.base.resources import sample_models

CODE = runpy.run_path(str(sample_models() / "delayed-deletion" / "controller.py"))
NUMBERS: int = CODE["NUMBERS"]
SUBJECT = "y"


def begun(seed: int) -> Any:
    found = CODE["DelayedDeletion"]()
    found.initialize(seed)
    return found


def seeds_by_number() -> dict[int, int]:
    """One seed for each number that the subject may be given."""
    found: dict[int, int] = {}
    for seed in range(1_000):
        found.setdefault(int(begun(seed).activate(SUBJECT, "insert", None)), seed)
    assert sorted(found) == list(range(1, NUMBERS + 1))
    return found


@pytest.mark.parametrize("others", [0, 3, NUMBERS - 1, NUMBERS + 4])
def test_who_does_not_choose_their_moment_is_kept_for_one_number_at_most(others: int) -> None:
    """Claim 4.6: the environment ends the game, and is answered the same with the person and without."""
    different = 0
    for seed in seeds_by_number().values():
        real, ideal = begun(seed), begun(seed)
        real.activate(SUBJECT, "insert", None)
        for number in range(others):
            assert real.activate(f"e{number}", "insert", None) == ideal.activate(f"e{number}", "insert", None)
        real.activate(SUBJECT, DELETE, None)
        different += real.state() != ideal.state()
    assert different == (others < NUMBERS), "one number of 21 is the size of the list"


def test_who_leaves_by_their_number_is_always_kept_and_no_seed_explains_it() -> None:
    """Claim 4.7: whatever seed the ideal execution has, it never heard of the person."""
    for number, seed in seeds_by_number().items():
        real = begun(seed)
        assert real.activate(SUBJECT, "insert", None) == str(number)
        others = [f"e{each}" for each in range(number - 1)]
        for name in others:
            real.activate(name, "insert", None)
        real.activate(SUBJECT, DELETE, None)
        assert SUBJECT in json.loads(real.state())[0]
        for other in range(20):
            ideal = begun(other)
            for name in others:
                ideal.activate(name, "insert", None)
            assert SUBJECT not in json.loads(ideal.state())[0]
        real.activate("z", "insert", None)
        assert SUBJECT not in real.state().decode(), "at the next operation it is gone"
