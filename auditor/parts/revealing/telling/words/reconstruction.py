"""Sentences of `reconstruction.*`."""

from __future__ import annotations

from typing import Final

from auditor.pages.words.kinds import Given, Sentence, Sentences
from auditor.pages.words.texts import Named, say
from auditor.parts.revealing.telling.words.deleting import remedies

ATTACKS: Final = Named("rebuilding-attack-")
"""What each attack goes by."""


def _share(value: float) -> str:
    return f"{100 * value:.1f} %"


def _shares(message: str, *names: str) -> Sentence:
    """Says shares in percent."""
    return lambda given: say(
        message, **{**given, **{name: None if given[name] is None else _share(given.number(name)) for name in names}}
    )


def _played(given: Given) -> str:
    named = {"attack": ATTACKS[given.word("attack")], "chance": _share(given.number("chance")), "others": given.count("of") - 1}
    return say("rebuilding-played", **{**given, **named})


def _strongest(given: Given) -> str:
    return say("rebuilding-strongest", attack=ATTACKS[given.word("attack")], success=_share(given.number("success")))


def _above(given: Given) -> str:
    return say("rebuilding-above", attacks=", ".join(ATTACKS[each] for each in given.words("attacks")))


def _alike(given: Given) -> str:
    bits = given["route"] == "region"
    alike = _share(given.number("alike")) if bits else f"{given.number('alike'):.3f}"
    return say("rebuilding-alike-bits" if bits else "rebuilding-alike", **{**given, "alike": alike})


SENTENCES: Final[Sentences] = {
    "reconstruction.played": _played,
    "reconstruction.ties": _shares("rebuilding-ties", "ties"),
    "reconstruction.strongest": _strongest,
    "reconstruction.above": _above,
    "reconstruction.remedies": remedies,
    "reconstruction.label.rate": _shares("rebuilding-rate", "rate"),
    "reconstruction.label.distance": _shares("rebuilding-distance", "without", "left"),
    "reconstruction.instance.alike": _alike,
    "reconstruction.instance.without": _shares("rebuilding-without", "without", "alike"),
    "reconstruction.instance.named": _shares("rebuilding-named", "named", "without"),
    "reconstruction.instance.blank": _shares("rebuilding-blank", "blank"),
    "reconstruction.sentence.rebuilt": _shares("rebuilding-sentences", "rate"),
}
