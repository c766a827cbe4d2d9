"""What a recheck says: which statements agree with what they rest on, and which do not."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Final

from auditor.base.errors import LackingPartError
from auditor.base.writing import FIRST_STAGE
from auditor.document.leaves import Counts, RestsOn
from auditor.pages.words.lists import listed

# Compares what a document says, leaf by leaf, with what its own context and observations give.
RELATIVE: Final = 1e-9
ABSOLUTE: Final = 1e-12
"""Libraries of other versions and processors differ in the last digits; nothing that decides comes near these."""
LONGEST: Final = 120
"""Characters of a text that a message shows."""
_MANY: Final = 12
"""Lines that are printed whole; of more only the first `_FEW` of each kind of statement are."""
_FEW: Final = 3
_NUMBERS: Final = frozenset({int, float})
"""Types of numbers in JSON; what is true or false is not one."""
_PLAIN: Final = _NUMBERS | {str, bool, type(None)}
MISSING: Final = "(missing)"
"""Stands where one side has no such leaf."""


def same(found: Any, expected: Any) -> bool:
    """Whether two JSON values are equal, numbers up to rounding."""
    return next(differences(found, expected), None) is None


def differences(found: Any, expected: Any, path: str = "") -> Iterator[tuple[str, Any, Any]]:
    """Every leaf that differs: its path, what the document says and what was derived; numbers are held equal up to rounding."""
    if found is expected or _equal(found, expected):
        return
    if isinstance(found, Mapping) and isinstance(expected, Mapping):
        for key in sorted(found.keys() | expected.keys()):
            one, other = found.get(key, MISSING), expected.get(key, MISSING)
            if not _plainly_equal(one, other):
                yield from differences(one, other, f"{path}.{key}" if path else str(key))
    elif _is_list(found) and _is_list(expected) and len(found) == len(expected):
        for index, (one, other) in enumerate(zip(found, expected, strict=True)):
            if not _plainly_equal(one, other):
                yield from differences(one, other, f"{path}[{index}]")
    else:
        yield path, found, expected


def _plainly_equal(found: Any, expected: Any) -> bool:
    """Whether two leaves are equal to the letter, as nearly all of a document are: nothing else has to be asked of them."""
    kind, other = type(found), type(expected)
    comparable = other in _NUMBERS if kind in _NUMBERS else kind is other and kind in _PLAIN
    return comparable and bool(found == expected)


def shown(value: Any) -> str:
    """A value as a message shows it."""
    match value:
        case float():
            return f"{value:.12g}"
        case str():
            return f'"{value}"' if len(value) <= LONGEST else f'"{value[: LONGEST - 1]}…"'
        case Mapping():
            return f"{len(value)} keys"
        case Sequence():
            return f"[{', '.join(shown(item) for item in value)}]" if len(value) <= 4 else f"a list of {len(value)}"
        case _:
            return "nothing" if value is None else str(value)


def said(found: Any, expected: Any) -> str:
    """The difference in words."""
    return f"it is {shown(found)}, what the document declares and observed gives {shown(expected)}"


def _equal(found: Any, expected: Any) -> bool:
    if _is_number(found) and _is_number(expected):
        return found == expected or math.isclose(found, expected, rel_tol=RELATIVE, abs_tol=ABSOLUTE)
    if isinstance(found, Mapping | Sequence) and not isinstance(found, str):
        return False
    return type(found) is type(expected) and bool(found == expected)


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _is_list(value: Any) -> bool:
    return isinstance(value, Sequence) and not isinstance(value, str | bytes)


class Kind(StrEnum):
    """What a file is to a recheck."""

    EVIDENCE = "evidence"
    REPORT = "report"
    LETTER = "letter"
    PAGE = "page"
    """The report as HTML."""


@dataclass(frozen=True, slots=True)
class Finding:
    """One statement that does not agree with what it rests on."""

    place: str
    """Where it is, e.g. `checks[4] swap.quality`."""
    message: str
    """What is there, and what should be."""

    def __str__(self) -> str:
        """One line: place and message."""
        return f"{self.place}: {self.message}"


@dataclass(frozen=True, slots=True)
class Part:
    """Statements of one kind."""

    name: str
    """What they are, in the plural."""
    total: int
    """How many were rechecked."""
    findings: tuple[Finding, ...]
    """Every disagreement; one statement may have several."""

    @property
    def agreed(self) -> int:
        """How many statements have no finding."""
        return self.total - len({finding.place for finding in self.findings})


def part(name: str, judged: Iterable[tuple[str, Iterable[str]]]) -> Part:
    """The part that statements make up, each given by its place and what is wrong with it."""
    listed = [(place, tuple(messages)) for place, messages in judged]
    return Part(name, len(listed), tuple(Finding(place, message) for place, messages in listed for message in messages))


@dataclass(frozen=True, slots=True)
class Rechecked:
    """One document after its recheck."""

    name: str
    """The file, as the user named it or as it is called in the folder."""
    kind: Kind
    sha256: str
    """Of its bytes."""
    parts: tuple[Part, ...]
    stated: tuple[str, ...] = ()
    """What the document says and this recheck takes as stated, because its inputs are not in the document."""
    first_stage: bool = False
    """Whether it is the evidence of a first stage, after which more was still to run."""
    leaves: Counts | None = None
    """How many leaves of the evidence rest on what; None where the file carries none, or the same file was counted already."""
    conclusion: str | None = None
    """What the evidence concludes once derived again; None where it was not."""

    @property
    def findings(self) -> tuple[Finding, ...]:
        """Everything that does not agree."""
        return tuple(finding for each in self.parts for finding in each.findings)


@dataclass(frozen=True, slots=True)
class First:
    """The first stage in the folder of an audit, after its recheck."""

    outcome: Outcome
    is_one: bool
    """Whether its evidence says that it is a first stage."""
    of_this: bool
    """Whether it is that of the audit in whose folder it lies."""

    @property
    def findings(self) -> tuple[tuple[str, Finding], ...]:
        """Everything that does not agree."""
        own = () if self.is_one else ((FIRST_STAGE, Finding("stage", "it lies there as a first stage, and is not one")),)
        return (*own, *((f"{FIRST_STAGE}/{name}", finding) for name, finding in self.outcome.findings))


@dataclass(frozen=True, slots=True)
class Outcome:
    """The result of `auditor verify`."""

    documents: tuple[Rechecked, ...]
    """Every document that was rechecked."""
    together: Part
    """Whether documents that lie together belong together, and whether a signature covers them."""
    protection: str
    """What protects the bytes that no derivation reaches."""
    not_compared: tuple[str, ...] = ()
    """Files whose pages were not compared with what their evidence gives, each with the reason."""
    others: tuple[str, ...] = ()
    """What else lies in the folder, and was not rechecked."""
    receipts: tuple[str, ...] = ()
    """Receipts of purges that lie there: what was removed since, by the word of files that nothing signs."""
    lacking: tuple[str, ...] = ()
    """Foreign parts that took part and are not installed here as they were: what rests on them was not derived again."""

    first: First | None = None
    """The first stage that lies in the folder, rechecked likewise."""

    def __str__(self) -> str:
        """Each finding on a line, and the result in one sentence."""
        return "\n".join([*self.lines, self.sentence])

    @property
    def lines(self) -> tuple[str, ...]:
        """Everything that does not agree, a line each: what is wrong in the same way in several places is said once, with all."""
        return tuple(f"{name}: {listed(those)}: {message}" for (name, message), those in self._alike.items())

    @property
    def _alike(self) -> Mapping[tuple[str, str], Sequence[str]]:
        """The places of each document that are wrong in the same way, in the order of the first."""
        places: dict[tuple[str, str], list[str]] = {}
        for name, finding in self.findings:
            places.setdefault((name, finding.message), []).append(finding.place)
        return places

    @property
    def first_lines(self) -> tuple[tuple[str, ...], int]:
        """The first lines of each kind of statement where there are many, and how many disagreements the others have."""
        places = self._alike
        if len(places) <= _MANY:
            return self.lines, 0
        shown: dict[tuple[str, str], int] = {}
        kept: list[bool] = []
        for (name, _), those in places.items():
            kind = name, those[0].partition("[")[0]
            shown[kind] = shown.get(kind, 0) + 1
            kept.append(shown[kind] <= _FEW)
        left = sum(len(those) for those, keep in zip(places.values(), kept, strict=True) if not keep)
        return tuple(line for line, keep in zip(self.lines, kept, strict=True) if keep), left

    @property
    def agrees(self) -> bool:
        """Whether everything agrees."""
        return self.exit_code == 0

    @property
    def findings(self) -> tuple[tuple[str, Finding], ...]:
        """Everything that does not agree, each with the document that says it; `files` for several together."""
        own = [(document.name, finding) for document in self.documents for finding in document.findings]
        first = () if self.first is None else self.first.findings
        return (*own, *(("files", finding) for finding in self.together.findings), *first)

    @property
    def exit_code(self) -> int:
        """What `auditor verify` leaves with: 0 where everything agrees, 1 where something does not, 3 where a part is lacking."""
        if self.findings:
            return 1
        lacking = self.lacking or (self.first is not None and self.first.outcome.lacking)
        return LackingPartError.exit_code if lacking else 0

    @property
    def sentence(self) -> str:
        """The result in one sentence; of a first stage it begins by saying so."""
        staged = any(document.first_stage for document in self.documents)
        return f"A first stage, not the result of an audit: nothing in it passes. {self._result}" if staged else self._result

    @property
    def _result(self) -> str:
        count = len(self.findings)
        if count:
            return f"Does not agree: {count} disagreement{'s' if count > 1 else ''}."
        if self.lacking:
            return f"Not rechecked: {'; '.join(self.lacking)}. Protection: {self.protection}."
        if self.not_compared:
            # What a page shows may then be anything: the sentence that stands for everything must not be said.
            return (
                "The evidence can be derived again and is the same; pages not compared: "
                f"{', '.join(self.not_compared)}. {self._trusted}Protection: {self.protection}."
            )
        return f"Agrees: {self._derived_again} {self._trusted}Protection: {self.protection}."

    @property
    def _counts(self) -> Counts | None:
        """Count the values of the evidence that lies here, by what they rest on; None where none does."""
        return next((each.leaves for each in self.documents if each.leaves is not None), None)

    @property
    def _derived_again(self) -> str:
        """How many values were derived again, so that nobody takes the whole document for examined."""
        counts = self._counts
        if counts is None:
            return "everything that can be derived again was derived again and is the same."
        derived = counts.total - counts.of(RestsOn.DECLARED) - counts.of(RestsOn.OBSERVED)
        return f"the {derived} of {counts.total} values that can be derived again were derived again and are the same."

    @property
    def _trusted(self) -> str:
        """How many values are taken on trust, as a sentence; nothing where no evidence lies here."""
        counts = self._counts
        if counts is None:
            return ""
        declared, observed = counts.of(RestsOn.DECLARED), counts.of(RestsOn.OBSERVED)
        return f"Taken on trust: {declared} declared and {observed} observed of {counts.total} values. "
