"""What came of the attack on the release: found, not found or open, which is no number of guesses."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from auditor.base.domain import Status
from auditor.pages.right_guesses import Attack, Group, Telling
from auditor.pages.words.rendered_evidence import ToldCheck
from auditor.parts.release.judging import release_remembers


def _on_release(check: ToldCheck) -> Iterator[Attack]:
    if check.status is not Status.SKIPPED:
        yield Attack("release-remembers", Group.RELEASE, None, outcome=_outcome(check))


def _outcome(check: ToldCheck) -> str:
    """Name what came of it; weak where models that hold the records escape it."""
    found = check.derived_as(release_remembers.Derived)
    weak = found is not None and found.told < len(found.tried) and not release_remembers.rejected(found, check.value)
    return "weak" if check.status is Status.INCONCLUSIVE and weak else check.status.value


TELLING: Final = {release_remembers.CARD.id: Telling(attacks=_on_release)}
