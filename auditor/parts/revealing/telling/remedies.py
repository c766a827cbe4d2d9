"""Remedies of the deletion games: show less of a deletion, by what the audit measured to be enough."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from auditor.pages import wording
from auditor.pages.remedies.advice import Advice, Owner, Remedies, Subject, Tell, executed
from auditor.pages.words import guesses
from auditor.pages.words.texts import text
from auditor.parts.revealing.judging.inference import judging as inference_judging
from auditor.parts.revealing.judging.reconstruction import judging as reconstruction_judging
from auditor.parts.revealing.telling import deletion_games, reconstructions

_MORE: Final = 4
"""Times as many games halve an interval."""


def inference(about: Subject) -> Iterator[Advice]:
    """Do what was measured to be enough, or let nobody see both models; where it is open, what would settle it."""
    requests = executed(about.told)
    if "deleting.quick" in about.given:
        yield Advice(text("remedy-quick-found"), text("remedy-quick"), Owner.AUDIT, requests=requests, tell=Tell.SEEN)
        return
    if about.fails or "inference.log-above" in about.given:
        yield Advice(_found(about), _action(about), Owner.MODEL, requests=requests, tell=Tell.SEEN)
        return
    if "deleting.too-few" in about.given:
        yield Advice(wording.shown(about.check.basis), _more(about), Owner.AUDIT, requests=requests, tell=Tell.SEEN)
        return
    yield Advice(
        wording.shown(about.check.basis),
        text("remedy-as-the-reason-says", check=about.check.id),
        Owner.MODEL,
        requests=requests,
        tell=Tell.SEEN,
    )


def _found(about: Subject) -> str:
    best = max(deletion_games.decisive(about.check), key=lambda share: abs(share - guesses.GUESSING), default=None)
    if best is None:
        return wording.shown(about.check.basis)
    return text("remedy-games-found", right=guesses.about(best))


def _action(about: Subject) -> str:
    """Do what was measured to be enough, or let nobody see both models."""
    measured = reconstructions.measured(about.check)
    if not measured:
        return about.check.card.remedy
    if enough := [reconstructions.named(each) for each in measured if each.enough]:
        first, every = reconstructions.in_a_row(enough[:1]), reconstructions.in_a_row(enough)
        return text("remedy-games-enough", first=first, remedies=every, more=len(enough) - 1)
    return text("remedy-games-none")


def reconstruction(about: Subject) -> Iterator[Advice]:
    """Do what was measured to be enough, or let nobody see both models; where it is open, what would settle it."""
    requests, found = executed(about.told), wording.shown(about.check.basis)
    if about.fails:
        if about.check.value is not None:
            kind = about.check.id.rpartition(".")[2]
            found = text(f"remedy-rebuilt-{kind}", right=guesses.about(reconstructions.best(about.check)))
        yield Advice(found, _action(about), Owner.MODEL, requests=requests, tell=Tell.SEEN)
    elif "deleting.quick" in about.given:
        yield Advice(text("remedy-quick-found"), text("remedy-quick"), Owner.AUDIT, requests=requests, tell=Tell.SEEN)
    elif "deleting.too-few" in about.given:
        yield Advice(found, _more(about), Owner.AUDIT, requests=requests, tell=Tell.SEEN)
    else:
        yield Advice(
            found, text("remedy-as-the-reason-says", check=about.check.id), Owner.MODEL, requests=requests, tell=Tell.SEEN
        )


def _more(about: Subject) -> str:
    derived = about.check.derived
    played = derived.games if isinstance(derived, inference_judging.Derived | reconstruction_judging.Derived) else 0
    games = played or about.told.sizes.inference.games
    return text("remedy-games-more", games=str(_MORE * games))


def model_attacks(about: Subject) -> Iterator[Advice]:
    """Let fewer people see both models, or train with noise: what an attack on two releases asks for."""
    if about.fails:
        yield Advice(
            text("remedy-two-releases-found", value=wording.number(about.check.value)),
            text("remedy-two-releases"),
            Owner.MODEL,
            requests=executed(about.told),
            tell=Tell.MODEL,
        )


REMEDIES: Final[Remedies] = {
    "inference.example": inference,
    "inference.instance": inference,
    "inference.difference": model_attacks,
    "reconstruction.label": reconstruction,
    "reconstruction.instance": reconstruction,
    "reconstruction.sentence": reconstruction,
}
