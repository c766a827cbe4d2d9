"""What long work shows of itself: lines by a clock that nobody waits for, bars on a terminal, or nothing."""

from __future__ import annotations

import io
import sys

import pytest

from auditor.parts.controllers.observing.histories.experiment import QUICK
from auditor.parts.controllers.observing.stages import Pace, expected
from auditor.terminal import progress as shown
from auditor.terminal.progress import Lines, progress, span


class Clock:
    """Time that passes when it is told to."""

    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def written() -> list[str]:
    return []


@pytest.fixture
def lines(clock: Clock, written: list[str]) -> Lines:
    return Lines(written.append, clock)


def test_a_line_a_minute_says_what_runs_how_far_and_what_is_left(lines: Lines, clock: Clock, written: list[str]) -> None:
    lines.on_step("replay", 0, 24)
    for done in range(1, 13):
        clock.now += 10
        lines.on_step("replay", done, 24)
    assert written == [
        "auditor: 60 s so far: replay, 6 of 24 steps, about 3 min left for these steps",
        "auditor: 2 min so far: replay, 12 of 24 steps, about 2 min left for these steps",
    ]


def test_a_step_that_takes_hours_has_its_lines(lines: Lines, clock: Clock, written: list[str]) -> None:
    lines.on_step("clean room 3", 0, 2)
    for _ in range(180):
        clock.now += 60
        lines.tick()
    assert len(written) == 180
    assert written[0] == "auditor: 60 s so far: clean room 3, 0 of 2 steps, time left unknown"
    assert written[-1] == "auditor: 3 h 0 min so far: clean room 3, 0 of 2 steps, time left unknown"
    lines.on_step("clean room 3", 1, 2)
    clock.now += 5400
    lines.tick()
    assert written[-1].endswith("1 of 2 steps, about 90 min left for these steps")


def test_what_is_left_is_told_by_what_was_done_since_it_began(lines: Lines, clock: Clock, written: list[str]) -> None:
    lines.on_step("games", 900, 1000)  # kept of an earlier audit
    clock.now += 60
    lines.on_step("games", 901, 1000)
    assert written[-1].endswith("games, 901 of 1000 steps, about 99 min left for these steps")


def test_of_several_the_one_that_moved_last_is_named_and_none_that_is_over(
    lines: Lines, clock: Clock, written: list[str]
) -> None:
    lines.on_step("first", 1, 3)
    clock.now += 1
    lines.on_step("second", 1, 3)
    clock.now += 1
    lines.on_step("third", 3, 3)
    clock.now += 58
    lines.tick()
    assert "second, 1 of 3" in written[-1]
    for name in ("first", "second"):
        lines.on_step(name, 3, 3)
    clock.now += 60
    lines.tick()
    assert written[-1] == "auditor: 2 min so far: working"


def test_the_name_of_a_job_writes_nothing_but_itself(lines: Lines, clock: Clock, written: list[str]) -> None:
    lines.on_step("a\x1b[2J\nb" + "x" * 500, 0, 1)
    clock.now += 60
    lines.tick()
    assert written[-1].isprintable()
    assert len(written[-1]) < 200


@pytest.mark.parametrize(
    ("seconds", "said"),
    [(0.2, "1 s"), (119.4, "119 s"), (119.6, "2 min"), (7169, "119 min"), (7171, "2 h 0 min"), (9000, "2 h 30 min")],
)
def test_times_in_words(seconds: float, said: str) -> None:
    assert span(seconds) == said


class Terminal(io.StringIO):
    """A stderr that says that it is a terminal."""

    def isatty(self) -> bool:
        return True


def test_silence_writes_nothing_at_all(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    monkeypatch.setattr(shown, "EVERY_S", 0.0)
    with progress(shown=False) as on_step:
        on_step("replay", 1, 2)
    assert terminal.getvalue() == ""


def test_a_terminal_has_a_bar_and_its_colours_can_be_turned_off(monkeypatch: pytest.MonkeyPatch) -> None:
    said = {}
    for wanted in ("colour", "none"):
        monkeypatch.setenv("TERM", "xterm-256color")
        monkeypatch.setenv("NO_COLOR", "1") if wanted == "none" else monkeypatch.delenv("NO_COLOR", raising=False)
        terminal = Terminal()
        monkeypatch.setattr(sys, "stderr", terminal)
        with progress(shown=True) as on_step:
            on_step("replay", 0, 4)
            on_step("replay", 1, 4)
            on_step("[red]name", 1, 4)
        said[wanted] = terminal.getvalue()
        assert "replay" in said[wanted]
        assert "1/4 steps" in said[wanted]
        assert "[red]name" in said[wanted], "a name is no markup"
    assert "\x1b[3" in said["colour"]
    assert "\x1b[3" not in said["none"]


@pytest.mark.parametrize("stderr", [Terminal(), io.StringIO()])
def test_elsewhere_there_are_lines_without_any_code(stderr: io.StringIO, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "dumb")
    monkeypatch.setattr(sys, "stderr", stderr)
    monkeypatch.setattr(shown, "EVERY_S", 0.0)
    with progress(shown=True) as on_step:
        on_step("replay", 1, 2)
    said = stderr.getvalue()
    assert "replay, 1 of 2 steps" in said
    assert "\x1b" not in said


def test_histories_are_counted_towards_a_number_that_is_never_passed() -> None:
    told: list[tuple[str, int, int]] = []
    pace = Pace("state.history_independent", 10, lambda *step: told.append(step))
    for _ in range(5):
        pace.played(7)
    pace.end()
    assert told[0] == ("state.history_independent", 0, 10)
    assert all(done < total for _, done, total in told[:-1])
    assert told[-1][1:] == (35, 35)
    assert expected(QUICK) > 60
