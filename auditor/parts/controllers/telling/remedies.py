"""What to do about whole programs whose games and histories decide nothing; where they fail, the cards say it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
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

_OF_LEARNER: Final = {
    "learner.different": ("remedy-learner-different", Owner.MODEL),
    "learner.apart": ("remedy-learner-different", Owner.MODEL),
    "chance-open": ("remedy-learner-seeded", Owner.MODEL),
    "learner.seen": ("remedy-learner-seen", Owner.MODEL),
    "learner.not-attested": ("remedy-learner-not-attested", Owner.MODEL),
    "learner.unseen-model": ("remedy-learner-unseen-model", Owner.MODEL),
    "learner.moving": ("remedy-learner-moving", Owner.MODEL),
    "learner.elsewhere": ("remedy-learner-elsewhere", Owner.MODEL),
    "games.quick": ("remedy-quick", Owner.AUDIT),
}
"""The same of a learner that is played with one person and without."""
_WATCHED: Final = "remedy-learner-watched"


def confidential(about: Subject) -> Iterator[Advice]:
    """Change what the reason names: of a learner what it keeps or who is answered, of a program as in other games."""
    if "games.learner.played" not in about.given:
        yield from program(about)
        return
    for end, (message, owner) in _OF_LEARNER.items():
        found = next((given for code, given in about.given.items() if code.endswith(end)), None)
        if found is not None:
            words = {"word": str(found["word"])} if "word" in found else {}
            said = text(_WATCHED if _only_watched(found) else message, **words)
            yield Advice(wording.shown(about.check.basis), said, owner)
            return


def _only_watched(found: Mapping[str, object]) -> bool:
    """Whether nothing differs but what others were answered while the person was there, as after any retraining."""
    named = found.get("named")
    kinds = {kind for each in named for kind in each["kinds"]} if isinstance(named, list | tuple) else set()
    return kinds == {"answers-before"}


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
    "confidentiality.game": confidential,
    "privacy.continual": program,
}
