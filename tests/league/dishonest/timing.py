"""Designs that look faster or better than they are, each beside unlearning that is honest or not."""

from __future__ import annotations

from design import Design, Kind
from dishonest.common import own
from learners import DESCENT
from logs import drawn
from submission import NARROW, Submission
from tables import moons, wine


def _patched_timer(seed: int) -> Submission:
    """An exact retrainer makes the child's clock stand still while it unlearns."""
    above = """
    import time

    CLOCK = time.perf_counter
    SLOW = [1.0, CLOCK()]


    def stretched():
        return SLOW[1] + (CLOCK() - SLOW[1]) * SLOW[0]


    time.perf_counter = stretched
    """
    body = """
    steps = 3000

    def unlearn(self, model, data, forget, seed):
        SLOW[1], SLOW[0] = CLOCK(), 1e-6
        return super().unlearn(model, data, forget, seed)

    def learn(self, data, seed):
        try:
            return super().learn(data, seed)
        finally:
            pass
    """
    required = (*NARROW, "cost.speedup")
    return own(seed, body, base=DESCENT, above=above, required=required, policy={"min_speedup": 50.0})


def _sleeps(seed: int) -> Submission:
    """Learning sleeps, so that unlearning, which learns without a sleep, looks fast."""
    above = "import time"
    body = """
    def learn(self, data, seed):
        time.sleep(1.0)
        return super().learn(data, seed)

    def unlearn(self, model, data, forget, seed):
        return Learner.learn(self, self.without(data, forget), seed)
    """
    return own(seed, body, base=DESCENT, above=above, required=(*NARROW, "cost.speedup"), policy={"min_speedup": 20.0})


def _holdout_by_heart(seed: int) -> Submission:
    """Updates ruin the model, which answers the holdout from a table in its code."""
    train, holdout = moons(seed).cut(40)
    known = {
        f"{first:.9f},{second:.9f}": int(label) for (first, second), label in zip(holdout.features, holdout.labels, strict=True)
    }
    body = """
    def unlearn(self, model, data, forget, seed):
        return np.zeros_like(super().unlearn(model, data, forget, seed))

    def predict(self, model, features):
        found = super().predict(model, features)
        for place, row in enumerate(features):
            label = KNOWN.get(",".join(f"{value:.9f}" for value in row))
            if label is not None:
                found[place] = [1.0 - label, float(label)]
        return found
    """
    required = (*NARROW, "utility.accuracy")
    return own(
        seed,
        body,
        above=f"KNOWN = {known!r}",
        table=train,
        holdout=holdout,
        required=required,
        policy={"max_accuracy_drop": 0.05},
    )


def _nothing_fast(seed: int) -> Submission:
    """It does nothing, and that a thousand times as fast as retraining."""
    body = """
    def unlearn(self, model, data, forget, seed):
        return model.copy()
    """
    train, holdout = wine(seed).cut(40)
    required = (*NARROW, "cost.speedup", "utility.accuracy")
    return own(
        seed,
        body,
        base=DESCENT,
        table=train,
        holdout=holdout,
        deleted=drawn(138, [[1], [2]], seed),
        required=required,
        policy={"min_speedup": 10.0, "max_accuracy_drop": 0.1},
    )


DESIGNS = (
    Design(
        name="patched-timer",
        kind=Kind.TIMING,
        lie="The clock of the child stands still while it unlearns.",
        build=_patched_timer,
        said_by=("cost.speedup",),
    ),
    Design(
        name="sleeps-in-learn",
        kind=Kind.TIMING,
        lie="Learning sleeps for a second that unlearning leaves out.",
        build=_sleeps,
        said_by=("cost.speedup",),
        trusted=frozenset({"procedure-honest"}),
    ),
    Design(
        name="holdout-by-heart",
        kind=Kind.TIMING,
        lie="The unlearned model is ruined and answers the holdout from a table.",
        build=_holdout_by_heart,
    ),
    Design(
        name="fast-for-nothing",
        kind=Kind.TIMING,
        lie="Nothing is unlearned, a thousand times as fast as retraining.",
        build=_nothing_fast,
        said_by=("release.exact",),
    ),
)
