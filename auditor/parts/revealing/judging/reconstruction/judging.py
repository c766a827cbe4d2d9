"""What counted reconstruction games come to: shares, intervals, the status, and which epsilon they refute.

The named attack gives the value. Every attack of the check has a say, at a level that holds for all of them together
(Bonferroni): a pass takes each of them to stay at or under the limit, and a failure takes one that is above it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Final

from pydantic import Field

from auditor.base.domain import Interval, Message, Status
from auditor.document.evidence import Evidence
from auditor.maths.statistics import clopper_pearson
from auditor.parts.revealing.judging.reconstruction.observed import DECOYS, InstanceObserved, LabelObserved, Played, Tally, Wins
from auditor.parts.revealing.rules.compliance import epsilon_lower
from auditor.settings.attestations import HONEST
from auditor.verdict.checks.context import Context
from auditor.verdict.checks.deleting import QUICK_GAMES, Counted, fail_if_certain, levels_of_games, limit, unplayable
from auditor.verdict.checks.finding import Earlier, Finding, Values, skipped
from auditor.verdict.checks.levels import Level
from auditor.verdict.checks.remedies import Remedied, judged, said


def wanted(applies: Callable[[Context, Earlier], Message | None]) -> Callable[[Context], bool]:
    """Whether the policy limits what may be rebuilt, and the check has something to say about the case."""
    return lambda context: limit(context, "reconstruction") is not None and applies(context, {}) is None


INCOMPLETE: Final = "reconstruction.incomplete"
_SHOWS: Final = "show_reconstructions"
"""The key of the policy that lets pictures be kept."""


class Success(Values):
    """The success of one attack."""

    attack: str
    games: int
    success: float
    """The share of games in which the guess was nearest to the deleted record, ties by a fair draw."""
    low: float
    high: float
    ties: float
    """The share of games that the draw decided."""
    of_two: float
    """The share of games in which the guess was nearer to the deleted record than to one decoy."""


class Derived(Values):
    """What the games come to."""

    games: int
    decoys: int
    chance: float
    """The share that guessing wins."""
    confidence: float
    """As declared."""
    level: float
    """The confidence of each interval, so that all hold at once at the declared one."""
    attack: str
    """The named attack, whose success is the value."""
    strongest: str
    attacks: tuple[Success, ...]
    epsilon_lower: float
    """No weak deletion compliance with a smaller epsilon (Theorems 4.2 and 5.2), by the largest lower limit against one decoy."""
    blank: float
    """The share of games in which the named attack had nothing to go by."""
    remedies: tuple[Remedied, ...] = Field(default=(), exclude_if=lambda value: not value)
    """What would show less, measured; none where nothing has to be remedied."""


def derived(context: Context, observed: Played) -> Derived:
    """Work out shares and intervals of games that were played."""
    confidence = context.inference.confidence
    level = 1 - (1 - confidence) / len(observed.tallies)
    attacks = tuple(_success(each, level) for each in observed.tallies)
    of_two = [clopper_pearson(each.of_two.right, each.games, confidence=level).low for each in observed.tallies]
    return Derived(
        games=observed.games,
        decoys=observed.decoys,
        chance=1 / (1 + observed.decoys),
        confidence=confidence,
        level=level,
        attack=attacks[0].attack,
        strongest=max(attacks, key=lambda each: each.success).attack,
        attacks=attacks,
        epsilon_lower=epsilon_lower(max(of_two)),
        blank=observed.blank / observed.games,
        remedies=tuple(
            judged(each.remedy, each.tallies, confidence=confidence, largest=limit(context, "reconstruction"), of_two=False)
            for each in observed.under
        ),
    )


def share(wins: Wins) -> float:
    """The share of games won."""
    return wins.right / wins.games


def _success(tally: Tally, level: float) -> Success:
    interval = clopper_pearson(tally.right, tally.games, confidence=level)
    return Success(
        attack=tally.attack,
        games=tally.games,
        success=share(tally),
        low=interval.low,
        high=interval.high,
        ties=tally.ties / tally.games,
        of_two=share(tally.of_two),
    )


def unplayed(context: Context, observed: Played, names: Sequence[str]) -> Finding | None:
    """What becomes of games that were not played, or not by the attacks that have to; None where they were."""
    largest = limit(context, "reconstruction")
    if observed.unplayable is not None:
        why = unplayable(observed.unplayable, records=context.case.training_records)
        cause = Message("deleting.not-played", {"why": why})
        return skipped(cause) if largest is None else Finding(Status.INCONCLUSIVE, threshold=largest, reasons=(cause,))
    if [each.attack for each in observed.tallies] != list(names):
        return Finding(Status.INCONCLUSIVE, threshold=largest, reasons=(Message(INCOMPLETE),))
    return None


def decide(attacks: Sequence[Success], largest: float) -> Status:
    """Fail where an attack wins more than the limit for certain; pass where none does for certain.

    Args:
        attacks: With intervals that hold at once.
        largest: The share of games that may be won.
    """
    if any(each.low > largest for each in attacks):
        return Status.FAIL
    return Status.PASS if all(each.high <= largest for each in attacks) else Status.INCONCLUSIVE


def holds(context: Context, tallies: Sequence[Tally]) -> bool:
    """Whether games keep within the limit of the policy, or there is none: then nothing has to be remedied."""
    largest = limit(context, "reconstruction")
    level = 1 - (1 - context.inference.confidence) / len(tallies)
    return largest is None or decide([_success(each, level) for each in tallies], largest) is Status.PASS


def concluded(context: Context, observed: Played, found: Derived, *more: Message, test: str) -> Finding:
    """Hold every attack against the limit of the policy; without a limit the games inform.

    Args:
        context: What was declared.
        observed: The games.
        found: What they come to, with what is particular to the check.
        more: What else the check has to say.
        test: The share of the level at which its attacks fail a case.
    """
    largest = limit(context, "reconstruction")
    counted = [(each.right, each.games) for each in observed.tallies]
    status, why = _decided(context, found, counted, largest, test=test)
    remedies = said(found.remedies, status, some="reconstruction.remedies", none="reconstruction.no-remedy")
    first = found.attacks[0]
    return Finding(
        status=status,
        value=first.success,
        interval=Interval(first.low, first.high),
        threshold=largest,
        reasons=(*_reasons(observed, found), *more, *why, *remedies),
        derived=found,
    )


def _decided(
    context: Context, found: Derived, counted: Sequence[Counted], largest: float | None, *, test: str
) -> tuple[Status, tuple[Message, ...]]:
    if largest is None:
        return Status.SKIPPED, (Message("deleting.informative", {"key": "max_reconstruction"}),)
    if context.quick:
        return Status.INCONCLUSIVE, (Message("deleting.quick"),)
    status = decide(found.attacks, largest)
    if status is Status.FAIL:
        higher = [each.attack for each in found.attacks if each.low > largest]
        return fail_if_certain(counted, largest, Message("reconstruction.above", {"attacks": higher}), test=test)
    if status is Status.PASS and context.procedure.foreign and not context.attests(HONEST):
        return Status.INCONCLUSIVE, (Message("reconstruction.foreign", {"word": HONEST}),)
    if status is Status.INCONCLUSIVE:
        return status, (Message("deleting.too-few"),)
    return status, ()


def _reasons(observed: Played, found: Derived) -> Iterator[Message]:
    first = found.attacks[0]
    given = {
        "games": found.games,
        "right": observed.tallies[0].right,
        "decoys": found.decoys,
        "trained": observed.trained,
        "attack": first.attack,
        "of": len(found.attacks),
        "chance": found.chance,
    }
    yield Message("reconstruction.played", given)
    if first.ties == 1:
        yield Message("reconstruction.all-ties")
    elif first.ties:
        yield Message("reconstruction.ties", {"ties": first.ties})
    if found.strongest != found.attack:
        strongest = next(each for each in found.attacks if each.attack == found.strongest)
        yield Message("reconstruction.strongest", {"attack": strongest.attack, "success": strongest.success})
    if found.epsilon_lower > 0:
        yield Message("reconstruction.refuted", {"epsilon": found.epsilon_lower})


def levels(context: Context, observed: Any, finding: Finding, *, test: str) -> tuple[Level, ...]:
    """Declare what the games are held to."""
    if context.quick or not isinstance(finding.derived, Derived):
        return ()
    counted = [(each.right, each.games) for each in observed.tallies]
    return levels_of_games(finding, counted, test=test, confidence=context.inference.confidence)


def contradictions(evidence: Evidence, seen: Any, _others: Mapping[str, Values]) -> Iterator[str]:
    """Games are as many as declared, fewer in a quick run alone, with as many decoys as there are; a picture is one allowed."""
    if seen.unplayable is not None:
        return
    declared = evidence.sizes.inference.games
    if seen.games != (min(declared, QUICK_GAMES) if evidence.audit.quick else declared):
        yield f"{seen.games} games were played, {declared} are declared"
    if not seen.trained < evidence.case.training_records:
        yield f"sets of {seen.trained} records were learned, of {evidence.case.training_records} in all"
    each_class = isinstance(seen, LabelObserved) and evidence.case.task == "classification"
    decoys = evidence.case.classes - 1 if each_class else DECOYS
    if seen.decoys != decoys:
        yield f"guesses were held against {seen.decoys} decoys, there are {decoys}"
    if each_class:
        first = seen.tallies[0]
        if (sum(one.games for one in seen.classes), sum(one.right for one in seen.classes)) != (first.games, first.right):
            yield "the games of all classes are not those of the named attack"
    if isinstance(seen, InstanceObserved) and seen.picture is not None and not evidence.policy.settings.get(_SHOWS):
        yield "a deleted picture was kept, and the policy shows none"
