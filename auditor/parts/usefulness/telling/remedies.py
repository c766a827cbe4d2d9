"""Remedies of answers that the controller wrote down: retrain, or give the tables that would decide."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from auditor.pages import wording
from auditor.pages.remedies.advice import Advice, Owner, Subject, Tell, executed
from auditor.pages.words.texts import text

_MISSING: Final = (("retrained", "answers.not-retrained"), ("before", "answers.no-control"), ("procedure", "answers.wide"))
"""What would decide, by the reason that says so."""


def membership(about: Subject) -> Iterator[Advice]:
    """Retrain where the answers know deleted records; otherwise give what is missing."""
    if about.fails:
        found = text("remedy-answers-found", value=wording.number(about.check.value))
        yield Advice(found, text("remedy-answers"), Owner.MODEL, requests=executed(about.told), tell=Tell.MODEL)
        return
    missing = [text(f"remedy-answers-{name}") for name, code in _MISSING if code in about.given]
    action = " ".join(missing) or text("remedy-answers-procedure")
    yield Advice(text("remedy-answers-open-found"), action, Owner.MODEL, requests=executed(about.told), tell=Tell.OPEN)
