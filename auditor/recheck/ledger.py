"""Past audits: one small SQLite file of the user's own, with a row for each audit that wrote its results.

The ledger only repeats what evidence says in public: names of checks, never of requests or records, and no secret. It is there to
find an earlier audit again, and proves nothing: who wants proof keeps the evidence, whose digest each row gives. An audit is one
transaction, so that two audits at once both come in, and one that is killed leaves all of its row or none.
"""

from __future__ import annotations

import json
import os
import sqlite3
import stat
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

from auditor.base import resources
from auditor.base.domain import Problem, Status, Verdict
from auditor.base.errors import InputError
from auditor.document.evidence import Evidence, digest
from auditor.pages.words.verdict import sentence_of

VARIABLE: Final = "AUDITOR_HISTORY"
"""The environment variable that names another file; empty, nothing is recorded."""
VERSION: Final = 2
"""Of the tables, in SQLite's `user_version`; those of version 1 do not say which audits are first stages, for none was."""
APPLICATION: Final = 0x61756474
"""In SQLite's `application_id`: by it a ledger is distinguished from any other database."""
PATIENCE: Final = 10.0
"""Seconds to wait for another process that writes."""

_EXPECTED: Final = "a ledger of past audits"
_SQLITE: Final = b"SQLite format 3\x00"
_TABLES: Final = (
    """CREATE TABLE audits (
        number INTEGER PRIMARY KEY, audit_id TEXT NOT NULL, finished_at TEXT NOT NULL, case_name TEXT NOT NULL, release TEXT,
        case_digest TEXT NOT NULL, evidence_digest TEXT NOT NULL, verdict TEXT NOT NULL, exit_code INTEGER NOT NULL,
        required TEXT NOT NULL, sentence TEXT NOT NULL, evidence_path TEXT NOT NULL, auditor_version TEXT NOT NULL, stage TEXT
    )""",
    """CREATE TABLE checks (
        audit INTEGER NOT NULL REFERENCES audits (number), place INTEGER NOT NULL, check_id TEXT NOT NULL,
        status TEXT NOT NULL, value REAL, PRIMARY KEY (audit, place)
    ) WITHOUT ROWID""",
    "CREATE INDEX audits_by_time ON audits (finished_at, number)",
)
_COLUMNS: Final = (
    "audit_id, finished_at, case_name, release, case_digest, evidence_digest, verdict, exit_code, required, sentence, "
    "evidence_path, auditor_version, stage"
)
_FIRST_COLUMNS: Final = _COLUMNS.replace("stage", "NULL")
"""The same of tables of version 1."""


@dataclass(frozen=True, slots=True)
class Result:
    """What became of one check."""

    check_id: str
    status: Status
    value: float | None


@dataclass(frozen=True, slots=True)
class Entry:
    """One audit of the past."""

    audit_id: str
    finished_at: datetime
    """In UTC."""
    case_name: str
    release: str | None
    case_digest: str
    """SHA-256 over the inputs of the case."""
    evidence_digest: str
    """SHA-256 of evidence.json as it was written."""
    verdict: Verdict
    exit_code: int
    required: tuple[str, ...]
    """Ids of the checks that decided."""
    sentence: str
    evidence_path: str
    """Where evidence.json was written; it may have been moved or written over since."""
    auditor_version: str
    stage: str | None
    """`first` of a first stage; None of a whole audit."""
    checks: tuple[Result, ...]
    """In the order of the report."""


def ledger_file() -> Path | None:
    """Where the ledger lies: what `AUDITOR_HISTORY` names, else `history.sqlite` next to the user's key. None for no ledger.

    Raises:
        InputError: If the user has no home folder.
    """
    declared = os.environ.get(VARIABLE)
    if declared is not None:
        return Path(declared).absolute() if declared else None
    try:
        return resources.state() / "history.sqlite"
    except OSError as error:
        raise InputError([Problem(error.filename, "", "the user's home folder", error.strerror or str(error))]) from error


def record(file: Path, evidence: Evidence, evidence_path: Path, *, content: bytes | None = None) -> None:
    """Add one audit to the ledger, which is made where it is missing: whole, or not at all.

    Args:
        file: The ledger.
        evidence: What the audit found.
        evidence_path: Where it was written.
        content: Its canonical bytes, where they were written already: to write them again takes long.

    Raises:
        InputError: If the ledger cannot be written, is damaged, of a newer version or another program's, or belongs to somebody
            else.
    """
    own = entry_of(evidence, evidence_path, content=content)
    row = (
        own.audit_id,
        own.finished_at.isoformat(timespec="microseconds"),
        own.case_name,
        own.release,
        own.case_digest,
        own.evidence_digest,
        own.verdict.value,
        own.exit_code,
        json.dumps(own.required),
        own.sentence,
        own.evidence_path,
        own.auditor_version,
        own.stage,
    )
    with _unreadable_named(file):
        _make_own(file)
        with closing(_connected(file)) as ledger, _written_whole(ledger):
            version = _version(ledger, file)
            # Only now that it is known to be a ledger: another program's file is left as it is.
            file.chmod(0o600)
            if version == 0:
                for table in _TABLES:
                    ledger.execute(table)
                ledger.execute(f"PRAGMA application_id = {APPLICATION}")
                ledger.execute(f"PRAGMA user_version = {VERSION}")
            elif version < VERSION:
                ledger.execute("ALTER TABLE audits ADD COLUMN stage TEXT")
                ledger.execute(f"PRAGMA user_version = {VERSION}")
            marks = ", ".join("?" * len(row))
            number = ledger.execute(f"INSERT INTO audits ({_COLUMNS}) VALUES ({marks})", row).lastrowid  # noqa: S608 - constants
            ledger.executemany(
                "INSERT INTO checks (audit, place, check_id, status, value) VALUES (?, ?, ?, ?, ?)",
                [(number, place, check.check_id, check.status.value, check.value) for place, check in enumerate(own.checks)],
            )


def read(file: Path, *, case: str | None = None, limit: int | None = None) -> tuple[Entry, ...]:
    """Past audits, the newest first; none where there is no ledger yet.

    Args:
        file: The ledger.
        case: The name of a case, to read its audits alone.
        limit: At most so many.

    Raises:
        InputError: If the file is no ledger, a damaged one, one of a newer version, or cannot be read.
    """
    with _unreadable_named(file):
        if not file.exists():
            return ()
        with closing(_connected(file)) as ledger:
            # One transaction: tables that come in meanwhile are all here, or none is; so is an audit with its checks.
            ledger.execute("BEGIN")
            version = _version(ledger, file)
            if version == 0:
                return ()
            columns = _COLUMNS if version == VERSION else _FIRST_COLUMNS
            rows = ledger.execute(
                f"SELECT number, {columns} FROM audits WHERE ?1 IS NULL OR case_name = ?1 "  # noqa: S608 - constants
                "ORDER BY finished_at DESC, number DESC LIMIT ?2",
                (case, -1 if limit is None else limit),
            ).fetchall()
            return tuple(_entry(row, ledger) for row in rows)


def entry_of(evidence: Evidence, evidence_path: Path, *, content: bytes | None = None) -> Entry:
    """Give the row that an audit has, or would have, in a ledger.

    Args:
        evidence: What the audit found.
        evidence_path: Where it was written.
        content: Its canonical bytes, where they are at hand.
    """
    audit, case = evidence.audit, evidence.case
    return Entry(
        audit_id=audit.id,
        finished_at=audit.finished_at.astimezone(UTC),
        case_name=case.name,
        release=case.release,
        case_digest=case.digest,
        evidence_digest=digest(evidence.to_bytes() if content is None else content),
        verdict=evidence.verdict,
        exit_code=audit.exit_code,
        required=tuple(evidence.policy.required),
        sentence=sentence_of(evidence),
        evidence_path=str(evidence_path.absolute()),
        auditor_version=audit.auditor_version,
        stage=audit.stage,
        checks=tuple(Result(check.id, check.status, check.value) for check in evidence.checks),
    )


def is_ledger(file: Path) -> bool:
    """Whether a file begins as a database does; nothing else of it is read."""
    with file.open("rb") as opened:
        return opened.read(len(_SQLITE)) == _SQLITE


def _entry(row: tuple[Any, ...], ledger: sqlite3.Connection) -> Entry:
    number, audit_id, finished_at, name, release, case_digest, evidence_digest, verdict, exit_code, required, *rest = row
    checks = ledger.execute("SELECT check_id, status, value FROM checks WHERE audit = ? ORDER BY place", (number,))
    sentence, evidence_path, auditor_version, stage = rest
    return Entry(
        audit_id=audit_id,
        finished_at=datetime.fromisoformat(finished_at),
        case_name=name,
        release=release,
        case_digest=case_digest,
        evidence_digest=evidence_digest,
        verdict=Verdict(verdict),
        exit_code=exit_code,
        required=tuple(json.loads(required)),
        sentence=sentence,
        evidence_path=evidence_path,
        auditor_version=auditor_version,
        stage=stage,
        checks=tuple(Result(check_id, Status(status), value) for check_id, status, value in checks),
    )


def _version(ledger: sqlite3.Connection, file: Path) -> int:
    """The version of the tables, 0 for a file that is empty yet; other programs' databases and newer ledgers are refused."""
    (application,) = ledger.execute("PRAGMA application_id").fetchone()
    (version,) = ledger.execute("PRAGMA user_version").fetchone()
    (tables,) = ledger.execute("SELECT count(*) FROM sqlite_master").fetchone()
    if (application, version, tables) == (0, 0, 0):
        return 0
    if application != APPLICATION:
        raise InputError([Problem(str(file), "", _EXPECTED, "a database of another program")])
    if not 1 <= version <= VERSION:
        raise InputError([Problem(str(file), "", f"{_EXPECTED} of version {VERSION}", f"version {version}")])
    return int(version)


def _connected(file: Path) -> sqlite3.Connection:
    # Never made here: that is done with the right permissions, or not at all. Opened for writing even to read, since what a
    # killed writer left half done has to be rolled back first.
    return sqlite3.connect(f"{file.absolute().as_uri()}?mode=rw", uri=True, timeout=PATIENCE, isolation_level=None)


@contextmanager
def _written_whole(ledger: sqlite3.Connection) -> Iterator[None]:
    """A transaction that waits for its turn before it reads anything, so that two never make the tables both."""
    ledger.execute("BEGIN IMMEDIATE")
    try:
        yield
    except BaseException:
        if ledger.in_transaction:
            ledger.execute("ROLLBACK")
        raise
    ledger.execute("COMMIT")


def _make_own(file: Path) -> None:
    """Make the file where it is missing, for its owner alone; what SQLite puts alongside it takes its permissions."""
    file.parent.parent.mkdir(parents=True, exist_ok=True)
    file.parent.mkdir(mode=0o700, exist_ok=True)
    descriptor = os.open(file, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC, 0o600)
    try:
        found = os.fstat(descriptor)
        if not stat.S_ISREG(found.st_mode) or found.st_uid != os.geteuid():
            raise OSError(0, "no file of the user's own", str(file))
    finally:
        os.close(descriptor)


@contextmanager
def _unreadable_named(file: Path) -> Iterator[None]:
    """Turn whatever the file or what is in it can do to us into a Problem that names it."""
    try:
        yield
    except OSError as error:
        raise InputError([Problem(str(file), "", _EXPECTED, error.strerror or str(error))]) from error
    except (sqlite3.Error, ValueError, TypeError, RecursionError) as error:
        raise InputError([Problem(str(file), "", _EXPECTED, str(error))]) from error
