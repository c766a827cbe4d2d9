"""The procedure `ftrl`: every record is learned once, in a step that its id decides, with the declared noise; and its judge."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from auditor import case as cases
from auditor.base.domain import Provenance, Status
from auditor.base.errors import InputError
from auditor.base.promises import SubsampledGaussian
from auditor.base.records import Dataset
from auditor.maths.certificates import derive, gaussian
from auditor.maths.certificates.prefix_sums import Factorisation, squared_sensitivity
from auditor.maths.tradeoff.reading import epsilon_at
from auditor.parts.networks.judging.training_privacy import Derived, Observed, Told, judge
from auditor.parts.networks.learning import continual
from auditor.parts.networks.learning.making import make_continual
from auditor.parts.networks.settings import Ftrl
from auditor.settings.builtin import NoiseOfSums
from auditor.settings.tables import Claims, Policy, PrivacyClaim
from auditor.verdict.checks.context import Context
from judging import attesting, case_facts, declared
from network_cases import write_case
from small_cases import SECRET

FACTORISATIONS: tuple[Factorisation, ...] = ("tree", "square-root")
LOUD, SILENT = 3.0, 1e-12


def procedure(**changes: Any) -> Any:
    usual: dict[str, Any] = {
        "features": 3, "classes": [0, 1], "model": "mlp", "params": {"hidden": []}, "steps": 15, "rate": 0.5,
        "noise_multiplier": SILENT, "max_grad_norm": 0.7, "delta": 1e-5, "dtype": "float64",
    }  # fmt: skip
    return make_continual(**(usual | changes))


def records(count: int = 40, seed: int = 0) -> Dataset:
    drawing = np.random.default_rng(seed)
    features = drawing.normal(size=(count, 3)) * 2
    return Dataset(features, (features[:, 0] > 0).astype(np.int64), np.array([f"r{seed}-{k}" for k in range(count)]))


def by_hand(data: Dataset, first: Any, *, steps: int = 15, rate: float = 0.5, clip: float = 0.7) -> Any:
    """The last parameters without noise: record by record, softmax less the label times the row, clipped."""
    step_of = procedure(steps=steps)._stream.step_of(data.ids)
    total = np.zeros_like(first)
    for step in range(steps):
        at, gradient = first - rate * total, np.zeros_like(first)
        weights, biases = at[:6].reshape(2, 3), at[6:]
        for row in np.flatnonzero(step_of == step):
            logits = weights @ data.features[row] + biases
            slope = np.exp(logits - logits.max())
            slope = slope / slope.sum() - np.eye(2)[data.labels[row]]
            own = np.concatenate([np.outer(slope, data.features[row]).ravel(), slope])
            gradient += own * min(1.0, clip / np.linalg.norm(own))
        total += gradient
    return first - rate * total


@pytest.mark.parametrize("factorisation", FACTORISATIONS)
def test_without_noise_it_is_the_leader_that_follows_from_single_records(factorisation: Factorisation) -> None:
    data, made = records(), procedure(factorisation=factorisation)
    initial = made._network.flatten(made._network.initial([5]))[0].numpy()
    assert made.parameters(made.learn(data, 5)) == pytest.approx(by_hand(data, initial), abs=1e-8)


def test_the_order_of_records_changes_nothing_and_their_ids_decide() -> None:
    data, made = records(), procedure(noise_multiplier=LOUD)
    mixed = data.subset(np.random.default_rng(1).permutation(len(data)))
    assert made.parameters(made.learn(mixed, 5)) == pytest.approx(made.parameters(made.learn(data, 5)), abs=1e-9)
    stream = made._stream
    assert (stream.step_of(data.ids[::-1]) == stream.step_of(data.ids)[::-1]).all()
    assert len(set(stream.step_of(np.array([f"{k}" for k in range(2000)])).tolist())) == 15


@pytest.mark.parametrize("factorisation", FACTORISATIONS)
@given(seed=st.integers(0, 2**63), gone=st.integers(0, 39))
@settings(max_examples=25, deadline=None)
def test_a_record_moves_the_sum_of_its_own_step_by_its_clipped_gradient_alone(
    factorisation: Factorisation, seed: int, gone: int
) -> None:
    """Learned in the last step of all, it moves the release by the rate times the norm at most, whoever else is there."""
    data, made = records(), procedure(factorisation=factorisation, noise_multiplier=0.1)
    last = next(k for k in range(10**6) if made._stream.step_of(np.array([f"last-{k}"]))[0] == 14)
    ids = data.ids.astype("<U16")
    ids[gone] = f"last-{last}"
    with_it = Dataset(data.features, data.labels, ids)
    without = with_it.subset(np.delete(np.arange(40), gone))
    moved = made.parameters(made.learn(with_it, seed)) - made.parameters(made.learn(without, seed))
    assert 0 < np.linalg.norm(moved) <= 0.5 * 0.7 * (1 + 1e-9)


@pytest.mark.parametrize("factorisation", FACTORISATIONS)
def test_the_release_carries_the_noise_of_state_and_release(factorisation: Factorisation) -> None:
    data, made = records(1), procedure(factorisation=factorisation, noise_multiplier=LOUD, rate=1e-6)
    first = [made._network.flatten(made._network.initial([seed]))[0].numpy() for seed in range(150)]
    moved = [made.parameters(made.learn(data, seed)) - first[seed] for seed in range(150)]
    expected = 1e-6 * 0.7 * LOUD * math.sqrt(2 * squared_sensitivity(factorisation, 15))
    assert np.std(np.concatenate(moved)) == pytest.approx(expected, rel=0.08)


def test_a_deletion_leaves_the_model_and_what_is_said_of_it_as_they_were() -> None:
    data, made = records(), procedure(noise_multiplier=LOUD)
    model = made.learn(data, 5)
    after = made.unlearn(model, data, np.array([3]), 6)
    assert (made.parameters(after) == made.parameters(model)).all()
    assert made.facts(after).dp_steps == 15
    assert (made.facts(model).dp_noise_multiplier, made.facts(model).dp_sample_rate) == (LOUD, 1.0)


def test_sums_that_no_machine_holds_are_refused_with_the_way_out() -> None:
    with pytest.raises(ValueError, match=r'steps: expected at most \d+ for 8 parameters .*"tree" keeps 27'):
        procedure(steps=10**8)


def test_no_record_is_nothing_to_learn() -> None:
    with pytest.raises(ValueError, match="at least one record"):
        procedure().learn(records().subset(np.array([], dtype=np.int64)), 1)


class Recorded:
    """Sums that keep what is added, and release zeros."""

    def __init__(self, **given: Any) -> None:
        self.added = np.zeros(given["size"])
        RECORDED.append(self)

    def add(self, value: Any) -> None:
        assert value.dtype == np.float64
        self.added += value

    def tick(self) -> Any:
        return np.zeros_like(self.added)


RECORDED: list[Recorded] = []


def added(data: Dataset, monkeypatch: pytest.MonkeyPatch, **changes: Any) -> Any:
    """What a step of all records adds to the sums, in units of the clipping norm."""
    monkeypatch.setitem(continual.MECHANISMS, "square-root", Recorded)
    procedure(steps=1, **changes).learn(data, 5)
    return RECORDED[-1].added


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_among_many_records_one_moves_a_sum_by_no_more_than_its_length(dtype: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Summed in float32, one of 190,000 rows moves a sum by 1.01 of it, as the sums of the others are rounded."""
    data = records(190_000)
    whole = added(data, monkeypatch, dtype=dtype, max_grad_norm=0.01)
    for gone in range(10):
        without = added(data.subset(np.delete(np.arange(190_000), gone)), monkeypatch, dtype=dtype, max_grad_norm=0.01)
        assert np.linalg.norm(whole - without) <= 1 + 1e-10


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_a_gradient_whose_square_vanishes_is_clipped(dtype: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A row so sure of its label that its gradient is 1e-26 long: its square is 0 in float32, and so was its norm."""
    sure = Dataset(np.array([[60.0, 0.0, 0.0]]), np.array([0]), np.array(["sure"]))
    network = procedure(dtype=dtype)._network
    at = {name: torch.zeros_like(each) for name, each in network.initial([0]).items()}
    weight = next(name for name in at if name.endswith("weight"))
    at[weight][0, 0, 0] = 1.0
    monkeypatch.setattr(type(network), "initial", lambda _self, _seeds: at)
    for clip in (1e-30, 1e-6):
        assert np.linalg.norm(added(sure, monkeypatch, dtype=dtype, max_grad_norm=clip)) <= 1 + 1e-10


@pytest.mark.parametrize("norm", ["1e-7", "1e-200", "inf", "nan", "0.0"])
def test_a_clipping_norm_near_the_end_of_the_range_is_refused(tmp_path: Path, norm: str) -> None:
    write_case(tmp_path)
    with pytest.raises(InputError) as found:
        read(tmp_path, lines=LINES.replace("max_grad_norm = 1.0", f"max_grad_norm = {norm}"))
    assert "procedure.max_grad_norm" in [each.where for each in found.value.problems]


def test_a_network_of_convolutions_learns_from_a_stream() -> None:
    made = procedure(features=64, classes=list(range(10)), model="small-cnn", params={"shape": [1, 8, 8]}, dtype="float32")
    drawing = np.random.default_rng(0)
    data = Dataset(drawing.normal(size=(30, 64)), drawing.integers(0, 10, 30), np.array([f"r{at}" for at in range(30)]))
    one, other = (made.parameters(made.learn(each, 5)) for each in (data, data.subset(np.arange(1, 30))))
    assert np.linalg.norm(one - other) > 0


# What is declared


LINES = 'use = "ftrl"\nsteps = 15\nrate = 0.1\nnoise_multiplier = 6.0\nmax_grad_norm = 1.0\ndelta = 1e-5\n'


def read(folder: Path, more: str = "", *, lines: str = LINES) -> cases.Case:
    write_case(folder)
    text = (folder / "audit.toml").read_text(encoding="utf-8")
    before, after = text.index("[procedure]\n"), text.index("[deletions]")
    table = f'[procedure]\n{lines}seed = "{SECRET}"\n{more}'
    (folder / "audit.toml").write_text(text[:before] + table + text[after:], encoding="utf-8")
    return cases.read(folder)


def test_a_table_is_read_with_the_network_s_defaults(tmp_path: Path) -> None:
    found = read(tmp_path).settings.procedure
    assert isinstance(found, Ftrl)
    assert (found.model, found.params, found.unlearn) == ("mlp", {"hidden": [64]}, "none")
    assert not found.trains_again


@pytest.mark.parametrize(
    ("line", "key", "says"),
    [
        ("epochs = 3", "epochs", "a record is learned once"),
        ("batch = 3", "batch", "a record is learned once"),
        ("restarts = 3", "restarts", "a record is learned once"),
        ('unlearn = "retrain"', "unlearn", "training again would learn records twice"),
        ("dp = { noise_multiplier = 1.0 }", "dp", "next to it"),
        ('factorisation = "square"', "factorisation", "tree"),
        ("momentum = 0.9", "momentum", "momentum"),
    ],
)
def test_what_would_learn_a_record_again_is_refused_with_the_reason(tmp_path: Path, line: str, key: str, says: str) -> None:
    with pytest.raises(InputError) as found:
        read(tmp_path, f"{line}\n")
    assert [each.where for each in found.value.problems] == [f"procedure.{key}"]
    assert says in f"{found.value.problems[0].expected} {found.value.problems[0].found}"


# What is judged


def stream(**changes: Any) -> Ftrl:
    usual: dict[str, Any] = {"steps": 30, "rate": 0.1, "noise_multiplier": 6.0, "max_grad_norm": 1.0, "delta": 1e-5}
    return Ftrl(**(usual | {"seed": SECRET} | changes))


def context(own: Ftrl, **changes: Any) -> Context:
    claims = attesting("seed-secret", "subjects-complete", claims=Claims(dp=PrivacyClaim(epsilon=1.0, delta=1e-5)))
    case = case_facts(training_records=300, records_left=297)
    return declared(**{"procedure": own, "case": case, "claims": claims, **changes})


def told(own: Ftrl, **changes: Any) -> Observed:
    each = Told(noise_multiplier=own.noise_multiplier, sample_rate=1.0, steps=float(own.steps), delta=own.delta)
    each = each.model_copy(update=changes)
    return Observed(told=(each, each), left=(297,), records_per_person=1, subjects=True, labels_lost=False)


@given(noise=st.floats(0.5, 50), steps=st.integers(1, 400), factorisation=st.sampled_from(FACTORISATIONS))
@settings(max_examples=40, deadline=None)
def test_the_noise_costs_what_one_step_of_it_would(noise: float, steps: int, factorisation: Factorisation) -> None:
    own = stream(noise_multiplier=noise, steps=steps, factorisation=factorisation).noise_of_training(300)
    assert isinstance(own, NoiseOfSums)
    by_rule = derive(own.rule, own.inputs(1e-5)).epsilon
    exact = gaussian.epsilon(1e-5, math.sqrt(squared_sensitivity(factorisation, steps)) / noise)
    one_step = SubsampledGaussian(noise_multiplier=own.multiplier, sample_rate=own.sample_rate, steps=own.steps)
    assert by_rule is not None
    assert exact <= by_rule == pytest.approx(exact, rel=1e-6)
    assert epsilon_at(one_step, 1e-5) >= exact * (1 - 1e-9)


def test_it_passes_by_its_rule_and_supports_control_for_secret_noise() -> None:
    own = stream()
    finding = judge(context(own), told(own), {})
    assert (finding.status, finding.certificates[0].kind) == (Status.PASS, "ftrl-square-root")
    assert finding.value == pytest.approx(
        derive("ftrl-square-root", {"noise_multiplier": 6.0, "horizon": 30, "delta": 1e-5}).epsilon
    )
    assert isinstance(finding.derived, Derived)
    assert finding.derived.promise is not None
    assert [each.how for each in finding.facts] == [Provenance.ATTESTED]


@pytest.mark.parametrize("changes", [{"noise_multiplier": 5.0}, {"steps": 60.0}, {"sample_rate": 0.5}, {"delta": None}])
def test_a_rerun_that_says_otherwise_is_an_error(changes: dict[str, Any]) -> None:
    own = stream()
    assert judge(context(own), told(own, **changes), {}).status is Status.ERROR


def test_less_noise_or_a_stricter_policy_fails() -> None:
    for own, more in ((stream(noise_multiplier=3.0), {}), (stream(), {"policy": Policy(max_epsilon=0.5)})):
        assert judge(context(own, **more), told(own), {}).status is Status.FAIL


def test_several_records_of_one_person_cost_as_many_times_the_shift() -> None:
    own = stream()
    three = told(own).model_copy(update={"records_per_person": 3})
    finding = judge(context(own), three, {})
    assert isinstance(finding.derived, Derived)
    assert finding.derived.for_a_person is not None
    exact = gaussian.epsilon(1e-5, 3 * math.sqrt(squared_sensitivity("square-root", 30)) / 6.0)
    assert exact * (1 - 1e-9) <= finding.derived.for_a_person.epsilon
    assert finding.derived.for_a_person.epsilon == pytest.approx(exact, rel=0.05)
