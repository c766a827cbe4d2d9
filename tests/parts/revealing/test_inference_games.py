"""`inference.example` and `inference.instance`: what counted games come to, and what decides."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from pydantic import ValidationError

from auditor.attacks.deletion import adversaries
from auditor.base.domain import Status
from auditor.pages.words import basis
from auditor.parts.revealing.judging.inference import example, instance
from auditor.parts.revealing.judging.inference.judging import OWN, Derived, contradictions
from auditor.parts.revealing.judging.inference.observed import Observed, Tally
from auditor.settings.learning import Foreign, Ngram
from auditor.settings.tables import Claims, InferenceTable, Policy
from auditor.verdict.checks import definitions
from auditor.verdict.checks.context import Context
from auditor.verdict.checks.deleting import asked, limit
from auditor.verdict.judgement import judge_one
from games_seen import with_games
from judging import audit_facts, declared

NAMES = tuple(each.name for each in adversaries("example", classes=True))


def context(*, quick: bool = False, only: tuple[str, ...] | None = None, foreign: bool = False, **policy: Any) -> Context:
    found = replace(declared(), policy=Policy(**policy), audit=audit_facts(quick=quick, only=only))
    return replace(found, procedure=Foreign(entry="procedure.py:Procedure")) if foreign else found


def tally(
    attack: str, wins: int, *, games: int = 1000, ties: int = 0, ties_won: int = 0, variant: str = "two", view: str = "scores"
):
    return Tally(attack=attack, variant=variant, view=view, games=games, wins=wins, ties=ties, ties_won=ties_won)


def observed(wins: int = 500, *, games: int = 1000, further: tuple[Tally, ...] = (), **changed: int) -> Observed:
    """Every attack wins so many games, but those that `changed` names (with _ for -)."""
    others = {name.replace("_", "-"): count for name, count in changed.items()}
    tallies = tuple(tally(name, others.get(name, wins), games=games) for name in NAMES)
    return Observed(games=games, trained=90, shadow_models=16, tallies=(*tallies, *further))


def test_the_named_algorithm_gives_the_value() -> None:
    finding = example.judge(context(), observed(700, rise=640), {})
    assert finding.value == 0.64
    assert finding.interval is not None
    assert finding.interval.low < 0.64 < finding.interval.high
    assert (finding.status, finding.threshold) == (Status.SKIPPED, None)
    assert "named the deleted record correctly in 640" in basis(finding.reasons)
    assert "Informative" in basis(finding.reasons)


@pytest.mark.parametrize(
    ("changed", "status"),
    [
        ({}, Status.PASS),
        ({"rise": 900}, Status.FAIL),
        ({"lira_confidence": 900}, Status.FAIL),
        ({"lira_confidence": 590}, Status.INCONCLUSIVE),
        ({"move": 100}, Status.INCONCLUSIVE),
    ],
)
def test_every_attack_has_a_say(changed: dict[str, int], status: Status) -> None:
    finding = example.judge(context(max_inference=0.6), observed(**changed), {})
    assert finding.status is status
    words = basis(finding.reasons)
    assert ("Above the threshold for certain" in words) == (status is Status.FAIL)
    assert ("Wrong far more often than right" in words) == (changed == {"move": 100})


def test_intervals_hold_for_all_attacks_together() -> None:
    """An attack that a single interval would put above the limit need not be: one of many wins by luck."""
    derived = example.judge(context(), observed(), {}).derived
    assert isinstance(derived, Derived)
    assert derived.level == pytest.approx(1 - 0.05 / len(NAMES))
    lucky = observed(rise=532)
    assert example.judge(context(max_inference=0.5), lucky, {}).status is Status.INCONCLUSIVE


def test_the_strongest_attack_is_named_and_refutes() -> None:
    finding = example.judge(context(), observed(rmia_label=800), {})
    assert isinstance(finding.derived, Derived)
    assert (finding.derived.attack, finding.derived.strongest) == ("rise", "rmia-label")
    strongest = next(each for each in finding.derived.standard if each.attack == "rmia-label")
    assert finding.derived.epsilon_lower == 2 * strongest.low - 1
    (certificate,) = finding.certificates
    assert (certificate.kind, certificate.epsilon) == ("compliance", None)
    assert certificate.outputs["epsilon_lower"] == finding.derived.epsilon_lower
    assert "RMIA" in basis(finding.reasons)
    assert "Theorem 5.2" in basis(finding.reasons)


def test_ties_are_counted_and_all_ties_show_nothing() -> None:
    some = replace_tally(observed(), tally("rise", 60, ties=930, ties_won=465))
    finding = example.judge(context(max_inference=0.6), some, {})
    assert finding.value == 0.525
    assert isinstance(finding.derived, Derived)
    assert (finding.derived.standard[0].ties, finding.derived.standard[0].wins_or_ties) == (0.93, 0.99)
    assert "93.0 % of games were ties" in basis(finding.reasons)
    none = replace_tally(observed(), tally("rise", 0, ties=1000, ties_won=503))
    finding = example.judge(context(max_inference=0.6), none, {})
    assert finding.status is Status.PASS
    assert "does not mean that the record is gone" in basis(finding.reasons)


def replace_tally(given: Observed, other: Tally) -> Observed:
    return given.model_copy(update={"tallies": tuple(other if each.attack == other.attack else each for each in given.tallies)})


def test_variants_inform_and_decide_nothing() -> None:
    further = (
        tally("rise", 999, variant="chosen"),
        tally("rise", 200, games=200, variant="several-5"),
        tally("rise", 999, view="rounded"),
    )
    finding = example.judge(context(max_inference=0.6), observed(further=further), {})
    assert finding.status is Status.PASS
    assert isinstance(finding.derived, Derived)
    assert [(each.variant, each.view) for each in finding.derived.variants] == [
        ("chosen", "scores"),
        ("several-5", "scores"),
        ("two", "rounded"),
    ]


def several(games: int = 1000, *, left_out: int = 0, **changed: int) -> Observed:
    """Each attack wins one half of the standard games and of those with deletions of one's own, but as `changed` says."""
    further = [
        tally(name, changed.get(variant.replace("-", "_"), 500) if name == "rise" else 500, games=1000, variant=variant)
        for variant in OWN
        for name in NAMES
    ]
    return observed(further=tuple(further[left_out:]), games=games)


def up_to(deletions: int, **policy: Any) -> Context:
    return replace(context(**policy), inference=InferenceTable(deletions=deletions))


@pytest.mark.parametrize(
    ("changed", "status"),
    [
        ({}, Status.PASS),
        ({"own_before": 900}, Status.FAIL),
        ({"own_after": 900}, Status.FAIL),
        ({"own_after": 620}, Status.INCONCLUSIVE),
        ({"own_after": 590}, Status.INCONCLUSIVE),
        ({"own_before": 100}, Status.INCONCLUSIVE),
    ],
)
def test_games_with_deletions_of_ones_own_decide_with_the_standard_one(changed: dict[str, int], status: Status) -> None:
    """Up to k deletions take in one: the same counts pass without them, so that they can only take a pass away."""
    assert example.judge(context(max_inference=0.6), observed(), {}).status is Status.PASS
    assert example.judge(up_to(4, max_inference=0.6), several(**changed), {}).status is status


def test_what_several_deletions_show_is_said_and_refutes_compliance_for_so_many() -> None:
    finding = example.judge(up_to(4, max_inference=0.6), several(own_before=900), {})
    assert "The value is that of one deletion. With up to 4" in basis(finding.reasons)
    assert "asks for deletions of its own: the rise in loss" in basis(finding.reasons)
    assert isinstance(finding.derived, Derived)
    assert finding.value == 0.5
    assert 0.7 < finding.derived.epsilon_lower < 0.8
    assert finding.certificates[0].outputs["epsilon_lower"] == finding.derived.epsilon_lower


@pytest.mark.parametrize(
    ("seen", "by"),
    [
        (several(own_before=900, own_after=700), "right in 90.0 % of games after deletions of the adversary’s own"),
        (several(own_before=700, own_after=900), "right in 90.0 % of games before deletions of the adversary’s own"),
        (observed(rise=900, further=several(own_before=800).tallies[len(NAMES) :]), "right in 90.0 % of games with one deletion"),
    ],
)
def test_what_is_refuted_of_several_deletions_names_the_games_that_it_follows_from(seen: Observed, by: str) -> None:
    """The largest lower limit may come of one deletion, though more are seen."""
    refuted = next(each for each in example.judge(up_to(4), seen, {}).reasons if each.code == "inference.refuted-own")
    assert by in basis((refuted,))


def test_intervals_of_several_deletions_hold_for_all_games_that_decide() -> None:
    finding = example.judge(up_to(2), several(), {})
    assert isinstance(finding.derived, Derived)
    assert finding.derived.level == pytest.approx(1 - 0.05 / (3 * len(NAMES)))


def test_where_several_deletions_are_declared_nothing_passes_without_their_games() -> None:
    for seen in (observed(), several(left_out=1)):
        finding = example.judge(up_to(2, max_inference=0.6), seen, {})
        assert finding.status is Status.INCONCLUSIVE
        assert "Not every attack played" in basis(finding.reasons)
    fewer = [tally(name, 1, games=2, variant=variant) for variant in OWN for name in NAMES]
    seen = observed(further=tuple(fewer))
    assert example.judge(up_to(2, max_inference=0.6), seen, {}).status is Status.INCONCLUSIVE


def test_games_with_deletions_that_nobody_declared_are_found_in_a_document() -> None:
    evidence = with_games()
    said = [*contradictions(evidence, several(), {})]
    assert any("up to 1 deletions are declared" in each for each in said)


def test_a_quick_run_and_an_attack_that_did_not_play_decide_nothing() -> None:
    assert example.judge(context(max_inference=0.6, quick=True), observed(1000), {}).status is Status.INCONCLUSIVE
    given = observed()
    fewer = given.model_copy(update={"tallies": given.tallies[:-1]})
    finding = example.judge(context(max_inference=0.6), fewer, {})
    assert finding.status is Status.INCONCLUSIVE
    assert "Not every attack played" in basis(finding.reasons)


def test_foreign_code_passes_only_as_attested_honest() -> None:
    """It could recognise a game and answer otherwise than on the log."""
    finding = example.judge(context(max_inference=0.6, foreign=True), observed(), {})
    assert finding.status is Status.INCONCLUSIVE
    assert "procedure-honest" in basis(finding.reasons)
    word = Claims(attested=("procedure-honest",), attested_by="A. N. Other", attested_at="2026-01-31")
    honest = replace(context(max_inference=0.6, foreign=True), claims=word)
    assert example.judge(honest, observed(), {}).status is Status.PASS
    assert example.judge(context(max_inference=0.6, foreign=True), observed(rise=900), {}).status is Status.FAIL


def test_where_there_is_no_game_a_limit_stays_open() -> None:
    nothing = Observed(unplayable="few-records")
    assert example.judge(context(), nothing, {}).status is Status.SKIPPED
    finding = example.judge(context(max_inference=0.6), nothing, {})
    assert finding.status is Status.INCONCLUSIVE
    assert "at least 20 are needed" in basis(finding.reasons)


@pytest.mark.parametrize("check", [example, instance])
def test_games_are_played_where_somebody_asks(check: Any) -> None:
    check_id = check.CARD.id
    for asking in (
        context(max_inference=0.6),
        context(max_compliance_epsilon=0.2),
        context(before_and_after=True),
        context(required=(check_id,)),
        context(only=(check_id,)),
    ):
        assert asked(asking, check_id)
        assert check.applies(asking, {}) is None
    silent = context(max_reconstruction=0.1)
    assert not asked(silent, check_id)
    finding = judge_one(definitions()[check_id], silent, None, {})
    assert finding.status is Status.SKIPPED
    assert "set policy.before_and_after = true" in basis(finding.reasons)


def test_what_only_leaves_out_stays_required_where_the_policy_sets_a_limit() -> None:
    assert definitions()["inference.example"].wanted(context(max_inference=0.6))
    assert not definitions()["inference.example"].wanted(context(before_and_after=True))


def test_the_stricter_of_two_limits_holds() -> None:
    assert limit(context(max_compliance_epsilon=0.2), "inference") == 0.6
    assert limit(context(max_compliance_epsilon=0.2, max_inference=0.55), "inference") == 0.55
    assert limit(context(max_compliance_epsilon=0.02, max_inference=0.55), "inference") == 0.51
    assert limit(context(max_reconstruction=0.3), "reconstruction") == 0.3
    assert limit(context(max_inference=0.6), "reconstruction") is None


@pytest.mark.parametrize("key", ["max_inference", "max_reconstruction", "max_compliance_epsilon"])
@pytest.mark.parametrize("value", [-0.1, 1.5])
def test_a_limit_is_a_share(key: str, value: float) -> None:
    with pytest.raises(ValidationError):
        Policy(**{key: value})


@pytest.mark.parametrize(
    "changed",
    [
        {"games": 999},
        {"unplayable": "few-records"},
        {"tallies": ()},
        {"tallies": (tally("rise", 5), tally("rise", 6))},
        {"tallies": (tally("rise", 5), tally("rise", 6, variant="chosen", games=2000))},
    ],
)
def test_counts_that_no_run_gives_are_refused(changed: dict[str, Any]) -> None:
    with pytest.raises(ValidationError):
        Observed(**{**dict(observed()), **changed})


@pytest.mark.parametrize(
    "counts", [{"wins": 9, "ties": 2, "games": 10}, {"wins": 0, "ties": 1, "ties_won": 2}, {"wins": 0, "games": 0}]
)
def test_a_game_is_won_lost_or_tied(counts: dict[str, int]) -> None:
    with pytest.raises(ValidationError):
        tally("rise", **counts)


def test_records_without_labels_play_by_instance_alone() -> None:
    text = replace(context(max_inference=0.6), procedure=Ngram())
    assert example.applies(text, {}) is not None
    assert instance.applies(text, {}) is None
    assert not definitions()["inference.example"].wanted(text)
    assert definitions()["inference.instance"].wanted(text)


def test_games_that_were_not_asked_for_do_not_meet_a_limit() -> None:
    """A document that says so of games which its policy asks for decides nothing."""
    nothing = Observed(unplayable="not-asked")
    assert example.judge(context(), nothing, {}).status is Status.SKIPPED
    assert example.judge(context(max_inference=0.6), nothing, {}).status is Status.INCONCLUSIVE
