"""`removal.output-noise`: its certificate from what the procedure declares and the chain measured, and its status from that."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from auditor.certificates import derive
from auditor.decisions import decide_at_most
from auditor.domain import Certificate, Check, Status
from auditor.evidence import Evidence
from auditor.verify.expectations import not_run, number, status_is, threshold_is
from auditor.verify.numbers import differs
from auditor.verify.removal import USE, chain, target

_DECLARED: Final = ("l2", "release_noise")


def judged(evidence: Evidence, check: Check) -> Iterator[str]:
    """`removal.output-noise`: ε from the declared budget, noise and strength, and the records that are left."""
    declared = evidence.procedure.settings
    noised = evidence.procedure.use == USE and bool(number(declared.get("release_noise")))
    if check.status is Status.SKIPPED:
        yield from not_run(check, excused=not noised, reason="the procedure adds noise at release")
        return
    steps, goal = chain(evidence), target(evidence)
    if not noised:
        yield "the procedure adds no noise at release, and yet it was judged"
        return
    budget = number(declared.get("residual_budget"))
    if steps is None or goal is None or budget is None:
        yield from differs("value", check.value, None, "without a measurement, a budget or a target it is")
        yield from status_is(check, Status.INCONCLUSIVE)
        return
    yield from threshold_is(check, goal.epsilon, "the strictest ε on record")
    largest = _largest(steps)
    measured = min(largest, budget) if kept(steps, budget) else largest
    given: dict[str, Any] = {name: declared.get(name) for name in _DECLARED}
    given |= {"delta": goal.delta, "residual": budget, "measured": measured}
    left = [rows - gone for rows, gone in zip(steps.inputs["rows"], steps.inputs["forgotten"], strict=True)]
    one, every = (
        derive("output-noise", {**given, "rows": left[-1:], "epsilon": goal.epsilon}),
        derive("output-noise", {**given, "rows": left}),
    )
    # Those of the log's own removals come first; a game's may follow.
    held = [each for each in evidence.certificates if each.kind == "output-noise"][:2]
    if len(held) < 2 or any(not _inputs_agree(found, expected) for found, expected in zip(held, (one, every), strict=True)):
        yield "its certificates output-noise are not those of the declared budget, noise and strength, and of the records left"
    spent = one.outputs["epsilon_spent"]
    yield from differs("value", check.value, spent, "its certificate gives")
    details = {
        "epsilon": goal.epsilon,
        "delta": goal.delta,
        "release_noise": declared.get("release_noise"),
        "residual_budget": budget,
        "allowed_residual_budget": one.outputs["residual_budget"],
        "measured": largest,
        "mu": one.outputs.get("mu"),
        "distance_to_retrained": one.outputs.get("distance"),
        "epsilon_if_every_batch_is_released": every.outputs["epsilon_spent"],
    }
    for name, value in details.items():
        yield from differs(f"details.{name}", check.details.get(name), value, "its certificates give")
    yield from status_is(check, Status.FAIL if spent is None else decide_at_most(spent, goal.epsilon))


def kept(steps: Certificate, budget: float) -> bool:
    """Whether no gradient norm of the chain exceeds the budget by more than rounding."""
    floors = sorted(map(float, steps.inputs["rounding_floor"]))
    return _largest(steps) <= budget + sum(floors[-int(steps.inputs.get("classes", 1)) :])


def _largest(steps: Certificate) -> float:
    """The largest norm that was measured, after training and after each batch."""
    return next(float(bound.value) for bound in steps.bounds if bound.name == "measured" and bound.value is not None)


def _inputs_agree(found: Certificate, expected: Certificate) -> bool:
    return found.inputs.keys() == expected.inputs.keys() and not any(
        list(differs(name, found.inputs[name], value, "")) for name, value in expected.inputs.items()
    )
