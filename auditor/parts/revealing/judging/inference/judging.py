"""What counted games of deletion inference come to: shares, intervals, the status, and which epsilon they refute.

The named algorithm gives the value. Every adversary of the family has a say, at a level that holds for all of them together
(Bonferroni): a pass takes each of them to stay at or under the limit, and a failure takes one that is above it. Where up to k
deletions are declared, each has a say in the games with deletions of its own too: they can keep a check from passing, or fail it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final

from pydantic import Field

from auditor.base.domain import Interval, Message, Status
from auditor.document.evidence import Evidence
from auditor.maths.certificates import derive
from auditor.maths.statistics import clopper_pearson, guessing_noticed
from auditor.parts.revealing.judging.inference.observed import Observed, Tally, Variant, View
from auditor.parts.revealing.judging.log_attack import LOG, LogAttack, LogResult, result, speaks_against
from auditor.parts.revealing.rules.compliance import KIND, epsilon_lower
from auditor.settings.attestations import HONEST
from auditor.verdict.checks import stated
from auditor.verdict.checks.context import Context
from auditor.verdict.checks.deleting import QUICK_GAMES, Counted, fail_if_certain, levels_of_games, limit, unplayable
from auditor.verdict.checks.finding import Finding, Values, skipped
from auditor.verdict.checks.levels import Level, spent
from auditor.verdict.checks.remedies import REMEDIES, Remedied, Remedy, judged, said


def measured(tallies: Iterable[Tally], *, confidence: float, largest: float | None) -> tuple[Remedied, ...]:
    """Judge every remedy that games were played under.

    Args:
        tallies: Of one check.
        confidence: That the limits of each remedy hold for all its attacks.
        largest: The share of games that may be won.
    """
    known = tuple(tallies)
    return tuple(
        judged(remedy, played, confidence=confidence, largest=largest, of_two=True)
        for remedy in REMEDIES
        if (played := tuple(_under(remedy, known)))
    )


def _under(remedy: Remedy, tallies: Sequence[Tally]) -> Iterator[Tally]:
    for each in tallies:
        if remedy in {"labels", "rounded"}:
            if each.variant == "two" and each.view == remedy:
                yield each
        elif each.variant == remedy and each.view == "scores":
            yield each


GUESS: Final = 0.5
OWN: Final[tuple[Variant, ...]] = ("own-before", "own-after")
"""What decides together with the standard game where somebody asks for deletions of their own."""


class Success(Values):
    """The success of one attack in one variant, through one view."""

    attack: str
    variant: Variant
    view: View
    games: int
    success: float
    """The share of games won, ties by a fair coin."""
    low: float
    high: float
    ties: float
    """The share of games that the coin decided."""
    wins_or_ties: float
    """The share of games not lost: what some tables print as success."""


class Derived(Values):
    """What the games come to."""

    games: int
    confidence: float
    """As declared."""
    level: float
    """The confidence of each interval, so that all of the standard game hold at once at the declared one."""
    attack: str
    """The named algorithm, whose success is the value."""
    strongest: str
    """The attack with the largest share of standard games won."""
    standard: tuple[Success, ...]
    """Every attack in the standard game, all answers seen: these decide."""
    deletions: int = Field(default=1, exclude_if=lambda value: value == 1)
    """Up to how many an adversary sees, all but one of its own choice."""
    own: tuple[Success, ...] = Field(default=(), exclude_if=lambda value: not value)
    """Every attack where it asks for deletions of its own: these decide with the standard game."""
    variants: tuple[Success, ...]
    """Other variants and views, each for itself: these inform."""
    epsilon_lower: float
    """No weak deletion compliance with a smaller epsilon (Theorem 5.2) for up to so many deletions, by the best lower limit."""
    noticed: float | None
    """The success from which on the interval would have lain above one half four times in five; None if no success."""
    remedies: tuple[Remedied, ...]
    """What would show less, measured."""
    on_log: LogResult | None
    """What the log's own releases show; None where they were not attacked."""


class OfLog(Values):
    """What the log's own releases show, where no game was played."""

    on_log: LogResult


def judge(context: Context, observed: Observed, *, names: Sequence[str], test: str) -> Finding:
    """Hold every attack against the limit of the policy; without a limit the games inform.

    Args:
        context: What was declared.
        observed: The games.
        names: The attacks that have to have played, the named algorithm first.
        test: The share of the level at which they fail a case.
    """
    largest, confidence = limit(context, "inference"), context.inference.confidence
    on_log = None if observed.log is None else result(observed.log, confidence=confidence)
    if observed.unplayable == "not-asked":
        why_not, found = Message("deleting.not-asked"), None if on_log is None else OfLog(on_log=on_log)
        status = Status.SKIPPED if largest is None else Status.INCONCLUSIVE
        return Finding(status, threshold=largest, reasons=(why_not, *_on_log(observed)), derived=found)
    if observed.unplayable is not None:
        cause = Message("deleting.not-played", {"why": unplayable(observed.unplayable, records=context.case.training_records)})
        return skipped(cause) if largest is None else Finding(Status.INCONCLUSIVE, threshold=largest, reasons=(cause,))
    played: tuple[Variant, ...] = ("two", *(OWN if context.inference.deletions > 1 else ()))
    known = {(each.variant, each.attack): each for each in observed.tallies if each.view == "scores" and each.variant in played}
    # A game with deletions of one's own that was played less often would weigh less than it says.
    if {(variant, name) for variant in played for name in names} != set(known) or any(
        each.games != observed.games for each in known.values()
    ):
        return Finding(Status.INCONCLUSIVE, threshold=largest, reasons=(Message("inference.incomplete"),))
    deciding = [known[variant, name] for variant in played for name in names]
    level = 1 - (1 - confidence) / len(deciding)
    decided = tuple(_success(each, level) for each in deciding)
    standard, own = decided[: len(names)], decided[len(names) :]
    others = tuple(_success(each, confidence) for each in observed.tallies if each not in deciding)
    first, strongest = decided[0], max(standard, key=lambda each: each.success)
    best = deciding[max(range(len(decided)), key=lambda number: decided[number].low)]
    certificate = derive(KIND, {"wins": best.right, "games": best.games, "confidence": level})
    counted = [(each.right, each.games) for each in deciding]
    status, why = _decided(context, decided, counted, largest, test=test)
    if status is Status.PASS and observed.log is not None and speaks_against(observed.log, largest):
        status, why = Status.INCONCLUSIVE, (Message("inference.log-above"),)
    # What is enough where one deletion is seen is no word on several.
    remedies = () if own else measured(observed.tallies, confidence=confidence, largest=largest)
    derived = Derived(
        games=observed.games,
        confidence=confidence,
        level=level,
        attack=first.attack,
        strongest=strongest.attack,
        standard=standard,
        deletions=context.inference.deletions,
        own=own,
        variants=others,
        epsilon_lower=epsilon_lower(max(each.low for each in decided)),
        noticed=guessing_noticed(observed.games, confidence=level),
        remedies=remedies,
        on_log=on_log,
    )
    return Finding(
        status=status,
        value=first.success,
        interval=Interval(first.low, first.high),
        threshold=largest,
        reasons=(
            *_reasons(observed, derived),
            *_on_log(observed),
            *why,
            *said(remedies, status, some="inference.remedies", none="inference.no-remedy"),
        ),
        derived=derived,
        certificates=(certificate,),
    )


def _success(tally: Tally, confidence: float) -> Success:
    interval = clopper_pearson(tally.right, tally.games, confidence=confidence)
    return Success(
        attack=tally.attack,
        variant=tally.variant,
        view=tally.view,
        games=tally.games,
        success=tally.right / tally.games,
        low=interval.low,
        high=interval.high,
        ties=tally.ties / tally.games,
        wins_or_ties=(tally.wins + tally.ties) / tally.games,
    )


def decide(standard: Sequence[Success], largest: float) -> Status:
    """Fail where an attack wins more than the limit for certain; pass where none does for certain, nor its reverse.

    An attack that is wrong far more often than right is as good as the opposite answer, though nobody named it beforehand.

    Args:
        standard: Every attack in the standard game, with intervals that hold at once.
        largest: The share of games that may be won.
    """
    if any(each.low > largest for each in standard):
        return Status.FAIL
    held = all(each.high <= largest and each.low >= 1 - largest for each in standard)
    return Status.PASS if held else Status.INCONCLUSIVE


def holds(context: Context, observed: Observed) -> bool:
    """Whether the standard games keep within the limit of the policy, so that nothing has to be remedied."""
    largest = limit(context, "inference")
    deciding = _deciding(observed)
    if largest is None or not deciding:
        return False
    level = 1 - (1 - context.inference.confidence) / len(deciding)
    return decide([_success(each, level) for each in deciding], largest) is Status.PASS


def _deciding(observed: Observed) -> list[Tally]:
    return [each for each in observed.tallies if each.variant in {"two", *OWN} and each.view == "scores"]


def _decided(
    context: Context, decided: Sequence[Success], counted: Sequence[Counted], largest: float | None, *, test: str
) -> tuple[Status, tuple[Message, ...]]:
    if largest is None:
        return Status.SKIPPED, (Message("deleting.informative", {"key": "max_inference"}),)
    if context.quick:
        return Status.INCONCLUSIVE, (Message("deleting.quick"),)
    status = decide(decided, largest)
    if status is Status.FAIL:
        above = [each for each in decided if each.low > largest]
        attacks = list(dict.fromkeys(each.attack for each in above))
        own = Message(
            "inference.above-own" if all(each.variant in OWN for each in above) else "inference.above", {"attacks": attacks}
        )
        return fail_if_certain(counted, largest, own, test=test)
    if status is Status.PASS and context.procedure.foreign and not context.attests(HONEST):
        return Status.INCONCLUSIVE, (Message("inference.foreign", {"word": HONEST}),)
    if status is Status.INCONCLUSIVE:
        reversed_ = [each.attack for each in decided if each.high < 1 - largest]
        why = Message("inference.reversed", {"attacks": reversed_}) if reversed_ else Message("deleting.too-few")
        return status, (why,)
    return status, ()


def _reasons(observed: Observed, derived: Derived) -> Iterator[Message]:
    first = derived.standard[0]
    right = round(first.success * first.games)
    yield Message(
        "inference.played",
        {
            "games": derived.games,
            "right": right,
            "trained": observed.trained,
            "attack": first.attack,
            "of": len(derived.standard),
        },
    )
    if first.ties == 1:
        yield Message("inference.all-ties")
    elif first.ties:
        yield Message("inference.ties", {"ties": first.ties, "wins_or_ties": first.wins_or_ties})
    if derived.strongest != derived.attack:
        strongest = next(each for each in derived.standard if each.attack == derived.strongest)
        yield Message("inference.strongest", {"attack": strongest.attack, "success": strongest.success})
    if derived.own:
        best = max(derived.own, key=lambda each: each.success)
        given = {"deletions": derived.deletions, "attack": best.attack, "success": best.success, "variant": best.variant}
        yield Message("inference.own", given)
    if derived.epsilon_lower > 0:
        refuted: dict[str, Any] = {"epsilon": derived.epsilon_lower}
        if not derived.own:
            yield Message("inference.refuted", refuted)
            return
        # It need not be the attack that was named before: what is largest is the lower limit.
        by = max((*derived.standard, *derived.own), key=lambda each: each.low)
        refuted |= {"attack": by.attack, "success": by.success, "variant": by.variant, "deletions": derived.deletions}
        yield Message("inference.refuted-own", refuted)


def _on_log(observed: Observed) -> Iterator[Message]:
    """What the log's own releases show."""
    seen = observed.log
    if seen is not None:
        counts = {"first": seen.first + seen.tied_won, "records": seen.records, "decoys": seen.decoys, "guessed": seen.expected}
        yield Message("inference.on-log", counts)


def levels(context: Context, observed: Observed, finding: Finding, *, test: str) -> tuple[Level, ...]:
    """Declare what the games of the standard variant are held to, and the log's own releases."""
    if context.quick or not isinstance(finding.derived, Derived):
        return ()
    counted = [(each.right, each.games) for each in _deciding(observed)]
    found = levels_of_games(finding, counted, test=test, confidence=context.inference.confidence)
    return (*found, spent(LOG)) if found and observed.log is not None else found


def contradictions(evidence: Evidence, seen: Observed, others: Mapping[str, Values]) -> Iterator[str]:
    """Games are as many as declared, fewer in a quick run alone, and a set leaves out a record at least."""
    if seen.log is not None:
        yield from _attacked(evidence, seen.log)
    if seen.unplayable is not None:
        return
    declared = evidence.sizes.inference.games
    if seen.games != (min(declared, QUICK_GAMES) if evidence.audit.quick else declared):
        yield f"{seen.games} games were played, {declared} are declared"
    own = {each.variant for each in seen.tallies if each.variant in OWN}
    if own != (set(OWN) if evidence.sizes.inference.deletions > 1 else set()):
        yield f"up to {evidence.sizes.inference.deletions} deletions are declared, and games of {sorted(own)} were played"
    if not seen.trained < evidence.case.training_records:
        yield f"sets of {seen.trained} records were learned, of {evidence.case.training_records} in all"
    both = (others.get(one) for one in ("inference.example", "inference.instance"))
    played = [each for each in both if isinstance(each, Observed)]
    if len({(each.games, each.trained, each.private) for each in played if each.games}) > 1:
        yield "both checks attack the same games, and other ones were observed"


def _attacked(evidence: Evidence, log: LogAttack) -> Iterator[str]:
    """The log's own releases: no more than were deleted, and requests that were carried out."""
    gone = evidence.case.training_records - evidence.case.records_left
    if log.records > gone or log.games > evidence.deletion_log.batches:
        yield f"{log.records} deleted records of {log.games} batches were attacked, the log has {gone} and fewer batches"
    yield from stated.executed(evidence, (*log.picked.request_ids, *log.not_tried.request_ids))
    if set(log.picked.request_ids) & set(log.not_tried.request_ids) and not log.picked.subjects:
        yield "a request was picked out whose records nobody attacked"
    if bool(log.picked.request_ids) != bool(log.first):
        yield f"{log.first} records came first, of {len(log.picked.request_ids)} requests"
