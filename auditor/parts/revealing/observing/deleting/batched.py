"""Deletion games with linear models of our own, many at a time in this process: certified removal, and noisy descent.

Answers of certified removal equal those of the sandboxed path to the optimiser's tolerance; those of noisy descent have the same
law, and other bits, as the noise comes from other streams.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

import numpy as np

from auditor.audit.replay import specification
from auditor.audit.run_options import RunOptions
from auditor.base.draws import generator
from auditor.base.errors import ProcedureError
from auditor.base.records import Floats, Positions
from auditor.case import Case
from auditor.learning.noisy_gd import chains
from auditor.learning.noisy_gd.models import of_settings
from auditor.learning.removal_trainer import Trainer
from auditor.learning.subsets import Bools
from auditor.parts.revealing.observing.deleting.drawing import Answers, Asked
from auditor.settings.facets import NoisyDescent, Removal

MOST_NUMBERS: Final = 1 << 24
"""Of memberships, models times records, at a time."""


def applies(case: Case) -> bool:
    """Whether the models of a case can be computed many at a time in this process."""
    removal, descent = case.settings.procedure.removal, case.settings.procedure.descent
    if removal is not None:
        return removal.solved_together and removal.loss == "logistic"
    return descent is not None and descent.loss is not None and descent.packing is None


def play(case: Case, questions: Sequence[Asked], how: RunOptions, *, name: str) -> tuple[Answers, ...]:
    """Play every game; arguments, results and errors as of `asking.play`.

    Raises:
        ProcedureError: If the declared tolerance cannot be reached, or descent diverges.
    """
    procedure, found = case.settings.procedure, list[Answers]()
    size = max(1, MOST_NUMBERS // max(1, len(case.train)))
    for start in range(0, len(questions), size):
        part = questions[start : start + size]
        try:
            if procedure.removal is not None:
                found.extend(_Removal(case, procedure.removal).play(part))
            elif procedure.descent is not None:
                found.extend(_Descent(case, procedure.descent, seed=how.seed, name=f"{name} {start}").play(part))
            else:
                raise TypeError("only linear models of ours are trained many at a time")
        except ArithmeticError as error:
            raise ProcedureError(f"the models of deletion games: {error}") from error
        how.on_step(name, start + len(part), len(questions))
    return tuple(found)


class _Engine:
    """Learn, delete, predict: one array of weights for all models, the first axis."""

    def __init__(self, case: Case) -> None:
        self.case = case

    def play(self, questions: Sequence[Asked]) -> Iterator[Answers]:
        games = [each.game for each in questions]
        trained = self.members([game.trained for game in games])
        learned = self.learn(trained, [game.learn_seed for game in games])
        after: list[list[Floats]] = [[] for _ in games]
        along: list[dict[int, tuple[Floats, ...]]] = [{} for _ in games]
        for deletion in range(max(len(game.deleted) for game in games)):
            those = [number for number, game in enumerate(games) if deletion < len(game.deleted)]
            asked = [games[number].requests(deletion) for number in those]
            left, starts = learned[those], [games[number].learn_seed for number in those]
            for turn in range(max(map(len, asked), default=0)):
                requests = [those_of[turn] for those_of in asked]
                seeds = [each.seed for each in requests]
                members, forget = (
                    self.members([each.trained for each in requests]),
                    self.members([each.gone for each in requests]),
                )
                left = self.unlearn(members, forget, left, starts, seeds)
                for number, wanted, shown in zip(those, asked, self.shown(left, seeds), strict=True):
                    answers = self.predict(shown, questions[number].rows)
                    if turn == len(wanted) - 1:
                        after[number].append(answers)
                    else:
                        along[number][deletion] = (*along[number].get(deletion, ()), answers)
        before = self.shown(learned, [game.learn_seed for game in games])
        for each, own, later, between in zip(questions, before, after, along, strict=True):
            yield Answers(self.predict(own, each.rows), tuple(later), between)

    def members(self, sets: Sequence[Positions]) -> Bools:
        """Sets of positions as a mask, shape (models, n)."""
        mask = np.zeros((len(sets), len(self.case.train)), dtype=bool)
        for row, positions in zip(mask, sets, strict=True):
            row[positions] = True
        return mask

    def learn(self, trained: Bools, seeds: list[int]) -> Floats:
        raise NotImplementedError

    def unlearn(self, trained: Bools, forget: Bools, learned: Floats, learn_seeds: list[int], seeds: list[int]) -> Floats:
        raise NotImplementedError

    def shown(self, weights: Floats, seeds: list[int]) -> Floats:  # noqa: ARG002 - release noise has a seed
        """The weights as they are released."""
        return weights

    def predict(self, weights: Floats, rows: Floats) -> Floats:
        """What one model answers."""
        raise NotImplementedError


class _Removal(_Engine):
    """Certified removal from logistic regression."""

    def __init__(self, case: Case, procedure: Removal) -> None:
        super().__init__(case)
        self._trainer = Trainer(case.train, procedure)
        self._newton = procedure.unlearn == "newton"

    def learn(self, trained: Bools, seeds: list[int]) -> Floats:
        return self._trainer.learn(trained, seeds)

    def unlearn(self, trained: Bools, forget: Bools, learned: Floats, learn_seeds: list[int], seeds: list[int]) -> Floats:
        if self._newton:
            return self._trainer.step(trained, forget, learned, learn_seeds)
        return self._trainer.learn(trained & ~forget, seeds)

    def shown(self, weights: Floats, seeds: list[int]) -> Floats:
        return self._trainer.released(weights, seeds)

    def predict(self, weights: Floats, rows: Floats) -> Floats:
        answers: Floats = self._trainer.predict_rows(weights[None], rows)[0]
        return answers


class _Descent(_Engine):
    """Noisy gradient descent on a linear model: every chain has records of its own."""

    def __init__(self, case: Case, procedure: NoisyDescent, *, seed: int, name: str) -> None:
        super().__init__(case)
        self._procedure, made = procedure, of_settings(specification(case).settings)
        self._model, self._descent = made.model, made.descent
        codes = np.unique(case.train.labels, return_inverse=True)[1].astype(np.int64)
        self._records = chains.Records(self._model.rows(case.train.features), codes)
        self._rng = generator(seed, "deleting", "chains", name)

    def learn(self, trained: Bools, seeds: list[int]) -> Floats:
        start = chains.starts(self._descent, chains=len(seeds), size=self._model.size, rng=self._rng)
        return self._run(trained, start, self._procedure.learn_steps)

    def unlearn(self, trained: Bools, forget: Bools, learned: Floats, learn_seeds: list[int], seeds: list[int]) -> Floats:  # noqa: ARG002 - noise comes from one stream
        return self._run(trained & ~forget, learned, self._procedure.unlearn_steps)

    def predict(self, weights: Floats, rows: Floats) -> Floats:
        return self._model.probabilities(weights, rows)

    def _run(self, members: Bools, start: Floats, steps: int) -> Floats:
        loss, descent = self._model.loss, self._descent
        return chains.run(loss, self._records, descent, start, steps=steps, rng=self._rng, members=members)
