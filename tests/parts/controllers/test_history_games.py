"""The games of history independence: what they find of broken controllers, and what they leave alone."""

from __future__ import annotations

from typing import Any

import pytest

from auditor.base.histories import DELETE, Vocabulary, equivalent
from auditor.maths.statistics.two_laws import epsilon_lower
from auditor.parts.controllers.judging.history.observed import Event, Tried
from auditor.parts.controllers.observing.histories.adversaries import RANDOM, SCRIPTED, adaptive
from auditor.parts.controllers.observing.histories.experiment import MOST_KEPT, SEARCHED, Sizes, experiment
from benchmarks.in_process import rooms
from played_controllers import (
    DICTIONARY,
    XOR,
    AtTheSecondDeletion,
    ByTheClock,
    Dictionary,
    InOrderAmongAlike,
    InOrderOfInsertion,
    LongArguments,
    NeverShrinks,
    OnlyIfAddressed,
    Remembers,
    Salted,
    Tombstones,
    Xor,
)

SMALL = Sizes(ways=3, by_chance=20, searched=20, fresh=200)


def tried(make: Any, vocabulary: Vocabulary = DICTIONARY, sizes: Sizes = SMALL) -> Tried:
    return experiment(vocabulary, rooms(make), seed=7, sizes=sizes)


def told_apart(found: Tried) -> list[str]:
    return [each.adversary for each in found.laws if epsilon_lower(each.left, each.right, each.runs, confidence=0.999) > 0]


def test_a_canonical_dictionary_shows_no_difference() -> None:
    found = tried(Dictionary)
    assert found.deterministic
    assert found.ignores_tape
    assert found.counterexamples == ()
    assert found.laws == ()
    assert not any(each.different for each in found.played)
    assert sum(each.histories for each in found.played) > 80


@pytest.mark.parametrize(
    ("broken", "longest"),
    [
        (InOrderOfInsertion, 4),
        (InOrderAmongAlike, 4),
        (Tombstones, 2),
        (AtTheSecondDeletion, 4),
        (LongArguments, 2),
        (NeverShrinks, 102),
    ],
    ids=lambda each: getattr(each, "__name__", str(each)),
)
def test_a_broken_dictionary_is_found_out_by_its_shortest_counterexample(broken: Any, longest: int) -> None:
    found = tried(broken)
    assert found.deterministic
    assert 1 <= len(found.counterexamples) <= MOST_KEPT
    shortest = min(found.counterexamples, key=lambda each: len(each.left) + len(each.right))
    assert shortest.minimal
    assert len(shortest.left) + len(shortest.right) <= longest
    for each in found.counterexamples:
        assert equivalent(*each.sides, DICTIONARY.commuting)
        assert each.digests[0] != each.digests[1]


def test_a_shortest_counterexample_has_short_names_too() -> None:
    found = tried(Tombstones)
    assert found.counterexamples[0].left in {
        (("a", "set", None), ("a", DELETE, None)),
        (("a", "set", "z"), ("a", DELETE, None)),
    }
    assert found.counterexamples[0].right == ()


def test_who_keeps_what_its_tape_addresses_is_found_by_those_who_adapt_alone() -> None:
    """Example 3.3: histories that are fixed in advance never name what the controller drew."""
    found = tried(OnlyIfAddressed)
    assert not found.ignores_tape
    adapting = {each.adversary for each in found.counterexamples}
    assert adapting
    assert all(each.adapts for each in found.counterexamples)
    assert {each.adversary for each in found.played if each.different} <= adaptive((*SCRIPTED, *RANDOM)) | {SEARCHED}
    assert "speaks-as-the-first-output" in told_apart(found)


def test_the_xor_controller_differs_under_one_tape_and_not_under_fresh_ones() -> None:
    """Example 2.4: with identical tapes a deletion shows, with fresh ones the state is as random as before."""
    found = tried(Xor, XOR)
    assert found.deterministic
    assert not found.ignores_tape
    assert found.counterexamples
    assert found.laws
    assert told_apart(found) == []


def test_a_salt_that_is_kept_is_no_difference_under_one_tape() -> None:
    found = tried(Salted)
    assert found.deterministic
    assert not found.ignores_tape
    assert found.counterexamples == ()
    assert found.laws == ()


def test_states_that_chance_made_are_compared_as_laws() -> None:
    found = tried(ByTheClock)
    assert not found.deterministic
    assert found.counterexamples == ()
    assert told_apart(found) == []


def test_deletions_that_chance_hides_are_told_by_their_law() -> None:
    class ClockAndTombstones(ByTheClock, Tombstones):
        """Both."""

    found = tried(ClockAndTombstones)
    assert not found.deterministic
    assert {"spoke-and-left", "left-among-others"} <= set(told_apart(found))
    assert {each.event for each in found.laws} & {Event.HOLDS, Event.SIZE}


def test_what_outlives_a_controller_makes_it_not_deterministic() -> None:
    assert not tried(Remembers).deterministic


def test_equal_seeds_play_equal_games() -> None:
    assert tried(InOrderOfInsertion) == tried(InOrderOfInsertion)
