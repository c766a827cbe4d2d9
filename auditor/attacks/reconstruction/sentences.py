"""A deleted sentence (Gao et al. 2022, Appendix D): the runs of words that became less likely, put together again.

Each run of N words that fell is a node; an edge leads from one to another that begins with its last N − 1 words. The sentence is
a path through all of them, which may visit a node more than once where the sentence repeats a run: the shortest one is sought.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, TypeAlias

Run: TypeAlias = tuple[int, ...]

MOST_STEPS: Final = 20_000
"""Nodes that the search for a path enters, so that the same search ends the same way on every machine."""
MOST_SECONDS: Final = 30.0
"""A guard behind it, which no ordinary search reaches."""
MOST_REPEATS: Final = 3
"""Visits beyond the first that a path may make in all."""
_LOOK_AT_CLOCK: Final = 1024


@dataclass(frozen=True, slots=True)
class Rebuilt:
    """A sentence put together."""

    words: Run
    whole: bool
    """Whether one path visits every node; otherwise pieces follow one another."""
    out_of_time: bool
    """Whether the clock cut the search short, so that another run might find more."""


def rebuild(fallen: Iterable[Run]) -> Rebuilt:
    """Put runs of words of one length together.

    Args:
        fallen: The runs that the deletion made less likely, each once.
    """
    left = sorted(set(fallen))
    if not left:
        return Rebuilt((), whole=False, out_of_time=False)
    if len(left[0]) == 1:
        # Single words say nothing of their order.
        return Rebuilt(tuple(word for (word,) in left), whole=False, out_of_time=False)
    words, pieces, late = list[int](), 0, False
    while left:
        search = _Search(left)
        path = search.best()
        words += [*path[0], *(run[-1] for run in path[1:])]
        seen = set(path)
        left = [run for run in left if run not in seen]
        pieces, late = pieces + 1, late or search.late
    return Rebuilt(tuple(words), whole=pieces == 1, out_of_time=late)


def f1(guess: Sequence[int], sentence: Sequence[int]) -> float:
    """2|x ∩ x′|/(|x| + |x′|), both as multisets of words; 0 where both are empty."""
    shared = sum((Counter(guess) & Counter(sentence)).values())
    words = len(guess) + len(sentence)
    return 2 * shared / words if words else 0.0


@dataclass(slots=True)
class _Search:
    """Depth first, with a growing number of repeated visits; what visits most nodes in fewest steps is kept."""

    nodes: Sequence[Run]
    late: bool = False
    _steps: int = 0
    _longest: list[Run] = field(default_factory=list)
    _most: int = 0

    def best(self) -> list[Run]:
        following = _edges(self.nodes)
        entered = {each for others in following.values() for each in others}
        starts = [node for node in self.nodes if node not in entered] or list(self.nodes)
        begun = time.monotonic()
        for repeats in range(MOST_REPEATS + 1):
            for start in starts:
                if self._walk(start, following, repeats, begun) or self._spent:
                    return self._longest
        return self._longest

    @property
    def _spent(self) -> bool:
        return self.late or self._steps >= MOST_STEPS

    def _walk(self, start: Run, following: Mapping[Run, Sequence[Run]], repeats: int, begun: float) -> bool:
        """Whether a path from `start` visits every node with so many repeated visits; no recursion, sentences may be long."""
        path, visits, extra = [start], Counter([start]), 0
        choices = [iter(following[start])]
        self._note(path, visits)
        while choices:
            if len(visits) == len(self.nodes):
                return True
            if self._steps >= MOST_STEPS:
                return False
            chosen = next((node for node in choices[-1] if not visits[node] or extra < repeats), None)
            if chosen is None:
                choices.pop()
                gone = path.pop()
                visits[gone] -= 1
                if visits[gone]:
                    extra -= 1
                else:
                    del visits[gone]
                continue
            self._steps += 1
            if self._steps % _LOOK_AT_CLOCK == 0 and time.monotonic() - begun > MOST_SECONDS:
                self.late = True
                return False
            extra += bool(visits[chosen])
            visits[chosen] += 1
            path.append(chosen)
            choices.append(iter(following[chosen]))
            self._note(path, visits)
        return False

    def _note(self, path: Sequence[Run], visits: Mapping[Run, int]) -> None:
        seen = len(visits)
        if seen > self._most:
            self._longest, self._most = list(path), seen


def _edges(nodes: Sequence[Run]) -> dict[Run, list[Run]]:
    beginning: dict[Run, list[Run]] = {}
    for node in nodes:
        beginning.setdefault(node[:-1], []).append(node)
    return {node: beginning.get(node[1:], []) for node in nodes}
