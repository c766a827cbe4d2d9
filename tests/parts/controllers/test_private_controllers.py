"""Private controllers: what they answer, what they keep, what they refuse, and that what is seen of a counter is private."""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from typing import Any

import mpmath
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from auditor.base.errors import InputError
from auditor.base.histories import DELETE, ENVIRONMENT
from auditor.learning.sums import RefusedError, SquareRootSums, Sums, TreeSums
from auditor.maths.certificates import derive, gaussian, prefix_sums
from auditor.parts.controllers.learning import batch
from auditor.parts.controllers.learning.continual_model import noise_of_sums
from auditor.settings.controller import ControllerTable, controllers
from played_controllers import BROUGHT, VOCABULARIES

MECHANISMS = (TreeSums, SquareRootSums)
COUNTING = ("tree-counter", "square-root-counter")


class Impulses:
    """A tape whose draws are all zero but one, which is one: what comes of it is how far that draw reaches."""

    def __init__(self, only: int | None = None) -> None:
        self.drawn, self._only = 0, only

    def normal(self, _mean: float, _sigma: float, size: int | tuple[int, ...] | None = None) -> Any:
        first, self.drawn = self.drawn, self.drawn + int(np.prod(size or 1))
        drawn = np.array([float(number == self._only) for number in range(first, self.drawn)])
        return float(drawn[0]) if size is None else drawn.reshape(size)


def counter(make: Callable[..., Sums], horizon: int, tape: Any) -> Sums:
    return make(
        noise=noise_of_sums("tree" if make is TreeSums else "square-root", 1.0, 1e-6, horizon), horizon=horizon, tape=tape
    )


def numbers(held: Any) -> list[float]:
    kept = [held["open"], held["released"]]
    return [float(each) for part in kept for each in (part.values() if isinstance(part, dict) else part)]


def view(make: Callable[..., Sums], horizon: int, *, event: int | None, intrusion: int, only: int | None) -> list[float]:
    """Everything that is seen: every release, and the state before the tick of number `intrusion`."""
    tape = Impulses(only)
    running = counter(make, horizon, tape)
    seen: list[float] = []
    for step in range(horizon):
        if step == event:
            running.add(1.0)
        if step == intrusion:
            seen += numbers(running.held())
        seen.append(running.tick())
    if intrusion == horizon:
        seen += numbers(running.held())
    return seen


def apart(make: Callable[..., Sums], horizon: int, event: int, intrusion: int) -> float:
    """How many standard deviations the views with and without an event are apart, at unit noise; exact, for they are Gaussian."""
    tape = Impulses()
    running = counter(make, horizon, tape)
    for _ in range(horizon):
        running.tick()
    plain = np.array(view(make, horizon, event=None, intrusion=intrusion, only=None))
    assert not plain.any()
    draws = np.array([view(make, horizon, event=None, intrusion=intrusion, only=number) for number in range(tape.drawn)]).T
    moved = np.array(view(make, horizon, event=event, intrusion=intrusion, only=None))
    shift, residue, *_ = np.linalg.lstsq(draws, moved, rcond=None)
    assert np.allclose(draws @ shift, moved, atol=1e-9), "the view gives the event away without any noise"
    del residue
    return float(np.linalg.norm(shift))


@pytest.mark.parametrize("horizon", [1, 2, 3, 5, 7])
def test_no_view_of_the_tree_is_further_apart_than_its_bound(horizon: int) -> None:
    bound = math.sqrt(prefix_sums.levels(horizon))
    found = [apart(TreeSums, horizon, event, seen) for event in range(horizon) for seen in range(horizon + 1)]
    assert max(found) <= bound * (1 + 1e-9)
    assert min(found) > 0


@pytest.mark.parametrize("horizon", [1, 2, 3, 6])
def test_no_view_of_the_square_root_is_further_apart_than_its_bound(horizon: int) -> None:
    bound = math.sqrt(prefix_sums.root_sensitivity(horizon))
    found = [apart(SquareRootSums, horizon, event, seen) for event in range(horizon) for seen in range(horizon + 1)]
    assert max(found) <= bound * (1 + 1e-9)
    assert max(found) >= bound * (1 - 1e-6), "the first event reaches it"


class OneDraw(TreeSums):
    """A broken twin: what is released is what was kept, without noise of its own."""

    def tick(self) -> float:
        drawn, self._noise = self._noise, lambda: 0.0  # type: ignore[method-assign]
        try:
            return super().tick()
        finally:
            self._noise = drawn  # type: ignore[method-assign]


def test_one_draw_for_state_and_release_gives_the_event_away() -> None:
    with pytest.raises(AssertionError, match="gives the event away"):
        apart(OneDraw, 3, 1, 0)


@pytest.mark.parametrize("make", MECHANISMS)
@given(steps=st.lists(st.lists(st.floats(0, 1), max_size=3), min_size=1, max_size=20))
@settings(max_examples=40, deadline=None)
def test_without_noise_the_answers_are_the_sums(make: Callable[..., Sums], steps: list[list[float]]) -> None:
    running, total = counter(make, len(steps), Impulses()), 0.0
    for step in steps:
        for value in step:
            running.add(value)
            total += value
        assert running.tick() == pytest.approx(total, abs=1e-9)


@pytest.mark.parametrize("make", MECHANISMS)
def test_the_noise_is_as_large_as_the_rule_says(make: Callable[..., Sums]) -> None:
    horizon, tapes = 6, 600
    rule = "tree-counter" if make is TreeSums else "square-root-counter"
    certified = derive(rule, {"epsilon": 1.0, "delta": 1e-6, "horizon": horizon}).outputs
    sigma = certified["node_sigma"] if make is TreeSums else certified["noise_sigma"]
    first, kept, errors = [], [], []
    for seed in range(tapes):
        running = counter(make, horizon, np.random.Generator(np.random.PCG64(seed)))
        kept.append(numbers(running.held())[0])
        first.append(running.tick() - kept[-1])
        errors.append([running.tick() for _ in range(horizon - 1)])
    for drawn, expected in ((first, sigma), (kept, sigma)):
        assert 1e-4 < stats.chi2.cdf(np.square(drawn).sum() / expected**2, tapes) < 1 - 1e-4
    assert abs(np.corrcoef(first, kept)[0, 1]) < 4 / math.sqrt(tapes)
    assert np.std(errors, axis=0).max() <= certified["pan_private_release_sigma"] * 1.15


def test_the_squared_sensitivity_has_ten_digits() -> None:
    mpmath.mp.dps = 30
    for horizon in (1, 2, 3, 10, 1_000):
        exact = mpmath.fsum((mpmath.binomial(2 * k, k) / mpmath.mpf(4) ** k) ** 2 for k in range(horizon))
        found = prefix_sums.root_sensitivity(horizon)
        assert exact <= found <= exact * (1 + mpmath.mpf(10) ** -10)


@pytest.mark.parametrize(
    ("horizon", "sensitivity", "noise", "release"),
    [(1, 1.0, 4.2247, 4.2247), (1024, 1.8090202183, 7.6425295267, 13.8254904328)],
)
def test_the_rule_of_the_square_root_counter(horizon: int, sensitivity: float, noise: float, release: float) -> None:
    found = derive("square-root-counter", {"epsilon": 1.0, "delta": 1e-6, "horizon": horizon}).outputs
    mu = gaussian.mu(1.0, 1e-6)
    assert found["sensitivity"] == pytest.approx(sensitivity, rel=1e-9)
    assert found["noise_sigma"] == pytest.approx(found["sensitivity"] / mu, rel=1e-9)
    assert found["release_sigma"] == pytest.approx(found["sensitivity"] ** 2 / mu, rel=1e-9)
    assert found["pan_private_release_sigma"] == pytest.approx(math.sqrt(2) * found["release_sigma"], rel=1e-9)
    assert found["noise_sigma"] == pytest.approx(noise, rel=1e-4)
    assert found["release_sigma"] == pytest.approx(release, rel=1e-4)


def test_at_a_thousand_ticks_it_needs_a_third_of_the_noise_of_the_tree() -> None:
    inputs = {"epsilon": 1.0, "delta": 1e-6, "horizon": 1024}
    tree, root = (derive(rule, inputs).outputs["release_sigma"] for rule in ("tree-counter", "square-root-counter"))
    assert tree / root == pytest.approx(3.3613, rel=1e-4)


@pytest.mark.parametrize("changes", [{"horizon": 0}, {"delta": 1.5}, {"epsilon": -1.0}])
def test_a_condition_that_fails_leaves_no_noise(changes: dict[str, float]) -> None:
    certificate = derive("square-root-counter", {"epsilon": 1.0, "delta": 1e-6, "horizon": 10} | changes)
    assert certificate.outputs["noise_sigma"] is None
    assert not all(condition.holds for condition in certificate.conditions)


@pytest.mark.parametrize("make", MECHANISMS)
def test_what_is_refused_changes_nothing_and_draws_nothing(make: Callable[..., Sums]) -> None:
    tape = Impulses()
    running = counter(make, 2, tape)
    running.tick()
    running.tick()
    before, drawn = running.held(), tape.drawn
    for call in (running.tick, lambda: running.add(1.0)):
        with pytest.raises(RefusedError, match="at most 2 ticks"):
            call()
        assert (running.held(), tape.drawn) == (before, drawn)


def test_the_tree_keeps_as_many_sums_as_its_horizon_has_bits() -> None:
    running = counter(TreeSums, 1_000, np.random.default_rng(0))
    for _ in range(1_000):
        running.tick()
        assert len(numbers(running.held())) <= 2 * prefix_sums.levels(1_000)


def started(name: str, **params: Any) -> Any:
    controller = BROUGHT[name](**params)
    controller.initialize(7)
    return controller


@pytest.mark.parametrize("name", COUNTING)
def test_only_the_first_operation_of_a_channel_counts_and_only_the_clock_is_answered(name: str) -> None:
    once, twice = started(name), started(name)
    assert once.activate("a", "add", None) is None
    assert [twice.activate("a", "add", None), twice.activate("a", "add", "0.5")] == [None, None]
    assert once.state() == twice.state()
    assert once.activate(ENVIRONMENT, "tick", None) == twice.activate(ENVIRONMENT, "tick", None)
    left = json.loads(once.state())["mechanism"]
    assert once.activate("a", DELETE, None) is None
    assert json.loads(once.state()) == {"mechanism": left, "spoke": []}


@pytest.mark.parametrize("name", COUNTING)
@pytest.mark.parametrize("argument", ["two", "2", "-1", "nan", "inf", ""])
def test_an_argument_out_of_range_is_refused_and_changes_no_byte(name: str, argument: str) -> None:
    controller = started(name)
    before = controller.state()
    assert controller.activate("a", "add", argument).startswith("refused: expected a")
    assert controller.state() == before
    assert controller.activate("a", "add", "0.25") is None
    assert controller.state() != before


@pytest.mark.parametrize("name", COUNTING)
def test_every_bit_of_the_tape_counts(name: str) -> None:
    states = set()
    for seed in (7, 7 + 2**32, 7 + 2**64, 7 + 2**90):
        controller = BROUGHT[name]()
        controller.initialize(seed)
        states.add(controller.state())
    assert len(states) == 4


def test_a_public_directory_answers_from_its_entries_and_counts_its_readers() -> None:
    directory, plain = started("public-directory", epsilon=1e-3), started("public-directory", epsilon=1e-3)
    for each in (directory, plain):
        assert each.activate("channel of ann", "set", "Ann 12 Example Street") is None
    assert directory.activate("bo", "get", "Ann") == "Ann 12 Example Street"
    assert directory.activate("bo", "get", "Cy") is None
    assert directory.activate("bo", "get", "An") is None
    directory.activate("another", "set", "Ann 34")
    assert directory.activate("bo", "get", "Ann") == "Ann 12 Example Street\nAnn 34"
    directory.activate("another", DELETE, None)
    counted = float(directory.activate(ENVIRONMENT, "getCount", None)) - float(plain.activate(ENVIRONMENT, "getCount", None))
    assert counted == pytest.approx(1.0, abs=1e-6)
    assert directory.activate("channel of ann", DELETE, None) is None
    assert directory.activate("bo", "get", "Ann") is None
    assert json.loads(directory.state())[0]["spoke"] == ["bo"]
    assert json.loads(directory.state())[1] == {}


@pytest.mark.parametrize("name", ["batch-count", "batch-model"])
def test_a_batch_answers_nothing_before_its_tick_and_keeps_nothing_after_it(name: str) -> None:
    controller = started(name)
    for channel, argument in (("a", "0.5,-1,1"), ("b", "-0.2,0.7,-1"), ("a", "0.1,0.1,1")):
        assert controller.activate(channel, "add", argument) is None
    controller.activate("c", "add", "1,1,1")
    controller.activate("c", DELETE, None)
    assert sorted(json.loads(controller.state())["records"]) == ["a", "b"]
    out = controller.activate(ENVIRONMENT, "tick", None)
    assert json.loads(controller.state()) == {"out": out, "records": None}
    before = controller.state()
    assert controller.activate("d", "add", "1,1,1") == out
    assert controller.activate(ENVIRONMENT, "tick", None).startswith("refused: expected one tick")
    assert controller.state() == before


def test_the_count_of_a_batch_has_the_law_of_its_promise() -> None:
    found = []
    for seed in range(2_000):
        controller = BROUGHT["batch-count"](epsilon=1.0)
        controller.initialize(seed)
        controller.activate("a", "add", None)
        found.append(int(controller.activate(ENVIRONMENT, "tick", None)) - 1)
    alpha = math.exp(-1.0)
    for value in (0, 1, -1, 2):
        expected = (1 - alpha) / (1 + alpha) * alpha ** abs(value)
        assert stats.binomtest(found.count(value), len(found), expected).pvalue > 1e-4


def test_a_record_moves_each_step_of_the_model_by_its_length_at_most() -> None:
    """Under one tape, two trainings differ in their first step by the clipped gradient of the record that is added."""

    class First(batch.BatchModel):
        pass

    weights = []
    for records in (["0.5,-1,1"], ["0.5,-1,1", "1e9,1e9,-1"]):
        controller = First()
        controller._sigma = 1.0
        controller.initialize(3)
        for number, record in enumerate(records):
            controller.activate(f"c{number}", "add", record)
        steps, batch._STEPS = batch._STEPS, 1  # type: ignore[misc]
        try:
            weights.append(np.array([float(each) for each in controller.activate(ENVIRONMENT, "tick", None).split(",")]))
        finally:
            batch._STEPS = steps  # type: ignore[misc]
    assert np.linalg.norm(weights[1] - weights[0]) <= batch._RATE * (1 + 1e-9)


@pytest.mark.parametrize("argument", ["", "1,2", "1,2,3", "a,b,1", "1,nan,1", "1,2,1,1"])
def test_a_record_of_another_form_is_refused(argument: str) -> None:
    controller = started("batch-model")
    before = controller.state()
    assert controller.activate("a", "add", argument).startswith("refused: expected 2 numbers and a label")
    assert controller.state() == before


def test_a_record_so_large_that_it_would_overflow_is_refused_and_the_largest_one_hides() -> None:
    """A NaN would pass through clipping and noise, and tell that its record is there."""
    controller = started("batch-model", features=8)
    controller.activate("a", "add", ",".join(["0.5"] * 8 + ["1"]))
    before = controller.state()
    assert controller.activate("b", "add", ",".join(["1e308"] * 8 + ["1"])).startswith("refused: expected numbers from")
    assert controller.state() == before
    assert controller.activate("b", "add", ",".join(["1e100"] * 8 + ["1"])) is None
    out = controller.activate(ENVIRONMENT, "tick", None)
    assert all(math.isfinite(float(each)) for each in out.split(","))


@pytest.mark.parametrize("epsilon", [0.0, 1e-25, math.nan])
def test_a_count_whose_noise_would_cancel_does_not_begin(epsilon: float) -> None:
    with pytest.raises(ValueError, match="epsilon: expected at least"):
        BROUGHT["batch-count"](epsilon=epsilon)


@pytest.mark.parametrize("name", VOCABULARIES)
def test_parameters_are_those_that_the_class_takes(name: str) -> None:
    model = controllers()[name].params
    usual = {} if model is None else model().model_dump()
    BROUGHT[name](**usual)
    assert ControllerTable.model_validate({"use": name, "params": usual}).params == usual


@pytest.mark.parametrize(
    ("name", "params"),
    [
        ("dictionary", {"epsilon": 1.0}),
        ("batch-count", {"epsilon": 1e-25}),
        ("tree-counter", {"epsilon": 0.0}),
        ("tree-counter", {"delta": 1.0}),
        ("tree-counter", {"horizon": 0}),
        ("square-root-counter", {"horizon": 10**6}),
        ("sqlite", {"journal": "memory"}),
        ("batch-model", {"features": 21}),
    ],
)
def test_parameters_out_of_range_are_refused_before_anything_runs(name: str, params: dict[str, Any]) -> None:
    with pytest.raises((InputError, ValueError), match=f"params of {name}"):
        ControllerTable.model_validate({"use": name, "params": params})
