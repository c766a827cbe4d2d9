"""What a purge is to do, and what it did."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath

from auditor.api.results.purging.files import Examined
from auditor.base.papers import Paper
from auditor.document.evidence import Evidence
from auditor.document.purge_receipt import Receipt, Stays, Why


@dataclass(frozen=True, slots=True)
class Purged:
    """What a purge did, or would do."""

    receipt: Receipt
    path: Path | None
    """Where the receipt lies; None of a purge that was only tried."""
    broken: tuple[str, ...] = ()
    """What could not be removed, with why."""
    holding: tuple[Path, ...] = ()
    """Files outside the case that hold the person; the receipt has their names alone, as folders may name somebody."""
    left: tuple[tuple[Paper, Why], ...] = ()
    """Letters and replies that are gone from where they were written, or were changed there: the receipt names no path."""
    of_others: tuple[Path, ...] = ()
    """Folders elsewhere whose letters and replies were written from a case in another folder: left alone."""
    missing: tuple[Path, ...] = ()
    """Folders that the case lists, and that are not there any more; the receipt counts them, as names may name somebody."""


@dataclass(frozen=True, slots=True)
class Audited:
    """A folder that an audit of this case wrote to."""

    root: Path
    inside: PurePosixPath
    evidence: Evidence | None
    sha256: str | None
    content: bytes

    @property
    def folder(self) -> Path:
        """Where it is."""
        return self.root / self.inside


@dataclass(slots=True)
class Plan:
    """What is to be done."""

    remove: list[Examined] = field(default_factory=list)
    cut: list[tuple[Examined, bytes, int]] = field(default_factory=list)
    """Copies, each as it is to be, and how many rows go."""
    stays: list[Stays] = field(default_factory=list)
    waiting: list[Path] = field(default_factory=list)
    kept: set[Path] = field(default_factory=set)
    """Letters and replies that stay, and are counted already."""
    left: list[tuple[Paper, Why]] = field(default_factory=list)
    """Letters and replies that their user has to delete."""
    of_others: list[Path] = field(default_factory=list)
    """Letters and replies elsewhere that were written from another folder: from the case that this one is a copy of."""
    settled: list[Paper] = field(default_factory=list)
    """Those whose lines are needed no more once the purge is done."""
