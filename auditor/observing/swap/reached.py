"""What `epsilon.consistency` reads of a game: how large it was, and what the adversaries reached."""

from __future__ import annotations

from auditor.case import Case
from auditor.certificates.rounding import finite
from auditor.checks.epsilon_consistency.observed import Reached, SwapGame
from auditor.observing.deletion.rows import largest_norm
from auditor.observing.swap.drawing import Game
from auditor.observing.swap.scoring import Attacked


def observe(
    case: Case, game: Game, *, unlearned: Attacked, learned: Attacked, null: Attacked, residual_bound: float | None
) -> SwapGame:
    """Put down what was reached.

    Args:
        case: The case.
        game: What was drawn.
        unlearned: Attacks on the procedure's models.
        learned: Attacks on the models before unlearning.
        null: Attacks on models retrained with fresh seeds.
        residual_bound: The largest certified bound on the residual over the game's removals, where there is one.
    """
    return SwapGame(
        pairs=len(game.pairs),
        records=len(game.target),
        forgotten=game.forgotten,
        unlearned=_reached(unlearned),
        learned=_reached(learned),
        null=_reached(null),
        residual_bound=residual_bound,
        longest_row=_longest_row(case),
    )


def _reached(attacked: Attacked) -> Reached:
    return Reached(
        advantages=tuple(map(tuple, attacked.scored.advantages.tolist())),
        identical=attacked.scored.identical,
        named=attacked.named.right,
        models=attacked.named.models,
        guessed=attacked.guessed.right,
        guesses=attacked.guessed.guesses,
    )


def _longest_row(case: Case) -> float | None:
    procedure = case.settings.procedure.noisy_gd
    if procedure is None or procedure.loss is None:
        return None
    return finite(largest_norm(case.train.features, procedure.row_norms))
