"""What a promise is worth: each threshold from which a criterion promises nothing has a test that owns it."""

from __future__ import annotations

import math
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from auditor.base.domain import Message, Status
from auditor.base.promises import Approximate, SubsampledGaussian
from auditor.maths.certificates.gaussian import delta as gaussian_delta
from auditor.maths.tradeoff import reading
from auditor.maths.tradeoff.promises import removal_budget
from auditor.pages.words import sentence
from auditor.verdict.checks import guess_bounds
from judging import declared

P, F, N = Status.PASS, Status.FAIL, Status.INCONCLUSIVE


def of_numbers(epsilon: float, delta: float) -> float:
    return reading.right_guesses(Approximate(epsilon=epsilon, delta=delta))


def codes(found: tuple[Message, ...]) -> set[str]:
    return {each.code for each in found}


@pytest.mark.parametrize(
    ("epsilon", "delta", "share"), [(0.0, 0.0, 0.5), (math.log(3), 0.0, 0.75), (0.0, 1.0, 1.0), (0.0, 0.5, 0.75)]
)
def test_right_guesses_are_what_the_formula_gives(epsilon: float, delta: float, share: float) -> None:
    assert of_numbers(epsilon, delta) == pytest.approx(share, rel=1e-12)


@given(mu=st.floats(0.01, 3.0), epsilon=st.floats(0.0, 4.0))
def test_right_guesses_bound_what_the_best_test_of_a_gaussian_shift_reaches(mu: float, epsilon: float) -> None:
    # The best adversary between N(0, 1) and N(mu, 1) is right with chance Phi(mu/2).
    reached = 0.5 * (1 + math.erf(mu / 2 / math.sqrt(2)))
    assert of_numbers(epsilon, gaussian_delta(epsilon, mu)) >= reached - 1e-12


@given(epsilon=st.floats(0.0, 1e4), more=st.floats(0.0, 1e4), delta=st.floats(0.0, 1.0), further=st.floats(0.0, 1.0))
def test_right_guesses_grow_with_epsilon_and_delta(epsilon: float, more: float, delta: float, further: float) -> None:
    least = of_numbers(epsilon, delta)
    assert 0.5 <= least <= of_numbers(epsilon + more, max(delta, further)) * (1 + 1e-12) <= 1 + 1e-12


@pytest.mark.parametrize(
    ("most", "epsilon"), [(guess_bounds.MOST_OF_A_DELETION, math.log(9)), (guess_bounds.MOST_OF_A_RECORD, math.log(99))]
)
def test_a_share_from_the_limit_on_promises_nothing(most: float, epsilon: float) -> None:
    assert codes(guess_bounds.empty(epsilon, 0.0, records=100, most=most)) == {"promise.guesses"}
    assert guess_bounds.empty(epsilon - 1e-9, 0.0, records=100, most=most) == ()


def test_what_a_mechanism_promises_beyond_an_epsilon_counts() -> None:
    stated = (4.0, 1e-5)
    budget = removal_budget(*stated)
    (reason,) = guess_bounds.empty(*stated, records=100, most=guess_bounds.MOST_OF_A_DELETION)
    assert reason.parameters["share"] > 0.98
    assert guess_bounds.empty(*stated, records=100, most=guess_bounds.MOST_OF_A_DELETION, beyond=budget) == ()
    (reason,) = guess_bounds.empty(*stated, records=100, most=0.65, beyond=budget)
    assert reason.parameters["share"] == reading.right_guesses(budget) < 0.8
    (reason,) = guess_bounds.empty(4.0, 0.01, records=100, most=0.9, beyond=budget)
    assert reason.code == "promise.delta", "what is declared is judged as it is declared"


def test_a_number_off_a_privacy_loss_distribution_decides_and_is_not_written() -> None:
    training = SubsampledGaussian(noise_multiplier=1.0, sample_rate=0.5, steps=40)
    assert 0.9 < reading.right_guesses(training) < 0.99
    assert guess_bounds.empty(20.0, 1e-5, records=100, most=0.99, beyond=training) == ()
    (reason,) = guess_bounds.empty(20.0, 1e-5, records=100, most=0.9, beyond=training)
    assert reason.parameters["share"] == of_numbers(20.0, 1e-5)


def test_the_limits_are_those_of_the_method() -> None:
    assert (guess_bounds.MOST_OF_A_DELETION, guess_bounds.MOST_OF_A_RECORD) == (0.9, 0.99)


def advantage_of(share: float) -> float:
    """The advantage that leaves exactly so many right guesses, rounded up as they are."""
    advantage = 2 * share - 1 - 1e-13
    while guess_bounds.right_guesses_of(advantage) < share:
        advantage = math.nextafter(advantage, 1.0)
    assert guess_bounds.right_guesses_of(advantage) == share
    return advantage


def test_nine_in_ten_together_promise_nothing_to_the_last_digit() -> None:
    exactly = advantage_of(0.9)
    below = exactly
    while guess_bounds.right_guesses_of(below) == 0.9:
        below = math.nextafter(below, 0.0)

    def of(advantage: float) -> set[str]:
        return codes(guess_bounds.empty_together(advantage, records=3, order=2.0, epsilon=0.5))

    assert (of(exactly), of(below)) == ({"promise.together"}, set())


def test_nine_in_ten_at_an_order_promise_nothing_to_the_last_digit() -> None:
    """At order 2 the bound is the smaller of two: the ε at which it leaves 0.9, found by halving."""
    low, high = 0.0, 10.0
    while True:
        middle = (low + high) / 2
        if middle in (low, high):
            break
        low, high = (low, middle) if guess_bounds.right_guesses_renyi(2.0, middle) >= 0.9 else (middle, high)
    assert guess_bounds.right_guesses_renyi(2.0, high) == 0.9
    assert codes(guess_bounds.empty_renyi(2.0, high)) == {"promise.renyi"}
    assert guess_bounds.empty_renyi(2.0, low) == ()


def test_right_guesses_are_rounded_up() -> None:
    """Never below the exact value, for numbers that floats hold: of an advantage of three quarters, seven eighths."""
    assert guess_bounds.right_guesses_of(0.75) == 0.875
    assert guess_bounds.right_guesses_of(1 / 3) > (1 + Fraction(1, 3)) / 2
    assert of_numbers(0.0, 0.0) == 0.5
    assert guess_bounds.right_guesses_of(1.0) == 1.0


@pytest.mark.parametrize(
    ("delta", "found"), [(0.01, {"promise.delta"}), (0.0099999, set()), (0.99, {"promise.delta", "promise.guesses"})]
)
def test_a_delta_of_one_record_in_all_promises_nothing(delta: float, found: set[str]) -> None:
    assert codes(guess_bounds.empty(0.1, delta, records=100, most=guess_bounds.MOST_OF_A_DELETION)) == found


@pytest.mark.parametrize("order", [1.1, 2.0, 8.0])
def test_a_renyi_epsilon_promises_nothing_from_0_32_on(order: float) -> None:
    # sqrt(2 * 0.32) = 0.8, and 90 of 100 guesses are right.
    assert codes(guess_bounds.empty_renyi(order, 0.32)) == {"promise.renyi"}
    assert guess_bounds.empty_renyi(order, 0.3199) == ()


def test_a_large_order_says_more_than_pinsker_s_inequality() -> None:
    assert guess_bounds.empty_renyi(50.0, 0.32) == ()
    assert guess_bounds.right_guesses_renyi(50.0, 0.32) < 0.9


@pytest.mark.parametrize(("bits", "found"), [(3, {"promise.seed"}), (95, {"promise.seed"}), (96, set())])
def test_noise_from_a_seed_that_can_be_tried_promises_nothing(bits: int, found: set[str]) -> None:
    assert codes(guess_bounds.guessable(declared(seed_bits=bits))) == found


def test_an_empty_promise_leaves_open_what_is_met_and_nothing_else() -> None:
    nothing = (Message("promise.seed", {"bits": 96}),)
    assert [guess_bounds.at_best_open(status, nothing) for status in (P, F, N)] == [N, F, N]
    assert [guess_bounds.at_best_open(status, ()) for status in (P, F, N)] == [P, F, N]


@pytest.mark.parametrize(("epsilon", "words"), [(2.5, "92.5 right"), (30.0, "just under 100 right"), (1000.0, "100 right")])
def test_the_words_never_round_a_share_up_to_all(epsilon: float, words: str) -> None:
    (reason,) = guess_bounds.empty(epsilon, 0.0, records=100, most=0.9)
    assert words in sentence(reason)
    assert "It promises nothing" in sentence(reason)
