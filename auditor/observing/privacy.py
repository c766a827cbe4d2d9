"""`training.privacy`: what the noise of a private training is worth, as declared, as rerun, and as a theorem may use it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from auditor.case import Case
from auditor.certificates import derive
from auditor.certificates.dp_sgd import KIND, schedule
from auditor.checks.context import SECRET_BITS
from auditor.checks.targets import Source, sources
from auditor.decisions import decide_at_most
from auditor.domain import Certificate, Check, Fact, How, Request, Status
from auditor.guarantees import Pledge, fact, pledge_to_one
from auditor.observing.findings import TITLES, Findings, errored, skipped
from auditor.observing.replay import Replay, loses_labels
from auditor.settings.networks import Private, Torch

ID = "training.privacy"
STAYS_PRIVATE = frozenset({"none", "retrain"})
"""Ways of unlearning after which the model is still the outcome of a private training alone."""


@dataclass(frozen=True, slots=True)
class _Training:
    """One training, as the settings and the data make it."""

    records: int
    sample_rate: float
    steps: int


@dataclass(frozen=True, slots=True)
class _Goal:
    """The strictest ε and δ that procedure, claim and policy name; there may be no ε."""

    epsilon: float | None
    delta: float
    sources: tuple[Source, ...]


def judge(case: Case, replay: Replay) -> Findings:
    """Judge the ε of the first training and of the one that the released model comes from."""
    procedure = case.settings.procedure
    if not isinstance(procedure, Torch) or procedure.dp is None:
        return Findings((skipped(ID, "Does not apply: no private training is declared ([procedure] dp of use = “torch”)."),))
    trainings = _trainings(case, procedure, replay)
    if wrong := _mismatch(procedure.dp, trainings, replay.told, procedure):
        return Findings((errored(ID, wrong),))
    goal = _goal(case, procedure.dp)
    judged = tuple(dict.fromkeys((trainings[0], trainings[-1] if procedure.unlearn == "retrain" else trainings[0])))
    certificates = tuple(certify(procedure.dp, each.sample_rate, each.steps, goal.delta) for each in judged)
    found = [certificate.epsilon for certificate in certificates]
    known = [each for each in found if each is not None]
    value = max(known) if len(known) == len(found) else None
    records = _records_of_one(case.requests, case.known_ids)
    details = {
        "epsilon": value,
        "delta": goal.delta,
        "noise_multiplier": procedure.dp.noise_multiplier,
        "records_per_person": records,
        "sources": [each.model_dump() for each in goal.sources],
        "trainings": [
            {"records": each.records, "sample_rate": each.sample_rate, "steps": each.steps, "epsilon": epsilon}
            for each, epsilon in zip(judged, found, strict=True)
        ],
    }
    doubts = tuple(_doubts(procedure, replay))
    status = decide_at_most(value, goal.epsilon)
    if value is None and goal.epsilon is not None and not goal.delta:
        status = Status.FAIL
    if doubts and status is Status.PASS:
        status = Status.INCONCLUSIVE
    basis = " ".join((*_basis(goal, judged, certificates, len(case.train)), *doubts))
    check = Check(ID, TITLES[ID], status, value, None, goal.epsilon, basis, details)
    pledge = pledged((check,))
    facts = () if pledge is None else _facts(case, procedure, replay, check, pledge)
    if pledge is not None and records > 1:
        certificates += (derive("group", {"epsilon": value, "delta": goal.delta, "size": records}),)
    return Findings((check,), certificates, facts)


def certify(noise: Private, sample_rate: float, steps: int, delta: float) -> Certificate:
    """What so many steps cost at a δ."""
    given = {"noise_multiplier": noise.noise_multiplier, "sample_rate": sample_rate, "steps": steps, "delta": delta}
    return derive(KIND, given)


def pledged(checks: Iterable[Check]) -> Pledge | None:
    """What the training gives each person, as the check's details have it; None where it gives nothing."""
    details = next((check.details for check in checks if check.id == ID and check.value is not None), None)
    if details is None:
        return None
    return pledge_to_one(details["epsilon"], details["delta"], records=details["records_per_person"])


def examined_claims(checks: Iterable[Check]) -> frozenset[str]:
    """The claim `dp`, where the check came to an ε to hold against it."""
    return frozenset({"dp"} if any(check.id == ID and check.value is not None for check in checks) else ())


def _trainings(case: Case, procedure: Torch, replay: Replay) -> tuple[_Training, ...]:
    """The training after learning and, where each batch trains anew, after each batch."""
    left = [len(case.train)]
    left += [left[0] - sum(map(len, replay.forgotten[: index + 1])) for index in range(len(replay.forgotten))]
    counts = left if procedure.unlearn == "retrain" else left[:1] * len(left)
    return tuple(_Training(count, *schedule(count, batch=procedure.batch, epochs=procedure.epochs)) for count in counts)


def _mismatch(noise: Private, trainings: Sequence[_Training], told: Sequence[Mapping[str, Any]], procedure: Torch) -> str | None:
    """Where the rerun says that it trained otherwise than settings and data say, in a sentence."""
    if len(told) != len(trainings):
        return f"The rerun told of {len(told)} trainings, expected {len(trainings)}."
    for index, (training, facts) in enumerate(zip(trainings, told, strict=True)):
        where = f"after batch {index}" if index else "after learning"
        if index and procedure.unlearn not in STAYS_PRIVATE:
            if "dp_steps" in facts:
                return f"The rerun calls its model private {where}, and {procedure.unlearn} reads records without noise."
            continue
        expected = {
            "dp_noise_multiplier": noise.noise_multiplier,
            "dp_sample_rate": training.sample_rate,
            "dp_steps": training.steps,
            "dp_delta": noise.delta,
        }
        for name, value in expected.items():
            if facts.get(name) != value:
                return f"{where.capitalize()} the rerun reports {name} = {facts.get(name)}; settings and data make it {value}."
    return None


def _goal(case: Case, noise: Private) -> _Goal:
    claim, policy = case.settings.claims.dp, case.settings.policy
    named = [
        ("procedure", None, noise.delta),
        ("claim", claim.epsilon if claim else None, claim.delta if claim else None),
        ("policy", policy.max_epsilon, policy.max_delta),
    ]
    epsilon = min((epsilon for _, epsilon, _ in named if epsilon is not None), default=None)
    return _Goal(epsilon, min(delta for _, _, delta in named if delta is not None), sources(named))


def _doubts(procedure: Torch, replay: Replay) -> Iterable[str]:
    """Why the check cannot pass, whatever the numbers."""
    if procedure.foreign:
        yield (
            "The network is the controller's own: gradients were clipped and noise was added in one process with its code, so "
            "that they were is the controller's word."
        )
    if replay.batches and procedure.unlearn not in STAYS_PRIVATE:
        yield f"The model after {procedure.unlearn} is no longer that of a private training: nothing is known of its ε."


def _basis(goal: _Goal, judged: Sequence[_Training], certificates: Sequence[Certificate], records: int) -> Iterable[str]:
    runs = "; ".join(f"{each.records} records, {each.steps} steps at a rate of {each.sample_rate:.4g}" for each in judged)
    yield f"Upper bound on ε at δ, one record being added or removed: DP-SGD as declared and as the rerun reports it ({runs})."
    reasons = [certificate.outputs["reason"] for certificate in certificates if certificate.epsilon is None]
    if reasons:
        yield f"There is no such ε: {reasons[0]}."
    if goal.epsilon is None:
        yield "No threshold: neither claim nor policy names an ε for it."
    if goal.delta * records >= 1:
        yield "That is weak: δ is not below 1/n, so that giving a whole record away now and then would meet it."


def _records_of_one(requests: Sequence[Request], known: frozenset[str]) -> int:
    """The most training records that the log names for one person: a subject, or a request without one."""
    owned: dict[tuple[bool, str], set[str]] = {}
    for request in requests:
        person = (True, request.subject) if request.subject is not None else (False, request.request_id)
        owned.setdefault(person, set()).update(known.intersection(request.record_ids))
    return max([1, *map(len, owned.values())])


def _facts(case: Case, procedure: Torch, replay: Replay, check: Check, pledge: Pledge) -> tuple[Fact, ...]:
    """What Proposition 5.1 asks of the training: it speaks of a model that is never updated, and of secret noise."""
    if procedure.foreign or procedure.unlearn != "none":
        return ()
    if procedure.seed.bit_length() < SECRET_BITS:
        reason = f"{ID}: the noise's seed has fewer than {SECRET_BITS} bits, so it can be found by trying"
        return (fact("dp-per-subject", How.REFUTED, reason),)
    if loses_labels(case, replay.forgotten):
        reason = f"{ID}: the model has a place for a label that only deleted records had, which no noise hides"
        return (fact("dp-per-subject", How.REFUTED, reason),)
    records = check.details["records_per_person"]
    each = "one record" if records == 1 else f"at most {records} records"
    words = (
        f"{ID}: ε = {pledge.epsilon:.4g}, δ = {pledge.delta:.3g} for a person; by the controller: the noise's seed is secret, "
        f"number of records and labels are public, and nobody has more than {each}, the most that the log names for one person"
    )
    return (fact("dp-per-subject", How.ATTESTED, words),)
