"""What was made from the model in words: every page and letter says of its dates what this says."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from typing import Final

from auditor.document.conclusions import Descent, StatedDescendant
from auditor.pages.words.dates import dated
from auditor.pages.words.texts import text
from auditor.settings.lineage import Plan

_DAYS: Final[Mapping[Descent, str]] = {
    Descent.AFTER: "made_at",
    Descent.REMADE: "remade_at",
    Descent.RETIRED: "retired_at",
}


def said(made: StatedDescendant) -> str:
    """Say what the dates of a thing come to, in a sentence."""
    return sentence(made.descent, settled_on(made))


def sentence(descent: Descent, day: date | None) -> str:
    """Say the same, with the day that settles it; None where none does."""
    given = {} if day is None else {"day": dated(day)}
    return text(f"descent-{descent.value}", **given)


def sentences(descent: Descent, day: date | None, made_on: date | None, plan: Plan | None) -> str:
    """Say the same with what is planned, and of what is left to a plan when it was made."""
    if plan is None:
        return sentence(descent, day)
    made = text("descent-undated") if made_on is None else text("descent-made-on", on=dated(made_on))
    ahead = text(f"descent-plan-{'retired' if plan.retired else 'remade'}", on=dated(plan.on))
    return f"{made if descent is Descent.PLANNED else sentence(descent, day)} {ahead}"


def settled_on(made: StatedDescendant) -> date | None:
    """The day that settles a thing; None where it is open, or nothing was deleted."""
    key = _DAYS.get(made.descent)
    return None if key is None else getattr(made, key)
