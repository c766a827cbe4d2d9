"""Lay out in words what one person's extract says: a headline, dates, a table, and what is overleaf.

Pure: an `Extract` in, texts of the catalogue out. "Erased on" and "updated on" are said only where the audit confirms both parts:
what is stored, and what the model keeps. Elsewhere a date is what our log records.
"""

from __future__ import annotations

from dataclasses import dataclass

from auditor.pages.letters import dates, headline, overleaf, places, statements, table
from auditor.pages.letters.known import Known
from auditor.pages.letters.legal_remedies import LegalRemedies
from auditor.pages.letters.parts import Extract
from auditor.pages.letters.rows import Row
from auditor.pages.words.texts import text


@dataclass(frozen=True, slots=True)
class Page:
    """Everything that the template prints, but for names and addresses."""

    head: str
    tone: str
    mark: str
    short: str
    """What the audit concludes for this person, in a sentence; empty where nothing was carried out."""
    dates: tuple[str, ...]
    rows: tuple[Row, ...]
    rights: LegalRemedies
    statements: tuple[str, ...]
    stated: str
    """Whose word the statements are, as far as they are attested; empty where none is."""
    further: tuple[str, ...]
    """What else is attested that bears on this request."""
    further_by: str
    """Whose word that is."""
    number: tuple[str, ...]
    found: tuple[str, ...]
    """What the audit found of the model that should not be."""
    unsettled: tuple[str, ...]
    """What it tested and could not settle, as clauses."""
    contradictions: tuple[str, ...]
    topics: tuple[str, ...]
    limits: tuple[str, ...]
    places: tuple[str, ...]
    about: tuple[str, ...]
    goes_with: str
    """How the letter goes with the controller's reply."""
    file_seen: bool
    """Whether the audit saw anything of the model file: else no release is named."""


def page(letter: Extract) -> Page:
    """Say everything that an extract holds."""
    known = Known(letter)
    head, (tone, mark) = headline.head(known)
    return Page(
        head=head,
        tone=tone,
        mark=mark,
        short=headline.short(known),
        dates=tuple(dates.dates(known)),
        rows=tuple(table.rows(known)),
        rights=known.rights,
        statements=statements.statements(known),
        stated=statements.stated(known),
        further=statements.further_in_words(known),
        further_by=statements.further_by(known),
        number=tuple(overleaf.number(known)),
        found=tuple(overleaf.found(known)),
        unsettled=tuple(overleaf.unsettled(known)),
        contradictions=tuple(text(f"letter-finding-{code}") for code in known.contradictions),
        topics=overleaf.topics(known),
        limits=tuple(overleaf.limits(known)),
        places=tuple(places.places(known)),
        about=tuple(overleaf.about(known)),
        goes_with=overleaf.goes_with(known),
        file_seen=known.file_seen,
    )
