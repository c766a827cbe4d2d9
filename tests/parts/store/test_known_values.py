"""Counting and finding values without sorting gives what sorting them gives."""

from __future__ import annotations

import numpy as np
import pytest

from auditor.maths.statistics.occurrences import Occurrences
from auditor.parts.store.observing import known_values
from auditor.parts.store.observing.known_values import KnownValues, near
from auditor.parts.store.observing.looked_up import LookedUp

WITHIN = 2.0**-22


def tables(seed: int) -> list[np.ndarray]:
    rng = np.random.default_rng(seed)
    found = [
        rng.normal(size=(400, 24)),
        rng.integers(-3, 4, size=(400, 24)).astype(float),
        np.exp(rng.normal(scale=20, size=(400, 24))),
        np.where(rng.random((400, 24)) < 0.5, 0.0, rng.normal(size=(400, 24))),
    ]
    found[0][0, :5], found[3][1] = -0.0, -found[3][1]
    return found


@pytest.mark.parametrize("seed", range(5))
def test_values_are_met_as_often_as_in_sorted_tables(seed: int) -> None:
    rng = np.random.default_rng(seed)
    for table in tables(seed):
        rows = table[rng.choice(len(table), 9, replace=False)].copy()
        rows[3] += 1e-9 * np.abs(rows[3])
        rows[4] = rows[4].astype(np.float32)
        met = Occurrences(rows, within=WITHIN)
        met.add(table[:150])
        met.add(table[150:])
        whole = LookedUp(table)
        assert np.array_equal(met.exactly(), whole.count(rows))
        assert np.array_equal(met.nearly(), whole.count(rows, within=WITHIN))
        alone = Occurrences(rows, within=0.0)
        alone.add(table)
        assert np.array_equal(alone.exactly(), whole.count(rows))
        assert not alone.nearly().any()


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("before", [0, 1, 3])
def test_rows_are_found_in_tables_that_are_not_sorted_as_in_those_that_are(seed: int, before: int) -> None:
    rng = np.random.default_rng(seed)
    for rows in tables(seed):
        table = np.concatenate([rng.normal(size=(len(rows), before)), rows], axis=1)
        table[7, 2] = np.nan
        for at in rng.choice(len(rows), 9, replace=False).tolist():
            tolerance = np.full(rows.shape[1], 10.0 ** rng.integers(-6, 0))
            scanned, by_order = LookedUp(table), LookedUp(table)
            by_order._looked_up = 10**9
            assert np.array_equal(scanned.near(rows[at], tolerance), by_order.near(rows[at], tolerance))


@pytest.mark.parametrize("within", [1e-6, 1e-3, 0.2, 0.0])
@pytest.mark.parametrize("seed", range(5))
def test_a_column_of_many_values_has_what_a_sorted_one_has(monkeypatch: pytest.MonkeyPatch, within: float, seed: int) -> None:
    rng = np.random.default_rng(seed)
    for table in tables(seed):
        column = table[:, 5]
        size = float(np.abs(column).max()) * within
        wanted = np.concatenate(
            [column[:50] + rng.uniform(-2, 2, 50) * size, [-1e9, 1e9, np.nan, column.min() - 0.999 * size, column.max()]]
        )
        few, several = KnownValues(column), list(near(column, wanted[np.isfinite(wanted)], size))
        expected = [few.have(wanted, size * factor) for factor in (1.0, 0.9, 3.0)]
        monkeypatch.setattr(known_values, "_MANY", 1)
        many = KnownValues(column)
        for factor, found in zip((1.0, 0.9, 3.0), expected, strict=True):
            assert np.array_equal(many.have(wanted, size * factor), found)
        for one, other in zip(near(column, wanted[np.isfinite(wanted)], size), several, strict=True):
            assert np.array_equal(one, other)
        monkeypatch.undo()


def test_a_damaged_table_with_a_nan_that_signals_is_looked_up_without_a_warning() -> None:
    damaged = np.full((2, 4), 0x7F80_0001, dtype=np.uint32).view(np.float32)
    assert len(list(LookedUp.blocks(damaged, 2))) == 1
