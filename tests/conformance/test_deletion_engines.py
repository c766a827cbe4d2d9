"""What every engine of deletion games keeps to: the answers of models that learned S, and of models without what was deleted."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from auditor import case as cases
from auditor.case import Case
from auditor.observing.deleting.asking import Answers, about, play
from auditor.observing.deleting.drawing import Drawn, draw
from deletion_games import TREE, counting, how
from swap_games import write_case


def games(case: Case, count: int = 3) -> Drawn:
    return draw(case.train, name="test", games=count, seed=1, classes=True, several=(2, 5))


def played(case: Case, drawn: Drawn) -> list[Answers]:
    return list(play(case, [about(case.train.features, game) for game in drawn.games], how()))


@pytest.mark.parametrize("foreign", [False, True])
def test_what_was_learned_by_heart_is_forgotten_where_it_is_deleted(tmp_path: Path, foreign: bool) -> None:
    folder = write_case(tmp_path, 'entry = "procedure.py:Procedure"' if foreign else TREE.format(unlearn="retrain"))
    if foreign:
        counting(folder)
    case = cases.read(folder)
    drawn = games(case)
    for game, answers in zip(drawn.games, played(case, drawn), strict=True):
        labels = case.train.labels
        asked = [int(each) for pair in zip((one[0] for one in game.deleted), game.kept, strict=True) for each in pair]
        assert answers.before.shape == (7, 2)
        assert len(answers.after) == 3
        # A tree that is grown to the end knows every record of S.
        assert np.array_equal(answers.before[:-1], np.eye(2)[labels[asked]])
        for number, after in enumerate(answers.after):
            kept = 2 * number + 1
            assert np.array_equal(after[kept], answers.before[kept])
            if foreign:
                assert after[2 * number].tolist() == [0.5, 0.5]


def test_nothing_changes_where_nothing_is_unlearned(tmp_path: Path) -> None:
    case = cases.read(write_case(tmp_path, TREE.format(unlearn="none")))
    for answers in played(case, games(case)):
        for after in answers.after:
            assert np.array_equal(after, answers.before)
