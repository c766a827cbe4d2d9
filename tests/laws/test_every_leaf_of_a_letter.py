"""A changed leaf of a letter is found beside its evidence, and a standing that its premises do not carry in the letter alone."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import Any

import pytest
import rfc8785

import deletion_examples
import report_examples as examples
from auditor.domain import How, Standing
from auditor.errors import InputError
from auditor.evidence import Evidence
from auditor.guarantees import Pledge, derive_guarantees, fact
from auditor.letters import SCHEMA, extract
from auditor.theorems import control, removal
from auditor.verify.letters import against_evidence, read_letter, recheck_alone
from auditor.words.told import Told

DELETED = {
    "by Theorem 5.1": {},
    "adaptive": {"epsilon": 0.2, "seen": 3},
    "by runs": {"epsilon": 0.0, "source": "twins"},
    "not shown": {"deletion_bound_met": How.REFUTED},
    "refuted": {"deletion_unrefuted": How.REFUTED},
}


def deletion(name: str) -> Told:
    return deletion_examples.promised(deletion_examples.deleting(), deletion_examples.guarantees(**DELETED[name]))


NEEDED = dict.fromkeys(removal.NEWTON.needs, How.MEASURED)
ABOVE = dict.fromkeys(removal.above_extractor(removal.NEWTON).needs, How.MEASURED)
REMOVED: dict[str, tuple[dict[str, How], Pledge | None]] = {
    "loss perturbation": (NEEDED, None),
    "above an extractor": (
        NEEDED | dict.fromkeys(removal.above_extractor(removal.NEWTON).needs, How.MEASURED),
        Pledge(0.5, 1e-6),
    ),
    "noise at release": (dict.fromkeys(removal.NOISE.needs, How.COMPUTED), None),
    "retraining": (dict.fromkeys(removal.RETRAINING.needs, How.COMPUTED), None),
    "removal not shown": (NEEDED | {"criterion-met": How.REFUTED}, None),
    "removal refuted": (NEEDED | {"unrefuted": How.REFUTED}, None),
    "private training": (dict.fromkeys(control.PRIVATE.needs, How.MEASURED), None),
}


def removed(name: str) -> Told:
    """The passing example with the guarantees that facts known so give, each request covered by those that stand."""
    known, extractor = REMOVED[name]
    facts = [fact(each, how, examples.by_hand("a check")) for each, how in known.items()]
    private = Pledge(2.0, 1e-5) if name == "private training" else None
    given = derive_guarantees(facts, epsilon=1.0, delta=1e-4, private=private, extractor=extractor)
    return deletion_examples.promised(examples.passing(), given)


LETTERS: dict[str, tuple[Told, str]] = {
    "in time": (examples.passing(), "REQ-2026-0001"),
    "late": (examples.failing(), "REQ-2026-0060"),
    "open": (examples.failing(), "REQ-2026-0058"),
    "broken off": (examples.broken_off(), "REQ-2026-0003"),
    **{f"data deletion, {name}": (deletion(name), "REQ-2026-0001") for name in DELETED},
    **{f"removal, {name}": (removed(name), "REQ-2026-0001") for name in REMOVED},
}


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
        case str() if value in set(How):
            yield from (each.value for each in How if each != value)
        case str() if value in set(Standing):
            yield from (each.value for each in Standing if each != value)
        case str() if value[:2] == "20":
            yield value.replace("2026", "2025")
        case str():
            yield from (f"{value}x", "fail", "pass", "")
        case None:
            yield from (1, "2026-01-01", "2026-01-01T00:00:00Z", "x")
        case _:
            yield ["x"]


def changed(document: Any, way: tuple[Any, ...], value: Any) -> bytes:
    copy = json.loads(json.dumps(document))
    inside = copy
    for step in way[:-1]:
        inside = inside[step]
    inside[way[-1]] = value
    return rfc8785.dumps(copy)


def is_found(content: bytes, evidence: Evidence, beside: bytes) -> bool:
    """Whether a letter is found to say otherwise than its evidence, or cannot even be read."""
    try:
        letter = read_letter(content, "letter.json")
    except InputError:
        return True
    return any(against_evidence(letter, evidence, beside))


def findings(content: bytes) -> list[str]:
    return [str(each) for part in recheck_alone(read_letter(content, "letter.json")) for each in part.findings]


def written(name: str) -> tuple[dict[str, Any], Callable[[bytes], bool]]:
    """A letter, and whether another is found to say otherwise than the evidence that this one was taken from."""
    told, request_id = LETTERS[name]
    beside = told.evidence.to_bytes()
    document = json.loads(extract(told.evidence, request_id).to_bytes())
    return document, lambda content: is_found(content, told.evidence, beside)


@pytest.mark.parametrize("name", LETTERS)
def test_every_changed_leaf_is_found_beside_the_evidence(name: str) -> None:
    document, found = written(name)
    assert not found(rfc8785.dumps(document))
    missed = [
        (way, value)
        for way, leaf in leaves(document)
        for value in others(leaf)
        if value != leaf and not found(changed(document, way, value))
    ]
    assert not missed


@pytest.mark.parametrize("name", LETTERS)
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


def guarantees(document: dict[str, Any]) -> Iterator[tuple[int, dict[str, Any]]]:
    yield from enumerate(document["guarantees"])


DERIVED = [name for name in LETTERS if name.startswith(("data deletion", "removal"))]
"""Letters whose guarantees rules derived: the others' were written by hand, and name too few premises."""


@pytest.mark.parametrize("name", DERIVED)
def test_an_honest_letter_agrees_with_itself(name: str) -> None:
    document, _ = written(name)
    assert findings(rfc8785.dumps(document)) == []


@pytest.mark.parametrize("name", DERIVED)
def test_no_other_standing_is_carried_by_the_premises(name: str) -> None:
    document, _ = written(name)
    for index, held in guarantees(document):
        for other in Standing:
            if other != held["status"]:
                content = changed(document, ("guarantees", index, "status"), other.value)
                assert any(f"guarantees[{index}]" in each for each in findings(content)), (held["id"], other)


def carrying(held: dict[str, Any]) -> Iterator[tuple[int, int]]:
    """Every premise of the routes that carry a guarantee, by its route and its place there."""
    for route, derivation in enumerate(held["derivation"]):
        if not {How.REFUTED, How.UNKNOWN} & {premise["how"] for premise in derivation["premises"]}:
            yield from ((route, place) for place in range(len(derivation["premises"])))


@pytest.mark.parametrize("name", DERIVED)
def test_no_guarantee_stands_on_a_premise_that_does_not_hold(name: str) -> None:
    document, _ = written(name)
    for index, held in guarantees(document):
        if held["status"] not in {Standing.SHOWN, Standing.SUPPORTED}:
            continue
        for route, place in carrying(held):
            for how in (How.REFUTED, How.UNKNOWN):
                way = ("guarantees", index, "derivation", route, "premises", place, "how")
                assert any(f"guarantees[{index}]" in each for each in findings(changed(document, way, how.value)))


@pytest.mark.parametrize("name", DERIVED)
def test_no_premise_may_be_left_out_renamed_or_known_better_than_any_run_can_know_it(name: str) -> None:
    document, _ = written(name)
    for index, held in guarantees(document):
        for route, derivation in enumerate(held["derivation"]):
            premises = derivation["premises"]
            way = ("guarantees", index, "derivation", route, "premises")
            for place, premise in enumerate(premises):
                left = [*premises[:place], *premises[place + 1 :]]
                assert findings(changed(document, way, left)), premise
                assert findings(changed(document, (*way, place, "fact"), "log-complete-enough")), premise
                if premise["how"] == How.ATTESTED and premise["fact"] != "model-guarantee":
                    assert findings(changed(document, (*way, place, "how"), How.COMPUTED.value)), premise


def test_a_later_minor_version_is_read_without_what_this_one_does_not_know_and_must_agree_too() -> None:
    document, found = written("data deletion, by Theorem 5.1")
    later = document | {"schema": f"{SCHEMA}.3", "more": {"a": 1}}
    later["request"] = document["request"] | {"tempo": 3}
    assert findings(rfc8785.dumps(later)) == []
    assert not found(rfc8785.dumps(later))
    assert any("canonical" in each for each in findings(json.dumps(later, indent=1).encode()))
    assert found(changed(later, ("request", "records"), 7))
    for version in ("auditor.letter/1", "auditor.letter/3", f"{SCHEMA}.x", 2, None):
        with pytest.raises(InputError, match="schema"):
            read_letter(rfc8785.dumps(document | {"schema": version}), "letter.json")
    with pytest.raises(InputError, match="more"):
        read_letter(rfc8785.dumps(document | {"more": 1}), "letter.json")
