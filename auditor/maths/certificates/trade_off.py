"""What is read off a trade-off function, and the trade-off functions that rules of this folder leave.

The reading is `auditor.maths.tradeoff`, which says what each kind of promise is and whose theorem it rests on. A rule names in
`PROMISES` of its module what its result promises: the calculator reads right guesses off it, and for k records together where the
promise is one between any two neighbours. Nothing of that is in a certificate, so that evidence holds no number of an accountant.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from auditor.base.domain import Certificate, Condition, Provenance
from auditor.base.errors import UsageError
from auditor.maths.certificates.rule import (
    Count,
    Inputs,
    Numbers,
    Rule,
    above,
    at_least,
    between,
    failing,
    trusted,
    without_guarantee,
    without_result,
)
from auditor.maths.tradeoff import combining, reading
from auditor.maths.tradeoff.promises import (
    LARGEST_GROUP,
    Approximate,
    Concentrated,
    Gaussian,
    Laplace,
    Promise,
    Pure,
    Renyi,
    SubsampledGaussian,
    finite,
)

KIND: Final = "tradeoff"
_KINDS: Final = ("mu", "epsilon", "shift", "rho", "orders", "noise_multiplier")
"""The input that says which kind of promise it is."""


@dataclass(frozen=True, slots=True)
class Leaves:
    """What the result of a rule promises, where all of its conditions hold."""

    promise: Callable[[Certificate], Promise]
    together: bool = False
    """Whether it holds between any two neighbours for one record, so that it can be read for k records together."""


class TradeOffInputs(Inputs):
    """A promise of one kind, how many records leave together, and what to read off."""

    mu: float | None = None
    """Gaussian: sensitivity over the standard deviation of the noise, at least 0."""
    epsilon: float | None = None
    """Of (epsilon, delta), at least 0."""
    delta: float | None = None
    """Of (epsilon, delta), between 0 and 1; left out, 0."""
    shift: float | None = None
    """Laplace noise on one number: sensitivity over scale, at least 0."""
    rho: float | None = None
    """Zero-concentrated: the Renyi divergence of order q is at most rho q, at least 0."""
    orders: Numbers | None = None
    """Renyi orders above 1, rising."""
    divergences: Numbers | None = None
    """The Renyi epsilon at each of these orders."""
    noise_multiplier: float | None = None
    """DP-SGD: standard deviation of the noise on a sum of clipped gradients, in units of the clipping norm; above 0."""
    sample_rate: float | None = None
    """DP-SGD: the probability with which a step takes a record, above 0 and at most 1."""
    steps: Count | None = None
    """DP-SGD: how many steps, at least 1."""
    size: Count = 1
    """k, the records that leave together, at least 1."""
    at_delta: float | None = None
    """Where to read epsilon, between 0 and 1."""
    records: Count | None = None
    """n, those trained on: without at_delta, epsilon is read at the declared delta, or at 1/(10 n) where there is none."""
    at_epsilon: float | None = None
    """Where to read delta, at least 0."""
    alpha: float | None = None
    """A type I error, at which to read the type II error; between 0 and 1."""


def _kind(inputs: TradeOffInputs) -> tuple[Condition, ...]:
    """What says which promise it is: one of the kinds, with what that needs."""
    named = [name for name in _KINDS if getattr(inputs, name) is not None]
    found = [
        Condition(f"one of {', '.join(_KINDS)} is given", len(named) == 1, ", ".join(named) or "none", Provenance.COMPUTED),
        *(at_least(name, value, 0) for name in ("mu", "epsilon", "shift", "rho") if (value := getattr(inputs, name)) is not None),
    ]
    if inputs.delta is not None:
        found += [
            between(0, "delta", inputs.delta, 1),
            Condition("delta comes with epsilon", inputs.epsilon is not None, str(inputs.epsilon), Provenance.COMPUTED),
        ]
    if inputs.orders is not None or inputs.divergences is not None:
        found.append(_renyi(inputs.orders or (), inputs.divergences or ()))
    training = (inputs.noise_multiplier, inputs.sample_rate, inputs.steps)
    if any(each is not None for each in training):
        together = all(each is not None for each in training)
        name = "noise_multiplier, sample_rate and steps are given together"
        found.append(Condition(name, together, "all" if together else "some", Provenance.COMPUTED))
        found += [above("noise_multiplier", inputs.noise_multiplier, 0)] if inputs.noise_multiplier is not None else []
        found += [at_least("steps", inputs.steps, 1)] if inputs.steps is not None else []
        if (rate := inputs.sample_rate) is not None:
            found.append(Condition("0 < sample_rate <= 1", 0 < rate <= 1, f"{rate:g}", Provenance.COMPUTED))
    return tuple(found)


def _renyi(orders: tuple[float, ...], divergences: tuple[float, ...]) -> Condition:
    rising = all(one < other for one, other in pairwise(orders))
    holds = 0 < len(orders) == len(divergences) and rising and min(orders) > 1 and min(divergences) >= 0
    found = f"{len(orders)} orders, {len(divergences)} divergences"
    return Condition("orders rise above 1, each with a divergence of at least 0", holds, found, Provenance.COMPUTED)


def _conditions(inputs: TradeOffInputs) -> tuple[Condition, ...]:
    found = [*_kind(inputs), at_least("size", inputs.size, 1)]
    if inputs.noise_multiplier is not None:
        found.append(between(1, "size", inputs.size, LARGEST_GROUP))
    places = {"at_delta": inputs.at_delta, "alpha": inputs.alpha}
    found += [between(0, name, value, 1) for name, value in places.items() if value is not None]
    if inputs.at_epsilon is not None:
        found.append(at_least("at_epsilon", inputs.at_epsilon, 0))
    if inputs.records is not None:
        found.append(at_least("records", inputs.records, 1))
    return (
        *found,
        trusted(
            "the promise holds between both worlds, in both directions; for more records, between any two that differ in one"
        ),
    )


def promise_of(inputs: TradeOffInputs) -> Promise:
    """Give the promise that inputs in their ranges name, for all records that leave together."""
    return combining.group(_one(inputs), inputs.size)


def _one(inputs: TradeOffInputs) -> Promise:
    if inputs.mu is not None:
        return Gaussian(mu=inputs.mu)
    if inputs.epsilon is not None:
        delta = inputs.delta or 0.0
        return Approximate(epsilon=inputs.epsilon, delta=delta) if delta else Pure(epsilon=inputs.epsilon)
    if inputs.shift is not None:
        return Laplace(shift=inputs.shift)
    if inputs.rho is not None:
        return Concentrated(rho=inputs.rho)
    if inputs.orders is not None and inputs.divergences is not None:
        return Renyi(points=tuple(zip(inputs.orders, inputs.divergences, strict=True)))
    if inputs.noise_multiplier is None or inputs.sample_rate is None or inputs.steps is None:
        raise AssertionError("a condition asks for one kind")
    return SubsampledGaussian(noise_multiplier=inputs.noise_multiplier, sample_rate=inputs.sample_rate, steps=inputs.steps)


def _keys(inputs: TradeOffInputs) -> tuple[str, ...]:
    found = ["advantage", "swap_ceiling"]
    if inputs.at_delta is not None:
        found.append("epsilon")
    elif inputs.records is not None:
        found += ["printed_delta", "epsilon"]
    found += ["delta"] if inputs.at_epsilon is not None else []
    return (*found, *(["type_two_error"] if inputs.alpha is not None else []))


def _read(inputs: TradeOffInputs, promise: Promise) -> dict[str, float | None]:
    found: dict[str, float | None] = {
        "advantage": reading.advantage(promise),
        "swap_ceiling": reading.swap_ceiling(promise),
    }
    at = inputs.at_delta
    if at is None and inputs.records is not None:
        at = found["printed_delta"] = reading.printed_delta(promise, inputs.records)
    if at is not None:
        epsilon = reading.epsilon_at(promise, at)
        found["epsilon"] = epsilon if math.isfinite(epsilon) else None
    if inputs.at_epsilon is not None:
        found["delta"] = reading.delta_at(promise, inputs.at_epsilon)
    if inputs.alpha is not None:
        found["type_two_error"] = reading.type_two_error(promise, inputs.alpha)
    return found


def _derive(inputs: TradeOffInputs) -> Certificate:
    conditions = _conditions(inputs)
    if failing(conditions):
        return without_result(KIND, inputs, conditions, _keys(inputs))
    try:
        found = _read(inputs, promise_of(inputs))
    except ModuleNotFoundError as error:
        raise UsageError(f"to derive {KIND} the package dp-accounting is needed: {error.name} is not installed") from error
    reason = {"reason": "no finite epsilon holds at this delta"} if None in found.values() else {}
    return without_guarantee(KIND, inputs, conditions, {**found, **reason})


RULES: Final = (
    Rule(
        kind=KIND,
        theorem="Dong, Roth and Su 2022, Propositions 2.5 and 2.12; by kind as `auditor.maths.tradeoff` names it",
        summary="What is read off a promise of any kind: right guesses, epsilon, delta, type II error, for k records together.",
        example="auditor calc tradeoff --mu 0.2367 --size 3 --at-delta 1e-6 --alpha 0.05",
        inputs=TradeOffInputs,
        conditions=_conditions,
        derive=_derive,
    ),
)


def _of_gaussian(certificate: Certificate) -> Promise:
    mu = certificate.inputs.get("mu", certificate.outputs.get("mu"))
    return finite(Gaussian, mu=math.inf if mu is None else float(mu))


def _of_descent(certificate: Certificate) -> Promise:
    return Gaussian(mu=certificate.outputs["mu"])


def _of_group(certificate: Certificate) -> Promise:
    return Approximate(epsilon=certificate.outputs["epsilon"], delta=certificate.outputs["delta"])


def _of_training(certificate: Certificate) -> Promise:
    given = {**certificate.inputs, **certificate.outputs}
    return SubsampledGaussian(noise_multiplier=given["noise_multiplier"], sample_rate=given["sample_rate"], steps=given["steps"])


def _of_inputs(certificate: Certificate) -> Promise:
    return promise_of(TradeOffInputs.model_validate(dict(certificate.inputs)))


PROMISES: Final[Mapping[str, Leaves]] = {
    "gaussian": Leaves(_of_gaussian, together=True),
    "noisy-gd-gaussian": Leaves(_of_descent),
    "noisy-gd-batches": Leaves(_of_descent),
    "group": Leaves(_of_group),
    "dp-sgd": Leaves(_of_training, together=True),
    KIND: Leaves(_of_inputs),
}
