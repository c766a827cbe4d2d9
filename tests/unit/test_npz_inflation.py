"""How much a packed array may announce: as much as deflate can hold, and not a per cent or two more."""

from __future__ import annotations

import io
import zipfile
from pathlib import Path

import numpy as np
import pytest

from auditor.base.errors import InputError
from auditor.base.records import Dataset
from auditor.case.tables import read_dataset
from auditor.settings.tables import DataTable

HEADER = 128


def dataset(folder: Path, features: bytes, announced: int) -> Dataset:
    """Read a case's table whose member `features` says that it unpacks to so many bytes."""
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as packed:
        packed.writestr("features.npy", features)
        for name, values in (("labels", np.arange(10) % 2), ("ids", np.array([f"r{at}" for at in range(10)]))):
            with packed.open(f"{name}.npy", "w") as member:
                np.save(member, values)
    whole = stream.getvalue()
    assert whole.count(len(features).to_bytes(4, "little")) == 2
    (folder / "t.npz").write_bytes(whole.replace(len(features).to_bytes(4, "little"), announced.to_bytes(4, "little")))
    return read_dataset(folder / "t.npz", DataTable(train="t", task="classification"), task="classification")


def member(columns: int, body: int) -> bytes:
    """Ten rows of float64 as the header has it, and so many zero bytes."""
    text = f"{{'descr': '<f8', 'fortran_order': False, 'shape': (10, {columns}), }}".ljust(HEADER - 11) + "\n"
    return b"\x93NUMPY\x01\x00" + len(text).to_bytes(2, "little") + text.encode() + bytes(body)


def packed_size(content: bytes) -> int:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("features.npy", content)
        return archive.getinfo("features.npy").compress_size


def test_the_most_that_deflate_packs_is_read(tmp_path: Path) -> None:
    whole = member(100_000, 8_000_000)
    assert len(whole) > 1_000 * packed_size(whole)
    assert not dataset(tmp_path, whole, len(whole)).features.any()


@pytest.mark.parametrize(("times", "words"), [(1_080, "bytes where its header announces"), (1_120, "more than deflate can hold")])
def test_what_is_announced_is_held_against_what_deflate_can_hold(tmp_path: Path, times: int, words: str) -> None:
    columns = times * packed_size(member(10_000, 800_000)) // 80
    lying = member(columns, 800_000)
    announced = HEADER + 80 * columns
    assert announced / packed_size(lying) == pytest.approx(times, rel=0.01)
    with pytest.raises(InputError) as caught:
        dataset(tmp_path, lying, announced)
    assert {problem.where: words in problem.found for problem in caught.value.problems} == {"features": True}
