"""Plays histories with a controller's class, in the process of its own code: only `auditor.sandbox.child` imports this.

Each history has an object of its own and an empty working folder, always of one name: what one history leaves behind, another
must not find. What the code answers is checked here so that it hears of its mistake, and once more by the auditor.
"""

from __future__ import annotations

import os
import shutil
import signal
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import Any

from auditor.base.histories import LONGEST_TEXT, SILENCE
from auditor.sandbox import process_state
from auditor.sandbox.activations import AT_ONCE, LARGEST_STATE, LONGEST_OUTPUT

METHODS = ("initialize", "activate", "state")
_INITIALIZE, _STATE = "initialize(seed)", "state()"
_ONCE = 60.0
"""Seconds of a clock that does not run down."""


class ControllerError(Exception):
    """The controller raised, took too long, or answered with something else than the contract asks for."""


class _TooLongError(BaseException):
    """Time is up. No `Exception`, which a controller may well catch."""


class Stage:
    """Where a controller's class is played: one object at a time."""

    def __init__(self, load: Callable[[], Callable[[], Any]], home: Path) -> None:
        """Note what the kernel keeps, then load the class.

        Args:
            load: Loads it, and returns what makes an object of it.
            home: Where the folder lies in which each object has one of its own.
        """
        self._at = ""
        with self._in_time(_ONCE):
            pass  # every history sets a clock, which leaves its signal another way
        self._before = process_state.kept_by_kernel()
        self._make = load()
        self._folder = home / "play"
        self.controller: Any = None
        """The object of the last history; None before the first."""

    def kept_by_kernel(self) -> bytes:
        """What the kernel keeps now that it did not keep before the class was loaded."""
        now = process_state.kept_by_kernel()
        return "\n".join(f"{name}: {said}" for name, said in sorted(now.items()) if self._before.get(name) != said).encode()

    def play(
        self, plays: Sequence[Sequence[Any]], seconds: float, *, shows_state: bool = True
    ) -> tuple[list[list[Any]], list[bytes]]:
        """Play histories until the answers are many bytes: outputs and length of state of each, and the states.

        Args:
            plays: Tape and script of each: channel, operation, argument, an earlier output as its number in a list.
            seconds: How long it may take.
            shows_state: Whether state() is called after each.

        Raises:
            ControllerError: With the operation at which it stopped.
        """
        facts: list[list[Any]] = []
        states: list[bytes] = []
        held = 0
        with self._in_time(seconds):
            for index, (tape, script) in enumerate(plays):
                outputs = self._one(index, tape, script)
                state = self._state(index, len(script)) if shows_state else b""
                facts.append([outputs, len(state)])
                states.append(state)
                held += len(state) + sum(len(each or "") for each in outputs)
                if held > AT_ONCE:
                    break
        return facts, states

    def _one(self, index: int, tape: int, script: Sequence[Any]) -> list[str | None]:
        self.controller = None
        if not self._folder.exists() or any(self._folder.iterdir()):
            shutil.rmtree(self._folder, ignore_errors=True)
            self._folder.mkdir(exist_ok=True)
        os.chdir(self._folder)
        os.environ["TMPDIR"] = tempfile.tempdir = str(self._folder)
        history = f"history {index + 1}"
        self._at = f"{history}, {_INITIALIZE}"
        outputs: list[str | None] = []
        self.controller = self._call(self._make)
        controller = self.controller
        outputs.append(self._output(self._call(controller.initialize, tape)))
        for number, (channel, operation, argument) in enumerate(script, start=1):
            self._at = f'{history}, operation {number} of {len(script)}, "{operation[:100]}"'
            given = (_text(channel, outputs) or SILENCE, operation, _text(argument, outputs))
            outputs.append(self._output(self._call(controller.activate, *given)))
        return outputs

    def _state(self, index: int, operations: int) -> bytes:
        self._at = f"history {index + 1}, {_STATE} after {operations} operations"
        state = self._call(self.controller.state)
        # The type itself: a class of the controller's could answer otherwise each time that it is asked.
        if type(state) is not bytes:
            raise ControllerError(f"{self._at}: expected bytes, found {_kind(state)}")
        if len(state) > LARGEST_STATE:
            raise ControllerError(f"{self._at}: expected at most {LARGEST_STATE} bytes, found {len(state)}")
        return bytes(state)

    def _call(self, method: Callable[..., Any], *arguments: Any) -> Any:
        try:
            return method(*arguments)
        except Exception as error:
            # What it says may be a person's; the traceback is on stderr all the same.
            raise ControllerError(f"{self._at}: it raised {type(error).__name__}") from error

    def _output(self, output: Any) -> str | None:
        if output is None:
            return None
        if type(output) is not str:
            raise ControllerError(f"{self._at}: expected a text or None, found {_kind(output)}")
        try:
            size = len(output) if len(output) > LONGEST_OUTPUT else len(output.encode())
        except UnicodeEncodeError:
            raise ControllerError(f"{self._at}: expected a text that can be written in UTF-8") from None
        if size > LONGEST_OUTPUT:
            raise ControllerError(f"{self._at}: expected at most {LONGEST_OUTPUT} bytes of text, found more")
        return output

    @contextmanager
    def _in_time(self, seconds: float) -> Iterator[None]:
        """Have a controller that takes too long say where; one that does not listen is ended by the auditor."""

        def ring(_number: int, _frame: FrameType | None) -> None:
            raise _TooLongError

        before = signal.signal(signal.SIGALRM, ring)
        signal.setitimer(signal.ITIMER_REAL, seconds)
        try:
            yield
        except _TooLongError:
            raise ControllerError(f"{self._at}: it was still running after {seconds:g} s") from None
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
            signal.signal(signal.SIGALRM, before)


def _text(text: Any, outputs: Sequence[str | None]) -> str | None:
    """A text, or the earlier output that a number in a list stands for, as `auditor.base.histories.resolved` has it."""
    return (outputs[text[0]] or SILENCE)[:LONGEST_TEXT] if isinstance(text, list) else text


def _kind(value: Any) -> str:
    kind = type(value)
    return f"{kind.__name__}, a class of its own" if kind.__module__ != "builtins" else kind.__name__
