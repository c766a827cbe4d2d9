"""A changed leaf of a letter is found beside its evidence, and what does not go together in the letter alone."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from datetime import UTC, date, datetime
from functools import cache
from typing import Any

import pytest
import rfc8785

from auditor.base.deletion_log.requests import Awaited, ClockPause, Extension, Recipient, Regime, Undertaking
from auditor.base.domain import ClaimStatus, Provenance
from auditor.base.errors import InputError
from auditor.document.evidence import Evidence
from auditor.pages.letters import SCHEMA, extract
from auditor.recheck.letters import against_evidence, read_letter, recheck_alone
from letter_cases import DAY, NOISY, row, sample, undone, with_rows

WAIT = ClockPause(datetime(2026, 2, 10, tzinfo=UTC), None, "a proof", Awaited.IDENTITY)
"""A wait that the month begins after, by Article 12A of the UK GDPR."""

HERE = "REQ-2026-0001"


@cache
def cases() -> dict[str, Evidence]:
    """By what is special about them: evidence whose first request has the letter."""
    given = sample()
    full = row(
        given,
        subject="p-1",
        model_erased_at=DAY,
        answered_at=DAY,
        extension=Extension(DAY, "many requests", None),
        recipients_notified=(Recipient("Partner Ltd", notified=True, notified_at=DAY),),
        undertaking=Undertaking("erase the copy too", DAY.date()),
    )
    two = (row(given, subject="p-1"), row(given, subject="p-2", records=2))
    return {
        "supported": sample(),
        "everything logged": with_rows(given, full),
        "one of two people": with_rows(given, *two),
        "data deletion": sample(NOISY),
        "failed": sample("digits-newton-overrun"),
        "found again": sample("digits-cheater"),
        "not examined": sample("digits-retrain"),
        "refused": with_rows(given, undone(given, "denied", reason="a reason", exception="Article 17(3)(b)")),
        "open": with_rows(given, undone(given, "open")),
        "waiting": with_rows(given, undone(given, "open", regime=Regime.UK, received_on=date(2026, 2, 6), clock_pauses=(WAIT,))),
        "noticed": sample("iris-logistic"),
        "left alone": sample("digits-mlp-noisy-gd"),
    }


CASES = (
    "supported", "everything logged", "one of two people", "data deletion", "failed", "found again", "not examined", "refused",
    "open", "waiting", "noticed", "left alone",
)  # fmt: skip
"""Their names, which say what tests there are before anything is judged."""


def test_every_case_is_tried() -> None:
    assert tuple(cases()) == CASES


def leaves(value: Any, way: tuple[Any, ...] = ()) -> Iterator[tuple[tuple[Any, ...], Any]]:
    """Every leaf with the way to it; empty lists are leaves."""
    inside = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    below = [each for key, inner in inside for each in leaves(inner, (*way, key))]
    yield from below or [(way, value)]


def others(value: Any) -> Iterator[Any]:
    """Other values of the same type, or those nearest to it."""
    match value:
        case bool():
            yield not value
        case int() | float():
            yield from (value + 1, value / 2 + 0.001)
        case str() if value in {*Provenance, *ClaimStatus}:
            yield from (each.value for each in ClaimStatus if each != value)
        case str() if value[:2] == "20":
            yield value.replace("2026", "2025")
        case str():
            yield from (f"{value}x", "executed", "supported", "not-found", "")
        case None:
            yield from (1, "2026-01-01", "2026-01-01T00:00:00Z", "x", True)
        case _:
            yield ["x"]


def changed(document: Any, way: tuple[Any, ...], value: Any) -> bytes:
    copy = json.loads(json.dumps(document))
    inside = copy
    for step in way[:-1]:
        inside = inside[step]
    inside[way[-1]] = value
    return rfc8785.dumps(copy)


def findings(content: bytes) -> list[str]:
    return [str(each) for part in recheck_alone(read_letter(content, "letter.json")) for each in part.findings]


def written(name: str) -> tuple[dict[str, Any], Callable[[bytes], bool]]:
    """A letter, and whether another is found to say otherwise than the evidence that this one was taken from."""
    evidence = cases()[name]
    beside = evidence.to_bytes()
    document = json.loads(extract(evidence, HERE, "p-1" if name == "one of two people" else None).to_bytes())

    def found(content: bytes) -> bool:
        try:
            letter = read_letter(content, "letter.json")
        except InputError:
            return True
        return any(against_evidence(letter, evidence, beside))

    return document, found


@pytest.mark.parametrize("name", CASES)
def test_every_changed_leaf_is_found_beside_the_evidence(name: str) -> None:
    document, found = written(name)
    assert not found(rfc8785.dumps(document))
    missed = [
        (way, value)
        for way, leaf in leaves(document)
        for value in others(leaf)
        # Whether a whole letter is a draft is for those to say who write it.
        if value != leaf and way != ("draft",) and not found(changed(document, way, value))
    ]
    assert not missed


@pytest.mark.parametrize("name", CASES)
def test_every_member_left_out_or_put_twice_is_found_beside_the_evidence(name: str) -> None:
    document, found = written(name)

    def lists(value: Any, way: tuple[Any, ...] = ()) -> Iterator[tuple[tuple[Any, ...], list[Any]]]:
        if isinstance(value, list):
            yield way, value
        inside = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
        for key, inner in inside:
            yield from lists(inner, (*way, key))

    for way, members in lists(document):
        if members:
            assert found(changed(document, way, members[1:])), way
            assert found(changed(document, way, [*members, members[-1]])), way


# In a letter alone


@pytest.mark.parametrize("name", CASES)
def test_an_honest_letter_agrees_with_itself(name: str) -> None:
    document, _ = written(name)
    assert findings(rfc8785.dumps(document)) == []


@pytest.mark.parametrize(
    ("name", "way", "value"),
    [
        ("supported", ("model", "promise", "share"), 0.51),
        ("supported", ("model", "promise", "epsilon"), 0.1),
        ("supported", ("model", "promise", "epsilon"), -1.0),
        ("supported", ("model", "promise", "status"), "shown"),
        ("supported", ("model", "promise", "status"), "refuted"),
        ("supported", ("model", "promise"), None),
        ("supported", ("model", "failed"), ["removal.budget"]),
        ("supported", ("model", "open"), ["swap.quality"]),
        ("supported", ("sender", "authority"), None),
        ("data deletion", ("model", "promise", "order"), 1.0),
        ("data deletion", ("model", "promise", "order"), 9.0),
        ("failed", ("model", "forgot"), "supported"),
        ("refused", ("model", "forgot"), "supported"),
        ("refused", ("request", "erased_on"), "2026-01-17"),
        ("open", ("request", "records"), 1),
    ],
)
def test_what_does_not_go_together_is_found_in_the_letter_alone(name: str, way: tuple[Any, ...], value: Any) -> None:
    document, _ = written(name)
    assert findings(changed(document, way, value))


def test_a_later_minor_version_is_read_without_what_this_one_does_not_know_and_must_agree_too() -> None:
    document, found = written("supported")
    later = document | {"schema": f"{SCHEMA}.3", "more": {"a": 1}}
    later["request"] = document["request"] | {"tempo": 3}
    assert findings(rfc8785.dumps(later)) == []
    assert not found(rfc8785.dumps(later))
    assert any("canonical" in each for each in findings(json.dumps(later, indent=1).encode()))
    assert found(changed(later, ("request", "records"), 7))
    for version in ("auditor.letter/2", "auditor.letter/4", f"{SCHEMA}.x", 2, None):
        with pytest.raises(InputError, match="schema"):
            read_letter(rfc8785.dumps(document | {"schema": version}), "letter.json")
    with pytest.raises(InputError, match="more"):
        read_letter(rfc8785.dumps(document | {"more": 1}), "letter.json")
