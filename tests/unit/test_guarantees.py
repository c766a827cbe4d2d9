"""A guarantee stands as firmly as its weakest premise, and some premises can never be more than attested."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from auditor.base.domain import ClaimStatus, Fact, Guarantee, Message, Provenance
from auditor.base.promises import Gaussian, Pure
from auditor.maths.certificates import gaussian
from auditor.pages.words import sentence
from auditor.pages.words.guarantees import STATEMENTS, statement
from auditor.parts.controllers import theorems as control
from auditor.parts.controllers.theorems import HISTORY, PRIVATE, TO_CONFIDENTIALITY, TO_CONTROL
from auditor.parts.removal.theorems import NEWTON, NOISE, RETRAINING, above_extractor, is_above_extractor
from auditor.verdict.guarantees import (
    ATTESTED_AT_BEST,
    CERTIFIED_REMOVAL,
    CONFIDENTIALITY,
    CONTROL,
    EXPLAINED,
    KNOWN,
    UNLEARNING,
    UNREFUTED,
    Pledge,
    Spent,
    conclude,
    derive,
    derive_guarantees,
    fact,
    pledge_to_one,
    standing,
)
from auditor.verdict.theorems import Theorem, facts_needed, needing, theorems

BY_HAND = Message("fact.not-examined")
STRONG = (Provenance.COMPUTED, Provenance.MEASURED)
every_how = st.dictionaries(st.sampled_from(sorted(STATEMENTS)), st.sampled_from(Provenance), max_size=len(STATEMENTS))


def facts_of(hows: dict[str, Provenance]) -> list[Fact]:
    return [fact(name, how, BY_HAND) for name, how in hows.items()]


def firm(rule: Theorem, how: Provenance = Provenance.COMPUTED) -> dict[str, Provenance]:
    return dict.fromkeys(rule.needs, how)


def statuses(hows: dict[str, Provenance]) -> dict[str, ClaimStatus]:
    return {item.id: item.status for item in derive_guarantees(facts_of(hows), epsilon=1.0, delta=1e-4)}


@pytest.mark.parametrize("rule", theorems().values(), ids=list(theorems()))
def test_every_premise_that_is_missing_or_refuted_takes_the_conclusion_with_it(rule: Theorem) -> None:
    known = {item.name: item for item in facts_of(firm(rule))}
    assert (standing(derive(rule, known)) is not ClaimStatus.NOT_SHOWN) == rule.concludes
    for name in rule.needs:
        without = {key: item for key, item in known.items() if key != name}
        derivation = derive(rule, without)
        assert standing(derivation) is ClaimStatus.NOT_SHOWN
        lacking = [premise for premise in derivation.premises if premise.how is Provenance.UNKNOWN]
        assert [premise.fact for premise in lacking] == [name]
        assert sentence(lacking[0].evidence), "it says why the fact is unknown"
        for how in (Provenance.REFUTED, Provenance.UNKNOWN):
            assert standing(derive(rule, without | {name: fact(name, how, BY_HAND)})) is ClaimStatus.NOT_SHOWN
        attested = derive(rule, without | {name: fact(name, Provenance.ATTESTED, BY_HAND)})
        unnamed = {each for each in rule.needs if each == name or each in ATTESTED_AT_BEST} - set(rule.under)
        given_all = ClaimStatus.SUPPORTED if unnamed else ClaimStatus.SHOWN
        assert standing(attested) is (given_all if rule.concludes else ClaimStatus.NOT_SHOWN)


@settings(max_examples=100)
@given(every_how)
def test_no_facts_make_certified_removal_more_than_supported(hows: dict[str, Provenance]) -> None:
    for item in derive_guarantees(facts_of(hows), epsilon=1.0, delta=1e-4):
        if item.id == CERTIFIED_REMOVAL:
            assert item.status is not ClaimStatus.SHOWN
            assert (item.epsilon is None) == (item.status in {ClaimStatus.NOT_SHOWN, ClaimStatus.REFUTED}) == (item.delta is None)
            assert (item.status is ClaimStatus.REFUTED) == (hows.get("unrefuted") is Provenance.REFUTED)


def test_with_every_fact_computed_newton_removal_is_supported_and_names_the_gap() -> None:
    (removal, *_) = derive_guarantees(facts_of(firm(NEWTON)), epsilon=0.5, delta=1e-5)
    assert (removal.status, removal.epsilon, removal.delta) == (ClaimStatus.SUPPORTED, 0.5, 1e-5)
    attested = {premise.fact for premise in removal.derivation[0].premises if premise.how is Provenance.ATTESTED}
    assert "residual-independent" in attested
    assert attested == ATTESTED_AT_BEST & set(NEWTON.needs)


@pytest.mark.parametrize("word", ["seed-secret", "settings-fixed"])
def test_noise_at_release_is_shown_under_words_and_never_in_silence(word: str) -> None:
    """A long seed may be one that anybody thinks of, and a noise that was fitted tells of what it was fitted to."""
    computed = {name: Provenance.COMPUTED for name in NOISE.needs if name not in NOISE.under}
    said = {**computed, **dict.fromkeys(NOISE.under, Provenance.ATTESTED)}
    (removal, *_) = derive_guarantees(facts_of(said), epsilon=1.0, delta=1e-5)
    assert (removal.status, removal.derivation[0].rule) == (ClaimStatus.SHOWN, NOISE.id)
    for how in (Provenance.UNKNOWN, Provenance.REFUTED):
        (removal, *_) = derive_guarantees(facts_of({**said, word: how}), epsilon=1.0, delta=1e-5)
        assert removal.status is ClaimStatus.NOT_SHOWN
    # Any other word leaves it supported: the statement does not name it.
    (removal, *_) = derive_guarantees(facts_of({**said, "release-reproduced": Provenance.ATTESTED}), epsilon=1.0, delta=1e-5)
    assert removal.status is ClaimStatus.SUPPORTED


def test_certified_removal_states_what_is_certified_and_never_more_than_the_target() -> None:
    spent = Spent(by_loss=Pledge(0.726, 1e-4), by_noise=Pledge(0.4, 1e-4))
    loss, noise = facts_of(firm(NEWTON)), facts_of(firm(NOISE))
    for facts, target, stated in ((loss, 1.0, 0.726), (loss, 0.5, 0.5), (noise, 1.0, 0.4)):
        (removal, *_) = derive_guarantees(facts, epsilon=target, delta=1e-4, spent=spent)
        assert (removal.epsilon, removal.delta) == (stated, 1e-4)
    (removal, *_) = derive_guarantees(loss, epsilon=1.0, delta=1e-4, spent=Spent())
    assert removal.epsilon == 1.0
    above = facts_of(firm(above_extractor(NEWTON)))
    (removal, *_) = derive_guarantees(above, epsilon=1.0, delta=1e-4, extractor=Pledge(0.15, 1e-6), spent=spent)
    # What this log certifies was measured above one extractor: Theorem 5 takes what holds above every one.
    assert removal.epsilon == pytest.approx(1.15)
    (removal, *_) = derive_guarantees(facts_of(firm(RETRAINING)), epsilon=1.0, delta=1e-4, spent=spent)
    assert removal.epsilon == 0.0


@settings(max_examples=100)
@given(every_how, st.sampled_from(sorted(STATEMENTS)), st.sampled_from([Provenance.REFUTED, Provenance.UNKNOWN]))
def test_a_weaker_word_never_makes_a_guarantee_firmer(hows: dict[str, Provenance], name: str, how: Provenance) -> None:
    order = [ClaimStatus.REFUTED, ClaimStatus.NOT_SHOWN, ClaimStatus.SUPPORTED, ClaimStatus.SHOWN]
    before, after = statuses(hows), statuses(hows | {name: how})
    assert all(order.index(after[key]) <= max(order.index(before[key]), 1) for key in before)


@pytest.mark.parametrize("first", list(Provenance))
@pytest.mark.parametrize("second", list(Provenance))
def test_of_two_words_on_one_fact_the_weaker_counts_in_either_order(first: Provenance, second: Provenance) -> None:
    rest = [item for item in facts_of(firm(NEWTON)) if item.name != "criterion-met"]
    both = [fact("criterion-met", how, BY_HAND) for how in (first, second)]
    found = {derive_guarantees([*rest, *order], epsilon=1.0, delta=1e-4)[0].status for order in (both, both[::-1])}
    refused = {first, second} & {Provenance.REFUTED, Provenance.UNKNOWN}
    assert found == {ClaimStatus.NOT_SHOWN if refused else ClaimStatus.SUPPORTED}


def test_retraining_gives_an_epsilon_of_zero_without_the_gap() -> None:
    (removal, *_) = derive_guarantees(facts_of(firm(RETRAINING)), epsilon=1.0, delta=1e-4)
    assert (removal.status, removal.epsilon, removal.delta) == (ClaimStatus.SUPPORTED, 0.0, 0.0)
    assert all(premise.fact != "residual-independent" for premise in removal.derivation[0].premises)


def test_a_way_that_is_known_and_leads_nowhere_does_not_stand_before_another() -> None:
    """What else is known never takes away what a theorem gives."""
    for more in ("retrained", "release-noise"):
        (removal, *_) = derive_guarantees(facts_of(firm(NEWTON) | {more: Provenance.MEASURED}), epsilon=1.0, delta=1e-4)
        assert (removal.status, removal.derivation[0].rule) == (ClaimStatus.SUPPORTED, NEWTON.id)


def test_a_word_that_batches_were_retrained_asks_for_clean_code_as_a_clean_room_does() -> None:
    computed = firm(RETRAINING)
    for how in (Provenance.ATTESTED, Provenance.MEASURED):
        (removal, *_) = derive_guarantees(facts_of(computed | {"retrained": how}), epsilon=1.0, delta=1e-4)
        assert (removal.status, removal.derivation[0].premises[-1].fact) == (ClaimStatus.NOT_SHOWN, "code-clean")
    (removal, *_) = derive_guarantees(facts_of(computed), epsilon=1.0, delta=1e-4)
    assert removal.status is ClaimStatus.SUPPORTED


def test_adaptive_unlearning_is_listed_where_it_is_asked_for_and_promises_nobody_a_number() -> None:
    hows = firm(control.UNLEARNING)
    assert UNLEARNING not in statuses({name: how for name, how in hows.items() if name != "unlearning-syntax"})
    found = derive_guarantees(facts_of(hows), epsilon=None, delta=None, fresh=Pledge(0.5, 1e-9))[-1]
    assert (found.id, found.status, found.epsilon, found.delta) == (UNLEARNING, ClaimStatus.SUPPORTED, None, None)
    assert "α = 1.5 and γ = 0.002" in statement(found)
    assert "is not deletion-as-control" in statement(found)
    identical = {
        **hows,
        "history-independent-when-fresh": Provenance.UNKNOWN,
        "adaptively-history-independent": Provenance.COMPUTED,
    }
    assert statuses(identical)[UNLEARNING] is ClaimStatus.NOT_SHOWN, "identical randomness gives nothing"
    assert "No numbers were shown" in statement(derive_guarantees(facts_of(identical), epsilon=None, delta=None)[-1])


def test_the_corollary_of_the_touchstones_needs_one_of_them() -> None:
    hows = firm(control.TOUCHSTONE)
    assert statuses(hows)[CONTROL] is ClaimStatus.SUPPORTED
    rules = {each.rule for each in derive_guarantees(facts_of({}), epsilon=None, delta=None)[1].derivation}
    assert control.TOUCHSTONE.id not in rules
    assert statuses(hows | {"touchstone-storage": Provenance.REFUTED})[CONTROL] is ClaimStatus.NOT_SHOWN


def test_the_place_of_a_guarantee_of_the_model_is_no_way_to_control() -> None:
    found = derive_guarantees(facts_of(firm(control.OF_THE_MODEL)), epsilon=None, delta=None)[1]
    assert found.status is ClaimStatus.NOT_SHOWN
    assert found.derivation[0].rule == control.OF_THE_MODEL.id


def test_that_a_batch_was_not_retrained_leads_back_to_the_other_theorem() -> None:
    hows = firm(NEWTON) | {"retrained": Provenance.REFUTED}
    (removal, *_) = derive_guarantees(facts_of(hows), epsilon=1.0, delta=1e-4)
    assert (removal.derivation[0].rule, removal.epsilon) == (NEWTON.id, 1.0)


def test_a_guarantee_for_the_model_alone_is_not_control_and_the_gaps_are_named() -> None:
    hows = firm(NEWTON) | {"store-erased": Provenance.MEASURED}
    found = {item.id: item for item in derive_guarantees(facts_of(hows), epsilon=1.0, delta=1e-4)}
    assert (found[CONTROL].status, found[CONTROL].epsilon) == (ClaimStatus.NOT_SHOWN, None)
    assert found[CONFIDENTIALITY].status is ClaimStatus.NOT_SHOWN
    unknown = {premise.fact for premise in found[CONTROL].derivation[0].premises if premise.how is Provenance.UNKNOWN}
    assert unknown == {"whole-state", "adaptive", "two-sided"}


def test_a_test_of_history_independence_is_no_proof_of_it() -> None:
    assert statuses(firm(TO_CONTROL[1], Provenance.MEASURED))[CONTROL] is ClaimStatus.SUPPORTED
    assert statuses(firm(TO_CONTROL[2], Provenance.MEASURED))[CONTROL] is ClaimStatus.SUPPORTED


@pytest.mark.parametrize("how", STRONG)
def test_a_conclusion_is_as_firm_as_its_best_route(how: Provenance) -> None:
    shown = derive(Theorem("a", "", ("store-erased",)), {"store-erased": fact("store-erased", how, BY_HAND)})
    supported = derive(Theorem("b", "", ("adaptive",)), {"adaptive": fact("adaptive", Provenance.ATTESTED, BY_HAND)})
    nothing = derive(Theorem("c", "", ("two-sided",)), {})
    assert conclude([nothing, supported, shown]) is ClaimStatus.SHOWN
    assert conclude([nothing, supported]) is ClaimStatus.SUPPORTED
    assert conclude([nothing]) is conclude([]) is ClaimStatus.NOT_SHOWN


def test_private_training_gives_control_with_its_numbers_and_history_independence_with_none() -> None:
    hows = firm(PRIVATE)
    private = pledge_to_one(1.0, 1e-6, records=3)
    assert private is not None
    assert (private.epsilon, private.delta) == (3.0, pytest.approx(1.11073379274e-5, rel=1e-11))

    def controlled(names: dict[str, Provenance], pledge: Pledge | None = private) -> Guarantee:
        return derive_guarantees(facts_of(names), epsilon=None, delta=None, private=pledge)[1]

    found = controlled(hows)
    assert (found.status, found.epsilon, found.delta) == (ClaimStatus.SUPPORTED, 3.0, private.delta)
    assert "kε and δ(e^(kε) − 1)/(e^ε − 1)" in statement(found)
    both = controlled(hows | firm(HISTORY))
    assert (both.status, both.epsilon, both.delta) == (ClaimStatus.SUPPORTED, 0.0, 0.0)
    assert "Of any number of people who are deleted together it says the same" in statement(both)
    for name in PRIVATE.needs:
        refuted = controlled(hows | {name: Provenance.REFUTED})
        assert (refuted.status, refuted.epsilon, refuted.delta) == (ClaimStatus.NOT_SHOWN, None, None)
    assert controlled(hows, None).epsilon is None


def test_a_group_bound_that_promises_nothing_is_none() -> None:
    assert pledge_to_one(5.0, 1e-3, records=4) is None
    assert pledge_to_one(0.5, 1e-5, records=1) == Pledge(0.5, 1e-5)
    assert pledge_to_one(5.0, 1e-3, records=4, promise=Pure(epsilon=800.0)) is None


@pytest.mark.parametrize("records", [2, 3, 7])
def test_several_records_are_promised_what_is_read_off_their_promise_at_the_same_delta(records: int) -> None:
    """And by kε where it says nothing there: a Gaussian has no ε at δ = 0."""
    of_one = Gaussian(mu=0.2)
    epsilon = gaussian.epsilon(1e-6, 0.2)
    found = pledge_to_one(epsilon, 1e-6, records=records, promise=of_one)
    assert found is not None
    assert isinstance(found.promise, Gaussian)
    assert (found.epsilon, found.delta) == (gaussian.epsilon(1e-6, found.promise.mu), 1e-6)
    # A larger δ leaves a smaller ε, so that both are held against one another at one δ: the promise says more.
    by_numbers = pledge_to_one(epsilon, 1e-6, records=records)
    assert by_numbers is not None
    assert gaussian.delta(by_numbers.epsilon, found.promise.mu) < by_numbers.delta
    alone = pledge_to_one(0.5, 0.0, records=records, promise=of_one)
    assert alone is not None
    assert (alone.epsilon, alone.delta) == (0.5 * records, 0.0)


def test_every_fact_that_a_theorem_needs_has_a_statement_and_no_other_has_one() -> None:
    assert facts_needed() | UNREFUTED == KNOWN == set(STATEMENTS)
    assert ATTESTED_AT_BEST <= KNOWN
    # What a proof gives no run establishes: a test of it refutes, or finds nothing.
    assert {"adaptively-history-independent", "history-independent-when-fresh"} <= ATTESTED_AT_BEST
    for how, taken in ((Provenance.MEASURED, Provenance.ATTESTED), (Provenance.COMPUTED, Provenance.COMPUTED)):
        known = {"strongly-history-independent": fact("strongly-history-independent", how, BY_HAND)}
        assert derive(HISTORY, known).premises[0].how is taken
    assert EXPLAINED <= KNOWN
    with pytest.raises(KeyError):
        fact("everything-is-fine", Provenance.COMPUTED, BY_HAND)


def test_every_theorem_has_an_id_a_citation_and_facts_to_need() -> None:
    for name, each in theorems().items():
        assert name == each.id
        assert each.citation == each.citation.strip() != ""
        assert len(set(each.needs)) == len(each.needs) > 0
    assert {each.id for each in (*TO_CONTROL, *TO_CONFIDENTIALITY)} <= set(theorems())


def test_above_an_extractor_a_theorem_needs_its_privacy_in_place_of_clean_preprocessing() -> None:
    above = above_extractor(NEWTON)
    assert is_above_extractor(above.id)
    assert not is_above_extractor(NEWTON.id)
    assert set(above.needs) ^ set(NEWTON.needs) == {"preprocessing-clean", "extractor-private", "every-extractor"}
    attacked = needing(NEWTON, "unrefuted")
    assert (attacked.id, attacked.needs) == (NEWTON.id, (*NEWTON.needs, "unrefuted"))


@pytest.mark.parametrize("name", sorted(EXPLAINED))
def test_of_some_facts_there_is_more_to_say_where_they_are_unknown(name: str) -> None:
    (premise,) = derive(Theorem("a", "", (name,)), {}).premises
    assert premise.how is Provenance.UNKNOWN
    assert sentence(premise.evidence) != sentence(BY_HAND)
