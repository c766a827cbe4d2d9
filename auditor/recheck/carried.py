"""What a PDF of ours carries and names: one document, whose digest its cover prints, and tables that follow from it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from auditor.recheck.pdf.contents import Contents

_MOST_LISTED: Final = 12
"""Names that a message lists."""
_OTHER: Final = re.compile(r"[^0-9A-Za-z]+")


def carried(printed: Contents, document: str, tables: Mapping[str, bytes] | None) -> Iterator[str]:
    """One message for everything that it carries otherwise than it must.

    Args:
        printed: The PDF.
        document: The name of the document that it must carry.
        tables: What must be next to that document, by name; None where another version chose it, and any may be there.
    """
    names = [name for name, _ in printed.attachments]
    expected = [document, *(tables if tables is not None else [name for name in names if name != document])]
    if sorted(names) != sorted(expected):
        alone = " alone" if len(expected) == 1 else ""
        yield f"it carries {_listed(names) or 'no file'}, and should carry {_listed(expected)}{alone}"
    elif printed.embedded != len(expected):
        extra = printed.embedded - len(expected)
        yield f"it holds {printed.embedded} embedded files, {extra} of them in addition to {_listed(expected)}"
    for name, content in printed.attachments:
        if tables is not None and tables.get(name, content) != content:
            yield f"{name} in it is another than the evidence gives"
    if printed.revisions != 1 or not printed.ends:
        yield "it was changed after it was written: something follows its end"


def _listed(names: Sequence[str]) -> str:
    return ", ".join(names[:_MOST_LISTED]) + ("" if len(names) <= _MOST_LISTED else f" and {len(names) - _MOST_LISTED} more")


def named_on(printed: Contents, wanted: str) -> bool:
    """Whether the cover shows a text, as far as its plain letters and digits go: layout moves spaces, fonts lack characters."""
    return plain(wanted) in plain(printed.cover)


def plain(text: str) -> str:
    """The plain letters and digits of a text."""
    return _OTHER.sub("", text)
