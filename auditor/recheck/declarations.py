"""Compares what a document declares with itself: counts, dates, barriers, files and sizes that no audit can state together.

A declaration is taken on trust, but not one that another declaration rules out. Nothing is asked of a document that an honest
audit of any case can lack: what a log may contain and is a problem of it is no contradiction where that problem is listed.
"""

from __future__ import annotations

import math
import posixpath
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import UTC, date, datetime, timedelta
from typing import Any, Final

from pydantic import ValidationError

from auditor.base.deletion_log import deletions, log_times, working_days
from auditor.base.deletion_log.deadlines import PENDING, UNDONE, denies_erasure
from auditor.base.deletion_log.requests import RequestOutcome
from auditor.base.histories import Vocabulary, divided, side_by_side
from auditor.document.context import ControllerFacts, KnownRows
from auditor.document.evidence import Evidence
from auditor.recheck import entries as entries_of
from auditor.recheck.outcome import Part, part, shown
from auditor.settings.builtin import entry_of
from auditor.settings.controller import controllers
from auditor.settings.tables import STAND_INS, declared_procedure
from auditor.settings.values import show
from auditor.verdict.checks import definitions
from auditor.verdict.judgement import not_yet

_OFFLINE: Final = ("tcp", "mptcp", "udp", "dns", "netlink", "other sockets", "abstract socket", "abstract datagram")
PROMISED: Final[Mapping[str, tuple[str, ...]]] = {
    "none": (),
    "process": ("limits",),
    "no-network": (*_OFFLINE, "socket with a path", "io_uring", "new namespaces", "shared memory", "auditor's memory"),
    "confined": ("secret file", "write outside", "change outside", "auditor's environment", "auditor's limits"),
    "namespaced": ("signal to the auditor", "own namespaces"),
}
"""The escape attempts that each level of isolation holds off, beyond the weaker ones. It stands only where each was tried."""
NO_DEVICE: Final = "no device was asserted"
"""Names the device `none` of a run that never came so far."""
_SECRET_BITS: Final = 96
_MOST_NAMED: Final = 20
"""Rows or columns that a document names of one kind; it counts the others."""
_MOST_SECONDS: Final = 366 * 86_400
_SHA256: Final = re.compile(r"[0-9a-f]{64}")
_PYTHON: Final = re.compile(r"3\.(1[1-9]|[2-9][0-9])(\D.*)?", re.DOTALL)
_STATUSES: Final = PENDING | UNDONE | {"executed"}
_OF_CHAIN: Final = frozenset({deletions.CHAIN_CHANGED, deletions.CHAIN_TORN, deletions.CHAIN_MISSING})
_A_DAY: Final = timedelta(days=1)


def recheck_context(evidence: Evidence) -> Part:
    """Compare every section that was declared, and every request, with what an audit can state; dates are derived again."""
    sections = (
        ("audit", _audit(evidence)),
        ("case", _case(evidence)),
        ("procedure", _procedure(evidence)),
        ("policy", _policy(evidence)),
        ("environment", _environment(evidence)),
        ("controller", _controller(evidence)),
        ("deletion_log", _log(evidence)),
        *((("lineage", entries_of.lineage(evidence)),) if evidence.lineage else ()),
        *((("receipts", entries_of.receipts(evidence)),) if evidence.receipts else ()),
    )
    codes = frozenset(each.code for each in evidence.deletion_log.problems)
    ended = None if evidence.audit.started_at == evidence.audit.finished_at else evidence.audit.finished_at
    requests = (
        (f"requests[{index}] {each.request_id}", _request(evidence, each, codes, ended))
        for index, each in enumerate(evidence.requests)
    )
    return part("declarations", [*sections, *requests])


def _differs(key: str, found: Any, expected: str) -> str:
    return f"{key}: found {shown(found)}, expected {expected}"


def _below(least: int, numbers: Mapping[str, int | None]) -> Iterator[str]:
    """Counts that are smaller than any of their kind."""
    for key, number in numbers.items():
        if number is not None and number < least:
            yield _differs(key, number, f"at least {least}")


def _repeated(key: str, names: Iterable[str]) -> Iterator[str]:
    twice = sorted(name for name, count in Counter(names).items() if count > 1)
    if twice:
        yield _differs(key, twice, "each once")


def _audit(evidence: Evidence) -> Iterator[str]:
    audit = evidence.audit
    if audit.finished_at < audit.started_at:
        yield _differs("finished_at", audit.finished_at.isoformat(), f"no time before started_at, {audit.started_at.isoformat()}")
    if not (audit.seed.isascii() and audit.seed.isdigit()):
        yield _differs("seed", audit.seed, "a whole number in decimal digits")
    yield from _repeated("only", audit.only or ())
    yield from _budget(evidence)
    if later := [each.id for each in evidence.checks if each.observed is not None and not_yet(each)]:
        yield _differs("stage", audit.stage, f"no first stage, as {later[0]} was observed, which runs after it")


def _budget(evidence: Evidence) -> Iterator[str]:
    budget, only, sizes = evidence.audit.budget, evidence.audit.only, evidence.sizes
    if budget is None:
        return
    if not 0 < budget.seconds <= _MOST_SECONDS:
        yield _differs("budget.seconds", budget.seconds, "more than 0 and at most a year")
    yield from _repeated("budget.resized", (each.key for each in budget.resized))
    used = {"swap.pairs": sizes.swap.pairs, "release.models": sizes.release.models, "inference.games": sizes.inference.games}
    for each in budget.resized:
        if not 0 <= each.used < each.declared:
            yield _differs(f"budget.resized {each.key}", each.used, f"at least 0 and less than declared, {each.declared}")
        if each.used != used.get(each.key, each.used):
            yield _differs(f"budget.resized {each.key}", each.used, f"{used[each.key]}, which sizes state")
    known = definitions(evidence.version)
    if unknown := [name for name in budget.left_out if name not in known]:
        yield _differs("budget.left_out", unknown, f"checks that auditor {evidence.version} knows")
    if kept := [name for name in budget.left_out if only is None or name in only]:
        yield _differs("budget.left_out", kept, "none of the checks that were to run (only)")


def _case(evidence: Evidence) -> Iterator[str]:
    case, learns = evidence.case, evidence.learns
    counts = {"training_records": case.training_records, "records_left": case.records_left, "features": case.features}
    yield from _below(0, {**counts, "classes": case.classes, "holdout_records": case.holdout_records})
    yield from _below(1, {"parameters": case.parameters, **({"training_records": case.training_records} if learns else {})})
    if case.records_left > case.training_records:
        yield _differs("records_left", case.records_left, f"at most training_records, {case.training_records}")
    if not learns:
        for key, count in ({"features": case.features} if evidence.places_alone else counts).items():
            if count:
                yield _differs(key, count, "0, as nothing learns")
    yield from _classes(evidence)
    yield from _model(evidence)
    if case.known_rows is not None:
        yield from _known_rows(case.known_rows, case.holdout_records)
    yield from _fitted_columns(evidence)
    yield from _inputs(evidence)


def _classes(evidence: Evidence) -> Iterator[str]:
    case = evidence.case
    if case.task == "regression" and case.classes:
        yield _differs("classes", case.classes, "0, as the task is regression")
    if case.task == "classification" and evidence.learns and not 1 <= case.classes <= max(1, case.training_records):
        yield _differs("classes", case.classes, f"1 to {case.training_records}, the number of training records")


def _model(evidence: Evidence) -> Iterator[str]:
    case = evidence.case
    if case.model is None:
        for key in ("parameters", "grid", "model_part"):
            if getattr(case, key) is not None:
                yield _differs(key, getattr(case, key), "nothing, as there is no model file")
    if case.grid is not None and math.frexp(case.grid)[0] != 0.5:
        yield _differs("grid", case.grid, "a power of two")


def _known_rows(known: KnownRows, unseen: int | None) -> Iterator[str]:
    """Rows of the holdout that equal training records, and the others, are all rows of its file."""
    if known.count + (unseen or 0) != known.of:
        yield _differs("known_rows.of", known.of, f"{known.count + (unseen or 0)}: known_rows.count and holdout_records")
    rows = list(known.rows)
    if len(rows) != min(known.count, _MOST_NAMED) or not _ascending(rows, known.of):
        yield _differs("known_rows.rows", rows, f"the first {min(known.count, _MOST_NAMED)} of {known.count} rows of {known.of}")


def _fitted_columns(evidence: Evidence) -> Iterator[str]:
    fitted = evidence.case.preprocessing or ()
    yield from _repeated("preprocessing", (each.kind for each in fitted))
    for each in fitted:
        columns, most = list(each.columns), evidence.case.features
        if not 1 <= each.count <= most:
            yield _differs(f"preprocessing {each.kind} count", each.count, f"1 to {most}, as there are {most} features")
        if len(columns) != min(each.count, _MOST_NAMED) or not _ascending(columns, most):
            named = f"the first {min(each.count, _MOST_NAMED)} of {each.count} columns of {most}"
            yield _differs(f"preprocessing {each.kind} columns", columns, named)


def _ascending(places: Sequence[int], most: int) -> bool:
    """Whether they are places counted from 1, each once and in order."""
    return list(places) == sorted(set(places)) and all(1 <= each <= most for each in places)


def _inputs(evidence: Evidence) -> Iterator[str]:
    """The files that were read: each once, and all that the case names among them."""
    case, paths = evidence.case, [each.path for each in evidence.case.inputs]
    yield from _repeated("inputs", paths)
    for each in case.inputs:
        if not _SHA256.fullmatch(each.sha256):
            yield _differs(f"inputs {each.path} sha256", each.sha256, "64 hexadecimal digits")
        yield from _below(0, {f"inputs {each.path} bytes": each.bytes})
    if case.model is not None and posixpath.normpath(case.model) not in paths:
        yield _differs("model", case.model, "one of the inputs")
    store = None if case.store is None else posixpath.normpath(case.store)
    if store is not None and not any(path == store or path.startswith(f"{store}/") or store == "." for path in paths):
        yield _differs("store", case.store, "one of the inputs, or a folder of some")
    requester = evidence.sizes.requester
    own = (evidence.procedure.entry, evidence.controller and evidence.controller.entry, requester and requester.entry)
    # A path may be a link to another file of the case, so that the very name is not asked for.
    if any(own) and not any(path.endswith(".py") for path in paths):
        yield _differs("inputs", paths, f"the code of {next(each for each in own if each)}")


def _procedure(evidence: Evidence) -> Iterator[str]:
    stated = evidence.procedure
    if stated.use is None and stated.entry is None:
        yield "neither use nor entry names the procedure"
    if stated.use is not None and stated.use not in STAND_INS and entry_of(stated.use) is None:
        yield f"use names {show(stated.use)}, a procedure that this installation does not have"
    if (stated.use == "places") != bool(evidence.case.places):
        yield "places are searched where there is no procedure, and there alone"
    if stated.use == "none" and evidence.controller is None:
        yield "nothing learns, and no controller was audited"
    if "seed" in stated.settings:
        yield "settings name the seed, which is a secret and never among them"
    yield from _below(0, {"seed_bits": stated.seed_bits})
    if stated.seed_bits >= _SECRET_BITS and stated.seed_digest is None:
        yield _differs("seed_digest", None, f"a digest, as the seed has {stated.seed_bits} bits")
    if stated.seed_digest is not None and not _SHA256.fullmatch(stated.seed_digest):
        yield _differs("seed_digest", stated.seed_digest, "64 hexadecimal digits")
    if stated.use in STAND_INS and stated.entry is not None:
        yield _differs("entry", stated.entry, f'nothing, as use is "{stated.use}"')


def _policy(evidence: Evidence) -> Iterator[str]:
    """What no version takes from audit.toml or from `--only`: checks that it does not know would be required in name only."""
    known, policy = definitions(evidence.version), evidence.policy
    for what, named in (("required", policy.listed), ("--only", evidence.audit.only)):
        if unknown := [name for name in named or () if name not in known]:
            yield f"{what} names {', '.join(unknown)}, which auditor {evidence.version} does not know"
    yield from _repeated("listed", policy.listed or ())
    if policy.listed == ():
        yield _differs("listed", [], "at least one check, or nothing where all that apply are required")
    yield from _repeated("attested", (each.name for each in policy.attested))
    ended = evidence.audit.finished_at
    late = [each for each in policy.attested if ended > evidence.audit.started_at and each.at > ended.date() + _A_DAY]
    for each in late[:1]:
        yield _differs("attested at", each.at.isoformat(), f"no day after the audit, which ended at {ended.isoformat()}")
    if (before := evidence.audit.attested_before) is not None:
        first = next((each.at for each in policy.attested), None)
        if first is None or first > before.audited or before.release == evidence.case.release:
            yield _differs("attested before", before.audited.isoformat(), "the audit of another release after what is attested")


def _environment(evidence: Evidence) -> Iterator[str]:
    """The level of isolation, what probes found behind it, and the device."""
    stated = evidence.environment
    yield from _repeated("escape attempts", (each.name for each in stated.walls))
    if stated.isolation in PROMISED:
        levels = list(PROMISED)
        promised = [name for level in levels[: levels.index(stated.isolation) + 1] for name in PROMISED[level]]
        held = {each.name: each.held for each in stated.walls}
        for what, names in (
            ("not tried", [name for name in promised if name not in held]),
            ("gave way", [name for name in promised if held.get(name) is False]),
        ):
            if names:
                listed = ", ".join(names[:5]) + (f" and {len(names) - 5} more" if len(names) > 5 else "")
                yield f'escape attempts: found {listed} ({what}), expected each held off, as isolation is "{stated.isolation}"'
    else:
        yield _differs("isolation", stated.isolation, f"one of {', '.join(PROMISED)}")
    if not _PYTHON.fullmatch(stated.python):
        yield _differs("python", stated.python, "3.11 or later, which auditor needs")
    yield from _device(evidence)
    yield from _imported(evidence)


def _device(evidence: Evidence) -> Iterator[str]:
    device, name, seen = evidence.environment.device, evidence.environment.device_name, _observed(evidence)
    if device not in {"cpu", "cuda", "none"}:
        yield _differs("device", device, "cpu, cuda or none")
    if (device == "none") != (name == NO_DEVICE):
        yield _differs("device_name", name, f'"{NO_DEVICE}"' if device == "none" else f"the name of a device, as it is {device}")
    if device == "none" and seen:
        yield _differs("device", device, f"a device, as {seen[0]} was observed on one")
    if device == "cuda" and not _may_use_gpu(evidence):
        yield _differs("device", device, "cpu, as the procedure computes on nothing else")


def _may_use_gpu(evidence: Evidence) -> bool:
    stated = evidence.procedure
    try:
        return declared_procedure(stated.use, stated.entry, stated.unlearn, stated.settings).may_use_gpu
    except (KeyError, ValidationError):
        return True  # what is wrong with its table is said elsewhere


def _imported(evidence: Evidence) -> Iterator[str]:
    """Whatever ran to its end says what it loaded, and nothing else does."""
    stated, failed, seen = evidence.environment, evidence.audit.failure is not None, _observed(evidence)
    if (stated.imported is None) != (stated.imported_elsewhere is None):
        yield _differs("imported_elsewhere", stated.imported_elsewhere, "nothing exactly if imported is nothing")
    if stated.imported is None and seen and not failed:
        yield _differs("imported", None, f"what was loaded, as {seen[0]} was observed")
    if stated.imported is not None and failed:
        yield _differs("imported", f"{len(stated.imported)} distributions", "nothing, as the run failed")
    for each in stated.imported or ():
        if not each.seen_in:
            yield _differs(f"imported {each.name} seen_in", [], "where it was seen")


def _observed(evidence: Evidence) -> list[str]:
    return [each.id for each in evidence.checks if each.observed is not None]


def _controller(evidence: Evidence) -> Iterator[str]:
    stated = evidence.controller
    if stated is None:
        return
    if stated.first is not None or stated.second is not None:
        yield from _side_by_side(stated)
    elif (stated.use is None) == (stated.entry is None):
        yield _differs("use and entry", [stated.use, stated.entry], "one of the two")
    if stated.use is not None and stated.use not in controllers():
        yield _differs("use", stated.use, "a controller that this installation has")
    for key, names in (("commuting", stated.commuting), ("environment", stated.environment)):
        if strange := sorted(set(names) - {"delete", *stated.operations}):
            yield _differs(key, strange, "names of operations")
    if "delete" in stated.environment:
        yield _differs("environment", list(stated.environment), "no delete, which everybody may ask for")
    yield from _below(1, {"games": stated.games, "tape": stated.tape})
    if not _SHA256.fullmatch(stated.digest):
        yield _differs("digest", stated.digest, "64 hexadecimal digits")


def _side_by_side(stated: ControllerFacts) -> Iterator[str]:
    """Two programs: either is one of ours or of the case, and what both may be asked is what reaches one of them."""
    if len(stated.parts) != 2 or stated.use is not None or stated.entry is not None or stated.params:
        yield _differs("first and second", stated.named, "both of them, and no use, entry or params of the pair")
        return
    said: list[tuple[Mapping[str, str], Vocabulary]] = []
    for place, one in zip(("first", "second"), stated.parts, strict=True):
        if (one.use is None) == (one.entry is None):
            yield _differs(f"{place} use and entry", [one.use, one.entry], "one of the two")
        asked = Vocabulary(one.operations, frozenset(one.commuting), frozenset(one.environment))
        if one.use is not None and (one.use not in controllers() or asked != controllers()[one.use].vocabulary):
            yield _differs(f"{place} use", one.use, "a controller that this installation has, with its own operations")
        if strange := sorted({*one.hears.values(), *one.commuting, *one.environment} - one.operations.keys()):
            yield _differs(f"{place} hears", strange, "names of its operations")
            return
        if "delete" in one.hears:
            yield _differs(f"{place} hears", "delete", "no delete, which always reaches both")
        said.append((one.hears, asked))
    for name, number in divided(said):
        yield _differs(
            f"{('first', 'second')[number]} hears", name, "an operation of the environment in both parts or in neither"
        )
    both = side_by_side(said)
    found = (stated.operations, frozenset(stated.commuting), frozenset(stated.environment))
    if found != (dict(both.arguments), both.commuting, both.environment):
        yield _differs("operations", sorted(stated.operations), "what reaches one of the two parts")


def _holidays(holidays: Sequence[date]) -> Iterator[str]:
    """What no case can have declared: with any list of days every answer is in time."""
    wrongly = working_days.fault(holidays)
    if wrongly is not None or list(holidays) != sorted(holidays):
        told = f"the public holidays of one place in order, {working_days.MOST_IN_A_YEAR} a year at most"
        yield _differs("holidays", wrongly or "days out of order", told)


def _log(evidence: Evidence) -> Iterator[str]:
    """The log's summary against its requests: how many records and batches they can be."""
    log, case = evidence.deletion_log, evidence.case
    done = [each for each in evidence.requests if each.status == "executed"]
    codes = {each.code for each in log.problems}
    gone, named = case.training_records - case.records_left, sum(each.records for each in done)
    twice = deletions.DELETED_TWICE in codes
    yield from _below(0, {"records": log.records, "batches": log.batches, "max_seen_releases": log.max_seen_releases})
    if not (evidence.learns or evidence.places_alone) and evidence.requests:
        yield _differs("requests", len(evidence.requests), "0, as nothing learns")
    if gone > named or (gone < named and not twice) or (twice and gone == named):
        told = "fewer than" if twice else "as many as"
        yield f"case.records_left: found {gone} records removed, expected {told} executed requests name, {named}"
    least = max([gone, *(each.records for each in evidence.requests)])
    if log.records < least:
        yield _differs("records", log.records, f"at least {least}, the number that the requests name")
    unknown = {deletions.NOT_LOCATED, deletions.NO_MATCH_BUT_KNOWN} & codes
    most = sum(each.records for each in evidence.requests)
    if log.records > most and not unknown and all(each.status != "no-match" for each in evidence.requests):
        yield _differs("records", log.records, f"at most {most}, as every id was found")
    yield from _batches(evidence, done, gone, twice=twice)
    yield from _holidays(log.holidays)
    if done and log.max_seen_releases is None:
        yield _differs("max_seen_releases", None, "a number, as requests were executed")
    if log.chain_head is not None and codes & _OF_CHAIN:
        yield _differs(
            "chain_head", log.chain_head, f"nothing, as the chain does not hold ({', '.join(sorted(codes & _OF_CHAIN))})"
        )
    if log.chain_head is not None and not _SHA256.fullmatch(log.chain_head):
        yield _differs("chain_head", log.chain_head, "64 hexadecimal digits")
    for each in log.problems:
        yield from _below(1, {f"problems {each.code} row": each.row})
    if deletions.DUPLICATE_REQUEST not in codes:
        yield from _same_request(evidence.requests)


def _batches(evidence: Evidence, done: Sequence[RequestOutcome], gone: int, *, twice: bool) -> Iterator[str]:
    """A batch has at least one request and one record that no earlier one deleted, and all of it is done at one time."""
    batches = evidence.deletion_log.batches
    times = len({each.deleted_at for each in done if each.deleted_at is not None})
    if done and not batches:
        yield _differs("batches", 0, f"at least 1, as {len(done)} requests were executed")
    elif batches > len(done):
        yield _differs("batches", batches, f"at most {len(done)}, one for each executed request")
    elif batches > gone >= 0:
        yield _differs("batches", batches, f"at most {gone}, one for each record that was removed")
    elif batches < times and not twice:
        yield _differs("batches", batches, f"at least {times}, as requests were executed at {times} times")


def _same_request(requests: Sequence[RequestOutcome]) -> Iterator[str]:
    """The first id of two rows that are not of two people."""
    again = [each.request_id for each, same in zip(requests, deletions.repeated(requests), strict=True) if same is not None]
    for each in again[:1]:
        yield _differs("requests", each, f"each id once or of several people, as no problem is {deletions.DUPLICATE_REQUEST}")


def _request(evidence: Evidence, request: RequestOutcome, codes: frozenset[str], ended: datetime | None) -> Iterator[str]:
    """One request: its status against what it names, and its times against each other and the run.

    Args:
        evidence: The document.
        request: One of its requests.
        codes: Of the problems that the log is said to have.
        ended: When the run ended; None where its clock was set by hand, or stood still.
    """
    status, records = request.status, request.records
    if status not in _STATUSES:
        yield f'status is "{status}", which no request has'
    executed = status == "executed"
    if executed != (request.deleted_at is not None) or executed != (request.days is not None):
        yield f"status is {status}, which contradicts deleted_at or days"
    if status in {"executed", "open"} and records < 1:
        yield _differs("records", records, f"at least 1, as the request is {status}")
    if status == "not-located" and records:
        yield _differs("records", records, "0, as none was located")
    if not 0 <= records <= evidence.case.training_records:
        yield _differs("records", records, f"0 to {evidence.case.training_records}, the training records")
    if request.due_in_log is not None and evidence.deletion_log.timezone is None and deletions.DUE_BEFORE_RECEIVED not in codes:
        yield from _before("due_in_log", request.due_in_log, request, deletions.DUE_BEFORE_RECEIVED)
    data, model = request.data_erased_at, request.model_erased_at
    if status in {"open", "denied", "revoked"} and denies_erasure(status, data=data, model=model):
        yield from _unlisted("status", status, "executed, as something was erased", {deletions.STATUS_CONTRADICTED}, codes)
    yield from _times(request, codes, ended)


def _times(request: RequestOutcome, codes: frozenset[str], ended: datetime | None) -> Iterator[str]:
    """Times before the receipt or after the run, which are problems of a log and listed there."""
    of_answer = {key: getattr(request, key) for key in ("data_erased_at", "model_erased_at", "answered_at", "confirmed_at")}
    early = (
        *((key, at, log_times.TIME_BEFORE_RECEIVED) for key, at in of_answer.items()),
        ("deleted_at", request.deleted_at, deletions.EXECUTED_BEFORE_RECEIVED),
    )
    for key, at, code in early:
        if at is not None and code not in codes:
            yield from _before(key, at.date(), request, code)
    late = (
        *((key, at, log_times.TIME_IN_FUTURE) for key, at in of_answer.items()),
        ("deleted_at", request.deleted_at, deletions.EXECUTED_IN_FUTURE),
    )
    for key, at, code in late:
        if at is not None and ended is not None and code not in codes and _utc_day(at) > _utc_day(ended):
            yield _differs(key, at.isoformat(), f"no day after the audit, {_utc_day(ended)}, as no problem is {code}")
    # A day of receipt is one of the log's calendar, which may be ahead of UTC.
    if ended is not None and request.received_on > _utc_day(ended) + _A_DAY and deletions.RECEIVED_IN_FUTURE not in codes:
        told = f"no day after the audit, {_utc_day(ended)}, as no problem is {deletions.RECEIVED_IN_FUTURE}"
        yield _differs("received_on", request.received_on.isoformat(), told)
    for each in request.clock_pauses:
        if each.resumed_at is not None and each.resumed_at < each.paused_at:
            expected = f"no time before paused_at, {each.paused_at.isoformat()}"
            yield from _unlisted("resumed_at", each.resumed_at.isoformat(), expected, {log_times.RESUMED_BEFORE_PAUSED}, codes)


def _before(key: str, day: date, request: RequestOutcome, code: str) -> Iterator[str]:
    if day < request.received_on:
        yield _differs(key, day.isoformat(), f"no day before received_on, {request.received_on}, as no problem is {code}")


def _unlisted(key: str, found: Any, expected: str, problems: set[str], codes: frozenset[str]) -> Iterator[str]:
    """A contradiction that the log would list as a problem of its own."""
    if not problems & codes:
        yield _differs(key, found, f"{expected}, or the problem {', '.join(sorted(problems))}")


def _utc_day(at: datetime) -> date:
    return at.astimezone(UTC).date()
