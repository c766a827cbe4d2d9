"""The built-in procedures by name, those audited and those documented only; and what is asked of the table of any procedure."""

from __future__ import annotations

from typing import Final

from pydantic import BeforeValidator

from auditor.case.problems import show, unknown
from auditor.case.values import Table, wrong

AUDITED_PROCEDURES: Final = ("certified-removal", "sklearn", "torch")
"""Built-in procedures that this version audits."""
DOCUMENTED_PROCEDURES: Final = ("noisy-gd",)
"""Built-in procedures that are named and that this version does not audit."""


def _use(value: object) -> object:
    if value in AUDITED_PROCEDURES:
        return value
    if value in DOCUMENTED_PROCEDURES:
        audited = ", ".join(f'"{name}"' for name in AUDITED_PROCEDURES)
        raise wrong(
            f"{audited}, the built-in procedures that this version audits", f"{show(value)}, documented but not audited yet"
        )
    if isinstance(value, str):
        raise wrong(*unknown("procedure", value, (*AUDITED_PROCEDURES, *DOCUMENTED_PROCEDURES)))
    raise wrong("the name of a built-in procedure", show(value))


USE: Final = BeforeValidator(_use)
"""For the key `use`: a name that no procedure has, or one not audited yet, is told from a wrong type."""


class Procedure(Table):
    """The table of any procedure."""

    @property
    def foreign(self) -> bool:
        """Whether code of the controller's own runs, which must be walled in and is not believed."""
        return False

    @property
    def may_use_gpu(self) -> bool:
        """Whether it can compute on a CUDA device."""
        return False
