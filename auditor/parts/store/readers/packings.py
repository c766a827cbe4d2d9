"""Undo how columns are packed: numbers of few bits in blocks of 1,024, texts by a table of symbols (FSST), and blocks of LZ4.

Bits lie as FastLanes arranges them: a block is a matrix of words, of which each column holds every so-manieth number.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from auditor.parts.store.readers.contents import UnknownFormError

BLOCK: Final = 1024
_ORDER: Final = np.array([0, 4, 2, 6, 1, 5, 3, 7])
_ESCAPE: Final = 255
_TABLE: Final = 8 + 256 * 8 + 256
_MARK: Final = b"TSSF"
_LONGEST: Final = 8
_SHORTEST: Final = 3
_AT_ONCE: Final = 511
"""Bytes of a text that are packed at a time: no symbol goes beyond."""
_EACH: Final = 9
"""Bytes of a symbol, with its length."""
_MOST_IDLE: Final = 0.4
"""The part of a table that is of no use at most: a third in tables that were made of rows that much alike."""
_TIMES: Final = 255
"""How much smaller LZ4 makes a block at most."""


def unpacked(content: bytes, width: int, size: int) -> npt.NDArray[Any]:
    """Unpack blocks of 1,024 numbers.

    Args:
        content: The blocks.
        width: Bits of each number.
        size: Bits of the words that they are packed in: 8, 16, 32 or 64.

    Raises:
        UnknownFormError: If the bytes are no whole blocks.
    """
    if size not in {8, 16, 32, 64} or not 0 <= width <= size or (width and len(content) % (BLOCK * width // 8)):
        raise UnknownFormError
    kind = np.dtype(f"<u{size // 8}")
    if not width:
        return np.zeros(BLOCK, dtype=kind)
    lanes = BLOCK // size
    words = np.frombuffer(content, kind).reshape(-1, width, lanes)
    bits = np.unpackbits(np.ascontiguousarray(words.transpose(0, 2, 1)).view(np.uint8), bitorder="little")
    numbers = np.zeros((len(words), lanes, size, size), dtype=np.uint8)
    numbers[..., :width] = bits.reshape(len(words), lanes, size, width)
    values = np.packbits(numbers.reshape(-1, size), axis=1, bitorder="little").view(kind).reshape(len(words), lanes, size)
    rows = np.arange(size)
    places = (_ORDER[rows // 8] * 16 + (rows % 8) * 128)[None, :] + np.arange(lanes)[:, None]
    found = np.empty((len(words), BLOCK), dtype=kind)
    found[:, places.ravel()] = values.reshape(len(words), BLOCK)
    return found.ravel()


def width_of(numbers: npt.NDArray[Any]) -> int:
    """Bits of the largest of these."""
    return int(np.bitwise_or.reduce(numbers)).bit_length() if len(numbers) else 0


def from_lz4(content: bytes) -> tuple[bytes, int]:
    """Unpack a block of LZ4 behind its size; the bytes of it count where packing it again gives others.

    Raises:
        UnknownFormError: If it is not one.
    """
    import pyarrow as pa  # noqa: PLC0415 - a quarter of a second, for packed columns alone

    size = int.from_bytes(content[:4], "little")
    if len(content) < 5 or size > _TIMES * len(content):
        raise UnknownFormError
    codec = pa.Codec("lz4_raw")
    try:
        found: bytes = codec.decompress(content[4:], size, asbytes=True)
    except (OSError, ValueError) as error:
        raise UnknownFormError from error
    again = codec.compress(found, asbytes=True)
    return found, 0 if again == content[4:] else len(content)


@dataclass(slots=True)
class Symbols:
    """A table of symbols, each of up to 8 bytes, that texts are written in."""

    symbols: tuple[bytes, ...]
    """Empty where texts are written as they are."""
    on: bool
    unexplained: int
    _long: dict[bytes, tuple[bytes, int]] = field(default_factory=dict)
    _short: dict[bytes, int] = field(default_factory=dict)
    _used: set[int] = field(default_factory=set)

    @classmethod
    def read(cls, content: bytes) -> Symbols:
        """Read a table.

        Raises:
            UnknownFormError: If it is not one.
        """
        if len(content) != _TABLE or content[4:8] != _MARK or content[3] > 1:
            raise UnknownFormError
        count, last, suffixes, on = content[:4]
        values = [content[8 + 8 * at : 16 + 8 * at] for at in range(count)]
        lengths = content[8 + 8 * count : 8 + 9 * count]
        if any(not 1 <= each <= _LONGEST for each in lengths):
            raise UnknownFormError
        symbols = tuple(value[:length] for value, length in zip(values, lengths, strict=True))
        room = b"".join(value[length:] for value, length in zip(values, lengths, strict=True)) + content[8 + 9 * count :]
        found = cls(symbols, bool(on), len(room) - room.count(0) + (last != 0))
        longer = {each[:2] for each in symbols if len(each) >= _SHORTEST}
        begun = [each for each in symbols if len(each) == 2 and each in longer]
        found._index(longer)
        # Codes go by length, those of one byte last; of two bytes, those come first that a longer symbol begins with.
        ordered = [*begun, *(each for each in symbols if len(each) == 2 and each not in longer)]
        ordered += [each for length in (*range(3, 9), 1) for each in symbols if len(each) == length]
        found.unexplained += (suffixes != len(begun)) + len(symbols) * (ordered != list(symbols))
        return found

    def _index(self, longer: Collection[bytes]) -> None:
        for code, each in enumerate(self.symbols):
            if len(each) == 2 and each not in longer:
                # A short symbol may be there several times, and the one that came last is used: these were numbered backwards.
                self._short.setdefault(each, code)
            elif len(each) < _SHORTEST:
                self._short[each] = code
            elif each[:_SHORTEST] in self._long:
                # Of those that begin alike a writer keeps one.
                self.unexplained += _EACH
            else:
                self._long[each[:_SHORTEST]] = (each, code)

    def texts(self, coded: Sequence[bytes]) -> list[bytes]:
        """Give the texts; counts those that would have been written in another way.

        Raises:
            UnknownFormError: If the table has no such code.
        """
        if not self.on:
            return list(coded)
        found = [self._text(each) for each in coded]
        self.unexplained += sum(len(each) for each, text in zip(coded, found, strict=True) if self._written(text) != each)
        return found

    def beyond(self, texts: Iterable[bytes]) -> int:
        """Bytes of symbols that no text has, or that are too many for what they are of use for.

        Which symbols a table has follows from rows that were drawn at random, so they are explained by what symbols are: parts of
        the page's own texts. A table that was made of these has few symbols that writing them needs not.
        """
        if not self.on:
            return self.unexplained + _EACH * len(self.symbols)
        idle = [each for code, each in enumerate(self.symbols) if code not in self._used]
        everything = b"\0\0".join(texts) if idle else b""
        foreign = sum(each not in everything for each in idle)
        return self.unexplained + _EACH * max(foreign, len(idle) - int(_MOST_IDLE * len(self.symbols)))

    def _text(self, coded: bytes) -> bytes:
        try:
            if _ESCAPE not in coded:
                return b"".join([self.symbols[code] for code in coded])
            parts, at = [], 0
            while at < len(coded):
                code = coded[at]
                parts.append(coded[at + 1 : at + 2] if code == _ESCAPE else self.symbols[code])
                at += 1 + (code == _ESCAPE)
        except IndexError as error:
            raise UnknownFormError from error
        return b"".join(parts)

    def _written(self, text: bytes) -> bytes:
        """Write a text as the table's writer does: the long symbol that fits, or a short one, or a byte as it is."""
        out = bytearray()
        long, short, used = self._long, self._short, self._used
        for begin in range(0, len(text), _AT_ONCE):
            part, at = text[begin : begin + _AT_ONCE], 0
            while at < len(part):
                known = long.get(part[at : at + 3])
                if known is not None and part.startswith(known[0], at):
                    symbol, code = known
                    at += len(symbol)
                elif (pair := short.get(part[at : at + 2])) is not None and at + 1 < len(part):
                    code = pair
                    at += 2
                elif (single := short.get(part[at : at + 1])) is not None:
                    code = single
                    at += 1
                else:
                    out.append(_ESCAPE)
                    code = part[at]
                    out.append(code)
                    at += 1
                    continue
                used.add(code)
                out.append(code)
        return bytes(out)
