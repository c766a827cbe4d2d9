"""Reads the promise and every attack as right guesses out of 100: what pages 5 and 6 of the main report show."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from statistics import NormalDist
from typing import Final

from auditor.base.domain import Interval, Status
from auditor.maths.statistics import clopper_pearson
from auditor.maths.statistics.power import POWER, guessing_noticed
from auditor.pages.estimates import Estimate
from auditor.pages.words.told import Told, ToldCheck
from auditor.parts.release.judging import release_remembers
from auditor.parts.revealing.judging import inference_difference
from auditor.parts.swap.judging import epsilon_consistency, one_run, strong
from auditor.parts.swap.judging import quality as swap_quality
from auditor.parts.swap.judging.epsilon_consistency.derived import Game
from auditor.parts.swap.judging.epsilon_consistency.observed import Observed as Attacked
from auditor.parts.swap.judging.estimates import OfAttack
from auditor.parts.swap.telling import swap_words
from auditor.parts.usefulness.judging import answers
from auditor.verdict.strength import guesses

_GUESSING: Final = 0.5
LABELS_ONLY: Final = "correctness"
"""The attack that sees nothing but the predicted label."""


@dataclass(frozen=True, slots=True)
class Found:
    """How often an attack guessed right; shares between 0.5 and 1, of whichever side it named more often."""

    share: float
    limits: Interval | None


class Side(StrEnum):
    """Whose model is guessed about."""

    THIS = "this"
    UNCHANGED = "unchanged"
    RETRAINED = "retrained"


@dataclass(frozen=True, slots=True)
class Row:
    """One row of the icon array."""

    side: Side
    found: Found | None
    """By the best attack on one record; None where none was made."""
    most: float | None
    """The share of right guesses that is not exceeded; None where nothing limits it."""


class Group(StrEnum):
    """What attacks were made on."""

    TRIAL = "trial"
    """Models made in the same way, with records like the deleted ones."""
    RELEASE = "release"
    ANSWERS = "answers"
    """Answers that the controller wrote down."""
    COMPARING = "comparing"
    """The model before a deletion and the one after it."""
    GAMES = "games"
    """Models made for deletion games, before and after."""
    REMEDIES = "remedies"
    """The same under what could be done about it."""
    REBUILDING = "rebuilding"
    """Models made for reconstruction games, before and after."""


@dataclass(frozen=True, slots=True)
class Attack:
    """One attack."""

    name: str
    """Of its message in the catalogue."""
    group: Group
    found: Found | None
    """None where its outcome is no number of guesses."""
    unchanged: float | None = None
    """The share of right guesses about models that unlearned nothing, or other records."""
    threshold: float | None = None
    """The share from which on the policy would not have it."""
    noticed: float | None = None
    """The share from which on it would have been noticed with 80 % probability."""
    outcome: str = ""
    """Of one whose outcome is no number of guesses: of its message in the catalogue."""


def promised(told: Told) -> float | None:
    """Bound the share of right guesses about one person by the best promise that holds; None where none does."""
    return min((share for each in told.evidence.guarantees if (share := guesses(each)) is not None), default=None)


def icons(told: Told) -> tuple[Row, ...]:
    """Give this model, one that was left alone, and one that was retrained, each with the best attack on one record."""
    quality = _check(told, "swap.quality")
    rows: dict[Side, Found | None] = dict.fromkeys(Side)
    if quality is not None and quality.value is not None:
        found = swap_words.qualities(quality)
        rows = {
            Side.THIS: _of_quality(found.procedure),
            Side.UNCHANGED: _of_quality(found.do_nothing),
            Side.RETRAINED: _of_quality(found.retrained_fresh),
        }
    best = max(
        (each for each in (rows[Side.THIS], *_comparing(told)) if each is not None), key=lambda each: each.share, default=None
    )
    most = {Side.THIS: promised(told), Side.UNCHANGED: None, Side.RETRAINED: _GUESSING}
    return tuple(Row(side, best if side is Side.THIS else rows[side], most[side]) for side in Side)


def attacks(told: Told) -> tuple[Attack, ...]:
    """List every attack that was made, group by group."""
    return (*_trial(told), *_release(told), *_before_and_after(told))


def of_advantage(value: float, ends: tuple[float, float] | None) -> Found:
    """Turn a signed advantage with its interval into right guesses: one always wrong tells as much as one always right."""
    limits = None
    if ends is not None:
        low, high = ends
        limits = Interval(_share(max(0.0, low, -high)), _share(max(abs(low), abs(high))))
    return Found(_share(abs(value)), limits)


def _share(advantage: float) -> float:
    return (1 + min(1.0, advantage)) / 2


def _of_quality(estimate: Estimate) -> Found | None:
    """Q = 1 − |advantage|."""
    if estimate.value is None:
        return None
    limits = None if estimate.ends is None else Interval(_share(1 - estimate.ends[1]), _share(1 - estimate.ends[0]))
    return Found(_share(1 - estimate.value), limits)


def _of_share(share: float | None, ends: tuple[float, float] | None) -> Found | None:
    """Turn a share named right, which may lie below one half, into right guesses."""
    if share is None:
        return None
    return of_advantage(2 * share - 1, None if ends is None else (2 * ends[0] - 1, 2 * ends[1] - 1))


def _trial(told: Told) -> Iterator[Attack]:
    yield from _answered(told)
    quality = _check(told, "swap.quality")
    if quality is not None and quality.value is not None:
        yield from _alone(quality)
        yield from _in_pairs(quality)
    whole = _check(told, "swap.strong")
    if whole is not None and whole.value is not None:
        found = whole.derived_as(strong.Derived)
        yield Attack(
            "whole-set",
            Group.TRIAL,
            _of_share(whole.value, whole.interval),
            unchanged=None if found is None else _share(abs(2 * found.do_nothing.share - 1)),
            noticed=None if found is None else found.noticed,
        )
    yield from _joint(told)


def _answered(told: Told) -> Iterator[Attack]:
    """The attack on answers that the controller wrote down, by the score that takes most into account."""
    check = _check(told, "answers.membership")
    found = None if check is None else check.derived_as(answers.MembershipDerived)
    if found is None or not found.scores:
        return
    best = found.scores.get("difference") or found.scores.get("confidence")
    yield Attack("answers", Group.ANSWERS, None if best is None else of_advantage(best.advantage, best.interval))


def _alone(quality: ToldCheck) -> Iterator[Attack]:
    """The joint guess of a single run."""
    run = quality.derived_as(one_run.Derived)
    if run is not None:
        found, before = _of_share(run.share, run.share_interval), _share(1 - run.do_nothing.quality)
        yield Attack("joint-guess", Group.TRIAL, found, unchanged=before, noticed=run.noticed)


def _in_pairs(quality: ToldCheck) -> Iterator[Attack]:
    """Every attack on pairs."""
    pairs = quality.derived_as(swap_quality.Derived)
    if pairs is None:
        return
    threshold = None if quality.threshold is None else _share(1 - quality.threshold)
    for each in swap_words.attacks(quality):
        yield Attack(
            each.name,
            Group.TRIAL,
            of_advantage(each.advantage, each.interval),
            unchanged=_share(abs(each.do_nothing.advantage)),
            threshold=threshold,
            noticed=_noticed(each, pairs),
        )


def _joint(told: Told) -> Iterator[Attack]:
    """The joint guess at many records of one model, where it was surest."""
    check = _check(told, "epsilon.consistency")
    if check is None:
        return
    seen, derived = check.observed_as(Attacked), check.derived_as(epsilon_consistency.Derived)
    confidence = None if derived is None else derived.confidence
    if seen is None or seen.swap is None or confidence is None:
        return
    number, right = seen.swap.procedure.guesses, seen.swap.procedure.right
    if not number or right > number:
        return
    limits = clopper_pearson(right, number, confidence=confidence)
    found = _of_share(right / number, (limits.low, limits.high))
    yield Attack("joint-guess", Group.TRIAL, found, noticed=guessing_noticed(number, confidence=confidence))


def _release(told: Told) -> Iterator[Attack]:
    check = _check(told, "release.remembers")
    if check is not None and check.status is not Status.SKIPPED:
        yield Attack("release-remembers", Group.RELEASE, None, outcome=_outcome(check))


def _outcome(check: ToldCheck) -> str:
    """What came of the attack on the release: told, not told, or open; weak where models that hold the records escape it."""
    found = check.derived_as(release_remembers.Derived)
    weak = found is not None and found.told < len(found.tried)
    return "weak" if check.status is Status.INCONCLUSIVE and weak else check.status.value


def _before_and_after(told: Told) -> Iterator[Attack]:
    check = _check(told, "inference.difference")
    if check is not None and (found := _of_share(check.value, check.interval)) is not None:
        derived = check.derived_as(inference_difference.Derived)
        yield Attack(
            "difference",
            Group.COMPARING,
            found,
            threshold=None if check.threshold is None else _share(check.threshold),
            noticed=None if derived is None else derived.noticed,
        )
    game = requester(told)
    if game is not None:
        trials, named = game.trials + game.other_trials, game.named_right
        yield Attack(
            "requester",
            Group.COMPARING,
            Found(max(named, 1 - named), Interval(_share(max(0.0, game.advantage_lower)), 1.0)),
            noticed=guessing_noticed(trials, confidence=game.confidence) if trials else None,
        )


def requester(told: Told) -> Game | None:
    """Give the games of an adaptive requester; None where none were played."""
    check = _check(told, "epsilon.consistency")
    derived = None if check is None else check.derived_as(epsilon_consistency.Derived)
    return None if derived is None else derived.game


def _comparing(told: Told) -> list[Found]:
    return [each.found for each in _before_and_after(told) if each.found is not None]


def _noticed(attack: OfAttack, pairs: swap_quality.Derived) -> float | None:
    """From the width of an attack's interval: the advantage whose interval would leave 0 out with 80 % probability."""
    normal, half = NormalDist(), (attack.interval[1] - attack.interval[0]) / 2
    surely = normal.inv_cdf(1 - (1 - pairs.confidence) / (2 * len(pairs.attacks)))
    needed = half * (1 + normal.inv_cdf(POWER) / surely)
    return _share(needed) if needed < 1 else None


def _check(told: Told, check_id: str) -> ToldCheck | None:
    return next((check for check in told.checks if check.id == check_id), None)
