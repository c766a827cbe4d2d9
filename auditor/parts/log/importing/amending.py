"""`auditor log amend`: later facts about requests, each a row at the end of a chained log; no earlier row is touched."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

from auditor.audit.describing import stamp
from auditor.base.deletion_log import deletions, log_chain
from auditor.base.deletion_log.requests import Awaited, Request
from auditor.base.domain import Problem
from auditor.base.errors import InputError, UsageError
from auditor.base.writing import write_all
from auditor.case.amended import AMENDABLE, REMOVABLE
from auditor.case.files import Source
from auditor.case.log_values import read_columns
from auditor.case.logs import deletion_log, json_objects
from auditor.parts.log.importing.appending import Added, alone, head_of, lines
from auditor.settings.values import show, unknown

_ROW: Final = re.compile(r"row ([0-9]+)\b")


def amend_in(path: Path, entries: tuple[str, bytes]) -> Added:
    """Chain rows that amend requests to the end of a log.

    Args:
        path: The log, JSON lines, chained.
        entries: Where the facts come from, and their bytes: JSON objects, each with `request_id`, with `subject`
            where a request is several people's, and with the columns to fill in or to replace.

    Raises:
        InputError: If an entry cannot be read, names no request, or contradicts the log: the log stays as it was.
        UsageError: If the log is missing, no .jsonl, or not chained, or its chain does not hold.
    """
    if path.suffix != ".jsonl" or not path.is_file():
        raise UsageError(f"{path}: expected a log ending in .jsonl, which is there")
    told = list(json_objects(Source(entries[0], entries[1])))
    with alone(path) as file:
        content = file.read()
        head = head_of(path, content)
        if head is None:
            raise UsageError(f"{path}: expected at least one request to amend")
        requests, _ = deletion_log(Source(str(path), content))
        problems: list[Problem] = []
        rows: list[dict[str, Any]] = []
        begins: list[int] = []
        at = stamp().isoformat()
        for row, fields in told:
            found = list(_faults(fields, requests))
            problems += [Problem(entries[0], f"row {row}, {key}" if key else f"row {row}", *fault) for key, *fault in found]
            if found:
                continue
            (request,) = _named(fields, requests)
            facts = {name: value for name, value in fields.items() if name not in log_chain.FIXED}
            joined = {log_chain.AMENDS: request.entry_hash, "request_id": request.request_id, log_chain.AMENDED_AT: at, **facts}
            try:
                rows.append(log_chain.chained(joined, head))
            except ValueError as error:
                raise InputError([Problem(entries[0], f"row {row}", *log_chain.UNCHAINABLE)]) from error
            head = rows[-1][log_chain.ENTRY]
            begins.append(row)
        if problems:
            raise InputError(problems)
        before = content + (b"" if content.endswith(b"\n") else b"\n")
        longer = before + lines(rows)
        try:
            together, _ = deletion_log(Source(str(path), longer))
        except InputError as error:
            places = {before.count(b"\n") + number: row for number, row in enumerate(begins, start=1)}
            raise InputError([_at_its_entry(each, entries[0], places) for each in error.problems]) from error
        _refuse_unproven(entries[0], told, requests, together)
        _refuse_new_contradictions(path, requests, together)
        write_all({path: longer})
    return Added(len(rows), len(together), head)


def _named(fields: dict[str, Any], requests: tuple[Request, ...]) -> list[Request]:
    subject = fields.get("subject")
    named = [each for each in requests if each.request_id == fields.get("request_id")]
    return named if subject is None else [each for each in named if each.subject == subject]


def _faults(fields: dict[str, Any], requests: tuple[Request, ...]) -> Iterator[tuple[str, str, str]]:
    """What is wrong with an entry: the key, what was expected and what was found."""
    named = _named(fields, requests)
    if len(named) != 1:
        said = "none" if not named else f"{len(named)} rows: name the subject as well, if they have different ones"
        yield "request_id", "the id of one request of the log", said
    own = [name for name in fields if name not in {"request_id", "subject"}]
    for name in own:
        if name in log_chain.FIXED:
            yield name, "nothing: who asked, and for which records, cannot be amended", "a value"
        elif name not in AMENDABLE:
            yield "", *unknown("column", name, AMENDABLE)
        elif fields[name] is None and name not in REMOVABLE:
            yield name, "a value", "null: what was said cannot be taken out, only replaced"
    wrong: list[tuple[str, str, str]] = []
    told = {name: fields[name] for name in own if name in AMENDABLE and fields[name] is not None}
    read_columns(told, lambda *fault: wrong.append(fault))
    yield from wrong
    if not own:
        yield "", "a column to fill in or to replace, such as answered_at", show(sorted(fields))


def _refuse_unproven(
    file: str, told: Sequence[tuple[int, dict[str, Any]]], before: tuple[Request, ...], after: tuple[Request, ...]
) -> None:
    """Refuse to call a request carried out while its row says that the person has yet to confirm who they are.

    Whose data were erased then is not known, and what is missing is one date.
    """
    problems = []
    for row, fields in told:
        (old,), (new,) = _named(fields, before), _named(fields, after)
        waits = [each for each in new.clock_pauses if each.awaits is Awaited.IDENTITY and each.resumed_at is None]
        if new.status == "executed" and old.status != "executed" and waits:
            since = max(each.paused_at for each in waits).date()
            expected = "clock_pauses with resumed_at, the time at which the person confirmed who they are"
            found = f"executed, while request {new.request_id} (row {new.row}) waits since {since} for the person to confirm that"
            problems.append(Problem(file, f"row {row}, status", expected, found))
    if problems:
        raise InputError(problems)


def _at_its_entry(problem: Problem, file: str, places: Mapping[int, int]) -> Problem:
    """A problem of a row that was to be added, at the entry that it comes from: that row is in no file."""
    match = _ROW.match(problem.where)
    if match is None or int(match[1]) not in places:
        return problem
    return replace(problem, file=file, where=f"row {places[int(match[1])]}{problem.where[match.end() :]}")


def _refuse_new_contradictions(path: Path, before: tuple[Request, ...], after: tuple[Request, ...]) -> None:
    old, new = (
        {
            (each.row, each.code, each.message)
            for each in deletions.findings(those, _known(those), today=stamp().date())
            if each.code not in deletions.HARMLESS
        }
        for those in (before, after)
    )
    if found := sorted(new - old):
        raise InputError([Problem(str(path), f"row {row}", "no contradiction", message) for row, _, message in found])


def _known(requests: tuple[Request, ...]) -> set[str]:
    return {record for each in requests for record in each.record_ids if each.status != "no_match"}
