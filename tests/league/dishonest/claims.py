"""Designs that claim what was not done, or ask for so little that nothing is promised."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta

from design import Design, Kind
from dishonest.common import LOG, own
from learners import DESCENT
from logs import drawn, row
from submission import NARROW, Submission
from tables import made, moons, wine

KEPT = """
def unlearn(self, model, data, forget, seed):
    return model.copy()
"""
REMOVAL = {
    "use": "certified-removal",
    "l2": 1e-2,
    "sigma": 1.0,
    "epsilon": 1.0,
    "delta": 1e-4,
    "tolerance": 1e-9,
    "unlearn": "newton",
}
CERTIFIED = (*NARROW, "removal.residual", "removal.budget")


def _warm_start(seed: int) -> Submission:
    body = """
    def unlearn(self, model, data, forget, seed):
        return self.descend(model, self.without(data, forget), seed)
    """
    return own(seed, body, base=DESCENT, claims={"retraining": True})


def _only_the_log(seed: int) -> Submission:
    return own(seed, KEPT, required=("log.consistency",))


def _claimed_none(seed: int) -> Submission:
    tree = {"use": "sklearn", "estimator": "sklearn.tree.DecisionTreeClassifier", "unlearn": "none"}
    return Submission(table=moons(seed), deleted=LOG, procedure=tree, claims={"retraining": True}, required=("log.consistency",))


def _large_delta(seed: int) -> Submission:
    procedure = REMOVAL | {"epsilon": 4.0, "delta": 0.99, "seed": 7}
    claims = {"certified_removal": {"epsilon": 4.0, "delta": 0.99}}
    return Submission(table=made(seed), deleted=LOG, procedure=procedure, claims=claims, required=CERTIFIED)


def _large_epsilon(seed: int) -> Submission:
    procedure = REMOVAL | {"epsilon": 60.0}
    claims = {"certified_removal": {"epsilon": 60.0, "delta": 1e-4}}
    return Submission(table=made(seed), deleted=LOG, procedure=procedure, claims=claims, required=CERTIFIED)


def _guessable_seed(seed: int) -> Submission:
    claims = {"certified_removal": {"epsilon": 1.0, "delta": 1e-4}}
    return Submission(table=made(seed), deleted=LOG, procedure=REMOVAL | {"seed": 7}, claims=claims, required=CERTIFIED)


def _noise_not_added(seed: int) -> Submission:
    """Differential privacy is claimed of a learner that adds no noise."""
    return own(seed, KEPT, claims={"dp": {"epsilon": 1.0, "delta": 1e-5}}, required=("log.consistency",))


def _private_retrainer(seed: int) -> Submission:
    """It retrains exactly, and is as private as a ridge regression without noise."""
    return own(seed, "", claims={"dp": {"epsilon": 1.0, "delta": 1e-5}})


def _deletion_of_size(seed: int) -> Submission:
    claims = {"data_deletion": {"q": 2.0, "epsilon": 1e6}}
    procedure = {
        "use": "noisy-gd",
        "loss": "logistic",
        "l2": 0.05,
        "sigma2": 1e-9,
        "learn_steps": 50,
        "unlearn_steps": 1,
        "rate": "theorem",
    }
    required = (*NARROW, "deletion.renyi", "deletion.adaptive", "state.stateless")
    return Submission(table=made(seed), deleted=LOG, procedure=procedure, claims=claims, required=required)


def _removal_by_own_code(seed: int) -> Submission:
    """Certified removal is claimed of code that keeps its model."""
    return own(seed, KEPT, claims={"certified_removal": {"epsilon": 1.0, "delta": 1e-5}}, required=("log.consistency",))


def _deletion_by_own_code(seed: int) -> Submission:
    claims = {"data_deletion": {"q": 2.0, "epsilon": 0.0}}
    return own(
        seed,
        KEPT,
        claims=claims,
        required=(*NARROW, "deletion.renyi", "state.stateless"),
        table=wine(seed),
        deleted=drawn(178, [[2, 1]], seed),
    )


def _deletion_by_a_warm_start(seed: int) -> Submission:
    body = """
    def unlearn(self, model, data, forget, seed):
        return 0.999 * super().unlearn(model, data, forget, seed) + 0.001 * model
    """
    return own(
        seed, body, claims={"data_deletion": {"q": 2.0, "epsilon": 0.0}}, required=(*NARROW, "deletion.renyi", "state.stateless")
    )


def _in_a_hundred_years(seed: int) -> Submission:
    table, at = made(seed), datetime(2025, 1, 7, 9, 0, tzinfo=UTC)
    rows = tuple(row(number, [str(table.ids[place])], at, days=300, batch="run-0") for number, place in enumerate((3, 9)))
    return own(seed, "", table=table, deleted=(((3,), (9,)),), rows=rows, policy={"deadline_days": 36_500})


def _denied_in_bulk(seed: int) -> Submission:
    """Most requests are turned down, so that hardly any have to be carried out."""
    table, at = made(seed), datetime(2026, 3, 3, 9, 0, tzinfo=UTC)
    denied = [
        {
            "request_id": f"D{number}",
            "record_ids": [str(table.ids[20 + number])],
            "received_at": (at + timedelta(days=number)).isoformat(),
            "status": "denied",
        }
        for number in range(8)
    ]
    return own(seed, "", table=table, deleted=(((3,),),), rows=(row(0, [str(table.ids[3])], at, batch="run-0"), *denied))


def _revoked_in_bulk(seed: int) -> Submission:
    """Most people are said to have changed their minds."""
    submission = _denied_in_bulk(seed)
    rows = tuple({**each, "status": "revoked"} if "status" in each else each for each in submission.rows or ())
    return replace(submission, rows=rows)


def _nothing_held_in_bulk(seed: int) -> Submission:
    """Eight of nine people are told that nothing is held, under ids that nobody could find."""
    submission = _denied_in_bulk(seed)
    rows = tuple(
        {**each, "status": "no_match", "record_ids": [f"visitor-{number}"]} if "status" in each else each
        for number, each in enumerate(submission.rows or ())
    )
    return replace(submission, rows=rows)


def _executed_on_paper(seed: int) -> Submission:
    """Requests are open for a year; the log is all that is required, without the deadlines."""
    table, at = made(seed), datetime(2025, 1, 7, 9, 0, tzinfo=UTC)
    rows = [row(number, [str(table.ids[place])], at, batch="run-0") for number, place in enumerate((3, 9))]
    for each in rows[1:]:
        del each["executed_at"], each["batch"]
    return own(seed, "", table=table, deleted=(((3,),),), rows=tuple(rows), required=("log.consistency", "log.deadlines"))


DESIGNS = tuple(
    Design(name=name, kind=Kind.CLAIMS, lie=lie, build=build, said_by=said, quick=name in {"only-the-log", "delta-of-.99"})
    for name, lie, build, said in (
        (
            "warm-start-as-retraining",
            "Retraining is claimed, and training goes on from the old model.",
            _warm_start,
            ("release.exact",),
        ),
        ("only-the-log", "The policy asks for the log alone, and nothing is unlearned.", _only_the_log, ()),
        ("none-as-retraining", "Retraining is claimed of a built-in procedure that does nothing.", _claimed_none, ()),
        ("delta-of-.99", "Certified removal at a δ of .99, with seed 7.", _large_delta, ()),
        ("epsilon-of-60", "Certified removal at an ε of 60.", _large_epsilon, ()),
        ("seed-7", "Certified removal whose perturbation anybody can draw again.", _guessable_seed, ()),
        ("privacy-without-noise", "Privacy is claimed where no noise is added, nor anything unlearned.", _noise_not_added, ()),
        ("private-retrainer", "An exact retrainer claims a privacy that it does not have.", _private_retrainer, ()),
        ("deletion-at-a-million", "Data deletion at an ε that promises nothing.", _deletion_of_size, ()),
        ("removal-by-word", "Certified removal is claimed of code that keeps its model.", _removal_by_own_code, ()),
        (
            "deletion-by-word",
            "Data deletion is claimed of code that keeps its model.",
            _deletion_by_own_code,
            ("deletion.renyi",),
        ),
        (
            "a-thousandth-stays",
            "Data deletion at ε = 0 is claimed, and a thousandth of the old model stays.",
            _deletion_by_a_warm_start,
            ("deletion.renyi",),
        ),
        (
            "a-hundred-years",
            "The policy's deadline is a hundred years; the requests took ten months.",
            _in_a_hundred_years,
            ("log.deadlines",),
        ),
        (
            "denied-in-bulk",
            "Eight of nine requests are turned down without a word.",
            _denied_in_bulk,
            ("log.consistency", "log.deadlines"),
        ),
        (
            "nothing-held-in-bulk",
            "Eight of nine people are told that nothing is held.",
            _nothing_held_in_bulk,
            ("log.consistency", "log.deadlines"),
        ),
        (
            "revoked-in-bulk",
            "Eight of nine people are said to have changed their minds.",
            _revoked_in_bulk,
            ("log.consistency", "log.deadlines"),
        ),
        ("open-for-a-year", "A request has been open for more than a year.", _executed_on_paper, ("log.deadlines",)),
    )
)
