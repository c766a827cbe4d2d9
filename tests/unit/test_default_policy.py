"""What a policy asks for less than the default, and how the default reads the same declarations."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from auditor.attacks import attacks
from auditor.base.deletion_log.deadlines import Span
from auditor.base.deletion_log.requests import RequestOutcome
from auditor.document.context import ControllerFacts
from auditor.settings.tables import InferenceTable, Policy, SwapTable
from auditor.verdict import default_policy
from auditor.verdict.checks.context import Context
from judging import declared, log_facts

RECEIVED = date(2025, 11, 3)
MONTH_LATER = date(2025, 12, 3)


def request(*, days: int | None, due_on: date, overdue: bool = False, status: str = "executed") -> RequestOutcome:
    done = None if days is None else datetime(2025, 11, 3, tzinfo=UTC) + timedelta(days=days)
    return RequestOutcome("r", status, RECEIVED, due_on, done, days, overdue, 1, ())


def by_policy(days: int) -> date:
    return Span(days=days).after(RECEIVED)


def keys(context: Context, *, played: bool = True) -> dict[str, Any]:
    return {each.key: (each.declared, each.default) for each in default_policy.weakenings(context, played=played)}


@pytest.mark.parametrize(
    ("changes", "found"),
    [
        ({"swap": SwapTable(pairs=19)}, {"swap.pairs": (19, 20)}),
        ({"swap": SwapTable(pairs=20)}, {}),
        ({"swap": SwapTable(pairs=400)}, {}),
        ({"swap": SwapTable(alpha=0.0999)}, {"swap.alpha": (0.0999, 0.1)}),
        ({"swap": SwapTable(alpha=0.2)}, {}),
        ({"swap": SwapTable(confidence=0.9499)}, {"swap.confidence": (0.9499, 0.95)}),
        ({"swap": SwapTable(confidence=0.99)}, {}),
        ({"swap": SwapTable(attacks=("loss",))}, {"swap.attacks": (("loss",), None)}),
        ({"swap": SwapTable(attacks=tuple(attacks()))}, {}),
        ({"policy": Policy(min_quality=0.9499)}, {"policy.min_quality": (0.9499, 0.95)}),
        ({"policy": Policy(min_quality=0.95)}, {}),
        ({"policy": Policy(max_accuracy_drop=0.5, min_speedup=0.1, max_epsilon=50.0)}, {}),
    ],
)
def test_each_setting_below_its_default_is_named(changes: dict[str, Any], found: dict[str, Any]) -> None:
    context = declared(**changes)
    assert keys(context) == found
    assert keys(context, played=False) == {}


@pytest.mark.parametrize(
    ("changes", "found"),
    [
        ({"swap": SwapTable(confidence=0.9)}, {"swap.confidence": (0.9, 0.95)}),
        ({"policy": Policy(min_quality=0.9)}, {"policy.min_quality": (0.9, 0.95)}),
        ({"swap": SwapTable(pairs=10, alpha=0.01, attacks=("loss",))}, {}),
    ],
)
def test_answers_alone_are_held_to_confidence_and_quality_and_to_no_size(changes: dict[str, Any], found: dict[str, Any]) -> None:
    named = default_policy.weakenings(declared(**changes), played=False, answered=True)
    assert {each.key: (each.declared, each.default) for each in named} == found


def test_less_confidence_in_deletion_inference_is_named_where_the_policy_limits_it() -> None:
    sizes = {"inference": InferenceTable(confidence=0.9)}
    assert keys(declared(policy=Policy(max_inference=0.6), **sizes), played=False) == {"inference.confidence": (0.9, 0.95)}
    assert keys(declared(**sizes), played=False) == {}


def test_what_is_left_at_its_default_is_no_weakening() -> None:
    limited = declared(policy=Policy(max_inference=0.6))
    assert keys(limited) == {}
    assert keys(replace(limited, inference=InferenceTable(confidence=0.9499))) == {"inference.confidence": (0.9499, 0.95)}
    assert keys(declared(inference=InferenceTable(confidence=0.5))) == {}, "nothing is held against it"


@pytest.mark.parametrize(("games", "found"), [(120, {}), (119, {"controller.games": (119, 120)})])
def test_fewer_games_of_a_controller_are_named(games: int, found: dict[str, Any]) -> None:
    whole = ControllerFacts(
        use=None, entry="store.py:Store", params={}, operations={"set": ("*",)}, commuting=(), games=games, digest="0" * 64
    )
    assert keys(declared(controller=whole)) == found


def test_one_request_with_a_later_deadline_names_it() -> None:
    """The log's own date is earlier for the other."""
    early = replace(request(days=3, due_on=date(2025, 11, 10)), due_in_log=date(2025, 11, 10))
    late = request(days=3, due_on=by_policy(90))
    policy = Policy(deadline_days=90)
    assert keys(declared(policy=policy, requests=(early, late))) == {"policy.deadline_days": (90, None)}
    assert keys(declared(policy=policy, requests=(early,))) == {}
    assert keys(declared(requests=(late,))) == {}


def test_by_default_a_log_that_records_one_answer_records_them_all() -> None:
    """The one who was never informed is late by the law's month, whoever else was."""
    informed = replace(request(days=3, due_on=by_policy(90)), answered_at=datetime(2025, 11, 7, tzinfo=UTC))
    silent = replace(request(days=3, due_on=by_policy(90)), request_id="s")
    context = declared(policy=Policy(deadline_days=90), requests=(informed, silent))
    assert default_policy.under_default(context).log.overdue == ("s",)
    alone = declared(policy=Policy(deadline_days=90), requests=(silent,))
    assert default_policy.under_default(alone).log.overdue == ()


@pytest.mark.parametrize("swap", [SwapTable(pairs=19), SwapTable(alpha=0.05), SwapTable(attacks=("loss",))])
def test_a_smaller_game_is_not_the_default_s(swap: SwapTable) -> None:
    assert default_policy.smaller_game(declared(swap=swap))
    assert not default_policy.smaller_game(declared(swap=SwapTable(pairs=20, alpha=0.3, confidence=0.5)))


@pytest.mark.parametrize(("days", "named"), [(36_500, True), (31, True), (30, False), (10, False)])
def test_a_deadline_beyond_the_law_s_month_is_named(days: int, named: bool) -> None:
    # November's month ends 30 days later.
    context = declared(policy=Policy(deadline_days=days), requests=(request(days=5, due_on=by_policy(days)),))
    assert keys(context) == ({"policy.deadline_days": (days, None)} if named else {})


@pytest.mark.parametrize(("took", "late"), [(30, False), (31, True)])
def test_by_default_a_request_is_due_in_a_calendar_month(took: int, late: bool) -> None:
    context = declared(policy=Policy(deadline_days=36_500), requests=(request(days=took, due_on=by_policy(36_500)),))
    (found,) = default_policy.under_default(context).requests
    assert (found.due_on, found.overdue) == (MONTH_LATER, late)
    assert default_policy.under_default(context).log.overdue == (("r",) if late else ())


def test_by_default_an_open_request_is_late_after_the_month_and_a_withdrawn_one_never() -> None:
    days = 36_500
    waiting = (request(days=None, due_on=by_policy(days), status=status) for status in ("open", "revoked"))
    context = declared(policy=Policy(deadline_days=days), requests=tuple(waiting))
    assert context.audit.started_at.date() > MONTH_LATER
    assert [each.overdue for each in default_policy.under_default(context).requests] == [True, False]


def test_a_policy_stricter_than_the_law_is_read_as_the_law_by_default() -> None:
    context = declared(policy=Policy(deadline_days=5), requests=(request(days=9, due_on=by_policy(5), overdue=True),))
    (found,) = default_policy.under_default(context).requests
    assert (found.due_on, found.overdue) == (MONTH_LATER, False)


def test_an_earlier_date_of_the_log_s_own_stays() -> None:
    earlier = date(2025, 11, 10)
    logged = replace(request(days=17, due_on=earlier, overdue=True), due_in_log=earlier)
    context = declared(policy=Policy(deadline_days=36_500), requests=(logged,))
    (found,) = default_policy.under_default(context).requests
    assert (found.due_on, found.overdue) == (earlier, True)


def test_without_a_policy_nothing_changes() -> None:
    context = declared(requests=(request(days=9, due_on=MONTH_LATER),))
    assert default_policy.under_default(context) == context


@given(
    days=st.none() | st.integers(0, 400),
    took=st.integers(0, 500),
    quality=st.floats(0, 1),
    confidence=st.floats(0.5, 0.999),
    pairs=st.integers(1, 100),
)
def test_the_default_reads_the_same_whatever_the_policy(
    days: int | None, took: int, quality: float, confidence: float, pairs: int
) -> None:
    due = MONTH_LATER if days is None else by_policy(days)
    swap = SwapTable(confidence=confidence, pairs=pairs)
    context = declared(
        policy=Policy(deadline_days=days, min_quality=quality),
        swap=swap,
        requests=(request(days=took, due_on=due, overdue=took > (due - RECEIVED).days),),
        log=log_facts(),
    )
    found = default_policy.under_default(context)
    (only,) = found.requests
    assert (only.due_on, only.overdue) == (MONTH_LATER, took > 30)
    assert (found.policy, found.swap) == (Policy(), replace_confidence(swap))


def replace_confidence(swap: SwapTable) -> SwapTable:
    """The sizes as they were played, at the default's confidence."""
    return swap.model_copy(update={"confidence": 0.95})


def test_nothing_else_of_the_context_changes() -> None:
    context = declared(policy=Policy(min_quality=0.1))
    assert default_policy.under_default(context) == replace(context, policy=Policy())
