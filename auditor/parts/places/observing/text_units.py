"""Take a file of text apart into lines, each as long as in the file.

A document of JSON that its writer would write again is taken apart into its items, or is one record, as an e-mail is. Base64 that
decodes to text, and is what encoding that text gives, is taken for that text. How lines end is the same for the whole file, or
it is no file of text.
"""

from __future__ import annotations

import base64
import binascii
import codecs
import json
import re
from collections.abc import Iterator
from contextlib import suppress
from typing import Any, Final, NamedTuple

from auditor.parts.places.observing.messages import messages
from auditor.parts.release.observing import databases

_BLOCK: Final = re.compile(r"[A-Za-z0-9+/]+={0,2}")
_LEAST: Final = 16
"""Characters of a block of base64 on lines of its own."""
_WIDTHS: Final = (76, 64)
_NO_TEXT: Final = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ufffd]")
_STYLES: Final = tuple((between, colon, plain) for between, colon in ((", ", ": "), (",", ":")) for plain in (True, False))


USUAL: Final = f"{chr(10)!r} {True}"
"""The style of a file whose lines end as on most systems, the last one too."""


class Unit(NamedTuple):
    """A line, an item, a record, a message, or what lines of base64 say."""

    text: str
    size: int
    """Bytes that it has in the file."""
    line: int
    """The number of the line that it begins on, from one."""
    within: str = ""
    """How it is encoded, where it is."""


class Units(NamedTuple):
    """A file of text."""

    units: tuple[Unit, ...]
    style: str
    """How the file is written, beyond its lines: how they end, whether the last one does, how JSON is parted."""
    also: str | None = None
    """Another style in which it would be the same, byte for byte: JSON in signs of ASCII alone that had no others to write."""


def units(content: bytes) -> Units | None:
    """Take a file apart; None where it is no text, or its lines end in two ways."""
    text = _text(content)
    if text is None:
        return None
    items = _items(text)
    if items is not None:
        return items
    end = "\r\n" if "\r\n" in text else "\n"
    lines = text.split(end)
    if any("\n" in each or "\r" in each for each in lines):
        return None
    closed = lines[-1] == ""
    if (mail := messages("\n".join(lines))) is not None:
        # Ends of lines, and letters that take several bytes, count with the last one.
        rest = len(content) - sum(each.size for each in mail)
        own = [Unit(*each) for each in mail]
        return Units((*own[:-1], own[-1]._replace(size=own[-1].size + rest)), style=f"{end!r} {closed}")
    if closed:
        lines.pop()
    encoding = "utf-8" if not text.isascii() else "ascii"
    return Units(tuple(_blocks(lines, len(end), encoding, closed=closed)), style=f"{end!r} {closed}")


def _text(content: bytes) -> str | None:
    if content.startswith((databases.MAGIC, b"PAR1")):
        return None
    try:
        text = content.decode("utf-8")
    except UnicodeDecodeError:
        return None
    return None if _NO_TEXT.search(text) else text


def in_other_code(content: bytes) -> bool:
    """Whether a file seems to be text, though not in UTF-8: as Excel saves it on Windows, or in UTF-16."""
    wide = content.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE))
    try:
        content.decode()
    except UnicodeDecodeError:
        with suppress(UnicodeDecodeError):
            text = content.decode("utf-16" if wide else "cp1252")
            return not _NO_TEXT.search(text) and sum(map(str.isascii, text)) >= _MOSTLY * len(text)
    return False


_MOSTLY: Final = 0.75
"""Share of the letters of a text that are ASCII; random bytes have half."""


def _items(text: str) -> Units | None:
    """A record, or the items of a list or a mapping, if the document is written in one of the usual styles."""
    bare = text.removesuffix("\n")
    on_lines = _INDENTED.match(bare)
    held = _document(bare) if on_lines is not None or "\n" not in bare else None
    style = None if held is None else _style_of(held, bare, None if on_lines is None else on_lines[1])
    if held is None or style is None:
        return None
    said = f"{style!r} {text == bare}"
    also = f"{style._replace(plain=not style.plain)!r} {text == bare}" if text.isascii() and "\\u" not in text else None
    if _is_record(held):
        return Units((Unit(style.write(held), len(text.encode()), 1),), said, also)
    if on_lines is not None and not (isinstance(held, list) and all(isinstance(each, dict) for each in held)):
        return None
    pairs = held.items() if isinstance(held, dict) else ((None, each) for each in held)
    written = [("" if key is None else style.write(key) + style.colon) + style.write(value) for key, value in pairs]
    return Units(tuple(Unit(each, len(each.encode()) + len(style.between), 1) for each in written), said, also)


def _document(text: str) -> dict[str, Any] | list[Any] | None:
    """A mapping or a list of several things; None for any other text."""
    try:
        held = json.loads(text) if text[:1] in {"[", "{"} else None
    except (ValueError, RecursionError):
        return None
    return held if isinstance(held, dict | list) and len(held) > 1 else None


class _Style(NamedTuple):
    """How a document of JSON is written."""

    between: str
    colon: str
    plain: bool
    """Whether in signs of ASCII alone."""
    indent: str | None = None

    def write(self, held: Any) -> str:
        """Write a part of it on one line."""
        between = ", " if self.indent is not None else self.between
        return json.dumps(held, ensure_ascii=self.plain, separators=(between, self.colon))


def _style_of(held: Any, written: str, indent: str | None) -> _Style | None:
    """The style in which a document would be written again as it is."""
    styles = _STYLES if indent is None else [(",", ": ", plain) for plain in (True, False)]
    for between, colon, plain in styles:
        if json.dumps(held, ensure_ascii=plain, separators=(between, colon), indent=indent) == written:
            return _Style(between, colon, plain, indent)
    return None


_INDENTED: Final = re.compile(r"[\[{]\n([ \t]{1,8})(?=\S)")
_MOST_VALUES: Final = 64
"""Values of a record."""


def _is_record(held: Any) -> bool:
    """Whether a mapping is of named values, as a person's record is, and not of people by their ids."""
    return isinstance(held, dict) and all(map(str.isidentifier, held)) and _values(held) <= _MOST_VALUES


def _values(held: Any) -> int:
    if isinstance(held, dict):
        return sum(map(_values, held.values()))
    if isinstance(held, list):
        return sum(_values(each) if not isinstance(each, dict) else _MOST_VALUES + 1 for each in held)
    return 1


def _blocks(lines: list[str], end: int, encoding: str, *, closed: bool) -> Iterator[Unit]:
    """Lines one by one; those that are base64 of a text together."""
    at = 0
    while at < len(lines):
        block = _block(lines, at)
        if block is None:
            yield Unit(lines[at], len(lines[at].encode(encoding)) + (end if closed or at + 1 < len(lines) else 0), at + 1)
            at += 1
            continue
        text, count, width = block
        size = sum(len(each) + end for each in lines[at : at + count])
        yield Unit(text, size, at + 1, within=f"base64 of {width}")
        at += count


def _block(lines: list[str], at: int) -> tuple[str, int, int] | None:
    """The text of a block of base64 that begins here, its lines, and how wide they are."""
    if not _BLOCK.fullmatch(lines[at]):
        return None
    for width in _WIDTHS:
        count = 0
        while at + count < len(lines) and len(lines[at + count]) == width and _BLOCK.fullmatch(lines[at + count]):
            count += 1
        if at + count < len(lines) and 0 < len(lines[at + count]) < width and _BLOCK.fullmatch(lines[at + count]):
            count += 1
        coded = "".join(lines[at : at + count])
        if count == 0 or len(coded) < _LEAST:
            continue
        try:
            content = base64.b64decode(coded, validate=True)
            text = content.decode("utf-8")
        except (binascii.Error, ValueError):
            continue
        if base64.b64encode(content).decode() == coded and not _NO_TEXT.search(text):
            return text, count, width
    return None
