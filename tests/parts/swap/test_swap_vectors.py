"""Numbers of the SWAP test's statistics and rules: from the formulas page, and from mpmath with 40 digits and more."""

from __future__ import annotations

import numpy as np
import pytest

from auditor.maths.certificates import derive
from auditor.maths.statistics import advantages, named_sides_lower, quality, smallest_advantage
from auditor.parts.swap.rules import one_run, swap

TWELVE_DIGITS = 1e-11
TWO_ATTACKS = np.array([[0.30, 0.10, 0.25, 0.15, 0.20], [-0.02, 0.05, -0.01, 0.00, 0.03]])


@pytest.mark.parametrize(
    ("epsilon", "delta", "printed", "sharp"),
    [
        (1, 1e-5, 0.924245072177, 0.632127916417),
        (0.1, 0, 0.0999167499157600, 0.095162581964),
        (0.5, 1e-3, 0.4913474874826108, 0.3946824016067918),
        (1e-9, 1e-12, 1.001999999999e-9, 1.001999999498e-9),
        (2, 0.01, None, 0.867371422428),
    ],
)
def test_ceilings_of_a_certificate(epsilon: float, delta: float, printed: float | None, sharp: float) -> None:
    """SWAP test, Theorem 3.6, as printed (no information from ln(3 - 4 delta) on), and the sharp ceiling."""
    outputs = derive("swap", {"epsilon": epsilon, "delta": delta}).outputs
    assert outputs["sharp_advantage_bound"] == pytest.approx(sharp, rel=TWELVE_DIGITS)
    assert outputs["sharp_quality_bound"] == pytest.approx(1 - sharp, rel=TWELVE_DIGITS)
    if printed is None:
        assert (outputs["advantage_bound"], outputs["quality_bound"]) == (None, None)
        assert "ln(3 - 4 delta)" in outputs["reason"]
    else:
        assert outputs["advantage_bound"] == pytest.approx(printed, rel=TWELVE_DIGITS)
        assert outputs["quality_bound"] == pytest.approx(1 - printed, rel=TWELVE_DIGITS)


def test_floors_of_the_quality() -> None:
    """Q >= .900083250084 at (0.1, 0); far out the sharp floor keeps its digits."""
    assert derive("swap", {"epsilon": 0.1, "delta": 0}).outputs["quality_bound"] == pytest.approx(0.900083250084, rel=1e-12)
    assert swap.sharp_quality_bound(30, 1e-6) == pytest.approx(9.357604253594237e-14, rel=1e-13)


@pytest.mark.parametrize(
    ("found", "delta", "sharp", "printed", "mu", "gaussian"),
    [
        (0.5, 1e-5, 0.6931271803599426, 0.5108096236379893, 0.6744897501960817, 2.789946998931684),
        (0.9, 1e-4, 0.1051604956551592, 0.09989296422361288, 0.125661346855074, 0.356771637110404),
        (0.999999, 1e-9, 9.980004999983333e-7, 9.980000009980828e-7, 1.253314137315828e-6, 3.491621054289454e-6),
        (1e-20, 0.01, 46.03149915256339, 1.085189268335969, 9.33604484923406, 64.40894894738185),
        (0.07, 0.2, 2.148434413166787, 0.6884633312475189, 1.811910672952598, 2.372162178966412),
    ],
)
def test_a_quality_read_backward(found: float, delta: float, sharp: float, printed: float, mu: float, gaussian: float) -> None:
    """The inverses of the four ceilings; those in mu by bisection on erfc and on Balle and Wang 2018, Theorem 8."""
    outputs = derive("swap", {"quality": found, "delta": delta}).outputs
    expected = {
        "epsilon_lower": sharp,
        "paper_epsilon_lower": printed,
        "gaussian_mu_lower": mu,
        "gaussian_epsilon_lower": gaussian,
    }
    # Within 1e-14 absolutely where the result is small: the inputs themselves are doubles next to 1 there.
    assert outputs == pytest.approx(expected, rel=TWELVE_DIGITS, abs=2e-14)


@pytest.mark.parametrize(
    ("guesses", "correct", "alpha", "delta", "expected"),
    [
        (100, 70, 0.05, 0, 7.14980905109),
        (100, 70, 0.05, 1e-5, 7.14960903109),
        (100, 70, 0.05, 0.01, 6.92666549978),
        (100, 55, 0.05, 0, 0),
        (40, 40, 0.05, 0, 24.73015494884382),
        (2000, 1300, 0.01, 1e-6, 90.00568482247426),
        (3000, 2990, 0.05, 0.001, 2011.478011616907),
        (20_000, 10_400, 0.05, 1e-5, 15.64807252026484),
        (100_000, 50_800, 0.05, 1e-5, 12.36409601813106),
        (100_000, 70_000, 0.05, 1e-5, 8230.627420443844),
        (100_000, 100_000, 0.05, 1e-5, 69311.72212370097),
        (1_000_000, 512_345, 0.05, 1e-5, 305.9353279987537),
    ],
)
def test_one_run(guesses: int, correct: int, alpha: float, delta: float, expected: float) -> None:
    """ln((alpha - delta)/P[Bin(r, 1/2) >= v]), the tail as a sum of binomial coefficients."""
    outputs = derive("one-run", {"guesses": guesses, "correct": correct, "alpha": alpha, "delta": delta}).outputs
    assert outputs == {"epsilon_lower": pytest.approx(expected, rel=TWELVE_DIGITS)}
    assert one_run.epsilon_lower(guesses, correct, alpha=alpha, delta=delta) <= expected + 1e-12 * expected


def test_simultaneous_intervals_of_two_attacks() -> None:
    """t at 1 - 0.05/4 with 4 degrees of freedom is 3.495405932516438; every number below comes from mpmath."""
    first, second = advantages(TWO_ATTACKS, confidence=0.95, decisions=10**6, identical=False)
    assert (first.mean, first.deviation) == pytest.approx((0.2, 0.07905694150420948), rel=1e-13)
    assert (first.interval.low, first.interval.high) == pytest.approx((0.07641873810589696, 0.323581261894103), rel=1e-11)
    assert (second.mean, second.deviation) == pytest.approx((0.01, 0.0291547594742265), rel=1e-13)
    assert (second.interval.low, second.interval.high) == pytest.approx((-0.03557451752484154, 0.05557451752484154), rel=1e-11)
    found = quality((first, second))
    assert found.value == pytest.approx(0.8, rel=1e-14)
    assert (found.interval.low, found.interval.high) == pytest.approx((1 - 0.323581261894103, 1 - 0.07641873810589696), rel=1e-11)


def test_the_floor_is_the_rule_of_three() -> None:
    """-ln(0.05)/1000 and -ln(0.05/9)/1120: what so many decisions without an event exclude."""
    for attacks, decisions, expected in ((1, 1000, 0.002995732273553991), (9, 1120, 0.004636568616866259)):
        found = advantages(np.zeros((attacks, 4)), confidence=0.95, decisions=decisions, identical=False)
        assert [each.interval.high for each in found] == pytest.approx([expected] * attacks, rel=1e-13)
        assert [each.interval.low for each in found] == pytest.approx([-expected] * attacks, rel=1e-13)


@pytest.mark.parametrize(
    ("pairs", "decisions", "power", "expected"),
    [
        (TWO_ATTACKS, 10**12, 0.8, 0.1620673071912702),
        (TWO_ATTACKS, 60, 0.8, 0.1620915200465607),
        (TWO_ATTACKS[1:], 40, 0.8, 0.08587672974117666),
        (np.array([[0.11, 0.10]]), 100, 0.9, 0.104822367100498),
    ],
)
def test_smallest_advantage(pairs: np.ndarray, decisions: int, power: float, expected: float) -> None:
    """P[Z + shift > max(t S, floor)] = power, by adaptive quadrature over the density of S in mpmath and bisection."""
    found = smallest_advantage(pairs, confidence=0.95, decisions=decisions, power=power)
    assert found == pytest.approx(expected, rel=TWELVE_DIGITS)


@pytest.mark.parametrize(("right", "models", "alpha"), [(200, 200, 0.05), (130, 200, 0.05), (9, 10, 0.1)])
def test_sides_named_right(right: int, models: int, alpha: float) -> None:
    """2p - 1 where P[Bin(n, p) >= k] = alpha, by bisection on the sum of binomial terms with 40 digits."""
    expected = {200: 0.9702659215374559, 130: 0.181219716646415, 9: 0.3263045533865505}[right]
    assert named_sides_lower(right, models, alpha=alpha) == pytest.approx(expected, rel=1e-10)
