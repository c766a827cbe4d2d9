"""The networks of a SWAP test trained and unlearned from in stacks, against the PyTorch loop that anyone would write.

10 pairs, both sides, 3 models each: 60 MLPs of 64-64-10 learnt on 600 digits each, then each fine-tuned on what remains after 60
records, retrained on it, and left as it is. Stacks: one side in each of two processes of one thread. Baseline: `nn.Module`,
`torch.optim.SGD` and indexed tensors, one model after another, with the same rows, epochs, batches and methods; in one process at
one and at two threads, of which the faster counts, and in two processes of one thread. Imports and data are ready beforehand in
every process; times are of rounds in turns. Where there is a CUDA device, 512 such MLPs and 64 small CNNs are trained there in
one stack, against the same loop on the CPU, timed on 8 of them and multiplied.
"""

from __future__ import annotations

import copy
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Executor
from dataclasses import dataclass, replace
from functools import lru_cache, partial
from statistics import median

import numpy as np
import torch
from sklearn.datasets import load_digits
from torch import Tensor, nn

from auditor.base.records import Dataset
from auditor.parts.networks.learning.architectures import Mlp, SmallCnn
from auditor.parts.networks.learning.making import make
from auditor.parts.networks.learning.procedure import Networks
from benchmarks.measuring import Figure, bytes_of, once, peak_memory, pool, ratios

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
ON_GPU, LOOPED = {"mlp": 512, "small-cnn": 64}, 8


@dataclass(frozen=True, slots=True)
class Sizes:
    """Of the game."""

    models: int
    """Of each side: pairs, times models of each."""
    rows: int
    forgotten: int
    rounds: int
    apart: bool = True


USUAL = Sizes(models=30, rows=600, forgotten=60, rounds=2)
TINY = Sizes(models=2, rows=40, forgotten=4, rounds=1, apart=False)


@dataclass(frozen=True)
class Side:
    """What one side of the pairs is trained on: a data set and a seed for each model. The first rows are forgotten."""

    datas: list[Dataset]
    seeds: list[int]


@lru_cache(maxsize=4)
def side(sizes: Sizes, number: int) -> Side:
    """So many data sets drawn from the digits, a fifth of the labels wrong."""
    features, labels = load_digits(return_X_y=True)
    rng = np.random.default_rng(number)
    labels = np.where(rng.random(len(labels)) < 0.2, rng.integers(10, size=len(labels)), labels)
    every = Dataset(features / 16, labels, np.arange(len(labels)).astype(str))
    models = range(sizes.models)
    return Side([every.subset(rng.choice(len(labels), sizes.rows, replace=False)) for _ in models], list(models))


def stacked(sizes: Sizes, number: int) -> float:
    """A side's game in stacks; the process's peak memory."""
    own, forget = side(sizes, number), [np.arange(sizes.forgotten)] * sizes.models
    learnt = procedure("none").learn_many(own.datas, own.seeds)
    for method in METHODS:
        procedure(method).unlearn_many(learnt, own.datas, forget, own.seeds)
    return peak_memory()


def looped(sizes: Sizes, number: int) -> float:
    """A side's game by the loop; the process's peak memory."""
    own = side(sizes, number)
    for data, seed in zip(own.datas, own.seeds, strict=True):
        inputs, labels = torch.from_numpy(data.features).float(), torch.from_numpy(data.labels)
        generator = torch.Generator().manual_seed(seed)
        kept_inputs, kept_labels = inputs[sizes.forgotten :], labels[sizes.forgotten :]
        model = _trained(Mlp(64, 10), inputs, labels, EPOCHS, generator)
        _trained(copy.deepcopy(model), kept_inputs, kept_labels, TUNING_EPOCHS, generator)
        _trained(Mlp(64, 10), kept_inputs, kept_labels, EPOCHS, generator)
        copy.deepcopy(model)
    return peak_memory()


def looped_with_two_threads(sizes: Sizes, number: int) -> float:
    """The same at two threads."""
    torch.set_num_threads(2)
    try:
        return looped(sizes, number)
    finally:
        torch.set_num_threads(1)


def procedure(method: str) -> Networks:
    """What stacks are trained with on the CPU."""
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


def _ready(sizes: Sizes, _: int) -> None:
    torch.set_num_threads(1)
    for number in range(2):
        side(sizes, number)
    _trained(Mlp(64, 10), torch.zeros(BATCH, 64), torch.zeros(BATCH, dtype=torch.int64), 1, torch.Generator())


def measure(sizes: Sizes) -> Iterator[Figure]:
    """Time the game four ways, and on a GPU where there is one."""
    yield from on_the_cpu(sizes)
    if torch.cuda.is_available():
        yield from on_cuda(sizes)


def on_the_cpu(sizes: Sizes) -> Iterator[Figure]:
    """The SWAP game, four ways; stacks in processes of their own, so that the loop's memory is not theirs."""
    taken: dict[str, list[float]] = {"stacks": [], "one thread": [], "two threads": [], "two processes": []}
    peaks: list[float] = []
    with (
        pool(2, apart=sizes.apart) as for_stacks,
        pool(1, apart=sizes.apart) as for_one,
        pool(2, apart=sizes.apart) as for_two,
    ):
        for workers in (for_stacks, for_one, for_two):
            list(workers.map(partial(_ready, sizes), range(2)))
        ways: dict[str, tuple[Callable[[Sizes, int], float], Executor]] = {
            "stacks": (stacked, for_stacks),
            "one thread": (looped, for_one),
            "two threads": (looped_with_two_threads, for_one),
            "two processes": (looped, for_two),
        }
        for turn in range(sizes.rounds + 1):
            for name, (game, workers) in ways.items():
                found: list[float] = []
                seconds, _ = once(lambda game=game, workers=workers, found=found: found.extend(_both(game, workers, sizes)))
                if turn:  # the first round warms up
                    taken[name].append(seconds)
                if name == "stacks":
                    peaks.append(max(found))
    best = min((taken[name] for name in ("one thread", "two threads")), key=median)
    yield ratios("one-process", best, taken["stacks"])
    yield ratios("two-processes", taken["two processes"], taken["stacks"])
    yield bytes_of("memory", [max(peaks)])


def _both(game: Callable[[Sizes, int], float], workers: Executor, sizes: Sizes) -> list[float]:
    return list(workers.map(partial(game, sizes), range(2)))


def on_cuda(sizes: Sizes) -> Iterator[Figure]:
    """Stacks on the device against the loop on the CPU."""
    torch.set_num_threads(1)
    params: dict[str, dict[str, object]] = {"mlp": {}, "small-cnn": {"shape": [1, 8, 8]}}
    builds: dict[str, Callable[[], nn.Module]] = {
        "mlp": lambda: Mlp(64, 10),
        "small-cnn": lambda: SmallCnn(64, 10, shape=[1, 8, 8]),
    }
    for name, models in ON_GPU.items():
        own = side(replace(sizes, models=models), 2)
        made = make(model=name, params=params[name], device="cuda", **SETTINGS)  # type: ignore[arg-type]
        times = []
        for _ in range(sizes.rounds + 1):
            started = time.perf_counter()
            made.learn_many(own.datas, own.seeds)
            torch.cuda.synchronize()
            times.append(time.perf_counter() - started)
        started = time.perf_counter()
        for data in own.datas[:LOOPED]:
            inputs, labels = torch.from_numpy(data.features).float(), torch.from_numpy(data.labels)
            _trained(builds[name](), inputs, labels, EPOCHS, torch.Generator())
        loop = (time.perf_counter() - started) * models / LOOPED
        yield Figure(f"{name}-on-a-gpu", tuple(loop / each for each in times[1:]), "times")
