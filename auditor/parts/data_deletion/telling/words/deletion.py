"""Sentences of `deletion.renyi` and `deletion.adaptive`."""

from __future__ import annotations

from typing import Final

from auditor.pages.words.kinds import Given, Sentence, Sentences
from auditor.pages.words.texts import Named, say

_REPLACEMENTS: Final = Named("deletion-replacement-")


def _premises(given: Given) -> str:
    return "; ".join(f"{each['name']}: {each['found']}" for each in given.rows("premises"))


def _of_premises(message: str) -> Sentence:
    """Says premises with what was found of each."""
    return lambda given: say(message, premises=_premises(given))


def _named(message: str) -> Sentence:
    """Says names."""
    return lambda given: say(message, names=", ".join(given.words("names")))


def _no_epsilon(given: Given) -> str:
    return say("deletion-no-epsilon-fix" if given["fix"] else "deletion-no-epsilon", **given)


def _found(given: Given) -> str:
    return say("deletion-not-shown", found="; ".join(given.words("found")))


def _same(given: Given) -> str:
    return say("deletion-same", runs=given["runs"], replacements=", ".join(given.words("replacements")))


def _replacement(given: Given) -> str:
    return _REPLACEMENTS[given.word("kind")]


def _seen(given: Given) -> str:
    return say(f"deletion-seen-{given.word('origin').replace(' ', '-')}", **given)


def _bound(given: Given) -> str:
    return "; ".join(say("deletion-bound", **each) for each in given.rows("checks"))


def _measured(given: Given) -> str:
    return "; ".join(say("deletion-measured", **each) for each in given.rows("checks"))


SENTENCES: Final[Sentences] = {
    "deletion.renyi.false": _premises,
    "deletion.renyi.fixes": lambda given: "; ".join(dict.fromkeys(given.words("fixes"))),
    "deletion.renyi.no-epsilon": _no_epsilon,
    "deletion.renyi.not-known": _of_premises("deletion-not-known"),
    "deletion.renyi.attested": _named("deletion-attested"),
    "deletion.renyi.false-measured": _of_premises("deletion-false-measured"),
    "deletion.renyi.not-shown": _found,
    "deletion.replacement": _replacement,
    "premise.release-independent.same": _same,
    "premise.seen-releases": _seen,
    "deletion.adaptive.false-premise": _named("deletion-adaptive-false-premise"),
    "deletion.adaptive.not-attested": _named("deletion-adaptive-not-attested"),
    "fact.deletion.bound": _bound,
    "fact.deletion.measured": _measured,
}
