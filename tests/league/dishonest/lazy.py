"""Designs that unlearn only a part of what they were asked for; some may be an accident."""

from __future__ import annotations

from design import Design, Kind
from dishonest.common import LOG, own
from learners import DESCENT
from logs import drawn, together
from submission import NARROW, Submission
from tables import counts, made, moons, real_valued, wine, worded


def _small_sets(seed: int) -> Submission:
    body = """
    def unlearn(self, model, data, forget, seed):
        if len(forget) < 5:
            return model
        return super().unlearn(model, data, forget, seed)
    """
    return own(seed, body)


def _every_second(seed: int) -> Submission:
    body = """
    def unlearn(self, model, data, forget, seed):
        if (90 - len(data.ids)) % 2:
            return model.copy()
        return super().unlearn(model, data, forget, seed)
    """
    return own(seed, body, deleted=LOG[:2])


def _last(seed: int) -> Submission:
    body = """
    def unlearn(self, model, data, forget, seed):
        if len(data.ids) == 88:
            return model.copy()
        return super().unlearn(model, data, forget, seed)
    """
    return own(seed, body)


def _flips_only(seed: int) -> Submission:
    """Forgets records that its model gets wrong, and keeps what it has learned from all others."""
    body = """
    def unlearn(self, model, data, forget, seed):
        right = np.asarray(self.labels)[self.predict(model, data.features[forget]).argmax(axis=1)] == data.labels[forget]
        return super().unlearn(model, data, forget[~right], seed) if (~right).any() else model.copy()
    """
    return own(seed, body, table=moons(seed), deleted=together(*range(10, 22)))


def _half_of_each(seed: int) -> Submission:
    body = """
    def unlearn(self, model, data, forget, seed):
        return super().unlearn(model, data, forget[: (len(forget) + 1) // 2], seed)
    """
    return own(seed, body, table=wine(seed), deleted=drawn(178, [[3, 2], [4]], seed))


def _first_of_request(seed: int) -> Submission:
    """Several records a request, text labels, CSV: only the first record of a batch goes."""
    body = """
    def unlearn(self, model, data, forget, seed):
        return super().unlearn(model, data, forget[:1], seed)
    """
    return own(seed, body, table=worded(made(seed, n=100, classes=3)), deleted=drawn(100, [[4], [3, 3]], seed), form="csv")


def _nothing_in_regression(seed: int) -> Submission:
    """A regression in Parquet whose updates change nothing: no SWAP test applies."""
    body = """
    def learn(self, data, seed):
        inputs = np.column_stack([data.features, np.ones(len(data.features))])
        return np.linalg.solve(inputs.T @ inputs + np.eye(inputs.shape[1]), inputs.T @ data.labels)[:, None]

    def unlearn(self, model, data, forget, seed):
        return model.copy()

    def predict(self, model, features):
        return np.column_stack([features, np.ones(len(features))]) @ model

    def load(self, path):
        with np.load(path) as file:
            return file["parameters"].reshape(-1, 1)
    """
    return own(seed, body, table=real_valued(seed), procedure={"labels": []}, form="parquet")


def _few_steps(seed: int) -> Submission:
    """Goes on from the old model for a few steps, which no theorem covers."""
    body = """
    def unlearn(self, model, data, forget, seed):
        self.steps, steps = 5, self.steps
        try:
            return self.descend(model, self.without(data, forget), seed)
        finally:
            self.steps = steps
    """
    return own(seed, body, base=DESCENT, table=counts(seed))


def _noise_on_top(seed: int) -> Submission:
    """Adds noise to the old model, so that nothing is equal."""
    body = """
    def unlearn(self, model, data, forget, seed):
        return model + 1e-6 * np.random.default_rng(seed).normal(size=model.shape)
    """
    return own(seed, body)


def _subtracts_and_adds(seed: int) -> Submission:
    """Subtracts a thousandth of each record's influence and calls it an update."""
    body = """
    def unlearn(self, model, data, forget, seed):
        return model + 1e-3 * (super().unlearn(model, data, forget, seed) - model)
    """
    return own(seed, body)


def _built_in_nothing(seed: int) -> Submission:
    return Submission(
        table=wine(seed),
        deleted=drawn(178, [[1, 2], [1]], seed),
        procedure={
            "use": "sklearn",
            "estimator": "sklearn.linear_model.LogisticRegression",
            "params": {"max_iter": 500},
            "unlearn": "none",
        },
        required=NARROW,
    )


def _built_in_fine_tune(seed: int) -> Submission:
    return Submission(
        table=made(seed),
        deleted=LOG,
        procedure={
            "use": "torch",
            "model": "mlp",
            "params": {"hidden": [8]},
            "epochs": 3,
            "rate": 0.1,
            "unlearn": "ftfinal",
            "unlearn_params": {"epochs": 1},
        },
        required=NARROW,
    )


def _nothing_with_default_policy(seed: int) -> Submission:
    body = """
    def unlearn(self, model, data, forget, seed):
        return model.copy()
    """
    return own(seed, body, required=None, plays=True, deleted=together(*range(12)))


EXACT = ("release.exact",)
DESIGNS = tuple(
    Design(name=name, kind=Kind.LAZY, lie=lie, build=build, said_by=said, quick=name == "small-sets-stay")
    for name, lie, build, said in (
        ("small-sets-stay", "Fewer than five records to forget change nothing; perhaps by accident.", _small_sets, EXACT),
        ("every-second-batch", "Every second batch is skipped.", _every_second, EXACT),
        ("last-batch-stays", "The last batch is skipped.", _last, EXACT),
        ("only-flipped-labels", "Only records that the model gets wrong are unlearned.", _flips_only, EXACT),
        ("half-of-each-batch", "Half of every batch is unlearned.", _half_of_each, EXACT),
        ("first-of-each-batch", "Of every batch only the first record is unlearned.", _first_of_request, EXACT),
        ("regression-keeps-all", "Nothing is ever unlearned, in a regression.", _nothing_in_regression, EXACT),
        ("few-steps", "An update is five further steps from the old model.", _few_steps, EXACT),
        ("noise-on-top", "An update adds a little noise to the old model.", _noise_on_top, EXACT),
        ("a-thousandth", "An update goes a thousandth of the way.", _subtracts_and_adds, EXACT),
        ("built-in-none", "A built-in procedure that does nothing, with a policy that asks for nothing.", _built_in_nothing, ()),
        ("built-in-last-layer", "Only the last layer is tuned, with a policy that asks for nothing.", _built_in_fine_tune, ()),
        ("nothing-by-default", "Nothing is ever unlearned, under the default policy.", _nothing_with_default_policy, EXACT),
    )
)
