"""Models of a deletion game before and after, and what they answer: one question, several engines that give the same answers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from auditor.case import Case
from auditor.domain import Floats
from auditor.observing.deleting.drawing import Game
from auditor.observing.how import How


@dataclass(frozen=True, slots=True, eq=False)
class Asked:
    """What the models of one game are asked."""

    game: Game
    rows: Floats
    """Shape (q, d): features, of records or of anything else."""


@dataclass(frozen=True, slots=True, eq=False)
class Answers:
    """What the models of one game answer."""

    before: Floats
    """Shape (q, classes), or (q,) for a regression: the model that learned S."""
    after: tuple[Floats, ...]
    """The same after each deletion, each from the model that learned S."""


def about(data_features: Floats, game: Game) -> Asked:
    """Ask about the records in question of a game: for each deletion its record and the kept one, then one from outside.

    Rows 2i and 2i + 1 are the deleted and the kept record of deletion i; the last row is the first record outside.

    Args:
        data_features: Shape (n, d), of the training data.
        game: The game.
    """
    pairs = [(each[0], kept) for each, kept in zip(game.deleted, game.kept, strict=True)]
    return Asked(game, data_features[np.array([*(one for pair in pairs for one in pair), game.outside[0]], dtype=np.int64)])


def play(case: Case, questions: Sequence[Asked], how: How, *, name: str = "deletion games") -> Sequence[Answers]:
    """Train every model, delete, and let them answer; by the fastest engine that gives what the procedure gives.

    Args:
        case: The case; its own seed is used by no model of a game.
        questions: One a game.
        how: How the run observes.
        name: Of the jobs and of the progress shown.

    Returns:
        The answers, in the order of the questions.

    Raises:
        NoDeviceError: If a run did not use the CUDA device that was found.
        ProcedureError: If the procedure failed.
        SandboxError: If the sandbox did, or a model gave no predictions.
    """
    from auditor.observing.deleting import sandboxed  # noqa: PLC0415  (it needs the types of this module)

    return sandboxed.play(case, questions, how, name=name)
