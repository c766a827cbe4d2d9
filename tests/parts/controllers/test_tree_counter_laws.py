"""The tree counter's noise is enough for everything that it ever says, and no answer has more of it than is stated."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given
from hypothesis import strategies as st

from auditor.maths.certificates import derive, gaussian
from auditor.parts.controllers.rules.tree_counter import levels, node_noise

Floats = npt.NDArray[np.float64]
Node = tuple[int, int]


def nodes_of_prefix(end: int) -> list[Node]:
    """The dyadic intervals (first, last) that make up 1..end, one for each binary digit of `end`."""
    found, first = [], 1
    for power in reversed(range(end.bit_length())):
        if end >> power & 1:
            found.append((first, first + 2**power - 1))
            first += 2**power
    return found


@dataclass(frozen=True)
class Seen:
    """What an observer sees, as linear maps: rows are answers, columns events or draws of noise, all of standard deviation 1."""

    events: Floats
    draws: Floats

    def distance(self, event: int) -> float:
        """How far apart one event (from 1) moves everything seen, in standard deviations; infinite where no noise covers it."""
        shift = self.events[:, event - 1]
        covariance = self.draws @ self.draws.T
        solved = np.linalg.pinv(covariance, rcond=1e-10, hermitian=True) @ shift
        if not np.allclose(covariance @ solved, shift, atol=1e-7):
            return math.inf
        return float(math.sqrt(shift @ solved))


def counter(horizon: int, *, intrusion: int | None = None, separate: bool = True) -> Seen:
    """All prefixes of a tree counter, and its state as it stands after one event, which is then seen as well.

    Args:
        horizon: T.
        intrusion: After which event the accumulators of all nodes begun by then are seen; nobody sees them if left out.
        separate: Whether releases have noise of their own beside the state's.
    """
    nodes = sorted({node for end in range(1, horizon + 1) for node in nodes_of_prefix(end)})
    place = {node: index for index, node in enumerate(nodes)}
    answers = [nodes_of_prefix(end) for end in range(1, horizon + 1)]
    begun = [] if intrusion is None else [node for node in nodes if node[0] <= intrusion]
    events, draws = np.zeros((horizon + len(begun), horizon)), np.zeros((horizon + len(begun), 2 * len(nodes)))
    for row, parts in enumerate(answers):
        events[row, : row + 1] = 1
        for node in parts:
            draws[row, place[node]] = 1
            if separate and intrusion is not None:
                draws[row, len(nodes) + place[node]] = 1
    for row, (first, last) in enumerate(begun, start=horizon):
        events[row, first - 1 : min(last, intrusion or 0)] = 1
        draws[row, place[first, last]] = 1
    return Seen(events, draws)


@pytest.mark.parametrize("horizon", [1, 2, 3, 4, 7, 8, 13, 16])
def test_one_event_moves_all_answers_by_the_square_root_of_the_levels(horizon: int) -> None:
    seen = counter(horizon)
    farthest = max(seen.distance(event) for event in range(1, horizon + 1))
    assert farthest <= math.sqrt(levels(horizon)) + 1e-9
    assert (seen.draws**2).sum(axis=1).max() <= levels(horizon)


def test_where_the_levels_are_full_both_are_attained() -> None:
    seen = counter(7)
    assert (seen.draws**2).sum(axis=1).max() == levels(7) == 3
    assert len({node for end in range(1, 8) for node in nodes_of_prefix(end) if node[0] <= 1 <= node[1]}) == 3


@pytest.mark.parametrize("horizon", [1, 3, 6, 8])
def test_noise_in_state_and_release_holds_off_one_intrusion(horizon: int) -> None:
    """Whenever it comes, and whatever event it is after: the same mu, for sqrt(2) times the noise of a prefix."""
    for intrusion in range(1, horizon + 1):
        seen = counter(horizon, intrusion=intrusion)
        assert max(seen.distance(event) for event in range(1, horizon + 1)) <= math.sqrt(levels(horizon)) + 1e-9
        assert (seen.draws[:horizon] ** 2).sum(axis=1).max() <= 2 * levels(horizon)


def test_one_draw_for_state_and_release_is_broken() -> None:
    """An event after the intrusion comes out exactly, as the noise was read before."""
    assert counter(8, intrusion=2, separate=False).distance(3) == math.inf


@given(st.integers(1, 2**53))
def test_levels_are_exact(horizon: int) -> None:
    found = levels(horizon)
    assert 2 ** (found - 1) < horizon + 1 <= 2**found


@given(st.floats(0, 20), st.floats(-12, -0.01).map(lambda power: 10**power), st.integers(1, 2**53))
def test_the_noise_keeps_within_epsilon_and_delta(epsilon: float, delta: float, horizon: int) -> None:
    node = node_noise(epsilon, delta, horizon)
    assert gaussian.delta(epsilon, math.sqrt(levels(horizon)) / node) <= delta
    assert gaussian.delta(epsilon, math.sqrt(levels(horizon)) / (node * (1 - 1e-9))) > delta * (1 - 1e-12)
    outputs = derive("tree-counter", {"epsilon": epsilon, "delta": delta, "horizon": horizon}).outputs
    assert outputs["release_sigma"] >= node >= node_noise(epsilon, delta, 1 + horizon // 2) * (1 - 1e-12)
    assert outputs["pan_private_release_sigma"] >= outputs["release_sigma"]
