"""Decode and encode what faiss keeps of vectors: their own bytes, a scalar code of each value, or a product code."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final, Protocol, TypeAlias, runtime_checkable

import numpy as np
import numpy.typing as npt

from auditor.parts.store.readers.contents import UnknownFormError
from auditor.parts.store.readers.fields import Fields

_Bytes: TypeAlias = npt.NDArray[np.uint8]
_Vectors: TypeAlias = npt.NDArray[np.float32]
_Lists: TypeAlias = npt.NDArray[np.int64]
_Learned: TypeAlias = tuple[tuple[str, _Vectors], ...]

_EIGHT, _EIGHT_SHARED, _HALF, _DIRECT = 0, 2, 4, 5
"""Scalar codes that are known: of eight bits in a range for each dimension, or in one for all; float16; whole numbers."""
_SIZES: Final = {_EIGHT: 1, _EIGHT_SHARED: 1, _HALF: 2, _DIRECT: 1}
_RANGES: Final = 4
"""Ways of choosing ranges."""
_MOST_BITS: Final = 8
_AT_ONCE: Final = 1 << 22
"""Distances that are computed at a time."""


@runtime_checkable
class Quantiser(Protocol):
    """Takes vectors to codes and back."""

    @property
    def size(self) -> int:
        """Bytes of a code, without the number of its list."""

    def decode(self, codes: _Bytes, lists: _Lists | None) -> _Vectors:
        """Take codes, shape (n, size), to vectors, shape (n, d); `lists` are their inverted lists."""

    def encode(self, vectors: _Vectors, /) -> _Bytes:
        """Take vectors to codes as `named` gives them."""

    def named(self, codes: _Bytes, lists: _Lists | None) -> _Bytes:
        """Give codes with all that they depend on."""


class _Whole:
    """Codes that depend on nothing else."""

    __slots__ = ()

    def named(self, codes: _Bytes, _lists: _Lists | None) -> _Bytes:
        """Give the codes as they are."""
        return codes


@dataclass(frozen=True, slots=True)
class Flat(_Whole):
    """No code: the vectors' own bytes."""

    dimensions: int

    @property
    def size(self) -> int:
        """Bytes of a vector."""
        return 4 * self.dimensions

    def decode(self, codes: _Bytes, _lists: _Lists | None) -> _Vectors:
        """Read the bytes as vectors."""
        return np.ascontiguousarray(codes).view("<f4").reshape(len(codes), self.dimensions).astype(np.float32)

    def encode(self, vectors: _Vectors, /) -> _Bytes:
        """Give the bytes of vectors."""
        return np.ascontiguousarray(vectors, dtype="<f4").view(np.uint8).reshape(len(vectors), self.size)


@dataclass(frozen=True, slots=True, eq=False)
class Scalar(_Whole):
    """A code of each value, within a range."""

    kind: int
    size: int
    low: _Vectors
    """Shape (d,), and so of the width."""
    width: _Vectors
    away: bool = False
    """Whether float16 of what lies between two of them is the one farther from zero, as without instructions for it."""

    @property
    def elsewhere(self) -> Scalar | None:
        """The same on other machines, where it makes a difference."""
        return replace(self, away=not self.away) if self.kind == _HALF else None

    def decode(self, codes: _Bytes, _lists: _Lists | None) -> _Vectors:
        """Take each code to the middle of what has it."""
        if self.kind == _HALF:
            return np.ascontiguousarray(codes).view("<f2").reshape(len(codes), -1).astype(np.float32)
        if self.kind == _DIRECT:
            return codes.astype(np.float32)
        with np.errstate(over="ignore", invalid="ignore"):
            return (self.low + (codes.astype(np.float32) + np.float32(0.5)) / np.float32(255) * self.width).astype(np.float32)

    def encode(self, vectors: _Vectors, /) -> _Bytes:
        """Code each value; beyond its range it has the nearest code."""
        values = np.asarray(vectors, dtype=np.float32)
        with np.errstate(over="ignore", invalid="ignore", divide="ignore"):
            if self.kind == _HALF:
                halves = _half_away(values) if self.away else values.astype("<f2")
                return np.ascontiguousarray(halves).view(np.uint8).reshape(len(values), self.size)
            if self.kind == _DIRECT:
                return np.clip(np.nan_to_num(values), 0, 255).astype(np.uint8)
            share = np.where(self.width != 0, (values - self.low) / self.width, np.float32(0))
            codes: _Bytes = (np.float32(255) * np.clip(np.nan_to_num(share), 0, 1)).astype(np.uint8)
            return codes


def _half_away(values: _Vectors) -> npt.NDArray[np.float16]:
    """Round to float16, what lies in the middle away from zero."""
    found = values.astype("<f2")
    beyond = np.nextafter(found, np.copysign(np.float16(np.inf), found))
    middle = (found.astype(np.float64) + beyond.astype(np.float64)) / 2 == values
    return np.where(middle, beyond, found)


@dataclass(frozen=True, slots=True, eq=False)
class Product(_Whole):
    """For each of several parts of a vector, the number of the nearest entry of a codebook."""

    book: _Vectors
    """Shape (parts, entries, dimensions of a part); there are 2^bits entries."""
    bits: int

    @property
    def size(self) -> int:
        """Bytes of a code: the numbers of its entries one after another, the lowest bits first."""
        return (len(self.book) * self.bits + 7) // 8

    def decode(self, codes: _Bytes, _lists: _Lists | None) -> _Vectors:
        """Put the entries together."""
        bits = np.unpackbits(codes, axis=1, bitorder="little")[:, : len(self.book) * self.bits]
        numbers = bits.reshape(len(codes), len(self.book), self.bits).astype(np.int64) @ (1 << np.arange(self.bits))
        return np.concatenate([entries[numbers[:, at]] for at, entries in enumerate(self.book)], axis=1).astype(np.float32)

    def encode(self, vectors: _Vectors, /) -> _Bytes:
        """Find the nearest entries."""
        parts = np.split(np.asarray(vectors, dtype=np.float32), len(self.book), axis=1)
        numbers = np.stack([nearest(part, self.book[at]) for at, part in enumerate(parts)], axis=1)
        bits = (numbers[:, :, None] >> np.arange(self.bits)) & 1
        return np.packbits(bits.reshape(len(numbers), -1).astype(np.uint8), axis=1, bitorder="little")

    def room(self, codes: _Bytes) -> int:
        """Count the bytes of codes that have a bit behind their last number."""
        used = len(self.book) * self.bits % 8
        return int(np.count_nonzero(codes[:, -1] >> used)) if used else 0


@dataclass(frozen=True, slots=True, eq=False)
class InLists:
    """Codes in inverted lists, of vectors or of what their list's centroid leaves of them."""

    inner: Quantiser
    centroids: _Vectors
    residual: bool
    by_product: bool
    """Whether a vector's list is that of the largest inner product, and not of the least distance."""

    @property
    def size(self) -> int:
        """Bytes of a code."""
        return self.inner.size

    def decode(self, codes: _Bytes, lists: _Lists | None) -> _Vectors:
        """Decode, and add the centroid where it was taken off."""
        found = self.inner.decode(codes, None)
        with np.errstate(over="ignore", invalid="ignore"):
            return found + self.centroids[lists] if self.residual and lists is not None else found

    def encode(self, vectors: _Vectors, /) -> _Bytes:
        """Choose each vector's list, and code it there: the list's number comes first."""
        values = np.asarray(vectors, dtype=np.float32)
        lists = nearest(values, self.centroids, by_product=self.by_product)
        return self.named(self.inner.encode(values - self.centroids[lists] if self.residual else values), lists)

    def named(self, codes: _Bytes, lists: _Lists | None) -> _Bytes:
        """Put the number of the list in front."""
        numbers = np.zeros(len(codes), np.int64) if lists is None else lists
        front = np.ascontiguousarray(numbers.astype("<u4")).view(np.uint8).reshape(len(codes), 4)
        return np.concatenate([front, codes], axis=1)


def nearest(vectors: _Vectors, book: _Vectors, *, by_product: bool = False) -> _Lists:
    """Find the nearest entry of a book, shape (k, d), for each vector, shape (n, d); the first of several."""
    found = np.zeros(len(vectors), dtype=np.int64)
    exact, squares = book.astype(np.float64), (book.astype(np.float64) ** 2).sum(axis=1)
    step = max(1, _AT_ONCE // max(1, len(book)))
    with np.errstate(over="ignore", invalid="ignore"):
        for at in range(0, len(vectors), step):
            products = vectors[at : at + step].astype(np.float64) @ exact.T
            found[at : at + step] = np.argmin(-products if by_product else squares - 2 * products, axis=1)
    return found


def scalar(fields: Fields, dimensions: int) -> tuple[Quantiser, _Learned, int]:
    """Read a scalar quantiser.

    Returns:
        It, its ranges, and the bytes that nothing explains.

    Raises:
        UnknownFormError: If its code is not known.
    """
    kind, ranges, argument, own, size = fields.take("iifQQ")
    trained = fields.array("<f4", fields.whole("Q"))
    lengths = {_EIGHT: 2 * dimensions, _EIGHT_SHARED: 2}
    if kind not in _SIZES or own != dimensions or size != dimensions * _SIZES[kind] or len(trained) != lengths.get(kind, 0):
        raise UnknownFormError
    low, width = (trained[: len(trained) // 2], trained[len(trained) // 2 :]) if len(trained) else (trained, trained)
    table = np.stack([low, width]).astype(np.float32)
    # How ranges were chosen is one of four, and a number for it that is hardly ever another than zero.
    odd = int(4 * (not 0 <= ranges < _RANGES) + 4 * (argument != 0))
    learned: _Learned = (("ranges", table),) if table.size else ()
    return Scalar(kind, size, table[0], table[1]), learned, odd


def product(fields: Fields, dimensions: int) -> tuple[Product, _Learned, int]:
    """Read a product quantiser of at most eight bits a part.

    Returns:
        It, its codebook, and the bytes that nothing explains.

    Raises:
        UnknownFormError: If a part has other codes.
    """
    own, parts, bits = fields.take("QQQ")
    count = fields.whole("Q")
    if own != dimensions or not parts or dimensions % parts or not 1 <= bits <= _MOST_BITS or count != dimensions << bits:
        raise UnknownFormError
    book = fields.array("<f4", parts, 1 << bits, dimensions // parts).astype(np.float32)
    return Product(book, bits), (("codebook", book.reshape(parts << bits, -1)),), 0
