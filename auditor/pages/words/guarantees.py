"""What each guarantee says, in words: its title, and its statement with what it does not cover."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from typing import Final, TypeAlias

from auditor.base.domain import Guarantee
from auditor.base.parts import modules
from auditor.pages.words.guesses import at_most, hardness
from auditor.pages.words.texts import Named, either, text

STATEMENTS: Final = Named("fact-")


TITLES: Final = Named("guarantee-title-")
"""By the id of the guarantee."""
EXAMPLE: Final = 3
"""People together of whom a group statement gives its numbers."""

Statements: TypeAlias = Mapping[str, Callable[[Guarantee], str]]
"""What puts each guarantee in words, by its id."""


@cache
def _statements() -> Statements:
    """Collect what parts say of their guarantees."""
    return {name: state for module in modules("statements") for name, state in module.STATEMENTS.items()}


def statement(guarantee: Guarantee) -> str:
    """Say in plain words what the guarantee says, with what it does not cover.

    Raises:
        KeyError: If no part brings a guarantee of that id.
    """
    return _statements()[guarantee.id](guarantee)


def title(guarantee: Guarantee) -> str:
    """Name a guarantee by what it comes from, where that has a name of its own: training again is not called a removal."""
    rule = guarantee.derivation[0].rule if guarantee.derivation else ""
    return either(f"guarantee-by-{guarantee.id}-{rule}", TITLES[guarantee.id])


def brief(identity: str, named: str) -> str:
    """Say in a few plain words what a guarantee promises; one that is named by what it comes from needs no more.

    Args:
        identity: Its id.
        named: Its title.
    """
    return either(f"guarantee-brief-{identity}", named) if named == TITLES.get(identity) else f"{named[:1].lower()}{named[1:]}"


def right(share: float) -> str:
    """Say how often guessing is right, in the one unit, and how hard that makes it."""
    return text("guarantee-right", most=at_most(share), hard=hardness(share))
