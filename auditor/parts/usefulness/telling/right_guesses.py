"""What the attack on answers that the controller wrote down comes to: right guesses out of 100."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from auditor.pages.right_guesses import Attack, Group, Telling, of_advantage
from auditor.pages.words.rendered_evidence import ToldCheck
from auditor.parts.usefulness.judging import answers


def _on_answers(check: ToldCheck) -> Iterator[Attack]:
    """By the score that takes most into account."""
    found = check.derived_as(answers.MembershipDerived)
    if found is None or not found.scores:
        return
    best = found.scores.get("difference") or found.scores.get("confidence")
    yield Attack("answers", Group.ANSWERS, None if best is None else of_advantage(best.advantage, best.interval))


TELLING: Final = {answers.MEMBERSHIP.id: Telling(attacks=_on_answers)}
