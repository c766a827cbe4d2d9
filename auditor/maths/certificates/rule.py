"""What a rule is: named inputs, the conditions of a theorem, and the certificate that follows from both."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Annotated, Any, Final, Generic, TypeAlias, TypeVar

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from auditor.base.domain import Certificate, Condition, Problem, Provenance
from auditor.base.errors import InputError

# Conditions as most rules have them: a range that an input lies in, and what a rule must take on trust.
# The smallest count that suffices: whole numbers searched by the statement itself, so that no rounding is off by one.
MOST: Final = 2**53
"""The largest count that JSON keeps exactly."""


def smallest_count(enough: Callable[[int], bool]) -> int | None:
    """The smallest count from 0 to `MOST` for which a statement holds; None where it holds for none.

    Args:
        enough: The statement; once it is true it stays true for larger counts.
    """
    if enough(0):
        return 0
    low, high = 0, 1
    while not enough(high):
        if high >= MOST:
            return None
        low, high = high, 2 * high
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if enough(middle) else (middle, high)
    return high


TRUSTED: Final = "taken as given by this formula"
"""How a premise is known where it counts is said with the guarantee that needs it."""
TOO_LARGE: Final = "a number exceeds the floating-point range"


def above(name: str, value: float, bound: float) -> Condition:
    """The condition that an input exceeds a bound."""
    return Condition(f"{name} > {_shown(bound)}", value > bound, _shown(value), Provenance.COMPUTED)


def at_least(name: str, value: float, bound: float) -> Condition:
    """The condition that an input is not below a bound."""
    return Condition(f"{name} >= {_shown(bound)}", value >= bound, _shown(value), Provenance.COMPUTED)


def between(low: float, name: str, value: float, high: float) -> Condition:
    """The condition that an input lies between two bounds, both included."""
    return Condition(f"{_shown(low)} <= {name} <= {_shown(high)}", low <= value <= high, _shown(value), Provenance.COMPUTED)


def trusted(name: str, found: str = "") -> Condition:
    """A premise that no number of the inputs can show.

    Args:
        name: What has to be true.
        found: What follows from the inputs about it, if anything.
    """
    return Condition(name, True, f"{found}; {TRUSTED}" if found else TRUSTED, Provenance.UNKNOWN)


def _shown(value: float) -> str:
    """A number in few digits; what counts something in all of them."""
    return str(value) if isinstance(value, int) else f"{value:g}"


Numbers: TypeAlias = Annotated[tuple[float, ...], Field(strict=False)]
"""A list of finite numbers."""
Count: TypeAlias = Annotated[int, Field(ge=-(2**53), le=2**53)]
"""A whole number that JSON keeps exactly."""
Counts: TypeAlias = Annotated[tuple[Count, ...], Field(strict=False)]
"""A list of whole numbers."""


class Inputs(BaseModel):
    """The inputs of one rule: finite numbers and lists of them, nothing else.

    Ranges are not checked here but by the rule's conditions, so that a number out of range is found and named in the
    certificate instead of making it unreadable.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True, allow_inf_nan=False, defer_build=True)


I = TypeVar("I", bound=Inputs)  # noqa: E741  (the name of the type parameter, as in Rule[I])


@dataclass(frozen=True, slots=True)
class Rule(Generic[I]):
    """One closed-form statement."""

    kind: str
    """Its name: the word after `auditor calc`."""
    theorem: str
    """The theorem and its source."""
    summary: str
    """What it computes, in one sentence."""
    example: str
    """A whole `auditor calc` line that works."""
    inputs: type[I]
    """The model of its inputs."""
    conditions: Callable[[I], tuple[Condition, ...]]
    """Every premise, examined."""
    derive: Callable[[I], Certificate]
    """The certificate. Where a condition fails it has no epsilon."""


def read_inputs(rule: Rule[I], values: Mapping[str, Any], *, file: str | None = None, prefix: str = "") -> I:
    """The inputs of a rule from plain values by name.

    Args:
        rule: The rule whose inputs they are.
        values: Numbers and lists of numbers by name.
        file: What a Problem names as the file; "certificate KIND" if left out.
        prefix: Put before the name of the input in a Problem, which then spells it with dashes, as an option.

    Raises:
        InputError: With one Problem for each input that is missing, unknown, of the wrong type, or not finite.
    """
    try:
        return rule.inputs.model_validate(dict(values))
    except ValidationError as error:
        problems = []
        for item in error.errors(include_url=False):
            where = ".".join(str(part) for part in item["loc"])
            missing = item["type"] == "missing"
            problems.append(
                Problem(
                    file if file is not None else f"certificate {rule.kind}",
                    prefix + where.replace("_", "-") if prefix else where,
                    _expected(item["type"]),
                    "nothing" if missing else json.dumps(item["input"], default=str)[:80],
                )
            )
        raise InputError(problems) from error


def _expected(error_type: str) -> str:
    match error_type:
        case "extra_forbidden":
            return "no such input"
        case "int_type" | "int_from_float" | "greater_than_equal" | "less_than_equal":
            return "a whole number of at most 2^53"
        case "tuple_type":
            return "a list of numbers"
        case _:
            return "a finite number"


def plain_inputs(inputs: Inputs) -> dict[str, Any]:
    """The inputs as JSON values; those that were left out do not appear."""
    return inputs.model_dump(mode="json", exclude_none=True)


def failing(conditions: Iterable[Condition]) -> str | None:
    """The failed conditions in one sentence, or None where all hold."""
    failed = [f"{condition.name} (found {condition.found})" for condition in conditions if not condition.holds]
    return f"this condition does not hold: {'; '.join(failed)}" if failed else None


def without_result(
    kind: str, inputs: Inputs, conditions: tuple[Condition, ...], keys: Iterable[str], *, reason: str | None = None
) -> Certificate:
    """The certificate of a rule without a result: every key of its outputs is None, and the reason says why.

    Args:
        kind: The name of the rule.
        inputs: Its inputs.
        conditions: Its conditions, examined.
        keys: The keys of its outputs.
        reason: Why there is no result; the conditions that fail if left out.
    """
    return without_guarantee(kind, inputs, conditions, {**dict.fromkeys(keys), "reason": reason or failing(conditions)})


def without_guarantee(kind: str, inputs: Inputs, conditions: tuple[Condition, ...], outputs: Mapping[str, Any]) -> Certificate:
    """The certificate of a rule that bounds something else than a guarantee: it has outputs, and no epsilon of its own."""
    return Certificate(
        kind=kind,
        epsilon=None,
        delta=None,
        order=None,
        inputs=plain_inputs(inputs),
        conditions=conditions,
        bounds=(),
        outputs=outputs,
    )
