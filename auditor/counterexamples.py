"""Files of counterexamples, `auditor.counterexample/1`: two histories that mean the same and left different states.

A file holds everything that `auditor replay` needs but the controller itself, of which it holds the digest.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any, Final, Literal, TypeAlias

import rfc8785
from pydantic import BaseModel, ConfigDict, Field, ValidationError
from pydantic_core import ErrorDetails

from auditor.checks.history.observed import Observed
from auditor.domain import Problem
from auditor.errors import InputError
from auditor.evidence import Evidence, parse_json
from auditor.histories import LONGEST_TEXT, MOST_OPERATIONS, History, Operation, equivalent

_CHECK: Final = "state.history_independent"
SCHEMA: Final = "auditor.counterexample/1"
LIMIT: Final = 256 * 1024 * 1024
"""Bytes of a file."""

_Text = Annotated[str, Field(max_length=LONGEST_TEXT)]
_Name = Annotated[str, Field(min_length=1, max_length=LONGEST_TEXT)]
Row: TypeAlias = tuple[_Name, _Name, _Text | None]
"""Channel, operation, argument."""
_Side = Annotated[tuple[Row, ...], Field(max_length=MOST_OPERATIONS)]
_Digest = Annotated[str, Field(pattern="^[0-9a-f]{64}$")]


class _Part(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", populate_by_name=True)


class Played(_Part):
    """The controller that the histories were played against."""

    use: str | None = None
    """One of ours by name; null for code of a case."""
    entry: str | None = None
    """`file.py:ClassName` of a case; null for one of ours."""
    params: dict[str, Any] = {}
    digest: _Digest
    """SHA-256 over its name, its parameters and its code."""


class Counterexample(_Part):
    """Two logically equivalent histories (Definition 3.1), and the tape under which their states differ."""

    schema_: Literal["auditor.counterexample/1"] = Field(default=SCHEMA, alias="schema")
    controller: Played
    case: _Digest
    """Digest of the case that it was found in."""
    seed: Annotated[int, Field(ge=0, le=2**53)]
    """The tape: what `initialize` is given."""
    commuting: tuple[_Name, ...]
    """Operations whose order across channels makes no logical difference, as declared."""
    left: _Side
    right: _Side

    @property
    def sides(self) -> tuple[History, History]:
        """The two histories."""
        left, right = (tuple(Operation(*row) for row in side) for side in (self.left, self.right))
        return left, right

    def to_bytes(self) -> bytes:
        """As canonical JSON (RFC 8785), with a line's end."""
        return rfc8785.dumps(self.model_dump(mode="json", by_alias=True)) + b"\n"


def found_in(evidence: Evidence) -> tuple[Counterexample, ...]:
    """The counterexamples that an audit found, those that count."""
    whole = evidence.controller
    observed = None if whole is None else evidence.check(_CHECK).observed
    tried = None if observed is None else Observed.model_validate(observed).tried
    if whole is None or tried is None:
        return ()
    played = Played(use=whole.use, entry=whole.entry, params=whole.params, digest=whole.digest)
    return tuple(
        Counterexample(
            controller=played,
            case=evidence.case.digest,
            seed=each.tape,
            commuting=whole.commuting,
            left=each.left,
            right=each.right,
        )
        for each in tried.counterexamples
        if each.digests[0] != each.digests[1] and equivalent(*each.sides, frozenset(whole.commuting))
    )


def read(path: Path) -> Counterexample:
    """Read a file.

    Raises:
        InputError: With every problem: no such file, no JSON, other keys, histories that do not mean the same.
    """
    name = str(path)
    try:
        content = path.read_bytes() if path.stat().st_size <= LIMIT else None
    except OSError as error:
        raise InputError([Problem(name, "", "a counterexample that can be read", error.strerror or "none")]) from None
    if content is None:
        raise InputError([Problem(name, "", f"at most {LIMIT} bytes", "more")])
    document = parse_json(content, name)
    try:
        found = Counterexample.model_validate(document)
    except ValidationError as error:
        raise InputError([_problem(name, each) for each in error.errors(include_url=False)]) from None
    if (found.controller.use is None) == (found.controller.entry is None):
        raise InputError([Problem(name, "controller", "either use or entry", "both" if found.controller.use else "neither")])
    if not equivalent(*found.sides, frozenset(found.commuting)):
        raise InputError([Problem(name, "right", "a history that means the same as left", "one that means something else")])
    return found


def _problem(name: str, error: ErrorDetails) -> Problem:
    place = ".".join(map(str, error["loc"]))
    return Problem(name, place, f"what the schema {SCHEMA} asks for", error["msg"][:1].lower() + error["msg"][1:])
