"""What the ways of a learner to the same records come to, and when they are tried."""

from __future__ import annotations

from typing import Any

import pytest

from auditor.base.domain import Message, Status
from auditor.pages.words import basis
from auditor.parts.controllers.judging.history.independence import CHECK, examined_claims
from auditor.parts.controllers.judging.history.observed import Observed
from auditor.parts.controllers.judging.history.pipeline import Pipeline, Reached, Way, judged
from auditor.settings.tables import Claims
from auditor.verdict.checks.finding import Finding
from auditor.verdict.reliance import claims
from judging import declared as context


def seen(*differing: Way, **given: Any) -> Pipeline:
    ways = tuple(Reached(way=each, differing=("parameters",) if each in differing else (), largest=None) for each in Way)
    return Pipeline(**({"records": 56, "deleted": 4, "compared": ("parameters", "saved file"), "ways": ways} | given))


def come_to(found: Finding) -> tuple[Status, float | None]:
    return found.status, found.value


@pytest.mark.parametrize(
    ("found", "status", "value"),
    [
        (seen(), Status.PASS, 0.0),
        (seen(Way.ANOTHER_ORDER), Status.FAIL, 1.0),
        (seen(*Way), Status.FAIL, 5.0),
        (seen(Way.FIRST, compared=("predictions",)), Status.FAIL, 1.0),
        (seen(compared=("predictions", "object")), Status.INCONCLUSIVE, None),
        (seen(ways=()), Status.INCONCLUSIVE, None),
        (seen(Way.FIRST, steady=False), Status.INCONCLUSIVE, None),
        (seen(steady=False), Status.INCONCLUSIVE, None),
        (seen(untried=Message("state.stateless.few-records", {"updates": 4})), Status.INCONCLUSIVE, None),
        (None, Status.INCONCLUSIVE, None),
    ],
)
def test_every_way_has_to_lead_to_the_same(found: Pipeline | None, status: Status, value: float | None) -> None:
    assert come_to(judged(found)) == (status, value)
    assert basis(judged(found).reasons)


def test_it_applies_where_it_is_claimed_and_the_claim_stands_with_it() -> None:
    silent, claiming = context(), context(claims=Claims(history_independent=True))
    assert CHECK.applies(silent, {}) is not None
    assert not CHECK.wanted(silent)
    assert CHECK.applies(claiming, {}) is None
    assert CHECK.wanted(claiming)
    assert come_to(CHECK.judge(claiming, Observed(pipeline=seen()), {})) == (Status.PASS, 0.0)
    assert come_to(CHECK.judge(claiming, Observed(), {})) == (Status.INCONCLUSIVE, None)
    assert examined_claims(claiming, judged(seen())) == {"history_independent"}
    assert examined_claims(claiming, judged(None)) == set()


@pytest.mark.parametrize(
    ("status", "standing"),
    [(Status.PASS, "supported"), (Status.FAIL, "refuted"), (Status.INCONCLUSIVE, "not-shown"), (Status.SKIPPED, "not-shown")],
)
def test_the_claim_is_what_the_check_finds(status: Status, standing: str) -> None:
    (found,) = claims(
        {"history_independent": True},
        guarantees=(),
        statuses={"state.history_independent": status},
        attested=(),
        private=None,
    )
    assert found.standing == standing
