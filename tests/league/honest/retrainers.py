"""Exact retrainers: of scikit-learn and torch as the auditor brings them, and as the controller's own classes."""

from __future__ import annotations

from typing import Any

from design import Design, Kind
from dishonest.common import own
from learners import DESCENT, wrapped
from logs import drawn
from submission import Submission
from tables import Table, counts, iris, made, moons, real_valued, wine, worded

SHAPES: tuple[list[list[int]], ...] = ([[1]], [[1, 1, 1]], [[2], [1, 3], [1]])
"""One request; one batch of three; three batches with several records a request."""


def _built_in(table: Table, seed: int, estimator: str, **params: Any) -> Submission:
    procedure = {"use": "sklearn", "estimator": f"sklearn.{estimator}", "params": params, "unlearn": "retrain"}
    train, holdout = table.cut(20)
    return Submission(table=train, holdout=holdout, deleted=drawn(len(train), SHAPES[seed % 3], seed), procedure=procedure)


def _class(table: Table, seed: int, code: str, **more: Any) -> Submission:
    return Submission(table=table, deleted=drawn(len(table), SHAPES[seed % 3], seed), code=code, **more)


def _logistic(seed: int) -> Submission:
    code = wrapped(
        "from sklearn.linear_model import LogisticRegression",
        "LogisticRegression(max_iter=500)",
        parameters="np.concatenate([model.coef_.ravel(), model.intercept_])",
    )
    return _class(worded(wine(seed)), seed, code, form=("npz", "csv", "parquet")[seed % 3])


def _tree(seed: int) -> Submission:
    return _built_in((iris, moons, counts)[seed % 3](seed), seed, "tree.DecisionTreeClassifier", max_depth=4)


def _forest(seed: int) -> Submission:
    code = wrapped(
        "from sklearn.ensemble import RandomForestClassifier", "RandomForestClassifier(8, max_depth=5, random_state=state)"
    )
    return _class((wine, iris, made)[seed % 3](seed), seed, code)


def _naive_bayes(seed: int) -> Submission:
    return _built_in((wine, iris, made)[seed % 3](seed), seed, "naive_bayes.GaussianNB")


def _neighbours(seed: int) -> Submission:
    return _built_in((moons, wine, made)[seed % 3](seed), seed, "neighbors.KNeighborsClassifier", n_neighbors=3)


def _boosting(seed: int) -> Submission:
    if seed % 3 == 1:
        return _built_in(real_valued(seed), seed, "ensemble.GradientBoostingRegressor", n_estimators=10)
    return _built_in((moons, real_valued, wine)[seed % 3](seed), seed, "ensemble.GradientBoostingClassifier", n_estimators=6)


def _perceptron(seed: int) -> Submission:
    code = wrapped(
        "from sklearn.neural_network import MLPClassifier",
        "MLPClassifier((8,), solver='lbfgs', max_iter=60, random_state=state)",
        parameters="np.concatenate([np.ravel(each) for each in (*model.coefs_, *model.intercepts_)])",
    )
    return _class((made, moons, iris)[seed % 3](seed), seed, code)


def _numpy(seed: int) -> Submission:
    table = (made, worded_counts, wine)[seed % 3](seed)
    return own(seed, "", base=DESCENT, table=table, deleted=drawn(len(table), SHAPES[seed % 3], seed))


def worded_counts(seed: int) -> Table:
    """A coarse table with text labels."""
    return worded(counts(seed))


def _torch(seed: int) -> Submission:
    procedure = {"use": "torch", "model": "mlp", "params": {"hidden": [8]}, "epochs": 3, "rate": 0.1, "unlearn": "retrain"}
    table = (made, moons, iris)[seed % 3](seed)
    return Submission(table=table, deleted=drawn(len(table), SHAPES[seed % 3], seed), procedure=procedure)


def _sharded(seed: int) -> Submission:
    """Three shards by id, each a model of its own; an update retrains the shards that lose a record, with their first seed."""
    body = """
    shards = 3

    def __init__(self, labels, l2=1.0):
        super().__init__(labels, l2)
        self.one = Learner(labels, l2)

    def shard(self, ids):
        return np.array([sum(str(each).encode()) % self.shards for each in ids])

    def learn(self, data, seed):
        mine = self.shard(data.ids)
        return np.stack([self.one.learn(data.subset(np.flatnonzero(mine == each)), each) for each in range(self.shards)])

    def unlearn(self, model, data, forget, seed):
        found, kept = model.copy(), self.without(data, forget)
        for each in sorted(set(self.shard(data.ids[forget]).tolist())):
            found[each] = self.one.learn(kept.subset(np.flatnonzero(self.shard(kept.ids) == each)), each)
        return found

    def predict(self, model, features):
        return np.mean([self.one.predict(each, features) for each in model], axis=0)

    def load(self, path):
        with np.load(path) as file:
            return file["parameters"].reshape(self.shards, -1, len(self.labels))
    """
    table = (made, wine, counts)[seed % 3](seed)
    return own(seed, body, base=DESCENT, table=table, deleted=drawn(len(table), SHAPES[seed % 3], seed))


def _bookkeeping(seed: int) -> Submission:
    """Counts its calls, notes the time of each training, and parses its ids, as code in production does."""
    body = """
    calls = 0

    def learn(self, data, seed):
        self.calls += 1
        self.trained_at = time.time()
        numbers = [int(str(each).rpartition("-")[2]) for each in data.ids]
        assert len(set(numbers)) == len(numbers)
        return super().learn(data, seed)
    """
    table = (made, counts, moons)[seed % 3](seed)
    return own(seed, body, base=DESCENT, above="import time", table=table, deleted=drawn(len(table), SHAPES[seed % 3], seed))


def _scaling_inside(seed: int) -> Submission:
    """Standardises in training, with the records that it is given."""
    code = wrapped(
        "from sklearn.linear_model import LogisticRegression\nfrom sklearn.pipeline import make_pipeline\n"
        "from sklearn.preprocessing import StandardScaler",
        "make_pipeline(StandardScaler(), LogisticRegression())",
        parameters="np.concatenate([np.ravel(each) for each in (model[0].mean_, model[0].scale_, model[1].coef_)])",
    )
    return _class((wine, counts, iris)[seed % 3](seed), seed, code)


DESIGNS = tuple(
    Design(
        name=name, kind=Kind.HONEST, lie=what, build=build, allowed=frozenset({0}), quick=name in {"naive-bayes", "numpy-descent"}
    )
    for name, what, build in (
        ("logistic", "A class around scikit-learn's logistic regression retrains, on text labels in three formats.", _logistic),
        ("tree", "Scikit-learn's decision tree is retrained.", _tree),
        ("forest", "A class around scikit-learn's random forest retrains.", _forest),
        ("naive-bayes", "Scikit-learn's naive Bayes is retrained.", _naive_bayes),
        ("neighbours", "Scikit-learn's nearest neighbours are retrained: the model holds every remaining row.", _neighbours),
        ("boosting", "Scikit-learn's gradient boosting is retrained, once as a regression.", _boosting),
        ("perceptron", "A class around scikit-learn's network retrains.", _perceptron),
        ("numpy-descent", "A class in NumPy retrains by seeded gradient descent.", _numpy),
        ("sharded", "A class in NumPy retrains the shards that lose a record.", _sharded),
        ("bookkeeping", "A class in NumPy retrains, counts its calls, notes times and parses ids.", _bookkeeping),
        ("scaling-inside", "A pipeline of scikit-learn is retrained, with its scaling.", _scaling_inside),
        ("torch-network", "A network of PyTorch is retrained.", _torch),
    )
)
