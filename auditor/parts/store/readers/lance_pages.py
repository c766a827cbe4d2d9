"""Read a page of a column of Lance 2.1 or 2.2: constant, in small blocks, or row by row.

What a writer is free to choose is counted: room between parts must hold what writers fill it with, rows without a value must hold
nothing, texts must be packed as the table's writer packs them, and dictionaries may have no entry that no row has.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from auditor.parts.store.readers.contents import UnknownFormError
from auditor.parts.store.readers.fields import Fields, filled
from auditor.parts.store.readers.lance_kinds import Cells, Kind, not_known, spelled
from auditor.parts.store.readers.packings import BLOCK, Symbols, from_lz4, unpacked, width_of
from auditor.parts.store.readers.protobuf import Taken

_IN_BLOCKS, _CONSTANT, _BY_ROWS, _BLOB = 1, 2, 3, 4
_FLAT, _TEXTS, _OUTSIDE, _INSIDE, _SYMBOLS, _RUNS, _PACKED, _VECTORS = 1, 2, 4, 5, 6, 8, 10, 11
_NAMES: Final = {
    _FLAT: "flat", _TEXTS: "variable", 3: "constant", _OUTSIDE: "out-of-line bitpacking", _INSIDE: "inline bitpacking",
    _SYMBOLS: "fsst", 7: "dictionary", _RUNS: "rle", 9: "byte stream split", _PACKED: "general", _VECTORS: "fixed-size list",
    12: "packed struct", 13: "variable packed struct",
}  # fmt: skip
_ALL_THERE, _SOME_THERE = b"\1", b"\3"
_ROOM, _ROOM_OF_TEXTS = 0xFE, 72
_AIM: Final = 4096
"""Bytes that a block of texts has at most, if it has more than one text."""
_LZ4: Final = 1
_MOST_RUN: Final = 255


@dataclass(slots=True)
class Page:
    """One page, as it is read."""

    kind: Kind
    count: int
    """Rows."""
    buffers: Sequence[bytes]
    unexplained: int = 0
    bits: int = 0
    left: list[str] = field(default_factory=list)

    def read(self, layout: bytes) -> Cells:
        """Read what its rows have.

        Raises:
            UnknownFormError: If a coding is not known, or the page is damaged.
        """
        number, content = Taken(layout).only()
        taken = Taken(content)
        match number:
            case 1:
                cells = self._in_blocks(taken)
            case 2:
                cells = self._constant(taken)
            case 3:
                cells = self._by_rows(taken)
            case _:
                raise not_known("blob" if number == _BLOB else "")
        cells.unexplained += self.unexplained
        cells.bits += self.bits
        cells.left += tuple(self.left)
        return cells

    # A page of one value, or of none.
    def _constant(self, taken: Taken) -> Cells:
        layers, inline = taken.content(5), taken.content(6) if taken.given(6) else None
        taken.done()
        nullable = self._nullable(layers)
        buffers = list(self.buffers)
        value = inline
        if inline is None and self.kind.offsets and buffers:
            value = self._one_text(buffers.pop(0))
        valid = np.full(self.count, not nullable or value is not None)
        if buffers:
            # Levels of repetition, of which there are none, and then which rows have no value.
            if not nullable or value is None or len(buffers) != 2 or buffers[0]:
                raise UnknownFormError
            valid = self._valid(np.frombuffer(buffers[1], "<u2"), self.count)
        if value is None:
            if not nullable:
                raise UnknownFormError
            return self._none(valid)
        if self.kind.offsets:
            return Cells(self.kind, valid, texts=[value] * self.count)
        if self.kind.items or not self.kind.dtype or len(value) != np.dtype(self.kind.dtype).itemsize:
            raise not_known(_NAMES[3])
        return Cells(self.kind, valid, np.full(self.count, np.frombuffer(value, self.kind.dtype)[0]))

    def _none(self, valid: npt.NDArray[np.bool_]) -> Cells:
        if self.kind.offsets:
            return Cells(self.kind, valid, texts=[b""] * len(valid))
        shape = (len(valid), self.kind.items) if self.kind.items else (len(valid),)
        return Cells(self.kind, valid, np.zeros(shape, dtype=self.kind.dtype) if self.kind.dtype else None)

    def _one_text(self, content: bytes) -> bytes:
        fields = Fields(content)
        wide = self.kind.offsets // 8
        if fields.take("III")[:2] != (2, 2 * wide):
            raise UnknownFormError
        size = int.from_bytes(content[8:12], "little")
        first, end = (int(each) for each in fields.array(f"<u{wide}", 2))
        text = fields.array("u1", size).tobytes()
        if (first, end) != (0, size) or fields.left:
            raise UnknownFormError
        return text

    # A page in small blocks.
    def _in_blocks(self, taken: Taken) -> Cells:
        if taken.given(1) or taken.given(8):
            raise not_known("list")
        levels = taken.content(2) if taken.given(2) else None
        values = taken.content(3)
        entries = taken.content(4) if taken.given(4) else None
        number, nullable = taken.whole(5), self._nullable(taken.content(6))
        parts, items, large = taken.whole(7), taken.whole(9), taken.whole(10)
        taken.done()
        most = 2 + (entries is not None)
        if items != self.count or large > 1 or nullable != (levels is not None) or len(self.buffers) != most:
            raise UnknownFormError
        coding = _Coding(self, values, Kind("index", dtype="<u4") if entries is not None else self.kind)
        if coding.parts != parts:
            raise UnknownFormError
        valid = np.ones(self.count, dtype=bool)
        done, last = 0, -1
        fields = Fields(self.buffers[1])
        sizes = np.frombuffer(self.buffers[0], "<u4" if large else "<u2")
        for place, word in enumerate(sizes.tolist()):
            size, exponent, is_last = ((word >> 4) + 1) * 8, word & 15, place == len(sizes) - 1
            count = self.count - done if is_last and not exponent else 1 << exponent
            if (is_last and done + count != self.count) or done + count > self.count:
                raise UnknownFormError
            block = Fields(fields.array("u1", size).tobytes())
            valid[done : done + count] = self._block(block, coding, levels, count, large=bool(large))
            if coding.is_even and last not in {-1, count} and not is_last:
                self.bits += 4
            done, last = done + count, count
        if fields.left or done != self.count:
            raise UnknownFormError
        cells = coding.cells(valid)
        return cells if entries is None else self._of_entries(cells, entries, number)

    def _block(self, block: Fields, coding: _Coding, levels: bytes | None, count: int, *, large: bool) -> npt.NDArray[np.bool_]:
        (stated,) = block.take("H")
        if stated != (count if levels is not None else 0):
            raise UnknownFormError
        of_levels = block.whole("H") if levels is not None else 0
        sizes = [block.whole("I" if large else "H") for _ in range(coding.parts)]
        self._align(block)
        valid = np.ones(count, dtype=bool)
        if levels is not None:
            valid = self._valid(self._levels(levels, block.array("u1", of_levels).tobytes(), count), count)
            self._align(block)
        parts = []
        for size in sizes:
            parts.append(block.array("u1", size).tobytes())
            self._align(block)
        if block.left:
            raise UnknownFormError
        coding.add(parts, count)
        return valid

    def _align(self, block: Fields) -> None:
        room = block.array("u1", -block.at % 8)
        self.unexplained += int(np.count_nonzero(room != _ROOM))

    def _levels(self, coding: bytes, content: bytes, count: int) -> npt.NDArray[Any]:
        number, inner = Taken(coding).only()
        taken = Taken(inner)
        if number == _RUNS:
            widths = [_flat_width(taken.content(1)), _flat_width(taken.content(2))]
            taken.done()
            size = int.from_bytes(content[:8], "little")
            if widths != [16, 8] or size > len(content) - 8:
                raise UnknownFormError
            return self.runs(content[8 : 8 + size], content[8 + size :], count, "<u2")
        if number not in {_FLAT, _OUTSIDE, _INSIDE} or taken.whole(1) != 16:
            raise not_known(_NAMES.get(number, ""))
        if number == _OUTSIDE:
            width = _flat_width(taken.content(3))
            taken.done()
            return self._outside(width, content, count)
        taken.done()
        return np.frombuffer(content, "<u2") if number == _FLAT else self.inside(content, 16, count)

    def _outside(self, width: int, content: bytes, count: int) -> npt.NDArray[Any]:
        if not 0 < width < 16:
            raise UnknownFormError
        whole, rest = divmod(count, BLOCK)
        size = BLOCK * width // 8
        found = [unpacked(content[: whole * size], width, 16)] if whole else []
        tail = content[whole * size :]
        if len(tail) == 2 * rest:
            found.append(np.frombuffer(tail, "<u2"))
        else:
            found.append(self._cut(unpacked(tail, width, 16), rest))
        return np.concatenate(found)

    def inside(self, content: bytes, size: int, count: int) -> npt.NDArray[Any]:
        """Unpack one block with its width in front of it."""
        wide = size // 8
        width = int.from_bytes(content[:wide], "little")
        if width > size or len(content) != wide + BLOCK * width // 8 or count > BLOCK:
            raise UnknownFormError
        found = self._cut(unpacked(content[wide:], width, size), count)
        self.bits += 6 * (width_of(found) != width)
        return found

    def _cut(self, numbers: npt.NDArray[Any], count: int) -> npt.NDArray[Any]:
        if len(numbers) < count:
            raise UnknownFormError
        self.unexplained += filled(numbers[count:])
        return numbers[:count]

    @staticmethod
    def _valid(levels: npt.NDArray[Any], count: int) -> npt.NDArray[np.bool_]:
        if len(levels) != count or (len(levels) and int(levels.max()) > 1):
            raise UnknownFormError
        return np.asarray(levels == 0)

    @staticmethod
    def _nullable(layers: bytes) -> bool:
        if layers not in {_ALL_THERE, _SOME_THERE}:
            raise not_known("list")
        return layers == _SOME_THERE

    def _of_entries(self, cells: Cells, coding: bytes, number: int) -> Cells:
        """Give rows what the entries of a dictionary are that they point to."""
        if cells.numbers is None:
            raise UnknownFormError
        places = cells.numbers.astype(np.int64)
        entries = self._entries(coding, self.buffers[2], number)
        if len(places) and int(places.max()) >= number:
            raise UnknownFormError
        used, first = np.unique(places, return_index=True)
        # Entries stand in the order in which rows came to them.
        self.bits += 32 * int(np.count_nonzero(np.diff(first) < 0))
        idle = sorted({*range(number)} - {*used.tolist()})
        found = [spelled(entries[each]) if isinstance(entries, list) else repr(entries[each].item()) for each in idle]
        self.left += found
        self.unexplained += sum(1 + len(each) for each in found)
        empty = np.unique(places[~cells.valid])
        if isinstance(entries, list):
            self.unexplained += sum(len(entries[each]) for each in empty.tolist()) + 4 * max(0, len(empty) - 1)
            self.unexplained += 4 * (number - len(set(entries)))
            return Cells(self.kind, cells.valid, texts=[entries[each] for each in places.tolist()])
        self.unexplained += filled(entries[empty]) + 4 * max(0, len(empty) - 1)
        self.unexplained += 4 * (number - len(np.unique(entries.view(f"<u{entries.itemsize}"))))
        return Cells(self.kind, cells.valid, entries[places])

    def _entries(self, coding: bytes, content: bytes, number: int) -> list[bytes] | npt.NDArray[Any]:
        kind, inner = Taken(coding).only()
        if kind == _PACKED:
            taken = Taken(inner)
            scheme = Taken(taken.content(1))
            if scheme.whole(1) != _LZ4:
                raise not_known("zstd")
            scheme.done()
            coding = taken.content(3)
            taken.done()
            content, beyond = from_lz4(content)
            self.unexplained += beyond
            kind, inner = Taken(coding).only()
        if kind == _TEXTS and self.kind.offsets:
            self.plain_offsets(inner)
            wide = self.kind.offsets // 8
            fields = Fields(content)
            bits, begin = (int(each) for each in fields.array(f"<u{wide}", 2))
            offsets = fields.array(f"<u{wide}", number + 1).tolist()
            if bits != self.kind.offsets or begin != fields.at:
                raise UnknownFormError
            return _cut_up(content, [each + begin for each in offsets], fields.at, len(content))
        if kind == _FLAT and self.kind.dtype and not self.kind.items:
            taken = Taken(inner)
            if taken.whole(1) != self.kind.bits or len(content) * 8 != self.kind.bits * number or self.kind.dtype == "?":
                raise UnknownFormError
            taken.done()
            return np.frombuffer(content, self.kind.dtype)
        raise not_known(_NAMES.get(kind, ""))

    def plain_offsets(self, coding: bytes) -> None:
        """Check that texts are as they are, and their offsets as well."""
        taken = Taken(coding)
        if _flat_width(taken.content(1)) != self.kind.offsets:
            raise UnknownFormError
        taken.done()

    # A page of rows that are large.
    def _by_rows(self, taken: Taken) -> Cells:
        repeated, bits = taken.whole(1), taken.whole(2)
        of_value, of_offset = taken.whole(3), taken.whole(4)
        items, visible, coding = taken.whole(5), taken.whole(6), taken.content(7)
        nullable = self._nullable(taken.content(8))
        taken.done()
        if repeated:
            raise not_known("list")
        if (items, visible, bits) != (self.count, self.count, int(nullable)):
            raise UnknownFormError
        if self.kind.offsets:
            return self._texts_by_rows(coding, of_offset, nullable=nullable)
        return self._vectors_by_rows(coding, of_value, nullable=nullable)

    def _texts_by_rows(self, coding: bytes, of_offset: int, *, nullable: bool) -> Cells:
        if of_offset != self.kind.offsets or len(self.buffers) != 2:
            raise UnknownFormError
        number, inner = Taken(coding).only()
        symbols = None
        if number == _SYMBOLS:
            symbols, inner = self.symbols(inner)
        elif number != _TEXTS:
            raise not_known(_NAMES.get(number, ""))
        self.plain_offsets(inner)
        content, at, wide = self.buffers[0], 0, of_offset // 8
        valid = np.ones(self.count, dtype=bool)
        texts, begun = [], []
        for row in range(self.count):
            begun.append(at)
            if nullable:
                if content[at : at + 1] not in {b"\0", b"\1"}:
                    raise UnknownFormError
                valid[row] = content[at] == 0
                at += 1
            if not valid[row]:
                texts.append(b"")
                continue
            size = int.from_bytes(content[at : at + wide], "little")
            at += wide
            texts.append(content[at : at + size])
            at += size
            if at > len(content):
                raise UnknownFormError
        begun.append(at)
        each = next(each for each in (1, 2, 4, 8) if at < 1 << (8 * each))
        if at != len(content) or np.array(begun, dtype=f"<u{each}").tobytes() != self.buffers[1]:
            raise UnknownFormError
        return self.texts(texts, valid, symbols)

    def _vectors_by_rows(self, coding: bytes, of_value: int, *, nullable: bool) -> Cells:
        if not self.kind.items or len(self.buffers) != 1:
            raise UnknownFormError
        inner = self.vector(coding)
        if inner and self.kind.items % 8:
            # What follows the marks of a row in its last byte is not always nothing.
            raise not_known(_NAMES[_VECTORS])
        of_marks = -(-self.kind.items // 8) if inner else 0
        size = of_marks + 4 * self.kind.items
        fields = Fields(self.buffers[0])
        if of_value != 8 * size:
            raise UnknownFormError
        rows = fields.array("u1", self.count, size + nullable)
        if fields.left:
            raise UnknownFormError
        valid = np.ones(self.count, dtype=bool)
        if nullable:
            valid = self._valid(rows[:, 0], self.count)
            rows = rows[:, 1:]
        values = np.ascontiguousarray(rows[:, of_marks:]).view("<f4")
        if inner:
            self.marks(rows[:, :of_marks].tobytes(), valid)
        return self.numbers(values, valid)

    # What blocks and rows have in common.
    def runs(self, values: bytes, lengths: bytes, count: int, kind: str) -> npt.NDArray[Any]:
        """Give numbers that are said once for a run of rows."""
        found = np.frombuffer(values, kind)
        times = np.frombuffer(lengths, np.uint8).astype(np.int64)
        if len(found) != len(times) or found.nbytes != len(values) or int(times.sum()) != count:
            raise UnknownFormError
        raw = found.view(f"<u{found.itemsize}")
        again = (raw[1:] == raw[:-1]) & (times[:-1] != _MOST_RUN)
        self.bits += 8 * int(np.count_nonzero(again)) + 8 * int(np.count_nonzero(times == 0))
        return np.repeat(found, times)

    def symbols(self, content: bytes) -> tuple[Symbols, bytes]:
        """Read the table of symbols, and say how what is written by it lies."""
        taken = Taken(content)
        table, values = taken.content(1), taken.content(2)
        taken.done()
        number, inner = Taken(values).only()
        if number != _TEXTS:
            raise not_known(_NAMES.get(number, ""))
        return Symbols.read(table), inner

    def vector(self, coding: bytes) -> bool:
        """Check that vectors are numbers as they are; say whether each number is marked as there or not."""
        number, inner = Taken(coding).only()
        if number != _VECTORS:
            raise not_known(_NAMES.get(number, ""))
        taken = Taken(inner)
        items, width, marked = taken.whole(1), _flat_width(taken.content(2)), taken.whole(3)
        taken.done()
        if width != self.kind.bits or items != self.kind.items or marked > 1:
            raise UnknownFormError
        return bool(marked)

    def marks(self, content: bytes, valid: npt.NDArray[np.bool_]) -> None:
        """Count marks of numbers in vectors that say anything but what marks of rows say."""
        each = -(-self.kind.items // 8)
        if len(content) != each * len(valid):
            raise not_known(_NAMES[_VECTORS])
        held = np.frombuffer(content, np.uint8).reshape(-1, each)
        full = np.packbits(np.ones(self.kind.items, dtype=np.uint8), bitorder="little")
        there, gone = held[valid], held[~valid]
        self.unexplained += int(np.count_nonzero(there != full))
        self.unexplained += min(int(np.count_nonzero(gone != full)), filled(gone))

    def texts(self, coded: list[bytes], valid: npt.NDArray[np.bool_], symbols: Symbols | None) -> Cells:
        """Give texts; what rows without one have is counted."""
        texts = coded if symbols is None else symbols.texts(coded)
        self.unexplained += 0 if symbols is None else symbols.beyond(texts)
        hidden = [text for text, there in zip(texts, valid.tolist(), strict=True) if text and not there]
        self.left += map(spelled, hidden)
        self.unexplained += sum(map(len, hidden))
        return Cells(self.kind, valid, texts=texts)

    def numbers(self, values: npt.NDArray[Any], valid: npt.NDArray[np.bool_]) -> Cells:
        """Give numbers; what rows without one have is counted."""
        self.unexplained += filled(values[~valid])
        return Cells(self.kind, valid, values)


class _Coding:
    """How the blocks of a page are coded, and what they have held so far."""

    def __init__(self, page: Page, coding: bytes, kind: Kind) -> None:
        self._page, self._kind = page, kind
        self._number, inner = Taken(coding).only()
        self._symbols: Symbols | None = None
        self._marked = False
        self._texts: list[bytes] = []
        self._short: list[tuple[list[int], int]] = []
        self._found: list[npt.NDArray[Any]] = []
        self._marks: list[bytes] = []
        self._width = 0
        self.parts = 1
        taken = Taken(inner)
        if kind.offsets and self._number in {_TEXTS, _SYMBOLS}:
            if self._number == _SYMBOLS:
                self._symbols, inner = page.symbols(inner)
            page.plain_offsets(inner)
            return
        if kind.items and self._number == _VECTORS:
            self._marked = page.vector(coding)
            self.parts += self._marked
            return
        if kind.offsets or kind.items or not kind.dtype or self._number not in {_FLAT, _INSIDE, _RUNS}:
            raise not_known(_NAMES.get(self._number, ""))
        if self._number == _RUNS:
            self.parts = 2
            widths = [_flat_width(taken.content(1)), _flat_width(taken.content(2))]
            taken.done()
            if widths != [kind.bits, 8] or kind.dtype == "?":
                raise not_known(_NAMES[_RUNS])
            return
        self._width = taken.whole(1)
        taken.done()
        if self._width != kind.bits:
            raise not_known(_NAMES[self._number])

    @property
    def is_even(self) -> bool:
        """Whether every block but the last has as many rows."""
        return not self._kind.offsets

    def add(self, parts: list[bytes], count: int) -> None:
        """Take in a block of so many rows."""
        if self._kind.offsets:
            self._add_texts(parts[0], count)
        elif self._kind.items:
            size = 4 * self._kind.items * count
            if len(parts[-1]) != size:
                raise UnknownFormError
            self._found.append(np.frombuffer(parts[-1], "<f4").reshape(count, -1))
            if self._marked:
                self._marks.append(self._spread(parts[0], count))
        elif self._number == _RUNS:
            self._found.append(self._page.runs(parts[0], parts[1], count, self._kind.dtype))
        elif self._number == _INSIDE:
            self._found.append(self._page.inside(parts[0], self._width, count).view(self._kind.dtype))
        elif self._kind.dtype == "?":
            bits = np.unpackbits(np.frombuffer(parts[0], np.uint8), bitorder="little")
            if len(parts[0]) != -(-count // 8):
                raise UnknownFormError
            self._page.unexplained += filled(bits[count:])
            self._found.append(bits[:count].astype(bool))
        else:
            found = np.frombuffer(parts[0], self._kind.dtype)
            if len(found) != count or len(parts[0]) != found.nbytes:
                raise UnknownFormError
            self._found.append(found)

    def _spread(self, marks: bytes, count: int) -> bytes:
        """Marks of vectors, each beginning with a byte of its own."""
        bits = np.unpackbits(np.frombuffer(marks, np.uint8), bitorder="little")
        size = self._kind.items * count
        if len(marks) != -(-size // 8):
            raise UnknownFormError
        self._page.unexplained += filled(bits[size:])
        return np.packbits(bits[:size].reshape(count, -1), axis=1, bitorder="little").tobytes()

    def _add_texts(self, content: bytes, count: int) -> None:
        wide = self._kind.offsets // 8
        fields = Fields(content)
        offsets = fields.array(f"<u{wide}", count + 1).tolist()
        texts = _cut_up(content, offsets, fields.at, offsets[-1])
        room = np.frombuffer(content[offsets[-1] :], np.uint8)
        self._page.unexplained += int(np.count_nonzero(room != _ROOM_OF_TEXTS)) + max(0, len(room) - wide + 1)
        self._short.append(([len(each) for each in texts], wide))
        self._texts += texts

    def cells(self, valid: npt.NDArray[np.bool_]) -> Cells:
        """Give everything that the blocks held."""
        if self._kind.offsets:
            self._page.bits += 4 * self._odd_blocks()
            return self._page.texts(self._texts, valid, self._symbols)
        if not self._found:
            raise UnknownFormError
        found = np.concatenate(self._found)
        if self._kind is not self._page.kind:
            return Cells(self._kind, valid, found)
        if self._marked:
            self._page.marks(b"".join(self._marks), valid)
        return self._page.numbers(found, valid)

    def _odd_blocks(self) -> int:
        """Blocks of texts that have other than as many as fit."""
        lengths = [each for block, _ in self._short for each in block]
        at, odd = 0, 0
        for block, wide in self._short:
            fitting = 1
            while at + 2 * fitting <= len(lengths) and sum(lengths[at : at + 2 * fitting]) + wide * (2 * fitting + 1) <= _AIM:
                fitting *= 2
            rest = sum(lengths[at : at + 2 * _AIM]) + wide * (len(lengths) - at + 1)
            expected = len(lengths) - at if rest <= _AIM else fitting
            odd += expected != len(block)
            at += len(block)
        return odd


def _flat_width(coding: bytes) -> int:
    """Bits of numbers that lie as they are.

    Raises:
        UnknownFormError: If they do not.
    """
    number, inner = Taken(coding).only()
    taken = Taken(inner)
    width = taken.whole(1)
    taken.done()
    if number != _FLAT:
        raise not_known(_NAMES.get(number, ""))
    return width


def _cut_up(content: bytes, offsets: list[int], begin: int, end: int) -> list[bytes]:
    """Cut texts out that lie one behind the other.

    Raises:
        UnknownFormError: If they do not.
    """
    if offsets[0] != begin or offsets[-1] != end or end > len(content) or any(a > b for a, b in pairwise(offsets)):
        raise UnknownFormError
    return [content[a:b] for a, b in pairwise(offsets)]
