"""The games of `reconstruction.instance` (Gao et al. 2022, Algorithm 4.3 and Figure 3)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from math import isqrt
from typing import Final

import numpy as np

from auditor.attacks.reconstruction.instances import (
    Bits,
    binarised,
    deleted_region,
    direction,
    majority,
    turned_away,
    wrong_bits,
)
from auditor.case import Case
from auditor.checks.reconstruction.instance import CARD, Route, route
from auditor.checks.reconstruction.least_squares import least_squares
from auditor.checks.reconstruction.observed import InstanceObserved, Picture
from auditor.domain import Floats
from auditor.draws import generator
from auditor.observing.deleting.asking import Answers, Asked, play
from auditor.observing.how import How
from auditor.observing.reconstructing.drawing import Drawn, auxiliary, draw, most_probes
from auditor.observing.reconstructing.scoring import Score

MOST_PROBES: Final = 1500
"""Auxiliary records that both models are asked about."""
LEAST_PROBES: Final = 50
NUMBERS: Final = 20_000_000
"""In the probes of all games."""
WIDEST_PICTURE: Final = 32
_PROGRESS: Final = "record reconstruction games"


def observe(case: Case, how: How, *, games: int) -> InstanceObserved:
    """Play the games.

    Args:
        case: The case, with a procedure whose records can be rebuilt.
        how: How the run observes.
        games: How many.

    Raises:
        UnplayableError: If there are too few records, or too few of a class.
        NoDeviceError: If a run did not use the CUDA device that was found.
        ProcedureError: If the procedure failed.
        SandboxError: If the sandbox did, or a model gave no predictions.
    """
    classifies = case.settings.data.task == "classification"
    way = route(case.settings.procedure, classifies=classifies)
    if way is None:
        raise AssertionError("no record of such a model is rebuilt")
    drawn = draw(case.train, name=CARD.id, games=games, seed=how.seed, classes=classifies)
    most = most_probes(games, case.train.features.shape[1], numbers=NUMBERS, least=LEAST_PROBES, most=MOST_PROBES)
    asked = [Asked(each.game, auxiliary(case.holdout, case.train, each, most)) for each in drawn]
    answers = play(case, asked, how, name=_PROGRESS)
    return (_by_region if way == "region" else _by_difference)(case, how, way, drawn, asked, answers)


@dataclass(slots=True)
class _Attack:
    """One attack, and how like the deleted records its guesses were."""

    score: Score
    alike: list[float] = field(default_factory=list)

    def add(self, distances: Floats | None) -> None:
        self.score.add(distances)
        if distances is not None:
            self.alike.append(float(1 - distances[0]))

    @property
    def mean(self) -> float | None:
        """Over the games in which something was guessed; None where nothing was."""
        return float(np.mean(self.alike)) if self.alike else None


def _attack(name: str, drawn: Sequence[Drawn], how: How) -> _Attack:
    rng = generator(how.seed, CARD.id, "ties", name)
    return _Attack(Score(name, decoys=len(drawn[0].decoys), rng=rng))


def _by_region(
    case: Case, how: How, way: Route, drawn: Sequence[Drawn], asked: Sequence[Asked], answers: Sequence[Answers]
) -> InstanceObserved:
    """The majority of what changed its class, and without the deletion the majority of what has the deleted record's class."""
    codes = np.unique(case.train.labels, return_inverse=True)[1].astype(np.int64)
    attack, without = (_attack(name, drawn, how) for name in (way, "without"))
    picture: Picture | None = None
    for each, question, told in zip(drawn, asked, answers, strict=True):
        middle = (question.rows.min(axis=0) + question.rows.max(axis=0)) / 2
        bits, candidates = binarised(question.rows, middle), binarised(case.train.features[each.candidates], middle)
        before, after = told.before.argmax(axis=1), told.after[0].argmax(axis=1)
        guess = majority(bits[deleted_region(before, after)])
        attack.add(None if guess is None else wrong_bits(guess, candidates))
        plain = majority(bits[before == codes[each.deleted]])
        without.add(None if plain is None else wrong_bits(plain, candidates))
        if picture is None and guess is not None and attack.score.won[-1] and case.settings.policy.show_reconstructions:
            picture = _picture(case.train.features, each.deleted, guess)
    return InstanceObserved(
        games=len(drawn),
        trained=len(drawn[0].game.trained),
        decoys=len(drawn[0].decoys),
        tallies=(attack.score.tally,),
        blank=attack.score.blank,
        probes=min(len(each.rows) for each in asked),
        alike=attack.mean,
        without=without.score.wins,
        without_alike=without.mean,
        picture=picture,
    )


def _picture(features: Floats, deleted: int, guess: Bits) -> Picture | None:
    """The first deleted picture that was rebuilt; None where rows are no square pictures."""
    width = isqrt(features.shape[1])
    if width**2 != features.shape[1] or not 2 <= width <= WIDEST_PICTURE:
        return None
    low, high = float(features.min()), float(features.max())
    row = (features[deleted] - low) / (high - low)
    return Picture(width=width, deleted=tuple(np.round(row, 2).tolist()), rebuilt=tuple(guess.astype(float).tolist()))


def _by_difference(
    case: Case, how: How, way: Route, drawn: Sequence[Drawn], asked: Sequence[Asked], answers: Sequence[Answers]
) -> InstanceObserved:
    """Where the difference of two linear models points, in units of each column's deviation among the probes."""
    model = least_squares(case.settings.procedure)
    intercept = model is not None and model.intercept
    attack = _attack(way, drawn, how)
    for each, question, told in zip(drawn, asked, answers, strict=True):
        probes = _rows(question.rows, question.rows, intercept=intercept)
        pointed = direction(probes, told.before, told.after[0])
        candidates = _rows(case.train.features[each.candidates], question.rows, intercept=intercept)
        attack.add(None if pointed is None else turned_away(pointed, candidates))
    return InstanceObserved(
        games=len(drawn),
        trained=len(drawn[0].game.trained),
        decoys=len(drawn[0].decoys),
        tallies=(attack.score.tally,),
        blank=attack.score.blank,
        probes=min(len(each.rows) for each in asked),
        alike=attack.mean,
    )


def _rows(rows: Floats, probes: Floats, *, intercept: bool) -> Floats:
    """Rows as the model weighs them: standardised beside a column of ones, or, without an intercept, as they are.

    A linear map of the columns maps the deleted record's row as it maps every other, so that a model with an intercept may be
    asked in any units.
    """
    if not intercept:
        return rows
    deviation = probes.std(axis=0)
    scaled = (rows - probes.mean(axis=0)) / np.where(deviation > 0, deviation, 1.0)
    return np.column_stack([np.ones(len(rows)), scaled])
