"""The epsilon of private training against two accountants of others, the exact Gaussian, and digits of its own."""

from __future__ import annotations

import logging
import math
import warnings

import pytest
from absl import logging as log
from dp_accounting import GaussianDpEvent, PoissonSampledDpEvent, SelfComposedDpEvent
from dp_accounting.pld import PLDAccountant
from dp_accounting.rdp import RdpAccountant

from auditor.maths.certificates import derive, gaussian
from auditor.maths.certificates.calculator import parse_and_derive
from auditor.maths.certificates.dp_sgd import NOISE_STEP, STEP, epsilon, noise_multiplier, schedule

CASES = [(2.0, 0.05, 200, 1e-5), (1.0, 0.1, 100, 1e-5), (0.7, 0.02, 300, 1e-6), (4.0, 0.3, 50, 1e-4)]


def prv(noise: float, sample_rate: float, steps: int, delta: float) -> float:
    """Gopi, Lee and Wutschitz 2021, as Opacus has it: an upper bound within 0.01 of the tight value."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        from opacus.accountants import PRVAccountant  # noqa: PLC0415  (warns when it is imported)

        accountant = PRVAccountant()
        accountant.history = [(noise, sample_rate, steps)]
        return float(accountant.get_epsilon(delta))


def renyi(noise: float, sample_rate: float, steps: int, delta: float) -> float:
    """Mironov, Talwar and Zhang 2019, over the orders that dp_accounting takes by itself."""
    before = log.get_verbosity()
    log.set_verbosity(log.FATAL)
    step = PoissonSampledDpEvent(sample_rate, GaussianDpEvent(noise))
    found = float(RdpAccountant().compose(step, steps).get_epsilon(delta))
    log.set_verbosity(before)
    return found


@pytest.mark.parametrize("given", CASES)
def test_it_is_what_another_accountant_gives_and_no_more_than_renyi_divergences_do(
    given: tuple[float, float, int, float],
) -> None:
    noise, sample_rate, steps, delta = given
    found = epsilon(noise, sample_rate=sample_rate, steps=steps, delta=delta)
    other = prv(*given)
    assert other - 0.02 <= found <= other + STEP  # its error is 0.01 either way
    assert found <= renyi(*given) + STEP


@pytest.mark.parametrize(
    ("noise", "sample_rate", "steps"),
    [(1.0, 0.05, 60), (0.6, 0.2, 10), (4.0, 0.5, 500), (1.0, 1.0, 1), (0.5, 0.1, 200), (20.0, 0.01, 1000)],
)
def test_it_is_no_less_than_the_tight_value_and_little_more(noise: float, sample_rate: float, steps: int) -> None:
    accountant = PLDAccountant(value_discretization_interval=1e-4)
    accountant.compose(SelfComposedDpEvent(PoissonSampledDpEvent(sample_rate, GaussianDpEvent(noise)), steps))
    tight = accountant.get_epsilon(1e-5)
    found = epsilon(noise, sample_rate=sample_rate, steps=steps, delta=1e-5)
    assert tight - 1e-3 <= found <= tight + 0.02 * max(1.0, tight)


def test_next_to_no_noise_is_accounted_for_as_well() -> None:
    assert 1e6 < epsilon(1e-3, sample_rate=0.5, steps=10, delta=1e-5) < 1e9


@pytest.mark.parametrize(
    ("noise", "steps", "delta"), [(1.0, 1, 1e-5), (10.0, 100, 1e-5), (10.0, 1000, 1e-8), (0.5, 3, 1e-6), (30.0, 400, 1e-3)]
)
def test_without_sampling_it_is_the_exact_gaussian(noise: float, steps: int, delta: float) -> None:
    exact = gaussian.epsilon(delta, math.sqrt(steps) / noise)
    assert exact <= epsilon(noise, sample_rate=1.0, steps=steps, delta=delta) <= exact + 1e-3


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        # By this rule; the accountants above agree with their like.
        ((2.0, 0.05, 200, 1e-5), 1.5607),
        ((1.0, 0.05, 200, 1e-5), 4.766),
        ((1.0, 0.1, 1000, 1e-5), 25.2046),
    ],
)
def test_digits(given: tuple[float, float, int, float], expected: float) -> None:
    noise, sample_rate, steps, delta = given
    inputs = {"noise_multiplier": noise, "sample_rate": sample_rate, "steps": steps, "delta": delta}
    certificate = derive("dp-sgd", inputs)
    assert (certificate.epsilon, certificate.delta) == (expected, delta)
    assert certificate.outputs == {"epsilon": expected}


def test_the_noise_for_an_epsilon_is_the_smallest() -> None:
    certificate = parse_and_derive("dp-sgd", {"epsilon": "1", "sample-rate": "0.05", "steps": "200", "delta": "1e-5"})
    noise = certificate.outputs["noise_multiplier"]
    assert noise == 2.839
    assert epsilon(noise, sample_rate=0.05, steps=200, delta=1e-5) <= 1.0
    assert epsilon(noise - NOISE_STEP, sample_rate=0.05, steps=200, delta=1e-5) > 1.0
    assert certificate.epsilon == 1.0


def test_no_noise_is_enough_for_nothing() -> None:
    assert noise_multiplier(1e-9, sample_rate=1.0, steps=2**40, delta=1e-9) == math.inf


@pytest.mark.parametrize(
    "inputs",
    [
        {"noise_multiplier": 1e-200, "sample_rate": 0.1, "steps": 10, "delta": 1e-5},
        {"noise_multiplier": 1e300, "sample_rate": 1.0, "steps": 2**53, "delta": 1e-5},
        {"noise_multiplier": 1.0, "sample_rate": 1e-300, "steps": 1, "delta": 1e-300},
        {"noise_multiplier": 1e-3, "sample_rate": 1e-9, "steps": 5, "delta": 0.5},
        {"noise_multiplier": 1.0, "sample_rate": 1e-9, "steps": 2**53, "delta": 1e-6},
    ],
)
def test_extremes_come_to_a_bound_or_to_a_reason(inputs: dict[str, float]) -> None:
    certificate = derive("dp-sgd", inputs)
    assert all(condition.holds for condition in certificate.conditions)
    assert certificate.outputs.get("reason") if certificate.epsilon is None else certificate.epsilon > 0


def test_where_rounding_could_hide_delta_the_divergences_bound_alone() -> None:
    exact = gaussian.epsilon(1e-12, math.sqrt(1e4) / 100)
    assert exact < epsilon(100.0, sample_rate=1.0, steps=10_000, delta=1e-12) < 1.1 * exact


def test_the_schedule_counts_the_last_batch_of_an_epoch() -> None:
    assert schedule(300, batch=32, epochs=2) == (32 / 300, 20)
    assert schedule(20, batch=32, epochs=3) == (1.0, 3)


def test_the_accountants_say_nothing(capfd: pytest.CaptureFixture[str], caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.DEBUG):
        epsilon(1.0, sample_rate=0.1, steps=1000, delta=1e-5)
    assert caplog.records == []
    assert capfd.readouterr() == ("", "")
