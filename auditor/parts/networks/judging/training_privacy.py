"""`training.privacy`: what the noise of a private training is worth, as declared, as rerun, and as a theorem may use it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from pydantic import Field

from auditor.base.domain import Certificate, Fact, Message, Provenance, Status
from auditor.base.promises import SubsampledGaussian
from auditor.document.evidence import Evidence
from auditor.maths.certificates import derive
from auditor.parts.networks.cards import TRAINING_PRIVACY
from auditor.parts.store.judging import data_erased
from auditor.settings.attestations import COPIES, PEOPLE
from auditor.settings.builtin import Noise, NoiseOfSums
from auditor.verdict.checks import guess_bounds as promise
from auditor.verdict.checks import stated
from auditor.verdict.checks.attested import not_attested
from auditor.verdict.checks.context import SECRET_BITS, Context
from auditor.verdict.checks.definition import Definition, always_first
from auditor.verdict.checks.finding import Earlier, Finding, Values
from auditor.verdict.checks.guess_bounds import Source, sources
from auditor.verdict.checks.stated import Count, Positive
from auditor.verdict.decisions import decide_at_most
from auditor.verdict.guarantees import Pledge, Pledges, fact, pledge_to_one

CARD: Final = TRAINING_PRIVACY

GROUP: Final = "group"
"""The rule of what a person with several records gets."""
STAYS_PRIVATE: Final = frozenset({"none", "retrain"})
"""Ways of unlearning after which the model is still the outcome of a private training alone."""


class Told(Values):
    """What the rerun reports of one model; None for what it does not report."""

    noise_multiplier: float | bool | str | None
    sample_rate: float | bool | str | None
    steps: float | bool | str | None
    delta: float | bool | str | None


class Observed(Values):
    """What the rerun reports, and what the log says of people."""

    told: tuple[Told, ...]
    """After learning and after each batch."""
    left: tuple[Count, ...]
    """Records that are left after each batch."""
    records_per_person: Positive
    """The most training records of one person, at least 1: by the log, a subject or a request without one; by the table too."""
    subjects: bool = False
    """Whether every request that names a training record names its `subject`: without it a person is one request."""
    labels_lost: bool
    """Whether the model has a place for a label that only deleted records had."""
    equal_rows: Count = Field(default=0, exclude_if=lambda value: not value)
    """Training records that equal another in all features, where neither log nor table says whose all of them are."""
    equal_by_table: Count = Field(default=0, exclude_if=lambda value: not value)
    """The same where the table does."""


class Training(Values):
    """One training that counts."""

    records: int
    sample_rate: float
    steps: int
    epsilon: float | None


class Promise(Values):
    """What the training gives each person, with all records that the log names for one."""

    epsilon: float
    delta: float
    records: int = 1
    """How many those are."""


class Derived(Values):
    """What the noise is worth."""

    epsilon: float | None
    delta: float
    """The strictest δ that procedure, claim and policy name."""
    noise_multiplier: float
    sources: tuple[Source, ...]
    trainings: tuple[Training, ...]
    for_a_person: Promise | None
    """None where the noise gives nobody anything."""

    @property
    def promise(self) -> SubsampledGaussian | None:
        """What the noise promises one person by its mechanism, with all of their records; None where no more is known."""
        person = self.for_a_person
        return None if person is None else promised(self.noise_multiplier, self.trainings, records=person.records)


@dataclass(frozen=True, slots=True)
class _Run:
    """One training, as the settings and the data make it."""

    records: int
    noise: Noise


@dataclass(frozen=True, slots=True)
class _Goal:
    """The strictest ε and δ that procedure, claim and policy name; there may be no ε."""

    epsilon: float | None
    delta: float
    sources: tuple[Source, ...]


def applies(context: Context, _earlier: Earlier) -> Message | None:
    """It needs a training that is declared private."""
    private = context.procedure.noise_of_training(context.case.training_records) is not None
    return None if private else Message("training.privacy.none-declared")


def judge(context: Context, observed: Observed, earlier: Earlier) -> Finding:
    """Hold the ε of the first training, and of the one that the released model comes from, against claim and policy."""
    runs = _runs(context, observed)
    mismatch = _mismatch(context, observed, runs)
    if mismatch is not None:
        return Finding(Status.ERROR, reasons=(mismatch,))
    goal = _goal(context, runs[0].noise)
    counting = tuple(dict.fromkeys((runs[0], runs[-1])))
    trained = tuple(derive(each.noise.rule, each.noise.inputs(goal.delta)) for each in counting)
    epsilons = [each.epsilon for each in trained]
    known = [each for each in epsilons if each is not None]
    value = max(known) if len(known) == len(epsilons) else None
    trainings = tuple(
        Training(records=each.records, sample_rate=each.noise.sample_rate, steps=each.noise.steps, epsilon=epsilon)
        for each, epsilon in zip(counting, epsilons, strict=True)
    )
    multiplier, records = runs[0].noise.multiplier, observed.records_per_person
    pledge = None
    if value is not None:
        by_noise = promised(multiplier, trainings, records=1)
        pledge = pledge_to_one(value, goal.delta, records=records, promise=by_noise)
    derived = Derived(
        epsilon=value,
        delta=goal.delta,
        noise_multiplier=multiplier,
        sources=goal.sources,
        trainings=trainings,
        for_a_person=None if pledge is None else Promise(epsilon=pledge.epsilon, delta=pledge.delta, records=records),
    )
    again = tuple(_again(context, observed, earlier))
    doubts = (*_doubts(context), *again, *_nothing(context, goal, derived))
    return Finding(
        status=_status(value, goal, doubts),
        value=value,
        threshold=goal.epsilon,
        reasons=(*_reasons(goal, derived, runs[0].noise, trained), *doubts),
        derived=derived,
        facts=_facts(context, observed, derived.for_a_person, again=again),
        certificates=(*trained, *_together(derived)),
    )


def pledged(finding: Finding) -> Pledge | None:
    """What the training gives each person, for theorems to use; None where it gives nothing."""
    derived = finding.derived
    if not isinstance(derived, Derived) or derived.for_a_person is None:
        return None
    return Pledge(derived.for_a_person.epsilon, derived.for_a_person.delta, derived.promise)


def promised(noise_multiplier: float, trainings: Sequence[Training], *, records: int) -> SubsampledGaussian | None:
    """What the noise promises of all records of a person together; None where several trainings count.

    Args:
        noise_multiplier: Above 0.
        trainings: Those that count.
        records: How many records the person has, at least 1.
    """
    if len(trainings) != 1:
        return None
    (only,) = trainings
    return SubsampledGaussian(noise_multiplier=noise_multiplier, sample_rate=only.sample_rate, steps=only.steps, group=records)


def examined_claims(finding: Finding) -> frozenset[str]:
    """The claim `dp`, where the check came to an ε to hold against it."""
    return frozenset() if finding.value is None else frozenset({"dp"})


def _runs(context: Context, observed: Observed) -> tuple[_Run, ...]:
    """The training after learning and after each batch: another one where a batch is answered by training from scratch."""
    counts = [context.case.training_records] * (1 + len(observed.left))
    if context.procedure.unlearns_by == "retrain":
        counts[1:] = observed.left
    noises = [(count, context.procedure.noise_of_training(count)) for count in counts]
    return tuple(_Run(count, noise) for count, noise in noises if noise is not None)


def _mismatch(context: Context, observed: Observed, runs: Sequence[_Run]) -> Message | None:
    """Where the rerun says that it trained otherwise than settings and data say."""
    if len(observed.told) != len(runs):
        return Message("training.privacy.other-count", {"told": len(observed.told), "expected": len(runs)})
    unlearn = context.procedure.unlearns_by
    for batch, (run, told) in enumerate(zip(runs, observed.told, strict=True)):
        if batch and unlearn not in STAYS_PRIVATE:
            if told.steps is not None:
                return Message("training.privacy.called-private", {"batch": batch, "unlearn": unlearn})
            continue
        said_by_name = {f"dp_{name}": said for name, said in told.model_dump().items()}
        for name, expected in run.noise.reported.items():
            if (said := said_by_name[name]) != expected:
                return Message("training.privacy.otherwise", {"batch": batch, "name": name, "told": said, "expected": expected})
    return None


def _goal(context: Context, noise: Noise) -> _Goal:
    claim, policy = context.claims.dp, context.policy
    named = [
        ("procedure", None, noise.delta),
        ("claim", claim.epsilon if claim else None, claim.delta if claim else None),
        ("policy", policy.max_epsilon, policy.max_delta),
    ]
    epsilon = min((epsilon for _, epsilon, _ in named if epsilon is not None), default=None)
    return _Goal(epsilon, min(delta for _, _, delta in named if delta is not None), sources(named))


def _together(derived: Derived) -> tuple[Certificate, ...]:
    """The certificate of what a person with several records gets, where no more is known of it than ε and δ of one record.

    What was read off the distribution of their group follows from the parameters of the training, which have their certificate.
    """
    person = derived.for_a_person
    if person is None or person.records == 1 or person.delta == derived.delta:
        return ()
    return (derive(GROUP, {"epsilon": derived.epsilon, "delta": derived.delta, "size": person.records}),)


def _status(value: float | None, goal: _Goal, doubts: tuple[Message, ...]) -> Status:
    if value is None and goal.epsilon is not None and not goal.delta:
        return Status.FAIL
    status = decide_at_most(value, goal.epsilon)
    return promise.at_best_open(status, doubts)


def _doubts(context: Context) -> Iterator[Message]:
    """Why the check cannot pass, whatever the numbers."""
    if context.procedure.foreign:
        yield Message("training.privacy.foreign")
    unlearn = context.procedure.unlearns_by
    if context.log.batches and unlearn not in STAYS_PRIVATE:
        yield Message("training.privacy.not-private-any-more", {"unlearn": unlearn})


def _nothing(context: Context, goal: _Goal, derived: Derived) -> tuple[Message, ...]:
    """Why what it is held against promises nothing; its noise hides nothing from anyone who can try the seed."""
    records, most = context.case.training_records, promise.MOST_OF_A_RECORD
    stated = 0.0 if goal.epsilon is None else goal.epsilon
    by_training = [promised(derived.noise_multiplier, (each,), records=1) for each in derived.trainings]
    found = (promise.empty(stated, goal.delta, records=records, most=most, beyond=each) for each in by_training)
    return (*next(filter(None, found), ()), *promise.guessable(context))


def _reasons(goal: _Goal, derived: Derived, noise: Noise, trained: Sequence[Certificate]) -> Iterator[Message]:
    runs = [each.model_dump(include={"records", "steps", "sample_rate"}) for each in derived.trainings]
    sums = noise if isinstance(noise, NoiseOfSums) else None
    if sums is None:
        yield Message("training.privacy.bound", {"trainings": runs})
    else:
        given = {"steps": sums.horizon, "noise": sums.kept, "factorisation": sums.factorisation}
        yield Message("training.privacy.bound-of-sums", given)
    without = next((each for each in trained if each.epsilon is None), None)
    if without is not None:
        yield Message("training.privacy.no-epsilon", {"reason": without.outputs["reason"]})
    if goal.epsilon is None:
        yield Message("training.privacy.no-threshold")


def _again(context: Context, observed: Observed, earlier: Earlier) -> Iterator[Message]:
    """Why a person may be learned more often than their records count, as nobody says that equal or near rows are others'.

    How usual copies are says nothing here: where every row is there twice under two ids, each person is learned twice.
    """
    if context.attests(COPIES):
        return
    erased = earlier.get(data_erased.CARD.id)
    seen = None if erased is None else erased.observed
    if isinstance(seen, data_erased.Observed) and seen.copies is not None and seen.copies.found:
        yield Message("training.privacy.copies", {"records": seen.copies.found})
    if observed.equal_rows:
        yield Message("training.privacy.equal-rows", {"records": observed.equal_rows})


def _facts(context: Context, observed: Observed, promise: Promise | None, *, again: tuple[Message, ...]) -> tuple[Fact, ...]:
    """What Proposition 5.1 asks of the training: it covers a model that is never updated, and needs secret noise."""
    if promise is None or context.procedure.foreign or context.procedure.unlearns_by != "none":
        return ()
    if not context.seed_is_secret:
        reason = Message("fact.dp-per-subject.short-seed", {"bits": SECRET_BITS})
        return (fact("dp-per-subject", Provenance.REFUTED, reason),)
    if observed.labels_lost:
        return (fact("dp-per-subject", Provenance.REFUTED, Message("fact.dp-per-subject.label-lost")),)
    if not observed.subjects or again:
        known = Message(f"fact.dp-per-subject.{again[0].code.rpartition('.')[2]}", again[0].parameters) if again else None
        whose = known if known is not None and observed.subjects else Message("fact.dp-per-subject.no-subjects")
        return (fact("dp-per-subject", Provenance.UNKNOWN, whose),)
    unsaid = next((name for name in ("seed-secret", "subjects-complete") if not context.attests(name)), None)
    if unsaid is not None:
        return (not_attested("dp-per-subject", by=unsaid),)
    said_by = {"by": context.claims.attested_by}
    given = {"epsilon": promise.epsilon, "delta": promise.delta, "records": observed.records_per_person, **said_by}
    return (fact("dp-per-subject", Provenance.ATTESTED, Message("fact.dp-per-subject.attested", given)),)


def _wanted(context: Context) -> bool:
    return context.procedure.noise_of_training(context.case.training_records) is not None


def declarations(_context: Context, observed: Observed) -> tuple[str, ...]:
    """Name what the case declares of its rows that kept equal ones from counting."""
    return (PEOPLE,) if observed.equal_by_table else ()


def contradictions(evidence: Evidence, seen: Observed, _others: Mapping[str, Values]) -> Iterator[str]:
    """Compare what was observed with the case, the log and itself."""
    yield from stated.batches(evidence, len(seen.left))
    sizes = [evidence.case.training_records, *seen.left]
    if any(after > before for before, after in pairwise(sizes)) or sizes[-1] != evidence.case.records_left:
        yield f"the records left after each batch do not go down to {evidence.case.records_left}"
    yield from stated.named(evidence, seen.records_per_person)
    alike = (seen.equal_rows, seen.equal_by_table)
    if 1 in alike or sum(alike) > evidence.case.training_records:
        yield f"{sum(alike)} training records equal another, of {evidence.case.training_records}"


CHECK = Definition(
    CARD,
    Observed,
    judge,
    applies,
    replays=True,
    first=always_first,
    wanted=_wanted,
    pledges=lambda _context, findings: Pledges(private=pledged(findings[CARD.id])),
    examined_claims=lambda _context, findings: examined_claims(findings[CARD.id]),
    contradictions=contradictions,
    declarations=declarations,
    derived=(Derived,),
)
