"""The page in plain words, the ledger, and the guard against a pass that is none."""

from __future__ import annotations

import pytest

import report_examples as examples
from auditor.base.domain import ClaimStatus, Status, Verdict
from auditor.base.errors import ReportError
from auditor.pages import junit, plain, render, sarif, tables


@pytest.mark.parametrize("status", [Status.FAIL, Status.ERROR, Status.INCONCLUSIVE, Status.SKIPPED])
@pytest.mark.parametrize("rendering", [render.html, render.pdf, junit.xml, sarif.log])
def test_a_pass_that_contradicts_a_required_check_is_never_rendered(status, rendering):
    with pytest.raises(ReportError, match="contradicts itself"):
        rendering(examples.with_check(examples.passing(), "removal.budget", status=status))


def test_a_pass_behind_walls_that_cap_the_verdict_is_never_rendered():
    evidence = examples.passing()
    capped = examples.changed(evidence, environment=evidence.environment.model_copy(update={"capped": True}))
    with pytest.raises(ReportError):
        render.html(capped)


def test_a_pass_without_a_required_check_is_never_rendered():
    evidence = examples.passing()
    for required in ((), (*evidence.policy.required, "state.stateless"), ("unheard.of",)):
        changed = examples.changed(evidence, policy=evidence.policy.model_copy(update={"required": required}))
        with pytest.raises(ReportError):
            render.html(changed)


def test_a_required_check_without_any_result_is_named():
    evidence = examples.failing()
    policy = evidence.policy.model_copy(update={"required": (*evidence.policy.required, "unheard.of")})
    changed = examples.changed(evidence, policy=policy)
    assert plain.missing_checks(changed) == ("unheard.of",)
    assert "unheard.of" in render.html(changed)


def test_only_searched_places_are_verified():
    places = tables.outside(examples.passing())
    assert [place.name for place in places if place.verified] == ["store.npz", "model.safetensors"]
    assert not any(place.verified for place in tables.outside(examples.broken_off()))


def test_verdict_and_standing_words_are_those_of_the_evidence():
    evidence = examples.passing()
    assert evidence.verdict is Verdict.PASS
    assert {g.status for g in evidence.guarantees} == {ClaimStatus.SUPPORTED, ClaimStatus.NOT_SHOWN}


def test_a_pass_that_rests_on_no_look_at_the_unlearning_says_so_beside_the_verdict():
    evidence = examples.passing()
    assert not any("unlearning itself" in said for said in plain.caveats(evidence))
    policy = evidence.policy.model_copy(update={"required": ("log.consistency", "data.erased")})
    narrowed = examples.changed(evidence, policy=policy)
    assert any("examines the unlearning itself" in said for said in plain.caveats(narrowed))


def test_a_procedure_that_does_nothing_is_said_to_do_nothing_beside_the_verdict():
    evidence = examples.passing()
    assert not any("does not unlearn" in said for said in plain.caveats(evidence))
    idle = evidence.procedure.model_copy(update={"use": "sklearn", "unlearn": "none"})
    assert any("does not unlearn" in said for said in plain.caveats(examples.changed(evidence, procedure=idle)))
