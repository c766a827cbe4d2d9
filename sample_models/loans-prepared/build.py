"""Makes this case: python sample_models/loans-prepared/build.py."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import pandas as pd

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent)]

from model import build  # noqa: E402  (it lies beside this file)
from prepare import fit, prepare, split  # noqa: E402  (as does this)

from loans import EDUCATION, EMPLOYMENT, Asking, drawn, loan, risk, since, write  # noqa: E402  (next to the samples' folders)

DRAW = 20261126
COLUMNS = [
    *("id", "customer_since", "age", "employment", "education", "hours_per_week", "income", "amount", "outstanding", "late"),
]
# Twelve people ask; every month those who asked are removed together.
ASKING = Asking(requests=12, batches=3, days=28, spread=12, executed=20, named=lambda number: f"month-{number}")


def row(rng: np.random.Generator, number: int) -> list[object]:
    """Make a person with a loan: whether they pay late follows from what is known of them, and from chance."""
    of = loan(rng, hours=(36, 16))
    day, late = since(rng), risk(rng, of, debt=1.6, schooling=0.45, chance=0.4) > -2.2
    return [
        f"loan-{number:05d}",
        day,
        of.age,
        "" if rng.random() < 0.05 else EMPLOYMENT[of.work],
        EDUCATION[of.schooling],
        of.hours,
        "" if rng.random() < 0.03 else f"{of.income:.2f}",
        f"{of.amount:.2f}",
        f"{of.amount * rng.beta(2, 3):.2f}",
        "yes" if late else "no",
    ]


write(HERE, DRAW, COLUMNS, row, customers=600, unseen=400, asking=ASKING)

# What is released: the booster as the job saves it, trained on what is kept, with the seed that the last batch gets.
kept = prepare(pd.read_csv(HERE / "store.csv", parse_dates=["customer_since"], index_col="id"))
seed = drawn(DRAW, ASKING.batches)
booster = build(seed, trees=80)
fitted, held = split(kept, seed)
fit(booster, fitted.drop(columns="late"), fitted["late"], held.drop(columns="late"), held["late"])
booster.booster_.save_model(HERE / "trees.txt")
