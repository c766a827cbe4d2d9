"""Compares two PDFs in everything but the drawing: page tree, annotations, actions, bookmarks, names, tags and metadata.

The catalogue of one is walked side by side with that of the other. A key that only one of them has is a difference, so that
nothing needs to be known about what a PDF could hold: scripts, forms, layers and links are all found in this way. What a page
draws is compared by its picture; of the resources that it draws with only the vocabulary is compared here.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from pypdf import PdfReader

_DRAWN: Final = frozenset({"/Contents", "/Resources"})
"""Keys of a page that say what is drawn."""
_STORED: Final = frozenset({"/Length", "/Filter", "/DecodeParms"})
"""Keys of a stream that say how it is stored."""
_DATED: Final = frozenset({"/CreationDate", "/ModDate", "/Producer"})
"""Keys about the writing of a file: the date is compared on its own, the producer may be another version."""
_NAMED: Final = frozenset({"/Font", "/XObject", "/ExtGState", "/ColorSpace", "/Pattern", "/Shading", "/Properties", "/CharProcs"})
"""Dictionaries of resources whose keys are free names."""
_PER_CONTENT: Final = (b"/ActualText", b"/Alt", b"/OC")
"""What the operators of a page may say to others than the eye, or under a condition."""
_POINTS: Final = 0.5
"""How far two places on a page may lie apart, in 1/72 inch, and be the same."""
_METADATA_DATES: Final = re.compile(
    rb"<(xmp:CreateDate|xmp:ModifyDate|xmp:MetadataDate|pdf:Producer)>[^<]*</\1>|"
    rb"(xmp:CreateDate|xmp:ModifyDate|xmp:MetadataDate|pdf:Producer)=\"[^\"]*\""
)


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
    for number, pair in enumerate(pages, start=1):
        one, two = map(_operators, pair)
        differing = [name.decode() for name in _PER_CONTENT if one.count(name) != two.count(name)]
        if differing:
            yield f"page {number}: its content holds other {', '.join(differing)}"


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
        elif not _same(one, two):
            yield f"{path} is {_shown(one)}, the evidence gives {_shown(two)}"


def _with(there: bool) -> str:
    return "one with it" if there else "one without it"


def _compared(held: Any) -> set[str]:
    left = _STORED | _DATED | (_DRAWN if held.get("/Type") == "/Page" else frozenset())
    return {str(key) for key in held if key not in left}


def _streams(path: str, one: Any, two: Any) -> Iterator[str]:
    from pypdf.generic import StreamObject  # noqa: PLC0415

    if isinstance(one, StreamObject) != isinstance(two, StreamObject):
        yield f"{path} is another kind of object"
    elif isinstance(one, StreamObject):
        contents = (_METADATA_DATES.sub(b"", each.get_data()) for each in (one, two))
        if len(set(contents)) > 1:
            yield f"{path} has other content"


def _same(one: Any, two: Any) -> bool:
    numbers = isinstance(one, int | float) and isinstance(two, int | float)
    if numbers and not isinstance(one, bool) and not isinstance(two, bool):
        return abs(one - two) <= _POINTS if float in {*map(_kind, (one, two))} else bool(one == two)
    return type(one) is type(two) and bool(one == two)


def _kind(number: Any) -> type:
    return float if isinstance(number, float) else int


def _shown(value: Any) -> str:
    text = " ".join(str(value).split())
    return f"“{text[:60]}”" if text else "nothing"


def _vocabulary(reader: PdfReader) -> set[str]:
    return {word for page in reader.pages for word in _words(page.get("/Resources"))}


def _words(resources: Any) -> set[str]:
    """The keys of every dictionary that resources lead to, free names left aside."""
    from pypdf.generic import ArrayObject, DictionaryObject, IndirectObject  # noqa: PLC0415

    words: set[str] = set()
    seen: set[int] = set()
    waiting: list[tuple[Any, bool]] = [(resources, False)]
    while waiting:
        held, free = waiting.pop()
        if isinstance(held, IndirectObject):
            # The same dictionary may be reached as one of names and as another.
            if (held.idnum, free) in seen:  # type: ignore[comparison-overlap]
                continue
            seen.add((held.idnum, free))  # type: ignore[arg-type]
            held = held.get_object()
        if isinstance(held, DictionaryObject):
            if not free:
                words |= {str(key) for key in held}
            waiting += [(held.raw_get(key), not free and key in _NAMED) for key in held]
        elif isinstance(held, ArrayObject):
            waiting += [(each, False) for each in held]
    return words


def _operators(page: Any) -> bytes:
    content = page.get_contents()
    return b"" if content is None else bytes(content.get_data())
