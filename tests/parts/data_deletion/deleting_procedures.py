"""Procedures of which data deletion is claimed: some release nothing of a deleted record, some do."""

from pathlib import Path

import numpy as np


class Mean:
    """Trains anew: the mean of each class, and a prediction by the nearer one."""

    def learn(self, data, seed):
        return np.stack([data.features[data.labels == label].mean(axis=0) for label in (0, 1)])

    def unlearn(self, model, data, forget, seed):
        return self.learn(data.subset(np.setdiff1d(np.arange(len(data.ids)), forget)), seed)

    def predict(self, model, features):
        chances = 1 / (1 + np.exp(features @ (model[0] - model[1])))
        return np.column_stack([1 - chances, chances])

    def parameters(self, model):
        return model.ravel()

    def save(self, model, path):
        with Path(path).open("wb") as file:
            np.savez(file, parameters=model.ravel())

    def load(self, path):
        with np.load(path) as file:
            return file["parameters"].reshape(2, -1)


class Fixed(Mean):
    """The same untrained model from the start."""

    def learn(self, data, seed):
        return np.zeros((2, data.features.shape[1]))


class Kept(Mean):
    """Hands the old model on."""

    def unlearn(self, model, data, forget, seed):
        return model.copy()


class Largest(Kept):
    """Hands on what most records leave no trace in: the largest value of each feature."""

    def learn(self, data, seed):
        return np.stack([data.features.max(axis=0), np.zeros(data.features.shape[1])])


class OnlyInPredictions(Mean):
    """Shows the retrained means, and predicts by a sum over all that it ever learned from."""

    def learn(self, data, seed):
        return {"means": super().learn(data, seed), "secret": data.features.sum(axis=0)}

    def unlearn(self, model, data, forget, seed):
        return {"means": self.learn(data.subset(np.setdiff1d(np.arange(len(data.ids)), forget)), seed)["means"]} | {
            "secret": model["secret"]
        }

    def predict(self, model, features):
        return super().predict(model["means"] + [model["secret"], -model["secret"]], features)

    def parameters(self, model):
        return model["means"].ravel()

    def save(self, model, path):
        super().save(model["means"], path)

    def load(self, path):
        return {"means": super().load(path), "secret": np.zeros(5)}


class OnlyInTheFile(Mean):
    """Releases the retrained means, and writes what they were at first beside them."""

    def learn(self, data, seed):
        return np.stack([super().learn(data, seed)] * 2)

    def unlearn(self, model, data, forget, seed):
        return np.stack([super().unlearn(model, data, forget, seed)[0], model[1]])

    def predict(self, model, features):
        return super().predict(model[0], features)

    def parameters(self, model):
        return model[0].ravel()

    def save(self, model, path):
        with Path(path).open("wb") as file:
            np.savez(file, parameters=model[0].ravel(), first=model[1])

    def load(self, path):
        return np.stack([super().load(path)] * 2)


class FirstFile(Fixed):
    """Releases the same untrained model, and writes what the first update deleted into the file of that update alone."""

    def learn(self, data, seed):
        return np.zeros((2, 2, data.features.shape[1]))

    def unlearn(self, model, data, forget, seed):
        found = np.zeros_like(model)
        if len(data.ids) == FirstFile.records:
            found[1] = data.features[forget].sum(axis=0)
        return found

    def predict(self, model, features):
        return super().predict(model[0], features)

    def parameters(self, model):
        return model[0].ravel()

    def save(self, model, path):
        with Path(path).open("wb") as file:
            np.savez(file, parameters=model[0].ravel(), deleted=model[1])

    def load(self, path):
        return np.stack([super().load(path)] * 2)

    records = 40


class Tombstones(Fixed):
    """Releases an untrained model with the ids of all who were deleted in its first weights."""

    def unlearn(self, model, data, forget, seed):
        found = model.copy()
        found[0, 0] += sum(int.from_bytes(each.encode(), "big") % 1009 for each in data.ids[forget].tolist())
        return found


class SecondUpdate(Fixed):
    """Releases what the second update deleted, in the model of that update alone."""

    records = 39

    def unlearn(self, model, data, forget, seed):
        found = np.zeros_like(model)
        if len(data.ids) == self.records:
            found[0] = data.features[forget].sum(axis=0)
        return found


class LearnedFile(Mean):
    """Shows the same untrained model from the start, and writes what was learned into the first file alone."""

    def learn(self, data, seed):
        return np.stack([np.zeros((2, data.features.shape[1])), super().learn(data, seed)])

    def unlearn(self, model, data, forget, seed):
        return np.zeros_like(model)

    def predict(self, model, features):
        return super().predict(model[0], features)

    def parameters(self, model):
        return model[0].ravel()

    def save(self, model, path):
        with Path(path).open("wb") as file:
            np.savez(file, parameters=model[0].ravel(), learned=model[1])

    def load(self, path):
        return np.stack([super().load(path)] * 2)


class ByChance(Mean):
    def learn(self, data, seed):
        return super().learn(data, seed) + np.random.default_rng().normal()


class Particular(Mean):
    """Refuses records that are longer than 2."""

    def learn(self, data, seed):
        if np.linalg.norm(data.features, axis=1).max() > 2:
            raise ValueError
        return super().learn(data, seed)


class Silent(Mean):
    parameters = None
