"""The page in plain words, the ledger, and the guard against a pass that is none."""

from __future__ import annotations

import pytest

import report_examples as examples
from auditor.domain import Standing, Status, Verdict
from auditor.errors import ReportError
from auditor.report import junit, plain, render, sarif, tables


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


def test_every_lack_is_named_on_the_first_page():
    said = " ".join(plain.limitations(examples.broken_off()))
    for lack in ("No model file", "No data store", "quick run", "isolation level “process”", "Required, but not run", "Backups"):
        assert lack in said


def test_a_full_audit_still_says_what_it_did_not_test():
    said = plain.limitations(examples.passing())
    assert len(said) == 3
    assert said[0].startswith(
        "Not examined: whether attacks on the release find what it learned from deleted records; certificates of data deletion"
    )
    assert "reconstructed" in said[0]
    assert said[1].endswith("not the people in the log.")


def test_a_pass_names_what_its_guarantee_takes_on_trust():
    (meaning,) = plain.meanings(examples.passing())
    assert meaning.title.endswith("certified removal")
    assert any("do not depend on the noise b" in premise for premise in meaning.trusted)
    assert plain.meanings(examples.failing()) == ()


def test_a_required_check_without_any_result_is_named():
    evidence = examples.failing()
    policy = evidence.policy.model_copy(update={"required": (*evidence.policy.required, "unheard.of")})
    changed = examples.changed(evidence, policy=policy)
    assert "The check unheard.of is required and has no result." in plain.limitations(changed)
    assert "unheard.of" in plain.next_steps(changed)[-1].check_ids
    assert "unheard.of" in render.html(changed)


def test_there_is_a_next_step_for_each_required_check_that_did_not_pass():
    assert plain.next_steps(examples.passing()) == ()
    steps = plain.next_steps(examples.failing())
    assert [step.check_ids for step in steps] == [
        ("log.deadlines",),
        ("swap.quality",),
        ("epsilon.consistency",),
        ("removal.budget",),
        ("data.erased",),
    ]
    crashed = plain.next_steps(examples.broken_off())
    assert crashed[0].check_ids == ("swap.quality", "removal.residual", "removal.budget")
    assert crashed[-1].check_ids == ("isolation",)


def test_findings_count_requests_and_name_guarantees_by_standing():
    found = plain.findings(examples.failing())
    assert found[0] == "The deletion log holds 60 requests about 60 records; 59 were carried out, 1 is open, 2 are overdue."
    assert "5 of 10 checks" in found[1]
    assert any(said.endswith("examined by no check: data_deletion.") for said in plain.limitations(examples.failing()))
    assert any(sentence.startswith("Not shown:") for sentence in found)
    assert any(sentence.startswith("Supported, if") for sentence in plain.findings(examples.passing()))


def test_only_searched_places_are_verified():
    places = tables.outside(examples.passing())
    assert [place.name for place in places if place.verified] == ["store.npz", "model.safetensors"]
    assert not any(place.verified for place in tables.outside(examples.broken_off()))


def test_verdict_and_standing_words_are_those_of_the_evidence():
    evidence = examples.passing()
    assert evidence.verdict is Verdict.PASS
    assert {g.status for g in evidence.guarantees} == {Standing.SUPPORTED, Standing.NOT_SHOWN}


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


def test_what_foreign_code_would_need_is_the_next_step():
    steps = {step.check_ids: step for step in plain.next_steps(examples.held_back())}
    assert "release.exact" in steps["own code",].reason
    assert "Withdraw the claim" in steps["claims.data_deletion",].advice
    named = {name for step in plain.next_steps(examples.failing()) for name in step.check_ids}
    assert not named & {"own code", "claims.data_deletion"}
