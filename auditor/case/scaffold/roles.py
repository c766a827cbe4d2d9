"""What the columns of a table are for: ids, labels, the kind of task. A guess says what it rests on, or is not made."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

from auditor.base.domain import Problem
from auditor.case.scaffold.tables import Table
from auditor.settings.values import unknown

Task: TypeAlias = Literal["classification", "regression"]

_ID: Final = re.compile(r"(?:id|uuid|key|index|number|nr|no|.*[ _-](?:id|uuid|key|number|nr|no)|.*Id|.*ID)")
_LABEL: Final = ("label", "target", "y", "class", "outcome", "response")
MOST_CLASSES: Final = 20
"""A label of numbers with more values than these is taken for an amount."""


@dataclass(frozen=True, slots=True)
class Guess:
    """What was taken, and why."""

    value: str
    why: str


def told(table: Table, option: str, name: str, problems: list[Problem]) -> Guess | None:
    """Take a column that was named; a problem where there is no such column."""
    if name in table.columns:
        if option == "--id" and not table.tells_apart(name):
            found = f"{name}, with {len(table.distinct(name))} values in {table.rows} rows"
            problems.append(Problem(table.source.name, option, "a column with a different value in each row", found))
            return None
        return Guess(name, f"as {option} says")
    problems.append(Problem(table.source.name, option, *unknown("column", name, tuple(table.columns))))
    return None


def id_column(table: Table, named: Collection[str], problems: list[Problem]) -> Guess | None:
    """Find the column of record ids: the one that a log names records by, or the only one that is called so.

    Args:
        table: The training data.
        named: What the log names people or records by; empty where nothing is known.
        problems: Gets one where no column, or more than one, may be it.
    """
    apart = [name for name in table.columns if table.tells_apart(name)]
    met = [name for name in apart if len(table.distinct(name) & set(named)) > len(set(named)) / 2]
    if len(met) == 1:
        return Guess(met[0], "the log names records by it")
    called = [name for name in apart if _ID.fullmatch(name)]
    plain = [name for name in called if name.casefold() == "id"]
    if len(called) == 1 or plain:
        return Guess((plain or called)[0], "its values differ in every row, and its name says so")
    expected = "a column with a different value in each row: name it with --id"
    if not apart:
        problems.append(Problem(table.source.name, "--id", expected, "none; add one to the table"))
    else:
        among = called or apart
        problems.append(Problem(table.source.name, "--id", expected, f"{len(among)} that may be it: {_few(among)}"))
    return None


def label_column(table: Table, used: Sequence[str], taken: Collection[str], problems: list[Problem]) -> Guess | None:
    """Find the column of labels: the one that the code takes them from, or the only one that is called so.

    Args:
        table: The training data.
        used: Columns that the code assigns to labels.
        taken: Columns that have a role already.
        problems: Gets one where no column, or more than one, may be it.
    """
    free = [name for name in table.columns if name not in taken]
    in_code = [name for name in dict.fromkeys(used) if name in free]
    if len(in_code) == 1:
        return Guess(in_code[0], "the code takes labels from it")
    called = [name for name in free if name.casefold() in _LABEL]
    if len(called) == 1:
        return Guess(called[0], "its name says so")
    last = free[-1] if free else None
    if last is not None and not (in_code or called) and 2 <= len(table.distinct(last)) <= MOST_CLASSES:
        return Guess(last, f"the last column, with {len(table.distinct(last))} values")
    among = in_code or called or free
    expected = "the column that the model predicts: name it with --label"
    problems.append(Problem(table.source.name, "--label", expected, f"{len(among)} that may be it: {_few(among)}"))
    return None


def task_of(table: Table, label: str, in_code: Task | None) -> tuple[Task, str]:
    """Tell classes from amounts: by the estimators in the code, or by the labels themselves."""
    values = table.distinct(label)
    amounts = all(_is_number(each) for each in values)
    if in_code == "classification" or (in_code is not None and amounts):
        return in_code, "by the estimator in the code"
    if len(values) <= MOST_CLASSES or not amounts:
        return "classification", f"{label} has {len(values)} values"
    return "regression", f"{label} has {len(values)} different numbers"


def _is_number(cell: str) -> bool:
    try:
        float(cell)
    except ValueError:
        return False
    return True


def _few(names: Sequence[str]) -> str:
    return ", ".join(names[:8]) + (" and others" if len(names) > 8 else "")
