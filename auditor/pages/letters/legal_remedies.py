"""Where a person can complain, and whether to a court: by the law of their request, and never by what the case declares.

The sources: GDPR Articles 77 and 79; for the United Kingdom since 19 June 2026 sections 164A and 165 of the Data Protection Act
2018, which took the place of Article 77 (Data (Use and Access) Act 2025, section 103 and Schedule 10; SI 2026/82, regulation 3);
for California Civil Code 1798.199.45. Civil Code 1798.150(c) gives no private action for a deletion that was refused or late, so
no court is named there.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from typing import Final

from auditor.base.deletion_log.requests import Regime
from auditor.pages.words.texts import text

UK_COMPLAINTS_SINCE: Final = date(2026, 6, 19)
"""From this day on controllers in the United Kingdom have to take complaints themselves."""


OF_THE_CASE: Final = frozenset({Regime.EU})
"""Laws under which the authority depends on where the controller and the person are, so that the case has to name it."""


@dataclass(frozen=True, slots=True)
class LegalRemedies:
    """What a letter or a reply says of complaints and courts, in the order in which it says it."""

    complain: str
    """The sentence before the name of the authority."""
    authority: str | None
    """Name and address of the authority; None where the case did not give the one that only it knows."""
    further: tuple[str, ...]
    """Other ways."""
    contact: str
    """The sentence before the controller's own address."""


def legal_remedies(regime: Regime, on: date, authority: str | None) -> LegalRemedies:
    """Say where a person can turn to.

    Args:
        regime: The law of the request.
        on: The day of the audit that the letter is made from.
        authority: The supervisory authority that the case names, which counts under the laws of `OF_THE_CASE` alone.
    """
    match regime:
        case Regime.EU:
            name, named = "eu", authority
        case Regime.UK:
            name, named = "uk" if on >= UK_COMPLAINTS_SINCE else "uk-before", text("letter-authority-uk")
        case Regime.CCPA:
            name, named = "ccpa", text("letter-authority-ccpa")
    court, complain = regime is not Regime.CCPA, {"uk": "-uk", "ccpa": "-ccpa"}.get(name, "")
    return LegalRemedies(
        complain=text(f"letter-rights-complain{complain}"),
        authority=named,
        further=(text(f"letter-rights-{name}"),) if court else (),
        contact=text("letter-rights-contact" if name == "uk" else "letter-rights-first"),
    )
