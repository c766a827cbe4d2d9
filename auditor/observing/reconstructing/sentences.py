"""The games of `reconstruction.sentence` (Gao et al. 2022, Appendix D).

The language model is one of ours and counts in no time, so the games are played in this process: the adversary asks it about
texts, through its own `predict`, before the deletion and after it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final, TypeAlias

import numpy as np

from auditor.attacks.reconstruction.sentences import Rebuilt, Run, f1, rebuild
from auditor.case import Case
from auditor.checks.reconstruction.observed import SentenceObserved
from auditor.checks.reconstruction.sentence import CARD, RUNS
from auditor.domain import Dataset, Floats, Positions
from auditor.draws import generator
from auditor.observing.how import How
from auditor.observing.reconstructing.drawing import Drawn, draw
from auditor.observing.reconstructing.scoring import Score
from auditor.observing.replay import specification
from auditor.procedures import build
from auditor.settings.ngram import Ngram

FELL: Final = 1e-9
"""By how much the logarithm of a probability falls at least: rounding moves it by less."""
_PROGRESS: Final = "sentence reconstruction games"
Ask: TypeAlias = Callable[[Floats], Floats]
"""Texts, shape (m, words), to the logarithms of their probabilities, shape (m,)."""


def observe(case: Case, how: How, *, games: int) -> SentenceObserved:
    """Play the games.

    Args:
        case: A text case.
        how: How the run observes.
        games: How many.

    Raises:
        UnplayableError: If there are too few sentences.
    """
    table = case.settings.procedure
    if not isinstance(table, Ngram):
        raise TypeError("sentences are rebuilt from language models")
    settings = specification(case).settings
    procedure = build("ngram", settings)
    drawn = draw(case.train, name=CARD.id, games=games, seed=how.seed, classes=False)
    sentences = [_words(row) for row in case.train.features]
    score = Score(RUNS, decoys=len(drawn[0].decoys), rng=generator(how.seed, CARD.id, "ties"))
    found = list[Rebuilt]()
    for number, each in enumerate(drawn, start=1):
        guess = _played(procedure, case.train, each, order=table.order)
        found.append(guess)
        near = np.array([f1(guess.words, sentences[place]) for place in each.candidates])
        score.add(1 - near if guess.words else None)
        how.on_step(_PROGRESS, number, games)
    told = [f1(guess.words, sentences[each.deleted]) for guess, each in zip(found, drawn, strict=True)]
    return SentenceObserved(
        games=games,
        trained=len(drawn[0].game.trained),
        decoys=len(drawn[0].decoys),
        tallies=(score.tally,),
        blank=score.blank,
        order=table.order,
        words=int(settings["words"]),
        whole=sum(guess.words == sentences[each.deleted] for guess, each in zip(found, drawn, strict=True)),
        f1=float(np.mean(told)),
        one_path=sum(guess.whole for guess in found),
        out_of_time=sum(guess.out_of_time for guess in found),
    )


def _words(row: Floats) -> Run:
    return tuple(int(word) for word in row if word)


def _played(procedure: Any, train: Dataset, each: Drawn, *, order: int) -> Rebuilt:
    """One game: learn, let the adversary ask, unlearn, let them ask again."""
    game = each.game
    data = train.subset(game.trained)
    runs = occurring(data.features, order)
    before = procedure.learn(data, game.learn_seed)
    likely = [last_words(lambda texts: np.asarray(procedure.predict(before, texts)), some) for some in runs]
    after = procedure.unlearn(before, data, game.forget(0), game.unlearn_seeds[0])
    return rebuild(_fallen(runs, likely, lambda texts: np.asarray(procedure.predict(after, texts))))


def occurring(rows: Floats, order: int) -> tuple[Positions, ...]:
    """The runs of 1, 2, … words that occur in texts, each of shape (r, length).

    An adversary finds them by asking about every text: a run that occurs is likelier than one that does not, as the smoothing is
    the same for all. That a run occurs is therefore taken as known, and the other texts are not asked about.

    Args:
        rows: Shape (n, w): texts, zeros behind their last word.
        order: Words of the longest runs.
    """
    codes, found = rows.astype(np.int64), []
    for length in range(1, min(order, codes.shape[1]) + 1):
        windows = np.lib.stride_tricks.sliding_window_view(codes, length, axis=1)
        found.append(np.unique(windows[windows[..., -1] > 0], axis=0))
    return tuple(found)


def last_words(ask: Ask, runs: Positions) -> Floats:
    """How likely the last word of each run is after the others, as logarithms, shape (r,): two answers a run.

    Args:
        ask: A model.
        runs: Shape (r, length).
    """
    whole = ask(runs.astype(np.float64))
    return whole - ask(runs[:, :-1].astype(np.float64)) if runs.shape[1] > 1 else whole


def _fallen(runs: Sequence[Positions], before: Sequence[Floats], ask: Ask) -> list[Run]:
    """The longest runs whose last word became less likely; shorter ones where none of the longest did."""
    for longest, likely in reversed(list(zip(runs, before, strict=True))):
        fell = last_words(ask, longest) < likely - FELL
        if fell.any():
            return [tuple(run) for run in longest[fell].tolist()]
    return []
