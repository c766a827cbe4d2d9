"""What `epsilon.consistency` alone reads of a game: joint guesses, the residual that removals left, the longest row."""

from __future__ import annotations

from auditor.case import Case
from auditor.learning.row_norms import largest_norm
from auditor.maths.certificates.rounding import finite
from auditor.parts.swap.judging.epsilon_consistency.observed import Guessed, SwapGame
from auditor.parts.swap.observing.quality import Results


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
