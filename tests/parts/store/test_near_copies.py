"""Copies of deleted records among the retained ones: equal or nearly so, whatever their ids."""

from __future__ import annotations

import functools
import itertools
from datetime import UTC, datetime

import numpy as np
import pytest
from sklearn.datasets import load_iris

from auditor.base.deletion_log.requests import Request
from auditor.base.mixed_columns import Column, Columns, Kind
from auditor.base.records import Dataset
from auditor.maths.statistics import larger_share_p
from auditor.parts.store.judging.accounting import Concerned
from auditor.parts.store.judging.near_copies import Copies
from auditor.parts.store.observing import near_copies as near_copies_module
from auditor.parts.store.observing.near_copies import SHARE_OF_MEDIAN, near_copies
from benchmarks import near_copies as simulated

AT = datetime(2026, 1, 1, tzinfo=UTC)


def data(features: np.ndarray, table: Columns | None = None) -> Dataset:
    labels, ids = np.zeros(len(features), dtype=np.int64), np.array([f"r{row}" for row in range(len(features))])
    return Dataset(features, labels, ids, table=table)


def found(features: np.ndarray, *deleted: int) -> Copies:
    requests = [Request(row, f"Q{row}", (f"r{row}",), AT) for row in deleted]
    copies = near_copies(data(features), np.array(deleted, dtype=np.int64), requests)
    assert copies is not None
    return copies


@pytest.fixture
def rows() -> np.ndarray:
    return np.random.default_rng(0).normal(size=(200, 6)) * [1, 10, 1e6, 1e-6, 1, 1] + [0, 0, 1e9, 0, 5, 0]


def test_without_copies_nothing_is_found(rows: np.ndarray) -> None:
    none = {"found": 0, "retained_with_a_copy": 0, "equal": 0, "retained_equal": 0, "singled_out": 0}
    assert found(rows, 3, 9) == Copies(deleted=2, request_ids=(), retained_looked_at=198, **none)


@pytest.mark.parametrize("noise", [0.0, 1e-9, 1e-4])
def test_a_copy_is_found_under_any_id(rows: np.ndarray, noise: float) -> None:
    rng = np.random.default_rng(1)
    doubled = np.concatenate([rows, rows[[9]] + noise * rows.std(axis=0) * rng.normal(size=6)])
    copies = found(doubled, 3, 9)
    assert (copies.found, copies.request_ids) == (1, ("Q9",))


def test_a_neighbour_as_far_as_others_is_no_copy(rows: np.ndarray) -> None:
    far = np.concatenate([rows, rows[[9]] + 0.5 * rows.std(axis=0)])
    assert found(far, 9).found == 0


@pytest.mark.parametrize(("share", "count"), [(0.9, 1), (1.1, 0)])
def test_near_is_a_hundredth_of_the_median(share: float, count: int) -> None:
    # On a line with steps of 1 every nearest neighbour is 1 away, in deviations of the retained rows.
    line = np.arange(101.0)[:, None]
    assert SHARE_OF_MEDIAN == 0.01
    assert found(np.concatenate([line, [[100.0 + share * 0.01]]]), 101).found == count


def test_rows_that_many_share_are_counted_as_usual() -> None:
    coarse = np.repeat(np.arange(10.0), 10)[:, None]
    copies = found(coarse, 4)
    assert (copies.found, copies.retained_with_a_copy, copies.retained_looked_at) == (1, 99, 99)


def test_where_nothing_is_deleted_or_hardly_anything_left_nothing_is_said() -> None:
    rows = data(np.eye(4))
    assert near_copies(rows, np.empty(0, dtype=np.int64), ()) is None
    assert near_copies(rows, np.arange(2), ()) is None


def test_a_copy_is_found_behind_any_number_of_records_that_look_as_near_along_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(near_copies_module, "_AT_ONCE", 4)
    line = np.random.default_rng(0).normal(size=2)
    across = np.array([-line[1], line[0]])
    rng = np.random.default_rng(1)
    spread = np.linspace(-9.0, 9.0, 41)[:, None] * across + rng.normal(size=(41, 1)) * 1e-3 * line
    spread /= spread.std(axis=0)
    assert found(np.concatenate([spread, spread[[30]]]), 41).found == 1


def test_a_constant_column_does_no_harm(rows: np.ndarray) -> None:
    rows[:, 1] = 7.0
    assert found(np.concatenate([rows, rows[[9]]]), 9).found == 1


def test_a_copy_among_the_deleted_alone_is_none_and_makes_no_retained_record_usual(rows: np.ndarray) -> None:
    doubled = np.concatenate([rows, rows[[9, 3]]])
    copies = found(doubled, 9, 200, 3)
    assert (copies.found, copies.equal, copies.request_ids) == (1, 1, ("Q3",))
    # The copy that stays is near a deleted record, and counts as one that has a copy: what is asked of it is asked of the table.
    assert (copies.retained_with_a_copy, copies.retained_equal) == (1, 1)


def test_equal_rows_are_counted_apart_from_near_ones_and_zero_has_no_sign(rows: np.ndarray) -> None:
    rows[9, 0] = 0.0
    again = rows[[9, 12]].copy()
    again[0, 0], again[1] = -0.0, again[1] + 1e-9 * rows.std(axis=0)
    copies = found(np.concatenate([rows, again]), 9, 12)
    assert (copies.found, copies.equal, copies.retained_with_a_copy, copies.retained_equal) == (2, 1, 2, 1)


def test_retained_records_are_drawn_where_there_are_too_many(monkeypatch: pytest.MonkeyPatch, rows: np.ndarray) -> None:
    monkeypatch.setattr(near_copies_module, "MOST_COMPARED", 50)
    doubled = data(np.concatenate([rows, rows[:100]]))
    asked = [near_copies(doubled, np.array([9], dtype=np.int64), (), seed=seed) for seed in (1, 1, 2)]
    assert [(each.retained_looked_at, each.found) for each in asked if each is not None] == [(50, 1)] * 3
    assert asked[0] == asked[1] != asked[2]
    assert abs(asked[0].retained_with_a_copy - 33) < 12


@pytest.mark.parametrize("clusters", [(2,), (2, 2, 2), (4,), (5, 3, 2), (12,)], ids=str)
def test_of_all_ways_to_delete_two_records_no_more_have_a_p_value_than_it_says(clusters: tuple[int, ...]) -> None:
    """Fisher's test is exact for records deleted at random, however records are alike: every way of deleting is tried."""
    count = 18
    line = np.arange(float(count))[:, None] ** 1.5
    first = 0
    for size in clusters:
        line[first : first + size] = line[first] + 1e-6 * np.arange(size)[:, None]
        first += size
    p_values = []
    for pair in itertools.combinations(range(count), 2):
        copies = near_copies(data(line), np.array(pair, dtype=np.int64), ())
        assert copies is not None
        p_values.append(larger_share_p(copies.found, 2, copies.retained_with_a_copy, copies.retained_looked_at))
    for level in set(p_values) - {1.0}:
        assert np.mean(np.array(p_values) <= level) <= level + 1e-12


def test_what_singles_a_person_out_is_equal_in_every_column_with_a_date_or_text_of_their_own_among_them() -> None:
    words = tuple(f"name {at:02d}" for at in range(60))
    table = (
        Column("age", Kind.INTEGER, -1.0),
        Column("name", Kind.TEXT, -1.0, words),
        Column("sex", Kind.TEXT, -1.0, ("f", "m")),
    )
    rng = np.random.default_rng(0)
    rows = np.stack([rng.integers(20, 90, 80), rng.permutation(80) % 60, rng.integers(0, 2, 80)], axis=1).astype(float)
    same, other_age, no_name = rows[[0, 1, 2]]
    other_age[0] += 1
    rows[2, 1] = no_name[1] = -1.0
    whole = data(np.concatenate([rows, [same, other_age, no_name]]), table)
    requests = [Request(row, f"Q{row}", (f"r{row}",), AT) for row in range(3)]
    copies = near_copies(data(whole.features[:, :1]), np.arange(3), requests, whole=whole)
    assert copies is not None
    assert (copies.found, copies.singled_out, copies.singled_out_of) == (3, 1, Concerned(request_ids=("Q0",)))
    categories = near_copies(data(whole.features[:, [0, 2]], (table[0], table[2])), np.arange(3), requests)
    assert categories is not None
    assert categories.singled_out == 0


@functools.cache
def of_adults_shape(*, only_numbers: bool) -> Dataset:
    return simulated.adult(1_000, only_numbers=only_numbers)


@pytest.mark.parametrize("only_numbers", [False, True])
def test_random_erasures_pass_and_copies_of_one_in_ten_are_seen(*, only_numbers: bool) -> None:
    """Rows of Adult's shape with households in them; `python -m benchmarks.near_copies` draws more, of Adult itself."""
    train = of_adults_shape(only_numbers=only_numbers)
    assert simulated.opened(train, 60, None, 10) == 0
    for kept in (simulated.copied(0.1), simulated.copied(0.2, noise=1e-5)):
        assert simulated.opened(train, 60, kept, 2) == 1


@pytest.mark.slow  # test_of_all_ways_to_delete_two_records_no_more_have_a_p_value_than_it_says is fast
@pytest.mark.parametrize(("deleted", "most"), [(1, 0.05), (5, 0.01), (20, 0.01)])
def test_random_erasures_from_iris_pass(deleted: int, most: float) -> None:
    assert simulated.opened(simulated.dataset(load_iris().data), deleted, None, 100) <= most


def test_what_the_test_of_copies_does_not_see() -> None:
    """Copies further off than the radius, one among many, and copies where others have been given some as well."""
    train = of_adults_shape(only_numbers=False)
    far, one, older = simulated.copied(1.0, noise=0.1), simulated.copied(0.01), simulated.other_column(1.0)
    ways = (far, one, older, simulated.among_others(0.05, 0.2))
    assert [simulated.opened(train, 60, way, 1) for way in ways] == [0.0] * 4
