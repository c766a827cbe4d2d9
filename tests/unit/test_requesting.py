"""What the games of an adaptive requester refute, and what they leave alone."""

from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from auditor.case import Case, read
from auditor.domain import Check, How, Status
from auditor.errors import InputError
from auditor.observing.comparing import Further, Lower, Stated, row
from auditor.observing.deciding import Counted
from auditor.observing.findings import skipped
from auditor.observing.requesting import Result, plan
from auditor.observing.requesting.judging import judge
from auditor.observing.swap.consistency import join
from auditor.sandbox import Level, Play
from cases import SAMPLES

RIGHT = Counted(50, 50, 0, 50)
GUESSED = Counted(24, 50, 26, 50)
FACTS = {"largest_request": 1, "replaces": True}


def sample(name: str = "median-adaptive", **changed: Any) -> Case:
    case = read(SAMPLES / name)
    return case if not changed else replace(case, settings=case.settings.model_copy(update=changed))


def judged(case: Case, counted: Counted, *, quick: bool = False) -> Result:
    table = case.settings.requester
    assert table is not None
    return judge(case, table, counted, fitted=100, facts=FACTS, own_guess=False, quick=quick)


def claiming(case: Case, **claim: Any) -> Case:
    claims = case.settings.claims
    assert claims.data_deletion is not None
    stated = claims.data_deletion.model_copy(update=claim)
    return replace(
        case, settings=case.settings.model_copy(update={"claims": claims.model_copy(update={"data_deletion": stated})})
    )


def the_check(status: Status = Status.PASS, **details: Any) -> Check:
    return Check("deletion.adaptive", "title", status, 0.0, None, 0.1, "So it is.", details)


def test_an_adversary_that_is_always_right_refutes_a_small_epsilon() -> None:
    found = judged(sample(), RIGHT)
    (only,) = found.further.rows
    assert found.refuted is not None
    assert "one released model (ε = 0.1)" in found.refuted
    assert only["gap"] == pytest.approx(0.5514374418 - 0.1, abs=1e-9)
    assert {each["method"] for each in only["lower"]} == {"requester", "requester-advantage"}
    assert found.details["epsilon_lower"] >= found.details["epsilon_by_advantage"] > 0
    assert {each.kind for each in found.further.certificates} == {"renyi-lower", "advantage"}


def test_guessing_refutes_nothing() -> None:
    found = judged(sample(), GUESSED)
    assert found.refuted is None
    assert found.further.rows[0]["gap"] < 0


def test_a_quick_run_refutes_nothing() -> None:
    assert judged(sample(), RIGHT, quick=True).refuted is None


def test_a_claim_that_is_large_enough_stands() -> None:
    found = judged(claiming(sample(), epsilon=0.6), RIGHT)
    assert found.refuted is None
    # Nothing that these games could have shown would have refuted it.
    assert found.further.rows[0]["refutable"] < 0.6


@pytest.mark.parametrize("adaptive", [None, 0])
def test_a_claim_of_fewer_models_is_not_held_against_them(adaptive: int | None) -> None:
    found = judged(claiming(sample(), adaptive=adaptive), RIGHT)
    assert found.refuted is None
    assert "the requester saw one released model, and the claim speaks of 0" in found.further.rows[0]["why"]
    assert not found.further.rows[0]["compared"]


def test_noisy_gradient_descent_is_held_to_its_certificate_too() -> None:
    table = sample().settings.requester
    found = judged(sample("breast-cancer-noisy-gd", requester=table), RIGHT)
    claim, certificate = found.further.rows
    assert claim["why"] == "the requester saw one released model, and the claim speaks of 0"
    assert certificate["rule"] == "adaptive"
    assert certificate["compared"]
    assert found.refuted is not None
    assert found.further.certificates[-1].inputs["seen"] == 1


def test_a_requester_that_empties_the_data_is_held_to_what_is_certified_of_what_it_leaves() -> None:
    table = sample().settings.requester
    assert table is not None
    case = sample("breast-cancer-noisy-gd-adaptive", requester=table.model_copy(update={"seen": 1, "rounds": 2}))
    many = judge(case, table, RIGHT, fitted=0, facts={"largest_request": 60, "replaces": False}, own_guess=False, quick=False)
    few = judge(case, table, RIGHT, fitted=0, facts={"largest_request": 1, "replaces": False}, own_guess=False, quick=False)
    assert many.further.rows[0]["why"].startswith("the claim speaks of the log, which leaves")
    assert many.further.rows[1]["epsilon"] > few.further.rows[1]["epsilon"]


def test_games_are_balanced_and_drawn_from_the_seed() -> None:
    case = sample()
    first, again, other = (plan(case, seed=seed, quick=False, level=Level.PROCESS) for seed in (1, 1, 2))
    assert first is not None
    assert again is not None
    assert other is not None
    assert (first.worlds == again.worlds).all()
    assert (first.worlds != other.worlds).any()
    assert int(first.worlds.sum()) * 2 == first.worlds.size == 200
    steps = [step for job in first.jobs for step in job.steps if isinstance(step, Play)]
    assert sum(len(step.worlds) for step in steps) == 200
    assert len({seed for step in steps for seed in step.seeds}) == 200
    assert all(
        job.spec.requester is not None and job.spec.requester.endswith("requester.py:WritesTheMedian") for job in first.jobs
    )
    quick = plan(case, seed=1, quick=True, level=Level.PROCESS)
    assert quick is not None
    assert quick.worlds.size == 40


def test_without_a_requester_nothing_is_played() -> None:
    assert plan(sample("digits-own-procedure"), seed=0, quick=False, level=Level.PROCESS) is None


def test_the_records_of_a_requester_are_as_short_as_the_loss_asks_for() -> None:
    table = sample().settings.requester
    found = plan(sample("breast-cancer-noisy-gd", requester=table), seed=0, quick=True, level=Level.PROCESS)
    assert found is not None
    assert all(step.longest == 1.0 for job in found.jobs for step in job.steps if isinstance(step, Play))


def test_the_check_is_judged_by_the_games_alone_where_no_swap_test_was_played() -> None:
    left = skipped("epsilon.consistency", "Not played.")
    found = join(left, [judged(sample(), RIGHT).further], quick=False)
    (check,) = found.checks
    assert (check.status, check.threshold) == (Status.FAIL, 0.0)
    assert check.value == pytest.approx(0.4514374418, abs=1e-9)
    assert [(each.name, each.how) for each in found.facts] == [("deletion-unrefuted", How.REFUTED)]
    (stands,) = join(left, [judged(sample(), GUESSED).further], quick=False).checks
    assert stands.status is Status.PASS
    (quick,) = join(left, [judged(sample(), RIGHT, quick=True).further], quick=True).checks
    assert quick.status is Status.INCONCLUSIVE
    assert join(left, [judged(sample(), RIGHT).further], quick=True).facts == ()


def test_what_cannot_be_compared_leaves_the_check_skipped_and_says_why() -> None:
    left = skipped("epsilon.consistency", "Not played.")
    (check,) = join(left, [judged(claiming(sample(), adaptive=0), RIGHT).further], quick=False).checks
    assert check.status is Status.SKIPPED
    assert "the claim speaks of 0" in check.basis
    assert join(left, [Further()], quick=False).checks == ()


def test_comparisons_of_the_swap_test_stay() -> None:
    stood = row("swap", Stated("before", "certificate", 1.0, 2.0), (Lower("swap", "words", 0.25, 0.95, 2.0),))
    before = replace(the_check(), id="epsilon.consistency", details={"confidence": 0.95, "comparisons": [stood]})
    (check,) = join(before, [judged(sample(), RIGHT).further], quick=False).checks
    assert [each["against"] for each in check.details["comparisons"][:1]] == ["before"]
    assert check.details["confidence"] == 0.95
    assert check.status is Status.FAIL


def test_a_link_out_of_the_case_is_no_requester(tmp_path: Path) -> None:
    target = tmp_path / "case"
    shutil.copytree(SAMPLES / "median-adaptive", target, ignore=shutil.ignore_patterns("audit", "__pycache__"))
    (target / "requester.py").unlink()
    with pytest.raises(InputError, match=r"requester\.py"):
        read(target)
