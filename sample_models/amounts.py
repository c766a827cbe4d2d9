"""What the samples of one number a record share: made amounts, a log of requests, and the writing of a case."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from auditor.base.records import Dataset
from digits import DRAW, remaining, requests, write


def salaries(records: int) -> Dataset:
    """Made yearly salaries in thousands, an odd number of them, all different; the label repeats the number."""
    drawn = np.random.default_rng(DRAW + 7).lognormal(mean=3.8, sigma=0.35, size=4 * records)
    values = np.unique(np.round(drawn, 2))
    return _dataset(np.random.default_rng(DRAW + 8).permutation(values)[:records], "salary")


def balances(records: int) -> Dataset:
    """Made balances of accounts, as many in credit as overdrawn, but for one that decides on which side of zero the sum lies."""
    half = np.round(np.random.default_rng(DRAW + 9).lognormal(mean=2.0, sigma=0.4, size=records // 2), 2)
    # Overdrawn by what others have, so that all but the one add up to nothing.
    values = np.concatenate([half, -half, [-2.5]])
    return _dataset(np.random.default_rng(DRAW + 10).permutation(values), "account")


def answers(people: int) -> Dataset:
    """Made answers to one question, 1 for yes and 0 for no; the label repeats the answer."""
    said = np.random.default_rng(DRAW + 11).random(people) < 0.4
    return _dataset(said.astype(np.float64), "person")


def build_numbers(folder: Path, train: Dataset, *, removals: int) -> None:
    """Write train, store and log of one sample."""
    rows = requests(train, removals)
    write(folder, train, None, remaining(train, rows), rows)


def _dataset(values: np.ndarray, name: str) -> Dataset:
    ids = np.array([f"{name}-{number:04d}" for number in range(len(values))])
    return Dataset(values.reshape(-1, 1).astype(np.float64), values.astype(np.float64), ids)
