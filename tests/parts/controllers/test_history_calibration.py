"""How often fresh seeds accuse a controller that hides everything, and what ε they name of one that hides a known share."""

from __future__ import annotations

import math
import random
from collections.abc import Iterator

from hypothesis import given
from hypothesis import strategies as st

from auditor.base.histories import Operation
from auditor.maths.statistics.exact import clopper_pearson
from auditor.maths.statistics.two_laws import epsilon_lower
from auditor.parts.controllers.observing.histories.laws import Left, compare
from two_laws import least_epsilon

HISTORY = (Operation("somebody", "set", "something"), Operation("somebody", "delete"))
AUDITS = 400
RUNS = 100


def states(rng: random.Random, *, kept: float) -> list[Left]:
    """States of random bytes, a share of which ends in the deleted name."""
    return [
        Left((None, "said"), rng.randbytes(rng.randint(8, 12)) + (b"somebody" if rng.random() < kept else b"nobody!!"))
        for _ in range(2 * RUNS)
    ]


def refuted(kept: float, otherwise: float, *, confidence: float) -> Iterator[float]:
    for audit in range(AUDITS):
        rng = random.Random(audit)
        found = compare(states(rng, kept=kept), states(rng, kept=otherwise), HISTORY)
        yield epsilon_lower(found.left, found.right, found.runs, confidence=confidence)


def test_equal_laws_are_told_apart_at_most_at_the_level() -> None:
    for kept in (0.0, 0.3):
        accused = sum(epsilon > 0 for epsilon in refuted(kept, kept, confidence=0.9))
        assert clopper_pearson(accused, AUDITS, confidence=0.99).low <= 0.1


def test_the_bound_exceeds_the_true_epsilon_at_most_at_the_level() -> None:
    """Randomised response: the name is kept with probability .6 after its deletion, .2 where nobody came."""
    true = max(math.log(0.6 / 0.2), math.log(0.8 / 0.4))
    found = list(refuted(0.6, 0.2, confidence=0.9))
    above = sum(epsilon > true for epsilon in found)
    assert clopper_pearson(above, AUDITS, confidence=0.99).low <= 0.1
    assert sum(epsilon > 0 for epsilon in found) > 0.9 * AUDITS, "and it sees the difference"


@given(st.integers(0, 60), st.integers(0, 60), st.floats(0.5, 0.999))
def test_the_bound_is_symmetric_and_grows_with_the_gap(first: int, second: int, confidence: float) -> None:
    found = epsilon_lower(first, second, 60, confidence=confidence)
    assert found == epsilon_lower(second, first, 60, confidence=confidence)
    assert found == epsilon_lower(60 - first, 60 - second, 60, confidence=confidence) or math.isclose(
        found, epsilon_lower(60 - first, 60 - second, 60, confidence=confidence), rel_tol=1e-9
    )
    assert found <= epsilon_lower(60, 0, 60, confidence=confidence) * (1 + 1e-9)
    if first == second:
        assert found == 0.0


def test_the_vector() -> None:
    """By mpmath, with forty digits: the product is .003804223466…, and without steps along the edge the limit 1.66052…."""
    found = epsilon_lower(90, 10, 100, confidence=0.95)
    assert math.isclose(found, 1.658515251732, rel_tol=1e-10)
    assert found < least_epsilon(90, 10, 100, confidence=0.95) < 1.6606
