"""What a plan says of a setting is what the procedure does at it; and the noise that it asks for is enough."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Literal

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from auditor.base.records import Dataset, Positions
from auditor.maths.certificates import derive
from auditor.maths.tradeoff.reading import right_guesses
from auditor.parts.removal.learning.certified_removal import CertifiedRemoval
from auditor.parts.removal.planning import noise_at_release, walking
from auditor.parts.removal.planning.document import Setting, Target
from auditor.parts.removal.planning.noise_at_release import kept
from auditor.parts.removal.planning.search import epsilon_for
from auditor.parts.removal.planning.walking import Task, round_up

TARGET = Target(5, 1.0, 1e-4)
SEEDS = (11, 12, 13)


def made(seed: int, *, rows: int = 40, classes: int = 2, distribution: Literal["gaussian", "laplace"] = "gaussian") -> Task:
    """A small problem with rows of norm at most 1; no labels, but real targets, for one class."""
    rng = np.random.default_rng(seed)
    features = rng.normal(size=(rows, 4))
    features /= np.maximum(1.0, np.linalg.norm(features, axis=1))[:, None]
    labels = np.arange(rows) % classes if classes > 1 else features @ rng.normal(size=4) + 0.1 * rng.normal(size=rows)
    data = Dataset(features, labels, np.array([f"r{row}" for row in range(rows)]))
    known = np.unique(labels) if classes > 1 else np.empty(0)
    loss: Literal["logistic", "least-squares"] = "logistic" if classes > 1 else "least-squares"
    return Task(data, None, known, loss, False, distribution, 1e-9, 1.0, None, None, ())


def orders(task: Task, seed: int) -> list[Positions]:
    rng = np.random.default_rng(seed)
    return [rng.permutation(len(task.train))[: 2 * TARGET.deletions] for _ in SEEDS]


def counted(task: Task, procedure: CertifiedRemoval, seed: int, order: Positions) -> int:
    """Deletions that the procedure itself serves before it trains anew."""
    model, left = procedure.learn(task.train, seed), np.arange(len(task.train))
    for served, row in enumerate(order):
        forget = np.flatnonzero(left == row)
        model = procedure.unlearn(model, task.train.subset(left), forget, seed + 1 + served)
        if model.retrained:
            return served
        left = np.delete(left, forget)
    return len(order)


def planned(task: Task, l2: float, sigma: float, seed: int, target: Target = TARGET) -> Setting:
    drawn = orders(task, seed)
    norms = [walking.spectral_norms(task.train, each) for each in drawn]
    return noise_at_release.setting(task, target, l2=l2, sigma=sigma, seed=seed, seeds=SEEDS, orders=drawn, norms=norms)


@settings(max_examples=25, deadline=None)
@given(
    seed=st.integers(0, 10_000),
    l2=st.sampled_from((1e-3, 1e-2, 1e-1)),
    sigma=st.sampled_from((0.03, 0.3, 1.0)),
    classes=st.sampled_from((1, 2, 3)),
    distribution=st.sampled_from(("gaussian", "laplace")),
)
def test_loss_perturbation_serves_what_the_procedure_serves(
    seed: int, l2: float, sigma: float, classes: int, distribution: Literal["gaussian", "laplace"]
) -> None:
    task = made(seed, classes=classes, distribution=distribution)
    found = planned(task, l2, sigma, seed)
    assert found.served is not None
    procedure = replace(task.procedure(l2=l2, sigma=sigma), epsilon=TARGET.epsilon, delta=TARGET.delta, retrain_at_budget=True)
    drawn = orders(task, seed)
    assert found.served.orders == tuple(counted(task, procedure, each, order) for each, order in zip(SEEDS, drawn, strict=True))
    worst = walking.worst_margin_first(task, procedure.learn(task.train, SEEDS[0]))[: len(drawn[0])]
    assert found.served.worst_margin == counted(task, procedure, SEEDS[0], worst)
    assert found.serves == (found.served.median >= TARGET.deletions)


@settings(max_examples=25, deadline=None)
@given(seed=st.integers(0, 10_000), classes=st.sampled_from((1, 2, 3)), distribution=st.sampled_from(("gaussian", "laplace")))
def test_what_is_spent_is_what_the_procedure_carries(
    seed: int, classes: int, distribution: Literal["gaussian", "laplace"]
) -> None:
    task = made(seed, classes=classes, distribution=distribution)
    declared = replace(task.procedure(l2=1e-2, sigma=0.3), epsilon=1e6, delta=0.5, retrain_at_budget=True)
    order = orders(task, seed)[0]
    model, left, carried = declared.learn(task.train, 1), np.arange(len(task.train)), []
    walked = walking.spent(task, declared, model, order, walking.spectral_norms(task.train, order))
    for row in order:
        forget = np.flatnonzero(left == row)
        model = declared.unlearn(model, task.train.subset(left), forget, 2)
        assert not model.retrained
        carried.append(math.hypot(*model.spent) if distribution == "gaussian" else math.fsum(model.spent))
        left = np.delete(left, forget)
    # A squared loss spends rounding alone, which the order of a sum changes.
    expected = pytest.approx(carried, rel=1e-9, abs=1e-15)
    assert list(walked) == expected
    assert list(walking.spent(task, declared, declared.learn(task.train, 1), order, None)) == expected


@settings(max_examples=20, deadline=None)
@given(seed=st.integers(0, 10_000), l2=st.sampled_from((1e-3, 1e-2, 1e-1)), classes=st.sampled_from((1, 2, 3)))
def test_output_noise_serves_what_the_procedure_serves(seed: int, l2: float, classes: int) -> None:
    task, drawn = made(seed, classes=classes), orders(made(seed, classes=classes), seed)
    hidden, _, bare = noise_at_release.settings(task, TARGET, l2=l2, seed=seed, seeds=SEEDS, orders=drawn)
    assert hidden.serves
    assert hidden.served is not None
    assert bare.accuracy is not None
    procedure = task.procedure(l2=l2, sigma=0.0, release_noise=hidden.release_noise, residual_budget=hidden.residual_budget)
    found = tuple(counted(task, procedure, each, order) for each, order in zip(SEEDS, drawn, strict=True))
    assert hidden.served.orders == found


@settings(max_examples=25, deadline=None)
@given(seed=st.integers(0, 10_000), sigma=st.sampled_from((0.1, 0.3, 1.0)))
def test_the_epsilon_needed_is_the_smallest_that_serves(seed: int, sigma: float) -> None:
    task = made(seed)
    needed = planned(task, 1e-2, sigma, seed).epsilon_needed
    if needed is None:
        return
    assert planned(task, 1e-2, sigma, seed, replace(TARGET, epsilon=needed * (1 + 1e-9) + 1e-12)).serves
    if needed > 1e-6:
        assert not planned(task, 1e-2, sigma, seed, replace(TARGET, epsilon=needed * (1 - 1e-6))).serves


@settings(max_examples=60, deadline=None)
@given(
    seed=st.integers(0, 10_000),
    l2=st.sampled_from((1e-3, 1e-2, 1.0)),
    classes=st.sampled_from((2, 3)),
    removed=st.integers(1, 20),
    one_sided=st.booleans(),
)
def test_minimisers_lie_no_farther_apart_than_differential_privacy_takes_them_to(
    seed: int, l2: float, classes: int, removed: int, one_sided: bool
) -> None:
    task = made(seed, rows=30, classes=classes)
    rng = np.random.default_rng(seed)
    # All of one label gone is what moves a minimiser most.
    order = np.argsort(task.train.labels, kind="stable") if one_sided else rng.permutation(30)
    procedure: CertifiedRemoval = task.procedure(l2=l2, sigma=0.0)
    kept = np.sort(order[removed:])
    if len(np.unique(task.train.labels[kept])) < classes:
        return
    with_all, without = (procedure.learn(data, 0).weights for data in (task.train, task.train.subset(kept)))
    bound = noise_at_release.distance(l2=l2, rows=30, removed=removed, row_norm=1.0, models=task.models, tolerance=1e-9)
    assert np.linalg.norm(with_all - without) <= bound


def test_the_distance_by_hand() -> None:
    # 2 · 5 people · C = 1, over 0.01 · 95 records, times √1; and √3 times as much for three classifiers.
    one = noise_at_release.distance(l2=0.01, rows=100, removed=5, row_norm=1.0, models=1, tolerance=0.0)
    assert one == pytest.approx(10.5263157895, rel=1e-10)
    three = noise_at_release.distance(l2=0.01, rows=100, removed=5, row_norm=1.0, models=3, tolerance=0.0)
    assert three == pytest.approx(math.sqrt(3) * one, rel=1e-12)


@given(
    residual=st.floats(1e-9, 10.0),
    epsilon=st.floats(0.01, 20.0),
    l2=st.floats(1e-6, 1.0),
    rows=st.integers(1, 10**6),
)
@settings(deadline=None)
def test_the_noise_is_enough_and_hardly_more(residual: float, epsilon: float, l2: float, rows: int) -> None:
    target = Target(1, epsilon, 1e-5)
    noise = noise_at_release.noise_for(residual, target, l2=l2, rows=rows)

    def spent(deviation: float) -> float:
        inputs = {"l2": l2, "rows": [rows], "release_noise": deviation, "delta": target.delta, "residual": residual}
        return float(derive("output-noise", inputs).outputs["epsilon_spent"] or 0.0)

    assert spent(noise) <= epsilon
    assert spent(0.98 * noise) > epsilon


@given(value=st.floats(1e-12, 1e12))
def test_rounding_up_is_up_and_by_no_more_than_two_and_a_half(value: float) -> None:
    found = round_up(value)
    assert value <= found <= 2.5 * value * (1 + 1e-12)
    assert f"{found:.0e}"[0] in "125"


@pytest.mark.parametrize("distribution", ["gaussian", "laplace"])
@given(st.floats(0.51, 0.95))
def test_a_target_in_right_guesses_leaves_no_more_and_hardly_fewer(
    distribution: Literal["gaussian", "laplace"], guesses: float
) -> None:
    task = made(0, distribution=distribution)
    found = epsilon_for(task, guesses, 1e-5)
    assert guesses - 1e-6 <= right_guesses(kept(task, Target(1, found, 1e-5))) <= guesses


@settings(max_examples=5)
@given(st.integers(0, 100), st.floats(0.05, 3))
def test_what_serves_a_target_leaves_no_more_right_guesses_than_the_target(seed: int, sigma: float) -> None:
    """In the median order; a budget that is kept is a shift that is no larger than the budget's."""
    task = made(seed)
    row = planned(task, 1e-2, sigma, seed)
    if row.right_guesses is not None:
        assert row.serves == (row.right_guesses <= right_guesses(kept(task, TARGET)))
