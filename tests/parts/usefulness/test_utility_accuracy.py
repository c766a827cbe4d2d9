"""`utility.accuracy`: the accuracy that unlearning costs, against the retrained model on the same holdout."""

from __future__ import annotations

import itertools
import math
from typing import Any

import pytest

from auditor.base.domain import Effect, Status
from auditor.maths.statistics import accuracy_difference, difference_upper, paired_difference
from auditor.pages.words import basis, sentence
from auditor.parts.release.judging import release_exact
from auditor.parts.usefulness.judging.utility_accuracy import (
    CHECK,
    CONFIDENCE,
    MOVEMENT,
    SURE,
    Accuracy,
    Derived,
    MovedCounts,
    Observed,
    applies,
    judge,
)
from auditor.settings.tables import Policy
from auditor.verdict.checks.context import Context
from auditor.verdict.checks.finding import Finding
from auditor.verdict.checks.levels import share
from auditor.verdict.checks.stated import Counts
from judging import case_facts, declared

COSTLY = Observed(predicted=True, unlearned_right=40, retrained_right=45, lost=6, won=1)
"""A drop of five in fifty."""
CLEAR = Observed(predicted=True, unlearned_right=20, retrained_right=45, lost=25, won=0)
"""A drop of half of them."""


def context(most: float | None = None, **case: Any) -> Context:
    return declared(policy=Policy(max_accuracy_drop=most), case=case_facts(**case))


@pytest.mark.parametrize(
    ("case", "words"),
    [
        ({"holdout_records": None}, "The case names no holdout data"),
        ({"holdout_records": 0}, "The case names no holdout data"),
        ({"task": "regression", "classes": 0}, "Accuracy is a measure of classification."),
    ],
)
def test_it_needs_a_holdout_and_a_classification(case: dict[str, Any], words: str) -> None:
    reason = applies(context(**case), {})
    assert reason is not None
    assert sentence(reason).startswith(words)
    assert applies(context(), {}) is None


@pytest.mark.parametrize(
    ("most", "status"),
    [(None, Status.SKIPPED), (0.3, Status.PASS), (0.2, Status.INCONCLUSIVE), (0.0, Status.INCONCLUSIVE), (1.0, Status.PASS)],
)
def test_the_interval_of_the_drop_is_held_against_the_policy(most: float | None, status: Status) -> None:
    finding = judge(context(most), COSTLY, {})
    assert (finding.status, finding.value, finding.threshold) == (status, pytest.approx(0.1), most)
    assert finding.interval == accuracy_difference(6, 1, 50, confidence=0.95)
    here = Accuracy(unlearned=0.8, retrained=0.9, records=50)
    assert finding.derived == Derived(**dict(here), confidence=CONFIDENCE, table="holdout", tables={"holdout": here})
    assert ("Informative" in basis(finding.reasons)) is (most is None)


def test_a_drop_that_is_certain_fails() -> None:
    assert judge(context(0.1), CLEAR, {}).status is Status.FAIL


def test_a_small_drop_on_few_records_is_no_pass() -> None:
    """Two of fifty-seven are lost, four hundredths: of so few records it may as well be thirteen."""
    few = declared(policy=Policy(max_accuracy_drop=0.05), case=case_facts(holdout_records=57))
    finding = judge(few, Observed(predicted=True, unlearned_right=50, retrained_right=52, lost=3, won=1), {})
    assert (finding.status, finding.value) == (Status.INCONCLUSIVE, pytest.approx(2 / 57))
    assert "between -6.3 and 12.7 points of accuracy may be lost. The policy allows 5" in basis(finding.reasons)
    (chance,) = (each for each in finding.reasons if each.code == "utility.accuracy.within-chance")
    enough = chance.parameters["enough"]
    assert isinstance(enough, int)

    def status(records: int) -> Status:
        """Of so many records, of which the same shares are lost and won."""
        lost, won = (round(share * records / 57) for share in (3, 1))
        many = declared(policy=Policy(max_accuracy_drop=0.05), case=case_facts(holdout_records=records))
        seen = Observed(predicted=True, unlearned_right=records - lost, retrained_right=records - won, lost=lost, won=won)
        return judge(many, seen, {}).status

    assert (status(round(0.9 * enough)), status(round(1.2 * enough))) == (Status.INCONCLUSIVE, Status.PASS)


def test_no_number_of_records_makes_up_for_more_than_is_allowed() -> None:
    (chance,) = (each for each in judge(context(0.05), COSTLY, {}).reasons if each.code == "utility.accuracy.within-chance")
    assert chance.parameters["enough"] is None


def test_a_gain_is_no_drop() -> None:
    finding = judge(context(0.1), Observed(predicted=True, unlearned_right=45, retrained_right=40, lost=1, won=6), {})
    assert (finding.status, finding.value) == (Status.PASS, pytest.approx(-0.1))
    same = judge(context(0.2), Observed(predicted=True, unlearned_right=40, retrained_right=40), {})
    assert (same.status, same.value) == (Status.PASS, 0.0)


@pytest.mark.parametrize(("route", "status"), [("clean-room", Status.PASS), ("independent", Status.INCONCLUSIVE)])
def test_a_model_that_is_the_retrained_one_has_lost_nothing(route: str, status: Status) -> None:
    derived = release_exact.Derived.model_construct(route=route)
    earlier = {"release.exact": Finding(Status.PASS, derived=derived)}
    same = Observed(predicted=True, unlearned_right=40, retrained_right=40)
    assert judge(context(0.0), same, earlier).status is status
    other = Observed(predicted=True, unlearned_right=40, retrained_right=40, lost=1, won=1)
    assert judge(context(0.0), other, earlier).status is Status.INCONCLUSIVE


@pytest.mark.parametrize("counts", [{"lost": 1}, {"won": 1, "lost": 0}])
def test_a_model_that_answers_one_record_otherwise_is_not_the_retrained_one(counts: dict[str, int]) -> None:
    earlier = {"release.exact": Finding(Status.PASS, derived=release_exact.Derived.model_construct(route="clean-room"))}
    right = 40 - counts.get("lost", 0) + counts.get("won", 0)
    other = Observed(**{"predicted": True, "unlearned_right": right, "retrained_right": 40, **counts})
    assert judge(context(0.0), other, earlier).status is Status.INCONCLUSIVE


def test_without_predictions_there_is_no_accuracy() -> None:
    finding = judge(context(0.1), Observed(predicted=False), {})
    assert (finding.status, finding.value, finding.derived) == (Status.SKIPPED, None, None)
    assert basis(finding.reasons) == "The procedure gave no predictions."


def beside(lost: int, won: int = 0, records: int = 200) -> Counts:
    """A table on which the retrained model is right on all but `won` records."""
    return Counts(records=records, unlearned_right=records - lost, retrained_right=records - won, lost=lost, won=won)


def copies(only_originals: int, lost: int = 0, records: int = 50) -> MovedCounts:
    """Moved copies of a holdout on whose originals the unlearned model is right everywhere."""
    right = records - only_originals
    return MovedCounts(
        records=records,
        unlearned_right=right,
        retrained_right=right + lost,
        lost=lost,
        won=0,
        originals_right=records,
        only_originals=only_originals,
        only_copies=0,
    )


def equal(**tables: Any) -> Observed:
    """A holdout on which both models are right everywhere, and other tables."""
    return Observed(predicted=True, unlearned_right=50, retrained_right=50, **tables)


def test_the_drop_is_the_largest_over_the_tables() -> None:
    finding = judge(context(0.3), equal(unseen=beside(40), moved=copies(2, lost=2)), {})
    assert (finding.status, finding.value) == (Status.PASS, pytest.approx(0.2))
    assert finding.interval == accuracy_difference(40, 0, 200, confidence=0.95)
    assert isinstance(finding.derived, Derived)
    assert (finding.derived.table, finding.derived.records, set(finding.derived.tables)) == (
        "unseen",
        200,
        {"holdout", "moved", "unseen"},
    )
    told = basis(finding.reasons)
    assert "200 training records that the models of the SWAP test had not met, 0.2 is lost" in told
    assert "50 copies of them, moved a little towards a neighbour of the same label, 0.04 is lost" in told


@pytest.mark.parametrize(
    ("most", "status"),
    [(0.3, Status.PASS), (0.2, Status.INCONCLUSIVE), (0.1, Status.INCONCLUSIVE), (0.05, Status.FAIL)],
    ids=["no more for certain", "within chance", "no failure by a chance of one in 40", "more for certain"],
)
def test_a_drop_on_another_table_fails_where_chance_does_not_explain_it(most: float, status: Status) -> None:
    finding = judge(context(most), equal(unseen=beside(40)), {})
    assert finding.status is status
    assert ("too few records to tell" in basis(finding.reasons)) is (status is Status.INCONCLUSIVE)


def test_a_drop_on_another_table_that_may_be_none_does_not_count() -> None:
    noise = Counts(records=298, unlearned_right=204, retrained_right=216, lost=36, won=24)
    assert accuracy_difference(36, 24, 298, confidence=0.999).low < 0 < noise.retrained_right - noise.unlearned_right
    finding = judge(context(0.03), equal(unseen=noise), {})
    assert (finding.status, finding.value) == (Status.INCONCLUSIVE, 0.0)
    assert "had not met, 0.0403 is lost" in basis(finding.reasons)
    assert isinstance(finding.derived, Derived)
    assert finding.derived.table == "holdout"


def test_without_a_game_it_says_that_nothing_else_was_unseen() -> None:
    assert "No SWAP test was played" in basis(judge(context(0.1), equal(), {}).reasons)
    assert "No SWAP test was played" not in basis(judge(context(0.1), equal(unseen=beside(0)), {}).reasons)


def known(found: int) -> bool:
    """Whether 50 holdout records are taken to be known, of whose copies so many are predicted wrong."""
    finding = judge(context(0.1), equal(moved=copies(found)), {})
    reasons = {each.code for each in finding.reasons}
    assert (finding.status is Status.INCONCLUSIVE) is ("utility.accuracy.knows-holdout" in reasons)
    return finding.status is Status.INCONCLUSIVE


def test_a_holdout_that_is_answered_far_better_than_its_copies_shows_nothing() -> None:
    assert (MOVEMENT, SURE) == (0.1, 0.99)
    least = next(count for count in range(51) if paired_difference(count, 0, 50, confidence=0.99).low > 0.1)
    assert (known(least - 1), known(least)) == (False, True)
    assert least <= 20


def test_what_is_known_never_turns_a_failure_around_and_never_decides_without_a_threshold() -> None:
    assert judge(context(0.0), CLEAR.model_copy(update={"moved_refused": True}), {}).status is Status.FAIL
    assert judge(context(), equal(moved=copies(50)), {}).status is Status.SKIPPED


def test_copies_that_are_refused_leave_the_accuracy_open() -> None:
    finding = judge(context(0.1), equal(moved_refused=True), {})
    assert finding.status is Status.INCONCLUSIVE
    assert "raised an error on copies of the holdout" in basis(finding.reasons)


@pytest.mark.parametrize(
    "wrong",
    [
        {"unlearned_right": 51},
        {"retrained_right": 51},
        {"originals_right": 49},
        {"only_originals": 6},
        {"only_copies": 1},
        {"lost": 1},
        {"records": 0},
    ],
)
def test_counts_that_cannot_be_are_refused(wrong: dict[str, int]) -> None:
    with pytest.raises(ValueError, match=r"records|right|originals|greater"):
        MovedCounts.model_validate(copies(5).model_dump() | wrong)


LEVELS = CHECK.levels


def spent_by(observed: Observed, most: float | None = 0.3, **case: Any) -> dict[tuple[str, Effect], float]:
    declaration = context(most, **case)
    found = LEVELS(declaration, observed, judge(declaration, observed, {}))
    return {(each.test, each.effect): each.level for each in found}


def test_it_states_what_a_pass_risks_and_how_often_chance_fails_an_honest_case_or_leaves_it_open() -> None:
    needs = {("accuracy-limit", Effect.PASS_NEEDS): 0.025}
    accuses = {("accuracy", Effect.ACCUSES): share("accuracy")}
    assert spent_by(COSTLY) == needs | accuses
    everything = spent_by(equal(unseen=beside(0), moved=copies(0)))
    elsewhere = {("accuracy-elsewhere", Effect.LEAVES_OPEN): 5e-4, ("holdout-known", Effect.LEAVES_OPEN): pytest.approx(0.005)}
    assert everything == needs | accuses | elsewhere
    assert spent_by(COSTLY, None) == {}
    assert spent_by(COSTLY, 1.0) == needs, "nothing is more than everything"


def test_chance_fails_no_honest_model_more_often_than_is_stated() -> None:
    """Both models lose exactly what is allowed, on one table; all outcomes are counted that are not too rare to count."""
    level, trials, allowed = share("accuracy"), 40, 0.1
    lost, won = 0.2, 0.1
    found = 0.0
    for one, other in itertools.product(range(trials + 1), repeat=2):
        if one + other <= trials and -difference_upper(other, one, trials, alpha=level) > allowed:
            found += (
                math.comb(trials, one) * math.comb(trials - one, other) * lost**one * won**other * 0.7 ** (trials - one - other)
            )
    assert 0 < found <= level
