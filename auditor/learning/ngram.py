"""A language model that counts runs of words, with exact unlearning: by counting again, or by taking counts away.

It gives a text x₁ … x_t the probability Π P(x_i | x_{i−N+1} … x_{i−1}), where the first words have what comes before them (Gao,
Garg, Mahmoody and Vasudevan 2022, Appendix D), and P(w | context) = (count of context and w + k) / (count of context + kV) with
the smoothing k and V words, so that every text has one. The count of a context is that of the runs that go on from it.
"""

from __future__ import annotations

import io
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import numpy as np

from auditor.base.records import Dataset, Floats, Positions
from auditor.learning.facts import Facts


@dataclass(frozen=True, slots=True, eq=False)
class Counts:
    """The runs of one length and how often each occurs."""

    runs: Positions
    """Shape (r,), ascending: the words of a run as digits, the first word the most significant."""
    counts: Positions
    """Shape (r,), at least 1."""

    def of(self, wanted: Positions) -> Floats:
        """How often runs occur; shape as `wanted`."""
        if not len(self.runs):
            return np.zeros(wanted.shape)
        place = np.minimum(np.searchsorted(self.runs, wanted), len(self.runs) - 1)
        return np.where(self.runs[place] == wanted, self.counts[place], 0).astype(np.float64)


@dataclass(frozen=True, slots=True, eq=False)
class CountedModel:
    """Everything that is carried from one update to the next."""

    by_length: tuple[Counts, ...]
    """Runs of 1, 2, … words."""
    retrained: bool
    """Whether the last update counted again."""


class Ngram:
    """Learning by counting, unlearning by counting again or by subtraction.

    A row of features is a text: codes of words from 1, one after another, then zeros.
    """

    def __init__(self, *, order: int, smoothing: float, unlearn_by: Literal["retrain", "subtract"], words: int) -> None:
        """Keep the hyperparameters.

        Args:
            order: N, the words that a probability is taken over.
            smoothing: k above 0.
            unlearn_by: Whether to count what remains again, or to take counts away.
            words: V, how many words there are.

        Raises:
            ValueError: If runs of so many of so many words have no code of 63 bits.
        """
        if (words + 1) ** order >= 2**63:
            raise ValueError(f"expected fewer words for runs of {order}, found {words}")
        self._order, self._smoothing, self._unlearn_by, self._words = order, smoothing, unlearn_by, words

    def learn(self, data: Dataset, seed: int) -> CountedModel:  # noqa: ARG002 - counting needs no chance
        """Count the runs of the texts."""
        return CountedModel(tuple(self._counted(data.features, length) for length in range(1, self._order + 1)), retrained=True)

    def unlearn(self, model: CountedModel, data: Dataset, forget: Positions, seed: int) -> CountedModel:
        """Count the rows of `data` that are not in `forget`, shape (m,), or subtract what those in it count."""
        if self._unlearn_by == "retrain":
            return self.learn(data.subset(np.setdiff1d(np.arange(len(data)), forget)), seed)
        gone = self.learn(data.subset(forget), seed)
        left = tuple(_less(all_of, some) for all_of, some in zip(model.by_length, gone.by_length, strict=True))
        return CountedModel(left, retrained=False)

    def predict(self, model: CountedModel, features: Floats) -> Floats:
        """The logarithm of each text's probability, shape (n,)."""
        codes = features.astype(np.int64)
        total = np.zeros(len(codes))
        for place in range(codes.shape[1]):
            length = min(place + 1, self._order)
            there = codes[:, place] > 0
            if not there.any():
                break
            total[there] += np.log(self._share(model, self._code(codes[there, place - length + 1 : place + 1]), length))
        return total

    def state(self, model: CountedModel) -> bytes:
        """The runs and counts of every length, each in the .npy format."""
        stream = io.BytesIO()
        for each in model.by_length:
            np.save(stream, each.runs)
            np.save(stream, each.counts)
        return stream.getvalue()

    def save(self, model: CountedModel, path: str) -> None:
        """Write the same arrays as npz."""
        named: dict[str, Positions] = {}
        for length, each in enumerate(model.by_length, start=1):
            named |= {f"runs-{length}": each.runs, f"counts-{length}": each.counts}
        with Path(path).open("wb") as file:
            np.savez(file, **named)  # type: ignore[arg-type]

    def load(self, path: str) -> CountedModel:
        """Read such a file."""
        with np.load(path, allow_pickle=False) as file:
            lengths = range(1, self._order + 1)
            return CountedModel(tuple(Counts(file[f"runs-{each}"], file[f"counts-{each}"]) for each in lengths), retrained=False)

    def facts(self, model: CountedModel) -> Facts:
        """Whether the last update counted again."""
        return Facts(retrained=model.retrained)

    def _share(self, model: CountedModel, runs: Positions, length: int) -> Floats:
        """P of the last word of runs after the words before it."""
        counted = model.by_length[length - 1]
        found, base = counted.of(runs), self._words + 1
        before = runs // base
        # What goes on from a context: its runs follow one another.
        first, end = (np.searchsorted(counted.runs, each * base) for each in (before, before + 1))
        sums = np.concatenate([[0], np.cumsum(counted.counts)])
        context = sums[end] - sums[first]
        shares: Floats = (found + self._smoothing) / (context + self._smoothing * self._words)
        return shares

    def _counted(self, features: Floats, length: int) -> Counts:
        codes = features.astype(np.int64)
        if codes.shape[1] < length:
            return Counts(np.zeros(0, dtype=np.int64), np.zeros(0, dtype=np.int64))
        windows = np.lib.stride_tricks.sliding_window_view(codes, length, axis=1)
        # Zeros stand behind the last word alone: a run whose last word is there is one.
        whole = windows[windows[..., -1] > 0]
        runs, counts = np.unique(self._code(whole), return_counts=True)
        return Counts(runs.astype(np.int64), counts.astype(np.int64))

    def _code(self, windows: Positions) -> Positions:
        """Runs as numbers; `windows` has shape (r, length)."""
        base = self._words + 1
        powers = np.array([base**place for place in reversed(range(windows.shape[1]))], dtype=np.int64)
        codes: Positions = (windows * powers).sum(axis=1)
        return codes


def _less(all_of: Counts, some: Counts) -> Counts:
    """Counts with others taken away; runs that do not occur any more are left out."""
    counts = all_of.counts.copy()
    np.subtract.at(counts, np.searchsorted(all_of.runs, some.runs), some.counts)
    return Counts(all_of.runs[counts > 0], counts[counts > 0])
