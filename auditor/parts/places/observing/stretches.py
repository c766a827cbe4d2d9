"""Find stretches of deleted people's texts that no one who stays has as a whole, where each few words of them are in others' too.

A text of common sentences may have hardly a run of words that is its own, and yet nobody else has these sentences one after the
other. That is too little to say that the text is there, and too much to say that nothing of it is.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import reduce
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from auditor.parts.places.judging.quoted import FEWEST

_Ints = npt.NDArray[np.int64]
_MOST: Final = 4_000_000
"""Runs of a text, each with each deleted person who has it, that are put in order; of more, the most common ones are left out."""


class _Held(NamedTuple):
    """Who has each of some runs."""

    starts: _Ints
    """Where the people of each run begin, and where those of the last one end."""
    people: npt.NDArray[np.int32]

    @classmethod
    def of(cls, known: npt.NDArray[np.uint64], runs: npt.NDArray[np.uint64], people: npt.NDArray[np.int32]) -> _Held:
        """Take people of runs that are in ascending order, as the known ones are."""
        held = np.isin(runs, known)
        return cls(np.append(np.searchsorted(runs[held], known), np.count_nonzero(held)), people[held])

    def of_run(self, run: int) -> npt.NDArray[np.int32]:
        """Who has one, in ascending order."""
        return self.people[self.starts[run] : self.starts[run + 1]]

    def of_runs(self, runs: _Ints) -> tuple[npt.NDArray[np.int32], _Ints]:
        """Who has each of some, and which of them it is."""
        sizes = self.starts[runs + 1] - self.starts[runs]
        which = np.repeat(np.arange(len(runs)), sizes)
        return self.people[np.arange(len(which)) - np.repeat(np.cumsum(sizes) - sizes, sizes) + self.starts[runs][which]], which


@dataclass(frozen=True, slots=True)
class Stretches:
    """Runs of deleted people's texts, with everybody who has them."""

    _runs: npt.NDArray[np.uint64]
    """In ascending order, each once."""
    _gone: _Held
    _kept: _Held
    _alone: dict[tuple[int, ...], bool] = field(default_factory=dict)
    """Of stretches, whether nobody who stays has all of it."""

    @classmethod
    def of(cls, runs: npt.NDArray[np.uint64], people: npt.NDArray[np.int32], deleted: int) -> Stretches:
        """Prepare the search.

        Args:
            runs: In ascending order, one entry for each person who has it.
            people: Whose each is, in ascending order too where the run is one; the first `deleted` are deleted people.
            deleted: How many they are.
        """
        gone = people < deleted
        known = np.unique(runs[gone])
        return cls(known, _Held.of(known, runs[gone], people[gone]), _Held.of(known, runs[~gone], people[~gone]))

    @property
    def count(self) -> int:
        """How many runs there are."""
        return len(self._runs)

    def times(self, met: npt.NDArray[np.bool_], people: int) -> _Ints:
        """How many of some runs, marked in the order of all, each deleted person has, shape (people,)."""
        return np.bincount(self._gone.of_runs(np.flatnonzero(met))[0], minlength=people)

    def met(self, runs: npt.NDArray[np.uint64]) -> tuple[_Ints, _Ints]:
        """Which of the runs of a text are known, by their place in it, and which they are."""
        which = np.searchsorted(self._runs, runs)
        there = which < len(self._runs)
        there[there] = self._runs[which[there]] == runs[there]
        return np.flatnonzero(there), which[there]

    def alone_in(self, places: _Ints, which: _Ints) -> set[int]:
        """Give deleted people of whom a text has a stretch that nobody who stays has as a whole.

        Args:
            places: Places of runs in the text, in ascending order.
            which: Which runs they are.
        """
        sizes = self._gone.starts[which + 1] - self._gone.starts[which]
        if sizes.sum() > _MOST:
            order = np.argsort(sizes, kind="stable")
            left = np.sort(order[np.cumsum(sizes[order]) <= _MOST])
            places, which = places[left], which[left]
        people, of = self._gone.of_runs(which)
        order = np.lexsort((of, people))
        people, of = people[order], of[order]
        at = places[of]
        begins = np.flatnonzero(np.diff(people, prepend=-1).astype(bool) | (np.diff(at, prepend=-2) != 1))
        lengths = np.diff(np.append(begins, len(people)))
        begins, lengths = begins[lengths >= FEWEST], lengths[lengths >= FEWEST]
        found = set[int]()
        keys = np.stack([people[begins], which[of[begins]], which[of[begins + lengths - 1]], lengths], axis=1)
        _, firsts = np.unique(keys, axis=0, return_index=True)
        for first in firsts.tolist():
            key, begin = tuple(keys[first].tolist()), int(begins[first])
            if key not in self._alone:
                self._alone[key] = self._is_alone(which[of[begin : begin + int(lengths[first])]])
            if self._alone[key]:
                found.add(key[0])
        return found

    def _is_alone(self, runs: _Ints) -> bool:
        """Whether nobody who stays has all of some runs."""
        held = sorted((self._kept.of_run(run) for run in runs.tolist()), key=len)
        return not len(reduce(lambda some, those: some[np.isin(some, those)], held))
