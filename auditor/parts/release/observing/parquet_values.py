"""Decode the pages of a Parquet file as far as it takes to tell that nothing lies in them but the values of their rows.

A reader takes as many values from a page as it says to have, and passes over what comes after these, the room that is left in the
last group of packed bits, and the upper bytes of a number whose type has fewer. See <https://parquet.apache.org/docs/file-format/>.
"""

from __future__ import annotations

import struct
import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import Enum, auto
from itertools import product
from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt

_DICTIONARY: Final = 2
_SECOND: Final = 3
"""The type of a page of data in the later form."""
_CODECS: Final = {1: "snappy", 2: "gzip", 6: "zstd", 7: "lz4_raw"}
_PACKED: Final = 64
_FIXED: Final = {"INT32": "<u4", "INT64": "<u8", "INT96": "V12", "FLOAT": "<u4", "DOUBLE": "<u8"}
_NUMBERS: Final = {"INT32": "<i4", "INT64": "<i8", "FLOAT": "<f4", "DOUBLE": "<f8"}
_PLAIN, _OLD_DICTIONARY, _RLE, _BIT_PACKED, _DELTA, _DELTA_LENGTH, _DELTA_BYTES, _BY_DICTIONARY, _STREAMS = (
    0,
    2,
    3,
    4,
    5,
    6,
    7,
    8,
    9,
)
_BY_DIFFERENCES: Final = frozenset({_DELTA, _DELTA_LENGTH, _DELTA_BYTES})
_GZIP: Final = b"\x1f\x8b\x08\0\0\0\0\0"
"""How a stream begins that has no name, comment or time."""
_ZSTD: Final = b"\x28\xb5\x2f\xfd"
_GROUPED: Final = 256
"""Values that a writer packs at a time at most, the last of them perhaps for none."""
"""How many it holds at a time, each in the place of an earlier one."""
_ROOM: Final = 8
"""Bytes of zero that a writer leaves at the end of a page."""
_LARGEST_BLOCK: Final = 1 << 16
_Integers = npt.NDArray[np.uint64]


class Way(Enum):
    """How writers part numbers into runs of one value and runs of packed ones."""

    ALIKE = auto()
    """A run for each value, however often it is there in turn."""
    GROUPS = auto()
    """Eight at a time, packed unless they are all alike; what is left over is packed unless it is."""
    GROUPS_TO_THE_END = auto()
    """The same, with what is left over packed in any case."""
    BLOCKS = auto()
    """Four alike or more as a run, others packed by 256."""
    TOGETHER = auto()
    """All of them packed, in one run."""


@dataclass(frozen=True, slots=True)
class Column:
    """What a file says of how the values of a column are written."""

    physical: str
    length: int
    """Bytes of each value of a type of fixed length."""
    definition: int
    repetition: int
    """The largest levels."""
    codec: int
    narrow: tuple[int, int] | None
    """The least and the largest number of a type of fewer bytes than are written; None of others."""


class Filled(Enum):
    """What writers fill the room with that is left in the last group of packed numbers."""

    ZEROS = auto()
    LAST_8 = auto()
    LAST_32 = auto()
    LAST_64 = auto()
    """What is packed so many numbers before."""
    BLOCK = auto()
    """As many groups as a block of 256 has, with what was packed there before."""


Made = frozenset[tuple[Way, Filled]]
"""Writers' ways to part numbers into runs, and to fill what is left."""


class Found(NamedTuple):
    """What a page of data has."""

    missing: int
    rows: int
    repetitions: list[int]
    definitions: list[int]
    """How many values have each level."""
    first_named: list[int]
    """The entries of the dictionary that values refer to, as they first do."""
    blocks: tuple[int, int] | None
    """Differences in a block, and its parts; None where values are not written by their differences."""
    made: tuple[Made, Made]
    """Writers' ways in which the runs of the page's levels are made, and those of its values."""
    width: int | None
    """Bits of each entry of the dictionary; None where none is named."""
    rest: int
    """Bytes of zero behind the values."""


def of_page(packed: bytes, header: dict[int, Any], column: Column) -> Found:
    """Decode a page of data.

    Raises:
        ValueError: If it holds anything that no value needs, or says otherwise of itself.
        IndexError: If it is cut off.
    """
    if header[1] == _SECOND:
        own = header[8]
        count, encoding, sizes = own[1], own[4], (own[6], own[5])
        levels, content = packed[: sum(sizes)], packed[sum(sizes) :]
        content = _unpacked(content, header[2] - len(levels), column.codec) if own.get(7, 1) else content
        repetitions, at, ways = _levels(levels, 0, sizes[0], column.repetition, count)
        definitions, at, more = _levels(levels, at, sizes[1], column.definition, count)
        _require(at == len(levels), "levels that say more than there are values")
        at = 0
    else:
        own, content, at = header[5], _unpacked(packed, header[2], column.codec), 0
        count, encoding = own[1], own[2]
        repetitions, at, ways = _levels(content, at, None, column.repetition, count)
        definitions, at, more = _levels(content, at, None, column.definition, count)
    present = int(np.count_nonzero(definitions == column.definition))
    named, of_values, rest = _values_of(content[at:], encoding, present, column)
    rows = int(np.count_nonzero(repetitions == 0))
    if header[1] == _SECOND:
        _require((own[2], own[3]) == (count - present, rows), "another number of rows")
    return Found(
        count - present,
        rows,
        np.bincount(repetitions, minlength=column.repetition + 1).tolist(),
        np.bincount(definitions, minlength=column.definition + 1).tolist(),
        _as_they_come(named),
        _block(content, at) if encoding in _BY_DIFFERENCES else None,
        (ways & more, of_values),
        content[at] if len(named) else None,
        rest,
    )


def _block(content: bytes, at: int) -> tuple[int, int]:
    """How many differences a block has, and how many parts."""
    size, at = _varint(content, at, len(content))
    return size, _varint(content, at, len(content))[0]


def _as_they_come(numbers: _Integers) -> list[int]:
    """The different ones of some numbers, in the order in which each is first there."""
    _, first = np.unique(numbers, return_index=True)
    return [int(each) for each in numbers[np.sort(first)]]


def of_dictionary(packed: bytes, header: dict[int, Any], column: Column) -> tuple[list[Any], int]:
    """Decode the page of a dictionary, and give its values in order, texts as bytes, numbers by their type, and bytes behind it.

    Raises:
        ValueError: If it holds anything that no value needs, or one value twice: rows could say something by which they name.
        IndexError: If it is cut off.
    """
    own = header[7]
    content = _unpacked(packed, header[2], column.codec)
    _require(own[2] in {_PLAIN, _OLD_DICTIONARY}, "a dictionary in a form that none has")
    if column.physical == "BYTE_ARRAY":
        texts, rest = _texts(content, own[1])
        _require(len(set(texts)) == own[1], "a dictionary that has a value twice")
        return list(texts), rest
    values, rest = _fixed(content, own[1], column)
    _require(len(np.unique(values)) == own[1], "a dictionary that has a value twice")
    listed = values.view(_NUMBERS[column.physical]) if column.physical in _NUMBERS else values
    return list(listed.tolist()), rest


def system_of(packed: bytes, codec: int) -> bytes:
    """What a stream says of how and on which system it was packed; empty where it says nothing."""
    return packed[len(_GZIP) : len(_GZIP) + 2] if _CODECS.get(codec) == "gzip" else b""


def _require(holds: bool, otherwise: str) -> None:
    if not holds:
        raise ValueError(otherwise)


def _require_end(content: bytes, at: int) -> int:
    """Tell that no value is read after a place, and that nothing lies there; give how many bytes of zero do."""
    rest = content[at:]
    _require(at <= len(content) and len(rest) in {0, _ROOM} and not any(rest), "something behind the last value")
    return len(rest)


def _unpacked(packed: bytes, size: int, codec: int) -> bytes:
    """What a page holds once unpacked; nothing may come along in the packed stream."""
    if codec == 0:
        _require(len(packed) == size, "another size")
        return packed
    if not packed and not size:
        return b""
    name = _CODECS.get(codec)
    _require(name is not None, "packed in a way that is not taken apart")
    if name == "gzip":
        stream = zlib.decompressobj(31)
        content = stream.decompress(packed, size + 1)
        _require(packed.startswith(_GZIP) and stream.eof and not stream.unused_data, "more than one stream")
        _require(len(content) == size, "another size")
        return content
    if name == "zstd":
        _one_frame(packed)
    import pyarrow as pa  # noqa: PLC0415  (slow to import, and needed for this format only)

    content = pa.Codec(name).decompress(packed, size, asbytes=True)
    _require(len(content) == size, "another size")
    return bytes(content)


def is_shorter_packed(content: bytes, size: int, codec: int) -> bool:
    """Tell whether values take less room packed than as they are, given as either.

    Args:
        content: The values as they lie in a page.
        size: How many bytes they have unpacked.
        codec: How the column is packed.
    """
    if len(content) != size or codec not in _CODECS:
        return len(content) < size
    import pyarrow as pa  # noqa: PLC0415  (slow to import, and needed for this format only)

    return len(pa.Codec(_CODECS[codec]).compress(content, asbytes=True)) < size


def _one_frame(packed: bytes) -> None:
    """Tell that a stream is one frame of zstd, whose blocks fill it."""
    form = packed[4]
    single, check = form >> 5 & 1, form >> 2 & 1
    _require(packed.startswith(_ZSTD) and not form & 0b11011, "no frame, or one with more than it needs")
    at = 5 + (not single) + (single, 2, 4, 8)[form >> 6]
    last, empty = False, False
    while not last:
        mark = int.from_bytes(packed[at : at + 3], "little")
        last, kind, size = bool(mark & 1), mark >> 1 & 3, mark >> 3
        _require(at + 3 <= len(packed) and kind < 3 and not empty, "a block of no kind")
        empty = size == 0
        at += 3 + (1 if kind == 1 else size)
    _require(at + 4 * check == len(packed), "more than one frame")


def _levels(content: bytes, at: int, size: int | None, most: int, count: int) -> tuple[npt.NDArray[np.int64], int, Made]:
    """The levels of a page's values, shape (count,), where they end, and the ways in which their runs are made."""
    if not most:
        _require(not size, "levels that no value has")
        return np.zeros(count, dtype=np.int64), at, _MADE_IN_ANY_WAY
    if size is None:
        (size,) = struct.unpack_from("<I", content, at)
        at += 4
    found, end, ways = _runs(content, at, at + size, most.bit_length(), count)
    _require(end == at + size, "more levels than values")
    _require(not count or int(found.max()) <= most, "a level that no value has")
    return found.astype(np.int64), end, ways


def _runs(content: bytes, at: int, end: int, width: int, count: int) -> tuple[_Integers, int, Made]:
    """Numbers in runs of one value and in groups of packed bits, shape (count,), where they end, and how runs are made."""
    parts, left, runs, before, filled = [_NOTHING], count, list[tuple[bool, int]](), _NOTHING, frozenset(Filled)
    _require(end <= len(content), "cut off")
    while left:
        mark, at = _varint(content, at, end)
        if mark & 1:
            here, size = min(left, 8 * (mark >> 1)), width * (mark >> 1)
            _require(8 * (mark >> 1) - here < _GROUPED and at + size <= end, "more groups than values")
            found = _bits(content[at : at + size], width)
            filled = filled & _fillings(found, here, before, mark >> 1)
            _require(bool(filled), "something behind the last value")
            before = found
            found = found[:here] if width else np.zeros(here, dtype=np.uint64)
        else:
            here, size = mark >> 1, (width + 7) // 8
            value = int.from_bytes(content[at : at + size], "little")
            _require(0 < here <= left and at + size <= end and value >> width == 0, "a run that is longer than its page")
            found = np.full(here, value, dtype=np.uint64)
        parts.append(found)
        runs.append((bool(mark & 1), here))
        at, left = at + size, left - here
    numbers = np.concatenate(parts)
    ways = _ways(numbers, runs)
    _require(bool(ways), "runs that no writer makes: their lengths could say something")
    return numbers, at, frozenset(product(ways, filled))


def _fillings(found: _Integers, count: int, before: _Integers, groups: int) -> frozenset[Filled]:
    """What may fill the room behind some packed numbers: some writers leave there what lay there before."""
    left = found[count:]
    ways = {Filled.BLOCK} if groups % (_GROUPED // _TIMES) == 0 and np.array_equal(left, before[count : len(found)]) else set()
    if groups == (count + _TIMES - 1) // _TIMES:
        ways |= {Filled.ZEROS} if not left.any() else set()
        ways |= {way for way, size in _LAST.items() if not len(left) or _same_as_before(found, count, size)}
    return frozenset(ways)


def _ways(numbers: _Integers, runs: Sequence[tuple[bool, int]]) -> frozenset[Way]:
    """The ways in which writers part numbers into these runs, each packed or not and with its length."""
    said, count = list(runs), len(numbers)
    if not count:
        return _ANY_WAY
    if said == [(False, count)]:
        # As below, without a look at each of many values that are all alike.
        fewest = {Way.ALIKE: 1, Way.GROUPS: 1, Way.GROUPS_TO_THE_END: _TIMES, Way.BLOCKS: _FEWEST_ALIKE}
        return frozenset(way for way, least in fewest.items() if count >= least)
    found = {Way.TOGETHER} if said == [(True, count)] else set[Way]()
    if len(said) == 1 and count > _MOST_GROUPS * _TIMES:
        return frozenset(found)
    given, longest = numbers.tolist(), max((size for is_packed, size in said if is_packed), default=0)
    groups = list(_in_groups(given))
    made = [(Way.GROUPS, groups[0]), (Way.GROUPS_TO_THE_END, groups[-1])]
    if longest <= _GROUPED:
        ends = [*(np.flatnonzero(np.diff(numbers)) + 1).tolist(), count]
        alike = [(False, end - begin) for begin, end in zip([0, *ends], ends, strict=False)]
        made += [(Way.ALIKE, alike), (Way.BLOCKS, _in_blocks(alike))]
    return frozenset(found | {way for way, each in made if each == said})


def _in_groups(given: Sequence[int]) -> Iterator[list[tuple[bool, int]]]:  # noqa: C901 - as the writers do it
    """Runs as Arrow and Java write them: eight values at a time, packed unless they are all alike, at most 63 groups together."""
    made: list[tuple[bool, int]] = []
    packed, waiting, repeated, last = 0, 0, 0, None

    def close() -> None:
        nonlocal packed
        if packed:
            made.append((True, packed))
            packed = 0

    for each in given:
        if each == last:
            repeated += 1
            if repeated > _TIMES:
                continue
        else:
            if repeated >= _TIMES:
                made.append((False, repeated))
            last, repeated = each, 1
        waiting += 1
        if waiting == _TIMES:
            if repeated >= _TIMES:
                close()
            else:
                packed, repeated = packed + _TIMES, 0
                if packed >= _MOST_GROUPS * _TIMES:
                    close()
            waiting = 0
    if repeated >= _TIMES:
        made.append((False, repeated))
        yield made
        return
    whole = list(made)
    if not packed and repeated == waiting:
        yield [*whole, *([(False, repeated)] if repeated else [])]
    packed += waiting
    close()
    yield made


def _in_blocks(alike: Sequence[tuple[bool, int]]) -> list[tuple[bool, int]]:
    """Runs as DuckDB writes them: of four alike or more, and what else comes in blocks of 256, packed."""
    made: list[tuple[bool, int]] = []
    packed = 0
    for _, length in alike:
        left = length
        if not packed and left >= _FEWEST_ALIKE:
            made.append((False, left))
            continue
        while left:
            if not packed and left >= _FEWEST_ALIKE:
                made.append((False, left))
                break
            here = min(left, _GROUPED - packed)
            packed, left = packed + here, left - here
            if packed == _GROUPED:
                made.append((True, packed))
                packed = 0
    return [*made, *([(True, packed)] if packed else [])]


_NOTHING: Final = np.zeros(0, dtype=np.uint64)
_ANY_WAY: Final = frozenset(Way)
_MADE_IN_ANY_WAY: Final = frozenset(product(Way, Filled))
_LAST: Final = {Filled.LAST_8: 8, Filled.LAST_32: 32, Filled.LAST_64: 64}
_TIMES: Final = 8
"""How often a value is there in turn at least for a run of it."""
_MOST_GROUPS: Final = 63
_FEWEST_ALIKE: Final = 4


def _same_as_before(found: _Integers, count: int, together: int) -> bool:
    return count >= together and bool((found[count:] == found[count - together : len(found) - together]).all())


def _bits(content: bytes, width: int) -> _Integers:
    """Numbers of some bits each, the lowest first."""
    if not width:
        return np.zeros(0, dtype=np.uint64)
    bits = np.unpackbits(np.frombuffer(content, np.uint8), bitorder="little")
    rows = bits[: len(bits) // width * width].reshape(-1, width).astype(np.uint64)
    return np.asarray((rows << np.arange(width, dtype=np.uint64)).sum(axis=1, dtype=np.uint64))


def _values_of(content: bytes, encoding: int, count: int, column: Column) -> tuple[_Integers, Made, int]:
    """Tell that a page holds its values alone.

    Give the entries of a dictionary that these are, none of other pages, the ways in which their runs are made, and how many
    bytes of zero follow.
    """
    rest = 0
    match encoding:
        case 0 if column.physical == "BYTE_ARRAY":
            _, rest = _texts(content, count)
        case 0:
            _, rest = _fixed(content, count, column)
        case 2 | 8:
            if count or content:
                named, end, ways = _runs(content, 1, len(content), content[0], count)
                return named, ways, _require_end(content, end)
        case 3 if column.physical == "BOOLEAN":
            (size,) = struct.unpack_from("<I", content, 0)
            _, end, ways = _runs(content, 4, 4 + size, 1, count)
            _require(end == 4 + size, "something behind the last value")
            return _NOTHING, ways, _require_end(content, end)
        case 5:
            found, end = _differences(content, 0, count)
            rest = _require_end(content, end)
            _require_narrow(found.astype(np.uint32) if column.physical == "INT32" else found, column)
        case 6:
            lengths, at = _differences(content, 0, count)
            _require(at + int(lengths.sum()) == len(content), "something behind the last value")
        case 7:
            rest = _suffixes(content, count)
        case 9:
            width = column.length or np.dtype(_FIXED[column.physical]).itemsize
            _require(len(content) == count * width, "something behind the last value")
            whole = np.frombuffer(content, np.uint8).reshape(width, count).T.tobytes()
            _fixed(whole, count, column)
        case _:
            raise ValueError("values in a form that is not taken apart")
    return _NOTHING, _MADE_IN_ANY_WAY, rest


def _fixed(content: bytes, count: int, column: Column) -> tuple[npt.NDArray[Any], int]:
    """Values of a type that takes the same room for each, shape (count,), and how many bytes follow."""
    if column.physical == "BOOLEAN":
        rest = _require_end(content, (count + 7) // 8)
        bits = _bits(content, 1)
        _require(not bits[count:].any(), "something behind the last value")
        return bits[:count], rest
    kind = _FIXED.get(column.physical, f"V{column.length}")
    size = count * np.dtype(kind).itemsize
    rest = _require_end(content, size)
    found = np.frombuffer(content[:size], kind)
    _require_narrow(found, column)
    return found, rest


def _require_narrow(values: npt.NDArray[Any], column: Column) -> None:
    """Tell that numbers are those of their type, which may have fewer bytes than are written."""
    if column.narrow is not None and len(values):
        signed = values.astype(np.uint32).view(np.int32)
        _require(column.narrow[0] <= int(signed.min()) and int(signed.max()) <= column.narrow[1], "a number beyond its type")


def _texts(content: bytes, count: int) -> tuple[Sequence[bytes], int]:
    """Values of any length, each after its length, and how many bytes follow."""
    found, at = [], 0
    for _ in range(count):
        end = at + 4 + int.from_bytes(content[at : at + 4], "little")
        found.append(content[at + 4 : end])
        at = end
    return found, _require_end(content, at)


def _differences(content: bytes, at: int, count: int) -> tuple[_Integers, int]:
    """Numbers by their differences, in blocks with the least of these, shape (count,), and where they end."""
    end = len(content)
    block, at = _varint(content, at, end)
    parts, at = _varint(content, at, end)
    total, at = _varint(content, at, end)
    first, at = _zigzag(content, at, end)
    _require(total == count and 0 < block <= _LARGEST_BLOCK and 0 < parts <= block and block % parts == 0, "another count")
    each, left, found = block // parts, count - 1, [np.array([first] if count else [], dtype=np.uint64)]
    while left > 0:
        least, at = _zigzag(content, at, end)
        widths, at = content[at : at + parts], at + parts
        lowest = None
        for width in widths:
            _require(width <= _PACKED and (left > 0 or not width), "a block that is longer than its values")
            if left > 0:
                here, size = min(left, each), each * width // 8
                _require(at + size <= end, "cut off")
                values = _bits(content[at : at + size], width) if width else np.zeros(each, dtype=np.uint64)
                _require(not values[here:].any(), "something behind the last value")
                most = int(values[:here].max())
                _require(most.bit_length() == width, "numbers that take more bits than they need")
                lowest = min(int(values[:here].min()), most if lowest is None else lowest)
                found.append(values[:here] + np.uint64(least))
                at, left = at + size, left - here
        _require(lowest == 0, "a least difference that none is")
    return np.cumsum(np.concatenate(found), dtype=np.uint64), at


def _suffixes(content: bytes, count: int) -> int:
    """Tell that texts lie there, each by how much of it is as the last one's beginning and by the rest; give how much follows."""
    shared, at = _differences(content, 0, count)
    _require(_block(content, at) == _block(content, 0), "two sizes of blocks")
    lengths, at = _differences(content, at, count)
    before = b""
    for alike, length in zip(shared.tolist(), lengths.tolist(), strict=True):
        rest = content[at : at + length]
        _require(alike <= len(before) and len(rest) == length, "cut off")
        _require(not rest[:1] or before[alike : alike + 1] != rest[:1], "a text that begins as the last one for longer")
        before, at = before[:alike] + rest, at + length
    return _require_end(content, at)


def _varint(content: bytes, at: int, end: int) -> tuple[int, int]:
    value = shift = 0
    while at < end and shift <= _PACKED:
        byte = content[at]
        value |= (byte & 127) << shift
        at, shift = at + 1, shift + 7
        if byte < 128:
            _require(byte > 0 or shift == 7, "a number that is longer than it has to be")
            return value, at
    raise ValueError("a number that is cut off")


def _zigzag(content: bytes, at: int, end: int) -> tuple[int, int]:
    """A number with a sign, as one of 64 bits without."""
    value, at = _varint(content, at, end)
    return ((value >> 1) ^ -(value & 1)) & (2**64 - 1), at
