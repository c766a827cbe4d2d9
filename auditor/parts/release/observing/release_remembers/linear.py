"""Linear models of our own, many at a time in this process: certified removal from logistic regression, and noisy descent."""

from __future__ import annotations

from typing import Final

import numpy as np

from auditor.audit.replay import Replay, specification
from auditor.base.domain import Floats, Positions, joined
from auditor.base.draws import generator
from auditor.base.errors import ProcedureError
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
    return descent is not None and descent.loss is not None


def play(case: Case, questions: Questions, replay: Replay) -> Answers:
    """Train every model, and let them answer.

    Raises:
        ProcedureError: If the declared tolerance cannot be reached, or descent diverges.
    """
    procedure = case.settings.procedure
    try:
        if procedure.removal is not None:
            return _removal(case, procedure.removal, questions, _released(case, replay))
        if procedure.descent is not None:
            return _descent(case, procedure.descent, questions, _released(case, replay))
    except ArithmeticError as error:
        raise ProcedureError(f"shadow models of the release: {error}") from error
    raise TypeError("only linear models of ours are trained many at a time")


def _released(case: Case, replay: Replay) -> Floats:
    """The parameters that are attacked: those of the model file, or of the replay's last model."""
    if case.model_file is not None:
        return case.model_file.parameters
    if replay.trajectory is None:
        raise TypeError("a procedure of ours has parameters")
    return replay.trajectory[-1]


def _removal(case: Case, procedure: Removal, questions: Questions, released: Floats) -> Answers:
    trainer, models = Trainer(case.train, procedure), questions.models
    seeds = list(questions.seeds)
    without = trainer.learn(trainer.members([questions.retained] * models), seeds[:models])
    holding = seeds[models:]
    sets = [*questions.decoys, questions.forgotten]
    if not questions.unseen_are_retained:
        holding, sets = holding[:-1], sets[:-1]
    inside = trainer.members([questions.base] * len(holding))
    weights = trainer.learn(inside, holding)
    if procedure.unlearn == "newton":
        for batch in range(len(questions.forgotten)):
            forget = trainer.members([each[batch] for each in sets])
            weights = trainer.step(inside, forget, weights, holding)
            inside &= ~forget
    else:
        weights = trainer.learn(inside & ~trainer.members([joined(each) for each in sets]), holding)
    trained = np.concatenate([trainer.released(without, seeds[:models]), trainer.released(weights, holding)])
    asked = _release_first(questions, released, trained)
    return answers(questions, lambda features: trainer.predict_rows(asked, features), source=_source(case, questions))


def _descent(case: Case, procedure: NoisyDescent, questions: Questions, released: Floats) -> Answers:
    made = of_settings(specification(case).settings)
    model = made.model
    rows = model.rows(case.train.features)
    codes = np.unique(case.train.labels, return_inverse=True)[1].astype(np.int64)
    rng = generator(questions.seeds[-1], "release-remembers", "chains")

    def records(positions: Positions) -> chains.Records:
        return chains.Records(rows[positions], codes[positions])

    def run(positions: Positions, start: Floats, steps: int) -> Floats:
        return chains.run(model.loss, records(positions), made.descent, start, steps=steps, rng=rng)

    def begin(count: int) -> Floats:
        return chains.starts(made.descent, chains=count, size=model.size, rng=rng)

    without = run(questions.retained, begin(questions.models), procedure.learn_steps)
    ends = []
    shared = np.array_split(np.arange(len(questions.decoys)), _SHARED)
    sets = [(questions.decoys[each[0]], len(each)) for each in shared if len(each)]
    if questions.unseen_are_retained:
        sets.append((questions.forgotten, 1))
    for forgotten, count in sets:
        left, models = questions.base, run(questions.base, begin(count), procedure.learn_steps)
        for batch in forgotten:
            left = np.setdiff1d(left, batch)
            models = run(left, models, procedure.unlearn_steps)
        ends.append(models)
    asked = _release_first(questions, released, np.concatenate([without, *ends]))
    source = _source(case, questions)
    return answers(questions, lambda features: np.stack([model.probabilities(each, features) for each in asked]), source=source)


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
