"""The file in which a worker finds features."""

import gc
from pathlib import Path
from weakref import ref

import numpy as np
import pytest

from auditor.base.records import Dataset, Part, aligned
from auditor.sandbox import mapped_rows
from auditor.sandbox.runs.circumstances import Describer

RNG = np.random.default_rng(20261124)


def read_back(folder, features, kind=None):
    with (folder / "rows.npy").open("wb") as file:
        mapped_rows.write(file, features, kind or mapped_rows.smallest_kind(features))
    return mapped_rows.read(folder / "rows.npy")


@pytest.mark.parametrize("shape", [(0, 3), (1, 1), (5, 3), (40, 50_000)])
@pytest.mark.parametrize("kind", [np.float32, np.float64])
def test_what_is_read_is_what_was_written(tmp_path, shape, kind):
    features = RNG.normal(size=shape).astype(kind).astype(np.float64)
    rows = read_back(tmp_path, features)
    assert rows.dtype == (kind if features.size else np.float32)
    assert aligned(rows).tobytes() == features.tobytes()
    with pytest.raises(ValueError, match="read-only"):
        rows[...] = 0.0


@pytest.mark.parametrize("value", [0.1, 1e300, -1e39, 2.0**24 + 1, 1e-46])
def test_one_number_that_float32_lacks_is_kept(tmp_path, value):
    features = np.zeros((2_000, 700))
    features[-1, -1] = value
    assert mapped_rows.smallest_kind(features) == np.float64
    assert read_back(tmp_path, features)[-1, -1] == value


def test_signs_of_zero_and_the_order_of_columns_are_kept(tmp_path):
    features = np.asfortranarray([[-0.0, 1.5], [0.0, -2.5]])
    rows = aligned(read_back(tmp_path, features))
    assert rows.flags.c_contiguous
    assert rows.tolist() == features.tolist()
    assert np.signbit(rows).tolist() == np.signbit(features).tolist()


def test_rows_at_positions_are_copied_in_their_order():
    features = RNG.normal(size=(10_000, 3))
    where = RNG.permutation(10_000)[:9_000]
    rows = aligned(features.astype(np.float32), where)
    assert np.array_equal(rows, features.astype(np.float32)[where])
    assert rows.dtype == np.float64
    assert rows.ctypes.data % 64 == 0
    assert aligned(features, np.array([], dtype=np.int64)).shape == (0, 3)


def test_rows_at_positions_are_written_as_rows_of_a_table_of_their_own(tmp_path):
    features = RNG.normal(size=(3_000, 700)).astype(np.float32).astype(np.float64)
    features[7] = 0.1
    where = np.array([5, 3, 3, 2_999])
    assert mapped_rows.smallest_kind(features, where) == np.float32
    with (tmp_path / "rows.npy").open("wb") as file:
        mapped_rows.write(file, features, np.dtype("<f4"), where)
    assert np.array_equal(mapped_rows.read(tmp_path / "rows.npy"), features[where])


@pytest.mark.parametrize("labels", [None, np.array([7, 8, 9])])
def test_a_part_of_a_table_is_what_a_copy_would_be(labels):
    table = Dataset(RNG.normal(size=(9, 2)), np.arange(9), np.array(list("abcdefghi")), weights=np.linspace(0, 1, 9))
    part = Part(table, np.array([8, 0, 4]), labels)
    copied = part.copied()
    assert len(part) == len(copied) == 3
    assert np.array_equal(copied.features, table.features[[8, 0, 4]])
    assert copied.labels.tolist() == part.labels.tolist() == ([8, 0, 4] if labels is None else [7, 8, 9])
    assert copied.ids.tolist() == part.ids.tolist() == ["i", "a", "e"]
    assert np.array_equal(copied.weights, part.weights)
    assert part.subset(np.array([2, 2])).ids.tolist() == ["e", "e"]


def test_a_digest_of_a_table_does_not_keep_the_table():
    table = Dataset(RNG.normal(size=(9, 2)), np.arange(9), np.array(list("abcdefghi")))
    part, gone = Part(table, np.array([1])), ref(table)
    describer = Describer()
    first = describer.to_bytes(part)
    assert first == describer.to_bytes(Part(table, np.array([1]))) != describer.to_bytes(Part(table, np.array([2])))
    del table, part
    gc.collect()
    assert gone() is None


@pytest.mark.parametrize(
    "positions", [np.arange(9_000), np.arange(3, 9_000), np.delete(np.arange(9_000), [0, 4_097]), [8, 8, 2], [5]]
)
def test_rows_at_positions_are_copied_whether_or_not_they_follow_one_another(positions):
    rows = RNG.normal(size=(9_000, 3))
    counted = []
    found = aligned(rows, np.asarray(positions), copied=lambda: counted.append(1))
    assert np.array_equal(found, rows[positions])
    assert not np.shares_memory(found, rows)
    assert len(counted) == -(-len(positions) // 4_096)


@pytest.mark.parametrize("positions", [[0, 1, 2], [2, 0], [], (3, 4), range(2, 5)])
def test_positions_may_be_a_list(positions):
    data = Dataset(np.arange(15.0).reshape(5, 3), np.arange(5), np.array(list("abcde")))
    some = np.array(list(positions), dtype=np.int64)
    assert np.array_equal(aligned(data.features, positions), data.features[some])
    assert data.subset(list(positions) or some).ids.tolist() == data.ids[some].tolist()


@pytest.mark.parametrize("positions", [[4, 5], [5], [3, 4, 5, 6], [-9]])
def test_positions_beyond_the_rows_are_refused(positions):
    with pytest.raises(IndexError):
        aligned(np.arange(15.0).reshape(5, 3), np.array(positions))


def test_a_large_file_that_is_let_go_is_read_again(tmp_path, monkeypatch):
    features = RNG.normal(size=(3_000, 700))
    rows = read_back(tmp_path, features)
    monkeypatch.setattr(mapped_rows, "_LARGE", 1)
    resident = _resident(tmp_path / "rows.npy")
    mapped_rows.let_go(rows[:10])
    assert _resident(tmp_path / "rows.npy") < resident / 10
    assert np.array_equal(rows, features)
    mapped_rows.let_go(np.zeros(3))
    mapped_rows.let_go("no array")


def _resident(file):
    """Bytes of a mapped file that are in this process's memory."""
    lines = (Path("/proc/self/smaps").read_text()).splitlines()
    at = next(at for at, line in enumerate(lines) if line.endswith(str(file)))
    return 1024 * int(next(line for line in lines[at:] if line.startswith("Rss:")).split()[1])
