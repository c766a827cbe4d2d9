"""The games of `reconstruction.label` (Gao et al. 2022, Algorithms C.1 and C.3)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np

from auditor.attacks.reconstruction.records import best_factor, extrapolated, leverage_factor, rise
from auditor.audit.run_options import RunOptions
from auditor.base.draws import generator
from auditor.base.records import Dataset, Floats, Positions
from auditor.case import Case
from auditor.parts.revealing.judging.reconstruction.label import CARD, CONSTANT, LEVERAGE, RANGE, RECORDS
from auditor.parts.revealing.judging.reconstruction.observed import ClassGames, Distance, LabelObserved, Tally
from auditor.parts.revealing.judging.reconstruction.routes import LeastSquares, least_squares
from auditor.parts.revealing.observing.deleting.asking import play
from auditor.parts.revealing.observing.deleting.drawing import Answers, Asked
from auditor.parts.revealing.observing.reconstructing.drawing import Drawn, Score, auxiliary, draw, most_probes
from auditor.parts.revealing.observing.reconstructing.remedies import NOTHING, Holds, keeps, measured

MOST_PROBES: Final = 2000
"""Of each kind."""
LEAST_PROBES: Final = 20
NUMBERS: Final = 10_000_000
"""In the probes of one kind, over all games."""
SHADOW_GAMES: Final = 50
"""In which the adversary fits λ on records whose labels are known."""
_PROGRESS: Final = "label reconstruction games"


def observe(case: Case, how: RunOptions, *, games: int, holds: Holds = keeps) -> LabelObserved:
    """Play the games.

    Args:
        case: The case.
        how: How the run observes.
        games: How many.
        holds: Whether games keep within the limit; where they do not, they are played under remedies as well.

    Raises:
        UnplayableError: If there are too few records, or too few of a class.
        NoDeviceError: If a run did not use the CUDA device that was found.
        ProcedureError: If the procedure failed.
        SandboxError: If the sandbox did, or a model gave no predictions.
    """
    return (_classes if case.settings.data.task == "classification" else _values)(case, how, games, holds)


class _Classes:
    """An attack that names a class asks both models about points of the data range and about records."""

    def __init__(self, case: Case, how: RunOptions, games: int) -> None:
        self._case, self._how = case, how
        self._codes = np.unique(case.train.labels, return_inverse=True)[1].astype(np.int64)
        width = case.train.features.shape[1]
        self._most = most_probes(games, width, numbers=NUMBERS, least=LEAST_PROBES, most=MOST_PROBES)
        self._ends = case.train.features.min(axis=0), case.train.features.max(axis=0)

    def ask(self, number: int, drawn: Drawn) -> Floats:
        rng = generator(self._how.seed, CARD.id, "probes", number)
        ranged = rng.uniform(*self._ends, size=(self._most, self._case.train.features.shape[1]))
        return np.concatenate([ranged, self.beside(drawn).features])

    def beside(self, drawn: Drawn) -> Dataset:
        return auxiliary(self._case, drawn, self._most)

    def tell(self, drawn: Sequence[Drawn], rows: Sequence[Floats], answers: Sequence[Answers], remedy: str) -> tuple[Tally, ...]:  # noqa: ARG002 - of the rows only their order matters
        return tuple(score.tally for score in self.scores(drawn, answers, remedy))

    def scores(self, drawn: Sequence[Drawn], answers: Sequence[Answers], remedy: str = "") -> list[Score]:
        """Of both kinds of rows."""
        decoys = len(drawn[0].decoys)
        scores = [Score(name, decoys=decoys, rng=_ties(self._how, name, remedy)) for name in (RANGE, RECORDS)]
        for each, told in zip(drawn, answers, strict=True):
            for score, part in zip(scores, (np.s_[: self._most], np.s_[self._most :]), strict=True):
                score.add(rise(told.before[part], told.after[0][part])[self._codes[each.candidates]])
        return scores


def _ties(how: RunOptions, name: str, remedy: str) -> np.random.Generator:
    return generator(how.seed, CARD.id, "ties", name, *([remedy] if remedy else []))


def _classes(case: Case, how: RunOptions, games: int, holds: Holds) -> LabelObserved:
    """One record of each class stands to be deleted."""
    drawn = draw(case.train, name=CARD.id, games=games, seed=how.seed, classes=True, each_class=True)
    adversary = _Classes(case, how, games)
    codes = np.unique(case.train.labels, return_inverse=True)[1].astype(np.int64)
    rows = [adversary.ask(number, each) for number, each in enumerate(drawn)]
    answers = play(case, [Asked(each.game, some) for each, some in zip(drawn, rows, strict=True)], how, name=_PROGRESS)
    scores = adversary.scores(drawn, answers)
    tallies = tuple(score.tally for score in scores)
    deleted = np.array([codes[each.deleted] for each in drawn], dtype=np.int64)
    under, private = NOTHING
    if not holds(tallies):
        under, private = measured(case, how, adversary, drawn, rows, answers, name=CARD.id, play=play)
    return LabelObserved(
        games=games,
        trained=len(drawn[0].game.trained),
        decoys=len(drawn[0].decoys),
        tallies=tallies,
        classes=_by_class(codes, deleted, scores[0].won),
        under=under,
        private=private,
    )


def _by_class(codes: Positions, deleted: Positions, won: Sequence[bool]) -> tuple[ClassGames, ...]:
    right = np.array(won)
    return tuple(
        ClassGames(
            share=float(np.mean(codes == code)),
            games=int(np.count_nonzero(deleted == code)),
            right=int(np.count_nonzero(right & (deleted == code))),
        )
        for code in range(int(codes.max()) + 1)
    )


class _Values:
    """An attack that knows the deleted instance extrapolates from two predictions of it, by what fits games of their own."""

    def __init__(self, case: Case, how: RunOptions) -> None:
        self._case, self._how = case, how
        self._labels = case.train.labels.astype(np.float64)
        self._model = least_squares(case.settings.procedure)

    def ask(self, number: int, drawn: Drawn) -> Floats:  # noqa: ARG002 - every game is asked about its own record
        return self._case.train.features[drawn.game.deleted[0][:1]]

    def beside(self, drawn: Drawn) -> Dataset:  # noqa: ARG002 - no record has a class
        raise TypeError("labels of a regression are no classes")

    def tell(self, drawn: Sequence[Drawn], rows: Sequence[Floats], answers: Sequence[Answers], remedy: str) -> tuple[Tally, ...]:  # noqa: ARG002 - as above
        guesses = self.guesses(drawn, answers)[1]
        return tuple(self.scored(name, guess, drawn[SHADOW_GAMES:], remedy).tally for name, guess in guesses.items())

    def guesses(self, drawn: Sequence[Drawn], answers: Sequence[Answers]) -> tuple[float, dict[str, Floats]]:
        """λ of the attack with one for all records, and what each attack guesses, shape (games,); shadow games come first."""
        known = self._labels[[each.deleted for each in drawn[:SHADOW_GAMES]]]
        factor = best_factor(*_told(answers[:SHADOW_GAMES]), known)
        before, after = _told(answers[SHADOW_GAMES:])
        guesses = {CONSTANT: extrapolated(before, after, factor)}
        if self._model is not None:
            factors = _factors(self._case, self._model, drawn[SHADOW_GAMES:])
            guesses = {LEVERAGE: extrapolated(before, after, factors), **guesses}
        return factor, guesses

    def scored(self, name: str, guesses: Floats, drawn: Sequence[Drawn], remedy: str = "") -> Score:
        score = Score(name, decoys=len(drawn[0].decoys), rng=_ties(self._how, name, remedy))
        for each, guess in zip(drawn, guesses.tolist(), strict=True):
            score.add(np.abs(self._labels[each.candidates] - guess))
        return score


def _values(case: Case, how: RunOptions, games: int, holds: Holds) -> LabelObserved:
    """The adversary knows the deleted instance, and looks for its label."""
    adversary, labels = _Values(case, how), case.train.labels.astype(np.float64)
    shadows = draw(case.train, name=f"{CARD.id} shadow", games=SHADOW_GAMES, seed=how.seed, classes=False)
    drawn = draw(case.train, name=CARD.id, games=games, seed=how.seed, classes=False)
    every = [*shadows, *drawn]
    rows = [adversary.ask(number, each) for number, each in enumerate(every)]
    answers = play(case, [Asked(each.game, some) for each, some in zip(every, rows, strict=True)], how, name=_PROGRESS)
    factor, guesses = adversary.guesses(every, answers)
    scores = {name: adversary.scored(name, guess, drawn) for name, guess in guesses.items()}
    tallies = tuple(score.tally for score in scores.values())
    before, after = _told(answers[len(shadows) :])
    truth = labels[[each.deleted for each in drawn]]
    nearer = np.minimum(np.abs(before - truth), np.abs(after - truth))
    under, private = NOTHING
    if not holds(tallies):
        under, private = measured(case, how, adversary, every, rows, answers, name=CARD.id, play=play, shadows=len(shadows))
    return LabelObserved(
        games=games,
        trained=len(drawn[0].game.trained),
        decoys=len(drawn[0].decoys),
        tallies=tallies,
        factor=factor,
        shadow_games=len(shadows),
        distances=tuple(Distance(attack=name, mean=float(np.abs(guess - truth).mean())) for name, guess in guesses.items()),
        nearer_model=float(nearer.mean()),
        without=adversary.scored("without", before, drawn).wins,
        under=under,
        private=private,
    )


def _told(answers: Sequence[Answers]) -> tuple[Floats, Floats]:
    """ŷ and ŷ′ of each game, shape (games,) both."""
    return np.array([each.before[0] for each in answers]), np.array([each.after[0][0] for each in answers])


def _factors(case: Case, model: LeastSquares, drawn: Sequence[Drawn]) -> Floats:
    """λ = (1 − h)/h of each deleted record, from the instances that its set holds."""
    rows = case.train.features
    penalty = np.full(rows.shape[1] + model.intercept, model.ridge)
    penalty[: int(model.intercept)] = 0.0
    whole = np.column_stack([np.ones(len(rows)), rows]) if model.intercept else rows
    return np.array([leverage_factor(whole[each.game.trained], whole[each.deleted], penalty=penalty) for each in drawn])
