"""What a pass is worth: a grade from A to E, by a fixed table, which no policy and no wording can move.

| grade | condition |
|---|---|
| A | model file examined; a guarantee shown, at most 55 right guesses in 100; attacks with power, or `release.exact`, agree |
| B | at most 55 in 100 and supported; or `release.exact` on an examined model file |
| C | shown or supported, above 55 and below 90 in 100; or what would be A or B, and rests on something that nobody says |
| D | no guarantee: what decides examined the forgetting, and nothing promises anything |
| E | nothing that decides examines the forgetting, or the best promise is one of 90 in 100 or more |

Noise of a private training that decides stands in for the forgetting where a guarantee of the model as it was trained holds by
it: nothing is left to forget. Noise in reports does so where nothing learns.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from enum import StrEnum
from typing import Final

from auditor import __version__
from auditor.base.domain import ClaimStatus, Guarantee, Status, Strength
from auditor.base.terms import ControlTerms, ReportedControlTerms
from auditor.document.conclusions import Examined
from auditor.maths.tradeoff.reading import right_guesses
from auditor.verdict.checks import judging_unlearning, the, with_role
from auditor.verdict.checks.card import Role
from auditor.verdict.corollaries import HOLDING, promise_of

HARD_TO_TELL: Final = 0.55
"""Share of right guesses up to which two worlds are very hard to tell apart; guessing is 0.5."""
NO_USE: Final = 0.9
"""Share from which on a promise is no useful one."""


class Agreement(StrEnum):
    """Whether attacks agree with the promise, and by what."""

    EXCEEDED = "exceeded"
    """An attack did better than a promise allows."""
    NO_PROMISE = "no-promise"
    EXACT = "exact"
    """The rerun equals a retrained model: there was nothing to find."""
    RECOGNISED = "recognised"
    """Attacks recognise deleted records; not shown is that they do so more surely than is promised."""
    NOTHING_FOUND = "nothing-found"
    """Attacks that recognise a model without unlearning found nothing."""
    WITHIN = "within"
    """None did better than the promise allows; whether they recognise a model without unlearning is not known."""
    UNTESTED = "untested"

    @property
    def agrees(self) -> bool:
        """Whether it is agreement that grade A asks for: silence of attacks that may be blind does not count."""
        return self in {Agreement.EXACT, Agreement.NOTHING_FOUND}


def agreement(statuses: Mapping[str, Status], *, promised: bool, version: str = __version__) -> Agreement:
    """Say whether attacks agree with the promise: the one answer of grade and pages.

    Args:
        statuses: Of every check, by id.
        promised: Whether a guarantee with a number holds.
        version: The version that ran.
    """
    failed, passed = ({name for name, each in statuses.items() if each is status} for status in (Status.FAIL, Status.PASS))
    bounds = set(with_role(Role.CONSISTENCY, version))
    # What two models show together is no question of what either of them keeps.
    recognising = set(with_role(Role.RECOGNISES, version)) - set(with_role(Role.SHOWS_DELETIONS, version))
    if failed & bounds:
        return Agreement.EXCEEDED
    if not promised:
        return Agreement.NO_PROMISE
    if the(Role.EXACT, version) in passed:
        return Agreement.EXACT
    if failed & recognising:
        return Agreement.RECOGNISED
    if passed & set(with_role(Role.CLEARS, version)):
        return Agreement.NOTHING_FOUND
    return Agreement.WITHIN if passed & bounds else Agreement.UNTESTED


def graded(
    *,
    required: Collection[str],
    statuses: Mapping[str, Status],
    guarantees: Iterable[Guarantee],
    examined: Examined,
    unsaid: bool = False,
    learns: bool = True,
    reruns: bool = True,
    version: str = __version__,
) -> Strength:
    """Grade a pass.

    Args:
        required: Ids of the checks that decide, which all passed.
        statuses: Of every check, by id.
        guarantees: Every guarantee.
        examined: What the audit examined.
        unsaid: Whether the pass rests on something that nobody says and nothing examined: it is then worth no more than C.
        reruns: Whether anything was run: answers that the controller wrote down are never worth more than D.
        learns: Whether the case has a procedure that learns: what a whole controller alone promises needs no forgetting examined.
        version: The version that ran.
    """
    listed = tuple(guarantees)
    reports = not learns and bool(set(with_role(Role.REPORTING_NOISE, version)) & set(required))
    trained = any(map(_by_training, listed)) and bool(set(with_role(Role.TRAINING_NOISE, version)) & set(required))
    if not (judging_unlearning(required, version) or reports or trained):
        return Strength.E
    if not reruns:
        return Strength.D
    passed = {name for name, status in statuses.items() if status is Status.PASS}
    promises = [(share, each.status) for each in listed if (share := guesses(each)) is not None]
    agreed = agreement(statuses, promised=bool(promises), version=version).agrees
    if (
        not unsaid
        and examined.model
        and agreed
        and any(share <= HARD_TO_TELL and how is ClaimStatus.SHOWN for share, how in promises)
    ):
        return Strength.A
    if any(share <= HARD_TO_TELL for share, _ in promises) or (examined.model and the(Role.EXACT, version) in passed):
        return Strength.C if unsaid else Strength.B
    if not promises:
        return Strength.D
    return Strength.C if min(promises)[0] < NO_USE else Strength.E


def _by_training(guarantee: Guarantee) -> bool:
    """Whether a guarantee holds by the noise of a private training, after which the model is never updated."""
    terms = guarantee.terms
    by_noise = isinstance(terms, ControlTerms) and terms.by_noise and not isinstance(terms, ReportedControlTerms)
    return by_noise and guarantee.status in HOLDING


def guesses(guarantee: Guarantee) -> float | None:
    """Bound the share of right guesses about one person that a guarantee leaves; None where it does not hold or has no number."""
    promise = promise_of(guarantee)
    return None if promise is None else right_guesses(promise)
