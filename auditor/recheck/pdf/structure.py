"""Compares two PDFs in everything but the drawing: page tree, annotations, actions, bookmarks, names, tags and metadata.

The catalogue of one is walked side by side with that of the other. A key that only one of them has is a difference, so that
nothing needs to be known about what a PDF could hold: scripts, forms, layers and links are all found in this way. What a page
draws is compared by its picture; of the resources that it draws with only the vocabulary is compared here.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from io import BytesIO
from itertools import pairwise
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from pypdf import PdfReader

_DRAWN: Final = frozenset({"/Contents", "/Resources"})
"""Keys of a page that say what is drawn."""
_STORED: Final = frozenset({"/Length", "/Filter", "/DecodeParms"})
"""Keys of a stream that say how it is stored."""
_PRODUCER: Final = re.compile(rb"WeasyPrint [0-9.]{1,12}")
"""The layout engine: another version of it may give the same pages."""
_NAMED: Final = frozenset({"/Font", "/XObject", "/ExtGState", "/ColorSpace", "/Pattern", "/Shading", "/Properties", "/CharProcs"})
"""Dictionaries of resources whose keys are free names."""
_FONT_NAMES: Final = frozenset({"/BaseFont", "/FontName", "/FontFamily", "/Name"})
_MARK: Final = re.compile(rb"<</MCID \d{1,9}>>")
"""The one dictionary that our operators hold: the number of a piece of text, which tags refer to by it."""
_TRAILER: Final = frozenset({"/Root", "/Info", "/ID", "/Size"})
_HEAD: Final = re.compile(rb"%PDF-\d\.\d\s+(%[^\r\n]{1,16}\s+)?")
"""What is before the first object: the version, and bytes that show that the file is no text."""
_SPACE: Final = re.compile(rb"\s*")
_STREAM: Final = re.compile(rb"stream\r?\n")
_BEGINS: Final = re.compile(rb"\s*\d+\s+\d+\s+obj")
_BLANK: Final = b"\0\t\n\f\r "
_ENDS: Final = re.compile(rb"endobj")
_CLOSES: Final = re.compile(rb"\s*endstream\s*endobj")
_TAIL: Final = re.compile(rb"\s*(xref[\s\dfn]*trailer\s*<<.*>>)?\s*startxref\s+\d+\s+%%EOF\s*", re.DOTALL)
_SIGNS: Final = re.compile(rb"\\.|[()%]", re.DOTALL)
"""What a string or a comment begins or ends with, and what an escape in a string takes from it."""
_PLACES: Final = re.compile(r"/(Rect|Dest|D|QuadPoints|BBox|[A-Z][a-z]+Box|Names)(\[\d+\])+$")
"""Where numbers are places on a page, at the end of a path."""
_POINTS: Final = 0.5
"""How far two places on a page may lie apart, in 1/72 inch, and be the same."""


def differences(found: PdfReader, expected: PdfReader) -> Iterator[str]:
    """Name the places in which two PDFs differ, drawing left aside."""
    if len(found.pages) != len(expected.pages):
        yield f"it has {len(found.pages)} pages, the evidence gives {len(expected.pages)}"
    pages = list(zip(found.pages, expected.pages, strict=False))
    # Pages first, so that what is found on them is called by their number.
    roots: list[tuple[str, Any, Any]] = [
        (f"page {number}", page.indirect_reference, other.indirect_reference)
        for number, (page, other) in enumerate(pages, start=1)
    ]
    roots.append(("catalogue", found.trailer.raw_get("/Root"), expected.trailer.raw_get("/Root")))
    roots.append(("metadata", found.trailer.get("/Info"), expected.trailer.get("/Info")))
    yield from _walked(roots)
    yield from _foreign(found, expected)
    for number, (page, other) in enumerate(pages, start=1):
        if _spoken(page) != _spoken(other):
            yield f"page {number}: its operators say something to others than the eye"
        held, given = (_drawable(each) for each in (page, other))
        if held > given:
            yield f"page {number}: it holds {held} things to draw with, the evidence gives {given}"


def _foreign(found: PdfReader, expected: PdfReader) -> Iterator[str]:
    """The first page that draws with something that no page of the other holds."""
    known = _vocabulary(expected)
    for number, page in enumerate(found.pages, start=1):
        foreign = sorted(_words(page.get("/Resources")) - known)
        if foreign:
            yield f"page {number}: it draws with {', '.join(foreign[:5])}, which no page of ours holds"
            return


def _walked(roots: list[tuple[str, Any, Any]]) -> Iterator[str]:
    from pypdf.generic import ArrayObject, DictionaryObject, IndirectObject  # noqa: PLC0415

    seen: set[tuple[int, int]] = set()
    waiting = roots[::-1]
    while waiting:
        path, one, two = waiting.pop()
        if isinstance(one, IndirectObject) and isinstance(two, IndirectObject):
            if (one.idnum, two.idnum) in seen:
                continue
            seen.add((one.idnum, two.idnum))
        one, two = (each.get_object() if isinstance(each, IndirectObject) else each for each in (one, two))
        if isinstance(one, DictionaryObject) and isinstance(two, DictionaryObject):
            keys, others = _compared(one), _compared(two)
            for key in sorted(keys ^ others):
                yield f"{path}{key} {'is there' if key in keys else 'is missing'}, the evidence gives {_with(key in others)}"
            waiting += [(f"{path}{key}", one.raw_get(key), two.raw_get(key)) for key in sorted(keys & others, reverse=True)]
            yield from _streams(path, one, two)
        elif isinstance(one, ArrayObject) and isinstance(two, ArrayObject):
            if len(one) != len(two):
                yield f"{path} has {len(one)} entries, the evidence gives {len(two)}"
            pairs = list(zip(range(len(one)), one, two, strict=False))
            waiting += [(f"{path}[{index}]", *values) for index, *values in reversed(pairs)]
        elif not _same(one, two, place=_PLACES.search(path) is not None):
            yield f"{path} is {_shown(one)}, the evidence gives {_shown(two)}"


def hidden(content: bytes, reader: PdfReader) -> Iterator[str]:
    """Name what a PDF holds and no reader is led to: some find it nevertheless, and anything can be kept there.

    Args:
        content: The bytes of the PDF.
        reader: The same, opened.
    """
    more = sorted({str(key) for key in reader.trailer} - _TRAILER)
    if more:
        yield f"its trailer holds {', '.join(more[:5])}, which the evidence does not give"
    left = _unreferenced(reader)
    if left:
        yield f"it holds {len(left)} objects that nothing refers to"
    if not _closed(content, reader):
        yield "it holds something outside its objects"
    if any(map(_commented, _written(content, reader))):
        yield "it holds a comment inside an object or its trailer"
    if not all(_is_one(each, reader) for each in _values(content, reader)):
        yield "it holds more than one value in an object"


def _listed(reader: PdfReader) -> dict[int, int]:
    """The number of every object that lies in the file by itself, by its place."""
    tables = [(table, reader.xref_free_entry.get(generation, {})) for generation, table in reader.xref.items()]
    return {place: number for table, free in tables for number, place in table.items() if number and not free.get(number)}


def _unreferenced(reader: PdfReader) -> set[int]:
    """The numbers of the objects that nothing leads to, apart from those that hold others or the table of all."""
    from pypdf.generic import ArrayObject, DictionaryObject, IndirectObject  # noqa: PLC0415

    seen: set[int] = set()
    waiting: list[Any] = [reader.trailer]
    while waiting:
        held = waiting.pop()
        if isinstance(held, IndirectObject):
            if held.idnum in seen:
                continue
            seen.add(held.idnum)
            held = held.get_object()
        if isinstance(held, DictionaryObject):
            waiting += [held.raw_get(key) for key in held]
        elif isinstance(held, ArrayObject):
            waiting += held
    listed = _listed(reader)
    own = {number for number, _ in reader.xref_objStm.values()} | {listed.get(reader._startxref, 0)}  # noqa: SLF001
    return {*listed.values(), *reader.xref_objStm} - seen - own


def _written(content: bytes, reader: PdfReader) -> Iterator[bytes]:
    """The bytes of every object, of a stream those before its content, of the objects that others hold, and of the trailer."""
    from pypdf.generic import IndirectObject, StreamObject  # noqa: PLC0415

    for place, number in _listed(reader).items():
        held: Any = reader.get_object(IndirectObject(number, 0, reader))
        end = (_STREAM if isinstance(held, StreamObject) else _ENDS).search(content, place)
        yield content[place : len(content) if end is None else end.start()]
    for number in {number for number, _ in reader.xref_objStm.values()}:
        holder: Any = reader.get_object(IndirectObject(number, 0, reader))
        yield holder.get_data()
    if content.startswith(b"xref", reader._startxref):  # noqa: SLF001
        yield content[reader._startxref : content.rfind(b"%%EOF")]  # noqa: SLF001


def _values(content: bytes, reader: PdfReader) -> Iterator[bytes]:
    """What stands for the value of each object: of a stream its dictionary, of objects that others hold all up to the next."""
    from pypdf.generic import IndirectObject, StreamObject  # noqa: PLC0415

    for place, number in _listed(reader).items():
        held: Any = reader.get_object(IndirectObject(number, 0, reader))
        end = (_STREAM if isinstance(held, StreamObject) else _ENDS).search(content, place)
        begun = _BEGINS.match(content, place)
        yield b"" if begun is None or end is None else content[begun.end() : end.start()]
    for number in {number for number, _ in reader.xref_objStm.values()}:
        holder: Any = reader.get_object(IndirectObject(number, 0, reader))
        data, first = holder.get_data(), int(holder["/First"])
        numbers = list(map(int, data[:first].split()))
        places = [*(first + each for each in numbers[1::2]), len(data)]
        yield from (data[begin:end] for begin, end in pairwise(places))
        if len(numbers) != 2 * int(holder["/N"]) or places[0] != first:
            yield b""


def _is_one(written: bytes, reader: PdfReader) -> bool:
    """Whether bytes are one value, and nothing follows it."""
    from pypdf.errors import PyPdfError  # noqa: PLC0415
    from pypdf.generic import read_object  # noqa: PLC0415

    stream = BytesIO(written.strip(_BLANK) + b"\n")
    try:
        read_object(stream, reader)
    except (PyPdfError, ValueError, IndexError, KeyError, TypeError, RecursionError):
        return False
    return not stream.read().strip(_BLANK)


def _commented(written: bytes) -> bool:
    """Whether something is written outside strings that every reader passes over."""
    depth = 0
    for sign in _SIGNS.finditer(written):
        depth += {b"(": 1, b")": -1}.get(sign.group(), 0)
        # Outside strings a backslash escapes nothing: no sign after one makes the depth greater than it is.
        if sign.group() == b"%" and depth <= 0:
            return True
    return False


def _closed(content: bytes, reader: PdfReader) -> bool:
    """Whether a PDF is its first lines, its objects one after another and its table of them, and nothing between these."""
    listed = _listed(reader)
    places = sorted({*listed, reader._startxref})  # noqa: SLF001
    ends = [_end(content, reader, place, listed.get(place, 0)) for place in places]
    gaps = zip([0, *ends], [*places, len(content)], [_HEAD, *[_SPACE] * (len(places) - 1), _TAIL], strict=True)
    return all(end is not None and form.fullmatch(content, end, following) for end, following, form in gaps)


def _end(content: bytes, reader: PdfReader, place: int, number: int) -> int | None:
    """Where the object at a place ends; None where it is not one."""
    from pypdf.generic import IndirectObject, StreamObject  # noqa: PLC0415

    if content.startswith(b"xref", place):
        return place
    held: Any = reader.get_object(IndirectObject(number, 0, reader)) if number else None
    begun = _STREAM.search(content, place) if isinstance(held, StreamObject) else None
    # How long a stream is, its reader knows: what looks like an end among its bytes is none.
    start = place if begun is None else begun.end() + len(held._data)  # noqa: SLF001
    end = (_ENDS if begun is None else _CLOSES).search(content, start)
    return None if end is None or (begun is not None and end.start() != start) else end.end()


def _with(there: bool) -> str:
    return "one with it" if there else "one without it"


def _compared(held: Any) -> set[str]:
    left = _STORED | (_DRAWN if held.get("/Type") == "/Page" else frozenset())
    return {str(key) for key in held if key not in left}


def _streams(path: str, one: Any, two: Any) -> Iterator[str]:
    from pypdf.generic import StreamObject  # noqa: PLC0415

    if isinstance(one, StreamObject) != isinstance(two, StreamObject):
        yield f"{path} is another kind of object"
    elif isinstance(one, StreamObject):
        contents = (_PRODUCER.sub(b"", each.get_data()) for each in (one, two))
        if len(set(contents)) > 1:
            yield f"{path} has other content"


def _same(one: Any, two: Any, *, place: bool) -> bool:
    numbers = isinstance(one, int | float) and isinstance(two, int | float)
    if numbers and not isinstance(one, bool) and not isinstance(two, bool):
        return abs(one - two) <= _POINTS if place and float in {*map(_kind, (one, two))} else bool(one == two)
    if isinstance(one, str) and isinstance(two, str) and _PRODUCER.fullmatch(one.encode("utf-8", "replace")):
        return _PRODUCER.fullmatch(two.encode("utf-8", "replace")) is not None
    return type(one) is type(two) and bool(one == two)


def _kind(number: Any) -> type:
    return float if isinstance(number, float) else int


def _shown(value: Any) -> str:
    text = " ".join(str(value).split())
    return f"“{text[:60]}”" if text else "nothing"


def _vocabulary(reader: PdfReader) -> set[str]:
    return {word for page in reader.pages for word in _words(page.get("/Resources"))}


def _words(resources: Any) -> set[str]:
    """The keys of every dictionary that resources lead to, and the names among its values; free names left aside."""
    from pypdf.generic import NameObject  # noqa: PLC0415

    words: set[str] = set()
    for key, free, held in _held(resources):
        if not free:
            words.add(key)
        if isinstance(held, NameObject) and key not in _FONT_NAMES:
            words.add(f"{key} {held}" if not free else str(held))
    return words


def _held(resources: Any) -> Iterator[tuple[str, bool, Any]]:
    """Everything that resources lead to, each with the key that it is under, and whether that is a free name."""
    from pypdf.generic import ArrayObject, DictionaryObject, IndirectObject  # noqa: PLC0415

    seen: set[tuple[int, bool]] = set()
    waiting: list[tuple[str, bool, Any]] = [("/Resources", False, resources)]
    while waiting:
        key, free, held = waiting.pop()
        names = not free and key in _NAMED
        if isinstance(held, IndirectObject):
            # The same dictionary may be reached as one of names and as another.
            if (held.idnum, names) in seen:
                continue
            seen.add((held.idnum, names))
            held = held.get_object()
        yield key, free, held
        if isinstance(held, DictionaryObject):
            waiting += [(str(each), names, held.raw_get(each)) for each in held]
        elif isinstance(held, ArrayObject):
            waiting += [(key, True, each) for each in held]


def _drawable(page: Any) -> int:
    """How many pictures, forms, fonts and tables the resources of a page hold, also those that it does not draw with."""
    from pypdf.generic import StreamObject  # noqa: PLC0415

    return sum(isinstance(held, StreamObject) for _, _, held in _held(page.get("/Resources")))


def _spoken(page: Any) -> int:
    """How many dictionaries the operators of a page hold, in its forms too, in addition to the numbers that tags refer to by."""
    from pypdf.generic import StreamObject  # noqa: PLC0415

    content = page.get_contents()
    drawn = [b"" if content is None else bytes(content.get_data())]
    for _, _, held in _held(page.get("/Resources")):
        if isinstance(held, StreamObject) and held.get("/Subtype") == "/Form":
            drawn.append(bytes(held.get_data()))
    return sum(_MARK.sub(b"", each).count(b"<<") for each in drawn)
