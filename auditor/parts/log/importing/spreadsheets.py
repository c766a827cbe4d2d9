"""Tables as spreadsheets save them: commas, semicolons, tabs or bars, UTF-8 or UTF-16, decimal commas."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

from auditor.case.comma_separated import csv_header, csv_rows
from auditor.case.files import Source
from auditor.case.separators import in_utf8, mark_of

_DECIMAL: Final = re.compile(r"-?[0-9]+,0+")


def separated_rows(source: Source) -> tuple[list[str], list[tuple[int, list[str]]], str]:
    """Read a table as spreadsheets save it: separated by commas, semicolons, tabs or bars, in UTF-8 or UTF-16.

    Returns:
        Names of the columns, the rows with the line on which each ends, and what separates cells.

    Raises:
        InputError: If it is no such table.
    """
    source, told = in_utf8(source)
    mark = told or mark_of(source)
    rows = csv_rows(source, mark)
    names = csv_header(source, rows)
    # Spreadsheets end a row with marks for columns that nobody filled.
    width = len(names)
    return names, [(number, cells[:width] if not any(cells[width:]) else cells) for number, cells in rows], mark


def whole(cells: Iterable[str | None]) -> bool:
    """Whether every cell that holds anything is a whole number with a decimal comma, as 12,0 is one."""
    found = [cell for cell in cells if cell is not None]
    return bool(found) and all(_DECIMAL.fullmatch(cell) for cell in found)
