"""The same games under remedies that need models of their own: waiting for the next retraining, and training with noise.

Fewer answers, rounded answers and larger batches are views and variants of the games themselves.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from typing import Final

import numpy as np
import numpy.typing as npt

from auditor.audit.run_options import RunOptions
from auditor.base.draws import generator
from auditor.base.records import Dataset, Floats
from auditor.case import Case
from auditor.learning.residuals import bounded
from auditor.maths.certificates import gaussian, losses
from auditor.maths.certificates.losses import Loss
from auditor.maths.certificates.noisy_gd_gaussian import TradeoffInputs, mu
from auditor.parts.revealing.observing.deleting.asking import play
from auditor.parts.revealing.observing.deleting.drawing import Answers, Asked, Game, about
from auditor.settings.builtin import entries

EPSILON: Final = 1.0
"""What training with noise promises where the policy names no epsilon; its δ likewise."""
DELTA: Final = 1e-5
L2: Final = 0.05
STEPS: Final = 100
"""Of learning and of each update: at this l2 what was before has no more weight than 0.0002."""
CONSTANT: Final = 0.3
"""A last column in place of an intercept."""
_SEEDS: Final = 2**31
_DESCENT: Final = "noisy-gd"
"""The procedure that trains with noise."""


def waiting(case: Case, games: Sequence[Game], how: RunOptions, *, population: int, before: Sequence[Answers]) -> list[Answers]:
    """Let the next scheduled retraining answer the standard deletion of each game: without its record, and with new ones.

    One half of the records outside come in; adversaries know the other half. Training has a fresh seed.

    Args:
        case: The case.
        games: As `standard` gives them.
        how: How the run observes.
        population: How many records outside are asked about in addition to the first.
        before: The answers of the models before, to the same questions.
    """
    trained = []
    for number, game in enumerate(games):
        next_one = retrained(game, generator(how.seed, "deleting", "waiting", number))
        trained.append(Asked(next_one, about(case.train.features, game, population=population).rows))
    after = play(case, trained, how, name="deletion games, next retraining")
    return [Answers(first.before, (second.before,)) for first, second in zip(before, after, strict=True)]


def retrained(game: Game, rng: np.random.Generator) -> Game:
    """The next scheduled retraining of a game: without the deleted record of the standard deletion, with those that arrive."""
    left = np.setdiff1d(game.trained, game.deleted[0])
    both = np.sort(np.concatenate([left, arriving(game)])).astype(np.int64)
    return dataclasses.replace(game, trained=both, deleted=(), unlearn_seeds=(), chains={}, learn_seed=int(rng.integers(_SEEDS)))


def arriving(game: Game) -> npt.NDArray[np.int64]:
    """The records that a game's next retraining brings: those outside that no adversary is asked about."""
    return game.outside[(len(game.outside) + 1) // 2 :]


def standard(game: Game, *, arrivals: bool = False) -> Game:
    """A game with its standard deletion alone; where records arrive, they are not among those outside."""
    outside = game.outside[: len(game.outside) - len(arriving(game))] if arrivals else game.outside
    return dataclasses.replace(
        game, deleted=game.deleted[:1], kept=game.kept[:1], unlearn_seeds=game.unlearn_seeds[:1], outside=outside, chains={}
    )


def answers_of_standard(game: Game, answers: Answers, *, population: int) -> Answers:
    """The part of a game's answers that its standard deletion alone is asked about."""
    tail = 2 * len(game.deleted)
    rows = np.concatenate([np.arange(2), np.arange(tail, tail + 1 + population)])
    rows = rows[rows < len(answers.before)]
    return Answers(answers.before[rows], (answers.after[0][rows],))


@dataclasses.dataclass(frozen=True, slots=True, eq=False)
class Private:
    """The case under private training, with what that promises each record."""

    case: Case
    epsilon: float
    delta: float


def private_case(case: Case) -> Private | None:
    """The same case under noisy gradient descent of ours on a linear model, with its ε and δ for each record.

    Rows are scaled to norm 1, each by its own norm: nothing is fitted. None for a regression, for a table of mixed columns, of
    which a linear model would take codes for numbers, and where the procedure is noisy descent already.
    """
    procedure, policy = case.settings.procedure, case.settings.policy
    if case.settings.data.task != "classification" or procedure.descent is not None or case.train.table is not None:
        return None
    epsilon, delta = policy.max_epsilon or EPSILON, policy.max_delta or DELTA
    classes = len(np.unique(case.train.labels))
    loss: Loss = "logistic" if classes == 2 else "softmax"
    declared = {
        "loss": loss,
        "l2": L2,
        "sigma2": _variance(loss, epsilon, delta, records=int(0.9 * len(case.train)) - 1),
        "learn_steps": STEPS,
        "unlearn_steps": STEPS,
        "seed": procedure.seed,
    }
    descent = entries()[_DESCENT].table.model_validate(declared)
    settings = case.settings.model_copy(update={"procedure": descent, "model": None})
    train = Dataset(scaled(case.train.features), case.train.labels, case.train.ids)
    made = dataclasses.replace(case, settings=settings, train=train, code=None, shipped=None, model_file=None, own_file=None)
    return Private(made, epsilon, delta)


def _variance(loss: Loss, epsilon: float, delta: float, *, records: int) -> float:
    """σ² from which on the model after any number of steps hides one record at (ε, δ)."""
    known = losses.constants(loss)
    rate = losses.theorem_rate(known.smoothness, l2=L2)
    inputs = TradeoffInputs(
        lipschitz=known.lipschitz, l2=L2, smoothness=known.smoothness, sigma2=1.0, n=records, rate=rate, steps=0
    )
    return (mu(inputs) / gaussian.mu(epsilon, delta)) ** 2


def scaled(features: Floats) -> Floats:
    """Rows as private training has them, shape (n, d + 1): each of norm at most 1."""
    norms = np.linalg.norm(features.astype(np.float64), axis=1, keepdims=True)
    rows = features / np.where(norms > 0, norms, 1.0)
    return bounded(np.column_stack([rows, np.full(len(rows), CONSTANT)]))


def right(answers: Sequence[Answers], games: Sequence[Game], codes: npt.NDArray[np.generic]) -> tuple[int, int]:
    """How many records outside the models before a deletion class right, and of how many.

    Args:
        answers: To the questions of `about`.
        games: The games.
        codes: Shape (n,): class codes of the training records.
    """
    found = of = 0
    for game, each in zip(games, answers, strict=True):
        said = each.before[2 * len(game.deleted) :].argmax(axis=-1)
        found += int(np.count_nonzero(said == codes[game.outside[: len(said)]]))
        of += len(said)
    return found, of
