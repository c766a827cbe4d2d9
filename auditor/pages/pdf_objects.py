"""Objects of a PDF whose bytes are made once, where the layout engine makes them twice: to write them, and to digest them."""

from __future__ import annotations

import zlib
from functools import cached_property
from typing import Any, Final

_LEVEL: Final = 6
"""How hard streams are compressed; the engine's own 9 takes three times as long for a fiftieth of the bytes."""


def made_once(pdf: Any) -> None:
    """Keep the bytes of each object once they are made; nothing is added to any more."""
    import pydyf  # noqa: PLC0415 - of the engine

    kept = {kind: _kept(kind, pydyf.Stream) for kind in {type(each) for each in pdf.objects} if _has_bytes(kind, pydyf)}
    for each in pdf.objects:
        each.__class__ = kept.get(type(each), type(each))
    write = pdf.write

    def written(*where: Any) -> None:
        # What is no stream is written as one, which the engine makes while it writes.
        plain, pydyf.Stream = pydyf.Stream, kept.get(pydyf.Stream, pydyf.Stream)
        try:
            write(*where)
        finally:
            pydyf.Stream = plain

    pdf.write = written


def _has_bytes(kind: type, pydyf: Any) -> bool:
    return issubclass(kind, (pydyf.Stream, pydyf.Dictionary, pydyf.Array))


def _kept(kind: Any, streams: Any) -> Any:
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

    return Compressed if issubclass(kind, streams) else Kept


def _bytes(item: Any) -> bytes:
    return item if isinstance(item, bytes) else item.encode("ascii") if isinstance(item, str) else item.data
