"""Others that forget: one fixed answer, noise in training; and approximate methods with no theorem, listed with their Q."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

from design import Design, Kind
from dishonest.common import noisy, own
from logs import drawn
from submission import NARROW, Submission
from tables import made, moons, wine

Build: TypeAlias = Callable[[int], Submission]
NETWORK = {"use": "torch", "model": "mlp", "params": {"hidden": [16]}, "epochs": 8, "rate": 0.2, "batch": 16}


def _fixed_output(seed: int) -> Submission:
    """Learns, and after the first deletion gives one answer for ever."""
    body = """
    def unlearn(self, model, data, forget, seed):
        return np.zeros_like(model)
    """
    table = (made, wine, moons)[seed % 3](seed)
    return own(
        seed,
        body,
        table=table,
        deleted=drawn(len(table), [[1], [2], [1]], seed),
        claims={"data_deletion": {"q": 2.0, "epsilon": 0.1}},
        required=(*NARROW, "state.stateless", "deletion.renyi", "deletion.adaptive"),
    )


def _private_training(seed: int) -> Submission:
    """Trains with noise that hides everybody from the start, and does nothing when somebody leaves."""
    table = made(seed, n=300)
    private = {"noise_multiplier": 4.0, "max_grad_norm": 1.0, "delta": 1e-5}
    return Submission(
        table=table,
        deleted=drawn(len(table), [[1], [1, 1]], seed),
        procedure={**NETWORK, "batch": 32, "dp": private, "unlearn": "none"},
        claims={"dp": {"epsilon": 4.0, "delta": 1e-5}},
        required=("log.consistency", "log.deadlines", "training.privacy"),
    )


def _network(unlearn: str, **more: Any) -> Build:
    def build(seed: int) -> Submission:
        table = (made, moons)[seed % 2](seed)
        procedure = {**NETWORK, "unlearn": unlearn, **more}
        game = {"swap": {"alpha": 0.2}}  # of a table this small, a tenth is too few records to forget
        deleted = drawn(len(table), [[6], [5]], seed)
        return Submission(table=table, deleted=deleted, procedure=procedure, required=None, plays=True, tables=game)

    return build


def _sharded(seed: int) -> Submission:
    """Shards by the hash of an id; an update retrains those that lose a record, with their own seeds."""
    table = (made, moons, wine)[seed % 3](seed)
    procedure = {**NETWORK, "epochs": 3, "unlearn": "sisa", "unlearn_params": {"shards": 3}}
    return Submission(table=table, deleted=drawn(len(table), [[1], [1, 2]], seed), procedure=procedure)


def _designs(*rows: tuple[str, str, Build], allowed: frozenset[int], by_chance: bool = False) -> tuple[Design, ...]:
    return tuple(
        Design(name=name, kind=Kind.HONEST, lie=what, build=build, allowed=allowed, by_chance=by_chance)
        for name, what, build in rows
    )


DESIGNS = _designs(
    ("fixed-output", "One answer for ever after the first deletion.", _fixed_output),
    ("sharded-networks", "Networks on shards by id are retrained with seeds of their own.", _sharded),
    allowed=frozenset({0}),
) + _designs(
    ("private-training", "Noise in training hides everybody.", _private_training),
    allowed=frozenset({0}),
    by_chance=True,
)


NOISE = _designs(("noise-of-the-system", "Weights have noise that no seed repeats.", noisy), allowed=frozenset({0}))
"""Passes by attacks alone, which take minutes."""
APPROXIMATE = _designs(
    (
        "fine-tuning",
        "A network is trained on for a few rounds, on what remains.",
        _network("fine-tune", unlearn_params={"epochs": 3}),
    ),
    ("salun", "A network's salient weights are trained on random labels of what goes.", _network("salun")),
    allowed=frozenset({0, 1, 3}),
)
