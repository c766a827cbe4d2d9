"""What the pages say of a case of a controller alone: nothing that only a case with a model could do."""

from __future__ import annotations

import dataclasses

import pytest

from auditor.base.domain import ClaimStatus, Status
from auditor.document.conclusions import Route
from auditor.document.evidence import Evidence
from auditor.pages import annex, derivation_tree
from auditor.pages.main import crosswalk, decision, findings, opinion, steps
from auditor.pages.remedies import remedies
from auditor.pages.remedies.held_back import left_to_people
from auditor.pages.words import verdict as verdicts
from auditor.pages.words.rendered_evidence import tell
from auditor.pages.words.texts import text
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


@pytest.mark.parametrize(
    ("name", "way"),
    [
        ("side-by-side", "annex-rules-no-way"),
        ("bulletin-board", "annex-rules-no-code"),
        ("places-only", "annex-rules-no-code"),
        ("trigram-model", "annex-rules-no-code"),
    ],
)
def test_the_rules_name_no_way_where_code_of_the_case_is_one_of_two_programs(name: str, way: str) -> None:
    assert annex.way(golden(name).reliance.cap) == text(way)


def test_the_rules_name_the_way_of_a_whole_program_that_is_open() -> None:
    cap = of_a_controller(passing().evidence, words=()).reliance.cap
    assert annex.way(cap) == text("annex-rules-way", route="controller")
    assert annex.way(of_a_controller(passing().evidence, words=("procedure-honest",)).reliance.cap) == text("annex-rules-no-way")


@pytest.mark.parametrize(
    ("name", "status", "others"),
    [
        ("bulletin-board", ClaimStatus.REFUTED, "main-promise-others-refuted"),
        ("side-by-side", ClaimStatus.REFUTED, "main-promise-others-refuted"),
        ("public-directory", ClaimStatus.REFUTED, "main-promise-others-refuted"),
        ("tree-counter", ClaimStatus.SUPPORTED, None),
    ],
)
def test_the_number_of_a_program_says_whom_it_leaves_out(name: str, status: ClaimStatus, others: str | None) -> None:
    told = tell(golden(name))
    assert {each.status for each in told.guarantees if each.id == "deletion-as-confidentiality"} == {status}
    said = decision.promise(told)
    assert said.share
    assert "sees only what the program keeps" in said.said
    assert said.said.endswith(text(others) if others else "Blind guessing gets 50.")
    assert said.said in said.line


def test_a_number_without_confidentiality_leaves_out_what_others_were_answered() -> None:
    told = tell(golden("bulletin-board"))
    unshown = [
        dataclasses.replace(each, status=ClaimStatus.NOT_SHOWN) if each.id == "deletion-as-confidentiality" else each
        for each in told.evidence.guarantees
    ]
    said = decision.promise(tell(told.evidence.model_copy(update={"guarantees": tuple(unshown)}))).said
    assert said.endswith(text("main-promise-others-not-shown"))


@pytest.mark.parametrize("name", ["sqlite-plain", "tombstone-dictionary"])
def test_a_program_without_a_number_says_that_a_test_told_people_apart(name: str) -> None:
    said = decision.promise(tell(golden(name)))
    assert (said.share, said.said) == ("", text("main-promise-program-refuted"))


def test_nobody_is_asked_to_make_own_code_pass_next_to_noise() -> None:
    told = tell(golden("side-by-side"))
    step = text("remedy-own-code-noise", check="state.history_independent")
    assert step in [each.action for each in remedies(told)]
    checks = [
        dataclasses.replace(each, status=Status.SKIPPED) if each.id == "privacy.continual" else each
        for each in told.evidence.checks
    ]
    without = tell(told.evidence.model_copy(update={"checks": tuple(checks)}))
    said = [each.action for each in remedies(without)]
    assert step not in said
    assert any(each.startswith("Make a pass possible for the case's own code: that takes") for each in said)
