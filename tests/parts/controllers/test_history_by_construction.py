"""What is known of history independence by the way code is written, and what follows from it: never more than *supported*."""

from __future__ import annotations

from dataclasses import replace
from datetime import date

import pytest

from auditor.base.domain import ClaimStatus, Guarantee, Provenance, Status
from auditor.base.terms import NoTerms
from auditor.document.context import ControllerFacts
from auditor.parts.controllers.judging.history import independence
from auditor.parts.controllers.judging.history.independence import CHECK
from auditor.parts.controllers.judging.history.observed import Observed, Played, Tried
from auditor.parts.controllers.judging.history.pipeline import Pipeline, Reached, Way
from auditor.parts.controllers.theorems import HISTORY, TOUCHSTONE
from auditor.settings.controller import NothingLearned
from auditor.settings.learning import Sklearn
from auditor.settings.tables import Claims
from auditor.verdict.checks import attested
from auditor.verdict.checks.finding import Finding
from auditor.verdict.corollaries import group
from auditor.verdict.guarantees import CONTROL, UNLEARNING, Pledge, derive_guarantees
from judging import declared

TREE = "sklearn.tree.DecisionTreeClassifier"


def whole(use: str | None) -> ControllerFacts:
    entry = "own.py:Mine" if use is None else None
    return ControllerFacts(use=use, entry=entry, params={}, operations={}, commuting=(), games=20, digest="0" * 64)


def guarantees(found: Finding) -> dict[str, Guarantee]:
    fresh = independence.pledged(found.facts)
    return {each.id: each for each in derive_guarantees(found.facts, epsilon=None, delta=None, fresh=fresh)}


@pytest.mark.parametrize("use", ["bulletin-board", "cloud-storage", "dictionary", "sqlite-rebuilt", "xor", "tree-counter", None])
def test_what_is_known_of_a_controller_is_known_of_ours_with_one_form_for_each_contents(use: str | None) -> None:
    said = ("controller-is-implementation",)
    found = {each.name: each.how for each in independence.of_controller(whole(use), attested=said)}
    if use not in independence.CANONICAL:
        assert found == {}
        return
    assert set(found.values()) == {Provenance.COMPUTED}
    assert {*HISTORY.needs, "adaptively-history-independent"} - {*said} <= found.keys()
    # That nothing is kept outside the program in use, no code can say.
    assert not {"controller-is-implementation"} & found.keys()
    alone = {each.name for each in independence.of_controller(whole(use), attested=())}
    assert alone == found.keys() - {"adaptively-history-independent"}
    assert ("touchstone-storage" in found) == (use != "dictionary")


@pytest.mark.parametrize("use", ["cloud-storage", "dictionary"])
def test_storage_in_one_form_supports_control_of_anybody_and_of_any_number(use: str) -> None:
    """Theorem 3.7 and Corollary 3.10: by construction, and no game shows it."""
    seen = (Played(adversary="by-chance", histories=300, different=0),)
    played = Tried(
        histories=600,
        operations=7_000,
        deterministic=True,
        ignores_tape=True,
        searched=True,
        played=seen,
        counterexamples=(),
        laws=(),
    )
    claims = Claims(attested=("controller-is-implementation",), attested_by="A controller", attested_at=date(2026, 1, 31))
    context = declared(controller=whole(use), procedure=NothingLearned(seed="1"), claims=claims)
    judged = CHECK.judge(context, Observed(tried=played), {})
    word = attested.facts(context, Finding(Status.SKIPPED))
    known = {each.name for each in judged.facts}
    found = guarantees(replace(judged, facts=(*judged.facts, *(each for each in word if each.name not in known))))
    silent = CHECK.judge(replace(context, claims=Claims()), Observed(tried=played), {})
    assert guarantees(silent)[CONTROL].status is ClaimStatus.NOT_SHOWN, "nobody says that nothing is kept outside of it"
    control = found[CONTROL]
    assert (control.status, control.epsilon, control.delta) == (ClaimStatus.SUPPORTED, 0.0, 0.0)
    assert group(control, 1_000) == Pledge(0.0, 0.0)
    assert (TOUCHSTONE.id in {each.rule for each in control.derivation}) == (use == "cloud-storage")
    assert UNLEARNING not in found
    # Where nothing was played nothing is said, and code of a case is not known.
    for facts in (
        CHECK.judge(context, Observed(), {}).facts,
        CHECK.judge(replace(context, controller=whole(None)), Observed(tried=played), {}).facts,
    ):
        assert facts == ()
    # Next to a learner it is not the whole: what a model keeps of people lies outside of it.
    learning = CHECK.judge(declared(controller=whole(use)), Observed(tried=played), {})
    assert learning.facts == ()
    assert guarantees(learning)[CONTROL].status is ClaimStatus.NOT_SHOWN


WORDS = ("strongly-history-independent", "controller-is-implementation", "logical-deletion")


def test_the_word_that_there_is_a_proof_counts_of_a_whole_program_alone() -> None:
    """No word may give control to a case whose learner keeps who knows what."""
    claims = Claims(attested=WORDS, attested_by="A controller", attested_at=date(2026, 1, 31))
    for controller, procedure, standing in (
        (whole(None), NothingLearned(seed="1"), ClaimStatus.SUPPORTED),
        (None, NothingLearned(seed="1"), ClaimStatus.NOT_SHOWN),
        (None, Sklearn(estimator=TREE, unlearn="none", seed="1"), ClaimStatus.NOT_SHOWN),
        (whole(None), Sklearn(estimator=TREE, unlearn="none", seed="1"), ClaimStatus.NOT_SHOWN),
    ):
        context = declared(controller=controller, procedure=procedure, claims=claims)
        facts = attested.facts(context, Finding(Status.SKIPPED))
        found = derive_guarantees(facts, epsilon=None, delta=None)
        assert next(each for each in found if each.id == CONTROL).status is standing


def reached(*differing: Way) -> Observed:
    ways = tuple(Reached(way=each, differing=("parameters",) if each in differing else (), largest=None) for each in Way)
    return Observed(pipeline=Pipeline(records=56, deleted=4, compared=("parameters", "saved file"), ways=ways))


def test_a_learner_that_trains_again_unlearns_adaptively_where_its_seed_is_secret() -> None:
    claims = Claims(history_independent=True)
    again = Sklearn(use="sklearn", estimator=TREE, unlearn="retrain", seed="123")
    context = declared(claims=claims, procedure=again)
    found = CHECK.judge(context, reached(), {})
    assert {each.name: each.how for each in found.facts} == {
        "unlearning-syntax": Provenance.COMPUTED,
        "history-independent-when-fresh": Provenance.COMPUTED,
    }
    open_one = guarantees(found)[UNLEARNING]
    assert (open_one.status, open_one.terms) == (ClaimStatus.NOT_SHOWN, NoTerms()), "nobody says that the seed is secret"
    # Without the claim nothing is listed; where ways differ, or for a procedure that does not train again, nothing holds.
    silent = declared(procedure=again)
    assert CHECK.applies(silent, {}) is not None
    assert independence.pledged(CHECK.judge(context, reached(Way.FIRST), {}).facts) is None
    other = declared(claims=claims, procedure=Sklearn(use="sklearn", estimator=TREE, unlearn="none", seed="123"))
    assert {each.how for each in CHECK.judge(other, reached(), {}).facts} == {Provenance.UNKNOWN}
