"""An audit that fits a time: which sizes are cut, which checks are left out, and what that costs in power.

First goes the second stage of the attack on the release, which few honest releases ever need: one that its first stage rejects is
then left open. Then sizes beyond the defaults come down to them, checks that decide nothing are left out, and deletion games get
fewer. Pairs of the SWAP test come last, for a pass may rest on them. A check that decides is never left out: where its least size
does not fit either, there is no such audit.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final, Literal, TypeAlias

from auditor.audit.auditing import Options, declare
from auditor.audit.describing import stamp
from auditor.audit.devices import on_cpu
from auditor.audit.forecast import Ahead, Forecast, Pace, Room
from auditor.audit.replay import specification
from auditor.audit.run_options import RunOptions
from auditor.audit.stages import Run, Stages, Subject, by_name, in_question, listed
from auditor.audit.told_log import ToldLog
from auditor.base.errors import UsageError
from auditor.case import Case
from auditor.document.context import Budget, Resized
from auditor.maths.statistics import clopper_pearson
from auditor.sandbox import Level
from auditor.sandbox.runs import keeps
from auditor.verdict.assembly import deciding
from auditor.verdict.checks import definitions, with_role
from auditor.verdict.checks.card import Role
from auditor.verdict.checks.context import Context
from auditor.verdict.checks.deleting import games
from auditor.verdict.checks.differences import Foretold
from auditor.verdict.checks.levels import share


# The runs that an audit makes, planned as the audit plans them: what they take, what checks cost, what a run can refute.
# What later stages run depends on what earlier ones find. It is listed with `if_open`: an audit whose release is what a clean
# room gives needs none of it.
def look_ahead(
    case: Case, context: Context, how: RunOptions, pace: Pace, room: Room, rehearsed: Mapping[str, float] | None = None
) -> tuple[Ahead, ...]:
    """Plan what an audit of a case runs.

    Args:
        case: The case.
        context: The same as declared.
        how: How the audit would observe; nothing is run.
        pace: How long calls take, as the rehearsal measured it.
        room: What models and answers take up, likewise.
        rehearsed: What stages measured in their own rehearsal; None for nothing.

    Raises:
        InputError: If the log leaves nothing to learn from.
    """
    forecast = Forecast(
        pace=pace,
        room=room,
        workers=how.workers,
        records=len(case.train),
        keeps=context.learns and keeps(specification(case), how.level),
        asked=in_question(context, how.only),
        rehearsed=rehearsed or {},
    )
    subjects = [Subject.MODEL] if context.learns else []
    subjects += [] if case.settings.controller is None else [Subject.PROGRAM]
    found = (row for subject in subjects for row in _rows(Stages(Run(case, context, how), subject), forecast))
    return tuple(each for each in found if each.counted)


def _rows(stages: Stages, forecast: Forecast) -> Iterator[Ahead]:
    """Give row by row: the replay, and then each stage in its turn."""
    replayed = tuple(check_id for check_id, known in definitions().items() if known.replays)
    for name, jobs in by_name(stages.replay).items():
        yield forecast.of_jobs(name, jobs, replayed)
    for stage, planned in stages.planned:
        yield from stage.foresee(forecast, planned)


@dataclass(frozen=True, slots=True)
class Cost:
    """What checks cost that rest on the same runs."""

    checks: tuple[str, ...]
    decides: bool
    """Whether the verdict rests on them where they apply: a budget never leaves them out."""
    runs: tuple[str, ...]
    """Names of the rows of the plan, which other checks may share."""
    seconds: float = field(compare=False)
    """Of these rows, those included that run only where the release differs from retraining."""
    more: bool
    """Whether something runs for them that was not planned, and so not measured."""


def costs(case: Case, context: Context, only: tuple[str, ...] | None, ahead: Sequence[Ahead]) -> tuple[Cost, ...]:
    """Say what each check of an audit costs that applies, as far as that is known before anything has run.

    Args:
        case: The case.
        context: The same as declared.
        only: Ids of the checks to run; None for all.
        ahead: What was planned for them.
    """
    decides, beyond = deciding(context), {each for stage in listed() for each in stage.unplanned(case, context)}
    grouped: dict[tuple[bool, tuple[str, ...], bool], list[str]] = {}
    for check_id in in_question(context, only):
        rows = tuple(each.name for each in ahead if check_id in each.checks and not each.too_long)
        grouped.setdefault((check_id in decides, rows, check_id in beyond), []).append(check_id)
    seconds = {each.name: each.seconds for each in ahead}
    return tuple(
        Cost(tuple(checks), decided, rows, sum(seconds[name] for name in rows), more)
        for (decided, rows, more), checks in grouped.items()
    )


def refutable(case: Case, only: tuple[str, ...] | None, log: ToldLog | None = None) -> Foretold | None:
    """Say what a run of a case can refute at best, from what is declared alone; None where nothing can be said.

    Args:
        case: The case.
        only: Ids of the checks that an audit would run; None for all.
        log: What its log says today; None to read it.
    """
    # Neither level nor device bears on what can be refuted, so that no barrier is tried for it.
    nowhere = replace(on_cpu(), probes=())
    context = declare(case, Options(only=only), Level.NONE, nowhere, stamp(), log).context
    asked = in_question(context, only)
    return next((told for stage in listed() if (told := stage.refutable(context, asked)) is not None), None)


MOST_S: Final = 366 * 86_400.0
_MARGIN: Final = 1.1
"""Times what was estimated, so that what is suggested is not refused a moment later."""
_PARTS: Final = re.compile(r"(?:([0-9]{1,5})h)?(?:([0-9]{1,6})m)?(?:([0-9]{1,8})s)?")
_USUAL_PAIRS: Final = 20
_USUAL_MODELS: Final = 39
"""With fewer the attack on the release decides nothing."""
_SECOND_MODELS: Final = 199
"""Of a second stage of that attack."""
_FEWER_GAMES: Final = (500, 200, 100)
_FEWER_PAIRS: Final = (10, 5)

Key: TypeAlias = Literal["inference.games", "release.models", "release.second-stage", "swap.pairs"]


def seconds_of(text: str) -> float:
    """Read a time such as `2h`, `1h30m`, `90m` or `45s`.

    Raises:
        UsageError: If it is not one, or is 0 or above a year.
    """
    match = _PARTS.fullmatch(text.strip().lower())
    hours, minutes, seconds = (int(each or 0) for each in match.groups()) if match else (0, 0, 0)
    found = 3600.0 * hours + 60.0 * minutes + seconds
    if not 0 < found <= MOST_S:
        raise UsageError(f"--budget: expected a time such as 2h, 1h30m, 90m or 45s, found {text[:20]!r}")
    return found


@dataclass(frozen=True, slots=True)
class Weaker:
    """What a smaller size costs."""

    key: Key
    declared: int
    used: int
    before: float
    """What the declared size leaves room for: a share of models, a half-width, the smallest p; of a second stage its level."""
    after: float
    """The same of the size used."""


@dataclass(frozen=True, slots=True)
class Fitted:
    """A case and options that fit."""

    case: Case
    options: Options
    seconds: float
    """That everything takes at most, by estimate."""
    weaker: tuple[Weaker, ...]
    left_out: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Cut:
    """One thing to save time by."""

    key: Key | None = None
    size: int = 0
    drop: tuple[str, ...] = ()
    second_stage: bool = False


Estimate: TypeAlias = Callable[[Case, Options], float]
"""The seconds that an audit takes at most."""


def fit(case: Case, options: Options, context: Context, *, seconds: float, estimate: Estimate) -> Fitted:
    """Find what fits a time with as little lost as possible.

    Args:
        case: The case as declared.
        options: As asked for.
        context: Of both, before anything is cut.
        seconds: The time.
        estimate: What an audit takes at most; nothing is run.

    Raises:
        UsageError: If what decides does not fit at its least size.
    """
    cuts: list[_Cut] = []
    # Whether there is room for it is decided here, for all of the audit.
    options = replace(options, second_stage_s=math.inf)
    needed = _estimated(case, options, cuts, estimate)
    for cut in _cuts(case, options, context):
        if needed <= seconds:
            break
        with_cut = _estimated(case, options, [*cuts, cut], estimate)
        if with_cut < needed:
            needed, cuts = with_cut, [*cuts, cut]
    if needed > seconds:
        least = _rounded(_MARGIN * needed)
        raise UsageError(
            f"--budget: what decides takes up to {least} on this machine even at its least size, found {_rounded(seconds)};"
            f" give {least}, or more --jobs where there are more cores"
        )
    # What a later cut made unnecessary is taken back, the most telling first.
    for cut in reversed(cuts[:-1]):
        others = [each for each in cuts if each is not cut]
        if _estimated(case, options, others, estimate) <= seconds:
            cuts = others
    smaller, fewer = _applied(case, options, cuts)
    weaker = (*_without_second_stage(fewer), *_weaker(case, smaller))
    left_out = tuple(name for name in definitions() if any(name in cut.drop for cut in cuts))
    resized = tuple(Resized(key=each.key, declared=each.declared, used=each.used) for each in weaker)
    budget = Budget(seconds=seconds, resized=resized, left_out=left_out)
    return Fitted(smaller, replace(fewer, budget=budget), estimate(smaller, fewer), weaker, left_out)


def _cuts(case: Case, options: Options, context: Context) -> Iterator[_Cut]:
    """Everything that may be cut, what costs least power first."""
    settings = case.settings
    yield _Cut(second_stage=True)
    if settings.release.models > _USUAL_MODELS:
        yield _Cut("release.models", _USUAL_MODELS)
    if settings.swap.pairs > _USUAL_PAIRS:
        yield _Cut("swap.pairs", _USUAL_PAIRS)
    kept = deciding(context)
    played = (*with_role(Role.SIZED_GAME), *with_role(Role.CONSISTENCY))
    for family in (*((each,) for each in reversed(games())), played):
        if kept.isdisjoint(family) and (options.only is None or not set(options.only).isdisjoint(family)):
            yield _Cut(drop=tuple(family))
    for key, sizes, declared in (
        ("inference.games", _FEWER_GAMES, settings.inference.games),
        ("swap.pairs", _FEWER_PAIRS, settings.swap.pairs),
    ):
        for size in sizes:
            if size < declared:
                yield _Cut(key, size)  # type: ignore[arg-type]


def _applied(case: Case, options: Options, cuts: Sequence[_Cut]) -> tuple[Case, Options]:
    settings, dropped = case.settings, {name for cut in cuts for name in cut.drop}
    for cut in cuts:
        if cut.key is not None:
            table, key = cut.key.split(".")
            now = getattr(settings, table)
            settings = settings.model_copy(update={table: now.model_copy(update={key: min(getattr(now, key), cut.size)})})
    only = options.only if not dropped else tuple(name for name in options.only or definitions() if name not in dropped)
    if any(cut.second_stage for cut in cuts):
        options = replace(options, second_stage_s=0.0)
    return replace(case, settings=settings), replace(options, only=only)


def _estimated(case: Case, options: Options, cuts: Sequence[_Cut], estimate: Estimate) -> float:
    return estimate(*_applied(case, options, cuts))


def _without_second_stage(options: Options) -> Iterator[Weaker]:
    if options.second_stage_s <= 0:
        yield Weaker("release.second-stage", _SECOND_MODELS, 0, share("remembers"), 0.0)


def _weaker(case: Case, smaller: Case) -> Iterator[Weaker]:
    was, now = case.settings, smaller.settings
    if now.release.models < was.release.models:
        yield Weaker(
            "release.models", was.release.models, now.release.models, 1 / (was.release.models + 1), 1 / (now.release.models + 1)
        )
    if now.swap.pairs < was.swap.pairs:
        room = [_room(each.swap.pairs * each.swap.models, each.swap.confidence) for each in (was, now)]
        yield Weaker("swap.pairs", was.swap.pairs, now.swap.pairs, room[0], room[1])
    if now.inference.games < was.inference.games:
        half = [_half(each.inference.games, each.inference.confidence) for each in (was, now)]
        yield Weaker("inference.games", was.inference.games, now.inference.games, half[0], half[1])


def _room(models: int, confidence: float) -> float:
    """The share of models that are not unlearned and yet may all be missed by pairs of so many models on each side."""
    return clopper_pearson(0, 2 * models, confidence=confidence).high


def _half(games: int, confidence: float) -> float:
    """Half the width of the interval around a share of one half."""
    found = clopper_pearson(games // 2, games, confidence=confidence)
    return (found.high - found.low) / 2


def _rounded(seconds: float) -> str:
    """A time as `--budget` takes it, rounded up."""
    if seconds <= 120:
        return f"{math.ceil(seconds)}s"
    return f"{math.ceil(seconds / 60)}m" if seconds <= 7200 else f"{math.ceil(seconds / 3600)}h"
