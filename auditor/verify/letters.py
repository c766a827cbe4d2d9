"""A letter's `letter.json`: guarantees derived again from their premises, and the whole compared with the evidence next to it."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import timedelta
from itertools import product
from typing import Any, Final, get_args

import rfc8785

from auditor.domain import Fact, Guarantee, How, Reason, Standing
from auditor.errors import InputError, ReportError
from auditor.evidence import Evidence, digest, parse_json
from auditor.guarantees import CERTIFIED_REMOVAL, CONTROL, DATA_DELETION, Pledge, derive_guarantees
from auditor.letters import SCHEMA, Extract, GuaranteePart, extract, guarantee_part
from auditor.theorems.data_deletion import OF_A_PERSON, Deletion, Source, Unit, theorem
from auditor.verify.comparing import differences, shown
from auditor.verify.outcome import Part, part
from auditor.verify.reading import read_model

LETTER: Final = "letter.json"
_STANDS: Final = frozenset({Standing.SHOWN, Standing.SUPPORTED})
_SAID: Final = Reason("fact.letter")
"""Stands for the evidence of a premise, which a letter does not repeat."""
_NOTHING: Final = Pledge(0.0, 0.0)
_SOME_ORDER: Final = 2.0
"""Where a letter states no order: its derivation does not depend on it."""


@dataclass(frozen=True, slots=True)
class Letter:
    """What a letter carries."""

    content: bytes
    value: Any
    """The JSON value, keys of a later minor version included."""
    extract: Extract

    @property
    def evidence_sha256(self) -> str:
        """Digest of the evidence that it was taken from."""
        return self.extract.evidence_sha256


def read_letter(content: bytes, name: str) -> Letter:
    """The letter in the bytes of a letter.json.

    Raises:
        InputError: If it is no JSON, of another major version, or lacks what every letter holds.
    """
    value = parse_json(content, name)
    found, _ = read_model(Extract, value, SCHEMA, name)
    return Letter(content, value, found)


def recheck_alone(letter: Letter) -> tuple[Part, ...]:
    """What a letter says that follows from something else in it: its guarantees from their premises, and its request's dates."""
    derived = {each.id: guarantee_part(each) for each in _derived(letter.extract.guarantees)}
    guarantees = [
        (f"guarantees[{index}] {each.id}", _guarantee(each, derived.get(each.id)))
        for index, each in enumerate(letter.extract.guarantees)
    ]
    return (
        part("forms", ((LETTER, _form(letter)),)),
        part("guarantees", guarantees),
        part("requests", (("request", _request(letter.extract)),)),
    )


def _form(letter: Letter) -> Iterator[str]:
    exact = letter.value["schema"] == SCHEMA
    # The model's own bytes also find a value in another spelling, such as a number in quotes.
    canonical = letter.extract.to_bytes() if exact else rfc8785.dumps(letter.value)
    if letter.content != canonical:
        yield "its bytes are not their canonical form (RFC 8785)"


def _guarantee(found: GuaranteePart, derived: GuaranteePart | None) -> Iterator[str]:
    if derived is None:
        yield "no theorem leads to it"
        return
    for path, stated, expected in differences(found.model_dump(mode="json"), derived.model_dump(mode="json")):
        yield f"{path} is {shown(stated)}, its premises give {shown(expected)}"


def _derived(stated: tuple[GuaranteePart, ...]) -> tuple[Guarantee, ...]:
    """Every guarantee from the premises of all, with the numbers that the letter states of each."""
    parts = {each.id: each for each in stated}
    premises = [one for each in stated for derivation in each.derivation for one in derivation.premises]
    removal = _pledge(parts.get(CERTIFIED_REMOVAL))
    extractor = None
    if any(one.fact == "extractor-private" for one in premises):
        # A letter does not say which part of its numbers is the extractor's: all of them, for what follows from the premises.
        extractor, removal = removal or _NOTHING, _NOTHING
    return derive_guarantees(
        (Fact(one.fact, one.how, _SAID) for one in premises if one.how is not How.UNKNOWN),
        epsilon=removal.epsilon if removal else None,
        delta=removal.delta if removal else None,
        private=_pledge(parts.get(CONTROL)),
        extractor=extractor,
        deletion=_deletion(parts),
    )


def _pledge(found: GuaranteePart | None) -> Pledge | None:
    """The numbers that a letter states: where they come from it does not say, and they are taken as they stand."""
    if found is None or found.epsilon is None or found.delta is None:
        return None
    return Pledge(found.epsilon, found.delta)


def _deletion(parts: Mapping[str, GuaranteePart]) -> Deletion | None:
    """What a letter says of data deletion: its numbers as they stand, and what the theorem that it names is about."""
    found = parts.get(DATA_DELETION)
    if found is None or len(found.derivation) != 1:
        return None
    order = found.order if found.order is not None and found.order > 1 else _SOME_ORDER
    epsilon = found.epsilon if found.epsilon is not None and found.epsilon >= 0 else None
    of: Unit = "person" if any(one.fact == OF_A_PERSON for one in found.derivation[0].premises) else "request"
    ways = (
        Deletion(order, epsilon, source, seen, known_loss=known, advantage=found.advantage, of=of)
        for source, seen, known in product((*get_args(Source), None), (0, 1), (False, True))
    )
    return next((way for way in ways if theorem(way).id == found.derivation[0].rule), None)


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
        evidence: The evidence that lies next to it.
        content: The bytes of that evidence.
    """
    if letter.evidence_sha256 != digest(content):
        yield f"it was taken from evidence {shown(letter.evidence_sha256)}, the evidence next to it is {digest(content)}"
    try:
        made = extract(evidence, letter.extract.request.request_id, evidence_sha256=letter.evidence_sha256)
    except (InputError, ReportError) as error:
        yield str(error)
        return
    found, derived = (_plain(each) for each in (letter.extract, made))
    for path, stated, expected in differences(found, derived):
        yield f"{path} is {shown(stated)}, the evidence has {shown(expected)}"


def _plain(extract_: Extract) -> Any:
    return json.loads(extract_.to_bytes())
