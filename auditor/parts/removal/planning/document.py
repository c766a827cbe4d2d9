"""A plan as one JSON object for scripts and figures, and as one sentence that can be quoted."""

from __future__ import annotations

import statistics
from dataclasses import asdict, dataclass
from typing import Any, Final, Literal, TypeAlias

from auditor.audit.planning import Accuracy, plain
from auditor.pages.words.guesses import of_hundred
from auditor.pages.words.texts import Named, say

# What a plan consists of: the target, the size of the search, and one row for each setting that was tried.
Method: TypeAlias = Literal["loss-perturbation", "output-noise", "differential-privacy", "no-protection"]

L2_GRID: Final = (1e-4, 1e-3, 1e-2, 1e-1)
SIGMA_GRID: Final = (0.1, 0.3, 1.0, 3.0, 10.0)
QUICK_L2_GRID: Final = (1e-3, 1e-2)
QUICK_SIGMA_GRID: Final = (0.3, 1.0, 3.0)
EPSILONS: Final = (0.03, 0.1, 0.3, 1.0, 3.0, 10.0)
"""Where accuracy is worked out alongside the target, for the trade-off between the two."""


@dataclass(frozen=True, slots=True)
class Target:
    """What has to be reached."""

    deletions: int
    """Records that are deleted one at a time, before any retraining; at least 1."""
    epsilon: float
    """Above 0."""
    delta: float
    """Between 0 and 1, both excluded."""


@dataclass(frozen=True, slots=True)
class Search:
    """Where settings are looked for, and how closely each is examined."""

    l2: tuple[float, ...]
    """Values of λ, ascending, each above 0."""
    sigma: tuple[float, ...]
    """Values of σ, ascending, each above 0."""
    draws: int
    """Trainings, and random orders of deletion, of each setting."""
    seed: int
    """Everything that is drawn comes from it. It is not, and must not be, the seed of a model that is released."""


@dataclass(frozen=True, slots=True)
class Served:
    """Deletions that are answered by a Newton step before the first that is answered by training from scratch."""

    orders: tuple[int, ...]
    """In each random order, with a training of its own."""
    worst_margin: int
    """With the records that the first training fits worst deleted first."""
    most: int
    """Where counting stopped: this number means at least so many."""

    @property
    def median(self) -> int:
        """Over the random orders; the lower of the two in the middle."""
        return statistics.median_low(self.orders)


@dataclass(frozen=True, slots=True)
class Setting:
    """One setting that was tried."""

    method: Method
    l2: float
    sigma: float = 0.0
    """Of the random linear term; 0 where there is none."""
    release_noise: float = 0.0
    """s, the standard deviation of the noise on every released parameter."""
    residual_budget: float | None = None
    """r, with noise at release."""
    accuracy: Accuracy | None = None
    served: Served | None = None
    """None where nothing has to be done at a deletion, or nothing was found."""
    serves: bool = False
    """Whether the target's deletions are served at its ε and δ, in the median order."""
    epsilon_needed: float | None = None
    """The ε at which this setting serves them, in the median order; None where none up to the largest that was examined does."""
    right_guesses: float | None = None
    """The share of right guesses that it leaves after the target's deletions in the median order, rounded up: read off the
    trade-off function of its noise."""
    accuracy_at: tuple[tuple[float, float], ...] = ()
    """ε and the accuracy with the noise that serves the target's deletions at it."""
    reason: str | None = None
    """Why there is no result."""


@dataclass(frozen=True, slots=True)
class Plan:
    """What a target costs, setting by setting."""

    case: str
    target: Target
    search: Search
    records: int
    features: int
    models: int
    """Classifiers side by side; 1 for two classes and for a regression."""
    score: Literal["accuracy", "R²"]
    """What the numbers called accuracy are."""
    measure: str
    """What accuracy means here, and on which records."""
    baseline: float
    """What predictions score that ignore the record."""
    loss_perturbation: tuple[Setting, ...]
    output_noise: tuple[Setting, ...]
    differential_privacy: tuple[Setting, ...]
    no_protection: tuple[Setting, ...]
    beyond: Setting | None
    """Where no loss perturbation of the grid serves the target: the first beyond it that does."""
    assumptions: tuple[str, ...]
    right_guesses: float
    """The share of right guesses that keeping to the target leaves, by the noise of loss perturbation, rounded up."""

    @property
    def rows(self) -> tuple[Setting, ...]:
        """Every setting that may serve the target."""
        return (*self.loss_perturbation, *self.output_noise, *self.differential_privacy)

    def best(self, method: Method | None = None) -> Setting | None:
        """The most accurate setting that serves the target, of one method or of all; None where none does.

        Of equally accurate ones the one with more room: more deletions served, and then the one that needs the smaller ε.
        """
        found = [row for row in self.rows if row.serves and row.accuracy is not None and method in {None, row.method}]
        return max(found, key=_order, default=None)


def _order(row: Setting) -> tuple[float, float, float]:
    if row.accuracy is None:
        raise AssertionError("only rows with an accuracy are compared")
    needed = row.epsilon_needed if row.epsilon_needed is not None else 0.0
    return row.accuracy.value, row.served.median if row.served else 0.0, -needed


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
        "target": {**asdict(plan.target), "right_guesses": of_hundred(plan.right_guesses)},
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
    found["right_guesses"] = None if row.right_guesses is None else of_hundred(row.right_guesses)
    if row.served is not None:
        found["served"] |= {"median": row.served.median, "least": min(row.served.orders)}
    return found
