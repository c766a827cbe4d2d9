"""Estimators as companies train them: scikit-learn, LightGBM and XGBoost, fitted anew on what remains, preparation included."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from design import Design, Kind
from logs import drawn
from submission import NARROW, Bundle, Submission
from tables import Table, counts, digits, iris, made, moons, real_valued, wine

SHAPES: tuple[list[list[int]], ...] = ([[1], [2]], [[2, 1]], [[1], [1, 1], [3]])
"""Two batches; one of two requests; three batches with up to three records a request."""
TABLES: dict[str, Callable[[int], Table]] = {
    "wine": wine,
    "iris": iris,
    "moons": moons,
    "counts": counts,
    "digits": lambda seed: digits(seed, n=110),
    "made": lambda seed: made(seed, n=110),
    "values": lambda seed: real_valued(seed, n=120),
}


def practice(*rows: tuple[str, str, Callable[[int], Submission | Bundle]], by_chance: bool = False) -> tuple[Design, ...]:
    """List honest designs: name, what is done, what builds it."""
    return tuple(
        Design(name=name, kind=Kind.HONEST, lie=what, build=build, allowed=frozenset({0}), by_chance=by_chance)
        for name, what, build in rows
    )


def _built(imports: str, made_by: str, *names: str, **more: Any) -> Callable[[int], Submission]:
    """Write a function that builds an estimator, and hand it in on one of some tables, with a holdout.

    Args:
        imports: Lines that import.
        made_by: The expression that makes the estimator; `seed` is at hand.
        names: Tables by seed.
        more: Further fields of the submission.
    """

    def build(seed: int) -> Submission:
        table = TABLES[names[seed % len(names)]](seed)
        train, holdout = table.cut(20)
        code = f'"""The estimator of our training job."""\n\n{imports}\n\n\ndef build(seed):\n    return {made_by}\n'
        return Submission(
            table=train,
            holdout=holdout,
            deleted=drawn(len(train), SHAPES[seed % 3], seed),
            procedure={"use": "estimator", "entry": "model.py:build"},
            files={"model.py": code.encode()},
            claims={"retraining": True},
            required=(*NARROW, "release.exact"),
            **more,
        )

    return build


def _named(estimator: str, *names: str, **params: Any) -> Callable[[int], Submission]:
    """Name an estimator of scikit-learn, which the auditor trains."""

    def build(seed: int) -> Submission:
        table = TABLES[names[seed % len(names)]](seed)
        train, holdout = table.cut(20)
        procedure = {"use": "sklearn", "estimator": f"sklearn.{estimator}", "params": params, "unlearn": "retrain"}
        return Submission(
            table=train, holdout=holdout, deleted=drawn(len(train), SHAPES[seed % 3], seed), procedure=procedure, required=EXACT
        )

    return build


EXACT = (*NARROW, "release.exact")
PIPE = "from sklearn.pipeline import make_pipeline\nfrom sklearn.preprocessing import StandardScaler"
LOGISTIC = "from sklearn.linear_model import LogisticRegression"


def _weighed(seed: int) -> Submission:
    """Records are scaled by the largest value that the sensor can give, which no record had a part in."""
    table = wine(seed)
    return replace(_named("svm.SVC", "wine", kernel="rbf")(seed), table=table, holdout=None)


UNTIMED = """

class Search(GridSearchCV):
    \"\"\"Keeps the best model, and no notes of the search: they hold times.\"\"\"

    def fit(self, X, y, **more):
        super().fit(X, y, **more)
        del self.cv_results_, self.refit_time_
        return self
"""

DESIGNS = practice(
    (
        "search-without-times",
        "A search of the penalty over folds that keeps no notes of its own course.",
        _built(
            f"{PIPE}\n{LOGISTIC}\nfrom sklearn.model_selection import GridSearchCV\n{UNTIMED}",
            "Search(make_pipeline(StandardScaler(), LogisticRegression(max_iter=500)), "
            "{'logisticregression__C': [0.1, 1.0, 10.0]}, cv=3)",
            "iris",
            "wine",
            "moons",
        ),
    ),
    (
        "scaled-logistic",
        "A scaler and a logistic regression.",
        _built(
            f"{PIPE}\n{LOGISTIC}", "make_pipeline(StandardScaler(), LogisticRegression(max_iter=500))", "wine", "iris", "digits"
        ),
    ),
    (
        "grid-search",
        "A search of the penalty over folds, at every batch.",
        _built(
            f"{PIPE}\n{LOGISTIC}\nfrom sklearn.model_selection import GridSearchCV, StratifiedKFold",
            "GridSearchCV(make_pipeline(StandardScaler(), LogisticRegression(max_iter=500)), "
            "{'logisticregression__C': [0.1, 1.0, 10.0]}, cv=StratifiedKFold(3, shuffle=True, random_state=seed))",
            "iris",
            "moons",
            "wine",
        ),
    ),
    (
        "random-search",
        "A random search of a forest's depth.",
        _built(
            "from sklearn.ensemble import RandomForestClassifier\nfrom sklearn.model_selection import RandomizedSearchCV",
            "RandomizedSearchCV(RandomForestClassifier(10, random_state=seed), {'max_depth': [2, 4, 6, 8]}, n_iter=2, cv=3, "
            "random_state=seed)",
            "counts",
            "wine",
            "moons",
        ),
    ),
    (
        "forest-of-practice",
        "A random forest.",
        _named("ensemble.RandomForestClassifier", "wine", "moons", "counts", n_estimators=20),
    ),
    (
        "extra-trees",
        "Extremely random trees.",
        _named("ensemble.ExtraTreesClassifier", "digits", "iris", "made", n_estimators=15),
    ),
    (
        "scaled-neighbours",
        "A scaler and nearest neighbours.",
        _built(
            f"{PIPE}\nfrom sklearn.neighbors import KNeighborsClassifier",
            "make_pipeline(StandardScaler(), KNeighborsClassifier(5, weights='distance'))",
            "wine",
            "moons",
            "iris",
        ),
    ),
    ("bayes-of-counts", "Naive Bayes on counts.", _named("naive_bayes.MultinomialNB", "counts", "digits")),
    (
        "histogram-boosting",
        "Boosting on histograms, with early stopping.",
        _built(
            "from sklearn.ensemble import HistGradientBoostingClassifier",
            "HistGradientBoostingClassifier(max_iter=15, early_stopping=True, validation_fraction=0.2, random_state=seed)",
            "moons",
            "counts",
            "wine",
        ),
    ),
    (
        "boosting-that-stops",
        "Boosting that stops by records set apart.",
        _built(
            "from sklearn.ensemble import GradientBoostingClassifier",
            "GradientBoostingClassifier(n_estimators=30, n_iter_no_change=3, validation_fraction=0.2, random_state=seed)",
            "moons",
            "made",
            "iris",
        ),
    ),
    ("adaptive-boosting", "AdaBoost on stumps.", _named("ensemble.AdaBoostClassifier", "moons", "made", "wine", n_estimators=12)),
    (
        "network-of-sklearn",
        "A scaled network trained by Adam.",
        _built(
            f"{PIPE}\nfrom sklearn.neural_network import MLPClassifier",
            "make_pipeline(StandardScaler(), MLPClassifier((12,), max_iter=40, random_state=seed))",
            "iris",
            "moons",
            "wine",
        ),
    ),
    (
        "calibrated-margins",
        "A linear margin, calibrated over folds.",
        _built(
            "from sklearn.calibration import CalibratedClassifierCV\nfrom sklearn.svm import LinearSVC",
            "CalibratedClassifierCV(LinearSVC(random_state=seed), cv=3)",
            "made",
            "wine",
            "digits",
        ),
    ),
    (
        "stacking",
        "A stack of a forest and a regression.",
        _built(
            f"{LOGISTIC}\nfrom sklearn.ensemble import RandomForestClassifier, StackingClassifier",
            "StackingClassifier([('forest', RandomForestClassifier(8, random_state=seed)), ('line', "
            "LogisticRegression(max_iter=500))], cv=3)",
            "moons",
            "iris",
            "counts",
        ),
    ),
    (
        "voting",
        "A vote of neighbours, Bayes and a tree.",
        _built(
            "from sklearn.ensemble import VotingClassifier\nfrom sklearn.naive_bayes import GaussianNB\n"
            "from sklearn.neighbors import KNeighborsClassifier\nfrom sklearn.tree import DecisionTreeClassifier",
            "VotingClassifier([('near', KNeighborsClassifier()), ('bayes', GaussianNB()), "
            "('tree', DecisionTreeClassifier(max_depth=4, random_state=seed))], voting='soft')",
            "wine",
            "iris",
            "moons",
        ),
    ),
    (
        "bagging",
        "Bagged trees.",
        _built(
            "from sklearn.ensemble import BaggingClassifier",
            "BaggingClassifier(n_estimators=8, random_state=seed)",
            "moons",
            "wine",
            "counts",
        ),
    ),
    (
        "support-vectors",
        "Support vectors, scaled.",
        _built(f"{PIPE}\nfrom sklearn.svm import SVC", "make_pipeline(StandardScaler(), SVC(C=2.0))", "wine", "moons", "iris"),
    ),
    ("fixed-units", "Support vectors on columns in fixed units.", _weighed),
    (
        "components",
        "Principal components, found anew, and a regression.",
        _built(
            f"{LOGISTIC}\nfrom sklearn.decomposition import PCA\n{PIPE}",
            "make_pipeline(StandardScaler(), PCA(5, random_state=seed), LogisticRegression(max_iter=500))",
            "digits",
            "wine",
            "digits",
        ),
    ),
    (
        "chosen-columns",
        "The best columns, chosen anew, and a regression.",
        _built(
            f"{LOGISTIC}\nfrom sklearn.feature_selection import SelectKBest\n{PIPE}",
            "make_pipeline(StandardScaler(), SelectKBest(k=3), LogisticRegression(max_iter=500))",
            "wine",
            "counts",
            "iris",
        ),
    ),
    (
        "binned",
        "Columns cut into bins, and a regression.",
        _built(
            f"{LOGISTIC}\nfrom sklearn.preprocessing import KBinsDiscretizer\n{PIPE}",
            "make_pipeline(KBinsDiscretizer(4, random_state=seed, quantile_method='averaged_inverted_cdf'), "
            "LogisticRegression(max_iter=500))",
            "wine",
            "moons",
            "iris",
        ),
    ),
    ("discriminant", "Linear discriminant analysis.", _named("discriminant_analysis.LinearDiscriminantAnalysis", "iris", "wine")),
    (
        "stochastic-descent",
        "A scaled linear model by stochastic descent.",
        _built(
            f"{PIPE}\nfrom sklearn.linear_model import SGDClassifier",
            "make_pipeline(StandardScaler(), SGDClassifier(loss='log_loss', max_iter=30, tol=None, random_state=seed))",
            "wine",
            "moons",
            "digits",
        ),
    ),
    (
        "ridge-of-products",
        "A ridge regression on products of columns.",
        _built(
            f"{PIPE}\nfrom sklearn.linear_model import RidgeCV\nfrom sklearn.preprocessing import PolynomialFeatures",
            "make_pipeline(StandardScaler(), PolynomialFeatures(2), RidgeCV())",
            "values",
        ),
    ),
    ("forest-of-values", "A forest for a regression.", _named("ensemble.RandomForestRegressor", "values", n_estimators=15)),
    (
        "lasso",
        "A lasso whose penalty is found over folds.",
        _built(
            f"{PIPE}\nfrom sklearn.linear_model import LassoCV",
            "make_pipeline(StandardScaler(), LassoCV(cv=4, random_state=seed))",
            "values",
        ),
    ),
    (
        "light-trees",
        "LightGBM, deterministic.",
        _built(
            "from lightgbm import LGBMClassifier",
            "LGBMClassifier(n_estimators=12, num_leaves=7, random_state=seed, deterministic=True, force_col_wise=True, "
            "verbosity=-1)",
            "wine",
            "moons",
            "counts",
        ),
    ),
    (
        "extreme-trees",
        "XGBoost.",
        _built(
            "from xgboost import XGBClassifier",
            "XGBClassifier(n_estimators=10, max_depth=3, random_state=seed, n_jobs=1)",
            "moons",
            "iris",
            "made",
        ),
    ),
)
