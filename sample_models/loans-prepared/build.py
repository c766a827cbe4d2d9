"""Makes this case: python sample_models/loans-prepared/build.py."""

from __future__ import annotations

import csv
import hashlib
import json
import sys
from datetime import date, datetime, timedelta, timezone
from pathlib import Path

import numpy as np
import pandas as pd

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))

from model import build  # noqa: E402  (it lies beside this file)
from prepare import EDUCATION, EMPLOYMENT, fit, prepare, split  # noqa: E402  (as does this)

DRAW = 20261126
CUSTOMERS, UNSEEN = 600, 400
REQUESTS, BATCHES = 12, 3
COLUMNS = [
    *("id", "customer_since", "age", "employment", "education", "hours_per_week", "income", "amount", "outstanding", "late"),
]


def rows(rng: np.random.Generator, numbers: range) -> list[list[object]]:
    """Made people with loans: whether they pay late follows from what is known of them, and from chance."""
    made: list[list[object]] = []
    for number in numbers:
        age, hours = int(rng.integers(18, 85)), int(np.clip(rng.normal(36, 16), 1, 80))
        schooling, work = int(rng.integers(len(EDUCATION))), int(rng.choice(len(EMPLOYMENT), p=[0.68, 0.12, 0.15, 0.03, 0.02]))
        income = float(np.round(np.exp(rng.normal(9.8 + 0.15 * schooling + 0.004 * hours, 0.45)), 2))
        amount = float(np.round(np.exp(rng.normal(8.9, 0.8)), 2))
        since = date(2009, 1, 1) + timedelta(days=int(rng.integers(0, 6000)))
        risk = 1.6 * np.log(amount / income) - 0.45 * schooling + 0.9 * (work >= 3) - 0.02 * (age - 40) + rng.logistic(0, 0.4)
        made.append(
            [
                f"loan-{number:05d}",
                since.isoformat(),
                age,
                "" if rng.random() < 0.05 else EMPLOYMENT[work],
                EDUCATION[schooling],
                hours,
                "" if rng.random() < 0.03 else f"{income:.2f}",
                f"{amount:.2f}",
                f"{amount * rng.beta(2, 3):.2f}",
                "yes" if risk > -2.2 else "no",
            ]
        )
    return made


def write(name: str, table: list[list[object]]) -> None:
    """Write a CSV file with its header."""
    with (HERE / name).open("w", encoding="utf-8", newline="") as file:
        csv.writer(file, lineterminator="\n").writerows([COLUMNS, *table])


def requests(rng: np.random.Generator, ids: list[str]) -> list[dict[str, object]]:
    """Twelve people ask; every month those who asked are removed together."""
    waiting = [ids[at] for at in rng.choice(len(ids), size=REQUESTS, replace=False)]
    start = datetime(2026, 1, 5, 9, 30, tzinfo=timezone(timedelta(hours=1)))
    log: list[dict[str, object]] = []
    for number, record in enumerate(waiting):
        month = number * BATCHES // REQUESTS
        received = start + timedelta(days=28 * month + int(rng.integers(0, 12)), minutes=int(rng.integers(0, 480)))
        log.append(
            {
                "request_id": f"REQ-2026-{number + 1:04d}",
                "record_ids": [record],
                "subject": "s-" + hashlib.sha256(f"{DRAW}:{number}".encode()).hexdigest()[:12],
                "received_at": received.isoformat(),
                "executed_at": (start + timedelta(days=28 * month + 20)).isoformat(),
                "batch": f"month-{month + 1}",
                "seen_releases": 0,
                "basis": "GDPR Art. 17(1)(b)",
            }
        )
    return log


rng = np.random.default_rng(DRAW)
train, unseen = rows(rng, range(CUSTOMERS)), rows(rng, range(CUSTOMERS, CUSTOMERS + UNSEEN))
log = requests(rng, [str(row[0]) for row in train])
gone = {record for row in log for record in row["record_ids"]}  # type: ignore[attr-defined]
write("train.csv", train)
write("holdout.csv", unseen)
write("store.csv", [row for row in train if row[0] not in gone])
(HERE / "deletions.jsonl").write_text("".join(json.dumps(row) + "\n" for row in log), encoding="utf-8")

# What is released: the booster as the job saves it, trained on what is kept, with the seed that the last batch gets.
kept = prepare(pd.read_csv(HERE / "store.csv", parse_dates=["customer_since"], index_col="id"))
drawn = int(np.random.SeedSequence(DRAW + BATCHES).generate_state(1)[0] >> 1)
booster = build(drawn, trees=80)
fitted, held = split(kept, drawn)
fit(booster, fitted.drop(columns="late"), fitted["late"], held.drop(columns="late"), held["late"])
booster.booster_.save_model(HERE / "trees.txt")
