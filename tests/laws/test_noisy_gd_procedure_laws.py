"""Noisy gradient descent does what Algorithm 2 and Definition 5.1 of Chourasia and Shah (2023) say, written here once more."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from auditor.base.records import Dataset
from auditor.learning import build
from auditor.learning.noisy_gd import chains
from auditor.learning.noisy_gd.chains import Machine, Records
from auditor.learning.noisy_gd.descent import Descent, descend
from auditor.learning.noisy_gd.fields import LinearLoss, MeanGradient
from auditor.maths.certificates.losses import constants

Floats = npt.NDArray[np.float64]
STEPS = {"learn_steps": 12, "unlearn_steps": 5}


def loss_of(loss: str, row: Floats, label: int, parameters: Floats, *, cap: float | None) -> float:
    """One record's loss, as the formulas have it."""
    if loss == "logistic":
        plain = math.log1p(math.exp(-(1 if label else -1) * float(parameters @ row)))
    else:
        logits = [float(each @ row) for each in parameters.reshape(-1, len(row))]
        plain = math.log(sum(math.exp(each) for each in logits)) - logits[label]
    return plain if cap is None else cap * (1 - math.exp(-plain / cap))


def record_gradient(loss: str, row: Floats, label: int, parameters: Floats, *, cap: float | None, clip: float | None) -> Floats:
    """One record's gradient, from the formulas, clipped as a whole."""
    if loss == "logistic":
        sign = 1 if label else -1
        gradient = -sign * row / (1 + math.exp(sign * float(parameters @ row)))
    else:
        matrix = parameters.reshape(-1, len(row))
        likely = np.exp(matrix @ row) / np.exp(matrix @ row).sum()
        gradient = np.outer(likely - np.eye(len(matrix))[label], row).ravel()
    if cap is not None:
        gradient = gradient * math.exp(-loss_of(loss, row, label, parameters, cap=None) / cap)
    norm = float(np.linalg.norm(gradient))
    return gradient * min(1.0, clip / norm) if clip is not None and norm > 0 else gradient


def noisy_gd(
    parameters: Floats, rows: Any, *, steps: int, given_: dict[str, Any], rate: float, rng: np.random.Generator
) -> Floats:
    """Algorithm 2, record by record."""
    for _ in range(steps):
        mean = np.zeros_like(parameters)
        for row, label in rows:
            mean += record_gradient(given_["loss"], row, label, parameters, cap=given_["loss_cap"], clip=given_["clip"])
        slope = mean / len(rows) + given_["l2"] * parameters
        noise = math.sqrt(2 * rate) * math.sqrt(given_["sigma2"]) * rng.standard_normal(len(parameters))
        parameters = parameters - rate * slope + noise
    return parameters


@st.composite
def cases(draw: st.DrawFn) -> tuple[dict[str, Any], Dataset, int]:
    """Settings, records and the number of classes."""
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    loss = draw(st.sampled_from(["logistic", "softmax"]))
    classes = 2 if loss == "logistic" else draw(st.integers(2, 4))
    n, d = draw(st.integers(3, 12)), draw(st.integers(1, 4))
    bounded = draw(st.sampled_from([{}, {"clip": 0.2}, {"clip": 0.7}, {"loss_cap": 1.5}]))
    rate = draw(st.sampled_from([0.05, 0.9])) if bounded.get("loss_cap") else draw(st.sampled_from(["theorem", 0.3]))
    given_ = {
        "loss": loss,
        "l2": draw(st.sampled_from([0.01, 0.3])),
        "sigma2": draw(st.sampled_from([1e-6, 0.05])),
        "rate": rate,
        "clip": None,
        "loss_cap": None,
        **bounded,
    }
    features = rng.normal(size=(n, d)) * draw(st.sampled_from([0.3, 2.0]))
    data = Dataset(features, rng.integers(classes, size=n), np.arange(n).astype(str))
    return given_, data, classes


@given(cases(), st.integers(0, 2**140))
@settings(max_examples=40)
def test_learning_unlearning_and_edits_are_the_papers(case: Any, seed: int) -> None:
    """In the order of the stream: the start, then the noise of each step; the regulariser stands outside the mean."""
    given_, data, classes = case
    procedure = build("noisy-gd", {**given_, **STEPS, "features": data.features.shape[1], "classes": list(range(classes))})
    smoothness = constants(given_["loss"]).smoothness
    rate = 1 / (2 * (given_["l2"] + smoothness)) if given_["rate"] == "theorem" else given_["rate"]
    variance = given_["sigma2"] / given_["l2"] / (1.0 if given_["loss_cap"] else 1 - rate * given_["l2"] / 2)
    rows = list(zip(data.features, data.labels.tolist(), strict=True))
    size = data.features.shape[1] * (1 if given_["loss"] == "logistic" else classes)
    rng = np.random.default_rng(seed)
    learned = math.sqrt(variance) * rng.standard_normal(size)
    learned = noisy_gd(learned, rows, steps=12, given_=given_, rate=rate, rng=rng)
    model = procedure.learn(data, seed)
    assert procedure.parameters(model) == pytest.approx(learned, rel=1e-9, abs=1e-12)
    rest = rows[:1] + rows[2:]
    fewer = noisy_gd(learned, rest, steps=5, given_=given_, rate=rate, rng=np.random.default_rng(seed + 1))
    after = procedure.unlearn(model, data, np.array([1]), seed + 1)
    assert procedure.parameters(after) == pytest.approx(fewer, rel=1e-9, abs=1e-12)
    other = (-data.features[0], 0)
    replaced = noisy_gd(
        learned, [rows[0], other, *rows[2:]], steps=5, given_=given_, rate=rate, rng=np.random.default_rng(seed + 2)
    )
    edit = procedure.edit(model, data, np.array([1]), other[0][None], np.array([0]), seed + 2)
    assert procedure.parameters(edit) == pytest.approx(replaced, rel=1e-9, abs=1e-12)


@given(cases(), st.integers(0, 1000))
def test_gradients_are_those_of_the_losses(case: Any, seed: int) -> None:
    """Against central differences, without a clip."""
    given_, data, classes = case
    loss = LinearLoss(given_["loss"], classes, cap=given_["loss_cap"])
    mean = MeanGradient(loss, data.features, data.labels)
    at = np.random.default_rng(seed).normal(size=mean.size)

    def value(parameters: Floats) -> float:
        pairs = zip(data.features, data.labels, strict=True)
        return float(np.mean([loss_of(given_["loss"], row, label, parameters, cap=loss.cap) for row, label in pairs]))

    steps = 1e-5 * np.eye(mean.size)
    differences = [(value(at + step) - value(at - step)) / 2e-5 for step in steps]
    assert mean(at[None])[0] == pytest.approx(np.array(differences), abs=1e-8)


@given(cases(), st.integers(0, 1000), st.floats(1e-3, 3))
def test_a_clip_is_exact_and_touches_no_shorter_gradient(case: Any, seed: int, clip: float) -> None:
    given_, data, classes = case
    plain, clipped = LinearLoss(given_["loss"], classes), LinearLoss(given_["loss"], classes, clip=clip)
    for row, label in zip(data.features, data.labels, strict=True):
        one, other = (MeanGradient(each, row[None], np.array([label])) for each in (plain, clipped))
        at = np.random.default_rng(seed).normal(size=(1, one.size))
        whole, cut = one(at)[0], other(at)[0]
        norm = float(np.linalg.norm(whole))
        assert np.linalg.norm(cut) <= clip * (1 + 1e-12)
        assert cut == pytest.approx(whole * min(1.0, clip / max(norm, 1e-300)), rel=1e-12, abs=1e-300)


@given(cases(), st.integers(0, 1000), st.floats(0.05, 5))
def test_a_capped_loss_keeps_its_constants(case: Any, seed: int, cap: float) -> None:
    """Its gradients are no longer than those of the loss, on rows of norm at most 1."""
    given_, data, classes = case
    rng = np.random.default_rng(seed)
    known = constants(given_["loss"], cap=cap)
    for row, label in zip(data.features, data.labels, strict=True):
        short = row / max(1.0, float(np.linalg.norm(row)))
        gradient = MeanGradient(LinearLoss(given_["loss"], classes, cap=cap), short[None], np.array([label]))
        at = 5 * rng.normal(size=(2, gradient.size))
        one, other = gradient(at)
        assert max(np.linalg.norm(one), np.linalg.norm(other)) <= known.lipschitz * (1 + 1e-12)
        assert np.linalg.norm(one - other) <= known.smoothness * np.linalg.norm(at[0] - at[1]) * (1 + 1e-9)
        assert 0 <= loss_of(given_["loss"], short, label, at[0], cap=cap) <= cap


@pytest.mark.parametrize("logit", [-800.0, -40.0, 40.0, 800.0])
@pytest.mark.parametrize("loss", ["logistic", "softmax"])
@pytest.mark.parametrize("bounded", [{}, {"clip": 0.5}, {"cap": 2.0}])
def test_far_out_gradients_are_their_limits(logit: float, loss: Any, bounded: dict[str, float]) -> None:
    """exp overflows there, and says so nowhere."""
    gradient = MeanGradient(LinearLoss(loss, 2, **bounded), np.ones((1, 1)), np.array([1]))
    at = np.array([[logit]]) if loss == "logistic" else np.array([[-logit / 2, logit / 2]])
    found = gradient(at)[0]
    limit = 1.0 if logit < 0 and "cap" not in bounded else 0.0
    norm = limit * (1.0 if loss == "logistic" else math.sqrt(2))
    assert float(np.linalg.norm(found)) == pytest.approx(min(norm, bounded.get("clip", 9.0)), abs=1e-6)


@given(cases(), st.integers(1, 300), st.sampled_from(["float64", "float32"]), st.sampled_from([1, 3]))
@settings(max_examples=30)
def test_many_chains_step_as_one_does(case: Any, count: int, dtype: Any, workers: int) -> None:
    """Where there is next to no noise the chains are Algorithm 2's own path, whatever is computed beside them."""
    given_, data, classes = case
    loss = LinearLoss(given_["loss"], classes, clip=given_["clip"], cap=given_["loss_cap"])
    descent = Descent(given_["l2"], 1e-30, 0.3)
    gradient = MeanGradient(loss, data.features, data.labels)
    start = np.random.default_rng(count).normal(size=(count, gradient.size))
    machine = Machine(dtype, "cpu", workers)
    found = chains.run(
        loss, Records(data.features, data.labels), descent, start, steps=7, rng=np.random.default_rng(0), machine=machine
    )
    for k in (0, count - 1):
        alone = descend(lambda at: gradient(at[None])[0], start[k], descent, steps=7, rng=np.random.default_rng(1))
        assert found[k] == pytest.approx(alone.parameters, abs=1e-11 if dtype == "float64" else 1e-4)


def test_chains_do_not_depend_on_workers_and_never_repeat_their_noise() -> None:
    records = Records(np.eye(3), np.array([0, 1, 0]))
    loss, descent = LinearLoss("logistic", 2), Descent(0.1, 0.2, 0.3)
    start = np.zeros((600, 3))
    one, many = (
        chains.run(loss, records, descent, start, steps=3, rng=np.random.default_rng(5), machine=Machine(workers=workers))
        for workers in (1, 4)
    )
    assert one.tobytes() == many.tobytes()
    rng = np.random.default_rng(5)
    first, second = (chains.run(loss, records, descent, start, steps=3, rng=rng) for _ in range(2))
    assert first.tobytes() == one.tobytes()
    assert not np.any(first == second)
    assert len(np.unique(one)) == one.size


@pytest.mark.parametrize("dtype", ["float64", "float32"])
def test_chains_have_the_law_of_the_theorem(dtype: Any) -> None:
    """Records of no length leave the regulariser alone: the theorem's start is stationary, and any other start approaches it."""
    records = Records(np.zeros((2, 3)), np.array([0, 1]))
    loss, descent = LinearLoss("logistic", 2), Descent(0.4, 0.3, 0.7)
    rng = np.random.default_rng(11)
    start = chains.starts(descent, chains=4000, size=3, rng=rng)
    machine = Machine(dtype)
    for began, kept in ((start, 1.0), (np.zeros_like(start), 1 - (1 - 0.7 * 0.4) ** 10)):
        found = chains.run(loss, records, descent, began, steps=5, rng=rng, machine=machine)
        expected = kept * 0.3 / (0.4 * (1 - 0.7 * 0.4 / 2))
        assert np.mean(found**2) == pytest.approx(expected, rel=5 * math.sqrt(2 / found.size))
        assert abs(np.mean(found)) < 5 * math.sqrt(expected / found.size)
    limit = Descent(0.4, 0.3, 0.7, stationary=False)
    drawn = chains.starts(limit, chains=4000, size=3, rng=rng)
    assert np.mean(drawn**2) == pytest.approx(0.3 / 0.4, rel=5 * math.sqrt(2 / drawn.size))


def test_both_sides_of_a_simulation_get_the_same_update() -> None:
    """With next to no noise: learning on D or on what the request leaves, then the same steps."""
    rng = np.random.default_rng(2)
    before = Records(rng.normal(size=(6, 2)), rng.integers(2, size=6))
    loss, descent = LinearLoss("logistic", 2), Descent(0.1, 1e-30, 0.5)
    zero = np.zeros((1, 2))
    for after in (before.without(np.array([4])), before.replaced(np.array([4]), np.ones((1, 2)), np.array([1]))):
        found = chains.simulate(loss, before, after, descent, chains=3, learn_steps=9, unlearn_steps=4, rng=rng)
        learned = chains.run(loss, before, descent, zero, steps=9, rng=rng)
        without = chains.run(loss, after, descent, zero, steps=9, rng=rng)
        for array, start, steps in (
            (found.learned, learned, 0),
            (found.unlearned, learned, 4),
            (found.learned_without, without, 0),
            (found.unlearned_without, without, 4),
        ):
            expected = chains.run(loss, after, descent, start, steps=steps, rng=rng)
            assert array == pytest.approx(np.repeat(expected, 3, axis=0), abs=1e-12)
    assert len(before.without(np.array([4])).labels) == 5
    assert len(before.labels) == 6


def test_chains_that_cannot_be_run() -> None:
    loss, descent, rng = LinearLoss("softmax", 3), Descent(0.1, 0.1, 0.1), np.random.default_rng(0)
    records = Records(np.eye(2), np.array([0, 2]))
    with pytest.raises(ValueError, match=r"expected shape \(chains, 6\), found \(4, 2\)"):
        chains.run(loss, records, descent, np.zeros((4, 2)), steps=1, rng=rng)
    with pytest.raises(ValueError, match="positions among 3 classes"):
        chains.run(loss, Records(np.eye(2), np.array([0, 3])), descent, np.zeros((4, 6)), steps=1, rng=rng)
    huge = Descent(1.0, 0.1, 1e200, stationary=False)
    with pytest.raises(ArithmeticError, match="the rate is too large"):
        chains.run(loss, records, huge, np.ones((4, 6)), steps=5, rng=rng)
    assert chains.run(loss, records, descent, np.zeros((0, 6)), steps=1, rng=rng).shape == (0, 6)
