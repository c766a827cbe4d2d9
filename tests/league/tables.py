"""Makes the data of the league, which no sample uses: scikit-learn's wine and iris, moons, and synthetic tables."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pandas as pd
from sklearn.datasets import load_digits, load_iris, load_wine, make_moons

WINE_UNITS = np.array([15.0, 6.0, 3.5, 30.0, 170.0, 4.0, 5.5, 0.7, 4.0, 13.0, 2.0, 4.0, 1700.0])
"""Round numbers of the size of each column, which no record had a part in."""


@dataclass(frozen=True, eq=False)
class Table:
    """Holds records: features (n, d), labels (n,), ids (n,)."""

    features: np.ndarray[Any, Any]
    labels: np.ndarray[Any, Any]
    ids: np.ndarray[Any, Any]

    def __len__(self) -> int:
        return len(self.ids)

    def subset(self, places: Any) -> Table:
        """Give the records at some positions, in that order."""
        return Table(self.features[places], self.labels[places], self.ids[places])

    def cut(self, count: int) -> tuple[Table, Table]:
        """Cut off the last records, as a holdout."""
        places = np.arange(len(self))
        return self.subset(places[:-count]), self.subset(places[-count:])


def names(count: int, mark: str = "rec") -> np.ndarray[Any, Any]:
    """Ids of one width."""
    return np.array([f"{mark}-{place:04d}" for place in range(count)])


def made(seed: int, *, n: int = 90, d: int = 5, classes: int = 2) -> Table:
    """Draw clouds around a centre for each label, with a tenth of the labels wrong. Rows have a norm of at most 1."""
    rng = np.random.default_rng([seed, 1])
    labels = np.arange(n) % classes
    features = 0.7 * rng.normal(size=(classes, d))[labels] + rng.normal(size=(n, d))
    features /= np.maximum(1.0, np.linalg.norm(features, axis=1))[:, None]
    wrong = rng.random(n) < 0.1
    return Table(features, np.where(wrong, rng.integers(classes, size=n), labels), names(n))


def worded(table: Table) -> Table:
    """Give labels as text."""
    return replace(table, labels=np.array([f"class {label}" for label in table.labels.tolist()]))


def real_valued(seed: int, *, n: int = 90, d: int = 6) -> Table:
    """Draw a regression: a smooth function of three columns, and noise."""
    rng = np.random.default_rng([seed, 2])
    features = rng.uniform(-1, 1, size=(n, d))
    values = np.sin(2 * features[:, 0]) + features[:, 1] * features[:, 2] + 0.1 * rng.normal(size=n)
    return Table(features, values, names(n, "house"))


def wine(seed: int) -> Table:
    """Shuffle scikit-learn's wine, 178 records of 13 features and three labels, in fixed units."""
    features, labels = load_wine(return_X_y=True)
    order = np.random.default_rng([seed, 3]).permutation(len(labels))
    return Table((features / WINE_UNITS)[order], labels[order].astype(np.int64), names(len(labels), "bottle"))


def iris(seed: int) -> Table:
    """Shuffle scikit-learn's iris, 150 records of 4 coarse features; some are written twice."""
    features, labels = load_iris(return_X_y=True)
    order = np.random.default_rng([seed, 4]).permutation(len(labels))
    return Table(features[order], labels[order].astype(np.int64), names(len(labels), "flower"))


def moons(seed: int, *, n: int = 120) -> Table:
    """Draw two moons in the plane."""
    features, labels = make_moons(n, noise=0.25, random_state=seed)
    return Table(features, labels.astype(np.int64), names(n, "point"))


def counts(seed: int, *, n: int = 120, d: int = 6) -> Table:
    """Draw a coarse table of small whole numbers, as in surveys; many rows lie close to one another."""
    rng = np.random.default_rng([seed, 5])
    features = rng.poisson(3.0, size=(n, d)).astype(np.float64)
    labels = (features[:, 0] + features[:, 1] + rng.normal(size=n) > 6).astype(np.int64)
    return Table(features, labels, names(n, "person"))


def digits(seed: int, *, n: int = 120, classes: int = 3) -> Table:
    """Draw pictures of the first few of scikit-learn's digits, 64 shades from 0 to 1."""
    features, labels = load_digits(n_class=classes, return_X_y=True)
    order = np.random.default_rng([seed, 6]).permutation(len(labels))[:n]
    return Table(features[order] / 16, labels[order].astype(np.int64), names(n, "scan"))


FIRST = ("Anna", "Bruno", "Clara", "David", "Elif", "Femi", "Greta", "Hana", "Igor", "Jana", "Kofi", "Lena", "Mira", "Nils")
LAST = ("Abel", "Brandt", "Celik", "Dahl", "Ebert", "Fiala", "Gruber", "Haas", "Ivanov", "Jensen", "Koch", "Lindt", "Moreau")
CITIES = ("Bern", "Graz", "Kiel", "Lyon", "Oslo", "Pisa")
WORDS = ("late", "invoice", "refund", "thanks", "delivery", "broken", "screen", "again", "update", "fast", "price", "support")


def customers(seed: int, *, n: int = 120) -> pd.DataFrame:
    """Draw a table of customers: name, city, plan, age, income, first day and a note, labelled by whether they left."""
    rng = np.random.default_rng([seed, 8])
    age, income = rng.integers(18, 80, n), np.round(rng.lognormal(10.2, 0.4, n), 2)
    plan = rng.choice(["basic", "plus", "pro"], n, p=[0.5, 0.3, 0.2])
    chance = 1 / (1 + np.exp(-(0.04 * (age - 45) - (income - 28_000) / 15_000 + (plan == "basic"))))
    return pd.DataFrame(
        {
            "id": [f"C{number}" for number in np.sort(rng.choice(90_000, n, replace=False)) + 10_000],
            "name": [f"{rng.choice(FIRST)} {rng.choice(LAST)}-{rng.choice(LAST)}" for _ in range(n)],
            "city": rng.choice(CITIES, n),
            "plan": plan,
            "age": age,
            "income": income,
            "since": (pd.Timestamp("2019-01-01") + pd.to_timedelta(rng.integers(0, 2200, n), unit="D")).strftime("%Y-%m-%d"),
            "note": [" ".join(rng.choice(WORDS, rng.integers(5, 9))) for _ in range(n)],
            "label": np.where(rng.random(n) < chance, "left", "stays"),
        }
    )
