"""Sentences of `release.remembers`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from auditor.pages.words.kinds import Sentences
from auditor.pages.words.lists import both
from auditor.pages.words.texts import Named, say

_SOURCES: Final = Named("remembers-source-")
_ATTACKS: Final = Named("remembers-attack-")
_NEAR: Final = Named("remembers-near-")
_PARTS: Final = Named("remembers-part-")


def _most(given: Mapping[str, Any]) -> str:
    names = {"attack": _ATTACKS[given["attack"]], "near": _NEAR[given["neighbourhood"]], "part": _PARTS[given["part"]]}
    return say("remembers-most", **{**given, **names})


def _left_out(given: Mapping[str, Any]) -> str:
    return say("remembers-left-out", names=both([_NEAR[each] for each in given["neighbourhoods"]]))


def _pool(given: Mapping[str, Any]) -> str:
    return say("remembers-pool", **{**given, "whose": _SOURCES[given["source"]], "all": given["asked"] >= given["deleted"]})


SENTENCES: Final[Sentences] = {
    "release.remembers.pool": _pool,
    "release.remembers.most": _most,
    "release.remembers.left-out": _left_out,
}
