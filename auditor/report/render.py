"""HTML, PDF and JSON from one evidence document.

The templates see the evidence and the pure functions of this room; nothing else. Every value
that they print passes `_printable` first, and is then escaped, so that no template can forget to do either.
"""

from __future__ import annotations

import functools
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from auditor import evidence as documents
from auditor import resources
from auditor.errors import ReportError
from auditor.evidence import Evidence
from auditor.report import epsilon_readings, figures, pages, plain, reference, swap_readings, swap_words, tables, wording


def html(evidence: Evidence) -> str:
    """The report as one self-contained HTML page for the screen: no script, no link to anything outside.

    Raises:
        ReportError: If the verdict contradicts the checks.
    """
    return _fill(evidence, medium="screen")


def pdf(evidence: Evidence) -> bytes:
    """The report as a PDF that targets PDF/A-3a, with evidence.json attached; equal evidence gives equal bytes.

    Raises:
        ReportError: If the verdict contradicts the checks, or the layout engine reports an error.
    """
    return pages.lay_out(_fill(evidence, medium="print"), json_bytes(evidence), pages.dated(evidence))


def json_bytes(evidence: Evidence) -> bytes:
    """The evidence itself, as RFC 8785 canonical bytes: what is attached to the PDF and what its printed digest is over.

    Raises:
        ReportError: If the evidence holds something that has no canonical form, such as a number that is not finite.
    """
    try:
        return evidence.to_bytes()
    except ValueError as error:
        raise ReportError(f"the evidence has no canonical form: {error}") from error


def _fill(evidence: Evidence, *, medium: str) -> str:
    plain.refuse_contradiction(evidence)
    written = json_bytes(evidence)
    evidence = Evidence.model_validate_json(written)  # what is read back prints as what was just found: same order, same numbers
    return (
        _templates()
        .get_template("report.html.j2")
        .render(
            evidence=evidence,
            medium=medium,
            digest=documents.digest(written),
            dated=pages.dated(evidence),
        )
    )


@functools.cache
def _templates() -> Environment:
    environment = Environment(
        loader=FileSystemLoader(resources.templates()),
        autoescape=True,
        undefined=StrictUndefined,
        finalize=_printable,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters.update(
        number=wording.number,
        interval=wording.interval,
        day=wording.day,
        moment=wording.moment,
        mark=wording.mark,
        word=wording.word,
        short=wording.short,
        in_words=tables.in_words,
    )
    environment.tests.update(has_run=wording.has_run)
    environment.globals.update(
        wording=wording,
        plain=plain,
        tables=tables,
        figures=figures,
        swap_words=swap_words,
        swap_readings=swap_readings,
        epsilon_readings=epsilon_readings,
        glossary=reference.GLOSSARY,
        crosswalk=reference.CROSSWALK,
    )
    return environment


def _printable(value: Any) -> Any:
    """What a template prints: text from outside is cleaned and folded, what a macro has put together stays as it is."""
    if isinstance(value, Markup) or not isinstance(value, str):
        return value
    return wording.shown(value)
