"""The report of each golden evidence, rendered once for all tests of a run: a report takes seconds."""

from __future__ import annotations

import functools
import io
import json

import pytest
from pypdf import PageObject, PdfReader

import rechecks
from auditor.document.evidence import Evidence
from auditor.pages import render
from auditor.pages.words.rendered_evidence import Told, tell
from cases import once

SHOWN = ("digits-newton", "breast-cancer-noisy-gd", "group-deletion")
"""Those that every run of the tests renders: a log along a budget, the longest annex, and one that fails."""
SAMPLES = tuple(
    pytest.param(path.stem, marks=() if path.stem in SHOWN else pytest.mark.slow)
    for path in sorted(rechecks.LATEST.glob("*.json"))
)
"""Every golden evidence, for `pytest.mark.parametrize`; most are slow."""


@functools.cache
def told(name: str) -> Told:
    """What this version concludes from that evidence, with its words."""
    return tell(Evidence.model_validate_json(rechecks.derived(name)))


@functools.cache
def printed(name: str) -> bytes:
    """The report as PDF."""
    return once(f"{name}.golden.pdf", lambda: render.pdf(told(name)))


@functools.cache
def reader(name: str) -> PdfReader:
    """The report, opened."""
    return PdfReader(io.BytesIO(printed(name)))


@functools.cache
def read(name: str) -> tuple[tuple[str, tuple[float, ...]], ...]:
    """The text of each page, and the sizes of its letters in points: reading one takes a tenth of a second."""
    pages = once(f"{name}.golden.json", lambda: json.dumps([_read(page) for page in reader(name).pages]).encode())
    return tuple((text, tuple(sizes)) for text, sizes in json.loads(pages))


def _read(page: PageObject) -> tuple[str, list[float]]:
    sizes: set[float] = set()

    def visit(text: str, matrix: list[float], at: list[float], _font: object, size: float) -> None:
        if text.strip():
            sizes.add(round(abs(size * at[3] * matrix[3]), 2))

    return page.extract_text(visitor_text=visit), sorted(sizes)


def texts(name: str) -> tuple[str, ...]:
    """The text of each page."""
    return tuple(text for text, _ in read(name))


def smallest(name: str, *, annex: bool) -> float:
    """The size of the smallest letters before the technical annex, or in it."""
    return min(size for text, sizes in read(name) for size in sizes if is_annex(text) is annex)


def is_annex(text: str) -> bool:
    """Whether a page belongs to the technical annex, by its number."""
    return text.rstrip().rsplit(maxsplit=1)[-1].startswith("A")


def annex(name: str) -> tuple[PageObject, ...]:
    """The pages of the technical annex."""
    return tuple(page for page, text in zip(reader(name).pages, texts(name), strict=True) if is_annex(text))


def main_part(name: str) -> tuple[PageObject, ...]:
    """The pages before the technical annex."""
    return tuple(page for page, text in zip(reader(name).pages, texts(name), strict=True) if not is_annex(text))


def annex_texts(name: str) -> tuple[str, ...]:
    """The texts of the pages of the technical annex."""
    return tuple(text for text in texts(name) if is_annex(text))


def main_texts(name: str) -> tuple[str, ...]:
    """The texts of the pages before it."""
    return tuple(text for text in texts(name) if not is_annex(text))
