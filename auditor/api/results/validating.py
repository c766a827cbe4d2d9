"""Reads a case whole, and runs its procedure on a few rows where that is asked for."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from auditor import attacks
from auditor import case as cases
from auditor.api.results.rehearsals import Disk, disk_of, foretold, rehearsed
from auditor.audit.auditing import Options
from auditor.audit.rehearsal import Foretold, Rehearsal, Warned, refutable, rehearse, warn
from auditor.base.deletion_log.deletions import findings
from auditor.base.domain import LogFinding
from auditor.case import Case


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
    found = tuple(findings(read.requests, read.known_ids, today=datetime.now(tz=UTC).date()))
    rehearsal = None if options is None else rehearse(read, options)
    return Validated(read, found, warn(read, found), rehearsal, refutable(read, None))
