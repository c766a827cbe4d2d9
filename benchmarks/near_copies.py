"""How often `data.erased` leaves a log open for near copies: honest logs, and logs whose records were kept under other ids.

    ADULT=FOLDER python -m benchmarks.near_copies [--draws 100] [--rows 20000]

prints the tables of benchmarks/data-erased.md. FOLDER holds `adult.data`; without it rows of the same shape are made up, of which
some are people of one household. Every figure is a share of draws in which the log stays open.
"""

from __future__ import annotations

import argparse
import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Final, TypeAlias

os.environ.setdefault("OMP_NUM_THREADS", "1")

import numpy as np
from sklearn.datasets import load_digits, load_iris

from auditor.base.mixed_columns import Column, Kind, code_below
from auditor.base.records import Dataset, Floats, Positions
from auditor.maths.statistics.columns import deviations
from auditor.parts.store.judging.near_copies import left_open_by
from auditor.parts.store.observing.near_copies import near_copies
from benchmarks import mixed_table

Rng: TypeAlias = np.random.Generator
Kept: TypeAlias = Callable[[Dataset, Positions, Rng], Floats]
"""What a controller adds to the training data for deleted records, shape (k, d)."""

NUMBERS: Final = ("age", "fnlwgt", "education-num", "capital-gain", "capital-loss", "hours-per-week")
_HOUSEHOLDS: Final = 0.002
"""Of made rows, those that stand for a household of two."""


def adult(rows: int, *, only_numbers: bool) -> Dataset:
    """Rows of Adult, or such as it has: fourteen columns, or the six of numbers; drawn in a fixed order."""
    sizes = replace(mixed_table.USUAL, rows=rows, unseen=1)
    table, _ = mixed_table.rows(sizes)
    order = np.random.default_rng(0).permutation(len(table))[:rows]
    cells = {name: [table[at][place] for at in order] for place, name in enumerate(mixed_table.COLUMNS[:-1])}
    columns, codes = list[Column](), list[Floats]()
    for name, texts in cells.items():
        if name in NUMBERS:
            values = np.array(texts, dtype=np.float64)
            columns.append(Column(name, Kind.INTEGER, code_below(values), middle=float(np.median(values))))
            codes.append(values)
        elif not only_numbers:
            words = tuple(sorted(set(texts)))
            columns.append(Column(name, Kind.TEXT, -1.0, words))
            codes.append(np.searchsorted(words, texts).astype(np.float64))
    features = np.stack(codes, axis=1)
    if "ADULT" not in os.environ:
        paired = int(_HOUSEHOLDS * rows)
        features[:paired] = features[paired : 2 * paired]
    return dataset(features, None if only_numbers else tuple(columns))


def dataset(features: Floats, table: tuple[Column, ...] | None = None) -> Dataset:
    """Records with numbered ids, shape (n, d)."""
    ids = np.array([f"r{row}" for row in range(len(features))])
    return Dataset(np.ascontiguousarray(features), np.zeros(len(features), dtype=np.int64), ids, table=table)


def opened(train: Dataset, deleted: int, kept: Kept | None, draws: int) -> float:
    """The share of draws in which the log stays open: so many records are deleted at random, and some are kept all the same."""
    count = 0
    for draw in range(draws):
        rng = np.random.default_rng([draw, deleted])
        gone = np.sort(rng.choice(len(train), deleted, replace=False))
        whole = train if kept is None else dataset(np.concatenate([train.features, kept(train, gone, rng)]), train.table)
        copies = near_copies(whole, gone, (), seed=draw)
        count += copies is not None and left_open_by(copies)
    return count / draws


def copied(share: float, *, each: int = 1, noise: float = 0.0) -> Kept:
    """Some of the deleted records once more, each several times, and moved by some deviations of the numeric columns."""

    def kept(train: Dataset, gone: Positions, rng: Rng) -> Floats:
        chosen = rng.choice(gone, max(1, round(share * len(gone))), replace=False)
        rows = np.repeat(train.features[chosen], each, axis=0)
        if noise:
            of_numbers = np.array([column.kind is not Kind.TEXT for column in train.table or ()] or [True] * rows.shape[1])
            rows += noise * deviations(train.features) * of_numbers * rng.normal(size=rows.shape)
        return rows

    return kept


def among_others(share: float, others: float) -> Kept:
    """Some of the deleted records once more, and so many of all others, which makes copies usual."""

    def kept(train: Dataset, gone: Positions, rng: Rng) -> Floats:
        stay = np.setdiff1d(np.arange(len(train)), gone)
        decoys = train.features[rng.choice(stay, round(others * len(train)), replace=False)]
        return np.concatenate([copied(share)(train, gone, rng), decoys])

    return kept


def other_column(share: float) -> Kept:
    """Some of the deleted records once more, a year older."""

    def kept(train: Dataset, gone: Positions, rng: Rng) -> Floats:
        rows = copied(share)(train, gone, rng)
        rows[:, 0] += 1
        return rows

    return kept


def honest(rows: int, draws: int) -> Iterator[tuple[str, ...]]:
    """Random erasures, of which nothing is kept."""
    yield ("table", *(f"{deleted} deleted" for deleted in _DELETED))
    tables = {
        "Adult, fourteen columns": adult(rows, only_numbers=False),
        "Adult, six columns": adult(rows, only_numbers=True),
        "iris": dataset(load_iris().data),
        "digits": dataset(load_digits().data),
    }
    for name, train in tables.items():
        yield (name, *(_share(opened(train, each, None, draws)) if 3 * each < len(train) else "–" for each in _DELETED))


def power(rows: int, draws: int) -> Iterator[tuple[str, ...]]:
    """So many of the deleted records are kept once under another id, equal or moved by 1e-5 deviations."""
    yield ("deleted", "table", *(f"{count} kept, {how}" for count in _COPIED for how in ("equal", "moved")))
    for only_numbers, name in ((False, "fourteen columns"), (True, "six columns")):
        train = adult(rows, only_numbers=only_numbers)
        for deleted in _DELETED[2:]:
            ways = [copied(count / deleted, noise=noise) for count in _COPIED for noise in (0.0, 1e-5)]
            yield (str(deleted), name, *(_share(opened(train, deleted, way, draws)) for way in ways))


def evaded(rows: int, draws: int) -> Iterator[tuple[str, ...]]:
    """Ways to keep records of which the test sees less: 100 deleted, of fourteen columns."""
    yield ("what is kept of 100 deleted records", "left open")
    train = adult(rows, only_numbers=False)
    ways = {
        "4, once each": copied(0.04),
        "2, once each": copied(0.02),
        "1, once": copied(0.01),
        "5, five times each": copied(0.05, each=5),
        "5, twenty times each": copied(0.05, each=20),
        "5, a hundred times each": copied(0.05, each=100),
        "all, moved by a hundredth of a deviation": copied(1.0, noise=1e-2),
        "all, a year older": other_column(1.0),
        "5, and 2 % of all others twice": among_others(0.05, 0.02),
        "5, and 10 % of all others twice": among_others(0.05, 0.10),
    }
    for name, way in ways.items():
        yield (name, _share(opened(train, 100, way, draws)))


_DELETED: Final = (1, 5, 20, 100, 500)
_COPIED: Final = (1, 5, 20)


def _share(value: float) -> str:
    return f"{100 * value:.0f} %"


def main(arguments: Sequence[str] | None = None) -> int:
    """Print every table as Markdown."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.near_copies", description=__doc__)
    parser.add_argument("--draws", type=int, default=100, help="draws of honest logs for each figure; a fourth as many of others")
    parser.add_argument("--rows", type=int, default=20_000, help="rows of the table")
    asked = parser.parse_args(arguments)
    for table in (honest, power, evaded):
        print(f"\n{(table.__doc__ or '').splitlines()[0]}\n", flush=True)
        draws = asked.draws if table is honest else max(1, asked.draws // 4)
        for number, cells in enumerate(table(asked.rows, draws)):
            print(f"| {' | '.join(cells)} |", flush=True)
            if not number:
                print(f"|{'|'.join('---' for _ in cells)}|", flush=True)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
