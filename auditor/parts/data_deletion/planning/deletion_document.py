"""A plan for data deletion as one JSON object for scripts and figures, and as one sentence that can be quoted."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any, Final

from auditor.audit.planning import Accuracy, plain
from auditor.pages.words.guesses import of_hundred
from auditor.pages.words.texts import say

# What a plan for data deletion consists of: the promise, the size of the search, and one row for each setting that was tried.
DELETION_L2_GRID: Final = (1e-3, 3e-3, 1e-2, 3e-2, 1e-1)
QUICK_DELETION_L2_GRID: Final = (1e-2, 1e-1)
FOLDS_OF_EPSILON: Final = (1.0, 10.0, 100.0, 1e3, 1e4)
"""ε_dp in multiples of ε, where no published model was seen: each tenfold ε_dp takes as many steps more."""
SHARES_OF_EPSILON: Final = (0.1, 0.5, 0.9, 0.99, 0.999)
"""p ε_dp as shares of ε, where p models were seen."""

NEARLY: Final = 0.01
"""How much accuracy is little to give up for a cheaper request."""


@dataclass(frozen=True, slots=True)
class Promise:
    """What a deleted person is to be promised."""

    epsilon: float
    """ε_dd + pε_dp, the bound on the Rényi divergence at `order`, above 0."""
    order: float
    """q, above 1."""
    seen: int
    """p, the published models that those who ask for deletions may have seen (Theorem 4.3); 0 for requests fixed in advance."""
    deletions: int
    """Records that are deleted one at a time; what is promised to the last of them is promised to all."""


@dataclass(frozen=True, slots=True)
class DeletionSearch:
    """Where settings are looked for, and how closely each is examined."""

    l2: tuple[float, ...]
    """Values of λ, ascending, each above 0."""
    epsilon_dp: tuple[float, ...]
    """Values of ε_dp, ascending, each above 0."""
    draws: int
    """Trainings of each setting."""
    seed: int
    """Everything that is drawn comes from it. It is not, and must not be, the seed of a model that is released."""


@dataclass(frozen=True, slots=True)
class DeletionSetting:
    """One setting that was tried; its keys are those of `[procedure] use = "noisy-gd"`."""

    l2: float
    epsilon_dp: float
    """Of one published model, for the records that stay."""
    sigma2: float | None = None
    """The noise that gives it."""
    learn_steps: int | None = None
    """What equation 17 asks for, at least 1."""
    unlearn_steps: int | None = None
    """What equation 16 asks for, at least 1."""
    unlearn_steps_utility: int | None = None
    """What equation 17 asks for as well."""
    epsilon_dd: float | None = None
    """What these steps leave of a deleted record, where no published model was seen."""
    epsilon: float | None = None
    """ε_dd + pε_dp."""
    right_guesses: float | None = None
    """The share of right guesses that these steps leave of a deleted record, read off the trade-off function, rounded up."""
    excess_risk: float | None = None
    """A bound on the mean excess of the mean loss over its minimum, after any number of updates."""
    saved_share: float | None = None
    """1 − unlearn_steps/learn_steps: the gradients saved against learning from scratch; negative where it costs more."""
    learned: Accuracy | None = None
    """After learning."""
    accuracy: Accuracy | None = None
    """After the deletions and one update."""
    serves: bool = False
    """Whether the promise is kept, by fewer steps than learning from scratch takes."""
    reason: str | None = None
    """Why it does not serve, or has no result."""


@dataclass(frozen=True, slots=True)
class DeletionPlan:
    """What a promise costs, setting by setting."""

    case: str
    promise: Promise
    search: DeletionSearch
    loss: str
    records: int
    features: int
    parameters: int
    advantage: float
    """How much better than guessing anyone can tell a deleted record from one that never was there (Theorem 4.1)."""
    measure: str
    """What accuracy means here, and on which records."""
    baseline: float
    """What predictions score that ignore the record."""
    rows: tuple[DeletionSetting, ...]
    without_noise: tuple[tuple[float, float], ...]
    """λ and the accuracy that it costs by itself."""
    assumptions: tuple[str, ...]

    def best(self) -> DeletionSetting | None:
        """The most accurate setting that serves; of equally accurate ones the one that saves more. None where none does."""
        return max((row for row in self.rows if row.serves), key=_order, default=None)

    def thrifty(self) -> DeletionSetting | None:
        """Of the settings that serve within `NEARLY` of the best accuracy, the one that saves most; None where none serves."""
        best = self.best()
        if best is None:
            return None
        least = _order(best)[0] - NEARLY
        return max((row for row in self.rows if row.serves and _order(row)[0] >= least), key=lambda row: _order(row)[::-1])


def _order(row: DeletionSetting) -> tuple[float, float]:
    if row.accuracy is None or row.saved_share is None:
        raise AssertionError("only rows with a result serve")
    return row.accuracy.value, row.saved_share


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
        "settings": [_row(row) for row in plan.rows],
        "without_noise": [{"l2": l2, "accuracy": accuracy} for l2, accuracy in plan.without_noise],
        "recommended": None if best is None else _row(best),
        "thrifty": None if (cheap := plan.thrifty()) is None else _row(cheap),
        "assumptions": list(plan.assumptions),
        "sentence": deletion_sentence(plan),
    }


def _row(row: DeletionSetting) -> dict[str, Any]:
    found: dict[str, Any] = plain(asdict(row))
    found["right_guesses"] = None if row.right_guesses is None else of_hundred(row.right_guesses)
    return found


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
