"""Chains of the declared noisy gradient descent on worst-case neighbours, and what is counted on them.

Every event is fixed on half of the chains and counted on the other.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import numpy as np
import numpy.typing as npt

from auditor.audit.two_worlds import count, rule
from auditor.base.domain import Floats
from auditor.base.draws import generator
from auditor.case import Case
from auditor.learning.noisy_gd.chains import Machine, Records
from auditor.learning.noisy_gd.descent import Descent
from auditor.learning.noisy_gd.fields import LinearLoss
from auditor.learning.row_norms import bounded
from auditor.maths.certificates.losses import Loss
from auditor.parts.data_deletion.judging.chains import LEAST_CHAINS
from auditor.parts.data_deletion.observing.neighbour_chains import Setup, neighbours, operations, reencoded, simulate
from auditor.parts.data_deletion.settings import read
from auditor.parts.swap.judging.epsilon_consistency.observed import Events, Simulated
from auditor.settings.facets import NoisyDescent
from auditor.verdict.checks.counted import Counted

PROGRESS: Final = "chains on worst-case neighbours"
MOST_CHAINS: Final = 2000
QUICK_CHAINS: Final = 100
MOST_OPERATIONS: Final = 4e10
"""About five seconds of one core."""


def observe(
    case: Case, *, seed: int, quick: bool, workers: int = 1, on_step: Callable[[str, int, int], None] = lambda *_: None
) -> Simulated | None:
    """Run the chains of a case's settings and count; None unless its procedure is noisy gradient descent on a known loss.

    Args:
        case: The case.
        seed: The auditor's own.
        quick: Run few chains, which decide nothing.
        workers: Threads.
        on_step: Called with what goes on.
    """
    procedure = case.settings.procedure.descent
    if procedure is None or procedure.loss is None:
        return None
    setup = _setup(case, procedure, procedure.loss)
    affordable = int(MOST_OPERATIONS / max(1.0, operations(setup)))
    chains = min(QUICK_CHAINS if quick else MOST_CHAINS, affordable) // 4 * 4
    if chains < (QUICK_CHAINS if quick else LEAST_CHAINS):
        return Simulated(count=0, events=None)
    events = _run(setup, chains, generator(seed, "chains"), Machine(workers=workers), on_step)
    return Simulated(count=chains, events=events)


def _setup(case: Case, procedure: NoisyDescent, loss: Loss) -> Setup:
    features = bounded(case.train.features) if procedure.row_norms == "scale" else case.train.features
    labels, codes = np.unique(case.train.labels, return_inverse=True)
    descent = Descent(procedure.l2, procedure.sigma2, read(procedure).rate, stationary=procedure.loss_cap is None)
    return Setup(
        loss=LinearLoss(loss, len(labels), clip=procedure.clip, cap=procedure.loss_cap),
        records=Records(features, codes.astype(np.int64)),
        descent=descent,
        learn_steps=procedure.learn_steps,
        unlearn_steps=procedure.unlearn_steps,
    )


def _run(
    setup: Setup, chains: int, rng: np.random.Generator, machine: Machine, on_step: Callable[[str, int, int], None]
) -> Events:
    own, played = rng.spawn(2)
    found = neighbours(setup)
    on_step(PROGRESS, 0, 2)
    ran = simulate(setup, found, chains=chains, rng=own, machine=machine)
    on_step(PROGRESS, 1, 2)
    # The requester's own test is no part of what is counted: it is fixed on the half that every rule is fixed on.
    test = rule(*_pair(*ran.learned), _fitting(chains), found.direction)
    released = reencoded(setup, found, ran.learned, test, rng=played, machine=machine)
    on_step(PROGRESS, 2, 2)

    def counted(first: Floats, second: Floats) -> Counted:
        return count(*_pair(first, second), _fitting(chains), found.direction)

    return Events(
        learned=counted(*ran.learned),
        edited=counted(*ran.edited),
        without=counted(ran.unlearned[0], ran.without),
        two_records=counted(*ran.unlearned),
        played=counted(*released),
    )


def _pair(first: Floats, second: Floats) -> tuple[Floats, npt.NDArray[np.int64]]:
    """Models of two worlds in one table, and their worlds."""
    return np.concatenate([first, second]), np.repeat(np.array([0, 1], dtype=np.int64), [len(first), len(second)])


def _fitting(chains: int) -> npt.NDArray[np.bool_]:
    """The first half of each world's chains; which ones does not matter, as all are alike."""
    return np.tile(np.arange(chains) < chains // 2, 2)
