"""A plan for data deletion as one JSON object for scripts and figures, and as one sentence that can be quoted."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any, Final

from auditor.planning.deletion_settings import NEARLY, DeletionPlan, DeletionSetting, Promise
from auditor.planning.document import plain

DELETION_SCHEMA: Final = "auditor.deletion-plan/1"


def deletion_document(plan: DeletionPlan) -> dict[str, Any]:
    """Every row, the recommended one, and the sentence; numbers are finite or null."""
    best = plan.best()
    return {
        "schema": DELETION_SCHEMA,
        "case": plan.case,
        "promise": asdict(plan.promise),
        "search": plain(asdict(plan.search)),
        "loss": plan.loss,
        "records": plan.records,
        "features": plan.features,
        "parameters": plan.parameters,
        "advantage": plan.advantage,
        "measure": plan.measure,
        "baseline": plan.baseline,
        "settings": [plain(asdict(row)) for row in plan.rows],
        "without_noise": [{"l2": l2, "accuracy": accuracy} for l2, accuracy in plan.without_noise],
        "recommended": None if best is None else plain(asdict(best)),
        "thrifty": None if (cheap := plan.thrifty()) is None else plain(asdict(cheap)),
        "assumptions": list(plan.assumptions),
        "sentence": deletion_sentence(plan),
    }


def deletion_sentence(plan: DeletionPlan) -> str:
    """Name the most accurate setting that keeps the promise in fewer steps than learning from scratch, or say that none does."""
    goal, best = _goal(plan.promise), plan.best()
    if best is None or best.accuracy is None or best.saved_share is None:
        return f"No λ and ε_dp of the grid keep {goal} in fewer steps than learning from scratch takes{_nearest(plan)}."
    accuracy = best.accuracy
    setting = (
        f"l2 = {best.l2:g}, sigma2 = {best.sigma2:.6g}, learn_steps = {best.learn_steps}, unlearn_steps = {best.unlearn_steps}"
    )
    said = (
        f"Recommended for {goal}: {setting}, which gives ε_dp = {best.epsilon_dp:g}: the most accurate setting that keeps it, "
        f"accuracy {accuracy.value:.3f} ({accuracy.low:.3f} to {accuracy.high:.3f}), at {int(100 * best.saved_share)} % fewer "
        "gradients than learning from scratch."
    )
    said += _cheaper(plan, best)
    if accuracy.value <= plan.baseline:
        said += f" That is no better than predictions that ignore the record ({plan.baseline:.3f})."
    return said


def _cheaper(plan: DeletionPlan, best: DeletionSetting) -> str:
    """The setting that is nearly as accurate at the least price, where it is another."""
    found = plan.thrifty()
    if found is None or found == best or found.accuracy is None or found.saved_share is None:
        return ""
    near = f"Within {100 * NEARLY:g} percentage point of it, at {int(100 * found.saved_share)} % fewer"
    return f" {near}: {_written(found)}, accuracy {found.accuracy.value:.3f}."


def _written(row: DeletionSetting) -> str:
    """As it is written into audit.toml."""
    return f"l2 = {row.l2:g}, sigma2 = {row.sigma2:.6g}, learn_steps = {row.learn_steps}, unlearn_steps = {row.unlearn_steps}"


def _goal(promise: Promise) -> str:
    seen = f" where {promise.seen} published models were seen" if promise.seen else ""
    deleted = f"{promise.deletions} deletions" if promise.deletions > 1 else "a deletion"
    return f"ε = {promise.epsilon:g} at order {promise.order:g} for {deleted}{seen}"


def _nearest(plan: DeletionPlan) -> str:
    """Which setting of the grid comes closest to costing less."""
    tried = [row for row in plan.rows if row.saved_share is not None]
    most = max(tried, key=_saved, default=None)
    if most is None:
        return ": ask for a larger ε, or for fewer seen models"
    return (
        f": the nearest, λ = {most.l2:g} with ε_dp = {most.epsilon_dp:g}, learns in {most.learn_steps} steps and unlearns in "
        f"{most.unlearn_steps}; ask for a larger ε, or learn from scratch"
    )


def _saved(row: DeletionSetting) -> float:
    return row.saved_share if row.saved_share is not None else float("-inf")
