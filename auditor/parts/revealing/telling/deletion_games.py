"""Reads what deletion games found: what an outsider learns from the act of deleting, and what would show less of it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from auditor.base.domain import Status
from auditor.maths.statistics import clopper_pearson
from auditor.pages import wording
from auditor.pages.right_guesses import Attack, Found, Group, Telling, of_advantage, of_share, share_of
from auditor.pages.words import guesses
from auditor.pages.words.rendered_evidence import Told, ToldCheck
from auditor.pages.words.texts import text
from auditor.parts.revealing.judging import inference_difference
from auditor.parts.revealing.judging.inference.judging import OWN, Derived, OfLog, Success
from auditor.parts.revealing.judging.inference.observed import Observed
from auditor.parts.revealing.judging.log_attack import LogResult
from auditor.parts.revealing.judging.reconstruction import judging as rebuilding
from auditor.parts.revealing.judging.reconstruction.observed import Played
from auditor.parts.revealing.telling import reconstructions
from auditor.parts.revealing.telling.reconstructions import of_100
from auditor.parts.revealing.telling.sentences import ATTACKS
from auditor.verdict.checks.remedies import PrivateTraining, Remedied

CHECKS: Final = ("inference.example", "inference.instance")
REBUILDING: Final = ("reconstruction.label", "reconstruction.instance", "reconstruction.sentence")
VARIANTS: Final = ("one", "hidden", "chosen")
"""Variants of the standard game that make no remedy."""
SHOWN_ELSEWHERE: Final = (
    "standard",
    "deletions",
    "own",
    "variants",
    "remedies",
    "tallies",
    "log",
    "on_log",
    "private",
    "attack",
    "strongest",
)
"""Fields that have a place of their own in print."""


@dataclass(frozen=True, slots=True)
class Row:
    """One attack in the standard game, in print."""

    attack: str
    games: int
    right: str
    """Guesses of 100, with their interval."""
    ties: str
    not_lost: str
    """Wins and ties together."""


def played(told: Told) -> tuple[ToldCheck, ...]:
    """The checks whose games were played."""
    return tuple(check for check in told.checks if check.id in CHECKS and check.value is not None)


def attacks(told: Told) -> tuple[Attack, ...]:
    """List the games for the page on attacks, each by the attack that found most: as such, varied, and under remedies."""
    checks = played(told)
    rebuilt = (each for check in told.checks if check.id in REBUILDING for each in _rebuilt(check))
    if not checks:
        return (*_of_log(told, None), *rebuilt)
    first = checks[0]
    return (
        *(each for check in checks for each in _standard(check)),
        *_own(first),
        *_varied(first),
        *_of_log(told, first.threshold),
        *_remedied(first),
        *rebuilt,
    )


def _standard(check: ToldCheck) -> Iterator[Attack]:
    derived = check.derived_as(Derived)
    if derived is not None and derived.standard:
        best = max(map(_found, derived.standard), key=_strength)
        name = "game-example" if check.id == CHECKS[0] else "game-instance"
        yield Attack(name, Group.GAMES, best, threshold=check.threshold, noticed=derived.noticed)


def _own(check: ToldCheck) -> Iterator[Attack]:
    """Games in which the outsider asks for deletions of their own, each by the attack that found most."""
    derived = check.derived_as(Derived)
    for variant in OWN:
        rows = [_found(each) for each in (() if derived is None else derived.own) if each.variant == variant]
        if rows:
            yield Attack(f"game-{variant}", Group.GAMES, max(rows, key=_strength), threshold=check.threshold)


def _varied(check: ToldCheck) -> Iterator[Attack]:
    derived = check.derived_as(Derived)
    played_of = () if derived is None else derived.variants
    for variant in VARIANTS:
        rows = [_found(each) for each in played_of if each.variant == variant]
        if rows:
            yield Attack(f"game-{variant}", Group.GAMES, max(rows, key=_strength), threshold=check.threshold)


def _remedied(check: ToldCheck) -> Iterator[Attack]:
    if check.status is Status.PASS:
        return  # what is within the limit needs no remedy
    for each in reconstructions.measured(check):
        yield Attack(f"remedy-{each.remedy}", Group.REMEDIES, _found(each), threshold=check.threshold)


def _rebuilt(check: ToldCheck) -> Iterator[Attack]:
    """What is rebuilt, against one other record: only between two records is guessing right 50 times in 100."""
    derived, played_of = check.derived_as(rebuilding.Derived), check.observed_as(Played)
    if derived is None or played_of is None or not played_of.tallies:
        return
    found = []
    for each in played_of.tallies:
        won, games = each.of_two.wins + each.of_two.ties_won, each.of_two.games
        limits = clopper_pearson(won, games, confidence=derived.level)
        found.append(_folded(won / games, (limits.low, limits.high)))
    yield Attack(f"rebuild-{check.id.partition('.')[2]}", Group.REBUILDING, max(found, key=_strength))


def _of_log(told: Told, threshold: float | None) -> Iterator[Attack]:
    found = on_log(told)
    if found is not None:
        yield Attack("game-log", Group.GAMES, _folded(found.success, found.interval), threshold=threshold)


def on_log(told: Told) -> LogResult | None:
    """What the attack on the log's own releases found; None where none was made."""
    check = next((each for each in told.checks if each.id == CHECKS[0]), None)
    return check.derived.on_log if check is not None and isinstance(check.derived, Derived | OfLog) else None


def in_brief(told: Told) -> tuple[str, ...]:
    """Say in a line what deleting shows to whom: who was deleted, by the attack that found most, and what can be rebuilt."""
    return tuple(said for check in told.checks if check.id in TELLING for said in TELLING[check.id].in_brief(told, check))


def _played_in_brief(told: Told, check: ToldCheck) -> Iterator[str]:
    """Say it of the check whose attack found most, of all whose games were played."""
    found = [
        (each, attack.found) for each in played(told) for attack in (*_standard(each), *_own(each)) if attack.found is not None
    ]
    if not found:
        return
    first, best = max(found, key=lambda each: _strength(each[1]))
    if first is check:
        limits = None if best.limits is None else (best.limits.low, best.limits.high)
        yield text("pipeline-games", knows=check.id.partition(".")[2], right=of_100(best.share, limits))


def _rebuilt_in_brief(_told: Told, check: ToldCheck) -> Iterator[str]:
    derived = check.derived_as(rebuilding.Derived)
    if derived is not None and derived.attacks:
        best = max(derived.attacks, key=lambda each: each.success)
        right = reconstructions.won(best)
        yield text("pipeline-rebuilt", kind=check.id.partition(".")[2], right=right, chance=guesses.about(derived.chance))


def sentences(told: Told) -> tuple[str, ...]:
    """Say in plain words what the games mean, and what would help."""
    return (*_log_said(told), *_remedies_said(told), *_rebuilding_said(told))


def _log_said(told: Told) -> Iterator[str]:
    found = on_log(told)
    check = next((each for each in told.checks if each.id == CHECKS[0]), None)
    seen = None if check is None else check.observed_as(Observed)
    if found is not None and seen is not None and seen.log is not None:
        records, guessed = seen.log.records, f"{found.by_guessing * seen.log.records:.1f}"
        first = round(found.share * records)
        yield text("games-on-log", first=first, count=records, guessed=guessed, decoys=str(seen.log.decoys))


def _remedies_said(told: Told) -> Iterator[str]:
    for check in played(told)[:1]:
        measured = reconstructions.measured(check)
        enough = [reconstructions.named(each) for each in measured if each.enough]
        if check.threshold is not None and measured and check.status is not Status.PASS:
            most = guesses.at_most(check.threshold)
            if enough:
                yield text("games-remedies-enough", remedies=reconstructions.in_a_row(enough), most=most)
            else:
                yield text("games-remedies-none", most=most)
        seen = check.observed_as(Observed)
        if seen is not None and seen.private is not None:
            yield from _private_said(seen.private)


def _rebuilding_said(told: Told) -> Iterator[str]:
    """Which remedies keep rebuilding within the limit, where it is not kept."""
    for check in told.checks:
        found = reconstructions.measured(check) if check.id in REBUILDING and check.status is not Status.PASS else ()
        if found and check.threshold is not None:
            given = {"kind": check.id.partition(".")[2], "most": guesses.at_most(check.threshold)}
            enough = [reconstructions.named(each) for each in found if each.enough]
            if enough:
                yield text("games-rebuilding-enough", **given, remedies=reconstructions.in_a_row(enough))
            else:
                yield text("games-rebuilding-none", **given)


def decisive(check: ToldCheck) -> tuple[float, ...]:
    """Shares that the attacks won of the games that decide."""
    derived = check.derived_as(Derived)
    return () if derived is None else tuple(each.success for each in (*derived.standard, *derived.own))


def _private_said(private: PrivateTraining) -> Iterator[str]:
    if records := private.records:
        accuracy, own = guesses.about(private.right / records), guesses.about(private.own_right / records)
        yield text("games-private", epsilon=f"{private.epsilon:g}", accuracy=accuracy, own=own)


def rows(check: ToldCheck) -> tuple[Row, ...]:
    """Every attack in the standard game, for the annex, the one that won most first."""
    derived = check.derived_as(Derived)
    standard = () if derived is None else derived.standard
    return tuple(_row(each) for each in sorted(standard, key=lambda each: -each.success))


def _row(won: Success) -> Row:
    return Row(
        attack=ATTACKS.get(won.attack, wording.short(won.attack, 34)),
        games=won.games,
        right=of_100(won.success, (won.low, won.high)),
        ties=guesses.about(won.ties),
        not_lost=guesses.about(won.wins_or_ties),
    )


def _found(won: Success | Remedied) -> Found:
    return _folded(won.success, (won.low, won.high))


def _folded(share: float, ends: tuple[float, float]) -> Found:
    """Right guesses of whichever side was named more often: what is always wrong tells as much as what is always right."""
    return of_advantage(2 * share - 1, (2 * ends[0] - 1, 2 * ends[1] - 1))


def _strength(found: Found) -> float:
    return found.share


def _compared(check: ToldCheck) -> Iterator[Attack]:
    """The attack on what the log's own deletions changed in the model."""
    if (found := of_share(check.value, check.interval)) is not None:
        derived = check.derived_as(inference_difference.Derived)
        yield Attack(
            "difference",
            Group.COMPARING,
            found,
            threshold=None if check.threshold is None else share_of(check.threshold),
            noticed=None if derived is None else derived.noticed,
        )


def _rebuilding_shares(check: ToldCheck) -> tuple[float, ...]:
    return (reconstructions.best(check),)


GAMES: Final = attacks
TELLING: Final = {
    inference_difference.CARD.id: Telling(attacks=_compared),
    **{name: Telling(shares=decisive, in_brief=_played_in_brief) for name in CHECKS},
    **{
        name: Telling(shares=_rebuilding_shares, chance=reconstructions.chance, in_brief=_rebuilt_in_brief) for name in REBUILDING
    },
}
