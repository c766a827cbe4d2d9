"""Promise and attacks as right guesses out of 100: one unit, each number where the evidence has it."""

from __future__ import annotations

import dataclasses

import pytest
from hypothesis import given
from hypothesis import strategies as st

import rechecks
import remedied
import report_examples as examples
from auditor.base.domain import ClaimStatus, Status
from auditor.pages import coverage, promises, right_guesses
from auditor.pages.coverage import ACCESS, KINDS, State
from auditor.pages.figures import attack_intervals, icon_array
from auditor.pages.right_guesses import Attack, Found, Group, Row, Side
from golden_reports import told as golden

NAMES = tuple(sorted(path.stem for path in rechecks.LATEST.glob("*.json")))
shares = st.floats(0.5, 1.0)


def this(told):
    return right_guesses.icons(told)[0]


def attack(told, name):
    return next(each for each in right_guesses.attacks(told) if each.name == name)


def roles(rows, side):
    """How many of 100 guesses are of each kind."""
    chart = icon_array(rows)
    return {role: len(chart.named(f"{side.value}-{role}")) for role in ("guessing", "found", "possible", "ruled-out")}


@pytest.mark.parametrize("advantage", [0.2, -0.2])
def test_an_advantage_of_twenty_points_is_sixty_right_guesses_whatever_its_sign(advantage):
    ends = tuple(sorted((advantage - 0.1, advantage + 0.1)))
    found = right_guesses.of_advantage(advantage, ends)
    assert found.share == pytest.approx(0.6)
    assert (found.limits.low, found.limits.high) == pytest.approx((0.55, 0.65))


def test_an_interval_around_nothing_begins_at_guessing():
    found = right_guesses.of_advantage(-0.02, (-0.1, 0.06))
    assert (found.limits.low, found.limits.high) == pytest.approx((0.5, 0.55))


def test_the_rows_are_this_model_one_left_alone_and_one_retrained():
    told = golden("digits-cheater")
    rows = {row.side: row for row in right_guesses.icons(told)}
    assert list(rows) == [Side.THIS, Side.UNCHANGED, Side.RETRAINED]
    assert rows[Side.THIS].found.share == pytest.approx((2 - told.check("swap.quality").value) / 2)
    assert rows[Side.UNCHANGED].found.share == pytest.approx(rows[Side.THIS].found.share), "it does not unlearn"
    assert rows[Side.RETRAINED].found.share < 0.55
    assert [row.most for row in rows.values()] == [None, None, 0.5]


def test_the_upper_limit_is_the_best_promise_that_holds():
    told = remedied.golden("digits-newton")
    assert right_guesses.promised(told) == this(told).most == pytest.approx(0.5402, abs=1e-4)
    assert right_guesses.promised(golden("digits-newton-overrun")) is None


@pytest.mark.parametrize("name", NAMES)
def test_every_sample_has_a_hundred_guesses_a_row_and_every_cell_of_the_matrix(name):
    told = golden(name)
    rows = right_guesses.icons(told)
    for row in rows:
        counted = roles(rows, row.side)
        assert sum(counted.values()) == 100
        assert counted["guessing"] == 50
    assert [len(line.cells) for line in coverage.matrix(told)] == [len(ACCESS)] * len(KINDS)
    drawn = attack_intervals(right_guesses.attacks(told))
    assert (drawn is None) is (not any(each.found for each in right_guesses.attacks(told)))
    assert drawn is None or all(note.ends[0] >= -1 and note.ends[1] <= drawn.width + 1 for note in drawn.notes)
    assert all("…" not in note.text for note in icon_array(rows).notes)


@given(st.none() | shares, st.none() | shares)
def test_what_is_not_ruled_out_is_never_drawn_as_ruled_out(found, most):
    row = Row(Side.THIS, None if found is None else Found(found, None), most)
    counted = roles([row], Side.THIS)
    assert counted["guessing"] + counted["found"] + counted["possible"] >= 100 * (1.0 if most is None else most) - 1e-6
    assert (counted["ruled-out"] == 0) or most is not None


def test_a_promise_that_leaves_a_little_more_than_guessing_is_not_drawn_as_guessing():
    assert roles([Row(Side.THIS, None, 0.5001)], Side.THIS)["possible"] == 1


def test_attacks_stand_in_groups_with_threshold_and_what_would_have_been_noticed():
    told = golden("digits-newton")
    correctness, whole = attack(told, "correctness"), attack(told, "whole-set")
    assert correctness.threshold == pytest.approx((2 - told.check("swap.quality").threshold) / 2)
    assert whole.threshold is None
    assert 0.5 < correctness.noticed < correctness.threshold
    assert whole.noticed == told.check("swap.strong").derived.noticed == pytest.approx(0.5504, abs=1e-4)
    assert whole.found.share == pytest.approx(0.51125)
    assert attack(told, "release-remembers").outcome == "weak"
    widest = max(each.noticed for each in right_guesses.attacks(told) if each.threshold)
    assert widest == pytest.approx((1 + told.check("swap.quality").derived.smallest_advantage) / 2, abs=2e-3)


def test_the_games_of_a_requester_are_an_attack_by_somebody_who_compares():
    told = golden("group-deletion")
    (game,) = right_guesses.attacks(told)
    assert (game.name, game.group, game.found.share) == ("requester", Group.COMPARING, 1.0)
    assert game.found.limits.low == pytest.approx((1 + 0.694294089571796) / 2)
    assert this(told).found == game.found


def test_the_figure_places_each_attack_its_interval_its_threshold_and_its_tick():
    told = golden("digits-cheater")
    chart = attack_intervals(right_guesses.attacks(told))
    values = [note.text for note in chart.named("value")]
    assert values[0] == "75.3 (67.9–82.7)"
    assert next(mark.x for mark in chart.named("found")) == pytest.approx(226 + 294 * (0.75275 - 0.5) * 2, abs=0.5)
    assert len(chart.named("threshold")) == 9
    assert all(band.left == pytest.approx(226 + 294 * 0.1) for band in chart.named("threshold"))
    assert len(chart.named("noticed")) == 11
    assert chart.named("outcome")[0].text == "distinguishable from models without the records"
    assert "Naming the whole deleted set: 100 (83.1–100)." in chart.title


def test_hostile_names_and_many_attacks_are_drawn_as_far_as_there_is_room():
    many = [Attack(f"<script>{number}\u202e", Group.TRIAL, Found(0.5 + number / 100, None)) for number in range(30)]
    chart = attack_intervals(many)
    assert "<script>" not in chart.svg()
    assert len(chart.named("found")) == 24
    assert chart.remarks == ["The figure shows the 24 of 30 attacks that found most."]
    assert min(mark.x for mark in chart.named("found")) == pytest.approx(226 + 294 * 0.12, abs=0.5)
    assert attack_intervals([]) is None


@pytest.mark.parametrize(
    ("status", "told", "p", "outcome"),
    [
        (Status.PASS, 5, 0.4, "pass"),
        (Status.FAIL, 0, 0.005, "fail"),
        (Status.INCONCLUSIVE, 4, 0.4, "weak"),
        (Status.INCONCLUSIVE, 4, 0.05, "inconclusive"),
        (Status.INCONCLUSIVE, 5, 0.4, "inconclusive"),
    ],
)
def test_what_came_of_the_attack_on_the_release_is_never_said_to_be_more_than_it_is(status, told, p, outcome):
    base = golden("digits-cheater")
    derived = base.check("release.remembers").derived.model_copy(update={"told": told, "tried": (0.1,) * 5, "p": p})
    changed = examples.with_check(base, "release.remembers", status=status, derived=derived, value=p)
    assert attack(changed, "release-remembers").outcome == outcome


def test_where_the_attack_on_the_release_was_the_only_one_there_is_no_axis():
    told = golden("diabetes-least-squares")
    assert attack_intervals(right_guesses.attacks(told)) is None
    said = coverage.why_no_numbers(told)
    assert "Its result: open, too weak to tell." in said
    assert said.endswith("The SWAP test is for classifiers, and this case has no classes.")


def test_a_swap_test_with_gaps_is_read_as_far_as_it_goes():
    told = examples.with_check(examples.passing(), "swap.quality", derived=None)
    assert all(each.name != "loss" for each in right_guesses.attacks(told))
    without = Attack("loss", Group.TRIAL, None)
    assert attack_intervals([without, *right_guesses.attacks(told)]).named("outcome")[0].text == "no result"


@pytest.mark.parametrize(
    ("name", "kind", "access", "state"),
    [
        ("digits-newton", "membership", "labels", State.RUN),
        ("digits-newton", "membership", "scores", State.RUN),
        ("digits-newton", "membership", "weights", State.NOT_HERE),
        ("digits-newton", "membership", "before-after", State.NOT_MADE),
        ("digits-cheater", "membership", "before-after", State.NOT_MADE),
        ("digits-mlp-retrain", "membership", "scores", State.NOT_MADE),
        ("diabetes-least-squares", "membership", "labels", State.NOT_APPLICABLE),
        ("diabetes-least-squares", "membership", "scores", State.RUN),
        ("group-deletion", "membership", "before-after", State.RUN),
        ("digits-newton", "regurgitation", "scores", State.NOT_APPLICABLE),
        ("digits-newton", "reconstruction", "before-after", State.NOT_MADE),
        ("digits-newton", "attribute", "labels", State.NOT_HERE),
    ],
)
def test_the_matrix_says_what_became_of_each_kind_of_attack(name, kind, access, state):
    line = coverage.matrix(golden(name))[KINDS.index(kind)]
    assert line.cells[ACCESS.index(access)].state is state


def test_what_broke_off_was_not_made_and_is_never_called_run():
    lines = coverage.matrix(examples.broken_off())
    assert {cell.state for line in lines for cell in line.cells} >= {State.NOT_MADE}
    assert State.RUN not in {cell.state for line in lines for cell in line.cells}


def test_why_no_attack_was_made_says_what_it_rests_on():
    assert coverage.why_no_numbers(golden("digits-mlp-retrain")).endswith("There is nothing to find.")
    assert "unless the code itself brings it along" in coverage.why_no_numbers(golden("digits-own-procedure"))


def test_each_unchecked_statement_says_who_could_confirm_it_and_what_follows():
    told = golden("digits-newton")
    found = promises.statements(told)
    assert len(found) == 7
    assert found[0].means == "The deletion log lists every erasure that this model must honour."
    assert found[0].who.startswith("The people who take in requests")
    assert found[0].otherwise.startswith("A person who is missing")
    assert promises.resting(told).endswith(
        "Said by Kim Example, data protection officer, 2026-05-04. Said by Sam Example, head of operations."
    )
    failed = golden("digits-newton-overrun")
    named = [each.means.startswith("Said by nobody: ") for each in promises.statements(failed)]
    assert named == [True, True, False, False, False]
    assert "Nobody makes 2 of them" in promises.resting(failed)


@pytest.mark.parametrize("name", NAMES)
def test_no_statement_lacks_somebody_who_could_confirm_it(name):
    assert all(each.means and each.who and each.otherwise for each in promises.statements(golden(name)))


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("digits-newton", "It is very hard to tell whether a person’s data were ever in this model: at most 54.1 of 100"),
        ("made-newton", "It is very hard to tell whether a person’s data were ever in this model: at most 50.2 of 100"),
        ("digits-mlp-dp", "The promise is limited: up to 62.7 of 100"),
        ("digits-retrain", "No promise in numbers was made"),
    ],
)
def test_the_promise_is_called_by_its_number(name, said):
    assert promises.lead(remedied.golden(name)).startswith(said)


def test_a_refuted_promise_is_never_a_number():
    base = examples.passing()
    fallen = tuple(dataclasses.replace(each, status=ClaimStatus.REFUTED) for each in base.guarantees)
    told = examples.changed(base, guarantees=fallen)
    assert promises.lead(told) == "A promise was made, but an attack did better than it allows. It does not hold."
    assert promises.holding(told) == ()
