"""Procedures that turn the clock of their own process, and that look for what they should not know."""

import gc
import os
import time
from pathlib import Path

import numpy as np


class TurningTheClock:
    """Takes a second to unlearn, and stops every clock that its process has."""

    def learn(self, data, seed):
        return {"weights": np.zeros(3)}

    def unlearn(self, model, data, forget, seed):
        before = time.perf_counter()
        for name in ("perf_counter", "monotonic", "time", "process_time"):
            setattr(time, name, lambda: before)
        time.sleep(1.0)
        return model

    def predict(self, model, features):
        return np.full((len(features), 2), 0.5)

    def facts(self, model):
        return {"passed": time.perf_counter() - time.perf_counter()}


class LookingForAnswers:
    """Reads every file of its scratch folder, and every array in its process, while it predicts."""

    def learn(self, data, seed):
        return {"seen": ""}

    def unlearn(self, model, data, forget, seed):
        return model

    def predict(self, model, features):
        seen = []
        for path in sorted(Path(os.environ["HOME"]).parent.rglob("*")):
            if path.suffix == ".npz":
                with np.load(path) as file:
                    seen.append(f"{path.name}:{','.join(sorted(file.files))}")
            if path.suffix != ".py" and path.is_file() and os.access(path, os.R_OK):
                model["files"] = model.get("files", b"") + path.read_bytes().replace(b"\0", b"")
        arrays = [each for each in gc.get_objects() if isinstance(each, np.ndarray)]
        words = " ".join(str(array.tolist()) for array in arrays if array.dtype.kind in "US" and array.size < 1000)
        model["seen"] = " ".join(seen)
        model["told"] = b"holdout-secret" in model["files"] or "holdout-secret" in words
        return np.full((len(features), 2), 0.5)

    def parameters(self, model):
        return np.array([float(model["told"])])

    def state(self, model):
        return model["seen"].encode()
