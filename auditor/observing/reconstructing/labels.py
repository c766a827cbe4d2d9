"""The games of `reconstruction.label` (Gao et al. 2022, Algorithms C.1 and C.3)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np

from auditor.attacks.reconstruction.labels import best_factor, extrapolated, leverage_factor, rise
from auditor.case import Case
from auditor.checks.reconstruction.label import CARD, CONSTANT, LEVERAGE, RANGE, RECORDS
from auditor.checks.reconstruction.least_squares import LeastSquares, least_squares
from auditor.checks.reconstruction.observed import ClassGames, Distance, LabelObserved
from auditor.domain import Floats, Positions
from auditor.draws import generator
from auditor.observing.deleting.asking import Answers, Asked, play
from auditor.observing.how import How
from auditor.observing.reconstructing.drawing import Drawn, auxiliary, draw, most_probes
from auditor.observing.reconstructing.scoring import Score

MOST_PROBES: Final = 2000
"""Of each kind."""
LEAST_PROBES: Final = 20
NUMBERS: Final = 10_000_000
"""In the probes of one kind, over all games."""
SHADOW_GAMES: Final = 50
"""In which the adversary fits λ on records whose labels are known."""
_PROGRESS: Final = "label reconstruction games"


def observe(case: Case, how: How, *, games: int) -> LabelObserved:
    """Play the games.

    Args:
        case: The case.
        how: How the run observes.
        games: How many.

    Raises:
        UnplayableError: If there are too few records, or too few of a class.
        NoDeviceError: If a run did not use the CUDA device that was found.
        ProcedureError: If the procedure failed.
        SandboxError: If the sandbox did, or a model gave no predictions.
    """
    return _classes(case, how, games) if case.settings.data.task == "classification" else _values(case, how, games)


def _classes(case: Case, how: How, games: int) -> LabelObserved:
    """One record of each class stands to be deleted; both models are asked about points of the data range and about records."""
    train = case.train
    drawn = draw(train, name=CARD.id, games=games, seed=how.seed, classes=True, each_class=True)
    codes = np.unique(train.labels, return_inverse=True)[1].astype(np.int64)
    most = most_probes(games, train.features.shape[1], numbers=NUMBERS, least=LEAST_PROBES, most=MOST_PROBES)
    low, high = train.features.min(axis=0), train.features.max(axis=0)
    asked = []
    for number, each in enumerate(drawn):
        rng = generator(how.seed, CARD.id, "probes", number)
        ranged = rng.uniform(low, high, size=(most, train.features.shape[1]))
        asked.append(Asked(each.game, np.concatenate([ranged, auxiliary(case.holdout, train, each, most)])))
    answers = play(case, asked, how, name=_PROGRESS)
    decoys = len(drawn[0].decoys)
    scores = [Score(name, decoys=decoys, rng=generator(how.seed, CARD.id, "ties", name)) for name in (RANGE, RECORDS)]
    for each, told in zip(drawn, answers, strict=True):
        for score, rows in zip(scores, (np.s_[:most], np.s_[most:]), strict=True):
            score.add(rise(told.before[rows], told.after[0][rows])[codes[each.candidates]])
    deleted = np.array([codes[each.deleted] for each in drawn], dtype=np.int64)
    return LabelObserved(
        games=games,
        trained=len(drawn[0].game.trained),
        decoys=decoys,
        tallies=tuple(score.tally for score in scores),
        classes=_by_class(codes, deleted, scores[0].won),
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


def _values(case: Case, how: How, games: int) -> LabelObserved:
    """The adversary knows the deleted instance, and extrapolates from two predictions of it."""
    train = case.train
    labels = train.labels.astype(np.float64)
    shadows = draw(train, name=f"{CARD.id} shadow", games=SHADOW_GAMES, seed=how.seed, classes=False)
    drawn = draw(train, name=CARD.id, games=games, seed=how.seed, classes=False)
    asked = [Asked(each.game, train.features[each.game.deleted[0]]) for each in (*shadows, *drawn)]
    answers = play(case, asked, how, name=_PROGRESS)
    known = labels[[each.deleted for each in shadows]]
    factor = best_factor(*_told(answers[: len(shadows)]), known)
    before, after = _told(answers[len(shadows) :])
    truth = labels[[each.deleted for each in drawn]]
    guesses = {CONSTANT: extrapolated(before, after, factor)}
    if (model := least_squares(case.settings.procedure)) is not None:
        guesses = {LEVERAGE: extrapolated(before, after, _factors(case, model, drawn)), **guesses}
    scores = {name: _scored(name, guess, labels, drawn, how) for name, guess in guesses.items()}
    nearer = np.minimum(np.abs(before - truth), np.abs(after - truth))
    return LabelObserved(
        games=games,
        trained=len(drawn[0].game.trained),
        decoys=len(drawn[0].decoys),
        tallies=tuple(score.tally for score in scores.values()),
        factor=factor,
        shadow_games=len(shadows),
        distances=tuple(Distance(attack=name, mean=float(np.abs(guess - truth).mean())) for name, guess in guesses.items()),
        nearer_model=float(nearer.mean()),
        without=_scored("without", before, labels, drawn, how).wins,
    )


def _told(answers: Sequence[Answers]) -> tuple[Floats, Floats]:
    """ŷ and ŷ′ of each game, shape (games,) both."""
    return np.array([each.before[0] for each in answers]), np.array([each.after[0][0] for each in answers])


def _scored(name: str, guesses: Floats, labels: Floats, drawn: Sequence[Drawn], how: How) -> Score:
    score = Score(name, decoys=len(drawn[0].decoys), rng=generator(how.seed, CARD.id, "ties", name))
    for each, guess in zip(drawn, guesses.tolist(), strict=True):
        score.add(np.abs(labels[each.candidates] - guess))
    return score


def _factors(case: Case, model: LeastSquares, drawn: Sequence[Drawn]) -> Floats:
    """λ = (1 − h)/h of each deleted record, from the instances that its set holds."""
    rows = case.train.features
    penalty = np.full(rows.shape[1] + model.intercept, model.ridge)
    penalty[: int(model.intercept)] = 0.0
    whole = np.column_stack([np.ones(len(rows)), rows]) if model.intercept else rows
    return np.array([leverage_factor(whole[each.game.trained], whole[each.deleted], penalty=penalty) for each in drawn])
