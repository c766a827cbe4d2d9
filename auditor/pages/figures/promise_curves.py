"""The figure of promises: the trade-off between the two errors of anyone who tells two worlds apart, and what attacks reached.

Across is the type I error, how often records are named that were never used; upwards the type II error, how often records are
missed that were. Nobody gets below the curve of a promise that holds. A curve without a closed form costs a distribution, which
is worked out once, and a few points are read off it.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from auditor.base.promises import Approximate, Promise, Pure
from auditor.maths.tradeoff.reading import by_distribution, right_guesses, type_two_error
from auditor.pages import wording
from auditor.pages.figures.axes import Frame, Linear
from auditor.pages.figures.chart import Chart, Kind, Point
from auditor.pages.right_guesses import Attack
from auditor.pages.words import guesses, numbers
from auditor.pages.words.texts import text

MOST_CURVES: Final = 4
"""The most promises that are drawn; of more, those that leave the fewest right guesses."""
MOST_MARKS: Final = 6
"""The most attacks that are drawn; of more, those that found most."""
POINTS: Final = 49
FEW_POINTS: Final = 21
"""Points of a curve that takes a distribution of the privacy loss."""
NAMED_AT: Final = (0.01, 0.05, 0.1)
"""Type I errors at which the text says what is missed."""
_LEFT, _SIZE, _TOP = 62.0, 216.0, 8.0
_KEYS: Final = _LEFT + _SIZE + 26
_LONGEST: Final = 38
_STYLES: Final[tuple[tuple[str, str, float], ...]] = (
    ("ink", "", 2.0),
    ("series-1", "7 3", 1.7),
    ("series-3", "2 2.5", 1.7),
    ("series-6", "9 3 2 3", 1.5),
)
"""Colour, dash and width: curves stay apart in grey."""


@dataclass(frozen=True, slots=True)
class Curve:
    """A promise that holds."""

    title: str
    promise: Promise
    share: float
    """Of right guesses, as everything else prints it."""
    stated: Approximate | None
    """The (ε, δ) that is stated of it; None where there is no δ."""


def promise_curves(curves: Sequence[Curve], attacks: Sequence[Attack]) -> Chart | None:
    """Draw the promises that hold, blind guessing, what (ε, δ) says, and what attacks reached; None where no promise holds.

    Args:
        curves: The strongest first.
        attacks: On one record, between two equally likely worlds, by someone who sees what the promises are about.
    """
    if not curves:
        return None
    drawn, marks = list(curves[:MOST_CURVES]), _marked(attacks)
    chart = Chart(_TOP + _SIZE + 40, _described(drawn, marks), details=_details(drawn), caption=_caption(drawn, marks))
    frame = Frame(_LEFT, _LEFT + _SIZE, _TOP, _TOP + _SIZE, _axis(), _axis())
    frame.draw_up(chart, text("figure-curves-up"))
    frame.draw_across(chart, text("figure-curves-across"), grid=True)
    chart.line(((frame.left, frame.top), (frame.right, frame.bottom)), "muted", width=1.0, dash="1 2", name="guessing")
    keys = list(_draw(chart, frame, drawn))
    if compared := _compared(drawn):
        chart.line(_placed(frame, compared), "muted", width=0.9, name="stated")
        keys.append((_line("muted", "", 0.9), _stated_key(compared), ""))
    keys.append((_line("muted", "1 2", 1.0), text("figure-curves-guessing"), ""))
    if marks:
        keys.append((_mark, text("figure-curves-attacks", count=len(marks)), _best(marks[0])))
        _draw_attacks(chart, frame, marks)
    _write_keys(chart, keys)
    if len(curves) > len(drawn):
        chart.remarks.append(text("figure-curves-left-out", drawn=len(drawn), count=len(curves)))
    return chart


def points_of(promise: Promise) -> tuple[Point, ...]:
    """Give (α, f(α)) of a promise, closer together at both ends; every f(α) is rounded down."""
    return _points(promise, FEW_POINTS if by_distribution(promise) else POINTS)


def missed(promise: Promise) -> tuple[str, ...]:
    """Print how many of 100 records that were used are missed at least, at each type I error of `NAMED_AT`; rounded down."""
    return tuple(f"{math.floor(1000 * _error(promise, alpha) + 1e-9) / 10:g}" for alpha in NAMED_AT)


@lru_cache(maxsize=32)
def _error(promise: Promise, alpha: float) -> float:
    return type_two_error(promise, alpha)


@lru_cache(maxsize=32)
def _points(promise: Promise, count: int) -> tuple[Point, ...]:
    alphas = ((1 - math.cos(math.pi * step / (count - 1))) / 2 for step in range(count))
    return tuple((alpha, type_two_error(promise, min(1.0, max(0.0, alpha)))) for alpha in alphas)


def _axis() -> Linear:
    return Linear(0.0, 100.0, 5)


def _placed(frame: Frame, promise: Promise) -> list[Point]:
    return [(frame.x(100 * alpha), frame.y(100 * error)) for alpha, error in points_of(promise)]


Key = tuple[Callable[[Chart, float, float], None], str, str]
"""What draws a key, and its two lines of words."""


def _draw(chart: Chart, frame: Frame, curves: Sequence[Curve]) -> Iterator[Key]:
    styles = dict(zip(dict.fromkeys(each.promise for each in curves), _STYLES, strict=False))
    for promise, (stroke, dash, width) in styles.items():
        chart.line(_placed(frame, promise), stroke, width=width, dash=dash, name="curve")
    for curve in curves:
        stroke, dash, width = styles[curve.promise]
        said = text("figure-curves-right", most=guesses.at_most(curve.share))
        yield _line(stroke, dash, width), wording.short(curve.title, _LONGEST), said


def _line(stroke: str, dash: str, width: float) -> Callable[[Chart, float, float], None]:
    return lambda chart, x, y: chart.line(((x - 11, y), (x + 11, y)), stroke, width=width, dash=dash)


def _mark(chart: Chart, x: float, y: float) -> None:
    chart.mark("disc", x, y, "accent", size=3.2)


def _draw_attacks(chart: Chart, frame: Frame, attacks: Sequence[Attack]) -> None:
    """Draw attacks where both errors are equal: each is then what is left of 100 right guesses."""

    def place(share: float) -> Point:
        return frame.x(100 * (1 - share)), frame.y(100 * (1 - share))

    kind: Kind = "disc"
    for attack in reversed(attacks):
        if attack.found is None:
            continue
        if attack.found.limits is not None:
            ends = (place(attack.found.limits.low), place(attack.found.limits.high))
            chart.line(ends, "accent", width=1.2, name="attack-interval")
        chart.mark(kind, *place(attack.found.share), "accent", size=3.2, name="attack")


def _write_keys(chart: Chart, keys: Sequence[Key]) -> None:
    y = _TOP + 10
    for draw, first, second in keys:
        draw(chart, _KEYS + 11, y)
        chart.note(_KEYS + 31, y, first, colour="ink", bold=bool(second), name="key")
        if second:
            chart.note(_KEYS + 31, y + 14, second, name="key-number")
        y += 34 if second else 20


def _marked(attacks: Sequence[Attack]) -> list[Attack]:
    """The attacks that came to a number of guesses, those that found most first."""
    found = [(each.found.share, each) for each in attacks if each.found is not None]
    return [each for _, each in sorted(found, key=lambda pair: -pair[0])][:MOST_MARKS]


def _compared(curves: Sequence[Curve]) -> Approximate | None:
    """The (ε, δ) of the first promise that says more than that."""
    for curve in curves:
        if curve.stated is not None and not isinstance(curve.promise, Approximate | Pure):
            return curve.stated if right_guesses(curve.stated) - curve.share > 5e-4 else None
    return None


def _stated_key(stated: Approximate) -> str:
    given = {"epsilon": numbers.at_most(stated.epsilon), "delta": numbers.at_most(stated.delta)}
    return text("figure-curves-stated", most=guesses.at_most(right_guesses(stated)), **given)


def _best(attack: Attack) -> str:
    return "" if attack.found is None else text("figure-curves-best", value=guesses.about(attack.found.share))


def _caption(curves: Sequence[Curve], marks: Sequence[Attack]) -> str:
    said = [text("figure-curves-caption")]
    if _compared(curves):
        said.append(text("figure-curves-caption-stated"))
    if marks:
        said.append(text("figure-curves-caption-attacks"))
    return " ".join(said)


def _described(curves: Sequence[Curve], marks: Sequence[Attack]) -> str:
    """What is shown, with the numbers that count."""
    said = [text("figure-curves-title", count=len(curves))]
    said += [text("figure-curves-said", title=each.title, most=guesses.at_most(each.share)) for each in curves]
    if compared := _compared(curves):
        said.append(f"{_stated_key(compared)}.")
    if marks:
        said.append(_best(marks[0]))
    return " ".join(said)


def _details(curves: Sequence[Curve]) -> str:
    """Row by row what is missed at some type I errors."""
    return " ".join(
        text("figure-curves-row", title=each.title, alarms=f"{100 * alpha:g}", missed=rate)
        for each in curves
        for alpha, rate in zip(NAMED_AT, missed(each.promise), strict=True)
    )
