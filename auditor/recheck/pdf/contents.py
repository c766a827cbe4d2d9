"""What a PDF carries: its attachments, the text of its cover, its date, and how often it was written to."""

from __future__ import annotations

import io
import logging
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from auditor.recheck.pdf.limits import MOST_PAGES

if TYPE_CHECKING:
    from pypdf import PdfReader

SIGNATURE: Final = b"%PDF-"
"""How a PDF begins."""
_COVER: Final = 3
"""Pages on which the digest must be: it is on the first one, unless something very long is before it."""
_DEEPEST: Final = 50
_ONCE: Final = (b"%%EOF", b"startxref")
"""Every writing of a file ends in these."""
_EARLIER: Final = ("/Prev", "/XRefStm")
"""Keys of a trailer that lead to another table of objects, which some readers follow and others do not."""
_DIGEST: Final = re.compile(r"[0-9a-f]{64}")


class UnreadableError(Exception):
    """A PDF is not one that the auditor writes; the message says what it is instead."""


_TITLE: Final = 200
"""Characters of a title that are read."""


@dataclass(frozen=True, slots=True)
class Contents:
    """What a PDF carries."""

    attachments: tuple[tuple[str, bytes], ...]
    """Name and content of every file in it, as its list of attachments names them."""
    embedded: int
    """How many embedded files are in it, also those that no list of attachments names."""
    cover: str
    """Text of its first pages, as far as two after the one that prints a digest."""
    revisions: int
    """How often it was written to: 1 as the auditor writes it."""
    ends: bool
    """Whether nothing follows its end."""
    created: str
    """Its creation date as it is there, `D:20261122094510Z`; empty where it has none."""
    title: str
    """As its information dictionary has it; empty where it has none."""


def opened(content: bytes) -> PdfReader:
    """Open a PDF without repairing anything.

    Raises:
        UnreadableError: If it is encrypted or has more pages than anything of ours.
    """
    from pypdf import PdfReader  # noqa: PLC0415  (only a PDF needs it)

    # The library narrates what it repairs; anyone who asks whether a file is sound wants no repairs.
    logging.getLogger("pypdf").addHandler(logging.NullHandler())
    logging.getLogger("pypdf").propagate = False
    reader = PdfReader(io.BytesIO(content), strict=True)
    if reader.is_encrypted:
        raise UnreadableError("an encrypted one, expected a PDF that is not encrypted")
    if len(reader.pages) > MOST_PAGES:
        raise UnreadableError(f"one of {len(reader.pages)} pages, expected at most {MOST_PAGES}")
    return reader


def take_apart(content: bytes) -> Contents:
    """Take a PDF apart.

    Args:
        content: Its bytes, which may come from anybody.

    Raises:
        UnreadableError: If it is encrypted or too long. A damaged file raises whatever it makes the PDF library raise.
    """
    from pypdf.generic import DictionaryObject  # noqa: PLC0415

    reader = opened(content)
    about = reader.metadata or DictionaryObject()
    return Contents(
        attachments=tuple((each.name, bytes(each.content)) for each in reader.attachment_list),
        embedded=_embedded(reader),
        cover=_cover(reader),
        revisions=max(map(content.count, _ONCE)) + any(key in reader.trailer for key in _EARLIER) + (b"/XRefStm" in content),
        ends=content.rstrip(b"\r\n").endswith(b"%%EOF"),
        created=str(about.get("/CreationDate", "")),
        title=str(about.get("/Title", ""))[:_TITLE],
    )


def _cover(reader: PdfReader) -> str:
    """The text of the first pages, as far as two after a digest: reading a page takes a tenth of a second."""
    text, left = "", None
    for page in reader.pages[:_COVER]:
        text += page.extract_text()
        if left is None and _DIGEST.search("".join(text.split())):
            left = _AFTER_DIGEST
        elif left is not None:
            left -= 1
        if left == 0:
            break
    return text


def _embedded(reader: PdfReader) -> int:
    """How many streams are embedded files, or are named as the content of one, anywhere in the file."""
    from pypdf.generic import IndirectObject  # noqa: PLC0415

    found: set[int] = set()
    for number in {*reader.xref_objStm, *(each for table in reader.xref.values() for each in table)} - {0}:
        held = reader.get_object(IndirectObject(number, 0, reader))
        for inside in _dictionaries(held, 0):
            if inside.get("/Type") == "/EmbeddedFile":
                found.add(number)
            contents = inside.get("/EF")
            if contents is not None:
                found |= {each.idnum for each in map(contents.raw_get, contents) if isinstance(each, IndirectObject)}
    return len(found)


def _dictionaries(value: Any, depth: int) -> Iterator[Any]:
    """The dictionaries of one object, not those that it refers to."""
    from pypdf.generic import ArrayObject, DictionaryObject  # noqa: PLC0415

    if depth > _DEEPEST:
        return
    if isinstance(value, DictionaryObject):
        yield value
        for key in value:
            yield from _dictionaries(value.raw_get(key), depth + 1)
    elif isinstance(value, ArrayObject):
        for each in value:
            yield from _dictionaries(each, depth + 1)


_AFTER_DIGEST = 2
"""Pages after the one with the digest on which the sentence may stand: what was found may take more than one."""
