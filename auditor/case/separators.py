"""What separates the cells of a table as spreadsheets save it, and in which encoding it is."""

from __future__ import annotations

import codecs
import re
from typing import Final

from auditor.base.domain import Problem
from auditor.base.errors import InputError
from auditor.case.comma_separated import csv_rows
from auditor.case.files import Source

_MARKS: Final = (",", ";", "\t", "|")
"""What separates cells."""


def in_utf8(source: Source) -> tuple[Source, str | None]:
    """The file in UTF-8, and the separator that its first line names, as Excel writes it (`sep=;`)."""
    data = source.data
    wide = data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE))
    try:
        data = data.decode("utf-16" if wide else "utf-8-sig").encode()
    except UnicodeError as error:
        expected = "text in UTF-8 or UTF-16: save it from a spreadsheet as “CSV UTF-8”"
        raise InputError([Problem(source.name, "", expected, "bytes that are neither")]) from error
    first, end, rest = data.partition(b"\n")
    told = re.fullmatch(rb'"?sep=([,;\t|])"?\r?', first)
    # The line stays as a blank one, so that rows keep their numbers.
    return Source(source.name, data if told is None else end + rest), None if told is None else told[1].decode()


def mark_of(source: Source) -> str:
    """What separates cells: of those marks that the header has the one by which most rows are as long as it is."""
    text = source.data.decode("utf-8-sig", errors="replace")
    header = re.sub(r'"[^"]*"', "", next((line for line in text.splitlines() if line.strip()), ""))
    marks = [mark for mark in _MARKS if mark in header]
    if len(marks) < 2:
        return marks[0] if marks else _MARKS[0]
    return max(marks, key=lambda mark: _fitting(source, mark))


def _fitting(source: Source, mark: str) -> tuple[float, int]:
    """The share of rows that are as long as the header by this mark, and how long that is."""
    try:
        lengths = [len(cells) for _, cells in csv_rows(source, mark)]
    except InputError:
        return 0.0, 0
    return lengths.count(lengths[0]) / len(lengths), lengths[0]
