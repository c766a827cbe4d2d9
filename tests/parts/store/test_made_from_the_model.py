"""Files of what was made from the model are searched for copies of deleted records, and decide nothing else of the store."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from test_erasure_search import observed

from auditor.pages.words import said
from small_cases import problem, write

FEATURES, LABELS = problem()
MADE = """
[[lineage]]
name = "rows"
kind = "synthetic-data"
path = "made"
declared_by = "Kim Example"
"""


def made(folder: Path, rows: np.ndarray, *, store: str = "", name: str = "rows.csv") -> Path:
    """A case whose model generated these rows."""
    write(folder, FEATURES, LABELS, data=store)
    toml = folder / "audit.toml"
    toml.write_text(toml.read_text() + MADE)
    (folder / "made").mkdir()
    header = ",".join(f"f{at}" for at in range(rows.shape[1]))
    lines = [",".join(map(repr, row)) for row in rows.tolist()]
    (folder / "made" / name).write_text("\n".join([header, *lines, ""]))
    return folder


def strangers() -> np.ndarray:
    return problem(60, seed=9)[0]


def of_made(seen) -> list[tuple[str, int]]:
    return [(said(each.place), each.found) for each in seen.searched if "made/" in said(each.place)]


def test_rows_of_nobody_are_searched_and_clean(tmp_path: Path) -> None:
    seen = observed(made(tmp_path, strangers()))
    assert of_made(seen) == [("made/rows.csv, made from the model", 0)]
    assert (seen.found, seen.open_elsewhere) == (0, ())
    # Nothing accounts for its bytes: what it learned is not examined.
    assert not any("made/" in said(each.place) for each in seen.kept)


def test_a_deleted_record_that_the_model_wrote_out_again_is_found(tmp_path: Path) -> None:
    seen = observed(made(tmp_path, np.concatenate([strangers(), FEATURES[1:2]])))
    assert (seen.found, seen.request_ids) == (1, ("R-1",))
    assert of_made(seen) == [("made/rows.csv, made from the model", 1)]


def test_a_file_that_cannot_be_read_is_named_and_leaves_no_store_open(tmp_path: Path) -> None:
    made(tmp_path, strangers())
    (tmp_path / "made" / "rows.npz").write_bytes(b"PK\x03\x04 broken")
    seen = observed(tmp_path)
    assert [said(each.place) for each in seen.not_searched if "made/" in said(each.place)] == [
        "made/rows.npz, made from the model"
    ]
    assert seen.open_elsewhere == ()


def test_a_record_that_says_little_is_left_open_and_accuses_nobody(tmp_path: Path) -> None:
    few = np.random.default_rng(4).integers(0, 8, (150, 5)) / 20
    write(tmp_path, few, np.arange(150) % 2)
    toml = tmp_path / "audit.toml"
    toml.write_text(toml.read_text() + MADE)
    (tmp_path / "made").mkdir()
    lines = [",".join(map(repr, row)) for row in few[:10].tolist()]
    (tmp_path / "made" / "rows.csv").write_text("\n".join(["a,b,c,d,e", *lines, ""]))
    seen = observed(tmp_path)
    assert seen.found == 0
    assert any("made/rows.csv" in said(each) for each in seen.open_elsewhere)


@pytest.mark.parametrize("place", ["made", "made/"])
def test_what_lies_in_the_store_is_searched_as_the_store_and_once(tmp_path: Path, place: str) -> None:
    made(tmp_path, np.concatenate([FEATURES[10:], FEATURES[1:2]]), store=f'store = "{place}"')
    seen = observed(tmp_path)
    assert seen.found == 1
    assert [name for name, _ in of_made(seen)] == ["store made/rows.csv"]
