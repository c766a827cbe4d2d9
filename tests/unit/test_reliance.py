"""The cap over a controller's own code and the claims that bind: each way, each claim, and what no word can do."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import report_examples as examples
from auditor.base.domain import ClaimStatus, Fact, Guarantee, Message, Provenance, Status, Verdict
from auditor.base.errors import ReportError
from auditor.document.conclusions import Cap
from auditor.pages.words import verdict as verdicts
from auditor.verdict import reliance
from auditor.verdict.decisions import decide_exit_code
from auditor.verdict.reliance import refuse_contradiction
from sample_cases import golden

P, F, N, S, E = Status.PASS, Status.FAIL, Status.INCONCLUSIVE, Status.SKIPPED, Status.ERROR
EVERY = ("release.exact", "release.remembers", "state.stateless", "deletion.renyi", "swap.quality", "swap.strong")
WORDS = ("code-clean", "procedure-honest")
BY_RUNS = {"state.stateless": P, "deletion.renyi": P}
UNDER_ATTACK = {"release.remembers": P, "swap.quality": P, "swap.strong": P}


def cap(statuses: Mapping[str, Status], attested: Iterable[str] = WORDS, **changes: Any) -> Cap:
    known = {"foreign": True, "claimed": ("data_deletion",), "independent": True, **changes}
    return reliance.cap(statuses=statuses, attested=tuple(attested), **known)


def exit_code(found: Cap, required: Iterable[str] = ("log.consistency",)) -> int:
    return decide_exit_code({"log.consistency": P}, required, capped=found.holds)


@pytest.mark.parametrize(
    ("route", "statuses", "words"),
    [
        ("exact", {"release.exact": P}, ["code-clean"]),
        ("counterfactual", BY_RUNS, ["code-clean"]),
        ("remembers", UNDER_ATTACK, ["procedure-honest", "code-clean"]),
    ],
)
def test_each_way_takes_all_of_its_checks_and_words(route: str, statuses: dict[str, Status], words: list[str]) -> None:
    whole = cap(statuses, words)
    assert (whole.route, whole.holds, exit_code(whole)) == (route, False, 0)
    for name in words:
        short = cap(statuses, [each for each in words if each != name])
        assert (short.route, short.holds, exit_code(short)) == (None, True, 3)
    for name in statuses:
        for worse in (N, S, E, F):
            assert cap({**statuses, name: worse}, words).holds
        assert cap({key: value for key, value in statuses.items() if key != name}, words).holds


@pytest.mark.parametrize("changes", [{"claimed": ()}, {"claimed": ("certified_removal",)}, {"independent": False}])
def test_counterfactual_runs_carry_a_claim_of_data_deletion_alone(changes: dict[str, Any]) -> None:
    assert cap(BY_RUNS, **changes).holds


def test_the_strongest_way_is_named() -> None:
    assert cap({**UNDER_ATTACK, **BY_RUNS, "release.exact": P}).route == "exact"
    assert cap({**UNDER_ATTACK, **BY_RUNS}).route == "counterfactual"


def test_code_of_the_auditor_s_own_needs_no_way() -> None:
    found = cap({}, (), foreign=False)
    assert (found.route, found.routes, found.holds) == (None, (), False)


def test_whatever_is_required_the_words_alone_carry_nothing() -> None:
    assert exit_code(cap({}), ["log.consistency"]) == 3
    assert exit_code(cap({"swap.quality": P, "swap.strong": P})) == 3


@given(
    statuses=st.dictionaries(st.sampled_from(EVERY), st.sampled_from(Status)),
    words=st.sets(st.sampled_from(WORDS)),
    claimed=st.sets(st.sampled_from(["data_deletion"])),
    independent=st.booleans(),
    data=st.data(),
)
def test_a_word_less_or_a_finding_worse_never_improves_the_exit_code(
    statuses: dict[str, Status], words: set[str], claimed: set[str], independent: bool, data: st.DataObject
) -> None:
    before = cap(statuses, words, claimed=claimed, independent=independent)
    fewer = data.draw(st.sets(st.sampled_from(sorted(words)))) if words else set()
    # Nothing is better than a pass, and nothing that is no pass opens a way.
    worse = {name: data.draw(st.sampled_from([status, F, N, S, E])) for name, status in statuses.items()}
    for after in (
        cap(statuses, fewer, claimed=claimed, independent=independent),
        cap(worse, words, claimed=claimed, independent=independent),
        cap(statuses, words, claimed=(), independent=independent),
        cap(statuses, words, claimed=claimed, independent=False),
    ):
        assert exit_code(after) >= exit_code(before)


def guarantee(identity: str, status: ClaimStatus) -> Guarantee:
    return Guarantee(identity, status, None, None, ())


@pytest.mark.parametrize(("name", "identity"), [("certified_removal", "certified-removal"), ("data_deletion", "data-deletion")])
@pytest.mark.parametrize("standing", list(ClaimStatus))
def test_a_claim_stands_as_its_guarantee_does(name: str, identity: str, standing: ClaimStatus) -> None:
    found = reliance.claims({name: True}, guarantees=[guarantee(identity, standing)], statuses={}, attested=(), private=None)
    assert [(each.name, each.standing) for each in found] == [(name, standing)]
    holds = standing in {ClaimStatus.SHOWN, ClaimStatus.SUPPORTED}
    assert bool(reliance.unmet(found)) is not holds
    assert (
        reliance.claims({name: True}, guarantees=[], statuses={}, attested=(), private=None)[0].standing is ClaimStatus.NOT_SHOWN
    )


@pytest.mark.parametrize(("name", "check"), [("dp", "training.privacy"), ("retraining", "release.exact")])
@pytest.mark.parametrize(
    ("status", "standing"),
    [
        (P, ClaimStatus.SUPPORTED),
        (F, ClaimStatus.REFUTED),
        (N, ClaimStatus.NOT_SHOWN),
        (S, ClaimStatus.NOT_SHOWN),
        (E, ClaimStatus.NOT_SHOWN),
    ],
)
def test_a_claim_stands_as_its_check_does(name: str, check: str, status: Status, standing: ClaimStatus) -> None:
    (found,) = reliance.claims({name: True}, guarantees=[], statuses={check: status}, attested=("seed-secret",), private=None)
    assert found.standing is standing


def test_noise_whose_seed_nobody_says_is_secret_supports_no_claim() -> None:
    for status, standing in ((P, ClaimStatus.NOT_SHOWN), (F, ClaimStatus.REFUTED), (N, ClaimStatus.NOT_SHOWN)):
        (found,) = reliance.claims({"dp": True}, guarantees=[], statuses={"training.privacy": status}, attested=(), private=None)
        assert found.standing is standing


CLAIM = {"epsilon": 0.3, "q": 2.0}


@pytest.mark.parametrize(
    ("epsilon", "order", "standing"),
    [
        (0.276, 2.0, ClaimStatus.SUPPORTED),
        (0.3, 2.0, ClaimStatus.SUPPORTED),
        (1.104, 2.0, ClaimStatus.NOT_SHOWN),
        (None, 2.0, ClaimStatus.NOT_SHOWN),
        (0.1, 1.5, ClaimStatus.NOT_SHOWN),
        (0.1, 8.0, ClaimStatus.SUPPORTED),
    ],
)
def test_a_claim_of_data_deletion_is_held_against_what_a_person_with_all_records_gets(
    epsilon: float | None, order: float, standing: ClaimStatus
) -> None:
    found = Guarantee("data-deletion", ClaimStatus.SUPPORTED, epsilon, None, (), order=order)
    (claim,) = reliance.claims({"data_deletion": CLAIM}, guarantees=[found], statuses={}, attested=(), private=None)
    assert claim.standing is standing
    assert claim.epsilon == (None if standing is ClaimStatus.SUPPORTED else epsilon)


@pytest.mark.parametrize(
    ("epsilon", "delta", "holds"), [(1.0, 1e-4, True), (1.0001, 1e-4, False), (1.0, 2e-4, False), (0.0, 0.0, True)]
)
def test_a_claim_of_certified_removal_is_held_against_both_numbers(epsilon: float, delta: float, holds: bool) -> None:
    found = Guarantee("certified-removal", ClaimStatus.SHOWN, epsilon, delta, ())
    claimed = {"certified_removal": {"epsilon": 1.0, "delta": 1e-4}}
    (claim,) = reliance.claims(claimed, guarantees=[found], statuses={}, attested=(), private=None)
    assert claim.standing is (ClaimStatus.SHOWN if holds else ClaimStatus.NOT_SHOWN)


@pytest.mark.parametrize(
    ("private", "standing"),
    [
        (reliance.Promise(2.852, 1e-5), ClaimStatus.SUPPORTED),
        (reliance.Promise(5.704, 1.9e-4), ClaimStatus.NOT_SHOWN),
        (None, ClaimStatus.NOT_SHOWN),
    ],
)
def test_a_claim_of_privacy_is_held_against_what_a_person_with_all_records_gets(
    private: reliance.Promise | None, standing: ClaimStatus
) -> None:
    claimed, passed = {"dp": {"epsilon": 3.0, "delta": 1e-5}}, {"training.privacy": Status.PASS}
    (claim,) = reliance.claims(claimed, guarantees=[], statuses=passed, attested=("seed-secret",), private=private)
    assert claim.standing is standing


@pytest.mark.parametrize(
    ("claimed", "guarantees", "statuses"),
    [
        ({"dp": {"epsilon": 3.0, "delta": 1e-5}}, [], {"training.privacy": F}),
        ({"certified_removal": {"epsilon": 1.0, "delta": 1e-4}}, [guarantee("certified-removal", ClaimStatus.REFUTED)], {}),
        ({"data_deletion": CLAIM}, [guarantee("data-deletion", ClaimStatus.REFUTED)], {}),
    ],
)
def test_a_claim_in_numbers_that_is_refuted_stays_refuted_though_nothing_is_left_to_compare(
    claimed: dict[str, Any], guarantees: list[Guarantee], statuses: dict[str, Status]
) -> None:
    (claim,) = reliance.claims(claimed, guarantees=guarantees, statuses=statuses, attested=("seed-secret",), private=None)
    assert claim.standing is ClaimStatus.REFUTED


def test_a_claim_that_this_version_does_not_know_is_not_shown() -> None:
    assert (
        reliance.claims({"unlearning": True}, guarantees=[], statuses={}, attested=(), private=None)[0].standing
        is ClaimStatus.NOT_SHOWN
    )


def test_what_is_said_not_to_hold_is_no_claim() -> None:
    assert reliance.stated({"retraining": False, "dp": None}) == ()
    assert reliance.stated({"retraining": True}) == ("retraining",)


def test_a_forged_pass_of_foreign_code_is_not_rendered() -> None:
    base = examples.passing()
    refuse_contradiction(base.evidence)
    theirs = base.procedure.model_copy(update={"use": None, "entry": "procedure.py:Own"})
    with pytest.raises(ReportError, match="own code passes by none of the ways"):
        refuse_contradiction(examples.changed(base, procedure=theirs).evidence)


@pytest.mark.parametrize(("theorem", "held"), [("twins", False), ("5.1", True), ("5.2", True), (None, True)])
def test_equal_counterfactual_runs_alone_carry_foreign_code_by_data_deletion(theorem: str | None, held: bool) -> None:
    """A document is held to it as well: a theorem about steps says nothing of code that nobody reads."""
    kept = golden("breast-cancer-noisy-gd")
    derived = next(each for each in kept.checks if each.id == "deletion.renyi").derived | {"theorem": theorem}
    passing = {"state.stateless": {}, "deletion.renyi": {"derived": derived}}
    checks = tuple(replace(each, status=Status.PASS, **passing[each.id]) if each.id in passing else each for each in kept.checks)
    word = kept.policy.attested[0].model_copy(update={"name": "code-clean"})
    forged = kept.model_copy(
        update={
            "procedure": kept.procedure.model_copy(update={"use": None, "entry": "procedure.py:Own"}),
            "checks": checks,
            "policy": kept.policy.model_copy(update={"attested": (*kept.policy.attested, word)}),
        }
    )
    assert not reliance.held_back(kept)
    assert reliance.held_back(forged) is held


def test_a_forged_pass_over_a_claim_that_is_not_supported_is_not_rendered() -> None:
    base = examples.passing()
    with pytest.raises(ReportError, match="a claim is not supported"):
        refuse_contradiction(examples.changed(base, guarantees=examples.guarantees(ClaimStatus.NOT_SHOWN)).evidence)


def test_a_strength_beside_no_pass_is_not_rendered() -> None:
    base = examples.held_back()
    strength = examples.passing().evidence.strength
    with pytest.raises(ReportError, match="grades a pass that it is not"):
        refuse_contradiction(examples.changed(base, strength=strength).evidence)


def test_the_sentence_names_the_shortest_ways_and_the_claim() -> None:
    said = examples.held_back().sentence
    assert said.startswith("Inconclusive: ")
    assert "the claim data_deletion is not shown" in said
    assert "release.exact" in said
    assert "code-clean to be attested" in said
    assert "release.remembers and swap.strong to pass" in said


def test_a_way_that_lacks_more_than_another_is_not_named() -> None:
    base = examples.held_back()
    found = cap(BY_RUNS, ())
    evidence = base.evidence.model_copy(update={"reliance": base.evidence.reliance.model_copy(update={"cap": found})})
    assert verdicts.missing(evidence) == ("code-clean to be attested",)


def test_the_sentence_of_a_pass_says_what_it_rests_on() -> None:
    promising = examples.passing().evidence
    promise = "Its promise rests on the controller's unexamined statement residual-independent."
    assert verdicts.rests_on(promising) == promise
    assert verdicts.sentence_of(promising).count(promise) == 1
    base = promising.model_copy(update={"guarantees": ()})
    assert verdicts.rests_on(base) == ""
    for words, said in (
        (
            ("code-clean",),
            (
                "It rests on the controller's word that "
                "nothing that its code brings along was made from a deleted record (code-clean)."
            ),
        ),
        (("seed-secret",), "It rests on the controller's unexamined statement seed-secret."),
        (("code-clean", "log-complete", "seed-secret"), "and on its unexamined statements log-complete, seed-secret."),
    ):
        relied = base.reliance.model_copy(update={"statements": words})
        evidence = base.model_copy(update={"reliance": relied})
        assert verdicts.rests_on(evidence).endswith(said)
        assert said in verdicts.sentence_of(evidence)
        both = verdicts.rests_on(promising.model_copy(update={"reliance": relied}))
        assert both.endswith(f"{said} {promise.replace('unexamined', 'further unexamined')}")


def test_the_sentence_says_where_no_model_file_was_examined() -> None:
    base = examples.passing().evidence
    assert verdicts.sentence_of(base).startswith("Pass (strength C): ")
    assert examples.weak().sentence.startswith("Pass for the procedure only (strength E): the procedure of “")
    nothing_examined = base.model_copy(update={"case": base.case.model_copy(update={"model": None})})
    for verdict in Verdict:
        assert " release " not in verdicts.sentence_of(nothing_examined.model_copy(update={"verdict": verdict}))


def test_a_weak_policy_and_the_default_s_verdict_stand_in_the_sentence_of_every_verdict() -> None:
    weaker = "deadline_days = 36500 instead of one calendar month; it does not require swap.quality"
    said = f"The policy asks for less than the default ({weaker})"
    for verdict in Verdict:
        evidence = examples.weak().evidence.model_copy(update={"verdict": verdict})
        assert f"{said}: under the default policy the verdict is inconclusive." in verdicts.sentence_of(evidence)


@pytest.mark.parametrize(
    ("batches", "passed", "judging", "claimed", "expected"),
    [
        (1, {"log.consistency", "data.erased"}, (), (), True),
        (0, {"log.consistency"}, (), (), False),
        (1, {"swap.quality"}, {"swap.quality"}, (), False),
        (1, {"training.privacy"}, (), ("dp",), False),
        (1, {"training.privacy"}, (), (), True),
        (1, set(), (), ("dp",), True),
    ],
)
def test_records_that_were_deleted_have_to_be_forgotten_by_something_that_passes(
    batches: int, passed: set[str], judging: set[str], claimed: tuple[str, ...], expected: bool
) -> None:
    assert reliance.unexamined(batches=batches, passed=passed, judging=judging, claimed=claimed) is expected


@pytest.mark.parametrize(
    ("attested", "refuted", "expected"),
    [
        (("log-complete", "seed-secret"), "seed-secret", ("seed-secret",)),
        (("seed-secret",), "noise-secret", ("seed-secret",)),
        (("log-complete",), "seed-secret", ()),
        ((), "preprocessing-clean", ("preprocessing-clean",)),
    ],
)
def test_a_word_that_the_run_refutes_is_named(attested: tuple[str, ...], refuted: str, expected: tuple[str, ...]) -> None:
    facts = [Fact(refuted, Provenance.REFUTED, Message("x")), Fact("log-complete", Provenance.ATTESTED, Message("x"))]
    assert reliance.contradicted(attested, facts) == expected


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"unexamined": True}, "but nothing that passes examines the forgetting."),
        ({"contradicted": ("seed-secret",)}, "but what was found contradicts seed-secret."),
    ],
)
def test_what_keeps_a_verdict_from_pass_stands_in_the_sentence_and_no_pass_is_rendered_with_it(
    changes: dict[str, Any], words: str
) -> None:
    evidence = examples.passing().evidence
    held = evidence.model_copy(update={"reliance": evidence.reliance.model_copy(update=changes)})
    with pytest.raises(ReportError, match="contradicts itself"):
        refuse_contradiction(held)
    assert words in verdicts.sentence_of(held.model_copy(update={"verdict": Verdict.INCONCLUSIVE, "strength": None}))


def test_answers_that_nobody_calls_genuine_are_rendered_as_no_pass() -> None:
    """Nothing was rerun: without that word such a document passes by no way, whatever it says."""
    honest = golden("digits-answers")
    passing = tuple(dataclasses.replace(check, status=Status.PASS) if check.status is F else check for check in honest.checks)
    relied = honest.reliance.model_copy(update={"unexamined": False, "contradicted": (), "claims": ()})
    required = honest.policy.model_copy(
        update={"required": tuple(each.id for each in passing if each.status is P), "attested": ()}
    )
    forged = honest.model_copy(
        update={"verdict": Verdict.PASS, "checks": passing, "policy": required, "reliance": relied, "strength": None}
    )
    with pytest.raises(ReportError, match="by none of the ways"):
        refuse_contradiction(forged)
