"""Counterexamples of a whole controller as rows that can be printed: side by side, and where the states or the answers differ."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import zip_longest
from typing import NamedTuple

from auditor.document.evidence import Evidence
from auditor.pages.wording import clean
from auditor.parts.controllers.judging.history.independence import CARD
from auditor.parts.controllers.judging.history.judging import counts
from auditor.parts.controllers.judging.history.observed import Counterexample, Observed

_LONGEST = 40
"""Characters of a text that are printed."""


class Pair(NamedTuple):
    """Two histories that mean the same, operation by operation."""

    rows: tuple[tuple[str, str], ...]
    offset: int
    sizes: tuple[int, int]
    excerpts: tuple[str, str]
    answers: bool
    """Whether they are of the last answers, as the states are the same."""
    file: str
    """The file alongside the report that `auditor replay` plays."""


def pairs(evidence: Evidence) -> tuple[Pair, ...]:
    """The counterexamples that count, in the order of their files."""
    whole = evidence.controller
    observed = None if whole is None else evidence.check(CARD.id).observed
    tried = None if observed is None else Observed.model_validate(observed).tried
    if whole is None or tried is None:
        return ()
    found = (each for each in tried.counterexamples if counts(each, frozenset(whole.commuting)))
    return tuple(_pair(number, each) for number, each in enumerate(found, start=1))


def _pair(number: int, found: Counterexample) -> Pair:
    left, right = ([_said(row) for row in side] for side in (found.left, found.right))
    rows = tuple(zip_longest(left, right, fillvalue=""))
    return Pair(rows, found.offset, found.sizes, found.excerpts, found.answers, f"counterexample-{number}.json")


def _said(row: Sequence[str | None]) -> str:
    """An operation in one line. Its words are the auditor's, or what the controller's code returned."""
    return " ".join(_short(clean(each)) for each in row if each is not None)


def _short(text: str) -> str:
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}…"
