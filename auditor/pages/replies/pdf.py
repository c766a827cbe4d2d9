"""Write a reply as a PDF, for reading it through: the file to edit is the Word document."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime

from auditor.pages import pages, templating
from auditor.pages.replies.page import Paragraph


def pdf(paragraphs: Iterable[Paragraph], *, title: str, date: datetime) -> bytes:
    """Lay out the paragraphs of a reply; equal replies give equal bytes.

    Args:
        paragraphs: What it says.
        title: For the properties of the file.
        date: What the file says of its own writing; in UTC.

    Raises:
        ReportError: If the layout engine reports an error.
    """
    return pages.lay_out(html(paragraphs, title=title, date=date), (), date)


def html(paragraphs: Iterable[Paragraph], *, title: str, date: datetime) -> str:
    """Fill the reply's template."""
    return templating.environment().get_template("reply.html.j2").render(paragraphs=tuple(paragraphs), title=title, dated=date)
