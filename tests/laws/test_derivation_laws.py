"""Whatever is known: no guarantee without its premises, nothing good takes one away, and nothing refuted gives one."""

from __future__ import annotations

from hypothesis import example, given, settings
from hypothesis import strategies as st

from auditor.base.domain import ClaimStatus, Fact, Guarantee, Message, Provenance
from auditor.parts.controllers.theorems import OF_THE_MODEL
from auditor.parts.data_deletion.theorems import Deletion
from auditor.parts.removal.theorems import NOISE
from auditor.verdict import corollaries
from auditor.verdict.guarantees import ATTESTED_AT_BEST, FOREIGN, KNOWN, Pledge, derive, derive_guarantees, fact, standing
from auditor.verdict.theorems import LOG_FACTS, Theorem, theorems

BY_HAND = Message("fact.not-examined")
MET = (Provenance.ATTESTED, Provenance.MEASURED, Provenance.COMPUTED)
ORDER = (Provenance.REFUTED, Provenance.UNKNOWN, *MET)
FIRM = (ClaimStatus.REFUTED, ClaimStatus.NOT_SHOWN, ClaimStatus.SUPPORTED, ClaimStatus.SHOWN)
NAMES = sorted(KNOWN)
HOWS = st.dictionaries(st.sampled_from(NAMES), st.sampled_from(Provenance), max_size=len(NAMES))
MOSTLY_GOOD = st.fixed_dictionaries({name: st.sampled_from((*MET, *MET, Provenance.UNKNOWN)) for name in NAMES})
"""Most premises met, so that guarantees hold and have something to lose."""
OF_ONE = st.sampled_from(sorted(theorems())).map(lambda name: dict.fromkeys(theorems()[name].needs, Provenance.COMPUTED))
"""Exactly what one theorem needs."""
ANY = st.one_of(HOWS, MOSTLY_GOOD, OF_ONE, st.tuples(OF_ONE, HOWS).map(lambda pair: pair[1] | pair[0]))
SHOWN_BY_NOISE = {name: Provenance.ATTESTED if name in NOISE.under else Provenance.COMPUTED for name in NOISE.needs}
"""The one way to a guarantee that is shown."""
DELETION = Deletion(order=2.0, epsilon=0.5, source="5.1", seen=0, known_loss=False)


def derived(hows: dict[str, Provenance]) -> dict[str, Guarantee]:
    facts: list[Fact] = [fact(name, how, BY_HAND) for name, how in hows.items()]
    pledge = Pledge(1.0, 1e-6)
    found = derive_guarantees(
        facts, epsilon=1.0, delta=1e-4, private=pledge, deletion=DELETION, continual=pledge, fresh=Pledge(0.0, 0.0)
    )
    return {each.id: each for each in found}


def firmness(found: dict[str, Guarantee], name: str) -> int:
    """How firm a guarantee is; one that is not listed is not shown."""
    return FIRM.index(found[name].status) if name in found else FIRM.index(ClaimStatus.NOT_SHOWN)


@settings(max_examples=150, deadline=None)
@given(ANY)
def test_what_holds_has_a_way_to_it_with_every_premise_met(hows: dict[str, Provenance]) -> None:
    for each in derived(hows).values():
        carrying = corollaries.carrying(each)
        assert (each.status in corollaries.HOLDING) == bool(carrying)
        for derivation in carrying:
            known = {premise.fact: premise.how for premise in derivation.premises}
            assert set(known.values()) <= set(MET)
            assert set(theorems()[derivation.rule].needs) <= set(known)
            assert theorems()[derivation.rule].concludes
            for name, how in known.items():
                if name != "model-guarantee":
                    assert ORDER.index(how) <= ORDER.index(hows[name]), "nothing is known better than it was found"
                assert how is Provenance.ATTESTED or name not in ATTESTED_AT_BEST
            attested = {name for name, how in known.items() if how is Provenance.ATTESTED}
            firm = attested <= set(theorems()[derivation.rule].under)
            assert standing(derivation) is (ClaimStatus.SHOWN if firm else ClaimStatus.SUPPORTED)


@settings(max_examples=200, deadline=None)
@given(ANY, st.sampled_from(NAMES), st.sampled_from(MET))
@example(dict.fromkeys(theorems()["loss-perturbation-gaussian"].needs, Provenance.COMPUTED), "retrained", Provenance.MEASURED)
@example(
    dict.fromkeys(theorems()["loss-perturbation-gaussian"].needs, Provenance.COMPUTED),
    "perturbation-laplace",
    Provenance.MEASURED,
)
@example(dict.fromkeys(theorems()["loss-perturbation-laplace"].needs, Provenance.COMPUTED), "release-noise", Provenance.MEASURED)
@example(SHOWN_BY_NOISE, "unrefuted", Provenance.ATTESTED)
@example({**dict.fromkeys(theorems()["retraining"].needs, Provenance.ATTESTED)}, "retrained", Provenance.MEASURED)
def test_to_learn_something_good_never_takes_a_guarantee_away(hows: dict[str, Provenance], name: str, how: Provenance) -> None:
    better = max(hows.get(name, Provenance.UNKNOWN), how, key=ORDER.index)
    before, after = derived(hows), derived(hows | {name: better})
    for each in before.keys() | after.keys():
        assert firmness(after, each) >= firmness(before, each), each
        if each in before and before[each].epsilon is not None:
            assert after[each].epsilon is not None


@settings(max_examples=200, deadline=None)
@given(ANY, st.sampled_from(NAMES))
@example(
    {**dict.fromkeys(theorems()["loss-perturbation-gaussian"].needs, Provenance.COMPUTED), "retrained": Provenance.COMPUTED},
    "retrained",
)
def test_what_is_refuted_never_gives_a_guarantee(hows: dict[str, Provenance], name: str) -> None:
    before, after = derived(hows), derived(hows | {name: Provenance.REFUTED})
    for each in before.keys() | after.keys():
        # To refute is no more than to show nothing: `refuted` and `not-shown` count as one here.
        assert firmness(after, each) <= max(firmness(before, each), FIRM.index(ClaimStatus.NOT_SHOWN)), each


@settings(max_examples=60, deadline=None)
@given(MOSTLY_GOOD)
def test_a_game_that_contradicts_a_guarantee_takes_it_and_a_game_that_found_nothing_gives_none(
    hows: dict[str, Provenance],
) -> None:
    silent = {name: how for name, how in hows.items() if not name.endswith("unrefuted")}
    for name, identity in (
        ("control-unrefuted", "deletion-as-control"),
        ("confidentiality-unrefuted", "deletion-as-confidentiality"),
    ):
        assert derived(silent | {name: Provenance.REFUTED})[identity].status is ClaimStatus.REFUTED
        for how in (Provenance.UNKNOWN, *MET):
            assert derived(silent | {name: how}) == derived(silent)


@settings(max_examples=60, deadline=None)
@given(MOSTLY_GOOD)
def test_a_guarantee_of_the_model_is_never_promoted_to_control(hows: dict[str, Provenance]) -> None:
    placed = dict.fromkeys(OF_THE_MODEL.needs, Provenance.COMPUTED)
    others = {name for rule in theorems().values() if rule.id.startswith("control-") and rule.concludes for name in rule.needs}
    known = {name: how for name, how in hows.items() if name not in others} | placed
    assert derived(known)["deletion-as-control"].status is ClaimStatus.NOT_SHOWN


@settings(max_examples=60, deadline=None)
@given(ANY, st.integers(1, 50))
def test_groups_get_what_their_theorem_says_and_no_less_noise_than_one(hows: dict[str, Provenance], people: int) -> None:
    for each in derived(hows).values():
        several = corollaries.group(each, people)
        if several is None:
            continue
        assert each.id == "deletion-as-control"
        assert each.status in corollaries.HOLDING
        assert several.epsilon >= (each.epsilon or 0.0)
        if corollaries.together(each) == "same":
            assert (several.epsilon, several.delta) == (each.epsilon, each.delta)
            assert any(theorems()[one.rule].together == "same" for one in corollaries.carrying(each))


CONCERNED = {
    # It is about records that the log names, deleted by requests that knew nothing of the noise, and about training records as
    # they were given. How many records a person has is nothing to it: what a person is promised asks for that.
    "output-noise": LOG_FACTS - {"subjects-complete"},
    # They are about whatever is said to a program, in any order: no deletion log occurs in them.
    "confidentiality-from-pan-privacy": frozenset(),
    "control-when-told": frozenset(),
}
"""Every theorem that can end in *shown*, and the facts of the log by which its statement would be false."""


def known_of(rule: Theorem, **changes: Provenance) -> dict[str, Fact]:
    """Everything that a theorem needs, as firmly as can be, and what else is said."""
    hows = {name: Provenance.ATTESTED if name in rule.under else Provenance.COMPUTED for name in rule.needs}
    hows |= {name.replace("_", "-"): how for name, how in changes.items()}
    return {name: fact(name, how, BY_HAND) for name, how in hows.items()}


def test_every_theorem_that_can_end_in_shown_has_its_facts_of_the_log_written_down() -> None:
    showing = {name for name, rule in theorems().items() if standing(derive(rule, known_of(rule))) is ClaimStatus.SHOWN}
    assert showing == CONCERNED.keys()
    assert LOG_FACTS <= KNOWN
    for name in showing:
        rule = theorems()[name]
        assert LOG_FACTS.intersection((*rule.needs, *rule.unless)) == CONCERNED[name]


def test_a_refuted_fact_of_the_log_takes_shown_away_and_one_that_holds_does_not() -> None:
    for name, concerned in CONCERNED.items():
        rule = theorems()[name]
        for each in LOG_FACTS:
            held = {each.replace("-", "_"): Provenance.REFUTED}
            found = derive(rule, known_of(rule, **held))
            assert standing(found) is (ClaimStatus.NOT_SHOWN if each in concerned else ClaimStatus.SHOWN), each
            assert (each in {premise.fact for premise in found.premises}) is (each in concerned)
            for how in (*MET, Provenance.UNKNOWN):
                if each not in rule.needs:
                    assert standing(derive(rule, known_of(rule, **{each.replace("-", "_"): how}))) is ClaimStatus.SHOWN


@settings(max_examples=150, deadline=None)
@given(HOWS, st.sampled_from(sorted(CONCERNED["output-noise"])))
def test_no_way_leads_to_shown_past_a_refuted_fact_of_the_log(hows: dict[str, Provenance], name: str) -> None:
    """Whatever else is known: every guarantee that is shown is shown by a theorem that this fact does not concern."""
    for each in derived(SHOWN_BY_NOISE | hows | {name: Provenance.REFUTED}).values():
        if each.status is ClaimStatus.SHOWN:
            shown = [every.rule for every in each.derivation if standing(every) is ClaimStatus.SHOWN]
            assert all(name not in CONCERNED[rule] for rule in shown)
    assert derived(SHOWN_BY_NOISE | {name: Provenance.REFUTED})["certified-removal"].status is ClaimStatus.NOT_SHOWN


@given(st.sampled_from(sorted(CONCERNED["output-noise"])))
def test_a_part_of_a_third_party_takes_shown_away_by_what_it_refutes_of_the_log(name: str) -> None:
    known = [fact(each, how, BY_HAND) for each, how in SHOWN_BY_NOISE.items()]
    refuted = Fact(name, Provenance.REFUTED, Message(FOREIGN, {"part": "acme", "found": BY_HAND}))
    (before, *_), (after, *_) = (derive_guarantees(facts, epsilon=1.0, delta=1e-4) for facts in (known, [*known, refuted]))
    assert (before.status, after.status) == (ClaimStatus.SHOWN, ClaimStatus.NOT_SHOWN)
