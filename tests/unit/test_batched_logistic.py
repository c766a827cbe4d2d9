"""Many models at a time: the ways to the minimisers, what is refused, and how much memory it takes."""

from __future__ import annotations

import tracemalloc

import numpy as np
import numpy.typing as npt
import pytest

from auditor.learning import batched_logistic
from auditor.learning.batched_logistic import Damping, minimise_many, remove_many
from auditor.learning.logistic import Objective, minimise
from auditor.learning.subsets import Table, blocks
from small_cases import problem

Floats = npt.NDArray[np.float64]
Bools = npt.NDArray[np.bool_]


def table(n: int = 60, d: int = 5) -> tuple[Floats, Floats]:
    features, labels = problem(n, d, seed=3)
    return features, np.where(labels == 1, 1.0, -1.0)


def halves(count: int, n: int) -> Bools:
    return np.random.default_rng(4).random((count, n)) < 0.5


def largest_norm(features: Floats, signs: Floats, members: Bools, l2: float, b: Floats, found: Floats) -> float:
    own = [Objective(features[rows], signs[rows], l2, b[k]) for k, rows in enumerate(members)]
    return max(float(np.linalg.norm(objective.gradient(found[k]))) for k, objective in enumerate(own))


@pytest.fixture
def one_by_one(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """How many rows each problem had that was minimised alone."""
    sizes: list[int] = []

    def counted(objective: Objective, **settings: object) -> Floats:
        sizes.append(len(objective.features))
        return minimise(objective, **settings)

    monkeypatch.setattr(batched_logistic, "minimise", counted)
    return sizes


def test_subsets_that_share_rows_need_no_minimiser_but_the_pooled_one(
    one_by_one: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(batched_logistic, "_newton_steps", None)
    features, signs = table(400, 6)
    members, b = halves(30, 400), np.random.default_rng(5).normal(size=(30, 6))
    found = minimise_many(features, signs, members, l2=1e-2, perturbations=b, tolerance=1e-7)
    assert one_by_one == [400]
    assert largest_norm(features, signs, members, 1e-2, b, found) <= 1e-7


def test_subsets_that_share_no_row_are_reached_by_newton_steps(one_by_one: list[int]) -> None:
    features, signs = table()
    members, b = np.eye(60, dtype=bool), 0.1 * np.random.default_rng(5).normal(size=(60, 5))
    found = minimise_many(features, signs, members, l2=1e-2, perturbations=b, tolerance=1e-9)
    assert one_by_one == [60]
    assert largest_norm(features, signs, members, 1e-2, b, found) <= 1e-9


def test_what_no_common_step_serves_goes_one_by_one(one_by_one: list[int], monkeypatch: pytest.MonkeyPatch) -> None:
    # No norm is below zero: no step is accepted.
    monkeypatch.setattr(batched_logistic, "CHORDS", Damping(decrease=2.0, shortest=1.0))
    monkeypatch.setattr(batched_logistic, "NEWTON", Damping(decrease=2.0, shortest=1.0))
    features, signs = table()
    members, b = halves(4, 60), np.zeros((4, 5))
    found = minimise_many(features, signs, members, l2=1e-2, perturbations=b, tolerance=1e-9)
    assert one_by_one == [members.any(axis=0).sum(), *members.sum(axis=1)]
    assert largest_norm(features, signs, members, 1e-2, b, found) <= 1e-9


def test_a_problem_that_the_warm_start_does_not_serve_starts_from_zero(monkeypatch: pytest.MonkeyPatch) -> None:
    def fails_warm(objective: Objective, *, tolerance: float, start: Floats | None = None) -> Floats:
        if start is not None:
            raise ArithmeticError("a bad start")
        return minimise(objective, tolerance=tolerance)

    monkeypatch.setattr(batched_logistic, "minimise", fails_warm)
    monkeypatch.setattr(batched_logistic, "CHORDS", Damping(decrease=2.0, shortest=1.0))
    monkeypatch.setattr(batched_logistic, "NEWTON", Damping(decrease=2.0, shortest=1.0))
    features, signs = table()
    members, b = halves(3, 60), np.ones((3, 5))
    found = minimise_many(features, signs, members, l2=1e-2, perturbations=b, tolerance=1e-9)
    assert largest_norm(features, signs, members, 1e-2, b, found) <= 1e-9


def test_a_minimiser_worked_out_by_hand() -> None:
    # One row x = y = 1 and b = 0: −1/(1 + e^w) + λw = 0 at w = ln 3 where λ = 1/(4 ln 3). Two such rows give the same w.
    members = np.array([[True, False], [True, True]])
    found = minimise_many(
        np.ones((2, 1)), np.ones(2), members, l2=0.25 / np.log(3), perturbations=np.zeros((2, 1)), tolerance=1e-13
    )
    np.testing.assert_allclose(found, np.full((2, 1), 1.0986122886681098), rtol=1e-12)


@pytest.mark.parametrize(("shared", "packed"), [(1, 1), (130, 130), (1 << 20, 1)])
def test_blocks_change_nothing_but_memory(shared: int, packed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    features, signs = table()
    members, b = halves(9, 60), 3.0 * np.random.default_rng(6).normal(size=(9, 5))
    forget = members & (np.arange(60) < 9)
    whole = minimise_many(features, signs, members, l2=1e-2, perturbations=b, tolerance=1e-10)
    removed = remove_many(features, signs, members, forget, l2=1e-2, parameters=whole)
    monkeypatch.setattr(batched_logistic, "SHARED_NUMBERS", shared)
    monkeypatch.setattr(batched_logistic, "PACKED_NUMBERS", packed)
    cut = minimise_many(features, signs, members, l2=1e-2, perturbations=b, tolerance=1e-10)
    np.testing.assert_allclose(cut, whole, rtol=0, atol=1e-8)
    again = remove_many(features, signs, members, forget, l2=1e-2, parameters=whole)
    np.testing.assert_allclose(again, removed, rtol=1e-12)


def test_blocks_cover_every_position_once() -> None:
    positions = np.array([5, 3, 8, 1, 0])
    assert [piece.tolist() for piece in blocks(positions, each=10, most=25)] == [[5, 3], [8, 1], [0]]
    assert [piece.tolist() for piece in blocks(positions, each=100, most=25)] == [[5], [3], [8], [1], [0]]
    assert [piece.tolist() for piece in blocks(positions, each=0, most=25)] == [[5, 3, 8, 1, 0]]
    assert list(blocks(positions[:0], each=10, most=25)) == []


@pytest.mark.parametrize("damping", [batched_logistic.CHORDS, Damping(decrease=2.0, shortest=1.0)])
def test_memory_stays_far_below_a_copy_of_the_rows_for_every_problem(damping: Damping, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(batched_logistic, "CHORDS", damping)
    features, signs = table(1500, 60)
    members, b = halves(400, 1500), np.zeros((400, 60))
    assert members.sum() * 60 * 8 > 140e6
    tracemalloc.start()
    found = minimise_many(features, signs, members, l2=1e-2, perturbations=b, tolerance=1e-4)
    remove_many(features, signs, members, members & (np.arange(1500) < 50), l2=1e-2, parameters=found)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 70e6


def test_no_problem_at_all_is_an_empty_answer() -> None:
    features, signs = table()
    none, nothing = np.zeros((0, 60), dtype=bool), np.zeros((0, 5))
    assert minimise_many(features, signs, none, l2=1.0, perturbations=nothing, tolerance=1e-9).shape == (0, 5)
    assert remove_many(features, signs, none, none, l2=1.0, parameters=nothing).shape == (0, 5)


def test_a_problem_without_rows_has_a_minimiser_only_without_a_perturbation() -> None:
    features, signs = table()
    members = np.stack([np.zeros(60, dtype=bool), np.ones(60, dtype=bool)])
    found = minimise_many(features, signs, members, l2=1.0, perturbations=np.zeros((2, 5)), tolerance=1e-9)
    np.testing.assert_array_equal(found[0], np.zeros(5))
    with pytest.raises(ArithmeticError, match="declare a larger tolerance"):
        minimise_many(features, signs, members, l2=1.0, perturbations=np.ones((2, 5)), tolerance=1e-9)


def test_rows_of_no_subset_play_no_part() -> None:
    features, signs = table()
    members, b = halves(6, 60) & (np.arange(60) > 0), np.zeros((6, 5))
    clean = minimise_many(features, signs, members, l2=1e-2, perturbations=b, tolerance=1e-9)
    features[0] = np.nan
    spoilt = minimise_many(features, signs, members, l2=1e-2, perturbations=b, tolerance=1e-9)
    np.testing.assert_allclose(spoilt, clean, rtol=0, atol=1e-8)


def spoilt(value: float) -> Floats:
    features, _ = table()
    features[7, 2] = value
    return features


@pytest.mark.parametrize(
    ("features", "l2", "tolerance"),
    [
        (table()[0], 1e-2, 0.0),
        (table()[0], 1e-2, 1e-300),
        (table()[0], 1e-2, np.nan),
        (np.full((60, 5), 1e200), 1e-2, 1e-8),
        (spoilt(np.nan), 1e-2, 1e-8),
        (spoilt(np.inf), 1e-2, 1e-8),
    ],
)
@pytest.mark.filterwarnings("ignore:overflow", "ignore:invalid value")
def test_what_float64_cannot_do_is_refused(features: Floats, l2: float, tolerance: float) -> None:
    members, b = np.ones((3, 60), dtype=bool), np.ones((3, 5))
    with pytest.raises(ArithmeticError, match="declare a larger tolerance"):
        minimise_many(features, table()[1], members, l2=l2, perturbations=b, tolerance=tolerance)


def test_without_a_pooled_minimiser_every_problem_still_has_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    features, signs = table()
    members, b = halves(6, 60), np.ones((6, 5))
    pooled = members.any(axis=0).sum()

    def fails_on_all_rows(objective: Objective, **settings: object) -> Floats:
        if len(objective.features) == pooled:
            raise ArithmeticError("out of reach")
        return minimise(objective, **settings)

    monkeypatch.setattr(batched_logistic, "minimise", fails_on_all_rows)
    found = minimise_many(features, signs, members, l2=1e-2, perturbations=b, tolerance=1e-9)
    assert largest_norm(features, signs, members, 1e-2, b, found) <= 1e-9


def test_shapes_that_do_not_fit_are_refused() -> None:
    features, signs = table()
    members = halves(3, 60)
    with pytest.raises(ValueError, match="do not fit"):
        minimise_many(features, signs, members, l2=1.0, perturbations=np.zeros((2, 5)), tolerance=1.0)
    with pytest.raises(ValueError, match="do not fit"):
        minimise_many(features, signs, members[:, :59], l2=1.0, perturbations=np.zeros((3, 5)), tolerance=1.0)
    with pytest.raises(ValueError, match="do not fit"):
        remove_many(features, signs, members, members, l2=1.0, parameters=np.zeros((3, 4)))


def test_only_members_can_be_forgotten_and_not_all_of_them() -> None:
    features, signs = table()
    members = halves(3, 60)
    with pytest.raises(ValueError, match="not a subset of the members"):
        remove_many(features, signs, members, ~members, l2=1.0, parameters=np.zeros((3, 5)))
    with pytest.raises(ValueError, match="not a subset of the members"):
        remove_many(features, signs, members, members[:2], l2=1.0, parameters=np.zeros((3, 5)))
    with pytest.raises(ValueError, match="leaves no record"):
        remove_many(features, signs, members, members, l2=1.0, parameters=np.zeros((3, 5)))


def test_a_singular_hessian_takes_no_step() -> None:
    ones = np.ones((1, 1))
    subsets = Table(ones, np.ones(1), 0.0).packed(np.ones((1, 1), dtype=bool), np.zeros((1, 1)))
    np.testing.assert_array_equal(batched_logistic._newton_steps(subsets, np.full((1, 1), 2e3), ones), np.zeros((1, 1)))
