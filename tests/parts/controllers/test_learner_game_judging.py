"""What games of a learner with one person and without come to, and when they are played."""

from __future__ import annotations

from typing import Any

import pytest

from auditor.base.domain import ClaimStatus, Message, Provenance, Status
from auditor.document.context import ControllerFacts
from auditor.maths.statistics.two_laws import epsilon_lower
from auditor.pages.words import basis
from auditor.parts.controllers.judging.control import learner
from auditor.parts.controllers.judging.control.confidentiality_game import CARD, CHECK
from auditor.parts.controllers.judging.control.judging import Observed
from auditor.parts.controllers.judging.control.learner import Going, LearnerGame, LearnerGames, judged
from auditor.parts.controllers.judging.history.observed import Event, Law
from auditor.parts.controllers.judging.made_for import Goal
from auditor.settings.learning import Foreign
from auditor.settings.tables import Policy
from auditor.verdict.checks.context import Context
from auditor.verdict.checks.finding import Finding
from auditor.verdict.checks.levels import share
from auditor.verdict.guarantees import derive_guarantees
from judging import attesting, audit_facts, declared, log_facts

WATCHED = (Going.ALONE, Going.BETWEEN)
NOTHING = Goal(0.0, 0.0)
SEEN = ("seen-releases",)
OWN = Foreign(entry="procedure.py:Own")


def game(going: Going, *differing: str, watched: bool = False) -> LearnerGame:
    return LearnerGame(going=going, watched=watched, differing=differing, largest=None)


def seen(*quiet: LearnerGame, watched: tuple[str, ...] = (), **given: Any) -> LearnerGames:
    differing = {each.going: each for each in quiet}
    played = (*(differing.get(each, game(each)) for each in Going), *(game(each, *watched, watched=True) for each in WATCHED))
    usual = {"records": 59, "compared": ("answers", "parameters", "files"), "ignores_seed": True, "played": played}
    return LearnerGames(**(usual | given))


def law(left: int, right: int, runs: int = 30) -> Law:
    return Law(adversary="alone", adapts=False, event=Event.SUM, runs=runs, left=left, right=right)


def context(*words: str, watching: bool = False, models_seen: int = 0, **given: Any) -> Context:
    policy = Policy(required=(CARD.id,), before_and_after=watching, rationale={"required": "a test"})
    return declared(claims=attesting(*words), log=log_facts(max_seen_releases=models_seen), policy=policy, **given)


def come_to(found: Finding) -> tuple[Status, float | None]:
    assert basis(found.reasons)
    return found.status, found.value


BEFORE = {"watched": ("answers-before",)}
KEEPS = game(Going.LAST, "files", "object")


@pytest.mark.parametrize(
    ("found", "status", "value"),
    [
        (seen(), Status.PASS, 0.0),
        (seen(ignores_seed=False), Status.PASS, 0.0),
        (seen(KEEPS), Status.FAIL, 1.0),
        (seen(KEEPS, game(Going.ALONE, "answers")), Status.FAIL, 2.0),
        # What another seed may explain refutes nothing by itself.
        (seen(KEEPS, ignores_seed=False), Status.INCONCLUSIVE, None),
        (seen(KEEPS, ignores_seed=False, laws=(law(17, 14),)), Status.INCONCLUSIVE, None),
        (seen(KEEPS, ignores_seed=False, laws=(law(30, 0),)), Status.FAIL, 1.0),
        (seen(steady=False), Status.INCONCLUSIVE, None),
        (seen(KEEPS, steady=False), Status.INCONCLUSIVE, None),
        (seen(steady=False, laws=(law(30, 0),)), Status.FAIL, 1.0),
        (seen(game(Going.ALONE, "process")), Status.INCONCLUSIVE, None),
        (seen(game(Going.ALONE, "process"), KEEPS), Status.FAIL, 1.0),
        (seen(watched=("process",)), Status.INCONCLUSIVE, None),
        (seen(moving=1), Status.INCONCLUSIVE, None),
        (seen(KEEPS, moving=1), Status.FAIL, 1.0),
        (seen(compared=("answers", "files")), Status.INCONCLUSIVE, None),
        (seen(compared=("parameters", "files")), Status.INCONCLUSIVE, None),
        (seen(played=seen().played[:-2]), Status.INCONCLUSIVE, None),
        (seen(played=seen().played[1:]), Status.INCONCLUSIVE, None),
        (seen(untried=Message("state.stateless.few-records", {"updates": 4})), Status.INCONCLUSIVE, None),
        (None, Status.INCONCLUSIVE, None),
    ],
)
def test_state_and_answers_have_to_be_as_if_the_person_had_never_been_there(
    found: LearnerGames | None, status: Status, value: float | None
) -> None:
    told = judged(context(), found, NOTHING)
    assert come_to(told) == (status, value)
    refuted = [each for each in told.facts if each.name == "confidentiality-unrefuted"]
    assert [each.how for each in refuted] == ([Provenance.REFUTED] if status is Status.FAIL else [])


@pytest.mark.parametrize(
    ("words", "watching", "models_seen", "status"),
    [
        (SEEN, False, 0, Status.PASS),
        ((), False, 0, Status.INCONCLUSIVE),
        (SEEN, False, 1, Status.INCONCLUSIVE),
        (SEEN, True, 0, Status.FAIL),
    ],
    ids=["nobody saw, and somebody says so", "nobody says so", "a request had seen a model", "somebody may see both"],
)
def test_what_is_answered_while_the_person_is_there_counts_as_far_as_anybody_sees_it(
    words: tuple[str, ...], watching: bool, models_seen: int, status: Status
) -> None:
    """A model that is trained again from scratch differs there, as it should: it had learned from the person's record."""
    found = judged(context(*words, watching=watching, models_seen=models_seen), seen(**BEFORE), NOTHING)
    assert come_to(found) == (status, {Status.PASS: 0.0, Status.FAIL: 2.0}.get(status))


def test_own_code_passes_on_somebodys_word_that_it_recognises_no_game() -> None:
    assert come_to(judged(context(procedure=OWN), seen(), NOTHING))[0] is Status.INCONCLUSIVE
    assert come_to(judged(context("procedure-honest", procedure=OWN), seen(), NOTHING))[0] is Status.PASS
    assert come_to(judged(context("procedure-honest", procedure=OWN), seen(KEEPS), NOTHING))[0] is Status.FAIL


def test_a_quick_run_finds_differences_and_passes_nothing() -> None:
    quick = context(audit=audit_facts(quick=True))
    assert come_to(judged(quick, seen(), NOTHING))[0] is Status.INCONCLUSIVE
    assert come_to(judged(quick, seen(KEEPS), NOTHING))[0] is Status.FAIL


def test_what_is_promised_is_allowed_of_laws_and_of_no_certain_difference() -> None:
    found = seen(KEEPS, ignores_seed=False, laws=(law(30, 0),))
    reached = epsilon_lower(30, 0, 30, confidence=1 - share(learner.TEST))
    told = judged(context(), found, NOTHING)
    assert isinstance(told.derived, learner.Derived)
    assert told.derived.refuted_epsilon == reached > 0.5
    assert come_to(judged(context(), found, Goal(reached, 0.0)))[0] is Status.INCONCLUSIVE
    assert come_to(judged(context(), found, Goal(reached * 0.99, 0.0)))[0] is Status.FAIL
    assert come_to(judged(context(), seen(KEEPS), Goal(50.0, 0.1)))[0] is Status.FAIL


def test_laws_share_the_level_and_counts_that_cannot_be_say_nothing() -> None:
    several = seen(KEEPS, laws=(law(30, 0), law(15, 15)))
    assert max(learner.refuted(several, 0.0)) == epsilon_lower(30, 0, 30, confidence=1 - share(learner.TEST) / 2)
    assert learner.refuted(seen(KEEPS, laws=(law(31, 0),)), 0.0) == ()
    assert [each.test for each in learner.levels(several)] == [learner.TEST]
    assert learner.levels(seen(KEEPS)) == learner.levels(None) == ()


def test_it_is_played_where_somebody_names_it() -> None:
    """Every other case keeps the document that it had."""
    assert CHECK.applies(context(), {}) is None
    assert CHECK.applies(declared(audit=audit_facts(only=(CARD.id,))), {}) is None
    assert CHECK.applies(declared(), {}) is not None
    assert CHECK.applies(declared(policy=Policy(before_and_after=True)), {}) is not None
    assert "learner" not in Observed().model_dump()
    assert come_to(CHECK.judge(context(), Observed(learner=seen(KEEPS)), {})) == (Status.FAIL, 1.0)
    assert come_to(CHECK.judge(context(), Observed(), {})) == (Status.INCONCLUSIVE, None)


def test_of_a_program_and_a_learner_the_worse_one_decides() -> None:
    program = ControllerFacts(
        use=None, entry="store.py:Store", params={}, operations={"set": ("*",)}, commuting=(), games=20, digest="0" * 64
    )
    of_both = context(controller=program)
    unplayed = Message("games.few")
    for found, status in ((seen(KEEPS), Status.FAIL), (seen(), Status.INCONCLUSIVE)):
        told = CHECK.judge(of_both, Observed(untried=unplayed, learner=found), {})
        assert come_to(told)[0] is status
        assert {each.code for each in told.reasons} >= {"games.not-shown", "games.learner.played"}
    levels = CHECK.levels(of_both, Observed(untried=unplayed, learner=seen(KEEPS, laws=(law(30, 0),))), told)
    assert [each.test for each in levels] == [learner.TEST]


def test_a_game_that_is_lost_refutes_confidentiality() -> None:
    facts = judged(context(), seen(KEEPS), NOTHING).facts
    found = {each.id: each.status for each in derive_guarantees(facts, epsilon=None, delta=None)}
    assert found["deletion-as-confidentiality"] is ClaimStatus.REFUTED
    assert found["deletion-as-control"] is not ClaimStatus.REFUTED
