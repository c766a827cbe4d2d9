"""The words on the pages of a PDF, for tests that ask what is said and not where; read by pdfium, which takes little time."""

from __future__ import annotations

import functools

import pypdfium2


@functools.lru_cache(maxsize=16)
def texts(pdf: bytes) -> tuple[str, ...]:
    """What each page says, its words apart by single spaces."""
    with pypdfium2.PdfDocument(pdf) as document:
        return tuple(" ".join(page.get_textpage().get_text_range().split()) for page in document)
