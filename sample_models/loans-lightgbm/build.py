"""Makes this case: python sample_models/loans-lightgbm/build.py."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import pandas as pd

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent)]

from model import build  # noqa: E402  (it lies beside this file)

from loans import EDUCATION, EMPLOYMENT, Asking, drawn, loan, risk, since, write  # noqa: E402  (next to the samples' folders)

DRAW = 20261018
MARITAL = ["single", "married", "divorced", "widowed"]
OCCUPATION = ["office", "sales", "craft", "transport", "service", "technical", "farming", "management", "care", "security"]
COLUMNS = [
    *("id", "customer_since", "age", "employment", "education", "marital_status", "occupation", "postcode"),
    *("hours_per_week", "income", "amount", "outstanding", "late"),
]
# Forty people ask; every week those who asked are removed together.
ASKING = Asking(requests=40, batches=10, days=7, spread=5, executed=9, named=lambda number: f"week-{number:02d}")


def row(rng: np.random.Generator, number: int) -> list[object]:
    """Make a person with a loan: whether they pay late follows from what is known of them, and from chance."""
    of = loan(rng, hours=(38, 11))
    outstanding = float(np.round(of.amount * rng.beta(2, 3), 2))
    day, late = since(rng), risk(rng, of, debt=1.1, schooling=0.35, chance=0.6) > -1.2
    return [
        f"loan-{number:05d}",
        day,
        of.age,
        "" if rng.random() < 0.05 else EMPLOYMENT[of.work],
        EDUCATION[of.schooling],
        MARITAL[int(rng.integers(len(MARITAL)))],
        "" if rng.random() < 0.06 else OCCUPATION[int(rng.integers(len(OCCUPATION)))],
        f"{int(rng.integers(1000, 99999)):05d}",
        of.hours,
        "" if rng.random() < 0.03 else f"{of.income:.2f}",
        f"{of.amount:.2f}",
        f"{outstanding:.2f}",
        "yes" if late else "no",
    ]


write(HERE, DRAW, COLUMNS, row, customers=1500, unseen=500, asking=ASKING)

# What is released: the pipeline's booster as LightGBM saves it, trained on what is kept, with the seed that the last batch gets.
kept = pd.read_csv(HERE / "store.csv", parse_dates=["customer_since"])
pipeline = build(drawn(DRAW, ASKING.batches), trees=60).fit(kept.drop(columns=["id", "late"]), kept["late"])
pipeline.named_steps["trees"].booster_.save_model(HERE / "trees.txt")
