"""The SWAP test in words: no claim is rounded to the favourable side, and every silence of the test is spoken of."""

from __future__ import annotations

import dataclasses
import math
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

import report_examples as examples
from auditor.domain import Status
from auditor.report import epsilon_readings, plain, readings, swap_readings, swap_words, wording
from auditor.report.readings import Estimate
from auditor.words.texts import text

shares = st.floats(0, 1)
signed = st.floats(-1, 1)


def with_details(check, **details):
    return dataclasses.replace(check, details={**check.details, **details})


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
    turned = swap_readings.quality_of(Estimate(inside, (low, high)))
    assert turned.value == 1 - abs(inside)
    assert turned.ends[0] <= turned.value <= turned.ends[1]
    assert turned.ends[0] == min(1 - abs(low), 1 - abs(high))
    assert turned.ends[1] == (1 if low <= 0 <= high else max(1 - abs(low), 1 - abs(high)))


def test_a_pass_is_told_by_the_far_end_of_its_interval(passed):
    said = swap_words.finding(passed)
    assert "with at most 50.7 of 100 guesses right" in said
    assert "95\u00a0% confidence" in said
    assert said.endswith("Guessing is right 50 times, and 65.5 on the no-unlearning baseline.")


def test_a_fail_is_told_by_the_near_end_of_its_interval(failed):
    assert "with at least 67 of 100 guesses right" in swap_words.finding(failed)


def test_an_interval_across_the_threshold_is_told_by_both_ends(passed):
    wide = dataclasses.replace(passed, interval=(0.91, 0.973), status=Status.INCONCLUSIVE)
    assert "with between 51.3 and 54.5 of 100 guesses right" in swap_words.finding(wide)
    bare = dataclasses.replace(passed, interval=None)
    assert "with 50.1 of 100 guesses right" in swap_words.finding(bare)
    assert "confidence" not in swap_words.finding(bare)


def test_nothing_is_said_to_be_found_where_there_is_no_value(passed):
    assert swap_words.finding(dataclasses.replace(passed, value=None, interval=None)) is None
    assert swap_words.finding(examples.passing().check("swap.controls")) is None
    assert plain.attacked(examples.broken_off()) == ()


def test_doing_nothing_must_lie_wholly_below_the_threshold_or_the_test_is_called_blind(passed):
    assert swap_words.blind(passed) is None
    for control, is_blind in (
        ({"quality": 0.94, "interval": [0.90, 0.95]}, True),
        ({"quality": 0.93, "interval": [0.91, 0.9499]}, False),
        ({"quality": 0.97}, True),
        ({"quality": 0.94}, False),
        (None, False),
    ):
        said = swap_words.blind(with_details(passed, do_nothing=control))
        assert (said is not None) is is_blind
    evidence = examples.build(checks=(with_details(passed, do_nothing={"quality": 0.97, "interval": [0.93, 1.0]}),))
    assert "cannot tell good unlearning from none" in plain.attacked(evidence)[1]
    assert "Q = 0.97 (0.93 to 1), not wholly below 0.95" in plain.attacked(evidence)[1]


def test_power_is_stated_in_words(passed):
    words = (
        "With 400 pairs, an attack with 50.6 of 100 guesses right or more would have been found with 80\u00a0% probability; "
        "weaker ones may exist."
    )
    assert swap_words.power(passed.details) == words
    assert swap_words.power({"smallest_advantage": 0.3}) == (
        "An attack with 65 of 100 guesses right or more would have been found; weaker ones may exist."
    )
    for unknown in ({}, {"smallest_advantage": None, "pairs": 20}, {"smallest_advantage": math.inf}, {"smallest_advantage": 0}):
        assert swap_words.power(unknown) == "How small an advantage this run would have found is not known."


def test_over_unlearning_is_named_only_where_the_sign_shows_it(passed):
    assert swap_words.over_unlearned(passed.details) is None
    assert "That marks them as well" in swap_words.over_unlearned({"over_unlearned": True})
    evidence = examples.build(checks=(with_details(passed, over_unlearned=True),))
    assert any(said.startswith("Over-unlearned") for said in plain.attacked(evidence))


def test_every_silence_of_the_test_is_spoken_of():
    said = " ".join(swap_words.silences({}))
    for silence in ("this learner on this data set", "each record as likely as any", "not the people in the deletion log"):
        assert silence in said
    for silence in ("Others may find more", "not their weights", "filters answers", "the model from before"):
        assert silence in said
    assert "weighted by the sensitivity" in swap_words.silences({"weighted": True})[1]


def test_attacks_are_read_worst_first_and_gaps_last():
    rows = swap_readings.attacks(
        {
            "attacks": [
                {"name": "a", "advantage": 0.1},
                {"name": "b"},
                7,
                {"name": "c", "advantage": -0.4, "interval": [-0.5, -0.3]},
            ]
        }
    )
    assert [row.name for row in rows] == ["c", "a", "b"]
    assert [row.told_apart for row in rows] == [True, False, False]
    assert rows[2].title == "b"
    assert rows[2].do_nothing == readings.NOTHING


def test_why_an_ic_score_is_missing_is_said(passed):
    missing = with_details(passed, ic_score=None, ic_score_retrained=None, ic_why="two classes only")
    named = {row.name: row.meaning for row in swap_readings.measures(missing)}
    assert named["IC score"] == "Not measured: two classes only"
    assert "IC score of retraining" not in named
    assert {"Plug-in Q", "MIA score", "p, sign flips"} <= set(named)


@given(st.floats(0, 20), st.floats(0, 20), st.booleans())
def test_a_statement_is_refuted_just_where_a_lower_end_that_decides_exceeds_it(upper, lower, decides):
    held = [examples.lower_end("a", "attack", lower, decides=decides), examples.lower_end("b", "other", upper / 2)]
    details = {"comparisons": [{"against": "x", "epsilon": upper, "delta": 0.0, "compared": True, "why": None, "lower": held}]}
    (comparison,) = epsilon_readings.comparisons(details)
    assert comparison.refuted is (decides and lower > upper)
    assert len(epsilon_readings.refutations(details)) == comparison.refuted


def test_a_statement_that_was_not_compared_is_never_refuted():
    held = [examples.lower_end("a", "attack", 9.0)]
    for entry in (
        {"epsilon": 1.0, "compared": False, "why": "another promise", "lower": held},
        {"epsilon": None, "compared": True, "lower": held},
        {"epsilon": 1.0, "compared": True, "lower": []},
        {"epsilon": 1.0, "compared": True, "lower": [{"epsilon": None}, "x"]},
    ):
        (comparison,) = epsilon_readings.comparisons({"comparisons": [entry]})
        assert not comparison.refuted
        assert not comparison.compared
        assert comparison.why
    assert (
        epsilon_readings.comparisons({"comparisons": [{"compared": False, "why": "another promise"}]})[0].why == "another promise"
    )


def test_a_reason_beside_both_ends_hides_no_refutation():
    held = [examples.lower_end("a", "attack", 9.0)]
    (comparison,) = epsilon_readings.comparisons({"comparisons": [{"epsilon": 1.0, "why": "?", "lower": held}]})
    assert comparison.refuted


def test_statements_that_fall_to_the_same_lower_end_share_a_sentence():
    (said,) = epsilon_readings.refutations(examples.failing().check("epsilon.consistency").details)
    assert said.startswith("Refuted: claimed (ε, δ)-certified removal: ε ≤ 1 at δ = 0.0001; certified removal by budget: ε ≤ 1")
    assert said.endswith("Whole-set adversary shows ε of at least 2.38 with 98.3\u00a0% confidence.")
    assert epsilon_readings.refutations(examples.passing().check("epsilon.consistency").details) == ()


def test_the_words_never_overstate(passed):
    spoken = " ".join(
        [*swap_words.silences({}), text("swap-over-unlearned"), swap_words.power({}), swap_words.finding(passed)]
    ).lower()
    for banned in ("compliant", "anonymous", "proves", "guarantee"):
        assert banned not in spoken


@pytest.mark.parametrize("value", [None, True, "1", math.nan, math.inf, [0.1], [0.2, 0.1], [0.1, None], [0.1, math.inf], {}])
def test_what_is_no_interval_is_read_as_none(value):
    assert readings.ends(value) is None
    assert readings.estimate(value, "quality") == readings.NOTHING
