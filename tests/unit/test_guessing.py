"""Promise and attacks as right guesses out of 100: one unit, each number where the evidence has it."""

from __future__ import annotations

import dataclasses
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

import rechecks
import remedied
import report_examples as examples
from auditor.base.domain import ClaimStatus, Interval, Status
from auditor.pages import coverage, promises, right_guesses
from auditor.pages.coverage import ACCESS, KINDS, State
from auditor.pages.figures import attack_intervals
from auditor.pages.figures.attack_intervals import axis_end
from auditor.pages.right_guesses import Attack, Found, Group, Row, Side
from golden_reports import told as golden

NAMES = tuple(sorted(path.stem for path in rechecks.LATEST.glob("*.json")))
shares = st.floats(0.5, 1.0)


def this(told):
    return right_guesses.sides(told)[0]


def attack(told, name):
    return next(each for each in right_guesses.attacks(told) if each.name == name)


@pytest.mark.parametrize("advantage", [0.2, -0.2])
def test_an_advantage_of_twenty_points_is_sixty_right_guesses_whatever_its_sign(advantage):
    ends = tuple(sorted((advantage - 0.1, advantage + 0.1)))
    found = right_guesses.of_advantage(advantage, ends)
    assert found.share == pytest.approx(0.6)
    assert (found.limits.low, found.limits.high) == pytest.approx((0.55, 0.65))


def drawn_with(*, share=0.51, high=0.52, noticed=None, threshold=None):
    found = Found(share, Interval(0.5, high))
    return attack_intervals([Attack("correctness", Group.TRIAL, found, threshold=threshold, noticed=noticed)])


def labels(chart):
    return [note.text for note in chart.named("label-across")]


@given(st.lists(st.tuples(shares, shares, shares), min_size=1, max_size=6))
def test_the_axis_holds_all_that_was_found_and_every_threshold(values):
    attacks = [
        Attack("correctness", Group.TRIAL, Found(share, Interval(0.5, max(share, high))), threshold=threshold)
        for share, high, threshold in values
    ]
    end = axis_end(attacks)
    assert all(100 * max(share, threshold) <= end + 1e-9 for share, _, threshold in values)


def test_the_axis_fits_what_was_found():
    assert labels(drawn_with(share=0.505, high=0.512))[-1] == "52"
    assert labels(drawn_with(share=0.72, high=0.8))[-1] == "80"
    assert labels(drawn_with(share=1.0, high=1.0))[-1] == "100"


def test_what_goes_on_beyond_the_axis_is_an_arrow_that_the_caption_explains():
    chart = drawn_with(share=0.51, high=0.85, noticed=0.94)
    assert labels(chart)[-1] == "52"
    assert len(chart.named("beyond")) == 1
    assert "The axis ends at 52." in chart.caption
    assert "more than 52 times" in chart.caption
    assert "85" in chart.named("value")[0].text
    near = drawn_with(share=0.51, high=0.515, noticed=0.518)
    assert not near.named("beyond")
    assert "The axis ends" not in near.caption


def test_an_interval_around_nothing_begins_at_guessing():
    found = right_guesses.of_advantage(-0.02, (-0.1, 0.06))
    assert (found.limits.low, found.limits.high) == pytest.approx((0.5, 0.55))


def test_the_rows_are_this_model_one_left_alone_and_one_retrained():
    told = golden("digits-cheater")
    rows = {row.side: row for row in right_guesses.sides(told)}
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
def test_every_sample_has_its_three_rows_and_every_cell_of_the_matrix(name):
    told = golden(name)
    rows = right_guesses.sides(told)
    assert [row.side for row in rows] == list(Side)
    assert [len(line.cells) for line in coverage.matrix(told)] == [len(ACCESS)] * len(KINDS)
    drawn = attack_intervals(right_guesses.attacks(told))
    assert (drawn is None) is (not any(each.found for each in right_guesses.attacks(told)))
    assert drawn is None or all(note.ends[0] >= -1 and note.ends[1] <= drawn.width + 1 for note in drawn.notes)


@pytest.mark.parametrize("name", NAMES)
def test_kinds_of_attack_with_one_outcome_are_said_in_a_line_and_none_is_lost(name):
    lines = coverage.matrix(golden(name))
    said = " ".join(f"{outcome} {kinds}" for outcome, kinds in coverage.alike(lines))
    for line in lines:
        assert (line.alike is None) is (len({cell.said for cell in line.cells}) > 1)
        assert (line.alike is None) is (f"{line.name} (" not in said)


@given(shares)
def test_a_limit_is_never_rounded_down(most):
    said = right_guesses.limit(Row(Side.THIS, None, most))
    (number,) = re.findall(r"\d+(?:\.\d+)?", said)
    assert float(number) >= 100 * most - 1e-9


def test_without_a_promise_no_limit_is_named():
    assert right_guesses.limit(Row(Side.THIS, None, None)) == "No upper limit is shown."


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
    assert min(mark.x for mark in chart.named("found")) == pytest.approx(226 + 294 * 0.2, abs=0.5)
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
        "Said by Kim Example, data protection officer, 4 May 2026. Said by Sam Example, head of operations."
    )
    failed = golden("digits-newton-overrun")
    named = [each.means.startswith("Not stated by anyone: ") for each in promises.statements(failed)]
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
