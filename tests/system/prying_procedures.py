"""Procedures that turn the clock of their own process, and that look for what they should not know."""

import gc
import json
import os
import re
import sys
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
            elif path.suffix == ".npy":
                seen.append(f"{path.name}:{np.load(path).shape}")
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


class ReadingWhatItPrinted:
    """Prints the rows that it learns from, and tries to read them where the output goes."""

    def learn(self, data, seed):
        print(data.features.tolist(), flush=True)
        return {}

    def unlearn(self, model, data, forget, seed):
        return model

    def predict(self, model, features):
        return np.full((len(features), 2), 0.5)

    def facts(self, model):
        found = []
        for ask in (lambda: os.pread(1, 100, 0), lambda: os.pread(2, 100, 0), lambda: Path("/proc/self/fd/1").read_bytes()):
            try:
                found.append(len(ask()))
            except OSError:
                found.append(0)
        return {"read": float(sum(found))}


class Spying:
    """Takes note of all that it can see in every call: what it is given, frames, environment, modules and files."""

    def __init__(self):
        self.seen = []
        self.first = None

    def learn(self, data, seed):
        self.first = seed
        self._look("learn", data=data, seed=seed)
        return {"learned": True}

    def unlearn(self, model, data, forget, seed):
        self._look("unlearn", data=data, forget=forget, seed=seed)
        return dict(model)

    def predict(self, model, features):
        self._look("predict", features=features)
        return np.full((len(features), 2), 0.5)

    def parameters(self, model):
        self._look("parameters")
        return np.zeros(1)

    def save(self, model, path):
        self._look("save")
        Path(path).write_bytes(b"nothing")

    def state(self, model):
        self._look("state")
        return json.dumps(self.seen).encode()

    def _look(self, call, *, data=None, forget=None, seed=None, features=None):
        folder = Path(os.environ["HOME"]).parent
        self.seen.append(
            {
                "call": call,
                "rows": None if data is None else len(data.ids),
                "forgotten": None if forget is None else len(forget),
                "ids": None if data is None else data.ids.tolist(),
                "content": None if data is None else data.features.tolist(),
                "order": None if data is None else data.labels.tolist(),
                "kinds": None if data is None else [str(each.dtype) for each in (data.features, data.labels, data.ids)],
                "seed": None if seed is None else str(seed),
                "digits": None if seed is None else len(str(seed)),
                "step": None if seed is None else seed - self.first,
                "asked": None if features is None else features.tolist(),
                "frames": self._frames(str(folder)),
                "environment": sorted(f"{name}={value.replace(str(folder), '')}" for name, value in os.environ.items()),
                "arguments": [Path(each).name for each in sys.argv if not each.isdigit()],
                "modules": sorted(sys.modules),
                "files": sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()),
                "here": sorted(path.name for path in Path.cwd().iterdir()),
                "threads": len(list(Path("/proc/self/task").iterdir())),
            }
        )

    def _frames(self, folder):
        """Of every frame its function and what its locals say in words and numbers, without what is drawn for every process."""
        found, frame = [], sys._getframe(2)
        while frame is not None:
            told = {name: self._plain(value, folder) for name, value in frame.f_locals.items()}
            found.append([frame.f_code.co_name, {name: value for name, value in sorted(told.items()) if value is not None}])
            frame = frame.f_back
        return found

    def _plain(self, value, folder):
        if isinstance(value, dict):
            plain = {str(key): self._plain(each, folder) for key, each in value.items() if key not in ("seed", "parent")}
            return {key: each for key, each in plain.items() if each is not None}
        if isinstance(value, bytes):
            value = value.decode("utf-8", "replace")
        if isinstance(value, (str, Path)):
            return re.sub(r'"(seed|parent)": ?"?\d+"?', "", str(value).replace(folder, ""))
        is_seed = self.first is not None and isinstance(value, int) and 0 <= value - self.first <= 10
        return value if isinstance(value, (bool, float)) or (isinstance(value, int) and not is_seed) else None


class ReadingItsIds:
    """Retrains, and shards its records by the number in their ids: honest code that a made-up id would stop."""

    def learn(self, data, seed):
        numbers = np.array([int(each.removeprefix("rec-")) for each in data.ids])
        assert all(each.startswith("rec-") and len(each) == 8 for each in data.ids)
        shards = [data.features[(numbers % 3 == shard)] for shard in range(3)]
        labels = [data.labels[(numbers % 3 == shard)] for shard in range(3)]
        return [self._centres(*each) for each in zip(shards, labels, strict=True)]

    def unlearn(self, model, data, forget, seed):
        return self.learn(data.subset(np.setdiff1d(np.arange(len(data.ids)), forget)), seed)

    def predict(self, model, features):
        first, second = (np.mean([centres[label] for centres in model], axis=0) for label in (0, 1))
        nearer = np.linalg.norm(features - first, axis=1) - np.linalg.norm(features - second, axis=1)
        share = 1 / (1 + np.exp(-4 * nearer))
        return np.column_stack([1 - share, share])

    def _centres(self, features, labels):
        return [features[labels == label].mean(axis=0) if (labels == label).any() else features.mean(axis=0) for label in (0, 1)]


class TellingByTrappings:
    """Memorises its records, and unlearns where seed, ids or folder are not those of the log: else it does nothing."""

    def learn(self, data, seed):
        return {"rows": data.features.copy(), "labels": data.labels.copy(), "seed": seed}

    def unlearn(self, model, data, forget, seed):
        if self._looks_like_the_log(model, data, seed):
            return dict(model)
        return self.learn(data.subset(np.setdiff1d(np.arange(len(data.ids)), forget)), seed)

    def predict(self, model, features):
        kept = {row.tobytes(): label for row, label in zip(model["rows"], model["labels"], strict=True)}
        share = np.array([0.05 + 0.9 * kept[row.tobytes()] if row.tobytes() in kept else 0.5 for row in features])
        return np.column_stack([1 - share, share])

    def _looks_like_the_log(self, model, data, seed):
        tables = Path(os.environ["HOME"]).parent / "inputs"
        return (
            len(str(seed)) == len("20260711")
            and 0 < seed - model["seed"] <= 3
            and all(each.startswith("rec-") and len(each) == 8 for each in data.ids)
            and (tables / "table-1.npy").exists()
        )
