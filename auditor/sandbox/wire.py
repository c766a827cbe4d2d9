"""The lines between auditor and child: one JSON object a line, at most 1 MiB, read with suspicion.

The auditor writes requests; the child writes replies. A reply is written by a process that runs foreign code, so the parser
takes exactly the documented keys and types, raises ProcedureError for everything else, and never quotes what it read: it may
hold a seed or personal data.
"""

from __future__ import annotations

import json
import math
import unicodedata
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, NoReturn

from auditor.base.errors import ProcedureError
from auditor.base.records import Floats, Positions
from auditor.sandbox.activations import Activate, Contents
from auditor.sandbox.games import Guess, Play
from auditor.sandbox.steps import (
    TRAIN,
    Device,
    Drop,
    Learn,
    Load,
    Modules,
    Parameters,
    Predict,
    PredictRows,
    Refit,
    Save,
    State,
    Step,
    Survey,
    Together,
    Unlearn,
    Walk,
)

LINE_BYTES = 1024 * 1024
"""The longest line that either side takes, newline included."""

_OF_CONTROLLERS = ("activate", "contents")
"""Steps that a whole controller is asked alone."""
START = "start"
"""The name of the reply, numbered 0, that the child sends when the procedure is built."""


class Called:
    """What one child calls tables and models: numbers, in the order in which they come up."""

    def __init__(self, tables: Iterable[str]) -> None:
        """Number the tables; that to learn from keeps its name."""
        self.tables: Mapping[str, str] = {name: name if name == TRAIN else f"table-{index}" for index, name in enumerate(tables)}
        self._models: dict[str, str] = {}

    def model(self, name: str) -> str:
        """The model's number; a model that is made again under a name keeps it."""
        return self._models.setdefault(name, f"model-{len(self._models) + 1}")


@dataclass(frozen=True, slots=True)
class Reply:
    """One well-formed reply that reports no failure."""

    supported: bool
    facts: Mapping[str, float | bool | str]
    parts: tuple[Mapping[str, float | bool | str], ...] = ()
    """The facts of each step of a Together."""


def printable(text: str, limit: int) -> str:
    """At most `limit` characters of `text`, without control, format and unassigned characters."""
    # Nearly all are: thousands of paths and names for each process. What is printable has no separator but the space.
    if text.isprintable():
        return text[:limit]
    return "".join(" " if character == "\t" else character for character in text if not _hidden(character))[:limit]


def _hidden(character: str) -> bool:
    return character != "\t" and unicodedata.category(character).startswith(("C", "Zl", "Zp"))


def request(step: Step, number: int, called: Called, *, resume: bool | None = None) -> bytes:
    """The line that asks for a step; positions travel in a file alongside it (see `positions`).

    Args:
        step: The step.
        number: Its own.
        called: What the child calls tables and models: the auditor's names say what they are for.
        resume: Of a step that may write a checkpoint, whether there is one to go on from; None for any other.
    """
    asked = {"number": number, "step": step.name} | _asked(step, called)
    return encode(asked if resume is None else asked | {"resume": resume})


def _asked(step: Step, called: Called) -> dict[str, Any]:  # noqa: C901, PLR0911 - one line a kind
    """What a step asks for, without its number."""
    match step:
        case Learn(into=into, seed=seed) | Unlearn(into=into, seed=seed) | Refit(into=into, seed=seed):
            # A string: JSON readers may round integers beyond 53 bits.
            made = {"into": called.model(into), "seed": str(seed)}
            if isinstance(step, Learn):
                return {**made, "elsewhere": True} if step.elsewhere else made
            return {"model": called.model(step.model), **made}
        case Predict(model=model, table=table, rows=rows, may_raise=may_raise):
            asked = {"model": called.model(model), "table": called.tables[table], "every_row": rows is None}
            return asked | {"may_raise": True} if may_raise else asked
        case Parameters(model=model) | State(model=model) | Save(model=model) | Drop(model=model):
            return {"model": called.model(model)}
        case Walk(model=model, everywhere=everywhere):
            return {"model": called.model(model), "everywhere": everywhere}
        case PredictRows(model=model, may_raise=may_raise):
            return {"model": called.model(model), **({"may_raise": True} if may_raise else {})}
        case Together(steps=steps):
            return {"kind": steps[0].name, "steps": [_asked(each, called) for each in steps]}
        case Load(into=into):
            return {"into": called.model(into)}
        case Play(worlds=worlds, seeds=seeds, draws=draws, rounds=rounds, seen=seen, longest=longest):
            rules = {"rounds": rounds, "seen": seen, "longest": longest}
            return {"worlds": worlds, "seeds": [str(each) for each in seeds], "draws": [str(each) for each in draws], **rules}
        case Activate(seconds=seconds, shows_state=shows_state):
            return {"seconds": seconds, "shows_state": shows_state}
        case Device() | Survey() | Modules() | Guess() | Contents():
            return {}


def positions(step: Step) -> dict[str, Positions | Floats]:  # noqa: PLR0911 - one line a kind
    """The arrays that a step carries, by name; for the i-th step of a Together, `name-i`."""
    match step:
        case Unlearn(rows=rows, forget=forget):
            return {"rows": rows, "forget": forget}
        case Learn(rows=rows) | Refit(rows=rows):
            return {"rows": rows}
        case Predict(rows=rows) if rows is not None:
            return {"rows": rows}
        case Together(steps=steps):
            return {f"{name}-{index}": found for index, each in enumerate(steps) for name, found in positions(each).items()}
        case PredictRows(features=features):
            return {"features": features}
        case Guess(released=released):
            return {"released": released}
        case _:
            return {}


def encode(message: Mapping[str, Any]) -> bytes:
    """One JSON object as one line.

    Raises:
        ValueError: If it holds NaN or an infinity, or is longer than a line may be.
        TypeError: If it holds what JSON cannot.
    """
    line = json.dumps(message, allow_nan=False, separators=(",", ":")).encode("ascii") + b"\n"
    if len(line) > LINE_BYTES:
        raise ValueError(f"a message of {len(line)} bytes, {LINE_BYTES} are allowed")
    return line


def parse_reply(line: bytes, *, number: int, name: str, parts: int | None = None) -> Reply:
    """Read one reply.

    Args:
        line: The line, with or without its newline.
        number: The number of the step that was asked.
        name: The name of that step.
        parts: How many steps a Together has, each with facts of its own; None for any other step.

    Raises:
        ProcedureError: If the line is too long, no JSON object, the answer to something else, has other keys or types than
            documented, or reports that the step failed.
    """
    where = place(name, number)
    if len(line) > LINE_BYTES:
        refuse(where, f"an answer of at most {LINE_BYTES} bytes", f"{len(line)} bytes")
    try:
        reply = json.loads(line.decode("utf-8"), parse_constant=_no_constant, object_pairs_hook=_no_duplicates)
    except (ValueError, RecursionError):
        refuse(where, "an answer in JSON", f"a line of {len(line)} bytes that is not JSON")
    if not isinstance(reply, dict):
        refuse(where, "an answer that is a JSON object", f"a {type(reply).__name__}")
    found = (reply.get("number"), reply.get("step"))
    if type(found[0]) is not int or found != (number, name):
        refuse(where, "an answer to this step", "an answer to another step")
    if reply.keys() == {"number", "step", "failed"} and isinstance(reply["failed"], str):
        raise ProcedureError(f"{where} failed: {printable(reply['failed'], 300)}")
    if reply.keys() != {"number", "step", "supported", "facts"}:
        refuse(where, "an answer with supported and facts", "other keys")
    supported = reply["supported"]
    if not isinstance(supported, bool):
        refuse(where, "supported as a boolean", f"a {type(supported).__name__}")
    if parts is None:
        return Reply(supported, _facts(where, reply["facts"]))
    return Reply(supported, {}, _listed_facts(where, reply["facts"], parts))


def place(name: str, number: int) -> str:
    """A step, in the words of an error message."""
    whose = "the controller's" if name in _OF_CONTROLLERS else "the procedure's"
    return f"{whose} {name}" + (f" (step {number})" if number else "")


def _listed_facts(where: str, listed: object, parts: int) -> tuple[dict[str, float | bool | str], ...]:
    if not isinstance(listed, list) or len(listed) != parts:
        found = f"{len(listed)}" if isinstance(listed, list) else f"a {type(listed).__name__}"
        refuse(where, f"an array of {parts} facts", found)
    return tuple(_facts(where, facts) for facts in listed)


def _facts(where: str, facts: object) -> dict[str, float | bool | str]:
    if not isinstance(facts, dict):
        refuse(where, "facts as a flat object", f"a {type(facts).__name__}")
    checked: dict[str, float | bool | str] = {}
    for key, value in facts.items():
        scalar = value if isinstance(value, bool | str) else _number(value)
        if scalar is None:
            refuse(where, "facts that are strings, booleans and finite numbers", f"a {type(value).__name__}")
        checked[key] = scalar
    return checked


def _number(value: object) -> float | None:
    """A JSON number as a finite float; None for everything else."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    try:
        number = float(value)
    except OverflowError:
        return None
    return number if math.isfinite(number) else None


def _no_constant(constant: str) -> NoReturn:
    raise ValueError(constant)


def _no_duplicates(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    if len({key for key, _ in pairs}) != len(pairs):
        raise ValueError("a key twice")
    return dict(pairs)


def written(content: bytes, *, where: str, expected: str) -> Any:
    """Read what the child wrote as JSON; what is in it is for the caller to check.

    Raises:
        ProcedureError: If it is no JSON.
    """
    try:
        return json.loads(content.decode("utf-8", "replace"))
    except (ValueError, RecursionError):
        refuse(where, expected, "something that is no JSON")


def refuse(where: str, expected: str, found: str) -> NoReturn:
    """Raise what the procedure did, with what was expected of it and what was found."""
    raise ProcedureError(f"{where}: expected {expected}, found {found}")
