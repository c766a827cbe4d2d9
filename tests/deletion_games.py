"""Deletion games for tests: small cases that play them, and how a run observes."""

from __future__ import annotations

from functools import partial
from pathlib import Path

from auditor.audit.devices import on_cpu
from auditor.audit.run_options import RunOptions
from auditor.sandbox import Level, available
from auditor.sandbox.jobs import run

TREE = 'use = "sklearn"\nestimator = "sklearn.tree.DecisionTreeClassifier"\nunlearn = "{unlearn}"\nseed = 3'
LOGISTIC = 'use = "sklearn"\nestimator = "sklearn.linear_model.LogisticRegression"\nunlearn = "retrain"\nseed = 3'


def how(*, seed: int = 5, quick: bool = False, only: tuple[str, ...] | None = None, level: Level | None = None) -> RunOptions:
    """On this machine's processor, one process at a time, silently."""
    return RunOptions(
        seed=seed,
        quick=quick,
        only=only,
        workers=1,
        level=available() if level is None else level,
        where=on_cpu(),
        run=partial(run, workers=1, on_step=lambda *_: None),
        on_step=lambda *_: None,
    )


def counting(folder: Path) -> Path:
    """Change a case so that its own code learns by heart: what it saw it is sure of, of anything else it knows nothing."""
    (folder / "procedure.py").write_text(
        "import numpy as np\n\n\n"
        "class Procedure:\n"
        "    def learn(self, data, seed):\n"
        "        return {row.tobytes(): int(label) for row, label in zip(data.features, data.labels)}\n\n"
        "    def unlearn(self, model, data, forget, seed):\n"
        "        gone = {row.tobytes() for row in data.features[forget]}\n"
        "        return {key: label for key, label in model.items() if key not in gone}\n\n"
        "    def predict(self, model, features):\n"
        "        known = [model.get(np.ascontiguousarray(row).tobytes()) for row in features]\n"
        "        return np.array([[0.5, 0.5] if each is None else np.eye(2)[each] for each in known])\n",
        encoding="utf-8",
    )
    return folder
