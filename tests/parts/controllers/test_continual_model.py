"""A model under continual release: what it learns, that its sums are private, and that its broken twins fail by name."""

from __future__ import annotations

import itertools
import json
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import check_grad
from test_privacy_continual import PROMISED, derived, judged, player, seen, whole
from test_private_controllers import Impulses

from auditor.base.domain import Status
from auditor.base.histories import DELETE, ENVIRONMENT
from auditor.learning import sums
from auditor.learning.sums import SquareRootSums, TreeSums
from auditor.maths.certificates import prefix_sums
from auditor.parts.controllers.judging.privacy_continual import Derived, Observed, refuted_epsilon
from auditor.parts.controllers.learning import linear_records
from auditor.parts.controllers.learning.continual_model import ContinualModel, noise_of_sums, release_noise
from auditor.parts.controllers.observing.continual import observe
from auditor.parts.controllers.observing.games import pan_privacy
from benchmarks.in_process import InProcess
from played_controllers import BROUGHT, VOCABULARIES

USE = "continual-model"
NOISE = noise_of_sums("square-root", 1.0, 1e-6, 15)
FACTORISATIONS = tuple(sums.MECHANISMS)


def started(seed: int = 7, **params: Any) -> ContinualModel:
    made = ContinualModel(**(PROMISED | params))
    made.initialize(seed)
    return made


def noiseless(**params: Any) -> ContinualModel:
    made = ContinualModel(**(PROMISED | params))
    made._sums, made._spoke = made._mechanism(Impulses()), set()  # type: ignore[arg-type]
    return made


def weights(report: str | None) -> list[float]:
    assert report is not None
    return [float(each) for each in report.split(",")]


RECORDS = st.tuples(st.floats(-10, 10), st.floats(-10, 10), st.sampled_from([1.0, -1.0]))


@given(record=RECORDS, at=st.tuples(st.floats(-2, 2), st.floats(-2, 2)))
def test_a_gradient_is_that_of_the_logistic_loss_and_one_long_at_most(
    record: tuple[float, float, float], at: tuple[float, float]
) -> None:
    rows, point = np.array([record]), np.array(at)
    found = linear_records.gradients(rows, point)[0]
    assert np.linalg.norm(found) <= 1 + 1e-15
    margin = record[2] * (rows[0, :2] @ point)
    whole_gradient = -record[2] / (1 + np.exp(margin)) * rows[0, :2]
    length = max(1.0, float(np.linalg.norm(whole_gradient)))
    assert found == pytest.approx(whole_gradient / length, abs=1e-12)
    if length == 1.0 and abs(margin) < 30:
        off = check_grad(
            lambda w: np.logaddexp(0.0, -record[2] * (rows[0, :2] @ w)), lambda w: linear_records.gradients(rows, w)[0], point
        )
        assert off < 1e-5


@pytest.mark.parametrize("factorisation", FACTORISATIONS)
@given(steps=st.lists(st.lists(RECORDS, max_size=3), min_size=1, max_size=12))
@settings(max_examples=30, deadline=None)
def test_without_noise_it_follows_the_regularised_leader(
    factorisation: str, steps: list[list[tuple[float, float, float]]]
) -> None:
    """The weights are minus the rate times the sum of gradients, each at the weights that were released before it."""
    made, numbers = noiseless(factorisation=factorisation, rate=0.1), itertools.count()
    at, total = np.zeros(2), np.zeros(2)
    for step in steps:
        for record in step:
            assert made.activate(f"p{next(numbers)}", "add", ",".join(map(repr, record))) is None
            total += linear_records.gradients(np.array([record]), at)[0]
        at = -0.1 * total
        assert weights(made.activate(ENVIRONMENT, "tick", None)) == pytest.approx(at, abs=1e-9)
        at = np.array(made.held()["weights"])


def test_only_the_first_record_of_a_person_is_learned_and_deleting_changes_no_sum() -> None:
    once, twice = started(), started()
    once.activate("a", "add", "1,2,1")
    twice.activate("a", "add", "1,2,1")
    assert twice.activate("a", "add", "5,5,-1") is None
    assert once.state() == twice.state()
    before = json.loads(once.state())
    assert once.activate("a", DELETE, None) is None
    assert json.loads(once.state()) == {**before, "spoke": []}


@pytest.mark.parametrize("argument", [None, "1,2", "1,2,0", "1,nan,1", "1,2,3,1", "1,2e200,1"])
def test_what_is_no_record_is_refused_and_changes_no_byte(argument: str | None) -> None:
    made = started()
    before = made.state()
    said = made.activate("a", "add", argument)
    assert said is not None
    assert said.startswith("refused: expected")
    assert made.state() == before


@pytest.mark.parametrize("features", [0, 21])
def test_it_does_not_begin_with_too_many_features(features: int) -> None:
    with pytest.raises(ValueError, match="expected 1 to 20"):
        ContinualModel(features=features)


@pytest.mark.parametrize("factorisation", FACTORISATIONS)
def test_a_release_has_the_noise_that_the_step_length_is_made_for(factorisation: str) -> None:
    """At the tick with the most noise: the last one of the square root, and one less than a power of two of the tree."""
    made = [started(seed, factorisation=factorisation, rate=1.0) for seed in range(300)]
    last = [[weights(each.activate(ENVIRONMENT, "tick", None)) for _ in range(15)][-1] for each in made]
    expected = release_noise(factorisation, 1.0, 1e-6, 15)
    assert np.std(last) == pytest.approx(expected, rel=0.1)


# The sums, coordinate by coordinate, with what is added chosen by what was released


@pytest.mark.parametrize("make", [TreeSums, SquareRootSums])
@given(event=st.integers(0, 6), intrusion=st.integers(0, 7), angle=st.floats(0, 6.28), bend=st.floats(-3, 3))
@settings(max_examples=60, deadline=None)
def test_no_view_is_further_apart_than_its_bound_even_where_later_values_follow_the_releases(
    make: Any, event: int, intrusion: int, angle: float, bend: float
) -> None:
    """The density of one view at two streams differs by a shift of the noise, whose length is what the rule bounds.

    Later values are a function of the releases. Both worlds are held to the same view, so that these values are the same in both,
    and what is left of the difference is the one event.
    """
    horizon = 7
    value = np.array([np.cos(angle), np.sin(angle)])

    def view(with_event: bool, only: int | None, given: list[Any] | None) -> tuple[list[Any], list[Any], int]:
        tape = Impulses(only)
        running = make(noise=1.0, horizon=horizon, tape=tape, size=2)
        seen_so_far: list[Any] = []
        releases: list[Any] = []
        for step in range(horizon):
            if releases:
                heard = releases[-1] if given is None else given[len(releases) - 1]
                running.add(0.3 * np.sin(bend * np.asarray(heard)))
            if with_event and step == event:
                running.add(value)
            if step == intrusion:
                held = running.held()
                seen_so_far += [
                    np.ravel(list(part.values()) if isinstance(part, dict) else part) for part in (held["open"], held["released"])
                ]
            releases.append(running.tick())
            seen_so_far.append(np.ravel(releases[-1]))
        return [np.concatenate(seen_so_far)], releases, tape.drawn

    (without,), heard, drawn = view(False, None, None)
    (plain,), _, _ = view(False, None, heard)
    assert plain == pytest.approx(without)
    columns = [view(False, only, heard)[0][0] - plain for only in range(drawn)]
    moved = view(True, None, heard)[0][0] - plain
    shift, *_ = np.linalg.lstsq(np.array(columns).T, moved, rcond=None)
    assert np.array(columns).T @ shift == pytest.approx(moved, abs=1e-9), "the view gives the event away without any noise"
    bound = prefix_sums.levels(horizon) if make is TreeSums else prefix_sums.root_sensitivity(horizon)
    assert np.linalg.norm(shift) <= np.sqrt(bound) * (1 + 1e-9)


# `privacy.continual`


@pytest.mark.parametrize("factorisation", FACTORISATIONS)
@pytest.mark.parametrize("features", [1, 3])
def test_an_honest_model_passes_and_promises_what_is_declared(factorisation: str, features: int) -> None:
    params = {**PROMISED, "factorisation": factorisation, "features": features}
    with player(lambda: ContinualModel(**params)) as one:
        finding = judged(observe(one, USE, params, seed=1, quick=False), controller=whole(USE, params=params))
    assert finding.status is Status.PASS
    assert finding.value == pytest.approx(1.0, rel=1e-6)
    assert finding.value is not None
    assert finding.value <= 1.0


def test_it_supports_confidentiality_and_control_if_its_noise_is_secret() -> None:
    found = derived(USE, secret=True)
    assert found["deletion-as-control"] == ("supported", pytest.approx(1.0))
    assert found["deletion-as-confidentiality"] == ("supported", pytest.approx(1.0))
    assert {status for status, _ in derived(USE, secret=False).values()} == {"not-shown"}


class Twin(ContinualModel):
    """A model that is handed in as ours and is broken."""

    def __init__(self, **given: Any) -> None:
        super().__init__(**(PROMISED | given))


class OneDrawSums(SquareRootSums):
    def tick(self) -> Any:
        drawn, self._tape = self._tape, Impulses()  # type: ignore[assignment]
        try:
            return super().tick()
        finally:
            self._tape = drawn


class OneDraw(Twin):
    def _mechanism(self, part: np.random.Generator) -> Any:
        super()._mechanism(part)
        return OneDrawSums(noise=NOISE, horizon=15, tape=part, size=2)


class NoClipping(Twin):
    """A record moves the sums as far as it likes."""

    def _value(self, argument: str | None) -> Any:
        row = np.array(linear_records.read(argument, 2))
        return -row[-1] / (1 + np.exp(row[-1] * (row[:-1] @ self._weights))) * row[:-1]


class Momentum(Twin):
    """The last gradient is kept as it is, and moves the weights once more."""

    def _mechanism(self, part: np.random.Generator) -> Any:
        self._last = np.zeros(2)
        return super()._mechanism(part)

    def _value(self, argument: str | None) -> Any:
        self._last = super()._value(argument)
        return self._last

    def _report(self, total: Any) -> str:
        return super()._report(np.asarray(total) + 0.9 * self._last)

    def held(self) -> dict[str, object]:
        return {**super().held(), "momentum": self._last.tolist()}


class LateSums(SquareRootSums):
    """Sums are kept as they are: noise comes when one is released, all of it."""

    def __init__(self, **given: Any) -> None:
        super().__init__(**given)
        self._open = np.zeros_like(self._open)
        self._sigma *= 2**0.5


class LateNoise(Twin):
    def _mechanism(self, part: np.random.Generator) -> Any:
        super()._mechanism(part)
        return LateSums(noise=NOISE, horizon=15, tape=part, size=2)


class Unreleased(Twin):
    """Gradients at weights that nobody has been told: what a person moved reaches the sums through the next one again."""

    def _value(self, argument: str | None) -> Any:
        released, self._weights = self._weights, -self._rate * np.asarray(self._sums.held()["open"])[0]
        try:
            return super()._value(argument)
        finally:
            self._weights = released


class SecondEpoch(Twin):
    """Every record is learned twice."""

    def activate(self, channel: str, operation: str, argument: str | None) -> str | None:
        if operation == "add" and channel not in self._spoke:
            self._sums.add(self._value(argument))
        return super().activate(channel, operation, argument)


@pytest.mark.parametrize(
    ("twin", "names"),
    [
        (OneDraw, {"release-noise"}),
        (NoClipping, {"sensitivity", "data-dependent"}),
        (Momentum, {"data-dependent"}),
        (LateNoise, {"state-noise"}),
        (Unreleased, {"data-dependent"}),
        (SecondEpoch, {"sensitivity", "data-dependent"}),
    ],
)
def test_every_broken_twin_fails_by_name(twin: type[Twin], names: set[str]) -> None:
    finding = judged(seen(twin, USE), controller=whole(USE))
    assert finding.status is Status.FAIL
    assert isinstance(finding.derived, Derived)
    assert names <= set(finding.derived.broken)


def told(make: Any) -> Observed:
    return Observed(games=pan_privacy.play(InProcess(make), VOCABULARIES[USE], seed=3))


@pytest.mark.parametrize("twin", [OneDraw, Momentum, LateNoise])
def test_the_game_tells_a_person_from_nobody_where_a_twin_gives_them_away(twin: type[Twin]) -> None:
    assert refuted_epsilon(told(twin), PROMISED["delta"]) > PROMISED["epsilon"]


@pytest.mark.slow
@pytest.mark.parametrize("factorisation", FACTORISATIONS)
def test_no_adversary_refutes_an_honest_model(factorisation: str) -> None:
    found = told(lambda: BROUGHT[USE](**PROMISED, factorisation=factorisation))
    assert refuted_epsilon(found, PROMISED["delta"]) < PROMISED["epsilon"]
