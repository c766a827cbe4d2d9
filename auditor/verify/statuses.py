"""Statuses: from value, interval and threshold of each check to the status that they give.

The table holds one rule a check of this version. A check without a rule cannot have passed or failed here: a status that nothing
derives is a finding. What a rule may not know (whether a place could be searched, whether a procedure answered) can only make a
status weaker, and then stands in the rule as such.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Final

from auditor.domain import LEFT_OUT, Check, Status
from auditor.errors import InputError
from auditor.evidence import Evidence
from auditor.verify import epsilons, inference, logs, output_noise, privacy, removal, reruns, stateless, swap
from auditor.verify.data_deletion import adaptive, renyi
from auditor.verify.numbers import shown
from auditor.verify.outcome import Part, part

_UNREADABLE: Final = (ArithmeticError, AttributeError, InputError, LookupError, TypeError, ValueError)
"""What reading details raises where a document that came from anybody holds something else than this version writes."""
RULES: Final[Mapping[str, Callable[[Evidence, Check], Iterator[str]]]] = {
    "log.consistency": logs.consistency,
    "log.deadlines": logs.deadlines,
    "data.erased": reruns.erased,
    "model.reproduced": reruns.reproduced,
    "swap.quality": swap.quality,
    "swap.strong": swap.strong,
    "swap.controls": swap.controls,
    "epsilon.consistency": epsilons.consistency,
    "training.privacy": privacy.privacy,
    "removal.residual": removal.residual,
    "removal.budget": removal.budget,
    "removal.output-noise": output_noise.judged,
    "deletion.renyi": renyi.renyi,
    "deletion.adaptive": adaptive.adaptive,
    "inference.difference": inference.difference,
    "state.stateless": stateless.stateless,
    "utility.accuracy": reruns.accuracy,
    "cost.speedup": reruns.speedup,
}
"""What gives each check of this version its status."""


def recheck_statuses(evidence: Evidence) -> Part:
    """Derive the status of every check again, with whatever its value and interval can be derived from."""
    return part(
        "checks", ((f"checks[{index}] {check.id}", _messages(evidence, check)) for index, check in enumerate(evidence.checks))
    )


def _messages(evidence: Evidence, check: Check) -> Iterator[str]:
    bare = check.value is None and check.interval is None and check.threshold is None
    if check.status is Status.ERROR:
        if not bare:
            yield "status is error, and yet it has a value, interval or threshold"
        return
    if check.status is Status.SKIPPED and check.basis == LEFT_OUT:
        if not bare:
            yield "left out by --only, and yet it has a value, interval or threshold"
        return
    rule = RULES.get(check.id)
    if rule is not None:
        try:
            yield from rule(evidence, check)
        except _UNREADABLE as error:
            yield f"details are not of the form that this version writes ({type(error).__name__})"
    elif check.status is not Status.SKIPPED or not bare:
        yield f"status is {check.status}, value {shown(check.value)}, threshold {shown(check.threshold)}: no rule of this version"
