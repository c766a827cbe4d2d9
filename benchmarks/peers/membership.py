"""Attacks that ask whether a model learned from a record: SACRO-ML's and ours, on the same data, targets and number of trainings.

Each draw halves the records; a random forest learns one half. Ours train complementary halves of all records and never use who is
a member; so does SACRO-ML's likelihood ratio, with random subsets. Its worst case learns from four fifths of the true answers.
"""

from __future__ import annotations

import time
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from sklearn.datasets import load_breast_cancer, load_digits
from sklearn.ensemble import RandomForestClassifier
from sklearn.metrics import roc_curve

from auditor.attacks import Outputs, References, Shadow, attacks
from auditor.base.records import Floats, Positions
from benchmarks.peers import environments
from benchmarks.peers.sizes import SEED, Sizes

DATA: Final = {"digits": load_digits, "breast cancer": load_breast_cancer}
FALSE_POSITIVES: Final = 0.05
_OWN: Final = ("lira-online", "lira-offline", "modified-entropy")


@dataclass(frozen=True, slots=True, eq=False)
class Target:
    """What a model learned, and the records in question."""

    features: Floats
    labels: Positions
    trained: Positions
    """What the model under attack learned."""
    members: Positions
    others: Positions
    seed: int

    def arrays(self, name: str) -> dict[str, Any]:
        """The same for a script in a peer's environment."""
        kept = ("features", "labels", "trained", "members", "others", "seed")
        return {f"{name}.{each}": np.asarray(getattr(self, each)) for each in kept}


def fitted(target: Target, rows: Positions, *, trees: int, seed: int) -> RandomForestClassifier:
    """A random forest with scikit-learn's defaults."""
    return RandomForestClassifier(n_estimators=trees, random_state=seed).fit(target.features[rows], target.labels[rows])


def answers(model: RandomForestClassifier, features: Floats, classes: int) -> Floats:
    """Probabilities of every class, shape (n, classes); labels are 0 to classes − 1."""
    found = np.zeros((len(features), classes))
    found[:, model.classes_] = model.predict_proba(features)
    return found


def draw(name: str, repeat: int, *, most: int | None = None) -> Target:
    """Halve the records of a data set."""
    features, labels = DATA[name](return_X_y=True)
    order = np.random.default_rng([SEED, 1, repeat]).permutation(len(labels))[:most]
    half = len(order) // 2
    return Target(features, labels, order[:half], order[:half], order[half : 2 * half], repeat)


def measure(sizes: Sizes, usable: Collection[str]) -> dict[str, Any]:
    """Attack every target by every tool."""
    found: dict[str, Any] = {"trees": sizes.trees, "shadows": sizes.shadows, "data": {}}
    most = None if sizes.repeats > 2 else 120
    for name in DATA:
        targets = [draw(name, repeat, most=most) for repeat in range(sizes.repeats)]
        rows: dict[str, list[dict[str, float]]] = {}
        for target in targets:
            for attack, row in own(target, sizes).items():
                rows.setdefault(f"auditor: {attack}", []).append(row)
        if "SACRO-ML" in usable:
            for attack, results in _sacro(targets, sizes).items():
                rows[f"SACRO-ML: {attack}"] = results
        found["data"][name] = {"members": len(targets[0].members), "tools": rows}
    return found


def own(target: Target, sizes: Sizes) -> dict[str, dict[str, float]]:
    """Attack one target by ours: each is charged for all shadow models, which the next ones share."""
    rows, classes = np.concatenate([target.members, target.others]), len(np.unique(target.labels))
    labels, members = target.labels[rows].astype(np.int64), np.arange(len(rows)) < len(target.members)
    model = fitted(target, target.trained, trees=sizes.trees, seed=target.seed)
    began = time.perf_counter()
    rng = np.random.default_rng([SEED, 3, target.seed])
    outputs, trained_on = [], []
    for number in range(sizes.shadows // 2):
        inside = rng.permutation(len(rows)) < len(rows) // 2
        for side, learned in enumerate((inside, ~inside)):
            shadow = fitted(target, rows[learned], trees=sizes.trees, seed=2 * number + side)
            outputs.append(answers(shadow, target.features[rows], classes))
            trained_on.append(learned)
    references = References(np.stack(outputs), np.stack(trained_on))
    nobody = References(references.probabilities[:, :0], references.trained_on[:, :0])
    seen = Outputs(
        answers(model, target.features[rows], classes),
        references,
        np.empty((0, classes)),
        labels[:0],
        population_references=nobody,
    )
    trained = time.perf_counter() - began
    found = {}
    for name in _OWN:
        began = time.perf_counter()
        attack = attacks()[name]
        state = attack.fit(Shadow(labels, references), rng=rng)
        scores = attack.score(state, seen, labels)
        found[name] = {"seconds": trained + time.perf_counter() - began, **scored(scores, members)}
    return found


def _sacro(targets: list[Target], sizes: Sizes) -> dict[str, list[dict[str, float]]]:
    arrays = {key: each for number, target in enumerate(targets) for key, each in target.arrays(str(number)).items()}
    cases = [str(each) for each in range(len(targets))]
    every = asked_of_sacro(arrays, cases, trees=sizes.trees, shadows=sizes.shadows, scores=True)
    found: dict[str, list[dict[str, float]]] = {}
    for case in every:
        for name, each in case.items():
            # The worst case is tried on ten samples of the records: the means over them.
            parts = [scored(*map(np.asarray, part)) for part in zip(each["scores"], each["members"], strict=True)]
            means = {key: float(np.mean([part[key] for part in parts])) for key in parts[0]}
            found.setdefault(name, []).append({"seconds": each["seconds"], **means})
    return found


def asked_of_sacro(
    arrays: Mapping[str, Any],
    cases: Sequence[str],
    *,
    trees: int,
    shadows: int,
    scores: bool,
    attacks: Sequence[str] = ("likelihood ratio", "worst case"),
) -> list[dict[str, Any]]:
    """What SACRO-ML's attacks find in each case, by their names."""
    settings = {"attacks": attacks, "trees": trees, "shadows": shadows, "scores": scores}
    found: list[dict[str, Any]] = environments.ask("SACRO-ML", "sacro", arrays, cases=cases, **settings)
    return found


def scored(scores: Floats, members: np.ndarray) -> dict[str, float]:
    """The area under the curve, and the true positive rate at the last threshold with so few false positives."""
    false, true, _ = roc_curve(members, scores, drop_intermediate=False)
    return {"auc": float(np.trapezoid(true, false)), "tpr": float(true[false <= FALSE_POSITIVES].max())}
