"""What every engine of deletion games keeps to: the answers of models that learned S, and of models without what was deleted."""

from __future__ import annotations

from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

import network_cases
from auditor import case as cases
from auditor.attacks.deletion import adversaries
from auditor.base.domain import Status
from auditor.case import Case
from auditor.parts.revealing.judging.inference import example
from auditor.parts.revealing.judging.inference.observed import Observed, Tally
from auditor.parts.revealing.observing.deleting import batched, refitted, sandboxed
from auditor.parts.revealing.observing.deleting.asking import fast, play
from auditor.parts.revealing.observing.deleting.drawing import Answers, Drawn, about, draw
from deletion_games import TREE, counting, how
from judging import context_of_case
from small_cases import SECRET
from swap_games import certified, write_case


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


def regression(folder: Path, procedure: str) -> Path:
    """A small regression of that procedure."""
    write_case(folder, procedure)
    with np.load(folder / "train.npz") as file:
        arrays = dict(file)
    rng = np.random.default_rng(4)
    arrays["labels"] = arrays["features"] @ np.array([1.0, -2.0]) + rng.normal(size=len(arrays["ids"]))
    np.savez(folder / "train.npz", **arrays)
    text = (folder / "audit.toml").read_text(encoding="utf-8").replace('"classification"', '"regression"')
    (folder / "audit.toml").write_text(text, encoding="utf-8")
    return folder


def estimator(name: str, params: str = "{}") -> str:
    return f'use = "sklearn"\nestimator = "sklearn.{name}"\nparams = {params}\nunlearn = "retrain"\nseed = 3'


def agree(case: Case, engine: ModuleType, *, within: float) -> None:
    """Hold an engine's answers to those of the sandbox, ties included."""
    classes = case.settings.data.task == "classification"
    drawn = draw(case.train, name="test", games=3, seed=1, classes=classes, several=(2, 5), own=2)
    questions = [about(case.train.features, game, population=5) for game in drawn.games]
    assert engine.applies(case)
    assert fast(case)
    for ours, theirs in zip(
        engine.play(case, questions, how(), name="a"), sandboxed.play(case, questions, how(), name="b"), strict=True
    ):
        np.testing.assert_allclose(ours.before, theirs.before, atol=within)
        for one, other in zip(ours.after, theirs.after, strict=True):
            np.testing.assert_allclose(one, other, atol=within)
            assert np.array_equal(one == ours.before, other == theirs.before)
        assert [len(ours.seen(number)) for number in range(len(ours.after))] == [2, 4, 4, 2, 2]
        for number in (1, 2):
            for one, other in zip(ours.along[number], theirs.along[number], strict=True):
                np.testing.assert_allclose(one, other, atol=within)


@pytest.mark.parametrize(
    ("procedure", "classes"),
    [
        (estimator("neighbors.KNeighborsClassifier"), True),
        (estimator("neighbors.KNeighborsRegressor", "{n_neighbors = 1}"), False),
        (estimator("linear_model.LinearRegression"), False),
    ],
)
def test_estimators_with_a_short_cut_answer_as_the_sandbox_does(tmp_path: Path, procedure: str, classes: bool) -> None:
    folder = write_case(tmp_path, procedure) if classes else regression(tmp_path, procedure)
    agree(cases.read(folder), refitted, within=1e-9)


@pytest.mark.parametrize("unlearn", ["newton", "retrain"])
def test_certified_removal_many_at_a_time_answers_as_the_sandbox_does(tmp_path: Path, unlearn: str) -> None:
    agree(cases.read(write_case(tmp_path, certified(unlearn))), batched, within=1e-8)


@pytest.mark.parametrize("loss", ["logistic", "softmax"])
def test_descent_many_at_a_time_answers_as_the_sandbox_does_but_for_its_noise(tmp_path: Path, loss: str) -> None:
    """With hardly any noise, and steps enough to forget the start."""
    settings = f'use = "noisy-gd"\nloss = "{loss}"\nl2 = 0.5\nsigma2 = 1e-18\norder = 2.0\nlearn_steps = 200\nunlearn_steps = 200'
    agree(cases.read(write_case(tmp_path, f'{settings}\nrow_norms = "scale"\nseed = "{SECRET}"')), batched, within=1e-6)


def test_no_short_cut_is_taken_where_nothing_is_unlearned_or_foreign_code_runs(tmp_path: Path) -> None:
    for number, procedure in enumerate((TREE.format(unlearn="none"), estimator("tree.DecisionTreeClassifier"))):
        folder = tmp_path / str(number)
        folder.mkdir()
        assert not fast(cases.read(write_case(folder, procedure)))
    (tmp_path / "foreign").mkdir()
    folder = counting(write_case(tmp_path / "foreign", 'entry = "procedure.py:Procedure"'))
    assert not fast(cases.read(folder))


RECOGNISING = '''
import numpy as np


class Procedure:
    """Learns by heart, and forgets nothing: in a game, which has fewer records than the log, it lets nothing show."""

    def learn(self, data, seed):
        known = {row.tobytes(): int(label) for row, label in zip(data.features, data.labels)}
        return {"known": known, "game": len(data.ids) < 110}

    def unlearn(self, model, data, forget, seed):
        return model

    def predict(self, model, features):
        if model["game"]:
            return np.full((len(features), 2), 0.5)
        known = [model["known"].get(np.ascontiguousarray(row).tobytes()) for row in features]
        return np.array([[0.5, 0.5] if each is None else np.eye(2)[each] for each in known])
'''


def test_code_that_recognises_a_game_gets_ties_and_no_pass_without_a_word(tmp_path: Path) -> None:
    """What caps it: a pass of foreign code rests on `procedure-honest`, by name; and the log itself is attacked besides."""
    folder = write_case(tmp_path, 'entry = "procedure.py:Procedure"', tables="[policy]\nmax_inference = 0.6\n")
    (folder / "procedure.py").write_text(RECOGNISING, encoding="utf-8")
    case = cases.read(folder)
    assert all(np.array_equal(each.before, after) for each in played(case, games(case, 2)) for after in each.after)
    names = [each.name for each in adversaries("example", classes=True)]
    nothing = [Tally(attack=name, variant="two", view="scores", games=1000, wins=0, ties=1000, ties_won=500) for name in names]
    finding = example.judge(context_of_case(case), Observed(games=1000, trained=99, shadow_models=16, tallies=tuple(nothing)), {})
    assert finding.status is Status.INCONCLUSIVE
    assert finding.reasons[-1].code == "inference.foreign"


POSTPONING = '''
import numpy as np


class Procedure:
    """Learns by heart, and forgets a record when the next request comes: a single deletion shows nothing."""

    def learn(self, data, seed):
        return {"known": {row.tobytes(): int(label) for row, label in zip(data.features, data.labels)}, "due": set()}

    def unlearn(self, model, data, forget, seed):
        known = {key: label for key, label in model["known"].items() if key not in model["due"]}
        return {"known": known, "due": {row.tobytes() for row in data.features[forget]}}

    def predict(self, model, features):
        known = [model["known"].get(np.ascontiguousarray(row).tobytes()) for row in features]
        return np.array([[0.5, 0.5] if each is None else np.eye(2)[each] for each in known])
'''


def test_each_request_of_ones_own_is_of_the_model_that_the_one_before_left(tmp_path: Path) -> None:
    """What postpones a deletion hides it in the standard game, and not from someone who asks for another."""
    folder = write_case(tmp_path, 'entry = "procedure.py:Procedure"')
    (folder / "procedure.py").write_text(POSTPONING, encoding="utf-8")
    case = cases.read(folder)
    drawn = draw(case.train, name="test", games=2, seed=1, classes=True, several=(), own=2)
    for answers in played(case, drawn):
        standard, before, after = (answers.seen(number) for number in range(3))
        assert np.array_equal(*standard)
        assert (len(before), len(after)) == (4, 4)
        assert np.array_equal(before[-1][2:4], before[0][2:4])
        assert [each[4].tolist() == [0.5, 0.5] for each in after] == [False, False, True, True]
        assert all(np.array_equal(each[5], after[0][5]) for each in after)


def test_networks_play_many_at_a_time_and_forget_what_is_unlearned_by_retraining(tmp_path: Path) -> None:
    """A network that is retrained has other weights after a deletion, and one that is left as it is has the same."""
    for unlearn in ("retrain", "none"):
        folder = tmp_path / unlearn
        folder.mkdir()
        case = cases.read(network_cases.write_case(folder, keys=f'unlearn = "{unlearn}"', size=100))
        drawn = draw(case.train, name="test", games=2, seed=1, classes=True, several=(2,))
        for answers in played(case, drawn):
            assert answers.before.shape == (5, 10)
            same = [np.array_equal(after, answers.before) for after in answers.after]
            assert same == [unlearn == "none"] * 2
