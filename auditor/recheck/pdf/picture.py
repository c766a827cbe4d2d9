"""Compares what two PDFs show: the text of each page, as a reader would copy it, and its picture at 60 dots an inch."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import zip_longest
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from pypdfium2 import PdfDocument

DOTS_PER_INCH: Final = 60
_POINTS: Final = 72
"""An inch."""
_FAINT: Final = 2
"""Of 255: a difference up to here is the rounding of an outline. More would let pale words be painted that an eye still sees."""
_LONGEST: Final = 60


def differences(found: bytes, expected: bytes) -> Iterator[str]:
    """Name the pages that show something else, and what.

    Args:
        found: A PDF that may come from anybody.
        expected: The PDF that was rendered for comparison.
    """
    from pypdfium2 import PdfDocument  # noqa: PLC0415

    one, two = PdfDocument(found), PdfDocument(expected)
    if len(one) != len(two):
        yield f"it shows {len(one)} pages, the evidence gives {len(two)}"
    for number in range(min(len(one), len(two))):
        yield from (f"page {number + 1}: {said}" for said in _page(one, two, number))


def _page(one: PdfDocument, two: PdfDocument, number: int) -> Iterator[str]:
    pages = one[number], two[number]
    sizes = [page.get_size() for page in pages]
    if any(abs(first - second) > 1 for first, second in zip(*sizes, strict=True)):
        # A page may ask for any size: nothing is drawn that is not as large as ours.
        yield "it has another size than the evidence gives"
        return
    said, given = (_lines(page) for page in pages)
    for line, other in zip_longest(said, given, fillvalue=""):
        if line != other:
            yield f"its text is “{_short(line)}”, the evidence gives “{_short(other)}”"
            break
    if _furthest(*(_drawn(page) for page in pages)) > _FAINT:
        yield "its picture is not the one that the evidence gives"


def _lines(page: Any) -> list[str]:
    text = page.get_textpage().get_text_range()
    return [" ".join(line.split()) for line in text.splitlines() if line.strip()]


def _drawn(page: Any) -> tuple[bytes, tuple[int, int]]:
    bitmap = page.render(scale=DOTS_PER_INCH / _POINTS)
    return bytes(bitmap.buffer), (bitmap.width, bitmap.height)


def _furthest(one: tuple[bytes, tuple[int, int]], two: tuple[bytes, tuple[int, int]]) -> int:
    """The largest difference of a dot in one colour, of 255."""
    if one == two:
        return 0
    if one[1] != two[1] or len(one[0]) != len(two[0]):
        return 255
    return max(abs(first - second) for first, second in zip(one[0], two[0], strict=True))


def _short(line: str) -> str:
    return line if len(line) <= _LONGEST else f"{line[: _LONGEST - 1]}…"
