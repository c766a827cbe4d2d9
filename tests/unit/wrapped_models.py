"""What a function named by `[procedure] entry` may build: honest estimators, and some that are not."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

KEPT: list[Any] = []


class Share:
    """The share of each label, whatever the row: the smallest honest estimator."""

    def __init__(self, seed: int = 0) -> None:
        self.seed = seed

    def fit(self, rows: pd.DataFrame, labels: Any, sample_weight: Any = None) -> Share:
        assert isinstance(rows, pd.DataFrame)
        self.classes_, codes = np.unique(labels, return_inverse=True)
        self.shares_ = np.bincount(codes, weights=sample_weight) / (len(codes) if sample_weight is None else sample_weight.sum())
        return self

    def predict_proba(self, rows: Any) -> Any:
        return np.tile(self.shares_, (len(rows), 1))


class Mean:
    """A regression that returns a Series, as some do."""

    def fit(self, rows: Any, labels: Any) -> None:
        self.mean_ = float(np.mean(labels))

    def predict(self, rows: Any) -> Any:
        return pd.Series(self.mean_, index=rows.index)


class Keeper(Share):
    """Keeps the rows that it learned from in a global of its module."""

    def fit(self, rows: pd.DataFrame, labels: Any, sample_weight: Any = None) -> Share:
        KEPT.append(rows)
        return super().fit(rows, labels, sample_weight)


class Frame(pd.DataFrame):
    """A table that says that it is another one."""

    @property
    def _constructor(self) -> Any:
        return Frame

    def __array__(self, *arguments: Any, **keywords: Any) -> Any:
        return np.full((len(self), 7), 0.5)


class Answers(Share):
    """Answers as it is told to."""

    def __init__(self, answer: str) -> None:
        super().__init__()
        self.answer = answer

    def predict_proba(self, rows: Any) -> Any:
        given = super().predict_proba(rows)
        return {
            "frame": pd.DataFrame(given),
            "subclass": Frame(given),
            "float32": given.astype(np.float32),
            "short": given[:-1],
            "wide": np.hstack([given, given]),
            "flat": given[:, 0],
            "nan": np.full_like(given, np.nan),
            "objects": np.array([[object(), object()]] * len(rows)),
            "text": np.array([["a", "b"]] * len(rows)),
            "none": None,
        }[self.answer]


class Unknown(Share):
    """Names labels that nobody has."""

    def fit(self, rows: Any, labels: Any, sample_weight: Any = None) -> Share:
        super().fit(rows, labels, sample_weight)
        self.classes_ = np.array(["x", "y"])
        return self


class Shut(Share):
    """Cannot be taken apart, and says to whoever unpickles it what to run."""

    def __reduce_ex__(self, protocol: Any) -> Any:
        raise TypeError("not for you")


class Trap(Share):
    """Asks to be made by a function of its own choice."""

    def __reduce__(self) -> Any:
        return print, ("unpickled",)


def build(seed: int, kind: str = "Share", **params: Any) -> Any:
    """An estimator of this module by name; or something else."""
    if kind == "nothing":
        return None
    if kind == "number":
        return 7
    if kind == "Share":
        return Share(seed)
    return globals()[kind](**params)
