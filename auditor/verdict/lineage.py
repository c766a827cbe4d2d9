"""Judge what was made from the model by its dates: whether it may still depend on records that were deleted since.

A model that learned from this one, began with its weights or was fed with its output may hold what it held. So a thing is settled
only where it was made, from a source that is settled itself, *after* the day on which that source was replaced, or where it is
neither used nor kept. Days are compared and no times, so the same day settles nothing; a plan settles nothing either. All of it
is the controller's word: settled means that the dates leave no gap, and never that somebody examined the thing.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date

from auditor.base.deletion_log.requests import RequestOutcome
from auditor.document.conclusions import Descent, StatedDescendant
from auditor.document.context import CaseFacts
from auditor.document.evidence import Evidence
from auditor.settings.lineage import MODEL, Descendant
from auditor.verdict.checks.context import Context


@dataclass(frozen=True, slots=True)
class _Held:
    """What a thing holds, whether or not it is still there."""

    descent: Descent
    since: date | None = None
    """The day on which it was last made; None where it is open."""


def stated(context: Context) -> tuple[StatedDescendant, ...]:
    """Give what was declared, each thing with what its dates come to."""
    requests = context.requests if context.log.batches > 0 else ()
    return _stated(context.lineage, context.case, requests, context.audit.started_at.date())


def stated_to(evidence: Evidence, request: RequestOutcome) -> tuple[StatedDescendant, ...]:
    """Give the same for one request as if it were the only one: no other person's request moves what its letter says."""
    return _stated(evidence.lineage, evidence.case, (request,), evidence.audit.started_at.date())


def _stated(
    lineage: Sequence[Descendant], case: CaseFacts, requests: Iterable[RequestOutcome], today: date
) -> tuple[StatedDescendant, ...]:
    judge = _Judge(lineage, case, requests, today)
    fields = Descendant.model_fields
    return tuple(StatedDescendant(**{key: getattr(each, key) for key in fields}, descent=judge.of(each)) for each in lineage)


def unsettled(context: Context) -> tuple[str, ...]:
    """Name what may still depend on deleted records."""
    return open_in(stated(context))


def open_in(lineage: Iterable[StatedDescendant]) -> tuple[str, ...]:
    """Name the same of what a document states."""
    return tuple(each.name for each in lineage if each.descent.open)


class _Judge:
    def __init__(self, lineage: Sequence[Descendant], case: CaseFacts, requests: Iterable[RequestOutcome], today: date) -> None:
        self._today, self._release = today, case.release
        executed = [each for each in requests if each.deleted_at is not None]
        self._erased = max((day for each in executed if (day := _of_model(each)) is not None), default=None)
        self._in_use = self._erased if all(each.model_erased_at is not None for each in executed) else None
        if self._erased is not None and case.in_use_since is not None:
            self._in_use = max(self._erased, case.in_use_since)
        self._named: dict[str, Descendant] = {}
        for each in lineage:
            self._named.setdefault(each.name, each)
        self._known: dict[str, _Held] = {}

    def of(self, made: Descendant) -> Descent:
        """Judge one thing."""
        if self._erased is None:
            return Descent.NOTHING_DELETED
        if made.retired_at is not None and made.retired_at <= self._today:
            return Descent.RETIRED
        found = self._held(made).descent
        return Descent.PLANNED if found.open and made.retired_at is not None else found

    def _held(self, made: Descendant) -> _Held:
        """Judge what it holds: from its source up, which is judged first; a circle, which no case has, is open."""
        if self._named.get(made.name) is not made:
            return self._made_from(made)
        if made.name not in self._known:
            self._known[made.name] = _Held(Descent.SOURCE)
            self._known[made.name] = self._made_from(made)
        return self._known[made.name]

    def _made_from(self, made: Descendant) -> _Held:
        planned = made.remade_at is not None and made.remade_at > self._today
        day = made.made_at if planned else made.remade_at or made.made_at
        if day is None or day > self._today:
            return _Held(Descent.PLANNED if planned else Descent.UNDATED)
        if self._erased is not None and day < self._erased:
            return _Held(Descent.PLANNED if planned else Descent.EARLIER)
        replaced = self._replaced(made)
        if isinstance(replaced, Descent):
            return _Held(replaced)
        if day < replaced:
            return _Held(Descent.PLANNED if planned else Descent.EARLIER)
        if day == replaced:
            return _Held(Descent.SAME_DAY)
        return _Held(Descent.AFTER if day == made.made_at else Descent.REMADE, day)

    def _replaced(self, made: Descendant) -> date | Descent:
        """The day since which its source holds none of the deleted records, or why it holds them, or may."""
        if made.made_from != MODEL:
            source = self._named.get(made.made_from)
            held = _Held(Descent.SOURCE) if source is None else self._held(source)
            return Descent.SOURCE if held.since is None else held.since
        if made.from_release is not None:
            if made.from_release != self._release:
                return Descent.OTHER_RELEASE
            return self._erased or Descent.NOTHING_DELETED
        # Without a release it was made from the model that was in use, which may be the earlier one for long.
        return self._in_use or Descent.NOT_REPLACED


def in_use_too_early(case: CaseFacts, request: RequestOutcome) -> bool:
    """Whether this version is said to be in use since a day on which it cannot have lacked what was erased for a request."""
    updated, since = request.model_erased_at or request.deleted_at, case.in_use_since
    return request.status == "executed" and updated is not None and since is not None and since < updated.date()


def _of_model(request: RequestOutcome) -> date | None:
    """The day since which the model holds nothing of a request: the later one where the log has two."""
    times = [each for each in (request.deleted_at, request.model_erased_at) if each is not None]
    return max((each.date() for each in times), default=None)
