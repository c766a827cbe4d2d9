"""The games again under what could be done about it: fewer answers, larger batches, the next retraining, private training."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator, Sequence
from typing import Final, Protocol, TypeAlias

import numpy as np

from auditor.audit.run_options import RunOptions
from auditor.base.draws import generator
from auditor.base.records import Dataset, Floats, Positions
from auditor.case import Case
from auditor.parts.revealing.judging.reconstruction.observed import Tally, Under
from auditor.parts.revealing.observing.deleting import remedies
from auditor.parts.revealing.observing.deleting.drawing import Answers, Asked, fully
from auditor.parts.revealing.observing.deleting.shadows import known_labels, views
from auditor.parts.revealing.observing.reconstructing.drawing import Drawn
from auditor.verdict.checks.deleting import SEVERAL
from auditor.verdict.checks.remedies import PrivateTraining, Remedy

SEVERALS: Final[dict[int, Remedy]] = {2: "several-2", 5: "several-5", 10: "several-10", 20: "several-20"}
_SEEDS: Final = 2**31
Played: TypeAlias = tuple[tuple[Under, ...], PrivateTraining | None]
NOTHING: Final[Played] = ((), None)
Holds: TypeAlias = Callable[[Sequence[Tally]], bool]
"""Whether games keep within the limit, so that nothing has to be remedied."""
Play: TypeAlias = Callable[..., Sequence[Answers]]


class Adversary(Protocol):
    """What the adversary of a check asks, and what they make of the answers."""

    def ask(self, number: int, drawn: Drawn) -> Floats:
        """The rows that both models of a game are asked about, shape (q, d); of each game the same whenever it is played."""

    def beside(self, drawn: Drawn) -> Dataset:
        """The records among them whose labels are known: the last rows that are asked about."""

    def tell(self, drawn: Sequence[Drawn], rows: Sequence[Floats], answers: Sequence[Answers], remedy: str) -> tuple[Tally, ...]:
        """Count the games of every attack; the name of the remedy, empty for none, draws ties of its own."""


def keeps(_tallies: Sequence[Tally]) -> bool:
    """Where nobody asks for remedies, none is measured."""
    return True


def measured(
    case: Case,
    how: RunOptions,
    adversary: Adversary,
    drawn: Sequence[Drawn],
    rows: Sequence[Floats],
    answers: Sequence[Answers],
    *,
    name: str,
    play: Play,
    shadows: int = 0,
) -> Played:
    """Count the same games under every remedy that the task has.

    What shows less of the answers is measured on all of them; what needs models of its own on fewer.

    Args:
        case: The case.
        how: How the run observes.
        adversary: Of the check.
        drawn: The games, those first on which the adversary sets what they need to.
        rows: What was asked in each.
        answers: What was answered.
        name: Of the check: other checks draw others.
        play: Trains, deletes and asks.
        shadows: How many games come first.
    """
    found: list[Under] = []
    for view, see in views(known_labels(case)).items():
        if view != "scores":
            shown = [Answers(see(each.before), tuple(see(after) for after in each.after)) for each in answers]
            found.append(Under(remedy=view, tallies=adversary.tell(drawn, rows, shown, view)))
    count = shadows + fully(len(drawn) - shadows)
    some, asked = list(drawn[:count]), list(rows[:count])
    again = _Again(case, how, adversary, some, asked, name, play)
    found += again.in_batches()
    found.append(again.waiting())
    private, training = again.private([each.before for each in answers[:count]])
    return tuple(found if private is None else [*found, private]), training


@dataclasses.dataclass(frozen=True, slots=True, eq=False)
class _Again:
    """Games that are played again."""

    case: Case
    how: RunOptions
    adversary: Adversary
    drawn: Sequence[Drawn]
    rows: Sequence[Floats]
    name: str
    play: Play

    def in_batches(self) -> Iterator[Under]:
        """Each deleted record goes with others, which are neither decoys nor the last of their class."""
        codes = np.unique(self.case.train.labels, return_inverse=True)[1]
        classes = codes if self.case.settings.data.task == "classification" else np.zeros(len(codes), dtype=np.int64)
        together = [in_batches(each, classes, self._rng("batches", number)) for number, each in enumerate(self.drawn)]
        sizes = min(len(each.game.deleted) for each in together)
        answers = self._play([Asked(each.game, rows) for each, rows in zip(together, self.rows, strict=True)], "in batches")
        for at in range(sizes):
            told = [Answers(each.before, (each.after[at],)) for each in answers]
            remedy = SEVERALS[len(together[0].game.deleted[at])]
            yield Under(remedy=remedy, tallies=self.adversary.tell(together, self.rows, told, remedy))

    def waiting(self) -> Under:
        """A fresh training without the record, with records that arrived, of which the adversary knows none."""
        known = [dataclasses.replace(each, game=remedies.standard(each.game, arrivals=True)) for each in self.drawn]
        rows = [self.adversary.ask(number, each) for number, each in enumerate(known)]
        asked = []
        for number, (each, new, some) in enumerate(zip(self.drawn, known, rows, strict=True)):
            first = dataclasses.replace(new.game, deleted=(), unlearn_seeds=())
            asked += [Asked(first, some), Asked(remedies.retrained(each.game, self._rng("waiting", number)), some)]
        answers = self._play(asked, "next retraining")
        told = [Answers(one.before, (other.before,)) for one, other in zip(answers[::2], answers[1::2], strict=True)]
        return Under(remedy="waiting", tallies=self.adversary.tell(known, rows, told, "waiting"))

    def private(self, own: Sequence[Floats]) -> tuple[Under | None, PrivateTraining | None]:
        """The same with models of our own private training, and how many records both class right."""
        made = remedies.private_case(self.case)
        if made is None:
            return None, None
        asked = [Asked(each.game, remedies.scaled(rows)) for each, rows in zip(self.drawn, self.rows, strict=True)]
        answers = self._play(asked, "private training", made.case)
        beside = [self.adversary.beside(each) for each in self.drawn]
        training = PrivateTraining(
            epsilon=made.epsilon,
            delta=made.delta,
            right=self._right([each.before for each in answers], beside),
            own_right=self._right(own, beside),
            records=sum(len(each) for each in beside),
        )
        return Under(remedy="private", tallies=self.adversary.tell(self.drawn, self.rows, answers, "private")), training

    def _right(self, before: Sequence[Floats], beside: Sequence[Dataset]) -> int:
        known = np.unique(self.case.train.labels)
        pairs = zip(before, beside, strict=True)
        return sum(int((known[told[-len(each) :].argmax(axis=1)] == each.labels).sum()) for told, each in pairs if len(each))

    def _play(self, asked: Sequence[Asked], what: str, case: Case | None = None) -> Sequence[Answers]:
        return self.play(case or self.case, asked, self.how, name=f"{self.name} games, {what}")

    def _rng(self, what: str, number: int) -> np.random.Generator:
        return generator(self.how.seed, "reconstructing", self.name, what, number)


def in_batches(drawn: Drawn, codes: Positions, rng: np.random.Generator) -> Drawn:
    """The same game with several deletions: of its record with 1, 4, 9 and 19 others, as far as the set allows.

    The others are drawn alike whichever candidate is deleted: no candidate is among them, and one record of each class stays.

    Args:
        drawn: The game.
        codes: Class codes of the training records, shape (n,); zeros of a regression.
        rng: Draws the others and the seeds.
    """
    rest = rng.permutation(np.setdiff1d(drawn.game.trained, drawn.candidates)).astype(np.int64)
    staying = rest[np.unique(codes[rest], return_index=True)[1]]
    others = rest[~np.isin(rest, staying)]
    sizes = [size for size in SEVERAL if size <= len(drawn.game.trained) // 4 and size - 1 <= len(others)]
    gone = tuple(np.concatenate([drawn.game.deleted[0], others[: size - 1]]) for size in sizes)
    seeds = tuple(int(seed) for seed in rng.integers(_SEEDS, size=len(sizes)))
    return dataclasses.replace(drawn, game=dataclasses.replace(drawn.game, deleted=gone, unlearn_seeds=seeds))
