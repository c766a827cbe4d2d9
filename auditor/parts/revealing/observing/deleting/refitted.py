"""Deletion games with estimators that are refitted after a deletion by a short cut, in this process: the answers are the same."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from auditor.audit.replay import specification
from auditor.audit.run_options import RunOptions
from auditor.case import Case
from auditor.learning.leave_out_solvers.rounds import Round
from auditor.parts.revealing.observing.deleting import sandboxed
from auditor.parts.revealing.observing.deleting.drawing import Answers, Asked

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
        rounds = [Round(each.game.trained, each.game.deleted, each.rows) for each in part]
        try:
            answered = leave_out_solvers.play(settings, case.train, rounds)
        except ValueError:
            # An estimator that refuses its data is heard in the sandbox, which says so as of any procedure.
            return sandboxed.play(case, questions, how, name=name)
        found.extend(Answers(each.before, each.after) for each in answered)
        how.on_step(name, start + len(part), len(questions))
    return tuple(found)
