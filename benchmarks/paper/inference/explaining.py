"""Where the paper's number lies outside of our interval: what else was measured, and which of it meets the number."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from benchmarks.paper.inference.shares import Cells, Share, share


@dataclass(frozen=True, slots=True)
class Other:
    """Another way of playing or counting."""

    words: str
    learner: str | None = None
    """Where it is another learner's cell."""
    attack: str | None = None
    """Where it is another attack's score."""
    counting: str = "won"


_TIES: Final = Other("ties counted as won", counting="wins + ties")
_ABSOLUTE: Final = Other("absolute errors in the place of squares", attack="absolute")
OTHERS: Final[dict[str, tuple[Other, ...]]] = {
    "linear": (_ABSOLUTE,),
    "lasso": (_ABSOLUTE,),
    "svr": (_ABSOLUTE, Other("γ = 1/d, the default before 0.22", "svr-then")),
    "tree-regressor": (_TIES,),
    "mlp-regressor": (
        _TIES,
        Other("the second training begun at the first's weights", "mlp-regressor-warm"),
        Other(
            "the second training begun at the first's weights, ties counted as won", "mlp-regressor-warm", counting="wins + ties"
        ),
        Other("columns standardised", "mlp-regressor-scaled"),
    ),
    "logistic": (
        Other("optimised to the end", "logistic-converged"),
        Other("liblinear, the default before 0.22", "logistic-then"),
        Other("liblinear, optimised to the end", "logistic-then-converged"),
        Other("columns brought to 0 to 1, optimised to the end", "logistic-bounded-converged"),
        Other("columns standardised", "logistic-scaled"),
    ),
    "tree": (_TIES,),
    "svm": (
        Other("both models with one seed", "svm-same-seed"),
        Other("γ = 1/d, the default before 0.22", "svm-then"),
        Other("columns standardised", "svm-scaled"),
        Other("columns standardised, both models with one seed", "svm-scaled-same-seed"),
    ),
    "forest": (
        _TIES,
        Other("both models with one seed, ties counted as won", "forest-same-seed", counting="wins + ties"),
        Other("both models with one seed", "forest-same-seed"),
        Other("100 trees", "forest-100"),
        Other("100 trees, ties counted as won", "forest-100", counting="wins + ties"),
    ),
    "mlp": (
        _TIES,
        Other("both models with one seed", "mlp-same-seed"),
        Other("both models with one seed, ties counted as won", "mlp-same-seed", counting="wins + ties"),
        Other("the second training begun at the first's weights", "mlp-warm"),
        Other("the second training begun at the first's weights, ties counted as won", "mlp-warm", counting="wins + ties"),
        Other("columns standardised", "mlp-scaled"),
    ),
}


def verdict(cells: Cells, table: str, learner: str, attack: str, theirs: float) -> str:
    """In a few words: inside, or what meets the paper's number, or what comes nearest to it."""
    ours = share(cells, f"inference.{table}.{learner}", attack)
    if ours is None:
        return "not played"
    if ours.holds(theirs):
        return "inside"
    tried = [(other.words, found) for other in OTHERS[learner] if (found := _found(cells, table, learner, attack, other))]
    met = [f"{words}: {found}" for words, found in tried if found.holds(theirs)]
    if met:
        return f"outside; met by {'; '.join(met)}"
    near = "outside, within chance of as many games of the paper's" if ours.overlaps(theirs) else "outside"
    if not tried:
        return near
    words, nearest = min(tried, key=lambda each: abs(each[1].percent - theirs))
    if abs(nearest.percent - theirs) >= abs(ours.percent - theirs):
        return f"{near}; nothing tried is nearer"
    close = ", within chance" if nearest.overlaps(theirs) else ""
    return f"{near}; nearest{close}: {words}, {nearest}"


def _found(cells: Cells, table: str, learner: str, attack: str, other: Other) -> Share | None:
    if other.attack is not None and attack != "example":
        return None
    return share(cells, f"inference.{table}.{other.learner or learner}", other.attack or attack, counting=other.counting)
