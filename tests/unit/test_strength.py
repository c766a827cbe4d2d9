"""The grades of a pass: each row of the table, and its two thresholds."""

from __future__ import annotations

import dataclasses
import math
from typing import Any

import pytest

import report_examples as examples
from auditor.base.domain import ClaimStatus, Guarantee, Status, Strength
from auditor.base.promises import Gaussian
from auditor.base.terms import ControlTerms, DeletionTerms, NoTerms, ReportedControlTerms
from auditor.document.conclusions import Examined
from auditor.document.evidence_files import read
from auditor.pages.main import decision
from auditor.pages.right_guesses import BLIND
from auditor.pages.words import verdict as verdicts
from auditor.pages.words.texts import text
from auditor.verdict.checks.guess_bounds import right_guesses_of
from auditor.verdict.grade import Agreement, agreement, graded, guesses
from sample_cases import GOLDEN

SHOWN, SUPPORTED = ClaimStatus.SHOWN, ClaimStatus.SUPPORTED


def promise(status: ClaimStatus, share: float) -> Guarantee:
    """Certified removal at δ = 0 that leaves so many right guesses."""
    return Guarantee("certified-removal", status, math.log(share / (1 - share)), 0.0, ())


def grade(
    *promises: Guarantee,
    passed: tuple[str, ...] = ("removal.budget",),
    model: bool = True,
    required: tuple[str, ...] | None = None,
) -> Strength:
    examined = Examined(model=model, store=True, procedure=True, backups=False)
    statuses = dict.fromkeys(passed, Status.PASS)
    return graded(required=passed if required is None else required, statuses=statuses, guarantees=promises, examined=examined)


BOTH = ("removal.budget", "swap.quality")


@pytest.mark.parametrize(
    ("given", "changes", "strength"),
    [
        ([promise(SHOWN, 0.5499)], {"passed": BOTH}, Strength.A),
        ([promise(SHOWN, 0.5499)], {"passed": ("removal.budget", "release.exact")}, Strength.A),
        ([promise(SHOWN, 0.5501)], {"passed": BOTH}, Strength.C),
        ([promise(SHOWN, 0.5499)], {}, Strength.B),
        ([promise(SHOWN, 0.5499)], {"passed": BOTH, "model": False}, Strength.B),
        ([promise(SUPPORTED, 0.5499)], {"passed": BOTH}, Strength.B),
        ([promise(SUPPORTED, 0.5501)], {"passed": BOTH}, Strength.C),
        ([], {"passed": ("release.exact",)}, Strength.B),
        ([], {"passed": ("release.exact",), "model": False}, Strength.D),
        ([promise(SUPPORTED, 0.8999)], {}, Strength.C),
        ([promise(SUPPORTED, 0.9)], {}, Strength.E),
        ([promise(SUPPORTED, 0.95), promise(SUPPORTED, 0.6)], {}, Strength.C),
        ([promise(ClaimStatus.NOT_SHOWN, 0.51), promise(ClaimStatus.REFUTED, 0.51)], {"passed": BOTH}, Strength.D),
        ([], {"passed": ("swap.quality",)}, Strength.D),
        ([promise(SHOWN, 0.51)], {"required": ("log.consistency",), "passed": BOTH}, Strength.E),
        ([], {"passed": ("log.consistency",)}, Strength.E),
    ],
)
def test_the_grade_is_the_table_s(given: list[Guarantee], changes: dict[str, Any], strength: Strength) -> None:
    assert grade(*given, **changes) is strength


PASS, FAIL, OPEN = Status.PASS, Status.FAIL, Status.INCONCLUSIVE


@pytest.mark.parametrize(
    ("statuses", "found"),
    [
        ({"swap.quality": PASS}, Agreement.NOTHING_FOUND),
        ({"release.remembers": PASS, "epsilon.consistency": PASS}, Agreement.NOTHING_FOUND),
        ({"release.exact": PASS, "swap.quality": FAIL}, Agreement.EXACT),
        ({"epsilon.consistency": FAIL, "release.exact": PASS}, Agreement.EXCEEDED),
        ({"epsilon.consistency": FAIL, "swap.quality": PASS}, Agreement.EXCEEDED),
        ({"release.remembers": FAIL, "swap.quality": PASS}, Agreement.RECOGNISED),
        ({"swap.strong": FAIL, "swap.quality": PASS}, Agreement.RECOGNISED),
        ({"inference.difference": FAIL, "swap.quality": PASS}, Agreement.NOTHING_FOUND),
        ({"epsilon.consistency": PASS, "swap.quality": OPEN}, Agreement.WITHIN),
        ({"swap.quality": OPEN, "release.remembers": OPEN}, Agreement.UNTESTED),
        ({}, Agreement.UNTESTED),
    ],
)
def test_attacks_agree_with_a_promise_where_those_that_would_have_found_something_found_nothing(
    statuses: dict[str, Status], found: Agreement
) -> None:
    assert agreement(statuses, promised=True) is found
    unpromised = Agreement.EXCEEDED if found is Agreement.EXCEEDED else Agreement.NO_PROMISE
    assert agreement(statuses, promised=False) is unpromised
    whole = {"removal.budget": Status.PASS, **statuses}
    examined = Examined(model=True, store=True, procedure=True, backups=False)
    graded_as = graded(required=["removal.budget"], statuses=whole, guarantees=[promise(SHOWN, 0.51)], examined=examined)
    assert (graded_as is Strength.A) == found.agrees


@pytest.mark.parametrize(
    ("required", "learns", "strength"),
    [
        # What a whole controller alone promises in numbers needs no forgetting examined; what a learner promises does.
        (("privacy.continual",), False, Strength.C),
        (("privacy.continual",), True, Strength.E),
        (("log.consistency",), False, Strength.E),
        (("removal.budget",), True, Strength.C),
    ],
)
def test_a_pass_that_examines_no_forgetting_is_worth_nothing_but_of_reports(
    required: tuple[str, ...], learns: bool, strength: Strength
) -> None:
    examined = Examined(model=True, store=True, procedure=True, backups=False)
    statuses = dict.fromkeys(required, Status.PASS)
    given = [promise(SUPPORTED, 0.7)]
    assert graded(required=required, statuses=statuses, guarantees=given, examined=examined, learns=learns) is strength


@pytest.mark.parametrize(
    ("terms", "status", "required", "strength"),
    [
        # A model that noise in its training hides everybody in, and that is never updated, has nothing to forget.
        (ControlTerms(by_noise=True), SUPPORTED, ("training.privacy",), Strength.C),
        (ControlTerms(by_noise=True, promise=Gaussian(mu=0.2)), SUPPORTED, ("training.privacy",), Strength.B),
        (ControlTerms(by_noise=True), ClaimStatus.NOT_SHOWN, ("training.privacy",), Strength.E),
        (ControlTerms(by_noise=True), SUPPORTED, ("log.consistency",), Strength.E),
        (ControlTerms(by_noise=False), SUPPORTED, ("training.privacy",), Strength.E),
        (ReportedControlTerms(by_noise=True), SUPPORTED, ("training.privacy",), Strength.E),
    ],
)
def test_noise_in_the_training_stands_in_for_the_forgetting_only_where_control_holds_by_it(
    terms: ControlTerms, status: ClaimStatus, required: tuple[str, ...], strength: Strength
) -> None:
    given = Guarantee("deletion-as-control", status, math.log(0.7 / 0.3), 0.0, (), terms=terms)
    assert grade(given, passed=required) is strength


def test_the_grade_is_read_off_the_promise_and_never_off_a_worse_number() -> None:
    for mu, strength in ((0.25, Strength.A), (0.26, Strength.C)):
        given = dataclasses.replace(promise(SHOWN, 0.73), terms=NoTerms(Gaussian(mu=mu)))
        assert grade(given, passed=BOTH) is strength
    stated = dataclasses.replace(promise(SHOWN, 0.54), terms=NoTerms(Gaussian(mu=3.0)))
    assert grade(stated, passed=BOTH) is Strength.A, "both hold"


def test_answers_that_were_written_down_are_worth_d_at_most() -> None:
    examined = Examined(model=True, store=True, procedure=True, backups=False)
    for required, strength in ((BOTH, Strength.D), (("log.consistency",), Strength.E)):
        statuses = dict.fromkeys(BOTH, Status.PASS)
        given = [promise(SHOWN, 0.51)]
        found = graded(required=required, statuses=statuses, guarantees=given, examined=examined, reruns=False)
        assert found is strength


def test_a_promise_without_a_delta_is_one_of_delta_zero() -> None:
    pure = Guarantee("certified-removal", SHOWN, math.log(3), None, ())
    assert guesses(pure) == pytest.approx(0.75)


def leaving(share: float) -> float:
    """The advantage that leaves exactly so many right guesses, rounded up as they are."""
    advantage = 2 * share - 1 - 1e-13
    while right_guesses_of(advantage) < share:
        advantage = math.nextafter(advantage, 1.0)
    assert right_guesses_of(advantage) == share
    return advantage


def apart(status: ClaimStatus, advantage: float) -> Guarantee:
    """Data deletion that says how much better than guessing anybody tells the two worlds apart."""
    terms = DeletionTerms(order=2.0, epsilon=1.0, source="5.1", seen=0, advantage=advantage, records=1, of="request")
    return Guarantee("data-deletion", status, 1.0, None, (), terms=terms)


BELOW, ABOVE = -math.inf, math.inf


@pytest.mark.parametrize(
    ("share", "towards", "status", "passed", "strength"),
    [
        # At most 55 in 100, shown, and attacks agree: A. At most 55 in 100 and no more than that: B.
        (0.55, BELOW, SHOWN, BOTH, Strength.A),
        (0.55, None, SHOWN, BOTH, Strength.A),
        (0.55, ABOVE, SHOWN, BOTH, Strength.C),
        (0.55, BELOW, SUPPORTED, ("removal.budget",), Strength.B),
        (0.55, None, SUPPORTED, ("removal.budget",), Strength.B),
        (0.55, ABOVE, SUPPORTED, ("removal.budget",), Strength.C),
        # Below 90 in 100: C. From 90 in 100 on: E.
        (0.9, BELOW, SHOWN, BOTH, Strength.C),
        (0.9, None, SHOWN, BOTH, Strength.E),
        (0.9, ABOVE, SHOWN, BOTH, Strength.E),
        (0.9, BELOW, SUPPORTED, ("removal.budget",), Strength.C),
        (0.9, None, SUPPORTED, ("removal.budget",), Strength.E),
    ],
)
def test_the_boundaries_are_55_and_90_right_guesses_in_100_to_the_last_digit(
    share: float, towards: float | None, status: ClaimStatus, passed: tuple[str, ...], strength: Strength
) -> None:
    advantage = leaving(share)
    if towards is not None:
        while right_guesses_of(advantage) == share:
            advantage = math.nextafter(advantage, towards)
    given = apart(status, advantage)
    found = guesses(given)
    assert found is not None
    assert (found < share, found == share, found > share) == (towards == BELOW, towards is None, towards == ABOVE)
    assert found == pytest.approx(share, abs=1e-15)
    assert grade(given, passed=passed) is strength


def test_the_best_promise_counts_and_the_worst_moves_nothing() -> None:
    at, beyond = apart(SHOWN, leaving(0.9)), apart(SUPPORTED, 1.0)
    assert grade(at, beyond, passed=BOTH) is Strength.E
    assert grade(at, promise(SUPPORTED, 0.8999), passed=BOTH) is Strength.C
    assert grade(at, promise(SUPPORTED, 0.5499), passed=BOTH) is Strength.B, "shown and hard to tell have to be one promise"


@pytest.mark.parametrize("name", ["release.exact", "release.remembers", "swap.quality"])
def test_either_of_three_checks_agrees_and_no_other_does(name: str) -> None:
    given = promise(SHOWN, 0.5499)
    assert grade(given, passed=("removal.budget", name)) is Strength.A
    for other in ("swap.strong", "data.erased", "model.reproduced", "epsilon.consistency", "swap.controls"):
        assert grade(given, passed=("removal.budget", other)) is Strength.B


def test_a_promise_at_an_order_is_counted_in_the_same_unit() -> None:
    found = guesses(Guarantee("data-deletion", SUPPORTED, 0.005, None, (), order=2.0))
    assert found == pytest.approx(0.55)
    assert guesses(Guarantee("deletion-as-confidentiality", SHOWN, None, None, ())) is None


@pytest.mark.parametrize("strength", list(Strength))
def test_every_grade_has_words_and_none_of_them_is_a_finding_of_law(strength: Strength) -> None:
    said = verdicts.worth(examples.passing().evidence.model_copy(update={"strength": strength}))
    assert said
    assert not {"compliant", "anonymous", "proves", "guaranteed"} & set(said.replace(",", "").split())


def test_the_words_of_b_count_the_statements() -> None:
    base = examples.passing().evidence
    graded_b = base.model_copy(update={"strength": Strength.B})
    assert "if 1 unchecked statement holds" in verdicts.worth(graded_b)
    relied = base.reliance.model_copy(update={"statements": ("code-clean", "procedure-honest")})
    assert "if 3 unchecked statements hold" in verdicts.worth(graded_b.model_copy(update={"reliance": relied}))


def test_a_program_that_promises_a_number_is_not_said_to_promise_none() -> None:
    promised, exact = (read(GOLDEN / f"{name}.json") for name in ("noisy-descent-model", "cloud-storage"))
    assert "rests on statements that nobody checked" in verdicts.worth(promised)
    assert verdicts.worth(exact).startswith("no promise in numbers")


def test_noise_is_not_said_to_hide_people_where_nothing_shows_them() -> None:
    noisy, exact, neither = (decision._of_a_program(most) for most in (0.73, BLIND, None))
    assert "noise hides" in text(noisy)
    assert "noise" not in text(exact)
    assert "shows nothing of who was deleted" in text(exact)
    assert "no test can show" in text(neither)


def test_a_statement_is_named_once_though_the_promise_and_the_pass_both_rest_on_it() -> None:
    base = examples.passing().evidence
    behind = verdicts.unchecked(base)
    relied = base.reliance.model_copy(update={"statements": (*behind, "code-clean")})
    assert verdicts.unchecked(base.model_copy(update={"reliance": relied})) == (*behind, "code-clean")


def test_the_words_of_d_say_whether_attacks_or_a_clean_room_stand_behind_it() -> None:
    base = examples.passing()
    graded_d = base.evidence.model_copy(update={"strength": Strength.D})
    assert verdicts.worth(graded_d).endswith("found nothing")
    (first, *rest) = graded_d.checks
    exact = dataclasses.replace(first, id="release.exact", status=Status.PASS)
    assert "the deleted records held made no difference" in verdicts.worth(graded_d.model_copy(update={"checks": (exact, *rest)}))


def test_no_pass_has_no_grade() -> None:
    assert verdicts.worth(examples.failing().evidence) == ""
