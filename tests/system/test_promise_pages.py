"""Promise and attacks in print for the samples with most to say: room, and every figure with its alternative text."""

from __future__ import annotations

from datetime import UTC, datetime
from io import BytesIO

import pypdf
import pytest

from auditor.pages import pages, promises, templating
from auditor.pages.words.texts import text
from golden_reports import told

FULLEST = ("digits-dp-extractor", "digits-mlp-dp")
"""Six unchecked statements each, and every attack of the trial."""
PAGE = """{% import "macros.html.j2" as show with context %}<!DOCTYPE html><html lang="en"><head><title>pages</title><style>
{% include "styles/shared.css" %}
{% include "styles/main.css" %}
{% include "styles/print.css" %}
</style></head><body data-head="head" data-foot="foot">
{% for evidence in every %}{% include "main/promise.html.j2" %}{% include "main/attacks.html.j2" %}{% endfor %}</body></html>"""


@pytest.fixture(scope="module")
def printed() -> pypdf.PdfReader:
    every = [told(name) for name in FULLEST]
    page = templating.environment().from_string(PAGE).render(every=every, evidence=every[0], medium="print", whole=False)
    attached = [pages.Embedded("x.json", b"{}", "nothing")]
    return pypdf.PdfReader(BytesIO(pages.lay_out(page, attached, datetime(2026, 1, 1, tzinfo=UTC))))


def test_each_fits_one_page(printed: pypdf.PdfReader) -> None:
    heads = [page.extract_text().splitlines()[2] for page in printed.pages]
    assert len(printed.pages) == 2 * len(FULLEST), heads


def test_every_figure_has_its_numbers_as_alternative_text(printed: pypdf.PdfReader) -> None:
    found = []
    for number in range(1, printed.trailer["/Size"]):
        element = printed.get_object(number)
        if isinstance(element, pypdf.generic.DictionaryObject) and element.get("/S") == "/Figure":
            found.append(str(element["/Alt"]))
    assert len(found) == len(FULLEST)
    assert sum("Naming the whole deleted set" in said for said in found) == 2


def test_a_copy_without_the_annex_says_that_the_curve_is_there(printed: pypdf.PdfReader) -> None:
    said = [" ".join(page.extract_text().split()) for page in printed.pages]
    assert sum(page.count(text("promise-curve-left-out")) for page in said) == sum(
        promises.is_drawn(told(name)) for name in FULLEST
    )
