"""Every method treats a stack as its models one by one, repeats itself, and reads no row that it must not."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch import Tensor

from auditor.parts.networks.learning.network import copied
from auditor.parts.networks.learning.task import Task
from auditor.parts.networks.learning.unlearning import METHODS
from unlearning_examples import NETWORKS, alone, network, poisoned, run, same, task

names = st.sampled_from(sorted(METHODS))
kinds = st.sampled_from(NETWORKS)
seeds = st.integers(0, 10_000)
STOCHASTIC = {"retrain", "fine-tune", "neg-grad", "fisher", "ftfinal", "retrfinal", "salun"}
BLIND = ("retrain", "none", "fine-tune", "fisher", "ftfinal", "retrfinal")
"""Methods that must not read the rows to forget."""


def relative(one: Mapping[str, Tensor], other: Mapping[str, Tensor], k: int) -> float:
    """The largest difference of model k of a stack from the one model of another, relative to each tensor's largest number."""
    return max(float((one[name][k] - other[name][0]).abs().max() / other[name].abs().max()) for name in one)


@given(name=names, kind=kinds, seed=seeds, models=st.integers(2, 4), rows=st.integers(8, 24), gone=st.integers(1, 5))
@settings(max_examples=60, deadline=None)
def test_many_at_once_are_what_they_are_one_by_one(name: str, kind: str, seed: int, models: int, rows: int, gone: int) -> None:
    many = task(network(kind), models=models, rows=rows, gone=gone, seed=seed)
    together = run(name, many)
    for k in range(models):
        assert relative(together, run(name, alone(many, k)), k) <= 1e-5


@given(name=names, kind=kinds, seed=seeds)
@settings(max_examples=30, deadline=None)
def test_the_same_seed_gives_the_same_bytes_whatever_the_global_generators_hold(name: str, kind: str, seed: int) -> None:
    one = task(network(kind), seed=seed)
    before = copied(one.parameters)
    torch.manual_seed(1)
    np.random.seed(1)  # noqa: NPY002
    first = run(name, one)
    torch.manual_seed(2)
    np.random.seed(2)  # noqa: NPY002
    torch_state, numpy_state = torch.random.get_rng_state(), np.random.get_state()[1].copy()  # noqa: NPY002
    assert same(run(name, one), first)
    assert torch.equal(torch.random.get_rng_state(), torch_state)
    assert np.array_equal(np.random.get_state()[1], numpy_state)  # noqa: NPY002
    assert same(one.parameters, before)


@given(name=st.sampled_from(sorted(STOCHASTIC)), kind=kinds, seed=seeds)
@settings(max_examples=20, deadline=None)
def test_another_seed_gives_another_model(name: str, kind: str, seed: int) -> None:
    one = task(network(kind), models=1, seed=seed)
    assert not same(run(name, one), run(name, replace(one, seeds=[each + 1 for each in one.seeds])))


def test_every_method_but_two_draws_something() -> None:
    assert set(METHODS) - STOCHASTIC == {"none", "ssd"}


@given(name=st.sampled_from(BLIND), kind=kinds, seed=seeds)
@settings(max_examples=30, deadline=None)
def test_rows_to_forget_are_not_read_by_methods_that_must_not(name: str, kind: str, seed: int) -> None:
    one = task(network(kind), seed=seed)
    assert same(run(name, poisoned(one, one.forget)), run(name, one))


@given(kind=kinds, seed=seeds)
@settings(max_examples=10, deadline=None)
def test_plain_ascent_does_not_read_the_rows_that_remain(kind: str, seed: int) -> None:
    one = task(network(kind), seed=seed)
    spoilt = poisoned(one, one.retain)
    assert same(run("neg-grad", spoilt, retain_weight=0.0), run("neg-grad", one, retain_weight=0.0))


@given(seed=seeds)
@settings(max_examples=10, deadline=None)
def test_retraining_does_not_read_the_old_models(seed: int) -> None:
    one = task(network(), seed=seed)
    spoilt: Task = replace(one, parameters={name: torch.full_like(each, torch.nan) for name, each in one.parameters.items()})
    assert same(run("retrain", spoilt), run("retrain", one))


@pytest.mark.parametrize("name", METHODS)
def test_float32_stays_float32_and_finite(name: str) -> None:
    after = run(name, task(network("small-cnn", dtype=torch.float32)))
    assert all(each.dtype == torch.float32 and torch.isfinite(each).all() for each in after.values())
