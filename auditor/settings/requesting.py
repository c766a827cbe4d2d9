"""The table of an adaptive requester: who plays against the procedure, how much is shown, and how many games are played."""

from __future__ import annotations

import re
from typing import Annotated, Final

from pydantic import BeforeValidator, Field, model_validator

from auditor.settings.builtin import one_of
from auditor.settings.problems import show
from auditor.settings.values import Inside, Table, Text, wrong

REQUESTERS: Final = ("group-by-sign", "repeat-first-model")
"""Requesters that the auditor brings."""
_ENTRY: Final = re.compile(r"[^:]+\.py:(?P<name>[^:]+)")


def _entry(value: object) -> object:
    if isinstance(value, str):
        match = _ENTRY.fullmatch(value)
        if match is None or not match["name"].isidentifier():
            raise wrong('"file.py:ClassName"', show(value))
    return value


class RequesterTable(Table):
    """An adaptive requester (Chourasia and Shah 2023, Definition 2.6), and the game that it plays."""

    use: Annotated[str, one_of("use", REQUESTERS)] | None = None
    """One of ours by name."""
    entry: Annotated[Text, BeforeValidator(_entry)] | None = None
    """`file.py:ClassName` of the case's own, the file inside the case folder."""
    seen: Annotated[int, Field(ge=0, le=1000)] = 1
    """p: how many released models it is shown."""
    rounds: Annotated[int, Field(ge=1, le=1000)] = 2
    """The round in which the target is deleted; it asks for something in each round before."""
    games: Annotated[int, Field(ge=40, le=100_000)] = 200
    """Games in all: half of them in either world, and of those half to fit a rule and half to count."""
    confidence: Inside = 0.95
    """With which the limits on what the counts say hold jointly."""

    @property
    def foreign(self) -> bool:
        """Whether it is code from the case."""
        return self.entry is not None

    @model_validator(mode="after")
    def _keys_fit(self) -> RequesterTable:
        if (self.use is None) == (self.entry is None):
            names = ", ".join(REQUESTERS)
            raise wrong(f"either use ({names}) or entry (file.py:ClassName)", "neither" if self.use is None else "both")
        if self.seen > self.rounds:
            raise wrong(f"seen at most rounds ({self.rounds}), as later models are released too late", f"seen = {self.seen}")
        return self
