"""Many models at a time are the models that are trained, and unlearned from, one by one, whatever the subsets."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from unittest.mock import patch

import numpy as np
import numpy.typing as npt
from hypothesis import given, settings
from hypothesis import strategies as st

from auditor.learning import batched_logistic, logistic
from auditor.learning import subsets as subsets_module
from auditor.learning.batched_logistic import Damping, descend, minimise_many, remove_many
from auditor.learning.logistic import Objective, minimise
from auditor.learning.residuals import NewtonRemoval, rounding_floor
from auditor.learning.subsets import Table
from small_cases import problem

Floats = npt.NDArray[np.float64]
Bools = npt.NDArray[np.bool_]
TOLERANCE = 1e-10


@contextmanager
def as_large(large: bool) -> Iterator[None]:
    """Treat every table as a large one, or leave it."""
    with ExitStack() as stack:
        for module in (logistic, batched_logistic, subsets_module) if large else ():
            stack.enter_context(patch.object(module, "LARGE", 1))
        yield


seeds = st.integers(0, 1_000_000)
rows = st.integers(4, 40)
columns = st.integers(1, 6)
counts = st.integers(0, 7)
strengths = st.sampled_from([1e-4, 1e-2, 1.0, 1e2])
sigmas = st.sampled_from([0.0, 1.0, 10.0])
kinds = st.sampled_from(["noisy", "separable", "duplicated", "long rows"])


def drawn(seed: int, n: int, d: int, kind: str) -> tuple[Floats, Floats]:
    """A table, shape (n, d), and its signs."""
    features, labels = problem(n, d, seed=seed)
    signs = np.where(labels == 1, 1.0, -1.0)
    if kind == "separable":
        signs = np.where(features[:, 0] > 0, 1.0, -1.0)
    if kind == "duplicated":
        features[1::2] = features[:-1:2]
    return features * (20.0 if kind == "long rows" else 1.0), signs


def subsets(seed: int, count: int, n: int) -> Bools:
    """Subsets of every size from one row to all, shape (count, n)."""
    rng = np.random.default_rng(seed + 1)
    members = rng.random((count, n)) < rng.uniform(0.0, 1.0, size=(count, 1))
    members[np.arange(count), rng.integers(0, n, size=count)] = True
    return members


def norm(objective: Objective, parameters: Floats) -> float:
    return float(np.linalg.norm(objective.gradient(parameters)))


def floor(objective: Objective) -> float:
    """How far rounding alone moves the gradient near the minimiser, where long rows and large weights meet."""
    near = minimise(objective, tolerance=1e-2)
    length = float(np.linalg.norm(near)) * float(np.linalg.norm(objective.features, axis=1).max()) ** 2
    return rounding_floor(objective, near, perturbation_norm=float(np.linalg.norm(objective.perturbation))) + 1e-16 * length


@given(seed=seeds, n=rows, d=columns, count=counts, l2=strengths, sigma=sigmas, kind=kinds, large=st.booleans())
@settings(max_examples=120)
def test_each_minimiser_is_the_one_found_alone(
    seed: int, n: int, d: int, count: int, l2: float, sigma: float, kind: str, large: bool
) -> None:
    least = 1 if large else logistic.LARGE
    with (
        patch.object(logistic, "LARGE", least),
        patch.object(batched_logistic, "LARGE", least),
        patch.object(subsets_module, "LARGE", least),
    ):
        found_as_alone(seed, n, d, count, l2, sigma, kind)


def found_as_alone(seed: int, n: int, d: int, count: int, l2: float, sigma: float, kind: str) -> None:
    features, signs = drawn(seed, n, d, kind)
    members, b = subsets(seed, count, n), np.random.default_rng(seed).normal(0.0, sigma, (count, d))
    own = [Objective(features[chosen], signs[chosen], l2, b[k]) for k, chosen in enumerate(members)]
    tolerance = max([TOLERANCE, *(100 * floor(alone) for alone in own)])
    found = minimise_many(features, signs, members, l2=l2, perturbations=b, tolerance=tolerance)
    assert found.shape == (count, d)
    for k, alone in enumerate(own):
        assert norm(alone, found[k]) <= tolerance
        best = minimise(alone, tolerance=tolerance)
        # Strong convexity; at TOLERANCE that is 1e-8 or less wherever λn_k is at least 0.02.
        assert np.linalg.norm(found[k] - best) <= 2 * tolerance / alone.strength * (1 + 1e-9)


@given(seed=seeds, n=rows, d=columns, count=st.integers(1, 5), size=st.sampled_from([0.0, 1.0, 30.0, 1e4]), kind=kinds)
@settings(max_examples=80)
def test_norms_computed_in_two_ways_differ_by_no_more_than_is_said(
    seed: int, n: int, d: int, count: int, size: float, kind: str
) -> None:
    features, signs = drawn(seed, n, d, kind)
    rng = np.random.default_rng(seed)
    members, b, w = subsets(seed, count, n), rng.normal(size=(count, d)), size * rng.normal(size=(count, d))
    table = Table(features, signs, 1e-2)
    for many in (table.shared(members, b), table.packed(members, b)):
        gradients, errors = many.gradients(w)
        for k in range(count):
            alone = table.objective(members[k], b[k])
            assert abs(np.linalg.norm(gradients[k]) - norm(alone, w[k])) <= errors[k]
            np.testing.assert_allclose(gradients[k], alone.gradient(w[k]), rtol=0, atol=errors[k])
        assert np.all(errors <= 1e-11 * (1 + size) * n * (1.0 if kind != "long rows" else 400.0))


@given(seed=seeds, n=rows, d=columns, count=st.integers(1, 5), size=st.sampled_from([0.0, 1.0, 30.0]), kind=kinds)
@settings(max_examples=80)
def test_hessians_are_those_of_the_objectives(seed: int, n: int, d: int, count: int, size: float, kind: str) -> None:
    features, signs = drawn(seed, n, d, kind)
    members, w = subsets(seed, count, n), size * np.random.default_rng(seed).normal(size=(count, d))
    table = Table(features, signs, 1e-2)
    hessians = table.packed(members, np.zeros((count, d))).hessians(w)
    for k in range(count):
        expected = table.objective(members[k], np.zeros(d)).hessian(w[k])
        np.testing.assert_allclose(hessians[k], expected, rtol=1e-11, atol=1e-13 * np.abs(expected).max())


@given(seed=seeds, n=rows, d=columns, count=st.integers(1, 6), length=st.sampled_from([1e-3, 1.0, 1e3, np.nan]))
@settings(max_examples=80)
def test_no_step_leaves_a_larger_gradient(seed: int, n: int, d: int, count: int, length: float) -> None:
    features, signs = drawn(seed, n, d, "noisy")
    rng = np.random.default_rng(seed)
    members, b, start = subsets(seed, count, n), rng.normal(size=(count, d)), rng.normal(size=(count, d))
    many = Table(features, signs, 1e-2).shared(members, b)
    before, _ = many.gradients(start)
    reached = descend(
        many,
        start,
        lambda _, at, __: length * rng.normal(size=at.shape),  # steps that point anywhere
        Damping(decrease=0.01, shortest=0.1),
        tolerance=1e-3,
    )
    after, _ = many.gradients(reached.parameters)
    kept = np.all(reached.parameters == start, axis=1)
    smaller = np.linalg.norm(after, axis=1) < np.linalg.norm(before, axis=1)
    assert np.all(kept | smaller)
    assert np.all(kept) or not np.isnan(length)
    np.testing.assert_array_equal(reached.done, np.linalg.norm(after, axis=1) <= 1e-3)


@given(
    seed=seeds,
    n=rows,
    d=columns,
    count=counts,
    l2=st.sampled_from([1e-3, 1e-1, 10.0]),
    size=st.sampled_from([0.0, 1.0, 20.0]),
    large=st.booleans(),
)
@settings(max_examples=120)
def test_each_removal_is_the_one_made_alone(seed: int, n: int, d: int, count: int, l2: float, size: float, large: bool) -> None:
    least = 1 if large else logistic.LARGE
    with (
        patch.object(logistic, "LARGE", least),
        patch.object(batched_logistic, "LARGE", least),
        patch.object(subsets_module, "LARGE", least),
    ):
        removed_as_alone(seed, n, d, count, l2, size)


def removed_as_alone(seed: int, n: int, d: int, count: int, l2: float, size: float) -> None:
    features, signs = drawn(seed, n, d, "noisy")
    rng = np.random.default_rng(seed)
    w = size * rng.normal(size=(count, d))
    members = subsets(seed, count, n)
    members[:, :2] = True  # so that one can go and one can stay
    forget = members & (rng.random((count, n)) < rng.uniform(0.0, 1.0, size=(count, 1)))
    forget[:, 1] = False
    removed = remove_many(features, signs, members, forget, l2=l2, parameters=w)
    assert removed.shape == (count, d)
    for k in range(count):
        alone = Objective(features[members[k]], signs[members[k]], l2, np.zeros(d))
        step = NewtonRemoval(alone, w[k]).step(np.flatnonzero(forget[k][members[k]]))
        difference = np.linalg.norm(removed[k] - (w[k] + step))
        assert difference <= 1e-10 * np.linalg.norm(step) + 1e-14 * np.linalg.norm(w[k])
