"""Evidence of deletion games with numbers changed: a recheck derives each of them again, and finds it."""

from __future__ import annotations

import functools
import json
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import rfc8785

import rechecks
from auditor.base.domain import Status
from cases import audited, check_of
from swap_games import certified, write_case

IDS = ("inference.example", "inference.instance")
Change = Callable[[dict[str, Any]], object]


@functools.cache
def honest() -> bytes:
    """Games of certified removal, which are trained in this process, held against a limit."""
    limits = "[policy]\nmax_inference = 0.6\n[inference]\ngames = 60\n"
    with tempfile.TemporaryDirectory() as folder:
        evidence = audited(write_case(Path(folder), certified("newton"), tables=limits), only=IDS)
    assert {check_of(evidence, each).status for each in IDS} <= {Status.FAIL, Status.INCONCLUSIVE}
    return evidence.to_bytes()


def first(value: dict[str, Any]) -> dict[str, Any]:
    return rechecks.check(value, "inference.example")


def tally(value: dict[str, Any], **wanted: str) -> dict[str, Any]:
    """The first tally that fits."""
    tallies = first(value)["observed"]["tallies"]
    return next(each for each in tallies if all(each[key] == item for key, item in wanted.items()))


def test_what_was_not_changed_agrees() -> None:
    assert rechecks.findings(honest()) == []


@pytest.mark.parametrize(
    "change",
    [
        lambda value: first(value).update(status="pass"),
        lambda value: first(value).update(value=0.5),
        lambda value: first(value).update(threshold=0.99),
        lambda value: first(value).update(interval=[0.4, 0.55]),
        lambda value: tally(value, attack="rise").update(wins=30, ties=0, ties_won=0),
        lambda value: tally(value, attack="lira-confidence").update(wins=0, ties=0, ties_won=0),
        lambda value: tally(value, variant="chosen").update(wins=0, ties=0, ties_won=0),
        lambda value: first(value)["observed"]["tallies"].remove(tally(value, attack="rise", variant="two", view="scores")),
        lambda value: first(value)["observed"].update(trained=500),
        lambda value: first(value)["derived"].update(strongest="yeom-label"),
        lambda value: first(value)["derived"].update(epsilon_lower=0.99),
        lambda value: first(value)["derived"].update(level=0.95),
        lambda value: first(value)["derived"]["variants"].pop(),
        lambda value: value["policy"]["settings"].update(max_inference=0.95),
        lambda value: value["sizes"]["inference"].update(games=1000),
        lambda value: value["sizes"]["inference"].update(confidence=0.5),
        lambda value: rechecks.certificate(value, "compliance")["inputs"].update(wins=1),
    ],
)
def test_a_change_is_found(change: Change) -> None:
    value = json.loads(honest())
    change(value)
    assert rechecks.findings(rfc8785.dumps(value))
