"""How ids are written: the shape that ids of one kind share, and other ways in which a file may have one."""

from __future__ import annotations

import base64
import hashlib
import re
from collections.abc import Iterator
from typing import Final

_PIECES: Final = re.compile(r"([^\W_]+)")
_UUID: Final = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}", re.IGNORECASE)
_HEXADECIMAL: Final = re.compile(r"[0-9a-f]{16,}", re.IGNORECASE)


def shape(identifier: str) -> str:
    """Tell how an id is written: its signs as they are, and of each piece between them whether it is digits, letters or both.

    Ids that count up have one shape, whatever their number of digits.
    """
    if _UUID.fullmatch(identifier):
        return "uuid"
    if _HEXADECIMAL.fullmatch(identifier):
        return f"hexadecimal {len(identifier)}"
    return _PIECES.sub(lambda piece: "9" if piece[0].isdecimal() else "a" if piece[0].isalpha() else "x", identifier)


def spellings(identifier: str) -> Iterator[str]:
    """Give an id in another case, and encoded or digested without a key, as text may hold it."""
    yield from {identifier.lower(), identifier.upper()} - {identifier}
    content = identifier.encode()
    yield base64.b64encode(content).decode().rstrip("=")
    yield content.hex()
    yield from (hashlib.new(name, content, usedforsecurity=False).hexdigest() for name in ("md5", "sha1", "sha256"))
