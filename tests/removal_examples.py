"""What a rerun of certified removal may have observed, written by hand: a hundred records, of which one and then two went."""

from __future__ import annotations

from typing import Any

from auditor.parts.removal.judging import residual
from auditor.parts.removal.judging.measurements import Optimum, Released, Removals, Replayed, Steps, Walk
from auditor.parts.removal.settings import CertifiedRemoval
from auditor.verdict.checks.context import Context
from auditor.verdict.checks.finding import Finding
from judging import case_facts, declared

FIRST = Replayed(name="A", request_ids=("R-1",), records=1, retrained=False)
SECOND = Replayed(name="B", request_ids=("R-2", "R-3"), records=2, retrained=False)
OPTIMUM = Optimum(gradient=1e-12, distance=1e-4, distance_bound=2e-4)


def procedure(**changes: Any) -> CertifiedRemoval:
    """Newton removal that is to meet ε = 1 at δ = 1e-4."""
    return CertifiedRemoval(**{"l2": 1e-2, "sigma": 1.0, "epsilon": 1.0, "delta": 1e-4, "tolerance": 1e-8, **changes})


def removing(case: dict[str, Any] | None = None, *, context: dict[str, Any] | None = None, **changes: Any) -> Context:
    """The context of `procedure`, with changes to its table, to the case and to the rest."""
    return declared(procedure=procedure(**changes), case=case_facts(**(case or {})), **(context or {}))


def steps(classes: int = 1, batches: int = 2, **changes: tuple[float, ...]) -> Steps:
    """Norms of one step after another that fit together, the same for every class."""
    columns = {
        "gradient_norm": (1e-9, 1e-5),
        "step_norm": (0.1, 0.1),
        "step_predictions_norm": (0.2, 0.2),
        "step_predictions_norm4": (0.02, 0.02),
        "local_curvature_norm": (1e-4, 1e-4),
        "solver_error": (1e-12, 1e-12),
        "rounding_floor": (1e-11, 1e-11),
        "measured": (1e-5, 2e-5),
    }
    every = {name: tuple(value for value in values[:batches] for _ in range(classes)) for name, values in columns.items()}
    return Steps(**{"spectral_norm": (5.0, 5.0)[:batches], **every, **changes})


def removals(classes: int = 1, batches: int = 2, **changes: tuple[float, ...]) -> Removals:
    """Newton steps after a training that left less than its tolerance."""
    return Removals(
        leftovers=(1e-9,) * classes, steps=steps(classes, batches, **changes), batch_leftovers=(0.0,) * (batches * classes)
    )


def walked(classes: int = 1, **changes: tuple[float, ...]) -> Walk:
    """Both batches, measured."""
    return Walk(row_norm=1.0, removals=removals(classes, **changes), optima=(OPTIMUM, OPTIMUM, None))


def second_trained(left: float) -> residual.Observed:
    """The same where the second batch was answered by training, which left so much."""
    walk = walked()
    after = walk.removals.model_copy(update={"batch_leftovers": (0.0, left)})
    return observed(
        batches=(FIRST, SECOND.model_copy(update={"retrained": True})), walk=walk.model_copy(update={"removals": after})
    )


def observed(classes: int = 1, **changes: Any) -> residual.Observed:
    """What an honest controller's rerun shows."""
    values: dict[str, Any] = {
        "batches": (FIRST, SECOND),
        "loses_labels": False,
        "walk": walked(classes),
        "released": Released(norms=(2e-5,) * classes, optimum=OPTIMUM),
    }
    return residual.Observed(**{**values, **changes})


def earlier(context: Context, seen: residual.Observed | None = None) -> dict[str, Finding]:
    """What `removal.residual` found, as the two criteria read it."""
    return {residual.CARD.id: residual.judge(context, seen or observed(), {})}
