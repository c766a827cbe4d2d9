"""Say what an audit saw apart from what decides its verdict: each informative check against its natural threshold, met or not met.

What decides nothing would vanish from a page that lists what decides: an adversary who names the deleted set, a model that lost
most of its accuracy, a model that behaves as one that was left alone. Each of these has a threshold of its own that nobody has to
declare: guessing for an adversary, a small loss of accuracy, a time no longer than that of retraining.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Final

from auditor.base.domain import Check, Interval, Status
from auditor.document.evidence import Evidence
from auditor.pages.words import guesses
from auditor.pages.words.texts import text
from auditor.verdict.checks import definitions, the
from auditor.verdict.checks.card import Role
from auditor.verdict.checks.promise import right_guesses
from auditor.verdict.strength import NO_USE

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
    parameters: Mapping[str, str] = field(default_factory=dict)

    @property
    def sentence(self) -> str:
        """In English."""
        return text(self.message, **self.parameters)


def noticed(evidence: Evidence) -> tuple[Notice, ...]:
    """List what decides nothing and is not met, then what the audit could not tell, each in the order of the checks."""
    seen = tuple(_seen(evidence))
    return tuple(each for met in (Met.NOT_MET, Met.NOT_KNOWN) for each in seen if each.met is met)


def informative(evidence: Evidence) -> Mapping[str, Met]:
    """Say of each check that was measured and decides nothing whether its natural threshold is met, by its id."""
    return {each.check_id: each.met for each in reversed(tuple(_seen(evidence)))}


def _seen(evidence: Evidence) -> Iterator[Notice]:
    required, known = set(evidence.policy.required), definitions(evidence.version)
    yield from _left_alone(evidence)
    for check in evidence.checks:
        roles = known[check.id].card.roles if check.id in known else frozenset()
        if Role.TRAINING_NOISE in roles:
            yield from _private(check)
        if Role.ATTACKS_LOG in roles:
            yield from _varied(check)
        if check.id in required or check.value is None:
            continue
        if check.status is Status.SKIPPED:
            yield from _measured(check, roles)
        elif check.status is Status.FAIL:
            yield Notice(check.id, Met.NOT_MET, "noticed-failed", {"check": definitions()[check.id].card.title})
        elif check.status is Status.INCONCLUSIVE:
            yield _open(check, roles)


def _measured(check: Check, roles: frozenset[Role]) -> Iterator[Notice]:
    """A check with a value and no say."""
    if check.interval is not None:
        of_interval = next((said for role, said in _BY_INTERVAL.items() if role in roles), None)
        if of_interval is not None:
            yield of_interval(check, Interval(*check.interval))
            return
    of_value = next((said for role, said in _BY_VALUE.items() if role in roles), _undecided)
    yield of_value(check, check.value or 0.0)


def _whole_set(check: Check, interval: Interval) -> Notice:
    """An attack on whole sets, which guessing names right half of the time."""
    met = Met.MET if interval.low <= guesses.GUESSING <= interval.high else Met.NOT_MET
    return Notice(check.id, met, _named(met, "noticed-whole-set"), _limits(check.value or 0.0, interval))


def _difference(check: Check, interval: Interval) -> Notice:
    """An attack on what deletions changed in the model."""
    met = Met.MET if interval.low <= guesses.GUESSING else Met.NOT_MET
    return Notice(check.id, met, _named(met, "noticed-difference"), _limits(check.value or 0.0, interval))


def _slower(check: Check, value: float) -> Notice:
    """The time that unlearning takes, against that of retraining."""
    met = Met.MET if value >= AS_FAST else Met.NOT_MET
    return Notice(check.id, met, _named(met, "noticed-slower"))


def _carried_on(check: Check, value: float) -> Notice:
    """What is carried on in addition to the model."""
    met = Met.MET if value == 0 else Met.NOT_MET
    return Notice(check.id, met, _named(met, "noticed-state"), {"cases": f"{value:.0f}"})


def _not_tested(check: Check, _value: float) -> Notice:
    """A claim that no comparison tested."""
    return Notice(check.id, Met.NOT_KNOWN, "noticed-claim-not-tested")


def _undecided(check: Check, _value: float = 0.0) -> Notice:
    """A check without a natural threshold."""
    return Notice(check.id, Met.NOT_KNOWN, "noticed-open", {"check": definitions()[check.id].card.title})


def _named_in_games(check: Check, _interval: Interval) -> Notice:
    """Games that decide nothing, by the attack that won most for certain."""
    standard: list[Mapping[str, Any]] = (check.derived or {}).get("standard") or []
    best = max(standard, key=lambda each: float(each["low"]))
    met = Met.MET if best["low"] <= guesses.GUESSING else Met.NOT_MET
    labelled = Role.KNOWS_LABELS in definitions()[check.id].card.roles
    message = "noticed-games" if labelled else "noticed-games-unlabelled"
    limits = _limits(float(best["success"]), Interval(float(best["low"]), float(best["high"])))
    return Notice(check.id, met, _named(met, message), limits)


def _rebuilt(check: Check, _interval: Interval) -> Notice:
    """Guesses at what was deleted by the attack that won most for certain, held against one that owes nothing to the deletion."""
    derived = check.derived or {}
    chance = float(derived.get("chance", 1.0))
    best = max(derived["attacks"], key=lambda each: float(each["low"]))
    value, met = float(best["success"]), Met.MET if best["low"] <= chance else Met.NOT_MET
    given = {"what": check.id.partition(".")[2], "decoys": str(derived.get("decoys"))}
    given |= {"value": guesses.about(value), "chance": guesses.about(chance)}
    return Notice(check.id, met, _named(met, "noticed-rebuilt"), given)


def _varied(check: Check) -> Iterator[Notice]:
    """A variant of the games in which an attack does better than the policy allows, for certain: variants decide nothing."""
    if check.threshold is None or check.status is Status.FAIL:
        return
    for each in (check.derived or {}).get("variants") or ():
        if each["variant"] in {"one", "hidden", "chosen"} and each["view"] == "scores" and each["low"] > check.threshold:
            given = {"variant": each["variant"], "value": guesses.about(float(each["success"]))}
            yield Notice(check.id, Met.NOT_MET, "noticed-games-varied", given)
            return


def _named(met: Met, message: str) -> str:
    """The message of a check: that it is met has one of its own."""
    return "noticed-met" if met is Met.MET else message


def _limits(value: float, interval: Interval) -> dict[str, str]:
    low, high = guesses.between(interval)
    return {"value": guesses.about(value), "low": low, "high": high}


def _accuracy(check: Check, interval: Interval) -> Notice:
    """The loss of accuracy, judged by its interval."""
    met = Met.MET if interval.high <= ACCURACY_DROP else Met.NOT_MET if interval.low > ACCURACY_DROP else Met.NOT_KNOWN
    derived = check.derived or {}
    given = {
        "unlearned": guesses.about(float(derived.get("unlearned", 0.0))),
        "retrained": guesses.about(float(derived.get("retrained", 0.0))),
        "allowed": f"{100 * ACCURACY_DROP:g}",
    }
    message = {Met.MET: "noticed-met", Met.NOT_MET: "noticed-accuracy", Met.NOT_KNOWN: "noticed-accuracy-open"}[met]
    return Notice(check.id, met, message, given)


_BY_INTERVAL: Final[Mapping[Role, Callable[[Check, Interval], Notice]]] = {
    Role.ATTACKS_SETS: _whole_set,
    Role.ATTACKS_DIFFERENCE: _difference,
    Role.NAMES_DELETED: _named_in_games,
    Role.REBUILDS: _rebuilt,
    Role.ACCURACY: _accuracy,
}
"""By role, the natural threshold of what was measured with an interval."""
_BY_VALUE: Final[Mapping[Role, Callable[[Check, float], Notice]]] = {
    Role.SPEED: _slower,
    Role.STATELESS: _carried_on,
    Role.CONSISTENCY: _not_tested,
}
"""By role, that of a value alone."""


def _open(check: Check, roles: frozenset[Role]) -> Notice:
    """A check that stayed open and decides nothing: where its attacks were blind, how blind."""
    derived = check.derived or {}
    tried = derived.get("tried")
    if Role.ATTACKS_RELEASE in roles and tried is not None and derived["told"] < len(tried):
        given = {"told": str(derived["told"]), "tried": str(len(tried))}
        return Notice(check.id, Met.NOT_KNOWN, "noticed-attack-blind", given)
    return _undecided(check)


def _private(check: Check) -> Iterator[Notice]:
    """Private training whose promise to one person is no useful one, whether it keeps to its claim or not."""
    person = (check.derived or {}).get("for_a_person")
    if person is None:
        return
    share = right_guesses(person["epsilon"], person["delta"])
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
    if _same_as_left_alone(checks[game].observed if game in checks else None):
        yield Notice(game, Met.NOT_MET, "noticed-left-alone")
        return
    batches = ((checks[exact].derived if exact in checks else None) or {}).get("unchanged")
    if batches:
        yield Notice(exact, Met.NOT_MET, "noticed-batches-left-alone", {"batches": ", ".join(map(str, batches))})
        return
    share = ((checks[release].derived if release in checks else None) or {}).get("left_over")
    if share is not None and share >= LEFT_ALONE:
        yield Notice(release, Met.NOT_MET, "noticed-shows-as-much", {"share": f"{100 * share:.0f}"})


def _same_as_left_alone(observed: Mapping[str, Any] | None) -> bool:
    """Whether every attack found the same, pair for pair, on models that unlearned and on models that did not."""
    pairs = (observed or {}).get("pair_advantages") or {}
    own: Mapping[str, list[float]] = pairs.get("procedure") or {}
    return own == pairs.get("do_nothing") and any(any(values) for values in own.values())
