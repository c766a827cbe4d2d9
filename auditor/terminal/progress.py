"""What long work shows of itself on stderr: bars with the time that is left on a terminal, a line a minute anywhere else."""

from __future__ import annotations

import os
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from auditor.terminal.output import say, whisper

if TYPE_CHECKING:
    from rich.progress import Progress

OnStep: TypeAlias = Callable[[str, int, int], None]
"""Takes the name of what runs, the steps done and the steps in all."""

EVERY_S: Final = 60.0
"""Seconds between two lines."""
_LOOK_S: Final = 1.0
_NAME: Final = 60


class Shown:
    """Takes steps, and better estimates of what is left than a count of them; shows neither by itself."""

    def __call__(self, name: str, done: int, total: int, /) -> None:
        """Take note of a step: the name of what runs, the steps done and the steps in all."""

    def left(self, name: str, seconds: float) -> None:
        """Take note of the seconds that are left of something, by the steps that it has yet to take."""


@contextmanager
def progress(*, shown: bool) -> Iterator[Shown]:
    """Show what runs, how far it is and what is left of it for as long as the context lasts; nothing unless it is to be shown."""
    if not shown:
        yield Shown()
    elif sys.stderr.isatty() and os.environ.get("TERM") != "dumb":
        with _bars() as bars:
            yield bars
    else:
        with beating(Lines(whisper)) as lines:
            yield lines


@dataclass(slots=True)
class _Phase:
    """One thing that runs."""

    began: float
    before: int
    """Steps that were done when it was first heard of."""
    done: int
    total: int
    moved: float
    left: float | None = None
    """Seconds that were left when it moved, where that was told."""


class Lines(Shown):
    """Lines of text about what runs, one a minute at most; any thread may call."""

    def __init__(self, write: Callable[[str], None], clock: Callable[[], float] = time.monotonic) -> None:
        """Begin now.

        Args:
            write: Takes a line.
            clock: Seconds that only grow.
        """
        self._write, self._clock = write, clock
        self._lock = threading.Lock()
        self._began = self._written = clock()
        self._phases: dict[str, _Phase] = {}

    def __call__(self, name: str, done: int, total: int, /) -> None:
        """Take note of a step; write a line where one is due."""
        self.on_step(name, done, total)

    def left(self, name: str, seconds: float) -> None:
        """Take note of what is left, which counts for the next line."""
        with self._lock:
            if (phase := self._phases.get(name)) is not None:
                phase.left = seconds

    def on_step(self, name: str, done: int, total: int) -> None:
        """Take note of a step; write a line where one is due."""
        with self._lock:
            now = self._clock()
            phase = self._phases.get(name)
            if phase is None or done < phase.done:  # the same work once more
                self._phases[name] = _Phase(now, done, done, total, now)
            else:
                phase.done, phase.total, phase.moved = done, total, now
            self._write_if_due(now)

    def tick(self) -> None:
        """Write a line where one is due, though no step was heard of."""
        with self._lock:
            self._write_if_due(self._clock())

    def _write_if_due(self, now: float) -> None:
        if now - self._written >= EVERY_S:
            self._written = now
            self._write(say("cli-progress", elapsed=span(now - self._began), running=self._running(now)))

    def _running(self, now: float) -> str:
        """What runs: the unfinished phase that moved last."""
        running = [(phase.moved, name) for name, phase in self._phases.items() if phase.done < phase.total]
        if not running:
            return say("cli-progress-between")
        name = max(running)[1]
        phase = self._phases[name]
        steps = say("cli-progress-steps", name=_clean(name), done=phase.done, total=phase.total)
        left = _left(phase, now)
        return steps + (say("cli-progress-unknown") if left is None else say("cli-progress-left", left=span(left)))


def _left(phase: _Phase, now: float) -> float | None:
    """Seconds that are left of a phase, as it was told, else at its own pace; None where nothing says so or it is overdue."""
    done, since = phase.done - phase.before, now - phase.moved
    if phase.left is not None:
        left = phase.left - since
    elif done > 0:
        # At the pace up to the last step: while a long one runs, what is left does not seem to grow.
        left = (phase.moved - phase.began) / done * (phase.total - phase.done) - since
    else:
        return None
    return left if left > 0 else None


def span(seconds: float) -> str:
    """Say a time; the words are read when something is printed."""
    from auditor.pages.words import lists  # noqa: PLC0415

    return lists.span(seconds)


def _clean(name: str) -> str:
    return "".join(each if each.isprintable() else "?" for each in name[:_NAME])


@contextmanager
def beating(lines: Lines) -> Iterator[Lines]:
    """Look at the clock while no step ends, for some take longer than a minute."""
    ended = threading.Event()

    def beat() -> None:
        while not ended.wait(_LOOK_S):
            lines.tick()

    thread = threading.Thread(target=beat, name="progress", daemon=True)
    thread.start()
    try:
        yield lines
    finally:
        ended.set()
        thread.join()


@contextmanager
def _bars() -> Iterator[Shown]:
    """A bar for each thing that runs, and one for the whole, which moves as long as anything does."""
    from rich.console import Console  # noqa: PLC0415 - a terminal alone needs it
    from rich.progress import BarColumn, Progress, SpinnerColumn, TextColumn, TimeElapsedColumn  # noqa: PLC0415

    columns: tuple[Any, ...] = (
        SpinnerColumn(finished_text=" "),
        TextColumn("{task.description:<11}", markup=False),
        BarColumn(),
        TextColumn("{task.fields[steps]}", markup=False),
        TimeElapsedColumn(),
        TextColumn("{task.fields[left]}", markup=False),
    )
    with Progress(*columns, console=Console(stderr=True), transient=True) as bars:
        bars.add_task(say("cli-progress-whole"), total=None, steps="", left="")
        yield _Bars(bars)


class _Bars(Shown):
    """Bars on a terminal."""

    def __init__(self, bars: Progress) -> None:
        self._bars = bars
        self._tasks: dict[str, Any] = {}
        self._phases: dict[str, _Phase] = {}
        self._lock = threading.Lock()

    def __call__(self, name: str, done: int, total: int, /) -> None:
        """Move the bar of something."""
        with self._lock:
            now = time.monotonic()
            if name not in self._tasks:
                self._tasks[name] = self._bars.add_task(_clean(name), total=total, steps="", left="")
                self._phases[name] = _Phase(now, done, done, total, now)
            phase = self._phases[name]
            phase.done, phase.total, phase.moved = done, total, now
            self._show(name)

    def left(self, name: str, seconds: float) -> None:
        """Show what is left of it."""
        with self._lock:
            if name in self._phases:
                self._phases[name].left = seconds
                self._show(name)

    def _show(self, name: str) -> None:
        phase = self._phases[name]
        left = _left(phase, phase.moved) if phase.done < phase.total else None
        steps = say("cli-progress-of", done=phase.done, total=phase.total)
        about = "" if left is None else say("cli-progress-about", left=span(left))
        self._bars.update(self._tasks[name], completed=phase.done, total=phase.total, steps=steps, left=about)
