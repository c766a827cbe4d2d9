"""Find whom files and folders are called after in a code: digests, base64, hexadecimal digits of an id or an address."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator
from contextlib import suppress
from typing import Final

from auditor.parts.places.observing.codes import decodings
from auditor.parts.store.observing.known_digests import KINDS

_LEAST: Final = 16
"""Hexadecimal digits of a digest that is cut short, at least."""


def coded_in(names: Iterable[str], wanted: Iterable[str]) -> set[str]:
    """Give what some names are in a code.

    Args:
        names: Parts of paths.
        wanted: What is looked for, as it is written or in small letters.
    """
    names = {each.strip("._-") for each in names}
    decoded = {plain: name for name in names for plain in _decoded(name)}
    cut = {name.lower()[:_LEAST] for name in names if len(name) >= _LEAST}
    found: set[str] = set()
    for each in wanted:
        for form in {each, each.lower(), each.strip()} if each else ():
            digests = (hashlib.new(kind, form.encode(), usedforsecurity=False).hexdigest() for kind in KINDS)
            if form in decoded or any(digest[:_LEAST] in cut for digest in digests):
                found.add(each)
    return found


def _decoded(name: str) -> Iterator[str]:
    """What a name says in base64 or in hexadecimal digits, in the letters that it has and in small ones."""
    for content in decodings(name):
        with suppress(UnicodeDecodeError):
            text = content.decode()
            if len(text) > _SHORT:
                yield from (text, text.lower(), text.strip())


_SHORT: Final = 3
