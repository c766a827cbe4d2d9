"""`release.remembers`: the release among retrained models, judged on scores by hand."""

from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np
import pytest

import rechecks
from auditor.base.domain import ClaimStatus, Guarantee, Message, Status
from auditor.document.conclusions import Cap
from auditor.document.evidence import Evidence
from auditor.pages.words import basis, informative_findings, sentence
from auditor.pages.words.rendered_evidence import ToldCheck
from auditor.pages.words.texts import say
from auditor.parts.release.judging import release_exact
from auditor.parts.release.judging.release_remembers import (
    ACCUSES,
    CARD,
    LEVEL,
    SECOND_MODELS,
    Derived,
    applies,
    blind,
    calls_for_second,
    judge,
    levels,
    telling,
)
from auditor.parts.release.judging.release_remembers.observed import MILLION, Group, Kind, NoSecond, Observed, Scored
from auditor.parts.release.telling.figures import release_ranks
from auditor.settings.learning import Foreign, Sklearn
from auditor.settings.tables import Policy, SwapTable
from auditor.verdict import required
from auditor.verdict.checks import definitions
from auditor.verdict.checks.finding import Finding, skipped
from judging import audit_facts, declared, log_facts

FOREIGN = Foreign(entry="procedure.py:Own")
KINDS = (Kind(attack="loss", neighbourhood="records"), Kind(attack="rmia", neighbourhood="moved-0.1"))
GROUPS = (Group(part="requests", requests=("R-1",)), Group(part="requests", requests=("R-2",)), Group(part="all"))
COLUMNS = len(KINDS) * len(GROUPS)
HELD = 900_000
"""A score as models have it that hold the records."""


def around(centre: float, models: int, *, seed: int, spread: float = 60_000) -> tuple[tuple[int, ...], ...]:
    drawn = np.random.default_rng(seed).normal(centre, spread, size=(models, COLUMNS))
    return tuple(tuple(int(each) for each in row) for row in np.clip(drawn, -MILLION, MILLION))


def seen(**changes: Any) -> Observed:
    """An honest release of a learner with chance, beside models that would have been told."""
    values: dict[str, Any] = {
        "source": "file",
        "unseen": "holdout",
        "unseen_records": 50,
        "asked": 4,
        "deleted": 4,
        "distinct": 39,
        "kinds": KINDS,
        "groups": GROUPS,
        "release": around(0, 1, seed=1)[0],
        "retrained": around(0, 39, seed=2),
        "holding": around(HELD, 5, seed=3),
        "held_out": around(HELD, 5, seed=4),
    }
    return Observed(**{**values, **changes})


def steady(share: float, **changes: Any) -> Observed:
    """The same of a learner without chance: the release shows a share of what models show that hold the records."""
    return seen(**{"distinct": 1, "retrained": still(39), "release": (int(share * HELD),) * COLUMNS, **changes})


def still(models: int) -> tuple[tuple[int, ...], ...]:
    return tuple((0,) * COLUMNS for _ in range(models))


def twice(first: Observed, **changes: Any) -> Observed:
    """A second stage after a first one: 199 further models, as those of the first are."""
    further = still(SECOND_MODELS) if first.distinct == 1 else around(0, SECOND_MODELS, seed=8)
    same = {name: getattr(first, name) for name in Scored.model_fields}
    values = {**same, "retrained": further, "distinct": 1 if first.distinct == 1 else SECOND_MODELS, **changes}
    return Observed.model_validate({**dict(first), "second": Scored(**values)})


def found(observed: Observed, **context: Any) -> Finding:
    given = {"procedure": FOREIGN, "log": log_facts(batches=1), **context}
    return judge(declared(**given), observed, {"release.exact": Finding(Status.SKIPPED)})


def codes(finding: Finding) -> list[str]:
    return [each.code.removeprefix("release.remembers.") for each in finding.reasons]


def derived(finding: Finding) -> Derived:
    assert isinstance(finding.derived, Derived)
    return finding.derived


def test_a_release_like_retrained_models_passes_where_one_that_holds_the_records_is_told() -> None:
    finding = found(seen())
    assert finding.status is Status.PASS
    assert finding.value is not None
    assert finding.value > 0.05
    assert derived(finding).rule == "ranks"
    assert derived(finding).told == 5
    assert codes(finding) == ["pool", "ranked", "most", "power"]
    assert "R-1" not in basis(finding.reasons)


def test_a_release_that_holds_the_records_fails() -> None:
    finding = found(twice(seen(release=around(HELD, 1, seed=5)[0])))
    assert finding.status is Status.FAIL
    assert (finding.value, finding.threshold) == (1 / 200, 0.01)
    first = derived(finding).first
    assert first is not None
    assert (first.value, first.models, derived(finding).models) == (1 / 40, 39, 199)
    assert codes(finding) == ["pool", "ranked", "second", "most", "power", "half-left"]


def test_a_request_that_was_skipped_fails() -> None:
    own = list(around(0, 1, seed=1)[0])
    own[1] = own[4] = HELD
    finding = found(twice(seen(release=tuple(own))))
    assert finding.status is Status.FAIL
    assert derived(finding).part == "requests"


def test_a_release_that_differs_on_all_records_alike_is_not_said_to_remember_some() -> None:
    """Only the scores stand out that hold nothing against unseen records: it may have been trained longer."""
    own = (*around(HELD, 1, seed=5)[0][:3], *around(0, 1, seed=1)[0][3:])
    for observed in (seen(release=own), twice(seen(release=own))):
        finding = found(observed)
        assert finding.status is Status.INCONCLUSIVE
        assert "in-general" in codes(finding)
        assert not blind(finding)
    assert found(twice(seen(release=own, unseen=None, unseen_records=0))).status is Status.FAIL


def test_a_release_that_shows_more_than_half_does_not_pass_though_it_is_not_told() -> None:
    wild = (*around(0, 35, seed=2), *around(HELD, 4, seed=7))
    finding = found(seen(retrained=wild, release=around(HELD * 0.75, 1, seed=5)[0]))
    assert finding.value is not None
    assert finding.value > 0.05
    assert finding.status is Status.INCONCLUSIVE
    assert "half-left" in codes(finding)


def test_what_cannot_be_told_of_models_that_hold_the_records_is_not_shown_of_the_release() -> None:
    finding = found(seen(held_out=(*around(HELD, 4, seed=4), *around(0, 1, seed=6))))
    assert finding.status is Status.INCONCLUSIVE
    assert derived(finding).told == 4
    assert "no-power" in codes(finding)
    assert blind(finding)


def test_four_models_that_are_told_are_too_few() -> None:
    finding = found(seen(held_out=around(HELD, 4, seed=4)))
    assert finding.status is Status.INCONCLUSIVE
    assert not blind(finding)


def test_approximation_alone_is_no_finding() -> None:
    """A release that lies as far out as a tenth of what a model shows that holds the records, though no retrained one does."""
    near = around(0, 39, seed=2, spread=1000)
    assert found(seen(retrained=near, release=(80_000,) * COLUMNS)).status is Status.PASS
    further = around(0, SECOND_MODELS, seed=8, spread=1000)
    assert found(twice(seen(retrained=near, release=(200_000,) * COLUMNS), retrained=further)).status is Status.FAIL
    assert found(twice(seen(release=(200_000,) * COLUMNS), retrained=further, release=(80_000,) * COLUMNS)).status is Status.PASS


@pytest.mark.parametrize(
    ("share", "status"),
    [
        (0.0, Status.PASS),
        (0.09, Status.PASS),
        (0.2, Status.INCONCLUSIVE),
        (0.45, Status.INCONCLUSIVE),
        (0.6, Status.FAIL),
        (1.0, Status.FAIL),
    ],
)
def test_of_a_learner_without_chance_the_share_counts_that_is_left(share: float, status: Status) -> None:
    finding = found(twice(steady(share)))
    assert finding.status is status
    assert derived(finding).rule == "share"
    assert finding.threshold == 0.1


ALIKE = ((HELD,) * COLUMNS,) * 5
"""Five models that hold the records and score alike: the share of a release is a quotient of whole numbers."""


def exactly(release: int, **changes: Any) -> Observed:
    """A learner without chance, and such models beside it."""
    return steady(0.0, **{"holding": ALIKE, "held_out": ALIKE, "release": (release,) * COLUMNS, **changes})


@pytest.mark.parametrize(
    ("release", "status"),
    [
        (90_000, Status.PASS),
        (90_001, Status.INCONCLUSIVE),
        (449_999, Status.INCONCLUSIVE),
        (450_000, Status.INCONCLUSIVE),
        (450_001, Status.FAIL),
        (HELD, Status.FAIL),
    ],
)
def test_a_tenth_of_what_such_models_show_may_be_left_and_more_than_half_is_a_finding(release: int, status: Status) -> None:
    """Half of it to the millionth is no more than half, and a tenth to the millionth is no more than a tenth."""
    finding = found(twice(exactly(release)))
    assert (finding.status, finding.value) == (status, release / HELD)
    assert ("half-left" in codes(finding)) is (status is Status.FAIL)


@pytest.mark.parametrize(("left", "status"), [(450_001, Status.FAIL), (90_001, Status.INCONCLUSIVE), (90_000, Status.PASS)])
def test_the_share_is_that_of_the_column_that_shows_most(left: int, status: Status) -> None:
    """One request of two was kept, and all records together show none of it."""
    own = [0] * COLUMNS
    own[1] = own[4] = left
    finding = found(twice(steady(0.0, holding=ALIKE, held_out=ALIKE, release=tuple(own))))
    assert (finding.status, derived(finding).left_over) == (status, 0.0)


@pytest.mark.parametrize(("share", "told", "status"), [(450_001, 5, Status.PASS), (450_000, 4, Status.INCONCLUSIVE)])
def test_a_model_that_holds_the_records_is_detected_where_it_shows_more_than_half(share: int, told: int, status: Status) -> None:
    finding = found(exactly(0, held_out=(*ALIKE[1:], (share,) * COLUMNS)))
    assert (derived(finding).told, finding.status) == (told, status)


@pytest.mark.parametrize(("least", "value"), [(400_000, 1.125), (399_995, None)])
def test_a_column_tells_where_each_model_that_holds_the_records_shows_half_of_their_mean(least: int, value: float | None) -> None:
    """Their mean is 800,000 with four at 900,000 and one at half of it; with less in the fifth the column says nothing."""
    finding = found(exactly(HELD, holding=(*ALIKE[1:], (least,) * COLUMNS)))
    assert finding.value == value


@pytest.mark.parametrize(("release", "status"), [(450_000, Status.PASS), (450_001, Status.INCONCLUSIVE)])
def test_exactly_half_may_be_left_where_chance_hides_it_and_no_more(release: int, status: Status) -> None:
    """Two retrained models show more than this release by chance, so that p says nothing."""
    wild = [(sign * 700_000,) * COLUMNS for sign in (1, -1, 1, -1)]
    quiet = [(sign * 60_000,) * COLUMNS for sign in (1, -1) for _ in range(17)]
    ranked = seen(
        retrained=(*wild, *quiet, (0,) * COLUMNS),
        holding=ALIKE,
        held_out=ALIKE,
        release=(release,) * COLUMNS,
    )
    finding = found(ranked)
    assert derived(finding).rule == "ranks"
    assert finding.value == pytest.approx(3 / 40)
    assert derived(finding).left_over == release / HELD
    assert finding.status is status
    assert ("half-left" in codes(finding)) is (status is Status.INCONCLUSIVE)


def crowd(above: int, models: int) -> tuple[tuple[int, ...], ...]:
    """Retrained models, of which so many show more than a release with scores of 400,000."""
    wild = [(sign * 700_000,) * COLUMNS for sign in (1, -1) for _ in range(above)]
    quiet = [(sign * 60_000,) * COLUMNS for sign in (1, -1) for _ in range((models - 1 - 2 * above) // 2)]
    return (*wild, *quiet, (0,) * COLUMNS)


def ranked(above: int, **changes: Any) -> Observed:
    """A release above all but so many of 39 retrained models."""
    given = {"retrained": crowd(above, 39), "holding": ALIKE, "held_out": ALIKE, "release": (400_000,) * COLUMNS}
    return seen(**{**given, **changes})


@pytest.mark.parametrize(("above", "status"), [(0, Status.INCONCLUSIVE), (1, Status.INCONCLUSIVE), (2, Status.PASS)])
def test_a_first_stage_accuses_nobody_and_passes_above_one_in_twenty(above: int, status: Status) -> None:
    """No confidence that a policy asks for changes it: the levels are those of the check."""
    for confidence in (0.875, 0.95, 0.99):
        finding = found(ranked(above), swap=SwapTable(confidence=confidence))
        assert (finding.value, finding.status, finding.threshold) == ((1 + above) / 40, status, 0.05)
        assert ("no-second" in codes(finding)) is (above < 2)
        assert not blind(finding)


@pytest.mark.parametrize(
    ("above", "status"),
    [
        (0, Status.FAIL),
        (1, Status.FAIL),
        (2, Status.INCONCLUSIVE),
        (9, Status.INCONCLUSIVE),
        (10, Status.PASS),
        (60, Status.PASS),
    ],
)
def test_a_second_stage_fails_at_one_in_a_hundred_and_passes_above_one_in_twenty(above: int, status: Status) -> None:
    finding = found(twice(ranked(1), retrained=crowd(above, SECOND_MODELS)))
    assert (finding.value, finding.status) == ((1 + above) / 200, status)
    said = {Status.FAIL: "accuses", Status.INCONCLUSIVE: "open", Status.PASS: "clears"}[status]
    (second,) = (each for each in finding.reasons if each.code == "release.remembers.second")
    assert (second.parameters["found"], second.parameters["p"]) == (said, finding.value)
    assert derived(finding).p == finding.value


def test_the_stages_do_not_multiply() -> None:
    """Each at one in twenty is not one in four hundred: both rank the same release."""
    assert found(twice(ranked(0), retrained=crowd(5, SECOND_MODELS))).status is Status.INCONCLUSIVE


def test_a_second_stage_counts_only_where_the_first_calls_for_it() -> None:
    """One that followed nothing neither accuses nor clears."""
    alone = found(ranked(2))
    assert found(twice(ranked(2), retrained=crowd(0, SECOND_MODELS))) == alone
    assert derived(alone).first is None


@pytest.mark.parametrize(
    ("above", "release", "called"), [(1, 400_000, True), (5, 500_000, True), (6, 500_000, False), (2, 400_000, False)]
)
def test_what_calls_for_a_second_stage(above: int, release: int, called: bool) -> None:
    """A rejection, or more than half of what such models show with a p whose side of the level is open."""
    observed = ranked(above, release=(release,) * COLUMNS)
    assert calls_for_second(observed, quick=False) is called
    assert not calls_for_second(observed, quick=True)
    few = observed.model_copy(update={"retrained": observed.retrained[:38], "distinct": 38})
    assert not calls_for_second(few, quick=False)


def test_a_second_stage_of_fewer_models_decides_nothing() -> None:
    finding = found(twice(ranked(0), retrained=crowd(0, SECOND_MODELS - 2), distinct=SECOND_MODELS - 2))
    assert finding.status is Status.INCONCLUSIVE
    assert "The one that ran had fewer" in basis(finding.reasons)


@pytest.mark.parametrize(
    ("why", "said"),
    [("budget", "There was no room for it in the time given"), ("time", "about 30 h 0 min, longer than a second stage runs")],
)
def test_a_second_stage_that_costs_too_much_leaves_it_open_and_says_so(why: Any, said: str) -> None:
    finding = found(ranked(0, no_second=NoSecond(why=why, seconds=108_000, most=86_400)))
    assert finding.status is Status.INCONCLUSIVE
    assert said in basis(finding.reasons)
    assert not blind(finding)


def test_it_fails_only_where_models_that_hold_the_records_are_recognised() -> None:
    """Four of five are, and the release lies above every retrained model."""
    further = crowd(12, SECOND_MODELS)
    release = (800_000,) * COLUMNS
    assert found(twice(ranked(0), retrained=further, release=release)).status is Status.FAIL
    fifth = (*ALIKE[1:], (650_000,) * COLUMNS)
    finding = found(twice(ranked(0), retrained=further, release=release, held_out=fifth))
    assert (finding.value, derived(finding).told) == (1 / 200, 4)
    assert finding.status is Status.INCONCLUSIVE
    assert not blind(finding), "a rejection decides, whatever a theorem says"
    assert decides(finding, procedure=OWN, guarantees=(SUPPORTED,))


def test_a_share_accuses_only_with_its_rank() -> None:
    """Of 199 models that differ in a few ways, three answer as this release does: one in fifty honest ones would."""
    odd = tuple((int(0.6 * HELD),) * COLUMNS for _ in range(3))
    first = steady(0.6)
    alone = found(twice(first))
    assert (alone.status, derived(alone).p) == (Status.FAIL, 1 / 200)
    among = found(twice(first, retrained=(*odd, *still(SECOND_MODELS - 3)), distinct=2))
    assert derived(among).rule == "share"
    assert among.status is Status.INCONCLUSIVE


def test_nineteen_models_that_differ_are_no_chance_to_rank_by() -> None:
    assert derived(found(seen(distinct=19))).rule == "share"
    assert derived(found(seen(distinct=20))).rule == "ranks"


def test_models_that_differ_in_rounding_alone_are_no_chance_to_rank_by() -> None:
    finding = found(seen(retrained=around(0, 39, seed=2, spread=0.6), release=(0,) * COLUMNS))
    assert derived(finding).rule == "share"


def test_where_nothing_tells_nothing_is_shown() -> None:
    same = tuple((0,) * COLUMNS for _ in range(5))
    finding = found(steady(0.0, holding=same, held_out=same))
    assert finding.status is Status.INCONCLUSIVE
    assert finding.value is None
    assert "nothing-tells" in codes(finding)


@pytest.mark.parametrize("release", [0, HELD])
def test_fewer_than_39_models_decide_nothing(release: int) -> None:
    finding = found(seen(retrained=around(0, 38, seed=2), distinct=38, release=around(release, 1, seed=1)[0]))
    assert finding.status is Status.INCONCLUSIVE
    assert "few-models" in codes(finding)
    assert not blind(finding)


@pytest.mark.parametrize("release", [0, HELD])
def test_a_quick_run_decides_nothing(release: int) -> None:
    finding = found(seen(release=around(release, 1, seed=1)[0]), audit=audit_facts(quick=True))
    assert finding.status is Status.INCONCLUSIVE
    assert "quick" in codes(finding)


def test_without_unseen_records_it_does_not_pass() -> None:
    finding = found(seen(unseen=None, unseen_records=0))
    assert finding.status is Status.INCONCLUSIVE
    assert "no-unseen" in codes(finding)
    assert not blind(finding)


@pytest.mark.parametrize(("above", "excused"), [(0, False), (1, False), (2, True), (8, True)])
def test_a_rejection_without_power_decides_and_only_a_p_above_one_in_twenty_is_excused(above: int, excused: bool) -> None:
    """Nothing is detected of models that hold the records: then a theorem may speak, but not against what the ranks reject."""
    finding = found(ranked(above, held_out=still(5)))
    assert (finding.status, derived(finding).told) == (Status.INCONCLUSIVE, 0)
    assert blind(finding) is excused
    assert decides(finding, procedure=OWN, guarantees=(SUPPORTED,)) is not excused


@pytest.mark.parametrize(("above", "excused"), [(0, False), (9, False), (10, True)])
def test_after_a_second_stage_its_p_counts_for_that(above: int, excused: bool) -> None:
    finding = found(twice(ranked(0), retrained=crowd(above, SECOND_MODELS), held_out=still(5)))
    assert finding.status is Status.INCONCLUSIVE
    assert blind(finding) is excused


def test_where_nothing_was_tried_nothing_is_excused() -> None:
    untried = found(Observed(untried=Message("failed", {"message": "it broke"})))
    assert untried.status is Status.INCONCLUSIVE
    assert not blind(untried)


def test_requests_that_could_not_have_been_told_singly_are_counted() -> None:
    one = np.array(around(HELD, 5, seed=4))
    one[:, [1, 4]] = 0
    finding = found(seen(held_out=tuple(map(tuple, one.tolist()))))
    assert derived(finding).not_singly == (("R-2",),)
    assert "1 of 2 requests could not have been detected one by one" in basis(finding.reasons)


def test_what_stands_beside_the_verdict_is_said() -> None:
    groups = (Group(part="requests", requests=("R-1", "R-3")), *GROUPS[1:])
    finding = found(seen(unseen="retained", source="procedure", left_out=("moved-0.3",), groups=groups))
    assert {"unseen-drawn", "left-out", "bundled"} <= set(codes(finding))
    assert "this covers the procedure, not the file" in basis(finding.reasons)


def test_it_applies_where_records_were_deleted_and_the_release_is_not_known_to_be_exact() -> None:
    context = declared(procedure=FOREIGN, log=log_facts(batches=1))
    assert applies(context, {"release.exact": Finding(Status.PASS)}) == Message("release.remembers.exact")
    for status in (Status.SKIPPED, Status.INCONCLUSIVE, Status.FAIL):
        assert applies(context, {"release.exact": Finding(status)}) is None
    nothing = declared(procedure=FOREIGN, log=log_facts(batches=0))
    assert applies(nothing, {"release.exact": Finding(Status.SKIPPED)}) == Message("release.remembers.no-batch")
    assert CARD.required_when_run


@pytest.mark.parametrize("code", ["share", "half-left"])
@pytest.mark.parametrize(("share", "explained"), [(0.9, False), (1.0, False), (1.433, True)])
def test_a_share_above_one_is_said_with_what_it_means(code: str, share: float, explained: bool) -> None:
    said = sentence(Message(f"release.remembers.{code}", {"share": share, "distinct": 1, "models": 39}))
    assert ("unlearning that overshoots" in said) is explained


def test_scores_that_do_not_fit_are_refused() -> None:
    with pytest.raises(ValueError, match="scores"):
        seen(release=(0, 0))
    with pytest.raises(ValueError, match="no models"):
        seen(retrained=(), distinct=0)
    with pytest.raises(ValueError, match="no models"):
        twice(seen(), retrained=(), distinct=0)
    with pytest.raises(ValueError, match="it is said that none did"):
        Observed.model_validate({**dict(twice(seen())), "no_second": NoSecond(why="time", seconds=1, most=1)})


def test_an_observation_of_one_stage_is_written_as_it_was() -> None:
    assert {"second", "no_second"}.isdisjoint(seen().model_dump())
    assert {"p", "first"}.isdisjoint(derived(found(seen())).model_dump())


def test_its_levels_stand_apart() -> None:
    """The second stage accuses at .01; a first one that none can follow leaves open at .05; what cannot reject spends nothing."""

    def spent(observed: Observed, **audit: Any) -> list[tuple[str, float, bool]]:
        context = declared(procedure=FOREIGN, log=log_facts(batches=1), audit=audit_facts(**audit))
        return [(each.test, each.level, each.apart) for each in levels(context, observed, found(observed))]

    both = [("remembers", 0.01, True), ("remembers-first", 0.05, True)]
    assert spent(seen()) == spent(twice(ranked(0))) == both
    assert spent(ranked(0, no_second=NoSecond(why="budget", seconds=1, most=0))) == both[1:]
    assert spent(seen(), quick=True) == spent(seen(retrained=around(0, 38, seed=2), distinct=38)) == []


BLIND = seen(held_out=around(0, 5, seed=6))
SUPPORTED = Guarantee("certified-removal", ClaimStatus.SUPPORTED, 1.0, 1e-4, ())
OWN = Sklearn(estimator="DecisionTreeClassifier", seed=1)


def decides(
    finding: Finding, *, procedure: Any, guarantees: tuple[Guarantee, ...] = (), route: Any = None, **policy: Any
) -> bool:
    """Whether the check decides the verdict."""
    context = declared(procedure=procedure, log=log_facts(batches=1), policy=Policy(**policy))
    cap = Cap(foreign=procedure.foreign, route=route, routes=())
    return not required.spared(context, {CARD.id: finding}, guarantees, (), cap)


def test_where_it_is_blind_a_theorem_decides_for_procedures_of_ours() -> None:
    open_finding = found(BLIND)
    assert blind(open_finding)
    assert not decides(open_finding, procedure=OWN, guarantees=(SUPPORTED,))
    assert decides(open_finding, procedure=OWN)
    assert decides(open_finding, procedure=OWN, guarantees=(SUPPORTED,), required=["release.remembers"])


def test_where_it_is_blind_equal_runs_alone_decide_for_foreign_code() -> None:
    open_finding = found(BLIND)
    assert not decides(open_finding, procedure=FOREIGN, route="counterfactual")
    assert decides(open_finding, procedure=FOREIGN, guarantees=(SUPPORTED,))


@pytest.mark.parametrize(
    ("route", "listed", "speaks", "spared"),
    [
        ("remembers", ["release.remembers"], False, True),
        ("remembers", ["release.remembers"], True, False),
        ("remembers", ["release.exact"], False, False),
        ("exact", ["release.remembers"], False, False),
        ("counterfactual", ["release.remembers"], False, False),
        (None, ["release.remembers"], False, False),
    ],
)
def test_a_clean_room_that_speaks_neither_way_leaves_it_to_the_attacks_where_all_of_them_pass(
    monkeypatch: pytest.MonkeyPatch, route: Any, listed: list[str], *, speaks: bool, spared: bool
) -> None:
    """The way by attacks is that of foreign code whose training does not repeat itself, and of no other."""
    known = {
        **definitions(),
        "release.exact": dataclasses.replace(release_exact.CHECK, blind=lambda _finding: not speaks),
    }
    monkeypatch.setattr(required, "definitions", lambda _version: known)
    findings = {CARD.id: found(seen()), "release.exact": Finding(Status.INCONCLUSIVE)}
    for procedure in (FOREIGN, OWN):
        context = declared(procedure=procedure, log=log_facts(batches=1), policy=Policy(required=listed))
        left_alone = required.spared(context, findings, (), (), Cap(foreign=procedure.foreign, route=route, routes=()))
        assert left_alone == ({"release.exact"} if spared and procedure is FOREIGN else frozenset())


@pytest.mark.parametrize("policy", [{}, {"required": ["swap.quality"]}], ids=["default", "listed"])
@pytest.mark.parametrize(("exact", "asked"), [(Status.INCONCLUSIVE, True), (Status.PASS, False)])
def test_to_leave_it_out_does_not_make_an_audit_pass(policy: Any, exact: Status, asked: bool) -> None:
    """With `--only` everything but the attack was left to pass, whatever the attack would have found."""
    only = tuple(name for name in definitions() if name != CARD.id)
    context = declared(procedure=OWN, log=log_facts(batches=1), policy=Policy(**policy), audit=audit_facts(only=only))
    findings = {name: Finding(Status.PASS) for name in only} | {
        "release.exact": Finding(exact),
        CARD.id: skipped(Message("left-out")),
    }
    assert (CARD.id in required.required(context, findings)) is asked
    cap = Cap(foreign=False, route=None, routes=())
    spared = required.spared(context, findings, (SUPPORTED,), (), cap)
    assert not spared, "a theorem is enough where the attack is blind, not where nobody looked"


def test_a_failure_and_a_run_too_small_decide_whatever_a_theorem_says() -> None:
    failing = found(twice(seen(release=around(HELD, 1, seed=5)[0])))
    assert failing.status is Status.FAIL
    small = found(seen(retrained=around(0, 38, seed=2), distinct=38, held_out=around(0, 5, seed=6)))
    for finding in (failing, small):
        assert decides(finding, procedure=OWN, guarantees=(SUPPORTED,))


def test_it_states_what_share_it_would_have_noticed() -> None:
    """Held-out models far above the others are told by a part of what they show; fewer than five say nothing."""
    rng = np.random.default_rng(5)
    others, holding = rng.normal(0, 1, (39, 4)), rng.normal(12, 1, (20, 4))
    table = telling.Table(others[0], others[1:], holding, rng.normal(12, 1, (5, 4)), np.zeros(4, dtype=np.int64), 38)
    found = telling.noticed(table, level=0.05, rule="ranks", least=5)
    assert found is not None
    assert 0.1 < found < 0.6
    assert telling.noticed(table, level=0.05, rule="ranks", least=6) is None
    blind = dataclasses.replace(table, held_out=rng.normal(0, 1, (5, 4)))
    assert telling.noticed(blind, level=0.05, rule="ranks", least=5) is None


def test_the_figure_draws_each_stage_with_its_models() -> None:
    def drawn(observed: Observed) -> Any:
        finding = found(observed)
        return release_ranks(ToldCheck("release.remembers", "", finding.status, finding.value, None, None, "", observed))

    chart = drawn(twice(ranked(1), retrained=crowd(2, SECOND_MODELS)))
    assert len(chart.named("stage")) == len(chart.named("release")) == 2
    assert len(chart.named("retrained")) == 39 + SECOND_MODELS
    assert "1 of 39 retrained models show as much; 2 of 199 retrained models show as much" in chart.title
    assert len(drawn(seen()).named("release")) == 1
    assert drawn(steady(0.0)) is None, "there is nothing to rank"


def test_the_threshold_is_printed_with_its_direction_at_the_levels_that_the_judge_has() -> None:
    assert say("threshold-release-remembers", rule="ranks", value="–") == f"above {LEVEL:g}"
    assert f"at {ACCUSES:g} or less" in say("fails-release-remembers", rule="ranks")
    assert say("threshold-release-remembers", rule="share", value=f"{telling.MARGIN:g}") == f"at most {telling.MARGIN:g}"


@pytest.mark.parametrize(("detected", "noticed"), [(5, True), (4, False), (0, False)])
def test_what_a_release_shows_is_noticed_only_where_all_holding_models_are_recognised(detected: int, noticed: bool) -> None:
    document = rechecks.document("secret-counter")
    rechecks.check(document, "release.remembers")["derived"] |= {"told": detected, "left_over": 1.1}
    found = informative_findings.noticed(Evidence.model_validate(document))
    assert any(each.message == "noticed-shows-as-much" for each in found) is noticed
