"""States of requests in the words of ticket systems."""

from __future__ import annotations

from collections.abc import Mapping

from auditor.base.suggestions import plain
from auditor.case.log_values import STATES, SYNONYMS


def state_of(word: str, told: Mapping[str, str]) -> str:
    """Give the log's state for a word of an export.

    Args:
        word: As the export has it; case, blanks, hyphens and underscores count for nothing.
        told: Words that the user or the format explains, which go first.

    Raises:
        ValueError: With what was expected and what was found, if nobody knows the word.
    """
    plainly = plain(word)
    for known, state in told.items():
        if plain(known) == plainly:
            return state
    if plainly in SYNONYMS:
        return SYNONYMS[plainly]
    raise ValueError(f"a state that is known ({', '.join(STATES)}), or --state to explain it", f'"{word[:40]}"')
