"""What an ε of data deletion says in other words: at other orders, of membership, at a δ, of a batch, against the steps."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from fractions import Fraction
from typing import Any, Final

from auditor.base.domain import Certificate
from auditor.base.promises import Promise
from auditor.maths.certificates import derive
from auditor.maths.certificates.renyi import (
    Epsilons,
    advantage,
    at_order,
    best_conversion,
    best_membership,
    gaussian_advantage,
    gaussian_epsilon,
    grid,
    linear,
)
from auditor.maths.certificates.rounding import ceiling, finite
from auditor.maths.tradeoff import promises
from auditor.maths.tradeoff.combining import several
from auditor.parts.data_deletion.judging.bounds import TRADEOFFS, Bounds, Setting, epsilon_dd, tradeoff_certificate, tradeoff_mu
from auditor.parts.data_deletion.judging.derived import (
    AfterSteps,
    AtOrder,
    Conversion,
    Cost,
    Derived,
    Gaussian,
    Membership,
    OfBatch,
)
from auditor.parts.data_deletion.judging.observed import Observed
from auditor.parts.data_deletion.rules import noisy_gd_utility

DELTAS: Final = (1e-5, 1e-6)
AGAINST_THE_OTHER_WORLD: Final = frozenset({"5.1", "gaussian", "batches"})
"""What bounds the divergence from the very run that never had the record, all else being equal, while requests are fixed."""
_POINTS: Final = 40
"""Of the curve over the unlearning steps."""


def orders(setting: Setting, found: Bounds) -> tuple[AtOrder, ...]:
    """ε_dd, ε_dp and the bound on membership at every order of the grid."""
    rows, of_reference = [], found.source in AGAINST_THE_OTHER_WORLD
    for order in grid(setting.order):
        deletion = _at_order(setting, found, order)
        private = None if found.epsilon_dp is None else finite(at_order(setting.order, found.epsilon_dp, order))
        bound = None if deletion is None else advantage(order, deletion, of_reference=of_reference)
        rows.append(AtOrder(order=order, epsilon_dd=deletion, epsilon_dp=private, advantage=bound))
    return tuple(rows)


def _at_order(setting: Setting, found: Bounds, order: float) -> float | None:
    """ε_dd at another order; None where there is none. Theorem 5.2 has limits that are not linear in the order."""
    if found.epsilon_dd is None:
        return None
    if found.source == "5.2" and order > setting.order:
        return epsilon_dd(replace(setting, order=order))
    return finite(at_order(setting.order, found.epsilon_dd, order))


def in_other_words(
    rows: Iterable[AtOrder], max_delta: float | None, *, source: str | None
) -> tuple[Membership, tuple[Conversion, ...], tuple[Certificate, ...]]:
    """The best bound on membership and the best (ε, δ) over the rows of `orders`, with their certificates.

    Args:
        rows: At least one of them with an ε_dd.
        max_delta: The policy's δ, where it names one.
        source: What gives the ε_dd.
    """
    epsilons: Epsilons = tuple((row.order, row.epsilon_dd) for row in rows if row.epsilon_dd is not None)
    of_reference = source in AGAINST_THE_OTHER_WORLD
    best = best_membership(epsilons, of_reference=of_reference)
    deltas = sorted({*DELTAS, *((max_delta,) if max_delta else ())}, reverse=True)
    conversions = [best_conversion(epsilons, delta) for delta in deltas]
    certificates = (
        derive("advantage", {"q": best.order, "epsilon": best.epsilon} | ({"reference": 1} if of_reference else {})),
        *(derive("conversion", {"q": each.order, "epsilon": each.epsilon, "delta": each.delta}) for each in conversions),
    )
    listed = tuple(
        Conversion(delta=each.delta, order=each.order, mironov=finite(each.mironov), tight=finite(each.tight))
        for each in conversions
    )
    return Membership(order=best.order, bound=best.bound), listed, certificates


def gaussian(setting: Setting) -> tuple[Gaussian | None, tuple[Certificate, ...]]:
    """The Gaussian trade-off alongside the theorem; None where its premises are not declared or it gives no μ."""
    certificate = tradeoff_certificate(setting)
    mu = tradeoff_mu(certificate)
    if certificate is None or mu is None:
        return None, () if certificate is None else (certificate,)
    epsilon = finite(gaussian_epsilon(setting.order, mu))
    return Gaussian(mu=mu, epsilon=epsilon, advantage=gaussian_advantage(mu)), (certificate,)


def told_apart(own: Derived, epsilon: float | None, *, records: int, seen: int) -> float | None:
    """Bound how much better than guessing anybody tells whether some records were ever there; None where no bound is known.

    The smallest of what the Rényi ε says at its best order up to the stated one (Theorem 4.1), with Pinsker's inequality once
    where the world without the records is the law of the bound, and, there, of what the Gaussian trade-off says of the records
    together, whose premises are among those of Theorem 5.1.

    Args:
        own: What `deletion.renyi` works out.
        epsilon: Of all of the records, at the order of `own`.
        records: How many there are.
        seen: The models from before that requesters had seen: with any, both worlds are near a third law only.
    """
    if epsilon is None or own.theorem == "twins":
        return None
    fixed = not seen and own.theorem in AGAINST_THE_OTHER_WORLD
    found = best_membership(linear(own.order, epsilon, most=own.order), of_reference=fixed).bound
    if fixed and own.gaussian is not None:
        found = min(found, gaussian_advantage(ceiling(Fraction(own.gaussian.mu) * records)))
    return found


def promised(own: Derived, epsilon: float | None, *, records: int, seen: int) -> Promise | None:
    """Give what is left of some records as a promise; None where no theorem bounds the two worlds against each other.

    By Theorem 5.1 the divergence of every order q is at most q times a constant; the Gaussian trade-off alongside it, whose
    premises are among those of Theorem 5.1, has its shift for all of the records. Where requesters had seen models, both worlds
    are near a third law only, and what `told_apart` says is all that is known.

    Args:
        own: What `deletion.renyi` works out.
        epsilon: Of all of the records, at the order of `own`.
        records: How many there are.
        seen: The models from before that requesters had seen.
    """
    if epsilon is None or seen or own.theorem not in AGAINST_THE_OTHER_WORLD:
        return None
    routes: list[Promise] = []
    if own.gaussian is not None:
        routes.append(promises.finite(promises.Gaussian, mu=ceiling(Fraction(own.gaussian.mu) * records)))
    if own.theorem == "5.1":
        rho = ceiling(Fraction(epsilon) / Fraction(own.order))
        routes.append(promises.finite(promises.Concentrated, rho=rho, two_sided=False))
    return several(routes) if routes else None


def curve(setting: Setting) -> tuple[AfterSteps, ...]:
    """ε_dd by the theorem, and by the trade-off, against the unlearning steps: from none to twice as many as are declared."""
    most = max(2 * setting.unlearn_steps, 10)
    steps = sorted({round(most * index / _POINTS) for index in range(_POINTS + 1)} | {setting.unlearn_steps})
    return tuple(
        AfterSteps(
            steps=each, epsilon_dd=epsilon_dd(replace(setting, unlearn_steps=each)), gaussian=_tradeoff_after(setting, each)
        )
        for each in steps
    )


def _tradeoff_after(setting: Setting, steps: int) -> float | None:
    mu = tradeoff_mu(tradeoff_certificate(setting, steps=steps))
    return None if mu is None else finite(gaussian_epsilon(setting.order, mu))


def batches(setting: Setting, found: Bounds, observed: Observed, rows: int) -> tuple[OfBatch, ...]:
    """Of each batch, the records trained on before it, ε_dd of one of its records and of all of them together.

    A batch's ε is smaller than that of the setting by the records that were still there. By Theorem 5.2 the ε_dd of a record is
    that of its batch already.
    """
    listed = []
    for number, each in enumerate(observed.deleted):
        one = _of_batch(replace(setting, rows=rows, largest_batch=each.removed, updates=number), found)
        together = one if found.source == "5.2" else together_epsilon(one, each.removed)
        listed.append(OfBatch(batch=each.batch, removed=each.removed, rows=rows, epsilon_dd=one, epsilon_together=together))
        rows -= each.removed
    return tuple(listed)


def _of_batch(own: Setting, found: Bounds) -> float | None:
    if found.epsilon_dd is None:
        return None
    return _tradeoff_after(own, own.unlearn_steps) if found.source in TRADEOFFS else epsilon_dd(own)


def together_epsilon(one: float | None, records: int) -> float | None:
    """m²ε: what holds for m records that leave together, or for a person who has them; None beyond the floating-point range."""
    return None if one is None else finite(ceiling(Fraction(one) * records**2))


def utility(setting: Setting, threshold: float | None) -> tuple[dict[str, Any] | None, tuple[Certificate, ...]]:
    """Excess risk, the steps that (16) and (17) ask for, and the gradients saved; None beyond Theorem 5.1, or without a bound.

    Args:
        setting: With premises that hold.
        threshold: The ε that equation 16 is to reach, where one is named.
    """
    declared = setting.declared
    if declared.theorem != "5.1" or not setting.unlearn_steps:
        return None, ()
    inputs = {
        "q": setting.order,
        "d": setting.parameters,
        "n": setting.rows,
        "r": setting.largest_batch,
        "lipschitz": declared.lipschitz,
        "l2": setting.l2,
        "smoothness": declared.smoothness,
        "sigma2": setting.sigma2,
        "learn_steps": setting.learn_steps,
        "unlearn_steps": setting.unlearn_steps,
    }
    certificate = derive(noisy_gd_utility.KIND, inputs | ({"epsilon_dd": threshold} if threshold else {}))
    found = certificate.outputs
    return (None, ()) if found["excess_risk_updated"] is None else (dict(found), (certificate,))


def cost(setting: Setting, observed: Observed, rows_left: int) -> Cost:
    """The records' gradients that retraining after the last batch takes, and that unlearning it took, as counted and as timed."""
    each = 1 if setting.packing is None else setting.packing.batches
    learning, unlearning = (rows_left * steps // each for steps in (setting.learn_steps, setting.unlearn_steps))
    return Cost(
        gradients_learning=learning,
        gradients_unlearning=unlearning,
        saved_share=None if not learning else 1 - unlearning / learning,
        seconds_retraining=observed.seconds_retraining,
        seconds_unlearning=observed.seconds_unlearning,
    )
