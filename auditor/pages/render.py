"""HTML, PDF and JSON from one evidence document."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import datetime
from typing import Final

from auditor.base.errors import ReportError
from auditor.document import evidence as documents
from auditor.document.evidence import Evidence
from auditor.pages import annex, attachments, pages, templating
from auditor.pages.figures.chart import declared
from auditor.pages.words.rendered_evidence import Told
from auditor.verdict.reliance import refuse_contradiction

EVIDENCE: Final = "evidence.json"
_TABLES: Final = re.compile(r'<table class="[^"]*\b(?:wide|compact)\b[^"]*">.*?</table>', re.DOTALL)
"""Tables that a narrow screen has no room for; none holds another."""


def html(evidence: Told, *, signed_by: str | None = None, date: datetime | None = None, whole: bool = True) -> str:
    """The report as one self-contained HTML page for the screen: no script, no link to anything outside.

    Args:
        evidence: What the page renders.
        signed_by: The id of the key that signs these very bytes in statement.dsse.json; None where nothing does, and the page
            says UNSIGNED.
        date: What the page says of its own writing; `pages.dated` if left out.
        whole: Whether the technical annex follows the main part; the title says so where it does not.

    Raises:
        ReportError: If the verdict contradicts the checks.
    """
    files = carried(evidence)
    page = _fill(evidence, files, medium="screen", signed_by=signed_by, date=_date(evidence, date), whole=whole)
    return _scrolling(page)


def pdf(evidence: Told, *, signed_by: str | None = None, date: datetime | None = None, whole: bool = True) -> bytes:
    """The report as a PDF that targets PDF/A-3a and carries evidence.json and its long tables; equal evidence gives equal bytes.

    Args:
        evidence: What the pages render.
        signed_by: See `html`.
        date: See `html`.
        whole: See `html`.

    Raises:
        ReportError: If the verdict contradicts the checks, or the layout engine reports an error.
    """
    files = carried(evidence)
    written_at = _date(evidence, date)
    page = _fill(evidence, files, medium="print", signed_by=signed_by, date=written_at, whole=whole)
    embedded = [
        pages.Embedded(name, content, annex.file_words(name), "Data" if name == EVIDENCE else "Supplement")
        for name, content in files.items()
    ]
    return pages.lay_out(page, embedded, written_at)


def carried(evidence: Told) -> dict[str, bytes]:
    """The files that go with a report, by name: evidence.json first, then the tables that are too long for print."""
    return {EVIDENCE: evidence.content, **attachments.of(evidence.evidence)}


def _date(evidence: Told, date: datetime | None) -> datetime:
    return pages.dated(evidence.audit.finished_at) if date is None else date


def json_bytes(evidence: Evidence) -> bytes:
    """The evidence itself, as RFC 8785 canonical bytes: what is attached to the PDF and what its printed digest is over.

    Raises:
        ReportError: If the evidence holds something that has no canonical form, such as a number that is not finite.
    """
    try:
        return evidence.to_bytes()
    except ValueError as error:
        raise ReportError(f"the evidence has no canonical form: {error}") from error


def _scrolling(page: str) -> str:
    """Put what may be wider than a narrow screen where it scrolls by itself, by the keyboard too (WCAG 2.1.1).

    Texts from outside are escaped: a tag that begins here is one of ours.
    """
    page = _TABLES.sub(lambda found: f'<div class="scroll" tabindex="0">{found[0]}</div>', page)
    return page.replace("<figure>", '<figure tabindex="0">')


def _fill(evidence: Told, files: Mapping[str, bytes], *, medium: str, signed_by: str | None, date: datetime, whole: bool) -> str:
    refuse_contradiction(evidence.evidence)
    return (
        templating.environment()
        .get_template("report.html.j2")
        .render(
            evidence=evidence,
            medium=medium,
            signed_by=signed_by,
            digest=documents.digest(files[EVIDENCE]),
            attached=tuple(files),
            dated=date,
            whole=whole,
            palette=declared(),
        )
    )
