"""Data deletion in Rényi divergence: `deletion.renyi`, `deletion.adaptive`, and what these let a theorem conclude.

Noisy gradient descent is judged by Theorems 5.1 and 5.2 of Chourasia and Shah (2023) with every premise looked at. Any other
procedure is judged only where data deletion is claimed of it, by runs with other records in the place of the deleted ones.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from auditor.case import Case
from auditor.domain import LEFT_OUT, Check, Status
from auditor.observing.deletion import adaptive, independence, renyi
from auditor.observing.deletion.adaptive import Game
from auditor.observing.deletion.facts import facts, pledged
from auditor.observing.deletion.twins import Compared, compare
from auditor.observing.findings import TITLES, Findings, skipped
from auditor.observing.replay import Replay
from auditor.settings.learning import Foreign
from auditor.settings.noisy_gd import NoisyGd

__all__ = ["IDS", "applies", "compare", "examined_claims", "judge", "needs_twins", "pledged"]

IDS: Final = (renyi.ID, adaptive.ID)


def judge(
    case: Case, replay: Replay, *, stateless: Check | None = None, twins: Compared | None = None, game: Game | None = None
) -> Findings:
    """Judge data deletion.

    Args:
        case: The case.
        replay: What the rerun observed.
        stateless: What the experiment on statelessness found, where it ran.
        twins: What runs with other records in the place of the deleted ones showed, where `needs_twins`.
        game: What an adaptive requester reached, where one played.
    """
    procedure = case.settings.procedure
    if not isinstance(procedure, NoisyGd) and case.settings.claims.data_deletion is None:
        return Findings(tuple(skipped(check_id, _other(case)) for check_id in IDS))
    if not replay.batches:
        reason = renyi.NOTHING_DELETED
        return Findings(tuple(Check(each, TITLES[each], Status.INCONCLUSIVE, None, None, None, reason) for each in IDS))
    if not isinstance(procedure, NoisyGd):
        if twins is None:
            return Findings(tuple(skipped(check_id, LEFT_OUT) for check_id in IDS))
        return independence.judge(case, replay, twins, stateless=stateless, game=game)
    judged = renyi.examine(case, procedure, replay, stateless)
    deleted, certificates = renyi.judge(case, procedure, replay, judged)
    answered, more = adaptive.judge(case, replay, judged, game=game)
    return Findings((deleted, answered), (*certificates, *more), facts(procedure, judged, deleted, answered))


def applies(case: Case) -> bool:
    """Whether the case gives cause for the checks: its procedure is noisy gradient descent, or data deletion is claimed of it."""
    return isinstance(case.settings.procedure, NoisyGd) or case.settings.claims.data_deletion is not None


def needs_twins(case: Case, replay: Replay) -> bool:
    """Whether data deletion is claimed of a procedure that no theorem speaks of, and there is a deletion to look at."""
    claimed = case.settings.claims.data_deletion is not None
    return claimed and not isinstance(case.settings.procedure, NoisyGd) and bool(replay.batches)


def examined_claims(checks: Iterable[Check]) -> frozenset[str]:
    """The claim `data_deletion`, where the check that speaks of all requests decided, or the other one found it false."""
    decided = {check.id: check.status for check in checks if check.id in IDS}
    spoken = decided.get(renyi.ID) is Status.FAIL or decided.get(adaptive.ID) in {Status.PASS, Status.FAIL}
    return frozenset({"data_deletion"} if spoken else ())


def _other(case: Case) -> str:
    procedure = case.settings.procedure
    if isinstance(procedure, Foreign):
        return "Does not apply: the procedure is the controller's own code, and no data deletion is claimed of it."
    return (
        f'Does not apply: [procedure] use = "{procedure.use}" is not noisy gradient descent, nor is data deletion claimed of it.'
    )
