"""What the games of an adaptive requester refute, and what they leave alone."""

from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from auditor.base.domain import Message, Provenance, Status
from auditor.base.errors import InputError
from auditor.case import Case, read
from auditor.pages.words import basis, sentence
from auditor.parts.data_deletion.judging import adaptive, renyi
from auditor.parts.data_deletion.judging.requester import judged_games
from auditor.parts.data_deletion.observing.requesting import plan
from auditor.parts.swap.judging.epsilon_consistency import CHECK, Derived, Game, Observed
from auditor.parts.swap.judging.epsilon_consistency.observed import Games
from auditor.parts.swap.judging.epsilon_consistency.rows import Row
from auditor.sandbox import Level, Play
from auditor.verdict.checks.differences import Counted
from auditor.verdict.checks.finding import Finding
from cases import SAMPLES
from detailed import Detailed
from judging import context_of_case, judged_check
from swap_observed import as_earlier, game

RIGHT = Counted(hits=50, trials=50, other_hits=0, other_trials=50)
GUESSED = Counted(hits=24, trials=50, other_hits=26, other_trials=50)


def sample(name: str = "median-adaptive", **changed: Any) -> Case:
    case = read(SAMPLES / name)
    return case if not changed else replace(case, settings=case.settings.model_copy(update=changed))


def games_of(case: Case, counted: Counted) -> Games:
    return Games(counted=counted, fitted=100, own_guess=False, largest_request=1, replaces=True, rows_of_log=len(case.train))


def judged_by(case: Case, counted: Counted, *, quick: bool = False, **changes: Any) -> tuple[Detailed, Finding]:
    """By the games alone, where no SWAP test was played."""
    observed = Observed(swap=None, games=games_of(case, counted).model_copy(update=changes), simulated=None)
    return judged_check(CHECK, context_of_case(case, quick=quick), observed, as_earlier(None, None))


def judged(case: Case, counted: Counted, *, quick: bool = False, **changes: Any) -> tuple[Game, tuple[Row, ...], Finding]:
    _, found = judged_by(case, counted, quick=quick, **changes)
    assert isinstance(found.derived, Derived)
    assert found.derived.game is not None
    return found.derived.game, found.derived.comparisons, found


def claiming(case: Case, **claim: Any) -> Case:
    claims = case.settings.claims
    assert claims.data_deletion is not None
    stated = claims.data_deletion.model_copy(update=claim)
    return replace(
        case, settings=case.settings.model_copy(update={"claims": claims.model_copy(update={"data_deletion": stated})})
    )


def test_an_adversary_that_is_always_right_refutes_a_small_epsilon() -> None:
    played, (only,), found = judged(sample(), RIGHT)
    assert played.refuted is not None
    assert "one released model (ε = 0.1)" in sentence(played.refuted)
    assert only.gap == pytest.approx(0.3934224069 - 0.1, abs=1e-9)
    assert {each.method for each in only.lower} == {"requester", "requester-advantage"}
    assert played.epsilon_lower >= played.epsilon_by_advantage > 0
    assert {each.kind for each in found.certificates} == {"renyi-lower", "advantage"}


def test_guessing_refutes_nothing() -> None:
    played, (only,), _ = judged(sample(), GUESSED)
    assert played.refuted is None
    assert only.gap is not None
    assert only.gap < 0


def test_a_quick_run_refutes_nothing() -> None:
    assert judged(sample(), RIGHT, quick=True)[0].refuted is None


def test_a_claim_that_is_large_enough_stands() -> None:
    played, (only,), _ = judged(claiming(sample(), epsilon=0.6), RIGHT)
    assert played.refuted is None
    # Nothing that these games could have shown would have refuted it.
    assert only.refutable is not None
    assert only.refutable < 0.6


@pytest.mark.parametrize("adaptive", [None, 0])
def test_a_claim_of_fewer_models_is_not_held_against_them(adaptive: int | None) -> None:
    played, (only,), _ = judged(claiming(sample(), adaptive=adaptive), RIGHT)
    assert played.refuted is None
    assert only.why is not None
    assert "the requester saw one released model, and the claim covers 0" in sentence(only.why)
    assert not only.compared


def test_noisy_gradient_descent_is_held_to_its_certificate_too() -> None:
    table = sample().settings.requester
    played, (claim, certificate), found = judged(sample("breast-cancer-noisy-gd", requester=table), RIGHT)
    assert claim.why is not None
    assert sentence(claim.why) == "the requester saw one released model, and the claim covers 0"
    assert certificate.rule == "adaptive"
    assert certificate.compared
    assert played.refuted is not None
    assert found.certificates[-1].inputs["seen"] == 1


def test_a_requester_that_empties_the_data_is_held_to_what_is_certified_of_what_it_leaves() -> None:
    table = sample().settings.requester
    assert table is not None
    case = sample("breast-cancer-noisy-gd-adaptive", requester=table.model_copy(update={"seen": 1, "rounds": 2}))
    of_log = len(case.train) - 5
    _, many, _ = judged(case, RIGHT, fitted=0, largest_request=60, replaces=False, rows_of_log=of_log)
    _, few, _ = judged(case, RIGHT, fitted=0, replaces=False, rows_of_log=of_log)
    assert many[0].why is not None
    assert sentence(many[0].why).startswith("the claim is about the log, which leaves")
    assert few[0].compared
    assert many[1].epsilon is not None
    assert few[1].epsilon is not None
    assert many[1].epsilon > few[1].epsilon


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
    playing = sample()
    case = sample("breast-cancer-noisy-gd", requester=playing.settings.requester)
    case = replace(case, requester_code=playing.requester_code)
    found = plan(case, seed=0, quick=True, level=Level.PROCESS)
    assert found is not None
    assert all(step.longest == 1.0 for job in found.jobs for step in job.steps if isinstance(step, Play))


@pytest.mark.parametrize("status", [Status.PASS, Status.INCONCLUSIVE, Status.SKIPPED])
def test_a_refuted_claim_fails_adaptive_deletion_whatever_was_found_of_deletion_itself(status: Status) -> None:
    case = sample()
    context = context_of_case(case)
    before = Finding(status, reasons=(Message("left-out"),))

    def answered(games: Games | None) -> Finding:
        observed = adaptive.Observed(batches=1, requests=(), largest_share=adaptive.Share(records=1, batches=1), games=games)
        return adaptive.judge(context, observed, {renyi.CARD.id: before})

    refuted = answered(games_of(case, RIGHT))
    assert refuted.status is Status.FAIL
    assert basis(refuted.reasons).startswith(basis(before.reasons))
    assert "Refuted by an adaptive requester" in basis(refuted.reasons)
    assert isinstance(refuted.derived, adaptive.Played)
    assert refuted.derived.game.named_right == 1.0
    assert refuted.derived.game == judged_games(context, games_of(case, RIGHT)) == judged(case, RIGHT)[0]
    untouched = answered(games_of(case, GUESSED))
    assert (untouched.status, untouched.reasons) == (status, before.reasons)
    assert answered(None) == before


def test_the_check_is_judged_by_the_games_alone_where_no_swap_test_was_played() -> None:
    check, found = judged_by(sample(), RIGHT)
    assert (check.status, check.threshold) == (Status.FAIL, 0.0)
    assert check.value == pytest.approx(0.3934224069 - 0.1, abs=1e-9)
    assert check.details["confidence"] is None
    assert [(each.name, each.how) for each in found.facts] == [("deletion-unrefuted", Provenance.REFUTED)]
    # Four times the claim would have been noticed, and less than that not: the policy lists the check, so it stays open.
    guessed, _ = judged_by(sample(), GUESSED)
    assert guessed.status is Status.INCONCLUSIVE
    assert guessed.details["comparisons"][0]["noticed"] == pytest.approx(0.5012, abs=1e-3)
    quick, undecided = judged_by(sample(), RIGHT, quick=True)
    assert (quick.status, undecided.facts) == (Status.INCONCLUSIVE, ())


def test_what_cannot_be_compared_leaves_the_check_skipped_and_says_why() -> None:
    check, found = judged_by(claiming(sample(), adaptive=0), RIGHT)
    assert (check.status, check.value) == (Status.SKIPPED, None)
    assert check.basis.startswith("The SWAP test is for classifiers, and this case has no classes. Claimed")
    assert "laimed data deletion, under requests of somebody who saw one released model: the requester saw" in check.basis
    assert check.basis.endswith("the claim covers 0.")
    assert found.certificates


def test_games_with_nothing_to_be_held_against_are_still_told() -> None:
    case = sample("digits-own-procedure", requester=sample().settings.requester)
    check, found = judged_by(case, RIGHT)
    assert check.status is Status.SKIPPED
    assert check.details["comparisons"] == []
    assert check.details["game"]["named_right"] == 1.0
    assert (found.certificates, found.facts) == ((), ())


def test_comparisons_of_the_swap_test_stay() -> None:
    """A claim that the SWAP test cannot speak to comes first, the games after it."""
    observed, earlier = game()
    games = Games(counted=RIGHT, fitted=100, own_guess=False, largest_request=1, replaces=True, rows_of_log=100)
    observed = observed.model_copy(update={"games": games})
    check, _ = judged_check(CHECK, context_of_case(sample()), observed, earlier)
    first, second = check.details["comparisons"]
    assert (first["against"], first["compared"]) == ("claimed data deletion", False)
    assert second["compared"]
    assert check.details["confidence"] == 1 - 5e-4
    assert check.status is Status.FAIL


def test_a_link_out_of_the_case_is_no_requester(tmp_path: Path) -> None:
    target = tmp_path / "case"
    shutil.copytree(SAMPLES / "median-adaptive", target, ignore=shutil.ignore_patterns("audit", "__pycache__"))
    (target / "requester.py").unlink()
    with pytest.raises(InputError, match=r"requester\.py"):
        read(target)
