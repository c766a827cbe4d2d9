"""The certificates of data deletion hold for the chains that the procedure runs, and for no chains that break a premise.

What is left of a deleted record is bounded from below by what many chains show, at a confidence of one in a million: where every
premise holds it stays below the certificate, and one variant for each premise exceeds it. The records are mostly clipped to
slopes that no parameter of the chains changes, so that the chains are Gaussian and their divergence half of the theorem's.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from auditor.learning.noisy_gd import chains
from auditor.learning.noisy_gd.chains import Records
from auditor.learning.noisy_gd.descent import Descent
from auditor.learning.noisy_gd.fields import LinearLoss, MeanGradient
from auditor.maths.certificates import derive
from auditor.maths.certificates.losses import constants
from noisy_chains import Apart, apart, certified

Floats = npt.NDArray[np.float64]

ORDER, L2, CLIP, CHAINS, LEARN = 2.0, 0.25, 0.05, 40_000, 40
RATE = 1 / (2 * (L2 + 0.25))
FLAT = LinearLoss("logistic", 2, clip=CLIP)
WITH = Records(np.ones((2, 1)), np.array([1, 0]))
"""Two records that pull in opposite directions, by the clip wherever a chain comes."""
WITHOUT = WITH.replaced(np.array([0]), np.ones((1, 1)), np.array([0]))
WEAK, STRONG = 0.033, 0.005
"""Noise variances that leave an epsilon_dp of 0.6, and of 4."""


def descent(sigma2: float, *, rate: float = RATE, l2: float = L2) -> Descent:
    return Descent(l2, sigma2, rate)


def declared(sigma2: float, **others: float) -> dict[str, Any]:
    return {"lipschitz": CLIP, "l2": L2, "smoothness": 0.25, "sigma2": sigma2, "n": 2, **others}


class Worlds:
    """Chains that learned with the record and chains that learned without it, which a variant then treats alike."""

    def __init__(
        self,
        seed: int,
        made: Descent,
        *,
        steps: int = LEARN,
        count: int = CHAINS,
        records: tuple[Records, Records] = (WITH, WITHOUT),
    ) -> None:
        self.rngs = np.random.default_rng(seed).spawn(2)
        self.models = [
            chains.run(FLAT, each, made, chains.starts(made, chains=count, size=1, rng=rng), steps=steps, rng=rng)
            for each, rng in zip(records, self.rngs, strict=True)
        ]

    def updated(self, made: Descent, steps: int, records: tuple[Records, Records] = (WITHOUT, WITHOUT)) -> Worlds:
        pairs = zip(self.models, records, self.rngs, strict=True)
        self.models = [chains.run(FLAT, each, made, models, steps=steps, rng=rng) for models, each, rng in pairs]
        return self

    def apart(self) -> Apart:
        return apart(*self.models, order=ORDER)


# Where every premise holds.


@pytest.mark.parametrize("sigma2", [WEAK, STRONG])
@pytest.mark.parametrize("steps", [0, 2, 6])
def test_sound_chains_stay_below(sigma2: float, steps: int) -> None:
    """And not by much: what bounds nothing would pass as well."""
    made = descent(sigma2)
    found = Worlds(1, made).updated(made, steps).apart()
    bound = certified(declared(sigma2), order=ORDER, steps=steps, learn_steps=LEARN)
    assert found.epsilon <= bound.epsilon
    assert found.mu <= bound.mu
    if steps <= 2:
        assert found.mu >= 0.3 * bound.mu
    if steps == 0:
        assert found.epsilon >= 0.1 * bound.epsilon


def test_a_deletion_stays_below_the_certificate_for_the_set_that_held_it() -> None:
    """The record leaves, and the mean is over fewer: n is that of the set that it was part of."""
    made = descent(WEAK)
    before = Records(np.ones((3, 1)), np.array([1, 1, 0]))
    found = chains.simulate(
        FLAT,
        before,
        before.without(np.array([0])),
        made,
        chains=CHAINS,
        learn_steps=LEARN,
        unlearn_steps=1,
        rng=np.random.default_rng(2),
    )
    learned = apart(found.learned, found.learned_without, order=ORDER)
    after = apart(found.unlearned, found.unlearned_without, order=ORDER)
    bounds = [certified(declared(WEAK, n=3), order=ORDER, steps=steps) for steps in (0, 1)]
    for lower, bound in zip((learned, after), bounds, strict=True):
        assert 0 < lower.epsilon <= bound.epsilon
        assert 0 < lower.mu <= bound.mu


@pytest.mark.slow
@pytest.mark.parametrize("loss", ["logistic", "softmax"])
@pytest.mark.parametrize("seed", range(4))
def test_chains_on_ordinary_records_stay_below(loss: Any, seed: int) -> None:
    """Nothing is clipped or flat here; the record that goes is the longest one, with its label turned."""
    rng = np.random.default_rng(seed)
    classes = 2 if loss == "logistic" else 3
    features = rng.normal(size=(12, 3))
    features /= np.maximum(1.0, np.linalg.norm(features, axis=1))[:, None]
    before = Records(features, (np.arange(12) + (features[:, 0] > 0)) % classes)
    target = np.array([int(np.argmax(np.linalg.norm(features, axis=1)))])
    replaced = before.replaced(target, features[target], (before.labels[target] + 1) % classes)
    known = constants(loss)
    l2 = 0.05
    made = Descent(l2, 0.02, 1 / (2 * (l2 + known.smoothness)))
    base = {"lipschitz": known.lipschitz, "l2": l2, "smoothness": known.smoothness, "sigma2": 0.02, "n": 12}
    for after in (before.without(target), replaced):
        for steps in (0, 3, 20):
            found = chains.simulate(
                LinearLoss(loss, classes), before, after, made, chains=CHAINS // 4, learn_steps=80, unlearn_steps=steps, rng=rng
            )
            lower = apart(found.unlearned, found.unlearned_without, order=ORDER)
            bound = certified(base, order=ORDER, steps=steps, learn_steps=80)
            assert lower.epsilon <= bound.epsilon
            assert lower.mu <= bound.mu
            assert steps or lower.mu >= 0.05 * bound.mu


def test_the_width_of_the_start_is_no_premise_as_long_as_it_ignores_the_data() -> None:
    """The trade-off's proof asks for no variance: even from a point the chains stay below both certificates."""
    made = descent(WEAK)
    rngs = np.random.default_rng(3).spawn(2)
    for steps in (1, 4, LEARN):
        models = [
            chains.run(FLAT, each, made, np.zeros((CHAINS, 1)), steps=steps, rng=rng)
            for each, rng in zip((WITH, WITHOUT), rngs, strict=True)
        ]
        found, bound = apart(*models, order=ORDER), certified(declared(WEAK), order=ORDER, steps=0, learn_steps=steps)
        assert 0 < found.epsilon <= bound.epsilon
        assert 0 < found.mu <= bound.mu


# One variant for each premise: what they leave exceeds both certificates for what was declared.


def exceeds(found: Apart, sigma2: float, *, steps: int, **others: float) -> None:
    bound = certified(declared(sigma2, **others), order=ORDER, steps=steps)
    assert found.epsilon > bound.epsilon
    assert found.mu > bound.mu


def test_noise_left_out_of_unlearning() -> None:
    """Both worlds come as close as their chains do, and can be told apart as well as before."""
    exceeds(Worlds(4, descent(STRONG)).updated(descent(1e-30), 24).apart(), STRONG, steps=24)


@pytest.mark.parametrize("steps", [0, 2])
def test_noise_of_less_than_the_declared_variance(steps: int) -> None:
    small = descent(WEAK / 30)
    exceeds(Worlds(5, small).updated(small, steps).apart(), WEAK, steps=steps)


def test_steps_shorter_than_the_theorems() -> None:
    exceeds(Worlds(6, descent(STRONG)).updated(descent(STRONG, rate=RATE / 50), 48).apart(), STRONG, steps=48)


def test_steps_longer_than_the_theorems() -> None:
    """Near 2/l2 a step overshoots by almost as much as it mends."""
    l2, sigma2 = 0.1, 5e-4
    long = Descent(l2, sigma2, 1.995 / l2)
    one, other = Records(np.ones((1, 1)), np.array([1])), Records(np.ones((1, 1)), np.array([0]))
    worlds = Worlds(7, long, steps=800, records=(one, other)).updated(long, 200, (other, other))
    exceeds(worlds.apart(), sigma2, steps=200, l2=l2, n=1)


def test_fewer_steps_than_declared() -> None:
    made = descent(STRONG)
    exceeds(Worlds(8, made).updated(made, 4).apart(), STRONG, steps=64)


def test_a_regulariser_weaker_than_declared() -> None:
    weak = descent(WEAK, l2=L2 / 40)
    exceeds(Worlds(9, weak, steps=600, count=CHAINS // 2).apart(), WEAK, steps=0)


def test_rows_longer_than_one() -> None:
    """A record of length 10 has ten times the slope; the others have none, so that little else bends."""
    features = np.zeros((100, 1))
    features[0] = 10.0
    before = Records(features, np.eye(100, dtype=np.int64)[0])
    after = before.replaced(np.array([0]), features[:1], np.array([0]))
    sigma2 = 0.005
    found = chains.simulate(
        LinearLoss("logistic", 2),
        before,
        after,
        descent(sigma2),
        chains=10_000,
        learn_steps=30,
        unlearn_steps=0,
        rng=np.random.default_rng(10),
    )
    lower = apart(found.learned, found.learned_without, order=ORDER)
    exceeds(lower, sigma2, steps=0, lipschitz=1.0, n=100)
    scaled = Records(features / 10, before.labels), Records(features / 10, after.labels)
    found = chains.simulate(
        LinearLoss("logistic", 2),
        *scaled,
        descent(sigma2),
        chains=10_000,
        learn_steps=30,
        unlearn_steps=0,
        rng=np.random.default_rng(10),
    )
    lower = apart(found.learned, found.learned_without, order=ORDER)
    assert lower.epsilon <= certified(declared(sigma2, lipschitz=1.0, n=100), order=ORDER, steps=0).epsilon


def test_a_start_that_depends_on_the_data() -> None:
    made = descent(WEAK)
    rngs = np.random.default_rng(11).spawn(2)
    models = [
        chains.run(FLAT, each, made, chains.starts(made, chains=CHAINS, size=1, rng=rng) + 2.0 * label, steps=4, rng=rng)
        for each, label, rng in zip((WITH, WITHOUT), (1, -1), rngs, strict=True)
    ]
    exceeds(apart(*models, order=ORDER), WEAK, steps=0)


def test_the_mean_of_the_iterates_in_place_of_the_last() -> None:
    """Early iterates keep the record, and averaging takes away the noise that would hide it."""
    made = descent(STRONG)
    worlds = Worlds(12, made)
    totals = [np.zeros_like(each) for each in worlds.models]
    for _ in range(64):
        totals = [total + each for total, each in zip(totals, worlds.updated(made, 1).models, strict=True)]
    exceeds(apart(*totals, order=ORDER), STRONG, steps=64)


def test_a_record_that_stays_in_the_mean() -> None:
    made = descent(STRONG)
    exceeds(Worlds(13, made).updated(made, 40, (WITH, WITHOUT)).apart(), STRONG, steps=40)


def test_a_velocity_carried_from_one_update_to_the_next() -> None:
    """A mean of past gradients still holds the deleted record's, however many noisy steps follow."""
    memory = 0.99
    made = descent(STRONG)
    models = []
    for records, rng in zip((WITH, WITHOUT), np.random.default_rng(14).spawn(2), strict=True):
        at, velocity = chains.starts(made, chains=CHAINS, size=1, rng=rng), 0.0
        for step in range(300 + 40):
            gradient = MeanGradient(FLAT, *_arrays(records if step < 300 else WITHOUT))(at)
            velocity = memory * velocity + (1 - memory) * gradient
            at = at - RATE * (velocity + L2 * at) + made.deviation * rng.standard_normal(at.shape)
        models.append(at)
    exceeds(apart(*models, order=ORDER), STRONG, steps=40)


@pytest.mark.parametrize("clipped", [True, False])
def test_clipped_gradients_that_are_no_scalar_times_the_record(clipped: bool) -> None:
    """Remark 5.3 would allow them. The mean field of these convex losses has two basins once their gradients are clipped.

    A quarter of the records have the loss (w−c)ᵀdiag(1, 100)(w−c)/2, a quarter the same with the coordinates exchanged, and
    the rest linear losses that balance both at 0. A linear record with slope ±1 chooses the basin, and no step after it is gone
    leads out again: what is left does not fade. Without clipping one basin is left, and the theorem holds.
    """
    smoothness, l2, sigma2, n, learning, unlearning = 100.0, 1.5, 4e-6, 666, 500, 1300
    rate = 1 / (2 * (l2 + smoothness))
    scales = np.array([[1.0, smoothness], [smoothness, 1.0]])
    toward = np.array([[-0.5, math.sqrt(0.75)], [math.sqrt(0.75), -0.5]])
    apart_ = np.array([1.0, -1.0]) / math.sqrt(2)

    def field(at: Floats) -> Floats:
        total = np.zeros_like(at)
        for scale, one in zip(scales, toward, strict=True):
            # The centre is where the gradient at 0 is 1.5 times a unit vector, above the clip of 1.
            gradient = at * scale + 1.5 * one
            norms = np.sqrt(np.square(gradient).sum(axis=1, keepdims=True))
            total += gradient / np.maximum(norms, 1.0) - one if clipped else gradient - 1.5 * one
        return total / 4

    models = []
    for sign, rng in zip((1.0, -1.0), np.random.default_rng(15).spawn(2), strict=True):
        at = math.sqrt(sigma2 / (l2 * (1 - rate * l2 / 2))) * rng.standard_normal((2000, 2))
        for step in range(learning + unlearning):
            slope = sign if step < learning else -1.0
            gradient = (1 - 1 / n) * field(at) + slope / n * apart_
            at = at - rate * (gradient + l2 * at) + math.sqrt(2 * rate * sigma2) * rng.standard_normal(at.shape)
        models.append(at)
    found = apart(*models, order=ORDER)
    loss = {"lipschitz": 1.0, "l2": l2, "smoothness": smoothness, "sigma2": sigma2, "n": n}
    bound = certified(loss, order=ORDER, steps=unlearning)
    assert (found.epsilon > bound.epsilon) == clipped
    assert (found.mu > bound.mu) == clipped


# Requests that depend on a model that was seen (Theorem 4.3).


def test_adaptive_requests_stay_below_theorem_four_three_and_exceed_its_certificate_for_none() -> None:
    """The requester sees the first model, and writes which side of 0 it lies on into the records that stay."""
    made, steps = descent(STRONG), 56
    bound = derive("noisy-gd-convex", {**declared(STRONG, n=3), "q": ORDER, "steps": steps}).outputs
    models = []
    for label, rng in zip((1, 0), np.random.default_rng(16).spawn(2), strict=True):
        first = Records(np.ones((3, 1)), np.array([label, 1, 0]))
        learned = chains.run(FLAT, first, made, chains.starts(made, chains=CHAINS, size=1, rng=rng), steps=LEARN, rng=rng)
        seen, ended = learned[:, 0] > 0, np.empty_like(learned)
        for said in (True, False):
            written = first.replaced(np.array([1, 2]), np.ones((2, 1)), np.array([int(said)] * 2))
            gone = written.replaced(np.array([0]), np.ones((1, 1)), np.array([0]))
            at = chains.run(FLAT, written, made, learned[seen == said], steps=steps, rng=rng)
            ended[seen == said] = chains.run(FLAT, gone, made, at, steps=steps, rng=rng)
        # In a random order: halves are taken of them.
        models.append(rng.permutation(ended))
    found = apart(*models, order=ORDER)
    assert found.epsilon > bound["epsilon_dd"]
    adaptive = derive("adaptive", {"epsilon_dd": bound["epsilon_dd"], "epsilon_dp": bound["epsilon_dp"], "seen": 1})
    assert found.epsilon <= adaptive.outputs["epsilon"]


def _arrays(records: Records) -> tuple[Floats, npt.NDArray[np.int64]]:
    return records.features, records.labels
