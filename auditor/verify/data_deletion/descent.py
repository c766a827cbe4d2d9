"""Noisy gradient descent as a document declares it: the constants of its loss, its steps, and what the theorems make of them."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Final

from auditor.certificates import derive, noisy_gd_convex, noisy_gd_gaussian, noisy_gd_nonconvex
from auditor.certificates.losses import LOSSES, constants, theorem_rate
from auditor.certificates.orders import gaussian_epsilon
from auditor.certificates.rounding import exponential_ceiling, finite
from auditor.domain import Certificate
from auditor.evidence import Evidence
from auditor.verify.expectations import count, number, setting

USE: Final = "noisy-gd"
_SAME_RATE: Final = 1e-12


@dataclass(frozen=True, slots=True)
class Declared:
    """What the loss and the steps are declared to be; None where nobody says."""

    loss: str | None
    """A known one; None for a network."""
    lipschitz: float | None
    smoothness: float | None
    rate: float
    bound: float | None
    convex: bool
    is_gradient: bool
    wanted_rate: float | None
    """The step size of Theorem 5.1; None where it asks for none."""

    @property
    def theorem(self) -> str | None:
        """The theorem whose form the declaration has."""
        if not self.is_gradient or self.lipschitz is None or self.smoothness is None:
            return None
        if self.bound is not None:
            return "5.2"
        return "5.1" if self.convex and self.has_wanted_rate else None

    @property
    def has_wanted_rate(self) -> bool:
        """Whether the step size is that of Theorem 5.1."""
        wanted = self.wanted_rate
        return wanted is not None and math.isclose(self.rate, wanted, rel_tol=_SAME_RATE, abs_tol=0.0)


@dataclass(frozen=True, slots=True)
class Run:
    """All that certificates are derived from."""

    declared: Declared
    l2: float
    sigma2: float
    order: float
    learn_steps: int
    unlearn_steps: int
    rows: int
    largest_batch: int
    parameters: int
    before: int
    """The batches before the last."""

    @property
    def steps_with(self) -> int:
        """The most steps that a deleted record took part in."""
        return self.learn_steps + self.before * self.unlearn_steps


@dataclass(frozen=True, slots=True)
class Bounds:
    """ε_dd and ε_dp with the certificates that give them, or that say why there is none."""

    source: str | None
    epsilon_dd: float | None
    epsilon_dp: float | None
    certificates: tuple[Certificate, ...] = ()


def declared(settings: Mapping[str, Any]) -> Declared:
    """What a table `noisy-gd` declares, from the settings in a document.

    Raises:
        LookupError: If the loss is none that is known.
        TypeError: If a number is missing.
        ValueError: If numbers are out of range.
    """
    loss, clip, cap = settings.get("loss"), number(settings.get("clip")), number(settings.get("loss_cap"))
    l2, rate = float(settings["l2"]), settings.get("rate")
    if loss is not None:
        known = constants(loss, clip=clip, cap=cap) if loss in LOSSES else LOSSES[str(loss)]  # type: ignore[index]
        wanted = theorem_rate(known.smoothness, l2=l2)
        return Declared(
            loss=str(loss),
            lipschitz=known.lipschitz,
            smoothness=known.smoothness if known.is_gradient else None,
            rate=wanted if rate == "theorem" else float(settings["rate"]),
            bound=known.bound,
            convex=known.convex,
            is_gradient=known.is_gradient,
            wanted_rate=wanted if known.is_gradient and known.convex else None,
        )
    lipschitz, smoothness = number(settings.get("lipschitz")), number(settings.get("smoothness"))
    unclipped = clip is None
    if unclipped and settings.get("model") is not None and not is_linear(settings):
        # Products of weights have no such constants, whatever is declared.
        lipschitz = smoothness = None
    convex = bool(settings.get("convex")) and cap is None and unclipped
    return Declared(
        loss=None,
        lipschitz=min((each for each in (lipschitz, clip) if each is not None), default=None),
        smoothness=smoothness if unclipped else None,
        rate=float(settings["rate"]),
        bound=cap,
        convex=convex,
        is_gradient=unclipped,
        wanted_rate=theorem_rate(smoothness, l2=l2) if smoothness is not None and unclipped and cap is None else None,
    )


def is_linear(settings: Mapping[str, Any]) -> bool:
    """Whether a built-in network has no hidden layer, so that its constants are known."""
    params = settings.get("params")
    hidden = params.get("hidden") if isinstance(params, Mapping) else None
    return settings.get("model") == "mlp" and isinstance(hidden, list | tuple) and not hidden


def run_of(evidence: Evidence, *, order: float, rows: int, largest_batch: int, parameters: int) -> Run:
    """What the document's settings and numbers of its log make up.

    Raises:
        LookupError, TypeError, ValueError: As `declared`.
    """
    settings = evidence.procedure.settings
    learning, unlearning = count(settings["learn_steps"]), count(settings["unlearn_steps"])
    if learning is None or unlearning is None:
        raise ValueError("steps are no counts")
    return Run(
        declared=declared(settings),
        l2=float(settings["l2"]),
        sigma2=float(settings["sigma2"]),
        order=order,
        learn_steps=learning,
        unlearn_steps=unlearning,
        rows=rows,
        largest_batch=largest_batch,
        parameters=parameters,
        before=evidence.deletion_log.batches - 1,
    )


def bounds(run: Run, *, tradeoff: bool) -> Bounds:
    """What the theorem that is meant gives, or the trade-off where the policy lets it decide and it says more."""
    published = _published(run)
    other = _by_tradeoff(run) if tradeoff else Bounds(None, None, None)
    if other.epsilon_dd is None or (published.epsilon_dd is not None and published.epsilon_dd <= other.epsilon_dd):
        return published
    return other


def may_trade_off(evidence: Evidence) -> bool:
    """Whether the policy lets the Gaussian trade-off decide."""
    return evidence.policy.settings.get("use_gaussian_tradeoff") is True


def published(run: Run) -> Certificate | None:
    """The certificate of the theorem that is meant; None where there is none."""
    given = run.declared
    common = {"q": run.order, "lipschitz": given.lipschitz, "l2": run.l2, "smoothness": given.smoothness, "sigma2": run.sigma2}
    if given.theorem == "5.1":
        return derive(noisy_gd_convex.KIND, {**common, "n": run.rows, "steps": run.unlearn_steps})
    if given.theorem is None or given.bound is None:
        return None
    largest = exponential_ceiling(4 * given.bound / run.sigma2)
    if not math.isfinite(largest):
        return None
    more = {"bound_b": largest, "rate": given.rate, "d": run.parameters, "n": run.rows, "r": run.largest_batch}
    steps = {"learn_steps": run.learn_steps, "unlearn_steps": run.unlearn_steps}
    return derive(noisy_gd_nonconvex.KIND, {**common, **more, **steps})


def epsilon_dd(run: Run) -> float | None:
    """ε_dd by the theorem that is meant."""
    found = published(run)
    return None if found is None else found.epsilon


def tradeoff(run: Run, *, steps: int | None = None, ever: bool = False) -> Certificate | None:
    """The Gaussian trade-off after K steps; None where its premises are not declared."""
    given = run.declared
    if not given.convex or not given.is_gradient or given.lipschitz is None or given.smoothness is None:
        return None
    inputs: dict[str, Any] = {
        "lipschitz": given.lipschitz,
        "l2": run.l2,
        "smoothness": given.smoothness,
        "sigma2": run.sigma2,
        "n": run.rows,
        "rate": given.rate,
        "steps": run.unlearn_steps if steps is None else steps,
    }
    return derive(noisy_gd_gaussian.KIND, inputs if ever else {**inputs, "learn_steps": run.steps_with})


def mu(certificate: Certificate | None) -> float | None:
    """μ of a trade-off; None where there is none."""
    return None if certificate is None else number(certificate.outputs.get("mu"))


def of_mu(order: float, distance: float | None) -> float | None:
    """qμ²/2; None where there is no μ, or no such number."""
    return None if distance is None else finite(gaussian_epsilon(order, distance))


def of_batch(run: Run, found: Bounds, *, index: int, rows: int, removed: int) -> float | None:
    """ε_dd of a record that left with batch `index`, counted from 0."""
    if found.epsilon_dd is None:
        return None
    own = replace(run, rows=rows, largest_batch=removed, before=index)
    return of_mu(own.order, mu(tradeoff(own))) if found.source == "gaussian" else epsilon_dd(own)


def all_steps(run: Run, steps: int) -> float | None:
    """qL²ηK/(σ²n²) of K steps (eq. 18); None where L is not known."""
    largest = run.declared.lipschitz
    if largest is None:
        return None
    constants_ = {"lipschitz": largest, "sigma2": run.sigma2, "rows": run.rows, "rate": run.declared.rate}
    return finite(noisy_gd_nonconvex.gradient_epsilon(run.order, **constants_, steps=steps))  # type: ignore[arg-type]


def _published(run: Run) -> Bounds:
    gradients = all_steps(run, max(run.learn_steps, run.unlearn_steps))
    certificate = published(run)
    if certificate is None:
        return Bounds(None, None, gradients)
    if certificate.epsilon is None:
        return Bounds(None, None, gradients, (certificate,))
    outputs = certificate.outputs
    return Bounds(run.declared.theorem, outputs["epsilon_dd"], outputs["epsilon_dp"], (certificate,))


def _by_tradeoff(run: Run) -> Bounds:
    after, before = tradeoff(run), tradeoff(run, steps=0, ever=True)
    found = of_mu(run.order, mu(after))
    if found is None:
        return Bounds(None, None, None)
    kept = tuple(each for each in (after, before) if each is not None)
    return Bounds("gaussian", found, of_mu(run.order, mu(before)), kept)


def goal(evidence: Evidence) -> tuple[float, float | None, list[dict[str, Any]]]:
    """The order that is certified at, the strictest ε there, and who names one at which order."""
    claim = evidence.policy.claims.get("data_deletion")
    stated = claim if isinstance(claim, dict) else None
    own = number(evidence.procedure.settings.get("order")) if evidence.procedure.use == USE else None
    claimed = None if stated is None else number(stated.get("q"))
    order = claimed or own or 2.0
    named = [("claim", number(stated.get("epsilon")), order)] if stated is not None else []
    most = setting(evidence, "max_epsilon")
    if most is not None:
        named.append(("policy", most, own or order))
    listed = [{"source": source, "epsilon": epsilon, "delta": None, "order": at} for source, epsilon, at in named]
    # Every bound is linear in the order: a limit at a larger one is carried down by the ratio, and to a larger one as it is.
    limits = [epsilon * min(1.0, order / at) for _, epsilon, at in named if epsilon is not None]
    return order, min(limits, default=None), listed
