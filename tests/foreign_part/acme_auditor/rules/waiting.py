"""How long the last of several requests waits that are served at a rate."""

from __future__ import annotations

from auditor.base.domain import Certificate, Condition
from auditor.maths.certificates import rule
from auditor.maths.certificates.rule import at_least

KIND = "acme-waiting"


class Inputs(rule.Inputs):
    """The inputs."""

    requests: rule.Count
    rate: float
    """Requests a day."""


def _conditions(inputs: Inputs) -> tuple[Condition, ...]:
    return (at_least("requests", inputs.requests, 0), at_least("rate", inputs.rate, 1))


def _derive(inputs: Inputs) -> Certificate:
    conditions = _conditions(inputs)
    if rule.failing(conditions):
        return rule.without_result(KIND, inputs, conditions, ("days",))
    return rule.without_guarantee(KIND, inputs, conditions, {"days": inputs.requests / inputs.rate})


RULES = (
    rule.Rule(
        kind=KIND,
        theorem="Little's law",
        summary="How many days the last request waits.",
        example="auditor calc acme-waiting --requests 30 --rate 10",
        inputs=Inputs,
        conditions=_conditions,
        derive=_derive,
    ),
)
