"""Every cell by name, in the order in which they are played: what the paper's tables ask for, and what explains them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Final

from benchmarks.paper.inference import playing
from benchmarks.paper.inference.keeping import Game

REGRESSORS: Final = ("linear", "svr", "lasso", "tree-regressor", "mlp-regressor")
CLASSIFIERS: Final = ("logistic", "tree", "svm", "forest", "mlp")
TABLES: Final = ("iris", "wine", "breast-cancer", "digits")
REGRESSORS_BESIDE: Final = ("svr-then", "mlp-regressor-scaled")
CLASSIFIERS_BESIDE: Final = (
    "logistic-converged",
    "logistic-then",
    "tree-same-seed",
    "svm-then",
    "svm-same-seed",
    "forest-same-seed",
    "forest-100",
    "mlp-same-seed",
    "mlp-scaled",
)
SLOW_ON_DIGITS: Final = ("logistic-converged", "logistic-then", "svm-then", "svm-same-seed", "forest-100", "mlp-same-seed")
"""What explains no number of that column: the digits are not the paper's."""

Cells = dict[str, Callable[[], Game]]


def tables() -> Cells:
    """Tables 2 and 3."""
    return dict(_inference({"diabetes": REGRESSORS, **dict.fromkeys(TABLES, CLASSIFIERS)}))


def beside() -> Cells:
    """Other learners on the same games: older defaults, optimisers that go on to the end, equal seeds, scaled columns."""
    chosen = {"diabetes": REGRESSORS_BESIDE, **dict.fromkeys(TABLES, CLASSIFIERS_BESIDE)}
    chosen["digits"] = tuple(name for name in CLASSIFIERS_BESIDE if name not in SLOW_ON_DIGITS)
    return dict(_inference(chosen))


def _inference(chosen: dict[str, tuple[str, ...]]) -> Iterator[tuple[str, Callable[[], Game]]]:
    for table, learners in chosen.items():
        for learner in learners:
            yield f"inference.{table}.{learner}", partial(playing.inference, learner, table)
