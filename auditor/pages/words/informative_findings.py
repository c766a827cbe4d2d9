"""Say what an audit saw apart from what decides its verdict: each informative check against its natural threshold, met or not met.

What decides nothing would vanish from a page that lists what decides: an adversary who names the deleted set, a model that lost
most of its accuracy, a model that behaves as one that was left alone. Each of these has a threshold of its own that nobody has to
declare: guessing for an adversary, a small loss of accuracy, a time no longer than that of retraining.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final

from auditor.base.deletion_log import receipts
from auditor.base.deletion_log.deadlines import Confirmed, erased_on
from auditor.base.deletion_log.requests import RequestOutcome
from auditor.base.domain import Interval, Status
from auditor.base.promises import Approximate, Promise
from auditor.document.evidence import Evidence
from auditor.maths.tradeoff.combining import several
from auditor.maths.tradeoff.reading import right_guesses
from auditor.pages import wording
from auditor.pages.words import guesses
from auditor.pages.words.texts import text
from auditor.verdict.checks import definitions, derived_in, observed_in, the
from auditor.verdict.checks.card import Role
from auditor.verdict.checks.finding import Values
from auditor.verdict.checks.readings import (
    Accuracies,
    AdvantagesByModel,
    Attacked,
    ByMechanism,
    ForAPerson,
    HoldsStrangers,
    LeftUnchanged,
    Named,
    Rebuilt,
    Variant,
)
from auditor.verdict.examination import is_short
from auditor.verdict.grade import NO_USE
from auditor.verdict.request_status import confirmations

ACCURACY_DROP: Final = 0.05
"""The loss of accuracy against the retrained model from which on it is worth a line, where no policy names another."""
AS_FAST: Final = 0.8
"""Times faster than retraining below which unlearning is noticed as slower: measured times of equal work differ by less."""
LEFT_ALONE: Final = 0.9
"""The share of what models show that still hold the deleted records from which on a release behaves as one left alone."""


class Met(StrEnum):
    """What became of a natural threshold."""

    MET = "met"
    NOT_MET = "not-met"
    NOT_KNOWN = "not-known"
    """The interval holds values on both sides, or the run could not have noticed."""


@dataclass(frozen=True, slots=True)
class Notice:
    """Something that was seen and decides nothing."""

    check_id: str
    met: Met
    message: str
    """Its id in the catalogue."""
    parameters: Mapping[str, str | int] = field(default_factory=dict)

    @property
    def sentence(self) -> str:
        """In English."""
        return text(self.message, **self.parameters)


@dataclass(frozen=True, slots=True)
class _Seen:
    """A check that was measured, with what its judge derived."""

    id: str
    value: float
    status: Status
    threshold: float | None
    derived: Values | None


def noticed(evidence: Evidence) -> tuple[Notice, ...]:
    """List what decides nothing and is not met, then what the audit could not tell, each in the order of the checks.

    Raises:
        ValueError: If what the document says of a check cannot be read.
    """
    seen = (*_seen(evidence), *_strangers(evidence), *_of_the_log(evidence))
    return tuple(each for met in (Met.NOT_MET, Met.NOT_KNOWN) for each in seen if each.met is met)


def informative(evidence: Evidence) -> Mapping[str, Met]:
    """Say of each check that was measured and decides nothing whether its natural threshold is met, by its id.

    Raises:
        ValueError: If what the document says of a check cannot be read.
    """
    return {each.check_id: each.met for each in reversed(tuple(_seen(evidence)))}


def _seen(evidence: Evidence) -> Iterator[Notice]:
    required, known = set(evidence.policy.required), definitions(evidence.version)
    yield from _left_alone(evidence)
    for check in evidence.checks:
        roles = known[check.id].card.roles if check.id in known else frozenset()
        informs = check.value is not None and check.id not in required
        if not (informs or roles & {Role.TRAINING_NOISE, Role.ATTACKS_LOG}):
            continue
        derived = derived_in(check, evidence.version) if check.id in known else None
        seen = _Seen(check.id, check.value or 0.0, check.status, check.threshold, derived)
        if Role.TRAINING_NOISE in roles:
            yield from _private(seen)
        if Role.ATTACKS_LOG in roles:
            yield from _varied(seen)
        if not informs:
            continue
        if check.status is Status.SKIPPED:
            yield _measured(seen, None if check.interval is None else Interval(*check.interval), roles)
        elif check.status is Status.FAIL:
            yield Notice(check.id, Met.NOT_MET, "noticed-failed", {"check": _title(check.id)})
        elif check.status is Status.INCONCLUSIVE:
            yield _open(seen, roles)


def _measured(check: _Seen, interval: Interval | None, roles: frozenset[Role]) -> Notice:
    """A check with a value and no say."""
    of_interval = next((said for role, said in _BY_INTERVAL.items() if role in roles), None)
    if interval is not None and of_interval is not None:
        return of_interval(check, interval)
    return next((said for role, said in _BY_VALUE.items() if role in roles), _undecided)(check)


def _whole_set(check: _Seen, interval: Interval) -> Notice:
    """An attack on whole sets, which guessing names right half of the time."""
    met = Met.MET if interval.low <= guesses.GUESSING <= interval.high else Met.NOT_MET
    return Notice(check.id, met, _named(met, "noticed-whole-set"), _limits(check.value, interval))


def _difference(check: _Seen, interval: Interval) -> Notice:
    """An attack on what deletions changed in the model."""
    met = Met.MET if interval.low <= guesses.GUESSING else Met.NOT_MET
    return Notice(check.id, met, _named(met, "noticed-difference"), _limits(check.value, interval))


def _slower(check: _Seen) -> Notice:
    """The time that unlearning takes, against that of retraining."""
    met = Met.MET if check.value >= AS_FAST else Met.NOT_MET
    return Notice(check.id, met, _named(met, "noticed-slower"))


def _carried_on(check: _Seen) -> Notice:
    """What is carried on in addition to the model."""
    met = Met.MET if check.value == 0 else Met.NOT_MET
    return Notice(check.id, met, _named(met, "noticed-state"), {"cases": f"{check.value:.0f}"})


def _not_tested(check: _Seen) -> Notice:
    """A claim that no comparison tested."""
    return Notice(check.id, Met.NOT_KNOWN, "noticed-claim-not-tested")


def _undecided(check: _Seen) -> Notice:
    """A check without a natural threshold."""
    return Notice(check.id, Met.NOT_KNOWN, "noticed-open", {"check": _title(check.id)})


def _title(check_id: str) -> str:
    """The title of a check; its id where evidence of anybody's names one that nobody knows."""
    known = definitions().get(check_id)
    return check_id if known is None else known.card.title


def _named_in_games(check: _Seen, _interval: Interval) -> Notice:
    """Games that decide nothing, by the attack that won most for certain."""
    if not isinstance(check.derived, Named):
        return _undecided(check)
    best = max((*check.derived.standard, *check.derived.own), key=lambda each: each.low)
    met = Met.MET if best.low <= guesses.GUESSING else Met.NOT_MET
    labelled = Role.KNOWS_LABELS in definitions()[check.id].card.roles
    message = "noticed-games" if labelled else "noticed-games-unlabelled"
    limits = _limits(best.success, Interval(best.low, best.high))
    return Notice(check.id, met, _named(met, message), limits)


def _rebuilt(check: _Seen, _interval: Interval) -> Notice:
    """Guesses at what was deleted by the attack that won most for certain, held against one that owes nothing to the deletion."""
    derived = check.derived
    if not isinstance(derived, Rebuilt):
        return _undecided(check)
    best = max(derived.attacks, key=lambda each: each.low)
    met = Met.MET if best.low <= derived.chance else Met.NOT_MET
    given = {"what": check.id.partition(".")[2], "decoys": str(derived.decoys)}
    given |= {"value": guesses.about(best.success), "chance": guesses.about(derived.chance)}
    return Notice(check.id, met, _named(met, "noticed-rebuilt"), given)


def _varied(check: _Seen) -> Iterator[Notice]:
    """A variant of the games in which an attack does better than the policy allows, for certain: variants decide nothing."""
    if check.threshold is None or check.status is Status.FAIL:
        return
    variants: Sequence[Variant] = check.derived.variants if isinstance(check.derived, Named) else ()
    for each in variants:
        if each.variant in {"one", "hidden", "chosen"} and each.view == "scores" and each.low > check.threshold:
            given = {"variant": each.variant, "value": guesses.about(each.success)}
            yield Notice(check.id, Met.NOT_MET, "noticed-games-varied", given)
            return


def _named(met: Met, message: str) -> str:
    """The message of a check: that it is met has one of its own."""
    return "noticed-met" if met is Met.MET else message


def _limits(value: float, interval: Interval) -> dict[str, str]:
    low, high = guesses.between(interval)
    return {"value": guesses.about(value), "low": low, "high": high}


def _accuracy(check: _Seen, interval: Interval) -> Notice:
    """The loss of accuracy, judged by its interval."""
    met = Met.MET if interval.high <= ACCURACY_DROP else Met.NOT_MET if interval.low > ACCURACY_DROP else Met.NOT_KNOWN
    derived = check.derived
    if not isinstance(derived, Accuracies):
        return _undecided(check)
    given = {
        "unlearned": guesses.about(derived.unlearned),
        "retrained": guesses.about(derived.retrained),
        "allowed": f"{100 * ACCURACY_DROP:g}",
    }
    message = {Met.MET: "noticed-met", Met.NOT_MET: "noticed-accuracy", Met.NOT_KNOWN: "noticed-accuracy-open"}[met]
    return Notice(check.id, met, message, given)


_BY_INTERVAL: Final[Mapping[Role, Callable[[_Seen, Interval], Notice]]] = {
    Role.ATTACKS_SETS: _whole_set,
    Role.ATTACKS_DIFFERENCE: _difference,
    Role.NAMES_DELETED: _named_in_games,
    Role.REBUILDS: _rebuilt,
    Role.ACCURACY: _accuracy,
}
"""By role, the natural threshold of what was measured with an interval."""
_BY_VALUE: Final[Mapping[Role, Callable[[_Seen], Notice]]] = {
    Role.SPEED: _slower,
    Role.STATELESS: _carried_on,
    Role.CONSISTENCY: _not_tested,
}
"""By role, that of a value alone."""


def _open(check: _Seen, roles: frozenset[Role]) -> Notice:
    """A check that stayed open and decides nothing: where its attacks were blind, how blind."""
    derived = check.derived
    if Role.ATTACKS_RELEASE in roles and isinstance(derived, Attacked) and derived.told < len(derived.tried):
        given = {"told": str(derived.told), "tried": str(len(derived.tried))}
        return Notice(check.id, Met.NOT_KNOWN, "noticed-attack-blind", given)
    return _undecided(check)


def _private(check: _Seen) -> Iterator[Notice]:
    """Private training whose promise to one person is no useful one, whether it keeps to its claim or not."""
    person = check.derived.for_a_person if isinstance(check.derived, ForAPerson) else None
    if person is None:
        return
    routes: list[Promise] = [Approximate(epsilon=person.epsilon, delta=person.delta)]
    if isinstance(check.derived, ByMechanism) and check.derived.promise is not None:
        routes.append(check.derived.promise)
    share = right_guesses(several(routes))
    met = Met.MET if share < NO_USE else Met.NOT_MET
    yield Notice(check.id, met, _named(met, "noticed-private-training"), {"most": guesses.at_most(share)})


def _left_alone(evidence: Evidence) -> Iterator[Notice]:
    """A model that behaves as one that was left alone: by its settings, in the game, or in the attack on the release."""
    roles = (Role.ATTACKS_RECORDS, Role.EXACT, Role.ATTACKS_RELEASE)
    game, exact, release = (the(role, evidence.version) for role in roles)
    if evidence.procedure.unlearn == "none":
        yield Notice(game, Met.NOT_MET, "noticed-does-not-unlearn")
        return
    checks = {check.id: check for check in evidence.checks}
    if _same_as_left_alone(observed_in(checks[game], evidence.version) if game in checks else None):
        yield Notice(game, Met.NOT_MET, "noticed-left-alone")
        return
    derived = {name: derived_in(checks[name], evidence.version) for name in (exact, release) if name in checks}
    compared, attacked = derived.get(exact), derived.get(release)
    if isinstance(compared, LeftUnchanged) and compared.unchanged:
        yield Notice(exact, Met.NOT_MET, "noticed-batches-left-alone", {"batches": ", ".join(map(str, compared.unchanged))})
        return
    # Where the test does not recognise every model that still holds the records, a share of what they show compares noise.
    powerful = isinstance(attacked, Attacked) and 0 < len(attacked.tried) == attacked.told
    share = attacked.left_over if isinstance(attacked, Attacked) and powerful else None
    if share is not None and share >= LEFT_ALONE:
        yield Notice(release, Met.NOT_MET, "noticed-shows-as-much", {"share": f"{100 * share:.0f}"})


def _strangers(evidence: Evidence) -> Iterator[Notice]:
    """Rows of a store whose content nothing was compared with: the training data do not know the people, or know other values."""
    searching = the(Role.SEARCHES, evidence.version)
    check = next((each for each in evidence.checks if each.id == searching), None)
    seen = None if check is None else observed_in(check, evidence.version)
    if not isinstance(seen, HoldsStrangers):
        return
    for message, rows in (("noticed-strangers", seen.rows_of_strangers), ("noticed-changed", seen.rows_changed)):
        if rows:
            yield Notice(searching, Met.NOT_KNOWN, message, {"rows": str(rows)})


def _of_the_log(evidence: Evidence) -> Iterator[Notice]:
    """What the log says of itself and no check decides: receipts of requests confirmed late, and recipients who answered early."""
    deadlines, counts = the(Role.CHECKS_DEADLINES, evidence.version), confirmations(evidence)
    late, unknown = counts[Confirmed.LATE], counts[Confirmed.NOT_KNOWN]
    if late:
        yield Notice(deadlines, Met.NOT_MET, "noticed-confirmed-late", {"count": late})
    if unknown:
        yield Notice(deadlines, Met.NOT_KNOWN, "noticed-confirmed-unknown", {"count": unknown})
    log = the(Role.CHECKS_LOG, evidence.version)
    if odd := sum(_disagrees(evidence, each) for each in evidence.requests if evidence.receipts):
        yield Notice(log, Met.NOT_MET, "noticed-receipts", {"count": odd})
    erased = Counter(on for each in evidence.requests if (on := erased_on(each)) is not None)
    for place in evidence.outside:
        short = sum(count for on, count in erased.items() if is_short(place, on))
        if short and place.until is not None:
            given: dict[str, str | int] = {"place": wording.shown(place.name), "day": wording.day(place.until), "count": short}
            yield Notice(log, Met.NOT_MET, "noticed-outside-short", given)


def _disagrees(evidence: Evidence, request: RequestOutcome) -> bool:
    """Whether a processor's receipt and the log do not go together: they were told later, or not at all."""
    covering, recipients = receipts.covering(evidence.receipts, request), request.recipients_notified or ()
    return bool(receipts.before_notice(covering, recipients) or receipts.of_untold(covering, recipients))


def _same_as_left_alone(observed: Values | None) -> bool:
    """Whether every attack found the same, pair for pair, on models that unlearned and on models that did not."""
    if not isinstance(observed, AdvantagesByModel):
        return False
    own, idle = observed.pair_advantages.procedure, observed.pair_advantages.do_nothing
    return own == idle and any(any(values) for values in own.values())
