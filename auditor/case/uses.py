"""The built-in procedures by name: those that this version audits, and those that are documented only."""

from __future__ import annotations

from typing import Final

from pydantic import BeforeValidator

from auditor.case.problems import show, unknown
from auditor.case.values import wrong

AUDITED_PROCEDURES: Final = ("certified-removal", "sklearn")
"""Built-in procedures that this version audits."""
DOCUMENTED_PROCEDURES: Final = ("noisy-gd", "torch")
"""Built-in procedures that are named and that this version does not audit."""


def _use(value: object) -> object:
    if value in AUDITED_PROCEDURES:
        return value
    if value in DOCUMENTED_PROCEDURES:
        audited = " or ".join(f'"{name}"' for name in AUDITED_PROCEDURES)
        raise wrong(
            f"{audited}, the built-in procedures that this version audits", f"{show(value)}, documented but not audited yet"
        )
    if isinstance(value, str):
        raise wrong(*unknown("procedure", value, (*AUDITED_PROCEDURES, *DOCUMENTED_PROCEDURES)))
    raise wrong("the name of a built-in procedure", show(value))


USE: Final = BeforeValidator(_use)
"""For the key `use`: a name that no procedure has, or one not audited yet, is told from a wrong type."""
