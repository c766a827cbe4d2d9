"""The SWAP test in words: no claim is rounded to the favourable side, and every silence of the test is spoken of."""

from __future__ import annotations

import dataclasses
import re
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

import golden_reports
import report_examples as examples
from auditor.base.domain import Status
from auditor.pages import right_guesses, wording
from auditor.pages.remedies.advice import Subject
from auditor.pages.words.texts import text
from auditor.parts.swap.judging.epsilon_consistency.rows import Row
from auditor.parts.swap.judging.estimates import OfAdvantage
from auditor.parts.swap.telling import epsilon_words, remedies, swap_words

shares = st.floats(0, 1)
signed = st.floats(-1, 1)


@pytest.fixture
def passed():
    return examples.passing().check("swap.quality")


@pytest.fixture
def failed():
    return examples.failing().check("swap.quality")


@given(shares)
def test_points_said_to_be_at_least_never_claim_too_much(share):
    exact, least = 100 * Fraction(share), Fraction(wording.at_least_points(share))
    slack = Fraction(2, 10**10)  # the thousandth part of a millionth that is taken for rounding of the machine
    assert exact - Fraction(1, 10) < least <= exact + slack


@given(signed, st.tuples(signed, signed).map(sorted))
def test_the_quality_of_an_attack_holds_every_advantage_of_its_interval_and_nothing_else(value, ends):
    low, high = ends
    inside = min(max(value, low), high)
    turned = swap_words.quality_of(OfAdvantage(advantage=inside, interval=(low, high)))
    assert turned.value == 1 - abs(inside)
    assert turned.ends[0] <= turned.value <= turned.ends[1]
    assert turned.ends[0] == min(1 - abs(low), 1 - abs(high))
    assert turned.ends[1] == (1 if low <= 0 <= high else max(1 - abs(low), 1 - abs(high)))


def test_a_finding_is_told_by_its_best_guess_between_limits_rounded_outward(passed):
    said = swap_words.finding(passed)
    assert re.search(r"with 50\.\d of 100 guesses right \(between 50(\.\d)? and 50\.7, 95\u00a0% confidence\)", said)
    assert said.endswith("Guessing is right 50 times, and 65.5 on the no-unlearning baseline.")


def test_whatever_was_decided_both_limits_are_named(passed, failed):
    assert "(between 67 and " in swap_words.finding(failed)
    wide = dataclasses.replace(passed, interval=(0.91, 0.973), status=Status.INCONCLUSIVE)
    assert "(between 51.3 and 54.5, " in swap_words.finding(wide)
    bare = dataclasses.replace(passed, interval=None)
    assert "with 50.1 of 100 guesses right" in swap_words.finding(bare)
    assert "confidence" not in swap_words.finding(bare)


def test_nothing_is_said_to_be_found_where_there_is_no_value(passed):
    assert swap_words.finding(dataclasses.replace(passed, value=None, interval=None)) is None
    assert swap_words.finding(examples.passing().check("swap.controls")) is None
    assert right_guesses.in_brief(examples.broken_off()) == ()


def test_doing_nothing_must_lie_wholly_below_the_threshold_or_the_test_is_called_blind(passed):
    assert swap_words.blind(passed) is None
    for control, is_blind in (
        ({"quality": 0.94, "interval": [0.90, 0.95]}, True),
        ({"quality": 0.93, "interval": [0.91, 0.9499]}, False),
    ):
        said = swap_words.blind(examples.with_derived(passed, do_nothing=control))
        assert (said is not None) is is_blind
    assert swap_words.blind(dataclasses.replace(passed, derived=None)) is None
    evidence = examples.build(checks=(examples.with_derived(passed, do_nothing={"quality": 0.97, "interval": [0.93, 1.0]}),))
    assert "cannot tell good unlearning from none" in right_guesses.in_brief(evidence)[1]
    assert "Q = 0.97 (0.93 to 1), not wholly below 0.95" in right_guesses.in_brief(evidence)[1]


def test_power_is_stated_in_words(passed):
    words = (
        "With 400 pairs, an attack with 50.6 of 100 guesses right or more would have been found with 80\u00a0% probability; "
        "weaker ones may exist."
    )
    assert swap_words.power(passed) == words
    for unknown in (
        dataclasses.replace(passed, derived=None),
        examples.with_derived(passed, smallest_advantage=None, pairs=20),
        examples.with_derived(passed, smallest_advantage=0.0),
    ):
        assert swap_words.power(unknown) == "How small an advantage this run would have found is not known."


def test_over_unlearning_is_named_only_where_the_sign_shows_it(passed):
    assert swap_words.over_unlearned(passed) is None
    over = examples.with_derived(passed, over_unlearned=True)
    assert "That marks them as well" in swap_words.over_unlearned(over)
    evidence = examples.build(checks=(over,))
    assert any(said.startswith("Over-unlearned") for said in right_guesses.in_brief(evidence))


def test_every_silence_of_the_test_is_spoken_of(passed):
    said = " ".join(swap_words.silences(passed))
    for silence in ("this learner on this data set", "each record as likely as any", "not the people in the deletion log"):
        assert silence in said
    for silence in ("Others may find more", "not their weights", "filters answers", "the model from before"):
        assert silence in said
    weighted = dataclasses.replace(passed, observed=examples.quality_observed(weighted=True))
    assert "weighted by the sensitivity" in swap_words.silences(weighted)[1]


def test_attacks_are_read_worst_first(passed):
    first, second, third, *_ = passed.derived.attacks
    changed = (
        first.model_copy(update={"name": "a", "advantage": 0.1, "interval": (-0.1, 0.2)}),
        second.model_copy(update={"name": "b", "advantage": 0.0, "interval": (-0.1, 0.1)}),
        third.model_copy(update={"name": "c", "advantage": -0.4, "interval": (-0.5, -0.3), "blind": True}),
    )
    check = dataclasses.replace(passed, derived=passed.derived.model_copy(update={"attacks": changed}))
    rows = swap_words.attacks(check)
    assert [row.name for row in rows] == ["c", "a", "b"]
    assert [swap_words.told_apart(row) for row in rows] == [True, False, False]
    assert swap_words.title(rows[1]) == first.title
    assert swap_words.title(rows[0]) != third.title, "that it is blind is said"


def test_why_an_ic_score_is_missing_is_said(passed):
    unseen = examples.quality_observed(ic_score=None, ic_score_retrained=None)
    missing = dataclasses.replace(examples.with_derived(passed, ic_why=examples.written("two classes only")), observed=unseen)
    named = {row.name: row.meaning for row in swap_words.measures(missing)}
    assert named["IC score"] == "Not measured: two classes only"
    assert "IC score of retraining" not in named
    assert {"Plug-in Q", "MIA score", "p, sign flips"} <= set(named)


@given(st.floats(0, 20), st.floats(0, 20), st.booleans())
def test_a_statement_is_refuted_just_where_a_lower_end_that_decides_exceeds_it(upper, lower, decides):
    held = [examples.lower_end("a", "attack", lower, decides=decides), examples.lower_end("b", "other", upper / 2)]
    row = Row.model_validate(examples.row(epsilon=upper, delta=0.0, lower=held))
    assert epsilon_words.refuted(row) is (decides and lower > upper)
    assert len(epsilon_words.refutations([row])) == epsilon_words.refuted(row)


def test_a_statement_that_was_not_compared_is_never_refuted():
    held = [examples.lower_end("a", "attack", 9.0)]
    for changes in (
        {"compared": False, "why": examples.written("another promise"), "lower": held},
        {"epsilon": None, "lower": held},
        {"lower": []},
    ):
        row = Row.model_validate(examples.row(**changes))
        assert not epsilon_words.refuted(row)
        assert not epsilon_words.compared(row)
        assert epsilon_words.why(row) == ("another promise" if "why" in changes else text("epsilon-no-pair"))


def test_a_reason_beside_both_ends_hides_no_refutation():
    held = [examples.lower_end("a", "attack", 9.0)]
    assert epsilon_words.refuted(Row.model_validate(examples.row(why=examples.written("?"), lower=held)))


def test_statements_that_fall_to_the_same_lower_end_share_a_sentence():
    (said,) = epsilon_words.refutations(epsilon_words.comparisons(examples.failing().check("epsilon.consistency")))
    assert said.startswith("Refuted: claimed (ε, δ)-certified removal: ε ≤ 1 at δ = 0.0001; certified removal by budget: ε ≤ 1")
    assert said.endswith("Whole-set adversary shows ε of at least 2.38 with 98.3\u00a0% confidence.")
    assert epsilon_words.refutations(epsilon_words.comparisons(examples.passing().check("epsilon.consistency"))) == ()


def test_the_words_never_overstate(passed):
    spoken = " ".join(
        [*swap_words.silences(passed), text("swap-over-unlearned"), swap_words.power(passed), swap_words.finding(passed)]
    ).lower()
    for banned in ("compliant", "anonymous", "proves", "guarantee"):
        assert banned not in spoken


@pytest.mark.parametrize(("codes", "action"), [({"swap.quick": {}}, "remedy-quick"), ({}, "remedy-by-chance")])
def test_a_quick_run_says_nothing_against_the_seed(codes: dict[str, dict[str, object]], action: str) -> None:
    told = golden_reports.told("digits-newton")
    check = next(each for each in told.checks if each.id == "swap.controls")
    (advice,) = remedies.controls(Subject(told, check, codes))
    assert advice.action == text(action)
