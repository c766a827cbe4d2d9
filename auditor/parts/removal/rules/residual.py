"""The gradient residual along a deletion log: from measurements of each batch to beta_t.

    beta_0 = what the optimiser left at training
    beta_t = beta_{t-1} + increment_t            after a Newton removal
    beta_t = what the optimiser left             after retraining

Guo et al. 2020 drop beta_0 (their footnote 1) and keep beta over retraining (their Algorithm 2); neither is right. The bounds
add up by the triangle inequality; a measured residual is exact at its batch and is not summed.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from typing import Final, TypeAlias

from auditor.base.domain import Bound, Certificate, Condition, Provenance
from auditor.maths.certificates import increments
from auditor.maths.certificates.rounding import ceiling, finite
from auditor.maths.certificates.rule import Counts, Inputs, Numbers, Rule, failing, plain_inputs, without_result

WORST_CASE, AS_PRINTED, ONLINE = "worst-case", "as-printed", "online"
TIGHTENED, LOCAL, MEASURED = "tightened", "local", "measured"
ROWS: Final = (WORST_CASE, AS_PRINTED, ONLINE, TIGHTENED, LOCAL)
"""The bounds on an increment, from the loosest to the tightest."""
DECIDING: Final = LOCAL
"""The bound that `beta` is: the tightest that holds for rows of any norm."""
BOUNDED_ROWS: Final = "rows of norm at most 1 (worst-case and as-printed alone)"
"""The condition whose failure leaves the other bounds as they are."""
_NEED_BOUNDED_ROWS: Final = (WORST_CASE, AS_PRINTED)
_SLACK: Final = 1 + 1e-9

Series: TypeAlias = list[float | None]


class RemovalResidualInputs(Inputs):
    """What was measured at training and at each batch; every list has one entry per batch, in order."""

    l2: float
    """lambda, above 0."""
    lipschitz_printed: float
    """The Lipschitz constant of the loss's second derivative that the paper uses: 1/4 for the logistic loss."""
    lipschitz: float
    """The smallest such constant: 1/(6 sqrt 3) for the logistic loss, 0 for least squares."""
    gradient_bound: float
    """C, a bound on the gradient norm of one record's loss: 1 for the logistic loss and rows of norm at most 1."""
    row_norm: float
    """The largest norm of a record's features."""
    perturbation_norm: float
    """An upper bound of ||b||."""
    leftover: float
    """beta_0: the gradient norm of the objective that training left, or its tolerance if that is larger."""
    rows: Counts
    """n, the records before the batch."""
    forgotten: Counts
    """m, the records of the batch."""
    gradient_norm: Numbers
    """||grad L_b(w; D)|| before the batch."""
    spectral_norm: Numbers
    """An upper bound of ||X||_2, X the records that remain."""
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
    retrained: Counts
    """1 where the batch was answered by retraining, else 0."""
    batch_leftover: Numbers
    """beta_0 of the new training where the batch was retrained, else 0."""
    measured: Numbers
    """||grad L_b(w; D')|| after the batch."""


@dataclass(frozen=True, slots=True)
class _Batch:
    """One entry of every list."""

    rows: int
    forgotten: int
    gradient_norm: float
    spectral_norm: float
    step_norm: float
    step_predictions_norm: float
    step_predictions_norm4: float
    local_curvature_norm: float
    solver_error: float
    rounding_floor: float
    retrained: int
    batch_leftover: float
    measured: float


LISTS: Final = tuple(_Batch.__dataclass_fields__)
"""Names of the inputs that have one entry per batch."""


def _lengths(inputs: RemovalResidualInputs) -> set[int]:
    return {len(getattr(inputs, name)) for name in LISTS}


def _batches(inputs: RemovalResidualInputs) -> Iterator[_Batch]:
    for entries in zip(*(getattr(inputs, name) for name in LISTS), strict=True):
        yield _Batch(**dict(zip(LISTS, entries, strict=True)))


def premises(inputs: RemovalResidualInputs) -> tuple[Condition, ...]:
    """What has to hold for any number to come out."""
    lengths = sorted(_lengths(inputs))
    constants = {
        name: getattr(inputs, name)
        for name in ("lipschitz_printed", "lipschitz", "gradient_bound", "row_norm", "perturbation_norm", "leftover")
    }
    below = [name for name, value in constants.items() if value < 0]
    below += [name for name in LISTS if any(value < 0 for value in getattr(inputs, name))]
    found = [
        Condition("l2 > 0", inputs.l2 > 0, f"{inputs.l2:g}", Provenance.COMPUTED),
        Condition("no count, norm or constant is below 0", not below, ", ".join(below) or "none", Provenance.COMPUTED),
        Condition(
            "lipschitz <= lipschitz_printed",
            inputs.lipschitz <= inputs.lipschitz_printed,
            f"{inputs.lipschitz:g}",
            Provenance.COMPUTED,
        ),
        Condition(
            "every list has one entry per batch",
            len(lengths) == 1,
            f"lengths {', '.join(map(str, lengths))}",
            Provenance.COMPUTED,
        ),
    ]
    if len(lengths) > 1:
        return tuple(found)
    batches = list(_batches(inputs))
    empty = _numbers(index for index, batch in enumerate(batches) if not 1 <= batch.forgotten < batch.rows)
    found.append(_every_batch("each batch removes a record and leaves one", empty))
    pairs = enumerate(pairwise(batches), start=1)
    jumps = _numbers(index for index, (one, next_) in pairs if next_.rows != one.rows - one.forgotten)
    found.append(_every_batch("each batch starts with the records that the one before left", jumps))
    flags = _numbers(index for index, batch in enumerate(batches) if batch.retrained not in {0, 1})
    found.append(_every_batch("retrained is 0 or 1", flags))
    return tuple(found)


def _numbers(indices: Iterator[int]) -> list[int]:
    return [index + 1 for index in indices]


def _every_batch(name: str, failing_batches: list[int]) -> Condition:
    shown = ", ".join(map(str, failing_batches[:10])) + (", ..." if len(failing_batches) > 10 else "")
    return Condition(
        name, not failing_batches, f"not at batch {shown}" if failing_batches else "at every batch", Provenance.COMPUTED
    )


def _norms_fit(inputs: RemovalResidualInputs) -> Condition:
    """Norms of one and the same step obey inequalities; numbers that break them were not measured on one step."""

    def exceeds(one: float, other: float) -> bool:
        return one > other * _SLACK + 1e-300

    broken = _numbers(
        index
        for index, batch in enumerate(_batches(inputs))
        if not batch.retrained
        and (
            exceeds(batch.step_predictions_norm, batch.spectral_norm * batch.step_norm)
            or exceeds(batch.step_predictions_norm4, batch.step_predictions_norm * batch.step_predictions_norm)
            or exceeds(
                batch.step_predictions_norm * batch.step_predictions_norm,
                math.sqrt(batch.rows - batch.forgotten) * batch.step_predictions_norm4,
            )
        )
    )
    return _every_batch("the norms of each step fit together", broken)


def _rows_bounded(inputs: RemovalResidualInputs) -> Condition:
    """The premise of the worst-case and the as-printed row alone."""
    holds = inputs.row_norm <= _SLACK
    return Condition(BOUNDED_ROWS, holds, f"{inputs.row_norm:.12g}", Provenance.COMPUTED)


def _increment(name: str, inputs: RemovalResidualInputs, batch: _Batch) -> float | None:
    """The increment of one Newton removal in one row, rounded up; None where it exceeds the floating-point range."""
    match name:
        case "worst-case":
            value = increments.worst_case(
                rows=batch.rows,
                forgotten=batch.forgotten,
                l2=inputs.l2,
                lipschitz=inputs.lipschitz_printed,
                gradient_bound=inputs.gradient_bound,
                perturbation_norm=inputs.perturbation_norm,
                gradient_norm=batch.gradient_norm,
                solver_error=batch.solver_error,
                rounding_floor=batch.rounding_floor,
            )
        case "as-printed":
            value = increments.as_printed(
                lipschitz=inputs.lipschitz_printed,
                spectral_norm=batch.spectral_norm,
                step_norm=batch.step_norm,
                step_predictions_norm=batch.step_predictions_norm,
                solver_error=batch.solver_error,
                rounding_floor=batch.rounding_floor,
            )
        case "online":
            value = increments.online(
                lipschitz=inputs.lipschitz,
                spectral_norm=batch.spectral_norm,
                row_norm=inputs.row_norm,
                step_norm=batch.step_norm,
                step_predictions_norm=batch.step_predictions_norm,
                solver_error=batch.solver_error,
                rounding_floor=batch.rounding_floor,
            )
        case "tightened":
            value = increments.tightened(
                lipschitz=inputs.lipschitz,
                spectral_norm=batch.spectral_norm,
                step_predictions_norm4=batch.step_predictions_norm4,
                solver_error=batch.solver_error,
                rounding_floor=batch.rounding_floor,
            )
        case "local":
            value = increments.local(
                spectral_norm=batch.spectral_norm,
                local_curvature_norm=batch.local_curvature_norm,
                solver_error=batch.solver_error,
                rounding_floor=batch.rounding_floor,
            )
        case _:
            raise ValueError(f"no such bound: {name}")
    return finite(value)


def _chain(inputs: RemovalResidualInputs, steps: Series) -> Series:
    """beta_0, beta_1, ...: one entry more than there are batches, each sum rounded up."""
    betas: Series = [inputs.leftover]
    for batch, step in zip(_batches(inputs), steps, strict=True):
        before = betas[-1]
        if batch.retrained:
            betas.append(batch.batch_leftover)
        elif before is None or step is None:
            betas.append(None)
        else:
            betas.append(finite(ceiling(Fraction(before) + Fraction(step))))
    return betas


def series(inputs: RemovalResidualInputs) -> tuple[dict[str, Series], dict[str, Series]]:
    """Increments and betas of every row of `ROWS`; None where there is no number."""
    batches = list(_batches(inputs))
    steps: dict[str, Series] = {}
    betas: dict[str, Series] = {}
    for name in ROWS:
        if name in _NEED_BOUNDED_ROWS and not _rows_bounded(inputs).holds:
            steps[name] = [None] * len(batches)
            betas[name] = [None] * (len(batches) + 1)
        else:
            steps[name] = [None if batch.retrained else _increment(name, inputs, batch) for batch in batches]
            betas[name] = _chain(inputs, steps[name])
    return steps, betas


def _measured_within(inputs: RemovalResidualInputs, betas: Series) -> Condition:
    """What was measured before and after each batch must lie below the bounds; else one of them is wrong."""

    def exceeds(norm: float, beta: float | None, batch: _Batch) -> bool:
        return beta is not None and norm > beta * _SLACK + batch.rounding_floor

    broken = _numbers(
        index
        for index, batch in enumerate(_batches(inputs))
        if exceeds(batch.gradient_norm, betas[index], batch) or exceeds(batch.measured, betas[index + 1], batch)
    )
    return _every_batch("the measured gradient norms are within the local bounds", broken)


def conditions(inputs: RemovalResidualInputs) -> tuple[Condition, ...]:
    """Every condition, examined; the premises alone where one of them fails."""
    return _examined(inputs)[0]


def _examined(inputs: RemovalResidualInputs) -> tuple[tuple[Condition, ...], tuple[dict[str, Series], dict[str, Series]] | None]:
    """The conditions, and the series that they were examined with: None where a premise fails."""
    needed = premises(inputs)
    if failing(needed):
        return needed, None
    found = series(inputs)
    within = _measured_within(inputs, found[1][DECIDING])
    return (*needed, _rows_bounded(inputs), _norms_fit(inputs), within), found


def worst(values: Sequence[float | None]) -> float | None:
    """The largest of a series; None where it has an entry without a number, or none at all."""
    numbers = [value for value in values if value is not None]
    return max(numbers) if len(numbers) == len(values) and numbers else None


def _derive(inputs: RemovalResidualInputs) -> Certificate:
    found, both = _examined(inputs)
    if both is None:
        return without_result("removal-residual", inputs, found, ("increments", "betas", "measured", "beta"))
    steps, betas = both
    doubts = failing(condition for condition in found if condition.name != BOUNDED_ROWS)
    beta = None if doubts else worst(betas[DECIDING])
    outputs: dict[str, object] = {"increments": steps, "betas": betas, "measured": list(inputs.measured), "beta": beta}
    if beta is None:
        outputs["reason"] = doubts or "the bound exceeds the floating-point range"
    measured = [*inputs.gradient_norm, *inputs.measured]
    return Certificate(
        kind="removal-residual",
        epsilon=None,
        delta=None,
        order=None,
        inputs=plain_inputs(inputs),
        conditions=found,
        bounds=(*(Bound(name, worst(betas[name])) for name in ROWS), Bound(MEASURED, worst(measured))),
        outputs=outputs,
    )


RULES: Final = (
    Rule(
        kind="removal-residual",
        theorem="Guo et al. 2020, Theorems 1 and 4, Corollaries 1 and 2, corrected for b and sharpened by the integral form",
        summary="How large the gradient residual can be after each batch of a deletion log: five bounds and the measured one.",
        example=(
            "auditor calc removal-residual --l2 0.001 --lipschitz-printed 0.25 --lipschitz 0.0962250448649377 --gradient-bound 1 "
            "--row-norm 1 --perturbation-norm 8 --leftover 1e-8 --rows 357,356 --forgotten 1,1 --gradient-norm 1e-9,0.0001 "
            "--spectral-norm 16,16 --step-norm 0.1,0.1 --step-predictions-norm 0.5,0.5 --step-predictions-norm4 0.05,0.05 "
            "--local-curvature-norm 0.002,0.002 --solver-error 1e-12,1e-12 --rounding-floor 1e-11,1e-11 --retrained 0,0 "
            "--batch-leftover 0,0 --measured 0.0001,0.0002"
        ),
        inputs=RemovalResidualInputs,
        conditions=conditions,
        derive=_derive,
    ),
)
