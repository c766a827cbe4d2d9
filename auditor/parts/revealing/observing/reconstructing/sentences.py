"""The games of `reconstruction.sentence` (Gao et al. 2022, Appendix D).

The language model is one of ours and counts in no time, so the games are played in this process: the adversary asks it about
texts, through its own `predict`, before the deletion and after it.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache, partial
from typing import Any, Final, NamedTuple, TypeAlias

import numpy as np

from auditor.attacks.reconstruction.sentences import Rebuilt, Run, f1, rebuild
from auditor.audit.replay import specification
from auditor.audit.run_options import RunOptions
from auditor.base.draws import generator
from auditor.base.records import Dataset, Floats, Positions
from auditor.case import Case
from auditor.learning import build
from auditor.parts.revealing.judging.reconstruction.observed import SentenceObserved, Under
from auditor.parts.revealing.judging.reconstruction.sentence import CARD, CLEARLY, RUNS
from auditor.parts.revealing.observing.deleting.drawing import Game, UnplayableError, fully
from auditor.parts.revealing.observing.deleting.remedies import retrained
from auditor.parts.revealing.observing.reconstructing.drawing import Drawn, Score, draw
from auditor.parts.revealing.observing.reconstructing.remedies import SEVERALS, Holds, in_batches, keeps

FELL: Final = 1e-9
"""By how much the logarithm of a probability falls at least: rounding moves it by less."""
_DIGITS: Final = 2
_ROUNDED: Final = ((FELL, _DIGITS), (1.5 * 10.0**-_DIGITS, _DIGITS))
"""Two answers of a run are rounded, so that one that kept its probability may seem to have moved by a step and no more."""
PROGRESS: Final = "sentence reconstruction games"
REMEDIED: Final = "sentence reconstruction games with remedies"
_TIMED: Final = 3
"""Games that show what one takes."""
Ask: TypeAlias = Callable[[Floats], Floats]
"""Texts, shape (m, words), to the logarithms of their probabilities, shape (m,)."""


def observe(case: Case, how: RunOptions, *, games: int, holds: Holds = keeps) -> SentenceObserved:
    """Play the games.

    Args:
        case: A text case.
        how: How the run observes.
        games: How many.
        holds: Whether games keep within the limit; where they do not, they are played under remedies as well.

    Raises:
        UnplayableError: If there are too few sentences.
    """
    if not case.settings.procedure.learns_text:
        raise TypeError("sentences are rebuilt from language models")
    settings = specification(case).settings
    order = int(settings["order"])
    playing = _Playing(case.train, how.seed, build("ngram", settings), order)
    drawn = draw(case.train, name=CARD.id, games=games, seed=how.seed, classes=False)
    on_step = partial(how.on_step, PROGRESS)
    found = [guess for (guess,) in playing.guesses(_standard(drawn), _Count(games, on_step))]
    sentences = playing.sentences()
    told = [f1(guess.words, sentences[each.deleted]) for guess, each in zip(found, drawn, strict=True)]
    score = playing.scored(RUNS, drawn, found)
    return SentenceObserved(
        games=games,
        trained=len(drawn[0].game.trained),
        decoys=len(drawn[0].decoys),
        tallies=(score.tally,),
        blank=score.blank,
        order=order,
        words=int(settings["words"]),
        whole=sum(guess.words == sentences[each.deleted] for guess, each in zip(found, drawn, strict=True)),
        f1=float(np.mean(told)),
        one_path=sum(guess.whole for guess in found),
        out_of_time=sum(guess.out_of_time for guess in found),
        under=() if holds((score.tally,)) else tuple(_under(playing, drawn, partial(how.on_step, REMEDIED))),
    )


class Seconds(NamedTuple):
    """What one game takes."""

    alone: float
    remedied: float
    """Under all remedies together."""


def seconds_of_a_game(case: Case, *, seed: int) -> Seconds | None:
    """Play a few games to see what one takes; None where none can be played.

    Args:
        case: A text case.
        seed: The auditor's own.
    """
    return _timed(case.train, json.dumps(dict(specification(case).settings), sort_keys=True), seed)


@lru_cache(maxsize=1)
def _timed(train: Dataset, settings: str, seed: int) -> Seconds | None:
    """Time a few games, once for the several plans of one case."""
    declared = json.loads(settings)
    playing = _Playing(train, seed, build("ngram", declared), int(declared["order"]))
    try:
        drawn = draw(train, name=CARD.id, games=_TIMED, seed=seed, classes=False)
    except UnplayableError:
        return None
    began = time.monotonic()
    playing.guesses(_standard(drawn), _Count(_TIMED))
    between = time.monotonic()
    list(_under(playing, drawn))
    return Seconds((between - began) / _TIMED, (time.monotonic() - between) / _TIMED)


def remedied(games: int) -> int:
    """Tell how many of so many games are played again under every remedy."""
    return fully(games)


class _Count:
    """Counts games for those who watch."""

    def __init__(self, games: int, on_step: Callable[[int, int], None] = lambda _done, _games: None) -> None:
        self._played, self._games, self._on_step = 0, games, on_step

    def one_more(self) -> None:
        self._played += 1
        self._on_step(self._played, self._games)


def _standard(drawn: Sequence[Drawn]) -> list[tuple[Game, Game]]:
    return [(each.game, each.game) for each in drawn]


def _under(
    playing: _Playing, drawn: Sequence[Drawn], on_step: Callable[[int, int], None] = lambda _done, _games: None
) -> Iterator[Under]:
    """The same games under what could be done about it: rounded logarithms, batches, and the next retraining."""
    some = drawn[: remedied(len(drawn))]
    codes, seed = np.zeros(len(playing.train), dtype=np.int64), playing.seed
    batches = [in_batches(each, codes, generator(seed, CARD.id, "batches", number)) for number, each in enumerate(some)]
    sizes = min(len(each.game.deleted) for each in batches)
    count = _Count((2 + sizes) * len(some), on_step)
    rounded = playing.guesses(_standard(some), count, thresholds=_ROUNDED)
    told = zip((RUNS, CLEARLY), zip(*rounded, strict=True), strict=True)
    yield Under(remedy="rounded", tallies=tuple(playing.scored(name, some, found, "rounded").tally for name, found in told))
    for at in range(sizes):
        remedy = SEVERALS[len(batches[0].game.deleted[at])]
        gone = [replace(each.game, deleted=each.game.deleted[at : at + 1]) for each in batches]
        found = [guess for (guess,) in playing.guesses([(game, game) for game in gone], count)]
        yield Under(remedy=remedy, tallies=(playing.scored(RUNS, some, found, remedy).tally,))
    later = [(each.game, retrained(each.game, generator(seed, CARD.id, "waiting", at))) for at, each in enumerate(some)]
    found = [guess for (guess,) in playing.guesses(later, count)]
    yield Under(remedy="waiting", tallies=(playing.scored(RUNS, some, found, "waiting").tally,))


@dataclass(frozen=True, slots=True, eq=False)
class _Playing:
    """Plays games in this process, as the language model counts in no time."""

    train: Dataset
    seed: int
    """The auditor's own."""
    procedure: Any
    order: int

    def sentences(self) -> list[Run]:
        """Of the training data, as words."""
        return [tuple(int(word) for word in row if word) for row in self.train.features]

    def guesses(
        self,
        games: Sequence[tuple[Game, Game]],
        count: _Count,
        *,
        thresholds: Sequence[tuple[float, int | None]] = ((FELL, None),),
    ) -> list[tuple[Rebuilt, ...]]:
        """What is rebuilt in each game, once for each threshold.

        Args:
            games: Each game with the one that comes after: itself where it has a deletion, else what is trained next.
            count: Counts them.
            thresholds: By how much logarithms have to fall, and to how many digits they are told; None for all.
        """
        found = []
        for game, after in games:
            found.append(tuple(self._played(game, after, *each) for each in thresholds))
            count.one_more()
        return found

    def _played(self, game: Game, after: Game, least: float, digits: int | None) -> Rebuilt:
        """One game: learn, let the adversary ask, unlearn or train again, let them ask again."""
        train = self.train
        data = train.subset(game.trained)
        runs = occurring(data.features, self.order)
        before = self.procedure.learn(data, game.learn_seed)
        if after.deleted:
            then = self.procedure.unlearn(before, data, after.requests(0)[0].forget, after.unlearn_seeds[0])
        else:
            then = self.procedure.learn(train.subset(after.trained), after.learn_seed)

        def ask(model: Any) -> Ask:
            exact = partial(self.procedure.predict, model)
            return exact if digits is None else lambda texts: np.round(exact(texts), digits)

        likely = [last_words(ask(before), some) for some in runs]
        return rebuild(_fallen(runs, likely, ask(then), least))

    def scored(self, name: str, drawn: Sequence[Drawn], found: Sequence[Rebuilt], remedy: str = "") -> Score:
        """Hold what was rebuilt against the deleted sentence and the decoys."""
        named = [remedy, name] if remedy else []
        score = Score(name, decoys=len(drawn[0].decoys), rng=generator(self.seed, CARD.id, "ties", *named))
        sentences = self.sentences()
        for each, guess in zip(drawn, found, strict=True):
            near = np.array([f1(guess.words, sentences[place]) for place in each.candidates])
            score.add(1 - near if guess.words else None)
        return score


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


def _fallen(runs: Sequence[Positions], before: Sequence[Floats], ask: Ask, least: float) -> list[Run]:
    """The longest runs whose last word became less likely; shorter ones where none of the longest did."""
    for longest, likely in reversed(list(zip(runs, before, strict=True))):
        fell = last_words(ask, longest) < likely - least
        if fell.any():
            return [tuple(run) for run in longest[fell].tolist()]
    return []
