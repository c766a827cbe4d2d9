"""Deletion games whose answers are drawn instead of learned, for tests of those who attack them."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from auditor.attacks.deletion import ShadowModels
from auditor.base.records import Floats
from auditor.parts.revealing.observing.deleting.drawing import Answers, Drawn, Game, about, draw
from auditor.parts.revealing.observing.deleting.inference import MOST_POPULATION, Played, Table
from auditor.parts.revealing.observing.deleting.shadows import hardest_first
from swap_games import codes, records

Answering = Callable[[Game, np.random.Generator], Answers]


def null(game: Game, rng: np.random.Generator) -> Answers:
    """Models that know nothing of any record: every answer is drawn, before and after alike."""
    return answers(game, rng, moved=0.1)


def unchanged(game: Game, rng: np.random.Generator) -> Answers:
    """A procedure that does nothing."""
    return answers(game, rng, moved=0.0)


def answers(game: Game, rng: np.random.Generator, *, moved: float, deleted: float = 0.0) -> Answers:
    """Probabilities of the first of two classes that move at random, and those of deleted records a little more."""
    rows = 2 * len(game.deleted) + len(game.outside[: 1 + MOST_POPULATION])
    before = rng.normal(size=rows)
    after, along = [], {}
    for number in range(len(game.deleted)):
        models = [before + moved * rng.normal(size=rows) for _ in game.requests(number)]
        models[-1][2 * number] += deleted
        after.append(models[-1])
        along |= {number: tuple(map(_two, models[:-1]))} if models[1:] else {}
    return Answers(_two(before), tuple(map(_two, after)), along)


def by_turns(game: Game, rng: np.random.Generator, shift: Callable[[int, int], tuple[float, float]]) -> Answers:
    """Models whose every request moves answers by some noise, and the record in question by something from its own request on.

    Args:
        game: The game.
        rng: Of all noise.
        shift: From the number of a request, and how many came since the one in question (below 0: none yet), to the noise and to
            what the deleted record is moved by.
    """
    rows = 2 * len(game.deleted) + len(game.outside[: 1 + MOST_POPULATION])
    before = rng.normal(size=rows)
    after, along = [], {}
    for number in range(len(game.deleted)):
        requests, models = game.requests(number), []
        asked = next(turn for turn, each in enumerate(requests) if game.deleted[number][0] in each.gone)
        for turn in range(len(requests)):
            noise, moved = shift(turn, turn - asked)
            models.append(before + noise * rng.normal(size=rows))
            models[-1][2 * number] += moved
        after.append(models[-1])
        along |= {number: tuple(map(_two, models[:-1]))} if models[1:] else {}
    return Answers(_two(before), tuple(map(_two, after)), along)


def _two(logits: Floats) -> Floats:
    first = 1 / (1 + np.exp(logits))
    return np.stack([first, 1 - first], axis=-1)


def table(answering: Answering, *, games: int, seed: int, size: int = 80, own: int = 0) -> Table:
    """Games on small data, answered that way, with shadow models that know nothing either."""
    data, rng = records(size, seed=1), np.random.default_rng(seed)
    first = np.stack([rng.permutation(size) < size // 2 for _ in range(3)])
    trained_on = np.stack([first, ~first], axis=1).reshape(6, size)
    shadow = ShadowModels(_two(rng.normal(size=(6, size))), trained_on, codes(data))
    trying, setting = (
        draw(data, name=name, games=count, seed=seed, classes=True, several=several, hardest=hardest, own=asked)
        for name, count, several, hardest, asked in (
            ("test", games, (2,), hardest_first(shadow), own),
            ("test-shadow", 50, (), None, 0),
        )
    )

    def played(drawn: Drawn) -> Played:
        assert about(data.features, drawn.games[0], population=MOST_POPULATION).rows.shape[1] == 2
        return Played(drawn, [answering(game, rng) for game in drawn.games])

    return Table(codes(data), played(trying), played(setting), shadow)
