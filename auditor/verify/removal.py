"""`removal.residual` and `removal.budget`: the certificates that they rest on, and the case that those rest on."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import accumulate, pairwise
from typing import Any, Final

from auditor.certificates.extractor import strictest
from auditor.certificates.joint import combined
from auditor.certificates.residual import DECIDING
from auditor.decisions import decide_at_most
from auditor.domain import Certificate, Check, Status
from auditor.evidence import Evidence
from auditor.verify import extractor
from auditor.verify.expectations import not_run, number, setting, status_is, threshold_is
from auditor.verify.hardest import hardest
from auditor.verify.numbers import differs, same

USE: Final = "certified-removal"
"""The procedure that these checks speak of."""


@dataclass(frozen=True, slots=True)
class Target:
    """The (ε, δ) that the removal criterion is held against."""

    epsilon: float
    delta: float


def _sources(evidence: Evidence) -> dict[str, tuple[float | None, float | None]]:
    """ε and δ as procedure, claim and policy name them."""
    claim = evidence.policy.claims.get("certified_removal")
    tables = {"procedure": evidence.procedure.settings, "claim": claim if isinstance(claim, dict) else {}}
    named = {source: (number(table.get("epsilon")), number(table.get("delta"))) for source, table in tables.items()}
    named["policy"] = (setting(evidence, "max_epsilon"), setting(evidence, "max_delta"))
    return {source: pair for source, pair in named.items() if pair != (None, None)}


def target(evidence: Evidence) -> Target | None:
    """The strictest ε and δ that procedure, claim and policy name, less a private extractor's; None without an ε or a δ."""
    if evidence.procedure.use != USE:
        return None
    named = _sources(evidence)
    own = named.pop("procedure", (None, None))
    epsilon, delta = strictest(own, named.values(), extractor.spent(evidence))
    return Target(epsilon, delta) if epsilon is not None and delta is not None else None


def chain(evidence: Evidence) -> Certificate | None:
    """The certificate that adds the residual bounds up along the log, of one model or of several classes together."""
    return certificate_of(evidence, "removal-residual") or certificate_of(evidence, "joint-residual")


def certificate_of(evidence: Evidence, kind: str) -> Certificate | None:
    """The first certificate of a kind; None where there is none."""
    return next((certificate for certificate in evidence.certificates if certificate.kind == kind), None)


def residual(evidence: Evidence, check: Check) -> Iterator[str]:
    """`removal.residual`: the measured norm against the last bound of the chain."""
    if check.status is Status.SKIPPED:
        yield from not_run(check, excused=evidence.procedure.use != USE, reason=f"the procedure is {USE}")
        return
    steps = chain(evidence)
    if steps is None:
        # No batch, or a measurement that float64 does not hold: nothing was certified.
        yield from threshold_is(check, None, "without a certificate removal-residual or joint-residual the bound")
        yield from status_is(check, Status.INCONCLUSIVE)
        return
    yield from _fits_case(evidence, steps)
    yield from threshold_is(check, _last(steps), f"the last β of certificate {steps.kind}")
    measured, subject = check.details.get("measured"), check.details.get("subject")
    yield from differs("value", check.value, measured, "details.measured is")
    if check.value is None:
        # Another shape of the weights, or a norm beyond float64, is a failure.
        yield from status_is(check, Status.FAIL, *((Status.INCONCLUSIVE,) if check.threshold is None and subject else ()))
        return
    yield from differs("details.beta", check.details.get("beta"), check.threshold, "the threshold is")
    yield from differs("details.subject", subject, "rerun" if evidence.case.model is None else "shipped", "the case has it")
    yield from status_is(check, decide_at_most(check.value, check.threshold))


def _last(steps: Certificate) -> float | None:
    betas = steps.outputs.get("betas")
    deciding = betas.get(DECIDING) if isinstance(betas, dict) else None
    return number(deciding[-1]) if steps.outputs.get("beta") is not None and deciding else None


def _fits_case(evidence: Evidence, steps: Certificate) -> Iterator[str]:
    """The chain's inputs against what the evidence says of case and procedure elsewhere."""
    inputs, case, declared = steps.inputs, evidence.case, evidence.procedure.settings
    rows, forgotten = _list(inputs, "rows"), _list(inputs, "forgotten")
    where = f"certificate {steps.kind}:"
    yield from differs(f"{where} l2", inputs.get("l2"), declared.get("l2"), "the procedure's is")
    yield from differs(f"{where} batches", len(rows), evidence.deletion_log.batches, "the log has")
    if rows and len(rows) == len(forgotten):
        yield from differs(f"{where} rows", rows[0], case.training_records, "the training records are")
        left = rows[-1] - forgotten[-1]
        yield from differs(f"{where} records left", left, case.records_left, "the case leaves")
    models = case.classes if case.classes > 2 else 1
    yield from differs(f"{where} classes", inputs.get("classes", 1), models, "the case's labels make it")
    if models > 1:
        yield from differs(f"{where} added", inputs.get("added"), int(declared.get("perturbation") == "laplace"), "b makes it")
    leftovers = [number(value) for value in (_list(inputs, "leftovers") or [inputs.get("leftover")])]
    tolerance = number(declared.get("tolerance"))
    for leftover in leftovers:
        if leftover is not None and tolerance is not None and leftover < tolerance:
            yield f"{where} leftover is {leftover:g}, below the optimiser's tolerance {tolerance:g}"


def _budget_kind(evidence: Evidence) -> str:
    """The rule that turns a residual into ε: the theorem's part for the declared perturbation."""
    return "removal-budget-laplace" if evidence.procedure.settings.get("perturbation") == "laplace" else "removal-budget"


def _list(values: Mapping[str, Any], name: str) -> list[Any]:
    found = values.get(name)
    return list(found) if isinstance(found, list | tuple) else []


def budget(evidence: Evidence, check: Check) -> Iterator[str]:
    """`removal.budget`: the worst bound of the chain over the budget at the strictest (ε, δ) on record."""
    if check.status is Status.SKIPPED:
        excused = evidence.procedure.use != USE or evidence.procedure.settings.get("sigma") == 0
        yield from not_run(check, excused=excused, reason=f"the procedure is {USE}")
        return
    if evidence.procedure.settings.get("sigma") == 0:
        yield "sigma is 0, and yet the criterion of a random loss was judged"
        return
    steps, goal, given = chain(evidence), target(evidence), certificate_of(evidence, _budget_kind(evidence))
    worst = None if steps is None else steps.outputs.get("beta")
    if steps is not None:
        yield from _series(check, steps)
        yield from _batches(evidence, check)
        yield from hardest(check, steps)
    if goal is None or worst is None:
        yield from differs("value", check.value, None, "without a target or a bound it is")
        yield from threshold_is(check, None, "without a target or a bound it")
        yield from status_is(check, Status.INCONCLUSIVE)
        return
    yield from threshold_is(check, 1.0, "the criterion's")
    yield from extractor.together(evidence, (goal.epsilon, goal.delta))
    if steps is None or given is None:
        yield f"there is no certificate {_budget_kind(evidence)} to derive it from"
        return
    yield from _given(evidence, given, goal, steps)
    yield from _named(evidence, check)
    for name in ("epsilon", "sigma"):
        yield from differs(f"details.{name}", check.details.get(name), given.inputs.get(name), f"certificate {given.kind} has")
    yield from differs("details.delta", check.details.get("delta"), goal.delta, "the strictest on record is")
    for name in ("budget", "classical_budget", "classical_proved", "epsilon_spent"):
        stated = check.details.get(name)
        yield from differs(f"details.{name}", stated, given.outputs.get(name), f"certificate {given.kind} gives")
    allowed = number(given.outputs.get("budget"))
    if not allowed:
        yield from differs("value", check.value, None, "over a budget of nothing it is")
        yield from status_is(check, Status.FAIL)
        return
    yield from differs("value", check.value, worst / allowed, "β over the budget is")
    yield from status_is(check, decide_at_most(check.value, 1.0))


def _named(evidence: Evidence, check: Check) -> Iterator[str]:
    """The sources that the report lists, against procedure, claim and policy."""
    listed = [{"source": source, "epsilon": epsilon, "delta": delta} for source, (epsilon, delta) in _sources(evidence).items()]
    if check.details.get("sources") != listed:
        yield "details.sources is not what procedure, claim and policy name"


def _given(evidence: Evidence, given: Certificate, goal: Target, steps: Certificate) -> Iterator[str]:
    """The budget's inputs against target, declared noise and chain."""
    where = f"certificate {given.kind}:"
    inputs = given.inputs
    yield from differs(f"{where} epsilon", inputs.get("epsilon"), goal.epsilon, "the strictest on record is")
    # With a density of the Laplace type δ is 0, whatever was named.
    delta = goal.delta if given.kind == "removal-budget" else None
    yield from differs(f"{where} delta", inputs.get("delta"), delta, "the strictest on record is")
    yield from differs(f"{where} sigma", inputs.get("sigma"), evidence.procedure.settings.get("sigma"), "the procedure's is")
    yield from differs(f"{where} beta", inputs.get("beta"), steps.outputs.get("beta"), f"certificate {steps.kind} gives")
    for bound in steps.bounds:
        if bound.name != DECIDING:
            name = f"beta_{bound.name.replace('-', '_')}"
            yield from differs(f"{where} {name}", inputs.get(name), bound.value, f"certificate {steps.kind} gives")


def _batches(evidence: Evidence, check: Check) -> Iterator[str]:
    """The requests of each batch: executed, no fewer records than the batch removed, one batch after the other.

    Counts and order only where the log holds together: two rows of one id, or batches that overlap, have neither.
    """
    known = {request.request_id: request for request in evidence.requests if request.deleted_at is not None}
    series, latest = check.details.get("series"), None
    for index, (before, entry) in enumerate(pairwise(series) if isinstance(series, list) else (), start=1):
        where = f"details.series[{index}]"
        strangers = [name for name in entry["request_ids"] if name not in known]
        if strangers:
            yield f"{where} holds {', '.join(strangers)}, not executed as requests has it"
        if strangers or evidence.deletion_log.problems:
            continue
        requests = [known[name] for name in entry["request_ids"]]
        removed, named = entry["removed"] - before["removed"], sum(request.records for request in requests)
        if removed > named:
            yield f"{where} removes {removed} records, its requests name {named}"
        times = [request.deleted_at for request in requests if request.deleted_at is not None]
        if times and latest is not None and min(times) < latest:
            yield f"{where} ({', '.join(entry['request_ids'])}) was executed before the batch that it follows, as requests has it"
        latest = max(times, default=latest)


def _series(check: Check, steps: Certificate) -> Iterator[str]:
    """The rows that the report draws against the chain."""
    series = check.details.get("series")
    rows, forgotten = _list(steps.inputs, "rows"), _list(steps.inputs, "forgotten")
    if not isinstance(series, list) or len(series) != len(rows) + 1:
        yield f"details.series has not one entry for training and each of {len(rows)} batches"
        return
    removed = [0, *accumulate(forgotten)]
    for index, entry in enumerate(series):
        expected = {"removed": removed[index], "rows_left": (rows[0] if rows else 0) - removed[index], **_step(steps, index)}
        wrong = [name for name, value in expected.items() if not same(_inside(entry, name), value)]
        if wrong:
            yield f"details.series[{index}] differs from certificate {steps.kind} in {', '.join(wrong)}"


def _step(steps: Certificate, index: int) -> dict[str, Any]:
    """What the chain says of training (index 0) or a batch, under the paths that an entry of the series has."""
    inputs, outputs = steps.inputs, steps.outputs
    found = {f"beta.{name}": values[index] for name, values in (outputs.get("betas") or {}).items()}
    if not index:
        return {**found, "retrained": True, "increment": None, "solver_error": None, "rounding_floor": None}
    increments = outputs.get("increments") or {}
    found |= {f"increment.{name}": values[index - 1] for name, values in increments.items()}
    classes = inputs.get("classes", 1)
    for name in ("solver_error", "rounding_floor"):
        each = inputs[name][(index - 1) * classes : index * classes]
        found[name] = each[0] if classes == 1 else combined(inputs["added"])(each)
    measured = (outputs.get("measured") or inputs["measured"])[index - 1]
    return {**found, "beta.measured": measured, "retrained": bool(inputs["retrained"][index - 1])}


def _inside(entry: Mapping[str, Any], path: str) -> Any:
    outer, _, inner = path.partition(".")
    return entry.get(outer) if not inner else (entry.get(outer) or {}).get(inner)
