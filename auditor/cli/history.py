"""The commands about audits of the past: history, diff; and how an audit gets into the history."""

from __future__ import annotations

import os
import shlex
from collections.abc import Iterable, Iterator
from datetime import date
from itertools import groupby, pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NamedTuple

import typer

from auditor.base.errors import InputError, LackingPartError, UsageError
from auditor.terminal.options import Json, Quiet, evidence_at, take_parts_in
from auditor.terminal.output import narrate, print_json, say

if TYPE_CHECKING:
    from auditor.document.evidence import Evidence
    from auditor.recheck.comparison import Amended, Comparison
    from auditor.recheck.comparison.since import Expired, Since
    from auditor.recheck.ledger import Entry

_HEADINGS = ("finished (UTC)", "case", "release", "verdict", "exit", "evidence")
_LEFT_OUT_FIRST = ("release", "exit", "evidence")
"""On a narrow terminal: a column is there whole or not at all, and --json has all of them."""
_BETWEEN = 3
"""Characters between two columns."""
_LONGEST_RELEASE = 16
_SHORTEST_NAME = 8
_DIGITS = 12
"""Of a digest: enough to find an audit by, with the whole one in --json."""
_MOST_REQUESTS = 20
"""Requests that a line names; --json has all of them."""
_MOST_EARLIER = 20
"""Audits of a case that are tried, newest first, until one lies where it was written."""
_MOST_SINCE = 5
"""Requests and dates that the comparison with the audit before names; --json has all of them."""
_STYLES = {"worse": "bold red", "spent": "cyan", "better": "green", "same": "dim", "changed": "yellow"}


def remember(evidence: Evidence, path: Path, content: bytes) -> None:
    """Add an audit, with its canonical bytes, to the ledger; one that cannot be written is a notice on stderr, and no failure."""
    from auditor.recheck import ledger  # noqa: PLC0415

    try:
        file = ledger.ledger_file()
        if file is not None:
            ledger.record(file, evidence, path, content=content)
    except InputError as error:
        narrate(say("cli-not-in-history", error=error))


class Before(NamedTuple):
    """The last whole audit of a case, and that of another case with its name where there is none of its own."""

    evidence: Evidence | None
    other: Entry | None = None
    path: Path | None = None
    """Where that evidence lies."""


def before(new: Evidence, place: Path, case: Path) -> Before:
    """Find the last whole audit of a case, as your own ledger has it and as it still lies where it was written.

    A case is known by its place, or by its log: a name says little, as samples are there to begin from. A case folder may come
    with results in it: evidence that the ledger does not know is not compared with.

    Args:
        new: This audit.
        place: Where its results go: the audit that lies there is the one before.
        case: The folder of the case: so is one that lies in it.
    """
    from auditor.recheck import ledger  # noqa: PLC0415

    try:
        file = ledger.ledger_file()
        entries = () if file is None else ledger.read(file, case=new.case.name)
    except InputError:
        return Before(None)  # said when this audit is recorded
    place, case = place.resolve(), case.resolve()

    def nearness(entry: Entry) -> int:
        found = Path(entry.evidence_path).parent.resolve()
        return 0 if found == place else 1 if found.is_relative_to(case) else _ELSEWHERE

    # Audits of other cases with this name leave room for those of this one.
    nearest = sorted(((nearness(each), each) for each in entries if each.stage is None), key=lambda pair: pair[0])
    other: Entry | None = None
    for near, entry in nearest[:_MOST_EARLIER]:
        found = _as_it_lies(entry)
        if found is None:
            continue
        if near < _ELSEWHERE or _of_one_log(found, new):
            return Before(found, path=Path(entry.evidence_path))
        other = other or entry
    return Before(None, other)


_ELSEWHERE = 2
"""How near an audit is that lies in no folder of the case."""


def _of_one_log(old: Evidence, new: Evidence) -> bool:
    """Whether most requests of one audit are in the other: a log grows, and a copy of a sample keeps few."""
    was, now = ({(each.request_id, each.subject, each.received_on) for each in found.requests} for found in (old, new))
    return bool(was) and 2 * len(was & now) > len(was)


def comparable(earlier: Evidence | None, new: Evidence) -> Evidence | None:
    """Give the audit before a whole one, where the two can be compared."""
    from auditor.recheck.comparison import different_cases  # noqa: PLC0415

    if earlier is None or new.audit.stage is not None or different_cases(earlier, new) or earlier.parts or new.parts:
        return None
    return earlier


class Continued(NamedTuple):
    """An audit that knows the one before it, what is new since then, and where the earlier evidence lies."""

    evidence: Evidence
    since: Since | None
    path: Path | None


def continued(new: Evidence, place: Path, case: Path) -> Continued:
    """Write into an audit what the one before it says of its attestations, and compare them; for the arguments see `before`."""
    from auditor.recheck.comparison.since import since, with_superseded  # noqa: PLC0415

    found = before(new, place, case)
    if found.other is not None and new.audit.stage is None:
        narrate(say("cli-since-other", name=new.case.name, place=found.other.evidence_path))
    earlier = comparable(found.evidence, new)
    evidence = with_superseded(earlier, new)
    return Continued(evidence, None if earlier is None else since(earlier, evidence), found.path)


def said_since(found: Since, old: Path | None, new: Path) -> Iterator[str]:
    """Say what is new since the audit before, what stands and what has expired; what a line has no room for is counted.

    Args:
        found: The comparison.
        old: Where the evidence of the earlier audit lay.
        new: Where that of this one lies: in the same place it has replaced the earlier one, and nothing is left to compare.
    """
    from auditor.pages import wording  # noqa: PLC0415

    counts = {"new": len(found.new), "stand": len(found.stand), "changed": len(found.changed), "missing": len(found.missing)}
    day = wording.day(found.earlier)
    release = wording.short(found.release or "", _LONGEST_RELEASE)
    both = None if old is None or old.resolve() == new.resolve() else (old, new)
    placed = {"kept": "no" if both is None else "yes", "path": "" if both is None else _quoted(both[0])}
    yield say("cli-since", day=day, released="yes" if found.release else "no", release=release, **placed, **counts)
    prominent = [each for each in found.rows if each.is_prominent]
    for row in prominent[:_MOST_SINCE]:
        yield _said_of(row)
    if others := [each for each in found.rows if not each.is_prominent][:_MOST_SINCE]:
        yield say("cli-since-rows", rows=", ".join(_in_brackets(each) for each in others))
    if (more := len(found.rows) - len(prominent[:_MOST_SINCE]) - len(others)) > 0:
        yield say("cli-since-rows-more", count=more)
    command = "" if both is None else _diff_of(*both)
    for kind, names in (("new", found.new), ("changed", found.otherwise), ("missing", found.missing)):
        if names:
            yield say(f"cli-since-{kind}", names=wording.listed(names, _MOST_SINCE), kept=placed["kept"], command=command)
    if not found.whole:
        yield say("cli-since-not-whole")
    yield from _lapsed(found.expired[:_MOST_SINCE])
    if (more := len(found.expired) - _MOST_SINCE) > 0:
        yield say("cli-since-more", count=more)


def _lapsed(expired: Iterable[Expired]) -> Iterator[str]:
    """A line for each thing that has expired; statements of one day share one."""
    from auditor.pages import wording  # noqa: PLC0415

    for (what, day, _), those in groupby(expired, key=lambda each: (each.what, each.day, each.what == "attestation" or each)):
        names = [wording.short(each.name) for each in those]
        yield say(f"cli-since-{what.value}", name=wording.listed(names), count=len(names), day=wording.day(day))


def _diff_of(old: Path | str, new: Path | str) -> str:
    """The command that compares two audits, to be copied as it is."""
    return f"auditor diff {_quoted(old)} {_quoted(new)}"


def _quoted(path: Path | str) -> str:
    return shlex.quote(str(path))


def _said_of(row: Amended) -> str:
    """Say what changed in the row of a request."""
    from auditor.pages import wording  # noqa: PLC0415
    from auditor.pages.words.texts import text  # noqa: PLC0415

    return text("diff-row", request=wording.short(row.request_id), said=row.said)


def _in_brackets(row: Amended) -> str:
    from auditor.pages import wording  # noqa: PLC0415

    return f"{wording.short(row.request_id)} ({row.said})"


def _row_as_json(row: Amended) -> dict[str, object]:
    columns = [{"column": each.column, "change": each.how, **_days(each.old, each.new)} for each in row.fields]
    return {"request_id": row.request_id, "columns": columns, "was": row.was, "now": row.now}


def _days(old: date | None, new: date | None) -> dict[str, str]:
    return {} if old is None or new is None else {"old": old.isoformat(), "new": new.isoformat()}


def since_as_json(found: Since) -> dict[str, object]:
    """The same for programs."""
    lapsed = [{"what": each.what.value, "name": each.name, "day": each.day.isoformat()} for each in found.expired]
    named = {name: list(getattr(found, name)) for name in ("new", "missing", "stand", "changed")}
    rows = {"rows": [_row_as_json(each) for each in found.rows], "rows_whole": found.whole}
    return {"earlier": found.earlier.isoformat(), "release": found.release, **named, **rows, "expired": lapsed}


def history(
    context: typer.Context,
    place: Annotated[
        Path | None,
        typer.Argument(
            metavar="PLACE",
            help="A folder with audits in it, at any depth, an evidence.json, or a ledger; your own ledger if left out.",
            show_default=False,
        ),
    ] = None,
    case: Annotated[str | None, typer.Option(metavar="NAME", help="Only audits of this case.", show_default=False)] = None,
    limit: Annotated[int, typer.Option(min=1, help="How many to list, newest first.")] = 20,
    as_json: Json = False,
    quiet: Quiet = False,
) -> None:
    """List past audits, newest first.

    With --case it also says which checks changed from one audit of the case to the next, and of which requests the log says
    something else, where the evidence of both still lies where it was written.

    They are kept in your own ledger: history.sqlite in ~/.local/state/auditor or $XDG_STATE_HOME/auditor, or the file that
    AUDITOR_HISTORY names. If AUDITOR_HISTORY is set but empty, no history is kept. With PLACE it lists the audits that lie there.
    """
    from auditor.recheck import ledger  # noqa: PLC0415

    if place is None:
        file = ledger.ledger_file()
        entries = () if file is None else ledger.read(file, case=case, limit=limit)
        where = say("cli-no-ledger") if file is None else say("cli-ledger", file=file)
    elif not place.exists():
        raise UsageError(f"history: expected a folder with audits, an evidence.json or a ledger, found nothing at {place}")
    elif place.is_file() and ledger.is_ledger(place):
        file, entries, where = place, ledger.read(place, case=case, limit=limit), say("cli-ledger", file=place)
    else:
        file, entries = place, _lying_in(context, place, case, limit)
        where = say("cli-audits-in", place=place)
    if as_json:
        print_json({"file": None if file is None else str(file), "audits": [_as_json(entry) for entry in entries]})
        return
    if entries:
        _table_of_audits(entries)
        for line in () if case is None else _over_time(entries):
            typer.echo(line)
    else:
        typer.echo(say("cli-no-audit") if case is None else say("cli-no-audit-of", case=case))
    narrate(where, quiet=quiet)


def _lying_in(context: typer.Context, place: Path, case: str | None, limit: int) -> tuple[Entry, ...]:
    """The audits whose evidence lies in a folder, newest first; one that cannot be read is left out, with the reason.

    Raises:
        InputError: If a single file is no evidence, or none of several can be read.
    """
    from auditor.document import evidence_files  # noqa: PLC0415
    from auditor.recheck import ledger  # noqa: PLC0415

    files = [place] if not place.is_dir() else _evidence_below(place)
    entries, broken = [], []
    for path in files:
        try:
            evidence = evidence_files.read(path)
            take_parts_in(context, evidence)
            entries.append(ledger.entry_of(evidence, path))
        except (InputError, LackingPartError) as error:
            broken.append(error)
    if broken and not entries:
        raise broken[0] if len(broken) == 1 else InputError([each for one in broken for each in getattr(one, "problems", ())])
    for each in broken:
        narrate(say("cli-left-out", error=each))
    found = [entry for entry in entries if case is None or entry.case_name == case]
    return tuple(sorted(found, key=lambda entry: entry.finished_at, reverse=True)[:limit])


def _evidence_below(folder: Path) -> list[Path]:
    """Every evidence.json in a folder, by name; hidden folders, such as kept runs, are passed over, and no link is followed."""
    found = []
    for here, folders, files in os.walk(folder):
        folders[:] = sorted(each for each in folders if not each.startswith("."))
        path = Path(here, "evidence.json")
        if path.name in files and path.is_file() and not path.is_symlink():
            found.append(path)
    return found


def diff(
    context: typer.Context,
    old: Annotated[
        Path, typer.Argument(metavar="OLD", help="An earlier audit: its evidence.json, its folder or a case.", show_default=False)
    ],
    new: Annotated[Path, typer.Argument(metavar="NEW", help="A later audit, likewise.", show_default=False)],
    force: Annotated[bool, typer.Option("--force", help="Compare audits of different cases.")] = False,
    as_json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Compare two audits: what got better, what got worse.

    A verdict, a status, a guarantee, or what one of them is measured against can get worse. An erasure that uses up part of a
    promise that still holds counts as spending, not as worse.

    Exit codes: 0 nothing got worse; 1 something did; 2 an evidence file cannot be read, or the cases are different.
    """
    from auditor.document import evidence_files  # noqa: PLC0415
    from auditor.pages.words.texts import text  # noqa: PLC0415
    from auditor.recheck.comparison import compare, different_cases  # noqa: PLC0415

    before, after = evidence_files.read(evidence_at(old)), evidence_files.read(evidence_at(new))
    take_parts_in(context, before, after)
    if different_cases(before, after) and not force:
        names = {name: _case_of(each) for name, each in (("old", before), ("new", after))}
        raise UsageError(f"diff: {text('diff-other-case', **names)}")
    found = compare(before, after)
    if as_json:
        changes = [
            {"kind": c.kind, "id": c.id, "direction": c.direction, "old": c.old, "new": c.new, "reason": c.reason}
            for c in found.changes
        ]
        notes = list(found.notes)
        requests = [{"request_id": each.request_id, "old": each.old, "new": each.new} for each in found.requests]
        said = {"exit_code": found.exit_code, "sentence": found.sentence, "notes": notes}
        rows = [_row_as_json(each) for each in found.rows]
        print_json({**said, "changes": changes, "requests": requests, "rows": rows})
    else:
        _print_comparison(found, quiet=quiet)
    raise typer.Exit(found.exit_code)


def _table_of_audits(entries: tuple[Entry, ...]) -> None:
    from rich import box  # noqa: PLC0415
    from rich.console import Console  # noqa: PLC0415
    from rich.table import Table  # noqa: PLC0415
    from rich.text import Text  # noqa: PLC0415

    from auditor.pages import wording  # noqa: PLC0415

    rows = [
        (
            f"{entry.finished_at:%Y-%m-%d %H:%M}",
            wording.short(entry.case_name),
            wording.short(entry.release or "–", _LONGEST_RELEASE),
            entry.verdict.value if entry.stage is None else say("cli-first-stage", verdict=entry.verdict.value),
            str(entry.exit_code),
            wording.short(entry.evidence_digest, _DIGITS + 1),
        )
        for entry in entries
    ]
    console = Console()
    widths = {name: max(len(name), *(len(row[column]) for row in rows)) for column, name in enumerate(_HEADINGS)}
    shown = list(_HEADINGS)
    # The name of the case takes what room the others leave.
    name, widths["case"] = widths["case"], min(widths["case"], _SHORTEST_NAME)
    for heading in _LEFT_OUT_FIRST:
        if _width(widths, shown) > console.width:
            shown.remove(heading)
    widths["case"] = max(widths["case"], min(name, widths["case"] + console.width - _width(widths, shown)))
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    for heading in shown:
        table.add_column(heading, no_wrap=True, overflow="ellipsis", width=widths[heading])
    for row in rows:
        table.add_row(*(Text(cell) for heading, cell in zip(_HEADINGS, row, strict=True) if heading in shown))
    console.print(table)


def _over_time(entries: tuple[Entry, ...]) -> Iterator[str]:
    """Say what changed from one whole audit of a case to the next, oldest first."""
    whole = [each for each in reversed(entries) if each.stage is None]
    for old, new in pairwise(whole):
        before, after = ({check.check_id: check.status.value for check in each.checks} for each in (old, new))
        names = dict.fromkeys((*after, *before))
        moved = [
            say("cli-over-time-check", name=name, old=before.get(name, "–"), new=after.get(name, "–"))
            for name in names
            if before.get(name) != after.get(name)
        ]
        rows = _rows_between(old, new)
        days = {"old": f"{old.finished_at:%Y-%m-%d %H:%M:%S}", "new": f"{new.finished_at:%Y-%m-%d %H:%M:%S}"}
        yield say("cli-over-time", count=len(moved), changes="; ".join(moved), **days)
        if rows is None:
            yield say("cli-over-time-unread")
            continue
        for each in sorted(rows, key=lambda row: not row.is_prominent)[:_MOST_SINCE]:
            yield "  " + _said_of(each)
        if (more := len(rows) - _MOST_SINCE) > 0:
            yield "  " + say("cli-over-time-rows-more", count=more, command=_diff_of(old.evidence_path, new.evidence_path))


def _rows_between(old: Entry, new: Entry) -> tuple[Amended, ...] | None:
    """Give the requests of which the log says something else; None where the evidence of either is not there any more."""
    from auditor.recheck.comparison.rows import amended  # noqa: PLC0415

    before, after = _as_it_lies(old), _as_it_lies(new)
    return None if before is None or after is None else amended(before, after)


def _as_it_lies(entry: Entry) -> Evidence | None:
    """Read the evidence of a past audit where it was written; None where it was moved, removed or written over since."""
    from auditor.document import evidence_files  # noqa: PLC0415
    from auditor.document.evidence import digest  # noqa: PLC0415

    try:
        content = evidence_files.content_of(Path(entry.evidence_path))
        found = evidence_files.parse(content, entry.evidence_path)
    except InputError:
        return None
    # As a rule it lies there in canonical form; to write that again takes many times as long as to read it.
    return found if digest(content) == entry.evidence_digest or digest(found.to_bytes()) == entry.evidence_digest else None


def _width(widths: dict[str, int], shown: list[str]) -> int:
    return sum(widths[heading] + _BETWEEN for heading in shown)


def _print_comparison(found: Comparison, *, quiet: bool) -> None:
    from rich import box  # noqa: PLC0415
    from rich.console import Console  # noqa: PLC0415
    from rich.table import Table  # noqa: PLC0415
    from rich.text import Text  # noqa: PLC0415

    from auditor.pages import wording  # noqa: PLC0415
    from auditor.recheck.comparison import Direction  # noqa: PLC0415

    console = Console()
    if not quiet:
        for note in found.notes:
            console.print(Text(wording.clean(note), style="yellow"), soft_wrap=True)
        moved = [change for change in found.changes if change.direction is not Direction.SAME or change.reason]
        if moved:
            table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
            table.add_column("result", no_wrap=True)
            table.add_column("", no_wrap=True)
            table.add_column("why")
            for change in moved:
                direction = Text(change.direction.value, style=_STYLES.get(change.direction.value, ""))
                name = change.id if change.kind in {"check", "verdict"} else f"{change.kind} {change.id}"
                table.add_row(Text(wording.short(name)), direction, Text(wording.shown(change.reason)))
            console.print(table)
        for (before, after), names in _together(found).items():
            console.print(Text(f"{wording.listed(names, _MOST_REQUESTS)}: {before} → {after}"))
        for each in sorted(found.rows, key=lambda row: not row.is_prominent)[:_MOST_REQUESTS]:
            console.print(Text(_said_of(each)), soft_wrap=True)
        if (more := len(found.rows) - _MOST_REQUESTS) > 0:
            console.print(Text(say("cli-since-rows-more", count=more)))
    console.print(Text(wording.clean(found.sentence)), soft_wrap=True)


def _together(found: Comparison) -> dict[tuple[str, str], list[str]]:
    """Give the requests that moved in the same way by how they did: a line for each would bury the sentence that follows."""
    moves: dict[tuple[str, str], list[str]] = {}
    for each in found.requests:
        moves.setdefault((each.old, each.new), []).append(each.request_id)
    return moves


def _case_of(evidence: Evidence) -> str:
    from auditor.pages import wording  # noqa: PLC0415

    by = say("cli-of-controller", name=wording.short(evidence.case.controller)) if evidence.case.controller else ""
    return f"“{wording.short(evidence.case.name)}”{by}"


def _as_json(entry: Entry) -> dict[str, object]:
    return {
        "audit_id": entry.audit_id,
        "finished_at": entry.finished_at.isoformat().replace("+00:00", "Z"),
        "case": entry.case_name,
        "release": entry.release,
        "case_digest": entry.case_digest,
        "verdict": entry.verdict,
        "stage": entry.stage,
        "exit_code": entry.exit_code,
        "sentence": entry.sentence,
        "required": list(entry.required),
        "evidence": entry.evidence_path,
        "evidence_digest": entry.evidence_digest,
        "auditor_version": entry.auditor_version,
        "checks": [{"id": item.check_id, "status": item.status, "value": item.value} for item in entry.checks],
    }
