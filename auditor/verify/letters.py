"""A letter's `letter.json`: its guarantees derived again, and everything in it against the evidence that it was taken from.

A letter holds no free text and no request but its own, so less can be derived from it alone than from the evidence.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Any, Final, get_args

import rfc8785

from auditor.data_deletion import Deletion, Source, route
from auditor.domain import UNLEARNING_CHECKS, Derivation, Guarantee, How, Premise, Problem, RequestOutcome, Standing, Status
from auditor.errors import InputError
from auditor.evidence import Evidence, digest, parse_json
from auditor.guarantees import DATA_DELETION, STATEMENTS, Pledge
from auditor.verify.numbers import same, shown
from auditor.verify.outcome import Part, part
from auditor.verify.theorems import derived_again

LETTER: Final = "letter.json"
SCHEMA: Final = "auditor.letter/1"
_VERSION: Final = re.compile(re.escape(SCHEMA) + r"(\.(0|[1-9][0-9]{0,5}))?")
_SEARCHED: Final = frozenset({"executed", "no-match"})


@dataclass(frozen=True, slots=True)
class Letter:
    """What a letter carries."""

    content: bytes
    value: Mapping[str, Any]
    evidence_sha256: str
    request: Mapping[str, Any]
    guarantees: tuple[Guarantee, ...]
    """Without the words that a letter does not repeat."""


def read_letter(content: bytes, name: str) -> Letter:
    """The letter in the bytes of a letter.json.

    Raises:
        InputError: If it is no JSON, of another major version, or lacks what every letter holds.
    """
    value = parse_json(content, name)
    version = value.get("schema") if isinstance(value, dict) else None
    if not isinstance(version, str) or not _VERSION.fullmatch(version):
        expected = f'"{SCHEMA}" or a later minor version of it'
        raise InputError([Problem(name, "schema", expected, json.dumps(version)[:80])])
    try:
        guarantees = tuple(_guarantee(each) for each in value["guarantees"])
        return Letter(content, value, str(value["evidence_sha256"]), dict(value["request"]), guarantees)
    except (KeyError, TypeError, ValueError) as error:
        raise InputError([Problem(name, "", "a letter of ours", f"one that cannot be read ({str(error)[:80]})")]) from error


def _guarantee(value: Mapping[str, Any]) -> Guarantee:
    derivations = tuple(
        Derivation(str(each["rule"]), tuple(Premise(str(one["fact"]), How(one["how"]), "") for one in each["premises"]))
        for each in value["derivation"]
    )
    epsilon, delta, order = (None if value.get(name) is None else float(value[name]) for name in ("epsilon", "delta", "order"))
    return Guarantee(str(value["id"]), "", "", Standing(value["status"]), epsilon, delta, derivations, order)


def recheck_alone(letter: Letter) -> tuple[Part, ...]:
    """What a letter says that follows from something else in it: the standing of its guarantees, and its request's dates."""
    derived = {each.id: again for each in letter.guarantees for again in _derived(letter.guarantees, each) if again.id == each.id}
    guarantees = [
        (f"guarantees[{index}] {each.id}", _standing(each, derived.get(each.id))) for index, each in enumerate(letter.guarantees)
    ]
    canonical = () if rfc8785.dumps(letter.value) == letter.content else ("its bytes are not their canonical form (RFC 8785)",)
    return (
        part("forms", ((LETTER, canonical),)),
        part("guarantees", guarantees),
        part("requests", (("request", _request(letter)),)),
    )


def _derived(guarantees: tuple[Guarantee, ...], stated: Guarantee) -> tuple[Guarantee, ...]:
    """Every guarantee from the premises of all, with the numbers that one of them states."""
    numbers, private, deletion = (stated.epsilon, stated.delta), _stated(stated), _deletion(guarantees)
    premises = {premise.fact for each in guarantees for derivation in each.derivation for premise in derivation.premises}
    if STATEMENTS["extractor-private"] not in premises:
        return derived_again(guarantees, epsilon=numbers[0], delta=numbers[1], private=private, deletion=deletion)
    # A letter does not say which part of its numbers is the extractor's.
    below = private or Pledge(0.0, 0.0)
    return derived_again(guarantees, epsilon=0.0, delta=0.0, private=private, extractor=below, deletion=deletion)


def _deletion(guarantees: tuple[Guarantee, ...]) -> Deletion | None:
    """What a letter says of data deletion: ε and order as they stand, the way to it by the theorem and premises that it names."""
    found = next((each for each in guarantees if each.id == DATA_DELETION), None)
    if found is None or not found.derivation:
        return None
    named, premises = found.derivation[0].rule, {premise.fact for premise in found.derivation[0].premises}
    order = found.order if found.order is not None and found.order > 1 else 2.0
    epsilon = found.epsilon if found.epsilon is None or found.epsilon >= 0 else None
    ways = [
        Deletion(order=order, epsilon=epsilon, source=source, seen=seen, known_loss=known)
        for source in (*get_args(Source), None)
        for seen in (0, 1)
        for known in (False, True)
    ]
    fitting = [way for way in ways if route(way)[0] == named]
    return next(
        (way for way in fitting if {STATEMENTS[name] for name in route(way)[1]} <= premises and _rows(way, premises)), None
    )


def _rows(way: Deletion, premises: set[str]) -> bool:
    """Whether a way asks for rows of norm 1 exactly where the letter names that premise."""
    return ("rows-bounded" in route(way)[1]) == (STATEMENTS["rows-bounded"] in premises)


def _stated(guarantee: Guarantee) -> Pledge | None:
    """A letter does not say from which training its numbers come: they are taken as they stand."""
    if guarantee.epsilon is None or guarantee.delta is None:
        return None
    return Pledge(guarantee.epsilon, guarantee.delta)


def _standing(found: Guarantee, derived: Guarantee | None) -> Iterator[str]:
    if derived is None:
        yield "it is none that the theorems speak of"
        return
    for name in ("status", "epsilon", "delta", "order"):
        stated, expected = getattr(found, name), getattr(derived, name)
        if not same(stated, expected):
            yield f"{name} is {shown(stated)}, its premises give {shown(expected)}"
    if _bare(found) != _bare(derived):
        yield "derivation is not what its theorems make of these premises"


def _bare(guarantee: Guarantee) -> list[tuple[str, list[tuple[str, How]]]]:
    """Theorems and premises without the evidence, which a letter does not name."""
    return [(each.rule, [(one.fact, one.how) for one in each.premises]) for each in guarantee.derivation]


def _request(letter: Letter) -> Iterator[str]:
    request = letter.request
    executed = request.get("status") == "executed"
    if executed != (request.get("deleted_at") is not None) or executed != (request.get("days") is not None):
        yield f"status is {shown(request.get('status'))}, and deleted_at and days do not go with it"
    stands = [each.id for each in letter.guarantees if each.status in {Standing.SHOWN, Standing.SUPPORTED}]
    covered = stands if executed else []
    if request.get("guarantees") != covered:
        yield f"guarantees is {shown(request.get('guarantees'))}, those that stand for it are {shown(covered)}"
    try:
        received, due = (date.fromisoformat(str(request.get(name))) for name in ("received_on", "due_on"))
        late = executed and received + timedelta(days=int(request["days"])) > due
    except (KeyError, OverflowError, TypeError, ValueError):
        yield "received_on, due_on and days are no dates"
        return
    if executed and request.get("overdue") is not late:
        yield f"overdue is {request.get('overdue')}, its dates make it {late}"


def against_evidence(letter: Letter, evidence: Evidence, content: bytes) -> Iterator[str]:
    """What a letter says otherwise than the evidence that it names.

    Args:
        letter: The letter.
        evidence: The evidence that lies beside it.
        content: The bytes of that evidence.
    """
    if letter.evidence_sha256 != digest(content):
        yield f"it was taken from evidence {shown(letter.evidence_sha256)}, beside it lies {digest(content)}"
    rows = [each for each in evidence.requests if each.request_id == letter.request.get("request_id")]
    if len(rows) != 1:
        yield f"the evidence holds {len(rows)} requests {shown(letter.request.get('request_id'))}"
        return
    for path, expected in _expected(evidence, rows[0]):
        found = _at(letter.value, path)
        if not same(found, expected):
            yield f"{'.'.join(path)} is {shown(found)}, the evidence has {shown(expected)}"
    if tuple(_bare(each) for each in letter.guarantees) != tuple(_bare(each) for each in evidence.guarantees):
        yield "guarantees have other derivations than in the evidence"
    yield from _told(letter, evidence)


def _at(value: Any, path: tuple[str, ...]) -> Any:
    for step in path:
        value = value.get(step) if isinstance(value, Mapping) else None
    return value


def _expected(evidence: Evidence, row: RequestOutcome) -> Iterator[tuple[tuple[str, ...], Any]]:
    """Places in a letter, and what the evidence has for them."""
    whole = evidence.model_dump(mode="json", by_alias=True)
    request = next(each for each in whole["requests"] if each["request_id"] == row.request_id)
    executed = row.status == "executed"
    yield ("verdict",), whole["verdict"]
    yield ("unlearning_decides",), bool(UNLEARNING_CHECKS & frozenset(evidence.policy.required))
    for name in ("id", "finished_at", "auditor_version", "quick"):
        yield ("audit", name), whole["audit"][name]
    yield ("audit", "capped"), evidence.environment.capped
    for name in ("name", "release", "controller", "contact"):
        yield ("case", name), whole["case"][name]
    yield ("case", "model_given"), evidence.case.model is not None
    yield ("case", "store_given"), evidence.case.store is not None
    yield ("case", "unlearns"), evidence.procedure.unlearn != "none"
    for name in ("status", "received_on", "due_on", "overdue"):
        yield ("request", name), request[name]
    for name in ("deleted_at", "days", "records"):
        yield ("request", name), request[name] if executed else None
    quality = next((check for check in evidence.checks if check.id == "swap.quality" and check.interval), None)
    low, high = quality.interval if quality is not None and quality.interval is not None else (None, None)
    yield ("swap", "low"), low
    yield ("swap", "high"), high


def _told(letter: Letter, evidence: Evidence) -> Iterator[str]:
    """The lists of a letter: statuses of checks, guarantees, and what the search found of this request."""
    statuses = {check.id: check.status for check in evidence.checks}
    required = evidence.policy.required
    for each in _dictionaries(letter.value.get("checks")):
        check_id = str(each.get("id"))
        if each.get("status") != statuses.get(check_id) or each.get("required") is not (check_id in required):
            yield f"checks: {check_id} is {shown(each.get('status'))}, the evidence has {shown(statuses.get(check_id))}"
    for index, guarantee in enumerate(evidence.guarantees[: len(letter.guarantees)]):
        told = letter.guarantees[index]
        for name in ("id", "status", "epsilon", "delta", "order"):
            if not same(getattr(told, name), getattr(guarantee, name)):
                stated, expected = shown(getattr(told, name)), shown(getattr(guarantee, name))
                yield f"guarantees[{index}] {name} is {stated}, the evidence has {expected}"
    erased = next((check for check in evidence.checks if check.id == "data.erased"), None)
    named = erased.details.get("request_ids") if erased is not None and erased.status is not Status.SKIPPED else None
    found = isinstance(named, list) and letter.request.get("request_id") in named
    searched = letter.request.get("status") in _SEARCHED
    if (letter.request.get("search") == "found") != (found and searched):
        yield f"request.search is {shown(letter.request.get('search'))}, and the evidence has it otherwise"


def _dictionaries(value: Any) -> Iterable[Mapping[str, Any]]:
    return [each for each in value if isinstance(each, dict)] if isinstance(value, list) else []
