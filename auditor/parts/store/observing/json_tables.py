"""Take a JSON document as one table: an object of rows, of columns, or of names, labels and cells, as pandas writes them."""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

_PARTS: Final = ["columns", "index", "data"]
_NUMBER: Final = re.compile(r"0|[1-9]\d*", re.ASCII)
_INDENT: Final = 8
"""Blanks by which lines of JSON are indented, at most."""
_MARK: Final = "\0"
"""In front of a number that is kept as it is written."""
_MARKED: Final = re.compile(r'"\\u0000(-?\d[\d.eE+-]*)"', re.ASCII)


@dataclass(frozen=True, slots=True)
class JsonTable:
    """The rows of a document, each with the same columns."""

    names: tuple[str, ...]
    labels: tuple[str, ...]
    """What each row is called."""
    rows: Sequence[Sequence[Any]]

    @property
    def records(self) -> Iterator[dict[str, Any]]:
        """Each row as an object."""
        return (dict(zip(self.names, row, strict=True)) for row in self.rows)

    @property
    def as_written(self) -> tuple[str, ...]:
        """What each row is called, where numbers are as they are written."""
        return tuple(each.removeprefix(_MARK) for each in self.labels)

    @property
    def numbers_rows(self) -> bool:
        """Whether rows are called by numbers."""
        return all(map(_NUMBER.fullmatch, self.labels))


def table_of(held: Any, known: Collection[str] = ()) -> JsonTable | None:
    """Take a document other than a list as a table; None where it is not one.

    Args:
        held: The document.
        known: Names that columns have.
    """
    if not isinstance(held, dict) or not held:
        return None
    if list(held) == _PARTS:
        return _of_parts(*held.values())
    inner = next(iter(held.values()))
    if not isinstance(inner, dict) or not inner or not all(isinstance(each, dict) for each in held.values()):
        return None
    if any(list(each) != list(inner) for each in held.values()):
        return None
    if _is_of_columns(list(held), list(inner), known):
        rows = list(zip(*(each.values() for each in held.values()), strict=True))
        return JsonTable(tuple(held), tuple(inner), rows)
    return JsonTable(tuple(inner), tuple(held), [list(each.values()) for each in held.values()])


def _of_parts(names: Any, labels: Any, rows: Any) -> JsonTable | None:
    """Take names of columns, labels and cells, each a list, as a table."""
    if not all(isinstance(each, list) for each in (names, labels, rows)) or len(labels) != len(rows):
        return None
    plain = all(isinstance(each, str) for each in names) and len({*map(type, labels)}) <= 1
    if not plain or len(set(names)) < len(names) or not all(isinstance(each, int | str) for each in labels[:1]):
        return None
    if not all(isinstance(row, list) and len(row) == len(names) for row in rows):
        return None
    return JsonTable(tuple(names), tuple(map(str, labels)), rows)


def _is_of_columns(outer: Sequence[str], inner: Sequence[str], known: Collection[str]) -> bool:
    """Whether an object of objects has its columns outside: by names that are known, by numbers of rows, or by how many."""
    for is_name in (known.__contains__, lambda name: _NUMBER.fullmatch(name) is None):
        outside, inside = any(map(is_name, outer)), any(map(is_name, inner))
        if outside != inside:
            return outside
    return len(inner) > len(outer)


def separated(content: bytes) -> bytes | None:
    """Write the table of a document other than a list as lines of separated values; None where it is not one."""
    try:
        table = table_of(json.loads(content))
    except (ValueError, RecursionError):
        return None
    if table is None:
        return None
    text = io.StringIO(newline="")
    csv.writer(text).writerows([["", *table.names], *([each, *row] for each, row in zip(table.labels, table.rows, strict=True))])
    return text.getvalue().encode("utf-8", "surrogatepass")


def with_literals(text: str) -> Any:
    """Read a document with its numbers as they are written, so that it can be written again; they are marked texts.

    Raises:
        ValueError: If it is not JSON.
    """
    return json.loads(text, parse_float=_marked, parse_int=_marked)


def _marked(number: str) -> str:
    return _MARK + number


def written(held: Any, **how: Any) -> str:
    """Write what `with_literals` read, as `json.dumps` does."""
    return _MARKED.sub(r"\1", json.dumps(held, **how))


def written_again(held: Any, text: str) -> Iterator[str]:
    """The ways in which a document may be written: anything else lies between its values.

    Args:
        held: The document with its numbers as they are written.
        text: The document as it stands.
    """
    # What is written in lines begins with a line's end and as many blanks as the lines are indented by.
    indent = len(text[2:]) - len(text[2:].lstrip(" ")) if text[1:2] == "\n" else 0
    lines = "\t" if text[1:3] == "\n\t" else min(indent, _INDENT) or None
    for ascii_alone in (False, True):
        for separators in ((", ", ": ") if lines is None else (",", ": "), (",", ":")):
            again = written(held, ensure_ascii=ascii_alone, indent=lines, separators=separators)
            yield again
            if "\\/" in text:
                yield again.replace("/", "\\/")
