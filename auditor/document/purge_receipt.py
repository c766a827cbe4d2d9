"""The receipt of a purge: what was removed, what stays and why. It names nobody: no id, no pseudonym, no name of a letter."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from datetime import date, datetime
from enum import StrEnum
from pathlib import Path
from typing import Final, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from auditor.base import plain_files

SCHEMA: Final = "auditor.purge/1"
NAME: Final = re.compile(r"purge-[0-9]{8}T[0-9]{6}Z(?:-[0-9]+)?\.json")
"""What receipts are called."""
_LARGEST: Final = 64 * 1024 * 1024


class Kind(StrEnum):
    """What was removed."""

    RUN = "run"
    CHECKPOINT = "checkpoint"
    SALT = "salt"
    PARTIAL = "partial"
    """A file that a killed audit left half-written."""
    SCRATCH = "scratch"
    """A temporary folder that a killed audit left."""
    LETTER = "letter"
    DRAFT = "draft"
    REPLY = "reply"
    """A reply as it was drafted; one that was edited is its user's."""
    STATEMENT = "statement"
    """What signed a letter."""
    COPY = "copy"
    """A table that `init` or `Case.from_dataframe` copied into the case."""
    WAITING = "waiting"
    """What a purge that was killed had renamed."""


class Why(StrEnum):
    """Why something stays."""

    YOURS = "yours"
    """It was put there by its user, or changed since the auditor wrote it."""
    RESULT = "result"
    """Evidence, a report, what signs them: they are verified without the records."""
    RECEIPT = "receipt"
    """The receipt of an earlier purge."""
    NEEDED = "needed"
    """The list of folders that letters and audits were written to, by which purges find them."""
    GONE = "folder-gone"
    """A folder that was written to and is not there any more: what it held is not known."""
    MOVED = "file-gone"
    """A letter or a reply that is not where it was written: if it was moved, its user has to delete it."""
    CHANGED = "file-changed"
    """A letter or a reply that was changed since it was written: its user has to delete it."""
    KEPT_UNTIL = "kept-until"
    """The day of `keep_until` has not passed."""
    OF_OTHERS = "of-others"
    """Letters and replies to other people."""
    NOT_SHOWN = "not-shown-ours"
    """It has a name that the auditor gives, and nothing shows that this user's auditor wrote it."""
    LINK = "link"
    """A link, which is not followed."""
    FAILED = "failed"
    """It could not be removed."""
    SHARED = "shared"
    """Other cases need it."""
    UNSEARCHED = "not-searched"
    """It may hold the person: what is in it could not be searched."""


class _Part(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", defer_build=True)


class Gone(_Part):
    """Something that was removed."""

    kind: Kind
    path: str | None = None
    """Relative to the case, or the address; null where the name of the file names somebody, or it lay elsewhere."""
    bytes: int
    sha256: str | None = None
    """Null of a folder."""
    searched: bool | None = None
    """False of a folder that no search for the person looked into before it went; null of anything else."""
    other_names: int = 0
    """Other names of the same file, which were not looked for: under them it is still there."""


class Cut(_Part):
    """A copy that was written again without the rows of the person."""

    path: str
    rows: int
    sha256_before: str
    sha256_after: str


class Stays(_Part):
    """Something that was not removed."""

    what: str
    """A path relative to the case; or what it is, where a path would name somebody."""
    why: Why
    holds_person: bool | None = None
    """Whether it names the person who was asked for; null where nobody was, or it could not be searched."""
    files: int = 1


class Receipt(_Part):
    """What a purge did. Signed results are verified without anything that is listed as removed."""

    schema_: Literal["auditor.purge/1"] = Field(default=SCHEMA, alias="schema")
    auditor_version: str
    begun_at: datetime
    finished_at: datetime | None = None
    """Null where the purge was interrupted: the next one removes what had been renamed by then."""
    evidence_sha256: str | None
    """Of the evidence of this case; null where there is none."""
    other_evidence_sha256: tuple[str, ...] = ()
    """Of what further audits of the case wrote elsewhere."""
    keep_until: date | None
    """The day up to which records and runs are kept; null where no audit has ended and no day is declared."""
    keep_until_declared: bool
    one_person: bool
    """Whether one person was asked for, who is not named here."""
    removed: tuple[Gone, ...] = ()
    cut: tuple[Cut, ...] = ()
    stays: tuple[Stays, ...] = ()

    def to_bytes(self) -> bytes:
        """The receipt as it is written."""
        return self.model_dump_json(by_alias=True, indent=2).encode() + b"\n"


def lying_in(folder: Path) -> Mapping[str, Receipt]:
    """The receipts in a folder by name, which may come from anybody: nothing signs them. No link is followed."""
    try:
        names = sorted(each for each in os.listdir(folder) if NAME.fullmatch(each))  # noqa: PTH208 - names alone are enough
    except OSError:
        return {}
    read = ((name, _read(folder / name)) for name in names)
    return {name: receipt for name, receipt in read if receipt is not None}


def _read(path: Path) -> Receipt | None:
    """A receipt; None for anything else by that name."""
    try:
        with plain_files.opened(path) as file:
            content = file.read(_LARGEST + 1)
        return Receipt.model_validate_json(content) if len(content) <= _LARGEST else None
    except (OSError, ValidationError):
        return None
