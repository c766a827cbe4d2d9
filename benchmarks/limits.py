"""How far work is from what this machine can do: FLOP and bytes that it needs at least, against peaks measured in the same run.

Peaks are of one thread: the product of two large matrices (GEMM) in either precision, and a sum of two arrays that no cache can
hold (the Add of STREAM). Work takes at least its FLOP at the pace of GEMM, or its bytes at that of STREAM, whichever is longer.
What is counted is what the method needs, not what the program does: of subsets their own rows, of neighbours records of a label,
of products neither masks nor padding. Peak and work are measured in turns, by processor time.

A second figure says where the rest goes: the same work against its own parts, as libraries do them at its shapes. Products of
batches of 32 rows do not reach the pace of large ones, and an exponential takes as long as some forty multiplications.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from statistics import median
from unittest import mock

import numpy as np
import torch

from auditor.audit.shifted_copies import nearest
from auditor.base.records import Floats
from auditor.learning.noisy_gd import chains
from auditor.learning.noisy_gd.chains import Records
from auditor.learning.subsets import Subsets
from benchmarks import many_models, networks, noisy_gd
from benchmarks.measuring import Figure, once

FLOAT32, FLOAT64 = 4, 8
_BLOCK, _ROWS = 512, 128
"""Records of a block of distances, and rows of one of slopes, that a cache holds."""


@dataclass(frozen=True, slots=True)
class Sizes:
    """Of the peaks and of each kind of work."""

    gemm: int
    """Rows and columns of its matrices."""
    stream: int
    """Numbers in each of its arrays."""
    networks: networks.Sizes
    logistic: many_models.Sizes
    chains: noisy_gd.Sizes
    records: int
    features: int
    deleted: int
    repeats: int


USUAL = Sizes(
    gemm=1_024,
    stream=1 << 24,
    networks=networks.USUAL,
    logistic=many_models.USUAL,
    chains=noisy_gd.USUAL,
    records=60_000,
    features=64,
    deleted=2_000,
    repeats=5,
)
TINY = Sizes(
    gemm=64,
    stream=1 << 12,
    networks=networks.TINY,
    logistic=many_models.TINY,
    chains=noisy_gd.TINY,
    records=300,
    features=4,
    deleted=5,
    repeats=1,
)


@dataclass(frozen=True, slots=True)
class Work:
    """One kind of work, and what it needs at least."""

    name: str
    run: Callable[[], object]
    flop: float
    moved: float
    """Bytes of what it reads and writes once, however often it comes back to them."""
    wide: int
    """Bytes of a number: float32 or float64."""
    parts: Callable[[], object] | None = None
    """The same products and exponentials by themselves, as libraries do them at these shapes."""


def measure(sizes: Sizes) -> Iterator[Figure]:
    """Measure peaks and work in turns."""
    torch.set_num_threads(1)
    gemm, stream = {wide: _gemm(sizes.gemm, wide) for wide in (FLOAT32, FLOAT64)}, _stream(sizes.stream)
    paces: dict[int, list[float]] = {wide: [] for wide in gemm}
    added: list[float] = []
    kinds = (_stacks(sizes.networks), _logistic(sizes.logistic), _neighbours(sizes), _chains(sizes.chains))
    apart: dict[str, list[float]] = {each.name: [] for each in kinds}
    beside: dict[str, list[float]] = {each.name: [] for each in kinds if each.parts is not None}
    for each in kinds:
        each.run()
    for _ in range(sizes.repeats):
        for each in kinds:
            paces[each.wide].append(2 * sizes.gemm**3 / _seconds(gemm[each.wide]))
            added.append(3 * FLOAT64 * sizes.stream / _seconds(stream))
            taken = _seconds(each.run)
            apart[each.name].append(taken / max(each.flop / paces[each.wide][-1], each.moved / added[-1]))
            if each.parts is not None:
                beside[each.name].append(taken / _seconds(each.parts))
    yield Figure("gemm-float64", tuple(each / 1e9 for each in paces[FLOAT64]), "GFLOP/s")
    yield Figure("gemm-float32", tuple(each / 1e9 for each in paces[FLOAT32]), "GFLOP/s")
    yield Figure("stream", tuple(each / 1e9 for each in added), "GB/s")
    for name, found in apart.items():
        yield Figure(name, tuple(found), "times")
        if name in beside:
            yield Figure(f"{name}-parts", tuple(beside[name]), "times")


def _seconds(run: Callable[[], object]) -> float:
    """Seconds of processor time, the middle of three."""
    return median(max(once(run)[1], 1e-6) for _ in range(3))


def _gemm(size: int, wide: int) -> Callable[[], object]:
    rng = np.random.default_rng(0)
    kind = np.dtype("float32" if wide == FLOAT32 else "float64")
    left, right = (rng.random((size, size)).astype(kind) for _ in range(2))
    into = np.empty_like(left)
    return lambda: np.matmul(left, right, out=into)


def _stream(size: int) -> Callable[[], object]:
    left, right, into = np.ones(size), np.ones(size), np.empty(size)
    return lambda: np.add(left, right, out=into)


def _stacks(sizes: networks.Sizes) -> Work:
    """Train MLPs of 64-64-10 in one stack, each on rows of its own."""
    own, hidden, classes = networks.side(sizes, 0), 64, 10
    features = own.datas[0].features.shape[1]
    weights = features * hidden + hidden * classes
    # Forward, and backward to the weights and to what each layer was given; nothing is asked of the rows themselves.
    flop = sizes.models * sizes.rows * networks.EPOCHS * (6 * weights - 2 * features * hidden)
    stacks, steps = sizes.models, networks.EPOCHS * -(-sizes.rows // networks.BATCH)
    rows, inner, outer = (torch.rand(stacks, networks.BATCH, width) for width in (features, hidden, classes))
    first, last = torch.rand(stacks, hidden, features), torch.rand(stacks, classes, hidden)

    def products() -> None:
        for _ in range(steps):
            torch.bmm(rows, first.mT)
            torch.bmm(inner, last.mT)
            torch.bmm(outer.mT, inner)
            torch.bmm(outer, last)
            torch.bmm(inner.mT, rows)

    made = networks.procedure("none")
    moved = FLOAT32 * sizes.models * (sizes.rows * features + weights)
    return Work("stacks", lambda: made.learn_many(own.datas, own.seeds), flop, moved, FLOAT32, products)


def _logistic(sizes: many_models.Sizes) -> Work:
    """Fit logistic models on halves of one table; the gradients that this took are counted in a first run."""
    halves = many_models.problems(sizes, 0.5, standardised=False)
    asked: list[int] = []
    whole = Subsets.gradients

    def counted(subsets: Subsets, parameters: Floats) -> tuple[Floats, Floats]:
        asked.append(len(parameters))
        return whole(subsets, parameters)

    with mock.patch.object(Subsets, "gradients", counted):
        halves.at_once(many_models.ROUGH)
    rows, dimensions = sizes.rows // 2, sizes.dimensions
    table = halves.features
    flop = sum(asked) * 4 * rows * dimensions + 2 * sizes.rows * dimensions**2

    def parts() -> None:
        for models in asked:
            slopes = np.ones((models, dimensions)) @ table.T
            np.exp(slopes, out=slopes)
            slopes @ table

    moved = FLOAT64 * (table.size + halves.members.size / FLOAT64 + sizes.models * dimensions)
    return Work("logistic", lambda: halves.at_once(many_models.ROUGH), flop, moved, FLOAT64, parts)


def _neighbours(sizes: Sizes) -> Work:
    """Find the nearest record of one label for each deleted one."""
    rng = np.random.default_rng(0)
    table, labels = rng.normal(size=(sizes.records, sizes.features)), rng.integers(0, 2, sizes.records)
    asked = (table[: sizes.deleted], labels[: sizes.deleted], table[sizes.deleted :], labels[sizes.deleted :])
    couples = [(asked[0][asked[1] == label], asked[2][asked[3] == label]) for label in (0, 1)]

    def parts() -> None:
        for rows, among in couples:
            for first in range(0, len(among), _BLOCK):
                distances = rows @ among[first : first + _BLOCK].T
                distances.argmin(axis=1)
                distances.min(axis=1)

    flop = 2 * sum(len(rows) * len(among) for rows, among in couples) * sizes.features
    return Work("neighbours", lambda: nearest(*asked), flop, table.nbytes, FLOAT64, parts)


def _chains(sizes: noisy_gd.Sizes) -> Work:
    """Run chains of noisy gradient descent on the same records."""
    records = noisy_gd.problem(sizes)
    start = chains.starts(noisy_gd.DESCENT, chains=sizes.chains, size=sizes.dimensions, rng=np.random.default_rng(1))
    flop, moved = 4 * sizes.chains * sizes.steps * records.features.size, records.features.nbytes + 2 * start.nbytes
    return Work("chains", lambda: _run(records, start, sizes), flop, moved, FLOAT64, lambda: _alone(records, start, sizes))


def _run(records: Records, start: Floats, sizes: noisy_gd.Sizes) -> Floats:
    rng = np.random.default_rng(2)
    return chains.run(noisy_gd.LOSS, records, noisy_gd.DESCENT, start, steps=sizes.steps, rng=rng)


def _alone(records: Records, start: Floats, sizes: noisy_gd.Sizes) -> None:
    """Both products of a step and its exponentials, in blocks that a cache holds, and its noise."""
    rng = np.random.default_rng(2)
    for _ in range(sizes.steps):
        for first in range(0, len(records.features), _ROWS):
            rows = records.features[first : first + _ROWS]
            slopes = start @ rows.T
            np.exp(slopes, out=slopes)
            slopes @ rows
        rng.standard_normal(start.shape)
