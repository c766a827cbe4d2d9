"""The gradient residual of several classifiers at once, one-versus-rest: each class's chain, and what they come to together.

Classifier k has a perturbation b_k of its own. With independent b_k ~ N(0, sigma^2 I) the released weights of all classes are one
joint Gaussian mechanism, shifted by sqrt(sum_k beta_k^2): the classes' epsilons are not added. Densities proportional to
exp(-||b_k||/sigma) multiply, and there the shifts add up: sum_k beta_k. Each class has the bounds of `residual`, batch by batch.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Final

from auditor.base.domain import Bound, Certificate, Condition, Provenance
from auditor.maths.certificates.rounding import combined, finite
from auditor.maths.certificates.rule import Count, Counts, Inputs, Numbers, Rule, failing, plain_inputs, without_result
from auditor.parts.removal.rules import residual
from auditor.parts.removal.rules.residual import DECIDING, MEASURED, ROWS, RemovalResidualInputs, Series

_SHARED: Final = ("rows", "forgotten", "retrained", "spectral_norm")
"""Lists with one entry a batch: what all classes have in common."""


class JointResidualInputs(Inputs):
    """What was measured of every class; lists have one entry a batch, or one a batch and class, those of a batch together."""

    classes: Count
    """K, at least 2."""
    added: Count
    """0 where the perturbations are Gaussian and squares of bounds add up; 1 where they are of the Laplace type and bounds do."""
    l2: float
    """lambda, above 0."""
    lipschitz_printed: float
    """The Lipschitz constant of the loss's second derivative that the paper uses: 1/4 for the logistic loss."""
    lipschitz: float
    """The smallest such constant: 1/(6 sqrt 3) for the logistic loss."""
    gradient_bound: float
    """C, a bound on the gradient norm of one record's loss: 1 for the logistic loss and rows of norm at most 1."""
    row_norm: float
    """The largest norm of a record's features."""
    perturbation_norm: float
    """An upper bound of ||b_k|| for every class."""
    leftovers: Numbers
    """beta_0 of each class: the gradient norm that training left, or its tolerance if that is larger."""
    rows: Counts
    """n, the records before the batch; one entry a batch."""
    forgotten: Counts
    """m, the records of the batch; one entry a batch."""
    spectral_norm: Numbers
    """An upper bound of ||X||_2, X the records that remain; one entry a batch."""
    retrained: Counts
    """1 where the batch was answered by retraining, else 0; one entry a batch."""
    gradient_norm: Numbers
    """||grad L_b(w; D)|| before the batch."""
    step_norm: Numbers
    """||d||_2, the length of the step that was taken."""
    step_predictions_norm: Numbers
    """||X d||_2."""
    step_predictions_norm4: Numbers
    """||X d||_4^2, which is ||v * v||_2 for v = X d."""
    local_curvature_norm: Numbers
    """||(gamma_i v_i^2)_i||_2, gamma_i a Lipschitz constant along the segment of record i."""
    solver_error: Numbers
    """||H d - Delta||_2."""
    rounding_floor: Numbers
    """What arithmetic itself may lose in the residual."""
    batch_leftover: Numbers
    """beta_0 of the new training where the batch was retrained, else 0."""
    measured: Numbers
    """||grad L_b(w; D')|| after the batch."""


_EACH: Final = tuple(name for name in JointResidualInputs.model_fields if name in residual.LISTS and name not in _SHARED)
_CONSTANTS: Final = tuple(
    name for name in RemovalResidualInputs.model_fields if name not in residual.LISTS and name != "leftover"
)


def _lengths(inputs: JointResidualInputs) -> tuple[Condition, ...]:
    """What has to hold for the lists to be taken apart."""
    batches = len(inputs.rows)
    fits = len(inputs.leftovers) == inputs.classes and all(
        len(getattr(inputs, name)) == batches * (inputs.classes if name in _EACH else 1) for name in (*_EACH, *_SHARED)
    )
    lengths = sorted({len(getattr(inputs, name)) for name in (*_EACH, *_SHARED)})
    return (
        Condition("classes >= 2", inputs.classes >= 2, f"{inputs.classes}", Provenance.COMPUTED),
        Condition("added is 0 or 1", inputs.added in {0, 1}, f"{inputs.added}", Provenance.COMPUTED),
        Condition(
            "every list has one entry per batch, or per batch and class",
            fits,
            f"lengths {', '.join(map(str, lengths))} for {batches} batches and {inputs.classes} classes",
            Provenance.COMPUTED,
        ),
    )


def of_class(inputs: JointResidualInputs, k: int) -> RemovalResidualInputs:
    """What the joint inputs say of class k, counted from 0."""
    given = {name: getattr(inputs, name) for name in (*_CONSTANTS, *_SHARED)}
    given |= {name: getattr(inputs, name)[k :: inputs.classes] for name in _EACH}
    return RemovalResidualInputs(**given, leftover=inputs.leftovers[k])


def _conditions(inputs: JointResidualInputs) -> tuple[Condition, ...]:
    shape = _lengths(inputs)
    if failing(shape):
        return shape
    every = [residual.conditions(of_class(inputs, k)) for k in range(inputs.classes)]
    # A class that fails a premise says no more than its premises; the others say it too, and are cut to those.
    shared = min(every, key=len)
    return (*shape, *(_merged([conditions[at] for conditions in every]) for at in range(len(shared))))


def _merged(conditions: Sequence[Condition]) -> Condition:
    """One condition of every class: it holds where it holds for all."""
    failed = next(((k, each) for k, each in enumerate(conditions) if not each.holds), None)
    if failed is None:
        return conditions[0]
    k, each = failed
    return Condition(each.name, False, f"class {k + 1}: {each.found}", each.how)


def _derive(inputs: JointResidualInputs) -> Certificate:
    conditions = _conditions(inputs)
    doubts = failing(condition for condition in conditions if condition.name != residual.BOUNDED_ROWS)
    if not _has_series(inputs):
        keys = ("increments", "betas", "measured", "class_betas", "beta")
        return without_result("joint-residual", inputs, conditions, keys)
    join = combined(inputs.added)
    steps, betas, class_betas = _series(inputs, join)
    beta = None if doubts else residual.worst(betas[DECIDING])
    norms, before = ([finite(join(each)) for each in _by_batch(inputs, name)] for name in ("measured", "gradient_norm"))
    outputs: dict[str, object] = {
        "increments": steps,
        "betas": betas,
        "measured": norms,
        "class_betas": class_betas,
        "beta": beta,
    }
    if beta is None:
        outputs["reason"] = doubts or "the bound exceeds the floating-point range"
    return Certificate(
        kind="joint-residual",
        epsilon=None,
        delta=None,
        order=None,
        inputs=plain_inputs(inputs),
        conditions=conditions,
        bounds=(
            *(Bound(name, residual.worst(betas[name])) for name in ROWS),
            Bound(MEASURED, residual.worst([*before, *norms])),
        ),
        outputs=outputs,
    )


def _has_series(inputs: JointResidualInputs) -> bool:
    """Whether there are as many numbers as there should be, and every class keeps the premises of its bounds."""
    return not failing(_lengths(inputs)) and not any(
        failing(residual.premises(of_class(inputs, k))) for k in range(inputs.classes)
    )


def _series(
    inputs: JointResidualInputs, join: Callable[[Sequence[float]], float]
) -> tuple[dict[str, Series], dict[str, Series], list[float | None]]:
    """Increments and bounds of all classes together, by the bound's name, and each class's own bound that decides."""
    every = [residual.series(of_class(inputs, k)) for k in range(inputs.classes)]
    steps = {name: _joined([found[name] for found, _ in every], join) for name in ROWS}
    betas = {name: _joined([found[name] for _, found in every], join) for name in ROWS}
    return steps, betas, [residual.worst(found[DECIDING]) for _, found in every]


def _by_batch(inputs: JointResidualInputs, name: str) -> list[Sequence[float]]:
    """The numbers of that name, those of all classes together, one list a batch."""
    values = getattr(inputs, name)
    return [values[at : at + inputs.classes] for at in range(0, len(values), inputs.classes)]


def _joined(every: Sequence[Series], join: Callable[[Sequence[float]], float]) -> Series:
    """The classes' series as one; None where any class has none."""
    found: Series = []
    for values in zip(*every, strict=True):
        numbers = [value for value in values if value is not None]
        together = join(numbers) if len(numbers) == len(values) else math.inf
        found.append(together if math.isfinite(together) else None)
    return found


RULES: Final = (
    Rule(
        kind="joint-residual",
        theorem="Guo et al. 2020, Corollary 2 as in removal-residual, for several classifiers with independent perturbations",
        summary="How large the gradient residual of one-versus-rest classifiers can be, all classes together, after each batch.",
        example=(
            "auditor calc joint-residual --classes 2 --added 0 --l2 0.001 --lipschitz-printed 0.25 --lipschitz 0.0962250448649377"
            " --gradient-bound 1 --row-norm 1 --perturbation-norm 8 --leftovers 1e-8,1e-8 --rows 357 --forgotten 1 "
            "--spectral-norm 16 --retrained 0 --gradient-norm 1e-9,1e-9 --step-norm 0.1,0.2 --step-predictions-norm 0.5,0.6 "
            "--step-predictions-norm4 0.05,0.06 --local-curvature-norm 0.002,0.003 --solver-error 1e-12,1e-12 "
            "--rounding-floor 1e-11,1e-11 --batch-leftover 0,0 --measured 0.0001,0.0002"
        ),
        inputs=JointResidualInputs,
        conditions=_conditions,
        derive=_derive,
    ),
)
