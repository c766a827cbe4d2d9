"""Honest learners are never taken to know their holdout: what movement costs them stays far below what the judge allows."""

import numpy as np
import pytest
from sklearn.datasets import load_breast_cancer, load_digits, load_iris, load_wine, make_classification, make_moons
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import train_test_split
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.preprocessing import scale
from sklearn.tree import DecisionTreeClassifier

from auditor.audit.predicted import SHARE
from auditor.audit.shifted_copies import moved
from auditor.maths.statistics import paired_difference
from auditor.parts.usefulness.judging.utility_accuracy import MOVEMENT, SURE

RNG = np.random.default_rng(0)
COARSE = np.round(RNG.random((1000, 8)) * 4)
BINARY = (RNG.random((1000, 30)) < 0.3).astype(float)
WIDE = RNG.normal(size=(600, 100))
DATA = {
    "digits": load_digits(return_X_y=True),
    "breast cancer": load_breast_cancer(return_X_y=True),
    "wine": load_wine(return_X_y=True),
    "iris": load_iris(return_X_y=True),
    "made": make_classification(800, 20, n_informative=5, flip_y=0.1, random_state=0),
    "moons": make_moons(600, noise=0.3, random_state=0),
    "coarse": (COARSE, (COARSE[:, 0] * COARSE[:, 1] + COARSE[:, 2] > 6).astype(int)),
    "binary": (BINARY, (BINARY[:, :5].sum(1) > 1.5).astype(int)),
    "wide": (WIDE, (WIDE[:, 0] > 0).astype(int)),
}
LEARNERS = (
    KNeighborsClassifier(1),
    KNeighborsClassifier(5),
    DecisionTreeClassifier(random_state=0),
    RandomForestClassifier(20, random_state=0),
    LogisticRegression(max_iter=300),
    GaussianNB(),
)


def split(name, seed):
    """Shapes (r, d), (h, d), (r,), (h,): what is left, and a holdout."""
    features, labels = DATA[name]
    return train_test_split(scale(features), labels, test_size=0.3, random_state=seed)


def copies(name, seed):
    left, holdout, labels, held = split(name, seed)
    made = moved(holdout, held, left, labels, share=SHARE, rng=np.random.default_rng(seed))
    places = np.any(made != holdout, axis=1)
    return left, labels, holdout[places], made[places], held[places]


@pytest.mark.parametrize("name", DATA)
def test_movement_costs_an_honest_learner_little(name):
    for seed in range(2):
        left, labels, originals, made, held = copies(name, seed)
        for learner in LEARNERS:
            learner.fit(left, labels)
            here, there = (learner.predict(rows) == held for rows in (originals, made))
            excess = paired_difference(int((here & ~there).sum()), int((there & ~here).sum()), len(held), confidence=SURE)
            assert excess.low <= MOVEMENT / 5, (type(learner).__name__, excess)
            assert here.mean() - there.mean() <= 0.08 or len(held) < 100, type(learner).__name__


@pytest.mark.parametrize("name", ["digits", "breast cancer", "made", "moons", "coarse", "binary", "wide"])
def test_a_table_of_known_rows_is_told(name):
    """It answers what it knows, and everything else by its commonest label."""
    _, labels, originals, made, held = copies(name, 0)
    table = {row.tobytes(): label for row, label in zip(originals, held, strict=True)}
    commonest = np.bincount(labels).argmax()
    here, there = (np.array([table.get(row.tobytes(), commonest) for row in rows]) == held for rows in (originals, made))
    excess = paired_difference(int((here & ~there).sum()), int((there & ~here).sum()), len(held), confidence=SURE)
    assert here.all()
    assert excess.low > MOVEMENT
