"""Which files of a place are read at once."""

from __future__ import annotations

from collections.abc import Iterator

from auditor.base.plain_files import opened
from auditor.case.places import Listed, Place
from auditor.parts.store.readers import HEAD, VECTOR_STORES, groups


def together(place: Place) -> Iterator[tuple[Listed, ...]]:
    """The files of a place, those at once that a reader takes together, as a folder of a vector store."""
    listed = {each.below: each for each in place.files}
    taken = [group for group in groups({name: _head(each) for name, each in listed.items()}, VECTOR_STORES) if len(group) > 1]
    yield from (tuple(listed[name] for name in group) for group in taken)
    inside = {name for group in taken for name in group}
    yield from ((each,) for each in place.files if each.below not in inside)


def _head(file: Listed) -> bytes:
    try:
        with opened(file.path) as stream:
            return stream.read(HEAD)
    except OSError:
        return b""
