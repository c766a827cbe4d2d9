"""Confidentiality of private storage and of one private outcome: each premise counts, and a lost game takes it away."""

from __future__ import annotations

import random
from dataclasses import replace
from datetime import date
from typing import Any

import pytest
from test_control_judging import case, law, tried

from auditor.base.domain import ClaimStatus, Fact, Guarantee, Message, Provenance, Status
from auditor.base.histories import DELETE, ENVIRONMENT
from auditor.document.context import ControllerFacts
from auditor.pages.words.guarantees import statement
from auditor.parts.controllers.judging import privacy_continual
from auditor.parts.controllers.judging.control.judging import GameCase, Observed, judged
from auditor.parts.controllers.judging.history import independence
from auditor.parts.controllers.judging.history.observed import Law
from auditor.parts.controllers.observing.games.executions import Kind
from auditor.parts.controllers.observing.games.experiment import experiment
from auditor.parts.controllers.observing.histories.experiment import Sizes
from auditor.parts.controllers.theorems import BATCH_HIDDEN, COUNTED, STORED
from auditor.settings.controller import NothingLearned
from auditor.settings.learning import Sklearn
from auditor.settings.tables import Claims, PrivacyClaim
from auditor.verdict.checks import attested
from auditor.verdict.checks.finding import Finding
from auditor.verdict.guarantees import CONFIDENTIALITY, CONTROL, Pledge, derive_guarantees, fact
from auditor.verdict.theorems import Theorem
from benchmarks.in_process import rooms
from judging import declared
from played_controllers import BROUGHT, DICTIONARY, VOCABULARIES, Dictionary

GAME = "confidentiality.game"
PLEDGED = Pledge(1.0, 1e-6)
WORDS = ("answers-from-own-data", "strongly-history-independent", "controller-is-implementation", "logical-deletion")
SMALL = Sizes(ways=1, by_chance=10, searched=10, fresh=200)


def known(rule: Theorem, **changed: Provenance) -> list[Fact]:
    """The premises of a rule, computed but where it says so."""
    hows = {name: changed.get(name.replace("-", "_"), Provenance.COMPUTED) for name in rule.needs}
    return [fact(name, how, Message("fact.not-examined")) for name, how in hows.items()]


def confidentiality(*facts: Fact) -> Guarantee:
    found = derive_guarantees(facts, epsilon=None, delta=None, continual=PLEDGED)
    return next(each for each in found if each.id == CONFIDENTIALITY)


def attesting(*words: str, epsilon: float | None = None) -> Claims:
    promise = None if epsilon is None else PrivacyClaim(epsilon=epsilon, delta=0.0)
    return Claims(attested=words, attested_by="A controller", attested_at=date(2026, 1, 31), dp=promise)


def whole(use: str | None = None) -> ControllerFacts:
    entry = None if use else "store.py:Store"
    operations = {"set": ("*",)}
    return ControllerFacts(use=use, entry=entry, params={}, operations=operations, commuting=("set",), games=120, digest="0" * 64)


@pytest.mark.parametrize("rule", [STORED, BATCH_HIDDEN])
def test_each_premise_that_is_missing_or_refuted_leaves_nothing_shown(rule: Theorem) -> None:
    held = confidentiality(*known(rule))
    assert held.status is ClaimStatus.SUPPORTED
    assert (held.epsilon, held.delta) == ((0.0, 0.0) if rule is STORED else (1.0, 1e-6))
    for name in rule.needs:
        for how in (Provenance.REFUTED, Provenance.UNKNOWN):
            found = confidentiality(*known(rule, **{name.replace("-", "_"): how}))
            assert (found.status, found.epsilon) == (ClaimStatus.NOT_SHOWN, None)
        found = confidentiality(*(each for each in known(rule) if each.name != name))
        assert (found.status, found.epsilon) == (ClaimStatus.NOT_SHOWN, None)


def test_a_route_without_cause_is_not_listed_and_a_worse_one_hides_no_better_one() -> None:
    assert {each.rule for each in confidentiality(*known(STORED)).derivation} == {STORED.id}
    assert {each.rule for each in confidentiality(*known(BATCH_HIDDEN)).derivation} == {BATCH_HIDDEN.id}
    broken = fact("pan-private", Provenance.REFUTED, Message("fact.not-examined"))
    both = confidentiality(*known(STORED), broken)
    assert (both.status, both.epsilon) == (ClaimStatus.SUPPORTED, 0.0)
    assert {each.rule for each in both.derivation} == {STORED.id, COUNTED.id}


def test_pages_say_whom_it_covers() -> None:
    assert "silent subjects" in statement(confidentiality(*known(STORED)))
    assert "horizon" not in statement(confidentiality(*known(STORED)))
    assert "the one outcome" in statement(confidentiality(*known(BATCH_HIDDEN)))


# What is known of controllers of ours, and whether their code does as it is said


@pytest.mark.parametrize("use", sorted(BROUGHT))
def test_what_answers_depend_on_is_said_of_private_stores_alone(use: str) -> None:
    names = {each.name for each in independence.of_controller(whole(use), attested=())}
    assert ("answers-from-own-data" in names) == (use in {"cloud-storage", "dictionary"})


@pytest.mark.parametrize("use", sorted(independence.PRIVATE_STORES))
def test_a_private_store_answers_each_as_if_nobody_else_were_there(use: str) -> None:
    operations = [*VOCABULARIES[use].arguments, DELETE]
    for seed in range(200):
        drawn = random.Random(seed)
        said = [(drawn.choice("abc"), drawn.choice(operations), drawn.choice([None, "x", "y", "a"])) for _ in range(30)]
        together = BROUGHT[use]()
        together.initialize(seed)
        answers = [together.activate(*each) for each in said]
        for name in "abc":
            alone = BROUGHT[use]()
            alone.initialize(seed)
            own = [alone.activate(*each) for each in said if each[0] == name]
            assert own == [answer for answer, each in zip(answers, said, strict=True) if each[0] == name]


@pytest.mark.parametrize("use", ["batch-count", "batch-model"])
def test_a_batch_answers_with_its_outcome_alone(use: str) -> None:
    record = {"batch-count": None, "batch-model": "0.5,-1,1"}[use]
    batch = BROUGHT[use]()
    batch.initialize(3)
    assert all(batch.activate(name, "add", record) is None for name in "abc")
    assert batch.activate("b", DELETE, None) is None
    outcome = batch.activate(ENVIRONMENT, "tick", None)
    later = [batch.activate(name, said, record) for name in "abd" for said in ("add", DELETE, "other")]
    assert set(later) == {outcome}
    kept = whole(use)
    context = replace(declared(procedure=NothingLearned(seed="1")), controller=kept)
    names = {each.name for each in privacy_continual._facts(context, kept, ())}
    assert {*BATCH_HIDDEN.needs} - names == {"seed-secret"}, "which is the word of its owner"
    assert "answers-outcome-alone" not in {each.name for each in privacy_continual._facts(context, kept, ("one-draw",))}


# What a game takes away


def lost(claims: Claims, controller: ControllerFacts, *, answers: bool, **given: Any) -> Finding:
    shown: GameCase = case().model_copy(update={"answers": answers})
    played = tried(**({"cases": (shown,)} | given))
    context = replace(declared(claims=claims, procedure=NothingLearned(seed="1")), controller=controller)
    return judged(context, Observed(tried=played), kind=GAME)


@pytest.mark.parametrize("controller", [whole("dictionary"), whole(None)], ids=["ours", "attested"])
def test_a_lost_game_refutes_it_whatever_is_known_or_claimed(controller: ControllerFacts) -> None:
    """Bytes that differ refute ε = δ = 0, which the theorem states: a claim of ε = 50, which they keep to, spares nothing."""
    for epsilon in (None, 50.0):
        found = lost(attesting(*WORDS, epsilon=epsilon), controller, answers=True, laws=(law(1000, 0),))
        assert "answers-from-own-data" in {each.name for each in found.facts if each.how is Provenance.REFUTED}
        status = confidentiality(*known(STORED), *found.facts).status
        assert status is (ClaimStatus.REFUTED if epsilon is None else ClaimStatus.NOT_SHOWN)


def test_states_that_differ_withdraw_it_too_and_so_do_fresh_tapes() -> None:
    claims = attesting(*WORDS, epsilon=50.0)
    apart: Law = law(900, 100)
    for given in ({"ignores_tape": True}, {"ignores_tape": False, "laws": (apart,)}):
        found = lost(claims, whole(None), answers=False, **given)
        assert found.status is not Status.PASS
        assert confidentiality(*known(STORED), *found.facts).status is ClaimStatus.NOT_SHOWN
    same: Law = law(500, 500)
    kept = lost(claims, whole(None), answers=False, ignores_tape=False, laws=(same,))
    assert kept.facts == (), "another tape may explain the state"


def test_nothing_is_refuted_where_nobody_said_it() -> None:
    found = lost(Claims(), whole("bulletin-board"), answers=True, laws=(law(1000, 0),))
    assert {each.name for each in found.facts} == {"confidentiality-unrefuted"}


def test_a_lost_game_of_a_batch_withdraws_what_it_rests_on() -> None:
    params = {"epsilon": 1.0, "delta": 1e-6}
    controller = whole("batch-model").model_copy(update={"params": params})
    found = lost(Claims(), controller, answers=True, ignores_tape=False, cases=(), laws=(law(900, 100),))
    assert "batch-private" in {each.name for each in found.facts}
    assert confidentiality(*known(BATCH_HIDDEN), *found.facts).status is ClaimStatus.REFUTED


@pytest.mark.parametrize(
    ("controller", "procedure", "standing"),
    [
        (whole(None), NothingLearned(seed="1"), ClaimStatus.SUPPORTED),
        (None, NothingLearned(seed="1"), ClaimStatus.NOT_SHOWN),
        (whole(None), Sklearn(estimator="sklearn.tree.DecisionTreeClassifier", unlearn="none", seed="1"), ClaimStatus.NOT_SHOWN),
    ],
    ids=["program", "nothing", "program and learner"],
)
def test_words_count_of_a_whole_program_alone(controller: Any, procedure: Any, standing: ClaimStatus) -> None:
    context = declared(controller=controller, procedure=procedure, claims=attesting(*WORDS))
    assert confidentiality(*attested.facts(context, Finding(Status.SKIPPED))).status is standing


class Greeting(Dictionary):
    """Broken: it tells each how many members there are."""

    def activate(self, channel: str, operation: str, argument: str | None) -> str | None:
        own = super().activate(channel, operation, argument)
        return f"{own}, {len(self.kept)} members" if operation == "get" else own


def test_a_store_that_says_how_many_members_it_has_loses_the_game_and_its_word() -> None:
    """The state is one form of the contents and deletion is logical: its answers alone give people away."""
    played = experiment(Kind.CONFIDENTIALITY, DICTIONARY, rooms(Greeting), seed=5, sizes=SMALL)
    context = replace(declared(claims=attesting(*WORDS, epsilon=50.0), procedure=NothingLearned(seed="1")), controller=whole())
    found = judged(context, Observed(tried=played), kind=GAME)
    words = attested.facts(context, Finding(Status.SKIPPED))
    assert confidentiality(*words).status is ClaimStatus.SUPPORTED
    assert confidentiality(*words, *found.facts).status is not ClaimStatus.SUPPORTED


@pytest.mark.parametrize("kind", list(Kind))
def test_a_claim_of_a_large_epsilon_spares_no_control_without_any(kind: Kind) -> None:
    """States that differ whatever the tape refute Theorem 3.7, which states ε = δ = 0, and not the ε = 50 that is claimed."""
    context = replace(declared(claims=attesting(*WORDS, epsilon=50.0), procedure=NothingLearned(seed="1")), controller=whole())
    words = attested.facts(context, Finding(Status.SKIPPED))

    def control(*facts: Fact) -> ClaimStatus:
        found = derive_guarantees((*words, *facts), epsilon=None, delta=None)
        return next(each.status for each in found if each.id == CONTROL)

    assert control() is ClaimStatus.SUPPORTED
    played = tried(cases=(case(),), laws=(law(1000, 0),))
    found = judged(context, Observed(tried=played), kind=kind)
    assert found.status is Status.INCONCLUSIVE, "ε = 50 is not refuted"
    assert control(*found.facts) is ClaimStatus.NOT_SHOWN
