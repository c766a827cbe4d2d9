"""`deletion.adaptive`: the ε that is left where requests may depend on published models (forget-unlearning.md, Theorem 4.3)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from auditor.base.domain import Certificate, Fact, Message, Provenance, Status
from auditor.document.evidence import Evidence
from auditor.maths.certificates import derive
from auditor.maths.certificates.rounding import finite
from auditor.parts.data_deletion.cards import DELETION_ADAPTIVE
from auditor.parts.data_deletion.judging import pledge, renyi
from auditor.parts.data_deletion.judging.answered import Answered, Derived
from auditor.parts.data_deletion.judging.derived import Derived as Own
from auditor.parts.data_deletion.judging.derived import Premise
from auditor.parts.data_deletion.judging.goals import Goal, goal, is_meant
from auditor.parts.data_deletion.judging.requester import judged_games
from auditor.parts.data_deletion.judging.seen import Asked, Requests, seen
from auditor.parts.swap.judging.epsilon_consistency.contributors import Game
from auditor.parts.swap.judging.epsilon_consistency.observed import Games
from auditor.parts.swap.judging.epsilon_consistency.observed import Observed as OfConsistency
from auditor.settings.facets import NoisyDescent
from auditor.verdict.checks import stated
from auditor.verdict.checks.context import Context
from auditor.verdict.checks.definition import Definition
from auditor.verdict.checks.finding import Earlier, Finding, Values
from auditor.verdict.checks.guess_bounds import at_best_open, empty_together
from auditor.verdict.checks.stated import Count
from auditor.verdict.guarantees import Pledges, fact

if TYPE_CHECKING:
    from auditor.parts.data_deletion.judging.bounds import Setting

CARD = DELETION_ADAPTIVE

__all__ = ["CARD", "CHECK", "Derived", "Observed", "Played", "Share", "judge"]


class Share(Values):
    """The most that one person has of what the log deletes."""

    records: Count
    batches: Count
    """That they left with."""
    subjects: bool = False
    """Whether every request that deleted one names its `subject`: without it a person is one request."""


class Played(Values):
    """What an adaptive requester reached, where nothing else was found."""

    game: Game


class Observed(Values):
    """What the log says that was carried out, and what a requester reached."""

    batches: Count
    requests: tuple[Asked, ...]
    largest_share: Share
    games: Games | None
    """Of an adaptive requester; None where none played."""


@dataclass(frozen=True, slots=True)
class _Epsilons:
    """What a theorem, or runs with other records, leave where requesters had seen models."""

    of_each: float | None
    """Of each model that was seen; of all of them together where `steps` is given."""
    steps: int | None
    value: float | None
    of_person: float | None
    by_batch: tuple[float | None, ...]
    """What is left of the records of each batch."""
    certificate: Certificate | None = None


def judge(context: Context, observed: Observed, earlier: Earlier) -> Finding:
    """Add what each seen model may say of a record to what a deletion leaves; at p = 0 nothing is added."""
    game = judged_games(context, observed.games)
    found, refuted = earlier[renyi.CARD.id], _refuted(game)
    own, procedure = found.derived, context.procedure.descent
    if not isinstance(own, Own):
        # The games stand for themselves.
        status = Status.FAIL if refuted else found.status
        return Finding(status, reasons=(*found.reasons, *refuted), derived=None if game is None else Played(game=game))
    from auditor.parts.data_deletion.judging import by_counterfactual_runs, by_theorem  # noqa: PLC0415 - the theorems, for those who descend
    from auditor.parts.data_deletion.judging.consequences import told_apart  # noqa: PLC0415

    aim = goal(context.claims, context.policy, context.procedure)
    asked = Requests(seen(observed.requests, observed.batches), _claimed(context))
    if procedure is not None:
        epsilons = _by_theorem(procedure, observed, own, asked)
        status = by_theorem.status_of(own, epsilons.value, aim, foreign=procedure.foreign)
    else:
        epsilons = _by_counterfactual_runs(own, asked)
        status = by_counterfactual_runs.status_of(own, epsilons.value, aim)
    reached, premises = status, _of_requests(context, asked)
    unsaid = tuple(each.name for each in premises if each.holds is None)
    if refuted or asked.refuted:
        status = Status.FAIL
    elif (asked.uncovered or unsaid) and status is Status.PASS:
        status = Status.INCONCLUSIVE
    share = observed.largest_share
    apart = told_apart(own, epsilons.of_person, records=share.records, seen=asked.models)
    nothing = renyi.empty(context)
    status = at_best_open(status, nothing)
    said = (Message("deletion.adaptive.not-attested", {"names": unsaid}),) if unsaid and epsilons.value is not None else ()
    answered = Finding(
        status=status,
        value=epsilons.value,
        threshold=aim.threshold,
        reasons=(
            *(
                _measured(own, asked, epsilons, refuted)
                if procedure is None
                else _derived(own, asked, epsilons, aim, status, refuted, foreign=procedure.foreign)
            ),
            *_together(epsilons, share),
            *_of_several(own, epsilons, share, apart),
            *nothing,
            *said,
        ),
        derived=Derived(
            seen=asked.models,
            source_of_seen=asked.origin,
            epsilon_dd=own.epsilon_dd,
            epsilon_dp=None if own.epsilon_dd is None else epsilons.of_each,
            epsilon=epsilons.value,
            order=own.order,
            records_per_person=share.records,
            epsilon_person=epsilons.of_person,
            advantage=told_apart(own, epsilons.value, records=1, seen=asked.models),
            advantage_person=apart,
            of="person" if share.subjects and context.attests("subjects-complete") else "request",
            per_request=tuple(
                Answered(**each.model_dump(), seen=asked.log.before[each.batch - 1], epsilon=epsilons.by_batch[each.batch - 1])
                for each in observed.requests
            ),
            steps_seen=epsilons.steps,
            premises=premises,
            game=game,
        ),
        certificates=() if epsilons.certificate is None else (epsilons.certificate,),
    )
    # Whether the bound is met is arithmetic, and who attests the rest a premise of its own.
    met = answered if not unsaid or status is Status.FAIL or asked.uncovered or nothing else replace(answered, status=reached)
    return replace(answered, facts=_facts(found, met, premises, refuted, measured=procedure is None))


def _together(epsilons: _Epsilons, share: Share) -> tuple[Message, ...]:
    """What guarantee and letter state, where it is more than what is judged here."""
    if share.records == 1 or not epsilons.value or epsilons.of_person is None:
        return ()
    return (Message("deletion.adaptive.together", {"records": share.records, "epsilon": epsilons.of_person}),)


def _of_several(own: Own, epsilons: _Epsilons, share: Share, apart: float | None) -> tuple[Message, ...]:
    """Why what is left of all records of one person promises nothing, though of each it may: k records have k² times the ε.

    It is said and decides nothing: claim and policy are about one record. The grade of a pass takes it into account.
    """
    if share.records == 1 or apart is None:
        return ()
    return empty_together(apart, records=share.records, order=own.order, epsilon=epsilons.of_person)


def _claimed(context: Context) -> int | None:
    claim = context.claims.data_deletion
    return None if claim is None else claim.adaptive


def _refuted(game: Game | None) -> tuple[Message, ...]:
    """What an adaptive requester refuted; nothing where it refuted nothing, or none played."""
    said = None if game is None else game.refuted
    return () if said is None else (Message("deletion.adaptive.refuted", {"said": said}),)


def _by_theorem(procedure: NoisyDescent, observed: Observed, own: Own, asked: Requests) -> _Epsilons:
    """By Theorem 4.3: ε_dd, and for each model that was seen ε_dp on top."""
    from auditor.parts.data_deletion.judging.bounds import setting_of  # noqa: PLC0415 - the theorems, for those who descend

    setting = setting_of(
        procedure,
        order=own.order,
        rows=own.settings.rows,
        parameters=own.settings.parameters or 0,
        largest_batch=own.settings.largest_batch,
        updates=observed.batches - 1,
    )
    each, steps = _of_seen(own, setting, asked.models)
    certificate = _certificate(own.epsilon_dd, each, asked.models, together=steps is not None)
    value = None if certificate is None else certificate.epsilon
    by_batch: list[float | None] = [None] * observed.batches
    for number, batch in enumerate(own.batches):
        models = asked.log.before[number]
        of_each, together = _of_seen(own, replace(setting, rows=batch.rows, updates=number), models)
        left = _certificate(batch.epsilon_dd, of_each, models, together=together is not None)
        by_batch[number] = None if left is None or left.epsilon is None else finite(left.epsilon)
    return _Epsilons(each, steps, value, of_a_person(own, value, observed.largest_share), tuple(by_batch), certificate)


def of_a_person(own: Own, value: float | None, share: Share) -> float | None:
    """What holds for a person with several deleted records; None where nothing does.

    The shift of a gradient grows with the records, and each ε with its square: k records that leave one after another shift it no
    more than if all had stayed until the last. Theorem 5.2 covers the records of one request together, and no others.
    """
    if share.records == 1 or value is None:
        return value
    from auditor.parts.data_deletion.judging.consequences import together_epsilon  # noqa: PLC0415 - the theorems, for those who descend

    if own.theorem != "5.2":
        return together_epsilon(value, share.records)
    return None if share.batches > 1 else together_epsilon(value, share.records)


def _of_seen(own: Own, setting: Setting, models: int) -> tuple[float | None, int | None]:
    """ε_dp of each model that was seen; or, where the loss is not convex, of all steps up to the last one, and their number."""
    if own.theorem != "5.2" or not models:
        return own.epsilon_dp, None
    from auditor.parts.data_deletion.judging.bounds import all_steps  # noqa: PLC0415 - the theorems, for those who descend

    return all_steps(setting), setting.steps_with


def _certificate(own: float | None, each: float | None, models: int, *, together: bool) -> Certificate | None:
    if own is None or (each is None and models):
        return None
    # All steps together stand for every model among them.
    count = min(models, 1) if together else models
    return derive("adaptive", {"epsilon_dd": own, "epsilon_dp": each or 0.0, "seen": count})


def _by_counterfactual_runs(own: Own, asked: Requests) -> _Epsilons:
    """Anyone who saw models from before a deletion learned nothing from them only where these were the same as well."""
    epsilon, before_too = own.epsilon_dd, own.twins is not None and own.twins.before_too
    of_each = 0.0 if before_too and epsilon is not None else None
    by_batch = tuple(epsilon if of_each is not None or not models else None for models in asked.log.before)
    value = epsilon if of_each is not None or not asked.models else None
    return _Epsilons(of_each, None, value, value, by_batch)


def _of_requests(context: Context, asked: Requests) -> tuple[Premise, ...]:
    """What nobody but the controller can know of the requests, but for models that all count as seen: nobody saw more."""
    from auditor.parts.data_deletion.judging.premises import by_word  # noqa: PLC0415 - the theorems, for those who descend

    if not asked.models:
        return (by_word(context, "requests-fixed", "requests-fixed", Message("premise.requests-fixed")),)
    found = Message("premise.seen-releases", {"models": asked.models, "origin": asked.origin, "log": asked.log.most})
    # Anyone who fixed every request in advance fixed each person's own.
    word = "requests-fixed" if context.attests("requests-fixed") else "own-request-fixed"
    return (
        by_word(context, "own-request-fixed", word, Message("premise.own-request-fixed")),
        by_word(context, "seen-releases", "seen-releases", found)
        if asked.log.says_less
        else Premise(name="seen-releases", holds=True, found=found, how=Provenance.COMPUTED),
    )


def _derived(
    own: Own,
    asked: Requests,
    epsilons: _Epsilons,
    aim: Goal,
    status: Status,
    refuted: tuple[Message, ...],
    *,
    foreign: bool,
) -> tuple[Message, ...]:
    """How the ε of a theorem came about, or why there is none."""
    if own.false:
        found = [Message("deletion.adaptive.false-premise", {"names": [premise.name for premise in own.false]})]
    elif epsilons.value is None:
        unbounded = own.epsilon_dd is not None
        found = [Message("deletion.adaptive.unbounded") if unbounded else Message("deletion.adaptive.no-epsilon")]
    elif not asked.models:
        found = [Message("deletion.adaptive.at-zero", {"order": own.order})]
    else:
        found = [Message("deletion.adaptive.seen", {"order": own.order, "models": asked.models})]
    if asked.log.left_out and asked.models:
        found.append(Message("deletion.adaptive.left-out", {"name_them": status is Status.FAIL and not own.false}))
    found += [*_uncovered(asked), *refuted]
    if status is Status.INCONCLUSIVE and (own.open or foreign) and epsilons.value is not None:
        found.append(Message("deletion.adaptive.open"))
    if aim.threshold is None and epsilons.value is not None:
        found.append(Message("deletion.no-threshold"))
    return tuple(found)


def _measured(own: Own, asked: Requests, epsilons: _Epsilons, refuted: tuple[Message, ...]) -> tuple[Message, ...]:
    """The same where runs with other records gave it."""
    models = {"models": asked.models}
    if own.epsilon_dd is None:
        first = Message("deletion.adaptive.see-renyi")
    elif not asked.models:
        first = Message("deletion.adaptive.measured-at-zero")
    elif epsilons.value is None:
        first = Message("deletion.adaptive.measured-unbounded", models)
    else:
        first = Message("deletion.adaptive.measured-seen", models)
    return (first, *_uncovered(asked), *refuted)


def _uncovered(asked: Requests) -> tuple[Message, ...]:
    counts = {"claimed": asked.claimed, "log": asked.log.most}
    return (Message("deletion.adaptive.not-covered", counts),) if asked.uncovered else ()


def _facts(
    found: Finding, answered: Finding, premises: tuple[Premise, ...], refuted: tuple[Message, ...], *, measured: bool
) -> tuple[Fact, ...]:
    """Whether both checks keep within their threshold, what a requester refuted, and what the controller says of the requests."""
    both = {renyi.CARD.id: found, CARD.id: answered}
    rows = [{"check": name, "epsilon": each.value, "threshold": each.threshold} for name, each in both.items()]
    words = Message("fact.deletion.measured", {"checks": rows}) if measured else Message("fact.deletion.bound", {"checks": rows})
    facts = []
    if any(each.status is Status.FAIL for each in both.values()):
        facts.append(fact("deletion-bound-met", Provenance.REFUTED, words))
    elif all(each.status is Status.PASS for each in both.values()):
        facts.append(fact("deletion-bound-met", Provenance.MEASURED if measured else Provenance.COMPUTED, words))
    facts += [
        fact("deletion-unrefuted", Provenance.REFUTED, Message("fact.deletion.found", {"check": CARD.id, "found": each}))
        for each in refuted
    ]
    facts += [
        fact(each.name, each.how, Message("fact.deletion.found", {"check": CARD.id, "found": each.found}))
        for each in premises
        if each.how is Provenance.COMPUTED
    ]
    return tuple(facts)


def contradictions(evidence: Evidence, seen: Observed, others: Mapping[str, Values]) -> Iterator[str]:
    """Compare what was observed with the case, the log and itself."""
    yield from stated.batches(evidence, seen.batches)
    yield from stated.executed(evidence, tuple(each.request_id for each in seen.requests))
    gone, share = evidence.case.training_records - evidence.case.records_left, seen.largest_share
    # Where nothing was deleted a person counts for one record all the same.
    if share.records > max(gone, 1) or share.batches > max(seen.batches, 1):
        yield f"one person has {share.records} records in {share.batches} batches, and {gone} were deleted"
    yield from stated.named(evidence, share.records)
    said = max((each.stated for each in seen.requests if each.stated is not None), default=0)
    if said > (evidence.deletion_log.max_seen_releases or 0):
        yield f"a request had seen {said} models, the log names {evidence.deletion_log.max_seen_releases} at most"
    consistent = others.get("epsilon.consistency")
    if isinstance(consistent, OfConsistency) and consistent.games != seen.games:
        yield "epsilon.consistency observed other games of the requester"


CHECK = Definition(
    CARD,
    Observed,
    judge,
    replays=True,
    wanted=lambda context: is_meant(context.claims, context.procedure),
    pledges=lambda context, findings: Pledges(deletion=pledge.pledged(context, findings)),
    examined_claims=lambda _context, findings: pledge.examined_claims(findings),
    contradictions=contradictions,
    derived=(Derived, Played),
)
