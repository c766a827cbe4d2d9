"""One unit for promises and attacks: right guesses out of 100, rounded to the side that claims less."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from auditor.base.domain import Interval
from auditor.pages.words import guesses

SHARES = st.floats(0.0, 1.0, allow_nan=False)


@pytest.mark.parametrize(
    ("share", "printed"),
    [
        (0.5, "50"),
        (0.5 * (1 + 2.0**-48), "50"),
        (0.5000001, "50.1"),
        (0.55, "55"),
        (0.5501, "55.1"),
        (0.763, "76.3"),
        (0.8994, "89.94"),
        (0.89999, "just under 90"),
        (0.9, "90"),
        (0.9994, "99.94"),
        (0.99999, "just under 100"),
        (1 - 1e-14, "just under 100"),
        (1.0, "100"),
    ],
)
def test_what_is_at_most_is_rounded_up_and_reaches_90_and_100_from_there_on_only(share: float, printed: str) -> None:
    assert guesses.at_most(share) == printed


@pytest.mark.parametrize(("share", "printed"), [(0.5, "50"), (0.5199, "51.9"), (0.9999, "99.9"), (1.0, "100")])
def test_what_is_at_least_is_rounded_down(share: float, printed: str) -> None:
    assert guesses.at_least(share) == printed


def test_an_advantage_is_half_as_many_guesses_above_fifty() -> None:
    assert guesses.at_most(guesses.of_advantage(0.526)) == "76.3"
    assert guesses.at_most(guesses.of_advantage(0.076)) == "53.8"
    assert guesses.at_most(guesses.of_advantage(-0.076)) == "53.8"
    assert guesses.at_most(guesses.of_advantage(0.0)) == "50"


def test_the_words_come_from_the_thresholds_of_the_grades() -> None:
    assert guesses.hardness(0.55) == "very hard to tell"
    assert guesses.hardness(0.5501) == "limited: up to 55.1 of 100"
    assert guesses.hardness(math.nextafter(0.9, 0)).startswith("limited")
    assert guesses.hardness(0.9) == "no useful promise"
    assert guesses.promise(0.51).startswith("very hard to tell: at most 51 of 100")
    assert guesses.promise(0.951) == "no useful promise: up to 95.1 of 100 guesses can be right, where guessing is right 50 times"


def test_both_limits_of_an_interval_are_rounded_outwards() -> None:
    assert guesses.between(Interval(0.5149, 0.9101)) == ("51.4", "91.1")


@given(SHARES)
def test_rounding_never_leaves_its_side(share: float) -> None:
    up = guesses.at_most(share)
    if not up.startswith("just"):
        assert float(up) >= 100 * share - 1e-8
        assert (float(up) == 100) == (share >= 1 - 1e-10)
    assert float(guesses.at_least(share)) <= 100 * share + 1e-8
    assert guesses.about(share) != "100" or share == 1
