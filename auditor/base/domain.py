"""The nouns of what an audit concludes: frozen records and enums, with no behaviour beyond their invariants.

Everything here is plain data, so that each later stage (checks, guarantees, evidence, report) can be tested with records
written by hand, and so that `verify` can read them where nothing is installed that an audit needs. Those of what it is given
are `auditor.base.records` and `auditor.base.deletion_log.requests`.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from auditor.base.terms import NoTerms, Terms


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
