"""ε_dd and ε_dp of a setting: by Theorem 5.1 or 5.2, or by the Gaussian trade-off; and equation 18 where none applies."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, Final, Literal, TypeAlias

from auditor.base.domain import Certificate, Message
from auditor.maths.certificates import derive, noisy_gd_batches, noisy_gd_gaussian
from auditor.maths.certificates.renyi import gaussian_epsilon
from auditor.maths.certificates.rounding import finite
from auditor.parts.data_deletion.rules import noisy_gd_convex, noisy_gd_nonconvex
from auditor.parts.data_deletion.settings import Declared, bound_b, read
from auditor.settings.facets import NoisyDescent, Packing

Source: TypeAlias = Literal["5.1", "5.2", "gaussian", "batches"]
TRADEOFFS: Final = frozenset({"gaussian", "batches"})
"""The Gaussian trade-off of full batches, and that of mini-batches."""


@dataclass(frozen=True, slots=True)
class Setting:
    """Everything that the certificates are derived from."""

    declared: Declared
    l2: float
    sigma2: float
    order: float
    learn_steps: int
    unlearn_steps: int
    rows: int
    """n: the fewest training records while a record that was deleted was among them."""
    largest_batch: int
    """r."""
    parameters: int
    """d."""
    updates: int
    """The batches before the last, each of which took `unlearn_steps` with the last record still there."""
    packing: Packing | None = None
    """The mini-batches of its steps."""

    @property
    def steps_with(self) -> int:
        """The most steps that a record was there for: learning, and every batch before its own."""
        return self.learn_steps + self.updates * self.unlearn_steps


def setting_of(
    procedure: NoisyDescent, *, order: float, rows: int, parameters: int, largest_batch: int = 1, updates: int = 0
) -> Setting:
    """The setting that a table declares, for so many records, parameters and updates."""
    return Setting(
        declared=read(procedure),
        l2=procedure.l2,
        sigma2=procedure.sigma2,
        order=order,
        learn_steps=procedure.learn_steps,
        unlearn_steps=procedure.unlearn_steps,
        rows=rows,
        largest_batch=largest_batch,
        parameters=parameters,
        updates=updates,
        packing=procedure.packing,
    )


@dataclass(frozen=True, slots=True)
class Bounds:
    """What a theorem gives for a setting; None where it gives nothing, with the reason."""

    source: Source | None
    epsilon_dd: float | None
    epsilon_dp: float | None
    """For each model that was seen, given those before it; by Theorem 5.2 and equation 18 for all of learning or of an update."""
    reason: Message | None = None
    fix: Message | None = None
    certificates: tuple[Certificate, ...] = ()


def bounds(setting: Setting, *, tradeoff: bool) -> Bounds:
    """ε_dd and ε_dp at the order of the setting.

    Args:
        setting: What is declared, and the records.
        tradeoff: Whether the Gaussian trade-off may take the place of the published theorem, as it does where it says more.
    """
    published = _published(setting)
    if not tradeoff:
        return published
    other = _by_tradeoff(setting)
    if other is None and setting.packing is not None and (certificate := tradeoff_certificate(setting)) is not None:
        return _without_number(Message("bounds.mini-batches", {"why": certificate.outputs["reason"]}), certificate)
    if other is None or other.epsilon_dd is None:
        return published
    return published if published.epsilon_dd is not None and published.epsilon_dd <= other.epsilon_dd else other


def published_certificate(setting: Setting) -> Certificate | None:
    """The certificate of the theorem that is meant; None where none is, or B is no floating-point number."""
    declared = setting.declared
    if declared.theorem is None:
        return None
    if declared.theorem == "5.1":
        return derive(
            noisy_gd_convex.KIND,
            {
                "q": setting.order,
                "lipschitz": declared.lipschitz,
                "l2": setting.l2,
                "smoothness": declared.smoothness,
                "sigma2": setting.sigma2,
                "n": setting.rows,
                "steps": setting.unlearn_steps,
            },
        )
    found = None if declared.bound is None else bound_b(declared.bound, setting.sigma2)
    if found is None:
        return None
    return derive(
        noisy_gd_nonconvex.KIND,
        {
            "q": setting.order,
            "sigma2": setting.sigma2,
            "bound_b": found,
            "lipschitz": declared.lipschitz,
            "l2": setting.l2,
            "smoothness": declared.smoothness,
            "rate": declared.rate,
            "d": setting.parameters,
            "n": setting.rows,
            "r": setting.largest_batch,
            "learn_steps": setting.learn_steps,
            "unlearn_steps": setting.unlearn_steps,
        },
    )


def epsilon_dd(setting: Setting) -> float | None:
    """ε_dd by the theorem that is meant, without the words about it."""
    certificate = published_certificate(setting)
    return None if certificate is None else certificate.epsilon


def tradeoff_certificate(setting: Setting, *, steps: int | None = None, ever: bool = False) -> Certificate | None:
    """The Gaussian trade-off of a setting; None where its premises are not declared.

    Args:
        setting: What is declared, and the records.
        steps: K, in place of the declared one.
        ever: For any number of steps with the record, not for those that it was there for.
    """
    declared = setting.declared
    if not declared.trades_off:
        return None
    given: dict[str, Any] = {
        "lipschitz": declared.lipschitz,
        "l2": setting.l2,
        "smoothness": declared.smoothness,
        "sigma2": setting.sigma2,
        "rate": declared.rate,
    }
    after, packing = setting.unlearn_steps if steps is None else steps, setting.packing
    if packing is not None:
        # Steps beyond the last whole epoch bring the two runs no further apart.
        given |= {"batch": packing.divisor, "batches": packing.batches, "epochs": after // packing.batches}
        with_it = {} if ever else {"learn_epochs": setting.steps_with // packing.batches}
        return derive(noisy_gd_batches.KIND, given | with_it)
    given |= {"n": setting.rows, "steps": after}
    return derive(noisy_gd_gaussian.KIND, given if ever else given | {"learn_steps": setting.steps_with})


def tradeoff_mu(certificate: Certificate | None) -> float | None:
    """μ, where there is one."""
    found = None if certificate is None else certificate.outputs["mu"]
    return None if found is None else float(found)


def all_steps(setting: Setting) -> float | None:
    """qL²ηK/(σ²n²) of all steps up to the last model before the deletion (eq. 18); None where L is not known, or it is no number.

    It bounds everything that was published until then together, whatever the loss.
    """
    return _gradients(setting, setting.steps_with)


def _published(setting: Setting) -> Bounds:
    declared = setting.declared
    gradients = _gradients(setting, max(setting.learn_steps, setting.unlearn_steps))
    if declared.theorem is None:
        return Bounds(None, None, gradients, declared.reason, declared.fix)
    certificate = published_certificate(setting)
    if certificate is None:
        return Bounds(None, None, gradients, Message("bounds.too-large"), Message("bounds.too-large.fix"))
    if certificate.epsilon is None:
        reason = Message("bounds.no-epsilon", {"theorem": declared.theorem, "why": certificate.outputs["reason"]})
        return replace(_without_number(reason, certificate), epsilon_dp=gradients)
    found = certificate.outputs
    return Bounds(declared.theorem, found["epsilon_dd"], found["epsilon_dp"], certificates=(certificate,))


def _without_number(reason: Message, certificate: Certificate) -> Bounds:
    """Nothing, where conditions of a rule fail; they say themselves what they ask for."""
    failed = [condition.found for condition in certificate.conditions if not condition.holds]
    return Bounds(None, None, None, reason, Message("bounds.no-epsilon.fix", {"failed": failed}), (certificate,))


def _by_tradeoff(setting: Setting) -> Bounds | None:
    """By the Gaussian trade-off; None where its premises are not declared or it gives no number."""
    after = tradeoff_certificate(setting)
    # What one released model says of a record that was there a step ago is bounded for full batches alone.
    before = tradeoff_certificate(setting, steps=0, ever=True) if setting.packing is None else None
    mu, once = tradeoff_mu(after), tradeoff_mu(before)
    found = None if mu is None else finite(gaussian_epsilon(setting.order, mu))
    if found is None:
        return None
    each = None if once is None else gaussian_epsilon(setting.order, once)
    kept = tuple(each for each in (after, before) if each is not None)
    return Bounds(
        "gaussian" if setting.packing is None else "batches", found, None if each is None else finite(each), certificates=kept
    )


def _gradients(setting: Setting, steps: int) -> float | None:
    largest = setting.declared.lipschitz
    if largest is None or setting.packing is not None:
        return None
    found = noisy_gd_nonconvex.gradient_epsilon(
        setting.order, lipschitz=largest, sigma2=setting.sigma2, rows=setting.rows, rate=setting.declared.rate, steps=steps
    )
    return finite(found)
