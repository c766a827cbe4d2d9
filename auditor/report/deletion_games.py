"""Reads what deletion games found: what an outsider learns from the act of deleting, and what would show less of it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from auditor.domain import Interval, Status
from auditor.report import guessing, readings, reconstructions, tables, wording
from auditor.report.estimates import Estimate
from auditor.report.guessing import Attack, Found, Group, of_advantage
from auditor.statistics import clopper_pearson
from auditor.words import guesses
from auditor.words.inference import ATTACKS
from auditor.words.texts import text
from auditor.words.told import Told, ToldCheck

CHECKS: Final = ("inference.example", "inference.instance")
REBUILDING: Final = ("reconstruction.label", "reconstruction.instance", "reconstruction.sentence")
MOST_OF_TRIAL: Final = 4
VARIANTS: Final = ("one", "hidden", "chosen")
"""Variants of the standard game that make no remedy."""
SHOWN_ELSEWHERE: Final = ("standard", "variants", "remedies", "tallies", "log", "on_log", "private", "attack", "strongest")
"""Details that have a place of their own in print."""


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
        *_varied(first),
        *_of_log(told, first.threshold),
        *_remedied(first),
        *rebuilt,
    )


def beside(told: Told) -> tuple[Attack, ...]:
    """The other attacks, the strongest of the trial alone where games are drawn on the same axis: a page has room for so many."""
    others, drawn = guessing.attacks(told), bool(attacks(told))
    trial = sorted(
        (each for each in others if each.group is Group.TRIAL), key=lambda each: -each.found.share if each.found else 0
    )
    left = trial[MOST_OF_TRIAL:] if drawn else []
    return tuple(each for each in others if each not in left)


def _standard(check: ToldCheck) -> Iterator[Attack]:
    rows = [each for each in map(_found, tables.records(check.details.get("standard"))) if each is not None]
    if rows:
        best = max(rows, key=_strength)
        noticed = readings.finite(check.details.get("noticed"))
        name = "game-example" if check.id == CHECKS[0] else "game-instance"
        yield Attack(name, Group.GAMES, best, threshold=check.threshold, noticed=noticed)


def _varied(check: ToldCheck) -> Iterator[Attack]:
    entries = tables.records(check.details.get("variants"))
    for variant in VARIANTS:
        rows = [each for entry in entries if entry.get("variant") == variant and (each := _found(entry)) is not None]
        if rows:
            yield Attack(f"game-{variant}", Group.GAMES, max(rows, key=_strength), threshold=check.threshold)


def _remedied(check: ToldCheck) -> Iterator[Attack]:
    if check.status is Status.PASS:
        return  # what is within the limit needs no remedy
    for entry in tables.records(check.details.get("remedies")):
        found, name = _found(entry), readings.words(entry.get("remedy"))
        if found is not None and name:
            yield Attack(f"remedy-{name}", Group.REMEDIES, found, threshold=check.threshold)


def _rebuilt(check: ToldCheck) -> Iterator[Attack]:
    """What is rebuilt, against one other record: only between two records is guessing right 50 times in 100."""
    confidence, found = readings.finite(check.details.get("level")), []
    for entry in tables.records(check.details.get("tallies")):
        of_two = entry.get("of_two")
        counts = [readings.count(of_two.get(key)) for key in ("wins", "ties_won", "games")] if isinstance(of_two, Mapping) else []
        if confidence is not None and len(counts) == 3 and None not in counts:
            wins, ties_won, games = (each or 0 for each in counts)
            if 0 < games >= wins + ties_won:
                limits = clopper_pearson(wins + ties_won, games, confidence=confidence)
                found.append(_folded(Estimate((wins + ties_won) / games, (limits.low, limits.high))))
    drawn = [each for each in found if each is not None]
    if drawn:
        yield Attack(f"rebuild-{check.id.partition('.')[2]}", Group.REBUILDING, max(drawn, key=_strength))


def _of_log(told: Told, threshold: float | None) -> Iterator[Attack]:
    found = on_log(told)
    share = None if found is None else readings.finite(found.get("success"))
    ends = None if found is None else readings.ends(found.get("interval"))
    if share is not None and ends is not None:
        yield Attack("game-log", Group.GAMES, _folded(Estimate(share, ends)), threshold=threshold)


def on_log(told: Told) -> Mapping[str, Any] | None:
    """What the attack on the log's own releases came to; None where none was made."""
    check = next((each for each in told.checks if each.id == CHECKS[0]), None)
    found = None if check is None else check.details.get("on_log")
    return found if isinstance(found, Mapping) else None


def in_brief(told: Told) -> tuple[str, ...]:
    """Say in a line what deleting shows to whom: who was deleted, by the attack that found most, and what can be rebuilt."""
    found = [(check, attack.found) for check in played(told) for attack in _standard(check) if attack.found is not None]
    said = []
    if found:
        check, best = max(found, key=lambda each: _strength(each[1]))
        said.append(text("pipeline-games", knows=check.id.partition(".")[2], right=_of_100(best.share, best.limits)))
    return (*said, *(each for check in told.checks if check.id in REBUILDING for each in _rebuilt_in_brief(check)))


def _rebuilt_in_brief(check: ToldCheck) -> Iterator[str]:
    entries = [
        (share, each) for each in tables.records(check.details.get("attacks")) if (share := _estimate(each)).value is not None
    ]
    chance = readings.finite(check.details.get("chance"))
    if entries and chance is not None:
        best, _ = max(entries, key=lambda each: each[0].value or 0.0)
        limits = None if best.ends is None else Interval(*best.ends)
        given = {"kind": check.id.partition(".")[2], "right": _of_100(best.value or 0.0, limits), "chance": guesses.about(chance)}
        yield text("pipeline-rebuilt", **given)


def _of_100(share: float, limits: Interval | None) -> str:
    if limits is None:
        return guesses.about(share)
    low, high = guesses.between(limits)
    return text("attacks-figure-between", value=guesses.about(share), low=low, high=high)


def sentences(told: Told) -> tuple[str, ...]:
    """Say in plain words what the games mean, and what would help."""
    return (*_log_said(told), *_remedies_said(told), *_rebuilding_said(told))


def _log_said(told: Told) -> Iterator[str]:
    found = on_log(told)
    check = next((each for each in told.checks if each.id == CHECKS[0]), None)
    seen = None if check is None else check.details.get("log")
    if found is None or not isinstance(seen, Mapping):
        return
    records = readings.count(seen.get("records"))
    share, guessed = readings.finite(found.get("share")), readings.finite(found.get("by_guessing"))
    if records and share is not None and guessed is not None:
        first = round(share * records)
        yield text("games-on-log", first=first, count=records, guessed=f"{guessed * records:.1f}", decoys=str(seen.get("decoys")))


def _remedies_said(told: Told) -> Iterator[str]:
    for check in played(told)[:1]:
        entries = tables.records(check.details.get("remedies"))
        enough = [reconstructions.named(entry) for entry in entries if entry.get("enough") is True]
        if check.threshold is not None and entries and check.status is not Status.PASS:
            most = guesses.at_most(check.threshold)
            if enough:
                yield text("games-remedies-enough", remedies=reconstructions.in_a_row(enough), most=most)
            else:
                yield text("games-remedies-none", most=most)
        private = check.details.get("private")
        if isinstance(private, Mapping):
            yield from _private_said(private)


def _rebuilding_said(told: Told) -> Iterator[str]:
    """Which remedies keep rebuilding within the limit, where it is not kept."""
    for check in told.checks:
        found = reconstructions.remedies(check) if check.id in REBUILDING and check.status is not Status.PASS else ()
        if found and check.threshold is not None:
            given = {"kind": check.id.partition(".")[2], "most": guesses.at_most(check.threshold)}
            enough = [each.name for each in found if each.enough]
            if enough:
                yield text("games-rebuilding-enough", **given, remedies=reconstructions.in_a_row(enough))
            else:
                yield text("games-rebuilding-none", **given)


def decisive(check: ToldCheck) -> tuple[float, ...]:
    """Shares of standard games that the attacks won, which decide."""
    found = (readings.finite(each.get("success")) for each in tables.records(check.details.get("standard")))
    return tuple(each for each in found if each is not None)


def _private_said(private: Mapping[str, Any]) -> Iterator[str]:
    counts = [readings.count(private.get(key)) for key in ("right", "own_right", "records")]
    epsilon = readings.finite(private.get("epsilon"))
    right, own, records = counts
    if right is None or own is None or not records or epsilon is None:
        return
    yield text("games-private", epsilon=f"{epsilon:g}", accuracy=guesses.about(right / records), own=guesses.about(own / records))


def rows(check: ToldCheck) -> tuple[Row, ...]:
    """Every attack in the standard game, for the annex, the one that won most first."""
    entries = [(_estimate(each), each) for each in tables.records(check.details.get("standard"))]
    return tuple(_row(won, each) for won, each in sorted(entries, key=lambda pair: -(pair[0].value or 0.0)))


def _row(won: Estimate, entry: Mapping[str, Any]) -> Row:
    name, limits = readings.words(entry.get("attack")), None if won.ends is None else Interval(*won.ends)
    right = "–" if won.value is None else _of_100(won.value, limits)
    ties, not_lost = (readings.finite(entry.get(key)) for key in ("ties", "wins_or_ties"))
    return Row(
        attack=ATTACKS.get(name, wording.short(name, 34)),
        games=readings.count(entry.get("games")) or 0,
        right=right,
        ties="–" if ties is None else guesses.about(ties),
        not_lost="–" if not_lost is None else guesses.about(not_lost),
    )


def _estimate(entry: Mapping[str, Any]) -> Estimate:
    """The share of games that an attack won, with its limits."""
    return Estimate(readings.finite(entry.get("success")), readings.ends((entry.get("low"), entry.get("high"))))


def _found(entry: Mapping[str, Any]) -> Found | None:
    return _folded(_estimate(entry))


def _folded(won: Estimate) -> Found | None:
    """Right guesses of whichever side was named more often: what is always wrong tells as much as what is always right."""
    if won.value is None:
        return None
    ends = None if won.ends is None else (2 * won.ends[0] - 1, 2 * won.ends[1] - 1)
    return of_advantage(Estimate(2 * won.value - 1, ends))


def _strength(found: Found) -> float:
    return found.share
