"""Sentences on what a deletion reveals."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from auditor.pages.words.kinds import Given, Sentence, Sentences
from auditor.pages.words.lists import listed
from auditor.pages.words.texts import Named, say

# What would show less in deletion games, as it is named in sentences and tables.
REMEDIES: Final = Named("inference-remedy-")
"""What each remedy that was measured goes by."""


def remedies(given: Given) -> str:
    """Name the remedies that were measured to be enough."""
    return say("inference-remedies", remedies=listed((REMEDIES[each] for each in given.words("remedies")), "common-or"))


# Sentences of `inference.difference`, `inference.example` and `inference.instance`.
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


def _by_attack(name: str) -> Callable[[Given], str]:
    """A sentence on how often one attack was right."""

    def told(given: Given) -> str:
        return say(name, **{**given, "attack": ATTACKS[given.word("attack")], "success": f"{100 * given.number('success'):.1f}"})

    return told


REBUILDING: Final = Named("rebuilding-attack-")
"""What each attack goes by."""


def _share(value: float) -> str:
    return f"{100 * value:.1f} %"


def _shares(message: str, *names: str) -> Sentence:
    """Says shares in percent."""
    return lambda given: say(
        message, **{**given, **{name: None if given[name] is None else _share(given.number(name)) for name in names}}
    )


def _rebuilt(given: Given) -> str:
    named = {
        "attack": REBUILDING[given.word("attack")],
        "chance": _share(given.number("chance")),
        "others": given.count("of") - 1,
    }
    return say("rebuilding-played", **{**given, **named})


def _strongest_rebuilt(given: Given) -> str:
    return say("rebuilding-strongest", attack=REBUILDING[given.word("attack")], success=_share(given.number("success")))


def _above(given: Given) -> str:
    return say("rebuilding-above", attacks=", ".join(REBUILDING[each] for each in given.words("attacks")))


def _alike(given: Given) -> str:
    bits = given["route"] == "region"
    alike = _share(given.number("alike")) if bits else f"{given.number('alike'):.3f}"
    return say("rebuilding-alike-bits" if bits else "rebuilding-alike", **{**given, "alike": alike})


SENTENCES: Final[Sentences] = {
    "inference.played": _played,
    "inference.ties": _ties,
    "inference.strongest": _strongest,
    "inference.own": _by_attack("inference-own"),
    "inference.refuted-own": _by_attack("inference-refuted-own"),
    "inference.above": _named("inference-above"),
    "inference.above-own": _named("inference-above-own"),
    "inference.reversed": _named("inference-reversed"),
    "inference.remedies": remedies,
    "reconstruction.played": _rebuilt,
    "reconstruction.ties": _shares("rebuilding-ties", "ties"),
    "reconstruction.strongest": _strongest_rebuilt,
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
