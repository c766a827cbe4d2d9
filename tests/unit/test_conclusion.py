"""The conclusion: which one a verdict becomes, and that neither silence nor a word nor less to examine makes it a better one."""

from __future__ import annotations

import dataclasses
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

import rechecks
from auditor.base.domain import Strength, Verdict
from auditor.document.conclusions import StatedPremise
from auditor.document.evidence import Evidence
from auditor.recheck.derivations import derive_again
from auditor.settings.documents import OutsidePlace, RunBy
from auditor.verdict import conclusion
from auditor.verdict.conclusion import Area, BothModels, Grounds, Kind, Reason, Weight, concluded
from auditor.verdict.examination import ModelFile, Searched
from sample_cases import golden

NAMES = sorted(path.stem for path in rechecks.LATEST.glob("*.json"))
EXAMINED = StatedPremise(name="log-complete", standing="examined", check="log.consistency")
BEST = Grounds(
    verdict=Verdict.PASS,
    learns=True,
    model=ModelFile.SAME,
    searched=Searched.CLEAN,
    procedure=True,
    strength=Strength.A,
    exact=True,
    premises=(EXAMINED,),
    deletes=False,
    both_models=BothModels.APART,
    compared=False,
)
"""Nothing on trust, nothing left out: the only kind of pass with an unmodified conclusion."""
ONE_BY_ONE = ("digits-newton", "digits-retrain", "tree-counter")
"""Samples whose words are left out one at a time as well: a guarantee, a way of foreign code, a program."""
standings = st.sampled_from(["examined", "said", "unsaid", "refuted"])
_WORSE = {"examined": 0, "said": 1, "unsaid": 2, "refuted": 3}
grounds = st.builds(
    Grounds,
    verdict=st.sampled_from(Verdict),
    learns=st.booleans(),
    model=st.sampled_from(ModelFile),
    searched=st.sampled_from(Searched),
    procedure=st.booleans(),
    strength=st.none() | st.sampled_from(Strength),
    exact=st.booleans(),
    premises=st.lists(
        st.builds(StatedPremise, name=st.sampled_from(["log-complete", "backups-clean", "seed-secret"]), standing=standings),
        max_size=3,
        unique_by=lambda each: each.name,
    ).map(tuple),
    deletes=st.booleans(),
    both_models=st.sampled_from(BothModels),
    compared=st.booleans(),
    no_model_by=st.none() | st.just("Sam Example"),
    outside=st.sampled_from([(), ("backups",)]),
    undeclared=st.sampled_from([(), ("caches",)]),
    first_stage=st.booleans(),
)


def lesser(known: Grounds, draw: st.DataObject) -> Grounds:
    """The same case with less examined, more on somebody's word, or less said; its verdict is left as it is."""
    fewer = {
        "model": draw.draw(st.sampled_from([known.model, ModelFile.PART, ModelFile.OPEN, ModelFile.NONE, ModelFile.ANSWERS])),
        "searched": draw.draw(
            st.sampled_from([known.searched, Searched.OPEN, Searched.ELSEWHERE, Searched.UNSEARCHED, Searched.NONE])
        ),
        "procedure": known.procedure and draw.draw(st.booleans()),
        "exact": known.exact and draw.draw(st.booleans()),
        "compared": known.compared and draw.draw(st.booleans()),
        "no_model_by": draw.draw(st.sampled_from([None, known.no_model_by])),
        "strength": None if known.strength is None else draw.draw(st.sampled_from([s for s in Strength if s >= known.strength])),
        "premises": tuple(_lesser(each, draw) for each in known.premises),
        "first_stage": known.first_stage or draw.draw(st.booleans()),
    }
    if known.searched is Searched.CLEAN:
        fewer["searched"] = draw.draw(st.sampled_from(Searched))
    if known.both_models is not BothModels.APART:
        fewer["both_models"] = draw.draw(st.sampled_from([known.both_models, BothModels.UNSAID]))
    return replace(known, **fewer)


def _lesser(known: StatedPremise, draw: st.DataObject) -> StatedPremise:
    worse = [each for each, rank in _WORSE.items() if rank >= _WORSE[known.standing]]
    return known.model_copy(update={"standing": draw.draw(st.sampled_from(worse))})


@given(known=grounds, draw=st.data())
def test_less_examined_or_more_on_trust_never_gives_a_better_conclusion(known: Grounds, draw: st.DataObject) -> None:
    before, after = concluded(known), concluded(lesser(known, draw))
    assert after.kind.rank >= before.kind.rank
    assert before.green or not after.green
    if after.kind is Kind.QUALIFIED and before.kind is Kind.QUALIFIED:
        # Nor is anything left out of the list: what was not examined before is not examined now.
        assert _areas(before) <= _areas(after)


_PLACES = {
    **dict.fromkeys((Area.MODEL, Area.MODEL_PART, Area.MODEL_OPEN), "model"),
    **dict.fromkeys((Area.STORE, Area.STORE_PART, Area.KEPT_ELSEWHERE, Area.KEPT, Area.KEPT_PART), "store"),
    **dict.fromkeys((Area.BACKUPS, Area.BACKUPS_SAID), "backups"),
    **dict.fromkeys((Area.BOTH_MODELS, Area.NO_ATTACK), "both"),
}


def _areas(found: conclusion.Conclusion) -> set[str]:
    return {_PLACES.get(each.area, each.area.value) for each in found.not_examined}


@given(known=grounds)
def test_the_table_of_the_documentation_is_the_whole_of_it(known: Grounds) -> None:
    found = concluded(known)
    match known.verdict:
        case Verdict.FAIL:
            assert found.kind is Kind.ADVERSE
        case Verdict.INCONCLUSIVE:
            assert found.kind is Kind.DISCLAIMED
        case Verdict.PASS if known.first_stage:
            assert found.kind is Kind.DISCLAIMED
        case Verdict.PASS:
            trusted = any(each.standing != "examined" for each in known.premises) or not known.premises
            held = known.both_models is not BothModels.APART
            assert found.kind in {Kind.QUALIFIED, Kind.UNMODIFIED}
            assert found.kind is Kind.QUALIFIED or not (trusted or held or found.not_examined)
            assert (found.kind is Kind.UNMODIFIED) <= found.green
    if found.green:
        assert known.verdict is Verdict.PASS
        assert known.strength not in {Strength.D, Strength.E}
        assert known.model is ModelFile.SAME or (not known.learns and known.no_model_by)


def test_the_kinds_are_ordered() -> None:
    assert sorted(Kind, key=lambda each: each.rank) == [Kind.UNMODIFIED, Kind.QUALIFIED, Kind.DISCLAIMED, Kind.ADVERSE]


def test_only_where_everything_was_examined_and_nothing_is_on_trust_is_it_unmodified() -> None:
    assert concluded(BEST).kind is Kind.UNMODIFIED
    assert [each.reason for each in concluded(BEST).basis] == [Reason.MET]
    for standing in ("said", "unsaid", "refuted"):
        premise = StatedPremise(name="seed-secret", standing=standing)
        assert concluded(replace(BEST, premises=(EXAMINED, premise))).kind is Kind.QUALIFIED


@pytest.mark.parametrize(
    "change",
    [
        {"premises": ()},
        {"model": ModelFile.NONE},
        {"model": ModelFile.PART},
        {"model": ModelFile.OPEN},
        {"searched": Searched.NONE},
        {"searched": Searched.OPEN},
        {"searched": Searched.ELSEWHERE},
        {"searched": Searched.UNSEARCHED},
        {"procedure": False},
        {"strength": Strength.D},
        {"strength": None, "exact": False},
        {"deletes": True},
        {"both_models": BothModels.HELD, "compared": True},
        {"both_models": BothModels.SEEN, "compared": True},
        {"both_models": BothModels.UNSAID},
        {"narrowed": (conclusion.Basis(Reason.QUICK),)},
    ],
    ids=str,
)
def test_whatever_is_missing_qualifies_a_pass(change: dict[str, object]) -> None:
    assert concluded(replace(BEST, **change)).kind is Kind.QUALIFIED


@pytest.mark.parametrize(
    ("change", "green"),
    [
        ({"strength": Strength.C}, True),
        ({"strength": Strength.D}, False),
        ({"strength": Strength.E}, False),
        ({"strength": None}, True),
        ({"strength": None, "exact": False}, False),
        ({"model": ModelFile.PART}, False),
        ({"model": ModelFile.NONE}, False),
        ({"model": ModelFile.NONE, "no_model_by": "Sam Example"}, False),
        ({"learns": False, "model": ModelFile.NONE}, False),
        ({"learns": False, "model": ModelFile.NONE, "no_model_by": "Sam Example"}, True),
        ({"learns": False, "model": ModelFile.NONE, "no_model_by": "Sam Example", "outside": ("backups",)}, False),
        ({"learns": False, "model": ModelFile.NONE, "no_model_by": "Sam Example", "searched": Searched.TRUSTED}, False),
        ({"learns": False, "model": ModelFile.NONE, "no_model_by": "Sam Example", "strength": Strength.E}, False),
    ],
    ids=str,
)
def test_green_needs_the_very_model_and_a_grade_or_every_place_and_a_word_by_name(change: dict[str, object], green: bool) -> None:
    assert concluded(replace(BEST, **change)).green is green


def test_without_a_named_person_the_conclusion_is_the_same() -> None:
    named = RunBy(name="Robin Example", relation="internal")
    signed, unsigned = concluded(replace(BEST, run_by=named)), concluded(BEST)
    assert replace(unsigned, run_by=named) == signed
    assert unsigned.run_by is None


@given(known=grounds)
def test_what_was_not_examined_stands_in_the_order_in_which_it_matters(known: Grounds) -> None:
    weights = [list(Weight).index(each.weight) for each in concluded(known).not_examined]
    assert weights == sorted(weights)


def attesting(evidence: Evidence, names: frozenset[str]) -> Evidence:
    """What the same run gives if only these of the attestations had been made."""
    kept = tuple(each for each in evidence.policy.attested if each.name in names)
    return derive_again(evidence.model_copy(update={"policy": evidence.policy.model_copy(update={"attested": kept})}))


@pytest.mark.parametrize("name", NAMES)
def test_who_attests_less_gets_no_cleaner_page(name: str) -> None:
    evidence = derive_again(golden(name))
    before, every = conclusion.of(evidence), frozenset(each.name for each in evidence.policy.attested)
    one_less = (every - {word} for word in sorted(every)) if name in ONE_BY_ONE else ()
    for fewer in (frozenset[str](), *one_less):
        less = attesting(evidence, fewer)
        after = conclusion.of(less)
        # A word that is not made can only keep a check from finding it false: then nothing is concluded.
        assert after.kind.rank >= min(before.kind.rank, Kind.DISCLAIMED.rank)
        assert before.green or not after.green
        assert _areas(before) <= _areas(after)
        trusted = {each.name for each in evidence.premises if each.standing != "examined"}
        assert trusted <= {each.name for each in less.premises if each.standing != "examined"}


@pytest.mark.parametrize("name", NAMES)
def test_who_declares_less_gets_no_cleaner_page(name: str) -> None:
    """Places beyond the store, who ran it, and that somebody holds both models."""
    evidence = golden(name)
    place = OutsidePlace(name="backups", what="nightly copies", declared_by="Sam Example")
    settings = {**evidence.policy.settings, "before_and_after": True}
    more = evidence.model_copy(
        update={
            "outside": (place,),
            "policy": evidence.policy.model_copy(update={"settings": settings}),
            "case": evidence.case.model_copy(update={"run_by": RunBy(name="Robin Example", relation="self")}),
        }
    )
    less = evidence.model_copy(update={"outside": (), "case": evidence.case.model_copy(update={"run_by": None})})
    silent, open_about_it = conclusion.of(less), conclusion.of(more)
    assert silent.kind is open_about_it.kind
    assert silent.green is open_about_it.green
    assert silent.run_by is None


@pytest.mark.parametrize("name", NAMES)
def test_a_document_that_lists_no_premises_is_never_unmodified(name: str) -> None:
    evidence = golden(name)
    stripped = evidence.model_copy(update={"premises": ()})
    assert conclusion.of(stripped).kind is conclusion.of(evidence).kind
    if evidence.verdict is Verdict.PASS:
        assert Reason.NOT_LISTED in [each.reason for each in conclusion.of(stripped).basis]


@pytest.mark.parametrize("name", NAMES)
def test_a_first_stage_is_never_better_than_disclaimed(name: str) -> None:
    evidence = golden(name)
    first = evidence.model_copy(update={"audit": evidence.audit.model_copy(update={"stage": "first"})})
    found = conclusion.of(first)
    assert found.kind.rank >= Kind.DISCLAIMED.rank
    assert not found.green
    if evidence.verdict is not Verdict.FAIL:
        assert found.basis[0].reason is Reason.FIRST_STAGE


def test_every_conclusion_has_a_basis() -> None:
    for name in NAMES:
        found = conclusion.of(golden(name))
        assert found.basis, name
        assert all(dataclasses.astuple(each) for each in found.basis)


def test_a_model_of_which_only_a_step_was_examined_is_never_green() -> None:
    for name in ("loans-lightgbm", "loans-prepared"):
        found = conclusion.of(golden(name))
        assert (found.green, found.not_examined[0].area) == (False, Area.MODEL_PART)


def test_where_the_case_says_that_both_models_are_held_the_conclusion_is_qualified_and_says_so() -> None:
    found = conclusion.of(golden("breast-cancer-dp"))
    assert (found.kind, found.both_models) == (Kind.QUALIFIED, BothModels.HELD)
    assert Reason.BOTH_MODELS in [each.reason for each in found.basis]
    silent = conclusion.of(golden("digits-newton"))
    assert silent.both_models is BothModels.UNSAID
    assert Area.BOTH_MODELS in [each.area for each in silent.not_examined]
