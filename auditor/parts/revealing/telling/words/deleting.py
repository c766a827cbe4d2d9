"""What would show less in deletion games, as it is named in sentences and tables."""

from __future__ import annotations

from typing import Final

from auditor.pages.words.kinds import Given
from auditor.pages.words.lists import listed
from auditor.pages.words.texts import Named, say

REMEDIES: Final = Named("inference-remedy-")
"""What each remedy that was measured goes by."""


def remedies(given: Given) -> str:
    """Name the remedies that were measured to be enough."""
    return say("inference-remedies", remedies=listed((REMEDIES[each] for each in given.words("remedies")), "common-or"))
