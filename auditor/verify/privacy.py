"""`training.privacy`: its ε from the certificates of the trainings, these from what is declared, and what a person gets of it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from auditor.certificates.dp_sgd import KIND, schedule
from auditor.decisions import decide_at_most
from auditor.domain import Certificate, Check, Status
from auditor.evidence import Evidence
from auditor.guarantees import Pledge, pledge_to_one
from auditor.verify.expectations import count, not_run, number, setting, status_is, threshold_is
from auditor.verify.numbers import differs, same

ID: Final = "training.privacy"
USE: Final = "torch"
"""The procedure whose training may be private."""
_STAYS_PRIVATE: Final = frozenset({"none", "retrain"})
_DETAILS: Final = ("records", "sample_rate", "steps", "epsilon")


def declared(evidence: Evidence) -> Mapping[str, Any] | None:
    """Noise, clipping and δ as `[procedure] dp` has them; None where training is not private."""
    found = evidence.procedure.settings.get("dp")
    return found if evidence.procedure.use == USE and isinstance(found, dict) else None


def certificate(evidence: Evidence, records: int, delta: float | None) -> Certificate | None:
    """The certificate of a training on so many records as declared, at a δ; None where the evidence holds none."""
    noise, settings = declared(evidence), evidence.procedure.settings
    batch, epochs = count(settings.get("batch")), count(settings.get("epochs"))
    if noise is None or records < 1 or not batch or not epochs:
        return None
    sample_rate, steps = schedule(records, batch=batch, epochs=epochs)
    wanted = {
        "noise_multiplier": noise.get("noise_multiplier"),
        "sample_rate": sample_rate,
        "steps": steps,
        "delta": delta,
    }
    for each in evidence.certificates:
        if each.kind == KIND and set(each.inputs) == set(wanted) and all(same(each.inputs[key], wanted[key]) for key in wanted):
            return each
    return None


def pledge(evidence: Evidence) -> Pledge | None:
    """What the training gives each person; None where it gives nothing."""
    check = next((each for each in evidence.checks if each.id == ID and each.value is not None), None)
    if check is None:
        return None
    epsilon, delta, records = (number(check.details.get(name)) for name in ("epsilon", "delta", "records_per_person"))
    if epsilon is None or delta is None or not records or epsilon < 0 or not 0 <= delta <= 1 or records < 1:
        return None
    return pledge_to_one(epsilon, delta, records=int(records))


def privacy(evidence: Evidence, check: Check) -> Iterator[str]:
    """`training.privacy`: the largest ε of the trainings that count, against the strictest that claim and policy name."""
    noise = declared(evidence)
    if check.status is Status.SKIPPED:
        yield from not_run(check, excused=noise is None, reason="private training is declared")
        return
    if noise is None:
        yield f"status is {check.status}, and no private training is declared"
        return
    delta, goal, sources = _goal(evidence, noise)
    found = [(records, certificate(evidence, records, delta)) for records in _trained(evidence)]
    if any(each is None for _, each in found):
        yield "there is no certificate dp-sgd of the declared training at its δ"
        return
    known = [(records, each) for records, each in found if each is not None]
    values = [each.epsilon for _, each in known if each.epsilon is not None]
    value = max(values) if len(values) == len(known) else None
    yield from differs("value", check.value, value, "certificate dp-sgd gives")
    yield from threshold_is(check, goal, "the strictest of claim and policy")
    yield from _details(evidence, check, noise, known, {"epsilon": value, "delta": delta, "sources": sources})
    if value is None and goal is not None and not delta:
        yield from status_is(check, Status.FAIL)
        return
    status = decide_at_most(value, goal)
    yield from status_is(check, Status.INCONCLUSIVE if status is Status.PASS and _doubtful(evidence) else status)


def _goal(evidence: Evidence, noise: Mapping[str, Any]) -> tuple[float | None, float | None, list[dict[str, str | float | None]]]:
    """The strictest δ, the strictest ε, and who names them."""
    claim = evidence.policy.claims.get("dp")
    stated = claim if isinstance(claim, dict) else {}
    named = {
        "procedure": (None, number(noise.get("delta"))),
        "claim": (number(stated.get("epsilon")), number(stated.get("delta"))),
        "policy": (setting(evidence, "max_epsilon"), setting(evidence, "max_delta")),
    }
    listed = {source: pair for source, pair in named.items() if pair != (None, None)}
    epsilons, deltas = ([pair[index] for pair in listed.values() if pair[index] is not None] for index in (0, 1))
    sources: list[dict[str, str | float | None]] = [
        {"source": source, "epsilon": epsilon, "delta": delta} for source, (epsilon, delta) in listed.items()
    ]
    strictest = [min((value for value in values if value is not None), default=None) for values in (deltas, epsilons)]
    return strictest[0], strictest[1], sources


def _trained(evidence: Evidence) -> tuple[int, ...]:
    """How many records the trainings had that count: the first, and that of the released model where it is another."""
    case = evidence.case
    anew = evidence.procedure.unlearn == "retrain" and evidence.deletion_log.batches
    return tuple(dict.fromkeys((case.training_records, case.records_left if anew else case.training_records)))


def _doubtful(evidence: Evidence) -> bool:
    """Whether the check could not pass, whatever the numbers."""
    procedure = evidence.procedure
    return procedure.entry is not None or (procedure.unlearn not in _STAYS_PRIVATE and bool(evidence.deletion_log.batches))


def _details(
    evidence: Evidence,
    check: Check,
    noise: Mapping[str, Any],
    known: list[tuple[int, Certificate]],
    expected: Mapping[str, Any],
) -> Iterator[str]:
    for name, value in {**expected, "noise_multiplier": noise.get("noise_multiplier")}.items():
        yield from differs(f"details.{name}", check.details.get(name), value, "procedure, claim, policy and certificate give")
    runs = [
        dict(zip(_DETAILS, (records, each.inputs["sample_rate"], each.inputs["steps"], each.epsilon), strict=True))
        for records, each in known
    ]
    yield from differs("details.trainings", check.details.get("trainings"), runs, "the certificates have")
    named = max((each.records for each in evidence.requests), default=0)
    stated = count(check.details.get("records_per_person"))
    if stated is None or stated < max(1, named):
        yield f"details.records_per_person is {stated}, one request alone names {named} records"
