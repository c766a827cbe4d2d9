"""Plays histories in the sandbox: one process for each player, so that two players share nothing that a controller could use."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from types import TracebackType
from typing import Final, Self

import numpy as np

from auditor.audit.replay import limits_of
from auditor.base.domain import Code
from auditor.base.records import Dataset
from auditor.case import Case
from auditor.parts.controllers.observing.histories.playing import Play, Ran
from auditor.sandbox import TRAIN, Activate, Contents, Level, Limits, Modules, ProcedureSpec, Worker
from auditor.sandbox.activations import Held, read_held, read_played
from auditor.settings.controller import ControllerTable, PartTable

MOST_OPERATIONS: Final = 2_000
"""Operations in one exchange, unless a single history has more."""
_SHARE: Final = 0.9
"""Of the time of a call, after which the controller is asked to stop, so that it can say where it was."""
_WHERE: Final = "the controller's histories"


def _spec(case: Case, table: ControllerTable | PartTable, code: Code | None) -> ProcedureSpec:
    """What to build of one program of a case."""
    entry = None
    if table.entry is not None:
        file, _, name = table.entry.rpartition(":")
        entry = f"{(case.folder / file).resolve()}:{name}"
    return ProcedureSpec(use=table.use, entry=entry, settings=dict(table.params), code=code, whole=True)


@dataclass(frozen=True, slots=True)
class Stand:
    """Where a controller is played: what to build, behind which barriers, within which limits."""

    spec: ProcedureSpec
    level: Level
    limits: Limits
    bits: int | None = None
    """Of a seed, where the controller reads no more."""
    on_modules: Callable[[bytes], None] | None = None
    """Called for each process with the code that it had loaded in the end; None to ask for none."""
    on_played: Callable[[int], None] | None = None
    """Called with how many histories an exchange brought."""

    @classmethod
    def of(cls, case: Case, level: Level) -> Stand:
        """That of a case's controller.

        Raises:
            ValueError: If the case has none.
        """
        table = case.settings.controller
        if table is None:
            raise ValueError("expected a case with a controller")
        if table.parts:
            parts = tuple(_spec(case, each, code) for each, code in zip(table.parts, case.controller_parts, strict=True))
            hears = [
                {name: [own, bool(part.vocabulary.arguments[own])] for name, own in part.heard.items()} for part in table.parts
            ]
            spec = ProcedureSpec(use=None, entry=None, settings={"hears": hears}, parts=parts, whole=True)
        else:
            spec = _spec(case, table, case.controller_code)
        return cls(spec, level, limits_of(case), table.tape_bits)

    @classmethod
    def of_table(cls, table: ControllerTable, level: Level, limits: Limits) -> Stand:
        """That of a controller of ours.

        Raises:
            ValueError: If it is not one.
        """
        spec = ProcedureSpec(use=table.use, entry=None, settings=dict(table.params), whole=True)
        return cls(spec, level, limits, table.tape_bits)

    @property
    def parts(self) -> tuple[Stand, ...]:
        """Of two programs side by side, where each is played by itself."""
        return tuple(replace(self, spec=each) for each in self.spec.parts)

    def player(self) -> SandboxedPlayer:
        """A player in a process of its own, to be entered."""
        return SandboxedPlayer(self)


class SandboxedPlayer:
    """Plays histories in one process, as a context manager; enter and leave it in the same thread."""

    def __init__(self, stand: Stand) -> None:
        """Take note of what to play; nothing starts before the context is entered."""
        self._seconds = _SHARE * stand.limits.timeout_s
        self._on_modules, self._on_played = stand.on_modules, stand.on_played
        self._tapes = None if stand.bits is None else 2**stand.bits
        self._worker = Worker(stand.spec, {TRAIN: _nothing()}, limits=stand.limits, level=stand.level)

    def __enter__(self) -> Self:
        """Start the process.

        Raises:
            ProcedureError: If the controller's class cannot be had.
            SandboxError: If the barriers cannot be put up.
        """
        self._worker.__enter__()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        """End the process; where all went well, ask it first what code it loaded.

        Raises:
            ProcedureError: If it does not say.
            SandboxError: If it cannot be ended.
        """
        try:
            if kind is None and self._on_modules is not None:
                self._on_modules(self._worker.run(Modules()).content or b"")
        finally:
            self._worker.__exit__(kind, error, trace)

    def play(self, plays: Sequence[Play]) -> list[Ran]:
        """Play histories in order, each by an object of its own.

        Raises:
            ProcedureError: If the controller raised, took too long, or answered with something else than the contract asks for;
                with the operation at which it did.
            SandboxError: If the machine has no room left.
        """
        if self._tapes is not None:
            plays = [each._replace(tape=each.tape % self._tapes) for each in plays]
        found: list[Ran] = []
        for batch in _batches(plays):
            left = batch
            while left:
                step = Activate(tuple((each.tape, each.script) for each in left), self._seconds)
                content = self._worker.run(step).content or b""
                played = read_played(content, step, where=_WHERE)
                found += (Ran(each.outputs, each.state) for each in played)
                left = left[len(played) :]
                if self._on_played is not None:
                    self._on_played(len(played))
        return found

    def play_unshown(self, play: Play) -> None:
        """Play one history and never call state(), in which a program may tidy up; raises what `play` raises."""
        tape = play.tape if self._tapes is None else play.tape % self._tapes
        step = Activate(((tape, play.script),), self._seconds, shows_state=False)
        read_played(self._worker.run(step).content or b"", step, where=_WHERE)

    def held(self) -> Held:
        """Everything that the controller of the last history holds, and what it left in files.

        Raises:
            ProcedureError: If that could not be had.
        """
        return read_held(self._worker.run(Contents()).content or b"", where="what the controller holds")


def _batches(plays: Sequence[Play]) -> Iterator[Sequence[Play]]:
    start = held = 0
    for index, each in enumerate(plays):
        if index > start and held + len(each.script) > MOST_OPERATIONS:
            yield plays[start:index]
            start, held = index, 0
        held += len(each.script) + 1
    if plays[start:]:
        yield plays[start:]


def _nothing() -> Dataset:
    """No records: a controller learns from none."""
    return Dataset(np.zeros((0, 0)), np.array([], dtype=np.int64), np.array([], dtype=np.str_))
