"""The certificates of noisy gradient descent are rounded up, keep their digits far out, and solve the inequalities as printed."""

from __future__ import annotations

import math
from typing import Any

import mpmath
from hypothesis import example, given
from hypothesis import strategies as st

from auditor.base.domain import Certificate
from auditor.maths.certificates import derive
from auditor.maths.certificates.rounding import ceiling, exponential_ceiling, logarithm

powers = st.floats(-30, 30).map(lambda power: 10**power)
counts = st.one_of(st.integers(0, 100), st.integers(0, 10**6), st.integers(0, 2**53))


def above(found: float, truth: Any, relative: float) -> bool:
    """Whether a number is at least the truth, and hardly more; below the smallest number nothing is."""
    return bool(truth <= found <= truth * (1 + relative) + 1e-300)


@given(st.floats(-6, 6).map(lambda power: 1 + 10**power), powers, powers, powers, powers, st.integers(1, 2**53), counts)
def test_the_convex_rule(q: float, slope: float, l2: float, beta: float, sigma2: float, rows: int, steps: int) -> None:
    outputs = derive(
        "noisy-gd-convex",
        {"q": q, "lipschitz": slope, "l2": l2, "smoothness": beta, "sigma2": sigma2, "n": rows, "steps": steps},
    ).outputs
    with mpmath.workdps(80):
        order, bound, curve, more, noise = map(mpmath.mpf, (q, slope, l2, beta, sigma2))
        private = 4 * order * bound**2 / (curve * noise * mpmath.mpf(rows) ** 2)
        decay = steps * curve / (4 * (curve + more))
        assert above(outputs["epsilon_dp"], private, 1e-15)
        assert above(outputs["epsilon_dd"], private * mpmath.exp(-decay), 1e-13 * (1 + float(abs(mpmath.log(private)) + decay)))
        assert above(outputs["kappa"], (curve + more) / curve, 1e-15)
    assert outputs["epsilon_dd"] <= outputs["epsilon_dp"]


@given(
    *(powers, powers, powers, st.integers(1, 2**53), st.floats(-12, 0).map(lambda power: 10**power)),
    *(st.floats(0, 1), st.one_of(st.none(), counts), counts),
)
def test_the_tradeoff(
    slope: float, l2: float, sigma2: float, rows: int, share: float, bent: float, learning: int | None, unlearning: int
) -> None:
    """From steps that hardly bring models together to steps that bring them together at once."""
    rate = share / l2
    beta = bent * l2
    if math.isinf(rate) or rate * (l2 + beta) > 2:
        return
    given_ = {"lipschitz": slope, "l2": l2, "smoothness": beta, "sigma2": sigma2, "n": rows, "rate": rate, "steps": unlearning}
    certificate = derive("noisy-gd-gaussian", given_ if learning is None else {**given_, "learn_steps": learning})
    with mpmath.workdps(700):
        eta, lam = mpmath.mpf(rate), mpmath.mpf(l2)
        c = max(abs(1 - eta * lam), abs((1 - eta * lam) - eta * mpmath.mpf(beta)))
        apart = 2 * eta * mpmath.mpf(slope) / rows / mpmath.sqrt(2 * eta * mpmath.mpf(sigma2))
        if c > 1 or (c == 1 and learning is None):
            assert certificate.outputs["mu"] is None
            return
        if c == 1:
            return
        truth = apart * c**unlearning * mpmath.sqrt((1 + c) / (1 - c))
        if learning is not None and learning + unlearning > 0:
            truth *= (1 - c**learning) / mpmath.sqrt(1 - c ** (2 * (learning + unlearning)))
        elif learning is not None:
            truth = mpmath.mpf(0)
        far = 0 if truth == 0 else float(abs(mpmath.log(truth))) + unlearning * float(1 - c) * 2
        assert above(certificate.outputs["mu"], truth, 1e-13 * (30 + far))


NAMES = ("q", "sigma2", "bound_b", "lipschitz", "l2", "smoothness", "rate", "d", "n", "r", "learn_steps", "unlearn_steps")


@st.composite
def descents(draw: st.DrawFn) -> dict[str, Any]:
    """Settings near those that Theorem 5.2 covers, and some that it does not."""
    q, bound_b = draw(st.floats(1.05, 20)), draw(st.floats(1.05, 5))
    l2, smoothness, d, n = (
        draw(st.floats(0.05, 2)),
        draw(st.floats(0.1, 3)),
        draw(st.integers(1, 100)),
        draw(st.integers(10, 10**6)),
    )
    rate = draw(st.floats(0.001, 0.5)) * l2 / (64 * d * q * bound_b * (smoothness + l2) ** 2)
    unit = 2 * bound_b / (l2 * rate)
    learning, unlearning = (int(unit * draw(st.floats(0, 8))) for _ in range(2))
    rest = draw(st.floats(0.1, 10)), draw(st.floats(0.01, 2)), draw(st.integers(1, max(1, n // 20)))
    return dict(
        zip(NAMES, (q, rest[0], bound_b, rest[1], l2, smoothness, rate, d, n, rest[2], learning, unlearning), strict=True)
    )


def as_printed(given_: dict[str, Any], private: float, deletion: float) -> bool:
    """Whether every inequality of Theorem 5.2 holds as it is printed, with equations 18 and 19, in 60 digits."""
    with mpmath.workdps(60):
        q, s2, b, slope, lam, beta, eta, d, n, r, learning, unlearning = (mpmath.mpf(given_[name]) for name in NAMES)
        dp, dd, log_b, unit = mpmath.mpf(private), mpmath.mpf(deletion), mpmath.log(b), 2 * b / (lam * eta)
        return bool(
            0 < dd <= dp < d
            and s2 >= q * slope**2 / (dp * n**2) * eta * max(learning, unlearning)
            and eta <= lam * dd / (64 * d * q * b * (beta + lam) ** 2)
            and learning >= unit * mpmath.log(q * log_b / dd)
            and unlearning >= learning - unit * mpmath.log(log_b / (2 * (dd + r / n * log_b)))
        )


def holds(certificate: Certificate) -> bool:
    return all(condition.holds for condition in certificate.conditions)


@given(descents())
def test_the_nonconvex_rule_gives_the_smallest_epsilons_that_the_theorem_allows(given_: dict[str, Any]) -> None:
    certificate = derive("noisy-gd-nonconvex", given_)
    outputs = certificate.outputs
    if holds(certificate):
        private, deletion = outputs["epsilon_dp"], outputs["epsilon_dd"]
        assert as_printed(given_, private, deletion)
        assert not as_printed(given_, private, deletion * (1 - 1e-9))
        assert private == deletion or not as_printed(given_, private * (1 - 1e-9), deletion)
        return
    assert certificate.epsilon is None
    # Nothing else would have done: every pair that the theorem could mean, from tiny to d.
    for power in range(-60, 61):
        trial = given_["d"] * 10 ** (power / 10) * (1 - 1e-9)
        assert not as_printed(given_, max(trial, given_["d"] * (1 - 1e-9)), trial)


@given(descents())
def test_the_steps_that_it_asks_for_would_do(given_: dict[str, Any]) -> None:
    failed = [each for each in derive("noisy-gd-nonconvex", given_).conditions if not each.holds and "(19)" in each.name]
    if not failed:
        return
    words = failed[0].found.rpartition("; ")[2].split()
    assert words[1:] == ["unlearning", "steps", "would", "do"]
    steps = int(words[0])
    assert steps > given_["unlearn_steps"]
    for count, enough in ((steps, True), (steps - 1, False)):
        found = derive("noisy-gd-nonconvex", {**given_, "unlearn_steps": count}).conditions
        assert next(each for each in found if each.name == failed[0].name).holds is enough


@given(st.fractions(min_value=0), st.integers(-3000, 3000))
def test_a_ceiling_is_the_next_number(part: Any, power: int) -> None:
    exact = part * 2**power if power >= 0 else part / 2**-power
    found = ceiling(exact)
    if math.isinf(found):
        assert exact > 1.7e308
        return
    assert found >= exact
    assert found == 0 or math.nextafter(found, -math.inf) < exact
    if exact > 0:
        with mpmath.workdps(50):
            truth = mpmath.log(mpmath.mpf(exact.numerator) / exact.denominator)
            assert abs(logarithm(exact) - truth) <= 1e-15 * (1 + abs(truth))


@example([-334.0, -400.0])
@example([-1000.0])
@given(st.lists(st.floats(-400, 400), max_size=6))
def test_an_exponential_is_rounded_up(terms: list[float]) -> None:
    found = exponential_ceiling(*terms)
    with mpmath.workdps(60):
        truth = mpmath.exp(mpmath.fsum(map(mpmath.mpf, terms)))
        assert found >= truth
        assert math.isinf(found) or found <= truth * (1 + 1e-14 * (1 + len(terms) + sum(map(abs, terms)))) + 1e-300


@given(
    *(powers, powers, powers, st.integers(1, 2**53), st.floats(-12, 0).map(lambda power: 10**power)),
    *(st.floats(0, 1), st.one_of(st.none(), counts), counts, st.integers(1, 10**4)),
)
def test_the_tradeoff_of_mini_batches(
    slope: float,
    l2: float,
    sigma2: float,
    divisor: int,
    share: float,
    bent: float,
    learning: int | None,
    unlearning: int,
    batches: int,
) -> None:
    rate = share / l2
    beta = bent * l2
    if math.isinf(rate) or rate * (l2 + beta) > 2 or not unlearning:
        return
    loss = {"lipschitz": slope, "l2": l2, "smoothness": beta, "sigma2": sigma2, "rate": rate}
    given_ = {**loss, "batch": divisor, "batches": batches, "epochs": unlearning}
    certificate = derive("noisy-gd-batches", given_ if learning is None else {**given_, "learn_epochs": learning})
    with mpmath.workdps(120):
        eta, lam = mpmath.mpf(rate), mpmath.mpf(l2)
        c = max(abs(1 - eta * lam), abs((1 - eta * lam) - eta * mpmath.mpf(beta)))
        if c >= 1:
            assert (c == 1 and learning is not None) or certificate.outputs["mu"] is None
            return
        apart = eta * mpmath.mpf(slope) / divisor / mpmath.sqrt(2 * eta * mpmath.mpf(sigma2))
        after, epoch = unlearning * batches, c**batches
        truth = apart * c**after * mpmath.sqrt(1 - c**2) / (1 - epoch)
        if learning:
            truth *= (1 - epoch**learning) / mpmath.sqrt(1 - c ** (2 * ((learning - 1) * batches + 1 + after)))
        elif learning == 0:
            truth = mpmath.mpf(0)
        far = 0 if truth == 0 else float(abs(mpmath.log(truth))) + after * float(1 - c) * 2
        assert above(certificate.outputs["mu"], truth, 1e-13 * (40 + far))
