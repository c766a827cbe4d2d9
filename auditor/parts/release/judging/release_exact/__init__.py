"""`release.exact`: whether the release is what training gives in a clean room, which never held a deleted record.

The log is replayed, and a fresh process that holds no deleted row and no deleted id trains on what is left, with the same seed.
Where both give the same in every item that can be compared, the release is a function of retained records, code and seed, and no
game with other records is needed to say so.

observed   what the run saw;  drawing: which batches have to be compared
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final, Literal

from auditor.base.domain import Fact, Message, Provenance, Status
from auditor.document.evidence import Evidence, case_digest
from auditor.parts.release.cards import RELEASE_EXACT
from auditor.parts.release.judging.release_exact.observed import (
    CleanRoom,
    Observed,
    Prepared,
    Reaction,
    compared,
    drawn,
    thorough,
)
from auditor.verdict.checks.context import Context
from auditor.verdict.checks.definition import Definition, always_first
from auditor.verdict.checks.differences import Compared, Difference
from auditor.verdict.checks.finding import Earlier, Finding, Values, inconclusive, skipped
from auditor.verdict.guarantees import fact

CARD: Final = RELEASE_EXACT

__all__ = [
    "CARD",
    "CHECK",
    "Derived",
    "Observed",
    "applies",
    "asks_for_state",
    "batches_to_compare",
    "by_chance",
    "declares_retraining",
    "examined_claims",
    "judge",
    "left_as_it_was",
    "thoroughly_compared",
]

LEAST_OTHER_RUNS: Final = 8
"""Runs with other records that have to give the last release: one bit that a deleted record left shows in one of two."""
_AS_TRAINED: Final = frozenset({"retrain", "sisa", "subtract"})
"""Built-in ways of unlearning that are meant to give what training gives: training again, of everything or of the shards that
held a record, and counts that are subtracted, which leave those of the sentences that remain."""
_CONTAINER: Final = 512
"""Bytes by which a file may be longer than the parameters that it holds: what an .npz takes for the names and shapes of a few."""
_BY_CHANCE: Final = "release.exact.open.by-chance"
_NAMED: Final = 3
"""Items that a sentence names."""


Route = Literal["clean-room", "independent"]


class Derived(Values):
    """What the comparisons come to."""

    route: Route | None
    """How it passes; None where it does not."""
    compared_batches: tuple[int, ...]
    drawn: int | None
    """The batch that was drawn; None where there is no earlier one than the last."""
    differing_batch: int | None
    """The batch whose release differs most; None where none does."""
    differing: tuple[Difference, ...]
    """What differs after it, but for what is let pass."""
    let_pass: tuple[Difference, ...]
    """Single numbers that differ and are let pass, over all batches."""
    unchanged: tuple[int, ...]
    """Batches that left the model as it was although the clean room gives another."""


def applies(context: Context, _earlier: Earlier) -> Message | None:
    """It is asked of whatever is meant to give what training from scratch gives, and of the controller's own code, which may."""
    procedure = context.procedure
    if not context.log.batches:
        return Message("release.exact.no-batch")
    if procedure.descent is not None:
        return Message("release.exact.noisy-gd")
    if procedure.hands_model_on:
        return Message("release.exact.hands-on")
    if procedure.built_in is None or procedure.unlearns_by in _AS_TRAINED or procedure.removal is not None:
        return None
    return Message("release.exact.approximate")


def judge(context: Context, observed: Observed, earlier: Earlier) -> Finding:
    """Count what differs between the release and the clean room: nothing may, but for a few single numbers."""
    removal = context.procedure.removal
    if removal is not None and not removal.trains_again and not observed.retrained_last:
        return skipped(Message("release.exact.not-retrained"))
    if observed.untried is not None:
        return inconclusive(Message("release.exact.untried", {"why": observed.untried}))
    at_random, wanted = batches_to_compare(context, observed)
    rooms = {each.batch: each for each in observed.batches}
    if lacking := [batch for batch in wanted if batch not in rooms]:
        return inconclusive(Message("release.exact.not-compared", {"batches": lacking}))
    chosen = [rooms[batch] for batch in wanted]
    value, worst = max((min(each.counted for each in room.tried), -room.batch) for room in chosen)
    route = _route(context, observed, chosen)
    stateless = earlier["state.stateless"].value == 0.0 or _carries_the_model_alone(context)
    status = _status(context, chosen, route, stateless=stateless)
    nearest = None if not value else min(rooms[-worst].tried, key=lambda each: each.counted)
    derived = Derived(
        route=route if status is Status.PASS else None,
        compared_batches=wanted,
        drawn=at_random,
        differing_batch=None if nearest is None else -worst,
        differing=() if nearest is None else _but_let_pass(nearest),
        let_pass=tuple(dict.fromkeys(each for room in chosen for each in _let_pass(room))),
        unchanged=tuple(batch for batch in observed.unchanged if batch not in rooms or not _excused(context, rooms[batch])),
    )
    return Finding(
        status=status,
        value=float(value),
        threshold=0.0,
        reasons=tuple(_reasons(context, observed, chosen, derived, status=status, route=route, stateless=stateless)),
        derived=derived,
        facts=tuple(_facts(context, observed, derived, status)),
    )


def batches_to_compare(context: Context, observed: Observed) -> tuple[int | None, tuple[int, ...]]:
    """Say which batch is drawn, and all that have to be compared: those that left the model as it was are among them."""
    at_random, ours = _drawn(context), not context.procedure.foreign
    wanted = compared(context.log.batches, at_random, observed.seconds_of_training, ours=ours)
    return None if ours else at_random, tuple(sorted({*wanted, *observed.unchanged}))


def thoroughly_compared(context: Context) -> frozenset[int]:
    """Say after which batches models are compared from every side: of a procedure of ours after the last alone."""
    if not context.procedure.foreign:
        return frozenset({context.log.batches})
    return thorough(context.log.batches, _drawn(context))


def _carries_the_model_alone(context: Context) -> bool:
    """Whether a procedure of ours reads nothing of an earlier update but the model, all of which is compared here."""
    carried = context.procedure.carried
    return carried is not None and not carried.beyond


def _drawn(context: Context) -> int | None:
    batches = context.log.batches
    return drawn(case_digest(context.case.inputs), context.audit.seed, batches) if batches > 1 else None


def declares_retraining(context: Context) -> bool:
    """Say whether retraining is claimed, or is what a procedure of ours is set to do."""
    return context.claims.retraining or (context.procedure.built_in is not None and context.procedure.unlearns_by == "retrain")


def examined_claims(finding: Finding) -> frozenset[str]:
    """Keys of [claims] that the release was held against."""
    return frozenset({"retraining"} if finding.derived is not None else set())


def asks_for_state(context: Context, observed: Observed) -> bool:
    """Whether it passes if nothing but the model is carried on, and not otherwise."""
    _, wanted = batches_to_compare(context, observed)
    rooms = [each for each in observed.batches if each.batch in wanted]
    return observed.untried is None and len(rooms) == len(wanted) and _route(context, observed, rooms) == "independent"


def left_as_it_was(finding: Finding) -> tuple[int, ...]:
    """Batches that left the model as it was although training without the deleted records gives another."""
    return finding.derived.unchanged if isinstance(finding.derived, Derived) else ()


def _route(context: Context, observed: Observed, rooms: list[CleanRoom]) -> Route | None:
    """How the release may pass: equal in the clean room by a learner that reacts, or equal whatever the deleted records were."""
    if all(_equal_in_a_room(context, each) for each in rooms):
        if reacts(context, observed.reaction):
            return "clean-room"
        # What never learns depends on nothing: that answers a claim of data deletion, and none of retraining.
        asked = context.claims.data_deletion is not None and not context.claims.retraining
        return "independent" if asked and all(_independent(context, each) for each in rooms) else None
    if all(_equal_in_a_room(context, each) or _independent(context, each) for each in rooms):
        return "independent"
    return None


def reacts(context: Context, reaction: Reaction | None) -> bool:
    """Whether the learner gives another model for other rows, and for other labels where there are labels to learn."""
    return reaction is not None and reaction.other_rows and (reaction.other_labels or not context.procedure.learns_labels)


def _status(context: Context, rooms: list[CleanRoom], route: Route | None, *, stateless: bool) -> Status:
    if route == "clean-room" or (route == "independent" and stateless):
        return Status.PASS
    if route is None and declares_retraining(context) and any(_fails(each) for each in rooms):
        return Status.FAIL
    return Status.INCONCLUSIVE


def _fails(room: CleanRoom) -> bool:
    """Whether the model itself differs from everything that it was held against, and no chance of the machine explains that."""
    return all(each.behaves_otherwise for each in room.tried) and room.controls is not None and room.controls.agree


def _comparable(context: Context, room: CleanRoom) -> bool:
    """Whether enough was compared for equality to say anything: of foreign code everything that it holds as well."""
    if "predictions" not in room.compared:
        return False
    if not context.procedure.foreign or room.batch not in thoroughly_compared(context):
        return True
    return "object" in room.compared and not room.cut_short


def _equal_in_a_room(context: Context, room: CleanRoom) -> bool:
    return _comparable(context, room) and any(each.counted == 0 for each in room.rooms)


def _independent(context: Context, room: CleanRoom) -> bool:
    enough = room.other_runs >= (LEAST_OTHER_RUNS if room.batch == context.log.batches else 1)
    return _comparable(context, room) and enough and room.other_records is not None and room.other_records.counted == 0


def _excused(context: Context, room: CleanRoom) -> bool:
    """Whether a model that a batch left as it was is the one that training without the deleted records gives."""
    return _equal_in_a_room(context, room) or _independent(context, room)


def _but_let_pass(found: Compared) -> tuple[Difference, ...]:
    return tuple(each for each in found.differences if each not in found.let_pass)


def _let_pass(room: CleanRoom) -> tuple[Difference, ...]:
    """What is let pass in the comparison that comes out best."""
    return min(room.tried, key=lambda each: each.counted).let_pass


def _reasons(
    context: Context,
    observed: Observed,
    rooms: list[CleanRoom],
    derived: Derived,
    *,
    status: Status,
    route: Route | None,
    stateless: bool,
) -> Iterator[Message]:
    last = rooms[-1]
    yield Message(
        "release.exact.compared",
        {"batches": len(rooms), "of": context.log.batches, "kinds": list(last.compared), "objects": last.objects},
    )
    if derived.differing:
        yield _differing(derived)
    if derived.let_pass:
        named = [each.name for each in derived.let_pass[:_NAMED]]
        given = {
            "names": named,
            "more": len(derived.let_pass) - len(named),
            "bytes": sum(each.bytes for each in derived.let_pass),
        }
        yield Message("release.exact.let-pass", given)
    if not all(_comparable(context, each) for each in rooms):
        yield Message("release.exact.not-all-seen")
    if route == "clean-room":
        yield Message("release.exact.equal")
    elif route == "independent":
        yield Message("release.exact.independent" if stateless else "release.exact.independent-stateful")
    elif all(_equal_in_a_room(context, each) for each in rooms):
        yield _no_reaction(observed)
    elif status is Status.INCONCLUSIVE:
        yield Message(_why_open(context, rooms))
    if derived.unchanged:
        yield Message("release.exact.unchanged", {"batches": list(derived.unchanged)})
    yield from _brought(observed)


def _differing(derived: Derived) -> Message:
    known = [each.largest for each in derived.differing if each.largest is not None]
    named = [{"kind": each.kind, "name": each.name} for each in derived.differing[:_NAMED]]
    more = len(derived.differing) - len(named)
    given = {"batch": derived.differing_batch, "items": named, "more": more, "largest": max(known, default=None)}
    return Message("release.exact.differing", given)


def _brought(observed: Observed) -> Iterator[Message]:
    """What the case brings along in addition to its data, and what it did with the rows of its trainings."""
    if observed.carried is not None:
        yield Message("release.exact.carried", observed.carried.model_dump())
    if (seen := observed.prepared) is not None:
        first = {"first_dropped": seen.dropped[0], "first_held": seen.held[0]}
        last = {"last_dropped": seen.dropped[-1], "last_held": seen.held[-1]}
        yield Message("release.exact.prepared", {**first, **last, "never_learned": seen.never_learned})


def _no_reaction(observed: Observed) -> Message:
    if observed.reaction is None:
        return Message("release.exact.reaction-untried")
    return Message("release.exact.no-reaction", observed.reaction.model_dump())


def _why_open(context: Context, rooms: list[CleanRoom]) -> str:
    """Why a difference does not fail."""
    otherwise = [room for room in rooms if all(each.behaves_otherwise for each in room.tried)]
    if not otherwise:
        return "release.exact.open.other-items"
    if any(room.controls is not None and not room.controls.agree for room in otherwise):
        return _BY_CHANCE
    return "release.exact.open.no-controls" if declares_retraining(context) else "release.exact.open.not-declared"


def by_chance(finding: Finding) -> bool:
    """Whether it is open for nothing but that training does not repeat itself: it then speaks neither for nor against a release.

    That takes that the batches all changed the model, and that what differs has no room for more than the parameters: an object
    that is kept as well, or a file that is longer, is something that no chance explains.
    """
    found = finding.derived
    if finding.status is not Status.INCONCLUSIVE or not isinstance(found, Derived) or found.unchanged:
        return False
    codes = {each.code for each in finding.reasons}
    if _BY_CHANCE not in codes or "release.exact.not-all-seen" in codes or finding.value != len(found.differing):
        return False
    room = sum(each.bytes for each in found.differing if each.kind == "parameters")
    objects = sum(each.bytes for each in found.differing if each.kind in {"object", "scalar"})
    files = max((each.bytes for each in found.differing if each.kind in {"state", "saved file"}), default=0)
    return bool(room) and objects <= room and files <= room + _CONTAINER


def _facts(context: Context, observed: Observed, derived: Derived, status: Status) -> Iterator[Fact]:
    """That each batch was answered by retraining. Of a procedure of ours its own code says so, and this can only refute it."""
    if status is Status.FAIL:
        yield fact("retrained", Provenance.REFUTED, Message("fact.retrained.otherwise"))
    if derived.route != "clean-room" or not context.procedure.foreign:
        return
    if observed.loses_labels:
        # What is built may have a column for each label of the training data, those of the deleted records included.
        yield fact("retrained", Provenance.REFUTED, Message("fact.retrained.label-kept"))
    else:
        yield fact(
            "retrained", Provenance.MEASURED, Message("fact.retrained.clean-room", {"batches": len(derived.compared_batches)})
        )


def contradictions(evidence: Evidence, seen: Observed, _others: Mapping[str, Values]) -> Iterator[str]:
    """Compare the batches that were examined with those of the log."""
    batches = evidence.deletion_log.batches
    beyond = sorted({*(each.batch for each in seen.batches), *seen.unchanged} - {*range(1, batches + 1)})
    if beyond:
        yield f"batch {beyond[0]} was compared, the log has {batches}"
    if seen.prepared is not None:
        yield from _of_prepared(evidence, seen.prepared)


def _of_prepared(evidence: Evidence, seen: Prepared) -> Iterator[str]:
    if "prepare" not in evidence.procedure.settings:
        yield "rows were prepared, and no file is declared that prepares any"
    batches, records = evidence.deletion_log.batches, evidence.case.training_records
    if len(seen.dropped) != batches + 1:
        yield f"{len(seen.dropped)} trainings were prepared, the log has {batches} batches"
    most = max(one + other for one, other in zip(seen.dropped, seen.held, strict=True))
    if most >= records:
        yield f"{most} rows were not learned, of {records} training records"
    if seen.never_learned > records - evidence.case.records_left:
        yield f"{seen.never_learned} deleted records were never learned, of {records - evidence.case.records_left}"


CHECK = Definition(
    CARD,
    Observed,
    judge,
    applies,
    derived=(Derived,),
    replays=True,
    first=always_first,
    wanted=lambda context: applies(context, {}) is None and context.procedure.removal is None,
    examined_claims=lambda _context, findings: examined_claims(findings[CARD.id]),
    blind=by_chance,
    contradictions=contradictions,
)
