"""The controller's own procedure: a small neural network of scikit-learn, trained anew without the records to forget."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
from sklearn.neural_network import MLPClassifier


class RetrainedNetwork:
    """What `[procedure] entry` in audit.toml names. The other keys of that table are the arguments of the class.

    `data` has `.features`, shape (n, d), `.labels` and `.ids`, shape (n,), and `.subset(positions)`.
    """

    def __init__(self, hidden: int, penalty: float, most_steps: int) -> None:
        """Keep the hyperparameters: units of the hidden layer, weight of the L2 penalty, steps of the optimiser."""
        self._hidden = hidden
        self._penalty = penalty
        self._most_steps = most_steps

    def learn(self, data: Any, seed: int) -> MLPClassifier:
        """Train a network until it knows all of `data` by heart. Everything random comes from `seed`, an integer of any size."""
        network = MLPClassifier(
            (self._hidden,),
            activation="tanh",
            solver="lbfgs",
            alpha=self._penalty,
            max_iter=self._most_steps,
            random_state=int(np.random.SeedSequence(seed).generate_state(1)[0]),
        )
        return network.fit(data.features, data.labels)

    def unlearn(self, model: MLPClassifier, data: Any, forget: npt.NDArray[np.int64], seed: int) -> MLPClassifier:  # noqa: ARG002
        """Train a new network without the rows at `forget`; the old one plays no part."""
        return self.learn(data.subset(np.setdiff1d(np.arange(len(data.ids)), forget)), seed)

    def predict(self, model: MLPClassifier, features: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
        """Probabilities, shape (n, 10): a column for each label, in their order."""
        return model.predict_proba(features)

    def parameters(self, model: MLPClassifier) -> npt.NDArray[np.float64]:
        """Every weight, shape (p,). With this the auditor can see whether two runs give the same network."""
        return np.concatenate([np.ravel(weights) for weights in (*model.coefs_, *model.intercepts_)])

    def state(self, model: MLPClassifier) -> bytes:
        """Everything that is carried from one update to the next: the weights."""
        return self.parameters(model).tobytes()

    def save(self, model: MLPClassifier, path: str) -> None:
        """Write what would be deployed."""
        with Path(path).open("wb") as file:
            np.savez(file, parameters=self.parameters(model), labels=model.classes_)
