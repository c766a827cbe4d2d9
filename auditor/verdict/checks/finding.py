"""What a judge hands back: values, named reasons, facts and certificates; no prose."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypeAlias

from pydantic import BaseModel, ConfigDict

from auditor.base.domain import Certificate, Fact, Interval, Message, Status


class Values(BaseModel):
    """Typed values of one check: what a run observed, or what its judge derived. JSON holds them as they stand."""

    # Of many such models one document uses a few.
    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False, defer_build=True)


class Nothing(Values):
    """What a run adds where the check reads the declared context alone."""


@dataclass(frozen=True, slots=True)
class Finding:
    """What became of one check."""

    status: Status
    value: float | None = None
    interval: Interval | None = None
    threshold: float | None = None
    reasons: tuple[Message, ...] = ()
    """How the value came about, or why there is none."""
    derived: Values | None = None
    """What the judge worked out of what was observed; None where there is nothing more to say."""
    facts: tuple[Fact, ...] = ()
    certificates: tuple[Certificate, ...] = ()
    observed: Values | None = None
    """What the run observed for the check, where a later judge reads it; judges leave it out."""


Earlier: TypeAlias = Mapping[str, Finding]
"""The findings of the checks that a card names under `needs`, by id."""


def skipped(*reasons: Message, facts: tuple[Fact, ...] = ()) -> Finding:
    """A check that did not run or does not apply, and why."""
    return Finding(Status.SKIPPED, reasons=reasons, facts=facts)


def inconclusive(*reasons: Message) -> Finding:
    """A check that came to no value, and why."""
    return Finding(Status.INCONCLUSIVE, reasons=reasons)
