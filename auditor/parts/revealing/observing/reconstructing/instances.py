"""The games of `reconstruction.instance` (Gao et al. 2022, Algorithm 4.3 and Figure 3)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from math import isqrt
from typing import Final

import numpy as np
import numpy.typing as npt

from auditor.attacks.reconstruction.records import Bits, binarised, deleted_region, direction, majority, turned_away, wrong_bits
from auditor.audit.run_options import RunOptions
from auditor.base.draws import generator
from auditor.base.records import Dataset, Floats, Positions
from auditor.case import Case
from auditor.parts.revealing.judging.reconstruction.instance import CARD
from auditor.parts.revealing.judging.reconstruction.observed import InstanceObserved, Picture, Tally
from auditor.parts.revealing.judging.reconstruction.routes import least_squares, route
from auditor.parts.revealing.observing.deleting.asking import play
from auditor.parts.revealing.observing.deleting.drawing import Answers, Asked
from auditor.parts.revealing.observing.reconstructing.drawing import Drawn, Score, auxiliary, draw, most_probes
from auditor.parts.revealing.observing.reconstructing.remedies import Holds, keeps, measured

MOST_PROBES: Final = 1500
"""Auxiliary records that both models are asked about."""
LEAST_PROBES: Final = 50
NUMBERS: Final = 20_000_000
"""In the probes of all games."""
WIDEST_PICTURE: Final = 32
_PROGRESS: Final = "record reconstruction games"


def observe(case: Case, how: RunOptions, *, games: int, holds: Holds = keeps) -> InstanceObserved:
    """Play the games.

    Args:
        case: The case, with a procedure whose records can be rebuilt.
        how: How the run observes.
        games: How many.
        holds: Whether games keep within the limit; where they do not, they are played under remedies as well.

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
    adversary = (_ByRegion if way == "region" else _ByDifference)(case, how, games)
    rows = [adversary.ask(number, each) for number, each in enumerate(drawn)]
    answers = play(case, [Asked(each.game, some) for each, some in zip(drawn, rows, strict=True)], how, name=_PROGRESS)
    found = adversary.observed(drawn, rows, answers)
    if holds(found.tallies):
        return found
    under, private = measured(case, how, adversary, drawn, rows, answers, name=CARD.id, play=play)
    return InstanceObserved.model_validate({**dict(found), "under": under, "private": private})


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


class _Asking:
    """An attack that rebuilds a record asks both models about records that neither learned."""

    def __init__(self, case: Case, how: RunOptions, games: int) -> None:
        self.case, self.how = case, how
        self._most = most_probes(games, case.train.features.shape[1], numbers=NUMBERS, least=LEAST_PROBES, most=MOST_PROBES)

    def ask(self, number: int, drawn: Drawn) -> Floats:  # noqa: ARG002 - records are asked about, no points that are drawn
        return self.beside(drawn).features

    def beside(self, drawn: Drawn) -> Dataset:
        return auxiliary(self.case, drawn, self._most)

    def tell(self, drawn: Sequence[Drawn], rows: Sequence[Floats], answers: Sequence[Answers], remedy: str) -> tuple[Tally, ...]:
        return (self.attack(drawn, rows, answers, remedy).score.tally,)

    def attack(self, drawn: Sequence[Drawn], rows: Sequence[Floats], answers: Sequence[Answers], remedy: str) -> _Attack:
        raise NotImplementedError

    def begin(self, name: str, drawn: Sequence[Drawn], remedy: str) -> _Attack:
        rng = generator(self.how.seed, CARD.id, "ties", name, *([remedy] if remedy else []))
        return _Attack(Score(name, decoys=len(drawn[0].decoys), rng=rng))

    def observed(self, drawn: Sequence[Drawn], rows: Sequence[Floats], answers: Sequence[Answers]) -> InstanceObserved:
        attack = self.attack(drawn, rows, answers, "")
        return InstanceObserved(
            games=len(drawn),
            trained=len(drawn[0].game.trained),
            decoys=len(drawn[0].decoys),
            tallies=(attack.score.tally,),
            blank=attack.score.blank,
            probes=min(len(each) for each in rows),
            alike=attack.mean,
        )


class _ByRegion(_Asking):
    """The majority of what changed its class, and without the deletion the majority of what has the deleted record's class."""

    def attack(self, drawn: Sequence[Drawn], rows: Sequence[Floats], answers: Sequence[Answers], remedy: str) -> _Attack:
        attack = self.begin("region", drawn, remedy)
        for each, asked, told in zip(drawn, rows, answers, strict=True):
            bits, candidates = self._bits(each, asked)
            guess = majority(bits[_turned(told)])
            attack.add(None if guess is None else wrong_bits(guess, candidates))
        return attack

    def observed(self, drawn: Sequence[Drawn], rows: Sequence[Floats], answers: Sequence[Answers]) -> InstanceObserved:
        codes = np.unique(self.case.train.labels, return_inverse=True)[1].astype(np.int64)
        without, guesses = self.begin("without", drawn, ""), list[list[Bits | None]]()
        for each, asked, told in zip(drawn, rows, answers, strict=True):
            bits, candidates = self._bits(each, asked)
            plain = majority(bits[told.before.argmax(axis=1) == codes[each.deleted]])
            without.add(None if plain is None else wrong_bits(plain, candidates))
            guesses.append([majority(bits[_turned(told)]), plain])
        named, without_named = self._named(drawn, rows, guesses, codes)
        shown = self._shown(drawn, rows, answers) if self.case.settings.policy.show_reconstructions else None
        found = super().observed(drawn, rows, answers)
        more = {"without": without.score.wins, "without_alike": without.mean, "named": named, "without_named": without_named}
        return InstanceObserved.model_validate({**dict(found), **more, "picture": shown})

    def _named(
        self, drawn: Sequence[Drawn], rows: Sequence[Floats], guesses: Sequence[Sequence[Bits | None]], codes: Positions
    ) -> tuple[int, int]:
        """Games in which the model from before gives the guess, with and without the deletion, the deleted record's class."""
        # What is no guess is asked about as any row: what is answered does not count.
        shown = [
            np.array([asked[0] if guess is None else _as_features(guess, asked) for guess in some])
            for asked, some in zip(rows, guesses, strict=True)
        ]
        asked = [Asked(each.game, some) for each, some in zip(drawn, shown, strict=True)]
        answers = play(self.case, asked, self.how, name=f"{_PROGRESS}, guesses classed")
        right = np.array(
            [
                [
                    guess is not None and code == codes[each.deleted]
                    for guess, code in zip(some, told.before.argmax(axis=1), strict=True)
                ]
                for each, some, told in zip(drawn, guesses, answers, strict=True)
            ]
        )
        with_deletion, without = right.sum(axis=0).tolist()
        return with_deletion, without

    def _bits(self, drawn: Drawn, asked: Floats) -> tuple[Bits, Bits]:
        """What was asked about and the candidates, as bits."""
        middle = (asked.min(axis=0) + asked.max(axis=0)) / 2
        return binarised(asked, middle), binarised(self.case.train.features[drawn.candidates], middle)

    def _shown(self, drawn: Sequence[Drawn], rows: Sequence[Floats], answers: Sequence[Answers]) -> Picture | None:
        """The first deleted picture that was rebuilt."""
        won = self.attack(drawn, rows, answers, "").score.won
        for each, asked, told, right in zip(drawn, rows, answers, won, strict=True):
            guess = majority(self._bits(each, asked)[0][_turned(told)])
            if right and guess is not None:
                return _picture(self.case.train.features, each.deleted, guess)
        return None


def _as_features(guess: Bits, asked: Floats) -> Floats:
    """A guess in the columns' own units, shape (d,): a bit stands for the mean of the probes on its side of the middle."""
    middle = (asked.min(axis=0) + asked.max(axis=0)) / 2
    above = binarised(asked, middle)
    sides = [
        np.divide((asked * side).sum(axis=0), side.sum(axis=0), out=middle.copy(), where=side.any(axis=0))
        for side in (~above, above)
    ]
    row: Floats = np.where(guess, sides[1], sides[0])
    return row


def _turned(told: Answers) -> npt.NDArray[np.bool_]:
    """The rows whose predicted class changed, shape (q,)."""
    return deleted_region(told.before.argmax(axis=1), told.after[0].argmax(axis=1))


def _picture(features: Floats, deleted: int, guess: Bits) -> Picture | None:
    """The first deleted picture that was rebuilt; None where rows are no square pictures."""
    width = isqrt(features.shape[1])
    if width**2 != features.shape[1] or not 2 <= width <= WIDEST_PICTURE:
        return None
    low, high = float(features.min()), float(features.max())
    row = (features[deleted] - low) / (high - low)
    return Picture(width=width, deleted=tuple(np.round(row, 2).tolist()), rebuilt=tuple(guess.astype(float).tolist()))


class _ByDifference(_Asking):
    """Where the difference of two linear models points, in units of each column's deviation among the probes."""

    def attack(self, drawn: Sequence[Drawn], rows: Sequence[Floats], answers: Sequence[Answers], remedy: str) -> _Attack:
        model = least_squares(self.case.settings.procedure)
        intercept = model is not None and model.intercept
        attack = self.begin("difference", drawn, remedy)
        for each, asked, told in zip(drawn, rows, answers, strict=True):
            pointed = direction(_rows(asked, asked, intercept=intercept), told.before, told.after[0])
            candidates = _rows(self.case.train.features[each.candidates], asked, intercept=intercept)
            attack.add(None if pointed is None else turned_away(pointed, candidates))
        return attack


def _rows(rows: Floats, probes: Floats, *, intercept: bool) -> Floats:
    """Rows as the model weighs them: standardised next to a column of ones, or, without an intercept, as they are.

    A linear map of the columns maps the deleted record's row as it maps every other, so that a model with an intercept may be
    asked in any units.
    """
    if not intercept:
        return rows
    deviation = probes.std(axis=0)
    scaled = (rows - probes.mean(axis=0)) / np.where(deviation > 0, deviation, 1.0)
    return np.column_stack([np.ones(len(rows)), scaled])
