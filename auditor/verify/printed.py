"""A PDF of ours: the one document that it carries, and whether its pages name that document.

What the pages say beyond the cover is not read again: printed text follows from the attachment, and anyone who wants the pages
renders them again from it. A signature over the PDF protects them.
"""

from __future__ import annotations

import io
import logging
import re
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from auditor.domain import Problem
from auditor.errors import InputError
from auditor.evidence import MAX_BYTES

if TYPE_CHECKING:
    from pypdf import PdfReader

SIGNATURE: Final = b"%PDF-"
"""How a PDF begins."""
_COVER: Final = 3
"""Pages on which the digest must stand: it is on the first one, unless something very long stands before it."""
_DEEPEST: Final = 50
_DIGEST: Final = re.compile(r"[0-9a-f]{64}")
_DAMAGED: Final = (
    ArithmeticError,
    AssertionError,
    AttributeError,
    LookupError,
    NotImplementedError,
    OSError,
    RecursionError,
    TypeError,
    ValueError,
    zlib.error,
)
"""What a damaged file makes the PDF library raise besides its own errors."""


@dataclass(frozen=True, slots=True)
class Printed:
    """What a PDF holds."""

    attachments: tuple[tuple[str, bytes], ...]
    """Name and content of every file that it carries."""
    embedded: int
    """How many embedded files are in it, also those that no list of attachments names."""
    cover: str
    """Text of its first pages, as far as the one that prints a digest."""
    revisions: int
    """How often it was written to: 1 as the auditor writes it."""
    ends: bool
    """Whether nothing follows its end."""


def read_pdf(content: bytes, name: str) -> Printed:
    """Take a PDF apart.

    Args:
        content: Its bytes, which may come from anybody.
        name: What a Problem calls the file.

    Raises:
        InputError: If it is cut off, damaged, encrypted or larger than anything of ours; or the PDF library is missing.
    """
    try:
        from pypdf import PdfReader  # noqa: PLC0415  (only a PDF needs it)
        from pypdf.errors import PyPdfError  # noqa: PLC0415
    except ImportError as error:
        raise InputError([Problem(name, "", "the package pypdf, to read a PDF", "it is not installed")]) from error
    # The library narrates what it repairs; anyone who asks whether a file is sound wants no repairs.
    logging.getLogger("pypdf").addHandler(logging.NullHandler())
    logging.getLogger("pypdf").propagate = False
    if len(content) > MAX_BYTES:
        raise InputError([Problem(name, "", f"a PDF of at most {MAX_BYTES} bytes", f"{len(content)} bytes")])
    try:
        reader = PdfReader(io.BytesIO(content), strict=True)
        if reader.is_encrypted:
            raise InputError([Problem(name, "", "a PDF that is not encrypted", "an encrypted one")])
        attached = tuple((each.name, bytes(each.content)) for each in reader.attachment_list)
        return Printed(
            attachments=attached,
            embedded=_embedded(reader),
            cover=_cover(reader),
            revisions=content.count(b"%%EOF"),
            ends=content.rstrip(b"\r\n").endswith(b"%%EOF"),
        )
    except (PyPdfError, *_DAMAGED) as error:
        found = f"one that is cut off or damaged ({str(error)[:80] or type(error).__name__})"
        raise InputError([Problem(name, "", "a whole PDF", found)]) from error


def _cover(reader: PdfReader) -> str:
    """The text of the first pages, as far as the one with a digest: reading a page takes a tenth of a second."""
    text = ""
    for page in reader.pages[:_COVER]:
        text += page.extract_text()
        if _DIGEST.search("".join(text.split())):
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


def carried(printed: Printed, expected: str) -> Iterator[str]:
    """One message for everything that it carries in addition to the one document that it must carry."""
    names = [name for name, _ in printed.attachments]
    if names != [expected]:
        yield f"it carries {', '.join(names) or 'no file'}, and should carry {expected} alone"
    elif printed.embedded != 1:
        yield f"it holds {printed.embedded} embedded files, {printed.embedded - 1} of them in addition to {expected}"
    if printed.revisions != 1 or not printed.ends:
        yield "it was changed after it was written: something follows its end"


def named_on(printed: Printed, wanted: str) -> bool:
    """Whether the cover shows a text, as far as its plain letters and digits go: layout moves spaces, fonts lack characters."""
    return _plain(wanted) in _plain(printed.cover)


def _plain(text: str) -> str:
    return "".join(character for character in text if character.isascii() and character.isalnum())
