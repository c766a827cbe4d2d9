"""Linear models of our own, many at a time in this process: certified removal from logistic regression, and noisy descent."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from typing import Final

import numpy as np

from auditor.audit.replay import Replay, specification
from auditor.base.draws import generator
from auditor.base.errors import ProcedureError
from auditor.base.records import Floats, Positions, joined
from auditor.case import Case
from auditor.learning.noisy_gd import chains
from auditor.learning.noisy_gd.models import of_settings
from auditor.learning.removal_trainer import Trainer
from auditor.parts.release.observing.release_remembers.models import Answers, Source, answers
from auditor.parts.release.observing.release_remembers.questions import Questions
from auditor.settings.facets import NoisyDescent, Removal

_SHARED: Final = 2
"""Sets of decoys that chains of noisy descent share: a chain of its own for each set would not be computed with the others."""


def batched(case: Case) -> bool:
    """Whether the models of a case can be computed many at a time in this process."""
    removal, descent = case.settings.procedure.removal, case.settings.procedure.descent
    if removal is not None:
        return removal.solved_together and removal.loss == "logistic"
    return descent is not None and descent.loss is not None and descent.packing is None


class Linear:
    """Every model of a case in this process."""

    def __init__(self, case: Case, questions: Questions, replay: Replay) -> None:
        """Take what stays the same."""
        self._case, self._questions, self._replay = case, questions, replay

    def play(self) -> Answers:
        """Train every model of the first stage, and let them answer.

        Raises:
            ProcedureError: If the declared tolerance cannot be reached, or descent diverges.
        """
        with _failing():
            return self._learner().first(_released(self._case, self._replay))

    def retrained(self, seeds: Sequence[int]) -> Answers:
        """Train further models without the deleted records, one a seed, and let them alone answer.

        Raises:
            ProcedureError: As `play` does.
        """
        with _failing():
            return self._learner().further(list(seeds))

    def seconds_of(self, models: int) -> float:
        """Estimate what further models take: so many linear ones are trained at once, and nobody waits for them."""
        del models
        return 0.0

    def _learner(self) -> _Removal | _Descent:
        removal, descent = self._case.settings.procedure.removal, self._case.settings.procedure.descent
        if removal is not None:
            return _Removal(self._case, removal, self._questions)
        if descent is not None:
            return _Descent(self._case, descent, self._questions)
        raise TypeError("only linear models of ours are trained many at a time")


@contextmanager
def _failing() -> Iterator[None]:
    try:
        yield
    except ArithmeticError as error:
        raise ProcedureError(f"shadow models of the release: {error}") from error


def _released(case: Case, replay: Replay) -> Floats:
    """The parameters that are attacked: those of the model file, or of the replay's last model."""
    if case.model_file is not None:
        return case.model_file.parameters
    if replay.trajectory is None:
        raise TypeError("a procedure of ours has parameters")
    return replay.trajectory[-1]


class _Removal:
    """Certified removal."""

    def __init__(self, case: Case, procedure: Removal, questions: Questions) -> None:
        self._case, self._procedure, self._questions = case, procedure, questions
        self._trainer = Trainer(case.train, procedure)

    def first(self, released: Floats) -> Answers:
        """The release, the retrained models and those that hold the records."""
        questions, trainer, models = self._questions, self._trainer, self._questions.models
        seeds = list(questions.seeds)
        without = trainer.learn(trainer.members([questions.retained] * models), seeds[:models])
        holding = seeds[models:]
        sets = [*questions.decoys, questions.forgotten]
        if not questions.unseen_are_retained:
            holding, sets = holding[:-1], sets[:-1]
        inside = trainer.members([questions.base] * len(holding))
        weights = trainer.learn(inside, holding)
        if self._procedure.unlearn == "newton":
            for batch in range(len(questions.forgotten)):
                forget = trainer.members([each[batch] for each in sets])
                weights = trainer.step(inside, forget, weights, holding)
                inside &= ~forget
        else:
            weights = trainer.learn(inside & ~trainer.members([joined(each) for each in sets]), holding)
        trained = np.concatenate([trainer.released(without, seeds[:models]), trainer.released(weights, holding)])
        return self._answers(_release_first(questions, released, trained), models)

    def further(self, seeds: list[int]) -> Answers:
        """Models that learn without the deleted records."""
        trainer = self._trainer
        without = trainer.learn(trainer.members([self._questions.retained] * len(seeds)), seeds)
        return self._answers(trainer.released(without, seeds), len(seeds))

    def _answers(self, asked: Floats, models: int) -> Answers:
        predict = partial(self._trainer.predict_rows, asked)
        return answers(self._questions, predict, source=_source(self._case, self._questions), models=models)


class _Descent:
    """Noisy gradient descent."""

    def __init__(self, case: Case, procedure: NoisyDescent, questions: Questions) -> None:
        self._case, self._procedure, self._questions = case, procedure, questions
        self._made = of_settings(specification(case).settings)
        self._rows = self._made.model.rows(case.train.features)
        self._codes = np.unique(case.train.labels, return_inverse=True)[1].astype(np.int64)

    def first(self, released: Floats) -> Answers:
        """The release, the retrained models and those that hold the records."""
        questions, procedure = self._questions, self._procedure
        rng = generator(questions.seeds[-1], "release-remembers", "chains")
        without = self._learned(questions.retained, questions.models, rng)
        ends = []
        shared = np.array_split(np.arange(len(questions.decoys)), _SHARED)
        sets = [(questions.decoys[each[0]], len(each)) for each in shared if len(each)]
        if questions.unseen_are_retained:
            sets.append((questions.forgotten, 1))
        for forgotten, count in sets:
            left, models = questions.base, self._learned(questions.base, count, rng)
            for batch in forgotten:
                left = np.setdiff1d(left, batch)
                models = self._run(left, models, procedure.unlearn_steps, rng)
            ends.append(models)
        return self._answers(_release_first(questions, released, np.concatenate([without, *ends])), questions.models)

    def further(self, seeds: list[int]) -> Answers:
        """Models that learn without the deleted records; their chains draw from one stream, which no chain of others has."""
        rng = generator(seeds[0], "release-remembers", "further chains")
        return self._answers(self._learned(self._questions.retained, len(seeds), rng), len(seeds))

    def _learned(self, positions: Positions, count: int, rng: np.random.Generator) -> Floats:
        made = self._made
        begun = chains.starts(made.descent, chains=count, size=made.model.size, rng=rng)
        return self._run(positions, begun, self._procedure.learn_steps, rng)

    def _run(self, positions: Positions, start: Floats, steps: int, rng: np.random.Generator) -> Floats:
        records = chains.Records(self._rows[positions], self._codes[positions])
        return chains.run(self._made.model.loss, records, self._made.descent, start, steps=steps, rng=rng)

    def _answers(self, asked: Floats, models: int) -> Answers:
        def predict(features: Floats) -> Floats:
            return np.stack([self._made.model.probabilities(each, features) for each in asked])

        return answers(self._questions, predict, source=_source(self._case, self._questions), models=models)


def _release_first(questions: Questions, released: Floats, trained: Floats) -> Floats:
    """Put what is attacked in front of the models that it is held against, shape (1 + m, ...).

    Args:
        questions: What is asked; where the unseen are retained the last of `trained` stands for the release.
        released: The parameters of the release, of any shape that holds as many numbers as one model.
        trained: Shape (m, ...), or (m + 1, ...) with the stand-in at the end.
    """
    if questions.unseen_are_retained:
        return np.concatenate([trained[-1:], trained[:-1]])
    return np.concatenate([released.reshape(1, *trained.shape[1:]), trained])


def _source(case: Case, questions: Questions) -> Source:
    if questions.unseen_are_retained:
        return "procedure"
    return "replay" if case.model_file is None else "file"
