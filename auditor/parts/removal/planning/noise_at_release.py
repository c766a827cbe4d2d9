"""What can be done without a random term in the loss, at one λ: noise at release, plain differential privacy, nothing.

All three release the same minimiser; they differ in the noise on it. `output-noise` hides what a Newton removal leaves, and its
residual budget r and noise s come from the data here; to be *shown*, both have to be fixed before those data are seen.
"""

from __future__ import annotations

import math
import statistics
from collections.abc import Sequence
from dataclasses import dataclass

from auditor.audit.planning import Accuracy
from auditor.base.promises import Gaussian, Promise, Pure
from auditor.base.records import Floats, Positions
from auditor.maths.certificates import derive, gaussian
from auditor.maths.tradeoff import promises
from auditor.maths.tradeoff.reading import right_guesses
from auditor.pages.words.texts import say
from auditor.parts.removal.learning.certified_removal import CertifiedRemoval, RemovalModel
from auditor.parts.removal.planning import walking
from auditor.parts.removal.planning.accuracy import Fitted, accuracy, fit, with_noise
from auditor.parts.removal.planning.document import EPSILONS, Served, Setting, Target
from auditor.parts.removal.planning.walking import Task, round_up
from auditor.parts.removal.rules import laplace, output_noise, removal

# One setting of loss perturbation: λ and σ (Guo et al. 2020, Algorithms 1 and 2), the bound that decides being `local`.
_MOST_EPSILON = 100.0
"""Counting goes on to the target's deletions until not even this ε would allow what was spent."""


def setting(
    task: Task,
    target: Target,
    *,
    l2: float,
    sigma: float,
    seed: int,
    seeds: Sequence[int],
    orders: Sequence[Positions],
    norms: Sequence[Floats],
) -> Setting:
    """What λ and σ serve, and how accurate they are.

    Args:
        task: What is learned.
        target: What has to be served.
        l2: λ.
        sigma: σ.
        seed: The plan's, for what is drawn alongside trainings.
        seeds: Of one training each.
        orders: Of deletion, one for each training; all as long as the most that is counted.
        norms: `walking.spectral_norms` of each order.
    """
    procedure: CertifiedRemoval = task.procedure(l2=l2, sigma=sigma)
    try:
        models = [procedure.learn(task.train, each) for each in seeds]
        walks = [
            _walk(task, target, procedure, model, order, norm) for model, order, norm in zip(models, orders, norms, strict=True)
        ]
        worst = _worst(task, target, procedure, models[0], most=len(orders[0]))
        found = accuracy(task, procedure, fit(task, procedure, seeds, models, seed=seed), seed=seed)
    except ArithmeticError as error:
        return Setting("loss-perturbation", l2, sigma, reason=str(error))
    allowed = budget(task, target.epsilon, target.delta, sigma)
    served = Served(tuple(_within(values, allowed) for values in walks), worst, len(orders[0]))
    at_target = [values[target.deletions - 1] if len(values) >= target.deletions else math.inf for values in walks]
    # Of an even number the larger of the two in the middle: the same order that `served.median` takes.
    reached = statistics.median_high(at_target)
    needed = _epsilon(task, reached, target.delta, sigma)
    return Setting(
        "loss-perturbation",
        l2,
        sigma,
        accuracy=found,
        served=served,
        serves=served.median >= target.deletions,
        epsilon_needed=needed if needed is not None and math.isfinite(needed) else None,
        right_guesses=right_guesses(_promise(task, reached, sigma)) if math.isfinite(reached) else None,
    )


def kept(task: Task, target: Target) -> Promise:
    """Give what keeping to a target promises by loss perturbation: the shift of its noise that (ε, δ) allows."""
    if task.distribution == "gaussian":
        return promises.removal_budget(target.epsilon, target.delta)
    return Pure(epsilon=target.epsilon)


def _promise(task: Task, beta: float, sigma: float) -> Promise:
    """What a residual of norm β leaves; of a vector, the Laplace-type density is bounded by a pure ε alone."""
    if task.distribution == "gaussian":
        return promises.gaussian_shift(beta, sigma)
    return promises.finite(Pure, epsilon=laplace.epsilon_spent(beta, sigma))


def budget(task: Task, epsilon: float, delta: float, sigma: float) -> float:
    """The largest β that the criterion allows."""
    return removal.budget(epsilon, delta, sigma) if task.distribution == "gaussian" else laplace.budget(epsilon, sigma)


def _walk(
    task: Task, target: Target, procedure: CertifiedRemoval, model: RemovalModel, order: Positions, norms: Floats
) -> tuple[float, ...]:
    """β after each deletion: up to the target's deletions while any ε would do, and from there on while the target's does."""
    hopeless = budget(task, _MOST_EPSILON, target.delta, procedure.sigma)
    allowed = budget(task, target.epsilon, target.delta, procedure.sigma)
    values: list[float] = []
    for number, value in enumerate(walking.spent(task, procedure, model, order, norms), start=1):
        values.append(value)
        if value > (hopeless if number < target.deletions else allowed):
            break
    return tuple(values)


def _worst(task: Task, target: Target, procedure: CertifiedRemoval, model: RemovalModel, *, most: int) -> int:
    order = walking.worst_margin_first(task, model)[:most]
    allowed = budget(task, target.epsilon, target.delta, procedure.sigma)
    values = walking.spent(task, procedure, model, order, None)
    return walking.count_within(values, most=most, within=lambda value: value <= allowed)


def _within(values: Sequence[float], allowed: float) -> int:
    return walking.count_within(iter(values), most=len(values), within=lambda value: value <= allowed)


def _epsilon(task: Task, beta: float, delta: float, sigma: float) -> float | None:
    if not math.isfinite(beta):
        return None
    return removal.epsilon_spent(beta, delta, sigma) if task.distribution == "gaussian" else beta / sigma


_UP = 1 + 1e-12


@dataclass(frozen=True, slots=True, eq=False)
class _Fits:
    """The minimiser at one λ, to be judged under any noise."""

    task: Task
    procedure: CertifiedRemoval
    seeds: Sequence[int]
    seed: int
    draws: tuple[tuple[Fitted, ...], ...]

    def accuracy(self, deviation: float) -> Accuracy:
        noisy = [with_noise(draw, each, deviation) for draw, each in zip(self.draws, self.seeds, strict=True)]
        return accuracy(self.task, self.procedure, noisy, seed=self.seed)


def settings(
    task: Task, target: Target, *, l2: float, seed: int, seeds: Sequence[int], orders: Sequence[Positions]
) -> tuple[Setting, Setting, Setting]:
    """Output noise, differential privacy and no protection at λ; arguments as in `loss_perturbation.setting`."""
    procedure: CertifiedRemoval = task.procedure(l2=l2, sigma=0.0)
    try:
        # Without a random term every training comes to the same minimiser.
        model = procedure.learn(task.train, seeds[0])
        fits = _Fits(task, procedure, seeds, seed, fit(task, procedure, seeds, [model] * len(seeds), seed=seed))
        hidden = _output_noise(fits, model, target, orders)
    except ArithmeticError as error:
        reason = str(error)
        return (
            Setting("output-noise", l2, reason=reason),
            Setting("differential-privacy", l2, reason=reason),
            Setting("no-protection", l2, reason=reason),
        )
    return hidden, _private(fits, target), Setting("no-protection", l2, accuracy=fits.accuracy(0.0))


def noise_for(residual: float, target: Target, *, l2: float, rows: int) -> float:
    """s, the smallest noise of three digits with which a residual of at most r costs no more than the target's ε.

    Args:
        residual: r.
        target: With ε and δ.
        l2: λ.
        rows: n', the fewest records that a release is trained on.

    The rule `output-noise` turns the result into an ε again, and has the last word on the last digit.
    """
    allowed = gaussian.mu(target.epsilon, target.delta)
    noise = _up(output_noise.shift(residual, l2, (rows,), 1.0) / allowed)
    while _spent(residual, noise, target, l2=l2, rows=rows) > target.epsilon:
        noise = _up(noise * 1.001)
    return noise


def _output_noise(fits: _Fits, model: RemovalModel, target: Target, orders: Sequence[Positions]) -> Setting:
    task, procedure, most = fits.task, fits.procedure, len(orders[0])
    start = walking.residual(walking.objectives_of(task, model, l2=procedure.l2), model.weights)
    walks = [tuple(walking.leftovers(task, procedure, model, order)) for order in orders]
    needed = statistics.median_high(max(values[: target.deletions]) for values in walks)
    residual = round_up(max(needed, start, 2 * task.tolerance))
    worst = walking.leftovers(task, procedure, model, walking.worst_margin_first(task, model)[:most])

    def within(value: float) -> bool:
        return value <= residual

    served = Served(
        tuple(walking.count_within(iter(values), most=most, within=within) for values in walks),
        walking.count_within(worst, most=most, within=within),
        most,
    )
    rows = len(task.train) - target.deletions
    noise = noise_for(residual, target, l2=procedure.l2, rows=rows)
    others = ((each, noise_for(residual, _at(target, each), l2=procedure.l2, rows=rows)) for each in EPSILONS)
    return Setting(
        "output-noise",
        procedure.l2,
        release_noise=noise,
        residual_budget=residual,
        accuracy=fits.accuracy(noise),
        served=served,
        serves=served.median >= target.deletions,
        epsilon_needed=target.epsilon,
        right_guesses=right_guesses(Gaussian(mu=output_noise.shift(residual, procedure.l2, (rows,), noise))),
        accuracy_at=tuple((each, fits.accuracy(deviation).value) for each, deviation in others),
    )


def _private(fits: _Fits, target: Target) -> Setting:
    task, l2 = fits.task, fits.procedure.l2
    if task.regression:
        return Setting("differential-privacy", l2, reason=say("plan-dp-no-bound"))
    apart = distance(
        l2=l2,
        rows=len(task.train),
        removed=target.deletions,
        row_norm=task.row_norm,
        models=task.models,
        tolerance=task.tolerance,
    )
    noises = {each: _up(apart / gaussian.mu(each, target.delta)) for each in (target.epsilon, *EPSILONS)}
    return Setting(
        "differential-privacy",
        l2,
        release_noise=noises[target.epsilon],
        accuracy=fits.accuracy(noises[target.epsilon]),
        serves=True,
        epsilon_needed=target.epsilon,
        right_guesses=right_guesses(promises.gaussian_shift(apart, noises[target.epsilon])),
        accuracy_at=tuple((each, fits.accuracy(noises[each]).value) for each in EPSILONS),
    )


def _at(target: Target, epsilon: float) -> Target:
    return Target(target.deletions, epsilon, target.delta)


def _spent(residual: float, noise: float, target: Target, *, l2: float, rows: int) -> float:
    inputs = {"l2": l2, "rows": [rows], "release_noise": noise, "delta": target.delta, "residual": residual}
    spent = derive("output-noise", inputs).outputs["epsilon_spent"]
    return math.inf if spent is None else float(spent)


def _up(value: float) -> float:
    """Three significant digits, rounded up."""
    unit = 10.0 ** (math.floor(math.log10(value)) - 2)
    return float(f"{math.ceil(value / unit) * unit:.12g}")


def distance(*, l2: float, rows: int, removed: int, row_norm: float, models: int, tolerance: float) -> float:
    """Bound how far apart the minimisers on n records and on m fewer can lie, all classes together, rounded up.

    Plain differential privacy for as many people as are to be deleted takes noise so large that nothing has to be unlearned: the
    Gaussian mechanism on the minimiser of the same regularised objective (output perturbation: Chaudhuri, Monteleoni and Sarwate
    2011, Lemma 1 and Corollary 8, here for removal, for groups and with λ times the number of records that are there).

    The gradient of one record's logistic losses has a norm of at most √K C. At the minimiser w on n records λn w is minus their
    sum, so that ‖w‖ ≤ √K C/λ; and the objective of the others has a gradient of −(Σ_removed ∇ℓ + mλw) there, of norm at most
    2m√K C. It is λ(n−m)-strongly convex: ‖w − w'‖ ≤ 2m√K C/(λ(n−m)). What two trainings leave adds √K·tolerance each.

    Args:
        l2: λ, above 0.
        rows: n.
        removed: m, below n.
        row_norm: C, a bound on the norm of a row that was fixed before the data.
        models: K.
        tolerance: The gradient norm that training may leave, class by class.
    """
    left = l2 * (rows - removed)
    return _UP * math.sqrt(models) * (2 * removed * row_norm + 2 * tolerance) / left
