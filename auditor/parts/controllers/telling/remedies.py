"""What to do about whole programs whose games and histories decide nothing; where they fail, the cards say it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from auditor.pages import wording
from auditor.pages.remedies.advice import Advice, Owner, Remedies, Subject
from auditor.pages.words.texts import text

_MORE: Final = 4
"""Times as many games halve an interval."""
_MOST: Final = 100_000
"""Games that a case may ask for."""
_BY_REASON: Final = {
    "quick": ("remedy-quick", Owner.AUDIT),
    "not-searched": ("remedy-program-not-searched", Owner.AUDIT),
    "short-seed": ("remedy-program-short-seed", Owner.MODEL),
    "fresh-open": ("remedy-program-same-seed", Owner.MODEL),
    "chance-open": ("remedy-program-seeded", Owner.MODEL),
    "few": ("remedy-program-more-games", Owner.AUDIT),
    "doubted": ("remedy-program-more-games", Owner.AUDIT),
    "foreign": ("remedy-program-counter", Owner.MODEL),
}
"""What settles it and who does, by the end of the reason's code; the first that holds."""


def program(about: Subject) -> Iterator[Advice]:
    """Change what the reason names: the program, the seed, or how much is played."""
    ends = {code.rpartition(".")[2] for code in about.given}
    for end, (message, owner) in _BY_REASON.items():
        if end in ends and (not about.fails or end == "short-seed"):
            yield Advice(wording.shown(about.check.basis), _said(about, message), owner)
            return


def _said(about: Subject, message: str) -> str:
    controller = about.told.evidence.controller
    if message != "remedy-program-more-games" or controller is None:
        return text(message)
    return text(message, games=str(min(_MOST, _MORE * controller.games)))


REMEDIES: Final[Remedies] = {
    "state.history_independent": program,
    "control.game": program,
    "confidentiality.game": program,
    "privacy.continual": program,
}
