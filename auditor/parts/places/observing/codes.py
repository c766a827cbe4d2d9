"""Find what stands for a text in a code: a digest, whole or cut short, base64, hexadecimal digits, rot13, or the text backwards.

A digest may be cut to eight hexadecimal digits. So few are in any large file by chance: those of anything that is a deleted
person's are looked for where words are free, and elsewhere those of ids, addresses, numbers and names alone, as far as so many
words hardly have one by chance.
"""

from __future__ import annotations

import base64
import binascii
import codecs
import hashlib
import re
import zlib
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property, lru_cache
from math import ceil, log
from typing import Final

import numpy as np
import numpy.typing as npt

from auditor.parts.store.observing.known_digests import KINDS, TOLD, KnownDigests

SHORTEST_DIGEST: Final = 8
"""Hexadecimal digits of a digest that is cut short, at least; of many people more."""
_CHANCE: Final = 1e-4
"""How many of all digests begin as a random word does, at most."""
_LEAST_DIGITS: Final = 4
"""Digits of a text that are looked for without its other signs."""
_LEAST_CODED: Final = 6
"""Characters of a word in base64, at least."""
_HEX: Final = re.compile(rf"(?<![0-9a-zA-Z])(?:0x)?([0-9a-fA-F]{{{SHORTEST_DIGEST},128}})(?![0-9a-zA-Z])")
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
            for digest, those in self._known.get(word[:SHORTEST_DIGEST], ()) if len(word) >= self._least else ():
                found |= those if digest.startswith(word) else frozenset()
        return found

    @cached_property
    def _known(self) -> Mapping[str, list[tuple[str, frozenset[str]]]]:
        """Digests by how they begin; made where a text has a word that may be one."""
        known = defaultdict[str, list[tuple[str, frozenset[str]]]](list)
        for text, those in self.texts.items():
            for form in _forms(text):
                content = form.encode("utf-8", "surrogatepass")
                for kind in KINDS:
                    digest = hashlib.new(kind, content, usedforsecurity=False).hexdigest()
                    known[digest[:SHORTEST_DIGEST]].append((digest, those))
                check = f"{zlib.crc32(content):08x}"
                known[check].append((check, those))
        return known

    @cached_property
    def _least(self) -> int:
        count = sum(map(len, self._known.values()))
        return max(SHORTEST_DIGEST, ceil(log(max(1, count) / _CHANCE, 16)))


def digests_met(known: KnownDigests, text: str) -> tuple[set[str], set[str]]:
    """Give the texts of which a text has a digest as a word, and those of which it has the beginning of one."""
    words = set(_digests_in(text)) if len(known) else set[str]()
    tried = Counter(map(len, words))
    whole = [each for each in words if len(each) >= _TELLING]
    short = [
        each for each in words if len(each) < _TELLING and tried[len(each)] * known.different <= _BY_CHANCE * 16.0 ** len(each)
    ]
    found, cut = (known.between(_numbers(each, "0"), _numbers(each, "f")) if each else set[str]() for each in (whole, short))
    return found, cut - found


def _numbers(words: Iterable[str], filled: str) -> npt.NDArray[np.uint64]:
    """The least, or the largest, numbers that begin with hexadecimal digits."""
    return np.array([int(each[:_TELLING].ljust(_TELLING, filled), 16) for each in words], dtype=np.uint64)


_TELLING: Final = 2 * TOLD
"""Hexadecimal digits of a digest by which it is known for certain."""
_BY_CHANCE: Final = 1e-3
"""Words of one length that may begin as a digest does by chance, in one text, before none of them counts."""
_UUID: Final = re.compile(
    rf"(?<![0-9a-zA-Z])(?:([0-9a-fA-F]{{8}}(?:-[0-9a-fA-F]{{4}}){{3}}-[0-9a-fA-F]{{12}})|(?:0x)?([0-9a-fA-F]{{{SHORTEST_DIGEST},128}}))"
    r"(?![0-9a-zA-Z])"
)
"""Hexadecimal digits, those of a UUID too."""
_IN_BASE64: Final = re.compile(r"(?<![A-Za-z0-9+/_-])[A-Za-z0-9+/_-]{22,86}(?![A-Za-z0-9+/_-])")
_OF_DIGESTS: Final = frozenset({22, 27, 38, 43, 64, 86})
"""Signs of a digest in base64."""
_TO_STANDARD: Final = str.maketrans("-_", "+/")


def _digests_in(text: str) -> Iterator[str]:
    """The words of a text that may be digests or begin one, in hexadecimal digits."""
    for uuid, word in _UUID.findall(text):
        yield (word or uuid.replace("-", "")).lower()
    for word in _IN_BASE64.findall(text):
        if len(word) in _OF_DIGESTS:
            yield base64.b64decode(word.translate(_TO_STANDARD) + "=" * (-len(word) % 4)).hex()


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
    for decode, given, may_be in (
        (base64.urlsafe_b64decode, bare.replace("+", "-").replace("/", "_") + "=" * (-len(bare) % 4), True),
        # Of what has another character nothing is tried: an exception takes as long as the code.
        (base64.b32decode, bare.upper() + "=" * (-len(bare) % 8), _IN_BASE32.fullmatch(bare) is not None),
        (bytes.fromhex, word, _IN_HEX.fullmatch(word) is not None),
    ):
        try:
            if may_be:
                yield decode(given)
        except (binascii.Error, ValueError):
            continue


_IN_BASE32: Final = re.compile(r"[A-Za-z2-7]*")
_IN_HEX: Final = re.compile(r"(?:[0-9A-Fa-f]{2})*")


def readings(text: str) -> Iterator[str]:
    """What a text may say in another code: in each that is a text."""
    yield codecs.encode(text, "rot13")
    yield text[::-1]
    for word in _CODED.findall(text):
        yield from _said(word)


@lru_cache(1 << 14)
def _said(word: str) -> tuple[str, ...]:
    """What one word says in each code in which it is a text; words of texts come again and again."""
    said = list[str]()
    for content in decodings(word):
        with suppress(UnicodeDecodeError):
            said.append(content.decode())
    return tuple(filter(str.isprintable, said))
