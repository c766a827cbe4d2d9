"""Certified removal from a linear model on top of a differentially private feature extractor (Guo et al. 2020, Theorem 5).

Nothing is unlearned from the extractor: its privacy already hides anyone who is deleted. Let mu and mu' be the laws of the
extractor with and without them, and for each extractor phi let A and A' be what the linear model unlearned and retrained says of
an event. Certified removal gives A(phi) <= min(1, e^epsilon A'(phi)) + delta for every phi, and differential privacy gives
E_mu[f] <= e^epsilon_DP E_mu'[f] + delta_DP for every f with values in [0, 1]. With f = min(1, e^epsilon A') both add up.

For several people at once the extractor's guarantee is that of the group.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Final

from auditor.base.domain import Certificate, Condition, Provenance
from auditor.maths.certificates.privacy import group_delta, group_epsilon
from auditor.maths.certificates.rule import TRUSTED, Count, Inputs, Rule, failing, plain_inputs, without_result

KIND: Final = "dp-extractor"


class ExtractorInputs(Inputs):
    """The extractor's privacy, and what the removal from the linear model spends or both together may."""

    extractor_epsilon: float
    """The epsilon of the extractor's training for one person, records being added or removed; at least 0."""
    extractor_delta: float
    """Its delta, between 0 and 1."""
    size: Count = 1
    """m, the people who are removed, at least 1."""
    epsilon: float | None = None
    """The epsilon of the removal from the linear model, for all of them; at least 0."""
    delta: float | None = None
    """Its delta, between 0 and 1."""
    target_epsilon: float | None = None
    """What extractor and removal may cost together: what is left for the removal comes out."""
    target_delta: float | None = None
    """The same of delta."""


def _conditions(inputs: ExtractorInputs) -> tuple[Condition, ...]:
    spent, target = _given(inputs.epsilon, inputs.delta), _given(inputs.target_epsilon, inputs.target_delta)
    whole = 1 not in {spent, target} and max(spent, target) == 2
    found = [
        Condition("extractor_epsilon >= 0", inputs.extractor_epsilon >= 0, f"{inputs.extractor_epsilon:g}", Provenance.COMPUTED),
        Condition(
            "0 <= extractor_delta <= 1", 0 <= inputs.extractor_delta <= 1, f"{inputs.extractor_delta:g}", Provenance.COMPUTED
        ),
        Condition("size >= 1", inputs.size >= 1, str(inputs.size), Provenance.COMPUTED),
        Condition(
            "epsilon and delta are given, or target_epsilon and target_delta",
            whole,
            f"{spent} of the first pair, {target} of the second",
            Provenance.COMPUTED,
        ),
    ]
    epsilons = {"epsilon": inputs.epsilon, "target_epsilon": inputs.target_epsilon}
    deltas = {"delta": inputs.delta, "target_delta": inputs.target_delta}
    found += [
        Condition(f"{name} >= 0", value >= 0, f"{value:g}", Provenance.COMPUTED)
        for name, value in epsilons.items()
        if value is not None
    ]
    found += [
        Condition(f"0 <= {name} <= 1", 0 <= value <= 1, f"{value:g}", Provenance.COMPUTED)
        for name, value in deltas.items()
        if value is not None
    ]
    if not failing(found) and target:
        epsilon, delta = _left(inputs)
        holds = epsilon >= 0 and delta >= 0
        found.append(
            Condition("the extractor alone stays within the target", holds, f"{epsilon:g}, {delta:g} left", Provenance.COMPUTED)
        )
    found.append(
        Condition("the extractor is differentially private when records are added or removed", True, TRUSTED, Provenance.UNKNOWN)
    )
    found.append(Condition("removal is certified for every extractor that may be drawn", True, TRUSTED, Provenance.UNKNOWN))
    return tuple(found)


def _given(*values: float | None) -> int:
    return sum(value is not None for value in values)


def of_group(epsilon: float, delta: float, size: int) -> tuple[float, float]:
    """What the extractor costs for `size` people together, rounded up: its group ε and δ (Vadhan 2017, Lemma 2.2)."""
    return group_epsilon(epsilon, size), group_delta(epsilon, delta, size)


def left(target: float, spent: float) -> float:
    """What a target of ε, or of δ, leaves after what the extractor spends of it, rounded down; below 0 where it spends more."""
    return _down(target - spent) if spent else target


def both(one: float, other: float) -> float:
    """Two ε, or two δ, added up, rounded up."""
    return _up(one + other) if one and other else one + other


def strictest(
    own: tuple[float | None, float | None], wholes: Iterable[tuple[float | None, float | None]], spent: tuple[float, float]
) -> tuple[float | None, float | None]:
    """The (ε, δ) that the removal itself is held against.

    Args:
        own: ε and δ that are named for the removal alone.
        wholes: ε and δ that are named for extractor and removal together, by anyone.
        spent: ε and δ of the extractor, for all people who are removed.

    Returns:
        The smallest of each; None where nobody named one; (0, 0), which nothing that leaves a trace meets, where the extractor
        alone spends more than somebody allows.
    """
    named = [own]
    for whole in wholes:
        rest = tuple(None if value is None else left(value, cost) for value, cost in zip(whole, spent, strict=True))
        named.append((rest[0], rest[1]))
    epsilon, delta = (min((value for value in column if value is not None), default=None) for column in zip(*named, strict=True))
    if any(value is not None and value < 0 for value in (epsilon, delta)):
        return 0.0, 0.0
    return epsilon, delta


def _extractor(inputs: ExtractorInputs) -> tuple[float, float]:
    return of_group(inputs.extractor_epsilon, inputs.extractor_delta, inputs.size)


def _left(inputs: ExtractorInputs) -> tuple[float, float]:
    """What the target leaves for the removal, rounded down."""
    epsilon, delta = _extractor(inputs)
    return left(inputs.target_epsilon or 0.0, epsilon), left(inputs.target_delta or 0.0, delta)


def _up(value: float) -> float:
    return math.nextafter(value, math.inf) if value else 0.0


def _down(value: float) -> float:
    return math.nextafter(value, -math.inf) if value else 0.0


def _derive(inputs: ExtractorInputs) -> Certificate:
    conditions = _conditions(inputs)
    keys: tuple[str, ...] = ("extractor_epsilon", "extractor_delta")
    keys += ("epsilon", "delta") if inputs.epsilon is not None else ()
    keys += ("removal_epsilon", "removal_delta") if inputs.target_epsilon is not None else ()
    if failing(conditions):
        return without_result(KIND, inputs, conditions, keys)
    epsilon, delta = _extractor(inputs)
    outputs: dict[str, float | str | None] = {"extractor_epsilon": epsilon, "extractor_delta": delta}
    total, sum_of_deltas = inputs.target_epsilon, inputs.target_delta
    if inputs.epsilon is not None and inputs.delta is not None:
        total, sum_of_deltas = both(epsilon, inputs.epsilon), min(1.0, both(delta, inputs.delta))
        outputs |= {"epsilon": total, "delta": sum_of_deltas}
    if inputs.target_epsilon is not None:
        outputs["removal_epsilon"], outputs["removal_delta"] = _left(inputs)
    if not all(math.isfinite(value) for value in outputs.values() if isinstance(value, float)):
        return without_result(KIND, inputs, conditions, keys, reason="a number exceeds the floating-point range")
    return Certificate(
        kind=KIND,
        epsilon=total,
        delta=sum_of_deltas,
        order=None,
        inputs=plain_inputs(inputs),
        conditions=conditions,
        bounds=(),
        outputs=outputs,
    )


RULES: Final = (
    Rule(
        kind=KIND,
        theorem="Guo et al. 2020, Theorem 5; for several people Vadhan 2017, Lemma 2.2",
        summary="Certified removal above a private feature extractor: what both cost together, or what is left for the removal.",
        example="auditor calc dp-extractor --extractor-epsilon 0.1 --extractor-delta 1e-6 --size 5 --epsilon 0.5 --delta 1e-5",
        inputs=ExtractorInputs,
        conditions=_conditions,
        derive=_derive,
    ),
)
