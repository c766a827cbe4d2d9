"""Reads a case whole and runs nothing of it."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from auditor import attacks
from auditor import case as cases
from auditor.case import Case
from auditor.deletions import findings
from auditor.domain import LogFinding


@dataclass(frozen=True, slots=True)
class Validated:
    """A case that can be audited."""

    case: Case = field(repr=False)
    findings: tuple[LogFinding, ...]
    """Rows of the deletion log that contradict themselves or the data; they are no bad input, and an audit judges them."""

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
        }


def validate(path: Path) -> Validated:
    """Read and check every input of a case; run nothing.

    Args:
        path: A folder with audit.toml, or that file.

    Raises:
        InputError: With every problem of every file at once.
        UsageError: If the case names an attack that there is not.
    """
    read = cases.read(path)
    attacks.refuse_unknown(read.settings.swap.attacks or ())
    return Validated(read, tuple(findings(read.requests, read.known_ids, today=datetime.now(tz=UTC).date())))
