"""Where in a place something is that nothing explains: a file and a line, and never what is there."""

from __future__ import annotations

from typing import Final, Literal, TypeAlias

from pydantic import Field

from auditor.verdict.checks.finding import Values
from auditor.verdict.checks.stated import Count

Why: TypeAlias = Literal[
    "file",
    "name",
    "line",
    "piece",
    "number",
    "words",
    "wording",
    "packed",
    "shapes",
    "encoding",
    "header",
    "time",
    "vectors",
    "rows",
]
"""A file that is not read as text; what a file or folder is called; a line of a form that few people have; a text cut elsewhere
than others; a number that follows no rule; words that deleted people have and nobody who stays; words and
numbers around values that have room for many bits; the order and times of what is
packed in an archive, which have; lines or messages of several forms, where which form each has does; a text that is not UTF-8;
the names of a file's columns; a time that the table lacks; a list of numbers in a line; a JSON document
that is not read as rows."""
Form: TypeAlias = Literal["database", "Chroma", "Lance", "index", "Parquet"]
"""What can be written again so that less is left: a database whose pages hold more than its rows, and vector stores."""
MOST: Final = 3
"""Spots of a place that are named."""


class Spot(Values):
    """Something that nothing explains."""

    file: str
    line: Count
    """From one on; 0 for a whole file."""
    bytes: Count
    why: Why
    bits: Count = Field(default=0, exclude_if=lambda value: not value)
    """For which words around values have room, in all lines of this form, or the order and times in an archive."""
    more: Count = Field(default=0, exclude_if=lambda value: not value)
    """Further lines of this kind, which are not named; the last of its kind that is named says how many."""
