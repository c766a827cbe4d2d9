"""The sealed baseline of a scan: what of people lay in places before they were erased, as keyed digests to compare afterwards.

Each form is an HMAC-SHA-256 under a key of 32 random bytes, which lies next to the baseline. Anyone who has both can try names
and numbers until one fits, so that they are personal data until the key is destroyed. A last line seals the file: an HMAC over
every byte before it.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import os
import secrets
import stat
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, Final, Literal, TypeAlias, get_args

from auditor.base.deletion_log.requests import Request
from auditor.base.domain import Problem
from auditor.base.errors import InputError, UsageError
from auditor.base.plain_files import opened
from auditor.base.writing import unwritten, write_all
from auditor.case.files import BINARY_LIMIT
from auditor.case.places import Place
from auditor.settings.values import show

Kind: TypeAlias = Literal["ids", "terms", "rows", "values", "shared"]
"""Ids; numbers of the log; whole rows or lines; values that hardly another person has; names and values that another may have."""
KINDS: Final[tuple[Kind, ...]] = get_args(Kind)
DAYS: Final = 90
"""After which a baseline expires, where nobody says otherwise."""
MARK: Final = "auditor baseline 1"
_KEY_BYTES: Final = 32
_HEAD: Final = 4096
"""Bytes that the first line has at most."""
_NOT_ASKED: Final = frozenset({"denied", "revoked", "no_match"})
"""Statuses of requests after which nobody is erased."""


@dataclass(frozen=True, slots=True)
class Seal:
    """The key, and what it makes of texts."""

    key: bytes = field(repr=False)

    @classmethod
    def new(cls) -> Seal:
        """Draw a key."""
        return cls(secrets.token_bytes(_KEY_BYTES))

    def tag(self, what: str, *texts: str) -> str:
        """Give the keyed digest of some texts; the same of another kind has another."""
        parts = (each.encode("utf-8", "surrogatepass") for each in (what, *texts))
        return hmac.digest(self.key, b"".join(len(each).to_bytes(8) + each for each in parts), hashlib.sha256).hex()

    def of_request(self, request: Request) -> str:
        """Give the digest of what a row of the log asks for: no date of it, which is filled in later."""
        named = (*sorted(request.record_ids), "", *sorted(request.terms), "", request.subject or "", str(request.canary))
        return self.tag("request", request.request_id, *named)

    def of_place(self, place: Place) -> str:
        """Give the digest of where a place lies, and of how it is searched."""
        return self.tag("place", str(place.path), place.declared.level)

    def of_files(self, place: Place) -> str:
        """Give the digest of every file of a place, by name and content."""
        return self.tag("files", *(text for each in place.files for text in (each.below, each.input.sha256)))


Forms: TypeAlias = Mapping[Kind, frozenset[str]]
"""Digests by kind."""


@dataclass(frozen=True, slots=True)
class Baseline:
    """What was there before. Its representation leaves the digests out."""

    made_at: datetime
    expires_at: datetime
    requests: tuple[str, ...] = field(repr=False)
    """Digests of the rows of the log whose erasure was asked for."""
    planted: frozenset[str] = field(repr=False)
    """Of these, the rows of planted records."""
    places: Mapping[str, str] = field(repr=False)
    """Digests of places, each with that of its files."""
    forms: Mapping[tuple[str, str], Forms] = field(repr=False)
    """By request and place."""
    unread: int = 0
    """Files that could not be read."""

    def counts(self) -> dict[str, int]:
        """Count forms by kind, those of planted records left out."""
        return {kind: sum(len(forms.get(kind, ())) for (who, _), forms in self.forms.items() if who not in self.planted)
                for kind in KINDS}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Opened:
    """A baseline with its key."""

    baseline: Baseline
    seal: Seal


def asked_for(requests: Iterable[Request]) -> tuple[Request, ...]:
    """Give the rows of a log after which somebody, or a planted record, is erased or to be erased."""
    return tuple(each for each in requests if each.status not in _NOT_ASKED)


def key_of(path: Path) -> Path:
    """Name the file of the key."""
    return path.with_name(f"{path.name}.key")


def refuse_taken(path: Path) -> None:
    """Refuse to write over a baseline: the one that is there may be the only trace of what was there before.

    Raises:
        UsageError: If anything lies there.
    """
    for each in (path, key_of(path)):
        if os.path.lexists(each):
            raise UsageError(f"--before {path}: {each} is there already; name another file, or remove that one first")


def expiry(made: datetime, days: int) -> datetime:
    """Give the time after which a baseline is refused."""
    return made + timedelta(days=days)


def write(path: Path, baseline: Baseline, seal: Seal) -> None:
    """Write a baseline and its key, for their owner alone.

    Raises:
        UsageError: If they cannot be written, for where they lie.
        StorageError: If they cannot be for another reason.
    """
    head = {
        "file": MARK,
        "made_at": baseline.made_at.isoformat(),
        "expires_at": baseline.expires_at.isoformat(),
        "requests": len(baseline.requests) - len(baseline.planted),
        "planted": len(baseline.planted),
        "places": len(baseline.places),
        "forms": baseline.counts(),
        "unread": baseline.unread,
    }
    body = {
        "requests": list(baseline.requests),
        "planted": sorted(baseline.planted),
        "places": dict(baseline.places),
        "forms": [
            {"request": who, "place": where, **{kind: sorted(tags) for kind, tags in forms.items() if tags}}
            for (who, where), forms in baseline.forms.items()
        ],
    }
    content = "".join(json.dumps(each) + "\n" for each in (head, body)).encode()
    sealed = content + _mac(seal, content).encode() + b"\n"
    write_all({key_of(path): seal.key, path: sealed})


def _mac(seal: Seal, content: bytes) -> str:
    return hmac.digest(seal.key, b"seal\0" + content, hashlib.sha256).hex()


def _holds(seal: Seal, content: bytes) -> bool:
    """Whether a file is as it was written under a key, to its last byte."""
    sealed, _, mac = content.removesuffix(b"\n").rpartition(b"\n")
    whole = sealed + b"\n" + mac + b"\n" == content
    return whole and len(seal.key) == _KEY_BYTES and hmac.compare_digest(_mac(seal, sealed + b"\n").encode(), mac)


def read(path: Path, now: datetime) -> Opened:
    """Read a baseline that has not expired, and its key.

    Args:
        path: The baseline; its key lies next to it.
        now: The time of the audit, which counts as the clock's does.

    Raises:
        UsageError: If it is not there, was changed, has expired, or its key is gone; with what can be done.
    """
    content = _content(path, "--after", BINARY_LIMIT)
    head = _header(content)
    if head is None:
        raise UsageError(f"--after {path}: expected a baseline that auditor scan --before wrote, found another file")
    try:
        key = _content(key_of(path), "--after", _KEY_BYTES + 1)
    except UsageError as error:
        if key_of(path).exists():
            raise
        raise UsageError(
            f"--after {path}: its key {key_of(path)} is not there: it was destroyed after a comparison, or lies elsewhere. "
            "Nothing can be compared without it; auditor scan without --after still says who is there now"
        ) from error
    seal = Seal(key)
    if not _holds(seal, content):
        raise UsageError(
            f"--after {path}: the seal does not hold: the file was changed, or {key_of(path)} is the key of another baseline. "
            "Restore both as they were written"
        )
    baseline = _read(head, json.loads(content.split(b"\n", 2)[1]))
    for each in (now, datetime.now(tz=UTC)):
        _refuse_times(path, baseline, each)
    return Opened(baseline, seal)


def _read(head: Mapping[str, Any], body: Mapping[str, Any]) -> Baseline:
    """What a file holds whose seal holds: nobody but the auditor wrote it."""
    return Baseline(
        made_at=datetime.fromisoformat(head["made_at"]),
        expires_at=datetime.fromisoformat(head["expires_at"]),
        requests=tuple(body["requests"]),
        planted=frozenset(body["planted"]),
        places=dict(body["places"]),
        forms={
            (each["request"], each["place"]): {kind: frozenset(each[kind]) for kind in KINDS if kind in each}
            for each in body["forms"]
        },
        unread=int(head["unread"]),
    )


def _refuse_times(path: Path, baseline: Baseline, now: datetime) -> None:
    if now < baseline.made_at:
        raise UsageError(
            f"--after {path}: it was made at {baseline.made_at.isoformat()}, and this machine's clock says {now.isoformat()}: "
            "set the clock right"
        )
    if now >= baseline.expires_at:
        raise UsageError(
            f"--after {path}: it expired on {baseline.expires_at.date().isoformat()}: remove it, auditor clean {path.parent}. "
            "auditor scan without --after says who is there now; before the next deletion, make another with --before"
        )


def _content(path: Path, option: str, limit: int) -> bytes:
    try:
        with opened(path) as file:
            content = file.read(limit + 1)
    except OSError as error:
        raise UsageError(f"{option} {path}: cannot be read: {error.strerror or error}") from error
    if len(content) > limit:
        raise UsageError(f"{option} {path}: expected at most {limit} bytes, found more")
    return content


def _header(content: bytes) -> Mapping[str, Any] | None:
    """Read the first line; None where it is no baseline's."""
    line = content[:_HEAD].partition(b"\n")[0]
    try:
        head = json.loads(line)
        times = [datetime.fromisoformat(head[name]) for name in ("made_at", "expires_at")]
    except (ValueError, KeyError, TypeError, RecursionError):
        return None
    return head if head.get("file") == MARK and all(each.tzinfo is not None for each in times) else None


def refuse_others(path: Path, found: Opened, requests: Sequence[Request], places: Sequence[Place]) -> None:
    """Refuse a baseline of another log, or of other places.

    Rows that came since are no fault: nothing is known of them before.

    Raises:
        InputError: With what differs.
    """
    seal, baseline = found.seal, found.baseline
    now = {seal.of_request(each) for each in requests}
    problems = []
    if gone := [each for each in baseline.requests if each not in now]:
        what = (
            "none of them" if len(gone) == len(baseline.requests) else f"{len(gone)} of them missing, or with other ids or terms"
        )
        expected = f"the log that it was made with, with its {len(baseline.requests)} rows"
        problems.append(Problem(str(path), "--log", expected, what))
    there = {seal.of_place(each): each for each in places}
    if missing := len(baseline.places.keys() - there.keys()):
        expected = f"the {len(baseline.places)} places that it was made of, where they lay"
        problems.append(Problem(str(path), "PLACE", expected, f"{missing} of them missing"))
    problems += [
        Problem(str(path), "PLACE", "no place that it was not made of", show(place.declared.path))
        for tag, place in there.items()
        if tag not in baseline.places
    ]
    if problems:
        raise InputError(problems)


def destroy(path: Path) -> None:
    """Overwrite a key and remove it.

    What lay there may survive in a copy that the disk or the file system made: on an SSD, a journal, a snapshot or a backup.

    Raises:
        UsageError: If it cannot be removed, for where it lies.
        StorageError: If it cannot be for another reason.
    """
    try:
        descriptor = os.open(path, os.O_WRONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
        try:
            status = os.fstat(descriptor)
            if stat.S_ISREG(status.st_mode):
                os.pwrite(descriptor, secrets.token_bytes(status.st_size), 0)
                os.fsync(descriptor)
        finally:
            os.close(descriptor)
        path.unlink()
    except OSError as error:
        raise unwritten(error, path) from error


@dataclass(frozen=True, slots=True)
class Lying:
    """A baseline in a folder."""

    path: Path
    expires_at: datetime
    expired: bool
    bytes: int


def lying(folder: Path, now: datetime) -> tuple[Lying, ...]:
    """List the baselines of a folder, by their first line alone: whose key is gone too."""
    found = []
    try:
        paths = sorted(folder.iterdir())
    except OSError:
        return ()
    for path in paths:
        try:
            if path.is_symlink() or not path.is_file():
                continue
            with opened(path) as file:
                head, size = _header(file.read(_HEAD)), os.fstat(file.fileno()).st_size
        except OSError:
            continue
        if head is not None:
            expires = datetime.fromisoformat(head["expires_at"])
            found.append(Lying(path, expires, now >= expires, size))
    return tuple(found)


def remove_expired(folder: Path, now: datetime) -> tuple[tuple[Lying, ...], tuple[Lying, ...]]:
    """Destroy the keys of expired baselines of a folder, and remove both.

    A key is destroyed only where it seals its baseline: another file may be called as a key would be.

    Returns:
        Those that were removed, and those that stay.

    Raises:
        UsageError: If one cannot be removed, for where it lies.
        StorageError: If one cannot be for another reason.
    """
    gone, left = [], []
    for each in lying(folder, now):
        key = key_of(each.path)
        alone = not os.path.lexists(key)
        if not each.expired or not (alone or _is_sealed(each.path, key)):
            left.append(each)
            continue
        if not alone:
            destroy(key)
        try:
            each.path.unlink(missing_ok=True)
        except OSError as error:
            raise unwritten(error, each.path) from error
        gone.append(each)
    return tuple(gone), tuple(left)


def _is_sealed(path: Path, key: Path) -> bool:
    try:
        return _holds(Seal(_content(key, "clean", _KEY_BYTES)), _content(path, "clean", BINARY_LIMIT))
    except UsageError:
        return False
