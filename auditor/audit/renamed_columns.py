"""What a game shows a case's own code, so that little but the records' content tells a game from the log.

Code that unlearns in the game alone would pass it. So ids are those of the case, each with another record, and code that reads
its ids runs; seeds have as many digits as the case's, of few digits some seeds occur more than once; a batch gets the seed of
learning plus its number, as in the log; the same tables lie in the folder. What remains to be told is listed in
docs/threat-model.md. Procedures of ours are shown the case as it is.
"""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Iterator, Mapping
from dataclasses import replace
from typing import Final

import numpy as np
import numpy.typing as npt

from auditor.audit.predicted import asked
from auditor.audit.replay import beside, forgotten_of
from auditor.base.deletion_log.deletions import replayable
from auditor.base.draws import generator
from auditor.base.records import Dataset, Positions
from auditor.case import Case

_LEAST_DIGITS: Final = 6
_GAME_BATCHES: Final = 3
"""By which a seed grows within a game: it keeps its digits."""
_BATCHES: Final = 10_000
"""By which a seed may grow from batch to batch."""
_TRIES: Final = 200
"""Times that an id is changed at random before one is counted up."""


class Disguise:
    """The records, tables and seeds of a case as its games show them.

    Attributes:
        train: The training records; where the case's own code runs, the ids permuted among the records of each label.
        tables: The tables that lie alongside them, of features alone: those of the replay.
    """

    def __init__(self, case: Case, *, seed: int) -> None:
        """Draw what is shown.

        Args:
            case: The case.
            seed: The auditor's own.
        """
        self._foreign = case.settings.procedure.foreign
        own = case.settings.procedure.seed
        self._alike, self._many = _seeds_like(own, 1), _seeds_like(own, _LEAST_DIGITS)
        self._seed = seed
        self.train = _permuted(case.train, seed) if self._foreign else case.train
        self.tables = tables_beside(case, seed=seed)

    def seed(self, number: int) -> int:
        """The seed that stands for a number that was drawn: equal ones for equal numbers, of few digits for others too."""
        return self._drawn(number, self._alike) if self._foreign else number

    def distinct_seed(self, number: int) -> int:
        """The same with six digits at least, where models have to differ more than they have to be blind."""
        return self._drawn(number, self._many) if self._foreign else number

    def _drawn(self, number: int, between: tuple[int, int]) -> int:
        least, end = between
        name = f"seed of a game\0{self._seed}\0{number}"
        # A digit has fewer than four bits.
        bits = hashlib.shake_256(name.encode()).digest(8 + len(str(end)) // 2)
        return least + int.from_bytes(bits, "big") % (end - least)

    def unlearning_seed(self, learning: int, number: int, batch: int = 1) -> int:
        """The seed of a batch, counted from 1, after learning with the seed for one number.

        Another number was drawn for procedures of ours.
        """
        return self.seed(learning) + batch if self._foreign else number


def tables_beside(case: Case, *, seed: int) -> Mapping[str, Dataset]:
    """The tables that lie alongside the records of the replay, where the case's own code could look for them; else none."""
    if not case.settings.procedure.foreign:
        return {}
    return beside(case, asked(case, _left(case), seed=seed), forgotten_of(case))


def _seeds_like(own: int, least: int) -> tuple[int, int]:
    """The seeds with as many digits as the case's own, and at least so many, as a range: its end is not one of them.

    Where the case's own fits a common kind of integer, they do: code may hand its seed to a generator that takes no larger one.
    """
    digits = max(least, len(str(own)))
    fitting = [2**bits for bits in (31, 32, 63, 64) if own + _BATCHES < 2**bits]
    end = min(10**digits, fitting[0]) if fitting else 10**digits
    return 10 ** (digits - 1) if digits > 1 else 0, end - _GAME_BATCHES


def _left(case: Case) -> Positions:
    """Positions of the training records that the log leaves."""
    gone = {record for batch in replayable(case.requests, case.known_ids) for record in batch.record_ids}
    return np.array([place for place, record in enumerate(case.train.ids.tolist()) if record not in gone], dtype=np.int64)


def _permuted(train: Dataset, seed: int) -> Dataset:
    """The records with one another's ids: of a label those that records of this label have, as some ids name it."""
    ids = train.ids.copy()
    rng = generator(seed, "disguise", "ids")
    groups = [np.arange(len(train))] if train.labels.dtype.kind == "f" else _groups(train.labels)
    for group in groups:
        ids[group] = train.ids[rng.permutation(group)]
    return replace(train, ids=ids)


def _groups(labels: npt.NDArray[np.generic]) -> Iterator[npt.NDArray[np.int64]]:
    return (np.flatnonzero(labels == label) for label in np.unique(labels))


def similar_ids(ids: npt.NDArray[np.str_], count: int, *, rng: np.random.Generator, taken: Collection[str] = ()) -> list[str]:
    """Ids of the same form that no record has, each from one that a record has.

    Digits and letters are changed where the ids of that length differ in them, into ones that are there in another id; where
    all of those are taken, the last number of an id is counted up beyond every other one, and where there is none, letters are
    added.

    Args:
        ids: Shape (n,), those of the records.
        count: How many.
        rng: Chooses.
        taken: Others that none may be.
    """
    own = ids.tolist()
    known = {*own, *taken}
    seen = _characters(own)
    made: list[str] = []
    for _ in range(count):
        found = next((each for each in _changed(own, seen, rng) if each not in known), None)
        if found is None:
            found = next(each for each in _counted(own[int(rng.integers(len(own)))]) if each not in known)
        known.add(found)
        made.append(found)
    return made


def _characters(own: list[str]) -> dict[tuple[int, int, str], list[str]]:
    """What is at a place of ids of one length, by the kind of character."""
    found: dict[tuple[int, int, str], set[str]] = {}
    for each in own:
        for place, character in enumerate(each):
            found.setdefault((len(each), place, _kind(character)), set()).add(character)
    return {where: sorted(characters) for where, characters in found.items() if where[2]}


def _changed(own: list[str], seen: Mapping[tuple[int, int, str], list[str]], rng: np.random.Generator) -> Iterator[str]:
    for _ in range(_TRIES):
        each = own[int(rng.integers(len(own)))]
        choices = (seen.get((len(each), place, _kind(character)), [character]) for place, character in enumerate(each))
        yield "".join(choice[int(rng.integers(len(choice)))] for choice in choices)


def _counted(own: str) -> Iterator[str]:
    """An id with its last number counted up; with letters behind it where it has none."""
    end = next((place + 1 for place in reversed(range(len(own))) if _kind(own[place]) == "digit"), None)
    if end is None:
        yield from (own + "a" * more for more in range(1, 10**6))
        return
    begin = end
    while begin and _kind(own[begin - 1]) == "digit":
        begin -= 1
    width, number = end - begin, int(own[begin:end])
    yield from (f"{own[:begin]}{number + more:0{width}d}{own[end:]}" for more in range(1, 10**7))


def _kind(character: str) -> str:
    """The kind of a character that may stand for another; empty for what belongs to the form."""
    if not character.isascii():
        return ""
    if character.isdigit():
        return "digit"
    if character.isalpha():
        return "upper" if character.isupper() else "lower"
    return ""
