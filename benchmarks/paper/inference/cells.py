"""Every cell by name, in the order in which they are played: what the paper's tables ask for, and what explains them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Final

from benchmarks.paper.inference import labels, large, nearest, playing, reductions, sentences
from benchmarks.paper.inference.keeping import Game

GAMES: Final = 1000
PICTURES: Final = 100
"""As many as the paper reconstructs."""
REGRESSORS: Final = ("linear", "svr", "lasso", "tree-regressor", "mlp-regressor")
CLASSIFIERS: Final = ("logistic", "tree", "svm", "forest", "mlp")
TABLES: Final = ("iris", "wine", "breast-cancer", "digits")
LABELLED: Final = TABLES[:3]
REGRESSORS_BESIDE: Final = ("svr-then", "mlp-regressor-warm", "mlp-regressor-scaled")
CLASSIFIERS_BESIDE: Final = (
    "logistic-converged",
    "logistic-then",
    "logistic-then-converged",
    "logistic-bounded-converged",
    "logistic-scaled",
    "tree-same-seed",
    "svm-then",
    "svm-same-seed",
    "svm-scaled",
    "svm-scaled-same-seed",
    "forest-same-seed",
    "forest-100",
    "mlp-same-seed",
    "mlp-warm",
    "mlp-scaled",
)
BESIDE_ON_DIGITS: Final = ("tree-same-seed", "forest-same-seed", "mlp-scaled")
"""The others explain no number of that column: the digits are not the paper's."""
YEOM: Final = ("linear", "lasso", "tree-regressor", "mlp-regressor-scaled")


@dataclass(frozen=True, slots=True)
class Cell:
    """What is played."""

    make: Callable[[], Game]
    games: int = GAMES


def tables() -> dict[str, Cell]:
    """Tables 2 and 3."""
    return _inference({"diabetes": REGRESSORS, **dict.fromkeys(TABLES, CLASSIFIERS)})


def others() -> dict[str, Cell]:
    """Tables 4, 5 and 7, Figures 1 to 3; Table 6 needs no games."""
    return {
        **{f"yeom.diabetes.{learner}": Cell(partial(reductions.yeom, learner, "diabetes")) for learner in YEOM},
        **dict(_labels()),
        **{
            f"nearest.{name}": Cell(partial(nearest.reconstruction, pairs), PICTURES)
            for name, pairs in (("pairs", True), ("digits", False))
        },
        **{f"sentences.{name}": Cell(partial(sentences.reconstruction, name)) for name in sentences.ORDERS},
        **{
            f"large.{model}.{size}": Cell(partial(large.batches, model, size), large.ROUNDS)
            for model in large.MODELS
            for size in large.SIZES
        },
    }


def beside() -> dict[str, Cell]:
    """Other learners on the same games: older defaults, optimisers that go on to the end, equal seeds, scaled columns."""
    chosen = {"diabetes": REGRESSORS_BESIDE, **dict.fromkeys(LABELLED, CLASSIFIERS_BESIDE), "digits": BESIDE_ON_DIGITS}
    return _inference(chosen)


def every() -> dict[str, Cell]:
    """All of them."""
    return {**tables(), **others(), **beside()}


def _inference(chosen: Mapping[str, tuple[str, ...]]) -> dict[str, Cell]:
    return {
        f"inference.{table}.{learner}": Cell(partial(playing.inference, learner, table))
        for table, learners in chosen.items()
        for learner in learners
    }


def _labels() -> Iterator[tuple[str, Cell]]:
    for table in LABELLED:
        for learner in ("logistic", "logistic-converged", "neighbours"):
            for source in ("box", "records"):
                yield f"labels.{table}.{learner}.{source}", Cell(partial(labels.reconstruction, learner, table, source))
