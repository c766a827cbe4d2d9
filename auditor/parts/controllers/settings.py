"""The controllers that this part brings, one entry each: what it may be asked, what its class takes, and where the class is."""

from __future__ import annotations

from typing import Annotated, Final, Literal

from pydantic import Field

from auditor.base.histories import ANY_WORD, Vocabulary
from auditor.maths.certificates.prefix_sums import Factorisation
from auditor.settings.controller import MOST_TAPE_BITS, ControllerEntry
from auditor.settings.values import Table

_HOME: Final = "auditor.parts.controllers.learning"
_WORD: Final = (ANY_WORD,)
_KEYED: Final = Vocabulary({"set": _WORD, "get": ()}, frozenset({"set", "get"}))

_COUNTED: Final = Vocabulary({"add": (), "tick": ()}, frozenset({"add"}), frozenset({"tick"}))
_TRAINED: Final = Vocabulary({"add": ("0.5,-1,1", "-0.2,0.7,-1"), "tick": ()}, frozenset({"add"}), frozenset({"tick"}))
_DIRECTORY: Final = Vocabulary({"set": _WORD, "get": _WORD, "getCount": ()}, frozenset({"set", "get"}), frozenset({"getCount"}))


class Xor(Table):
    """How much of it there is to guess."""

    bits: Annotated[int, Field(ge=1, le=MOST_TAPE_BITS)] | None = None
    """Of the start and of the seed, so few that every seed can be played; left out for 128."""


class Sqlite(Table):
    """How SQLite deletes, and keeps its journal."""

    secure_delete: bool = True
    """Whether SQLite overwrites what it deletes."""
    journal: Literal["delete", "wal"] = "delete"
    """How it keeps its journal."""


_LEAST_EPSILON: Final = 1e-9
"""Below it noise on whole numbers no longer fits into 64 bits, and two draws at their limit cancel: nothing would be hidden."""


class BatchCount(Table):
    """What one release of a count promises."""

    epsilon: Annotated[float, Field(ge=_LEAST_EPSILON, le=100)] = 1.0
    """Of the differential privacy of what is released."""


class BatchModel(BatchCount):
    """What one release of a model promises."""

    delta: Annotated[float, Field(gt=0, lt=1)] = 1e-6
    """Of the same."""
    features: Annotated[int, Field(ge=1, le=20)] = 2
    """Numbers of each record."""


class Continual(BatchCount):
    """What a counter under continual release promises."""

    delta: Annotated[float, Field(gt=0, lt=1)] = 1e-6
    """Of the same."""
    horizon: Annotated[int, Field(ge=1, le=10**7)] = 1_000
    """Ticks that it is made for."""


class SquareRoot(Continual):
    """The same, with memory for every tick."""

    horizon: Annotated[int, Field(ge=1, le=10**5)] = 1_000
    """Ticks that it is made for; it keeps a number for each."""


class ContinualModel(Continual):
    """What a model promises that is kept up to date from a stream."""

    horizon: Annotated[int, Field(ge=1, le=10**4)] = 1_000
    """Ticks that it is made for; with "square-root" it keeps `features` numbers for each."""
    features: Annotated[int, Field(ge=1, le=20)] = 2
    """Numbers of each record."""
    factorisation: Factorisation = "square-root"
    """Of the matrix of prefix sums: what is summed before noise is added."""
    rate: Annotated[float, Field(gt=0, le=1e6)] | None = None
    """How far a gradient of length 1 moves the weights; left out for one over the noise of the last release."""


class NoisyDescentModel(Table):
    """What a model promises that forgets how it came to its data."""

    epsilon: Annotated[float, Field(ge=0.01, le=100)] = 1.0
    """Of its adaptive history independence."""
    delta: Annotated[float, Field(ge=1e-12, lt=1)] = 1e-6
    """Of the same."""
    features: Annotated[int, Field(ge=1, le=20)] = 2
    """Numbers of each record."""
    regularisation: Annotated[float, Field(ge=1e-3, le=100)] = 0.1
    """Of the squared length of the weights, halved: the more of it, the fewer steps follow each operation."""
    noise: Annotated[float, Field(ge=0.01, le=100)] = 0.1
    """In each number of each step, as a standard deviation."""


CONTROLLERS: Final = (
    ControllerEntry("batch-count", f"{_HOME}.batch:BatchCount", _COUNTED, BatchCount),
    ControllerEntry("batch-model", f"{_HOME}.batch:BatchModel", _TRAINED, BatchModel),
    ControllerEntry(
        "bulletin-board",
        f"{_HOME}.elementary:BulletinBoard",
        Vocabulary({"post": _WORD, "read": ()}, frozenset({"read"})),
    ),
    ControllerEntry(
        "cloud-storage",
        f"{_HOME}.elementary:CloudStorage",
        Vocabulary({"upload": _WORD, "download": _WORD}, frozenset({"upload", "download"})),
    ),
    ControllerEntry("continual-model", f"{_HOME}.continual_model:ContinualModel", _TRAINED, ContinualModel),
    ControllerEntry("dictionary", f"{_HOME}.elementary:Dictionary", _KEYED),
    ControllerEntry(
        "noisy-descent-model",
        f"{_HOME}.noisy_descent_model:NoisyDescentModel",
        Vocabulary({"add": _TRAINED.arguments["add"], "read": ()}, frozenset({"add", "read"})),
        NoisyDescentModel,
        fades=True,
    ),
    ControllerEntry("public-directory", f"{_HOME}.public_directory:PublicDirectory", _DIRECTORY, Continual),
    ControllerEntry("sqlite", f"{_HOME}.sqlite:Sqlite", _KEYED, Sqlite, wipes="secure_delete"),
    ControllerEntry("sqlite-rebuilt", f"{_HOME}.sqlite:SqliteRebuilt", _KEYED),
    ControllerEntry("square-root-counter", f"{_HOME}.compiled:SquareRootCount", _COUNTED, SquareRoot),
    ControllerEntry("tree-counter", f"{_HOME}.compiled:TreeCount", _COUNTED, Continual),
    ControllerEntry(
        "xor", f"{_HOME}.elementary:Xor", Vocabulary({"add": _WORD}, frozenset({"add"})), Xor, hides=True, bits="bits"
    ),
)
