"""Promises made from promises: for k records of one person, for several releases, and from several routes to the same worlds."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import product
from typing import Final

from auditor.base.promises import MOST_STEPS
from auditor.maths.certificates.privacy import group_delta, group_epsilon
from auditor.maths.certificates.rounding import ceiling
from auditor.maths.tradeoff import divergences
from auditor.maths.tradeoff.loss_distribution import root_ceiling
from auditor.maths.tradeoff.promises import (
    EXACT,
    NOTHING,
    Approximate,
    Composition,
    Concentrated,
    Gaussian,
    Laplace,
    Promise,
    Pure,
    Renyi,
    Several,
    Single,
    SubsampledGaussian,
    finite,
)

_MOST_ROUTES: Final = 64


def group(promise: Promise, size: int) -> Promise:  # noqa: C901, PLR0911 - one line a kind
    """Give the promise for k = size records of one person together.

    Gaussian kμ and pure kε (Dong, Roth and Su 2022, Theorem 2.14; Vadhan 2017, Lemma 2.2); Laplace k times the shift, as the
    sensitivity is; (ε, δ) by kε and δ(e^kε − 1)/(e^ε − 1) (Vadhan 2017, Lemma 2.2); zero-concentrated k²ρ (Bun and Steinke 2016,
    Proposition 1.9); Rényi by Mironov 2017, Proposition 2, and NOTHING where no order is high enough for it. A training on random
    samples by the mixture of its k records' shifts (`SubsampledGaussian`), never by k times a μ that stands for it. Of several
    releases together, and of several promises, each by its own.

    Args:
        promise: For one record, and so between any two neighbours of a chain.
        size: k, at least 1.

    Raises:
        ValueError: If size is less than 1.
    """
    if size < 1:
        raise ValueError(f"size must be at least 1, found {size}")
    if size == 1:
        return promise
    match promise:
        case Gaussian(mu=mu):
            return finite(Gaussian, mu=ceiling(size * Fraction(mu)))
        case Pure(epsilon=own):
            return finite(Pure, epsilon=group_epsilon(own, size))
        case Laplace(shift=shift):
            return finite(Laplace, shift=ceiling(size * Fraction(shift)))
        case Approximate(epsilon=own, delta=delta):
            return finite(Approximate, epsilon=group_epsilon(own, size), delta=group_delta(own, delta, size))
        case Concentrated(rho=rho, two_sided=both):
            return finite(Concentrated, rho=ceiling(size**2 * Fraction(rho)), two_sided=both)
        case Renyi(points=points, two_sided=both):
            found = divergences.group(points, size)
            return Renyi(points=found, two_sided=both) if found else NOTHING
        case SubsampledGaussian(group=own_size):
            # More records than any table has, which the distribution of none covers.
            return replace(promise, group=own_size * size) if own_size * size <= MOST_STEPS else NOTHING
        case Composition(parts=parts):
            return compose([group(each, size) for each in parts])
        case Several(promises=promises):
            return several([group(each, size) for each in promises])


def several(promises: Iterable[Promise]) -> Promise:
    """Put promises about the same two worlds together, all of which hold.

    Raises:
        ValueError: If there is none.
    """
    found: dict[Single | Composition, None] = {}
    for each in promises:
        found |= dict.fromkeys(each.promises if isinstance(each, Several) else (each,))
    if not found:
        raise ValueError("a promise is needed")
    return next(iter(found)) if len(found) == 1 else Several(promises=tuple(found))


def compose(promises: Iterable[Promise]) -> Promise:
    """Give the promise of several releases together, each of which keeps its own given those before.

    Gaussian √Σμ² (Dong, Roth and Su 2022, Corollary 3.3), pure Σε (Dwork and Roth 2014, Theorem 3.16), zero-concentrated Σρ and
    Rényi Σε(q) (Bun and Steinke 2016, Lemma 1.7; Mironov 2017, Proposition 1), steps of equal trainings added up. What is left of
    different kinds stays side by side: a `Composition`, read by the distribution of its loss and by adding up ε and δ. Next to a
    Rényi promise a Gaussian one counts as ρ = μ²/2 too, a pure one as ρ = ε²/2 (Bun and Steinke 2016, Propositions 1.6 and 1.4).

    Args:
        promises: Of one release each.

    Raises:
        ValueError: If several promises of single releases have too many combinations.
    """
    listed = list(promises)
    routes = math.prod(len(each.promises) for each in listed if isinstance(each, Several))
    if routes > _MOST_ROUTES:
        raise ValueError(f"at most {_MOST_ROUTES} combinations of promises are put together, found {routes}")
    if routes > 1:
        choices = [each.promises if isinstance(each, Several) else (each,) for each in listed]
        return several([compose(chosen) for chosen in product(*choices)])
    flat: list[Single] = []
    for each in listed:
        whole = each.promises[0] if isinstance(each, Several) else each
        flat += whole.parts if isinstance(whole, Composition) else (whole,)
    parts = _merged([each for each in flat if not _is_exact(each)])
    if any(isinstance(each, Approximate) and each.delta == 1.0 for each in parts):
        return NOTHING
    if len(parts) < 2:
        return parts[0] if parts else EXACT
    whole = Composition(parts=parts)
    by_divergence = _by_divergence(parts)
    return whole if by_divergence is None else several([whole, by_divergence])


def _is_exact(promise: Single) -> bool:
    """Whether it is kept by equal laws alone."""
    match promise:
        case Gaussian(mu=size) | Pure(epsilon=size) | Laplace(shift=size) | Concentrated(rho=size):
            return size == 0.0
        case Approximate(epsilon=epsilon, delta=delta):
            return epsilon == delta == 0.0
        case Renyi(points=points):
            return any(epsilon == 0.0 for _, epsilon in points)
        case _:
            return False


def _merged(parts: Sequence[Single]) -> tuple[Single, ...]:
    """Put together what one parameter describes together; everything else stays."""
    found: list[Single] = []
    if shifts := [Fraction(each.mu) ** 2 for each in parts if isinstance(each, Gaussian)]:
        found.append(finite(Gaussian, mu=root_ceiling(sum(shifts, Fraction(0)))))
    if epsilons := [Fraction(each.epsilon) for each in parts if isinstance(each, Pure)]:
        found.append(finite(Pure, epsilon=ceiling(sum(epsilons, Fraction(0)))))
    found += [each for each in parts if isinstance(each, Approximate | Laplace)]
    steps: dict[SubsampledGaussian, int] = {}
    for each in parts:
        if isinstance(each, SubsampledGaussian):
            one = replace(each, steps=1)
            steps[one] = steps.get(one, 0) + each.steps
    found += [replace(one, steps=count) for one, count in steps.items()]
    curved = [each for each in parts if isinstance(each, Concentrated | Renyi)]
    return (*found, *([_divergence(curved)] if curved else []))


def _divergence(parts: Sequence[Concentrated | Renyi]) -> Single:
    """Add up divergences; NOTHING where no order is bounded by all."""
    both = all(each.two_sided for each in parts)
    rho = ceiling(sum((Fraction(each.rho) for each in parts if isinstance(each, Concentrated)), Fraction(0)))
    listed = [each.points for each in parts if isinstance(each, Renyi)]
    if not listed:
        return finite(Concentrated, rho=rho, two_sided=both)
    points = listed[0]
    for each in listed[1:]:
        points = divergences.together(points, each)
    if rho:
        added = ((order, ceiling(Fraction(epsilon) + Fraction(rho) * Fraction(order))) for order, epsilon in points)
        points = tuple((order, epsilon) for order, epsilon in added if math.isfinite(epsilon))
    return Renyi(points=points, two_sided=both) if points else NOTHING


def _by_divergence(parts: Sequence[Single]) -> Single | None:
    """Put everything together as one Rényi promise; None where there is none among them, or one has no divergence."""
    if not any(isinstance(each, Concentrated | Renyi) for each in parts):
        return None
    found: list[Concentrated | Renyi] = []
    for each in parts:
        match each:
            case Concentrated() | Renyi():
                found.append(each)
            case Gaussian(mu=size) | Pure(epsilon=size) | Laplace(shift=size):
                rho = ceiling(Fraction(size) ** 2 / 2)
                if not math.isfinite(rho):
                    return None
                found.append(Concentrated(rho=rho))
            case _:
                return None
    whole = _divergence(found)
    return None if whole == NOTHING else whole
