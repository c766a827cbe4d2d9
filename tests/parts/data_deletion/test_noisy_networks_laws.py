"""Networks under noisy gradient descent: per-record gradients, clips and caps, the paper's loop, and what is seen on the way."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch import nn

from auditor.base.records import Dataset
from auditor.learning import build
from auditor.learning.noisy_gd import torch_chains as on_torch
from auditor.learning.noisy_gd.chains import Machine, Records, run
from auditor.learning.noisy_gd.descent import Descent
from auditor.learning.noisy_gd.fields import LinearLoss, MeanGradient
from auditor.parts.data_deletion.learning.noisy_networks import DIRECTIONS
from auditor.parts.networks.learning.architectures import Mlp, SmallCnn

Floats = npt.NDArray[np.float64]
CLASSES, COLUMNS = 3, 4


class Curved(nn.Module):
    """A controller's own network, smooth and with layers that are no plain products of the input."""

    def __init__(self, width: int = 3) -> None:
        super().__init__()
        self.first, self.last = nn.Linear(COLUMNS, width), nn.Linear(width, CLASSES)

    def forward(self, rows: torch.Tensor) -> torch.Tensor:
        hidden = torch.tanh(self.first(rows))
        found: torch.Tensor = self.last(hidden * hidden + rows[:, :1])
        return found


class Frozen(Curved):
    """One that keeps a layer as it was drawn."""

    def __init__(self) -> None:
        super().__init__()
        self.first.requires_grad_(False)


NETWORKS: dict[str, dict[str, Any]] = {
    "linear": {"model": "mlp", "params": {"hidden": []}},
    "mlp": {"model": "mlp", "params": {"hidden": [5, 3]}},
    "own": {"module": Curved},
    "cnn": {"model": "small-cnn", "params": {"shape": [1, 2, 2], "channels": [2]}},
}


def made(name: str, **given_: Any) -> Any:
    base = {"l2": 0.1, "sigma2": 0.01, "learn_steps": 4, "unlearn_steps": 3, "rate": 0.2, "features": COLUMNS}
    return build("noisy-gd", {**base, "classes": list(range(CLASSES)), **NETWORKS[name], **given_})


def records(seed: int, n: int = 7) -> Dataset:
    rng = np.random.default_rng(seed)
    return Dataset(rng.normal(size=(n, COLUMNS)), rng.integers(CLASSES, size=n), np.arange(n).astype(str))


def module(name: str, parameters: Floats) -> nn.Module:
    """The network in float64 with these parameters, in PyTorch's own order."""
    found: nn.Module = {
        "linear": lambda: Mlp(COLUMNS, CLASSES, hidden=[]),
        "mlp": lambda: Mlp(COLUMNS, CLASSES, hidden=[5, 3]),
        "own": Curved,
        "cnn": lambda: SmallCnn(COLUMNS, CLASSES, shape=[1, 2, 2], channels=[2]),
    }[name]()
    found.double()
    nn.utils.vector_to_parameters(torch.from_numpy(parameters.copy()), found.parameters())
    return found


def record(name: str, parameters: Floats, row: Floats, label: int, cap: float | None) -> tuple[float, Floats]:
    """One record's loss and gradient by PyTorch's own backward pass, one record at a time."""
    network = module(name, parameters)
    loss = nn.functional.cross_entropy(network(torch.from_numpy(row[None])), torch.tensor([label]))
    if cap is not None:
        loss = cap * (1 - torch.exp(-loss / cap))
    gradients = torch.autograd.grad(loss, list(network.parameters()))
    return float(loss.detach()), torch.cat([each.flatten() for each in gradients]).numpy()


bounds = st.sampled_from([{}, {"clip": 0.05}, {"clip": 1.0}, {"loss_cap": 0.8}])


@pytest.mark.parametrize("name", NETWORKS)
@given(bounded=bounds, seed=st.integers(0, 10**6), scale=st.sampled_from([0.1, 2.0]))
@settings(max_examples=10)
def test_mean_gradients_are_those_of_the_records_one_by_one(name: str, bounded: Any, seed: int, scale: float) -> None:
    procedure, data = made(name, **bounded), records(seed)
    at = scale * np.random.default_rng(seed).normal(size=procedure.model.size)
    gradient = procedure.model.on(data)
    found = gradient(at)
    cap, clip = bounded.get("loss_cap"), bounded.get("clip", math.inf)
    each = [record(name, at, row, int(label), cap) for row, label in zip(data.features, data.labels, strict=True)]
    norms = [float(np.linalg.norm(own)) for _, own in each]
    mean = np.mean([own * min(1.0, clip / max(norm, 1e-300)) for (_, own), norm in zip(each, norms, strict=True)], axis=0)
    assert found == pytest.approx(mean, rel=1e-9, abs=1e-12)
    seen = gradient.seen(at, at, np.random.default_rng(0))
    assert seen["largest_gradient_norm"] == pytest.approx(max(norms), rel=1e-9, abs=1e-12)
    assert seen["largest_loss"] == pytest.approx(max(loss for loss, _ in each), rel=1e-9)
    assert seen["largest_row_norm"] == pytest.approx(np.linalg.norm(data.features, axis=1).max(), rel=1e-12)
    assert cap is None or seen["largest_loss"] <= cap
    assert np.linalg.norm(found) <= clip * (1 + 1e-12)


@pytest.mark.parametrize("name", ["mlp", "own"])
def test_mean_gradients_are_differences_of_the_mean_loss(name: str) -> None:
    procedure, data = made(name, loss_cap=1.2), records(3)
    at = np.random.default_rng(3).normal(size=procedure.model.size)

    def value(parameters: Floats) -> float:
        return float(np.mean([record(name, parameters, *pair, 1.2)[0] for pair in zip(data.features, data.labels, strict=True)]))

    differences = [(value(at + step) - value(at - step)) / 2e-6 for step in 1e-6 * np.eye(len(at))]
    assert procedure.model.on(data)(at) == pytest.approx(np.array(differences), abs=1e-7)


@pytest.mark.parametrize("name", NETWORKS)
@pytest.mark.parametrize("bounded", [{}, {"clip": 0.3}, {"loss_cap": 0.8}])
def test_learning_and_unlearning_are_the_papers(name: str, bounded: dict[str, float]) -> None:
    """Algorithm 2 once more, from N(0, sigma2/l2 I): Theorem 5.2 is meant."""
    procedure, data, seed = made(name, **bounded), records(5), 2**100 + 9

    def follow(at: Floats, kept: list[int], steps: int, rng: np.random.Generator) -> Floats:
        for _ in range(steps):
            total = np.zeros_like(at)
            for k in kept:
                _, own = record(name, at, data.features[k], int(data.labels[k]), bounded.get("loss_cap"))
                total += own * min(1.0, bounded.get("clip", math.inf) / float(np.linalg.norm(own)))
            noise = math.sqrt(2 * 0.2 * 0.01) * rng.standard_normal(len(at))
            at = at - 0.2 * (total / len(kept) + 0.1 * at) + noise
        return at

    rng = np.random.default_rng(seed)
    learned = follow(math.sqrt(0.01 / 0.1) * rng.standard_normal(procedure.model.size), list(range(7)), 4, rng)
    model = procedure.learn(data, seed)
    assert procedure.parameters(model) == pytest.approx(learned, rel=1e-9, abs=1e-11)
    expected = follow(learned, [0, 1, 3, 4, 6], 3, np.random.default_rng(seed + 1))
    after = procedure.unlearn(model, data, np.array([2, 5]), seed + 1)
    assert procedure.parameters(after) == pytest.approx(expected, rel=1e-9, abs=1e-11)
    logits = module(name, procedure.parameters(after))(torch.from_numpy(data.features))
    assert procedure.predict(after, data.features) == pytest.approx(torch.softmax(logits, 1).detach().numpy(), abs=1e-12)
    facts = procedure.facts(after)
    assert (facts["steps"], facts["noise_count"], facts["retrained"]) == (3, 3 * procedure.model.size, False)


@pytest.mark.parametrize("name", NETWORKS)
def test_the_same_seed_gives_the_same_bits_and_nothing_else_is_carried(name: str) -> None:
    data = records(1)
    procedure, fresh = made(name), made(name)
    model, again = procedure.learn(data, 8), fresh.learn(data, 8)
    assert procedure.state(model) == fresh.state(again)
    for seed in (1, 2):
        procedure.unlearn(model, data, np.array([0]), seed)
    one, other = (each.unlearn(own, data, np.array([0]), 3) for each, own in ((procedure, model), (fresh, again)))
    assert procedure.state(one) == fresh.state(other)


@given(seed=st.integers(0, 10**6))
@settings(max_examples=10)
def test_a_convex_network_passes_its_test_and_starts_as_theorem_five_one_asks(seed: int) -> None:
    procedure = made("linear", convex=True)
    assert procedure.descent.start_variance == pytest.approx(0.01 / (0.1 * (1 - 0.2 * 0.1 / 2)), rel=1e-12)
    facts = procedure.facts(procedure.learn(records(seed), seed))
    assert facts["least_curvature"] >= -1e-9
    assert facts["curvature_directions"] == DIRECTIONS


@pytest.mark.parametrize("name", ["mlp", "own"])
@pytest.mark.parametrize("bounded", [{}, {"loss_cap": 0.8}])
def test_a_network_that_is_not_convex_is_found_out(name: str, bounded: dict[str, float]) -> None:
    procedure = made(name, convex=True, **bounded)
    for seed in range(5):
        assert procedure.facts(procedure.learn(records(seed), seed))["least_curvature"] < -1e-4


def test_the_test_of_convexity_moves_no_noise() -> None:
    data = records(2)
    asked, other = made("linear", convex=True, rate=1e-9), made("linear", rate=1e-9)
    # The starts differ by their factor alone.
    factor = math.sqrt(asked.descent.start_variance / other.descent.start_variance)
    one, two = asked.parameters(asked.learn(data, 4)), other.parameters(other.learn(data, 4))
    assert one == pytest.approx(factor * two, rel=1e-6)


def test_a_network_that_freezes_a_parameter_is_refused() -> None:
    with pytest.raises(ValueError, match=r"trains every parameter, found first\.bias frozen or not used"):
        made("own", module=Frozen)


def test_data_that_a_network_cannot_learn_from() -> None:
    procedure, data = made("mlp"), records(0)
    with pytest.raises(ValueError, match="at least one record"):
        procedure.unlearn(procedure.learn(data, 1), data, np.arange(7), 2)
    odd = Dataset(data.features, data.labels + 1, data.ids)
    with pytest.raises(ValueError, match="found 3 too"):
        procedure.learn(odd, 1)


# Chains by PyTorch, which a GPU runs.


@pytest.mark.parametrize("loss", ["logistic", "softmax"])
@pytest.mark.parametrize("bounded", [{}, {"clip": 0.3}, {"cap": 1.5}])
@given(seed=st.integers(0, 10**6))
@settings(max_examples=10)
def test_chains_by_pytorch_follow_the_same_gradient(loss: Any, bounded: dict[str, float], seed: int) -> None:
    rng = np.random.default_rng(seed)
    followed = LinearLoss(loss, 2 if loss == "logistic" else 3, **bounded)
    features, labels = rng.normal(size=(9, 2)), rng.integers(followed.classes, size=9)
    start = 3 * rng.normal(size=(5, 2 * followed.outputs))
    # One step with next to no noise tells the gradient.
    step = Descent(1e-9, 1e-30, 1.0)
    found = on_torch.run_on("cpu", followed, features, labels, step, start, steps=1, rng=rng, dtype="float64")
    assert start - found == pytest.approx(MeanGradient(followed, features, labels)(start), abs=1e-6)


@pytest.mark.parametrize("dtype", ["float64", "float32"])
def test_chains_by_pytorch_have_the_law_of_the_theorem(dtype: Any) -> None:
    descent, rng = Descent(0.4, 0.3, 0.7), np.random.default_rng(4)
    start = math.sqrt(descent.start_variance) * rng.standard_normal((4000, 2))
    data = (np.zeros((2, 2)), np.array([0, 1]))
    found = on_torch.run_on("cpu", LinearLoss("logistic", 2), *data, descent, start, steps=5, rng=rng, dtype=dtype)
    assert np.mean(found**2) == pytest.approx(descent.start_variance, rel=5 * math.sqrt(2 / found.size))
    again = on_torch.run_on("cpu", LinearLoss("logistic", 2), *data, descent, start, steps=5, rng=rng, dtype=dtype)
    assert not np.any(found == again)


@pytest.mark.gpu
@pytest.mark.parametrize("name", NETWORKS)
def test_a_gpu_learns_what_the_cpu_learns_and_learns_it_again(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    found = {}
    for device in ("cpu", "cuda", "cuda"):
        monkeypatch.setenv("AUDITOR_DEVICE", device)
        procedure, data = made(name, clip=0.5), records(2)
        parameters = procedure.parameters(procedure.learn(data, 5))
        assert device == "cpu" or np.array_equal(parameters, found.setdefault(device, parameters))
        found[device] = parameters
    assert found["cuda"] == pytest.approx(found["cpu"], rel=1e-9, abs=1e-11)


@pytest.mark.gpu
@pytest.mark.parametrize("dtype", ["float64", "float32"])
@pytest.mark.parametrize("loss", ["logistic", "softmax"])
def test_chains_on_a_gpu_are_those_on_a_cpu(loss: Any, dtype: Any) -> None:
    """With next to no noise."""
    rng = np.random.default_rng(1)
    followed = LinearLoss(loss, 2 if loss == "logistic" else 3, clip=0.4)
    data = Records(rng.normal(size=(50, 3)), rng.integers(followed.classes, size=50))
    start = rng.normal(size=(300, 3 * followed.outputs))
    step = Descent(0.1, 1e-30, 0.3)
    one, other = (
        run(followed, data, step, start, steps=9, rng=rng, machine=Machine(dtype, device)) for device in ("cpu", "cuda")
    )
    assert one == pytest.approx(other, abs=1e-11 if dtype == "float64" else 1e-4)
