"""What each name under `[claims] attested` means, what rests on it; who attests, and what only silence keeps from being shown."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from auditor.base.domain import ClaimStatus, Guarantee, Provenance
from auditor.document.context import PolicyFacts
from auditor.document.evidence import Evidence
from auditor.pages.words.guarantees import STATEMENTS, TITLES
from auditor.pages.words.texts import say, text
from auditor.settings.attestations import ATTESTABLE, BACKUPS, DERIVATIONS, PEOPLE

_UNSAID: Final = "fact.not-attested"


@dataclass(frozen=True, slots=True)
class Word:
    """One thing that only the controller can know, in plain words."""

    name: str

    @property
    def means(self) -> str:
        """What is said by attesting it."""
        return text(f"attested-{self.name}-means")

    @property
    def otherwise(self) -> str:
        """What follows where it is false."""
        return text(f"attested-{self.name}-otherwise")


WORDS: Final[Mapping[str, Word]] = {name: Word(name) for name in ATTESTABLE}
"""By the name that `[claims] attested` takes, in the order in which a controller is asked."""


_DECLARED: Final[Mapping[str, Word]] = {each: Word(each) for each in (PEOPLE, DERIVATIONS, BACKUPS)}
"""What is said elsewhere than under `[claims] attested`."""


def statement(name: str) -> str:
    """Say what a premise states: an attested name, what is declared elsewhere, or a fact that has no name."""
    known = {**WORDS, **_DECLARED}
    return known[name].means if name in known else STATEMENTS[name]


def otherwise(name: str) -> str:
    """Say what follows where a premise is false."""
    known = {**WORDS, **_DECLARED}
    return known[name].otherwise if name in known else text("promise-statement-otherwise-other")


def attested(policy: PolicyFacts) -> str | None:
    """Say who attests what, and since when; None where nobody attests anything."""
    if not policy.attested:
        return None
    word = policy.attested[0]
    return say("attested-by", by=word.by, at=word.at, names=", ".join(each.name for each in policy.attested))


def unsaid(guarantee: Guarantee) -> tuple[str, ...]:
    """Name what would have to be attested for a guarantee that is not shown; nothing where something else is missing too."""
    if guarantee.status is not ClaimStatus.NOT_SHOWN:
        return ()
    for derivation in guarantee.derivation:
        missing = [each for each in derivation.premises if each.how in {Provenance.UNKNOWN, Provenance.REFUTED}]
        if missing and all(each.evidence.code == _UNSAID for each in missing):
            return tuple(dict.fromkeys(str(each.evidence.parameters["name"]) for each in missing))
    return ()


def needed(evidence: Evidence) -> Mapping[str, tuple[str, ...]]:
    """Name for each guarantee that only silence keeps from being supported what would have to be attested."""
    return {each.id: names for each in evidence.guarantees if each.id in TITLES and (names := unsaid(each))}
