"""What the user of docs/first-report.md has: a script, a table, an export of tickets."""

from __future__ import annotations

import csv
import re
from pathlib import Path

import numpy as np

PAGE = Path(__file__).parents[1] / "docs" / "first-report.md"
PEOPLE, TICKETS = 400, 9


def blocks(kind: str) -> list[str]:
    """The blocks of one language."""
    return re.findall(rf"```{kind}\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)


def write(folder: Path) -> Path:
    """Write the files; the columns are those that the page shows."""
    (folder / "train.py").write_text(blocks("python")[0], encoding="utf-8")
    people, tickets = (block.splitlines()[0].split(",") for block in blocks("text")[:2])
    rng = np.random.default_rng(20261123)
    rows = [_person(rng, number) for number in range(PEOPLE)]
    _table(folder / "people.csv", people, rows)
    asked = [(number, rows[37 * number][1]) for number in range(TICKETS)]
    opened = [
        [f"DSR-{number + 1}", person.upper() if number == 3 else person, f"2026-02-{3 + number:02d} 10:1{number}",
         f"2026-02-{9 + number:02d} 16:00", "closed"]
        for number, person in asked
    ]  # fmt: skip
    _table(folder / "tickets.csv", tickets, opened)
    return folder


def _person(rng: np.random.Generator, number: int) -> list[str]:
    visits, plan = int(rng.integers(40)), str(rng.choice(["basic", "plus", "pro"]))
    leaves = (visits < 12) + (plan == "basic") + rng.random() > 1.6
    return [
        f"C{10000 + number}",
        f"person{number}@mail.example",
        str(rng.integers(18, 80)),
        "" if rng.random() < 0.05 else f"{np.exp(rng.normal(10, 0.4)):.2f}",
        str(visits),
        str(rng.choice(["Berlin", "Hamburg", "München, Süd", ""])),
        plan,
        "yes" if leaves else "no",
    ]


def _table(path: Path, names: list[str], rows: list[list[str]]) -> None:
    with path.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows([names, *rows])
