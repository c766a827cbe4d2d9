"""Files of counterexamples, `auditor.counterexample/1`: two histories that mean the same and left different states.

A game of deletion-as-control is one: with the person, who deletes in the end, and without.

A file holds everything that `auditor replay` needs but the controller itself, of which it holds the digest.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any, Final, Literal, TypeAlias

import rfc8785
from pydantic import BaseModel, ConfigDict, Field, ValidationError
from pydantic_core import ErrorDetails

from auditor.base.domain import Problem, Status
from auditor.base.errors import InputError
from auditor.base.histories import LONGEST_TEXT, MOST_OPERATIONS, History, Operation, equivalent
from auditor.base.validation import expected_of, value_found
from auditor.case.files import read_source
from auditor.document.evidence import Evidence
from auditor.document.evidence_files import parse_json
from auditor.parts.controllers.judging.control import control_game
from auditor.parts.controllers.judging.control.judging import Observed as Games
from auditor.parts.controllers.judging.control.judging import counts as game_counts
from auditor.parts.controllers.judging.history.judging import counts
from auditor.parts.controllers.judging.history.observed import Observed

_CHECK: Final = "state.history_independent"
SCHEMA: Final = "auditor.counterexample/1"
LIMIT: Final = 256 * 1024 * 1024
_SHOWN: Final = 80
"""Characters of what was found that a problem shows."""
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
    """`file.py:ClassName` of a case, or the names of two programs side by side; null for one of ours."""
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
    if whole is None:
        return ()
    commuting = frozenset(whole.commuting)
    played = Played(use=whole.use, entry=whole.named if whole.use is None else None, params=whole.params, digest=whole.digest)
    pairs = dict.fromkeys((*_of_histories(evidence, commuting), *_of_games(evidence, commuting)))
    return tuple(
        Counterexample(
            controller=played,
            case=evidence.case.digest,
            seed=tape,
            commuting=whole.commuting,
            left=_rows(left),
            right=_rows(right),
        )
        for tape, left, right in pairs
    )


def _contents(evidence: Evidence) -> tuple[bytes, ...]:
    return tuple(each.to_bytes() for each in found_in(evidence))


RESULTS: Final = {"counterexample-": _contents}


def _of_histories(evidence: Evidence, commuting: frozenset[str]) -> Iterator[tuple[int, History, History]]:
    observed = evidence.check(_CHECK).observed
    tried = None if observed is None else Observed.model_validate(observed).tried
    for each in () if tried is None else tried.counterexamples:
        if counts(each, commuting):
            yield each.tape, *each.sides


def _of_games(evidence: Evidence, commuting: frozenset[str]) -> Iterator[tuple[int, History, History]]:
    check = evidence.check(control_game.CARD.id)
    # Where nothing failed, another tape explains the difference.
    tried = Games.model_validate(check.observed).tried if check.status is Status.FAIL else None
    for each in () if tried is None else tried.cases:
        alone = tuple(said for said in each.history if said.channel != each.subject)
        if game_counts(each, control_game.CARD.id) and equivalent(each.history, alone, commuting):
            yield each.tape, each.history, alone


def _rows(history: History) -> tuple[Row, ...]:
    return tuple((each.channel, each.operation, each.argument) for each in history)


def read(path: Path) -> Counterexample:
    """Read a file.

    Raises:
        InputError: With every problem: no such file, no JSON, other keys, histories that do not mean the same.
    """
    name = str(path)
    document = parse_json(read_source(path, limit=LIMIT).data, name)
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
    return Problem(name, place, f"{expected_of(error)}, as the schema {SCHEMA} has it", value_found(error, _SHOWN))
