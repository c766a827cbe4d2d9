"""The nouns of a deletion log: requests as they are logged, batches of them, and what became of each."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import date, datetime
from enum import StrEnum


class Regime(StrEnum):
    """The law whose deadlines a request is answered under; `auditor.base.deletion_log.deadlines` holds its date rules."""

    EU = "eu"
    UK = "uk"
    CCPA = "ccpa"


class StorageState(StrEnum):
    """How far stored data were erased, by the log."""

    LOGICAL = "logical"
    """Marked as deleted, and still there."""
    PHYSICAL = "physical"
    """Overwritten or destroyed."""
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class Extension:
    """Longer time for one request, as the controller says that it told the person. Nothing here is checked."""

    notified_at: datetime | None = None
    """When the person was told; with an offset."""
    reason: str | None = None
    """Why it takes longer, in the controller's words."""
    until: date | None = None
    """The new date; the latest that the law allows where none is given."""


class Awaited(StrEnum):
    """What a controller waits for; which of it may stop the clock is the law's word."""

    IDENTITY = "identity"
    """What confirms who the person is (GDPR Article 12(6))."""
    FEE = "fee"
    """A fee that was charged (GDPR Article 12(5))."""
    DETAILS = "details"
    """Anything else, such as which data are meant."""


@dataclass(frozen=True, slots=True)
class ClockPause:
    """A time in which the controller waited for the person, by its own word."""

    paused_at: datetime
    """When the clock stopped; with an offset."""
    resumed_at: datetime | None = None
    """When it went on; with an offset; None while it lasts."""
    reason: str | None = None
    """What was waited for, in the controller's words."""
    awaits: Awaited | None = None
    """`identity`, `fee` or `details`; None where the log does not say."""


@dataclass(frozen=True, slots=True)
class Recipient:
    """Somebody who had been given the data, and whether they were told of the erasure."""

    name: str | None = None
    """Who; None where the log says of all recipients together."""
    notified: bool = True
    """Whether they were told."""
    notified_at: datetime | None = None
    """When they were told; with an offset; None where no time is recorded."""


class ErasureGround(StrEnum):
    """The ground of a request, by the letter of Article 17(1) GDPR."""

    NO_LONGER_NECESSARY = "a"
    CONSENT_WITHDRAWN = "b"
    OBJECTION = "c"
    UNLAWFUL = "d"
    LEGAL_OBLIGATION = "e"
    CHILD = "f"


class KeepingException(StrEnum):
    """Why data may be kept although a ground holds, by the letter of Article 17(3) GDPR."""

    EXPRESSION = "a"
    LEGAL_OBLIGATION = "b"
    PUBLIC_HEALTH = "c"
    ARCHIVES_AND_RESEARCH = "d"
    LEGAL_CLAIMS = "e"


@dataclass(frozen=True, slots=True)
class KeptData:
    """Something of the person's that the controller keeps, by its own word."""

    what: str
    """What is kept."""
    why: str
    """Why, such as the retention duty, in the controller's words."""
    exception: KeepingException | None = None
    """The letter of Article 17(3) that allows it, `a` to `e`; none under `ccpa`."""
    until: date | None = None
    """The day on which it will be erased."""


@dataclass(frozen=True, slots=True)
class Undertaking:
    """What the controller undertakes to do, and by when, by its own word."""

    what: str
    """What it will do, as the letter and the reply print it."""
    by: date | None = None
    """The day by which it will have done it."""


@dataclass(frozen=True, slots=True)
class Request:
    """One row of the deletion log: one erasure request."""

    row: int
    """Its line in the log file, counted from 1; in CSV the header is line 1."""
    request_id: str
    """Names the request; several rows may share it where a ticket is of several people."""
    record_ids: tuple[str, ...]
    """Ids of the training records that it covers: a list, or text separated by `;` in CSV."""
    received_at: datetime
    """When the request arrived; with an offset."""
    executed_at: datetime | None = None
    """When it was carried out; with an offset; None while the request is open. A row with status `executed` without it takes
    `model_erased_at`, or else `data_erased_at`."""
    subject: str | None = None
    """A pseudonym of the person, which the controller alone can turn back: a keyed hash or an opaque id; an e-mail address, or
    its plain hash, is refused."""
    batch: str | None = None
    """Requests with the same batch are unlearned together; without one, each by itself, in the order of `executed_at`."""
    seen_releases: int | None = None
    """Published models that the person had seen before they asked."""
    status: str | None = None
    """`open`, `in_progress`, `executed`, `denied`, `revoked` or `no_match`."""
    due_on: date | None = None
    """An earlier deadline, which the controller set itself."""
    basis: str | None = None
    """Why the request was made, in the controller's words; it stays out of the evidence."""
    note: str | None = None
    """Anything; it stays out of the evidence."""
    terms: tuple[str, ...] = ()
    """Names and numbers of the person, which are looked for where places alone are searched: a list, or text separated by `;` in
    CSV; they stay out of the evidence."""
    canary: bool = False
    """Whether the row is of a planted record, which is nobody's: it tests the search, and is left out of every count of people,
    of deadlines and of letters. `true`, or `false` where it is left out."""
    near_match: str | None = None
    """Why an id of this row that looks like a training record's is another person's, in the controller's words."""
    regime: Regime = Regime.EU
    """The law whose deadlines hold: `eu` (where it is left out), `uk` or `ccpa`."""
    data_erased_at: datetime | None = None
    """When the data were erased; with an offset. An open row may have it; any other status but `executed` contradicts it,
    and `model_erased_at`."""
    model_erased_at: datetime | None = None
    """When the model was updated for the request, in use or not; with an offset."""
    answered_at: datetime | None = None
    """When the person was informed of what was done, or of why nothing was."""
    confirmed_at: datetime | None = None
    """When receipt of the request was confirmed to the person; with an offset."""
    extension: Extension | None = None
    """That the controller took longer, as the law allows."""
    clock_pauses: tuple[ClockPause, ...] = ()
    """Times in which the controller waited for the person."""
    reason: str | None = None
    """Why the request was refused, in the controller's words, as the letter prints it; of `no_match` and `revoked`, where the
    person was looked for, or how they withdrew."""
    exception: str | None = None
    """The exception of the law that a refusal rests on; the letter prints it."""
    ground: str | None = None
    """The legal ground that the controller names."""
    recipients_notified: tuple[Recipient, ...] | None = None
    """Who had been given the data, and was told: true, false, the time at which all were, or a list of names or tables. Empty
    where there was nobody; None where the log does not say."""
    storage_state: StorageState | None = None
    """`logical`: marked as deleted, which keeps `log.deadlines` open; `physical`: overwritten; `unknown`."""
    erasure_ground: ErasureGround | None = None
    """Why the person can ask for erasure: the letter of Article 17(1), `a` to `f`. Under `ccpa` there is none."""
    kept: tuple[KeptData, ...] | None = None
    """What of the person's is kept, and why: a list of tables. Empty where nothing is; None where the log does not say."""
    identity_check: str | None = None
    """How the controller made sure who the person is; the reply prints it."""
    identity_checked_at: datetime | None = None
    """When it did so; with an offset."""
    undertaking: Undertaking | None = None
    """What the controller will still do, and by when; the letter and the reply print it."""
    late_reason: str | None = None
    """Why the answer was late, in the controller's words, as the letter and the reply print it."""
    also_asked: str | None = None
    """What else the same ticket asks for, such as `access`; letter and reply say that they do not answer it."""
    names_law: bool = field(default=True, compare=False)
    """Whether the row has a `regime`, and `eu` is not taken for want of one; no column of its own."""
    signatory: str | None = None
    """Who signs the reply: name and office."""
    link: Link | None = None
    """What the hash chain says of the row; None where the log has none, or none that can be checked."""
    entry_hash: str | None = None
    """The hash that the row claims for itself."""
    amendments: tuple[Amendment, ...] = ()
    """Later rows that add to this one or replace what it says, in their order; what they say is in the fields above."""


@dataclass(frozen=True, slots=True)
class Amendment:
    """A row of a chained log that adds facts to a request, or replaces some: the row that it amends stays as it was."""

    row: int
    replaced: tuple[tuple[str, str | None, str | None], ...] = ()
    """Columns that said something else before, each with the times or dates before and after; None for what is no date."""
    terms: tuple[str, ...] = field(default=(), repr=False)
    """Names and numbers that it took out: they may be the person's, and stay out of the evidence."""
    link: Link | None = None
    """What the hash chain says of it."""
    entry_hash: str | None = None


class Link(StrEnum):
    """What the hash chain of a deletion log says of a row."""

    INTACT = "intact"
    CHANGED = "changed"
    """Its hash is not that of what it holds."""
    TORN = "torn"
    """It does not follow the row before it."""
    MISSING = "missing"
    """It has no hash, and other rows have."""


@dataclass(frozen=True, slots=True)
class LogFinding:
    """Something in the deletion log that can be read but contradicts itself."""

    row: int
    code: str
    message: str


@dataclass(frozen=True, slots=True)
class Batch:
    """Requests that the controller carried out together, and the records they name."""

    name: str
    request_ids: tuple[str, ...]
    record_ids: tuple[str, ...]
    """Located in the training data and not deleted by an earlier batch; in the order of the log."""
    executed_at: datetime
    rows: tuple[int, ...] = ()
    """Lines of its requests: one ticket of two people is on two, under one id."""


@dataclass(frozen=True, slots=True)
class RequestOutcome:
    """What the audit can say about one erasure request."""

    request_id: str
    status: str
    """executed, open, denied, revoked, not-located or no-match."""
    received_on: date
    due_on: date
    deleted_at: datetime | None
    days: int | None
    """Calendar days from receipt to deletion."""
    overdue: bool
    records: int
    guarantees: tuple[str, ...]
    """Ids of the guarantees, shown or supported, that cover this request."""
    regime: Regime = Regime.EU
    subject: str | None = None
    """The person's pseudonym; two rows of one request id with different ones are two people's."""
    due_in_log: date | None = None
    """The due date that the log sets; it can bring the deadline forward and never moves it back."""
    data_erased_at: datetime | None = None
    """This and the times below read in the calendar that the deadline is counted in: the log's zone, or the offset of receipt."""
    model_erased_at: datetime | None = None
    answered_at: datetime | None = None
    """When the person was informed."""
    confirmed_at: datetime | None = None
    """When receipt of the request was confirmed to the person."""
    extension: Extension | None = None
    """As logged, whether or not it moves the deadline."""
    clock_pauses: tuple[ClockPause, ...] = ()
    paused_days: int = 0
    """Days by which pauses moved the deadline."""
    reason: str | None = None
    """Why it was refused, in the controller's words; free text of the controller, as are the next two."""
    exception: str | None = None
    ground: str | None = None
    recipients_notified: tuple[Recipient, ...] | None = None
    """Empty where there was no recipient; None where the log does not say."""
    storage_state: StorageState | None = None
    erasure_ground: ErasureGround | None = None
    """This and what follows is what the reply to the person prints: the controller's word, which no check examines."""
    kept: tuple[KeptData, ...] | None = None
    """Empty where nothing is kept; None where the log does not say."""
    identity_check: str | None = None
    identity_checked_at: datetime | None = None
    undertaking: Undertaking | None = None
    signatory: str | None = None
    late_reason: str | None = None
    also_asked: str | None = None
    """What else the person asked for on the same ticket, which no check examines either."""
