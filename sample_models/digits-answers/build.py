"""Makes this case: python sample_models/digits-answers/build.py."""

import sys
from pathlib import Path

import numpy as np
from sklearn.ensemble import ExtraTreesClassifier

from auditor.base.records import Dataset

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))

from digits import noisy_ten_digits, remaining, requests, write  # noqa: E402  (it lies next to the samples' folders)

TREES = 50
RENEWED = 10
"""Trees that were grown again without the deleted records; the others were kept."""


def forest(data: Dataset, *, trees: int, seed: int) -> ExtraTreesClassifier:
    """Fit a forest that memorises its records."""
    return ExtraTreesClassifier(trees, random_state=seed).fit(data.features, data.labels)


def main() -> None:
    """Write data, log and the three tables of answers."""
    train, holdout = noisy_ten_digits()
    rows = requests(train, 60)
    left = remaining(train, rows)
    write(HERE, train, holdout, left, rows)
    (HERE / "store.npz").unlink()  # the supplier keeps the data: nothing of it can be searched
    features = np.concatenate([train.features, holdout.features])
    ids = np.concatenate([train.ids, holdout.ids])
    before = forest(train, trees=TREES, seed=1).predict_proba(features)
    kept = forest(train, trees=TREES - RENEWED, seed=1).predict_proba(features)
    renewed = forest(left, trees=RENEWED, seed=2).predict_proba(features)
    after = (kept * (TREES - RENEWED) + renewed * RENEWED) / TREES
    retrained = forest(left, trees=TREES, seed=3).predict_proba(features)
    for name, answers in (("before", before), ("after", after), ("retrained", retrained)):
        np.savez_compressed(HERE / f"{name}.npz", ids=ids, answers=np.round(answers, 6))


if __name__ == "__main__":
    main()
