"""The letter for one person as a PDF: one to two pages, made from the extract alone, which it carries as `letter.json`."""

from __future__ import annotations

import re
import unicodedata
from datetime import datetime
from typing import Final

from auditor.base.errors import ReportError
from auditor.pages import letters, pages, templating
from auditor.pages.letters import Extract
from auditor.pages.letters.page import page
from auditor.pages.words.texts import text

ATTACHMENT: Final = "letter.json"
LONGEST_SLUG: Final = 40


def pdf(letter: Extract, *, signed_by: str | None = None, date: datetime | None = None) -> bytes:
    """The letter as a PDF that targets PDF/A-3a; equal extracts give equal bytes.

    Args:
        letter: What may be said to this person.
        signed_by: The short name of the key that signs this file; None where nothing does, and the foot says UNSIGNED.
        date: What the file says of its own writing; `pages.dated` if left out.

    Raises:
        ReportError: If the layout engine reports an error, or the extract has no canonical form.
    """
    written_at = pages.dated(letter.audit.finished_at) if date is None else date
    try:
        content = letter.to_bytes()
    except ValueError as error:
        raise ReportError(f"the letter has no canonical form: {error}") from error
    return pages.lay_out(
        html(letter, date=written_at, signed_by=signed_by),
        [pages.Embedded(ATTACHMENT, content, text("letter-attached"))],
        written_at,
    )


def html(letter: Extract, *, date: datetime, signed_by: str | None) -> str:
    """Fill the letter's template."""
    template = templating.environment().get_template("letter.html.j2")
    return template.render(letter=letter, page=page(letter), dated=date, signed_by=signed_by)


def file_name(request_id: str, subject: str | None = None) -> str:
    """A file name for the letter of a request, safe wherever the id comes from: its plain letters and a short digest.

    Two ids never share a name because they look alike: the digest is over the whole id, and over the person's pseudonym where the
    request is several people's.
    """
    plain = unicodedata.normalize("NFKD", request_id[: 10 * LONGEST_SLUG]).encode("ascii", "ignore").decode().lower()
    slug = re.sub(r"[^a-z0-9]+", "-", plain).strip("-")[:LONGEST_SLUG].strip("-")
    named = letters.mark(request_id, subject)
    return f"letter-{slug}-{named}.pdf" if slug else f"letter-{named}.pdf"
