"""The game played by our own certified removal: every model of the game trained at once, in this process.

Nothing foreign runs here, and the numbers equal those of the sandboxed path to the optimiser's tolerance. With each removal goes
the certified bound on its gradient residual, so that what the attacks find can be held against it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from auditor.base.errors import ProcedureError
from auditor.base.records import Floats, joined
from auditor.case import Case
from auditor.learning.removal_trainer import Removals, Trainer
from auditor.learning.subsets import Bools
from auditor.parts.swap.observing.drawing import PROGRESS, Game
from auditor.parts.swap.observing.model_outputs import Played
from auditor.parts.swap.observing.outcome import claims_training

_STAGES = 5


def play(case: Case, game: Game, *, on_step: Callable[[str, int, int], None]) -> Played:
    """Train, unlearn and retrain every model of the game.

    Args:
        case: Of a procedure that is `solved_together`; its own seed, a secret, is used by no model of the game.
        game: What was drawn.
        on_step: Called with the stages done and the stages in all.

    Raises:
        ProcedureError: If the declared tolerance cannot be reached.
    """
    procedure = case.settings.procedure.removal
    if procedure is None:
        raise TypeError("only certified removal is trained many at a time")
    trainer = Trainer(case.train, procedure)
    sides, control, shadow = _sides(game, trainer), _control(game, trainer), _references(game, trainer)
    try:
        trained = _train(trainer, sides, control, shadow, on_step)
    except ArithmeticError as error:
        raise ProcedureError(f"the SWAP test's models: {error}") from error
    on_step(PROGRESS, _STAGES, _STAGES)
    models, every = _models(game), np.arange(len(case.train), dtype=np.int64)

    def seen(weights: Floats, seeds: list[int], *shape: int) -> Floats:
        outputs = _outputs(trainer, game, weights, seeds)
        return outputs.reshape(len(game.pairs), *shape, *outputs.shape[-2:])

    return Played(
        unlearned=seen(trained.unlearned, sides.unlearn_seeds, 2, models),
        baseline=seen(trained.baseline, sides.unlearn_seeds, 2, models),
        retrained=np.stack([seen(side, control.common, models) for side in trained.retrained], axis=1),
        fresh=seen(trained.fresh, control.anew, models),
        references=trainer.predict(trainer.released(trained.references, shadow.unlearn_seeds), every),
        learned=seen(trained.learned, sides.learn_seeds, 2, models) if claims_training(case) else None,
        residual_bound=trained.bound,
    )


@dataclass(frozen=True, slots=True, eq=False)
class _Sides(Removals):
    """The models of both sides, pair by pair, s before s'."""

    decoys: Bools
    """What the no-unlearning baseline forgets instead."""


@dataclass(frozen=True, slots=True, eq=False)
class _Control:
    """The models on R alone, pair by pair."""

    kept: Bools
    common: list[int]
    """The seeds that s and s' share."""
    anew: list[int]
    """The seeds of the null."""


@dataclass(frozen=True, slots=True, eq=False)
class _Trained:
    """Weights, models in the order of their sides or of their control."""

    unlearned: Floats
    baseline: Floats
    learned: Floats
    retrained: Floats
    """Those of s, then those of s'."""
    fresh: Floats
    references: Floats
    bound: float | None
    """The largest certified bound β over all removals."""


def _models(game: Game) -> int:
    """How many models there are on each side of a pair."""
    return int(game.pairs[0].learn_seeds.shape[1])


def _sides(game: Game, trainer: Trainer) -> _Sides:
    every = [(pair, side, model) for pair in game.pairs for side in range(2) for model in range(_models(game))]
    return _Sides(
        trained=trainer.members([pair.trained(side) for pair, side, _ in every]),
        forget=trainer.members([pair.sides()[side][0] for pair, side, _ in every]),
        kept=trainer.members([pair.retained for pair, _, _ in every]),
        decoys=trainer.members([joined(pair.decoys[side]) for pair, side, _ in every]),
        learn_seeds=[int(pair.learn_seeds[side, model]) for pair, side, model in every],
        unlearn_seeds=[int(pair.unlearn_seeds[side, model]) for pair, side, model in every],
    )


def _control(game: Game, trainer: Trainer) -> _Control:
    once = [(pair, model) for pair in game.pairs for model in range(_models(game))]
    common, anew = ([int(pair.control_seeds[row, model]) for pair, model in once] for row in range(2))
    return _Control(trainer.members([pair.retained for pair, _ in once]), common, anew)


def _references(game: Game, trainer: Trainer) -> Removals:
    numbers = range(len(game.references))
    learn, unlearn = game.reference_seeds.tolist()
    return Removals(
        trained=trainer.members([game.reference_trained(number) for number in numbers]),
        forget=trainer.members([joined(game.reserve)] * len(numbers)),
        kept=trainer.members([game.reference_kept(number) for number in numbers]),
        learn_seeds=learn,
        unlearn_seeds=unlearn,
    )


def _train(
    trainer: Trainer, sides: _Sides, control: _Control, shadow: Removals, on_step: Callable[[str, int, int], None]
) -> _Trained:
    """Train, unlearn and retrain, stage by stage."""
    learned = trainer.learn(sides.trained, sides.learn_seeds)
    on_step(PROGRESS, 1, _STAGES)
    unlearned, bound = trainer.unlearn(sides, learned)
    instead = Removals(sides.trained, sides.decoys, sides.trained & ~sides.decoys, sides.learn_seeds, sides.unlearn_seeds)
    baseline = trainer.removed(instead, learned)
    on_step(PROGRESS, 2, _STAGES)
    # Trained on either side for itself: that both come out equal is what the control is there to show. Each side in a batch
    # of its own: the last digit of a matrix product depends on a row's place in it.
    retrained = np.stack([trainer.learn(control.kept, control.common) for _ in range(2)])
    on_step(PROGRESS, 3, _STAGES)
    fresh = trainer.learn(control.kept, control.anew)
    on_step(PROGRESS, 4, _STAGES)
    references = trainer.removed(shadow, trainer.learn(shadow.trained, shadow.learn_seeds))
    return _Trained(unlearned, baseline, learned, retrained, fresh, references, bound)


def _outputs(trainer: Trainer, game: Game, weights: Floats, seeds: list[int]) -> Floats:
    """What models show, as they are released: of weights of shape (models, K, d), side by side of each pair in turn.

    A pair's models of one side are asked together.
    """
    released = trainer.released(weights, seeds).reshape(len(game.pairs), -1, _models(game), *weights.shape[-2:])
    rows = [np.concatenate([pair.first, pair.second, game.population]) for pair in game.pairs]
    return np.stack([[trainer.predict(side, asked) for side in each] for each, asked in zip(released, rows, strict=True)])
