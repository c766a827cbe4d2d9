"""Stacks on a CUDA device: the same models as on the CPU, and the same bytes every time."""

from __future__ import annotations

import numpy as np
import pytest

from network_examples import SHAPES, dataset, procedure


@pytest.mark.gpu
@pytest.mark.parametrize("unlearn_by", ["retrain", "fine-tune", "fisher"])
@pytest.mark.parametrize("kind", SHAPES)
def test_a_gpu_gives_the_models_that_the_cpu_gives_and_gives_them_again(kind, unlearn_by):
    datas, forgets, seeds = [dataset(30, k) for k in range(3)], [np.array([1, 5])] * 3, [4, 5, 6]

    def states(device):
        own = procedure(kind, device=device, dtype="float64", unlearn_by=unlearn_by)
        models = own.learn_many(datas, seeds)
        if device == "cuda":
            assert all(each.is_cuda for model in models for each in model.parameters.values())
        after = own.unlearn_many(models, datas, forgets, seeds)
        return np.stack([own.parameters(model) for model in models]), np.stack([own.parameters(model) for model in after])

    (learnt, unlearned), again, (expected, _) = states("cuda"), states("cuda"), states("cpu")
    assert np.array_equal(learnt, again[0])
    assert np.array_equal(unlearned, again[1])
    assert np.linalg.norm(learnt - expected) <= 1e-5 * np.linalg.norm(expected)
