"""Sentences of `inference.difference`, `inference.example` and `inference.instance`."""

from __future__ import annotations

from typing import Final

from auditor.pages.words.kinds import Given, Sentence, Sentences
from auditor.pages.words.texts import Named, say
from auditor.parts.revealing.telling.words.deleting import remedies

ATTACKS: Final = Named("inference-attack-")
"""What each attack goes by."""


def _named(message: str) -> Sentence:
    """Says attacks."""
    return lambda given: say(message, attacks=", ".join(ATTACKS[each] for each in given.words("attacks")))


def _played(given: Given) -> str:
    return say("inference-played", **{**given, "attack": ATTACKS[given.word("attack")], "others": given.count("of") - 1})


def _ties(given: Given) -> str:
    return say("inference-ties", **{name: f"{100 * given.number(name):.1f}" for name in ("ties", "wins_or_ties")})


def _strongest(given: Given) -> str:
    return say("inference-strongest", attack=ATTACKS[given.word("attack")], success=f"{100 * given.number('success'):.1f}")


SENTENCES: Final[Sentences] = {
    "inference.played": _played,
    "inference.ties": _ties,
    "inference.strongest": _strongest,
    "inference.above": _named("inference-above"),
    "inference.reversed": _named("inference-reversed"),
    "inference.remedies": remedies,
}
