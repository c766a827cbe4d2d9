"""The gradient residual along the log: from what was measured to the certificate that adds the bounds up, and its series."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate, pairwise
from typing import Any, Final

from auditor.base.domain import Certificate, Message
from auditor.base.promises import Approximate, Promise
from auditor.maths.certificates import derive
from auditor.maths.certificates.increments import LOGISTIC_LIPSCHITZ, LOGISTIC_LIPSCHITZ_PRINTED
from auditor.maths.certificates.perturbation import perturbation_norm_bound
from auditor.maths.certificates.rounding import combined
from auditor.maths.tradeoff.combining import compose
from auditor.parts.removal.judging import measurements
from auditor.parts.removal.judging.measurements import Removals, Replayed, Walk
from auditor.parts.removal.rules.extractor import both, strictest
from auditor.settings.facets import Removal
from auditor.verdict.checks import guess_bounds
from auditor.verdict.checks.context import Context
from auditor.verdict.checks.finding import Values
from auditor.verdict.checks.guess_bounds import Source, sources


@dataclass(frozen=True, slots=True)
class Target:
    """The strictest ε and δ of what procedure, claim and policy name.

    Claim and policy cover all that is released: what a private extractor spends of theirs is taken off.
    """

    epsilon: float
    delta: float
    sources: tuple[Source, ...]


def target(context: Context) -> Target | None:
    """The strictest ε and δ on record; None where there is no ε or no δ at all, or the procedure is another one."""
    removal, claim, policy = context.procedure.removal, context.claims.certified_removal, context.policy
    if removal is None:
        return None
    own = (removal.epsilon, removal.delta)
    wholes = ((claim.epsilon, claim.delta) if claim else (None, None), (policy.max_epsilon, policy.max_delta))
    epsilon, delta = strictest(own, wholes, measurements.spent(context))
    if epsilon is None or delta is None:
        return None
    named = zip(("procedure", "claim", "policy"), (own, *wholes), strict=True)
    return Target(epsilon, delta, sources((source, *pair) for source, pair in named))


def empty(context: Context, goal: Target, kept: Promise) -> tuple[Message, ...]:
    """Name why a target promises nothing, what an extractor below adds to it included; nothing where it promises something.

    Retraining hides nothing behind noise, and needs no secret.

    Args:
        context: What was declared.
        goal: The target.
        kept: What a removal promises by its mechanism that meets the target.
    """
    below = measurements.spent(context)
    epsilon, delta = both(goal.epsilon, below[0]), min(1.0, both(goal.delta, below[1]))
    numbers = guess_bounds.empty(
        epsilon,
        delta,
        records=context.case.training_records,
        most=guess_bounds.MOST_OF_A_DELETION,
        beyond=kept if below == (0.0, 0.0) else compose([kept, Approximate(epsilon=below[0], delta=below[1])]),
    )
    return numbers if context.procedure.trains_again else (*numbers, *guess_bounds.guessable(context))


_CONSTANTS: Final = (
    *("classes", "added", "l2", "lipschitz_printed", "lipschitz", "gradient_bound", "row_norm", "perturbation_norm"),
)
"""Inputs that every removal of a case has in common."""


@dataclass(frozen=True, slots=True)
class Size:
    """A batch as far as its bounds need to know it."""

    rows: int
    """The records before it."""
    forgotten: int
    retrained: bool


class Entry(Values):
    """Where the residual stands after training or after a batch."""

    batch: str
    request_ids: tuple[str, ...]
    removed: int
    """Records removed so far."""
    rows_left: int
    retrained: bool
    beta: Mapping[str, float | None]
    """‖∇L_b‖₂, bound by bound, and as measured."""
    increment: Mapping[str, float | None] | None
    """What the batch adds to each bound; None for training."""
    solver_error: float | None
    rounding_floor: float | None
    distance_to_optimum: float | None
    """‖w − w_r‖₂ to the exactly retrained optimum."""
    distance_bound: float | None


def chain(context: Context, removal: Removal, walk: Walk, batches: Sequence[Replayed]) -> Certificate:
    """Add the bounds of all removals up.

    Raises:
        ValueError: If the batches do not remove as many records as the log does.
    """
    gone = [0, *accumulate(batch.records for batch in batches)]
    if gone[-1] != context.records_removed:
        raise ValueError(f"{gone[-1]} records were removed in the rerun, {context.records_removed} by the log")
    sizes = [
        Size(context.case.training_records - before, batch.records, batch.retrained)
        for before, batch in zip(gone, batches, strict=False)
    ]
    return bounded(_declared(context, removal, walk.row_norm), removal.tolerance, sizes, walk.removals)


def constants(certificate: Certificate) -> dict[str, Any]:
    """Take what all removals of a case have in common from the certificate of its log."""
    return {name: certificate.inputs[name] for name in _CONSTANTS if name in certificate.inputs}


def bounded(common: Mapping[str, object], tolerance: float, sizes: Sequence[Size], measured: Removals) -> Certificate:
    """Bound the residual of removals from one model.

    Args:
        common: What they have in common with all others of the case, under the names of the rule's inputs.
        tolerance: Gradient norm at which the optimiser stops: what training left is taken for no less.
        sizes: The batches, in order.
        measured: What was measured of them.
    """
    leftovers = [max(tolerance, left) for left in measured.leftovers]
    again = [size.retrained for size in sizes for _ in leftovers]
    several = "classes" in common
    return derive(
        "joint-residual" if several else "removal-residual",
        {
            **common,
            **({"leftovers": leftovers} if several else {"leftover": leftovers[0]}),
            "rows": [size.rows for size in sizes],
            "forgotten": [size.forgotten for size in sizes],
            "retrained": [int(size.retrained) for size in sizes],
            **measured.steps.model_dump(),
            "batch_leftover": [
                max(tolerance, left) if anew else 0.0 for anew, left in zip(again, measured.batch_leftovers, strict=True)
            ],
        },
    )


def together(certificate: Certificate) -> Callable[[Sequence[float]], float]:
    """How the classes' numbers come together."""
    return combined(certificate.inputs["added"]) if "added" in certificate.inputs else lambda values: values[0]


def series(certificate: Certificate, walk: Walk, batches: Sequence[Replayed]) -> tuple[Entry, ...]:
    """List where the residual stands after training and after each batch."""
    rows, steps = certificate.inputs["rows"][0], walk.removals.steps
    measured = [*_joined(certificate, steps.gradient_norm)[:1], *_joined(certificate, steps.measured)]
    errors, floors = ([None, *_joined(certificate, column)] for column in (steps.solver_error, steps.rounding_floor))
    betas, increments = certificate.outputs["betas"] or {}, certificate.outputs["increments"] or {}
    removed = [0, *accumulate(batch.records for batch in batches)]
    entries = []
    for index, (batch, best) in enumerate(zip((None, *batches), walk.optima, strict=True)):
        distance, bound = (None, None) if best is None else (best.distance, best.distance_bound)
        entries.append(
            Entry(
                batch=batch.name if batch else "training",
                request_ids=batch.request_ids if batch else (),
                removed=removed[index],
                rows_left=rows - removed[index],
                retrained=batch.retrained if batch else True,
                beta={**{name: values[index] for name, values in betas.items()}, "measured": measured[index]},
                increment={name: values[index - 1] for name, values in increments.items()} if batch else None,
                solver_error=errors[index],
                rounding_floor=floors[index],
                distance_to_optimum=distance,
                distance_bound=bound,
            )
        )
    return tuple(entries)


def _joined(certificate: Certificate, column: Sequence[float]) -> list[float]:
    """A column with one entry a batch and class as one with an entry a batch."""
    classes, join = certificate.inputs.get("classes", 1), together(certificate)
    return [join(column[at : at + classes]) for at in range(0, len(column), classes)]


def _declared(context: Context, removal: Removal, row_norm: float) -> dict[str, Any]:
    """What the table and the shape of the case make of the rule's inputs."""
    logistic, models = removal.loss == "logistic", removal.models(context.case.classes)
    features, kind = context.case.features, removal.perturbation
    return {
        **({"classes": models, "added": int(kind == "laplace")} if models > 1 else {}),
        "l2": removal.l2,
        "lipschitz_printed": LOGISTIC_LIPSCHITZ_PRINTED if logistic else 0.0,
        "lipschitz": LOGISTIC_LIPSCHITZ if logistic else 0.0,
        # The squared loss has no such bound, and with a Lipschitz constant of 0 needs none.
        "gradient_bound": 1.0 if logistic else 0.0,
        "row_norm": row_norm,
        "perturbation_norm": perturbation_norm_bound(features, sigma=removal.sigma, distribution=kind),
    }


# Had the hardest records been asked for: what records with the worst margins would have left, compared with the log's
# batches.
# A bound that is small because the log's records are easy says little of the next request. It decides nothing.
MOST: Final = 5
"""Sizes of batches that are examined, the largest of the log: each costs a Newton step and its measurement."""


class Hardest(Values):
    """One batch of the log, and the same number of the hardest records in its place."""

    number: int
    """Of the batch, from 1."""
    batch: str
    records: int
    log: Mapping[str, float | None]
    """What the log's batch added to each bound, and the residual that was measured after it."""
    hardest: Mapping[str, float | None] | None
    """The same of the hardest records; None where there is no bound."""
    reason: Message | None
    """Why there is none."""
    inputs: Mapping[str, object] | None
    """Of the rule that bounds their removal."""


def asked(batches: Sequence[tuple[int, bool]]) -> tuple[int, ...]:
    """Choose the batches, numbered from 1, in whose place the hardest records are removed: the first removal of each size.

    Args:
        batches: How many records each removes, and whether it was answered by training from scratch.
    """
    firsts: dict[int, int] = {}
    for number, (records, anew) in enumerate(batches, start=1):
        if not anew:
            firsts.setdefault(records, number)
    return tuple(sorted(firsts[size] for size in sorted(firsts)[-MOST:]))


def compared(
    log: Certificate, series: Sequence[Entry], tolerance: float, measured: Sequence[Removals | None]
) -> tuple[Hardest, ...]:
    """Compare each batch that was chosen with what the hardest records would have left.

    Args:
        log: The certificate of the log's own removals.
        series: Where the residual stands after training and after each batch.
        tolerance: Gradient norm at which the optimiser stops.
        measured: Of the hardest records in place of each batch that `asked` names; None where float64 does not reach it.
    """
    sizes = [(after.removed - before.removed, after.retrained) for before, after in pairwise(series)]
    rows = zip(asked(sizes), measured, strict=True)
    return tuple(_row(log, series[number - 1 : number + 1], number, tolerance, found) for number, found in rows)


def _row(log: Certificate, pair: Sequence[Entry], number: int, tolerance: float, measured: Removals | None) -> Hardest:
    before, own = pair
    records = own.removed - before.removed
    size = Size(before.rows_left, records, retrained=False)
    derived = None if measured is None else bounded(constants(log), tolerance, [size], measured)
    reason: Message | None = Message("removal.budget.hardest-unreached")
    hardest: dict[str, float | None] | None = None
    if derived is not None:
        said = derived.outputs.get("reason")
        reason = None if said is None else Message("removal.budget.hardest-unbounded", {"reason": said})
        if (steps := derived.outputs["increments"]) is not None:
            hardest = {**{name: values[0] for name, values in steps.items()}, "measured": derived.outputs["measured"][0]}
    return Hardest(
        number=number,
        batch=own.batch,
        records=records,
        log={**(own.increment or {}), "measured": own.beta["measured"]},
        hardest=hardest,
        reason=reason,
        inputs=None if derived is None else derived.inputs,
    )
