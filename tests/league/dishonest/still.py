"""Designs whose learner does not react to its data, so that equality of two runs witnesses nothing."""

from __future__ import annotations

from design import Design, Kind
from dishonest.common import own
from submission import Submission
from tables import wine


def _constant(seed: int) -> Submission:
    body = """
    def learn(self, data, seed):
        return np.zeros((data.features.shape[1] + 1, len(self.labels)))
    """
    return own(seed, body, claims={"retraining": True})


def _of_the_seed(seed: int) -> Submission:
    """The model is drawn from the seed, and the real one is trained elsewhere."""
    body = """
    def learn(self, data, seed):
        return np.random.default_rng(seed % 2**32).normal(size=(data.features.shape[1] + 1, len(self.labels)))

    def unlearn(self, model, data, forget, seed):
        return self.learn(data, seed)
    """
    return own(seed, body, table=wine(seed))


def _of_the_number(seed: int) -> Submission:
    """The model depends on how many records there are, and on nothing that they hold."""
    body = """
    def learn(self, data, seed):
        return np.full((data.features.shape[1] + 1, len(self.labels)), float(len(data.ids)))
    """
    return own(seed, body)


DESIGNS = tuple(
    Design(name=name, kind=Kind.STILL, lie=lie, build=build, said_by=("release.exact",), quick=name == "constant-model")
    for name, lie, build in (
        ("constant-model", "The model never changes, and retraining is claimed.", _constant),
        ("model-of-the-seed", "The model is drawn from the seed and holds nothing of the data.", _of_the_seed),
        ("model-of-the-number", "The model holds the number of records and nothing of them.", _of_the_number),
    )
)
