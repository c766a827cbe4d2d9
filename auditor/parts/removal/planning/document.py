"""A plan as one JSON object for scripts and figures, and as one sentence that can be quoted."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any, Final

from auditor.audit.planning import plain
from auditor.pages.words.texts import Named, say
from auditor.parts.removal.planning.settings import Plan, Setting

SCHEMA: Final = "auditor.plan/1"

_NAMES: Final = Named("plan-name-")


def document(plan: Plan) -> dict[str, Any]:
    """Every row, the recommended one of each method and of all, and the sentence; numbers are finite or null."""
    methods: dict[str, list[dict[str, Any]]] = {
        "loss_perturbation": [_row(row) for row in plan.loss_perturbation],
        "output_noise": [_row(row) for row in plan.output_noise],
        "differential_privacy": [_row(row) for row in plan.differential_privacy],
        "no_protection": [_row(row) for row in plan.no_protection],
    }
    return {
        "schema": SCHEMA,
        "case": plan.case,
        "target": asdict(plan.target),
        "search": plain(asdict(plan.search)),
        "records": plan.records,
        "features": plan.features,
        "models": plan.models,
        "score": plan.score,
        "measure": plan.measure,
        "baseline": plan.baseline,
        **methods,
        "beyond": _optional(plan.beyond),
        "recommended": _optional(plan.best()),
        "recommended_by_method": {
            "loss_perturbation": _optional(plan.best("loss-perturbation")),
            "output_noise": _optional(plan.best("output-noise")),
            "differential_privacy": _optional(plan.best("differential-privacy")),
        },
        "assumptions": list(plan.assumptions),
        "sentence": sentence(plan),
    }


def sentence(plan: Plan) -> str:
    """The most accurate setting that serves the target, or that none of loss perturbation's grid does and what would."""
    target = plan.target
    goal = say("plan-goal", deletions=target.deletions, epsilon=f"{target.epsilon:g}", delta=f"{target.delta:g}")
    best, by_loss = plan.best(), plan.best("loss-perturbation")
    parts = []
    if by_loss is None:
        parts.append(say("plan-none-by-loss", goal=goal, instead=_instead(plan)))
    if best is None:
        parts.append(say("plan-none-otherwise"))
    else:
        parts.append(say("plan-recommended", goal=goal, described=_described(best), score=_score(plan, best)))
        parts += _cautions(plan, best)
    if best is not None and by_loss is not None and best.method != "loss-perturbation":
        parts.append(say("plan-by-loss", described=_described(by_loss), score=_score(plan, by_loss)))
    return " ".join(parts)


def _cautions(plan: Plan, best: Setting) -> list[str]:
    """What a reader of the recommendation alone has to know alongside it."""
    found = []
    if best.served is not None and best.served.worst_margin < plan.target.deletions:
        found.append(say("plan-worst-first", served=best.served.worst_margin))
    if best.accuracy is not None and best.accuracy.value <= plan.baseline:
        found.append(say("plan-no-better", baseline=f"{plan.baseline:.3f}"))
    return found


def _instead(plan: Plan) -> str:
    """What would serve where nothing on the grid does."""
    most = max((row for row in plan.loss_perturbation if row.served), key=_median, default=None)
    reached = say("plan-nearest-serves", described=_described(most), served=_median(most)) if most is not None else ""
    beyond = plan.beyond
    if beyond is not None and beyond.accuracy is not None:
        return say("plan-beyond-serves", reached=reached, described=_described(beyond), score=_score(plan, beyond))
    return say("plan-beyond-does-not", reached=reached)


def _median(row: Setting) -> int:
    return row.served.median if row.served else 0


def _described(row: Setting) -> str:
    setting = [f"λ = {row.l2:g}"]
    if row.sigma:
        setting.append(f"σ = {row.sigma:g}")
    if row.release_noise:
        setting.append(f"s = {row.release_noise:g}")
    if row.residual_budget is not None:
        setting.append(f"r = {row.residual_budget:g}")
    return say("plan-method-with", method=_NAMES[row.method], setting=", ".join(setting))


def _score(plan: Plan, row: Setting) -> str:
    if row.accuracy is None:
        raise AssertionError("only rows with an accuracy are spoken of")
    return say(
        "plan-score",
        score=plan.score,
        value=f"{row.accuracy.value:.3f}",
        low=f"{row.accuracy.low:.3f}",
        high=f"{row.accuracy.high:.3f}",
    )


def _optional(row: Setting | None) -> dict[str, Any] | None:
    return None if row is None else _row(row)


def _row(row: Setting) -> dict[str, Any]:
    found: dict[str, Any] = plain(asdict(row))
    if row.served is not None:
        found["served"] |= {"median": row.served.median, "least": min(row.served.orders)}
    return found
