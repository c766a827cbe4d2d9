"""Deletion games with estimators that are refitted after a deletion by a short cut, in this process: the answers are the same."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

import numpy as np

from auditor.audit.replay import specification
from auditor.audit.run_options import RunOptions
from auditor.base.records import Floats, Positions
from auditor.case import Case
from auditor.learning.leave_out_solvers.rounds import Predictions, Round
from auditor.parts.revealing.observing.deleting import sandboxed
from auditor.parts.revealing.observing.deleting.drawing import Answers, Asked, Game

AT_ONCE: Final = 100
"""Games between two reports of progress."""


def applies(case: Case) -> bool:
    """Whether the case's procedure has a short cut, and no code of the controller's runs."""
    from auditor.learning import leave_out_solvers  # noqa: PLC0415  (scikit-learn takes a second to load)

    procedure = case.settings.procedure
    return procedure.fitted is not None and not procedure.foreign and leave_out_solvers.applies(specification(case).settings)


def play(case: Case, questions: Sequence[Asked], how: RunOptions, *, name: str) -> tuple[Answers, ...]:
    """Play every game; arguments and results as of `asking.play`."""
    from auditor.learning import leave_out_solvers  # noqa: PLC0415  (as above)

    settings, found = specification(case).settings, list[Answers]()
    for start in range(0, len(questions), AT_ONCE):
        part = questions[start : start + AT_ONCE]
        rounds = [Round(each.game.trained, tuple(_gone(each.game)), each.rows) for each in part]
        try:
            answered = leave_out_solvers.play(settings, case.train, rounds)
        except ValueError:
            # An estimator that refuses its data is heard in the sandbox, which says so as of any procedure.
            return sandboxed.play(case, questions, how, name=name)
        found.extend(_in_order(asked.game, each) for asked, each in zip(part, answered, strict=True))
        how.on_step(name, start + len(part), len(questions))
    return tuple(found)


def _gone(game: Game) -> Iterator[Positions]:
    """Everything that is gone after each request: a refit depends on what is left alone."""
    for number in range(len(game.deleted)):
        requests = game.requests(number)
        yield from (np.concatenate([each.gone for each in requests[: turn + 1]]) for turn in range(len(requests)))


def _in_order(game: Game, told: Predictions) -> Answers:
    """Take the answers after each request for those of its deletion."""
    each, after, along = iter(told.after), list[Floats](), dict[int, tuple[Floats, ...]]()
    for number in range(len(game.deleted)):
        *between, last = (next(each) for _ in game.requests(number))
        after.append(last)
        if between:
            along[number] = tuple(between)
    return Answers(told.before, tuple(after), along)
