"""Reads what an id says in an encoding, and finds ids that are the digest of one another.

An encoded id is the id: anyone who looks for `Y3VzdG9tZXItMTA0MQ==` and finds nobody has not looked for `customer-1041`. What is
read here needs no key: percent and HTML escapes, backslashes, quoted-printable, base64, base32, hexadecimal, Punycode, text that
was read in another encoding, "at" and "dot" spelt out, UUIDs in their other forms, numbers written otherwise, and text that is
shown from right to left. Digests are those without a key; of a keyed one nobody can say whose it is.
"""

from __future__ import annotations

import base64
import hashlib
import html
import re
import urllib.parse
import uuid
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from decimal import Decimal, InvalidOperation
from typing import Final

LONGEST: Final = 20_000
"""Characters of an id that is decoded."""
MOST_READINGS: Final = 32
"""Readings of one id."""
_DEPTH: Final = 8
"""How often what was decoded is decoded again."""
_LEAST: Final = 6
"""Characters in base64, base32 or hexadecimal that are taken for an encoding."""

_PIECES: Final = re.compile(r"""[,;|:=?&#<>(){}\[\]\s"'`]+""")
_ESCAPED: Final = re.compile(r"\\(?:u\{?([0-9a-fA-F]{4,6})\}?|U([0-9a-fA-F]{8})|x([0-9a-fA-F]{2}))|_x([0-9a-fA-F]{4})_")
_CONTROL: Final = re.compile(r"\\[nrt0]")
_QUOTED: Final = re.compile(r"=([0-9A-F]{2})")
_HEX: Final = re.compile(r"(?:0[xX])?((?:[0-9a-fA-F]{2}[:\- ]?){3,})")
_BASE64: Final = re.compile(r"[A-Za-z0-9+/_-]{6,}={0,2}")
_BASE32: Final = re.compile(r"[A-Z2-7]{8,}=*", re.IGNORECASE)
_SPELT: Final = re.compile(r"\s*[\[({<]?\b(at|ät|dot|punkt|point|punto)\b[\])}>]?\s*", re.IGNORECASE)
_BASED: Final = re.compile(r"0[xX][0-9a-fA-F]{1,16}|0[oO][0-7]{1,21}|0[bB][01]{1,64}")
_GROUPED: Final = re.compile(r"\d{1,3}(?:([.,'’ ])\d{3})(?:\1\d{3})*")
_SCIENTIFIC: Final = re.compile(r"\d(?:\.\d{1,20})?[eE][+]?\d{1,2}")
_UUID: Final = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}", re.IGNORECASE)
_BACKWARDS: Final = "\u202e"
_ALGORITHMS: Final = {
    16: ("md5",),
    20: ("sha1",),
    28: ("sha224", "sha3_224"),
    32: ("sha256", "sha3_256", "blake2s"),
    48: ("sha384", "sha3_384"),
    64: ("sha512", "sha3_512", "blake2b"),
}
"""Digests without a key, by their length in bytes."""
_UUID_BYTES: Final = 16


def readings(identifier: str) -> tuple[str, ...]:
    """Read what an id says, decoded in every way that fits, up to eight times.

    Digits that stand for the digits of a number are left to `numerals`, text that is turned round to `turned`.

    Returns:
        The id itself first, then what it decodes to; at most `MOST_READINGS`.
    """
    found = {identifier: None}
    if len(identifier) > LONGEST:
        return (identifier,)
    layer = [identifier]
    for _ in range(_DEPTH):
        inner = dict.fromkeys(text for each in layer for text in _decoded(each) if text not in found)
        layer = list(inner)[: MOST_READINGS - len(found)]
        if not layer:
            break
        found |= dict.fromkeys(layer)
    return tuple(found)


def _decoded(text: str) -> Iterator[str]:
    """Every reading of a text that is one step away and can be read."""
    whole = (decode(text) for decode in _OF_TEXTS)
    pieces = [text, *(each for each in _PIECES.split(text) if each and each != text)]
    parts = (read for piece in pieces for read in _text_of_bytes(piece))
    for read in (*whole, *parts):
        if read and read != text and read.isprintable() and read.strip():
            yield read


def _percent(text: str) -> str:
    return urllib.parse.unquote_plus(text) if "%" in text else ""


def _entities(text: str) -> str:
    return html.unescape(text).replace("\xa0", " ") if "&" in text else ""


def _backslashes(text: str) -> str:
    if "\\" not in text and "_x" not in text:
        return ""
    with suppress(ValueError, OverflowError):
        read = _ESCAPED.sub(lambda match: chr(int(next(filter(None, match.groups())), 16)), text)
        return _CONTROL.sub("", read)
    return ""


def _quoted_printable(text: str) -> str:
    with suppress(UnicodeDecodeError):
        return urllib.parse.unquote(_QUOTED.sub(lambda match: f"%{match[1]}", text), errors="strict")
    return ""


def _misread(text: str) -> str:
    """UTF-8 that was read as Latin-1 or Windows-1252."""
    if not text.isascii():
        for encoding in ("cp1252", "latin-1"):
            with suppress(UnicodeError):
                return text.encode(encoding).decode().lstrip("\ufeff")
    return ""


def _punycode(text: str) -> str:
    if "xn--" not in text.lower():
        return ""
    with suppress(UnicodeError):
        return ".".join(
            head + at + (label[4:].encode().decode("punycode") if label.lower().startswith("xn--") else label)
            for each in text.split(".")
            for head, at, label in (each.rpartition("@"),)
        )
    return ""


def _spelt_out(text: str) -> str:
    words = {match[1].lower() for match in _SPELT.finditer(text)}
    if not words or ("@" not in text and not words & {"at", "ät"}):
        return ""
    return _SPELT.sub(lambda match: "@" if match[1].lower() in {"at", "ät"} else ".", text)


def turned(identifier: str) -> tuple[str, ...]:
    """Read an id backwards, as it is shown from right to left, and a UUID in the other order of bytes; nothing of short ones."""
    if len(identifier) < _LEAST or not any(map(str.isalpha, identifier)):
        return ()
    other = (str(uuid.UUID(bytes_le=each)) for each in _bytes_of(identifier.strip("{}")) if len(each) == _UUID_BYTES)
    return (identifier.replace(_BACKWARDS, "")[::-1], *other)


def numerals(identifier: str) -> tuple[str, ...]:
    """Read the number that an id writes in groups, in another base, with a power of ten, or as its digits in hexadecimal."""
    found: list[str] = []
    if _BASED.fullmatch(identifier):
        found.append(str(int(identifier, 0)))
    if _SCIENTIFIC.fullmatch(identifier):
        with suppress(InvalidOperation, ValueError, OverflowError):
            if (value := Decimal(identifier)) == value.to_integral_value():
                found.append(str(int(value)))
    if _GROUPED.fullmatch(identifier):
        found.append(re.sub(r"\D", "", identifier))
    if identifier.isascii() and identifier.isdecimal() and len(identifier) % 2 == 0 and len(identifier) >= _LEAST:
        digits = bytes.fromhex(identifier)
        found += [digits.decode()] if digits.isdigit() else []
    return tuple(found)


_OF_TEXTS: Final[tuple[Callable[[str], str], ...]] = (
    _percent,
    _entities,
    _backslashes,
    _quoted_printable,
    _misread,
    _punycode,
    _spelt_out,
)


def _bytes_of(piece: str) -> Iterator[bytes]:
    """What a piece may be in hexadecimal, base64 or base32."""
    if match := _HEX.fullmatch(piece):
        yield bytes.fromhex(re.sub(r"[:\- ]", "", match[1]))
    if _BASE64.fullmatch(piece):
        with suppress(ValueError):
            plain = piece.rstrip("=").translate(str.maketrans("-_", "+/"))
            yield base64.b64decode(plain + "=" * (-len(plain) % 4), validate=True)
    if _BASE32.fullmatch(piece):
        with suppress(ValueError):
            plain = piece.rstrip("=").upper()
            yield base64.b32decode(plain + "=" * (-len(plain) % 8))


def _text_of_bytes(piece: str) -> Iterator[str]:
    for content in _bytes_of(piece) if not piece.isdecimal() else ():
        for encoding in ("utf-8", "utf-16-le"):
            with suppress(UnicodeDecodeError):
                if (text := content.decode(encoding)).isprintable():
                    yield text
                    break
        if len(content) == _UUID_BYTES:
            yield str(uuid.UUID(bytes=content))
    if piece.isascii() and piece.isdecimal() and 30 <= len(piece) <= 39 and int(piece) < 1 << 128:
        yield str(uuid.UUID(int=int(piece)))


def encodings(identifier: str) -> tuple[str, ...]:
    """Write an id in the encodings in which a table may hold it, digests among them."""
    content = identifier.encode(errors="replace")
    plain = base64.b64encode(content).decode()
    safe = base64.urlsafe_b64encode(content).decode()
    digests = [
        hashlib.new(name, text.encode(errors="replace"))
        for names in _ALGORITHMS.values()
        for name in names
        for text in _cases(identifier)
    ]
    written = (
        *(plain, plain.rstrip("="), safe, safe.rstrip("=")),
        *(base64.b32encode(content).decode(), content.hex(), content.hex().upper()),
        *(urllib.parse.quote(identifier), urllib.parse.quote(identifier, safe=""), html.escape(identifier)),
        *(each.hexdigest() for each in digests),
        *(base64.b64encode(each.digest()).decode() for each in digests),
    )
    # Of a short one, and of a number in digits, the encoding may be another's id.
    return tuple(dict.fromkeys(each for each in written if each != identifier and len(each) >= _LEAST and not each.isdecimal()))


def _cases(identifier: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys((identifier, identifier.strip().casefold(), identifier.strip().upper())))


def digested(asked: Sequence[Sequence[str]], known: Sequence[str]) -> list[tuple[int, int]]:
    """Find ids that are the digest of a known one.

    Args:
        asked: The readings of each id.
        known: Others; they are digested only where one of `asked` has the form of a digest.

    Returns:
        Places in `asked` and in `known`.
    """
    wanted: dict[bytes, list[int]] = {}
    for place, texts in enumerate(asked):
        for content in {content for text in texts for content in _digests_in(text)}:
            wanted.setdefault(content, []).append(place)
    names = [name for length in {len(each) for each in wanted} for name in _ALGORITHMS[length]]
    return [
        (at, place)
        for place, each in enumerate(known if names else ())
        for text in _cases(each)
        for name in names
        for at in wanted.get(hashlib.new(name, text.encode(errors="replace"), usedforsecurity=False).digest(), ())
    ]


def _digests_in(text: str) -> Iterable[bytes]:
    # With hyphens it is a UUID, of which there are many.
    pieces = (each for each in (text, *_PIECES.split(text)) if len(each) <= LONGEST and not _UUID.fullmatch(each))
    return (content for piece in pieces for content in _bytes_of(piece) if len(content) in _ALGORITHMS)
