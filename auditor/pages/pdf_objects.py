"""Objects of a PDF whose bytes are made once, where the layout engine makes them twice: to write them, and to digest them."""

from __future__ import annotations

import zlib
from functools import cached_property
from typing import Any, Final

_LEVEL: Final = 6
"""How hard streams are compressed; the engine's own 9 takes three times as long for a fiftieth of the bytes."""


def made_once(pdf: Any) -> None:
    """Keep the bytes of each object once they are made, of those too that the engine adds while it writes."""
    kept: dict[type, type] = {}
    add = pdf.add_object

    def keep(each: Any) -> None:
        kind = type(each)
        if kind not in kept:
            kept[kind] = _kept(kind)
        each.__class__ = kept[kind]

    def added(each: Any) -> None:
        keep(each)
        add(each)

    for each in pdf.objects:
        keep(each)
    pdf.add_object = added


def _kept(kind: Any) -> Any:
    from pydyf import Array, Dictionary, Stream  # noqa: PLC0415 - of the engine

    class Kept(kind):  # type: ignore[misc]
        """An object whose bytes stay as they are."""

        @cached_property
        def data(self) -> bytes:
            """Its bytes as they are written."""
            return bytes(super().data)

    class Compressed(kind):  # type: ignore[misc]
        """A stream."""

        stream: list[Any]
        compress: bool

        @cached_property
        def data(self) -> bytes:
            """Its bytes as they are written."""
            if self.compress:
                self.stream = [zlib.compress(b"\n".join(map(_bytes, self.stream)), _LEVEL)]
                self.extra["Filter"], self.compress = "/FlateDecode", False
            return bytes(super().data)

    return Compressed if issubclass(kind, Stream) else Kept if issubclass(kind, (Dictionary, Array)) else kind


def _bytes(item: Any) -> bytes:
    return item if isinstance(item, bytes) else item.encode("ascii") if isinstance(item, str) else item.data
