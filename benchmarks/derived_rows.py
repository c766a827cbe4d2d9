"""How often `data.erased` leaves a log open for derived rows: honest logs of many kinds, and tables in which rows were derived.

    ADULT=FOLDER python -m benchmarks.derived_rows [--draws 200] [--derived 25] [--rows 20000]

prints the tables of benchmarks/data-erased.md. FOLDER holds `adult.data`; without it rows of the same shape are made up. Every
figure is a share of draws in which the test of derived rows alone leaves the log open.
"""

from __future__ import annotations

import argparse
import os
from collections.abc import Callable, Iterator, Sequence
from time import perf_counter
from typing import Final, TypeAlias

os.environ.setdefault("OMP_NUM_THREADS", "1")

import numpy as np
from sklearn.datasets import load_digits, load_iris, load_wine

from auditor.base.mixed_columns import Kind, coordinates, settled
from auditor.base.records import Dataset, Floats, Positions
from auditor.maths.statistics.columns import deviations
from auditor.parts.store.judging.derived_rows import DerivedRows
from auditor.parts.store.observing.derived_rows import Table, compared, derived_rows
from benchmarks.near_copies import adult, copied, dataset
from benchmarks.near_copies import opened as copies_opened

Rng: TypeAlias = np.random.Generator
Drawn: TypeAlias = Callable[[Dataset, Floats, int, Rng], Positions]
"""Whose records are deleted: of a table, with its rows as points in standard deviations, about so many."""
Made: TypeAlias = Callable[[Dataset, Positions, int, Rng], Floats]
"""Rows derived from deleted records, shape (count, d)."""

_DELETED: Final = (5, 20, 100)
_OF: Final = 20
"""Records that are deleted where rows are derived from them."""
_COUNTS: Final = (1, 5, 20, 100)
_PARENTS: Final = 5
"""Of a row, its nearest ones, of which SMOTE draws the second parent."""
_OF_A_PERSON: Final = 5


def tables(rows: int) -> dict[str, Dataset]:
    """The tables that are tried, by name."""
    return {
        "iris": dataset(load_iris().data),
        "wine": dataset(load_wine().data),
        "digits": dataset(load_digits().data),
        "five alike rows a person": several_a_person(rows // 5),
        "Adult, six columns": adult(rows, only_numbers=True),
        "Adult, fourteen columns": adult(rows, only_numbers=False),
    }


def several_a_person(rows: int) -> Dataset:
    """Rows of eight numbers, five of each person that lie close together, one person behind another; shape (rows, 8)."""
    rng = np.random.default_rng(5)
    people = rng.normal(size=(rows // _OF_A_PERSON, 8))
    return dataset(np.round(np.repeat(people, _OF_A_PERSON, axis=0) + 0.05 * rng.normal(size=(len(people) * _OF_A_PERSON, 8)), 3))


def points_of(train: Dataset) -> Floats:
    """Rows in standard deviations, shape (n, c)."""
    points = coordinates(train.table, train.features)
    scale = deviations(points)
    return (points - points.mean(axis=0)) / np.where(scale > 0, scale, 1.0)


def _at_random(train: Dataset, _points: Floats, count: int, rng: Rng) -> Positions:
    return rng.choice(len(train), count, replace=False)


def _nearest_of_a_point(train: Dataset, points: Floats, count: int, rng: Rng) -> Positions:
    return np.argsort(((points - points[rng.integers(len(train))]) ** 2).sum(axis=1))[:count]


def _third_of_a_cluster(train: Dataset, points: Floats, count: int, rng: Rng) -> Positions:
    near = _nearest_of_a_point(train, points, min(3 * count, len(train) // 2), rng)
    return rng.choice(near, min(count, near.size), replace=False)


def _one_end_of_a_column(train: Dataset, _points: Floats, count: int, rng: Rng) -> Positions:
    values = train.features[:, rng.integers(train.features.shape[1])] * rng.choice([-1, 1])
    return np.lexsort((rng.random(len(train)), values))[:count]


def _one_value_of_a_column(train: Dataset, _points: Floats, count: int, rng: Rng) -> Positions:
    while True:
        values = train.features[:, rng.integers(train.features.shape[1])]
        same = np.flatnonzero(values == values[rng.integers(len(train))])
        if same.size <= len(train) // 2:
            return same if same.size <= 2 * count else rng.choice(same, count, replace=False)


def _whole_people(train: Dataset, _points: Floats, count: int, rng: Rng) -> Positions:
    who = rng.choice(len(train) // _OF_A_PERSON, -(-count // _OF_A_PERSON), replace=False)
    return (who[:, None] * _OF_A_PERSON + np.arange(_OF_A_PERSON)).reshape(-1)


WAYS: Final[dict[str, Drawn]] = {
    "at random": _at_random,
    "the nearest of a point": _nearest_of_a_point,
    "a third of a cluster": _third_of_a_cluster,
    "one end of a column": _one_end_of_a_column,
    "one value of a column": _one_value_of_a_column,
    "whole people": _whole_people,
}


def honest(rows: int, draws: int, _derived: int) -> Iterator[tuple[str, ...]]:
    """Honest logs, of records deleted at random and together."""
    yield ("table", "deleted", *WAYS)
    for name, train in tables(rows).items():
        table, points = Table.of(train), points_of(train)
        for deleted in _DELETED:
            if table is None or 3 * deleted >= len(train):
                continue
            cells = []
            for way, drawn in WAYS.items():
                if drawn is _whole_people and "person" not in name:
                    cells.append("–")
                    continue
                seen = 0
                for draw in range(draws):
                    gone = np.sort(drawn(train, points, deleted, np.random.default_rng([draw, deleted, len(way)])))
                    seen += _opens(compared(table, train, gone, (), seed=draw))
                cells.append(_share(seen / draws))
            yield (name, str(deleted), *cells)


def noise(share: float) -> Made:
    """Rows moved by a share of the deviation of each column of numbers; whole numbers stay whole."""

    def made(train: Dataset, gone: Positions, count: int, rng: Rng) -> Floats:
        rows = train.features[_parents(gone, count, rng)]
        moved = rows + share * deviations(train.features) * _of_numbers(train) * rng.normal(size=rows.shape)
        return moved if train.table is None else settled(train.table, moved)

    return made


def smote(train: Dataset, gone: Positions, count: int, rng: Rng) -> Floats:
    """Rows between a deleted one and one of its five nearest, each number at the same share of the way; words of the first."""
    points, parents = points_of(train), _parents(gone, count, rng)
    rows = train.features[parents].copy()
    for place, parent in enumerate(parents):
        near = np.argsort(((points - points[parent]) ** 2).sum(axis=1))[1 : 1 + _PARENTS]
        rows[place] += rng.random() * _of_numbers(train) * (train.features[rng.choice(near)] - rows[place])
    return rows if train.table is None else settled(train.table, rows)


def mirrored(train: Dataset, gone: Positions, count: int, rng: Rng) -> Floats:
    """Pictures of 8 × 8 left to right, each kind of copy once: of five copies four have noise of 2 %."""
    rows = train.features[_parents(gone, count, rng)].reshape(-1, 8, 8)[:, :, ::-1].reshape(count, -1).copy()
    rows[_OF:] += 0.02 * deviations(train.features) * rng.normal(size=rows[_OF:].shape)
    return rows


def _parents(gone: Positions, count: int, rng: Rng) -> Positions:
    """Deleted records that rows are derived from: as many different ones as can be."""
    return np.resize(rng.permutation(gone), count)


def _of_numbers(train: Dataset) -> Floats:
    return np.array(
        [each.kind is not Kind.TEXT for each in train.table or ()] or [True] * train.features.shape[1], dtype=np.float64
    )


MADE: Final[dict[str, Made]] = {
    "noise of 2 %": noise(0.02),
    "noise of 5 %": noise(0.05),
    "noise of 10 %": noise(0.10),
    "SMOTE": smote,
    "mirrored": mirrored,
}


def power(rows: int, _draws: int, derived: int) -> Iterator[tuple[str, ...]]:
    """Rows derived from 20 deleted records: one of one, of five, of all, and five of each."""
    yield ("table", "derived", *(f"{count} row{'s' * (count > 1)}" for count in _COUNTS))
    for name, train in tables(rows).items():
        if "person" in name:
            continue
        for kind, made in MADE.items():
            if made is mirrored and name != "digits":
                continue
            yield (name, kind, *(_share(opened(train, made, count, derived)) for count in _COUNTS))


def opened(train: Dataset, made: Made, count: int, draws: int, *, deleted: int = _OF) -> float:
    """The share of draws in which the log stays open, where so many rows are derived."""
    seen = 0
    for draw in range(draws):
        rng = np.random.default_rng([draw, count])
        gone = np.sort(rng.choice(len(train), deleted, replace=False))
        whole = dataset(np.concatenate([train.features, made(train, gone, count, rng)]), train.table)
        seen += _opens(derived_rows(whole, gone, (), seed=draw))
    return seen / draws


def moved(rows: int, _draws: int, derived: int) -> Iterator[tuple[str, ...]]:
    """Copies of 5 of 100 deleted records, moved by 1e-5 deviations: near copies, and derived rows."""
    yield ("table", "near copies", "derived rows")
    for only_numbers, name in ((True, "Adult, six columns"), (False, "Adult, fourteen columns")):
        train = adult(rows, only_numbers=only_numbers)

        def made(table: Dataset, gone: Positions, _count: int, rng: Rng) -> Floats:
            return copied(0.05, noise=1e-5)(table, gone, rng)

        near = copies_opened(train, 100, copied(0.05, noise=1e-5), derived)
        yield (name, _share(near), _share(opened(train, made, 5, derived, deleted=100)))


def speed(rows: int, _draws: int, _derived: int) -> Iterator[tuple[str, ...]]:
    """Seconds for 500 deleted records: honest ones, and with a row derived from each."""
    yield ("table", "honest", "derived")
    for only_numbers, name in ((True, "Adult, six columns"), (False, "Adult, fourteen columns")):
        train, rng = adult(rows, only_numbers=only_numbers), np.random.default_rng(0)
        gone = np.sort(rng.choice(len(train), min(500, len(train) // 4), replace=False))
        other = dataset(np.concatenate([train.features, noise(0.05)(train, gone, len(gone), rng)]), train.table)
        cells = []
        for each in (train, other):
            start = perf_counter()
            derived_rows(each, gone, ())
            cells.append(f"{perf_counter() - start:.1f}")
        yield (name, *cells)


def _opens(found: DerivedRows | None) -> bool:
    return found is not None and bool(found.counting)


def _share(value: float) -> str:
    return f"{100 * value:.3g} %"


def main(arguments: Sequence[str] | None = None) -> int:
    """Print every table as Markdown."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.derived_rows", description=__doc__)
    parser.add_argument("--draws", type=int, default=200, help="draws of honest logs for each figure")
    parser.add_argument("--derived", type=int, default=25, help="draws of tables with derived rows for each figure")
    parser.add_argument("--rows", type=int, default=20_000, help="rows of the largest tables")
    parser.add_argument("--only", choices=[each.__name__ for each in _TABLES], help="one table alone")
    asked = parser.parse_args(arguments)
    for table in _TABLES:
        if asked.only not in {None, table.__name__}:
            continue
        print(f"\n{(table.__doc__ or '').splitlines()[0]}\n", flush=True)
        for number, cells in enumerate(table(asked.rows, asked.draws, asked.derived)):
            print(f"| {' | '.join(cells)} |", flush=True)
            if not number:
                print(f"|{'|'.join('---' for _ in cells)}|", flush=True)
    return 0


_TABLES: Final = (honest, power, moved, speed)


if __name__ == "__main__":
    raise SystemExit(main())
