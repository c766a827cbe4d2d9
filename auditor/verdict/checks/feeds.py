"""Which check finds out which fact: what a premise of a theorem rests on, and where a controller reads how it came about."""

from __future__ import annotations

from collections.abc import Mapping

from auditor import __version__
from auditor.base.foreign_parts import PerParts
from auditor.verdict.checks import definitions


@PerParts
def fed_by(version: str = __version__) -> Mapping[str, tuple[str, ...]]:
    """List by fact the checks that can find it out, the first the most likely; a fact that only a word can give has none.

    Args:
        version: The version whose checks are meant.
    """
    cards = [each.card for each in definitions(version).values()]
    pairs = [(fact, card.id) for card in cards for fact in card.finds]
    pairs += [(fact, card.id) for card in cards for fact in card.may_find]
    return {fact: tuple(check_id for name, check_id in pairs if name == fact) for fact in dict(pairs)}
