"""A check as people read it, with everything that was observed and derived as one JSON object: what tests look values up in."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any

from auditor.pages import words
from auditor.pages.words.rendered_evidence import ToldCheck


@dataclass(frozen=True, slots=True)
class Detailed(ToldCheck):
    """The same check."""

    @property
    def details(self) -> dict[str, Any]:
        """What was observed by the names of its fields, then what was derived, which has the last word; reasons as sentences."""
        stated = [{} if each is None else each.model_dump(mode="json") for each in (self.observed, self.derived)]
        said: dict[str, Any] = words.said({**stated[0], **stated[1]})
        return said


def detailed(check: ToldCheck) -> Detailed:
    """The same check, whose values can be looked up."""
    return Detailed(**{each.name: getattr(check, each.name) for each in fields(ToldCheck)})
