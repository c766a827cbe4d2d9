"""What comes of the SWAP test, however it was played."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import product

import numpy as np

from auditor.base.records import Positions
from auditor.case import Case
from auditor.learning.residuals import largest_norm
from auditor.maths.certificates.rounding import finite
from auditor.parts.swap.judging.epsilon_consistency.observed import Guessed, SwapGame
from auditor.parts.swap.observing.drawing import Game
from auditor.parts.swap.observing.model_outputs import Played
from auditor.parts.swap.observing.scoring import Results
from auditor.verdict.checks.finding import Values
from auditor.verdict.checks.stated import Counts


# Say whether a claim or a certificate covers models before unlearning, so that a game has to attack them too.
def claims_training(case: Case) -> bool:
    """Whether private training is claimed, or done by a procedure of ours: what its promise covers is what was learned."""
    settings = case.settings
    return settings.claims.dp is not None or settings.procedure.noise_of_training(len(case.train)) is not None


# What `epsilon.consistency` alone reads of a game: joint guesses, the residual that removals left, the longest row.
def observe(case: Case, results: Results, residual_bound: float | None) -> SwapGame:
    """Put down what the checks of the SWAP test leave out.

    Args:
        case: The case.
        results: What the adversaries found.
        residual_bound: The largest certified bound on the residual over the game's removals, where there is one.
    """
    kinds = {"procedure": results.procedure, "learned": results.learned, "retrained": results.fresh}
    guessed = {
        kind: Guessed(guesses=each.guessed.guesses, right=each.guessed.right) for kind, each in kinds.items() if each is not None
    }
    return SwapGame(**guessed, residual_bound=residual_bound, longest_row=_longest_row(case))


def _longest_row(case: Case) -> float | None:
    procedure = case.settings.procedure.descent
    if procedure is None or procedure.loss is None:
        return None
    return finite(largest_norm(case.train.features, procedure.row_norms))


# Count right predictions of the SWAP test's models on records they never met: accuracy that no table of known rows gives.
def unseen(game: Game, played: Played, labels: Positions) -> Counts:
    """Compare the unlearned models with the retrained ones, each record being judged once.

    A record that several sides of pairs had not met is judged on one of them, so that no record counts twice and the
    population, which nobody met, is spread over all models.

    Args:
        game: What was drawn.
        played: The models' outputs.
        labels: Shape (n,): class codes of the training records.
    """
    places: dict[int, list[tuple[int, int, int]]] = {}
    for number, side in product(range(len(game.pairs)), range(2)):
        # Rows of a model: those of `first`, those of `second`, the population. Side 0 forgets `first` and never met `second`.
        half = game.pairs[number].forgotten
        beside = game.pairs[number].sides()[side][1].tolist()
        for row, record in (
            *enumerate(beside, start=half if side == 0 else 0),
            *enumerate(game.population.tolist(), start=2 * half),
        ):
            places.setdefault(record, []).append((number, side, row))
    records = np.array(sorted(places), dtype=np.int64)
    chosen = np.array([places[record][at % len(places[record])] for at, record in enumerate(records.tolist())], dtype=np.int64)
    numbers, sides, rows = chosen.T
    unlearned, retrained = (
        np.argmax(models[numbers, sides, 0, rows], axis=1) == labels[records] for models in (played.unlearned, played.retrained)
    )
    return Counts.of(unlearned, retrained)


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of the test."""

    observed: Mapping[str, Values]
    """By check id."""
    reached: SwapGame | None
    """For `epsilon.consistency`; None where there was no game."""
    unseen: Counts | None = None
    """Right predictions on records that the game's models never met; None where there was no game."""
