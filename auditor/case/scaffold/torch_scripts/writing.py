"""Writes the training of a script as a `TrainingLoop`."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Mapping, Sequence

from auditor.base.domain import Problem
from auditor.base.errors import InputError
from auditor.case.scaffold import torch_loops
from auditor.case.scaffold.tables import Table
from auditor.case.scaffold.torch_loops import Arrays, Frame, Loss, Written
from auditor.settings.values import show


def write_loop(
    written: Written,
    files: Mapping[str, bytes],
    encoded: Mapping[str, int] | None,
    script: str,
    is_arrays: bool,
    table: Table,
    by_id: str,
    label: str,
    features: Sequence[str],
) -> dict[str, bytes]:
    """The files of the loop, once it is known what the columns are for.

    Raises:
        InputError: If the labels are not such as the loss takes them, or the script reads the table otherwise.
    """
    if is_arrays != (table.shape is not None):
        expected = "the file that the script reads: np.load of an .npz file, pd.read_csv of a table"
        raise InputError([Problem(script, "--data", expected, table.source.name)])
    order = () if written.loss == "amount" else _order(table, label, encoded, written.loss)
    given: Arrays | Frame
    if table.shape is not None:
        given = Arrays(table.shape, table.kind)
    else:
        columns = {name: _kind(cells) for name, cells in table.columns.items()}
        given = Frame(columns=columns, features=features, label=label, id=by_id)
    text = torch_loops.text(written, given, "Loop", order)
    ast.parse(text)
    (name, *_) = files
    return {**files, name: text.encode()}


def _order(table: Table, label: str, encoded: Mapping[str, int] | None, loss: Loss) -> tuple[int, ...]:
    """Give the output of the network for each label, sorted; empty where they are in that order already.

    Raises:
        InputError: If labels are not such as the loss takes them: predictions would be read as those of other classes.
    """
    values = _sorted(table.distinct(label))
    places = {value: at for at, value in enumerate(values)}
    binary = loss in {"logit", "probability"}
    order = tuple(range(len(values)))
    if encoded is not None and len(encoded) == 1:
        (one,) = encoded
        fits = len(values) == 2 and one in places
        order = tuple(int(each == one) for each in values)
    elif encoded is not None:
        order = tuple(encoded.get(each, -1) for each in values)
        fits = encoded.keys() == places.keys() and sorted(order) == list(range(len(values)))
    else:
        whole = all(re.fullmatch(r"\d+(?:\.0)?", each) for each in values)
        fits = not whole or [float(each) for each in values] == list(range(len(values)))
    if not fits or (binary and len(values) != 2):
        expected = (
            "labels that the script encodes as 0, 1, 2 …, each in the table as one number: "
            f".map({{{', '.join(f'{value!r}: {at}' for value, at in list(places.items())[:3])}{', …' * (len(places) > 3)}}})"
        )
        found = f"{', '.join(map(show, values[:8]))}" + ("" if encoded is None else f", encoded as {dict(encoded)}")
        raise InputError([Problem(table.source.name, label, expected, found)])
    return () if order == tuple(range(len(values))) else order


def _sorted(labels: Iterable[str]) -> list[str]:
    """Labels in the order of the case's: by amount where all are numbers, and else as text."""
    found = sorted(labels)
    try:
        return sorted(found, key=float)
    except ValueError:
        return found


def _kind(cells: Sequence[str]) -> str | None:
    """The type that pandas gives a column; None where it is text."""
    if cells and all(re.fullmatch(r"[+-]?\d{1,18}", each) for each in cells):
        return "int64"
    try:
        for each in cells:
            float(each or "nan")
    except ValueError:
        return None
    return "float64"
