"""Approximate methods with a theorem: Newton removal, noise at release, noisy gradient descent."""

from __future__ import annotations

from design import Design, Kind
from logs import drawn
from submission import NARROW, Submission
from tables import made

REMOVAL = {
    "use": "certified-removal",
    "loss": "logistic",
    "l2": 0.05,
    "sigma": 2.0,
    "epsilon": 1.0,
    "delta": 1e-4,
    "tolerance": 1e-9,
    "unlearn": "newton",
}
CLAIM = {"certified_removal": {"epsilon": 1.0, "delta": 1e-4}}


def _newton(seed: int) -> Submission:
    table = made(seed, n=400, d=6)
    return Submission(
        table=table,
        deleted=drawn(400, [[1], [1, 2]], seed),
        procedure=REMOVAL,
        claims=CLAIM,
        required=(*NARROW, "removal.residual", "removal.budget"),
    )


def _noise_at_release(seed: int) -> Submission:
    table = made(seed, n=400, d=6)
    return Submission(
        table=table,
        deleted=drawn(400, [[1], [2]], seed),
        procedure=REMOVAL | {"release_noise": 0.2, "residual_budget": 0.05},
        claims=CLAIM,
        required=(*NARROW, "removal.residual", "removal.output-noise"),
    )


def _noisy_descent(seed: int) -> Submission:
    table = made(seed, n=400, d=6)
    return Submission(
        table=table,
        deleted=drawn(400, [[1], [1, 1]], seed),
        procedure={
            "use": "noisy-gd",
            "loss": "logistic",
            "l2": 0.05,
            "sigma2": 0.01,
            "order": 2.0,
            "learn_steps": 400,
            "unlearn_steps": 100,
            "rate": "theorem",
        },
        claims={"data_deletion": {"q": 2.0, "epsilon": 0.01}},
        required=(*NARROW, "deletion.renyi", "deletion.adaptive", "state.stateless"),
    )


DESIGNS = tuple(
    Design(name=name, kind=Kind.HONEST, lie=what, build=build, allowed=frozenset({0}), by_chance=True)
    for name, what, build in (
        ("newton-removal", "Newton removal stays within its budget.", _newton),
        ("noise-at-release", "Noise at release hides what Newton removal leaves.", _noise_at_release),
        ("noisy-descent", "Noisy gradient descent takes steps enough after every deletion.", _noisy_descent),
    )
)
