"""A plan for data deletion as one JSON object for scripts and figures, and as one sentence that can be quoted."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any, Final

from auditor.audit.planning import plain
from auditor.pages.words.texts import say
from auditor.parts.data_deletion.planning.deletion_settings import NEARLY, DeletionPlan, DeletionSetting, Promise

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
        return say("plan-deletion-none", goal=goal, nearest=_nearest(plan))
    accuracy = best.accuracy
    said = say(
        "plan-deletion-recommended",
        goal=goal,
        setting=_written(best),
        epsilon_dp=f"{best.epsilon_dp:g}",
        value=f"{accuracy.value:.3f}",
        low=f"{accuracy.low:.3f}",
        high=f"{accuracy.high:.3f}",
        share=int(100 * best.saved_share),
    )
    said += _cheaper(plan, best)
    if accuracy.value <= plan.baseline:
        said += say("plan-deletion-no-better", baseline=f"{plan.baseline:.3f}")
    return said


def _cheaper(plan: DeletionPlan, best: DeletionSetting) -> str:
    """The setting that is nearly as accurate at the least price, where it is another."""
    found = plan.thrifty()
    if found is None or found == best or found.accuracy is None or found.saved_share is None:
        return ""
    near = say("plan-deletion-near", points=f"{100 * NEARLY:g}", share=int(100 * found.saved_share))
    return say("plan-deletion-cheaper", near=near, written=_written(found), value=f"{found.accuracy.value:.3f}")


def _written(row: DeletionSetting) -> str:
    """As it is written into audit.toml."""
    return say(
        "plan-deletion-setting",
        l2=f"{row.l2:g}",
        sigma2=f"{row.sigma2:.6g}",
        learn_steps=row.learn_steps,
        unlearn_steps=row.unlearn_steps,
    )


def _goal(promise: Promise) -> str:
    seen = say("plan-deletion-goal-seen", seen=promise.seen) if promise.seen else ""
    deleted = say("plan-deletion-goal-deletions", deletions=promise.deletions)
    return say("plan-deletion-goal", epsilon=f"{promise.epsilon:g}", order=f"{promise.order:g}", deleted=deleted, seen=seen)


def _nearest(plan: DeletionPlan) -> str:
    """Which setting of the grid comes closest to costing less."""
    tried = [row for row in plan.rows if row.saved_share is not None]
    most = max(tried, key=_saved, default=None)
    if most is None:
        return say("plan-deletion-nearest-none")
    return say(
        "plan-deletion-nearest",
        l2=f"{most.l2:g}",
        epsilon_dp=f"{most.epsilon_dp:g}",
        learn_steps=most.learn_steps,
        unlearn_steps=most.unlearn_steps,
    )


def _saved(row: DeletionSetting) -> float:
    return row.saved_share if row.saved_share is not None else float("-inf")
