"""Sentences of `deletion.renyi` and `deletion.adaptive`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from auditor.pages.words.kinds import Sentence, Sentences
from auditor.pages.words.texts import Named, say

_REPLACEMENTS: Final = Named("deletion-replacement-")


def _premises(given: Mapping[str, Any]) -> str:
    return "; ".join(f"{each['name']}: {each['found']}" for each in given["premises"])


def _of_premises(message: str) -> Sentence:
    """Says premises with what was found of each."""
    return lambda given: say(message, premises=_premises(given))


def _named(message: str) -> Sentence:
    """Says names."""
    return lambda given: say(message, names=", ".join(given["names"]))


def _no_epsilon(given: Mapping[str, Any]) -> str:
    return say("deletion-no-epsilon-fix" if given["fix"] else "deletion-no-epsilon", **given)


def _found(given: Mapping[str, Any]) -> str:
    return say("deletion-not-shown", found="; ".join(given["found"]))


def _same(given: Mapping[str, Any]) -> str:
    return say("deletion-same", runs=given["runs"], replacements=", ".join(given["replacements"]))


def _replacement(given: Mapping[str, Any]) -> str:
    return _REPLACEMENTS[given["kind"]]


def _seen(given: Mapping[str, Any]) -> str:
    return say(f"deletion-seen-{given['origin'].replace(' ', '-')}", **given)


def _bound(given: Mapping[str, Any]) -> str:
    return "; ".join(say("deletion-bound", **each) for each in given["checks"])


def _measured(given: Mapping[str, Any]) -> str:
    return "; ".join(say("deletion-measured", **each) for each in given["checks"])


SENTENCES: Final[Sentences] = {
    "deletion.renyi.false": _premises,
    "deletion.renyi.fixes": lambda given: "; ".join(dict.fromkeys(given["fixes"])),
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
