"""Renders one document for one reader from evidence: the formats that each gets, and what the file is called."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, assert_never

from auditor.base.errors import UsageError
from auditor.base.foreign_parts import in_force

if TYPE_CHECKING:
    from auditor.pages.words.rendered_evidence import Told


class Format(StrEnum):
    """What `report` writes."""

    PDF = "pdf"
    HTML = "html"
    JSON = "json"
    JUNIT = "junit"
    SARIF = "sarif"
    MD = "md"
    CYCLONEDX = "cyclonedx"
    OSCAL = "oscal"


class Reader(StrEnum):
    """Whom `report` writes for."""

    OFFICER = "officer"
    REGULATOR = "regulator"
    CI = "ci"
    SUBJECT = "subject"


def formats(reader: Reader | None) -> tuple[Format, ...]:
    """List the formats that a reader is served in, the usual one first; none for a person, who is written a letter."""
    match reader:
        case None:
            return tuple(Format)
        case Reader.OFFICER | Reader.REGULATOR:
            return Format.PDF, Format.HTML
        case Reader.CI:
            return Format.MD, Format.JUNIT, Format.SARIF, Format.JSON, Format.CYCLONEDX, Format.OSCAL
        case Reader.SUBJECT:
            return ()
        case _:
            assert_never(reader)


def exported() -> tuple[str, ...]:
    """Name the formats that foreign parts in force write."""
    if not in_force():
        return ()
    from auditor.pages.taking_part import export_formats  # noqa: PLC0415 - only where a part is in force

    return tuple(export_formats())


def rendered(  # noqa: PLR0911 - one line a format
    document: Told, form: Format | str, *, whole: bool, everything: bool = False
) -> tuple[bytes, str]:
    """Render a document.

    Args:
        document: What it is rendered from.
        form: Of the document; of a foreign part in force by its name.
        whole: Whether the technical annex follows the main part, in formats that have one.
        everything: Whether Markdown lists the checks that decide nothing; the annex of other formats has them.

    Returns:
        Its bytes, and what its file is called next to the evidence.

    Raises:
        MissingExtraError: If a PDF is asked for, and what lays it out is not installed.
        ReportError: If it cannot be rendered.
    """
    from auditor.pages import cyclonedx, junit, markdown, oscal, render, sarif  # noqa: PLC0415 - only where something is rendered

    if not isinstance(form, Format):
        return _exported(document, form)
    main = "report" if whole else "report-main"
    match form:
        case Format.PDF:
            return render.pdf(document, whole=whole), f"{main}.pdf"
        case Format.HTML:
            return render.html(document, whole=whole).encode(), f"{main}.html"
        case Format.JSON:
            return document.content, "report.json"
        case Format.JUNIT:
            return junit.xml(document).encode(), "report.junit.xml"
        case Format.SARIF:
            return sarif.log(document).encode(), "report.sarif"
        case Format.MD:
            return markdown.summary(document, everything=everything).encode(), "report.md"
        case Format.CYCLONEDX:
            return cyclonedx.bom(document).encode(), "report.cdx.json"
        case Format.OSCAL:
            return oscal.results(document).encode(), "report.oscal.json"
        case _:
            assert_never(form)


def _exported(document: Told, form: str) -> tuple[bytes, str]:
    """A document in the format of a foreign part."""
    from auditor.pages.taking_part import export_formats  # noqa: PLC0415

    found = export_formats()[form]
    return found.write(document), found.file


def refuse_signed(path: Path) -> None:
    """Keep a document that is rendered again, and so unsigned, from taking the place of one that a statement covers.

    Raises:
        UsageError: If the file is there and a signed statement lies next to it.
    """
    from auditor.recheck import signing  # noqa: PLC0415

    statement = path.with_name(signing.STATEMENT_FILE)
    if path.exists() and statement.is_file() and path.name in {"report.pdf", "report.html"}:
        raise UsageError(f"report: {path} is signed by {statement.name} next to it; -o FILE writes elsewhere, check --sign signs")
