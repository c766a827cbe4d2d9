"""Chains of the declared noisy gradient descent on worst-case neighbours, and what is counted on them.

Every event is fixed on half of the chains and counted on the other.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from auditor.audit.with_and_without import count, rule
from auditor.base.draws import generator
from auditor.base.records import Floats
from auditor.case import Case
from auditor.learning.noisy_gd.chains import Machine, Records, run, starts
from auditor.learning.noisy_gd.descent import Descent
from auditor.learning.noisy_gd.fields import LinearLoss, MeanGradient
from auditor.learning.residuals import bounded, row_norms
from auditor.maths.certificates.losses import Loss
from auditor.parts.data_deletion.judging.chains import LEAST_CHAINS
from auditor.parts.data_deletion.settings import read
from auditor.parts.swap.judging.epsilon_consistency.observed import Events, Simulated
from auditor.settings.facets import NoisyDescent
from auditor.verdict.checks.differences import Counted

# Chains of noisy gradient descent on worst-case neighbours: what a deleted record could have been, and what it leaves.
# Two databases of the case's size differ in one place. What is there is made from the case's own records, each scaled to norm
# 1 and with any label: first the one whose gradient at the optimum is the longest, and against it the one whose gradient lies
# furthest from that. The constants of the loss hold for both. Where chains of two kinds are compared, no chain of one kind
# depends on which others there are.
_OPTIMISING: Final = 300
"""Steps to the optimum. Nothing rests on how near they come: any neighbouring databases would do."""


@dataclass(frozen=True, slots=True, eq=False)
class Setup:
    """What the chains run."""

    loss: LinearLoss
    records: Records
    """Shape (n, d), the case's."""
    descent: Descent
    learn_steps: int
    unlearn_steps: int

    @property
    def size(self) -> int:
        """p."""
        return self.loss.outputs * int(self.records.features.shape[1])


@dataclass(frozen=True, slots=True, eq=False)
class Neighbours:
    """Two records that are in one place, another place, and a direction that was fixed before any chain ran."""

    features: Floats
    """Shape (2, d), each row of norm 1."""
    labels: npt.NDArray[np.int64]
    """Shape (2,)."""
    target: int
    """The place where the databases differ."""
    other: int
    """The place that a requester edits."""
    direction: Floats
    """Shape (p,): along it the first record moves the parameters further than the second."""


@dataclass(frozen=True, slots=True, eq=False)
class Chains:
    """Final parameters, each of shape (chains, p)."""

    learned: tuple[Floats, Floats]
    """With the first record in the target's place, and with the second."""
    unlearned: tuple[Floats, Floats]
    """The same chains after the target was deleted."""
    without: Floats
    """Learned and unlearned without the target from the start."""
    edited: tuple[Floats, Floats]
    """Learned alike, and then updated to data without the target and with the first record in the other place, or the second."""


def neighbours(setup: Setup) -> Neighbours:
    """Worst-case neighbours on the records of a case."""
    features, labels, loss = setup.records.features, setup.records.labels, setup.loss
    optimum = _optimum(setup)
    norms = np.maximum(row_norms(features), 1e-300)[:, None]
    unit = np.where(norms > 1e-300, features / norms, 0.0)
    if not unit.any():
        raise ValueError("every record is zero: there is no neighbour to tell apart")
    given: list[tuple[Floats, npt.NDArray[np.int64], Floats]] = []
    for label in range(loss.classes):
        marks = np.full(len(unit), label, dtype=np.int64)
        given.append((unit, marks, _slopes(loss, optimum, unit, marks)))
    rows, marks = np.concatenate([each[0] for each in given]), np.concatenate([each[1] for each in given])
    slopes = np.concatenate([each[2] for each in given])
    lengths = np.linalg.norm(slopes, axis=1) * np.linalg.norm(rows, axis=1)
    first = int(np.argmax(lengths))
    # |r xT - r' x'T|^2 of two outer products, without forming any.
    apart = lengths**2 + lengths[first] ** 2 - 2 * (slopes @ slopes[first]) * (rows @ rows[first])
    second = int(np.argmax(apart))
    gradients = [np.outer(slopes[each], rows[each]).ravel() for each in (first, second)]
    target = first % len(labels)
    return Neighbours(
        features=rows[[first, second]],
        labels=marks[[first, second]],
        target=target,
        other=(target + 1) % len(labels),
        direction=gradients[1] - gradients[0],
    )


def operations(setup: Setup) -> float:
    """Roughly how many operations one chain of each kind takes, all kinds together."""
    # Three that learn and are unlearned, two that are edited, and two rounds of the requester in both worlds.
    steps = 3 * setup.learn_steps + 9 * setup.unlearn_steps
    rows, width = setup.records.features.shape
    return float(steps * rows * setup.loss.outputs * (width + 16))


def simulate(setup: Setup, found: Neighbours, *, chains: int, rng: np.random.Generator, machine: Machine) -> Chains:
    """Run the chains."""
    target = np.array([found.target])
    left = setup.records.without(target)

    def after(records: Records, models: Floats, own: np.random.Generator) -> Floats:
        return _update(setup, records, models, own, machine)

    streams = iter(rng.spawn(8))
    before = [_with(setup.records, found, found.target, which) for which in (0, 1)]
    learned = [_learned(setup, each, chains, next(streams), machine) for each in before]
    unlearned = [after(left, each, next(streams)) for each in learned]
    beside = after(left, _learned(setup, left, chains, next(streams), machine), next(streams))
    # From chains that were learned alike: only what the update itself says of its records is examined.
    others = [_with(setup.records, found, found.other, which).without(target) for which in (0, 1)]
    edited = (after(others[0], learned[0], next(streams)), after(others[1], learned[0], next(streams)))
    return Chains((learned[0], learned[1]), (unlearned[0], unlearned[1]), beside, edited)


def reencoded(
    setup: Setup,
    found: Neighbours,
    learned: tuple[Floats, Floats],
    says_first: Callable[[Floats], npt.NDArray[np.bool_]],
    *,
    rng: np.random.Generator,
    machine: Machine,
) -> tuple[Floats, Floats]:
    """The requester in the proof of Theorem 4.5, played out.

    It sees the learned model and writes what its test says of it into another record; then the target is deleted.

    Args:
        setup: What the chains run.
        found: The neighbours.
        learned: Of the two worlds, each of shape (chains, p).
        says_first: The requester's test: which of such models come from the first world.
        rng: For the noise of both updates.
        machine: What they are computed with.

    Returns:
        What is released after the deletion, of each world; shape (chains, p).
    """
    released = []
    for world, models in enumerate(learned):
        before = _with(setup.records, found, found.target, world)
        said, ended = says_first(models), np.empty_like(models)
        for which, chosen in ((0, said), (1, ~said)):
            if chosen.any():
                edited = _with(before, found, found.other, which)
                after = _update(setup, edited, models[chosen], rng, machine)
                ended[chosen] = _update(setup, edited.without(np.array([found.target])), after, rng, machine)
        released.append(ended)
    return released[0], released[1]


def _learned(setup: Setup, records: Records, chains: int, rng: np.random.Generator, machine: Machine) -> Floats:
    start = starts(setup.descent, chains=chains, size=setup.size, rng=rng)
    return run(setup.loss, records, setup.descent, start, steps=setup.learn_steps, rng=rng, machine=machine)


def _update(setup: Setup, records: Records, models: Floats, rng: np.random.Generator, machine: Machine) -> Floats:
    return run(setup.loss, records, setup.descent, models, steps=setup.unlearn_steps, rng=rng, machine=machine)


def _with(records: Records, found: Neighbours, place: int, which: int) -> Records:
    """The records with one of the neighbours in a place."""
    return records.replaced(np.array([place]), found.features[which : which + 1], found.labels[which : which + 1])


def _optimum(setup: Setup) -> Floats:
    """Near the minimiser of the objective, shape (1, p), by plain descent."""
    gradient = MeanGradient(setup.loss, setup.records.features, setup.records.labels)
    rate, l2 = setup.descent.rate, setup.descent.l2
    parameters = np.zeros((1, setup.size))
    for _ in range(_OPTIMISING):
        parameters = parameters - rate * (gradient(parameters) + l2 * parameters)
    return parameters


def _slopes(loss: LinearLoss, parameters: Floats, rows: Floats, labels: npt.NDArray[np.int64]) -> Floats:
    """What each row is multiplied by in its record's gradient, shape (n, outputs)."""
    probabilities = loss.probabilities(parameters[0], rows)
    wrong: Floats = probabilities.copy()
    wrong[np.arange(len(labels)), labels] -= 1
    # Of two classes and one output it is the slope of the second class's output.
    return wrong[:, 1:] if loss.name == "logistic" else wrong


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
    if procedure is None or procedure.loss is None or procedure.packing is not None:
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
