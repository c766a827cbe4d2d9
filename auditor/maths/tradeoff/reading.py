"""Everything that is read off a promise, whatever its kind: bounds above are rounded up, type II errors down.

| reading | what it is |
|---|---|
| `epsilon_at`, `delta_at` | the (ε, δ) that follow (Dong, Roth and Su 2022, Proposition 2.12) |
| `advantage`, `right_guesses` | total variation δ(0), and ½ + ½ of it: the best chance to name one of two equally likely worlds |
| `type_two_error`, `curve` | f(α), at one α or as points for a figure |
| `group` | k records of one person together |
| `compose` | several releases together |
| `swap_ceiling` | the most that any adversary shows in a SWAP test between two worlds that keep it towards a third |
| `promises_nothing`, `printed_delta` | whether it says anything, and at which δ its ε is printed |
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from functools import lru_cache
from itertools import product
from typing import Final, TypeAlias

import numpy as np

from auditor.base.domain import Floats
from auditor.maths.certificates import gaussian
from auditor.maths.certificates.privacy import group_delta, group_epsilon
from auditor.maths.certificates.rounding import ceiling, floor
from auditor.maths.tradeoff import closed_forms, divergences, loss_distribution
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

_UP: Final = 1 + 2.0**-48
_LINES: Final = 192
"""Supporting lines that stand for a trade-off function without a closed form."""
_MOST_ROUTES: Final = 64
SHARE_OF_A_RECORD: Final = 10
"""Without a declared δ, ε is printed at one part in so many of 1/n."""

Parts: TypeAlias = tuple[Single, ...]


def delta_at(promise: Promise, epsilon: float) -> float:  # noqa: C901, PLR0911 - one line a kind
    """δ at ε, rounded up.

    Args:
        promise: Of any kind.
        epsilon: At least 0 and finite.

    Raises:
        ValueError: If epsilon is negative, infinite or not a number.
    """
    if not 0 <= epsilon < math.inf:
        raise ValueError(f"epsilon must be finite and at least 0, found {epsilon}")
    match promise:
        case Gaussian(mu=mu):
            return gaussian.delta(epsilon, mu)
        case Approximate(epsilon=own, delta=delta):
            return closed_forms.approximate_delta(own, delta, epsilon)
        case Pure(epsilon=own):
            return closed_forms.approximate_delta(own, 0.0, epsilon)
        case Laplace(shift=shift):
            return closed_forms.laplace_delta(shift, epsilon)
        case Concentrated(rho=rho):
            return divergences.concentrated_delta(rho, epsilon)
        case Renyi(points=points):
            return divergences.delta(points, epsilon)
        case SubsampledGaussian():
            return loss_distribution.sampled_delta(promise, epsilon)
        case Composition(parts=parts):
            return min(_shared_delta(parts, epsilon), float(_on_a_grid(parts, (epsilon,))[0]))
        case Several(promises=promises):
            return min(delta_at(each, epsilon) for each in promises)


def epsilon_at(promise: Promise, delta: float) -> float:  # noqa: C901, PLR0911 - one line a kind
    """ε at δ, rounded up; infinite where none is known to do.

    Args:
        promise: Of any kind.
        delta: Between 0 and 1.

    Raises:
        ValueError: If delta is outside its range.
    """
    if not 0 <= delta <= 1:
        raise ValueError(f"delta must be between 0 and 1, found {delta}")
    match promise:
        case Gaussian(mu=mu):
            return gaussian.epsilon(delta, mu)
        case Approximate(epsilon=own, delta=least):
            return closed_forms.approximate_epsilon(own, least, delta)
        case Pure(epsilon=own):
            return closed_forms.approximate_epsilon(own, 0.0, delta)
        case Laplace(shift=shift):
            return closed_forms.laplace_epsilon(shift, delta)
        case Concentrated(rho=rho):
            return divergences.concentrated_epsilon(rho, delta)
        case Renyi(points=points):
            return divergences.epsilon(points, delta)
        case SubsampledGaussian():
            return loss_distribution.sampled_epsilon(promise, delta)
        case Composition(parts=parts):
            mechanisms = _mechanisms(parts)
            grid = loss_distribution.epsilon(mechanisms, delta) if mechanisms else math.inf
            return min(_shared_epsilon(parts, delta), grid)
        case Several(promises=promises):
            return min(epsilon_at(each, delta) for each in promises)


def advantage(promise: Promise) -> float:
    """The total variation δ(0), rounded up: how much better than guessing anyone tells the two worlds apart."""
    return delta_at(promise, 0.0)


def right_guesses(promise: Promise) -> float:
    """(1 + δ(0))/2, rounded up: the best chance to name one of two equally likely worlds; 0.547 is 54.7 right guesses of 100."""
    return min(1.0, ceiling((1 + Fraction(advantage(promise))) / 2))


def type_two_error(promise: Promise, alpha: float) -> float:  # noqa: PLR0911 - one line a kind
    """f(α), rounded down: the smallest type II error of a test at a type I error of α.

    Where a kind has no closed form it is the largest of supporting lines 1 − δ(ε) − e^ε α and e^−ε (1 − δ(ε) − α) (Dong, Roth and
    Su 2022, Propositions 2.5 and 2.12).

    Args:
        promise: Of any kind.
        alpha: Between 0 and 1.

    Raises:
        ValueError: If alpha is outside its range.
    """
    if not 0 <= alpha <= 1:
        raise ValueError(f"alpha must be between 0 and 1, found {alpha}")
    match promise:
        case Gaussian(mu=mu):
            return closed_forms.gaussian_error(mu, alpha)
        case Approximate(epsilon=own, delta=delta):
            return closed_forms.approximate_error(own, delta, alpha)
        case Pure(epsilon=own):
            return closed_forms.approximate_error(own, 0.0, alpha)
        case Laplace(shift=shift):
            return closed_forms.laplace_error(shift, alpha)
        case Concentrated(rho=rho, two_sided=both):
            return divergences.concentrated_error(rho, alpha, two_sided=both)
        case Renyi(points=points, two_sided=both):
            return divergences.error(points, alpha, two_sided=both)
        case SubsampledGaussian() | Composition():
            return _error_by_lines(promise, alpha)
        case Several(promises=promises):
            return max(type_two_error(each, alpha) for each in promises)


def curve(promise: Promise, points: int = 101) -> tuple[tuple[float, float], ...]:
    """Give (α, f(α)) at evenly spaced α from 0 to 1, for a figure; every f(α) is rounded down.

    Args:
        promise: Of any kind.
        points: How many, at least 2.
    """
    return tuple((alpha, type_two_error(promise, alpha)) for alpha in (step / (points - 1) for step in range(points)))


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
            return promise.model_copy(update={"group": own_size * size})
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
    different kinds stays side by side: a `Composition`, read by the distribution of its loss and by adding up ε and δ. Beside a
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
    if NOTHING in parts:
        return NOTHING
    if len(parts) < 2:
        return parts[0] if parts else EXACT
    whole = Composition(parts=parts)
    by_divergence = _by_divergence(parts)
    return whole if by_divergence is None else several([whole, by_divergence])


def swap_ceiling(promise: Promise) -> float:
    """1 − 2 f(½), rounded up: the most that any adversary shows between two worlds that both keep a promise towards a third.

    In a SWAP test both unlearned models are near the same retrained one, R. With q = R(S) an event has P(S) ≤ 1 − f(q) in one
    world and P′(S) ≥ f(1 − q) in the other; 1 − f(q) − f(1 − q) is concave in q and symmetric about ½. For (ε, δ) this is
    1 − (1 − 2δ) e^−ε, for the Gaussian 2Φ(μ) − 1. The promise has to be about the whole forget set: take its `group` first.

    Args:
        promise: Of any kind; of a one-sided one R is the world without the records.
    """
    match promise:
        case Gaussian(mu=mu):
            doubled = ceiling(2 * Fraction(mu))
            return gaussian.delta(0.0, doubled) if math.isfinite(doubled) else 1.0
        case Approximate(epsilon=own, delta=delta):
            return closed_forms.approximate_ceiling(own, delta)
        case Pure(epsilon=own):
            return closed_forms.approximate_ceiling(own, 0.0)
        case Laplace(shift=shift):
            return closed_forms.laplace_ceiling(shift) if math.isfinite(2 * shift) else 1.0
        case Several(promises=promises):
            return min(swap_ceiling(each) for each in promises)
        case _:
            by_curve = ceiling(1 - 2 * Fraction(type_two_error(promise, 0.5)))
            # Two worlds are no farther apart than both ways together.
            return min(1.0, by_curve, 2 * advantage(promise))


def declared_delta(promise: Promise) -> float:
    """The δ that no ε takes away, rounded up: of (ε, δ) its own, added up over releases; 0 of every curve."""
    match promise:
        case Approximate(delta=delta):
            return delta
        case Composition(parts=parts):
            return min(1.0, ceiling(sum((Fraction(declared_delta(each)) for each in parts), Fraction(0))))
        case Several(promises=promises):
            return min(declared_delta(each) for each in promises)
        case _:
            return 0.0


def printed_delta(promise: Promise, records: int) -> float:
    """The δ at which an ε is printed: the declared one, or 1/(10 n) of a curve that has none.

    Args:
        promise: Of any kind.
        records: n, those that were trained on, at least 1.
    """
    return declared_delta(promise) or 1 / (SHARE_OF_A_RECORD * records)


def promises_nothing(promise: Promise, *, records: int, most: float) -> bool:
    """Say whether a promise promises nothing: so many guesses are right, or its declared δ gives away a whole record at random.

    Args:
        promise: Of any kind.
        records: n, those that were trained on: a declared δ of 1/n or more says nothing.
        most: The share of right guesses from which on it says nothing.
    """
    return right_guesses(promise) >= most or Fraction(declared_delta(promise)) * records >= 1


def _error_by_lines(promise: SubsampledGaussian | Composition, alpha: float) -> float:
    """The largest of supporting lines, of those through (0, 1 − δ) alone where a part holds in one direction."""
    if isinstance(promise, SubsampledGaussian):
        of_one, both = closed_forms.gaussian_error(loss_distribution.unsampled(promise), alpha), True
    else:
        of_one, both = 0.0, all(each.two_sided for each in promise.parts if isinstance(each, Concentrated | Renyi))
    by_line = closed_forms.approximate_error if both else closed_forms.steep_error
    return max(of_one, *(by_line(epsilon, delta, alpha) for epsilon, delta in _lines(promise)))


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


def _merged(parts: Sequence[Single]) -> Parts:
    """Put together what one parameter describes together; everything else stays."""
    found: list[Single] = []
    if shifts := [Fraction(each.mu) ** 2 for each in parts if isinstance(each, Gaussian)]:
        found.append(finite(Gaussian, mu=loss_distribution.root_ceiling(sum(shifts, Fraction(0)))))
    if epsilons := [Fraction(each.epsilon) for each in parts if isinstance(each, Pure)]:
        found.append(finite(Pure, epsilon=ceiling(sum(epsilons, Fraction(0)))))
    found += [each for each in parts if isinstance(each, Approximate | Laplace)]
    steps: dict[SubsampledGaussian, int] = {}
    for each in parts:
        if isinstance(each, SubsampledGaussian):
            one = each.model_copy(update={"steps": 1})
            steps[one] = steps.get(one, 0) + each.steps
    found += [one.model_copy(update={"steps": count}) for one, count in steps.items()]
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


def _by_divergence(parts: Parts) -> Single | None:
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


def _mechanisms(parts: Parts) -> tuple[loss_distribution.Mechanism, ...]:
    """The parts, where each has a privacy loss distribution; none otherwise."""
    found = tuple(each for each in parts if not isinstance(each, Concentrated | Renyi))
    return found if len(found) == len(parts) else ()


def _on_a_grid(parts: Parts, epsilons: Sequence[float]) -> Floats:
    mechanisms = _mechanisms(parts)
    return loss_distribution.deltas(mechanisms, epsilons) if mechanisms else np.ones(len(epsilons))


def _shared_delta(parts: Parts, epsilon: float) -> float:
    """Σ δ at shares of ε that add up to it at most (Dwork and Roth 2014, Theorem B.1): the best of a few ways to share."""
    sizes = [max(_size(each), 1e-300) for each in parts]
    ways = [sizes, [1.0] * len(parts)]
    return min(_sum_of_deltas(parts, [each / math.fsum(way) * epsilon * (1 - 2.0**-48) for each in way]) for way in ways)


def _sum_of_deltas(parts: Parts, shares: Sequence[float]) -> float:
    found = (Fraction(delta_at(each, share)) for each, share in zip(parts, shares, strict=True))
    return min(1.0, ceiling(sum(found, Fraction(0))))


def _shared_epsilon(parts: Parts, delta: float) -> float:
    """Σ ε at shares of δ that add up to it at most, after what no ε takes away; those of pure ε need none."""
    own = [Fraction(declared_delta(each)) for each in parts]
    spare = Fraction(delta) - sum(own, Fraction(0))
    if spare < 0:
        return math.inf
    hungry = [not isinstance(each, Pure | Laplace | Approximate) for each in parts]
    each_share = spare / max(1, sum(hungry))
    shares = [floor(least + each_share) if wants else float(least) for least, wants in zip(own, hungry, strict=True)]
    found = [epsilon_at(each, share) for each, share in zip(parts, shares, strict=True)]
    return ceiling(sum(map(Fraction, found), Fraction(0))) if all(map(math.isfinite, found)) else math.inf


def _size(promise: Single) -> float:
    """About the width of the loss: by what to share an ε, not a bound."""
    match promise:
        case Concentrated(rho=rho):
            return math.sqrt(2 * rho)
        case Renyi(points=points):
            return math.sqrt(2 * points[0][1])
        case _:
            return loss_distribution.scale((promise,))


@lru_cache(maxsize=16)
def _lines(promise: SubsampledGaussian | Composition) -> tuple[tuple[float, float], ...]:
    """(ε, δ) of supporting lines, from 0 to where δ has become small."""
    parts = (promise,) if isinstance(promise, SubsampledGaussian) else promise.parts
    whole = math.hypot(*(_size(each) for each in parts))
    widest = min(700.0, 8 * whole + whole**2)
    # Closer together near 0, where most of the curve is.
    epsilons = [widest * (step / (_LINES - 1)) ** 2 for step in range(_LINES)]
    on_a_grid = _on_a_grid(parts, epsilons)
    read: Callable[[float], float] = lambda epsilon: delta_at(promise, epsilon)  # noqa: E731
    if on_a_grid.min() >= 1.0:
        few = epsilons[:: _LINES // 24]
        return tuple((epsilon, read(epsilon)) for epsilon in few)
    return tuple(zip(epsilons, on_a_grid.tolist(), strict=True))
