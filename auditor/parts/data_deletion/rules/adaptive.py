"""Data deletion when requests may depend on published models: what it costs, and what refutes it.

Later requests of somebody who has seen p models may carry what the models say of the record that is to be forgotten. Where each
seen model has epsilon_dp given those seen before it, deletion under such requests has (forget-unlearning.md, Theorem 4.3)

    epsilon(p) = epsilon_dd + p epsilon_dp.

Theorem 5.1 gives that epsilon_dp for any number of steps. Where the loss is not convex, p epsilon_dp is to be replaced by
`noisy_gd_nonconvex.gradient_epsilon` of all steps up to the last model seen, or p counts all models up to that one.

Conversely (Theorem 4.5) let two tests tell neighbouring databases apart, one by what is learned from them and one by what is
unlearned, each with an advantage above t. Then no (q, epsilon) holds under a requester who sees one model and sends up to n - 1
requests, for

    epsilon < max{t^4/2, ln(q - 1) + (q/(q - 1)) ln((1 + t^2)/(q 2^(1/q)))}.

It inverts the bounds on the advantage of Theorem 4.1 at t^2. Equations 11 and 40 print q^(2^(1/q)) where the derivation
(equation 52) has q 2^(1/q). epsilon(p) is rounded up, what is refuted down.
"""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Final

from auditor.base.domain import Certificate, Condition
from auditor.maths.certificates.rounding import ceiling, slack
from auditor.maths.certificates.rule import (
    TOO_LARGE,
    Count,
    Inputs,
    Rule,
    above,
    at_least,
    between,
    failing,
    plain_inputs,
    trusted,
    without_guarantee,
    without_result,
)


def adaptive_epsilon(deletion: float, private: float, seen: int) -> float:
    """epsilon_dd + p epsilon_dp, rounded up; infinity beyond the floating-point range (forget-unlearning.md, Theorem 4.3).

    Args:
        deletion: epsilon_dd, at least 0.
        private: epsilon_dp, at least 0.
        seen: p, the models that the requester saw.
    """
    return ceiling(Fraction(deletion) + seen * Fraction(private))


def refuted_epsilon(order: float, advantage: float) -> float:
    """The least epsilon that two tests with advantages above t leave possible, rounded down (forget-unlearning.md, Theorem 4.5).

    Args:
        order: q, above 1.
        advantage: t, between 0 and 1.
    """
    by_pinsker = advantage**4 / 2
    # ln(q - 1) and ln q nearly agree for large q: together they are ln((q - 1)/q).
    terms = (
        -math.log1p(1 / (order - 1)),
        (1 + 1 / (order - 1)) * math.log1p(advantage**2),
        -math.log(order) / (order - 1),
        -math.log(2) / (order - 1),
    )
    by_order = math.fsum(terms) - slack(*terms)
    # A relative margin: t^4 may be so small that an absolute one would leave nothing.
    return max(0.0, math.nextafter(by_pinsker * (1 - slack()), -math.inf), by_order)


class AdaptiveInputs(Inputs):
    """What one deletion and one published model leave, and the models seen."""

    epsilon_dd: float
    """The Renyi epsilon of deletion under requests that are fixed in advance, at least 0."""
    epsilon_dp: float
    """The Renyi epsilon, at the same order, of one published model for the records that stay; at least 0."""
    seen: Count
    """p, the published models that the requester had seen."""


def _adaptive_conditions(inputs: AdaptiveInputs) -> tuple[Condition, ...]:
    return (
        at_least("epsilon_dd", inputs.epsilon_dd, 0),
        at_least("epsilon_dp", inputs.epsilon_dp, 0),
        at_least("seen", inputs.seen, 0),
        trusted("both epsilons are of the same order"),
        trusted("epsilon_dp holds for each model that was seen, given those seen before it"),
        trusted("the deleted person's own request was fixed in advance, and requesters saw no more models than these"),
        trusted("nothing but the model is carried from one update to the next"),
    )


def _derive_adaptive(inputs: AdaptiveInputs) -> Certificate:
    conditions = _adaptive_conditions(inputs)
    if failing(conditions):
        return without_result("adaptive", inputs, conditions, ("epsilon",))
    epsilon = adaptive_epsilon(inputs.epsilon_dd, inputs.epsilon_dp, inputs.seen)
    if not math.isfinite(epsilon):
        return without_result("adaptive", inputs, conditions, ("epsilon",), reason=TOO_LARGE)
    return Certificate(
        kind="adaptive",
        epsilon=epsilon,
        delta=None,
        order=None,
        inputs=plain_inputs(inputs),
        conditions=conditions,
        bounds=(),
        outputs={"epsilon": epsilon},
    )


class RefutationInputs(Inputs):
    """A claimed order, and what two tests reached."""

    q: float
    """The Renyi order of the claim, above 1."""
    advantage: float
    """t, the smaller of the two tests' lower confidence bounds on their advantage, between 0 and 1."""


def _refutation_conditions(inputs: RefutationInputs) -> tuple[Condition, ...]:
    return (
        above("q", inputs.q, 1),
        between(0, "advantage", inputs.advantage, 1),
        trusted("the claim allows a requester who sees one model and then replaces up to n - 1 records"),
        trusted("both tests, one on learned and one on unlearned models, have an advantage above this on neighbouring databases"),
    )


def _derive_refutation(inputs: RefutationInputs) -> Certificate:
    conditions = _refutation_conditions(inputs)
    if failing(conditions):
        return without_result("refutation", inputs, conditions, ("epsilon_lower",))
    return without_guarantee("refutation", inputs, conditions, {"epsilon_lower": refuted_epsilon(inputs.q, inputs.advantage)})


RULES: Final = (
    Rule(
        kind="adaptive",
        theorem="Forget Unlearning, Theorem 4.3",
        summary="What deletion promises where requests may depend on published models.",
        example="auditor calc adaptive --epsilon-dd 0.00525343991193 --epsilon-dp 0.064 --seen 3",
        inputs=AdaptiveInputs,
        conditions=_adaptive_conditions,
        derive=_derive_adaptive,
    ),
    Rule(
        kind="refutation",
        theorem="Forget Unlearning, Theorem 4.5 with equation 52, where equations 11 and 40 misprint q 2^(1/q)",
        summary="The least epsilon that a claim of deletion under adaptive requests can have after two tests' advantages.",
        example="auditor calc refutation --q 20 --advantage 0.9",
        inputs=RefutationInputs,
        conditions=_refutation_conditions,
        derive=_derive_refutation,
    ),
)
