"""Judges an evidence document again: the same judges on the same observations, and the whole document compared."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final

import rfc8785
from pydantic import ValidationError

from auditor import __version__
from auditor.base.errors import InputError
from auditor.base.foreign_parts import in_force
from auditor.base.validation import cause_of
from auditor.document.evidence import SCHEMA, Evidence, digest
from auditor.document.leaves import Counts, RestsOn, counted
from auditor.recheck.declarations import recheck_context
from auditor.recheck.files import Document
from auditor.recheck.outcome import Kind, Part, Rechecked, differences, part, said
from auditor.verdict import conclusion
from auditor.verdict.assembly import conclude
from auditor.verdict.checks import definitions, listed_in
from auditor.verdict.checks.finding import Values
from auditor.verdict.sections import Sections


# The form of an evidence document: canonical bytes, and every check once in its place.
def recheck_form(document: Document) -> Part:
    """Hold the bytes against their RFC 8785 form, and the checks against the contract's list."""
    return part("forms", (("evidence", _bytes(document)), ("checks", _checks(document))))


def _bytes(document: Document) -> Iterator[str]:
    exact = document.value["schema"] == SCHEMA
    # The model's own bytes also find a value in another spelling, such as a number in quotes.
    canonical = document.evidence.to_bytes() if exact else rfc8785.dumps(document.value)
    if document.content != canonical:
        yield "its bytes are not the canonical form (RFC 8785) of what it says, so its digest is not that of the evidence"


def _checks(document: Document) -> Iterator[str]:
    found, listed = (
        [check.id for check in document.evidence.checks],
        listed_in(reruns=document.evidence.reruns, places=document.evidence.places_alone, version=document.evidence.version),
    )
    twice = sorted({check_id for check_id in found if found.count(check_id) > 1})
    if twice:
        yield f"more than once: {', '.join(twice)}"
    missing = [check_id for check_id in listed if check_id not in found]
    if missing:
        yield f"missing: {', '.join(missing)}"
    if document.value["schema"] == SCHEMA:
        # What a foreign part brings is known where the part is in force; where it is not, the recheck says so.
        brought = [check_id for part in document.evidence.parts for check_id in part.checks]
        yield from _unknown(found, [*listed, *brought])
    if not twice and not _in_order(found, listed):
        yield "not in the order of the contract"


def _unknown(found: Sequence[str], listed: Sequence[str]) -> Iterator[str]:
    foreign = [check_id for check_id in found if check_id not in listed]
    if foreign:
        yield f"unknown: {', '.join(foreign)}"


def _in_order(found: Sequence[str], listed: Sequence[str]) -> bool:
    """Whether the checks that the contract lists keep its order; others may come anywhere."""
    known = [check_id for check_id in found if check_id in listed]
    return known == [check_id for check_id in listed if check_id in known]


# Holds what is taken as observed against the log, the case and itself: numbers that no run of this case can have seen.
def recheck_observations(evidence: Evidence, observed: Mapping[str, Values]) -> Part:
    """Compare every observation with what was declared, and with the others that saw the same.

    Args:
        evidence: The document.
        observed: What it says was observed, by check id.
    """
    known = definitions(evidence.version)
    return part(
        "observations",
        [
            (f"observed {check_id}", known[check_id].contradictions(evidence, seen, observed))
            for check_id, seen in observed.items()
        ],
    )


_UNJUDGEABLE: Final = (
    *(
        ArithmeticError,
        AssertionError,
        AttributeError,
        InputError,
        LookupError,
        RecursionError,
        TypeError,
        ValidationError,
        ValueError,
    ),
)
"""What a judge raises where a document that came from anybody holds something else than this version observes."""
_LISTS: Final[Mapping[str, str]] = {"checks": "id", "certificates": "kind", "guarantees": "id", "requests": "request_id"}
"""Lists of the document, and the key that names a member."""


def recheck_evidence(document: Document, name: str) -> Rechecked:
    """Derive again whatever an evidence document says that follows from its own context and observations.

    Args:
        document: The evidence.
        name: What the result calls the file.
    """
    lacking, leaves = _lacking(document.evidence), counted(document.value)
    parts, derived = ((), None) if lacking else _compared(document.evidence)
    return Rechecked(
        name=name,
        kind=Kind.EVIDENCE,
        sha256=digest(document.content),
        parts=(recheck_form(document), *parts),
        stated=(*_stated(document, leaves), *lacking),
        first_stage=document.evidence.audit.stage is not None,
        leaves=leaves,
        conclusion=None if derived is None else conclusion.of(derived).kind.value,
    )


def _lacking(evidence: Evidence) -> tuple[str, ...]:
    """Say which foreign parts took part and are not in force: without them nothing is derived again."""
    there = {part.installed.name for part in in_force()}
    absent = (each for each in evidence.parts if each.name not in there)
    return tuple(
        f"everything that it derives: the part {each.name} ({each.distribution} {each.version}) is not there" for each in absent
    )


def _context(evidence: Evidence) -> Part:
    try:
        return recheck_context(evidence)
    except _UNJUDGEABLE as error:
        return part("declarations", (("declarations", (_unjudgeable("declared", error),)),))


def _unjudgeable(what: str, error: Exception) -> str:
    return f"what it says was {what} cannot be judged ({cause_of(error, 200)})"


def derive_again(evidence: Evidence) -> Evidence:
    """The document that this one's context and observations give.

    Raises:
        LookupError, TypeError, ValueError, ArithmeticError: If they are not what this version observes.
    """
    return conclude(declared_in(evidence), dict(observed_in(evidence)))


def declared_in(evidence: Evidence) -> Sections:
    """Take what a document says was declared."""
    return Sections(
        audit=evidence.audit,
        case=evidence.case,
        procedure=evidence.procedure,
        policy=evidence.policy,
        sizes=evidence.sizes,
        environment=evidence.environment,
        deletion_log=evidence.deletion_log,
        requests=evidence.requests,
        outside=evidence.outside,
        controller=evidence.controller,
        parts=evidence.parts,
        lineage=evidence.lineage,
        receipts=evidence.receipts,
    )


def observed_in(evidence: Evidence) -> Iterator[tuple[str, Values]]:
    """Give what a document says was observed, by check id."""
    known = definitions(evidence.version)
    for check in evidence.checks:
        definition = known[check.id]
        if check.observed is not None and definition.runs:
            yield check.id, definition.observed.model_validate(check.observed)


def _compared(evidence: Evidence) -> tuple[tuple[Part, ...], Evidence | None]:
    """Compare the document with the one that is derived again; None where it cannot be."""
    known: tuple[Part, ...] = (_context(evidence),)
    try:
        observed = dict(observed_in(evidence))
        known = (*known, recheck_observations(evidence, observed))
        derived = conclude(declared_in(evidence), observed)
        found, expected = _values(evidence), _values(derived)
    except _UNJUDGEABLE as error:
        return (*known, part("checks", (("checks", (_unjudgeable("observed", error),)),))), None
    rest = {key: (found.pop(key), expected.pop(key)) for key in _LISTS}
    lists = (part(key, _members(key, *rest[key])) for key in _LISTS)
    return (*known, *lists, part("verdicts and digests", _leaves(found, expected))), derived


def _values(evidence: Evidence) -> dict[str, Any]:
    """The document as JSON values; text, which takes long to write and to read, is not needed to compare leaves.

    Raises:
        ValueError: If a number is not finite.
    """
    values: dict[str, Any] = evidence.model_dump(mode="json", by_alias=True)
    _refuse_infinite(values.values())
    return values


def _refuse_infinite(values: Iterable[Any]) -> None:
    for each in values:
        kind = type(each)
        if kind is list:
            if not _is_finite(each):
                _refuse_infinite(each)
        elif kind is dict:
            _refuse_infinite(each.values())
        elif isinstance(each, float) and not math.isfinite(each):
            raise ValueError(f"the number {each}, which JSON cannot hold")


def _is_finite(values: list[Any]) -> bool:
    """Whether a list holds nothing but numbers with a finite sum: one that is not finite leaves none."""
    try:
        return math.isfinite(sum(values))
    except (OverflowError, TypeError):
        return False


def _members(key: str, found: Sequence[Any], expected: Sequence[Any]) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Every member of a list with what differs in it."""
    name = _LISTS[key]
    if [each[name] for each in found] != [each[name] for each in expected]:
        yield key, (said([each[name] for each in found], [each[name] for each in expected]),)
        return
    for index, (one, other) in enumerate(zip(found, expected, strict=True)):
        yield f"{key}[{index}] {one[name]}", tuple(f"{path}: {said(*values)}" for path, *values in differences(one, other))


def _leaves(found: Mapping[str, Any], expected: Mapping[str, Any]) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Every section that describes, with what differs in it."""
    for section in sorted(found.keys() | expected.keys()):
        for path, *values in differences(found.get(section), expected.get(section), section):
            yield path, (said(*values),)
    yield "sections", ()


def _stated(document: Document, leaves: Counts) -> tuple[str, ...]:
    """What has to be taken on trust."""
    declared, observed = leaves.of(RestsOn.DECLARED), leaves.of(RestsOn.OBSERVED)
    checks = sum(each.observed is not None for each in document.evidence.checks)
    said = [
        f"what was declared, {declared} values: {', '.join(leaves.sections(RestsOn.DECLARED))}",
        f"what only the run saw (“observed”), {observed} values, for {checks} {'check' if checks == 1 else 'checks'}",
    ]
    if document.evidence.audit.started_at == document.evidence.audit.finished_at:
        said.append(
            "that no time lies after the day of the audit: its clock was set or stood still, so no time was compared with it"
        )
    said += (
        f"that the part {each.name} ({each.distribution} {each.version}) is to be trusted: those who install it vouch for it"
        for each in document.evidence.parts
    )
    written = document.evidence.version
    if written != __version__:
        said.append(f"what auditor {written} judged: by its catalogue and not by that of {__version__}{_since(written)}")
    if document.unknown:
        said.append(f"keys of a later minor version: {', '.join(document.unknown[:5])}")
    return tuple(said)


def _since(version: str) -> str:
    """What this version asks for in addition, as a clause; nothing where it asks for no more."""
    later = [name for name in definitions(__version__) if name not in definitions(version)]
    return f", which has {', '.join(later)} as well" if later else ""
