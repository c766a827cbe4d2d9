"""The networks of a SWAP test trained and unlearned from in stacks, against the PyTorch loop that anyone would write.

10 pairs, both sides, 3 models each: 60 MLPs of 64-64-10 learnt on 600 digits each, then each fine-tuned on what remains after 60
records, retrained on it, and left as it is. Stacks: one side in each of two processes of one thread. Baseline: `nn.Module`,
`torch.optim.SGD` and indexed tensors, one model after another, with the same rows, epochs, batches and methods; in one process at
one and at two threads, of which the faster counts, and in two processes of one thread. Imports and data are ready beforehand in
every process; times are medians of 3 rounds in turns. Where there is a CUDA device, 512 such MLPs and 64 small CNNs are trained
there in one stack, against the same loop on the CPU, timed on 8 of them and multiplied.
"""

from __future__ import annotations

import copy
import resource
import time
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import lru_cache
from multiprocessing import get_context
from statistics import median

import numpy as np
import torch
from sklearn.datasets import load_digits
from torch import Tensor, nn

from auditor.domain import Dataset
from auditor.procedures.networks.architectures import Mlp, SmallCnn
from auditor.procedures.networks.making import make
from auditor.procedures.networks.procedure import Networks
from benchmarks.measuring import line

PAIRS, MODELS, ROWS, FORGOTTEN = 10, 3, 600, 60
EPOCHS, TUNING_EPOCHS, BATCH, RATE, MOMENTUM, DECAY = 3, 3, 32, 0.05, 0.9, 1e-4
SETTINGS = {
    "features": 64,
    "classes": list(range(10)),
    "epochs": EPOCHS,
    "batch": BATCH,
    "rate": RATE,
    "momentum": MOMENTUM,
    "weight_decay": DECAY,
}
METHODS = {"fine-tune": {"epochs": TUNING_EPOCHS}, "retrain": {}, "none": {}}
ROUNDS = 3
ON_GPU, LOOPED = {"mlp": 512, "small-cnn": 64}, 8


@dataclass(frozen=True)
class Side:
    """What one side of the pairs is trained on: a data set and a seed for each model. The first rows are forgotten."""

    datas: list[Dataset]
    seeds: list[int]


@lru_cache(maxsize=4)
def side(number: int, models: int = PAIRS * MODELS) -> Side:
    """So many data sets drawn from the digits, a fifth of the labels wrong."""
    features, labels = load_digits(return_X_y=True)
    rng = np.random.default_rng(number)
    labels = np.where(rng.random(len(labels)) < 0.2, rng.integers(10, size=len(labels)), labels)
    every = Dataset(features / 16, labels, np.arange(len(labels)).astype(str))
    return Side([every.subset(rng.choice(len(labels), ROWS, replace=False)) for _ in range(models)], list(range(models)))


def stacked(number: int) -> int:
    """A side's game in stacks; the process's peak memory in MiB."""
    own, forget = side(number), [np.arange(FORGOTTEN)] * PAIRS * MODELS
    learnt = _procedure("none").learn_many(own.datas, own.seeds)
    for method in METHODS:
        _procedure(method).unlearn_many(learnt, own.datas, forget, own.seeds)
    return _peak()


def looped(number: int) -> int:
    """A side's game by the loop; the process's peak memory in MiB."""
    own = side(number)
    for data, seed in zip(own.datas, own.seeds, strict=True):
        inputs, labels = torch.from_numpy(data.features).float(), torch.from_numpy(data.labels)
        generator = torch.Generator().manual_seed(seed)
        kept_inputs, kept_labels = inputs[FORGOTTEN:], labels[FORGOTTEN:]
        model = _trained(Mlp(64, 10), inputs, labels, EPOCHS, generator)
        _trained(copy.deepcopy(model), kept_inputs, kept_labels, TUNING_EPOCHS, generator)
        _trained(Mlp(64, 10), kept_inputs, kept_labels, EPOCHS, generator)
        copy.deepcopy(model)
    return _peak()


def looped_with_two_threads(number: int) -> int:
    """The same at two threads."""
    torch.set_num_threads(2)
    try:
        return looped(number)
    finally:
        torch.set_num_threads(1)


def _procedure(method: str) -> Networks:
    made = make(model="mlp", unlearn_by=method, unlearn_params=METHODS[method], device="cpu", **SETTINGS)  # type: ignore[arg-type]
    assert isinstance(made, Networks)
    return made


def _trained(model: nn.Module, inputs: Tensor, labels: Tensor, epochs: int, generator: torch.Generator) -> nn.Module:
    optimiser = torch.optim.SGD(model.parameters(), lr=RATE, momentum=MOMENTUM, weight_decay=DECAY)
    for _ in range(epochs):
        for rows in torch.randperm(len(labels), generator=generator).split(BATCH):
            optimiser.zero_grad()
            nn.functional.cross_entropy(model(inputs[rows]), labels[rows]).backward()
            optimiser.step()
    return model


def _ready(_: int) -> int:
    torch.set_num_threads(1)
    for number in range(2):
        side(number)
    _trained(Mlp(64, 10), torch.zeros(BATCH, 64), torch.zeros(BATCH, dtype=torch.int64), 1, torch.Generator())
    return _peak()


def _peak() -> int:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024


def on_the_cpu() -> None:
    """The SWAP game, four ways; stacks in processes of their own, so that the loop's memory is not theirs."""
    ways: dict[str, tuple[Callable[[int], int], int]] = {
        "stacks, 2 processes": (stacked, 2),
        "loop, 1 process, 1 thread": (looped, 1),
        "loop, 1 process, 2 threads": (looped_with_two_threads, 1),
        "loop, 2 processes": (looped, 2),
    }
    taken: dict[str, list[float]] = {name: [] for name in ways}
    peaks: dict[str, int] = {}
    context = get_context("spawn")
    with (
        ProcessPoolExecutor(2, mp_context=context) as for_stacks,
        ProcessPoolExecutor(1, mp_context=context) as for_one,
        ProcessPoolExecutor(2, mp_context=context) as for_two,
    ):
        before = max(max(pool.map(_ready, range(2))) for pool in (for_stacks, for_one, for_two))
        for turn in range(ROUNDS + 1):
            for name, (game, processes) in ways.items():
                pool = for_stacks if game is stacked else for_two if processes == 2 else for_one
                started = time.perf_counter()
                peaks[name] = max(pool.map(game, range(2)))
                if turn:  # the first round warms up
                    taken[name].append(time.perf_counter() - started)
    middle = {name: median(each) for name, each in taken.items()}
    for name, value in middle.items():
        spread = f"{min(taken[name]):.2f} to {max(taken[name]):.2f} s"
        line(name, f"{value:.2f} s", f"{spread}; peak {peaks[name]} MiB a process, {before} before")
    ours = middle["stacks, 2 processes"]
    best = min(value for name, value in middle.items() if "1 process," in name)
    line("stacks against the loop in one process at its best thread count", f"{best / ours:.1f} x", "at least 4")
    line("stacks against the loop in two processes", f"{middle['loop, 2 processes'] / ours:.1f} x", "at least 2")


def on_cuda() -> None:
    """Stacks on the device against the loop on the CPU."""
    torch.set_num_threads(1)
    params: dict[str, dict[str, object]] = {"mlp": {}, "small-cnn": {"shape": [1, 8, 8]}}
    builds: dict[str, Callable[[], nn.Module]] = {
        "mlp": lambda: Mlp(64, 10),
        "small-cnn": lambda: SmallCnn(64, 10, shape=[1, 8, 8]),
    }
    for name, models in ON_GPU.items():
        own = side(2, models)
        made = make(model=name, params=params[name], device="cuda", **SETTINGS)  # type: ignore[arg-type]
        times = []
        for _ in range(ROUNDS + 1):
            started = time.perf_counter()
            made.learn_many(own.datas, own.seeds)
            torch.cuda.synchronize()
            times.append(time.perf_counter() - started)
        started = time.perf_counter()
        for data in own.datas[:LOOPED]:
            inputs, labels = torch.from_numpy(data.features).float(), torch.from_numpy(data.labels)
            _trained(builds[name](), inputs, labels, EPOCHS, torch.Generator())
        loop = (time.perf_counter() - started) * models / LOOPED
        peak = torch.cuda.max_memory_allocated() / 2**20
        line(
            f"{models} {name} on {torch.cuda.get_device_name()}",
            f"{median(times[1:]):.2f} s",
            f"peak {peak:.0f} MiB on the device",
        )
        line(f"{models} {name} by the loop on the CPU", f"{loop:.2f} s", f"{loop / median(times[1:]):.0f} x, at least 50")


if __name__ == "__main__":
    on_the_cpu()
    if torch.cuda.is_available():
        on_cuda()
    else:
        print("no CUDA device: stacks on a GPU were not measured")
