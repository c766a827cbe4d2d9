"""The learners of the paper's Appendix A, and the few that tell why a number differs.

The paper names no version of scikit-learn. Its default forest has ten trees, which was the default before version 0.22; before
0.22, too, the default logistic regression was liblinear's, one class against the rest, with its intercept penalised, and the
default kernel width of an SVM was 1/d whatever the columns' scale. So `then` comes next to `today`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from sklearn.base import BaseEstimator
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import Lasso, LinearRegression, LogisticRegression
from sklearn.multiclass import OneVsRestClassifier
from sklearn.neighbors import KNeighborsClassifier
from sklearn.neural_network import MLPClassifier, MLPRegressor
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import MinMaxScaler, StandardScaler
from sklearn.svm import SVC, SVR
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

Make = Callable[[int], BaseEstimator]
"""An unfitted estimator from a seed of its own."""


def _liblinear(seed: int) -> Any:
    return OneVsRestClassifier(LogisticRegression(solver="liblinear", random_state=seed))


def _mlp(seed: int) -> Any:
    return MLPClassifier((20, 10), solver="lbfgs", max_iter=200, random_state=seed)


def _mlp_regressor(seed: int) -> Any:
    return MLPRegressor(hidden_layer_sizes=(20, 2), solver="lbfgs", max_iter=200, random_state=seed)


LEARNERS: Final[dict[str, Make]] = {
    # Table 2
    "linear": lambda _: LinearRegression(),
    "svr": lambda _: SVR(),
    "svr-then": lambda _: SVR(gamma="auto"),
    "lasso": lambda _: Lasso(alpha=0.1),
    "tree-regressor": lambda seed: DecisionTreeRegressor(random_state=seed),
    "mlp-regressor": _mlp_regressor,
    "mlp-regressor-warm": lambda seed: _mlp_regressor(seed).set_params(warm_start=True),
    "mlp-regressor-scaled": lambda seed: make_pipeline(StandardScaler(), _mlp_regressor(seed)),
    # Tables 3 and 5
    "logistic": lambda _: LogisticRegression(),
    "logistic-converged": lambda _: LogisticRegression(solver="newton-cholesky", tol=1e-10, max_iter=1000),
    "logistic-then": _liblinear,
    "logistic-then-converged": lambda seed: OneVsRestClassifier(
        LogisticRegression(solver="liblinear", tol=1e-8, max_iter=10_000, random_state=seed)
    ),
    "logistic-bounded-converged": lambda _: make_pipeline(
        MinMaxScaler(), LogisticRegression(solver="newton-cholesky", tol=1e-10, max_iter=1000)
    ),
    "logistic-scaled": lambda _: make_pipeline(StandardScaler(), LogisticRegression()),
    "tree": lambda seed: DecisionTreeClassifier(random_state=seed),
    "tree-same-seed": lambda _: DecisionTreeClassifier(random_state=0),
    "svm": lambda seed: SVC(probability=True, random_state=seed),
    "svm-then": lambda seed: SVC(probability=True, gamma="auto", random_state=seed),
    "svm-scaled": lambda seed: make_pipeline(StandardScaler(), SVC(probability=True, random_state=seed)),
    "svm-scaled-same-seed": lambda _: make_pipeline(StandardScaler(), SVC(probability=True, random_state=0)),
    "svm-same-seed": lambda _: SVC(probability=True, random_state=0),
    "forest": lambda seed: RandomForestClassifier(10, random_state=seed),
    "forest-100": lambda seed: RandomForestClassifier(100, random_state=seed),
    "forest-same-seed": lambda _: RandomForestClassifier(10, random_state=0),
    "mlp": _mlp,
    "mlp-same-seed": lambda _: _mlp(0),
    "mlp-warm": lambda seed: _mlp(seed).set_params(warm_start=True),
    "mlp-scaled": lambda seed: make_pipeline(StandardScaler(), _mlp(seed)),
    "neighbours": lambda _: KNeighborsClassifier(),
}


def make(name: str, seed: int) -> Any:
    """The estimator of that name, unfitted, with that seed where it has one."""
    return LEARNERS[name](seed)
