"""`deletion.renyi`: its numbers from settings, log and counts, its premises from what was measured, its status from both."""

from __future__ import annotations

from collections.abc import Generator, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from auditor.decisions import decide_at_most
from auditor.domain import Certificate, Check, Status
from auditor.evidence import Evidence
from auditor.verify.data_deletion import descent, independence, premises
from auditor.verify.data_deletion.beside import Batch, beside, cost, curve, of_batches
from auditor.verify.data_deletion.descent import USE, Bounds, Run
from auditor.verify.expectations import count, not_run, number, setting, status_is, threshold_is
from auditor.verify.numbers import differs, same

RENYI: Final = "deletion.renyi"
_ONE_OUTPUT: Final = frozenset({"logistic"})


@dataclass(frozen=True, slots=True)
class Judged:
    """What both checks rest on, derived from the details of `deletion.renyi`."""

    run: Run
    found: Bounds
    batches: tuple[Batch, ...]
    """None listed where no ε stands."""
    false: bool
    """Whether a premise was found false."""
    open: bool
    """Whether one could not be told."""
    threshold: float | None
    foreign: bool

    @property
    def epsilon(self) -> float | None:
        """ε_dd, where it stands."""
        return None if self.false else self.found.epsilon_dd

    def status(self, value: float | None) -> Status:
        """Of a value that rests on the premises."""
        if self.false:
            return Status.FAIL
        status = decide_at_most(value, self.threshold)
        return Status.INCONCLUSIVE if status is Status.PASS and (self.open or self.foreign) else status


def applies(evidence: Evidence) -> bool:
    """Whether the case gives cause for the checks."""
    return evidence.procedure.use == USE or "data_deletion" in evidence.policy.claims


def renyi(evidence: Evidence, check: Check) -> Iterator[str]:
    """`deletion.renyi`: every number in its details derived again, its premises, and its status from both."""
    if not (yield from to_judge(evidence, check)):
        return
    if evidence.procedure.use != USE:
        yield from independence.renyi(evidence, check)
        return
    details = check.details
    judged = judged_of(evidence, check)
    run, found = judged.run, judged.found
    order, threshold, sources = descent.goal(evidence)
    yield from differs("details.order", details.get("order"), order, "claim and procedure make it")
    yield from _named(details.get("sources"), sources)
    yield from threshold_is(check, threshold, "the strictest of claim and policy")
    yield from _settings(evidence, check, judged)
    counted = _counted(details)
    declared = [run.learn_steps, run.unlearn_steps]
    yield from differs("details.steps.declared", details["steps"].get("declared"), declared, "the procedure's are")
    if len(counted) != evidence.deletion_log.batches + 1:
        yield f"details.steps.counted has {len(counted)} updates, the log has {evidence.deletion_log.batches} batches"
        return
    noise, wrong = premises.noise(check, run, counted)
    yield from wrong
    yield from premises.messages(evidence, check, run, found, counted, noise)
    value = judged.epsilon
    yield from differs("details.theorem", details.get("theorem"), found.source, "settings and policy make it")
    for name, stated in (("value", check.value), ("details.epsilon_dd", details.get("epsilon_dd"))):
        yield from exactly(name, stated, value, "certificate and premises give")
    private = None if judged.false else found.epsilon_dp
    yield from exactly("details.epsilon_dp", details.get("epsilon_dp"), private, "the theorem gives")
    for name in ("reason", "mend"):
        if (details.get(name) is None) != (value is not None) and not (name == "mend" and value is None):
            yield f"details.{name} does not go with an ε of {value}"
    yield from _beside(evidence, check, judged)
    yield from status_is(check, judged.status(value))


def to_judge(evidence: Evidence, check: Check) -> Generator[str, None, bool]:
    """Whether there is something to derive: the check ran, on a log with a batch."""
    if check.status is Status.SKIPPED:
        yield from not_run(check, excused=not applies(evidence), reason="the procedure or a claim is one of data deletion")
        return False
    if not applies(evidence):
        yield f"status is {check.status}, and nothing in the case speaks of data deletion"
        return False
    if not evidence.deletion_log.batches:
        yield from differs("value", check.value, None, "without a batch it is")
        yield from status_is(check, Status.INCONCLUSIVE)
        return False
    return True


def judged_of(evidence: Evidence, check: Check) -> Judged:
    """What the details of `deletion.renyi` rest on, with its certificates derived again.

    Raises:
        LookupError, TypeError, ValueError: If they are not of the form that this version writes.
    """
    details = check.details
    batches = tuple(Batch(int(each["removed"]), int(each["rows"])) for each in details["batches"])
    stated = details["settings"]
    order, threshold, _ = descent.goal(evidence)
    run = descent.run_of(
        evidence,
        order=order,
        rows=batches[-1].rows if batches else int(stated["rows"]),
        largest_batch=max(each.removed for each in batches) if batches else int(stated["largest_batch"]),
        parameters=_parameters(evidence, stated),
    )
    listed = premises.listed(check).values()
    return Judged(
        run=run,
        found=descent.bounds(run, tradeoff=descent.may_trade_off(evidence)),
        batches=batches,
        false=any(each.get("holds") is False for each in listed),
        open=any(each.get("holds") is None for each in listed),
        threshold=threshold,
        foreign=evidence.procedure.entry is not None,
    )


def _parameters(evidence: Evidence, stated: Mapping[str, Any]) -> int:
    """d: of a linear model the features times its outputs, of a network as it is stated."""
    loss, case = evidence.procedure.settings.get("loss"), evidence.case
    if loss is None:
        return int(stated["parameters"])
    return case.features * (1 if loss in _ONE_OUTPUT else case.classes)


def _counted(details: Mapping[str, Any]) -> list[int | None]:
    found = details["steps"].get("counted")
    return [count(each) for each in found] if isinstance(found, list | tuple) else []


def _settings(evidence: Evidence, check: Check, judged: Judged) -> Iterator[str]:
    """The settings that the report prints, and the batches, against procedure and case."""
    run, declared, case = judged.run, evidence.procedure.settings, evidence.case
    given = run.declared
    loss = declared.get("loss") or declared.get("model") or evidence.procedure.entry
    expected = {
        "loss": loss,
        "clip": declared.get("clip"),
        "loss_cap": declared.get("loss_cap"),
        "lipschitz": given.lipschitz,
        "smoothness": given.smoothness,
        "l2": run.l2,
        "sigma2": run.sigma2,
        "rate": given.rate,
        "learn_steps": run.learn_steps,
        "unlearn_steps": run.unlearn_steps,
        "rows": run.rows,
        "parameters": run.parameters,
        "largest_batch": run.largest_batch,
        "steps_with_record": run.steps_with,
    }
    stated = check.details["settings"]
    for name, value in expected.items():
        yield from exactly(f"details.settings.{name}", stated.get(name), value, "procedure, case and log give")
    if len(stated) != len(expected):
        yield "details.settings holds other keys than these"
    if case.parameters is not None and given.loss is None:
        yield from differs("details.settings.parameters", run.parameters, case.parameters, "the model has")
    gone = case.training_records - case.records_left
    last = run.rows - case.records_left
    if not 1 <= last <= run.largest_batch <= gone or run.rows > case.training_records:
        yield f"details.settings: {run.rows} rows before the last batch, {run.largest_batch} in the largest: the case has others"
    if judged.batches:
        yield from _batches(evidence, judged.batches)


def _batches(evidence: Evidence, batches: Sequence[Batch]) -> Iterator[str]:
    case = evidence.case
    yield from differs("details.batches", len(batches), evidence.deletion_log.batches, "the log has")
    rows = case.training_records
    for index, batch in enumerate(batches):
        yield from differs(f"details.batches[{index}].rows", batch.rows, rows, "what the batches before leave is")
        rows -= batch.removed
    yield from differs("details.batches: records left", rows, case.records_left, "the case leaves")


def _beside(evidence: Evidence, check: Check, judged: Judged) -> Iterator[str]:
    """Everything in the details that follows from settings and ε."""
    details, run, found = check.details, judged.run, judged.found
    stands = judged.epsilon is not None
    expected: dict[str, Any] = {
        "orders": [],
        "membership": None,
        "conversions": [],
        "gaussian": None,
        "batches": [],
        "utility": None,
    }
    if not stands:
        expected["curve"] = [] if judged.false else curve(run)
    certificates = list(found.certificates)
    if stands:
        told, more = beside(run, found, max_delta=setting(evidence, "max_delta"), threshold=judged.threshold)
        certificates += more
        expected |= told
        stated = details["batches"]
        for index, (one, all_) in enumerate(of_batches(run, found, judged.batches)):
            yield from exactly(f"details.batches[{index}].epsilon_dd", stated[index].get("epsilon_dd"), one, "its rows give")
            yield from exactly(
                f"details.batches[{index}].epsilon_together", stated[index].get("epsilon_together"), all_, "m²ε is"
            )
    for name, value in expected.items():
        if name != "batches" or not stands:
            yield from _equal(f"details.{name}", details.get(name), value)
    for name, value in cost(run, evidence.case.records_left).items():
        yield from exactly(f"details.cost.{name}", details["cost"].get(name), value, "records left and steps give")
    yield from present(evidence, certificates)


def present(evidence: Evidence, expected: Iterable[Certificate]) -> Iterator[str]:
    """Certificates that the document has to hold: of their kind, with exactly these inputs."""
    for wanted in expected:
        if not any(each.kind == wanted.kind and _same_inputs(each.inputs, wanted.inputs) for each in evidence.certificates):
            yield f"no certificate {wanted.kind} is derived from procedure, log and policy"


def _same_inputs(found: Mapping[str, Any], wanted: Mapping[str, Any]) -> bool:
    return set(found) == set(wanted) and all(_alike(found[name], wanted[name]) for name in wanted)


def _named(found: Any, expected: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    if not _alike(found, list(expected)):
        yield "details.sources is not what claim and policy name"


def _equal(name: str, found: Any, expected: Any) -> Iterator[str]:
    """One message naming the first place where two values differ."""
    if isinstance(expected, Mapping) and isinstance(found, Mapping):
        if set(found) != set(expected):
            yield f"{name} holds other keys than this version writes"
            return
        for key, value in expected.items():
            yield from _equal(f"{name}.{key}", found[key], value)
    elif isinstance(expected, list) and isinstance(found, list | tuple) and len(expected) == len(found):
        for index, value in enumerate(expected):
            yield from _equal(f"{name}[{index}]", found[index], value)
    else:
        yield from exactly(name, found, expected, "settings and log give")


def exactly(name: str, found: Any, expected: Any, why: str) -> Iterator[str]:
    """As `differs`, with small numbers held to their own size: an ε may be far below the tolerance of others."""
    if not _alike(found, expected):
        yield next(differs(name, found, expected, why), f"{name} is {found}, {why} {expected}")


def _alike(found: Any, expected: Any) -> bool:
    one, other = number(found), number(expected)
    if one is not None and other is not None:
        return abs(one - other) <= 1e-9 * max(abs(one), abs(other))
    if isinstance(expected, Mapping) and isinstance(found, Mapping):
        return set(found) == set(expected) and all(_alike(found[key], expected[key]) for key in expected)
    if isinstance(expected, list | tuple) and isinstance(found, list | tuple):
        return len(found) == len(expected) and all(map(_alike, found, expected))
    return same(found, expected)
