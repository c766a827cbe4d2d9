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


def about(features: Floats, game: Game, *, population: int = 0) -> Asked:
    """Ask about the records in question of a game, and about records that were never learned.

    Rows 2i and 2i + 1 are the deleted and the kept record of deletion i; the first records of `outside` follow.

    Args:
        features: Shape (n, d), of the training data.
        game: The game.
        population: How many records outside to ask about in addition to the first.
    """
    pairs = [int(one) for each, kept in zip(game.deleted, game.kept, strict=True) for one in (each[0], kept)]
    return Asked(game, features[np.concatenate([np.array(pairs, dtype=np.int64), game.outside[: 1 + population]])])


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
    # Each engine needs the types of this module.
    from auditor.observing.deleting import batched, refitted, sandboxed  # noqa: PLC0415

    if batched.applies(case):
        return batched.play(case, questions, how, name=name)
    if refitted.applies(case):
        return refitted.play(case, questions, how, name=name)
    return sandboxed.play(case, questions, how, name=name)


def fast(case: Case) -> bool:
    """Whether the models of a case's games cost next to nothing, as they need no process of their own."""
    from auditor.observing.deleting import batched, refitted  # noqa: PLC0415  (each engine needs the types of this module)

    return batched.applies(case) or refitted.applies(case)
