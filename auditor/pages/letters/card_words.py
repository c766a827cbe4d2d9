"""What a letter says of a check, by its card."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from auditor.verdict.checks import definitions, with_role
from auditor.verdict.checks.card import LetterWords, Role

_NO_WORDS: Final = LetterWords("")


def of_role(role: Role, ids: Iterable[str]) -> set[str]:
    """Those of some checks that have a role."""
    return set(with_role(role)) & set(ids)


def words_of(check_id: str) -> LetterWords:
    """What a letter says of a check; nothing of one that this version does not know."""
    found = definitions().get(check_id)
    return _NO_WORDS if found is None or found.card.letter is None else found.card.letter


def sentences_of(ids: Iterable[str]) -> Iterator[str]:
    """What checks found, each thing once."""
    yield from dict.fromkeys(said for each in ids if (said := words_of(each).found))
