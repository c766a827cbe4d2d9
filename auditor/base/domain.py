"""The nouns of an audit: frozen records and enums, with no behaviour beyond their invariants.

Everything here is plain data, so that each later stage (checks, guarantees, evidence, report) can be tested with records
written by hand, and so that `verify` can read them where no numerical library is installed but NumPy.
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime
from enum import StrEnum
from typing import Any, Final, Literal, TypeAlias

import numpy as np
import numpy.typing as npt

from auditor.base.mixed_columns import Columns
from auditor.base.terms import NoTerms, Terms

Floats: TypeAlias = npt.NDArray[np.float64]
Positions: TypeAlias = npt.NDArray[np.int64]
Replacement: TypeAlias = Literal["other records", "another label", "beyond the range"]
"""What stood in the place of the deleted records: other training records, the same features with another label, or records beyond
the range of the data that have other ids."""


class Status(StrEnum):
    """What became of one check."""

    PASS = "pass"
    FAIL = "fail"
    INCONCLUSIVE = "inconclusive"
    SKIPPED = "skipped"
    ERROR = "error"


class Verdict(StrEnum):
    """What became of the whole audit."""

    PASS = "pass"
    FAIL = "fail"
    INCONCLUSIVE = "inconclusive"


class Strength(StrEnum):
    """What a pass is worth, by a fixed table; the best is A, and E is no useful promise."""

    A = "A"
    B = "B"
    C = "C"
    D = "D"
    E = "E"


class Effect(StrEnum):
    """What the rejection of a statistical test does."""

    ACCUSES = "accuses"
    """The case fails, or a promise is refuted."""
    LEAVES_OPEN = "leaves-open"
    """The case stays inconclusive."""
    PASS_NEEDS = "pass-needs"
    """The case may pass."""


class Provenance(StrEnum):
    """The provenance of a fact: how it is known."""

    COMPUTED = "computed"
    """Derived from checked inputs by arithmetic or by construction."""
    MEASURED = "measured"
    """Observed in this run."""
    ATTESTED = "attested"
    """Taken from the controller's word; not examined."""
    REFUTED = "refuted"
    """Found to be false."""
    UNKNOWN = "unknown"
    """Neither examined nor attested."""


class ClaimStatus(StrEnum):
    """What may be said of a guarantee."""

    SHOWN = "shown"
    SUPPORTED = "supported"
    REFUTED = "refuted"
    NOT_SHOWN = "not-shown"


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing that is wrong with an input."""

    file: str
    """The file, as the user named it."""
    where: str
    """The key, row or array inside the file; empty where the file as a whole is meant."""
    expected: str
    """What was expected there."""
    found: str
    """What was found instead."""

    def __str__(self) -> str:
        """One line: file, place, expectation, finding."""
        place = f"{self.file}: {self.where}" if self.where else self.file
        return f"{place}: expected {self.expected}, found {self.found}"


@dataclass(frozen=True, slots=True)
class Interval:
    """A confidence interval with both ends included."""

    low: float
    high: float

    def __post_init__(self) -> None:
        """Refuse an interval whose ends are crossed."""
        if not self.low <= self.high:
            raise ValueError(f"an interval needs low <= high, found [{self.low}, {self.high}]")


@dataclass(frozen=True, slots=True)
class CodeFile:
    """One file of the controller's code, as it was read."""

    name: str
    """Relative to the folder of the entry, with slashes."""
    content: bytes = field(repr=False)

    @property
    def sha256(self) -> str:
        """The digest of its bytes, in lower-case hexadecimal."""
        return hashlib.sha256(self.content).hexdigest()


@dataclass(frozen=True, slots=True)
class Code:
    """What a class of the controller's may open and import: read once, digested and run as it was read."""

    files: tuple[CodeFile, ...]
    """The entry's own first."""
    inputs: tuple[CodeFile, ...] = ()
    """Files that it may read and that are no code, such as weights of a base model."""

    @property
    def everything(self) -> tuple[CodeFile, ...]:
        """Code and other files."""
        return (*self.files, *self.inputs)


_ALIGNED_TO: Final = 64
_ROWS_AT_A_TIME: Final = 4_096


class HandedOver(np.ndarray[Any, Any]):
    """Memory that rows handed to a procedure lie in, from a boundary on."""

    @property
    def rows(self) -> np.ndarray[Any, Any]:
        """The part of it that holds them, as bytes."""
        begin = -self.ctypes.data % _ALIGNED_TO
        return self.view(np.ndarray)[begin : self.nbytes - _ALIGNED_TO + begin]


def aligned(rows: Floats, positions: Positions | None = None, *, copied: Callable[[], None] | None = None) -> Floats:
    """Copy features so that arithmetic on them takes the same path in every run: float64, C-contiguous, on a 64-byte boundary.

    Args:
        rows: Shape (n, d).
        positions: Which of them, shape (m,), in that order; all where left out.
        copied: Called whenever some of those at `positions` were copied.
    """
    if positions is not None:  # a procedure may give a list
        positions = np.asarray(positions, dtype=None if len(positions) else np.int64)
    shape = rows.shape if positions is None else (len(positions), *rows.shape[1:])
    memory = HandedOver((math.prod(shape) * 8 + _ALIGNED_TO,), dtype=np.uint8)
    memory.fill(0)
    place: Floats = np.ndarray(shape, dtype=np.float64, buffer=memory, offset=-memory.ctypes.data % _ALIGNED_TO)
    if positions is None:
        place[...] = rows
        return place
    # A few at a time: rows at positions are a copy, which shall not be a second table.
    for first in range(0, len(positions), _ROWS_AT_A_TIME):
        some = slice(first, first + _ROWS_AT_A_TIME)
        place[some] = rows[_as_slice(positions[some], len(rows))]
        if copied is not None:
            copied()
    return place


def _as_slice(positions: Positions, rows: int) -> slice | Positions:
    """Positions among so many rows as a slice, which copies nothing, where they are one behind the other."""
    first, last = int(positions[0]), int(positions[-1])
    follow = 0 <= first <= last < rows and np.array_equal(positions, np.arange(first, last + 1))
    return slice(first, last + 1) if follow else positions


def joined(parts: Sequence[Positions]) -> Positions:
    """Put positions one behind the other, those of no part as an empty array; shape (m,)."""
    return np.concatenate([*parts, np.empty(0, dtype=np.int64)]).astype(np.int64)


@dataclass(frozen=True, slots=True, eq=False, weakref_slot=True)
class Dataset:
    """Records to learn from, in a stable order."""

    features: Floats
    """Shape (n, d), float64, finite."""
    labels: npt.NDArray[Any]
    """Shape (n,): integers or strings for classification, float64 for regression."""
    ids: npt.NDArray[np.str_]
    """Shape (n,): one distinct string per record."""
    sensitivity: Floats | None = None
    """Shape (n,): weights, at least 0, by which the SWAP test weighs records; None where all weigh the same. A procedure never
    sees them."""
    table: Columns | None = None
    """What the codes in `features` stand for; None where they are the features themselves."""
    weights: Floats | None = None
    """Shape (n,): weights, at least 0, that a procedure is given alongside the records; None where none are declared."""

    def __len__(self) -> int:
        """The number of records, n."""
        return int(self.features.shape[0])

    def subset(self, positions: Positions, *, copied: Callable[[], None] | None = None) -> Dataset:
        """The records at `positions`, shape (m,), in that order; features as `aligned` gives them."""
        sensitivity, weights = (None if each is None else each[positions] for each in (self.sensitivity, self.weights))
        features = aligned(self.features, positions, copied=copied)
        return Dataset(features, self.labels[positions], self.ids[positions], sensitivity, self.table, weights)

    def with_rows(self, features: Floats) -> Dataset:
        """Other records of the same columns, with blank labels and numbered ids; `features` has shape (m, d)."""
        numbered = np.array([f"row-{at}" for at in range(len(features))])
        return Dataset(features, np.zeros(len(features), dtype=np.int64), numbered, table=self.table)


@dataclass(frozen=True, slots=True, eq=False)
class Part:
    """Some records of a table, copied where they are needed and not before; one may be there several times."""

    whole: Dataset
    positions: Positions
    """Shape (m,), in that order."""
    other_labels: npt.NDArray[Any] | None = None
    """Shape (m,): labels in the place of their own; None where they keep these."""

    def __len__(self) -> int:
        """The number of records, m."""
        return len(self.positions)

    @property
    def labels(self) -> npt.NDArray[Any]:
        """Shape (m,)."""
        return self.whole.labels[self.positions] if self.other_labels is None else self.other_labels

    @property
    def ids(self) -> npt.NDArray[np.str_]:
        """Shape (m,): those of the table, not distinct where a record is there several times."""
        return self.whole.ids[self.positions]

    @property
    def weights(self) -> Floats | None:
        """Shape (m,); None where none are declared."""
        return None if self.whole.weights is None else self.whole.weights[self.positions]

    @property
    def table(self) -> Columns | None:
        """What the codes in the features stand for; None where they are the features themselves."""
        return self.whole.table

    def copied(self) -> Dataset:
        """The records as a table of their own, with features as `aligned` gives them and no sensitivity."""
        return self.subset(np.arange(len(self)))

    def subset(self, positions: Positions) -> Dataset:
        """Those at `positions` among them, shape (k,), likewise."""
        features = aligned(self.whole.features, self.positions[positions])
        weights = None if self.weights is None else self.weights[positions]
        return Dataset(features, self.labels[positions], self.ids[positions], table=self.table, weights=weights)


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
class Condition:
    """One premise of a bound or certificate, examined."""

    name: str
    """What has to hold, in words a reader of the paper recognises."""
    holds: bool
    found: str
    """The value that was found."""
    how: Provenance


@dataclass(frozen=True, slots=True)
class Bound:
    """One of several bounds on the same quantity."""

    name: str
    """worst-case, as-printed, tightened, local, online or measured."""
    value: float | None
    """None where its own conditions do not hold."""


@dataclass(frozen=True, slots=True)
class Certificate:
    """A closed-form statement and everything that is needed to derive it again."""

    kind: str
    """The name of its rule: the same word as in `auditor calc`."""
    epsilon: float | None
    """None where a condition fails, and for rules that bound something else."""
    delta: float | None
    order: float | None
    """The Rényi order, where there is one."""
    inputs: Mapping[str, Any]
    """The rule's inputs by name: numbers, or lists of numbers."""
    conditions: tuple[Condition, ...]
    bounds: tuple[Bound, ...]
    outputs: Mapping[str, Any]
    """Everything that the rule derives, under the keys that `auditor calc` prints."""


@dataclass(frozen=True, slots=True)
class Message:
    """A named reason with its parameters; `auditor.pages.words` makes a sentence of it."""

    code: str
    """A stable name, unique over all checks."""
    parameters: Mapping[str, Any] = field(default_factory=dict)
    """Numbers, strings and lists that the sentence names; JSON as it stands."""


@dataclass(frozen=True, slots=True)
class Check:
    """What became of one check: values and named reasons, no sentences."""

    id: str
    status: Status
    value: float | None
    interval: tuple[float, float] | None
    threshold: float | None
    observed: Mapping[str, Any] | None
    """What only the run saw; None where nothing ran for it. Taken on trust by a recheck."""
    derived: Mapping[str, Any] | None
    """What the judge worked out as well."""
    reasons: tuple[Message, ...]
    """How the value came about, or why there is none."""


@dataclass(frozen=True, slots=True)
class Fact:
    """Something that a theorem may need, and how it is known."""

    name: str
    """A short stable name, e.g. `rows-bounded`."""
    how: Provenance
    evidence: Message
    """The check, certificate or input that it rests on, or what is missing."""


@dataclass(frozen=True, slots=True)
class Premise:
    """A fact in its role as a premise of one theorem."""

    fact: str
    """Its name."""
    how: Provenance
    evidence: Message


@dataclass(frozen=True, slots=True)
class Derivation:
    """One application of a theorem."""

    rule: str
    """The theorem's id."""
    premises: tuple[Premise, ...]


@dataclass(frozen=True, slots=True)
class Guarantee:
    """What may be concluded, and from what."""

    id: str
    status: ClaimStatus
    epsilon: float | None
    delta: float | None
    derivation: tuple[Derivation, ...]
    """Every theorem that could have led here, each with all of its premises."""
    order: float | None = None
    """The Rényi order that ε is stated at, where it is a bound on a Rényi divergence; None where it is not one."""
    terms: Terms = field(default_factory=NoTerms)
    """What else its statement names."""


@dataclass(frozen=True, slots=True)
class InputFile:
    """One file that the audit read."""

    path: str
    """Relative to the case."""
    sha256: str
    bytes: int


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
