"""What the pages say of a case of a controller alone: nothing that only a case with a model could do."""

from __future__ import annotations

import pytest

from auditor.base.domain import Status
from auditor.document.evidence import Evidence, Route
from auditor.pages import derivation_tree
from auditor.pages.main import crosswalk, decision, findings, opinion, steps
from auditor.pages.remedies.held_back import left_to_people
from auditor.pages.words import verdict as verdicts
from auditor.pages.words.rendered_evidence import tell
from auditor.verdict.decisions import decide_verdict
from report_examples import changed, passing
from sample_cases import golden


def of_a_controller(evidence: Evidence, *, words: tuple[str, ...]) -> Evidence:
    """The evidence, held back by what a controller of the case's own code lacks."""
    way = Route(name="controller", checks=(), words=words, further=())
    cap = evidence.reliance.cap.model_copy(update={"foreign": False, "controller": way})
    reliance = evidence.reliance.model_copy(update={"cap": cap})
    return evidence.model_copy(update={"reliance": reliance, "verdict": decide_verdict(3)})


def test_the_verdict_names_the_words_that_a_controller_of_its_own_lacks() -> None:
    said = verdicts.sentence_of(of_a_controller(passing().evidence, words=("procedure-honest",)))
    assert "procedure-honest to be attested" in said


def test_nobody_is_told_to_name_a_model_or_a_store_for_a_controller_alone() -> None:
    told = passing()
    alone = changed(
        told,
        procedure=told.procedure.model_copy(update={"use": "none", "entry": None}),
        case=told.case.model_copy(update={"model": None, "store": None}),
    )
    assert {"model.reproduced", "data.erased", "strength"}.isdisjoint(name for name, _ in left_to_people(alone))


@pytest.mark.parametrize("name", ["cloud-storage", "tombstone-dictionary", "sqlite-secure-delete", "xor-controller"])
def test_the_main_part_speaks_of_the_program_and_of_no_model(name: str) -> None:
    told = tell(golden(name))
    asked = {each.asked: each for each in findings.questions(told)}
    assert len(asked) == 2
    answers = {check.id: check.status for check in told.checks}
    for question, check_id in zip(
        ("show nothing of what was there before", "gone from everything that the program keeps"),
        ("state.history_independent", "data.erased"),
        strict=True,
    ):
        (found,) = (each for each in findings.questions(told) if question in each.asked)
        assert (found.answer == "no") is (answers[check_id] is Status.FAIL)
        assert (found.answer == "unknown") is (answers[check_id] is Status.INCONCLUSIVE)
    parts = {each.part for each in asked.values()} | {each.part for each in crosswalk.duties(told)}
    assert not parts & {"people", "promise", "attacks"}, "pages that such a report has not"
    said = [decision.system(told), decision.headline(told), decision.limit(told), decision.recommendation(told).said]
    said += [each.said for each in opinion.rows(told)] + [each.name for each in steps.areas(told)]
    assert "model" not in " ".join(said).lower()


def test_where_noise_hides_the_past_the_pages_say_within_which_epsilon() -> None:
    """States may differ by that much: that a fresh seed hides the past would say too much."""
    told = tell(golden("noisy-descent-model"))
    said = [each.said for each in opinion.rows(told)] + [each.proof for each in findings.questions(told)]
    assert len([each for each in said if "ε = 1 and δ = 10⁻⁶" in each]) == 2, said
    assert not any("fresh seed" in each or "looks random" in each for each in said)
    assert opinion.allowed_by_noise(tell(golden("xor-controller"))) is None
    lines = " ".join(derivation_tree.person(told))
    assert "is not control by itself" in lines
    assert "It is not control" not in lines
