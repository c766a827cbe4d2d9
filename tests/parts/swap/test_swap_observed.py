"""What the checks of the SWAP test take from the scores of a game."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from auditor import case as cases
from auditor.audit.devices import on_cpu
from auditor.base.domain import Status
from auditor.base.records import Dataset
from auditor.case import Case
from auditor.pages.words import basis
from auditor.parts.swap.judging import controls, quality, strong
from auditor.parts.swap.judging import epsilon_consistency as consistency
from auditor.parts.swap.observing import Outcome, SwapTest, plan
from auditor.parts.swap.observing.confusion import Confusion
from auditor.parts.swap.observing.scoring import observe, without_game
from auditor.sandbox import Level
from auditor.verdict.checks.finding import Finding
from judging import context_of_case, judge_some
from swap_games import Memory, adversaries, certified, play, random_tree, records, results, small_game, write_case


def with_train(case: Case, train: Dataset) -> Case:
    return Case(**{name: getattr(case, name) for name in case.__dataclass_fields__} | {"train": train})


@pytest.fixture
def case(tmp_path: Path) -> Case:
    return cases.read(write_case(tmp_path, random_tree("retrain")))


def test_every_kind_of_model_is_listed_under_its_name(case: Case) -> None:
    data = records(120, seed=5)
    game = small_game(data, seed=5, pairs=4, models=2)
    played = play(game, Memory(data, remembers=2.0))
    found = results(adversaries(data, game, played, seed=5), played)
    observed = observe(case, game, found)
    assert found.learned is not None
    own, named, control = observed["swap.quality"], observed["swap.strong"], observed["swap.controls"]
    assert isinstance(own, quality.Observed)
    assert isinstance(named, strong.Observed)
    assert isinstance(control, controls.Observed)
    scored = {
        "procedure": found.procedure.scored,
        "do_nothing": found.do_nothing.scored,
        "learned": found.learned.scored,
        "retrained": found.fresh.scored,
        "control": found.control,
    }
    for kind, each in scored.items():
        assert list(getattr(own.pair_advantages, kind)) == list(found.attacks)
        assert np.array_equal(list(getattr(own.pair_advantages, kind).values()), each.advantages)
    for kind in ("procedure", "retrained"):
        assert np.array_equal(list(getattr(own.pair_acceptances, kind).values()), scored[kind].accepted)
        assert getattr(own.identical, kind) is scored[kind].identical
    assert own.areas == dict(zip(found.attacks, found.procedure.scored.areas, strict=True))
    assert (own.reference_models, own.weighted, own.ic_score) == (6, False, None)
    assert (named.models, named.named, named.ties) == (16, found.procedure.named.right, found.procedure.named.ties)
    assert (named.named_do_nothing, named.named_retrained) == (found.do_nothing.named.right, found.fresh.named.right)
    assert control.identical
    assert control.pair_advantages == own.pair_advantages.control
    for each in observed.values():
        assert type(each).model_validate_json(each.model_dump_json()) == each


def test_weights_and_confusion_are_listed(case: Case) -> None:
    data = records(120, seed=5, weights=np.arange(120.0))
    game = small_game(data, seed=5, pairs=2)
    played = play(game, Memory(data, remembers=2.0))
    found = results(adversaries(data, game, played, seed=5), played, confusion=Confusion(0.25, 0.75, 3))
    own = observe(with_train(case, data), game, found)["swap.quality"]
    assert isinstance(own, quality.Observed)
    assert (own.weighted, own.ic_score, own.ic_score_retrained) == (True, 0.25, 0.75)


def test_a_case_without_a_game_says_why(case: Case) -> None:
    few = case.train.subset(np.arange(60, dtype=np.int64))
    case = with_train(case, few)
    found = plan(case, seed=0, quick=False, level=Level.PROCESS, where=on_cpu())
    assert isinstance(found, Outcome)
    assert found.observed == without_game("few-to-forget")
    assert found.reached is None
    seen = {**found.observed, consistency.CARD.id: consistency.Observed(swap=None, games=None, simulated=None)}
    nothing = {each: Finding(Status.SKIPPED) for each in (*consistency.CARD.needs, *quality.CARD.needs) if each not in seen}
    judged = judge_some(context_of_case(case), seen, nothing)
    few_to_forget = "with 60 records and alpha = 0.1 a split has 3 records"
    assert basis(judged["swap.quality"].reasons).startswith(f"Not shown: {few_to_forget}")
    assert basis(judged[consistency.CARD.id].reasons).startswith(f"No attack gave a lower bound on ε: {few_to_forget}")


def test_the_auditors_own_solver_needs_no_process_of_its_own(tmp_path: Path) -> None:
    for number, (keys, together) in enumerate((("", True), ("\nretrain_at_budget = true", False))):
        folder = tmp_path / str(number)
        folder.mkdir()
        own = cases.read(write_case(folder, certified("newton") + keys, tables="[swap]\npairs = 2\n"))
        test = plan(own, seed=0, quick=False, level=Level.PROCESS, where=on_cpu())
        assert isinstance(test, SwapTest)
        assert (test.rerunning is None) is together
