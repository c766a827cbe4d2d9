"""Sentences of `release.remembers`."""

from __future__ import annotations

from typing import Final

from auditor.pages.words.kinds import Given, Sentences
from auditor.pages.words.lists import both
from auditor.pages.words.texts import Named, say

_SOURCES: Final = Named("remembers-source-")
_ATTACKS: Final = Named("remembers-attack-")
_NEAR: Final = Named("remembers-near-")
_PARTS: Final = Named("remembers-part-")


def _most(given: Given) -> str:
    names = {
        "attack": _ATTACKS[given.word("attack")],
        "near": _NEAR[given.word("neighbourhood")],
        "part": _PARTS[given.word("part")],
    }
    return say("remembers-most", **{**given, **names})


def _left_out(given: Given) -> str:
    return say("remembers-left-out", names=both([_NEAR[each] for each in given.words("neighbourhoods")]))


def _pool(given: Given) -> str:
    return say(
        "remembers-pool",
        **{**given, "whose": _SOURCES[given.word("source")], "all": given.number("asked") >= given.number("deleted")},
    )


SENTENCES: Final[Sentences] = {
    "release.remembers.pool": _pool,
    "release.remembers.most": _most,
    "release.remembers.left-out": _left_out,
}
