"""What every way of playing the SWAP test keeps to: the grounding of its control, reproducibility, one game for all paths."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import fields
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from auditor import case as cases
from auditor.attacks import attacks
from auditor.audit.devices import on_cpu
from auditor.audit.renamed_columns import Disguise
from auditor.base.records import Dataset
from auditor.case import Case
from auditor.document.evidence import Evidence
from auditor.parts.swap.observing import convex
from auditor.parts.swap.observing.drawing import Game, draw
from auditor.parts.swap.observing.model_outputs import Played
from auditor.parts.swap.observing.rerunning import Rerunning
from auditor.sandbox import Learn, PredictRows, Unlearn, available
from auditor.sandbox.jobs import run
from cases import SAMPLES, audited, check_of
from small_cases import problem, write
from swap_games import KINDS, adversaries, certified, random_tree, small_game, write_case

PLAYED = tuple(kind for kind in KINDS if kind != "learned")


def weighted(case: Case) -> Case:
    """The case with very unequal weights."""
    weights = np.random.default_rng(3).exponential(size=len(case.train)) ** 3
    train = Dataset(case.train.features, case.train.labels, case.train.ids, weights)
    return Case(**{item.name: getattr(case, item.name) for item in fields(case)} | {"train": train})


def silent(*_: Any) -> None:
    """No progress."""


def sandboxed(case: Case, game: Game) -> Played:
    rerunning = Rerunning(case, game, Disguise(case, seed=0), level=available(), where=on_cpu())
    return rerunning.read(run(rerunning.jobs, workers=2, on_step=silent))


def assert_grounded(case: Case, game: Game, played: Played) -> None:
    """Retraining with equal seeds cancels to the last bit under every attack."""
    assert np.array_equal(played.retrained[:, 0], played.retrained[:, 1])
    found = adversaries(case.train, game, played, seed=5).score(played.retrained)
    assert found.identical
    assert not found.advantages.any()
    assert len(found.advantages) == len(attacks())


@pytest.mark.parametrize(("pairs", "models"), [(1, 1), (2, 3), (3, 2), (5, 3), (7, 1), (7, 3), (20, 2)])
def test_retraining_cancels_in_batches_of_any_size(tmp_path: Path, pairs: int, models: int) -> None:
    """A batch whose last rows fall into the remainder of a matrix kernel must not differ from one whose rows do not."""
    case = weighted(cases.read(write_case(tmp_path, certified("retrain"))))
    game = draw(case.train, pairs=pairs, models=models, alpha=0.1, reference_pairs=2, seed=pairs)
    assert_grounded(case, game, convex.play(case, game, on_step=silent))


def test_retraining_cancels_in_the_sandbox(tmp_path: Path) -> None:
    case = weighted(cases.read(write_case(tmp_path, random_tree("none"))))
    game = small_game(case.train, seed=4, pairs=2, models=1, alpha=0.1, reference_pairs=2)
    played = sandboxed(case, game)
    assert_grounded(case, game, played)
    assert np.array_equal(played.unlearned, played.baseline)
    assert not np.array_equal(played.retrained[:, 0], played.fresh)
    assert not np.array_equal(played.baseline[:, 0], played.baseline[:, 1])
    assert played.learned is None  # nobody claims anything of models before unlearning


@pytest.mark.parametrize("unlearn", ["newton", "retrain"])
def test_many_models_at_once_give_the_sandboxed_game(tmp_path: Path, unlearn: str) -> None:
    case = cases.read(write_case(tmp_path, certified(unlearn)))
    game = small_game(case.train, seed=2, pairs=2, models=2, alpha=0.1, reference_pairs=2)
    together, apart = convex.play(case, game, on_step=silent), sandboxed(case, game)
    for name in (*PLAYED, "references"):
        one, two = getattr(together, name), getattr(apart, name)
        assert one.shape == two.shape
        assert np.abs(one - two).max() < 1e-7
    one, two = (adversaries(case.train, game, played, seed=1).score(played.unlearned) for played in (together, apart))
    np.testing.assert_allclose(one.advantages, two.advantages, rtol=0, atol=1e-12)
    assert (together.residual_bound is not None) is (unlearn == "newton")
    assert apart.residual_bound is None


@pytest.mark.parametrize("sample", ["digits-newton-noised", pytest.param("digits-ten-classes", marks=pytest.mark.slow)])
def test_noise_at_release_and_several_classes_give_the_sandboxed_game(sample: str) -> None:
    case = cases.read(SAMPLES / sample)
    game = small_game(case.train, seed=2, pairs=1, models=1, alpha=0.1, reference_pairs=1)
    together, apart = convex.play(case, game, on_step=silent), sandboxed(case, game)
    for item in (*PLAYED, "references"):
        np.testing.assert_allclose(getattr(together, item), getattr(apart, item), atol=1e-6)


def test_the_controllers_own_code_is_never_shown_who_is_unseen_in_its_pair(tmp_path: Path) -> None:
    """What remembers across the calls of one process could train on T as well, and make it look as forgotten records do."""
    own = 'entry = "procedure.py:P"\nseed = 1'
    (tmp_path / "procedure.py").write_text(
        "class P:\n"
        "    def learn(self, data, seed): ...\n"
        "    def unlearn(self, model, data, forget, seed): ...\n"
        "    def predict(self, model, features): ...\n",
        encoding="utf-8",
    )
    case = cases.read(write_case(tmp_path, own))
    game = small_game(case.train, seed=1, pairs=13, models=2)
    rerunning = Rerunning(case, game, Disguise(case, seed=0), level=available(), where=on_cpu())
    whole = {pair.trained(side).tobytes(): (pair, side) for pair in game.pairs for side in range(2)}
    kinds: Counter[str] = Counter()
    for job in rerunning.jobs:
        learned = [step.rows for step in job.steps if isinstance(step, Learn)]
        gone = [step.rows[step.forget].tolist() for step in job.steps if isinstance(step, Unlearn)]
        found = [whole[rows.tobytes()] for rows in learned if rows.tobytes() in whole]
        if not found:
            continue
        assert len(learned) == 1  # a process of its own
        ((pair, side),) = found
        forget, unseen = (set(each.tolist()) for each in pair.sides()[side])
        assert set(learned[0].tolist()).isdisjoint(unseen)
        records = {record for batch in gone for record in batch}
        assert [len(batch) for batch in gone] == [len(batch) for batch in pair.batches[side]]
        assert records == forget or records <= set(pair.retained.tolist())
        kinds["tested" if records == forget else "baseline"] += 1
        last = [step for step in job.steps if isinstance(step, PredictRows)][-1]
        rows = np.sort(np.concatenate([pair.first, pair.second, game.population]))
        assert np.array_equal(last.features, case.train.features[rows])  # their order tells nothing of their roles
    assert kinds == {"tested": 2 * 13 * 2, "baseline": 2 * 13 * 2}


def test_both_sides_and_the_control_never_share_a_process(tmp_path: Path) -> None:
    case = cases.read(write_case(tmp_path, random_tree("retrain")))
    game = small_game(case.train, seed=1, pairs=7)
    rerunning = Rerunning(case, game, Disguise(case, seed=0), level=available(), where=on_cpu())
    for job in rerunning.jobs:
        trained = [step.rows.tobytes() for step in job.steps if isinstance(step, Learn)]
        unlearned = any(isinstance(step, Unlearn) for step in job.steps)
        for pair in game.pairs:
            sides = [pair.trained(side).tobytes() in trained for side in range(2)]
            control = pair.retained.tobytes() in trained
            assert sum(sides) + control <= 1
            assert not (control and unlearned)


def judged(folder: Path, **options: Any) -> Evidence:
    return audited(folder, only=("swap.quality", "swap.strong", "swap.controls", "epsilon.consistency"), **options)


def findings(evidence: Evidence) -> Any:
    return json.loads(evidence.to_bytes())["checks"]


POISONED = ("random", "rand", "randn", "randint", "normal", "permutation", "shuffle", "choice", "uniform", "standard_normal")


def test_the_same_seed_gives_the_same_findings_and_no_global_generator_is_used(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tables = "[claims]\ncertified_removal = { epsilon = 1.0, delta = 1e-5 }\n[swap]\npairs = 4\n"
    folder = write_case(tmp_path, certified("retrain"), tables=tables)
    one = judged(folder, seed=3)

    def poison(*_: Any, **__: Any) -> None:
        raise AssertionError("a global generator was used")

    for name in POISONED:
        monkeypatch.setattr(np.random, name, poison)
    np.random.seed(12345)  # noqa: NPY002  (the point of the test)
    before = np.random.get_state(legacy=False)  # noqa: NPY002
    again = judged(folder, seed=3)
    after = np.random.get_state(legacy=False)  # noqa: NPY002
    np.testing.assert_equal(before, after)
    assert findings(one) == findings(again)
    other = judged(folder, seed=4)
    assert check_of(other, "swap.quality").details["pair_advantages"] != check_of(one, "swap.quality").details["pair_advantages"]


def test_one_more_attack_moves_no_other_numbers(tmp_path: Path) -> None:
    few, more = tmp_path / "few", tmp_path / "more"
    rows = []
    for folder, names in ((few, ["loss"]), (more, ["correctness", "lira-online", "loss", "rmia", "shadow-classifier"])):
        folder.mkdir()
        tables = f"[swap]\npairs = 4\nattacks = {json.dumps(names)}\n"
        check = check_of(judged(write_case(folder, certified("retrain"), tables=tables)), "swap.quality")
        rows.append({row["name"]: row for row in check.details["attacks"]})
        assert set(rows[-1]) == set(names)
        assert f"over {len(names)} attacks" in check.details["correction"]
    for key in ("advantage", "auc"):
        assert rows[0]["loss"][key] == rows[1]["loss"][key]
    assert rows[0]["loss"]["do_nothing"]["advantage"] == rows[1]["loss"]["do_nothing"]["advantage"]


def test_the_first_pairs_of_a_longer_game_find_the_same(tmp_path: Path) -> None:
    found = []
    for pairs in (3, 9):
        folder = tmp_path / str(pairs)
        folder.mkdir()
        case = write_case(folder, certified("retrain"), tables=f"[swap]\npairs = {pairs}\n")
        found.append(check_of(judged(case), "swap.quality").details["pair_advantages"])
    for kind in ("procedure", "do_nothing"):
        for name, advantages in found[0][kind].items():
            np.testing.assert_allclose(advantages, found[1][kind][name][:3], rtol=0, atol=1e-12)


def test_scaled_rows_give_the_sandboxed_game(tmp_path: Path) -> None:
    features, labels = problem(160, 4, seed=3)
    case = cases.read(write(tmp_path, 4 * features, labels, procedure='row_norms = "scale"'))
    game = small_game(case.train, seed=2, pairs=1, models=1, alpha=0.1, reference_pairs=1)
    together, apart = convex.play(case, game, on_step=silent), sandboxed(case, game)
    for item in (*PLAYED, "references"):
        np.testing.assert_allclose(getattr(together, item), getattr(apart, item), atol=1e-6)
