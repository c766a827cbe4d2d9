"""One person's letter: what may enter it, what it says for each ending, and that no number in it promises too much."""

from __future__ import annotations

import dataclasses
import json
import math
import re
from datetime import UTC, date, datetime, timedelta
from typing import get_args

import mpmath
import pytest
from hypothesis import given
from hypothesis import strategies as st

import report_examples as examples
from auditor import guarantees
from auditor.deletions import findings, outcomes
from auditor.domain import How, LogFinding, Request, RequestOutcome, Standing, Status, Verdict
from auditor.errors import InputError, ReportError
from auditor.guarantees import CERTIFIED_REMOVAL, CONTROL, derive_guarantees, fact
from auditor.letters import OWN_FINDINGS, TOLD, UNNAMED_FACT, UNNAMED_RULE, Extract, ambiguous, extract
from auditor.report import letter_meanings as meanings
from auditor.report import letter_words as words
from auditor.report.letter import file_name
from auditor.theorems import control, removal, theorems
from auditor.theorems.data_deletion import Deletion, Source, theorem
from auditor.words.told import ToldDerivation, ToldPremise

HER = "REQ-2026-0001"
RECEIVED = date(2026, 1, 31)
DUE = date(2026, 2, 28)
ROUTE = {
    **dict.fromkeys(("objective-strongly-convex", "perturbation-gaussian", "criterion-met"), How.COMPUTED),
    **dict.fromkeys(("release-reproduced", "log-consistent", "unrefuted"), How.MEASURED),
    **dict.fromkeys(
        ("log-complete", "residual-independent", "seed-secret", "requests-fixed", "preprocessing-clean"), How.ATTESTED
    ),
}


def outcome(request_id=HER, **changes):
    plain = RequestOutcome(request_id, "executed", RECEIVED, DUE, datetime(2026, 2, 10, 9, tzinfo=UTC), 10, False, 1, TOLD)
    return dataclasses.replace(plain, **changes)


def derived(epsilon=1.0, delta=1e-4, **changes):
    """The guarantees as an audit of Newton removal derives them."""
    known = {**ROUTE, **changes}
    return derive_guarantees(
        (fact(name, how, examples.by_hand("a check")) for name, how in known.items()), epsilon=epsilon, delta=delta
    )


def letter(one=None, **changes):
    """The extract for her, from the passing example with one request and whatever is changed."""
    # A claim would bind the verdict, which here is a pass whatever becomes of the guarantees.
    policy = examples.passing().policy.model_copy(update={"claims": {}})
    parts = {"requests": (one or outcome(),), "guarantees": derived(), "policy": policy, **changes}
    return extract(examples.build(**parts).evidence, HER)


def told(found):
    """Everything that the letter says."""
    panels = (words.request_panel(found), words.audit_panel(found))
    return " ".join(
        [
            *(f"{panel.word} {panel.note}" for panel in panels),
            words.asked(found),
            *words.done(found),
            *words.result(found),
            words.attacked(found) or "",
            *(sentence for meaning in meanings.meanings(found) for sentence in meaning.sentences),
            *words.limits(found),
        ]
    )


def with_check(status, check_id, **changes):
    """The checks of the passing example with one of them replaced."""
    return examples.with_check(examples.build(), check_id, status=status, **changes).checks


# What became of the request


def test_an_erasure_in_time_is_told_with_both_dates_and_the_days_between():
    said = told(letter())
    assert "received on 31 January 2026" in said
    assert "28 February 2026 as the deadline: one calendar month" in said
    assert "1 record of yours was erased on 10 February 2026, 10 days after your request" in said
    assert "in time, 18 days before the deadline" in said
    assert words.request_panel(letter()).word == "Carried out in time"


@pytest.mark.parametrize(
    ("changes", "word", "tone", "sentence"),
    [
        ({"days": 40, "overdue": True}, "Carried out too late", "fail", "12 days too late"),
        ({"days": 28}, "Carried out in time", "plain", "last day in time"),
        ({"days": 29}, "Carried out too late", "fail", "1 day too late"),
        ({"days": 10, "overdue": True}, "Carried out too late", "fail", "lists it as too late"),
        ({"deleted_at": None, "days": None}, "Carried out, date unknown", "inconclusive", "but not when"),
        ({"status": "open", "deleted_at": None, "days": None}, "Not carried out yet", "inconclusive", "has not been erased yet"),
        ({"status": "open", "overdue": True}, "Not carried out, and overdue", "fail", "lists your request as overdue"),
        ({"status": "denied"}, "Refused", "plain", "Article 12(4)"),
        ({"status": "revoked"}, "Withdrawn", "plain", "If you did not withdraw it, say so"),
        ({"status": "no-match"}, "No data of yours was found", "plain", "kept under another name"),
        ({"status": "not-located"}, "Your data was not located", "inconclusive", "The controller has to clear this up"),
        ({"status": "not-located", "overdue": True}, "Not located, and overdue", "fail", "overdue"),
        ({"status": "<b>done</b>"}, "Not known", "inconclusive", "does not say"),
    ],
)
def test_each_ending_has_words_of_its_own(changes, word, tone, sentence):
    found = letter(outcome(**changes))
    panel = words.request_panel(found)
    assert (panel.word, panel.tone) == (word, tone)
    assert sentence in told(found)


@pytest.mark.parametrize("status", ["open", "denied", "revoked", "no-match", "not-located", "anything"])
def test_where_nothing_was_erased_no_guarantee_and_no_pass_speaks_of_her(status):
    found = letter(outcome(status=status))
    assert found.request.guarantees == ()
    assert (found.request.records, found.request.deleted_at, found.request.days) == (None, None, None)
    assert meanings.meanings(found) == ()
    panel = words.audit_panel(found)
    assert panel.tone == "plain"
    assert "does not cover your data" in panel.note


def test_the_deadline_says_where_it_comes_from():
    assert letter().request.deadline == "calendar-month"
    policy = examples.build().policy
    days = policy.model_copy(update={"settings": {"deadline_days": 20}})
    assert letter(outcome(due_on=RECEIVED + timedelta(days=20)), policy=days).request.deadline == "days"
    own = letter(outcome(due_on=date(2026, 2, 20)))
    assert own.request.deadline == "log"
    assert "the date that the controller's log gives" in words.asked(own)


def _logged(**changes):
    """Her letter from a log of one row, read and judged as an audit does."""
    row = {
        "row": 4,
        "request_id": HER,
        "record_ids": ("a",),
        "received_at": datetime(2026, 1, 31, 8, tzinfo=UTC),
        "executed_at": datetime(2026, 2, 10, 9, tzinfo=UTC),
    }
    request = Request(**{**row, **changes})
    today = date(2026, 6, 1)
    (one,) = outcomes([request], {"a"}, deadline_days=None, today=today)
    log = examples.build().deletion_log.model_copy(update={"problems": findings([request], {"a"}, today=today)})
    return extract(examples.build(requests=(one,), deletion_log=log, guarantees=derived()).evidence, HER)


@pytest.mark.parametrize(
    ("changes", "code", "word"),
    [
        ({"executed_at": datetime(2026, 1, 1, tzinfo=UTC)}, "EXECUTED_BEFORE_RECEIVED", "Unclear"),
        ({"executed_at": datetime(2027, 1, 1, tzinfo=UTC)}, "EXECUTED_IN_FUTURE", "Unclear"),
        ({"executed_at": None, "status": "executed"}, "EXECUTED_WITHOUT_TIME", "Unclear"),
        ({"status": "denied"}, "STATUS_CONTRADICTED", "Unclear"),
        ({"due_on": date(2026, 1, 1)}, "DUE_BEFORE_RECEIVED", "Unclear"),
        ({"executed_at": None, "status": "no_match"}, "NO_MATCH_BUT_KNOWN", "Unclear"),
        ({"record_ids": ("a", "b")}, "NOT_LOCATED", "Carried out in part"),
        ({"record_ids": ("b",)}, "NOT_LOCATED", "Not located, and overdue"),
    ],
)
def test_what_does_not_hold_together_in_her_row_is_told(changes, code, word):
    found = _logged(**changes)
    assert code in found.request.findings
    panel = words.request_panel(found)
    assert (panel.word, panel.tone) == (word, "fail" if "overdue" in word else "inconclusive")
    assert "row" not in told(found).split()


@pytest.mark.parametrize("code", ["DELETED_TWICE", "DUPLICATE_REQUEST", "BATCHES_OVERLAP", "DUPLICATE_RECORD"])
def test_findings_that_speak_of_another_request_are_not_told(code):
    problem = LogFinding(4, code, f"request {HER} (row 4): record x deleted by request OTHER (row 9) too")
    log = examples.build().deletion_log.model_copy(update={"problems": (problem,)})
    assert letter(deletion_log=log) == letter().model_copy(update={"evidence_sha256": letter(deletion_log=log).evidence_sha256})
    assert code not in OWN_FINDINGS


def test_a_finding_on_another_row_is_not_hers_even_where_her_id_begins_it():
    problem = LogFinding(4, "STATUS_CONTRADICTED", f"request {HER}0 (row 4): status denied, but executed")
    log = examples.build().deletion_log.model_copy(update={"problems": (problem,)})
    assert letter(deletion_log=log).request.findings == ()


# What the search found


@pytest.mark.parametrize(
    ("status", "value", "named", "search"),
    [
        (Status.PASS, 0.0, [], "not-found"),
        (Status.FAIL, 1.0, ["OTHER"], "not-found"),
        (Status.FAIL, 1.0, ["OTHER", HER], "found"),
        (Status.INCONCLUSIVE, 0.0, [], "open"),
        (Status.INCONCLUSIVE, 1.0, [HER], "found"),
        (Status.FAIL, 1.0, None, "open"),
        (Status.FAIL, 1.0, HER, "open"),
        (Status.SKIPPED, None, [], "not-examined"),
        (Status.ERROR, None, [], "not-examined"),
    ],
)
def test_the_search_is_told_for_her_alone(status, value, named, search):
    checks = with_check(status, "data.erased", value=value, details={"request_ids": named})
    found = letter(checks=checks, verdict=Verdict.FAIL)
    assert found.request.search == search
    assert (words.request_panel(found).word == "Your data was found again") is (search == "found")
    assert ("was not found in the places" in told(found)) is (search == "not-found")


# What the audit found


def test_a_model_that_is_not_the_procedures_is_said_to_may_hold_her_data():
    found = letter(checks=with_check(Status.FAIL, "model.reproduced"), verdict=Verdict.FAIL)
    assert "may still hold your data" in told(found)
    assert "The audit as a whole did not pass" in told(found)


def test_a_pass_that_looked_at_no_unlearning_says_so():
    policy = examples.build().policy.model_copy(update={"required": ("log.consistency",)})
    assert "none of the checks that decide examines the forgetting" in told(letter(policy=policy))
    assert "examines the forgetting" not in told(letter())


def test_a_procedure_that_does_not_unlearn_is_named():
    procedure = examples.build().procedure.model_copy(update={"unlearn": "none"})
    assert "an erasure does not change it" in told(letter(procedure=procedure))


def test_the_questions_are_those_that_decide_and_those_that_failed():
    checks = with_check(Status.FAIL, "swap.strong")
    asked = words.answers(letter(checks=checks))
    assert ("Can an attacker who knows all that may have been erased only guess?", Status.FAIL) in asked
    required = [check for check in examples.build().checks if check.id in examples.build().policy.required]
    assert len(asked) == len([check for check in required if not check.id.startswith(("log.", "data."))]) + 1


def test_every_check_of_the_model_has_a_question_that_names_no_identifier():
    for check in examples.build().checks:
        assert check.id not in words.question(check.id)


@pytest.mark.parametrize(
    ("status", "ends", "amount"),
    [
        (Status.PASS, (0.9764, 1.0), "at most 2.4 "),
        (Status.PASS, (0.9759, 1.0), "at most 2.5 "),
        (Status.FAIL, (0.5, 0.8741), "at least 12.5 "),
        (Status.INCONCLUSIVE, (0.9, 0.98), "between 2 and 10 "),
        (Status.SKIPPED, (0.9, 0.98), "between 2 and 10 "),
    ],
)
def test_what_the_attacks_found_is_rounded_to_the_strict_side(status, ends, amount):
    verdict = Verdict.PASS if status is Status.PASS else Verdict.FAIL
    found = letter(checks=with_check(status, "swap.quality", interval=ends), verdict=verdict)
    assert amount in words.attacked(found)


@pytest.mark.parametrize("ends", [None, (0.5, 1.2), (-0.1, 0.4), (0.9, 0.8)])
def test_without_an_interval_the_attacks_are_not_told(ends):
    assert words.attacked(letter(checks=with_check(Status.PASS, "swap.quality", interval=ends))) is None


def test_what_was_not_examined_is_listed():
    case = examples.build().case.model_copy(update={"model": None, "store": None})
    audit = examples.build().audit.model_copy(update={"quick": True})
    environment = examples.build().environment.model_copy(update={"capped": True})
    said = " ".join(words.limits(letter(case=case, audit=audit, environment=environment, verdict=Verdict.FAIL)))
    for lack in (
        "model itself was not handed in",
        "data that the controller keeps",
        "quick audit",
        "could not be isolated",
        "backups",
    ):
        assert lack in said
    assert "whether an erased record can be rebuilt" in said
    assert "how large a trace" not in said


def test_a_check_that_does_not_apply_is_not_called_unexamined():
    checks = tuple(
        dataclasses.replace(check, basis="Does not apply: no text") if check.id.startswith("reconstruction.") else check
        for check in examples.build().checks
    )
    assert "rebuilt from the model" not in " ".join(words.limits(letter(checks=checks)))


# What guarantees mean


def test_a_supported_guarantee_is_told_with_its_numbers_and_what_it_takes_on_trust():
    (model, wider) = meanings.meanings(letter())
    said = " ".join(model.sentences)
    assert model.standing is Standing.SUPPORTED
    assert "a factor of at most 2.72" in said
    assert "1 in 10,000" in said
    assert "73.2 times in 100" in said
    for premise in ("log-complete", "residual-independent", "seed-secret", "requests-fixed", "preprocessing-clean"):
        assert meanings.ATTESTED[premise] in said
    assert meanings.ATTESTED["release-reproduced"] not in said
    assert "an earlier version can compare the two" in said
    assert wider.standing is Standing.NOT_SHOWN
    assert "2 wider guarantees" in wider.sentences[0]


def test_every_premise_that_a_route_can_take_on_trust_has_plain_words():
    routes = (removal.NEWTON, removal.NOISE, removal.RETRAINING, control.PRIVATE, removal.above_extractor(removal.NEWTON))
    deletions = (
        Deletion(2.0, 0.1, source, seen, known_loss=False, of="person") for source in get_args(Source) for seen in (0, 1)
    )
    deleted = [theorem(deletion).needs for deletion in deletions]
    by_word = {"full-batch-descent", "start-gaussian", "steps-counted", "noise-measured"}
    by_word |= {"loss-convex", "loss-bounded", "loss-constants"}
    attested = guarantees.ATTESTED_AT_BEST | {"release-reproduced", "every-extractor", "seen-releases", "code-clean"} | by_word
    needed = {name for needs in (*(each.needs for each in routes), *deleted) for name in needs} & attested
    assert needed == set(meanings.ATTESTED)


def test_retraining_is_told_as_such():
    found = letter(guarantees=derived(retrained=How.COMPUTED))
    said = " ".join(meanings.meanings(found)[0].sentences)
    assert "retrained from scratch without the erased data" in said
    assert "factor" not in said
    assert "It holds only if" in said


def test_a_promise_by_noise_names_what_it_speaks_under_though_no_premise_does():
    noised = dict.fromkeys(removal.NOISE.needs, How.COMPUTED)
    (model, _) = meanings.meanings(letter(guarantees=derived(**noised, **{"criterion-met": How.REFUTED})))
    assert model.standing is Standing.SHOWN
    said = " ".join(model.sentences)
    assert "It assumes what nobody examined" in said
    assert all(words in said for words in meanings.UNDER_NOISE)
    assert "further assumption" not in said


def test_a_refuted_promise_is_said_not_to_hold():
    found = letter(guarantees=derived(unrefuted=How.REFUTED), verdict=Verdict.FAIL)
    assert found.request.guarantees == ()
    (model, _) = meanings.meanings(found)
    assert model.standing is Standing.REFUTED
    assert "The promise does not hold" in model.sentences[0]


def test_a_guarantee_that_does_not_cover_her_is_not_claimed_for_her():
    found = letter(outcome(guarantees=()))
    assert [meaning.standing for meaning in meanings.meanings(found)] == [Standing.NOT_SHOWN, Standing.NOT_SHOWN]
    assert "It could not be shown" in meanings.meanings(found)[0].sentences[0]


def test_a_request_cannot_claim_a_guarantee_that_does_not_stand():
    found = letter(outcome(guarantees=TOLD), guarantees=derived(**{"criterion-met": How.REFUTED}))
    assert found.request.guarantees == ()


def test_a_weak_promise_is_called_weak():
    said = " ".join(meanings.meanings(letter(guarantees=derived(epsilon=3.0)))[0].sentences)
    assert "weak promise" in said
    assert "weak promise" not in told(letter())


def test_premises_that_are_not_in_the_catalogue_are_counted_and_never_copied():
    ours, _ = examples.guarantees(Standing.SUPPORTED)
    premise = ToldPremise("of OTHER alone", "of OTHER alone", How.ATTESTED, "the word of OTHER")
    foreign = dataclasses.replace(ours, derivation=(ToldDerivation("by OTHER", "by OTHER", (premise,)),))
    found = letter(guarantees=(foreign,))
    ((only,),) = (part.derivation for part in found.guarantees)
    assert (only.rule, [premise.fact for premise in only.premises]) == (UNNAMED_RULE, [UNNAMED_FACT])
    assert b"OTHER" not in found.to_bytes()
    assert "1 further assumption that the full report names" in told(found)
    assert not {UNNAMED_FACT, UNNAMED_RULE} & {*theorems(), *guarantees.KNOWN}


def test_control_that_covers_her_is_told():
    control = next(item for item in derived() if item.id == CONTROL)
    shown = dataclasses.replace(control, status=Standing.SHOWN)
    told_of = [meaning.title for meaning in meanings.meanings(letter(guarantees=(derived()[0], shown)))]
    assert told_of == [meanings.TITLES[CERTIFIED_REMOVAL], meanings.TITLES[CONTROL]]


# Numbers


@pytest.mark.parametrize(
    ("epsilon", "delta", "share"),
    [(1, 1e-4, "0.73108547277"), (0.1, 0, "0.52497918748"), (0, 0.01, "0.505"), (3, 1e-5, "0.95257460108"), (0, 0, "0.5")],
)
def test_right_guesses_agree_with_arithmetic_in_fifty_digits(epsilon, delta, share):
    with mpmath.workdps(50):
        exact = (mpmath.exp(epsilon) + mpmath.mpf(str(delta))) / (mpmath.exp(epsilon) + 1)
        assert mpmath.nstr(exact, 11) == share
    assert meanings.right_guesses(epsilon, delta) == pytest.approx(float(exact), rel=1e-14)


@given(st.floats(0, 12), st.floats(0.001, 8))
def test_no_guesser_of_a_gaussian_pair_is_right_more_often(epsilon, mu):
    """The best guess between N(0, 1) and N(μ, 1) is right with Φ(μ/2); the pair is (ε, δ(ε))-close by its own trade-off."""
    with mpmath.workdps(40):
        low, high = mpmath.ncdf(mu / 2 - mpmath.mpf(epsilon) / mu), mpmath.ncdf(-mu / 2 - mpmath.mpf(epsilon) / mu)
        delta = low - mpmath.exp(epsilon) * high
        best = mpmath.ncdf(mpmath.mpf(mu) / 2)
    assert float(best) <= meanings.right_guesses(epsilon, float(delta)) + 1e-12


@given(st.floats(0, 12), st.floats(0, 1))
def test_randomised_response_reaches_the_bound(epsilon, delta):
    """It names the side outright with probability δ, and rightly with e^ε/(1 + e^ε) otherwise: the worst (ε, δ)-close pair."""
    shown = delta + (1 - delta) / (1 + math.exp(-epsilon))
    assert meanings.right_guesses(epsilon, delta) == pytest.approx(shown, rel=1e-12)


@given(st.floats(0, 20))
def test_the_factor_is_never_less_than_the_exponential(epsilon):
    found = re.fullmatch(r"(?:([0-9.,]+)(?: × |$))?(?:10([⁰¹²³⁴⁵⁶⁷⁸⁹]+))?", meanings.factor(epsilon))
    mantissa, power = (found[1] or "1").replace(",", ""), (found[2] or "").translate(str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹", "0123456789"))
    value = float(mantissa) * 10 ** int(power or 0)
    assert math.exp(epsilon) * (1 - 1e-9) <= value <= 1.0101 * math.exp(epsilon)


def test_factors_beyond_reading_are_not_printed():
    assert meanings.factor(1e6) == "more than 10⁸"


@given(st.floats(1e-300, 1))
def test_the_margin_is_never_less_than_delta(delta):
    printed = meanings.margin(delta)
    count = re.fullmatch(r"1 in ([\d,]+)", printed)
    if count:
        assert delta * (1 - 1e-9) <= 1 / int(count[1].replace(",", "")) <= 1.5 * delta
    else:
        assert (delta >= 0.5) if printed == "more than 1 in 2" else (printed, delta < 1e-14) == ("less than 1 in 10¹⁵", True)


# Who gets which letter


def test_an_unknown_request_and_one_on_two_rows_are_refused():
    with pytest.raises(InputError, match="no such request"):
        extract(examples.passing().evidence, "REQ-2026-00")
    twice = examples.build(requests=(outcome(), outcome(), outcome("R2"))).evidence
    assert ambiguous(twice) == (HER,)
    with pytest.raises(InputError, match="2 requests of that id"):
        extract(twice, HER)


def test_a_contradicting_pass_gets_no_letter():
    with pytest.raises(ReportError, match="contradicts"):
        letter(checks=with_check(Status.FAIL, "removal.budget"))


def test_the_extract_survives_its_own_bytes():
    found = letter()
    assert json.loads(found.to_bytes())["schema"] == "auditor.letter/2"
    assert Extract.model_validate_json(found.to_bytes()) == found


@given(st.text(max_size=300))
def test_file_names_are_safe_whatever_the_id(request_id):
    assert re.fullmatch(r"letter(-[a-z0-9]+)+\.pdf", file_name(request_id))
    assert len(file_name(request_id)) <= 70


@pytest.mark.parametrize(("one", "other"), [("R1", "r1"), ("a/b", "a b"), ("é", "e"), ("", " "), ("x" * 500, "x" * 501)])
def test_ids_that_look_alike_get_files_of_their_own(one, other):
    assert file_name(one) != file_name(other)


def test_a_check_named_by_nobody_is_left_out():
    odd = examples.check("REQ-2026-0002", "x", Status.FAIL, 1.0, 0.0, "x")
    found = letter(checks=(*examples.build().checks, odd), verdict=Verdict.FAIL)
    assert b"REQ-2026-0002" not in found.to_bytes()
