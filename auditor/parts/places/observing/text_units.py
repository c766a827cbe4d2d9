"""Take a file of text apart into lines, each as long as in the file.

A document of JSON that its writer would write again is taken apart into its items, and base64 that decodes to text, and is
what encoding that text gives, into this text. How lines end is the same for the whole file, or it is no file of text.
"""

from __future__ import annotations

import base64
import binascii
import json
import re
from collections.abc import Iterator
from typing import Final, NamedTuple

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
    """A line, an item, or what lines of base64 say."""

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


def _items(text: str) -> Units | None:
    """The items of a list or a mapping on one line, if it is written in one of the usual styles."""
    if text[:1] not in {"[", "{"} or "\n" in text.rstrip("\n"):
        return None
    bare = text.removesuffix("\n")
    try:
        held = json.loads(bare)
    except (ValueError, RecursionError):
        return None
    if not isinstance(held, dict | list) or len(held) <= 1:
        return None
    for between, colon, plain in _STYLES:
        if json.dumps(held, ensure_ascii=plain, separators=(between, colon)) != bare:
            continue
        pairs = held.items() if isinstance(held, dict) else ((None, each) for each in held)
        written = [
            ("" if key is None else json.dumps(key, ensure_ascii=plain) + colon)
            + json.dumps(value, ensure_ascii=plain, separators=(between, colon))
            for key, value in pairs
        ]
        style = f"{between!r} {colon!r} {plain} {text == bare}"
        return Units(tuple(Unit(each, len(each.encode()) + len(between), 1) for each in written), style)
    return None


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
