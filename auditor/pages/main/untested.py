"""What was not tested: the area, why, and who could. Areas are few; the annex lists every check."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from auditor.base.domain import Status
from auditor.pages import plain, wording
from auditor.pages.main.box import having
from auditor.pages.words.texts import text
from auditor.pages.words.told import Told
from auditor.verdict.checks.card import Role

COMPARING: Final = (Role.ATTACKS_DIFFERENCE, Role.NAMES_DELETED)
"""Roles of checks that compare the model before a deletion with the one after it."""


@dataclass(frozen=True, slots=True)
class Area:
    """One thing that was not tested."""

    name: str
    why: str
    who: str


def areas(told: Told) -> tuple[Area, ...]:
    """Everything that was not tested, the weightiest first."""
    if not told.evidence.learns:
        return tuple(_of_program(told))
    return *_given(told), *_attacks(told), _area("outside")


def _of_program(told: Told) -> Iterator[Area]:
    """What a whole controller was not tried with."""
    if missing := plain.missing_checks(told):
        yield _area("missing", checks=", ".join(missing))
    yield _area("histories")
    yield _area("program")
    yield _area("useful")
    if told.audit.quick:
        yield _area("quick")
    yield _area("outside")


def _area(name: str, why: str = "", **given: str | int) -> Area:
    return Area(
        text(f"main-untested-{name}", **given),
        text(f"main-untested-{name}-{why or 'why'}", **given),
        text(f"main-untested-{name}-who"),
    )


def _given(told: Told) -> Iterator[Area]:
    """What the case or the run left out."""
    if missing := plain.missing_checks(told):
        yield _area("missing", checks=", ".join(missing))
    if told.case.model is None:
        yield _area(plain.no_model("model", told))
    elif told.case.model_part is not None:
        yield _area("part")
    if told.case.store is None:
        yield _area(plain.not_given("store", told))
    else:
        yield _area("disguised")
    if told.case.base:
        yield _area("base", folders=plain.base_folders(told))
    if waiting := sum(each.deleted_at is None and each.status == "open" for each in told.requests):
        yield _area("waiting", count=waiting)
    if told.policy.claims_not_examined:
        yield _area("claims", claims=", ".join(wording.shown(each) for each in told.policy.claims_not_examined))
    if told.audit.quick:
        yield _area("quick")


def _attacks(told: Told) -> Iterator[Area]:
    """Attacks that did not run, or that this version does not have."""
    exact = _ran(told, Role.EXACT) or not told.evidence.reruns
    if not exact and not _ran(told, Role.ATTACKS_RELEASE):
        yield _area("release")
    if not exact and not _ran(told, Role.ATTACKS_RECORDS):
        yield _area("game", "regression" if told.case.task == "regression" else "why")
    if not _ran(told, *COMPARING):
        yield _area("comparing", "why" if told.policy.settings.get("before_and_after") else "one-release")
    if not _ran(told, Role.REBUILDS):
        yield _area("rebuilding")
    if not _ran(told, Role.ACCURACY) and told.case.task == "classification":
        yield _area("accuracy")


def _ran(told: Told, *roles: Role) -> bool:
    """Whether a check that has one of the roles came to a result or tried to."""
    return any(check.status is not Status.SKIPPED or check.value is not None for check in having(told, *roles))
