"""Procedures for the sandbox tests that do many at a time, well or otherwise."""

import os
import time

import numpy as np


class Single:
    """One at a time; a model is a list, which the procedure changes in place."""

    def learn(self, data, seed):
        return [data.features.mean(axis=0), seed]

    def unlearn(self, model, data, forget, seed):
        model[0] = model[0] - data.features[forget].sum(axis=0)
        return list(model)

    def predict(self, model, features):
        features *= 0.0
        features += model[0]
        share = 1 / (1 + np.exp(-features[:, 0]))
        return np.stack([share, 1 - share], axis=1)

    def facts(self, model):
        return {"mean": float(model[0][0]), "calls": "one"}


class Many(Single):
    """The same, and all at once."""

    def __init__(self):
        self.calls = 0

    def learn_many(self, datas, seeds):
        self.calls += 1
        return [self.learn(data, seed) for data, seed in zip(datas, seeds, strict=True)]

    def unlearn_many(self, models, datas, forgets, seeds):
        self.calls += 1
        return tuple(self.unlearn(*each) for each in zip(models, datas, forgets, seeds, strict=True))

    def predict_many(self, models, features):
        self.calls += 1
        return [self.predict(*each) for each in zip(models, features, strict=True)]

    def facts(self, model):
        return {"mean": float(model[0][0]), "calls": str(self.calls)}


class Odd(Many):
    """Learns many in a way that is no answer."""

    def __init__(self, kind):
        super().__init__()
        self.kind = kind

    def learn_many(self, datas, seeds):
        models = super().learn_many(datas, seeds)
        return {
            "short": models[:-1],
            "long": [*models, models[0]],
            "iterator": iter(models),
            "none": [*models[:-1], None],
            "same": [models[0]] * len(models),
            "exit": models,
        }.get(self.kind, models)

    def predict_many(self, models, features):
        if self.kind == "exit":
            os._exit(0)
        if self.kind == "slow":
            time.sleep(2.0)
        found = super().predict_many(models, features)
        found[1] = {
            "nan": found[1] * np.nan,
            "sums": found[1] * 1.1,
            "shape": found[1][:-1],
            "objects": found[1].astype(object),
        }.get(self.kind, found[1])
        return found[:-1] if self.kind == "few" else found

    def facts(self, model):
        if self.kind == "seed":
            return {"seed": model[1]}
        if self.kind == "nested":
            return {"a": [1]}
        return {"text": "x" * 400_000} if self.kind == "huge" else {}
