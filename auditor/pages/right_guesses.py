"""Reads the promise and every attack as right guesses out of 100: what the main report shows of them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from typing import Final

from auditor.base.domain import Interval, Status
from auditor.base.parts import modules
from auditor.pages.words import guesses
from auditor.pages.words.rendered_evidence import Told, ToldCheck
from auditor.pages.words.texts import text
from auditor.verdict.checks.card import Role
from auditor.verdict.checks.readings import AttackOnLog, Picking

BLIND: Final = 0.5
"""The share of right guesses of anybody who knows nothing."""
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
    """What is known of right guesses about one model."""

    side: Side
    found: Found | None
    """By the best attack on one record; None where none was made."""
    most: float | None
    """The share of right guesses that is not exceeded; None where nothing limits it."""
    trial: bool = True
    """Whether the best attack was made on models of a trial, not on what was released."""


class Group(StrEnum):
    """What attacks were made on, in the order in which pages list them."""

    ANSWERS = "answers"
    """Answers that the controller wrote down."""
    TRIAL = "trial"
    """Models made in the same way, with records like the deleted ones."""
    RELEASE = "release"
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
    adaptive: bool = False
    """Whether who attacks chose what to delete by the models before."""
    outcome: str = ""
    """Of one whose outcome is no number of guesses: of its message in the catalogue."""


def _no_attacks(_check: ToldCheck) -> Iterable[Attack]:
    return ()


def _no_sides(_check: ToldCheck) -> Mapping[Side, Found | None]:
    return {}


def _no_shares(_check: ToldCheck) -> tuple[float, ...]:
    return ()


def _even(_check: ToldCheck) -> float:
    return BLIND


def _nothing_said(_told: Told, _check: ToldCheck) -> Iterable[str]:
    return ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Telling:
    """What a part says of one of its checks where pages ask: each only where there is something to say."""

    attacks: Callable[[ToldCheck], Iterable[Attack]] = _no_attacks
    """The attacks that it judges by, the one that found most first."""
    sides: Callable[[ToldCheck], Mapping[Side, Found | None]] = _no_sides
    """Of a check with the role `ATTACKS_RECORDS`: what its best attack found of each side."""
    shares: Callable[[ToldCheck], tuple[float, ...]] = _no_shares
    """Of a check that judges games: the shares that its attacks won, of which the largest decides."""
    chance: Callable[[ToldCheck], float] = _even
    """Of such a check: the share that guessing wins."""
    in_brief: Callable[[Told, ToldCheck], Iterable[str]] = _nothing_said
    """What it found, in plain sentences for a terminal."""


_NOTHING: Final = Telling()
_ORDER: Final = tuple(Group)
_MOST_OF_TRIAL: Final = 4
"""The attacks of the trial that are drawn where games are drawn on the same axis: a page has room for so many."""


@cache
def _tellings() -> Mapping[str, Telling]:
    """Collect what parts say of their checks.

    Raises:
        ValueError: If two bring one for the same check.
    """
    found: dict[str, Telling] = {}
    for module in modules("tellings"):
        if twice := found.keys() & module.TELLING.keys():
            raise ValueError(f"two modules bring a Telling for {min(twice)}")
        found |= module.TELLING
    return found


def of(check: ToldCheck) -> Telling:
    """Give what a part says of a check where pages ask."""
    return _tellings().get(check.id, _NOTHING)


def promised(told: Told) -> float | None:
    """Bound the share of right guesses about one person by the best promise that holds; None where none does."""
    return min((each.share for each in told.guarantees if each.share is not None), default=None)


def falls_short(told: Told) -> bool:
    """Whether a bound on what is left exceeds what was promised: too weak a proof, which shows nothing of the model."""
    bounds = (check for check in told.checks if not check.card.roles.isdisjoint({Role.PROVES, Role.ADAPTIVE}))
    return any(
        check.status is Status.FAIL and check.value is not None and Role.EXAMINES_FILE not in check.card.roles for check in bounds
    )


def sides(told: Told) -> tuple[Row, ...]:
    """Give this model, one that was left alone, and one that was retrained, each with the best attack on one record."""
    rows: dict[Side, Found | None] = dict.fromkeys(Side)
    for check in told.checks:
        if Role.ATTACKS_RECORDS in check.card.roles and check.value is not None:
            rows |= of(check).sides(check)
    comparing = (each.found for each in attacks(told) if each.group is Group.COMPARING)
    on_trial = rows[Side.THIS]
    best = max((each for each in (on_trial, *comparing) if each is not None), key=lambda each: each.share, default=None)
    most = {Side.THIS: promised(told), Side.UNCHANGED: None, Side.RETRAINED: BLIND}
    return tuple(
        Row(side, best, most[side], best is on_trial) if side is Side.THIS else Row(side, rows[side], most[side]) for side in Side
    )


def trial_is_blind(rows: tuple[Row, ...]) -> bool:
    """Whether the trial found no more in a model that was left unchanged than chance allows in a retrained one."""
    found = {row.side: row.found for row in rows}
    unchanged, retrained = found.get(Side.UNCHANGED), found.get(Side.RETRAINED)
    if unchanged is None or retrained is None or unchanged.limits is None or retrained.limits is None:
        return False
    return unchanged.limits.low <= retrained.limits.high


def any_number(told: Told) -> bool:
    """Whether anything in numbers is promised of this model, or was found by an attack."""
    return promised(told) is not None or any(each.found is not None for each in sides(told))


def best_attack(row: Row) -> str:
    """Say how often the best attack guessed right, with its interval; that there was none where no attack gave a number."""
    on = "promise-found-trial" if row.trial else "promise-found"
    by = "promise-found-chance" if row.side is Side.RETRAINED else on
    if row.found is None:
        return text("promise-found-none")
    if row.found.limits is None:
        return text(by, value=guesses.about(row.found.share))
    low, high = guesses.between(row.found.limits)
    said = text(f"{by}-between", value=guesses.about(row.found.share), low=low, high=high)
    by_chance = row.side is Side.THIS and row.most is not None and row.found.limits.low <= row.most < row.found.share
    return f"{said} {text('promise-found-within')}" if by_chance else said


def limit(row: Row) -> str:
    """Say what share of right guesses is not exceeded."""
    if row.side is not Side.THIS:
        return text(f"promise-most-{row.side.value}")
    return text("promise-most-none") if row.most is None else text("promise-most", most=guesses.at_most(row.most))


def attacks(told: Told) -> tuple[Attack, ...]:
    """List every attack that was made, games aside, group by group."""
    made = [each for check in told.checks for each in of(check).attacks(check)]
    return tuple(sorted(made, key=lambda each: (_ORDER.index(each.group), each.adaptive)))


def games(told: Told) -> tuple[Attack, ...]:
    """List the games about deletions that were played, as such, varied and under remedies."""
    return tuple(each for module in modules("tellings") if hasattr(module, "GAMES") for each in module.GAMES(told))


def deleting(told: Told) -> float | None:
    """Give what the best attack won of the games that name the deleted one of two records; None where none was played."""
    played = (check for check in told.checks if Role.NAMES_DELETED in check.card.roles and check.value is not None)
    return max(
        (share for check in played for share in of(check).shares(check)), key=lambda share: abs(share - BLIND), default=None
    )


def on_log(told: Told) -> Picking | None:
    """Give the attack on the log's own releases, before and after a deletion; None where none was made."""
    for check in told.checks:
        seen = check.observed
        if Role.ATTACKS_LOG in check.card.roles and isinstance(seen, AttackOnLog):
            return seen.log
    return None


def beside(told: Told) -> tuple[Attack, ...]:
    """List the other attacks, the strongest of the trial alone where games are drawn on the same axis."""
    others = attacks(told)
    trial = sorted(
        (each for each in others if each.group is Group.TRIAL), key=lambda each: -each.found.share if each.found else 0
    )
    left = trial[_MOST_OF_TRIAL:] if games(told) else []
    return tuple(each for each in others if each not in left)


def in_brief(told: Told) -> tuple[str, ...]:
    """Say in plain sentences what attacks, bounds and games found, check by check."""
    return tuple(said for check in told.checks for said in of(check).in_brief(told, check))


def adaptive(told: Told) -> bool:
    """Whether somebody who chooses what to delete by the models before was played."""
    return any(each.adaptive for each in attacks(told))


def of_advantage(value: float, ends: tuple[float, float] | None) -> Found:
    """Turn a signed advantage with its interval into right guesses: one always wrong tells as much as one always right."""
    limits = None
    if ends is not None:
        low, high = ends
        limits = Interval(share_of(max(0.0, low, -high)), share_of(max(abs(low), abs(high))))
    return Found(share_of(abs(value)), limits)


def of_share(share: float | None, ends: tuple[float, float] | None) -> Found | None:
    """Turn a share named right, which may lie below one half, into right guesses."""
    if share is None:
        return None
    return of_advantage(2 * share - 1, None if ends is None else (2 * ends[0] - 1, 2 * ends[1] - 1))


def share_of(advantage: float) -> float:
    """Turn an advantage, at least 0, into the share of right guesses."""
    return (1 + min(1.0, advantage)) / 2
