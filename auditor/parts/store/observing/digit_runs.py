"""What runs of hexadecimal and base64 digits say, wherever they stand and however they are aligned.

A table of text has such a run in nearly every cell: short ones are decoded together, each on a line of its own.
"""

from __future__ import annotations

from binascii import a2b_base64, unhexlify
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

BASE64_RUN: Final = 12
"""Bytes of the shortest run of base64 digits that is decoded."""
_HEX_RUN: Final = 16
_SHORT: Final = 256
"""Digits of those that are decoded together."""
_FEW: Final = 16
"""Runs that are decoded one by one: numpy takes as long for a few as for a hundred."""
_TOGETHER: Final = 2**13
"""Runs that are decoded at a time."""
_LEAST: Final = 6
"""Digits of a run without what lies between them: fewer say three bytes at most."""
_BLOCK: Final = 2**24
_NO, _YES = b"\0", b"\1"
_TO_STANDARD: Final = bytes.maketrans(b"-_", b"+/")
_Places: TypeAlias = npt.NDArray[np.int64]


def allow(characters: bytes) -> bytes:
    """A table for `bytes.translate` that says of each byte whether it is one of some."""
    return bytes(byte in characters for byte in range(256))


_IN_BASE64: Final = b"\r\n"
"""What may lie between digits."""
_IN_HEX: Final = b": \t\r\n"
_BASE64: Final = allow(b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/-_" + _IN_BASE64)
_HEX: Final = allow(b"0123456789abcdefABCDEF" + _IN_HEX)


def runs(content: bytes, allowed: bytes, shortest: int) -> Iterator[tuple[int, int]]:
    """Where at least `shortest` allowed bytes follow one another: start and stop.

    Args:
        content: The bytes.
        allowed: As `allow` gives it.
        shortest: A run has so many at least.
    """
    for places in _by_block(content, allowed, shortest):
        yield from zip(places[:, 0].tolist(), places[:, 1].tolist(), strict=True)


def _by_block(content: bytes, allowed: bytes, shortest: int) -> Iterator[_Places]:
    """The same as arrays of shape (k, 2)."""
    open_since: int | None = None
    for start in range(0, len(content), _BLOCK):
        block = content[start : start + _BLOCK].translate(allowed)
        inside = np.frombuffer(b"".join([_YES if open_since is not None else _NO, block, _NO]), dtype=np.uint8)
        edges = np.flatnonzero(inside[1:] != inside[:-1]) + start
        if open_since is not None:
            edges = np.concatenate([[open_since], edges])
        places = edges.reshape(-1, 2)
        # A run that reaches the end of the block goes on in the next.
        open_since = None
        if len(places) and places[-1, 1] == start + len(block) and start + len(block) < len(content):
            open_since = int(places[-1, 0])
            places = places[:-1]
        yield places[places[:, 1] - places[:, 0] >= shortest]


def of_base64(text: bytes) -> Iterator[bytes]:
    """What its runs of base64 digits say.

    Those of decimal digits alone, as every number with a point has, are left out: they say no text, for of three bytes that one
    stands for the first is at least 0xD3.
    """
    found = _found_in(text, _BASE64, BASE64_RUN, _IN_BASE64)
    for each in found.short:
        numbers = each.digits[_indices(each.starts, each.lengths)]
        other = np.add.reduceat((numbers < ord("0")) | (numbers > ord("9")), np.cumsum(each.lengths) - each.lengths) > 0
        for offset in range(4) if other.any() else ():
            yield _of_base64_together(each.digits, each.starts[other] + offset, each.lengths[other] - offset)
    for run in found.others:
        for offset in range(4) if not run.isdigit() else ():
            shifted = run[offset:].translate(_TO_STANDARD)
            yield a2b_base64(shifted + b"A" * (-len(shifted) % 4))[: len(shifted) * 3 // 4]


def of_hexadecimal(text: bytes) -> Iterator[bytes]:
    """What its runs of hexadecimal digits say."""
    found = _found_in(text, _HEX, _HEX_RUN, _IN_HEX)
    for each in found.short:
        for offset in range(2):
            yield _of_hexadecimal_together(each.digits, each.starts + offset, each.lengths - offset)
    for run in found.others:
        for offset in range(2):
            yield unhexlify(run[offset : len(run) - (len(run) - offset) % 2])


class _Short(NamedTuple):
    """Short runs that are decoded together."""

    digits: npt.NDArray[np.uint8]
    """The text without what lies between digits."""
    starts: _Places
    """Where in these they begin, shape (k,)."""
    lengths: _Places
    """Shape (k,)."""


class _Found(NamedTuple):
    short: Sequence[_Short] = ()
    others: Sequence[bytes] = ()


_NOTHING: Final = _Found()
_NOWHERE: Final = np.empty((0, 2), dtype=np.int64)


def _found_in(text: bytes, allowed: bytes, shortest: int, between: bytes) -> _Found:
    first, *others = list(_by_block(text, allowed, shortest)) or [_NOWHERE]
    places = np.concatenate([first, *others]) if others else first
    if not len(places):
        return _NOTHING
    if len(places) <= _FEW:
        return _Found([], [text[start:stop].translate(None, between) for start, stop in places.tolist()])
    places -= np.searchsorted(np.flatnonzero(np.frombuffer(text.translate(allow(between)), dtype=np.uint8)), places)
    digits = np.frombuffer(text.translate(None, between), dtype=np.uint8)
    starts, lengths = places[:, 0], places[:, 1] - places[:, 0]
    short, long = (np.flatnonzero(which) for which in ((lengths <= _SHORT) & (lengths >= _LEAST), lengths > _SHORT))
    pieces = (short[first : first + _TOGETHER] for first in range(0, len(short), _TOGETHER))
    return _Found(
        [_Short(digits, starts[some], lengths[some]) for some in pieces],
        [digits[starts[at] : starts[at] + lengths[at]].tobytes() for at in long],
    )


def _of_base64_together(digits: npt.NDArray[np.uint8], starts: _Places, lengths: _Places) -> bytes:
    quads = -(-lengths // 4)
    before = np.cumsum(quads + 1) - (quads + 1)
    filled = np.tile(np.frombuffer(b"CgoK", dtype=np.uint8), int((quads + 1).sum()))  # ends of lines
    filled[_indices(4 * before, lengths)] = digits[_indices(starts, lengths)]
    decoded = np.frombuffer(a2b_base64(filled.tobytes().translate(_TO_STANDARD)), dtype=np.uint8).copy()
    beyond = 3 * quads - 3 * lengths // 4
    for last in range(1, 4):
        decoded[3 * (before + quads)[beyond >= last] - last] = ord("\n")
    return decoded.tobytes()


def _of_hexadecimal_together(digits: npt.NDArray[np.uint8], starts: _Places, lengths: _Places) -> bytes:
    pairs = lengths // 2
    before = np.cumsum(pairs + 1) - (pairs + 1)
    filled = np.tile(np.frombuffer(b"0a", dtype=np.uint8), int((pairs + 1).sum()))  # ends of lines
    filled[_indices(2 * before, 2 * pairs)] = digits[_indices(starts, 2 * pairs)]
    return unhexlify(filled.tobytes())


def _indices(starts: _Places, lengths: _Places) -> _Places:
    """The places of so many items from each start on, one after the other."""
    ends = np.cumsum(lengths)
    return np.asarray(np.arange(int(lengths.sum())) + np.repeat(starts - (ends - lengths), lengths))
