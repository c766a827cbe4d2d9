"""The game played by our own certified removal: every model of the game trained at once, in this process.

Nothing foreign runs here, and the numbers equal those of the sandboxed path to the optimiser's tolerance. With each removal goes
the certified bound on its gradient residual, so that what the attacks find can be held against it.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from scipy.special import expit

from auditor.case import Case
from auditor.case.certified import CertifiedRemoval
from auditor.checks.swap.drawing import PROGRESS, Game
from auditor.checks.swap.played import Played
from auditor.domain import Floats, Positions
from auditor.errors import ProcedureError
from auditor.procedures.certified_removal import perturbation, perturbation_norm_bound, signs_of
from auditor.procedures.logistic import Objective
from auditor.procedures.many import minimise_many, remove_many
from auditor.procedures.residuals import measure_step, rounding_floor

_STAGES = 5


def applies(case: Case) -> bool:
    """Whether the procedure of a case is one whose models can be trained together."""
    procedure = case.settings.procedure
    return isinstance(procedure, CertifiedRemoval) and not procedure.retrain_at_budget


def play(case: Case, game: Game, *, on_step: Callable[[str, int, int], None]) -> Played:
    """Train, unlearn and retrain every model of the game.

    Args:
        case: A case to which this path applies; its own seed, a secret, is used by no model of the game.
        game: What was drawn.
        on_step: Told the stages done and the stages in all.

    Raises:
        ProcedureError: If the declared tolerance cannot be reached.
    """
    procedure = case.settings.procedure
    if not isinstance(procedure, CertifiedRemoval):
        raise TypeError("only certified removal is trained many at a time")
    trainer = _Trainer(case, procedure)
    pairs = game.pairs
    models = pairs[0].learn_seeds.shape[1]
    sides = [(pair, side, model) for pair in pairs for side in range(2) for model in range(models)]
    trained = trainer.members([pair.trained(side) for pair, side, _ in sides])
    forget = trainer.members([pair.sides()[side][0] for pair, side, _ in sides])
    kept = trainer.members([pair.retained for pair, _, _ in sides])
    rows = [np.concatenate([pair.first, pair.second, game.population]) for pair in pairs]
    try:
        learn_seeds = [int(pair.learn_seeds[side, model]) for pair, side, model in sides]
        learned = trainer.learn(trained, learn_seeds)
        on_step(PROGRESS, 1, _STAGES)
        if procedure.unlearn == "newton":
            unlearned = remove_many(trainer.features, trainer.signs, trained, forget, l2=procedure.l2, parameters=learned)
            bound = trainer.residual_bound(trained, forget, learned, unlearned, learn_seeds)
        else:
            unlearned = trainer.learn(kept, [int(pair.unlearn_seeds[side, model]) for pair, side, model in sides])
            bound = None
        on_step(PROGRESS, 2, _STAGES)
        once = [(pair, model) for pair in pairs for model in range(models)]
        alone = trainer.members([pair.retained for pair, _ in once])
        common, anew = ([int(pair.control_seeds[row, model]) for pair, model in once] for row in range(2))
        # Trained on either side for itself: that both come out equal is what the control is there to show. Each side in a batch
        # of its own: the last digit of a matrix product depends on a row's place in it.
        retrained = np.stack([trainer.learn(alone, common).reshape(len(pairs), models, -1) for _ in range(2)], axis=1)
        on_step(PROGRESS, 3, _STAGES)
        fresh = trainer.learn(alone, anew)
        on_step(PROGRESS, 4, _STAGES)
        references = trainer.learn(game.references, game.reference_seeds.tolist())
    except ArithmeticError as error:
        raise ProcedureError(f"the SWAP test's models: {error}") from error
    on_step(PROGRESS, _STAGES, _STAGES)
    every = np.arange(len(case.train), dtype=np.int64)
    dimensions = trainer.features.shape[1]

    def seen(parameters: Floats, *shape: int) -> Floats:
        by_side = parameters.reshape(len(pairs), -1, models, dimensions)
        outputs = np.stack(
            [[trainer.predict(side, seen_rows) for side in each] for each, seen_rows in zip(by_side, rows, strict=True)]
        )
        return outputs.reshape(len(pairs), *shape, *outputs.shape[-2:])

    return Played(
        unlearned=seen(unlearned, 2, models),
        learned=seen(learned, 2, models),
        retrained=seen(retrained, 2, models),
        fresh=seen(fresh, models),
        references=trainer.predict(references, every),
        residual_bound=bound,
    )


class _Trainer:
    """Certified removal on the records of a case, many models at a time."""

    def __init__(self, case: Case, procedure: CertifiedRemoval) -> None:
        self.features = case.train.features
        self.signs = signs_of(case.train.labels, np.unique(case.train.labels))
        self._procedure = procedure

    def members(self, sets: list[Positions]) -> np.ndarray[tuple[int, int], np.dtype[np.bool_]]:
        """Sets of positions as a mask, shape (models, n)."""
        mask = np.zeros((len(sets), len(self.features)), dtype=bool)
        for row, positions in zip(mask, sets, strict=True):
            row[positions] = True
        return mask

    def learn(self, members: np.ndarray[tuple[int, int], np.dtype[np.bool_]], seeds: list[int]) -> Floats:
        """The minimisers of L_b on each set, shape (models, d)."""
        drawn = np.stack([self._perturbation(seed) for seed in seeds])
        return minimise_many(
            self.features,
            self.signs,
            members,
            l2=self._procedure.l2,
            perturbations=drawn,
            tolerance=self._procedure.tolerance,
        )

    def predict(self, parameters: Floats, rows: Positions) -> Floats:
        """Probabilities of the two classes by each model, shape (models, rows, 2)."""
        positive = expit(parameters @ self.features[rows].T)
        return np.stack([1.0 - positive, positive], axis=-1)

    def residual_bound(
        self,
        trained: np.ndarray[tuple[int, int], np.dtype[np.bool_]],
        forget: np.ndarray[tuple[int, int], np.dtype[np.bool_]],
        learned: Floats,
        unlearned: Floats,
        seeds: list[int],
    ) -> float:
        """The largest bound β over all removals by the tightest row, the optimiser's leftover included (Corollary 2, mended)."""
        norm = perturbation_norm_bound(self.features.shape[1], sigma=self._procedure.sigma)
        largest = 0.0
        for inside, gone, before, after, seed in zip(trained, forget, learned, unlearned, seeds, strict=True):
            objective = Objective(self.features[inside], self.signs[inside], self._procedure.l2, self._perturbation(seed))
            positions = np.flatnonzero(gone[inside]).astype(np.int64)
            step = measure_step(objective, positions, before, after, perturbation_norm=norm)
            hidden = rounding_floor(objective, before, perturbation_norm=norm)
            leftover = max(self._procedure.tolerance, step.gradient_norm + hidden)
            largest = max(largest, leftover + step.increment)
        return largest

    def _perturbation(self, seed: int) -> Floats:
        return perturbation(seed, self.features.shape[1], sigma=self._procedure.sigma)
