"""Have the models of deletion games answer, before and after: one question, several engines that give the same answers."""

from __future__ import annotations

from collections.abc import Sequence

from auditor.audit.run_options import RunOptions
from auditor.case import Case
from auditor.parts.revealing.observing.deleting import batched, refitted, sandboxed
from auditor.parts.revealing.observing.deleting.drawing import Answers, Asked


def play(case: Case, questions: Sequence[Asked], how: RunOptions, *, name: str = "deletion games") -> Sequence[Answers]:
    """Train every model, delete, and let them answer; by the fastest engine that gives what the procedure gives.

    Args:
        case: The case; its own seed is used by no model of a game.
        questions: One a game.
        how: How the run observes.
        name: Of the jobs and of the progress shown.

    Returns:
        The answers, in the order of the questions.

    Raises:
        NoDeviceError: If a run did not use the CUDA device that was found.
        ProcedureError: If the procedure failed.
        SandboxError: If the sandbox did, or a model gave no predictions.
    """
    if batched.applies(case):
        return batched.play(case, questions, how, name=name)
    if refitted.applies(case):
        return refitted.play(case, questions, how, name=name)
    return sandboxed.play(case, questions, how, name=name)


def fast(case: Case) -> bool:
    """Whether the models of a case's games cost next to nothing, as they need no process of their own."""
    return batched.applies(case) or refitted.applies(case)
