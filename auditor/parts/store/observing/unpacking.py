"""Take content apart into everything that it says in another encoding or packed, layer by layer, within limits.

Anyone who wrote the content may want it to be missed, or to be endless. So runs of hexadecimal and base64 digits are decoded
where they stand and however they are aligned, packed streams are found by their first bytes at any place, a broken end is no
reason to leave out what came before, and all layers together may come to so many bytes and no more. What is not opened is said.
"""

from __future__ import annotations

import bz2
import itertools
import lzma
import re
import zlib
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from functools import cache
from typing import TYPE_CHECKING, Any, Final, NamedTuple, Protocol

import numpy as np
import numpy.typing as npt

from auditor.parts.store.observing.digit_runs import BASE64_RUN, allow, of_base64, of_hexadecimal, runs

if TYPE_CHECKING:
    import ahocorasick_rs

DEPTH: Final = 5
"""Layers below the content: base64 of gzip of a text in hexadecimal digits is three."""
MOST: Final = 2**28
"""Bytes that all layers may come to, alongside eight times the content itself."""
TRIES: Final = 4_096
"""Places that may begin a packed stream, alongside one for every 4,096 bytes: four in 65,536 do by chance."""
_LIST_RUN: Final = 32
_ESCAPES: Final = 4
_ALONE: Final = 256
"""Bytes from which on what was found is a layer of its own; shorter pieces share one."""
_FEED: Final = 2**14
_PIECE: Final = 2**20
_MEMORY: Final = 2**28
_IN_EXTRA: Final = 2**32 - 1
"""The size of a member of a zip archive that is stated elsewhere."""

_ESCAPE: Final = re.compile(rb"\\(?:x([0-9a-fA-F]{2})|u00([0-9a-fA-F]{2})|([0-3][0-7]{2})|([nrt0\\'\"/]))")
_ESCAPED: Final = {b"n": b"\n", b"r": b"\r", b"t": b"\t", b"0": b"\0"}
_HEX_LIST: Final = re.compile(rb"(?:0[xX][0-9a-fA-F]{1,2}[\s,;]*){8,}")

_BROKEN: Final = (zlib.error, lzma.LZMAError, OSError, ValueError, EOFError)
_LIST: Final = allow(b"0123456789,; \t\r\n")
_PRINTABLE: Final = allow(bytes([*range(32, 127), 9, 10, 13]))


class Layer(NamedTuple):
    """Plain bytes, and the text in them."""

    content: bytes
    text: list[bytes]
    """Every run of printable ASCII and blanks that is worth reading."""


# The last byte of such a number holds its sign and most of its exponent: 1e-9 to 1e9, and 1e-4 to 1e4; or zero.
_FLOAT64: Final = allow(bytes([0, 0x80, *range(0x3E, 0x42), *range(0xBE, 0xC2)]))
_FLOAT32: Final = allow(bytes([0, 0x80, *range(0x38, 0x47), *range(0xB8, 0xC7)]))


@dataclass(slots=True)
class Unpacking:
    """Everything that some content holds, itself included."""

    content: bytes
    shut: bool = False
    """Whether something was left unopened: too deep, too much, too many, broken, or packed in a way that is not known."""
    _left: int = field(init=False)

    def __post_init__(self) -> None:
        """Set what the layers may come to."""
        self._left = MOST + 8 * len(self.content)

    def layers(self) -> Iterator[Layer]:
        """The content, then whatever was found in it."""
        waiting = [(self.content, 0)]
        seen = {hash(self.content)}
        while waiting:
            content, depth = waiting.pop()
            text = [content[start:stop] for start, stop in runs(content, _PRINTABLE, BASE64_RUN)]
            yield Layer(content, text)
            for layer in _layered(itertools.chain(self._unpacked(content), _decoded(text))):
                if depth == DEPTH:
                    # Text that happens to look like digits is no layer worth the mention; what unpacks is.
                    self.shut |= any(True for _ in self._unpacked(content))
                    break
                self._left -= len(layer)
                if self._left < 0:
                    self.shut = True
                    return
                if hash(layer) not in seen:
                    seen.add(hash(layer))
                    waiting.append((layer, depth + 1))

    def _unpacked(self, content: bytes) -> Iterator[bytes]:
        """What the packed streams in `content` unpack to, each as far as it is whole and there is room."""
        tries = TRIES + len(content) // 4_096
        for kind, at in _beginnings(content):
            tries -= 1
            if tries < 0:
                self.shut = True
                return
            parts: list[bytes] = []
            size = 0
            try:
                for part in _KINDS[kind](content, at):
                    parts.append(part[: max(0, self._left - size)])
                    size += len(part)
                    if size > self._left:
                        self.shut = True
                        break
            except _BROKEN:
                # In the middle of something else it may be chance; what the content itself begins with is not one.
                self.shut |= at == 0 or kind in _UNMISTAKABLE
            yield b"".join(parts)


def unpacked(content: bytes) -> bytes | None:
    """What the packed stream that a file begins with unpacks to; None where it is not one, is broken, or unpacks to too much."""
    kind = next((kind for kind in _FILES if content.startswith(kind)), None)
    parts: list[bytes] = []
    size = 0
    try:
        for part in _KINDS[kind](content, 0) if kind is not None else ():
            parts.append(part)
            size += len(part)
            if size > MOST + 8 * len(content):
                return None
    except _BROKEN:
        return None
    return None if kind is None else b"".join(parts)


def float_runs(content: bytes, shortest: int) -> Iterator[npt.NDArray[np.floating[Any]]]:
    """Wherever as many numbers of moderate size as that follow one another as float64 or float32, whatever is before them."""
    for kind, size, plausible in (("<f8", 8, _FLOAT64), ("<f4", 4, _FLOAT32)):
        for offset in range(size):
            for start, stop in runs(content[offset + size - 1 :: size], plausible, shortest):
                yield np.frombuffer(content, kind, stop - start, offset + start * size)


def _layered(pieces: Iterable[bytes]) -> Iterator[bytes]:
    """Pieces as layers: short ones share one, each on a line of its own."""
    short: list[bytes] = []
    for piece in pieces:
        if len(piece) >= _ALONE:
            yield piece
        elif len(piece) >= 4:
            short.append(piece)
    if short:
        yield b"\n".join(short)


def _decoded(texts: list[bytes]) -> Iterator[bytes]:
    """What runs of digits in some texts say, in every alignment."""
    for text in texts:
        yield from of_base64(text)
        yield from of_hexadecimal(text)
        yield from _of_lists(text)
        if text.count(b"\\") >= _ESCAPES:
            yield _ESCAPE.sub(_escaped, text)


def _of_lists(text: bytes) -> Iterator[bytes]:
    for start, stop in runs(text, _LIST, _LIST_RUN):
        yield from _listed(re.findall(rb"[0-9]+", text[start:stop]), 10)
    if b"0x" in text or b"0X" in text:
        for listed in _HEX_LIST.findall(text):
            yield from _listed(re.findall(rb"0[xX]([0-9a-fA-F]+)", listed), 16)


def _listed(numbers: list[bytes], base: int) -> Iterator[bytes]:
    """Bytes that are written as a list of numbers."""
    if len(numbers) >= 8 and max(map(len, numbers)) <= 3:
        values = [int(number, base) for number in numbers]
        if max(values) < 256:
            yield bytes(values)


def _escaped(found: re.Match[bytes]) -> bytes:
    byte, point, octal, letter = found.groups()
    if byte or point:
        return bytes([int(byte or point, 16)])
    return bytes([int(octal, 8)]) if octal else _ESCAPED.get(letter, letter)


class _Machine(Protocol):
    @property
    def eof(self) -> bool: ...

    @property
    def needs_input(self) -> bool: ...

    def decompress(self, data: bytes, max_length: int) -> bytes:
        """Unpack `data`, to so many bytes at most; with nothing, what is left of earlier data."""


def _inflated(window: int) -> Callable[[bytes, int], Iterator[bytes]]:
    """Streams of zlib's, up to the very byte that is wrong: zlib itself hands back nothing of what came before it."""

    def unpack(content: bytes, at: int) -> Iterator[bytes]:
        machine = zlib.decompressobj(window)
        for start in range(at, len(content), _FEED):
            fed, before = content[start : start + _FEED], machine.copy()
            try:
                while not machine.eof and (part := machine.decompress(fed, _PIECE)):
                    yield part
                    fed, before = machine.unconsumed_tail, machine.copy()
                    if not fed:
                        break
            except zlib.error:
                for place in range(len(fed)):
                    yield before.decompress(fed[place : place + 1])
                raise
            if machine.eof:
                return
        raise EOFError

    return unpack


def _fed(machine: _Machine, content: bytes, start: int) -> Iterator[bytes]:
    for at in range(start, len(content), _FEED):
        fed = content[at : at + _FEED]
        while True:
            part = machine.decompress(fed, _PIECE)
            if part:
                yield part
            if machine.eof:
                return
            if machine.needs_input:
                break
            fed = b""
    raise EOFError


def _arrow(codec: str) -> Callable[[bytes, int], Iterator[bytes]]:
    """Streams that the standard library does not know and Arrow does."""

    def unpack(content: bytes, at: int) -> Iterator[bytes]:
        import pyarrow as pa  # noqa: PLC0415  (slow to import, and needed for these alone)

        with pa.CompressedInputStream(pa.BufferReader(pa.py_buffer(memoryview(content)[at:])), codec) as stream:
            while part := stream.read(_PIECE):
                yield part

    return unpack


def _member(content: bytes, at: int) -> Iterator[bytes]:
    """One file of a zip archive, found by the header that is before it."""
    header = content[at : at + 30]
    encrypted, method = header[6:7] and header[6] & 1, int.from_bytes(header[8:10], "little")
    named = at + 30 + int.from_bytes(header[26:28], "little")
    start = named + int.from_bytes(header[28:30], "little")
    packed = int.from_bytes(header[18:22], "little")
    if packed == _IN_EXTRA:
        packed = _packed_size(content[named:start])
    if len(header) < 30 or encrypted or start > len(content):
        raise ValueError
    if method == 0:
        yield content[start : start + packed]
    elif method == 8:
        yield from _inflated(-15)(content, start)
    elif method == 14:
        size = int.from_bytes(content[start + 2 : start + 4], "little")
        properties = content[start + 4 : start + 4 + size]
        if len(properties) != 5 or (first := properties[0]) >= 225:
            raise ValueError
        decoding = {"id": lzma.FILTER_LZMA1, "lc": first % 9, "lp": first // 9 % 5, "pb": first // 45}
        decoding["dict_size"] = max(4_096, min(int.from_bytes(properties[1:], "little"), _MEMORY))
        yield from _fed(lzma.LZMADecompressor(lzma.FORMAT_RAW, filters=[decoding]), content, start + 4 + size)
    elif method != 12:  # bzip2 has a beginning of its own
        raise ValueError


def _packed_size(extra: bytes) -> int:
    """How long a member is whose header leaves that to its extra fields, as NumPy's always does; endless where they do not say.

    APPNOTE.TXT of the zip format, 4.5.3: of the field 1, the size as it was and the size as it is packed, 8 bytes each.
    """
    while len(extra) >= 4:
        size = int.from_bytes(extra[2:4], "little")
        if extra[:2] == b"\1\0" and size >= 16:
            return int.from_bytes(extra[12:20], "little")
        extra = extra[4 + size :]
    return _IN_EXTRA


def _unknown(_content: bytes, _at: int) -> Iterator[bytes]:
    raise ValueError


_KINDS: Final[dict[bytes, Callable[[bytes, int], Iterator[bytes]]]] = {
    b"\x1f\x8b\x08": _inflated(31),
    b"x\x01": _inflated(15),
    b"x\x5e": _inflated(15),
    b"x\x9c": _inflated(15),
    b"x\xda": _inflated(15),
    b"BZh": lambda content, at: _fed(bz2.BZ2Decompressor(), content, at),
    b"\xfd7zXZ\0": lambda content, at: _fed(lzma.LZMADecompressor(lzma.FORMAT_XZ, memlimit=_MEMORY), content, at),
    b"\x5d\0\0": lambda content, at: _fed(lzma.LZMADecompressor(lzma.FORMAT_ALONE, memlimit=_MEMORY), content, at),
    b"\x28\xb5\x2f\xfd": _arrow("zstd"),
    b"\x04\x22\x4d\x18": _arrow("lz4"),
    b"PK\x03\x04": _member,
    b"7z\xbc\xaf\x27\x1c": _unknown,
    b"Rar!\x1a\x07": _unknown,
}
_FILES: Final = (b"\x1f\x8b\x08", b"BZh", b"\xfd7zXZ\0", b"\x28\xb5\x2f\xfd", b"\x04\x22\x4d\x18")
"""What a packed file begins with."""
_UNMISTAKABLE: Final = frozenset({b"BZh", b"\xfd7zXZ\0", b"7z\xbc\xaf\x27\x1c", b"Rar!\x1a\x07"})
_FIRST_BLOCK: Final = b"1AY&SY"


@cache
def _machine_of_beginnings() -> ahocorasick_rs.BytesAhoCorasick:
    import ahocorasick_rs  # noqa: PLC0415  (`auditor --help` does without)

    return ahocorasick_rs.BytesAhoCorasick(list(_KINDS))


def _beginnings(content: bytes) -> Iterator[tuple[bytes, int]]:
    """Where a packed stream may begin, and of what kind."""
    kinds, view = list(_KINDS), memoryview(content)
    for start in range(0, len(content), _PIECE):
        chunk = view[start : start + _PIECE + max(map(len, kinds)) - 1]
        for number, begin, _ in _machine_of_beginnings().find_matches_as_indexes(chunk):
            kind, at = kinds[number], start + begin
            # Block size and first block of bzip2 come at once: three letters would be chance.
            if begin < _PIECE and (kind != b"BZh" or content[at + 4 : at + 10] == _FIRST_BLOCK or at == 0):
                yield kind, at
