"""A rehearsal as programs and people read it: its JSON, what is in the way of an audit, what was cut, what room it takes."""

from __future__ import annotations

import math
import shutil
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Final

from auditor import attacks
from auditor import case as cases
from auditor.audit.auditing import Options
from auditor.audit.rehearsal import Cost, Fitted, Foretold, Memory, Obstacle, Rehearsal, Warned, refutable, rehearse, warn
from auditor.audit.told_log import told_today
from auditor.base.deletion_log.requests import LogFinding
from auditor.base.errors import ProcedureError
from auditor.case import Case
from auditor.pages.words import sentence
from auditor.pages.words.lists import size, span
from auditor.pages.words.texts import say
from auditor.sandbox.runs import FOLDER

_EVIDENCE: Final = "evidence.json"


@dataclass(frozen=True, slots=True)
class Disk:
    """The disk space of an audit in bytes."""

    runs_at_least: int
    """What is kept of runs where the release is what retraining gives."""
    runs_at_least_measured: bool
    """Whether all of that was measured; otherwise it is more."""
    runs_at_most: int
    """What is kept where the release is something else."""
    runs_at_most_measured: bool
    free: int | None
    """Where runs are kept; None where that is not on this machine."""
    results: int | None
    """Evidence and report, as an earlier audit left them; None where there was none."""


def disk_of(rehearsal: Rehearsal, folder: Path, runs: str | None = None) -> Disk:
    """Work out what an audit writes.

    Args:
        rehearsal: Of the case.
        folder: Where results are written.
        runs: Where finished runs are kept; in the folder if left out.
    """
    (least, all_of_least), (most, all_of_most) = rehearsal.kept(whole=False), rehearsal.kept(whole=True)
    place = folder / FOLDER if runs is None else None if "://" in runs else Path(runs)
    return Disk(least, all_of_least, most, all_of_most, None if place is None else _free(place), _results(folder))


def _free(place: Path) -> int | None:
    """What is free where a folder lies or will lie."""
    for folder in (place.absolute(), *place.absolute().parents):
        with suppress(OSError):
            return shutil.disk_usage(folder).free
    return None


def _results(folder: Path) -> int | None:
    """The files of an earlier audit; links are not followed."""
    try:
        if not (folder / _EVIDENCE).is_file():
            return None
        return sum(each.lstat().st_size for each in folder.iterdir() if each.is_file() and not each.is_symlink())
    except OSError:
        return None


def rehearsed(rehearsal: Rehearsal, disk: Disk, fitted: Fitted | None = None) -> dict[str, Any]:
    """Write a rehearsal as JSON, and what was cut to fit a time; what the procedure wrote to stderr stays out."""
    pace, memory, budget = rehearsal.pace, rehearsal.memory, None if fitted is None else fitted.options.budget
    return {
        "rows": rehearsal.rows,
        "obstacles": [
            {"call": each.call, "rows": each.rows, "message": each.said, "few_rows_only": each.few}
            for each in rehearsal.obstacles
        ],
        "training_seconds": None if pace is None else pace.learn,
        "training_measured": None if pace is None else pace.measured,
        "workers": rehearsal.workers,
        "seconds_at_least": rehearsal.estimate(whole=False),
        "seconds_at_most": rehearsal.estimate(whole=True),
        "runs": [
            {
                "name": each.name,
                "trainings": each.trainings,
                "unlearnings": each.unlearnings,
                "histories": each.histories,
                "seconds": each.seconds,
                "only_where_the_release_is_open": each.if_open,
                "only_where_the_release_is_rejected": each.if_rejected,
                "only_where_games_reveal_too_much": each.if_revealed,
                "left_out_as_too_long": each.too_long,
                "checks": each.checks,
                "kept_bytes": each.kept,
            }
            for each in rehearsal.ahead
        ],
        "checks": [
            {
                "ids": each.checks,
                "decide": each.decides,
                "runs": each.runs,
                "seconds": each.seconds,
                "more_not_measured": each.more,
            }
            for each in rehearsal.costs
        ],
        "memory": None if memory is None else _memory(memory),
        "disk": None if pace is None else asdict(disk),
        **({} if budget is None else {"budget": budget.model_dump(mode="json")}),
    }


def _memory(memory: Memory) -> dict[str, int]:
    return {
        "run_bytes": memory.worker,
        "run_rows": memory.rows,
        "at_a_time": memory.at_a_time,
        "auditor_bytes": memory.auditor,
        "total_bytes": memory.total,
        "free_bytes": memory.free,
    }


def foretold(found: Foretold | None) -> dict[str, Any]:
    """Write what a single run can refute as JSON; nothing where none is asked for."""
    if found is None:
        return {}
    return {
        "one_run": {
            "canaries": found.canaries,
            "guesses": found.guesses,
            "playable": found.unplayable is None,
            "epsilon_at_best": found.epsilon,
            "delta": found.delta,
            "confidence": 1 - found.error,
            "share_noticed": found.noticed,
            "claimed": found.claimed,
            "epsilon_noticed": found.needed,
        }
    }


def told_foretold(found: Foretold) -> str:
    """Say what a single run can refute, and whether the claim is within its reach."""
    if found.unplayable is not None:
        return say("cli-one-run-unplayable", why=sentence(found.unplayable).rstrip("."))
    given = {"guesses": found.guesses, "canaries": found.canaries, "confidence": f"{100 * (1 - found.error):g}"}
    if not found.epsilon:
        return say("cli-one-run-nothing", **given, delta=f"{found.delta:g}")
    # Never more than can be refuted.
    least = f"{math.floor(100 * found.epsilon) / 100:g}"
    said = say("cli-one-run", **given, epsilon=least, delta=f"{found.delta:g}")
    if found.claimed is not None:
        needed = None if found.needed is None else f"{math.ceil(100 * found.needed) / 100:g}"
        said = f"{said} {say('cli-one-run-claim', claimed=f'{found.claimed:g}', needed=needed)}"
    noticed = None if found.noticed is None else f"{math.ceil(100 * found.noticed) / 100:g}"
    return f"{said} {say('cli-one-run-noticed', share=noticed)}"


def told_cost(cost: Cost) -> str:
    """Say what checks cost that rest on the same runs."""
    if not cost.runs:
        return ""
    return say("cli-cost-more", seconds=span(cost.seconds)) if cost.more else span(cost.seconds)


def told_memory(rehearsal: Rehearsal, *, elsewhere: bool = False) -> str:
    """Say how much memory an audit takes, and what to do where that is too much.

    Args:
        rehearsal: Of the case.
        elsewhere: Whether the runs are those of other machines, whose memory is not known here.
    """
    memory = rehearsal.memory
    if memory is None:
        return say("cli-memory-unknown")
    total = say("cli-about" if memory.rows == memory.records else "cli-more-than", amount=size(memory.total))
    worker, auditor = size(memory.worker), size(memory.auditor)
    if elsewhere:
        lines = [say("cli-memory-elsewhere", worker=worker, auditor=auditor)]
    else:
        lines = [say("cli-memory", total=total, at_a_time=memory.at_a_time, worker=worker, auditor=auditor)]
    if memory.rows < memory.records:
        lines.append(say("cli-memory-fewer", rows=memory.rows, records=memory.records))
    fit, half = None if elsewhere else memory.most_at_a_time, size(memory.free // 2)
    if fit:
        lines.append(say("cli-memory-jobs", half=half, jobs=fit))
    elif fit == 0:
        lines.append(say("cli-memory-too-much", half=half))
    return " ".join(lines)


def told_disk(rehearsal: Rehearsal, disk: Disk) -> str:
    """Say how much disk space an audit takes."""
    results = say("cli-disk-results", results=None if disk.results is None else size(disk.results))
    if all(each.kept == 0 for each in rehearsal.ahead):
        return f"{say('cli-disk-none')} {results}"
    least = _amount(disk.runs_at_least, measured=disk.runs_at_least_measured)
    most = _amount(disk.runs_at_most, measured=disk.runs_at_most_measured)
    free = None if disk.free is None else size(disk.free)
    return f"{say('cli-disk', kept=least, whole=None if most == least else most, free=free)} {results}"


def told_kept(kept: int | None) -> str:
    """Say what is kept of some runs."""
    return say("cli-unknown") if kept is None else size(kept) if kept else ""


def _amount(number: int, *, measured: bool) -> str:
    return say("cli-about" if measured else "cli-more-than", amount=size(number))


def told_fitted(fitted: Fitted) -> Iterator[str]:
    """Say what was cut to fit a time, each thing with what it costs."""
    yield say("cli-fitted", cuts=len(fitted.weaker) + len(fitted.left_out), seconds=span(fitted.seconds))
    for each in fitted.weaker:
        given = {"key": each.key, "declared": each.declared, "used": each.used}
        name = f"cli-fitted-{each.key.replace('.', '-')}"
        yield say(name, **given, before=f"{each.before:.1%}", after=f"{each.after:.1%}")
    if fitted.left_out:
        yield say("cli-fitted-left-out", names=", ".join(fitted.left_out))


def told_obstacle(obstacle: Obstacle) -> str:
    """Say what is in the way of an audit."""
    rows = "" if obstacle.rows is None else say("cli-obstacle-rows", rows=obstacle.rows)
    few = say("cli-obstacle-few") if obstacle.few else ""
    return say("cli-obstacle", call=obstacle.call, rows=rows, said=obstacle.said) + few


def in_the_way(obstacles: Sequence[Obstacle]) -> ProcedureError:
    """Make one error of everything that is in the way of an audit."""
    lines = [*map(told_obstacle, obstacles), say("cli-obstacles", count=len(obstacles))]
    return ProcedureError("\n".join(lines), stderr_tail="\n".join(each.stderr for each in obstacles if each.stderr))


# Reads a case whole, and runs its procedure on a few rows where that is asked for.
@dataclass(frozen=True, slots=True)
class Validated:
    """A case that can be audited."""

    case: Case = field(repr=False)
    findings: tuple[LogFinding, ...]
    """Rows of the deletion log that contradict themselves or the data; they are no bad input, and an audit judges them."""
    warnings: tuple[Warned, ...] = ()
    """What is no error, and seldom meant."""
    rehearsal: Rehearsal | None = None
    """None where nothing was run."""
    refutable: Foretold | None = None
    """What the single run of the case can refute; None where none is asked for."""

    @property
    def facts(self) -> dict[str, Any]:
        """What a program wants to know of it, as JSON."""
        settings = self.case.settings
        return {
            "name": settings.case.name,
            "records": len(self.case.train),
            "features": self.case.train.features.shape[1],
            "requests": len(self.case.requests),
            "files": len(self.case.inputs),
            "model": settings.model is not None,
            "findings": [{"row": item.row, "code": item.code, "message": item.message} for item in self.findings],
            "warnings": [{"code": item.code, **item.given} for item in self.warnings],
            "rehearsal": None if self.rehearsal is None else rehearsed(self.rehearsal, self._disk(self.rehearsal)),
            **foretold(self.refutable),
        }

    def _disk(self, rehearsal: Rehearsal) -> Disk:
        return disk_of(rehearsal, self.case.folder / "audit")


def validate(path: Path, options: Options | None = None) -> Validated:
    """Read and check every input of a case, and rehearse the audit of it.

    Args:
        path: A folder with audit.toml, or that file.
        options: Those of the audit to be rehearsed; None to run nothing.

    Raises:
        InputError: With every problem of every file at once.
        SandboxError: If this machine cannot contain the procedure as the case asks for.
        UsageError: If the case names an unknown attack, an extra that it needs is missing, or an option does not fit it.
    """
    read = cases.read(path)
    attacks.refuse_unknown(read.settings.swap.attacks or ())
    log = told_today(read)
    rehearsal = None if options is None else rehearse(read, options)
    warnings = warn(read, log)
    if rehearsal is not None and rehearsal.other_format and read.settings.model is not None:
        warnings += (Warned("other-format", {"file": str(read.settings.model.path)}),)
    return Validated(read, log.problems, warnings, rehearsal, refutable(read, None, log))
