"""Deleted people's rows of numbers under other ids explain nothing; rows by chance, and doubles that many have, do."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from auditor.api import check
from auditor.base.domain import Verdict
from auditor.base.records import Dataset, Floats
from auditor.cli import run
from auditor.document.evidence_files import read
from auditor.parts.places.judging.places_erased import Derived
from auditor.parts.places.observing import copied_vectors
from tests.parts.places.test_places import CASE, LOG

COUNT, WIDTH, DELETED = 240, 16, 8


class Vectors:
    """People with a vector each, some of whom were deleted."""

    def __init__(self, seed: int, rows: Floats | None = None) -> None:
        self.rng = rng = np.random.default_rng(seed)
        self.rows = rng.normal(size=(COUNT, WIDTH)).astype(np.float32).astype(np.float64) if rows is None else rows
        self.ids = np.array([f"K{each}" for each in rng.choice(80_000, len(self.rows), replace=False) + 10_000])
        self.places = np.sort(rng.choice(len(self.rows), DELETED, replace=False))
        self.gone = frozenset(self.ids[self.places].tolist())

    def with_copies(self, copies: Floats) -> tuple[Dataset, set[str]]:
        """The table with more people, and their ids."""
        ids = [f"K{90_000 + at}" for at in range(len(copies))]
        rows, every = np.concatenate([self.rows, copies]), np.array([*self.ids.tolist(), *ids])
        return Dataset(rows, np.zeros(len(rows), dtype=np.int64), every), set(ids)


_ORDER = np.random.default_rng(5).permutation(WIDTH)
COPIES: dict[str, Callable[[Floats], Floats]] = {
    "equal": lambda rows: rows,
    "scaled": lambda rows: (rows * 2.5).astype(np.float32).astype(np.float64),
    "turned round": lambda rows: -rows,
    "moved": lambda rows: rows * 2 + 1,
    "of length one": lambda rows: rows / np.linalg.norm(rows, axis=1, keepdims=True),
    "in another order": lambda rows: rows[:, _ORDER],
    "scaled, in another order": lambda rows: -3 * rows[:, _ORDER],
    "each row in another order": lambda rows: np.array([np.roll(row, at) for at, row in enumerate(rows, 1)]),
    "rounded": lambda rows: rows.round(2),
    "with noise": lambda rows: rows + np.random.default_rng(6).normal(scale=0.01, size=rows.shape),
}


@pytest.mark.attempt("deleted people's vectors under other ids")
@pytest.mark.parametrize("how", COPIES)
@pytest.mark.parametrize("count", [1, DELETED])
def test_deleted_peoples_vectors_under_other_ids_are_met(how: str, count: int) -> None:
    people = Vectors(1)
    table, copies = people.with_copies(COPIES[how](people.rows[people.places])[:count])
    assert copied_vectors.of_table(table, people.gone) == copies


@pytest.mark.attempt("deleted people's vectors under other ids")
@pytest.mark.parametrize("how", ["equal", "scaled"])
def test_a_column_far_larger_than_the_others_hides_no_copy(how: str) -> None:
    people = Vectors(1)
    people.rows[:, 3] *= 1e12
    table, copies = people.with_copies(COPIES[how](people.rows[people.places]))
    assert copied_vectors.of_table(table, people.gone) == copies


@pytest.mark.parametrize("kind", ["normal", "skewed", "few dimensions", "counts", "columns of other sizes", "groups"])
@pytest.mark.parametrize("seed", range(40))
def test_vectors_by_chance_are_let_be(kind: str, seed: int) -> None:
    rng = np.random.default_rng(seed)
    rows = rng.normal(size=(COUNT, WIDTH))
    match kind:
        case "skewed":
            rows = np.exp(2 * rows)
        case "few dimensions":
            rows = rows[:, :3] @ rng.normal(size=(3, WIDTH))
        case "counts":
            rows = rng.poisson(2, size=(COUNT, WIDTH)).astype(np.float64)
        case "columns of other sizes":
            rows = rows * 10.0 ** np.arange(WIDTH) + 10.0 ** np.arange(WIDTH)
        case "groups":
            rows = rng.normal(size=(12, WIDTH))[rng.integers(12, size=COUNT)] + 0.05 * rows
    people = Vectors(seed, rows)
    assert copied_vectors.of_table(people.with_copies(rows[:0])[0], people.gone) == frozenset()


def test_where_many_have_a_double_none_is_told_by_it() -> None:
    """As where vectors are of texts that several people share."""
    rows = np.random.default_rng(2).normal(size=(80, WIDTH))[np.random.default_rng(3).integers(80, size=COUNT)]
    people = Vectors(4, rows)
    assert copied_vectors.of_table(people.with_copies(rows[:0])[0], people.gone) == frozenset()


def _written(folder: Path, people: Vectors, how: str | None) -> None:
    """The table of everybody, a place with all who stay, and the log."""
    table, _ = people.with_copies(COPIES[how](people.rows[people.places]) if how else people.rows[:0])
    (folder / "here").mkdir(exist_ok=True)
    np.savez(folder / "people.npz", ids=table.ids, features=table.features)
    stays = np.array([each not in people.gone for each in table.ids.tolist()])
    np.savez(folder / "here" / "now.npz", ids=table.ids[stays], features=table.features[stays])
    log = [{**LOG[0], "request_id": f"R-{at}", "record_ids": [each], "terms": []} for at, each in enumerate(sorted(people.gone))]
    (folder / "deletions.jsonl").write_text("".join(json.dumps(row) + "\n" for row in log), encoding="utf-8")


@pytest.mark.attempt("deleted people's vectors under other ids")
def test_a_scan_names_such_rows_until_they_are_deleted(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Here and in the table, as the step says."""
    people = Vectors(1)
    told = ["scan", str(tmp_path / "here"), "--log", str(tmp_path / "deletions.jsonl"), "--data", str(tmp_path / "people.npz")]
    _written(tmp_path, people, "scaled")
    assert run([*told, "--out", str(tmp_path / "out")]) == 3
    out = " ".join(capsys.readouterr().out.split())
    assert f"{DELETED} rows of it are, under other ids, deleted people’s rows of numbers" in out
    assert "Delete the rows that are deleted people’s under other ids, here and in `--data`" in out
    checked = read(tmp_path / "out" / "audit" / "evidence.json").check("places.erased")
    (place,) = Derived.model_validate(checked.derived).places
    left = {each.code: dict(each.parameters) for each in place.open}
    assert left["places.erased.copied"] == {"rows": DELETED}
    _written(tmp_path, people, None)
    assert run(told) == 0
    assert "under other ids" not in capsys.readouterr().out


@pytest.mark.attempt("deleted people's vectors under other ids")
@pytest.mark.parametrize("how", [None, "equal", "scaled", "in another order"])
def test_a_place_with_such_rows_is_open(tmp_path: Path, how: str | None) -> None:
    _written(tmp_path, Vectors(1), how)
    (tmp_path / "audit.toml").write_text(CASE.format(here='"here"') + '\n[data]\ntable = "people.npz"\n', encoding="utf-8")
    assert (check(tmp_path).verdict is Verdict.PASS) is (how is None)
