"""A letter's `letter.json`: its guarantees' standing from their premises, and the whole of it against the evidence beside it."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import timedelta
from typing import Any, Final

from pydantic import ValidationError

from auditor.domain import Derivation, Premise, Problem, Reason, Standing
from auditor.errors import InputError, ReportError
from auditor.evidence import Evidence, digest, parse_json
from auditor.guarantees import conclude
from auditor.letters import SCHEMA, Extract, GuaranteePart, extract
from auditor.verify.comparing import differences, said, shown
from auditor.verify.outcome import Part, part

LETTER: Final = "letter.json"
_VERSION: Final = re.compile(re.escape(SCHEMA) + r"(\.(0|[1-9][0-9]{0,5}))?")
_STANDS: Final = frozenset({Standing.SHOWN, Standing.SUPPORTED})


@dataclass(frozen=True, slots=True)
class Letter:
    """What a letter carries."""

    content: bytes
    extract: Extract

    @property
    def evidence_sha256(self) -> str:
        """Digest of the evidence that it was taken from."""
        return self.extract.evidence_sha256


def read_letter(content: bytes, name: str) -> Letter:
    """The letter in the bytes of a letter.json.

    Raises:
        InputError: If it is no JSON, of another version, or lacks what every letter holds.
    """
    value = parse_json(content, name)
    version = value.get("schema") if isinstance(value, dict) else None
    if not isinstance(version, str) or not _VERSION.fullmatch(version):
        expected = f'"{SCHEMA}" or a later minor version of it'
        raise InputError([Problem(name, "schema", expected, json.dumps(version)[:80])])
    try:
        return Letter(content, Extract.model_validate_json(json.dumps(value | {"schema": SCHEMA})))
    except ValidationError as error:
        raise InputError(
            [
                Problem(name, ".".join(map(str, item["loc"])), item["msg"], json.dumps(item["input"], default=str)[:80])
                for item in error.errors(include_url=False)
            ]
        ) from error


def recheck_alone(letter: Letter) -> tuple[Part, ...]:
    """What a letter says that follows from something else in it: the standing of its guarantees, and its request's dates."""
    canonical = () if letter.extract.to_bytes() == letter.content else ("its bytes are not their canonical form (RFC 8785)",)
    guarantees = [(f"guarantees[{index}] {each.id}", _standing(each)) for index, each in enumerate(letter.extract.guarantees)]
    return (
        part("forms", ((LETTER, canonical),)),
        part("guarantees", guarantees),
        part("requests", (("request", _request(letter.extract)),)),
    )


def _standing(found: GuaranteePart) -> Iterator[str]:
    """What the weakest premise of the best route leaves; a refutation stands beside the premises."""
    derivations = (
        Derivation(each.rule, tuple(Premise(one.fact, one.how, Reason("letter")) for one in each.premises))
        for each in found.derivation
    )
    derived = conclude(derivations)
    if found.status in _STANDS and found.status is not derived:
        yield f"status is {found.status}, its premises give {derived}"
    if found.status not in _STANDS and (found.epsilon is not None or found.delta is not None):
        yield f"status is {found.status}, and yet it has numbers"


def _request(letter: Extract) -> Iterator[str]:
    request = letter.request
    executed = request.status == "executed"
    if executed != (request.deleted_at is not None) or executed != (request.days is not None):
        yield f"status is {request.status}, and deleted_at and days do not go with it"
    covered = tuple(each.id for each in letter.guarantees if each.status in _STANDS) if executed else ()
    if request.guarantees != covered:
        yield f"guarantees is {shown(request.guarantees)}, those that stand for it are {shown(covered)}"
    try:
        late = request.days is not None and request.received_on + timedelta(days=request.days) > request.due_on
    except OverflowError:
        yield f"days is {request.days}, which no calendar holds"
        return
    if executed and request.overdue is not late:
        yield f"overdue is {request.overdue}, its dates make it {late}"


def against_evidence(letter: Letter, evidence: Evidence, content: bytes) -> Iterator[str]:
    """What a letter says otherwise than the evidence that it names.

    Args:
        letter: The letter.
        evidence: The evidence that lies beside it.
        content: The bytes of that evidence.
    """
    try:
        expected = extract(evidence, letter.extract.request.request_id, evidence_sha256=digest(content))
    except (InputError, ReportError) as error:
        yield str(error)
        return
    found, derived = (_plain(each) for each in (letter.extract, expected))
    for path, *values in differences(found, derived):
        yield f"{path}: {said(*values)}"


def _plain(extract_: Extract) -> Any:
    return json.loads(extract_.to_bytes())
