"""What counts as better, worse and the same between two audits; where there is doubt, worse."""

from __future__ import annotations

import dataclasses
from datetime import timedelta
from typing import Any

import pytest

import report_examples as examples
from auditor.base.domain import Check, ClaimStatus, Guarantee, Status, Verdict
from auditor.document.evidence import Evidence
from auditor.pages.words.texts import text
from auditor.recheck.comparison import Change, Direction, compare, different_cases
from auditor.recheck.comparison.checks import compare_check, order_of
from auditor.recheck.comparison.promises import compare_guarantees, compare_settings
from auditor.verdict.checks import definitions
from auditor.verdict.checks.deleting import games
from tests.remedied import golden

BETTER, WORSE, SAME, CHANGED = Direction.BETTER, Direction.WORSE, Direction.SAME, Direction.CHANGED
SPENT = Direction.SPENT
ONLY_OLD, ONLY_NEW = Direction.ONLY_OLD, Direction.ONLY_NEW
PASS, FAIL, OPEN, ERROR, SKIPPED = Status.PASS, Status.FAIL, Status.INCONCLUSIVE, Status.ERROR, Status.SKIPPED


def check(
    status: Status = PASS,
    value: float | None = 0.5,
    threshold: float | None = 1.0,
    interval: tuple[float, float] | None = None,
    identity: str = "removal.budget",
) -> Check:
    return Check(identity, status, value, interval, threshold, observed=None, derived=None, reasons=())


def moved(old: Check | None, new: Check | None, *, was: bool = True, now: bool = True) -> Change:
    return compare_check(old, new, was_required=was, is_required=now)


def guarantee(status: ClaimStatus = ClaimStatus.SUPPORTED, epsilon: float | None = 1.0, delta: float | None = 1e-4) -> Guarantee:
    return Guarantee("certified-removal", status, epsilon, delta, ())


def changes(old: Evidence, new: Evidence) -> dict[str, Change]:
    return {change.id: change for change in compare(old, new).changes}


def with_check(evidence: Evidence, identity: str, **other: Any) -> Evidence:
    checks = tuple(dataclasses.replace(item, **other) if item.id == identity else item for item in evidence.checks)
    return evidence.model_copy(update={"checks": checks})


@pytest.mark.parametrize("example", [examples.passing, examples.failing, examples.broken_off])
def test_an_audit_against_itself_has_nothing_worse_and_nothing_moved(example):
    found = compare(example().evidence, example().evidence)
    assert {change.direction for change in found.changes} == {SAME}
    assert (found.exit_code, found.notes) == (0, ())
    assert {change.reason for change in found.changes} == {""}
    assert found.sentence.startswith("Nothing got worse. ")


@pytest.mark.parametrize(
    ("old", "new", "direction"),
    [
        (PASS, OPEN, WORSE),
        (PASS, ERROR, WORSE),
        (PASS, FAIL, WORSE),
        (OPEN, ERROR, WORSE),
        (OPEN, FAIL, WORSE),
        (ERROR, FAIL, WORSE),
        (PASS, SKIPPED, WORSE),
        (SKIPPED, FAIL, WORSE),
        (SKIPPED, ERROR, WORSE),
        (SKIPPED, OPEN, SAME),
        (OPEN, SKIPPED, SAME),
    ],
)
def test_the_order_of_statuses(old, new, direction):
    there, back = moved(check(old), check(new)), moved(check(new), check(old))
    assert there.direction is direction
    assert back.direction is (BETTER if direction is WORSE else SAME)
    assert (there.old, there.new) == (back.new, back.old)


def test_a_skipped_check_with_a_value_is_called_informative():
    assert moved(check(), check(SKIPPED)).reason == "pass → informative"


NOT_RUN = check(SKIPPED, None, None)


@pytest.mark.parametrize("absent", [None, NOT_RUN])
class TestInOneOnly:
    @pytest.mark.parametrize("status", [PASS, FAIL, OPEN, ERROR, SKIPPED])
    @pytest.mark.parametrize("now", [True, False])
    def test_a_required_check_that_stops_being_run_is_worse(self, absent, status, now):
        found = moved(check(status), absent, now=now)
        assert (found.direction, found.new) == (WORSE, "not run")
        assert "not run any more" in found.reason

    def test_one_that_was_not_required_is_only_in_the_old(self, absent):
        assert moved(check(), absent, was=False, now=False).direction is ONLY_OLD

    @pytest.mark.parametrize(("was", "now"), [(True, True), (True, False), (False, True)])
    @pytest.mark.parametrize("status", [FAIL, ERROR])
    def test_a_required_one_that_fails_as_soon_as_it_is_run_is_worse(self, absent, was, now, status):
        assert moved(absent, check(status), was=was, now=now).direction is WORSE

    def test_a_required_one_that_passes_once_it_is_run_is_better(self, absent):
        assert moved(absent, check()).direction is BETTER

    @pytest.mark.parametrize("status", [PASS, FAIL, OPEN, SKIPPED])
    def test_any_other_is_only_in_the_new(self, absent, status):
        assert moved(absent, check(status), was=False, now=False).direction is ONLY_NEW

    def test_run_in_neither_is_the_same(self, absent):
        assert moved(NOT_RUN, absent, was=False, now=False).direction is SAME


def test_a_check_that_neither_audit_lists_is_an_error():
    with pytest.raises(ValueError, match="neither"):
        moved(None, None)
    with pytest.raises(ValueError, match="neither"):
        compare_guarantees(None, None)


class TestRequired:
    def test_a_check_that_no_longer_counts_is_worse_even_where_it_passes(self):
        found = moved(check(), check(), now=False)
        assert (found.direction, found.reason) == (WORSE, "no longer required")

    def test_a_smaller_required_set_is_worse_and_a_larger_one_better(self):
        old = examples.passing().evidence
        fewer = old.model_copy(update={"policy": old.policy.model_copy(update={"required": old.policy.required[1:]})})
        assert compare(old, fewer).exit_code == 1
        assert changes(old, fewer)["log.consistency"].direction is WORSE
        assert compare(fewer, old).exit_code == 0
        assert changes(fewer, old)["log.consistency"].direction is BETTER


class TestThreshold:
    @pytest.mark.parametrize(("old", "new"), [(1.0, 2.0), (1.0, None), (0.0, 1e-9)])
    def test_looser_is_worse_where_small_values_pass(self, old, new):
        found = moved(check(threshold=old), check(threshold=new))
        assert found.direction is WORSE
        assert "threshold looser" in found.reason
        assert moved(check(threshold=new), check(threshold=old)).direction is BETTER

    @pytest.mark.parametrize("identity", ["swap.quality", "swap.controls", "cost.speedup"])
    def test_looser_is_lower_where_large_values_pass(self, identity):
        old, new = check(threshold=0.95, identity=identity), check(threshold=0.9, identity=identity)
        assert moved(old, new).direction is WORSE
        assert moved(new, old).direction is BETTER

    def test_of_a_check_that_measured_nothing_no_threshold_moved(self):
        equal, other = check(value=0.0, threshold=0.0, identity="model.reproduced"), {"value": None, "threshold": None}
        found = moved(equal, check(FAIL, identity="model.reproduced", **other))
        assert (found.direction, found.reason) == (WORSE, "pass → fail")
        assert moved(equal, check(identity="model.reproduced", **other)).direction is WORSE

    def test_a_pass_against_a_looser_threshold_is_worse_whatever_the_status_says(self):
        found = moved(check(FAIL, 1.2, 1.0), check(PASS, 1.2, 2.0))
        assert found.direction is WORSE
        assert "fail → pass, against a looser threshold" in found.reason

    def test_a_fail_against_a_tighter_threshold_is_a_fail_all_the_same(self):
        assert moved(check(PASS, 0.8, 1.0), check(FAIL, 0.8, 0.5)).direction is WORSE

    @pytest.mark.parametrize("identity", ["model.reproduced", "removal.residual"])
    def test_one_that_the_audit_derives_itself_is_loosened_by_nobody(self, identity):
        found = moved(check(threshold=1.0, identity=identity), check(threshold=2.0, identity=identity))
        assert found.direction is SAME
        assert "its own threshold moved: 1 → 2" in found.reason
        assert moved(check(threshold=1.0, identity=identity), check(threshold=None, identity=identity)).direction is WORSE

    def test_a_fixed_target_that_moves_is_worse_either_way(self):
        for new in (0.4, 0.6):
            assert (
                moved(check(threshold=0.5, identity="swap.strong"), check(threshold=new, identity="swap.strong")).direction
                is WORSE
            )


class TestValue:
    def test_without_intervals_any_difference_beyond_rounding_counts(self):
        assert moved(check(value=0.5), check(value=0.6)).direction is SPENT
        assert moved(check(value=0.6), check(value=0.5)).direction is BETTER
        assert moved(check(value=0.5), check(value=0.5 * (1 + 1e-12))).direction is SAME
        assert moved(check(value=0.0), check(value=1e-12)).direction is SPENT

    @pytest.mark.parametrize(
        ("old", "new", "direction"),
        [
            ((0.96, 0.99), (0.93, 0.97), SAME),
            ((0.96, 0.99), (0.90, 0.96), SAME),
            ((0.96, 0.99), (0.90, 0.95), SPENT),
            ((0.90, 0.95), (0.96, 0.99), BETTER),
            (None, (0.90, 0.98), SAME),
            (None, (0.90, 0.95), SPENT),
        ],
    )
    def test_overlapping_intervals_are_the_same_within_noise(self, old, new, direction):
        middles = [0.97 if ends is None else sum(ends) / 2 for ends in (old, new)]
        first, second = (
            check(FAIL, middle, 0.999, ends, "swap.quality") for middle, ends in zip(middles, (old, new), strict=True)
        )
        found = moved(first, second)
        assert found.direction is direction
        assert ("the intervals overlap" in found.reason) is (direction is SAME)

    def test_the_strong_adversary_is_best_at_one_half(self):
        def at(value: float) -> Check:
            return check(SKIPPED, value, None, (value - 0.01, value + 0.01), "swap.strong")

        assert moved(at(0.9), at(0.45)).direction is BETTER
        assert moved(at(0.5), at(0.2)).direction is SPENT

    def test_a_value_that_is_no_longer_there_with_the_same_status_is_a_change(self):
        assert moved(check(OPEN, 0.5), check(OPEN, None)).direction is CHANGED
        assert moved(check(OPEN, None), check(OPEN, 0.5)).direction is BETTER
        assert moved(check(ERROR, None), check(ERROR, None)).direction is SAME

    @pytest.mark.parametrize("identity", ["cost.speedup", "model.reproduced", "epsilon.consistency"])
    def test_values_that_move_by_themselves_count_by_status_alone(self, identity):
        found = moved(check(value=0.5, identity=identity), check(value=0.1, identity=identity))
        assert found.direction is SAME
        assert "0.5 → 0.1" in found.reason
        assert moved(check(identity=identity), check(FAIL, identity=identity)).direction is WORSE

    @pytest.mark.parametrize("identity", games())
    def test_games_that_are_drawn_anew_count_by_status_alone(self, identity):
        for new in (0.4, 0.6):
            found = moved(check(identity=identity), check(value=new, identity=identity))
            assert found.direction is SAME
            assert found.reason.endswith("games are drawn")
        assert moved(check(identity=identity), check(FAIL, 0.6, identity=identity)).direction is WORSE
        assert moved(check(identity=identity), check(OPEN, 0.6, identity=identity)).direction is WORSE

    @pytest.mark.parametrize("identity", definitions())
    def test_no_check_gets_better_and_worse_at_once(self, identity):
        there = moved(check(OPEN, 0.5, None, None, identity), check(OPEN, 0.9, None, None, identity)).direction
        back = moved(check(OPEN, 0.9, None, None, identity), check(OPEN, 0.5, None, None, identity)).direction
        assert {there, back} in ({BETTER, SPENT}, {SAME})


class TestGuarantees:
    ORDER = (ClaimStatus.SHOWN, ClaimStatus.SUPPORTED, ClaimStatus.NOT_SHOWN, ClaimStatus.REFUTED)

    def test_the_order_of_standings(self):
        for place, stronger in enumerate(self.ORDER):
            for weaker in self.ORDER[place + 1 :]:
                assert compare_guarantees(guarantee(stronger), guarantee(weaker)).direction is WORSE
                assert compare_guarantees(guarantee(weaker), guarantee(stronger)).direction is BETTER

    @pytest.mark.parametrize(
        ("epsilon", "delta", "direction"),
        [
            (1.0, 1e-4, SAME),
            (0.5, 1e-4, BETTER),
            (1.0, 1e-5, BETTER),
            (1.1, 1e-4, WORSE),
            (1.0, 1e-3, WORSE),
            (0.5, 1e-3, WORSE),
            (None, 1e-4, WORSE),
        ],
    )
    def test_a_smaller_epsilon_never_pays_for_a_larger_delta(self, epsilon, delta, direction):
        assert compare_guarantees(guarantee(), guarantee(epsilon=epsilon, delta=delta)).direction is direction

    def test_what_does_not_stand_has_no_epsilon_to_compare(self):
        old, new = (guarantee(ClaimStatus.NOT_SHOWN, epsilon, None) for epsilon in (1.0, None))
        assert compare_guarantees(old, new).direction is SAME

    def test_one_that_is_lost_is_worse_and_a_new_refutation_too(self):
        assert compare_guarantees(guarantee(), None).direction is WORSE
        assert compare_guarantees(guarantee(ClaimStatus.NOT_SHOWN), None).direction is ONLY_OLD
        assert compare_guarantees(None, guarantee()).direction is ONLY_NEW
        assert compare_guarantees(None, guarantee(ClaimStatus.REFUTED)).direction is WORSE


class TestSettings:
    def directions(self, old: dict[str, Any], new: dict[str, Any]) -> dict[str, Direction]:
        return {change.id: change.direction for change in compare_settings("policy", old, new)}

    @pytest.mark.parametrize(
        ("old", "new", "direction"),
        [
            ({"max_epsilon": 1.0}, {"max_epsilon": 2.0}, WORSE),
            ({"max_epsilon": 1.0}, {}, WORSE),
            ({}, {"max_epsilon": 1.0}, BETTER),
            ({"min_quality": 0.95}, {"min_quality": 0.9}, WORSE),
            ({"min_quality": 0.95}, {"min_quality": 0.97}, BETTER),
            ({"min_speedup": 2.0}, {}, WORSE),
            ({"deadline_days": 30}, {"deadline_days": 45}, WORSE),
            ({}, {"deadline_days": 45}, WORSE),
            ({}, {"deadline_days": 31}, WORSE),
            ({}, {"deadline_days": 30}, CHANGED),
            ({}, {"deadline_days": 28}, BETTER),
            ({"deadline_days": 28}, {}, WORSE),
            ({"deadline_days": 31}, {}, BETTER),
            ({"before_and_after": True}, {"before_and_after": False}, CHANGED),
            ({"data_deletion": {"q": 2.0, "epsilon": 0.1}}, {"data_deletion": {"q": 2.0, "epsilon": 0.2}}, WORSE),
        ],
    )
    def test_asking_for_less_is_worse(self, old, new, direction):
        assert set(self.directions(old, new).values()) - {SAME} == {direction}

    def test_equal_settings_are_the_same_and_named_by_their_dots(self):
        claims = {"certified_removal": {"epsilon": 1.0, "delta": 1e-4}}
        assert self.directions(claims, claims) == {"certified_removal.delta": SAME, "certified_removal.epsilon": SAME}


def after_an_erasure(evidence: Evidence, **settings: Any) -> Evidence:
    """The same release one erasure later: more of the budget is used, and ε is larger."""
    later = with_check(evidence, "removal.budget", value=0.5)
    stood = tuple(
        dataclasses.replace(each, epsilon=each.epsilon and 1.5 * each.epsilon) if each.id == "certified-removal" else each
        for each in later.guarantees
    )
    log = later.deletion_log.model_copy(update={"records": later.deletion_log.records + 1})
    procedure = later.procedure.model_copy(update={"settings": {**later.procedure.settings, **settings}})
    return later.model_copy(update={"guarantees": stood, "deletion_log": log, "procedure": procedure})


class TestSpent:
    def test_an_ordinary_erasure_spends_and_makes_nothing_worse(self):
        old = with_check(examples.passing().evidence, "removal.budget", value=0.4)
        found = compare(old, after_an_erasure(old))
        by_id = {change.id: change for change in found.changes}
        assert found.exit_code == 0
        assert by_id["removal.budget"].direction is SPENT
        assert by_id["certified-removal"].direction is SPENT
        assert found.sentence.startswith("Nothing got worse. Spent: removal.budget: value 0.4 → 0.5; certified-removal: ε ")

    def test_a_larger_epsilon_by_another_setting_or_without_an_erasure_is_worse(self):
        old = with_check(examples.passing().evidence, "removal.budget", value=0.4)
        other = compare(old, after_an_erasure(old, sigma=0.5))
        same_log = after_an_erasure(old).model_copy(update={"deletion_log": old.deletion_log})
        for found in (other, compare(old, same_log)):
            assert found.exit_code == 1
            assert found.sentence.startswith("Worse because certified-removal: ε looser")

    def test_a_loosened_promise_is_worse_however_much_was_erased(self):
        old = examples.passing().evidence
        new = after_an_erasure(old)
        claims = {"certified_removal": {"epsilon": 50.0, "delta": 1e-4}}
        new = new.model_copy(update={"policy": new.policy.model_copy(update={"claims": claims})})
        assert compare(old, new).exit_code == 1


class TestRequests:
    def test_a_request_whose_data_were_found_again_stands_otherwise(self):
        old = golden("digits-newton").evidence
        request = old.requests[0].request_id
        erased = old.check("data.erased")
        found_again = {**erased.observed, "found": 1, "request_ids": [request]}
        new = with_check(old, "data.erased", status=FAIL, observed=found_again)
        (moved_request,) = compare(old, new).requests
        assert moved_request.request_id == request
        assert "data not found" in moved_request.old
        assert "data found again" in moved_request.new
        assert "The status of one request changed." in compare(old, new).sentence


class TestWhole:
    def test_two_cases_are_told_from_two_releases_of_one(self):
        old = examples.passing().evidence
        assert not different_cases(old, old.model_copy(update={"case": old.case.model_copy(update={"release": "next"})}))
        assert different_cases(old, examples.failing().evidence)
        assert different_cases(old, old.model_copy(update={"case": old.case.model_copy(update={"controller": "Somebody else"})}))

    def test_a_failing_audit_after_a_passing_one_names_what_got_worse(self):
        found = compare(examples.passing().evidence, examples.failing().evidence)
        assert found.exit_code == 1
        worse = {change.id for change in found.changes if change.direction is WORSE}
        assert {"verdict", "log.deadlines", "removal.budget", "swap.quality", "data.erased", "certified-removal"} <= worse
        assert found.sentence.startswith("Worse because verdict: pass (exit code 0) → fail (exit code 1); ")
        assert found.notes[0] == "Different cases: “Handwritten digits, 3 against 8” and “Handwritten digits, past the budget”."

    def test_every_check_guarantee_and_setting_of_both_is_listed_once(self):
        old, new = examples.passing().evidence, examples.broken_off().evidence
        found = compare(old, new)
        listed = [(change.kind, change.id) for change in found.changes]
        assert len(listed) == len(set(listed))
        assert {identity for kind, identity in listed if kind == "check"} == {item.id for item in old.checks}
        assert {identity for kind, identity in listed if kind == "guarantee"} == {item.id for item in old.guarantees}
        assert {identity for kind, identity in listed if kind == "policy"} == set(old.policy.settings)

    @pytest.mark.parametrize(
        ("old", "new", "direction"),
        [
            ((Verdict.PASS, 0), (Verdict.INCONCLUSIVE, 3), WORSE),
            ((Verdict.INCONCLUSIVE, 3), (Verdict.INCONCLUSIVE, 4), WORSE),
            ((Verdict.INCONCLUSIVE, 4), (Verdict.FAIL, 1), WORSE),
            ((Verdict.FAIL, 1), (Verdict.PASS, 0), BETTER),
        ],
    )
    def test_verdicts(self, old, new, direction):
        base = examples.passing().evidence
        first, second = (
            base.model_copy(update={"verdict": verdict, "audit": base.audit.model_copy(update={"exit_code": code})})
            for verdict, code in (old, new)
        )
        assert changes(first, second)["verdict"].direction is direction

    def test_one_worse_check_is_enough(self):
        old = examples.passing().evidence
        new = with_check(old, "swap.controls", status=OPEN)
        found = compare(old, new)
        assert (found.is_worse, found.exit_code) == (True, 1)
        assert found.sentence.startswith("Worse because swap.controls: pass → inconclusive. ")

    def test_what_several_checks_have_in_common_is_said_once(self):
        old = examples.passing().evidence
        new = with_check(with_check(old, "swap.controls", status=OPEN), "removal.budget", status=OPEN)
        both = " and ".join(each.id for each in new.checks if each.id in {"swap.controls", "removal.budget"})
        reason = compare(old, new).sentence
        assert reason.count("pass → inconclusive") == 1
        assert both.replace(" and ", ", ") in reason

    def test_what_makes_two_audits_hard_to_compare_is_said_first(self):
        old = examples.passing().evidence
        inputs = (dataclasses.replace(old.case.inputs[0], sha256=examples.sha("other")), *old.case.inputs[1:-1])
        new = old.model_copy(
            update={
                "case": old.case.model_copy(update={"digest": examples.sha("other"), "inputs": inputs, "release": None}),
                "audit": old.audit.model_copy(
                    update={
                        "auditor_version": "0.9.0",
                        "quick": True,
                        "finished_at": old.audit.finished_at - timedelta(days=1),
                    }
                ),
                "environment": old.environment.model_copy(update={"isolation": "process"}),
            }
        )
        assert compare(old, new).notes == (
            "The inputs of the case differ: audit.toml, train.npz.",
            "Release: 2026.11 → none.",
            "Different versions of the auditor: 0.2.0 → 0.9.0.",
            "Smaller samples (--quick) in the new audit only.",
            "Isolation of the procedure: confined → process.",
            "The audit given as old finished after the one given as new.",
            text("diff-note-marks"),
        )


def test_the_order_of_a_check_is_what_its_judge_derived():
    noisy = golden("breast-cancer-noisy-gd").evidence
    found = noisy.check("deletion.renyi")
    assert order_of(found, noisy.version) == found.derived["order"]
    assert order_of(noisy.check("log.consistency"), noisy.version) is None
    assert order_of(dataclasses.replace(found, derived={"order": 2}), noisy.version) is None


def test_an_epsilon_at_another_order_is_not_compared():
    def renyi(value: float, now: float, *orders: float) -> Direction:
        old, new = (check(value=each, identity="deletion.renyi") for each in (value, now))
        return compare_check(old, new, was_required=True, is_required=True, orders=orders).direction

    assert renyi(0.5, 0.4, 2, 2) is BETTER
    assert renyi(0.5, 0.4, 2, 8) is CHANGED
    # A smaller order says less, as a looser threshold does.
    assert renyi(0.5, 0.1, 8, 2) is WORSE

    def deletion(order: float, epsilon: float) -> Guarantee:
        return Guarantee("data-deletion", ClaimStatus.SUPPORTED, epsilon, None, (), order)

    for order, direction in ((2.0, BETTER), (8.0, CHANGED)):
        change = compare_guarantees(deletion(2.0, 0.5), deletion(order, 0.4))
        assert change.direction is direction
    assert "order 8" in change.new
