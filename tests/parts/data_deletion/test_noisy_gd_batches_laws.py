"""The rule `noisy-gd-batches` bounds what chains in mini-batches leave, and what breaks a premise of it exceeds it.

Linear and quadratic losses make Gaussian chains with closed forms, logistic ones are taken on a grid, and many chains are run.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.special import expit

from auditor.maths.certificates import derive, gaussian
from noisy_chains import apart

Floats = npt.NDArray[np.float64]
_ROUNDING = 1 + 1e-9


def mu_of(loss: dict[str, Any], **others: Any) -> float:
    found: float = derive("noisy-gd-batches", {**loss, **others}).outputs["mu"]
    return found


@st.composite
def descents(draw: st.DrawFn) -> dict[str, Any]:
    l2, smoothness = draw(st.floats(1e-3, 2)), draw(st.floats(1e-3, 5))
    return {
        "lipschitz": draw(st.floats(0.01, 10)),
        "l2": l2,
        "smoothness": smoothness,
        "sigma2": draw(st.floats(1e-3, 10)),
        "batch": draw(st.integers(1, 100)),
        "batches": draw(st.integers(1, 9)),
        "rate": draw(st.floats(0.01, 1)) * 2 / (l2 + smoothness) * (1 - 1e-12),
        "epochs": draw(st.integers(1, 6)),
    }


def worst(loss: dict[str, Any]) -> float:
    """c."""
    return max(abs(1 - loss["rate"] * loss["l2"]), abs(1 - loss["rate"] * (loss["l2"] + loss["smoothness"])))


def linear_chain(loss: dict[str, Any], factor: float, *, learning: int, place: int, start: float) -> float:
    """mu of two Gaussian chains that differ by eta L/b in one batch, `place` of M, for `learning` epochs."""
    mean, variance = 0.0, start
    for step in range((learning + loss["epochs"]) * loss["batches"]):
        visited = step % loss["batches"] == place and step < learning * loss["batches"]
        mean = factor * mean + (loss["rate"] * loss["lipschitz"] / loss["batch"] if visited else 0.0)
        variance = factor**2 * variance + 2 * loss["rate"] * loss["sigma2"]
    return abs(mean) / math.sqrt(variance)


def cheapest_shares(loss: dict[str, Any], *, learning: int, place: int) -> float:
    """The least mu that shares u_t with every z_t >= 0 give: the taut string below the steps of P, a greatest convex minorant.

    In the time S_t = sum c^(-2i) the cost of V is the integral of its squared slope; V runs below P and meets it at both ends.
    """
    c, batches = worst(loss), loss["batches"]
    total = (learning + loss["epochs"]) * batches
    points, height, time = [(0.0, 0.0)], 0.0, 0.0
    for step in range(total):
        # Scaled by c^(total - t), so that nothing overflows.
        weight = c ** (total - 1 - step)
        visited = step % batches == place and step < learning * batches
        height += weight * (loss["rate"] * loss["lipschitz"] / loss["batch"] if visited else 0.0)
        time += weight**2
        points.append((time, height))
    hull: list[tuple[float, float]] = []
    for point in points:
        while len(hull) > 1 and _turns_down(hull[-2], hull[-1], point):
            hull.pop()
        hull.append(point)
    cost = sum((after[1] - before[1]) ** 2 / (after[0] - before[0]) for before, after in pairwise(hull) if after[0] > before[0])
    return math.sqrt(cost / (2 * loss["rate"] * loss["sigma2"]))


def _turns_down(one: tuple[float, float], two: tuple[float, float], three: tuple[float, float]) -> bool:
    return (two[1] - one[1]) * (three[0] - two[0]) >= (three[1] - two[1]) * (two[0] - one[0])


@given(descents(), st.integers(1, 8), st.sampled_from([0.0, 0.5, 1.0]), st.sampled_from([0.0, 3.0]))
def test_gaussian_chains_keep_within_it(loss: dict[str, Any], learning: int, bent: float, start: float) -> None:
    """Whichever batch the record is in, whatever all losses' curvature is, and wherever the chains start."""
    factor = 1 - loss["rate"] * (loss["l2"] + bent * loss["smoothness"])
    bound = mu_of(loss, learn_epochs=learning)
    for place in range(loss["batches"]):
        assert linear_chain(loss, factor, learning=learning, place=place, start=start) <= bound * _ROUNDING
    assert bound <= mu_of(loss, learn_epochs=learning + 1) * _ROUNDING
    assert bound <= mu_of(loss) * _ROUNDING


@given(descents(), st.integers(1, 6))
def test_a_linear_loss_comes_close(loss: dict[str, Any], learning: int) -> None:
    """Only noise from before the record's first visit is given away: the last batch of an only epoch waits longest."""
    exact = linear_chain(loss, worst(loss), learning=learning, place=loss["batches"] - 1, start=0.0)
    c, first = worst(loss), loss["batches"] - 1
    counted = (learning + loss["epochs"]) * loss["batches"] - first
    given_away = sum(c ** (2 * t) for t in range(counted + first)) / sum(c ** (2 * t) for t in range(counted))
    assert mu_of(loss, learn_epochs=learning) == pytest.approx(exact * math.sqrt(given_away), rel=1e-9)
    if learning > 2:
        assert given_away <= 1.5


@given(descents(), st.integers(1, 6))
def test_no_allowed_shares_are_cheaper(loss: dict[str, Any], learning: int) -> None:
    """A second derivation: the least cost, found by geometry, is the formula's in the last batch, and no more in the others."""
    loss = {**loss, "rate": min(loss["rate"], 0.9 * 2 / (2 * loss["l2"] + loss["smoothness"]))}
    found = [cheapest_shares(loss, learning=learning, place=place) for place in range(loss["batches"])]
    bound = mu_of(loss, learn_epochs=learning)
    assert found[-1] == pytest.approx(bound, rel=1e-7)
    assert max(found) <= bound * (1 + 1e-7)


@given(descents(), st.integers(1, 20))
def test_it_is_no_more_than_distance_and_then_noise(loss: dict[str, Any], learning: int) -> None:
    """A third way: the runs are coupled by their noise while the record is there, and that of the K epochs hides what is left."""
    c, epoch = worst(loss), worst(loss) ** loss["batches"]
    distance = loss["rate"] * loss["lipschitz"] / loss["batch"] * sum(epoch**e for e in range(learning))
    after = loss["epochs"] * loss["batches"]
    noise = 2 * loss["rate"] * loss["sigma2"] * sum(c ** (2 * t) for t in range(after))
    assert mu_of(loss, learn_epochs=learning) <= distance * c**after / math.sqrt(noise) * _ROUNDING


@given(descents(), st.none() | st.integers(1, 300))
def test_one_batch_is_the_full_batch_with_the_record_left_out(loss: dict[str, Any], learning: int | None) -> None:
    """A record left out moves a sum half as far as one replaced."""
    single = {**loss, "batches": 1}
    full = {name: loss[name] for name in ("l2", "smoothness", "sigma2", "rate")}
    given_ = {**full, "lipschitz": loss["lipschitz"] / 2, "n": loss["batch"], "steps": loss["epochs"], "learn_steps": learning}
    expected = derive("noisy-gd-gaussian", {name: value for name, value in given_.items() if value is not None}).outputs["mu"]
    assert mu_of(single, **({} if learning is None else {"learn_epochs": learning})) == pytest.approx(expected, rel=1e-9)


@given(descents(), st.integers(2, 5))
def test_more_noise_epochs_and_records_move_it_their_way(loss: dict[str, Any], factor: int) -> None:
    bound = mu_of(loss)
    for name in ("sigma2", "batch", "epochs"):
        assert mu_of({**loss, name: loss[name] * factor}) <= bound * _ROUNDING
    assert mu_of({**loss, "size": factor}) == pytest.approx(factor * bound, rel=1e-9)


def test_the_step_from_flat_losses_is_smooth() -> None:
    loss = {"lipschitz": 1, "smoothness": 0.5, "sigma2": 0.3, "batch": 20, "batches": 4, "rate": 0.1, "epochs": 5}
    flat = mu_of(loss, l2=0, learn_epochs=30)
    assert mu_of(loss, l2=1e-9, learn_epochs=30) == pytest.approx(flat, rel=1e-6)
    assert derive("noisy-gd-batches", {**loss, "l2": 0}).outputs["mu"] is None


# Logistic losses in one dimension, on a grid.


class Epoch:
    """The transition of an epoch: a step for each batch of records with slopes between -1 and 1, in order."""

    def __init__(self, batches: Sequence[Sequence[float]], *, l2: float, sigma2: float, rate: float, divisor: int) -> None:
        self.points = np.linspace(-6, 6, 401)
        self.steps = []
        for slopes in batches:
            each = np.array(slopes, dtype=np.float64)
            gradient = (-each * expit(-each * self.points[:, None])).sum(axis=1) / divisor + l2 * self.points
            moved = self.points - rate * gradient
            kernel = np.exp(-((moved[:, None] - self.points) ** 2) / (4 * rate * sigma2))
            self.steps.append(kernel / kernel.sum(axis=1, keepdims=True))

    def after(self, density: Floats, epochs: int) -> Floats:
        for _ in range(epochs):
            for step in self.steps:
                density = density @ step
        return density


@pytest.mark.parametrize("place", [0, 1, 2])
@pytest.mark.parametrize(("l2", "sigma2"), [(0.2, 0.3), (0.05, 1.0)])
def test_logistic_chains_keep_within_it(place: int, l2: float, sigma2: float) -> None:
    """L = 1 and beta = 1/4: in both directions, as Renyi divergence and as a hockey-stick."""
    rate = 1.9 / (l2 + 0.25)
    others = [[1.0], [-1.0], [0.4]]
    with_it = [[*batch, 1.0] if number == place else batch for number, batch in enumerate(others)]
    descent = {"l2": l2, "sigma2": sigma2, "rate": rate}
    learned_from, left = Epoch(with_it, **descent, divisor=2), Epoch(others, **descent, divisor=2)
    start = np.exp(-(left.points**2) / 2)
    start /= start.sum()
    learned, never = learned_from.after(start, 10), left.after(start, 10)
    loss = {**descent, "lipschitz": 1.0, "smoothness": 0.25, "batch": 2, "batches": 3}
    for epochs in (1, 3):
        one, other = left.after(learned, epochs), left.after(never, epochs)
        mu = mu_of(loss, epochs=epochs, learn_epochs=10)
        for first, second in ((one, other), (other, one)):
            for order in (1.5, 4.0):
                found = np.log((first**order / second ** (order - 1)).sum()) / (order - 1)
                assert found <= order * mu**2 / 2 + 1e-9
            for epsilon in (0.0, 0.1):
                assert np.maximum(0, first - math.exp(epsilon) * second).sum() <= gaussian.delta(epsilon, mu) + 1e-9


# Many chains, and a broken twin for each premise. A record is a slope: its loss is linear, and L bounds it.

CHAINS, L2, SIGMA2, RATE, DIVISOR = 60_000, 0.5, 0.02, 1.0, 2
LOSS = {"lipschitz": 1.0, "l2": L2, "smoothness": 1.0, "sigma2": SIGMA2, "batch": DIVISOR, "batches": 3, "rate": RATE}
OTHERS = ((1.0,), (-1.0,), (0.5,))
WITH = ((1.0,), (-1.0,), (0.5, 1.0))
"""The record pulls in the last batch."""


def run(
    at: Floats,
    batches: Sequence[Sequence[float]],
    epochs: int,
    rng: np.random.Generator,
    *,
    noise: float = 1.0,
    mean: bool = False,
) -> Floats:
    for _ in range(epochs):
        for slopes in batches:
            pull = sum(slopes) / (max(1, len(slopes)) if mean else DIVISOR)
            at = at - RATE * (L2 * at - pull) + noise * math.sqrt(2 * RATE * SIGMA2) * rng.standard_normal(at.shape)
    return at


def shown(
    update: Callable[[Floats, int, np.random.Generator], Floats],
    *,
    learned_from: Sequence[Sequence[Sequence[float]]] = (WITH, OTHERS),
    epochs: int = 20,
    starts: Sequence[float] = (0.0, 0.0),
    mean: bool = False,
) -> float:
    """The least mu that chains of two worlds leave possible: one learned with the record, the other never had it.

    Args:
        update: (models, world, generator) to models, after the deletion.
        learned_from: The batches of each world.
        epochs: Of learning.
        starts: Where the chains of each world start.
        mean: Whether a batch's sum is divided by its size.
    """
    models = []
    for world, rng in enumerate(np.random.default_rng(71).spawn(2)):
        learned = run(np.full((CHAINS, 1), starts[world]), learned_from[world], epochs, rng, mean=mean)
        models.append(update(learned, world, rng))
    return apart(*models, order=2.0).mu


@pytest.mark.parametrize("epochs", [1, 2])
def test_sound_chains_stay_below(epochs: int) -> None:
    """And not by much: what bounds nothing would pass as well."""
    found, bound = shown(lambda at, _, rng: run(at, OTHERS, epochs, rng)), mu_of(LOSS, epochs=epochs)
    assert found <= bound
    assert epochs > 1 or found >= 0.4 * bound


def test_a_start_far_out_and_no_projection() -> None:
    """No run is held in a ball: gradients are bounded wherever it goes."""
    assert shown(lambda at, _, rng: run(at, OTHERS, 1, rng), starts=(1e3, 1e3)) <= mu_of(LOSS, epochs=1)


def test_the_order_may_change_for_everybody() -> None:
    """After a deletion the maps of both runs are the same, whatever they are."""
    assert shown(lambda at, _, rng: run(at, OTHERS[::-1], 2, rng)) <= mu_of(LOSS, epochs=2)


def test_an_order_that_a_deletion_changes() -> None:
    """Only the run that had the record goes through the batches backwards."""
    found = shown(lambda at, world, rng: run(at, OTHERS if world else OTHERS[::-1], 8, rng))
    assert found > mu_of(LOSS, epochs=8)


def test_noise_left_out_of_unlearning() -> None:
    found = shown(lambda at, _, rng: run(at, OTHERS, 5, rng, noise=1e-9))
    assert found > mu_of(LOSS, epochs=5)


def test_noise_of_less_than_the_declared_variance() -> None:
    found = shown(lambda at, _, rng: run(at, OTHERS, 1, rng, noise=0.2))
    assert found > mu_of(LOSS, epochs=1)


def test_batches_packed_anew() -> None:
    """The place that became free is filled from another batch, as it would have been had the record never been there."""
    with_it, packed = ((1.0, -1.0), (-1.0,), (0.5, 1.0)), ((1.0,), (-1.0,), (0.5, -1.0))
    found = shown(lambda at, _, rng: run(at, packed, 1, rng), learned_from=(with_it, packed))
    assert found > mu_of(LOSS, epochs=1)


def test_a_mean_over_those_that_are_left() -> None:
    """The others of the batch pull harder once the record is gone: twice as far apart."""
    with_it = ((1.0,), (-1.0,), (1.0, -1.0))
    found = shown(
        lambda at, _, rng: run(at, OTHERS, 1, rng, mean=True), learned_from=(with_it, ((1.0,), (-1.0,), (1.0,))), mean=True
    )
    assert found > mu_of(LOSS, epochs=1)


def test_a_record_that_stays_in_its_batch() -> None:
    found = shown(lambda at, world, rng: run(at, OTHERS if world else WITH, 6, rng))
    assert found > mu_of(LOSS, epochs=6)


def test_fewer_epochs_than_declared() -> None:
    found = shown(lambda at, _, rng: run(at, OTHERS, 1, rng))
    assert found > mu_of(LOSS, epochs=4)


def test_a_start_that_depends_on_the_data() -> None:
    found = shown(lambda at, _, rng: run(at, OTHERS, 1, rng), epochs=1, starts=(10.0, -10.0))
    assert found > mu_of(LOSS, epochs=1)


def test_an_update_that_stops_within_an_epoch() -> None:
    """After its first batch, with the noise of one step."""
    found = shown(lambda at, _, rng: run(at, OTHERS[:1], 1, rng))
    assert found > mu_of(LOSS, epochs=1)


@pytest.mark.parametrize("clipped", [True, False])
def test_clipped_gradients_that_are_no_scalar_times_the_record(clipped: bool) -> None:
    """A bounded gradient is not enough: the field of clipped convex losses has two basins, and a record chooses one for good.

    Half of each batch has the loss (w-c)'diag(1, 100)(w-c)/2 or the same with the coordinates exchanged; a record with the linear
    loss of slope 1 stands in the second batch.
    """
    smoothness, l2, sigma2, divisor, learning, unlearning = 100.0, 1.5, 4e-6, 333, 250, 650
    rate = 1 / (2 * (l2 + smoothness))
    scales = np.array([[1.0, smoothness], [smoothness, 1.0]])
    toward = np.array([[-0.5, math.sqrt(0.75)], [math.sqrt(0.75), -0.5]])
    across = np.array([1.0, -1.0]) / math.sqrt(2)

    def field(at: Floats) -> Floats:
        total = np.zeros_like(at)
        for scale, one in zip(scales, toward, strict=True):
            gradient = at * scale + 1.5 * one
            norms = np.sqrt(np.square(gradient).sum(axis=1, keepdims=True))
            total += gradient / np.maximum(norms, 1.0) - one if clipped else gradient - 1.5 * one
        return total / 4

    models = []
    for world, rng in enumerate(np.random.default_rng(15).spawn(2)):
        at = 1e-3 * rng.standard_normal((2000, 2))
        for step in range(2 * (learning + unlearning)):
            # In both runs half a record pulls the other way, so that the record alone chooses.
            there = step % 2 == 1 and step < 2 * learning and world == 0
            gradient = field(at) + (across / divisor if there else 0.0) - (step % 2) * across / (2 * divisor)
            at = at - rate * (gradient + l2 * at) + math.sqrt(2 * rate * sigma2) * rng.standard_normal(at.shape)
        models.append(at)
    loss = {"lipschitz": 1.0, "l2": l2, "smoothness": smoothness, "sigma2": sigma2, "batch": divisor, "batches": 2, "rate": rate}
    found = apart(*models, order=2.0).mu
    assert (found > mu_of(loss, epochs=unlearning)) == clipped
