"""What can be asked of a procedure, and what comes back: the whole vocabulary between auditor and child.

Models never cross. They live in the child under names that the auditor chooses, and each step says which name it reads and
which it writes; what crosses back is numbers, bytes and scalars.

A seed may be larger than 64 bits and is a secret: no `repr` here shows one.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, ClassVar, Final, TypeAlias

import numpy as np

from auditor.base.domain import Code
from auditor.base.errors import ProcedureError
from auditor.base.records import Floats, Positions
from auditor.case import code as case_code
from auditor.sandbox.activations import Activate, Contents
from auditor.sandbox.games import Guess, Play

_WRITTEN: Final = 315_532_800
"""1980, when every copy of a file of code was last written: Python keeps the time with the lines of a file that it has shown."""


# The controller's code in the scratch folder: the very bytes that were digested when the case was read.
def read_controller(entry: str) -> Code:
    """Read the code of an entry that comes from no case.

    Args:
        entry: `/absolute/path.py:ClassName`.

    Raises:
        ProcedureError: If it, or what lies alongside it, is not such as a case may bring.
    """
    path = Path(entry.rpartition(":")[0])
    if path.suffix != ".py":
        raise ProcedureError("the procedure's start failed: expected a Python file as entry, found something else")
    code, problems = case_code.read(path.parent.resolve() / path.name, path.name)
    if problems:
        raise ProcedureError(f"the procedure's start failed: {'; '.join(str(problem) for problem in problems[:3])}")
    return code


def write(code: Code, entry: str, into: Path) -> str:
    """Write the files of an entry.

    Args:
        code: What was read; the entry's file is its first.
        entry: `/absolute/path.py:ClassName`.
        into: An empty folder.

    Returns:
        The entry in that folder: `<into>/path.py:ClassName`.
    """
    for file in code.everything:
        target = into / file.name
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(file.content)
        os.utime(target, (_WRITTEN, _WRITTEN))
    return f"{into / code.files[0].name}:{entry.rpartition(':')[2]}"


TRAIN = "train"
"""The table that Learn, Unlearn and Refit take their rows from."""

MOST_TOGETHER = 2000
"""Steps in one exchange: request and answers are one line each, which has its length."""


@dataclass(frozen=True, slots=True)
class ProcedureSpec:
    """Which procedure to build: one of ours (`use`), the controller's own (`entry`), or one of ours around their class.

    Raises:
        ValueError: If neither `use` nor `entry` is given, or `entry` is not `/absolute/path.py:Class`.
    """

    use: str | None
    entry: str | None
    """Absolute path and class name, `/path/procedure.py:ClassName`. Alongside `use` it is what our procedure trains: it gets the
    class as `module`, and the controller's code runs all the same."""
    settings: Mapping[str, Any] = field(default_factory=dict)
    """JSON values: hyperparameters of a built-in, keyword arguments of a foreign class. Never a seed."""
    requester: str | None = None
    """For Play and Guess: one of our requesters by name, or `/path/requester.py:ClassName`."""
    code: Code | None = None
    """What the entry may open and import, as the case was read; without a case it is read here, once. None for a built-in."""
    requester_code: Code | None = None
    """The same of a requester."""
    whole: bool = False
    """Whether it is a whole controller, asked by Activate and Contents alone."""
    parts: tuple[ProcedureSpec, ...] = ()
    """Two whole controllers that run side by side as one, in the place of `use` and `entry`; `hears` in the settings says by
    which name each is asked for an operation of the pair, and whether it is given the argument."""
    rows: Mapping[str, Any] | None = None
    """What [data] says of a record, for a class that derives from `TrainingLoop`: `labels`, the distinct ones, sorted, or None
    for a regression; `shape`, or None for flat; `whole`, whether features are integers. None where nothing learns."""

    def __post_init__(self) -> None:
        """Refuse a specification that names no procedure, and hold on to the bytes of the code: what runs is never read again.

        Raises:
            ProcedureError: If the code cannot be read.
        """
        if self.use is None and self.entry is None and not self.parts:
            raise ValueError("a procedure has `use`, `entry`, or both")
        for given in (self.entry, self.requester if self.brings_requester else None):
            if given is None:
                continue
            path, _, name = given.rpartition(":")
            if not path.startswith("/") or not name.isidentifier():
                raise ValueError(f"entry: expected /absolute/path.py:ClassName, found {given}")
        if self.entry is not None and self.code is None:
            object.__setattr__(self, "code", read_controller(self.entry))
        if self.requester is not None and self.brings_requester and self.requester_code is None:
            object.__setattr__(self, "requester_code", read_controller(self.requester))

    @property
    def brings_requester(self) -> bool:
        """Whether the requester is code from the case."""
        return self.requester is not None and ":" in self.requester


def kind_of(step: Step) -> str:
    """Name what a step does, so that those have different names whose times have nothing to do with one another."""
    match step:
        case Walk(everywhere=True):
            return f"{step.name} everywhere"
        case Together(steps=steps):
            return f"{step.name} {steps[0].name}"
    return step.name


def _require_positions(name: str, positions: Positions) -> None:
    if not isinstance(positions, np.ndarray) or positions.dtype != np.int64 or positions.ndim != 1:
        raise ValueError(f"{name}: expected a one-dimensional int64 array of positions")


@dataclass(frozen=True, slots=True, eq=False)
class Learn:
    """`learn(data, seed)` on the rows of the training table."""

    name: ClassVar[str] = "learn"
    into: str
    rows: Positions
    """Shape (n,): positions in the training table."""
    seed: int = field(repr=False)
    elsewhere: bool = False
    """Whether the rows shall lie at another place in memory than they otherwise would."""

    def __post_init__(self) -> None:
        """Refuse anything but positions."""
        _require_positions("rows", self.rows)


@dataclass(frozen=True, slots=True, eq=False)
class Unlearn:
    """`unlearn(model, data, forget, seed)`; data holds the rows before this batch, those to forget included."""

    name: ClassVar[str] = "unlearn"
    model: str
    into: str
    rows: Positions
    """Shape (n,): positions in the training table."""
    forget: Positions
    """Shape (m,): distinct positions within `rows`."""
    seed: int = field(repr=False)

    def __post_init__(self) -> None:
        """Refuse positions that do not lie within the rows, or that repeat."""
        _require_positions("rows", self.rows)
        _require_positions("forget", self.forget)
        inside = self.forget.size == 0 or (self.forget.min() >= 0 and self.forget.max() < self.rows.size)
        if not inside or np.unique(self.forget).size != self.forget.size:
            raise ValueError("forget: expected distinct positions within rows")


@dataclass(frozen=True, slots=True, eq=False)
class Refit:
    """Optional `refit(model, data, seed)`: training again on the rows, started at a model that exists."""

    name: ClassVar[str] = "refit"
    model: str
    into: str
    rows: Positions
    """Shape (n,): positions in the training table."""
    seed: int = field(repr=False)

    def __post_init__(self) -> None:
        """Refuse anything but positions."""
        _require_positions("rows", self.rows)


@dataclass(frozen=True, slots=True)
class Parameters:
    """Optional `parameters(model)`: shape (d,), finite."""

    name: ClassVar[str] = "parameters"
    model: str


@dataclass(frozen=True, slots=True, eq=False)
class Predict:
    """`predict(model, features)` over the rows of a table, every one or those named."""

    name: ClassVar[str] = "predict"
    model: str
    table: str
    columns: int | None
    """How many classes: rows must be probabilities over so many columns. None: regression, one real value a row."""
    rows: Positions | None = None
    """Shape (n,): positions in the table; None for all of them in order."""
    may_raise: bool = False
    """Whether to raise is an answer too: rows that the auditor made up need not be such as a procedure takes."""

    def __post_init__(self) -> None:
        """Refuse anything but positions."""
        if self.rows is not None:
            _require_positions("rows", self.rows)


@dataclass(frozen=True, slots=True)
class State:
    """Optional `state(model)`: everything that the procedure keeps, as bytes."""

    name: ClassVar[str] = "state"
    model: str


@dataclass(frozen=True, slots=True)
class Save:
    """Optional `save(model, path)`: the one file that it writes, as bytes."""

    name: ClassVar[str] = "save"
    model: str


@dataclass(frozen=True, slots=True)
class Load:
    """Optional `load(path)` of a file with these bytes, which only the child ever opens.

    Not supported where the method is lacking, or refuses the file: then the fact `refused` names the kind of error.
    """

    name: ClassVar[str] = "load"
    into: str
    content: bytes = field(repr=False)


@dataclass(frozen=True, slots=True)
class Survey:
    """What lies outside the models and could outlast an update, each thing with a digest; no method is called.

    It is for naming what changed: the code whose state it examines runs in the same process and could deceive it.
    """

    name: ClassVar[str] = "survey"


@dataclass(frozen=True, slots=True)
class Modules:
    """Which files of code the process has loaded by now, by its own report and by its memory map; no method is called."""

    name: ClassVar[str] = "modules"


@dataclass(frozen=True, slots=True)
class Walk:
    """Everything that a model, its procedure and the case's modules hold, item by item; no method is called.

    The code whose objects these are runs in the same process and could deceive it: it can only be held against that code.
    """

    name: ClassVar[str] = "walk"
    model: str
    everywhere: bool = False
    """Whether whatever changed elsewhere in the process, as in libraries, is walked through as well."""


@dataclass(frozen=True, slots=True, eq=False)
class PredictRows:
    """`predict(model, features)` over rows that cross with the question, so that no earlier step can have read them."""

    name: ClassVar[str] = "predict-rows"
    model: str
    features: Floats
    """Shape (n, d)."""
    columns: int | None
    """As in Predict."""
    may_raise: bool = False
    """As in Predict."""


@dataclass(frozen=True, slots=True)
class Drop:
    """Forget a model that is not needed any more; no method is called."""

    name: ClassVar[str] = "drop"
    model: str


@dataclass(frozen=True, slots=True)
class Device:
    """Use a CUDA device, in the very process that the procedure runs in; no method is called."""

    name: ClassVar[str] = "device"


@dataclass(frozen=True, slots=True, eq=False)
class Together:
    """Many Learn, many Unlearn or many Predict in one exchange, for a procedure that can do many at a time.

    Answered by the optional `learn_many(datas, seeds)`, `unlearn_many(models, datas, forgets, seeds)` or
    `predict_many(models, features)`, each of which returns a list; without it, by one call after another. Each of its steps has
    the time of one call, so that all together may take as many times as long. Only for procedures of ours: what the controller
    wrote must not see so many models at once.

    Raises:
        ValueError: If there are none, too many or different ones; if two make a model of one name; or if one reads what another
            makes or changes.
    """

    name: ClassVar[str] = "together"
    steps: tuple[Learn | Unlearn | Predict, ...]

    def __post_init__(self) -> None:
        """Refuse steps whose answers would depend on their order."""
        kinds = {type(step) for step in self.steps}
        if len(kinds) != 1 or not kinds <= {Learn, Unlearn, Predict}:
            raise ValueError("together: expected several Learn, several Unlearn or several Predict")
        if len(self.steps) > MOST_TOGETHER:
            raise ValueError(f"together: expected at most {MOST_TOGETHER} steps, found {len(self.steps)}")
        made = [step.into for step in self.steps if not isinstance(step, Predict)]
        read = [step.model for step in self.steps if isinstance(step, Unlearn)]
        if len({*made, *read}) != len(made) + len(read):
            raise ValueError("together: expected models of different names")


Step: TypeAlias = (
    Learn
    | Unlearn
    | Refit
    | Parameters
    | Predict
    | PredictRows
    | State
    | Save
    | Load
    | Survey
    | Modules
    | Walk
    | Drop
    | Device
    | Together
    | Play
    | Guess
    | Activate
    | Contents
)

OPTIONAL = (Refit, Parameters, State, Save, Load)
"""The steps whose method a procedure may lack."""


@dataclass(frozen=True, slots=True, eq=False)
class Answer:
    """What came back for one step, checked."""

    step: Step
    seconds: float
    """Wall-clock seconds from question to answer by the auditor's clock: the procedure's call, and what the child does around it.
    Files are written before and read after. 0 where nothing was called."""
    array: Floats | None
    """Parameters: (d,). Predict, PredictRows: (n, columns), or (n,) for regression. Play: (games, k),
    what was released. Guess: (games,), 0 or 1. float64 and finite; None for every other step."""
    content: bytes | None
    """State, Save: what was returned or written. Survey: what `surveyed.read` reads. Modules: what `modules.read` reads. Walk:
    what `walked.read` reads. Activate, Contents: what `activations` reads. None for every other step."""
    facts: Mapping[str, float | bool | str]
    """Learn, Unlearn, Refit: what the optional `facts(model)` says. Device: `device`, which is "cuda", and `device_name`. Survey:
    for `parameters`, `save` and `load` whether there is such a method. Load and Predict, where they are not supported: `refused`,
    if they were. Empty for every other step."""
    supported: bool
    """False where the procedure lacks the optional method, refuses to load or, where it may, to predict, or where the step reads
    a model that such a step did not make."""
    parts: tuple[Answer, ...] = ()
    """Together: the answers to its steps, in their order, each with an equal share of the seconds; empty for every other step."""


def count(step: Step) -> int:
    """How many calls a step stands for."""
    match step:
        case Together(steps=steps):
            return len(steps)
        case Play():
            return step.calls
        case Guess(released=released):
            return len(released)
        case Modules():
            return 0
        case _:
            return 1
