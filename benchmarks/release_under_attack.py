"""`release.remembers` on digits-newton: 39 retrained models and ten that hold the records, trained, asked and scored.

No baseline: the time is what an audit adds where linear models of ours are trained many at a time.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from auditor import case as cases
from auditor.audit.replay import Replay, forgotten_of
from auditor.parts.release.judging.release_remembers.telling import table_of, tell
from auditor.parts.release.observing.release_remembers import linear, scored
from auditor.parts.release.observing.release_remembers.questions import draw
from benchmarks.measuring import SAMPLES, Figure, times


@dataclass(frozen=True, slots=True)
class Sizes:
    """Retrained models, those that hold the records, and how often they are trained."""

    models: int
    holding: int
    repeats: int


USUAL, TINY = Sizes(models=39, holding=10, repeats=5), Sizes(models=5, holding=2, repeats=1)


def measure(sizes: Sizes) -> Iterator[Figure]:
    """Time the attack."""
    case = cases.read(SAMPLES / "digits-newton")
    forgotten = forgotten_of(case)

    def attacked() -> None:
        questions = draw(case, forgotten, models=sizes.models, holding=sizes.holding, seed=0)
        if questions is None:
            raise AssertionError("the sample deletes records")
        found = scored(questions, linear.Linear(case, questions, _shipped()).play())
        tell(table_of(found), level=0.05)

    yield times(attacked, repeats=sizes.repeats).figure("remembers")


def _shipped() -> Replay:
    """A replay that nothing is read of: the model file is attacked."""
    replay: Replay = object.__new__(Replay)
    return replay
