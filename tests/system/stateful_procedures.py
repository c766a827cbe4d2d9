"""Procedures that carry something on beside the model, each in a place of its own, and two that carry nothing."""

import functools
from pathlib import Path

import numpy as np

from auditor.sandbox import state_probe

COUNT = 0


class Clean:
    """Pulls its parameters halfway to the mean of what remains; everything random comes from the seed."""

    def learn(self, data, seed):
        return self._pulled(np.zeros(data.features.shape[1]), data, seed)

    def unlearn(self, model, data, forget, seed):
        kept = data.subset(np.setdiff1d(np.arange(len(data.ids)), forget))
        return self._pulled(model + self.hidden(data, forget), kept, seed)

    def _pulled(self, model, data, seed):
        signs = np.where(data.labels == data.labels.max(), 1.0, -1.0)
        return 0.5 * model + 0.5 * signs @ data.features / len(data.ids) + self.noise(seed, len(model))

    def noise(self, seed, size):
        return 0.01 * np.random.default_rng(seed).normal(size=size)

    def hidden(self, data, forget):
        """What an update adds that is not in the model."""
        return 0.0

    def predict(self, model, features):
        chances = 1 / (1 + np.exp(-features @ model))
        return np.column_stack([1 - chances, chances])

    def parameters(self, model):
        return model

    def save(self, model, path):
        np.savez(path, parameters=model)

    def load(self, path):
        with np.load(path) as file:
            return file["parameters"]


class ByChance(Clean):
    def noise(self, seed, size):
        return 0.01 * np.random.default_rng().normal(size=size)


class FromLearningOnly(Clean):
    """Hands the records that it learned from on to the first update, and nothing after that."""

    learned = None

    def learn(self, data, seed):
        self.learned = data.features.sum()
        return super().learn(data, seed)

    def hidden(self, data, forget):
        found, self.learned = self.learned, None
        return 0.0 if found is None else found


class Attribute(Clean):
    def __init__(self):
        self.deleted = 0

    def hidden(self, data, forget):
        self.deleted += len(forget)
        return 0.1 * self.deleted


class ActsLate(Attribute):
    """Counts from the start, and lets the count show in the sixth update alone."""

    def hidden(self, data, forget):
        self.deleted += len(forget)
        return 0.1 if self.deleted == 6 else 0.0


class AttributeByChance(Attribute):
    noise = ByChance.noise


class ModuleGlobal(Clean):
    def hidden(self, data, forget):
        global COUNT  # noqa: PLW0603
        COUNT += len(forget)
        return 0.1 * COUNT


class ClassAttribute(Clean):
    seen = ()

    def hidden(self, data, forget):
        ClassAttribute.seen += tuple(data.features[forget, 0])
        return sum(ClassAttribute.seen)


class InFile(Clean):
    def hidden(self, data, forget):
        path = Path("deleted.txt")
        path.write_text((path.read_text() if path.exists() else "") + "x")
        return 0.1 * path.stat().st_size


@functools.lru_cache
def first_met(name):
    return np.random.default_rng().normal()


class Cached(Clean):
    """Draws once, for the first deletion, and keeps to it: every process draws another."""

    def hidden(self, data, forget):
        return self.drawn(1)

    def noise(self, seed, size):
        return 0.0

    @staticmethod
    def drawn(name):
        return 0.1 * remembered(name)


@functools.cache
def latest():
    return []


def remembered(name):
    latest().append(name)
    return len(latest())


class GlobalGenerator(Clean):
    """Seeds the global generator when learning, and draws from it ever after."""

    def learn(self, data, seed):
        np.random.seed(seed % 2**32)  # noqa: NPY002
        return super().learn(data, seed)

    def noise(self, seed, size):
        return 0.01 * np.random.normal(size=size)  # noqa: NPY002


class ReseededGlobalGenerator(Clean):
    """Moves the global generator, and reads nothing of where it was left."""

    def noise(self, seed, size):
        np.random.seed(seed % 2**32)  # noqa: NPY002
        return 0.01 * np.random.normal(size=size)  # noqa: NPY002


def counting():
    total = 0

    def count(size):
        nonlocal total
        total += size
        return total

    return count


class Closure(Clean):
    count = staticmethod(counting())

    def hidden(self, data, forget):
        return 0.1 * self.count(len(forget))


class SavedFile(Clean):
    """Carries a count in its model and in its file, which `parameters` does not show."""

    def learn(self, data, seed):
        return {"weights": super().learn(data, seed), "deleted": 0}

    def unlearn(self, model, data, forget, seed):
        deleted = model["deleted"] + len(forget)
        return {"weights": super().unlearn(model["weights"] + 0.1 * deleted, data, forget, seed), "deleted": deleted}

    def predict(self, model, features):
        return super().predict(model["weights"], features)

    def parameters(self, model):
        return model["weights"]

    def save(self, model, path):
        np.savez(path, parameters=model["weights"], deleted=model["deleted"])

    def load(self, path):
        with np.load(path) as file:
            return {"weights": file["parameters"], "deleted": int(file["deleted"]) if "deleted" in file.files else 0}


class OnlyItsOwnFile(SavedFile):
    def load(self, path):
        with np.load(path) as file:
            return {"weights": file["parameters"], "deleted": int(file["deleted"])}


class HiddenInPredictions(Attribute):
    """Shows the same parameters always; what it predicts is another thing."""

    def parameters(self, model):
        return np.zeros(3)


class Narrow(Clean):
    """Computes in float32, as many networks do."""

    def _pulled(self, model, data, seed):
        return super()._pulled(model, data, seed).astype(np.float32)


class NoLoad(Clean):
    load = None


class Strange(Clean):
    """Loads something that is no model."""

    def load(self, path):
        return {"path": path}


class Refusing(Clean):
    def load(self, path):
        raise OSError(path)


class Telling(Clean):
    """Leaves its seed where a survey sees it."""

    def learn(self, data, seed):
        self.seed = seed
        Path(str(seed)).touch()
        return super().learn(data, seed)


class Lying(Clean):
    """Has its own word where the survey is written."""

    def learn(self, data, seed):
        state_probe.look = lambda *_: [1, 2]
        return super().learn(data, seed)


class Awkward(Clean):
    """Carries nothing, and minds being looked at."""

    __slots__ = ("never",)

    def __getattr__(self, name):
        if name == "never":
            raise OSError
        raise AttributeError(name)
