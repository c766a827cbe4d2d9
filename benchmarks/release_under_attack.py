"""`release.remembers` on digits-newton: 39 retrained models and ten that hold the records, trained, asked and scored.

No baseline: the time is what an audit adds where linear models of ours are trained many at a time.
"""

from __future__ import annotations

from auditor import case as cases
from auditor.checks.release_remembers.telling import table_of, tell
from auditor.observing.release_remembers import linear, scored
from auditor.observing.release_remembers.questions import draw
from auditor.observing.replay import Replay, forgotten_of
from auditor.resources import sample_models
from benchmarks.measuring import line, seconds

MODELS, HOLDING = 39, 10


def main() -> None:
    """Measure."""
    case = cases.read(sample_models() / "digits-newton")
    forgotten = forgotten_of(case)

    def attacked() -> None:
        questions = draw(case, forgotten, models=MODELS, holding=HOLDING, seed=0)
        if questions is None:
            raise AssertionError("the sample deletes records")
        found = scored(questions, linear.play(case, questions, _shipped()))
        tell(table_of(found), level=0.05)

    line("release.remembers on digits-newton, K = 39", f"{seconds(attacked):.2f} s", "under 2 s")


def _shipped() -> Replay:
    """A replay that nothing is read of: the model file is attacked."""
    replay: Replay = object.__new__(Replay)
    return replay


if __name__ == "__main__":
    main()
