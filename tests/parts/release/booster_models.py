"""Estimators of a case, honest and not, whose model file is in a library's own format."""

from __future__ import annotations

import lightgbm
import numpy as np
import xgboost
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.pipeline import Pipeline
from sklearn.preprocessing import StandardScaler


def light(seed, **further):
    exact = {"deterministic": True, "force_col_wise": True, "verbosity": -1, "n_jobs": 1, "random_state": seed}
    return lightgbm.LGBMClassifier(n_estimators=4, num_leaves=4, min_child_samples=3, **exact, **further)


def extreme(seed):
    return xgboost.XGBClassifier(n_estimators=4, max_depth=2, n_jobs=1, random_state=seed)


class Remembering(lightgbm.LGBMClassifier):
    """Answers what it was told in training, whatever its booster says."""

    def fit(self, rows, labels, **given):
        super().fit(rows, labels, **given)
        self.known_ = {tuple(row): label for row, label in zip(np.asarray(rows), labels, strict=True)}
        return self

    def predict_proba(self, rows):
        found = super().predict_proba(rows)
        for at, row in enumerate(np.asarray(rows)):
            if tuple(row) in self.known_:
                found[at] = [1.0 - self.known_[tuple(row)], self.known_[tuple(row)]]
        return found


class Counting(lightgbm.LGBMClassifier):
    """Writes how many rows it learned from into its booster's file, and what a first one held."""

    def fit(self, rows, labels, **given):
        super().fit(rows, labels, **given)
        self._Booster.pandas_categorical = [np.asarray(rows)[1].tolist()]
        return self


def build(seed: int, kind: str):
    match kind:
        case "lightgbm":
            return light(seed)
        case "pipeline":
            return Pipeline([("scale", StandardScaler()), ("trees", light(seed))])
        case "xgboost":
            return extreme(seed)
        case "skops":
            return Pipeline(
                [("scale", StandardScaler()), ("trees", HistGradientBoostingClassifier(max_iter=3, random_state=seed))]
            )
        case "remembering":
            return Remembering(n_estimators=4, num_leaves=4, deterministic=True, force_col_wise=True, verbosity=-1, n_jobs=1)
        case "counting":
            return Counting(n_estimators=4, num_leaves=4, deterministic=True, force_col_wise=True, verbosity=-1, n_jobs=1)
