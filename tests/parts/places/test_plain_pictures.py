"""Pictures of one colour are explained, and nothing that could carry somebody passes as one of them."""

from __future__ import annotations

import struct
import zlib
from collections.abc import Callable, Sequence

import pytest

from auditor.parts.places.observing.alone import Alone
from auditor.parts.places.observing.plain_pictures import Picture, account, picture
from auditor.parts.store.judging.accounting import SPARE_EACH

NOBODY = Alone({}, {})
_CHANNELS = {0: 1, 2: 3, 4: 2, 6: 4}


def chunk(kind: bytes, held: bytes) -> bytes:
    return struct.pack(">I", len(held)) + kind + held + struct.pack(">I", zlib.crc32(kind + held))


def png(
    colour: bytes = b"\x80",
    *,
    size: tuple[int, int] = (1, 1),
    kind: int = 0,
    depth: int = 8,
    rows: Sequence[bytes] = (),
    stream: Callable[[bytes], bytes] = zlib.compress,
    between: bytes = b"",
    after: bytes = b"",
) -> bytes:
    """Write a picture; rows are those that a filter gives, each with its number first."""
    width, height = size
    pixels = b"".join(rows) or (b"\0" + colour * width) * height
    head = struct.pack(">IIBBBBB", width, height, depth, kind, 0, 0, 0)
    parts = chunk(b"IHDR", head) + between + chunk(b"IDAT", stream(pixels)) + chunk(b"IEND", b"")
    return b"\x89PNG\r\n\x1a\n" + parts + after


def small_window(pixels: bytes) -> bytes:
    """Pack as libpng does, which says how small a window the picture needs."""
    body = zlib.compress(pixels)[2:]
    first = 0x18
    second = next(each for each in range(0x80, 0xC0) if each & 32 == 0 and (first * 256 + each) % 31 == 0)
    return bytes([first, second]) + body


COLOURS = {0: b"\x80", 2: b"\x10\x20\x30", 4: b"\x80\xff", 6: b"\x10\x20\x30\xff"}


@pytest.mark.parametrize("kind", COLOURS)
@pytest.mark.parametrize("stream", [zlib.compress, lambda held: zlib.compress(held, 9), small_window])
def test_a_picture_of_one_colour_is_taken_apart(kind: int, stream: Callable[[bytes], bytes]) -> None:
    found = picture(png(COLOURS[kind], size=(5, 3), kind=kind, stream=stream))
    assert found is not None
    assert (found.width, found.height, found.colour) == (5, 3, COLOURS[kind])


def filtered(colour: bytes, width: int, numbers: Sequence[int]) -> list[bytes]:
    """Filter rows of one colour by the definition of the format, byte by byte."""
    step, rows, above = len(colour), [], bytes(len(colour) * width)
    for number in numbers:
        row, out = colour * width, bytearray()
        for at, value in enumerate(row):
            left, corner = (row[at - step], above[at - step]) if at >= step else (0, 0)
            estimate = left + above[at] - corner
            nearest = min((left, above[at], corner), key=lambda each: abs(estimate - each))
            out.append((value - (0, left, above[at], (left + above[at]) // 2, nearest)[number]) % 256)
        rows.append(bytes([number]) + bytes(out))
        above = row
    return rows


@pytest.mark.parametrize("first", range(5))
@pytest.mark.parametrize("rest", range(5))
def test_every_filter_is_known(first: int, rest: int) -> None:
    colour = b"\x91\x02\xfe"
    found = picture(png(kind=2, size=(4, 3), rows=filtered(colour, 4, (first, rest, rest))))
    assert found is not None
    assert found.colour == colour
    assert found.bits == Picture(4, 3, colour, usual=first == rest == 0).bits


OTHERS = {
    "two colours": png(size=(2, 1), rows=[b"\0\x80\x81"]),
    "a colour in the second row": png(size=(1, 2), rows=[b"\0\x80", b"\0\x81"]),
    "filters that differ from row to row": png(size=(2, 4), rows=filtered(b"\x80", 2, (0, 1, 2, 1))),
    "a filter that does not exist": png(rows=[b"\x05\x80"]),
    "text": png(between=chunk(b"tEXt", b"Comment\0Anna")),
    "a time": png(between=chunk(b"tIME", bytes(7))),
    "something behind its end": png(after=b"Anna"),
    "two streams": png(between=chunk(b"IDAT", zlib.compress(b"\0\x80"))),
    "blocks that no writer makes": png(stream=lambda held: b"\x78\x9c" + zlib.compress(held, 0)[2:]),
    "something behind the pixels": png(stream=lambda held: zlib.compress(held + b"Anna")),
    "something behind the stream": png(stream=lambda held: zlib.compress(held) + b"Anna"),
    "another sum": png()[:-16] + b"\0\0\0\0" + png()[-12:],
    "a palette": png(kind=3),
    "sixteen bits": png(b"\x80\x81", depth=16),
    "no pixels": png(size=(0, 1)),
    "another type of file": b"GIF89a" + png()[6:],
    "nothing": b"",
}


@pytest.mark.attempt("places")
@pytest.mark.parametrize("content", OTHERS.values(), ids=OTHERS)
def test_anything_else_is_no_such_picture(content: bytes) -> None:
    assert picture(content) is None


def test_the_same_picture_of_everybody_counts_once() -> None:
    found, bits = account({f"{at}.png": png() for at in range(300)}, NOBODY)
    assert len(found) == 300
    assert bits == Picture(1, 1, b"\x80", usual=True).bits < SPARE_EACH / 2


@pytest.mark.attempt("places")
@pytest.mark.parametrize("other", [png(b"\x81"), png(size=(2, 1)), png(stream=lambda held: zlib.compress(held, 9))])
def test_which_of_two_pictures_each_has_counts_a_bit_each(other: bytes) -> None:
    files = {f"{at}.png": (png(), other)[at % 3 == 0] for at in range(300)}
    found, bits = account(files, NOBODY)
    assert len(found) == 300
    assert bits >= 300


@pytest.mark.attempt("places")
def test_sizes_and_colours_count_by_what_they_could_say() -> None:
    files = {f"{at}.png": png(bytes([at]), size=(1 + at * 37 % 200, 1 + at * 91 % 200)) for at in range(3)}
    _, bits = account(files, NOBODY)
    assert bits > SPARE_EACH


@pytest.mark.attempt("places")
@pytest.mark.parametrize(
    "content", [png(size=(4711, 1)), png(size=(1, 4711)), png(b"\x0b\xad\xca\xfe", kind=6), png(b"\x00\x12\x67", kind=2)]
)
def test_a_value_of_a_deleted_person_is_free_in_none(content: bytes) -> None:
    alone = Alone({each: frozenset({"gone"}) for each in ("4711", "0badcafe")}, {})
    assert account({"a.png": content}, NOBODY)[0]
    assert account({"a.png": content}, alone)[0] == frozenset()
