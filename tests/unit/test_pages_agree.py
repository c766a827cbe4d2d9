"""No page of a sample's report says what another page of it contradicts: read from the judgement, without a renderer."""

from __future__ import annotations

import dataclasses
import functools
import re

import pytest

import rechecks
from auditor.base import resources
from auditor.base.domain import ClaimStatus, Status, Strength, Verdict
from auditor.document.conclusions import Examined
from auditor.pages import attachments, coverage, promises, right_guesses, templating
from auditor.pages.letters import extract
from auditor.pages.letters import page as letter_page
from auditor.pages.letters.rows import PART
from auditor.pages.main import Light, decision, findings, opinion, people, steps
from auditor.pages.main import steps as untested
from auditor.pages.remedies import remedies
from auditor.pages.words import verdict
from auditor.pages.words.informative_findings import noticed
from auditor.pages.words.rendered_evidence import Told, tell
from auditor.pages.words.texts import text
from auditor.parts.revealing.judging.reconstruction import judging
from auditor.parts.revealing.telling import deletion_games
from auditor.verdict import grade
from auditor.verdict.request_status import Model
from games_seen import observed, with_games
from sample_cases import golden

NAMES = sorted(path.stem for path in rechecks.LATEST.glob("*.json"))

LEARNING = [name for name in NAMES if golden(name).learns]
"""Reports on a whole controller have no pages on people and models."""


@functools.cache
def told(name: str) -> Told:
    return tell(golden(name))


def asked(name: str, *questions: str) -> findings.Question:
    said = {text(f"main-ask-{question}") for question in questions}
    return next(each for each in findings.questions(told(name)) if each.asked in said)


@pytest.mark.parametrize("name", LEARNING)
def test_no_refuted_promise_is_called_kept_on_the_next_page(name: str) -> None:
    if any(each.status is ClaimStatus.REFUTED for each in told(name).guarantees):
        assert asked(name, "promise").answer == "no"
        assert promises.lead(told(name)) == text("promise-refuted")


@pytest.mark.parametrize("name", LEARNING)
def test_where_the_cover_says_that_people_were_picked_out_the_second_page_does_too(name: str) -> None:
    people_row = opinion.rows(told(name))[3]
    if people_row.said in {text("main-box-people-model"), text("main-box-people-model-rerun")}:
        assert asked(name, "attacks").answer == "no"


@pytest.mark.parametrize("name", NAMES)
def test_attacks_are_not_said_to_have_found_nothing_where_the_model_shows_as_much_as_an_untouched_one(name: str) -> None:
    if any(each.message == "noticed-shows-as-much" for each in noticed(told(name).evidence)):
        assert asked(name, "attacks").proof not in {text("main-proof-attacks-open"), text("main-proof-attacks-game-only")}


@pytest.mark.parametrize("name", LEARNING)
def test_the_second_page_says_that_attacks_agree_with_the_promise_where_the_grade_counts_them_so(name: str) -> None:
    evidence = told(name).evidence
    answer = asked(name, "agree").answer
    if evidence.strength is Strength.A:
        assert answer in {"yes", "unknown"}
    statuses = {check.id: check.status for check in evidence.checks}
    promise = next(each for each in golden("digits-newton-noised").guarantees if grade.guesses(each) is not None)
    everything = Examined(model=True, store=True, procedure=True, backups=False)
    for guarantees in ([promise], [each for each in evidence.guarantees if grade.guesses(each) is not None]):
        if not guarantees or right_guesses.promised(told(name)) is None:
            continue
        best = [dataclasses.replace(each, status=ClaimStatus.SHOWN) for each in guarantees]
        given = grade.graded(required=["removal.budget"], statuses=statuses, guarantees=best, examined=everything)
        if min(filter(None, map(grade.guesses, best))) <= grade.HARD_TO_TELL:
            # That attacks found nothing may earn the grade, and says nothing of a number that none of them could test.
            assert given is Strength.A or answer != "yes"
            assert given is not Strength.A or answer != "no"


@pytest.mark.parametrize("name", LEARNING)
def test_where_no_promise_in_numbers_holds_attacks_agree_with_none(name: str) -> None:
    if right_guesses.promised(told(name)) is None:
        assert asked(name, "agree").answer in {"no", "unknown", "not-asked"}


def test_the_cover_does_not_call_shown_what_rests_on_unchecked_statements() -> None:
    assert "shown" not in text("main-promise-number-held")


@pytest.mark.parametrize("name", LEARNING)
def test_no_full_mark_for_a_promise_that_rests_on_what_nobody_checked(name: str) -> None:
    if not verdict.unchecked(told(name).evidence):
        return
    assert asked(name, "promise", "forget").light is not Light.FULL
    assert text("promise-standing-shown") not in promises.lead(told(name))
    shown = text(f"main-model-{Model.SHOWN.value}")
    assert shown not in [each.state for each in people.overview(told(name)).stages]


@pytest.mark.parametrize("name", NAMES)
def test_the_sentence_to_quote_names_as_many_statements_as_the_cover_counts(name: str) -> None:
    evidence = told(name).evidence
    if evidence.verdict is Verdict.PASS:
        assert all(each in told(name).sentence for each in verdict.unchecked(evidence))


@pytest.mark.parametrize("name", NAMES)
def test_nothing_may_be_released_meanwhile_where_the_cover_says_do_not_release(name: str) -> None:
    steps = [each for each in remedies(told(name)) if each.urgency.value == "fix"]
    if steps:
        assert decision.recommendation(told(name)).choice is decision.Choice.NO
        assert text("remedy-release-condition") not in [each.meanwhile for each in steps]


@pytest.mark.parametrize("name", NAMES)
def test_what_shows_that_a_step_worked_is_a_clause_with_a_subject(name: str) -> None:
    for step in remedies(told(name)):
        assert all(" " in each.said and not each.said.startswith("passes") for each in step.proof), step.action


def test_a_late_answer_is_not_asked_to_have_been_in_time() -> None:
    step = next(each for each in remedies(told("late-and-extended")) if each.checks == ("log.deadlines",))
    assert step.proof[0].expected == text("remedy-proof-deadlines")


def test_an_attack_without_a_number_is_not_called_none() -> None:
    assert right_guesses.attacks(told("diabetes-least-squares"))
    assert "One attack was made" in coverage.why_no_numbers(told("diabetes-least-squares"))
    assert "No attack was made" not in text("promise-found-none")


def test_why_accuracy_was_not_measured_is_the_true_reason() -> None:
    assert told("diabetes-least-squares").case.holdout_records
    assert asked("diabetes-least-squares", "useful").proof == text("main-proof-useful-regression")
    assert asked("secret-counter", "useful").proof == text("main-proof-useful-regression")


def test_a_useless_model_is_called_so_where_no_policy_sets_a_limit() -> None:
    assert asked("fixed-output", "useful").answer == "no"
    assert asked("fixed-output", "useful").proof.startswith("Right on 9.0 of 100")


def test_what_rests_on_a_false_premise_is_not_called_calculated() -> None:
    assert asked("secret-counter", "promise").proof == text("main-proof-promise-premise")
    assert asked("breast-cancer-noisy-gd-short", "promise").proof == text("main-proof-promise-broken")


def test_no_letters_are_spread() -> None:
    """What extracts text takes spread letters for words of their own."""
    styles = sorted((resources.templates() / "styles").glob("*.css"))
    assert styles
    assert not [each.name for each in styles if "letter-spacing" in each.read_text(encoding="utf-8")]


def test_no_line_breaks_between_a_number_and_its_sign() -> None:
    page = templating.environment().from_string("{{ said }}").render(said="with 95 % confidence, 12 % and no %")
    assert page == "with 95\u00a0% confidence, 12\u00a0% and no %"


def letter(name: str) -> letter_page.Page:
    evidence = told(name).evidence
    return letter_page.page(extract(evidence, evidence.requests[0].request_id, draft=True))


def test_a_letter_claims_no_attack_where_none_was_made() -> None:
    row = next(each for each in letter("digits-retrain").rows if each.label == text("letter-row-forgot"))
    assert "attack" not in " ".join(row.sentences)


def test_a_letter_has_no_full_mark_above_statements_that_nobody_checked() -> None:
    page = letter("digits-newton-noised")
    assert page.statements
    assert page.mark == PART[1]


def test_a_letter_says_that_an_answer_is_not_recorded() -> None:
    assert text("letter-answer-unsaid") in letter("loans-lightgbm").dates
    assert text("letter-answer-unsaid") not in letter("late-and-extended").dates


def played(right: int, **policy: float) -> Told:
    """A report on deletion games of which the best attack won so many of 200."""
    return tell(with_games(example=observed(right=right), **policy))


def test_a_deletion_that_shows_is_answered_no_and_named_on_the_cover() -> None:
    shows = next(each for each in findings.questions(played(190, max_inference=0.6)) if each.asked == text("main-ask-deleting"))
    assert (shows.answer, shows.proof.split(" games")[0]) == (
        "no",
        "The best attack named the deleted one of two records in 95 of 100",
    )
    assert opinion.rows(played(190, max_inference=0.6))[3].said == text("main-box-people-compared")


def test_a_deletion_that_does_not_show_is_not_answered_no() -> None:
    hidden = next(each for each in findings.questions(played(100)) if each.asked == text("main-ask-deleting"))
    assert hidden.answer != "no"
    assert opinion.rows(played(100))[3].said != text("main-box-people-compared")


def test_nobody_is_asked_about_games_that_were_not_played() -> None:
    assert text("main-ask-deleting") not in [each.asked for each in findings.questions(told("digits-newton"))]


def test_a_letter_says_nothing_twice() -> None:
    both = with_games(example=observed(right=190), instance=observed("instance", right=190))
    page = letter_page.page(extract(both, both.requests[0].request_id, draft=True))
    sentences = [each for row in page.rows for each in row.sentences]
    assert len({*page.found, *page.unsettled, *sentences}) == len(page.found) + len(page.unsettled) + len(sentences)


def test_a_record_that_was_rebuilt_is_named_on_the_cover_and_answered_no() -> None:
    base = told("digits-newton")
    derived = told("trigram-model").check("reconstruction.sentence").derived
    assert isinstance(derived, judging.Derived)
    derived = derived.model_copy(update={"chance": 0.1, "games": 200, "attacks": ()})
    rebuilt = dataclasses.replace(base.check("reconstruction.instance"), status=Status.FAIL, value=0.88, derived=derived)
    report = dataclasses.replace(base, checks=tuple(rebuilt if each.id == rebuilt.id else each for each in base.checks))
    answered = next(each for each in findings.questions(report) if each.asked == text("main-ask-rebuilding"))
    assert answered.answer == "no"
    assert "88 of 100 games. Guessing gives 10." in answered.proof
    assert opinion.rows(report)[3].said == text("main-box-people-allowed", said=text("main-box-people-rebuilt"))


@pytest.mark.parametrize("name", LEARNING)
def test_nothing_is_forgotten_as_promised_where_the_cover_has_no_promise(name: str) -> None:
    kept = [each for each in findings.questions(told(name)) if each.asked == text("main-ask-promise")]
    if right_guesses.promised(told(name)) is None:
        assert not any(each.answer in {"yes", "trust"} for each in kept)


def test_a_procedure_that_trains_again_is_asked_whether_it_forgets_and_its_cover_says_why_no_number_stands_there() -> None:
    assert asked("iris-logistic", "forget").proof == text("main-proof-promise-exact")
    assert decision.promise(told("iris-logistic")).said == text("main-promise-exact")
    assert decision.promise(told("digits-mlp-none")).said == text("main-promise-none")


@pytest.mark.parametrize("name", ["diabetes-tree", "digits-nearest-neighbour"])
def test_nobody_is_told_to_name_a_model_file_that_no_such_model_can_have(name: str) -> None:
    said = {text("main-action-no-model"), text("remedy-no-model"), text("main-untested-model-who")}
    areas = untested.areas(told(name))
    assert not said & {*(each.action for each in remedies(told(name))), *(each.who for each in areas)}
    assert text("remedy-no-model-unseen") in {each.action for each in remedies(told(name))}
    assert text("remedy-no-model") in {each.action for each in remedies(told("iris-logistic"))}


@pytest.mark.parametrize("name", LEARNING)
def test_a_search_without_a_data_store_says_so(name: str) -> None:
    without = text("main-proof-erased-no-store") in asked(name, "erased").proof
    searched = any(check.id == "data.erased" and check.observed is not None for check in told(name).checks)
    assert without is (searched and told(name).case.store is None)


@pytest.mark.parametrize("name", ["diabetes-tree", "trigram-model"])
def test_a_step_that_no_check_could_ever_see_is_done_when_a_note_says_so(name: str) -> None:
    impossible = {"remedy-no-model-unseen", "remedy-no-model-text", "remedy-no-store-text"}
    steps = [each for each in remedies(told(name)) if each.action in {text(message) for message in impossible}]
    assert steps
    assert {proof.expected for each in steps for proof in each.proof} == {text("remedy-proof-statements")}


def test_a_rebuilt_record_is_told_by_the_attack_that_won_most() -> None:
    assert "in 100 of 100 games" in asked("iris-logistic", "rebuilding").proof
    told_of = next(each for each in noticed(told("iris-logistic").evidence) if each.check_id == "reconstruction.label")
    assert told_of.parameters["value"] == "100"


def test_a_file_that_another_procedure_made_does_not_speak_against_the_declared_one() -> None:
    assert opinion.rows(told("digits-shipped-old"))[0].said == text("main-box-model-other")
    assert opinion.rows(told("digits-shipped-old"))[2].said != text("main-box-procedure-fails")
    assert opinion.rows(told("digits-newton-overrun"))[2].said == text("main-box-procedure-unproved")


def test_both_pages_on_the_promise_say_the_same_of_a_procedure_that_trains_again() -> None:
    assert promises.lead(told("iris-logistic")) == text("promise-exact")
    assert promises.lead(told("digits-mlp-none")) == text("promise-none")


@pytest.mark.parametrize("name", ["digits-nearest-neighbour", "trigram-model"])
def test_what_to_do_names_the_same_share_of_rebuilt_records_as_the_annex(name: str) -> None:
    for check in told(name).checks:
        if check.id.startswith("reconstruction.") and check.status is Status.FAIL:
            assert isinstance(check.derived, judging.Derived)
            most = max(100 * each.success for each in check.derived.attacks)
            said = [each.found for each in remedies(told(name)) if check.id in {proof.check for proof in each.proof}]
            assert said
            assert f"{most:.3g} % of the games" in said[0]


def test_a_program_alone_is_told_neither_to_send_letters_nor_to_train() -> None:
    assert "reply" not in steps.steps(told("sqlite-plain")).anyway
    assert "reply" in steps.steps(told("digits-newton")).anyway
    settles, declares = (each.action for each in remedies(told("xor-controller")))
    assert settles == text("remedy-erased-not-recognised")
    assert "declare that the tested program is the whole system" in declares


def test_remedies_that_are_enough_stand_in_a_sentence_as_one_list() -> None:
    (said,) = (each for each in deletion_games.sentences(told("digits-nearest-neighbour")) if "10 records" in each)
    assert said.endswith(
        "20 records deleted at a time; at the next retraining, with new data; private training of a linear model."
    )


def test_near_copies_that_are_as_usual_as_others_are_counted_on_the_decision_page() -> None:
    report = told("digits-newton")
    erased = next(each for each in report.evidence.checks if each.id == "data.erased")
    assert erased.observed is not None
    assert erased.derived is not None
    for found, counted, said in (
        (3, 0, "3 of 18 equal a kept record, or nearly: no more often than other records do."),
        (3, 3, None),
        (0, 0, None),
    ):
        copies = {**erased.observed["copies"], "found": found, "retained_with_a_copy": 40}
        changed = dataclasses.replace(
            erased, observed={**erased.observed, "copies": copies}, derived={**erased.derived, "copies": counted}
        )
        checks = tuple(changed if each.id == "data.erased" else each for each in report.evidence.checks)
        row = opinion.rows(tell(report.evidence.model_copy(update={"checks": checks})))[1]
        assert (row.said == text("main-box-store-clean")) == (said is None)
        assert said is None or row.said == f"{text('main-box-store-clean')} {said}"


@pytest.mark.parametrize("name", NAMES)
def test_the_checks_that_a_pass_counts_are_all_that_there_are(name: str) -> None:
    evidence = golden(name)
    if evidence.verdict is Verdict.PASS:
        counted = re.search(
            r"meets all (\d+) required checks.* (\d+) other checks were not required or not run", verdict.sentence_of(evidence)
        )
        assert counted is not None
        required, others = map(int, counted.groups())
        assert (required, required + others) == (len(evidence.policy.required), len(evidence.checks))


def test_a_table_that_shows_its_first_rows_alone_says_how_many_there_are() -> None:
    page = templating.environment().from_string('{% import "annex/parts.html.j2" as part with context %}{{ part.cut(count) }}')
    most = attachments.MOST_ROWS
    assert page.render(count=most).strip() == ""
    assert f"first {most} of {most + 1} rows" in page.render(count=most + 1)


def test_every_table_of_the_annex_that_is_cut_says_so() -> None:
    """By `cut` under the table, or by `all_rows` with the file that holds them."""
    for template in (resources.templates() / "annex").rglob("*.j2"):
        source = template.read_text(encoding="utf-8")
        loops = len(re.findall(r"\{% for [^%]*\[:most_rows", source))
        told = len(re.findall(r"\b(?:part\.)?(?:cut|all_rows)\(", source)) - len(re.findall(r"macro (?:cut|all_rows)\(", source))
        assert told >= loops, template.name


def test_what_a_rerun_shows_is_not_said_of_a_model_file_that_is_another() -> None:
    report = told("tiny-transformer")
    assert opinion.rows(report)[3].said == text("main-box-people-exact")
    checks = report.evidence.checks
    other = tuple(dataclasses.replace(each, status=Status.FAIL) if each.id == "model.reproduced" else each for each in checks)
    replaced = tell(report.evidence.model_copy(update={"checks": other}))
    assert opinion.rows(replaced)[3].said == text("main-box-people-rerun")
    attacks = next(each for each in findings.questions(replaced) if each.asked == text("main-ask-attacks"))
    assert attacks.answer != "yes"


def test_the_sentence_says_of_the_model_file_what_the_cover_says() -> None:
    stated = Examined(model=False, store=True, procedure=True, backups=False)
    evidence = golden("digits-newton").model_copy(update={"examined": stated})
    assert "procedure only" not in verdict.sentence_of(evidence)
    assert dict(verdict.examined(evidence))[text("verdict-examined-model")] == text("common-yes")
