"""The extract that a letter is made from, and that it carries as `letter.json`: a list of allowed facts."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date, datetime
from typing import Final, Literal

import rfc8785
from pydantic import BaseModel, ConfigDict, Field

from auditor.base.deletion_log.requests import ClockPause, Extension, KeptData, Recipient, Regime, StorageState, Undertaking
from auditor.document.conclusions import Descent
from auditor.document.context import Superseded
from auditor.pages.letters.legal_remedies import OF_THE_CASE
from auditor.pages.letters.promise import PromisePart
from auditor.settings.documents import OutsidePlace, Relation
from auditor.settings.lineage import Made, Plan

SCHEMA: Literal["auditor.letter/3"] = "auditor.letter/3"
NEEDED: Final = ("controller", "contact")
"""Keys of [case] without which every letter is written as a draft only."""

Outcome = Literal["executed", "open", "denied", "revoked", "not-located", "no-match", "unknown"]
Search = Literal["found", "not-found", "open", "not-examined"]
DoubtKind = Literal["code", "program", "model", "store", "places", "answers", "terms", "quoted", "untold", "copies", "other"]
"""Where something may still lie that a search did not find, by its kind: a place may be called after somebody."""
Forgot = Literal["shown", "supported", "attacks", "open", "failed", "not-examined"]
"""How far the audit confirms that the model forgot: by a promise that is shown, or supported by statements; by attacks that found
nothing; not decided; not confirmed; or no check that examines it ran."""


class Part(BaseModel):
    """A frozen part of the extract that takes its own keys and no others."""

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False, defer_build=True)


class AuditPart(Part):
    """The run."""

    id: str
    finished_at: datetime
    auditor_version: str
    quick: bool
    relation: Relation | None
    """How those who ran it stand to the controller; null where that is not declared."""


class SenderPart(Part):
    """Who writes, and who can be written to."""

    controller: str | None
    contact: str | None
    dpo: str | None
    authority: str | None

    def missing(self, regimes: Iterable[Regime]) -> tuple[str, ...]:
        """Keys of [case] without which no letter about requests under these laws can be sent."""
        named = not OF_THE_CASE.isdisjoint(regimes)
        return tuple(key for key in (*NEEDED, *(("authority",) if named else ())) if getattr(self, key) is None)


class CasePart(Part):
    """What was audited."""

    name: str
    release: str | None
    purpose: str | None
    in_use_since: date | None
    in_use_too_early: bool = Field(default=False, exclude_if=lambda value: value is False)
    """Whether the version was updated for this request only after that day, by the log: then it is another that is in use."""
    model_examined: bool
    """Whether the model file about to be released was examined."""
    model_seen: Literal["part", "open"] | None = Field(default=None, exclude_if=lambda value: value is None)
    """What else was seen of it: one of its steps, or all of it without a result."""
    outside: tuple[OutsidePlace, ...]
    """Places that no check looks into, as declared."""
    builds_on_files: bool = Field(default=False, exclude_if=lambda value: value is False)
    """Whether the procedure was given files, such as base weights, whose making was not examined."""
    answers_alone: bool = Field(default=False, exclude_if=lambda value: value is False)
    """Whether nothing was rerun, and answers that the controller wrote down are all that was examined."""
    places_alone: bool = Field(default=False, exclude_if=lambda value: value is False)
    """Whether places were searched, and no model was examined."""
    without_values: Literal["all", "some"] | None = Field(default=None, exclude_if=lambda value: value is None)
    """Of whom they were searched for ids and what the log names alone: of everybody, or of some."""


class MadePart(Part):
    """Something that was made from the model, as declared, and what its dates come to for this request alone."""

    name: str
    kind: Made
    day: date | None
    """The day that settles it; null where it is open."""
    descent: Descent
    declared_by: str
    made_on: date | None = Field(default=None, exclude_if=lambda value: value is None)
    """The day on which it was last made, where it is open and that day has come."""
    plan: Plan | None = Field(default=None, exclude_if=lambda value: value is None)
    """What is planned for it, where it is open."""


class ReceiptPart(Part):
    """A processor's receipt that covers this request, on trust."""

    processor: str
    at: date
    sha256: str
    """Digest of the receipt."""
    named: bool = Field(default=False, exclude_if=lambda value: value is False)
    """Whether it names this very request, and is not about all of them."""


class WordPart(Part):
    """What the controller attests that bears on this request: one person's word, which nobody examined."""

    names: tuple[str, ...]
    """As `[claims] attested` has them."""
    by: str
    at: date
    before: Superseded | None = Field(default=None, exclude_if=lambda value: value is None)
    """The audit of another release that came after it, where it was not attested again since."""


class DoubtPart(Part):
    """Something that keeps a search from saying that all is gone."""

    kind: DoubtKind
    bytes: int | None = Field(default=None, exclude_if=lambda value: value is None)
    """How much of it: of code alone, whose size no other request moves."""


class RequestPart(Part):
    """This person's request."""

    request_id: str
    subject: str | None
    """The person's own pseudonym; null where the log names none: the letter then is about the records of the request."""
    others_differ: bool = Field(default=False, exclude_if=lambda value: value is False)
    """Whether another request of this person's ended otherwise: then this one's end is not that of all of their data."""
    regime: Regime
    status: Outcome
    received_on: date
    due_on: date
    extended: bool
    """Whether the notice of more time counts: it was given in time, with a reason."""
    late: bool
    in_doubt: bool = Field(default=False, exclude_if=lambda value: value is False)
    """Whether it is in time if a wait for the person gave more time, which no date shows."""
    latest: date | None = Field(default=None, exclude_if=lambda value: value is None)
    """The last day in time if such a wait counts for as long as it may; null where none does."""
    law_on: date | None = Field(default=None, exclude_if=lambda value: value is None)
    """The day by which the law asks for an answer, where the controller set itself another one."""
    moved_from: date | None = Field(default=None, exclude_if=lambda value: value is None)
    """The end of the period, where that is no working day."""
    confirm_by: date | None = Field(default=None, exclude_if=lambda value: value is None)
    """The day by which the receipt was to be confirmed, where that was late."""
    confirmed_on: date | None = Field(default=None, exclude_if=lambda value: value is None)
    """The day on which it was, likewise."""
    erased_on: date | None
    model_erased_on: date | None
    answered_on: date | None
    extension: Extension | None
    paused_days: int
    """Days of the waits that gave more time for certain."""
    begins_on: date | None = Field(default=None, exclude_if=lambda value: value is None)
    """The day from which the time to answer counts, where that is when such a wait ended."""
    waiting: bool
    """Whether such a wait lasts: the controller waits for something from the person."""
    pauses: tuple[ClockPause, ...] = Field(default=(), exclude_if=lambda value: value == ())
    """When the controller waited, and why, by the log; none where the law of the request has no such pause."""
    asked: tuple[ClockPause, ...] = Field(default=(), exclude_if=lambda value: value == ())
    """What the controller still waits for from the person, while their request asks for something, whether or not it stops the
    clock."""
    reason: str | None
    exception: str | None
    ground: str | None
    recipients: tuple[Recipient, ...] | None
    storage_state: StorageState | None
    records: int | None
    """Records of this request that were located and erased; null for a request that was not carried out."""
    search: Search
    """What the search of the controller's data found of this request."""
    doubts: tuple[DoubtPart, ...] = Field(default=(), exclude_if=lambda value: value == ())
    """Of an open search that found nothing of this request: where something may be left; empty elsewhere."""
    unrecorded: bool = Field(default=False, exclude_if=lambda value: value is False)
    """Whether the log records no erasure, and the audit did not find the data in a place where it found those of most others."""
    by_word: bool = Field(default=False, exclude_if=lambda value: value is False)
    """Whether something of what is kept was not searched, and is said to hold no copies: nothing more is known of it."""
    program_by_word: bool = Field(default=False, exclude_if=lambda value: value is False)
    """Whether the controller says the same of its program, and of what that leaves behind."""
    may_be_others: Literal["own", "some"] | None = Field(default=None, exclude_if=lambda value: value is None)
    """Of whom the search met something that the controller's word alone clears: of this request, or of nobody knows whom."""
    findings: tuple[str, ...]
    """Codes of contradictions in its own row of the log."""
    late_reason: str | None = Field(default=None, exclude_if=lambda value: value is None)
    """Why it was late, by the log; null where its dates and the day of the audit leave nothing that is or may be late."""
    also_asked: str | None = Field(default=None, exclude_if=lambda value: value is None)
    """What else the person asked for on the same ticket, by the log; a letter is about the erasure alone."""
    undertaking: Undertaking | None = Field(default=None, exclude_if=lambda value: value is None)
    """What the controller undertook to do still, by its log."""
    kept: tuple[KeptData, ...] = Field(default=(), exclude_if=lambda value: value == ())
    """What of the person's the controller keeps, by its log."""
    made: tuple[MadePart, ...] = Field(default=(), exclude_if=lambda value: value == ())
    """What was made from the model, where this request was carried out."""
    receipts: tuple[ReceiptPart, ...] = Field(default=(), exclude_if=lambda value: value == ())
    """Receipts that cover it, by processor and day; what they say may be about others, and stays out."""
    word: WordPart | None = Field(default=None, exclude_if=lambda value: value is None)


class ModelPart(Part):
    """What the audit can say of the model's forgetting."""

    forgot: Forgot
    promise: PromisePart | None
    failed: tuple[str, ...]
    """Ids of the checks of the model that failed."""
    open: tuple[str, ...]
    """Ids of the checks of the model that are required and came to no decision."""
    not_run: tuple[str, ...]
    """Ids of those that apply and did not run."""
    broke_off: tuple[str, ...] = Field(default=(), exclude_if=lambda value: value == ())
    """Ids of those that failed because of an error, and found nothing."""
    noticed: tuple[str, ...] = Field(default=(), exclude_if=lambda value: value == ())
    """Ids of those that decide nothing, and in which an attack won for certain all the same."""
    unsettled: tuple[str, ...] = Field(default=(), exclude_if=lambda value: value == ())
    """Ids of those that no policy requires, that ran, and that came to no decision."""
    left_alone: bool = Field(default=False, exclude_if=lambda value: value is False)
    """Whether the model behaves as one from which nothing was erased, as far as an attack can tell."""
    untrue: tuple[str, ...] = Field(default=(), exclude_if=lambda value: value == ())
    """Names of what the run found to be untrue, as `[claims] attested` has them, whether or not anybody attested it."""
    picked: bool | None = None
    """Whether an attack on the releases before and after picked out a record of this request; null where none was made."""


class Extract(Part):
    """Everything that the letter for one request says."""

    schema_: Literal["auditor.letter/3"] = SCHEMA
    evidence_sha256: str
    """Digest of the full evidence."""
    draft: bool
    """Whether the letter marks what is missing as blanks, and is not to be sent."""
    audit: AuditPart
    sender: SenderPart
    case: CasePart
    request: RequestPart
    model: ModelPart

    model_config = ConfigDict(
        alias_generator=lambda name: "schema" if name == "schema_" else name,
        populate_by_name=True,
    )

    @property
    def confirmed(self) -> bool:
        """Whether the audit confirms both parts of an erasure: what is stored, and what the released model keeps."""
        return (
            self.request.status == "executed"
            and self.request.search == "not-found"
            and self.request.may_be_others != "own"
            and not self.request.findings
            and self.case.model_examined
            and self.model.forgot in {"shown", "supported", "attacks"}
        )

    @property
    def missing(self) -> tuple[str, ...]:
        """Keys of [case] without which this letter cannot be sent."""
        return self.sender.missing((self.request.regime,))

    def to_bytes(self) -> bytes:
        """RFC 8785 canonical bytes: the `letter.json` that the letter carries."""
        return rfc8785.dumps(self.model_dump(mode="json", by_alias=True))
