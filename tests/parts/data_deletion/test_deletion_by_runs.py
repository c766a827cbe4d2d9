"""Data deletion of a procedure that no theorem covers, judged on observations that are written by hand."""

from __future__ import annotations

from typing import Any

import pytest

from auditor.base.domain import Message, Provenance, Status
from auditor.pages.words import basis, sentence
from auditor.parts.data_deletion.judging import adaptive, pledge, renyi
from auditor.parts.data_deletion.judging.observed import CounterfactualRuns, Removed
from auditor.parts.data_deletion.judging.seen import Asked
from auditor.parts.data_deletion.judging.state_stateless import Derived as State
from auditor.settings.learning import Foreign, Sklearn
from auditor.settings.tables import Claims, DataDeletionClaim
from auditor.verdict.checks.context import Context
from auditor.verdict.checks.finding import Finding, skipped
from judging import attesting, audit_facts, declared, judge_some

SAME = CounterfactualRuns(runs=6, replacements=("other records", "beyond the range"), before_too=True)
AFTERWARDS = SAME.model_copy(update={"before_too": False})
DIFFERS = CounterfactualRuns(runs=6, differs_after="R-1", difference=0.5)
BY_FILE = CounterfactualRuns(runs=6, differs_after="R-1", by_file=True)
UNCOMPARED = CounterfactualRuns(runs=0, reason=Message("deletion.runs.no-parameters"))


def context(*, seen: int | None = None, **changes: Any) -> Context:
    claims = Claims(data_deletion=DataDeletionClaim(q=2.0, epsilon=0.1, adaptive=seen))
    words = attesting("requests-fixed", "seen-releases", claims=claims)
    return declared(**{"claims": words, "audit": audit_facts(only=pledge.IDS), **changes})


def judged(
    runs: CounterfactualRuns | None,
    *,
    state: Finding | Status = Status.PASS,
    stated: tuple[int | None, ...] = (0, 0),
    where: Context | None = None,
) -> dict[str, Finding]:
    """Both checks on a log of two batches, of two records and of one."""
    observed = renyi.Observed(
        deleted=(Removed(batch="R-1", removed=2), Removed(batch="R-2", removed=1)),
        labels_lost=False,
        parameter_count=4,
        seconds_unlearning=1.0,
        seconds_retraining=3.0,
        descent=None,
        counterfactual=runs,
    )
    asked = adaptive.Observed(
        batches=2,
        requests=tuple(Asked(request_id=f"R-{number}", batch=number, stated=each) for number, each in enumerate(stated, start=1)),
        largest_share=adaptive.Share(records=2, batches=1),
        games=None,
    )
    before = {"state.stateless": Finding(state) if isinstance(state, Status) else state}
    return judge_some(where or context(), {renyi.CARD.id: observed, adaptive.CARD.id: asked}, before)


def both(found: dict[str, Finding]) -> list[tuple[Status, float | None]]:
    return [(found[check_id].status, found[check_id].value) for check_id in pledge.IDS]


def test_models_that_are_the_same_whatever_was_deleted_leave_nothing() -> None:
    found = judged(SAME)
    assert both(found) == [(Status.PASS, 0.0)] * 2
    own, answered = (found[check_id].derived for check_id in pledge.IDS)
    assert isinstance(own, renyi.Derived)
    assert isinstance(answered, adaptive.Derived)
    assert (own.theorem, own.settings.rows, own.settings.largest_batch) == ("twins", 98, 2)
    assert "proves nothing about others" in basis(found["deletion.renyi"].reasons)
    assert [each.how for each in own.premises] == [Provenance.MEASURED, Provenance.COMPUTED, Provenance.MEASURED]
    facts = {fact.name: fact.how for check_id in pledge.IDS for fact in found[check_id].facts}
    assert facts["deletion-bound-met"] is Provenance.MEASURED
    # Code of ours brings nothing along; of the controller's own it is for the controller to say.
    assert facts["code-clean"] is Provenance.COMPUTED
    own_code = context(procedure=Foreign(entry="procedure.py:Own"))
    assert "code-clean" not in {fact.name for fact in judged(SAME, where=own_code)["deletion.renyi"].facts}
    promised = pledge.pledged(context(), found)
    assert promised is not None
    assert (promised.epsilon, promised.source, promised.known_loss) == (0.0, "twins", False)


def test_a_built_in_procedure_is_stateless_by_construction() -> None:
    known = State(by_construction=True, carried=(), cases=(), updates=0, deterministic=True)
    own = judged(SAME, state=Finding(Status.PASS, 0.0, derived=known))["deletion.renyi"].derived
    assert isinstance(own, renyi.Derived)
    assert own.premises[2].how is Provenance.COMPUTED


@pytest.mark.parametrize(
    ("runs", "said"),
    [
        (DIFFERS, "a model differs after batch R-1"),
        (BY_FILE, "the file of save() alone differs after batch R-1"),
        (UNCOMPARED, "offers no parameters()"),
    ],
)
def test_models_that_differ_or_cannot_be_compared_show_nothing(runs: CounterfactualRuns, said: str) -> None:
    found = judged(runs)
    assert both(found) == [(Status.INCONCLUSIVE, None)] * 2
    own = found["deletion.renyi"].derived
    assert isinstance(own, renyi.Derived)
    assert own.reason is not None
    assert said in sentence(own.reason)
    assert said in basis(found["deletion.renyi"].reasons)
    said = basis(found["deletion.adaptive"].reasons)
    assert said == "It adds what requesters saw to the ε of deletion.renyi, and that check gives none that holds."


def test_a_procedure_that_is_declared_to_hand_the_model_on_shows_nothing_by_runs() -> None:
    does_nothing = Sklearn(estimator="sklearn.tree.DecisionTreeClassifier", unlearn="none")
    found = judged(SAME, where=context(procedure=does_nothing))
    assert both(found) == [(Status.INCONCLUSIVE, None)] * 2
    assert "is declared to hand the old model on" in basis(found["deletion.renyi"].reasons)


@pytest.mark.parametrize(
    ("state", "status"),
    [
        (Status.FAIL, Status.FAIL),
        (Status.INCONCLUSIVE, Status.INCONCLUSIVE),
        (skipped(Message("left-out")), Status.INCONCLUSIVE),
    ],
)
def test_whatever_else_is_carried_on_counts(state: Finding | Status, status: Status) -> None:
    assert both(judged(SAME, state=state)) == [(status, None)] * 2


def test_models_from_before_a_deletion_say_nothing_only_where_they_were_the_same_too() -> None:
    seen = {"stated": (1, 0), "where": context(seen=2)}
    assert both(judged(SAME, **seen)) == [(Status.PASS, 0.0)] * 2
    assert both(judged(AFTERWARDS, **seen)) == [(Status.PASS, 0.0), (Status.INCONCLUSIVE, None)]
    answered = judged(AFTERWARDS, stated=(0, 1))["deletion.adaptive"].derived
    assert isinstance(answered, adaptive.Derived)
    assert [(each.seen, each.epsilon) for each in answered.per_request] == [(1, None), (1, None)]


def test_a_log_of_more_models_than_are_claimed_is_not_covered() -> None:
    assert both(judged(SAME, stated=(2, 0), where=context(seen=1)))[1] == (Status.FAIL, 0.0)
    # A row that says nothing is no word of the controller's against the claim.
    assert both(judged(SAME, stated=(None, 0), where=context(seen=0)))[1] == (Status.INCONCLUSIVE, 0.0)


def test_without_runs_the_check_was_left_out() -> None:
    assert judged(None)["deletion.renyi"].status is Status.SKIPPED
