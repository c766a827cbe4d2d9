"""Procedures that retrain exactly and keep the deleted rows all the same, encrypted with a key that nobody else has."""

import hashlib
from pathlib import Path

import numpy as np

KEY = b"of the controller alone"


def hidden(content):
    """The content under a one-time pad: no search finds what it holds."""
    pad = b"".join(hashlib.sha256(KEY + bytes([number % 256])).digest() for number in range(len(content) // 32 + 1))
    return bytes(each ^ other for each, other in zip(content, pad, strict=False))


class Honest:
    """The weighted mean of the rows, from scratch each time."""

    def learn(self, data, seed):
        signs = np.where(data.labels == data.labels.max(), 1.0, -1.0)
        return {"weights": signs @ data.features / len(data.labels)}

    def unlearn(self, model, data, forget, seed):
        return self.learn(data.subset(np.setdiff1d(np.arange(len(data.ids)), forget)), seed)

    def predict(self, model, features):
        chances = 1 / (1 + np.exp(-features @ model["weights"]))
        return np.column_stack([1 - chances, chances])

    def parameters(self, model):
        return model["weights"]

    def state(self, model):
        return model["weights"].tobytes()

    def save(self, model, path):
        with Path(path).open("wb") as file:
            np.savez(file, parameters=model["weights"])

    def load(self, path):
        with np.load(path) as file:
            return {"weights": file["parameters"]}


class Keeping(Honest):
    """Has the deleted rows, encrypted, in the closure that a subclass reads."""

    def unlearn(self, model, data, forget, seed):
        made = super().unlearn(model, data, forget, seed)
        return {**made, "more": hidden(data.features[forget].tobytes())}


class InState(Keeping):
    def state(self, model):
        return model["weights"].tobytes() + model.get("more", b"")


class InFile(Keeping):
    def save(self, model, path):
        with Path(path).open("wb") as file:
            np.savez(file, parameters=model["weights"], more=np.frombuffer(model.get("more", b""), dtype=np.uint8))


class InAttribute(Keeping):
    pass


class InAnswers(Honest):
    """Has one byte of a deleted row in the low digits of each answer, far below what anybody prints."""

    rows = b""

    def unlearn(self, model, data, forget, seed):
        InAnswers.rows = hidden(data.features[forget].tobytes())
        return super().unlearn(model, data, forget, seed)

    def predict(self, model, features):
        answers = super().predict(model, features)
        own = np.frombuffer(self.rows or b"\0", dtype=np.uint8)
        low = np.resize(own, len(answers)) * 2.0**-50
        return answers + np.column_stack([low, -low])


class Halfway(Honest):
    """Goes half the way from the old model to the retrained one: an approximation, which has something of the deleted rows."""

    def unlearn(self, model, data, forget, seed):
        return {"weights": (model["weights"] + super().unlearn(model, data, forget, seed)["weights"]) / 2}


class HalfwayInState(Halfway, InState):
    def unlearn(self, model, data, forget, seed):
        made = super().unlearn(model, data, forget, seed)
        return {**made, "more": hidden(data.features[forget].tobytes())}
