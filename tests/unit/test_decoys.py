"""Decoys: retained records in the sizes that the log deletes, at least one record of each label left."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from auditor.audit.replacing import draw_decoys

LABELS = np.array(["a", "b", "a", "b", "a", "b", "a", "b", "c", "a", "b", "a"])


def drawn(sizes: list[int], *, seed: int = 0, retained: np.ndarray | None = None) -> tuple[np.ndarray, ...]:
    retained = np.arange(len(LABELS), dtype=np.int64) if retained is None else retained
    return draw_decoys(retained, sizes, labels=LABELS, rng=np.random.default_rng(seed))


@given(
    sizes=st.lists(st.integers(min_value=1, max_value=8), max_size=5),
    retained=st.sets(st.integers(min_value=0, max_value=len(LABELS) - 1), min_size=4),
    seed=st.integers(min_value=0, max_value=99),
)
def test_decoys_are_distinct_retained_records_and_every_label_keeps_one(sizes: list[int], retained: set[int], seed: int) -> None:
    pool = np.array(sorted(retained), dtype=np.int64)
    found = drawn(sizes, seed=seed, retained=pool)
    every = [place for part in found for place in part.tolist()]
    assert len(found) == len(sizes)
    assert len(set(every)) == len(every)
    assert set(every) <= retained
    assert all(len(part) <= size for part, size in zip(found, sizes, strict=True))
    assert set(LABELS[sorted(retained - set(every))]) == set(LABELS[pool])
    assert all(part.tolist() == sorted(part.tolist()) for part in found)


def test_decoys_have_the_sizes_of_the_batches() -> None:
    assert [len(part) for part in drawn([3, 1, 2])] == [3, 1, 2]


def test_where_too_few_are_left_batches_shrink_in_proportion() -> None:
    assert [len(part) for part in drawn([12, 6])] == [6, 3]


def test_no_batch_is_no_decoy() -> None:
    assert drawn([]) == ()


@pytest.mark.parametrize("seed", range(3))
def test_another_seed_draws_other_decoys(seed: int) -> None:
    assert any(drawn([4], seed=seed)[0].tolist() != drawn([4], seed=other)[0].tolist() for other in range(10, 13))


def test_numbers_have_no_labels_to_keep() -> None:
    found = draw_decoys(np.arange(5, dtype=np.int64), [4], labels=None, rng=np.random.default_rng(0))
    assert len(found[0]) == 4
