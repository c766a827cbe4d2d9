"""A letter's `letter.json`: its number worked out again, and the whole compared with the evidence next to it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final

import rfc8785

from auditor.base.errors import InputError, ReportError
from auditor.document.evidence import Evidence, digest
from auditor.document.evidence_files import parse_json
from auditor.pages.letters import SCHEMA, Extract, extract
from auditor.pages.letters.promise import share_of
from auditor.recheck.files import read_model
from auditor.recheck.outcome import Part, differences, part, shown
from auditor.verdict.checks import with_role
from auditor.verdict.checks.card import Role
from auditor.verdict.reliance import HOLDING

LETTER: Final = "letter.json"
_ROUNDING: Final = 1e-9


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
    """What a letter says that follows from something else in it: its number from limit and records, and what goes with what."""
    return (
        part("forms", ((LETTER, _form(letter)),)),
        part("promises", (("promise", _promise(letter.extract)),)),
        part("requests", (("request", _request(letter.extract)),)),
    )


def _form(letter: Letter) -> Iterator[str]:
    exact = letter.value["schema"] == SCHEMA
    # The model's own bytes also find a value in another spelling, such as a number in quotes.
    canonical = letter.extract.to_bytes() if exact else rfc8785.dumps(letter.value)
    if letter.content != canonical:
        yield "its bytes are not their canonical form (RFC 8785)"


def _promise(letter: Extract) -> Iterator[str]:
    promise, forgot = letter.model.promise, letter.model.forgot
    if promise is None:
        if forgot in {"shown", "supported"}:
            yield f"forgot is {forgot}, and no promise goes with it"
        return
    if promise.status not in HOLDING:
        yield f"a promise cannot have the status {promise.status.value}"
    if forgot in {"shown", "supported"} and forgot != promise.status.value:
        yield f"forgot is {forgot}, its promise is {promise.status.value}"
    if promise.epsilon < 0 or promise.records < 1 or not 0 <= (promise.delta or 0.0) <= 1 or (promise.order or 2.0) <= 1:
        yield "its limit is not one that a theorem can give"
        return
    share = share_of(epsilon=promise.epsilon, delta=promise.delta, order=promise.order, promise=promise.promise)
    if abs(share - promise.share) > _ROUNDING:
        yield f"share is {promise.share}, its limit gives {shown(share)}"


def _request(letter: Extract) -> Iterator[str]:
    request, model = letter.request, letter.model
    executed = request.status == "executed"
    # Of a request that is open the log may have the stored data erased.
    undone = not executed and request.status != "open"
    if executed != (request.records is not None) or (undone and request.erased_on is not None):
        yield f"status is {request.status}, and what was erased does not go with it"
    if not executed and (model.forgot != "not-examined" or model.promise is not None):
        yield f"status is {request.status}, and what the model forgot does not go with it"
    if not set(model.broke_off) <= set(model.failed) or set(model.noticed) & set(model.failed):
        yield f"what failed, broke off and was noticed do not go together: {shown(model.failed)}"
    if set(model.unsettled) & {*model.failed, *model.open}:
        yield f"some checks are required and not: {shown(model.unsettled)}"
    if not executed and (model.broke_off or model.noticed or model.unsettled or model.left_alone):
        yield f"status is {request.status}, and what was found of the model does not go with it"
    shows = set(with_role(Role.SHOWS_DELETIONS))
    if set(model.failed) - shows and model.forgot != "failed":
        yield f"forgot is {model.forgot}, and checks failed: {shown(model.failed)}"
    if model.open and model.forgot not in {"failed", "open", "not-examined"}:
        yield f"forgot is {model.forgot}, and checks stayed open: {shown(model.open)}"
    # The day of the answer decides; without one, that of erasure.
    decides = request.answered_on or request.erased_on
    if decides is not None and decides > request.due_on and not request.late:
        yield "late is false, its dates make it true"
    if not letter.draft and letter.missing:
        yield f"it is no draft, and lacks {shown(letter.missing)}"


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
        said = letter.extract
        # A person is named only where a request is several people's.
        several = sum(each.request_id == said.request.request_id for each in evidence.requests) > 1
        subject = said.request.subject if several else None
        made = extract(evidence, said.request.request_id, subject, draft=said.draft, evidence_sha256=letter.evidence_sha256)
    except (InputError, ReportError) as error:
        yield str(error)
        return
    found, derived = (_plain(each) for each in (letter.extract, made))
    for path, stated, expected in differences(found, derived):
        yield f"{path} is {shown(stated)}, the evidence has {shown(expected)}"


def _plain(extract_: Extract) -> Any:
    return json.loads(extract_.to_bytes())
