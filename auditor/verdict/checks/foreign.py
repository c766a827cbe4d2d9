"""What a foreign part may do to a verdict, in one place: add, make worse, and support; never let anything pass that did not.

- A check of a foreign part has no role, judges no unlearning, gives no number and examines no claim: no other check, no way to a
  pass and no grade asks for it. Its certificates are of rules of its own part.
- Its facts fill in what no check of the auditor's own and no word of the controller covers, and count as attested. They are
  marked, so that they never carry *shown*, not even where a theorem names them as a condition. What they refute is refuted.
- Its theorems conclude under their own names, listed with the part: no guarantee of the auditor's own.
- Its attacks play along in the game. A check that they took part in comes to no better than it does without them.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any, Final, TypeVar

from pydantic import BaseModel

from auditor.base.domain import Certificate, Fact, Message, Provenance, Status
from auditor.maths.certificates.listing import kinds_of
from auditor.verdict.checks.definition import (
    Definition,
    never_blind,
    no_claims,
    no_pledges,
)
from auditor.verdict.checks.finding import Finding
from auditor.verdict.guarantees import FOREIGN

_FIRMNESS: Final = {Status.FAIL: 0, Status.ERROR: 1, Status.INCONCLUSIVE: 2, Status.SKIPPED: 2, Status.PASS: 3}
_HOLDING: Final = frozenset({Provenance.ATTESTED, Provenance.MEASURED, Provenance.COMPUTED})

V = TypeVar("V")


def of_check(definition: Definition[Any], own: Collection[str]) -> str | None:
    """Say what a check of a foreign part has that none may have; None where it has nothing of the kind.

    Args:
        definition: The check.
        own: Ids of the auditor's own checks.
    """
    card = definition.card
    unknown = sorted({*card.needs} - {*own})
    faults = (
        (card.roles, "has a role: other checks would rest on it"),
        (card.judges_unlearning, "says that it judges the unlearning itself: a pass rests on the auditor's own checks"),
        (card.letter, "speaks in letters to one person"),
        (card.of_answers or card.of_controllers, "is of cases without a procedure"),
        (definition.pledges is not no_pledges, "gives numbers to guarantees"),
        (definition.examined_claims is not no_claims, "examines a claim"),
        (definition.blind is not never_blind, "says that attacks are blind"),
        (unknown, f"needs {', '.join(unknown)}: of other checks it may need the auditor's own"),
    )
    return next((f"which {fault}" for found, fault in faults if found), None)


def facts(own: Iterable[Fact], words: Iterable[Fact], foreign: Iterable[tuple[str, Fact]]) -> tuple[Fact, ...]:
    """Put facts together: first those of the auditor's own checks, then the controller's words, then those of foreign parts.

    Args:
        own: What checks of the auditor's own found.
        words: What the controller attests or leaves open.
        foreign: What checks of foreign parts found, each with the name of its part.
    """
    found = [*own]
    spoken = {fact.name for fact in found}
    found += (fact for fact in words if fact.name not in spoken)
    spoken |= {fact.name for fact in found}
    found += (_marked(part, fact) for part, fact in foreign if fact.name not in spoken or fact.how is Provenance.REFUTED)
    return tuple(found)


def _marked(part: str, fact: Fact) -> Fact:
    how = Provenance.ATTESTED if fact.how in _HOLDING else fact.how
    return Fact(fact.name, how, Message(FOREIGN, {"part": part, "found": fact.evidence}))


def own_certificates(part: str, finding: Finding) -> Finding:
    """A finding of a foreign check; an error where it hands back a certificate of a rule that is not its part's."""
    foreign: Iterator[Certificate] = (each for each in finding.certificates if each.kind not in kinds_of(part))
    other = next(foreign, None)
    if other is None:
        return finding
    return Finding(Status.ERROR, reasons=(Message("foreign-part.certificate", {"part": part, "kind": other.kind}),))


def without_attacks(observed: V, names: Collection[str]) -> V:
    """Give what was observed without what attacks of some names found; the same object where none of them took part."""
    found: V = _without(observed, names)
    return found


def _without(value: Any, names: Collection[str]) -> Any:
    match value:
        case BaseModel():
            fields = {name: getattr(value, name) for name in type(value).model_fields}
            update = {name: less for name, each in fields.items() if (less := _without(each, names)) is not each}
            return value.model_copy(update=update) if update else value
        case Mapping():
            less = {name: _without(each, names) for name, each in value.items() if name not in names}
            same = len(less) == len(value) and all(less[name] is each for name, each in value.items())
            return value if same else less
        case tuple() if any(isinstance(each, str | BaseModel | Mapping | tuple) for each in value):
            kept = tuple(_without(each, names) for each in value if not (isinstance(each, str) and each in names))
            same = len(kept) == len(value) and all(one is other for one, other in zip(kept, value, strict=True))
            return value if same else kept
        case _:
            return value


def no_better(found: Finding, without: Finding | None) -> Finding:
    """A finding that attacks of foreign parts took part in, and that may be worse for them, never better.

    Args:
        found: With them.
        without: Without them; None where nothing else attacked.
    """
    if without is None:
        return replace(found, status=Status.INCONCLUSIVE) if found.status is Status.PASS else found
    lost = _refuted(without) - _refuted(found)
    return without if lost or _FIRMNESS[found.status] > _FIRMNESS[without.status] else found


def _refuted(finding: Finding) -> frozenset[str]:
    return frozenset(fact.name for fact in finding.facts if fact.how is Provenance.REFUTED)
