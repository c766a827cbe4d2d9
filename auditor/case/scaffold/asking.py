"""What a new case asks its controller to attest."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Mapping
from typing import Final

from auditor.pages.words import attestations
from auditor.settings.attestations import (
    CODE_CLEAN,
    HONEST,
    LINEAGE,
    LOG_COMPLETE,
    NOTHING_HELD,
    PREPROCESSING,
    REFUSALS,
    RELEASED,
    RESIDUAL,
    UNREAD,
)

WIDTH = 120
"""Columns of the questions in the blank case."""


_OF_EVERY_LOG: Final = frozenset(
    {
        LOG_COMPLETE,
        PREPROCESSING,
        "requests-fixed",
        "subjects-complete",
        "copies-are-others",
        UNREAD,
        NOTHING_HELD,
        REFUSALS,
        LINEAGE,
    }
)
"""What a case with a log and a procedure may be asked about, whichever it is."""


_OF_USE: Final[Mapping[str, frozenset[str]]] = {
    "certified-removal": frozenset({"seed-secret", RESIDUAL}),
    "estimator": frozenset({CODE_CLEAN, HONEST}),
}
"""What the procedures of new cases add to that."""


def asked(use: str, *, model: bool) -> tuple[str, ...]:
    """Name what the checks of a new case can ask its controller about, in the order in which a controller is asked.

    Args:
        use: The procedure that it declares.
        model: Whether it names the file about to be released.
    """
    names = {*_OF_EVERY_LOG, *_OF_USE[use], *(() if model else (RELEASED,))}
    return tuple(name for name in attestations.WORDS if name in names)


def questions(use: str, *, model: bool) -> Iterator[str]:
    """Ask about each thing that such a case may need attested: what it says, what follows where not, the name to uncomment.

    All other names are in the last line.
    """
    names = asked(use, model=model)
    for name in names:
        word = attestations.WORDS[name]
        for said in (word.means, f"If not: {word.otherwise[0].lower()}{word.otherwise[1:]}"):
            yield from textwrap.wrap(said, width=WIDTH, initial_indent="    # ", subsequent_indent="    #   ")
        yield f'    # "{name}",'
    others = ", ".join(name for name in attestations.WORDS if name not in names)
    yield f"    # Only other kinds of case ask for these (docs/cases.md#what-only-the-controller-can-know): {others}"
