"""Find what stands for a text in a code: a digest, whole or cut short, base64, hexadecimal digits, rot13, or the text backwards.

A digest may be cut to eight hexadecimal digits, so it is looked for where words are free, and nowhere else.
"""

from __future__ import annotations

import base64
import binascii
import codecs
import hashlib
import re
import zlib
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from math import ceil, log
from typing import Final

DIGESTS: Final = ("md5", "sha1", "sha224", "sha256", "sha384", "sha512")
_LEAST: Final = 8
"""Hexadecimal digits of a digest that is cut short, at least; of many people more."""
_CHANCE: Final = 1e-4
"""How many of all digests begin as a random word does, at most."""
_LEAST_DIGITS: Final = 4
"""Digits of a text that are looked for without its other signs."""
_LEAST_CODED: Final = 6
"""Characters of a word in base64, at least."""
_HEX: Final = re.compile(rf"(?<![0-9a-zA-Z])(?:0x)?([0-9a-fA-F]{{{_LEAST},128}})(?![0-9a-zA-Z])")
_CODED: Final = re.compile(rf"[A-Za-z0-9+/_-]{{{_LEAST_CODED},}}")


@dataclass(frozen=True)
class Digests:
    """Texts that are known by their digests, each with the records that it is of."""

    texts: Mapping[str, frozenset[str]]

    def met_in(self, text: str) -> set[str]:
        """Give the records of which a digest is a word of a text, whole or its beginning."""
        words = [each.lower() for each in _HEX.findall(text)] if self.texts else []
        words += [each.hex() for each in decoded(text)] if self.texts else []
        found = set[str]()
        for word in words:
            for digest, those in self._known.get(word[:_LEAST], ()) if len(word) >= self._least else ():
                found |= those if digest.startswith(word) else frozenset()
        return found

    @cached_property
    def _known(self) -> Mapping[str, list[tuple[str, frozenset[str]]]]:
        """Digests by how they begin; made where a text has a word that may be one."""
        known = defaultdict[str, list[tuple[str, frozenset[str]]]](list)
        for text, those in self.texts.items():
            for form in _forms(text):
                content = form.encode("utf-8", "surrogatepass")
                for kind in DIGESTS:
                    digest = hashlib.new(kind, content, usedforsecurity=False).hexdigest()
                    known[digest[:_LEAST]].append((digest, those))
                check = f"{zlib.crc32(content):08x}"
                known[check].append((check, those))
        return known

    @cached_property
    def _least(self) -> int:
        count = sum(map(len, self._known.values()))
        return max(_LEAST, ceil(log(max(1, count) / _CHANCE, 16)))


def _forms(text: str) -> Iterable[str]:
    digits = "".join(each for each in text if each.isdecimal())
    return dict.fromkeys(
        (text, text.lower(), text.upper(), text.replace(" ", ""), *([digits] if len(digits) >= _LEAST_DIGITS else []))
    )


def decoded(text: str) -> Iterator[bytes]:
    """What each word of a text says in base64, base32 or hexadecimal digits."""
    for word in _CODED.findall(text):
        yield from decodings(word)


def decodings(word: str) -> Iterator[bytes]:
    """What one word says in each code that it may be in."""
    bare = word.rstrip("=")
    for decode, given in (
        (base64.urlsafe_b64decode, bare.replace("+", "-").replace("/", "_") + "=" * (-len(bare) % 4)),
        (base64.b32decode, bare.upper() + "=" * (-len(bare) % 8)),
        (bytes.fromhex, word),
    ):
        try:
            yield decode(given)
        except (binascii.Error, ValueError):
            continue


def readings(text: str) -> Iterator[str]:
    """What a text may say in another code: in each that is a text."""
    yield codecs.encode(text, "rot13")
    yield text[::-1]
    for content in decoded(text):
        with suppress(UnicodeDecodeError):
            said = content.decode()
            if said.isprintable():
                yield said
