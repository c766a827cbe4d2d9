"""Reconstruction games: a record is deleted, and an adversary rebuilds it from the models before and after (Gao et al. 2022).

drawing    the deleted record and its decoys, before any model is trained
scoring    wins, ties and what they come to against one decoy
labels     Algorithms C.1 and C.3
instances  Algorithm 4.3, and the difference of two linear models
sentences  Appendix D
remedies   the same games under what could be done about it
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Final, TypeAlias

from auditor.audit.run_options import RunOptions
from auditor.case import Case
from auditor.parts.revealing.judging.reconstruction import instance, judging, label, sentence
from auditor.parts.revealing.judging.reconstruction.observed import InstanceObserved, LabelObserved, SentenceObserved
from auditor.parts.revealing.observing.deleting.drawing import UnplayableError
from auditor.parts.revealing.observing.reconstructing import instances, labels, sentences
from auditor.verdict.checks import definitions
from auditor.verdict.checks.context import Context
from auditor.verdict.checks.deleting import QUICK_GAMES
from auditor.verdict.checks.finding import Values

_Observe: TypeAlias = Callable[..., Values]
_BY_ID: Final[Mapping[str, tuple[_Observe, type[Values]]]] = {
    label.CARD.id: (labels.observe, LabelObserved),
    instance.CARD.id: (instances.observe, InstanceObserved),
    sentence.CARD.id: (sentences.observe, SentenceObserved),
}


def observe(case: Case, context: Context, how: RunOptions) -> Mapping[str, Values]:
    """Play the games that somebody asks for and that the case has records for, by check id.

    Raises:
        NoDeviceError: If a run did not use the CUDA device that was found.
        ProcedureError: If the procedure failed.
        SandboxError: If the sandbox did, or a model gave no predictions.
    """
    games = min(context.inference.games, QUICK_GAMES) if how.quick else context.inference.games
    holds = partial(judging.holds, context)
    seen: dict[str, Values] = {}
    for check_id, (observe_one, nothing) in _BY_ID.items():
        if how.wants((check_id,)) and definitions()[check_id].applies(context, {}) is None:
            try:
                seen[check_id] = observe_one(case, how, games=games, holds=holds)
            except UnplayableError as error:
                seen[check_id] = nothing.model_validate({"unplayable": error.cause})
    return seen
