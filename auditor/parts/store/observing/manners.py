"""Say in which manner a table of text is written as a whole, for of many small files each could be written in another one."""

from __future__ import annotations

import re
from typing import Final

from auditor.parts.release.observing import file_formats

_FIRST: Final = 4096
"""Characters by which JSON is known: what is otherwise after them counts as the spelling of cells."""
_TOKEN: Final = re.compile(r'"(?:[^"\\]|\\.)*"|[-+\w.]+')
_QUOTED_NUMBER: Final = re.compile(r'"-?\d[\d.]*"', re.ASCII)


def manner_of(content: bytes, suffix: str) -> str:
    """Name how a table is written, apart from what it holds: its format, and what stands between cells.

    Args:
        content: A file that was read as a table.
        suffix: What its name ends with, in small letters.
    """
    if suffix in {".csv", ".tsv"}:
        return repr((suffix, *_separated(content.decode("utf-8"), suffix)))
    if suffix in {".json", ".jsonl", ".ndjson"}:
        # The last piece may be cut off.
        return repr((suffix, sorted(set(_TOKEN.split(content.decode("utf-8")[:_FIRST])[:-1]))))
    return suffix


def _separated(text: str, suffix: str) -> tuple[object, ...]:
    """The mark before the text, what is between cells and at the ends of lines, and whether names and numbers have quotes."""
    first, _, rest = text.partition("\n")
    row = rest.partition("\n")[0]
    ends = first.endswith("\r"), text.endswith("\n")
    return text.startswith("\ufeff"), file_formats.mark_of(text, suffix), ends, '"' in first, bool(_QUOTED_NUMBER.search(row))
