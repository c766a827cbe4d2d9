"""What samples of a lender's customers share: made people with loans, their requests, and the files of a case."""

from __future__ import annotations

import csv
import hashlib
import json
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date, datetime, timedelta, timezone
from pathlib import Path

import numpy as np

EMPLOYMENT = ["private", "self-employed", "public", "without pay", "never worked"]
EDUCATION = ["primary", "secondary", "vocational", "bachelor", "master", "doctorate"]
_START = datetime(2026, 1, 5, 9, 30, tzinfo=timezone(timedelta(hours=1)))


@dataclass(frozen=True)
class Loan:
    """A made person with a loan."""

    age: int
    hours: int
    schooling: int
    work: int
    income: float
    amount: float


def loan(rng: np.random.Generator, hours: tuple[float, float]) -> Loan:
    """Draw a person with a loan; hours of work a week by their mean and standard deviation."""
    age, worked = int(rng.integers(18, 85)), int(np.clip(rng.normal(*hours), 1, 80))
    schooling, work = int(rng.integers(len(EDUCATION))), int(rng.choice(len(EMPLOYMENT), p=[0.68, 0.12, 0.15, 0.03, 0.02]))
    income = float(np.round(np.exp(rng.normal(9.8 + 0.15 * schooling + 0.004 * worked, 0.45)), 2))
    return Loan(age, worked, schooling, work, income, float(np.round(np.exp(rng.normal(8.9, 0.8)), 2)))


def since(rng: np.random.Generator) -> str:
    """Draw the day on which somebody became a customer."""
    return (date(2009, 1, 1) + timedelta(days=int(rng.integers(0, 6000)))).isoformat()


def risk(rng: np.random.Generator, of: Loan, *, debt: float, schooling: float, chance: float) -> float:
    """How likely a person is to pay late: what is known of them, by the weights of debt and schooling, and chance."""
    known = debt * np.log(of.amount / of.income) - schooling * of.schooling + 0.9 * (of.work >= 3) - 0.02 * (of.age - 40)
    return float(known + rng.logistic(0, chance))


@dataclass(frozen=True)
class Asking:
    """How many people ask for erasure, and how those who asked are removed together."""

    requests: int
    batches: int
    days: int
    """Between two batches."""
    spread: int
    """Days from the first request of a batch to its last, at most."""
    executed: int
    """Days from the beginning of a batch to its execution."""
    named: Callable[[int], str]
    """The name of a batch, counted from 1."""


def requests(rng: np.random.Generator, ids: list[str], draw: int, asking: Asking) -> list[dict[str, object]]:
    """The log of those who ask."""
    waiting = [ids[at] for at in rng.choice(len(ids), size=asking.requests, replace=False)]
    log: list[dict[str, object]] = []
    for number, record in enumerate(waiting):
        batch = number * asking.batches // asking.requests
        asked = timedelta(days=asking.days * batch + int(rng.integers(0, asking.spread)), minutes=int(rng.integers(0, 480)))
        log.append(
            {
                "request_id": f"REQ-2026-{number + 1:04d}",
                "record_ids": [record],
                "subject": "s-" + hashlib.sha256(f"{draw}:{number}".encode()).hexdigest()[:12],
                "received_at": (_START + asked).isoformat(),
                "executed_at": (_START + timedelta(days=asking.days * batch + asking.executed)).isoformat(),
                "batch": asking.named(batch + 1),
                "seen_releases": 0,
                "basis": "GDPR Art. 17(1)(b)",
            }
        )
    return log


def write(
    folder: Path,
    draw: int,
    columns: list[str],
    row: Callable[[np.random.Generator, int], list[object]],
    *,
    customers: int,
    unseen: int,
    asking: Asking,
) -> None:
    """Write training data, holdout, store and log of a case; `row` makes one record, the id first."""
    rng = np.random.default_rng(draw)
    made = [row(rng, number) for number in range(customers + unseen)]
    train = made[:customers]
    log = requests(rng, [str(each[0]) for each in train], draw, asking)
    gone = {each["record_ids"][0] for each in log}  # type: ignore[index]
    for name, table in (
        ("train.csv", train),
        ("holdout.csv", made[customers:]),
        ("store.csv", [each for each in train if each[0] not in gone]),
    ):
        with (folder / name).open("w", encoding="utf-8", newline="") as file:
            csv.writer(file, lineterminator="\n").writerows([columns, *table])
    (folder / "deletions.jsonl").write_text("".join(json.dumps(each) + "\n" for each in log), encoding="utf-8")


def drawn(draw: int, batches: int) -> int:
    """The seed that the last batch gets."""
    return int(np.random.SeedSequence(draw + batches).generate_state(1)[0] >> 1)
