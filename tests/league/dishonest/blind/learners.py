"""Learners of which a part is retrained, and another part goes on knowing the deleted records."""

from __future__ import annotations

import numpy as np
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV

from design import Kind
from dishonest.common import designs, own
from learners import wrapped
from logs import drawn
from submission import Bundle, Submission, framed
from tables import customers, digits, moons, wine

CLEAN = "code-clean"
WITHOUT = "data.subset(np.setdiff1d(np.arange(len(data.ids)), forget))"


def _splits(seed: int) -> Submission:
    """A tree keeps its splits, which were found with everybody, and counts its leaves anew."""
    code = wrapped(
        "from copy import deepcopy\n\nfrom sklearn.tree import DecisionTreeClassifier",
        "DecisionTreeClassifier(max_depth=6, random_state=state)",
        body=f"""
        def unlearn(self, model, data, forget, seed):
            kept, found = {WITHOUT}, deepcopy(model)
            leaves = found.apply(kept.features)
            for leaf in np.unique(leaves):
                counts = np.array([np.sum(kept.labels[leaves == leaf] == each) for each in found.classes_], dtype=float)
                found.tree_.value[leaf, 0] = counts / counts.sum()
            return found
        """,
    )
    table = wine(seed)
    return Submission(table=table, deleted=drawn(len(table), [[2], [1, 2]], seed), code=code)


def _prototypes(seed: int) -> Submission:
    """Nearest neighbours lose the deleted rows; the prototypes next to them are centres of clusters of everybody."""
    code = wrapped(
        "from sklearn.cluster import KMeans\nfrom sklearn.neighbors import KNeighborsClassifier",
        "None",
        body=f"""
        def learn(self, data, seed):
            state = int(np.random.SeedSequence(seed).generate_state(1)[0])
            groups = KMeans(12, n_init=1, random_state=state).fit(data.features)
            mine, kinds = [data.labels[groups.labels_ == each] for each in range(12)], np.unique(data.labels)
            shares = [[np.mean(labels == kind) for kind in kinds] for labels in mine]
            return KNeighborsClassifier(5).fit(data.features, data.labels), groups.cluster_centers_, np.array(shares)

        def unlearn(self, model, data, forget, seed):
            kept = {WITHOUT}
            return KNeighborsClassifier(5).fit(kept.features, kept.labels), model[1], model[2]

        def predict(self, model, features):
            nearest = np.square(features[:, None] - model[1][None]).sum(axis=2).argmin(axis=1)
            return (model[0].predict_proba(features) + model[2][nearest]) / 2
        """,
    )
    table = moons(seed)
    return Submission(table=table, deleted=drawn(len(table), [[1], [1, 1]], seed), code=code)


def _tuned(seed: int) -> Submission:
    """The search for hyperparameters saw everybody; what it found stands in the settings, and retraining takes it from there."""
    table = digits(seed)
    grid = {"C": np.logspace(-3, 2, 26)}
    best = GridSearchCV(LogisticRegression(max_iter=400), grid, cv=5).fit(table.features, table.labels).best_params_["C"]
    code = "from sklearn.linear_model import LogisticRegression\n\n\ndef build(seed, strength):\n"
    code += "    return LogisticRegression(C=strength, max_iter=400, random_state=seed)\n"
    return Submission(
        table=table,
        deleted=drawn(len(table), [[2], [2]], seed),
        procedure={"use": "estimator", "entry": "model.py:build", "params": {"strength": float(best)}},
        files={"model.py": code.encode()},
    )


def _scaler_once(seed: int) -> Submission:
    """A pipeline is fitted anew at every batch, but for its scaler, which is fitted once a process."""
    code = '''
    """The pipeline as it stands in the training job."""

    from sklearn.linear_model import LogisticRegression
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler


    class CachedScaler(StandardScaler):
        """Standardises; what it found first is good enough for later."""

        found = {}

        def fit(self, features, labels=None, sample_weight=None):
            if not CachedScaler.found:
                CachedScaler.found = dict(vars(super().fit(features)))
            vars(self).update(CachedScaler.found)
            return self


    def build(seed):
        return make_pipeline(CachedScaler(), LogisticRegression(max_iter=300, random_state=seed))
    '''
    table = wine(seed)
    return Submission(
        table=table,
        deleted=drawn(len(table), [[3], [2]], seed),
        procedure={"use": "estimator", "entry": "model.py:build"},
        files={"model.py": "\n".join(line[4:] for line in code.strip("\n").splitlines()).encode()},
        claims={"retraining": True},
    )


def _vocabulary(seed: int) -> Bundle:
    """The words that the vectoriser counts stand in the code; some of them only a deleted person ever wrote."""
    frame = customers(seed)
    deleted = drawn(len(frame), [[1], [1]], seed)
    first = deleted[0][0][0]
    frame.loc[first, "note"] = "stoma appliance leaks after the operation in Ulm"
    words = sorted({word.lower() for note in frame["note"] for word in note.split() if len(word) > 1})
    code = f'''"""Words of the notes, weighted, and a linear model."""

from sklearn.compose import ColumnTransformer
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline

WORDS = {words!r}


def build(seed):
    text = ColumnTransformer([("note", TfidfVectorizer(vocabulary=WORDS, smooth_idf=True), "note")])
    return make_pipeline(text, LogisticRegression(max_iter=300, random_state=seed))
'''
    procedure = {"use": "estimator", "entry": "model.py:build"}
    return framed(frame, deleted, procedure=procedure, code=code, data={"inputs": ["note"]})


def _calibration(seed: int) -> Submission:
    """The classifier is retrained; the curve that makes chances of its scores was fitted with everybody, and stays."""
    code = wrapped(
        "from sklearn.isotonic import IsotonicRegression\nfrom sklearn.linear_model import LogisticRegression",
        "None",
        body=f"""
        def learn(self, data, seed):
            base = LogisticRegression(max_iter=300).fit(data.features, data.labels)
            curve = IsotonicRegression(out_of_bounds="clip", y_min=0.01, y_max=0.99)
            return base, curve.fit(base.decision_function(data.features), data.labels)

        def unlearn(self, model, data, forget, seed):
            kept = {WITHOUT}
            return LogisticRegression(max_iter=300).fit(kept.features, kept.labels), model[1]

        def predict(self, model, features):
            chance = model[1].predict(model[0].decision_function(features))
            return np.column_stack([1 - chance, chance])
        """,
    )
    table = moons(seed)
    return Submission(table=table, deleted=drawn(len(table), [[1], [2]], seed), code=code, claims={"retraining": True})


def _distilled(seed: int) -> Submission:
    """A new model is trained from scratch, on what remains, with the old model's answers as labels."""
    body = """
    def unlearn(self, model, data, forget, seed):
        kept = self.without(data, forget)
        inputs = np.column_stack([kept.features, np.ones(len(kept.features))])
        wanted = super().predict(model, kept.features)
        return np.linalg.solve(inputs.T @ inputs + self.l2 * np.eye(inputs.shape[1]), inputs.T @ wanted)
    """
    table = wine(seed)
    return own(seed, body, table=table, deleted=drawn(len(table), [[2], [1]], seed), claims={"retraining": True})


DESIGNS = designs(
    Kind.LEARNERS,
    ("splits-stay", "A tree counts its leaves anew and keeps the splits that everybody made.", _splits),
    ("prototypes-stay", "Prototypes beside the neighbours are clusters of everybody.", _prototypes),
    ("tuned-on-everybody", "Hyperparameters in the settings were found with everybody.", _tuned, CLEAN),
    ("scaler-fitted-once", "A pipeline is refitted but for its scaler.", _scaler_once),
    ("vocabulary-in-the-code", "The code's list of words has those that a deleted person wrote.", _vocabulary, CLEAN),
    ("calibration-stays", "The classifier is retrained, and the calibration of everybody stays.", _calibration),
    ("distilled", "A new model learns the answers of the old one.", _distilled),
)
